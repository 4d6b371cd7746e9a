"""Tables: games under way that visitors share, each with a link, seats, and a journal on disk.

A seat belongs to a visitor who has taken it, or to a player of the computer or a program; visitors
without one watch. An answer is in the journal before a page shows it. A table that is not in
memory, as after a restart, is opened from its journal, and goes on by itself. Players that take
long are asked in a process of their own.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nicegui import Client, Event, app
from nicegui.logging import log
from platformdirs import user_data_path

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import InputError, check_count, refusal
from pucklab.base.facts import fact
from pucklab.base.files import Autosave
from pucklab.base.parsing import parse_json
from pucklab.render.browser.guard import Visitor
from pucklab.render.browser.work import Viewers, compute
from pucklab.sim.core.game import AnyGame, AnyMatch, Chance, Decision, Match
from pucklab.sim.core.players import Players, ProgramPlayer, ask_player
from pucklab.sim.core.records import (
    Journal,
    game_record_from,
    journal_lines,
    record_json,
    record_of,
)

_NAME_CHARS, _CALLED_CHARS = 40, 20
_SEEDS = 10**9
_AGAIN_S = 0.1
_LOOKED_THROUGH, _LISTED = 40, 4
"""Latest games that are looked through for those of a visitor, and how many are listed."""

_QUICK = ("random", "greedy")
"""Players that need no process of their own."""


@fact
class _Seats:
    """A line of a journal: who sits where."""

    owners: tuple[str, ...]  # visitor of each seat; empty for nobody
    asks_all: bool = False  # see `Match`
    called: tuple[str, ...] = ()  # name of the person in each seat; empty if not told


@dataclass
class Table:
    """A game under way.

    Attributes:
        name: Its name in links.
        match: The game.
        owners: The visitor in each seat of a person; empty while it is free.
        called: The name of the person in each seat; empty for others.
        following: Name of the table of the next game between the same people.
        journal: Its lines on the disk; None for a record that is replayed, which has no seats.
        file: A further file for the record, that of the host.
        number: Answers and undos so far; an answer names the number that its page shows.
        message: A line about something that went wrong.
        wants_undo: Seats that have agreed to take the last decision back.
        viewers: Pages that show it; what they say tells why nothing was computed.
    """

    name: str
    match: AnyMatch
    owners: list[str]
    journal: Journal | None
    called: list[str] = field(default_factory=list)
    following: str = ""
    file: Autosave | None = None
    number: int = 0
    changed: Event[...] = field(default_factory=Event)
    message: str = ""
    wants_undo: set[int] = field(default_factory=set)
    viewers: Viewers = field(default_factory=lambda: Viewers(_TABLES))
    _running: object = None  # what goes on by itself

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.match.game

    @property
    def replays(self) -> bool:
        """Whether it is a record to look at."""
        return self.journal is None

    @property
    def busy(self) -> bool:
        """Whether a player of the computer thinks, or something is computed."""
        return self._running is not None

    @property
    def is_unsaved(self) -> bool:
        """Whether more than its journal would be forgotten."""
        return self.busy or self.replays or self.file is not None

    @property
    def waits(self) -> bool:
        """Whether the game waits for a person, or is over."""
        now, match = self.match.open, self.match
        if isinstance(now, Decision) and match.players[now.seat] is None:
            return match.asks_all or self.game.only(match.state, now) is None
        return now is None or self.replays

    def name_of(self, seat: int) -> str:
        """Return the name of a player: that of the person, and of the seat."""
        name, called = self.game.seats(self.match.state)[seat], self.called[seat]
        return name if not called or called in name else f"{called} ({name})"

    def seats_of(self, visitor: Visitor) -> tuple[int, ...]:
        """Return the seats that a visitor sits in."""
        return tuple(seat for seat, owner in enumerate(self.owners) if owner == visitor.name)

    def take_seat(self, seat: int, visitor: Visitor, name: str = "") -> None:
        """Let a visitor sit down in a free seat of a person, and be called by a name.

        Raises:
            InputError: The name is too long, not printable, or that of another at the table.
        """
        name = name.strip()
        if not name.isprintable() or len(name) > _CALLED_CHARS:
            raise refusal("name", name, f"one of at most {_CALLED_CHARS} signs")
        if name and name in (*self.called[:seat], *self.called[seat + 1 :]):
            raise InputError(f"name: {name} is at the table already; give another")
        if self.match.players[seat] is None and not self.owners[seat]:
            self._seat(seat, visitor.name, name or self.called[seat])

    def free_seat(self, seat: int, visitor: Visitor) -> None:
        """Free a seat: the visitor's own, or any for the host."""
        if visitor.is_host or self.owners[seat] == visitor.name:
            self._seat(seat, "", self.called[seat])

    def _seat(self, seat: int, owner: str, name: str) -> None:
        owners, called = list(self.owners), list(self.called)
        owners[seat], called[seat] = owner, name
        self._write({"owners": owners, "asks_all": self.match.asks_all, "called": called})
        self.owners = owners
        self._call(called)
        self.wants_undo.clear()
        self.changed.emit()

    def _call(self, called: Sequence[str]) -> None:
        """Call persons by their names, in the game, too, where it has names of its own."""
        self.called = [*called]
        setup = self.game.with_names(self.match.setup, called) if any(called) else self.match.setup
        if setup != self.match.setup and not self.busy:
            self.match.change_setup(setup)

    def is_here(self, seat: int) -> bool:
        """Return whether the person in a seat has the table open now."""
        pages = self.viewers.pages.items()
        here = {who.name for page, who in pages if Client.instances[page].has_socket_connection}
        return self.owners[seat] in here

    def play_again(self, visitor: Visitor, *, swaps: bool = False) -> None:
        """Begin another game of the same people, which the pages go to; or in other places.

        Raises:
            InputError: The game is not over, the visitor has no seat, or it cannot be kept.
        """
        match = self.match
        if match.open is not None:
            raise InputError("the game is not over")
        if not self.seats_of(visitor):
            raise InputError("only who has played asks for another game")
        if not self.following:
            order = [(seat - swaps) % len(self.owners) for seat in range(len(self.owners))]
            called = [self.called[seat] for seat in order]
            another: AnyMatch = Match(
                self.game,
                self.game.with_names(match.setup, called),
                [match.players[seat] for seat in order],
                secrets.randbelow(_SEEDS),
                kinds=[match.kinds[seat] for seat in order],
                source=match.source,
                asks_all=match.asks_all,
            )
            table = self.open_next(another, [self.owners[seat] for seat in order], called)
            self.following = table.name
        self.changed.emit()

    def open_next(self, match: AnyMatch, owners: Sequence[str], called: Sequence[str]) -> "Table":
        """Open the table of the next game."""
        return open_table(match, kind=type(self), owners=owners, called=called)

    def may_answer(self, visitor: Visitor) -> bool:
        """Return whether the open decision is a visitor's."""
        now = self.match.open
        return isinstance(now, Decision) and self.owners[now.seat] == visitor.name

    def check_now(self, number: int) -> None:
        """Check that an answer is to what the game waits for.

        Raises:
            InputError: It comes too late.
        """
        if self.busy or number != self.number:
            raise InputError("the game has gone on from the step that your page shows")

    def answer(self, visitor: Visitor, text: str, number: int) -> None:
        """Answer the open decision of a visitor's seat with an option's text.

        Raises:
            InputError: It is another's turn, the answer comes too late, is not legal, or cannot be
                kept.
        """
        self.check_now(number)
        if not self.may_answer(visitor):
            raise InputError("it is not your turn")
        self._give(self.game.read(self.match.state, text))
        self.go_on()

    def go_on(self) -> None:
        """Let chance and players of the computer go on, unless they do."""
        if not self.busy and not self.waits:
            self._running = asyncio.get_running_loop().create_task(self._play_on())

    async def _play_on(self) -> None:
        """Go on until a person has to answer."""
        self.message = ""
        try:
            while not self.waits:
                if (answer := await self.choose()) is not None:
                    self._give(answer)
                    await self.follow()
                elif self.viewers.said or not self.viewers.pages:
                    break  # the pages say why, or there is none
                else:
                    await asyncio.sleep(_AGAIN_S)
        except InputError as error:
            self.message = str(error)
        except Exception:
            log.exception("table %s", self.name)
            self.message = "This failed; the terminal of pucklab says how."
        finally:
            self._running = None
            self._call(self.called)
        self.changed.emit()

    async def choose(self) -> Any:
        """Return the answer of chance or of a player, computed outside the loop of the server."""
        match, now = self.match, self.match.open
        player = match.players[now.seat] if isinstance(now, Decision) else None
        if not isinstance(now, Decision) or player is None:
            return match.choose()
        if isinstance(player, ProgramPlayer) or match.kinds[now.seat] in _QUICK:
            return await asyncio.to_thread(match.choose)
        rng = match.generators[now.seat]
        chosen = await compute(self.viewers, ask_player, player, match.state, now, rng)
        if chosen is None:
            return None
        answer, rng.bit_generator.state = chosen
        return answer

    async def follow(self) -> None:
        """Wait until the last step is seen."""

    def ask_undo(self, visitor: Visitor) -> None:
        """Take the last decision back, once every seat of a person agrees.

        Raises:
            InputError: There is nothing to take back now, or for this visitor.
        """
        self.wants_undo |= set(self.seats_of(visitor))
        if self.busy or not self.wants_undo:
            self.wants_undo.clear()
            raise InputError("only who plays takes a decision back, on the own turn")
        if self.wants_undo >= {seat for seat, owner in enumerate(self.owners) if owner}:
            self.wants_undo.clear()
            if self.match.undo():
                try:
                    self._write({"undo": True})
                except InputError:
                    self.match.redo()
                    raise
                self.number += 1
        self.changed.emit()

    def _give(self, answer: Any) -> None:
        """Go on with an answer, once it is in the journal; then tell everybody."""
        match = self.match
        text = self.game.text(match.state, answer)
        before = match.step(answer).before
        try:
            self._write(text)
        except InputError:
            match.steps.pop()
            match.go_to(before)
            raise
        self.number += 1
        self.wants_undo.clear()
        if self.file is not None:
            self.file.save_if_due()
        self.changed.emit()

    def _write(self, line: Any) -> None:
        if self.journal is not None:
            self.journal.append(line)

    def read(self, line: Any) -> None:
        """Go on with a line of the journal.

        Raises:
            InputError: It does not go on from those before it.
        """
        match = self.match
        if isinstance(line, Mapping) and "undo" not in line:
            seats = decode(_Seats, line, "game")
            check_count("game owners", len(seats.owners), *[len(match.players)] * 2)
            self.owners, match.asks_all = list(seats.owners), seats.asks_all
            self._call(seats.called or self.called)
            return
        self.number += 1
        if isinstance(line, Mapping):
            match.undo()
            return
        if isinstance(match.open, Chance):
            match.choose()  # the generator goes on from here
        match.step(self.game.read(match.state, str(line)))


class _Tables(dict[str, Table]):
    """The tables in memory by name; the journal of one that is forgotten is closed."""

    def __delitem__(self, name: str) -> None:
        journal = self.pop(name).journal
        if journal is not None:
            journal.close()


_TABLES: _Tables = _Tables()
GAMES: dict[str, tuple[Players, Callable[[Mapping[str, str]], Callable[..., Table]]]] = {}
"""For each game that tables play: players by name, and the table for a source of answers."""


def open_table(
    match: AnyMatch,
    host: Visitor | None = None,
    name: str = "",
    save: Path | None = None,
    kind: Callable[..., Table] = Table,
    *,
    replays: bool = False,
    owners: Sequence[str] = (),
    called: Sequence[str] = (),
) -> Table:
    """Open a table for a match; a host sits down in the first seat of a person.

    Raises:
        InputError: Its journal cannot be written.
    """
    name = name or secrets.token_urlsafe(8)
    owners = [*owners] or [""] * len(match.players)
    called = [*called] or [""] * len(match.players)
    free = [seat for seat, player in enumerate(match.players) if player is None]
    if host is not None and free:
        owners[free[0]] = host.name
    header, *answers = journal_lines(match)
    seats = {"owners": owners, "asks_all": match.asks_all, "called": called}
    journal = None if replays else Journal(_path(name), [header, seats, *answers])
    file = (
        None if save is None else Autosave(save, lambda: record_json(match.game, record_of(match)))
    )
    table = kind(name, match, owners, journal, called, file=file, number=len(answers))
    _TABLES[name] = table
    if file is not None:
        app.on_shutdown(file.save)
    return table


def table_named(name: str) -> Table | None:
    """Return a table by its name, from memory or from its journal; None if there is none.

    Raises:
        InputError: Its journal cannot be read, or is open in another process; without a path.
    """
    path, old = _path(name), _path(name).with_suffix(".json")
    is_name = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    if name not in _TABLES and is_name and len(name) <= _NAME_CHARS:
        if path.exists():
            journal = Journal(path)
        elif old.exists():
            journal = Journal(path, _lines_of(old))
        else:
            return None
        try:
            _TABLES[name] = _table_of(name, journal)
        except BaseException:
            journal.close()
            raise
    return _TABLES.get(name)


def tables_of(visitor: Visitor) -> list[Table]:
    """Return the games that a visitor sits in and can go on with, the latest ones first."""
    found = list[Table]()
    journals = sorted(_path("").parent.glob("*.jsonl"), key=lambda path: -path.stat().st_mtime)
    for path in journals[:_LOOKED_THROUGH]:
        with suppress(InputError, OSError):  # of another process, or damaged
            if path.stem in _TABLES or visitor.name in path.read_text("ascii", "replace"):
                table = table_named(path.stem)
                if table and table.match.open is not None and table.seats_of(visitor):
                    found.append(table)
    return found[:_LISTED]


def _table_of(name: str, journal: Journal) -> Table:
    header = journal.lines[0] if journal.lines else None
    header = header if isinstance(header, Mapping) else {}
    check_one_of("game", header.get("game"), [*GAMES])
    players, kind = GAMES[header["game"]]
    record = game_record_from(players.game, {**header, "answers": [], "end": {}}, "game")
    match: AnyMatch = Match(
        players.game,
        record.setup,
        [players.of(kind, persons=True) for kind in record.players],
        record.seed or 0,
        kinds=record.players,
        source=record.source,
    )
    nobody = [""] * len(match.players)
    table = kind(record.source)(name, match, nobody, journal, nobody)
    for line in journal.lines[1:]:
        table.read(line)
    return table


def _lines_of(path: Path) -> list[Any]:
    """Return the lines of a table that an earlier version has saved whole."""
    try:
        kept = parse_json(path.read_text("utf-8"), "game")
        record = dict(kept["record"])
        answers = record.pop("answers")
        del record["end"]
        return [record, {"owners": kept["owners"]}, *answers]
    except (OSError, UnicodeDecodeError, KeyError, TypeError):
        raise InputError("game: it cannot be read") from None


def _path(name: str) -> Path:
    return user_data_path("pucklab") / "games" / f"{name}.jsonl"
