"""Games as histories: what each step of one did to the board."""

from collections.abc import Iterable, Iterator

from render.boardwindow.history import Entry, History
from sim.bumpers import Movement, PieceMove, nudge, play
from sim.bumpers.game import (
    GameState,
    Go,
    Play,
    Put,
    Step,
    Table,
    choice_text,
    new_game,
    tell_event,
)


def history_of_game(table: Table, steps: Iterable[Step]) -> History:
    """Return a game as a history, at its beginning; steps that show nothing are left out.

    Example:
        >>> import numpy as np
        >>> from sim.bumpers.game import RandomPlayer, make_table, play_game
        >>> table = make_table(2, max_actions=3)
        >>> steps = list(play_game(table, [RandomPlayer()] * 2, np.random.default_rng(7)))
        >>> history_of_game(table, steps).entries[1].text
        'put RI h14'
    """
    first = Entry(position=new_game(table).position, words="the board before the game")
    return History(entries=(first, *_entries(steps)))


def entry_of(step: Step, words: str = "") -> Entry | None:
    """Return what a step of a game shows; None for one without anything to see.

    Args:
        step: The step.
        words: What happened in it, and since the step shown before it.
    """
    is_seen = isinstance(step.choice, Go | Put | Play)
    if not is_seen and step.before.position == step.after.position:
        return None
    layout = step.after.position.layout
    return Entry(
        position=step.after.position,
        text=choice_text(step.before, step.choice),
        words=words,
        movements=_movements(step),
        glides=isinstance(step.choice, Go) or step.before.position.layout != layout,
        turn=step.before.turns,
    )


def told(step: Step) -> str:
    """Return what happened in a step, in a line."""
    return ", ".join(tell_event(step.before.table, event) for event in step.events)


def joined(words: str, step: Step) -> str:
    """Return words with what happened in a step after them."""
    return ", ".join(part for part in (words, told(step)) if part)


def _entries(steps: Iterable[Step]) -> Iterator[Entry]:
    words = ""
    for step in steps:
        words = joined(words, step)
        entry = entry_of(step, words)
        if entry is not None:
            yield entry
            words = ""


def movements_in(state: GameState, move: PieceMove) -> tuple[Movement, ...]:
    """Return what a piece's move does where it can be chosen in a game."""
    if state.pending is not None:
        return nudge(state.position, move)[1].movements
    colours, before = state.movable, state.turn.before
    return play(state.position, move, colours=colours, before=before)[1].movements


def _movements(step: Step) -> tuple[Movement, ...]:
    """Return the pieces that a step moved."""
    if isinstance(step.choice, Go) and isinstance(step.choice.move, PieceMove):
        return movements_in(step.before, step.choice.move)
    return ()
