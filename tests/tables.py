"""Tables of cases in text: a row is a case, with ``=>`` between its cells; and stories."""

import re
import tomllib
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


def cases(names, text, read=str):
    """Mark a test to run with each row of a table.

    Args:
        names: What the test calls the cells.
        text: The rows, or the name of their file in tests/data.
        read: How all cells but the last are read, such as by `toml`.
    """
    if text.endswith(".txt"):
        text = (DATA / text).read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows = ([cell.strip() for cell in line.split("=>")] for line in lines)
    table = [[*map(read, cells), last] for *cells, last in rows]
    return pytest.mark.parametrize(names.split(), table, ids=lines)


def toml(cell):
    """Return a value of TOML; None for ``none``."""
    return None if cell == "none" else tomllib.loads(f"it = {cell}")["it"]


def stories(text):
    """Return the lines of each block of a text, indented by two blanks, by its first line."""
    blocks = (block.split("\n  ") for block in re.split(r"\n(?! )", text.strip()))
    return {title: lines for title, *lines in blocks}
