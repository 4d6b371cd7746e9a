"""Exact answers: what a round brings, the best reply to seen orders, leads, and whole duels."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

from physics import InputError
from sim.chance.distribution import Distribution, Number, certain, courses, distribution, mapped
from sim.chance.process import EXACT, Owner, Process, Step, collect, solve
from sim.post.engine import Battle, Course, spread
from sim.post.orders import Orders, Reader
from sim.post.pokemon import next_posts, to_front
from sim.post.state import Order, State

Score: TypeAlias = Literal["share", "won"]
"""Worth of a state in which nobody has won: half the difference of HP shares, or nothing."""
LIMIT = 20_000
"""Most order sets, pairs of them, or states of a search."""
Plan: TypeAlias = dict[int, Orders]
"""Orders of a team's Pokemon in play."""


def round_odds(
    battle: Battle, state: State, orders: Sequence[Orders | None]
) -> dict[State, Number]:
    """Return the distribution of the states after the rest of a round."""

    def follow(one: State) -> Iterator[tuple[State, Number]]:
        return ((reached, p) for p, reached in battle.step(one, orders))

    return spread(state, follow, is_over)


def strike_odds(battle: Battle, state: State, i: int, j: int, order: Order) -> Distribution[int]:
    """Return the distribution of the damage of an action on a Pokemon; 0 for a miss."""

    def run(draw: Any) -> int:
        course = Course(battle, state, draw=lambda part, _: draw(part))
        course.acting = i
        course.strike(i, j, battle.move(i, order))
        return course.dealt

    return distribution(courses(run))


def knock_outs(dealt: Distribution[int], hp: int, uses: int) -> list[Number]:
    """Return the chances to have dealt all HP within 1, 2, ... uses."""
    left, found = certain(hp), []
    for _ in range(uses):
        left = mapped(lambda hp, lost: max(0, hp - lost), left, dealt)
        found.append(left[0])
    return found


def is_over(state: State) -> bool:
    """Return whether a state is the end of a round."""
    return state.step == 0 or state.winner is not None


def shares(battle: Battle, state: State) -> list[Fraction]:
    """Return each team's HP in parts of its maximum, of those that may fight."""
    parts: list[list[Fraction]] = [[] for _ in battle.teams]
    for own, f in zip(battle.roster, state.fighters, strict=True):
        parts[own.team].append(Fraction(max(0, f.hp), own.stats.hp))
    return [sum(part, Fraction(0)) / max(1, len(part)) for part in parts]


def plans(battle: Battle, state: State, team: int, *, limit: int = LIMIT) -> list[Plan]:
    """Return all order sets of a team for a round: known moves at each target, at each step.

    Raises:
        TooLargeError: They are more than the limit.
    """
    each: list[list[Orders]] = []
    course = Course(battle, state)
    own, foes = course.active(team), course.others(team)
    for i in own:
        names = list(battle.roster[i].moves) or ["struggle"]
        choices = [(one,) for name in names for one in aimed(battle, i, name, foes)]
        check_size(len(choices) ** state.steps, limit, "order sets", "fewer moves or steps")
        each.append([Orders(main) for main in product(choices, repeat=state.steps)])
    check_size(math.prod(map(len, each)), limit, "order sets", "fewer moves, steps or Pokemon")
    return [dict(zip(own, orders, strict=True)) for orders in product(*each)]


def aimed(battle: Battle, i: int, name: str, foes: Sequence[int]) -> list[Order]:
    """Return the orders of a move at each opponent that it may be aimed at."""
    order = Order(name)
    single = battle.move(i, order).target == "one target" and len(foes) > 1
    return [order._replace(targets=(k,)) for k in foes] if single else [order]


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

    def __post_init__(self) -> None:
        self._steps: dict[Any, list[tuple[Number, State]]] = {}
        self._worth: dict[Any, Number] = {}

    def leaf(self, state: State) -> Number:
        """Return the worth of a state at the end of the round."""
        if state.winner is not None:
            return 1 if state.winner == self.team else -1
        if self.score == "won":
            return Fraction(0)
        parts = shares(self.battle, state)
        return (2 * parts[self.team] - sum(parts)) / 2

    def worth(self, state: State, orders: tuple[Orders | None, ...]) -> Number:
        """Return the expected worth at the end of the round."""
        key = (state, *(own and (own.main[state.step :], own.substitutions) for own in orders))
        if key not in self._worth:
            self._worth[key] = sum(
                p * (self.leaf(one) if is_over(one) else self.worth(one, orders))
                for p, one in self._step(state, orders)
            )
        return self._worth[key]

    def _step(self, state: State, orders: tuple[Orders | None, ...]) -> list[tuple[Number, State]]:
        plain = not any(own and own.substitutions for own in orders)
        key: Any = (
            (state, *(own and own.main[state.step] for own in orders)) if plain else (state, orders)
        )
        if key not in self._steps:
            self._steps[key] = self.battle.step(state, orders)
        return self._steps[key]

    def replies(self, state: State, seen: Plan, own: Sequence[Plan]) -> Iterator[Answer]:
        """Yield each order set of the team against seen ones, with its worth."""
        (other,) = {self.battle.roster[i].team for i in seen}
        first = state._replace(posts=to_front(state.posts, other))
        for plan in own:
            yield Answer(self.worth(first, self.merged({**seen, **plan})), plan)

    def merged(self, plan: Plan) -> tuple[Orders | None, ...]:
        """Return orders by Pokemon."""
        return tuple(plan.get(i) for i in range(len(self.battle.roster)))

    def best_replies(self, state: State, seen: Plan) -> list[Answer]:
        """Return the order sets of the team against seen ones, the best first."""
        own = plans(self.battle, state, self.team, limit=self.limit)
        return sorted(self.replies(state, seen, own), key=lambda answer: -answer.worth)

    def best_leads(self, state: State, *, substitutions: int = 0) -> list[Answer]:
        """Return the order sets of the team with the replies that hurt most, the best first.

        With one substitution, each "IF the opponent is to use X THEN use Y" is tried as well.
        """
        own = [
            wide
            for plan in plans(self.battle, state, self.team, limit=self.limit)
            for wide in self._with_substitutions(state, plan, substitutions)
        ]
        other = plans(self.battle, state, 1 - self.team, limit=self.limit)
        check_size(len(own) * len(other), self.limit, "pairs of order sets", "fewer moves or steps")
        first = state._replace(posts=to_front(state.posts, self.team))
        found = []
        for plan in own:
            answers = (
                (self.worth(first, self.merged({**plan, **reply})), n, reply)
                for n, reply in enumerate(other)
            )
            worth, _, reply = min(answers, key=lambda one: one[:2])
            found.append(Answer(worth, plan, reply))
        return sorted(found, key=lambda answer: -answer.worth)

    def _with_substitutions(self, state: State, plan: Plan, number: int) -> Iterator[Plan]:
        yield plan
        battle, roster = self.battle, self.battle.roster
        foes = [k for k, f in enumerate(state.fighters) if f.place >= 0 and k not in plan]
        for i in plan if number else ():
            reader = Reader(battle, i)
            for k, use in product(foes, roster[i].moves):
                for seen in roster[k].moves:
                    text = f"IF {roster[k].name} is to use {seen} THEN use {use}"
                    sub = reader.substitution(text)
                    yield {**plan, i: plan[i]._replace(substitutions=(sub,))}


class Duel(NamedTuple):
    """The odds of a duel under best play."""

    won: Number  # by the first team
    first: Plan  # the first order set of whoever orders first
    states: int


def duel_odds(battle: Battle, state: State, *, limit: int = 200_000, exact: int = EXACT) -> Duel:
    """Return the chance of the first team to win, both playing for it; rounds without an end.

    In each round one team orders, the other sees it and replies; then they change places.

    Raises:
        TooLargeError: There are more states than the limit.
        InputError: The battle may never end.
    """

    def own(state: State, team: int) -> list[Plan]:
        return plans(battle, state, team, limit=limit)

    def rounds(state: State, orders: Plan) -> Iterator[Step]:
        all_orders = tuple(orders.get(i) for i in range(len(battle.roster)))
        for reached, p in round_odds(battle, state, all_orders).items():
            after = reached._replace(posts=next_posts(reached.posts))
            if reached.winner is None:
                yield p, (after, None), Fraction(0)
            else:
                yield p, (reached.winner,), Fraction(reached.winner == 0)

    def steps(node: Any) -> dict[Any, Any]:
        if len(node) == 1:
            return {}
        now, lead = node
        if lead is None:
            leads = own(now, now.posts[0])
            return {n: [(Fraction(1), (now, n), Fraction(0))] for n in range(len(leads))}
        orders = own(now, now.posts[0])[lead]
        replies = own(now, now.posts[1])
        return {n: list(rounds(now, {**orders, **reply})) for n, reply in enumerate(replies)}

    def owner(node: Any) -> Owner:
        team = node[0].posts[node[1] is not None]
        return Owner.MAXIMISE if team == 0 else Owner.MINIMISE

    process = _collected((state, None), steps, limit)
    solution = solve(process, owner, exact=exact)
    won = solution.value[(state, None)]
    if won == math.inf:
        raise InputError("duel: it may never end; leave out moves that cost and harm nothing")
    lead = own(state, state.posts[0])[solution.policy[(state, None)]]
    return Duel(won, lead, len(process))


def _collected(start: Any, steps: Callable[[Any], dict[Any, Any]], limit: int) -> Process:
    try:
        return collect(start, steps, limit=limit)
    except InputError as error:
        if not str(error).startswith("limit: more than"):
            raise
        smaller = "less HP, fewer moves or no Energy, a higher --limit, or --battles to simulate it"
        raise TooLargeError(
            f"limit: the duel has more than {limit} states; give {smaller}"
        ) from None
