"""Compiled battles: which ones are covered, their encoding, and playouts from any question on.

`arrays_of` has the facts of a covered battle: one of two players with a slammer each, the pucks of
the lists, recorded throws and the default options. `after` encodes a battle after a reply, and
`play_out` plays it to the end, thousands of times in a tenth of a second.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from pucklab.base.arrays import Ints
from pucklab.physics import Face
from pucklab.sim.pokepucks.battle import kernel_state as fields
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup, Pucks
from pucklab.sim.pokepucks.battle.evaluation import puck_value, type_advantage
from pucklab.sim.pokepucks.battle.kernel_rules import play_out
from pucklab.sim.pokepucks.battle.kernel_state import (
    NO_LIMIT,
    NUMBERS,
    PUCKS,
    RULES,
    Arrays,
    Encoded,
)
from pucklab.sim.pokepucks.battle.live import LiveBattle, Moment
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.battle.questions import Question, Reply
from pucklab.sim.pokepucks.battle.rule_book import Point, RuleBook, View
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    ASLEEP,
    BattleState,
    StackKind,
    Status,
    Step,
    stack_index,
)
from pucklab.sim.pokepucks.designs import DesignKind, EnergyType
from pucklab.sim.pokepucks.special import shipped_rules, shipped_tables
from pucklab.sim.pokepucks.throw_sources import BLOCKS, FACES, MISSED, TableThrows
from pucklab.sim.pokepucks.throws import ThrowKind

_STEPS = tuple(Step)[tuple(Step).index(Step.BEFORE_TOP_OFF) :]

_TYPES = (None, *EnergyType)

_STATUSES: dict[str, int] = {status: status.bit for status in Status}

_PENDING = {
    "Dig's attack more": fields.DIG_PENDING,
    "Hyper Beam's recoil": fields.RECOIL,
    "Defense Curl's pick-up less": fields.CURL_PENDING,
    "Fire Spin's hold": 0,  # nobody has a slammer to switch to
}


def arrays_of(
    table: BattleSetup, skill: tuple[int, int], throws: TableThrows, rules: RuleBook | None = None
) -> Arrays | None:
    """Return the facts of a battle; None if it is not covered, see `why_not_covered`.

    Args:
        table: The set-up.
        skill: For each player, 1 to play by the rules of `SkilledPlayer`, 0 to play greedily.
        throws: The recorded slams.
        rules: The special rules in play; the shipped ones if None.
    """
    rules = rules or shipped_rules()
    if why_not_covered(table, rules):
        return None
    slammers = [_slammers_of(table, player)[0] for player in (0, 1)]
    designs = [puck.design for puck in table.pucks]
    # A state with the slammers in their places, to value pucks by.
    stacks: list[Pucks] = [()] * 13
    for player, puck in enumerate(slammers):
        stacks[stack_index(StackKind.SLAMMER, player)] = (puck,)
    state = BattleState(
        table=table,
        stacks=tuple(stacks),
        max_sizes=(None,) * 13,
        statuses=((), ()),
        effects=((), ()),
        playing=(0, 1),
    )
    views = [View(state, rules, player) for player in (0, 1)]
    first = {design: puck for puck, design in enumerate(designs)}  # equal pucks have equal values
    values = [{design: puck_value(view, puck) for design, puck in first.items()} for view in views]
    own = [designs[puck] for puck in slammers]
    abilities = [d.rule if d.kind is DesignKind.POKEMON else "MissingNo." for d in own]  # PP-34
    masses_g = np.array(thrown_masses_g(throws))
    first_picks = table.options.first_picks
    return Arrays(
        amounts=_amounts(),
        rule=np.array([NUMBERS[d.rule] if d.rule in PUCKS else 0 for d in designs]),
        type=np.array([_TYPES.index(d.type) for d in designs]),
        value=np.array([[value[design] for design in designs] for value in values]),
        slammers=np.array(
            [
                [
                    NUMBERS[ability if table.options.puckdex else ""],
                    _TYPES.index(d.type),
                    _TYPES.index(d.weakness) or -1,
                    _TYPES.index(d.resistance) or -1,
                    np.abs(np.log(masses_g / d.mass_g)).argmin(),
                    type_advantage(d, other),
                ]
                for d, other, ability in zip(own, own[::-1], abilities, strict=True)
            ]
        ),
        skill=np.array(skill),
        **slam_arrays(throws),
        limit=table.options.max_turns * 2,
        first_picks=fields.NO_LIMIT if first_picks is None else first_picks,
    )


def why_not_covered(table: BattleSetup, rules: RuleBook | None = None) -> str:
    """Return the reason why compiled battles do not cover a set-up; empty if they do."""
    options = table.options
    if table.players != 2:
        return f"{table.players} players"
    covered = {"asks", "buy_in", "max_turns", "first", "first_picks", "health_cap", "puckdex"}
    if not {puck.design.kind for puck in table.pucks} & {DesignKind.ITEM, DesignKind.TRAINER}:
        covered.add("puckmart")
    for name in options.changed:
        if name not in covered:
            return f"option {name}"
    if table.rules or rules not in (None, shipped_rules()):
        return "special rules from a file"
    if len(table.pucks) > fields.MOST or table.first is None:
        return "too many pucks" if table.first is not None else "option first"
    for player in (0, 1):
        own = _slammers_of(table, player)
        if len(own) != 1:
            return f"{len(own)} slammers of a player"
    return next((f"rule {p.design.rule}" for p in table.pucks if p.design.rule not in NUMBERS), "")


@cache
def _amounts() -> Ints:
    """Numbers of the special rules as an array; an effect counts as the rule that causes it."""
    found = np.zeros((RULES, len(fields.AMOUNTS)), np.int64)
    found[:, fields.PICKS] = NO_LIMIT
    found[:, [fields.WEAK, fields.RESISTS]] = -1
    book = shipped_rules()
    for table in shipped_tables():
        number = NUMBERS.get(table.name, NUMBERS.get(table.why or table.name))
        if number is None:
            continue
        row, rule = found[number], book.rule(table.name)
        assert rule is not None
        row[fields.MANY] += bool(rule.many)
        row[fields.OF_TYPE] += table.of_type
        row[fields.CURES] += sum(_STATUSES.get(status, 0) for status in table.cures)
        for deed in table.does:
            match deed.verb:
                case "change attacks":
                    row[fields.MORE] = deed.by
                case "grant attack" | "attack" if deed.most is not None:
                    row[fields.PICKS] = deed.most
                case "move pucks":
                    row[fields.MOVES] = deed.most or 1
                case "discard":
                    row[fields.SPENT] = 1
                case "declare":
                    row[fields.GIVES] = _STATUSES[deed.status]
                case "match types" if deed.facing:
                    column = fields.RESISTS if deed.what == "resistance" else fields.WEAK
                    row[column] = _TYPES.index(deed.facing)
    return found


def _slammers_of(table: BattleSetup, player: int) -> list[int]:
    return [p for p, puck in enumerate(table.pucks) if puck.owner == player and table.is_slammer(p)]


@lru_cache(maxsize=2 * BLOCKS)
def slam_arrays(throws: TableThrows, block: int | None = None) -> dict[str, Any]:
    """Return the recorded slams of `Arrays` in ascending order of flips, of a block if given.

    Nothing depends on the slams at more pucks than there are, or at stacks of none.
    """
    masses_g = thrown_masses_g(throws)
    first = throws.slams(throws.kinds[0], block)
    shape = len(masses_g), fields.MOST + 1, first.shape[2]
    up, out = np.zeros((2, *shape), np.int64)
    order = np.zeros((*shape, fields.MOST), np.int8)
    knocked_out = np.zeros((len(masses_g), len(masses_g), first.shape[2]), np.int8)
    for mass, slammer_g in enumerate(masses_g):
        for target, target_g in enumerate(masses_g):
            kind = ThrowKind(slammer_g=slammer_g, knock_out_g=target_g, pieces=1)
            knocked_out[mass, target] = np.sort(throws.slams(kind, block)[0, 0] == _UP)
        most = max(
            k.pieces for k in throws.kinds if (k.slammer_g, k.knock_out_g) == (slammer_g, None)
        )
        for pieces in range(1, fields.MOST + 1):
            if pieces > most:  # another piece lies still at the bottom
                hit = up[mass, most] & fields.HIT
                up[mass, pieces] = (up[mass, pieces - 1] - hit) * 2 + hit
                out[mass, pieces] = out[mass, pieces - 1] * 2
                order[mass, pieces, :, 1:pieces] = order[mass, pieces - 1, :, : pieces - 1] + 1
                continue
            kind = ThrowKind(slammer_g=slammer_g, knock_out_g=None, pieces=pieces)
            faces, far_mm = throws.slams(kind, block)
            place = np.arange(pieces)
            flips = faces == _UP
            ranked = ((place + 1) @ flips).argsort(kind="stable")
            faces, flips = faces[:, ranked], flips[:, ranked]
            far = np.where(faces == _OUT, _FAR, far_mm[:, ranked]).T.copy()
            up[mass, pieces] = (1 << place) @ flips + fields.HIT * (faces[-1] != MISSED)
            out[mass, pieces] = (1 << place) @ (faces == _OUT)
            order[mass, pieces, :, :pieces] = far.argsort(axis=1, kind="stable")
    return {"up": up, "out": out, "order": order, "knocked_out": knocked_out}


def thrown_masses_g(throws: TableThrows) -> list[float]:
    """Return the masses of the slammers that a table throws at stacks, in ascending order."""
    return sorted({kind.slammer_g for kind in throws.kinds if kind.knock_out_g is None})


_UP, _OUT, _FAR = FACES.index(Face.UP), FACES.index(Face.OUT), np.uint8(255)


def encode_battle(state: BattleState) -> Encoded:
    """Return a battle at the beginning of a step of a turn as an array."""
    b = np.zeros(fields.LENGTH, np.int64)
    turn = state.turn
    b[fields.STEP], b[fields.NUMBER], b[fields.PLAYER] = (
        _STEPS.index(state.step),
        turn.number,
        turn.player,
    )
    b[fields.SIZE] = state.max_size(ARENA) or 0
    b[fields.ATTACKS], b[fields.MADE], b[fields.DECLARE] = turn.attacks, turn.made, -1
    for number, grant in enumerate(reversed(turn.grants)):
        most = fields.NO_LIMIT if grant.most is None else grant.most
        kind = (
            fields.SWIFTS
            if grant.rule == "Swift"
            else fields.ITEMS_ONLY
            if grant.only
            else fields.ORDINARY
        )
        b[fields.GRANTS + 1 + 2 * number : fields.GRANTS + 3 + 2 * number] = most, kind
    b[fields.GRANTS] = len(turn.grants)
    b[fields.PICKED] = len(turn.picked)
    b[fields.PICKED_ITEMS] = sum(not state.table.is_trainer(puck) for puck in turn.picked)
    b[fields.ASLEEP], b[fields.FLIPS] = ASLEEP in turn.flags, turn.flipped
    for used in turn.used:
        if used.rule in NUMBERS:
            b[fields.USED + used.player] |= 1 << NUMBERS[used.rule]
    stacks = [state.arena]
    for look in (state.health, state.power, state.prize):
        stacks += [look(player) for player in (0, 1)]
    for number, stack in enumerate(stacks):
        b[fields.COUNTS + number] = len(stack)
        begin = fields.STACKS + fields.MOST * number
        b[begin : begin + len(stack)] = stack
    for player in (0, 1):
        b[fields.ROOM + player] = state.max_sizes[stack_index(StackKind.HEALTH, player)] or 0
        b[fields.STATUS + player] = sum(_STATUSES[status] for status in state.statuses[player])
        b[fields.EFFECTS + player] = sum(_PENDING[effect] for effect in state.effects[player])
        last = state.turns[player]
        b[fields.LAST_PICKED + player] = last is not None and bool(last.picked)
    return b


def drawn_keys(rng: np.random.Generator, playouts: int) -> Ints:
    """Return random keys, one for the slams of each playout."""
    return rng.integers(1 << 62, size=playouts)


def after(moment: Moment, reply: Reply, players: Sequence[GreedyPlayer]) -> Encoded | None:
    """Return the battle after a reply, at the beginning of the next step; None if that fails.

    Further questions of the step are answered by the players' rules. A throw in the same step is
    left to the playouts, which is possible if it follows from the rules alone, or from a status
    that was declared or not.

    Args:
        moment: The battle at a question.
        reply: The reply.
        players: The players, whose rules `Arrays` knows as well.
    """
    question = moment.ask
    assert isinstance(question, Question)
    battle = LiveBattle(moment.base, moment.answers, moment.rules)
    begun = battle.moment().base
    battle.answer_legal(reply)
    while (now := battle.moment()).base is begun or now.base.turn.number == 0:
        if isinstance(now.ask, Question):
            battle.answer_legal(players[now.ask.player].reply(now.state, now.ask))
            continue
        if not all(isinstance(answer, tuple) for answer in moment.answers):
            return None
        if question.rule == Point.BEFORE_ATTACK:
            b = encode_battle(begun)
            b[fields.DECLARE] = int(bool(reply))
            return b
        by_rule = reply == players[question.player].reply(moment.state, question)
        return encode_battle(begun) if by_rule else None
    return None if now.base.step is Step.OVER else encode_battle(now.base)


def points_of(arrays: Arrays, battle: Encoded, keys: Ints, player: int) -> Ints:
    """Return a player's points in the playout of each key: 2 for a win, 1 for a draw."""
    winners = np.zeros((len(keys), 1), np.int64)
    play_out(arrays, battle, keys, np.zeros(fields.LENGTH, np.int64), winners)
    points: Ints = 2 * (winners[:, 0] == player) + (winners[:, 0] == 2)
    return points
