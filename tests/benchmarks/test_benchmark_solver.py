"""Speed of solving Puck Bumpers positions; reported, never judged.

Random positions on the classic board: four colours with all their pieces, red to move.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import numpy as np
import pytest

from pucklab.sim.bumpers import Colour, Piece, make_position, open_spaces, setup_named
from pucklab.sim.bumpers.kernel.layouts import MatMoves
from pucklab.sim.bumpers.mats import PIECES_EACH
from pucklab.sim.bumpers.solver import Hand, Limits, MatCard, Question, bring_in, solve

STILL = MatMoves(turns=False, swaps=False, shifts=False, one_piece=False)
PLAYERS = (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE)


def random_positions(count):
    """Return random positions with the pieces of four players."""
    layout = setup_named("classic").layout
    rng = np.random.default_rng(31)
    pieces = [
        Piece(colour, kind)
        for colour in PLAYERS
        for kind, each in PIECES_EACH.items()
        for _ in range(each)
    ]
    found = []
    for _ in range(count):
        spaces = rng.choice(open_spaces(layout), len(pieces), replace=False).tolist()
        placed = dict(zip(spaces, pieces, strict=True))
        found.append(make_position(layout, placed, to_move=Colour.RED))
    return found


@pytest.mark.parametrize(
    ("pucks", "actions", "count", "cards"),
    [
        (1, 20, 500, ()),
        (2, 6, 100, ()),
        (4, 9, 10, ()),
        (4, 12, 4, ()),
        (1, 20, 100, (MatCard.TWIST,)),
    ],
    ids=[
        "one puck",
        "two pucks within 6",
        "four pucks within 9",
        "four pucks within 12",
        "one puck and a card",
    ],
)
def test_solving_random_positions(benchmark, pucks, actions, count, cards):
    positions = random_positions(count)
    goal, limits = bring_in(pucks), Limits(max_actions=actions)
    solve(Question(positions[0], goal, limits, hand=Hand(cards)))
    milliseconds = []
    nodes = []

    def solve_all():
        for position in positions:
            found = solve(Question(position, goal, limits, hand=Hand(cards)))
            milliseconds.append(1000 * found.seconds)
            nodes.append(found.nodes)

    benchmark(solve_all)
    info = getattr(benchmark, "extra_info", {})
    info["median_ms"], info["p99_ms"] = np.percentile(milliseconds, [50, 99]).round(2).tolist()
    info["most_ms"] = round(max(milliseconds), 2)
    info["nodes_per_s"] = round(1000 * sum(nodes) / sum(milliseconds))
