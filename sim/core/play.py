"""The play loop of both games: ask, choose, step.

A `Match` is a game under way. It asks a question; `choose` answers for chance and for players that
decide by themselves, and leaves the question open for a person; `step` goes on with an answer and
returns a step: the states before and after, the answer and the events. Everything that plays uses
the same loop: whole games on the command line (`play_on`), windows that show one step at a time
(`next_step`), records that are replayed (`replay_steps`), and transcripts (`events_by_turn`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from physics import InputError

Question = TypeVar("Question")
Answer = TypeVar("Answer")
StepT_co = TypeVar("StepT_co", covariant=True)
StepT = TypeVar("StepT")
EventT = TypeVar("EventT")


class Match(Protocol[Question, Answer, StepT_co]):
    """A game under way."""

    @property
    def question(self) -> Question | None:
        """The open question; None when the game is over."""

    def choose(self, question: Question, /) -> Answer | None:
        """Return the answer of chance or of a player; None if a person has to answer."""

    def step(self, answer: Answer, /) -> StepT_co:
        """Go on with an answer, and return the step.

        Raises:
            InputError: The answer is not legal; nothing changes.
        """


def next_step(match: Match[Question, Answer, StepT]) -> StepT | None:
    """Ask, choose, step.

    Returns:
        The step; None if the game is over or waits for a person.
    """
    question = match.question
    answer = None if question is None else match.choose(question)
    return None if answer is None else match.step(answer)


def play_on(match: Match[Question, Answer, StepT]) -> Iterator[StepT]:
    """Yield steps until the game is over or waits for a person."""
    while (step := next_step(match)) is not None:
        yield step


def replay_steps(
    answers: Iterable[str], answer: Callable[[str], StepT], noun: str
) -> Iterator[StepT]:
    """Yield the steps of a recorded game.

    Args:
        answers: The recorded answers, as text.
        answer: Reads an answer, goes on with it and returns the step.
        noun: Name of an answer in errors.

    Raises:
        InputError: An answer is not legal; the message gives its number, from 1.
    """
    for number, text in enumerate(answers, start=1):
        try:
            step = answer(text)
        except InputError as error:
            raise InputError(f"record: {noun} {number}: {error}") from None
        yield step


def events_by_turn(
    events: Iterable[EventT], begins_turn: Callable[[EventT], bool]
) -> Iterator[tuple[EventT, ...]]:
    """Group events by turn; events before the first turn are a group of their own.

    Example:
        >>> list(events_by_turn("..TabTc", lambda event: event == "T"))
        [('.', '.'), ('T', 'a', 'b'), ('T', 'c')]
    """
    turn: list[EventT] = []
    for event in events:
        if begins_turn(event) and turn:
            yield tuple(turn)
            turn = []
        turn.append(event)
    if turn:
        yield tuple(turn)
