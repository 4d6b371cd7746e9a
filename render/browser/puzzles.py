"""The page of puzzles: it says whether a move is right, gives hints, and shares results."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path

from nicegui import Event, ui

from pucklab.physics import InputError
from pucklab.render.browser.board_element import BoardElement
from pucklab.render.browser.exploring import (
    ExplorerState,
    Tool,
    after_press,
    initial_state,
    marks_of,
    with_mat_turned,
    with_next_piece,
    with_piece_sent,
    with_tool,
)
from pucklab.render.browser.frame import ARROWS, Action, action_buttons, page_frame, visitor_now
from pucklab.render.browser.picking import NO_MARKS, Marks, hint_marks
from pucklab.render.browser.work import Viewers, compute
from pucklab.render.bumpers.history import History
from pucklab.render.bumpers.svg import legend_html
from pucklab.sim.bumpers import parse_move, play
from pucklab.sim.bumpers.puzzle_scores import (
    SCORES,
    PuzzleScores,
    enter_attempt,
    scores_path,
    scores_text,
)
from pucklab.sim.bumpers.puzzle_series import LEVELS, PuzzleSource, calendar_text, harder_source
from pucklab.sim.bumpers.puzzle_solving import (
    Attempt,
    Study,
    ask_hint,
    check_action,
    describe_exploring,
    explore,
    hint_text,
    puzzle_key,
    share_text,
    task_text,
    try_move,
    undo,
    verdict_text,
)

_WRONG_S = 1.2
"""Time for which a wrong move is shown."""


@dataclass
class SharedPuzzles:
    """A series of puzzles that the visitors of a page solve together.

    Attributes:
        source: The puzzles.
        scores_file: File in which results are counted; None for a guest.
        most: Number of puzzles; None for all.
    """

    source: PuzzleSource
    scores_file: Path | None = None
    most: int | None = None
    attempt: Attempt | None = None
    state: ExplorerState | None = None
    explores: bool = False
    result: str = ""
    is_wrong: bool = False  # the move shown is to be taken back
    message: str = "Making a puzzle ..."
    changed: Event[...] = field(default_factory=Event)
    viewers: Viewers = field(default_factory=lambda: Viewers(_SERIES))

    def __post_init__(self) -> None:
        """Find the first puzzle, which is not yet made."""
        scores = self.scores()
        numbers = self.source.numbers(scores.solved_days)
        # New puzzles go on where the last time ended.
        if self.source.most is None and self.source.day is None and self.source.seed == 1:
            numbers = islice(numbers, scores.puzzles, None)
        self._numbers = islice(numbers, self.most)

    def scores(self) -> PuzzleScores:
        """Return the scores; those of a newcomer for a guest."""
        try:
            return SCORES.read(self.scores_file) if self.scores_file else PuzzleScores()
        except InputError as error:
            self.message = f"{error}; this time nothing is counted"
            return PuzzleScores()

    async def go_on(self) -> None:
        """Make the next puzzle, in a process of its own, and show it."""
        self.message = "Making a puzzle ..."
        self.changed.emit()
        number = next(self._numbers, None)
        made: Study | str = "That was the last puzzle."
        if number is not None:
            made = await compute(self.viewers, make_study, self.source, number) or ""
        self.message = made if isinstance(made, str) else ""
        if isinstance(made, Study):
            self.attempt, self.result, self.explores = Attempt(study=made), "", False
            self.state = initial_state(made.puzzle.position)
        self.changed.emit()

    def try_step(self, state: ExplorerState) -> None:
        """Show another state, and judge the move that led to it."""
        before, attempt, self.state = self.state, self.attempt, state
        assert attempt is not None
        assert before is not None
        self.message = state.message or self.message
        if state.history.index != before.history.index:
            text = state.history.entry.text
            move = parse_move(before.position, text)
            try:
                check_action(attempt, move)
            except InputError as error:
                self.message, self.state = str(error), before
                self.changed.emit()
                return
            if self.explores:
                self.attempt = explore(attempt, move)
                self.message = describe_exploring(self.attempt)
            else:
                self.attempt, right = try_move(attempt, move)
                self.is_wrong = not right
                self.message = verdict_text(self.attempt, text, right=right)
            if self.attempt.is_solved and not attempt.is_solved:
                self.result = self._enter(self.attempt)
        self.changed.emit()

    def _enter(self, attempt: Attempt) -> str:
        """Count a solved puzzle, and return the score in a line, or why it is not counted."""
        if self.scores_file is None:
            return ""
        study = attempt.study
        key = puzzle_key(study.puzzle.position, study.puzzle.goal, study.puzzle.hand)
        try:
            points = study.puzzle.rating.points
            scores = enter_attempt(self.scores_file, key, points, attempt.score, study.day)
        except (InputError, OSError) as error:
            return f"not counted: {error}"
        return scores_text(scores)

    def take_back(self) -> None:
        """Take back the wrong move that is shown, whose verdict stays."""
        if self.is_wrong:
            self.is_wrong = False
            self._drop_entry()

    def undo(self) -> None:
        """Take the last move back."""
        if self.attempt is None or self.is_wrong:
            return
        before, self.attempt = self.attempt, undo(self.attempt)
        if self.attempt == before:
            self.message = "There is no move to take back."
            self.changed.emit()
        else:
            self.message = ""
            self._drop_entry()

    def _drop_entry(self) -> None:
        """Show the position before the last move."""
        assert self.state is not None
        entries = self.state.history.entries[:-1]
        history = History(entries=entries, index=len(entries) - 1)
        self.state = replace(self.state, history=history, space=None, message="")
        self.changed.emit()

    def explore(self) -> None:
        """Begin to move freely, or go back to the puzzle."""
        self.explores = not self.explores
        while self.attempt is not None and self.attempt.explored:
            self.undo()
        self.message = "Move freely; Explore leads back to the puzzle." if self.explores else ""
        self.changed.emit()

    def hint(self) -> None:
        """Give a hint, or more of it."""
        if self.attempt is not None and self.is_open and not self.explores:
            self.attempt = ask_hint(self.attempt)
            assert self.state is not None
            self.state = replace(self.state, space=None)
            self.message = hint_text(self.attempt)
            self.changed.emit()

    async def go_to(self, source: PuzzleSource) -> None:
        """Go on with the puzzles of another source."""
        self.source, self.most = source, None
        self.__post_init__()
        await self.go_on()

    @property
    def is_unsaved(self) -> bool:
        """True if an attempt is under way."""
        return self.attempt is not None and not self.attempt.is_solved

    @property
    def is_open(self) -> bool:
        """True if a move can be tried."""
        return self.attempt is not None and not (self.attempt.is_solved or self.is_wrong)

    def marks(self) -> Marks:
        """Return the marks of the selection, of a hint, and of the space to reach."""
        attempt, state = self.attempt, self.state
        if attempt is None or state is None or self.is_wrong:
            return NO_MARKS
        marks = marks_of(state)
        node, targets = attempt.node, attempt.study.puzzle.goal.targets
        if attempt.grade > 1 and node.right and state.space is None and not self.explores:
            move, _ = node.right[0]
            change = play(node.position, move)[1]
            marks = hint_marks(move, change.movements, is_shown=attempt.grade > 2)
        spaces = tuple(target.space for target in targets if target.space is not None)
        return replace(marks, spaces=spaces) if spaces else marks


def make_study(source: PuzzleSource, number: int) -> Study | str:
    """Return a puzzle with all its solutions, or the reason why there is none."""
    try:
        return source.study(number)
    except InputError as error:
        return str(error)


_SERIES: dict[str, SharedPuzzles] = {}


def open_series(name: str, source: PuzzleSource, most: int | None = None) -> None:
    """Open a page, by its name, on which the host solves the puzzles of a source."""
    _SERIES[name] = SharedPuzzles(source, scores_path(), most, viewers=Viewers())


async def show_puzzles(name: str) -> None:
    """Show puzzles that all visitors of the link solve together."""
    visitor = visitor_now()
    if name not in _SERIES:
        source = PuzzleSource(level=name) if name in LEVELS else PuzzleSource(day=date.today())
        own = f"{name}-{visitor.name}"
        if own not in _SERIES:
            _SERIES[own] = SharedPuzzles(source, scores_path() if visitor.is_host else None)
        name = own
    _PuzzlePage(_SERIES[name])
    if _SERIES[name].attempt is None:
        ui.timer(0, _SERIES[name].go_on, once=True)


class _PuzzlePage:
    """The page of one visitor."""

    def __init__(self, shared: SharedPuzzles) -> None:
        self._shared = shared
        self._actions = (
            Action("i", "hint; again for more", shared.hint, "lightbulb"),
            Action("u", "take the last move back", shared.undo, "undo"),
            Action("e", "explore freely, or back to the puzzle", shared.explore, "explore"),
            Action("m", "choose a mat to turn, or pieces again", self._choose_mats, "grid_view"),
            Action("r", "turn the mat a quarter", partial(self._step, with_mat_turned, 1)),
            Action("t", "turn the mat half", partial(self._step, with_mat_turned, 2)),
            Action("l", "turn the mat a quarter back", partial(self._step, with_mat_turned, 3)),
            Action("s", "share the result", self._share, "share"),
            Action("n", "next puzzle", shared.go_on, "skip_next"),
            Action("d", "a harder puzzle", self._harder, "trending_up"),
            Action(" ", "next piece that can move", partial(self._step, with_next_piece, 1)),
            *(
                Action(key, f"move it {way.name}", partial(self._step, with_piece_sent, way))
                for key, way in ARROWS.items()
            ),
        )
        with page_frame("Puzzles", self._actions, legend_html()) as (stage, panel):
            with stage:
                self._heading = ui.label().classes("text-lg opacity-70").mark("heading")
                self._task = ui.label().classes("text-xl").mark("task")
                self._board = BoardElement(partial(self._step, after_press))
                shared.viewers.join()
            with panel:
                self._message = ui.label().classes("text-lg").props("role=status").mark("message")
                action_buttons(self._actions)
                self._result = ui.label().classes("whitespace-pre-line").mark("result")
                ui.select(
                    {"": "puzzle of the day", **{level: f"{level} puzzles" for level in LEVELS}},
                    value=shared.source.level,
                    label="Series",
                    on_change=lambda event: self._choose(event.value),
                ).classes("w-full")
        shared.changed.subscribe(self._show)
        self._show()

    def _show(self) -> None:
        shared = self._shared
        self._message.text = shared.message
        if shared.attempt is None or shared.state is None:
            return
        study = shared.attempt.study
        self._heading.text = study.title[:1].upper() + study.title[1:]
        self._task.text = task_text(study.puzzle, has_length=False)
        was_solved = bool(self._result.text)
        self._result.text = ""
        if shared.attempt.is_solved:
            week = shared.source.day
            days = shared.scores().solved_days
            lines = [shared.result, f"The week: {calendar_text(week, days)}" if week else ""]
            self._result.text = "\n".join(filter(None, lines)) or "Solved."
        self._board.show(shared.state.history)
        self._board.show_marks(shared.marks())
        if self._result.text and not was_solved:
            self._board.celebrate()
        if shared.is_wrong:
            ui.timer(_WRONG_S, shared.take_back, once=True)

    def _step(self, how: Callable[..., ExplorerState], *arguments: object) -> None:
        if self._shared.is_open:
            self._shared.try_step(how(self._shared.state, *arguments))

    def _choose_mats(self) -> None:
        """Let presses choose mats, where there is a card for them, or pieces again."""
        state, attempt = self._shared.state, self._shared.attempt
        if state is not None and attempt is not None:
            has_card = attempt.place[2].mats and not state.tool.is_for_mats
            self._step(with_tool, Tool.MOVE_MATS if has_card else Tool.MOVE_PIECES)

    def _share(self) -> None:
        shared, attempt = self._shared, self._shared.attempt
        text = ""
        if attempt is not None and attempt.is_solved:
            text = share_text(attempt, shared.scores().days)
            ui.clipboard.write(text)
        shared.message = f"Copied: {text}" if text else "Solve the puzzle first."
        shared.changed.emit()

    async def _harder(self) -> None:
        shared = self._shared
        if shared.attempt is not None:
            await shared.go_to(harder_source(shared.attempt.study.puzzle, shared.source.seed))

    async def _choose(self, level: str) -> None:
        source = PuzzleSource(level=level) if level else PuzzleSource(day=date.today())
        await self._shared.go_to(source)
