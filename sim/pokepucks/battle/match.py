"""PokéPucks as a game for matches, records, programs and environments.

`BATTLE` is the game; its states are moments (`pucklab.sim.pokepucks.battle.live`). `battle_match`
sets a match up with a source of throws, `play_battle` plays one to its end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.sim.core.game import Call, Decision, Emphasis, Game, Match, Open, Player, Seed
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup
from pucklab.sim.pokepucks.battle.events import Event
from pucklab.sim.pokepucks.battle.explanations import (
    chance_lines,
    count_words,
    explain,
    first_sentence,
    help_lines,
)
from pucklab.sim.pokepucks.battle.live import (
    BattleStep,
    LiveBattle,
    Moment,
    begin,
    decide_first,
    shot_of,
    throw_generator,
)
from pucklab.sim.pokepucks.battle.question_kinds import reason
from pucklab.sim.pokepucks.battle.questions import (
    Answer,
    Asking,
    Question,
    ThrowCall,
    option_name,
    option_names,
)
from pucklab.sim.pokepucks.battle.record import answer_text, parse_answer, place_text
from pucklab.sim.pokepucks.battle.rule_book import RuleBook
from pucklab.sim.pokepucks.battle.sensible import only_sensible, propose
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.setup_file import number_names
from pucklab.sim.pokepucks.battle.state import StackKind, Status, place_name
from pucklab.sim.pokepucks.battle.transcript import (
    battle_transcript,
    stack_lines,
    standing_lines,
    summary_lines,
)
from pucklab.sim.pokepucks.throws import Outcome, Throws

_OPTIONS_SHOWN = 12
"""Options of a question that are listed before a person asks for all."""

BattleMatch = Match[BattleSetup, Moment, Answer, Event]


class Battles(Game[BattleSetup, Moment, Answer, Event]):
    """PokéPucks as a `Game`."""

    name, setup, looks = "pokepucks battle", BattleSetup, ("stacks", "chances")
    draws_at_limit = True

    def __init__(self) -> None:
        # The battle that goes on from the latest moment: others are played again from their step.
        self._latest: tuple[Moment, LiveBattle] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the battle that goes on: its scripts can be neither copied nor pickled."""
        return {"_latest": None}

    def seats(self, state: Moment) -> tuple[str, ...]:
        """Return the players' names."""
        return state.state.table.names

    start = staticmethod(begin)

    def open(self, state: Moment) -> Open | None:
        """Return the question, or the throw to make."""
        ask = state.ask
        if not isinstance(ask, Question):
            return None if ask is None else Call(ask)
        return Decision(ask.player, ask.options, ask.least, ask.most, ask.ordered, True, ask)

    def apply(self, state: Moment, answer: Answer) -> tuple[Moment, tuple[Event, ...]]:
        """Return the moment after a reply or the outcome of a throw."""
        latest, self._latest = self._latest, None
        if latest is None or latest[0] is not state:
            latest = state, LiveBattle(state.base, state.answers, state.rules)
        battle = latest[1]
        events = battle.answer(answer)
        after = battle.moment()
        self._latest = after, battle
        return after, events

    def returns(self, state: Moment) -> tuple[float, ...]:
        """Return 1 for the winner, and -1 for the others."""
        winner, players = state.state.winner, range(state.state.table.players)
        return tuple(0.0 if winner is None else 1.0 if p == winner else -1.0 for p in players)

    def view(self, state: Moment, seat: int) -> Mapping[str, Any]:
        """Return the question to a seat, the stacks and the statuses: nothing is hidden."""
        battle, table = state.state, state.state.table
        asked = {"asking": "", "rule": "", "ordered": False}
        if isinstance(state.ask, Question) and state.ask.player == seat:
            ask = state.ask
            asked = {"asking": ask.asking.value, "rule": ask.rule, "ordered": ask.ordered}
        return {
            "game": "pokepucks",
            **asked,
            "stacks": {
                place_name(battle, place): [table.label(puck) for puck in stack]
                for place, stack in battle.by_place()
                if stack
            },
            "statuses": dict(zip(table.names, map(list, battle.statuses), strict=True)),
        }

    def end(self, state: Moment) -> Mapping[str, Any]:
        """Return the winner and the stacks."""
        battle = state.state
        stacks = {place_text(place): [*stack] for place, stack in battle.by_place()}
        return {"winner": battle.winner} | stacks

    def turns(self, state: Moment) -> int:
        """Return the number of the turn."""
        return state.state.turn.number

    def text(self, _: Moment, answer: Answer) -> str:
        """Return a reply or an outcome as text."""
        return answer_text(answer)

    def read(self, state: Moment, text: str) -> Answer:
        """Return the reply or outcome that a text means; see `parse_answer`."""
        return parse_answer(state.state, state.ask, text)

    def words(self, state: Moment, answer: Any) -> str:
        """Return the names of pucks and rules."""
        options = answer if isinstance(answer, tuple) else (answer,)
        return option_names(state.state.table, options)

    def propose(self, state: Moment, decision: Decision) -> Answer:
        """Return a sensible reply."""
        return propose(state.state, decision.about)

    def with_names(self, setup: BattleSetup, names: Sequence[str]) -> BattleSetup:
        """Return a set-up with players called by names, or by their slammers."""
        slammers = {p.owner: p.name for p in reversed(setup.pucks) if p.design.kind.is_slammer}
        own = [name or slammers.get(seat, setup.names[seat]) for seat, name in enumerate(names)]
        return replace(setup, names=number_names(own))

    def why(self, state: Moment, decision: Decision) -> str:
        """Return in a sentence why an answer is proposed."""
        return reason(decision.about, propose(state.state, decision.about))

    def only(self, state: Moment, decision: Decision) -> Answer | None:
        """Return the only sensible reply; None if there are several."""
        return only_sensible(state.state, decision.about)

    def question(self, state: Moment, decision: Decision) -> str:
        """Return a question in sentences: player, point or rule, number and options."""
        question = decision.about
        name = self.seats(state)[decision.seat] + (f", {question.rule}" if question.rule else "")
        there = [option_name(state.state.table, option) for option in question.options]
        shown = ", ".join(there[:_OPTIONS_SHOWN]) + (
            f" and {len(there) - _OPTIONS_SHOWN} more" * (len(there) > _OPTIONS_SHOWN)
        )
        none = "" if question.least else " - takes nothing."
        asked = f"{first_sentence(question)} {count_words(question)[:-1]}"
        return f"{name}: {asked}: {shown}.{none}"

    def look(self, state: Moment, _: int, word: str) -> str:
        """Return the stacks, or the chances of the next throw."""
        if word == "chances" and isinstance(state.ask, Question):
            return "\n".join(chance_lines(state.state, state.ask))
        return "\n".join(stack_lines(state.state))

    def explain(self, state: Moment, _: int, name: str) -> Iterable[str]:
        """Return an explanation of a puck, a rule or a status, or of the question."""
        assert isinstance(state.ask, Question)
        return explain(state.state, name) if name else help_lines(state.state, state.ask)

    def tell(
        self,
        state: Moment,
        steps: Iterable[BattleStep],
        *,
        verbose: bool = False,
        bold: Emphasis = str,
    ) -> Iterator[str]:
        """Yield a sentence for each throw, or, at the end, the throws that decided."""
        if verbose:
            return battle_transcript(state, steps, bold=bold)
        return summary_lines(state, steps, bold)

    def result(self, state: Moment, *, verbose: bool = False) -> Iterator[str]:
        """Yield the result, and the pucks that each player has won and lost."""
        return standing_lines(state.state, "names" if verbose else "counts")

    def observe(self, state: Moment, seat: int) -> NDArray[np.float32]:
        """Return stack, owner, depth and option mark of each puck, and the rest as numbers."""
        battle, players = state.state, state.state.table.players
        pucks = np.zeros((len(battle.table.pucks), 4), np.float32)
        kinds = list(StackKind)
        for place, stack in battle.by_place():
            owner = 0.0 if place.player is None else ((place.player - seat) % players + 1) / players
            for depth, puck in enumerate(stack):
                pucks[puck, :3] = kinds.index(place.kind) / len(kinds), owner, depth / len(pucks)
        ask = state.ask if isinstance(state.ask, Question) and state.ask.player == seat else None
        for option in () if ask is None else ask.options:
            selectable = option if isinstance(option, int) else option.puck
            if selectable is not None:
                pucks[selectable, 3] = 1.0
        rest = [
            *(float(battle.has((seat + k) % players, status))
              for k in range(players) for status in Status),
            *(float(ask is not None and ask.asking is asking) for asking in Asking),
            min(battle.turn.attacks, 10) / 10,
            min(battle.turn.made, 10) / 10,
        ]  # fmt: skip
        return np.concatenate([pucks.ravel(), np.array(rest, np.float32)])

    def streams(self, seed: Seed, seats: int) -> list[np.random.Generator]:
        """Return the generators of a match; each throw has another one of its own."""
        own = (np.random.SeedSequence(seed, spawn_key=(0, player)) for player in range(seats))
        return [*map(np.random.default_rng, (seed, *own))]


BATTLE = Battles()


def make_throw(throws: Throws, state: Moment, call: ThrowCall, seed: Seed) -> Outcome:
    """Return the outcome of a throw of a match."""
    return throws.throw(shot_of(state.state.table, call), throw_generator(seed, call.number))


def battle_match(
    table: BattleSetup,
    players: Sequence[Player | None],
    throws: Throws,
    seed: int,
    rules: RuleBook | None = None,
    **options: Any,
) -> BattleMatch:
    """Return a match of a battle.

    Args:
        table: The set-up; who begins is decided here if it is not yet.
        players: The players, in turn order; None for a person.
        throws: Source of the outcomes of throws.
        seed: Seed of all random numbers, from 0. Each throw and each player has a generator of its
            own: `throw_generator`, `Battles.streams`.
        rules: The special rules in play; those of the table if None.
        options: Others of `pucklab.sim.core.game.Match`.

    Raises:
        InputError: The number of players is not the table's, or there are too few pucks.
    """
    table, _ = decide_first(table, throws, seed)
    compute = partial(make_throw, throws)
    match = Match(BATTLE, table, players, seed, compute=compute, **options)
    if rules is not None:
        match.go_to(LiveBattle(new_battle(table), rules=rules).moment())
    return match


def play_battle(
    table: BattleSetup,
    players: Sequence[Player | None],
    throws: Throws,
    seed: int,
    rules: RuleBook | None = None,
) -> Iterator[BattleStep]:
    """Play a battle, and yield every step; see `battle_match`."""
    return battle_match(table, players, throws, seed, rules).play()
