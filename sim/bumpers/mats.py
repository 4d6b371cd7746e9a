"""The material of Puck Bumpers: directions, pieces, mats, layouts and optional rules.

Plain values without behaviour. A `MatFace` is one printed side of a mat, a `Layout` puts faces on
the lattice of mats. `layout_problems` says whether a layout is legal (PB-11, PB-12). Text forms
are in `pucklab.sim.bumpers.mat_notation`, squares and positions in `pucklab.sim.bumpers.board`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from enum import Enum, IntEnum

from pucklab.base.facts import fact, small_fact

MIN_MAT_SIZE = 2
MAX_MAT_SIZE = 9

Slot = tuple[int, int]
"""A cell of the lattice of mats: row from the north, column from the west."""

MAX_MATS = 16
"""Most mats on a board: the number in the rulebook's box."""

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Direction(IntEnum):
    """A direction on the board; north is up in a drawing.

    Example:
        >>> Direction.W.turned(1)
        <Direction.N: 0>
    """

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def step(self) -> tuple[int, int]:
        """Rows (positive southward) and columns (positive eastward) of one step."""
        return _STEPS[self]

    def turned(self, quarters: int) -> "Direction":
        """Return the direction turned clockwise by quarter turns."""
        return Direction((self + quarters) % 4)


class Colour(IntEnum):
    """A player's colour. The rulebook has six players but names no colours; these are ours."""

    RED = 0
    ORANGE = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4
    VIOLET = 5

    @property
    def letter(self) -> str:
        """The colour's first letter, used in notation."""
        return self.name[0]

    @property
    def word(self) -> str:
        """The colour's name in lower case, used in errors and drawings."""
        return self.name.lower()


class Kind(Enum):
    """A kind of piece, with its letter."""

    PUCK = "P"
    ICE = "I"
    MEEPLE = "M"

    @property
    def word(self) -> str:
        """The rulebook's word for it."""
        return _WORDS[self]


_WORDS = {Kind.PUCK: "puck", Kind.ICE: "ice block", Kind.MEEPLE: "meeple"}


PIECES_EACH = {Kind.PUCK: 4, Kind.ICE: 2, Kind.MEEPLE: 2}
"""Pieces of each colour (rulebook, Setup)."""


OLD_SCHOOL_PIECES_EACH = {Kind.PUCK: 2, Kind.ICE: 2, Kind.MEEPLE: 0}
"""Pieces of each colour in the old-school variant (PB-17)."""


MOST_PIECES = 250
"""Pieces on a board that the solver has room for."""


@small_fact
class Piece:
    """A piece. Pieces of one colour and kind are interchangeable.

    Attributes:
        colour: Its colour.
        kind: Puck, ice block or meeple.

    Example:
        >>> Piece(Colour.RED, Kind.ICE).code, str(Piece(Colour.RED, Kind.ICE))
        ('RI', 'red ice block')
    """

    colour: Colour
    kind: Kind

    @property
    def code(self) -> str:
        """The piece's two letters in notation and drawings: colour, then kind."""
        return self.colour.letter + self.kind.value

    def __str__(self) -> str:
        return f"{self.colour.word} {self.kind.word}"


def colour_of(letter: str) -> Colour | None:
    """Return the colour with this first letter, or None."""
    return next((colour for colour in Colour if colour.letter == letter), None)


@fact
class Rules:
    """Optional rules of a position. The defaults follow the project's rulings (PB-...).

    Attributes:
        pass_through: A hit puck that already touches another one passes the momentum on (PB-4).
        one_piece: A mat move must leave the board connected (PB-12).
        old_school: The old-school variant: two pucks and two ice blocks each, no meeples (PB-17).
        old_school_chains: Pucks send each other sliding in the old-school variant, too (PB-17).
        slippery_ice: Ice blocks slide instead of stepping: the house card Slippery Ice (PB-14).
        slide: Ricochet-style puzzles, which are no game: every piece slides until something stops
            it, and sets nothing in motion; whoever is to move moves pieces of every colour, of
            which there may be any number up to `MOST_PIECES`.
    """

    pass_through: bool = False
    one_piece: bool = False
    old_school: bool = False
    old_school_chains: bool = False
    slippery_ice: bool = False
    slide: bool = False

    @property
    def chains(self) -> bool:
        """Whether a sliding piece sets the puck that it hits in motion."""
        return not self.slide and (not self.old_school or self.old_school_chains)

    @property
    def pieces_each(self) -> Mapping[Kind, int]:
        """Pieces of each kind per colour, scored pucks included."""
        if self.slide:
            return dict.fromkeys(Kind, MOST_PIECES)
        return OLD_SCHOOL_PIECES_EACH if self.old_school else PIECES_EACH


RULE_NAMES = {field.name.replace("_", "-"): field.name for field in fields(Rules)}
"""Names of the optional rules in notation, mapped to the fields of `Rules`."""


@small_fact
class Goal:
    """Two spaces side by side, open only at their two front edges (PB-2).

    Attributes:
        spaces: Its two spaces.
        facing: The direction out of its open front, in the mat's own frame.
    """

    spaces: tuple[int, int]
    facing: Direction


@fact
class MatFace:
    """One side of a mat, in its own frame: row 0 is its north edge when it is not turned.

    A space is ``row * size + column``.

    Attributes:
        name: The mat's name; both its sides share it.
        flipped: Whether this is the flip side.
        size: Spaces along an edge.
        pools: Spaces that no piece enters.
        goals: Its goals.
        starts: Start spaces, each with the kind of piece that begins there.
        walls: Edges that nothing crosses, as (space, direction). An edge between two spaces of
            the mat is stored once, from its northern or western space: see `canonical_edge`.
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
        """The side in notation: the mat's name, with an ``f`` appended for the flip side."""
        return self.name + ("f" if self.flipped else "")

    @property
    def spaces(self) -> int:
        """Number of spaces."""
        return self.size * self.size


def canonical_edge(size: int, space: int, direction: Direction) -> tuple[int, Direction]:
    """Return an edge of a space in the form that `MatFace.walls` stores.

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


@small_fact
class Place:
    """Position and rotation of a mat.

    Attributes:
        slot: Its cell of the lattice.
        turn: Quarter turns clockwise, 0 to 3.
    """

    slot: Slot
    turn: int = 0


@small_fact
class Layout:
    """Mats on the lattice; build it with `make_layout`.

    The northernmost row and the westernmost column with a mat are 0, so that equal boards compare
    equal. A mat's number is its index here. Mat moves change neither the numbers of mats nor
    those of spaces.

    Attributes:
        faces: The upper sides of the mats, sorted by name.
        places: Position and rotation of each mat.
    """

    faces: tuple[MatFace, ...]
    places: tuple[Place, ...]

    def __hash__(self) -> int:
        return hash(self.places)

    @property
    def size(self) -> int:
        """Spaces along an edge of a mat."""
        return self.faces[0].size

    @property
    def spaces_per_mat(self) -> int:
        """Spaces of a mat: space number = mat number * this + space in the mat's own frame."""
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
        return next((mat for mat, place in enumerate(self.places) if place.slot == slot), None)

    def mat_named(self, name: str) -> int | None:
        """Return the number of the mat with this name, or None."""
        return next((mat for mat, face in enumerate(self.faces) if face.name == name), None)


def make_layout(placed: Iterable[tuple[MatFace, Place]]) -> Layout:
    """Return the layout of some mats; slots may be counted from any origin.

    Legality is not checked: see `layout_problems`.

    Example:
        >>> from pucklab.sim.bumpers.mat_notation import read_mat
        >>> a, b = read_mat("A", "..\\n.."), read_mat("B", "..\\n..")
        >>> make_layout([(b, Place((3, 5))), (a, Place((3, 4), 1))]).places
        (Place(slot=(0, 0), turn=1), Place(slot=(0, 1), turn=0))
    """
    ordered = sorted(placed, key=lambda pair: (pair[0].name, pair[0].flipped))
    faces = tuple(face for face, _ in ordered)
    return Layout(faces, normalised_places(place for _, place in ordered))


def normalised_places(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return places with slots counted from the northernmost row and westernmost column."""
    kept = tuple(places)
    north = min(place.slot[0] for place in kept)
    west = min(place.slot[1] for place in kept)
    if north == west == 0:
        return kept
    return tuple(Place((place.slot[0] - north, place.slot[1] - west), place.turn) for place in kept)


def with_places(layout: Layout, changes: Mapping[int, Place]) -> Layout:
    """Return the layout with new places for some mats, by mat number."""
    return Layout(
        layout.faces,
        normalised_places(changes.get(mat, place) for mat, place in enumerate(layout.places)),
    )


def slots_of(layout: Layout) -> frozenset[Slot]:
    """Return the occupied slots."""
    return frozenset(place.slot for place in layout.places)


def neighbour_slots(slot: Slot) -> tuple[Slot, Slot, Slot, Slot]:
    """Return the slots to the north, east, south and west."""
    row, column = slot
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)


def layout_problems(layout: Layout, rules: Rules) -> tuple[str, ...]:
    """Return every reason why a layout is illegal (PB-11, PB-12); empty if it is legal.

    A single mat is legal: there is no other that it could touch.
    """
    problems = []
    if len(layout.faces) > MAX_MATS:
        problems.append(f"{len(layout.faces)} mats are too many; give 1 to {MAX_MATS}")
    slots = slots_of(layout)
    isolated = _lone_slots(slots)
    names: set[str] = set()
    label_at: dict[Slot, str] = {}
    for face, place in zip(layout.faces, layout.places, strict=True):
        label, slot = face.label, place.slot
        if face.name in names:
            problems.append(f"mat {face.name} is on the board twice")
        if slot in label_at:
            problems.append(f"mats {label_at[slot]} and {label} are in the same slot")
        names.add(face.name)
        label_at.setdefault(slot, label)
        if face.size != layout.size:
            problems.append(
                f"mat {label} is {face.size} spaces wide, but {layout.faces[0].label} "
                f"{layout.size}; all mats of a board have the same size"
            )
        if slot in isolated:
            problems.append(f"mat {label} touches no other mat")
    if rules.one_piece and not _is_connected(slots):
        problems.append("the board is not one piece (rules: one-piece)")
    return tuple(problems)


def are_slots_legal(slots: frozenset[Slot], rules: Rules) -> bool:
    """Return whether a board may occupy these slots, whichever mats are in them."""
    return not _lone_slots(slots) and not (rules.one_piece and not _is_connected(slots))


def has_open_side(layout: Layout, mat: int) -> bool:
    """Return whether at least one side of a mat has no neighbour (PB-11)."""
    return not slots_of(layout).issuperset(neighbour_slots(layout.places[mat].slot))


def _lone_slots(slots: frozenset[Slot]) -> set[Slot]:
    """Return the occupied slots without a neighbour; none if there is only one slot."""
    if len(slots) == 1:
        return set()
    return {slot for slot in slots if slots.isdisjoint(neighbour_slots(slot))}


def _is_connected(slots: frozenset[Slot]) -> bool:
    """Return whether every slot can be reached from every other, side by side."""
    reached: set[Slot] = set()
    waiting = [min(slots)]
    while waiting:
        slot = waiting.pop()
        if slot in slots and slot not in reached:
            reached.add(slot)
            waiting.extend(neighbour_slots(slot))
    return reached == slots
