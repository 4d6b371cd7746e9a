"""Parameters of a slam: contacts, the laws of lift-off, numerical presets; units and constants.

Each number carries its range, its uncertainty and its source. Inside ``physics`` lengths are mm,
masses g, times s, angles rad; energies are therefore nJ.
"""

import math
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache, partial
from types import MappingProxyType

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import (
    Checked,
    InputError,
    check_limits,
    check_number,
    limits,
    parameter,
)
from pucklab.base.facts import fact
from pucklab.physics.material import Material
from pucklab.physics.pieces import PIECE_RADIUS_MM, PUCK_THICKNESS_MM
from pucklab.physics.thrower import ThrowDistribution

GRAVITY_MM_S2 = 9810.0
"""Standard gravity to three digits."""

NJ_PER_MJ = 1e6
"""Nanojoules (g mm2/s2) in a millijoule."""

_fitted = partial(
    parameter,
    source="least squares on flips, pucks out and distances of the solid engine; see "
    "constants.toml",
)

FACE_OVER_RIM = 11.0
"""Stiffness of a face over that of a rim, of the norm in `solid.contact_laws`: a rim
10 to 45 degrees steep and .1 to 1 mm deep in a disc has .06 to .15 of the face's. It makes a face
of plastic 2.4e7 N/m, as roughness does by itself: F over .45 times the rms height of 10 to 20 um
(Persson 2007) at 100 to 200 N."""

EDGE_DEPTH_MM, EDGE_SLOPE = 0.1, 0.3420201433256687  # sin 20 degrees
LOG_96 = 4.564348191467836  # a shallow rim's dent is 96 / 4 times as long as wide


@lru_cache(maxsize=256)
def contact_stiffness_g_s2(
    material: Material,
    thickness_mm: float = PUCK_THICKNESS_MM,
    radius_mm: float = PIECE_RADIUS_MM,
    kind: str = "face",
) -> float:
    """Return the stiffness of one piece's side of a contact, in g/s2 (1e-3 N/m).

    Two pieces in contact are two springs in series: K = 1 / (1 / k1 + 1 / k2). A side is a punch on
    an elastic half-space, k = 2 E a / (1 - nu2) (Johnson, Contact Mechanics, section 3.5), whose
    radius a is half the thickness, as no dent is wider than a disc is thick; or, for thick pieces,
    that of the dent of a rim 20 degrees steep and .1 mm deep: an ellipse c = sqrt(2 R d / sin 20)
    long and 1/24 as wide, a = pi c / (2 ln 96). A face is `FACE_OVER_RIM` times as stiff.

    Args:
        material: Of the piece.
        thickness_mm: Of the piece, at most its radius.
        radius_mm: Of the piece.
        kind: "face" or "rim".

    Raises:
        InputError: A thickness above the radius, or another kind.

    Example:
        >>> from pucklab.physics.material import MATERIALS
        >>> def in_series(k1, k2):
        ...     return 1 / (1 / k1 + 1 / k2)
        >>> plastic, steel = contact_stiffness_g_s2(Material()), contact_stiffness_g_s2(
        ...     MATERIALS["steel"], thickness_mm=4.0
        ... )
        >>> f"{in_series(plastic, plastic) / 1e3:.3g} N/m"  # two pucks, face on face
        '2.41e+07 N/m'
        >>> f"{in_series(plastic, steel) / 1e3:.3g} N/m"
        '4.77e+07 N/m'
        >>> rim = contact_stiffness_g_s2(Material(), kind="rim")
        >>> f"{in_series(rim, rim) / 1e3:.3g} N/m"
        '2.19e+06 N/m'
    """
    check_number("radius_mm", radius_mm, low=1.0, high=500.0, unit="mm")
    check_number("thickness_mm", thickness_mm, low=0.05, high=radius_mm, unit="mm")
    check_one_of("kind", kind, ("face", "rim"))
    chord_mm = math.sqrt(2 * radius_mm * EDGE_DEPTH_MM / EDGE_SLOPE)
    dent_mm = min(thickness_mm / 2, math.pi * chord_mm / (2 * LOG_96))
    # 1 GPa = 1e9 g/(mm s2).
    rim = 2 * material.modulus_gpa * 1e9 * dent_mm / (1 - material.poisson * material.poisson)
    return rim * (FACE_OVER_RIM if kind == "face" else 1.0)


@fact
class Materials(Checked):
    """Contact parameters, one value for every pair of piece, slammer, floor and wall.

    Attributes:
        restitution: Coefficient of restitution.
        hysteresis: Share of a contact's loss, on the scale of ln e, that is hysteresis: a fixed
            share of what its spring stored, whatever the rate. The rest is a viscous damper's.
            It does not change the restitution of two colliding bodies; with more of it a stack
            returns less energy.
        friction: Coefficient of sliding friction (Coulomb).
    """

    restitution: float = parameter(
        0.5,
        low=0.05,
        high=0.9,
        uncertainty=0.1,
        source="typical of hard plastic on wood; not measured on pucks",
    )
    hysteresis: float = parameter(
        0.0,
        low=0.0,
        high=1.0,
        uncertainty=1.0,
        source="assumed: the damper of most engines; not measured on pucks, 'pucklab calibrate "
        "rebound' does",
    )
    friction: float = parameter(
        0.35,
        low=0.0,
        high=1.5,
        uncertainty=0.1,
        source="typical of plastic on plastic and wood; not measured on pucks",
    )


@fact
class LiftOff(Checked):
    """Constants of the plane's laws of lift-off, read off the solid engine or fitted to it.

    Vertical speeds of the stack's pieces are those of the plane, more if the hit is off the centre.
    Horizontal velocities have a scale, the pace, which is 1 m/s for a stack of 10 pucks of 1.5 g
    hit by 8 g at 5 m/s, and grows with the root of the slammer's energy over the puck's mass.
    Tumbling has a scale too, 1 m/s for a piece that rises at 1 m/s from a stack of 10.
    See `pucklab.physics.plane.flight_laws`.

    Attributes:
        strength: Logarithm of the factor on vertical speeds of hits at the rim or beyond; in
            between it grows with the distance from the centre.
        exponent: Power of all scales: spin grows with friction, tumbling and lean fall with the
            number of pieces; the pace does so by the root of both; lean grows with the root of the
            slammer's energy; all velocities fall with the fourth root of its mass over the puck's.
        carry: Velocity along the slammer's path, over the pace, per unit of the tangent of the
            descent.
        drift: Common random velocity per axis, over the pace.
        scatter: Individual random velocity per axis, over the pace.
        roll: Common random tumbling per axis, over its scale.
        lean_rad: Greatest lean of the pieces' axes from the vertical at separation, where the
            pieces hold each other up, after the usual throw.
        lean_by_descent: Power of the descent's cosine by which that lean is divided.
        lean_sd: Relative spread of the lean from throw to throw.
        swing_scatter: Individual random rotation of the axes, over the scale of tumbling; it has
            grown evenly until separation, and turned them by as much.
        twist: Common spin about the axes at separation, over its scale: a t distribution.
    """

    strength: float = _fitted(0.28, low=-2.0, high=1.0, uncertainty=0.02)
    exponent: float = _fitted(0.31, low=0.0, high=1.0, uncertainty=0.03)
    carry: float = _fitted(0.42, low=0.0, high=2.0, uncertainty=0.02)
    drift: float = _fitted(0.205, low=0.0, high=1.0, uncertainty=0.006)
    scatter: float = _fitted(0.066, low=0.0, high=1.0, uncertainty=0.004)
    roll: float = _fitted(0.48, low=0.0, high=2.0, uncertainty=0.03)
    lean_rad: float = _fitted(1.35, low=0.0, high=3.0, uncertainty=0.03)
    lean_by_descent: float = _fitted(0.31, low=-1.0, high=2.0, uncertainty=0.08)
    lean_sd: float = _fitted(0.31, low=0.0, high=2.0, uncertainty=0.03)
    swing_scatter: float = _fitted(0.19, low=0.0, high=2.0, uncertainty=0.01)
    twist: float = _fitted(0.24, low=0.0, high=2.0, uncertainty=0.01)


def damping_ratio(restitution: float, hysteresis: float = 0.0) -> float:
    """Return the damping ratio of a linear contact spring that rebounds with ``restitution``.

    From the half period of a damped oscillator: zeta = -ln e / sqrt(pi2 + ln2 e). With hysteresis
    h the spring on its way back is stiffer by e^(-2 h), so that the damper's ratio is less by e^h
    there, and ends at a dent, beyond which the damper works alone:
    e = e^h exp(-p(zeta) - q(zeta e^h)) - 2 zeta (1 - e^(2 h)) exp(-p(zeta)),
    with p and q the logarithmic losses of the half period before and after the turn.

    Example:
        >>> round(damping_ratio(0.5), 4)
        0.2155
        >>> round(damping_ratio(0.5, hysteresis=0.5), 4)
        0.0805
    """
    log = math.log(restitution)
    if hysteresis == 0.0:
        return -log / math.hypot(math.pi, log)
    kept_speed = restitution**hysteresis
    low, high = 0.0, 0.999
    for _ in range(60):
        ratio = (low + high) / 2
        back = ratio * kept_speed
        deepest = math.exp(-ratio / math.sqrt(1 - ratio**2) * math.acos(ratio))
        left = math.exp(-back / math.sqrt(1 - back**2) * (math.pi - math.acos(back)))
        left = deepest * (kept_speed * left - 2 * ratio * (1 - kept_speed**2))
        low, high = (ratio, high) if left > restitution else (low, ratio)
    return (low + high) / 2


@fact
class Preset:
    """Time steps and solver iterations of the two stages that are integrated.

    Attributes:
        name: Name of the preset.
        plate_frequency_rad_s: Angular frequency of a split puck's plates against each other,
            sqrt(4 k / m); a slammer on the floor is as stiff as a puck. The stiffness of real
            pucks is unknown: this is a choice of the model, and lift-off compensates for its
            effect.
        impact_step_s: Time step of the impact; frequency times step must stay below .5.
        impact_iterations: Solver iterations per step of the impact.
        settle_step_s: Time step of the settling.
        settle_iterations: Solver iterations per step of the settling.
    """

    name: str
    plate_frequency_rad_s: float = limits(1e4, 2e5, "rad/s")
    impact_step_s: float = limits(1e-7, 5e-5, "s")
    impact_iterations: int = limits(1, 200)
    settle_step_s: float = limits(1e-5, 5e-3, "s")
    settle_iterations: int = limits(1, 200)

    def __post_init__(self) -> None:
        """Check every field."""
        check_limits(self)
        if self.plate_frequency_rad_s * self.impact_step_s > 0.5:
            raise InputError(
                f"impact_step_s: {self.impact_step_s!r} is not accepted; give at most "
                f"{0.5 / self.plate_frequency_rad_s:.3g} s, half over the plate frequency"
            )


PLATE_FREQUENCY_RAD_S = 31_622.8
"""sqrt(4 k / m) for k = 3.75e5 N/m and the standard 1.5 g puck."""

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                name="reference",
                plate_frequency_rad_s=44_721.4,
                impact_step_s=5e-6,
                impact_iterations=20,
                settle_step_s=0.5e-3,
                settle_iterations=30,
            ),
            Preset(
                name="recommended",
                plate_frequency_rad_s=PLATE_FREQUENCY_RAD_S,
                impact_step_s=15e-6,
                impact_iterations=8,
                settle_step_s=2e-3,
                settle_iterations=10,
            ),
            Preset(
                name="fast",
                plate_frequency_rad_s=PLATE_FREQUENCY_RAD_S,
                impact_step_s=15e-6,
                impact_iterations=8,
                settle_step_s=3e-3,
                settle_iterations=5,
            ),
        )
    }
)
"""The shipped presets by name, from slow and fine to fast."""


def preset(name: object) -> Preset:
    """Return the preset of that name.

    Raises:
        InputError: No preset has that name.

    Example:
        >>> preset("fast").impact_iterations
        8
    """
    check_one_of("preset", name, tuple(PRESETS))  # a scene file may hold anything
    return PRESETS[str(name)]


@fact
class ParameterSet:
    """All parameters of a slam that are neither geometry nor numerics.

    Attributes:
        materials: Contact parameters.
        lift_off: Constants of the laws of lift-off.
        thrower: Distribution of throws.
    """

    materials: Materials = field(default_factory=Materials)
    lift_off: LiftOff = field(default_factory=LiftOff)
    thrower: ThrowDistribution = field(default_factory=ThrowDistribution)
