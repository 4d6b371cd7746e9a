"""What greedy players think of pucks, attacks and slammers: rough numbers, the more the better."""

from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.design import Design, DesignKind

USELESS = 1
"""What a puck is worth that does nothing for its player, and might for others."""

_MATCHING = {"Energy", "Focus Energy", "Power Stone"}
_HEALING = {"Potion", "Full Heal", "Focus Sash", "Berry"}


def worth(state: BattleState, player: int, puck: int) -> int:
    """Return what a puck is worth to a player, from 0."""
    if state.table.is_slammer(puck):
        return 2
    design = state.design(puck)
    if design.kind is DesignKind.TRAINER:
        return 4
    if design.rule in _MATCHING:
        return 5 if _fits(state, player, design) else USELESS
    if design.rule in _HEALING:
        return 3
    return 2 if design.kind is DesignKind.ITEM and design.rule != "Sandbag" else 0


def _fits(state: BattleState, player: int, item: Design) -> bool:
    """Return whether an Item of some type gives a player's slammer an attack more."""
    mine = state.slammer(player)
    if mine is None:
        return False
    slammer = state.design(mine)
    return slammer.type is item.type or (
        item.rule == "Energy" and slammer.rule == "Genetically Unstable"
    )


def by_worth(state: BattleState, player: int, pucks: tuple[int, ...]) -> list[int]:
    """Return pucks from the least to the most worth, equals in the order that they have."""
    return sorted(pucks, key=lambda puck: worth(state, player, puck))


def advantage(own: Design, other: Design) -> int:
    """Return by how many attacks the types of two slammers change the count of the first."""
    if own.type is None:
        return 0
    return int(own.type is other.weakness) - int(own.type is other.resistance)


def slammer_merit(state: BattleState, player: int, puck: int) -> tuple[float, ...]:
    """Return how good a slammer is for a player now, the greater the better.

    In a battle, the attacks that its type wins against the next slammer. In a wild battle there
    are none: a heavy slammer knocks out more often, and of two a ball catches what it flips.
    """
    design = state.design(puck)
    if state.table.options.is_wild:
        return design.mass_g, float(state.table.is_ball(puck))
    facing = state.slammer(state.next_player(player))
    return (0.0 if facing is None else float(advantage(design, state.design(facing))),)


def attacks_ahead(state: BattleState, player: int) -> int:
    """Return about how many attacks a player will have in the next turn."""
    mine, next_one = state.slammer(player), state.slammer(state.next_player(player))
    if mine is None or next_one is None or state.has(player, Status.SLEEP):
        return 1
    own = state.design(mine)
    power = [state.design(puck) for puck in state.power(player)]
    helping = {d.rule for d in power if d.rule in _MATCHING and d.type is own.type}
    count = 1 + len(helping) + advantage(own, state.design(next_one))
    return max(count - int(state.has(player, Status.PARALYZED)), 1)
