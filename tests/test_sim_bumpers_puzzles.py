"""Puzzles: of the wanted length, with as many solutions as they say, the same every time."""

import math
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from pucklab.physics import InputError
from pucklab.sim.bumpers import (
    Setup,
    apply,
    legal_moves,
    parse_move,
    parse_position,
    play,
    setup_named,
)
from pucklab.sim.bumpers.puzzle_rating import DIFFICULTIES, goal_after, rate, ways_of
from pucklab.sim.bumpers.puzzle_series import (
    PUZZLES,
    PuzzleSource,
    puzzle_cases,
)
from pucklab.sim.bumpers.puzzles import GOALS, PuzzleSpec, make_puzzle
from pucklab.sim.bumpers.solver import Limits, Question, solve
from pucklab.sim.bumpers.solver.goals import read_goal
from pucklab.sim.bumpers.solver.question import MOST_LINES
from pucklab.sim.experiments import run_to_end
from tests.bumpersboards import GOAL_9, position
from tests.refusals import refused
from tests.slowness import slow
from tests.tables import cases, toml


def made(spec, *, seed=1, index=0):
    puzzle = make_puzzle(spec, seed, index)
    assert not isinstance(puzzle, str)
    return puzzle


def rating_of(pieces, goal="1"):
    start = position(pieces, mat=GOAL_9)
    wanted = read_goal(start, goal)
    return rate(start, wanted, solve(Question(start, wanted, solutions=MOST_LINES)).lines)


# What is made.


def idle_pieces(puzzle):
    """Return the pieces that change no shortest solution, and the decoys there are without each."""
    found = {}
    lines = solve(Question(puzzle.position, puzzle.goal, solutions=MOST_LINES)).lines
    for space, piece in puzzle.position.pieces:
        pieces = tuple(pair for pair in puzzle.position.pieces if pair[0] != space)
        less = replace(puzzle.position, pieces=pieces)
        try:
            without = solve(
                Question(
                    less, puzzle.goal, Limits(max_actions=len(puzzle.line)), solutions=MOST_LINES
                )
            )
        except InputError:  # the goal needs the piece
            continue
        if without.lines == lines:
            found[piece] = rate(less, puzzle.goal, lines).decoys
    return found


def test_other_lengths_of_a_seed_are_on_other_boards():
    pairs = [
        [made(PuzzleSpec(actions=actions), seed=seed).position.layout for actions in (2, 3)]
        for seed in range(6)
    ]
    assert sum(one == other for one, other in pairs) < 3


EIGHT = (
    PuzzleSpec(actions=3, movers=2, unique=True),
    PuzzleSpec(actions=5, movers=2, unique=True, decoys=3),
    PuzzleSpec(actions=8, movers=2, unique=True),
    PuzzleSpec(actions=10, movers=2, unique=True),
    PuzzleSpec(actions=6, goal="2", movers=2),
    PuzzleSpec(actions=6, goal="all", movers=2, unique=True),
    PuzzleSpec(actions=5, goal="puck", movers=3, unique=True),
    PuzzleSpec(actions=5, goal="to", movers=2, unique=True),
)
"""Kinds of puzzles."""


def check_as_asked(spec, seed):
    """Check a puzzle of a kind, by a search of its own; return it."""
    puzzle = made(spec, seed=seed)
    position, goal, rating = puzzle.position, puzzle.goal, puzzle.rating
    found = solve(Question(position, goal, Limits(max_actions=spec.actions), solutions=MOST_LINES))
    ways = ways_of(position, found.lines)
    assert found.complete
    assert puzzle.line in found.lines
    assert len(found.line) == len(puzzle.line) == spec.actions
    assert goal.targets[0].colour in (None, position.to_move)
    assert ways.solutions == rating.solutions
    assert not spec.unique or ways.solutions == 1
    assert ways.groups == 1
    assert ways.walked <= spec.actions // 5
    assert rating.movers >= spec.movers
    assert rating.decoys >= spec.decoys
    assert all(decoys < spec.decoys for decoys in idle_pieces(puzzle).values())
    return puzzle


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        *(
            (PuzzleSpec(actions=3, goal=goal, unique=True), 1)
            for goal in GOALS
            if goal not in ("3", "4")
        ),
        (PuzzleSpec(actions=3, decoys=3), 3),
        (PuzzleSpec(actions=3, goal="2"), 6),
        (PuzzleSpec(actions=4, movers=3), 1),
        *(slow(spec, 5) for spec in EIGHT),
    ],
)
def test_puzzles_are_as_asked_without_idle_pieces(spec, count):
    puzzles = [check_as_asked(spec, seed) for seed in range(1, count + 1)]
    assert len({puzzle.position.layout for puzzle in puzzles}) >= count - 1


def test_a_puzzle_lies_on_the_board_asked_for():
    setup = setup_named("old-school")
    puzzle = made(PuzzleSpec(actions=2, setup=setup))
    assert (puzzle.position.layout, puzzle.position.rules) == (setup.layout, setup.rules)


# How hard they are.


def test_actions_to_choose_from_are_counted_along_the_solution():
    # The puck can go north (in), east and west, the ice block east and south.
    rated = rating_of("RPe1.RIa9")
    assert (rated.solutions, rated.branching, rated.movers) == (1, 5.0, 1)
    # North tempts and weighs 4, the other four weigh 1.
    assert rated.difficulty_bits == pytest.approx(math.log2(8 / 4))


def test_two_orders_of_the_same_actions_are_one_solution():
    # First each puck can go north and away from the other; then the last can go three ways.
    rated = rating_of("RPe1f1", "2")
    assert (rated.solutions, rated.movers, rated.branching) == (1, 2, 3.5)
    # Both orders: 4 of 10, then 4 of 6.
    assert rated.difficulty_bits == pytest.approx(-math.log2(2 * 4 / 10 * 4 / 6))


def test_a_decoy_is_a_first_action_that_looks_good_and_leads_nowhere():
    # a4 stops at f4, beside g4, and comes in. a1 would stop at e1 in the same way, but e3 is in
    # its way north.
    with_decoy, without = rating_of("RPa1a4.BPf1.BPg4.BIe3"), rating_of("RPa4.BPf1.BPg4.BIe3")
    assert (with_decoy.decoys, without.decoys) == (1, 0)
    assert with_decoy.difficulty_bits > without.difficulty_bits


@pytest.mark.parametrize(
    ("pieces", "goal", "groups", "orders"),
    [
        ("RPe1f1", "2", 2, 2),  # each goes in by itself
        ("RPa1e1.BMf1", "2", 1, 1),  # a1 stops before f1 once e1 is in
    ],
)
def test_pucks_interact_if_their_actions_have_fewer_orders(pieces, goal, groups, orders):
    start = position(pieces, mat=GOAL_9)
    lines = solve(Question(start, read_goal(start, goal), solutions=MOST_LINES)).lines
    assert (ways_of(start, lines).groups, len(lines)) == (groups, orders)


def test_steps_of_one_piece_are_in_a_row_even_if_others_come_between_and_it_is_one_mover():
    start = current = position("RMa1.RPi9", mat=GOAL_9)
    line = []
    for text in ("a1N", "i9S", "a2N", "a3E"):
        line.append(parse_move(current, text))
        current = apply(current, line[-1])
    ways = ways_of(start, [line])
    assert (ways.walked, ways.movers) == (2, 2)


def test_more_search_and_more_bits_make_a_puzzle_harder_in_points_and_in_a_word():
    short = replace(rating_of("RPe1.RIa9"), nodes=0, difficulty_bits=2.0)
    assert (short.points, short.difficulty) == (590, "easy")
    twice = replace(short, nodes=2**10 - 1)
    assert twice.points - short.points == 450
    assert replace(short, difficulty_bits=12.0).points == twice.points
    words = [replace(short, difficulty_bits=bits).difficulty for bits in (8.8, 8.9, 15.6, 22.3)]
    assert words == ["easy", "medium", "hard", "expert"]


def share_of_failures(puzzle, solvers):
    """Return the share of trial solvers that fail: by chance, seeing one action ahead."""
    known, failures = {}, 0

    def reached(place):
        if place not in known:
            position, goal = place
            played = [play(position, move) for move in legal_moves(position)]
            known[place] = [(a, goal_after(goal, position, a, change)) for a, change in played]
        return known[place]

    def solves(rng):
        place, seen = (puzzle.position, puzzle.goal), {puzzle.position}
        for _ in range(len(puzzle.line) + 2):
            if any(goal is None for _, goal in reached(place)):
                return True
            new = [other for other in reached(place) if other[0] not in seen]
            if not new:
                break
            place = new[int(rng.integers(len(new)))]
            seen.add(place[0])
        return False

    for seed in range(solvers):
        rng = np.random.default_rng(seed)
        failures += not any(solves(rng) for _ in range(20))
    return failures / solvers


def shortest_by_breadth_first(puzzle):
    """Return the length of a shortest solution, by the plain rules alone."""
    front, length = {(puzzle.position, puzzle.goal)}, 0
    seen = set(front)
    while not any(goal is None for _, goal in front):
        played = [(at, goal, *play(at, move)) for at, goal in front for move in legal_moves(at)]
        after = {(then, goal_after(goal, at, then, change)) for at, goal, then, change in played}
        front = after - seen
        seen |= front
        length += 1
    return length


@pytest.mark.parametrize("each", [2, slow(6)])
def test_levels_have_puzzles_of_their_word_and_more_trial_solvers_fail_with_each(each):
    sources = {level: PuzzleSource(level=level, seed=11) for level in DIFFICULTIES}
    levels = {level: [source.puzzle(n) for n in range(each)] for level, source in sources.items()}
    for level, own in levels.items():
        assert [puzzle.rating.difficulty for puzzle in own] == [level] * each
        assert sources[level].most is None
        assert own[0] != own[1]
    means = [np.mean([share_of_failures(p, 15) for p in own]) for own in levels.values()]
    assert means == sorted(means)
    assert means[0] < 0.4 < 0.8 < means[-1]
    for puzzle in levels["easy"]:
        assert len(puzzle.line) == shortest_by_breadth_first(puzzle)


# Tables.


def test_a_table_has_a_row_for_each_puzzle_whose_solution_replays():
    spec = PuzzleSpec(actions=3)
    table = run_to_end(PUZZLES, puzzle_cases(PuzzleSource(spec=spec, seed=5), 2), trials=1)
    rows = table.values()
    assert [row["puzzle"] for row in rows] == [1, 2]
    for row, answer, index in zip(rows, table.tallies(), range(2), strict=True):
        puzzle = made(spec, seed=5, index=index)
        assert answer.puzzle() == puzzle
        current = parse_position(row["position"])
        assert read_goal(current, row["goal"]) == puzzle.goal
        for text in row["solution"].split():
            current = apply(current, parse_move(current, text))
        assert sum(current.scored) > sum(puzzle.position.scored)
        assert row["difficulty_bits"] == pytest.approx(puzzle.rating.difficulty_bits, abs=1e-3)


def test_the_id_of_a_puzzle_covers_all_that_was_asked():
    sources = [
        PuzzleSource(spec=PuzzleSpec(), seed=1),
        PuzzleSource(spec=PuzzleSpec(), seed=2),
        *(PuzzleSource(spec=PuzzleSpec(**own)) for own in (
            {"actions": 5}, {"goal": "all"}, {"movers": 2}, {"decoys": 1}, {"unique": True},
            {"setup": setup_named("small")},
            {"setup": replace(setup_named("classic"), name="small")},
        )),
        PuzzleSource(day=date(2026, 11, 23)),
        PuzzleSource(level="children", seed=1),
    ]  # fmt: skip
    ids = [id_ for source in sources for id_ in PUZZLES.ids(puzzle_cases(source, 2))]
    assert len(set(ids)) == 2 * len(sources)


# Bad input.


@cases(
    "fields said",
    """
    { actions = 0 } => actions: 0 is not accepted; give a whole number from 1 to 20
    { actions = 21 } => actions: 21 is not accepted
    { goal = "win" } => goal: 'win' is not accepted; give 1, 2, 3, 4, all, puck, to
    { actions = 2, goal = "3" } => actions: 2 is not accepted; 3 pucks need at least 3
    { actions = 2, movers = 3 } => movers: 3 is not accepted; give a whole number from 1 to 2
    """,
    toml,
)
def test_what_cannot_be_is_one_clear_line(fields, said):
    refused(PuzzleSpec, **fields, said=f"^{said}")


def test_a_board_without_a_goal_or_with_too_few_pucks_is_refused():
    said = "goal: 4 pucks; each colour has 2 on 'old-school'"
    refused(PuzzleSpec, goal="4", setup=setup_named("old-school"), said=said)
    board = position("-")
    setup = Setup(name="mine", about="", layout=board.layout, rules=board.rules)
    refused(PuzzleSpec, setup=setup, said="setup: 'mine' has no goal for pucks")
    assert PuzzleSpec(setup=setup, goal="to").goal == "to"
