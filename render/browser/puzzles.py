"""The page of puzzles: it says whether a move is right, gives hints, and shares results."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode

from nicegui import Event, context, ui

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
from pucklab.render.browser.frame import (
    ARROWS,
    Action,
    Sharing,
    action_buttons,
    page_frame,
    visitor_now,
)
from pucklab.render.browser.picking import NO_MARKS, Marks, hint_marks
from pucklab.render.browser.work import Viewers, compute
from pucklab.render.bumpers.history import History, at_entry
from pucklab.render.bumpers.spoken import entry_words
from pucklab.render.bumpers.svg import legend_html
from pucklab.sim.bumpers import parse_move, parse_position, play, position_text
from pucklab.sim.bumpers.puzzle_scores import (
    SCORES,
    PuzzleScores,
    enter_attempt,
    scores_path,
    scores_text,
)
from pucklab.sim.bumpers.puzzle_series import (
    LEVELS,
    WEEK,
    PuzzleSource,
    harder_source,
    source_of_position,
)
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
from pucklab.sim.bumpers.solver.goals import goal_text

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


async def show_puzzles(name: str, position: str = "", goal: str = "1", cards: str = "") -> None:
    """Show puzzles: those of a page by its name, of a level, of a day, or a position as one."""
    visitor, own, why = visitor_now(), name, ""
    if name not in _SERIES:
        source = PuzzleSource(day=date.today())
        try:
            if position:
                source = source_of_position(parse_position(position), [goal], cards)
            elif name in LEVELS:
                source = PuzzleSource(level=name)
            elif name != "day":
                source = PuzzleSource(day=min(date.fromisoformat(name), date.today()))
        except ValueError as error:
            why = str(error)
        own = f"{name}-{position}-{goal}-{visitor.name}"
        if own not in _SERIES:
            _SERIES[own] = SharedPuzzles(source, scores_path() if visitor.is_host else None)
    _PuzzlePage(_SERIES[own])
    if why:
        ui.notify(f"There is no such puzzle; this is that of the day. {why}")
    if _SERIES[own].attempt is None:
        ui.timer(0, _SERIES[own].go_on, once=True)


def address_of(attempt: Attempt) -> str:
    """Return the path of a page with a puzzle: that of its day, or of its position and goal."""
    study = attempt.study
    if study.day is not None:
        return f"/puzzles/{study.day.isoformat()}"
    position, hand = study.puzzle.position, study.puzzle.hand
    asked = {"position": position_text(position), "goal": goal_text(position, study.puzzle.goal)}
    return "/puzzles/one?" + urlencode(asked | {"cards": ",".join(hand.names)})


def days_before(day: date, count: int) -> Iterator[date]:
    """Yield as many days, the last one that of the argument."""
    return (date.fromordinal(max(day.toordinal() - back, 1)) for back in reversed(range(count)))


def add_days(days: Iterable[date], solved: Collection[str]) -> None:
    """Add a link to the puzzle of each day, marked if it is solved."""
    for day in days:
        is_solved, is_today = day.isoformat() in solved, day == date.today()
        words = f"{day:%a} {day.day}{' ✓' if is_solved else ''}"
        link = ui.link(words, f"/puzzles/{day.isoformat()}")
        link.classes(" ".join(["solved"] * is_solved + ["today"] * is_today))
        link.props(f'aria-label="{day:%A, %d %B}, {"solved" if is_solved else "not solved"}"')


def show_archive(month: str = "") -> None:
    """Show the days of a month with their puzzles."""
    today = date.today()
    try:
        first = date.fromisoformat(f"{month}-01") if month else today.replace(day=1)
    except ValueError:
        first = today.replace(day=1)
    first = min(first, today.replace(day=1))
    following = date.fromordinal(first.toordinal() + 32).replace(day=1)
    before = date.fromordinal(max(first.toordinal() - 1, 1)).replace(day=1)
    scores = SharedPuzzles(
        PuzzleSource(), scores_path() if visitor_now().is_host else None
    ).scores()
    with page_frame("Puzzles") as (stage, _), stage:
        ui.label(f"Puzzles of {first:%B %Y}").classes("say")
        with ui.element("div").classes("week").props("role=navigation"):
            for _ in range(first.weekday()):
                ui.element("i")
            last = min(following.toordinal() - 1, today.toordinal())
            add_days(map(date.fromordinal, range(first.toordinal(), last + 1)), scores.solved_days)
        with ui.element("div").classes("chips"):
            ui.link(f"{before:%B}", f"/puzzles/archive?month={before:%Y-%m}").classes("pill")
            if following <= today:
                ui.link(f"{following:%B}", f"/puzzles/archive?month={following:%Y-%m}").classes(
                    "pill"
                )


class _PuzzlePage:
    """The page of one visitor."""

    def __init__(self, shared: SharedPuzzles) -> None:
        self._shared = shared
        request = context.client.request
        self._origin = Sharing.address or f"{request.url.scheme}://{request.url.netloc}"
        self._actions = (
            Action("i", "hint; again for more", shared.hint, word="Hint"),
            Action("u", "take the last move back", shared.undo, word="Take back"),
            Action(
                "e", "explore freely, or back to the puzzle", shared.explore, word="Explore freely"
            ),
            Action(
                "m", "choose a mat to turn, or pieces again", self._choose_mats, word="Turn a mat"
            ),
            Action("r", "turn the mat a quarter", partial(self._step, with_mat_turned, 1)),
            Action("t", "turn the mat half", partial(self._step, with_mat_turned, 2)),
            Action("l", "turn the mat a quarter back", partial(self._step, with_mat_turned, 3)),
            Action("s", "share the result", self._share, word="Share"),
            Action("n", "next puzzle", shared.go_on, word="Next"),
            Action("d", "a harder puzzle", self._harder, word="Harder"),
            Action(" ", "next piece that can move", partial(self._step, with_next_piece, 1)),
            *(
                Action(key, f"move it {way.name}", partial(self._step, with_piece_sent, way))
                for key, way in ARROWS.items()
            ),
        )
        with page_frame("Puzzles", self._actions, legend_html()) as (stage, panel):
            with stage:
                self._board = BoardElement(partial(self._step, after_press))
                shared.viewers.join()
            with panel:
                self._task = ui.label().classes("say").props("tabindex=-1").mark("task")
                self._heading = ui.label().classes("soft").mark("heading")
                self._message = ui.label().classes("text-lg").props("role=status").mark("message")
                action_buttons(self._actions)
                self._moves = ui.element("div").classes("log").mark("moves")
                self._result = ui.label().classes("whitespace-pre-line").mark("result")
                self._week = ui.element("div").classes("week").mark("week")
                ui.link("All days", "/puzzles/archive")
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
            self._result.text = shared.result or "Solved."
        self._moves.clear()
        with self._moves:
            history = shared.state.history
            for number in range(1, history.index + 1):
                ui.label(f"{number}  {entry_words(at_entry(history, number))}")
        self._week.clear()
        with self._week:
            day = shared.source.day or date.today()
            add_days(days_before(day, WEEK), shared.scores().solved_days)
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
        """Copy an address that opens this puzzle, and how it was solved."""
        shared, attempt = self._shared, self._shared.attempt
        if attempt is None:
            return
        address = self._origin + address_of(attempt)
        told = share_text(attempt, shared.scores().days) if attempt.is_solved else ""
        ui.clipboard.write("\n".join(filter(None, (told, address))))
        shared.message = f"Copied: {address}"
        shared.changed.emit()

    async def _harder(self) -> None:
        shared = self._shared
        if shared.attempt is not None:
            await shared.go_to(harder_source(shared.attempt.study.puzzle, shared.source.seed))

    async def _choose(self, level: str) -> None:
        source = PuzzleSource(level=level) if level else PuzzleSource(day=date.today())
        await self._shared.go_to(source)
