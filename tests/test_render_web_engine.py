"""The Lab's scripts in node: scenes, lines, throws and tallies have Python's bits and words."""

import json
import math
import random
import shutil
import subprocess
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from pucklab.base import kernels
from pucklab.base.errors import InputError
from pucklab.physics import Arena, Material, Puck, Scene, Slammer, Throw, own_piece
from pucklab.physics.material import MATERIALS
from pucklab.physics.materials import Materials
from pucklab.physics.pieces import puckdex_slammer
from pucklab.physics.scene import knock_out_stack, puck_stack
from pucklab.physics.slam_line import SlamSetup, read_slam_line
from pucklab.physics.solid.bodies import scene_block, throw_block
from pucklab.physics.solid.engine import throw_trials
from pucklab.physics.solid.kernel import thrower_block
from pucklab.physics.solid.settings import FAST
from pucklab.physics.tally import empty_tally
from pucklab.render.slams.packing import compute_slam
from pucklab.render.web.lab import SEED, lab_facts
from pucklab.sim.experiments.curve import number_distances
from pucklab.sim.experiments.paired import difference, fit_paired_curve, paired_counts, paired_tally
from pucklab.sim.odds.answers import comparison_answer, odds_answer, sentence
from pucklab.sim.odds.study import OddsRow, run_trials
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions
from pucklab.sim.pokepucks.battle.live import shot_of, throw_generator
from pucklab.sim.pokepucks.battle.match import battle_match
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.battle.questions import ThrowCall
from pucklab.sim.pokepucks.battle.setup_file import SIMPLE_PAIR, house_setup
from pucklab.sim.pokepucks.design_file import puckdex, shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from pucklab.sim.scene.fields import OPTIONS, with_given
from pucklab.sim.scene.hand_throw import AimedThrow
from pucklab.sim.scene.scenes import SceneSpec, cases_of, slammers_by_mass

SOLID = PhysicsThrows(engine="solid")
HERE = Path(__file__).parent
WEB = HERE.parent / "render" / "web"
SCRIPTS = ("pieces.js", "lines.js", "kernels.js", "workers.js", "words.js", "question.js")
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def in_node(what, **asked):
    line = ["node", HERE / "webscripts.js", what, *(WEB / name for name in SCRIPTS)]
    text = json.dumps({"facts": lab_facts(), **asked})
    run = subprocess.run(line, input=text, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def bits(numbers):
    return np.asarray(numbers, dtype="<f8").tobytes().hex()


def random_setups(count):
    """Return slams with unlike pieces, materials, arenas and throws."""
    rng = random.Random(5)
    materials = [None, *MATERIALS.values(), Material(density_g_cm3=1.1, restitution=0.4)]

    def piece(kind):
        if rng.random() < 0.4:
            return (
                Puck(mass_g=rng.uniform(1, 2))
                if kind is Puck
                else puckdex_slammer(rng.uniform(3, 22), rng.choice([2.0, 6.0, 7.7]))
            )
        return own_piece(
            kind,
            diameter_mm=rng.uniform(30, 50),
            thickness_mm=rng.uniform(1, 6),
            material=rng.choice(materials),
        )

    found = []
    while len(found) < count:
        pieces = tuple(piece(Puck) for _ in range(rng.randint(1, 5)))
        stack = rng.choice(
            [puck_stack(rng.randint(1, 20)), pieces, knock_out_stack(puckdex_slammer(8.0), 2)]
        )
        arena = rng.choice(
            [
                Arena(),
                Arena(side_mm=rng.uniform(200, 500), material=MATERIALS["wood"]),
                Arena(box=False, out_radius_mm=300.0),
                Arena(film_gap_um=rng.uniform(5, 1000), air_kg_m3=1.2),
            ]
        )
        usual = Materials(
            restitution=rng.uniform(0.1, 0.8),
            friction=rng.random(),
            hysteresis=rng.choice([0.0, 0.3]),
        )
        throw = Throw(
            speed_mm_s=rng.uniform(500, 9000),
            aim_x_mm=rng.gauss(0, 10),
            tilt_rad=rng.uniform(0, 1),
            rate_z_rad_s=rng.choice([0.0, rng.gauss(0, 1e-6)]),
            jitter_mm=tuple((rng.gauss(0, 1), rng.gauss(0, 1)) for _ in stack),
            luck=rng.randrange(2**53),
        )
        try:
            scene = Scene(slammer=piece(Slammer), stack=stack, arena=arena, materials=usual)
        except InputError:
            continue
        found.append(SlamSetup(scene=scene, throw=throw))
    return found


def test_lines_are_read_and_written_with_the_same_bits():
    setups = random_setups(300)
    for setup, own in zip(setups, in_node("lines", lines=[s.line for s in setups]), strict=True):
        assert own == {
            "line": setup.line,
            "scene": bits(scene_block(setup.scene, FAST)),
            "throwing": bits(throw_block(setup.throw, len(setup.scene.stack))),
        }


BAD = (
    "th1", "pb1:a", "th1:s=m20", "th1:t=v5000", "th1:s=m20:t=v9e9", "th1:s=m20:t=v5000:zzzz",
    "th1:s=m30:t=v5000", "th1:s=m20,m3:t=v5000", "th1:s=m20:k=0:t=v5000", "th1:s=q:t=v5000",
    "th1:t=v5000:s=m20", "th1:s=m20:t=v5000:j=1/2", "th1:s=m20:k=40*m1.2/40:t=v5000",
    "th1:s=mx:t=v5000", "th1:s=m20:k=3*t39,m1.5:t=v5000", "th1:s=m20:a=r9:t=v5000",
    "th1:s=m20:a=o,r9:t=v5000", "th1:s=m20:a=r90:t=v5000", "th1:s=m20:a=s20:t=v5000",
    "th1:s=m20:a=f3:t=v5000", "th1:s=m20:a=f3000:t=v5000", "th1:s=m20:a=a9:t=v5000",
    "th1:s=m20:t=v5000:e=9", "th1:s=m20:p=e7:t=v5000", "th1:s=m20:t=v5000,l1.5",
)  # fmt: skip


def test_bad_lines_are_refused_in_the_same_words():
    for line, own in zip(BAD, in_node("lines", lines=BAD), strict=True):
        with pytest.raises(InputError) as refused:
            read_slam_line(line)
        assert own == {"error": str(refused.value)}, line


QUESTIONS = (
    {"slammer_g": 8.0},
    {"slammer_g": 20.0, "pucks": 12, "speed_m_s": 3.5},
    {"pieces": "pogs", "slammer_g": 30.6},
    {"pieces": "pogs", "slammer_g": 20.0, "pucks": 5, "arena": "none"},
    {
        "slammer_g": 14.0,
        "slammer_material": "steel",
        "puck_diameter_mm": 38.0,
        "puck_material": "wood",
    },
)


def study_of(question):
    """Return the study that the command makes of options."""
    given = {name: OPTIONS[name].read(name, value) for name, value in question.items()}
    return cases_of(with_given(SceneSpec(slammers=slammers_by_mass((8.0,))), given))[0].study


def test_questions_mean_the_scenes_of_the_command():
    for question, own in zip(QUESTIONS, in_node("questions", questions=QUESTIONS), strict=True):
        study = study_of(question)
        assert own["scene"] == bits(scene_block(study.scene, FAST)), question
        assert own["thrower"] == bits(thrower_block(study.thrower))


@pytest.mark.parametrize("trials", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_throws_in_the_page_are_those_of_the_command(trials):
    """Five scenes; with 100 throws each, 500."""
    module = str(kernels.LIBRARIES / "pucklab-wasm32.wasm")
    found = in_node("tallies", questions=QUESTIONS, trials=trials, module=module)
    for question, own in zip(QUESTIONS, found, strict=True):
        study = study_of(question)
        tally = asdict(run_trials(study, SEED, 0, trials))
        assert own["tally"] == json.loads(json.dumps(tally)), question
        outcomes = throw_trials(study.scene, study.thrower, SEED, 0, trials)
        assert own["flips"] == [len(outcome.flipped) for outcome in outcomes]
        assert own["first"] == bits(throw_block(study.throw(SEED, 0), len(study.scene.stack)))


def battle_throws(count):
    """Return slams of whole battles: those of the players, and such as people aim with a flick."""
    rng, found, number = random.Random(11), [], 0
    puck = shipped_catalogue().find("plain puck")
    slammers = [design for design in puckdex() if design.kind.is_slammer]
    while len(found) < count:
        length, number = [*LENGTHS][number % len(LENGTHS)], number + 1
        pair = SIMPLE_PAIR if length == "simple" else None
        chosen = [shipped_catalogue().find_slammer(name, "slammer") for name in pair or ()]
        setup = house_setup(chosen or rng.sample(slammers, 2), BattleOptions(**LENGTHS[length]))
        match = battle_match(setup, [GreedyPlayer()] * 2, SOLID, number, kinds=("greedy",) * 2)
        for step in match.play():
            call = step.before.ask
            if not isinstance(call, ThrowCall):
                continue
            shot = shot_of(match.setup, call)
            aimed = AimedThrow(
                speed_m_s=rng.uniform(0.8, 10),
                direction_deg=rng.uniform(-180, 180),
                aim_x_mm=rng.gauss(0, 15),
                aim_y_mm=rng.gauss(0, 15),
            )
            for by_hand in (None, aimed):
                if by_hand and shot.knock_out:  # and with shields
                    shot = replace(shot, stack=(*shot.stack, *[puck] * rng.randint(1, 6)))
                rng_of_throw = throw_generator(match.seed, call.number)
                scene, throw = SOLID.scene_and_throw(shot, rng_of_throw, by_hand)
                found.append((SlamSetup(scene=scene, throw=throw), shot, step, by_hand))
    return found[:count]


@pytest.mark.parametrize("count", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_throws_of_battles_end_in_the_page_as_for_the_server(count):
    thrown = battle_throws(count)
    stacks = [setup.scene for setup, *_ in thrown]
    assert {scene.is_knock_out for scene in stacks} == {True, False}
    if count > 100:
        assert {scene.slammer.mass_g for scene in stacks} == {4.0, 8.0, 20.0}
        assert any(scene.is_knock_out and len(scene.stack) > 1 for scene in stacks)
    module = str(kernels.LIBRARIES / "pucklab-wasm32.wasm")
    ends = in_node("ends", lines=[setup.line for setup, *_ in thrown], module=module)
    for (setup, shot, step, by_hand), own in zip(thrown, ends, strict=True):
        outcome, _ = compute_slam(setup, ())
        pieces = (*outcome.pieces, outcome.slammer)
        assert own["hit"] == outcome.hit
        assert own["faces"] == [str(piece.face) for piece in pieces], setup.line
        assert own["places"] == bits(
            [part for piece in pieces for part in (piece.x_mm, piece.y_mm)]
        )
        if by_hand is None:
            assert SOLID.outcome(shot, outcome, setup.throw) == step.answer


def test_the_throws_that_the_page_knows_are_those_of_this_physics():
    known = lab_facts()["thrown"]
    assert len(known) == 8, "the physics changed: run 'python -m tools.lab_throws'"
    for mass, own in known.items():
        study = cases_of(SceneSpec(slammers=slammers_by_mass((float(mass),))))[0].study
        outcomes = throw_trials(study.scene, study.thrower, SEED, 0, 4)
        assert own["flips"][:4] == "".join(f"{len(each.flipped):x}" for each in outcomes)
        assert sum(int(digit, 16) for digit in own["flips"]) == sum(
            k * count for k, count in enumerate(own["tally"]["flips"])
        )


def tallied(rng, mean, trials):
    """Return a tally of throws that flip a number of pucks each."""
    flips = [min(round(rng.expovariate(1 / mean)) if mean else 0, 10) for _ in range(trials)]
    total = empty_tally(10)
    histogram = tuple(flips.count(k) for k in range(11))
    places = (sum(flips), *(0,) * 9)
    return replace(total, trials=trials, hits=trials, flips=histogram, flips_by_place=places), flips


def test_answers_have_the_words_of_the_command_on_fifty_tallies():
    rng, cases, said = random.Random(7), [], []
    for number in range(50):
        count = 1 if number % 3 == 0 else rng.choice([2, 3, 5, 8])
        masses = sorted(rng.sample([2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0], count))
        level, slope = rng.choice([0.0, 0.02, 0.4, 1.5]), rng.choice([0.0, 0.0, 0.3, 1.0])
        trials, rows, own = rng.choice([20, 100, 400, 2000]), [], []
        for case in cases_of(SceneSpec(slammers=slammers_by_mass(tuple(masses)))):
            mass_g = case.study.scene.slammer.mass_g
            tally, _ = tallied(rng, level * (1 + slope * math.log(mass_g)), trials)
            rows.append(OddsRow(name=case.name, study=case.study, tally=tally))
            own.append({"slammer_g": mass_g, "tally": asdict(tally)})
        cases.append(own)
        said.append(sentence(odds_answer(rows)))
    assert in_node("answers", cases=cases) == said


def test_comparisons_have_the_words_of_the_command():
    rng, cases, said = random.Random(9), [], []
    for _ in range(30):
        masses, trials = (
            rng.sample([2.0, 4.0, 8.0, 12.0, 20.0, 24.0], 2),
            rng.choice([20, 200, 1000]),
        )
        _, first = tallied(rng, rng.choice([0.3, 1.4]), trials)
        second = [min(max(k + rng.choice([-1, 0, 0, 0, 1, 1]), 0), 10) for k in first]
        if rng.random() < 0.3:
            _, second = tallied(rng, 1.4, trials)
        values = np.array([[[a, b] for a, b in zip(first, second, strict=True)]])
        tally = paired_tally(paired_counts(values))
        curve = fit_paired_curve(tally, 0, number_distances(masses))
        found = [difference(tally, curve, 0, 1, 0)]
        names = [f"{mass:g} g" for mass in masses]
        said.append(sentence(comparison_answer(names, curve.values.tolist(), found, "flips")))
        cases.append({"masses": masses, "flips": [first, second]})
    assert in_node("comparisons", cases=cases) == said
