"""Saved tables whose counts are damaged: one line with file and row, or nothing that cannot be."""

import csv
import io
import json
import random
import re
from functools import cache
from pathlib import Path

import pytest

from tests.commands import pucklab, succeed
from tests.slowness import slow
from tests.tables import rows

ROOT = Path(__file__).parents[1]
LOG = "slammer_g,thickness_mm,pucks,flipped,out\n" + "8,6,3,2,0\n8,6,3,1,0\n8,6,3,0,1\n" * 7
DROPS = (ROOT / "calibration/rebound/example.csv").read_text().replace(",10,460,", ",5,460,")
BOARD = 'schema = 1\nlast = 6\nname = "Short"\nunits_per_cup = 10\n'
POSITIONS = (
    "position,goal,max_actions\npb1:small:RPb7.RMe7.BPd7:-:R:-,1,4\n"
    "pb1:small:RPb7.RMe7.BPd7:-:R:-,1,2\n"
)
ALONE = "--assumption-throws 0"
RUNS = {
    name: run
    for name, *run in rows(f"""
odds => odds --pucks 3 --slammer-g 4,8 {ALONE} --trials => 8 => 10
knock-outs => odds --slammer-g 8 --knock-out 4 {ALONE} --trials => 2 => 3
until => odds --pucks 3 --slammer-g 8 {ALONE} --half-width .2 --max-trials => 100 => 125
compare => odds compare --pucks 3 --slammer-g 4,8,12 {ALONE} --trials => 12 => 14
best => odds best --pucks 3 --over slammer_g --points 5 {ALONE} --trials => 20 => 22
sensitivity => odds sensitivity --pucks 3 --fields restitution --trials => 8 => 8
tournament => tournament --slammers onix,eevee,pikachu --battles => 4 => 6
arena => tournament --slammers onix,eevee --policy greedy,random --battles => 4 => 6
balance => deck balance --slammers onix,eevee --battles => 4 => 6
search => deck search --slammer onix --test-battles 4 --battles => 60 => 60
games => bumpers arena --setup old-school --max-actions 9 --players greedy,random --games => 4 => 6
trail => trail odds --board board.toml --players 3 --games => 20 => 30
solutions => solve --batch positions.csv --nodes => 100000 => 100000
puzzles => puzzle --actions 2 --count => 1 => 2
throws => calibrate throws log.csv --trials => 512 => 512
rebounds => calibrate rebound drops.csv --trials => 256 => 256
""")
}
"""A command and the numbers of trials of a first run and of one that goes on."""

MORE = {"odds": "--preset fast", "tournament": "--turns 3 --throws table"}
MORE["deck"] = MORE["tournament"]
SUMS = ("sums", "products", "by_block")
"""Fields whose numbers may be below 0."""


def line(name, *more):
    command, first, then = RUNS[name]
    words = command.split()
    table = ("--simulated" if words[0] == "calibrate" else "--out", "t.csv", "--workers", "1")
    return (*words, then if more else first, *MORE.get(words[0], "").split(), *table, *more)


def rows_in(table):
    text = table.read_text() if isinstance(table, Path) else table
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("tables")
    files = {"log.csv": LOG, "drops.csv": DROPS, "positions.csv": POSITIONS, "board.toml": BOARD}
    for name, text in files.items():
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def rows_of(folder):
    """The rows of a table that a command saved, by its name."""

    @cache
    def saved(name):
        succeed(*line(name), cwd=folder)
        return rows_in(folder / "t.csv")

    return saved


def damaged(value, rng):
    """Return a value of JSON with one part of it changed."""
    parts = list(value if isinstance(value, dict) else range(len(value))) if isinstance(
        value, (dict, list)) else []  # fmt: skip
    if parts and rng.random() < 0.9:
        part, own = rng.choice(parts), value.copy()
        change = rng.random()
        if change < 0.7:
            own[part] = damaged(own[part], rng)
        elif isinstance(own, dict) and change < 0.85:
            own[rng.choice(("-3", "x", "1.5", "03", "7", "9" * 12))] = own.pop(part)
        elif isinstance(own, dict) or change < 0.85:
            del own[part]
        else:
            own.insert(part, rng.choice((0, 1, own[part])))
        return own
    other = (-1, 0, 1, 2, 10**6, 10**15, 10**17, 10**20, 0.5, 1e300, None, True, "", "x", [], {})
    if isinstance(value, int) and rng.random() < 0.6:
        other = (value + 1, value - 1, 2 * value, -value, value + 1000)
    return rng.choice(other)


def damage(rows, rng):
    """Return the text of a table in which some counts are changed."""
    rows = [dict(row) for row in rows]
    for _ in range(rng.choice((1, 1, 2))):
        row = rng.choice(rows)
        row["counts"] = json.dumps(damaged(json.loads(row["counts"]), rng))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def check_counts(name, value, trials):
    """Check that no count is below 0, and that chances and shares are within the trials."""
    if isinstance(value, dict):
        for key, part in value.items():
            check_counts(key if name in {"", "turns", "rounds"} else name, part, trials)
    elif isinstance(value, list):
        for part in value:
            check_counts(name, part, trials)
    elif isinstance(value, int) and name not in SUMS:
        assert 0 <= value <= 1e15 * trials, name


@pytest.mark.parametrize("times", [4, slow(150)])
@pytest.mark.parametrize("name", RUNS)
def test_counts_that_cannot_be_are_one_line_with_file_and_row(name, times, folder, rows_of):
    """The long run has 2,500 damaged tables, other ones each time."""
    seeds = random.SystemRandom() if times > 20 else random.Random(name)
    for seed in (seeds.randrange(2**32) for _ in range(times)):
        text = damage(rows_of(name), random.Random(seed))
        (folder / "t.csv").write_text(text)
        try:
            done = pucklab(*line(name, "--resume"), cwd=folder)
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
        assert done.returncode in {0, 2, 3}, (seed, done.stderr)  # 3: a fit that tells nothing
        if done.returncode == 2:
            said = re.sub(r"(?m)^note: .*\n", "", done.stderr)
            assert re.fullmatch(r"error: (--)?resume: 't\.csv'.{1,300}\n", said), (
                seed,
                done,
            )
            assert "row " in done.stderr, (seed, done.stderr)
            # Nothing is lost: later rows may be refused when earlier ones are saved again.
            assert [row["counts"].replace(" ", "") for row in rows_in(folder / "t.csv")] == [
                row["counts"].replace(" ", "") for row in rows_in(text)
            ], seed
            continue
        for row in rows_in(folder / "t.csv"):
            counts = json.loads(row["counts"])
            check_counts("", counts, counts.get("trials", 1))
            for column, cell in row.items():
                if column.startswith("p_"):
                    assert all(0 <= float(part) <= 1 for part in cell.split()), (seed, row)
