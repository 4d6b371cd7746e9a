"""The page of a table, for any game: seats, the open decision with its options, the story."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from nicegui import context, ui

from pucklab.base.errors import InputError
from pucklab.render.browser.frame import Action, action_buttons, marker, page_frame, visitor_now
from pucklab.render.browser.guard import Visitor
from pucklab.render.browser.tables import Table, table_named
from pucklab.sim.core.game import Decision, Step
from pucklab.sim.core.records import record_json, record_of

_MOST_TOLD = 200


class TablePage:
    """The page of one visitor; games with a picture have classes of their own."""

    heading = legend = ""

    def __init__(self, table: Table, visitor: Visitor) -> None:
        self.table, self.visitor = table, visitor
        self.number = table.number  # that of the step shown, which answers name
        # Number of steps shown; None for the game as it is now.
        match = table.match
        ends = [step.after for step in match.steps]
        self.at = ends.index(match.state) + 1 if table.replays and match.state in ends else None
        undo = [
            Action(
                "u",
                "take the last decision back; the others are asked",
                partial(self.attempt, table.ask_undo, visitor),
                "undo",
            )
        ] * table.game.may_undo
        self.actions: Sequence[Action] = (
            *self.own_actions(),
            Action(",", "a step back in the story", partial(self._look, -1), "chevron_left"),
            Action(".", "a step on", partial(self._look, 1), "chevron_right"),
            Action("Enter", "take the proposed answer", self._take_proposed),
            *undo,
            Action("j", "save the game as a file", self._download, "download"),
        )
        title = self.heading or table.game.name.capitalize()
        with page_frame(title, self.actions, self.legend) as (stage, panel):
            with stage:
                self.question = ui.label().classes("text-xl").props("role=status").mark("question")
                self.stage()
                self.options = ui.row().classes("gap-1").mark("options")
                self.typed = ui.input("or type an answer").classes("w-full").mark("typed")
                self.typed.on("keydown.enter", self._answer_typed)
                self.message = ui.label().classes("text-negative").mark("message")
                table.viewers.join()
            with panel:
                self.seats = ui.column().classes("gap-1 w-full").mark("seats")
                action_buttons(self.actions)
                self.panel()
                self.story = ui.column().classes("pucklab-moves").mark("story")
        table.changed.subscribe(self.show)
        self.show()

    @property
    def steps(self) -> Sequence[Step[Any, Any, Any]]:
        """The steps up to the state shown."""
        return self.table.match.steps[: self.at]

    @property
    def state(self) -> Any:
        """The state that is shown."""
        match = self.table.match
        if self.at is None:
            return match.state
        return match.steps[self.at - 1].after if self.at else match.steps[0].before

    def _look(self, change: int) -> None:
        """Show an earlier step, or a later one."""
        last = len(self.table.match.steps)
        if last:
            at = min(max((last if self.at is None else self.at) + change, 0), last)
            self.at = None if at == last and not self.table.replays else at
            self.show()

    def own_actions(self) -> Sequence[Action]:
        """Return the actions that this game adds to those of every table."""
        return ()

    def stage(self) -> None:
        """Add the picture of the game; by default what the seat sees, as text."""
        self._text = ui.element("pre").classes("text-sm overflow-auto w-full")

    def panel(self) -> None:
        """Add further parts below the seats."""

    def draw(self) -> None:
        """Show the state on the stage."""
        game, state = self.table.game, self.state
        seat = next(iter(self.table.seats_of(self.visitor)), -1)
        self._text.clear()
        with self._text:
            for word in game.looks if seat >= 0 else ():
                ui.label(game.look(state, seat, word))

    def is_on_stage(self, option: Any) -> bool:
        """Return whether an option is chosen on the stage, and needs no button."""
        del option
        return False

    @property
    def decision(self) -> Decision | None:
        """The open decision, if it is this visitor's."""
        now = self.table.match.open
        is_own = self.table.may_answer(self.visitor) and not self.table.busy and self.at is None
        return now if is_own and isinstance(now, Decision) else None

    def choose(self, answer: Any) -> None:
        """Answer the decision that is shown."""
        text = self.table.game.text(self.table.match.state, answer)
        self.attempt(self.table.answer, self.visitor, text, self.number)

    def attempt(self, act: Callable[..., object], *arguments: Any) -> None:
        """Do something for the visitor, or say why not."""
        try:
            act(*arguments)
        except InputError as error:
            ui.notify(str(error))

    def show(self) -> None:
        """Show the table as it is now."""
        table, match, decision = self.table, self.table.match, self.decision
        game, state = table.game, self.state
        self.number = table.number if self.at is None else -1
        self.question.props(f"data-step={self.number}")
        if self.at is not None:
            self.question.text = f"Step {self.at} of {len(match.steps)}"
        elif match.open is None:
            self.question.text = " ".join(game.result(state))
        elif isinstance(match.open, Decision):
            self.question.text = game.question(state, match.open)
        self.message.text = table.message
        self.draw()
        self.options.clear()
        with self.options:
            if decision is not None:
                self.option_buttons()
            elif not (table.waits or table.busy) and (table.message or table.viewers.said):
                ui.button("Try again", on_click=table.go_on).mark("again")
        self.typed.visible = decision is not None and not decision.selects
        self._show_seats()
        self.story.clear()
        first = match.steps[0].before if match.steps else state
        with self.story:
            for line in list(game.tell(first, self.steps))[-_MOST_TOLD:]:
                ui.label(line).classes("text-sm")
        if table.wants_undo:
            self.message.text = "A player would like to take the last decision back: U agrees."

    def option_buttons(self) -> None:
        """Add a button for each option that is not chosen on the stage."""
        game, state, decision = self.table.game, self.table.match.state, self.decision
        assert decision is not None
        proposed = game.propose(state, decision)
        for option in decision.options:
            if self.is_on_stage(option):
                continue
            text, about = game.words(state, option), game.sentence(state, option)
            button = ui.button(text, on_click=partial(self.choose, option)).props("no-caps dense")
            button.mark(marker(text)).props("" if option == proposed else "outline")
            if about:
                button.tooltip(about)

    def _show_seats(self) -> None:
        table = self.table
        self.seats.clear()

        def add_button(word: str, run: Callable[[int, Visitor], object], seat: int) -> None:
            button = ui.button(word, on_click=partial(self.attempt, run, seat, self.visitor))
            button.props("dense flat no-caps").mark(marker(f"{word} {seat + 1}"))

        names = () if table.replays else table.game.seats(table.match.state)
        with self.seats:
            for seat, name in enumerate(names):
                kind = table.match.kinds[seat] if table.match.kinds else ""
                with ui.row().classes("items-center gap-2"):
                    now = table.match.open
                    is_turn = isinstance(now, Decision) and now.seat == seat
                    ui.label(name).classes("font-bold" if is_turn else "")
                    if table.match.players[seat] is not None:
                        ui.label(kind).classes("opacity-70")
                    elif not table.owners[seat]:
                        add_button("Sit down", table.take_seat, seat)
                    elif table.owners[seat] == self.visitor.name:
                        ui.label("you").classes("opacity-70")
                        add_button("Leave", table.free_seat, seat)
                    else:
                        ui.label("taken").classes("opacity-70")
                        if self.visitor.is_host:
                            add_button("Free", table.free_seat, seat)

    def _answer_typed(self) -> None:
        """Answer with what was typed, as at the terminal."""
        text, self.typed.value = str(self.typed.value or ""), ""
        self.attempt(self.table.answer, self.visitor, text, self.number)

    def _take_proposed(self) -> None:
        if self.decision is not None:
            proposed = self.table.game.propose(self.table.match.state, self.decision)
            if proposed is not None:
                self.choose(proposed)

    def _download(self) -> None:
        text = record_json(self.table.game, record_of(self.table.match))
        ui.download.content(text, f"{self.table.game.name.replace(' ', '-')}.json")


PAGES: dict[str, Callable[[Table, Visitor], TablePage]] = {}
"""Pages of games that have one of their own."""


async def show_table(name: str) -> None:
    """Show a table to a visitor."""
    visitor, why = visitor_now(), "There is no game of this name; its link may be from elsewhere."
    try:
        table = table_named(name)
    except InputError as error:
        table, why = None, f"This game cannot be opened. {error}" if visitor.is_host else ""
        why = why or "This game cannot be opened; the page of its host says why."
    if table is None:
        with page_frame("No such game") as (stage, _), stage:
            ui.label(why)
        return
    PAGES.get(table.game.name, TablePage)(table, visitor)
    context.client.on_connect(table.go_on)
