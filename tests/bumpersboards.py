"""Small boards for tests of Puck Bumpers."""

from sim.bumpers import apply, parse_move, parse_position
from sim.bumpers.position_notation import pieces_text

OPEN_9 = "X1/" + "/".join(["........."] * 9)
"""A mat of 9 by 9 open spaces."""

GOAL_9 = "X1/" + "/".join(["........."] * 3 + ["....ss..."] + ["........."] * 5)
"""The same with a goal on e6 and f6 that opens to the south."""


def position(pieces, *, mat=OPEN_9, layout="X1", rules="-", scored="-"):
    """Return a position with red to move, by default on one open mat of 9 by 9 spaces."""
    mats = f":mats={mat}" if mat else ""
    return parse_position(f"pb1:{layout}:{pieces}:{scored}:R{mats}:rules={rules}:-")


def after(start, *moves):
    """Return the pieces after some moves."""
    for move in moves:
        start = apply(start, parse_move(start, move))
    return pieces_text(start)
