"""The Arena of a battle in space: the slam of a throw, pucks as they fell, or the stack.

`scene_of_arena` says what is drawn, `draw_arena` draws it as seen from the viewer's seat: the
rivals' throws come from where they sit. `arena_tiles` lists the stack beside it, the top puck first
to fly, and `notes_of` gives notes on its pucks.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from pygame import Surface

from physics import Face, Puck, Scene, SlamOutcome, puckdex_slammer
from physics.facts import fact
from physics.pieces import PIECE_RADIUS_MM
from physics.poses import turned_in_plane
from physics.slam import MAX_PLANE_STACK
from render.battlewindow.panels import Boxes
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.stacks import PuckTile, stack_tiles
from render.battlewindow.timeline import Game, SlamReplay, TimelineEntry
from render.palette import Palette, Rgb
from render.slams.camera3d import Camera3D, Direction, following, shifted
from render.slams.motion import Moment, moment_at, still_moment
from render.slams.space import draw_space
from sim.core.players import PERSON
from sim.pokepucks.battle.questions import ThrowCall
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.designs import Design, piece_of, slammer_of
from sim.pokepucks.throws import Landing

SEAT = Direction(
    azimuth_rad=math.radians(-9.0), elevation_rad=math.radians(34.0), zoom=1.25, follows=False
)
"""From where the viewer sees the Arena; the throws of the viewer go towards -x."""

_GOLDEN_RAD = math.pi * (3 - math.sqrt(5))
"""Golden angle, from one made-up direction to the next: no two directions come close."""

_QUARTER = math.pi / 2
_ASIDE_MM = 90.0
"""Distance of a slammer that waits from the box."""

_HIDDEN_MM = -400.0
"""Height of the piece that stands for an empty Arena: below the table."""

_TILE = 1.25
"""Height of a tile of the stack, in text heights."""

NO_CHANCE = 0.005
"""Chance to flip below which a person is warned."""

WORDS: dict[Face, str] = {Face.UP: "up", Face.OUT: "out", Face.LEANING: "leaning"}
"""Notes on pucks that did not land face down."""


@fact
class ArenaScene:
    """Contents of the Arena, as they are drawn."""

    scene: Scene
    moment: Moment
    outcome: SlamOutcome | None = None  # of the slam that runs, or has just ended
    faces: tuple[str, ...] = ()  # of the pieces of the scene's stack
    turned_rad: float = 0.0  # turn of the viewer's place, so that a throw comes from its seat
    is_moving: bool = False


def scene_of_arena(battle: BattlePlayback) -> ArenaScene:
    """Return what is seen: the slam while it runs, pucks as they fell, or else the stack."""
    entry, slam, playback = battle.visible, battle.slam, battle.slam_playback
    last = battle.entry.last_throw
    if slam is not None and playback is not None and last is not None:
        state, scene = battle.entry.state, slam.replay.scene
        return ArenaScene(
            scene=scene,
            moment=moment_at(playback.motion, playback.time_s),
            outcome=slam.replay.outcome,
            faces=faces_in(state, thrown_at(last.call.targets, scene)),
            turned_rad=turned_rad(battle.game, last.call, slam),
            is_moving=playback.playing,
        )
    if entry.last_throw is not None:
        return _as_they_fell(battle, entry, slam)
    return standing(entry.state, entry.state.arena)


def standing(state: BattleState, arena: Sequence[int]) -> ArenaScene:
    """Return a stack, and beside the box the slammer of the player whose turn it is."""
    pucks = arena[-MAX_PLANE_STACK:]
    own = state.slammer(state.player)
    slammer = puckdex_slammer(8.0) if own is None else slammer_of(state.design(own))
    stack = tuple(piece_of(state.design(puck)) for puck in pucks) or (Puck(),)
    scene = Scene(slammer=slammer, stack=stack)
    moment = still_moment(scene)
    if not pucks:
        moment.centre_mm[:, 2] = _HIDDEN_MM
    _lay_aside(scene, moment, viewer=state.player == 0, is_there=own is not None)
    return ArenaScene(scene=scene, moment=moment, faces=faces_in(state, pucks))


def _lay_aside(scene: Scene, moment: Moment, *, viewer: bool, is_there: bool) -> None:
    """Lay the slammer on the table where its player sits."""
    far_mm = scene.arena.half_side_mm + _ASIDE_MM
    z = scene.slammer.thickness_mm / 2 if is_there else _HIDDEN_MM
    moment.centre_mm[-1] = far_mm if viewer else -far_mm, 0.0, z


def draw_arena(
    surface: Surface,
    boxes: Boxes,
    seen: ArenaScene,
    palette: Palette,
    camera: Camera3D | None = None,
) -> None:
    """Draw the Arena into its box, beside the stacks that lie over its left part."""
    part = surface.subsurface(boxes.view)
    draw_space(
        part,
        seen.scene,
        seen.moment,
        seen.outcome,
        palette,
        camera or camera_of(boxes, seen),
        is_moving=seen.is_moving,
        faces=seen.faces,
    )


def camera_of(boxes: Boxes, seen: ArenaScene) -> Camera3D:
    """Return the camera that has the box in the part of the view beside the stacks."""
    direction = replace(SEAT, azimuth_rad=SEAT.azimuth_rad + seen.turned_rad)
    aspect = boxes.free.width / max(boxes.free.height, 1)
    return beside(following(direction, seen.scene.arena, [], aspect), boxes)


def beside(camera: Camera3D, boxes: Boxes) -> Camera3D:
    """Return a camera for the part of the view beside the stacks as one for the whole view."""
    return shifted(camera, boxes.free.centerx - boxes.view.centerx, boxes.view.height)


def arena_tiles(arena: Sequence[int], boxes: Boxes) -> tuple[PuckTile, ...]:
    """Return the tiles of the Arena's stack; thrown pucks are in it until they are picked up."""
    return stack_tiles(arena, boxes.ladder, _TILE * boxes.words_px)


def notes_of(entry: TimelineEntry, palette: Palette) -> dict[int, tuple[str, Rgb]]:
    """Return a note on each puck in the Arena that did not land face down, and its colour."""
    last_throw = entry.last_throw
    if last_throw is None:
        return {}
    colours = {Face.UP: palette.flipped, Face.OUT: palette.out, Face.LEANING: palette.leaning}
    faces = (landing.face for landing in last_throw.outcome.landings)
    return {
        puck: (WORDS[face], colours[face])
        for puck, face in zip(last_throw.call.targets, faces, strict=True)
        if face in WORDS and puck in entry.state.arena
    }


def face_of(design: Design) -> str:
    """Return the picture on the face of a puck: its energy type, or its kind."""
    return str(design.type or design.kind) if not design.kind.is_slammer else "plain"


def faces_in(state: BattleState, pucks: Sequence[int]) -> tuple[str, ...]:
    """Return the pictures on the faces of pucks."""
    return tuple(face_of(state.design(puck)) for puck in pucks) or ("plain",)


def thrown_at(targets: Sequence[int], scene: Scene) -> Sequence[int]:
    """Return the pucks that stand in a scene: of too many, the lowest ones are left out."""
    lone, buried = int(scene.is_knock_out), len(targets) - len(scene.stack)
    return (*targets[:lone], *targets[lone + buried :])


def turned_rad(game: Game, call: ThrowCall, slam: SlamReplay | None) -> float:
    """Return the turn of the view with which the throw comes from its player's seat.

    The box is the same after a quarter turn, so that only the throw seems to come from elsewhere.
    """
    if slam is None or game.kinds[call.player] == PERSON:
        return 0.0
    seat_rad = 2 * math.pi * call.player / game.timeline[0].state.table.players
    heading_rad = math.atan2(*slam.replay.throw.heading[::-1])
    return _QUARTER * round((heading_rad + math.pi - seat_rad) / _QUARTER)


def _as_they_fell(
    battle: BattlePlayback, entry: TimelineEntry, slam: SlamReplay | None
) -> ArenaScene:
    """Return the pucks where they fell, but for those picked up, and the slammer if it is known.

    Without the slam only distances from the middle are known, and directions are made up.
    """
    assert entry.last_throw is not None
    state, call, outcome = entry.state, entry.last_throw.call, entry.last_throw.outcome
    if slam is not None:
        scene = slam.replay.scene
        moment = moment_at(slam.motion, slam.motion.end_s)
        targets = thrown_at(call.targets, scene)
    else:
        targets = call.targets[-MAX_PLANE_STACK:]
        landings = outcome.landings[-MAX_PLANE_STACK:]
        stack = tuple(piece_of(state.design(puck)) for puck in targets)
        scene = Scene(slammer=slammer_of(state.design(call.slammer)), stack=stack)
        moment = still_moment(scene)
        if outcome.hit:
            height_mm = defaultdict[object, float](float)  # of pucks upon one another, by spot
            for place, landing in enumerate(landings):
                middle_mm, azimuth_rad, angle_rad = _made_up_pose(scene, landing, place)
                spot, thickness_mm = tuple(middle_mm.round(1)), stack[place].thickness_mm
                moment.centre_mm[place] = *middle_mm, height_mm[spot] + thickness_mm / 2
                height_mm[spot] += thickness_mm
                moment.orientation[place] = turned_in_plane(
                    np.array([angle_rad]), np.array([azimuth_rad])
                )[0]
        _lay_aside(scene, moment, viewer=call.player == 0, is_there=True)
    kept = [place for place, puck in enumerate(targets) if puck in state.arena]
    pieces = [*kept, len(targets)] if kept else [0, len(targets)]
    if not kept:
        moment.centre_mm[0, 2] = _HIDDEN_MM
    shown = replace(scene, stack=tuple(scene.stack[place] for place in pieces[:-1]))
    return ArenaScene(
        scene=shown,
        moment=replace(
            moment,
            at_end=True,
            centre_mm=moment.centre_mm[pieces],
            orientation=moment.orientation[pieces],
            half_mm=moment.half_mm[pieces],
            radius_mm=moment.radius_mm[pieces],
            rested_s=moment.rested_s[pieces],
        ),
        faces=faces_in(state, [targets[place] for place in pieces[:-1]]),
        turned_rad=turned_rad(battle.game, call, slam),
    )


def _made_up_pose(
    scene: Scene, landing: Landing, place: int
) -> tuple[NDArray[np.float64], float, float]:
    """Return middle, heading and angle of a puck of which only the distance is known."""
    face, distance_mm = landing.face, landing.distance_mm
    direction_rad = place * _GOLDEN_RAD
    if face is Face.OUT:
        # Past the middle of a wall: in a corner this distance might still be inside.
        direction_rad = _QUARTER * (place % 4)
    elif distance_mm > scene.arena.half_side_mm - PIECE_RADIUS_MM:
        # Towards a corner: anywhere else a piece at this distance would cross a wall.
        direction_rad = _QUARTER / 2 + _QUARTER * (place % 4)
    heading = np.array([math.cos(direction_rad), math.sin(direction_rad)])
    angle = {Face.UP: 0.0, Face.LEANING: 0.7 * math.pi}.get(face, math.pi)
    return distance_mm * heading, direction_rad, angle


def chance_notes(chances: Mapping[int, float], palette: Palette) -> dict[int, tuple[str, Rgb]]:
    """Return the chance to flip as a note on each puck; those without one stand out."""
    return {
        puck: (f"{100 * chance:.0f} %", palette.out if chance < NO_CHANCE else palette.text)
        for puck, chance in chances.items()
    }
