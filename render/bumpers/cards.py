"""Puzzles as files: sheets of four cards to print, solutions on the last ones, or a web page.

`card_sheets` draws the sheets as SVG, A4 in mm. `save_puzzles` writes a web page to solve the
puzzles in, which prints as the sheets, or one SVG file with the sheets below each other.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap

from pucklab.base.files import check_writable, write_whole
from pucklab.render.bumpers.board import extent_of, moment_of
from pucklab.render.bumpers.colours import LIGHT_BOARD
from pucklab.render.bumpers.page import board_page, puzzle_item
from pucklab.render.bumpers.svg import place_board, place_svg, stroke, svg_element, text_svg
from pucklab.render.palette import Rgb
from pucklab.sim.bumpers.puzzle_solving import HOW_TO_MOVE, Study, task_text
from pucklab.sim.bumpers.solver.solution import line_text

SUFFIXES = (".html", ".svg")

check_puzzles_file = partial(check_writable, suffixes=SUFFIXES)
"""Check, before any work is done, that puzzles can be saved as a file."""

SHEET_MM = (210, 297)
_MARGIN_MM, _GAP_MM, _CARDS = 12.0, 6.0, (2, 2)
_LARGEST_SPACE_MM = 11.0
_TITLE_MM, _TASK_MM, _SMALL_MM, _LINE = 3.6, 4.2, 3.0, 1.3
"""Heights of texts, and distance of lines in heights of their text."""

_SOLUTIONS_A_SHEET = 40


def save_puzzles(path: Path, studies: Sequence[Study], *, how: bool = False) -> None:
    """Write puzzles as a web page that prints as cards, or as a drawing of the cards.

    Args:
        path: The file; its name ends in ``.html`` or ``.svg``.
        studies: The puzzles.
        how: True to explain on each card how pieces move.

    Raises:
        InputError: The page would be too large.
    """
    _, height = SHEET_MM
    sheets = list(card_sheets(studies, how=how))
    if path.suffix.lower() == ".html":
        title = studies[0].title if len(studies) == 1 else "Puck Bumpers puzzles"
        printed = "".join(_svg(sheet, height) for sheet in sheets)
        items = [puzzle_item(study) for study in studies]
        write_whole(path, board_page(items, title, printed).encode())
        return
    placed = (place_svg(sheet, (0, number * height)) for number, sheet in enumerate(sheets))
    write_whole(path, _svg("".join(placed), len(sheets) * height).encode())


def card_sheets(studies: Sequence[Study], *, how: bool) -> Iterator[str]:
    """Yield the sheets as contents of SVG files: cards first, then solutions."""
    each = math.prod(_CARDS)
    width, height = (
        (side - 2 * _MARGIN_MM - (count - 1) * _GAP_MM) / count
        for side, count in zip(SHEET_MM, _CARDS, strict=True)
    )
    for begin in range(0, len(studies), each):
        cards = []
        for place, study in enumerate(studies[begin : begin + each]):
            x = _MARGIN_MM + place % _CARDS[0] * (width + _GAP_MM)
            y = _MARGIN_MM + place // _CARDS[0] * (height + _GAP_MM)
            card = _card(study, begin + place + 1, width, height, how=how)
            cards.append(place_svg(card, (x, y)))
        yield "".join(cards)
    for begin in range(0, len(studies), _SOLUTIONS_A_SHEET):
        rows = studies[begin : begin + _SOLUTIONS_A_SHEET]
        ink = LIGHT_BOARD.page.text
        lines = [text_svg("Solutions", (_MARGIN_MM, _MARGIN_MM + 5), 5.0, ink, bold=True)]
        for row, study in enumerate(rows):
            start, line = study.puzzle.position, study.line_from(0)
            words = f"{begin + row + 1}.  {line_text(start, line)}"
            at = _MARGIN_MM, _MARGIN_MM + 14 + 6.4 * row
            lines.append(text_svg(words, at, _TITLE_MM, ink))
        yield "".join(lines)


def _card(study: Study, number: int, width: float, height: float, *, how: bool) -> str:
    inner, y = 5.0, 5.0
    page = LIGHT_BOARD.page
    frame = f'width="{width:g}" height="{height:g}" fill="none" {stroke(page.faint, 0.25)}'
    parts = [f'<rect x="0" y="0" {frame}/>']

    def write(words: str, size_mm: float, colour: Rgb = page.text, *, bold: bool = False) -> None:
        nonlocal y
        # Width of a letter of these fonts, in heights.
        letter_mm = (0.63 if bold else 0.54) * size_mm
        for line in wrap(words, int((width - 2 * inner) / letter_mm)):
            y += _LINE * size_mm
            parts.append(text_svg(line, (inner, y), size_mm, colour, bold=bold))

    position = study.puzzle.position
    write(f"{number}. {study.title}", _SMALL_MM, page.faint)
    write(task_text(study.puzzle), _TASK_MM, bold=True)
    kinds = {piece.kind for _, piece in position.pieces}
    for kind in HOW_TO_MOVE if how else ():
        if kind in kinds:
            write(HOW_TO_MOVE[kind], _SMALL_MM, page.faint)
    box = (inner, y + 3, width - 2 * inner, height - y - inner - 3)
    names, largest = (position.layout, (0, 0)), _LARGEST_SPACE_MM
    start = moment_of(position)
    board = place_board(start, names, extent_of([start]), box, f"c{number}", largest=largest)
    return "".join([*parts, board])


def _svg(contents: str, height_mm: float) -> str:
    width = SHEET_MM[0]
    white = f'<rect x="0" y="0" width="{width}" height="{height_mm}" fill="#ffffff"/>'
    size = f'width="{width}mm" height="{height_mm}mm"'
    return svg_element(white + contents, (0, 0, width, height_mm), size) + "\n"
