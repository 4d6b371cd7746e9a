"""One side of a mat: what is printed on its spaces.

The four directions, clockwise from north.

Colours, kinds and pieces.

Layouts: where each mat lies on the lattice of mats, and how it is turned.

Which layouts are legal (PB-11, PB-12).

What the rulings leave to choose.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, IntEnum
from types import MappingProxyType


class Direction(IntEnum):
    """A direction on the board; north is up in a drawing.

    Example:
        >>> Direction.N.opposite, Direction.W.turned(1)
        (<Direction.S: 2>, <Direction.N: 0>)
    """

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def opposite(self) -> "Direction":
        """The direction that points back."""
        return Direction((self + 2) % 4)

    @property
    def step(self) -> tuple[int, int]:
        """Rows (southward) and columns (eastward) that one step covers."""
        return _STEPS[self]

    def turned(self, quarters: int) -> "Direction":
        """Return the direction turned clockwise by quarter turns."""
        return Direction((self + quarters) % 4)


_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Colour(IntEnum):
    """A player's colour; the rulebook names six players and no colours, so the names are ours."""

    RED = 0
    ORANGE = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4
    VIOLET = 5

    @property
    def letter(self) -> str:
        """The colour's first letter, as notation has it."""
        return self.name[0]

    @property
    def word(self) -> str:
        """The colour's name, as errors and drawings say it."""
        return self.name.lower()


class Kind(Enum):
    """A kind of piece, with its letter."""

    PUCK = "P"
    ICE = "I"
    MEEPLE = "M"

    @property
    def word(self) -> str:
        """What the rulebook calls it."""
        return _WORDS[self]


_WORDS: Mapping[Kind, str] = MappingProxyType(
    {Kind.PUCK: "puck", Kind.ICE: "ice block", Kind.MEEPLE: "meeple"}
)

PIECES_EACH: Mapping[Kind, int] = MappingProxyType({Kind.PUCK: 4, Kind.ICE: 2, Kind.MEEPLE: 2})
"""Pieces of each colour (rulebook, Setup)."""

OLD_SCHOOL_PIECES_EACH: Mapping[Kind, int] = MappingProxyType(
    {Kind.PUCK: 2, Kind.ICE: 2, Kind.MEEPLE: 0}
)
"""The same in the old-school variant (PB-17)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece; those of one colour and kind are interchangeable.

    Attributes:
        colour: Whose it is.
        kind: What it is.

    Example:
        >>> Piece(Colour.RED, Kind.ICE).code, str(Piece(Colour.RED, Kind.ICE))
        ('RI', 'red ice block')
    """

    colour: Colour
    kind: Kind

    @property
    def code(self) -> str:
        """The piece in notation and drawings: colour, then kind."""
        return self.colour.letter + self.kind.value

    def __str__(self) -> str:
        return f"{self.colour.word} {self.kind.word}"


def colour_of(letter: str) -> Colour | None:
    """Return the colour of a letter, or None."""
    return next((colour for colour in Colour if colour.letter == letter), None)


MIN_MAT_SIZE = 2
MAX_MAT_SIZE = 9


@dataclass(frozen=True, slots=True)
class Goal:
    """Two spaces side by side, open only at their two front edges (PB-2).

    Attributes:
        spaces: Its two spaces.
        facing: The direction out of its front, in the mat's own frame.
    """

    spaces: tuple[int, int]
    facing: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class MatFace:
    """One side of a mat, in its own frame: row 0 is its north edge when it is not turned.

    A space is ``row * size + column``.

    Attributes:
        name: The mat's name; both its sides share it.
        flipped: This is the flip side.
        size: Spaces along an edge.
        pools: Spaces that no piece enters.
        goals: Its goals.
        starts: Start spaces and the kind of piece that begins there.
        walls: Edges that nothing crosses, as a space and a direction; of an edge between two
            spaces of the mat, only the side of the northern or western one.
    """

    name: str
    flipped: bool = False
    size: int
    pools: frozenset[int] = frozenset()
    goals: tuple[Goal, ...] = ()
    starts: frozenset[tuple[int, Kind]] = field(default=frozenset())
    walls: frozenset[tuple[int, Direction]] = field(default=frozenset())

    @property
    def label(self) -> str:
        """The side in notation: the mat's name, and an ``f`` for the flip side."""
        return self.name + ("f" if self.flipped else "")

    @property
    def spaces(self) -> int:
        """How many spaces it has."""
        return self.size * self.size


def canonical_edge(size: int, space: int, direction: Direction) -> tuple[int, Direction]:
    """Return the edge of a space as ``MatFace.walls`` has it.

    Example:
        >>> canonical_edge(4, 5, Direction.N)
        (1, <Direction.S: 2>)
    """
    row, column = divmod(space, size)
    if direction is Direction.N and row > 0:
        return space - size, Direction.S
    if direction is Direction.W and column > 0:
        return space - 1, Direction.E
    return space, direction


Slot = tuple[int, int]
"""A place on the lattice of mats: row from the north, column from the west."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mat lies.

    Attributes:
        slot: Its place on the lattice.
        turn: Quarter turns clockwise, 0 to 3.
    """

    slot: Slot
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """Mats on the lattice; build it with `make_layout`.

    The northernmost row and the westernmost column with a mat are 0, so that equal boards are
    equal. A mat's number, its index here, and with it every space's number stay the same whatever
    mat moves.

    Attributes:
        faces: The sides that lie up, sorted by name.
        places: Where each of them lies.
    """

    faces: tuple[MatFace, ...]
    places: tuple[Place, ...]

    def __hash__(self) -> int:
        return hash(self.places)

    @property
    def size(self) -> int:
        """Spaces along the edge of a mat."""
        return self.faces[0].size

    @property
    def spaces_per_mat(self) -> int:
        """Spaces of a mat; space number = mat number * this + space in the mat's own frame."""
        return self.size * self.size

    @property
    def rows(self) -> int:
        """Rows of mats."""
        return 1 + max(place.slot[0] for place in self.places)

    @property
    def columns(self) -> int:
        """Columns of mats."""
        return 1 + max(place.slot[1] for place in self.places)

    def mat_at(self, slot: Slot) -> int | None:
        """Return the number of the mat in a slot, or None."""
        for mat, place in enumerate(self.places):
            if place.slot == slot:
                return mat
        return None

    def mat_named(self, name: str) -> int | None:
        """Return the number of the mat of that name, or None."""
        for mat, face in enumerate(self.faces):
            if face.name == name:
                return mat
        return None


def make_layout(placed: Iterable[tuple[MatFace, Place]]) -> Layout:
    """Return the layout of some mats; slots may be counted from anywhere.

    Nothing is checked: see `sim.bumpers.mats.layout_problems`.

    Example:
        >>> from sim.bumpers.mat_notation import read_mat
        >>> a, b = read_mat("A", "..\\n.."), read_mat("B", "..\\n..")
        >>> make_layout([(b, Place((3, 5))), (a, Place((3, 4), 1))]).places
        (Place(slot=(0, 0), turn=1), Place(slot=(0, 1), turn=0))
    """
    ordered = sorted(placed, key=lambda pair: (pair[0].name, pair[0].flipped))
    faces = tuple(face for face, _ in ordered)
    return Layout(faces, normalised_places(place for _, place in ordered))


def normalised_places(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return places counted from the northernmost row and the westernmost column."""
    kept = tuple(places)
    north = min(place.slot[0] for place in kept)
    west = min(place.slot[1] for place in kept)
    if north == west == 0:
        return kept
    return tuple(Place((place.slot[0] - north, place.slot[1] - west), place.turn) for place in kept)


def with_places(layout: Layout, changes: Mapping[int, Place]) -> Layout:
    """Return the layout with some mats lying elsewhere, by number."""
    return Layout(
        layout.faces,
        normalised_places(changes.get(mat, place) for mat, place in enumerate(layout.places)),
    )


def slots_of(layout: Layout) -> frozenset[Slot]:
    """Return the slots with a mat."""
    return frozenset(place.slot for place in layout.places)


def neighbour_slots(slot: Slot) -> tuple[Slot, Slot, Slot, Slot]:
    """Return the slots to the north, east, south and west."""
    row, column = slot
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Which reading of the rules a position is played by. The defaults are the rulings'.

    The size of a mat (PB-1) is the mats' own.

    Attributes:
        pass_through: A hit puck that touches another passes the momentum on (PB-4).
        one_piece: A mat move must leave the board one piece (PB-12).
        old_school: The old-school variant: two pucks and two ice blocks each, no meeples (PB-17).
        old_school_chains: Pucks send each other sliding in the old-school variant, too (PB-17).
        slippery_ice: An ice block that steps slides instead: the house card of that name (PB-14).
    """

    pass_through: bool = False
    one_piece: bool = False
    old_school: bool = False
    old_school_chains: bool = False
    slippery_ice: bool = False

    @property
    def chains(self) -> bool:
        """Whether a sliding piece sends a puck that it hits sliding."""
        return not self.old_school or self.old_school_chains

    @property
    def pieces_each(self) -> Mapping[Kind, int]:
        """How many pieces of each kind a colour has, scored pucks among them."""
        return OLD_SCHOOL_PIECES_EACH if self.old_school else PIECES_EACH


RULE_NAMES: Mapping[str, str] = MappingProxyType(
    {field.name.replace("_", "-"): field.name for field in fields(Rules)}
)
"""The options as notation writes them, to the fields' names."""


MAX_MATS = 16
"""As the rulebook's box has."""


def layout_problems(layout: Layout, rules: Rules) -> tuple[str, ...]:
    """Return all that is wrong with a layout; nothing if it is legal.

    A mat alone on the board is legal: it has no other to touch.
    """
    problems = []
    if len(layout.faces) > MAX_MATS:
        problems.append(f"{len(layout.faces)} mats are too many; give 1 to {MAX_MATS}")
    slots = slots_of(layout)
    lonely = _lonely(slots)
    names: set[str] = set()
    lying: dict[Slot, str] = {}
    for face, place in zip(layout.faces, layout.places, strict=True):
        label, slot = face.label, place.slot
        if face.name in names:
            problems.append(f"mat {face.name} lies on the board twice")
        if slot in lying:
            problems.append(f"mats {lying[slot]} and {label} lie on each other")
        names.add(face.name)
        lying.setdefault(slot, label)
        if face.size != layout.size:
            problems.append(
                f"mat {label} is {face.size} spaces wide, but {layout.faces[0].label} "
                f"{layout.size}; all mats of a board are of one size"
            )
        if slot in lonely:
            problems.append(f"mat {label} touches no other mat")
    if rules.one_piece and not _is_one_piece(slots):
        problems.append("the board is not one piece (rules: one-piece)")
    return tuple(problems)


def are_slots_legal(slots: frozenset[Slot], rules: Rules) -> bool:
    """Return whether mats may lie in some slots, whichever mats they are."""
    return not _lonely(slots) and not (rules.one_piece and not _is_one_piece(slots))


def has_open_side(layout: Layout, mat: int) -> bool:
    """Return whether a side of the mat has no mat beside it (PB-11)."""
    return not slots_of(layout).issuperset(neighbour_slots(layout.places[mat].slot))


def _lonely(slots: frozenset[Slot]) -> set[Slot]:
    """Return the slots in use that touch no other; a mat alone on the board has none to touch."""
    if len(slots) == 1:
        return set()
    return {slot for slot in slots if slots.isdisjoint(neighbour_slots(slot))}


def _is_one_piece(slots: frozenset[Slot]) -> bool:
    reached: set[Slot] = set()
    waiting = [min(slots)]
    while waiting:
        slot = waiting.pop()
        if slot in slots and slot not in reached:
            reached.add(slot)
            waiting.extend(neighbour_slots(slot))
    return reached == slots
