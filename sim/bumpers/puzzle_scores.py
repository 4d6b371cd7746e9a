"""The score of a person who solves puzzles: rating, streaks, and the puzzles already counted.

It is one JSON file in the user's data folder (`scores_path`), to which `enter_attempt` adds.
Puzzles and people are rated on one scale, as chess players are (Elo 1978): people solve half of the
puzzles with their own rating. A puzzle counts once.
"""

import zlib
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.sim.core.kept import Kept

_KEPT, _KEPT_DAYS = 2000, 60
"""Puzzles that are remembered as counted, and days as solved."""

_SCALE, _STEP, _FIRST_STEP, _NEW = 400.0, 24.0, 60.0, 15
"""Elo's scale, greatest change of a rating, the one of newcomers, and puzzles of a newcomer."""


@fact
class PuzzleScores:
    """Scores of a person, kept between puzzles."""

    rating: float = limits(-5000, 10_000, default=1000.0)
    puzzles: int = limits(0, 10**9, default=0)  # counted
    streak: int = limits(0, 10**9, default=0)  # puzzles in a row solved without help
    best_streak: int = limits(0, 10**9, default=0)
    days: int = limits(0, 10**9, default=0)  # days in a row with the puzzle of the day solved
    last_day: str = limits(0, 10, default="")  # the last of them
    solved_days: tuple[str, ...] = ()  # the last days whose puzzle is solved
    counted: tuple[str, ...] = ()  # checksums of the last puzzles


SCORES = Kept(
    game="bumpers puzzle scores",
    key="scores",
    what="scores",
    kind=PuzzleScores,
    first=PuzzleScores(),
)
"""The file of the scores; without one they are those of a newcomer."""


def scores_path() -> Path:
    """Return the file of the user's scores."""
    from platformdirs import user_data_path  # rarely needed

    return user_data_path("pucklab", appauthor=False) / "puzzles.json"


def enter_attempt(
    path: Path, key: str, points: float, score: float, day: date | None = None
) -> PuzzleScores:
    """Add a finished puzzle to the scores, to which other windows may add meanwhile.

    Args:
        path: The file.
        key: Position and goal of the puzzle.
        points: Its difficulty on the scale of ratings; see `Rating`.
        score: The result, 0 to 1; see `after_attempt`.
        day: Its day, if it is the puzzle of a day.

    Returns:
        The scores after it.

    Raises:
        InputError: The file cannot be read; it stays as it is.
        OSError: It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return SCORES.change(path, lambda scores: after_attempt(scores, key, points, score, day))


def after_attempt(
    scores: PuzzleScores, key: str, points: float, score: float, day: date | None = None
) -> PuzzleScores:
    """Return the scores after a puzzle with a result from 0 (told) to 1 (solved without help).

    Example:
        >>> scores = after_attempt(PuzzleScores(), "a", points=1000, score=1.0)
        >>> round(scores.rating), scores.streak
        (1030, 1)
        >>> after_attempt(scores, "a", points=1000, score=1.0) == scores
        True
    """
    if day is not None and score > 0 and day.isoformat() not in scores.solved_days:
        solved = (*scores.solved_days[1 - _KEPT_DAYS :], day.isoformat())
        scores = replace(scores, solved_days=solved)
        if day.isoformat() > scores.last_day:  # an earlier day leaves the days in a row alone
            goes_on = scores.last_day == (day - timedelta(days=1)).isoformat()
            days = scores.days + 1 if goes_on else 1
            scores = replace(scores, days=days, last_day=day.isoformat())
    mark = f"{zlib.crc32(key.encode()):08x}"
    if mark in scores.counted:
        return scores
    step = _FIRST_STEP if scores.puzzles < _NEW else _STEP
    expected = 1 / (1 + 10 ** ((points - scores.rating) / _SCALE))
    streak = scores.streak + 1 if score == 1 else 0
    return replace(
        scores,
        rating=round(scores.rating + step * (score - expected), 1),
        puzzles=scores.puzzles + 1,
        streak=streak,
        best_streak=max(streak, scores.best_streak),
        counted=(*scores.counted[1 - _KEPT :], mark),
    )


def scores_text(scores: PuzzleScores) -> str:
    """Return the scores in a line.

    Example:
        >>> scores_text(PuzzleScores(streak=2, best_streak=5, days=3))
        'rating 1000, 2 in a row (best 5), 3 days in a row'
    """
    days = f", {scores.days} day{'' if scores.days == 1 else 's'} in a row" if scores.days else ""
    return f"rating {scores.rating:.0f}, {scores.streak} in a row (best {scores.best_streak}){days}"
