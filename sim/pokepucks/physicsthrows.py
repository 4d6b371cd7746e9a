"""Throws that are slams of the physics."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from physics import (
    MAX_STACK,
    PRESETS,
    Arena,
    ParameterSet,
    Piece,
    Preset,
    Scene,
    Throw,
    ThrowDistribution,
    draw_throw,
    slam,
)
from sim.pokepucks.design import Design, piece_of, slammer_of
from sim.pokepucks.outcome import Outcome, outcome_of, with_still
from sim.pokepucks.throws import Shot


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicsThrows:
    """Throws by the physics, each 2 to 20 ms of work.

    Attributes:
        parameters: Materials, lift-off, and the thrower of players without one of their own.
        throwers: Throwers of the first players, in order.
        arena: The box.
        preset: Time steps and iterations.

    Example:
        >>> from physics import trial_generator
        >>> from sim.pokepucks.catalogue import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> outcome = PhysicsThrows().throw(shot, trial_generator(1, 0))
        >>> outcome.hit, len(outcome.landings)
        (True, 8)
    """

    parameters: ParameterSet = field(default_factory=ParameterSet)
    throwers: tuple[ThrowDistribution, ...] = ()
    arena: Arena = field(default_factory=Arena)
    preset: Preset = PRESETS["recommended"]

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a slam; at an empty Arena it is a miss (ruling PP-41).

        Of a stack that is higher than the physics accepts, as special rules may heap it up
        (PP-42), the lowest pucks lie still, but for a lone slammer below them.
        """
        outcome = outcome_of(slam(*self.scene_and_throw(shot, rng)).outcome)
        return with_still(outcome, len(shot.stack) - len(outcome.landings), int(shot.knock_out))

    def scene_and_throw(self, shot: Shot, rng: np.random.Generator) -> tuple[Scene, Throw]:
        """Return what `throw` slams, for who wants to watch it: with the same state of ``rng``.

        Args:
            shot: The throw.
            rng: Random numbers of this throw alone.
        """
        lone, buried = int(shot.knock_out), max(len(shot.stack) - MAX_STACK, 0)
        stack = (*shot.stack[:lone], *shot.stack[lone + buried :])
        scene = Scene(
            slammer=slammer_of(shot.slammer),
            stack=tuple(_piece(design) for design in stack),
            arena=self.arena,
            materials=self.parameters.materials,
            lift_off=self.parameters.lift_off,
            preset=self.preset,
        )
        return scene, draw_throw(self._thrower(shot.player), len(stack), rng)

    def _thrower(self, player: int) -> ThrowDistribution:
        own = self.throwers
        return own[player] if player < len(own) else self.parameters.thrower


@lru_cache(maxsize=256)
def _piece(design: Design) -> Piece:
    return piece_of(design)
