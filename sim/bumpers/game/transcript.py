"""A game told in lines: every step, or what matters of each turn."""

from collections.abc import Iterable, Iterator, Sequence

from sim.bumpers.game.match import Step
from sim.bumpers.game.state import Event, EventKind, GameState, Phase, Table
from sim.bumpers.mats import Kind
from sim.bumpers.position_notation import position_text
from sim.core.play import events_by_turn

_MATTERS = {
    EventKind.SCORED,
    EventKind.RETURNED,
    EventKind.STOPPED,
    EventKind.REVERSED,
    EventKind.RULE,
    EventKind.MATS_BACK,
    EventKind.WON,
    EventKind.DRAWN_GAME,
}
_WORDS = {
    EventKind.SHUFFLED: "{what} cards are shuffled",
    EventKind.PLACED: "{who} puts {what}",
    EventKind.TURN: "turn {what}: {who}",
    EventKind.DREW: "{who} draws {what}",
    EventKind.MOVED: "{who} moves {what}",
    EventKind.SCORED: "{what} scores",
    EventKind.PLAYED: "{who} plays {what}",
    EventKind.RESOLVED: "{what} of {who} takes effect",
    EventKind.NAMED: "{who} names {what}",
    EventKind.RETURNED: "{who} returns {what}",
    EventKind.TOOK: "{who} takes {what} from the discards",
    EventKind.KEPT: "{who} keeps {what}",
    EventKind.STOPPED: "what {who} did last is stopped",
    EventKind.REVERSED: "play goes the other way round",
    EventKind.RULE: "the rule is now: {what}",
    EventKind.MATS_BACK: "the mats of {who} go back to where they lay",
    EventKind.DISCARDED: "{who} discards {what}",
    EventKind.ENDED: "{who} does no more",
    EventKind.WON: "{who} wins",
    EventKind.DRAWN_GAME: "a draw after {what} actions",
}


def event_text(table: Table, event: Event) -> str:
    """Return an event in a few words.

    Example:
        >>> from sim.bumpers.game import make_table
        >>> event_text(make_table(2), Event(EventKind.MOVED, 1, "c7N"))
        'orange moves c7N'
    """
    who = "" if event.player is None else table.name(event.player)
    return _WORDS[event.name].format(who=who, what=event.what)


def game_transcript(table: Table, steps: Iterable[Step], *, verbose: bool = False) -> Iterator[str]:
    """Return a game's lines: a line for each turn in which something matters.

    What matters is scored and returned pucks, stops, changes of rules, and the end.

    Args:
        table: The set-up.
        steps: The steps.
        verbose: A line for every event.
    """
    events = (event for step in steps for event in step.events)
    if verbose:  # each line at once: a person at the table reads along
        for event in events:
            yield ("" if _begins_turn(event) else "  ") + event_text(table, event)
    else:
        for turn in events_by_turn(events, _begins_turn):
            yield from _turn_line(table, turn)


def _begins_turn(event: Event) -> bool:
    return event.name is EventKind.TURN


def result_lines(state: GameState) -> Iterator[str]:
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


def _turn_line(table: Table, turn: Sequence[Event]) -> Iterator[str]:
    """Return a line for a turn, if anything in it matters."""
    if any(event.name in _MATTERS for event in turn):
        first, *rest = turn
        who = "" if first.player is None else table.name(first.player)
        told = [event_text(table, e) for e in rest if e.name in _MATTERS | {EventKind.MOVED}]
        yield f"{event_text(table, first)} {', '.join(t.removeprefix(f'{who} ') for t in told)}"
