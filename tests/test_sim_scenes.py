"""Scenes as a person asks for them."""

from dataclasses import asdict, replace

import pytest

from pucklab.api.scenes import read_options
from pucklab.base.errors import parameters
from pucklab.base.files import read_toml
from pucklab.calibration.parameter_files import parameters_from
from pucklab.physics import Puck, Slammer, Throw, ThrowDistribution
from pucklab.physics.material import MATERIALS
from pucklab.sim.scene.fields import SPREADS, field_of_spec, with_field, with_given
from pucklab.sim.scene.scenes import (
    KnockOut,
    SceneSpec,
    cases_of,
    describe,
    slammers_by_mass,
    slammers_by_name,
    spec_from,
    with_pieces,
)
from tests.refusals import refused
from tests.tables import cases

BASE = SceneSpec(slammers=slammers_by_mass((4.0, 20.0)))
CARDBOARD = MATERIALS["cardboard"]


def test_there_is_a_study_for_each_slammer_at_the_same_stack():
    first, second = (case.study for case in cases_of(BASE))
    assert first.scene.stack == second.scene.stack == (Puck(),) * 10
    assert (first.scene.slammer.mass_g, second.scene.slammer.mass_g) == (4.0, 20.0)


def test_a_knock_out_has_the_lying_slammer_at_the_bottom():
    spec = SceneSpec(
        slammers=BASE.slammers, knock_out=KnockOut(target=Slammer(mass_g=8.0), shields=2)
    )
    stack = cases_of(spec)[0].study.scene.stack
    assert stack == (Slammer(mass_g=8.0), Puck(), Puck())
    assert describe(spec) == (
        "a lone slammer of 8 g under 2 pucks of 1.5 g, thrown at 5 m/s, solid engine"
    )


@pytest.mark.parametrize(
    "change",
    [
        with_given,
        lambda spec, given: with_field(
            spec, field_of_spec("thickness_mm", "sweep"), given["thickness_mm"]
        ),
    ],
)
def test_another_thickness_keeps_mass_and_name(change):
    spec = replace(BASE, slammers=slammers_by_name(("Onix",)))
    (thick,) = change(spec, {"thickness_mm": 8.0}).slammers
    assert (thick.name, thick.slammer.mass_g, thick.slammer.thickness_mm) == ("Onix", 20.0, 8.0)


def test_another_thickness_of_a_puck_is_no_question_of_its_mass():
    """A disc so wide cannot weigh 1 g."""
    wide = with_given(BASE, {"puck_diameter_mm": 100.0, "puck_thickness_mm": 3.0})
    assert with_given(wide, {"puck_thickness_mm": 2.0}).puck.thickness_mm == 2.0


POGS = with_pieces(BASE, "pogs")


@pytest.mark.parametrize(
    ("field", "value", "piece", "changed"),
    [
        ("slammer_g", 15.3, "slammer", {"mass_g": 15.3, "thickness_mm": 1.24}),
        ("thickness_mm", 5.0, "slammer", {"mass_g": 61.72, "thickness_mm": 5.0}),
        ("slammer_diameter_mm", 86.0, "slammer", {"mass_g": 122.4, "diameter_mm": 86.0}),
        ("puck_g", 1.98, "puck", {"mass_g": 1.98, "thickness_mm": 2.0}),
        ("puck_restitution", 0.2, "puck", {"material": replace(CARDBOARD, restitution=0.2)}),
    ],
)
def test_a_disc_of_one_material_stays_one(field, value, piece, changed):
    spec = with_field(POGS, field_of_spec(field, "sweep", POGS), value)
    pieces = {"puck": spec.puck, "slammer": spec.slammers[0].slammer}
    before = {"puck": POGS.puck, "slammer": POGS.slammers[0].slammer}
    for name in pieces:
        own = asdict(before[name]) | (changed if name == piece else {})
        for number in ("mass_g", "diameter_mm", "thickness_mm"):
            assert asdict(pieces[name])[number] == pytest.approx(own[number], rel=2e-3)
    if "material" in changed:
        assert spec.puck.material == changed["material"]
    assert spec.slammers[0].name == f"{spec.slammers[0].slammer.mass_g:g} g"


def test_a_line_on_a_sweep_says_the_engine_of_what_is_thrown():
    planar = replace(BASE, engine="plane")
    wide = with_field(planar, field_of_spec("slammer_diameter_mm", "sweep"), 50.0)
    assert " plane engine, over pucks" in describe(planar, ["pucks"])
    assert "solid engine (the plane" in describe(planar, ["slammer_diameter_mm"], cases_of(wide))


def test_python_takes_the_names_of_the_command_line():
    assert read_options({"slammer_thickness_mm": 5}) == {"thickness_mm": 5.0}


def test_a_scene_file_changes_the_pieces_that_it_names():
    table = {"pieces": "pogs", "slammer": {"mass_g": 15.3}, "puck": {"thickness_mm": 2.0}}
    spec = spec_from(table | {"stack": [{"count": 2}, {"diameter_mm": 82.0}]}, BASE)
    slammer = spec.slammers[0].slammer
    assert (slammer.material, slammer.thickness_mm) == (MATERIALS["brass"], 1.239)
    assert (spec.puck.material, spec.puck.mass_g) == (CARDBOARD, 1.98)
    assert [piece.mass_g for piece in spec.stack] == [1.98, 1.98, 7.922]


@pytest.mark.parametrize(
    ("spec", "field", "said"),
    [
        (
            POGS,
            "restitution",
            "restitution: ... (cardboard); give puck_restitution or slammer_restitution",
        ),
        (replace(BASE, stack=(Puck(),)), "puck_g", "puck_g: ... a stack of its own"),
        (replace(BASE, stack=(Puck(),)), "puck_friction", "puck_friction: ... a stack of its own"),
        (replace(BASE, stack=(Puck(),)), "pucks", "pucks: ... a stack of its own"),
    ],
)
def test_a_number_that_would_move_nothing_is_refused(spec, field, said):
    refused(with_field, spec, field_of_spec(field, "sweep"), 1.0, said=said)


def test_what_no_piece_has_of_its_own_moves_beside_materials_of_pieces():
    spec = with_field(POGS, field_of_spec("hysteresis", "sweep"), 0.5)
    assert spec.parameters.materials.hysteresis == 0.5


def test_a_scene_table_sets_what_it_names_and_leaves_the_rest():
    spec = spec_from(
        {
            "pucks": 8,
            "preset": "fast",
            "slammer": {"mass_g": 12.0, "thickness_mm": 7.0, "insert_g": 0.0},
            "puck": {"mass_g": 1.2},
            "arena": {"side_mm": 400.0},
            "materials": {"friction": 0.2},
            "lift_off": {"drift": 0.5},
            "thrower": {"speed_mm_s": 4000.0},
        },
        BASE,
    )
    (study,) = (case.study for case in cases_of(spec))
    assert study.scene.slammer == Slammer(mass_g=12.0, thickness_mm=7.0)
    assert study.scene.stack == (Puck(mass_g=1.2),) * 8
    assert study.scene.arena.side_mm == 400.0
    assert study.scene.materials.friction == 0.2
    assert study.scene.lift_off.drift == 0.5
    assert study.scene.preset.name == "fast"
    assert study.thrower == ThrowDistribution(speed_mm_s=4000.0)
    assert spec_from({}, spec) == spec


def test_a_slammer_by_mass_is_built_as_the_puckdexs():
    spec = spec_from({"slammer": {"mass_g": 20.0}}, BASE)
    assert spec.slammers[0].slammer.insert_g == 16.0


@cases("text said", "scene_mistakes.txt")
def test_what_is_not_accepted_in_a_scene_file_is_named(text, said, write):
    path = write("scene.toml", text.replace(" | ", "\n"))
    refused(lambda: spec_from(read_toml("scene", path), BASE), said=said)


def test_a_knock_out_table_sets_the_lying_slammer():
    spec = spec_from({"knock_out": {"mass_g": 8.0, "shields": 3}}, BASE)
    assert spec.knock_out == KnockOut(target=Slammer(mass_g=8.0, insert_g=4.0), shields=3)


def test_a_parameter_file_is_a_scene_file(write):
    text = "schema = 1\n[materials.friction]\nvalue = 0.3\nuncertainty = 0.02\n"
    table = read_toml("scene", write("mine.toml", text))
    spec = spec_from(table, BASE)
    assert spec.parameters == parameters_from(table)
    assert spec.parameters.materials.friction == 0.3


EXACT = {"exact": True, "slammer_g": (20.0,), "pucks": 4}


def test_an_exact_throw_has_no_scatter_at_all():
    (case,) = cases_of(with_given(BASE, EXACT))
    study = case.study
    throws = [study.throw(7, trial) for trial in range(3)]
    for throw in throws:
        own = replace(throw, luck=0, tilt_azimuth_rad=0.0)  # which do not move it
        assert own == Throw(speed_mm_s=5000.0, jitter_mm=((0.0, 0.0),) * 4)
    outcomes = [study.outcome(throw) for throw in throws]
    assert outcomes[0] == outcomes[1] == outcomes[2]
    # Nothing turns in a throw that is the same all round.
    assert not outcomes[0].flipped
    assert outcomes[0].slammer.distance_mm == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(
    ("filed", "given", "descent_deg"),
    [({}, {}, 0), ({"descent_min_deg": 9}, {"descent_deg": (20.0, 20.0)}, 20),
     ({"descent_min_deg": 9, "descent_max_deg": 9}, {}, 9), ({"spin_sd_rad_s": 90}, {}, 0)],
)  # fmt: skip
def test_an_exact_throw_keeps_a_descent_that_is_given(filed, given, descent_deg):
    spec = with_given(spec_from({"thrower": filed}, BASE), {**EXACT, **given})
    thrower = spec.parameters.thrower
    assert (thrower.descent_min_deg, thrower.descent_max_deg) == (descent_deg, descent_deg)
    spreads = [value for name, value in asdict(thrower).items() if "_sd_" in name]
    assert spreads == [0.0] * 5


def test_every_scatter_of_a_throw_has_an_option():
    declared = {name for name in parameters(ThrowDistribution) if "_sd_" in name}
    assert declared == set(SPREADS)
