"""Exact answers: odds of a round and of an action, best replies to seen orders."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Literal, TypeAlias

from pucklab.physics import InputError
from pucklab.sim.chance.distribution import (
    Distribution,
    Number,
    certain,
    courses,
    distribution,
    map_outcomes,
)
from pucklab.sim.post.battle import Battle, Orders, Plan
from pucklab.sim.post.engine import Course, spread, step_odds
from pucklab.sim.post.numbers import ZERO
from pucklab.sim.post.pokemon import to_front
from pucklab.sim.post.state import Order, State

Score: TypeAlias = Literal["share", "won"]
"""Worth of a state in which nobody has won: half the difference of HP shares, or nothing."""
LIMIT = 20_000
"""Most order sets of a search."""


def round_odds(battle: Battle, state: State, orders: Plan) -> dict[State, Number]:
    """Return the distribution of the states after the rest of a round."""
    return spread(
        state, lambda one: step_odds(battle, one, orders).items(), lambda one: one.is_over
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
        InputError: They are more than the limit.
    """
    course, steps = Course(battle, state), state.steps
    own = {i: [(order,) for order in list_orders(course, i)] for i in course.active(team)}
    if (size := math.prod(len(each) ** steps for each in own.values())) > limit:
        more = "give fewer moves, steps or Pokemon, or a higher --limit"
        raise InputError(f"limit: {size} order sets are more than {limit}; {more}")
    sets = ([Orders(main) for main in product(each, repeat=steps)] for each in own.values())
    return [dict(zip(own, orders, strict=True)) for orders in product(*sets)]


class Search:
    """Worths of a round's orders for a team.

    Worth is the chance to have won less that to have lost, and for "share" half the difference of
    HP shares where nobody has.
    """

    def __init__(self, battle: Battle, team: int, score: Score = "share") -> None:
        self.battle, self.team, self.score = battle, team, score
        self._steps: dict[Any, dict[State, Number]] = {}
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
                self._steps[state, now] = step_odds(self.battle, state, orders)
            self._worth[state, key] = sum(
                p * (self.leaf(one) if one.is_over else self.worth(one, orders))
                for one, p in self._steps[state, now].items()
            )
        return self._worth[state, key]

    def best_replies(
        self,
        state: State,
        seen: Plan,
        *,
        limit: int = LIMIT,
        track: Callable[[Sequence[Plan]], Iterable[Plan]] = iter,
    ) -> list[tuple[Number, Plan]]:
        """Return the worths and order sets of the team against seen ones, the best first.

        Args:
            state: The state when the team orders.
            seen: The orders of the other team.
            limit: Most order sets.
            track: Shows progress.

        Raises:
            InputError: There are more order sets than the limit.
        """
        first = state._replace(posts=to_front(state.posts, 1 - self.team))
        own = plans(self.battle, state, self.team, limit=limit)
        found = ((self.worth(first, {**seen, **plan}), plan) for plan in track(own))
        return sorted(found, key=lambda answer: -answer[0])
