"""One question on several cores: the same answer, limits and errors as on one."""

import numpy as np
import pytest

from pucklab.sim.bumpers.kernel.pattern_database import PAIRS, TRIPLES
from pucklab.sim.bumpers.solver import Limits, Question, Status, bring_in, parallel, run, solve
from tests.bumpersboards import CLASSIC, GOAL_9, HARD, position
from tests.make_bumpers_solver import random_position


@pytest.fixture(autouse=True)
def split_at_once(monkeypatch):
    """Split every iteration that can be."""
    monkeypatch.setattr(run, "_NODES_BEFORE_THREADS", 0)
    monkeypatch.setattr(run, "_NODES_A_CALL", 1 << 7)


def random_positions(seed, count, pucks):
    """Return random positions that two actions do not solve."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        start = random_position(rng, pucks)
        if not solve(
            Question(start, bring_in(pucks), Limits(max_actions=parallel.SPLIT_DEPTH))
        ).line:
            found.append(start)
    return found


@pytest.mark.parametrize("patterns", [False, True])
@pytest.mark.parametrize("cores", [2, 3])
@pytest.mark.parametrize("pucks", [1, 2, 4])
def test_the_line_does_not_depend_on_the_number_of_cores(pucks, cores, patterns, monkeypatch):
    if patterns:
        monkeypatch.setattr(run, "_NODES_BEFORE", {PAIRS: 0, TRIPLES: 1})
        monkeypatch.setattr(run, "_NODES_BEFORE_THREADS", 1 << 8)  # as always, after patterns
    for start in random_positions(pucks, 6, pucks):
        goal, limits = bring_in(pucks), Limits(max_actions=7)
        one, more = (solve(Question(start, goal, limits, cores=count)) for count in (1, cores))
        assert (more.status, more.line, more.lower_bound) == (one.status, one.line, one.lower_bound)
        assert one.line or one.status is Status.PROVED_UNSOLVABLE


def test_what_has_no_solution_is_proved_on_two_cores():
    start = position("RPa1", mat=GOAL_9)
    found = solve(Question(start, limits=Limits(max_actions=12), cores=2))
    assert (found.status, found.lower_bound) == (Status.PROVED_UNSOLVABLE, 13)


def test_a_limit_of_time_ends_all_threads():
    found = solve(Question(HARD, bring_in(None), Limits(seconds=0.3), cores=2))
    assert (found.status, found.limit) == (Status.LIMIT_REACHED, "seconds")
    assert found.nodes > 0


def test_node_counts_stay_the_same_under_a_limit_of_nodes():
    one, two = (solve(Question(CLASSIC, bring_in(4), Limits(nodes=5000), cores=n)) for n in (1, 2))
    assert one.nodes == two.nodes == 5000


def test_an_error_in_a_thread_is_raised(monkeypatch):
    def broken(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(parallel, "_search_subtree", broken)
    monkeypatch.setattr(run, "_NODES_BEFORE", {})
    with pytest.raises(MemoryError, match="no room"):
        solve(Question(CLASSIC, bring_in(3), cores=2))


def test_a_later_subtree_never_gives_the_answer(monkeypatch):
    whole = parallel._search_subtree

    def late(shared, worker, subtree):
        if subtree.number % 2 == 0:
            parallel.time.sleep(0.01)  # earlier ones take longer than later ones
        whole(shared, worker, subtree)

    starts = random_positions(4, 8, 2)
    limits = Limits(max_actions=6)
    expected = [solve(Question(start, bring_in(2), limits)).line for start in starts]
    monkeypatch.setattr(parallel, "_search_subtree", late)
    assert [
        solve(Question(start, bring_in(2), limits, cores=2)).line for start in starts
    ] == expected
