"""The Arena of a battle in space: a stack that waits, and the slam of a throw, simulated again."""

import math
from collections.abc import Sequence

from pucklab.physics import Puck, SampleRate, Scene, puckdex_slammer, slam
from pucklab.physics.slam import MAX_PLANE_STACK
from pucklab.render.battles.timeline import ThrowResult
from pucklab.render.palette import ENERGIES, LIGHT, Rgb
from pucklab.render.slams.motion import Moment, still_moment
from pucklab.sim.core.players import PERSON
from pucklab.sim.pokepucks.battle.live import shot_of, throw_generator
from pucklab.sim.pokepucks.battle.match import BattleMatch
from pucklab.sim.pokepucks.battle.state import BattleState
from pucklab.sim.pokepucks.designs import Design, DesignKind, piece_of, slammer_of
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from pucklab.sim.scene.replay import Replay, replay_of

_QUARTER = math.pi / 2
_ASIDE_MM = 90.0
"""Distance of a slammer that waits from the box."""

_HIDDEN_MM = -400.0
"""Height of the piece that stands for an empty Arena: below the table."""


_FILLS = {
    DesignKind.ITEM: (LIGHT.control, LIGHT.text),
    DesignKind.TRAINER: (LIGHT.wall, LIGHT.background),
    DesignKind.PLAIN: (LIGHT.control, LIGHT.faint),
}
"""Colours of pucks without an energy type, and of the words on them; others look like slammers."""


def chip_colours(design: Design) -> tuple[Rgb, Rgb]:
    """Return the colour of a design in a page, and that of its name on it."""
    if design.type is not None and not design.kind.is_slammer:
        return ENERGIES[design.type].colour, ENERGIES[design.type].ink
    return _FILLS.get(design.kind, (LIGHT.slammer, LIGHT.on_slammer))


def face_of(design: Design) -> str:
    """Return the picture on the face of a puck: its energy type, or its kind."""
    return str(design.type or design.kind) if not design.kind.is_slammer else "plain"


def faces_of(state: BattleState, pucks: Sequence[int]) -> tuple[str, ...]:
    """Return the pictures on the faces of pucks; a plain one if there are none."""
    return tuple(face_of(state.design(puck)) for puck in pucks) or ("plain",)


def thrown_at(targets: Sequence[int], scene: Scene) -> tuple[int, ...]:
    """Return the pucks that stand in a scene; if they are too many, the lowest are left out."""
    lone, buried = int(scene.is_knock_out), len(targets) - len(scene.stack)
    return (*targets[:lone], *targets[lone + buried :])


def standing(state: BattleState) -> tuple[Scene, Moment]:
    """Return the moment before a throw: the Arena's stack, and the next slammer beside the box."""
    pucks, own = state.arena[-MAX_PLANE_STACK:], state.slammer(state.player)
    slammer = puckdex_slammer(8.0) if own is None else slammer_of(state.design(own))
    stack = tuple(piece_of(state.design(puck)) for puck in pucks) or (Puck(),)
    scene = Scene(slammer=slammer, stack=stack)
    moment = still_moment(scene)
    if not pucks:
        moment.centre_mm[:, 2] = _HIDDEN_MM
    far_mm = scene.arena.half_side_mm + _ASIDE_MM
    height_mm = scene.slammer.thickness_mm / 2 if own is not None else _HIDDEN_MM
    moment.centre_mm[-1] = far_mm if state.player == 0 else -far_mm, 0.0, height_mm
    return scene, moment


def slam_again(match: BattleMatch, throws: PhysicsThrows, thrown: ThrowResult) -> Replay | None:
    """Return the slam of a throw; None if another engine or version gives another outcome."""
    throw, seed = thrown.outcome.throw, match.seed
    if throw is None or not isinstance(seed, int):
        return None
    shot = shot_of(match.setup, thrown.call)
    scene, _ = throws.scene_and_throw(shot, throw_generator(seed, thrown.call.number))
    result = slam(scene, throw, SampleRate(), throws.engine)
    if throws.outcome(shot, result.outcome, throw) != thrown.outcome:
        return None
    return replay_of(scene, throw, result)


def view_turn_rad(match: BattleMatch, player: int, slam: Replay) -> float:
    """Return the turn of the view that makes a throw come from its player's seat.

    The box is the same after a quarter turn, so that only the throw seems to come from elsewhere.
    """
    if match.kinds[player] == PERSON:
        return 0.0
    seat_rad = 2 * math.pi * player / match.setup.players
    heading_rad = math.atan2(*slam.throw.heading[::-1])
    return _QUARTER * round((heading_rad + math.pi - seat_rad) / _QUARTER)
