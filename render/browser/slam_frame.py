"""The player of slams in a page of the server: stacks, flicks, and slams as they come.

A slam is computed in a process of its own, and reaches the page by an address that can be cached.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from inspect import isawaitable
from math import degrees, hypot, isfinite
from typing import Any

import orjson
from fastapi import HTTPException
from fastapi.responses import HTMLResponse, Response
from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from pucklab.physics import (
    SampleRate,
    Scene,
    SlamOutcome,
    Throw,
    slam,
)
from pucklab.render.browser.frame import prefix_now
from pucklab.render.slams.player import Clip, LivePage, live_clip, live_stack
from pucklab.sim.scene.hand_throw import MAX_AIM_MM, AimedThrow, Flick, Setting
from pucklab.sim.scene.replay import replay_of

_MOST_KEPT = 400
"""Slams whose addresses are answered; the oldest ones go first."""

_SLAMS: OrderedDict[str, bytes] = OrderedDict()
_CACHED = {"Cache-Control": "private, max-age=86400, immutable"}


def compute_slam(
    scene: Scene, throw: Throw, engine: str, title: str, faces: Sequence[str] = ()
) -> tuple[SlamOutcome, bytes]:
    """Return the outcome of a slam, and the slam as data of a page."""
    result = slam(scene, throw, SampleRate(), engine)
    replay = replay_of(scene, throw, result)
    clip = Clip(title=title, slams=((title, replay),), faces=tuple(faces))
    return result.outcome, orjson.dumps(live_clip(clip))


def keep_slam(data: bytes) -> str:
    """Keep a slam, and return its address."""
    name = secrets.token_urlsafe(12)
    _SLAMS[name] = data
    if len(_SLAMS) > _MOST_KEPT:
        _SLAMS.popitem(last=False)
    return f"/slams/{name}"


def answer_slam(name: str) -> Response:
    """Answer with a slam."""
    if name not in _SLAMS:
        raise HTTPException(404)
    return Response(_SLAMS[name], media_type="application/json", headers=_CACHED)


def answer_player() -> HTMLResponse:
    """Answer with the player, which is the same for all slams of this version."""
    return HTMLResponse(_player_page(), headers=_CACHED)


@lru_cache(maxsize=1)
def _player_page() -> str:
    page = LivePage().html
    return page.replace("default-src 'none'", "default-src 'none'; connect-src 'self'")


def setting_sliders(
    settings: Iterable[Setting],
    hand: AimedThrow,
    changed: Callable[[Setting, ValueChangeEventArguments[float]], object],
) -> dict[str, ui.slider]:
    """Add a slider for each number of a throw, and return them by name."""

    def describe(setting: Setting, value: float | None) -> str:
        return f"{setting.label}: {value or 0:g}{setting.unit}"

    sliders = {}
    for setting in settings:
        with ui.column().classes("w-full gap-0"):
            label = ui.label()
            slider = ui.slider(
                min=setting.low, max=setting.high, step=setting.step,
                value=getattr(hand, setting.name), on_change=partial(changed, setting),
            ).props(f'aria-label="{setting.label}"').mark(setting.name)  # fmt: skip
            label.bind_text_from(slider, "value", partial(describe, setting))
        sliders[setting.name] = slider
    return sliders


class SlamFrame(Element, component="web/slam_frame.js"):
    """A player; ``on_flick`` takes flicks, ``on_landed`` the end of each slam."""

    def __init__(
        self, on_flick: Callable[[Flick], Any] | None, on_landed: Callable[[], Any] | None = None
    ) -> None:
        super().__init__()
        self._prefix = prefix_now()
        self._props["address"] = f"{self._prefix}/player"
        self._on_flick = on_flick
        self._step = 0  # what a flick at the stack shown would answer
        if on_flick is not None:
            self.on("flick", self._flick)
        if on_landed is not None:
            self.on("landed", lambda _: on_landed())

    def show_stack(
        self, scene: Scene, throw: Throw, faces: Sequence[str] = (), *, aims: bool, words: str = "",
        step: int = 0,
    ) -> None:  # fmt: skip
        """Show a stack with the slammer over it; with ``aims`` flicks at this step are taken."""
        stack = live_stack(scene, throw, faces)
        self._step = step
        self.run_method("send", {"stack": stack, "aims": aims, "words": words, "step": step})

    def set_tilt(self, tilt_deg: float) -> None:
        """Set the tilt of the next flick, which is shown while a person aims."""
        self.run_method("send", {"tilt": tilt_deg})

    def play(self, address: str) -> None:
        """Play a slam."""
        self.run_method("send", {"play": self._prefix + address})

    async def _flick(self, event: GenericEventArguments) -> None:
        facts = event.args
        try:
            numbers = [float(facts[name]) for name in ("speed", "direction", "x", "y")]
            if facts.get("step", 0) != self._step:
                ui.notify("the game has gone on from the step that your page shows")
                return
        except (KeyError, TypeError, ValueError):  # no page of ours sends such
            return
        if not all(map(isfinite, numbers)) or max(map(abs, numbers)) > 1e6:
            return
        speed, direction, x, y = numbers
        share = min(1.0, MAX_AIM_MM / max(hypot(x, y), 1e-9))
        way = (degrees(direction) + 180) % 360 - 180
        speed = min(max(speed, 0.5), 10.0)
        assert self._on_flick is not None
        answer = self._on_flick(
            Flick(
                speed_m_s=round(speed, 2),
                direction_deg=round(way, 1),
                aim_x_mm=share * x,
                aim_y_mm=share * y,
            )
        )
        if isawaitable(answer):
            await answer
