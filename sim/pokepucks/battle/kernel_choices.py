"""The choices of the greedy and of the skilled player, in compiled code.

The counterpart of `pucklab.sim.pokepucks.battle.players`: only the choices, not their effects.
"""

from pucklab.base.kernels import inlined
from pucklab.sim.pokepucks.battle.evaluation import (
    LOW_HEALTH,
    LOWEST_HEALTH,
    MANY_ATTACKS,
    SPARE_VALUE,
    USELESS,
)
from pucklab.sim.pokepucks.battle.kernel_state import (
    ABILITY,
    ADVANTAGE,
    ASLEEP,
    ATTACKS,
    COUNTS,
    CRITICAL,
    CURES,
    DECLARE,
    ENERGY,
    FEWER,
    FLIPPED,
    FLUTE,
    GIVES,
    HEALTH,
    LIST,
    MANY,
    MERKERT,
    MOST,
    MOVES,
    OF_TYPE,
    PLAYER,
    POTION,
    POWER,
    PRIZE,
    REST,
    SASH,
    SIZE,
    SLEEP,
    STACKS,
    STATUS,
    STOPPING,
    SWITCH,
    TYPE,
    UNSTABLE,
    Arrays,
    Encoded,
    fails,
    holds,
    is_used,
    room,
)

VALUE, WORTH, RIVAL, BOTH, ARENA = 0, 1, 2, 3, 4
"""Measures of pucks: `puck_value`; `worth` to the player, the rival, both; twice `arena_value`."""


@inlined
def worth(a: Arrays, b: Encoded, player: int, puck: int) -> int:
    """Value of one more puck, as in `pucklab.sim.pokepucks.battle.evaluation.worth`."""
    rule, power, value = a.rule[puck], POWER + player, int(a.value[player, puck])
    if rule == SWITCH:
        return 0
    if value <= USELESS or a.amounts[rule, MANY]:
        return value
    for i in range(b[COUNTS + power]):
        other = b[STACKS + MOST * power + i]
        better = rule >= MERKERT and a.rule[other] == MERKERT
        if better or (a.rule[other] == rule and a.type[other] == a.type[puck]):
            return 0
    return value


@inlined
def measure_puck(a: Arrays, b: Encoded, player: int, puck: int, by: int) -> int:
    """Return one of the measures by which players sort pucks."""
    if by == VALUE:
        return int(a.value[player, puck])
    found = 0
    for rival in range(2):
        if by not in (WORTH, RIVAL) or rival == int(by == RIVAL):
            here = worth(a, b, player ^ rival, puck)
            found += here * (2 - 3 * rival) if by == ARENA else here
    return found


@inlined
def least(
    a: Arrays, b: Encoded, begin: int, count: int, player: int, by: int, sign: int, last: bool
) -> int:
    """Return the place of the puck with the smallest measure times sign: the first or the last."""
    best, found = 1 << 30, 0
    for i in range(count):
        here = measure_puck(a, b, player, b[begin + i], by) * sign
        if here < best or (last and here == best):
            best, found = here, i
    return found


@inlined
def sort(
    a: Arrays, b: Encoded, begin: int, count: int, wanted: int, player: int, by: int, sign: int
) -> None:
    """Sort the first pucks to the front, in ascending order, or in descending order for sign -1."""
    for i in range(wanted):
        place = least(a, b, begin + i, count - i, player, by, sign, sign < 0)
        puck = b[begin + i + place]
        for k in range(i + place, i, -1):
            b[begin + k] = b[begin + k - 1]
        b[begin + i] = puck


@inlined
def fails_healed(a: Arrays, b: Encoded) -> bool:
    """Return whether the top-off would fail even after a Potion that is ready."""
    player, healing = b[PLAYER], 0
    if not is_used(b, player, POTION) and holds(a, b, POWER + player, POTION, -1) >= 0:
        healing = min(a.amounts[POTION, MOVES], b[COUNTS + PRIZE + player], room(b, player))
    return fails(b, healing)


@inlined
def wants_item(a: Arrays, b: Encoded, player: int, rule: int) -> bool:
    """Return whether to use an Item before the top-off, if its rule allows it."""
    if rule == POTION:
        healed = min(room(b, player), b[COUNTS + PRIZE + player])
        wanted = healed >= a.amounts[POTION, MOVES] or (healed > 0 and fails(b, 0))
        if a.skill[player] and wanted:
            low = b[COUNTS + HEALTH + player] <= LOWEST_HEALTH or fails(b, 0)
            wanted = low and not fails_healed(a, b)
        return bool(wanted)
    if rule == FLUTE:
        rested = a.slammers[player, ABILITY] == REST and is_used(b, player, REST)
        return bool(b[STATUS + player] & SLEEP) and not rested
    return (
        rule == SASH
        and bool(max(b[COUNTS] + b[COUNTS + HEALTH + player], 1) < b[SIZE])
        and fails_healed(a, b)
    )


@inlined
def choose_status(a: Arrays, b: Encoded, player: int) -> int:
    """Return the status that the player's flip shall give; 0 for none."""
    status, other = int(a.amounts[a.slammers[player, ABILITY], GIVES]), 1 - player
    if not status or b[DECLARE] == 0:
        return 0
    if b[DECLARE] == 1:
        return status
    power = POWER + other
    if b[STATUS + other] & (status | CRITICAL):
        return 0
    for i in range(b[COUNTS + power]):
        if a.amounts[a.rule[b[STACKS + MOST * power + i]], CURES] & status:
            return 0
    count = 1 + a.slammers[other, ADVANTAGE]
    for rule in range(MERKERT):
        if a.amounts[rule, OF_TYPE]:
            count += int(holds(a, b, power, rule, a.slammers[other, TYPE]) >= 0)
    count = max(count + FEWER[b[STATUS + other]], 1)
    if b[STATUS + other] & SLEEP:
        count = 1
    wanted = b[ASLEEP] == 1
    if status & STOPPING and a.skill[player]:
        wanted = count > 1 and (b[ATTACKS] > 1 or room(b, other) > 0)
    elif status == SLEEP:
        wanted = wanted or count > MANY_ATTACKS
    return status if wanted else 0


@inlined
def choose_exchange(a: Arrays, b: Encoded, player: int, flipped: int) -> tuple[int, int]:
    """Return the places of the two pucks that Mr. Saia exchanges, flipped and in Health; or -1."""
    health, count = STACKS + MOST * (HEALTH + player), b[COUNTS + HEALTH + player]
    skilled = bool(a.skill[player])
    by = BOTH if skilled else WORTH
    take = least(a, b, FLIPPED, flipped, player, by, -1, not skilled)
    give = least(a, b, health, count, player, by, 1, False)
    gain = measure_puck(a, b, player, b[FLIPPED + take], by)
    if gain <= measure_puck(a, b, player, b[health + give], by):
        return -1, -1
    return take, give


@inlined
def list_discards(a: Arrays, b: Encoded, player: int) -> int:
    """List what the players discard, in their order, and return how many pucks."""
    begin, held, count = STACKS + MOST * (POWER + player), b[COUNTS + POWER + player], 0
    trainers, merkert, potion = 0, -1, -1
    for i in range(held):
        puck = b[begin + i]
        rule = a.rule[puck]
        if a.value[player, puck] <= USELESS:
            b[LIST + count] = puck
            count += 1
        if rule >= MERKERT:
            trainers += 1
            if rule == MERKERT:
                merkert = puck
        if rule == POTION and potion < 0:
            potion = puck
    keeps = a.skill[player] and merkert >= 0
    seen = 0
    for i in range(0 if keeps else held):
        if a.rule[b[begin + i]] >= MERKERT:
            seen += 1
            if seen < trainers:
                b[LIST + count] = b[begin + i]
                count += 1
    if a.slammers[player, ABILITY] == UNSTABLE:
        seen = 0
        for i in range(held):
            if a.rule[b[begin + i]] == ENERGY:
                seen += 1
                if seen > 1:
                    b[LIST + count] = b[begin + i]
                    count += 1
    if potion >= 0 and b[COUNTS + HEALTH + player] <= LOW_HEALTH:
        missing = a.amounts[POTION, MOVES] - b[COUNTS + PRIZE + player] - count
        if keeps:  # those that the greedy player would discard count
            missing -= max(trainers - 1, 0)
        for i in range(held):
            puck = b[begin + i]
            if missing > 0 and a.value[player, puck] == SPARE_VALUE and a.rule[puck] != POTION:
                b[LIST + count] = puck
                count += 1
                missing -= 1
    for i in range(held if keeps else 0):
        puck = b[begin + i]
        if a.rule[puck] >= MERKERT and puck != merkert:
            b[LIST + count] = puck
            count += 1
    return count
