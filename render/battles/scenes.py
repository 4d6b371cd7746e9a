"""Throws of a battle in space: colours and faces of pucks, and slams simulated again."""

import math
from collections.abc import Sequence

from pucklab.physics import SampleRate, Scene
from pucklab.physics.slam_line import SlamSetup
from pucklab.render.battles.timeline import ThrowResult
from pucklab.render.palette import ENERGIES, LIGHT, Rgb
from pucklab.sim.core.players import PERSON
from pucklab.sim.pokepucks.battle.live import shot_of, throw_generator
from pucklab.sim.pokepucks.battle.match import BattleMatch
from pucklab.sim.pokepucks.battle.state import BattleState
from pucklab.sim.pokepucks.designs import Design, DesignKind
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from pucklab.sim.scene.replay import Replay, replay_of

_QUARTER = math.pi / 2

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


def slam_again(
    match: BattleMatch, throws: PhysicsThrows, thrown: ThrowResult
) -> tuple[Scene, Replay | str] | None:
    """Return the scene of a throw, and its slam: the line, or a replay if pages cannot compute it.

    Returns:
        None if another engine or version gives another outcome.
    """
    throw, seed = thrown.outcome.throw, match.seed
    if throw is None or not isinstance(seed, int):
        return None
    shot = shot_of(match.setup, thrown.call)
    scene, _ = throws.scene_and_throw(shot, throw_generator(seed, thrown.call.number))
    setup = SlamSetup(scene=scene, throw=throw, engine=throws.engine)
    is_computed = setup.engine == "solid"
    result = setup.slam(None if is_computed else SampleRate())
    if throws.outcome(shot, result.outcome, throw) != thrown.outcome:
        return None
    return scene, setup.line if is_computed else replay_of(scene, throw, result)


def view_turn_rad(match: BattleMatch, thrown: ThrowResult) -> float:
    """Return the turn of the view that makes a throw come from its player's seat.

    The box is the same after a quarter turn, so that only the throw seems to come from elsewhere.
    """
    player, throw = thrown.call.player, thrown.outcome.throw
    if match.kinds[player] == PERSON or throw is None:
        return 0.0
    seat_rad = 2 * math.pi * player / match.setup.players
    heading_rad = math.atan2(*throw.heading[::-1])
    return _QUARTER * round((heading_rad + math.pi - seat_rad) / _QUARTER)
