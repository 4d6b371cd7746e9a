"""A battle as an array of whole numbers, for compiled code: its fields, stacks and facts.

The counterpart of `pucklab.sim.pokepucks.battle.state`. `kernel_rules` has the rules of a turn, and
`kernel_choices` the players' choices; `pucklab.sim.pokepucks.battle.playouts` encodes battles.

A battle stands at the beginning of a step of a turn. It has the fields below, the sizes of the
stacks, and the stacks from the floor up; behind them are lists used during a throw, and counts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pucklab.base.arrays import Ints
from pucklab.base.kernels import inlined
from pucklab.sim.pokepucks.battle.state import Status

Encoded = Ints

STEP, NUMBER, PLAYER, SIZE = 0, 1, 2, 3
ROOM = 4  # most pucks in Health, for each player
STATUS = 6  # bits of statuses, for each player
EFFECTS = 8  # bits of pending effects, for each player
ATTACKS, MADE = 10, 11
GRANTS = 12  # number of grants; they follow, the next one last, of two numbers each
PICKED, PICKED_ITEMS = 29, 30  # pucks picked up in this turn; those that are Items or plain
LAST_PICKED = 31  # whether anything was picked up in the last turn, for each player
ASLEEP = 33  # whether the turn began in Sleep
FLIPS = 34  # pucks that the player flipped in this turn
USED = 35  # bits of the rules used in this turn, for each player
DECLARE = 38  # a status is declared before the next throw: 1, not: 0, as the rules say: -1
THROWN = 39  # throws made in this turn
COUNTS, STACKS, MOST = 40, 48, 42
HEALTH, POWER, PRIZE = 1, 3, 5  # stacks of the first player; the Arena is stack 0
FLIPPED = STACKS + 7 * MOST  # lists during a throw
INSIDE, OUT, LIST = FLIPPED + MOST, FLIPPED + 2 * MOST, FLIPPED + 3 * MOST
WINNER = FLIPPED + 4 * MOST  # 2 for a draw, -1 as long as the battle goes on; here counts begin
TURNS, THROWS = WINNER + 1, WINNER + 2
ATTEMPTS, KNOCK_OUTS = WINNER + 3, WINNER + 5  # for each player
USES, RULES = WINNER + 7, 40  # uses of each rule, for each player
LENGTH = USES + 2 * RULES

TOP_OFF, AFTER_TOP_OFF, KNOCK_OUT, COUNTING, COUNT, ATTACK, AFTER, DISCARD = 1, 2, 3, 4, 5, 6, 7, 8
NO_LIMIT, ORDINARY, SWIFTS, ITEMS_ONLY = 99, 0, 1, 2

CRITICAL, SLEEP = Status.CRITICAL.bit, Status.SLEEP.bit
FEWER = np.array(
    [sum(s.attacks for s in Status if bits & s.bit) for bits in range(1 << len(Status))]
)
FULLER = np.array(
    [sum(s.top_off for s in Status if bits & s.bit) for bits in range(1 << len(Status))]
)
"""Changes of attacks, and of the size of a top-off, with each set of statuses."""

STOPPING = SLEEP | sum(s.bit for s in Status if s.attacks < 0)
"""Bits of the statuses that cost attacks."""

DIG_PENDING, RECOIL, CURL_PENDING = 1, 2, 4

PUCKS = (
    "Plain Puck", "Energy", "Focus Energy", "Power Stone", "Potion", "Berry", "Full Heal",
    "Poké Flute", "Focus Sash", "Silph Scope", "Switch", "Sandbag",
    "Mr. Merkert", "Mr. Saia", "Mr. Smith", "Ms. Hicks", "You",
)  # fmt: skip
(
    PLAIN, ENERGY, FOCUS, STONE, POTION, BERRY, FULL_HEAL,
    FLUTE, SASH, SCOPE, SWITCH, SANDBAG,
    MERKERT, SAIA, SMITH, HICKS, YOU,
) = range(17)  # fmt: skip
ABILITIES = (
    "Leech Seed", "Rage", "Defense Curl", "Wing Attack", "Thunder Wave", "Sing", "Pay Day",
    "Cross Chop", "Poison Cloud", "Dig", "Cut", "Surf", "Genetically Unstable", "Ice Beam", "Swift",
    "Fire Spin", "Hyper Beam", "Rest", "MissingNo.", "",
)  # fmt: skip
(
    LEECH_SEED, RAGE, CURL, WING, WAVE, SING, PAY_DAY,
    CHOP, CLOUD, DIG, CUT, SURF, UNSTABLE, ICE, SWIFT,
    SPIN, BEAM, REST, MISSING_NO,
) = range(20, 39)  # fmt: skip
"""Rules by number: those of pucks, the Trainers last, and those of slammers."""

NUMBERS = {name: n for n, name in (*enumerate(PUCKS), *enumerate(ABILITIES, LEECH_SEED))}
"""The number of each rule."""

AMOUNTS = MORE, PICKS, MOVES, SPENT, MANY, OF_TYPE, GIVES, CURES, WEAK, RESISTS = range(10)
"""Columns of ``amounts``: attacks more, most pucks picked up from an attack granted, most moved;
whether the puck is discarded, several are worth more, the slammer must have its type; the status
declared, bits of those cured, types of a next slammer that count as weak and as resistant."""

HIT = 1 << 60
"""Bit of ``up`` of a throw that hit."""

ABILITY, TYPE, WEAKNESS, RESISTANCE, MASS, ADVANTAGE = 0, 1, 2, 3, 4, 5
"""Columns of ``slammers``."""


class Arrays(NamedTuple):
    """The facts of a battle that never change.

    Attributes:
        amounts: Shape (RULES, 10); what each rule gives, takes and needs. Statuses are bits, types
            numbers, and ``NO_LIMIT`` stands for none.
        rule: Number of each puck's rule.
        type: Number of each puck's type; 0 for none.
        value: Shape (2, pucks); `puck_value` for each player.
        slammers: Shape (2, 6): number of the ability, type, weakness, resistance, index of the mass
            and `type_advantage`.
        skill: Shape (2,); 1 for a player of `SkilledPlayer`, 0 for a greedy one.
        up, out: Shape (masses, pieces, slams); bits of the pieces that flip and that leave the
            arena.
        order: Shape (masses, pieces, slams, pieces); the pieces by distance from the centre.
        knocked_out: Shape (masses, masses, slams).
        limit: Turns after which the battle is a draw.
        first_picks: Most pucks that may be picked up in the first turn.
    """

    amounts: Ints
    rule: Ints
    type: Ints
    value: Ints
    slammers: Ints
    skill: Ints
    up: Ints
    out: Ints
    order: NDArray[np.int8]
    knocked_out: NDArray[np.int8]
    limit: int
    first_picks: int


@inlined
def push(b: Encoded, stack: int, puck: int) -> None:
    """Put a puck on top of a stack."""
    b[STACKS + MOST * stack + b[COUNTS + stack]] = puck
    b[COUNTS + stack] += 1


@inlined
def pull(b: Encoded, stack: int, place: int) -> int:
    """Take the puck at a place from a stack, and return it."""
    begin = STACKS + MOST * stack
    puck = b[begin + place]
    b[COUNTS + stack] -= 1
    for i in range(place, b[COUNTS + stack]):
        b[begin + i] = b[begin + i + 1]
    return int(puck)


@inlined
def move(b: Encoded, source: int, target: int, puck: int) -> None:
    """Move a puck from one stack to the top of another."""
    place = 0
    while b[STACKS + MOST * source + place] != puck:
        place += 1
    push(b, target, pull(b, source, place))


@inlined
def holds(a: Arrays, b: Encoded, stack: int, rule: int, kind: int) -> int:
    """Return the place of the first puck of a rule, and of a type unless it is -1; -1 for none."""
    for i in range(b[COUNTS + stack]):
        puck = b[STACKS + MOST * stack + i]
        if a.rule[puck] == rule and (kind < 0 or a.type[puck] == kind):
            return i
    return -1


@inlined
def lone_trainer(a: Arrays, b: Encoded, player: int) -> int:
    """Return the rule of the only Trainer in Power; -1 if there is none, or several."""
    found = -1
    for i in range(b[COUNTS + POWER + player]):
        rule = a.rule[b[STACKS + MOST * (POWER + player) + i]]
        if rule >= MERKERT:
            if found >= 0:
                return -1
            found = rule
    return int(found)


@inlined
def is_used(b: Encoded, player: int, rule: int) -> bool:
    """Return whether a rule was used in this turn."""
    return bool(b[USED + player] >> rule & 1)


@inlined
def use(b: Encoded, player: int, rule: int) -> None:
    """Record the use of a rule in this turn."""
    b[USED + player] |= 1 << rule
    b[USES + RULES * player + rule] += 1


@inlined
def room(b: Encoded, player: int) -> int:
    """Return how many pucks Health can gain."""
    return int(max(b[ROOM + player] - b[COUNTS + HEALTH + player], 0))


@inlined
def gain(b: Encoded, player: int, status: int) -> None:
    """Give a status as `pucklab.sim.pokepucks.battle.handling.gain` does."""
    if not b[STATUS + player] & (status | CRITICAL):
        if status == CRITICAL:
            b[STATUS + player] = 0
        b[STATUS + player] |= status


@inlined
def top_off_size(b: Encoded) -> int:
    """Return the number of pucks to which the Arena is topped off in this turn."""
    size, player = b[SIZE], b[PLAYER]
    if b[STATUS + 1 - player] & CRITICAL:
        size = max(size // 2, 1)
    return int(size + FULLER[b[STATUS + player]])


@inlined
def fails(b: Encoded, more: int) -> bool:
    """Return whether the coming top-off would fail even with some more pucks in Health."""
    return bool(b[COUNTS] + b[COUNTS + HEALTH + b[PLAYER]] + more < top_off_size(b))
