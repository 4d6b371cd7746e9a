"""Speed of counting Puck Bumpers positions; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import pytest

from sim.bumpers import parse_position
from sim.bumpers.perft import count_lines

CLASSIC = parse_position(
    "pb1:classic:RPc3e2i5l9.RIb5n14.RMa8h12.OPc5e6.OIi2.YPj13k5.YMl11.GPo4p10.GIm8."
    "BPd12f14.BMg3.VPb14h15.VIk16:-:R:-"
)
SMALL = parse_position("pb1:G1.B1/B2.K5@90:RPc2.RIe7.BPd4:-:R:-")


def report(benchmark, name, counted):
    """Add a rate to the benchmark's report, if it is measured."""
    stats = getattr(benchmark, "stats", None)
    if stats is not None:
        benchmark.extra_info[name] = round(counted / stats["median"])


@pytest.mark.parametrize(
    ("position", "depth", "mats"),
    [(CLASSIC, 6, False), (SMALL, 3, True)],
    ids=["pieces", "pieces and mats"],
)
def test_perft_leaves(benchmark, position, depth, mats):
    list(count_lines(position, 1, mats=mats))

    def leaves():
        *_, whole = count_lines(position, depth, mats=mats)
        return whole.leaves

    report(benchmark, "leaves_per_s", benchmark(leaves))
