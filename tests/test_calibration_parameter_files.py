"""Parameter files: what they set and refuse; those that calibration writes are read back."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pucklab.base.parsing import parse_toml
from pucklab.calibration.parameter_files import FittedConstant, parameter_file, parameters_from
from pucklab.physics import ParameterSet
from tests.refusals import refused
from tests.tables import cases, toml

CONSTANT = FittedConstant(
    section="materials",
    name="friction",
    value=0.3,
    uncertainty=0.01,
    source="ramps",
    fitted_on="9 ramps",
    not_fitted_on="slams",
)


def written(*constants):
    table = parse_toml(parameter_file(constants, "made by hand\n\nfor a test"), "params")
    assert table.pop("schema") == 1
    return table


@given(st.floats(0.0, 1.5), st.floats(500.0, 10_000.0))
def test_values_come_back_to_the_last_digit(friction, speed_mm_s):
    speed = replace(CONSTANT, section="thrower", name="speed_mm_s", value=speed_mm_s)
    found = parameters_from(written(replace(CONSTANT, value=friction), speed))
    assert found.materials.friction == friction
    assert found.thrower.speed_mm_s == speed_mm_s
    assert found.lift_off == ParameterSet().lift_off


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp"))))
def test_any_words_come_back_as_they_were(words):
    assert written(replace(CONSTANT, source=words))["materials"]["friction"].get("source", "") == (
        words
    )


def test_what_is_known_of_a_constant_stands_beside_it_and_nothing_else():
    notes = {"uncertainty": 0.01, "source": "ramps", "fitted_on": "9 ramps"}
    whole = {"value": 0.3, **notes, "not_fitted_on": "slams"}
    assert written(CONSTANT)["materials"]["friction"] == whole
    bare = replace(CONSTANT, uncertainty=None, source="", fitted_on="", not_fitted_on="")
    assert written(bare)["materials"]["friction"] == {"value": 0.3}


def test_a_heading_is_a_comment():
    text = parameter_file([CONSTANT], "made by hand\n\nfor a test")
    assert text.startswith("# made by hand\n#\n# for a test\nschema = 1\n")


def test_a_value_stands_alone_and_others_stay():
    assert parameters_from({}) == ParameterSet()
    base = parameters_from({"thrower": {"speed_mm_s": 4200}})
    found = parameters_from({"materials": {"restitution": 0.4}}, base)
    assert found.materials.restitution == 0.4
    assert found.thrower.speed_mm_s == 4200.0


@cases(
    "friction said",
    """
    9.0 => friction: 9.0 ... a number from 0 to 1.5
    nan => friction: nan ... a number
    "rough" => friction: 'rough' ... a number from 0 to 1.5
    [0.3] => friction: [0.3] ... a number from 0 to 1.5
    true => friction: True ... a number from 0 to 1.5
    { valu = 1 } => friction valu: no such field; did you mean value?
    { source = "x" } => friction value: missing; give a number
    { value = "0.3" } => friction value: '0.3' ... a number
    { value = 0.3, uncertainty = -5 } => friction uncertainty: -5 ... a number from 0
    { value = 0.3, uncertainty = "x" } => friction uncertainty: 'x' ... a number from 0
    { value = 0.3, uncertainty = [1] } => friction uncertainty: [1] ... a number from 0
    { value = 0.3, source = 3 } => friction source: 3 ... a text
    """,
    toml,
)
def test_a_value_that_is_not_accepted_is_named(friction, said):
    refused(
        parameters_from, {"materials": {"friction": friction}}, said=f"params: materials {said}"
    )


@cases(
    "table said",
    """
    { material = {} } => params: material: no such field; ... materials
    { thrower = 3 } => params: thrower: 3 ... a table
    { thrower = { speed = 3 } } => params: thrower speed: ... speed_mm_s
    """,
    toml,
)
def test_another_section_or_field_is_named(table, said):
    refused(parameters_from, table, said=said)


@cases(
    "change said",
    """
    { value = 9.0 } => params: materials friction: 9.0
    { value = nan } => params: materials friction: nan
    { name = "frction" } => frction: ... mean friction
    { section = "material" } => material: ... materials
    """,
    toml,
)
def test_no_file_is_made_of_another_section_field_or_value(change, said):
    refused(parameter_file, [replace(CONSTANT, **change)], said=said)
