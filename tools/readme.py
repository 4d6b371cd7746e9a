"""The pictures of README and docs: ``python -m tools.readme`` writes them into ``docs``.

Those of pages need Chromium and its driver.
"""

import math
import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from PIL import Image, ImageSequence
from pygame import surfarray

from pucklab.api.odds import odds
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.render.bumpers.film import export_line
from pucklab.render.bumpers.history import Entry, History, at_entry, entry_of_move
from pucklab.render.canvas import new_surface, save_png
from pucklab.render.palette import DARK, LIGHT
from pucklab.render.plots.figures import save_plot
from pucklab.render.slams.camera3d import Direction, frame_points
from pucklab.render.slams.export import export_slam
from pucklab.render.slams.motion import moment_at, motion_of
from pucklab.render.slams.playback import scrub
from pucklab.render.slams.space import draw_space
from pucklab.render.slamwindow import SlamWindow
from pucklab.render.slamwindow.app import picture_of
from pucklab.sim.bumpers import parse_position
from pucklab.sim.bumpers.solver import Question, solve
from pucklab.sim.bumpers.solver.solution import line_steps
from pucklab.sim.core.game import Call
from pucklab.sim.pokepucks.battle.match import battle_match
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from pucklab.sim.scene.scenes import (
    SceneSpec,
    cases_of,
    slammers_by_name,
)
from pucklab.sim.scene.slam_list import SlamList, list_trials
from tests.browsers import started_browser
from tests.commands import wait_until
from tools.rule_drawings import make_rule_drawings

_SLAMMER, _SEED, _TRIAL = "Onix", 2, 347
"""The slam of the README."""

_FAN_TRIAL, _FAN_S, _BANNER = 28, 0.0611, (1280, 480)
"""Slam and time of the banner, and its size."""

_FLIPS_SIZE = (960, 540)
"""Size of the picture of its end."""

_FILM_WIDTH, _FILM_STEP, _FILM_COLOURS, _SAMPLED = 480, 3, 64, 6
"""Width of the film, every how many pictures it has, their colours, and how many of them say which
colours these are."""

_FLIGHT_S = 0.16
"""Time shown in the window."""

_PAGE_SIZE = (1280, 943)
"""Size of the browser's window, of which the page gets 800 pixels in height."""

_SIT_DOWN = "[...document.querySelectorAll('button')].find((b) => b.innerText === 'Sit down')"

_COUNTED = (
    "return pucklab.study.next >= pucklab.counted.all"
    " && [...pucklab.studies.values()].every((one) => one.next >= pucklab.counted.others)"
)
_COUNTING_S = 1200.0

_MASSES_G, _TRIALS, _ODDS_SEED = (2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0), 2000, 2
"""Slammers of the plot of odds, throws of each, and their seed."""

_BATTLE, _BATTLE_SEED, _BATTLE_TURN = ("pikachu", "onix"), 7, 4
"""Slammers of the battle, its seed, and the turn from which the first player's throw is shown."""

_SOLVED = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
"""The position whose solution is drawn."""


def make_pictures(folder: Path) -> None:
    """Write all pictures into a folder, except the one of the fit."""
    make_banner(folder)
    make_slam_pictures(folder)
    window = SlamWindow(_trials(), index=_TRIAL)
    window.change(scrub, window.playback.share_of(_FLIGHT_S))
    save_png(folder / "watch.png", picture_of(window))
    make_page_pictures(folder)
    start = parse_position(_SOLVED)
    steps = line_steps(start, solve(Question(start)).line)
    export_line(folder / "solution.png", start, steps, caption="Red to move: one red puck in")
    make_rule_drawings(folder)
    # The plot of odds takes a few minutes.
    found = odds(slammer_g=_MASSES_G, trials=_TRIALS, seed=_ODDS_SEED, workers=2)
    save_plot(folder / "odds.png", found.plot, model_band=True)


def make_slam_pictures(folder: Path) -> None:
    """Write ``slam.png``, ``slam.gif`` and ``flips.png``, its end, into a folder."""
    watched = _trials().slam_at(_TRIAL)
    replay = watched.replay
    motion = motion_of(replay.scene, replay.recording)
    surface = new_surface(*_FLIPS_SIZE)
    draw_space(surface, replay.scene, moment_at(motion, motion.end_s), replay.outcome, LIGHT)
    save_png(folder / "flips.png", surface)
    for name in ("slam.png", "slam.gif"):
        export_slam(folder / name, watched.replay, watched.name)
    shrink_film(folder / "slam.gif")


def shrink_film(path: Path) -> None:
    """Make a GIF a film that loads fast: smaller pictures, fewer of them, and of fewer colours."""
    film = Image.open(path)
    size = _FILM_WIDTH, round(_FILM_WIDTH * film.height / film.width)
    pictures: list[Image.Image] = []
    lasts_ms: list[int] = []
    for number, picture in enumerate(ImageSequence.Iterator(film)):
        if number % _FILM_STEP == 0:
            pictures.append(picture.convert("RGB").resize(size, Image.Resampling.LANCZOS))
            lasts_ms.append(0)
        lasts_ms[-1] += picture.info["duration"]
    sample = Image.new("RGB", (size[0], size[1] * _SAMPLED))
    for row in range(_SAMPLED):
        sample.paste(pictures[row * len(pictures) // _SAMPLED], (0, row * size[1]))
    palette = sample.quantize(_FILM_COLOURS, dither=Image.Dither.NONE)
    first, *others = (
        picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures
    )
    first.save(path, save_all=True, append_images=others, duration=lasts_ms, loop=0)


def make_banner(folder: Path) -> None:
    """Write ``banner.png``, the fan of pucks just after the impact, from nearby."""
    replay = _trials().slam_at(_FAN_TRIAL).replay
    moment = moment_at(motion_of(replay.scene, replay.recording), _FAN_S)
    direction = Direction(elevation_rad=math.radians(28), azimuth_rad=math.radians(-80))
    camera = frame_points(
        direction, moment.centre_mm, _BANNER[0] / _BANNER[1], 1.4 * PIECE_RADIUS_MM
    )
    surface = new_surface(*_BANNER)
    draw_space(surface, replay.scene, moment, None, DARK, camera)
    save_png(folder / "banner.png", surface)


def make_page_pictures(folder: Path) -> None:
    """Write ``lab.png``, ``board.png`` and ``battle.png``, pages of the server."""
    with _start_server() as link, started_browser() as browser:
        address, key = link.split("/?")
        browser.visit(f"{address}/?{key}", _PAGE_SIZE)
        for name, path in (
            ("lab", f"#slammer_g=20&seed={_SEED}&trial={_TRIAL}"),
            ("board", "boards/readme"),
            ("battle", "tables/readme"),
        ):
            browser.visit(f"{address}/{path}", _PAGE_SIZE)
            if name == "lab":  # its curve and its count are done
                wait_until(lambda: browser.run(_COUNTED), _COUNTING_S)
            if name == "battle":
                browser.wait_for(_SIT_DOWN)
                browser.run(f"{_SIT_DOWN}.click()")
            browser.settle()
            picture = surfarray.make_surface(browser.picture().swapaxes(0, 1))
            save_png(folder / f"{name}.png", picture)


@contextmanager
def _start_server() -> Iterator[str]:
    """Serve the pages that are shown in a process of its own, and give the link to them."""
    with tempfile.TemporaryDirectory() as data:
        os.environ["XDG_DATA_HOME"] = data
        ours, theirs = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("spawn")
        server = context.Process(target=_serve_pages, args=(theirs,))
        server.start()
        try:
            while "?key=" not in (line := ours.recv()):
                pass
            yield line.split()[-1]
        finally:
            server.terminate()
            server.join()


def _serve_pages(told: Connection) -> None:
    """Serve a solved board, and a battle whose first player throws."""
    from pucklab.render.browser.battles import open_battle
    from pucklab.render.browser.explorer import open_board
    from pucklab.render.browser.exploring import ExplorerState
    from pucklab.render.browser.server import serve

    start = parse_position(_SOLVED)
    moves = map(entry_of_move, line_steps(start, solve(Question(start)).line))
    history = at_entry(History(entries=(Entry(position=start), *moves)), 2)
    open_board(ExplorerState(history=history), "readme")
    table = house_setup([shipped_catalogue().find(name) for name in _BATTLE])
    throws, players = PhysicsThrows(), [GreedyPlayer() for _ in _BATTLE]
    source = {"throws": "physics", "engine": throws.engine}
    kinds = ("person", "greedy")
    match = battle_match(table, players, throws, _BATTLE_SEED, kinds=kinds, source=source)
    while not (
        match.state.state.turn.number >= _BATTLE_TURN
        and isinstance(match.open, Call)
        and match.open.about.player == 0
    ):
        answer = match.choose()
        assert answer is not None
        match.step(answer)
    match.players[0] = None
    open_battle(match, throws, name="readme")
    serve("/", told.send, opens=False)


def _trials() -> SlamList:
    spec = SceneSpec(slammers=slammers_by_name((_SLAMMER,)), engine="solid")
    return list_trials(cases_of(spec), _SEED)


if __name__ == "__main__":
    make_pictures(Path("docs"))
