"""What must hold in every state of a battle."""

from collections import Counter

from physics import InputError
from physics.checks import check_count
from sim.pokepucks.battle.applying import tell_place
from sim.pokepucks.battle.places import StackKind, places
from sim.pokepucks.battle.state import BattleState


def check_state(field: str, state: BattleState) -> None:
    """Check that every puck is in exactly one stack, and that all players are there.

    Args:
        field: What to call the state in an error.
        state: The state.

    Raises:
        InputError: Something is not so; the message says what.
    """
    players = state.table.players
    stacks = len(places(players))
    lengths = {
        "stacks": (len(state.stacks), stacks),
        "max_sizes": (len(state.max_sizes), stacks),
        "statuses": (len(state.statuses), players),
        "effects": (len(state.effects), players),
        "turns": (len(state.turns), players),
    }
    for name, (have, wanted) in lengths.items():
        if have != wanted:
            raise InputError(f"{field} {name}: {have} are not accepted; give {wanted}")
    seats = {
        "turn player": state.turn.player,
        "payer": state.payer,
        "winner": state.winner,
        **{f"playing {place}": player for place, player in enumerate(state.playing, start=1)},
    }
    for name, seat in seats.items():
        if seat is not None:
            check_count(f"{field} {name}", seat, low=0, high=players - 1)
    if list(state.playing) != sorted(set(state.playing)):
        raise InputError(f"{field} playing: {state.playing} is not accepted; give each once")
    _check_pucks(field, state)


def _check_pucks(field: str, state: BattleState) -> None:
    found = Counter(puck for stack in state.stacks for puck in stack)
    for puck, times in found.items():
        if not 0 <= puck < len(state.table.pucks):
            raise InputError(f"{field} stacks: there is no puck {puck}")
        if times > 1:
            raise InputError(f"{field} stacks: {state.table.tell(puck)} is there {times} times")
    for puck in range(len(state.table.pucks)):
        if puck not in found:
            raise InputError(f"{field} stacks: {state.table.tell(puck)} is in none of them")
    for place in places(state.table.players):
        if place.kind is StackKind.SLAMMER and len(state.stack(place)) > 1:
            raise InputError(
                f"{field} stacks: {tell_place(state, place)} has {len(state.stack(place))} pucks; "
                "its max size is 1"
            )
