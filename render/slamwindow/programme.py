"""Which slams there are to watch: trials of a seed, or replays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from physics import SampleRate, Scene, Throw, draw_throw, slam, trial_generator
from render.slams.replay import Replay, replay_of
from sim.odds import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A slam to watch.

    Attributes:
        name: What the slammer is called.
        origin: Where the throw comes from, such as ``seed 7, trial 12``.
        file_stem: What to call a file of it, such as ``slam-onix-7-12``.
        replay: The slam.
    """

    name: str
    origin: str
    file_stem: str
    replay: Replay


class Programme(Protocol):
    """Slams by their number, from 0, and by the slammer thrown."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the slammers are called; at least one."""

    @property
    def length(self) -> int | None:
        """How many slams there are; None if there is always one more."""

    def watched(self, index: int, slammer: int) -> Watched:
        """Return a slam.

        Args:
            index: Which throw.
            slammer: Which of the slammers.
        """


class Trials:
    """The trials of a seed, thrown when they are wanted: those that `pucklab odds` counts."""

    length = None

    def __init__(self, studies: Sequence[Study], names: Sequence[str], seed: int) -> None:
        self._studies = tuple(studies)
        self.names = tuple(names)
        self.seed = seed

    def study(self, slammer: int) -> Study:
        """Return what is thrown at what, by whom."""
        return self._studies[slammer]

    def watched(self, index: int, slammer: int) -> Watched:
        """Return trial ``index`` of the seed, thrown with a slammer."""
        study, name = self._studies[slammer], self.names[slammer]
        pieces = len(study.scene.stack)
        throw = draw_throw(study.thrower, pieces, trial_generator(self.seed, index))
        return Watched(
            name=name,
            origin=f"seed {self.seed}, trial {index}",
            file_stem=f"slam-{_in_a_file(name)}-{self.seed}-{index}",
            replay=thrown(study.scene, throw),
        )


class Replays:
    """Slams that were saved."""

    def __init__(self, replays: Sequence[tuple[str, Replay]]) -> None:
        self._replays = tuple(replays)
        self.names = ("",)
        self.length = len(replays)

    def watched(self, index: int, slammer: int) -> Watched:  # noqa: ARG002
        """Return replay ``index``."""
        stem, replay = self._replays[index]
        return Watched(
            name=f"{replay.scene.slammer.mass_g:g} g",
            origin=f"replay {stem}",
            file_stem=stem,
            replay=replay,
        )


def thrown(scene: Scene, throw: Throw) -> Replay:
    """Throw, and return the slam."""
    return replay_of(scene, throw, slam(scene, throw, SampleRate()))


def _in_a_file(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).replace(
        "--", "-"
    )
