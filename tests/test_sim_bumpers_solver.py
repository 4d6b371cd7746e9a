"""The solver: shortest solutions and proofs, checked by plain breadth-first search and replay."""

import tracemalloc
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from pucklab.sim.bumpers import (
    Colour,
    Kind,
    Piece,
    PieceMove,
    layout_problems,
    parse_position,
    play,
    position_text,
)
from pucklab.sim.bumpers.kernel import pattern_database
from pucklab.sim.bumpers.kernel.pattern_database import TRIPLES
from pucklab.sim.bumpers.solver import (
    Goal,
    Hand,
    Limits,
    MatCard,
    Question,
    Status,
    bring_in,
    solve,
)
from pucklab.sim.bumpers.solver.goals import goal_text, read_goal
from pucklab.sim.bumpers.solver.question import MOST_LINES
from tests.bumpersboards import CLASSIC, GOAL_9, HARD, position
from tests.make_bumpers_perft import read_cases as read_boards
from tests.make_bumpers_solver import (
    HANDS,
    KINDS,
    SEVERAL,
    follow,
    is_reached,
    named_pieces,
    plain_search,
    random_cases,
    read_cases,
)
from tests.refusals import refused
from tests.slowness import slow
from tests.tables import cases

CASES = read_cases()
BOARDS = {
    case.name: case.position
    for case in read_boards()
    if Piece(case.position.to_move or Colour.RED, Kind.PUCK)
    in [piece for _, piece in case.position.pieces]
}
# From a1 a lone puck reaches a1, a9, i1 and i9 only: no solution of any length.
CORNERS = position("RPa1", mat=GOAL_9)


def is_solution(start, goal, solution):
    """Replay a line by the rules; return whether its last action alone reaches the goal."""
    position, named = start, named_pieces(goal)
    reached = []
    for move in solution.line:
        position, change = play(position, move, temporary=not isinstance(move, PieceMove))
        named = follow(named, change.movements)
        reached.append(is_reached(start, position, goal, named))
    return reached.count(True) == 1 and reached[-1]


def differs(start, goal, cards, positions, *, one_turn=False):
    """Return how the solver differs from plain search; empty if it does not."""
    actions, shortest, ways = plain_search(start, goal, positions, cards, one_turn=one_turn)
    limits = Limits(max_actions=actions)
    hand = Hand(cards)
    found = solve(Question(start, goal, limits, hand, one_turn, solutions=MOST_LINES))
    wanted = Status.PROVED_UNSOLVABLE if shortest is None else Status.SOLVED
    same = found.status is wanted and len(found.line) == (shortest or 0)
    same = same and len(set(found.lines)) == min(ways, MOST_LINES)
    if shortest and not is_solution(start, goal, found):
        same = False
    described = f"{position_text(start)} {goal_text(start, goal)} {cards}: {shortest}, {ways} ways"
    return "" if same else f"{described}; {found.status}, {len(found.lines)} ways, {found.line}"


def wrong(kind, seed, count, positions, *, mats=False):
    """Return how the solver differs from plain search on some random cases."""
    cases = random_cases(np.random.default_rng(seed), kind)
    hands = (*HANDS, tuple(MatCard)) if mats else ((),)
    described = [
        differs(start, goal, hands[index % len(hands)], positions)
        for index, (start, goal) in enumerate(islice(cases, count))
    ]
    return [said for said in described if said]


# Right answers.


@pytest.mark.parametrize("goal", sorted({goal_text(c.position, c.goal)[:2] for c in CASES}))
def test_solutions_are_as_short_as_breadth_first_search_by_the_plain_rules_found(goal):
    for case in CASES:
        if not goal_text(case.position, case.goal).startswith(goal):
            continue
        found = solve(
            Question(
                case.position, case.goal, Limits(max_actions=case.actions), hand=Hand(case.cards)
            )
        )
        named = position_text(case.position), goal_text(case.position, case.goal)
        if case.shortest is None:
            assert found.status is Status.PROVED_UNSOLVABLE, named
            assert found.lower_bound is None or found.lower_bound > case.actions
        else:
            assert (found.status, len(found.line)) == (Status.SOLVED, case.shortest), named
            assert found.lower_bound == case.shortest
            assert is_solution(case.position, case.goal, found), named


@pytest.mark.parametrize("kind", [*KINDS, "3", *SEVERAL])
@pytest.mark.parametrize(("seed", "count", "most"), [(21, 3, 300), slow(23, 75, 3000)])
def test_random_positions_have_as_many_shortest_solutions_as_plain_search_finds(
    kind, seed, count, most
):
    assert not wrong(kind, seed, count, most)


@pytest.mark.parametrize("kind", [*KINDS, "3", *SEVERAL])
@pytest.mark.parametrize(("seed", "count", "most"), [(22, 2, 100), slow(24, 40, 2000)])
def test_so_have_random_positions_with_mat_cards_in_hand(kind, seed, count, most):
    assert not wrong(kind, seed, count, most, mats=True)


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("cards", [(), (MatCard.TWIST,)], ids=["no card", "a card"])
def test_boards_of_any_shape_and_rules_are_solved_as_by_plain_search(name, cards):
    assert not differs(BOARDS[name], Goal(), cards, 60)


def in_series(seed, count, positions):
    """Compare small boards with cards of one turn; return what differs."""
    rng = np.random.default_rng(seed)
    said = []
    hands = [(MatCard.SHIFT,) * 2, (MatCard.SHIFT,) * 3, (MatCard.SWAP, *(MatCard.SHIFT,) * 2)]
    for index in range(count):
        start, goal = next(
            case for case in random_cases(rng, "1") if len(case[0].layout.faces) <= 3
        )
        start = replace(start, rules=replace(start.rules, one_piece=bool(index % 2)))
        if layout_problems(start.layout, start.rules):
            continue
        cards = hands[index % len(hands)]
        said.append(differs(start, goal, cards, positions, one_turn=True))
    return [each for each in said if each]


@pytest.mark.parametrize(
    ("seed", "count", "most"), [(27, 3, 400), *(slow(seed, 30, 1_000) for seed in range(60, 65))]
)
def test_pb_23_in_one_turn_mats_may_lie_illegally_for_a_while_as_in_plain_search(seed, count, most):
    assert not in_series(seed, count, most)


def bridge(turn, *, spare="ooo", more=""):
    """Return a row of mats of which only the middle one leads from the puck's to the goal's.

    It must come to lie between them the other way round: it is lifted first, which leaves a mat
    alone until the second one follows.
    """
    mats = f"mats=A1/..o/{spare}/ooo,B1/.../.oo/.oo,C1/ooo/ooe/ooe"
    row = {0: "A1.B1.C1", 90: "A1@90/B1@90/C1@90", 180: "C1@180.B1@180.A1@180"}
    puck = {0: "b3", 90: "c8", 180: "h1"}[turn]
    return parse_position(f"pb1:{row[turn]}:RP{puck}{more}:-:R:{mats}")


@pytest.mark.parametrize("turn", [0, 90, 180])
def test_pb_23_a_layout_that_is_illegal_on_the_way_shortens_a_line(turn):
    start, limits = bridge(turn), Limits(max_actions=6)
    found = [
        solve(
            Question(start, limits=limits, hand=Hand((MatCard.SHIFT,) * shifts), one_turn=one_turn)
        )
        for shifts, one_turn in ((2, False), (3, False), (2, True))
    ]
    assert [len(each.line) for each in found] == [0, 6, 5]


@pytest.mark.parametrize(
    ("spare", "more", "most"),
    [
        ("ooo", "", 3000),
        *(
            slow(spare, more, 6000)
            for spare in ("ooo", "o.o", ".oo", "...")
            for more in ("", ".RMa3", ".RMd2", ".RId1", ".BPf3")
        ),
    ],
)
def test_pb_23_plain_search_finds_the_same_shortened_lines(spare, more, most):
    start = bridge(0, spare=spare, more=more)
    assert not differs(start, Goal(), (MatCard.SHIFT, MatCard.SHIFT), most, one_turn=True)


def test_a_named_puck_is_not_taken_for_another_of_its_colour():
    # e1 comes in at once; only then can a1 slide to e1, where e1 stood.
    start = position("RPa1e1.BMf1", mat=GOAL_9)
    needed = {
        text: len(solve(Question(start, read_goal(start, text))).line)
        for text in ("puck:e1", "puck:a1")
    }
    assert needed == {"puck:e1": 1, "puck:a1": 3}


def test_what_no_piece_can_ever_reach_has_no_solution_of_any_length():
    # The goal's front is the edge of the board.
    found = solve(Question(position("RPa1", mat="X1/nn./.../...")))
    assert (found.status, found.lower_bound) == (Status.PROVED_UNSOLVABLE, None)
    assert found.nodes == 0


def test_a_lone_puck_between_corners_is_proved_unsolvable():
    found = solve(Question(CORNERS, limits=Limits(max_actions=30)))
    assert found.status is Status.PROVED_UNSOLVABLE
    assert found.lower_bound == 31


# The same every time; limits.


@pytest.mark.parametrize(
    ("start", "pucks", "cards", "nodes"),
    [
        (CLASSIC, 3, (), 1571),
        (HARD, 2, (), 9035),
        (HARD, 2, (MatCard.TWIST,), 1099),
        slow(CLASSIC, 4, (), 33_364),
    ],
)
def test_no_more_nodes_are_visited_than_with_all_pruning(start, pucks, cards, nodes):
    """Pruning that gets lost changes no answer, only these counts."""
    assert solve(Question(start, bring_in(pucks), hand=Hand(cards))).nodes == nodes


@pytest.mark.parametrize("nodes", [1, 1000, 20_000])
def test_a_limit_of_nodes_keeps_the_bound_that_is_proved(nodes):
    found = solve(Question(CLASSIC, bring_in(None), Limits(nodes=nodes)))
    assert (found.status, found.limit, found.nodes) == (Status.LIMIT_REACHED, "nodes", nodes)
    assert found.line == ()
    assert found.lower_bound is not None
    assert 4 <= found.lower_bound <= 11


def test_a_limit_of_time_ends_the_search():
    found = solve(Question(CLASSIC, bring_in(None), Limits(seconds=0.01)))
    assert (found.status, found.limit) == (Status.LIMIT_REACHED, "seconds")


def test_a_small_table_gives_the_same_length():
    small, large = (
        solve(Question(CLASSIC, bring_in(3), Limits(memory_mb=memory))) for memory in (8, 1024)
    )
    assert len(small.line) == len(large.line)


@pytest.mark.parametrize("cards", [(), (MatCard.TWIST, MatCard.SHIFT, MatCard.SHIFT)])
def test_memory_stays_under_its_limit(cards):
    solve(Question(CLASSIC, limits=Limits(max_actions=1), hand=Hand(cards)))
    pattern_database._in_memory.clear()
    tracemalloc.start()
    limits = Limits(nodes=400_000, memory_mb=50)
    found = solve(Question(HARD, bring_in(None), limits, hand=Hand(cards)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 50e6
    assert (found.status, found.limit) == (Status.LIMIT_REACHED, "memory" if cards else "nodes")
    assert [kept.size for kept in pattern_database._in_memory.values()] == [TRIPLES] * (not cards)


def test_what_is_known_gets_better_until_the_answer():
    states = []
    found = solve(Question(CLASSIC, bring_in(3)), watch=states.append)
    bounds = [state.lower_bound or 0 for state in states]
    assert bounds == sorted(bounds)
    assert len(set(bounds)) > 1
    assert states[-1] == found


def test_ctrl_c_ends_the_search_and_leaves_what_is_proved(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pucklab.sim.bumpers.solver.run.search_depth_first", interrupted)
    states = []
    with pytest.raises(KeyboardInterrupt):
        solve(Question(CLASSIC, bring_in(2)), watch=states.append)
    assert (states[-1].status, states[-1].lower_bound) == (Status.LIMIT_REACHED, 3)


# Bad input.


@pytest.mark.parametrize("goal", ["1", "4", "all", "2:B", "all:V", "puck:c3", "to:a1", "to:a1:R"])
def test_a_goals_text_reads_back_as_the_goal(goal):
    assert goal_text(CLASSIC, read_goal(CLASSIC, goal)) == goal


@cases(
    "text said",
    """
    0 => goal: '0' is not accepted; give 1 to 4 or all
    5 => goal: '5' is not accepted
    => goal: '' is not accepted
    all:Q => goal: 'all:Q': 'Q' is not a colour; give R, O, Y, G, B, V
    all:R:B => goal: 'all:R:B' is not accepted
    puck => goal: 'puck' is not accepted
    puck:z99 => goal: there is no space 'z99'; the board is a1 to p16
    puck:a1 => goal: no puck stands on a1; it is empty
    puck:b5 => goal: no puck stands on b5
    puck:c3,puck:c3 => goal: the piece on c3 cannot be in two places at once
    to:c4,to:c4:R => goal: two pieces cannot be on c4 at once
    to:c4:a1 => goal: no piece stands on a1; it is empty
    1,stop:B => goal: '1,stop:B' is not accepted
    to:c4:b5:R => goal: 'to:c4:b5:R' is not accepted
    to:g1 => goal: g1 is a pool; no piece comes there
    4:B => goal: blue has 2 pucks on the board, 4 wanted
    """,
)
def test_a_goal_that_is_none_is_one_clear_line(text, said):
    refused(lambda: solve(Question(CLASSIC, read_goal(CLASSIC, text))), said=f"^{said}")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("BPa1:R4:R", "goal: all pucks of red are in already"),
        ("RPa1:-:-", "position: nobody is to move"),
    ],
)
def test_a_position_with_nothing_to_solve_is_refused(line, said):
    refused(solve, Question(parse_position(f"pb1:classic:{line}:-")), said=said)


@pytest.mark.parametrize(
    ("line", "goal"),
    [
        ("BPa1:R4", "all"),
        ("RPc3:-", "to:c3"),
        ("RPc3d9:-", "to:d9:R,to:c3:c3"),
        ("BPa1c3:R4", "all,to:a1:B"),
    ],
)
def test_a_goal_that_is_reached_already_takes_no_action(line, goal):
    start = parse_position(f"pb1:classic:{line}:R:-")
    found = solve(Question(start, read_goal(start, goal), hand=Hand((MatCard.TWIST,))))
    assert (found.status, found.line, found.lower_bound) == (Status.SOLVED, (), 0)
    assert (found.lines, found.complete, found.nodes) == (((),), True, 0)


def test_limits_that_are_none_are_refused():
    for fields in ({"max_actions": 0}, {"nodes": 0}, {"seconds": 0.0}, {"memory_mb": 0.0}):
        refused(Limits, **fields, said=f"^{next(iter(fields))}: 0")


def test_a_colour_without_pieces_to_move_has_no_solution():
    start = parse_position("pb1:classic:BPa1:-:R:-")
    found = solve(Question(start, bring_in(colour=Colour.BLUE), Limits(max_actions=5)))
    assert found.status is Status.PROVED_UNSOLVABLE
