"""Solve a collection of sliding puzzles, and compare lengths, nodes and times.

``python -m tools.compare_boards FOLDER [--fogleman LIBRARY]`` reads every board of a folder in any
form of `pucklab.sim.bumpers.board_forms`, such as a copy of a public collection, and prints the
published length, if the file has one, ours, nodes and CPU seconds. With the path of Fogleman's C
(github.com/fogleman/Ricochet) built as a shared library, it solves boards of wall masks, too. The
exit code is 1 if a length differs.
"""

import ctypes
import json
import sys
import time
from pathlib import Path

import click

from pucklab.base.errors import InputError
from pucklab.sim.bumpers.board_forms import is_board, read_board
from pucklab.sim.bumpers.solver import Limits, Question, solve

_CELLS = 256
_MOST_ACTIONS = 40


class _Game(ctypes.Structure):
    """The ``Game`` of the library: 16 x 16 cells and four robots, the first of which is meant."""

    _fields_ = (
        ("grid", ctypes.c_uint * _CELLS),
        ("moves", ctypes.c_uint * _CELLS),
        ("robots", ctypes.c_uint * 4),
        ("token", ctypes.c_uint),
        ("last", ctypes.c_uint),
    )


def solve_by_library(library: ctypes.CDLL, facts: dict[str, object]) -> tuple[int, int, float]:
    """Return the length, nodes and CPU seconds of the library for a board of wall masks."""
    robots = [int(cell) for cell in facts["robots"]]  # type: ignore[attr-defined]
    first = int(facts.get("robot", 0))  # type: ignore[call-overload]
    robots[0], robots[first] = robots[first], robots[0]
    game = _Game(token=facts["token"])
    game.grid[:] = facts["grid"]
    game.robots[:] = robots
    counted = [0]

    def count_nodes(_depth: int, nodes: int, _inner: int, _hits: int) -> None:
        counted[0] += nodes

    watch = ctypes.CFUNCTYPE(None, *[ctypes.c_uint] * 4)(count_nodes)
    began_s = time.process_time()
    length = library.search(ctypes.byref(game), ctypes.create_string_buffer(_CELLS), watch)
    return length, counted[0], time.process_time() - began_s


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--fogleman", type=click.Path(exists=True), help="Its C as a shared library.")
def main(folder: Path, fogleman: str | None) -> None:
    """Compare the boards of a folder."""
    library = ctypes.CDLL(str(Path(fogleman).resolve())) if fogleman else None
    different = solved = nodes = 0
    seconds = 0.0
    for path in sorted(folder.rglob("*")):
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        if not is_board(text):
            continue
        try:
            board = read_board(text, path.name)
        except InputError as error:
            click.echo(f"{path.name}: {error}", err=True)
            different += 1
            continue
        for name, goal in board.goals.items():
            began_s = time.process_time()
            found = solve(Question(board.position, goal, Limits(max_actions=_MOST_ACTIONS)))
            took_s = time.process_time() - began_s
            lengths = {len(found.line)} | ({board.length} if board.length is not None else set())
            words = f"{len(found.line):>3} actions {found.nodes:>12,} nodes {took_s:7.2f} s"
            if library is not None and '"grid"' in text:
                own = solve_by_library(library, json.loads(text))
                words += f" | C {own[0]:>3} {own[1]:>12,} nodes {own[2]:7.2f} s"
                lengths.add(own[0])
            is_same = len(lengths) == 1 and bool(found.lines)
            solved, nodes, seconds = solved + is_same, nodes + found.nodes, seconds + took_s
            different += not is_same
            told = "" if is_same else f"  DIFFERENT: {lengths}"
            click.echo(f"{path.stem:<24} {name:<16} {words}{told}")
    click.echo(f"{solved} equal, {different} different; {nodes:,} nodes, {seconds:.2f} s")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
