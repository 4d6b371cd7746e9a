"""What stays the same through a battle: the pucks, the players, the options, the special rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from physics import InputError
from sim.pokepucks.battle.options import BattleOptions
from sim.pokepucks.battle.pucks import Puck
from sim.pokepucks.battle.question import Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.design import DesignKind

RuleUse = tuple[Rule, Use]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A battle's set-up. Players are numbered from 0 in their turn order.

    Attributes:
        pucks: Every puck; its place here is its number.
        names: What each player is called, no name twice.
        options: Mode and rulings.
        rules: The special rules that work.
    """

    pucks: tuple[Puck, ...]
    names: tuple[str, ...]
    options: BattleOptions = field(default_factory=BattleOptions)
    rules: tuple[Rule, ...] = ()
    _by_point: Mapping[Point, Mapping[int, tuple[RuleUse, ...]]] = field(
        init=False, repr=False, compare=False
    )
    _by_name: Mapping[str, Rule] = field(init=False, repr=False, compare=False)
    _slammers: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the players, and sort the rules of every puck by point."""
        self.options.check_players(len(self.names))
        if len(set(self.names)) != len(self.names):
            raise InputError(f"names: {', '.join(self.names)!r} has one twice")
        for number, puck in enumerate(self.pucks):
            if puck.owner is not None and not 0 <= puck.owner < len(self.names):
                raise InputError(f"puck {number} ({puck.name}) owner: there is no such player")
        object.__setattr__(self, "_by_point", self._sorted())
        slammers = (n for n, puck in enumerate(self.pucks) if puck.design.kind.is_slammer)
        object.__setattr__(self, "_slammers", frozenset(slammers))
        object.__setattr__(self, "_by_name", {rule.name: rule for rule in self.rules})

    def _sorted(self) -> dict[Point, dict[int, tuple[RuleUse, ...]]]:
        by_point: dict[Point, dict[int, tuple[RuleUse, ...]]] = {point: {} for point in Point}
        works = [rule for rule in self.rules if not self.why_not_on(rule)]
        designs = {puck.design for puck in self.pucks}
        fitting = {design: [rule for rule in works if rule.fits(design)] for design in designs}
        for number, puck in enumerate(self.pucks):
            for rule in fitting[puck.design]:
                here = by_point[rule.point].get(number, ())
                by_point[rule.point][number] = (*here, (rule, Use(rule.name, number)))
        return by_point

    def why_not_on(self, rule: Rule) -> str:
        """Return why a special rule is switched off in this battle; empty if it works."""
        if rule.source in {Source.ABILITY, Source.SUPPORT} and not self.options.puckdex:
            return "special rules of slammers do not work in this battle (PP-26)"
        if rule.source in {Source.ITEM, Source.TRAINER} and not self.options.puckmart:
            return "special rules of Items and Trainers do not work in this battle (PP-26)"
        return ""

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.names)

    def uses_at(self, point: Point) -> Mapping[int, tuple[RuleUse, ...]]:
        """Return the rules that act at a point, and their uses, of the pucks that have any."""
        return self._by_point[point]

    def rule(self, name: str) -> Rule | None:
        """Return the rule of that name, or None."""
        return self._by_name.get(name)

    def is_slammer(self, puck: int) -> bool:
        """Return whether a puck is a slammer."""
        return puck in self._slammers

    def is_trainer(self, puck: int) -> bool:
        """Return whether a puck is a Trainer."""
        return self.pucks[puck].design.kind is DesignKind.TRAINER

    def is_ball(self, puck: int) -> bool:
        """Return whether a puck is a Pokéball slammer."""
        return self.pucks[puck].design.kind is DesignKind.BALL

    def tell(self, puck: int) -> str:
        """Return a puck's name and number, as transcripts have it."""
        return f"{self.pucks[puck].name} {puck}"
