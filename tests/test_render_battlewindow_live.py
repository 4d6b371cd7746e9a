"""A live battle in a window: played as it is watched, and a person's part in it."""

from itertools import islice
from pathlib import Path

import numpy as np
import pygame
import pytest
from pygame.event import Event

from physics import InputError
from render.battlewindow import LiveGame
from render.battlewindow.panels import boxes_of, columns_of
from render.battlewindow.question_panel import (
    Selection,
    option_buttons,
    option_words,
    question_words,
    toggled,
)
from render.canvas import new_surface
from render.palette import LIGHT
from render.viewer import show
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.questions import Asking, Question, Use
from sim.pokepucks.battle.record import read_record, replay
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.throw_sources import shipped_table
from tests.battlewindows import QUICK, SEED, SIZE, Driver, live_window, table
from tests.slamwindows import count_of, words_written

BOXES = boxes_of(SIZE, 2)


@pytest.fixture
def watched() -> Driver:
    return Driver(live_window(GreedyPlayer(), GreedyPlayer()))


@pytest.fixture
def person() -> Driver:
    """Return a window in which a person is asked for their first puck."""
    driver = Driver(live_window(None, GreedyPlayer()))
    driver.key("end")
    driver.wait(0.5)
    return driver


def label_of(driver: Driver, label: str) -> tuple[int, int]:
    """Return the pixel of the middle of an option's button."""
    selection = driver.window.selection
    assert selection is not None
    state = driver.playback.entry.state
    buttons = option_buttons(BOXES, state, selection, choose=lambda _: None, done=lambda: None)
    return next(button.box.center for button in buttons if button.label == label)


def question(driver: Driver) -> Question:
    """Return the question to the person."""
    assert driver.window.selection is not None
    return driver.window.selection.question


def answer_until(driver: Driver, asking: Asking, *, many: bool = False) -> Question:
    """Answer at random until a person is asked for something."""
    player, chance = RandomPlayer(), np.random.default_rng(5)
    for _ in range(300):
        driver.key("end")
        driver.wait(0.5)
        asked = question(driver)
        if asked.asking is asking and (asked.most > 1 or not many):
            return asked
        driver.playback.answer(player.choose(driver.playback.entry.state, asked, chance))
    raise AssertionError


def test_a_battle_is_played_just_as_far_as_it_is_shown(watched: Driver) -> None:
    assert not watched.playback.game.exchanges
    watched.key("n")
    played = len(watched.playback.game.exchanges)
    assert played > 0
    watched.key("p")
    assert watched.playback.cursor.index == 0
    watched.key("n")
    assert len(watched.playback.game.exchanges) == played


def test_a_live_battle_is_the_one_that_the_command_plays(watched: Driver) -> None:
    watched.key("end")
    watched.wait(10.0)
    players = [GreedyPlayer(), GreedyPlayer()]
    exchanges = list(play_battle(table(), players, shipped_table(), SEED))
    assert list(watched.playback.game.exchanges) == exchanges
    assert watched.playback.entry.is_last
    assert watched.playback.entry.state == exchanges[-1].after


def test_a_live_battle_goes_on_by_itself(watched: Driver) -> None:
    watched.key("up")
    watched.key("up")
    watched.key("up")
    watched.wait(20.0)
    assert watched.playback.game.exchanges
    assert watched.playback.cursor.index > 20


def test_slams_of_a_live_battle_are_those_of_its_throws() -> None:
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), throws=QUICK))
    while not driver.playback.entry.is_throw:
        driver.key("right")
    assert driver.playback.cursor.slam_runs
    assert driver.playback.slam is not None
    assert driver.playback.entry.last_throw is not None
    faces = [landing.face for landing in driver.playback.entry.last_throw.outcome.landings]
    assert [piece.face for piece in driver.playback.slam.replay.outcome.pieces] == faces


def test_the_way_to_the_end_stops_at_a_persons_question(person: Driver) -> None:
    assert question(person).asking is Asking.BUILD_ARENA
    assert question(person).player == 0
    assert not person.playback.has_next
    before = person.playback.cursor.index
    person.wait(3.0)
    person.key("right")
    person.key("n")
    assert person.playback.cursor.index == before


def test_a_question_names_the_player_and_offers_every_option(
    person: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with words_written(monkeypatch) as words:
        picture = person.picture()
    state = person.playback.entry.state
    assert {"Pikachu: puck for the Arena", "choose 1"} <= set(words)
    assert {option_words(state, option) for option in question(person).options} <= set(words)
    health = columns_of(state, 0, BOXES)[0].tiles[0]
    assert count_of(picture, LIGHT.accent, health.box) > health.box.width


def test_a_click_on_the_only_option_to_choose_is_the_answer(person: Driver) -> None:
    person.click(label_of(person, "Potion 3"))
    first = person.playback.game.exchanges[0]
    assert first.answer == (3,)
    assert person.playback.entry.words.startswith(
        "Potion 3 from the Health of Pikachu to the Arena"
    )
    assert person.window.selection is None


def test_a_click_on_a_puck_of_a_stack_chooses_it(person: Driver) -> None:
    tiles = columns_of(person.playback.entry.state, 0, BOXES)[0].tiles
    person.click(tiles[5].box.center)
    assert person.playback.game.exchanges[0].answer == (tiles[5].puck,)


def test_a_click_on_another_players_puck_chooses_nothing(person: Driver) -> None:
    tiles = columns_of(person.playback.entry.state, 1, BOXES)[0].tiles
    person.click(tiles[5].box.center)
    assert not person.playback.game.exchanges


def test_many_are_chosen_one_by_one_and_given_by_done(person: Driver) -> None:
    asked = answer_until(person, Asking.TOP_OFF, many=True)
    state, made = person.playback.entry.state, len(person.playback.game.exchanges)
    wanted = tuple(islice(reversed(asked.options), asked.most))
    for number, option in enumerate(wanted):
        assert len(person.playback.game.exchanges) == made
        person.key("return")  # too early but for the last
        assert person.window.selection == Selection(question=asked, chosen=wanted[:number])
        person.click(label_of(person, option_words(state, option)))
    person.click(label_of(person, f"done: {len(wanted)} chosen"))
    assert person.playback.game.exchanges[made].answer == wanted


def test_none_is_an_answer_if_nothing_must_be_chosen(person: Driver) -> None:
    answer_until(person, Asking.DISCARD)
    made = len(person.playback.game.exchanges)
    person.click(label_of(person, "none"))
    assert person.playback.game.exchanges[made].answer == ()


def test_one_can_look_back_before_answering(person: Driver) -> None:
    person.key("left")
    assert person.window.selection is None
    person.key("right")
    assert question(person).asking is Asking.BUILD_ARENA


def test_after_an_answer_the_battle_goes_on_by_itself(person: Driver) -> None:
    person.click(label_of(person, "Berry 4"))
    person.wait(8.0)
    assert person.playback.cursor.playing
    assert question(person).options != ()
    assert len(person.playback.game.exchanges) >= 2


def test_a_reply_that_is_not_legal_is_refused_and_asked_for_again(person: Driver) -> None:
    game = person.playback.game
    with pytest.raises(InputError):
        game.answer((999,))
    assert not game.exchanges
    assert game.person_question is question(person)


def test_nobody_is_asked_if_only_policies_play(watched: Driver) -> None:
    assert watched.playback.game.person_question is None
    with pytest.raises(InputError, match="nobody is asked"):
        watched.playback.game.answer(())


def test_the_battle_so_far_is_saved(tmp_path: Path) -> None:
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), folder=tmp_path))
    driver.key("n")
    driver.key("n")
    driver.key("s")
    record = read_record(tmp_path / "battle.json")
    assert list(replay(record)) == list(driver.playback.game.exchanges)


def test_there_is_a_player_for_each_seat() -> None:
    with pytest.raises(InputError, match="players: 1 is not accepted; give 2"):
        LiveGame(table(), [None], shipped_table(), SEED)


def test_labels_of_options() -> None:
    state = new_battle(table())
    labels = [option_words(state, option) for option in (3, Use("Potion", 3), Use("Sing"))]
    assert labels == ["Potion 3", "Potion 3", "Sing"]
    assert option_words(state, Use("Energy", 1)) == "Energy: Electric Energy 1"


@pytest.mark.parametrize(
    ("least", "most", "ordered", "said"),
    [
        (1, 1, False, "choose 1"),
        (0, 2, False, "choose up to 2, or none"),
        (1, 3, True, "choose 1 to 3, in order"),
        (4, 4, True, "choose 4, in order"),
    ],
)
def test_the_number_of_options_to_choose_is_shown(
    least: int, most: int, ordered: bool, said: str
) -> None:
    asked = Question(
        player=1,
        asking=Asking.RULE,
        options=(1, 2, 3, 4),
        least=least,
        most=most,
        ordered=ordered,
        rule="Potion",
    )
    state = new_battle(table())
    assert question_words(state, asked) == ("Onix: choice of a special rule, Potion", said)


def test_a_second_click_deselects_an_option() -> None:
    asked = Question(player=0, asking=Asking.DISCARD, options=(1, 2, 3), least=0, most=3)
    selection = Selection(question=asked)
    for option in (2, 3, 2):
        selection = toggled(selection, option)
    assert selection.chosen == (3,)


@pytest.mark.parametrize("count", [1, 9, 10, 30, 60])
def test_any_number_of_options_fits(count: int) -> None:
    driver = Driver(live_window(None, GreedyPlayer()))
    uses = tuple(Use(f"rule {number}") for number in range(count))
    asked = Question(player=0, asking=Asking.USE, options=uses, least=0, most=count)
    selection, state = Selection(question=asked), driver.playback.entry.state
    buttons = option_buttons(BOXES, state, selection, choose=lambda _: None, done=lambda: None)
    assert len(buttons) == count + 1
    assert all(BOXES.transcript.contains(button.box) for button in buttons)
    boxes = [button.box for button in buttons]
    assert all(box.collidelist(boxes[:place]) == -1 for place, box in enumerate(boxes))


def test_a_window_that_is_opened_and_closed_takes_keys_and_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = live_window(GreedyPlayer(), GreedyPlayer())
    keys = iter([pygame.K_n, pygame.K_n, pygame.K_RIGHT, pygame.K_q])

    class Script:
        def tick(self) -> float:
            pygame.event.post(Event(pygame.KEYDOWN, key=next(keys), unicode="", mod=0))
            return 0.1

    show(window, clock=Script())
    assert window.playback.entry.state.turn.number == 2
    assert not window.playback.entry.is_turn
    window.draw(new_surface(640, 400), LIGHT)


def test_every_turn_is_drawn_in_a_small_window() -> None:
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer()), size=(640, 400))
    seen = 0
    for _ in range(12):
        driver.key("n")
        driver.picture()
        seen += isinstance(driver.playback.entry.event, ev.TurnBegan)
    assert seen == driver.playback.entry.state.turn.number


def test_a_person_chooses_the_level_of_the_rival(person: Driver) -> None:
    assert person.window.kinds == ("person", "greedy")
    person.key("v")
    person.key("v")
    assert person.window.kinds == ("person", "expert")
    person.picture()
    for _ in range(3):  # the reply goes to the new rival, who answers
        person.window.choose(person.playback.question.options[0])  # type: ignore[union-attr]
        person.key("end")
        person.wait(0.3)
    asked = [exchange.ask for exchange in person.playback.game.exchanges]
    assert any(isinstance(ask, Question) and ask.player == 1 for ask in asked)
    for level in ("expert-deep", "greedy"):
        person.key("v")
        assert person.window.kinds == ("person", level)


def test_who_only_watches_cannot_change_the_level(watched: Driver) -> None:
    watched.key("v")
    assert watched.window.kinds == ("greedy", "greedy")
