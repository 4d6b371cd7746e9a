"""Air: the film between two faces, and drag in flight.

| law | model and source | function |
|---|---|---|
| film | Reynolds' lubrication in a wedge between discs, without inertia | `squeeze_films` |
| drag, lift | normal force of a plate, C_N = 1.2 sin(angle of attack) | `drag_bodies` |
| pitching | centre of pressure up to .2 diameters ahead of the middle | `drag_bodies` |

A film h (1 + k x / R) thick on a disc of radius R resists the rates of its gap and of its two
tilts with mu R^4 / h^3, R^5 / h^3 and R^6 / h^3 times numbers that depend on k alone. They come
from a Galerkin solution of Reynolds' equation with p = 0 at the rim; at k = 0 the first is 3 pi / 2
(Cameron, Basic Lubrication Theory: squeeze film of two discs). Films act between macro steps
(operator splitting), each implicitly, upwards and downwards along the list of pairs, so that they
only take energy.
"""

import math

from pucklab.base.arrays import Floats
from pucklab.base.kernels import called, inlined
from pucklab.physics.solid.geometry import (
    apply_inverse_inertia,
    cross,
    dot,
    minus,
    plus,
    put,
    times,
    vector,
)
from pucklab.physics.solid.state import (
    AWAKE,
    CENTRE,
    HALF,
    INVERSE_DIAMETER,
    INVERSE_MASS,
    MIDDLE,
    MOMENTUM,
    NORMAL,
    RADIUS,
    RATE,
    VELOCITY,
    Law,
    Schedule,
    Vector,
)

VISCOSITY_G_MM_S = 18.1e-6
"""Pa s = g/(mm s), of air at 20 C (CRC Handbook); 2 % more at 30 C."""

FILM_PRESSURE_G_MM_S2 = 0.8 * 101_325.0
"""Most mean pressure of a film, Pa = g/(mm s2): .8 of the standard atmosphere. A film cannot pull
harder than a vacuum, and pressed harder it is squeezed, as real faces leak. Assumed; .5 to 1."""

_MOST_WEDGE = 0.95
"""Steepest k that the fit below holds for, within 1 %."""

_TOUCHING_WEDGE = 1.3
"""From this k on the faces touch at a rim only, and no film is left between them."""

_MOST_LEAN = 0.95
"""Cosine of the angle between two faces from which on they have a film."""

_NORMAL_FORCE, _PRESSURE_ARM, _SPIN_DRAG = 1.2, 0.4, 0.64
"""C_N of a disc across the flow over the sine (Hoerner, Fluid-Dynamic Drag, 3-15: 1.17); centre of
pressure at small angles over the radius (thin plates: quarter chord, .5; discs: .4); and that C_N
times the integral of |x|^3 over the unit disc, 8/15: a disc that turns in still air. 20 % each."""

_SLOWEST_MM_S = 1.0

FILM_REACH = 5.0
"""Faces this many gaps apart have a film: beyond is a thirtieth of the impulse that parts them."""


@called
def squeeze_films(table: Floats, law: Law, schedule: Schedule, pairs: int, span_s: float) -> float:
    """Let films brake the near pairs, and bodies near the floor, for a span; return the energy, nJ.

    Args:
        table: The bodies, with the world in the last row.
        law: Its gap, viscosity and greatest pressure.
        schedule: Its first pairs are the near ones.
        pairs: How many.
        span_s: The time.
    """
    world, lost = len(schedule.phase), 0.0
    for sweep in range(2):
        for number in range(pairs + world):
            each = number if sweep == 0 else pairs + world - 1 - number
            # The floor first: from there up.
            if each < world:
                if schedule.near[each, world]:
                    lost += _squeeze_film(table, law, world, each, span_s / 2, sweep)
            else:
                pair = each - world
                one, other = schedule.first[pair], schedule.second[pair]
                lost += _squeeze_film(table, law, one, other, span_s / 2, sweep)
    return lost


@called
def _squeeze_film(
    table: Floats, law: Law, one: int, other: int, span_s: float, before: int
) -> float:
    """Brake the rates of the gap between two bodies, or the floor and a body; return the energy.

    ``before`` is the number of equal spans since the bodies were moved.
    """
    is_pair = table[one, INVERSE_MASS] > 0.0
    middle, normal = vector(table, other, MIDDLE), vector(table, other, NORMAL)
    below, along = (middle[0], middle[1], 0.0), (0.0, 0.0, 1.0)
    half, radius, its_radius = 0.0, table[other, RADIUS], table[other, RADIUS]
    if is_pair:
        below, along = vector(table, one, MIDDLE), vector(table, one, NORMAL)
        half, its_radius = table[one, HALF], table[one, RADIUS]
    lean = dot(along, normal)
    if abs(lean) < _MOST_LEAN:
        return 0.0
    if lean < 0.0:
        normal = times(-1.0, normal)
    across = plus(along, 1.0, normal)
    across = times(1.0 / math.sqrt(dot(across, across)), across)
    apart = minus(middle, below)
    height = dot(apart, across)
    if height < 0.0:
        height = -height
        across, along, normal = times(-1.0, across), times(-1.0, along), times(-1.0, normal)
    # The film has the radius of the smaller face, and less area where that lies over the edge.
    sideways = plus(apart, -dot(apart, across), across)
    over = max(0.0, math.sqrt(dot(sideways, sideways)) - abs(radius - its_radius))
    place = plus(below, 0.5, apart)
    if radius < its_radius:
        place = middle
    elif its_radius < radius:
        place = below
        radius = its_radius
    if over > 1.6 * radius:
        return 0.0
    gap = max(0.0, height - half - table[other, HALF]) + law.film_gap_mm
    slope = minus(along, normal)
    slope = plus(slope, -dot(slope, across), across)
    steep = math.sqrt(dot(slope, slope))
    wedge = steep * radius / gap
    if wedge > _TOUCHING_WEDGE:
        return 0.0
    if steep < 1e-9:  # any direction in the plane
        slope = cross(across, (1.0, 0.0, 0.0) if abs(across[0]) < 0.5 else (0.0, 1.0, 0.0))
        steep = math.sqrt(dot(slope, slope))
    uphill = times(1.0 / steep, slope)
    level = cross(across, uphill)
    # Rates of the gap and of its slope uphill and level, g = J v, W = J M^-1 J^T.
    tilt, turn = cross(uphill, across), cross(level, across)
    arm = cross(minus(place, vector(table, other, CENTRE)), across)
    light = table[other, INVERSE_MASS]
    rate, its_rate = vector(table, other, RATE), (0.0, 0.0, 0.0)
    gap_rate = dot(vector(table, other, VELOCITY), across) + dot(rate, arm)
    with_arm = apply_inverse_inertia(table, other, arm)
    with_tilt = apply_inverse_inertia(table, other, tilt)
    with_turn = apply_inverse_inertia(table, other, turn)
    w00, w01, w02 = light + dot(arm, with_arm), dot(arm, with_tilt), dot(arm, with_turn)
    w11, w12, w22 = dot(tilt, with_tilt), dot(tilt, with_turn), dot(turn, with_turn)
    its_arm = arm
    if is_pair:
        its_arm = cross(minus(place, vector(table, one, CENTRE)), across)
        its_rate = vector(table, one, RATE)
        gap_rate -= dot(vector(table, one, VELOCITY), across) + dot(its_rate, its_arm)
        with_arm = apply_inverse_inertia(table, one, its_arm)
        with_tilt = apply_inverse_inertia(table, one, tilt)
        with_turn = apply_inverse_inertia(table, one, turn)
        w00 += table[one, INVERSE_MASS] + dot(its_arm, with_arm)
        w01, w02 = w01 + dot(its_arm, with_tilt), w02 + dot(its_arm, with_turn)
        w11, w12 = w11 + dot(tilt, with_tilt), w12 + dot(tilt, with_turn)
        w22 += dot(turn, with_turn)
    both = minus(rate, its_rate)
    tilt_rate, turn_rate = dot(both, tilt), dot(both, turn)
    k = min(wedge, _MOST_WEDGE)
    shared = 1.0 - over / (2.0 * radius)
    shared *= shared
    z, square = k * k, radius * radius
    size = law.film_viscosity * square * square * shared / math.sqrt(1.0 - z)
    gap = max(law.film_gap_mm, gap + before * gap_rate * span_s)
    size *= _mean_over_way(gap, law.film_gap_mm, gap_rate * span_s) * span_s
    heave = size * (4.7033 + z * (1.397 + z * (-4.04 + z * (10.1868 - z * 8.3447))))
    mixed = -size * radius * k * (
        1.7641 + z * (0.9457 + z * (-1.1798 + z * (3.9467 - z * 2.9316)))
    )  # fmt: skip
    size *= square
    pitch = size * (0.3921 + z * (0.7819 + z * (0.0993 + z * (1.196 - z * 0.5033))))
    roll = size * (0.3918 + z * (0.0913 + z * (-0.4024 + z * (0.9287 - z * 0.7903))))
    # Implicit: (1 + D W) p = -D g, D = ((heave, mixed, 0), (mixed, pitch, 0), (0, 0, roll)).
    a = (
        1.0 + heave * w00 + mixed * w01, heave * w01 + mixed * w11, heave * w02 + mixed * w12,
    )  # fmt: skip
    b = (
        mixed * w00 + pitch * w01, 1.0 + mixed * w01 + pitch * w11, mixed * w02 + pitch * w12,
    )  # fmt: skip
    c = roll * w02, roll * w12, 1.0 + roll * w22
    right = (
        -heave * gap_rate - mixed * tilt_rate,
        -mixed * gap_rate - pitch * tilt_rate,
        -roll * turn_rate,
    )
    # Cramer's rule, with the columns of the matrix.
    first, second, third = (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])
    whole = 1.0 / dot(first, cross(second, third))
    push = whole * dot(right, cross(second, third))
    most = law.film_pressure * math.pi * square * shared * span_s
    share = whole if abs(push) <= most else whole * most / abs(push)
    push = share * dot(right, cross(second, third))
    pitching = share * dot(first, cross(right, third))
    rolling = share * dot(first, cross(second, right))
    twist = plus(times(pitching, tilt), rolling, turn)
    _add_impulse(table, other, times(push, across), plus(twist, push, arm))
    if is_pair:
        _add_impulse(
            table, one, times(-push, across), times(-1.0, plus(twist, push, its_arm))
        )  # fmt: skip
    # Energy: p . (g before + g after) / 2, with g after = g + W p.
    after = gap_rate + w00 * push + w01 * pitching + w02 * rolling
    lost = push * (gap_rate + after)
    after = tilt_rate + w01 * push + w11 * pitching + w12 * rolling
    lost += pitching * (tilt_rate + after)
    after = turn_rate + w02 * push + w12 * pitching + w22 * rolling
    lost += rolling * (turn_rate + after)
    return float(-lost / 2)


@inlined
def _mean_over_way(gap: float, least: float, way: float) -> float:
    """Return the mean of gap^-3 along a way of the gap, which ends where faces touch."""
    end = gap + way
    if end >= least:
        return (gap + end) / (2.0 * gap * gap * end * end)  # of 1 / (2 h^2), over the way
    before = (gap - least) / -way
    there = 1.0 / (least * least * least)
    return before * (gap + least) / (2.0 * gap * gap * least * least) + (1.0 - before) * there


@inlined
def _add_impulse(table: Floats, body: int, impulse: Vector, twist: Vector) -> None:
    light = table[body, INVERSE_MASS]
    for k in range(3):
        table[body, VELOCITY + k] += light * impulse[k]
        table[body, MOMENTUM + k] += twist[k]
    put(table, body, RATE, apply_inverse_inertia(table, body, vector(table, body, MOMENTUM)))


@called
def drag_bodies(table: Floats, law: Law, schedule: Schedule, span_s: float) -> float:
    """Let the air brake, lift and pitch the bodies in flight for a span; return the energy, nJ.

    The force on a plate is along its normal and acts at its centre of pressure; its size follows
    from that point's velocity, so that air at rest only takes energy.
    """
    lost = 0.0
    for body in range(len(schedule.phase)):
        velocity, normal = vector(table, body, VELOCITY), vector(table, body, NORMAL)
        speed = math.sqrt(dot(velocity, velocity))
        low = table[body, MIDDLE + 2] < 1.5 * table[body, HALF]  # it lies, or all but
        if schedule.phase[body] != AWAKE or low or speed < _SLOWEST_MM_S:
            continue
        radius, rate = table[body, RADIUS], vector(table, body, RATE)
        pressure = law.air_density * _NORMAL_FORCE / 2
        # Turning: C_N rho / 2 times the integral of |w x|^3 over the disc, a torque.
        tumble = plus(rate, -dot(rate, normal), normal)
        turning = math.sqrt(dot(tumble, tumble))
        square = radius * radius
        slowing = law.air_density * _SPIN_DRAG / 2 * square * square * radius * turning
        slowing *= table[body, INVERSE_DIAMETER] * span_s
        twist = times(-slowing / (1.0 + slowing) / table[body, INVERSE_DIAMETER], tumble)
        lost -= dot(twist, rate) * (1.0 - slowing / (1.0 + slowing) / 2)
        _add_impulse(table, body, (0.0, 0.0, 0.0), twist)
        rate = vector(table, body, RATE)
        # The centre of pressure is ahead, the more the flatter the flow.
        ahead = times(
            _PRESSURE_ARM * radius / speed, plus(velocity, -dot(velocity, normal), normal)
        )
        arm = cross(
            plus(ahead, 1.0, minus(vector(table, body, MIDDLE), vector(table, body, CENTRE))),
            normal,
        )
        into = dot(velocity, normal) + dot(rate, arm)
        rise = table[body, INVERSE_MASS] + dot(arm, apply_inverse_inertia(table, body, arm))
        size = pressure * math.pi * square * speed * span_s
        push = -size * into / (1.0 + size * rise)
        lost -= push * (into + rise * push / 2)
        _add_impulse(table, body, times(push, normal), times(push, arm))
    return lost
