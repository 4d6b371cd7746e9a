"""Review of a battle: the chance to win, the throws that decided it, better moves.

`review_battle` plays every step of a battle out by the compiled battles, with skilled players on
both sides, and yields a `Review` after each step; the last one is complete. `review_lines` tells
it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt
from typing import TypeVar

import numpy as np

from pucklab.base.arrays import Floats, Ints
from pucklab.base.facts import fact
from pucklab.physics import trial_generator
from pucklab.sim.experiments import block_effect
from pucklab.sim.experiments.estimates import Z_95
from pucklab.sim.pokepucks.battle.events import StepBegan, Thrown, apply
from pucklab.sim.pokepucks.battle.expert import ahead, try_replies
from pucklab.sim.pokepucks.battle.kernel_state import Arrays, Encoded
from pucklab.sim.pokepucks.battle.live import BattleStep
from pucklab.sim.pokepucks.battle.narration import spell
from pucklab.sim.pokepucks.battle.players import SkilledPlayer
from pucklab.sim.pokepucks.battle.playouts import (
    arrays_of,
    drawn_keys,
    encode_battle,
    points_of,
    slam_arrays,
)
from pucklab.sim.pokepucks.battle.questions import Question, option_names
from pucklab.sim.pokepucks.battle.state import BattleState, Step
from pucklab.sim.pokepucks.special import rules_of
from pucklab.sim.pokepucks.throw_sources import shipped_table

_Numbers = TypeVar("_Numbers", Ints, Floats)

_PLAYOUTS, _TRIED, _CHECKED = 400, 120, 2_000
"""Playouts of a step, of each reply that is tried, and of the best one beside the one given."""

_ERRORS = 2.5
"""Standard errors by which another move must be better to be told."""

_SEED = 1


@fact
class DecidingThrow:
    """A throw that changed the chance to win."""

    turn: int
    words: str  # what it did
    change: float  # of the player's chance to win
    step: int = 0  # number of the step with the throw, from 0


@fact
class BetterMove:
    """A reply that wins more often than the one given."""

    turn: int
    words: str  # what was asked, the better reply and the one given
    gain: float  # of the chance to win


@fact
class Review:
    """The review of a battle by one of its players."""

    player: int
    curve: tuple[tuple[int, float], ...] = ()  # chance to win when turns begin, and at the end
    error: float = 0.0  # largest half-width of the chances' 95 % intervals
    throws: tuple[DecidingThrow, ...] = ()  # those with the greatest changes, in order
    better: BetterMove | None = None
    is_complete: bool = False


_MOST_THROWS = 3


def review_battle(steps: Sequence[BattleStep], player: int) -> Iterator[Review]:
    """Yield reviews of a battle that is over, a step further each time; none if it is not covered.

    Args:
        steps: The battle.
        player: The player whose chances and moves are reviewed.
    """
    if not steps:
        return
    table = steps[-1].after.state.table
    source = shipped_table()
    arrays = arrays_of(table, (1, 1), source, rules_of(table))
    if arrays is None:
        return
    blocks = [slam_arrays(source, block) for block in range(source.blocks)]
    looks = _Looks(arrays, [arrays._replace(**drawn) for drawn in blocks], player)
    review = Review(player=player)
    for step in steps:
        ask = step.before.ask
        if isinstance(ask, Question) and ask.player == player and step.before.state.turn.number:
            found = looks.better(step)
            if found is not None and (review.better is None or found.gain > review.better.gain):
                review = replace(review, better=found)
        yield review
    curve, throws = list[tuple[int, float]](), list[DecidingThrow]()
    for (state, thrown), (following, _) in pairwise(_steps_of(steps)):
        if state.step is Step.BEFORE_TOP_OFF:
            curve.append((state.turn.number, looks.chance(state)))
        if thrown is not None:
            change = looks.chance(following) - looks.chance(state)
            before, event, number = thrown
            name, flips = table.names[event.player], len(event.outcome.flipped)
            words = f"{name} flips {spell(flips)}" if flips else f"{name} flips nothing"
            if before.attack is not None and before.attack.knock_out:
                words = f"{name} throws at {table.names[before.player]}'s slammer"
                words += " and flips it" if 0 in event.outcome.flipped else ", which does not flip"
            turn = state.turn.number
            throws.append(DecidingThrow(turn=turn, words=words, change=change, step=number))
        yield replace(review, curve=tuple(curve), throws=_greatest(throws))
    end = steps[-1].after.state
    curve.append((end.turn.number + 1, looks.chance(end)))
    yield replace(
        review,
        curve=tuple(curve),
        error=looks.error,
        throws=_greatest(throws),
        is_complete=True,
    )


_Thrown = tuple[BattleState, Thrown, int]


def _steps_of(steps: Sequence[BattleStep]) -> list[tuple[BattleState, _Thrown | None]]:
    """Return the state when each step of a turn begins, with the throw in it, and the end."""
    found: list[tuple[BattleState, _Thrown | None]] = []
    for number, step in enumerate(steps):
        state = step.before.state
        for event in step.events:
            if isinstance(event, Thrown) and found:
                found[-1] = (found[-1][0], (state, event, number))
            state = apply(state, event)
            if isinstance(event, StepBegan) and state.turn.number:
                found.append((state, None))
    return found


def _greatest(throws: Sequence[DecidingThrow]) -> tuple[DecidingThrow, ...]:
    chosen = sorted(throws, key=lambda throw: -abs(throw.change))[:_MOST_THROWS]
    return tuple(throw for throw in throws if throw in chosen)


@dataclass
class _Looks:
    """Playouts of a battle, as one of its players sees them."""

    _arrays: Arrays
    _blocks: Sequence[Arrays]  # with the throws of each block alone
    _player: int
    error: float = 0.0  # largest half-width of the chances' 95 % intervals
    _last: tuple[BattleState, float] | None = None

    def chance(self, state: BattleState) -> float:
        """Return the player's chance to win at the beginning of a step, or after the end."""
        if state.step is Step.OVER:
            return 0.5 if state.winner is None else float(state.winner == self._player)
        if len(state.playing) < state.table.players:
            return float(self._player in state.playing)
        if self._last is None or self._last[0] is not state:
            battle = encode_battle(state)
            keys = drawn_keys(trial_generator(_SEED, 0), _PLAYOUTS)
            won = points_of(self._arrays, battle, keys, self._player) / 2
            sums = self._in_blocks(self._points(battle, _PLAYOUTS, 0) / 2).sum(axis=1)
            trials = [_PLAYOUTS // len(sums)] * len(sums)
            effect = block_effect(trials, sums.tolist(), float(won.var()))
            self.error = max(self.error, Z_95 * sqrt(effect * won.var() / _PLAYOUTS))
            self._last = state, float(won.mean())
        return self._last[1]

    def better(self, step: BattleStep) -> BetterMove | None:
        """Return the best other reply to a question, if it is clearly better than the one given."""
        given = step.answer
        assert isinstance(given, tuple)
        covered, _ = try_replies(step.before, given, [SkilledPlayer()] * 2)
        if not covered or covered[0][0] != given:
            return None
        best = int(np.argmax([self._points(battle, _TRIED, 1).sum() for _, battle in covered]))
        # The best of many looks better than it is: it is compared again with other playouts.
        mine, other = (self._points(covered[place][1], _CHECKED, 2) for place in (0, best))
        gain = float((other - mine).mean()) / 2
        means = [self._in_blocks(points).mean(axis=1) for points in (other, mine)]
        if min(ahead(other, mine), ahead(*means)) < _ERRORS or gain <= 0:
            return None
        state, question = step.before.state, step.before.ask
        assert isinstance(question, Question)
        better, worse = (option_names(state.table, chosen) for chosen in (covered[best][0], given))
        words = f"{question.asking}: {better} instead of {worse}"
        return BetterMove(turn=state.turn.number, words=words, gain=gain)

    def _points(self, battle: Encoded, playouts: int, stream: int) -> Ints:
        """Points of the player in playouts, as many with the throws of each block, in order."""
        keys = self._in_blocks(drawn_keys(trial_generator(_SEED, stream), playouts))
        found = [points_of(arrays, battle, own, self._player)
                 for arrays, own in zip(self._blocks, keys, strict=True)]  # fmt: skip
        return np.concatenate(found)

    def _in_blocks(self, playouts: _Numbers) -> _Numbers:
        """Return values of playouts in rows, one for each block of throws."""
        return playouts.reshape(len(self._blocks), -1)


def review_lines(review: Review) -> Iterator[str]:
    """Yield a review as lines: the chance to win, the throws that decided, the better move."""
    chances = ", ".join(f"{100 * chance:.0f}" for _, chance in review.curve[:-1])
    if chances:
        sure = f" (± {100 * review.error:.0f})" if review.error else ""
        yield f"Chance to win at the beginning of each turn, in %{sure}: {chances}."
    for throw in review.throws:
        yield f"Turn {throw.turn}: {throw.words} ({100 * throw.change:+.0f} %)."
    if review.better is not None:
        move = review.better
        yield f"Your best other move, turn {move.turn}: {move.words} ({100 * move.gain:+.0f} %)."
    elif review.is_complete:
        yield "No other move of yours was clearly better."
