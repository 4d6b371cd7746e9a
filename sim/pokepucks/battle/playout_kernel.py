"""Battles of PokéPucks in compiled code: the turns of two players of the greedy player's rules.

The rules of `sim.pokepucks.battle.turn` and `sim.pokepucks.special`, and the choices of the greedy
player and of the expert's rules, written again for arrays of small numbers: a battle takes some
15 microseconds. `sim.pokepucks.battle.playouts` says which battles are covered, and encodes them;
its test plays the same battles both ways and compares them at every step.

A battle is one array of 16-bit numbers: the fields below, then the sizes of the stacks, then the
stacks from the floor up. It stands at the beginning of a step of a turn.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.compiling import inlined, jitted
from sim.pokepucks.special.amounts import (
    FEW_ATTACKS,
    HYPER_BEAM_ATTACKS,
    LOW_HEALTH,
    LOWEST_HEALTH,
    MANY_ATTACKS,
    POTION_PUCKS,
    REST_PUCKS,
    SPARE_VALUE,
)

Encoded = NDArray[np.int16]

# Fields of a battle.
STEP, NUMBER, PLAYER, SIZE = 0, 1, 2, 3
ROOM = 4  # most pucks in Health, for each player
STATUS = 6  # bits of statuses, for each player
EFFECTS = 8  # bits of pending effects, for each player
ATTACKS, MADE = 10, 11
GRANTS = 12  # number of grants; they follow, the next one last, of two numbers each
PICKED, PICKED_ITEMS = 29, 30  # pucks picked up in this turn; those that are Items or plain
LAST_PICKED = 31  # whether anything was picked up in the last turn, for each player
ASLEEP = 33  # whether the turn began in Sleep
USED = 35  # bits of the rules used in this turn, for each player
DECLARE = 38  # a status is declared before the next throw: 1, not: 0, as the rules say: -1
THROWN = 39  # throws made in this turn
COUNTS, STACKS, MOST = 40, 48, 40
HEALTH, POWER, PRIZE = 1, 3, 5  # stacks of the first player; the Arena is stack 0
FLIPPED, INSIDE, OUT, LIST = 328, 368, 408, 448  # lists during a throw, beside the battle
LENGTH = 512

TOP_OFF, KNOCK_OUT, COUNTING, COUNT, ATTACK, AFTER, DISCARD = 1, 3, 4, 5, 6, 7, 8
NO_LIMIT, ORDINARY, SWIFTS, ITEMS_ONLY = 99, 0, 1, 2

CRITICAL, PARALYZED, SLEEP, POISONED = 1, 2, 4, 8
DIG_PENDING, RECOIL, CURL_PENDING = 1, 2, 4

(
    PLAIN, ENERGY, FOCUS, STONE, POTION, BERRY, FULL_HEAL,
    FLUTE, SASH, SCOPE, SWITCH, MERKERT, SAIA, SANDBAG,
) = range(14)  # fmt: skip
(
    LEECH_SEED, RAGE, CURL, WING, WAVE, SING, PAY_DAY,
    CHOP, CLOUD, DIG, CUT, SURF, UNSTABLE, ICE, SWIFT, SPIN, BEAM, REST,
) = range(18)  # fmt: skip
ABILITY_USED, MERKERT_USED = 1 << 14, 1 << 13
"""Bits of ``USED``; an Item has that of its number."""
GRASS, FIRE, WATER = 1, 2, 3
"""Types by their place in `EnergyType`, from 1."""

SLAMS = 400
"""Recorded slams of each kind."""

HIT = 1 << 30
"""Bit of ``up`` of a throw that hit."""


class Arrays(NamedTuple):
    """The facts of a battle that never change.

    Attributes:
        rule: Number of each puck's rule.
        type: Number of each puck's type; 0 for none.
        value: Shape (2, pucks); `puck_value` for each player.
        wish: Shape (2, pucks); twice `arena_value`.
        slammers: Shape (2, 6): number of the ability, type, weakness, resistance, mass and
            `type_advantage`.
        skill: Shape (2,); 1 for a player of `SkilledPlayer`, 0 for a greedy one.
        up, out: Shape (masses, pieces, slams); bits of the pieces that flip and that leave the
            arena.
        order: Shape (masses, pieces, slams, pieces); the pieces by distance from the centre.
        knocked_out: Shape (masses, masses, slams).
        limit: Turns after which the battle is a draw.
    """

    rule: NDArray[np.int64]
    type: NDArray[np.int64]
    value: NDArray[np.int64]
    wish: NDArray[np.int64]
    slammers: NDArray[np.int64]
    skill: NDArray[np.int64]
    up: NDArray[np.int64]
    out: NDArray[np.int64]
    order: NDArray[np.int8]
    knocked_out: NDArray[np.int8]
    limit: int


@inlined
def _push(b: NDArray[np.int16], stack: int, puck: int) -> None:
    """Put a puck on top of a stack."""
    b[STACKS + MOST * stack + b[COUNTS + stack]] = puck
    b[COUNTS + stack] += 1


@inlined
def _pull(b: NDArray[np.int16], stack: int, place: int) -> int:
    """Take the puck at a place from a stack, and return it."""
    begin = STACKS + MOST * stack
    puck = b[begin + place]
    b[COUNTS + stack] -= 1
    for i in range(place, b[COUNTS + stack]):
        b[begin + i] = b[begin + i + 1]
    return int(puck)


@inlined
def _move(b: NDArray[np.int16], source: int, target: int, puck: int) -> None:
    """Move a puck from one stack to the top of another."""
    place = 0
    while b[STACKS + MOST * source + place] != puck:
        place += 1
    _push(b, target, _pull(b, source, place))


@inlined
def _least(b: NDArray[np.int16], begin: int, count: int, worth: NDArray[np.int64]) -> int:
    """Return the place of the first of the pucks that are worth least."""
    best = 0
    for i in range(1, count):
        if worth[b[begin + i]] < worth[b[begin + best]]:
            best = i
    return best


@inlined
def _first_most(b: NDArray[np.int16], begin: int, count: int, worth: NDArray[np.int64]) -> int:
    """Return the place of the first of the pucks that are worth most."""
    best = 0
    for i in range(1, count):
        if worth[b[begin + i]] > worth[b[begin + best]]:
            best = i
    return best


@inlined
def _last_most(b: NDArray[np.int16], begin: int, count: int, worth: NDArray[np.int64]) -> int:
    """Return the place of the last of the pucks that are worth most."""
    best = 0
    for i in range(1, count):
        if worth[b[begin + i]] >= worth[b[begin + best]]:
            best = i
    return best


@inlined
def _holds(a: Arrays, b: NDArray[np.int16], stack: int, rule: int, kind: int) -> int:
    """Return the place of the first puck of a rule, and of a type unless it is -1; -1 for none."""
    for i in range(b[COUNTS + stack]):
        puck = b[STACKS + MOST * stack + i]
        if a.rule[puck] == rule and (kind < 0 or a.type[puck] == kind):
            return i
    return -1


@inlined
def _lone_trainer(a: Arrays, b: NDArray[np.int16], player: int) -> int:
    """Return the rule of the only Trainer in Power; -1 if there is none, or several."""
    found = -1
    for i in range(b[COUNTS + POWER + player]):
        rule = a.rule[b[STACKS + MOST * (POWER + player) + i]]
        if rule in (MERKERT, SAIA):
            if found >= 0:
                return -1
            found = rule
    return int(found)


@inlined
def _gain(b: NDArray[np.int16], player: int, status: int) -> None:
    """Give a status as `sim.pokepucks.battle.handling.gain` does."""
    if not b[STATUS + player] & (status | CRITICAL):
        if status == CRITICAL:
            b[STATUS + player] = 0
        b[STATUS + player] |= status


@inlined
def _top_off_size(b: NDArray[np.int16]) -> int:
    size, player = int(b[SIZE]), b[PLAYER]
    if b[STATUS + 1 - player] & CRITICAL:
        size = max(size // 2, 1)
    return size + int(b[STATUS + player] & POISONED != 0)


@inlined
def _fails(b: NDArray[np.int16], more: int) -> bool:
    """Return whether the coming top-off would fail although Health gains some more."""
    return bool(b[COUNTS] + b[COUNTS + HEALTH + b[PLAYER]] + more < _top_off_size(b))


@inlined
def _room(b: NDArray[np.int16], player: int) -> int:
    return int(max(b[ROOM + player] - b[COUNTS + HEALTH + player], 0))


@inlined
def _fails_healed(a: Arrays, b: NDArray[np.int16]) -> bool:
    player, healing = b[PLAYER], 0
    if not b[USED + player] & 1 << POTION and _holds(a, b, POWER + player, POTION, -1) >= 0:
        healing = min(POTION_PUCKS, b[COUNTS + PRIZE + player], _room(b, player))
    return _fails(b, healing)


@inlined
def _worth(a: Arrays, b: NDArray[np.int16], player: int, puck: int) -> int:
    """Return what one more puck is worth, as `sim.pokepucks.battle.expert.worth` does."""
    rule, power = a.rule[puck], POWER + player
    if rule == SWITCH:
        return 0
    if rule in (MERKERT, SAIA):
        held = _holds(a, b, power, MERKERT, -1) >= 0 or _holds(a, b, power, rule, -1) >= 0
        return 0 if held else int(a.value[player, puck])
    if rule in (PLAIN, POTION, BERRY, STONE, SANDBAG) or a.value[player, puck] <= 1:
        return int(a.value[player, puck])
    return 0 if _holds(a, b, power, rule, a.type[puck]) >= 0 else int(a.value[player, puck])


@inlined
def _heal(a: Arrays, b: NDArray[np.int16], player: int, most: int, asked: bool) -> None:
    """Move pucks from Prize to Health: those of least value, or of least worth to the other one."""
    begin, there = STACKS + MOST * (PRIZE + player), b[COUNTS + PRIZE + player]
    for done in range(min(most, there)):
        place = 0
        if asked:
            place = _least(b, begin, there - done, a.value[player])
        if asked and a.skill[player]:
            place = 0
            for i in range(1, there - done):
                worth = _worth(a, b, 1 - player, b[begin + i])
                if worth < _worth(a, b, 1 - player, b[begin + place]):
                    place = i
        _push(b, HEALTH + player, _pull(b, PRIZE + player, place))


@inlined
def _before_top_off(a: Arrays, b: NDArray[np.int16]) -> None:
    """Use Rest, Potion, Poké Flute and Focus Sash, in the order in which they lie in Power."""
    player = b[PLAYER]
    again = True
    while again:
        again = False
        if (
            a.slammers[player, 0] == REST
            and not b[STATUS + player] & (CRITICAL | SLEEP)
            and not b[USED + player] & ABILITY_USED
            and b[COUNTS + PRIZE + player] >= REST_PUCKS
            and _fails_healed(a, b)
        ):
            b[USED + player] |= ABILITY_USED
            b[STATUS + player] |= SLEEP
            _heal(a, b, player, _room(b, player), _room(b, player) < b[COUNTS + PRIZE + player])
        for i in range(b[COUNTS + POWER + player]):
            rule = a.rule[b[STACKS + MOST * (POWER + player) + i]]
            if b[USED + player] & 1 << rule:
                continue
            if rule == POTION:
                room, healing = _room(b, player), b[COUNTS + PRIZE + player]
                again = min(room, healing) >= POTION_PUCKS or (
                    min(room, healing) > 0 and _fails(b, 0)
                )
                if a.skill[player]:
                    low = b[COUNTS + HEALTH + player] <= LOWEST_HEALTH or _fails(b, 0)
                    again = again and low and not _fails_healed(a, b)
                if again:
                    _heal(a, b, player, min(POTION_PUCKS, room), True)
                    _push(b, PRIZE + player, _pull(b, POWER + player, i))
            elif rule == FLUTE:
                rested = a.slammers[player, 0] == REST and b[USED + player] & ABILITY_USED
                again = bool(b[STATUS + player] & SLEEP) and not rested
                if again:
                    b[STATUS + player] &= ~SLEEP
            elif rule == SASH:
                held = max(b[COUNTS] + b[COUNTS + HEALTH + player], 1)
                again = held < b[SIZE] and _fails_healed(a, b)
                if again:
                    b[SIZE] = held
                    _push(b, PRIZE + player, _pull(b, POWER + player, i))
            if again:
                b[USED + player] |= 1 << rule
                break


@inlined
def _top_off(a: Arrays, b: NDArray[np.int16]) -> None:
    player = b[PLAYER]
    before = b[COUNTS]
    missing = max(_top_off_size(b) - before, 0)
    paid = min(missing, b[COUNTS + HEALTH + player])
    for i in range(before - 1, -1, -1):
        b[STACKS + paid + i] = b[STACKS + i]
    b[COUNTS] += paid
    for i in range(paid):
        begin, count = STACKS + MOST * (HEALTH + player), b[COUNTS + HEALTH + player]
        place = _first_most(b, begin, count, a.wish[player])
        b[STACKS + paid - 1 - i] = _pull(b, HEALTH + player, place)
    if paid < missing:
        _gain(b, player, CRITICAL)
    elif paid > 0 or before >= b[SIZE]:
        b[STATUS + player] &= ~CRITICAL


@inlined
def _count_attacks(a: Arrays, b: NDArray[np.int16]) -> None:
    player, other = b[PLAYER], 1 - b[PLAYER]
    ability = a.slammers[player, 0]
    own, weakness, resistance = a.slammers[player, 1], a.slammers[other, 2], a.slammers[other, 3]
    facing, power = a.slammers[other, 1], POWER + player
    if ability == WING and facing == GRASS:
        own = weakness
    elif ability == ICE and facing == WATER:
        weakness = WATER
    elif ability == ICE and facing == FIRE:
        resistance = WATER
    elif ability == UNSTABLE:
        energies, kind = 0, 0
        for i in range(b[COUNTS + power]):
            puck = b[STACKS + MOST * power + i]
            if a.rule[puck] == ENERGY:
                energies, kind = energies + 1, a.type[puck]
        if energies == 1:
            own = kind
    count = 1 + int(_holds(a, b, power, ENERGY, own) >= 0)
    if b[EFFECTS + player] & DIG_PENDING:
        b[EFFECTS + player] &= ~DIG_PENDING
        count += 1
    paralyzed = bool(b[STATUS + player] & PARALYZED)
    if paralyzed and _holds(a, b, power, SCOPE, -1) >= 0:
        paralyzed = False
    count += int(own == weakness)
    count = max(count - int(own == resistance), 1)
    if ability == DIG and count == 1:
        b[EFFECTS + player] |= DIG_PENDING
    beams = False
    if ability == BEAM and not b[EFFECTS + player] & RECOIL:
        beams = not a.skill[player] or count <= FEW_ATTACKS
    if beams:
        count += HYPER_BEAM_ATTACKS
    if _holds(a, b, power, FOCUS, own) >= 0:
        count += 1
    stone = _holds(a, b, power, STONE, own)
    if stone >= 0:
        count += 1
        _push(b, PRIZE + player, _pull(b, power, stone))
    if paralyzed:
        count = max(count - 1, 1)
    if beams:
        b[EFFECTS + player] |= RECOIL
    elif b[EFFECTS + player] & RECOIL:
        b[EFFECTS + player] &= ~RECOIL
        count = 1
    if b[STATUS + player] & SLEEP:
        count = 1
        b[ASLEEP] = 1
    b[ATTACKS] = count


@inlined
def _declares(a: Arrays, b: NDArray[np.int16], player: int) -> int:
    """Return the status that the player's flip shall give; 0 for none."""
    ability, other = a.slammers[player, 0], 1 - player
    status, cure = 0, 0
    if ability == WAVE:
        status, cure = PARALYZED, SCOPE
    elif ability == SING:
        status, cure = SLEEP, FLUTE
    elif ability == CLOUD:
        status, cure = POISONED, FULL_HEAL
    if not status or b[DECLARE] == 0:
        return 0
    if b[DECLARE] == 1:
        return status
    power = POWER + other
    if (
        b[STATUS + other] & (status | CRITICAL)
        or _holds(a, b, power, FULL_HEAL, -1) >= 0
        or _holds(a, b, power, cure, -1) >= 0
    ):
        return 0
    kind = a.slammers[other, 1]
    count = 1 + a.slammers[other, 5]
    for rule in (ENERGY, FOCUS, STONE):
        count += int(_holds(a, b, power, rule, kind) >= 0)
    count = max(count - int(b[STATUS + other] & PARALYZED != 0), 1)
    if b[STATUS + other] & SLEEP:
        count = 1
    if ability == CLOUD:
        wanted = b[ASLEEP] == 1
    elif a.skill[player]:
        wanted = count > 1
    elif ability == WAVE:
        wanted = b[ASLEEP] == 1
    else:
        wanted = count > MANY_ATTACKS or b[ASLEEP] == 1
    return status if wanted else 0


@inlined
def _grant(b: NDArray[np.int16], most: int, kind: int) -> None:
    b[GRANTS + 1 + 2 * b[GRANTS]] = most
    b[GRANTS + 2 + 2 * b[GRANTS]] = kind
    b[GRANTS] += 1


@inlined
def _to_both(a: Arrays, b: NDArray[np.int16], puck: int) -> int:
    return _worth(a, b, 0, puck) + _worth(a, b, 1, puck)


@inlined
def _exchange(a: Arrays, b: NDArray[np.int16], player: int, flipped: int, inside: int) -> None:
    """Use Mr. Saia after the other player's throw if it pays."""
    health = STACKS + MOST * (HEALTH + player)
    count = b[COUNTS + HEALTH + player]
    if not flipped or not count or _lone_trainer(a, b, player) != SAIA:
        return
    value = a.value[player]
    if not a.skill[player]:
        give = _least(b, health, count, value)
        take = _last_most(b, FLIPPED, flipped, value)
        if value[b[FLIPPED + take]] <= value[b[health + give]]:
            return
    else:  # what is worth most to both
        give = take = 0
        most, least = _to_both(a, b, b[FLIPPED]), _to_both(a, b, b[health])
        for i in range(1, flipped):
            worth = _to_both(a, b, b[FLIPPED + i])
            if worth > most:
                most, take = worth, i
        for i in range(1, count):
            worth = _to_both(a, b, b[health + i])
            if worth < least:
                least, give = worth, i
        if most <= least:
            return
    taken = b[FLIPPED + take]
    put = _pull(b, HEALTH + player, give)
    _push(b, 0, put)
    _move(b, 0, HEALTH + player, taken)
    b[FLIPPED + take] = put
    for i in range(inside):
        if b[INSIDE + i] == taken:
            b[INSIDE + i] = put


@inlined
def _pick_up(
    a: Arrays, b: NDArray[np.int16], player: int, flipped: int, most: int, kind: int
) -> int:
    """Pick up what flipped, and return how many pucks; the list holds them."""
    count = 0
    for i in range(flipped):
        rule = a.rule[b[FLIPPED + i]]
        if kind != ITEMS_ONLY or (rule != MERKERT and rule != SAIA):
            b[LIST + count] = b[FLIPPED + i]
            count += 1
    allowed, count = count, min(most, count)
    if b[EFFECTS + player] & CURL_PENDING and count:
        b[EFFECTS + player] &= ~CURL_PENDING
        count -= 1
    if count < allowed:
        for i in range(count):  # the most valuable first
            best = _last_most(b, LIST + i, allowed - i, a.value[player])
            puck = b[LIST + i + best]
            for k in range(i + best, i, -1):
                b[LIST + k] = b[LIST + k - 1]
            b[LIST + i] = puck
    for i in range(count):
        puck = b[LIST + i]
        rule = a.rule[puck]
        _move(b, 0, PRIZE + player if rule == PLAIN else POWER + player, puck)
        b[PICKED] += 1
        b[PICKED_ITEMS] += int(rule != MERKERT and rule != SAIA)
    for i in range(count):
        if a.rule[b[LIST + i]] == SANDBAG:
            _move(b, POWER + player, PRIZE + player, b[LIST + i])
    for i in range(count):
        if a.rule[b[LIST + i]] == BERRY and _room(b, player) and not b[USED + player] & 1 << BERRY:
            b[USED + player] |= 1 << BERRY
            _move(b, POWER + player, HEALTH + player, b[LIST + i])
    return count


@inlined
def _attack(
    a: Arrays, b: NDArray[np.int16], lots: NDArray[np.int16], begun: int,
    player: int, most: int, kind: int,
) -> int:  # fmt: skip
    """Make an attack, and return how many pucks flipped."""
    own = player == b[PLAYER]
    other = 1 - player
    status = _declares(a, b, player) if own else 0
    if own:
        b[DECLARE] = -1
    pieces, flipped, inside, out, picked = b[COUNTS], 0, 0, 0, 0
    up, left, slam = 0, 0, 0
    mass = a.slammers[player, 4]
    if pieces:
        slam = lots[((b[NUMBER] - begun) * 8 + b[THROWN]) % lots.size]
        b[THROWN] += 1
        up, left = a.up[mass, pieces, slam], a.out[mass, pieces, slam]
    if up & HIT:
        for i in range(pieces):
            if up >> i & 1:
                b[FLIPPED + flipped] = b[STACKS + i]
                flipped += 1
            if left >> i & 1:
                b[OUT + out] = b[STACKS + i]
                out += 1
        inside = pieces - out
        for i in range(inside):
            b[INSIDE + i] = b[STACKS + a.order[mass, pieces, slam, i]]
        if own:
            _exchange(a, b, other, flipped, inside)
        barred = own and b[ASLEEP] and flipped > 0
        if barred:
            b[STATUS + player] &= ~SLEEP
        if flipped:
            if status:
                _gain(b, other, status)
                barred = True
            if not barred:
                picked = _pick_up(a, b, player, flipped, most, kind)
        gone = 0
        for i in range(inside):  # picked up pucks are left out
            puck = b[INSIDE + i]
            taken = False
            for k in range(picked):
                taken = taken or b[LIST + k] == puck
            if not taken:
                b[STACKS + gone] = puck
                gone += 1
        for i in range(out):
            place = _least(b, OUT + i, out - i, a.wish[player])
            puck = b[OUT + i + place]
            for k in range(i + place, i, -1):
                b[OUT + k] = b[OUT + k - 1]
            b[STACKS + gone] = puck
            gone += 1
    if own and a.slammers[player, 0] == SWIFT and not picked and kind != SWIFTS:
        waits = False
        for i in range(b[GRANTS]):
            waits = waits or b[GRANTS + 2 + 2 * i] == SWIFTS
        if not waits:
            _grant(b, 1, SWIFTS)
    return flipped


@inlined
def _after_attacks(a: Arrays, b: NDArray[np.int16]) -> None:
    """Grant an attack more if a rule does."""
    player, other = b[PLAYER], 1 - b[PLAYER]
    if (
        not b[PICKED]
        and not b[USED + player] & MERKERT_USED
        and _lone_trainer(a, b, player) == MERKERT
    ):
        b[USED + player] |= MERKERT_USED
        _grant(b, NO_LIMIT, ORDINARY)
        return
    ability = a.slammers[player, 0]
    if b[USED + player] & ABILITY_USED:
        return
    if (
        ability == CUT
        or (ability == RAGE and b[LAST_PICKED + other])
        or (ability == CHOP and b[PICKED])
    ):
        b[USED + player] |= ABILITY_USED
        _grant(b, 1, ORDINARY)
    elif ability == PAY_DAY and b[PICKED_ITEMS]:
        begin = STACKS + MOST * (PRIZE + player)
        missing = b[SIZE] - b[COUNTS]
        best = -1
        for i in range(b[COUNTS + PRIZE + player]):
            puck = b[begin + i]
            if a.rule[puck] == MERKERT or a.rule[puck] == SAIA:
                continue
            if best < 0 or a.value[player, puck] < a.value[player, b[begin + best]]:
                best = i
        if best >= 0 and (missing <= 0 or missing > b[COUNTS + HEALTH + other] + 1):
            b[USED + player] |= ABILITY_USED
            _push(b, 0, _pull(b, PRIZE + player, best))
            _grant(b, NO_LIMIT, ITEMS_ONLY)


@inlined
def _attacks_over(a: Arrays, b: NDArray[np.int16], lots: NDArray[np.int16], begun: int) -> None:
    player, other = b[PLAYER], 1 - b[PLAYER]
    if a.slammers[player, 0] == CURL and not b[PICKED]:
        b[EFFECTS + other] |= CURL_PENDING
    if (
        a.slammers[other, 0] == LEECH_SEED
        and _room(b, other)
        and b[COUNTS + PRIZE + other]
        and not b[USED + other] & ABILITY_USED
    ):
        b[USED + other] |= ABILITY_USED
        if _attack(a, b, lots, begun, other, 0, ORDINARY):
            _heal(a, b, other, 1, True)


@inlined
def _discard(a: Arrays, b: NDArray[np.int16]) -> None:
    """Discard what `GreedyPlayer` and `SkilledPlayer` discard, in their order."""
    player = b[PLAYER]
    power = POWER + player
    begin, held, count = STACKS + MOST * power, b[COUNTS + power], 0
    trainers, merkert, potion = 0, -1, -1
    for i in range(held):
        puck = b[begin + i]
        rule = a.rule[puck]
        if a.value[player, puck] <= 1:
            b[LIST + count] = puck
            count += 1
        if rule in (MERKERT, SAIA):
            trainers += 1
            if rule == MERKERT:
                merkert = puck
        if rule == POTION and potion < 0:
            potion = puck
    seen = 0
    if not a.skill[player] or merkert < 0:
        for i in range(held):
            puck = b[begin + i]
            if a.rule[puck] == MERKERT or a.rule[puck] == SAIA:
                seen += 1
                if seen < trainers:
                    b[LIST + count] = puck
                    count += 1
    if a.slammers[player, 0] == UNSTABLE:
        seen = 0
        for i in range(held):
            if a.rule[b[begin + i]] == ENERGY:
                seen += 1
                if seen > 1:
                    b[LIST + count] = b[begin + i]
                    count += 1
    if potion >= 0 and b[COUNTS + HEALTH + player] <= LOW_HEALTH:
        missing = POTION_PUCKS - b[COUNTS + PRIZE + player] - count
        if a.skill[player] and merkert >= 0:  # those that the greedy player would discard count
            missing -= max(trainers - 1, 0)
        for i in range(held):
            puck = b[begin + i]
            rule = a.rule[puck]
            if missing > 0 and a.value[player, puck] == SPARE_VALUE and rule != POTION:
                b[LIST + count] = puck
                count += 1
                missing -= 1
    if a.skill[player] and merkert >= 0:
        for i in range(held):
            puck = b[begin + i]
            if (a.rule[puck] == MERKERT or a.rule[puck] == SAIA) and puck != merkert:
                b[LIST + count] = puck
                count += 1
    for i in range(count):
        _move(b, power, PRIZE + player, b[LIST + i])


@inlined
def _end(b: NDArray[np.int16]) -> None:
    """End the turn, and begin that of the other player."""
    player = b[PLAYER]
    b[LAST_PICKED + player] = int(b[PICKED] > 0)
    b[PICKED] = b[PICKED_ITEMS] = b[ASLEEP] = 0
    b[USED] = b[USED + 1] = b[ATTACKS] = b[MADE] = b[GRANTS] = b[THROWN] = 0
    b[NUMBER] += 1
    b[PLAYER] = 1 - player


@inlined
def play(a: Arrays, b: NDArray[np.int16], lots: NDArray[np.int16], turns: int) -> int:
    """Play on for a number of turns at most.

    Args:
        a: The facts of the battle.
        b: The battle, shape (512,); it changes.
        lots: Numbers of the recorded slams that throws come to: eight for each turn from now on.
        turns: Turns to play, the one under way among them.

    Returns:
        The winner, 2 for a draw, or -1 if the battle goes on.
    """
    begun = int(b[NUMBER])
    while b[NUMBER] < begun + turns:
        player = int(b[PLAYER])
        step = b[STEP]
        b[STEP] = 0
        if step <= 0:
            _before_top_off(a, b)
        if step <= TOP_OFF:
            _top_off(a, b)
        if step <= KNOCK_OUT and b[STATUS + player] & CRITICAL:
            slam = lots[((b[NUMBER] - begun) * 8 + b[THROWN]) % lots.size]
            b[THROWN] += 1
            if a.knocked_out[a.slammers[1 - player, 4], a.slammers[player, 4], slam]:
                return 1 - player
        if step <= COUNTING and _holds(a, b, POWER + player, FULL_HEAL, -1) >= 0:
            b[STATUS + player] = 0
        if step <= COUNT:
            _count_attacks(a, b)
        while step <= AFTER:
            while step <= ATTACK and (b[GRANTS] or b[MADE] < b[ATTACKS]):
                most, kind = NO_LIMIT, ORDINARY
                if b[GRANTS]:
                    b[GRANTS] -= 1
                    most, kind = b[GRANTS + 1 + 2 * b[GRANTS]], b[GRANTS + 2 + 2 * b[GRANTS]]
                else:
                    b[MADE] += 1
                _attack(a, b, lots, begun, player, most, kind)
            step = 0
            _after_attacks(a, b)
            if not b[GRANTS]:
                _attacks_over(a, b, lots, begun)
                break
        if step <= DISCARD:
            _discard(a, b)
        if b[NUMBER] >= a.limit:
            return 2
        _end(b)
    return -1


@jitted
def play_out(
    a: Arrays, b: NDArray[np.int16], lots: NDArray[np.int16], scratch: NDArray[np.int16],
    winners: NDArray[np.int8],
) -> None:  # fmt: skip
    """Play a battle out, once with each row of ``lots``, and store the winners (2 for a draw)."""
    for row in range(len(lots)):
        for i in range(LENGTH):
            scratch[i] = b[i]
        winners[row] = play(a, scratch, lots[row], a.limit)
