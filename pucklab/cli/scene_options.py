"""Options that describe the scene and the thrower, one for each of `scene_fields.OPTIONS`.

`scene_options` adds them to a command, `spec_from_options` reads them.
"""

from collections.abc import Collection
from typing import Any

from pucklab.api.scenes import spec_of
from pucklab.cli.options import (
    PATH,
    Decorator,
    Read,
    complete_from,
    count,
    flag,
    option,
    seed_option,
    together,
    workers_option,
)
from pucklab.sim.scene.fields import OPTIONS, SceneField
from pucklab.sim.scene.scenes import SceneSpec

BEST_OF = 500
"""Throws of a search for the wildest ones if no number is given."""


best_options = together(
    option(
        "--best",
        str,
        "MEASURE",
        "Show the wildest of many throws, by flips, out (of the arena) or height.",
    ),
    option(
        "--of",
        count(1, 100_000),
        "N",
        f"With --best: the wildest of trials 0 to N-1 of the seed.  [default: {BEST_OF}]",
    ),
    workers_option("search with --best"),
)


def _option(field: SceneField) -> Decorator:
    names = field.typed or f"--{field.name.replace('_', '-')}"
    if not field.metavar:
        return flag(names, field.about)
    more = {"shell_complete": complete_from(field.words)} if field.words else {}
    # Shells complete the names of files.
    kind = PATH if field.metavar == "FILE" else Read(name="value", read=field.read)
    return option(f"{names} {field.name}", kind, field.metavar, field.about, **more)


scene_options = together(
    *map(_option, OPTIONS.values()),
    seed_option("Seed of the throws; trial i is the same throw for every slammer."),
)
"""The options that `spec_from_options` reads, and a seed."""


def spec_from_options(
    options: dict[str, Any], default_masses_g: tuple[float, ...], varied: Collection[str] = ()
) -> SceneSpec:
    """Return the scenes that a command's options describe, and take them out of ``options``.

    See `pucklab.api.scenes.spec_of`.
    """
    taken = {name: options.pop(name) for name in OPTIONS}
    return spec_of(taken, default_masses_g, varied)
