"""Throws in the 3-D engines.

None of the engines is the truth. The differences between them show how uncertain any figure taken
from them is.
"""

from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from types import MappingProxyType
from typing import TYPE_CHECKING

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import require_extra
from pucklab.base.facts import fact
from pucklab.calibration.cells import Cell, draw_trial, scene_of
from pucklab.calibration.throw_log import LoggedThrow
from pucklab.physics import PHYSICS_VERSION, Scene, SlamOutcome, Throw
from pucklab.physics.materials import NJ_PER_MJ
from pucklab.physics.solid.bodies import Bodies3D, outcome_from_3d, starting_bodies
from pucklab.physics.solid.engine import ENERGY_TOLERANCE, SolidRun
from pucklab.physics.solid.settings import FAST, REFERENCE, SolidSettings
from pucklab.physics.solid.stages import IMPACT_S
from pucklab.physics.tally import distance_um

if TYPE_CHECKING:
    from pucklab.calibration.mujoco_engine import MujocoRun


@fact
class Reference3D:
    """One slam in a 3-D engine.

    Attributes:
        outcome: Final face and position of every piece.
        energy_begin_mj: Kinetic and potential energy at the start.
        energy_peak_mj: The highest seen; it includes the springs of the solid engine's contacts,
            but not those of MuJoCo's.
        energy_end_of_impact_mj: In the solid engine when the slammer's blow is over, else at 12 ms.
    """

    outcome: SlamOutcome
    energy_begin_mj: float
    energy_peak_mj: float
    energy_end_of_impact_mj: float

    @property
    def gains_energy(self) -> bool:
        """The energy rose more than `ENERGY_TOLERANCE` above what it began with."""
        return self.energy_peak_mj > self.energy_begin_mj * (1 + ENERGY_TOLERANCE)


def run_reference(engine: str, scene: Scene, throw: Throw, settings: str = "") -> Reference3D:
    """Throw in a 3-D engine; the solid engine goes on where MuJoCo's impact ends.

    Args:
        engine: ``"mujoco"`` or ``"solid"``.
        scene: The scene.
        throw: The throw.
        settings: One of `SETTINGS` of the engine; empty for its first.

    Raises:
        InputError: There is no such engine, it has no such settings, or the throw is for another
            stack.
        MissingExtraError: MuJoCo is not installed.

    Example:
        >>> from pucklab.physics import Puck, Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=(Puck(),))
        >>> run_reference("ode", scene, Throw(speed_mm_s=5000.0))
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: engine: 'ode' is not accepted; give one of mujoco, solid
    """
    return follow(begin_run(engine, scene, starting_bodies(scene, throw), settings), scene, throw)


def follow(run: "MujocoRun | SolidRun", scene: Scene, throw: Throw) -> Reference3D:
    """Follow a throw that has just begun until all pieces rest."""
    if type(run) is SolidRun:  # the steps of `slam`, for the same throws bit for bit
        run.finish_blow()
    else:
        run.advance(IMPACT_S)
    end_of_impact_nj = run.energy_nj
    last = run if isinstance(run, SolidRun) else SolidRun(scene, run.bodies())
    last.soften()
    last.settle()
    rest = last.bodies()
    slammer = len(scene.stack)
    hit = slammer > 0 and any(each.have_met(slammer - 1, slammer) for each in (run, last))
    return Reference3D(
        outcome=outcome_from_3d(
            scene, throw, hit=hit, middle_mm=rest.middle_mm, normal=rest.normal
        ),
        energy_begin_mj=run.begin_nj / NJ_PER_MJ,
        energy_peak_mj=run.peak_nj / NJ_PER_MJ,
        energy_end_of_impact_mj=end_of_impact_nj / NJ_PER_MJ,
    )


def begin_run(
    engine: str, scene: Scene, bodies: Bodies3D, settings: str = ""
) -> "MujocoRun | SolidRun":
    """Begin a run of bodies that are already on their way; see `run_reference` for the rest."""
    settings = settings_named(engine, settings)
    if engine == "mujoco":
        require_extra("reference", "mujoco")
        from pucklab.calibration.mujoco_engine import MujocoRun

        return MujocoRun(scene, bodies)
    return SolidRun(scene, bodies, _SOLID_SETTINGS[settings])


def throw_in_engine(engine: str, cell: Cell, settings: str, trial: int) -> LoggedThrow:
    """Simulate one trial of a cell in an engine, and log it; for a worker process."""
    result = run_reference(engine, scene_of(cell), draw_trial(cell, trial), settings)
    return log_throw(engine, cell.name, trial, result, settings)


def log_throw(
    engine: str, cell: str, trial: int, result: Reference3D, settings: str
) -> LoggedThrow:
    """Return the row of a throw; energies are rounded to a millionth of a millijoule."""
    outcome = result.outcome
    return LoggedThrow(
        engine=engine,
        cell=cell,
        trial=trial,
        hit=outcome.hit,
        faces="".join(piece.face.letter for piece in outcome.pieces),
        slammer=outcome.slammer.face.letter,
        distance_um=distance_um(outcome),
        energy_begin_mj=round(result.energy_begin_mj, 6),
        energy_peak_mj=round(result.energy_peak_mj, 6),
        energy_end_mj=round(result.energy_end_of_impact_mj, 6),
        gains_energy=result.gains_energy,
        engine_version=engine_version(engine),
        settings=settings,
    )


def engine_version(engine: str) -> str:
    """Return the version of an engine, on which its throws depend."""
    return metadata.version("mujoco") if engine == "mujoco" else f"physics {PHYSICS_VERSION}"


def settings_named(engine: str, settings: str) -> str:
    """Return the name of an engine's settings, the first for an empty name.

    Raises:
        InputError: There is no such engine, or it has no such settings.

    Example:
        >>> settings_named("solid", ""), settings_named("solid", "careful")
        ('fast', 'careful')
    """
    check_one_of("engine", engine, tuple(ENGINES))
    known = SETTINGS[engine]
    if settings:
        check_one_of("settings", settings, known)
    return settings or known[0]


_SOLID_SETTINGS: Mapping[str, SolidSettings] = MappingProxyType(
    {
        "fast": FAST,
        "careful": REFERENCE,
        "stiffness/3": replace(FAST, stiffness=1 / 3),
        "stiffness*3": replace(FAST, stiffness=3.0),
        "exponent3": replace(FAST, exponent=3),
        "shear/2": replace(FAST, shear_share=FAST.shear_share / 2),
        "shear*2": replace(FAST, shear_share=FAST.shear_share * 2),
    }
)
"""The last five are the ends of what contacts may be like, see `tools.model_uncertainty`."""

SETTINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "mujoco": ("solid-settling",),
        "solid": tuple(_SOLID_SETTINGS),
    }
)
"""Names of each engine's settings, the usual one first; see `pucklab.physics.solid.settings`.

The solid engine goes on where MuJoCo's impact ends."""

ENGINES = tuple(SETTINGS)
"""Names of the engines; MuJoCo is imported when it first runs."""
