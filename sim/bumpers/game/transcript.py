"""A game told in lines: every step, or what matters of each turn."""

from collections.abc import Iterable, Iterator

from sim.bumpers.game.match import Step
from sim.bumpers.game.state import Event, GameState, Happening, Phase, Table
from sim.bumpers.mats import Kind
from sim.bumpers.position_notation import position_text

_MATTERS = {
    Happening.SCORED,
    Happening.RETURNED,
    Happening.STOPPED,
    Happening.REVERSED,
    Happening.RULE,
    Happening.MATS_BACK,
    Happening.WON,
    Happening.DRAWN_GAME,
}
_WORDS = {
    Happening.SHUFFLED: "{what} cards are shuffled",
    Happening.PLACED: "{who} puts {what}",
    Happening.TURN: "turn {what}: {who}",
    Happening.DREW: "{who} draws {what}",
    Happening.MOVED: "{who} moves {what}",
    Happening.SCORED: "{what} scores",
    Happening.PLAYED: "{who} plays {what}",
    Happening.RESOLVED: "{what} of {who} takes effect",
    Happening.NAMED: "{who} names {what}",
    Happening.RETURNED: "{who} returns {what}",
    Happening.TOOK: "{who} takes {what} from the discards",
    Happening.KEPT: "{who} keeps {what}",
    Happening.STOPPED: "what {who} did last is stopped",
    Happening.REVERSED: "play goes the other way round",
    Happening.RULE: "the rule is now: {what}",
    Happening.MATS_BACK: "the mats of {who} go back to where they lay",
    Happening.DISCARDED: "{who} discards {what}",
    Happening.ENDED: "{who} does no more",
    Happening.WON: "{who} wins",
    Happening.DRAWN_GAME: "a draw after {what} actions",
}


def tell_event(table: Table, event: Event) -> str:
    """Return an event in a few words.

    Example:
        >>> from sim.bumpers.game import make_table
        >>> tell_event(make_table(2), Event(Happening.MOVED, 1, "c7N"))
        'orange moves c7N'
    """
    who = "" if event.player is None else table.name(event.player)
    return _WORDS[event.name].format(who=who, what=event.what)


def tell_game(table: Table, steps: Iterable[Step], *, verbose: bool = False) -> Iterator[str]:
    """Return a game's lines: a line for each turn in which something matters.

    What matters is scored and returned pucks, stops, changes of rules, and the end.

    Args:
        table: The set-up.
        steps: The steps.
        verbose: A line for every event.
    """
    turn: list[Event] = []
    for taken in steps:
        for event in taken.events:
            if verbose:
                yield ("" if event.name is Happening.TURN else "  ") + tell_event(table, event)
                continue
            if event.name is Happening.TURN:
                yield from _turn_line(table, turn)
                turn = []
            turn.append(event)
    if not verbose:
        yield from _turn_line(table, turn)


def tell_standing(state: GameState) -> Iterator[str]:
    """Return the lines of the standing: how it ended, pucks scored, the position."""
    table = state.table
    pucks = table.pieces_each[Kind.PUCK] * table.colours_each
    if state.winner is not None:
        yield f"{table.name(state.winner)} wins after {state.turns} turns, {state.actions} actions"
    elif state.phase is Phase.OVER:
        most = f"as many as there may be ({table.max_actions})"
        yield f"a draw after {state.turns} turns, {state.actions} actions: {most}"
    else:
        yield f"not over after {state.turns} turns, {state.actions} actions"
    for player in range(table.players):
        scored = sum(state.position.scored[colour] for colour in table.colours_of(player))
        yield f"  {table.name(player)}: {scored} of {pucks} pucks"
    yield position_text(state.position)


def _turn_line(table: Table, turn: list[Event]) -> Iterator[str]:
    """Return a line for a turn, if anything in it matters."""
    if any(event.name in _MATTERS for event in turn):
        first, *rest = turn
        who = "" if first.player is None else table.name(first.player)
        told = [tell_event(table, e) for e in rest if e.name in _MATTERS | {Happening.MOVED}]
        yield f"{tell_event(table, first)} {', '.join(t.removeprefix(f'{who} ') for t in told)}"
