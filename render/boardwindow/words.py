"""Words and small pictures around the board: who moves, what is scored, lines that are broken."""

from collections.abc import Sequence

import pygame

from render.boardwindow.boardpicture import board_palette
from render.bumpers.pieces import PIECE_PART, piece_sprite
from render.bumpers.sprites import put
from render.canvas import text_width, write
from render.palette import Palette
from sim.bumpers import Colour, Kind, Piece, Position


def draw_header(
    surface: pygame.Surface, box: pygame.Rect, title: str, position: Position, palette: Palette
) -> None:
    """Draw a title with the puck of the side to move; on the right, what each colour has scored."""
    size_px = round(0.66 * box.height)
    x = float(box.left)
    if position.to_move is not None:
        puck = Piece(position.to_move, Kind.PUCK)
        draw_piece(surface, puck, (x + size_px / 2, box.centery), palette, size_px)
        x += 1.4 * size_px
    place = (x, float(box.centery))
    used = write(
        surface, title, place, size_px=size_px, colour=palette.text, width_px=0.6 * box.width
    )
    _draw_scores(surface, box, x + used + size_px, position, palette)


def draw_piece(
    surface: pygame.Surface,
    piece: Piece,
    middle: tuple[float, float],
    palette: Palette,
    px: int = 0,
) -> None:
    """Draw a piece among words.

    Args:
        surface: Where to.
        piece: The piece.
        middle: Where its middle is.
        palette: The colours.
        px: Its width.
    """
    scale = round(px / PIECE_PART)
    put(surface, piece_sprite(piece, scale, board_palette(palette)), _rounded(middle))


def write_lines(
    surface: pygame.Surface,
    lines: Sequence[str],
    box: pygame.Rect,
    palette: Palette,
    *,
    size_px: int,
) -> int:
    """Write lines in a box, broken where they are too long; return the height used.

    The first is written in full strength, those after it in less; what has no room is left out.
    """
    y = float(box.top)
    for number, line in enumerate(lines):
        colour = palette.text if number == 0 else palette.faint
        for part in broken(line, box.width, size_px):
            if y + size_px > box.bottom:
                return round(y - box.top)
            place = (box.left, y + 0.65 * size_px)
            write(surface, part, place, size_px=size_px, colour=colour, width_px=box.width)
            y += 1.3 * size_px
    return round(y - box.top)


def broken(line: str, width_px: float, size_px: int) -> list[str]:
    """Return a line of words broken at its blanks into lines of a width.

    Example:
        >>> broken("one two three", 1000, 20)
        ['one two three']
    """
    parts: list[str] = []
    for word in line.split():
        longer = f"{parts[-1]} {word}" if parts else word
        if parts and text_width(longer, size_px) <= width_px:
            parts[-1] = longer
        else:
            parts.append(word)
    return parts


def tell_side(position: Position) -> str:
    """Return who is to move.

    Example:
        >>> from sim.bumpers import parse_position
        >>> tell_side(parse_position("pb1:small:RPb7:-:R:-"))
        'Red to move'
    """
    side = "nobody" if position.to_move is None else position.to_move.word
    return f"{capital(side)} to move"


def capital(words: str) -> str:
    """Return words with a capital letter at the beginning."""
    return words[:1].upper() + words[1:]


def _draw_scores(
    surface: pygame.Surface, box: pygame.Rect, left: float, position: Position, palette: Palette
) -> None:
    there = {piece.colour for _, piece in position.pieces}
    colours = [c for c in Colour if c in there or position.scored[c]]
    most = position.rules.pieces_each[Kind.PUCK]
    size_px = round(0.46 * box.height)
    step = 3.6 * size_px
    if colours:
        step = min(step, (box.right - left) / len(colours))
    x = box.right - step * len(colours)
    for colour in colours:
        draw_piece(
            surface, Piece(colour, Kind.PUCK), (x + size_px * 0.6, box.centery), palette, size_px
        )
        words = f"{position.scored[colour]} of {most}"
        place = (x + 1.3 * size_px, box.centery)
        write(surface, words, place, size_px=size_px, colour=palette.faint, width_px=step - size_px)
        x += step


def _rounded(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]), round(point[1])
