"""Picking on the board: the space, mat slot or legal move that a place stands for, and marks.

Legality is decided by the rules in `pucklab.sim.bumpers`; nothing is decided here.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Literal

from pucklab.base.facts import fact
from pucklab.sim.bumpers import (
    Colour,
    Direction,
    Layout,
    MatMove,
    MatShift,
    MatSwap,
    Move,
    Movement,
    PieceMove,
    Position,
    board_of,
    legal_moves,
    play,
    position_problems,
    why_illegal,
)
from pucklab.sim.bumpers.board import Square
from pucklab.sim.bumpers.mats import Slot, with_places
from pucklab.sim.bumpers.moves import moved_mats, moved_places

_RING = 1
"""Rows and columns of free slots around the board to which a mat can be dragged."""


@fact
class MovePreview:
    """A legal move of a piece, and the movements it causes.

    Attributes:
        move: The move.
        movements: All movements, as in `pucklab.sim.bumpers.Change`.
    """

    move: PieceMove
    movements: tuple[Movement, ...]

    @property
    def own(self) -> Movement | None:
        """The movement of the piece itself; None for a meeple that stays where it bumps."""
        return next((m for m in self.movements if m.start == self.move.space), None)


@fact
class Press:
    """A click or a drag on a board."""

    square: Square  # where it began
    end: Square
    direction: Direction | None  # None for a click


@fact
class Marks:
    """Marks on the board; nothing by default. Spaces and slots are those of the layout shown."""

    selected: tuple[int, ...] = ()  # spaces of selected pieces
    previews: tuple[MovePreview, ...] = ()  # moves
    pointed: MovePreview | None = None  # the move that is shown alone, without dots
    spaces: tuple[int, ...] = ()  # spaces to click on
    mat: int | None = None  # the selected mat
    slots: tuple[Slot, ...] = ()  # slots to which this mat may go
    hinted: tuple[int, ...] = ()  # spaces
    hinted_mats: tuple[int, ...] = ()
    reach: Literal["pieces", "spaces", "mats"] = "pieces"  # what keys can choose beside the marks


NO_MARKS = Marks()


@lru_cache(maxsize=64)
def move_previews(
    position: Position,
    colours: tuple[Colour, ...] | None = None,
    before: Position | None = None,
) -> Mapping[int, tuple[MovePreview, ...]]:
    """Return the legal piece moves, by the space of the piece; see `legal_moves`.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> previews = move_previews(parse_position("pb1:classic:RPa1.BPa4:-:R:-"))
        >>> [[preview.move.direction.name for preview in some] for some in previews.values()]
        [['N', 'E']]
    """
    found: dict[int, list[MovePreview]] = {}
    for move in legal_moves(position, colours=colours, before=before):
        if isinstance(move, PieceMove):
            _, change = play(position, move, colours=colours, before=before)
            preview = MovePreview(move=move, movements=change.movements)
            found.setdefault(move.space, []).append(preview)
    return {space: tuple(previews) for space, previews in found.items()}


def hint_marks(move: Move, movements: tuple[Movement, ...], *, is_shown: bool) -> Marks:
    """Return the marks of a hint: a mat, or a piece, with its move if that is shown."""
    if not isinstance(move, PieceMove):
        return Marks(hinted_mats=moved_mats(move))
    if not is_shown:
        return Marks(hinted=(move.space,))
    preview = MovePreview(move=move, movements=movements)
    return Marks(previews=(preview,), pointed=preview)


def next_space(
    position: Position, spaces: Collection[int], space: int | None, step: int = 1
) -> int:
    """Return the next of some spaces in reading order, or the one before if the step is -1."""
    squares = board_of(position.layout).squares
    ordered = sorted(spaces, key=lambda each: squares[each])
    if space is not None and space in spaces:
        return ordered[(ordered.index(space) + step) % len(ordered)]
    return ordered[0 if step > 0 else -1]


def slot_of(square: Square, size: int) -> Slot:
    """Return the slot of a square, for mats of ``size`` by ``size`` spaces."""
    return square[0] // size, square[1] // size


def preview_at(
    position: Position, previews: Sequence[MovePreview], square: Square
) -> MovePreview | None:
    """Return the move of a piece that a square in its row or column stands for.

    A square with another piece stands for a move only if the move ends there or bumps it.

    Args:
        position: The position.
        previews: The legal moves of one piece.
        square: The square.
    """
    board = board_of(position.layout)
    space = board.spaces.get(square)
    for preview in previews:
        start = board.squares[preview.move.space]
        apart = square[0] - start[0], square[1] - start[1]
        far = max(map(abs, apart))
        if not far or apart != tuple(far * step for step in preview.move.direction.step):
            continue
        taken = space is not None and position.piece_on(space) is not None
        own = preview.own
        ends_there = own is not None and space == own.end
        bumps = preview.movements[0].start == space and own is not preview.movements[0]
        if not taken or ends_there or bumps:
            return preview
    return None


def mat_move_to(layout: Layout, mat: int, slot: Slot) -> MatMove | None:
    """Return the shift or swap that brings a mat to a slot; None for its own slot."""
    there = layout.mat_at(slot)
    if there is None:
        return MatShift(mat, slot)
    return None if there == mat else MatSwap(min(mat, there), max(mat, there))


@lru_cache(maxsize=64)
def target_slots(position: Position, mat: int, *, is_free: bool = False) -> tuple[Slot, ...]:
    """Return the slots on and around the board to which a mat may go by a shift or a swap.

    Args:
        position: The position.
        mat: The mat's number.
        is_free: True in editing: only the resulting position must be legal.
    """
    layout = position.layout
    rows, columns = (range(-_RING, count + _RING) for count in (layout.rows, layout.columns))
    return tuple(
        slot
        for slot in product(rows, columns)
        if (move := mat_move_to(layout, mat, slot)) is not None
        and not (why_not_rearrange(position, move) if is_free else why_illegal(position, move))
    )


def rearrange(position: Position, move: MatMove) -> Position:
    """Return a position after a mat was moved by hand, whatever the rules."""
    layout = with_places(position.layout, moved_places(position.layout, move))
    return replace(position, layout=layout)


def why_not_rearrange(position: Position, move: MatMove) -> str:
    """Return the problems of a position after a mat was moved by hand; empty if there are none."""
    return "; ".join(position_problems(rearrange(position, move)))
