"""Combinations, Z-Moves and Max Moves (13.1, 13.4, 13.5)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pucklab.base.decoding import decode, encode
from pucklab.physics import InputError
from pucklab.sim.post.catalogue import Catalogue, Move, Technique
from pucklab.sim.post.pokemon import Stats

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
        needed = {"attack": "an attack", "non-attack": "no attack"}.get(
            technique.needs, "a single plain move"
        )
        raise InputError(f"z-{power}: {move.name!r} is not accepted; give {needed} (13.4)")
    plain = encode(move)
    for key, more in technique.add.items():
        if plain[key] is not None:
            plain[key] = min(technique.most[key], plain[key] + more)
    better = "physical" if stats.attack > stats.special_attack else "special"
    plain |= {key: better if value == "better" else value for key, value in technique.fixed.items()}
    plain["target"] = technique.widen.get(move.target, plain["target"])
    if (
        move.target in {"user", "one ally"} and plain["target"] != move.target
    ):  # 13.4: grants to all
        for effect in plain["effects"]:
            effect["on"] = "target" if effect["on"] == "self" else effect["on"]
    if technique.twin:
        twins = []
        for effect in plain["effects"]:
            if "stage" in effect["what"] and effect["amount"] is not None:
                effect["amount"] = str(2 * Fraction(effect["amount"]))
            copy = [{**effect, "alias": "duplicate"}] if effect["do"] == "make" else []
            twins += [effect, *copy]
        plain["effects"] = twins
    return decode(
        Move, {key: value for key, value in plain.items() if value is not None}, move.name
    )


def max_move(move: Move, catalogue: Catalogue) -> Move:
    """Return the Max Move of a move's type and category; Max Guard if it is no attack.

    Raises:
        InputError: No data file has it.
    """
    if not move.is_attack:
        return catalogue.moves[MAX_GUARD]
    for own in catalogue.moves.values():
        if own.max_type == move.type:
            return replace(own, category=move.category)
    raise InputError(f"max {move.name}: no data file has a Max Move of type {move.type}")
