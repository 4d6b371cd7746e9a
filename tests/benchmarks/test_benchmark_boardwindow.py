"""Speed of drawing a board in its window; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import pytest

from render.boardwindow import BoardExplorer, initial_state, with_moves
from render.canvas import new_surface
from render.palette import DARK
from sim.bumpers import legal_moves, move_text
from sim.bumpers.game import make_table, random_start

FRAME_S = 1 / 60


@pytest.mark.parametrize("gliding", ["piece", "mat"])
def test_frames_of_a_move_on_a_full_board_at_1280_by_800(benchmark, gliding):
    start = random_start(make_table(6), 1).position
    moves = legal_moves(start, mats=True)
    move = moves[0] if gliding == "piece" else moves[-1]
    view = BoardExplorer(with_moves(initial_state(start), [move_text(start, move)]))
    surface = new_surface(1280, 800)

    def ten_frames():
        view.go_to(0)
        view.go_to(1)
        for _ in range(10):
            view.advance(FRAME_S)
            view.draw(surface, DARK)

    benchmark(ten_frames)
