"""``pucklab puzzle --play``: puzzles solved by a person, and the score kept."""

from itertools import islice
from pathlib import Path

import click

from pucklab.base.errors import InputError
from pucklab.cli.browsing import Pages
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.cli.terminal import play_match, type_answer
from pucklab.sim.bumpers.drawing import draw_position
from pucklab.sim.bumpers.puzzle_scores import (
    SCORES,
    PuzzleScores,
    enter_attempt,
    scores_path,
    scores_text,
)
from pucklab.sim.bumpers.puzzle_series import PuzzleSource, calendar_text, harder_source
from pucklab.sim.bumpers.puzzle_solving import PUZZLE, Attempt, puzzle_key, share_text, task_text
from pucklab.sim.core.game import Match

_HOW = "A move is a piece's square and a direction, such as c7N; ? lists the other words."


def play_puzzles(source: PuzzleSource, most: int | None, pages: Pages) -> int:
    """Let a person solve puzzles; return the exit code.

    Args:
        source: The puzzles.
        most: Number of puzzles; None for all.
        pages: Whether and how the page is served.
    """
    if pages.serves():
        from pucklab.render.browser.pages import open_puzzles  # NiceGUI takes a second

        pages.serve(open_puzzles(source, most))
        return 0
    path = scores_path()
    scores = PuzzleScores()
    try:
        scores = SCORES.read(path)
    except InputError as error:
        click.echo(f"note: {error}; this time nothing is counted", err=True)
    numbers = source.numbers(scores.solved_days)
    # New puzzles go on where the last time ended.
    if source.most is None and source.day is None and source.seed == 1:
        numbers = islice(numbers, scores.puzzles, None)
    numbers = islice(numbers, most)
    try:
        while (number := next(numbers, None)) is not None:
            study = source.study(number)
            if isinstance(study, str):
                click.echo(study, err=True)
                continue
            title, task = study.title, task_text(study.puzzle, has_length=False)
            click.echo(f"\n{title[:1].upper()}{title[1:]}. {task}")
            click.echo(draw_position(study.puzzle.position))
            click.echo(_HOW)
            match = Match(PUZZLE, study, [None])
            if play_match(match, None, verbose=True):
                return EXIT_STOPPED
            attempt = match.state
            scores, line = enter(path, attempt)
            click.echo(f"\n* * *  {'Without help!  ' if attempt.score == 1 else ''}{line}  * * *")
            click.echo(f"To share: {share_text(attempt, scores.days)}")
            if study.day is not None and source.day is not None:
                click.echo(f"The week: {calendar_text(source.day, scores.solved_days)}")
            while True:
                word = (type_answer("next, harder or quit") or "next").lower()
                if word in {"next", "n", "harder", "h"}:
                    break
                click.echo(f"{word!r} is not accepted; give next, harder or quit")
            if word[0] == "h":
                source = harder_source(study.puzzle, source.seed)
                numbers = islice(source.numbers(), scores.puzzles, None)
                click.echo(f"Now {source.level} puzzles.")
    except (KeyboardInterrupt, click.Abort):
        return EXIT_STOPPED
    return 0


def enter(path: Path, attempt: Attempt) -> tuple[PuzzleScores, str]:
    """Add a solved puzzle to the scores; return them with a line on them, or on what went wrong."""
    study = attempt.study
    puzzle = study.puzzle
    key, points = puzzle_key(puzzle.position, puzzle.goal, puzzle.hand), puzzle.rating.points
    try:
        scores = enter_attempt(path, key, points, attempt.score, study.day)
    except (InputError, OSError) as error:
        return PuzzleScores(), f"not counted: {error}"
    return scores, scores_text(scores)
