"""Puzzles as people solve them: right and wrong moves, hints, packs, scores."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

import pytest

from pucklab.sim.bumpers import legal_moves, parse_move, parse_position, play
from pucklab.sim.bumpers.puzzle_rating import goal_after
from pucklab.sim.bumpers.puzzle_scores import (
    SCORES,
    PuzzleScores,
    after_attempt,
    enter_attempt,
)
from pucklab.sim.bumpers.puzzle_series import (
    PuzzleSource,
    calendar_text,
    harder_source,
    source_of_pack,
    source_of_position,
)
from pucklab.sim.bumpers.puzzle_solving import (
    Attempt,
    actions_needed,
    ask_hint,
    describe_exploring,
    describe_need,
    explore,
    hint_text,
    puzzle_at,
    share_text,
    study_of,
    task_text,
    try_move,
    undo,
    verdict_text,
)
from pucklab.sim.bumpers.puzzles import PuzzleSpec
from pucklab.sim.bumpers.solver import Goal, Limits, Question, solve
from pucklab.sim.bumpers.solver.goals import read_goal
from tests.refusals import refused
from tests.tables import cases, toml

POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
LINE = "b7N b12W a12S a11E"


def study_at(line=POSITION, goal="1"):
    position = parse_position(line)
    return study_of(puzzle_at(position, read_goal(position, goal)))


def attempt_after(*texts, study=None):
    """Return an attempt after moves, and whether each was right."""
    attempt, told = Attempt(study=study or study_at()), []
    for text in texts:
        attempt, right = try_move(attempt, parse_move(attempt.node.position, text))
        told.append(right)
    return attempt, told


@cases(
    "goal actions",
    """
    "1" => 3
    "2" => 4
    "puck" => 3
    "to" => 3
    "all" => 2
    """,
    toml,
)
def test_a_move_is_right_if_the_solver_needs_one_action_less_after_it(goal, actions):
    study = PuzzleSource(spec=PuzzleSpec(actions=actions, goal=goal), seed=3).study(0)
    for node in study.nodes:
        right = dict(node.right)
        for move in legal_moves(node.position) if node.left else ():
            after, change = play(node.position, move)
            rest = goal_after(node.goal, node.position, after, change)
            if node.left == 1:
                is_shortest = rest is None
            else:
                limits = Limits(max_actions=node.left - 1)
                is_shortest = rest is None or bool(solve(Question(after, rest, limits)).line)
            assert (move in right) is is_shortest
            if move in right:
                reached = study.nodes[right[move]]
                assert (reached.position, reached.goal) == (after, rest)
                assert reached.left == node.left - 1


def test_a_wrong_move_counts_and_is_not_made():
    attempt, told = attempt_after("b7E")
    assert (told, attempt.wrong, attempt.node.left, attempt.score) == ([False], 1, 4, 0.5)
    assert verdict_text(attempt, "b7E", right=False) == (
        "b7E leads away: from there it still takes 4. Try another."
    )


def test_moves_are_explored_freely_and_taken_back_one_by_one():
    start, told = attempt_after("b7N")[0], []
    attempt = start
    for text in ("b12S", "b5N"):
        attempt = explore(attempt, parse_move(attempt.place[0], text))
        told.append(describe_exploring(attempt))
    assert told == [
        "After 2 actions it still takes 3; the shortest was 2.",
        "After 3 actions it still takes 3; the shortest was 1.",
    ]
    assert (attempt.wrong, attempt.score) == (0, 1.0)
    assert undo(undo(attempt)) == start
    assert undo(undo(undo(start))) == Attempt(study=start.study)


def test_a_goal_reached_by_exploring_is_told_with_its_length():
    attempt = Attempt(study=study_at())
    for text in ("b7N", "b12S", "b5N", *LINE.split()[1:]):
        attempt = explore(attempt, parse_move(attempt.place[0], text))
    assert describe_exploring(attempt) == "The goal is reached in 6 actions; the shortest is 4."
    assert not attempt.is_solved


def test_a_goal_out_of_reach_is_told():
    position = parse_position("pb1:X1:RPa2.BPb1:-:R:mats=X1/../..:-")
    assert actions_needed(position, Goal()) == -1
    assert describe_need(position, Goal()) == "the goal is out of reach"


def test_a_result_is_shared_in_a_line_with_the_command_that_opens_the_puzzle():
    attempt, _ = attempt_after("b7E", *LINE.split())
    text = share_text(attempt, days=3)
    assert text == (
        f"Puck Bumpers, {attempt.study.title}: solved in 4 actions with 1 wrong move. "
        f"pucklab puzzle {POSITION[:-1]}a189 --goal 1 --play"
    )
    of_day = replace(attempt.study, day=date(2026, 11, 23))
    text = share_text(replace(attempt, study=of_day), days=3)
    assert text.endswith("1 wrong move, 3 days in a row. pucklab puzzle --day 2026-11-23 --play")


def test_a_shared_position_is_the_same_puzzle():
    source = source_of_position(parse_position(POSITION), ["1"])
    assert source.study(0).nodes == study_at().nodes
    refused(source_of_position, parse_position(POSITION), "stop:B:1", said="^goal: ")


def test_a_solution_without_help_scores_one():
    attempt, told = attempt_after(*LINE.split())
    assert told == [True] * 4
    assert (attempt.is_solved, attempt.score) == (True, 1.0)
    assert verdict_text(attempt, "a11E*", right=True) == "a11E* solves it without help!"


def test_hints_name_the_length_then_the_piece_its_move_and_the_solution():
    attempt, _ = attempt_after("b7N")
    told = []
    for _ in range(5):
        attempt = ask_hint(attempt)
        told.append((hint_text(attempt), attempt.hints, attempt.score))
    rest = "The solution is b12W a12S a11E*."
    assert told == [
        ("It takes 3 actions.", 1, 0.5),
        ("Look at the red puck on b12.", 2, 0.5),
        ("Begin with b12W.", 3, 0.5),
        (rest, 4, 0.0),
        (rest, 4, 0.0),
    ]
    after, _ = try_move(attempt, parse_move(attempt.node.position, "b12W"))
    assert hint_text(after) == ""


@cases(
    "goal said",
    """
    1 => bring a red puck into a goal in 4 actions.
    puck:b7 => bring the red puck on b7 into a goal in 4 actions.
    to:c7:R => bring a red piece to c7 in
    to:c7 => bring any piece to c7 in 1 action.
    """,
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
        PuzzleSource(day=day).study(0) for day in (monday, monday, monday + timedelta(1))
    )
    assert first == again
    assert first.puzzle.position != next_day.puzzle.position
    assert (first.actions, first.puzzle.rating.solutions) == (3, 1)
    assert first.title.startswith("puzzle of Monday, 2026-11-23, easy (")


def test_after_the_puzzle_of_a_day_come_those_of_the_week_before_and_then_others_without_end():
    source = PuzzleSource(day=date(2026, 11, 23))
    first = list(islice(source.numbers(["2026-11-22", "2026-11-20"]), 7))
    assert first == [0, 2, 4, 5, 6, 7, 8]
    days = [source.day_of(number) for number in first]
    assert [day and day.day for day in days] == [23, 21, 19, 18, 17, None, None]
    assert source.puzzle(2) == PuzzleSource(day=date(2026, 11, 21)).puzzle(0)
    beyond = source.study(8)
    assert (beyond.day, beyond.title.split(",")[0]) == (None, "puzzle 2")
    assert source.puzzle(7) != beyond.puzzle


def test_the_puzzle_of_a_solved_day_is_shown_again_if_asked_for():
    numbers = PuzzleSource(day=date(2026, 11, 23)).numbers(["2026-11-23"])
    assert next(numbers) == 0


def test_the_calendar_marks_the_solved_days_of_the_week():
    text = calendar_text(date(2026, 11, 23), ["2026-11-23", "2026-11-17", "2026-11-16"])
    assert text == "Tue solved  Wed -  Thu -  Fri -  Sat -  Sun -  Mon solved"
    assert calendar_text(date.min, []).split()[0] == f"{date.min:%a}"


@cases(
    "of then",
    """
    easy => medium
    hard => expert
    expert => expert
    """,
)
def test_harder_puzzles_are_those_of_the_level_above_to_the_last(of, then):
    source = harder_source(PuzzleSource(level=of, seed=11).puzzle(0), 3)
    assert (source.level, source.seed) == (then, 3)


def test_puzzles_for_children_have_two_actions_and_few_pieces_on_a_small_board():
    source = PuzzleSource(level="children", seed=1)
    puzzles = [source.puzzle(number) for number in range(2)]
    assert len({puzzle.position for puzzle in puzzles}) == 2
    for puzzle in puzzles:
        assert len(puzzle.line) == 2
        assert len(puzzle.position.pieces) <= 4
        assert len(puzzle.position.layout.places) <= 4


def test_a_pack_names_its_position_that_is_no_puzzle(write):
    path = write("mine.csv", f"position\n{POSITION}\npb1:X1:RPa2.BPb1:-:R:mats=X1/../..:-\n")
    refused(source_of_pack(path).puzzle, 1, said="^pack: mine 2: it has no solution")


def test_a_pack_is_read_with_its_goals(write):
    path = write("mine.csv", f"position,goal\n{POSITION},\n{POSITION},to:c7\n")
    source = source_of_pack(path)
    studies = [source.study(number) for number in range(source.most)]
    titles = [("mine 1", 4), ("mine 2", 1)]
    assert [(study.title.split(",")[0], study.actions) for study in studies] == titles
    rating = studies[0].puzzle.rating
    assert studies[0].title.endswith(f", {rating.difficulty} ({rating.points})")


@cases(
    "text said",
    r"""
    "position\n" => has no rows
    "moves\nc7N\n" => row 1, column position: missing
    "position,goal\npb1:small:RPb7.RMe7.BPd7:-:R:-,7\n" => row 2, column goal: '7' is not accepted
    "position,goal\npb1:small:RPb7.BPf7:-:R:-,stop:B\n" => puzzle 1 has a colour to stop
    "position,cards\npb1:small:RPb7.RMe7.BPd7:-:R:-,swap\n" => puzzle 1 has ... than one twist
    """,
    toml,
)
def test_a_pack_that_is_none_is_refused(text, said, write):
    path = write("pack.csv", text)
    refused(source_of_pack, path, said=f"^pack: ... {said}")


# Scores.


def test_what_a_person_gains_at_even_chances_is_half_of_the_step():
    scores = replace(PuzzleScores(), rating=1200.0, puzzles=100)
    gained = [after_attempt(scores, "a", 1200, score).rating for score in (0.0, 0.5, 1.0)]
    assert [rating - scores.rating for rating in gained] == [-12.0, 0.0, 12.0]
    harder = after_attempt(scores, "a", 1900, 1.0).rating
    assert 23 < harder - scores.rating < 24


def test_a_streak_goes_on_without_help_and_ends_with_it():
    scores, streaks = PuzzleScores(), []
    for number, score in enumerate((1.0, 1.0, 0.5, 1.0)):
        scores = after_attempt(scores, str(number), 1060, score)
        streaks.append((scores.streak, scores.best_streak))
    assert streaks == [(1, 1), (2, 2), (0, 2), (1, 2)]


def test_days_in_a_row_are_those_with_the_puzzle_of_the_day():
    scores, days = PuzzleScores(), []
    for number, day in enumerate((1, 1, 2, 3, 5)):
        scores = after_attempt(scores, str(number), 1060, 1.0, date(2026, 11, day))
        days.append(scores.days)
    assert days == [1, 1, 2, 3, 1]


def test_a_day_solved_later_is_marked_and_leaves_the_days_in_a_row():
    scores = PuzzleScores()
    for number, day in enumerate((22, 23, 20)):
        scores = after_attempt(scores, str(number), 1060, 1.0, date(2026, 11, day))
    assert (scores.days, scores.last_day) == (2, "2026-11-23")
    assert scores.solved_days == ("2026-11-22", "2026-11-23", "2026-11-20")


def test_scores_entered_at_the_same_time_are_all_kept(tmp_path):
    path = tmp_path / "data" / "puzzles.json"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: enter_attempt(path, str(number), 1060, 1.0), range(12)))
    scores = SCORES.read(path)
    assert (scores.puzzles, scores.streak, len(scores.counted)) == (12, 12, 12)


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"schema": 2, "game": "bumpers puzzle scores", "version": "9"}']
)
def test_a_damaged_file_of_scores_stays_as_it_is(damage, write):
    path = write("puzzles.json", damage)
    refused(enter_attempt, path, "a", 8.0, 1.0, said="^scores: ")
    assert path.read_text() == damage


def test_a_puzzle_that_was_counted_changes_nothing(tmp_path):
    path = tmp_path / "puzzles.json"
    enter_attempt(path, "a", 8.0, 0.0)
    before = path.read_bytes()
    enter_attempt(path, "a", 8.0, 1.0)
    assert path.read_bytes() == before
    assert json.loads(before)["scores"]["puzzles"] == 1
