"""A throw that a person sets up, and what is seen of it before it is thrown."""

import math
from dataclasses import dataclass, replace

import numpy as np

from physics import (
    MAX_STACK,
    Scene,
    Slammer,
    Throw,
    mass_properties,
    puck_stack,
    puckdex_slammer,
)
from physics.plane import arriving_state, project
from render.slams.motion import Moment
from sim.odds import Study

MOST_AIM_MM = 60.0
"""How far off the centre a person may aim: far enough to miss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A throw that a person sets up.

    Attributes:
        aim_x_mm: Where the slammer's centre is to meet the height of the stack's top, x.
        aim_y_mm: The same, y.
        speed_m_s: Speed, .5 to 10 m/s.
        tilt_deg: Angle between slammer and floor, 0 to 60.
        tilt_to_deg: Which way its low side points: 0 away from the thrower, 90 to the left of
            that, -90 to the right.
        descent_deg: Angle of its way from the vertical, 0 to 75.
        slammer_g: Mass of the slammer, 2 to 24 g.
        pucks: Pucks in the stack, 1 to 29; of no account in a knock-out.
    """

    aim_x_mm: float = 0.0
    aim_y_mm: float = 0.0
    speed_m_s: float = 5.0
    tilt_deg: float = 10.0
    tilt_to_deg: float = 0.0
    descent_deg: float = 15.0
    slammer_g: float = 8.0
    pucks: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A number of a hand that a person can set.

    Attributes:
        name: The field of `Hand`.
        label: What it is called.
        low: The smallest.
        high: The largest.
        step: What numbers are rounded to.
        unit: Its unit.
    """

    name: str
    label: str
    low: float
    high: float
    step: float
    unit: str


SETTINGS = (
    Setting(name="slammer_g", label="slammer", low=2, high=24, step=1, unit=" g"),
    Setting(name="pucks", label="pucks", low=1, high=MAX_STACK, step=1, unit=""),
    Setting(name="speed_m_s", label="speed", low=0.5, high=10, step=0.1, unit=" m/s"),
    Setting(name="descent_deg", label="descent", low=0, high=75, step=1, unit="°"),
    Setting(name="tilt_deg", label="tilt", low=0, high=60, step=1, unit="°"),
    Setting(name="tilt_to_deg", label="tilted towards", low=-180, high=180, step=5, unit="°"),
)


def hand_for(study: Study) -> Hand:
    """Return a hand like the thrower of a study, aiming at the middle."""
    thrower, scene = study.thrower, study.scene
    return Hand(
        speed_m_s=thrower.speed_mm_s / 1000,
        descent_deg=(thrower.descent_min_deg + thrower.descent_max_deg) / 2,
        slammer_g=scene.slammer.mass_g,
        pucks=len(scene.stack),
    )


def set_to(hand: Hand, setting: Setting, value: float) -> Hand:
    """Return a hand with a number set, rounded to its step and cut to its range."""
    number = round(value / setting.step) * setting.step
    number = min(max(number, setting.low), setting.high)
    if setting.name == "pucks":
        return replace(hand, pucks=int(number))
    return replace(hand, **{setting.name: round(number, 3)})  # type: ignore[arg-type]


def aimed_at(hand: Hand, x_mm: float, y_mm: float) -> Hand:
    """Return a hand that aims at a place, not farther off the centre than `MOST_AIM_MM`."""
    share = min(1.0, MOST_AIM_MM / max(math.hypot(x_mm, y_mm), 1e-9))
    return replace(hand, aim_x_mm=x_mm * share, aim_y_mm=y_mm * share)


def scene_of(hand: Hand, study: Study) -> Scene:
    """Return what a hand throws at what: the study's scene with the hand's slammer and stack."""
    scene = study.scene
    slammer = scene.slammer
    if slammer.mass_g != hand.slammer_g:
        slammer = puckdex_slammer(hand.slammer_g, slammer.thickness_mm, unofficial=True)
    stack, lowest = scene.stack, scene.stack[0]
    if not isinstance(lowest, Slammer):
        stack = puck_stack(hand.pucks, lowest)
    return replace(scene, slammer=slammer, stack=stack)


def is_knock_out(scene: Scene) -> bool:
    """Return whether a lone slammer is thrown at, instead of a stack of pucks."""
    return isinstance(scene.stack[0], Slammer)


def throw_of(hand: Hand, chance: Throw) -> Throw:
    """Return the throw of a hand; what it does not set is as in ``chance``."""
    return replace(
        chance,
        speed_mm_s=1000 * hand.speed_m_s,
        aim_x_mm=hand.aim_x_mm,
        aim_y_mm=hand.aim_y_mm,
        descent_rad=math.radians(hand.descent_deg),
        tilt_rad=math.radians(hand.tilt_deg),
        # The low side is a quarter turn behind the axis of the tilt.
        tilt_azimuth_rad=math.radians(hand.tilt_to_deg + 90),
    )


def ready_moment(scene: Scene, throw: Throw) -> Moment:
    """Return the moment in which the slammer is about to touch the stack."""
    plane = project(throw, (1.0, 0.0))
    x_mm, z_mm, angle, *_ = arriving_state(scene, plane)
    centre_mm = mass_properties(scene.slammer).centre_mm
    tops = np.cumsum([piece.thickness_mm for piece in scene.stack])
    middles = tops - [piece.thickness_mm / 2 for piece in scene.stack]
    pieces = len(scene.stack) + 1
    way = np.append(np.zeros(pieces - 1), x_mm + math.sin(angle) * centre_mm)
    height = np.append(middles, z_mm - math.cos(angle) * centre_mm)
    angles = np.append(np.full(pieces - 1, np.pi), angle)
    top = np.zeros((pieces, 2))
    top[-1] = throw.aim_x_mm, throw.aim_y_mm
    low = throw.tilt_azimuth_rad - math.pi / 2
    headings = np.broadcast_to(np.array([math.cos(low), math.sin(low)]), top.shape)
    tilts = np.append(np.full(pieces - 1, np.pi), -throw.tilt_rad)
    return Moment(
        time_s=0.0,
        at_end=False,
        way_mm=way,
        height_mm=height,
        side_rad=angles,
        top_mm=top,
        angle_rad=tilts,
        headings=headings,
        reach_mm=np.array([float(np.abs(way).max()), float(height.max())]),
        corners=tuple((np.zeros(1), place[np.newaxis]) for place in top),
    )
