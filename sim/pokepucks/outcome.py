"""What a throw comes to, as far as the rules look at it; and its short text."""

from dataclasses import dataclass

from physics import Face, InputError, SlamOutcome
from physics.checks import shown

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
        """Places of the pieces that ended face up inside the arena, from the floor up."""
        return self.places(Face.UP)

    @property
    def out(self) -> tuple[int, ...]:
        """Places of the pieces that left the arena, from the floor up."""
        return self.places(Face.OUT)

    def places(self, face: Face) -> tuple[int, ...]:
        """Return the places of the pieces that lie so, from the floor up."""
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
        physics.checks.InputError: outcome: 'DX' is not accepted; give such as 'D U35' or 'miss 8'
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
