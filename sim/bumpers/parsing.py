"""Reading a position's line; what is wrong with it is all told at once, with its places."""

from collections.abc import Mapping

from sim.bumpers.house import house_faces, setups
from sim.bumpers.layout import Layout
from sim.bumpers.layoutrules import layout_problems
from sim.bumpers.layouttext import read_layout
from sim.bumpers.marking import NotationError, Problem
from sim.bumpers.matcode import read_mat_code
from sim.bumpers.mats import MatFace
from sim.bumpers.notation import NONE, VERSION, checksum
from sim.bumpers.options import RULE_NAMES, Rules
from sim.bumpers.position import (
    Position,
    make_position,
    problems_of_counts,
    problems_of_places,
)
from sim.bumpers.textfields import Field, read_colour, read_pieces, read_scored

_FORM = "pb1:layout:pieces:scored:to move:checksum"
_MIN_FIELDS, _MAX_FIELDS = 6, 8
_MATS, _RULES = "mats=", "rules="


def parse_position(text: str, *, temporary: bool = False) -> Position:
    """Return the position of a line.

    Args:
        text: The line; see `sim.bumpers.notation`. Blanks around it do not matter.
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
        sim.bumpers.marking.NotationError: position: '...1:classic:RPc7>>z9<<:-:R:-': there is ...
    """
    text = text.strip()
    problems: list[Problem] = []
    position = _position(Field(text, 0), problems, temporary=temporary)
    if problems or position is None:
        raise NotationError("position", text, problems)
    return position


def _position(whole: Field, problems: list[Problem], *, temporary: bool) -> Position | None:
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
        places: dict[int, Field] = {}
        position = make_position(
            layout,
            read_pieces(pieces, layout, problems, places),
            scored=read_scored(scored, problems),
            to_move=read_colour(to_move, problems),
            rules=rules,
        )
        problems += [
            places[space].problem(message) for message, space in problems_of_places(position)
        ]
        problems += [Problem(message) for message in problems_of_counts(position)]
    expected = checksum(whole.text[: check.start - 1])
    if check.text not in (NONE, expected) and not problems:
        problems.append(
            check.problem(f"the checksum is {expected}: the line was changed; give - to accept it")
        )
    return position


def _rules_of(layout: Field) -> Rules:
    """Return the rules where a position's line names none: those of its set-up."""
    setup = setups().get(layout.text)
    return setup.rules if setup is not None else Rules()


def _named(
    fields: list[Field], rules: Rules, problems: list[Problem]
) -> tuple[Mapping[str, MatFace], Rules]:
    """Return the mats there are, and the rules, from the fields that say their names."""
    faces = dict(house_faces())
    for field in fields:
        prefix, _, rest = field.text.partition("=")
        parts = Field(rest, field.start + len(prefix) + 1).split(",")
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


def _read_rules(parts: list[Field], problems: list[Problem]) -> Rules:
    names: dict[str, bool] = {}
    for part in parts:
        if part.text in RULE_NAMES:
            names[RULE_NAMES[part.text]] = True
        elif part.text != NONE or len(parts) > 1:
            known = ", ".join(RULE_NAMES)
            problems.append(part.problem(f"there is no such rule; give {known}, or - for none"))
    return Rules(**names)


def _mat(part: Field, problems: list[Problem]) -> MatFace | None:
    try:
        face = read_mat_code(part.text)
    except NotationError as error:
        problems.append(part.problem(str(error)))
        return None
    if face is None:
        problems.append(part.problem("give a mat's name and its rows, such as X1/.p/.."))
    return face


def _layout(
    field: Field,
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
