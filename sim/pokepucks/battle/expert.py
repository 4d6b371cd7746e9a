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
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, islice, permutations
from math import ceil, copysign, inf, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics import InputError
from sim.pokepucks.battle.evaluation import (
    USELESS,
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
from sim.pokepucks.battle.rules import Point, Rule, RuleBook, View, Wanted
from sim.pokepucks.battle.setup import ARENA_PUCKS
from sim.pokepucks.battle.state import BattleState, Status
from sim.pokepucks.special.abilities import (
    RECOIL_PENDING,
    attack_now,
    can_strike,
    top_off_would_fail,
    top_off_would_fail_healed,
)
from sim.pokepucks.special.items import heals_well
from sim.pokepucks.special.own_rules import rules_of
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

_DROPPED, _BETTER = 2.0, 2.0
"""Standard errors by which a candidate must be behind the leader to drop out, and the leader ahead
of the first reply to be preferred."""

_COMPILED_DROPPED, _COMPILED_BETTER = 2.5, 1.0
"""The same in compiled playouts, which are many and go to the end."""

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

    Some differences were tried in battles of two with random slammers, in which each player had
    them or not by chance; the first three in the 441 pairs of slammers against the greedy player,
    with the same throws. So many more percent of the battles were won, with standard errors:

    ===========================================================  =============  =======
    difference                                                   share          battles
    ===========================================================  =============  =======
    A Potion is used for a top-off that fails without it         +0.8 +- 0.1     88,200
    Pucks are healed that the rival wants least                  +0.6 +- 0.1     88,200
    Mr. Saia: a second puck of a kind counts as worth nothing    +0.4 +- 0.1     88,200
    Mr. Merkert is kept rather than Mr. Saia                     +2.8 +- 0.7      9,019
    Potions wait for low Health and for a top-off they save      +1.8 +- 0.9      9,019
    In set-up the best pucks are put last, and so on top         +1.2 +- 0.8      9,019
    Mr. Saia takes what is worth most to both players            +0.7 +- 0.3     38,955
    With Jigglypuff: Sing against two attacks or more            +9.7 +- 2.1      9,019
    With Pikachu: Thunder Wave against two attacks or more       +3.7 +- 2.1     38,955
    With Aerodactyl: no Hyper Beam with three attacks or more    +3.3 +- 2.2      9,019
    ===========================================================  =============  =======
    """

    def reply(self, state: BattleState, question: Question) -> Reply:
        """Return the reply; no random numbers are needed."""
        reply = super().reply(state, question)
        if question.asking is Asking.BUILD_ARENA:
            return _best_put_last(state, question, self.rules or rules_of(state.table))
        if question.asking is Asking.DISCARD:
            return _keep_best_trainer(state, question, reply)
        if question.asking is Asking.RULE:
            view = View(state, self.rules or rules_of(state.table), question.player)
            if question.rule == "Mr. Saia":
                return _exchange(view, question)
            if question.rule in _HEALS:
                return _least_for_rival(view, question)
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


def worth(view: View, puck: int) -> int:
    """Return what one more puck is worth to the player: nothing if its like in Power does the same.

    Several Energies count as one, only one Trainer works, and Switch needs a second slammer.
    """
    state, power = view.state, view.state.power(view.player)
    design = state.design(puck)
    if design.rule == "Switch":
        spare = any(state.table.is_slammer(other) for other in power)
        return puck_value(view, puck) if spare else 0
    value = puck_value(view, puck)
    if value <= USELESS or design.rule in _MANY:
        return value
    alike = {_BEST_TRAINER, design.rule} if state.table.is_trainer(puck) else {design.rule}
    held = map(state.design, power)
    return 0 if any(d.rule in alike and d.type is design.type for d in held) else value


_HEALS = frozenset({"Potion", "Rest", "Leech Seed"})
"""Rules by which pucks go from Prize to Health."""

_MANY = frozenset({"Potion", "Berry", "Power Stone", "Sandbag", ""})
"""Rules, and none, of which several pucks are worth as many times as much."""


def _to_both(view: View, puck: int) -> int:
    """Return what a puck is worth to the player and the next one together."""
    rival = view._replace(player=view.state.next_player(view.player))
    return worth(view, puck) + worth(rival, puck)


def _exchange(view: View, question: Question) -> Reply:
    """Take the flipped puck that is worth most to both players, for the one worth least."""
    giving = set(question.options) <= set(view.state.health(view.player))
    return ((min if giving else max)(pucks_of(question), key=lambda p: _to_both(view, p)),)


def _exchange_pays(view: View) -> bool:
    flipped = [_to_both(view, puck) for puck in attack_now(view.state).flipped]
    own = [_to_both(view, puck) for puck in view.state.health(view.player)]
    return max(flipped, default=0) > min(own, default=0)


def _least_for_rival(view: View, question: Question) -> Reply:
    """Heal what the next player wants least: it is paid into the Arena soon."""
    rival = view._replace(player=view.state.next_player(view.player))
    pucks = sorted(pucks_of(question), key=lambda puck: worth(rival, puck))
    return tuple(pucks[: question.most])


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
    """Keep a Potion for low Health and for a top-off that it saves."""
    low = len(view.state.health(view.player)) <= _LOW_HEALTH or top_off_would_fail(view)
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
        "Mr. Saia": _exchange_pays,
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
        self.playouts = playouts if seconds is None else MAX_PLAYOUTS
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
        """Return the best reply by playouts to the end of the battle.

        Where there are too many replies to try all, those close to the best one so far race, round
        after round, until it stays the best or the playouts are used up.
        """
        question = moment.ask
        assert isinstance(question, Question)
        best, begin = self._policy.reply(moment.state, question), time.monotonic()
        made, players = 0, [self._policy] * 2
        while not self._is_spent(made, begin):
            replies, are_all = answers(moment, best)
            ready = [(reply, after(moment, reply, players)) for reply in replies]
            covered = [(reply, battle) for reply, battle in ready if battle is not None]
            if ready[0][1] is None or len(covered) == 1:
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
        scratch = np.zeros(LENGTH, np.int16)
        won: list[list[NDArray[np.int8]]] = [[] for _ in battles]
        points = [np.zeros(0, np.int8)] * len(battles)
        alive = list(range(len(battles)))
        while len(alive) > 1 and made < playouts and not self._is_spent(0, begin):
            if self.seconds is None:
                batch = max(min(batch, (playouts - made) // len(alive)), 1)
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
                if index == leader or _ahead(points[leader], points[index]) < _COMPILED_DROPPED
            ]
        if not made:
            return 0, made
        leader = max(alive, key=lambda index: points[index].sum())
        return (leader if _ahead(points[leader], points[0]) > _COMPILED_BETTER else 0), made

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


_MOST_REPLIES, _MOST_LISTED = 24, 3_000
"""Most different replies that are tried, and most that are looked through for different ones."""


def answers(moment: Moment, first: Reply) -> tuple[list[Reply], bool]:
    """Return different replies, ``first`` the first, and whether they are all there are.

    Replies that differ only in pucks of the same design count as the same. Of too many, those close
    to the first are taken: with one option more, less or other, or in another order.
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
