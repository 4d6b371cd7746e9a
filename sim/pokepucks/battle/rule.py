"""Special rules: named points of the turn, and what acts at them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sim.pokepucks.battle.question import Use
from sim.pokepucks.design import Design, DesignKind

if TYPE_CHECKING:
    from sim.pokepucks.battle.ledger import Ledger
    from sim.pokepucks.battle.script import Script
    from sim.pokepucks.battle.state import BattleState


class Point(StrEnum):
    """Where special rules act, in the order of a turn, seen from the owner of the rule."""

    __hash__ = str.__hash__  # quicker than that of enumerations

    BEFORE_TOP_OFF = "before topping off"
    AFTER_TOP_OFF = "after topping off"
    """Also when the top-off failed (PP-46)."""
    BEFORE_COUNTING = "before counting attacks"
    """After the knock-out attempt (PP-44)."""
    MATCHING = "matching types"
    """The count is 1; ``state.turn.matchup`` holds the types that will be compared."""
    COUNTING = "counting attacks"
    """Before weakness and resistance: +1 of Energy, of a pending Dig; Silph Scope (PP-13)."""
    COUNTED = "attacks are counted"
    """After weakness and resistance, still counting: Dig's own 1."""
    AFTER_COUNTING = "after counting attacks"
    """Focus Energy, Power Stone, Hyper Beam; Paralyzed follows."""
    SETTING_COUNT = "setting the attacks to one"
    """Last: MissingNo., Hyper Beam's recoil; Sleep follows (PP-13)."""
    BEFORE_ATTACK = "before an attack"
    """``state.attack`` is there, nothing thrown yet."""
    SLAMMER_FLIPPED = "a slammer was flipped"
    """By the owner's throw, in an attack or a knock-out attempt. `Attack.flipped` has it. In a
    knock-out attempt this is the only point."""
    PREVIOUS_THREW = "after the previous player's throw"
    """The previous player's throw of ``state.attack`` hit; nothing is picked up yet. Only for
    throws of the current player's own turn."""
    COUNTING_PICK_UPS = "counting what is picked up"
    """Of the owner's attack; change ``Attack.most`` (`AttackLimited`)."""
    PICKED_UP = "after picking up"
    """``Attack.picked`` has what was just picked up, and is in Power or Prize now. Here, rules of
    those pucks act, wherever they lie."""
    AFTER_ATTACK = "after an attack"
    """The Arena is restacked; ``state.attack`` still tells of the attack."""
    AFTER_ATTACKS = "after all attacks"
    """No attack is left. If a rule grants one, this point comes again after it."""
    ATTACKS_OVER = "when attacks are over"
    """No attack is left and none was granted any more; no attack may be granted here."""
    PREVIOUS_DONE = "after the previous player's last attack"
    """Of the next player, before the current player discards (PP-47)."""
    TURN_OVER = "at the end of a turn"
    """Of the owner's own turn, after discards."""


class Source(StrEnum):
    """What has a special rule, which says where it must lie to act."""

    ABILITY = "ability"
    """A slammer's: it must be the owner's slammer."""
    SUPPORT = "support ability"
    """A slammer's that also acts from Power (PP-46)."""
    ITEM = "Item"
    """An Item's: it must be in Power; the same Item once a turn (PP-43)."""
    TRAINER = "Trainer"
    """A Trainer's: it must be the only Trainer in Power."""
    EFFECT = "effect"
    """Of no puck: pending on a player, in ``state.effects`` under the rule's name."""


WhyNot = Callable[["BattleState", int, Use], str]
Effect = Callable[["Ledger", int, Use], "Script[None]"]


def always(state: "BattleState", player: int, use: Use) -> str:
    """Return no reason: nothing bars the rule."""
    del state, player, use
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A special rule at a point of the turn.

    A puck's rules are those whose ``listing`` is its design's ``rule``, and those whose ``kinds``
    have its kind. One listing may have several, with names of their own.

    Attributes:
        name: Its name, unlike all others.
        source: What has it.
        point: Where it acts.
        listing: Its name in the PuckDex or the PuckMart; the rule's own name if not given.
        kinds: Kinds of pucks that all have it.
        optional: Its owner decides whether it acts. If not, it acts whenever it can.
        limited: A use is one of a turn's uses of the same Item (Battle Rules 5, PP-43).
        often: It may act more than once in a turn with the same puck.
        why_not: Takes the state, the owner and the use; returns why it cannot act now, empty if it
            can. Point, place of the puck and uses of the turn are looked at elsewhere.
        effect: Takes the ledger, the owner and the use: a script that changes the state.
    """

    name: str
    source: Source
    point: Point
    effect: Effect
    why_not: WhyNot = always
    listing: str = ""
    kinds: frozenset[DesignKind] = frozenset()
    optional: bool = True
    limited: bool = True
    often: bool = False

    def fits(self, design: Design) -> bool:
        """Return whether pucks of a design have this rule."""
        if self.source is Source.EFFECT:
            return False
        if self.kinds:
            return design.kind in self.kinds
        return design.rule == (self.listing or self.name)
