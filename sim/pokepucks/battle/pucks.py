"""Pucks: designs that somebody owns."""

from dataclasses import dataclass

from sim.pokepucks.design import Design


@dataclass(frozen=True, slots=True, kw_only=True)
class Puck:
    """A puck of a battle. In a state, a puck is its number: its place among the table's pucks.

    Attributes:
        design: What is printed on it, and what it is made of.
        owner: The player whose collection it came from; None for a shared box, as in a training
            battle.
    """

    design: Design
    owner: int | None

    @property
    def name(self) -> str:
        """What it is called."""
        return self.design.name
