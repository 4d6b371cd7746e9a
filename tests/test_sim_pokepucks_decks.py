"""The deck lab: deck files, limits, the search and its honesty, the balance report, files."""

import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.base.decoding import decode
from pucklab.render.plots.tournament import balance_figure
from pucklab.sim.experiments import run_to_end
from pucklab.sim.pokepucks import arena
from pucklab.sim.pokepucks.arena import play_mirrored
from pucklab.sim.pokepucks.balance import BALANCE, balance_cases, comparisons_of
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, Mode
from pucklab.sim.pokepucks.battle.setup_file import (
    Deck,
    LegalPucks,
    deck_table,
    deck_toml,
    house_deck,
    house_setup,
    read_deck,
)
from pucklab.sim.pokepucks.deck_search import (
    DeckSearch,
    deck_space,
    deck_text,
)
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import shipped_table
from pucklab.sim.pokepucks.tournament import Contest
from tests.refusals import refused
from tests.tables import cases, toml
from tests.tallies import tally_of_pairs

CATALOGUE = shipped_catalogue()
CONTEST = Contest(throws=shipped_table(), options=BattleOptions(max_turns=4))
LAPRAS, ONIX = (CATALOGUE.find(name) for name in ("lapras", "onix"))
HOUSE = house_deck(LAPRAS, 14, CATALOGUE)
FREE = deck_space(LAPRAS, CONTEST, (HOUSE,))


def legal(**table):
    return decode(LegalPucks, table, "legal").with_listed_names("legal", CATALOGUE)


# Decks and their files


@pytest.mark.parametrize("mode", Mode)
def test_house_decks_make_the_same_set_up_as_house_collections(mode):
    options = BattleOptions(mode=mode)
    decks = [house_deck(design, 14, CATALOGUE, options) for design in (LAPRAS, ONIX)]
    assert deck_table(decks, options) == house_setup([LAPRAS, ONIX], options)


names = st.sampled_from([d.name for d in CATALOGUE.designs if not d.kind.is_slammer])


@given(st.dictionaries(names, st.integers(1, 200)))
def test_a_deck_is_read_as_it_was_written(tmp_path_factory, counts):
    pucks = tuple(CATALOGUE.find(name) for name, n in counts.items() for _ in range(n))
    path = tmp_path_factory.mktemp("deck") / "my own.toml"
    deck = Deck(name="my own", slammers=(LAPRAS, ONIX), pucks=pucks)
    path.write_text(deck_toml(deck), encoding="utf-8")
    assert read_deck(path, CATALOGUE) == deck


# The decks that may be brought


def test_pucks_left_out_of_the_pool_do_the_same_as_the_one_that_is_there():
    names = [puck.name for puck in FREE.pool]
    energies = [name for name in names if name.endswith(" Energy") and "Focus" not in name]
    assert energies == ["Water Energy", "Grass Energy"]
    rivals = (HOUSE, house_deck(ONIX, 14, CATALOGUE))
    both = [p.name for p in deck_space(LAPRAS, CONTEST, rivals).pool]
    assert [name for name in both if name.endswith("g Energy")] == ["Fighting Energy"]
    whole = replace(CONTEST, options=BattleOptions())
    for policy in ("greedy", "random"):
        tallies = [
            play_mirrored(
                replace(whole, policy=policy),
                replace(HOUSE, pucks=(*HOUSE.pucks[:-4], *[CATALOGUE.find(name)] * 4)),
                HOUSE,
                range(4),
            )[0]
            for name in ("Grass Energy", "Psychic Energy")
        ]
        assert tallies[0] == tallies[1]


@pytest.mark.parametrize("name", ["eevee", "pidgeot"])
def test_types_all_count_for_a_slammer_that_may_change_its_own(name):
    own = CATALOGUE.find(name)
    pool = deck_space(own, CONTEST, (house_deck(own, 14, CATALOGUE),)).pool
    assert len([puck for puck in pool if puck.rule == "Energy"]) == 7


LIMITS = {
    "banned": (legal(banned=["Potion", "trainer"]), None),
    "only": (legal(only=["Lapras", "item"]), None),
    "most": (legal(per_player={"item": {"most": 4}, "trainer": {"most": 1}}), None),
    "least": (legal(per_player={"trainer": {"least": 5}, "Potion": {"most": 1}}), None),
    "per battle": (legal(per_battle={"Potion": {"most": 3}, "Berry": {"most": 2}}), None),
    "owned": (None, Deck(name="all", slammers=(), pucks=FREE.pool + HOUSE.pucks)),
}


@pytest.mark.parametrize(("rules", "owned"), LIMITS.values(), ids=list(LIMITS))
def test_every_deck_of_a_search_keeps_to_the_limits(rules, owned, monkeypatch):
    monkeypatch.setattr(arena, "play_mirrored", lottery({}, 0.5))
    space = deck_space(LAPRAS, CONTEST, (HOUSE,), legal=rules, owned=owned)
    decks = [space.deck(counts) for _, counts in results_of(searched(300, space=space))]
    assert len(decks) > 10
    for deck in decks:
        assert len(deck.pucks) == 14
        table = deck_table((deck, HOUSE))
        if rules is not None and (rules.per_player or rules.per_battle):
            replace(rules, per_player={}).check("legal", table.pucks, table.names)
        if rules is not None:
            own = [puck for puck in table.pucks if puck.owner == 0]
            replace(rules, per_battle={}).check("legal", own, table.names[:1])
        if owned is not None:
            assert all(deck.pucks.count(puck) <= owned.pucks.count(puck) for puck in deck.pucks)


def find_deck(**limits):
    """Return a deck for Lapras within limits."""
    return deck_space(LAPRAS, CONTEST, (HOUSE,), **limits).first()


@cases(
    "rules said",
    """
    { banned = ["Lapras"] } => setup legal banned: Lapras is
    { only = ["item"] } => only: Lapras is not in the list
    { only = ["Lapras"] } => no puck but slammers is legal
    { per_player = { Lapras = { most = 0 } } } => per_player Lapras: no deck of 14
    { per_player = { trainer = { least = 9 }, item = { least = 6 } } } => no deck of 14
    { per_battle = { Potion = { most = 1 } } } => per_battle Potion: no deck
    """,
    toml,
)
def test_impossible_limits_are_refused_with_their_rule(rules, said):
    refused(find_deck, legal=legal(**rules), said=said)


def test_a_collection_with_too_few_pucks_is_refused():
    few = Deck(name="few", slammers=(), pucks=HOUSE.pucks[:9])
    refused(find_deck, owned=few, said="collection: 9 of its")


# The search, on a game of its own in which the best deck is known


def lottery(worths, noise):
    """Return a game in place of battles: pucks have worths, and the rest is luck by seed."""

    def worth(deck):
        slammer = deck.slammers[0]
        names = (*(puck.name for puck in deck.pucks), slammer.name, slammer.rule)
        return sum(worths.get(name, 0.0) for name in names)

    def play(contest, mine, rival, seeds, rule="", **_):
        del contest, rule
        edge = worth(mine) - worth(rival)
        own = zlib.crc32(deck_text(mine).encode())
        luck = [np.random.default_rng([s, own]).normal(0, noise) for s in seeds]
        points = [int(np.clip(np.round(2 + 4 * (edge + x)), 0, 4)) for x in luck]
        return tally_of_pairs(points), np.array(points)

    return play


def results_of(search):
    """Return the tally of each deck in each round: generation and round, and the counts."""
    return {key: tally for key, tally in search._results.items() if key[0][0] >= 0}


def run(states):
    for _ in states:
        pass


def searched(battles, seed=1, space=FREE):
    search = DeckSearch(contest=CONTEST, space=space, rivals=(HOUSE,), battles=battles, seed=seed)
    run(search.run())
    return search


def test_the_search_finds_pucks_of_worth_and_drops_those_without(monkeypatch):
    worths = {"Mr. Smith": 0.06, "Switch": -0.2, "Berry": -0.1}
    monkeypatch.setattr(arena, "play_mirrored", lottery(worths, 0.5))
    search = searched(20_000)
    best = search.space.deck(search.best).counts
    assert best.get("Mr. Smith", 0) >= 4
    assert best.get("Switch", 0) + best.get("Berry", 0) <= 1
    run(search.test(2_000))
    assert search.tested.gain.low > 0


def test_where_all_decks_are_alike_the_test_is_not_fooled_by_the_luckiest(monkeypatch):
    monkeypatch.setattr(arena, "play_mirrored", lottery({}, 0.5))
    clear, in_search = 0, []
    for seed in range(24):
        search = searched(400, seed)
        search.played = "by the rules"  # no test of single pucks
        run(search.test(400))
        clear += search.tested.won.low > 0.5
        stage = max(stage for stage, deck in results_of(search) if deck == search.best)
        in_search.append(results_of(search)[stage, search.best].score)
    # The share of the winner in the search is too high, by more than two standard errors.
    assert np.mean(in_search) - 2 * np.std(in_search) / 24**0.5 > 0.5
    assert clear <= 3  # 2.5 % of 24, at most 3 with a probability of .997


def test_a_search_keeps_to_its_battles(monkeypatch):
    monkeypatch.setattr(arena, "play_mirrored", lottery({}, 0.5))
    search = searched(8_000)
    assert 0.8 * 4_000 < sum(tally.trials for tally in results_of(search).values()) <= 4_000


def test_rounds_have_new_seeds_that_all_decks_share_and_the_test_has_its_own(monkeypatch):
    seen = {}
    game = lottery({}, 0.5)

    def play(contest, mine, rival, seeds, rule="", **_):
        del rule
        seen.setdefault(deck_text(mine), []).extend(seeds)
        return game(contest, mine, rival, seeds)

    monkeypatch.setattr(arena, "play_mirrored", play)
    search = searched(400)
    in_search = {seed for seeds in seen.values() for seed in seeds}
    assert all(len(seeds) == len(set(seeds)) for seeds in seen.values())
    # The deck of the last generation's final has played all the seeds of the search.
    pairs = sum(
        max(t.trials for (s, _), t in results_of(search).items() if s == stage)
        for stage in {stage for stage, _ in results_of(search)}
    )
    assert len(in_search) == pairs
    seen.clear()
    monkeypatch.setattr(search, "played", "by the rules")  # no test of single pucks
    run(search.test(400))
    in_test = {seed for seeds in seen.values() for seed in seeds}
    assert len(in_test) == 200
    assert not in_test & in_search


def test_a_search_that_goes_on_from_any_row_ends_in_the_same_file(monkeypatch):
    monkeypatch.setattr(arena, "play_mirrored", lottery({"You": 0.05}, 0.5))
    search = searched(2_000)
    run(search.test(100))
    text = search.table.csv()
    lines = text.splitlines(keepends=True)
    for rows in (2, len(lines) // 2, len(lines)):
        again = DeckSearch(contest=CONTEST, space=FREE, rivals=(HOUSE,), battles=2_000, seed=1)
        again.table.resume("".join(lines[:rows]), "x")
        run(again.run())
        run(again.test(100))
        assert again.table.csv() == text
    changes = (
        {"seed": 2},
        {"battles": 2_002},
        {"rivals": (house_deck(ONIX, 14, CATALOGUE),)},
        {"contest": replace(CONTEST, policy="random")},
    )
    own = {n: getattr(search, n) for n in ("contest", "space", "rivals", "battles", "seed")}
    for change in changes:
        refused(DeckSearch(**{**own, **change}).table.resume, text, "x", said="which would be lost")


def test_what_a_puck_brings_is_what_is_lost_without_it(monkeypatch):
    monkeypatch.setattr(arena, "play_mirrored", lottery({"Potion": 0.1}, 0.3))
    search = searched(400)
    run(search.test(400))
    assert "Plain Puck" not in search.carried
    potions = search.space.deck(search.best).counts["Potion"]
    assert search.carried["Potion"].gain.value == pytest.approx(0.1 * potions, abs=0.1)


def test_a_puck_for_another_type_is_never_used_although_its_rule_is():
    stones = tuple(CATALOGUE.find(f"{kind} Stone") for kind in ("Water", "Fire"))
    own = Deck(name="Lapras", slammers=(LAPRAS,), pucks=stones * 7)
    space = deck_space(LAPRAS, CONTEST, (HOUSE,), owned=own)
    search = DeckSearch(contest=CONTEST, space=space, rivals=(HOUSE,), battles=4, seed=1)
    run(search.run())
    run(search.test(40))
    assert search.carried["Fire Stone"].uses == 0 < search.carried["Water Stone"].uses


def test_real_battles_are_searched_with_the_rivals_in_turn():
    rivals = (HOUSE, house_deck(ONIX, 14, CATALOGUE))
    search = DeckSearch(contest=CONTEST, space=FREE, rivals=rivals, battles=16, seed=1)
    run(search.run())
    run(search.test(2))
    assert search.tested.trials == 2  # one against each


# The balance report

FIELD = [CATALOGUE.find(name) for name in ("onix", "lapras", "bulbasaur", "bulbasaur alpha")]


def test_each_thing_is_left_out_alone():
    found = {(c.kind, c.name): c for c in comparisons_of(CONTEST, FIELD)}
    assert len(found[("ability", "Leech Seed")].variants) == 2
    (lapras,) = found[("ability", "Surf")].variants
    assert [d.rule for d in lapras.without.slammers] == [""]
    assert lapras.without.pucks == lapras.with_it.pucks
    energy = found[("puck", "Energy")]
    assert (energy.copies, len(energy.variants)) == (2, 4)
    for variant in energy.variants:
        both = zip(variant.with_it.pucks, variant.without.pucks, strict=True)
        gone = [a.rule for a, b in both if a != b]
        assert gone == ["Energy", "Energy"]
    stone = found[("puck", "Power Stone")]
    assert [v.with_it.name for v in stone.variants] == ["Lapras"]  # no other type has a stone
    assert stone.variants[0].with_it.pucks[-1].name == "Water Stone"
    assert stone.variants[0].without.pucks[-1].name == "Plain Puck"
    slammers = [c for c in found.values() if c.kind == "slammer"]
    assert len({one.variants[0].rivals[0].name for one in slammers}) == 4  # who is first
    for one in slammers:
        assert one.variants[0].without is None
        assert one.name not in {rival.name for rival in one.variants[0].rivals}


def test_what_is_switched_off_is_not_compared():
    options = BattleOptions(puckdex=False, puckmart=False)
    kinds = {c.kind for c in comparisons_of(replace(CONTEST, options=options), FIELD)}
    assert kinds == {"slammer"}


def test_an_ability_that_is_never_used_is_worth_exactly_nothing():
    found = [c for c in comparisons_of(CONTEST, FIELD) if c.name in ("Surf", "Leech Seed")]
    surf, seed = run_to_end(BALANCE, balance_cases(CONTEST, found), trials=8).tallies()
    assert (surf.gains, surf.uses) == ((0, 0, 0, 0, 8, 0, 0, 0, 0), 0)
    assert seed.uses > 0


def test_even_pairs_are_those_that_win_about_half_against_each_other():
    contest = replace(CONTEST, options=BattleOptions())
    (onix, *_) = (c for c in comparisons_of(contest, FIELD) if c.name == "Onix")
    (variant,) = onix.variants
    for rival in variant.rivals:
        tally, _ = play_mirrored(contest, variant.with_it, rival, range(200))
        off = abs(tally.score - 0.5)
        assert (rival.name in variant.even) == (off < 0.1) or 0.05 < off < 0.15
    (tally,) = run_to_end(BALANCE, balance_cases(contest, [onix]), trials=12).tallies()
    assert sum(tally.even_gains) == 4 * len(variant.even)
    slow = replace(contest, policy="random")
    assert not comparisons_of(slow, FIELD)[0].variants[0].even


def test_the_worth_of_a_thing_is_what_it_adds(monkeypatch):
    worths = {"Potion": 0.1, "You": 0.2, "Berry": -0.1, "Surf": 0.2, "Onix": 0.3}
    monkeypatch.setattr(arena, "play_mirrored", lottery(worths, 0.3))
    comparisons = comparisons_of(CONTEST, FIELD)
    whole = run_to_end(BALANCE, balance_cases(CONTEST, comparisons), trials=150).tallies()
    clear = set()
    for comparison, tally in zip(comparisons, whole, strict=True):
        if comparison.name in worths:
            sign = 1 if worths[comparison.name] > 0 else -1
            assert sign * tally.gain.value > 0.1, comparison.name
        clear |= {comparison.name} if tally.gain.low > 0 or tally.gain.high < 0 else set()
    assert clear >= worths.keys()


def test_the_plot_has_a_dot_for_each_thing_the_best_on_top():
    comparisons = comparisons_of(CONTEST, FIELD)
    tallies = [tally_of_pairs([n % 5] * 9, [2] * 9) for n in range(len(comparisons))]
    panels = balance_figure(comparisons, tallies, title="t").axes
    assert len(panels) == 3
    for axes, kind in zip(panels, ("slammer", "ability", "puck"), strict=True):
        own = [t for c, t in zip(comparisons, tallies, strict=True) if c.kind == kind]
        labels = [label.get_text() for label in axes.get_yticklabels()]
        assert len(labels) == len(own)
        dots = sorted(
            (float(y), float(x))
            for line in axes.lines
            for x, y in [(line.get_xdata()[0], line.get_ydata()[0])]
            if line.get_marker() == "o"
        )
        assert [x for _, x in dots] == sorted(100 * t.gain.value for t in own)
