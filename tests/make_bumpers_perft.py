"""Makes tests/data/bumpers/perft.csv with the plain rules: ``python -m tests.make_bumpers_perft``.

Leaves at every depth of each position in positions.csv. The fast kernel
takes no part in it.
"""

import csv
import io
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

from pucklab.base.files import write_whole
from pucklab.sim.bumpers import apply, legal_moves, parse_position

DATA = Path(__file__).parent / "data" / "bumpers"
POSITIONS, TABLE = DATA / "positions.csv", DATA / "perft.csv"
FIELDS = ("name", "mats", "depth", "leaves")


def read_cases():
    """Return the positions to count from.

    Each has a name and a greatest depth without mat moves and one with them, or 0 for none.
    """
    with POSITIONS.open(encoding="utf-8", newline="") as file:
        return [
            SimpleNamespace(
                name=row["name"],
                depth=int(row["depth"]),
                mat_depth=int(row["mat_depth"]),
                position=parse_position(row["position"]),
            )
            for row in csv.DictReader(file)
        ]


def count(position, depth, *, mats):
    """Return the leaves at each depth from 1, by the plain rules.

    Lines are counted by the positions that they pass: a position reached by n lines passes them
    on to each of its moves.
    """
    table, lines = [], Counter({position: 1})
    for _ in range(depth):
        following = Counter()
        for reached, ways in lines.items():
            for move in legal_moves(reached, mats=mats):
                following[apply(reached, move)] += ways
        table.append(following.total())
        lines = following
    return table


def main():
    """Write the table."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    for case in read_cases():
        for mats, greatest in ((False, case.depth), (True, case.mat_depth)):
            for depth, leaves in enumerate(count(case.position, greatest, mats=mats), start=1):
                writer.writerow((case.name, "yes" if mats else "no", depth, leaves))
        sys.stderr.write(f"{case.name}\n")
    write_whole(TABLE, text.getvalue().encode())


if __name__ == "__main__":
    main()
