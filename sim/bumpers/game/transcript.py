"""Transcripts: a game in lines, with every event or only the important ones."""

from collections.abc import Iterable, Iterator, Sequence

from pucklab.sim.bumpers.game.state import Choice, Event, EventKind, GameState, Phase, Table
from pucklab.sim.bumpers.mats import Kind
from pucklab.sim.bumpers.position_notation import position_text
from pucklab.sim.core.game import Step

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
    EventKind.RULE: "new rule: {detail}",
    EventKind.MATS_BACK: "the mats moved by {who} go back",
    EventKind.DISCARDED: "{who} discards {detail}",
    EventKind.ENDED: "{who} passes",
    EventKind.WON: "{who} wins",
    EventKind.DRAWN_GAME: "a draw after {detail} actions",
}


def event_text(table: Table, event: Event) -> str:
    """Return the description of an event in a few words.

    Example:
        >>> from pucklab.sim.bumpers.game import make_table
        >>> event_text(make_table(2), Event(EventKind.MOVED, 1, "c7N"))
        'orange moves c7N'
    """
    who = "" if event.player is None else table.name(event.player)
    return _WORDS[event.kind].format(who=who, detail=event.detail)


def game_transcript(
    steps: Iterable[Step[GameState, Choice, Event]], *, verbose: bool = False
) -> Iterator[str]:
    """Yield the lines of a transcript.

    There is a line for each turn with an important event: scored and returned pucks, stops,
    changes of rules, and the end.

    Args:
        steps: The steps.
        verbose: Whether to yield a line for every event instead.
    """
    turn: list[Event] = []
    table: Table | None = None
    for step in steps:
        table = step.before.table
        for event in step.events:
            begins = event.kind is EventKind.TURN
            if verbose:  # each line at once: a person at the table reads along
                yield ("" if begins else "  ") + event_text(table, event)
            elif begins:
                yield from _turn_line(table, turn)
                turn = [event]
            else:
                turn.append(event)
    if table is not None:
        yield from _turn_line(table, turn)


def _turn_line(table: Table, turn: Sequence[Event]) -> Iterator[str]:
    """Yield a line for a turn if it has an important event."""
    if not any(event.kind in _IMPORTANT for event in turn):
        return
    head = player = ""
    if turn[0].kind is EventKind.TURN and turn[0].player is not None:
        player = table.name(turn[0].player)
        head = f"turn {turn[0].detail}, {player}: "
    parts = [event_text(table, e) for e in turn if e.kind in _IMPORTANT | {EventKind.MOVED}]
    yield head + "; ".join(part.removeprefix(f"{player} ") for part in parts)


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
