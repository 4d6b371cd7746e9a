"""A move on its trail: what lies where from the position before it to the one after it.

Pieces of a chain slide one after another, each until it hits the next; a meeple follows what it
bumps. Mats go straight to where they will lie, turn the short trail, and take their pieces along.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from render.bumpers.board import (
    MatPose,
    Moment,
    Point,
    mat_poses,
    moment_of,
    piece_poses,
    space_middle,
)
from sim.bumpers import Kind, Layout, Movement, Position
from sim.bumpers.mats import Slot

SPACES_S = 14.0
"""Spaces that a sliding piece covers in a second."""

STEP_S = 0.2
"""The least time of a piece's trail."""

VANISH_S = 0.35
"""How long a scored puck takes to leave the board."""

MATS_S = 0.8
"""How long mats take, however far they go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """The trail of one piece.

    Attributes:
        space: The space it leaves, by number.
        start: Where that is.
        end: Where it comes to.
        begin_s: When it sets out.
        end_s: When it is there.
        scored: It then leaves the board.
    """

    space: int
    start: Point
    end: Point
    begin_s: float
    end_s: float
    scored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """A move on its trail; build it with `motion_of`.

    Attributes:
        before: The position before the move.
        after: The position after it.
        slides: The trails of pieces.
        origin: Where slot (0, 0) of the position before is; see `render.bumpers.board.moment_of`.
        origin_after: The same of the position after.
        duration_s: How long it takes.
    """

    before: Position
    after: Position
    slides: tuple[Slide, ...]
    origin: Slot
    origin_after: Slot
    duration_s: float


def motion_of(
    before: Position,
    after: Position,
    movements: Sequence[Movement] = (),
    origin: Slot = (0, 0),
) -> Motion:
    """Return a move on its trail.

    Args:
        before: The position before it.
        after: The position after it.
        movements: The pieces that it moved, as `sim.bumpers.Change` has them; empty for mats.
        origin: Where slot (0, 0) of the position before is; see `render.bumpers.board.moment_of`.

    Example:
        >>> from sim.bumpers import parse_move, parse_position, play
        >>> before = parse_position("pb1:small:RPb7.BPd7:-:R:-")
        >>> after, change = play(before, parse_move(before, "b7E"))
        >>> [slide.scored for slide in motion_of(before, after, change.movements).slides]
        [False, False]
    """
    down, right = _slot_shift(before.layout, after.layout)
    slides = _legs(before, movements, origin)
    times = [slide.end_s + VANISH_S * slide.scored for slide in slides]
    if before.layout != after.layout:
        times.append(MATS_S)
    return Motion(
        before=before,
        after=after,
        slides=slides,
        origin=origin,
        origin_after=(origin[0] + down, origin[1] + right),
        duration_s=max(times, default=0.0),
    )


def moment_at(motion: Motion, time_s: float) -> Moment:
    """Return what lies where, a time after the move began; at its end it has all been done."""
    if time_s >= motion.duration_s:
        return moment_of(motion.after, motion.origin_after)
    mats = _mats_at(motion, time_s / MATS_S)
    trails = {slide.space: _place(slide, time_s) for slide in motion.slides}
    poses = piece_poses(motion.before, mats, trails)
    sizes = {slide.space: _size(slide, time_s) for slide in motion.slides}
    pieces = (
        replace(pose, size=sizes.get(space, 1.0))
        for (space, _), pose in zip(motion.before.pieces, poses, strict=True)
    )
    return Moment(mats=mats, pieces=tuple(pose for pose in pieces if pose.size > 0))


def final_moment(motion: Motion) -> Moment:
    """Return the moment after a move, with the trails of its pieces and the mats that moved."""
    end = moment_of(motion.after, motion.origin_after)
    start = mat_poses(motion.before.layout, motion.origin)
    changed = frozenset(
        mat for mat, (old, new) in enumerate(zip(start, end.mats, strict=True)) if old != new
    )
    trails = tuple((slide.start, slide.end) for slide in motion.slides)
    return replace(end, trails=trails, moved=changed)


def _legs(before: Position, movements: Sequence[Movement], origin: Slot) -> tuple[Slide, ...]:
    mats = mat_poses(before.layout, origin)
    is_bump = len(movements) > 1 and movements[-1].piece.kind is Kind.MEEPLE
    slides: list[Slide] = []
    begin_s = 0.0
    for number, movement in enumerate(movements):
        start, end = (space_middle(mats, space) for space in (movement.start, movement.end))
        if is_bump and number == len(movements) - 1:
            begin_s = 0.0
        took_s = max(math.dist(start, end) / SPACES_S, STEP_S)
        slides.append(
            Slide(
                space=movement.start,
                start=start,
                end=end,
                begin_s=begin_s,
                end_s=begin_s + took_s,
                scored=movement.scored,
            )
        )
        begin_s += took_s
    return tuple(slides)


def _place(slide: Slide, time_s: float) -> Point:
    part = min(max((time_s - slide.begin_s) / (slide.end_s - slide.begin_s), 0.0), 1.0)
    return _between(slide.start, slide.end, part)


def _size(slide: Slide, time_s: float) -> float:
    """Return how large a piece is drawn: a scored puck gets smaller."""
    if not slide.scored:
        return 1.0
    return min(max(1 - (time_s - slide.end_s) / VANISH_S, 0.0), 1.0)


def _mats_at(motion: Motion, part: float) -> tuple[MatPose, ...]:
    """Return where the mats are when a part of their time is over: slow at first and at last."""
    eased = part * part * (3 - 2 * part) if part < 1 else 1.0
    starts = mat_poses(motion.before.layout, motion.origin)
    ends = mat_poses(motion.after.layout, motion.origin_after)
    return tuple(
        start if start == end else _mat_between(start, end, eased)
        for start, end in zip(starts, ends, strict=True)
    )


def _mat_between(start: MatPose, end: MatPose, part: float) -> MatPose:
    quarters = (end.quarters - start.quarters + 1) % 4 - 1  # -1 to 2: the short trail
    return replace(
        start,
        middle=_between(start.middle, end.middle, part),
        quarters=start.quarters + part * quarters,
        is_lifted=True,
    )


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _slot_shift(before: Layout, after: Layout) -> Slot:
    """Return how far the slots after a move must be moved to lie where those before it did.

    Slots are counted from the northernmost row and the westernmost column, which a mat move can
    change: most mats have not moved.
    """
    apart = Counter(
        (old.slot[0] - new.slot[0], old.slot[1] - new.slot[1])
        for old, new in zip(before.places, after.places, strict=True)
    )
    return max(apart, key=lambda trail: (apart[trail], -abs(trail[0]) - abs(trail[1])))
