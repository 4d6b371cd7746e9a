"""Cards in hand for the solver: which there are, and how many actions they give."""

from hypothesis import given
from hypothesis import strategies as st

from pucklab.sim.bumpers.cards import actions_of_turn
from pucklab.sim.bumpers.game import house_deck
from pucklab.sim.bumpers.solver.cards import (
    Hand,
    MatCard,
    cards_to_play,
    read_hand,
)
from pucklab.sim.bumpers.solver.question import most_actions
from tests.refusals import refused
from tests.tables import cases

NAMES = ("take-1", "take-2", "take-3", "take-6", "double", "extra")


def test_cards_are_read_by_short_and_by_whole_names():
    short = read_hand("twist,swap,shift,double,extra,take-3")
    whole = read_hand("Board Twist,Board Swap,Board Shift,Double Action,Extra Action,Take 3")
    assert short == whole
    assert short.mats == tuple(MatCard)
    assert read_hand(",".join(short.names)) == short


@given(names=st.lists(st.sampled_from(NAMES), max_size=4, unique=True), rule=st.integers(1, 6))
def test_the_cards_to_play_suffice_and_none_of_them_is_idle(names, rule):
    cards = read_hand(",".join(names)).turn if names else ()
    for actions in range(1, actions_of_turn(cards, rule) + 1):
        played = cards_to_play(cards, actions, rule)
        assert actions_of_turn(played, rule) >= actions
        for left_out in range(len(played)):
            fewer = played[:left_out] + played[left_out + 1 :]
            assert actions_of_turn(fewer, rule) < actions


def test_a_solution_must_fit_into_a_turn_only_where_a_rule_or_a_card_says_how_long_it_is():
    assert most_actions(Hand(), None, None) == 20
    assert most_actions(Hand(), None, 40) == 40
    assert most_actions(Hand(), 3, None) == 3
    assert most_actions(Hand(), 3, 40) == 3
    assert most_actions(read_hand("double"), 3, 4) == 4
    assert most_actions(read_hand("twist"), None, None) == 20


@cases(
    "text said",
    """
    flip => cards: 'flip' is not a card the solver ... twist, swap, shift, double, extra, take-1
    take-7 => cards: 'take-7' is not a card the solver knows
    nudge => cards: 'nudge' is not a card the solver knows
    twist, => cards: '' is not a card the solver knows
    swap,swap,swap,swap => cards: 4 of swap given; give at most 3
    double,double,double => cards: 3 of double given; the deck has 2
    """,
)
def test_cards_that_there_are_not_are_one_clear_line(text, said):
    refused(read_hand, text, said=f"^{said}")


def test_every_card_of_the_deck_that_changes_a_turns_actions_can_be_given():
    hooks = {"action-rule", "double-actions", "extra-actions"}
    for card in house_deck().cards:
        if card.hook in hooks:
            assert read_hand(card.name).turn == (card,)
