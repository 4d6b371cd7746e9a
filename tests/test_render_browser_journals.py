"""Journals of tables: on the disk before anybody is told, locked, and opened whatever happened."""

import asyncio
import json
import os
import pickle
import signal
from contextlib import contextmanager

import pytest

from pucklab.base.errors import InputError
from pucklab.render.browser import tables
from pucklab.render.browser.battles import table_for
from pucklab.render.browser.bumpers_page import BumpersTable
from pucklab.render.browser.tables import open_table, table_named
from pucklab.render.browser.work import Work
from pucklab.sim.bumpers.game import BUMPERS, make_config
from pucklab.sim.bumpers.game.player_kinds import PLAYERS
from pucklab.sim.core.game import Decision, Match
from pucklab.sim.core.records import Journal, record_json, record_of
from pucklab.sim.pokepucks.battle.match import BATTLE
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS as BATTLE_PLAYERS
from pucklab.sim.scene.hand_throw import AimedThrow
from tests.browserpages import visitors
from tests.commands import not_windows
from tests.pokepucksbattles import mixed_table, random_battle
from tests.test_render_browser_games import leave_all, new_battle, new_match, settle, visitor

resource = pytest.importorskip("resource", reason="Windows limits files otherwise")
AIMED = AimedThrow(speed_m_s=5.0)


@pytest.fixture(autouse=True)
def games(monkeypatch, tmp_path):
    """Give the folder of the games, and close them at the end, as the end of a process does."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setitem(tables.GAMES, BUMPERS.name, (PLAYERS, lambda _: tables.Table))
    monkeypatch.setitem(tables.GAMES, BATTLE.name, (BATTLE_PLAYERS, table_for))
    yield tmp_path / "pucklab" / "games"
    leave_all()


async def new_game(name="game", kinds=("person", "greedy"), seed=7):
    """Open a table for a game of Puck Bumpers, whose first seat is taken and asked."""
    players = [PLAYERS.of(kind, persons=True) for kind in kinds]
    match = Match(BUMPERS, make_config(2), players, seed, kinds=kinds)
    table = open_table(match, visitor("first"), name=name, kind=BumpersTable)
    table.go_on()
    await settle(table)
    return table


def first_answer(table):
    return BUMPERS.text(table.match.state, table.match.open.options[0])


@contextmanager
def full_disk(path, room):
    """Let files grow by some bytes beyond the size of one."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


async def test_an_answer_is_on_the_disk_before_anybody_is_told(games):
    table = await new_game()
    path, told = games / "game.jsonl", []

    def look():
        answers = [line for line in path.read_text().splitlines()[2:] if line.startswith('"')]
        told.append((len(table.match.steps), len(answers)))

    table.changed.subscribe(look)
    for _ in range(3):
        table.answer(visitor("first"), first_answer(table), table.number)
        await settle(table)
    assert max(told)[0] > 3
    assert all(steps == kept for steps, kept in told)


@not_windows
@pytest.mark.parametrize("room", [0, 5])
async def test_an_answer_that_cannot_be_kept_does_not_count(games, room):
    table = await new_game()
    state, answer, number = table.match.state, first_answer(table), table.number
    path = games / "game.jsonl"
    text = path.read_text()
    with full_disk(path, room), pytest.raises(InputError, match="cannot be kept: File too large"):
        table.answer(visitor("first"), answer, number)
    assert (table.match.state, len(table.match.steps), table.number) == (state, number, number)
    table.answer(visitor("first"), answer, number)
    await settle(table)
    assert path.read_text().startswith(text + json.dumps(answer))


async def test_late_and_doubled_answers_are_refused():
    table = await new_game()
    answer, shown = first_answer(table), table.number
    table.answer(visitor("first"), answer, shown)
    for number in (shown, shown - 1, table.number + 1):
        with pytest.raises(InputError, match="has gone on"):
            table.answer(visitor("first"), answer, number)
    await settle(table)
    with pytest.raises(InputError, match="not your turn"):
        table.answer(visitor("second"), first_answer(table), table.number)


async def test_a_second_flick_does_not_throw_for_the_rival(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        table = new_battle(("person", "person"), "two")
        await host.open("/tables/two")
        await settle(table)
        host.find("Sit-down-1").click()
        table.take_seat(1, visitor("rival"))
        me, rival = map(visitor, table.owners)
        while True:
            now, page = table.match.open, table.number
            if isinstance(now, Decision):
                proposed = BATTLE.propose(table.match.state, now)
                text = BATTLE.text(table.match.state, proposed)
                table.answer((me, rival)[now.seat], text, page)
            else:
                thrower = now.about.player
                table.flick((me, rival)[thrower], AIMED, page)
                for _ in range(3):  # held T, while the slam is computed
                    with pytest.raises(InputError, match="has gone on"):
                        table.flick((me, rival)[thrower], AIMED, page)
                assert table.aimed is AIMED
            await settle(table)
            with pytest.raises(InputError, match="has gone on"):
                table.flick(me, AIMED, page)
            if sum(hasattr(step.answer, "throw") for step in table.match.steps) > 2:
                break
        now = table.match.open
        other = visitor(table.owners[1 - now.about.player])
        with pytest.raises(InputError, match="not your throw"):
            table.flick(other, AIMED, table.number)


async def test_a_line_that_a_crash_cut_short_is_dropped(games):
    table = await new_game()
    table.answer(visitor("first"), first_answer(table), table.number)
    await settle(table)
    state, number, path = table.match.state, table.number, games / "game.jsonl"
    leave_all()
    path.write_bytes(path.read_bytes() + b'"half an ans')
    again = table_named("game")
    assert (again.match.state, again.number, again.owners) == (state, number, ["first", ""])
    again.answer(visitor("first"), first_answer(again), again.number)
    await settle(again)
    leave_all()
    assert table_named("game").number > number


def header(**changes):
    return {"schema": 2, "game": "puck bumpers", **changes}


WHOLE = json.dumps(header())
DAMAGED = {
    "": "game",
    "\n": "not JSON",
    "{}\n": "game",
    "[1]\n": "game",
    "null\n": "game",
    WHOLE[:-2] + "\n": "not JSON",
    json.dumps(header(game="chess")) + "\n": "'chess' is not accepted",
    json.dumps(header(schema=3, version="9.9")) + "\n": "schema: 3 is not accepted",
    "\x00\xff\x00\n": "not JSON",
    WHOLE.replace("2", "\xff") + "\n": "not JSON",
}


async def test_a_damaged_journal_is_one_sentence_without_a_path(games, monkeypatch):
    games.mkdir(parents=True)
    async with visitors(monkeypatch, guests=1) as (host, guest):
        for number, (text, said) in enumerate(DAMAGED.items()):
            name = f"bad{number}"
            (games / f"{name}.jsonl").write_text(text, encoding="latin-1")
            with pytest.raises(InputError, match=said) as refused:
                table_named(name)
            assert str(games) not in str(refused.value)
            await host.open(f"/tables/{name}")
            await host.should_see(f"This game cannot be opened. {refused.value}")
            await guest.open(f"/tables/{name}")
            await guest.should_see("This game cannot be opened; the page of its host says why.")
            (games / f"{name}.lock").unlink()
            Journal(games / f"{name}.jsonl", ["its lock is free again"]).close()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('"e99"', "e99"),
        ('{"owners": 3}', "owners"),
        ('{"owners": ["me"]}', "owners"),
        ('{"other": 3}', "other"),
        ("17", "17"),
        ("[]", r"\[\]"),
        ('"' + "x" * 20_000 + '"', "20000 characters"),
    ],
)
async def test_a_damaged_line_is_told(games, line, said):
    await new_game()
    leave_all()
    with (games / "game.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match=said):
        table_named("game")


async def test_a_program_that_is_gone_is_told_to_the_host_alone(games, monkeypatch):
    await new_game()
    leave_all()
    path = games / "game.jsonl"
    path.write_text(path.read_text().replace('"greedy"', '"exec:/gone/bot"'))
    async with visitors(monkeypatch, guests=1) as (host, guest):
        await host.open("/tables/game")
        await host.should_see("there is no program '/gone/bot' to run")
        await guest.open("/tables/game")
        await guest.should_not_see("/gone/bot")


async def test_a_table_that_an_earlier_version_saved_whole_is_read_once(games):
    match = new_match(("greedy", "greedy"))
    steps = [next(match.play()) for _ in range(9)]
    record = json.loads(record_json(BATTLE, record_of(match)))
    games.mkdir(parents=True)
    kept = {"game": BATTLE.name, "owners": ["", "me"], "record": record}
    (games / "old.json").write_text(json.dumps(kept))
    table = table_named("old")
    assert (table.match.steps, table.owners) == (steps, ["", "me"])
    leave_all()
    (games / "old.json").write_text("it is not read again")
    assert table_named("old").match.steps == steps


async def test_chance_goes_on_after_a_restart_as_without_one():
    async def play(name, *, restarts):
        table = await new_game(name, kinds=("person", "person"), seed=3)
        table.take_seat(1, visitor("second"))
        for number in range(40):
            seat = table.match.open.seat
            table.answer(visitor(("first", "second")[seat]), first_answer(table), table.number)
            await settle(table)
            if restarts and number % 7 == 0:
                leave_all()
                table = table_named(name)
        return [step.answer for step in table.match.steps]

    assert await play("one", restarts=True) == await play("other", restarts=False)


async def test_a_player_whose_process_dies_is_told_and_tried_again(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        table = new_battle(("expert:1s", "person"), "dies", asks_all=True)  # it thinks for 1 s
        await host.open("/tables/dies")
        await host.should_not_see("Try again")
        while not (running := [work for work in Work.all if work.worker is not None]):
            await asyncio.sleep(0.01)
        os.kill(running[0].worker._process.pid, signal.SIGKILL)
        await host.should_see("This failed; the terminal of pucklab says how.", retries=50)
        steps = len(table.match.steps)
        host.find(marker="again").click()
        await settle(table)
        assert len(table.match.steps) > steps


def test_moments_of_a_battle_are_the_same_in_another_process():
    for step in random_battle(mixed_table(3, 5), 5):
        again = pickle.loads(pickle.dumps(step))
        assert again == step
        assert again.after.rules.rules == step.after.rules.rules
