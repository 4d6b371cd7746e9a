"""The first page: a card for each thing to do, with a picture; and slams to watch."""

import secrets
import subprocess
import sys
from functools import partial

from fastapi import HTTPException
from fastapi.responses import Response
from nicegui import ui

from pucklab.physics import (
    SampleRate,
    Throw,
    ThrowDistribution,
    draw_throw,
    slam,
    trial_generator,
)
from pucklab.render.browser.frame import (
    Action,
    action_buttons,
    marker,
    page_frame,
    prefix_now,
    visitor_now,
)
from pucklab.render.browser.slam_frame import USUAL_SCENE, SlamFrame, compute_slam, keep_slam
from pucklab.render.browser.work import Viewers, compute
from pucklab.render.bumpers.svg import position_svg
from pucklab.render.slams.motion import moment_at, motion_of
from pucklab.render.slams.player import still_picture
from pucklab.sim.bumpers import parse_position

_SHOWN_S = 0.06
_PUZZLE, _SEEDS = "pb1:small:RPb7f5.RMe7.BPd7:-:R:-", 10**6
_CURVE = (
    '<svg viewBox="0 0 100 60" fill="none" stroke="currentColor" stroke-width="1.5">'
    '<path d="M8 4v50h88"/><path d="M12 46C30 14 40 8 54 9S84 14 94 20" stroke-width="3"/></svg>'
)


_PICTURE: list[bytes] = []


def slam_picture() -> bytes:
    """Return a moment of a slam as JPEG."""
    throw = Throw(speed_mm_s=5000.0, tilt_rad=0.2, descent_rad=0.25, aim_x_mm=4.0)
    recording = slam(USUAL_SCENE, throw, SampleRate()).recording
    assert recording is not None
    return still_picture(USUAL_SCENE, moment_at(motion_of(USUAL_SCENE, recording), _SHOWN_S), None)


async def answer_picture() -> Response:
    """Answer with a moment of a slam."""
    if not _PICTURE:
        data = await compute(Viewers(), slam_picture)
        if data is None:
            raise HTTPException(503)
        _PICTURE.append(data)
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(_PICTURE[0], media_type="image/jpeg", headers=headers)


def show_start() -> None:
    """Show a card for each thing to do."""
    board = position_svg(parse_position(_PUZZLE))
    image = f'<img src="{prefix_now()}/pictures/slam.jpg" alt="">'

    cards = (
        ("Watch", "See a slammer hit a stack of pucks.", image, "/watch"),
        ("Throw", "Throw by hand as often as you like.", image, "/throws/own"),
        ("Odds", "Ask which slammer flips more.", _CURVE, "/odds"),
        ("Battle", "Throw in turn against a rival, or a friend.", image, "/battles"),
        ("Puck Bumpers", "Play against the computer.", board, "/bumpers"),
        ("Puzzle of the day", "Solve it move by move.", board, "/puzzles/day"),
    )
    with page_frame("") as (stage, _), stage, ui.element("div").classes("pucklab-cards"):
        for name, line, picture, path in cards:
            run_card = partial(ui.navigate.to, path)
            with (
                ui.card().classes("cursor-pointer").on("click", run_card).mark(marker(name)) as card
            ):
                card.props(f'role=button tabindex=0 aria-label="{name}: {line}"')
                card.on("keydown.enter", run_card)
                ui.html(picture, sanitize=False).classes("pucklab-picture")
                ui.label(name).classes("text-lg")
                ui.label(line).classes("opacity-70")


async def show_slams() -> None:
    """Show one slam after another."""
    seed, number, viewers = secrets.randbelow(_SEEDS), 0, Viewers()

    async def show_next() -> None:
        nonlocal number
        rng = trial_generator(seed, number)
        throw = draw_throw(ThrowDistribution(), len(USUAL_SCENE.stack), rng)
        number += 1
        title = f"8 g, throw {number} of seed {seed}"
        thrown = await compute(viewers, compute_slam, USUAL_SCENE, throw, "solid", title)
        if thrown is not None:
            frame.play(keep_slam(thrown[1]))

    actions = [Action("n", "next slam", show_next, "skip_next")]
    if visitor_now().is_host:
        command = [sys.executable, "-m", "pucklab.cli", "watch"]
        run = partial(subprocess.Popen, command)
        actions.append(Action("w", "open the window of slams", run, "open_in_new"))
    throw = partial(ui.navigate.to, "/throws/own")
    actions.append(Action("t", "throw yourself", throw, "sports_handball"))
    with page_frame("Watch", actions) as (stage, panel):
        with stage:
            frame = SlamFrame(None)
            viewers.join()
        with panel:
            action_buttons(actions)
    ui.timer(0, show_next, once=True)
