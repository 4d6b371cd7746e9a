"""A battle told in lines: a line a turn, or every event, with the stacks of each turn."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.applying import apply
from sim.pokepucks.battle.live import LiveBattle
from sim.pokepucks.battle.match import Exchange
from sim.pokepucks.battle.places import ARENA, Place, StackKind, places
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import BattleState, Step
from sim.pokepucks.battle.table import Table
from sim.pokepucks.battle.tellevents import tell_event, tell_pucks
from sim.pokepucks.design import DesignKind

_DETAILS = (ev.MatchupSet, ev.Arranged)
"""Events that the short form leaves out."""

_HANDLING = {"set aside", "knock-out", "shields back", "put back", "knocked out", "turn"}
"""What the events are for that it leaves out too."""

_SHOWN = {StackKind.SLAMMER: 0, StackKind.HEALTH: 1, StackKind.POWER: 2, StackKind.PRIZE: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What a player takes home from a battle.

    Attributes:
        player: Who.
        won: Pucks that were others', or of no player.
        lost: Own pucks that others took.
    """

    player: int
    won: tuple[int, ...]
    lost: tuple[int, ...]


def homes(state: BattleState) -> tuple[Home, ...]:
    """Return what each player has won and lost, as collections are now."""
    pucks = state.table.pucks
    taken = {
        puck: player for player in range(state.table.players) for puck in state.collection(player)
    }
    return tuple(
        Home(
            player=player,
            won=tuple(p for p in state.collection(player) if pucks[p].owner != player),
            lost=tuple(
                number
                for number, puck in enumerate(pucks)
                if puck.owner == player and taken.get(number, player) != player
            ),
        )
        for player in range(state.table.players)
    )


def tell_battle(
    table: Table, exchanges: Iterable[Exchange], *, verbose: bool = False
) -> Iterator[str]:
    """Return a battle's lines as it goes on.

    Args:
        table: The set-up.
        exchanges: Its exchanges.
        verbose: A line for every event, and the stacks at the beginning of every turn.
    """
    opening = new_battle(table)
    line: list[str] = []
    for state, event in _events(opening, LiveBattle(opening).news, exchanges):
        turns = isinstance(event, ev.TurnBegan | ev.Won | ev.Drawn)
        if turns and not verbose and line:
            yield _turn(state) + "; ".join(line)
            line = []
        if isinstance(event, ev.TurnBegan) and verbose:
            yield f"turn {event.number}: {table.names[event.player]}"
            yield from ("  | " + text for text in tell_stacks(state))
        told = tell_event(state, event)
        if not told:
            continue
        if verbose:
            yield "  " + told
        elif state.turn.number and state.winner is None and _matters(event):
            line.append(told)


def _matters(event: ev.Event) -> bool:
    """Return whether the short form tells an event."""
    return not isinstance(event, _DETAILS) and getattr(event, "why", "") not in _HANDLING


def _turn(state: BattleState) -> str:
    return f"turn {state.turn.number}, {state.table.names[state.player]}: "


def _events(
    state: BattleState, opening: Sequence[ev.Event], exchanges: Iterable[Exchange]
) -> Iterator[tuple[BattleState, ev.Event]]:
    """Return every event with the state before it."""
    for event in opening:
        yield state, event
        state = apply(state, event)
    for exchange in exchanges:
        state = exchange.before
        for event in exchange.events:
            yield state, event
            state = apply(state, event)


def tell_standing(state: BattleState) -> Iterator[str]:
    """Return the lines of the standing: how it ended, and what each player has gained and lost."""
    table = state.table
    so_far = f"{_counted(state.turn.number, 'turn')}, {_counted(state.throws, 'throw')}"
    if state.winner is not None:
        yield f"{table.names[state.winner]} wins after {so_far}"
    elif state.step is Step.OVER:
        yield f"a draw after {so_far}"
    else:
        yield f"not over after {so_far}"
        yield from ("  " + text for text in tell_stacks(state))
        return
    for home in homes(state):
        name = table.names[home.player]
        yield (
            f"  {name} takes home {_gains(state, home.won, 'won')}, "
            f"{_gains(state, home.lost, 'lost')}"
        )


def tell_stacks(state: BattleState) -> Iterator[str]:
    """Return a line for the Arena, and one for the stacks of each player; the top is right."""
    yield f"Arena{_size(state, ARENA)}: {tell_pucks(state, state.arena)}"
    for player in state.playing:
        own = [place for place in places(state.table.players) if place.player == player]
        shown = sorted((place for place in own if place.kind in _SHOWN), key=_order)
        stacks = " | ".join(
            f"{place.kind}{_size(state, place)}: {tell_pucks(state, state.stack(place))}"
            for place in shown
        )
        notes = ", ".join((*state.statuses[player], *state.effects[player]))
        yield f"{state.table.names[player]}{f' ({notes})' if notes else ''}: {stacks}"


def _order(place: Place) -> int:
    return _SHOWN[place.kind]


def _size(state: BattleState, place: Place) -> str:
    size = state.max_size(place)
    if size is None or place.kind is StackKind.SLAMMER:
        return ""
    return f" {len(state.stack(place))}/{size}"


def _gains(state: BattleState, pucks: Sequence[int], word: str) -> str:
    special = [puck for puck in pucks if state.design(puck).kind is not DesignKind.PLAIN]
    names = f" ({tell_pucks(state, special)})" if special else ""
    return f"{_counted(len(pucks), 'puck')} {word}{names}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
