"""What does not change in a round: Pokemon, rules and data of a battle, and the orders."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, NamedTuple, TypeAlias

from pucklab.base.facts import fact
from pucklab.sim.post.catalogue import Catalogue, Move, Species, Thing
from pucklab.sim.post.pokemon import ADVANCED_LEVEL, Match, Stats
from pucklab.sim.post.state import Order
from pucklab.sim.post.techniques import apply_technique, combine, max_move
from pucklab.sim.post.values import Test


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


@fact(eq=False)
class Battle:
    """Facts and rules of a battle, which do not change."""

    catalogue: Catalogue
    match: Match
    teams: tuple[str, ...]
    roster: tuple[Entrant, ...]
    blows: dict[Any, Any] = field(default_factory=dict, init=False)
    _moves: dict[Any, Move] = field(default_factory=dict, init=False)

    def move(self, i: int, order: Order) -> Move:
        """Return the move of an order, with its technique or second component.

        Raises:
            InputError: There is none such.
        """
        key = (i, order[:3])
        if key not in self._moves:
            move: Move = self.catalogue.find("moves", order.action)
            if order.second:
                move = combine(move, self.catalogue.find("moves", order.second))
            level = min(self.roster[i].level, self.match.level)
            if order.action == "hidden power" and level < ADVANCED_LEVEL:
                move = replace(move, type="Normal")
            if order.form == "max":
                move = max_move(move, self.catalogue)
            elif order.form:
                move = apply_technique(move, order.form, self.catalogue, self.roster[i].stats)
            self._moves[key] = move
        return self._moves[key]


class Watch(NamedTuple):
    """An action clause: actions of another Pokemon, ordered or executed."""

    who: int
    wanted: tuple[frozenset[str], ...]  # words, one set of which an action must have
    steps: str = "now"  # or any, later, next, other, before; or numbers of steps
    used: bool = False
    most: int = 99
    aim: int | None = None
    unwanted: str = ""
    besides: "Watch | None" = None  # must not hold

    @property
    def looks_back(self) -> bool:
        """Whether it looks at earlier steps of the round."""
        return (
            self.used
            or self.steps in {"any", "other"}
            or bool(self.besides and self.besides.looks_back)
        )


class Result(NamedTuple):
    """A clause of a result."""

    affix: str
    verb: str
    orders: tuple[Order, ...] = ()
    step: int = 0  # or the number of a substitution


class Substitution(NamedTuple):
    """A substitution: timing, trigger and result."""

    text: str
    time: str
    subject: int  # of the event
    words: frozenset[str]  # of the event
    by: int | None
    affix: str
    clauses: tuple[Watch | Test, ...]
    results: tuple[Result, ...]
    is_free: bool = False  # a KO substitution

    @property
    def remembers(self) -> bool:
        """Whether later steps depend on its having been triggered."""
        return bool(self.affix or any(one.affix for one in self.results))

    @property
    def looks_back(self) -> bool:
        """Whether it looks at earlier steps of the round."""
        return any(isinstance(one, Watch) and one.looks_back for one in self.clauses)


class Orders(NamedTuple):
    """Orders of a Pokemon for a round."""

    main: tuple[tuple[Order, ...], ...]
    substitutions: tuple[Substitution, ...] = ()
    dynamax: bool = False


Plan: TypeAlias = Mapping[int, Orders]
"""Orders of some Pokemon."""
