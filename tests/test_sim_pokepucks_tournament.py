"""Tournaments: the same for any order, number of workers and number of stops."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics import InputError
from sim.odds import empty_tally
from sim.pokepucks.battle.table import BattleOptions, Mode
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import Deed, Design, OwnRule
from sim.pokepucks.throw_sources import OddsEntry, OddsThrows, PhysicsThrows, shipped_table
from sim.pokepucks.tournament import (
    Contest,
    PairRow,
    PairTally,
    battle_seed,
    contest_hash,
    knock_out_rates,
    pairs_of,
    play_pair,
    read_results,
    results_csv,
    run_tournament,
    standings_of,
)

CONTEST = Contest(throws=shipped_table(), options=BattleOptions(max_turns=5))


def slammers(*names: str) -> list[Design]:
    return [shipped_catalogue().find(name) for name in names]


PAIRS = pairs_of(slammers("onix", "pikachu", "lapras"))

tallies = st.builds(
    lambda wins, losses, drawn, **others: PairTally(
        battles=wins + losses + drawn, wins=wins, losses=losses, **others
    ),
    *[st.integers(0, 50)] * 3,
    **dict.fromkeys(
        ("first_wins", "turns", "throws", "attempts", "knock_outs", "attempts_against"),
        st.integers(0, 500),
    ),
)


def played(battles: int, **others: object) -> tuple[PairTally, ...]:
    *_, last = run_tournament(CONTEST, PAIRS, battles=battles, seed=3, **others)  # type: ignore[arg-type]
    assert (last.done, last.total) == (battles * len(PAIRS),) * 2
    return last.tallies


@given(st.lists(tallies, max_size=6), st.randoms())
def test_tallies_add_up_in_any_order(many: list[PairTally], random: object) -> None:
    forward = sum(many, PairTally())
    random.shuffle(many)  # type: ignore[attr-defined]
    assert sum(many, PairTally()) == forward


@given(tallies)
def test_the_other_slammer_lost_what_the_first_won(tally: PairTally) -> None:
    assert tally.turned.turned == tally
    assert (tally.turned.wins, tally.turned.draws) == (tally.losses, tally.draws)


@given(st.lists(tallies, min_size=len(PAIRS), max_size=len(PAIRS)))
def test_a_results_file_is_read_back_as_the_same(many: list[PairTally]) -> None:
    rows = [
        PairRow(pair=pair, tally=tally, seed=1, version="0", contest_hash=str(place))
        for place, (pair, tally) in enumerate(zip(PAIRS, many, strict=True))
    ]
    read = read_results(results_csv(rows), "file")
    assert list(read.values()) == many
    assert [(key.contest_hash, key.seed, key.version) for key in read] == [
        (row.contest_hash, 1, "0") for row in rows
    ]


@pytest.mark.parametrize("text", ["slammer\nonix\n", "contest_hash,seed,version\na,x,0\n"])
def test_a_file_of_something_else_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="file: line 2 is no row of a tournament"):
        read_results(text, "file")


def test_the_result_does_not_depend_on_the_workers() -> None:
    with ThreadPoolExecutor(3) as executor:
        assert played(4, executor=executor) == played(4)


def test_a_tournament_that_was_stopped_goes_on_to_the_same_result() -> None:
    whole = played(5)
    for stop in (1, 4):
        states = run_tournament(CONTEST, PAIRS, battles=5, seed=3)
        begun = [next(states) for _ in range(stop)][-1].tallies
        assert played(5, begin=begun) == whole


def test_a_pairs_result_does_not_depend_on_who_else_takes_part() -> None:
    alone = pairs_of(slammers("lapras", "onix"))
    *_, last = run_tournament(CONTEST, alone, battles=3, seed=3)
    assert last.tallies[0] == played(3)[PAIRS.index(alone[0])]


def test_battles_have_seeds_of_their_own_and_each_slammer_is_first_in_half_of_them() -> None:
    seeds = {battle_seed(pair, 3, number) for pair in PAIRS for number in range(10)}
    assert len(seeds) == 10 * len(PAIRS)
    one, two = (play_pair(CONTEST, PAIRS[0], 3, first, 1) for first in (0, 1))
    assert play_pair(CONTEST, PAIRS[0], 3, 0, 2) == one + two


def test_what_the_battles_are_goes_into_the_hash() -> None:
    other = (
        Contest(throws=shipped_table()),
        Contest(throws=shipped_table(), options=CONTEST.options, policy="random"),
        Contest(throws=PhysicsThrows(), options=CONTEST.options),
        Contest(throws=shipped_table(), options=BattleOptions(max_turns=5, mode=Mode.WILD)),
    )
    hashes = [contest_hash(contest, PAIRS[0]) for contest in (CONTEST, *other)]
    assert len({*hashes, contest_hash(CONTEST, PAIRS[1])}) == 6


def test_a_hash_is_the_same_after_battles_were_played() -> None:
    tally = replace(empty_tally(1), trials=2, hits=2, flips=(1, 1), flips_by_place=(1,))
    odds = OddsEntry(slammer_g=8.0, knock_out_g=None, tally=tally)
    contest = Contest(throws=OddsThrows(entries=(odds,)), options=CONTEST.options)
    before = contest_hash(contest, PAIRS[0])
    play_pair(contest, PAIRS[0], 1, 0, 1)
    assert contest_hash(contest, PAIRS[0]) == before


def test_standings_count_every_battle_of_a_slammer() -> None:
    won = PairTally(battles=4, wins=3, losses=1, attempts=5, knock_outs=3, attempts_against=2)
    drawn = PairTally(battles=2)
    (first, _second), (_, third), _ = PAIRS  # Lapras, Onix, Pikachu
    found = standings_of(PAIRS, (won, drawn, PairTally()))
    shares = {standing.slammer.name: standing.won.value for standing in found}
    assert shares == {first.name: 0.5, "Onix": 0.25, third.name: 0.0}
    assert found[0].slammer == first
    rates = {rate.slammer_g: rate.attempts for rate in knock_out_rates(PAIRS, (won, drawn, drawn))}
    assert rates == {8.0: 5, 20.0: 2}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("onix",), "slammers: 1 is not accepted; give at least 2"),
        (("onix", "Onix"), "slammers: 'Onix' is there twice"),
        (("onix", "potion"), "slammers: 'Potion' is no slammer"),
    ],
)
def test_slammers_that_make_no_tournament_are_refused(names: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        pairs_of(slammers(*names))


def test_a_tournament_with_simulated_physics_is_played_to_the_end() -> None:
    contest = Contest(options=BattleOptions(max_turns=2))
    tally = play_pair(contest, PAIRS[0], 1, 0, 2)
    assert tally.battles == 2
    assert tally.throws >= tally.turns / 2


def test_wins_of_the_one_who_began_are_counted_when_that_is_not_the_first_seat() -> None:
    pair = slammers("onix", "pikachu")
    contest = replace(CONTEST, options=BattleOptions(max_turns=40, first="Onix"))
    tally = play_pair(contest, (pair[0], pair[1]), 1, 0, 12)
    assert tally.first_wins == tally.wins > 6


def test_special_rules_of_ones_own_are_part_of_what_identifies_a_tournament() -> None:
    pair = (PAIRS[0][0], PAIRS[0][1])
    deed = Deed(verb="give status", status="Confused", player="next")
    rule = OwnRule(name="Ray", listing="Ray", kind="item", when="after topping off", does=(deed,))
    other = replace(CONTEST, catalogue=replace(CONTEST.catalogue, rules=(rule,)))
    assert contest_hash(other, pair) != contest_hash(CONTEST, pair)
