"""Pucks, slammers and scenes: mass properties from their parts, and the limits of each."""

import pytest

from pucklab.physics import Puck, Slammer, mass_properties, puckdex_slammer
from pucklab.physics.pieces import INSERT_MAX_G, PIECE_RADIUS_MM
from pucklab.physics.scene import Arena, Scene
from tests.refusals import refused
from tests.tables import cases, toml


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


@cases("piece given said", "piece_mistakes.txt", toml)
def test_a_piece_that_cannot_be_is_refused(piece, given, said):
    refused({"puck": Puck, "slammer": Slammer}[piece], said=said, **given)


def test_a_stack_is_no_higher_than_four_times_the_diameter_of_its_narrowest_piece():
    narrow = Puck(diameter_mm=10.0, mass_g=0.15, unofficial=True)
    high = (Puck(), *(narrow,) * 24)
    assert Scene(slammer=Slammer(mass_g=4.0), stack=high).stack_height_mm == pytest.approx(40.0)
    said = "41.6 mm is not accepted; give at most 40 mm, four times the narrowest piece's diameter"
    refused(Scene, slammer=Slammer(mass_g=4.0), stack=(narrow, *high), said=said)


@pytest.mark.parametrize("radius_mm", [24.0, 2001.0])
def test_a_piece_is_out_from_25_mm_to_2_m_from_the_centre(radius_mm):
    said = "out_radius_mm: ... give a number from 25 to 2000 mm"
    refused(Arena, box=False, out_radius_mm=radius_mm, said=said)
