"""Mistakes at the command line: one line on stderr, exit code 2, and nothing is written.

In tests/data/mistakes.txt stands below a command with what words of the user's what is said.
"""

import shlex
from importlib.resources import files
from pathlib import Path

import pytest

from pucklab.base import kernels
from tests.commands import fail
from tests.make_bumpers_games import FOLDER
from tests.tables import stories

START = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
GAME = FOLDER / "two-greedy.json"
WORDS = {
    "START": START,
    "GAME": str(GAME),
    "DECK": str(files("pucklab.sim.bumpers") / "data" / "cards.toml"),
    "LONG": "x" * 5000,
    "SEVEN": ",".join(["random"] * 7),
    "BYTE": "\udcff",
    "NINE": ",".join(["random"] * 9),
}
"""Words of the command lines below that stand for others."""

LOG = "slammer_g,thickness_mm,pucks,flipped,out\n"
FILES = {
    "bad.json": "{",
    "bad.toml": "{",
    "puks.toml": "schema = 1\npuks = 3\n",
    "empty.csv": "",
    "drops.csv": "measurement,drop_mm,rebound_mm\n",
    "bounce.csv": "measurement,drop_mm,rebound_mm\nbounce,1,1\n",
    "heavy.csv": LOG + "300,6,10,2,0\n" * 20,
    "one.csv": LOG + "8,6,10,2,0\n",
    "corrupt.json": '{"schema": 1, "vers',
    "cut.json": GAME.read_text(encoding="utf-8").replace('"winner": 0', '"winner": 1'),
    "other.json": '{"schema": 7, "game": "slam", "version": "9.9.0"}',
    "long.csv": f"experiment,counts\n1,{'7' * 140_000}\n",
    "b.csv": f"position,goal\n{START},1\n",
    "few.toml": 'schema = 1\nslammers = ["Onix"]\npucks = { "Potion" = 2 }\n',
    "none.toml": "schema = 1\n[legal]\nper_player = { item = { least = 15 } }",
    "scene.json": "schema = 1\npucks = 3\n",
    "trap.toml": "schema = 1\nlast = 20\n[[gym]]\nsquare = 8\nattack = 7\nhp = 8\n",
}

TEXT = (Path(__file__).parent / "data" / "mistakes.txt").read_text(encoding="utf-8")
LINES = [
    (f"{command} {words.strip()}", said)
    for command, rows in stories(TEXT).items()
    for words, _, said in (row.partition("=> ") for row in rows)
]


@pytest.fixture(autouse=True)
def _no_kernel(monkeypatch):
    """Fail if a mistake is found only after a kernel has been called."""

    def refuse(own, *_):
        raise AssertionError(f"a mistake has {own.name} called")

    monkeypatch.setattr(kernels.Kernel, "__call__", refuse)


@pytest.mark.parametrize(("line", "said"), LINES, ids=[line for line, _ in LINES])
def test_a_mistake_is_one_line_and_exit_code_2_and_writes_nothing(tmp_path, write, line, said):
    for name, text in FILES.items():
        write(name, text)
    for word, other in WORDS.items():
        line = line.replace(word, other)
    begin = "error: " if said.startswith("--") else ""
    fail(*shlex.split(line), said=begin + said, cwd=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*FILES}


def test_an_unknown_option_is_not_taken_for_the_next_value_of_a_list():
    fail("odds --slammer-g 12 --throws 8", said="'--trials'?)\n")
