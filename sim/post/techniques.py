"""Combinations, Z-Moves and Max Moves (13.1, 13.4, 13.5)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from physics import InputError
from sim.post.catalogue import Catalogue, Effect, Move
from sim.post.numbers import ONE
from sim.post.pokemon import Stats

Z_POWERS = ("force", "harm", "pierce", "twin", "wide")
MOST_FORCE = 24
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
_WIDE = {"one target": "all opponents", "one ally": "all allies", "user": "all allies"}


def combination_fault(a: Move, b: Move, *, level: int = 4, singles: bool = False) -> str:
    """Return why two moves do not combine; empty if they do."""
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
}


def z_move(move: Move, power: str, stats: Stats) -> Move:
    """Return the Z-Move of a power.

    Raises:
        InputError: The power is for other moves, or the move is a combination.

    Example:
        >>> from sim.post.catalogue import read_catalogue
        >>> house = read_catalogue()
        >>> z_move(house.find("moves", "slam"), "force", house.species["murkrow"].line).bap
        24
    """
    fits = {"force": move.is_attack, "harm": not move.is_attack}.get(power, True)
    if move.parts or move.max_type or not fits:
        needed = {"force": "an attack", "harm": "no attack"}.get(power, "a single plain move")
        raise InputError(f"z-{power}: {move.name!r} is not accepted; give {needed} (13.4)")
    changes: dict[str, dict[str, Any]] = {
        "force": {
            "bap": min(MOST_FORCE, (move.bap or 0) + 14),
            "accuracy": move.accuracy and min(100, move.accuracy + 50),
            "target": "one target",
            "effects": (),
            "tags": (),
            "effect_chance": None,
        },
        "harm": {
            "bap": 12,
            "category": "physical" if stats.attack > stats.special_attack else "special",
            "target": "one target",
        },
        "wide": {"target": _WIDE.get(move.target, move.target)},
        "twin": {"effects": tuple(twin for own in move.effects for twin in _twins(own))},
        "pierce": {"tags": (*move.tags, power)},
    }
    return replace(move, **changes[power])


def _twins(effect: Effect) -> tuple[Effect, ...]:
    if effect.do == "stage":
        return (replace(effect, amount=2 * (effect.amount or ONE)),)
    return (effect, replace(effect, alias="duplicate")) if effect.do == "inflict" else (effect,)


def max_move(move: Move, catalogue: Catalogue) -> Move:
    """Return the Max Move of a move's type and category; Max Guard of one that is no attack.

    Raises:
        InputError: No data file has it.
    """
    if not move.is_attack:
        return catalogue.moves[MAX_GUARD]
    for own in catalogue.moves.values():
        if own.max_type == move.type:
            return replace(own, category=move.category)
    raise InputError(f"max {move.name}: no data file has a Max Move of type {move.type}")
