"""A history of positions as it is shown: single steps are animated, others jump.

A `BoardPlayback` holds the history and the time of the motion to its entry; it places the board in
a box of the window and draws it.
"""

from collections.abc import Iterator
from dataclasses import replace

from pygame import Rect, Surface

from render.boardwindow.explorer_state import History
from render.boardwindow.picture import Marks, board_palette, draw_marks_above, draw_marks_below
from render.bumpers import (
    BoardView,
    Moment,
    Motion,
    draw_labels,
    draw_moment,
    extent_of,
    final_moment,
    fitted,
    moment_at,
    moment_of,
    motion_of,
)
from render.bumpers.board import LABEL_PX
from render.bumpers.motion import MATS_S
from render.palette import Palette
from render.slams.sound import SlamSound, Speaker
from sim.bumpers import Layout
from sim.bumpers.mats import Slot

_BACKWARD_SPEED = 2.0
"""Speed at which a move is animated backward, relative to forward."""

_CLICK_S = 0.02

_RING = 1.0
"""Room around the board for free slots while mats are moved, in spaces."""


class BoardPlayback:
    """A history, and the motion to the entry shown, which is heard."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.speaker = Speaker()
        self.rested_s = 0.0  # time since the last motion ended
        self.settle()

    def settle(self) -> None:
        """End the motion."""
        self._motion = motion_to(self.history, self.history.index)
        self._time_s = self._motion.duration_s
        self._is_backward = False

    def show(self, history: History) -> None:
        """Show another history, with a motion if it is a step from this one."""
        old, self.history, self.rested_s = self.history, history, 0.0
        self.settle()
        # A step forward: the history up to the entry shown before is the same.
        if history.index > 0 and history.entries[: history.index] == old.entries[: old.index + 1]:
            self._time_s = 0.0
        # A step back: the last move of the old history runs backward.
        elif (
            history.index + 1 == old.index
            and history.entries[: old.index] == old.entries[: old.index]
        ):
            back = motion_to(old, old.index)
            if back.duration_s > 0:
                self._motion, self._time_s, self._is_backward = back, back.duration_s, True

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass; return True if something moved."""
        if not self.is_moving:
            self.rested_s += elapsed_s
            return False
        speed, from_s = -_BACKWARD_SPEED if self._is_backward else 1.0, self._time_s
        self._time_s += speed * elapsed_s
        for sound in sounds_of_move(self._motion) if speed > 0 else ():
            if from_s <= sound.time_s < self._time_s:
                self.speaker.play_now(sound)
        if not 0 < self._time_s < self._motion.duration_s:
            self.rested_s = abs(self._time_s - (0.0 if speed < 0 else self._motion.duration_s))
            self.settle()
        return True

    @property
    def is_moving(self) -> bool:
        """True while something moves."""
        return self._is_backward or self._time_s < self._motion.duration_s

    @property
    def layout(self) -> Layout:
        """The layout whose squares are named now."""
        return (self._motion.before if self.is_moving else self._motion.after).layout

    @property
    def moment(self) -> Moment:
        """Places of all mats and pieces; at rest, with the trails of the last move."""
        if self.is_moving:
            return moment_at(self._motion, max(self._time_s, 0.0))
        return final_moment(self._motion)

    @property
    def origin(self) -> Slot:
        """Slot of the picture that is slot (0, 0) of `layout`; see `render.bumpers.moment_of`."""
        return self._motion.origin if self.is_moving else self._motion.origin_after

    def plane_view(self, box: Rect, *, has_ring: bool = False) -> BoardView:
        """Return the place of the plane of the mats in a box.

        ``has_ring`` leaves room for the edges of free slots around the board.
        """
        motion = self._motion
        moments = [moment_of(motion.after, motion.origin_after)]
        if self.is_moving:
            moments.append(moment_of(motion.before, motion.origin))
        west, north, east, south = extent_of(moments)
        more = _RING if has_ring else 0.0
        extent = (west - more, north - more, east + more, south + more)
        view = fitted(extent, box.size, margin_px=LABEL_PX)
        return replace(view, x_px=view.x_px + box.left, y_px=view.y_px + box.top)

    def view(self, box: Rect, *, has_ring: bool = False) -> BoardView:
        """Return the place of the squares: square (0, 0) is in slot (0, 0) of the layout."""
        plane, (rows, columns) = self.plane_view(box, has_ring=has_ring), self.origin
        slot_px = self.layout.size * plane.scale_px
        return replace(plane, x_px=plane.x_px + columns * slot_px, y_px=plane.y_px + rows * slot_px)

    def draw(
        self,
        surface: Surface,
        box: Rect,
        marks: Marks,
        palette: Palette,
        *,
        has_ring: bool = False,
    ) -> None:
        """Draw the board in a box; marks are drawn while nothing moves."""
        colours, layout = board_palette(palette), self.layout
        own = self.view(box, has_ring=has_ring)
        if not has_ring:  # with a ring, mats are moved, which are known by their own names
            draw_labels(surface, own, layout, palette=colours)
        outside, clip = box.inflate(-2, -2), surface.get_clip()
        surface.set_clip(outside)  # of a free slot only the edge is shown
        if not self.is_moving:
            draw_marks_below(surface, own, layout, marks, colours)
        plane = self.plane_view(box, has_ring=has_ring)
        draw_moment(surface, plane, self.moment, palette=colours)
        if not self.is_moving:
            draw_marks_above(surface, own, layout, marks, colours)
        surface.set_clip(clip)


def sounds_of_move(motion: Motion) -> Iterator[SlamSound]:
    """Yield the sounds of a move: pieces and mats slide, stop with a click, and pucks score."""
    west, _, east, _ = extent_of([moment_of(motion.before, motion.origin)])
    events = [(slide.begin_s, "slide", 0.5, slide.start[0]) for slide in motion.slides]
    for slide in motion.slides:
        # A click at the end of the time, so that it is heard before the motion is over.
        click = ("chime4", 0.3) if slide.scored else ("disc3", 0.4)
        events.append((slide.end_s - _CLICK_S, *click, slide.end[0]))
    if motion.before.layout != motion.after.layout:
        middle = (west + east) / 2
        events += [(0.0, "slide", 0.9, middle), (MATS_S - _CLICK_S, "wood", 0.5, middle)]
    for time_s, voice, loudness, x in events:
        side = 2 * (x - west) / (east - west) - 1
        yield SlamSound(time_s=time_s, voice=voice, loudness=loudness, side=0.7 * side)


def motion_to(history: History, number: int) -> Motion:
    """Return the motion that led to an entry; without any for the first, and for jumps."""
    entry = history.entries[number]
    if number == 0 or not entry.glides:
        return motion_of(entry.position, entry.position)
    return motion_of(history.entries[number - 1].position, entry.position, entry.movements)
