"""Which weight wins: chances of slammers in battles, beside what they flip.

The odds of a slammer with the rulebook's pieces say how many pucks it flips. Battles have another
side: a slammer that is flipped itself has lost. `with_battles` adds the chances of both, for the
masses that the table of throws has. Others have none: a battle needs twenty kinds of throws, of
which 3 s yield some ten each, and shares of battles would be off by thirty points.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from pucklab.physics import Face, Scene, ThrowDistribution, puck_stack, puckdex_slammer
from pucklab.sim.experiments import Proportion, wilson
from pucklab.sim.odds.study import KNOCKED_OUT, KNOCKED_OUT_EQUAL, WON, OddsCase, Study
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions
from pucklab.sim.pokepucks.battle.playouts import thrown_masses_g
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import Design, DesignKind, slammer_of
from pucklab.sim.pokepucks.throw_sources import FACES, shipped_table
from pucklab.sim.pokepucks.throws import ThrowKind
from pucklab.sim.pokepucks.tournament import Contest, play_pair, round_share

RIVAL_G = 8.0
"""Mass of the slammer that the others meet: that of most in the PuckDex."""

_BATTLES = 4_000
_SEED = 1


def with_battles(cases: Sequence[OddsCase]) -> list[OddsCase]:
    """Return cases with the chances in battles of those that the table of throws has.

    Example:
        >>> scene = Scene(slammer=puckdex_slammer(20.0), stack=puck_stack(10))
        >>> study = Study(scene=scene, thrower=ThrowDistribution())
        >>> (case,) = with_battles([OddsCase(name="20 g", study=study)])
        >>> 0.5 < case.battles[WON].value < 0.9
        True
    """
    return [
        replace(case, battles=_chances(case.study.scene.slammer.mass_g))
        if _is_recorded(case.study)
        else case
        for case in cases
    ]


def _is_recorded(study: Study) -> bool:
    """True if a study throws a slammer at pucks as the table does, which tells it by its mass."""
    scene, slammer = study.scene, study.scene.slammer
    known = map(slammer_of, shipped_catalogue().slammers)
    return (
        slammer.mass_g in thrown_masses_g(shipped_table())
        and (slammer == puckdex_slammer(slammer.mass_g) or slammer in known)
        and study.thrower == ThrowDistribution()
        and scene == Scene(slammer=slammer, stack=puck_stack(len(scene.stack)))
    )


@cache
def _chances(mass_g: float) -> dict[str, Proportion]:
    """Return the chances of a slammer: to be knocked out, and to win a short battle."""
    own, rival = (Design(name=f"{name} slammer", kind=DesignKind.SLAMMER, mass_g=grams)
                  for name, grams in (("own", mass_g), ("other", RIVAL_G)))  # fmt: skip
    options = BattleOptions(**LENGTHS["short"])
    contest = Contest(throws=shipped_table(), policy="skilled", options=options)
    found = {
        KNOCKED_OUT: _chance_to_knock_out(RIVAL_G, mass_g),
        KNOCKED_OUT_EQUAL: _chance_to_knock_out(mass_g, mass_g),
        WON: play_pair((contest, (own, rival)), _SEED, 0, _BATTLES).won,
    }
    return {name: round_share(chance) for name, chance in found.items()}


def _chance_to_knock_out(thrown_g: float, target_g: float) -> Proportion:
    kind = ThrowKind(slammer_g=thrown_g, knock_out_g=target_g, pieces=1)
    flips = shipped_table().slams(kind)[0, 0] == FACES.index(Face.UP)
    return wilson(int(flips.sum()), len(flips))
