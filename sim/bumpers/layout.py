"""Layouts: where each mat lies on the lattice of mats, and how it is turned."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sim.bumpers.mats import MatFace

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

    Nothing is checked: see `sim.bumpers.layoutrules.layout_problems`.

    Example:
        >>> from sim.bumpers.matdrawing import read_mat
        >>> a, b = read_mat("A", "..\\n.."), read_mat("B", "..\\n..")
        >>> make_layout([(b, Place((3, 5))), (a, Place((3, 4), 1))]).places
        (Place(slot=(0, 0), turn=1), Place(slot=(0, 1), turn=0))
    """
    ordered = sorted(placed, key=lambda pair: (pair[0].name, pair[0].flipped))
    faces = tuple(face for face, _ in ordered)
    return Layout(faces, normal_places(place for _, place in ordered))


def normal_places(places: Iterable[Place]) -> tuple[Place, ...]:
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
        normal_places(changes.get(mat, place) for mat, place in enumerate(layout.places)),
    )


def slots_of(layout: Layout) -> frozenset[Slot]:
    """Return the slots with a mat."""
    return frozenset(place.slot for place in layout.places)


def neighbour_slots(slot: Slot) -> tuple[Slot, Slot, Slot, Slot]:
    """Return the slots to the north, east, south and west."""
    row, column = slot
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)
