"""Exact answers: odds of a round, best replies to seen orders, best leads, whole duels."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

from pucklab.physics import InputError
from pucklab.sim.chance.distribution import (
    Distribution,
    Number,
    certain,
    courses,
    distribution,
    map_outcomes,
)
from pucklab.sim.chance.process import Owner, Process, Step, collect, solve
from pucklab.sim.post.engine import Battle, Course, spread
from pucklab.sim.post.numbers import ONE, ZERO
from pucklab.sim.post.orders import Reader
from pucklab.sim.post.pokemon import next_posts, to_front
from pucklab.sim.post.state import Order, State
from pucklab.sim.post.substitutions import Orders, Plan

Score: TypeAlias = Literal["share", "won"]
"""Worth of a state in which nobody has won: half the difference of HP shares, or nothing."""
LIMIT = 20_000
"""Most order sets, pairs of them, or states of a search."""


def round_odds(battle: Battle, state: State, orders: Plan) -> dict[State, Number]:
    """Return the distribution of the states after the rest of a round."""
    return spread(
        state,
        lambda one: ((end, p) for p, end in battle.step(one, orders)),
        lambda one: one.is_over,
    )


def strike_odds(battle: Battle, state: State, i: int, j: int, order: Order) -> Distribution[int]:
    """Return the distribution of the damage of an action on a Pokemon; 0 for a miss."""

    def run(draw: Any) -> int:
        course = Course(battle, state, {}, lambda part, _: draw(part))
        course.acting = i
        course.strike(i, j, battle.move(i, order))
        return course.dealt

    return distribution(courses(run))


def knock_outs(dealt: Distribution[int], hp: int, uses: int) -> list[Number]:
    """Return the chances of a knock-out within 1, 2, ... uses."""
    left, found = certain(hp), []
    for _ in range(uses):
        left = map_outcomes(lambda hp, lost: max(0, hp - lost), left, dealt)
        found.append(left[0])
    return found


def list_orders(course: Course, i: int) -> list[Order]:
    """Return the orders of each move that a Pokemon knows, at each possible target."""
    battle, foes, found = course.battle, course.others(course.roster[i].team), []
    for name in course.roster[i].moves or ("struggle",):
        order = Order(name)
        single = battle.move(i, order).target == "one target" and len(foes) > 1
        found += [order._replace(targets=(k,)) for k in foes] if single else [order]
    return found


def plans(battle: Battle, state: State, team: int, *, limit: int = LIMIT) -> list[Plan]:
    """Return all order sets of a team for a round: known moves at each target, at each step.

    Raises:
        TooLargeError: They are more than the limit.
    """
    course, steps, smaller = Course(battle, state), state.steps, "fewer moves, steps or Pokemon"
    own = {i: [(order,) for order in list_orders(course, i)] for i in course.active(team)}
    check_size(math.prod(len(each) ** steps for each in own.values()), limit, "order sets", smaller)
    sets = ([Orders(main) for main in product(each, repeat=steps)] for each in own.values())
    return [dict(zip(own, orders, strict=True)) for orders in product(*sets)]


class TooLargeError(InputError):
    """A search that is larger than its limit."""


def check_size(size: int, limit: int, noun: str, smaller: str) -> None:
    """Refuse a search that is too large.

    Raises:
        TooLargeError: It is; the message says how large, and what makes it smaller.
    """
    if size > limit:
        say = f"{size} {noun} are more than {limit}; give {smaller}, or a higher --limit"
        raise TooLargeError(f"limit: {say}")


class Answer(NamedTuple):
    """Orders with their worth, and for a lead the reply that hurts most."""

    worth: Number
    plan: Plan
    reply: Plan | None = None


@dataclass
class Search:
    """A search of a round's orders.

    Worth is the chance to have won less that to have lost, and for "share" half the difference of
    HP shares where nobody has.
    """

    battle: Battle
    team: int
    score: Score = "share"
    limit: int = LIMIT
    track: Callable[[Sequence[Plan]], Iterable[Plan]] = iter  # shows progress

    def __post_init__(self) -> None:
        self._steps: dict[Any, list[tuple[Number, State]]] = {}
        self._worth: dict[Any, Number] = {}

    def leaf(self, state: State) -> Number:
        """Return the worth of a state at the end of the round."""
        if state.winner is not None:
            return 1 if state.winner == self.team else -1
        roster, worth = self.battle.roster, ZERO
        teams = [one.team for one in roster]
        for own, f in zip(roster, state.fighters, strict=True) if self.score == "share" else ():
            part = Fraction(max(0, f.hp), own.stats.hp * 2 * teams.count(own.team))
            worth += part if own.team == self.team else -part
        return worth

    def worth(self, state: State, orders: Plan) -> Number:
        """Return the expected worth at the end of the round."""
        each = sorted(orders.items())
        subs = [sub for _, own in each for sub in own.substitutions]
        since = 0 if any(sub.looks_back for sub in subs) else state.step
        key: Any = tuple((i, own.main[since:], own.substitutions) for i, own in each)
        if (state, key) not in self._worth:
            now = key if subs else tuple((i, own.main[state.step]) for i, own in each)
            if (state, now) not in self._steps:
                self._steps[state, now] = self.battle.step(state, orders)
            self._worth[state, key] = sum(
                p * (self.leaf(one) if one.is_over else self.worth(one, orders))
                for p, one in self._steps[state, now]
            )
        return self._worth[state, key]

    def best_replies(self, state: State, seen: Plan) -> list[Answer]:
        """Return the order sets of the team against seen ones, the best first."""
        first = state._replace(posts=to_front(state.posts, 1 - self.team))
        own = plans(self.battle, state, self.team, limit=self.limit)
        found = (Answer(self.worth(first, {**seen, **plan}), plan) for plan in self.track(own))
        return sorted(found, key=lambda answer: -answer.worth)

    def best_leads(self, state: State, *, substitutions: int = 0) -> list[Answer]:
        """Return the order sets of the team with the replies that hurt most, the best first.

        With one substitution, each "IF the opponent is to use X THEN use Y" is tried as well.
        """
        own = plans(self.battle, state, self.team, limit=self.limit)
        own += [wide for plan in own if substitutions for wide in self._substituted(state, plan)]
        other = plans(self.battle, state, 1 - self.team, limit=self.limit)
        check_size(len(own) * len(other), self.limit, "pairs of order sets", "fewer moves or steps")
        first = state._replace(posts=to_front(state.posts, self.team))
        found = []
        for plan in self.track(own):
            worths = [self.worth(first, {**plan, **reply}) for reply in other]
            worst = min(worths)
            found.append(Answer(worst, plan, other[worths.index(worst)]))
        return sorted(found, key=lambda answer: -answer.worth)

    def _substituted(self, state: State, plan: Plan) -> Iterator[Plan]:
        """Yield a plan with each substitution on a move of an opponent in play."""
        roster = self.battle.roster
        foes = [k for k, f in enumerate(state.fighters) if f.place >= 0 and k not in plan]
        for i, k in product(plan, foes):
            for use, seen in product(roster[i].moves, roster[k].moves):
                text = f"IF {roster[k].name} is to use {seen} THEN use {use}"
                sub = Reader(self.battle, i).substitution(text)
                yield {**plan, i: plan[i]._replace(substitutions=(sub,))}


class Duel(NamedTuple):
    """The odds of a duel under best play."""

    won: Number  # by the first team
    first: Plan  # the first order set of whoever orders first
    states: int


def duel_odds(battle: Battle, state: State, *, limit: int = 200_000) -> Duel:
    """Return the chance that the first team wins if both play their best, in any number of rounds.

    In each round one team orders, the other sees it and replies; then they change places.

    Raises:
        TooLargeError: There are more states than the limit.
        InputError: The battle may never end.
    """

    def own(state: State, place: int) -> list[Plan]:
        return plans(battle, state, state.posts[place], limit=limit)

    def rounds(state: State, orders: Plan) -> Iterator[Step]:
        for end, p in round_odds(battle, state, orders).items():
            if end.winner is None:
                again = end._replace(posts=next_posts(end.posts), begun=True)
                yield p, (again, None), ZERO
            else:
                yield p, (end.winner, None), Fraction(end.winner == 0)

    def steps(node: Any) -> dict[Any, Any]:
        now, lead = node
        if not isinstance(now, State):
            return {}
        if lead is None:
            leads = range(len(own(now, 0)))
            return {n: [(ONE, (now, n), ZERO)] for n in leads}
        orders = own(now, 0)[lead]
        replies = enumerate(own(now, 1))
        return {n: list(rounds(now, {**orders, **reply})) for n, reply in replies}

    def owner(node: Any) -> Owner:
        team = node[0].posts[node[1] is not None]
        return Owner.MAXIMISE if team == 0 else Owner.MINIMISE

    start = state, None
    process = _collected(start, steps, limit)
    solution = solve(process, owner)
    if solution.value[start] == math.inf:
        raise InputError("duel: it may never end; leave out moves that cost and harm nothing")
    return Duel(solution.value[start], own(state, 0)[solution.policy[start]], len(process))


def _collected(start: Any, steps: Callable[[Any], dict[Any, Any]], limit: int) -> Process:
    try:
        return collect(start, steps, limit=limit)
    except InputError as error:
        if not str(error).startswith("limit: more than"):
            raise
        smaller = "less --hp, fewer moves, no Energy, or a higher --limit"
        say = f"limit: the duel has more than {limit} states; give {smaller}"
        raise TooLargeError(say) from None
