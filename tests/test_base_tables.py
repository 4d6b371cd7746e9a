"""Tables are read however a spreadsheet or a shell has dressed them, and mistakes are named."""

import csv
import io
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.base.files import read_text
from pucklab.base.tables import read_rows
from pucklab.calibration.bench import read_measurements
from pucklab.calibration.rebound.measurements import read_rebounds
from pucklab.calibration.throw_log import read_log
from pucklab.calibration.throws.log import read_throws
from pucklab.sim.bumpers.solver.batch import read_questions
from pucklab.sim.bumpers.solver.question import Defaults
from pucklab.sim.experiments import merge_tables, read_table, run_to_end
from pucklab.sim.odds import ODDS, PAIRED_ODDS, OddsCase, experiment_cases
from pucklab.sim.pokepucks.design_file import read_catalogue
from tests.refusals import refused
from tests.scenes import fast_scene, usual_study
from tests.tables import cases, toml

ROOT = Path(__file__).parents[1]
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
LOG = """engine,cell,trial,hit,faces,slammer,distance_um,energy_begin_mj,energy_peak_mj,\
energy_end_mj,gains_energy,engine_version,settings
mujoco,4g-6mm-5ms-on-4g-1,0,1,DU,O,1234,50.0,50.125,20.0,0,3.12.0,
"""


@cases(
    "text read",
    r"""
    "a,b\n1,2\n" => [{a = "1", b = "2"}]
    "a;b\n1,5;-,5e3\n" => [{a = "1.5", b = "-.5e3"}]  # decimal commas
    "a;b\n1.5;twist,swap\n" => [{a = "1.5", b = "twist,swap"}]
    "a\tb\n1,5\t2" => [{a = "1.5", b = "2"}]
    "sep=;\na;b\n1;2" => [{a = "1", b = "2"}]
    "\"SEP=|\"\r\na|b,c\r\n1|2" => [{a = "1", "b,c" = "2"}]
    "\ufeffa,b\n1,2\n" => [{a = "1", b = "2"}]
    "a,b\r1,2\r3,4" => [{a = "1", b = "2"}, {a = "3", b = "4"}]
    "a,b\r\n1,2\r\n" => [{a = "1", b = "2"}]
    "\"a\",\"b\"\n\"1,5\",\"say \"\"hi\"\"\"" => [{a = "1,5", b = "say \"hi\""}]
    " a , b \n 1 , \"2\" \n" => [{a = "1", b = "2"}]
    "a,,b,\n1,,2,\n" => [{a = "1", b = "2"}]
    "\n,,\n\na,b\n,\n1,2\n" => [{a = "1", b = "2"}]
    "# it is, \"open\na,b\n #3,4\n1,2\n" => [{a = "1", b = "2"}]
    "a,b\n\"two\n# lines\",2\n" => [{a = "two\n# lines", b = "2"}]
    "a,b\n1\n" => [{a = "1", b = ""}]
    "A,b\n1,X\n" => [{a = "1", b = "X"}]
    "a,b\n1,2\n\ufeffB,a\n3,4\n" => [{a = "1", b = "2"}, {b = "3", a = "4"}]  # by cat
    "sep=;\na;b\n1;2\nsep=;\na;b\n3;4" => [{a = "1", b = "2"}, {a = "3", b = "4"}]
    "a,b\n" => []
    """,
    toml,
)
def test_a_table_is_read_however_it_is_dressed(text, read):
    assert [row.cells for row in read_rows(text, "t.csv", ["a"])] == read


@cases(
    "text said",
    r"""
    "" => is empty; give a row of column names: slammer
    "\n,,\n# a remark\n" => is empty
    "mass,out\n8,2\n" => row 1, column slammer: missing; give slammer
    "slamer,out\n" => row 1, column slammer: missing; did you mean slamer?
    "slammer,out,Out\n" => row 1, column out: appears twice
    "slammer,out\nOnix,2,3\n" => row 2, column 3: '3' has no column name
    "slammer,,out\n\nOnix,x,3\n" => row 3, column 2: 'x' has no column name
    "slammer\nOn\u001b[2Jix\n" => control character
    """,
    toml,
)
def test_a_mistake_in_a_table_is_named_by_row_and_column(text, said):
    refused(lambda: list(read_rows(text, "t.csv", ["slammer"])), said=f"^t.csv: ... {said}")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_is_utf_8_or_utf_16(encoding, tmp_path):
    path, mark = tmp_path / "a.csv", "\ufeff" * (encoding == "utf-16-be")
    path.write_bytes(f"{mark}Pokémon".encode(encoding))
    assert read_text("file", path) == "Pokémon"
    path.write_bytes("Pokémon".encode("latin-1"))
    refused(read_text, "file", path, said="is not UTF-8 text")


# Every table of pucklab, dressed anew.


def results(experiment, seed=1):
    """Return the text of a table of odds of two cases."""
    cases = [OddsCase(name=f"{pucks} pucks", study=usual_study(fast_scene(8.0, pucks)))
             for pucks in (2, 3)]  # fmt: skip
    return run_to_end(experiment, experiment_cases(cases), trials=3, seed=seed).csv()


def saved(experiment):
    """Return a reader of a file of results: labels and entries of its rows."""

    def read(path):
        table = read_table(read_text("file", path), "file", experiment)
        return [(row.labels, table.entries[row.id]) for row in table.rows]

    return read


def example(folder):
    return (ROOT / "calibration" / folder / "example.csv").read_text()


TABLES = {
    "odds": (lambda: results(ODDS), saved(ODDS)),
    "paired odds": (lambda: results(PAIRED_ODDS), saved(PAIRED_ODDS)),
    "throw log": (lambda: LOG, lambda path: read_log(read_text("log", path), "log")),
    "bench": (
        lambda: example("bench"),
        lambda path: [m.value for m in read_measurements(read_text("file", path), "file")],
    ),
    "rebounds": (
        lambda: example("rebound"),
        lambda path: [
            (own.setting, own.fall_mm, own.rebound_mm)
            for own in read_rebounds(read_text("file", path), "file")
        ],
    ),
    "real throws": (
        lambda: example("throws"), lambda path: read_throws(read_text("file", path), "file")
    ),
    "pucks": (
        lambda: "name,kind,rule,type,resistance,weakness,mass_g\n"
        "Onix Gold,pokemon,Dig,fighting,fire,water,24\nRare Potion,item,Potion,,,,1.2\n",
        lambda path: read_catalogue(path).designs,
    ),
    "batch": (
        lambda: f'position,goal,cards,max_actions\n{POSITION},1,"take-2,twist",\n'
        f"{POSITION},to:c7,,8\n",
        lambda path: read_questions(path, Defaults()),
    ),
}  # fmt: skip
"""Text of a table, and its reader."""


@cache
def plain(name):
    """Return the text of a table and what is read of it."""
    text, read = TABLES[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plain.csv"
        path.write_text(text())
        return text(), read(path)


def dressed(text, rng):
    """Return the bytes of a table as other programs might have saved it."""
    rows = [row for row in csv.reader(io.StringIO(text)) if row and not row[0].startswith("#")]
    rows = [[*row, *[""] * (len(rows[0]) - len(row)), ""] for row in rows]  # an empty column
    order = rng.sample(range(len(rows[0])), len(rows[0]))
    rows = [[row[column] for column in order] for row in rows]
    name = rng.choice((str.lower, str.upper, str.title))
    rows[0] = [name(cell) for cell in rows[0]]
    if rng.random() < 0.3:
        rows.insert(rng.randrange(1, len(rows) + 1), rows[0])  # joined by cat
    delimiter = rng.choice(",;\t")
    if delimiter != "," and rng.random() < 0.7:
        rows = [[re.sub(r"^(-?\d+)\.(\d+(e-?\d+)?)$", r"\1,\2", cell) for cell in row]
                for row in rows]  # fmt: skip
    pad, always = rng.choice(("", " ")), rng.random() < 0.4

    def written(cell):
        if always or cell.startswith(" ") or set(cell) & {delimiter, '"'}:
            cell = '"' + cell.replace('"', '""') + '"'
        return pad + cell + pad

    lines = [delimiter.join(map(written, row)) for row in rows]
    for extra in ("", delimiter * 3, "# it's a remark"):
        if rng.random() < 0.3:
            lines.insert(rng.randrange(len(lines) + 1), extra)
    if rng.random() < 0.3:
        lines.insert(0, f"sep={delimiter}")
    ends = rng.choice(("\n", "\r\n", "\r"))
    return (ends.join(lines) + ends).encode(rng.choice(("utf-8", "utf-8-sig", "utf-16")))


@pytest.mark.parametrize("name", TABLES)
@given(rng=st.randoms(use_true_random=False))
def test_a_table_dressed_anew_reads_back_the_same(name, rng):
    text, read = plain(name)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dressed.csv"
        path.write_bytes(dressed(text, rng))
        assert TABLES[name][1](path) == read


# Tables that cat has joined.


@pytest.mark.parametrize("experiment", [ODDS, PAIRED_ODDS])
def test_trials_of_joined_tables_add_up_as_those_of_merge_do(experiment):
    one, two = (results(experiment, seed) for seed in (1, 2))
    tables = [(name, read_table(text, name, experiment)) for name, text in (("1", one), ("2", two))]
    joined = read_table(one + two, "joined.csv", experiment)
    assert joined.csv() == merge_tables(tables).csv()
    assert read_table(one + one, "twice.csv", experiment).csv() == tables[0][1].csv()
    assert merge_tables(tables[:1]).csv() == tables[0][1].csv()


def test_other_trials_of_the_same_seed_are_not_added():
    other = results(ODDS).replace('""slammers_out"":2', '""slammers_out"":1')
    said = "joined.csv: row 5 has trials of seed 1, and so has an earlier one"
    refused(read_table, results(ODDS) + other, "joined.csv", ODDS, said=said)
