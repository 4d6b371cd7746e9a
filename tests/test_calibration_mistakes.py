"""Mistakes in files of measurements: a line names file, row and column.

In the data ``*`` stands for the row of column names of its kind, ``|`` for the end of a row, and
``x3`` for three such rows.
"""

from pathlib import Path

import pytest

from pucklab.calibration.bench import read_measurements
from pucklab.calibration.rebound.measurements import read_rebounds
from pucklab.calibration.throws.log import read_throws
from tests.refusals import refused

READERS = {"bench": read_measurements, "throws": read_throws, "rebound": read_rebounds}


def mistakes():
    path = Path(__file__).parent / "data" / "measurement_mistakes.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line[0] != " ":
            kind, columns = line.split()
            continue
        packed, said = line.split("=> ")
        rows = []
        for row in packed.strip().split(" | "):
            cells, _, times = row.replace("*", columns).partition(" x")
            rows += [cells] * int(times or 1)
        yield pytest.param(READERS[kind], "\n".join(rows), said, id=f"{kind} {said}")


@pytest.mark.parametrize(("read", "text", "said"), [*mistakes()])
def test_what_cannot_be_is_named_by_file_row_and_column(read, text, said):
    refused(read, text, "log.csv", said=f"log.csv: ... {said}")
