"""What stays the same through a battle: the pucks, the players, the options, the special rules.

Pucks: designs that somebody owns.

Options of a battle: the mode, and the rulings that players may decide otherwise.

Special rules: named points of the turn, and what acts at them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from physics import InputError
from physics.errors import check_count, shown
from sim.pokepucks.battle.questions import Use
from sim.pokepucks.designs import Design, DesignKind

if TYPE_CHECKING:
    from sim.pokepucks.battle.ledger import Ledger
    from sim.pokepucks.battle.questions import Script
    from sim.pokepucks.battle.state import BattleState


@dataclass(frozen=True, slots=True, kw_only=True)
class Puck:
    """A puck of a battle. In a state, a puck is its number: its place among the table's pucks.

    Attributes:
        design: What is printed on it, and what it is made of.
        owner: The player whose collection it came from; None for a shared box, as in a training
            battle.
    """

    design: Design
    owner: int | None

    @property
    def name(self) -> str:
        """What it is called."""
        return self.design.name


MIN_PLAYERS, MAX_PLAYERS = 2, 8
MIN_BUY_IN, MAX_BUY_IN = 8, 20
_LEAST_BUY_IN = 11


class Mode(StrEnum):
    """The three kinds of battle."""

    BATTLE = "battle"
    TRAINING = "training"
    WILD = "wild"


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOptions:
    """What may be decided before a battle; the defaults are the rulings.

    Attributes:
        mode: The kind of battle.
        buy_in: Pucks that players move to Health, 8 to 20: one number for all or one each; None
            for 16 less one for each player, at least 11 (PP-1, PP-53).
        health_cap: Pucks in Health above which the rest goes to Prize, at least 1 (PP-3).
        critical_ends: When Critical ends (PP-6). ``paid``: at a top-off of its player that does
            not fail, if a puck was moved or the Arena was at its normal size; ``topped-off``: at
            any that does not fail; ``never``.
        critical_clears: Critical takes away the other statuses (PP-7).
        keeps: Who picks a puck up keeps it (PP-22); None for yes, but not in a training battle.
        max_turns: Turns of each player after which the battle is a draw, at least 1 (PP-23).
        slammers_picked_to: Where picked-up slammers go (PP-29): ``power`` or ``prize``.
        puckdex: Special rules of slammers work (PP-26).
        puckmart: Special rules of Items and Trainers work (PP-26).
        balls_catch: ``always``, or ``wild``: only in a wild battle (PP-34).
        health_face: ``up``: a Health stack's owner picks what leaves it; ``down``: its top puck
            leaves (PP-37).
        full_heal_discards: Full Heal is discarded when it was used (PP-44).
        switch_from: Where Switch takes the new slammer from (PP-50): ``power`` or ``collection``.
        plain_shields: Any puck may be a shield; otherwise Items, Trainers and slammers (PP-51).
        focus_any_type: Focus Energy gives its +2 whatever the type (PP-54).
        first_turn_ko: A knock-out may be attempted before its thrower ever had a turn (PP-56).

    Example:
        >>> BattleOptions(max_turns=0)
        Traceback (most recent call last):
            ...
        physics.errors.InputError: max_turns: 0 is not accepted; give a whole number from 1 to 10000
    """

    mode: Mode = Mode.BATTLE
    buy_in: int | tuple[int, ...] | None = None
    health_cap: int = 10
    critical_ends: Literal["paid", "topped-off", "never"] = "paid"
    critical_clears: bool = True
    keeps: bool | None = None
    max_turns: int = 250
    slammers_picked_to: Literal["power", "prize"] = "power"
    puckdex: bool = True
    puckmart: bool = True
    balls_catch: Literal["always", "wild"] = "always"
    health_face: Literal["up", "down"] = "up"
    full_heal_discards: bool = False
    switch_from: Literal["power", "collection"] = "power"
    plain_shields: bool = True
    focus_any_type: bool = False
    first_turn_ko: bool = True

    def __post_init__(self) -> None:
        """Check every value."""
        if not isinstance(self.mode, Mode):
            raise InputError(f"mode: {shown(self.mode)} is not accepted; give {', '.join(Mode)}")
        for number in _numbers(self.buy_in):
            check_count("buy_in", number, low=MIN_BUY_IN, high=MAX_BUY_IN)
        check_count("health_cap", self.health_cap, low=1, high=MAX_BUY_IN)
        check_count("max_turns", self.max_turns, low=1, high=10_000)
        for name, kind in _hints().items():
            _check_one_of(name, kind, getattr(self, name))

    @property
    def is_wild(self) -> bool:
        """Whether it is a wild battle."""
        return self.mode is Mode.WILD

    @property
    def keeps_pucks(self) -> bool:
        """Whether who picks a puck up keeps it (PP-22)."""
        return self.mode is not Mode.TRAINING if self.keeps is None else self.keeps

    def check_players(self, players: int) -> None:
        """Check that so many players can play by these options.

        Raises:
            InputError: They are too few or too many, or the buy-in is of more or fewer.
        """
        check_count("players", players, low=MIN_PLAYERS, high=MAX_PLAYERS)
        if isinstance(self.buy_in, tuple) and len(self.buy_in) != players:
            raise InputError(f"buy_in: {self.buy_in!r} is not accepted; give {players} numbers")

    def buy_in_of(self, player: int, players: int) -> int:
        """Return how many pucks a player moves to Health in set-up (PP-1, PP-53).

        Example:
            >>> [BattleOptions().buy_in_of(0, players) for players in range(2, 9)]
            [14, 13, 12, 11, 11, 11, 11]
        """
        if isinstance(self.buy_in, tuple):
            return self.buy_in[player]
        if self.buy_in is not None:
            return self.buy_in
        return max(16 - players, _LEAST_BUY_IN)


def _numbers(buy_in: object) -> tuple[object, ...]:
    if isinstance(buy_in, tuple):
        return buy_in
    return () if buy_in is None else (buy_in,)


def _hints() -> dict[str, Any]:
    return get_type_hints(BattleOptions)


def _check_one_of(name: str, kind: Any, value: object) -> None:
    """Check a field that is one of some words, or a flag."""
    if get_origin(kind) is Literal and value not in get_args(kind):
        words = ", ".join(get_args(kind))
        raise InputError(f"{name}: {shown(value)} is not accepted; give one of {words}")
    if kind is bool and not isinstance(value, bool):
        raise InputError(f"{name}: {shown(value)} is not accepted; give true or false")
    if kind == (bool | None) and value is not None and not isinstance(value, bool):
        raise InputError(f"{name}: {shown(value)} is not accepted; give true, false or nothing")


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
