"""``pucklab puzzle --play``: puzzles solved in a window or at the terminal, and the score kept."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from physics.errors import InputError
from sim.bumpers import legal_moves, move_text, parse_move
from sim.bumpers.drawing import draw_position
from sim.bumpers.puzzle_scores import (
    PuzzleScores,
    enter_attempt,
    read_scores,
    scores_path,
    scores_text,
)
from sim.bumpers.puzzle_series import PuzzleSource, calendar_text, harder_source
from sim.bumpers.puzzle_solving import (
    Attempt,
    Study,
    ask_hint,
    describe_exploring,
    explore,
    hint_text,
    puzzle_key,
    share_text,
    task_text,
    try_move,
    undo,
    verdict_text,
)
from sim.cli.display import plays_in_window
from sim.cli.signals import EXIT_STOPPED

_HELP = """\
  c7N      move the piece on square c7 to the north (N, E, S, W)
  hint     the piece to move; again: its move; again: the whole solution
  explore  move freely, without being judged; once more: back to the puzzle
  undo     take the last move back
  moves    list the legal moves
  board    draw the board again
  quit     leave"""


def play_puzzles(source: PuzzleSource, most: int | None, *, is_text: bool) -> int:
    """Let a person solve puzzles; return the exit code.

    Args:
        source: The puzzles.
        most: Number of puzzles; None for all.
        is_text: True to stay in the terminal even if there is a display.
    """
    path = scores_path()
    scores = PuzzleScores()
    try:
        scores = read_scores(path)
    except InputError as error:
        click.echo(f"note: {error}; this time nothing is counted", err=True)
    numbers = source.numbers(scores.solved_days)
    # New puzzles go on where the last time ended.
    if source.most is None and source.day is None and source.seed == 1:
        numbers = islice(numbers, scores.puzzles, None)
    numbers = islice(numbers, most)
    if is_text or not plays_in_window():
        return _play_at_terminal(source, numbers, path)
    from render.boardwindow import PuzzleView
    from render.viewer import show

    view = PuzzleView(source, numbers, lambda attempt: enter(path, attempt)[1])
    try:
        show(view)
    finally:
        view.close()
    return 0


def enter(path: Path, attempt: Attempt) -> tuple[PuzzleScores, str]:
    """Add a solved puzzle to the scores; return them, and in a line, or why they are not kept."""
    study = attempt.study
    key, points = puzzle_key(study.puzzle.position, study.puzzle.goal), study.puzzle.rating.points
    try:
        scores = enter_attempt(path, key, points, attempt.score, study.day)
    except (InputError, OSError) as error:
        return PuzzleScores(), f"not counted: {error}"
    return scores, scores_text(scores)


def _play_at_terminal(source: PuzzleSource, numbers: Iterator[int], path: Path) -> int:
    try:
        while (number := next(numbers, None)) is not None:
            study = source.study(number)
            if isinstance(study, str):
                click.echo(study, err=True)
                continue
            attempt = _solve_by_hand(study)
            scores, line = enter(path, attempt)
            click.echo(f"\n* * *  {'Without help!  ' if attempt.score == 1 else ''}{line}  * * *")
            click.echo(f"To share: {share_text(attempt, scores.days)}")
            if study.day is not None and source.day is not None:
                click.echo(f"The week: {calendar_text(source.day, scores.solved_days)}")
            if _ask_harder():
                source = harder_source(study.puzzle, source.seed)
                numbers = islice(source.numbers(), scores.puzzles, None)
                click.echo(f"Now {source.level} puzzles.")
    except (KeyboardInterrupt, click.Abort):
        return EXIT_STOPPED
    return 0


def _ask_harder() -> bool:
    """Ask what comes next: True for a harder puzzle.

    Raises:
        KeyboardInterrupt: The person leaves.
    """
    while True:
        words = click.prompt("next, harder or quit", default="next", prompt_suffix=" > ")
        word = words.strip().lower()
        if word in {"quit", "q"}:
            raise KeyboardInterrupt
        if word in {"next", "n", "harder", "h"}:
            return word[0] == "h"
        click.echo(f"{words!r} is not accepted; give next, harder or quit")


def _solve_by_hand(study: Study) -> Attempt:
    """Let a person solve a puzzle to its end."""
    attempt, explores = Attempt(study=study), False
    click.echo(f"\n{study.title[:1].upper()}{study.title[1:]}. {task_text(study.puzzle)}")
    click.echo(draw_position(study.puzzle.position))
    click.echo("A move is a piece's square and a direction, such as c7N; ? lists the other words.")
    while not attempt.is_solved:
        before, position = attempt, attempt.place[0]
        text = click.prompt("explore" if explores else "move", prompt_suffix=" > ").strip()
        match text.lower():
            case "quit" | "q":
                raise KeyboardInterrupt
            case "?" | "help":
                click.echo(_HELP)
            case "hint" | "h" if not explores:
                attempt = ask_hint(attempt)
                click.echo(hint_text(attempt))
            case "hint" | "h":
                click.echo("Hints are for the puzzle; 'explore' leads back to it.")
            case "explore" | "e":
                explores = not explores
                while attempt.explored:
                    attempt = undo(attempt)
                words = "Move freely; 'undo' takes a move back, 'explore' leads back to the puzzle."
                click.echo(words if explores else "Back to the puzzle.")
            case "undo" | "u":
                attempt = undo(attempt)
                if attempt == before:
                    click.echo("There is no move to take back.")
            case "board" | "b":
                click.echo(draw_position(position))
            case "moves" | "m":
                click.echo(" ".join(move_text(position, move) for move in legal_moves(position)))
            case _:
                try:
                    move = parse_move(position, text)
                except InputError as error:
                    click.echo(str(error))
                    continue
                if explores:
                    attempt = explore(attempt, move)
                    click.echo(describe_exploring(attempt))
                else:
                    attempt, right = try_move(attempt, move)
                    click.echo(verdict_text(attempt, move_text(position, move), right=right))
        if attempt.place != before.place and not attempt.is_solved:
            click.echo(draw_position(attempt.place[0]))
    return attempt
