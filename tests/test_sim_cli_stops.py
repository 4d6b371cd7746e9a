"""Stops: every command ends soon after a signal, with its line and exit code; and progress."""

import os
import signal
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from pathlib import Path

import pytest

from pucklab.cli import commands, signals
from pucklab.cli.running import track
from pucklab.cli.signals import (
    EXIT_STOPPED,
    EXIT_WORKERS,
    Stop,
    catch_signals,
    exit_code,
    report_stop,
    set_phase,
)
from pucklab.sim.core.ordered_work import WorkersDied
from tests.commands import default_signals, pucklab, started, succeed, wait_until
from tests.tables import cases, toml

HARD = (
    "pb1:classic:RPc3e2i5l9.RIb5n14.RMa8h12.OPc5e6.OIi2.YPj13k5.YMl11.GPo4p10.GIm8."
    "BPd12f14.BMg3.VPb14h15.VIk16:-:R:-"
)
LONG = {
    "planners": "bumpers play --setup old-school --players planner-1s,planner-1s --save game.json",
    "slam": "slam --slammer-g 8 --engine plane --save film.gif",
    "solve": f"solve {HARD} --goal 2:V",
    "battle": "battle --policy expert,greedy --save battle.json",
    "study": "odds compare --slammer-g 4,8 --trials 1000000 --workers 2 --out study.csv",
    "fit": "calibrate throws throws.csv --out fit.toml",
}
CODES = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")


@pytest.fixture(autouse=True)
def handlers():
    with default_signals():
        yield


def catch_at_work():
    """Catch signals as they are caught while a command works."""
    catch_signals()
    set_phase("working")


def number_of(name):
    return int(getattr(signal, name, signal.SIGINT))


def losing_ctrl_c():
    """States of work in which a library takes Ctrl-C for an error of its own."""
    yield 1
    with suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    yield 2


def how_far(state):
    return state, 2


def test_a_ctrl_c_that_was_lost_is_answered_once_at_the_next_state():
    catch_at_work()
    states = track(losing_ctrl_c(), how_far)
    assert next(states) == 1
    with pytest.raises(KeyboardInterrupt):
        next(states)
    assert list(track([1, 2], how_far)) == [1, 2]


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_each_signal_has_a_line_and_an_exit_code_of_its_own(name, code, capsys):
    catch_at_work()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number_of(name))
    report_stop("after 3 of 9 throws", resumes=True)
    report_stop()  # what is said once is not said again
    assert (exit_code(EXIT_STOPPED), exit_code(0)) == (code, 0)
    by = "" if name == "SIGINT" else f" by {name}"
    said = f"stopped{by} after 3 of 9 throws; add --resume to go on from there\n"
    assert capsys.readouterr().err == said


def test_an_interrupt_that_a_library_takes_for_an_error_of_its_own_is_a_stop(monkeypatch, capsys):
    def importing(**_options):
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt:
            raise ImportError("initialization failed") from None

    catch_at_work()
    monkeypatch.setattr(commands.cli, "main", importing)
    assert commands.run_command() == 143
    assert capsys.readouterr().err == "stopped by SIGTERM\n"


def test_the_second_death_of_workers_has_a_line_and_an_exit_code_of_its_own(capsys):
    def dying():
        yield 1
        raise WorkersDied

    catch_at_work()
    with pytest.raises(KeyboardInterrupt):
        list(track(dying(), how_far))
    report_stop("after 1 of 2 throws")
    assert exit_code(EXIT_STOPPED) == EXIT_WORKERS
    shown = capsys.readouterr().err
    assert shown == "stopped by the death of worker processes after 1 of 2 throws\n"


@pytest.fixture
def ended(monkeypatch):
    """What would have ended the process: exit codes and what was said at once."""
    found = []
    monkeypatch.setattr(signals.os, "_exit", found.append)
    monkeypatch.setattr(signals.os, "write", lambda _, said: found.append(said))
    return found


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_before_a_command_works_a_signal_ends_the_process(name, code, ended):
    catch_signals()
    with suppress(KeyboardInterrupt):  # the process does not end here
        signal.raise_signal(number_of(name))
    by = "" if name == "SIGINT" else f" by {name}"
    assert ended == [f"stopped{by}\n".encode(), code]


@pytest.mark.parametrize("line", ["--help", "trail gym 3/4"])
def test_a_signal_after_the_answer_changes_nothing(line, ended, monkeypatch):
    whole = succeed(line).stdout
    finish = commands.output.finish

    def interrupted(code):
        signal.raise_signal(signal.SIGINT)
        return finish(code)

    monkeypatch.setattr(commands.output, "finish", interrupted)
    done = pucklab(line)
    assert (done.returncode, done.stdout, done.stderr, ended) == (0, whole, "", [])


def test_an_interrupt_that_python_drops_is_raised_again():
    class Held:
        pass

    catch_at_work()
    held = Held()
    callback = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        del held
        for _ in range(600):  # one sleep would not end if the signal came just before it
            time.sleep(0.1)
    assert callback() is None


def test_a_signal_that_is_ignored_stays_ignored():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    catch_signals()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_impatient_signals_are_ignored_for_two_seconds_and_then_end_the_process(ended, monkeypatch):
    now = 100.0
    monkeypatch.setattr(signals.time, "monotonic", lambda: now)
    catch_at_work()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    now += 1.9
    signal.raise_signal(signal.SIGINT)
    assert (ended, Stop.number) == ([], signal.SIGTERM)
    now += 0.2
    signal.raise_signal(signal.SIGINT)
    assert ended == [b"stopped at once\n", 130]


def test_after_the_answer_a_signal_ends_what_hangs_for_two_seconds(ended, monkeypatch):
    now = 100.0
    monkeypatch.setattr(signals.time, "monotonic", lambda: now)
    catch_signals()
    set_phase("answered")
    for seconds in (1.9, 0.2):
        assert ended == []
        now += seconds
        signal.raise_signal(signal.SIGINT)
    assert ended == [b"stopped at once\n", 130]


def catches_signals(pid):
    """Return True once a process catches SIGTERM, as Python by itself does not."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    caught = next((line.split()[1] for line in lines if line.startswith("SigCgt")), "0")
    return bool(int(caught, 16) >> signal.SIGTERM - 1 & 1)


def check_stop(name, how, after_s, folder, within_s):
    """Stop a command by signals to its whole group, and check its end; return if it was running."""
    example = Path(__file__).parents[1] / "calibration/throws/example.csv"
    (folder / "throws.csv").write_text(example.read_text())
    with started(*LONG[name].split(), cwd=folder) as running:
        wait_until(lambda: running.poll() is not None or catches_signals(running.pid))
        with suppress(subprocess.TimeoutExpired):
            running.communicate(timeout=after_s)
            return False
        begin_s = time.monotonic()
        for _ in range(6 if how == "impatient" else 1):
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(running.pid, number_of("SIGINT" if how == "impatient" else how))
                running.wait(0.1 if how == "impatient" else 0.0)
        _, said = running.communicate(timeout=60)
        took_s = time.monotonic() - begin_s
    line = said.splitlines()[-1] if said else ""
    by = "stopped" if CODES.get(how, 130) == 130 else f"stopped by {how}"
    assert running.returncode == CODES.get(how, 130), said
    assert "Traceback" not in said
    assert any(part.startswith(by) for part in said.splitlines()), said
    assert took_s < within_s, line
    return True


@linux
@cases(
    "name how after_s",
    """
    "planners" => "SIGINT" => 1.0
    "study" => "SIGHUP" => 1.5
    "study" => "impatient" => 1.0
    "slam" => "SIGTERM" => 0.0
    "fit" => "SIGTERM" => 0.5
    "solve" => "impatient" => 0.5
    """,
    toml,
)
def test_a_command_stops_soon_with_its_line_and_exit_code(name, how, after_s, tmp_path):
    assert check_stop(name, how, after_s, tmp_path, within_s=20)


@linux
@pytest.mark.slow
@pytest.mark.parametrize("how", [*CODES, "impatient"])
@pytest.mark.parametrize("name", LONG)
def test_a_command_stops_within_two_seconds_at_any_moment(name, how, tmp_path):
    for moment in range(50):
        if not check_stop(name, how, 0.07 * moment, tmp_path, within_s=2):
            break


SHORT = ("odds --help", "puckdex --name onix", "trail gym 3/4", "bumpers arena --games 2")


@linux
def test_a_process_that_is_interrupted_after_a_help_text_ends_well():
    whole = succeed("odds --help").stdout
    with started("odds --help") as running:
        printed = running.stdout.read(len(whole))
        with suppress(ProcessLookupError):
            running.send_signal(signal.SIGINT)
        rest, said = running.communicate(timeout=60)
    assert (running.returncode, printed + rest, said) == (0, whole, "")


ENDING = """
import sys
class Late:
    def __del__(self):
        print("late", file=sys.stderr, flush=True)
        sys.stdin.read()
late, sys.argv[1:] = Late(), ["--version"]
from pucklab.cli import main
main()
"""


def test_the_process_ends_without_the_interpreters_own_end():
    """There a signal would have its usual effect: that would end the process with its status."""
    done = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, check=True
    )
    assert (done.stdout.partition(" ")[0], done.stderr) == ("pucklab", "")


@linux
@pytest.mark.slow
@pytest.mark.parametrize("line", SHORT)
def test_at_any_moment_an_interrupt_is_a_stop_or_the_whole_answer_is_there(line):
    """Interrupts all over a command's life, from when it catches signals on."""
    begin_s = time.monotonic()
    whole = succeed(line).stdout
    life_s = 1.0 + time.monotonic() - begin_s
    codes = set()
    for moment in range(100):
        with started(line) as running:
            wait_until(lambda running=running: catches_signals(running.pid))
            with suppress(subprocess.TimeoutExpired):
                running.wait(life_s * moment / 100)
            with suppress(ProcessLookupError):
                running.send_signal(signal.SIGINT)
            printed, said = running.communicate(timeout=60)
        codes.add(running.returncode)
        if running.returncode == 0:
            assert printed == whole
        else:
            assert (running.returncode, said.splitlines()[-1][:7]) == (130, "stopped"), said
            assert "Traceback" not in said
    assert codes == {0, 130}
