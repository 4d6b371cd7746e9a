"""The odds of slammers, as plots group them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sim.odds import Odds


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsPoint:
    """The odds of one slammer.

    Attributes:
        label: What the slammer is called, such as ``Onix`` or ``20 g``.
        slammer_g: Its mass.
        odds: Its odds.
    """

    label: str
    slammer_g: float
    odds: Odds


def by_mass(points: Sequence[OddsPoint]) -> list[list[OddsPoint]]:
    """Return points in groups of one mass, light ones first."""
    groups: dict[float, list[OddsPoint]] = {}
    for point in sorted(points, key=lambda point: point.slammer_g):
        groups.setdefault(point.slammer_g, []).append(point)
    return list(groups.values())


def distinct(points: Sequence[OddsPoint]) -> list[OddsPoint]:
    """Return points without those that repeat another's mass and odds, in the order of mass.

    Slammers of the same make have the same throws, which count once.
    """
    found: dict[tuple[float, tuple[float, ...], float, float], OddsPoint] = {}
    for point in points:
        odds = point.odds
        key = (point.slammer_g, odds.flip_chances, odds.any_out.value, odds.hit.value)
        found.setdefault(key, point)
    return sorted(found.values(), key=lambda point: point.slammer_g)
