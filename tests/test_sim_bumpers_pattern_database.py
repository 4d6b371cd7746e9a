"""Pattern databases: admissible, exact for the relaxed game, filters that lose nothing, files."""

import re
from functools import cache
from itertools import combinations, takewhile

import numpy as np
import pytest

from pucklab.sim.bumpers import (
    Colour,
    Kind,
    Piece,
    Rules,
    legal_moves,
    make_position,
    open_spaces,
    parse_position,
    play,
    setup_named,
)
from pucklab.sim.bumpers.kernel import pattern_database
from pucklab.sim.bumpers.kernel.heuristic import lower_bound_of, order_pieces
from pucklab.sim.bumpers.kernel.layouts import MatMoves, new_graph
from pucklab.sim.bumpers.kernel.pattern_database import (
    PAIRS,
    TRIPLES,
    build_database,
    combined_bound,
    database_of,
    lowering_moves,
)
from pucklab.sim.bumpers.kernel.position import GOAL, Change, encode
from pucklab.sim.bumpers.solver import Limits, Question, Status, bring_in, run, solve
from pucklab.sim.bumpers.solver.goals import encode_goal
from tests.bumpersboards import HARD
from tests.make_bumpers_solver import random_layout
from tests.slowness import slow

FEW = parse_position("pb1:G1.B2/B3.K1:-:-:-:-").layout
STILL = MatMoves(turns=False, swaps=False, shifts=False, one_piece=False)
UNCHANGED = Change(np.zeros(1, np.uint8), np.zeros(1, np.uint16), 0)
RED_PUCK = Piece(Colour.RED, Kind.PUCK)
NEVER = 255


@pytest.fixture(autouse=True)
def none_kept():
    pattern_database._in_memory.clear()


def tables(layout):
    """Return the neighbours and the codes of empty spaces of a layout."""
    start = make_position(layout, {open_spaces(layout)[0]: RED_PUCK}, to_move=Colour.RED)
    return new_graph(layout, STILL).layouts.neighbours[0], encode(start).pieces.vacated


def database(layout, size=TRIPLES):
    return database_of(*tables(layout), size)


class RelaxedGame:
    """The relaxed game of a layout, written without tables: all moves of any set of pucks."""

    def __init__(self, layout):
        self.spaces = open_spaces(layout)
        self.neighbours, self.vacated = tables(layout)

    def ray(self, space, direction):
        """Return the spaces ahead up to a wall or a goal."""
        found = []
        there = int(self.neighbours[direction, space])
        while there != len(self.vacated) - 2:
            found.append(there)
            if self.vacated[there] == GOAL:
                break
            there = int(self.neighbours[direction, there])
        return found

    def after(self, places):
        """Return the sets after an action, and True where more pucks than one moved.

        A puck moves, and any of those ahead of it may, too.
        """
        results = set()
        for direction in range(4):
            for mover in places:
                ahead = [space for space in self.ray(mover, direction) if space in places]
                for size in range(len(ahead) + 1):
                    for others in combinations(ahead, size):
                        moved = self.moved(places, (mover, *others), direction)
                        results |= {(after, size > 0) for after in moved}
        return results

    def moved(self, places, movers, direction):
        """Return the sets after some pucks move; each stops before the old place of the next."""
        results = {tuple(place for place in places if place not in movers)}
        for mover in movers:
            ray = self.ray(mover, direction)
            stops = list(takewhile(lambda space: space not in places, ray))
            results = {(*rest, stop) for rest in results for stop in stops if stop not in rest}
        return {tuple(sorted(s for s in each if self.vacated[s] != GOAL)) for each in results}

    def costs(self, pucks, one):
        """Return the least cost of bringing each set of up to some pucks in, by sweeps.

        An action costs 1, or ``one`` if it moves one puck.
        """
        sets = [s for size in range(1, pucks + 1) for s in combinations(self.spaces, size)]
        successors = {places: self.after(places) for places in sets}
        costs = {(): 0}
        level = 0
        while level <= max(costs.values()) + one:
            level += 1
            new = [
                places
                for places in sets
                if places not in costs
                and any(
                    costs.get(after, level) + (1 if is_chain else one) <= level
                    for after, is_chain in successors[places]
                )
            ]
            costs |= dict.fromkeys(new, level)
        return costs


@pytest.mark.parametrize("one", [1, 2])
def test_pairs_and_triples_are_exact_solutions_of_the_relaxed_game(one):
    layout = parse_position("pb1:G1.B2:-:-:-:-").layout
    found = database(layout)
    for places, cost in RelaxedGame(layout).costs(3, one).items():
        numbers = found.number[0, list(places)].tolist()
        a, b, c = sorted((*numbers, *[found.scored] * (3 - len(places))), reverse=True)
        value = int(found.values[found.choose[3, a] + found.choose[2, b] + c])
        assert (value & 15) + (value >> 4 if one > 1 else 0) == cost, places


def test_a_bound_may_be_larger_than_every_stored_distance():
    found = database(setup_named("small").layout)
    found = found._replace(values=np.full_like(found.values, 12 | 12 << 4))
    assert combined_bound(found, np.array([30, 20, 10, 5]), 4, 4) == 16


def test_all_pucks_need_at_least_as_many_actions_as_any_two_of_them():
    found, rng = database(setup_named("small").layout, PAIRS), np.random.default_rng(1)
    for _ in range(50):
        numbers = np.sort(rng.choice(found.scored - 1, 3, replace=False))[::-1]
        pairs = [combined_bound(found, np.array(two), 2, 2) for two in combinations(numbers, 2)]
        assert combined_bound(found, numbers, 3, 3) >= max(pairs)


def random_pucks(layout, rng, count, *, rules=None):
    """Return a random position with some red pucks, and other pieces."""
    others = [(Colour.RED, Kind.MEEPLE), (Colour.RED, Kind.ICE), (Colour.BLUE, Kind.PUCK)]
    pieces = [RED_PUCK] * count
    pieces += [Piece(*others[int(i)]) for i in rng.choice(3, 2, replace=False)]
    spaces = rng.permutation(open_spaces(layout)).tolist()[: len(pieces)]
    return make_position(
        layout, dict(zip(spaces, pieces, strict=True)), to_move=Colour.RED, rules=rules or Rules()
    )


def bound_of(position, tables, needed):
    """Return the lower bound of a position."""
    encoded = encode(position)
    neighbours = new_graph(position.layout, STILL).layouts.neighbours
    goal = encode_goal(position, bring_in(needed), encoded, neighbours)
    goal = goal._replace(database=tables)
    return lower_bound_of(goal, goal.distances[0], encoded.pieces.where, UNCHANGED, False)


@cache
def layouts_and_tables(seed, count):
    rng = np.random.default_rng(seed)
    layouts = [setup_named("small").layout]
    while len(layouts) < count:
        layout = random_layout(rng)
        if len(open_spaces(layout)) < 90:
            layouts.append(layout)
    return [(layout, database(layout)) for layout in layouts]


@pytest.mark.parametrize(
    ("seed", "layouts", "positions", "most", "least"),
    [(5, 3, 25, 7, 25), slow(6, 12, 500, 11, 3000)],
)
def test_the_bound_is_never_more_than_the_exact_length(seed, layouts, positions, most, least):
    """Lengths are those by the search without tables."""
    rng = np.random.default_rng(seed)
    compared = 0
    for layout, tables in layouts_and_tables(seed, layouts):
        for _ in range(positions):
            pucks = int(rng.integers(2, 5))
            rules = Rules(pass_through=bool(rng.random() < 0.3))
            position = random_pucks(layout, rng, pucks, rules=rules)
            needed = int(rng.integers(2, pucks + 1))
            found = solve(
                Question(position, bring_in(needed), Limits(max_actions=most, nodes=30_000))
            )
            bound = bound_of(position, tables, needed)
            if found.status is Status.SOLVED:
                assert bound <= len(found.line), position
                compared += 1
            elif bound == NEVER:
                assert found.line == ()
    assert compared > least


@pytest.mark.parametrize("needed", [1, 2, 3, 4])
def test_a_move_lowers_the_bound_by_one_at_most_and_is_then_not_filtered_out(needed):
    rng = np.random.default_rng(needed)
    lowered = filtered = 0
    for layout, tables in layouts_and_tables(9, 3):
        for _ in range(20):
            position = random_pucks(layout, rng, 4)
            encoded = encode(position)
            neighbours = new_graph(layout, STILL).layouts.neighbours
            goal = encode_goal(position, bring_in(needed), encoded, neighbours)
            goal = goal._replace(database=tables)
            bound = bound_of(position, tables, needed)
            if bound == NEVER:
                continue
            where = encoded.pieces.where
            pucks, _ = order_pieces(goal, 0, tables.number, where, UNCHANGED)
            allowed = int(lowering_moves(tables, goal.scratch.ordered, pucks, needed, bound))
            slots = {int(number): slot for slot, number in enumerate(goal.scratch.ordered[:pucks])}
            for move in legal_moves(position):
                after, change = play(position, move)
                scored = sum(m.scored and m.piece == RED_PUCK for m in change.movements)
                left = 0 if scored >= needed else bound_of(after, tables, needed - scored)
                assert left >= bound - 1
                piece = list(where).index(move.space)
                slot = slots[tables.number[0, move.space]] if goal.is_asked[piece] else pucks
                is_allowed = allowed >> (4 * slot + move.direction) & 1
                if left < bound:
                    lowered += 1
                    assert is_allowed, (position, move)
                filtered += not is_allowed
    assert lowered > 15
    assert filtered > 250


# Building, and limits.


def test_tables_are_the_same_compiled_as_written(request):
    layout = tables(parse_position("pb1:X1:-:-:-:mats=X1/.F../.nn/...:-").layout)
    found = build_database(*layout, TRIPLES)
    request.getfixturevalue("interpreted")
    again = build_database(*layout, TRIPLES)
    assert np.array_equal(found.values, again.values)
    assert np.array_equal(found.filters, again.filters)


def test_a_puck_that_is_walled_in_never_comes_in():
    start = parse_position("pb1:X1:RPa1b3:-:R:mats=X1/.F../.nn/...:-")
    found = database(start.layout)
    assert bound_of(start, found, 1) < NEVER
    assert bound_of(start, found, 2) == bound_of(start, found._replace(size=PAIRS), 2) == NEVER


def test_tables_are_kept_in_memory_the_oldest_no_longer():
    boards = ["G1.B2", "G1.K1", "G1@90.B2", "G1@90.K1", "G1@180.B2"]
    first, *others = [parse_position(f"pb1:{board}:-:-:-:-").layout for board in boards]
    kept = database(first)
    for layout in others[:-1]:
        database(layout)
    assert database(first, PAIRS).values is kept.values
    for layout in others:
        database(layout)
    assert database(first).values is not kept.values


def test_building_stops_when_time_is_up():
    assert database_of(*tables(FEW), TRIPLES, lambda: False) is None


# Limits.


def solve_hard(**limits):
    """Search for four pucks with time that passes with the nodes, a microsecond each."""
    return solve(Question(HARD, bring_in(4), Limits(max_actions=11, **limits)))


@pytest.fixture
def clock_of_nodes(monkeypatch):
    monkeypatch.setattr(run.Run, "seconds", property(lambda run: run.stack.counts[0] / 1e6))


def test_counts_do_not_depend_on_the_shares_into_which_a_search_is_cut(monkeypatch):
    """The counts are those of all pruning; the second search finds the tables kept."""
    counts = []
    whole = run.search_depth_first
    for most in (1 << 16, 100):
        monkeypatch.setattr(
            run,
            "search_depth_first",
            lambda search, depth, nodes, most=most: whole(search, depth, min(nodes, most)),
        )
        found = solve(Question(HARD, bring_in(3), Limits(nodes=150_000)))
        counts.append((found.legal_moves, found.table_hits))
    assert counts == [(756_682, 57_761)] * 2


def test_under_a_limit_of_seconds_kept_triples_are_used_at_once():
    built, kept = (solve_hard(seconds=1000) for _ in range(2))
    assert kept.status is built.status
    assert kept.nodes < built.nodes - 20_000  # of 32,768 before triples


def test_a_search_that_ends_before_tables_come_into_use_says_when_they_would():
    said = "no tables of triples within the limit of nodes: they are used after 32,768 nodes"
    assert solve_hard(nodes=20_000).without_tables == said


@pytest.mark.usefixtures("clock_of_nodes")
@pytest.mark.parametrize(("seconds", "said"), [(0.3, "no tables of triples within 0.3 s"), (2, "")])
def test_triples_are_begun_if_they_will_be_built_in_time_by_the_speed_so_far(seconds, said):
    found = solve_hard(seconds=seconds)
    assert found.without_tables.startswith(said)
    assert bool(said) == bool(found.without_tables)


def test_the_answer_says_which_limit_of_memory_left_no_room_for_tables_and_what_they_take():
    found = solve_hard(memory_mb=20)
    (needed,) = re.findall(
        r"no tables of triples within 20 MB: .* take ([\d.]+) MB", found.without_tables
    )
    assert solve_hard(memory_mb=float(needed) + 1).without_tables == ""
