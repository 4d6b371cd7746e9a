"""Tables: games under way that visitors share, each with a link, seats, and a record kept on disk.

A seat belongs to a visitor who has taken it, or to a player of the computer or a program; visitors
without one watch. Players that take long are asked in a process of their own. A table that is not
in memory, as after a restart, is read from its record.
"""

import asyncio
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from nicegui import Event
from platformdirs import user_data_path

from pucklab.base.decoding import decode
from pucklab.base.facts import fact
from pucklab.base.files import read_json, write_whole
from pucklab.base.parsing import json_text
from pucklab.physics import InputError
from pucklab.render.browser.guard import Visitor
from pucklab.render.browser.work import Viewers, compute
from pucklab.sim.core.game import AnyGame, AnyMatch, Decision, Match, Player
from pucklab.sim.core.players import Players, ProgramPlayer
from pucklab.sim.core.records import game_record_from, record_json, record_of, replay

_NAME_CHARS = 40
_QUICK = ("random", "greedy")
"""Players that need no process of their own."""


@fact
class _Kept:
    """A table as a file has it."""

    game: str
    owners: tuple[str, ...]  # visitor of each seat; empty for nobody
    record: Mapping[str, Any]


@dataclass
class Table:
    """A game under way.

    Attributes:
        name: Its name in links.
        match: The game.
        kinds: The kind of each player; ``person`` for persons.
        owners: The visitor in each seat of a person; empty while it is free.
        file: A further file for the record, that of the host; None for none.
        replays: True for a record that is replayed: there are no seats, and nothing is saved.
        message: A line about something that went wrong.
        wants_undo: Seats that have agreed to take the last decision back.
        busy: True while a player of the computer thinks, or something is computed.
        viewers: Pages that show it; what they say tells why nothing was computed.
    """

    name: str
    match: AnyMatch
    owners: list[str]
    file: Path | None = None
    replays: bool = False
    changed: Event[...] = field(default_factory=Event)
    message: str = ""
    wants_undo: set[int] = field(default_factory=set)
    busy: bool = False
    viewers: Viewers = field(default_factory=Viewers)

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.match.game

    def seats_of(self, visitor: Visitor) -> tuple[int, ...]:
        """Return the seats that a visitor sits in."""
        return tuple(seat for seat, owner in enumerate(self.owners) if owner == visitor.name)

    def take_seat(self, seat: int, visitor: Visitor) -> None:
        """Let a visitor sit down in a free seat of a person."""
        is_free = self.match.players[seat] is None and not self.owners[seat]
        if is_free and not self.replays:
            self.owners[seat] = visitor.name
            self._tell()

    def free_seat(self, seat: int, visitor: Visitor) -> None:
        """Free a seat: the visitor's own, or any for the host."""
        if visitor.is_host or self.owners[seat] == visitor.name:
            self.owners[seat] = ""
            self._tell()

    def may_answer(self, visitor: Visitor) -> bool:
        """Return whether the open decision is a visitor's."""
        now = self.match.open
        return isinstance(now, Decision) and self.owners[now.seat] == visitor.name

    async def answer(self, visitor: Visitor, text: str) -> None:
        """Answer the open decision of a visitor's seat with an option's text."""
        if self.busy or not self.may_answer(visitor):
            return
        try:
            answer = self.game.read(self.match.state, text)
            self.match.step(answer)
            self.message = ""
            self.changed.emit()
        except InputError as error:
            self.message = str(error)
        self.wants_undo.clear()
        await self.play_on()

    async def play_on(self) -> None:
        """Let chance and players of the computer go on until a person has to answer."""
        if self.busy or self.replays:
            return
        self.busy = True
        try:
            while (answer := await self.choose()) is not None:
                self.match.step(answer)
                self.changed.emit()
                await self.follow()
        finally:
            self.busy = False
        self._tell()

    async def choose(self) -> Any:
        """Return the answer of chance or of a player, computed outside the loop of the server."""
        match, now = self.match, self.match.open
        player = match.players[now.seat] if isinstance(now, Decision) else None
        if not isinstance(now, Decision) or player is None:
            return match.choose()
        if isinstance(player, ProgramPlayer) or match.kinds[now.seat] in _QUICK:
            return await asyncio.to_thread(match.choose)
        rng = match.generators[now.seat]
        chosen = await compute(self.viewers, _ask, player, match.state, now, rng)
        if chosen is None:
            return None
        answer, rng.bit_generator.state = chosen
        return answer

    async def follow(self) -> None:
        """Wait until the last step is seen."""

    def ask_undo(self, visitor: Visitor) -> None:
        """Take the last decision back, once every seat of a person agrees."""
        self.wants_undo |= set(self.seats_of(visitor))
        if self.busy or not self.wants_undo:
            return
        if self.wants_undo >= {seat for seat, owner in enumerate(self.owners) if owner}:
            self.wants_undo.clear()
            self.match.undo()
        self._tell()

    def _tell(self) -> None:
        self.save()
        self.changed.emit()

    def save(self) -> None:
        """Write the record of the game so far."""
        text = record_json(self.game, record_of(self.match))
        record = json.loads(text)
        kept = {"game": self.game.name, "owners": self.owners, "record": record}
        path = _path(self.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json_text(kept).encode())
            if self.file is not None:
                write_whole(self.file, text.encode())
        except OSError as error:
            self.message = f"the game is not kept: {error.strerror}"


def _ask(player: Player, state: Any, decision: Decision, rng: np.random.Generator) -> Any:
    """Return a player's answer, and the state of its generator after it."""
    return player.choose(state, decision, rng), rng.bit_generator.state


_TABLES: dict[str, Table] = {}
GAMES: dict[str, tuple[Players, Callable[[Mapping[str, str]], Callable[..., Table]]]] = {}
"""For each game that tables play: players by name, and the table for a source of answers."""


def open_table(
    match: AnyMatch,
    host: Visitor | None = None,
    name: str = "",
    save: Path | None = None,
    kind: Callable[..., Table] = Table,
) -> Table:
    """Open a table for a match; a host sits down in the first seat of a person."""
    name = name or secrets.token_urlsafe(8)
    table = kind(name, match, [""] * len(match.players), save)
    free = [seat for seat, player in enumerate(match.players) if player is None]
    if host is not None and free:
        table.owners[free[0]] = host.name
    _TABLES[name] = table
    return table


def table_named(name: str) -> Table | None:
    """Return a table by its name, from memory or from its record; None if there is none."""
    if name not in _TABLES and name.replace("-", "").replace("_", "").isalnum():
        path = _path(name[:_NAME_CHARS])
        if not path.exists():
            return None
        kept = decode(_Kept, read_json("game", path), "game")
        players, kind = GAMES[kept.game]
        record = game_record_from(players.game, kept.record, "game")
        match: AnyMatch = Match(
            players.game,
            record.setup,
            [players.of(kind, persons=True) for kind in record.players],
            record.seed or 0,
            kinds=record.players,
            source=record.source,
        )
        for step in replay(players.game, record):
            match.step(step.answer)
        _TABLES[name] = kind(record.source)(name, match, list(kept.owners))
    return _TABLES.get(name)


def _path(name: str) -> Path:
    return user_data_path("pucklab") / "games" / f"{name}.json"
