"""A throw set up by hand: its settings, the view to aim it in, and the throws made so.

`Aiming` is the view: sliders set the numbers of a `HandThrow`, the mouse aims it, and a click or a
flick throws. `ready_moment` is the moment before the impact that is drawn, `Repeats` has the odds
of the throw, and `OwnThrows` keeps the slams and the score.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import groupby
from typing import NamedTuple, TypeVar

import numpy as np
import pygame
from pygame import Event, Rect, Surface

from physics import (
    MAX_STACK,
    Scene,
    Slammer,
    Throw,
    ThrowDistribution,
    draw_throw,
    puck_stack,
    puckdex_slammer,
    trial_generator,
)
from physics.arrays import Floats
from physics.facts import fact
from physics.poses import turned_in_plane
from render.canvas import Shape, draw_shapes, write
from render.palette import Palette
from render.slams.camera3d import Direction, Eye, framed
from render.slams.motion import Moment, still_moment
from render.slams.space import draw_space
from render.slams.top_view import Camera, draw_top_view, top_projection
from render.slamwindow.ghosts import Watched, engine_text, thrown
from render.slamwindow.picture import Boxes, boxes_of
from render.viewer import Command, Controls, Size, Slider, Widget, command_button, cut, row
from render.viewer.processes import NewsProcess
from sim.hand_throw import MAX_AIM_MM, AimedThrow, throw_of
from sim.odds import Study, Tally, odds_of
from sim.odds.study import tallies_again, throw_again

AIM_CAMERA = Camera(zoom=2.6)
"""Camera of the top view while a throw is aimed."""

_DIRECTION = Direction(azimuth_rad=-math.pi / 2, elevation_rad=math.radians(14.0))
"""From where a throw is seen while it is aimed, with x to the right."""

_ARROW_S = 0.005
"""Length of the arrow that shows the speed, divided by the speed."""

_WAY_S = 0.003
"""Length of the arrow from above, divided by the speed."""

_FLICK_S, _FRAME_S = 0.12, 1 / 60
"""Time before the release over which a flick is measured, and the shortest time it takes."""

_SCATTER_DOTS = 40
"""Throws whose places of arrival are shown."""

WHEEL_DEG = 2.0
"""Change of the tilt for one notch of the wheel."""

MANY = 1000
"""Throws of the odds of a throw by hand."""

_NUDGES = (
    ("right", "to the right", 1.0, 0.0),
    ("left", "to the left", -1.0, 0.0),
    ("up", "up", 0.0, 1.0),
    ("down", "down", 0.0, -1.0),
)
"""Arrow keys, and how they move the aim, in mm."""

_HINT = (
    "Aim in the top view and click; or press there and flick: the mouse gives speed and direction. "
    "The wheel tilts."
)

_LEFT_BUTTON = 1


@fact
class HandThrow(AimedThrow):
    """A throw set up by hand, with what is thrown at what; `SETTINGS` has the ranges."""

    slammer_g: float = 8.0
    pucks: int = 10  # in the stack; ignored in a knock-out
    scatter_mm: float = 0.0  # standard deviation of the aim on each axis


class Setting(NamedTuple):
    """A number of a throw by hand, as a slider shows it."""

    name: str  # field of `HandThrow`
    label: str
    low: float
    high: float
    step: float  # values are multiples of it
    unit: str  # written after the value


Aimed = TypeVar("Aimed", bound=AimedThrow)

SETTINGS = (
    Setting("slammer_g", "slammer", 2, 24, 1, " g"),
    Setting("pucks", "pucks", 1, MAX_STACK, 1, ""),
    Setting("scatter_mm", "scatter", 0, 30, 1, " mm"),
    Setting("speed_m_s", "speed", 0.5, 10, 0.1, " m/s"),
    Setting("direction_deg", "direction", -180, 180, 5, "°"),
    Setting("descent_deg", "descent", 0, 75, 1, "°"),
    Setting("tilt_deg", "tilt", 0, 60, 1, "°"),
    Setting("tilt_to_deg", "tilted towards", -180, 180, 5, "°"),
)


def setting_of(name: str) -> Setting:
    """Return the setting of a field of `HandThrow`."""
    return next(setting for setting in SETTINGS if setting.name == name)


def setting_slider(
    setting: Setting, hand: AimedThrow, box: Rect, changed: Callable[[float], object]
) -> Slider:
    """Return the slider of a setting of a throw."""
    value = float(getattr(hand, setting.name))
    return Slider(
        box=box,
        label=setting.label,
        shown=f"{value:g}{setting.unit}",
        value=value,
        low=setting.low,
        high=setting.high,
        changed=changed,
    )


def hand_for(study: Study) -> HandThrow:
    """Return a throw at the middle like those of the thrower of a study, as steady as they are."""
    thrower, scene = study.thrower, study.scene
    return HandThrow(
        speed_m_s=thrower.speed_mm_s / 1000,
        descent_deg=(thrower.descent_min_deg + thrower.descent_max_deg) / 2,
        slammer_g=scene.slammer.mass_g,
        pucks=len(scene.stack),
        direction_deg=thrower.direction_deg,
        scatter_mm=min(round(thrower.aim_sd_mm, 1), 30.0),
    )


def set_to(hand: Aimed, setting: Setting, value: float) -> Aimed:
    """Return a throw with one number set, rounded to its step and limited to its range."""
    number = round(value / setting.step) * setting.step
    number = min(max(number, setting.low), setting.high)
    if setting.name == "pucks":
        return replace(hand, **{setting.name: int(number)})
    return replace(hand, **{setting.name: round(number, 3)})


def aimed_at(hand: Aimed, x_mm: float, y_mm: float) -> Aimed:
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


def study_of(hand: HandThrow, study: Study) -> Study:
    """Return a study with the scene and the scatter of a throw by hand."""
    thrower = replace(study.thrower, aim_sd_mm=hand.scatter_mm)
    return replace(study, scene=scene_of(hand, study), thrower=thrower)


def flicked(
    hand: Aimed,
    trail: Sequence[tuple[float, float, float]],
    height_px: int,
    up_deg: float = 90.0,
) -> Aimed:
    """Return a throw with the speed and the direction of the mouse.

    A flick through the height of the view in a second is a throw of 1 m/s. A mouse that is slower
    than the slowest throw, such as that of a click, changes nothing.

    Args:
        hand: The throw.
        trail: Times in s, and places of the mouse in pixels, in order.
        height_px: Height of the view.
        up_deg: Direction of a throw for a flick straight up, counter-clockwise from +x.

    Example:
        >>> hand = flicked(HandThrow(), [(0.0, 100.0, 100.0), (0.05, 220.0, 100.0)], 400)
        >>> hand.speed_m_s, hand.direction_deg
        (6.0, 0.0)
    """
    speed_m_s, turned_deg = flick_of(trail, height_px)
    if speed_m_s < setting_of("speed_m_s").low:
        return hand
    hand = set_to(hand, setting_of("speed_m_s"), speed_m_s)
    direction_deg = 180 - (90 - turned_deg - up_deg + 180) % 360  # above -180, up to 180
    return replace(hand, direction_deg=round(direction_deg, 1))


def flick_of(trail: Sequence[tuple[float, float, float]], height_px: int) -> tuple[float, float]:
    """Return the speed of a flick in m/s, and its angle on the screen in degrees, 90 for up."""
    recent = [point for point in trail if point[0] >= trail[-1][0] - _FLICK_S] if trail else []
    if len(recent) < 2:
        return 0.0, 90.0
    (begin_s, begin_x, begin_y), (end_s, end_x, end_y) = recent[0], recent[-1]
    across, up = end_x - begin_x, begin_y - end_y
    speed_m_s = math.hypot(across, up) / height_px / max(end_s - begin_s, _FRAME_S)
    return speed_m_s, math.degrees(math.atan2(up, across))


def ready_moment(scene: Scene, throw: Throw) -> Moment:
    """Return the moment at which the slammer, over its aim, reaches the height of the stack."""
    moment = still_moment(scene)
    top_mm = sum(piece.thickness_mm for piece in scene.stack)
    tilt, half_mm = throw.tilt_rad, moment.half_mm[-1]
    # Half the height of a tilted disc: R sin(tilt) + half cos(tilt).
    low_mm = moment.radius_mm[-1] * math.sin(tilt) + half_mm * math.cos(tilt)
    moment.centre_mm[-1] = throw.aim_x_mm, throw.aim_y_mm, top_mm + low_mm
    low = throw.tilt_azimuth_rad - math.pi / 2
    moment.orientation[-1] = turned_in_plane(np.array([-tilt]), np.array([low]))[0]
    return moment


def draw_aim(
    surface: Surface,
    boxes: Boxes,
    scene: Scene,
    throw: Throw,
    scattered_mm: Floats,
    palette: Palette,
) -> None:
    """Draw a throw that is being set up: the slammer over the stack, with its direction and aim.

    Args:
        surface: The window.
        boxes: Its layout.
        scene: The scene.
        throw: The throw.
        scattered_mm: Places at which such throws arrive; shape (N, 2).
        palette: The colours.
    """
    moment = ready_moment(scene, throw)
    space, top = surface.subsurface(boxes.space), surface.subsurface(boxes.top)
    way = way_mm(throw, moment)
    camera = framed(
        _DIRECTION,
        np.concatenate((moment.centre_mm, way)),
        space.get_width() / space.get_height(),
        1.5 * float(moment.radius_mm.max()),
    )
    draw_space(space, scene, moment, None, palette, camera)
    draw_arrow_in_space(space, Eye(camera, space.get_size()), way, palette)
    draw_top_view(top, scene, moment, camera=AIM_CAMERA, palette=palette)
    from_above = top_projection(top.get_size(), scene, AIM_CAMERA)
    radius_px, dot_px = from_above.scale * scene.slammer.diameter_mm / 2, 0.7 * from_above.scale
    aim = from_above.points(np.array([throw.aim_x_mm, throw.aim_y_mm]))
    _draw_cross(top, aim, 1.08 * radius_px, palette)
    for x, y in from_above.at(scattered_mm):
        pygame.draw.circle(top, palette.flipped, (x, y), max(round(dot_px), 2))
    # Back from the slammer's rim, along the throw; in the picture, y grows downwards.
    back = np.array(throw.heading) * (-1.0, 1.0)
    long_px = _WAY_S * throw.speed_mm_s * from_above.scale
    _draw_outline(top, aim + 1.15 * radius_px * back, back, long_px, palette)
    size_px = round(0.9 * boxes.words_px)
    place, room = (size_px, top.get_height() - size_px), top.get_width() - 2 * size_px
    words = "click, or press and flick, to throw here; dots: where such throws arrive"
    write(top, words, place, size_px, palette.text, width_px=room)


def way_mm(throw: Throw, moment: Moment) -> Floats:
    """Return tip and tail of an arrow along the slammer's path, as long as its speed is large."""
    across = math.sin(throw.descent_rad)
    x, y = throw.heading
    back = np.array([-across * x, -across * y, math.cos(throw.descent_rad)])
    lengths = np.array([[8.0], [14.0 + _ARROW_S * throw.speed_mm_s]])
    way: Floats = moment.centre_mm[-1] + lengths * back
    return way


def draw_arrow_in_space(surface: Surface, eye: Eye, way_mm: Floats, palette: Palette) -> None:
    """Draw an arrow in space, turned towards the eye."""
    tip, tail = eye.pixels(way_mm)
    long_px = float(np.hypot(*(tail - tip)))
    if long_px > 1:
        _draw_outline(surface, tip, (tail - tip) / long_px, long_px, palette)


def _draw_outline(
    surface: Surface,
    tip: Floats,
    back: Floats,
    long_px: float,
    palette: Palette,
) -> None:
    """Draw an arrow by its tip, the unit vector back from it, and its length."""
    aside = np.array([back[1], -back[0]])
    wide = 0.06 * min(surface.get_size())
    outline = ((0.0, 0.0), (wide, 0.5 * wide), (wide, 0.16 * wide), (wide + long_px, 0.16 * wide))
    outline += tuple((along, -across) for along, across in reversed(outline[1:]))
    corners = np.array([tip + along * back + across * aside for along, across in outline])
    draw_shapes(surface, [Shape(colour=palette.accent, points=corners)])


def _draw_cross(surface: Surface, middle: Floats, rim_px: float, palette: Palette) -> None:
    """Draw a cross of lines through the aim, except under the slammer."""
    (x, y), (width, height) = middle.tolist(), surface.get_size()
    for begin, end in (
        ((0.0, y), (x - rim_px, y)),
        ((x + rim_px, y), (width, y)),
        ((x, 0.0), (x, y - rim_px)),
        ((x, y + rim_px), (x, height)),
    ):
        pygame.draw.line(surface, palette.accent, begin, end)


def draw_histogram(surface: Surface, tally: Tally, words: int, palette: Palette) -> None:
    """Draw how often each number of pucks flips: a column for each, with its share of throws."""
    last = max(flips for flips, count in enumerate(tally.flips) if count)
    wide, high = 2.6 * words, 5.0 * words
    for flips, count in enumerate(tally.flips[: last + 1]):
        share, x = count / tally.trials, words + wide * flips
        top = 2.2 * words + high * (1 - share / (max(tally.flips) / tally.trials))
        box = Rect(x, top, 0.8 * wide, 2.2 * words + high - top)
        pygame.draw.rect(surface, palette.flipped, box)
        for text, y in ((f"{share:.0%}", top - 0.7 * words), (f"{flips}", 2.9 * words + high)):
            place, size_px = (box.centerx, y), round(0.8 * words)
            write(surface, text, place, size_px, palette.text, align="centre")
    below = (words, 4.0 * words + high)
    write(surface, "pucks flipped", below, round(0.8 * words), palette.faint)


class Repeats(NewsProcess):
    """A throw made a thousand times in a process of its own.

    Attributes:
        tally: The tally so far; None before the first news.
    """

    def __init__(self, study: Study, throw: Throw, seed: int, trials: int) -> None:
        """Begin.

        Args:
            study: Scene, engine, and the thrower with the scatter.
            throw: The throw.
            seed: Seed of the chance.
            trials: Throws to make.
        """
        super().__init__(tallies_again, study, throw, seed, trials)
        self.tally: Tally | None = None
        self._engine, self._trials = study.engine, trials

    def advance(self) -> bool:
        """Take the news; return True if there was any."""
        was_over, news = self.is_over, self.news()
        self.tally = news if isinstance(news, Tally) else self.tally
        return news is not None or self.is_over != was_over

    @property
    def text(self) -> str:
        """The odds so far in a line, with the number of throws and the engine."""
        tally = self.tally
        if tally is None:
            return (
                "no throw could be made" if self.is_over else f"throwing {self._trials:,} times ..."
            )
        odds = odds_of(tally)
        flips, some = odds.flips, odds.any_flip
        error = "" if math.isnan(flips.standard_error) else f" ± {flips.standard_error:.2f}"
        return (
            f"{tally.trials:,} of {self._trials:,} throws like this: {flips.value:.2f}{error} "
            f"flips, some in {some.value:.0%} ({100 * some.low:.0f}-{100 * some.high:.0f} %), "
            f"{odds.outs.value:.2f} out, {self._engine} engine"
        )


class Aiming:
    """The view in which a throw is set up by hand.

    Attributes:
        hand: The throw.
        repeats: The odds of the throw, if they were asked for.
    """

    title = "Throw it yourself - pucklab"

    def __init__(
        self,
        study: Study,
        hand: HandThrow,
        *,
        own: "OwnThrows",
        throw: Callable[[HandThrow], object],
        leave: Callable[[], object],
    ) -> None:
        """Set up a throw.

        Args:
            study: Scene and thrower, except for the settings of the throw.
            hand: The throw to begin with.
            own: The throws made so far.
            throw: Function that throws.
            leave: Function that returns to the slams.
        """
        self.hand = hand
        self.repeats: Repeats | None = None
        self._study, self._own = study, own
        self._throw, self._leave = throw, leave
        many = f"{MANY:,} times"
        self._buttons = (
            Command(("space", "return"), "throw", self.throw, label="Throw", on=True),
            Command(("o",), f"odds of this throw: make it {many}", self.repeat, label=many),
            Command(("t", "escape"), "back to the slams", self.leave, label="Back"),
        )
        self._controls = Controls()
        self._trail: list[tuple[float, float, float]] = []
        self._time_s, self._held = 0.0, False

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands."""
        hand, own = self.hand, self._own
        *first, leave = self._buttons
        nudges = [
            Command(
                (key,), f"aim 1 mm {way}", partial(self.aim, hand.aim_x_mm + x, hand.aim_y_mm + y)
            )
            for key, way, x, y in _NUDGES
        ]
        return (
            *first,
            *nudges,
            Command(("0",), "aim at the middle", partial(self.aim, 0.0, 0.0)),
            Command(("c",), "keep a score, or not", own.switch_score, on=own.keeps_score),
            leave,
        )

    def handle(self, event: Event, size: Size) -> bool:
        """Handle the mouse: it aims in the top view, a click or a flick throws, the wheel tilts.

        A throw goes where the button was pressed.
        """
        boxes = boxes_of(size, is_aiming=True)
        if self._controls.handle(event, self.widgets(boxes)):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT_BUTTON:
            self._held = boxes.top.collidepoint(event.pos)
            self._trail = [(self._time_s, *event.pos)]
            if self._held:
                self._aim_at(event.pos, boxes)
            return self._held
        if event.type == pygame.MOUSEMOTION and self._held:
            self._trail.append((self._time_s, *event.pos))
            return True
        if event.type == pygame.MOUSEMOTION and boxes.top.collidepoint(event.pos):
            self._aim_at(event.pos, boxes)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT_BUTTON and self._held:
            self._held = False
            self._trail.append((self._time_s, *event.pos))
            self._set(flicked(self.hand, self._trail, boxes.top.height))
            self.throw()
            return True
        if event.type == pygame.MOUSEWHEEL and event.y:
            self._change(setting_of("tilt_deg"), self.hand.tilt_deg + WHEEL_DEG * event.y)
            return True
        return False

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass: nothing moves before the throw, but odds may come in."""
        self._time_s += elapsed_s
        return self.repeats is not None and self.repeats.advance()

    def draw(self, surface: Surface, palette: Palette) -> None:
        """Draw the whole view."""
        boxes = boxes_of(surface.get_size(), is_aiming=True)
        words = boxes.words_px
        surface.fill(palette.background)
        x, y = boxes.header.topleft
        large, first, room = round(1.5 * words), y + 0.9 * words, boxes.header.width
        used = words + write(surface, "Throw it yourself", (x, first), large, palette.text)
        engine, place = f"{self._study.engine} engine", (x + used, y + 1.05 * words)
        left = room - used - write(surface, engine, place, words, palette.faint) - words
        place, score = (boxes.header.right, first), self._own.score_text
        write(surface, score, place, words, palette.accent, align="right", width_px=left)
        hint, colour = _HINT, palette.faint
        if self.repeats is not None:
            hint, colour = self.repeats.text, palette.text
        write(surface, hint, (x, y + 2.35 * words), words, colour, width_px=room)
        scene = scene_of(self.hand, self._study)
        throw = throw_of(self._hand_shown(boxes))
        draw_aim(surface, boxes, scene, throw, self._own.places_mm(self.hand), palette)
        self._controls.draw(surface, self.widgets(boxes), palette)
        if self.repeats is not None and self.repeats.tally is not None:
            draw_histogram(surface.subsurface(boxes.space), self.repeats.tally, words, palette)

    def repeat(self) -> None:
        """Make the throw a thousand times in the background, for its odds."""
        self.stop()
        study = study_of(self.hand, self._study)
        throw = throw_of(self.hand)
        self.repeats = Repeats(study, throw, self._own.seed, MANY)

    def stop(self) -> None:
        """End what goes on in the background."""
        if self.repeats is not None:
            self.repeats.stop()

    def leave(self) -> None:
        """Go back to the slams."""
        self.stop()
        self._leave()

    def _hand_shown(self, boxes: Boxes) -> HandThrow:
        """Return the throw as it would be if a mouse that is held were released now."""
        if not self._held:
            return self.hand
        return flicked(self.hand, self._trail, boxes.top.height)

    def _set(self, hand: HandThrow) -> None:
        """Set the throw; odds of another are dropped."""
        if hand != self.hand:
            self.stop()
            self.repeats = None
        self.hand = hand

    def throw(self) -> None:
        """Throw."""
        self.stop()
        self._throw(self.hand)

    def aim(self, x_mm: float, y_mm: float) -> None:
        """Aim at a place."""
        self._set(aimed_at(self.hand, x_mm, y_mm))

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
            setting_slider(setting, self.hand, box, partial(self._change, setting))
            for setting, box in zip(settings, row(lower, [width] * len(settings), gap), strict=True)
        ]
        places = row(boxes.buttons, [8.0 * words] * 3, 0.4 * words)
        return [*sliders, *map(command_button, places, self._buttons)]

    def _change(self, setting: Setting, value: float) -> None:
        self._set(set_to(self.hand, setting, value))


class OwnThrows:
    """The throws made by hand, in order.

    Attributes:
        throws: The throws so far.
        seed: Seed of the chance in the throws.
        keeps_score: True if the score is shown.
    """

    names = ("",)

    def __init__(self, study: Study, seed: int) -> None:
        """Keep throws by hand.

        Args:
            study: Scene, engine and thrower, except for the settings of the throws.
            seed: Seed of the chance in the throws.
        """
        self._study = study
        self.seed, self.keeps_score = seed, False
        self.throws: list[Watched] = []

    @property
    def length(self) -> int:
        """Number of throws."""
        return len(self.throws)

    def watched(self, index: int, slammer: int) -> Watched:  # noqa: ARG002
        """Return a throw by its number."""
        return self.throws[index]

    def throw(self, hand: HandThrow) -> Watched:
        """Throw, with the scatter of the hand and the chance of a trial."""
        study, number = study_of(hand, self._study), len(self.throws)
        throw = throw_again(throw_of(hand), study.throw(self.seed, number))
        own = Watched(
            name=f"{hand.slammer_g:g} g",
            origin=f"your throw {number + 1}{engine_text(study.engine)}",
            file_stem=f"throw-{number + 1}",
            replay=thrown(study.scene, throw, study.engine),
        )
        self.throws.append(own)
        return own

    def places_mm(self, hand: HandThrow) -> Floats:
        """Return places at which throws of a hand arrive; shape (N, 2)."""
        unit = _unit_scatter(self.seed, _SCATTER_DOTS)
        return np.array([hand.aim_x_mm, hand.aim_y_mm]) + hand.scatter_mm * unit

    def switch_score(self) -> None:
        """Show the score, or hide it."""
        self.keeps_score = not self.keeps_score

    @property
    def score_text(self) -> str:
        """Pucks flipped so far, and throws in a row that flip some; empty unless it is kept."""
        if not self.keeps_score:
            return ""
        flips = [len(watched.replay.outcome.flipped) for watched in self.throws]
        streaks = [len(list(run)) for some, run in groupby(flips, key=bool) if some]
        now = streaks[-1] if flips and flips[-1] else 0
        throws = f"{len(flips)} throw{'' if len(flips) == 1 else 's'}"
        best = max(streaks, default=0)
        return f"score {sum(flips)} in {throws}, streak {now}, longest {best}"


@lru_cache(maxsize=4)
def _unit_scatter(seed: int, throws: int) -> Floats:
    """Return the aims of the first trials of a seed for a scatter of 1 mm; shape (N, 2)."""
    thrower = ThrowDistribution(aim_sd_mm=1.0)
    drawn = [draw_throw(thrower, 1, trial_generator(seed, trial)) for trial in range(throws)]
    return np.array([(throw.aim_x_mm, throw.aim_y_mm) for throw in drawn])
