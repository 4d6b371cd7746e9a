"""Boards of sliding puzzles: drawings, forms of other programs, and solutions on them."""

import json

import numpy as np
import pytest

from pucklab.sim.bumpers import parse_position, position_text
from pucklab.sim.bumpers.board_forms import draw_board, is_board, read_board
from pucklab.sim.bumpers.solver import Limits, Question, Status, solve
from pucklab.sim.bumpers.solver.goals import goal_text as text_of
from pucklab.sim.bumpers.solver.goals import read_goal
from pucklab.sim.bumpers.solver.question import MOST_LINES
from tests.refusals import refused
from tests.slideboards import goal_text, random_goal, random_grid, shortest
from tests.slowness import slow
from tests.tables import cases

DAILY = """---
name: Test
minMoves: 2
---

```
+ A B C D +
1  |#   _ |
2 @ _     |
3    |  X\u0332  |
4
+---------+
```
"""


def differs(rng, most):
    """Return how the solver differs from a search on the drawing; empty if it does not."""
    grid = random_grid(rng)
    targets = random_goal(rng, grid)
    wanted, drawing = goal_text(grid, targets), grid.draw()
    position = read_board(drawing).position
    goal = read_goal(position, wanted)
    depth, length, ways = shortest(grid, targets, most)
    limits = Limits(max_actions=max(depth, 1))
    found = solve(Question(position, goal, limits, solutions=MOST_LINES))
    one = solve(Question(position, goal, limits))
    status = Status.PROVED_UNSOLVABLE if length is None else Status.SOLVED
    good = found.status is one.status is status
    if length is not None:
        good = good and len(found.line) == len(one.line) == length
        good = good and len(set(found.lines)) == len(found.lines) == min(ways, MOST_LINES)
    return "" if good else f"{drawing}{wanted}: {depth}, {length}, {ways}; {found}"


@pytest.mark.parametrize(("seed", "count", "most"), [(1, 40, 600), slow(2, 1000, 5000)])
def test_drawn_boards_have_as_many_shortest_solutions_as_a_search_on_the_drawing_finds(
    seed, count, most
):
    rng = np.random.default_rng(seed)
    found = [said for _ in range(count) if (said := differs(rng, most))]
    assert not found, found[0]


def test_a_drawing_is_read_back_as_it_was_written():
    rng = np.random.default_rng(3)
    for _ in range(30):
        grid = random_grid(rng)
        position = read_board(grid.draw()).position
        assert read_board(draw_board(position)).position == position
        assert parse_position(position_text(position)) == position
    drawing = "+-+-+-+\n|R . #|\n+ +-+ +\n|. B .|\n+-+-+-+\ngoal: to:c1:b1\n"
    board = read_board(drawing)
    (goal,) = board.goals.values()
    assert draw_board(board.position, [goal]) == drawing
    assert is_board(drawing)


@pytest.mark.parametrize("side", [1, 7, 16, 36])
def test_boards_of_any_size_up_to_36_by_36_fit(side):
    row = "|R" + " ." * (side - 1) + "|" if side > 1 else "|R|"
    edge = "+" + "-+" * side
    drawing = f"{edge}\n{row}\n{edge}\n"
    board = read_board(drawing)
    assert len(draw_board(board.position).splitlines()[1]) == 2 * side + 1


def test_a_daily_puzzle_is_read():
    board = read_board(DAILY)
    assert board.length == 2
    assert board.goal() == "to:d2:a3"
    drawn = draw_board(board.position).splitlines()
    assert drawn[1:-1:2] == ["|.|B . .|", "|R . . .|", "|. .|. .|", "|. . . .|"]
    assert drawn[2:-1:2] == ["+ + + +-+", "+ +-+ + +", "+ + + +-+"]


def masks(walls, side=4):
    """Return the masks of a board with its edge and some walls, each from both sides."""
    grid = [0] * side * side
    for n in range(side):
        for cell, bit in (
            (n, 1),
            (n * side, 8),
            (side * side - 1 - n, 4),
            (n * side + side - 1, 2),
        ):
            grid[cell] |= bit
    for cell, bit in walls:
        grid[cell] |= bit
        other, back = {
            1: (cell - side, 4),
            2: (cell + 1, 8),
            4: (cell + side, 1),
            8: (cell - 1, 2),
        }[bit]
        grid[other] |= back
    return grid


def test_wall_masks_an_editor_and_a_drawing_of_the_same_board_give_the_same_position():
    rows = [
        "|. .|R .|",
        "+ +-+ + +",
        "|B . . G|",
        "+ + + + +",
        "|. . Y .|",
        "+ + + + +",
        "|. . . .|",
    ]
    drawing = "\n".join(["+-+-+-+-+", *rows, "+-+-+-+-+"])
    value = {"grid": masks([(1, 2), (1, 4)]), "robots": [2, 7, 4, 10], "robot": 2, "token": 15}
    from_masks = read_board(json.dumps(value))
    fields = [
        [
            {
                "bottom": (x, y) == (1, 0) or y == 3,
                "right": (x, y) == (1, 0) or x == 3,
                "target": None,
            }
            for y in range(4)
        ]
        for x in range(4)
    ]
    fields[3][3]["target"] = {"variant": "Blue", "fields": ["Hexagon"]}
    fields[0][3]["target"] = "Spiral"
    robots = [[2, 0], [3, 1], [0, 1], [2, 2]]
    from_editor = read_board(json.dumps([{"rob_position": robots}, {"fields": fields}]))
    rows = [list(row) for row in zip(*fields, strict=True)]
    from_rows = read_board(json.dumps([{"rob_position": robots}, {"fields": rows}]))
    position = read_board(drawing).position
    for board in (from_masks, from_editor, from_rows):
        assert board.position == position
    assert from_masks.goal() == "to:d1:a3"
    named = {name: text_of(position, goal) for name, goal in from_editor.goals.items()}
    assert named == {"blue hexagon": "to:d1:B", "spiral": "to:a1"}
    refused(from_editor.goal, said="goal: the board has 2; give one of to:a1 (spiral)")


def test_quadrants_are_turned_into_place():
    corner = "NWBT,X,X,X"
    value = {"quadrants": [corner, "NW,N,X,X", "NW,N,X,X", "NW,N,X,X"], "robots": [5, 6, 9, 10]}
    board = read_board(json.dumps(value | {"token": "BT"}))
    assert board.goal() == "to:a4:b2"
    assert draw_board(board.position).count("-") == 8


@cases(
    "drawing said",
    r"""
    "+-+\n|.|\n+-+" => board: there is no piece
    "+-+-+\n|R .|\n+-+" => row 2, column 2: line 3 has 3 signs; the first has 5
    "+-+-+\n|R q|\n+-+-+" => row 1, column 2: 'q' is no cell; give . # R O Y G B V
    "+-+-+\n|R*.|\n+-+-+" => row 1, column 1: '*' is no edge; give | or a blank
    "+-+-+\n|R #|\n+-+-+\ngoal: to:b1" => goal: b1 is a pool
    "+-+-+\n|R|.|\n+-+-+\ngoal: to:b1" => row 1, column 2: no such piece can reach the target
    "+-+-+\n|R .|\n+-+-+\ngoal: to:a1:b1" => goal: no piece stands on b1; it is empty
    "+-+-+\n|R .|" => board is no board; give a drawing of 2 n + 1 lines
    "{\"grid\": [1, 2, 3]}" => grid: 3 cells are no square
    "{\"grid\": [99], \"robots\": [0], \"token\": 0}" => row 1, column 1: 99 is no sum of
    "{\"grid\": [0, 0, 0, 0], \"robots\": [7], \"token\": 0}" => 7 is no cell; give 0 to 3
    "{\"grid\": [0, 0, 0, 0], \"robots\": [1, 1], \"token\": 0}" => row 1, column 2: two pieces
    "{\"grid\": [0, 0, 0, 0], \"robots\": [1], \"token\": true}" => True is no cell
    "[1" => is no JSON
    "[{\"fields\": [[1]]}]" => rob_position: give 1 to 4 pairs
    "+ A B +\n1 @ Q |" => row 1, column 2: 'Q' is not accepted; give one of | _ @ # X
    "+ A B +\n1 @   |" => the drawing has 0 signs X; give one
    "+ A B +\n1 @ @ |" => the drawing has 2 signs @; give one
    "+ A B +\n1 @ X  X|" => row 1, column 3
    """,
)
def test_a_drawing_with_a_mistake_is_refused_with_row_and_column(drawing, said):
    refused(read_board, json.loads(drawing), said=said)


def test_a_piece_too_many_is_refused_where_it_stands():
    drawing = "\n".join(["+" + "-+" * 16, *["|" + " ".join("R" * 16) + "|", "+" + " +" * 16] * 15])
    drawing += "\n|" + " ".join("R" * 16) + "|\n+" + "-+" * 16
    refused(read_board, drawing, said="row 16, column 11: a piece too many; at most 250 fit")
