"""``pucklab slam``: simulate one throw, and describe or save it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.options import count, scene_options, spec_from_options

if TYPE_CHECKING:
    from physics import SlamResult, Throw

_MASS_G, _ENGINE = 8.0, "solid"
"""Slammer and engine if none is named."""


@click.command("slam")
@scene_options
@click.option(
    "--trial",
    type=count(0, 10**12),
    default=0,
    show_default=True,
    metavar="I",
    help="Number of the trial, from 0: it and the seed decide the throw.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save a film strip (.png), an animation (.gif, .mp4) or a replay (.json).",
)
def command(*, seed: int, trial: int, as_json: bool, save: Path | None, **options: Any) -> int:
    """Simulate one throw of a slammer at a stack, and describe the result.

    The solid engine simulates it, unless --engine plane names the model that 'pucklab odds' uses.
    Trial I of a seed is the same throw here and in 'pucklab odds'. The text numbers the pieces of
    the stack from 1, the piece on the floor; in JSON their "place" is an index from 0.

    \b
    Examples:
      pucklab slam --slammer onix --seed 7
      pucklab slam --slammer onix --seed 7 --engine plane
      pucklab slam --slammer-g 8 --seed 7 --save slam.gif
    """
    from physics import SampleRate, draw_throw, slam, trial_generator
    from physics.errors import InputError
    from sim.cli.output import print_written
    from sim.cli.running import COMPILING, announced_if_slow
    from sim.core.files import check_not_read
    from sim.scenes import studies_of
    from sim.slam_text import describe_slam

    inputs = (options["params"], options["scene"])
    spec = spec_from_options(options, (_MASS_G,), _ENGINE)
    if len(spec.slammers) != 1:
        raise InputError(f"slammer: {len(spec.slammers)} slammers are not accepted; give one")
    if save is not None:
        from render.slams.export import check_export

        check_export("save", save)
        check_not_read("save", save, inputs)
    (study,) = studies_of(spec)
    name, scene = spec.slammers[0].name, study.scene
    throw = draw_throw(study.thrower, len(scene.stack), trial_generator(seed, trial))
    with announced_if_slow(COMPILING):
        result = slam(scene, throw, SampleRate() if save is not None else None, study.engine)
    if save is not None:
        from render.slams.export import export_slam
        from sim.slam_replay import replay_of

        export_slam(save, replay_of(scene, throw, result), name)
    if as_json:
        click.echo(_json(name, seed, trial, throw, result))
    else:
        click.echo(describe_slam(name, scene, throw, result.outcome))
        click.echo(f"Simulated with the {result.engine} engine.")
    print_written(save)
    return 0


def _json(name: str, seed: int, trial: int, throw: "Throw", result: "SlamResult") -> str:
    import json
    from dataclasses import asdict

    from physics import PHYSICS_VERSION
    from sim.core.files import version

    outcome = result.outcome
    return json.dumps(
        {
            "slammer": name,
            "seed": seed,
            "trial": trial,
            "version": version(),
            "physics": PHYSICS_VERSION,
            "engine": result.engine,
            "throw": {k: v for k, v in asdict(throw).items() if k != "chances"},
            "hit": outcome.hit,
            "flips": len(outcome.flipped),
            "out": len(outcome.out),
            "pieces": [{**asdict(p), "distance_mm": p.distance_mm} for p in outcome.pieces],
            "slammer_end": {k: v for k, v in asdict(outcome.slammer).items() if k != "place"},
        },
        indent=2,
    )
