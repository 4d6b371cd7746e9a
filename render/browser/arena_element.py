"""The Lab's arena in a page of a table: stacks, flicks, and throws that each page computes itself.

A throw reaches the pages as a line of text; each computes the slam of it, bit for bit as the server
has done, whose outcome counts. Slams of the plane carry their motion.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import degrees, hypot, isfinite
from typing import Any

from fastapi.responses import Response
from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from pucklab.physics import Scene, Throw
from pucklab.physics.slam_line import SlamSetup
from pucklab.render.browser.frame import prefix_now
from pucklab.render.web.lab import arena_html, arena_script
from pucklab.sim.scene.hand_throw import MAX_AIM_MM, Flick

_MOST = 1e6
"""Largest number that a page may tell."""


@lru_cache(maxsize=1)
def _script() -> str:
    return f"export {arena_script()}"


def answer_arena() -> Response:
    """Answer with the script of the arena, whose address has its digest."""
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(_script(), media_type="text/javascript", headers=headers)


class ArenaElement(Element, component="web/arena_element.js"):
    """An arena; ``on_flick`` takes flicks, ``on_landed`` the number of a throw that was shown."""

    def __init__(
        self, on_flick: Callable[[Flick, int], Any], on_landed: Callable[[int], Any]
    ) -> None:
        super().__init__()
        digest = hashlib.sha256(_script().encode()).hexdigest()[:16]
        self._props["address"] = f"{prefix_now()}/arena.js?{digest}"
        self._props["html"] = f'{arena_html()}<p id="trouble" role="alert"></p>'
        self._on_flick, self._on_landed = on_flick, on_landed
        self.on("flick", self._take_flick)
        self.on("landed", self._take_landing)

    def show_stack(
        self, scene: Scene, throw: Throw, faces: Sequence[str] = (), *, aims: bool, step: int = 0
    ) -> None:
        """Show a stack with the slammer over it; with ``aims`` flicks at this step are taken."""
        line = SlamSetup(scene=scene, throw=throw).line
        stack = {"line": line, "faces": faces, "aims": aims, "step": step}
        self.run_method("send", {"stack": stack})

    def play(self, number: int, title: str, shown: Mapping[str, Any], words: Sequence[str]) -> None:
        """Play a slam of `compute_slam`, by a number that the page tells when it was shown.

        Args:
            number: That number.
            title: What stands over it while it runs.
            shown: The slam.
            words: What it came to, and what is rare about that; told at its end.
        """
        slam = {**shown, "number": number, "title": title, "words": words}
        self.run_method("send", {"slam": slam})

    def _take_flick(self, event: GenericEventArguments) -> None:
        numbers = _read(event, "step", "speed", "direction", "x", "y")
        if numbers is None:
            return
        step, speed, direction, x, y = numbers
        share = min(1.0, MAX_AIM_MM / max(hypot(x, y), 1e-9))
        flick = Flick(
            speed_m_s=round(min(max(speed, 0.5), 10.0), 2),
            direction_deg=round((degrees(direction) + 180) % 360 - 180, 1),
            aim_x_mm=share * x,
            aim_y_mm=share * y,
        )
        self._on_flick(flick, int(step))

    def _take_landing(self, event: GenericEventArguments) -> None:
        if (numbers := _read(event, "step")) is not None:
            self._on_landed(int(numbers[0]))


def _read(event: GenericEventArguments, *names: str) -> list[float] | None:
    """Return numbers that a page tells; None, and a word to it, if it tells no such."""
    try:
        numbers = [float(event.args[name]) for name in names]
    except (KeyError, TypeError, ValueError):
        numbers = [float("nan")]
    if all(isfinite(number) and abs(number) <= _MOST for number in numbers):
        return numbers
    ui.notify("Your page told something that the table does not understand: reload the page.")
    return None
