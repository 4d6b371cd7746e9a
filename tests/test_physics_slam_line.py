"""Slams as lines of text: they read back to the same bits, and what is damaged is named."""

import math
from dataclasses import replace

import numpy as np
import pytest

import pucklab
from pucklab.base.errors import InputError
from pucklab.base.parsing import checksum
from pucklab.physics import Arena, Puck, Scene, Slammer, Throw, puck_stack, slam
from pucklab.physics.material import MATERIALS, Material
from pucklab.physics.materials import PRESETS, LiftOff, Materials
from pucklab.physics.slam_line import SlamSetup, read_slam_line
from tests.commands import json_of, succeed
from tests.commands import pucklab as command
from tests.refusals import refused
from tests.tables import cases

USUAL = SlamSetup(
    scene=Scene(slammer=Slammer(mass_g=8.0, insert_g=4.0), stack=puck_stack(10)),
    throw=Throw(speed_mm_s=5000.0, aim_x_mm=0.1),
)


def random_setup(rng):
    """Return a slam with anything that a line can have, often the default."""

    def some(value, usual):
        return value if rng.random() < 0.4 else usual

    def material():
        named = list(MATERIALS.values())
        own = Material(density_g_cm3=rng.uniform(0.7, 2.0), friction=rng.uniform(0.1, 0.9),
                       source="the user's")  # fmt: skip
        return some(named[rng.integers(len(named))], some(own, None))

    def puck():
        return Puck(mass_g=some(rng.uniform(1.0, 2.4), 1.5), material=material(), unofficial=True)

    slammer = Slammer(
        mass_g=rng.uniform(4.0, 20.0), thickness_mm=some(rng.uniform(5.0, 8.0), 6.0),
        insert_g=some(rng.uniform(0.0, 3.0), 0.0), unofficial=True,
    )  # fmt: skip
    stack = [puck() for _ in range(rng.integers(1, 8))]
    stack += [stack[-1]] * rng.integers(0, 5)
    if rng.random() < 0.2:
        stack.insert(0, Slammer(mass_g=rng.uniform(2.0, 20.0), unofficial=True))
    arena = Arena(
        side_mm=some(rng.uniform(100.0, 900.0), 304.8), box=bool(rng.random() < 0.8),
        out_radius_mm=None, material=material(),
    )  # fmt: skip
    scene = Scene(
        slammer=slammer, stack=tuple(stack), arena=arena,
        materials=Materials(restitution=some(rng.uniform(0.1, 0.8), 0.5)),
        lift_off=some(LiftOff(drift=rng.uniform(0.0, 1.0)), LiftOff()),
        preset=PRESETS[["reference", "recommended", "fast"][rng.integers(3)]],
    )  # fmt: skip
    throw = Throw(
        speed_mm_s=rng.uniform(500.0, 10_000.0), aim_x_mm=some(rng.normal(0.0, 12.0), 0.0),
        descent_rad=some(rng.uniform(0.0, 1.3), 0.0), direction_rad=some(rng.uniform(-3, 3), 0.0),
        rate_z_rad_s=float(rng.normal(0.0, 20.0)), luck=int(rng.integers(1 << 40)),
        jitter_mm=some(tuple(tuple(map(float, p)) for p in rng.normal(0, 1, (len(stack), 2))), ()),
    )  # fmt: skip
    engine = ["solid", "plane"][rng.integers(2)]
    return SlamSetup(scene=scene, throw=throw, engine=engine)


def of_engine(setup):
    """Return a slam without what its engine does not look at, which no line has."""
    if setup.engine == "plane":
        return setup
    usual = {"lift_off": LiftOff(), "preset": PRESETS["recommended"]}
    return replace(setup, scene=replace(setup.scene, **usual))


@pytest.mark.parametrize("number", [1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_slams_read_back_to_the_same_bits(number):
    rng = np.random.default_rng(number)
    for _ in range(number):
        setup = random_setup(rng)
        assert read_slam_line(setup.line) == of_engine(setup)


def test_a_line_says_only_what_is_not_usual():
    assert USUAL.line.split(":")[:4] == ["th1", "s=m8,i4", "k=10", "t=v5000,x0.1"]


def test_a_line_by_hand_needs_slammer_and_throw_alone():
    setup = read_slam_line(" 'th1: s=m20 : t=v4000 :-' ")
    assert setup.scene == Scene(slammer=Slammer(mass_g=20.0), stack=puck_stack(10))
    assert setup.throw == Throw(speed_mm_s=4000.0)


def test_the_slam_of_a_line_is_the_slam_of_its_scene_and_throw():
    assert USUAL.slam().outcome == slam(USUAL.scene, USUAL.throw, engine="solid").outcome


def test_any_character_that_is_changed_lost_or_doubled_is_noticed():
    line = USUAL.line
    for place in range(4, len(line)):
        for other in (line[place] * 2, "", "7"):
            damaged = line[:place] + other + line[place + 1 :]
            if damaged != line and damaged.rpartition(":")[2] != "":
                with pytest.raises(InputError):
                    read_slam_line(damaged)


def test_rubbish_is_refused_with_one_line_that_a_terminal_can_show():
    rng = np.random.default_rng(5)
    letters = list("th1:=,/*;-.eE0123456789mstkaplqjuMSo x\x1b\u00e9")
    said = []
    for _ in range(500):
        text = list(USUAL.line.rpartition(":")[0])
        for _ in range(rng.integers(1, 6)):
            text[rng.integers(4, len(text))] = letters[rng.integers(len(letters))]
        try:
            read_slam_line("".join(text))
        except InputError as error:
            said.append(str(error))
    assert len(said) > 300
    assert all(line.isprintable() for line in said)


@cases(
    "text said",
    """
    pb1:small:-:-:-               => slam: 'pb1:small:-:-:-' is not accepted; give a line such as
    th1                           => slam: 'th1' is not accepted; give a line such as
    th1:s=m8                      => slam: field t=, the throw, is missing
    th1:t=v5000:s=m8              => slam: field s= stands twice or too late
    th1:s=m8:s=m8:t=v5000         => slam: field s= stands twice or too late
    th1:s=m8:w=3:t=v5000          => slam: field: 'w=3' is not accepted; give one of s=, k=
    th1:s=x8:t=v5000              => slam s: 'x8' is not accepted; give numbers behind the letters
    th1:s=m8,m9:t=v5000           => slam s mass_g: given twice; give it once
    th1:s=m8x:t=v5000             => slam s mass_g: '8x' is not accepted; give a number
    th1:s=m8:t=vnan               => slam t speed_mm_s: nan is not accepted
    th1:s=m8:t=v5000,l-1          => slam t luck: '-1' is not accepted; give a whole number
    th1:s=m8:k=0:t=v5000          => slam k: '0' is not accepted; give a count from 1 to 60
    th1:s=m8:k=40/40:t=v5000      => slam stack: 80 pieces are not accepted; give at most 60
    th1:s=m8:k=2:t=v5000:j=1/2    => slam throw: jitter of 1 pieces is not accepted
    th1:s=m8:k=1:t=v5000:j=1      => slam j: '1' is not accepted; give x/y of each piece
    th1:s=m8:q=slow:t=v5000       => slam q: 'slow' is not accepted
    th1:s=m8:t=v5000:e=glass9     => engine: 'glass' is not accepted
    th1:s=m8,Mstel:t=v5000        => slam s material: 'stel' is not accepted
    th1:s=m8:t=v5000:0000         => slam: the checksum '0000' is not that of the line,
    """,
)
def test_what_is_wrong_in_a_line_is_named(text, said):
    refused(read_slam_line, text, said=said)


def test_a_line_of_any_length_is_answered_at_once():
    refused(read_slam_line, "th1:" + "9" * 10_000_000, said="slam: 10000004 characters are not acc")


def test_the_commands_and_python_take_and_give_lines(tmp_path):
    line = succeed("slam --slammer onix --pucks 3 --seed 7 --line").stdout.strip()
    told = json_of("slam --slammer onix --pucks 3 --seed 7")
    again = json_of(f"slam {line}")
    assert told["line"] == again["line"] == line
    assert told["pieces"] == again["pieces"]
    thrown = pucklab.slam(line)
    assert thrown.line == line
    assert thrown.flips == told["flips"]
    succeed(f"watch {line} --save slam.json", cwd=tmp_path)
    assert (tmp_path / "slam.json").is_file()


def test_a_throw_of_another_version_is_thrown_with_a_note():
    begin = "th1:s=m20:k=2:t=v5000:e=solid3"
    done = command("slam", f"{begin}:{checksum(begin)}")
    assert done.returncode == 0
    assert done.stderr.startswith("note: the throw is of physics version 3; this is ")


def test_a_line_stands_alone():
    said = command("slam", USUAL.line, "--pucks", "4")
    assert said.returncode == 2
    assert "--pucks: not accepted beside a throw as a line" in said.stderr
    refused(pucklab.slam, USUAL.line, pucks=4, said="pucks: not accepted beside a line")
    assert math.isclose(pucklab.slam(USUAL.line).replay.throw.aim_x_mm, 0.1)
