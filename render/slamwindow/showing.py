"""Slams shown one after another, at any pace.

The scrub bar and the buttons below the views.

Files saved from the window: next to each other, never one over another.
"""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pygame
from pygame.event import Event

from physics import Face, InputError, Scene
from physics.errors import MissingExtraError
from render.palette import LIGHT, Palette
from render.slams.export import export_slam
from render.slams.motion import moment_at, motion_of
from render.slams.playback import (
    FILM_PACE,
    Pace,
    Playback,
    advanced,
    at_speed,
    player_of,
    restarted,
    scrubbed,
    stepped,
    toggled,
    with_next_impact,
)
from render.slamwindow.aiming import is_knock_out
from render.slamwindow.ghosts import MOST, Ghost, Programme, Watched, ghost_of
from render.slamwindow.picture import (
    Boxes,
    Cameras,
    CameraWork,
    boxes_of,
    draw_header,
    draw_status,
    draw_views,
)
from render.viewer import (
    Button,
    Command,
    Controls,
    Size,
    Slider,
    Widget,
    film_suffix,
    free_path,
    row,
)
from sim.core.files import write_whole
from sim.odds import Tally, odds_of, tally_of
from sim.scenes import NamedSlammer

if TYPE_CHECKING:
    from collections.abc import Callable


_SQUARE, _WIDE, _GAP = 2.0, 6.4, 0.4
"""Of buttons, in heights of text."""


def bar(showing: "Showing", boxes: Boxes) -> list[Widget]:
    """Return the scrub bar, with marks at contact and lift-off, and the buttons."""
    player = showing.player
    marks = (0.0, player.motion.impact_end_s) if player.motion.impact_end_s > 0 else ()
    scrub = Slider(
        box=boxes.scrub,
        label="",
        shown="",
        value=player.share,
        low=0.0,
        high=1.0,
        changed=showing.scrub,
        marks=tuple(player.share_of(time_s) for time_s in marks),
    )
    places = _places(boxes)
    impact = player.pace.impact_slower
    slower = player.pace.settle_slower
    facts: list[tuple[str, str, Callable[[], object], bool, bool]] = [
        ("previous", "previous throw (P)", lambda: showing.go(-1), False, showing.has_previous),
        ("restart", "from the start (R)", showing.restart, False, True),
        ("step_back", "a step back (Left)", lambda: showing.step(-1), False, True),
        (
            "pause" if player.playing else "play",
            "pause (Space)" if player.playing else "play (Space)",
            showing.toggle,
            player.playing,
            True,
        ),
        ("step_on", "a step on (Right)", lambda: showing.step(1), False, True),
        ("next", "next throw (N)", lambda: showing.go(1), False, showing.has_next),
        ("minus", "slower (Down)", lambda: showing.change_speed(1), False, True),
        (
            "",
            "real time" if slower == 1 else f"speed 1/{slower:g}",
            lambda: showing.change_speed(1),
            False,
            True,
        ),
        ("plus", "faster (Up)", lambda: showing.change_speed(-1), False, True),
        (
            "",
            "impact as the rest" if impact == 1 else f"impact 1/{impact:g}",
            showing.next_impact,
            False,
            True,
        ),
        ("ghosts", "other slammers (G)", showing.toggle_ghosts, showing.shows_ghosts, True),
        ("save", "save a film (E)", lambda: showing.save(film_suffix()), False, True),
    ]
    return [
        scrub,
        *(
            Button(box=box, label=label, icon=icon, action=action, on=on, enabled=enabled)
            for box, (icon, label, action, on, enabled) in zip(places, facts, strict=True)
        ),
    ]


def bar_end(boxes: Boxes) -> int:
    """Return where the last button ends, in pixels from the left."""
    return _places(boxes)[-1].right


def _places(boxes: Boxes) -> list[pygame.Rect]:
    words = boxes.words_px
    square, wide = _SQUARE * words, _WIDE * words
    widths = [square] * 6 + [square, wide, square, wide] + [square] * 2
    return row(boxes.buttons, widths, _GAP * words)


_LOG_COLUMNS = (
    "slammer_g",
    "thickness_mm",
    "pucks",
    "flipped",
    "out",
    "puck_g",
    "speed_m_s",
    "distance_mm",
    "note",
)
"""Those that `pucklab calibrate throws` reads."""


def save_slam(folder: Path, watched: Watched, suffix: str, palette: Palette) -> Path:
    """Save a slam as a file of its own, and return where."""
    path = free_path(folder, watched.file_stem, suffix)
    export_slam(path, watched.replay, watched.name, palette=palette)
    return path


def save_log(folder: Path, throws: Sequence[Watched]) -> Path:
    """Save throws at stacks as a log that `pucklab calibrate throws` reads, and return where.

    Raises:
        InputError: A throw at a lone slammer: such a log has no place for it.
    """
    if any(is_knock_out(watched.replay.scene) for watched in throws):
        raise InputError("throws at a lone slammer have no place in a log of throws at stacks")
    path = free_path(folder, "throws", ".csv")
    write_whole(path, throws_csv(throws).encode())
    return path


def throws_csv(throws: Sequence[Watched]) -> str:
    """Return throws at stacks of pucks as a CSV table, a row each."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_LOG_COLUMNS)
    for watched in throws:
        scene, outcome = watched.replay.scene, watched.replay.outcome
        inside = [piece.distance_mm for piece in outcome.pieces if piece.face is not Face.OUT]
        table.writerow(
            (
                f"{scene.slammer.mass_g:g}",
                f"{scene.slammer.thickness_mm:g}",
                len(scene.stack),
                len(outcome.flipped),
                len(outcome.out),
                f"{scene.stack[0].mass_g:g}",
                f"{watched.replay.throw.speed_mm_s / 1000:g}",
                f"{np.mean(inside):.1f}" if inside else "",
                watched.origin,
            )
        )
    return text.getvalue()


_MESSAGE_S = 5.0
_FAR = 10


class Showing:
    """A view of the slams of a programme.

    Attributes:
        watched: The slam that is shown.
        player: Which time of it.
        ghosts: Other slammers thrown the same way, as far as they have been thrown.
        shows_ghosts: Whether they are to be seen.
        message: What is told for a few seconds, such as where a file was saved.
    """

    def __init__(
        self,
        programme: Programme,
        *,
        index: int = 0,
        others: Sequence[NamedSlammer] = (),
        folder: Path | None = None,
    ) -> None:
        self._programme = programme
        self._others = tuple(others)[:MOST]
        self._folder = folder or Path.cwd()
        self._controls = Controls()
        self._cameras = CameraWork()
        self._index, self._slammer = index, 0
        self.shows_ghosts = False
        self._tallies: dict[Scene, Tally] = {}
        self._counted: set[tuple[int, int]] = set()
        self._palette: Palette = LIGHT
        self._waiting_s = 0.0
        self._saving, self._told = "", False
        self.message = ""
        self.ghosts: list[Ghost] = []
        self.player: Playback
        self.watched: Watched
        self._show(FILM_PACE)

    @property
    def title(self) -> str:
        """What stands above the window."""
        return f"{self.watched.name}, {self.watched.origin} - pucklab"

    @property
    def commands(self) -> Sequence[Command]:
        """Its keys."""
        return (
            Command(keys=("space", "k"), name="play or pause", action=self.toggle),
            Command(keys=("right", "."), name="a step on", action=lambda: self.step(1)),
            Command(keys=("left", ","), name="a step back", action=lambda: self.step(-1)),
            Command(keys=("shift+right",), name="ten steps on", action=lambda: self.step(_FAR)),
            Command(keys=("shift+left",), name="ten steps back", action=lambda: self.step(-_FAR)),
            Command(keys=("home", "r"), name="from the start", action=self.restart),
            Command(keys=("end",), name="to the end", action=lambda: self.scrub(1.0)),
            Command(keys=("n", "page down"), name="next throw", action=lambda: self.go(1)),
            Command(keys=("p", "page up"), name="previous throw", action=lambda: self.go(-1)),
            Command(keys=("tab",), name="next slammer", action=self.next_slammer),
            Command(keys=("up",), name="faster", action=lambda: self.change_speed(-1)),
            Command(keys=("down",), name="slower", action=lambda: self.change_speed(1)),
            Command(keys=("i",), name="slow-down of the impact", action=self.next_impact),
            Command(keys=("g",), name="same throw, other slammers", action=self.toggle_ghosts),
            Command(keys=("0",), name="show all", action=self._cameras.reset),
            Command(keys=("s",), name="save as a replay", action=lambda: self.save(".json")),
            Command(keys=("c",), name="save as a film strip", action=lambda: self.save(".png")),
            Command(keys=("e",), name="save as a film", action=lambda: self.save(film_suffix())),
        )

    def handle(self, event: Event, size: Size) -> bool:
        """Take a mouse event."""
        if self._controls.handle(event, self._widgets(size)):
            return True
        scene = self.watched.replay.scene
        moment = moment_at(self.player.motion, self.player.time_s)
        return self._cameras.handle(event, boxes_of(size), scene, moment)

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        player, message, ghosts = self.player, self.message, len(self.ghosts)
        self.player = advanced(self.player, elapsed_s)
        if self.player.at_end:
            self._count()
        self._waiting_s -= elapsed_s
        if self._saving and self._told:
            self._save()
        elif not self._saving and self._waiting_s <= 0:
            self.message = ""
        if self.shows_ghosts and len(self.ghosts) < len(self._others):
            self.ghosts.append(ghost_of(self.watched.replay, self._others[len(self.ghosts)]))
        moved = self.player is not player
        return moved or self.message != message or len(self.ghosts) != ghosts

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        self._palette = palette
        boxes = boxes_of(surface.get_size())
        moment = moment_at(self.player.motion, self.player.time_s)
        surface.fill(palette.background)
        draw_header(surface, boxes, self.watched, self.count_text, palette)
        ghosts = self.ghosts if self.shows_ghosts else []
        draw_views(surface, boxes, self.watched, moment, self.cameras, ghosts, palette)
        draw_status(surface, boxes, self.watched, self.player, moment, self.message, palette)
        self._controls.draw(surface, self._widgets(surface.get_size()), palette)
        self._told = True

    @property
    def has_previous(self) -> bool:
        """Whether there is a throw before this one."""
        return self._index > 0

    @property
    def has_next(self) -> bool:
        """Whether there is a throw after it."""
        length = self._programme.length
        return length is None or self._index + 1 < length

    @property
    def cameras(self) -> Cameras:
        """How the views are looked at."""
        return self._cameras.cameras

    @property
    def count_text(self) -> str:
        """What came of the throws of this slammer that were watched to their end."""
        tally = self._tallies.get(self.watched.replay.scene)
        if tally is None:
            return ""
        odds = odds_of(tally)
        throws = f"{tally.trials} throw{'' if tally.trials == 1 else 's'} watched"
        return f"{throws}: {odds.flips.value:.1f} flips a throw, some in {odds.any_flip.value:.0%}"

    def toggle(self) -> None:
        """Play, or pause."""
        self.player = toggled(self.player)

    def restart(self) -> None:
        """Play from the start."""
        self.player = restarted(self.player)

    def step(self, samples: int) -> None:
        """Pause some samples on or back."""
        self.player = stepped(self.player, samples)

    def scrub(self, share: float) -> None:
        """Pause at a place of the scrub bar."""
        self.player = scrubbed(self.player, share)

    def change_speed(self, change: int) -> None:
        """Go slower, or faster (below 0)."""
        self.player = at_speed(self.player, change)

    def next_impact(self) -> None:
        """Choose the next slow-down of the impact."""
        self.player = with_next_impact(self.player)

    def toggle_ghosts(self) -> None:
        """Show the same throw with other slammers, or hide them."""
        self.shows_ghosts = not self.shows_ghosts

    def go(self, change: int) -> None:
        """Show the next throw, or the one before (below 0), if there is one."""
        if self.has_next if change > 0 else self.has_previous:
            self.go_to(self._index + change)

    def go_to(self, index: int) -> None:
        """Show a throw by its number."""
        self._index = index
        self._show(self.player.pace)

    def next_slammer(self) -> None:
        """Show the same throw with the next slammer of the programme."""
        if len(self._programme.names) > 1:
            self._slammer = (self._slammer + 1) % len(self._programme.names)
            self._show(self.player.pace)

    def save(self, suffix: str) -> None:
        """Save the slam in the folder, after this frame: it may take seconds."""
        self._saving = suffix
        self.tell(f"writing {self.watched.file_stem}{suffix} ...")

    def tell(self, message: str) -> None:
        """Tell something for a few seconds."""
        self.message, self._waiting_s, self._told = message, _MESSAGE_S, False

    def _show(self, pace: Pace) -> None:
        self.watched = self._programme.watched(self._index, self._slammer)
        replay = self.watched.replay
        self.player = player_of(motion_of(replay.scene, replay.recording, replay.throw), pace)
        self.ghosts = []

    def _widgets(self, size: Size) -> list[Widget]:
        return bar(self, boxes_of(size))

    def _count(self) -> None:
        shown = (self._index, self._slammer)
        if shown not in self._counted:
            self._counted.add(shown)
            scene, tally = self.watched.replay.scene, tally_of(self.watched.replay.outcome)
            before = self._tallies.get(scene)
            self._tallies[scene] = tally if before is None else before + tally

    def _save(self) -> None:
        suffix, self._saving = self._saving, ""
        try:
            path = save_slam(self._folder, self.watched, suffix, self._palette)
        except (InputError, MissingExtraError, OSError) as error:
            self.tell(str(error))
        else:
            self.tell(f"wrote {path.name}")
