"""Playouts: whole battles in compiled code, from any question on.

`arrays_of` says which battles are covered: those of two players with a Pokémon each, the pucks of
house decks, Power Stones, Plain Pucks and Sandbags, and the default options. `after` encodes a
battle after a reply, and `play_out` plays it to the end, thousands of times in a tenth of a second.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.compiling import compile_at_once, compile_in_background
from sim.pokepucks.battle import playout_kernel as kernel
from sim.pokepucks.battle.evaluation import arena_value, puck_value, type_advantage
from sim.pokepucks.battle.live import LiveBattle, Moment
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.playout_kernel import Arrays, Encoded
from sim.pokepucks.battle.questions import Question, Reply
from sim.pokepucks.battle.rules import Point, RuleBook, View
from sim.pokepucks.battle.state import (
    ARENA,
    ASLEEP,
    BattleState,
    StackKind,
    Status,
    Step,
    stack_index,
)
from sim.pokepucks.battle.table import BattleOptions, Table
from sim.pokepucks.designs import DesignKind, EnergyType
from sim.pokepucks.special import shipped_rules
from sim.pokepucks.throw_sources import TableThrows
from sim.pokepucks.throws import Outcome, ThrowKind

_STEPS = tuple(Step)[tuple(Step).index(Step.BEFORE_TOP_OFF) :]

_PUCKS = (
    "Plain Puck", "Energy", "Focus Energy", "Power Stone", "Potion", "Berry", "Full Heal",
    "Poké Flute", "Focus Sash", "Silph Scope", "Switch", "Mr. Merkert", "Mr. Saia", "Sandbag",
)  # fmt: skip

_ABILITIES = (
    "Leech Seed", "Rage", "Defense Curl", "Wing Attack", "Thunder Wave", "Sing", "Pay Day",
    "Cross Chop", "Poison Cloud", "Dig", "Cut", "Surf", "Genetically Unstable", "Ice Beam", "Swift",
    "Fire Spin", "Hyper Beam", "Rest",
)  # fmt: skip

_MASSES_G = (4.0, 8.0, 20.0)

_TYPES = tuple(EnergyType)

_PIECES, _LOTS = 24, 512

_STATUSES = {
    Status.CRITICAL: kernel.CRITICAL,
    Status.PARALYZED: kernel.PARALYZED,
    Status.SLEEP: kernel.SLEEP,
    Status.POISONED: kernel.POISONED,
}

_PENDING = {
    "Dig's attack more": kernel.DIG_PENDING,
    "Hyper Beam's recoil": kernel.RECOIL,
    "Defense Curl's pick-up less": kernel.CURL_PENDING,
    "Fire Spin's hold": 0,  # nobody has a slammer to switch to
}


def arrays_of(
    table: Table, skill: tuple[int, int], throws: TableThrows, rules: RuleBook | None = None
) -> Arrays | None:
    """Return the facts of a battle; None if its playouts are not covered.

    Args:
        table: The set-up.
        skill: For each player, 1 to play by the rules of `SkilledPlayer`, 0 to play greedily.
        throws: The recorded slams.
        rules: The special rules in play; the shipped ones if None.
    """
    rules = rules or shipped_rules()
    slammers = [_slammer_of(table, player) for player in (0, 1)]
    if not _is_covered(table, slammers, rules):
        return None
    drawn = _drawn(throws)
    if drawn is None:
        return None
    designs = [puck.design for puck in table.pucks]
    state = _seated(table, slammers)
    views = [View(state, rules, player) for player in (0, 1)]
    own = [designs[puck] for puck in slammers if puck is not None]
    return Arrays(
        rule=np.array([_PUCKS.index(d.rule) if d.rule in _PUCKS else 0 for d in designs]),
        type=np.array([_type_number(d.type) for d in designs]),
        value=np.array([[puck_value(v, p) for p in range(len(designs))] for v in views]),
        wish=np.array([[round(2 * arena_value(v, p)) for p in range(len(designs))] for v in views]),
        slammers=np.array(
            [
                [
                    _ABILITIES.index(d.rule),
                    _type_number(d.type),
                    _type_number(d.weakness) or -1,
                    _type_number(d.resistance) or -1,
                    _MASSES_G.index(d.mass_g),
                    type_advantage(d, other),
                ]
                for d, other in zip(own, own[::-1], strict=True)
            ]
        ),
        skill=np.array(skill),
        **drawn,
        limit=table.options.max_turns * 2,
    )


def begin_to_compile_battles() -> None:
    """Compile the battles in a process of its own, unless they are kept already."""
    compile_in_background(compile_battles, kernel.play_out)


def compile_battles() -> None:
    """Have the compiled battles compiled, by a playout of no battle."""
    compile_at_once()
    masses, nothing = len(_MASSES_G), np.zeros((2, 1), np.int64)
    slams = np.zeros((masses, _PIECES, 1), np.int64)
    arrays = Arrays(
        rule=nothing[0],
        type=nothing[0],
        value=nothing,
        wish=nothing,
        slammers=np.zeros((2, 6), np.int64),
        skill=nothing[0],
        up=slams,
        out=slams,
        order=np.zeros((masses, _PIECES, 1, _PIECES), np.int8),
        knocked_out=np.zeros((masses, masses, 1), np.int8),
        limit=2,
    )
    battle = np.zeros(kernel.LENGTH, np.int16)
    kernel.play_out(arrays, battle, np.zeros((0, _LOTS), np.int16), battle, np.zeros(0, np.int8))


def _slammer_of(table: Table, player: int) -> int | None:
    own = [p for p, puck in enumerate(table.pucks) if puck.owner == player and table.is_slammer(p)]
    return own[0] if len(own) == 1 else None


def _is_covered(table: Table, slammers: list[int | None], rules: RuleBook) -> bool:
    options = table.options
    return (
        table.players == 2
        and replace(options, buy_in=None, max_turns=250, first="") == BattleOptions()
        and rules == shipped_rules()
        and not table.rules
        and len(table.pucks) <= kernel.MOST
        and all(
            puck is not None
            and table.pucks[puck].design.rule in _ABILITIES
            and table.pucks[puck].design.mass_g in _MASSES_G
            for puck in slammers
        )
        and all(
            place in slammers
            or puck.design.rule in _PUCKS
            or (puck.design.kind is DesignKind.PLAIN and not puck.design.rule)
            for place, puck in enumerate(table.pucks)
        )
    )


def _seated(table: Table, slammers: list[int | None]) -> BattleState:
    """Return a state with the slammers in their places, to value pucks by."""
    stacks: list[tuple[int, ...]] = [()] * 13
    for player, puck in enumerate(slammers):
        if puck is not None:
            stacks[stack_index(StackKind.SLAMMER, player)] = (puck,)
    return BattleState(
        table=table,
        stacks=tuple(stacks),
        max_sizes=(None,) * 13,
        statuses=((), ()),
        effects=((), ()),
        playing=(0, 1),
    )


def _type_number(kind: EnergyType | None) -> int:
    return 0 if kind is None else _TYPES.index(kind) + 1


@lru_cache(maxsize=2)
def _drawn(throws: TableThrows) -> dict[str, Any] | None:
    """Return recorded slams as arrays, those of few flips first; None if they are too few."""
    masses = range(len(_MASSES_G))
    shape = (len(_MASSES_G), _PIECES, kernel.SLAMS)
    up, out = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    order = np.zeros((*shape, _PIECES), np.int8)
    knocked_out = np.zeros((len(_MASSES_G), len(_MASSES_G), kernel.SLAMS), np.int8)
    for mass in masses:
        for target in masses:
            slams = sorted_slams(
                throws,
                ThrowKind(slammer_g=_MASSES_G[mass], knock_out_g=_MASSES_G[target], pieces=1),
            )
            if len(slams) != kernel.SLAMS:
                return None
            knocked_out[mass, target] = [0 in slam.flipped for slam in slams]
        for pieces in range(1, _PIECES):
            slams = sorted_slams(
                throws, ThrowKind(slammer_g=_MASSES_G[mass], knock_out_g=None, pieces=pieces)
            )
            if len(slams) != kernel.SLAMS:
                return None
            for number, slam in enumerate(slams):
                if not slam.hit:
                    continue
                up[mass, pieces, number] = kernel.HIT | sum(1 << i for i in slam.flipped)
                out[mass, pieces, number] = sum(1 << i for i in slam.out)
                inside = [i for i in range(pieces) if i not in slam.out]
                inside.sort(key=[landing.distance_mm for landing in slam.landings].__getitem__)
                order[mass, pieces, number, : len(inside)] = inside
    return {"up": up, "out": out, "order": order, "knocked_out": knocked_out}


def sorted_slams(throws: TableThrows, kind: ThrowKind) -> list[Outcome]:
    """Return recorded slams of a kind, those of few flips first."""
    return sorted(throws.slams(kind), key=lambda slam: sum(slam.flipped, len(slam.flipped)))


def encoded(state: BattleState) -> NDArray[np.int16]:
    """Return a battle at the beginning of a step of a turn as an array."""
    b = np.zeros(kernel.LENGTH, np.int16)
    turn = state.turn
    b[kernel.STEP], b[kernel.NUMBER], b[kernel.PLAYER] = (
        _STEPS.index(state.step),
        turn.number,
        turn.player,
    )
    b[kernel.SIZE] = state.max_size(ARENA) or 0
    b[kernel.ATTACKS], b[kernel.MADE], b[kernel.DECLARE] = turn.attacks, turn.made, -1
    for number, grant in enumerate(reversed(turn.grants)):
        most = kernel.NO_LIMIT if grant.most is None else grant.most
        kind = (
            kernel.SWIFTS
            if grant.rule == "Swift"
            else kernel.ITEMS_ONLY
            if grant.only
            else kernel.ORDINARY
        )
        b[kernel.GRANTS + 1 + 2 * number : kernel.GRANTS + 3 + 2 * number] = most, kind
    b[kernel.GRANTS] = len(turn.grants)
    b[kernel.PICKED] = len(turn.picked)
    b[kernel.PICKED_ITEMS] = sum(not state.table.is_trainer(puck) for puck in turn.picked)
    b[kernel.ASLEEP] = ASLEEP in turn.flags
    for use in turn.used:
        rule = state.design(use.puck).rule if use.puck is not None else ""
        if rule in _ABILITIES and use.rule == rule:
            b[kernel.USED + use.player] |= kernel.ABILITY_USED
        elif rule == "Mr. Merkert":
            b[kernel.USED + use.player] |= kernel.MERKERT_USED
        elif rule in _PUCKS and rule != "Sandbag":  # which acts as often as it can
            b[kernel.USED + use.player] |= 1 << _PUCKS.index(rule)
    stacks = [state.arena]
    for look in (state.health, state.power, state.prize):
        stacks += [look(player) for player in (0, 1)]
    for number, stack in enumerate(stacks):
        b[kernel.COUNTS + number] = len(stack)
        b[
            kernel.STACKS + kernel.MOST * number : kernel.STACKS + kernel.MOST * number + len(stack)
        ] = stack
    for player in (0, 1):
        b[kernel.ROOM + player] = state.max_sizes[stack_index(StackKind.HEALTH, player)] or 0
        b[kernel.STATUS + player] = sum(_STATUSES[status] for status in state.statuses[player])
        b[kernel.EFFECTS + player] = sum(_PENDING[effect] for effect in state.effects[player])
        last = state.turns[player]
        b[kernel.LAST_PICKED + player] = last is not None and bool(last.picked)
    return b


def drawn_lots(rng: np.random.Generator, playouts: int) -> NDArray[np.int16]:
    """Return random numbers of recorded slams, a row for each playout."""
    return rng.integers(kernel.SLAMS, size=(playouts, _LOTS), dtype=np.int16)


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
            b = encoded(begun)
            b[kernel.DECLARE] = int(bool(reply))
            return b
        by_rule = reply == players[question.player].reply(moment.state, question)
        return encoded(begun) if by_rule else None
    return None if now.base.step is Step.OVER else encoded(now.base)
