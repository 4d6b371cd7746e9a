"""Transcripts: a game in lines, with every event or only the important ones."""

from collections.abc import Iterable, Iterator, Sequence

from sim.bumpers.game.match import Step
from sim.bumpers.game.state import Event, EventKind, GameState, Phase, Table
from sim.bumpers.mats import Kind
from sim.bumpers.position_notation import position_text
from sim.core.play import events_by_turn

_IMPORTANT = {
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
    EventKind.SHUFFLED: "{detail} cards are shuffled",
    EventKind.PLACED: "{who} puts {detail}",
    EventKind.TURN: "turn {detail}: {who}",
    EventKind.DREW: "{who} draws {detail}",
    EventKind.MOVED: "{who} moves {detail}",
    EventKind.SCORED: "{detail} scores",
    EventKind.PLAYED: "{who} plays {detail}",
    EventKind.RESOLVED: "{detail} of {who} takes effect",
    EventKind.NAMED: "{who} names {detail}",
    EventKind.RETURNED: "{who} returns {detail}",
    EventKind.TOOK: "{who} takes {detail} from the discards",
    EventKind.KEPT: "{who} keeps {detail}",
    EventKind.STOPPED: "the last action of {who} is stopped",
    EventKind.REVERSED: "play goes the other way round",
    EventKind.RULE: "the rule is now: {detail}",
    EventKind.MATS_BACK: "the mats moved by {who} go back",
    EventKind.DISCARDED: "{who} discards {detail}",
    EventKind.ENDED: "{who} passes",
    EventKind.WON: "{who} wins",
    EventKind.DRAWN_GAME: "a draw after {detail} actions",
}


def event_text(table: Table, event: Event) -> str:
    """Return the description of an event in a few words.

    Example:
        >>> from sim.bumpers.game import make_table
        >>> event_text(make_table(2), Event(EventKind.MOVED, 1, "c7N"))
        'orange moves c7N'
    """
    who = "" if event.player is None else table.name(event.player)
    return _WORDS[event.kind].format(who=who, detail=event.detail)


def game_transcript(table: Table, steps: Iterable[Step], *, verbose: bool = False) -> Iterator[str]:
    """Yield the lines of a transcript.

    There is a line for each turn with an important event: scored and returned pucks, stops,
    changes of rules, and the end.

    Args:
        table: The set-up.
        steps: The steps.
        verbose: Whether to yield a line for every event instead.
    """
    events = (event for step in steps for event in step.events)
    if verbose:  # each line at once: a person at the table reads along
        for event in events:
            yield ("" if _begins_turn(event) else "  ") + event_text(table, event)
    else:
        for turn in events_by_turn(events, _begins_turn):
            yield from _turn_line(table, turn)


def _begins_turn(event: Event) -> bool:
    """Return whether an event is the beginning of a turn."""
    return event.kind is EventKind.TURN


def _turn_line(table: Table, turn: Sequence[Event]) -> Iterator[str]:
    """Yield a line for a turn if it has an important event."""
    if any(event.kind in _IMPORTANT for event in turn):
        first, *rest = turn
        who = "" if first.player is None else table.name(first.player)
        parts = [event_text(table, e) for e in rest if e.kind in _IMPORTANT | {EventKind.MOVED}]
        yield f"{event_text(table, first)} {', '.join(t.removeprefix(f'{who} ') for t in parts)}"


def result_lines(state: GameState) -> Iterator[str]:
    """Yield the lines of the result: winner, scored pucks, position."""
    table = state.table
    pucks = table.pieces_each[Kind.PUCK] * table.colours_each
    if state.winner is not None:
        yield f"{table.name(state.winner)} wins after {state.turns} turns, {state.actions} actions"
    elif state.phase is Phase.OVER:
        limit = f"the limit of {table.max_actions} is reached"
        yield f"a draw after {state.turns} turns, {state.actions} actions: {limit}"
    else:
        yield f"not over after {state.turns} turns, {state.actions} actions"
    for player in range(table.players):
        scored = sum(state.position.scored[colour] for colour in table.colours_of(player))
        yield f"  {table.name(player)}: {scored} of {pucks} pucks"
    yield position_text(state.position)
