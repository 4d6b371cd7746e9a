"""Parameter files: what they set, and what they refuse."""

import pytest

from calibration.parameter_files import parameters_from
from physics import InputError, ParameterSet


def test_a_value_stands_alone_or_with_what_is_known_of_it() -> None:
    found = parameters_from(
        {
            "materials": {"restitution": 0.4},
            "thrower": {
                "speed_mm_s": {
                    "value": 4200.0,
                    "uncertainty": 150.0,
                    "source": "phone video, 30 throws",
                    "fitted_on": "speeds",
                    "not_fitted_on": "flips",
                }
            },
        }
    )
    assert found.materials.restitution == 0.4
    assert found.thrower.speed_mm_s == 4200.0
    assert found.lift_off == ParameterSet().lift_off


def test_an_empty_file_changes_nothing() -> None:
    assert parameters_from({}) == ParameterSet()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"material": {}}, r"params: \[material\] is no section; give materials"),
        ({"thrower": 3}, r"params: \[thrower\] is no section"),
        ({"thrower": {"speed": 3}}, r"params: \[thrower\] speed: no such field; give speed_mm_s"),
        ({"materials": {"friction": 9.0}}, r"params: \[materials\] friction: 9.0 .* from 0 to 1.5"),
        ({"materials": {"friction": {"sd": 1}}}, r"friction.sd: no such key; give value"),
        ({"materials": {"friction": {"source": "x"}}}, r"friction: no value"),
        ({"materials": {"friction": "rough"}}, r"friction: 'rough'"),
    ],
)
def test_what_is_not_accepted_is_named(table: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        parameters_from(table)
