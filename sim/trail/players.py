"""Policies: how a player of the drinking trail decides.

A policy is asked in the middle of a turn, sees the whole game, and must not change it.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from physics import InputError
from sim.chance import Number
from sim.trail.board import BALLS, Action, Effect, GymSquare, Item, Square, Who
from sim.trail.gym import Gym, cheapest_plan, flash_plan

if TYPE_CHECKING:
    from sim.trail.play import Game

_WORTH_A_POTION = 2
"""Units from which the careful policy uses a Potion: those of a lost trainer battle."""


class Policy(Protocol):
    """Answers to what a player may be asked; ``seat`` is the player's own."""

    def attack_dice(self, game: "Game", seat: int, gym: GymSquare, hp: int) -> int:
        """Return how many dice attack in this round, 0 to all; the others defend."""

    def ball(self, game: "Game", seat: int, square: Square) -> Item | None:
        """Return a ball to throw at the square's Pokemon, of those held, or None."""

    def repel(self, game: "Game", seat: int, square: Square) -> bool:
        """Return whether to use a Repel on the square's Pokemon."""

    def potion(self, game: "Game", seat: int, units: int) -> bool:
        """Return whether to use a Potion instead of drinking these units."""

    def caught(self, game: "Game", seat: int) -> int | None:
        """Return the square of the caught Pokemon whose move to use now, or None."""

    def target(self, game: "Game", seat: int, effect: Effect, others: tuple[int, ...]) -> int:
        """Return which of the others an effect is for."""


class Careful:
    """Best chance of a Flash at gyms; items against units."""

    faint_cost: Number | None = None
    least_units = _WORTH_A_POTION

    def attack_dice(self, game: "Game", seat: int, gym: GymSquare, hp: int) -> int:
        """Return the best division for a Flash or, with a cost of a faint, for turns."""
        del game, seat
        return _attack_dice(gym.gym, self.faint_cost)[hp]

    def ball(self, game: "Game", seat: int, square: Square) -> Item | None:
        """Throw the plainest ball at a Pokemon that does harm, or whose move can be used later."""
        held = game.seats[seat].items
        useful = bool(square.move) and len(game.active()) > 1
        if not (useful or self._harm(square)):
            return None
        return next((ball for ball in BALLS if held.get(ball)), None)

    def repel(self, game: "Game", seat: int, square: Square) -> bool:
        """Avoid harm, unless a ball is there for it."""
        return self._harm(square) and self.ball(game, seat, square) is None

    def potion(self, game: "Game", seat: int, units: int) -> bool:
        """Keep it for what is worth it."""
        del game, seat
        return units >= self.least_units

    def caught(self, game: "Game", seat: int) -> int | None:
        """Use the first at once, as soon as there is somebody to use it on."""
        mine = game.seats[seat].caught
        return mine[0] if mine and len(game.active()) > 1 else None

    def target(self, game: "Game", seat: int, effect: Effect, others: tuple[int, ...]) -> int:
        """Choose the player who is furthest ahead."""
        del seat, effect
        return max(others, key=lambda other: game.seats[other].position)

    def _harm(self, square: Square) -> bool:
        return any(
            effect.who in {Who.SELF, Who.ALL}
            and (effect.action in {Action.DRINK, Action.SKIP} or effect.amount < 0)
            for effect in square.effects
        )


class Quick(Careful):
    """Fewest turns at gyms; items against lost turns, a Potion at the first drink."""

    faint_cost = 0
    least_units = 1

    def _harm(self, square: Square) -> bool:
        return any(
            effect.who in {Who.SELF, Who.ALL}
            and (effect.action is Action.SKIP or effect.amount < 0)
            for effect in square.effects
        )


POLICIES: dict[str, type[Policy]] = {"careful": Careful, "quick": Quick}


def policy_of(kind: str, known: "Mapping[str, type[Policy]]" = POLICIES) -> Policy:
    """Return the policy of a name.

    Raises:
        InputError: There is none.

    Example:
        >>> isinstance(policy_of("quick"), Quick)
        True
    """
    if kind not in known:
        raise InputError(f"policy: {kind!r} is not accepted; give one of {', '.join(known)}")
    return known[kind]()


@lru_cache(maxsize=256)
def _attack_dice(gym: Gym, faint_cost: Number | None) -> Mapping[int, int]:
    best = flash_plan(gym) if faint_cost is None else cheapest_plan(gym, faint_cost)
    return best.attack_dice
