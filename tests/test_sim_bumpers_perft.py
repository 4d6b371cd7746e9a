"""The fast kernel against tables that the plain rules made; see tests/make_bumpers_perft.py."""

import csv
from collections import defaultdict

import pytest

from pucklab.sim.bumpers import parse_position
from pucklab.sim.bumpers.perft import count_lines
from tests.make_bumpers_perft import TABLE, count, read_cases
from tests.refusals import refused

CASES = {case.name: case for case in read_cases()}


def tables():
    """Return leaves by depth, of each position with and without mats."""
    found = defaultdict(list)
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = row["name"], row["mats"] == "yes"
            found[key].append(int(row["leaves"]))
            assert len(found[key]) == int(row["depth"])
    return found


TABLES = tables()


@pytest.mark.parametrize("mats", [False, True], ids=["pieces", "mats"])
@pytest.mark.parametrize("name", CASES)
def test_leaves_equal_the_table(name, mats):
    for depth, leaves in enumerate(TABLES[name, mats], start=1):
        *_, lines = count_lines(CASES[name].position, depth, mats=mats)
        assert lines.leaves == leaves


def test_the_table_is_what_the_plain_rules_make_of_its_positions():
    for name, case in CASES.items():
        for mats in (False, True):
            table = TABLES[name, mats]
            assert len(table) == (case.mat_depth if mats else case.depth)
            depth = 1 if mats else min(2, len(table))
            assert count(case.position, depth, mats=mats) == table[:depth]


def test_with_no_piece_to_move_there_is_no_line():
    *_, lines = count_lines(parse_position("pb1:classic:BPa1:-:R:-"), 3)
    assert lines.leaves == 0


def test_a_count_reports_its_progress():
    states = list(count_lines(CASES["a-whole-colour"].position, 3))
    assert states[-1].done >= states[-1].total


@pytest.mark.parametrize("depth", [0, -1, 65, 2.0, True])
def test_a_depth_that_is_none_is_refused(depth):
    start = CASES["one-puck"].position
    refused(next, count_lines(start, depth), said="depth")
