"""Trainer cards: counted, kept, brought along, and refused when they do not do."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pucklab.base import files
from pucklab.base.decoding import decode
from pucklab.base.files import lock_file
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup, Mode, Puck
from pucklab.sim.pokepucks.battle.questions import ThrowCall
from pucklab.sim.pokepucks.battle.setup_file import LegalPucks
from pucklab.sim.pokepucks.career import (
    CAREER,
    TrainerCard,
    after_battle,
    enter_battle,
    with_kept,
)
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind
from tests.commands import pucklab, succeed
from tests.pokepucksbattles import design, mixed_table, random_battle
from tests.refusals import refused
from tests.tables import cases, toml

CARDS = {
    "Ash": TrainerCard(
        battles=3, wins=1, caught=("Onix",), discovered=("Onix",), pucks={"Onix": 1, "Potion": 2}
    ),
    "Brock": TrainerCard(),
}


def brought(table, player, since):
    return [puck.name for puck in table.pucks[since:] if puck.owner == player]


def won_battle(seed, cards):
    """Return the first battle from a seed on that somebody wins, and the size of its set-up."""
    while True:
        base = mixed_table(2, seed, max_turns=40)
        table = with_kept("career", base, cards, shipped_catalogue())
        exchanges = random_battle(table, seed, 0.5)
        if exchanges[-1].after.state.winner is not None:
            return table, exchanges, len(base.pucks)
        seed += 1


def test_a_career_reads_back_as_it_was_written_and_is_empty_before(tmp_path):
    path = tmp_path / "cards.json"
    assert CAREER.read(path) == {}
    CAREER.write(path, CARDS)
    assert CAREER.read(path) == CARDS


def test_kept_pucks_are_brought_along_behind_those_of_the_set_up():
    base = mixed_table(2, 1)
    table = with_kept("career", base, CARDS, shipped_catalogue())
    assert table.pucks[: len(base.pucks)] == base.pucks
    assert brought(table, 0, len(base.pucks)) == ["Onix", "Potion", "Potion"]
    assert brought(table, 1, len(base.pucks)) == []


def test_kept_pucks_that_are_not_legal_stay_at_home_and_on_the_card():
    base = mixed_table(2, 1, max_turns=1)
    base = replace(base, pucks=tuple(p for p in base.pucks if p.design.rule != "Potion"))
    limits = {"per_player": {"Potion": {"most": 1}}}
    legal = decode(LegalPucks, limits, "legal")
    table = with_kept("career", base, CARDS, shipped_catalogue(), legal)
    assert brought(table, 0, len(base.pucks)) == ["Onix", "Potion"]
    cards = after_battle(CARDS, random_battle(table, 1, 0.0), len(base.pucks))
    assert cards["Ash"].pucks["Potion"] == 2


def test_nothing_own_is_brought_to_a_training_battle_and_only_discoveries_count():
    base = mixed_table(2, 1, mode=Mode.TRAINING, max_turns=5)
    table = with_kept("career", base, CARDS, shipped_catalogue())
    assert table.pucks == base.pucks
    cards = after_battle(CARDS, random_battle(table, 1), len(base.pucks))
    assert replace(cards["Ash"], discovered=()) == replace(CARDS["Ash"], discovered=())
    assert len(cards["Ash"].discovered) > 1


@cases(
    "options sanctioned",
    """
    {} => 1
    { buy_in = 12, first = "random" } => 1
    { first_picks = 1 } => 0
    """,
    toml,
)
def test_a_card_counts_sanctioned_battles_and_turns_of_four_throws(options, sanctioned):
    table = replace(mixed_table(2, 12, **options, max_turns=25), first=0)
    exchanges = random_battle(table, 12, 0.1)
    throws = Counter(
        (x.before.state.turn.number, x.before.ask.player)
        for x in exchanges
        if isinstance(x.before.ask, ThrowCall) and x.before.ask.player == x.before.state.turn.player
    )
    assert max(throws.values()) >= (1 if options else 4)
    cards = after_battle({}, exchanges, len(table.pucks))
    for player, name in enumerate(table.names):
        long = [n for (_, thrower), n in throws.items() if thrower == player and n >= 4]
        assert (cards[name].sanctioned, cards[name].long_actions) == (sanctioned, len(long))


@pytest.mark.parametrize("seed", range(0, 60, 10))
def test_the_card_has_what_came_home_beside_the_own_set_up_and_slammers_won(seed):
    table, exchanges, base = won_battle(seed, CARDS)
    final = exchanges[-1].after.state
    cards = after_battle(CARDS, exchanges, base)
    for player, name in enumerate(table.names):
        home = [table.pucks[puck] for puck in final.collection(player)]
        kept = [p.name for n, p in zip(final.collection(player), home, strict=True)
                if n >= base or p.owner != player]  # fmt: skip
        assert cards[name].pucks == Counter(kept)
        won = {p.name for p in home if p.owner != player and p.design.kind is DesignKind.POKEMON}
        assert set(cards[name].caught) == won | set(CARDS[name].caught)
    assert [cards[n].battles for n in table.names] == [4, 1]
    wins = [cards[name].wins - CARDS[name].wins for name in table.names]
    assert wins == [int(final.winner == player) for player in range(2)]


def test_the_slammers_of_all_are_discovered_and_no_others():
    pucks = [
        Puck(design=design("Plain Puck"), owner=player) for player in (0, 1) for _ in range(16)
    ]
    pucks += [Puck(design=design("onix"), owner=0), Puck(design=design("pikachu"), owner=1)]
    table = BattleSetup(pucks=tuple(pucks), names=("A", "B"), options=BattleOptions(max_turns=1))
    cards = after_battle({}, random_battle(table, 1), len(pucks))
    assert cards["A"].discovered == cards["B"].discovered == ("Onix", "Pikachu")


def test_six_battles_that_end_at_once_are_all_entered(tmp_path):
    path = tmp_path / "cards.json"
    table = mixed_table(2, 1, max_turns=1)
    exchanges = random_battle(table, 1)
    name = table.names[0]
    with ThreadPoolExecutor(6) as executor:
        done = [executor.submit(enter_battle, path, exchanges, len(table.pucks)) for _ in range(6)]
    assert sorted(one.result()[name].battles for one in done) == [1, 2, 3, 4, 5, 6]
    assert CAREER.read(path)[name].battles == 6


def test_a_career_that_another_command_holds_is_said_and_left(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_LOCK_S", 0.05)
    path = tmp_path / "cards.json"
    table = mixed_table(2, 1, max_turns=1)
    with lock_file("career", path):
        refused(
            enter_battle, path, random_battle(table, 1), len(table.pucks),
            said="career: ... cannot be added to: another command holds it",
        )  # fmt: skip
    assert CAREER.read(path) == {}


def test_a_battle_that_cannot_be_entered_is_told_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_LOCK_S", 0.05)
    with lock_file("career", tmp_path / "cards.json"):
        done = pucklab("battle --throws table --career cards.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "another command holds it; this battle is not entered" in done.stderr
    assert "Pikachu" in done.stdout
    assert not (tmp_path / "cards.json").exists()


def test_a_kept_puck_that_is_in_no_list_is_refused():
    cards = {"Ash": TrainerCard(pucks={"Zubat": 1})}
    refused(
        with_kept,
        "career",
        mixed_table(2, 1),
        cards,
        shipped_catalogue(),
        said="career Ash pucks: 'Zubat' is not in any list",
    )


def test_the_command_keeps_cards_from_battle_to_battle_and_records_replay(tmp_path):
    quick = "battle --throws table --names Ash,Misty --career cards.json"
    first = pucklab(f"{quick} --seed 1", cwd=tmp_path)
    assert "  Ash: one battle (1 sanctioned), " in first.stdout, first.stderr
    once = CAREER.read(tmp_path / "cards.json")
    second = pucklab(f"{quick} --seed 2 --save two.json", cwd=tmp_path)
    assert "  Misty: two battles (2 sanctioned), " in second.stdout
    record = json.loads((tmp_path / "two.json").read_text(encoding="utf-8"))
    kept = sum(sum(card.pucks.values()) for card in once.values())
    assert kept > 0
    assert len(record["setup"]["pucks"]) == 30 + kept
    succeed("battle --replay two.json", cwd=tmp_path)


def test_the_record_and_the_career_are_not_the_same_file(tmp_path):
    done = pucklab("battle --career a.json --save ./a.json", cwd=tmp_path)
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert "is the career; give another file" in done.stderr


def test_a_battle_that_was_stopped_leaves_the_career_as_it_was(tmp_path, write):
    before = CAREER.text(CARDS)
    write("cards.json", before)
    arguments = "--throws table --policy person,greedy --career cards.json"
    done = pucklab(f"battle {arguments}", cwd=tmp_path)  # nobody types
    assert done.returncode == 130
    assert "career: 'cards.json' is as it was; the battle is not over" in done.stdout
    assert (tmp_path / "cards.json").read_text(encoding="utf-8") == before
