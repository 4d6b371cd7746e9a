"""All commands that repeat trials: their files go on and add up, here and on a cluster."""

import errno
import signal
from importlib import import_module
from pathlib import Path

import click
import pytest

from pucklab.base import files
from pucklab.cli import merge
from pucklab.cli.commands import cli
from tests.commands import default_signals, fail, pucklab, succeed

ONE = "odds --pucks 3 --slammer-g 4 --trials 5 --workers 1"
COMMANDS = {
    "odds": ("odds --pucks 3 --slammer-g 4,20 --trials", 30),
    "odds best": (
        "odds best --pucks 3 --over slammer_g --points 5 --assumption-throws 2 --trials", 16
    ),
}  # fmt: skip
"""Experiments: command, up to the option for trials, and how many."""


@pytest.mark.parametrize(("command", "most"), COMMANDS.values(), ids=list(COMMANDS))
def test_a_run_by_two_processes_and_then_one_has_the_file_of_one(tmp_path, command, most):
    for name, steps in {
        "one": [(most, "--workers 1")],
        "parts": [(most // 3 * 2, "--workers 2"), (most, "--workers 1 --resume")],
    }.items():
        for number, options in steps:
            succeed(f"{command} {number} {options} --out {name}.csv", cwd=tmp_path)
    texts = {path.read_bytes() for path in tmp_path.iterdir()}
    assert len(texts) == 1


def test_files_of_two_seeds_are_merged_and_the_sum_is_not_continued(tmp_path):
    for seed in ("1", "2"):
        pucklab(f"{ONE} --seed {seed} --out {seed}.csv", cwd=tmp_path)
    done = succeed("merge 1.csv 2.csv --out sum.csv", cwd=tmp_path)
    assert "odds: 10 trials of 2 files" in done.stdout
    assert "1:5 2:5" in (tmp_path / "sum.csv").read_text()
    fail(f"{ONE} --resume --out sum.csv", said="was merged from several seeds", cwd=tmp_path)
    succeed("odds compare --pucks 3 --trials 5 --out c.csv", cwd=tmp_path)
    fail("merge 1.csv c.csv", said="has results of 'paired odds 1", cwd=tmp_path)


def test_two_commands_do_not_write_one_table(tmp_path):
    with files.lock_file("out", tmp_path / "o.csv"):
        said = "out: 'o.csv' cannot be added to: another command holds it"
        fail(f"{ONE} --out o.csv", said=said, cwd=tmp_path)
    succeed(f"{ONE} --out o.csv", cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["o.csv"]


def test_a_table_whose_folder_is_gone_is_printed_and_the_exit_code_says_so(tmp_path, monkeypatch):
    def gone(path, data):
        del data
        raise OSError(f"{str(path)!r} cannot be written: No such file or directory")

    monkeypatch.setattr(files, "write_whole", gone)
    done = pucklab(f"{ONE} --out o.csv", cwd=tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: --out: 'o.csv' cannot be written")
    monkeypatch.undo()
    pucklab(f"{ONE} --out o.csv", cwd=tmp_path)
    assert done.stdout.endswith((tmp_path / "o.csv").read_text())


@pytest.mark.parametrize(
    "line",
    [
        "odds --slammer-g 4 --pucks 3 --preset fast --assumption-throws 0 --trials 50 --out o.csv",
        "calibrate throws throws.csv --trials 512 --simulated o.csv",
    ],
)
@pytest.mark.parametrize("saved", [False, True])
def test_a_stopped_run_can_go_on_only_if_it_was_saved(line, saved, tmp_path, write, monkeypatch):
    written, tries = files.write_whole, []

    def interrupted(path, data):
        tries.append(path)
        if len(tries) == 1:
            signal.raise_signal(signal.SIGINT)
        if not saved:
            raise OSError(f"{str(path)!r} cannot be written: No such file or directory")
        written(path, data)

    example = Path(__file__).parents[1] / "calibration/throws/example.csv"
    write("throws.csv", example.read_text())
    monkeypatch.setattr(files, "write_whole", interrupted)
    with default_signals():
        done = pucklab(f"{line} --workers 1", cwd=tmp_path)
    assert done.returncode == 130
    assert ("add --resume to go on" in done.stderr) is saved
    assert ("'o.csv' cannot be written" in done.stderr) is not saved


def test_a_run_on_a_full_disk_goes_on_and_tries_again(tmp_path, monkeypatch):
    tries = []
    written = files.write_whole

    def full_at_first(path, data):
        tries.append(path)
        if len(tries) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        written(path, data)

    monkeypatch.setattr(files, "write_whole", full_at_first)
    done = pucklab("odds --pucks 3 --trials 30 --workers 1 --out o.csv", cwd=tmp_path)
    assert (done.returncode, len(tries)) == (0, 2)
    assert (tmp_path / "o.csv").exists()


def test_a_file_that_is_not_there_yet_is_begun_and_said(tmp_path):
    command = "odds --pucks 3 --trials 5 --workers 1 --out o.csv --resume"
    assert "'o.csv' is not there yet; a new run begins" in pucklab(command, cwd=tmp_path).stderr
    assert "a new run begins" not in pucklab(command, cwd=tmp_path).stderr


@pytest.mark.parametrize(("name", "place"), merge._EXPERIMENTS.items())
def test_an_experiment_is_found_by_the_name_in_its_tables(name, place):
    module, _, attribute = place.partition(":")
    assert getattr(import_module(module), attribute).name == name


SHARED = {"--workers", "--dask", "--out", "--resume", "--json", "--plot"}
WITHOUT_PLOT = {"reference", "solve", "puzzle", "deck search", "bumpers study"}
"""Throws that `calibrate reference` draws, answers without chance, a found deck, printed bars."""


def long_commands(group, path=()):
    """Yield the names of commands that go on where they stopped, and help by option of each."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        words = {text: own.help for own in found.params if own.param_type_name == "option"
                 for text in own.opts}  # fmt: skip
        if "--resume" in words:
            yield " ".join((*path, name)), words
        if isinstance(found, click.Group):
            yield from long_commands(found, (*path, name))


def test_commands_that_go_on_have_the_same_options():
    found = dict(long_commands(cli))
    assert len(found) >= 15
    for name, words in found.items():
        assert set(words) >= SHARED - ({"--plot"} if name in WITHOUT_PLOT else set()), name
        table = "--simulated" if "--simulated" in words else "--out"
        assert words[table] == "Save the table, every few seconds."
        assert words["--resume"] == f"Continue after the trials in the {table} file."
