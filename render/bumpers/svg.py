"""Boards as SVG: for notebooks, pages, cards and drawings of rules.

`board_group` draws a moment, `position_svg` a position, and `rule_svg` the boards of a line side by
side, with arrows for what moves; `shapes_svg` has the shapes that pages draw boards with, and
`legend_html` explains them.
"""

import html
import math
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count

from pucklab.render.bumpers.board import (
    NOTES_OF_LEGEND,
    SAMPLE,
    SPACES_OF_SAMPLE,
    Extent,
    MatPose,
    Moment,
    Point,
    extent_of,
    labels_of,
    moment_of,
)
from pucklab.render.bumpers.colours import LIGHT_BOARD, PLAYERS, BoardPalette, letter_colour
from pucklab.render.bumpers.motion import Line, line_moments
from pucklab.render.palette import Rgb, hex_code
from pucklab.sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Layout,
    MatFace,
    Piece,
    Position,
    parse_position,
)
from pucklab.sim.bumpers.mats import Slot
from pucklab.sim.bumpers.puzzle_solving import HOW_TO_MOVE

_MARGIN = 0.9
"""Room for the names of rows and columns around a board, in spaces."""

_WIDTH_PX, _SPACE_PX = 460, 36
"""Greatest widths of a board and of a space on a page."""

_RULE_SPACE_PX, _RULE_GAP = 26, 2.6
"""Width of a space in the drawing of a rule, and the room between its boards, in spaces."""

_NUMBERS = count(1)

_PIECE_PART = 0.8
"""Width of a piece, relative to a space."""

_Edge = tuple[tuple[float, float], tuple[float, float]]
"""A line along the edge of a space, on a mat whose spaces are unit squares."""

_STARTS = {
    Kind.PUCK: "m-.16 0a.16 .16 0 1 0 .32 0a.16 .16 0 1 0 -.32 0z",
    Kind.ICE: "m-.16 -.16h.32v.32h-.32z",
    Kind.MEEPLE: "m0 -.16l.16 .32h-.32z",
}
"""Marks of start spaces, a small outline of each kind, from the middle of the space."""

XMLNS = 'xmlns="http://www.w3.org/2000/svg"'


Box = tuple[float, float, float, float]
"""West, north, width and height of a part of a drawing."""


def svg_element(contents: str, box: Box, size: str = "") -> str:
    """Return an SVG element that shows a box, with attributes of its size."""
    view = " ".join(f"{side:g}" for side in box)
    return f'<svg {XMLNS} {size} viewBox="{view}" font-family="sans-serif">{contents}</svg>'


def text_svg(words: str, place: Point, size: float, colour: Rgb, *, bold: bool = False) -> str:
    """Return a line of words that begins at a place."""
    weight = ' font-weight="bold"' if bold else ""
    style = f'font-size="{size:g}" fill="{hex_code(colour)}"{weight}'
    return f'<text x="{place[0]:g}" y="{place[1]:g}" {style}>{html.escape(words)}</text>'


def place_svg(contents: str, place: Point, scale: float = 1.0) -> str:
    """Return a drawing moved to a place and scaled."""
    x, y = place
    return f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{contents}</g>'


def place_board(
    moment: Moment,
    names: tuple[Layout, Slot],
    extent: Extent,
    box: Box,
    ids: str,
    palette: BoardPalette = LIGHT_BOARD,
    largest: float = math.inf,
) -> str:
    """Return a board in the middle of a box, as large as it can be; see `board_group`."""
    west, north, width, height = outer_box(extent)
    scale = min(box[2] / width, box[3] / height, largest)
    x = box[0] + (box[2] - scale * width) / 2 - scale * west
    y = box[1] + (box[3] - scale * height) / 2 - scale * north
    return place_svg(board_group(moment, names, ids, ids, palette), (x, y), scale)


def position_svg(position: Position) -> str:
    """Return a position as an SVG element, for a page that may have others."""
    own = f"pb{next(_NUMBERS)}-{secrets.token_hex(3)}"  # another on each page, and each time on it
    moment, names = moment_of(position), (position.layout, (0, 0))
    west, north, width, height = outer_box(extent_of([moment]))
    size = f"width:100%;max-width:{min(_WIDTH_PX, width * _SPACE_PX):g}px"
    style = f"{size};background:#fff;font-family:sans-serif"
    opening = f'<svg {XMLNS} viewBox="{west:g} {north:g} {width:g} {height:g}" style="{style}">'
    return f"{opening}{board_group(moment, names, own, own)}</svg>"


def rule_svg(line: Line) -> str:
    """Return an SVG file with the boards of a line side by side, and arrows for what moves next."""
    moments = line_moments(line)
    west, north, width, height = outer_box(line.extent)
    step = width + _RULE_GAP
    whole = len(moments) * step - _RULE_GAP
    parts = [_rect((west, north), whole, LIGHT_BOARD.page.background, height=height)]
    for colour in (LIGHT_BOARD.page.text, LIGHT_BOARD.trail):
        box = 'viewBox="0 0 4 4" refX="2.6" refY="2" markerWidth="4" markerHeight="4" orient="auto"'
        shape = f'<path d="M0 0L4 2L0 4z" fill="{hex_code(colour)}"/>'
        parts.append(f'<marker id="{_head_name(colour)}" {box}>{shape}</marker>')
    for number, (label, moment, names) in enumerate(moments):
        x, y = number * step + west, north + height / 2
        if number:
            arrow = [(x - _RULE_GAP + 0.3, y), (x - 0.5, y)]
            parts.append(_arrow(_path(arrow), LIGHT_BOARD.page.text))
            place = f'x="{x - _RULE_GAP / 2:g}" y="{y - 0.7:g}"'
            text = html.escape(label.partition(" ")[2])
            parts.append(f"<text {place} {_letters(0.5, LIGHT_BOARD.page.text)}>{text}</text>")
        arrows = []
        if number + 1 < len(moments):
            _, after, _ = moments[number + 1]
            arrows += [_path(_between(trail)) for trail in after.trails]
            arrows += [_mat_path(moment.mats[mat], after.mats[mat]) for mat in sorted(after.moved)]
        drawn = board_group(replace(moment, trails=()), names, "pb" if number == 0 else "", "pb")
        over = "".join(_arrow(path, LIGHT_BOARD.trail) for path in arrows)
        parts.append(f'<g transform="translate({number * step:g} 0)">{drawn}{over}</g>')
    size = f'width="{whole * _RULE_SPACE_PX:.0f}" height="{height * _RULE_SPACE_PX:.0f}"'
    return svg_element("".join(parts), (west, north, whole, height), size) + "\n"


def _between(trail: Sequence[Point]) -> list[Point]:
    """Return a way from the edge of the piece where it begins, to shortly before its end."""

    def nearer(place: Point, other: Point, by: float) -> Point:
        share = by / math.dist(place, other)
        return place[0] + share * (other[0] - place[0]), place[1] + share * (other[1] - place[1])

    first, last = nearer(trail[0], trail[1], 0.42), nearer(trail[-1], trail[-2], 0.25)
    return [first, *trail[1:-1], last]


def _mat_path(before: MatPose, after: MatPose) -> str:
    """Return the way of a mat from its middle to the next one, or around the middle as it turns."""
    (x, y), radius = before.middle, 1.2
    if after.middle != before.middle:
        return _path([before.middle, after.middle])
    # Clockwise from the north, almost once around the last quarter.
    angle = math.radians(90 * (after.quarters - before.quarters) % 360 - 8)
    end = (x + radius * math.sin(angle), y - radius * math.cos(angle))
    is_long = int(angle > math.pi)
    return f"M{x:g} {y - radius:g}A{radius} {radius} 0 {is_long} 1 {end[0]:.3f} {end[1]:.3f}"


def _arrow(path: str, colour: Rgb) -> str:
    end = f'marker-end="url(#{_head_name(colour)})"'
    return f'<path d="{path}" fill="none" {stroke(colour, 0.13)} {end}/>'


def _head_name(colour: Rgb) -> str:
    return f"head-{hex_code(colour)[1:]}"


def outer_box(extent: Extent) -> Box:
    """Return the box of a board with its margin."""
    west, north, east, south = extent
    width, height = east - west + 2 * _MARGIN, south - north + 2 * _MARGIN
    return west - _MARGIN, north - _MARGIN, width, height


def board_group(
    moment: Moment,
    names: tuple[Layout, Slot],
    ids: str,
    uses: str,
    palette: BoardPalette = LIGHT_BOARD,
) -> str:
    """Return a board as SVG without an element around it.

    Args:
        moment: The moment to draw.
        names: The layout whose squares are named, and the slot of the picture that is its (0, 0).
        ids: Prefix of the names of the shapes that it defines; empty to define none.
        uses: Prefix of the names of the shapes that it uses.
        palette: The colours.
    """
    parts = [f"<defs>{shapes_svg([moment], ids, palette)}</defs>"] if ids else []
    labels = (f'<text x="{x:g}" y="{y:g}">{name}</text>' for name, x, y in labels_of(*names))
    parts.append(f"<g {_letters(0.42, palette.page.faint)}>{''.join(labels)}</g>")
    for is_lifted in (False, True):  # lifted mats and their pieces are on top
        for number, mat in enumerate(moment.mats):
            if mat.is_lifted is not is_lifted:
                continue
            (x, y), half = mat.middle, mat.face.size / 2
            turn = f"translate({x:g} {y:g}) rotate({90 * mat.quarters:g})"
            parts.append(f'<use href="#{uses}-{mat.face.label}" transform="{turn}"/>')
            place = f'x="{x - half + 0.3:g}" y="{y - half + 0.25:g}"'
            if not is_lifted:
                label = _letters(0.3, palette.start)
                parts.append(f"<text {place} {label}>{mat.face.label}</text>")
            if number in moment.moved:
                rim = stroke(palette.moved, 0.08)
                parts.append(_rect((x - half, y - half), 2 * half, None, rim))
        for trail in () if is_lifted else moment.trails:
            (x, y), dot = trail[0], hex_code(palette.trail)
            parts.append(f'<path d="{_path(trail)}" fill="none" {stroke(palette.trail, 0.07)}/>')
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="0.13" fill="{dot}"/>')
        for pose in moment.pieces:
            if pose.is_lifted is is_lifted:
                (x, y), size = pose.middle, f" scale({pose.size:g})" if pose.size < 1 else ""
                place = f'transform="translate({x:g} {y:g}){size}"'
                parts.append(f'<use href="#{uses}-{pose.piece.code}" {place}/>')
    return "".join(parts)


def shapes_svg(moments: Iterable[Moment], ids: str, palette: BoardPalette = LIGHT_BOARD) -> str:
    """Return the shapes of all mats and pieces, each an element whose name begins with ``ids``."""
    shapes: dict[str, str] = {}
    for moment in moments:
        shapes |= {mat.face.label: _mat_svg(mat.face, palette) for mat in moment.mats}
        shapes |= {pose.piece.code: piece_svg(pose.piece, palette) for pose in moment.pieces}
    return "".join(f'<g id="{ids}-{name}">{shape}</g>' for name, shape in shapes.items())


def legend_html() -> str:
    """Return a table of the symbols on boards, each with a sentence on it."""
    rows = []
    for kind, text in HOW_TO_MOVE.items():
        rows.append((piece_svg(Piece(Colour.RED, kind)), (-0.5, -0.5, 1, 1), text))
    face = parse_position(SAMPLE).layout.faces[0]
    shape, half = _mat_svg(face, LIGHT_BOARD), face.size / 2
    for (column, row, wide, high), text in SPACES_OF_SAMPLE.items():
        rows.append((shape, (column - half, row - half, wide, high), text))
    pictures = (
        f'<dt><svg {XMLNS} width="{28 * box[2]}" height="{28 * box[3]}" '
        f'viewBox="{" ".join(f"{side:g}" for side in box)}">{drawn}</svg></dt>'
        f"<dd>{html.escape(text)}</dd>"
        for drawn, box, text in rows
    )
    notes = "".join(f"<p>{html.escape(line)}</p>" for line in NOTES_OF_LEGEND)
    return f"<dl>{''.join(pictures)}</dl>{notes}"


def _mat_svg(face: MatFace, palette: BoardPalette) -> str:
    """Return a mat around its middle, not turned."""
    size, half = face.size, face.size / 2
    facing = {space: goal.facing for goal in face.goals for space in goal.spaces}
    starts, thin = dict(face.starts), stroke(palette.start, 0.035)
    parts = [_rect((-half, -half), size, palette.mat)]
    for space in range(face.spaces):
        row, column = divmod(space, size)
        corner = (column - half, row - half)
        if space in face.pools:  # water with a bank
            rim = f'width=".92" height=".92" rx=".28" {stroke(palette.wave, 0.06)}'
            at = f'x="{corner[0] + 0.04:g}" y="{corner[1] + 0.04:g}"'
            parts.append(f'<rect {at} {rim} fill="{hex_code(palette.pool)}"/>')
            for down in (0.32, 0.52, 0.72):
                x, y = corner[0], corner[1] + down
                arches = "".join(f"q.09 {up} .18 0" for up in (-0.1, 0.1, -0.1, 0.1))
                wave = f"M{x + 0.14:g} {y:g}{arches}"
                parts.append(f'<path d="{wave}" fill="none" {stroke(palette.wave, 0.05)}/>')
        elif space in facing:  # a pit with a net, and an arrow that leads into it
            x, y = corner
            parts.append(_rect(corner, 1, palette.goal))
            net = "".join(
                f"M{x + p:g} {y + q:g}l{far:g} {way * far:g}"
                for k in (0.0, 0.25, 0.5, 0.75)
                for p, q, far, way in (
                    (k, 0, 1 - k, 1), (0, k, 1 - k, 1), (k, 1, 1 - k, -1), (0, 1 - k, 1 - k, -1),
                )
            )  # fmt: skip
            parts.append(f'<path d="{net}" fill="none" {stroke(palette.grid, 0.02)}/>')
            turn = f"translate({x + 0.5:g} {y + 0.5:g}) rotate({90 * facing[space]:g})"
            arrow = f'fill="none" {stroke(palette.page.background, 0.09)} transform="{turn}"'
            parts.append(f'<path d="M-.18 -.42L0 -.24L.18 -.42" {arrow}/>')
        elif space in starts:
            x, y = corner[0] + 0.5, corner[1] + 0.5
            parts.append(f'<path d="M{x:g} {y:g}{_STARTS[starts[space]]}" fill="none" {thin}/>')
    lines = "".join(
        f"M{-half:g} {n - half:g}h{size}M{n - half:g} {-half:g}v{size}" for n in range(size + 1)
    )
    parts.append(f'<path d="{lines}" fill="none" {stroke(palette.grid, 0.03)}/>')
    walls = "".join(_path([(x - half, y - half) for x, y in edge]) for edge in _barriers(face))
    parts.append(_rect((-half, -half), size, None, stroke(palette.rim, 0.04)))
    if walls:
        parts.append(f'<path d="{walls}" fill="none" {stroke(palette.wall, 0.12)}/>')
    return "".join(parts)


def piece_svg(piece: Piece, palette: BoardPalette = LIGHT_BOARD) -> str:
    """Return a piece around its middle: its shape tells its kind, colour and letter the player."""
    radius, colour = _PIECE_PART / 2, PLAYERS[piece.colour]
    look = f'fill="{hex_code(colour)}" {stroke(palette.edge, 0.05)}'
    size, down = 0.5, 0.02
    if piece.kind is Kind.PUCK:
        shape = f'<circle r="{radius - 0.03:g}" {look}/>'
    elif piece.kind is Kind.ICE:
        side = 1.8 * radius
        shape = f'<path d="M{-side / 2:g} {-side / 2:g}h{side:g}v{side:g}h{-side:g}z" {look}/>'
    else:
        body = "M-.12 -.1h.24L.36 .38h-.72z"
        shape = f'<path d="{body}" {look}/><circle cy="-.21" r=".16" {look}/>'
        size, down = 0.36, 0.17
    letter = f'<text y="{down:g}" {_letters(size, letter_colour(colour))} font-weight="bold">'
    return f"{shape}{letter}{piece.colour.letter}</text>"


def _letters(size: float, colour: Rgb) -> str:
    place = 'text-anchor="middle" dominant-baseline="central"'
    return f'{place} font-size="{size:g}" fill="{hex_code(colour)}"'


def _rect(
    corner: Point, size: float, fill: Rgb | None, stroke: str = "", height: float | None = None
) -> str:
    colour = "none" if fill is None else hex_code(fill)
    high = size if height is None else height
    place = f'x="{corner[0]:g}" y="{corner[1]:g}" width="{size:g}" height="{high:g}"'
    return f'<rect {place} fill="{colour}" {stroke}/>'


def _path(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def stroke(colour: Rgb, width: float) -> str:
    """Return the attributes of a line."""
    return f'stroke="{hex_code(colour)}" stroke-width="{width:g}" stroke-linecap="round"'


def _barriers(face: MatFace) -> list[_Edge]:
    """Return the edges that no piece can cross, as lines on the mat."""
    edges = set(face.walls)
    for goal in face.goals:
        cells = [divmod(space, face.size) for space in goal.spaces]
        for space, (row, column) in zip(goal.spaces, cells, strict=True):
            for direction in Direction:
                down, right = direction.step
                # A goal is closed on all sides but the one it faces.
                if direction is not goal.facing and (row + down, column + right) not in cells:
                    edges.add((space, direction))
    found: list[_Edge] = []
    for space, direction in edges:
        row, column = divmod(space, face.size)
        # Corners run clockwise from the northwest.
        corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        found.append((corners[direction], corners[(direction + 1) % 4]))
    return found
