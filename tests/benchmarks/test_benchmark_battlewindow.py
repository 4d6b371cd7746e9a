"""Speed of drawing the window of battles; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import pytest

from render.canvas import new_surface
from render.palette import DARK
from tests.battlewindows import recorded_window


@pytest.mark.parametrize("slam", [True, False])
def test_frames_of_a_battle(benchmark, slam):
    """Draw a battle during a slam, another moment each time, or while nothing is thrown."""
    window = recorded_window(physics=True)
    playback = window.playback
    place = next(place for place, entry in enumerate(playback.game.timeline) if entry.is_throw)
    playback.go_to(place if slam else place + 4)
    surface = new_surface(1280, 800)

    def frame():
        if slam and not playback.slam_runs:
            playback.repeat_slam()
        window.advance(1 / 60)
        window.draw(surface, DARK)

    benchmark(frame)
    stats = getattr(benchmark, "stats", None)
    if stats is not None:
        info = benchmark.extra_info
        info["frames_per_s"] = round(1 / stats["median"], 1)
