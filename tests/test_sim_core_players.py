"""Bots: other programs as players, and the moves that they lose."""

import json
import os
import queue
import re
import sys
import time
from pathlib import Path

import pytest

from pucklab.sim.bumpers.game import BUMPERS, make_config
from pucklab.sim.bumpers.game.player_kinds import PLAYERS
from pucklab.sim.core import players as bots
from pucklab.sim.core.game import play
from pucklab.sim.core.players import Bot, ProgramPlayer
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS as BATTLERS
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.throw_sources import shipped_table
from tests.commands import fail, succeed, wait_until
from tests.pokepucksbattles import house
from tests.refusals import refused
from tests.tables import cases, rows

EXAMPLE = re.findall(
    r"```py\n(.*?)```",
    (Path(__file__).parents[1] / "docs" / "bots.md").read_text(encoding="utf-8"),
    re.DOTALL,
)[0]
ANSWER = 'print(json.dumps({"id": question["id"], "choose": CHOSEN}), flush=True)'
LOOP = "import json, sys, time\nfor line in sys.stdin:\n    question = json.loads(line)\n    "


def program(folder, source, limit=""):
    """Write a bot and return its kind."""
    path = folder / "bot.py"
    path.write_text(source, encoding="utf-8")
    return f"exec{limit}:{sys.executable} {path}"


def asked(kind, times=1):
    """Return the selections of two of four options, and the messages."""
    messages = []
    bot = Bot(kind, say=messages.append)
    return [bot.select({}, 4, 1, 2) for _ in range(times)], messages


def test_the_example_has_ten_lines_at_most():
    assert len([line for line in EXAMPLE.splitlines() if line.strip()]) <= 10


def test_the_example_plays_a_battle_to_its_end_without_a_lost_move(tmp_path):
    kind = program(tmp_path, EXAMPLE)
    messages = []
    table = house("onix", "eevee", max_turns=10)
    players = [ProgramPlayer(BATTLERS.game, kind, messages.append), GreedyPlayer()]
    *_, last = play_battle(table, players, shipped_table(), 1)
    assert last.after.state.step.value == "over"
    assert messages == []


def test_the_example_plays_puck_bumpers(tmp_path):
    players = [PLAYERS.of(program(tmp_path, EXAMPLE)), PLAYERS.of("random")]
    *_, last = play(BUMPERS, make_config(2, max_actions=10), players, 1)
    assert BUMPERS.open(last.after) is None


def test_the_options_are_selected_in_the_order_of_the_answer(tmp_path):
    chosen, messages = asked(program(tmp_path, LOOP + ANSWER.replace("CHOSEN", "[3, 1]")))
    assert (chosen, messages) == ([[3, 1]], [])


CHOICES = (
    "[]", "[4]", "[-1]", "[1, 1]", "[0, 1, 2]", "[True]", "[1.0]", "1", "'a'", "None", "[[0]]",
    "{'0': 1}", "[10**400]",
)  # fmt: skip
LINES = dict(
    rows(r"""
a word => 'rubbish'
nothing => ''
a list => '[]'
no number => '{}'
a number in words => '{"id": "one", "choose": [2]}'
a number that is true => '{"id": true, "choose": [2]}'
a number with decimals => '{"id": NUMBER.0, "choose": [2]}'
control characters => '\x00\xff'
a number alone => 7
not a number => 'NaN'
half an answer => '{"id": 1, "choose": ['
two answers => '{"id": 1, "choose": [2]} {"id": 1, "choose": [3]}'
nested lists => '[' * 60_000
a nested answer => '{"id": 1, "choose": ' + '[' * 30_000 + ']' * 30_000 + '}'
endless digits => '9' * 50_000
a line beyond all limits => ' ' * 200_000
""")
)


WRONG = [f"json.dumps({{'id': question['id'], 'choose': {chosen}}})" for chosen in CHOICES]
LONG = ("nested lists", "a nested answer", "endless digits", "a line beyond all limits")


def test_every_wrong_answer_loses_its_move_and_no_other(tmp_path):
    """Each is given to a question of an odd number; the next is answered well."""
    # True is 1, so that this one goes first.
    first = "a number that is true"
    wrong = [LINES[first], *WRONG,
             *(line for name, line in LINES.items() if name not in (*LONG, first))]  # fmt: skip
    lines = [f"if question['id'] == {2 * k + 1}: print({each}, flush=True)"
             .replace("NUMBER", f"{2 * k + 1}") for k, each in enumerate(wrong)]  # fmt: skip
    source = "\n    el".join(lines) + "\n    else: " + ANSWER.replace("CHOSEN", "[2]")
    selected, messages = asked(program(tmp_path, LOOP + source), times=2 * len(wrong))
    assert selected == [[0], [2]] * len(wrong)
    assert len(messages) == len(wrong)
    assert all(message.endswith("it loses the move") for message in messages)
    assert max(map(len, messages)) < 300


@pytest.mark.parametrize("answer", [LINES[name] for name in LONG], ids=LONG)
def test_a_long_wrong_answer_loses_its_move_and_no_other(tmp_path, answer):
    """A line that is too long counts as several wrong ones."""
    source = f"if question['id'] == 1: print({answer}, flush=True)\n    else: " + ANSWER.replace(
        "CHOSEN", "[2]"
    )
    selected, messages = asked(program(tmp_path, LOOP + source), times=8)
    assert selected[0] == [0]
    assert selected[-1] == [2]
    assert len(messages) == selected.count([0]) <= 5
    assert max(map(len, messages)) < 300


HANGING = {
    "sleeps": "time.sleep(1000)",
    "does not read": "while True:\n    time.sleep(0.01)",
    "answers others": 'while True:\n    print(\'{"id": 0, "choose": [2]}\', flush=True)',
    "reads nothing more": "sys.stdin.close()\ntime.sleep(1000)",
    "writes nothing more": "os.close(1)\nos.dup2(os.open(os.devnull, os.O_RDWR), 1)\n"
    "time.sleep(1000)",
    "ignores its end": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)",
}


@pytest.mark.parametrize("source", HANGING.values(), ids=list(HANGING))
def test_a_bot_that_hangs_is_stopped_and_the_game_goes_on(tmp_path, source, monkeypatch):
    """Questions of 100 kB fill the pipe of a program that does not read."""
    kind = program(tmp_path, f"import os, signal, sys, time\n{source}\n", "@0.1s")
    monkeypatch.setattr(bots, "_END_SECONDS", 0.1)
    messages = []
    bot = Bot(kind, say=messages.append)
    began = time.monotonic()
    assert [bot.select({"options": "x" * 100_000}, 4, 1, 2) for _ in range(6)] == [[0]] * 6
    assert time.monotonic() - began < 15
    assert 1 <= len(messages) <= 3
    if "3 times in a row: it is stopped" in messages[-1]:
        wait_until(lambda: bot._process.poll() is not None, within_s=10)
    else:
        assert "has ended with exit code" in messages[-1]


def test_a_late_answer_loses_its_own_move_only(tmp_path):
    source = LOOP + "time.sleep(0.8 * (question['id'] == 2))\n    " + ANSWER
    messages = []
    bot = Bot(program(tmp_path, source.replace("CHOSEN", "[2]"), "@0.6s"), say=messages.append)
    deadline = time.monotonic() + 20
    while bot.select({}, 4, 1, 2) != [2] and time.monotonic() < deadline:
        pass  # a slow machine may start the program late
    while not messages and time.monotonic() < deadline:
        bot.select({}, 4, 1, 2)
    assert any("no answer within 0.6 s" in message for message in messages)


def test_a_late_program_that_answers_once_is_not_stopped(monkeypatch):
    """It loses two moves in a row, again and again; three would stop it."""

    def line(**_):
        """Return the answer to each third question."""
        if bot._asked % 3:
            raise queue.Empty
        return json.dumps({"id": bot._asked, "choose": [2]})

    messages = []
    bot = Bot(f"exec@60s:{sys.executable}", say=messages.append)
    bot._process = "no process, but it has started"
    monkeypatch.setattr(bot._lines, "get", line)
    assert [bot.select({}, 4, 1, 2) for _ in range(9)] == [[0], [0], [2]] * 3
    assert len(messages) == 6
    assert all(message.endswith("no answer within 60 s; it loses the move") for message in messages)


def test_a_bot_that_dies_loses_all_moves_that_follow(tmp_path):
    selected, messages = asked(program(tmp_path, "import sys\nsys.exit(7)\n"), times=4)
    assert selected == [[0]] * 4
    assert len(messages) == 1
    assert "has ended with exit code 7" in messages[0]


@pytest.mark.skipif(not hasattr(os, "kill"), reason="needs processes by number")
def test_the_program_ends_with_its_player(tmp_path):
    pid = tmp_path / "pid"
    source = f"import os\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\n" + LOOP + ANSWER
    bot = Bot(program(tmp_path, source.replace("CHOSEN", "[1]")))
    assert bot.select({}, 4, 1, 2) == [1]
    del bot
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@cases(
    "kind message",
    """
    exec: => give exec:PROGRAM
    exec@0s:x => give exec:PROGRAM
    exec@9999s:x => give exec:PROGRAM
    exec:'open => give exec:PROGRAM
    exec:./nothing-here => there is no program './nothing-here'
    """,
)
def test_a_kind_that_is_no_program_is_refused(kind, message):
    refused(BATTLERS.of, kind, said=message)


def test_bots_play_on_the_command_line(tmp_path):
    kind = program(tmp_path, EXAMPLE)
    short = "--throws table --turns 3"
    succeed(f"battle {short} --save b.json --policy", f"{kind},greedy", cwd=tmp_path)
    succeed("battle --replay b.json", cwd=tmp_path)
    fail("battle --policy exec:./nothing-here", said="nothing-here", cwd=tmp_path)
