"""Themes of puzzles: really in every shortest solution, by another look at the moves."""

from datetime import date
from itertools import product

import pytest

from pucklab.sim.bumpers import Kind, PieceMove, board_of, play
from pucklab.sim.bumpers.board import beside
from pucklab.sim.bumpers.puzzle_series import THEMES_FROM, PuzzleSource, daily_spec
from pucklab.sim.bumpers.puzzle_solving import Attempt, share_text, study_of, theme_text
from pucklab.sim.bumpers.puzzle_themes import THEMES, themes_of
from pucklab.sim.bumpers.puzzles import PuzzleSpec, make_puzzle
from pucklab.sim.bumpers.solver import Question, solve
from pucklab.sim.bumpers.solver.question import MOST_LINES
from tests.make_bumpers_solver import plain_search
from tests.refusals import refused
from tests.slowness import slow


def actions_of(start, line):
    """Yield each move of a line with the kind of piece that set out, its position and change."""
    for move in line:
        kind = start.piece_on(move.space).kind if isinstance(move, PieceMove) else None
        after, change = play(start, move)
        yield kind, move, start, after, change.movements
        start = after


def has_theme(theme, start, line):
    """Return whether a line has a theme; written without `puzzle_themes`."""
    moved = []  # where own pucks that have moved stand
    for kind, move, before, after, movements in actions_of(start, line):
        slid = len(movements) - (kind is Kind.MEEPLE)
        scores = any(m.scored for m in movements)
        kinds = "".join(m.piece.kind.value for m in movements)
        stopped = False
        if kind is not None:
            board = board_of(before.layout)
            pucks = [m for m in movements if m.piece.kind is Kind.PUCK and not m.scored]
            ahead = [beside(board.squares[m.end], move.direction) for m in pucks[-1:]]
            stopped = any(board.spaces.get(square) in moved for square in ahead)
            stopped = stopped and all(
                board.spaces.get(s) not in {m.start for m in movements} for s in ahead
            )
        found = {
            "chain": slid > 1,
            "long-chain": slid > 2,
            "bump": kind is Kind.MEEPLE and scores,
            "ice": "IP" in kinds,
            "blocker": stopped,
            "mat": kind is None,
        }
        if found[theme]:
            return True
        moved = [space for space in moved if space not in {m.start for m in movements}]
        moved += [
            m.end for m in movements
            if m.piece.kind is Kind.PUCK and m.piece.colour is start.to_move and not m.scored
        ]  # fmt: skip
        assert set(moved) <= {space for space, _ in after.pieces}
    return False


def hits(start, line):
    """Return the actions of a line that set another piece in motion."""
    return sum(
        kind is not None and any(m.start != move.space for m in movements)
        for kind, move, *_, movements in actions_of(start, line)
    )


SOON = {"chain": 1, "long-chain": 1, "bump": 0, "ice": 0, "blocker": 1, "mat": 0}
"""The number of a puzzle of each theme that is soon made."""


@pytest.mark.parametrize("asked", [[*SOON.items()], slow([*product(THEMES, range(10))])])
def test_themes_are_in_every_shortest_solution_and_a_third_of_the_actions_hits(asked):
    made = mats = hit = actions = 0
    for theme, index in asked:
        spec = PuzzleSpec(actions=(3, 4)[index % 2], movers=2, unique=True, theme=theme)
        puzzle = make_puzzle(spec, 5, index)
        if isinstance(puzzle, str):
            continue
        question = Question(puzzle.position, puzzle.goal, hand=puzzle.hand, solutions=MOST_LINES)
        lines = solve(question).lines
        _, length, ways = plain_search(puzzle.position, puzzle.goal, 10**6, puzzle.hand.mats)
        assert (len(puzzle.line), len(lines)) == (length, ways)
        assert length == spec.actions
        assert all(has_theme(theme, puzzle.position, line) for line in lines)
        assert theme in themes_of(puzzle.position, lines)
        moves_mat = all(has_theme("mat", puzzle.position, line) for line in lines)
        assert moves_mat or not puzzle.hand.mats
        made, mats, actions = made + 1, mats + moves_mat, actions + length
        hit += min(hits(puzzle.position, line) for line in lines)
    assert made >= 0.9 * len(asked)
    assert hit >= 0.35 * actions
    assert mats >= 0.2 * made


def test_a_theme_is_told_after_the_puzzle_is_solved():
    study = study_of(make_puzzle(PuzzleSpec(actions=3, movers=2, unique=True, theme="bump"), 5, 1))
    assert "bump" not in study.title
    assert THEMES["bump"] in theme_text(study)
    assert THEMES["bump"] in share_text(Attempt(study=study), 0)


def test_weekdays_have_themes_from_a_day_on():
    assert THEMES_FROM.weekday() == 0
    week = [daily_spec(date(2026, 12, day)).theme for day in range(7, 14)]
    assert sorted(week) == sorted(["", *THEMES])
    assert week[-1] == ""
    assert not any(daily_spec(date(2026, 11, day)).theme for day in range(1, 31))
    assert PuzzleSource(day=date(2026, 12, 17)).study(0).puzzle.hand.mats


def test_an_unknown_theme_is_refused():
    refused(PuzzleSpec, theme="corner", said="theme: 'corner' is not accepted; give one of chain")
