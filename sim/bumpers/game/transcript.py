"""Transcripts: a game in lines, with every event or only the important ones."""

from collections.abc import Iterable, Iterator, Sequence

from pucklab.sim.bumpers.game.state import Choice, Event, EventKind, GameConfig, GameState, Phase
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


def event_text(config: GameConfig, event: Event) -> str:
    """Return the description of an event in a few words.

    Example:
        >>> from pucklab.sim.bumpers.game import make_config
        >>> event_text(make_config(2), Event(EventKind.MOVED, 1, "c7N"))
        'orange moves c7N'
    """
    who = "" if event.player is None else config.name(event.player)
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
    config: GameConfig | None = None
    for step in steps:
        config = step.before.config
        for event in step.events:
            begins = event.kind is EventKind.TURN
            if verbose:  # each line at once: a person at the table reads along
                yield ("" if begins else "  ") + event_text(config, event)
            elif begins:
                yield from _turn_line(config, turn)
                turn = [event]
            else:
                turn.append(event)
    if config is not None:
        yield from _turn_line(config, turn)


def _turn_line(config: GameConfig, turn: Sequence[Event]) -> Iterator[str]:
    """Yield a line for a turn if it has an important event."""
    if not any(event.kind in _IMPORTANT for event in turn):
        return
    head = player = ""
    if turn[0].kind is EventKind.TURN and turn[0].player is not None:
        player = config.name(turn[0].player)
        head = f"turn {turn[0].detail}, {player}: "
    parts = [event_text(config, e) for e in turn if e.kind in _IMPORTANT | {EventKind.MOVED}]
    yield head + "; ".join(part.removeprefix(f"{player} ") for part in parts)


def result_lines(state: GameState) -> Iterator[str]:
    """Yield the lines of the result: winner, scored pucks, position."""
    config = state.config
    pucks = config.pieces_each[Kind.PUCK] * config.colours_each
    if state.winner is not None:
        yield f"{config.name(state.winner)} wins after {state.turns} turns, {state.actions} actions"
    elif state.phase is Phase.OVER:
        limit = f"the limit of {config.max_actions} is reached"
        yield f"a draw after {state.turns} turns, {state.actions} actions: {limit}"
    else:
        yield f"not over after {state.turns} turns, {state.actions} actions"
    for player in range(config.players):
        scored = sum(state.position.scored[colour] for colour in config.colours_of(player))
        yield f"  {config.name(player)}: {scored} of {pucks} pucks"
    yield position_text(state.position)
