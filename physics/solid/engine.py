"""One slam by penalty contacts (the discrete element method), from the throw to the outcome.

`slam_solid` is one call of a kernel, `throw_trials` one for many throws of a seed; `SolidRun` goes
through the same stages step by step, from any state of the bodies.
"""

import math
from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import replace

import numpy as np

from pucklab.base.arrays import Floats, Ints
from pucklab.base.kernels import stop_word
from pucklab.base.random_numbers import words_of
from pucklab.physics.materials import NJ_PER_MJ
from pucklab.physics.outcome import EnergyError, PieceOutcome, SlamOutcome
from pucklab.physics.poses import (
    even_poses,
    even_times_s,
    move_out_of_walls_mm,
    quaternions,
    raise_above_floor_mm,
    values_at,
)
from pucklab.physics.recording import Recording, SampleRate
from pucklab.physics.scene import Scene
from pucklab.physics.solid import stepping
from pucklab.physics.solid.bodies import (
    FACES,
    THROW_PIECES,
    Bodies3D,
    law_of,
    length_unit,
    mechanical_energy_nj,
    outcome_from_3d,
    scene_block,
    starting_bodies,
    table_of,
    throw_block,
)
from pucklab.physics.solid.kernel import (
    FIRST_FACE,
    HIT,
    LAST_NJ,
    PEAK_NJ,
    SAMPLES_TAKEN,
    START_NJ,
    begin_run,
    have_met,
    run_on,
    throw_slams,
    thrower_block,
)
from pucklab.physics.solid.settings import FAST, SolidSettings
from pucklab.physics.solid.stages import ADVANCE, BLOW, IMPACT_S, SETTLING, SOFTENING, rests
from pucklab.physics.solid.state import (
    BEGIN_NJ,
    CENTRE,
    FIRST,
    NORMAL,
    POSE_FIRST,
    POSE_MIDDLE,
    POSE_NORMAL,
    RATE,
    RINGS,
    SECOND,
    TIME_S,
    VELOCITY,
    Log,
    new_log,
    new_run,
    run_bytes,
)
from pucklab.physics.thrower import Throw, ThrowDistribution

ENERGY_TOLERANCE = 0.01
"""A run whose energy, that of the springs included, ever rises by more than this share over its
start has gained energy: ten times what the integration errs by."""

_BATCH = 4
"""Throws of one call of the kernel, some 50 ms: Python takes signals between calls."""

_SAMPLES = 4096
"""Room for samples of a motion; a slam has 600 to 2,000."""


class SolidRun:
    """Moving bodies and their contact cache.

    Attributes:
        time_s: Since the start.
        begin_nj: Mechanical energy at the start.
        energy_nj: Now, that of the springs included.
        springs_nj: In the springs now.
        peak_nj: The highest seen at the end of a macro step.
        largest_rise_nj: The largest rise from the end of a macro step to that of the next.

    Example:
        >>> from pucklab.physics import Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=())
        >>> run = SolidRun(scene, starting_bodies(scene, Throw(speed_mm_s=5000.0)))
        >>> run.advance(1e-3)
        >>> run.energy_nj < run.begin_nj
        True
    """

    def __init__(
        self,
        scene: Scene,
        bodies: Bodies3D,
        settings: SolidSettings = FAST,
        rings: Floats = RINGS,
    ) -> None:
        """Put bodies into a scene's box.

        Args:
            scene: The scene; of its pieces only the size of the largest counts, which is the unit
                of length in here, see `pucklab.physics.solid.bodies.length_unit`.
            bodies: The bodies.
            settings: The engine's choices.
            rings: Contact points of a face.
        """
        self._unit = length_unit(scene)
        self._start = bodies.in_units(self._unit)
        self.arrays = new_run(len(bodies.mass_g), law_of(scene, settings), rings)
        self.arrays.table[:] = table_of(scene, self._start, settings)
        # A run may begin in the middle of a slam.
        self._hit = bool(bodies.velocity_mm_s[:-1].any())
        self._log = new_log(0, len(bodies.mass_g))
        begin_run(self.arrays, self._hit)

    @property
    def time_s(self) -> float:
        """Time since the start."""
        return float(self.arrays.clock[TIME_S])

    @property
    def begin_nj(self) -> float:
        """Mechanical energy at the start."""
        return float(self.arrays.clock[BEGIN_NJ])

    @property
    def energy_nj(self) -> float:
        """Mechanical energy now, that of the springs included."""
        return float(self.arrays.tally[stepping.ENERGY])

    @property
    def springs_nj(self) -> float:
        """Energy in the springs now."""
        return float(self.arrays.tally[stepping.SPRINGS])

    @property
    def peak_nj(self) -> float:
        """Highest energy seen."""
        return float(self.arrays.tally[stepping.PEAK])

    @property
    def largest_rise_nj(self) -> float:
        """Largest rise of the energy from the end of one macro step to that of the next."""
        return float(self.arrays.tally[stepping.LARGEST_RISE])

    @property
    def rests(self) -> bool:
        """Whether no body is awake."""
        return rests(self.arrays.schedule.phase)

    def advance(self, span_s: float) -> None:
        """Move on by at least one macro step of 20 steps, or until no body is awake."""
        run_on(self.arrays, ADVANCE, ADVANCE, span_s, self._log)

    def finish_blow(self) -> None:
        """Go on until the slammer's blow is over."""
        run_on(self.arrays, BLOW, BLOW, 0.0, self._log)

    def soften(self) -> None:
        """Go on with softer springs, larger steps and sleep, once the springs are all but empty."""
        run_on(self.arrays, SOFTENING, SOFTENING, 0.0, self._log)

    def settle(self) -> None:
        """Go on until all bodies rest, for 1.5 s since the start at most, 4 s without walls."""
        run_on(self.arrays, SETTLING, SETTLING, 0.0, self._log)

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""
        own = self.arrays.table[:-1]
        axes = [own[:, column : column + 3] for column in (FIRST, SECOND, NORMAL)]
        inside = replace(
            self._start,
            position_mm=own[:, CENTRE : CENTRE + 3].copy(),
            rotation=np.stack(axes, axis=2),
            velocity_mm_s=own[:, VELOCITY : VELOCITY + 3].copy(),
            rate_rad_s=own[:, RATE : RATE + 3].copy(),
        )
        return inside.in_units(1 / self._unit)

    def outcome(self, scene: Scene, throw: Throw) -> SlamOutcome:
        """Return the outcome of a slam whose bodies are at rest.

        Args:
            scene: The scene.
            throw: The throw it began with.
        """
        slammer = len(scene.stack)
        last = self.bodies()
        return outcome_from_3d(
            scene,
            throw,
            hit=slammer > 0 and (self._hit or self.have_met(slammer - 1, slammer)),
            middle_mm=last.middle_mm,
            normal=last.normal,
        )

    def have_met(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, ever touched."""
        return bool(have_met(self.arrays, first, second))


def slam_solid(
    scene: Scene, throw: Throw, record: SampleRate | None = None, settings: SolidSettings = FAST
) -> tuple[SlamOutcome, Recording | None]:
    """Throw the scene's slammer at its stack; return the outcome and, on request, the motion.

    Args:
        scene: Slammer, stack and arena; its preset and lift-off constants do not count.
        throw: Initial state of the slammer.
        record: Sample rates of the motion; None for no recording.
        settings: The engine's choices.

    Raises:
        InputError: The throw was drawn for a smaller or larger stack.
        EnergyError: The slam gained energy.
    """
    throws = throw_block(throw, len(scene.stack))[np.newaxis]
    samples = 0 if record is None else _SAMPLES
    results, log = _simulate(scene, settings, throws, samples)
    if not len(results):
        raise CancelledError  # the thread's stop word is set
    outcome = _outcome_of(results[0])
    if outcome is None:
        raise EnergyError(scene, throw, float(results[0, PEAK_NJ] / results[0, START_NJ]))
    if record is None:
        return outcome, None
    taken = int(results[0, SAMPLES_TAKEN])
    if taken > samples:
        _, log = _simulate(scene, settings, throws, taken)
    log = Log(log.time_s[:taken], log.energy_nj[:taken], log.poses[:taken])
    return outcome, _recording(scene, starting_bodies(scene, throw), log, record)


def throw_trials(
    scene: Scene,
    thrower: ThrowDistribution,
    seed: int,
    first: int,
    count: int,
    settings: SolidSettings = FAST,
) -> Iterator[SlamOutcome | None]:
    """Simulate trials of a seed, which are drawn as `pucklab.physics.draw_throw` does.

    Args:
        scene: The scene.
        thrower: The distribution of throws.
        seed: The seed.
        first: The first trial.
        count: The number of trials.
        settings: The engine's choices.

    Yields:
        Their outcomes, fewer if `pucklab.base.kernels.stop_word` is set; None for one that gained
        energy, which is an error of the engine.
    """
    block, words = thrower_block(thrower), np.array(words_of(seed))
    for trial in range(first, first + count, _BATCH):
        many = min(_BATCH, first + count - trial)
        throws = np.zeros((many, THROW_PIECES + 2 * len(scene.stack)))
        results, _ = _simulate(scene, settings, throws, 0, (block, words, trial))
        yield from map(_outcome_of, results)
        if len(results) < many:
            return


def _simulate(
    scene: Scene,
    settings: SolidSettings,
    throws: Floats,
    samples: int,
    drawn: tuple[Floats, Ints, int] = (np.zeros(0), np.zeros(4, np.int64), 0),
) -> tuple[Floats, Log]:
    """Return the rows of the results of some throws, and samples of the last one."""
    count = len(scene.stack) + 1
    results, log = np.zeros((len(throws), FIRST_FACE + 3 * count)), new_log(samples, count)
    memory, block = np.empty(run_bytes(count), np.uint8), scene_block(scene, settings)
    done = throw_slams(block, *drawn, throws, results, log, memory, stop_word())
    return results[:done], log


def _outcome_of(result: Floats) -> SlamOutcome | None:
    """Return the outcome of a row of results; None if it gained energy."""
    numbers = result.tolist()
    # Once not a number, the energy stays so: the last one is checked too.
    most_nj = (1 + ENERGY_TOLERANCE) * numbers[START_NJ]
    if not (numbers[PEAK_NJ] <= most_nj and numbers[LAST_NJ] <= most_nj):
        return None
    rows = zip(*(numbers[FIRST_FACE + k :: 3] for k in range(3)), strict=True)
    *stack, slammer = [(FACES[int(code)], x, y) for code, x, y in rows]
    return SlamOutcome(
        hit=bool(numbers[HIT]),
        pieces=tuple(
            PieceOutcome(place=place, face=face, x_mm=x, y_mm=y)
            for place, (face, x, y) in enumerate(stack)
        ),
        slammer=PieceOutcome(place=None, face=slammer[0], x_mm=slammer[1], y_mm=slammer[2]),
    )


def _recording(scene: Scene, bodies: Bodies3D, log: Log, rate: SampleRate) -> Recording:
    """Return the motion of a slam from its start and the samples after it."""
    unit, law = length_unit(scene), law_of(scene, FAST)
    start = bodies.in_units(unit)
    begin_nj = mechanical_energy_nj(start)
    first = np.concatenate((start.middle_mm, start.rotation[:, :, 0], start.normal), axis=1)
    poses = np.concatenate([first[np.newaxis], log.poses])
    time_s = math.sqrt(unit) * np.concatenate([[0.0], log.time_s])
    energy_nj = np.concatenate([[begin_nj], log.energy_nj])
    half_mm, radius_mm = start.thickness_mm / 2, start.radius_mm
    # In a hard impact rims are pressed into floor and walls by more than could be shown.
    middle, normal = poses[..., POSE_MIDDLE], poses[..., POSE_NORMAL]
    middle[..., 2] = raise_above_floor_mm(middle[..., 2], normal[..., 2], half_mm, radius_mm)
    walls = law.half_side_mm, law.wall_height_mm
    middle[:] = unit * move_out_of_walls_mm(middle, normal, half_mm, radius_mm, *walls)
    end_s = min(math.sqrt(unit) * IMPACT_S, float(time_s[-1]))
    impact_s = even_times_s(end_s, rate.impact_hz)
    settle_s = np.arange(impact_s[-1], time_s[-1], 1 / rate.settle_hz)[1:]
    sampled_s = np.concatenate((impact_s, settle_s, time_s[-1:]))
    sampled_s = sampled_s[np.concatenate(([True], np.diff(sampled_s) > 1e-9))]

    # From the side the motion is seen across the throw: of a tilt only the part in that plane
    # shows, in which a piece at the angle a has the normal (-sin a, cos a).
    across = start.velocity_mm_s[-1, :2]
    pace = float(np.hypot(*across))
    heading = across / pace if pace > 0 else np.array([1.0, 0.0])
    angle = np.unwrap(np.arctan2(-(normal[..., :2] @ heading), normal[..., 2]), axis=0)
    shown = values_at(sampled_s, time_s, middle)
    # Interpolation between two poses may cut into the floor.
    orientation = quaternions(poses[..., POSE_FIRST], normal)
    even = even_poses(time_s, middle, orientation, rate.pose_hz)
    kept = even.middle_mm.copy()
    kept[..., 2] = raise_above_floor_mm(
        kept[..., 2], even.normal[..., 2], unit * half_mm, unit * radius_mm
    )
    return Recording(
        time_s=sampled_s,
        side_mm=shown[..., :2] @ heading,
        height_mm=shown[..., 2],
        angle_rad=values_at(sampled_s, time_s, angle),
        top_mm=shown[..., :2],
        energy_mj=values_at(sampled_s, time_s, unit * unit * unit * unit * energy_nj) / NJ_PER_MJ,
        impact_samples=len(impact_s),
        poses=replace(even, middle_mm=kept),
    )
