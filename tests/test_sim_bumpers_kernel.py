"""Compilation of the kernel, its moves and colours, and graphs of layouts."""

from dataclasses import replace

import pytest

from pucklab.sim.bumpers import Colour, parse_position, play
from pucklab.sim.bumpers.kernel.layouts import (
    KIND_BIT,
    SWAP,
    UNKNOWN,
    MatMoves,
    edges_of,
    expand_layouts,
    mat_move_of,
    most_mat_moves,
    new_graph,
)
from pucklab.sim.bumpers.kernel.position import encode
from pucklab.sim.bumpers.moves import legal_mat_moves
from pucklab.sim.bumpers.perft import count_lines
from pucklab.sim.bumpers.solver import (
    Goal,
    Hand,
    Limits,
    MatCard,
    Question,
    Target,
    bring_in,
    solve,
)
from tests.bumpersboards import CLASSIC


def solutions():
    twist, shift = MatCard.TWIST, MatCard.SHIFT
    return [
        replace(
            solve(Question(CLASSIC, goal, Limits(max_actions=most), hand=Hand(cards))),
            seconds=0.0,
        )
        for goal, most, cards in (
            (Goal(), 3, ()),
            (Goal(targets=(Target(space=7),)), 2, ()),
            (bring_in(2), 4, ()),
            (bring_in(2), 4, (twist, shift)),
        )
    ]


def counts():
    small = parse_position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
    found = []
    for position, depth, mats in ((CLASSIC, 2, False), (small, 2, True)):
        *_, lines = count_lines(position, depth, mats=mats)
        found.append(lines.by_move)
    return found


def test_what_functions_do_is_the_same_compiled_as_written(request):
    expected = solutions(), counts()
    request.getfixturevalue("interpreted")
    assert (solutions(), counts()) == expected


def test_the_colours_that_may_move_are_the_side_to_move_by_default():
    start = parse_position("pb1:classic:RPa1.BPd4:-:R:-")
    assert len(encode(start).game.movable) == 1
    assert len(encode(start, colours={Colour.RED, Colour.BLUE}).game.movable) == 2


BOARDS = ("pb1:classic:-:-:-:-", "pb1:small:-:-:-:-", "pb1:K1.K2.K3/-.K4.-:-:-:-:-")


def graph_of(layout, *, one_piece=False):
    return new_graph(layout, MatMoves(turns=True, swaps=True, shifts=True, one_piece=one_piece))


@pytest.mark.parametrize("one_piece", [False, True])
@pytest.mark.parametrize("board", BOARDS)
def test_the_graph_follows_the_mat_moves_of_the_rules(board, one_piece):
    position = parse_position(board)
    rules = replace(position.rules, one_piece=one_piece)
    graph = graph_of(position.layout, one_piece=one_piece)
    expand_layouts(graph, [0])
    moves = [mat_move_of(coded) for coded in graph.layouts.moves[edges_of(graph, 0)].tolist()]
    assert tuple(moves) == legal_mat_moves(position.layout, rules)
    after = {play(replace(position, rules=rules), move)[0].layout for move in moves}
    assert len(graph.numbers) == len({position.layout, *after})


def test_an_arrangement_that_is_come_to_again_keeps_its_number():
    graph = graph_of(parse_position("pb1:small:-:-:-:-").layout)
    expand_layouts(graph, [0])
    turned = int(graph.layouts.after[0])
    expand_layouts(graph, [turned])
    back = graph.layouts.after[edges_of(graph, turned)]
    keys = graph.layouts.keys[: len(graph.numbers)]
    assert 0 in back
    assert len({key.tobytes() for key in keys}) == len(keys)


def test_only_the_kinds_of_mat_moves_that_are_asked_for_are_followed():
    graph = graph_of(parse_position("pb1:small:-:-:-:-").layout)
    expand_layouts(graph, [0], [SWAP])
    links = edges_of(graph, 0)
    is_swap = graph.layouts.moves[links] >> KIND_BIT == SWAP
    assert ((graph.layouts.after[links] != UNKNOWN) == is_swap).all()
    assert len(graph.numbers) == 1 + is_swap.sum()
    expand_layouts(graph, [0])
    assert (graph.layouts.after[links] != UNKNOWN).all()


@pytest.mark.parametrize("board", BOARDS)
def test_no_layout_has_more_mat_moves_than_there_is_room_for(board):
    graph = graph_of(parse_position(board).layout)
    expand_layouts(graph, [0])
    assert graph.layouts.total[0] <= most_mat_moves(len(graph.places[0]), graph.allowed)
