"""Commands start without the libraries that they do not use."""

import subprocess
import sys

from tests.commands import fail, pucklab
from tests.tables import cases

ENGINES = "pymunk scipy pucklab.physics.plane.engine pucklab.physics.solid.engine"
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"

CODE = """
import sys
sys.argv = ["pucklab", *sys.argv[1:]]
from pucklab.cli import run
run()
print("loaded:", *sys.modules)
"""


def loaded_by(*arguments):
    """Run a command, and return the names of the modules that it loads."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stdout.rpartition("loaded:")[2].split())


@cases(
    "line not_loaded",
    """
    --help => pygame numpy physics rich
    odds --help => pygame rich
    watch --help => rich
    bumpers show POSITION => pygame
    puckdex --mass-g 20 => pygame
    solve POSITION => pygame rich
    """,
)
def test_a_command_loads_no_library_that_it_does_not_need(line, not_loaded):
    never = f"{ENGINES} matplotlib PIL numba {not_loaded}"
    assert not loaded_by(*line.replace("POSITION", POSITION).split()) & {*never.split()}


def test_the_error_class_loads_no_engine():
    code = "import sys, pucklab.base.errors; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {*ENGINES.split(), "numpy"}


@cases(
    "line expected",
    """
    odds --slammer pik => pikachu
    odds --slammer onix,pik => onix,pikachu
    odds --engine _ => plane solid
    odds --pieces p => pogs
    odds --scene my => file,my
    slam --preset f => fast
    battle --mode w => wild
    battle --policy r => random
    puzzle --setup _ => classic old-school small
    bumpers p => perft play
    """,
)
def test_a_shell_completes_values(line, expected, monkeypatch):
    words = f"pucklab {line}".replace("_", "")
    monkeypatch.setenv("_PUCKLAB_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert {word.removeprefix("plain,") for word in pucklab().stdout.split()} == {*expected.split()}


def test_a_mistyped_command_gets_a_suggestion():
    fail("turnament", said="Did you mean 'tournament'?")
