"""Outcomes of throws as the rules need them, and the protocol of their sources.

An `Outcome` has a face and a distance for each piece of the stack; `outcome_text` and
`parse_outcome` are its short text. A source of throws turns a `Shot` into an outcome: see
`pucklab.sim.pokepucks.throw_sources`. A `ThrowKind` is the part of a shot that
tables distinguish: pucks are all alike, slammers differ by mass.
"""

from contextlib import suppress
from dataclasses import field, replace
from math import log
from typing import Protocol

import numpy as np

from pucklab.base.errors import shown
from pucklab.base.facts import fact, small_fact
from pucklab.physics import Face, InputError, SlamOutcome, Throw
from pucklab.sim.pokepucks.designs import Design

_FACES = {face.letter: face for face in Face}
_MISS = "miss"
_MAX_MM = 100_000.0


@small_fact
class Landing:
    """Final face and distance of one piece of the stack.

    Attributes:
        face: Its face.
        distance_mm: Distance of its centre from the arena's centre, in whole micrometres.
    """

    face: Face
    distance_mm: float = 0.0


@small_fact
class Outcome:
    """The outcome of a throw.

    Attributes:
        hit: True if the slammer touched the top piece; a miss moves nothing (ruling PP-40).
        landings: One per piece of the stack, from the floor up.
        throw: The throw, where a slam was simulated.

    Example:
        >>> Outcome(hit=True, landings=(Landing(Face.UP), Landing(Face.OUT))).flipped
        (0,)
    """

    hit: bool
    landings: tuple[Landing, ...]
    throw: Throw | None = field(default=None, compare=False)

    @property
    def flipped(self) -> tuple[int, ...]:
        """Indices of the pieces that ended face up inside the arena, from the floor up."""
        return self.indices(Face.UP)

    def indices(self, face: Face) -> tuple[int, ...]:
        """Return the indices of the pieces with a face, from the floor up, from 0."""
        return tuple(i for i, landing in enumerate(self.landings) if landing.face is face)


def missed(pieces: int) -> Outcome:
    """Return the outcome of a miss at a stack of ``pieces``: none moves."""
    return Outcome(hit=False, landings=(Landing(Face.DOWN),) * pieces)


def with_still(outcome: Outcome, pieces: int, index: int = 0) -> Outcome:
    """Return an outcome with additional pieces that did not move.

    Args:
        outcome: The outcome.
        pieces: Number of additional pieces, from 0.
        index: Index of the lowest of them in the stack, from 0 on the floor.

    Example:
        >>> outcome_text(with_still(parse_outcome("U30 D5"), 2))
        'D D U30 D5'
    """
    landings, still = outcome.landings, (Landing(Face.DOWN),) * pieces
    return replace(outcome, landings=(*landings[:index], *still, *landings[index:]))


def outcome_of(slam: SlamOutcome) -> Outcome:
    """Return the part of a slam's outcome that the rules need."""
    if not slam.hit:
        return missed(len(slam.pieces))
    landings = (Landing(piece.face, round(piece.distance_mm, 3)) for piece in slam.pieces)
    return Outcome(hit=True, landings=tuple(landings))


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome as text; `parse_outcome` reads it back.

    Each piece is a letter, from the floor up: U face up, D face down, L leaning, O out of the
    arena; the distance in mm follows unless it is 0. A miss is ``miss`` and the number of pieces.

    Example:
        >>> outcome_text(Outcome(hit=True, landings=(Landing(Face.DOWN), Landing(Face.UP, 35.25))))
        'D U35.25'
        >>> outcome_text(missed(8))
        'miss 8'
    """
    if not outcome.hit:
        return f"{_MISS} {len(outcome.landings)}"
    return " ".join(
        landing.face.letter
        + (f"{landing.distance_mm:.3f}".rstrip("0").rstrip(".") if landing.distance_mm else "")
        for landing in outcome.landings
    )


def parse_outcome(text: str, field: str = "outcome") -> Outcome:
    """Return an outcome from text of the form of `outcome_text`.

    Args:
        text: The text; spaces between pieces are optional.
        field: Name of the text in an error.

    Raises:
        InputError: The text has another form.

    Example:
        >>> parse_outcome("DDU35.25O").flipped
        (2,)
        >>> parse_outcome("DX")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: outcome: 'DX' is not accepted; give such as ...
    """
    first, _, rest = text.strip().partition(" ")
    if first == _MISS and rest.isdecimal() and len(rest) < 4:
        return missed(int(rest))
    spaced = "".join(f" {sign}" if sign in _FACES else sign for sign in text)
    landings = []
    with suppress(ValueError, KeyError):  # no number, no face
        landings = [
            Landing(_FACES[part[0]], round(float(part[1:] or 0), 3)) for part in spaced.split()
        ]
    if not landings or not all(0 <= landing.distance_mm <= _MAX_MM for landing in landings):
        raise InputError(
            f"{field}: {shown(text)} is not accepted; give such as 'D U35' or 'miss 8'"
        )
    return Outcome(hit=True, landings=tuple(landings))


@fact
class Shot:
    """A throw to be made, in terms of designs.

    Attributes:
        player: The thrower, an index from 0.
        slammer: The slammer thrown.
        stack: The stack, from the floor up.
        knock_out: True for a knock-out attempt, in which the lowest piece is the slammer thrown at
            and the others are its shields.
    """

    player: int
    slammer: Design
    stack: tuple[Design, ...]
    knock_out: bool = False


class Throws(Protocol):
    """A source of outcomes of throws."""

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a throw, with a landing for each piece of its stack.

        Args:
            shot: The throw.
            rng: Random numbers for this throw alone.
        """
        ...


@fact
class ThrowKind:
    """A kind of throw.

    Attributes:
        slammer_g: Mass of the slammer thrown.
        knock_out_g: Mass of the slammer thrown at; None for a stack of pucks.
        pieces: Number of pieces in the stack.
    """

    slammer_g: float
    knock_out_g: float | None
    pieces: int

    def distance_to(self, other: "ThrowKind") -> tuple[bool, float, float, int]:
        """Return a measure of the difference from another kind; the smallest is the nearest.

        The slammer thrown at counts first, then the slammer thrown, both by the ratio of masses,
        and then the number of pieces.

        Example:
            >>> rock = ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=8)
            >>> rock.distance_to(ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=17))
            (False, 0.0, 0.0, 9)
        """
        target = 0.0
        if self.knock_out_g is not None and other.knock_out_g is not None:
            target = abs(log(other.knock_out_g / self.knock_out_g))
        return (
            (other.knock_out_g is None) != (self.knock_out_g is None),
            target,
            abs(log(other.slammer_g / self.slammer_g)),
            abs(other.pieces - self.pieces),
        )


def kind_of(shot: Shot) -> ThrowKind:
    """Return the kind of a throw."""
    return ThrowKind(
        slammer_g=shot.slammer.mass_g,
        knock_out_g=shot.stack[0].mass_g if shot.knock_out else None,
        pieces=len(shot.stack),
    )
