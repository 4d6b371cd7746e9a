"""Layouts in text: rows of mats from the north, each with its side and turn.

``B1.K5.K3@90/K1f.-.G2@180`` is two rows of three slots. ``K1f`` is the flip side of mat K1,
``@90`` turns a mat clockwise, ``-`` is a slot without a mat. In a file, rows may be lines and
blanks may stand for the full stops.
"""

import re
from collections.abc import Mapping

from sim.bumpers.layout import Layout, Place, make_layout
from sim.bumpers.marking import NotationError, Problem
from sim.bumpers.mats import MatFace

_TOKEN = re.compile(r"[^\s./]+|[/\n]")
_SLOT = re.compile(r"([A-Z][A-Z0-9]*f?)(?:@(0|90|180|270))?")
_EMPTY = "-"
MAX_SIDE = 64
"""Most rows and columns of slots in a text; mats that move may go beyond."""


def read_layout(field: str, text: str, faces: Mapping[str, MatFace]) -> Layout:
    """Return the layout that a text tells.

    Args:
        field: What to call it in an error.
        text: The text.
        faces: The sides there are, by label.

    Raises:
        NotationError: A slot that is no mat, or no mat at all. Whether the layout is legal is
            not looked at.
    """
    placed: list[tuple[MatFace, Place]] = []
    problems: list[Problem] = []
    row = column = 0
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "/\n":
            row, column = row + (column > 0), 0
            continue
        match = _SLOT.fullmatch(word)
        if word != _EMPTY and (match is None or match[1] not in faces):
            problems.append(Problem(_no_mat(word, match, faces), *token.span()))
        elif match is not None:
            placed.append((faces[match[1]], Place((row, column), int(match[2] or 0) // 90)))
        column += 1
        if row >= MAX_SIDE or column > MAX_SIDE:
            message = f"give at most {MAX_SIDE} rows and columns of mats"
            problems.append(Problem(message, *token.span()))
            break
    if not placed and not problems:
        problems.append(Problem("no mat; give rows of mats such as B1.K5@90/G1.B2", 0, len(text)))
    if problems:
        raise NotationError(field, text, problems)
    return make_layout(placed)


def layout_text(layout: Layout) -> str:
    """Return a layout as text in one line.

    Example:
        >>> from sim.bumpers.house import house_faces
        >>> layout_text(read_layout("layout", "B1 K5@90\\n- G1f@180", house_faces()))
        'B1.K5@90/-.G1f@180'
    """
    rows = [[_EMPTY] * layout.columns for _ in range(layout.rows)]
    for face, place in zip(layout.faces, layout.places, strict=True):
        turn = f"@{90 * place.turn}" if place.turn else ""
        rows[place.slot[0]][place.slot[1]] = face.label + turn
    return "/".join(".".join(row) for row in rows)


def _no_mat(word: str, match: re.Match[str] | None, faces: Mapping[str, MatFace]) -> str:
    if match is None:
        return f"{word!r} is no slot; give a mat such as B1, B1f or B1@90, or -"
    return f"there is no mat {match[1]}; give one of {', '.join(sorted(faces))}"
