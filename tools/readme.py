"""The pictures of README and docs: ``python -m tools.readme`` writes them into ``docs``."""

import math
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from physics.pieces import PIECE_RADIUS_MM
from render.battlewindow import BattlePlayback, BattleWindow, Game
from render.boardwindow import BoardExplorer, initial_state
from render.boardwindow.film import export_line
from render.canvas import new_surface, save_png
from render.palette import DARK, LIGHT
from render.plots.figures import save_plot
from render.plots.odds import odds_figure, odds_points
from render.slams.camera3d import Direction, framed
from render.slams.export import export_slam
from render.slams.motion import moment_at, motion_of
from render.slams.space import draw_space
from render.slamwindow import SlamWindow, Trials
from render.viewer import picture_of
from sim.bumpers import parse_position
from sim.bumpers.game import make_table, random_start
from sim.bumpers.solver import solve
from sim.bumpers.solver.solution import line_steps
from sim.experiments import run_to_end
from sim.odds import ODDS, odds_cases, odds_rows
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import PhysicsThrows
from sim.scenes import SceneSpec, describe, slammers_by_mass, slammers_by_name, studies_of
from tools.rule_drawings import make_rule_drawings

_SLAMMER, _SEED, _TRIAL = "Onix", 2, 347
"""The slam of the README."""

_FAN_TRIAL, _FAN_S, _BANNER = 28, 0.0611, (1280, 480)
"""Slam and time of the banner, and its size."""

_FLIPS_SIZE = (960, 540)
"""Size of the picture of its end."""

_FLIGHT_S, _GHOSTS_G, _AIM_MM = 0.16, (4.0, 8.0), (6.0, 9.0)
"""Time shown in the window, masses of the ghosts, and the aim of the throw by hand."""

_MASSES_G, _TRIALS, _ODDS_SEED = (2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0), 2000, 2
"""Slammers of the plot of odds, throws of each, and their seed."""

_BATTLE, _BATTLE_SEED, _BATTLE_TURN, _BATTLE_FLIGHT_S = ("pikachu", "onix"), 7, 4, 0.05
"""Slammers of the battle, its seed, and the turn and the time of a slam that are shown."""

_BOARD_PLAYERS, _BOARD_SEED = 4, 14
"""The start of the board."""

_SOLVED = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
"""The position whose solution is drawn."""


def make_pictures(folder: Path) -> None:
    """Write all pictures into a folder, except the one of the fit."""
    make_banner(folder)
    make_slam_pictures(folder)
    make_window_pictures(folder)
    make_battle_picture(folder)
    make_board_pictures(folder)
    make_rule_drawings(folder)
    make_odds_picture(folder)


def make_slam_pictures(folder: Path) -> None:
    """Write ``slam.png``, ``slam.gif`` and ``flips.png``, its end, into a folder."""
    watched = _trials().watched(_TRIAL, 0)
    replay = watched.replay
    motion = motion_of(replay.scene, replay.recording)
    surface = new_surface(*_FLIPS_SIZE)
    draw_space(surface, replay.scene, moment_at(motion, motion.end_s), replay.outcome, LIGHT)
    save_png(folder / "flips.png", surface)
    for name in ("slam.png", "slam.gif"):
        export_slam(folder / name, watched.replay, watched.name)


def make_banner(folder: Path) -> None:
    """Write ``banner.png``, the fan of pucks just after the impact, from nearby."""
    replay = _trials().watched(_FAN_TRIAL, 0).replay
    moment = moment_at(motion_of(replay.scene, replay.recording), _FAN_S)
    direction = Direction(elevation_rad=math.radians(28), azimuth_rad=math.radians(-80))
    camera = framed(direction, moment.centre_mm, _BANNER[0] / _BANNER[1], 1.4 * PIECE_RADIUS_MM)
    surface = new_surface(*_BANNER)
    draw_space(surface, replay.scene, moment, None, DARK, camera)
    save_png(folder / "banner.png", surface)


def make_window_pictures(folder: Path) -> None:
    """Write ``watch.png`` and ``aim.png``, the window with a slam and with a throw by hand."""
    trials = _trials()
    window = SlamWindow(trials, trials.study(0), index=_TRIAL, others=slammers_by_mass(_GHOSTS_G))
    window.showing.scrub(window.showing.playback.share_of(_FLIGHT_S))
    save_png(folder / "watch.png", picture_of(window))
    window.aim()
    if window.aiming is not None:
        window.aiming.aim(*_AIM_MM)
    save_png(folder / "aim.png", picture_of(window, palette=LIGHT))


def make_battle_picture(folder: Path) -> None:
    """Write ``battle.png``, a battle of greedy players during a slam."""
    table = house_table([shipped_catalogue().find(name) for name in _BATTLE])
    throws = PhysicsThrows()
    game = Game(table, [GreedyPlayer() for _ in _BATTLE], throws, _BATTLE_SEED)
    playback = BattlePlayback(game)
    kinds = ("greedy",) * len(_BATTLE)
    window = BattleWindow(playback, kinds=kinds, seed=_BATTLE_SEED, throws="physics")
    for _ in range(_BATTLE_TURN):
        playback.next_turn()
    while not playback.entry.is_throw:
        playback.step(1)
    while playback.slam_playback is not None and playback.slam_playback.time_s < _BATTLE_FLIGHT_S:
        window.advance(1 / 60)
    save_png(folder / "battle.png", picture_of(window))


def make_board_pictures(folder: Path) -> None:
    """Write ``board.png``, a board with its solution in the window, and ``solution.png``."""
    start = random_start(make_table(_BOARD_PLAYERS), _BOARD_SEED).position
    board = BoardExplorer(initial_state(start))
    board.solve()
    while board.solving.is_running:
        time.sleep(0.05)
        board.advance(0.05)
    save_png(folder / "board.png", picture_of(board))
    start = parse_position(_SOLVED)
    steps = line_steps(start, solve(start).line)
    export_line(folder / "solution.png", start, steps, caption="Red to move: one red puck in")


def make_odds_picture(folder: Path) -> None:
    """Write ``odds.png`` into a folder; takes a few minutes."""
    spec = SceneSpec(slammers=slammers_by_mass(_MASSES_G))
    with ProcessPoolExecutor() as pool:
        studies = studies_of(spec)
        cases = odds_cases([named.name for named in spec.slammers], studies)
        table = run_to_end(ODDS, cases, trials=_TRIALS, seed=_ODDS_SEED, executor=pool)
    points = odds_points(odds_rows(table, cases), model_band=True)
    save_plot(folder / "odds.png", odds_figure, points, title=describe(spec))


def _trials() -> Trials:
    spec = SceneSpec(slammers=slammers_by_name((_SLAMMER,)), engine="solid")
    return Trials(studies_of(spec), (_SLAMMER,), _SEED)


if __name__ == "__main__":
    make_pictures(Path("docs"))
