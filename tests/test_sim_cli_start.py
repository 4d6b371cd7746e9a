"""Commands start without the libraries that they do not use."""

import os
import subprocess
import sys

import pytest

ENGINES = ("pymunk", "scipy", "physics.plane.engine", "physics.solid")
DRAWING = ("pygame", "matplotlib", "PIL")
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"

CODE = """
import sys
sys.argv = ["pucklab", *sys.argv[1:]]
from sim.cli import main
try:
    main()
finally:
    print("loaded:", *sys.modules)
"""


def loaded_by(*arguments: str) -> set[str]:
    """Run a command, and return the names of the modules that it loads."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stdout.rpartition("loaded:")[2].split())


def test_help_loads_no_library_but_click() -> None:
    modules = loaded_by("--help")
    assert not modules & {*ENGINES, *DRAWING, "physics", "numpy", "numba", "rich"}


def test_a_board_is_shown_without_engines_and_numpy() -> None:
    assert not loaded_by("bumpers", "show", POSITION) & {*ENGINES, *DRAWING, "numpy", "numba"}


def test_pucks_are_listed_without_engines() -> None:
    assert not loaded_by("puckdex", "--mass-g", "20") & {*ENGINES, *DRAWING, "numba"}


def test_solving_a_small_position_loads_no_engine_and_no_compiler() -> None:
    assert not loaded_by("solve", POSITION) & {*ENGINES, *DRAWING, "numba", "rich"}


def test_the_error_class_loads_no_engine() -> None:
    code = "import sys, physics.errors; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {*ENGINES, "numpy"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("odds --slammer pik", {"pikachu"}),
        ("odds --slammer onix,pik", {"onix,pikachu"}),
        ("odds --engine ", {"plane", "solid"}),
        ("slam --preset f", {"fast"}),
        ("battle --mode w", {"wild"}),
        ("battle --policy r", {"random"}),
        ("puzzle --setup ", {"classic", "small", "old-school"}),
    ],
)
def test_a_shell_completes_values(line: str, expected: set[str]) -> None:
    words = f"pucklab {line}"
    shell = {"_PUCKLAB_COMPLETE": "bash_complete", "COMP_WORDS": words}
    shell["COMP_CWORD"] = str(words.count(" "))
    code = "from sim.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **shell},
        capture_output=True,
        text=True,
        check=False,
    )
    assert {word.removeprefix("plain,") for word in done.stdout.split()} == expected


def test_a_mistyped_command_gets_a_suggestion() -> None:
    code = "import sys; sys.argv = ['pucklab', 'turnament']; from sim.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Did you mean 'tournament'?" in done.stderr
