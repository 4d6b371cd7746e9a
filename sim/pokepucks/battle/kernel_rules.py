"""The rules of a battle of two in compiled code: its turns, with the special rules of the lists.

The counterpart of `pucklab.sim.pokepucks.battle.turn` and `pucklab.sim.pokepucks.special`, written
again for arrays of whole numbers: a battle takes some 15 microseconds.
`pucklab.sim.pokepucks.battle.playouts` says which battles are covered; its test plays the same ones
both ways and compares them at every step.
"""

from pucklab.base.arrays import Ints
from pucklab.base.kernels import inlined, kernel
from pucklab.sim.pokepucks.battle.evaluation import FEW_ATTACKS, REST_PUCKS
from pucklab.sim.pokepucks.battle.kernel_choices import (
    ARENA,
    RIVAL,
    VALUE,
    WORTH,
    choose_exchange,
    choose_status,
    fails_healed,
    least,
    list_discards,
    sort,
    wants_item,
)
from pucklab.sim.pokepucks.battle.kernel_state import (
    ABILITY,
    AFTER,
    AFTER_TOP_OFF,
    ASLEEP,
    ATTACK,
    ATTACKS,
    ATTEMPTS,
    BEAM,
    BERRY,
    CHOP,
    COUNT,
    COUNTING,
    COUNTS,
    CRITICAL,
    CURL,
    CURL_PENDING,
    CUT,
    DECLARE,
    DIG,
    DIG_PENDING,
    DISCARD,
    EFFECTS,
    ENERGY,
    FEWER,
    FLIPPED,
    FLIPS,
    FLUTE,
    FOCUS,
    FULL_HEAL,
    GRANTS,
    HEALTH,
    HICKS,
    HIT,
    ICE,
    INSIDE,
    ITEMS_ONLY,
    KNOCK_OUT,
    KNOCK_OUTS,
    LAST_PICKED,
    LEECH_SEED,
    LENGTH,
    LIST,
    MADE,
    MASS,
    MERKERT,
    MISSING_NO,
    MORE,
    MOST,
    MOVES,
    NO_LIMIT,
    NUMBER,
    ORDINARY,
    OUT,
    PAY_DAY,
    PICKED,
    PICKED_ITEMS,
    PICKS,
    PLAIN,
    PLAYER,
    POTION,
    POWER,
    PRIZE,
    RAGE,
    RECOIL,
    RESISTANCE,
    RESISTS,
    REST,
    SAIA,
    SANDBAG,
    SASH,
    SCOPE,
    SIZE,
    SLEEP,
    SMITH,
    SPENT,
    SPIN,
    STACKS,
    STATUS,
    STEP,
    STONE,
    SWIFT,
    SWIFTS,
    THROWN,
    THROWS,
    TOP_OFF,
    TURNS,
    TYPE,
    UNSTABLE,
    USED,
    WEAK,
    WEAKNESS,
    WING,
    WINNER,
    YOU,
    Arrays,
    Encoded,
    gain,
    holds,
    is_used,
    lone_trainer,
    move,
    pull,
    push,
    room,
    top_off_size,
    use,
)

_32_BITS = (1 << 32) - 1


@inlined
def _mix(x: int) -> int:
    """Return 32 bits that look random (C. Wellons, hash prospector, lowbias32)."""
    x ^= x >> 16
    x = x * 0x7FEB352D & _32_BITS
    x ^= x >> 15
    x = x * 0x846CA68B & _32_BITS
    return x ^ x >> 16


@inlined
def lot(key: int, turn: int, throw: int, slams: int) -> int:
    """Index of the recorded slam for a throw of a turn: a hash of the key, turn and throw."""
    mixed = _mix(_mix(key & _32_BITS) + 0x3779B9 * (64 * turn + throw) & _32_BITS)
    return _mix(mixed ^ key >> 32) * slams >> 32


@inlined
def _slam(b: Encoded, key: int, slams: int) -> int:
    b[THROWN] += 1
    b[THROWS] += 1
    return lot(key, int(b[NUMBER]), int(b[THROWN]) - 1, slams)


@inlined
def _heal(a: Arrays, b: Encoded, player: int, most: int) -> None:
    """Move pucks from Prize to Health: by choice, but for Rest as they lie if all of them fit."""
    there = b[COUNTS + PRIZE + player]
    rests = most > a.amounts[POTION, MOVES] and most >= there
    by = RIVAL if a.skill[player] else VALUE
    for done in range(min(most, there)):
        place, begin = 0, STACKS + MOST * (PRIZE + player)
        if not rests:
            place = least(a, b, begin, there - done, player, by, 1, False)
        push(b, HEALTH + player, pull(b, PRIZE + player, place))


@inlined
def _before_top_off(a: Arrays, b: Encoded) -> None:
    """Use Rest, Potion, Poké Flute and Focus Sash, in the order in which they lie in Power."""
    player = b[PLAYER]
    again = True
    while again:
        place, rule, heals = -1, REST, 0
        again = (
            a.slammers[player, ABILITY] == REST
            and not b[STATUS + player] & (CRITICAL | SLEEP)
            and not is_used(b, player, REST)
            and b[COUNTS + PRIZE + player] >= REST_PUCKS
            and fails_healed(a, b)
        )
        if again:
            b[STATUS + player] |= SLEEP
            heals = room(b, player)
        for i in range(0 if again else b[COUNTS + POWER + player]):
            rule = int(a.rule[b[STACKS + MOST * (POWER + player) + i]])
            if not is_used(b, player, rule) and wants_item(a, b, player, rule):
                again, place = True, i
                break
        if not again:
            break
        use(b, player, rule)
        if rule == POTION:
            heals = min(a.amounts[POTION, MOVES], room(b, player))
        elif rule == FLUTE:
            b[STATUS + player] &= ~SLEEP
        elif rule == SASH:
            b[SIZE] = max(b[COUNTS] + b[COUNTS + HEALTH + player], 1)
        _heal(a, b, player, heals)
        if a.amounts[rule, SPENT]:
            push(b, PRIZE + player, pull(b, POWER + player, place))


@inlined
def _top_off(a: Arrays, b: Encoded) -> None:
    player = b[PLAYER]
    before = b[COUNTS]
    missing = max(top_off_size(b) - before, 0)
    paid = min(missing, b[COUNTS + HEALTH + player])
    for i in range(before - 1, -1, -1):
        b[STACKS + paid + i] = b[STACKS + i]
    b[COUNTS] += paid
    for i in range(paid):
        begin, count = STACKS + MOST * (HEALTH + player), b[COUNTS + HEALTH + player]
        place = least(a, b, begin, count, player, ARENA, -1, False)
        b[STACKS + paid - 1 - i] = pull(b, HEALTH + player, place)
    if paid < missing:
        gain(b, player, CRITICAL)
    elif paid > 0 or before >= b[SIZE]:
        b[STATUS + player] &= ~CRITICAL


@inlined
def _is_knocked_out(a: Arrays, b: Encoded, key: int, player: int) -> bool:
    """Let the other player throw at the slammer of a Critical player, and return whether it flips.

    A Pokéball that catches it changes nothing for the battle.
    """
    other = 1 - player
    slams = a.knocked_out[a.slammers[other, MASS], a.slammers[player, MASS]]
    flips = bool(slams[_slam(b, key, slams.size)])
    b[ATTEMPTS + other] += 1
    b[KNOCK_OUTS + other] += int(flips)
    return flips


@inlined
def _count_attacks(a: Arrays, b: Encoded) -> None:
    player, other = b[PLAYER], 1 - b[PLAYER]
    ability, power = a.slammers[player, ABILITY], POWER + player
    own, facing = a.slammers[player, TYPE], a.slammers[other, TYPE]
    weakness, resistance = a.slammers[other, WEAKNESS], a.slammers[other, RESISTANCE]
    changes = True
    weak = a.amounts[ability, WEAK]
    if ability == WING and facing == weak:
        own = weakness
    elif ability == ICE and facing == weak:
        weakness = weak
    elif ability == ICE and facing == a.amounts[ICE, RESISTS]:
        resistance = weak
    elif ability == UNSTABLE:
        energies, kind = 0, 0
        for i in range(b[COUNTS + power]):
            puck = b[STACKS + MOST * power + i]
            if a.rule[puck] == ENERGY:
                energies, kind = energies + 1, a.type[puck]
        changes = energies == 1
        if changes:
            own = kind
    else:
        changes = False
    if changes:
        use(b, player, ability)
    count = 1
    if holds(a, b, power, ENERGY, own) >= 0:
        use(b, player, ENERGY)
        count += a.amounts[ENERGY, MORE]
    if b[EFFECTS + player] & DIG_PENDING:
        b[EFFECTS + player] &= ~DIG_PENDING
        count += a.amounts[DIG, MORE]
    fewer = FEWER[b[STATUS + player]]
    if fewer and holds(a, b, power, SCOPE, -1) >= 0:
        use(b, player, SCOPE)
        fewer = 0
    count += int(own == weakness)
    count = max(count - int(own == resistance), 1)
    if ability == DIG and count == 1:
        use(b, player, DIG)
        b[EFFECTS + player] |= DIG_PENDING
    beams = False
    if ability == BEAM and not b[EFFECTS + player] & RECOIL:
        beams = not a.skill[player] or count <= FEW_ATTACKS
    if beams:
        use(b, player, BEAM)
        count += a.amounts[BEAM, MORE]
    for rule in (FOCUS, STONE):
        place = holds(a, b, power, rule, own)
        if place >= 0:
            use(b, player, rule)
            count += a.amounts[rule, MORE]
            if a.amounts[rule, SPENT]:
                push(b, PRIZE + player, pull(b, power, place))
    if fewer:
        count = max(count + fewer, 1)
    if ability == MISSING_NO:
        use(b, player, MISSING_NO)
        count = 1
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
def _grant(a: Arrays, b: Encoded, player: int, rule: int, kind: int) -> None:
    use(b, player, rule)
    b[GRANTS + 1 + 2 * b[GRANTS]] = a.amounts[rule, PICKS]
    b[GRANTS + 2 + 2 * b[GRANTS]] = kind
    b[GRANTS] += 1


@inlined
def _exchange(a: Arrays, b: Encoded, player: int, flipped: int, inside: int) -> None:
    """Use Mr. Saia after the other player's throw if it pays."""
    take, give = choose_exchange(a, b, player, flipped)
    if take < 0:
        return
    use(b, player, SAIA)
    taken, put = b[FLIPPED + take], pull(b, HEALTH + player, give)
    push(b, 0, put)
    move(b, 0, HEALTH + player, taken)
    b[FLIPPED + take] = put
    for i in range(inside):
        if b[INSIDE + i] == taken:
            b[INSIDE + i] = put


@inlined
def _take(a: Arrays, b: Encoded, player: int, puck: int) -> int:
    """Pick a puck up, and return its rule."""
    rule = int(a.rule[puck])
    move(b, 0, PRIZE + player if rule == PLAIN else POWER + player, puck)
    return rule


@inlined
def _use_picked_up(a: Arrays, b: Encoded, player: int, puck: int, rule: int) -> None:
    """Let the rule of a puck act that was just picked up, if it is a certain one."""
    if a.rule[puck] != rule:
        return
    if rule == SANDBAG:
        use(b, player, SANDBAG)
        move(b, POWER + player, PRIZE + player, puck)
    elif room(b, player) and not is_used(b, player, BERRY):
        use(b, player, BERRY)
        move(b, POWER + player, HEALTH + player, puck)


@inlined
def _collect(a: Arrays, b: Encoded, player: int, out: int) -> int:
    """Use Ms. Hicks after the other player's throw, and return how many pucks they pay."""
    thrower = 1 - player
    use(b, player, HICKS)
    sort(a, b, OUT, out, out, player, VALUE, -1)
    for i in range(out):
        _take(a, b, player, b[OUT + i])
        _use_picked_up(a, b, player, b[OUT + i], SANDBAG)
        _use_picked_up(a, b, player, b[OUT + i], BERRY)
    begin, due = STACKS + MOST * (HEALTH + thrower), min(out, b[COUNTS + HEALTH + thrower])
    for i in range(due):
        place = 0
        if due < b[COUNTS + HEALTH + thrower] + i:
            place = least(a, b, begin, b[COUNTS + HEALTH + thrower], thrower, VALUE, 1, False)
        b[OUT + i] = pull(b, HEALTH + thrower, place)
        push(b, 0, b[OUT + i])
    if due < out:
        gain(b, thrower, CRITICAL)
    return int(due)


@inlined
def _pick_up(a: Arrays, b: Encoded, player: int, flipped: int, most: int, kind: int) -> int:
    """Pick up flipped pucks, and return their number; the list holds them."""
    allowed = 0
    for i in range(flipped):
        if kind != ITEMS_ONLY or a.rule[b[FLIPPED + i]] < MERKERT:
            b[LIST + allowed] = b[FLIPPED + i]
            allowed += 1
    if b[NUMBER] == 1:
        most = min(most, max(a.first_picks - b[PICKED], 0))
    count = min(most, allowed)
    if b[EFFECTS + player] & CURL_PENDING and count:
        b[EFFECTS + player] &= ~CURL_PENDING
        count -= 1
    if count < allowed:
        sort(a, b, LIST, allowed, count, player, WORTH, -1)
    for i in range(count):
        rule = _take(a, b, player, b[LIST + i])
        b[PICKED] += 1
        b[PICKED_ITEMS] += int(rule < MERKERT)
    for rule in (SANDBAG, BERRY):
        for i in range(count):
            _use_picked_up(a, b, player, b[LIST + i], rule)
    return int(count)


@inlined
def _attack(a: Arrays, b: Encoded, key: int, player: int, most: int, kind: int) -> int:
    """Make an attack, and return how many pucks flipped."""
    own = player == b[PLAYER]
    other = 1 - player
    pieces, flipped, inside, out, picked = b[COUNTS], 0, 0, 0, 0
    status, up, slam, mass = 0, 0, 0, a.slammers[player, MASS]
    if pieces:  # at an empty Arena no throw is made, and the attack misses (PP-41)
        if own:
            status = choose_status(a, b, player)
            b[DECLARE] = -1
            if status:
                use(b, player, a.slammers[player, ABILITY])
        slam = _slam(b, key, a.up.shape[2])
        up = a.up[mass, pieces, slam]
    if up & HIT:
        left = a.out[mass, pieces, slam]
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
            trainer = lone_trainer(a, b, other)
            if trainer == SAIA and flipped and b[COUNTS + HEALTH + other]:
                _exchange(a, b, other, flipped, inside)
            elif trainer == HICKS and out:
                out = _collect(a, b, other, out)
        barred = own and b[ASLEEP] and flipped > 0
        if barred:
            b[STATUS + player] &= ~SLEEP
        if flipped:
            if status:
                gain(b, other, status)
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
        sort(a, b, OUT, out, out, player, ARENA, 1)
        for i in range(out):
            b[STACKS + gone + i] = b[OUT + i]
    if own:
        b[FLIPS] += flipped
        if not up & HIT and not is_used(b, player, YOU) and lone_trainer(a, b, player) == YOU:
            _grant(a, b, player, YOU, ORDINARY)
        if a.slammers[player, ABILITY] == SWIFT and not picked and kind != SWIFTS:
            waits = False
            for i in range(b[GRANTS]):
                waits = waits or b[GRANTS + 2 + 2 * i] == SWIFTS
            if not waits:
                _grant(a, b, player, SWIFT, SWIFTS)
    return flipped


@inlined
def _after_attacks(a: Arrays, b: Encoded) -> None:
    """Grant an attack more if a rule does."""
    player, other = b[PLAYER], 1 - b[PLAYER]
    if not b[PICKED] and not is_used(b, player, MERKERT) and lone_trainer(a, b, player) == MERKERT:
        _grant(a, b, player, MERKERT, ORDINARY)
        return
    ability = a.slammers[player, ABILITY]
    if is_used(b, player, ability):
        return
    if (
        ability == CUT
        or (ability == RAGE and b[LAST_PICKED + other])
        or (ability == CHOP and b[PICKED])
    ):
        _grant(a, b, player, ability, ORDINARY)
    elif ability == PAY_DAY and b[PICKED_ITEMS]:
        begin = STACKS + MOST * (PRIZE + player)
        missing = b[SIZE] - b[COUNTS]
        best = -1
        for i in range(b[COUNTS + PRIZE + player]):
            puck = b[begin + i]
            if a.rule[puck] < MERKERT and (
                best < 0 or a.value[player, puck] < a.value[player, b[begin + best]]
            ):
                best = i
        if best >= 0 and (missing <= 0 or missing > b[COUNTS + HEALTH + other] + 1):
            push(b, 0, pull(b, PRIZE + player, best))
            _grant(a, b, player, PAY_DAY, ITEMS_ONLY)


@inlined
def _attacks_over(a: Arrays, b: Encoded) -> bool:
    """Let rules act when attacks are over, and return whether Leech Seed attacks."""
    player, other = b[PLAYER], 1 - b[PLAYER]
    if a.slammers[player, ABILITY] == CURL and not b[PICKED]:
        use(b, player, CURL)
        b[EFFECTS + other] |= CURL_PENDING
    elif a.slammers[player, ABILITY] == SPIN and b[FLIPS]:
        use(b, player, SPIN)  # nobody has a slammer to switch to
    seeds = (
        a.slammers[other, ABILITY] == LEECH_SEED
        and bool(room(b, other) and b[COUNTS + PRIZE + other])
        and not is_used(b, other, LEECH_SEED)
    )
    if seeds:
        use(b, other, LEECH_SEED)
    return seeds


@inlined
def _end(b: Encoded) -> None:
    """End the turn, and begin that of the other player."""
    player = b[PLAYER]
    b[LAST_PICKED + player] = int(b[PICKED] > 0)
    b[PICKED] = b[PICKED_ITEMS] = b[ASLEEP] = b[FLIPS] = 0
    b[USED] = b[USED + 1] = b[ATTACKS] = b[MADE] = b[GRANTS] = b[THROWN] = 0
    b[NUMBER] += 1
    b[PLAYER] = 1 - player


@inlined
def play(a: Arrays, b: Encoded, key: int, turns: int) -> int:
    """Play on for a number of turns at most.

    Args:
        a: The facts of the battle.
        b: The battle, shape (LENGTH,); it changes.
        key: Key that decides the slam of each throw, see `lot`.
        turns: Turns to play, the one under way among them.

    Returns:
        The winner, 2 for a draw, or -1 if the battle goes on.
    """
    end = b[NUMBER] + turns
    while b[NUMBER] < end:
        player = int(b[PLAYER])
        step = b[STEP]
        b[STEP] = 0
        if step <= 0:
            _before_top_off(a, b)
        if step <= TOP_OFF:
            _top_off(a, b)
        if step <= AFTER_TOP_OFF and b[COUNTS] > 1 and lone_trainer(a, b, player) == SMITH:
            use(b, player, SMITH)
            sort(a, b, STACKS, b[COUNTS], b[COUNTS], player, VALUE, 1)
        if (
            step <= KNOCK_OUT
            and b[STATUS + player] & CRITICAL
            and _is_knocked_out(a, b, key, player)
        ):
            return 1 - player
        if (
            step <= COUNTING
            and b[STATUS + player]
            and holds(a, b, POWER + player, FULL_HEAL, -1) >= 0
        ):
            use(b, player, FULL_HEAL)
            b[STATUS + player] = 0
        if step <= COUNT:
            _count_attacks(a, b)
        while step <= AFTER:
            thrower, most, kind = player, NO_LIMIT, ORDINARY
            if step <= ATTACK and b[GRANTS]:
                b[GRANTS] -= 1
                most, kind = b[GRANTS + 1 + 2 * b[GRANTS]], b[GRANTS + 2 + 2 * b[GRANTS]]
            elif step <= ATTACK and b[MADE] < b[ATTACKS]:
                b[MADE] += 1
            else:
                step = 0
                _after_attacks(a, b)
                if b[GRANTS]:
                    continue
                if not _attacks_over(a, b):
                    break
                thrower, most = 1 - player, a.amounts[LEECH_SEED, PICKS]
            flipped = _attack(a, b, key, thrower, most, kind)
            if thrower != player:
                if flipped:
                    _heal(a, b, thrower, a.amounts[LEECH_SEED, MOVES])
                break
        if step <= DISCARD:
            for i in range(list_discards(a, b, player)):
                move(b, POWER + player, PRIZE + player, b[LIST + i])
        if b[NUMBER] >= a.limit:
            return 2
        _end(b)
    return -1


@kernel
def play_out(a: Arrays, b: Encoded, keys: Ints, scratch: Encoded, results: Ints) -> None:
    """Play a battle to its end with each of some keys, and store its final counts.

    Args:
        a: The facts of the battle.
        b: The battle, shape (LENGTH,).
        keys: Keys of the slams.
        scratch: Another battle, which changes.
        results: Shape (keys, columns): the fields from ``WINNER`` on, as many as there are columns.
    """
    for row in range(len(keys)):
        for i in range(LENGTH):
            scratch[i] = b[i]
        scratch[WINNER] = play(a, scratch, int(keys[row]), a.limit)
        scratch[TURNS] = scratch[NUMBER]
        for i in range(results.shape[1]):
            results[row, i] = scratch[WINNER + i]
