"""Puck Bumpers: mats, boards, positions and the rules of the pieces.

A position is immutable. `parse_position` and `position_text` convert it from and to one line;
`legal_moves`, `play` and `apply` are its rules; `parse_move` and `move_text` convert moves.
Whole games with cards are in `pucklab.sim.bumpers.game`, the solver in
`pucklab.sim.bumpers.solver`.

Example:
    >>> position = parse_position("pb1:classic:RPc7.BPe7:-:R:-")
    >>> [move_text(position, move) for move in legal_moves(position)]
    ['c7N', 'c7Ex', 'c7S', 'c7W']
"""

from pucklab.sim.bumpers.board import (
    Position,
    board_of,
    make_position,
    open_spaces,
    position_problems,
    start_spaces,
)
from pucklab.sim.bumpers.mat_notation import NotationError, read_mat
from pucklab.sim.bumpers.mats import (
    Colour,
    Direction,
    Kind,
    Layout,
    MatFace,
    Piece,
    Place,
    Rules,
    layout_problems,
    make_layout,
)
from pucklab.sim.bumpers.move_notation import move_text, parse_move
from pucklab.sim.bumpers.moves import (
    MatMove,
    MatShift,
    MatSwap,
    MatTurn,
    Move,
    Movement,
    PieceMove,
    legal_mat_moves,
)
from pucklab.sim.bumpers.position_notation import parse_position, position_text
from pucklab.sim.bumpers.rules import apply, legal_moves, nudge, play, why_illegal
from pucklab.sim.bumpers.setups import Setup, house_faces, setup_named, setups

__all__ = [
    "Colour",
    "Direction",
    "Kind",
    "Layout",
    "MatFace",
    "MatMove",
    "MatShift",
    "MatSwap",
    "MatTurn",
    "Move",
    "Movement",
    "NotationError",
    "Piece",
    "PieceMove",
    "Place",
    "Position",
    "Rules",
    "Setup",
    "apply",
    "board_of",
    "house_faces",
    "layout_problems",
    "legal_mat_moves",
    "legal_moves",
    "make_layout",
    "make_position",
    "move_text",
    "nudge",
    "open_spaces",
    "parse_move",
    "parse_position",
    "play",
    "position_problems",
    "position_text",
    "read_mat",
    "setup_named",
    "setups",
    "start_spaces",
    "why_illegal",
]
