"""A battle in a window: recorded or live, by events and turns, watched or played."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pygame
import pytest
from pygame.event import Event

from physics import Arena, Face, InputError
from render import canvas
from render.battlewindow import BattlePlayback, LiveGame, RecordedGame, SlamReplays
from render.battlewindow.arena import arena_tiles, resting_pucks
from render.battlewindow.panels import boxes_of, columns_of
from render.battlewindow.picture import attacks_text, transcript_box, turn_text
from render.battlewindow.question_panel import (
    Selection,
    option_buttons,
    option_words,
    question_words,
    toggled,
)
from render.battlewindow.stacks import PuckMarks, draw_stack, stack_tiles, tile_colours
from render.battlewindow.timeline import TimelineEntry
from render.battlewindow.transcript import transcript_lines
from render.canvas import new_surface, text_width, wrapped
from render.palette import DARK, ENERGIES, LIGHT, Palette
from render.viewer import Button, picture_of, show
from render.viewer.widgets import Line
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.questions import Asking, Question, Use
from sim.pokepucks.battle.record import place_text, read_record, replay
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import Place, StackKind, Status, places
from sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from tests.battlewindows import (
    QUICK,
    SEED,
    SIZE,
    Driver,
    live_window,
    record,
    recorded_window,
    table,
)
from tests.slamwindows import count_of, views_of, words_written

BOXES = boxes_of(SIZE, 2)


@pytest.fixture
def driver() -> Driver:
    return Driver(recorded_window())


@pytest.fixture
def slams() -> Driver:
    return Driver(recorded_window(physics=True))


@pytest.fixture
def watched() -> Driver:
    return Driver(live_window(GreedyPlayer(), GreedyPlayer()))


@pytest.fixture
def person() -> Driver:
    """Return a window in which a person is asked for their first puck."""
    driver = Driver(live_window(None, GreedyPlayer()))
    driver.key("end")
    driver.wait(0.2)
    return driver


def timeline_of(driver: Driver) -> Sequence[TimelineEntry]:
    return driver.playback.game.timeline


def first_entry(driver: Driver, kind: type) -> int:
    """Return the number of the first entry with such an event."""
    return next(n for n, e in enumerate(timeline_of(driver)) if isinstance(e.event, kind))


def words_at(driver: Driver, index: int, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the lines of words drawn at an entry."""
    if index != driver.playback.index:
        driver.playback.go_to(index)
    with words_written(monkeypatch) as words:
        driver.picture()
    return set(words)


# The timeline, and the way in it.


def test_the_timeline_leads_from_the_set_up_to_the_end_of_the_record(driver: Driver) -> None:
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
def test_keys_go_from_event_to_event_and_stop_at_both_ends(
    driver: Driver, begin: int, keys: Sequence[str], seen: list[int]
) -> None:
    last = len(timeline_of(driver)) - 1
    driver.playback.go_to(begin)
    assert driver.keys(*keys) == [place % (last + 1) for place in seen]
    assert driver.playback.playing == ("space" in keys)


def test_n_and_p_go_from_turn_to_turn(driver: Driver) -> None:
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


def test_end_wheel_and_scrub_bar_go_where_they_say(driver: Driver) -> None:
    for notches in (-1, -1, 1):
        driver.wheel(notches)
    assert driver.playback.index == 1
    driver.click(BOXES.scrub.center)
    assert driver.playback.index == pytest.approx((len(timeline_of(driver)) - 1) / 2, abs=2)
    driver.key("end")
    driver.wait(0.1)
    assert driver.playback.entry.is_last


def test_events_follow_each_other_by_themselves_up_to_the_end(driver: Driver) -> None:
    driver.wait(5.0)
    assert 2 <= driver.playback.index <= 6
    driver.playback.start_at(len(timeline_of(driver)) - 2)
    driver.wait(6.0)
    assert driver.playback.entry.is_last
    assert not driver.playback.playing
    assert not driver.app.advance(1.0)


def test_space_pauses_and_plays_on(driver: Driver) -> None:
    driver.key("space")
    driver.wait(5.0)
    assert driver.playback.index == 0
    driver.key("space")
    driver.wait(5.0)
    assert driver.playback.index > 0


def test_up_and_down_change_how_fast_events_follow() -> None:
    seen = []
    for name, times in (("down", 20), ("up", 0), ("up", 20)):
        driver = Driver(recorded_window())
        driver.keys(*[name] * times)
        driver.wait(4.0)
        seen.append(driver.playback.index)
    assert seen[0] < seen[1] < seen[2]


# What is drawn.


def test_every_puck_of_a_players_stacks_is_in_its_stack(driver: Driver) -> None:
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


def test_an_energy_has_colour_and_letter_of_its_type(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    canvas._badge.cache_clear()
    with words_written(monkeypatch) as words:
        picture = driver.picture()
    state, seen = driver.playback.entry.state, set()
    for tile in arena_tiles(driver.playback.entry, BOXES):
        design = state.design(tile.puck)
        if design.type is not None:
            colour = ENERGIES[design.type].colour
            assert tile_colours(design, LIGHT)[0] == colour
            assert count_of(picture, colour, tile.box) > tile.box.width * tile.box.height / 2
            seen.add(ENERGIES[design.type].letter)
    assert seen
    assert seen <= set(words)


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
    for entry in timeline_of(driver):
        if entry.last_throw is None or not entry.last_throw.outcome.hit:
            continue
        distances = [landing.distance_mm for landing in entry.last_throw.outcome.landings]
        for puck in resting_pucks(entry, None):
            is_inside = bool((abs(puck.middle_mm) <= half_mm).all())
            assert is_inside == (puck.face is not Face.OUT)
            assert np.isclose(np.hypot(*puck.middle_mm), distances).any()
            seen.add(puck.face)
    assert {Face.UP, Face.DOWN, Face.OUT} <= seen


def test_names_sizes_slammers_and_statuses_are_written(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = words_at(driver, first_entry(driver, ev.TurnBegan), monkeypatch)
    state = driver.playback.entry.state
    health = f"{len(state.health(0))}/{state.max_size(Place(StackKind.HEALTH, 0))}"
    shown = {"Pikachu", "Onix", "4 g", "20 g", health, "Health", "Power", "Prize", "Arena 8/8"}
    assert shown <= words
    place, statuses = first_entry(driver, ev.StatusGained), {str(status) for status in Status}
    assert not statuses & words_at(driver, place - 1, monkeypatch)
    event = timeline_of(driver)[place].event
    assert isinstance(event, ev.StatusGained)
    assert statuses & words_at(driver, place, monkeypatch) == {str(event.status)}


def test_the_header_says_whose_turn_it_is_how_many_attacks_and_who_wins(driver: Driver) -> None:
    timeline = timeline_of(driver)
    winner = timeline[-1].state.winner
    assert winner is not None
    for place, title in (
        (0, "Set-up"),
        (first_entry(driver, ev.TurnBegan), "Turn 1: Pikachu"),
        (-1, f"{('Pikachu', 'Onix')[winner]} wins"),
    ):
        assert turn_text(timeline[place].state) == title
    state = timeline[first_entry(driver, ev.AttackBegan)].state
    assert attacks_text(timeline[0].state) == ""
    assert attacks_text(state) == f"attacks {state.turn.made} of {state.turn.attacks}"
    assert state.turn.made == 1
    assert driver.window.title == "Pikachu, Onix - pucklab"


def test_a_throw_of_a_table_marks_what_flipped_and_says_that_directions_are_unknown(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    flipped = (e.last_throw is not None and bool(e.last_throw.outcome.flipped)
               for e in timeline_of(driver))  # fmt: skip
    words = words_at(driver, list(flipped).index(True), monkeypatch)
    assert {"up", "directions are not recorded"} <= words
    assert count_of(driver.picture(), LIGHT.puck_face, BOXES.top) > 100
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    assert count_of(driver.picture(), LIGHT.puck_face, BOXES.top) == 0


def lines_of(driver: Driver) -> list[Line]:
    """Return the lines of the transcript."""
    return transcript_lines(
        driver.playback, transcript_box(driver.playback, None, BOXES), BOXES.words_px
    )


def test_the_transcript_has_all_lines_up_to_the_event_shown(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, timeline = first_entry(driver, ev.AttackBegan), timeline_of(driver)
    words = words_at(driver, place, monkeypatch)
    lines = lines_of(driver)
    texts = [" ".join(line.parts) for line in lines]
    assert texts == [entry.words for entry in timeline[place + 1 - len(lines) : place + 1]]
    assert [line.on for line in lines] == [False] * (len(lines) - 1) + [True]
    assert lines[-1].box.bottom <= BOXES.transcript.bottom
    assert timeline[place].words in words
    assert timeline[place + 1].words not in words


def test_a_line_of_the_transcript_is_gone_to_by_a_click(driver: Driver) -> None:
    driver.playback.go_to(30)
    driver.click(lines_of(driver)[-4].box.center)
    assert driver.playback.index == 27


def test_lines_are_as_wide_as_there_is_room() -> None:
    words = "Mr. Saia 13, Mr. Merkert 6 from the Health of Pikachu under the Arena (top-off)"
    lines = wrapped(words, 18, 200)
    assert " ".join(lines) == words
    assert all(text_width(line, 18) <= 200 for line in lines)


def test_the_mouse_on_a_puck_shows_its_name(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.playback.go_to(first_entry(driver, ev.TurnBegan))
    state = driver.playback.entry.state
    tile = columns_of(state, 0, BOXES)[0].tiles[-1]
    driver.move(*tile.box.center)
    words = words_at(driver, driver.playback.index, monkeypatch)
    assert any(line.startswith(state.table.label(tile.puck)) for line in words)


@pytest.mark.parametrize(
    ("size", "palette"), [((480, 320), LIGHT), ((600, 900), DARK), ((1280, 800), LIGHT)]
)
def test_any_size_is_drawn(size: tuple[int, int], palette: Palette) -> None:
    window = recorded_window()
    window.playback.go_to(40)
    picture, boxes = picture_of(window, size, palette=palette), boxes_of(size, 2)
    assert picture.get_at((0, 0))[:3] == palette.background
    whole = picture.get_rect()
    parts = [boxes.header, boxes.arena_stack, boxes.top, boxes.transcript, boxes.buttons]
    parts += boxes.players
    assert all(whole.contains(part) for part in parts)
    assert all(part.collidelist(parts[:n]) == -1 for n, part in enumerate(parts))


@pytest.mark.parametrize("players", range(2, 9))
def test_there_is_a_panel_for_each_of_up_to_eight_players(players: int) -> None:
    boxes = boxes_of(SIZE, players)
    assert len(boxes.players) == players
    assert len({box.top for box in boxes.players}) == (1 if players <= 4 else 2)
    assert all(box.bottom <= boxes.scrub.top for box in boxes.players)


# Slams of throws.


def test_a_throw_of_the_physics_is_shown_as_its_slam_and_then_its_outcome(
    slams: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = first_entry(slams, ev.Thrown)
    slams.playback.go_to(place - 1)
    assert not slams.playback.slam_runs
    slams.key("right")
    assert slams.playback.slam_runs
    before = pygame.image.tobytes(slams.picture(), "RGB")
    outcome = wrapped(slams.playback.entry.words, 18, 10**6)[0]
    during = words_at(slams, place, monkeypatch)
    slams.wait(0.5)
    assert pygame.image.tobytes(slams.picture(), "RGB") != before
    assert "throw 1 at 8 ..." in during
    assert outcome not in during
    slams.wait(15.0)
    assert not slams.playback.slam_runs
    assert slams.playback.index == place
    assert outcome in words_at(slams, place, monkeypatch)


def test_space_pauses_a_slam(slams: Driver) -> None:
    slams.playback.start_at(first_entry(slams, ev.Thrown) - 1)
    while not slams.playback.slam_runs:
        slams.wait(0.1)
    assert [view.is_moving for view in views_of(slams.window)] == [True]
    slams.key("space")
    slam = slams.playback.slam_playback
    assert slam is not None
    assert [view.is_moving for view in views_of(slams.window)] == [False]
    assert not slams.app.advance(1.0)
    slams.key("space")
    slams.wait(0.2)
    assert slams.playback.slam_playback is not None
    assert slams.playback.slam_playback.time_s > slam.time_s


def test_a_step_during_a_slam_goes_on_without_it_and_r_shows_it_again(slams: Driver) -> None:
    place = first_entry(slams, ev.Thrown)
    slams.playback.go_to(place - 1)
    assert slams.keys("right", "right", "left") == [place, place + 1, place]
    assert not slams.playback.slam_runs
    slams.key("r")
    assert slams.playback.slam_runs


def test_i_shows_slams_in_real_time(slams: Driver) -> None:
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
    assert slam is not None
    assert times[1] == pytest.approx(slam.motion.rest_s - slam.motion.start_s, abs=0.2)
    assert times[0] > 1.5 * times[1]


def test_the_pucks_stay_where_the_slam_left_them_until_they_are_stacked(slams: Driver) -> None:
    timeline, place = timeline_of(slams), first_entry(slams, ev.PickedUp)
    slams.playback.go_to(place)
    assert slams.playback.slam is not None
    assert timeline[place].last_throw is not None
    stacked = next(entry for entry in timeline[place:] if isinstance(entry.event, ev.Arranged))
    assert stacked.last_throw is None


@pytest.mark.parametrize(
    ("seed", "throws"), [(SEED + 1, QUICK), (SEED, PhysicsThrows()), (None, QUICK), (SEED, None)]
)
def test_a_slam_with_another_outcome_is_not_shown(
    seed: int | None, throws: PhysicsThrows | None
) -> None:
    saved = record(physics=True)
    playback = BattlePlayback(RecordedGame(saved), SlamReplays(seed, throws))
    falls = [entry for entry in playback.game.timeline if entry.is_throw][:3]
    found = [playback.slams.find(saved.table, entry.last_throw) for entry in falls]
    assert None in found
    assert playback.slams.why_unavailable.startswith(
        "directions are not recorded"
        if None in (seed, throws)
        else "this version simulates this throw differently"
    )


# Commands and records.


def test_every_button_with_a_key_is_in_the_help(slams: Driver) -> None:
    listed = {command.hint for command in slams.window.commands}
    buttons = [widget for widget in slams.window.widgets(SIZE) if isinstance(widget, Button)]
    assert {button.hint for button in buttons if button.hint != "faster"} <= listed
    assert "repeat this slam (R)" in listed


def test_s_saves_the_record_beside_earlier_ones(tmp_path: Path) -> None:
    driver = Driver(recorded_window(folder=tmp_path))
    driver.keys("s", "s")
    assert driver.window.message == "wrote battle-2.json"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle-2.json", "battle.json"]
    assert read_record(tmp_path / "battle.json") == replace(record(), throws="tests")
    refused = Driver(recorded_window(folder=tmp_path / "none"))
    refused.key("s")
    assert "cannot be written" in refused.window.message


def test_the_battle_so_far_is_saved(tmp_path: Path) -> None:
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), folder=tmp_path))
    driver.keys("n", "n", "s")
    saved = read_record(tmp_path / "battle.json")
    assert list(replay(saved)) == list(driver.playback.game.exchanges)


def test_a_record_that_does_not_replay_is_refused_and_names_the_version() -> None:
    saved = replace(record(), answers=(*record().answers[:-1], "miss 99"))
    with pytest.raises(InputError, match=r"record: answer \d+") as own:
        RecordedGame(saved)
    assert "saved by" not in str(own.value)
    with pytest.raises(InputError, match=r"record: answer \d+.*; saved by pucklab 0\.0\.7$"):
        RecordedGame(replace(saved, version="0.0.7"))


# Live battles.


def question(driver: Driver) -> Question:
    """Return the question to the person."""
    assert driver.window.selection is not None
    return driver.window.selection.question


def label_of(driver: Driver, label: str) -> tuple[int, int]:
    """Return the pixel of the middle of an option's button."""
    return next(
        widget.box.center
        for widget in driver.window.widgets(SIZE)
        if isinstance(widget, Button) and widget.label == label
    )


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
    game = watched.playback.game
    assert not game.exchanges
    watched.key("n")
    played = len(game.exchanges)
    assert played > 0
    watched.keys("p", "n")
    assert len(game.exchanges) == played


def test_a_live_battle_is_the_one_that_the_command_plays(watched: Driver) -> None:
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


def test_slams_of_a_live_battle_are_those_of_its_throws() -> None:
    driver = Driver(live_window(GreedyPlayer(), GreedyPlayer(), throws=QUICK))
    while not driver.playback.entry.is_throw:
        driver.key("right")
    assert driver.playback.slam_runs
    slam, throw = driver.playback.slam, driver.playback.entry.last_throw
    assert slam is not None
    assert throw is not None
    faces = [landing.face for landing in throw.outcome.landings]
    assert [piece.face for piece in slam.replay.outcome.pieces] == faces


def test_a_battle_stops_at_a_persons_question_and_one_can_look_back(person: Driver) -> None:
    assert (question(person).asking, question(person).player) == (Asking.BUILD_ARENA, 0)
    assert not person.playback.has_next
    before = person.playback.index
    person.wait(3.0)
    assert person.keys("right", "n") == [before, before]
    person.key("left")
    assert person.window.selection is None
    person.key("right")
    assert question(person).asking is Asking.BUILD_ARENA


def test_a_question_names_the_player_and_offers_every_option(
    person: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = person.playback.entry.state
    words = words_at(person, person.playback.index, monkeypatch)
    assert {"Pikachu: puck for the Arena", "choose 1"} <= words
    assert {option_words(state, option) for option in question(person).options} <= words
    health = columns_of(state, 0, BOXES)[0].tiles[0]
    assert count_of(person.picture(), LIGHT.accent, health.box) > health.box.width


def test_a_click_on_the_only_option_to_choose_is_the_answer(person: Driver) -> None:
    person.click(label_of(person, "Potion 3"))
    assert person.playback.game.exchanges[0].answer == (3,)
    said = "Potion 3 from the Health of Pikachu to the Arena"
    assert person.playback.entry.words.startswith(said)
    assert person.window.selection is None
    person.wait(8.0)  # the battle goes on by itself
    assert person.playback.playing
    assert question(person).options != ()
    assert len(person.playback.game.exchanges) >= 2


@pytest.mark.parametrize("player", [0, 1])
def test_a_click_on_ones_own_puck_chooses_it(person: Driver, player: int) -> None:
    tile = columns_of(person.playback.entry.state, player, BOXES)[0].tiles[5]
    person.click(tile.box.center)
    answers = [exchange.answer for exchange in person.playback.game.exchanges]
    assert answers == ([] if player else [(tile.puck,)])


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


def test_a_reply_that_is_not_legal_is_refused_and_asked_for_again(
    person: Driver, watched: Driver
) -> None:
    game = person.playback.game
    with pytest.raises(InputError):
        game.answer((999,))
    assert not game.exchanges
    assert game.person_question is question(person)
    assert watched.playback.game.person_question is None
    with pytest.raises(InputError, match="nobody is asked"):
        watched.playback.game.answer(())


def test_there_is_a_player_for_each_seat() -> None:
    with pytest.raises(InputError, match="players: 1 is not accepted; give 2"):
        LiveGame(table(), [None], shipped_table(), SEED)


@pytest.mark.parametrize(
    ("option", "label"),
    [
        (3, "Potion 3"),
        (Use("Potion", 3), "Potion 3"),
        (Use("Sing"), "Sing"),
        (Use("Energy", 1), "Energy: Electric Energy 1"),
    ],
)
def test_labels_of_options(option: int | Use, label: str) -> None:
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
    words = question_words(new_battle(table()), asked)
    assert words == ("Onix: choice of a special rule, Potion", said)


def test_a_second_click_deselects_an_option() -> None:
    asked = Question(player=0, asking=Asking.DISCARD, options=(1, 2, 3), least=0, most=3)
    selection = Selection(question=asked)
    for option in (2, 3, 2):
        selection = toggled(selection, option)
    assert selection.chosen == (3,)


@pytest.mark.parametrize("count", [1, 9, 10, 60])
def test_any_number_of_options_fits(count: int) -> None:
    uses = tuple(Use(f"rule {number}") for number in range(count))
    asked = Question(player=0, asking=Asking.USE, options=uses, least=0, most=count)
    selection = Selection(question=asked)
    found = option_buttons(
        BOXES, new_battle(table()), selection, choose=lambda _: None, done=lambda: None
    )
    boxes = [button.box for button in found]
    assert len(boxes) == count + 1
    assert all(BOXES.transcript.contains(box) for box in boxes)
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

    show(window, size=(640, 400), clock=Script())
    assert window.playback.entry.state.turn.number == 2
    assert not window.playback.entry.is_turn


def test_every_turn_is_drawn_in_a_small_window(watched: Driver) -> None:
    watched.size = (480, 320)
    for turn in range(1, 9):
        watched.key("n")
        watched.picture()
        assert watched.playback.entry.state.turn.number == turn


def test_a_person_chooses_the_level_of_the_rival(person: Driver, watched: Driver) -> None:
    assert person.window.kinds == ("person", "greedy")
    person.key("v")
    assert person.window.kinds == ("person", "expert-quick")
    person.picture()
    person.window.choose(question(person).options[0])  # the new rival answers
    person.wait(3.0)
    asked = [exchange.ask for exchange in person.playback.game.exchanges]
    assert any(isinstance(ask, Question) and ask.player == 1 for ask in asked)
    for level in ("expert", "expert-deep", "greedy"):
        person.key("v")
        assert person.window.kinds == ("person", level)
    watched.key("v")  # who only watches chooses none
    assert watched.window.kinds == ("greedy", "greedy")
