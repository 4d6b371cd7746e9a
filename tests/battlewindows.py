"""Windows of battles for tests: recorded and live ones, and the mouse and keys on them."""

import math
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from physics import preset
from render.battlewindow import (
    BattlePlayback,
    BattleWindow,
    Game,
    recorded_game,
)
from render.battlewindow.panels import Boxes, boxes_of
from render.battlewindow.throwing import Throwing
from render.battlewindow.timeline import Timeline
from render.viewer.widgets import Line
from sim.core.game import Player
from sim.core.records import Record, record_of
from sim.pokepucks.battle.events import Event
from sim.pokepucks.battle.match import battle_match
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import LENGTHS, BattleOptions, Table
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from sim.pokepucks.throws import Throws
from tests import slamwindows
from tests.slamwindows import SIZE, words_written

SEED = 3
FRAME_S = 1 / 30
QUICK = PhysicsThrows(preset=preset("fast"))
BOXES = boxes_of(SIZE, 2)


def table(*slammers: str, length: str = "full") -> Table:
    """Return a house table."""
    designs = [shipped_catalogue().find(name) for name in slammers or ("pikachu", "onix")]
    return house_table(designs, BattleOptions(**LENGTHS[length]))


@lru_cache(maxsize=4)
def record(*, physics: bool = False, players: tuple[str, ...] = ("pikachu", "onix")) -> Record:
    """Return the record of a battle of greedy players."""
    throws: Throws = QUICK if physics else shipped_table()
    seats = [GreedyPlayer() for _ in players]
    kinds = ("greedy",) * len(players)
    source = {"throws": "physics" if physics else "table", "engine": "plane"}
    match = battle_match(table(*players), seats, throws, SEED, kinds=kinds, source=source)
    deque(match.play(), maxlen=0)
    return record_of(match)


def recorded_window(*, physics: bool = False, folder: Path | None = None) -> BattleWindow:
    """Return a window of a recorded battle."""
    saved = record(physics=physics)
    return _window(recorded_game(saved, QUICK if physics else None), saved.players, folder)


def live_window(
    *players: Player | None,
    throws: Throws | None = None,
    folder: Path | None = None,
    plays: bool = False,
    length: str = "full",
) -> BattleWindow:
    """Return a window of a battle that is played while it is watched; None is a person.

    A person is asked everything, or sets up at once and throws if it ``plays``.
    """
    own, source = table(length=length), throws or shipped_table()
    kinds = ["person" if player is None else "greedy" for player in players]
    game = Game(own, players, source, SEED, asks_all=not plays, own_throws=plays, kinds=kinds)
    return _window(game, kinds, folder)


def _window(game: Game, kinds: Sequence[str], folder: Path | None) -> BattleWindow:
    playback = BattlePlayback(game)
    return BattleWindow(playback, kinds=kinds, seed=SEED, throws="tests", folder=folder)


class Driver(slamwindows.Driver):
    """A person at the window of a battle that is not open."""

    def __init__(self, window: BattleWindow, size: tuple[int, int] = SIZE) -> None:
        super().__init__(window, size)
        self.playback = window.playback

    def click(self, at: tuple[int, int]) -> None:
        """Click at a place."""
        self.press(*at)
        self.release(*at)

    def keys(self, *names: str) -> list[int]:
        """Press keys, and return the entry shown after each."""
        seen = []
        for name in names:
            self.key(name)
            seen.append(self.playback.index)
        return seen

    def wait(self, seconds: float) -> None:
        """Let time pass, frame by frame."""
        for _ in range(round(seconds / FRAME_S)):
            self.app.advance(FRAME_S)


def timeline_of(driver: Driver) -> Timeline:
    """Return the entries of a battle."""
    return driver.playback.game.timeline


def stack_pixel(throwing: Throwing, boxes: Boxes = BOXES, near_mm: float = 4) -> tuple[int, int]:
    """Return a pixel near the middle of the stack that is thrown at."""
    return next(
        (x, y)
        for x in range(boxes.free.left, boxes.free.right, 4)
        for y in range(boxes.free.top, boxes.free.bottom, 4)
        if (place := throwing._place((x, y), boxes)) and math.hypot(*place) < near_mm
    )


def first_entry(driver: Driver, kind: type[Event]) -> int:
    """Return the number of the first entry with such an event."""
    return next(n for n, e in enumerate(timeline_of(driver)) if isinstance(e.event, kind))


def words_at(driver: Driver, index: int, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the lines of words drawn at an entry."""
    if index != driver.playback.index:
        driver.playback.go_to(index)
    with words_written(monkeypatch) as words:
        driver.picture()
    return set(words)


def lines_of(driver: Driver) -> list[Line]:
    """Return the lines of the log."""
    return [widget for widget in driver.window.widgets(SIZE) if isinstance(widget, Line)]
