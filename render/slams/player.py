"""A slam as a web page: one file with motion, drawing and sound, which any browser shows offline.

A `SlamPlayer` holds `Clip`s, shown one after another; the slams of a clip are shown side by side.
Its `html` is the page: the files of the folder ``web`` with the data of the slams put in. There,
``page.html`` is the frame, ``style.css`` the looks, ``scene.js`` draws with WebGL2, ``sound.js``
plays the contacts, and ``player.js`` has the clock and the controls. A `ThrowPage` has slams that
flicks choose from, which ``throw.js`` adds.
"""

import base64
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Arena, Face, InputError
from physics.pieces import PIECE_RADIUS_MM
from physics.poses import with_steady_signs
from render.canvas import new_surface
from render.pages import filled_page, framed_page
from render.palette import DARK, LIGHT, Palette, Rgb
from render.slams.camera3d import (
    DEPTHS_MM,
    FOLLOWING,
    PRESETS,
    WALL_MM,
    Camera3D,
    box_corners,
    following,
    framed,
)
from render.slams.looks import (
    ART_PX,
    MOST_CONTACTS,
    PROGRAMS,
    SUN,
    box_mesh,
    disc_mesh,
    face_art,
    piece_looks,
    shaders,
)
from render.slams.motion import Motion, moment_at, motion_of
from render.slams.outcome_marks import outcome_marks
from render.slams.playback import FILM_PACE, later
from render.slams.sound import sounds_of, voice_of
from render.slams.space import draw_space
from sim.core.files import version, write_whole
from sim.slam_replay import Replay
from sim.slam_text import describe_slam

Floats = NDArray[np.float64]
Shorts = NDArray[np.int16]

MAX_BYTES, MOST_THROW_BYTES = 300_000, 5_000_000
"""Largest page of slams, and of throws to choose from."""

MAX_SLAMS = 21
"""Most slams of a clip: one, and the same throw with 20 other slammers."""

_TOLERANCES_MM = (0.15, 0.3, 0.6, 1.2)
"""Largest distances between the motion and the straight lines between its kept samples.

The first that makes the page small enough is taken.
"""

_STEP_MM, _STEP_QUATERNION, _STEP_S = 0.05, 1 / 4095, 2e-5
"""Units of the whole numbers that places, quaternions and times are stored as."""

_TRACK_FPS = 30.0
"""Times a second of film at which the page has the time of the slam and the camera."""

_HEADER = """#version 300 es
precision highp float;
precision highp sampler2DArray;
precision highp sampler2DShadow;
"""
"""First lines of a shader in WebGL2."""

_STILL_SIZE, _STILL_QUALITY = (800, 500), "still.jpg"
"""Size of the picture for browsers that cannot draw in space, and the name that sets its format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """Slams shown at the same time, side by side.

    Attributes:
        title: A line above them.
        slams: Name and replay of each; the first one sets the pace.
    """

    title: str
    slams: tuple[tuple[str, Replay], ...]

    def __post_init__(self) -> None:
        """Check the number of slams."""
        if not 1 <= len(self.slams) <= MAX_SLAMS:
            raise InputError(
                f"slams: {len(self.slams)} are not accepted in a clip; give 1 to {MAX_SLAMS}"
            )


class SlamPlayer:
    """A player of slams for browsers and notebooks.

    In a notebook, it shows itself as the value of a cell.

    Attributes:
        clips: The clips, in the order in which they are shown.
        title: Title of the page.
    """

    script = "const throwing = null;"

    def __init__(self, clips: Sequence[Clip], *, title: str = "", height_px: int = 560) -> None:
        """Make a player.

        Args:
            clips: At least one clip.
            title: Title of the page; by default that of the first clip.
            height_px: Height of the player in a notebook.

        Raises:
            InputError: There is no clip.
        """
        if not clips:
            raise InputError("clips: none is not accepted; give at least one")
        self.clips = tuple(clips)
        self.title = title or clips[0].title
        self._height_px = height_px

    @property
    def html(self) -> str:
        """The page: one file without links to others, of at most 300,000 bytes.

        Raises:
            InputError: The slams are too many for such a page.
        """
        motions = [[_motion(replay) for _, replay in clip.slams] for clip in self.clips]
        still = _still_picture(self.clips[0].slams[0][1], motions[0][0])
        for tolerance_mm in _TOLERANCES_MM:
            page = self._page(motions, still, tolerance_mm)
            if len(page.encode()) <= self.most_bytes:
                return page
        count = sum(len(clip.slams) for clip in self.clips)
        raise InputError(
            f"save: {count} slams need more than the {self.most_bytes} bytes of a page; give fewer"
        )

    @property
    def most_bytes(self) -> int:
        """Largest page."""
        return MAX_BYTES

    def save(self, path: Path) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.html.encode())

    def _repr_html_(self) -> str:
        """Return the player as a frame in a notebook, apart from the notebook's own page."""
        return framed_page(self.html, self.title, self._height_px)

    def _page(self, motions: Sequence[Sequence[Motion]], still: bytes, tolerance_mm: float) -> str:
        packed: list[Shorts] = []
        clips = [
            _clip_facts(clip, own, tolerance_mm, packed)
            for clip, own in zip(self.clips, motions, strict=True)
        ]
        facts = {
            **_shared_facts(),
            "voices": {
                name: asdict(voice_of(name))
                for name in {sound[1] for clip in clips for sound in clip["sounds"]}
            },
            "version": version(),
            "clips": clips,
            "motion": _packed(np.concatenate(packed).astype("<i2").view(np.uint8).reshape(-1, 2).T),
            "gl": self._graphics(),
        }
        return filled_page(
            "render.slams",
            "page.html",
            self.title,
            facts,
            style="style.css",
            still=base64.b64encode(still).decode(),
            scene="scene.js",
            sound="sound.js",
            throw=self.script,
            player="player.js",
        )

    def _graphics(self) -> dict[str, Any]:
        """Return shaders, meshes and pictures of faces as JSON."""
        scenes = [replay.scene for clip in self.clips for _, replay in clip.slams]
        looks = [look for scene in scenes for look in piece_looks(scene)]
        points, corners = disc_mesh()
        art = face_art(sorted({look.face for look in looks if look.is_metal}))
        return {
            "shaders": shaders(_HEADER),
            "programs": PROGRAMS,
            "disc": {"points": _packed(points), "corners": _packed(corners)},
            "boxes": {_box_name(scene.arena): _packed(box_mesh(scene.arena)) for scene in scenes},
            "art": {
                "size": ART_PX,
                "layers": art.layers,
                "colours": [colours.ravel().tolist() for colours in art.colours],
                # The layers of a pixel stand together: slammers differ only in their labels.
                "pixels": _packed(np.moveaxis(art.pixels, 0, 2)),
            },
            "contacts": MOST_CONTACTS,
            "sun": SUN,
            "depths": DEPTHS_MM,
        }


class ThrowPage(SlamPlayer):
    """A page to throw in: a flick plays the nearest of its slams, which it counts.

    Nearest is meant by direction and speed. The arena is a square, so a slam may be turned by
    quarters: directions from -45 to 45 degrees stand for all.
    """

    script = "throw.js"

    @property
    def most_bytes(self) -> int:
        """Largest page."""
        return MOST_THROW_BYTES


def throw_page(replays: Sequence[tuple[str, Replay]]) -> ThrowPage:
    """Return the page to throw in of some slams, each with the name of its slammer."""
    clips = [
        Clip(title=f"{name} at {replay.throw.speed_mm_s / 1000:.1f} m/s", slams=((name, replay),))
        for name, replay in replays
    ]
    return ThrowPage(clips, title="Flick over the stack to throw")


def player_of(slams: Sequence[tuple[str, Replay]], *, title: str = "") -> SlamPlayer:
    """Return the player of a slam, or of several side by side.

    Args:
        slams: Name of the slammer and replay of each.
        title: A line above them; by default one on the first throw.

    Example:
        >>> from physics import PieceChance, SampleRate, Scene, Throw, puck_stack, puckdex_slammer
        >>> from physics import slam
        >>> from sim.slam_replay import replay_of
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
        >>> throw = Throw(speed_mm_s=5000.0, chances=(PieceChance(),) * 2)
        >>> replay = replay_of(scene, throw, slam(scene, throw, SampleRate()))
        >>> player_of([("Onix", replay)]).title
        'Onix (8 g, 6 mm) hits at 5 m/s, 0 mm off centre, tilted 0°, 0° from the vertical.'
    """
    if not title and slams:
        title = throw_line(slams[0][0], slams[0][1])
    return SlamPlayer([Clip(title=title, slams=tuple(slams))])


def throw_line(name: str, replay: Replay) -> str:
    """Return a line on the throw of a slam."""
    return describe_slam(name, replay.scene, replay.throw, replay.outcome).splitlines()[0]


def _clip_facts(
    clip: Clip, motions: Sequence[Motion], tolerance_mm: float, packed: list[Shorts]
) -> dict[str, Any]:
    """Return a clip as JSON; its numbers of motion are added to ``packed``."""
    first = motions[0]
    return {
        "title": clip.title,
        "slams": [
            _slam_facts(name, replay, motion, tolerance_mm, packed)
            for (name, replay), motion in zip(clip.slams, motions, strict=True)
        ],
        "impactEnd": round(first.impact_end_s, 5),
        # Of several slams, the first one is heard.
        "sounds": [
            [round(s.time_s, 5), s.voice, round(s.loudness, 3), round(s.side, 3)]
            for s in sounds_of(clip.slams[0][1])
        ],
        "track": _track(motions, clip.slams[0][1].scene.arena),
        "cameras": _cameras(clip.slams[0][1].scene.arena),
    }


def _slam_facts(
    name: str, replay: Replay, motion: Motion, tolerance_mm: float, packed: list[Shorts]
) -> dict[str, Any]:
    scene, outcome = replay.scene, replay.outcome
    times, values = _samples(motion, tolerance_mm)
    begin = sum(len(part) for part in packed)
    # Differences from sample to sample are small numbers, which pack well; pieces that are at rest
    # are runs of zeros.
    whole = np.concatenate((np.round((times - times[0]) / _STEP_S)[np.newaxis], values))
    steps = np.diff(whole, axis=1, prepend=0.0)
    packed.append(((steps + 32768) % 65536 - 32768).astype(np.int16).ravel())
    marks = outcome_marks(outcome, LIGHT)
    names = {Face.UP: "flipped", Face.LEANING: "leaning", Face.OUT: "out"}
    return {
        "name": name,
        "engine": replay.engine,
        "half": scene.arena.half_side_mm,
        "box": _box_name(scene.arena),
        "begin": begin,
        "samples": len(times),
        "start": round(float(times[0]), 5),
        "pieces": [
            {
                "half": round(piece.thickness_mm / 2, 3),
                "face": look.face,
                "back": look.back,
                "metal": int(look.is_metal),
                "mark": names[marks[index][0]] if index in marks else "",
                "rest": round(float(motion.piece_rest_s[index]), 4),
            }
            for index, (piece, look) in enumerate(
                zip((*scene.stack, scene.slammer), piece_looks(scene), strict=True)
            )
        ],
        "hit": outcome.hit,
        "throw": [round(replay.throw.speed_mm_s / 1000, 2), round(replay.throw.direction_rad, 3)],
        "flips": len(outcome.flipped),
        "inSpace": replay.recording.poses is not None,
    }


def _samples(motion: Motion, tolerance_mm: float) -> tuple[Floats, Floats]:
    """Return the kept times of a motion, shape (K,), and whole numbers, shape (7 B, K).

    The numbers are x, y, z of the centre and w, x, y, z of the quaternion of each piece.
    """
    candidates = motion.poses.time_s
    moments = [moment_at(motion, time_s) for time_s in candidates.tolist()]
    centre = np.stack([moment.centre_mm for moment in moments])
    turned = with_steady_signs(np.stack([moment.orientation for moment in moments]))
    kept = _kept(candidates, centre, turned, tolerance_mm)
    whole = np.concatenate((centre / _STEP_MM, turned / _STEP_QUATERNION), axis=2)[kept]
    return candidates[kept], np.round(whole.reshape(len(kept), -1)).T


def _kept(time_s: Floats, centre_mm: Floats, turned: Floats, tolerance_mm: float) -> list[int]:
    """Return samples between which straight lines stay close to the motion.

    Args:
        time_s: Shape (F,).
        centre_mm: Shape (F, B, 3).
        turned: Quaternions, shape (F, B, 4).
        tolerance_mm: Largest distance of a point of a rim.
    """
    # A turn by a small angle a changes the quaternion by a / 2, and moves the rim by a radius.
    state = np.concatenate((centre_mm, 2 * PIECE_RADIUS_MM * turned), axis=2)
    kept, last = [0], len(time_s) - 1
    while kept[-1] < last:
        begin, reach = kept[-1], 1
        while begin + reach < last and _is_straight(time_s, state, begin, reach + 1, tolerance_mm):
            reach += 1
        kept.append(begin + reach)
    return kept


def _is_straight(
    time_s: Floats, state: Floats, begin: int, reach: int, tolerance_mm: float
) -> bool:
    end = begin + reach
    share = (time_s[begin + 1 : end] - time_s[begin]) / (time_s[end] - time_s[begin])
    line = state[begin] + share[:, np.newaxis, np.newaxis] * (state[end] - state[begin])
    off = line - state[begin + 1 : end]
    distance = np.sqrt((off[..., :3] ** 2).sum(-1)) + np.sqrt((off[..., 3:] ** 2).sum(-1))
    return float(distance.max(initial=0.0)) <= tolerance_mm


def _track(motions: Sequence[Motion], arena: Arena) -> list[float]:
    """Return time, azimuth, distance and target of the camera for each thirtieth of a film.

    The pace is that of films; the camera follows the pieces of all slams.
    """
    first = motions[0]
    time_s, end_s = first.start_s, max(motion.end_s for motion in motions)
    track: list[float] = []
    while True:
        camera = following(FOLLOWING, arena, [moment_at(motion, time_s) for motion in motions])
        track += [
            round(time_s, 6),
            round(camera.azimuth_rad, 3),
            round(camera.distance_mm, 1),
            *(round(part, 1) for part in camera.target_mm),
        ]
        if time_s >= end_s:
            return track
        # Other slams may last longer than the first one: its pace is kept up to their end.
        ahead = later(FILM_PACE, first, time_s, 1 / _TRACK_FPS)
        if ahead >= first.end_s:
            ahead = time_s + 1 / _TRACK_FPS / FILM_PACE.settle_slower
        time_s = min(ahead, end_s)


@lru_cache(maxsize=1)
def _shared_facts() -> dict[str, Any]:
    """Return the facts that all slams share: units, colours, emblems, voices, cameras."""
    return {
        "radius": PIECE_RADIUS_MM,
        "wallThickness": WALL_MM,
        "steps": [_STEP_MM, _STEP_QUATERNION, _STEP_S],
        "trackFps": _TRACK_FPS,
        "themes": {"light": _theme(LIGHT), "dark": _theme(DARK)},
    }


def _cameras(arena: Arena) -> dict[str, Any]:
    return {
        name: _camera(framed(direction, box_corners(arena), 0.0))
        for name, (_, direction) in PRESETS.items()
    }


def _box_name(arena: Arena) -> str:
    return f"{arena.half_side_mm:g} {arena.wall_height_mm:g}"


def _theme(palette: Palette) -> dict[str, str]:
    names = ("background", "panel", "control", "text", "faint", "accent", "on_accent")
    marks = ("flipped", "leaning", "out", "floor")
    return {name: _css(getattr(palette, name)) for name in (*names, *marks)}


def _css(colour: Rgb) -> str:
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


def _camera(camera: Camera3D) -> dict[str, Any]:
    return {
        "azimuth": round(camera.azimuth_rad, 4),
        "elevation": round(camera.elevation_rad, 4),
        "distance": round(camera.distance_mm, 1),
        "target": [round(part, 1) for part in camera.target_mm],
        "field": round(camera.field_rad, 4),
    }


def _motion(replay: Replay) -> Motion:
    return motion_of(replay.scene, replay.recording, replay.throw)


def _packed(numbers: NDArray[Any]) -> str:
    """Return the bytes of numbers as text: deflated, in base 64."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(numbers).tobytes(), 9)).decode()


def _still_picture(replay: Replay, motion: Motion) -> bytes:
    """Return a JPEG picture of the end of a slam."""
    surface = new_surface(*_STILL_SIZE)
    draw_space(surface, replay.scene, moment_at(motion, motion.end_s), replay.outcome, LIGHT)
    data = BytesIO()
    pygame.image.save(surface, data, _STILL_QUALITY)
    return data.getvalue()
