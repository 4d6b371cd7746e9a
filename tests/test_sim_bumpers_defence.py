"""Defences: actions after which another colour cannot score, checked by trying everything."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from pucklab.sim.bumpers import (
    Colour,
    Kind,
    Piece,
    layout_problems,
    legal_moves,
    make_position,
    open_spaces,
    play,
    position_text,
)
from pucklab.sim.bumpers.solver import Defence, Hand, Limits, MatCard, Question, Status, solve
from pucklab.sim.bumpers.solver.goals import goal_text, read_goal
from pucklab.sim.bumpers.solver.question import MOST_LINES
from pucklab.sim.bumpers.solver.solution import line_texts
from tests.bumpersboards import GOAL_9, position
from tests.make_bumpers_solver import moved, random_layout, spaces_before_goals
from tests.refusals import refused
from tests.slowness import slow
from tests.tables import cases

BLUE_1, BLUE_2 = Defence(colour=Colour.BLUE), Defence(colour=Colour.BLUE, turn_actions=2)
# Blue comes in from e1 at once; the meeple can step into the way, or bump the puck off.
THREAT = position("BPe1.RMd1", mat=GOAL_9)
TWO_THREATS = position("BPe1f1.RMa9b9.RIa8.RPa7", mat=GOAL_9)


@lru_cache(maxsize=100_000)
def can_score(start, actions):
    """Return whether the side to move can bring a puck of its own in, by trying everything."""
    for move in legal_moves(start):
        after, _ = play(start, move)
        if after.scored[start.to_move] > start.scored[start.to_move]:
            return True
        if actions > 1 and can_score(after, actions - 1):
            return True
    return False


def is_safe(start, goal):
    return not can_score(replace(start, to_move=goal.colour), goal.turn_actions)


def is_lawful(start):
    return not layout_problems(start.layout, start.rules)


def plain_defences(start, goal, actions, cards=(), *, one_turn=False):
    """Return all shortest defences of at most some actions, by trying everything."""
    lines = [((), (start, (), cards))]
    for _ in range(actions):
        lines = [
            ((*line, move), state)
            for line, before in lines
            for move, state in moved(before, one_turn=one_turn)
            if state[0].scored[goal.colour] == start.scored[goal.colour]
        ]
        found = [line for line, (end, *_) in lines if is_lawful(end) and is_safe(end, goal)]
        if found:
            return found
    return []


def random_threat(rng, goal):
    """Return a small position in which blue can score."""
    while True:
        layout = random_layout(rng)
        near = spaces_before_goals(layout)
        if len(layout.faces) > 5 or not near:
            continue
        pieces = [
            Piece(Colour.BLUE, Kind.PUCK),
            Piece(Colour.RED, Kind.MEEPLE),
            Piece(Colour.RED, Kind.PUCK),
            Piece(Colour.BLUE, Kind(str(rng.choice(["P", "I", "M"])))),
        ]
        spaces = rng.choice(open_spaces(layout), len(pieces), replace=False)
        if rng.random() < 0.7 and near[0] not in spaces:
            spaces[0] = near[int(rng.integers(len(near)))]
        if len(set(spaces.tolist())) < len(pieces):
            continue
        placed = dict(zip(spaces.tolist(), pieces, strict=True))
        start = make_position(layout, placed, to_move=Colour.RED)
        if not is_safe(start, goal):
            return start


def differs(start, goal, actions, cards=(), *, one_turn=False):
    """Return how the solver differs from trying everything; empty if it does not."""
    wanted = plain_defences(start, goal, actions, cards, one_turn=one_turn)
    limits = Limits(max_actions=actions)
    found = solve(
        Question(start, goal, limits, hand=Hand(cards), one_turn=one_turn, solutions=MOST_LINES)
    )
    status = Status.SOLVED if wanted else Status.PROVED_UNSOLVABLE
    good = found.status is status and sorted(found.lines, key=str) == sorted(wanted, key=str)
    good = good and (found.complete or not wanted) and len(found.lines) == len(set(found.lines))
    described = f"{position_text(start)} {goal_text(start, goal)}: {len(wanted)} ways"
    return "" if good else f"{described}; {found.status}, {len(found.lines)} ways"


# Right answers.


def test_every_piece_that_can_step_in_between_is_found():
    # The meeple comes to e2, before the puck on e1, in two actions, the ice block to e3.
    start = position("BPe1.RMc2.RIc3", mat=GOAL_9)
    found = solve(Question(start, BLUE_1, solutions=MOST_LINES))
    assert [line_texts(start, line) for line in found.lines] == [["c3E", "d3E"], ["c2E", "d2E"]]
    assert found.complete


def test_what_stops_one_action_need_not_stop_two():
    # Bumped to i1, blue would come back to f1, beside the meeple on e1, and go in from there.
    assert [
        line_texts(THREAT, line)
        for line in solve(Question(THREAT, BLUE_1, solutions=MOST_LINES)).lines
    ] == [["d1Ex"]]
    two = solve(Question(THREAT, BLUE_2, solutions=MOST_LINES))
    assert [line_texts(THREAT, line) for line in two.lines] == [
        ["d1N", "d2E"],
        ["d1Ex", "e1N"],
        ["d1Ex", "e1E"],
    ]


def test_sending_the_puck_in_oneself_is_no_defence():
    start = position("BPe2.RMe1", mat=GOAL_9)  # e1N would bump it in
    assert solve(Question(start, BLUE_1, Limits(max_actions=1))).status is Status.PROVED_UNSOLVABLE


@pytest.mark.parametrize(
    ("seed", "goal", "actions", "count"),
    [
        (5, BLUE_1, 2, 6),
        (5, BLUE_2, 1, 6),
        slow(99, BLUE_1, 2, 100),
        slow(99, BLUE_2, 1, 100),
        slow(99, BLUE_2, 2, 8),
    ],
)
def test_random_threats_have_the_defences_that_trying_everything_finds(seed, goal, actions, count):
    rng = np.random.default_rng(seed)
    described = [differs(random_threat(rng, goal), goal, actions) for _ in range(count)]
    assert not [said for said in described if said]


@pytest.mark.parametrize("card", MatCard)
def test_so_have_threats_with_a_mat_card_in_hand(card):
    rng = np.random.default_rng(7)
    described = [differs(random_threat(rng, BLUE_1), BLUE_1, 1, (card,)) for _ in range(2)]
    assert not [said for said in described if said]


@pytest.mark.parametrize(("seed", "count"), [(11, 2), slow(12, 40)])
def test_pb_23_defences_of_one_turn_are_those_of_trying_everything(seed, count):
    rng = np.random.default_rng(seed)
    said = []
    cards = (MatCard.SHIFT, MatCard.SHIFT)
    while len(said) < count:
        start = random_threat(rng, BLUE_1)
        start = replace(start, rules=replace(start.rules, one_piece=bool(len(said) % 2)))
        if len(start.layout.faces) <= 3 and is_lawful(start):
            said.append(differs(start, BLUE_1, 2, cards, one_turn=True))
    assert not [each for each in said if each]


def test_no_defence_within_the_actions_is_proved():
    found = solve(Question(position("BPe1.RMa9", mat=GOAL_9), BLUE_1, Limits(max_actions=3)))
    assert found.status is Status.PROVED_UNSOLVABLE
    assert (found.lower_bound, found.line) == (4, ())


def test_a_side_that_runs_out_of_positions_has_no_defence_of_any_length():
    found = solve(Question(position("BPe1.RPa9.YIa8b9", mat=GOAL_9), BLUE_1))
    assert (found.status, found.lower_bound) == (Status.PROVED_UNSOLVABLE, None)


# The same every time; limits.


def test_the_same_search_gives_the_same_answer_and_node_count():
    first, second = (solve(Question(THREAT, BLUE_2, solutions=MOST_LINES)) for _ in range(2))
    assert (first.lines, first.nodes) == (second.lines, second.nodes)


@pytest.mark.parametrize("nodes", [1, 20, 60])
def test_a_limit_of_nodes_keeps_the_bound_that_is_proved(nodes):
    start = position("BPe1.RMa9", mat=GOAL_9)
    found = solve(Question(start, BLUE_1, Limits(nodes=nodes)))
    assert (found.status, found.limit) == (Status.LIMIT_REACHED, "nodes")
    whole = solve(Question(start, BLUE_1))
    assert 1 <= (found.lower_bound or 0) <= len(whole.line)


def test_a_limit_of_time_ends_the_search():
    found = solve(Question(TWO_THREATS, BLUE_2, Limits(seconds=0.05)))
    assert (found.status, found.limit) == (Status.LIMIT_REACHED, "seconds")


def test_a_limit_of_memory_ends_the_search():
    found = solve(Question(TWO_THREATS, BLUE_2, Limits(memory_mb=8)))
    assert (found.status, found.limit) == (Status.LIMIT_REACHED, "memory")


def test_ctrl_c_ends_the_search_and_leaves_what_is_proved():
    states = []

    def watch(state):
        states.append(state)
        if state.lower_bound == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(Question(position("BPe1.RMa9", mat=GOAL_9), BLUE_1), watch=watch)
    assert (states[-1].status, states[-1].lower_bound) == (Status.LIMIT_REACHED, 3)


def test_no_more_defences_are_listed_than_were_asked_for_at_most():
    some = solve(Question(THREAT, BLUE_2, solutions=2))
    assert (len(some.lines), some.complete, some.limit) == (2, False, "lines")


# Goals, and bad input.


@pytest.mark.parametrize("goal", ["stop:B:1", "stop:B:12", "stop:O:3"])
def test_a_defences_text_reads_back(goal):
    assert goal_text(THREAT, read_goal(THREAT, goal)) == goal


def test_the_turn_to_stop_has_the_actions_of_the_rule():
    assert read_goal(THREAT, "stop:B", turn=3) == Defence(colour=Colour.BLUE, turn_actions=3)


@cases(
    "text said",
    """
    stop => goal: 'stop' is not accepted; give 1 to 4 or all
    stop:Q => goal: 'stop:Q': 'Q' is not a colour; give R, O, Y, G, B, V
    stop:B:x => goal: 'stop:B:x': 'x' is not a number of actions; give 1 to 12
    stop:B:0 => goal: 0 is not accepted; give a whole number from 1 to 12
    stop:B:99 => goal: 99 is not accepted
    stop:B:1:1 => goal: 'stop:B:1:1' is not accepted
    stop:R => goal: red is to move; give another colour to stop
    stop:G => goal: green has no puck on the board
    """,
)
def test_a_defence_that_is_none_is_one_clear_line(text, said):
    refused(lambda: solve(Question(THREAT, read_goal(THREAT, text))), said=f"^{said}")


def test_a_colour_that_cannot_score_anyhow_is_refused():
    start = position("BPa1.RMd1", mat=GOAL_9)
    refused(
        solve, Question(start, BLUE_2), said="goal: blue cannot score within 2 actions as it is"
    )


def test_where_a_card_changes_every_turn_the_actions_must_be_given():
    refused(
        read_goal,
        THREAT,
        "stop:B",
        turn=None,
        said="a card in hand changes the actions of every turn",
    )
