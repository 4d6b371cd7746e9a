"""Moves as text without their outcome.

``c7N`` is the piece on c7 going north; ``T:K3+90`` turns mat K3 clockwise, ``S:G1,K3`` swaps two
mats, ``H:K3,G1.N`` shifts K3 to the slot north of G1. The first mat by name that is next to the
slot says where it is; where none is, ``G1.NN`` counts steps on the lattice.
"""

from sim.bumpers.board import board_of
from sim.bumpers.directions import Direction
from sim.bumpers.layout import Layout
from sim.bumpers.moves import Move, PieceMove, Shift, Turn


def plain_text(layout: Layout, move: Move) -> str:
    """Return a move's text, on the layout before it.

    Example:
        >>> from sim.bumpers.house import setups
        >>> from sim.bumpers.moves import Swap
        >>> layout = setups()["small"].layout
        >>> plain_text(layout, Swap(0, 1)), plain_text(layout, Shift(0, (-1, 1)))
        ('S:B5,B6', 'H:B5,K5.N')
    """
    if isinstance(move, PieceMove):
        board = board_of(layout)
        return board.name(board.squares[move.space]) + move.direction.name
    names = [face.name for face in layout.faces]
    if isinstance(move, Turn):
        return f"T:{names[move.mat]}+{90 * move.quarters}"
    if isinstance(move, Shift):
        return f"H:{names[move.mat]},{_place_text(layout, move)}"
    return f"S:{names[move.first]},{names[move.second]}"


def _place_text(layout: Layout, move: Shift) -> str:
    """Return the slot of a shift as seen from the nearest mat that stays."""
    row, column = move.slot
    ways = []
    for mat, place in enumerate(layout.places):
        if mat != move.mat:
            south, east = row - place.slot[0], column - place.slot[1]
            ways.append((abs(south) + abs(east), mat, south, east))
    if not ways:
        return "-"
    _, mat, south, east = min(ways)
    vertical = (Direction.S if south > 0 else Direction.N).name * abs(south)
    horizontal = (Direction.E if east > 0 else Direction.W).name * abs(east)
    return f"{layout.faces[mat].name}.{vertical}{horizontal}"
