"""Files are there whatever happens to standard output; a full disk leaves the old ones."""

import errno
import os
import re
import subprocess
from pathlib import Path

import pytest

from pucklab.cli import output
from pucklab.cli.commands import cli
from pucklab.render.slams import export
from tests.commands import COMMAND, not_windows, pucklab, succeed
from tests.refusals import refused
from tests.tables import cases, rows

pytestmark = not_windows

POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"

WRITERS = {
    name: (line, line.split()[-1])
    for name, line in rows(f"""
odds => odds --slammer-g 4 --pucks 3 --preset fast --trials 4 --workers 1 --out o.csv
tournament => tournament --throws table --slammers onix,pikachu --battles 1 --workers 1 --out o.csv
battle => battle --throws table --turns 3 --save o.json
transcript => battle --throws table --turns 3 --transcript o.txt
slam => slam --slammer-g 8 --pucks 3 --save o.json
bench => calibrate bench bench.csv --out o.toml
solve => solve {POSITION} --save o.png
batch => solve --batch tasks.csv --workers 1 --out o.csv
puzzle => puzzle --actions 2 --setup small --workers 1 --out o.csv
game => bumpers play --players random,random --max-actions 20 --save o.json
""")
}


def make_inputs(folder):
    """Write the files that the commands read."""
    (folder / "tasks.csv").write_text(f"position\n{POSITION}\n")
    example = Path(__file__).parents[1] / "calibration/bench/example.csv"
    (folder / "bench.csv").write_text(example.read_text())


def run(line, folder, **how):
    """Run a command in a process of its own, for its pipes and limits."""
    make_inputs(folder)
    how = {"stdout": subprocess.PIPE, **how}
    return subprocess.run(
        [*COMMAND, *line.split()],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=300,
        **how,
    )


@pytest.fixture
def pipe_without_reader():
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize("writer", ["odds", "battle"])
def test_the_file_is_written_when_nobody_reads_the_output(writer, tmp_path, pipe_without_reader):
    line, name = WRITERS[writer]
    done = run(line, tmp_path, stdout=pipe_without_reader)
    os.close(pipe_without_reader)
    assert (tmp_path / name).stat().st_size > 0
    assert "rror" not in done.stderr
    assert done.returncode == output.EXIT_CLOSED


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_the_file_is_written_when_the_output_is_full(tmp_path):
    line, name = WRITERS["bench"]
    with Path("/dev/full").open("w") as full:
        done = run(line, tmp_path, stdout=full.fileno())
    assert done.returncode == output.EXIT_OUTPUT
    assert (tmp_path / name).stat().st_size > 0
    assert done.stderr.splitlines()[-1] == "error: standard output: No space left on device"


@pytest.mark.parametrize(("line", "name"), WRITERS.values(), ids=list(WRITERS))
def test_a_full_disk_is_one_line_and_keeps_the_old_file(line, name, tmp_path, write, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    make_inputs(tmp_path)
    write(name, "old")
    monkeypatch.setattr("os.fsync", full)
    done = pucklab(line, cwd=tmp_path)
    (error,) = [part for part in done.stderr.splitlines() if part.startswith("error: ")]
    assert done.returncode in {output.EXIT_OUTPUT, 2}
    assert f"{name}' cannot be written: No space left on device" in error
    assert (tmp_path / name).read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {name, "tasks.csv", "bench.csv"}


@pytest.fixture
def limited(monkeypatch):
    """Let this process write no file of more than 20 kB, as on a full disk, and films be short."""
    resource = pytest.importorskip("resource")
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    monkeypatch.setattr(export, "_GIF_FPS", 3.0)
    monkeypatch.setattr(export, "_MP4_FPS", 10.0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, most))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@pytest.mark.parametrize("name", ["film.gif", "film.mp4"])
@pytest.mark.usefixtures("limited")
def test_a_film_past_a_limit_of_files_is_named(name, tmp_path):
    line = f"slam --engine plane --slammer-g 8 --pucks 3 --save {name}"
    done = pucklab(line, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"error: '{name}' cannot be written: File too large"
    assert not (tmp_path / name).exists()


@cases(
    "line name",
    """
    odds --scene in.toml --out out.csv => in.toml
    tournament --throws in.csv --slammers onix,pikachu --out out.csv => in.csv
    battle --setup in.toml --save out.json => in.toml
    slam --scene in.toml --save out.json => in.toml
    calibrate bench in.csv --out out.toml => in.csv
    calibrate throws in.csv --out out.toml => in.csv
    calibrate reference --against in.csv --out out.toml => in.csv
    solve --batch in.csv --out out.csv => in.csv
    deck search --slammer onix --setup in.toml --out out.csv => in.toml
    trail odds --board in.toml --out out.csv => in.toml
    odds best --over slammer_g --scene in.toml --out out.csv => in.toml
    odds sensitivity --scene in.toml --out out.csv => in.toml
    odds compare --scene in.toml --out out.csv => in.toml
    """,
)
def test_no_command_writes_over_a_file_that_it_reads(line, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read = Path(name)
    read.write_text("schema = 1\n" if name.endswith(".toml") else example_of(line))
    written = next(word for word in line.split() if word.startswith("out."))
    Path(written).symlink_to(read)
    before = read.read_bytes()
    refused(
        cli.main,
        line.split(),
        standalone_mode=False,
        said="is read by this command; give another file",
    )
    assert read.read_bytes() == before


def example_of(line):
    """Return a file that a command accepts as its CSV input."""
    if "tournament" not in line:
        return f"position\n{POSITION}\n"
    options = "--slammer-g 8 --pucks 2 --preset fast --trials 2 --workers 1 --out in.csv"
    succeed(f"odds {options}", cwd=Path.cwd())
    return Path("in.csv").read_text()


def test_a_sign_that_the_output_cannot_show_loses_nothing(tmp_path):
    line, name = WRITERS["odds"]
    done = run(line, tmp_path, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / name).exists()
    assert re.search(r"\d \? \d", done.stdout)  # for plus or minus


def test_escapes_in_names_do_not_reach_the_terminal(capsys):
    output.print_written(Path("a\x1b]52;c;AAAA\x07.csv"))
    output.print_error("scene: 'a\x1b[2J' cannot be read")
    shown = capsys.readouterr().err
    assert "\x1b" not in shown
    assert "\x07" not in shown


@pytest.mark.parametrize("length", [310, 5000])
def test_an_error_line_stays_short_and_keeps_both_ends(length, capsys):
    output.print_error("begin " + "x" * length + " end")
    shown = capsys.readouterr().err
    assert len(shown) <= len("error: ") + 300 + 1
    assert shown.startswith("error: begin xxx")
    assert shown.endswith("xxx end\n")
