"""Sizes that do not fit reach no memory: calls with any sizes, and a build that checks bounds."""

import numpy as np
import pytest

from pucklab.base import kernels
from pucklab.physics import Scene, Throw, ThrowDistribution, draw_throw, puck_stack, puckdex_slammer
from pucklab.physics.scene import MAX_STACK, Arena
from pucklab.physics.solid.bodies import begin_throw, scene_block, throw_block
from pucklab.physics.solid.kernel import FIRST_FACE, draw_throws, throw_slams, thrower_block
from pucklab.physics.solid.settings import FAST, REFERENCE
from pucklab.physics.solid.state import COLUMNS, Log, new_log, run_bytes
from pucklab.sim.bumpers import parse_position
from pucklab.sim.bumpers.kernel.search import search_depth_first
from pucklab.sim.bumpers.perft import count_leaves, count_lines
from pucklab.sim.bumpers.solver import Question, bring_in, solve
from pucklab.sim.pokepucks.battle.kernel_rules import play_out
from pucklab.sim.pokepucks.battle.series import play_series
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import shipped_table

THROWER = thrower_block(ThrowDistribution())


def scene_of(pucks, **arena):
    arena = Arena(**arena)
    return Scene(
        slammer=puckdex_slammer(8.0), stack=puck_stack(pucks) if pucks else (), arena=arena
    )


def arguments(pucks=2, trials=1, samples=3):
    """Return arguments of `throw_slams` by name, which fit."""
    count = pucks + 1
    return {
        "scene": scene_block(scene_of(pucks), FAST).copy(),
        "thrower": THROWER,
        "seed": np.zeros(4, np.int64),
        "first": 0,
        "throws": np.zeros((trials, 11 + 2 * pucks)),
        "results": np.zeros((trials, FIRST_FACE + 3 * count)),
        "log": new_log(samples, count),
        "memory": np.zeros(run_bytes(count), np.uint8),
        "stop": np.zeros(1, np.int64),
    }


def changed_size(array, rng):
    """Return an array with one axis longer or shorter, or of no numbers."""
    shape = list(array.shape)
    axis = rng.integers(len(shape))
    shape[axis] = rng.choice([0, max(shape[axis] - 1, 0), shape[axis] + 1])
    return np.zeros(shape, array.dtype)


@pytest.mark.parametrize("name", list(arguments()))
def test_any_size_that_does_not_fit_is_refused(name):
    rng, right = np.random.default_rng(3), arguments()
    for _ in range(40):
        given = right | {"stop": np.ones(1, np.int64)}  # what fits ends before the first throw
        own = right[name]
        if name == "first":
            given[name] = int(rng.choice([-1, 1 << 32, -(1 << 62), 1 << 62]))
        elif name == "log":
            arrays = [*own]
            place = rng.integers(3)
            arrays[place] = changed_size(arrays[place], rng)
            given[name] = Log(*arrays)
        elif name == "memory":
            given[name] = own[: rng.integers(40_000)].copy()
        else:
            given[name] = changed_size(own, rng)
        fits = name in {"thrower", "seed", "stop"} and len(given[name]) >= len(own)
        no_thrower = name == "thrower" and not len(given[name])
        same = name != "first" and name != "log" and given[name].shape == own.shape
        expected = 0 if fits or same or no_thrower else -1
        if name == "stop" and len(given[name]) > 0:
            continue  # it would throw
        assert throw_slams(*given.values()) == expected


@pytest.mark.parametrize("bodies", [0.0, -1.0, 4.0, 62.0, 1e9, np.nan, np.inf])
def test_a_scene_of_another_number_of_bodies_is_refused(bodies):
    given = arguments()
    given["scene"][0] = bodies
    assert throw_slams(*given.values()) == -1


def test_draws_and_starts_of_wrong_sizes_are_refused():
    seed, memory = np.zeros(4, np.int64), np.zeros(256, np.uint8)
    throws = np.zeros((2, 13))
    assert draw_throws(THROWER, seed, 0, throws, memory) == 2
    for wrong in (
        (THROWER[:8], seed, 0, throws, memory),
        (THROWER, seed[:3], 0, throws, memory),
        (THROWER, seed, -1, throws, memory),
        (THROWER, seed, (1 << 32) - 1, throws, memory),
        (THROWER, seed, 0, np.zeros((2, 10)), memory),
        (THROWER, seed, 0, throws, memory[:100]),
    ):
        assert draw_throws(*wrong) == -1
    scene, table = scene_block(scene_of(1), FAST), np.zeros((3, COLUMNS))
    throw = throw_block(Throw(speed_mm_s=500.0), 1)
    assert begin_throw(scene, throw, table) == 0
    for wrong in (
        (scene[:-1], throw, table),
        (scene, throw[:-1], table),
        (scene, throw, np.zeros((4, COLUMNS))),
        (scene, throw, np.zeros((3, COLUMNS - 1))),
        (scene, throw, np.zeros((0, COLUMNS))),
    ):
        assert begin_throw(*wrong) == -1


@pytest.fixture
def bounds_checked(monkeypatch):
    """Compile kernels with checks of every index."""
    numba = kernels.prepare_numba()
    options = {**kernels.OPTIONS, "boundscheck": True}
    for own in (throw_slams, search_depth_first, count_leaves, play_out):
        monkeypatch.setattr(own, "compiled", numba.njit(**options)(own.interpreted))


@pytest.mark.slow
@pytest.mark.usefixtures("bounds_checked")
def test_no_index_is_out_of_bounds_at_the_limits():
    rng = np.random.default_rng(1)
    wild = ThrowDistribution(
        speed_mm_s=10_000.0, aim_sd_mm=100.0, tilt_sd_deg=60.0, tumble_sd_rad_s=100.0
    )
    for pucks, samples, arena, settings in (
        (0, 0, {}, FAST),
        (1, 1, {"side_mm": 50.0}, FAST),
        (2, 5000, {"box": False}, REFERENCE),
        (10, 7, {"box": False, "out_radius_mm": 25.0}, FAST),
        (MAX_STACK, 100, {}, FAST),
    ):
        given = arguments(pucks, 3, samples) | {"thrower": thrower_block(wild)}
        given["scene"] = scene_block(scene_of(pucks, **arena), settings)
        assert throw_slams(*given.values()) == 3
        thrown = throw_block(draw_throw(wild, pucks, rng), pucks)
        given |= {"thrower": np.zeros(0), "throws": np.array([thrown] * 3)}
        assert throw_slams(*given.values()) == 3
    for text in ("pb1:small:RPb7f5.RMe7.BPd7:-:R:-", "pb1:classic:RPa1.BPd4:-:R:-"):
        position = parse_position(text)
        solve(Question(position, bring_in(1)))
        *_, lines = count_lines(position, 3)
        assert lines.leaves > 0
    table = house_setup([shipped_catalogue().find("onix"), shipped_catalogue().find("pikachu")])
    assert len(play_series(table, ["skilled", "greedy"], shipped_table(), range(300)).winner) == 300
