"""Scenes as MuJoCo's models: their contacts' stiffness and damping, and their description.

MuJoCo counts both per contact point and per mass of the whole body. So a flat piece (four points)
and a piece on its rim (a fifth of its mass) are damped about twice as strongly as one point is: of
a restitution of .5 would be left .34 flat and .27 on the rim, and in some versions flat hits far
off centre would gain energy. With the usual shares of the damping it comes out as about .53 and
.46 to .62.

And so a heavy slammer's contacts are stiffer than a puck's. Between a stack's pucks and the slammer
that is a factor of two; but light pucks between two slammers would keep the lower one from being
thrown up. So in knock-outs each two bodies have a stiffness of their own: that of faces alike.
"""

import math
from functools import lru_cache
from typing import Any

import mujoco

from physics import Piece, Scene, mass_properties
from physics.facts import fact
from physics.materials import GRAVITY_MM_S2, damping_ratio
from physics.pieces import PIECE_RADIUS_MM

MM, _G = 1e-3, 1e-3
"""In SI, the units of MuJoCo's defaults."""

GEOMS_OF_BOX = 5
"""The floor and the walls; the geoms of the pieces follow."""

_WALL_HALF_MM = 10.0
_IMPEDANCE = 0.1
_FRICTION_RATIO = 100
"""MuJoCo's impratio: at 1, friction creeps in impacts that last less than a millisecond."""


@fact
class _Stage:
    """Time step and stiffness of the contact points of a stage.

    Attributes:
        step_s: Time step.
        stiffness_s2: Stiffness over the effective mass of the two bodies.
        stiffness_g_s2: The same stiffness for any two bodies, instead.
    """

    step_s: float
    stiffness_s2: float = 0.0
    stiffness_g_s2: float = 0.0


_STACK_STAGES = (
    _Stage(step_s=10e-6, stiffness_s2=1e9),
    _Stage(step_s=100e-6, stiffness_s2=1e9 * (10e-6 / 100e-6) ** 2),
)
_KNOCK_OUT_STAGES = (
    _Stage(step_s=5e-6, stiffness_g_s2=3e9),
    _Stage(step_s=100e-6, stiffness_s2=1e7),
)
"""Chosen of three stiffnesses with knock-out chances in sight: at a quarter of it slammers on the
floor leave with a sixth to a third less spin, and more turn over (.37 and .35 for .28 and .32, of
200 each of 20 on 8 and 20 on 20 g); stiffer friction gives most of that spin back. At four times
it, they turn over about as often (.30 and .28)."""

_DAMPING_SHARE, _KNOCK_OUT_DAMPING_SHARE = 0.57, 0.65


@lru_cache(maxsize=16)
def models_of(scene: Scene) -> tuple[Any, Any]:
    """Return a scene's model for the impact, and the same with the settling's step."""
    apart = scene.is_knock_out or len(scene.stack) == 1
    share = _KNOCK_OUT_DAMPING_SHARE if apart else _DAMPING_SHARE
    ratio = share * damping_ratio(scene.materials.restitution)
    impact_model, settle_model = (
        mujoco.MjModel.from_xml_string(_xml(scene, stage, apart, ratio))
        for stage in (_KNOCK_OUT_STAGES if apart else _STACK_STAGES)
    )
    return impact_model, settle_model


def _xml(scene: Scene, stage: _Stage, apart: bool, ratio: float) -> str:
    """Return the description of a scene; the geoms of the box come first.

    Args:
        scene: The scene.
        stage: The stage.
        apart: Each two bodies have contacts of their own.
        ratio: Damping ratio of a contact point.
    """
    pieces = (*scene.stack, scene.slammer)
    friction = scene.materials.friction
    collide = 0 if apart else 1
    return f"""
<mujoco>
  <compiler boundmass="1e-9" boundinertia="1e-14"/>
  <option timestep="{stage.step_s!r}" gravity="0 0 {-GRAVITY_MM_S2 * MM!r}" cone="elliptic"
          solver="Newton" iterations="20" tolerance="1e-8" integrator="Euler"
          impratio="{_FRICTION_RATIO}">
    <flag multiccd="enable"/>
  </option>
  <size memory="20M"/>
  <statistic meansize="0.02" extent="0.3"/>
  <default>
    <geom contype="{collide}" conaffinity="{collide}" {_solref(stage, ratio)}
          friction="{friction!r} 0 0" condim="3" margin="0"
          solimp="{_IMPEDANCE} {_IMPEDANCE} 0.001 0.5 2"/>
    <pair friction="{friction!r} {friction!r} 0 0 0" condim="3" margin="0"
          solimp="{_IMPEDANCE} {_IMPEDANCE} 0.001 0.5 2"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    {_walls_xml(scene)}
    {"".join(_body_xml(piece, f"piece{index}") for index, piece in enumerate(pieces))}
  </worldbody>
  <contact>
    {_contacts_xml(pieces, stage, ratio) if apart else ""}
  </contact>
</mujoco>"""


def _solref(stage: _Stage, ratio: float, lightness: float = 0.0) -> str:
    """Return stiffness and damping of a contact of bodies with that sum of 1 / mass."""
    stiffness_s2 = stage.stiffness_s2 or stage.stiffness_g_s2 * lightness
    return f'solref="{-stiffness_s2!r} {-2 * ratio * math.sqrt(stiffness_s2)!r}"'


def _contacts_xml(pieces: tuple[Piece, ...], stage: _Stage, ratio: float) -> str:
    """Return what may touch: each piece and the box, and each two pieces."""
    contacts = []
    for index, piece in enumerate(pieces):
        others = [("floor", 0.0), *((f"wall{wall}", 0.0) for wall in range(GEOMS_OF_BOX - 1))]
        others += [(f"piece{lower}", 1 / pieces[lower].mass_g) for lower in range(index)]
        contacts += [
            f'<pair geom1="{name}" geom2="piece{index}" '
            f"{_solref(stage, ratio, lightness + 1 / piece.mass_g)}/>"
            for name, lightness in others
        ]
    return "".join(contacts)


def _walls_xml(scene: Scene) -> str:
    half, thick = scene.arena.half_side_mm * MM, _WALL_HALF_MM * MM
    height = scene.arena.wall_height_mm / 2 * MM
    walls = []
    for wall, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        place = f"{x * (half + thick)!r} {y * (half + thick)!r} {height!r}"
        long = half + 2 * thick
        size = f"{thick if x else long!r} {thick if y else long!r} {height!r}"
        walls.append(f'<geom name="wall{wall}" type="box" pos="{place}" size="{size}"/>')
    return "".join(walls)


def _body_xml(piece: Piece, name: str) -> str:
    mass = mass_properties(piece)
    diameter = mass.moment_diameter_g_mm2 * _G * MM**2
    axis = mass.moment_axis_g_mm2 * _G * MM**2
    size = f"{PIECE_RADIUS_MM * MM!r} {piece.thickness_mm / 2 * MM!r}"
    return (
        f'<body><freejoint/><inertial pos="0 0 {mass.centre_mm * MM!r}" '
        f'mass="{mass.mass_g * _G!r}" diaginertia="{diameter!r} {diameter!r} {axis!r}"/>'
        f'<geom name="{name}" type="cylinder" size="{size}"/></body>'
    )
