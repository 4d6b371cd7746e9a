"""A live battle in a window: watched, or played by a person."""

import math
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pygame
import pytest

from physics import InputError
from render.battlewindow import recorded_game
from render.battlewindow import window as window_module
from render.battlewindow.panels import columns_of
from render.battlewindow.picture import banner_box
from render.battlewindow.question_panel import (
    Panel,
    Selection,
    option_words,
    panel_boxes,
    panel_widgets,
    question_words,
)
from render.battlewindow.throwing import STRAIGHT_DEG
from render.palette import LIGHT
from render.viewer import Button
from sim.core.players import RandomPlayer
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.explanations import flip_chances
from sim.pokepucks.battle.live import shot_of, throw_generator
from sim.pokepucks.battle.match import play_battle
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.questions import Asking, Question, Use
from sim.pokepucks.battle.review import BetterMove, DecidingThrow, Review
from sim.pokepucks.battle.sensible import propose
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import Status
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import Outcome, ThrowKind
from tests.battlewindows import (
    BOXES,
    FRAME_S,
    QUICK,
    SEED,
    SIZE,
    Driver,
    first_entry,
    live_window,
    recorded_window,
    stack_pixel,
    table,
    timeline_of,
    words_at,
)
from tests.pokepucksbattles import read_back, replayed
from tests.refusals import refused
from tests.slamwindows import count_of


@pytest.fixture
def driver():
    return Driver(recorded_window())


@pytest.fixture
def watched():
    return Driver(live_window(GreedyPlayer(), GreedyPlayer()))


@pytest.fixture
def person():
    """Return a window in which a person is asked for their first puck."""
    driver = Driver(live_window(None, GreedyPlayer()))
    driver.key("end")
    driver.wait(0.2)
    return driver


def question(driver):
    """Return the question to the person."""
    return driver.window.selection.question


def label_of(driver, label):
    """Return the pixel of the middle of an option's button."""
    return next(
        widget.box.center
        for widget in driver.window.widgets(SIZE)
        if isinstance(widget, Button) and widget.label == label
    )


def answers(game):
    """Return the answers of a game so far."""
    return [step.answer for step in game.steps]


def answer_until(driver, asking, *, many=False):
    """Answer at random until a person is asked for something."""
    player, chance = RandomPlayer(), np.random.default_rng(5)
    for _ in range(300):
        driver.key("end")
        driver.wait(0.5)
        asked = question(driver)
        if asked.asking is asking and (asked.most > 1 or not many):
            return asked
        driver.playback.answer(player.choose(None, driver.playback.game.open, chance))
    raise AssertionError


def test_a_battle_is_played_just_as_far_as_it_is_shown(watched):
    game = watched.playback.game
    assert not game.steps
    watched.key("n")
    played = len(game.steps)
    assert played > 0
    watched.keys("p", "n")
    assert len(game.steps) == played


def test_a_live_battle_is_the_one_that_the_command_plays(watched):
    watched.keys("up", "up", "up")
    watched.wait(20.0)
    assert watched.playback.index > 20  # it goes on by itself
    watched.key("end")
    watched.wait(10.0)
    players = [GreedyPlayer(), GreedyPlayer()]
    exchanges = list(play_battle(table(), players, shipped_table(), SEED))
    assert watched.playback.game.steps == exchanges
    assert watched.playback.entry.is_last
    assert watched.playback.entry.state.winner == exchanges[-1].after.state.winner


def test_slams_of_a_live_battle_are_those_of_its_throws():
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), throws=QUICK))
    while not driver.playback.entry.is_throw:
        driver.key("right")
    assert driver.playback.slam_runs
    slam, throw = driver.playback.slam, driver.playback.entry.last_throw
    faces = [landing.face for landing in throw.outcome.landings]
    assert [piece.face for piece in slam.replay.outcome.pieces] == faces


def test_a_battle_stops_at_a_persons_question_and_one_can_look_back(person):
    assert (question(person).asking, question(person).player) == (Asking.BUILD_ARENA, 0)
    assert not person.playback.has_next
    before = person.playback.index
    person.wait(3.0)
    assert person.keys("right", "n") == [before, before]
    person.key("left")
    assert person.window.selection is None
    person.key("right")
    assert question(person).asking is Asking.BUILD_ARENA


def test_a_question_names_the_player_and_offers_every_option(person, monkeypatch):
    state = person.playback.entry.state
    words = words_at(person, person.playback.index, monkeypatch)
    assert "Pikachu, it is your choice" in words
    assert {option_words(state, option) for option in question(person).options} <= words
    health = columns_of(state, 0, BOXES)[0].tiles[0]
    assert count_of(person.picture(), LIGHT.accent, health.box) > health.box.width


def test_a_click_on_the_only_option_to_choose_is_the_answer(person):
    person.click(label_of(person, "Potion 3"))
    assert person.playback.game.steps[0].answer == (3,)
    assert person.playback.entry.pucks == {3}
    assert person.window.selection is None
    person.wait(8.0)  # the battle goes on by itself
    assert person.playback.playing
    assert question(person).options != ()
    assert len(person.playback.game.steps) >= 2


@pytest.mark.parametrize("player", [0, 1])
def test_a_click_on_ones_own_puck_chooses_it(person, player):
    tile = columns_of(person.playback.entry.state, player, BOXES)[0].tiles[5]
    person.click(tile.box.center)
    answers = [exchange.answer for exchange in person.playback.game.steps]
    assert answers == ([] if player else [(tile.puck,)])


def test_enter_takes_what_is_proposed(person):
    asked = answer_until(person, Asking.TOP_OFF, many=True)
    state, made = person.playback.entry.state, len(person.playback.game.steps)
    wanted = propose(state, asked)
    assert person.window.selection == Selection(question=asked, chosen=wanted)
    person.key("return")
    assert person.playback.game.steps[made].answer == wanted


def test_many_are_chosen_one_by_one_and_one_too_many_replaces_the_first(person):
    asked = answer_until(person, Asking.TOP_OFF, many=True)
    state, made = person.playback.entry.state, len(person.playback.game.steps)
    wanted = tuple(o for o in asked.options if o not in person.window.selection.chosen)
    wanted = wanted[: asked.most]
    for option in wanted:
        assert len(person.playback.game.steps) == made
        person.click(label_of(person, option_words(state, option)))
    assert person.window.selection.chosen == wanted
    person.click(label_of(person, f"Take it: {len(wanted)} chosen"))
    assert person.playback.game.steps[made].answer == wanted


def test_none_is_an_answer_if_nothing_must_be_chosen(person):
    answer_until(person, Asking.DISCARD)
    made = len(person.playback.game.steps)
    person.click(label_of(person, "None"))
    assert person.playback.game.steps[made].answer == ()


def test_a_reply_that_is_not_legal_is_refused_and_asked_for_again(person, watched):
    game = person.playback.game
    with pytest.raises(InputError):
        game.answer((999,))
    assert not game.steps
    assert game.person_question is question(person)
    assert watched.playback.game.person_question is None
    refused(watched.playback.game.answer, (), said="nobody is asked")


@pytest.mark.parametrize(
    ("option", "label"),
    [
        (3, "Potion 3"),
        (Use("Potion", 3), "Potion 3"),
        (Use("Sing"), "Sing"),
        (Use("Energy", 1), "Energy: Electric Energy 1"),
    ],
)
def test_labels_of_options(option, label):
    assert option_words(new_battle(table()), option) == label


@pytest.mark.parametrize(
    ("least", "most", "ordered", "said"),
    [
        (1, 1, False, "Choose one."),
        (0, 2, False, "Choose up to two, or none."),
        (1, 3, True, "Choose one to three, in order."),
        (4, 4, True, "Choose four, in order."),
    ],
)
def test_the_number_of_options_to_choose_is_shown(least, most, ordered, said):
    asked = Question(
        player=1,
        asking=Asking.RULE,
        options=(1, 2, 3, 4),
        least=least,
        most=most,
        ordered=ordered,
        rule="Potion",
    )
    words = question_words(new_battle(table()), asked)
    assert words == ("Onix, it is your choice (Potion)", said)


@pytest.mark.parametrize("count", [1, 7, 8, 60])
def test_any_number_of_options_fits(count):
    uses = tuple(Use(f"rule {number}") for number in range(count))
    asked = Question(player=0, asking=Asking.USE, options=uses, least=0, most=count)
    state = new_battle(table())
    panel = Panel(state=state, heading="?", hint="", choices=(Selection(question=asked),))
    boxes = [widget.box for widget in panel_widgets(panel, BOXES)]
    assert len(boxes) == count
    assert all(BOXES.transcript.contains(box) for box in boxes)
    assert all(box.collidelist(boxes[:place]) == -1 for place, box in enumerate(boxes))


# A person's set-up and throws.


def until_asked(driver):
    """Let time pass until a person is asked for something."""
    for _ in range(4000):
        if driver.window.panel is not None:
            return
        driver.app.advance(FRAME_S)
    raise AssertionError


@pytest.fixture
def thrower():
    """Return a window in which a person has set up, and throws."""
    driver = Driver(live_window(None, GreedyPlayer(), throws=QUICK, plays=True))
    until_asked(driver)
    return driver


def test_the_set_up_is_one_screen_that_enter_starts(thrower):
    panel = thrower.window.panel
    assert panel.heading == "Pikachu: your set-up"
    assert [choice.question.asking for choice in panel.choices] == [Asking.BUILD_ARENA]
    thrower.key("return")
    until_asked(thrower)
    asks = [e for e in thrower.playback.game.steps if isinstance(e.before.ask, Question)]
    own = [
        e.answer[0]
        for e in asks
        if e.before.ask.player == 0 and e.before.ask.asking is Asking.BUILD_ARENA
    ]
    assert own == list(panel.choices[0].chosen)
    assert thrower.playback.entry.state.turn.number == 1


def test_a_set_up_without_a_choice_tells_how_a_battle_goes_and_enter_starts(monkeypatch):
    window = live_window(None, GreedyPlayer(), throws=QUICK, plays=True, length="short")
    driver = Driver(window)
    until_asked(driver)
    assert window.panel.choices == ()
    words = " ".join(words_at(driver, driver.playback.index, monkeypatch))
    assert "You throw your slammer, a heavy puck" in words
    driver.key("return")
    until_asked(driver)
    assert window.throwing is not None


def test_what_is_clicked_in_the_set_up_is_laid_in_the_arena(thrower):
    before = thrower.window.panel.choices[0].chosen
    thrower.click(label_of(thrower, "Berry 4"))
    chosen = thrower.window.panel.choices[0].chosen
    assert chosen == (*before[1:], 4)
    assert 4 in thrower.window.panel.planned.arena
    thrower.click(label_of(thrower, f"1. {option_words(new_battle(table()), chosen[0])}"))
    assert thrower.window.panel.choices[0].chosen == (*chosen[1:], chosen[0])


def test_a_puck_without_a_chance_to_flip_is_named(thrower):
    with patch.object(window_module, "flip_chances", lambda _, __, arena: dict.fromkeys(arena, 0)):
        thrower.window.choose(thrower.window.panel.choices[0], 4)
        hint = thrower.window.panel.hint
    assert "So low in the stack, hardly a throw flips these: " in hint
    assert "Berry 4" in hint


def test_a_sentence_stands_beside_an_option_under_the_mouse(thrower, monkeypatch):
    thrower.move(*label_of(thrower, "Berry 4"))
    words = " ".join(words_at(thrower, thrower.playback.index, monkeypatch))
    assert "Berry 4: An Item. " in words


def test_after_the_battle_a_panel_says_what_decided_it(monkeypatch):
    review = Review(
        player=0,
        curve=((1, 0.5), (2, 0.25), (3, 0.0)),
        throws=(DecidingThrow(turn=2, words="Onix flips three", change=-0.25),),
        better=BetterMove(turn=1, words="use: Potion instead of nothing", gain=0.08),
        is_complete=True,
    )
    seen = []

    def looked_back(exchanges, player):
        seen.append((len(exchanges), player))
        return iter((replace(review, better=None, is_complete=False), review))

    monkeypatch.setattr(window_module, "review_battle", looked_back)
    monkeypatch.setattr(window_module, "is_compiled", lambda _: True)
    window = recorded_window()
    window.kinds = ("person", "greedy")
    driver = Driver(window)
    driver.wait(0.1)
    assert window.panel is None  # the battle is not over yet
    driver.playback.go_to(len(timeline_of(driver)) - 1)
    driver.wait(FRAME_S)
    assert window.panel.hint.endswith("\n...")
    driver.wait(2 * FRAME_S)
    assert seen == [(len(driver.playback.game.steps), 0)]
    assert window.panel.curve == (0.5, 0.25, 0.0)
    words = words_at(driver, driver.playback.index, monkeypatch)
    assert {"100 %", "Turn 2: Onix flips three (-25 %)."} <= words
    told = " ".join(window.panel.hint.split())
    assert "Your best other move, turn 1: use: Potion instead of nothing (+8 %)." in told
    colour = driver.app.palette.accent
    picture = driver.picture()
    _, panel = panel_boxes(window.panel, BOXES)
    part = pygame.surfarray.array3d(picture.subsurface(panel))
    on = (np.abs(part.astype(int) - colour).max(axis=2) < 40).nonzero()
    assert np.ptp(on[0]) > 0.7 * panel.width  # the curve


def ready(driver):
    """Start the battle, and return when a throw waits."""
    while driver.window.throwing is None:
        driver.key("return")
        until_asked(driver)
    return driver.window.throwing


def test_a_flick_on_the_stack_is_the_throw_and_the_record_replays(thrower):
    call = ready(thrower).call
    x, y = stack_pixel(thrower.window.throwing)
    thrower.press(x, y)
    for number in range(1, 5):
        thrower.app.advance(FRAME_S)
        thrower.move(x, y - 40 * number)
    thrower.picture()
    thrower.release(x, y - 160)
    game = thrower.playback.game
    (throw,) = [answer.throw for answer in answers(game) if isinstance(answer, Outcome)]
    assert throw.speed_mm_s / 1000 == pytest.approx(
        160 / BOXES.view.height / (4 * FRAME_S), abs=0.1
    )
    assert math.degrees(throw.direction_rad) == pytest.approx(STRAIGHT_DEG, abs=1)
    assert thrower.playback.slam_runs
    assert thrower.playback.slam.replay.throw == throw
    again = read_back(thrower.window.record)
    assert replayed(again) == game.steps
    shown = recorded_game(again, QUICK)
    last = next(entry.last_throw for entry in shown.timeline if entry.is_throw)
    assert (last.call, shown.slam_of(last).replay.throw) == (call, throw)


def test_a_slow_flick_throws_nothing_and_says_why(thrower, monkeypatch):
    throwing, made = ready(thrower), len(thrower.playback.game.steps)
    x, y = stack_pixel(thrower.window.throwing)
    thrower.click((x, y))
    assert len(thrower.playback.game.steps) == made
    assert throwing.note.startswith("That was no flick: too slow, throws begin at 0.5 m/s.")
    assert throwing.note in words_at(thrower, thrower.playback.index, monkeypatch)
    thrower.click((BOXES.free.left + 5, BOXES.free.top + 5))
    assert throwing.note == "Press on the stack, flick, and let go."


def test_keys_aim_and_throw(thrower):
    throwing = ready(thrower)
    thrower.keys("plus", "plus", "a", "w", "right", "up")
    assert throwing.aimed.speed_m_s == pytest.approx(5.4)
    assert throwing.aimed.tilt_deg == 12
    left = (throwing.aimed.direction_deg - STRAIGHT_DEG + 180) % 360 - 180
    assert 2 <= left <= 8
    # To the right and away as the viewer sees it: along +y and -x.
    assert throwing.aimed.aim_y_mm > 1
    assert throwing.aimed.aim_x_mm < -1
    thrower.wheel(1)
    assert throwing.aimed.tilt_deg == 14
    thrower.key("space")
    thrown = answers(thrower.playback.game)[-1].throw
    assert thrown.speed_mm_s == 1000 * throwing.aimed.speed_m_s


def test_throw_for_me_is_the_throw_of_the_seed(thrower):
    call = ready(thrower).call
    thrower.key("t")
    game = thrower.playback.game
    wanted = QUICK.throw(shot_of(table(), call), throw_generator(SEED, call.number))
    assert answers(game)[-1] == wanted
    assert answers(game)[-1].throw == wanted.throw


def test_the_past_has_a_banner_and_a_key_back(thrower, monkeypatch):
    ready(thrower)
    now = thrower.playback.index
    thrower.key("p")
    words = words_at(thrower, thrower.playback.index, monkeypatch)
    assert "This is the past: End, or a click here, comes back to now" in words
    assert thrower.window.panel is None
    thrower.key("end")
    assert thrower.playback.index == now
    thrower.key("p")
    thrower.click(banner_box(BOXES).center)
    assert thrower.playback.index == now
    assert thrower.window.throwing is not None


def test_questions_with_one_sensible_answer_are_asked_on_request(thrower):
    game = thrower.playback.game
    assert not game.asks_all
    thrower.key("o")
    assert game.asks_all
    assert thrower.window.panel.heading == "Pikachu, it is your choice"


def test_chances_stand_beside_the_pucks_on_request(thrower, monkeypatch):
    ready(thrower)
    assert not any(word.endswith(" %") for word in words_at(thrower, 0, monkeypatch))
    thrower.key("end")
    until_asked(thrower)
    thrower.key("c")
    chances = flip_chances(thrower.playback.entry.state, 0, thrower.window.throwing.call.targets)
    words = words_at(thrower, thrower.playback.index, monkeypatch)
    assert {f"{100 * chance:.0f} %" for chance in chances.values()} <= words


def test_the_chance_of_a_knock_out_stands_beside_critical(driver, monkeypatch):
    place = next(
        index
        for index, entry in enumerate(timeline_of(driver))
        if Status.CRITICAL in (*entry.state.statuses[0], *entry.state.statuses[1])
        and len(entry.state.playing) == 2
    )
    words = words_at(driver, place, monkeypatch)
    state = timeline_of(driver)[place].state
    ill = int(Status.CRITICAL in state.statuses[1])
    mine, other = (state.design(state.slammer(player)).mass_g for player in (ill, 1 - ill))
    kind = ThrowKind(slammer_g=other, knock_out_g=mine, pieces=1)
    slams = shipped_table().slams(kind)
    share = sum(0 in slam.flipped for slam in slams) / len(slams)
    assert f"Critical: knocked out {100 * share:.0f} %" in words


@pytest.mark.parametrize(
    ("part", "said"),
    [("name", "Pikachu: An electric slammer of 4 g"), ("Health", "Health: You fill up the Arena")],
)
def test_a_sentence_stands_beside_what_the_mouse_is_on(driver, monkeypatch, part, said):
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    label = columns_of(driver.playback.entry.state, 0, BOXES)[0].label
    name = BOXES.players[0]
    driver.move(*(label.center if part == "Health" else (name.centerx, name.top + 15)))
    words = words_at(driver, driver.playback.index, monkeypatch)
    assert any(word.startswith(said) for word in words)


def test_every_turn_is_drawn_in_a_small_window(watched):
    watched.size = (480, 320)
    for turn in range(1, 9):
        watched.key("n")
        watched.picture()
        assert watched.playback.entry.state.turn.number == turn


def test_a_person_chooses_the_level_of_the_rival(person, watched):
    assert person.window.kinds == ("person", "greedy")
    person.key("v")
    assert person.window.kinds == ("person", "skilled")
    person.picture()
    person.window.choose(
        person.window.selection, question(person).options[0]
    )  # the new rival answers
    person.wait(3.0)
    asked = [exchange.before.ask for exchange in person.playback.game.steps]
    assert any(isinstance(ask, Question) and ask.player == 1 for ask in asked)
    for level in ("expert-quick", "expert", "expert-deep", "greedy"):
        person.key("v")
        assert person.window.kinds == ("person", level)
    watched.key("v")  # who only watches chooses none
    assert watched.window.kinds == ("greedy", "greedy")
