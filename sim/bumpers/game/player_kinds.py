"""The kinds of players that decide by themselves, by name."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from physics.decoding import check_one_of
from sim.bots import BumpersBot
from sim.bumpers.game.planner import PlannerPlayer, SolverLinePlayer
from sim.bumpers.game.players import GreedyPlayer, Player, RandomPlayer

PERSON = "person"

PLAYERS: Mapping[str, Callable[[], Player]] = MappingProxyType(
    {
        "random": RandomPlayer,
        "greedy": GreedyPlayer,
        "solver-line": SolverLinePlayer,
        "planner-quick": partial(PlannerPlayer, 2_000),
        "planner": partial(PlannerPlayer, 20_000),
        "planner-deep": partial(PlannerPlayer, 20_000, 6),
    }
)
"""The kinds by name; besides, ``planner-1s`` plans for a second, and ``exec`` starts a program."""

_TIMED = re.compile(r"planner-([0-9]{1,3}(?:\.[0-9]{1,3})?)s")
_LEAST_S, _MOST_S = 0.1, 60.0
_ALL_REPLIES = 100


def player_of(kind: str, kinds: Mapping[str, Callable[[], Player]] = PLAYERS) -> Player:
    """Return a new player of a kind, or of a time a turn such as ``planner-1s``.

    Raises:
        InputError: There is no such kind.

    Example:
        >>> player_of("clever")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        physics.errors.InputError: players: 'clever' is not accepted; give one of random, ...
    """
    if kind.startswith("exec"):
        return BumpersBot(kind)
    timed = _TIMED.fullmatch(kind)
    if timed and _LEAST_S <= float(timed[1]) <= _MOST_S:
        return PlannerPlayer(20_000, _ALL_REPLIES, seconds=float(timed[1]))
    if kind not in kinds:
        timed_kind = f"planner-1s for a planner with a second a turn ({_LEAST_S:g} to {_MOST_S:g})"
        check_one_of("players", kind, [*kinds, timed_kind])
    return kinds[kind]()
