"""Tables of cases in text: a row is a case, with ``=>`` between its cells; and stories.

Two blanks and a ``#`` begin a comment.
"""

import re
import tomllib
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


def rows(text):
    """Return the cells of each row of a table."""
    lines = (line.strip() for line in re.sub("  #.*", "", text).splitlines())
    table = [re.split(r"(?:^|\s)=>(?:\s|$)", line) for line in lines if line]
    return [[cell.strip() for cell in row] for row in table]


def cases(names, text, read=str):
    """Mark a test to run with each row of a table.

    Args:
        names: What the test calls the cells.
        text: The rows, or the name of their file in tests/data.
        read: How all cells are read but those called ``said``, such as by `toml`.
    """
    if text.endswith(".txt"):
        text = (DATA / text).read_text(encoding="utf-8")
    names, table = names.split(), rows(text)
    parts = [
        [cell if name == "said" else read(cell) for name, cell in zip(names, row, strict=True)]
        for row in table
    ]
    return pytest.mark.parametrize(names, parts, ids=map(" => ".join, table))


def toml(cell):
    """Return a value of TOML; None for ``none``."""
    return None if cell == "none" else tomllib.loads(f"it = {cell}")["it"]


def stories(text):
    """Return the lines of each block of a text, indented by two blanks, by its first line."""
    blocks = (block.split("\n  ") for block in re.split(r"\n(?! )", text.strip()))
    return {title: lines for title, *lines in blocks}
