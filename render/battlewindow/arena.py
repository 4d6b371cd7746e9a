"""The Arena of a battle: its stack, and the arena from above; a running slam in space beside it.

`resting_pucks` gives the poses of thrown pucks, from the slam if it is known, `draw_arena` draws
both views, `arena_tiles` and `notes_of` give the tiles of the stack and the notes on them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Face, Piece, Scene, puck_stack, puckdex_slammer
from physics.pieces import PIECE_RADIUS_MM
from render.battlewindow.panels import Boxes
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.stacks import PuckMarks, PuckTile, draw_stack, stack_tiles
from render.battlewindow.timeline import SlamReplay, TimelineEntry
from render.canvas import write
from render.palette import Palette, Rgb
from render.slams.motion import moment_at
from render.slams.outcome_marks import draw_arrow, draw_mark
from render.slams.space import draw_space
from render.slams.top_view import (
    PieceColours,
    draw_arena_box,
    draw_disc,
    draw_shadow,
    draw_top_view,
    top_projection,
)
from render.viewer import cut, padded
from render.viewer.widgets import draw_panel
from sim.pokepucks.battle.state import ARENA, ASIDE, BOX, BattleState
from sim.pokepucks.designs import piece_of

_SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
"""A scene for the arena while no slam is shown."""

_GOLDEN_RAD = math.pi * (3 - math.sqrt(5))
"""Golden angle, from one made-up direction to the next: no two directions come close."""

_ALONG = np.array([1.0, 0.0])
_MIDDLE_MM = np.zeros(2)

_TILE = 1.55
"""Height of a tile, in text heights."""

_WIDEST = 15.0
"""Greatest width of the stack, in text heights."""

_WORDS: dict[Face, str] = {Face.UP: "up", Face.OUT: "out", Face.LEANING: "leaning"}
"""Notes on pucks that did not land face down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingPuck:
    """A puck at rest in the arena."""

    piece: Piece
    face: Face
    middle_mm: NDArray[np.float64]  # shape (2,)
    heading: NDArray[np.float64]  # horizontal unit vector in the plane of its rotation, shape (2,)
    angle_rad: float  # in that plane
    is_slammer: bool


def draw_arena(
    surface: pygame.Surface,
    battle: BattlePlayback,
    boxes: Boxes,
    marks: PuckMarks,
    palette: Palette,
) -> None:
    """Draw both views of the Arena."""
    entry, slam, playback = battle.visible, battle.slam, battle.slam_playback
    top = surface.subsurface(boxes.top)
    if slam is not None and playback is not None:
        moment, scene = moment_at(playback.motion, playback.time_s), slam.replay.scene
        draw_top_view(top, scene, moment, outcome=slam.replay.outcome, palette=palette)
        if not playback.at_end:
            space = surface.subsurface(boxes.arena_stack)
            draw_space(
                space, scene, moment, slam.replay.outcome, palette, is_moving=playback.playing
            )
            return
    elif entry.last_throw is not None:
        draw_resting(top, resting_pucks(entry, slam), palette)
        if slam is None and entry.last_throw.outcome.hit:
            _write_below(top, battle.slams.why_unavailable, boxes.words_px, palette)
    else:
        draw_standing_stack(top, entry.state, palette)
    _draw_stack_panel(surface, entry, boxes, marks, palette)


def arena_tiles(entry: TimelineEntry, boxes: Boxes) -> tuple[PuckTile, ...]:
    """Return the tiles of the Arena's stack; thrown pucks are in it until they are picked up."""
    words = boxes.words_px
    inside = padded(boxes.arena_stack, 0.6 * words)
    _, inside = cut(inside, "top", 1.4 * words)
    width = min(inside.width, round(_WIDEST * words))
    box = pygame.Rect(0, inside.top, width, inside.height)
    box.centerx = inside.centerx
    return stack_tiles(entry.state.arena, box, _TILE * words)


def notes_of(entry: TimelineEntry, palette: Palette) -> dict[int, tuple[str, Rgb]]:
    """Return a note on each puck in the Arena that did not land face down, and its colour."""
    last_throw = entry.last_throw
    if last_throw is None:
        return {}
    colours = {Face.UP: palette.flipped, Face.OUT: palette.out, Face.LEANING: palette.leaning}
    faces = (landing.face for landing in last_throw.outcome.landings)
    return {
        puck: (_WORDS[face], colours[face])
        for puck, face in zip(last_throw.call.targets, faces, strict=True)
        if face in _WORDS and puck in entry.state.arena
    }


def resting_pucks(entry: TimelineEntry, slam: SlamReplay | None) -> tuple[RestingPuck, ...]:
    """Return the pucks in the Arena as they fell, and the slammer if its place is known.

    Without the slam only distances from the middle are known, and directions are made up.
    """
    if entry.last_throw is None:
        return ()
    state, found = entry.state, []
    landings = entry.last_throw.outcome.landings
    for place, puck in enumerate(entry.last_throw.call.targets):
        if puck not in state.arena:
            continue
        landing = landings[place]
        middle, heading, angle = _made_up_pose(landing.face, landing.distance_mm, place)
        if slam is not None:
            middle, heading, angle = _final_pose(slam, place)
        found.append(_resting_puck(state, puck, landing.face, middle, heading, angle))
    if slam is not None:
        face = slam.replay.outcome.slammer.face
        found.append(
            _resting_puck(state, entry.last_throw.call.slammer, face, *_final_pose(slam, -1))
        )
    return tuple(found)


def draw_resting(surface: pygame.Surface, pucks: Sequence[RestingPuck], palette: Palette) -> None:
    """Draw pucks as they fell, from above, with the marks of the end of a slam."""
    to = top_projection(surface.get_size(), _SCENE)
    surface.fill(palette.background)
    draw_arena_box(surface, to, _SCENE, palette)
    for puck in pucks:
        draw_shadow(surface, to, puck.middle_mm, 0.0, palette)
    marks = {
        Face.UP: palette.flipped,
        Face.LEANING: palette.leaning,
        Face.OUT: palette.out,
    }
    for puck in pucks:
        look = _look(palette, is_slammer=puck.is_slammer)
        draw_disc(
            surface, to, puck.piece, puck.middle_mm, puck.heading, puck.angle_rad, look, palette
        )
    for puck in pucks:
        ((x, y),) = to.at(puck.middle_mm[np.newaxis])
        if puck.face in marks and not puck.is_slammer:
            draw_mark(surface, (x, y), to.scale, puck.face, (marks[puck.face], palette.edge))
        hidden = 0.8 * to.scale * PIECE_RADIUS_MM
        draw_arrow(surface, (x, y), hidden, marks.get(puck.face, palette.puck_back))


def draw_standing_stack(surface: pygame.Surface, state: BattleState, palette: Palette) -> None:
    """Draw the Arena's stack from above: its top puck and its shadow."""
    to = top_projection(surface.get_size(), _SCENE)
    surface.fill(palette.background)
    draw_arena_box(surface, to, _SCENE, palette)
    height_mm = 0.0
    for puck in state.arena:
        piece = piece_of(state.design(puck))
        height_mm += piece.thickness_mm
        look = _look(palette, is_slammer=state.design(puck).kind.is_slammer)
        draw_shadow(surface, to, _MIDDLE_MM, 3 * height_mm, palette)
        draw_disc(surface, to, piece, _MIDDLE_MM, _ALONG, math.pi, look, palette)


def _draw_stack_panel(
    surface: pygame.Surface, entry: TimelineEntry, boxes: Boxes, marks: PuckMarks, palette: Palette
) -> None:
    state, words, box = entry.state, boxes.words_px, boxes.arena_stack
    draw_panel(surface, box, palette)
    inside = padded(box, 0.6 * words)
    line, _ = cut(inside, "top", 1.1 * words)
    count, size = len(state.arena), state.max_size(ARENA)
    text = f"Arena {count}/{size}" if size else f"Arena {count}"
    write(surface, text, (line.left, line.centery), words, palette.text)
    beside = [
        f"{place.kind}: {len(state.stack(place))}" for place in (ASIDE, BOX) if state.stack(place)
    ]
    write(
        surface,
        ", ".join(beside),
        (line.right, line.centery),
        round(0.78 * words),
        palette.faint,
        align="right",
    )
    draw_stack(surface, arena_tiles(entry, boxes), state, marks, palette)


def _write_below(surface: pygame.Surface, words: str, words_px: int, palette: Palette) -> None:
    width, height = surface.get_size()
    size_px = round(0.7 * words_px)
    place = (width / 2, height - 2 * size_px)
    write(
        surface,
        words,
        place,
        size_px,
        palette.faint,
        align="centre",
        width_px=0.85 * width,
    )


def _resting_puck(
    state: BattleState,
    puck: int,
    face: Face,
    middle_mm: NDArray[np.float64],
    heading: NDArray[np.float64],
    angle_rad: float,
) -> RestingPuck:
    design = state.design(puck)
    return RestingPuck(
        piece=piece_of(design),
        face=face,
        middle_mm=middle_mm,
        heading=heading,
        angle_rad=angle_rad,
        is_slammer=design.kind.is_slammer,
    )


def _made_up_pose(
    face: Face, distance_mm: float, place: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return middle, heading and angle of a puck of which only the distance is known."""
    direction_rad = place * _GOLDEN_RAD
    if face is Face.OUT:
        # Past the middle of a wall: in a corner this distance might still be inside.
        direction_rad = math.pi / 2 * (place % 4)
    elif distance_mm > _SCENE.arena.half_side_mm - PIECE_RADIUS_MM:
        # Towards a corner: anywhere else a piece at this distance would cross a wall.
        direction_rad = math.pi / 4 + math.pi / 2 * (place % 4)
    heading = np.array([math.cos(direction_rad), math.sin(direction_rad)])
    angle = {Face.UP: 0.0, Face.LEANING: 0.7 * math.pi}.get(face, math.pi)
    return distance_mm * heading, heading, angle


def _final_pose(
    slam: SlamReplay, place: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return middle, heading and angle of a piece at the end of a slam."""
    end = moment_at(slam.motion, slam.motion.end_s)
    headings, angles = end.leans
    return end.centre_mm[place, :2], headings[place], float(angles[place])


def _look(palette: Palette, *, is_slammer: bool) -> PieceColours:
    if is_slammer:
        return PieceColours(body=palette.slammer, face=palette.slammer_face)
    return PieceColours(body=palette.puck_back, face=palette.puck_face)
