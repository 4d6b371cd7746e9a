"""Checks of an answer: in space, and with each assumption of the model at its ends.

`in_space` gives the same study in the solid engine. `at_ends` gives it there with one assumption at
a time moved by its uncertainty, and `OrderCheck` says whether the order of two studies holds then.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from physics import Arena, Material, Materials, Puck, Scene, Slammer
from physics.errors import parameters
from physics.facts import fact
from physics.material import material_range
from physics.solid.settings import SolidSettings
from physics.tally import Mean
from sim.experiments.estimates import Z_95
from sim.experiments.paired import Difference, PairedCounts, difference, paired_tally
from sim.odds.study import Study

AS_ASSUMED = "in space"
"""Name of the study in the solid engine with all assumptions at their own values."""

Pair = tuple[tuple[str, Study], tuple[str, Study]]
"""Names and studies of two cases, the better one first."""

_Part = TypeVar("_Part", Arena, Puck, Slammer, Puck | Slammer)
_SURE = 0.95
_APART = 0.2
"""Share of the flips from which on a difference between the engines matters."""


def in_space(study: Study) -> Study:
    """Return a study in the solid engine."""
    return replace(study, engine="solid")


def differ(plane: Mean, space: Mean, z: float = Z_95) -> bool:
    """Return whether two engines differ by more than chance, and by more than a fifth.

    Example:
        >>> mean = Mean(value=1.0, standard_error=0.03)
        >>> differ(mean, Mean(value=1.5, standard_error=0.1))
        True
        >>> differ(mean, Mean(value=1.1, standard_error=0.01))
        False
    """
    apart = abs(plane.value - space.value)
    error = math.hypot(plane.standard_error, space.standard_error)
    return apart > z * error and apart > _APART * plane.value


def at_ends(study: Study) -> dict[str, Study]:
    """Return a study in the solid engine, as assumed and with each assumption at its ends.

    Assumptions are the numbers of the materials and of the solid engine that declare an
    uncertainty; their ends are one uncertainty away, within the range accepted. All materials of
    pieces and floor go to the same end together, each to that of its own range.

    Example:
        >>> from physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> ends = at_ends(Study(scene=scene, thrower=ThrowDistribution()))
        >>> [name for name in ends if name.startswith("restitution")]
        ['restitution 0.4', 'restitution 0.6']
    """
    own = in_space(study)
    found = {AS_ASSUMED: own}
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
        found[f"{name} {value:.3g}"] = replace(own, settings=settings)
    return found


OF_MATERIALS = ("restitution", "friction", "modulus_gpa")
"""Numbers of a piece's own material that are uncertain."""

_SIDES = {-1: "lowest", 1: "highest"}


def own_materials(scene: Scene) -> list[Material]:
    """Return the materials of a scene's pieces and floor that are not the scene's own."""
    parts = (scene.slammer, *scene.stack, scene.arena)
    return list(dict.fromkeys(part.material for part in parts if part.material is not None))


def at_end(scene: Scene, name: str, side: int, uncertainty: float | None = None) -> Scene:
    """Return a scene with a number of all its materials at the end of each one's range.

    Args:
        scene: The scene.
        name: A number of `Materials`, or one of `OF_MATERIALS`.
        side: -1 for the lower end, 1 for the upper.
        uncertainty: Of the scene's own materials; None for what they declare.
    """

    def moved(part: _Part) -> _Part:
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
        slammer=moved(scene.slammer),
        stack=tuple(map(moved, scene.stack)),
        arena=moved(scene.arena),
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
    """Pairs of studies of which the first was found better: does it stay so?

    Attributes:
        pairs: Names and studies, the better one first.
        measure: Index of the measure.
    """

    pairs: Sequence[Pair]
    measure: int

    @property
    def studies(self) -> list[Study]:
        """The studies to throw the same trials at: those of each pair at all ends."""
        ends = [at_ends(study) for pair in self.pairs for _, study in pair]
        return [study for own in ends for study in own.values()]

    def differences(self, counts: Sequence[PairedCounts]) -> list[dict[str, Difference]]:
        """Return the difference at each end, by its name, for each pair."""
        tally, found, first = paired_tally(counts), [], 0
        for pair in self.pairs:
            names = list(at_ends(pair[0][1]))
            found.append(
                {
                    name: difference(tally, first + k, first + len(names) + k, self.measure)
                    for k, name in enumerate(names)
                }
            )
            first += 2 * len(names)
        return found

    def sentences(self, counts: Sequence[PairedCounts]) -> list[str]:
        """Return whether the order of each pair held, in a sentence each."""
        return [
            order_sentence(better, worse, own)
            for ((better, _), (worse, _)), own in zip(
                self.pairs, self.differences(counts), strict=True
            )
        ]


def order_sentence(better: str, worse: str, ends: dict[str, Difference]) -> str:
    """Return whether an order held under every assumption, in a sentence.

    It held if the better one is better at every end with a probability of 95 %, one by one; it
    turned where the other one is.
    """
    turned = [name for name, one in ends.items() if one.better < 1 - _SURE]
    unsure = [name for name, one in ends.items() if 1 - _SURE <= one.better <= _SURE]
    claim = f"That {better} beats {worse}"
    if turned:
        return f"{claim} does not hold with {listed(turned)}."
    if not unsure:
        return f"{claim} held under every assumption tried ({len(ends) - 1} ends, in space)."
    throws = ends[AS_ASSUMED].trials
    return f"{claim} did not turn, but {throws} throws in space cannot tell with {listed(unsure)}."


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names, and how many more there are.

    Example:
        >>> listed(["a"]), listed(["a", "b", "c"], most=2)
        ('a', 'a, b and 1 more')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
