"""A battle as a `Game`, to play at tables: decisions, rolls, what is told.

A position is always between rounds. Its decisions are those of the Switching phase, and then the
orders of each Pokemon in the order of posts; the rolls of a whole round are one draw of chance.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from pucklab.base.errors import refusal
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.chance.distribution import Distribution, draw
from pucklab.sim.core.game import Chance, Decision, Game, Open
from pucklab.sim.core.players import Players, RandomPlayer
from pucklab.sim.post.battle import Battle, Orders
from pucklab.sim.post.catalogue import Catalogue, Move
from pucklab.sim.post.effects import Draw, Note
from pucklab.sim.post.engine import Course, play_step
from pucklab.sim.post.numbers import Roll
from pucklab.sim.post.orders import Reader, orders_text
from pucklab.sim.post.scenario import held_text, setting_from
from pucklab.sim.post.search import list_orders
from pucklab.sim.post.state import BENCH, OUT, RESERVE, State
from pucklab.sim.post.switching import Asked, begin_round, find_switches, switch_text

_MOST_OPTIONS = 500
_TEXTS = {
    "round": "-- round {0}",
    "roll": "  {0}",
    "damage": "{who} loses {0} HP",
    "heals": "{who} heals {0} HP",
    "loses": "{who} loses {0} HP by {1}",
    "stage": "{who}'s {0} stage is {1}",
    "misses": "{who} misses",
    "cannot": "{who} cannot act: {0}",
    "fails by": "{who} fails: {0}",
    "takes": "{who} is given {0}",
    "substitution": "{who} changes orders: {0}",
    "wins": "{who} wins",
}
"""Texts of events by their kind; an event of another kind brings its own words."""


def collect_events(battle: Battle, told: list[str]) -> Note:
    """Return a function that collects events as text."""

    def note(kind: str, i: int, *more: Any) -> None:
        who = battle.teams[i] if kind == "wins" else battle.roster[i].name if i >= 0 else "all"
        known = _TEXTS.get(kind)
        told.append(
            known.format(*more, who=who) if known else " ".join((who, kind, *map(str, more)))
        )

    return note


Pick: TypeAlias = Callable[[Distribution[Any], int], int]
"""Returns a number below a limit for a distribution."""


def draw_by_numbers(pick: Pick, note: Note, rolled: list[int] | None = None) -> Draw:
    """Return a draw by numbers: a number is the face of a die, or the index of an outcome.

    Args:
        pick: Chooses the numbers.
        note: Takes rolls as events.
        rolled: Gets all numbers.
    """

    def drawn(part: Distribution[Any], label: str) -> Any:
        last, chance = part.items[-1][0], Fraction(part.items[-1][1])
        n = pick(part, chance.denominator if last is True else len(part.items))
        if rolled is not None:
            rolled.append(n)
        if last is True:
            roll = Roll(label, chance.numerator, chance.denominator, n + 1)
            note("roll", -1, roll)
            return roll.succeeds
        note("roll", -1, f"{label}: {part.items[n][0]}")
        return part.items[n][0]

    return drawn


def at_random(rng: np.random.Generator) -> Pick:
    """Return a random choice of numbers for `draw_by_numbers`."""

    def pick(part: Distribution[Any], sides: int) -> int:
        if part.items[-1][0] is True:
            return int(rng.integers(sides))
        return [outcome for outcome, _ in part.items].index(draw(part, rng))

    return pick


def play_round(
    battle: Battle, state: State, orders: Mapping[int, Orders], draw_next: Draw, note: Note
) -> State:
    """Return the state after a round; chances are drawn."""
    note("round", -1, state.round)
    while not state.is_over:
        state = play_step(battle, state, orders, draw_next, note)
    return state


def state_text(battle: Battle, state: State, *, whole: bool = True) -> str:
    """Return the state in words: Pokemon and fields; ``whole`` adds reserves, counts and packs."""
    names, parts = battle.names, []
    for own, f in zip(battle.roster, state.fighters, strict=True):
        if f.place in {OUT, RESERVE}:
            words = [f"{own.name} fainted"] if f.place == OUT else []
            words += [f"{own.name} in reserve"] if whole and f.place == RESERVE else []
        else:
            words = [f"{own.name} {f.hp} HP", f"{f.energy} Energy" * battle.match.energy]
            words += ["on the bench"] if f.place == BENCH else []
            words += [held_text(one, names).replace(" for ever", "") for one in f.conditions]
            staged = (f"{s.stat.replace('_', ' ')} {s.value:+} for {s.duration}" for s in f.stages)
            words += [text.removesuffix(" for leaving") for text in staged] + [*f.items]
            counts = {"Recoveries": f.recoveries, "Chills": f.chills} if whole else {}
            words += [f"{n} {name}" for name, n in counts.items()]
        parts += [", ".join(filter(None, words))] if words else []
    for where, some in zip(("battle", *battle.teams), state.fields, strict=True):
        parts += [f"{where}: {held_text(one, names)}" for one in some]
    if whole:
        for team, tech, pack in zip(battle.teams, state.tech, state.packs, strict=True):
            parts.append(f"{team}: {', '.join((f'{tech} Tech', *pack))}")
        parts.append(f"round {state.round}")
    return "; ".join(parts)


def house_made(moves: Iterable[Move]) -> str:
    """Return a line that names the house-made ones of some moves; empty if there are none."""
    found = {move.name for move in moves if move.house_made}
    return f"house-made moves: {', '.join(sorted(found))}" if found else ""


@fact
class Setup:
    """The files of a battle."""

    battle: Mapping[str, Any]  # a battle file's table
    data: Catalogue


@dataclass(frozen=True)
class Position:
    """A battle between rounds, with the decisions since."""

    battle: Battle = field(compare=False)
    state: State
    answers: tuple[Any, ...] = ()  # of the Switching phase under way
    plan: tuple[tuple[int, Orders], ...] = ()
    asked: Decision | None = field(default=None, compare=False)  # of that phase


class PostGame(Game[Setup, Position, Any, str]):
    """Battle-By-Post as a game; a seat is a team."""

    name = "battle by post"
    setup = Setup
    draws_at_limit = True

    def seats(self, state: Position) -> tuple[str, ...]:
        """Return the names of the teams."""
        return state.battle.teams

    def start(self, setup: Setup) -> Position:
        """Return the first position of a battle file."""
        setting = setting_from(setup.battle, setup.data, "battle:")
        return self._advance(Position(setting.battle, setting.state))[0]

    def _advance(self, position: Position) -> tuple[Position, tuple[str, ...]]:
        """Go on with the Switching phase as far as there are answers."""
        told: list[str] = []
        battle, state, answers = position.battle, position.state, iter(position.answers)
        if state.begun or state.winner is not None or state.round >= battle.match.max_rounds:
            return position, ()
        note = collect_events(battle, told)
        after = begin_round(battle, state, lambda _: next(answers, None), note)
        if isinstance(after, Asked):
            return replace(position, asked=Decision(after.team, after.options)), ()
        return Position(battle, after), (*told,)

    def open(self, state: Position) -> Open | None:
        """Return the decision that is open, or the rolls of a round."""
        now, battle = state.state, state.battle
        if now.winner is not None or not now.begun:
            return state.asked
        course, given = Course(battle, now), dict(state.plan)
        left = [i for team in now.posts for i in course.active(team) if i not in given]
        if not left:

            def roll(rng: np.random.Generator) -> tuple[int, ...]:
                rolled: list[int] = []
                self._play(state, at_random(rng), rolled)
                return tuple(rolled)

            return Chance(roll)
        i, *_ = left
        steps = [(order,) for order in list_orders(course, i)]
        many = len(steps) ** now.steps > _MOST_OPTIONS
        sets = ([own] * now.steps for own in steps) if many else product(steps, repeat=now.steps)
        return Decision(battle.roster[i].team, [Orders(tuple(own)) for own in sets], about=i)

    def _play(
        self, position: Position, pick: Pick, rolled: list[int]
    ) -> tuple[Position, tuple[str, ...]]:
        told: list[str] = []
        battle, note = position.battle, collect_events(position.battle, told)
        draw_next = draw_by_numbers(pick, note, rolled)
        state = play_round(battle, position.state, dict(position.plan), draw_next, note)
        after, more = self._advance(Position(battle, state))
        return after, (*told, *more)

    def apply(self, state: Position, answer: Any) -> tuple[Position, tuple[str, ...]]:
        """Return the position after a decision, or after the rolls of a round.

        Raises:
            InputError: The answer is not legal.
        """
        now = self.open(state)
        if now is not None and now is state.asked:
            if answer not in now.options:
                raise InputError(f"answer: {answer!r} is not accepted; give one of the options")
            return self._advance(replace(state, answers=(*state.answers, answer)))
        if isinstance(now, Decision):
            i = now.about
            if not isinstance(answer, Orders) or len(answer.main) != state.state.steps:
                raise refusal("orders", answer, f"{state.state.steps} actions")
            names = state.battle.names
            event = f"{names[i]} is ordered: {orders_text(answer, names)}"
            return replace(state, plan=(*state.plan, (i, answer))), (event,)
        left, rolled = iter(answer), list[int]()

        def pick(_: object, sides: int) -> int:
            n = next(left, -1)
            if not 0 <= n < sides:
                raise refusal("rolls", n, f"a number below {sides}")
            return int(n)

        after, told = self._play(state, pick, rolled)
        if next(left, None) is not None:
            raise InputError(f"rolls: {len(answer)} are not accepted; give {len(rolled)}")
        return after, told

    def returns(self, state: Position) -> tuple[float, ...]:
        """Return 1 for the winner and -1 for the other; 0 for both if nobody has won."""
        winner = state.state.winner
        return (0.0, 0.0) if winner is None else (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def view(self, state: Position, seat: int) -> Mapping[str, Any]:
        """Return all Pokemon, and the orders posted so far; both teams see the same."""
        del seat
        names = state.battle.names
        pokemon = [
            {"name": own.name, "team": own.team, "hp": f.hp, "energy": f.energy, "place": f.place}
            | {"conditions": [held_text(one, names) for one in f.conditions]}
            | {"stages": {one.stat: one.value for one in f.stages}}
            for own, f in zip(state.battle.roster, state.state.fighters, strict=True)
        ]
        orders = {names[i]: orders_text(own, names) for i, own in state.plan}
        return {"round": state.state.round, "pokemon": pokemon, "orders": orders}

    def turns(self, state: Position) -> int:
        """Return the number of the round."""
        return state.state.round

    def question(self, state: Position, decision: Decision) -> str:
        """Return the state and the question."""
        battle, now = state.battle, state.state
        said = state_text(battle, now)
        if not now.begun:
            texts = "; ".join(self.text(state, option) for option in decision.options[:9])
            return f"{said}. {battle.teams[decision.seat]}: which of {texts}?"
        own = battle.roster[decision.about]
        known = ", ".join([*own.moves, "aim", "chill", "struggle"])
        asks = f"{own.name}: {now.steps} actions of {known}; then substitutions after semicolons"
        return f"{said}. {asks}"

    def text(self, state: Position, answer: Any) -> str:
        """Return a Pokemon, switches, orders or rolls as text."""
        names = state.battle.names
        if isinstance(answer, Orders):
            return "; ".join([orders_text(answer, names), *(s.text for s in answer.substitutions)])
        if isinstance(answer, tuple):
            return " ".join(["rolls", *map(str, answer)])
        if isinstance(answer, int):
            return names[answer]
        return switch_text(answer, names)

    def read(self, state: Position, text: str) -> Any:
        """Return the answer that a text means.

        Raises:
            InputError: It means none; the message says what is accepted.
        """
        now = self.open(state)
        if isinstance(now, Chance):
            word, *numbers = text.split() or [""]
            if word != "rolls" or not all(n.isdigit() and len(n) < 9 for n in numbers):
                raise refusal("rolls", text, "rolls and their numbers")
            return tuple(map(int, numbers))
        if now is None or not state.state.begun:
            options = now.options if isinstance(now, Decision) else ()
            switches = [option for option in options if isinstance(option, dict)]
            found = find_switches(switches, text.split(","), state.battle.names)
            return super().read(state, text) if found is None else found
        main, *subs = text.split(";")
        i = now.about
        reader = Reader(state.battle, i, state.state.fighters[i].conditions)
        return reader.orders(main, subs, steps=state.state.steps)

    def result(self, state: Position, *, verbose: bool = False) -> Iterator[str]:
        """Yield the state at the end, who has won, and which moves are house-made."""
        del verbose
        yield state_text(state.battle, state.state)
        winner = state.state.winner
        if winner is not None:
            yield f"{state.battle.teams[winner]} wins"
        elif self.open(state) is None:
            yield f"undecided after {state.battle.match.max_rounds} rounds"
        if line := house_made(state.battle.moves):
            yield line


POST_GAME = PostGame()


PLAYERS = Players(game=POST_GAME, by_name={"random": RandomPlayer}, field="policy")
