"""Throws: of the physics, of a table, of a script. Each gives the facts that the rules look at."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics import (
    Face,
    InputError,
    ParameterSet,
    ThrowDistribution,
    slam,
    trial_generator,
)
from sim.odds import OddsEntry, Tally, read_entries, wilson
from sim.pokepucks.catalogue import shipped_catalogue
from sim.pokepucks.design import Design
from sim.pokepucks.outcome import Landing, Outcome, missed, outcome_of, outcome_text, parse_outcome
from sim.pokepucks.physicsthrows import PhysicsThrows
from sim.pokepucks.tablethrows import TableThrows, read_table, shipped_table
from sim.pokepucks.throws import ScriptThrows, Shot, Throws
from sim.pokepucks.throwtable import table_csv

PLAIN = shipped_catalogue().find("plain puck")
SLAMMERS = {4: "pikachu", 8: "lapras", 20: "onix"}


def slammer(mass_g: int) -> Design:
    return shipped_catalogue().find(SLAMMERS[mass_g])


def shot(thrown_g: int, *stack: Design, knock_out: bool = False, player: int = 0) -> Shot:
    return Shot(player=player, slammer=slammer(thrown_g), stack=stack, knock_out=knock_out)


def thrown(throws: Throws, what: Shot, count: int, seed: int = 1) -> list[Outcome]:
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
def test_an_outcomes_text_is_read_back_as_the_same(hit: bool, lying: list[Landing]) -> None:
    outcome = Outcome(hit=True, landings=tuple(lying)) if hit else missed(len(lying))
    assert parse_outcome(outcome_text(outcome)) == outcome


@pytest.mark.parametrize("text", ["", "X", "D U-1", "Dnan", "Uinf", "miss", "miss -1", "7", "D 7"])
def test_a_text_that_is_no_outcome_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not accepted; give such as"):
        parse_outcome(text)


@pytest.mark.parametrize("pucks", [1, 2, 8, 17])
def test_physics_throws_at_a_stack_of_any_size_of_a_battle(pucks: int) -> None:
    for outcome in thrown(PhysicsThrows(), shot(8, *(PLAIN,) * pucks), 3):
        assert len(outcome.landings) == pucks


@pytest.mark.parametrize("lying_g", [4, 8, 20])
def test_physics_throws_at_a_lone_slammer_with_and_without_shields(lying_g: int) -> None:
    for shields in (0, 1, 6):
        what = shot(20, slammer(lying_g), *(PLAIN,) * shields, knock_out=True)
        (outcome,) = thrown(PhysicsThrows(), what, 1)
        assert len(outcome.landings) == 1 + shields


def test_physics_throws_at_slammers_in_a_stack_and_as_shields() -> None:
    for stack in ((PLAIN, slammer(20), PLAIN), (slammer(8), slammer(20))):
        (outcome,) = thrown(PhysicsThrows(), shot(8, *stack), 1)
        assert len(outcome.landings) == len(stack)


def test_pp_41_a_throw_at_an_empty_arena_is_a_miss() -> None:
    for throws in (PhysicsThrows(), shipped_table()):
        assert thrown(throws, shot(8), 1) == [missed(0)]


def test_pp_40_a_slam_that_misses_leaves_the_stack_as_it_was() -> None:
    wild = ParameterSet(thrower=ThrowDistribution(aim_sd_mm=100.0))
    outcomes = thrown(PhysicsThrows(parameters=wild), shot(8, *(PLAIN,) * 4), 20)
    misses = [outcome for outcome in outcomes if not outcome.hit]
    assert misses
    assert set(misses) == {missed(4)}


def test_a_throw_of_the_physics_can_be_watched_as_it_was_made() -> None:
    throws, what = PhysicsThrows(), shot(20, *(PLAIN,) * 8)
    again = slam(*throws.scene_and_throw(what, trial_generator(5, 3)))
    assert outcome_of(again.outcome) == throws.throw(what, trial_generator(5, 3))


def test_players_have_throwers_of_their_own() -> None:
    slow = ThrowDistribution(speed_mm_s=1000.0)
    throws = PhysicsThrows(throwers=(slow,))
    speeds = [
        throws.scene_and_throw(shot(8, PLAIN, player=player), trial_generator(1, 0))[1].speed_mm_s
        for player in (0, 1)
    ]
    assert speeds == [1000.0, 5000.0]


def chance(outcomes: list[Outcome], place: int) -> tuple[int, int]:
    return sum(place in outcome.flipped for outcome in outcomes), len(outcomes)


@pytest.mark.parametrize("mass_g", [4, 8, 20])
def test_the_table_flips_as_often_as_its_tallies_say(mass_g: int) -> None:
    entry = next(
        e
        for e in shipped_table().entries
        if e.slammer_g == mass_g and e.knock_out_g is None and e.tally.pieces == 8
    )
    outcomes = thrown(shipped_table(), shot(mass_g, *(PLAIN,) * 8), 2000)
    flips = np.array([len(outcome.flipped) for outcome in outcomes])
    wanted = sum(k * count for k, count in enumerate(entry.tally.flips)) / entry.tally.trials
    assert flips.mean() == pytest.approx(wanted, abs=4 * flips.std() / len(flips) ** 0.5)
    for k, count in enumerate(entry.tally.flips):
        interval = wilson(int((flips == k).sum()), len(flips))
        assert interval.low - 0.02 <= count / entry.tally.trials <= interval.high + 0.02
    outs = np.array([len(outcome.out) for outcome in outcomes])
    wanted = sum(k * count for k, count in enumerate(entry.tally.outs)) / entry.tally.trials
    assert outs.mean() == pytest.approx(wanted, rel=0.15)
    inside = [
        land.distance_mm for o in outcomes for land in o.landings if land.face is not Face.OUT
    ]
    away_mm = entry.tally.distance_um / 1000 / entry.tally.inside
    assert np.mean(inside) == pytest.approx(away_mm, rel=0.08)


def test_the_tables_upper_pucks_flip_more_often_than_its_lower_ones_as_the_tallies_do() -> None:
    outcomes = thrown(shipped_table(), shot(4, *(PLAIN,) * 12), 1500)
    by_place = [chance(outcomes, place)[0] / len(outcomes) for place in range(12)]
    entry = next(
        e
        for e in shipped_table().entries
        if e.slammer_g == 4 and e.knock_out_g is None and e.tally.pieces == 12
    )
    wanted = [count / entry.tally.trials for count in entry.tally.flips_by_place]
    assert by_place == pytest.approx(wanted, abs=0.06)


@pytest.mark.parametrize("lying_g", [4, 8, 20])
def test_the_table_knocks_out_as_often_as_its_tallies_say(lying_g: int) -> None:
    for shields in (0, 2):
        entry = next(
            e
            for e in shipped_table().entries
            if (e.slammer_g, e.knock_out_g, e.tally.pieces) == (20, lying_g, 1 + shields)
        )
        what = shot(20, slammer(lying_g), *(PLAIN,) * shields, knock_out=True)
        interval = wilson(*chance(thrown(shipped_table(), what, 2000), 0))
        q = entry.tally.flips_by_place[0] / entry.tally.trials
        assert interval.low - 0.01 <= q <= interval.high + 0.01


def test_the_table_that_comes_with_pucklab_is_of_its_own_physics() -> None:
    what = shot(20, slammer(8), knock_out=True)
    slams = wilson(*chance(thrown(PhysicsThrows(), what, 150, seed=9), 0))
    drawn = wilson(*chance(thrown(shipped_table(), what, 1000), 0))
    assert slams.low < drawn.high
    assert drawn.low < slams.high


def test_a_stack_that_is_not_in_the_table_is_thrown_at_as_the_nearest() -> None:
    assert len(thrown(shipped_table(), shot(20, *(PLAIN,) * 25), 1)[0].landings) == 25
    own = next(e for e in shipped_table().entries if e.tally.pieces == 8 and e.knock_out_g is None)
    knock_outs = tuple(e for e in shipped_table().entries if e.knock_out_g is not None)
    one = TableThrows(entries=(own, *knock_outs))
    for pucks in (1, 3, 8, 12):
        for outcome in thrown(one, shot(20, *(PLAIN,) * pucks), 50):
            assert len(outcome.landings) == pucks


def test_a_table_of_misses_misses() -> None:
    misses = OddsEntry(
        slammer_g=8.0,
        knock_out_g=None,
        tally=Tally(
            trials=5,
            hits=0,
            flips=(5, 0, 0, 0),
            flips_by_place=(0, 0, 0),
            outs=(5, 0, 0, 0),
            leaning=0,
            distance_um=0,
            slammers_out=0,
        ),
    )
    knock_outs = tuple(e for e in shipped_table().entries if e.knock_out_g is not None)
    throws = TableThrows(entries=(misses, *knock_outs))
    assert set(thrown(throws, shot(8, *(PLAIN,) * 3), 20)) == {missed(3)}


def test_an_odds_file_is_a_table_and_the_shipped_one_fills_in_knock_outs(tmp_path: Path) -> None:
    from tests.commands import pucklab

    done = pucklab("odds", "--trials", "10", "--out", "o.csv", "--workers", "1", cwd=tmp_path)
    assert done.returncode == 0
    table = read_table(tmp_path / "o.csv")
    assert {e.slammer_g for e in table.entries if e.knock_out_g is None} == {4.0, 8.0, 20.0}
    assert all(e.tally.trials == 10 for e in table.entries if e.knock_out_g is None)
    assert any(e.knock_out_g is not None for e in table.entries)


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "has no row of odds"), ("slammer\nonix\n", "line 2 is no row of odds")],
)
def test_a_file_that_is_no_odds_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "o.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        read_table(tmp_path / "o.csv")


def test_a_table_needs_stacks_and_knock_outs() -> None:
    stacks = tuple(e for e in shipped_table().entries if e.knock_out_g is None)
    with pytest.raises(InputError, match="the table has no knock-outs"):
        TableThrows(entries=stacks)


def test_the_shipped_table_has_400_throws_of_every_kind() -> None:
    assert {e.tally.trials for e in shipped_table().entries} == {400}
    assert len(shipped_table().entries) == 3 * 17 + 3 * 3 * 7
    assert read_entries("", "nothing") == ()


def test_the_shipped_table_can_be_made_anew() -> None:
    made = read_entries(table_csv(1), "made anew")
    kinds = [(e.slammer_g, e.knock_out_g, e.tally.pieces) for e in shipped_table().entries]
    assert [(e.slammer_g, e.knock_out_g, e.tally.pieces) for e in made] == kinds


def test_a_script_gives_its_outcomes_in_order_and_for_the_right_stack_only() -> None:
    script = ScriptThrows(["D U30", missed(2), "D U"])
    what = shot(8, PLAIN, PLAIN)
    assert [outcome.hit for outcome in thrown(script, what, 2)] == [True, False]
    with pytest.raises(InputError, match="script: throw 3: 'D U' is not accepted; the stack has 1"):
        script.throw(shot(8, PLAIN), trial_generator(1, 1))


@pytest.mark.parametrize("throws", [PhysicsThrows(), shipped_table()], ids=["physics", "table"])
def test_the_same_random_numbers_give_the_same_outcome(throws: Throws) -> None:
    what = shot(8, *(PLAIN,) * 6)
    assert thrown(throws, what, 4) == thrown(throws, what, 4)
