"""Pucks and slammers: mass properties from their parts, and what is no piece."""

import math

import pytest

from physics import Puck, Slammer, mass_properties, puckdex_slammer
from physics.pieces import INSERT_MAX_G, PIECE_RADIUS_MM
from tests.refusals import refused


def test_a_solid_disc_has_the_moments_of_a_cylinder():
    full = Slammer(mass_g=10.0, thickness_mm=8.0, fill_fraction=1.0)
    mass = mass_properties(full)
    assert mass.centre_mm == pytest.approx(0.0, abs=1e-12)
    assert mass.moment_axis_g_mm2 == pytest.approx(10.0 * PIECE_RADIUS_MM**2 / 2)
    assert mass.moment_diameter_g_mm2 == pytest.approx(
        10.0 * (PIECE_RADIUS_MM**2 / 4 + 8.0**2 / 12)
    )


def test_a_puck_is_heavier_below_than_on_its_face():
    assert -0.4 < mass_properties(Puck()).centre_mm < 0.0


def test_mass_is_the_mass_asked_for():
    for piece in (Puck(mass_g=1.1), Slammer(mass_g=3.0, thickness_mm=2.0), puckdex_slammer(20.0)):
        assert mass_properties(piece).mass_g == pytest.approx(piece.mass_g)


def test_a_steel_ring_has_the_moments_of_a_hollow_cylinder():
    body, whole = mass_properties(Slammer(mass_g=4.0)), mass_properties(puckdex_slammer(20.0))
    ring_axis = 16.0 * (7.0**2 + 17.6**2) / 2
    assert whole.moment_axis_g_mm2 == pytest.approx(body.moment_axis_g_mm2 + ring_axis)


def test_a_slammer_of_the_puckdex_has_its_ring_only_where_it_has_room():
    assert puckdex_slammer(4.0).insert_g == 0.0
    assert puckdex_slammer(8.0).insert_g == 4.0
    assert puckdex_slammer(10.0, 2.0).insert_g == 0.0
    assert puckdex_slammer(24.0, 8.0).insert_g == pytest.approx(INSERT_MAX_G)


def test_unofficial_pieces_may_be_asked_for():
    assert Slammer(mass_g=30.0, unofficial=True).mass_g == 30.0
    assert Puck(mass_g=3.0, unofficial=True).mass_g == 3.0


@pytest.mark.parametrize(
    ("piece", "given", "said"),
    [
        *(
            (Puck, {"mass_g": mass_g}, "^puck_g: ... give a number from 1 to 2 g")
            for mass_g in (-1.5, 0.0, 0.99, 2.01, math.nan, math.inf, "heavy", True)
        ),
        *(
            (Slammer, {"mass_g": mass_g}, "^slammer_g: ... give a number from 2 to 24 g")
            for mass_g in (-4.0, 1.9, 24.1, 30.0, math.nan)
        ),
        *(
            (Slammer, {"mass_g": 8.0, "thickness_mm": mm}, "^thickness_mm: ... from 1.6 to 8 mm")
            for mm in (0.0, 1.5, 8.1, math.nan)
        ),
        (
            Slammer,
            {"mass_g": 24.0, "thickness_mm": 1.6},
            "slammer_g: 24 g at 41.23 x 1.6 mm would have 19.9 g/cm3; give 0.121 to 13.8 g",
        ),
        (Slammer, {"mass_g": 24.0, "insert_g": 20.0}, "^insert_g"),
        (Puck, {"ring_width_mm": 0.5}, "^ring_width_mm: 0.5 ... from 1 to"),
        (Puck, {"diameter_mm": 9.0}, "^puck_diameter_mm: 9.0 ... from 10 to 200 mm"),
        (Puck, {"diameter_mm": math.nan}, "^puck_diameter_mm: nan ... from 10 to 200 mm"),
        (
            Puck,
            {"diameter_mm": 20.0, "thickness_mm": 12.0},
            "^puck_thickness_mm: ... half of the diam",
        ),
        (
            Puck,
            {"diameter_mm": 30.0, "mass_g": 60.0},
            "^puck_g: 60 g at 30 x 1.6 mm ... give 0.0329 to 14.5 g, which",
        ),
    ],
)
def test_a_piece_that_cannot_be_is_refused(piece, given, said):
    refused(piece, said=said, **given)
