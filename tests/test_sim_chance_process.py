"""Decision processes: against formulas, and against all policies tried one by one."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pucklab.sim.chance.distribution import mean
from pucklab.sim.chance.process import collect, evaluate, solve, totals, visits
from tests.refusals import refused

HALF = Fraction(1, 2)


def process_of(table, start=0):
    return collect(start, lambda state: table.get(state, {}))


def ruin(bank, p):
    """Gambler's ruin from 1: up with probability p, until 0 or the bank; a win counts 1."""
    return collect(
        1,
        lambda gold: (
            {"play": [(p, gold + 1, int(gold + 1 == bank)), (1 - p, gold - 1, 0)]}
            if 0 < gold < bank
            else {}
        ),
    )


def test_gamblers_ruin_has_its_formula_exactly():
    p = Fraction(2, 5)
    ratio = (1 - p) / p
    value = evaluate(ruin(10, p)).value[1]
    assert value == (1 - ratio) / (1 - ratio**10)
    assert isinstance(value, Fraction)


def test_a_large_process_is_solved_in_floats():
    value = evaluate(ruin(2000, Fraction(3, 5))).value[1]
    assert value == pytest.approx(1 - 2 / 3)
    assert isinstance(value, float)


def test_floats_that_come_in_come_out():
    value = evaluate(ruin(10, 0.5)).value[1]
    assert isinstance(value, float)
    assert value == pytest.approx(0.1)


def test_visits_of_a_symmetric_walk_have_their_formula():
    # From 1 in a bank of n, state k is visited 2 (n - k) / n times before the end.
    found = visits(ruin(8, HALF))
    assert [found[k] for k in range(1, 8)] == [Fraction(2 * (8 - k), 8) for k in range(1, 8)]
    assert (found[0], found[8]) == (Fraction(7, 8), Fraction(1, 8))


def test_totals_of_a_coin_until_heads_are_geometric():
    coin = process_of({0: {"toss": [(HALF, "up", 1), (HALF, 0, 1)]}})
    found = totals(coin)
    assert all(found[n] == HALF**n for n in range(1, 30))
    assert 0 < found[math.inf] < 1e-12


def test_totals_of_a_chain_that_ends_are_exact():
    found = totals(
        process_of({0: {"go": [(HALF, 1, 2), (HALF, "end", 0)]}, 1: {"go": [(1, 9, 3)]}})
    )
    assert found.items == ((0, HALF), (5, HALF))
    assert mean(found) == Fraction(5, 2)


def test_totals_count_runs_that_never_end_as_infinite():
    trap = process_of({0: {"go": [(HALF, 1, 1), (HALF, "end", 1)]}, 1: {"stay": [(1, 1, 1)]}})
    assert totals(trap)[math.inf] == HALF


@pytest.mark.parametrize("cost", [0, 1, 2.5])
def test_a_policy_that_never_ends_has_an_infinite_value(cost):
    stay = process_of({0: {"stay": [(1, 0, cost)]}})
    for found in (evaluate(stay), solve(stay)):
        assert found.value[0] == math.inf
        assert visits(stay, found.policy)[0] == math.inf


def test_a_chance_of_never_ending_makes_a_value_infinite():
    table = {0: {"go": [(HALF, 1, 1), (HALF, 2, 1)]}, 1: {"stay": [(1, 1, 0)]}}
    assert evaluate(process_of(table)).value == {0: math.inf, 1: math.inf, 2: 0}


def test_more_states_than_the_limit_are_refused_by_its_name():
    refused(
        collect,
        0,
        lambda n: {"on": [(1, n + 1, 1)]},
        limit=50,
        said="limit: more than 50 states are not accepted",
    )


def test_just_as_many_states_as_the_limit_are_accepted():
    found = collect(0, lambda n: {"on": [(1, n + 1, 1)]} if n < 49 else {}, limit=50)
    assert len(found) == 50


@st.composite
def small_tables(draw):
    """Up to five states, up to three moves each, loops and traps among them."""
    states = draw(st.integers(1, 5))
    step = st.tuples(st.integers(0, states), st.integers(0, 3))
    table = {}
    for state in range(states):
        moves = draw(st.lists(st.lists(step, min_size=1, max_size=3), min_size=1, max_size=3))
        table[state] = {
            f"m{place}": [(Fraction(1, len(steps)), to, cost) for to, cost in steps]
            for place, steps in enumerate(moves)
        }
    return table


def values_of_all_policies(process):
    states = [state for state, moves in process.items() if moves]
    choices = product(*(process[state] for state in states))
    policies = [dict(zip(states, chosen, strict=True)) for chosen in choices]
    return [(policy, evaluate(process, policy).value) for policy in policies]


@settings(max_examples=120)
@given(small_tables())
def test_the_best_policy_is_the_best_of_all(table):
    process = process_of(table)
    every = values_of_all_policies(process)
    found = solve(process)
    for state in process:
        assert found.value[state] == min(value[state] for _, value in every)
    assert evaluate(process, found.policy).value == found.value


@settings(max_examples=50)
@given(small_tables())
def test_fractions_and_floats_agree(table):
    process = process_of(table)
    exact, rough = (solve(process, exact=most) for most in (100, 0))
    for state in process:
        assert float(rough.value[state]) == pytest.approx(float(exact.value[state]))


@settings(max_examples=50)
@given(small_tables())
def test_visits_times_costs_are_the_value(table):
    process = process_of(table)
    found, visited = evaluate(process), visits(process)
    if found.value[0] == math.inf:
        return
    spent = sum(
        visited[state] * p * cost
        for state, move in found.policy.items()
        for p, _, cost in process[state][move]
    )
    assert spent == found.value[0]
