"""The solver beside the board: searching in a process of its own, answers, hints, replies.

`Solving` starts and stops a search and keeps its latest `Answer`, so that the page never waits;
`answer_lines` and `goal_text` describe it. It may also find the `MoveLength` of every move.
`with_replies` lets the greedy player move the other sides.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.render.browser.exploring import ExplorerState, with_message
from pucklab.render.browser.picking import NO_MARKS, Marks, hint_marks
from pucklab.render.bumpers.history import Entry, with_continuation
from pucklab.sim.bumpers import (
    Colour,
    Kind,
    PieceMove,
    Position,
    legal_moves,
    move_text,
    play,
)
from pucklab.sim.bumpers.game import (
    Deck,
    GameConfig,
    GameState,
    GreedyPlayer,
    MakeMove,
    Phase,
    choices,
)
from pucklab.sim.bumpers.puzzle_solving import piece_hint
from pucklab.sim.bumpers.solver import Goal, Question, Solution, bring_in, solve
from pucklab.sim.bumpers.solver.goals import MOST_PUCKS, goal_after, read_goal
from pucklab.sim.bumpers.solver.search import solution_states
from pucklab.sim.bumpers.solver.solution import LineStep, line_steps
from pucklab.sim.core.game import Decision

if TYPE_CHECKING:  # its processes need no NiceGUI
    from pucklab.render.browser.work import Work

_MOVE_S = 3.0
"""Longest search for the length of one move."""

_LONG = 10**6
"""More actions than any solution has."""


@fact
class MoveLength:
    """A move, and the shortest solution that begins with it."""

    move: PieceMove
    text: str
    actions: int | None  # with this move; None if no solution was found
    least: int | None  # of a solution that was not found; None if there is none

    @property
    def words(self) -> str:
        """The move and its length.

        Example:
            >>> MoveLength(move=PieceMove(0, 0), text="a1N", actions=3, least=None).words
            'a1N: 3 actions'
        """
        if self.actions is not None:
            return f"{self.text}: {self.actions} action{'' if self.actions == 1 else 's'}"
        return f"{self.text}: " + ("none" if self.least is None else f"{self.least} or more")


News: TypeAlias = Solution | tuple[MoveLength, ...]
"""A result so far."""


def progress_of(question: Question) -> Iterator[Solution]:
    """Search, and yield the result so far when it has changed; the last one is the answer."""
    shown = None
    for state in solution_states(question):
        now = (state.status, state.limit, state.line, state.lower_bound, state.nodes >> 20)
        if now != shown:
            shown = now
            yield state


def move_lengths(question: Question) -> Iterator[tuple[MoveLength, ...]]:
    """Yield the lengths of the pieces' legal moves, one move more each time.

    Those found are sorted, the shortest solution first.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> *_, lengths = move_lengths(Question(parse_position("pb1:small:RPf7:-:R:-")))
        >>> lengths[0].words
        'f7N*: 1 action'
    """
    found: list[MoveLength] = []
    for move in legal_moves(question.position):
        if isinstance(move, PieceMove):
            found.append(_length_of(question, move))
            found.sort(key=lambda one: (one.actions or _LONG, one.least or _LONG))
            yield tuple(found)


def _length_of(question: Question, move: PieceMove) -> MoveLength:
    position, goal = question.position, question.goal
    assert isinstance(goal, Goal)
    after, change = play(position, move)
    rest = goal_after(goal, position, after, change)
    text, actions, least = move_text(position, move), None, None
    if rest is None:
        actions = 1
    else:
        found = solve(Question(after, rest, replace(question.limits, seconds=_MOVE_S)))
        if found.line:
            actions = 1 + len(found.line)
        elif found.lower_bound is not None:
            least = 1 + found.lower_bound
    return MoveLength(move=move, text=text, actions=actions, least=least)


@fact
class Answer:
    """The solver's answer about a position so far.

    Attributes:
        position: The position.
        found: The latest result; None before there is news.
        steps: The solution step by step; empty as long as none is found.
        is_hint: True if only a hint was asked for.
        shown: Part of a hint that is shown: 1 for the piece, 2 for its move.
        error: The reason why the solver refused; empty without one.
    """

    position: Position
    found: Solution | None = None
    steps: tuple[LineStep, ...] = ()
    is_hint: bool = False
    shown: int = 1
    error: str = ""


@dataclass
class Solving:
    """The solver of a board.

    Attributes:
        begin: Begins to call a function, and returns its `Work`.
        pucks: Goal: the number of pucks of the side to move to bring in; None for all.
        goal: Text of a goal that holds instead; empty for none.
        answer: The answer about the position of the last request.
        lengths: Those of the moves of the position that was analysed.
    """

    begin: Callable[..., "Work"]
    pucks: int | None = 1
    goal: str = ""
    answer: Answer | None = None
    lengths: tuple[MoveLength, ...] = ()
    _analysed: Position | None = None
    _search: "Work | None" = None

    @property
    def is_running(self) -> bool:
        """True while a search is under way."""
        return self._search is not None

    def change_pucks(self, change: int) -> None:
        """Change the number of pucks in the goal; above 4 it is all of them."""
        self.goal = ""
        number = (self.pucks or MOST_PUCKS + 1) + change
        number = min(max(number, 1), MOST_PUCKS + 1)
        self.pucks = None if number > MOST_PUCKS else number

    def ask(
        self,
        position: Position,
        search: Callable[[Question], Iterable[News]] = progress_of,
        *,
        is_hint: bool = False,
    ) -> None:
        """Start a search for a solution, only for a hint, or by `move_lengths` for every move."""
        self.stop()
        if search is move_lengths:
            self.lengths, self._analysed = (), position
        self.answer = Answer(position=position, is_hint=is_hint)
        try:
            goal = read_goal(position, self.goal) if self.goal else bring_in(self.pucks)
            question = Question(position, goal)
            question.check()
        except InputError as error:
            self.answer = replace(self.answer, error=str(error).removeprefix("goal: "))
        else:
            self._search = self.begin(search, question)

    def lengths_at(self, position: Position) -> tuple[MoveLength, ...]:
        """Return the lengths of a position's moves, as far as they are known."""
        return self.lengths if position == self._analysed else ()

    def hint(self, position: Position) -> None:
        """Show a hint for a position; called again, show more of it."""
        answer = self.answer
        if answer is None or answer.position != position or not (answer.steps or self.is_running):
            self.ask(position, is_hint=True)
        elif answer.steps:
            more = 2 if answer.is_hint else 1
            self.answer = replace(answer, is_hint=True, shown=more)

    def stop(self) -> None:
        """Stop the search, if there is one; the answer so far stays."""
        if self._search is not None:
            self._search.stop()
            self._search = None

    def advance(self) -> bool:
        """Update the answer from the search; return True if there was news."""
        if self._search is None or self.answer is None:
            return False
        news = self._search.news()
        if isinstance(news, tuple):
            self.lengths = news
        elif news is not None:
            steps = line_steps(self.answer.position, news.line)
            self.answer = replace(self.answer, found=news, steps=steps)
        is_over = self._search.is_over
        if is_over:
            self.answer = replace(self.answer, error=self._search.error)
            self._search = None
            if self.lengths_at(self.answer.position):
                self.answer = None  # the lengths say it all
        return news is not None or is_over

    def about(self, position: Position) -> Answer | None:
        """Return the answer if it is about a position, or if its solution passes through it."""
        answer = self.answer
        if answer is None:
            return None
        met = (answer.position, *(step.after for step in answer.steps if not answer.is_hint))
        return answer if position in met else None


def answer_marks(position: Position, answer: Answer) -> Marks:
    """Return marks of the next move of a solution, or of the part that a hint shows."""
    step = next((step for step in answer.steps if step.before == position), None)
    if step is None:
        return NO_MARKS
    is_shown = not answer.is_hint or answer.shown > 1
    return hint_marks(step.move, step.change.movements, is_shown=is_shown)


def answer_lines(answer: Answer, *, is_running: bool) -> Sequence[str]:
    """Return an answer as a few short lines."""
    found = answer.found
    if answer.error:
        return (answer.error,)
    if is_running and (found is None or not found.line):
        if found is None or found.lower_bound is None:
            return ("searching ...",)
        least = f"searching: at least {found.lower_bound} actions"
        return (least, f"{found.nodes:,} moves made")
    if found is None:
        return ("stopped",)
    if found.lower_bound == 0:
        return ("the goal is reached already",)
    if found.line:
        count, first = len(answer.steps), answer.steps[0]
        actions = f"{count} action{'' if count == 1 else 's'}"
        if not answer.is_hint:
            line = " ".join(step.text for step in answer.steps)
            return (f"solved in {actions}, the fewest possible", line)
        words = piece_hint(answer.position, first.move)
        return (
            f"solvable in {actions}",
            words if answer.shown == 1 else f"begin with {first.text}",
        )
    if found.lower_bound is None:
        return ("proved: there is no solution",)
    if found.status is found.status.PROVED_UNSOLVABLE:
        return (f"proved: no solution of up to {found.lower_bound - 1} actions",)
    return ("stopped", f"a solution needs at least {found.lower_bound} actions")


def goal_text(pucks: int | None, position: Position) -> str:
    """Return a goal as text.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> goal_text(None, parse_position("pb1:small:RPb7:-:R:-"))
        'all red pucks in'
    """
    side = "" if position.to_move is None else f"{position.to_move.word} "
    if pucks is None:
        return f"all {side}pucks in"
    return f"{pucks} {side}{Kind.PUCK.word}{'' if pucks == 1 else 's'} in"


def with_replies(state: ExplorerState, rng: np.random.Generator) -> ExplorerState:
    """Return the state with a move of each other side appended, in the order of colours.

    Args:
        state: The state; its side to move does not reply.
        rng: Random numbers of the greedy player.

    Example:
        >>> from pucklab.render.browser.exploring import initial_state
        >>> from pucklab.sim.bumpers import parse_position
        >>> state = initial_state(parse_position("pb1:small:RPb7.BPf7:-:R:-"))
        >>> [entry.text for entry in with_replies(state, np.random.default_rng(1)).history.entries]
        ['', 'f7N*']
    """
    position, entries = state.position, []
    there = {piece.colour for _, piece in position.pieces} - {position.to_move}
    first = -1 if position.to_move is None else position.to_move
    # In turn order, from the side to move on.
    for colour in sorted(there, key=lambda colour: (colour <= first, colour)):
        board = replace(position, pieces=(), to_move=None)
        game = GameState(
            config=GameConfig(board=board, deck=Deck(), players=len(Colour)),
            position=position,
            phase=Phase.ACTION,
            player=int(colour),
            hands=((),) * len(Colour),
            turns=1,
        )
        moves = tuple(choice for choice in choices(game) if isinstance(choice, MakeMove))
        chosen = GreedyPlayer().choose(game, Decision(int(colour), moves), rng) if moves else None
        if isinstance(chosen, MakeMove) and isinstance(chosen.move, PieceMove):
            after, change = play(position, chosen.move, colours=(colour,))
            text = move_text(position, chosen.move)
            entries.append(
                Entry(position=after, text=text, movements=change.movements, glides=True)
            )
            position = after
    if not entries:
        return with_message(state, "no other side can move")
    return replace(state, history=with_continuation(state.history, entries), space=None, message="")
