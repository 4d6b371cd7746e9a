"""A position as one line, to copy and paste.

    pb1:classic:RPc7d9.RIb2.BMe5:B1:R:4f2a

The fields, with colons between them:

- ``pb1``, the notation's version;
- the layout: a set-up's name, or rows of mats as `sim.bumpers.layouttext` has them;
- the pieces: groups with full stops between them, each a colour (R O Y G B V), a kind (P puck,
  I ice block, M meeple) and squares: column from the west, row from the south. ``-`` for none;
- scored pucks by colour, such as ``R1B2``, or ``-``;
- the colour to move, or ``-``;
- if there are own mats, ``mats=`` and their codes (`sim.bumpers.matcode`) with commas between them;
- if the rules differ from the set-up's, or without one from the rulings', ``rules=`` and the
  names of those that hold, with commas between them, or ``-``;
- a checksum of all before its colon, four hexadecimal digits; ``-`` in a line written by hand.
"""

import binascii

from sim.bumpers.board import board_of
from sim.bumpers.house import house_faces, setups
from sim.bumpers.layout import Layout
from sim.bumpers.layouttext import layout_text
from sim.bumpers.matcode import mat_code
from sim.bumpers.options import RULE_NAMES, Rules
from sim.bumpers.pieces import Colour, Kind, Piece
from sim.bumpers.position import Position

VERSION = "pb1"
NONE = "-"


def position_text(position: Position) -> str:
    """Return a position as one line; `sim.bumpers.parsing.parse_position` reads it back.

    Example:
        >>> from sim.bumpers import make_position, setup_named
        >>> layout = setup_named("small").layout
        >>> position_text(make_position(layout, {0: Piece(Colour.RED, Kind.PUCK)}))
        'pb1:small:RPp12:-:-:23d5'
    """
    fields = [VERSION, _layout_field(position.layout), pieces_text(position)]
    scored = "".join(f"{c.letter}{position.scored[c]}" for c in Colour if position.scored[c])
    fields += [scored or NONE, position.to_move.letter if position.to_move is not None else NONE]
    own = [mat_code(f) for f in position.layout.faces if house_faces().get(f.label) != f]
    if own:
        fields.append("mats=" + ",".join(own))
    setup = setups().get(fields[1])
    if position.rules != (Rules() if setup is None else setup.rules):
        names = [name for name, field in RULE_NAMES.items() if getattr(position.rules, field)]
        fields.append("rules=" + (",".join(names) or NONE))
    text = ":".join(fields)
    return f"{text}:{checksum(text)}"


def pieces_text(position: Position) -> str:
    """Return the pieces' field: by colour and kind, squares from the north-west."""
    board = board_of(position.layout)
    groups = []
    for colour in Colour:
        for kind in Kind:
            piece = Piece(colour, kind)
            squares = sorted(board.squares[space] for space, p in position.pieces if p == piece)
            if squares:
                groups.append(piece.code + "".join(board.name(square) for square in squares))
    return ".".join(groups) or NONE


def checksum(text: str) -> str:
    """Return the CRC-16 (CCITT) of a text, four hexadecimal digits.

    Example:
        >>> checksum("123456789")
        '31c3'
    """
    return f"{binascii.crc_hqx(text.encode(errors='replace'), 0):04x}"


def _layout_field(layout: Layout) -> str:
    for name, setup in setups().items():
        if setup.layout == layout:
            return name
    return layout_text(layout)
