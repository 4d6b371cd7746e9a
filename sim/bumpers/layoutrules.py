"""Which layouts are legal (PB-11, PB-12)."""

from sim.bumpers.layout import Layout, Slot, neighbour_slots
from sim.bumpers.options import Rules

MAX_MATS = 16
"""As the rulebook's box has."""


def layout_problems(layout: Layout, rules: Rules) -> tuple[str, ...]:
    """Return all that is wrong with a layout; nothing if it is legal.

    A mat alone on the board is legal: it has no other to touch.
    """
    problems = []
    if len(layout.faces) > MAX_MATS:
        problems.append(f"{len(layout.faces)} mats are too many; give 1 to {MAX_MATS}")
    for mat, face in enumerate(layout.faces):
        label, slot = face.label, layout.places[mat].slot
        if layout.mat_named(face.name) != mat:
            problems.append(f"mat {face.name} lies on the board twice")
        other = layout.mat_at(slot)
        if other is not None and other < mat:
            problems.append(f"mats {layout.faces[other].label} and {label} lie on each other")
        if face.size != layout.size:
            problems.append(
                f"mat {label} is {face.size} spaces wide, but {layout.faces[0].label} "
                f"{layout.size}; all mats of a board are of one size"
            )
        if len(layout.faces) > 1 and not touches_another(layout, mat):
            problems.append(f"mat {label} touches no other mat")
    if rules.one_piece and not _is_one_piece(layout):
        problems.append("the board is not one piece (rules: one-piece)")
    return tuple(problems)


def touches_another(layout: Layout, mat: int) -> bool:
    """Return whether a mat has a neighbour."""
    return any(
        layout.mat_at(slot) not in (None, mat) for slot in neighbour_slots(layout.places[mat].slot)
    )


def has_open_side(layout: Layout, mat: int) -> bool:
    """Return whether a side of the mat has no mat beside it (PB-11)."""
    return any(layout.mat_at(slot) is None for slot in neighbour_slots(layout.places[mat].slot))


def _is_one_piece(layout: Layout) -> bool:
    slots: set[Slot] = {place.slot for place in layout.places}
    reached: set[Slot] = set()
    waiting = [layout.places[0].slot]
    while waiting:
        slot = waiting.pop()
        if slot in slots and slot not in reached:
            reached.add(slot)
            waiting.extend(neighbour_slots(slot))
    return reached == slots
