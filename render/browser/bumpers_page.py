"""Games of Puck Bumpers: pieces and mats are moved on the board, cards lie beside it."""

import asyncio
import html
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from nicegui import ui

from pucklab.base.errors import InputError
from pucklab.render.browser.board_element import BoardElement
from pucklab.render.browser.explorer import open_board
from pucklab.render.browser.exploring import ExplorerState
from pucklab.render.browser.frame import (
    ARROWS,
    Action,
    marker,
    page_frame,
    visitor_now,
    word_button,
)
from pucklab.render.browser.game_page import CALLED, TablePage, add_running_games, given_name
from pucklab.render.browser.picking import (
    Marks,
    MovePreview,
    Press,
    mat_move_to,
    next_space,
    preview_at,
    slot_of,
)
from pucklab.render.browser.tables import Table, open_table
from pucklab.render.browser.work import compute
from pucklab.render.bumpers.colours import PLAYERS as COLOURS
from pucklab.render.bumpers.history import at_entry, history_of_game, piece_movements
from pucklab.render.bumpers.motion import motion_of
from pucklab.render.bumpers.spoken import move_words
from pucklab.render.bumpers.svg import legend_html
from pucklab.render.palette import hex_code
from pucklab.sim.bumpers import (
    Direction,
    Kind,
    MatShift,
    MatSwap,
    MatTurn,
    Movement,
    PieceMove,
    board_of,
)
from pucklab.sim.bumpers.game import (
    BUMPERS,
    GameConfig,
    MakeMove,
    Phase,
    PickCard,
    PlacePiece,
    PlayCard,
    event_text,
    make_config,
    place_at_random,
    unplaced,
)
from pucklab.sim.bumpers.game.planner import is_free_action
from pucklab.sim.bumpers.game.player_kinds import PLAYERS, PLAYS, advice_lines
from pucklab.sim.bumpers.game.state import EventKind
from pucklab.sim.bumpers.moves import moved_mats
from pucklab.sim.core.game import AnyMatch, Decision, Match
from pucklab.sim.core.user_config import read_config, write_config

_SEEDS = 10**6

_REST_S = 0.3
"""Time between a move that was seen and the next one of a rival."""

_TOLD = 60
"""Latest moves that a page lists."""


@dataclass
class BumpersTable(Table):
    """A game under way, whose moves are seen before a rival goes on."""

    told: list[tuple[Any, str]] = field(default_factory=list)  # steps, with what they did in words
    _seen_at: float = 0.0

    async def choose(self) -> Any:
        """Return the next answer, once the last move was seen."""
        answer = await super().choose()
        if self.viewers.pages:
            await asyncio.sleep(self._seen_at - asyncio.get_running_loop().time())
        return answer

    def _give(self, answer: Any) -> None:
        super()._give(answer)
        step = self.match.steps[-1]
        if isinstance(answer, MakeMove) and self.viewers.pages:
            motion = motion_of(step.before.position, step.after.position, movements_of(step))
            self._seen_at = asyncio.get_running_loop().time() + motion.duration_s + _REST_S

    def open_next(self, match: AnyMatch, owners: Sequence[str], called: Sequence[str]) -> Table:
        """Open the table of the next game, which begins set up."""
        place_at_random(match)
        return super().open_next(match, owners, called)

    def tell_steps(self) -> list[tuple[int, str]]:
        """Return what happened in words, with the number of the step after which it is seen."""
        steps = self.match.steps
        while self.told and not (len(self.told) <= len(steps) and
                                 steps[len(self.told) - 1] is self.told[-1][0]):  # fmt: skip
            self.told.pop()
        self.told += [(step, step_words(step)) for step in steps[len(self.told) :]]
        return [(number, words) for number, (_, words) in enumerate(self.told, 1) if words]


def movements_of(step: Any) -> tuple[Movement, ...]:
    """Return the pieces that a step moved."""
    move = step.answer.move
    return piece_movements(step.before, move) if isinstance(move, PieceMove) else ()


def step_words(step: Any) -> str:
    """Return a step of a game in words; empty for what changes nothing on the board."""
    state, answer = step.before, step.answer
    names, events = state.config.name, [
        event for event in step.events if event.kind not in _UNTOLD
    ]  # fmt: skip
    if isinstance(answer, MakeMove) and state.phase is Phase.ACTION:
        told = move_words(state.position, answer.move, movements_of(step))
        words = [f"{names(state.player)}: {told.removeprefix(f'{names(state.player)} ')}"]
        seen = (EventKind.MOVED, EventKind.SCORED)
        events = [event for event in events if event.kind not in seen]
        return "; ".join((*words, *(event_text(state.config, event) for event in events)))
    return "; ".join(event_text(state.config, event) for event in events)


_UNTOLD = {EventKind.SHUFFLED, EventKind.PLACED, EventKind.TURN, EventKind.DREW, EventKind.ENDED}
"""Events that are seen by themselves, or of which only one player may know."""


class BumpersPage(TablePage):
    """The page of one visitor."""

    heading = "Puck Bumpers"
    legend = legend_html()
    plays = PLAYS
    table: BumpersTable

    def own_actions(self) -> Sequence[Action]:
        """Return the actions on the board."""
        return (
            Action(" ", "next piece that can move", self._select_next),
            *(
                Action(key, f"move it {way.name}", partial(self._send, way))
                for key, way in ARROWS.items()
            ),
            Action("h", "ask the coach what it would do", self._ask_coach, word="Coach"),
            Action("x", "explore from here", self._explore, word="Explore"),
        )

    def stage(self) -> None:
        """Add the board."""
        self._space: int | None = None  # that of the selected piece
        self._mat: int | None = None
        self._board = BoardElement(self._press)

    def panel(self) -> None:
        """Add how one wins, and the cards."""
        config = self.table.match.setup
        pucks = config.pieces_each[Kind.PUCK] * config.colours_each
        goal = f"Whoever first has all {pucks} own pucks in goals wins."
        ui.label(goal).classes("soft").mark("goal")
        self._cards = ui.element("div").classes("cards").mark("cards")

    def say(self) -> tuple[str, str]:
        """Return whose move it is, and the last one."""
        state, now, names = self.state, self.table.match.open, self.table.name_of
        told = [words for number, words in self.table.tell_steps()
                if self.at is None or number <= self.at]  # fmt: skip
        last = told[-1][:1].upper() + told[-1][1:] + "." if told else ""
        if self.at is not None:
            return f"After step {self.at} of {len(self.table.match.steps)}.", last
        if state.phase is Phase.OVER:
            own = state.winner in self.table.seats_of(self.visitor)
            won = "Nobody wins" if state.winner is None else f"{names(state.winner)} wins"
            return "You win!" if own else f"{won}.", last
        seat = now.seat if isinstance(now, Decision) else state.player
        if self.decision is None:
            is_own = seat in self.table.seats_of(self.visitor)
            return "One moment ..." if is_own else f"{names(seat)} is to move.", last
        if state.phase is Phase.PLACING:
            left = ", ".join(str(piece) for piece in unplaced(state, seat))
            return "Place a piece: choose one of the marked spaces.", f"To place: {left}."
        if state.asked is not None:
            cards = " or ".join(sorted({state.card(o.card).name for o in self._options
                                        if isinstance(o, PlayCard)}))  # fmt: skip
            return f"{cards} now? Play it, or pass.", last
        if state.phase is Phase.DISCARD:
            return "You hold too many cards: discard one.", last
        if state.pending is not None:
            card = state.card(state.pending.card)
            return f"{card.name}: {'choose a mat' if self._mat_moves() else 'choose'}.", card.text
        if state.turn.taken >= state.actions_allowed:
            return "Your move is made: play a card, or pass.", last
        many = state.actions_allowed
        which = f", action {state.turn.taken + 1} of {many}" if many > 1 else ""
        colours = " or ".join(colour.word for colour in state.config.colours_of(seat))
        return f"Your move{which}: choose one of your {colours} pieces.", last

    def seat_row(self, seat: int) -> None:
        """Add the pucks of a player that are in."""
        state, parts = self.state, []
        for colour in state.config.colours_of(seat):
            most, done = state.config.pieces_each[Kind.PUCK], state.position.scored[colour]
            discs = f'<i class="full" style="--own:{hex_code(COLOURS[colour])}"></i>' * done
            parts.append(
                f'<div class="hp" role="img" aria-label="{done} of {most} {colour.word} pucks in">'
                f"{discs}{'<i></i>' * (most - done)}</div>"
                f'<small class="soft" aria-hidden="true">{done} of {most} pucks in</small>'
            )
        ui.html("".join(parts), sanitize=False)

    def _show_cards(self) -> None:
        """Show the own hand, with what each card does, and a button where it can be chosen now."""
        state, seats = self.state, self.table.seats_of(self.visitor)
        options = {o.card: o for o in self._options if isinstance(o, PlayCard | PickCard)}
        self._cards.clear()
        with self._cards:
            for number in state.hands[seats[0]] if seats and state.hands else ():
                card, option = state.card(number), options.get(number)
                with ui.element("div").classes("" if option else "off"):
                    kind = str(card.kind).replace("-", " ")
                    told = f"<b>{html.escape(card.name)}</b> <span class=kind>{kind}</span>"
                    ui.html(told, sanitize=False)
                    ui.label(card.text)
                    if option is not None:
                        word = "Play" if isinstance(option, PlayCard) else "Discard"
                        text = marker(self.table.game.words(state, option))
                        button = word_button(word, partial(self.choose, option)).mark(text)
                        button.props["aria-label"] = f"{word} {card.name}"

    def tell(self) -> None:
        """List the latest moves, the last one first; a click shows the board after one."""
        self.story.clear()
        with self.story:
            for number, words in reversed(self.table.tell_steps()[-_TOLD:]):
                line = word_button(words, partial(self.look_at, number))
                line.classes(remove="pill").classes("link")

    def draw(self) -> None:
        """Show the board with marks on everything that can be chosen, and the cards."""
        self._show_cards()
        history = history_of_game(self.table.match.setup, self.steps)
        shifts = [move for move in self._mat_moves() if isinstance(move, MatShift)]
        self._board.show(at_entry(history, len(history.entries) - 1), has_ring=bool(shifts))
        self._board.show_marks(self._marks())

    def is_on_stage(self, option: Any) -> bool:
        """Return whether an option is a move of pieces or mats, a placing, or a card in hand."""
        if isinstance(option, PlayCard | PickCard):
            seats = self.table.seats_of(self.visitor)
            return any(option.card in self.table.match.state.hands[seat] for seat in seats)
        if isinstance(option, PlacePiece):
            return True
        return isinstance(option, MakeMove) and not isinstance(option.move, MatTurn)

    @property
    def _options(self) -> Sequence[Any]:
        return () if self.decision is None else self.decision.options

    def _previews(self, space: int) -> list[MovePreview]:
        """Return the moves of a piece that can be chosen."""
        state = self.table.match.state
        return [
            MovePreview(move=option.move, movements=piece_movements(state, option.move))
            for option in self._options
            if isinstance(option, MakeMove)
            and isinstance(option.move, PieceMove)
            and option.move.space == space
        ]

    def _mat_moves(self) -> list[MatShift | MatSwap]:
        moves = (option.move for option in self._options if isinstance(option, MakeMove))
        return [move for move in moves if isinstance(move, MatShift | MatSwap)]

    def _marks(self) -> Marks:
        layout = self.table.match.state.position.layout
        if self._space is not None:
            previews = tuple(self._previews(self._space))
            if previews:
                return Marks(selected=(self._space,), previews=previews)
        if self._mat is not None:
            slots = [
                move.slot if isinstance(move, MatShift) else layout.places[other].slot
                for move in self._mat_moves()
                if self._mat in moved_mats(move)
                for other in moved_mats(move)
                if isinstance(move, MatShift) or other != self._mat
            ]
            return Marks(mat=self._mat, slots=tuple(slots), reach="mats")
        places = {option.space for option in self._options if isinstance(option, PlacePiece)}
        has_mats = bool(self._mat_moves()) and not any(
            isinstance(o, MakeMove) and isinstance(o.move, PieceMove) for o in self._options
        )
        return Marks(spaces=tuple(places), reach="mats" if has_mats else "pieces")

    def _press(self, press: Press) -> None:
        position = self.table.match.state.position
        space = board_of(position.layout).spaces.get(press.square)
        own = [] if space is None else self._previews(space)
        chosen = [] if self._space is None else self._previews(self._space)
        placing = [o for o in self._options if isinstance(o, PlacePiece) and o.space == space]
        preview = preview_at(position, chosen, press.end)
        if placing:
            self.choose(placing[0])
        elif press.direction is not None and own:
            self._space = space
            self._send(press.direction)
        elif preview is not None:
            self._move(MakeMove(preview.move))
        elif not (self._mat_moves() and self._press_mat(press)):
            self._space = space if own else None
            if not own and space is not None and position.piece_on(space) is not None:
                ui.notify("that piece cannot be moved now")
            self._board.show_marks(self._marks())

    def _press_mat(self, press: Press) -> bool:
        """Select a mat, or move the selected one; return whether a mat was meant."""
        layout = self.table.match.state.position.layout
        begin, end = (slot_of(square, layout.size) for square in (press.square, press.end))
        mat = layout.mat_at(begin) if press.direction is not None else self._mat
        if mat is not None:
            move = mat_move_to(layout, mat, end)
            if move is not None and MakeMove(move) in self._options:
                self._mat = None
                self._move(MakeMove(move))
                return True
        self._mat = layout.mat_at(end) if self._mat is None else None
        self._board.show_marks(self._marks())
        return self._mat is not None

    def _send(self, direction: Direction) -> None:
        for preview in [] if self._space is None else self._previews(self._space):
            if preview.move.direction is direction:
                self._move(MakeMove(preview.move))
                return

    def _move(self, choice: MakeMove) -> None:
        self._space = None
        self.choose(choice)

    def _select_next(self) -> None:
        spaces = {
            option.move.space
            for option in self._options
            if isinstance(option, MakeMove) and isinstance(option.move, PieceMove)
        }
        if spaces:
            self._space = next_space(self.table.match.state.position, spaces, self._space)
            self._board.show_marks(self._marks())

    async def _ask_coach(self) -> None:
        """Tell the person whose decision it is what the planner would do."""
        if self.decision is None or not is_free_action(self.table.match.state):
            ui.notify("the coach advises at your actions")
            return
        lines = await compute(
            self.table.viewers, advice_lines, self.table.match.state, self.decision
        )
        ui.notify("\n".join(lines or ["the coach has no answer now"]), multi_line=True,
                  classes="whitespace-pre-line", timeout=20_000)  # fmt: skip

    def _explore(self) -> None:
        match = self.table.match
        history = history_of_game(match.setup, match.steps)
        name = open_board(ExplorerState(history=at_entry(history, len(history.entries) - 1)))
        ui.navigate.to(f"/boards/{name}")


def open_game(config: GameConfig, kinds: Sequence[str], seed: int, *, places: bool) -> AnyMatch:
    """Return a match of players by their kinds; without ``places`` it begins set up."""
    match: AnyMatch = Match(
        BUMPERS, config, [PLAYERS.of(kind, persons=True) for kind in kinds], seed, kinds=kinds
    )
    if not places:
        place_at_random(match)
    return match


def show_bumpers() -> None:
    """Show the choices of a game, with those of the last one."""
    visitor = visitor_now()
    config, message = read_config()

    def start() -> None:
        chosen = replace(config, name=called.value.strip(), board_level=level.value)
        CALLED[visitor.name] = chosen.name
        if visitor.is_host:
            write_config(chosen)
        kinds, seed = ("person", level.value), secrets.randbelow(_SEEDS)
        try:
            match = open_game(make_config(2), kinds, seed, places=places.value)
            table = open_table(match, visitor, kind=BumpersTable, called=[chosen.name, ""])
            ui.navigate.to(f"/tables/{table.name}")
        except InputError as error:
            ui.notify(str(error))

    with page_frame("Puck Bumpers") as (stage, _), stage:
        add_running_games(visitor)
        ui.label("Slide your pucks into the goals before your rival does.").classes("say")
        called = ui.input("Your name", value=given_name(visitor)).props("maxlength=20")
        level = ui.select(
            {"person": "a friend", **{kind: f"plays {how}" for kind, how in PLAYS.items()}},
            value=config.board_level, label="The rival",
        ).mark("level")  # fmt: skip
        places = ui.checkbox("Place the pieces yourself")
        word_button("Begin", start, is_main=True).mark("start")
        ui.label(message)
