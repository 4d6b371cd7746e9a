"""Moves left out of the search: those that commute really do, and no solution is lost by it."""

import numpy as np
import pytest

from pucklab.sim.bumpers import (
    Colour,
    Kind,
    Piece,
    Rules,
    make_position,
    open_spaces,
    parse_position,
    position_text,
    setup_named,
)
from pucklab.sim.bumpers.kernel.pattern_database import PAIRS, TRIPLES
from pucklab.sim.bumpers.solver import Limits, Question, bring_in, run, solve
from pucklab.sim.bumpers.solver.question import MOST_LINES
from tests.make_bumpers_solver import random_cases
from tests.slowness import slow

MOST_MATS = 5
"""Larger boards have too many positions."""

AT_ONCE = {PAIRS: 0, TRIPLES: 1}
"""Nodes before tables of both sizes are used."""


def differences(seed, count, nodes, tables, monkeypatch):
    """Compare shortest solutions, all and one, with those of a search that leaves no move out.

    Without tables, that one is compared with plain breadth-first search elsewhere.
    """
    rng = np.random.default_rng(seed)
    found, compared = [], 0
    while compared < count:
        pucks = int(rng.integers(2, 5))
        position, _ = next(random_cases(rng, str(pucks)))
        if len(position.layout.faces) > MOST_MATS:
            continue
        goal = bring_in(pucks)
        plain = solve(
            Question(position, goal, Limits(max_actions=9, nodes=nodes), solutions=MOST_LINES)
        )
        if plain.limit or plain.lower_bound is None:
            continue
        compared += 1
        with monkeypatch.context() as patch:
            patch.setattr(run, "_NODES_BEFORE", tables)
            patch.setattr(run, "_NODES", 256)
            every = solve(Question(position, goal, Limits(max_actions=9), solutions=MOST_LINES))
            one = solve(Question(position, goal, Limits(max_actions=9)))
        same = every.status is one.status is plain.status
        same = same and sorted(every.lines, key=str) == sorted(plain.lines, key=str)
        if not same or (plain.lines and one.line not in plain.lines):
            found.append(f"{position}: {plain.lines}, {every.lines}, {one.line}")
    return found


@pytest.mark.parametrize(
    ("seed", "count", "nodes"),
    [(42, 15, 10_000), *(slow(seed, 100, 100_000) for seed in range(50, 60))],
)
@pytest.mark.parametrize("tables", [{PAIRS: 0}, {TRIPLES: 0}, AT_ONCE], ids=["2", "3", "both"])
def test_no_solution_is_lost(seed, count, nodes, tables, monkeypatch):
    assert not differences(seed, count, nodes, tables, monkeypatch)


def shorter_lines(seed, count, monkeypatch):
    """Compare lengths on the small board with many steps to spare; return what differs.

    The second number counts positions with at least two actions more than the bound at first.
    """
    rng = np.random.default_rng(seed)
    layout = setup_named("small").layout
    kinds = [(Colour.RED, Kind.PUCK)] * 2 + [(Colour.RED, Kind.ICE), (Colour.RED, Kind.MEEPLE)] * 2
    pieces = [Piece(*kind) for kind in (*kinds, (Colour.BLUE, Kind.ICE), (Colour.BLUE, Kind.PUCK))]
    found, spare = [], 0
    for _ in range(count):
        spaces = rng.choice(open_spaces(layout), len(pieces), replace=False).tolist()
        rules = Rules(slippery_ice=bool(rng.random() < 0.1), pass_through=bool(rng.random() < 0.1))
        placed = dict(zip(spaces, pieces, strict=True))
        position = make_position(layout, placed, to_move=Colour.RED, rules=rules)
        goal = bring_in(2)
        plain = solve(Question(position, goal, Limits(max_actions=7)))
        with monkeypatch.context() as patch:
            patch.setattr(run, "_NODES_BEFORE", AT_ONCE)
            patch.setattr(run, "_NODES", 64)
            states = []
            one = solve(Question(position, goal, Limits(max_actions=7)), watch=states.append)
        spare += len(one.line) >= (states[0].lower_bound or 0) + 2
        if (one.status, len(one.line)) != (plain.status, len(plain.line)):
            found.append(f"{position_text(position)}: {plain.line}, {one.line}")
    return found, spare


@pytest.mark.parametrize(
    "text",
    [
        "pb1:small:RPd5h4.RIf12g6.RMf10k10.BPc6.BIi2:-:R:-",
        "pb1:small:RPd11o7.RIh15k6.RMe9f5.BPe13.BIe11:-:R:-",
        "pb1:small:RPi10l7.RIh9m5.RMl12f7.BPj3.BIe3:-:R:-",
        "pb1:small:RPn8g5.RIf15p5.RMg16a5.BPk12.BIo11:-:R:-",
        "pb1:small:RPj11n8.RIp10j2.RMk16p6.BPg2.BIm12:-:R:-",
        "pb1:small:RPc10f9.RIh12h8.RMe8h4.BPl1.BId11:-:R:rules=pass-through:-",
    ],
)
def test_a_step_that_makes_room_for_another_one_is_not_left_out(text, monkeypatch):
    """With two actions to spare, a quiet step and then one of use: found by leaving out both."""
    position, goal = parse_position(text), bring_in(2)
    plain = solve(Question(position, goal, Limits(max_actions=7)))
    monkeypatch.setattr(run, "_NODES_BEFORE", AT_ONCE)
    monkeypatch.setattr(run, "_NODES", 64)
    assert len(solve(Question(position, goal, Limits(max_actions=7))).line) == len(plain.line) > 0


@pytest.mark.parametrize(("seed", "count", "least"), [(44, 60, 5), slow(45, 1000, 100)])
def test_steps_that_can_wait_are_not_needed_for_a_shortest_solution(
    seed, count, least, monkeypatch
):
    wrong, spare = shorter_lines(seed, count, monkeypatch)
    assert not wrong
    assert spare > least
