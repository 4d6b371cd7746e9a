"""Small boards for tests of Puck Bumpers."""

from pucklab.render.browser.exploring import initial_state, step_history, with_move
from pucklab.sim.bumpers import apply, parse_move, parse_position
from pucklab.sim.bumpers.position_notation import pieces_text

OPEN_9 = "X1/" + "/".join(["........."] * 9)
"""A mat of 9 by 9 open spaces."""

GOAL_9 = "X1/" + "/".join(["........."] * 3 + ["....ss..."] + ["........."] * 5)
"""The same with a goal on e6 and f6 that opens to the south."""

CLASSIC = parse_position(
    "pb1:classic:RPc3e2i5l9.RIb5n14.RMa8h12.OPc5e6.OIi2.YPj13k5.YMl11.GPo4p10.GIm8."
    "BPd12f14.BMg3.VPb14h15.VIk16:-:R:-"
)
"""The classic set-up with pieces of six colours."""

HARD = parse_position(
    "pb1:classic:RPn7a3g2a1.RIc9m3.RMg13l6."
    "YPd16o16g14c2.YIp8k2.YMe10f3.GPm14h8a6g5.GIb14p14.GMc16f6.BPd13m10k8j1.BIc15b13.BMe11g6:-:R:11ad"
)
"""Four pucks that take 11 actions or more."""


def position(pieces, *, mat=OPEN_9, layout="X1", rules="-", scored="-"):
    """Return a position with red to move, by default on one open mat of 9 by 9 spaces."""
    mats = f":mats={mat}" if mat else ""
    return parse_position(f"pb1:{layout}:{pieces}:{scored}:R{mats}:rules={rules}:-")


def explored(start, *moves):
    """Return a board being explored, with moves to come after the position shown."""
    state = initial_state(start)
    for move in moves:
        state = with_move(state, parse_move(state.position, move))
    return step_history(state, -len(moves))


def after(start, *moves):
    """Return the pieces after some moves."""
    for move in moves:
        start = apply(start, parse_move(start, move))
    return pieces_text(start)
