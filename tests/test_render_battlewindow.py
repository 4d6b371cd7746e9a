"""A battle in a window: recorded or live, by events and turns, watched or played."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pygame
import pytest
from pygame.event import Event

from physics import Arena, Face, InputError
from render.battlewindow import BattlePlayback, LiveGame, RecordedGame, SlamReplays
from render.battlewindow import window as window_module
from render.battlewindow.arena import scene_of_arena
from render.battlewindow.panels import boxes_of, columns_of
from render.battlewindow.picture import attacks_text, banner_box, turn_text
from render.battlewindow.question_panel import (
    Panel,
    Selection,
    option_words,
    panel_boxes,
    panel_widgets,
    question_words,
)
from render.battlewindow.stacks import PuckMarks, draw_stack, stack_tiles
from render.battlewindow.throwing import STRAIGHT_DEG
from render.battlewindow.transcript import transcript_lines
from render.canvas import new_surface, text_width, wrapped
from render.palette import DARK, LIGHT
from render.viewer import Button, picture_of, show
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.explanations import flip_chances
from sim.pokepucks.battle.live import play_battle, shot_of, throw_generator
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.questions import Asking, Question, Use
from sim.pokepucks.battle.record import (
    place_text,
    read_record,
    record_from,
    record_json,
    record_of,
    replay,
)
from sim.pokepucks.battle.review import BetterMove, DecidingThrow, Review
from sim.pokepucks.battle.sensible import proposed
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import Place, StackKind, Status, places
from sim.pokepucks.battle.transcript import battle_transcript
from sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from tests.battlewindows import (
    FRAME_S,
    QUICK,
    SEED,
    SIZE,
    Driver,
    live_window,
    record,
    recorded_window,
    table,
)
from tests.refusals import refused
from tests.slamwindows import count_of, views_of, words_written

BOXES = boxes_of(SIZE, 2)


@pytest.fixture
def driver():
    return Driver(recorded_window())


@pytest.fixture
def slams():
    return Driver(recorded_window(physics=True))


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


def timeline_of(driver):
    return driver.playback.game.timeline


def first_entry(driver, kind):
    """Return the number of the first entry with such an event."""
    return next(n for n, e in enumerate(timeline_of(driver)) if isinstance(e.event, kind))


def words_at(driver, index, monkeypatch):
    """Return the lines of words drawn at an entry."""
    if index != driver.playback.index:
        driver.playback.go_to(index)
    with words_written(monkeypatch) as words:
        driver.picture()
    return set(words)


# The timeline, and the way in it.


def test_the_timeline_leads_from_the_set_up_to_the_end_of_the_record(driver):
    timeline, saved = timeline_of(driver), record()
    assert timeline[0].state == new_battle(saved.table)
    assert timeline[-1].state == list(replay(saved))[-1].after
    end = timeline[-1].state
    stacks = {place_text(place): end.stack(place) for place in places(2)}
    assert stacks == dict(saved.final.stacks)
    assert all(later.before == sooner.state for sooner, later in pairwise(timeline))
    assert all(entry.words for entry in timeline)


@pytest.mark.parametrize(
    ("begin", "keys", "seen"),
    [
        (0, ("right", "right", "right", "left", "left"), [1, 2, 3, 2, 1]),
        (0, ("left",), [0]),
        (10**6, ("right",), [-1]),
        (40, ("home",), [0]),
        (10**6, ("space",), [0]),
    ],
)
def test_keys_go_from_event_to_event_and_stop_at_both_ends(driver, begin, keys, seen):
    last = len(timeline_of(driver)) - 1
    driver.playback.go_to(begin)
    assert driver.keys(*keys) == [place % (last + 1) for place in seen]
    assert driver.playback.playing == ("space" in keys)


def test_n_and_p_go_from_turn_to_turn(driver):
    seen = []
    for name in ("n", "n", "n", "right", "p", "p", "p", "p"):
        driver.key(name)
        seen.append(driver.playback.entry.state.turn.number)
        assert driver.playback.entry.is_turn == (name != "right" and seen[-1] > 0)
    assert seen == [1, 2, 3, 3, 3, 2, 1, 0]
    assert driver.playback.index == 0
    for _ in range(200):
        driver.key("n")
    assert driver.playback.entry.is_last


def test_end_wheel_and_scrub_bar_go_where_they_say(driver):
    for notches in (-1, -1, 1):
        driver.wheel(notches)
    assert driver.playback.index == 1
    driver.click(BOXES.scrub.center)
    assert driver.playback.index == pytest.approx((len(timeline_of(driver)) - 1) / 2, abs=2)
    driver.key("end")
    driver.wait(0.1)
    assert driver.playback.entry.is_last


def test_events_follow_each_other_by_themselves_up_to_the_end(driver):
    driver.wait(5.0)
    assert 2 <= driver.playback.index <= 12
    driver.playback.start_at(len(timeline_of(driver)) - 2)
    driver.wait(6.0)
    assert driver.playback.entry.is_last
    assert not driver.playback.playing
    assert not driver.app.advance(1.0)


def test_space_pauses_and_plays_on(driver):
    driver.key("space")
    driver.wait(5.0)
    assert driver.playback.index == 0
    driver.key("space")
    driver.wait(5.0)
    assert driver.playback.index > 0


def test_up_and_down_change_how_fast_events_follow():
    seen = []
    for name, times in (("down", 20), ("up", 0), ("up", 20)):
        driver = Driver(recorded_window())
        driver.keys(*[name] * times)
        driver.wait(4.0)
        seen.append(driver.playback.index)
    assert seen[0] < seen[1] < seen[2]


# What is drawn.


def test_every_puck_of_a_players_stacks_is_in_its_stack(driver):
    kinds = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
    for entry in timeline_of(driver)[::25]:
        for player in (0, 1):
            columns = columns_of(entry.state, player, BOXES)
            assert [column.place for column in columns] == [Place(kind, player) for kind in kinds]
            for column in columns:
                tiles = column.tiles
                assert tuple(tile.puck for tile in tiles) == entry.state.stack(column.place)
                assert all(BOXES.players[player].contains(tile.box) for tile in tiles)
                bottoms = [tile.box.bottom for tile in tiles]
                assert bottoms == sorted(bottoms, reverse=True)


@pytest.mark.parametrize(
    ("width_px", "said"), [(400, "Electric Focus Energy"), (120, "Focus Energy")]
)
def test_a_long_name_leaves_out_the_type_that_its_badge_shows(driver, monkeypatch, width_px, said):
    state = driver.playback.entry.state
    (puck,) = [p for p in range(15) if state.design(p).name == "Electric Focus Energy"]
    tiles = stack_tiles((puck,), pygame.Rect(0, 0, width_px, 20), 20)
    with words_written(monkeypatch) as words:
        draw_stack(new_surface(width_px, 20), tiles, state, PuckMarks(), LIGHT)
    assert said in words


def test_names_sizes_slammers_and_statuses_are_written(driver, monkeypatch):
    words = words_at(driver, first_entry(driver, ev.TurnBegan), monkeypatch)
    state = driver.playback.entry.state
    health = f"{len(state.health(0))}/{state.max_size(Place(StackKind.HEALTH, 0))}"
    shown = {"Pikachu", "Onix", "4 g", "20 g", health, "Health", "Power", "Prize", "Arena 8/8"}
    assert shown <= words
    place, statuses = first_entry(driver, ev.StatusGained), {str(status) for status in Status}
    assert not statuses & words_at(driver, place - 1, monkeypatch)
    event = timeline_of(driver)[place].event
    assert any(word.startswith(str(event.status)) for word in words_at(driver, place, monkeypatch))


def test_the_header_says_whose_turn_it_is_how_many_attacks_and_who_wins(driver):
    timeline = timeline_of(driver)
    winner = timeline[-1].state.winner
    assert winner is not None
    for place, title in (
        (0, "Set-up"),
        (first_entry(driver, ev.TurnBegan), "Turn 1: Pikachu"),
        (-1, f"{('Pikachu', 'Onix')[winner]} wins"),
    ):
        assert turn_text(timeline[place].state) == title
    state = timeline[first_entry(driver, ev.Thrown)].state
    assert attacks_text(timeline[0].state) == ""
    assert attacks_text(state) == f"attacks {state.turn.made} of {state.turn.attacks}"
    assert state.turn.made == 1
    assert driver.window.title == "Pikachu, Onix - pucklab"


def test_lines_are_as_wide_as_there_is_room():
    words = "Mr. Saia 13, Mr. Merkert 6 from the Health of Pikachu under the Arena (top-off)"
    lines = wrapped(words, 18, 200)
    assert " ".join(lines) == words
    assert all(text_width(line, 18) <= 200 for line in lines)


def test_the_mouse_on_a_puck_shows_its_name(driver, monkeypatch):
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    state = driver.playback.entry.state
    tile = columns_of(state, 0, BOXES)[0].tiles[-1]
    driver.move(*tile.box.center)
    words = words_at(driver, driver.playback.index, monkeypatch)
    assert any(line.startswith(state.table.label(tile.puck)) for line in words)


def test_the_log_is_the_narration_up_to_the_event_shown(driver):
    place = first_entry(driver, ev.Thrown)
    driver.playback.go_to(place)
    texts = [" ".join(line.parts) for line in lines_of(driver)]
    told = [line for entry in timeline_of(driver)[: place + 1] for line in entry.lines]
    assert texts == told[-len(texts) :]
    assert told[0] == "A battle: Pikachu against Onix."
    assert "Turn 1: Pikachu" in texts
    assert [line.on for line in lines_of(driver)] == [False] * (len(texts) - 1) + [True]


def test_the_whole_log_is_what_the_command_tells(driver):
    saved = record()
    told = battle_transcript(saved.table, list(replay(saved)), fold=False)
    lines = [line for entry in timeline_of(driver) for line in entry.lines]
    assert lines == [line.strip() for line in told]


def test_a_line_of_the_log_is_gone_to_by_a_click(driver):
    driver.playback.go_to(60)
    line = lines_of(driver)[-4]
    driver.click(line.box.center)
    assert " ".join(line.parts) in driver.playback.entry.lines


def test_pucks_of_unknown_directions_are_inside_or_outside_as_they_fell(driver):
    half_mm, seen = Arena().half_side_mm, set()
    for index, entry in enumerate(timeline_of(driver)):
        if not entry.is_throw or not entry.last_throw.outcome.hit:
            continue
        driver.playback.go_to(index)
        moment = scene_of_arena(driver.playback).moment
        landings = entry.last_throw.outcome.landings
        assert len(moment.centre_mm) == len(landings) + 1
        for landing, middle, face_up in zip(
            landings, moment.centre_mm[:-1], moment.face_up, strict=False
        ):
            assert np.hypot(*middle[:2]) == pytest.approx(landing.distance_mm)
            assert (abs(middle[:2]) <= half_mm).all() == (landing.face is not Face.OUT)
            assert face_up == (landing.face is Face.UP) or landing.face is Face.LEANING
            seen.add(landing.face)
    assert {Face.UP, Face.DOWN, Face.OUT} <= seen


def test_a_puck_that_was_picked_up_is_no_longer_in_the_arena(slams):
    slams.playback.go_to(first_entry(slams, ev.PickedUp))
    entry = slams.playback.entry
    seen = scene_of_arena(slams.playback)
    assert len(seen.scene.stack) == len(entry.last_throw.call.targets) - 1
    assert len(seen.faces) == len(seen.scene.stack) == len(seen.moment.half_mm) - 1


def test_throws_come_from_where_their_player_sits(slams):
    turns = {}
    for index, entry in enumerate(timeline_of(slams)):
        if entry.is_throw and len(turns) < 2:
            slams.playback.go_to(index)
            turns.setdefault(entry.last_throw.call.player, scene_of_arena(slams.playback))
    assert round((turns[0].turned_rad - turns[1].turned_rad) / np.pi) % 2 == 1


def test_a_puck_that_moves_is_drawn_on_its_way(driver):
    place = first_entry(driver, ev.PickedUp)
    driver.playback.go_to(place - 1)
    driver.key("right")
    before = pygame.image.tobytes(driver.picture(), "RGB")
    assert driver.playback.moved == 0
    driver.wait(0.2)
    assert 0 < driver.playback.moved < 1
    driver.wait(0.3)
    assert driver.playback.moved == 1
    assert pygame.image.tobytes(driver.picture(), "RGB") != before


@pytest.mark.parametrize(
    ("size", "palette"), [((480, 320), LIGHT), ((600, 900), DARK), ((1280, 800), LIGHT)]
)
def test_any_size_is_drawn(size, palette):
    window = recorded_window()
    window.playback.go_to(40)
    picture, boxes = picture_of(window, size, palette=palette), boxes_of(size, 2)
    assert picture.get_at((0, 0))[:3] == palette.background
    whole = picture.get_rect()
    parts = [boxes.header, boxes.view, boxes.transcript, boxes.buttons]
    assert all(whole.contains(part) for part in parts)
    assert all(part.collidelist(parts[:n]) == -1 for n, part in enumerate(parts))
    assert all(boxes.view.contains(part) for part in (*boxes.players, boxes.ladder))
    assert all(boxes.free.collidelist([box]) == -1 for box in (*boxes.players, boxes.ladder))


def test_the_arena_takes_more_than_half_of_the_window():
    assert BOXES.view.width * BOXES.view.height > 0.5 * SIZE[0] * SIZE[1]


@pytest.mark.parametrize("players", range(2, 9))
def test_there_is_a_panel_for_each_of_up_to_eight_players(players):
    boxes = boxes_of(SIZE, players)
    assert len(boxes.players) == players
    assert len({box.left for box in boxes.players}) == (1 if players <= 4 else 2)
    assert all(box.collidelist(boxes.players[:n]) == -1 for n, box in enumerate(boxes.players))


# Slams of throws.


def test_a_throw_is_shown_as_its_slam_and_then_told(slams, monkeypatch):
    place = first_entry(slams, ev.Thrown)
    slams.playback.go_to(place - 1)
    slams.key("right")
    assert slams.playback.slam_runs
    (told,) = slams.playback.entry.lines
    during = words_at(slams, place, monkeypatch)
    assert "Pikachu throws at eight pucks ..." in during
    assert not any(word in told for word in during if word.startswith("Pikachu flips"))
    slams.wait(15.0)
    assert not slams.playback.slam_runs
    assert slams.playback.index == place
    assert told in words_at(slams, place, monkeypatch)


def test_space_pauses_a_slam(slams):
    slams.playback.start_at(first_entry(slams, ev.Thrown) - 1)
    while not slams.playback.slam_runs:
        slams.wait(0.1)
    assert [view.is_moving for view in views_of(slams.window)] == [True]
    slams.key("space")
    slam = slams.playback.slam_playback
    assert [view.is_moving for view in views_of(slams.window)] == [False]
    assert not slams.app.advance(1.0)
    slams.key("space")
    slams.wait(0.2)
    assert slams.playback.slam_playback.time_s > slam.time_s


def test_a_step_during_a_slam_goes_on_without_it_and_r_shows_it_again(slams):
    place = first_entry(slams, ev.Thrown)
    slams.playback.go_to(place - 1)
    assert slams.keys("right", "right", "left") == [place, place + 1, place]
    assert not slams.playback.slam_runs
    slams.key("r")
    assert slams.playback.slam_runs


def test_i_shows_slams_in_real_time(slams):
    times = []
    for keys in (("r",), ("i", "r")):
        slams.playback.go_to(first_entry(slams, ev.Thrown))
        slams.keys(*keys)
        frames = 0
        while slams.playback.slam_runs:
            slams.wait(1 / 30)
            frames += 1
        times.append(frames / 30)
    slam = slams.playback.slam
    assert times[1] == pytest.approx(slam.motion.rest_s - slam.motion.start_s, abs=0.2)
    assert times[0] > 1.5 * times[1]


def test_the_pucks_stay_where_the_slam_left_them_until_they_are_stacked(slams):
    timeline, place = timeline_of(slams), first_entry(slams, ev.PickedUp)
    slams.playback.go_to(place)
    assert slams.playback.slam is not None
    assert timeline[place].last_throw is not None
    stay = [entry.last_throw is not None for entry in timeline[place:]]
    restacked = stay.index(False) + place
    assert timeline[restacked - 1].is_restacked
    assert not any(isinstance(e.event, ev.Thrown) for e in timeline[place:restacked])


@pytest.mark.parametrize(
    ("seed", "throws"), [(SEED + 1, QUICK), (SEED, PhysicsThrows()), (None, QUICK), (SEED, None)]
)
def test_a_slam_with_another_outcome_is_not_shown(seed, throws):
    saved = record(physics=True)
    playback = BattlePlayback(RecordedGame(saved), SlamReplays(seed, throws))
    falls = [entry for entry in playback.game.timeline if entry.is_throw][:3]
    found = [playback.slams.find(saved.table, entry.last_throw) for entry in falls]
    assert None in found


# Commands and records.


def test_every_button_with_a_key_is_in_the_help(slams):
    listed = {command.hint for command in slams.window.commands}
    buttons = [widget for widget in slams.window.widgets(SIZE) if isinstance(widget, Button)]
    assert {button.hint for button in buttons if button.hint != "faster"} <= listed
    assert "repeat this slam (R)" in listed


def test_s_saves_the_record_beside_earlier_ones(tmp_path):
    driver = Driver(recorded_window(folder=tmp_path))
    driver.keys("s", "s")
    assert driver.window.message == "wrote battle-2.json"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle-2.json", "battle.json"]
    assert read_record(tmp_path / "battle.json") == replace(record(), throws="tests")
    refused = Driver(recorded_window(folder=tmp_path / "none"))
    refused.key("s")
    assert "cannot be written" in refused.window.message


def test_the_battle_so_far_is_saved(tmp_path):
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), folder=tmp_path))
    driver.keys("n", "n", "s")
    saved = read_record(tmp_path / "battle.json")
    assert list(replay(saved)) == list(driver.playback.game.exchanges)


def test_a_record_that_does_not_replay_is_refused_and_names_the_version():
    saved = replace(record(), answers=(*record().answers[:-1], "miss 99"))
    with pytest.raises(InputError, match=r"record: answer \d+") as own:
        RecordedGame(saved)
    assert "saved by" not in str(own.value)
    with pytest.raises(
        InputError, match=r"record: answer \d+.*; saved by pucklab 0\.0\.7, this is "
    ):
        RecordedGame(replace(saved, version="0.0.7"))


# Live battles.


def question(driver):
    """Return the question to the person."""
    return driver.window.selection.question


def lines_of(driver):
    """Return the lines of the log."""
    log, _ = panel_boxes(driver.window.panel, BOXES)
    return transcript_lines(driver.playback, log, BOXES.words_px)


def label_of(driver, label):
    """Return the pixel of the middle of an option's button."""
    return next(
        widget.box.center
        for widget in driver.window.widgets(SIZE)
        if isinstance(widget, Button) and widget.label == label
    )


def answer_until(driver, asking, *, many=False):
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


def test_a_battle_is_played_just_as_far_as_it_is_shown(watched):
    game = watched.playback.game
    assert not game.exchanges
    watched.key("n")
    played = len(game.exchanges)
    assert played > 0
    watched.keys("p", "n")
    assert len(game.exchanges) == played


def test_a_live_battle_is_the_one_that_the_command_plays(watched):
    watched.keys("up", "up", "up")
    watched.wait(20.0)
    assert watched.playback.index > 20  # it goes on by itself
    watched.key("end")
    watched.wait(10.0)
    players = [GreedyPlayer(), GreedyPlayer()]
    exchanges = list(play_battle(table(), players, shipped_table(), SEED))
    assert list(watched.playback.game.exchanges) == exchanges
    assert watched.playback.entry.is_last
    assert watched.playback.entry.state == exchanges[-1].after


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
    assert "Pikachu: puck for the Arena" in words
    assert {option_words(state, option) for option in question(person).options} <= words
    health = columns_of(state, 0, BOXES)[0].tiles[0]
    assert count_of(person.picture(), LIGHT.accent, health.box) > health.box.width


def test_a_click_on_the_only_option_to_choose_is_the_answer(person):
    person.click(label_of(person, "Potion 3"))
    assert person.playback.game.exchanges[0].answer == (3,)
    assert person.playback.entry.pucks == {3}
    assert person.window.selection is None
    person.wait(8.0)  # the battle goes on by itself
    assert person.playback.playing
    assert question(person).options != ()
    assert len(person.playback.game.exchanges) >= 2


@pytest.mark.parametrize("player", [0, 1])
def test_a_click_on_ones_own_puck_chooses_it(person, player):
    tile = columns_of(person.playback.entry.state, player, BOXES)[0].tiles[5]
    person.click(tile.box.center)
    answers = [exchange.answer for exchange in person.playback.game.exchanges]
    assert answers == ([] if player else [(tile.puck,)])


def test_enter_takes_what_is_proposed(person):
    asked = answer_until(person, Asking.TOP_OFF, many=True)
    state, made = person.playback.entry.state, len(person.playback.game.exchanges)
    wanted = proposed(state, asked)
    assert person.window.selection == Selection(question=asked, chosen=wanted)
    person.key("return")
    assert person.playback.game.exchanges[made].answer == wanted


def test_many_are_chosen_one_by_one_and_one_too_many_replaces_the_first(person):
    asked = answer_until(person, Asking.TOP_OFF, many=True)
    state, made = person.playback.entry.state, len(person.playback.game.exchanges)
    wanted = tuple(o for o in asked.options if o not in person.window.selection.chosen)
    wanted = wanted[: asked.most]
    for option in wanted:
        assert len(person.playback.game.exchanges) == made
        person.click(label_of(person, option_words(state, option)))
    assert person.window.selection.chosen == wanted
    person.click(label_of(person, f"Take it: {len(wanted)} chosen"))
    assert person.playback.game.exchanges[made].answer == wanted


def test_none_is_an_answer_if_nothing_must_be_chosen(person):
    answer_until(person, Asking.DISCARD)
    made = len(person.playback.game.exchanges)
    person.click(label_of(person, "None"))
    assert person.playback.game.exchanges[made].answer == ()


def test_a_reply_that_is_not_legal_is_refused_and_asked_for_again(person, watched):
    game = person.playback.game
    with pytest.raises(InputError):
        game.answer((999,))
    assert not game.exchanges
    assert game.person_question is question(person)
    assert watched.playback.game.person_question is None
    refused(watched.playback.game.answer, (), said="nobody is asked")


def test_there_is_a_player_for_each_seat():
    refused(
        LiveGame, table(), [None], shipped_table(), SEED, said="players: 1 is not accepted; give 2"
    )


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
        (1, 1, False, "choose 1"),
        (0, 2, False, "choose up to 2, or none"),
        (1, 3, True, "choose 1 to 3, in order"),
        (4, 4, True, "choose 4, in order"),
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
    assert words == ("Onix: choice of a special rule, Potion", said)


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
    asks = [e for e in thrower.playback.game.exchanges if isinstance(e.ask, Question)]
    own = [e.answer[0] for e in asks if e.ask.player == 0 and e.ask.asking is Asking.BUILD_ARENA]
    assert own == list(panel.choices[0].chosen)
    assert thrower.playback.entry.state.turn.number == 1


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
    assert "No chance to flip so low in the stack: " in hint
    assert "Berry 4" in hint


def test_a_sentence_stands_beside_an_option_under_the_mouse(thrower, monkeypatch):
    thrower.move(*label_of(thrower, "Berry 4"))
    words = " ".join(words_at(thrower, thrower.playback.index, monkeypatch))
    assert "Berry 4: item. " in words


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

    monkeypatch.setattr(window_module, "reviewed", looked_back)
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
    assert seen == [(len(driver.playback.game.exchanges), 0)]
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


def stack_pixel(driver):
    """Return the pixel of the middle of the stack."""
    throwing = driver.window.throwing
    x, y = next(
        (x, y)
        for x in range(BOXES.free.left, BOXES.free.right, 4)
        for y in range(BOXES.free.top, BOXES.free.bottom, 4)
        if (place := throwing._place((x, y), BOXES)) and np.hypot(*place) < 4
    )
    return x, y


def test_a_flick_on_the_stack_is_the_throw_and_the_record_replays(thrower):
    call = ready(thrower).call
    x, y = stack_pixel(thrower)
    thrower.press(x, y)
    for number in range(1, 5):
        thrower.app.advance(FRAME_S)
        thrower.move(x, y - 40 * number)
    thrower.picture()
    thrower.release(x, y - 160)
    game = thrower.playback.game
    aimed = game.own_throws[call.number]
    assert aimed.speed_m_s == pytest.approx(160 / BOXES.view.height / (4 * FRAME_S), abs=0.1)
    assert aimed.direction_deg == pytest.approx(STRAIGHT_DEG, abs=1)
    assert np.hypot(aimed.aim_x_mm, aimed.aim_y_mm) < 4
    assert thrower.playback.slam_runs
    assert thrower.playback.slam.replay.throw.speed_mm_s == 1000 * aimed.speed_m_s
    exchanges = game.exchanges
    saved = record_of(table(), ("person", "greedy"), SEED, "physics", exchanges, "plane",
                      game.own_throws)  # fmt: skip
    again = record_from("record", json.loads(record_json(saved)))
    assert again == saved
    assert list(replay(again)) == exchanges
    shown = RecordedGame(again)
    slams = SlamReplays(SEED, QUICK, shown.own_throws)
    throw = next(entry.last_throw for entry in shown.timeline if entry.is_throw)
    assert slams.find(table(), throw).replay.throw == thrower.playback.slam.replay.throw
    assert SlamReplays(SEED, QUICK).find(table(), throw) is None


def test_a_slow_flick_throws_nothing_and_says_why(thrower, monkeypatch):
    throwing, made = ready(thrower), len(thrower.playback.game.exchanges)
    x, y = stack_pixel(thrower)
    thrower.click((x, y))
    assert len(thrower.playback.game.exchanges) == made
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
    assert thrower.playback.game.own_throws == {1: throwing.aimed}


def test_throw_for_me_is_the_throw_of_the_seed(thrower):
    call = ready(thrower).call
    thrower.key("t")
    game = thrower.playback.game
    assert game.own_throws == {}
    wanted = QUICK.throw(shot_of(table(), call), throw_generator(SEED, call.number))
    assert game.exchanges[-1].answer == wanted


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
    assert thrower.window.panel.heading == "Pikachu: puck for the Arena"


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
    assert any(re.fullmatch(r"Critical: knocked out \d+ %", word) for word in words)


@pytest.mark.parametrize(
    ("part", "said"),
    [("name", "Pikachu: pokemon, electric"), ("Health", "Health: the pucks that pay")],
)
def test_a_sentence_stands_beside_what_the_mouse_is_on(driver, monkeypatch, part, said):
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    label = columns_of(driver.playback.entry.state, 0, BOXES)[0].label
    name = BOXES.players[0]
    driver.move(*(label.center if part == "Health" else (name.centerx, name.top + 15)))
    words = words_at(driver, driver.playback.index, monkeypatch)
    assert any(word.startswith(said) for word in words)


def test_a_window_that_is_opened_and_closed_takes_keys_and_time(
    monkeypatch,
):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = live_window(GreedyPlayer(), GreedyPlayer())
    keys = iter([pygame.K_n, pygame.K_n, pygame.K_RIGHT, pygame.K_q])

    class Script:
        def tick(self):
            pygame.event.post(Event(pygame.KEYDOWN, key=next(keys), unicode="", mod=0))
            return 0.1

    show(window, size=(640, 400), clock=Script())
    assert window.playback.entry.state.turn.number == 2
    assert not window.playback.entry.is_turn


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
    asked = [exchange.ask for exchange in person.playback.game.exchanges]
    assert any(isinstance(ask, Question) and ask.player == 1 for ask in asked)
    for level in ("expert-quick", "expert", "expert-deep", "greedy"):
        person.key("v")
        assert person.window.kinds == ("person", level)
    watched.key("v")  # who only watches chooses none
    assert watched.window.kinds == ("greedy", "greedy")
