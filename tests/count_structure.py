"""Counts of source files and of the files that three walks pass through.

Run it with ``python -m tests.count_structure``.

A walk is one use of the program from its command to its result; a file counts if one of its
functions runs. Kernels run as written, not compiled, so that their files are seen too.
"""

import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("physics", "sim", "render", "calibration")
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
WALKS = {
    "a throw, from `odds` to the CSV": [
        "odds", "--slammer-g", "8", "--trials", "3", "--seed", "1", "--workers", "1",
        "--out", "odds.csv",
    ],
    "a position, from `solve` to its solution": ["solve", POSITION],
    "a live battle throw, from `battle --watch` to the picture": [
        "battle", "--watch", "--players", "pikachu,onix", "--throws", "physics",
        "--seed", "3",
    ],
}  # fmt: skip
_FRAMES_WATCHED = 240


def source_files(*packages: str) -> list[Path]:
    """Return the source files of some packages; a package's ``__init__`` does not count."""
    found = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    return sorted(path for path in found if path.name != "__init__.py")


def walked(arguments: list[str]) -> list[str]:
    """Run a command in a process of its own and return the files whose functions ran."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "SDL_VIDEODRIVER": "dummy"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).resolve()), *arguments],
            env=environment | {"PYTHONPATH": str(ROOT)},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise SystemExit(done.stderr)
    return [line for line in done.stderr.splitlines() if line.startswith(PACKAGES)]


def _walk(arguments: list[str]) -> None:
    """Run a command here and write the files whose functions ran to stderr."""
    entered: set[str] = set()

    def enter(frame: FrameType, event: str, _argument: object) -> None:
        # A module's own code and that of class bodies runs at import: it is no step of a walk.
        if event == "call" and frame.f_code.co_flags & _FUNCTION:
            entered.add(frame.f_code.co_filename)

    if "--watch" in arguments:
        _close_after(_FRAMES_WATCHED)
    sys.argv = ["pucklab", *arguments]
    sys.setprofile(enter)
    try:
        runpy.run_module("sim.cli", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code:
            raise
    finally:
        sys.setprofile(None)
    inside = sorted(
        str(path.relative_to(ROOT))
        for path in map(Path, entered)
        if path.is_relative_to(ROOT) and path.parts[len(ROOT.parts)] in PACKAGES
    )
    names = (name for name in inside if not name.endswith("__init__.py"))
    sys.stderr.write("".join(f"{name}\n" for name in names))


_FUNCTION = 0x2  # CO_NEWLOCALS: set for functions, not for modules and class bodies


def _close_after(frames: int) -> None:
    """Close the window after so many frames, as a person would with the mouse."""
    import pygame

    taken, seen = pygame.event.get, 0

    def get(*arguments: object) -> list[pygame.event.Event]:
        nonlocal seen
        seen += 1
        return [pygame.event.Event(pygame.QUIT)] if seen > frames else taken(*arguments)

    pygame.event.get = get


def main() -> None:
    """Print the counts."""
    for package in PACKAGES:
        files = source_files(package)
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
        sys.stdout.write(
            f"{package}: {len(files)} files, {lines} lines, {lines / len(files):.0f} a file" + "\n"
        )
    sys.stdout.write(f"sim and render: {len(source_files('sim', 'render'))} files" + "\n")
    for name, arguments in WALKS.items():
        sys.stdout.write(f"{name}: {len(walked(arguments))} files" + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _walk(sys.argv[1:])
    else:
        main()
