"""``pucklab slam``: simulate one throw, or the wildest of many, and describe or save it.

`best_of` is the search for the wildest throws, which `pucklab watch` has too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from pucklab.api.scenes import MASS_G, check_one_slammer
from pucklab.base.decoding import check_one_of
from pucklab.base.files import check_not_read, version
from pucklab.cli.browsing import site_option
from pucklab.cli.options import (
    PATH,
    count,
    flag,
    option,
    refuse_options,
    refuse_others,
    renderer_option,
)
from pucklab.cli.output import print_json, print_written
from pucklab.cli.running import track
from pucklab.cli.scene_options import BEST_OF, best_options, scene_options, spec_from_options
from pucklab.cli.signals import EXIT_STOPPED, report_stop
from pucklab.physics import PHYSICS_VERSION, SampleRate
from pucklab.physics.slam_line import SlamSetup, read_slam_line
from pucklab.sim.core.ordered_work import processors
from pucklab.sim.core.processes import worker_processes, worker_threads
from pucklab.sim.experiments.experiment import CHUNK_TRIALS
from pucklab.sim.odds import Study
from pucklab.sim.odds.best_throws import MEASURES, RankedThrow, search_best
from pucklab.sim.scene.replay import replay_of
from pucklab.sim.scene.scenes import cases_of
from pucklab.sim.scene.slam_text import describe_slam

_BESIDE_LINE = frozenset({"line", "save", "renderer", "as_json", "as_line", "site"})


def print_renderer(path: Path | None) -> None:
    """Report the renderer of the slams in a picture or film, on stderr."""
    if path is not None and path.suffix.lower() != ".json":
        from pucklab.render.slams.space import RENDERER

        click.echo(RENDERER.text, err=True)


def track_frames(frames: Iterator[Any], count: int) -> Iterator[Any]:
    """Yield the frames of a film, with a progress bar for their number."""
    numbered = ((frame, number) for number, frame in enumerate(frames, start=1))
    for frame, _ in track(numbered, lambda state: (state[1], count), "drawing"):
        yield frame


def check_best(best: str | None) -> None:
    """Check the options of `best_options`.

    Raises:
        InputError: There is no such measure, an option needs ``--best``, or ``--trial`` is given
            with it.
    """
    if best is None:
        refuse_options({"of", "workers"}, "a single throw; add --best flips, out or height")
        return
    check_one_of("best", best, MEASURES)
    refuse_options({"trial"}, "best, which finds the trial")


def best_of(
    study: Study, measure: str, *, of: int | None, seed: int, workers: int | None, keep: int = 1
) -> tuple[RankedThrow, ...] | None:
    """Find the wildest throws of a study in worker processes, with a progress bar.

    Args:
        study: Scene, thrower and engine.
        measure: The value of ``--best``.
        of: The value of ``--of``; None for the default.
        seed: Seed of the trials.
        workers: The value of ``--workers``; None for one per processor.
        keep: Throws to return.

    Returns:
        The throws, the wildest first; None if the search was stopped, which has been reported.
    """
    trials = of or BEST_OF
    # A process takes a second to start: a few chunks are done sooner without.
    workers = min(workers or processors(), max(trials // (2 * CHUNK_TRIALS), 1))
    state, done = None, 0
    try:
        with (worker_threads if study.engine == "solid" else worker_processes)(workers) as executor:
            states = search_best(
                study,
                measure,
                trials=trials,
                seed=seed,
                keep=keep,
                executor=executor,
                window=2 * workers,
            )
            for state in track(states, lambda state: (state.done, state.total), "searching"):
                done = state.done
    except KeyboardInterrupt:
        report_stop(f"after {done} of {trials} throws")
        return None
    return () if state is None else state.throws


@click.command("slam")
@click.argument("line", required=False, metavar="[TH1:...]")
@scene_options
@best_options
@renderer_option
@option(
    "--trial",
    count(0, 10**12),
    "I",
    "Number of the trial, from 0: it and the seed decide the throw.",
    default=0,
)
@flag("--json as_json", "Print the outcome as JSON.")
@flag("--line as_line", "Print the throw alone, as a line of text that slam and watch take.")
@site_option
@option(
    "--save",
    PATH,
    "FILE",
    "Save a film strip (.png), a film (.gif, .mp4, .webm), a web page that plays it (.html) "
    "or a replay (.json).",
)
def command(
    *,
    line: str | None,
    seed: int,
    trial: int,
    best: str | None,
    of: int | None,
    workers: int | None,
    as_json: bool,
    as_line: bool,
    site: str,
    save: Path | None,
    **options: Any,
) -> int:
    """Simulate one throw of a slammer at a stack, and describe the result.

    The solid engine simulates it, unless --engine plane names the model that 'pucklab odds' uses.
    Trial I of a seed is the same throw here and in 'pucklab odds'. The text numbers the pieces of
    the stack from 1, the piece on the floor; in JSON their "place" is an index from 0.

    \b
    Examples:
      pucklab slam --slammer onix --seed 7
      pucklab slam --slammer onix --seed 7 --engine plane
      pucklab slam --slammer-g 8 --seed 7 --save slam.gif
      pucklab slam --slammer-g 8 --best flips --of 500
      pucklab slam --slammer onix --seed 2 --trial 347 --save slam.html
      pucklab slam --slammer onix --seed 7 --line
      pucklab slam th1:s=m20:k=3:t=v5000,x12,d0.3
    """
    if save is not None:
        from pucklab.render.slams.export import check_export

        check_export("save", save)
    if line is not None:
        refuse_others(_BESIDE_LINE, "a throw as a line, which has its own scene")
        setup = setup_of(line)
        name = f"{setup.scene.slammer.mass_g:g} g"
        return _show(setup, name, save, site, as_json=as_json, as_line=as_line)
    check_best(best)
    inputs = (options["params"], options["scene"])
    spec = spec_from_options(options, MASS_G)
    check_one_slammer(spec)
    if save is not None:
        check_not_read("save", save, inputs)
    (case,) = cases_of(spec)
    name, study, scene = case.name, case.study, case.study.scene
    if best is not None:
        found = best_of(study, best, of=of, seed=seed, workers=workers)
        if found is None:
            return EXIT_STOPPED
        trial = found[0].trial
    setup = SlamSetup(scene=scene, throw=study.throw(seed, trial), engine=study.engine)
    facts = {"seed": seed, "trial": trial}
    code = _show(setup, name, save, site, as_json=as_json, as_line=as_line, facts=facts)
    if best is not None and not (as_json or as_line):
        click.echo(f"Trial {trial} of seed {seed}: the best of {of or BEST_OF} throws by {best}.")
    return code


def setup_of(line: str) -> SlamSetup:
    """Return the slam of a line, with a note on stderr if it is of another version.

    Raises:
        InputError: It is no line of a slam.
    """
    setup = read_slam_line(line)
    if setup.version != PHYSICS_VERSION:
        click.echo(
            f"note: the throw is of physics version {setup.version}; this is {PHYSICS_VERSION}, in "
            "which it may end otherwise",
            err=True,
        )
    return setup


def _show(
    setup: SlamSetup,
    name: str,
    save: Path | None,
    site: str,
    *,
    as_json: bool,
    as_line: bool,
    facts: Mapping[str, int] = MappingProxyType({}),
) -> int:
    """Simulate a slam, save and describe it, and return the exit code."""
    if as_line:
        click.echo(f"{site}#{setup.line}" if site else setup.line)
        return 0
    result = setup.slam(SampleRate() if save is not None else None)
    scene, throw, outcome = setup.scene, setup.throw, result.outcome
    if save is not None:
        from pucklab.render.slams.export import export_slam

        export_slam(
            save, replay_of(scene, throw, result), name, progress=track_frames, site_url=site
        )
    if as_json:
        told = {
            "slammer": name,
            **facts,
            "line": setup.line,
            "version": version(),
            "physics": PHYSICS_VERSION,
            "engine": result.engine,
            "throw": {k: v for k, v in asdict(throw).items() if k != "chances"},
            "hit": outcome.hit,
            "flips": len(outcome.flipped),
            "out": len(outcome.out),
            "pieces": [{**asdict(p), "distance_mm": p.distance_mm} for p in outcome.pieces],
            "slammer_end": {k: v for k, v in asdict(outcome.slammer).items() if k != "place"},
        }
        print_json(told)
    else:
        click.echo(describe_slam(name, scene, throw, outcome))
        click.echo(f"Simulated with the {result.engine} engine.")
    print_renderer(save)
    print_written(save)
    return 0
