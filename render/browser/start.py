"""The first page: a card for each thing to do, with a picture; and slams to watch."""

import secrets
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache

from fastapi.responses import Response
from nicegui import ui

from physics import (
    SampleRate,
    Scene,
    Throw,
    ThrowDistribution,
    draw_throw,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from render.browser.frame import Action, action_buttons, listen_to_keys, marker, page_frame
from render.browser.game_page import visitor_now
from render.browser.guard import Visitor
from render.browser.slam_frame import SlamFrame, compute_slam, keep_slam
from render.browser.tables import open_table
from render.browser.work import compute
from render.bumpers.lines import line_of
from render.bumpers.svg import position_svg
from render.slams.motion import moment_at, motion_of
from render.slams.player import still_picture
from sim.bumpers import parse_position
from sim.bumpers.game import BUMPERS, make_table
from sim.bumpers.game.player_kinds import PLAYERS
from sim.core.game import Match

_SHOWN_S = 0.06
_PUZZLE, _SEEDS = "pb1:small:RPb7f5.RMe7.BPd7:-:R:-", 10**6
_CURVE = (
    '<svg viewBox="0 0 100 60" fill="none" stroke="currentColor" stroke-width="1.5">'
    '<path d="M8 4v50h88"/><path d="M12 46C30 14 40 8 54 9S84 14 94 20" stroke-width="3"/></svg>'
)


def _usual_scene() -> Scene:
    return Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))


@lru_cache(maxsize=1)
def _slam_picture() -> bytes:
    scene = _usual_scene()
    throw = Throw(speed_mm_s=5000.0, tilt_rad=0.2, descent_rad=0.25, aim_x_mm=4.0)
    recording = slam(scene, throw, SampleRate()).recording
    assert recording is not None
    return still_picture(scene, moment_at(motion_of(scene, recording), _SHOWN_S), None)


async def answer_picture() -> Response:
    """Answer with a moment of a slam."""
    data = await compute(_slam_picture) or b""
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(data, media_type="image/jpeg", headers=headers)


def show_start() -> None:
    """Show a card for each thing to do."""
    visitor = visitor_now()
    board = position_svg(line_of(parse_position(_PUZZLE), ()))
    image = '<img src="/pictures/slam.jpg" alt="">'
    cards: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
        ("Watch", "See a slammer hit a stack of pucks.", image, _go("/watch")),
        ("Throw", "Throw by hand as often as you like.", image, _go("/throws/own")),
        ("Odds", "Ask which slammer flips more.", _CURVE, _go("/odds")),
        ("Battle", "Throw in turn against a rival, or a friend.", image, _go("/battles")),
        ("Puck Bumpers", "Play against the computer.", board, lambda: _play_bumpers(visitor)),
        ("Puzzle of the day", "Solve it move by move.", board, _go("/puzzles/day")),
    )
    with page_frame(""), ui.element("div").classes("pucklab-cards"):
        for name, line, picture, run_card in cards:
            with (
                ui.card().classes("cursor-pointer").on("click", run_card).mark(marker(name)) as card
            ):
                card.props(f'role=button tabindex=0 aria-label="{name}: {line}"')
                card.on("keydown.enter", run_card)
                ui.html(picture, sanitize=False).classes("pucklab-picture")
                ui.label(name).classes("text-lg")
                ui.label(line).classes("opacity-70")


def _go(path: str) -> Callable[[], object]:
    return lambda: ui.navigate.to(path)


def _play_bumpers(visitor: Visitor) -> None:
    """Open a game against a greedy player, and sit down."""
    kinds = ("person", "greedy")
    players = [PLAYERS.of(kind, persons=True) for kind in kinds]
    seed = secrets.randbelow(_SEEDS)
    table = open_table(Match(BUMPERS, make_table(2), players, seed, kinds=kinds), visitor)
    ui.navigate.to(f"/tables/{table.name}")


async def show_slams() -> None:
    """Show one slam after another."""
    visitor = visitor_now()
    scene, seed, number = _usual_scene(), secrets.randbelow(_SEEDS), 0

    async def show_next() -> None:
        nonlocal number
        throw = draw_throw(ThrowDistribution(), len(scene.stack), trial_generator(seed, number))
        number += 1
        title = f"8 g, throw {number} of seed {seed}"
        thrown = await compute(compute_slam, scene, throw, "solid", title)
        if thrown is not None:
            frame.play(keep_slam(thrown[1]))

    actions = [Action("n", "next slam", show_next, "skip_next")]
    if visitor.is_host:
        actions.append(Action("w", "open the window of slams", _open_window, "open_in_new"))
    actions.append(Action("t", "throw yourself", _go("/throws/own"), "sports_handball"))
    with page_frame("Watch"):
        with ui.column().classes("pucklab-stage"):
            frame = SlamFrame(None)
        with ui.column().classes("pucklab-panel"):
            action_buttons(actions)
    listen_to_keys(actions)
    ui.timer(0, show_next, once=True)


def _open_window() -> None:
    """Open the window of slams on the host's screen."""
    subprocess.Popen([sys.executable, "-m", "sim.cli", "watch"])
