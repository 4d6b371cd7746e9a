"""The start screen of `pucklab play`: a card with a small live picture for each thing to do.

A `StartScreen` is a view that is over once something is chosen. Its pictures are a slam that plays,
a throw that is aimed, the Arena of a battle, a game of Puck Bumpers, and a puzzle.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice
from typing import Any

import numpy as np
import pygame
from pygame import Event, Rect, Surface

from physics import draw_throw, trial_generator
from physics.facts import fact
from physics.thrower import ThrowDistribution
from render.bumpers import DARK_BOARD, LIGHT_BOARD, draw_moment, extent_of, fitted, moment_of
from render.canvas import Align, draw_energy, write
from render.palette import LIGHT, Palette
from render.slams.camera3d import Direction, Eye, following, framed
from render.slams.motion import moment_at, replay_motion, still_moment
from render.slams.pace import Pace as SlamPace
from render.slams.playback import Playback, advanced, playback_of
from render.slams.space import draw_space
from render.slamwindow.aiming import draw_arrow_in_space, ready_moment, way_mm
from render.slamwindow.ghosts import thrown
from render.slamwindow.screen import SlamScreen
from render.viewer import (
    Button,
    Command,
    Controls,
    Size,
    Widget,
    command_button,
    cut,
    draw_panel,
    grid,
    padded,
    words_px,
)
from sim.bumpers import Position, parse_position
from sim.bumpers.game import BUMPERS, make_table
from sim.bumpers.game.players import RandomPlayer
from sim.core.game import play
from sim.core.user_config import UserConfig
from sim.hand_throw import AimedThrow, throw_of
from sim.odds import Study
from sim.pokepucks.battle.player_kinds import PLAYS
from sim.pokepucks.design_file import puckdex
from sim.pokepucks.designs import Design, DesignKind
from sim.scenes import SceneSpec, slammers_by_mass, studies_of
from sim.slam_replay import Replay

_FRAME_S = 1 / 20
"""Time between two pictures: the cards need not be as smooth as what they lead to."""

_SEED = 3
_MOVE_S = 1.1
"""Time for which a position of the game of Puck Bumpers is shown."""

_PACE = SlamPace(impact_slower=60.0, settle_slower=1.6)
_PLACED = 24
"""Steps of a game of Puck Bumpers, after which pieces are on the board."""

_PUZZLE = "pb1:small:RPb7f5.RMe7.BPd7:-:R:-"
_MOST_NAME = 20


@fact
class Card:
    """Something to do."""

    name: str
    line: str  # what it is
    draw: Callable[[Surface, Palette], object]


class StartScreen:
    """The view of the start screen.

    Attributes:
        config: The choices, as they are now.
        chosen: The name of the card that was chosen; empty before.
    """

    title = "pucklab"

    def __init__(self, config: UserConfig, study: Study, message: str = "") -> None:
        """Show the cards.

        Args:
            config: What was chosen last.
            study: Scene, thrower and engine of the pictures of throws.
            message: A line about something that went wrong.
        """
        self.config, self.chosen, self.message = config, "", message
        self.screen = SlamScreen()
        self._study = study
        self._time_s = self._drawn_s = 0.0
        self._controls = Controls()
        self._names = False  # True while the name is typed
        self._slams = _slams(study)
        self._slam = next(self._slams)
        self._boards = _boards()
        self._board, self._board_s = next(self._boards), 0.0
        self.cards = (
            Card(name="Watch", line="See a slammer hit a stack of pucks.", draw=self._draw_slam),
            Card(name="Throw", line="Throw by hand as often as you like.", draw=self._draw_throw),
            Card(name="Battle", line="Throw in turn against a rival.", draw=self._draw_battle),
            Card(
                name="Puck Bumpers",
                line="Play against the computer.",
                draw=lambda *on: _draw_board(self._board, *on),
            ),
            Card(
                name="Puzzle of the day",
                line="Solve it move by move.",
                draw=partial(_draw_board, parse_position(_PUZZLE)),
            ),
        )

    @property
    def is_over(self) -> bool:
        """True once a card is chosen: the window closes."""
        return bool(self.chosen)

    @property
    def commands(self) -> Sequence[Command]:
        """A key for each card, and those of the choices."""
        if self._names:
            return ()
        cards = [
            Command((str(n),), f"{card.name}: {card.line}", partial(self.choose, card.name))
            for n, card in enumerate(self.cards, start=1)
        ]
        last = self.config.last or "Battle"
        again = Command(("return",), f"{last}, as last time", partial(self.choose, last))
        return (*cards, again, *self._choices())

    def choose(self, name: str) -> None:
        """Choose a card."""
        self.chosen = name
        self.config = replace(self.config, last=name)

    def handle(self, event: Event, size: Size) -> bool:
        """Handle the mouse, and the keys while the name is typed."""
        if self._names and event.type == pygame.KEYDOWN:
            self._type(event)
            return True
        if self._controls.handle(event, self.widgets(size)):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            _, cells = _boxes(size)
            for card, box in zip(self.cards, cells, strict=False):
                if box.collidepoint(event.pos):
                    self.choose(card.name)
        return self.is_over

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass in the pictures."""
        self._time_s += elapsed_s
        if self._time_s - self._drawn_s < _FRAME_S:
            return False
        passed_s, self._drawn_s = self._time_s - self._drawn_s, self._time_s
        replay, playback = self._slam
        self._slam = replay, advanced(playback, passed_s)
        if not self._slam[1].playing:
            self._slam = next(self._slams)
        self._board_s += passed_s
        if self._board_s > _MOVE_S:
            self._board, self._board_s = next(self._boards), 0.0
        return True

    def draw(self, surface: Surface, palette: Palette) -> None:
        """Draw the whole view."""
        size = surface.get_size()
        words, (header, cells) = words_px(size), _boxes(size)
        surface.fill(palette.background)
        x = header.left + write(
            surface, "pucklab", (header.left, header.centery), 2 * words, palette.text
        )
        said = (
            self.message
            or "What would you like to do? Press a card or its number. H lists the keys."
        )
        colour = palette.accent if self.message else palette.faint
        place, room = (x + words, header.centery + words / 4), header.right - x - words
        write(surface, said, place, words, colour, width_px=room)
        for number, (card, box) in enumerate(zip(self.cards, cells, strict=False), start=1):
            picture, below = _card_boxes(box, words)
            draw_panel(surface, box, palette)
            card.draw(surface.subsurface(picture), palette)
            title = f"{number}  {card.name}"
            for text, y, share, ink in (
                (title, 0.7, 1.2, palette.text),
                (card.line, 1.9, 0.85, palette.faint),
            ):
                at = (below.left, below.top + y * words)
                write(surface, text, at, round(share * words), ink, width_px=below.width)
        draw_panel(surface, cells[-1], palette)
        place = (cells[-1].left + words, cells[-1].top + 1.4 * words)
        write(surface, "Your choices", place, round(1.2 * words), palette.text)
        self._controls.draw(surface, self.widgets(size), palette)

    def widgets(self, size: Size) -> list[Widget]:
        """Return a button over each card, and those of the choices."""
        words, (_, cells) = words_px(size), _boxes(size)
        buttons: list[Widget] = []
        for card, box in zip(self.cards, cells, strict=False):
            _, below = _card_boxes(box, words)
            open_box, _ = cut(below, "right", 4.2 * words)
            choose = partial(self.choose, card.name)
            is_last = card.name == (self.config.last or "Battle")
            buttons.append(Button(box=open_box, action=choose, label="Open", on=is_last))
        _, inside = cut(padded(cells[-1], 0.6 * words), "top", 2 * words)
        rows = grid(inside, 1, len(self._choices()), 0.4 * words)
        buttons += [command_button(b, c) for b, c in zip(rows, self._choices(), strict=True)]
        return buttons

    def _choices(self) -> list[Command]:
        """Return the commands of what is remembered."""
        config = self.config
        slammers, sound = list(_slammers()), f"Sound is {'on' if config.sound else 'off'}"
        name = f"{config.name}_" if self._names else config.name or config.slammer
        plays = f"Your rival plays {PLAYS[config.level]}"
        length = {"short": "Battles are short and simple", "full": "Battles have all the rules"}
        rows = (
            ("s", "another slammer for you", "slammer", slammers, f"You throw {config.slammer}"),
            (
                "r",
                "another for the rival",
                "rival",
                slammers,
                f"Your rival throws {config.rival}",
            ),
            ("v", "a stronger rival, or the first", "level", tuple(PLAYS), plays),
            ("b", "short battles, or full ones", "length", tuple(length), length[config.length]),
            ("u", "sound on or off", "sound", (True, False), sound),
        )
        called = f"You are called {name}"
        return [
            Command(("n",), "type your name", self._begin_name, label=called, on=self._names),
            *(
                Command((key,), about, partial(self._next, field, among), label=label)
                for key, about, field, among, label in rows
            ),
        ]

    def _next(self, field: str, among: Sequence[object]) -> None:
        """Choose what follows the choice of a field, or the first for one that is not among all."""
        now = getattr(self.config, field)
        number = among.index(now) + 1 if now in among else 0
        choice: dict[str, Any] = {field: among[number % len(among)]}
        self.config = replace(self.config, **choice)

    def _begin_name(self) -> None:
        self._names = not self._names

    def _type(self, event: Event) -> None:
        """Take a letter of the name; Enter and Escape end it."""
        name, letter = self.config.name, getattr(event, "unicode", "")
        if event.key in {pygame.K_RETURN, pygame.K_ESCAPE}:
            self._names = False
        elif event.key == pygame.K_BACKSPACE:
            name = name[:-1]
        elif letter.isprintable() and letter != "," and len(name) < _MOST_NAME:
            name += letter
        self.config = replace(self.config, name=name)

    def _draw_slam(self, surface: Surface, palette: Palette) -> None:
        replay, playback = self._slam
        moment = moment_at(playback.motion, playback.time_s)
        draw_space(surface, replay.scene, moment, replay.outcome, palette, is_moving=True)

    def _draw_throw(self, surface: Surface, palette: Palette) -> None:
        """Draw a throw whose direction and speed swing to and fro."""
        scene = self._study.scene
        swing = math.sin(1.3 * self._time_s)
        aimed = AimedThrow(speed_m_s=5 + 2 * swing, direction_deg=90 + 25 * swing, tilt_deg=14)
        throw = throw_of(aimed)
        moment = ready_moment(scene, throw)
        near_mm = 80.0 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)])
        width, height = surface.get_size()
        direction = Direction(azimuth_rad=-math.pi / 2, elevation_rad=math.radians(24))
        camera = framed(direction, near_mm, width / height)
        draw_space(surface, scene, moment, None, palette, camera, is_moving=True)
        draw_arrow_in_space(surface, Eye(camera, (width, height)), way_mm(throw, moment), palette)

    def _draw_battle(self, surface: Surface, palette: Palette) -> None:
        """Draw the Arena, seen from a seat that wanders, between the players' badges."""
        scene, (width, height) = self._study.scene, surface.get_size()
        moment = still_moment(scene)
        turned = Direction(azimuth_rad=-0.4 + 0.25 * math.sin(0.5 * self._time_s), follows=False)
        camera = following(turned, scene.arena, [], width / height)
        draw_space(surface, scene, moment, None, palette, camera, is_moving=True)
        size_px = round(0.2 * height)
        sides: tuple[tuple[str, float, Align], ...] = (
            (self.config.slammer, 0.05, "left"),
            (self.config.rival, 0.95, "right"),
        )
        for name, x, align in sides:
            design = _slammers().get(name)
            inwards = size_px / 2 if align == "left" else -size_px / 2
            if design is not None and design.type is not None:
                draw_energy(surface, design.type, (x * width + inwards, 0.16 * height), size_px)
            at, letters = (x * width, 0.34 * height), round(0.1 * height)
            write(surface, name, at, letters, palette.text, align=align)


def _draw_board(position: Position, surface: Surface, palette: Palette) -> None:
    moment = moment_of(position)
    surface.fill(palette.panel)
    view = fitted(extent_of([moment]), surface.get_size(), margin_px=4)
    draw_moment(surface, view, moment, palette=LIGHT_BOARD if palette is LIGHT else DARK_BOARD)


def _boxes(size: Size) -> tuple[Rect, list[Rect]]:
    """Return the places of the header, the five cards and the choices."""
    words = words_px(size)
    rest = padded(Rect(0, 0, *size), words)
    header, rest = cut(rest, "top", 3 * words, gap=0.5 * words)
    is_wide = rest.width > rest.height
    return header, grid(rest, 3 if is_wide else 2, 2 if is_wide else 3, 0.8 * words)


def _card_boxes(box: Rect, words: int) -> tuple[Rect, Rect]:
    """Return the places of a card's picture and of its words."""
    below, picture = cut(padded(box, 0.5 * words), "bottom", 2.5 * words, gap=0.3 * words)
    return picture, below


def _slammers() -> dict[str, Design]:
    """Return the Pokémon slammers by name."""
    designs = puckdex()
    return {d.name: d for d in designs if d.kind is DesignKind.POKEMON and not d.variant}


def _slams(study: Study) -> Iterator[tuple[Replay, Playback]]:
    """Yield slams one after another, each at its beginning."""
    thrower = ThrowDistribution(speed_mm_s=6500.0)
    for number in count():
        throw = draw_throw(thrower, len(study.scene.stack), trial_generator(_SEED, number))
        replay = thrown(study.scene, throw, study.engine)
        yield replay, playback_of(replay_motion(replay), _PACE)


def _boards() -> Iterator[Position]:
    """Yield the positions of games of Puck Bumpers."""
    table = make_table(2)
    for seed in count(_SEED):
        players = [RandomPlayer(), RandomPlayer()]
        steps = play(BUMPERS, table, players, seed)
        for step in islice(steps, _PLACED, None):
            yield step.after.position


def start_study() -> Study:
    """Return the scene of the pictures: a slammer of 8 g at ten pucks, in the plane engine."""
    return studies_of(SceneSpec(slammers=slammers_by_mass((8.0,))))[0]
