"""A throw set up with the mouse."""

from collections.abc import Callable, Sequence

import pygame
from pygame.event import Event

from physics import PieceChance, Throw
from render.canvas import write
from render.palette import Palette
from render.slams.topview import top_projection
from render.slamwindow.aimpicture import AIM_CAMERA, draw_aim
from render.slamwindow.boxes import Boxes, boxes_of
from render.slamwindow.hand import (
    SETTINGS,
    Hand,
    Setting,
    aimed_at,
    is_knock_out,
    scene_of,
    set_to,
    throw_of,
)
from render.viewer import Button, Controls, Shortcut, Size, Slider, Widget, cut, row
from sim.odds import Study

_LEFT = 1
_NUDGE_MM = 1.0


class Aiming:
    """A view in which a person sets up a throw.

    Attributes:
        hand: The throw.
    """

    title = "Throw it yourself - pucklab"

    def __init__(
        self,
        study: Study,
        hand: Hand,
        *,
        throw: Callable[[Hand], object],
        leave: Callable[[], object],
    ) -> None:
        """Set up a throw.

        Args:
            study: What is thrown at what, but for what the hand sets.
            hand: The throw at first.
            throw: Throws.
            leave: Goes back to the slams.
        """
        self.hand = hand
        self._study = study
        self._throw = throw
        self._leave = leave
        self._controls = Controls()
        self._held = False

    @property
    def shortcuts(self) -> Sequence[Shortcut]:
        """Its keys."""

        def nudge(x: float, y: float) -> Callable[[], None]:
            return lambda: self.aim(self.hand.aim_x_mm + x, self.hand.aim_y_mm + y)

        return (
            Shortcut(keys=("space", "return"), does="throw", action=self.throw),
            Shortcut(keys=("right",), does="aim 1 mm to the right", action=nudge(_NUDGE_MM, 0.0)),
            Shortcut(keys=("left",), does="aim 1 mm to the left", action=nudge(-_NUDGE_MM, 0.0)),
            Shortcut(keys=("up",), does="aim 1 mm up", action=nudge(0.0, _NUDGE_MM)),
            Shortcut(keys=("down",), does="aim 1 mm down", action=nudge(0.0, -_NUDGE_MM)),
            Shortcut(keys=("0",), does="aim at the middle", action=lambda: self.aim(0.0, 0.0)),
            Shortcut(keys=("t", "escape"), does="back to the slams", action=self._leave),
        )

    def handle(self, event: Event, size: Size) -> bool:
        """Take a mouse event: on the view from above it aims, and releasing it throws."""
        boxes = boxes_of(size)
        if self._controls.handle(event, self.widgets(boxes)):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT:
            self._held = boxes.top.collidepoint(event.pos)
            return self._held
        if event.type == pygame.MOUSEMOTION and (self._held or boxes.top.collidepoint(event.pos)):
            self._aim_at(event.pos, boxes)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT and self._held:
            self._held = False
            self._aim_at(event.pos, boxes)
            self.throw()
            return True
        return False

    def advance(self, elapsed_s: float) -> bool:  # noqa: ARG002
        """Let time pass: nothing moves before it is thrown."""
        return False

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        boxes = boxes_of(surface.get_size())
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
            "Set the throw below, aim with the mouse in the view from above, click to throw.",
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
        """Return a slider for each number of the hand, and the buttons."""
        words = boxes.words_px
        lower, _ = cut(boxes.status.union(boxes.scrub), "bottom", 2.5 * words)
        settings = [
            setting
            for setting in SETTINGS
            if setting.name != "pucks" or not is_knock_out(self._study.scene)
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
            Button(box=throw, label="Throw", action=self.throw, on=True),
            Button(box=back, label="Back", action=self._leave),
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
