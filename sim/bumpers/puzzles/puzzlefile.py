"""Puzzles as CSV or JSON; `pucklab solve --batch` reads such a CSV."""

import csv
import io
import json
from collections.abc import Sequence

from sim.bumpers.notation import position_text
from sim.bumpers.puzzles.puzzle import Puzzle
from sim.bumpers.solver.goaltext import goal_text
from sim.bumpers.solver.linesteps import line_text

_COLUMNS = (
    "seed",
    "index",
    "position",
    "goal",
    "actions",
    "solution",
    "solutions",
    "branching",
    "decoys",
    "movers",
    "difficulty_bits",
)


def puzzle_values(puzzle: Puzzle) -> dict[str, str | int | float]:
    """Return a puzzle's values by column."""
    rating = puzzle.rating
    values = (
        puzzle.seed,
        puzzle.index,
        position_text(puzzle.position),
        goal_text(puzzle.position, puzzle.goal),
        len(puzzle.line),
        line_text(puzzle.position, puzzle.line),
        rating.solutions,
        round(rating.branching, 3),
        rating.decoys,
        rating.movers,
        round(rating.difficulty_bits, 3),
    )
    return dict(zip(_COLUMNS, values, strict=True))


def puzzles_csv(puzzles: Sequence[Puzzle]) -> str:
    """Return the text of a CSV file with a row for each puzzle."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(puzzle_values(puzzle) for puzzle in puzzles)
    return text.getvalue()


def puzzles_json(puzzles: Sequence[Puzzle]) -> str:
    """Return the text of a JSON file: a list with an object for each puzzle."""
    return json.dumps([puzzle_values(puzzle) for puzzle in puzzles], indent=2) + "\n"
