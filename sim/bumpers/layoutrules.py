"""Which layouts are legal (PB-11, PB-12)."""

from sim.bumpers.layout import Layout, Slot, neighbour_slots, slots_of
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


def may_lie(slots: frozenset[Slot], rules: Rules) -> bool:
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
