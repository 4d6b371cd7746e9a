"""The expert: a player that tries its replies in playouts.

For a question it makes candidate replies, the first by `SeasonedPlayer`: a greedy player with
better judgement, which also plays the playouts, with throws from the shipped table. The candidates
race: all meet the same random numbers, and one that falls clearly behind drops out.

In battles that `sim.pokepucks.battle.playouts` covers, all replies are tried, and thousands of
playouts go to the end of the battle. In the others a hundred go a turn or two, and
`winning_chance` values the battle then.

With a number of playouts the same seed gives the same replies; with a time limit it does not.
"""

import time
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from math import ceil, comb, copysign, inf, perm, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics import InputError
from sim.pokepucks.battle.evaluation import (
    arena_value,
    expected_attacks,
    puck_value,
    pucks_of,
)
from sim.pokepucks.battle.live import LiveBattle, Moment, shot_of
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.playout_kernel import LENGTH, Arrays, Encoded, play_out
from sim.pokepucks.battle.playouts import after, arrays_of, drawn_lots
from sim.pokepucks.battle.position import winning_chance
from sim.pokepucks.battle.questions import Asking, Option, Question, Reply, ThrowCall
from sim.pokepucks.battle.rules import Point, Rule, RuleBook, View, Wanted, rules_of
from sim.pokepucks.battle.setup import ARENA_PUCKS
from sim.pokepucks.battle.state import BattleState, Status
from sim.pokepucks.special.abilities import RECOIL_PENDING, can_strike, top_off_would_fail_healed
from sim.pokepucks.special.items import heals_well
from sim.pokepucks.throw_sources import TableThrows, shipped_table
from sim.pokepucks.throws import Outcome, ThrowKind, kind_of, missed

if TYPE_CHECKING:
    from sim.pokepucks.battle.table import Table

LEVELS = {"expert-quick": 2_000, "expert": 20_000, "expert-deep": 100_000}
"""Playouts for a decision of each level; 20,000 take up to 0.2 s on one core."""

MAX_PLAYOUTS = 1_000_000
MAX_SECONDS = 60.0

_TURNS = 2
"""Turns after the current one that a playout goes through before it is valued."""

_WILD_TURNS = 12
"""The same in a wild battle, whose turns have one throw at most."""

_CANDIDATES = 8
_SLOWER = 125
"""Compiled playouts in the time of one that is not."""

_FIRST_BATCH, _LAST_BATCH = 64, 256
"""Compiled playouts of each reply between two looks at the race."""

_THROWS = 48
"""Random numbers for the throws of one playout; later throws use them again."""

_STRATA = 32
"""Playouts whose throws are stratified together."""

_BATCH = 8
"""Playouts of each candidate between two looks at the race."""

_DROPPED, _BETTER = 2.5, 1.0
"""Standard errors by which a candidate must be behind the leader to drop out, and the leader ahead
of the first reply to be preferred."""

_NOT_SEARCHED = frozenset(
    {
        Asking.HEALTH,
        Asking.BUILD_ARENA,
        Asking.SLAMMER,
        Asking.TEAM,
        Asking.BUILD_PRIZE,
        Asking.TOP_OFF,
        Asking.KNOCK_OUT,
        Asking.RESTACK_OUT,
        Asking.DISCARD,
        Point.BEFORE_TOP_OFF,
        Point.COUNTED,
        Point.AFTER_COUNTING,
        Point.BEFORE_ATTACK,
        Point.PICKED_UP,
        Point.AFTER_ATTACKS,
    }
)
"""Questions, and points of the turn, at which the policy's reply is taken: other replies won hardly
more where they were tried, and playouts are better spent elsewhere."""


class SeasonedPlayer(GreedyPlayer):
    """The greedy player with better judgement of a few rules that come with pucklab.

    Each difference was tried in battles of two with random slammers, in which each player had it
    or not by chance. So many more percent of the battles were won with it, with standard errors:

    ===========================================================  =============  =======
    difference                                                   share          battles
    ===========================================================  =============  =======
    Mr. Merkert is kept rather than Mr. Saia                     +2.8 +- 0.7    9,019
    Potions wait for low Health and for a top-off they save      +1.8 +- 0.9    9,019
    In set-up the best pucks are put last, and so on top         +1.2 +- 0.8    9,019
    Mr. Saia takes what is worth most to both players            +0.7 +- 0.3    38,955
    With Jigglypuff: Sing against two attacks or more            +9.7 +- 2.1    9,019
    With Pikachu: Thunder Wave against two attacks or more       +3.7 +- 2.1    38,955
    With Aerodactyl: no Hyper Beam with three attacks or more    +3.3 +- 2.2    9,019
    ===========================================================  =============  =======
    """

    def reply(self, state: BattleState, question: Question) -> Reply:
        """Return the reply; no random numbers are needed."""
        reply = super().reply(state, question)
        if question.asking is Asking.BUILD_ARENA:
            return _best_put_last(state, question, self.rules or rules_of(state.table))
        if question.asking is Asking.DISCARD:
            return _keep_best_trainer(state, question, reply)
        if question.asking is Asking.RULE and question.rule == "Mr. Saia":
            return _exchange(
                View(state, self.rules or rules_of(state.table), question.player), question
            )
        return reply

    def wants(self, view: View, rule: Rule) -> bool:
        """Return whether a special rule is worth using now."""
        return _JUDGEMENTS.get(rule.name, rule.hints.wanted)(view)


def _best_put_last(state: BattleState, question: Question, rules: RuleBook) -> Reply:
    """Put the pucks that the player wants back into the Arena last, so that they end on top."""
    view = View(state, rules, question.player)
    wanted = sorted(pucks_of(question), key=lambda puck: -arena_value(view, puck))
    players = state.table.players
    rounds_left = ceil(ARENA_PUCKS / players) - len(state.arena) // players
    return (wanted[min(max(rounds_left, 1), len(wanted)) - 1],)


def _exchange(view: View, question: Question) -> Reply:
    """Take the flipped puck that is worth most to both players, for the one worth least."""
    rival = view._replace(player=view.state.next_player(view.player))

    def worth(puck: int) -> int:
        return puck_value(view, puck) + puck_value(rival, puck)

    giving = set(question.options) <= set(view.state.health(view.player))
    return ((min if giving else max)(pucks_of(question), key=worth),)


def _keep_best_trainer(state: BattleState, question: Question, reply: Reply) -> Reply:
    """Keep Mr. Merkert rather than another Trainer: an attack more is worth more than a swap."""
    trainers = [p for p in pucks_of(question) if state.table.is_trainer(p)]
    best = [p for p in trainers if state.design(p).rule == _BEST_TRAINER]
    if not best:
        return reply
    rest = tuple(puck for puck in reply if puck not in trainers)
    return (*rest, *(puck for puck in trainers if puck != best[-1]))


_BEST_TRAINER = "Mr. Merkert"


def _heals_in_time(view: View) -> bool:
    """Keep a Potion for low Health, and do not waste it on a top-off that fails all the same."""
    low = len(view.state.health(view.player)) <= _LOW_HEALTH
    return low and heals_well(view) and not top_off_would_fail_healed(view)


_LOW_HEALTH = 3


def _stops_attacks(status: Status) -> Wanted:
    """Return the advice to give a status to a rival who has more than one attack, and no cure."""

    def wanted(view: View) -> bool:
        rival = view._replace(player=view.state.next_player(view.player))
        return can_strike(view, status) and expected_attacks(rival) > 1

    return wanted


def _beams(view: View) -> bool:
    """Use Hyper Beam with few attacks: the next turn has but one, however many there would be."""
    return (
        view.state.turn.attacks <= _FEW_ATTACKS
        and RECOIL_PENDING not in (view.state.effects[view.player])
    )


_FEW_ATTACKS = 2

_JUDGEMENTS: Mapping[str, Wanted] = MappingProxyType(
    {
        "Potion": _heals_in_time,
        "Sing": _stops_attacks(Status.SLEEP),
        "Thunder Wave": _stops_attacks(Status.PARALYZED),
        "Hyper Beam": _beams,
    }
)


class ExpertPlayer:
    """Searches for its replies by playouts; see the module.

    Args:
        playouts: Playouts for a decision, from 1.
        seconds: Time for a decision instead; None to go by playouts.
        throws: Recorded slams from which playouts draw; the shipped ones if None.
        rules: The special rules in play; those that come with pucklab if None.

    Raises:
        InputError: A number is out of range.
    """

    def __init__(
        self,
        playouts: int = LEVELS["expert"],
        *,
        seconds: float | None = None,
        throws: TableThrows | None = None,
        rules: RuleBook | None = None,
    ) -> None:
        if not 1 <= playouts <= MAX_PLAYOUTS:
            raise InputError(f"playouts: {playouts} is not accepted; give 1 to {MAX_PLAYOUTS}")
        if seconds is not None and not 0 < seconds <= MAX_SECONDS:
            raise InputError(f"seconds: {seconds:g} is not accepted; give up to {MAX_SECONDS:g}")
        self.playouts = playouts
        self.seconds = seconds
        self._throws = shipped_table() if throws is None else throws
        self._policy = SeasonedPlayer(rules=rules)
        self._known: tuple[Table, Arrays | None] | None = None
        self._sorted: dict[ThrowKind, list[Outcome]] = {}

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return the greedy reply; a search needs the whole moment, see `choose_at`."""
        return self._policy.choose(state, question, rng)

    def choose_at(self, moment: Moment, rng: np.random.Generator) -> Reply:
        """Return the reply that wins most playouts.

        Args:
            moment: The battle at a question to this player.
            rng: The player's own random numbers.
        """
        question = moment.ask
        assert isinstance(question, Question)
        arrays = self._arrays_of(moment)
        if arrays is not None:
            return self._fast_reply(arrays, moment, rng)
        replies = candidates(moment, self._policy)
        if len(replies) == 1:
            return replies[0]
        return replies[self._best(moment, replies, rng)]

    def _arrays_of(self, moment: Moment) -> Arrays | None:
        """Return the facts for compiled playouts of a battle; None if it is not covered."""
        table = moment.state.table
        if self._known is None or self._known[0] is not table:
            self._known = table, arrays_of(table, (1, 1), self._throws, moment.rules)
        return self._known[1]

    def _fast_reply(self, arrays: Arrays, moment: Moment, rng: np.random.Generator) -> Reply:
        """Return the best of all replies by playouts to the end of the battle."""
        question = moment.ask
        assert isinstance(question, Question)
        first = self._policy.reply(moment.state, question)
        replies = answers(moment, first, rng)
        if len(replies) == 1:
            return first
        players = [self._policy] * 2
        ready = [(reply, after(moment, reply, players)) for reply in replies]
        battles = [battle for _, battle in ready if battle is not None]
        if ready[0][1] is None or len(battles) == 1:
            return first
        best = self._race(arrays, battles, question.player, rng)
        return [reply for reply, battle in ready if battle is not None][best]

    def _race(
        self, arrays: Arrays, battles: list[Encoded], player: int, rng: np.random.Generator
    ) -> int:
        """Return the index of the battle that the player wins most often.

        The battles race (Maron and Moore, 1994): all that are left meet the same throws. One that
        is clearly behind the leader drops out, and so does one that never differs from it. The
        first gives way only to one that is likely to be better.
        """
        begin, made, batch = time.monotonic(), 0, _FIRST_BATCH
        scratch = np.zeros(LENGTH, np.int16)
        won: list[list[NDArray[np.int8]]] = [[] for _ in battles]
        points = [np.zeros(0, np.int8)] * len(battles)
        alive = list(range(len(battles)))
        while len(alive) > 1 and not self._is_spent(made, begin):
            if self.seconds is None:
                batch = max(min(batch, (self.playouts - made) // len(alive)), 1)
            lots = drawn_lots(rng, batch)
            for index in alive:
                winners = np.zeros(batch, np.int8)
                play_out(arrays, battles[index], lots, scratch, winners)
                won[index].append(2 * (winners == player) + (winners == 2))
            made += batch * len(alive)
            batch = min(2 * batch, _LAST_BATCH)
            for index in alive:
                points[index] = np.concatenate(won[index])
            leader = max(alive, key=lambda index: points[index].sum())
            alive = [
                index
                for index in alive
                if index == leader or _ahead(points[leader], points[index]) < _DROPPED
            ]
        leader = max(alive, key=lambda index: points[index].sum())
        return leader if _ahead(points[leader], points[0]) > _BETTER else 0

    def _best(self, moment: Moment, replies: list[Reply], rng: np.random.Generator) -> int:
        """Return the index of the best reply.

        The replies race (Maron and Moore, 1994): all that are left meet the same throws. One
        that is clearly behind the leader drops out, and so does one that never differs from it. The
        first reply gives way only to one that is likely to be better.
        """
        begin, made, made_each = time.monotonic(), 0, 0
        lots: list[list[float]] = []
        chances: list[list[float]] = [[] for _ in replies]
        alive = list(range(len(replies)))
        while len(alive) > 1 and not self._is_spent(made * _SLOWER, begin):
            if made_each % _STRATA == 0:
                lots = stratified(rng, _STRATA, _THROWS)
            for lot in lots[made_each % _STRATA : made_each % _STRATA + _BATCH]:
                for index in alive:
                    chances[index].append(self._playout(moment, replies[index], lot))
            made += _BATCH * len(alive)
            made_each += _BATCH
            leader = max(alive, key=lambda index: sum(chances[index]))
            alive = [
                index
                for index in alive
                if index == leader or _lead(chances[leader], chances[index]) < _DROPPED
            ]
        leader = max(alive, key=lambda index: sum(chances[index]))
        return leader if _lead(chances[leader], chances[0]) > _BETTER else 0

    def _is_spent(self, made: int, begin: float) -> bool:
        """Return whether the playouts or the time of a decision are used up."""
        if self.seconds is not None:
            return time.monotonic() - begin >= self.seconds
        return made >= self.playouts

    def _playout(self, moment: Moment, reply: Reply, lot: list[float]) -> float:
        """Play on after a reply, and return the player's chance to win at the end."""
        question, first = moment.ask, moment.state
        assert isinstance(question, Question)
        turns = _WILD_TURNS if first.table.options.is_wild else _TURNS
        end = max(first.turn.number, 1) + turns
        battle = LiveBattle(moment.base, moment.answers, moment.rules)
        battle.answer_legal(reply)
        while (ask := battle.ask) is not None:
            state = battle.state
            if state.turn.number >= end or question.player not in state.playing:
                break
            if isinstance(ask, ThrowCall):
                battle.answer_legal(
                    self._outcome(state, ask, lot[(ask.number - first.throws) % _THROWS])
                )
            else:
                battle.answer_legal(self._policy.reply(state, ask))
        return winning_chance(battle.state, moment.rules, question.player)

    def _outcome(self, state: BattleState, call: ThrowCall, lot: float) -> Outcome:
        """Return a recorded outcome; ``lot`` from 0 to 1 says which."""
        if not call.targets:
            return missed(0)
        kind = kind_of(shot_of(state.table, call))
        slams = self._sorted.get(kind)
        if slams is None:
            found = self._throws.slams(kind)
            slams = self._sorted[kind] = sorted(
                found, key=lambda slam: sum(slam.flipped, len(slam.flipped))
            )
        return slams[int(lot * len(slams))]


def stratified(rng: np.random.Generator, rows: int, columns: int) -> list[list[float]]:
    """Return random numbers from 0 to 1, of which each column has one in each of ``rows`` strata.

    This is Latin hypercube sampling (McKay, Beckman and Conover, 1979): the mean of a function of
    such numbers scatters less than with independent ones, the more so the more additive it is.
    """
    strata = np.tile(np.arange(rows)[:, None], (1, columns))
    lots: list[list[float]] = (
        (rng.permuted(strata, axis=0) + rng.random((rows, columns))) / rows
    ).tolist()
    return lots


def _lead(leader: list[float], other: list[float]) -> float:
    """Return by how many standard errors one series of playouts is ahead of another.

    The other may have dropped out earlier; only the playouts of both are compared. The lead is
    infinite if all of them are equal, since the two replies come to the same then.
    """
    pairs = np.array(leader[: len(other)]) - np.array(other)
    mean = float(pairs.mean())
    error = float(pairs.std()) / sqrt(len(pairs))
    return mean / error if error else copysign(inf, mean)


def _ahead(leader: NDArray[np.int8], other: NDArray[np.int8]) -> float:
    """Return by how many standard errors one series of playouts is ahead of another."""
    pairs = leader[: len(other)].astype(float) - other
    mean, error = float(pairs.mean()), float(pairs.std()) / sqrt(len(pairs))
    return mean / error if error else copysign(inf, mean)


_MOST_REPLIES = 24
_MOST_LISTED = 3_000
"""Replies to a question from which those to be tried are taken."""


def answers(moment: Moment, first: Reply, rng: np.random.Generator) -> list[Reply]:
    """Return all different replies, or some at random of too many; ``first`` is the first.

    Replies that differ only in pucks of the same design count as the same.
    """
    question = moment.ask
    assert isinstance(question, Question)
    found: dict[tuple[tuple[str, str], ...], Reply] = {}
    for reply in (first, *_all_replies(question, rng)):
        words = tuple(_word(moment.state, option) for option in reply)
        found.setdefault(words if question.ordered else tuple(sorted(words)), reply)
    others = list(found.values())[1:]
    if len(others) >= _MOST_REPLIES:
        others = [others[k] for k in rng.permutation(len(others))[: _MOST_REPLIES - 1].tolist()]
    return [first, *others]


def _all_replies(question: Question, rng: np.random.Generator) -> Iterator[Reply]:
    """Yield every reply to a question, or some of very many at random."""
    options, sizes = question.options, range(question.least, question.most + 1)
    count, listed = (perm, permutations) if question.ordered else (comb, combinations)
    if sum(count(len(options), size) for size in sizes) <= _MOST_LISTED:
        for size in sizes:
            yield from listed(options, size)
        return
    for _ in range(_MOST_LISTED // 10):
        size = int(rng.integers(question.least, question.most + 1))
        yield tuple(options[k] for k in rng.permutation(len(options))[:size].tolist())


def candidates(moment: Moment, policy: GreedyPlayer) -> list[Reply]:
    """Return different replies worth a try, at most `_CANDIDATES`; the first is the policy's.

    Replies that differ only in pucks of the same design count as the same.
    """
    state, question = moment.state, moment.ask
    assert isinstance(question, Question)
    first = policy.reply(state, question)
    if question.asking in _NOT_SEARCHED or question.rule in _NOT_SEARCHED:
        return [first]
    found: dict[tuple[object, ...], Reply] = {}
    for reply in (first, *_variants(question, first)):
        if question.least <= len(reply) <= question.most:
            words = tuple(_word(state, option) for option in reply)
            key = words if question.ordered else tuple(sorted(words))
            found.setdefault(key, reply)
            if len(found) == _CANDIDATES:
                break
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
