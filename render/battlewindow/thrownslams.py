"""Slams of a battle's throws, thrown again to be watched."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from physics import Scene, Throw
from render.battlewindow.beats import Fall
from render.slams.motion import Motion, motion_of
from render.slams.replay import Replay
from render.slamwindow.programme import thrown
from sim.pokepucks.battle import Table, shot_of, throw_generator
from sim.pokepucks.throws import Shot, outcome_of

_KEPT = 16


class Slamming(Protocol):
    """Throws that are slams, such as `sim.pokepucks.throw_sources.PhysicsThrows`."""

    def scene_and_throw(self, shot: Shot, rng: np.random.Generator) -> tuple[Scene, Throw]:
        """Return what is thrown at what, and how."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrownSlam:
    """The slam of a throw.

    Attributes:
        replay: The slam.
        motion: How its pieces move.
    """

    replay: Replay
    motion: Motion


class ThrownSlams:
    """The slams of a battle's throws.

    A slam is thrown again from the battle's seed and the number of the throw. It counts if it comes
    to what the battle says: throws of a table, a script or another thrower have none.

    Args:
        seed: The battle's seed; None if it has none.
        throws: What makes slams of throws; None if the throws were none.
    """

    def __init__(self, seed: int | None, throws: Slamming | None) -> None:
        self._seed = seed
        self._throws = throws
        self._slam = lru_cache(maxsize=_KEPT)(self._slammed)

    @property
    def can_be(self) -> bool:
        """Whether there may be any."""
        return self._throws is not None and self._seed is not None

    @property
    def why_unseen(self) -> str:
        """Why a slam that cannot be seen cannot, in a few words."""
        if self.can_be:
            return "this version slams otherwise; directions are not recorded"
        return "directions are not recorded"

    def of(self, table: Table, fall: Fall | None) -> ThrownSlam | None:
        """Return the slam of a throw, None if there is none to be seen."""
        return None if fall is None else self._slam(shot_of(table, fall.call), fall)

    def _slammed(self, shot: Shot, fall: Fall) -> ThrownSlam | None:
        if self._throws is None or self._seed is None or not shot.stack:
            return None
        rng = throw_generator(self._seed, fall.call.number)
        scene, throw = self._throws.scene_and_throw(shot, rng)
        replay = thrown(scene, throw)
        if outcome_of(replay.outcome) != fall.outcome:
            return None
        return ThrownSlam(replay=replay, motion=motion_of(scene, replay.recording, throw))
