"""What does not change in a round: Pokemon, their moves and techniques (13), rules, orders."""

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, NamedTuple, TypeAlias

from pucklab.base.decoding import decode
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.post.catalogue import Catalogue, Effect, Move, Species, Technique, Thing
from pucklab.sim.post.pokemon import ADVANCED_LEVEL, Match, Stats
from pucklab.sim.post.state import Order
from pucklab.sim.post.values import Test

MAX_GUARD = "max guard"
_COMBINATION_LEVEL = 2
_REACH = {
    "one target": {"ally", "foe"},
    "one ally": {"self", "ally"},
    "user": {"self"},
    "all opponents": {"foe"},
    "all others": {"ally", "foe"},
    "all allies": {"self", "ally"},
    "user's team": {"self", "ally"},
    "other team": {"foe"},
    "battlefield": {"self", "ally", "foe"},
}
_NARROW = {"battlefield", "user", "one ally", "one target"}


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

    @property
    def names(self) -> list[str]:
        """The names of its Pokemon."""
        return [own.name for own in self.roster]

    @property
    def moves(self) -> list[Move]:
        """The moves that its Pokemon know."""
        return [move for own in self.roster for move in own.moves.values()]

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
            if order.form == "max" and not move.is_attack:
                move = self.catalogue.moves[MAX_GUARD]
            elif order.form == "max":  # that of the move's type
                maxed = [m for m in self.catalogue.moves.values() if m.max_type == move.type]
                if not maxed:
                    why = f"no data file has a Max Move of type {move.type}"
                    raise InputError(f"max {move.name}: {why}")
                move = replace(maxed[0], category=move.category)
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


# Combinations, Z-Moves and Max Moves (13.1, 13.4, 13.5)


def combination_fault(a: Move, b: Move, *, level: int = 4, singles: bool = False) -> str:
    """Return the reason why two moves do not combine; empty if they do."""
    common = _REACH[a.target] & _REACH[b.target] - ({"ally"} if singles else set())
    if level < _COMBINATION_LEVEL:
        return f"combinations need Level {_COMBINATION_LEVEL} (BP-2)"
    if a.name == b.name:
        return "a move does not combine with itself (BP-5)"
    if a.combo is None or b.combo is None:
        return f"{(b if a.combo else a).name} has no Combo Level (13.1)"
    if a.max_type or b.max_type:
        return "Max Moves do not combine (13.1)"
    if not set(a.combo.classes) & set(b.combo.classes):
        return f"{a.name} and {b.name} share no class (13.1)"
    if not set(a.combo.subclasses) & set(b.combo.subclasses):
        return f"{a.name} and {b.name} share no subclass (13.1)"
    return "" if common else f"{a.name} and {b.name} have no common target (13.1)"


def combine(a: Move, b: Move) -> Move:
    """Return the combination of two moves that may combine."""
    both = (a, b)
    attacks = [move for move in both if move.is_attack]
    most = max((move.hits[1] for move in attacks), default=0)
    more = [move for move in attacks if move.hits[1] == most]
    chances = [m for m in both if m.effect_chance is not None]
    own = [m for m in chances if any(effect.when == "check" for effect in m.effects)]
    widest = max(both, key=lambda move: (move.target not in _NARROW, len(_REACH[move.target])))
    joined = {name: join([getattr(m, name) for m in both]) for name, join in _JOINED.items()}
    return replace(
        a,
        **joined,
        name=f"{a.name} + {b.name}",
        parts=(a.name, b.name),
        category=attacks[0].category if attacks else "other",
        bap=max((move.bap or 0 for move in more), default=None),
        energy=(2, 3, 1)[len(attacks)] * (a.energy + b.energy),
        effect_chance=max((m.effect_chance or 0 for m in own or chances), default=None),
        weights=more[0].weights if more else {},
        target=widest.target,
        combo=None,
    )


_JOINED: Mapping[str, Callable[[Any], Any]] = {
    "hp_cost": sum,
    "contact": any,
    "reflectable": any,
    "critical": max,
    "accuracy": lambda own: max(filter(None, own), default=None),
    "priority": lambda own: min(filter(None, own), default=0),
    "hits": lambda own: tuple(map(max, *own)),
    "tags": lambda own: own[0] + own[1],
    "effects": lambda own: own[0] + own[1],
    "needs": lambda own: " and ".join(filter(None, own)),
}


def apply_technique(move: Move, power: str, catalogue: Catalogue, stats: Stats) -> Move:
    """Return a move under a technique of the data files, such as a power of Z-Moves.

    Raises:
        InputError: The power is for other moves, or the move is a combination.

    Example:
        >>> from pucklab.sim.post.catalogue import read_catalogue
        >>> house = read_catalogue()
        >>> slam, line = house.find("moves", "slam"), house.species["murkrow"].line
        >>> apply_technique(slam, "force", house, line).bap
        24
    """
    technique: Technique = catalogue.find("techniques", power)
    kind = "attack" if move.is_attack else "non-attack"
    if move.parts or move.max_type or technique.needs not in {"", kind}:
        words = {"attack": "an attack", "non-attack": "no attack", "": "a single plain move"}
        needed = words[technique.needs]
        raise InputError(f"z-{power}: {move.name!r} is not accepted; give {needed} (13.4)")
    have = ((key, getattr(move, key, None)) for key in technique.add)
    new = {k: min(technique.most[k], v + technique.add[k]) for k, v in have if v is not None}
    better = "physical" if stats.attack > stats.special_attack else "special"
    new |= {key: better if value == "better" else value for key, value in technique.fixed.items()}
    new |= {"target": target} if (target := technique.widen.get(move.target)) else {}
    found, effects = decode(Move, new, move.name, move), list[Effect]()
    granted = move.target in {"user", "one ally"} and found.target != move.target  # 13.4: to all
    for old in found.effects:
        effect = replace(old, on="target" if granted and old.on == "self" else old.on)
        if technique.twin and "stage" in old.what and old.amount is not None:
            effect = replace(effect, amount=2 * old.amount)
        twin = technique.twin and old.do == "make"
        effects += [effect, *([replace(effect, alias="duplicate")] if twin else [])]
    return replace(found, effects=tuple(effects))
