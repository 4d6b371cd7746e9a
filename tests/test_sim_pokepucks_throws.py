"""Throws: of the physics, of a table, of a script. Each gives the facts that the rules look at."""

import io
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.physics import (
    PHYSICS_VERSION,
    Face,
    ParameterSet,
    ThrowDistribution,
    slam,
    trial_generator,
)
from pucklab.physics.slam import MAX_PLANE_STACK as MOST
from pucklab.physics.solid.engine import throw_trials
from pucklab.sim.odds import Tally, empty_tally
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import slammer_of
from pucklab.sim.pokepucks.throw_sources import (
    BLOCKS,
    MISSED,
    OddsEntry,
    OddsThrows,
    PhysicsThrows,
    TableThrows,
    kind_named,
    read_odds_throws,
    shipped_table,
)
from pucklab.sim.pokepucks.throws import (
    Landing,
    Outcome,
    Shot,
    ThrowKind,
    missed,
    outcome_of,
    outcome_text,
    parse_outcome,
)
from tests.refusals import refused
from tools import throw_table
from tools.throw_table import SEED, add_throws, deal, pack_table, scenes, slams_of, throw

PLAIN = shipped_catalogue().find("plain puck")
SLAMMERS = {4: "pikachu", 8: "lapras", 20: "onix"}


def slammer(mass_g):
    return shipped_catalogue().find(SLAMMERS[mass_g])


def shot(thrown_g, *stack, knock_out=False, player=0):
    return Shot(player=player, slammer=slammer(thrown_g), stack=stack, knock_out=knock_out)


def thrown(throws, what, count, seed=1):
    return [throws.throw(what, trial_generator(seed, trial)) for trial in range(count)]


landings = st.lists(
    st.builds(
        Landing,
        st.sampled_from(Face),
        st.integers(0, 300_000).map(lambda micrometres: micrometres / 1000),
    ),
    min_size=1,
    max_size=9,
)


@given(st.booleans(), landings)
def test_an_outcomes_text_is_read_back_as_the_same(hit, lying):
    outcome = Outcome(hit=True, landings=tuple(lying)) if hit else missed(len(lying))
    assert parse_outcome(outcome_text(outcome)) == outcome


@pytest.mark.parametrize("text", ["", "X", "D U-1", "Dnan", "Uinf", "miss", "miss -1", "7", "D 7"])
def test_a_text_that_is_no_outcome_is_refused(text):
    refused(parse_outcome, text, said="is not accepted; give such as")


@pytest.mark.parametrize(
    "what",
    [
        *(shot(8, *(PLAIN,) * pucks) for pucks in (1, 2, 8, 17)),
        shot(8, PLAIN, slammer(20), PLAIN),
        shot(8, slammer(8), slammer(20)),
        *(shot(20, slammer(lying_g), *(PLAIN,) * shields, knock_out=True)
          for lying_g in SLAMMERS for shields in (0, 1, 6)),
    ],
)  # fmt: skip
def test_physics_throws_at_any_stack_slammer_or_shields_of_a_battle(what):
    (outcome,) = thrown(PhysicsThrows(), what, 1)
    assert len(outcome.landings) == len(what.stack)


def test_in_a_stack_too_high_for_the_physics_the_lowest_pucks_lie_still():
    high, highest = (shot(20, *(PLAIN,) * pucks) for pucks in (MOST + 2, MOST))
    (outcome,) = thrown(PhysicsThrows(), high, 1)
    (above,) = thrown(PhysicsThrows(), highest, 1)
    assert outcome.landings == (Landing(Face.DOWN),) * 2 + above.landings


def test_under_shields_too_many_for_the_physics_the_slammer_is_still_thrown_at():
    what = shot(20, slammer(4), *(PLAIN,) * (MOST + 1), knock_out=True)
    scene, _ = PhysicsThrows().scene_and_throw(what, trial_generator(1, 0))
    assert len(scene.stack) == MOST
    assert scene.stack[0] == slammer_of(slammer(4))
    (outcome,) = thrown(PhysicsThrows(), what, 1)
    assert outcome.landings[1:3] == (Landing(Face.DOWN),) * 2


def test_pp_40_a_slam_that_misses_leaves_the_stack_as_it_was():
    wild = ParameterSet(thrower=ThrowDistribution(aim_sd_mm=100.0))
    outcomes = thrown(PhysicsThrows(parameters=wild), shot(8, *(PLAIN,) * 4), 20)
    misses = [outcome for outcome in outcomes if not outcome.hit]
    assert misses
    assert set(misses) == {missed(4)}


def test_a_throw_of_the_physics_can_be_watched_as_it_was_made():
    throws, what = PhysicsThrows(), shot(20, *(PLAIN,) * 8)
    again = slam(*throws.scene_and_throw(what, trial_generator(5, 3)))
    assert outcome_of(again.outcome) == throws.throw(what, trial_generator(5, 3))


def test_players_have_throwers_of_their_own():
    slow = ThrowDistribution(speed_mm_s=1000.0)
    throws = PhysicsThrows(throwers=(slow,))
    speeds = [
        throws.scene_and_throw(shot(8, PLAIN, player=player), trial_generator(1, 0))[1].speed_mm_s
        for player in (0, 1)
    ]
    assert speeds == [1000.0, 5000.0]


def stack_of(pieces, slammer_g=8.0):
    return ThrowKind(slammer_g=slammer_g, knock_out_g=None, pieces=pieces)


def table(*rows):
    """Return a table with rows such as ``8,,2,D1U60 D1D1``."""
    slams = {}
    for name, _, words in (row.rpartition(",") for row in rows):
        kind = kind_named(name)
        told = [missed(kind.pieces) if w == "miss" else parse_outcome(w) for w in words.split()]
        slams[kind] = slams_of(told)
    about = {"engine": "solid", "physics": 1, "seed": 1, "throws": slams[kind].shape[2]}
    return TableThrows(data=pack_table(slams, about))


def test_a_throw_of_the_table_is_one_of_its_slams_whole():
    slams = {column.tobytes() for column in shipped_table().slams(stack_of(8)).T}
    outcomes = thrown(shipped_table(), shot(8, *(PLAIN,) * 8), 50)
    assert {slams_of([outcome]).T.tobytes() for outcome in outcomes} <= slams
    assert len(set(outcomes)) > 20


def test_every_slam_of_a_kind_is_as_likely_as_another():
    two = table("8,,2,D1U60 D1D1")
    flips = sum(len(o.flipped) for o in thrown(two, shot(8, PLAIN, PLAIN), 400))
    assert 160 <= flips <= 240


KINDS = ("4,,1,U1", "20,,1,D2", "20,4,1,D3", "20,8,1,D4", "20,20,1,D5")


@pytest.mark.parametrize(
    ("rows", "what", "text"),
    [
        (KINDS, shot(4, PLAIN), "U1"),
        (KINDS, shot(20, PLAIN), "D2"),
        *((KINDS, shot(20, slammer(mass_g), knock_out=True), text)
          for mass_g, text in zip(SLAMMERS, ("D3", "D4", "D5"), strict=True)),
        # Pucks more than in the table lie still at the bottom, or on the slammer thrown at.
        (["8,,3,D5U60O200"], shot(8, *(PLAIN,) * 5), "D D D5 U60 O"),
        (["8,,3,D5U60O200"], shot(8, PLAIN, PLAIN), "U60 O"),
        (["8,8,2,U30D40"], shot(8, slammer(8), *(PLAIN,) * 3, knock_out=True), "U30 D D D40"),
        (["8,8,3,U30D4D9"], shot(8, slammer(8), PLAIN, knock_out=True), "U30 D9"),
        (["8,,3,miss"], shot(8, *(PLAIN,) * 3), "miss 3"),
        (["8,,3,miss"], shot(8, *(PLAIN,) * 4), "miss 4"),
        # Distances of 16 mm and more are rounded to a sixteenth.
        (["8,,4,D15.4L17D33U203"], shot(8, *(PLAIN,) * 4), "D15 L16 D32 U208"),
    ],
)  # fmt: skip
def test_a_throw_is_drawn_from_the_nearest_kind_of_the_table(rows, what, text):
    assert [outcome_text(outcome) for outcome in thrown(table(*rows), what, 1)] == [text]


def test_the_shipped_table_is_sent_to_other_processes_by_name_and_others_as_their_data():
    assert len(pickle.dumps(shipped_table())) < 200
    for own in (shipped_table(), table(*KINDS)):
        again = pickle.loads(pickle.dumps(own))
        assert again == own
        assert pickle.loads(pickle.dumps(own)) is again


def test_the_shipped_table_is_small_and_has_as_many_slams_of_every_kind():
    shipped = shipped_table()
    assert len(shipped.data) < 2_000_000
    assert len(shipped.kinds) == 3 * 17 + 3 * 3 * 7
    assert shipped.blocks == BLOCKS
    for kind in shipped.kinds:
        faces, far_mm = shipped.slams(kind)
        assert faces.shape == far_mm.shape == (kind.pieces, shipped.throws)
        assert (faces == MISSED).any(axis=0).sum() == (faces == MISSED).all(axis=0).sum()


def test_the_shipped_table_is_what_makes_it():
    """Other processors may round the last bit otherwise, and so change a slam or two."""
    shipped, found = shipped_table(), []
    assert (shipped.engine, shipped.physics, shipped.seed) == ("solid", PHYSICS_VERSION, SEED)
    made = dict(scenes())
    assert set(made) == set(shipped.kinds)
    for kind, scene in made.items():
        first = slams_of(map(outcome_of, throw(scene, 0, 2)))
        found += [any((first[..., [k]] == shipped.slams(kind, k)).all(axis=(0, 1))) for k in (0, 1)]
    assert sum(found) >= 0.9 * len(found)


FEW = [(kind, scene) for kind, scene in scenes() if kind.pieces == 2]


def test_a_table_that_was_stopped_comes_to_the_same_as_one_made_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(throw_table, "scenes", lambda: iter(FEW[:2]))
    monkeypatch.setattr(throw_table, "_ROUND", BLOCKS)
    once, stopped = tmp_path / "once.npz", tmp_path / "stopped.npz"
    assert [*add_throws(once, 3 * BLOCKS)] == [20, 40, 60]
    next(add_throws(stopped, 3 * BLOCKS))
    assert [*add_throws(stopped, 3 * BLOCKS)] == [40, 60]
    assert once.read_bytes() == stopped.read_bytes()
    monkeypatch.setattr(throw_table, "PHYSICS_VERSION", PHYSICS_VERSION + 1)
    assert next(add_throws(stopped, 3 * BLOCKS)) == 20  # other physics: begun anew


def test_every_trial_is_in_the_block_of_its_number_in_all_kinds():
    for kind, scene in FEW[:2]:
        for first in (0, 7):
            one = slams_of(map(outcome_of, throw(scene, first, 1)))
            trials = slams_of(map(outcome_of, throw(scene, 0, BLOCKS)))
            own = deal(trials[:, :, :0], trials)[:, :, [first]]
            assert (own == one).all(), kind


def test_a_throw_that_gained_energy_is_replaced_by_another(monkeypatch):
    def trials(scene, thrower, seed, first, count):
        real = throw_trials(scene, thrower, seed, first, count)
        yield from (None if trial == 1 else slam for trial, slam in enumerate(real, first))

    (_, scene), *_ = FEW
    usual = [*throw(scene, 0, 3)]
    monkeypatch.setattr(throw_table, "throw_trials", trials)
    spare = [*throw(scene, 0, 3)]
    assert [a == b for a, b in zip(usual, spare, strict=True)] == [True, False, True]


ABOUT = {"engine": "solid", "physics": 1, "seed": 1, "throws": 1}
GOOD = table("8,,2,D1U60").data


def packed(about=ABOUT, slams=None, name="8,,2"):
    file = io.BytesIO()
    np.savez(file, about=np.array(json.dumps(about)), **({} if slams is None else {name: slams}))
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "throws: no table of throws: "),
        (b"throws", "throws: no table of throws: "),
        (GOOD[:-99], "throws: no table of throws: "),
        (packed(), "throws: no kind of throw"),
        (packed(ABOUT | {"throws": 0}), "no table of throws: about throws: 0 is not accepted"),
        (packed({"engine": "solid"}), "no table of throws: about physics: missing"),
        (packed(slams=np.zeros(1), name="8,2"), "no table of throws: "),
        (packed(slams=np.zeros(1), name="8,,b"), "no table of throws: "),
        (packed(slams=np.zeros((2, 2, 2), np.uint8)), "throws: 8,,2: uint8 of shape (2, 2, 2)"),
        (packed(slams=np.zeros((2, 2, 1))), "throws: 8,,2: float64 of shape (2, 2, 1)"),
        (packed(slams=np.full((2, 2, 1), 9, np.uint8)), "throws: 8,,2: 9 is no face"),
        (packed(slams=np.array([{}])), "throws: 8,,2: Object arrays cannot be loaded"),
        (GOOD.replace(b"8,,2.npy", b"8,,3.npy", 1), "throws: 8,,2: "),
    ],
)
def test_a_file_that_is_no_table_of_throws_is_refused(data, said):
    refused(lambda: TableThrows(data=data).slams(stack_of(2)), said=said)


ODDS = Tally(
    trials=100,
    hits=80,
    flips=(60, 30, 10, 0),
    flips_by_place=(0, 10, 40),
    outs=(90, 10, 0, 0),
    leaning=0,
    distance_um=9_000_000,
    slammers_out=0,
)
"""What 100 throws at three pucks came to; 20 of them missed."""


def odds(tally=ODDS, slammer_g=8.0):
    return OddsThrows(entries=(OddsEntry(slammer_g=slammer_g, knock_out_g=None, tally=tally),))


def test_throws_drawn_from_odds_hit_flip_leave_and_scatter_as_they_say():
    outcomes = thrown(odds(), shot(8, *(PLAIN,) * 3), 3000)
    flips = np.array([len(outcome.flipped) for outcome in outcomes])
    for k, count in enumerate(ODDS.flips):
        assert (flips == k).mean() == pytest.approx(count / 100, abs=0.03)
    assert np.mean([outcome.hit for outcome in outcomes]) == pytest.approx(0.8, abs=0.03)
    assert np.mean([len(outcome.indices(Face.OUT)) for outcome in outcomes]) == pytest.approx(
        0.1, abs=0.02
    )
    low, middle, top = (sum(k in outcome.flipped for outcome in outcomes) for k in range(3))
    assert low == 0
    assert 0 < middle < 0.6 * top
    inside = [
        landing.distance_mm
        for outcome in outcomes
        for landing in outcome.landings
        if outcome.hit and landing.face is not Face.OUT
    ]
    # 300 pieces, of which 60 were missed and 10 left the arena: 9,000 mm among 230.
    assert np.mean(inside) == pytest.approx(9000 / 230, rel=0.05)


def test_odds_of_one_stack_are_thrown_at_any():
    for pucks in (1, 3, 8, 12):
        for outcome in thrown(odds(), shot(20, *(PLAIN,) * pucks), 50):
            assert len(outcome.landings) == pucks


def test_odds_of_misses_miss():
    misses = replace(empty_tally(3), trials=5, flips=(5, 0, 0, 0), outs=(5, 0, 0, 0))
    assert set(thrown(odds(misses), shot(8, *(PLAIN,) * 3), 20)) == {missed(3)}


def test_what_odds_lack_is_drawn_from_the_shipped_table():
    what = shot(8, slammer(8), knock_out=True)
    assert thrown(odds(), what, 20) == thrown(shipped_table(), what, 20)


def test_an_odds_file_gives_throws(tmp_path):
    from tests.commands import pucklab

    done = pucklab("odds --trials 10 --out o.csv --workers 1", cwd=tmp_path)
    assert done.returncode == 0
    read = read_odds_throws(tmp_path / "o.csv")
    assert {e.slammer_g for e in read.entries} == {4.0, 8.0, 20.0}
    assert all(e.tally.trials == 10 for e in read.entries)


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "is empty"), ("slammer\nonix\n", "row 1, column experiment: missing")],
)
def test_a_file_that_is_no_odds_file_is_refused(write, text, said):
    refused(read_odds_throws, write("o.csv", text), said=said)


@pytest.mark.parametrize(
    "throws", [PhysicsThrows(), shipped_table(), odds()], ids=["physics", "table", "odds"]
)
def test_the_same_random_numbers_give_the_same_outcome(throws):
    what = shot(8, *(PLAIN,) * 6)
    assert thrown(throws, what, 4) == thrown(throws, what, 4)
