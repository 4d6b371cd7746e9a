"""The page of a table, for any game: whose turn it is, who plays, what to choose, what happened."""

import html
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from nicegui import context, ui

from pucklab.base.errors import InputError
from pucklab.render.browser.frame import (
    Action,
    Sharing,
    action_buttons,
    marker,
    page_frame,
    visitor_now,
    word_button,
)
from pucklab.render.browser.guard import Visitor
from pucklab.render.browser.tables import Table, table_named, tables_of
from pucklab.sim.core.game import Decision, Step
from pucklab.sim.core.records import record_json, record_of
from pucklab.sim.core.user_config import read_config

_MOST_TOLD = 200
CALLED: dict[str, str] = {}
"""The name that each visitor gave last."""


def given_name(visitor: Visitor) -> str:
    """Return the name that a visitor gave last."""
    known = read_config()[0].name if visitor.is_host else ""
    return CALLED.get(visitor.name, known)


def add_running_games(visitor: Visitor) -> None:
    """Add a link to each game that a visitor can go on with."""
    games = tables_of(visitor)
    if games:
        ui.label("Go on").classes("say")
        with ui.element("div").classes("chips").props("role=navigation aria-label=Games"):
            for table in games:
                page, state = PAGES.get(table.game.name, TablePage), table.match.state
                names = " against ".join(map(table.name_of, range(len(table.owners))))
                game = page.heading or table.game.name.capitalize()
                turn = table.game.turns(state)
                words = f"{game}, {names}: turn {turn}" if turn else f"{game}, {names}"
                ui.link(words, f"/tables/{table.name}").classes("pill").mark("go-on")


class TablePage:
    """The page of one visitor; games with a picture have classes of their own."""

    heading = legend = ""
    plays: ClassVar[Mapping[str, str]] = {}  # how the players of the computer play, by their kinds

    def __init__(self, table: Table, visitor: Visitor) -> None:
        self.table, self.visitor = table, visitor
        self.number = table.number  # that of the step shown, which answers name
        # Number of steps shown; None for the game as it is now.
        match = table.match
        ends = [step.after for step in match.steps]
        self.at = ends.index(match.state) + 1 if table.replays and match.state in ends else None
        self._owners = [*table.owners]
        undo = [
            Action(
                "u",
                "take the last decision back; the others are asked",
                partial(self.attempt, table.ask_undo, visitor),
                word="Take back",
            )
        ] * table.game.may_undo
        self.actions: Sequence[Action] = (
            *self.own_actions(),
            Action(",", "a step back in the story", partial(self._look, -1), word="Step back"),
            Action(".", "a step on", partial(self._look, 1), word="Step on"),
            Action("Enter", "take the proposed answer", self._take_proposed),
            *undo,
            Action("j", "save the game as a file", self._download, word="Save"),
        )
        title = self.heading or table.game.name.capitalize()
        with page_frame(title, self.actions, self.legend) as (stage, panel):
            with stage:
                self.stage()
            with panel:
                with ui.element("div").classes("say").props("role=status tabindex=-1"):
                    self.question = ui.label().mark("question")
                    self.about = ui.element("small").mark("about")
                table.viewers.join()
                self.options = ui.element("div").classes("opt").mark("options")
                self.message = ui.label().classes("text-negative").mark("message")
                self.seats = ui.column().classes("gap-2 w-full").mark("seats")
                self.panel()
                self.story = ui.element("div").classes("log").mark("story")
                self.typed = ui.input("or type an answer").props("dense").classes("w-full")
                self.typed.mark("typed").on("keydown.enter", self._answer_typed)
                action_buttons(self.actions)
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
        self.look_at((last if self.at is None else self.at) + change)

    def look_at(self, number: int) -> None:
        """Show the game after a number of steps; at the last one, as it goes on."""
        last = len(self.table.match.steps)
        if last:
            at = min(max(number, 0), last)
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

    def say(self) -> tuple[str, str]:
        """Return whose turn it is in a sentence, and what there is to know about it."""
        match, game = self.table.match, self.table.game
        if self.at is not None:
            return f"Step {self.at} of {len(match.steps)}", ""
        if match.open is None:
            return "", " ".join(game.result(self.state))
        if not isinstance(match.open, Decision):
            return "", ""
        if self.decision is None:
            return f"{self.table.name_of(match.open.seat)} is to decide.", ""
        return game.question(self.state, match.open), ""

    def aside(self) -> str:
        """Return what else there is to tell the visitor now."""
        return ""

    def _question_as_typed(self) -> str:
        """Return what the game asks, or its result, as at the terminal."""
        now, game = self.table.match.open, self.table.game
        if now is None:
            return " ".join(game.result(self.table.match.state))
        return game.question(self.table.match.state, now) if isinstance(now, Decision) else ""

    def seat_row(self, seat: int) -> None:
        """Add what a game shows of a player, below the name."""

    @property
    def decision(self) -> Decision | None:
        """The open decision, if it is this visitor's."""
        now = self.table.match.open
        table = self.table
        is_own = table.may_answer(self.visitor) and table.waits and not table.busy
        is_own &= self.at is None
        return now if is_own and isinstance(now, Decision) else None

    def choose(self, answer: Any) -> None:
        """Answer the decision that is shown."""
        text = self.table.game.text(self.table.match.state, answer)
        self.attempt(self.table.answer, self.visitor, text, self.number)

    def attempt(self, act: Callable[..., object], *arguments: Any, **facts: Any) -> None:
        """Do something for the visitor, or say why not."""
        try:
            act(*arguments, **facts)
        except InputError as error:
            ui.notify(str(error))

    def show(self) -> None:
        """Show the table as it is now."""
        table, match, decision = self.table, self.table.match, self.decision
        if table.following and self.visitor.name in table.owners:
            ui.navigate.to(f"/tables/{table.following}")
            return
        self.number = table.number if self.at is None else -1
        self.question.props(f"data-step={self.number}")
        self.question.props["title"] = self._question_as_typed()
        self.question.text, about = self.say()
        self.about.clear()
        with self.about:
            for line in filter(None, (about, self.aside())):
                ui.label(line)
        self.message.text = table.message
        self.draw()
        self.options.clear()
        with self.options:
            if decision is not None:
                self.option_buttons()
            elif match.open is None and table.seats_of(self.visitor) and not table.replays:
                again = partial(self.attempt, table.play_again, self.visitor)
                word_button("Play again", again, is_main=True).mark("play-again")
                word_button("Change places", partial(again, swaps=True)).mark("change-places")
            elif not (table.waits or table.busy) and (table.message or table.viewers.said):
                word_button("Try again", table.go_on).mark("again")
        self.typed.visible = decision is not None and not decision.selects
        self._show_seats()
        self.tell()
        if table.wants_undo:
            self.message.text = "A player would like to take the last decision back: U agrees."

    def tell(self) -> None:
        """Tell what happened."""
        match = self.table.match
        first = match.steps[0].before if match.steps else self.state
        self.story.clear()
        with self.story:
            for line in list(self.table.game.tell(first, self.steps))[-_MOST_TOLD:]:
                ui.label(line)

    def option_buttons(self) -> None:
        """Add a button for each option that is not chosen on the stage."""
        game, state, decision = self.table.game, self.table.match.state, self.decision
        assert decision is not None
        proposed = game.propose(state, decision)
        for option in decision.options:
            if not self.is_on_stage(option):
                text, about = game.words(state, option), game.sentence(state, option)
                best = "best" if option == proposed else ""
                word = text[:1].upper() + text[1:]
                option_button(word, about, partial(self.choose, option)).classes(best).mark(
                    marker(text)
                )

    def _show_seats(self) -> None:
        """Show who plays; a visitor without a seat may take a free one."""
        table = self.table
        for seat, owner in enumerate(table.owners):
            if owner not in ("", self._owners[seat], self.visitor.name):
                ui.notify(f"{self.table.name_of(seat)} has come.")
        self._owners = [*table.owners]
        self.seats.clear()
        names = () if table.replays else table.game.seats(table.match.state)
        is_guest = not table.seats_of(self.visitor)
        free = [seat for seat, owner in enumerate(table.owners)
                if not owner and table.match.players[seat] is None]  # fmt: skip
        with self.seats:
            if names and free and is_guest:
                called = (
                    ui.input("Your name", value=given_name(self.visitor))
                    .props("maxlength=20")
                    .mark("called")
                )
            for seat, _ in enumerate(names):
                kind = table.match.kinds[seat] if table.match.kinds else ""
                is_own = table.owners[seat] == self.visitor.name
                with ui.element("div").classes("who"):
                    now = table.match.open
                    is_turn = isinstance(now, Decision) and now.seat == seat
                    turn = ' class="turn"' if is_turn else ""
                    name = html.escape(table.name_of(seat))
                    ui.html(f"<b{turn}>{name}</b>", sanitize=False)
                    if table.match.players[seat] is not None:
                        ui.html(f"<span>plays {self.plays.get(kind, kind)}</span>", sanitize=False)
                    elif is_own:
                        ui.html("<span>you</span>", sanitize=False)
                        word_button("Leave", partial(self.attempt, table.free_seat, seat,
                                    self.visitor)).mark(f"Leave-{seat + 1}")  # fmt: skip
                    elif seat in free:
                        is_alone = not (is_guest or Sharing.address)
                        how = ": a friend comes by the link of pucklab play --share"
                        ui.html(f"<span>free{how * is_alone}</span>", sanitize=False)
                        if is_guest:
                            word_button("Sit down", partial(
                                self._sit_down, seat, called), is_main=True,
                            ).mark(f"Sit-down-{seat + 1}")  # fmt: skip
                    else:
                        there = "here" if table.is_here(seat) else "away"
                        ui.html(f"<span>{there}</span>", sanitize=False)
                        if self.visitor.is_host:
                            word_button("Free", partial(self.attempt, table.free_seat, seat,
                                        self.visitor)).mark(f"Free-{seat + 1}")  # fmt: skip
                self.seat_row(seat)

    def _sit_down(self, seat: int, called: ui.input) -> None:
        name = str(called.value or "").strip()
        CALLED[self.visitor.name] = name
        self.attempt(self.table.take_seat, seat, self.visitor, name)

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


def option_button(text: str, about: str, run: Callable[[], object]) -> ui.button:
    """Add a button of an option, with a line about it."""
    with word_button(text, run).classes(remove="pill") as button:
        if about:
            ui.html(f"<small>{html.escape(about)}</small>", sanitize=False)
    return button


PAGES: dict[str, type[TablePage]] = {}
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
    client = context.client
    client.on_connect(table.go_on)
    for tell in (client.on_connect, client.on_disconnect):  # who plays is here, or away
        tell(lambda: table.changed.emit() if table.seats_of(visitor) else None)
