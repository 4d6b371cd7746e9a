"""The rules of mats: which may turn, swap and shift, and where to (PB-11 to PB-13, PB-22)."""

from itertools import combinations

from sim.bumpers.layout import Layout, Place, Slot, neighbour_slots, slots_of, with_places
from sim.bumpers.layoutrules import has_open_side, layout_problems, may_lie
from sim.bumpers.moves import MatMove, Shift, Swap, Turn
from sim.bumpers.options import Rules

_APART = 2
"""How far beyond the board a mat may be laid for a while: far enough to touch nothing."""


def legal_mat_moves(
    layout: Layout, rules: Rules, *, temporary: bool = False
) -> tuple[MatMove, ...]:
    """Return every legal turn, swap and shift, in this order.

    Args:
        layout: The layout.
        rules: The rules.
        temporary: More mat moves follow in the same series: the layout after this one need not be
            legal (PB-23).
    """
    slots = slots_of(layout)
    liftable = [mat for mat in range(len(layout.faces)) if has_open_side(layout, mat)]
    moves: list[MatMove] = [
        Turn(mat, quarters) for mat in range(len(layout.faces)) for quarters in (1, 2, 3)
    ]
    # A swap leaves the same slots in use.
    if temporary or may_lie(slots, rules):
        moves += [Swap(first, second) for first, second in combinations(liftable, 2)]
    free = _slots_around(layout) if temporary else _slots_beside(slots)
    for mat in liftable:
        others = slots - {layout.places[mat].slot}
        moves += [
            Shift(mat, slot)
            for slot in free
            if others and (temporary or may_lie(others | {slot}, rules))
        ]
    return tuple(moves)


def why_mat_move_not(
    layout: Layout, move: MatMove, rules: Rules, *, temporary: bool = False
) -> str:
    """Return why a mat move is illegal; empty if it is legal.

    Args:
        layout: The layout.
        move: The move.
        rules: The rules.
        temporary: As of `legal_mat_moves`.
    """
    reason = _why_not_lifted(layout, move)
    if reason or isinstance(move, Turn):
        return reason
    after = with_places(layout, moved_places(layout, move))
    if after == layout:
        return "it changes nothing"
    problems = () if temporary else layout_problems(after, rules)
    return f"after it, {'; '.join(problems)}" if problems else ""


def moved_places(layout: Layout, move: MatMove) -> dict[int, Place]:
    """Return where the mats of a move lie after it, by number."""
    places = layout.places
    if isinstance(move, Turn):
        old = places[move.mat]
        return {move.mat: Place(old.slot, (old.turn + move.quarters) % 4)}
    if isinstance(move, Shift):
        return {move.mat: Place(move.slot, places[move.mat].turn)}
    first, second = places[move.first], places[move.second]
    return {
        move.first: Place(second.slot, first.turn),
        move.second: Place(first.slot, second.turn),
    }


def _slots_around(layout: Layout) -> list[Slot]:
    """Return the free slots of the board and of what counts as near it, row by row."""
    slots = slots_of(layout)
    return [
        (row, column)
        for row in range(-_APART, layout.rows + _APART)
        for column in range(-_APART, layout.columns + _APART)
        if (row, column) not in slots
    ]


def _slots_beside(slots: frozenset[Slot]) -> list[Slot]:
    """Return the free slots that touch a mat, row by row."""
    return sorted({beside for slot in slots for beside in neighbour_slots(slot)} - slots)


def _is_near(layout: Layout, move: Shift) -> bool:
    row, column = move.slot
    return -_APART <= row < layout.rows + _APART and -_APART <= column < layout.columns + _APART


def _why_not_lifted(layout: Layout, move: MatMove) -> str:
    """Return why the mats of a move cannot be taken up, or not laid where it says."""
    moving = (move.first, move.second) if isinstance(move, Swap) else (move.mat,)
    for mat in moving:
        if not 0 <= mat < len(layout.faces):
            return f"there is no mat number {mat}; give 0 to {len(layout.faces) - 1}"
    if isinstance(move, Turn):
        good = move.quarters in (1, 2, 3)
        return "" if good else f"{move.quarters} quarter turns; give 1, 2 or 3 (PB-22)"
    for mat in moving:
        if not has_open_side(layout, mat):
            return f"mat {layout.faces[mat].label} has no open side: mats lie on all four (PB-11)"
    if isinstance(move, Swap):
        return "" if move.first < move.second else "give two different mats, by number"
    there = layout.mat_at(move.slot)
    if there is not None:
        return f"mat {layout.faces[there].label} lies there"
    return "" if _is_near(layout, move) else f"more than {_APART} slots away from the board"
