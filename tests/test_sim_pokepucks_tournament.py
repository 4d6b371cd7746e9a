"""Tournaments and arenas as experiments: what a battle depends on, seats, tallies, intervals."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.sim.experiments import run_to_end
from pucklab.sim.odds import empty_tally
from pucklab.sim.pokepucks import tournament
from pucklab.sim.pokepucks.arena import (
    ARENA,
    entrant_cases,
    play_mirrored,
)
from pucklab.sim.pokepucks.battle import series
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions, Mode
from pucklab.sim.pokepucks.battle.setup_file import house_deck, house_setup
from pucklab.sim.pokepucks.designs import Deed, RuleTable
from pucklab.sim.pokepucks.throw_sources import (
    BLOCKS,
    OddsEntry,
    OddsThrows,
    PhysicsThrows,
    TableThrows,
    shipped_table,
)
from pucklab.sim.pokepucks.tournament import (
    TOURNAMENT,
    BattleTally,
    Contest,
    battle_seed,
    compiled_chunk,
    knock_out_rates,
    pair_cases,
    pairs_of,
    play_pair,
    spawned_seed,
    standings_of,
)
from tests.pokepucksbattles import design
from tests.refusals import refused
from tests.tables import cases, toml
from tests.tallies import tally_of_pairs
from tools.throw_table import pack_table

CONTEST = Contest(throws=shipped_table(), options=BattleOptions(max_turns=5))


def series_noted(monkeypatch):
    """Return a list to which series of battles are added: set-up, kinds and seeds."""
    noted, play = [], tournament.play_series

    def play_series(table, kinds, throws, seeds, **how):
        if not how:  # those that are played again for the table's error are no others
            noted.append((table, tuple(kinds), list(seeds)))
        return play(table, kinds, throws, seeds, **how)

    monkeypatch.setattr(tournament, "play_series", play_series)
    return noted


def slammers(*names):
    return [*map(design, names)]


DECKS = slammers("onix", "eevee", "lapras")
PAIRS = pairs_of(slammers("onix", "pikachu", "lapras"))
OWN = [house_deck(d, size, CONTEST.catalogue) for d, size in zip(DECKS, (14, 15, 16), strict=True)]

some = st.integers(0, 50)
tallies = st.builds(
    lambda points, attempts, knock_outs: BattleTally(
        trials=sum(points),
        by_wins=(points[0] + points[1], points[2]),
        draws=points[1],
        attempts=attempts,
        knock_outs=knock_outs,
    ),
    st.tuples(some, some, some),
    st.tuples(some, some),
    st.tuples(some, some),
)


@given(tallies)
def test_the_other_slammer_lost_what_the_first_won(tally):
    assert tally.turned.turned == tally
    assert (tally.turned.wins, tally.turned.draws) == (tally.losses, tally.draws)
    assert tally.turned.attempts == tally.attempts[::-1]


WON_TWICE = BattleTally(trials=2, by_wins=(0, 2))


@cases(
    "wrong",
    """
    { trials = 1 }
    { draws = 1 }
    { first_wins = 3 }
    { attempts = [1, 0], knock_outs = [2, 0], throws = 9 }
    { knock_outs = [0, 1] }
    { attempts = [1, 1], throws = 1 }
    { turns = -1 }
    { gains = [0, 0, 2, 0, 0, 0] }
    { gains = [0, 0, 1, 0, 0] }
    { gains = [0, 0, 2, 0, 0], even_gains = [0, 1, 1, 0, 1] }
    { by_wins = [1, 0] }
    { by_wins = [0, 1, 1], draws = 2 }
    { by_wins = [3, -1] }
    { by_wins = [2] }
    """,
    toml,
)
def test_counts_that_contradict_each_other_are_refused(wrong):
    WON_TWICE.check()
    counts = {name: tuple(own) if isinstance(own, list) else own for name, own in wrong.items()}
    with pytest.raises(ValueError, match=r"turns|by_wins|contradict"):
        replace(WON_TWICE, **counts).check()


def test_a_pairs_result_depends_on_its_names_and_seed_not_on_who_else_takes_part():
    three, two = (
        run_to_end(TOURNAMENT, pair_cases(CONTEST, slammers(*names)), trials=3, seed=3)
        for names in (("onix", "pikachu", "lapras"), ("lapras", "onix"))
    )
    alone = PAIRS.index(pairs_of(slammers("lapras", "onix"))[0])
    assert two.tallies()[0] == three.tallies()[alone]
    (row,) = two.values()
    assert (row["slammer"], row["opponent"], row["trials"]) == ("Lapras", "Onix", 3)
    seeds = {battle_seed(pair, 3, number) for pair in PAIRS for number in range(10)}
    assert len(seeds) == 10 * len(PAIRS)
    one, other = (play_pair((CONTEST, PAIRS[0]), 3, first, 1) for first in (0, 1))
    assert play_pair((CONTEST, PAIRS[0]), 3, 0, 2) == one + other


def test_each_slammer_of_a_pair_begins_every_other_battle(monkeypatch):
    noted = series_noted(monkeypatch)
    play_pair((CONTEST, PAIRS[0]), 3, 0, 5)
    seeds = [battle_seed(PAIRS[0], 3, number) for number in range(5)]
    begun = {table.names[table.first]: own for table, _, own in noted}
    assert begun == {"Lapras": seeds[::2], "Onix": seeds[1::2]}


@pytest.mark.parametrize("policy", ["greedy", "skilled", "random"])
def test_a_tournament_comes_to_the_same_in_chunks_of_any_size(policy):
    contest = replace(CONTEST, policy=policy)
    tables = [house_setup(PAIRS[0], contest.options)]
    experiment, played = compiled_chunk(TOURNAMENT, tables, [policy] * 2, contest.throws)
    assert (experiment.chunk > 100, played) == (
        (False, "battles by the rules (policy random)")
        if policy == "random"
        else (True, "compiled battles")
    )
    cases = pair_cases(contest, [*PAIRS[0]])
    ways = [run_to_end(each, cases, trials=9, seed=5) for each in (experiment, TOURNAMENT)]
    assert ways[0].csv() == ways[1].csv()


@pytest.mark.slow
def test_compiled_battles_come_to_the_same_as_those_by_the_rules(monkeypatch):
    contest = replace(CONTEST, options=BattleOptions(), policy="skilled")
    compiled = play_pair((contest, PAIRS[0]), 1, 0, 4000)
    for module in (series, tournament):
        monkeypatch.setattr(module, "why_by_rules", lambda *_: "asked for")
    ruled = play_pair((contest, PAIRS[0]), 1, 0, 1000)
    for name in ("wins", "first_wins", "turns", "throws", "attempts", "knock_outs"):
        most = 4 * ruled.trials**0.5 * (1 if "wins" in name else 30)
        off = np.subtract(getattr(ruled, name), np.divide(getattr(compiled, name), 4))
        assert np.all(abs(off) < most), name


@pytest.mark.parametrize("kinds", [("greedy", "skilled"), ("random", "greedy")])
def test_a_battle_that_is_won_has_one_knock_out_by_the_winner(kinds):
    table = house_setup(PAIRS[0], BattleOptions(max_turns=40))
    played = series.play_series(table, kinds, shipped_table(), range(4))
    won = played.winner[:, None] == [0, 1]
    assert won.any()
    assert (played.knock_outs == won).all()
    assert (played.attempts >= won).all()


def test_whatever_battles_depend_on_goes_into_the_id():
    deed = Deed(verb="give status", status="Confused", player="next")
    rule = RuleTable(name="Ray", listing="Ray", kind="item", when="after topping off", does=(deed,))
    tally = replace(empty_tally(1), trials=2, hits=2, flips=(1, 1), flips_by_place=(1,))
    odds = OddsThrows(entries=(OddsEntry(slammer_g=8.0, knock_out_g=None, tally=tally),))
    contests = (
        CONTEST,
        Contest(throws=shipped_table()),
        replace(CONTEST, policy="random"),
        replace(CONTEST, throws=PhysicsThrows()),
        replace(CONTEST, throws=PhysicsThrows(engine="solid")),
        replace(CONTEST, throws=odds),
        replace(CONTEST, options=BattleOptions(max_turns=5, mode=Mode.WILD)),
        replace(CONTEST, catalogue=replace(CONTEST.catalogue, rules=(rule,))),
    )
    ids = [id_ for c in contests for id_ in TOURNAMENT.ids(pair_cases(c, [*PAIRS[0]]))]
    assert len({*ids, *TOURNAMENT.ids(pair_cases(CONTEST, DECKS))}) == len(contests) + 2
    play_pair((contests[5], PAIRS[0]), 1, 0, 1)  # draws from tallies, which remember drawings
    assert TOURNAMENT.ids(pair_cases(contests[5], [*PAIRS[0]])) == [ids[5]]


def test_standings_count_every_battle_of_a_slammer():
    won = BattleTally(trials=4, by_wins=(1, 3), attempts=(5, 2), knock_outs=(3, 0))
    drawn = BattleTally(trials=2, by_wins=(2, 0), draws=2)
    (first, _second), (_, third), _ = PAIRS  # Lapras, Onix, Pikachu
    found = standings_of(PAIRS, (won, drawn, BattleTally()))
    shares = {slammer.name: tally.won.value for slammer, tally in found}
    assert shares == {first.name: 0.5, "Onix": 0.25, third.name: 0.0}
    assert found[0][0] == first
    rates = {mass: (n, rate.value) for mass, n, rate in knock_out_rates(found)}
    assert rates == {8.0: (5, 0.6), 20.0: (2, 0.0)}


@cases(
    "names said",
    """
    ["onix"] => slammers: 1 is not accepted; give at least 2
    ["onix", "Onix"] => slammers: 'Onix' appears twice
    ["onix", "potion"] => slammers: 'Potion' is no slammer
    """,
    toml,
)
def test_slammers_that_make_no_tournament_are_refused(names, said):
    refused(pairs_of, slammers(*names), said=said)


def test_a_tournament_with_simulated_physics_is_played_to_the_end():
    contest = Contest(options=BattleOptions(max_turns=2))
    tally = play_pair((contest, PAIRS[0]), 1, 0, 2)
    assert tally.trials == 2
    assert tally.throws >= tally.turns / 2


def test_wins_of_the_one_who_began_are_counted_when_that_is_not_the_first_seat():
    onix, pikachu = slammers("onix", "pikachu")
    contest = replace(CONTEST, options=BattleOptions(max_turns=40, first="Onix"))
    tally = play_pair((contest, (onix, pikachu)), 1, 0, 12)
    assert tally.first_wins == tally.wins > 6


# Arenas


@pytest.mark.parametrize("decks", [DECKS, OWN, house_setup(DECKS, CONTEST.options)])
def test_every_kind_sits_on_every_seat_with_the_same_throws(monkeypatch, decks):
    noted = series_noted(monkeypatch)
    kinds = ("greedy", "random", "random")
    tallies = run_to_end(ARENA, entrant_cases(CONTEST, kinds, decks), trials=2, seed=4).tallies()
    battles = [(seed, table.names, seats) for table, seats, seeds in noted for seed in seeds]
    both = [spawned_seed(4, number) for number in (0, 1)]
    assert sorted(seed for seed, *_ in battles) == sorted(both * 3)
    names, seated = zip(*(rest for seed, *rest in battles if seed == both[0]), strict=True)
    a, b, _ = kinds
    assert seated == ((a, b, b), (b, b, a), (b, a, b))
    if decks is OWN:  # they move with their players
        order = ("Onix", "Eevee", "Lapras")
        assert names[:3] == (order, (*order[1:], order[0]), (order[2], *order[:2]))
    else:
        assert len(set(names[:3])) == 1
    assert sum(t.wins for t in tallies) + tallies[0].draws == 6
    drawn = tallies[0].draws / tallies[0].battles
    assert sum(t.won.value for t in tallies) == pytest.approx(1 - drawn)
    assert sum(t.score for t in tallies) == pytest.approx(1.0)


def test_two_players_of_the_same_kind_win_exactly_half():
    table = run_to_end(ARENA, entrant_cases(CONTEST, ["greedy"] * 2, DECKS), trials=40, seed=2)
    assert [row["player"] for row in table.values()] == ["greedy", "greedy 2"]
    for tally in table.tallies():
        assert tally.score == 0.5
        assert tally.won.value == pytest.approx((1 - tally.p_draw) / 2, abs=1e-6)
        assert 0 < tally.won.low < tally.won.value < tally.won.high < 0.5


def test_a_mirrored_pair_is_a_round_of_two_decks():
    cases = entrant_cases(CONTEST, ["greedy"] * 2, OWN[:2])
    seeds = [spawned_seed(3, number) for number in range(6)]
    tally, points = play_mirrored(CONTEST, OWN[0], OWN[1], seeds)
    first, second = run_to_end(ARENA, cases, trials=6, seed=3).tallies()
    assert first == tally
    assert (second.wins, second.draws) == (first.losses, first.draws)
    assert (play_mirrored(CONTEST, OWN[1], OWN[0], seeds)[1] == 4 - points).all()


point = st.integers(0, 4)


@given(st.lists(st.tuples(point, point), min_size=1, max_size=30))
def test_a_tally_has_the_mean_of_points_and_gains_within_their_intervals(pairs):
    mine, its = [list(column) for column in zip(*pairs, strict=True)]
    tally = tally_of_pairs(mine, its)
    tally.check()
    assert tally.score == pytest.approx(np.mean(mine) / 4)
    assert tally.won.value == pytest.approx(np.mean(np.array(mine) // 2) / 2)
    assert tally.gain.value == pytest.approx(np.mean(np.subtract(mine, its)) / 4)
    for found in (tally.won, tally.gain):
        assert found.low <= found.value <= found.high
        assert found.low < found.high  # few pairs that end alike prove nothing
    with pytest.raises(ValueError, match="by_wins"):
        replace(tally, trials=tally.trials + 1).check()


@pytest.mark.parametrize("pairs", [30, 200])
@pytest.mark.parametrize("chances", [(0.4, 0.2, 0.4), (0.02, 0.08, 0.9)])
def test_intervals_of_shares_hold_the_truth_as_often_as_they_say(pairs, chances):
    rng = np.random.default_rng(4)
    truth = float(np.dot(chances, np.linspace(0, 1, 3)))
    held = 0
    for counts in rng.multinomial(pairs, chances, size=400):
        won = BattleTally(trials=pairs, by_wins=tuple(counts.tolist())).won
        held += won.low <= truth <= won.high
    assert held / 400 > 0.92  # 95 % less 2.8 standard errors


@pytest.mark.parametrize("trials", [200, 4000])
@pytest.mark.parametrize("sd", [0.0, 0.02, 0.06])
def test_intervals_hold_as_often_where_blocks_share_luck(trials, sd):
    """``sd``: of the chance to win from table to table, so that of a block is 20 ** 0.5 times."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        chances = np.clip(rng.normal(0.4, sd * BLOCKS**0.5, BLOCKS), 0, 1)
        played = np.full(BLOCKS, trials // BLOCKS)
        wins = int(rng.binomial(trials, chances.mean()))
        rows = zip(played.tolist(), rng.binomial(played, chances).tolist(), strict=True)
        tally = BattleTally(
            trials=trials,
            by_wins=(trials - wins, wins),
            by_block=tuple((*row, *(0,) * 8) for row in rows),
        )
        tally.check()
        held += tally.won.low <= 0.4 <= tally.won.high
    assert 0.92 < held / 400 < 0.99


def fresh_table(rng, throws):
    """Return a table of so many slams of each kind, drawn from those of the shipped one."""
    pool, slams = shipped_table(), {}
    for kind in pool.kinds:
        if kind.knock_out_g is None or kind.pieces == 1:  # those of compiled battles
            own = pool.slams(kind)
            slams[kind] = own[:, :, rng.integers(own.shape[2], size=throws)]
    about = {"engine": "solid", "physics": 1, "seed": 1, "throws": throws}
    return TableThrows(data=pack_table(slams, about))


FRESH = [
    ("onix", "pikachu", "short", 400),
    ("onix", "pikachu", "short", 4000),
    ("lapras", "pikachu", "full", 1000),
]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second", "length", "battles"), FRESH)
def test_intervals_hold_the_truth_of_the_pool_that_tables_are_drawn_from(
    first, second, length, battles, monkeypatch
):
    pair = design(first), design(second)
    contest = replace(CONTEST, options=BattleOptions(**LENGTHS[length]), policy="skilled")
    monkeypatch.setattr(TableThrows, "blocks", 1)
    truth = play_pair((contest, pair), 1, 0, 100_000).won.value
    monkeypatch.undo()
    rng, held = np.random.default_rng(6), []
    for number in range(200):
        own = replace(contest, throws=fresh_table(rng, 1000))
        won = play_pair((own, pair), number, 0, battles).won
        held.append(won.low <= truth <= won.high)
    assert 0.9 <= np.mean(held) <= 0.98
