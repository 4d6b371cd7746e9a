"""One way to play any game: the protocol of a game, and a match under way.

A `Game` starts from a set-up and tells what each state waits for: a `Decision` of a seat, `Chance`,
a `Call` for something computed such as a throw, or nothing at the end. `Game.apply` takes the
answer and returns the next state and the events; it refuses answers that are not legal. States are
immutable: they can be kept, compared and gone back to. A `Match` is a game that is played: it asks
players, draws chance and keeps the steps. Everything else builds on these: persons at the terminal
(`pucklab.cli.terminal`), players by name and programs (`pucklab.sim.core.players`), records
(`pucklab.sim.core.records`), series of games (`pucklab.sim.experiments.series`), environments
(`pucklab.sim.core.environments`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pucklab.base.decoding import check_one_of
from pucklab.physics import InputError
from pucklab.sim.chance.distribution import Distribution, draw

Setup = TypeVar("Setup")
State = TypeVar("State")
Answer = TypeVar("Answer")
Event = TypeVar("Event")

Seed = int | Sequence[int]
Compute = Callable[[Any, Any, Any], Any]
"""Answers a call, from the state, what the call is about and the seed of the match."""


class Decision(NamedTuple):
    """A question to a seat, whose answer is one of the options, or a selection of several.

    No option is None. The options are complete, unless the game reads more answers from text
    than it can list.
    """

    seat: int
    options: Sequence[Any]
    least: int = 1  # options of a selection
    most: int = 1
    ordered: bool = False  # whether their order matters
    selects: bool = False  # the answer is a tuple of options, not one of them
    about: Any = None  # the subject, in the game's own terms

    def answer(self, indices: Iterable[int]) -> Any:
        """Return the answer that selects some options by their indices."""
        chosen = tuple(self.options[index] for index in indices)
        return chosen if self.selects else chosen[0]


class Chance(NamedTuple):
    """A random draw; ``outcomes`` has the distribution where it is small."""

    draw: Callable[[np.random.Generator], Any]
    outcomes: Distribution[Any] | None = None


class Call(NamedTuple):
    """Something to be computed, such as a throw."""

    about: Any


Open = Decision | Chance | Call
Emphasis = Callable[[str], str]
"""Returns a text in bold, or as it is."""


def chance_of(outcomes: Distribution[Any]) -> Chance:
    """Return a draw from a distribution."""
    return Chance(lambda rng: draw(outcomes, rng), outcomes)


class Step(NamedTuple, Generic[State, Answer, Event]):
    """One step of a game: an answer, the states before and after it, and the events between."""

    before: State
    answer: Answer
    after: State
    events: tuple[Event, ...]


class Player(Protocol):
    """A player that decides by itself."""

    def choose(self, state: Any, decision: Decision, rng: np.random.Generator) -> Any:
        """Return an answer to a decision of this player; ``rng`` is the player's own."""


class Game(ABC, Generic[Setup, State, Answer, Event]):
    """The rules of a game; the module describes the protocol."""

    name: ClassVar[str]
    """Its name in records and for programs."""
    setup: ClassVar[Any]
    """Type of set-ups, which `pucklab.base.decoding` reads and writes."""
    may_undo: ClassVar[bool] = False
    """Whether a person may take a decision back."""
    draws_at_limit: ClassVar[bool] = False
    """Whether a game without a winner has stopped at its limit of turns or actions."""
    looks: ClassVar[tuple[str, ...]] = ()
    """Words for what a seat may look at before it decides; see `look`."""

    @abstractmethod
    def seats(self, state: State, /) -> tuple[str, ...]:
        """Return the name of each seat."""

    @abstractmethod
    def start(self, setup: Setup, /) -> State:
        """Return the first state."""

    @abstractmethod
    def open(self, state: State, /) -> Open | None:
        """Return the question that the state waits for; None at the end."""

    @abstractmethod
    def apply(self, state: State, answer: Answer, /) -> tuple[State, tuple[Event, ...]]:
        """Return the state after an answer, and the events up to it.

        Raises:
            InputError: The answer is not legal; the message says why.
        """

    @abstractmethod
    def returns(self, state: State, /) -> tuple[float, ...]:
        """Return the result of each seat: 1 for a win, -1 for a loss, 0 in a draw or before."""

    @abstractmethod
    def view(self, state: State, seat: int, /) -> Mapping[str, Any]:
        """Return the state as far as a seat may see it, in types of JSON."""

    def end(self, state: State, /) -> Mapping[str, Any]:
        """Return the facts by which the end of a replayed record is checked, in types of JSON."""
        return self.view(state, 0)

    def question(self, state: State, decision: Decision, /) -> str:
        """Return a decision in words, for a person."""
        texts = (self.text(state, option) for option in decision.options)
        return f"{self.seats(state)[decision.seat]}: {', '.join(texts)}"

    def tell(
        self,
        _: State,
        steps: Iterable[Step[State, Answer, Event]],
        /,
        *,
        verbose: bool = False,
        bold: Emphasis = str,
    ) -> Iterator[str]:
        """Yield the lines that describe steps as they come: the important events, or all.

        Args:
            state: The state before the first step.
            steps: The steps.
            verbose: Whether to tell every event.
            bold: Returns an important text in bold.
        """
        del verbose, bold
        return (str(event) for step in steps for event in step.events)

    def result(self, state: State, /, *, verbose: bool = False) -> Iterator[str]:
        """Yield the lines of the result, or of the standing of an unfinished game."""
        del verbose
        names, returns = self.seats(state), self.returns(state)
        won = ", ".join(f"{name} wins" for name, own in zip(names, returns, strict=True) if own > 0)
        yield "not over" if self.open(state) is not None else won or "a draw"

    def turns(self, _: State, /) -> int:
        """Return the number of the turn."""
        return 0

    def text(self, _: State, answer: Answer, /) -> str:
        """Return an answer as text, which `read` reads back."""
        return str(answer)

    def read(self, state: State, text: str, /) -> Answer:
        """Return the answer that a text means: an option, or the only one that begins with it.

        Raises:
            InputError: It means none; the message says what is accepted.
        """
        now = self.open(state)
        if now is None:
            raise InputError(f"answer: {text!r} is not accepted; the game is over")
        assert not isinstance(now, Call)  # a game with calls reads their answers itself
        outcomes = now.outcomes if isinstance(now, Chance) else None
        options = now.options if isinstance(now, Decision) else ()
        if outcomes is not None:
            options = [outcome for outcome, _ in outcomes.items]
        texts = {self.text(state, option).lower(): option for option in options}
        words = " ".join(text.lower().split())
        if words not in texts:
            begin = [full for full in texts if words and full.startswith(words)]
            if len(begin) != 1:
                check_one_of("answer", words, list(texts))
            words = begin[0]
        answer: Answer = texts[words]
        return answer

    def words(self, state: State, answer: Any, /) -> str:
        """Return an answer, or an option of a selection, as persons and programs read it."""
        return self.text(state, answer)

    def sentence(self, _state: State, _option: Any, /) -> str:
        """Return the effect of an option in a sentence; empty if its text says it."""
        return ""

    def propose(self, _state: State, _decision: Decision, /) -> Answer | None:
        """Return the answer proposed to a person; None for none."""
        return None

    def with_names(self, setup: Setup, _names: Sequence[str], /) -> Setup:
        """Return a set-up whose seats have the names of persons, where not empty, if they can."""
        return setup

    def why(self, _state: State, _decision: Decision, /) -> str:
        """Return in a sentence why an answer is proposed; empty for no reason."""
        return ""

    def only(self, _state: State, _decision: Decision, /) -> Answer | None:
        """Return the only possible answer; None if there is a choice."""
        return None

    def look(self, state: State, seat: int, word: str, /) -> str:
        """Return the description that a seat gets for one of the words `looks`."""
        raise NotImplementedError

    def explain(self, _state: State, _seat: int, _name: str, /) -> Iterable[str]:
        """Return lines that explain a decision, or the thing called ``name``; may be empty."""
        return ()

    def observe(self, state: State, seat: int, /) -> NDArray[np.float32]:
        """Return a seat's observation as numbers from -1 to 1, equally many in every state.

        By default they are the numbers of `view`, in their order.
        """
        return np.array([*_numbers(self.view(state, seat))], np.float32)

    def streams(self, seed: Seed, seats: int, /) -> list[np.random.Generator]:
        """Return the generators of a match: that of chance, and one for each seat."""
        return np.random.default_rng(seed).spawn(seats + 1)


AnyGame = Game[Any, Any, Any, Any]


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        value = value.values()
    elif isinstance(value, int | float):
        yield float(value)
        return
    elif isinstance(value, str) or not isinstance(value, Sequence):
        return
    for part in value:
        yield from _numbers(part)


class Match(Generic[Setup, State, Answer, Event]):
    """A game that is played.

    Attributes:
        players: The player of each seat; None for a person, whose answers come by `step`.
        state: The state now.
        open: The question that is open now; None when the game is over.
        steps: The steps so far.
        generators: The generator of each player.
        chance: That of chance.
    """

    def __init__(
        self,
        game: Game[Setup, State, Answer, Event],
        setup: Setup,
        players: Sequence[Player | None],
        seed: Seed = 0,
        *,
        kinds: Sequence[str] = (),
        compute: Compute | None = None,
        source: Mapping[str, str] | None = None,
        asks_all: bool = False,
    ) -> None:
        """Begin a match.

        Args:
            game: The game.
            setup: The set-up.
            players: The player of each seat; None for a person.
            seed: Seed of chance and of the players, each of which has a generator of its own.
            kinds: The kind of each player, for the record.
            compute: Answers calls.
            source: Origin of the answers to calls, for the record.
            asks_all: True to ask persons what has only one sensible answer, too; see `Game.only`.

        Raises:
            InputError: There are more or fewer players than seats.
        """
        self.game, self.setup, self.seed = game, setup, seed
        self.state = game.start(setup)
        seats = len(game.seats(self.state))
        if len(players) != seats:
            raise InputError(f"players: {len(players)} is not accepted; give {seats}")
        self.players, self.kinds = list(players), tuple(kinds) or ("player",) * seats
        self.source = source or {}
        self.open = game.open(self.state)
        self.steps: list[Step[State, Answer, Event]] = []
        self._undone: list[list[Step[State, Answer, Event]]] = []
        self._compute, self.asks_all = compute, asks_all
        self.chance, *self.generators = game.streams(seed, seats)

    @property
    def person(self) -> int | None:
        """The seat of the person who has to answer; None if no person has to."""
        now = self.open
        return now.seat if isinstance(now, Decision) and self.players[now.seat] is None else None

    def choose(self) -> Answer | None:
        """Return the answer of chance, a computation or a player; None where a person answers."""
        now = self.open
        answer: Answer | None = None
        if isinstance(now, Decision):
            player = self.players[now.seat]
            if player is not None:
                answer = player.choose(self.state, now, self.generators[now.seat])
            elif not self.asks_all:
                answer = self.game.only(self.state, now)
        elif isinstance(now, Chance):
            answer = now.draw(self.chance)
        elif now is not None and self._compute is not None:
            answer = self._compute(self.state, now.about, self.seed)
        return answer

    def step(self, answer: Answer) -> Step[State, Answer, Event]:
        """Go on with an answer, and return the step.

        Raises:
            InputError: The answer is not legal; nothing changes.
        """
        before = self.state
        after, events = self.game.apply(before, answer)
        step = Step(before, answer, after, events)
        self.steps.append(step)
        self._undone.clear()
        self.go_to(after)
        return step

    def play(self) -> Iterator[Step[State, Answer, Event]]:
        """Yield steps until the game is over or waits for a person."""
        while (answer := self.choose()) is not None:
            yield self.step(answer)

    def undo(self) -> bool:
        """Go back to the last decision of a person, and return whether there was one."""
        game = self.game
        for number in range(len(self.steps) - 1, -1, -1) if game.may_undo else ():
            state = self.steps[number].before
            now = game.open(state)
            if (
                isinstance(now, Decision)
                and self.players[now.seat] is None
                and (self.asks_all or game.only(state, now) is None)
            ):
                self._undone.append(self.steps[number:])
                del self.steps[number:]
                self.go_to(state)
                return True
        return False

    def redo(self) -> bool:
        """Take the last `undo` back, and return whether there was one since the last step."""
        if not self._undone:
            return False
        self.steps += self._undone.pop()
        self.go_to(self.steps[-1].after)
        return True

    def change_setup(self, setup: Setup) -> None:
        """Go through the same answers from another set-up, such as one with other names."""
        steps, self.steps, self.setup = self.steps, [], setup
        self.go_to(self.game.start(setup))
        for step in steps:
            self.step(step.answer)

    def go_to(self, state: State) -> None:
        """Go on from a state, such as one that was kept; the steps stay as they are."""
        self.state = state
        self.open = self.game.open(state)


AnyMatch = Match[Any, Any, Any, Any]


def play(
    game: Game[Setup, State, Answer, Event],
    setup: Setup,
    players: Sequence[Player],
    seed: Seed,
    compute: Compute | None = None,
) -> Iterator[Step[State, Answer, Event]]:
    """Yield the steps of a whole game between players; see `Match` for the arguments."""
    return Match(game, setup, players, seed, compute=compute).play()
