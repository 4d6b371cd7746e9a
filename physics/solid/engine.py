"""One slam by penalty contacts (the discrete element method), from the throw to the outcome.

`SolidRun` goes through its stages: the blow with small steps, then softer springs and larger steps,
until all bodies sleep. The steps are those of `pucklab.physics.solid.stepping`. The discrete
element method is that of P. A. Cundall and O. D. L. Strack, Geotechnique 29 (1979) 47.
"""

import math
from dataclasses import replace

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.physics.materials import GRAVITY_MM_S2, NJ_PER_MJ
from pucklab.physics.outcome import EnergyError, SlamOutcome
from pucklab.physics.pieces import Slammer
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
from pucklab.physics.solid import overlap, stepping
from pucklab.physics.solid.bodies import (
    Bodies3D,
    floor_stiffness_g_s2,
    length_unit,
    mechanical_energy_nj,
    outcome_from_3d,
    starting_bodies,
    table_of,
)
from pucklab.physics.solid.settings import FAST, SolidSettings, contact_damping_ratio
from pucklab.physics.solid.state import (
    AWAKE,
    CENTRE,
    COMPLIANCE,
    DAMPING,
    FIRST,
    FRICTION,
    INVERSE_MASS,
    MIDDLE,
    NORMAL,
    POSE_FIRST,
    POSE_MIDDLE,
    POSE_NORMAL,
    RATE,
    SECOND,
    VELOCITY,
    Law,
    Log,
    contact_points,
    fresh_log,
    fresh_schedule,
    new_contact_cache,
)
from pucklab.physics.thrower import Throw

IMPACT_S = 12e-3
"""Duration of the impact stage, which has the small time step."""

_APART_S = 3e-3
"""From then on the impact's steps are longer, for the pieces have left each other, unless the
slammer has met the stack only just now."""

_BLOW_S = 2e-3
"""Steps stay short for so long after the slammer has met another piece."""

_LONGEST_S = 1.5
"""After so long a slam is over, whatever still moves: a disc rolling along a wall, at most."""

_LONGEST_ROLL_S = 4.0
"""The same on a floor without walls: a disc rolls on its rim until it falls over."""

_SUBSTEPS = 20
ENERGY_TOLERANCE = 0.01
"""A run whose energy, that of the springs included, ever rises by more than this share over its
start has gained energy: ten times what the integration errs by."""

_EMPTY_SHARE = 1e-4
"""Springs that hold less than this share of the throw's energy are empty."""

_DAMPED_PHASE = 0.35
"""Step times the rate at which a damper brings two bodies to the same speed, 2 x damping ratio x
frequency, at most twice this: beyond three times, velocities in a stack would swing and grow."""

_WAIT_S = 0.5e-3
_LONGEST_WAIT_S = 8e-3
_LONGEST_FALL_S = 3.0
"""A puck driven out of the box at twice the speed of a hard throw is on the floor by then."""

_PARTING_S = 20e-3
"""Time at the end of a recording in which overlapping pieces at rest are moved apart."""

RINGS = ((1.0, 36), (0.75, 12), (0.5, 8), (0.25, 6), (0.0, 1))
"""Rings of contact points on a face: radius over the disc's, and how many points."""

COARSE_RINGS = ((1.0, 28), (0.6, 8), (0.0, 1))
"""The same in a settling with coarse points."""


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
        rings: tuple[tuple[float, int], ...] = RINGS,
        *,
        record: bool = False,
    ) -> None:
        """Put bodies into a scene's box.

        Args:
            scene: The scene; of its pieces only the size of the largest counts, which is the unit
                of length in here, see `pucklab.physics.solid.bodies.length_unit`.
            bodies: The bodies.
            settings: The engine's choices.
            rings: Contact points of a face.
            record: Whether to keep the poses and the energy at the end of every macro step.
        """
        count = len(bodies.mass_g)
        self._unit = length_unit(scene)
        bodies = bodies.in_units(self._unit)
        self._start = bodies
        self._table = _table(scene, bodies)
        self._points = contact_points(rings, int(settings.exponent))
        self._cache = new_contact_cache(count, self._points)
        self._schedule = fresh_schedule(count)
        self._settings = settings
        self._law = law_of(scene, settings)
        # The highest angular frequency of two bodies' faces, or of a body and the floor. A spring
        # let out is stiffer than one pressed: the step follows its frequency.
        side = 1 / np.append(bodies.stiffness_g_s2, floor_stiffness_g_s2(scene))
        light = np.append(1 / bodies.mass_g, 0.0)
        highest = math.sqrt((np.add.outer(light, light) / np.add.outer(side, side)).max())
        phase_s = math.sqrt(self._law.kept) / (highest * math.sqrt(settings.stiffness))
        self._longest_phase = _DAMPED_PHASE / float(self._table[:, DAMPING].max())
        later_phase = max(settings.impact_phase, settings.later_phase)
        self._step_s = min(settings.impact_phase, self._longest_phase) * phase_s
        self._later_step_s = min(later_phase, self._longest_phase) * phase_s
        self._rate_rad_s = self._softens_at_s = math.inf
        self._tally = np.zeros(5)
        # A run may begin in the middle of a slam: then what moves has been hit.
        self._hit = bool(bodies.velocity_mm_s[:-1].any())
        self.time_s = 0.0
        self.begin_nj = mechanical_energy_nj(bodies)
        self._tally[[stepping.ENERGY, stepping.PEAK]] = self.begin_nj
        self._tally[stepping.SINCE_HIT_S] = math.inf if self._hit else 0.0
        self._record = record
        self._samples: list[tuple[Floats, Log]] = []

    @property
    def energy_nj(self) -> float:
        """Mechanical energy now, that of the springs included."""
        return float(self._tally[stepping.ENERGY])

    @property
    def springs_nj(self) -> float:
        """Energy in the springs now."""
        return float(self._tally[stepping.SPRINGS])

    @property
    def peak_nj(self) -> float:
        """Highest energy seen."""
        return float(self._tally[stepping.PEAK])

    @property
    def largest_rise_nj(self) -> float:
        """Largest rise of the energy from the end of one macro step to that of the next."""
        return float(self._tally[stepping.LARGEST_RISE])

    @property
    def rests(self) -> bool:
        """Whether no body is awake."""
        return not (self._schedule.phase == AWAKE).any()

    def advance(self, span_s: float) -> None:
        """Move on by at least one macro step of 20 steps, or until no body is awake."""
        end_s = self.time_s + span_s
        while True:
            half_macro_step_s = _SUBSTEPS * self._step_s / 2
            longer_at_s = self._softens_at_s
            if not self._law.sleeps and self._step_s < self._later_step_s:
                longer_at_s = self._blow_ends_s()
            if longer_at_s - self.time_s < half_macro_step_s:
                if self._law.sleeps:
                    self._soften()
                else:
                    self._step_s = self._later_step_s
                continue
            self._advance(min(end_s, longer_at_s) - self.time_s)
            if end_s - self.time_s < half_macro_step_s or self.rests:
                return

    def finish_blow(self) -> None:
        """Go on until the slammer's blow is over."""
        while self._blow_ends_s() - self.time_s > _SUBSTEPS * self._step_s / 2:
            self.advance(self._blow_ends_s() - self.time_s)

    def _blow_ends_s(self) -> float:
        """Return when the blow is over if nothing changes; never beyond the impact."""
        blow_ends_s = self.time_s + _BLOW_S - float(self._tally[stepping.SINCE_HIT_S])
        return min(IMPACT_S, max(_APART_S, blow_ends_s))

    def _advance(self, span_s: float) -> None:
        """Move on with one step."""
        macro_step_s = _SUBSTEPS * self._step_s
        most = max(1, round(span_s / macro_step_s))
        log = fresh_log(most if self._record else 0, len(self._table) - 1)
        done = stepping.advance(
            self._table,
            self._cache,
            self._points,
            self._law,
            self._schedule,
            self._step_s,
            _SUBSTEPS,
            most,
            self._tally,
            log,
        )
        self._keep(log, done, macro_step_s)

    def soften(self) -> None:
        """Go on with softer springs, larger steps and sleep.

        It waits until the springs are all but empty: what they hold is lost. Then pieces are on
        their way apart, ever further between two collisions, and a collision may last ever longer:
        whenever the time since the start has doubled, the springs soften again.
        """
        latest_s = self.time_s + _LONGEST_WAIT_S
        while self.springs_nj > _EMPTY_SHARE * self.begin_nj and self.time_s < latest_s:
            self.advance(_WAIT_S)
        self._law = self._law._replace(stiffness=1.0, sleeps=True)
        self._soften()
        if self._settings.coarse_points:
            self._points = contact_points(COARSE_RINGS, self._law.exponent)
            fresh = new_contact_cache(len(self._cache.met), self._points)
            self._cache = fresh._replace(met=self._cache.met, dent_mm=self._cache.dent_mm)

    def _soften(self) -> None:
        """Soften the springs as far as the time since the start allows."""
        settings, since_s = self._settings, max(self.time_s, _APART_S)
        lowest_rad_s = max(
            settings.settle_rate_rad_s,
            settings.softening / since_s,
            math.sqrt(self._load_mm_s2() / settings.sag_mm),
        )
        # Pressed springs that became stiffer would gain energy.
        self._rate_rad_s = rate_rad_s = min(self._rate_rad_s, lowest_rad_s)
        self._softens_at_s = math.inf
        if rate_rad_s > settings.settle_rate_rad_s:
            self._softens_at_s = 2 * since_s
        self._table[:, COMPLIANCE] = self._table[:, INVERSE_MASS] / rate_rad_s**2
        phase = min(settings.settle_phase, self._longest_phase)
        self._step_s = phase / rate_rad_s * math.sqrt(self._law.kept)
        # A dent is never deeper than its contact: so all springs begin at their dents.
        self._cache.dent_mm[:] = math.inf

    def _load_mm_s2(self) -> float:
        """Return the penetration of pieces on each other times the square of the frequency.

        From the top down each hands its load to those that it touches below.
        """
        height_mm, light = self._table[:-1, CENTRE + 2], self._table[:-1, INVERSE_MASS]
        count, load, total = len(light), GRAVITY_MM_S2 / light, 0.0
        touches = self._cache.touches[: count * count].reshape(count, count)
        touches = (touches | touches.T) & (height_mm < height_mm[:, np.newaxis])
        for body in np.argsort(-height_mm):
            below = touches[body]
            if below.any():
                share = load[body] / np.count_nonzero(below)
                load[below] += share
                total += share * float(np.sum(light[body] + light[below]))
        return total

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""
        own = self._table[:-1]
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
        return bool(self._cache.met[first, second])

    def settle(self) -> None:
        """Go on until all bodies rest, for 1.5 s since the start at most, 4 s without walls."""
        walls = math.isfinite(self._law.half_side_mm)
        self.advance((_LONGEST_S if walls else _LONGEST_ROLL_S) - self.time_s)
        macro_step_s = _SUBSTEPS * self._step_s
        most = math.ceil(_LONGEST_FALL_S / macro_step_s)
        log = fresh_log(most if self._record else 0, len(self._table) - 1)
        done = stepping.finish(self._table, self._schedule, self._law, macro_step_s, most, log)
        self._keep(log, done, macro_step_s)
        if overlap.resolve_overlaps(self._table, self._schedule, self._law):
            columns = [*range(MIDDLE, MIDDLE + 3), *range(FIRST, FIRST + 3)]
            columns += range(NORMAL, NORMAL + 3)
            energy_nj = np.array([self.energy_nj])
            self._keep(
                Log(poses=self._table[np.newaxis, :-1, columns], energy_nj=energy_nj), 1, _PARTING_S
            )

    def _keep(self, log: Log, done: int, macro_step_s: float) -> None:
        if self._record and done:
            time_s = self.time_s + macro_step_s * np.arange(1.0, done + 1.0)
            kept = Log(poses=log.poses[:done].copy(), energy_nj=log.energy_nj[:done].copy())
            self._samples.append((time_s, kept))
        self.time_s += done * macro_step_s

    def recording(self, rate: SampleRate) -> Recording:
        """Return the motion so far, of a run that records.

        Args:
            rate: Sample rates of the motion.
        """
        start, law, unit = self._start, self._law, self._unit
        first = np.concatenate((start.middle_mm, start.rotation[:, :, 0], start.normal), axis=1)
        poses = np.concatenate([first[np.newaxis], *(log.poses for _, log in self._samples)])
        time_s = np.concatenate([[0.0], *(time_s for time_s, _ in self._samples)])
        time_s = math.sqrt(unit) * time_s
        energy_nj = np.concatenate([[self.begin_nj], *(log.energy_nj for _, log in self._samples)])
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
            energy_mj=values_at(sampled_s, time_s, unit**4 * energy_nj) / NJ_PER_MJ,
            impact_samples=len(impact_s),
            poses=replace(even, middle_mm=kept),
        )


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
    run = SolidRun(scene, starting_bodies(scene, throw), settings, record=record is not None)
    run.finish_blow()
    run.soften()
    run.settle()
    # Once not a number, the energy stays so: the last one is checked too.
    most_nj = (1 + ENERGY_TOLERANCE) * run.begin_nj
    if not (run.peak_nj <= most_nj and run.energy_nj <= most_nj):
        raise EnergyError(scene, throw, run.peak_nj / run.begin_nj)
    return run.outcome(scene, throw), None if record is None else run.recording(record)


def compile_solid() -> None:
    """Have all kernels compiled, by the smallest slam."""
    scene = Scene(slammer=Slammer(mass_g=8.0), stack=())
    slam_solid(scene, Throw(speed_mm_s=5000.0))


def _table(scene: Scene, bodies: Bodies3D) -> Floats:
    """Return the table of bodies and floor, with damping, friction and compliance.

    A side without a material of its own has the restitution and the friction of the scene.
    """
    table, usual = table_of(bodies), scene.materials
    floor = scene.arena.material or usual
    restitution = np.append(bodies.restitution, floor.restitution)
    lost = hysteresis_restitution(scene)
    viscous = [contact_damping_ratio(e / lost) for e in restitution.tolist()]
    table[:, DAMPING] = viscous
    table[:, FRICTION] = np.append(bodies.friction, floor.friction)
    table[-1, COMPLIANCE] = 1 / floor_stiffness_g_s2(scene)
    return table


def hysteresis_restitution(scene: Scene) -> float:
    """Return the restitution of contacts whose only loss is hysteresis.

    It is the share of the liveliest material; the damper takes what others lose beyond it.
    """
    sides = (*scene.stack, scene.slammer, scene.arena)
    own = max((side.material or scene.materials).restitution for side in sides)
    return float(own**scene.materials.hysteresis)


def law_of(scene: Scene, settings: SolidSettings) -> Law:
    """Return the law of contact of an impact in a scene."""
    unit = length_unit(scene)
    given = {name: getattr(settings, name) for name in Law._fields if hasattr(settings, name)}
    given |= {
        "kept": hysteresis_restitution(scene) ** 2,
        "half_side_mm": scene.arena.half_side_mm / unit,
        "wall_height_mm": scene.arena.wall_height_mm / unit,
        "sleeps": False,
        "slow_cosine": math.cos(math.radians(settings.slow_tilt_deg)),
    }
    return Law(**given)
