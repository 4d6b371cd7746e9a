"""Puzzles as people solve them: right and wrong moves, hints, packs, scores."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta

import pytest

from physics import InputError
from sim.bumpers import legal_moves, parse_move, parse_position, play
from sim.bumpers.puzzle_rating import goal_after
from sim.bumpers.puzzle_scores import (
    PuzzleScores,
    after_attempt,
    enter_attempt,
    puzzle_rating,
    read_scores,
)
from sim.bumpers.puzzle_series import (
    PuzzleSource,
    source_for_children,
    source_of_day,
    source_of_pack,
)
from sim.bumpers.puzzle_solving import (
    Attempt,
    hint_text,
    hinted,
    puzzle_at,
    study_of,
    task_text,
    tried,
    verdict_text,
)
from sim.bumpers.puzzles import PuzzleSpec
from sim.bumpers.solver import Goal, Limits, solve
from sim.bumpers.solver.goals import read_goal
from tests.refusals import refused

POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
LINE = "b7N b12W a12S a11E"


def study_at(line=POSITION, goal="1"):
    position = parse_position(line)
    return study_of(puzzle_at(position, read_goal(position, goal)))


def attempt_after(*texts, study=None):
    """Return an attempt after moves, and whether each was right."""
    attempt, told = Attempt(study=study or study_at()), []
    for text in texts:
        attempt, right = tried(attempt, parse_move(attempt.node.position, text))
        told.append(right)
    return attempt, told


@pytest.mark.parametrize(
    ("goal", "actions"), [("1", 3), ("2", 4), ("puck", 3), ("to", 3), ("all", 2)]
)
def test_a_move_is_right_if_the_solver_needs_one_action_less_after_it(goal, actions):
    study = PuzzleSource(spec=PuzzleSpec(actions=actions, goal=goal), seed=3).study(0)
    for node in study.nodes:
        right = dict(node.right)
        for move in legal_moves(node.position) if node.left else ():
            after, change = play(node.position, move)
            rest = goal_after(node.position, node.goal, after, change)
            if node.left == 1:
                is_shortest = rest is None
            else:
                limits = Limits(max_actions=node.left - 1)
                is_shortest = rest is None or bool(solve(after, rest, limits).line)
            assert (move in right) is is_shortest
            if move in right:
                reached = study.nodes[right[move]]
                assert (reached.position, reached.goal) == (after, rest)
                assert reached.left == node.left - 1


def test_a_wrong_move_counts_and_is_not_made():
    attempt, told = attempt_after("b7E", "b7N", "b12W")
    assert told == [False, True, True]
    assert (attempt.wrong, attempt.node.left, attempt.score) == (1, 2, 0.5)
    assert verdict_text(attempt, "b7E", right=False).startswith("b7E: wrong")


def test_a_solution_without_help_scores_one():
    attempt, told = attempt_after(*LINE.split())
    assert told == [True] * 4
    assert (attempt.is_solved, attempt.score) == (True, 1.0)
    assert verdict_text(attempt, "a11E*", right=True) == "a11E*: solved, without a wrong move"


def test_hints_name_the_piece_then_its_move_then_the_solution():
    attempt, _ = attempt_after("b7N")
    told = []
    for _ in range(4):
        attempt = hinted(attempt)
        told.append((hint_text(attempt), attempt.hints, attempt.score))
    rest = "the solution: b12W a12S a11E*"
    assert told == [
        ("look at the red puck on b12", 1, 0.5),
        ("begin with b12W", 2, 0.5),
        (rest, 3, 0.0),
        (rest, 3, 0.0),
    ]
    after, _ = tried(attempt, parse_move(attempt.node.position, "b12W"))
    assert hint_text(after) == ""


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("1", "bring a red puck into a goal in 4 actions."),
        ("puck:b7", "bring the puck on b7 into a goal in 4 actions."),
        ("to:c7:R", "bring a red piece to c7 in "),
        ("to:c7", "bring any piece to c7 in 1 action."),
    ],
)
def test_the_task_is_a_sentence(goal, said):
    position = parse_position(POSITION)
    puzzle = puzzle_at(position, read_goal(position, goal))
    assert task_text(puzzle).startswith(f"Red to move: {said}")


def test_a_position_without_a_solution_is_no_puzzle():
    alone = parse_position("pb1:X1:RPa2.BPb1:-:R:mats=X1/../..:-")
    refused(puzzle_at, alone, Goal(), said="it has no solution of up to 20 actions: pb1:")


def test_a_day_has_the_same_puzzle_for_everybody_and_another_one_the_next_day():
    monday = date(2026, 11, 23)
    first, again, next_day = (
        source_of_day(day).study(0) for day in (monday, monday, monday + timedelta(1))
    )
    assert first == again
    assert first.puzzle.position != next_day.puzzle.position
    assert (first.actions, first.puzzle.rating.solutions) == (3, 1)
    assert first.title == "puzzle of Monday, 2026-11-23, easy"


def test_puzzles_for_children_have_two_actions_and_few_pieces_on_a_small_board():
    source = source_for_children(seed=1)
    puzzles = [source.puzzle(number) for number in range(2)]
    assert len({puzzle.position for puzzle in puzzles}) == 2
    for puzzle in puzzles:
        assert len(puzzle.line) == 2
        assert len(puzzle.position.pieces) <= 4
        assert len(puzzle.position.layout.places) <= 4


def test_a_pack_names_its_position_that_is_no_puzzle(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"position\n{POSITION}\npb1:X1:RPa2.BPb1:-:R:mats=X1/../..:-\n")
    refused(source_of_pack(path).puzzle, 1, said="^pack: mine 2: it has no solution")


def test_a_pack_is_read_with_its_goals(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"position,goal\n{POSITION},\n{POSITION},to:c7\n")
    source = source_of_pack(path)
    studies = [source.study(number) for number in range(source.most)]
    titles = [("mine 1, easy", 4), ("mine 2, easy", 1)]
    assert [(study.title, study.actions) for study in studies] == titles


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("position\n", "has no rows"),
        ("moves\nc7N\n", "has no column named position"),
        (f"position,goal\n{POSITION},7\n", "line 2: goal: '7' is not accepted"),
        (
            "position,goal\npb1:small:RPb7.BPf7:-:R:-,stop:B\n",
            "puzzle 1 has a colour to stop, or cards",
        ),
        (f"position,cards\n{POSITION},twist\n", "puzzle 1 has a colour to stop, or cards"),
    ],
)
def test_a_pack_that_is_none_is_refused(text, said, tmp_path):
    path = tmp_path / "pack.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as refused:
        source_of_pack(path)
    assert str(refused.value).startswith("pack: ")


# Scores.


def test_what_a_person_gains_at_even_chances_is_half_of_the_step():
    scores = replace(PuzzleScores(), rating=puzzle_rating(10.0), puzzles=100)
    gained = [after_attempt(scores, "a", 10.0, score).rating for score in (0.0, 0.5, 1.0)]
    assert [rating - scores.rating for rating in gained] == [-12.0, 0.0, 12.0]
    harder = after_attempt(scores, "a", 20.0, 1.0).rating
    assert 23 < harder - scores.rating < 24


def test_a_streak_goes_on_without_help_and_ends_with_it():
    scores, streaks = PuzzleScores(), []
    for number, score in enumerate((1.0, 1.0, 0.5, 1.0)):
        scores = after_attempt(scores, str(number), 8.0, score)
        streaks.append((scores.streak, scores.best_streak))
    assert streaks == [(1, 1), (2, 2), (0, 2), (1, 2)]


def test_days_in_a_row_are_those_with_the_puzzle_of_the_day():
    scores, days = PuzzleScores(), []
    for number, day in enumerate((1, 1, 2, 3, 5)):
        scores = after_attempt(scores, str(number), 8.0, 1.0, date(2026, 11, day))
        days.append(scores.days)
    assert days == [1, 1, 2, 3, 1]


def test_scores_entered_at_the_same_time_are_all_kept(tmp_path):
    path = tmp_path / "data" / "puzzles.json"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: enter_attempt(path, str(number), 8.0, 1.0), range(12)))
    scores = read_scores(path)
    assert (scores.puzzles, scores.streak, len(scores.counted)) == (12, 12, 12)


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"schema": 2, "game": "bumpers puzzle scores", "version": "9"}']
)
def test_a_damaged_file_of_scores_stays_as_it_is(damage, tmp_path):
    path = tmp_path / "puzzles.json"
    path.write_text(damage)
    with pytest.raises(InputError, match=r"^scores: ") as refused:
        enter_attempt(path, "a", 8.0, 1.0)
    assert "\n" not in str(refused.value)
    assert path.read_text() == damage


def test_a_puzzle_that_was_counted_changes_nothing(tmp_path):
    path = tmp_path / "puzzles.json"
    enter_attempt(path, "a", 8.0, 0.0)
    before = path.read_bytes()
    enter_attempt(path, "a", 8.0, 1.0)
    assert path.read_bytes() == before
    assert json.loads(before)["scores"]["puzzles"] == 1
