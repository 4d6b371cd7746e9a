"""``pucklab slam``: throw once and tell what happened."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.numbers import count
from sim.cli.options import scene_options, spec_from_options

if TYPE_CHECKING:
    from physics import Scene, SlamResult, Throw

_MASS_G = 8.0
_SUFFIXES = (".png", ".gif", ".json")


@click.command("slam")
@scene_options
@click.option(
    "--trial",
    callback=count(0, 10**12),
    default=0,
    show_default=True,
    metavar="I",
    help="Which of the seed's throws.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save a film strip (.png), an animation (.gif) or a replay (.json).",
)
def command(*, seed: int, trial: int, as_json: bool, save: Path | None, **options: Any) -> int:
    """Throw a slammer at a stack once, and tell what happened.

    The throw is trial I of the seed: the same that 'pucklab odds' counts.

    \b
    Examples:
      pucklab slam --slammer onix --seed 7
      pucklab slam --slammer-g 8 --seed 7 --save slam.gif
    """
    from physics import SampleRate, draw_throw, slam, trial_generator
    from physics.checks import InputError
    from physics.extras import require_extra
    from sim.files import check_writable
    from sim.scenes import studies_of
    from sim.telling import tell_slam

    spec = spec_from_options(options, (_MASS_G,))
    if len(spec.slammers) != 1:
        raise InputError(f"slammer: {len(spec.slammers)} slammers are not accepted; give one")
    if save is not None:
        check_writable("save", save, _SUFFIXES)
        if save.suffix.lower() == ".gif":
            require_extra("plot", "PIL")
    (study,) = studies_of(spec)
    name, scene = spec.slammers[0].name, study.scene
    throw = draw_throw(study.thrower, len(scene.stack), trial_generator(seed, trial))
    result = slam(scene, throw, SampleRate() if save is not None else None)
    told = tell_slam(name, scene, throw, result.outcome)
    click.echo(_json(name, seed, trial, throw, result) if as_json else told)
    if save is not None:
        _save(save, scene, throw, result, caption=told.splitlines()[0])
        click.echo(f"wrote {save}", err=True)
    return 0


def _json(name: str, seed: int, trial: int, throw: "Throw", result: "SlamResult") -> str:
    import json
    from dataclasses import asdict

    from sim.version import version

    outcome = result.outcome
    return json.dumps(
        {
            "slammer": name,
            "seed": seed,
            "trial": trial,
            "version": version(),
            "throw": {k: v for k, v in asdict(throw).items() if k != "chances"},
            "hit": outcome.hit,
            "flips": len(outcome.flipped),
            "out": len(outcome.out),
            "pieces": [{**asdict(p), "distance_mm": p.distance_mm} for p in outcome.pieces],
            "slammer_end": {k: v for k, v in asdict(outcome.slammer).items() if k != "place"},
        },
        indent=2,
    )


def _save(path: Path, scene: "Scene", throw: "Throw", result: "SlamResult", caption: str) -> None:
    from render.animation import save_gif
    from render.filmstrip import save_filmstrip
    from render.replay import save_replay
    from sim.version import version

    assert result.recording is not None
    suffix = path.suffix.lower()
    if suffix == ".png":
        save_filmstrip(path, scene, result.recording, result.outcome, caption=caption)
    elif suffix == ".gif":
        save_gif(path, scene, result.recording, result.outcome, caption=caption)
    else:
        save_replay(path, scene, throw, result, version=version())
