"""Slams for Python. Drawing is imported where it is used: it loads pygame."""

from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from pucklab.api.common import Shown
from pucklab.api.scenes import (
    MASS_G,
    SceneOptions,
    check_one_slammer,
    read_options,
    spec_of,
    with_named_options,
)
from pucklab.base.errors import InputError, check_count
from pucklab.base.values import read_seed
from pucklab.physics import SampleRate, SlamOutcome
from pucklab.physics.slam_line import SlamSetup, read_slam_line
from pucklab.sim.scene.replay import Replay, replay_of
from pucklab.sim.scene.scenes import cases_of
from pucklab.sim.scene.slam_list import list_replays
from pucklab.sim.scene.slam_text import describe_slam

_FRAME_PX = 560


@with_named_options
def slam(
    line: str | None = None, *, trial: int = 0, seed: int = 1, **scene: Unpack[SceneOptions]
) -> "Slam":
    """Simulate one throw of a slammer at a stack, in the solid engine unless another is named.

    Args:
        line: The throw with its scene as a line of text, such as `Slam.line`; then nothing else is
            given.
        trial: Number of the trial, from 0: it and the seed decide the throw.
        seed: The seed.
        **scene: The scene; see `SceneOptions`. A slammer of 8 g if none is named.

    Raises:
        InputError: A value is not accepted, or more than one slammer is named.

    Example:
        >>> thrown = slam(slammer="onix", pucks=3, seed=7, engine="plane")
        >>> print(thrown)  # doctest: +ELLIPSIS
        Onix (20 g, 6 mm) hits at 5 m/s, 26 mm off centre, tilted 14°, 24° from the vertical.
        ...
        >>> slam(thrown.line).outcome == thrown.outcome
        True
    """
    if line is not None:
        if scene:
            raise InputError(
                f"{next(iter(scene))}: not accepted beside a line, which has its scene"
            )
        return _thrown(read_slam_line(line, "line"))
    check_count("trial", trial, 0, 10**12)
    spec = spec_of(read_options(scene), MASS_G)
    check_one_slammer(spec)
    (case,) = cases_of(spec)
    study, throw = case.study, case.study.throw(read_seed(seed), trial)
    return _thrown(SlamSetup(scene=study.scene, throw=throw, engine=study.engine), case.name)


def _thrown(setup: SlamSetup, name: str = "") -> "Slam":
    replay = replay_of(setup.scene, setup.throw, setup.slam(SampleRate()))
    return Slam(name=name or f"{setup.scene.slammer.mass_g:g} g", replay=replay)


@dataclass(frozen=True, kw_only=True, repr=False)
class Slam(Shown):
    """One slam."""

    name: str  # of the slammer
    replay: Replay  # scene, throw, outcome, and the recorded motion

    @property
    def outcome(self) -> SlamOutcome:
        """Face and place of each piece at the end."""
        return self.replay.outcome

    @property
    def line(self) -> str:
        """The throw with its scene as a line of text, which `slam` and the commands take."""
        replay = self.replay
        return SlamSetup(scene=replay.scene, throw=replay.throw, engine=replay.engine).line

    @property
    def flips(self) -> int:
        """Pucks that end face up."""
        return len(self.outcome.flipped)

    def watch(self) -> None:
        """Show the slam in a window.

        Raises:
            InputError: There is no screen.
        """
        from pucklab.render.slamwindow import SlamWindow
        from pucklab.render.slamwindow.app import show

        show(SlamWindow(list_replays([(self.name, self.replay)])))

    def save(self, path: str | Path) -> None:
        """Write a picture, a film, a web page or a replay, as ``pucklab slam --save`` does.

        Raises:
            InputError: The name has another suffix than these.
        """
        from pucklab.render.slams.export import check_export, export_slam

        check_export("path", Path(path))
        export_slam(Path(path), self.replay, self.name)

    def __str__(self) -> str:
        text = describe_slam(self.name, self.replay.scene, self.replay.throw, self.outcome)
        return f"{text}\nSimulated with the {self.replay.engine} engine."

    def _repr_html_(self) -> str:
        """Return the Lab's arena at this slam, as a frame in a notebook."""
        from pucklab.render.pages import frame_page
        from pucklab.render.slams.export import slam_page

        return frame_page(slam_page([(self.name, self.replay)]), self.name, _FRAME_PX)
