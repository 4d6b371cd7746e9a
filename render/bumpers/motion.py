"""Animated moves: the places of all mats and pieces at any time of a move.

`motion_of` makes a `Motion` of a move, `moment_at` gives the picture at a time of it, and
`final_moment` the end with marks; a `Line` has moves one after another. Pieces of a chain slide one
after another, each until it hits the next; a meeple follows the piece it bumps. Mats move straight,
turn the short way and carry pieces.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pucklab.base.facts import fact
from pucklab.render.bumpers.board import (
    Extent,
    Moment,
    Point,
    extent_of,
    mat_poses,
    moment_of,
    piece_poses,
    space_middle,
)
from pucklab.sim.bumpers import Kind, Layout, Movement, Position
from pucklab.sim.bumpers.mats import Slot
from pucklab.sim.bumpers.solver.solution import LineStep

SPACES_S = 14.0
"""Speed of a sliding piece, in spaces a second."""

STEP_S = 0.2
"""Least time of a slide."""

VANISH_S = 0.35
"""Time in which a scored puck vanishes."""

MATS_S = 0.8
"""Time of a mat move, whatever its distance."""


@fact
class Slide:
    """The way of one piece.

    Attributes:
        space: The space it leaves.
        start: The middle of that space.
        end: The middle of the space it reaches.
        begin_s: Time at which it starts.
        end_s: Time at which it arrives.
        scored: True if it then vanishes in a goal.
    """

    space: int
    start: Point
    end: Point
    begin_s: float
    end_s: float
    scored: bool


@fact
class Motion:
    """An animated move; `motion_of` makes one.

    Attributes:
        before: The position before the move.
        after: The position after it.
        slides: The ways of the pieces.
        origin: Slot of the picture that is slot (0, 0) before the move; see `moment_of`.
        origin_after: Slot of the picture that is slot (0, 0) after the move.
        duration_s: Its duration.
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
    """Return a move as a motion.

    Args:
        before: The position before it.
        after: The position after it.
        movements: The pieces that it moved, as in `pucklab.sim.bumpers.Change`; empty for mat
            moves.
        origin: Slot of the picture that is slot (0, 0) before the move; see `moment_of`.

    Example:
        >>> from pucklab.sim.bumpers import parse_move, parse_position, play
        >>> before = parse_position("pb1:small:RPb7.BPd7:-:R:-")
        >>> after, change = play(before, parse_move(before, "b7E"))
        >>> [slide.scored for slide in motion_of(before, after, change.movements).slides]
        [False, False]
    """
    # Slots count from the northernmost row and the westernmost column, both of which a mat move can
    # change. Most mats stay: the shift of most of them is the right one, the smallest of several.
    apart = Counter(
        (old.slot[0] - new.slot[0], old.slot[1] - new.slot[1])
        for old, new in zip(before.layout.places, after.layout.places, strict=True)
    )
    down, right = max(apart, key=lambda shift: (apart[shift], -abs(shift[0]) - abs(shift[1])))
    slides = _slides(before, movements, origin)
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
    """Return the places of all mats and pieces some time after the start of a move."""
    if time_s >= motion.duration_s:
        return moment_of(motion.after, motion.origin_after)
    part = time_s / MATS_S
    # Smoothstep 3 t^2 - 2 t^3: zero speed at both ends.
    eased = part * part * (3 - 2 * part) if part < 1 else 1.0
    starts = mat_poses(motion.before.layout, motion.origin)
    ends = mat_poses(motion.after.layout, motion.origin_after)
    mats = []
    for start, end in zip(starts, ends, strict=True):
        quarters = (end.quarters - start.quarters + 1) % 4 - 1  # -1, 0, 1 or 2: the short way
        between = replace(
            start,
            middle=_between(start.middle, end.middle, eased),
            quarters=start.quarters + eased * quarters,
            is_lifted=True,
        )
        mats.append(start if start == end else between)
    places, sizes = {}, {}
    for slide in motion.slides:
        # A piece rests before its slide and after it; a scored puck then shrinks linearly.
        part = min(max((time_s - slide.begin_s) / (slide.end_s - slide.begin_s), 0.0), 1.0)
        places[slide.space] = _between(slide.start, slide.end, part)
        if slide.scored:
            sizes[slide.space] = min(max(1 - (time_s - slide.end_s) / VANISH_S, 0.0), 1.0)
    poses = piece_poses(motion.before, mats, places)
    pieces = (
        replace(pose, size=sizes.get(space, 1.0))
        for (space, _), pose in zip(motion.before.pieces, poses, strict=True)
    )
    return Moment(mats=tuple(mats), pieces=tuple(pose for pose in pieces if pose.size > 0))


def final_moment(motion: Motion) -> Moment:
    """Return the moment after a move, with trails of its pieces and marks on the mats it moved."""
    end = moment_of(motion.after, motion.origin_after)
    start = mat_poses(motion.before.layout, motion.origin)
    changed = frozenset(
        mat for mat, (old, new) in enumerate(zip(start, end.mats, strict=True)) if old != new
    )
    trails = tuple((slide.start, slide.end) for slide in motion.slides)
    return replace(end, trails=trails, moved=changed)


def _slides(before: Position, movements: Sequence[Movement], origin: Slot) -> tuple[Slide, ...]:
    """Return the ways of the pieces, one after another."""
    mats = mat_poses(before.layout, origin)
    # A meeple that bumps is listed last but starts at once, with the piece it follows.
    is_bump = len(movements) > 1 and movements[-1].piece.kind is Kind.MEEPLE
    slides: list[Slide] = []
    begin_s = 0.0
    for number, movement in enumerate(movements):
        start, end = (space_middle(mats, space) for space in (movement.start, movement.end))
        if is_bump and number == len(movements) - 1:
            begin_s = 0.0
        # Constant speed, but never too quick to be seen.
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


def _between(start: Point, end: Point, part: float) -> Point:
    """Return the point that divides a line at a part of its length."""
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


@fact
class Line:
    """A line of moves as motions; `line_of` makes one.

    Attributes:
        start: The position before it.
        texts: Its moves in notation.
        motions: Its moves as motions, each beginning at the end of the one before.
        extent: The part of the plane that mats cover from beginning to end.
    """

    start: Position
    texts: tuple[str, ...]
    motions: tuple[Motion, ...]
    extent: Extent


def line_of(start: Position, steps: Sequence[LineStep]) -> Line:
    """Return a line of moves as motions.

    Args:
        start: The position before it.
        steps: Its moves; none for the position alone.
    """
    changes = ((step.text, step.after, step.change.movements) for step in steps)
    return line_of_changes(start, changes)


def line_of_changes(
    start: Position, changes: Iterable[tuple[str, Position, Sequence[Movement]]]
) -> Line:
    """Return a line of the text of each change, the position after it and what it moved."""
    texts: list[str] = []
    motions: list[Motion] = []
    before, origin = start, (0, 0)
    for text, after, movements in changes:
        motions.append(motion_of(before, after, movements, origin))
        before, origin = after, motions[-1].origin_after
        texts.append(text)
    ends = [moment_of(motion.after, motion.origin_after) for motion in motions]
    return Line(
        start=start,
        texts=tuple(texts),
        motions=tuple(motions),
        extent=extent_of([moment_of(start), *ends]),  # mats stay between these
    )


def line_moments(line: Line) -> list[tuple[str, Moment, tuple[Layout, Slot]]]:
    """Return the text, the moment and the layout to be named, for each board."""
    moments = [("start", moment_of(line.start), (line.start.layout, (0, 0)))]
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True), start=1):
        names = (motion.after.layout, motion.origin_after)
        moments.append((f"{number}. {text}", final_moment(motion), names))
    return moments
