"""Pucks that bend: the solid engine's impact with five vibrations of each puck, for comparison.

A puck is a free plate (Kirchhoff's). Its lowest mode of two, of no and of three nodal diameters
moves the points of its faces along its normal; the rest of the contact's law is the solid engine's.
A contact presses on modes as on any other coordinate: with the gradient of its depth. Slammers are
rigid, as pucks are after the impact. The inside of pucks and their damping are assumptions.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pucklab.base.arrays import Bools, Floats
from pucklab.calibration.cells import Cell, draw_trial, scene_of
from pucklab.calibration.reference import follow, log_throw
from pucklab.calibration.throw_log import LoggedThrow
from pucklab.physics import Puck, Scene
from pucklab.physics.compiling import compiled, inlined
from pucklab.physics.material import Material
from pucklab.physics.pieces import PIECE_RADIUS_MM, UPPER_HALF_MM, mass_properties
from pucklab.physics.solid import stepping
from pucklab.physics.solid.bodies import Bodies3D, starting_bodies
from pucklab.physics.solid.contact_laws import apply_contact_forces, release_contact
from pucklab.physics.solid.engine import SolidRun
from pucklab.physics.solid.geometry import (
    dot,
    fastest_mm_s,
    gap_mm,
    lowest_mm,
    minus,
    plus,
    times,
    triple,
    vector,
)
from pucklab.physics.solid.integrator import clear_forces, drift, energy_nj, kick
from pucklab.physics.solid.narrow_phase import (
    DEPTH4,
    SIDE,
    TOP,
    UNIT_FORCE,
    ContactFrame,
    add_point,
    clear_resultant,
    forget_points,
    net_depth,
    point_load,
    record_entry,
    side_penetration,
)
from pucklab.physics.solid.settings import FAST
from pucklab.physics.solid.state import (
    CENTRE,
    FIRST,
    FORCE,
    HALF,
    INVERSE_MASS,
    MIDDLE,
    NORMAL,
    RADIUS,
    SECOND,
    SHEETS,
    VELOCITY,
    WORLD_PATCHES,
    ContactCache,
    Law,
    Points,
)

FAMILIES = (2, 0, 3)
"""Nodal diameters of the modes: cosine and sine of 2 and 3, and one of 0."""

_TERMS = 5
_MODES = 5
_KPA = 1e9  # g/(mm s2) in a GPa
_REACH = 3.0
"""More than any mode's shape anywhere."""

DAMPING_RATIO = 0.02
"""Of all modes: loss factors of hard plastics are .02 to .06."""

_SETTINGS = replace(FAST, later_phase=FAST.impact_phase)
"""A puck's rim is lighter as it bends: its contacts need the small step to the end."""

MAKES = ("plain", "recessed")
"""A plate as thick as the puck; or the rulebook's: a floor of half of that in an outer ring."""

_Shapes = tuple[float, float, float, float, float]


@lru_cache(maxsize=8)
def plate_modes(make: str, material: Material, puck: Puck) -> tuple[Floats, Floats]:
    """Return the lowest mode of each family of a free puck: w = r^n P(r^2) cos(n a), r over R.

    By Rayleigh's and Ritz's method, with polynomials P of five terms. A mode's mass is the puck's.

    Returns:
        Angular frequencies, shape (3,), and coefficients of P, shape (3, 5).

    Example:
        >>> rates, _ = plate_modes("plain", Material(), Puck())
        >>> (rates / 2e3 / math.pi).round(2).tolist()  # kHz
        [1.77, 3.11, 4.13]
    """
    from scipy.linalg import eigh

    radius, mass = puck.diameter_mm / 2, mass_properties(puck).mass_g
    inner = radius - puck.ring_width_mm
    density = mass / (math.pi * radius**2)
    # Inner and outer radius, mm; thickness, mm; mass per area, g/mm2.
    zones = [(0.0, radius, puck.thickness_mm, density)]
    if make == "recessed":
        floor = puck.thickness_mm - UPPER_HALF_MM
        filled = UPPER_HALF_MM * puck.fill_fraction
        share = inner**2 / radius**2
        whole = share * (floor + filled) + (1 - share) * puck.thickness_mm
        zones = [
            (0.0, inner, floor, density * (floor + filled) / whole),
            (inner, radius, puck.thickness_mm, density * puck.thickness_mm / whole),
        ]
    nodes, weights = np.polynomial.legendre.leggauss(24)
    rates, polynomials = [], []
    for n in FAMILIES:
        power = n + 2 * np.arange(_TERMS)
        stiffness, inertia = np.zeros((2, _TERMS, _TERMS))
        around = math.pi if n else 2 * math.pi
        for low, high, thick_mm, density in zones:
            rigidity = material.modulus_gpa * _KPA * thick_mm**3 / 12 / (1 - material.poisson**2)
            r = ((high - low) * nodes + low + high)[:, np.newaxis] / 2
            area = (weights * (high - low) / 2)[:, np.newaxis] * r * around
            s = r / radius
            value = s**power
            slope = power * value / r
            bend = (power - 1) * slope / r  # w''
            hoop = slope / r - n * n * value / r**2
            twist = n * (slope / r - value / r**2)
            # Kirchhoff: D ((w'' + hoop)^2 - 2 (1 - nu) (w'' hoop - twist^2)), Timoshenko
            # section 30.
            sum_, mixed = bend + hoop, bend.T @ (area * hoop)
            stiffness += rigidity * (
                sum_.T @ (area * sum_)
                - (1 - material.poisson) * (mixed + mixed.T - 2 * twist.T @ (area * twist))
            )
            inertia += density / mass * value.T @ (area * value)
        squares, shapes = eigh(stiffness / mass, inertia)
        first = int(np.argmax(squares > 1e-6 * squares[-1]))  # after the rigid ones
        rates.append(math.sqrt(squares[first]))
        polynomials.append(shapes[:, first])
    return np.array(rates), np.array(polynomials)


class Bend(NamedTuple):
    """Modes of all bodies as the kernels need them; B bodies.

    Attributes:
        shape: Shape (3, 5); coefficients of the families' polynomials.
        rate: Shape (5,); angular frequencies.
        damping_ratio: Of all modes.
        light: Shape (B + 1,); one over a mode's mass; 0 for rigid bodies.
        place: Shape (B + 1, 5); coordinates, mm.
        speed: Shape (B + 1, 5); their velocities.
        force: Shape (B + 1, 5); forces on them.
        resultant: Shape (2, 5); of a contact, like that of `pucklab.physics.solid.narrow_phase`.
        near: Shape (B, B); pairs that may remember a contact.
    """

    shape: Floats
    rate: Floats
    damping_ratio: float
    light: Floats
    place: Floats
    speed: Floats
    force: Floats
    resultant: Floats
    near: Bools


@inlined
def _shapes(shape: Floats, x: float, y: float, radius: float) -> _Shapes:
    """Return the modes' shapes at a place of a disc."""
    x, y = x / radius, y / radius
    u, x2, y2 = x * x + y * y, x * x - y * y, 2 * x * y
    two, none, three = 0.0, 0.0, 0.0
    for term in range(_TERMS - 1, -1, -1):
        two = two * u + shape[0, term]
        none = none * u + shape[1, term]
        three = three * u + shape[2, term]
    return two * x2, two * y2, none, three * (x2 * x - y2 * y), three * (x2 * y + y2 * x)


@inlined
def _lift(bend: Bend, body: int, shapes: _Shapes) -> float:
    """Return the deflection of a body's face along its normal."""
    total = 0.0
    for k in range(_MODES):
        total += shapes[k] * bend.place[body, k]
    return total


@inlined
def _slack(bend: Bend, body: int) -> float:
    """Return more than a body is bent anywhere."""
    total = 0.0
    for k in range(_MODES):
        total += abs(bend.place[body, k])
    return _REACH * total


@inlined
def _press_disc(
    table: Floats, cache: ContactCache, points: Points, bend: Bend, pair: ContactFrame
) -> None:
    """Add up an incident disc's points in the reference, as the solid engine does, both bent."""
    incident, reference = pair.incident, pair.reference
    surfaces, begins = cache.surface[incident, reference], cache.begin_mm[incident, reference]
    axis, normal = vector(table, reference, NORMAL), vector(table, incident, NORMAL)
    middle = minus(vector(table, incident, MIDDLE), vector(table, reference, MIDDLE))
    first, second = vector(table, incident, FIRST), vector(table, incident, SECOND)
    half, climb = table[reference, HALF], dot(normal, axis)
    reach = half + _slack(bend, incident) + _slack(bend, reference)
    rise = pair.scale * math.sqrt(dot(first, axis) ** 2 + dot(second, axis) ** 2)
    mine = 0 if incident == pair.one else 1
    for sheet in range(SHEETS):
        lever = (sheet - 1.0) * table[incident, HALF]
        sheet_level = dot(middle, axis) + lever * climb
        for ring in range(points.sheet[sheet], points.sheet[sheet + 1]):
            before, now = cache.inside[incident, reference, ring], 0
            count = points.first[ring + 1] - points.first[ring]
            if abs(sheet_level) - points.radius_mm[ring] * rise >= reach:
                count = 0
            for at in range(count):
                point = np.uint64(points.first[ring] + at)
                own_x, own_y = points.x_mm[point], points.y_mm[point]
                spot = plus(times(lever, normal), pair.scale * own_x, first)
                spot = plus(spot, pair.scale * own_y, second)
                from_reference = plus(middle, 1.0, spot)
                level = dot(from_reference, axis)
                wide = dot(from_reference, from_reference) - level * level
                if abs(level) >= reach or wide >= pair.wide_mm * pair.wide_mm:
                    continue
                own = _shapes(bend.shape, own_x, own_y, PIECE_RADIUS_MM)
                x = dot(from_reference, vector(table, reference, FIRST))
                y = dot(from_reference, vector(table, reference, SECOND))
                its = _shapes(bend.shape, x, y, table[reference, RADIUS])
                level += climb * _lift(bend, incident, own) - _lift(bend, reference, its)
                if abs(level) >= half:
                    continue
                now |= 1 << at
                if not (before >> at) & 1:
                    side = pair.wide_mm - math.sqrt(max(0.0, wide))
                    record_entry(surfaces, begins, point, level, half, side, pair.step_mm)
                up = 1.0 if surfaces[point] == TOP else -1.0
                depth, push = half - up * level, times(pair.sign * up, axis)
                if surfaces[point] == SIDE:
                    depth, push = side_penetration(table, pair, spot, level, wide)
                    up = 0.0  # bending does not move the side
                depth = net_depth(begins, point, depth)
                share = point_load(points, points.weight[ring] / 2, depth)
                to_one = minus(vector(table, incident, MIDDLE), vector(table, pair.one, CENTRE))
                arm = plus(spot, 1.0, to_one)
                add_point(table, cache.resultant, pair.one, pair.other, share, depth, arm, push)
                for k in range(_MODES):
                    bend.resultant[mine, k] += up * share * climb * own[k]
                    bend.resultant[1 - mine, k] -= up * share * its[k]
            cache.inside[incident, reference, ring] = now


@inlined
def _press_floor(table: Floats, cache: ContactCache, points: Points, bend: Bend, body: int) -> None:
    """Add up a body's points below the floor."""
    normal, scale = vector(table, body, NORMAL), table[body, RADIUS] / PIECE_RADIUS_MM
    for side in range(2):
        lever = (2.0 * side - 1.0) * table[body, HALF]
        for ring in range(points.sheet[2 * side], points.sheet[2 * side + 1]):
            for point in range(points.first[ring], points.first[ring + 1]):
                x, y = points.x_mm[point], points.y_mm[point]
                own = _shapes(bend.shape, x, y, PIECE_RADIUS_MM)
                spot = plus(times(lever, normal), scale * x, vector(table, body, FIRST))
                spot = plus(spot, scale * y, vector(table, body, SECOND))
                arm = minus(
                    plus(vector(table, body, MIDDLE), 1.0, spot), vector(table, body, CENTRE)
                )
                depth = -(table[body, MIDDLE + 2] + spot[2] + normal[2] * _lift(bend, body, own))
                if depth > 0.0:
                    share = point_load(points, points.weight[ring], depth)
                    world = len(table) - 1
                    add_point(
                        table, cache.resultant, body, world, share, depth, arm, (0.0, 0.0, 1.0)
                    )
                    for k in range(_MODES):
                        bend.resultant[0, k] += share * normal[2] * own[k]


@inlined
def _push(
    table: Floats,
    cache: ContactCache,
    law: Law,
    bend: Bend,
    one: int,
    other: int,
    patch: int,
    step_s: float,
) -> float:
    """Add a contact's forces, those on modes too; return its springs' energy.

    The modes' part of the closing speed and of the contact's mass is lent to the first body, along
    the contact's normal, while the solid engine computes the force.
    """
    resultant = cache.resultant
    if resultant[DEPTH4] <= 0.0:
        release_contact(cache, patch)
        return 0.0
    scale = resultant[DEPTH4] ** (-(law.exponent - 1.0) / law.exponent)
    push = times(scale, triple(resultant, UNIT_FORCE))
    square, speed, light = max(dot(push, push), 1e-12), 0.0, 0.0
    for k in range(_MODES):
        own, its = scale * bend.resultant[0, k], scale * bend.resultant[1, k]
        speed += own * bend.speed[one, k] + its * bend.speed[other, k]
        light += own * own * bend.light[one] + its * its * bend.light[other]
    velocity, before = vector(table, one, VELOCITY), vector(table, one, FORCE)
    own_light = table[one, INVERSE_MASS]
    for k in range(3):
        table[one, VELOCITY + k] += speed / square * push[k]
    table[one, INVERSE_MASS] += light / square
    energy = apply_contact_forces(table, cache, law, one, other, patch, step_s)
    table[one, INVERSE_MASS] = own_light
    for k in range(3):
        table[one, VELOCITY + k] = velocity[k]
    # Friction is across the push.
    size = dot(minus(vector(table, one, FORCE), before), push) / square
    for k in range(_MODES):
        bend.force[one, k] += size * scale * bend.resultant[0, k]
        bend.force[other, k] += size * scale * bend.resultant[1, k]
    return energy


@inlined
def _clear_resultants(cache: ContactCache, bend: Bend) -> None:
    clear_resultant(cache.resultant)
    for k in range(_MODES):
        bend.resultant[0, k] = bend.resultant[1, k] = 0.0


@inlined
def _press_all(
    table: Floats,
    cache: ContactCache,
    points: Points,
    law: Law,
    bend: Bend,
    step_mm: float,
    step_s: float,
) -> float:
    """Add the forces of all contacts; return their springs' energy."""
    count = len(table) - 1
    springs = 0.0
    for one in range(count):
        if lowest_mm(table, one) < _slack(bend, one):
            _clear_resultants(cache, bend)
            _press_floor(table, cache, points, bend, one)
            patch = count * count + one * WORLD_PATCHES
            springs += _push(table, cache, law, bend, one, count, patch, step_s)
        for other in range(one + 1, count):
            was = bend.near[one, other]
            near = gap_mm(table, one, other) < _slack(bend, one) + _slack(bend, other)
            bend.near[one, other] = near
            if not near and not was:
                continue
            _clear_resultants(cache, bend)
            if not near:
                forget_points(cache, one, other)
                forget_points(cache, other, one)
            else:
                for incident, reference, sign in ((one, other, 1.0), (other, one, -1.0)):
                    scale = table[incident, RADIUS] / PIECE_RADIUS_MM
                    wide = table[reference, RADIUS] + 0.01
                    # The solid engine's short cuts are not used.
                    pair = ContactFrame(
                        one, other, incident, reference, scale, wide, sign, step_mm,
                        0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                    )  # fmt: skip
                    _press_disc(table, cache, points, bend, pair)
                if cache.resultant[DEPTH4] > 0.0:
                    cache.met[one, other] = True
            springs += _push(table, cache, law, bend, one, other, one * count + other, step_s)
    return springs


@compiled
def move(
    table: Floats,
    cache: ContactCache,
    points: Points,
    law: Law,
    bend: Bend,
    step_s: float,
    steps: int,
    tally: Floats,
) -> None:
    """Move all bodies on by some steps of velocity Verlet."""
    springs = 0.0
    for _ in range(steps):
        fastest = 0.0
        for body in range(len(table) - 1):
            kick(table, body, step_s / 2)
            drift(table, body, step_s)
            clear_forces(table, body)
            for k in range(_MODES):
                # Half a kick, and a whole step of a damped oscillator: exact.
                bend.speed[body, k] += bend.force[body, k] * bend.light[body] * step_s / 2
                bend.force[body, k] = 0.0
                fade = bend.damping_ratio * bend.rate[k]
                rate = math.sqrt(bend.rate[k] ** 2 - fade**2)
                sine, cosine = math.sin(rate * step_s) / rate, math.cos(rate * step_s)
                shrink = math.exp(-fade * step_s)
                place, speed = bend.place[body, k], bend.speed[body, k]
                bend.place[body, k] = shrink * (cosine * place + sine * (speed + fade * place))
                bend.speed[body, k] = shrink * (
                    cosine * speed - sine * (bend.rate[k] ** 2 * place + fade * speed)
                )
            fastest = max(fastest, fastest_mm_s(table, body))
        cache.slip_mm[:, 4] = 0.0  # no velocities are predicted here
        springs = _press_all(table, cache, points, law, bend, 2 * fastest * step_s, step_s)
        for body in range(len(table) - 1):
            kick(table, body, step_s / 2)
            for k in range(_MODES):
                bend.speed[body, k] += bend.force[body, k] * bend.light[body] * step_s / 2
    vibration = 0.0
    for body in range(len(bend.light)):
        for k in range(_MODES):
            if bend.light[body] > 0.0:
                swing = bend.speed[body, k] ** 2 + (bend.rate[k] * bend.place[body, k]) ** 2
                vibration += swing / (2 * bend.light[body])
    energy = energy_nj(table) + springs + vibration
    tally[stepping.ENERGY], tally[stepping.SPRINGS] = energy, springs
    tally[stepping.PEAK] = max(tally[stepping.PEAK], energy)


class BendingRun(SolidRun):
    """Bodies on their way, pucks bending until the impact has ended."""

    def __init__(
        self,
        scene: Scene,
        bodies: Bodies3D,
        make: str,
        damping_ratio: float = DAMPING_RATIO,
    ) -> None:
        """Put bodies into a scene's box.

        Args:
            scene: The scene, of pieces of the rulebook's size; all its pucks are of one kind.
            bodies: The bodies.
            make: Of the pucks, one of `MAKES`.
            damping_ratio: Of the pucks' vibrations.
        """
        super().__init__(scene, bodies, _SETTINGS)
        count = len(bodies.mass_g)
        pucks = [piece for piece in scene.stack if isinstance(piece, Puck)]
        puck = pucks[0] if pucks else Puck()
        rates, shape = plate_modes(make, puck.material or Material(), puck)
        bends = [isinstance(piece, Puck) for piece in scene.stack] + [False, False]
        light = np.where(bends, 1 / np.append(bodies.mass_g, 1.0), 0.0)
        self._rigid = not pucks
        self.bend = Bend(
            shape=shape,
            rate=rates[[0, 0, 1, 2, 2]],
            damping_ratio=damping_ratio,
            light=light,
            place=np.zeros((count + 1, _MODES)),
            speed=np.zeros((count + 1, _MODES)),
            force=np.zeros((count + 1, _MODES)),
            resultant=np.zeros((2, _MODES)),
            near=np.zeros((count, count), dtype=np.bool_),
        )

    def _advance(self, span_s: float) -> None:
        if self._rigid or self._law.sleeps:
            super()._advance(span_s)
            return
        steps = max(1, round(span_s / self._step_s))
        move(
            self._table, self._cache, self._points, self._law, self.bend, self._step_s, steps,
            self._tally,
        )  # fmt: skip
        self.time_s += steps * self._step_s


def throw_bending(cell: Cell, make: str, trial: int) -> LoggedThrow:
    """Simulate one trial of a cell with pucks of a make, and log it."""
    scene, throw = scene_of(cell), draw_trial(cell, trial)
    result = follow(BendingRun(scene, starting_bodies(scene, throw), make), scene, throw)
    return log_throw("solid", cell.name, trial, result, f"bending-{make}")
