"""Lists of slams to watch: trials of a seed, thrown when they are asked for, or saved replays."""

from collections.abc import Callable, Sequence

from pucklab.base.facts import fact
from pucklab.physics import SampleRate, slam
from pucklab.sim.odds import OddsCase
from pucklab.sim.scene.replay import Replay, replay_of


@fact
class ListedSlam:
    """A slam of a list."""

    name: str  # of the slammer
    origin: str  # of the throw, such as "seed 7, trial 12, solid engine"
    file_stem: str  # name for files of it, without suffix, such as "slam-onix-7-12"
    replay: Replay


@fact
class SlamList:
    """Slams by number, from 0."""

    slam_at: Callable[[int], ListedSlam]
    length: int | None  # None for no end


def list_trials(
    cases: Sequence[OddsCase], seed: int, *, only: Sequence[int] = (), found: str = ""
) -> SlamList:
    """Return the trials of a seed, the same as in `pucklab odds`: each with all slammers in turn.

    Args:
        cases: One for each slammer.
        seed: The seed.
        only: Numbers of the trials to show, in this order; all if empty.
        found: What they are, such as ``best by flips``.
    """

    def slam_at(index: int) -> ListedSlam:
        number, slammer = divmod(index, len(cases))
        case, trial = cases[slammer], only[number] if only else number
        study = case.study
        throw = study.throw(seed, trial)
        rank = f", {number + 1}. {found}" if found else ""
        word = "".join(letter if letter.isalnum() else "-" for letter in case.name.lower())
        return ListedSlam(
            name=case.name,
            origin=f"seed {seed}, trial {trial}{rank}, {study.engine} engine",
            file_stem=f"slam-{word.replace('--', '-')}-{seed}-{trial}",
            replay=replay_of(
                study.scene, throw, slam(study.scene, throw, SampleRate(), study.engine)
            ),
        )

    return SlamList(slam_at=slam_at, length=len(only) * len(cases) or None)


def list_replays(replays: Sequence[tuple[str, Replay]]) -> SlamList:
    """Return saved slams, each with the name of its file without suffix."""

    def slam_at(index: int) -> ListedSlam:
        stem, replay = replays[index]
        return ListedSlam(
            name=f"{replay.scene.slammer.mass_g:g} g",
            origin=f"replay {stem}, {replay.engine} engine",
            file_stem=stem,
            replay=replay,
        )

    return SlamList(slam_at=slam_at, length=len(replays))
