"""What cards that move mats do, and the series that several moves make (PB-22, PB-23)."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from sim.bumpers.game.actions import begun, card_done
from sim.bumpers.game.cards import CardKind
from sim.bumpers.game.choice import Choice, Go, Pass
from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.hook import Hook
from sim.bumpers.game.state import GameState
from sim.bumpers.layout import Layout
from sim.bumpers.matrules import legal_mat_moves
from sim.bumpers.moves import MatMove, Shift, Swap, Turn
from sim.bumpers.movetext import plain_text
from sim.bumpers.options import Rules
from sim.bumpers.rules import play

_Way = type[Shift] | type[Swap] | type[Turn]
_WAYS: dict[str, tuple[_Way, ...]] = {
    "shift-mats": (Shift,),
    "swap-mats": (Swap,),
    "turn-mats": (Turn,),
    "mix-mats": (Shift, Swap, Turn),
}


@lru_cache(maxsize=64)
def _moves(layout: Layout, rules: Rules, *, temporary: bool) -> tuple[MatMove, ...]:
    return legal_mat_moves(layout, rules, temporary=temporary)


def may_follow(state: GameState) -> bool:
    """Return whether another mat move may follow the next one of the pending card (PB-23).

    It may if the card has more, or if the player holds another card that moves mats and has an
    action left for it.
    """
    pending = state.pending
    assert pending is not None
    if pending.moves + 1 < state.card(pending.card).number("moves"):
        return True
    more = any(state.card(card).hook in _WAYS for card in state.hands[state.player])
    return more and state.turn.taken + 1 < state.allowed


def _frozen(state: GameState, player: int) -> str:
    del player
    if state.ongoing is not None and state.card(state.ongoing).hook == "frozen-mats":
        return f"{state.card(state.ongoing).name} is in play: no mat moves"
    return ""


def _why_not(ways: tuple[_Way, ...]) -> Callable[[GameState, int], str]:
    def why_not(state: GameState, player: int) -> str:
        frozen = _frozen(state, player)
        if frozen or Turn in ways:
            return frozen
        position = state.position
        # While the series is not yet legal, only what mends it or may be mended counts.
        temporary = state.series is not None
        moves = _moves(position.layout, position.rules, temporary=temporary)
        return "" if any(isinstance(move, ways) for move in moves) else "no mat can move so"

    return why_not


def _options(state: GameState) -> tuple[Choice, ...]:
    pending, position = state.pending, state.position
    assert pending is not None
    ways = _WAYS[state.card(pending.card).hook]
    moves = _moves(position.layout, position.rules, temporary=may_follow(state))
    found: list[Choice] = [Go(move) for move in moves if isinstance(move, ways)]
    if pending.moves or not found:
        found.append(Pass())
    return tuple(found)


def _take(state: GameState, choice: Choice, log: Log) -> GameState:
    pending, position = state.pending, state.position
    assert pending is not None
    if isinstance(choice, Pass):
        return card_done(state)
    assert isinstance(choice, Go)
    log.append(Event(Happening.MOVED, state.player, plain_text(position.layout, choice.move)))
    after, _ = play(position, choice.move, temporary=may_follow(state))
    moves = pending.moves + 1
    series = state.series or pending.snapshot.position
    state = replace(state, position=after, series=series, pending=replace(pending, moves=moves))
    return card_done(state) if moves == state.card(pending.card).number("moves") else state


MAT_HOOKS = {
    name: Hook(
        kind=CardKind.GAME_CHANGER,
        numbers=("moves",),
        effect=begun,
        why_not=_why_not(ways),
        options=_options,
        take=_take,
        may_interrupt=True,
    )
    for name, ways in _WAYS.items()
}
