"""The greedy player: it beats the random one, and uses abilities where they win battles."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.experiments import wilson
from sim.pokepucks.battle.live import LiveBattle, play_battle, player_generator
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.questions import Asking, Question, Use
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.state import Status, Step
from sim.pokepucks.battle.table import BattleOptions, Mode, Puck, Table
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special import SPECIAL_RULES
from sim.pokepucks.throw_sources import shipped_table
from tests.pokepucksbattles import (
    ASH,
    BROCK,
    SLAMMERS,
    DiceThrows,
    battle,
    mixed_table,
)

POKEMON = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
OPTIONAL = {rule.listing or rule.name for rule in SPECIAL_RULES if rule.optional}
CHOSEN = {d.rule: d for d in POKEMON if d.rule in OPTIONAL}
"""A slammer for each ability that its owner decides about."""


def won(pair, players, battles, **options):
    """Return the share of decided battles that the first player won; both begin in half of them."""
    wins = decided = 0
    rulings = BattleOptions(max_turns=150, **options)
    for number in range(battles):
        way = -1 if number % 2 else 1
        table = house_table(pair[::way], rulings)
        for exchange in play_battle(table, players[::way], shipped_table(), number):
            last = exchange.after
        decided += int(last.winner is not None)
        wins += int(last.winner == (0 if way == 1 else 1))
    return wilson(wins, decided)


class Leaving(GreedyPlayer):
    """A greedy player that never uses some special rules."""

    def __init__(self, names):
        self.names = names

    def wants(self, view, rule):
        return rule.name not in self.names and super().wants(view, rule)


def using(ability, battles):
    """Return how often who uses an ability beats who leaves it alone, with the same slammer."""
    names = frozenset(r.name for r in SPECIAL_RULES if (r.listing or r.name) == ability)
    slammer = CHOSEN[ability]
    return won((slammer, slammer), (GreedyPlayer(), Leaving(names)), battles)


def chosen(fight):
    """Return what a greedy player answers to the question of a battle."""
    assert isinstance(fight.ask, Question)
    return GreedyPlayer().choose(fight.state, fight.ask, player_generator(1, 0))


def chosen_at(match):
    """Return what a greedy player replies to the open question."""
    assert isinstance(match.ask, Question)
    return GreedyPlayer().choose(match.state, match.ask, player_generator(1, 0))


@pytest.mark.parametrize("mode", Mode)
def test_greedy_beats_random_clearly(mode):
    onix = shipped_catalogue().find("onix")
    assert won((onix, onix), (GreedyPlayer(), RandomPlayer()), 24, mode=mode).low > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("slammer", POKEMON, ids=lambda design: design.name)
def test_greedy_beats_random_clearly_with_every_slammer(slammer):
    assert won((slammer, slammer), (GreedyPlayer(), RandomPlayer()), 100).low > 0.55


@pytest.mark.parametrize("ability", ["Cut"])
def test_who_uses_an_ability_beats_who_leaves_it_alone(ability):
    assert using(ability, 30).value > 0.55


@pytest.mark.slow
@pytest.mark.parametrize("ability", sorted(CHOSEN))
def test_no_ability_is_used_where_leaving_it_alone_wins_more(ability):
    share = using(ability, 400)
    assert share.high > 0.5, share


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from(Mode))
def test_every_question_is_answered_legally(seed, players, mode):
    table = mixed_table(players, seed, mode=mode, max_turns=8)
    greedy = [GreedyPlayer()] * players
    assert list(play_battle(table, greedy, DiceThrows(), seed))


def test_it_keeps_what_is_worth_most():
    fight = battle({"Power 0": ["Mr. Smith", "Mr. Merkert"], "Arena": 8}, rules=SPECIAL_RULES)
    fight.do("D D D D D D D D")
    assert fight.asked
    assert chosen(fight) == (0,)  # of two Trainers only one works


def names(fight):
    """Return the names of the pucks or rules that a greedy player chooses."""
    return [o.rule if isinstance(o, Use) else fight.state.design(o).name for o in chosen(fight)]


def test_it_tops_off_with_the_puck_that_it_wants_back_in_power():
    stacks = {"Arena": 7, "Health 0": ["Fire Energy", "Potion", "Plain Puck", "Grass Energy"]}
    assert names(battle(stacks, sizes={"Arena": 8})) == ["Grass Energy"]


def test_pucks_that_left_the_arena_go_back_with_the_own_energy_on_top():
    fight = battle({"Arena": ["Grass Energy", "Plain Puck", "Potion", "Plain Puck"]})
    fight.do("O O O D")
    assert names(fight) == ["Plain Puck", "Potion", "Grass Energy"]


def test_in_set_up_its_own_energies_go_to_the_arena_on_purpose():
    leaf, mind = SLAMMERS["Leaf"], SLAMMERS["Mind"]
    table = house_table([leaf, mind])
    match = LiveBattle(new_battle(table))
    assert match.ask.asking is Asking.BUILD_ARENA
    first = chosen_at(match)
    match.answer(first)
    (puck,) = first
    assert table.pucks[puck].name in {"Grass Energy", "Grass Focus Energy"}


def test_in_a_training_battle_it_leaves_no_own_energy_to_the_rival():
    find = shipped_catalogue().find
    boxed = ["Grass Energy", "Psychic Energy", *["Plain Puck"] * 14, "Grass Energy"]
    pucks = [
        Puck(design=SLAMMERS["Leaf"], owner=0),
        Puck(design=SLAMMERS["Mind"], owner=1),
        *(Puck(design=find(name), owner=None) for name in boxed),
    ]
    options = BattleOptions(mode=Mode.TRAINING, buy_in=8)
    match = LiveBattle(new_battle(Table(pucks=tuple(pucks), names=("A", "B"), options=options)))
    taken = [match.state.design(puck).name for puck in chosen_at(match) if isinstance(puck, int)]
    assert taken.count("Grass Energy") == 2


@pytest.mark.parametrize(
    ("health", "power", "statuses", "used"),
    [
        (1, ["Focus Sash"], {}, ["Focus Sash"]),
        (1, ["Focus Sash"], {BROCK: [Status.CRITICAL]}, []),  # half an Arena needs no puck
        (1, ["Focus Sash", "Potion"], {}, ["Potion"]),
        (8, ["Focus Sash", "Potion"], {}, ["Potion"]),
        (9, ["Focus Sash", "Potion"], {}, []),  # there is room for one puck only
    ],
)
def test_sash_and_potion_are_kept_until_they_are_worth_it(health, power, statuses, used):
    fight = battle(
        {"Arena": 5, "Health 0": health, "Power 0": power, "Prize 0": 3},
        sizes={"Arena": 8, "Health 0": 10},
        statuses=statuses,
        rules=SPECIAL_RULES,
    )
    asked = fight.ask.asking is Asking.USE
    assert (names(fight) if asked else []) == used


@pytest.mark.parametrize(("critical", "rests"), [((), True), ((BROCK,), False)])
def test_it_rests_only_when_the_top_off_would_fail(critical, rests):
    fight = battle(
        {"Arena": 5, "Health 0": 1, "Prize 0": 6},
        slammers=("Snorlax", "Mind"),
        sizes={"Arena": 8, "Health 0": 10},
        statuses={player: [Status.CRITICAL] for player in critical},
        rules=SPECIAL_RULES,
    )
    assert (fight.ask.asking is Asking.USE and names(fight) == ["Rest"]) is rests


@pytest.mark.parametrize(("health", "discarded"), [(2, 2), (10, 0)])
def test_with_low_health_it_discards_what_the_next_potion_heals(health, discarded):
    power = ["Potion", "Silph Scope", "Poké Flute", "Full Heal"]
    fight = battle(
        {"Arena": 8, "Health 0": health, "Power 0": power, "Prize 0": 0},
        step=Step.DISCARD,
    )
    assert len(names(fight)) == discarded
    assert "Potion" not in names(fight)


@pytest.mark.parametrize(
    ("slammer", "team", "then"),
    [
        ("Pikachu", ["Poké Ball"], "Poké Ball"),
        ("Lapras", ["Poké Ball"], "Lapras"),
        ("Lapras", ["Great Ball"], "Great Ball"),
        ("Lapras", ["Poké Ball", "Heavy Ball", "Great Ball"], "Heavy Ball"),
    ],
)
def test_in_a_wild_battle_it_switches_to_a_ball_that_is_no_lighter(slammer, team, then):
    fight = battle(
        {"Arena": 0, "Health 0": 0, "Health 1": 0, "Power 0": ["Switch", *team]},
        slammers=(slammer, "Mind"),
        statuses={ASH: [Status.CRITICAL], BROCK: [Status.CRITICAL]},
        step=Step.BEFORE_COUNTING,
        options={"mode": Mode.WILD},
        rules=SPECIAL_RULES,
    )
    while fight.state.step is Step.BEFORE_COUNTING:
        fight.answer(tuple(chosen(fight)))
    mine = fight.state.slammer(ASH)
    assert mine is not None
    assert fight.state.design(mine).name == then


def test_it_switches_to_the_slammer_of_the_best_type():
    stacks = {"Power 0": ["Switch", "Grey", "Charmander", "Bolt"]}
    fight = battle(stacks, slammers=("Squirtle", "Leaf"), rules=SPECIAL_RULES)
    assert chosen(fight) == (Use("Switch", 0),)
    fight.do("Switch")
    assert chosen(fight) == (2,)  # of fire, to which Leaf is weak


@pytest.mark.parametrize(
    ("power", "declared"), [((), True), (("Full Heal",), False), (("Poké Flute",), False)]
)
def test_asleep_it_sings_for_nothing_unless_there_is_a_cure(power, declared):
    fight = battle(
        {"Power 1": power},
        slammers=("Jigglypuff", "Mind"),
        statuses={ASH: [Status.SLEEP]},
        rules=SPECIAL_RULES,
    )
    assert bool(chosen(fight)) is declared
    assert not fight.state.statuses[BROCK]
