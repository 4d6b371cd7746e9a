"""`-` is standard input or output where a file is, and --json prints JSON whatever comes of it."""

import json
import re
from pathlib import Path

import pytest

from tests.commands import fail, succeed
from tests.tables import cases, rows

ROOT = Path(__file__).parents[1]
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
BENCH = (ROOT / "calibration/bench/example.csv").read_text(encoding="utf-8")
ODDS = "odds --slammer onix --engine plane --preset fast --trials 4 --assumption-throws 0"
FILES = {
    "position": POSITION + "\n",
    "board": f"schema = 1\nlayout = 'small'\npieces = '{POSITION.split(':')[2]}'\nto_move = 'R'\n",
    "batch": f"Position;Goal\n{POSITION};1\n",
    "bench": BENCH,
    "parameters": "schema = 1\n[materials]\nrestitution = 0.5\n",
    "scene": "schema = 1\npucks = 3\n",
    "deck": "schema = 1\nname = 'Mine'\nslammers = ['Onix']\npucks = { 'Plain Puck' = 16 }\n",
    "pucks": "name,kind,rule\nRare Potion,item,Potion\n",
    "own pucks": "schema = 1\n[[pucks]]\nname = 'Rare Potion'\nkind = 'item'\nrule = 'Potion'\n",
}


@cases(
    "file line said",
    f"""
    position => solve - => solved in 4
    board => solve - => solved in 4
    batch => solve --batch - => 1 solved
    bench => calibrate bench - => restitution
    parameters => {ODDS} --params - => Onix
    scene => {ODDS} --scene - => 3 pucks
    pucks => puckdex --puckdex - --name rare-potion => Rare Potion
    deck => battle --deck -,onix --policy greedy,greedy --throws table --turns 1 => Mine
    own pucks => puckdex --puckdex - --name rare-potion => Rare Potion
    """,
)
def test_a_file_may_come_from_standard_input(file, line, said):
    assert said in succeed(line, typed=FILES[file]).stdout


def test_a_table_goes_through_a_pipe_and_nothing_else_does(tmp_path):
    whole = succeed(f"{ODDS} --out odds.csv", cwd=tmp_path)
    table = (tmp_path / "odds.csv").read_text()
    assert succeed(f"{ODDS} --out -").stdout == table != whole.stdout
    done = succeed("merge - --out -", typed=table)
    assert (done.stdout, done.stderr) == (table, "")
    assert "[materials.restitution]" in succeed("calibrate bench - --out -", typed=BENCH).stdout
    hit = succeed("post hit --user murkrow --move slam --on golduck --out -").stdout
    assert "," in hit.splitlines()[0]
    assert "," in hit.splitlines()[1]


@cases(
    "line said",
    f"""
    {ODDS} --out - --resume => --resume: not accepted beside --out -
    {ODDS} --out - --json => --json: not accepted beside --out -
    merge one.csv --out - --json => --json: not accepted beside --out -
    {ODDS} --plot - => --plot: '-' is not accepted
    merge - => file: standard input is empty, or another option has read it
    """,
)
def test_a_stream_that_is_no_use_is_refused(line, said):
    fail(line, said=said)


def test_a_single_table_is_merged_as_well(tmp_path):
    succeed(f"{ODDS} --out one.csv", cwd=tmp_path)
    succeed("merge one.csv --out same.csv", cwd=tmp_path)
    assert (tmp_path / "same.csv").read_text() == (tmp_path / "one.csv").read_text()


# JSON.


def strict(text):
    """Return the value of JSON; NaN and Infinity are none."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"not JSON: {name}"))


@pytest.mark.parametrize(
    "line", ["odds best --over slammer_g --engine plane --preset fast --trials 2 --json"]
)
def test_too_few_throws_are_null(line):
    done = succeed(line)
    assert strict(done.stdout) is None
    assert "throws are too few" in done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    rows("""
    odds --slammer onyx --json => onyx
    merge none.csv --json => cannot be read
    solve pb1:small --json => fields
    puckdex --name onyx --json => onyx
    """),
)
def test_a_mistake_beside_json_prints_no_json(line, said):
    fail(line, said=said)


def test_json_is_written_in_one_place():
    writers = [
        path.relative_to(ROOT).as_posix()
        for room in ("pucklab", "physics", "sim", "render", "calibration")
        for path in (ROOT / room).rglob("*.py")
        if not path.is_symlink() and re.search(r"\bjson\.(dump|encode)", path.read_text("utf-8"))
    ]
    assert {*writers} == {"pucklab/base/parsing.py"}
