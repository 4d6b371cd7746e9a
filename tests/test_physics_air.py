"""Air: films between faces in the blow, and drag in flight, against closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pucklab.physics import (
    InputError,
    Slammer,
    Throw,
    ThrowDistribution,
    draw_throw,
    slam,
    trial_generator,
)
from pucklab.physics.scene import Arena, Scene
from pucklab.physics.slam_line import SlamSetup, read_slam_line
from pucklab.physics.solid.air import FILM_REACH, VISCOSITY_G_MM_S, squeeze_films
from pucklab.physics.solid.bodies import law_of, starting_bodies, table_of
from pucklab.physics.solid.engine import SolidRun
from pucklab.physics.solid.settings import FAST
from pucklab.physics.solid.state import (
    INVERSE_DIAMETER,
    MIDDLE,
    MOMENTUM,
    NORMAL,
    RATE,
    VELOCITY,
    new_run,
)
from pucklab.physics.solid.stepping import DRAG_NJ, FILMS_NJ
from tests.scenes import stack_scene


def flying(scene, height_mm, velocity_mm_s, lean_rad=0.0):
    """Bodies of a scene without a stack: its slammer's underside at a height, without spin."""
    bodies = starting_bodies(
        scene, Throw(speed_mm_s=5000.0, tilt_rad=lean_rad, tilt_azimuth_rad=math.pi / 2)
    )
    place = bodies.position_mm.copy()
    place[0, 2] += height_mm + bodies.thickness_mm[0] / 2 - bodies.middle_mm[0, 2]
    return replace(
        bodies,
        position_mm=place,
        velocity_mm_s=np.array([velocity_mm_s], dtype=float),
        rate_rad_s=np.zeros((1, 3)),
    )


def parting_impulse(gap_um, radius_mm):
    """(3 pi / 4) mu R^4 / h^2, g mm/s, as far as films reach."""
    reach = 1 - 1 / (1 + FILM_REACH) ** 2
    return 0.75 * math.pi * VISCOSITY_G_MM_S * radius_mm**4 / (gap_um / 1000) ** 2 * reach


@pytest.mark.parametrize("diameter_mm", [41.23, 82.46])
@pytest.mark.parametrize(("gap_um", "speed_mm_s"), [(100, 500), (100, 3000), (200, 1000)])
def test_a_film_takes_the_impulse_that_parts_two_discs(gap_um, speed_mm_s, diameter_mm):
    mass_g = 40.0 * (diameter_mm / 41.23) ** 3  # heavy enough to keep its speed
    slammer = Slammer(mass_g=mass_g, diameter_mm=diameter_mm, thickness_mm=diameter_mm / 7,
                      unofficial=True)  # fmt: skip
    scene = Scene(slammer=slammer, stack=(), arena=Arena(film_gap_um=gap_um))
    run = SolidRun(scene, flying(scene, 0.0, (0, 0, speed_mm_s)))
    run.advance(2.5e-3 / math.sqrt(diameter_mm / 41.23))
    span_s = run.time_s * math.sqrt(diameter_mm / 41.23)
    lost = speed_mm_s - 9810 * span_s - run.bodies().velocity_mm_s[0, 2]
    assert lost * mass_g == pytest.approx(parting_impulse(gap_um, diameter_mm / 2), rel=0.02)


def reynolds(k):
    """Forces of a wedge h = 1 + k x on the unit disc: Galerkin with (1 - r^2) x^i y^j.

    Returns -p and its moments for gap rates of 1, x and y, by quadrature in polar coordinates.
    """
    nodes, weights = np.polynomial.legendre.leggauss(40)
    radius, turn = (nodes + 1) / 2, 2 * np.pi * (np.arange(80) + 0.5) / 80
    x, y = np.outer(radius, np.cos(turn)).ravel(), np.outer(radius, np.sin(turn)).ravel()
    area = np.repeat(weights / 2 * radius, 80) * 2 * np.pi / 80
    powers = [(i, j) for i in range(13) for j in range(13 - i)]
    inner = 1 - x * x - y * y
    value = np.array([inner * x**i * y**j for i, j in powers])
    by_x = np.array([(i * x ** max(i - 1, 0) * inner - 2 * x * x**i) * y**j for i, j in powers])
    by_y = np.array([(j * y ** max(j - 1, 0) * inner - 2 * y * y**j) * x**i for i, j in powers])
    cube = (1 + k * x) ** 3 * area
    stiff = (by_x * cube) @ by_x.T + (by_y * cube) @ by_y.T
    rates = np.array([np.ones_like(x), x, y])
    loads = 12 * (value * area) @ rates.T
    pressure = value.T @ np.linalg.lstsq(stiff, loads, rcond=1e-12)[0]
    return (rates * area) @ pressure


@pytest.mark.parametrize("k", [0.0, 0.3, 0.6, 0.8])
@pytest.mark.parametrize("gap_um", [50, 200])
def test_a_wedge_of_air_resists_as_reynolds_equation_says(k, gap_um):
    scene = Scene(slammer=Slammer(mass_g=8.0), stack=(), arena=Arena(film_gap_um=gap_um))
    radius_mm, gap_mm, span_s = 41.23 / 2, gap_um / 1000, 1e-9
    steep, law = math.atan(k * gap_mm / radius_mm), law_of(scene, FAST)
    size = VISCOSITY_G_MM_S * radius_mm**4 / gap_mm**3 * span_s
    scale = np.outer([1, radius_mm, radius_mm], [1, radius_mm, radius_mm])
    found = np.zeros((3, 3))
    for column, (velocity, rate) in enumerate(
        [((0, 0, 1), (0, 0, 0)), ((0, 0, 0), (0, -1, 0)), ((0, 0, 0), (1, 0, 0))]
    ):
        table = table_of(scene, flying(scene, 0.0, (0, 0, 0)), FAST)
        table[0, MIDDLE : MIDDLE + 3] = table[0, :3] = (0, 0, 3.0)
        # Its face rises along x.
        table[0, NORMAL : NORMAL + 3] = (-math.sin(steep), 0, math.cos(steep))
        table[0, VELOCITY : VELOCITY + 3], table[0, RATE : RATE + 3] = velocity, rate
        table[0, MOMENTUM : MOMENTUM + 3] = np.array(rate) / table[0, INVERSE_DIAMETER]
        before = table.copy()
        schedule = new_run(1, law).schedule
        schedule.near[0, 1] = True
        assert squeeze_films(table, law, schedule, 0, span_s) > 0
        moved = (table - before)[0]
        force = moved[VELOCITY + 2] * 8.0
        twist = moved[MOMENTUM : MOMENTUM + 3]
        found[:, column] = -np.array([force, -twist[1], twist[0]])
    ours, theirs = found / (size * scale), reynolds(k)
    assert ours == pytest.approx(theirs, rel=0.02, abs=0.02)


def test_a_flat_disc_falls_at_its_terminal_speed():
    slammer = Slammer(mass_g=2.0, thickness_mm=1.6)
    scene = Scene(slammer=slammer, stack=(), arena=Arena(air_kg_m3=1.2, box=False))
    run = SolidRun(scene, flying(scene, 8000.0, (0, 0, -3000)))
    run.advance(1.4)
    area_m2 = math.pi * (41.23e-3 / 2) ** 2
    terminal = math.sqrt(2 * 2e-3 * 9.81 / (1.2 * 1.2 * area_m2))
    assert terminal == pytest.approx(4.5, abs=0.1)
    assert run.bodies().velocity_mm_s[0, 2] / 1000 == pytest.approx(-terminal, rel=0.01)


def test_a_disc_at_an_angle_to_its_way_is_lifted_and_pitches_up():
    scene = Scene(slammer=Slammer(mass_g=4.0), stack=(), arena=Arena(air_kg_m3=1.2, box=False))
    start = flying(scene, 500.0, (5000, 0, 0), lean_rad=0.1)
    leans_x = start.rotation[0, 0, 2]
    run = SolidRun(scene, start)
    run.advance(2e-3)
    end = run.bodies()
    # A leading edge that is low is pressed down, and lower; one that is high is lifted.
    force = end.velocity_mm_s[0, 2] + 9810 * run.time_s
    expected = -0.5 * 1.2e-6 * 1.2 * math.pi * (41.23 / 2) ** 2 * 5000**2 * leans_x / 4.0
    assert force == pytest.approx(expected * run.time_s * start.rotation[0, 2, 2], rel=0.05)
    assert (end.rotation[0, 0, 2] - leans_x) * leans_x > 0


def test_air_only_takes_energy_and_its_account_is_whole():
    for trial in range(6):
        scene = stack_scene(8.0, 5, arena=Arena(film_gap_um=60.0, air_kg_m3=1.2))
        throw = draw_throw(ThrowDistribution(), 5, trial_generator(5, trial))
        run = SolidRun(scene, starting_bodies(scene, throw))
        run.finish_blow()
        films, drag = run.arrays.tally[FILMS_NJ], run.arrays.tally[DRAG_NJ]
        assert films > 0 < drag
        assert run.energy_nj + films + drag < 1.001 * run.begin_nj
        assert run.peak_nj <= run.begin_nj * 1.001


def test_a_lone_piece_in_air_loses_what_drag_is_said_to_take():
    scene = Scene(slammer=Slammer(mass_g=4.0), stack=(), arena=Arena(air_kg_m3=1.2, box=False))
    bodies = flying(scene, 900.0, (3000, 500, -100), lean_rad=0.4)
    run = SolidRun(scene, replace(bodies, rate_rad_s=np.array([[20.0, -40.0, 15.0]])))
    run.advance(0.2)
    assert run.begin_nj - run.energy_nj == pytest.approx(run.arrays.tally[DRAG_NJ], rel=1e-6)


def test_a_film_between_unlike_faces_has_the_size_of_the_smaller():
    wide = Slammer(mass_g=8.0, diameter_mm=80.0, unofficial=True)
    lost = []
    for below in (wide, Slammer(mass_g=8.0)):
        scene = Scene(slammer=Slammer(mass_g=8.0), stack=(below,), arena=Arena(film_gap_um=100.0))
        bodies = starting_bodies(scene, Throw(speed_mm_s=5000.0))
        place, velocity = bodies.position_mm.copy(), np.zeros((2, 3))
        place[:, 2] += np.array([53.0, 59.0]) - bodies.middle_mm[:, 2]
        velocity[1, 2] = 2000.0
        run = SolidRun(scene, replace(bodies, position_mm=place, velocity_mm_s=velocity,
                                      rate_rad_s=np.zeros((2, 3))))  # fmt: skip
        run.advance(2e-3)
        end = run.bodies().velocity_mm_s[:, 2]
        lost.append((2000.0 - end[1] + end[0]) / 2)
    assert lost[0] == pytest.approx(lost[1], rel=0.02)
    assert lost[0] * 8.0 == pytest.approx(parting_impulse(100, 41.23 / 2), rel=0.03)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"film_gap_um": 3.0}, "film_gap_um: 3 is not accepted; give 0 for no film, or a gap"),
        ({"film_gap_um": 1001.0}, "film_gap_um: 1001.0 is not accepted; give a number from 0"),
        ({"film_gap_um": -1.0}, "film_gap_um: -1.0 is not accepted"),
        ({"film_gap_um": math.nan}, "film_gap_um: nan is not accepted"),
        ({"air_kg_m3": 1200.0}, "air_kg_m3: 1200.0 is not accepted; give a number from 0"),
    ],
)
def test_gaps_and_densities_out_of_range_are_refused_in_a_line(values, said):
    with pytest.raises(InputError, match=said):
        Arena(**values)


@pytest.mark.parametrize("name", ["film_gap_um", "air_kg_m3"])
def test_the_plane_engine_says_that_it_has_no_air(name):
    scene = stack_scene(8.0, 5, arena=Arena(**{name: 20.0 if name == "film_gap_um" else 1.2}))
    with pytest.raises(InputError, match=f"{name}: .* not accepted with the plane engine"):
        slam(scene, Throw(speed_mm_s=5000.0, jitter_mm=((0.0, 0.0),) * 5))


def test_a_line_of_text_carries_the_air():
    scene = stack_scene(8.0, 3, arena=Arena(film_gap_um=75.0, air_kg_m3=1.2))
    setup = SlamSetup(scene=scene, throw=Throw(speed_mm_s=5000.0))
    assert ":a=f75,a1.2:" in setup.line
    assert read_slam_line(setup.line) == setup
