"""What of a history is on the board just now: a position at rest, or on its way to another.

Time is passed in, so that the same times give the same pictures.
"""

from dataclasses import dataclass, replace

from render.boardwindow.history import History
from render.bumpers import Moment, Motion, extent_of, marked_end, moment_in, moment_of, motion_of
from render.bumpers.view import Extent
from sim.bumpers import Layout
from sim.bumpers.mats import Slot

_BACK = 2.0
"""How many times faster a move is taken back than made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A motion and a time in it; build it with `stage_of`.

    Attributes:
        motion: The motion.
        time_s: Seconds since it began.
        rest: The motion at whose end the board rests, when this one is taken back.
    """

    motion: Motion
    time_s: float
    rest: Motion | None = None

    @property
    def is_moving(self) -> bool:
        """Whether something is on its way."""
        return self.rest is not None or self.time_s < self.motion.duration_s

    @property
    def layout(self) -> Layout:
        """The mats as they are named just now."""
        return (self.motion.before if self.is_moving else self.motion.after).layout

    @property
    def origin(self) -> Slot:
        """Where slot (0, 0) of `layout` is; see `render.bumpers.moment.moment_of`."""
        return self.motion.origin if self.is_moving else self.motion.origin_after

    @property
    def moment(self) -> Moment:
        """What lies where; at rest, with the ways of the last move."""
        if self.is_moving:
            return moment_in(self.motion, max(self.time_s, 0.0))
        return marked_end(self.motion)

    @property
    def extent(self) -> Extent:
        """What is to be seen of the plane: all that the mats come by."""
        motion = self.motion
        end = moment_of(motion.after, motion.origin_after)
        if not self.is_moving:
            return extent_of([end])
        return extent_of([moment_of(motion.before, motion.origin), end])


def stage_of(history: History) -> Stage:
    """Return the entry of a history that is shown, at rest."""
    motion = _motion_to(history, history.at)
    return Stage(motion=motion, time_s=motion.duration_s)


def stage_between(old: History, new: History) -> Stage:
    """Return what is seen when another entry is shown: a step on or back glides, others jump."""
    at_rest = stage_of(new)
    if new.at > 0 and new.entries[: new.at] == old.entries[: old.at + 1]:
        return replace(at_rest, time_s=0.0)
    if new.at + 1 == old.at and new.entries[: old.at] == old.entries[: old.at]:
        back = _motion_to(old, old.at)
        if back.duration_s > 0:
            return Stage(motion=back, time_s=back.duration_s, rest=at_rest.motion)
    return at_rest


def later(stage: Stage, elapsed_s: float) -> Stage:
    """Return the stage some seconds later; the same one if nothing is on its way."""
    if not stage.is_moving:
        return stage
    if stage.rest is None:
        return replace(stage, time_s=min(stage.time_s + elapsed_s, stage.motion.duration_s))
    time_s = stage.time_s - _BACK * elapsed_s
    if time_s > 0:
        return replace(stage, time_s=time_s)
    return Stage(motion=stage.rest, time_s=stage.rest.duration_s)


def _motion_to(history: History, number: int) -> Motion:
    entry = history.entries[number]
    if number == 0 or not entry.glides:
        return motion_of(entry.position, entry.position)
    return motion_of(history.entries[number - 1].position, entry.position, entry.movements)
