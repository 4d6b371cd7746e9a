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
    slots = {place.slot for place in layout.places}
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
        if len(layout.faces) > 1 and slots.isdisjoint(neighbour_slots(slot)):
            problems.append(f"mat {label} touches no other mat")
    if rules.one_piece and not _is_one_piece(layout):
        problems.append("the board is not one piece (rules: one-piece)")
    return tuple(problems)


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
