"""The pictures of the README: ``python -m render.readme`` makes them anew in ``docs``."""

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from physics import SampleRate, ThrowDistribution, draw_throw, slam, trial_generator
from render.animation import save_animation
from render.filmstrip import save_filmstrip
from render.odds_plot import OddsPoint, save_odds_plot
from sim.odds import odds_of, run_studies
from sim.scenes import SceneSpec, describe, slammers_by_mass, slammers_by_name, studies_of
from sim.telling import tell_slam

_SLAMMER = "Onix"
_SEED, _TRIAL = 2, 23
_MASSES_G = (2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0)
_TRIALS = 2000


def make_pictures(folder: Path) -> None:
    """Write ``slam.png``, ``slam.gif`` and ``odds.png`` into a folder."""
    spec = SceneSpec(slammers=slammers_by_name((_SLAMMER,)))
    scene = studies_of(spec)[0].scene
    throw = draw_throw(ThrowDistribution(), len(scene.stack), trial_generator(_SEED, _TRIAL))
    result = slam(scene, throw, SampleRate())
    assert result.recording is not None
    caption = tell_slam(_SLAMMER, scene, throw, result.outcome).splitlines()[0]
    save_filmstrip(folder / "slam.png", scene, result.recording, result.outcome, caption=caption)
    save_animation(
        folder / "slam.gif",
        scene,
        result.recording,
        result.outcome,
        throw=throw,
        caption=caption,
    )
    spec = SceneSpec(slammers=slammers_by_mass(_MASSES_G))
    with ProcessPoolExecutor() as pool:
        *_, last = run_studies(studies_of(spec), trials=_TRIALS, seed=_SEED, executor=pool)
    points = [
        OddsPoint(label=named.name, slammer_g=named.slammer.mass_g, odds=odds_of(tally))
        for named, tally in zip(spec.slammers, last.tallies, strict=True)
    ]
    save_odds_plot(folder / "odds.png", points, title=describe(spec))


if __name__ == "__main__":
    make_pictures(Path("docs"))
