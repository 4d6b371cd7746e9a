"""Where the outcomes of a battle's throws come from: a protocol, and outcomes from a script.

Kinds of throws, as tables tell them apart: all pucks are alike, slammers differ by mass.

What a throw comes to, as far as the rules look at it; and its short text.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log
from typing import Protocol

import numpy as np

from physics import Face, InputError, SlamOutcome
from physics.errors import shown
from sim.pokepucks.designs import Design

_LETTERS = {Face.UP: "U", Face.DOWN: "D", Face.LEANING: "L", Face.OUT: "O"}
_FACES = {letter: face for face, letter in _LETTERS.items()}
_MISS = "miss"
_MAX_MM = 100_000.0


@dataclass(frozen=True, slots=True)
class Landing:
    """How and where one piece of the stack has come to rest.

    Attributes:
        face: How it lies.
        distance_mm: Distance of its centre from the arena's centre, in whole micrometres.
    """

    face: Face
    distance_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a throw comes to.

    Attributes:
        hit: The slammer touched the stack's top piece; a miss moves nothing (ruling PP-40).
        landings: One per piece of the stack, from the floor up.

    Example:
        >>> Outcome(hit=True, landings=(Landing(Face.UP), Landing(Face.OUT))).flipped
        (0,)
    """

    hit: bool
    landings: tuple[Landing, ...]

    @property
    def flipped(self) -> tuple[int, ...]:
        """Indices of the pieces that ended face up inside the arena, from the floor up."""
        return self.indices(Face.UP)

    @property
    def out(self) -> tuple[int, ...]:
        """Indices of the pieces that left the arena, from the floor up."""
        return self.indices(Face.OUT)

    def indices(self, face: Face) -> tuple[int, ...]:
        """Return the indices of the pieces with a face, from the floor up, from 0."""
        return tuple(i for i, landing in enumerate(self.landings) if landing.face is face)


def missed(pieces: int) -> Outcome:
    """Return the outcome of a miss at a stack of ``pieces``: all lie as they were."""
    return Outcome(hit=False, landings=(Landing(Face.DOWN),) * pieces)


def with_still(outcome: Outcome, pieces: int, place: int = 0) -> Outcome:
    """Return an outcome with more pieces, that lie as they were.

    Args:
        outcome: The outcome.
        pieces: How many more, from 0.
        place: Of the lowest of them, from the floor up.

    Example:
        >>> outcome_text(with_still(parse_outcome("U30 D5"), 2))
        'D D U30 D5'
    """
    landings, still = outcome.landings, (Landing(Face.DOWN),) * pieces
    return Outcome(hit=outcome.hit, landings=(*landings[:place], *still, *landings[place:]))


def outcome_of(slam: SlamOutcome) -> Outcome:
    """Return what the rules look at of a slam."""
    if not slam.hit:
        return missed(len(slam.pieces))
    landings = (Landing(piece.face, round(piece.distance_mm, 3)) for piece in slam.pieces)
    return Outcome(hit=True, landings=tuple(landings))


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome as text, that `parse_outcome` reads.

    A letter per piece, from the floor up: U face up, D face down, L leaning, O out of the arena;
    after it the distance in mm, if it is not 0. A miss says ``miss`` and the number of pieces.

    Example:
        >>> outcome_text(Outcome(hit=True, landings=(Landing(Face.DOWN), Landing(Face.UP, 35.25))))
        'D U35.25'
        >>> outcome_text(missed(8))
        'miss 8'
    """
    if not outcome.hit:
        return f"{_MISS} {len(outcome.landings)}"
    return " ".join(
        _LETTERS[landing.face] + (f"{landing.distance_mm:.3f}".rstrip("0").rstrip("."))
        if landing.distance_mm
        else _LETTERS[landing.face]
        for landing in outcome.landings
    )


def parse_outcome(text: str, field: str = "outcome") -> Outcome:
    """Return the outcome that a text tells; see `outcome_text`.

    Args:
        text: The text; blanks between pieces may be left out.
        field: What to call it in an error.

    Raises:
        InputError: It is no such text.

    Example:
        >>> parse_outcome("DDU35.25O").flipped
        (2,)
        >>> parse_outcome("DX")
        Traceback (most recent call last):
            ...
        physics.errors.InputError: outcome: 'DX' is not accepted; give such as 'D U35' or 'miss 8'
    """
    first, _, rest = text.strip().partition(" ")
    if first == _MISS and rest.isdecimal() and len(rest) < 4:
        return missed(int(rest))
    spaced = "".join(f" {sign}" if sign in _FACES else sign for sign in text)
    landings = [_landing(part) for part in spaced.split()]
    if None in landings or not landings:
        raise InputError(
            f"{field}: {shown(text)} is not accepted; give such as 'D U35' or 'miss 8'"
        )
    return Outcome(hit=True, landings=tuple(landing for landing in landings if landing))


def _landing(text: str) -> Landing | None:
    """Return what one piece's text tells, None if it tells nothing."""
    if text[0] not in _FACES:
        return None
    try:
        distance_mm = round(float(text[1:] or 0), 3)
    except ValueError:
        return None
    return Landing(_FACES[text[0]], distance_mm) if 0 <= distance_mm <= _MAX_MM else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A throw that is to be made.

    Attributes:
        player: Who throws.
        slammer: What is thrown.
        stack: What it is thrown at, from the floor up; may be empty (ruling PP-41).
        knock_out: It is a knock-out attempt: the lowest piece is a lone slammer, shields are on it.
    """

    player: int
    slammer: Design
    stack: tuple[Design, ...]
    knock_out: bool = False


class Throws(Protocol):
    """Whatever gives the outcomes of throws."""

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a throw, with a landing for each piece of its stack.

        Args:
            shot: The throw.
            rng: Random numbers of this throw alone.
        """
        ...


class ScriptThrows:
    """Outcomes from a script, in their order.

    Args:
        outcomes: The outcomes, or their texts (`sim.pokepucks.throws.outcome_text`).

    Example:
        >>> from sim.pokepucks.design_file import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("potion"), find("berry")))
        >>> script = ScriptThrows(["D U30"])
        >>> script.throw(shot, np.random.default_rng(1)).flipped
        (1,)
        >>> script.throw(shot, np.random.default_rng(1))
        Traceback (most recent call last):
            ...
        physics.errors.InputError: script: throw 2 is not in it; give as many as are made
    """

    def __init__(self, outcomes: Iterable[Outcome | str]) -> None:
        self._outcomes: Iterator[Outcome | str] = iter(outcomes)
        self._made = 0

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the next outcome of the script.

        Raises:
            InputError: The script is over, or the outcome is of a stack of another size.
        """
        del rng
        self._made += 1
        field = f"script: throw {self._made}"
        following = next(self._outcomes, None)
        if following is None:
            raise InputError(f"{field} is not in it; give as many as are made")
        outcome = parse_outcome(following, field) if isinstance(following, str) else following
        if len(outcome.landings) != len(shot.stack):
            raise InputError(
                f"{field}: {outcome_text(outcome)!r} is not accepted; "
                f"the stack has {len(shot.stack)} pieces"
            )
        return outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowKind:
    """A kind of throw.

    Attributes:
        slammer_g: Mass of what is thrown.
        knock_out_g: Mass of the lone slammer thrown at; None for a stack of pucks.
        pieces: How many pieces are thrown at.
    """

    slammer_g: float
    knock_out_g: float | None
    pieces: int

    def apart(self, other: "ThrowKind") -> tuple[bool, float, float, int]:
        """Return how far another kind is; the smallest is the nearest.

        What lies counts first, then what is thrown, both by the ratio of their masses, and then
        the number of pieces.

        Example:
            >>> rock = ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=8)
            >>> rock.apart(ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=17))
            (False, 0.0, 0.0, 9)
        """
        lying = 0.0
        if self.knock_out_g is not None and other.knock_out_g is not None:
            lying = abs(log(other.knock_out_g / self.knock_out_g))
        return (
            (other.knock_out_g is None) != (self.knock_out_g is None),
            lying,
            abs(log(other.slammer_g / self.slammer_g)),
            abs(other.pieces - self.pieces),
        )


def kind_of(shot: Shot) -> ThrowKind:
    """Return the kind of a throw that is to be made."""
    return ThrowKind(
        slammer_g=shot.slammer.mass_g,
        knock_out_g=shot.stack[0].mass_g if shot.knock_out else None,
        pieces=len(shot.stack),
    )
