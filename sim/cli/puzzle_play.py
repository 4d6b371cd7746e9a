"""``pucklab puzzle --play``: puzzles solved in a window or at the terminal, and the score kept."""

from collections.abc import Iterator
from pathlib import Path

import click

from physics.errors import InputError
from sim.bumpers import legal_moves, move_text, parse_move
from sim.bumpers.drawing import draw_position
from sim.bumpers.puzzle_scores import enter_attempt, read_scores, scores_path, scores_text
from sim.bumpers.puzzle_series import PuzzleSource
from sim.bumpers.puzzle_solving import (
    Attempt,
    Study,
    hint_text,
    hinted,
    puzzle_key,
    task_text,
    tried,
    verdict_text,
)
from sim.cli.display import plays_in_window
from sim.cli.signals import EXIT_STOPPED

_ASIDES = "(or hint, board, moves, quit)"
_LEAVING = ("quit", "q")


def play_puzzles(source: PuzzleSource, most: int | None, *, is_text: bool) -> int:
    """Let a person solve puzzles; return the exit code.

    Args:
        source: The puzzles.
        most: Number of puzzles; None for all.
        is_text: True to stay in the terminal even if there is a display.
    """
    path = scores_path()
    numbers = iter(range(min(most or 10**9, source.most or 10**9)))
    try:
        known = read_scores(path)
    except InputError as error:
        click.echo(f"note: {error}; this time nothing is counted", err=True)
    else:
        # New puzzles go on where the last time ended.
        if source.most is None and source.seed == 1:
            numbers = (known.puzzles + number for number in numbers)
    if is_text or not plays_in_window():
        return _at_terminal(source, numbers, path)
    from render.boardwindow import PuzzleView
    from render.viewer import show

    view = PuzzleView(source, numbers, lambda attempt: enter(path, source, attempt))
    try:
        show(view)
    finally:
        view.close()
    return 0


def enter(path: Path, source: PuzzleSource, attempt: Attempt) -> str:
    """Add a solved puzzle to the scores; return them in a line, or why they could not be kept."""
    puzzle = attempt.study.puzzle
    key, bits = puzzle_key(puzzle.position, puzzle.goal), puzzle.rating.difficulty_bits
    try:
        return scores_text(enter_attempt(path, key, bits, attempt.score, source.day))
    except (InputError, OSError) as error:
        return f"not counted: {error}"


def _at_terminal(source: PuzzleSource, numbers: Iterator[int], path: Path) -> int:
    try:
        for number in numbers:
            study = source.study(number)
            if study is None:
                click.echo(f"{source.title(number)}: none was found", err=True)
                continue
            attempt = _solved(study)
            click.echo(enter(path, source, attempt))
    except (KeyboardInterrupt, click.Abort):
        return EXIT_STOPPED
    return 0


def _solved(study: Study) -> Attempt:
    """Let a person solve a puzzle to its end."""
    attempt = Attempt(study=study)
    click.echo(f"\n{study.title}. {task_text(study.puzzle)}")
    click.echo(draw_position(study.puzzle.position))
    click.echo("A move is a piece's square and a direction, such as c7N.")
    while not attempt.is_solved:
        position = attempt.node.position
        text = click.prompt(f"move {_ASIDES}", prompt_suffix=" > ").strip()
        if text.lower() in _LEAVING:
            raise KeyboardInterrupt
        if text in {"hint", "h", "?"}:
            attempt = hinted(attempt)
            click.echo(hint_text(attempt))
        elif text == "board":
            click.echo(draw_position(position))
        elif text == "moves":
            click.echo(" ".join(move_text(position, move) for move in legal_moves(position)))
        else:
            try:
                move = parse_move(position, text)
            except InputError as error:
                click.echo(str(error))
                continue
            attempt, right = tried(attempt, move)
            click.echo(verdict_text(attempt, move_text(position, move), right=right))
            if right and not attempt.is_solved:
                click.echo(draw_position(attempt.node.position))
    return attempt
