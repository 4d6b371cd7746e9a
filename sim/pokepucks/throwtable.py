"""Makes the table of throws that comes with pucklab: ``python -m sim.pokepucks.throwtable FILE``.

Slammers of the PuckDex's masses are thrown by the default thrower at stacks of 1 to 17 pucks, and
at lone slammers of those masses with up to 6 shields. House data: no such throws were measured.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from physics import Scene, ThrowDistribution, knock_out_stack, puck_stack
from sim.files import write_whole
from sim.odds import OddsRow, Study, odds_csv, run_trials
from sim.scenes import NamedSlammer, slammers_by_mass
from sim.version import version

MASSES_G = (4.0, 8.0, 20.0)
MAX_PUCKS = 17
MAX_SHIELDS = 6
TRIALS = 400
SEED = 1


def studies() -> Iterator[tuple[NamedSlammer, Study]]:
    """Yield what is thrown at what."""
    slammers = slammers_by_mass(MASSES_G)
    stacks = [puck_stack(count) for count in range(1, MAX_PUCKS + 1)]
    for lying in slammers:
        stacks += [knock_out_stack(lying.slammer, count) for count in range(MAX_SHIELDS + 1)]
    for named in slammers:
        for stack in stacks:
            scene = Scene(slammer=named.slammer, stack=stack)
            yield named, Study(scene=scene, thrower=ThrowDistribution())


def table_csv(trials: int = TRIALS) -> str:
    """Return the table as an odds CSV."""
    rows = [
        OddsRow(
            name=named.name,
            study=study,
            tally=run_trials(study, SEED, 0, trials),
            seed=SEED,
            version=version(),
        )
        for named, study in studies()
    ]
    return odds_csv(rows)


if __name__ == "__main__":
    write_whole(Path(sys.argv[1]), table_csv().encode())
