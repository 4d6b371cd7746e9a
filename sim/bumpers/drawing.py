"""A position drawn in text.

Each space takes two characters: the colour and kind of its piece, ``~~`` for a pool, ``<<`` and
the like for a goal, whose arrow points out of its open front, ``. `` for an open space. Walls are
drawn between spaces.
"""

from pucklab.sim.bumpers.board import Position, board_of, column_name
from pucklab.sim.bumpers.mat_notation import ARROWS, rows_of_mats
from pucklab.sim.bumpers.mats import Colour, Direction

_OPEN, _NOTHING = ". ", "  "


def draw_position(position: Position) -> str:
    """Return a drawing of the board, followed by the mats, the scores and the side to move.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> print(draw_position(parse_position("pb1:X1:RPb1:B2:R:mats=X1/..2/o.:-")))
          a  b
        2 .  . | 2
        1 ~~ RP  1
          a  b
        mats: X1
        scored: blue 2
        to move: red
    """
    board, layout = board_of(position.layout), position.layout
    arrows = {direction: sign for sign, direction in ARROWS.items()}
    signs = dict.fromkeys(board.spaces, _OPEN) | dict.fromkeys(board.pools, "~~")
    signs |= {square: 2 * arrows[facing] for square, facing in board.goals.items()}
    signs |= {board.squares[space]: piece.code for space, piece in position.pieces}
    # Walls, each as the north edge of the square below or the east edge on its left.
    edges = set()
    for mat, (face, place) in enumerate(zip(layout.faces, layout.places, strict=True)):
        for space, own in face.walls:
            row, column = board.squares[mat * layout.spaces_per_mat + space]
            direction = own.turned(place.turn)
            if direction is Direction.S:
                row, direction = row + 1, Direction.N
            elif direction is Direction.W:
                column, direction = column - 1, Direction.E
            edges.add(((row, column), direction))
    margin = len(str(board.rows))
    names = "".join(f"{column_name(column):<3}" for column in range(board.columns))
    header = (" " * (margin + 1) + names).rstrip()
    lines = [header]
    for row in range(board.rows + 1):
        between = "".join(
            f"{'--' if ((row, column), Direction.N) in edges else '  '} "
            for column in range(board.columns)
        )
        if between.strip():
            lines.append((" " * (margin + 1) + between).rstrip())
        if row < board.rows:
            name = str(board.rows - row)
            spaces = "".join(
                f"{signs.get((row, column), _NOTHING)}"
                f"{'|' if ((row, column), Direction.E) in edges else ' '}"
                for column in range(board.columns)
            )
            lines.append(f"{name:>{margin}} {spaces} {name}")
    lines.append(header)
    rows = rows_of_mats(layout)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for head, mats in zip(("mats: ", *("      " for _ in rows[1:])), rows, strict=True):
        words = (word.ljust(width) for word, width in zip(mats, widths, strict=True))
        lines.append(f"{head}{'  '.join(words)}".rstrip())
    scored = [f"{c.word} {position.scored[c]}" for c in Colour if position.scored[c]]
    lines.append(f"scored: {', '.join(scored) or 'none'}")
    if position.to_move is not None:
        lines.append(f"to move: {position.to_move.word}")
    return "\n".join(lines)
