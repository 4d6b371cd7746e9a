"""The expert: a player that tries its replies in playouts.

It begins with the reply of `SkilledPlayer`: a greedy player with better judgement, which also plays
the playouts, with throws from the shipped table. In battles that
`pucklab.sim.pokepucks.battle.playouts` covers, all replies are tried, and thousands of playouts go
to the end of the battle. The replies
race: all meet the same random numbers, and one that falls clearly behind drops out. In the
others it plays by its rules alone: a hundred slow playouts of a turn or two there, valued by a fit
to many battles, won only 1.4 +- 1.0 % more of 546 battles.

With a number of playouts the same seed gives the same replies; with a time limit it does not.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, permutations
from math import copysign, inf, sqrt

import numpy as np

from pucklab.base.arrays import Floats, Ints
from pucklab.physics import InputError
from pucklab.sim.core.game import Decision
from pucklab.sim.pokepucks.battle.kernel_state import Arrays, Encoded
from pucklab.sim.pokepucks.battle.live import Moment
from pucklab.sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from pucklab.sim.pokepucks.battle.playouts import after, arrays_of, drawn_keys, points_of
from pucklab.sim.pokepucks.battle.questions import Option, Question, Reply
from pucklab.sim.pokepucks.battle.state import BattleState
from pucklab.sim.pokepucks.throw_sources import shipped_table

LEVELS = {"expert-quick": 2_000, "expert": 20_000, "expert-deep": 100_000}
"""Playouts for a decision of each level; 20,000 take up to 0.2 s on one core."""

MAX_PLAYOUTS = 1_000_000
MAX_SECONDS = 60.0

_FIRST_BATCH, _LAST_BATCH = 64, 256
"""Playouts of each reply between two looks at the race."""

_DROPPED, _BETTER = 2.5, 1.0
"""Standard errors by which a reply must be behind the leader to drop out, and the leader ahead of
the first reply to be preferred."""


class ExpertPlayer:
    """Searches for its replies by playouts; see the module.

    Args:
        playouts: Playouts for a decision, from 1.
        seconds: Time for a decision instead; None to go by playouts.

    Raises:
        InputError: A number is out of range.
    """

    def __init__(self, playouts: int = LEVELS["expert"], *, seconds: float | None = None) -> None:
        if not 1 <= playouts <= MAX_PLAYOUTS:
            raise InputError(f"playouts: {playouts} is not accepted; give 1 to {MAX_PLAYOUTS}")
        if seconds is not None and not 0 < seconds <= MAX_SECONDS:
            raise InputError(f"seconds: {seconds:g} is not accepted; give up to {MAX_SECONDS:g}")
        self.playouts = playouts if seconds is None else MAX_PLAYOUTS
        self.seconds = seconds
        self._policy = SkilledPlayer()
        self._known: tuple[object, Arrays | None] | None = None

    def choose(self, state: Moment, decision: Decision, rng: np.random.Generator) -> Reply:
        """Return the reply to a question of this player that wins most playouts.

        Where there are too many replies to try all, those close to the best one so far race, round
        after round, until it stays the best or the playouts are used up.
        """
        moment, question = state, decision.about
        best, begin = self._policy.reply(moment.state, question), time.monotonic()
        table = moment.state.table
        if self._known is None or self._known[0] is not table:
            self._known = table, arrays_of(table, (1, 1), shipped_table(), moment.rules)
        arrays = self._known[1]
        if arrays is None:  # the compiled battles do not reach it
            return best
        made = 0
        while not self._is_spent(made, begin):
            covered, are_all = try_replies(moment, best, [self._policy] * 2)
            if not covered:
                return best
            # Half of what is left goes into each round, so that there can be another.
            spared = 0 if are_all else (self.playouts - made) // 2
            place, more = self._race(
                arrays, [battle for _, battle in covered], question.player, rng,
                self.playouts - made - spared, begin,
            )  # fmt: skip
            made += more
            if are_all or not place:
                return covered[place][0]
            best = covered[place][0]
        return best

    def _race(
        self, arrays: Arrays, battles: list[Encoded], player: int, rng: np.random.Generator,
        playouts: int, begin: float,
    ) -> tuple[int, int]:  # fmt: skip
        """Return the index of the battle that the player wins most often, and the playouts made.

        The battles race (Maron and Moore, 1994): all that are left meet the same throws. One that
        is clearly behind the leader drops out, and so does one that never differs from it. The
        first gives way only to one that is likely to be better.
        """
        made, batch = 0, _FIRST_BATCH
        won: list[list[Ints]] = [[] for _ in battles]
        points = [np.zeros(0, np.int64)] * len(battles)
        alive = list(range(len(battles)))
        while len(alive) > 1 and made < playouts and not self._is_spent(0, begin):
            if self.seconds is None:
                batch = max(min(batch, (playouts - made) // len(alive)), 1)
            keys = drawn_keys(rng, batch)
            for index in alive:
                won[index].append(points_of(arrays, battles[index], keys, player))
            made += batch * len(alive)
            batch = min(2 * batch, _LAST_BATCH)
            for index in alive:
                points[index] = np.concatenate(won[index])
            leader = max(alive, key=lambda index: points[index].sum())
            alive = [
                index
                for index in alive
                if index == leader or ahead(points[leader], points[index]) < _DROPPED
            ]
        if not made:
            return 0, made
        leader = max(alive, key=lambda index: points[index].sum())
        return (leader if ahead(points[leader], points[0]) > _BETTER else 0), made

    def _is_spent(self, made: int, begin: float) -> bool:
        """Return whether the playouts or the time of a decision are used up."""
        if self.seconds is not None:
            return time.monotonic() - begin >= self.seconds
        return made >= self.playouts


def ahead(leader: Ints | Floats, other: Ints | Floats) -> float:
    """Lead of a reply over another in standard errors of their playouts.

    The other may have dropped out earlier, so only the playouts that both made are compared. If all
    of them are equal, the lead is infinite: the two replies have the same effect.
    """
    pairs = leader[: len(other)].astype(float) - other
    mean, error = float(pairs.mean()), float(pairs.std()) / sqrt(len(pairs))
    return mean / error if error else copysign(inf, mean)


def try_replies(
    moment: Moment, first: Reply, players: Sequence[GreedyPlayer]
) -> tuple[list[tuple[Reply, Encoded]], bool]:
    """Return replies, ``first`` first, with the battles after them, and whether these are all.

    There are none if compiled battles do not cover the battle, or if there is a single reply.
    """
    replies, are_all = list_replies(moment, first)
    ready = [(reply, after(moment, reply, players)) for reply in replies]
    covered = [(reply, battle) for reply, battle in ready if battle is not None]
    return (covered if ready[0][1] is not None and len(covered) > 1 else []), are_all


_MOST_REPLIES, _MOST_LISTED = 24, 3_000
"""Most different replies that are tried, and most that are looked through for different ones."""


def list_replies(moment: Moment, first: Reply) -> tuple[list[Reply], bool]:
    """Return different replies, beginning with ``first``, and whether these are all.

    Replies that differ only in pucks of the same design count as the same. If there are too many,
    those close to the first are taken: with one option added, removed or replaced, or in another
    order.
    """
    question = moment.ask
    assert isinstance(question, Question)
    listed = permutations if question.ordered else combinations
    sizes = range(question.least, question.most + 1)
    every = chain.from_iterable(listed(question.options, size) for size in sizes)
    found = _different(moment, first, islice(every, _MOST_LISTED + 1))
    if found and next(every, None) is None:
        return found, True
    close = (r for r in _variants(question, first) if question.least <= len(r) <= question.most)
    return _different(moment, first, close, _MOST_REPLIES), False


def _different(moment: Moment, first: Reply, others: Iterable[Reply], most: int = 0) -> list[Reply]:
    """Return replies that differ in designs; only ``most`` of them, or none if they are more."""
    question = moment.ask
    assert isinstance(question, Question)
    found: dict[tuple[tuple[str, str], ...], Reply] = {}
    for reply in chain([first], others):
        words = tuple(_word(moment.state, option) for option in reply)
        found.setdefault(words if question.ordered else tuple(sorted(words)), reply)
        if most and len(found) == most:
            break
        if len(found) > _MOST_REPLIES:
            return []
    return list(found.values())


def _word(state: BattleState, option: Option) -> tuple[str, str]:
    """Return an option in terms of designs."""
    if isinstance(option, int):
        return "", state.design(option).name
    return option.rule, "" if option.puck is None else state.design(option.puck).name


def _variants(question: Question, first: Reply) -> Iterator[Reply]:
    """Yield replies that differ from the first one: by one option more, less or other, in order."""
    options = question.options
    if question.most == 1:
        yield ()
        yield from ((option,) for option in options)
        return
    others = [option for option in options if option not in first]
    if question.ordered and len(first) > 1:
        yield first[::-1]
        if not others:  # another one on top
            yield from ((*first[:k], *first[k + 1 :], first[k]) for k in range(len(first)))
    yield ()
    yield from ((*first, option) for option in others)
    yield from (first[:k] + first[k + 1 :] for k in range(len(first)))
    for option in others:
        yield from ((*first[:k], option, *first[k + 1 :]) for k in range(len(first)))
