"""Actions that a rule forbids are refused with an error that names it; the state is unchanged."""

from dataclasses import replace

import pytest

from physics import InputError
from sim.pokepucks.battle.events import Arranged, AttackBarred, Moved, apply
from sim.pokepucks.battle.questions import Use
from sim.pokepucks.battle.state import ARENA, Status, Step, health, power
from sim.pokepucks.special import SPECIAL_RULES
from sim.pokepucks.throws import missed
from tests.pokepucksbattles import ASH, battle

POWER = {"Power 0": ["Potion", "Potion", "Berry"], "Prize 0": ["Potion", "Plain Puck"]}


def window(stacks=None, **fields):
    """Return a battle before the top-off of Ash, who has Potions in Power and in Prize."""
    return battle(
        POWER | {"Health 0": 5} | (stacks or {}),
        sizes={"Health 0": 10},
        rules=SPECIAL_RULES,
        **fields,
    )


def refused(fight, said, answer):
    """Check that an answer is refused with a reason, and changes nothing."""
    before, ask = fight.moment(), fight.ask
    with pytest.raises(InputError, match=said) as caught:
        fight.answer(answer)
    assert "\n" not in str(caught.value)
    assert (fight.moment(), fight.ask) == (before, ask)


def test_battle_rules_2_only_the_current_player_touches_the_arena():
    fight = battle(step=Step.KNOCK_OUT, statuses={ASH: [Status.CRITICAL]})
    refused(fight, r"only the current player touches the Arena \(Battle Rules 2\)", (0,))


def test_battle_rules_3_nobody_touches_anothers_stacks():
    fight = window({"Power 1": ["Potion"], "Prize 1": ["Berry"]})
    for stack in (fight.state.health(1), fight.state.power(1), fight.state.prize(1)):
        refused(fight, r"nobody else touches .* of Brock \(Battle Rules 3\)", stack[:1])
    use = Use("Potion", fight.state.power(1)[0])
    refused(fight, r"the Power of Brock \(Battle Rules 3\)", (use,))


def test_battle_rules_4_nothing_is_discarded_at_will():
    refused(window(), r"not discarded at will, but in step 5 \(Battle Rules 4, PP-55\)", (0,))


def test_battle_rules_5_one_of_the_same_item_a_turn():
    # The Poké Flute keeps the window open.
    potions = {"Power 0": ["Potion", "Potion", "Poké Flute"]}
    fight = window(potions, statuses={ASH: [Status.SLEEP]})
    fight.do("Potion 0", "4")
    said = r"one Potion was used this turn already \(Battle Rules 5, PP-43\)"
    refused(fight, said, (Use("Potion", 1),))


def test_battle_rules_6_no_special_rule_of_a_puck_in_a_prize_stack():
    refused(window(), r"in a Prize stack may be used \(Battle Rules 6\)", (Use("Potion", 3),))


def test_a_special_rule_acts_at_its_own_point_only():
    fight = window()
    said = r"it acts after picking up|was not just picked up"
    refused(fight, said, (Use("Berry", 2),))
    full_heal = window({"Power 0": ["Full Heal", "Potion"]}, statuses={ASH: [Status.POISONED]})
    said = r"it acts before counting attacks; asked for now: before topping off \(PP-44\)"
    refused(full_heal, said, (Use("Full Heal", 0),))


def test_a_special_rule_that_there_is_not_is_refused():
    refused(window(), "there is no such special rule", (Use("Teleport", 0),))
    refused(window(), "has no such special rule", (Use("Potion", 2),))
    refused(window(), "there is no such puck", (Use("Potion", 999),))


def test_the_wrong_number_of_pucks_or_one_twice_is_refused():
    fight = battle({"Arena": 6, "Health 0": 4}, sizes={"Arena": 8})
    refused(fight, "1 chosen; choose 2", (6,))
    refused(fight, "one is there twice", (6, 6))
    refused(fight, "is not accepted; give a selection of options", [6, 7])
    refused(fight, "choose from #6|choose from Plain Puck 6", ("seven",))


def test_a_throw_that_is_none_or_of_another_stack_is_refused():
    fight = battle()
    refused(fight, "give the outcome of a throw", (0,))
    refused(fight, "the throw is at 8 pucks", missed(7))


def test_nothing_is_answered_when_the_battle_is_over():
    fight = battle(turn=2, player=1, options={"max_turns": 1})
    fight.do("miss 8")
    refused(fight, "the battle is over", ())


def test_an_event_that_does_not_fit_is_refused():
    state = battle().state
    with pytest.raises(InputError, match="puck 0: it is not in the Health of Ash"):
        apply(state, Moved(pucks=(0,), source=health(ASH), target=power(ASH)))
    with pytest.raises(InputError, match="give the pucks of the Arena"):
        apply(state, Arranged(place=ARENA, order=(0, 0, 1, 2, 3, 4, 5, 6)))
    with pytest.raises(InputError, match="no attack"):
        apply(replace(state, attack=None), AttackBarred(why="Sleep"))
