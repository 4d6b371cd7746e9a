"""When a greedy player uses a special rule that it may use; those not named here, always."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sim.pokepucks.battle.places import ARENA
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.battle.worth import advantage, attacks_ahead, worth

Wants = Callable[[BattleState, int], bool]

_MANY = 2
"""Attacks of the next player's from which a status is worth more than pucks."""

_LOW = 3
"""Pucks in Health at which a player begins to save them."""


def _next_has_many(state: BattleState, player: int) -> bool:
    """Give up pucks for a status only where it takes attacks away."""
    following = state.next_player(player)
    if state.statuses[following]:
        return False
    return attacks_ahead(state, following) >= _MANY


def _next_is_low(state: BattleState, player: int) -> bool:
    """Poison costs a puck of Health a turn: it is worth most where few are left."""
    following = state.next_player(player)
    return not state.statuses[following] and 0 < len(state.health(following)) <= 1


def _only_one(state: BattleState, player: int) -> bool:
    del player
    return state.turn.attacks == 1


def _cannot_pay(state: BattleState, player: int) -> bool:
    """Fill the Arena from Prize where Health will not do it."""
    return len(state.health(player)) <= _LOW


def _needs_rest(state: BattleState, player: int) -> bool:
    return len(state.health(player)) <= _LOW and len(state.prize(player)) > _LOW


def _has_prize(state: BattleState, player: int) -> bool:
    return bool(state.prize(player))


def _better_slammer(state: BattleState, player: int) -> bool:
    mine, other = state.slammer(player), state.slammer(state.next_player(player))
    if mine is None or other is None:
        return False
    facing = state.design(other)
    now = advantage(state.design(mine), facing)
    team = (state.design(puck) for puck in state.power(player) if state.table.is_slammer(puck))
    return any(advantage(design, facing) > now for design in team)


def _worth_more(state: BattleState, player: int) -> bool:
    """Exchange a flipped puck if it is worth more than the worst of Health."""
    assert state.attack is not None
    flipped = [worth(state, player, puck) for puck in state.attack.flipped]
    own = [worth(state, player, puck) for puck in state.health(player)]
    return max(flipped, default=0) > min(own, default=0)


def _would_fail(state: BattleState, player: int) -> bool:
    size = state.max_size(ARENA) or 0
    return len(state.arena) + len(state.health(player)) < size


def _ails(state: BattleState, player: int) -> bool:
    return any(s is not Status.CONFUSED for s in state.statuses[player])


def _never(state: BattleState, player: int) -> bool:
    """One attack more in every turn is better than two once."""
    del state, player
    return False


WANTS: Mapping[str, Wants] = MappingProxyType(
    {
        "Thunder Wave": _next_has_many,
        "Sing": _next_has_many,
        "Poison Cloud": _next_is_low,
        "Dig": _only_one,
        "Surf": _cannot_pay,
        "Rest": _needs_rest,
        "Leech Seed": _has_prize,
        "Switch": _better_slammer,
        "Mr. Saia": _worth_more,
        "Focus Sash": _would_fail,
        "Full Heal": _ails,
        "Focus Energy for two": _never,
    }
)
