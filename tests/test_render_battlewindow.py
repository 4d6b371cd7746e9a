"""A recorded battle in a window: its timeline, drawing, slams and files."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pygame
import pytest

from physics import Arena, Face
from render.battlewindow import recorded_game
from render.battlewindow.arena import scene_of_arena
from render.battlewindow.panels import boxes_of, columns_of
from render.battlewindow.picture import attacks_text, turn_text
from render.battlewindow.playback import reading_time_s
from render.battlewindow.stacks import PuckMarks, draw_stack, stack_tiles
from render.canvas import new_surface, text_width, wrapped
from render.palette import DARK, LIGHT
from render.viewer import Button, picture_of
from sim.core.records import read_record
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.match import BATTLE
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import ARENA, Place, StackKind, Status
from sim.pokepucks.battle.transcript import battle_transcript, standing_lines
from sim.pokepucks.throw_sources import PhysicsThrows
from tests.battlewindows import (
    BOXES,
    QUICK,
    SEED,
    SIZE,
    Driver,
    first_entry,
    lines_of,
    live_window,
    record,
    recorded_window,
    timeline_of,
    words_at,
)
from tests.pokepucksbattles import ScriptThrows, replayed
from tests.slamwindows import views_of, words_written


@pytest.fixture
def driver():
    return Driver(recorded_window())


@pytest.fixture
def slams():
    return Driver(recorded_window(physics=True))


# The timeline, and the way in it.


def test_the_timeline_leads_from_the_set_up_to_the_end_of_the_record(driver):
    timeline, saved = timeline_of(driver), record()
    assert timeline[0].state == new_battle(saved.setup)
    final, end = replayed(saved)[-1].after.state, timeline[-1].state
    assert (end.winner, end.step, end.throws) == (final.winner, final.step, final.throws)
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


def test_words_are_shown_while_they_are_read_and_the_end_of_a_slam_for_longer():
    times_s = [reading_time_s("x" * letters) for letters in (0, 40, 400)]
    assert times_s == [0.45, pytest.approx(1.01), 2.0]
    assert reading_time_s("", after_slam=True) == 1.2


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
    told = battle_transcript(BATTLE.start(saved.setup), replayed(saved))
    lines = [line for entry in timeline_of(driver) for line in entry.lines]
    final = replayed(saved)[-1].after.state
    assert lines == [line.strip() for line in (*told, *standing_lines(final, "names"))]


def test_at_the_end_the_window_shows_the_winner_and_the_health_that_the_log_tells(
    driver, monkeypatch
):
    words = words_at(driver, len(timeline_of(driver)) - 1, monkeypatch)
    state = driver.playback.entry.state
    winner, health = state.table.names[state.winner], len(state.health(state.winner))
    assert {f"{winner} wins", f"{health}/10", f"Arena {len(state.arena)}/6"} <= words
    assert any(line.startswith(f"{winner} wins after ") for line in words)
    (told,) = [line for line in driver.playback.entry.lines if line.startswith("Health: ")]
    assert told == f"Health: {winner} {health} of 10. Arena: {len(state.arena)} of 6."
    assert health + len(state.arena) > 0


def test_a_line_of_the_log_is_gone_to_by_a_click(driver):
    driver.playback.go_to(60)
    line = lines_of(driver)[-4]
    assert driver.window.message == ""
    driver.click(line.box.center)
    assert " ".join(line.parts) in driver.playback.entry.lines
    assert driver.window.message == "Paused here. Space plays on."


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


def test_pucks_that_fell_to_one_spot_lie_upon_one_another():
    throws = ScriptThrows(["O215.5 D D U O215.5 D D30 D30"])
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), throws=throws))
    while not any(entry.is_throw for entry in timeline_of(driver)):
        driver.playback.game.play_step()
    driver.playback.go_to(first_entry(driver, ev.Thrown))
    middles = scene_of_arena(driver.playback).moment.centre_mm[:-1]
    apart = np.linalg.norm(middles[:, np.newaxis] - middles, axis=2)[np.triu_indices(8, 1)]
    assert apart.min() >= 1.5
    driver.picture()


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
    assert boxes.players[0].top > boxes.players[1].top  # who looks at the window is the nearest
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
    laid = [e for e in timeline if isinstance(e.event, ev.Moved) and e.event.target == ARENA]
    assert all(entry.last_throw is None for entry in laid)
    assert any(entry.state.attack for entry in laid)


@pytest.mark.parametrize(
    ("seed", "throws", "shown"),
    [(SEED, PhysicsThrows(), False), (SEED, None, False), (None, QUICK, True)],
)
def test_a_slam_with_another_outcome_is_not_shown(seed, throws, shown):
    game = recorded_game(replace(record(physics=True), seed=seed), throws)
    falls = [entry for entry in game.timeline if entry.is_throw][:3]
    assert (None not in [game.slam_of(entry.last_throw) for entry in falls]) == shown


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
    assert read_record(BATTLE, tmp_path / "battle.json") == replace(
        record(), source={"throws": "tests", "engine": "plane"}
    )
    refused = Driver(recorded_window(folder=tmp_path / "none"))
    refused.key("s")
    assert "cannot be written" in refused.window.message


def test_the_battle_so_far_is_saved(tmp_path):
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), folder=tmp_path))
    driver.keys("n", "n", "s")
    saved = read_record(BATTLE, tmp_path / "battle.json")
    assert replayed(saved) == driver.playback.game.steps
