"""The state of a battle, and what does not change in it."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import NamedTuple

from physics.facts import fact
from sim.post.catalogue import Move, Species, Thing
from sim.post.numbers import EVER, Duration, Stages, change_stage, rounded
from sim.post.pokemon import Stats

BENCH, RESERVE, OUT = -1, -2, -3
"""Places of Pokemon out of play: been in play, not yet, fainted; others are positions."""
TOP = 100
"""Priority above all, of a step that begins."""


class Held(NamedTuple):
    """A condition or markers of a subject."""

    name: str
    duration: Duration = EVER
    counters: int = 0
    stamp: int = 0  # time at which it was made
    maker: int = -1
    alias: str = ""
    note: tuple[str, ...] = ()  # names of actions


class Fighter(NamedTuple):
    """A Pokemon."""

    hp: int
    energy: int
    place: int = RESERVE
    entry: int = 0  # time of the last entry
    stages: Stages = ()
    conditions: tuple[Held, ...] = ()
    items: tuple[str, ...] = ()
    recoveries: int = 0
    chills: int = 0
    healed: int = 0  # HP in this round
    done: tuple[str, ...] = ()  # what may happen once a round
    types: tuple[str, ...] = ()  # instead of the species'
    dynamaxed: bool = False
    terastal: bool = False
    spent: bool = False  # Tech in this battle


def fused(first: Fighter, second: Fighter, markers: Collection[str] = ()) -> Fighter:
    """Return the host of a fusion: averages, sums, the newest condition of each name (13.2)."""
    held: dict[str, Held] = {}
    for one in sorted((*second.conditions, *first.conditions), key=lambda one: one.stamp):
        more = held[one.name].counters if one.name in markers and one.name in held else 0
        held[one.name] = one._replace(counters=one.counters + more)
    stages = first.stages
    for stage in second.stages:
        stages = change_stage(stages, *stage)
    return first._replace(
        hp=rounded(Fraction(first.hp + second.hp, 2)),
        energy=rounded(Fraction(first.energy + second.energy, 2)),
        stages=stages,
        conditions=tuple(held.values()),
        items=first.items + second.items,
    )


class Order(NamedTuple):
    """What a Pokemon is ordered to do in a turn."""

    action: str = "struggle"  # name of a move or an item
    second: str = ""  # other component of a combination
    form: str = ""  # item, max, or the power of a Z-Move
    targets: tuple[int, ...] = ()


class Turn(NamedTuple):
    """A turn of the sequence of a step."""

    fighter: int
    order: Order
    priority: int = 0


class State(NamedTuple):
    """All that the rest of a battle depends on; equal states have equal chances."""

    fighters: tuple[Fighter, ...]
    fields: tuple[tuple[Held, ...], ...]  # of the battle, then of each team
    tech: tuple[int, ...]
    packs: tuple[tuple[str, ...], ...]  # items in the teams' backpacks
    posts: tuple[int, ...]  # teams in the order of posting
    steps: int = 3  # of this round
    step: int = 0  # from 0
    queue: tuple[Turn, ...] | None = None  # turns left in this step; None between steps
    turns: tuple[Turn, ...] = ()  # the same from the step's beginning on
    running: int = TOP  # priority of the turn that runs
    changes: tuple[tuple[int, int, tuple[Order, ...]], ...] = ()  # fighter, step, orders
    fired: tuple[tuple[int, int, int], ...] = ()  # fighter, substitution, step
    seen: tuple[tuple[int, int, int, int, bool], ...] = ()  # fighter, its clause, whose, truth
    fallen: tuple[int, ...] = ()
    winner: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether the round is over, or the battle."""
        return self.step == 0 or self.winner is not None


@fact
class Entrant:
    """A Pokemon's facts."""

    name: str
    team: int
    species: Species
    stats: Stats
    moves: Mapping[str, Move]
    abilities: tuple[Thing, ...] = ()
    level: int = 4
    tera: str = ""
