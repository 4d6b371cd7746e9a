"""Speed of drawing and exporting slams; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import gc
from dataclasses import replace
from functools import lru_cache

import pytest

from pucklab.physics import (
    SampleRate,
    slam,
)
from pucklab.render.canvas import new_surface
from pucklab.render.palette import DARK
from pucklab.render.slams.camera3d import FOLLOWING, following
from pucklab.render.slams.motion import moment_at, replay_motion
from pucklab.render.slams.space import Renderer, space_view
from pucklab.render.slamwindow import SlamWindow
from pucklab.sim.odds import OddsCase
from pucklab.sim.scene.replay import replay_of
from pucklab.sim.scene.slam_list import list_trials
from tests.scenes import stack_scene, trial_throw, usual_study

PUCKS = 20


def study():
    return usual_study(stack_scene(20.0, PUCKS))


@lru_cache(maxsize=1)
def some_slam():
    scene = study().scene
    throw = trial_throw(PUCKS, 1, 1)
    return replay_of(scene, throw, slam(scene, throw, SampleRate()))


def test_frames_of_a_window_with_20_pucks_in_flight(benchmark):
    window = SlamWindow(list_trials([OddsCase(name="20 g", study=study())], 1), index=1)
    surface = new_surface(1280, 800)
    times = iter(range(10**9))

    def frame():
        """Draw a moment between .05 and .35 s after the contact, another each time."""
        time_s = 0.05 + 0.001 * (next(times) % 300)
        window.playback = replace(window.playback, time_s=time_s, playing=True)
        window.draw(surface)

    gc.freeze()  # as `pucklab.render.slamwindow.app.show` does
    benchmark(frame)
    gc.unfreeze()
    stats = getattr(benchmark, "stats", None)
    if stats is not None:
        info = benchmark.extra_info
        info["frames_per_s"] = round(1 / stats["median"], 1)


@pytest.mark.parametrize("renderer", ["gl", "software"])
def test_frames_of_the_view_in_space_with_20_pucks_in_flight(benchmark, renderer):
    drawing = Renderer()
    drawing.wanted = renderer
    replay = some_slam()
    motion = replay_motion(replay)
    surface = new_surface(640, 400)
    if renderer == "software":
        drawing.begin_window(surface)
    times = iter(range(10**9))

    def frame():
        """Draw a moment between .05 and .35 s after the contact, as a window in motion does."""
        moment = moment_at(motion, 0.05 + 0.001 * (next(times) % 300))
        camera = following(FOLLOWING, replay.scene.arena, [moment.shot])
        view = space_view(replay.scene, moment, replay.outcome, camera, is_moving=True)
        drawing.draw(surface, [(surface.get_rect(), view)], DARK)

    benchmark(frame)
    stats = getattr(benchmark, "stats", None)
    if stats is not None:
        info = benchmark.extra_info
        info["frames_per_s"] = round(1 / stats["median"], 1)
