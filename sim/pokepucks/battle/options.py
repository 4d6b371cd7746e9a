"""Options of a battle: the mode, and the rulings that players may decide otherwise."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

from physics import InputError
from physics.checks import check_count, shown

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
        physics.checks.InputError: max_turns: 0 is not accepted; give a whole number from 1 to 10000
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
