"""The example log that comes with pucklab."""

from importlib.resources import files

from calibration.throws.log import example_log


def test_the_shipped_example_is_what_makes_it() -> None:
    """Other processors may round the last bit otherwise, and so change a throw or two."""
    shipped = (files("calibration.throws") / "example.csv").read_text(encoding="utf-8")
    rows = list(zip(shipped.splitlines(), example_log().splitlines(), strict=True))
    assert sum(row == made for row, made in rows) >= 0.9 * len(rows)
