"""Special rules as values, the book of those in play, and the ledger that their effects write into.

A `Rule` is the table of its file with functions: ``why_not`` reads the state, ``effect`` enters
events into a `Ledger`, as a script if it asks for something, and two advise players.
`pucklab.sim.pokepucks.special` makes them of the verbs of the table. A `RuleBook` finds rules by
name, design and point; the ledger of a battle carries the book along with the state.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from pucklab.base.facts import fact
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup
from pucklab.sim.pokepucks.battle.events import Event
from pucklab.sim.pokepucks.battle.questions import Question, Reply, Script, Use
from pucklab.sim.pokepucks.battle.state import BattleState
from pucklab.sim.pokepucks.designs import Design, DesignKind, RuleTable


class Point(StrEnum):
    """The points of a turn at which special rules act, in order, as seen by the rule's owner."""

    __hash__ = str.__hash__  # faster than the hash of an enumeration

    BEFORE_TOP_OFF = "before topping off"
    AFTER_TOP_OFF = "after topping off"
    """Also when the top-off failed (PP-46)."""
    BEFORE_COUNTING = "before counting attacks"
    """After the knock-out attempt (PP-44)."""
    MATCHING = "matching types"
    """The count is 1; ``state.turn.matchup`` holds the types to be compared."""
    COUNTING = "counting attacks"
    """Before weakness and resistance: +1 of Energy, of a pending Dig; Silph Scope (PP-13)."""
    COUNTED = "attacks are counted"
    """After weakness and resistance, still counting: Dig's own 1."""
    AFTER_COUNTING = "after counting attacks"
    """Focus Energy, Power Stone, Hyper Beam; Paralyzed follows."""
    SETTING_COUNT = "setting the attacks to one"
    """Last: MissingNo., Hyper Beam's recoil; Sleep follows (PP-13)."""
    BEFORE_ATTACK = "before an attack"
    """``state.attack`` exists, but nothing is thrown yet."""
    SLAMMER_FLIPPED = "a slammer was flipped"
    """By the owner's throw, in an attack or a knock-out attempt; ``Attack.flipped`` holds it. This
    is the only point in a knock-out attempt."""
    PREVIOUS_THREW = "after the previous player's throw"
    """The throw of ``state.attack`` hit; nothing is picked up yet. Only after throws that the
    current player makes in the own turn, and only for the next player's rules."""
    COUNTING_PICK_UPS = "counting what is picked up"
    """Of the owner's attack; a rule may lower ``Attack.most`` (`AttackLimited`)."""
    PICKED_UP = "after picking up"
    """``Attack.picked`` holds the pucks just picked up, now in Power or Prize. The rules of those
    pucks act here, in whichever stack they are."""
    AFTER_ATTACK = "after an attack"
    """The Arena is restacked; ``state.attack`` still holds the attack."""
    AFTER_ATTACKS = "after all attacks"
    """No attack is left. If a rule grants one, this point comes again after that attack."""
    ATTACKS_OVER = "when attacks are over"
    """No attack is left and none was granted; none may be granted here."""
    PREVIOUS_DONE = "after the previous player's last attack"
    """For the next player's rules, before the current player discards (PP-47)."""
    TURN_OVER = "at the end of a turn"
    """The owner's own turn, after discards."""


class Source(StrEnum):
    """The kinds of special rules by what carries them, which decides in which stack they act."""

    ABILITY = "ability"
    """Of a slammer, which must be the owner's slammer."""
    SUPPORT = "support"
    """Of a slammer, which may also be in Power (PP-46)."""
    ITEM = "item"
    """Of an Item, which must be in Power; the same Item acts once a turn (PP-43)."""
    TRAINER = "trainer"
    """Of a Trainer, which must be the only Trainer in Power."""
    STATUS = "status"
    """Of a status from a file, in ``state.statuses`` under the listing of the rule."""
    EFFECT = "effect"
    """Pending on a player, in ``state.effects`` under the listing of the rule."""


CARRIERS: Mapping[str, DesignKind] = {
    Source.ABILITY: DesignKind.POKEMON,
    Source.SUPPORT: DesignKind.POKEMON,
    Source.ITEM: DesignKind.ITEM,
    Source.TRAINER: DesignKind.TRAINER,
}
"""The kind of the pucks that carry rules; statuses and effects are carried by none."""


class View(NamedTuple):
    """A battle from the view of one player, to judge by."""

    state: BattleState
    rules: "RuleBook"
    player: int

    @property
    def rival(self) -> "View":
        """The view of the next player."""
        return self._replace(player=self.state.next_player(self.player))


WhyNot = Callable[[BattleState, int, Use], str]
Effect = Callable[["Ledger", int, Use], Script[bool | None] | None]
Wanted = Callable[[View], bool]
Choice = Callable[[View, Question], Reply]


def always(*_: object) -> str:
    """Return no reason against a rule: it can always act."""
    return ""


@fact
class Rule(RuleTable):
    """A special rule at one point of the turn, ready to act.

    A puck has the rules whose ``listing`` equals the ``rule`` of its design, and those whose
    ``pucks`` contain its kind. Several rules may share a listing.

    Attributes:
        effect: Changes the state; takes the ledger, the owner and the use. It is a script if it
            asks for something.
        why_not: Returns why the rule cannot act now, empty if it can; takes the state, the owner
            and the use. Point, stack and earlier uses in the turn are checked elsewhere.
        is_wanted: Returns whether the rule is worth using now, for players that do not know it.
        choice: Replies for them to a question that the rule asks; None for the most valuable pucks.
        heals: Most pucks that it moves from Prize to Health before a top-off.
        carrier: The kind of the pucks that carry it; None for a status or effect.
    """

    effect: Effect
    why_not: WhyNot = always
    is_wanted: Wanted = lambda _: True
    choice: Choice | None = None
    heals: int = 0
    carrier: DesignKind | None = field(init=False)

    def __post_init__(self) -> None:
        """Look up the carrier; the rules of a status or effect act whenever they can."""
        RuleTable.__post_init__(self)
        object.__setattr__(self, "carrier", CARRIERS.get(self.kind))
        object.__setattr__(self, "optional", self.optional and self.carrier is not None)

    @property
    def often(self) -> bool:
        """Whether it may act more than once a turn with the same puck."""
        return self.acts != "once a turn"

    def fits(self, design: Design) -> bool:
        """Return whether pucks of a design have this rule."""
        if self.pucks:
            return design.kind in self.pucks
        return self.carrier is not None and design.rule == self.listing


NO_RULE = Rule(name="", kind=Source.ITEM, when=Point.TURN_OVER, does=(), effect=lambda *_: None)
"""Stands for the rule of a puck that has none."""


def why_switched_off(options: BattleOptions, rule: Rule) -> str:
    """Return why a special rule does not work with some options; empty if it does."""
    if rule.carrier is DesignKind.POKEMON and not options.puckdex:
        return "special rules of slammers do not work in this battle (PP-26)"
    if rule.carrier in {DesignKind.ITEM, DesignKind.TRAINER} and not options.puckmart:
        return "special rules of Items and Trainers do not work in this battle (PP-26)"
    return ""


RuleUse = tuple[Rule, Use]
Uses = Mapping[str, Mapping[int, tuple[RuleUse, ...]]]
"""The rules that act at each point, with their uses, by the puck that has them."""


class RuleBook:
    """The special rules in play.

    Args:
        rules: The rules; their order is the order in which they act.

    Attributes:
        rules: The rules.

    Example:
        >>> from pucklab.sim.pokepucks.special import shipped_rules
        >>> book = shipped_rules()
        >>> book.rule("Potion").when, book.rule("Poison")
        ('before topping off', None)
    """

    __slots__ = ("_by_listing", "_by_name", "_carried", "_last", "rules")

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.rules = tuple(rules)
        self._by_name = {rule.name: rule for rule in self.rules}
        self._by_listing: dict[str, Rule] = {}
        self._carried: dict[str, tuple[Rule, ...]] = {}
        for rule in self.rules:
            self._by_listing.setdefault(rule.listing, rule)
            if rule.carrier is None:
                self._carried[rule.listing] = (*self._carried.get(rule.listing, ()), rule)
        self._last: tuple[BattleSetup, Uses] | None = None

    def rule(self, name: str) -> Rule | None:
        """Return the rule of that name, or None."""
        return self._by_name.get(name)

    def carried_by(self, name: str) -> tuple[Rule, ...]:
        """Return the rules of a pending effect, or of a status from a file."""
        return self._carried.get(name, ())

    def main_rule(self, design: Design) -> Rule:
        """Return the first rule under which a design is listed, or `NO_RULE`."""
        return self._by_listing.get(design.rule, NO_RULE)

    def uses_of(self, table: BattleSetup) -> Uses:
        """Return the rules that work on a table, by point and by puck."""
        # Battle after battle is played on the same table, so the last answer is kept.
        if self._last is not None and self._last[0] is table:
            return self._last[1]
        uses: dict[str, dict[int, tuple[RuleUse, ...]]] = {point: {} for point in Point}
        working = [rule for rule in self.rules if not why_switched_off(table.options, rule)]
        designs = {puck.design for puck in table.pucks}
        fitting = {design: [rule for rule in working if rule.fits(design)] for design in designs}
        for number, puck in enumerate(table.pucks):
            for rule in fitting[puck.design]:
                here = uses[rule.when].get(number, ())
                uses[rule.when][number] = (*here, (rule, Use(rule.name, number)))
        self._last = table, uses
        return uses


@dataclass(slots=True)
class Ledger:
    """The battle under way, which scripts read and enter events into; only this changes in place.

    Attributes:
        state: The state now.
        rules: The special rules in play.
        events: Every event since the list was last cleared.
        uses: The rules that work on the battle's table, by point and by puck.
    """

    state: BattleState
    rules: RuleBook = field(default_factory=RuleBook)
    events: list[Event] = field(default_factory=list)
    uses: Uses = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Look up the rules of the pucks."""
        self.uses = self.rules.uses_of(self.state.table)

    def enter(self, event: Event) -> None:
        """Apply an event and record it.

        Raises:
            InputError: The event does not fit the state; nothing changes.
        """
        self.state = event.apply_to(self.state)
        self.events.append(event)
