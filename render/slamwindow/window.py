"""The view of a list of slams: playing, scrubbing, the camera, and saving.

`SlamWindow` knows nothing of windows: it takes keys and the mouse as pygame's events, lets time
pass, and draws itself onto a surface of any size.
"""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pygame
from pygame import Event, Rect, Surface

from pucklab.base.errors import InputError, MissingExtraError
from pucklab.base.files import free_path
from pucklab.render.canvas import write
from pucklab.render.palette import DARK, LIGHT, Palette
from pucklab.render.slams.camera3d import PRESETS, closer, orbit
from pucklab.render.slams.export import export_slam
from pucklab.render.slams.frame import draw_frame
from pucklab.render.slams.motion import moment_at, replay_motion
from pucklab.render.slams.pace import FILM_PACE, Pace, pace_text
from pucklab.render.slams.playback import (
    Playback,
    advance,
    at_speed,
    playback_of,
    restart,
    scrub,
    step,
    toggle,
)
from pucklab.sim.scene.slam_list import ListedSlam, SlamList
from pucklab.sim.scene.slam_text import replay_lines

_KEYS = (
    "Space: play   Arrows: step, pace   R: again   N, P: other throws   Drag, wheel, V: camera   "
    "S, C, E, W: save replay, strip, film, page   L: light   F: full screen   Q: leave"
)

_MESSAGE_S = 5.0
"""Time for which a message is shown."""

_LEFT_BUTTON = 1
_ORBIT_RAD_PX = 0.007
"""Angle that the camera turns for a pixel that it is dragged."""

_NOTCH = 1.25
"""Factor of the zoom for one notch of the wheel."""

Size = tuple[int, int]
"""Width and height in pixels."""


def bar_of(size: Size) -> tuple[Rect, Rect]:
    """Return the box of the scrub bar at the bottom of a window, and that of the line below it."""
    width, height = size
    line_px = min(max(round(height / 36), 14), 40)
    rows = [Rect(line_px, height - k * line_px, width - 2 * line_px, line_px) for k in (3, 2)]
    return rows[0], rows[1]


class SlamWindow:
    """A view of the slams of a list.

    Attributes:
        listed: The slam shown.
        playback: The time shown, and the pace.
        message: A line shown for a few seconds, such as the name of a saved file.
        palette: The colours.
        running: False once it is left.
        full_screen: True if it fills the screen.
    """

    def __init__(
        self,
        slams: SlamList,
        *,
        index: int = 0,
        folder: Path | None = None,
        palette: Palette = DARK,
    ) -> None:
        """Show one slam of a list.

        Args:
            slams: The slams.
            index: Number of the slam shown first.
            folder: Folder in which files are saved; the current one by default.
            palette: The colours at first.
        """
        self._slams = slams
        self._folder = folder or Path.cwd()
        self._held = ""  # what the left button holds: the bar, or the camera
        self._suffix_to_save = ""
        self._message_left_s, self._is_message_drawn = 0.0, False
        self._camera, self._direction = "follow", PRESETS["follow"][1]
        self.message = ""
        self.palette, self.running, self.full_screen = palette, True, False
        self.listed: ListedSlam
        self.playback: Playback
        self._show(index, FILM_PACE)

    @property
    def title(self) -> str:
        """Title of the window."""
        return f"{self.listed.name}, {self.listed.origin} - pucklab"

    def handle(self, event: Event, size: Size) -> bool:
        """Handle an event, with places in pixels of the surface; return True if it was used."""
        bar, _ = bar_of(size)
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.KEYDOWN:
            if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT):
                return False
            # By the sign that is typed, if there is one, so that any keyboard will do.
            typed = event.unicode.strip().lower()
            key = typed if typed and typed.isprintable() else pygame.key.name(event.key)
            action = self._actions().get(key)
            if action is not None:
                action()
            return action is not None
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT_BUTTON:
            self._held = "bar" if bar.collidepoint(event.pos) else "camera"
            if self._held == "bar":
                self._scrub_to(event.pos[0], bar)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._held = ""
        elif event.type == pygame.MOUSEMOTION and self._held == "bar":
            self._scrub_to(event.pos[0], bar)
        elif event.type == pygame.MOUSEMOTION and self._held:
            # Dragging to the right turns the box to the right, so the camera goes to the left.
            x, y = event.rel
            self._direction = orbit(self._direction, -_ORBIT_RAD_PX * x, _ORBIT_RAD_PX * y)
        elif event.type == pygame.MOUSEWHEEL:
            self._direction = closer(self._direction, _NOTCH**event.y)
        else:
            return False
        return True

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass; return True if the picture changed."""
        before = self.playback, self.message
        self.playback = advance(self.playback, elapsed_s)
        self._message_left_s -= elapsed_s
        if self._suffix_to_save and self._is_message_drawn:
            self._save()
        elif not self._suffix_to_save and self._message_left_s <= 0:
            self.message = ""
        return before[0] is not self.playback or before[1] != self.message

    def draw(self, surface: Surface) -> None:
        """Draw a moment with its captions, and below it the scrub bar and the keys."""
        listed, playback, palette = self.listed, self.playback, self.palette
        bar, line = bar_of(surface.get_size())
        surface.fill(palette.background)
        pace = pace_text(playback.slower, playback.pace) or f"{playback.slower:.0f} times slower"
        is_paused = not playback.playing and not playback.at_end
        draw_frame(
            surface.subsurface(Rect(0, 0, surface.get_width(), bar.top)),
            listed.replay.scene,
            moment_at(playback.motion, playback.time_s),
            listed.replay.outcome,
            f"{replay_lines(listed.name, listed.replay)[0]} {listed.origin.capitalize()}.",
            "paused" if is_paused else pace if playback.playing else "",
            palette,
            self._direction,
            is_moving=playback.playing,
        )
        thick = bar.height // 4
        rail = Rect(bar.left, bar.centery - thick // 2, bar.width, thick)
        surface.fill(palette.control, rail)
        surface.fill(palette.accent, (*rail.topleft, round(playback.share * rail.width), thick))
        for mark_s in {0.0, playback.motion.impact_end_s}:  # first contact, end of the impact
            x = rail.left + round(playback.share_of(mark_s) * rail.width)
            surface.fill(palette.faint, (x - 1, rail.top - thick // 2, 2, 2 * thick))
        knob = rail.left + round(playback.share * rail.width), rail.centery
        pygame.draw.circle(surface, palette.accent, knob, 2 * thick)
        words, colour = (self.message, palette.accent) if self.message else (_KEYS, palette.faint)
        size_px = round(0.8 * line.height)
        write(surface, words, line.midleft, size_px, colour, width_px=line.width)
        self._is_message_drawn = True

    def go(self, change: int) -> None:
        """Show the next slam, or the previous one (below 0), if there is one."""
        index = self._index + change
        if index >= 0 and (self._slams.length is None or index < self._slams.length):
            self._show(index, self.playback.pace)

    def change(self, how: Callable[..., Playback], *facts: float) -> None:
        """Change the playback by one of the functions of `pucklab.render.slams.playback`."""
        self.playback = how(self.playback, *facts)

    def show_message(self, message: str) -> None:
        """Show a line of text for a few seconds."""
        self.message, self._message_left_s, self._is_message_drawn = message, _MESSAGE_S, False

    def _show(self, index: int, pace: Pace) -> None:
        self._index, self.listed = index, self._slams.slam_at(index)
        self.playback = playback_of(replay_motion(self.listed.replay), pace)

    def _actions(self) -> dict[str, Callable[[], object]]:
        """Return what each key does."""
        film = ".mp4" if find_spec("imageio_ffmpeg") is not None else ".gif"
        saved = {"s": ".json", "c": ".png", "e": film, "w": ".html"}
        return {
            "space": partial(self.change, toggle),
            "right": partial(self.change, step, 1),
            "left": partial(self.change, step, -1),
            "up": partial(self.change, at_speed, -1),
            "down": partial(self.change, at_speed, 1),
            "r": partial(self.change, restart),
            "home": partial(self.change, restart),
            "end": partial(self.change, scrub, 1.0),
            "n": partial(self.go, 1),
            "p": partial(self.go, -1),
            "v": self._next_camera,
            "l": self._toggle_palette,
            "f": self._toggle_screen,
            "f11": self._toggle_screen,
            "q": self._leave,
            "escape": self._leave,
            **{key: partial(self._announce_save, suffix) for key, suffix in saved.items()},
        }

    def _scrub_to(self, x_px: int, bar: Rect) -> None:
        self.change(scrub, min(max((x_px - bar.left) / bar.width, 0.0), 1.0))

    def _next_camera(self) -> None:
        names = list(PRESETS)
        self._camera = names[(names.index(self._camera) + 1) % len(names)]
        words, self._direction = PRESETS[self._camera]
        self.show_message(words)

    def _toggle_palette(self) -> None:
        self.palette = LIGHT if self.palette is DARK else DARK

    def _toggle_screen(self) -> None:
        self.full_screen = not self.full_screen

    def _leave(self) -> None:
        """Leave full screen, or else the window."""
        self.running, self.full_screen = self.full_screen, False

    def _announce_save(self, suffix: str) -> None:
        """Save the slam once the message is drawn: writing may take seconds."""
        self._suffix_to_save = suffix
        self.show_message(f"writing {self.listed.file_stem}{suffix} ...")

    def _save(self) -> None:
        suffix, self._suffix_to_save = self._suffix_to_save, ""
        try:
            path = free_path(self._folder / f"{self.listed.file_stem}{suffix}")
            export_slam(path, self.listed.replay, self.listed.name, palette=self.palette)
        except (InputError, MissingExtraError, OSError) as error:
            self.show_message(str(error))
        else:
            self.show_message(f"wrote {path.name}")
