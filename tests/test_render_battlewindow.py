"""A recorded battle in a window: by events and by turns, forwards and backwards."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pygame
import pytest

from physics import Arena, Face, InputError
from render import canvas
from render.battlewindow import BattlePlayback, BattleWindow, RecordedGame, SlamReplays
from render.battlewindow.arena import arena_tiles, resting_pucks
from render.battlewindow.panels import boxes_of, columns_of
from render.battlewindow.picture import attacks_text, turn_text
from render.battlewindow.stacks import PuckMarks, draw_stack, stack_tiles, tile_colours
from render.battlewindow.transcript import transcript_lines
from render.canvas import new_surface, text_width, wrapped
from render.palette import DARK, ENERGIES, LIGHT, Palette
from render.viewer import Button, picture_of
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.record import read_record, replay
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import Place, StackKind, Status
from sim.pokepucks.throw_sources import PhysicsThrows
from tests.battlewindows import QUICK, SEED, SIZE, Driver, record, recorded_window
from tests.slamwindows import count_of, words_written

BOXES = boxes_of(SIZE, 2)


@pytest.fixture
def driver() -> Driver:
    return Driver(recorded_window())


@pytest.fixture
def slams() -> Driver:
    return Driver(recorded_window(physics=True))


def first_entry(driver: Driver, kind: type) -> int:
    """Return the first entry with such an event."""
    timeline = driver.playback.game.timeline
    return next(place for place, entry in enumerate(timeline) if isinstance(entry.event, kind))


def test_the_timeline_leads_from_the_set_up_to_the_end_of_the_record(driver: Driver) -> None:
    timeline, saved = driver.playback.game.timeline, record()
    assert timeline[0].state == new_battle(saved.table)
    assert timeline[-1].state == list(replay(saved))[-1].after
    assert timeline[-1].state.stacks == saved.stacks
    assert all(later.before == sooner.state for sooner, later in pairwise(timeline))


def test_every_entry_has_words(driver: Driver) -> None:
    assert all(entry.words for entry in driver.playback.game.timeline)


def test_right_and_left_go_from_event_to_event(driver: Driver) -> None:
    seen = []
    for name in ("right", "right", "right", "left", "left"):
        driver.key(name)
        seen.append(driver.playback.cursor.index)
    assert seen == [1, 2, 3, 2, 1]
    assert not driver.playback.cursor.playing


def test_steps_stop_at_both_ends(driver: Driver) -> None:
    driver.key("left")
    assert driver.playback.cursor.index == 0
    driver.playback.go_to(10**6)
    driver.key("right")
    assert driver.playback.cursor.index == len(driver.playback.game.timeline) - 1


def test_n_and_p_go_from_turn_to_turn(driver: Driver) -> None:
    seen = []
    for name in ("n", "n", "n", "right", "p", "p"):
        driver.key(name)
        seen.append(driver.playback.entry.state.turn.number)
        assert driver.playback.entry.is_turn == (name != "right")
    assert seen == [1, 2, 3, 3, 3, 2]


def test_p_in_the_first_turn_goes_to_its_beginning_and_then_to_the_set_up(driver: Driver) -> None:
    for name in ("n", "right", "p"):
        driver.key(name)
    assert driver.playback.entry.words == "turn 1: Pikachu"
    driver.key("p")
    assert driver.playback.cursor.index == 0


def test_n_in_the_last_turn_goes_to_the_end(driver: Driver) -> None:
    for _ in range(200):
        driver.key("n")
    assert driver.playback.entry.is_last
    assert driver.playback.cursor.index == len(driver.playback.game.timeline) - 1


def test_home_and_end_go_to_both_ends(driver: Driver) -> None:
    driver.key("end")
    driver.wait(0.1)
    assert driver.playback.entry.is_last
    driver.key("home")
    assert driver.playback.cursor.index == 0


def test_the_wheel_steps(driver: Driver) -> None:
    driver.wheel(-1)
    driver.wheel(-1)
    driver.wheel(1)
    assert driver.playback.cursor.index == 1


def test_events_follow_each_other_by_themselves_up_to_the_end(driver: Driver) -> None:
    driver.wait(5.0)
    assert 2 <= driver.playback.cursor.index <= 6
    driver.playback.start_at(len(driver.playback.game.timeline) - 2)
    driver.wait(6.0)
    assert driver.playback.entry.is_last
    assert not driver.playback.cursor.playing
    assert not driver.app.advance(1.0)


def test_space_pauses_and_plays_on(driver: Driver) -> None:
    driver.key("space")
    driver.wait(5.0)
    assert driver.playback.cursor.index == 0
    driver.key("space")
    driver.wait(5.0)
    assert driver.playback.cursor.index > 0


def test_space_at_the_end_plays_from_the_beginning(driver: Driver) -> None:
    driver.playback.go_to(10**6)
    driver.key("space")
    assert driver.playback.cursor.index == 0
    assert driver.playback.cursor.playing


def test_up_and_down_change_how_fast_events_follow(driver: Driver) -> None:
    driver.wait(4.0)
    usual = driver.playback.cursor.index
    fast = Driver(recorded_window())
    for _ in range(20):
        fast.key("up")
    fast.wait(4.0)
    slow = Driver(recorded_window())
    for _ in range(20):
        slow.key("down")
    slow.wait(4.0)
    assert slow.playback.cursor.index < usual < fast.playback.cursor.index


def test_the_scrub_bar_goes_where_it_is_clicked(driver: Driver) -> None:
    driver.click((BOXES.scrub.centerx, BOXES.scrub.centery))
    last = len(driver.playback.game.timeline) - 1
    assert driver.playback.cursor.index == pytest.approx(last / 2, abs=2)


@pytest.mark.parametrize("player", [0, 1])
def test_every_puck_of_a_player_s_stacks_is_in_its_stack(driver: Driver, player: int) -> None:
    for index in range(0, len(driver.playback.game.timeline), 25):
        state = driver.playback.game.timeline[index].state
        for column in columns_of(state, player, BOXES):
            tiles = column.tiles
            assert tuple(tile.puck for tile in tiles) == state.stack(column.place)
            assert all(BOXES.players[player].contains(tile.box) for tile in tiles)
            bottoms = [tile.box.bottom for tile in tiles]
            assert bottoms == sorted(bottoms, reverse=True)


def test_the_panels_are_those_of_all_stacks(driver: Driver) -> None:
    state = driver.playback.entry.state
    shown = {column.place for player in (0, 1) for column in columns_of(state, player, BOXES)}
    kinds = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
    assert shown == {Place(kind, player) for kind in kinds for player in (0, 1)}


def test_an_energy_has_the_colour_of_its_type_in_its_stack(driver: Driver) -> None:
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    picture, state = driver.picture(), driver.playback.entry.state
    seen = 0
    for tile in arena_tiles(driver.playback.entry, BOXES):
        design = state.design(tile.puck)
        if design.type is not None:
            colour = ENERGIES[design.type].colour
            assert tile_colours(design, LIGHT)[0] == colour
            assert count_of(picture, colour, tile.box) > tile.box.width * tile.box.height / 2
            seen += 1
    assert seen > 0


def test_an_energy_has_the_letter_of_its_type_in_its_stack(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    canvas._badge.cache_clear()
    with words_written(monkeypatch) as words:
        driver.picture()
    kinds = {
        driver.playback.entry.state.design(puck).type for puck in driver.playback.entry.state.arena
    }
    assert {ENERGIES[kind].letter for kind in kinds if kind is not None} <= set(words)


@pytest.mark.parametrize(
    ("width_px", "said"), [(400, "Electric Focus Energy"), (120, "Focus Energy")]
)
def test_a_long_name_leaves_out_the_type_that_its_badge_shows(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, width_px: int, said: str
) -> None:
    state = driver.playback.entry.state
    (puck,) = [p for p in range(15) if state.design(p).name == "Electric Focus Energy"]
    tiles = stack_tiles((puck,), pygame.Rect(0, 0, width_px, 20), 20)
    with words_written(monkeypatch) as words:
        draw_stack(new_surface(width_px, 20), tiles, state, PuckMarks(), LIGHT)
    assert said in words


def test_pucks_of_unknown_directions_are_inside_or_outside_as_they_fell(driver: Driver) -> None:
    half_mm = Arena().half_side_mm
    seen = set()
    for entry in driver.playback.game.timeline:
        if entry.last_throw is None or not entry.last_throw.outcome.hit:
            continue
        distances = [landing.distance_mm for landing in entry.last_throw.outcome.landings]
        for puck in resting_pucks(entry, None):
            is_inside = bool((abs(puck.middle_mm) <= half_mm).all())
            assert is_inside == (puck.face is not Face.OUT)
            assert np.isclose(np.hypot(*puck.middle_mm), distances).any()
            seen.add(puck.face)
    assert {Face.UP, Face.DOWN, Face.OUT} <= seen


def test_names_sizes_and_slammers_are_written(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    with words_written(monkeypatch) as words:
        driver.picture()
    state = driver.playback.entry.state
    health = f"{len(state.health(0))}/{state.max_size(Place(StackKind.HEALTH, 0))}"
    shown = {"Pikachu", "Onix", "4 g", "20 g", health, "Health", "Power", "Prize", "Arena 8/8"}
    assert shown <= set(words)


def test_statuses_are_written_while_they_last(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = first_entry(driver, ev.StatusGained)
    seen = []
    for index in (place - 1, place):
        driver.playback.go_to(index)
        with words_written(monkeypatch) as words:
            driver.picture()
        seen.append({str(status) for status in Status} & set(words))
    event = driver.playback.entry.event
    assert isinstance(event, ev.StatusGained)
    assert seen == [set(), {str(event.status)}]


def test_the_attacks_of_the_turn_are_counted(driver: Driver) -> None:
    place = first_entry(driver, ev.AttackBegan)
    state = driver.playback.game.timeline[place].state
    assert attacks_text(driver.playback.game.timeline[0].state) == ""
    assert attacks_text(state) == f"attacks {state.turn.made} of {state.turn.attacks}"
    assert state.turn.made == 1


def test_the_header_says_whose_turn_it_is_and_who_wins(driver: Driver) -> None:
    timeline = driver.playback.game.timeline
    assert turn_text(timeline[0].state) == "Set-up"
    assert turn_text(timeline[first_entry(driver, ev.TurnBegan)].state) == "Turn 1: Pikachu"
    winner = timeline[-1].state.winner
    assert winner is not None
    assert turn_text(timeline[-1].state) == f"{('Pikachu', 'Onix')[winner]} wins"


def test_a_throw_of_a_table_marks_what_flipped_and_says_that_directions_are_unknown(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline = driver.playback.game.timeline
    place = next(
        p
        for p, b in enumerate(timeline)
        if b.last_throw is not None and b.last_throw.outcome.flipped
    )
    driver.playback.go_to(place)
    with words_written(monkeypatch) as words:
        picture = driver.picture()
    assert "up" in words
    assert "directions are not recorded" in words
    assert count_of(picture, LIGHT.puck_face, BOXES.top) > 100
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    assert count_of(driver.picture(), LIGHT.puck_face, BOXES.top) == 0


def test_the_transcript_has_all_lines_up_to_the_event_shown(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.playback.go_to(first_entry(driver, ev.AttackBegan))
    timeline = driver.playback.game.timeline[: driver.playback.cursor.index + 1]
    entries = transcript_lines(timeline, BOXES.transcript, BOXES.words_px)
    assert [entry.index for entry in entries] == list(range(entries[0].index, len(timeline)))
    assert " ".join(entries[-1].lines) == driver.playback.entry.words
    assert entries[-1].box.bottom <= BOXES.transcript.bottom
    with words_written(monkeypatch) as words:
        driver.picture()
    assert driver.playback.entry.words in words
    assert driver.playback.game.timeline[driver.playback.cursor.index + 1].words not in words


def test_a_line_of_the_transcript_is_gone_to_by_a_click(driver: Driver) -> None:
    driver.playback.go_to(30)
    timeline = driver.playback.game.timeline[:31]
    entry = transcript_lines(timeline, BOXES.transcript, BOXES.words_px)[-4]
    driver.click(entry.box.center)
    assert driver.playback.cursor.index == entry.index == 27


def test_lines_are_as_wide_as_there_is_room() -> None:
    words = "Mr. Saia 13, Mr. Merkert 6 from the Health of Pikachu under the Arena (top-off)"
    lines = wrapped(words, 18, 200)
    assert " ".join(lines) == words
    assert all(text_width(line, 18) <= 200 for line in lines)


def test_the_mouse_on_a_puck_shows_its_name(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    tile = columns_of(driver.playback.entry.state, 0, BOXES)[0].tiles[-1]
    driver.move(tile.box.center)
    with words_written(monkeypatch) as words:
        driver.picture()
    assert any(
        line.startswith(driver.playback.entry.state.table.label(tile.puck)) for line in words
    )


def test_a_throw_of_the_physics_is_shown_as_its_slam(slams: Driver) -> None:
    place = first_entry(slams, ev.Thrown)
    slams.playback.go_to(place - 1)
    assert not slams.playback.cursor.slam_runs
    slams.key("right")
    assert slams.playback.cursor.slam_runs
    before = slams.picture()
    slams.wait(0.5)
    assert pygame.image.tobytes(before, "RGB") != pygame.image.tobytes(slams.picture(), "RGB")
    slams.wait(15.0)
    assert not slams.playback.cursor.slam_runs
    assert slams.playback.cursor.index == place


def test_the_outcome_of_a_throw_is_shown_after_its_slam(
    slams: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    slams.playback.go_to(first_entry(slams, ev.Thrown) - 1)
    slams.key("right")
    with words_written(monkeypatch) as during:
        slams.picture()
    slams.wait(15.0)
    with words_written(monkeypatch) as after:
        slams.picture()
    assert "throw 1 at 8 ..." in during
    words = wrapped(slams.playback.entry.words, 18, 10**6)[0]
    assert words not in during
    assert words in after


def test_space_pauses_a_slam(slams: Driver) -> None:
    slams.playback.start_at(first_entry(slams, ev.Thrown) - 1)
    while not slams.playback.cursor.slam_runs:
        slams.wait(0.1)
    slams.key("space")
    slam = slams.playback.cursor.slam
    assert slam is not None
    assert not slams.app.advance(1.0)
    slams.key("space")
    slams.wait(0.2)
    assert slams.playback.cursor.slam is not None
    assert slams.playback.cursor.slam.time_s > slam.time_s


def test_a_step_during_a_slam_goes_on_without_it(slams: Driver) -> None:
    place = first_entry(slams, ev.Thrown)
    slams.playback.go_to(place - 1)
    slams.key("right")
    slams.key("right")
    assert slams.playback.cursor.index == place + 1
    slams.key("left")
    assert slams.playback.cursor.index == place
    assert not slams.playback.cursor.slam_runs


def test_r_shows_the_slam_again(slams: Driver) -> None:
    slams.playback.go_to(first_entry(slams, ev.Thrown))
    slams.key("r")
    assert slams.playback.cursor.slam_runs


def test_i_shows_slams_in_real_time(slams: Driver) -> None:
    times = []
    for presses in (0, 1):
        slams.playback.go_to(first_entry(slams, ev.Thrown))
        for _ in range(presses):
            slams.key("i")
        slams.key("r")
        slam = slams.playback.slam
        assert slam is not None
        frames = 0
        while slams.playback.cursor.slam_runs:
            slams.wait(1 / 30)
            frames += 1
        times.append(frames / 30)
    assert times[1] == pytest.approx(slam.motion.rest_s - slam.motion.start_s, abs=0.2)
    assert times[0] > 1.5 * times[1]


def test_the_pucks_stay_where_the_slam_left_them_until_they_are_stacked(slams: Driver) -> None:
    timeline = slams.playback.game.timeline
    place = next(p for p, b in enumerate(timeline) if isinstance(b.event, ev.PickedUp))
    slams.playback.go_to(place)
    assert slams.playback.slam is not None
    assert timeline[place].last_throw is not None
    stacked = next(
        p for p in range(place, len(timeline)) if isinstance(timeline[p].event, ev.Arranged)
    )
    assert timeline[stacked].last_throw is None


@pytest.mark.parametrize(
    ("seed", "throws"), [(SEED + 1, QUICK), (SEED, PhysicsThrows()), (None, QUICK), (SEED, None)]
)
def test_a_slam_with_another_outcome_is_not_shown(
    seed: int | None, throws: PhysicsThrows | None
) -> None:
    saved = record(physics=True)
    playback = BattlePlayback(RecordedGame(saved), SlamReplays(seed, throws))
    falls = [entry for entry in playback.game.timeline if entry.is_throw]
    table = saved.table
    same = [playback.slams.find(table, entry.last_throw) is not None for entry in falls[:3]]
    assert not all(same)
    assert playback.slams.why_unavailable.startswith(
        "directions are not recorded"
        if None in (seed, throws)
        else "this version simulates this throw differently"
    )


def test_every_button_with_a_key_is_in_the_help(slams: Driver) -> None:
    listed = {command.hint for command in slams.window.commands}
    widgets = slams.window.widgets(SIZE)
    buttons = [widget for widget in widgets if isinstance(widget, Button)]
    assert {button.hint for button in buttons if button.hint != "faster"} <= listed
    assert "repeat this slam (R)" in listed


def test_s_saves_the_record(tmp_path: Path) -> None:
    driver = Driver(recorded_window(folder=tmp_path))
    driver.key("s")
    driver.key("s")
    assert driver.window.message == "wrote battle-2.json"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle-2.json", "battle.json"]
    assert read_record(tmp_path / "battle.json") == replace(record(), throws="tests")


def test_the_folder_may_refuse_the_record(tmp_path: Path) -> None:
    driver = Driver(recorded_window(folder=tmp_path / "none"))
    driver.key("s")
    assert "cannot be written" in driver.window.message


def test_a_record_that_does_not_replay_is_refused_and_names_the_version() -> None:
    saved = replace(record(), answers=(*record().answers[:-1], "miss 99"))
    with pytest.raises(InputError, match=r"record: answer \d+") as own:
        RecordedGame(saved)
    assert "saved by" not in str(own.value)
    with pytest.raises(InputError, match=r"record: answer \d+.*; saved by pucklab 0\.0\.7$"):
        RecordedGame(replace(saved, version="0.0.7"))


@pytest.mark.parametrize("size", [(480, 320), (800, 1200), (1280, 800), (2560, 1440)])
@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_any_size_is_drawn(size: tuple[int, int], palette: Palette) -> None:
    window = recorded_window()
    window.playback.go_to(40)
    picture = picture_of(window, size, palette=palette)
    boxes = boxes_of(size, 2)
    assert picture.get_at((0, 0))[:3] == palette.background
    whole = picture.get_rect()
    parts = (
        boxes.header,
        boxes.arena_stack,
        boxes.top,
        *boxes.players,
        boxes.transcript,
        boxes.buttons,
    )
    assert all(whole.contains(part) for part in parts)
    assert all(
        not one.colliderect(other) for i, one in enumerate(parts) for other in parts[i + 1 :]
    )


@pytest.mark.parametrize("players", range(2, 9))
def test_there_is_a_panel_for_each_of_up_to_eight_players(players: int) -> None:
    boxes = boxes_of(SIZE, players)
    assert len(boxes.players) == players
    rows = {box.top for box in boxes.players}
    assert len(rows) == (1 if players <= 4 else 2)
    assert all(box.bottom <= boxes.scrub.top for box in boxes.players)


def test_the_title_names_the_players() -> None:
    window: BattleWindow = recorded_window()
    assert window.title == "Pikachu, Onix - pucklab"
