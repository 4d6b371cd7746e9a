"""A throw set up by hand: its settings, the view to aim it in, and the throws made so.

`Aiming` is the view: sliders set the numbers of a `HandThrow`, the mouse aims it, and a click
throws. `throw_of` makes the `Throw` of it, `ready_moment` the moment before the impact that is
drawn, and `OwnThrows` keeps the slams.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pygame
from pygame.event import Event

from physics import (
    MAX_STACK,
    PieceChance,
    Scene,
    Slammer,
    Throw,
    draw_throw,
    mass_properties,
    puck_stack,
    puckdex_slammer,
    trial_generator,
)
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.impact import arriving_state, project
from render.canvas import Shape, draw_shapes, write
from render.palette import Palette
from render.slams.geometry import Camera, Projection
from render.slams.motion import Moment
from render.slams.side_view import draw_side_view, side_height_px, side_projection
from render.slams.top_view import draw_top_view, top_projection
from render.slamwindow.ghosts import Watched, engine_text, thrown
from render.slamwindow.picture import Boxes, boxes_of
from render.viewer import Command, Controls, Size, Slider, Widget, command_button, cut, row
from sim.odds import Study

MAX_AIM_MM = 60.0
"""Largest distance between aim and centre: far enough to miss."""

AIM_CAMERA = Camera(zoom=2.6)
"""Camera of the top view while a throw is aimed."""

_ARROW_S = 0.005
"""Length of the arrow that shows the speed, divided by the speed."""

_NUDGE_MM = 1.0
"""Distance that an arrow key moves the aim."""

_LEFT_BUTTON = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HandThrow:
    """A throw set up by hand.

    Attributes:
        aim_x_mm: Place at which the slammer's centre reaches the height of the stack, x.
        aim_y_mm: The same, y.
        speed_m_s: Speed, 0.5 to 10 m/s.
        tilt_deg: Angle between slammer and floor, 0 to 60.
        tilt_to_deg: Direction of its low side: 0 away from the thrower, 90 to the left, -90 to the
            right.
        descent_deg: Angle between its path and the vertical, 0 to 75.
        slammer_g: Mass of the slammer, 2 to 24 g.
        pucks: Pucks in the stack, 1 to 29; ignored in a knock-out.
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
    """A number of a throw by hand, as a slider shows it.

    Attributes:
        name: Field of `HandThrow`.
        label: Name on the slider.
        low: Smallest value.
        high: Largest value.
        step: Values are multiples of it.
        unit: Unit, as it is written after the value.
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


def hand_for(study: Study) -> HandThrow:
    """Return a throw at the middle like those of the thrower of a study."""
    thrower, scene = study.thrower, study.scene
    return HandThrow(
        speed_m_s=thrower.speed_mm_s / 1000,
        descent_deg=(thrower.descent_min_deg + thrower.descent_max_deg) / 2,
        slammer_g=scene.slammer.mass_g,
        pucks=len(scene.stack),
    )


def set_to(hand: HandThrow, setting: Setting, value: float) -> HandThrow:
    """Return a throw with one number set, rounded to its step and limited to its range."""
    number = round(value / setting.step) * setting.step
    number = min(max(number, setting.low), setting.high)
    if setting.name == "pucks":
        return replace(hand, pucks=int(number))
    return replace(hand, **{setting.name: round(number, 3)})  # type: ignore[arg-type]


def aimed_at(hand: HandThrow, x_mm: float, y_mm: float) -> HandThrow:
    """Return a throw aimed at a place, at most `MAX_AIM_MM` from the centre."""
    share = min(1.0, MAX_AIM_MM / max(math.hypot(x_mm, y_mm), 1e-9))
    return replace(hand, aim_x_mm=x_mm * share, aim_y_mm=y_mm * share)


def scene_of(hand: HandThrow, study: Study) -> Scene:
    """Return the scene of a study with the slammer and the stack of a throw by hand."""
    scene = study.scene
    slammer = scene.slammer
    if slammer.mass_g != hand.slammer_g:
        slammer = puckdex_slammer(hand.slammer_g, slammer.thickness_mm, unofficial=True)
    stack, lowest = scene.stack, scene.stack[0]
    if not isinstance(lowest, Slammer):
        stack = puck_stack(hand.pucks, lowest)
    return replace(scene, slammer=slammer, stack=stack)


def throw_of(hand: HandThrow, chance: Throw) -> Throw:
    """Return the throw that was set up by hand; everything else is as in ``chance``."""
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
    """Return the moment just before the slammer touches the stack."""
    # In the side view: the stack flat and face down, the slammer as the impact begins.
    plane = project(throw, (1.0, 0.0))
    x_mm, z_mm, angle, *_ = arriving_state(scene, plane)
    centre_mm = mass_properties(scene.slammer).centre_mm
    tops = np.cumsum([piece.thickness_mm for piece in scene.stack])
    middles = tops - [piece.thickness_mm / 2 for piece in scene.stack]
    pieces = len(scene.stack) + 1
    side_x = np.append(np.zeros(pieces - 1), x_mm + math.sin(angle) * centre_mm)
    height = np.append(middles, z_mm - math.cos(angle) * centre_mm)
    angles = np.append(np.full(pieces - 1, np.pi), angle)
    # From above: the slammer over its aim, its low side in the direction of the tilt.
    top = np.zeros((pieces, 2))
    top[-1] = throw.aim_x_mm, throw.aim_y_mm
    low = throw.tilt_azimuth_rad - math.pi / 2
    headings = np.broadcast_to(np.array([math.cos(low), math.sin(low)]), top.shape)
    tilts = np.append(np.full(pieces - 1, np.pi), -throw.tilt_rad)
    return Moment(
        time_s=0.0,
        at_end=False,
        side_x_mm=side_x,
        height_mm=height,
        side_rad=angles,
        top_mm=top,
        angle_rad=tilts,
        headings=headings,
        reach_mm=np.array([float(np.abs(side_x).max()), float(height.max())]),
        corners=tuple((np.zeros(1), place[np.newaxis]) for place in top),
    )


def draw_aim(
    surface: pygame.Surface,
    boxes: Boxes,
    scene: Scene,
    throw: Throw,
    palette: Palette,
) -> None:
    """Draw a throw that is being set up: the slammer over the stack, with its direction and aim."""
    moment = ready_moment(scene, throw)
    side, top = surface.subsurface(boxes.side), surface.subsurface(boxes.top)
    draw_side_view(side, scene, moment, palette=palette)
    air = side.subsurface((0, 0, side.get_width(), side_height_px(side.get_height())))
    to = side_projection(air.get_size(), scene, moment)
    _draw_arrow(air, to, throw, moment, palette)
    draw_top_view(top, scene, moment, camera=AIM_CAMERA, palette=palette)
    _draw_cross(top, top_projection(top.get_size(), scene, AIM_CAMERA), throw, palette)
    size_px = round(0.9 * boxes.words_px)
    place = (size_px, top.get_height() - size_px)
    write(top, "click to throw here", place, size_px=size_px, colour=palette.faint)


def _draw_arrow(
    surface: pygame.Surface, to: Projection, throw: Throw, moment: Moment, palette: Palette
) -> None:
    """Draw an arrow along the slammer's path, as long as its speed is large."""
    end = np.array([moment.side_x_mm[-1], moment.height_mm[-1]])
    back = np.array([-math.sin(throw.descent_rad), math.cos(throw.descent_rad)])
    aside = np.array([back[1], -back[0]])
    tip, tail = 8.0, 8.0 + _ARROW_S * throw.speed_mm_s
    outline = ((tip, 0.0), (tip + 4, 2.2), (tip + 4, 0.5), (tail, 0.5))
    outline += tuple((along, -across) for along, across in reversed(outline[1:]))
    corners = np.array([end + along * back + across * aside for along, across in outline])
    draw_shapes(surface, [Shape(colour=palette.accent, points=to.points(corners))])


def _draw_cross(surface: pygame.Surface, to: Projection, throw: Throw, palette: Palette) -> None:
    """Draw a cross of lines through the aim, except under the slammer."""
    ((x, y),) = to.at(np.array([[throw.aim_x_mm, throw.aim_y_mm]]))
    rim = 1.08 * PIECE_RADIUS_MM * to.scale
    width, height = surface.get_size()
    for begin, end in (
        ((0.0, y), (x - rim, y)),
        ((x + rim, y), (width, y)),
        ((x, 0.0), (x, y - rim)),
        ((x, y + rim), (x, height)),
    ):
        pygame.draw.line(surface, palette.accent, begin, end)


class Aiming:
    """The view in which a throw is set up by hand.

    Attributes:
        hand: The throw.
    """

    title = "Throw it yourself - pucklab"

    def __init__(
        self,
        study: Study,
        hand: HandThrow,
        *,
        throw: Callable[[HandThrow], object],
        leave: Callable[[], object],
    ) -> None:
        """Set up a throw.

        Args:
            study: Scene and thrower, except for the settings of the throw.
            hand: The throw to begin with.
            throw: Function that throws.
            leave: Function that returns to the slams.
        """
        self.hand = hand
        self._study = study
        self._throw = throw
        self._throw_command = Command(
            keys=("space", "return"), name="throw", action=self.throw, label="Throw", on=True
        )
        self._leave_command = Command(
            keys=("t", "escape"), name="back to the slams", action=leave, label="Back"
        )
        self._controls = Controls()
        self._held = False

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands."""

        def nudge(x: float, y: float) -> Callable[[], None]:
            return lambda: self.aim(self.hand.aim_x_mm + x, self.hand.aim_y_mm + y)

        return (
            self._throw_command,
            Command(keys=("right",), name="aim 1 mm to the right", action=nudge(_NUDGE_MM, 0.0)),
            Command(keys=("left",), name="aim 1 mm to the left", action=nudge(-_NUDGE_MM, 0.0)),
            Command(keys=("up",), name="aim 1 mm up", action=nudge(0.0, _NUDGE_MM)),
            Command(keys=("down",), name="aim 1 mm down", action=nudge(0.0, -_NUDGE_MM)),
            Command(keys=("0",), name="aim at the middle", action=lambda: self.aim(0.0, 0.0)),
            self._leave_command,
        )

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event: the mouse aims in the top view, and releasing the button throws."""
        boxes = boxes_of(size, is_aiming=True)
        if self._controls.handle(event, self.widgets(boxes)):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT_BUTTON:
            self._held = boxes.top.collidepoint(event.pos)
            return self._held
        if event.type == pygame.MOUSEMOTION and (self._held or boxes.top.collidepoint(event.pos)):
            self._aim_at(event.pos, boxes)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT_BUTTON and self._held:
            self._held = False
            self._aim_at(event.pos, boxes)
            self.throw()
            return True
        return False

    def advance(self, elapsed_s: float) -> bool:  # noqa: ARG002
        """Let time pass: nothing moves before the throw."""
        return False

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw the whole view."""
        boxes = boxes_of(surface.get_size(), is_aiming=True)
        words = boxes.words_px
        surface.fill(palette.background)
        x, y = boxes.header.topleft
        write(
            surface,
            "Throw it yourself",
            (x, y + 0.9 * words),
            size_px=round(1.5 * words),
            colour=palette.text,
        )
        write(
            surface,
            "Set the throw below, aim with the mouse in the top view, click to throw.",
            (x, y + 2.35 * words),
            size_px=words,
            colour=palette.faint,
            width_px=boxes.header.width,
        )
        scene = scene_of(self.hand, self._study)
        chance = Throw(speed_mm_s=1000.0, chances=(PieceChance(),) * len(scene.stack))
        draw_aim(surface, boxes, scene, throw_of(self.hand, chance), palette)
        self._controls.draw(surface, self.widgets(boxes), palette)

    def throw(self) -> None:
        """Throw."""
        self._throw(self.hand)

    def aim(self, x_mm: float, y_mm: float) -> None:
        """Aim at a place."""
        self.hand = aimed_at(self.hand, x_mm, y_mm)

    def _aim_at(self, pixel: tuple[int, int], boxes: Boxes) -> None:
        to = top_projection(boxes.top.size, self._study.scene, AIM_CAMERA)
        self.aim(*to.place((pixel[0] - boxes.top.left, pixel[1] - boxes.top.top)))

    def widgets(self, boxes: Boxes) -> list[Widget]:
        """Return a slider for each number of the throw, and the buttons."""
        words = boxes.words_px
        lower, _ = cut(boxes.status.union(boxes.scrub), "bottom", 2.5 * words)
        settings = [
            setting
            for setting in SETTINGS
            if setting.name != "pucks" or not self._study.scene.is_knock_out
        ]
        gap = 1.2 * words
        width = (lower.width - gap * (len(settings) - 1)) / len(settings)
        sliders = [
            self._slider(setting, box)
            for setting, box in zip(settings, row(lower, [width] * len(settings), gap), strict=True)
        ]
        throw, back = row(boxes.buttons, [8.0 * words, 8.0 * words], 0.4 * words)
        return [
            *sliders,
            command_button(throw, self._throw_command),
            command_button(back, self._leave_command),
        ]

    def _slider(self, setting: Setting, box: pygame.Rect) -> Slider:
        value = float(getattr(self.hand, setting.name))

        def change(chosen: float) -> None:
            self.hand = set_to(self.hand, setting, chosen)

        return Slider(
            box=box,
            label=setting.label,
            shown=f"{value:g}{setting.unit}",
            value=value,
            low=setting.low,
            high=setting.high,
            changed=change,
        )


class OwnThrows:
    """The throws made by hand, in order.

    Attributes:
        throws: The throws so far.
    """

    names = ("",)

    def __init__(self, study: Study, seed: int) -> None:
        """Keep throws by hand.

        Args:
            study: Scene, engine and thrower, except for the settings of the throws.
            seed: Seed of the chance in the throws.
        """
        self._study = study
        self._seed = seed
        self.throws: list[Watched] = []

    @property
    def length(self) -> int:
        """Number of throws."""
        return len(self.throws)

    def watched(self, index: int, slammer: int) -> Watched:  # noqa: ARG002
        """Return a throw by its number."""
        return self.throws[index]

    def throw(self, hand: HandThrow) -> Watched:
        """Throw; everything that is not set by hand is drawn as in a trial of a study."""
        scene = scene_of(hand, self._study)
        number = len(self.throws)
        chance = draw_throw(
            self._study.thrower, len(scene.stack), trial_generator(self._seed, number)
        )
        own = Watched(
            name=f"{hand.slammer_g:g} g",
            origin=f"your throw {number + 1}{engine_text(self._study.engine)}",
            file_stem=f"throw-{number + 1}",
            replay=thrown(scene, throw_of(hand, chance), self._study.engine),
        )
        self.throws.append(own)
        return own
