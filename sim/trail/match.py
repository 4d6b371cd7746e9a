"""The drinking trail as a game for matches, records, programs and environments."""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from typing import Any

import numpy as np

from pucklab.base.errors import refusal
from pucklab.base.facts import fact
from pucklab.sim.chance.distribution import Distribution
from pucklab.sim.core.game import Chance, Decision, Emphasis, Game, Open, Seed, Step, chance_of
from pucklab.sim.core.players import Players, RandomPlayer
from pucklab.sim.trail.board import Board
from pucklab.sim.trail.duels import Starter
from pucklab.sim.trail.play import POLICIES, Event, Kept, Kind
from pucklab.sim.trail.play import Game as Turns

COUNTERS = "Units are counters: they may be points or water. Whoever drinks alcohol is an adult."
_UNIMPORTANT = {Kind.TURN, Kind.ROLLED, Kind.MOVED, Kind.ATTACK, Kind.DEFENCE, Kind.STOPPED}
_TEXTS = {
    Kind.TURN: "-- {who}'s turn",
    Kind.SKIPPED: "{who} skips this turn",
    Kind.ROLLED: "{who} rolls {amount}",
    Kind.MOVED: "{who} moves from {other} to {amount}",
    Kind.STOPPED: "{who} is stopped by {name}",
    Kind.ACTED: "{who}: {name} takes effect",
    Kind.DRANK: "{who} takes {units}",
    Kind.SAVED: "{who}'s Potion cancels {units}",
    Kind.SKIPS: "{who} will skip {turns}",
    Kind.GOT: "{who} gets a {name}",
    Kind.USED: "{who} uses a {name}",
    Kind.CAUGHT: "{who} catches {name}{roll}",
    Kind.MISSED: "{who} misses {name}{roll}",
    Kind.BATTLE: "{who} battles {rival}: {amount} to {against}",
    Kind.ATTACK: "{who} attacks with {other} dice for {amount}; {against} HP left",
    Kind.DEFENCE: "{who} defends with {amount} against {against}",
    Kind.FAINTED: "{who} faints at {name}",
    Kind.WON_GYM: "{who} wins {name}{flash}",
    Kind.FINISHED: "{who} finishes as number {amount}",
    Kind.UNDECIDED: "the game is undecided",
}


@fact
class Setup:
    """A board, and the players at it."""

    board: Board
    names: tuple[str, ...]
    starters: tuple[Starter, ...] | None = None  # one per player; None draws them
    first: int | None = None  # the seat that begins; None draws it
    all_finish: bool = False  # go on until all have finished, not only one
    cap: int | None = None  # units of a player that are counted at most

    @property
    def most_units(self) -> int:
        """Largest number of a player's units that is counted."""
        return sys.maxsize if self.cap is None else self.cap


@fact
class State:
    """A game before the draw of starters, or in a turn after some answers."""

    setup: Setup
    base: Kept | None = None  # the game when the turn began; None before the draw
    answers: tuple[Any, ...] = ()  # given in this turn
    game: Turns = field(compare=False)  # as it stands; it must not be changed
    ask: Decision | Distribution[int] | None = field(default=None, compare=False)
    heard: int = field(default=0, compare=False)  # events of this turn that were told


class Trail(Game[Setup, State, Any, Event]):
    """The rules of the trail; see `pucklab.sim.trail.play` for a turn."""

    name, setup = "drinking trail", Setup

    def seats(self, state: State) -> tuple[str, ...]:
        """Return the players' names."""
        return state.setup.names

    def start(self, setup: Setup) -> State:
        """Return the state before starters and the first player are drawn."""
        return State(setup=setup, game=_turns(setup))

    def open(self, state: State) -> Open | None:
        """Return the draw or the decision that the turn waits for."""
        if state.base is None:
            return Chance(lambda rng: deal(state.setup, rng))
        return chance_of(state.ask) if isinstance(state.ask, Distribution) else state.ask

    def apply(self, state: State, answer: Any) -> tuple[State, tuple[Event, ...]]:
        """Return the state after an answer: at the next draw or decision, or at the end."""
        ask = state.ask
        if state.base is None:
            game = _turns(state.setup)
            game.starters, game.turn_of = answer
            after, events = _go_on(replace(state, base=game.kept()), ())
            return after, (*game.events, *events)  # items that everybody starts with
        if ask is None:
            raise refusal("answer", answer, "none: the game is over")
        options = ask.options if isinstance(ask, Decision) else [one for one, _ in ask.items]
        if answer not in options:
            raise refusal("answer", answer, f"one of {', '.join(map(str, options))}")
        return _go_on(state, (*state.answers, answer))

    def returns(self, state: State) -> tuple[float, ...]:
        """Return 1 for who has finished first, and -1 for the others."""
        ranks = [seat.rank for seat in state.game.seats]
        return tuple((1.0 if rank == 1 else -1.0) if 1 in ranks else 0.0 for rank in ranks)

    def view(self, state: State, _: int) -> Mapping[str, Any]:
        """Return the question and the standing of all players."""
        asking = state.ask.about[0] if isinstance(state.ask, Decision) else ""
        return {"asking": asking.replace("_", " "), "players": standing(state)}

    def observe(self, state: State, seat: int) -> Any:
        """Return places, items, units and lost turns of the players, the own ones first."""
        seats, last = state.game.seats, state.setup.board.last
        order = [(seat + k) % len(seats) for k in range(len(seats))]
        rows = [
            (one.position / last, min(sum(one.items.values()), 10) / 10, min(one.units, 100) / 100,
             min(one.skips, 10) / 10, float(one.rank > 0), one.hp / 20)
            for one in (seats[k] for k in order)
        ]  # fmt: skip
        return np.array(rows, np.float32).ravel()

    def turns(self, state: State) -> int:
        """Return the turns of all players so far."""
        return sum(seat.turns for seat in state.game.seats)

    def text(self, state: State, answer: Any) -> str:
        """Return an answer in words: a number, an item, yes or no, a Pokemon or a player."""
        if state.base is None:
            starters, first = answer
            return " ".join([*starters, str(first + 1)])
        about = state.ask.about[0] if isinstance(state.ask, Decision) else ""
        if isinstance(answer, bool):
            return "yes" if answer else "no"
        if about == "target":
            return state.setup.names[int(answer)]
        name = f"{state.setup.board.squares[answer].name.lower()} " if about == "caught" else ""
        return f"{name}{answer}"

    def read(self, state: State, text: str) -> Any:
        """Return the answer that a text means."""
        if state.base is not None:
            return super().read(state, text)
        *starters, first = text.split() or [""]
        seats = [str(seat) for seat in range(1, len(state.setup.names) + 1)]
        known = {*Starter}
        if len(starters) != len(seats) or first not in seats or not known.issuperset(starters):
            raise refusal("answer", text, f"{len(seats)} starters, and who begins from 1")
        return tuple(map(Starter, starters)), int(first) - 1

    def question(self, state: State, decision: Decision) -> str:
        """Return a decision in words, with its options."""
        match decision.about:
            case ("attack_dice", gym, hp):
                special = f", {gym.special}" if gym.special else ""
                asked = f"{gym.name} {gym}, {hp} HP left{special}: "
                asked += f"how many of {gym.dice} dice attack?"
            case ("ball", square):
                asked = f"{square.name}: throw a ball?"
            case ("repel", square):
                asked = f"{square.name}: use a Repel?"
            case ("potion", units):
                asked = f"{units} units: use a Potion?"
            case ("caught",):
                asked = "use a caught Pokemon?"
            case (_, effect, _):
                asked = f"{effect.action}: for whom?"
        options = ", ".join(self.text(state, option) for option in decision.options)
        return f"{state.setup.names[decision.seat]}: {asked} ({options})"

    def tell(
        self,
        _: State,
        steps: Iterable[Step[State, Any, Event]],
        *,
        verbose: bool = False,
        bold: Emphasis = str,
    ) -> Iterator[str]:
        """Yield a line for every event, or only for those that matter."""
        del bold
        for step in steps:
            if step.before.base is None:
                for row in standing(step.after):
                    yield f"{row['player']}: {row['starter']}"
            for event in step.events:
                if verbose or event.kind not in _UNIMPORTANT:
                    yield event_text(event, step.after.setup.names)

    def result(self, state: State, *, verbose: bool = False) -> Iterator[str]:
        """Yield the standing, the winner first."""
        del verbose
        board, cap = state.setup.board, state.setup.cap
        if state.game.undecided:
            yield "undecided: nobody finished within the most turns"
        for row in sorted(standing(state), key=lambda r: (r["rank"] or math.inf, -r["square"])):
            rank, square = row["rank"], row["square"]
            place = f"finished as number {rank}" if rank else f"on square {square}"
            line = f"{row['player']}: {place}, {row['turns']} turns, {row['units']} units"
            line += f" ({row['cups']:.1f} cups)"
            if row["units_passed"] and cap is not None:
                line += f", {row['units_passed']} passed beyond {cap / board.units_per_cup:g} cups"
            yield line
        yield COUNTERS

    def streams(self, seed: Seed, seats: int) -> list[np.random.Generator]:
        """Return the generators of a match; chance has the one of the seed itself."""
        return [np.random.default_rng(seed), *super().streams(seed, seats)[1:]]


TRAIL_GAME = Trail()
PLAYERS = Players(game=TRAIL_GAME, by_name={**POLICIES, "random": RandomPlayer}, field="policy")


def standing(state: State) -> list[dict[str, Any]]:
    """Return the standing of each player, in types of JSON."""
    rows = []
    for name, starter, seat in zip(
        state.setup.names, state.game.starters, state.game.seats, strict=True
    ):
        units = min(seat.units, state.setup.most_units)
        rows.append(
            {
                "starter": starter,
                "player": name,
                "rank": seat.rank or None,
                "square": seat.position,
                "turns": seat.turns,
                "units": units,
                "cups": units / state.setup.board.units_per_cup,
                "units_passed": seat.units - units,
                "items": dict(sorted(seat.items.items())),
            }
        )
    return rows


def event_text(event: Event, names: Sequence[str]) -> str:
    """Return an event in a line.

    Example:
        >>> event_text(Event(Kind.DRANK, 0, 2), ["ann"])
        'ann takes 2 units'
    """
    amount, plural = event.amount, "" if event.amount == 1 else "s"
    return _TEXTS[event.kind].format(
        **asdict(event),
        who=names[event.seat],
        rival=names[event.other % len(names)],
        units=f"{amount} unit{plural}",
        turns=f"{amount} turn{plural}",
        roll=f" with {amount}" if amount else "",
        flash=", with a Flash" if amount else "",
    )


def deal(setup: Setup, rng: np.random.Generator) -> tuple[tuple[Starter, ...], int]:
    """Return starters and the seat that begins, drawn where the set-up does not say."""
    count = len(setup.names)
    drawn = tuple(tuple(Starter)[n] for n in rng.integers(0, 3, count).tolist())
    first = int(rng.integers(0, count))
    return setup.starters or drawn, first if setup.first is None else setup.first


def _turns(setup: Setup) -> Turns:
    return Turns(
        setup.board, [POLICIES["careful"]()] * len(setup.names), all_finish=setup.all_finish
    )


def _go_on(state: State, answers: tuple[Any, ...]) -> tuple[State, tuple[Event, ...]]:
    """Play a turn again up to its last answer, and on to the next question."""
    game, base, heard = _turns(state.setup), state.base, state.heard
    assert base is not None
    game.resume(base)
    log: list[Event] = []
    ask, script = None, game.script()
    left: list[Any] = [None, *answers]
    while True:
        try:
            for answer in left:
                ask = script.send(answer)
            break
        except StopIteration:
            log += game.events[heard:]
            base, answers, left, heard, ask = game.kept(), (), [None], 0, None
            game.resume(base)
            if game.is_finished():
                break
            script = game.script()
    log += game.events[heard:]
    heard = len(game.events)
    after = replace(state, base=base, answers=answers, game=game, ask=ask, heard=heard)
    return after, tuple(log)
