"""The rulings of the game, each as a short story in tests/data/bumpers/rulings.txt.

After its title, a story has a line ``at`` with the hands of red, orange and so on and what else is
on the table; ``do`` with choices, one after the other; ``see`` with what is then so; ``refused``
with a choice and a part of the reason; and ``shuffle`` with the order of the draw pile.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pucklab.physics import InputError
from pucklab.sim.bumpers import Colour, Kind, Piece, layout_problems, setup_named, start_spaces
from pucklab.sim.bumpers.game import (
    BUMPERS,
    CardKind,
    GreedyPlayer,
    Phase,
    PlacePiece,
    PlayCard,
    RandomPlayer,
    choices,
    chooser,
    deck_from,
    house_deck,
    make_config,
    new_game,
    random_start,
    shuffle,
    step,
    unplaced,
)
from pucklab.sim.bumpers.mat_notation import layout_text
from pucklab.sim.bumpers.position_notation import pieces_text
from pucklab.sim.core.game import play
from tests.bumpersgames import at_turn, do, names, number, offered
from tests.refusals import refused
from tests.tables import cases, stories, toml

TEXT = (Path(__file__).parent / "data" / "bumpers" / "rulings.txt").read_text()
STORIES = stories(TEXT)
BOARDS = {
    # Three mats, of which each has an open side; nine, of which the one in the middle has none.
    "three": ({"mat": "", "layout": "B1.B2/G1@180.-"}, "RPa5.OPh8"),
    "nine": ({"mat": "", "layout": "B1.B2.B3/B4.G1.B5/B6.G2.K1"}, "RPa1.OPd1"),
}
COLOURS = ("red", "orange", "yellow", "green")
IN_PLAY = ("draw_rule", "action_rule", "ongoing")


def listed(text):
    """Return the parts of a list with commas; none for ``none``."""
    return [] if text in ("", "none") else text.split(", ")


def start_of(text):
    """Return the state of a line ``at``."""
    hands, *facts = text.split(";")
    held = [listed(hand.strip()) for hand in hands.split("/")]
    options = {"in_play": {}, "table": {}}
    for fact in facts:
        name, _, value = fact.strip().partition(" ")
        if name in IN_PLAY:
            options["in_play"][name] = value
        elif name == "table":
            key, _, count = value.partition(" ")
            options["table"][key] = int(count)
        elif name == "mats":
            board, pieces = BOARDS[value]
            options = {"pieces": pieces, **options, "board": board}
        elif name in ("discards", "pile"):
            options[name] = listed(value)
        elif name == "player":
            options[name] = int(value)
        elif name != "goal":  # which the board has as it is
            options[name] = value
    return at_turn(*held, *[()] * (2 - len(held)), **options)


def told(state, name, rest):
    """Return a fact of a state in the form of the stories."""
    played = state.card(value).name if (value := getattr(state, name, None)) is not None and (
        name in IN_PLAY) else "none"  # fmt: skip
    seats = {"player": state.player, "winner": state.winner, "chooser": chooser(state),
             "finished": state.finished}  # fmt: skip
    if name in seats:
        return "nobody" if seats[name] is None else COLOURS[seats[name] or 0]
    if name in ("hand", "cards"):
        hand = state.hands[COLOURS.index(rest.split(maxsplit=1)[0])]
        whose = rest.split(maxsplit=1)[0] + " "
        return whose + (str(len(hand)) if name == "cards" else ", ".join(names(hand)) or "none")
    there = offered(state)
    facts = {
        "board": pieces_text(state.position),
        "layout": layout_text(state.position.layout),
        "legal": not layout_problems(state.position.layout, state.position.rules),
        "scored": "".join(f"{c.letter}{n}" for c in Colour if (n := state.position.scored[c])),
        "slippery": state.position.rules.slippery_ice,
        "discards": ", ".join(names(state.discards)) or "none",
        "pile": ", ".join(names(state.draw_pile)) or "none",
        "taken": state.turn.taken,
        "allowed": state.actions_allowed,
        "borrowed": ", ".join(c.word for c in state.turn.borrowed) or "none",
        "pending": "none" if state.pending is None else state.card(state.pending.card).name,
        "series": state.series is not None,
        "phase": state.phase.value,
        "offered": ", ".join(there) or "none",
        "count": len(there),
        "has": rest if {*listed(rest)} <= {*there} else f"not all of them: {there}",
        "lacks": rest if rest not in there else "there",
        "only": rest if {text[0] for text in there} == {rest} else there,
        "some": rest if any(text.startswith(rest) for text in there) else there,
        "no": rest if not any(text.startswith(rest) for text in there) else there,
        **dict.fromkeys(IN_PLAY, played),
    }
    return facts[name] if name in facts else getattr(state, name)


@pytest.mark.parametrize("story", STORIES.values(), ids=list(STORIES))
def test_the_game_goes_as_the_ruling_says(story):
    first, *lines = story
    state = start_of(first.removeprefix("at"))
    for word, _, rest in (line.partition(" ") for line in lines):
        if word == "do":
            state = do(state, *rest.split("; "))
        elif word == "shuffle":
            state = do(state, "shuffle " + ".".join(str(number(card)) for card in listed(rest)))
        elif word == "refused":
            text, _, reason = rest.partition(": ")
            with pytest.raises(InputError, match=reason):
                choose(state, text)
        else:
            assert word == "see"
            for fact in rest.split("; "):
                name, _, wanted = fact.partition(" ")
                assert str(told(state, name, wanted)) == wanted, fact


def choose(state, text):
    """Make a choice; cards and passing need not be offered for it to be tried."""
    if text == "pass" or text.startswith("play "):
        step(state, PASS if text == "pass" else PlayCard(number(text.removeprefix("play "))))
    else:
        do(state, text)


PASS = choices(do(at_turn(("Take 1",), ()), "a1N"))[-1]


def dealt(players):
    """Return the state before the first piece is placed."""
    state = new_game(make_config(players))
    return step(state, shuffle(state, np.random.default_rng(1)))[0]


def test_pb_14_the_house_deck_has_the_rulebooks_counts_and_named_cards():
    counts = dict.fromkeys(CardKind, 0)
    for card in house_deck().cards:
        counts[card.kind] += card.count
    assert list(counts.values()) == [14, 5, 10, 25]  # quick plays, draws, actions, game changers
    named = {"Board Shift", "Board Swap", "Board Twist", "Let's Mix Things Up", "Reverse"}
    named |= {"I Like Your Pieces More", "Take 3", "Take 6"}
    assert named <= {card.name for card in house_deck().cards}


@cases(
    "rule doubled extra cards actions",
    """
    "Take 3" => false => 0 => [] => 3
    "Take 3" => false => 0 => ["Take 5"] => 5
    "Take 5" => false => 0 => ["Take 3"] => 5  # nobody has to play it
    "Take 3" => false => 0 => ["Double Action"] => 6
    "Take 3" => true => 0 => ["Double Action"] => 6  # once a turn
    "Take 2" => false => 0 => ["Double Action", "Double Action"] => 4
    "Take 3" => true => 1 => ["Extra Action"] => 8  # extra actions are not doubled
    "Take 2" => false => 1 => ["Double Action", "Take 4", "Extra Action", "Nudge"] => 10
    """,
    toml,
)
def test_pb_27_the_most_actions_with_some_cards_double_the_rule_and_then_add_the_extra_ones(
    rule, doubled, extra, cards, actions
):
    state = at_turn(cards, (), in_play={"action_rule": rule})
    state = replace(state, turn=replace(state.turn, doubled=doubled, extra=extra))
    assert state.actions_with(state.hands[0]) == actions


@pytest.mark.parametrize(("players", "cards", "limit"), [(2, 5, 7), (3, 5, 7), (4, 3, 5)])
def test_pb_16_few_players_are_dealt_more_and_may_hold_more(players, cards, limit):
    state = dealt(players)
    assert {len(hand) for hand in state.hands} == {cards}
    assert state.config.hand_limit == limit


def test_pb_17_old_school_has_two_actions_two_pucks_no_cards_and_no_meeples():
    state = random_start(make_config(4, setup="old-school"), 1)
    assert (state.actions_allowed, state.config.deck.cards, state.hands[0]) == (2, (), ())
    kinds = [piece.kind for _, piece in state.position.pieces if piece.colour is Colour.RED]
    assert sorted(kind.value for kind in kinds) == ["I", "I", "P", "P"]


def test_pb_18_and_20_placing_goes_to_the_right_onto_any_free_start_space_of_the_kind():
    state = dealt(4)
    layout = state.position.layout
    free = {PlacePiece(Piece(Colour.RED, k), s) for k in Kind for s in start_spaces(layout, k)}
    assert set(choices(state)) == free
    placed = []
    while state.phase is Phase.PLACING:
        placed.append(state.player)
        taken = {space for space, _ in state.position.pieces}
        assert all(isinstance(c, PlacePiece) and c.space not in taken for c in choices(state))
        state, _ = step(state, choices(state)[0])
    assert placed[:5] == [0, 3, 2, 1, 0]
    assert (state.player, state.turns) == (0, 1)  # whoever began draws first
    assert len(state.position.pieces) == 4 * 8
    assert not any(unplaced(state, player) for player in range(4))


def test_pb_33_quick_plays_count_so_that_every_game_ends():
    card = {"name": "Three", "kind": "quick-play", "count": 9, "text": "Draw three cards."}
    hook = {"hook": "draw-cards", "numbers": {"cards": 3}}
    table = make_config(2, deck=deck_from("deck", {"cards": [card | hook]}), max_actions=40)
    *_, last = play(BUMPERS, table, [GreedyPlayer()] * 2, 1)
    assert (last.after.phase, last.after.actions) == (Phase.OVER, 40)


@pytest.mark.parametrize("players", [2, 3])
def test_pb_34_two_or_three_play_on_the_small_board_with_the_same_pieces(players):
    state = random_start(make_config(players), 1)
    assert state.position.layout == setup_named("small").layout
    assert len(state.position.pieces) == 8 * players


def test_pb_35_a_player_may_have_several_colours():
    table = make_config(2, colours_each=2)
    assert table.colours_of(0) == (Colour.RED, Colour.YELLOW)
    state = random_start(table, 1)
    assert state.position.layout == setup_named("classic").layout
    movers = {state.position.piece_on(c.move.space) for c in choices(state) if hasattr(c, "move")}
    assert {piece.colour for piece in movers if piece} == {Colour.RED, Colour.YELLOW}


@cases(
    "options said",
    """
    { players = 1 } => players: 1
    { players = 7 } => players: 7
    { players = 4, colours_each = 2 } => colours: 2
    { players = 4, max_actions = 0 } => max_actions: 0
    { players = 4, setup = "huge" } => setup: 'huge' is not accepted; give one of classic
    { players = 6, setup = "small" } => setup: 'small' has 16 start spaces for pucks
    """,
    toml,
)
def test_an_impossible_set_up_is_refused(options, said):
    refused(make_config, **options, said=said)


def test_old_school_has_no_deck():
    refused(make_config, 4, setup="old-school", deck=house_deck(), said="deck: old school is")


def test_the_number_of_players_must_be_that_of_the_seats():
    players = [RandomPlayer()] * 3
    refused(play, BUMPERS, make_config(2), players, 1, said="players: 3 is not accepted; give 2")
