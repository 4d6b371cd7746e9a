"""When a greedy player uses a special rule that it may use; those not named here, always."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sim.pokepucks.battle.condition import why_not_gain
from sim.pokepucks.battle.places import ARENA
from sim.pokepucks.battle.state import ASLEEP, BattleState
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.battle.worth import attacks_ahead, slammer_merit, worth

Wants = Callable[[BattleState, int], bool]

_MANY = 2
"""With more attacks of the next player's, taking some away is worth more than pucks."""

_WORTH_A_REST = 3
"""Pucks in Prize from which healing them is worth falling asleep."""


def _can_strike(state: BattleState, player: int, status: Status, *cures: str) -> bool:
    """Return whether the next slammer would gain a status, and its player has no cure."""
    following = state.next_player(player)
    power = {state.design(puck).rule for puck in state.power(following)}
    return not why_not_gain(state, following, status) and not power & {"Full Heal", *cures}


def _for_nothing(status: Status, *cures: str) -> Wants:
    """Return when to give a status: where nothing is picked up anyway, in Sleep (PP-14)."""

    def wants(state: BattleState, player: int) -> bool:
        return ASLEEP in state.turn.flags and _can_strike(state, player, status, *cures)

    return wants


def _sing(state: BattleState, player: int) -> bool:
    """Give up pucks where the next player loses several attacks and what they flip."""
    if not _can_strike(state, player, Status.SLEEP, "Poké Flute"):
        return False
    many = attacks_ahead(state, state.next_player(player)) > _MANY
    return many or ASLEEP in state.turn.flags


def _only_one(state: BattleState, player: int) -> bool:
    del player
    return state.turn.attacks == 1


def _pay_day(state: BattleState, player: int) -> bool:
    """Lay a puck in the Arena only where it spares the next player none."""
    missing = (state.max_size(ARENA) or 0) - len(state.arena)
    return missing <= 0 or missing > len(state.health(state.next_player(player))) + 1


def _needs_rest(state: BattleState, player: int) -> bool:
    return _would_fail(state, player) and len(state.prize(player)) >= _WORTH_A_REST


def _has_prize(state: BattleState, player: int) -> bool:
    return bool(state.prize(player))


def _better_slammer(state: BattleState, player: int) -> bool:
    mine = state.slammer(player)
    assert mine is not None
    now = slammer_merit(state, player, mine)
    team = filter(state.table.is_slammer, _to_switch_to(state, player))
    return any(slammer_merit(state, player, puck) > now for puck in team)


def _to_switch_to(state: BattleState, player: int) -> tuple[int, ...]:
    from_power = state.table.options.switch_from == "power"
    return state.power(player) if from_power else state.collection(player)


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
    """Leave a rule alone: Surf spares the others, and Focus Energy is worth more when kept."""
    del state, player
    return False


WANTS: Mapping[str, Wants] = MappingProxyType(
    {
        "Thunder Wave": _for_nothing(Status.PARALYZED, "Silph Scope"),
        "Sing": _sing,
        "Poison Cloud": _for_nothing(Status.POISONED),
        "Dig": _only_one,
        "Surf": _never,
        "Rest": _needs_rest,
        "Leech Seed": _has_prize,
        "Pay Day": _pay_day,
        "Switch": _better_slammer,
        "Mr. Saia": _worth_more,
        "Focus Sash": _would_fail,
        "Full Heal": _ails,
        "Focus Energy for two": _never,
    }
)
