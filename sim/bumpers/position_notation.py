"""A position as one line of text, to copy and paste.

    pb1:classic:RPc7d9.RIb2.BMe5:B1:R:4f2a

`position_text` writes it, `parse_position` reads it and reports all errors at once. The fields,
separated by colons:

- ``pb1``, the version of the notation;
- the layout: the name of a set-up, or rows of mats as in `pucklab.sim.bumpers.mat_notation`;
- the pieces: groups separated by full stops, each a colour (R O Y G B V), a kind (P puck, I ice
  block, M meeple) and squares: column from the west, row from the south; ``-`` for none;
- scored pucks by colour, such as ``R1B2``, or ``-``;
- the colour to move, or ``-``;
- for mats outside the house set: ``mats=`` and their codes (`pucklab.sim.bumpers.mat_notation`),
  separated by commas;
- for rules that differ from those of the set-up, or from the defaults if there is none: ``rules=``
  and the names of the rules that hold, separated by commas, or ``-``;
- a checksum of everything before its colon, four hexadecimal digits; a line written by hand has
  ``-`` or none.
"""

import re
from collections.abc import Mapping

from pucklab.base.facts import small_fact
from pucklab.base.parsing import checksum
from pucklab.sim.bumpers.board import (
    Position,
    board_of,
    count_problems,
    make_position,
    placement_problems,
)
from pucklab.sim.bumpers.mat_notation import (
    NotationError,
    Problem,
    layout_text,
    mat_code,
    read_layout,
    read_mat_code,
)
from pucklab.sim.bumpers.mats import (
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
from pucklab.sim.bumpers.setups import house_faces, setups

VERSION = "pb1"
NONE = "-"
QUOTES = " \t\r\n\"'`\u2018\u2019\u201a\u201c\u201d\u201e«»"
"""Signs around a position that was copied out of a text."""

_GROUP = re.compile(r"([ROYGBV])([PIM])((?:[a-z]+[0-9]+)+)")
_SQUARE = re.compile(r"[a-z]+[0-9]+")
_SCORED = re.compile(r"([ROYGBV])([0-9]+)")
_COLOURS = ", ".join(f"{colour.letter} ({colour.word})" for colour in Colour)
_FORM = "pb1:layout:pieces:scored:to move:checksum"
_MIN_FIELDS, _MAX_FIELDS = 5, 8
_MATS, _RULES = "mats=", "rules="


def position_text(position: Position) -> str:
    """Return a position as one line; `parse_position` reads it back.

    Example:
        >>> from pucklab.sim.bumpers import make_position, setup_named
        >>> layout = setup_named("small").layout
        >>> position_text(make_position(layout, {0: Piece(Colour.RED, Kind.PUCK)}))
        'pb1:small:RPp12:-:-:23d5'
    """
    layout = position.layout
    name = next((name for name, setup in setups().items() if setup.layout == layout), None)
    fields = [VERSION, name or layout_text(layout), pieces_text(position)]
    scored = "".join(f"{c.letter}{position.scored[c]}" for c in Colour if position.scored[c])
    fields += [scored or NONE, position.to_move.letter if position.to_move is not None else NONE]
    own = [mat_code(f) for f in layout.faces if house_faces().get(f.label) != f]
    if own:
        fields.append("mats=" + ",".join(own))
    setup = setups().get(fields[1])
    if position.rules != (Rules() if setup is None else setup.rules):
        names = [name for name, field in RULE_NAMES.items() if getattr(position.rules, field)]
        fields.append("rules=" + (",".join(names) or NONE))
    text = ":".join(fields)
    return f"{text}:{checksum(text)}"


def pieces_text(position: Position) -> str:
    """Return the field of the pieces: by colour and kind, squares from the north-west."""
    board = board_of(position.layout)
    groups = []
    for colour in Colour:
        for kind in Kind:
            piece = Piece(colour, kind)
            squares = sorted(board.squares[space] for space, p in position.pieces if p == piece)
            if squares:
                groups.append(piece.code + "".join(board.name(square) for square in squares))
    return ".".join(groups) or NONE


@small_fact
class _Span:
    """A part of a text, with its index in the whole."""

    text: str
    start: int

    def problem(self, message: str, start: int = 0, end: int | None = None) -> Problem:
        """Return a problem with this part, or with characters ``start`` to ``end`` of it."""
        until = len(self.text) if end is None else end
        return Problem(message, self.start + start, self.start + until)

    def split(self, separator: str) -> list["_Span"]:
        """Return the parts between separators, each with its index in the whole."""
        parts, start = [], self.start
        for part in self.text.split(separator):
            parts.append(_Span(part, start))
            start += len(part) + len(separator)
        return parts


def parse_position(text: str, *, temporary: bool = False) -> Position:
    """Return the position of a line.

    Args:
        text: The line, as described in the module; quotes around it and blanks around its fields
            are ignored.
        temporary: Whether it is within a series of mat moves, so that its layout need not be
            legal (PB-23).

    Raises:
        NotationError: The text is not a position, or the position is illegal. The message lists
            all problems and marks each in the text.

    Example:
        >>> parse_position("pb1:classic:RPc7:-:R:-").to_move.word
        'red'
        >>> parse_position("pb1:classic:RPc7z9:-:R:-")
        Traceback (most recent call last):
            ...
        pucklab.sim.bumpers.mat_notation.NotationError: position: '...1:classic:RPc7>>z9<<:...
    """
    text = ":".join(field.strip() for field in text.strip(QUOTES).split(":"))
    whole, problems = _Span(text, 0), list[Problem]()
    version, *fields = whole.split(":")
    if version.text.lower() != VERSION:
        found = version.problem(f"a position begins with {VERSION}: {_FORM}")
        raise NotationError("position", text, [found])
    if not _MIN_FIELDS <= len(fields) + 1 <= _MAX_FIELDS:
        few = f"{len(fields) + 1} fields; give {_FORM}, with mats= and rules= if needed"
        raise NotationError("position", text, [whole.problem(few)])
    if len(fields) == _MIN_FIELDS - 1 or "=" in fields[-1].text:  # a checksum may be left out
        fields.append(_Span(NONE, len(whole.text) + 1))
    layout_field, pieces, scored, to_move, *named, check = fields
    setup = setups().get(layout_field.text)  # its rules hold unless the line has its own
    faces, rules = _read_named(named, Rules() if setup is None else setup.rules, problems)
    # A mistake in a mat is not said again of the layout that it is in.
    of_layout: list[Problem] = [] if problems else problems
    layout = _layout(layout_field, faces, rules, of_layout, temporary=temporary)
    if layout is not None:
        places: dict[int, _Span] = {}
        colour = colour_of(to_move.text)
        position = make_position(
            layout,
            _read_pieces(pieces, layout, problems, places),
            scored=_read_scored(scored, problems),
            to_move=colour,
            rules=rules,
        )
        if colour is None and to_move.text != NONE:
            problems.append(to_move.problem(f"give the colour to move, {_COLOURS}, or -"))
        problems += [
            places[space].problem(message) for message, space in placement_problems(position)
        ]
        problems += [Problem(message) for message in count_problems(position)]
    expected = checksum(whole.text[: check.start - 1])
    if check.text not in (NONE, expected) and not problems:
        problems.append(
            check.problem(f"the checksum is {expected}: the line was changed; give - to accept it")
        )
    if problems or layout is None:
        raise NotationError("position", text, problems)
    return position


def _read_pieces(
    field: _Span, layout: Layout, problems: list[Problem], places: dict[int, _Span]
) -> dict[int, Piece]:
    """Return the pieces of a field by space.

    Problems are added to ``problems``, and the text of each space to ``places``.
    """
    board = board_of(layout)
    pieces: dict[int, Piece] = {}
    for group in field.split(".") if field.text != NONE else []:
        match = _GROUP.fullmatch(group.text)
        if match is None:
            problems.append(
                group.problem(
                    "give a colour (R O Y G B V) and a kind (P I M) in capital letters, and "
                    "squares, such as RPc7d9"
                )
            )
            continue
        colour = colour_of(match[1])
        assert colour is not None
        for square in _SQUARE.finditer(group.text, 2):
            space = board.space_named(square.group())
            name, span = square.group(), square.span()
            if space is None:
                message = f"there is no space {name}; {board.why_no_space(name)}"
                problems.append(group.problem(message, *span))
            elif space in pieces:
                problems.append(group.problem(f"two pieces stand on {name}", *span))
            else:
                pieces[space] = Piece(colour, Kind(match[2]))
                places[space] = _Span(name, group.start + span[0])
    return pieces


def _read_scored(field: _Span, problems: list[Problem]) -> dict[Colour, int]:
    """Return the scores of a field by colour; problems are added to ``problems``."""
    scored, end = dict[Colour, int](), 0
    for match in _SCORED.finditer(field.text):
        colour = colour_of(match[1])
        if match.start() != end or colour is None or colour in scored:
            break
        scored[colour] = int(match[2][:9])
        end = match.end()
    if field.text != NONE and (end != len(field.text) or not scored):
        message = "give each colour once with its scored pucks, such as R1B2, or -"
        problems.append(field.problem(message, end))
    return scored


def _read_named(
    fields: list[_Span], rules: Rules, problems: list[Problem]
) -> tuple[Mapping[str, MatFace], Rules]:
    """Return the known mats and the rules, from the fields ``mats=`` and ``rules=``."""
    faces = dict(house_faces())
    for field in fields:
        prefix, _, rest = field.text.partition("=")
        parts = _Span(rest, field.start + len(prefix) + 1).split(",")
        if field.text.startswith(_MATS):
            for part in parts:
                try:
                    face = read_mat_code(part.text)
                except NotationError as error:
                    problems.append(part.problem(str(error)))
                    continue
                if face is None:
                    problems.append(
                        part.problem("give a mat's name and its rows, such as X1/.p/..")
                    )
                else:
                    faces[face.label] = face
        elif field.text.startswith(_RULES):
            names: dict[str, bool] = {}
            for part in parts:
                if part.text in RULE_NAMES:
                    names[RULE_NAMES[part.text]] = True
                elif part.text != NONE or len(parts) > 1:
                    message = f"there is no such rule; give {', '.join(RULE_NAMES)}, or - for none"
                    problems.append(part.problem(message))
            rules = Rules(**names)
        else:
            problems.append(field.problem("give mats=..., rules=... or nothing here"))
    return faces, rules


def _layout(
    field: _Span,
    faces: Mapping[str, MatFace],
    rules: Rules,
    problems: list[Problem],
    *,
    temporary: bool,
) -> Layout | None:
    """Return the layout of a field; None, with problems added, if it is not a legal one."""
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
            field.problem(problem.message, problem.start, problem.end) for problem in error.problems
        ]
        return None
    illegal = () if temporary else layout_problems(layout, rules)
    problems += [field.problem(message) for message in illegal]
    return None if illegal else layout
