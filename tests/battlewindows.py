"""Windows of battles for tests: recorded and live ones, and the mouse and keys on them."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pygame
from pygame.event import Event

from physics import preset
from render.battlewindow import (
    BattlePlayback,
    BattleWindow,
    Game,
    LiveGame,
    RecordedGame,
    SlamReplays,
)
from render.canvas import new_surface
from render.palette import LIGHT
from render.viewer import App
from sim.pokepucks.battle.live import Exchange, Player, play_battle
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.record import Record, record_of
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import Table
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from sim.pokepucks.throws import Throws

SIZE = (1280, 800)
SEED = 3
FRAME_S = 1 / 30
QUICK = PhysicsThrows(preset=preset("fast"))


def table(*slammers: str) -> Table:
    """Return a house table."""
    return house_table([shipped_catalogue().find(name) for name in slammers or ("pikachu", "onix")])


@lru_cache(maxsize=4)
def record(*, physics: bool = False, players: tuple[str, ...] = ("pikachu", "onix")) -> Record:
    """Return the record of a battle of greedy players."""
    throws: Throws = QUICK if physics else shipped_table()
    seats = [GreedyPlayer() for _ in players]
    played: Sequence[Exchange] = list(play_battle(table(*players), seats, throws, SEED))
    kinds = ("greedy",) * len(players)
    source = "physics" if physics else "table"
    return record_of(table(*players), kinds, SEED, source, played)


def recorded_window(*, physics: bool = False, folder: Path | None = None) -> BattleWindow:
    """Return a window of a recorded battle."""
    saved = record(physics=physics)
    slams = SlamReplays(SEED, QUICK if physics else None)
    return _window(RecordedGame(saved), slams, saved.players, folder)


def live_window(
    *players: Player | None, throws: Throws | None = None, folder: Path | None = None
) -> BattleWindow:
    """Return a window of a battle that is played while it is watched; None is a person."""
    game = LiveGame(table(), players, throws or shipped_table(), SEED)
    slams = SlamReplays(SEED, throws if isinstance(throws, PhysicsThrows) else None)
    kinds = ["person" if player is None else "greedy" for player in players]
    return _window(game, slams, kinds, folder)


def _window(
    game: Game, slams: SlamReplays, kinds: Sequence[str], folder: Path | None
) -> BattleWindow:
    playback = BattlePlayback(game, slams)
    return BattleWindow(playback, kinds=kinds, seed=SEED, throws="tests", folder=folder)


class Driver:
    """A person at a window that is not open."""

    def __init__(self, window: BattleWindow, size: tuple[int, int] = SIZE) -> None:
        self.window = window
        self.playback = window.playback
        self.size = size
        self.app = App(window, palette=LIGHT)

    def key(self, name: str) -> None:
        """Press a key: a letter or digit, or what pygame calls the key, in small letters."""
        sign = len(name) == 1
        code = getattr(pygame, f"K_{name if sign else name.upper()}")
        unicode = name if sign else ""
        self.app.handle(Event(pygame.KEYDOWN, key=code, unicode=unicode, mod=0), self.size)

    def move(self, at: tuple[int, int]) -> None:
        """Move the mouse to a place."""
        event = Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
        self.app.handle(event, self.size)

    def click(self, at: tuple[int, int]) -> None:
        """Click at a place."""
        self.move(at)
        self.app.handle(Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1), self.size)
        self.app.handle(Event(pygame.MOUSEBUTTONUP, pos=at, button=1), self.size)

    def wheel(self, notches: int) -> None:
        """Turn the wheel; positive is away from the user."""
        self.app.handle(Event(pygame.MOUSEWHEEL, x=0, y=notches), self.size)

    def wait(self, seconds: float) -> None:
        """Let time pass, frame by frame."""
        for _ in range(round(seconds / FRAME_S)):
            self.app.advance(FRAME_S)

    def picture(self) -> pygame.Surface:
        """Return the picture of the window."""
        surface = new_surface(*self.size)
        self.app.draw(surface)
        return surface
