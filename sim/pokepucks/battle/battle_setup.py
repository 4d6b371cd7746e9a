"""The set-up of a battle, which never changes: the pucks, the players and the options.

Pure data: a `BattleSetup` knows nothing of special rules, so a file or another process can hold it
whole. `BattleOptions` names every ruling that players may decide differently, and `with_length`
gives several of them at once: those of a short battle or of the full game.
"""

from collections.abc import Mapping
from dataclasses import field, fields
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import check_count, check_limits, limits, shown
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.pokepucks.designs import Design, DesignKind, RuleTable

MIN_PLAYERS, MAX_PLAYERS = 2, 8
MIN_BUY_IN, MAX_BUY_IN = 8, 20
_LEAST_BUY_IN = 11

UNDECIDED = ("random", "throw")
"""Ways to decide who begins, see `pucklab.sim.pokepucks.battle.live.decide_first`."""

_MAX_NAME = 40


@fact
class Puck:
    """A puck of a battle. States and answers identify it by its index in ``BattleSetup.pucks``.

    Attributes:
        design: Its design.
        owner: The player whose collection it comes from; None for a shared box, as in a training
            battle.
        home: The player to whose collection a puck of the box goes after the battle, as the players
            decided; None for the box. Without effect on a puck that has an owner.
    """

    design: Design
    owner: int | None
    home: int | None = None

    @property
    def returns_to(self) -> int | None:
        """The player to whose collection it goes back; None for the box."""
        return self.home if self.owner is None else self.owner

    @property
    def name(self) -> str:
        """The name of its design."""
        return self.design.name


Pucks = tuple[int, ...]
"""Pucks by their index in ``BattleSetup.pucks``, those of a stack from the floor up."""


class Mode(StrEnum):
    """The three kinds of battle."""

    BATTLE = "battle"
    TRAINING = "training"
    WILD = "wild"


@fact
class BattleOptions:
    """Decisions made before a battle; the defaults are the rulings.

    Attributes:
        mode: The kind of battle.
        buy_in: Pucks that each player moves to Health, 8 to 20: one number for all, or one for
            each; None for 16 minus the number of players, at least 11 (PP-1, PP-53).
        health_cap: Most pucks in Health after set-up, at least 1; the rest goes to Prize (PP-3).
        critical_ends: End of Critical (PP-6). ``paid``: at the player's next successful top-off in
            which a puck was moved or the Arena had its normal size; ``topped-off``: at the next
            successful top-off; ``never``.
        critical_clears: Critical removes the other statuses (PP-7).
        keeps: Players keep the pucks they pick up (PP-22); None for yes, except in a training
            battle.
        max_turns: Turns per player after which the battle is a draw, at least 1 (PP-23).
        slammers_picked_to: Destination of slammers picked up: ``power`` or ``prize`` (PP-29).
        puckdex: Special rules of slammers work (PP-26).
        puckmart: Special rules of Items and Trainers work (PP-26).
        balls_catch: ``always``, or ``wild`` for wild battles only (PP-34).
        health_face: ``up``: the owner picks the pucks that leave Health; ``down``: the top puck
            leaves (PP-37).
        full_heal_discards: Full Heal is discarded after use (PP-44).
        switch_from: Source of the new slammer for Switch: ``power`` or ``collection`` (PP-50).
        plain_shields: Plain pucks may be shields, too (PP-51).
        focus_any_type: Focus Energy gives its +2 to slammers of any type (PP-54).
        first_turn_ko: A player may attempt a knock-out before having had a turn (PP-56).
        first_picks: Most pucks that may be picked up in the first turn, 0 to 20: a house option
            that makes up for the advantage of beginning; None for any number.
        asks: Questions to a person: ``all`` with more than one sensible answer, or the ``worthy``
            ones of a first battle, see `pucklab.sim.pokepucks.battle.question_kinds`.
        first: Player who begins: a name, ``random``, ``throw`` (the one who flips most of a
            stack, PP-58), or empty for the first player.

    Example:
        >>> BattleOptions(max_turns=0)
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: max_turns: 0 is not accepted; ...
    """

    mode: Mode = Mode.BATTLE
    buy_in: int | tuple[int, ...] | None = None
    health_cap: int = limits(1, MAX_BUY_IN, default=10)
    critical_ends: Literal["paid", "topped-off", "never"] = "paid"
    critical_clears: bool = True
    keeps: bool | None = None
    max_turns: int = limits(1, 10_000, default=250)
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
    first: str = ""
    first_picks: int | None = limits(0, 20, default=None)
    asks: Literal["all", "worthy"] = "all"

    def __post_init__(self) -> None:
        """Check every value."""
        if not isinstance(self.mode, Mode):
            raise InputError(f"mode: {shown(self.mode)} is not accepted; give {', '.join(Mode)}")
        for number in self.buy_in if isinstance(self.buy_in, tuple) else (self.buy_in,):
            if number is not None:
                check_count("buy_in", number, MIN_BUY_IN, MAX_BUY_IN)
        check_limits(self)
        if (
            not isinstance(self.first, str)
            or not self.first.isprintable()
            or len(self.first) > _MAX_NAME
        ):
            accepted = f"{', '.join(UNDECIDED)} or the name of a player"
            raise InputError(f"first: {shown(self.first)} is not accepted; give {accepted}")
        for name, kind in get_type_hints(BattleOptions).items():
            if get_origin(kind) is Literal or bool in (kind, *get_args(kind)):
                decode(kind, getattr(self, name), name)

    @property
    def is_wild(self) -> bool:
        """Whether it is a wild battle."""
        return self.mode is Mode.WILD

    @property
    def keeps_pucks(self) -> bool:
        """Whether players keep the pucks they pick up (PP-22)."""
        return self.mode is not Mode.TRAINING if self.keeps is None else self.keeps

    @property
    def changed(self) -> dict[str, Any]:
        """The options that differ from the defaults, by name."""
        usual = BattleOptions()
        values = {own.name: getattr(self, own.name) for own in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(usual, name)}

    def check_players(self, players: int) -> None:
        """Check that a number of players can play with these options.

        Raises:
            InputError: There are too few or too many, or ``buy_in`` has another number of entries.
        """
        check_count("players", players, MIN_PLAYERS, MAX_PLAYERS)
        if isinstance(self.buy_in, tuple) and len(self.buy_in) != players:
            raise InputError(f"buy_in: {self.buy_in!r} is not accepted; give {players} numbers")

    def buy_in_of(self, player: int, players: int) -> int:
        """Return the number of pucks that a player moves to Health in set-up (PP-1, PP-53).

        Example:
            >>> [BattleOptions().buy_in_of(0, players) for players in range(2, 9)]
            [14, 13, 12, 11, 11, 11, 11]
        """
        if isinstance(self.buy_in, tuple):
            return self.buy_in[player]
        if self.buy_in is not None:
            return self.buy_in
        return max(16 - players, _LEAST_BUY_IN)


_LENGTHS: Mapping[str, Mapping[str, Any]] = {
    "first": {"buy_in": 10, "health_cap": 6, "first_picks": 1, "asks": "worthy"},
    "short": {"health_cap": 4, "puckdex": False, "puckmart": False, "first_picks": 1},
    "simple": {"mode": Mode.TRAINING, "buy_in": 8, "first_picks": 1},
    "full": {},
}

_SET_BY_LENGTH = ("buy_in", "health_cap", "puckdex", "puckmart", "first_picks", "asks")

LENGTHS: Mapping[str, Mapping[str, Any]] = {
    length: {**{name: getattr(BattleOptions(), name) for name in _SET_BY_LENGTH}, **own}
    for length, own in _LENGTHS.items()
}
"""Options by the length of a battle (house-made, but for ``full``).

A ``first`` battle has all rules, little Health, and asks a person only what matters. A ``short``
one has no special rules: there is nothing to decide but throws. A ``simple`` one is the training
battle with Sandbags and Pokéball slammers of the rulebook. The first turn of all three is no
advantage.
"""


def with_length(values: Mapping[str, object], where: str) -> dict[str, object]:
    """Return options by name, in which the options of a ``length`` replace it.

    Args:
        values: Options by name, as files have them; each overrides the ``length``.
        where: Place of the options in errors.

    Raises:
        InputError: There is no such length.

    Example:
        >>> options = with_length({"length": "short", "health_cap": 6}, "option")
        >>> options["health_cap"], options["puckmart"], options["first_picks"]
        (6, False, 1)
    """
    own = dict(values)
    if "length" in own:
        length = own.pop("length")
        check_one_of(f"{where} length", length, tuple(LENGTHS))
        return {**LENGTHS[str(length)], **own}
    return own


@fact
class BattleSetup:
    """The set-up of a battle. A player is an index from 0, in turn order around the table.

    Attributes:
        pucks: Every puck; its index here identifies it.
        names: The name of each player, all different.
        options: Mode and rulings.
        rules: Special rules from a file, beside those that come with pucklab.
        first: The player who begins; None while that is still to be decided by chance or throw.
    """

    pucks: tuple[Puck, ...]
    names: tuple[str, ...]
    options: BattleOptions = field(default_factory=BattleOptions)
    rules: tuple[RuleTable, ...] = ()
    first: int | None = None
    _slammers: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the players and the owners of the pucks."""
        self.options.check_players(len(self.names))
        if len(set(self.names)) != len(self.names):
            raise InputError(f"names: {', '.join(self.names)!r} has one twice")
        for index, puck in enumerate(self.pucks):
            for name, seat in (("owner", puck.owner), ("home", puck.home)):
                if seat is not None and not 0 <= seat < len(self.names):
                    raise InputError(f"puck {index} ({puck.name}) {name}: there is no such player")
        named = self.options.first
        if self.first is None and (not named or named in self.names):
            object.__setattr__(self, "first", self.names.index(named) if named else 0)
        elif self.first is None and named not in UNDECIDED:
            accepted = ", ".join((*UNDECIDED, *self.names))
            raise InputError(f"first: {shown(named)} is not accepted; give one of {accepted}")
        elif self.first is not None and not 0 <= self.first < len(self.names):
            raise InputError(f"first: there is no player {self.first}")
        slammers = (i for i, puck in enumerate(self.pucks) if puck.design.kind.is_slammer)
        object.__setattr__(self, "_slammers", frozenset(slammers))

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.names)

    @property
    def turn_order(self) -> tuple[int, ...]:
        """The players, the one who begins first.

        Raises:
            InputError: The beginner is not decided yet.
        """
        if self.first is None:
            raise InputError(f"first: {self.options.first!r} is not decided yet")
        return (*range(self.first, self.players), *range(self.first))

    def is_slammer(self, puck: int) -> bool:
        """Return whether a puck is a slammer."""
        return puck in self._slammers

    def is_trainer(self, puck: int) -> bool:
        """Return whether a puck is a Trainer."""
        return self.pucks[puck].design.kind is DesignKind.TRAINER

    def label(self, puck: int) -> str:
        """Return a puck's name and index, such as ``Potion 17``."""
        return f"{self.pucks[puck].name} {puck}"
