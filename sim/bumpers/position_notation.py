"""A position as one line, to copy and paste.

    pb1:classic:RPc7d9.RIb2.BMe5:B1:R:4f2a

The fields, with colons between them:

- ``pb1``, the notation's version;
- the layout: a set-up's name, or rows of mats as `sim.bumpers.mat_notation` has them;
- the pieces: groups with full stops between them, each a colour (R O Y G B V), a kind (P puck,
  I ice block, M meeple) and squares: column from the west, row from the south. ``-`` for none;
- scored pucks by colour, such as ``R1B2``, or ``-``;
- the colour to move, or ``-``;
- if there are own mats, ``mats=`` and their codes (`sim.bumpers.mat_notation`), separated by
  commas;
- if the rules differ from the set-up's, or without one from the rulings', ``rules=`` and the
  names of those that hold, with commas between them, or ``-``;
- a checksum of all before its colon, four hexadecimal digits; ``-`` in a line written by hand.

Reading a position's line; what is wrong with it is all told at once, with its places.

The fields of a position's line, and reading those of pieces, scores and the side to move.
"""

import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sim.bumpers.board import (
    Position,
    board_of,
    count_problems,
    make_position,
    placement_problems,
)
from sim.bumpers.mat_notation import (
    NotationError,
    Problem,
    layout_text,
    mat_code,
    read_layout,
    read_mat_code,
)
from sim.bumpers.mats import (
    RULE_NAMES,
    Colour,
    Kind,
    Layout,
    MatFace,
    Piece,
    Rules,
    colour_of,
    layout_problems,
)
from sim.bumpers.setups import house_faces, setups

VERSION = "pb1"
NONE = "-"


def position_text(position: Position) -> str:
    """Return a position as one line; `sim.bumpers.position_notation.parse_position` reads it back.

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


_GROUP = re.compile(r"([ROYGBV])([PIM])((?:[a-z]+[0-9]+)+)")
_SQUARE = re.compile(r"[a-z]+[0-9]+")
_SCORED = re.compile(r"([ROYGBV])([0-9]+)")
_COLOURS = ", ".join(f"{colour.letter} ({colour.word})" for colour in Colour)


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A part of a text, and where it begins in the whole."""

    text: str
    start: int

    def problem(self, message: str, start: int = 0, end: int | None = None) -> Problem:
        """Return a problem of this part, or of a piece of it."""
        until = len(self.text) if end is None else end
        return Problem(message, self.start + start, self.start + until)

    def split(self, separator: str) -> list["TextSpan"]:
        """Return the parts between separators."""
        parts, start = [], self.start
        for part in self.text.split(separator):
            parts.append(TextSpan(part, start))
            start += len(part) + len(separator)
        return parts


def read_pieces(
    field: TextSpan, layout: Layout, problems: list[Problem], places: dict[int, TextSpan]
) -> dict[int, Piece]:
    """Return the pieces of a field by space; problems, and where each space was read, are added."""
    board = board_of(layout)
    last = board.name((0, board.columns - 1))
    pieces: dict[int, Piece] = {}
    for group in field.split(".") if field.text != NONE else []:
        match = _GROUP.fullmatch(group.text)
        if match is None:
            problems.append(
                group.problem(
                    "give a colour (R O Y G B V), a kind (P I M) and squares, such as RPc7d9"
                )
            )
            continue
        colour = colour_of(match[1])
        assert colour is not None
        for square in _SQUARE.finditer(group.text, 2):
            space = board.space_named(square.group())
            name, span = square.group(), square.span()
            if space is None:
                message = f"there is no space {name}; the board is a1 to {last}"
                problems.append(group.problem(message, *span))
            elif space in pieces:
                problems.append(group.problem(f"two pieces stand on {name}", *span))
            else:
                pieces[space] = Piece(colour, Kind(match[2]))
                places[space] = TextSpan(name, group.start + span[0])
    return pieces


def read_scored(field: TextSpan, problems: list[Problem]) -> dict[Colour, int]:
    """Return the scores of a field by colour; problems are added."""
    scored: dict[Colour, int] = {}
    if field.text == NONE:
        return scored
    end = 0
    for match in _SCORED.finditer(field.text):
        colour = colour_of(match[1])
        if match.start() != end or colour is None or colour in scored:
            break
        scored[colour] = int(match[2][:9])
        end = match.end()
    if end != len(field.text) or not scored:
        message = "give each colour once with its scored pucks, such as R1B2, or -"
        problems.append(field.problem(message, end))
    return scored


def read_colour(field: TextSpan, problems: list[Problem]) -> Colour | None:
    """Return the colour to move of a field; problems are added."""
    colour = colour_of(field.text)
    if colour is None and field.text != NONE:
        problems.append(field.problem(f"give the colour to move, {_COLOURS}, or -"))
    return colour


_FORM = "pb1:layout:pieces:scored:to move:checksum"
_MIN_FIELDS, _MAX_FIELDS = 6, 8
_MATS, _RULES = "mats=", "rules="


def parse_position(text: str, *, temporary: bool = False) -> Position:
    """Return the position of a line.

    Args:
        text: The line; see `sim.bumpers.position_notation`. Blanks around it do not matter.
        temporary: It is within a series of mat moves: its layout need not be legal (PB-23).

    Raises:
        NotationError: It is no position's line, or the position is not legal. The message tells
            every problem, with its place.

    Example:
        >>> parse_position("pb1:classic:RPc7:-:R:-").to_move.word
        'red'
        >>> parse_position("pb1:classic:RPc7z9:-:R:-")
        Traceback (most recent call last):
            ...
        sim.bumpers.mat_notation.NotationError: position: '...1:classic:RPc7>>z9<<:-:R:-': ...
    """
    text = text.strip()
    problems: list[Problem] = []
    position = _position(TextSpan(text, 0), problems, temporary=temporary)
    if problems or position is None:
        raise NotationError("position", text, problems)
    return position


def _position(whole: TextSpan, problems: list[Problem], *, temporary: bool) -> Position | None:
    version, *fields = whole.split(":")
    if version.text != VERSION:
        problems.append(version.problem(f"a position begins with {VERSION}: {_FORM}"))
        return None
    if not _MIN_FIELDS <= len(fields) + 1 <= _MAX_FIELDS:
        problems.append(
            whole.problem(
                f"{len(fields) + 1} fields; give {_FORM}, with mats= and rules= if needed"
            )
        )
        return None
    layout_field, pieces, scored, to_move, *named, check = fields
    faces, rules = _named(named, _rules_of(layout_field), problems)
    layout = _layout(layout_field, faces, rules, problems, temporary=temporary)
    position = None
    if layout is not None:
        places: dict[int, TextSpan] = {}
        position = make_position(
            layout,
            read_pieces(pieces, layout, problems, places),
            scored=read_scored(scored, problems),
            to_move=read_colour(to_move, problems),
            rules=rules,
        )
        problems += [
            places[space].problem(message) for message, space in placement_problems(position)
        ]
        problems += [Problem(message) for message in count_problems(position)]
    expected = checksum(whole.text[: check.start - 1])
    if check.text not in (NONE, expected) and not problems:
        problems.append(
            check.problem(f"the checksum is {expected}: the line was changed; give - to accept it")
        )
    return position


def _rules_of(layout: TextSpan) -> Rules:
    """Return the rules where a position's line names none: those of its set-up."""
    setup = setups().get(layout.text)
    return setup.rules if setup is not None else Rules()


def _named(
    fields: list[TextSpan], rules: Rules, problems: list[Problem]
) -> tuple[Mapping[str, MatFace], Rules]:
    """Return the mats there are, and the rules, from the fields that say their names."""
    faces = dict(house_faces())
    for field in fields:
        prefix, _, rest = field.text.partition("=")
        parts = TextSpan(rest, field.start + len(prefix) + 1).split(",")
        if field.text.startswith(_MATS):
            for part in parts:
                face = _mat(part, problems)
                if face is not None:
                    faces[face.label] = face
        elif field.text.startswith(_RULES):
            rules = _read_rules(parts, problems)
        else:
            problems.append(field.problem("give mats=..., rules=... or nothing here"))
    return faces, rules


def _read_rules(parts: list[TextSpan], problems: list[Problem]) -> Rules:
    names: dict[str, bool] = {}
    for part in parts:
        if part.text in RULE_NAMES:
            names[RULE_NAMES[part.text]] = True
        elif part.text != NONE or len(parts) > 1:
            known = ", ".join(RULE_NAMES)
            problems.append(part.problem(f"there is no such rule; give {known}, or - for none"))
    return Rules(**names)


def _mat(part: TextSpan, problems: list[Problem]) -> MatFace | None:
    try:
        face = read_mat_code(part.text)
    except NotationError as error:
        problems.append(part.problem(str(error)))
        return None
    if face is None:
        problems.append(part.problem("give a mat's name and its rows, such as X1/.p/.."))
    return face


def _layout(
    field: TextSpan,
    faces: Mapping[str, MatFace],
    rules: Rules,
    problems: list[Problem],
    *,
    temporary: bool,
) -> Layout | None:
    """Return the layout of a field; None, with the problems added, if it is not legal."""
    if field.text in setups():
        return setups()[field.text].layout
    if field.text[:1].islower():
        known = ", ".join(setups())
        problems.append(field.problem(f"there is no such set-up; give {known}, or rows of mats"))
        return None
    try:
        layout = read_layout("layout", field.text, faces)
    except NotationError as error:
        problems += [
            field.problem(problem.message, problem.start or 0, problem.end)
            for problem in error.problems
        ]
        return None
    illegal = () if temporary else layout_problems(layout, rules)
    problems += [field.problem(message) for message in illegal]
    return None if illegal else layout
