"""The view of `pucklab watch`: slams one after another, with ghosts, cameras and saving.

`SlamWindow` is the view. Its commands are made in one place, `SlamWindow._make_commands`; the bar
below the views takes the ones it has buttons for (`bar`). Throws by hand are made on a page in the
browser, which a process of its own serves (`serve_throws`).
"""

import multiprocessing
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pygame
from pygame import Event, Surface

from pucklab.base.errors import MissingExtraError
from pucklab.base.files import free_path
from pucklab.physics import InputError, Scene
from pucklab.render.canvas import text_width, write
from pucklab.render.palette import LIGHT, Palette
from pucklab.render.slams.export import export_slam
from pucklab.render.slams.motion import BestFlip, best_flip, moment_at, replay_motion
from pucklab.render.slams.pace import FILM_PACE, FLIP_PACE, Pace
from pucklab.render.slams.playback import (
    Playback,
    advance,
    at_speed,
    playback_of,
    restart,
    scrub,
    step,
    toggle,
    with_next_impact,
)
from pucklab.render.slams.sound import SlamSound, Speaker, sounds_of
from pucklab.render.slamwindow.commands import Command
from pucklab.render.slamwindow.ghosts import (
    Ghost,
    Programme,
    Watched,
    ghost_of,
    ghosts_beside,
)
from pucklab.render.slamwindow.picture import (
    Boxes,
    CameraControl,
    Cameras,
    Shown,
    boxes_of,
    draw_header,
    draw_status,
    draw_views,
)
from pucklab.render.slamwindow.widgets import Button, Controls, Size, Slider, Widget, button_row
from pucklab.sim.odds import Study, Tally, odds_of, tally_of
from pucklab.sim.scene.scenes import NamedSlammer

_MESSAGE_S = 5.0
"""Time for which a message is shown."""

_AFTER_SLAM_S, _AFTER_FLIP_S = 2.0, 1.0
"""Time for which the result of a slam and the end of its best flip are shown before it goes on."""

_MANY_SAMPLES = 10
"""Samples of a large step."""

_BAR = (
    *("previous", "restart", "step back", "play", "step on", "next"),
    *("slower", "speed", "faster", "impact", "ghosts", "film"),
)
"""Commands with a button in the bar, in their order."""


class SlamWindow:
    """A view of the slams of a programme.

    Attributes:
        watched: The slam shown.
        playback: The time shown, and the pace.
        ghosts: The same throw with other slammers, as far as they have been computed.
        shows_ghosts: True if the ghosts are drawn.
        goes_on: True if a slam is followed by its best flip and the next throw without a key.
        flip: The best flip while it is shown again; None at other times.
        message: A line shown for a few seconds, such as the name of a saved file.
    """

    def __init__(
        self,
        programme: Programme,
        study: Study,
        *,
        seed: int = 1,
        index: int = 0,
        others: Sequence[NamedSlammer] = (),
        folder: Path | None = None,
    ) -> None:
        """Show one slam of a programme.

        Args:
            programme: The slams.
            study: Scene and thrower of throws by hand.
            seed: Seed of the chance in throws by hand.
            index: Number of the throw shown first.
            others: Slammers of the ghosts, at most 20; that of the slam shown is left out.
            folder: Folder in which files are saved; the current one by default.
        """
        self._programme = programme
        self._study, self._seed = study, seed
        self._throws: multiprocessing.process.BaseProcess | None = None  # serves their page
        self._others = tuple(others)
        self._folder = folder or Path.cwd()
        self._controls = Controls()
        self._cameras = CameraControl()
        self._speaker = Speaker()
        self._sounds: tuple[SlamSound, ...] = ()
        self._index, self._slammer = index, 0
        self.shows_ghosts = False
        self.goes_on, self._is_touched, self._rested_s = True, False, 0.0
        self.flip: BestFlip | None = None
        self._tallies: dict[Scene, Tally] = {}
        self._counted: set[tuple[int, int]] = set()
        self._palette: Palette = LIGHT
        self._message_left_s = 0.0
        self._suffix_to_save, self._is_message_drawn = "", False
        self.message = ""
        self.ghosts: list[Ghost] = []
        self.playback: Playback
        self.watched: Watched
        self._show(FILM_PACE)

    @property
    def title(self) -> str:
        """Title of the window."""
        return f"{self.watched.name}, {self.watched.origin} - pucklab"

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands."""
        return tuple(self._make_commands().values())

    def handle(self, event: Event, size: Size) -> bool:
        """Handle an event that is not the key of a command, with places in pixels of the surface.

        Args:
            event: A pygame event.
            size: Width and height of the surface.

        Returns:
            True if the event was used; the picture is then drawn again.
        """
        if self._controls.handle(event, self._widgets(size)):
            return True
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL):
            self._is_touched = True
        return self._cameras.handle(event, boxes_of(size), self.watched.replay.scene)

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass; return True if the picture changed."""
        before = (self.playback, self.message, len(self.ghosts), self.flip)
        self.playback = advance(self.playback, elapsed_s)
        shown, from_s = self.playback, before[0].time_s
        self._speaker.play(self._sounds, shown.motion, shown.pace, from_s, shown.time_s)
        if shown.at_end:
            self._count()
        self._message_left_s -= elapsed_s
        if self._suffix_to_save and self._is_message_drawn:
            self._save()
        elif not self._suffix_to_save and self._message_left_s <= 0:
            self.message = ""
        if self.shows_ghosts and len(self.ghosts) < len(self._ghost_slammers):
            other = self._ghost_slammers[len(self.ghosts)]
            self.ghosts.append(ghost_of(self.watched.replay, other))
        self._go_on(elapsed_s)
        after = (self.playback, self.message, len(self.ghosts), self.flip)
        return any(new is not old for new, old in zip(after, before, strict=True))

    def draw(self, surface: Surface, palette: Palette) -> None:
        """Draw the whole view."""
        self._palette = palette
        boxes = boxes_of(surface.get_size())
        surface.fill(palette.background)
        shown = Shown(
            watched=self.watched,
            playback=self.playback,
            moment=moment_at(self.playback.motion, self.playback.time_s),
            cameras=self.cameras,
            ghosts=self.ghosts if self.shows_ghosts else (),
            flip=self.flip,
            count=self.count_text,
            message=self.message,
        )
        for draw_part in (draw_header, draw_views, draw_status):
            draw_part(surface, boxes, shown, palette)
        self._controls.draw(surface, self._widgets(surface.get_size()), palette)
        size_px, hint = round(0.9 * boxes.words_px), "H: keys"
        right = boxes.throw.left - size_px
        if right - text_width(hint, size_px) > self.bar(boxes)[-1].box.right:
            place = (right, boxes.throw.centery)
            write(surface, hint, place, size_px, palette.faint, align="right")
        self._is_message_drawn = True

    @property
    def has_next(self) -> bool:
        """True if there is a throw after this one."""
        length = self._programme.length
        return length is None or self._index + 1 < length

    @property
    def cameras(self) -> Cameras:
        """The cameras of both views."""
        return self._cameras.cameras

    @property
    def count_text(self) -> str:
        """Flips in the throws of this slammer that were watched to their end; empty at first."""
        tally = self._tallies.get(self.watched.replay.scene)
        if tally is None:
            return ""
        odds = odds_of(tally)
        throws = f"{tally.trials} throw{'' if tally.trials == 1 else 's'} watched"
        return f"{throws}: {odds.flips.value:.1f} flips a throw, some in {odds.any_flip.value:.0%}"

    def change(self, how: Callable[..., Playback], *facts: float) -> None:
        """Change the playback by one of the functions of `pucklab.render.slams.playback`."""
        self.playback = how(self.playback, *facts)

    def toggle_ghosts(self) -> None:
        """Show the same throw with other slammers, or hide it."""
        self.shows_ghosts = not self.shows_ghosts

    def toggle_going_on(self) -> None:
        """Go on by itself, or stay with this throw."""
        self.goes_on = not self.goes_on
        self.show_message("goes on by itself" if self.goes_on else "stays with this throw")

    def show_flip(self) -> None:
        """Show the best flip of the slam again, in slow motion and from nearby."""
        motion = self.playback.motion
        self.flip = best_flip(motion, self.watched.replay.outcome.flipped)
        if self.flip is None:
            self.show_message("no puck flips in this throw")
            return
        self._rested_s = 0.0
        self.playback = replace(
            self.playback, time_s=self.flip.begin_s, playing=True, pace=FLIP_PACE
        )

    def go(self, change: int) -> None:
        """Show the next throw, or the previous one (below 0), if there is one."""
        if self.has_next if change > 0 else self._index:
            self.go_to(self._index + change)

    def go_to(self, index: int) -> None:
        """Show a throw by its number."""
        self._index = index
        self._show(self.playback.pace)

    def next_slammer(self) -> None:
        """Show the same throw with the next slammer of the programme."""
        if len(self._programme.names) > 1:
            self._slammer = (self._slammer + 1) % len(self._programme.names)
            self._show(self.playback.pace)

    def save(self, suffix: str) -> None:
        """Save the slam in the folder once the message is drawn: writing may take seconds."""
        self._suffix_to_save = suffix
        self.show_message(f"writing {self.watched.file_stem}{suffix} ...")

    def throw_by_hand(self) -> None:
        """Open the page of throws by hand in the browser, once."""
        if find_spec("nicegui") is None:
            self.show_message("to throw in the browser: pip install 'pucklab[play]'")
            return
        if self._throws is None or not self._throws.is_alive():
            context = multiprocessing.get_context("spawn")
            self._throws = context.Process(target=serve_throws, args=(self._study, self._seed))
            self._throws.start()
        self.show_message("throw in the browser: its address is printed at the terminal")

    def close(self) -> None:
        """End the server of throws by hand, if there is one."""
        if self._throws is not None:
            self._throws.terminate()
            self._throws.join()

    def show_message(self, message: str) -> None:
        """Show a line of text for a few seconds."""
        self.message, self._message_left_s, self._is_message_drawn = message, _MESSAGE_S, False

    def _go_on(self, elapsed_s: float) -> None:
        """Follow a slam with its best flip, and that with the next throw, without any key."""
        flip, playback = self.flip, self.playback
        if flip is not None and playback.time_s >= flip.end_s:
            self.playback = playback = replace(playback, time_s=flip.end_s, playing=False)
        is_over = playback.at_end if flip is None else not playback.playing
        if not is_over:
            self._rested_s = 0.0
            return
        self._rested_s += elapsed_s
        if flip is not None and self._rested_s >= _AFTER_FLIP_S:
            self._leave_flip()
            if self.goes_on and not self._is_touched and self.has_next:
                self.go(1)
        elif flip is None and self.goes_on and not self._is_touched:
            if self._rested_s < _AFTER_SLAM_S or not self.has_next:
                return
            if self.watched.replay.outcome.flipped:
                self.show_flip()
            else:
                self.go(1)

    def _leave_flip(self) -> None:
        """Show the end of the slam again."""
        if self.flip is not None:
            end_s = self.playback.motion.end_s
            self.flip = None
            self.playback = replace(self.playback, time_s=end_s, playing=False, pace=self._pace)

    def _by_hand(self, action: Callable[[], object]) -> Callable[[], object]:
        """Return an action that first ends the automatic course."""

        def act() -> None:
            self._is_touched = True
            self._leave_flip()
            action()
            if self.flip is None:
                self._pace = self.playback.pace

        return act

    def _make_commands(self) -> dict[str, Command]:
        """Return all commands by a short name, in the order of the help."""
        playing, pace = self.playback.playing, self.playback.pace
        impact, slower = pace.impact_slower, pace.settle_slower
        many, change = _MANY_SAMPLES, self.change
        speed = "real time" if slower == 1 else f"speed 1/{slower:g}"
        film = ".mp4" if find_spec("imageio_ffmpeg") is not None else ".gif"
        slow = "impact as the rest" if impact == 1 else f"impact 1/{impact:g}"

        def made(
            keys: tuple[str, ...],
            name: str,
            action: Callable[..., object],
            *facts: Any,
            **look: Any,
        ) -> Command:
            return Command(keys, name, self._by_hand(partial(action, *facts)), **look)

        def tell(action: Callable[[], str]) -> None:
            self.show_message(action())

        return {
            "play": made(
                ("space", "k"), "play or pause", change, toggle,
                icon="pause" if playing else "play", on=playing,
            ),
            "step on": made(("right", "."), "a step on", change, step, 1, icon="step_on"),
            "step back": made(("left", ","), "a step back", change, step, -1, icon="step_back"),
            "ten on": made(("shift+right",), "ten steps on", change, step, many),
            "ten back": made(("shift+left",), "ten steps back", change, step, -many),
            "restart": made(("home", "r"), "from the start", change, restart, icon="restart"),
            "end": made(("end",), "to the end", change, scrub, 1.0),
            "next": made(
                ("n", "page down"), "next throw", self.go, 1, icon="next", enabled=self.has_next
            ),
            "previous": made(
                ("p", "page up"), "previous throw", self.go, -1,
                icon="previous", enabled=self._index > 0,
            ),
            "slammer": made(("tab",), "next slammer", self.next_slammer),
            "faster": made(("up",), "faster", change, at_speed, -1, icon="plus"),
            "slower": made(("down",), "slower", change, at_speed, 1, icon="minus"),
            "speed": made((), "slower", change, at_speed, 1, label=speed),
            "impact": made(
                ("i",), "slow motion of the impact", change, with_next_impact, label=slow
            ),
            "ghosts": made(
                ("g",), "same throw, other slammers", self.toggle_ghosts,
                icon="ghosts", on=self.shows_ghosts,
            ),
            "flip": made(("m",), "best flip in slow motion", self.show_flip),
            "go on": made(
                ("a",), "go on to the next throw by itself", self.toggle_going_on, on=self.goes_on
            ),
            "camera": made(("v",), "next camera", tell, self._cameras.next_space_camera),
            "sound": made(("u",), "sound on or off", tell, self._speaker.switch),
            "reset": made(("0",), "show all", self._cameras.reset),
            "replay": made(("s",), "save as a replay", self.save, ".json"),
            "page": made(("w",), "save as a web page", self.save, ".html"),
            "strip": made(("c",), "save as a film strip", self.save, ".png"),
            "film": made(("e",), "save as a film", self.save, film, icon="save"),
            "throw": made(
                ("t", "return"), "throw it yourself", self.throw_by_hand, label="Throw it yourself"
            ),
        }  # fmt: skip

    def bar(self, boxes: Boxes) -> list[Button]:
        """Return the buttons of the bar."""
        commands = self._make_commands()
        return button_row(boxes.buttons, [commands[name] for name in _BAR], boxes.words_px)

    def _widgets(self, size: Size) -> list[Widget]:
        boxes = boxes_of(size)

        motion = self.playback.motion
        # Marks at first contact and at the end of the impact.
        marks = (0.0, motion.impact_end_s) if motion.impact_end_s > 0 else ()
        slider = Slider(
            box=boxes.scrub,
            value=self.playback.share,
            changed=lambda share: self._by_hand(partial(self.change, scrub, share))(),
            marks=tuple(map(self.playback.share_of, marks)),
        )
        throw = Button(box=boxes.throw, command=self._make_commands()["throw"])
        return [slider, *self.bar(boxes), throw]

    def _show(self, pace: Pace) -> None:
        self.watched = self._programme.slam_at(self._index, self._slammer)
        replay = self.watched.replay
        self.playback = playback_of(replay_motion(replay), pace)
        self._sounds = sounds_of(replay)
        self.ghosts = []
        self._ghost_slammers = ghosts_beside(self._others, replay.scene)
        self.flip, self._pace = None, pace
        self._is_touched, self._rested_s = False, 0.0

    def _count(self) -> None:
        """Add the slam shown to the tally of its scene, once."""
        shown = (self._index, self._slammer)
        if shown not in self._counted:
            self._counted.add(shown)
            scene, tally = self.watched.replay.scene, tally_of(self.watched.replay.outcome)
            before = self._tallies.get(scene)
            self._tallies[scene] = tally if before is None else before + tally

    def _save(self) -> None:
        suffix, self._suffix_to_save = self._suffix_to_save, ""
        try:
            path = free_path(self._folder / f"{self.watched.file_stem}{suffix}")
            export_slam(path, self.watched.replay, self.watched.name, palette=self._palette)
        except (InputError, MissingExtraError, OSError) as error:
            self.show_message(str(error))
        else:
            self.show_message(f"wrote {path.name}")


def serve_throws(study: Study, seed: int) -> None:
    """Serve the page of throws by hand, and open it in the browser."""
    from pucklab.render.browser.server import serve  # NiceGUI takes a second
    from pucklab.render.browser.throwing import open_throws

    open_throws("watch", study, seed=seed)
    with suppress(KeyboardInterrupt):  # Ctrl-C at the terminal ends the window, too
        serve("/throws/watch", partial(print, flush=True))
