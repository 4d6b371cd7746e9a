"""Parameter files that calibration writes are read back as what was fitted."""

import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.parameter_files import FittedConstant, parameter_file, parameters_from
from physics import InputError, ParameterSet


def constant(
    name: str = "friction", value: float = 0.3, section: str = "materials", source: str = "ramps"
) -> FittedConstant:
    return FittedConstant(
        section=section,
        name=name,
        value=value,
        uncertainty=0.01,
        source=source,
        fitted_on="9 ramps",
        not_fitted_on="slams",
    )


@given(st.floats(0.0, 1.5), st.floats(500.0, 10_000.0))
def test_values_come_back_to_the_last_digit(friction: float, speed_mm_s: float) -> None:
    text = parameter_file(
        [constant(value=friction), constant("speed_mm_s", speed_mm_s, section="thrower")]
    )
    table = tomllib.loads(text)
    assert table.pop("schema") == 1
    found = parameters_from(table)
    assert found.materials.friction == friction
    assert found.thrower.speed_mm_s == speed_mm_s
    assert found.lift_off == ParameterSet().lift_off


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_any_words_come_back_as_they_were(words: str) -> None:
    table = tomllib.loads(parameter_file([constant(source=words)]))
    assert table["materials"]["friction"].get("source", "") == words


def test_what_is_known_of_a_constant_stands_beside_it() -> None:
    entry = tomllib.loads(parameter_file([constant()]))["materials"]["friction"]
    assert entry == {
        "value": 0.3,
        "uncertainty": 0.01,
        "source": "ramps",
        "fitted_on": "9 ramps",
        "not_fitted_on": "slams",
    }


def test_what_is_not_known_of_a_constant_is_left_out() -> None:
    bare = replace(constant(source=""), uncertainty=None, fitted_on="", not_fitted_on="")
    assert tomllib.loads(parameter_file([bare]))["materials"]["friction"] == {"value": 0.3}


def test_a_heading_is_a_comment() -> None:
    text = parameter_file([constant()], "made by hand\n\nfor a test")
    assert text.startswith("# made by hand\n#\n# for a test\nschema = 1\n")
    assert tomllib.loads(text)["schema"] == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (constant(value=9.0), r"\[materials\] friction: 9.0"),
        (constant(value=float("nan")), r"\[materials\] friction: nan"),
        (constant("frction"), r"\[materials\] frction: no such field"),
        (constant(section="material"), r"\[material\] is no section"),
    ],
)
def test_a_file_that_no_command_would_take_is_not_written(wrong: FittedConstant, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parameter_file([wrong])
