"""Assumptions of the model at their ends, and whether an order of two studies holds there.

`at_ends` returns a study in the solid engine with one assumption at a time moved by its
uncertainty. `OrderCheck` compares pairs of studies there, and says in a clause whether their order
holds.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pucklab.base.errors import parameters
from pucklab.base.facts import fact
from pucklab.physics import Arena, Material, Materials, Puck, Scene, Slammer
from pucklab.physics.material import material_range
from pucklab.physics.solid.settings import SolidSettings
from pucklab.sim.experiments.curve import number_distances
from pucklab.sim.experiments.paired import (
    Difference,
    PairedCounts,
    difference,
    fit_paired_curve,
    paired_tally,
)
from pucklab.sim.odds.study import OddsCase, Study

Pair = tuple[OddsCase, OddsCase]
"""Two cases, the better one first."""

_Part = TypeVar("_Part", Arena, Puck, Slammer, Puck | Slammer)
_SURE = 0.95


def at_ends(study: Study) -> dict[str, Study]:
    """Return a study in the solid engine with each assumption at both ends, by name.

    Assumptions are the numbers of the materials and of the solid engine that declare an
    uncertainty; their ends are one uncertainty away, within the range accepted. For a study of the
    plane, the solid engine itself is one more. All materials of pieces and floor go to the same end
    together, each to that of its own range.

    Example:
        >>> from pucklab.physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> ends = at_ends(Study(scene=scene, thrower=ThrowDistribution(), engine="solid"))
        >>> [name for name in ends if name.startswith("restitution")]
        ['restitution 0.4', 'restitution 0.6']
    """
    own = replace(study, engine="solid")
    found = {} if study == own else {"the solid engine": own}
    kinds = own_materials(own.scene)
    for name, value in _ends(own.scene.materials):
        side = 1 if value > getattr(own.scene.materials, name) else -1
        is_shared = kinds and name in OF_MATERIALS
        label = f"the {_SIDES[side]} {name}" if is_shared else f"{name} {value:.3g}"
        found[label] = replace(own, scene=at_end(own.scene, name, side))
    for side in _SIDES if kinds else ():
        scene = at_end(own.scene, "modulus_gpa", side)
        found[f"the {_SIDES[side]} modulus"] = replace(own, scene=scene)
    for name, value in _ends(own.settings):
        settings = replace(own.settings, **{name: value})  # type: ignore[arg-type]
        found[f"{name.replace('_', ' ')} {value:.3g}"] = replace(own, settings=settings)
    return found


OF_MATERIALS = ("restitution", "friction", "modulus_gpa")
"""Numbers of a piece's own material that are uncertain."""

OF_RANGE = (-1.0, 0.0, 1.0)
"""Ends and middle of a number's range that several materials have, each one of its own."""

_SIDES = {-1: "lowest", 1: "highest"}


def own_materials(scene: Scene) -> list[Material]:
    """Return the materials of a scene's pieces and floor that are not the scene's own."""
    parts = (scene.slammer, *scene.stack, scene.arena)
    return list(dict.fromkeys(part.material for part in parts if part.material is not None))


def at_end(scene: Scene, name: str, side: int, uncertainty: float | None = None) -> Scene:
    """Return a scene in which a number of every material is at one end of its range.

    Args:
        scene: The scene.
        name: A number of `Materials`, or one of `OF_MATERIALS`.
        side: -1 for the lower end, 1 for the upper.
        uncertainty: Of the scene's own materials; None for what they declare.
    """

    def move(part: _Part) -> _Part:
        if part.material is None or name not in OF_MATERIALS:
            return part
        value = material_range(part.material, name)[side > 0]
        material = replace(part.material, **{name: value})  # type: ignore[arg-type]
        return replace(part, material=material)

    materials = scene.materials
    if note := parameters(Materials).get(name):
        off = note.uncertainty if uncertainty is None else uncertainty
        value = getattr(materials, name) + side * (off or 0.0)
        materials = replace(materials, **{name: min(max(value, note.low), note.high)})
    return replace(
        scene,
        slammer=move(scene.slammer),
        stack=tuple(map(move, scene.stack)),
        arena=move(scene.arena),
        materials=materials,
    )


def _ends(part: Materials | SolidSettings) -> Iterator[tuple[str, float]]:
    """Yield the ends of the numbers that have an uncertainty, by their names."""
    for name, note in parameters(part).items():
        own, off = getattr(part, name), note.uncertainty or 0.0
        for end in sorted({min(max(own + x, note.low), note.high) for x in (-off, off)} - {own}):
            yield name, end


@fact
class OrderCheck:
    """Check whether the better of two studies stays better with each assumption at its ends.

    Attributes:
        pairs: The orders.
        measure: Index of the measure.
    """

    pairs: Sequence[Pair]
    measure: int

    @property
    def studies(self) -> list[Study]:
        """The studies of all pairs at all ends; the same trials are thrown in each."""
        own = dict.fromkeys(case.study for pair in self.pairs for case in pair)
        return list(dict.fromkeys(end for study in own for end in at_ends(study).values()))

    def differences(self, counts: Sequence[PairedCounts], z: float) -> list[dict[str, Difference]]:
        """Return the difference of each pair at each end, by name; z is the intervals' quantile."""
        tally, place = paired_tally(counts), {own: k for k, own in enumerate(self.studies)}
        found = []
        for first, second in self.pairs:
            ends: dict[str, Difference] = {}
            for (end, better), worse in zip(
                at_ends(first.study).items(), at_ends(second.study).values(), strict=True
            ):
                own = tally.only([place[better], place[worse]])
                curve = fit_paired_curve(own, self.measure, number_distances([1.0, math.e]), z)
                ends[end] = difference(own, curve, 0, 1, self.measure)
            found.append(ends)
        return found

    def is_decided(self, counts: Sequence[PairedCounts], z: float) -> bool:
        """True if the better study of every pair is known at every end."""
        found = self.differences(counts, z)
        return not any(1 - _SURE <= one.better <= _SURE for own in found for one in own.values())

    def clause(self, counts: Sequence[PairedCounts], z: float, *, undecided: bool = False) -> str:
        """Return a clause on each order, which follows an answer.

        An order holds if the better study is better with 95 % probability at every single end; it
        turns where the other one is.

        Args:
            counts: The throws at the ends.
            z: Quantile of 95 % intervals.
            undecided: Tell of ends, too, at which the throws decide nothing.
        """
        text = ""
        for pair, ends in zip(self.pairs, self.differences(counts, z), strict=True):
            better, worse = pair[0].name, pair[1].name
            # The common beginning of both names stands once: 8 g at friction 0.1, and friction 0.6.
            stem, at, _ = better.partition(" at ")
            other = worse.removeprefix(stem + at) if at else worse
            turned = [name for name, one in ends.items() if one.better < 1 - _SURE]
            unsure = [name for name, one in ends.items() if 1 - _SURE <= one.better <= _SURE]
            if turned:
                text += f"; {better} does not beat {other} with {list_names(turned)}"
            elif not unsure:
                text += f"; {better} beats {other} at both ends of every assumption, too"
            if unsure and undecided:
                text += f"; {counts[0].trials} throws do not tell whether {better} beats {other} "
                text += f"with {list_names(unsure, len(unsure))}"
        return text


def list_names(names: Sequence[str], most: int = 3, last: str = "and") -> str:
    """Return the first of some names, and the number of the rest.

    Example:
        >>> list_names(["a", "b"]), list_names(["a", "b", "c"], 2), list_names("ab", last="or")
        ('a and b', 'a, b and 1 more', 'a or b')
    """
    shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    return f" {last} ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
