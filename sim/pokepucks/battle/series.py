"""Series of battles: many of one set-up, in compiled code where possible.

A battle depends on its set-up, players, throws and seed alone, so a series may be split at will.
Compiled battles draw other throws for a seed than the rules do; their shares are alike.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pucklab.base.arrays import Ints
from pucklab.base.facts import fact
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup
from pucklab.sim.pokepucks.battle.events import RuleUsed
from pucklab.sim.pokepucks.battle.kernel_rules import play_out
from pucklab.sim.pokepucks.battle.kernel_state import (
    LENGTH,
    NUMBERS,
    RULES,
    USES,
    WINNER,
    Arrays,
    Encoded,
)
from pucklab.sim.pokepucks.battle.live import begin
from pucklab.sim.pokepucks.battle.match import battle_match
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.battle.playouts import after, arrays_of, slam_arrays, why_not_covered
from pucklab.sim.pokepucks.battle.questions import Question, ThrowCall
from pucklab.sim.pokepucks.battle.state import BattleState
from pucklab.sim.pokepucks.throw_sources import TableThrows
from pucklab.sim.pokepucks.throws import Outcome, Throws

_COMPILED = ("greedy", "skilled")
"""Kinds of players whose choices are compiled; the index is that of ``Arrays.skill``."""


@fact
class Series:
    """Results of battles; arrays have a row for each."""

    winner: Ints  # -1 for a draw
    first: Ints  # the player who began
    turns: Ints
    throws: Ints  # knock-out attempts included
    attempts: Ints  # (battles, players); knock-out attempts by each player
    knock_outs: Ints  # (battles, players); those that succeeded
    uses: Counter[tuple[int, str]]  # of special rules in all battles, by player and rule


def why_by_rules(table: BattleSetup, kinds: Sequence[str], throws: Throws) -> str:
    """Return the reason why battles are not compiled; empty if they are."""
    unknown = next((f"policy {kind}" for kind in kinds if kind not in _COMPILED), "")
    source = "" if isinstance(throws, TableThrows) else "throws that are not recorded"
    return unknown or source or why_not_covered(table)


def play_series(
    table: BattleSetup, kinds: Sequence[str], throws: Throws, seeds: Sequence[int], *,
    in_blocks: bool = False,
) -> Series:  # fmt: skip
    """Play a battle with each of some seeds.

    Args:
        table: The set-up.
        kinds: The kind of each player, in turn order.
        throws: Source of the throws.
        seeds: The seeds, from 0; at least one.
        in_blocks: Draw the throws of each battle from one block of the table, if it is compiled.

    Example:
        >>> from pucklab.sim.pokepucks.battle.setup_file import house_setup
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> from pucklab.sim.pokepucks.throw_sources import shipped_table
        >>> table = house_setup([shipped_catalogue().find("onix")] * 2)
        >>> len(play_series(table, ["greedy", "skilled"], shipped_table(), [1, 2]).winner)
        2
    """
    if isinstance(throws, TableThrows) and not why_by_rules(table, kinds, throws):
        return _play_compiled(table, tuple(kinds), throws, seeds, in_blocks=in_blocks)
    uses, ends = Counter[tuple[int, str]](), list[BattleState]()
    attempts, knock_outs = np.zeros((2, len(seeds), table.players), np.int64)
    for battle, seed in enumerate(seeds):
        match = battle_match(table, [*map(PLAYERS.of, kinds)], throws, seed)
        for step in match.play():
            match.steps.clear()
            ask = step.before.ask
            uses.update((e.player, e.rule) for e in step.events if isinstance(e, RuleUsed))
            if isinstance(ask, ThrowCall) and isinstance(step.answer, Outcome) and ask.knock_out:
                attempts[battle, ask.player] += 1
                knock_outs[battle, ask.player] += 0 in step.answer.flipped
        ends.append(match.state.state)
    return Series(
        winner=np.array([-1 if end.winner is None else end.winner for end in ends]),
        first=np.array([end.table.first for end in ends]),
        turns=np.array([end.turn.number for end in ends]),
        throws=np.array([end.throws for end in ends]),
        attempts=attempts,
        knock_outs=knock_outs,
        uses=uses,
    )


def _play_compiled(
    table: BattleSetup, kinds: tuple[str, ...], throws: TableThrows, seeds: Sequence[int], *,
    in_blocks: bool,
) -> Series:  # fmt: skip
    arrays, battle = _opening(table, kinds, throws)
    keys = np.array([seed % (1 << 62) for seed in seeds])
    blocks = np.array([throws.block_of(seed) if in_blocks else -1 for seed in seeds])
    results, scratch = np.zeros((len(keys), LENGTH - WINNER), np.int64), np.zeros_like(battle)
    for block in np.unique(blocks).tolist():
        own = blocks == block
        played = results[own]
        drawn = arrays if block < 0 else arrays._replace(**slam_arrays(throws, block))
        play_out(drawn, battle, keys[own], scratch, played)
        results[own] = played
    winner, turns, throws_made, *_ = results.T
    uses = results[:, USES - WINNER :].sum(axis=0).reshape(2, RULES)
    return Series(
        winner=np.where(winner == 2, -1, winner),
        first=np.full(len(keys), table.first),
        turns=turns,
        throws=throws_made,
        attempts=results[:, 3:5],
        knock_outs=results[:, 5:7],
        uses=Counter(
            {
                (p, name): int(uses[p, n])
                for p in (0, 1)
                for name, n in NUMBERS.items()
                if uses[p, n]
            }
        ),
    )


@lru_cache(maxsize=4096)
def _opening(
    table: BattleSetup, kinds: tuple[str, ...], throws: TableThrows
) -> tuple[Arrays, Encoded]:
    """Return a battle after the set-up, which depends on no throw."""
    skills = [_COMPILED.index(kind) for kind in kinds]
    players = [player for player in map(PLAYERS.of, kinds) if isinstance(player, GreedyPlayer)]
    arrays = arrays_of(table, (skills[0], skills[1]), throws)
    opening = begin(table)
    assert arrays is not None
    assert isinstance(opening.ask, Question)
    reply = players[opening.ask.player].reply(opening.state, opening.ask)
    battle = after(opening, reply, players)
    assert battle is not None
    return arrays, battle
