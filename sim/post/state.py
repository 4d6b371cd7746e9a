"""The state of a battle."""

from typing import NamedTuple

from pucklab.sim.post.numbers import EVER, Duration, Stages

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
    most_hp: int
    most_energy: int
    place: int = RESERVE
    entry: int = 0  # time of the last entry
    stages: Stages = ()
    conditions: tuple[Held, ...] = ()
    items: tuple[str, ...] = ()
    recoveries: int = 0
    chills: int = 0
    healed: int = 0  # HP in this round
    done: tuple[str, ...] = ()  # what may happen once a round
    abilities: tuple[str, ...] | None = None  # instead of its own
    types: tuple[str, ...] = ()  # instead of the species'
    dynamaxed: bool = False
    terastal: bool = False
    spent: bool = False  # Tech in this battle


class Order(NamedTuple):
    """An action that a Pokemon is ordered to take in a turn."""

    action: str = "struggle"  # name of a move or an item
    second: str = ""  # other component of a combination
    form: str = ""  # item, max, or the power of a Z-Move
    targets: tuple[int, ...] = ()
    declared: str = ""  # an action that it names


class Turn(NamedTuple):
    """A turn of the sequence of a step."""

    fighter: int
    order: Order
    priority: int = 0


class Seen(NamedTuple):
    """An action clause of a substitution that has observed a Pokemon."""

    watcher: int
    substitution: int
    clause: int
    subject: int
    step: int
    truth: bool


class State(NamedTuple):
    """The state of a battle; equal states have the same chances of everything that follows."""

    fighters: tuple[Fighter, ...]
    fields: tuple[tuple[Held, ...], ...]  # of the battle, then of each team
    tech: tuple[int, ...]
    packs: tuple[tuple[str, ...], ...]  # items in the teams' backpacks
    posts: tuple[int, ...]  # teams in the order of posting
    round: int = 0  # 0 before the leads have entered
    begun: bool = False  # the round's Switching phase is over
    steps: int = 3  # of this round
    step: int = 0  # from 0
    queue: tuple[Turn, ...] | None = None  # turns left in this step; None between steps
    turns: tuple[Turn, ...] = ()  # the same from the step's beginning on
    running: int = TOP  # priority of the turn that runs
    changes: tuple[tuple[int, int, tuple[Order, ...]], ...] = ()  # fighter, step, orders
    fired: tuple[tuple[int, int, int], ...] = ()  # fighter, substitution, step
    ignored: tuple[tuple[int, int], ...] = ()  # fighter, substitution of this round
    seen: tuple[Seen, ...] = ()
    used: tuple[tuple[int, int, Order], ...] = ()  # fighter, step, executed order
    fallen: tuple[int, ...] = ()
    vacant: tuple[tuple[int, int], ...] = ()  # teams and places, in the order they fell vacant
    winner: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether the round is over, or the battle."""
        return not self.begun or self.winner is not None
