"""Combinations, Z-Moves and Max Moves (13.1, 13.4, 13.5)."""

from dataclasses import replace
from fractions import Fraction

from physics import InputError
from sim.post.catalogue import Catalogue, Category, Effect, Move, Scope
from sim.post.pokemon import Stats

Z_POWERS = ("force", "harm", "pierce", "twin", "wide")
MOST_FORCE = 24
MAX_GUARD = "max guard"
_COMBINATION_LEVEL = 2
ADVANCED_LEVEL = 4
"""Level of Z-Moves, Dynamax and Terastal."""
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
    more = [move for move in attacks if move.hits[1] == max(m.hits[1] for m in attacks)]
    chances = [m.effect_chance for m in both if m.effect_chance is not None]
    own = [m.effect_chance for m in both if m.effect_chance and _checks(m)]
    widest = max(both, key=lambda move: (move.target not in _NARROW, len(_REACH[move.target])))
    factor = 1 if len(attacks) == 2 else 3 if attacks else 2
    return replace(
        a,
        name=f"{a.name} + {b.name}",
        category=attacks[0].category if attacks else "other",
        bap=max((move.bap or 0 for move in more), default=None),
        accuracy=max((m.accuracy for m in both if m.accuracy is not None), default=None),
        energy=factor * (a.energy + b.energy),
        hp_cost=a.hp_cost + b.hp_cost,
        priority=min((m.priority for m in both if m.priority), default=0),
        effect_chance=max(own or chances, default=None),
        hits=(max(a.hits[0], b.hits[0]), max(a.hits[1], b.hits[1])),
        weights=more[0].weights if more else {},
        contact=a.contact or b.contact,
        reflectable=a.reflectable or b.reflectable,
        critical=max(a.critical, b.critical),
        target=widest.target,
        combo=None,
        tags=(*a.tags, *b.tags),
        effects=(*a.effects, *b.effects),
        parts=(a.name, b.name),
    )


def _checks(move: Move) -> bool:
    return any(effect.when == "check" for effect in move.effects)


def z_move(move: Move, power: str, stats: Stats) -> Move:
    """Return the Z-Move of a power.

    Raises:
        InputError: The power is for other moves, or the move is a combination.

    Example:
        >>> from sim.post.catalogue import read_catalogue
        >>> z_move(read_catalogue().find("moves", "slam"), "force", None).bap
        24
    """
    if (
        move.parts
        or move.max_type
        or (power == "force") > move.is_attack
        or (power == "harm" and move.is_attack)
    ):
        needed = {"force": "an attack", "harm": "no attack"}.get(power, "a single plain move")
        raise InputError(f"z-{power}: {move.name!r} is not accepted; give {needed} (13.4)")
    if power == "force":
        percent = None if move.accuracy is None else min(100, move.accuracy + 50)
        return replace(
            move,
            bap=min(MOST_FORCE, (move.bap or 0) + 14),
            accuracy=percent,
            target="one target",
            effects=(),
            tags=(),
            effect_chance=None,
        )
    category: Category
    if power == "harm":
        physical = stats.attack > stats.special_attack
        category = "physical" if physical else "special"
        return replace(move, bap=12, category=category, target="one target")
    if power == "wide":
        wide: dict[str, Scope] = {
            "one target": "all opponents",
            "one ally": "all allies",
            "user": "all allies",
        }
        return replace(move, target=wide.get(move.target, move.target))
    if power == "twin":
        return replace(move, effects=tuple(twin for own in move.effects for twin in _twins(own)))
    return replace(move, tags=(*move.tags, power))


def _twins(effect: Effect) -> tuple[Effect, ...]:
    if effect.do == "stage":
        return (replace(effect, amount=Fraction(2) * (effect.amount or 1)),)
    return (effect, replace(effect, alias="duplicate")) if effect.do == "inflict" else (effect,)


def max_move(move: Move, catalogue: Catalogue) -> Move:
    """Return the Max Move of a move's type and category; Max Guard of one that is no attack.

    Raises:
        InputError: No data file has it.
    """
    if not move.is_attack:
        guard: Move = catalogue.find("moves", MAX_GUARD)
        return guard
    for own in catalogue.moves.values():
        if own.max_type == move.type:
            return replace(own, category=move.category)
    raise InputError(f"max {move.name}: no data file has a Max Move of type {move.type}")
