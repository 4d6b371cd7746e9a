"""Puzzles: positions of a wanted length, made at random, solved and rated.

Example:
    >>> puzzle = make_puzzle(PuzzleSpec(actions=2, unique=True), seed=1, index=0)
    >>> len(puzzle.line), puzzle.rating.solutions
    (2, 1)
"""

from sim.bumpers.puzzles.making import make_puzzle, make_puzzles
from sim.bumpers.puzzles.puzzle import Puzzle, PuzzleSpec
from sim.bumpers.puzzles.puzzlefile import puzzles_csv, puzzles_json
from sim.bumpers.puzzles.rating import Rating, rate

__all__ = [
    "Puzzle",
    "PuzzleSpec",
    "Rating",
    "make_puzzle",
    "make_puzzles",
    "puzzles_csv",
    "puzzles_json",
    "rate",
]
