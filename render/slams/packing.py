"""A slam as a web page: one file with motion, drawing and sound, which any browser shows offline.

A `SlamPlayer` holds `Clip`s, shown one after another; the slams of a clip are shown side by side.
Its `html` is the page: the frame of `pucklab.render.pages` with the data of the slams. In the
folder ``web``, ``stage.html`` is what is shown, ``scene.js`` draws with WebGL2, ``sound.js`` plays
the contacts, and ``player.js`` has the clock and the controls.
"""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from pucklab.base.facts import fact
from pucklab.base.files import write_whole
from pucklab.physics import Arena, Face, InputError, Piece, Scene, SlamOutcome, Throw
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.poses import raise_above_floor_mm, with_steady_signs
from pucklab.physics.slam_line import SlamSetup
from pucklab.render.canvas import new_surface
from pucklab.render.pages import fill_page, fill_places, frame_page, pack, pack_json, web_text
from pucklab.render.palette import LIGHT
from pucklab.render.slams.camera3d import (
    DEPTHS_MM,
    FOLLOWING,
    PRESETS,
    WALL_MM,
    box_corners,
    following,
    frame_points,
    orbit,
)
from pucklab.render.slams.emblems import ENERGY_ORDER
from pucklab.render.slams.looks import (
    ART_PX,
    DISC_PROFILE,
    DISC_SEGMENTS,
    MOST_CONTACTS,
    PROGRAMS,
    SUN,
    PieceLook,
    face_art,
    piece_looks,
    shaders,
)
from pucklab.render.slams.motion import (
    FILM_FPS,
    Moment,
    Motion,
    moment_at,
    replay_motion,
    still_moment,
)
from pucklab.render.slams.outcome_marks import outcome_marks
from pucklab.render.slams.pace import FILM_PACE
from pucklab.render.slams.sound import sounds_of, voice_of
from pucklab.render.slams.space import draw_space
from pucklab.sim.scene.replay import Replay
from pucklab.sim.scene.slam_text import replay_lines

Floats = NDArray[np.float64]
Shorts = NDArray[np.int16]

MAX_BYTES = 300_000
"""Largest page of slams."""

MAX_SLAMS = 21
"""Most slams of a clip: one, and the same throw with 20 other slammers."""

SHARED = ("scene.js", "motion.js", "sound.js")
"""Scripts that draw and sound slams on every page."""

_STEP_MM, _STEP_S = 0.05, 2e-5
"""Units of the whole numbers that places and times are stored as."""

_STEPS = 6.0
"""The largest distance from the motion, in units of places if those are larger."""

_HEADER = """#version 300 es
precision highp float;
precision highp sampler2DArray;
precision highp sampler2DShadow;
"""
"""First lines of a shader in WebGL2."""

_HOVER_MM = 28.0
"""Height of a slammer over the stack before it is thrown."""

_NEARER = 0.5
"""Distance of the camera while a throw is aimed, relative to the one that shows the whole box."""

_STILL_SIZE, _STILL_QUALITY = (800, 500), "still.jpg"
"""Size of the picture for browsers that cannot draw in space, and the name that sets its format."""


@fact
class Clip:
    """Slams shown at the same time, side by side.

    Attributes:
        title: A line above them.
        slams: Name and replay of each; the first one sets the pace.
        faces: Faces of the stack, as `pucklab.render.slams.looks.piece_looks` takes them.
        turned_rad: Turn of the cameras around the box.
        facts: Further data of the clip, as JSON stores them.
    """

    title: str
    slams: tuple[tuple[str, Replay], ...]
    faces: tuple[str, ...] = ()
    turned_rad: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)

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

    scripts: tuple[str, ...] = ("const mode = null;",)
    kind = "slams"
    most_bytes = MAX_BYTES
    height_px = 560  # of its frame in a notebook
    # Largest distances between the motion and the straight lines between its kept samples: the
    # first that makes the page small enough is taken.
    tolerances_mm: tuple[float, ...] = (0.15, 0.3, 0.6, 1.2)

    def __init__(self, clips: Sequence[Clip], *, title: str = "") -> None:
        """Make a player.

        Args:
            clips: At least one clip.
            title: Title of the page; by default that of the first clip.

        Raises:
            InputError: There is no clip.
        """
        if not clips:
            raise InputError("clips: none is not accepted; give at least one")
        self.clips = tuple(clips)
        self.title = title or clips[0].title

    @property
    def html(self) -> str:
        """The page: one file without links to others, no larger than such pages may be.

        Raises:
            InputError: The slams are too many for such a page.
        """
        page = self._fit_page([_prepare(clip) for clip in self.clips])
        if page is None:
            count = sum(len(clip.slams) for clip in self.clips)
            raise InputError(
                f"save: {count} slams need more than the {self.most_bytes} bytes of a page; "
                "give fewer"
            )
        return page

    def save(self, path: Path) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.html.encode())

    def _repr_html_(self) -> str:
        """Return the player as a frame in a notebook, apart from the notebook's own page."""
        return frame_page(self.html, self.title, self.height_px)

    def _fit_page(self, ready: Sequence["ReadyClip"]) -> str | None:
        """Return the page with as many samples of the motion as fit; None if too few do."""
        for tolerance_mm in self.tolerances_mm:
            page = self._page(ready, tolerance_mm)
            if len(page.encode()) <= self.most_bytes:
                return page
        return None

    def _page(self, ready: Sequence["ReadyClip"], tolerance_mm: float) -> str:
        facts = _pack_clips(ready, tolerance_mm)
        motion = facts.pop("motion")
        facts |= {
            "wallThickness": WALL_MM,
            "trackFps": FILM_FPS,
            "gl": graphics(self._art()),
            **self._more_facts(),
        }
        scripts = [web_text("pucklab.render.slams", name) for name in SHARED]
        return fill_page(
            self.title,
            {"packed": pack_json(facts), "motion": motion},
            kind=self.kind,
            stage=self._stage(ready),
            scripts=[*scripts, *self.scripts, web_text("pucklab.render.slams", "player.js")],
            hint="Drag to turn the view; use the wheel or two fingers to zoom.",
        )

    def _stage(self, ready: Sequence["ReadyClip"]) -> str:
        still = base64.b64encode(self._still(ready)).decode()
        return fill_places(web_text("pucklab.render.slams", "stage.html"), {"still": still})

    def _still(self, ready: Sequence["ReadyClip"]) -> bytes:
        """Return a picture for browsers that cannot draw in space: the end of the first slam."""
        replay, motion = ready[0].clip.slams[0][1], ready[0].motions[0]
        return still_picture(replay.scene, moment_at(motion, motion.end_s), replay.outcome)

    def _more_facts(self) -> Mapping[str, Any]:
        """Return further data of the page."""
        return {}

    def _art(self) -> set[str]:
        """Return the names of the pictures on all pieces."""
        slams = [(replay.scene, clip.faces) for clip in self.clips for _, replay in clip.slams]
        looks = [look for scene, faces in slams for look in piece_looks(scene, faces)]
        return {name for look in looks for name in (look.face, look.back)}


def graphics(names: Iterable[str]) -> dict[str, Any]:
    """Return shaders, the profile of discs, and pictures of faces by name, as JSON."""
    art = face_art(sorted(set(names) - set(face_art(()).layers)))
    return {
        "shaders": shaders(_HEADER),
        "programs": PROGRAMS,
        "disc": {"profile": DISC_PROFILE, "segments": DISC_SEGMENTS},
        "art": {
            "size": ART_PX,
            "layers": art.layers,
            "colours": [colours.ravel().tolist() for colours in art.colours],
            # The layers of a pixel stand together: slammers differ only in their labels.
            "pixels": pack(np.moveaxis(art.pixels, 0, 2)),
        },
        "contacts": MOST_CONTACTS,
        "sun": SUN,
        "depths": DEPTHS_MM,
    }


def pack_slams(
    slams: Sequence[tuple[str, Replay | str]], faces: Sequence[str] = ()
) -> dict[str, Any]:
    """Return slams for a page that plays them, as JSON: lines, or replays with their samples."""
    ready = [
        _prepare(
            Clip(
                title=name, slams=((name, own),), faces=tuple(faces), facts={"line": _line_of(own)}
            )
        )
        for name, own in slams
        if isinstance(own, Replay)
    ]
    packed = _pack_clips(ready, SlamPlayer.tolerances_mm[0])
    clips = iter(packed["clips"])
    packed["clips"] = [
        {"title": name, "line": own} if isinstance(own, str) else next(clips) for name, own in slams
    ]
    return packed


def _line_of(replay: Replay) -> str:
    """Return the line of a replay; empty if it has none."""
    try:
        return SlamSetup(scene=replay.scene, throw=replay.throw, engine=replay.engine).line
    except InputError:
        return ""


def player_of(slams: Sequence[tuple[str, Replay]], *, title: str = "") -> SlamPlayer:
    """Return the player of a slam, or of several side by side.

    Args:
        slams: Name of the slammer and replay of each.
        title: A line above them; by default one on the first throw.

    Example:
        >>> from pucklab.physics import SampleRate, Scene, Throw, puck_stack, puckdex_slammer
        >>> from pucklab.physics import slam
        >>> from pucklab.sim.scene.replay import replay_of
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
        >>> throw = Throw(speed_mm_s=5000.0)
        >>> replay = replay_of(scene, throw, slam(scene, throw, SampleRate()))
        >>> player_of([("Onix", replay)]).title
        'Onix (8 g, 6 mm) hits at 5 m/s, 0 mm off centre, tilted 0°, 0° from the vertical.'
    """
    if not title and slams:
        title, _ = replay_lines(*slams[0])
    return SlamPlayer([Clip(title=title, slams=tuple(slams))])


@fact
class ReadyClip:
    """A clip with the data that do not depend on the number of samples kept.

    Attributes:
        clip: The clip.
        motions: The motion of each slam.
        facts: The clip as JSON without its slams.
    """

    clip: Clip
    motions: tuple[Motion, ...]
    facts: dict[str, Any]


def _prepare(clip: Clip) -> ReadyClip:
    motions = tuple(replay_motion(replay) for _, replay in clip.slams)
    first, arena = motions[0], clip.slams[0][1].scene.arena
    facts = {
        "title": clip.title,
        "impactEnd": round(first.impact_end_s, 5),
        # Of several slams, the first one is heard.
        "sounds": [
            [round(s.time_s, 5), s.voice, round(s.loudness, 3), round(s.side, 3)]
            for s in sounds_of(clip.slams[0][1])
        ],
        "track": _track(motions, arena, clip.turned_rad),
        "cameras": cameras_of(arena, clip.turned_rad),
        **clip.facts,
    }
    return ReadyClip(clip=clip, motions=motions, facts=facts)


def _pack_clips(ready: Iterable[ReadyClip], tolerance_mm: float) -> dict[str, Any]:
    """Return clips as JSON, with the voices of their sounds and the numbers of their motions."""
    numbers: list[Shorts] = []
    clips = [
        each.facts
        | {
            "slams": [
                _slam_facts(name, replay, motion, each.clip.faces, tolerance_mm, numbers)
                for (name, replay), motion in zip(each.clip.slams, each.motions, strict=True)
            ]
        }
        for each in ready
    ]
    voices = sorted({sound[1] for clip in clips for sound in clip["sounds"]})
    motion = np.concatenate([np.zeros(0, np.int16), *numbers]).astype("<i2").view(np.uint8)
    return {
        "clips": clips,
        "voices": {name: asdict(voice_of(name)) for name in voices},
        "motion": pack(motion.reshape(-1, 2).T),
        "steps": [*_steps(tolerance_mm), _STEP_S],
    }


def _box_facts(arena: Arena) -> dict[str, Any]:
    """Return the box of a slam as JSON."""
    return {
        "half": arena.shown_half_mm,
        "open": not arena.box,
        "out": arena.out_radius_mm or 0,
        "wall": arena.shown_wall_mm,
    }


def look_facts(look: PieceLook, piece: Piece) -> dict[str, Any]:
    """Return the look of a piece as JSON."""
    return {
        "half": round(piece.thickness_mm / 2, 3),
        "radius": round(piece.diameter_mm / 2, 3),
        "face": look.face,
        "back": look.back,
        "metal": int(look.is_metal),
    }


def _slam_facts(
    name: str,
    replay: Replay,
    motion: Motion,
    faces: Sequence[str],
    tolerance_mm: float,
    numbers: list[Shorts],
) -> dict[str, Any]:
    scene, outcome = replay.scene, replay.outcome
    times, values = _samples(motion, tolerance_mm)
    begin = sum(len(part) for part in numbers)
    # Differences from sample to sample are small numbers, which pack well; pieces that are at rest
    # are runs of zeros.
    whole = np.concatenate((np.round((times - times[0]) / _STEP_S)[np.newaxis], values))
    steps = np.diff(whole, axis=1, prepend=0.0)
    numbers.append(((steps + 32768) % 65536 - 32768).astype(np.int16).ravel())
    marks = outcome_marks(outcome, LIGHT)
    names = {Face.UP: "flipped", Face.LEANING: "leaning", Face.OUT: "out"}
    pieces = zip((*scene.stack, scene.slammer), piece_looks(scene, faces), strict=True)
    return {
        "name": name,
        "engine": replay.engine,
        **_box_facts(scene.arena),
        "begin": begin,
        "samples": len(times),
        "start": round(float(times[0]), 5),
        "pieces": [
            look_facts(look, piece)
            | {
                "mark": names[marks[index][0]] if index in marks else "",
                "rest": round(float(motion.piece_rest_s[index]), 4),
            }
            for index, (piece, look) in enumerate(pieces)
        ],
        "hit": outcome.hit,
        "throw": [round(replay.throw.speed_mm_s / 1000, 2), round(replay.throw.direction_rad, 3)],
        "inSpace": replay.recording.poses is not None,
    }


class LivePage(SlamPlayer):
    """A player without slams, which the page around it feeds; see ``live.js``."""

    scripts = tuple(web_text("pucklab.render.slams", name) for name in ("flick.js", "live.js"))
    kind = "slams live"

    def __init__(self) -> None:
        self.clips, self.title = (), "pucklab"

    @property
    def html(self) -> str:
        """The page."""
        return self._page((), self.tolerances_mm[0])

    def _art(self) -> set[str]:
        return {*ENERGY_ORDER, *(f"{mass} g" for mass in range(2, 25)), "back"}

    def _still(self, ready: Sequence["ReadyClip"]) -> bytes:
        del ready
        surface = new_surface(8, 5)
        data = BytesIO()
        pygame.image.save(surface, data, _STILL_QUALITY)
        return data.getvalue()


def live_clip(clip: Clip) -> dict[str, Any]:
    """Return the data of a clip for a `LivePage`, as JSON."""
    return _pack_clips([_prepare(clip)], SlamPlayer.tolerances_mm[0])


def live_stack(scene: Scene, throw: Throw, faces: Sequence[str]) -> dict[str, Any]:
    """Return a stack at rest with the slammer above its aim for a `LivePage`, as JSON."""
    moment = still_moment(scene)
    top_mm = sum(piece.thickness_mm for piece in scene.stack)
    moment.centre_mm[-1] = throw.aim_x_mm, throw.aim_y_mm, top_mm + _HOVER_MM
    poses = np.concatenate((moment.centre_mm, moment.orientation), axis=1)
    pieces = zip(piece_looks(scene, faces), (*scene.stack, scene.slammer), strict=True)
    cameras = cameras_of(scene.arena)
    cameras["follow"]["distance"] *= _NEARER
    return {
        "slam": {
            "pieces": [look_facts(look, piece) for look, piece in pieces],
            **_box_facts(scene.arena),
        },
        "poses": np.round(poses, 4).ravel().tolist(),
        "cameras": cameras,
        "top": top_mm,
    }


def _steps(tolerance_mm: float) -> tuple[float, float]:
    """Return the units of places, in mm, and of quaternions, which move a rim less far."""
    step_mm = max(_STEP_MM, tolerance_mm / _STEPS)
    return step_mm, step_mm / (10 * PIECE_RADIUS_MM)


def _samples(motion: Motion, tolerance_mm: float) -> tuple[Floats, Floats]:
    """Return the kept times of a motion, shape (K,), and whole numbers, shape (7 B, K).

    The numbers are x, y, z of the centre and w, x, y, z of the quaternion of each piece.
    """
    poses = motion.poses
    turned = poses.orientation / np.linalg.norm(poses.orientation, axis=2, keepdims=True)
    turned = with_steady_signs(turned)
    # Between two samples a piece may dip into the floor; it is shown on it.
    upright = 1 - 2 * (turned[..., 1] ** 2 + turned[..., 2] ** 2)
    height = raise_above_floor_mm(
        poses.middle_mm[..., 2], upright, motion.half_mm, motion.radius_mm
    )
    centre = np.concatenate((poses.middle_mm[..., :2], height[..., np.newaxis]), axis=2)
    # A turn by a small angle a changes the quaternion by a / 2, and moves the rim by a radius.
    rims_mm = 2 * motion.radius_mm[:, np.newaxis] * turned
    kept = _kept(poses.time_s, np.concatenate((centre, rims_mm), axis=2), tolerance_mm)
    step_mm, step_quaternion = _steps(tolerance_mm)
    whole = np.concatenate((centre / step_mm, turned / step_quaternion), axis=2)[kept]
    return poses.time_s[kept], np.round(whole.reshape(len(kept), -1)).T


def _kept(time_s: Floats, state: Floats, tolerance_mm: float) -> list[int]:
    """Return samples between which straight lines stay close to the motion.

    A line between two of them is split where the motion is farthest from it (Douglas-Peucker).

    Args:
        time_s: Shape (F,).
        state: Centres, and quaternions as ways of the rim, mm; shape (F, B, 7).
        tolerance_mm: Largest distance of a point of a rim.
    """
    kept, open_ = {0, len(time_s) - 1}, [(0, len(time_s) - 1)]
    while open_:
        begin, end = open_.pop()
        if end - begin < 2:
            continue
        share = (time_s[begin + 1 : end] - time_s[begin]) / (time_s[end] - time_s[begin])
        line = state[begin] + share[:, np.newaxis, np.newaxis] * (state[end] - state[begin])
        off = line - state[begin + 1 : end]
        distance = np.sqrt((off[..., :3] ** 2).sum(-1)) + np.sqrt((off[..., 3:] ** 2).sum(-1))
        farthest = distance.max(axis=1)
        if farthest.max() > tolerance_mm:
            middle = begin + 1 + int(farthest.argmax())
            kept.add(middle)
            open_ += [(begin, middle), (middle, end)]
    return sorted(kept)


def _track(motions: Sequence[Motion], arena: Arena, turned_rad: float) -> list[float]:
    """Return time, azimuth, distance and target of the camera for each frame of a film.

    The pace is that of films; of several slams the first one sets it, and it is kept up to the end
    of all. The camera shows what those of all slams show.
    """
    first, direction = motions[0], orbit(FOLLOWING, turned_rad, 0.0)
    end_s, step_s = max(motion.end_s for motion in motions), 1 / FILM_FPS / FILM_PACE.settle_slower
    longer = np.arange(first.end_s, end_s, step_s) + step_s
    track: list[float] = []
    for time_s in (*first.film_s.tolist(), *longer.clip(max=end_s).tolist()):
        shots = [moment_at(motion, time_s).shot for motion in motions]
        camera = following(direction, arena, shots)
        row = (time_s, camera.azimuth_rad, camera.distance_mm, *camera.target_mm)
        track += [round(value, n) for value, n in zip(row, (6, 3, 1, 1, 1, 1), strict=True)]
    return track


def cameras_of(arena: Arena, turned_rad: float = 0.0) -> dict[str, Any]:
    """Return the cameras to choose from as JSON."""
    cameras = {}
    for name, (_, direction) in PRESETS.items():
        camera = frame_points(orbit(direction, turned_rad, 0.0), box_corners(arena))
        cameras[name] = {
            "azimuth": round(camera.azimuth_rad, 4),
            "elevation": round(camera.elevation_rad, 4),
            "distance": round(camera.distance_mm, 1),
            "target": [round(part, 1) for part in camera.target_mm],
            "field": round(camera.field_rad, 4),
        }
    return cameras


def still_picture(
    scene: Scene, moment: Moment, outcome: SlamOutcome | None, faces: tuple[str, ...] = ()
) -> bytes:
    """Return a JPEG picture of a moment."""
    surface = new_surface(*_STILL_SIZE)
    draw_space(surface, scene, moment, outcome, LIGHT, faces=faces)
    data = BytesIO()
    pygame.image.save(surface, data, _STILL_QUALITY)
    return data.getvalue()
