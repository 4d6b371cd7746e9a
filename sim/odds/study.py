"""Studies: throws at a scene as an experiment, and the odds estimated from their tallies.

`ODDS` and `KNOCK_OUTS` count throws of studies, `PAIRED_ODDS` and `PAIRED_KNOCK_OUTS` throw each
trial in all of them; `OddsCase` is a study with its name, and `odds_of` turns a tally into chances
and means.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, field, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

import numpy as np

from pucklab.base.facts import fact
from pucklab.physics import (
    Arena,
    EnergyError,
    Face,
    LiftOff,
    Materials,
    Puck,
    Scene,
    Slammer,
    SlamOutcome,
    Throw,
    ThrowDistribution,
    draw_throw,
    puckdex_slammer,
    slam,
    trial_generator,
)
from pucklab.physics.pieces import has_usual_make
from pucklab.physics.slam import computing_engine
from pucklab.physics.solid.settings import FAST, SolidSettings
from pucklab.physics.tally import (
    Mean,
    Tally,
    empty_tally,
    mean_distance_mm,
    mean_of,
    tally_of,
)
from pucklab.sim.experiments import Case, Experiment, Proportion, ResultTable, wilson
from pucklab.sim.experiments.columns import Column, Columns, flat_cells
from pucklab.sim.experiments.estimates import Z_95
from pucklab.sim.experiments.paired import PairedCounts, paired_counts

_CHUNK_PAIRED_SLAMS = 50
"""Slams of one task for a worker in a paired run, about."""


@fact
class Study:
    """A scene, a thrower and an engine.

    Attributes:
        scene: The slammer, the stack and their world.
        thrower: The distribution of throws.
        engine: The engine that simulates them, one of `pucklab.physics.ENGINES`. The plane leaves
            small scenes to the solid engine, see `pucklab.physics.slam.computing_engine`.
        settings: Choices of the solid engine.

    Example:
        >>> from pucklab.physics import puck_stack, puckdex_slammer
        >>> pair = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
        >>> Study(scene=pair, thrower=ThrowDistribution(), engine="plane").engine
        'solid'
    """

    scene: Scene
    thrower: ThrowDistribution
    engine: str = "solid"
    settings: SolidSettings = FAST

    def __post_init__(self) -> None:
        """Name the engine that computes the scene."""
        object.__setattr__(self, "engine", computing_engine(self.scene, self.engine))

    def throw(self, seed: int, trial: int) -> Throw:
        """Return the throw of a trial of a seed."""
        return draw_throw(self.thrower, len(self.scene.stack), trial_generator(seed, trial))

    def outcome(self, throw: Throw) -> SlamOutcome:
        """Return the outcome of a throw."""
        return slam(self.scene, throw, engine=self.engine, settings=self.settings).outcome


def run_trials(study: Study, seed: int, first: int, count: int) -> Tally:
    """Simulate trials ``first`` to ``first + count - 1`` and return their tally.

    Trial i is the same throw in every study with the same thrower, whatever its scene or engine.
    """
    if study.engine != "solid":
        throws = (study.throw(seed, trial) for trial in range(first, first + count))
        return _tally_of(study, throws)
    # Imported here: a command that throws nothing loads no engine.
    from pucklab.physics.solid.engine import throw_trials

    total = none = empty_tally(len(study.scene.stack))
    for outcome in throw_trials(study.scene, study.thrower, seed, first, count, study.settings):
        total += replace(none, trials=1, left_out=1) if outcome is None else tally_of(outcome)
    return total


def _tally_of(study: Study, throws: Iterable[Throw]) -> Tally:
    total = none = empty_tally(len(study.scene.stack))
    for throw in throws:
        try:
            total += tally_of(study.outcome(throw))
        except EnergyError:
            total += replace(none, trials=1, left_out=1)
    return total


@fact
class Odds:
    """The odds of one scene and thrower, at a stack of n pieces.

    Attributes:
        trials: Number of trials, without those left out.
        hit: Chance that the slammer hits the stack.
        flips: Pieces flipped per throw.
        flip_chances: Shape (n + 1,); chance of flipping exactly 0..n pieces.
        any_flip: Chance of at least one flip.
        flips_by_place: Shape (n,); chance of each piece to flip; index 0 is on the floor.
        outs: Pieces that leave the arena per throw.
        any_out: Chance that at least one leaves it.
        distance_mm: Mean distance of the pieces that stay inside from the centre; NaN if none does.
        leaning: Pieces that end leaning per throw.
        slammer_out: Chance that the slammer leaves the arena.
    """

    trials: int
    hit: Proportion
    flips: Mean
    flip_chances: tuple[float, ...]
    any_flip: Proportion
    flips_by_place: tuple[Proportion, ...]
    outs: Mean
    any_out: Proportion
    distance_mm: float
    leaning: float
    slammer_out: Proportion


def odds_of(tally: Tally, z: float = Z_95) -> Odds:
    """Estimate the odds from a tally of at least one trial.

    Args:
        tally: The counts.
        z: Quantile of the intervals; `Z_LOOKED` if their width ended the run.

    Raises:
        ValueError: The tally is empty.
    """
    trials = tally.counted
    if trials == 0:
        raise ValueError("tally: no trial is not accepted; give at least 1")
    return Odds(
        trials=trials,
        hit=wilson(tally.hits, trials, z),
        flips=mean_of(tally.flips),
        flip_chances=tuple(count / trials for count in tally.flips),
        any_flip=wilson(trials - tally.flips[0], trials, z),
        flips_by_place=tuple(wilson(count, trials, z) for count in tally.flips_by_place),
        outs=mean_of(tally.outs),
        any_out=wilson(trials - tally.outs[0], trials, z),
        distance_mm=mean_distance_mm(tally),
        leaning=tally.leaning / trials,
        slammer_out=wilson(tally.slammers_out, trials, z),
    )


def flips_half_width(histogram: Sequence[int], z: float = Z_95) -> float:
    """Return the half-width of the 95 % interval of the mean number of flips.

    The variance is that of the throws and of four more: two that flip nothing, and two that flip
    one piece more than any did. As in the interval of Agresti and Coull (Am. Stat. 52 (1998) 119),
    they keep the width from being nothing where all throws flipped the same number.

    Args:
        histogram: Throws by number of pieces flipped, from 0 to all of the stack.
        z: Quantile of the interval.

    Example:
        >>> round(flips_half_width((100, 0)), 3), round(flips_half_width((500, 500)), 3)
        (0.027, 0.031)
    """
    flipped = [k for k, count in enumerate(histogram) if count]
    most = min(max(flipped, default=0) + 1, len(histogram) - 1)
    trials = sum(histogram)
    widened = list(histogram)
    widened[0] += 2
    widened[most] += 2
    return z * mean_of(widened).standard_error * math.sqrt((trials + 4) / trials)


MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "flips": "pucks flipped per throw",
        "p_any": "chance of a flip",
        "flips-minus-out": "pucks flipped less pucks out per throw",
    }
)
"""Numbers of a throw at a stack that are compared, in words."""

KNOCK_OUT_MEASURES: Mapping[str, str] = MappingProxyType({"knock_out": "chance of a knock-out"})
"""Those of a throw at a lone slammer."""

_PER_THROW = "flips, out: per throw (±: standard error)"
_SHARE = "P: share of throws (95 % interval)"

KNOCKED_OUT, KNOCKED_OUT_EQUAL, WON = "p_knocked_out_by_8g", "p_knocked_out_by_equal", "p_win_8g"

KNOCK_OUT_COLUMNS = (
    Column(
        name="p_knock_out",
        heading="P(knock-out)",
        value=lambda odds: odds.flips_by_place[0],
        about="the target slammer flips",
        legend=_SHARE,
    ),
    Column(
        name="flips",
        heading="flips",
        value=lambda odds: odds.flips,
        about=MEASURES["flips"],
        legend=_PER_THROW,
    ),
    Column(
        name="p_any",
        heading="P(any flip)",
        value=lambda odds: odds.any_flip,
        about="at least one flips",
        legend=_SHARE,
    ),
    Column(
        name="out_mean",
        heading="out",
        value=lambda odds: odds.outs.value,
        about="pucks out per throw",
        legend=_PER_THROW,
    ),
    Column(
        name="p_any_out",
        heading="P(any out)",
        value=lambda odds: odds.any_out,
        about="at least one leaves",
        legend=_SHARE,
    ),
    Column(
        name="distance_mm_mean",
        heading="mm",
        value=lambda odds: odds.distance_mm,
        form=".0f",
        legend="mm: from the centre",
    ),
    Column(name="leaning_mean", heading="leaning", value=lambda odds: odds.leaning, is_wide=True),
    Column(
        name="",
        heading="slammer out",
        value=lambda odds: odds.slammer_out,
        is_wide=True,
    ),
    Column(
        name="",
        heading="% flip 0, 1, 2, ...",
        value=lambda odds: re.sub(
            "( 0)+$", "", " ".join(f"{100 * share:.0f}" for share in odds.flip_chances)
        ),
        legend="%: shares of throws that flip 0, 1, 2 and more",
        is_wide=True,
    ),
)


ODDS: Experiment[Study, Tally] = Experiment(
    name="odds",
    tally=Tally,
    run=run_trials,
    columns=Columns(estimate=odds_of, columns=KNOCK_OUT_COLUMNS[1:]),
    in_threads=lambda study: study.engine == "solid",
    half_widths={
        "p_any": lambda tally, z: odds_of(tally, z).any_flip.half_width,
        "flips": lambda tally, z: flips_half_width(tally.flips, z),
    },
)
"""Throws at stacks of pucks."""

KNOCK_OUTS: Experiment[Study, Tally] = replace(
    ODDS, name="knock-out odds", columns=Columns(estimate=odds_of, columns=KNOCK_OUT_COLUMNS)
)
"""Throws at a lone slammer, which is the lowest piece, with or without shields."""


def throw_paired(studies: Sequence[Study], seed: int, first: int, count: int) -> list[PairedCounts]:
    """Simulate trials ``first`` to ``first + count - 1`` in each study, and count the measures.

    All studies are of stacks, and have `MEASURES`, or of knock-outs, with `KNOCK_OUT_MEASURES`.
    """
    is_knock_out = studies[0].scene.is_knock_out
    measures = KNOCK_OUT_MEASURES if is_knock_out else MEASURES
    values = np.zeros((len(measures), count, len(studies)), dtype=np.int64)
    most = 0 if is_knock_out else max(len(study.scene.stack) for study in studies)
    row = 0
    for trial in range(first, first + count):
        try:
            outcomes = [study.outcome(study.throw(seed, trial)) for study in studies]
        except EnergyError:
            continue
        for column, outcome in enumerate(outcomes):
            flips, outs = len(outcome.flipped), len(outcome.out)
            values[:, row, column] = (
                (outcome.pieces[0].face is Face.UP,)
                if is_knock_out
                else (flips, flips > 0, flips - outs)
            )
        row += 1
    counts = paired_counts(values[:, :row], most)
    return [replace(own, trials=count, left_out=count - row) for own in counts]


PAIRED_ODDS: Experiment[Study, PairedCounts] = Experiment(
    name="paired odds",
    tally=PairedCounts,
    run=throw_paired,
    columns=lambda tally, _: {
        name: total / tally.counted
        for name, total in zip(
            ("flips_mean", "p_any", "flips_minus_out_mean"), tally.sums, strict=True
        )
    },
    chunk=_CHUNK_PAIRED_SLAMS,
    together=True,
    in_threads=ODDS.in_threads,
)
"""Throws at stacks that are made in all studies at once, for differences between these."""

PAIRED_KNOCK_OUTS: Experiment[Study, PairedCounts] = replace(
    PAIRED_ODDS,
    name="paired knock-out odds",
    columns=lambda tally, _: {"p_knock_out": tally.sums[0] / tally.counted},
)
"""The same of throws at a lone slammer."""


@fact
class OddsCase:
    """A study under the name that a person knows it by."""

    name: str
    study: Study
    values: Mapping[str, float] = field(default_factory=dict)  # of swept numbers
    battles: Mapping[str, Proportion] = field(default_factory=dict)  # see `BATTLE_COLUMNS`


BATTLE_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        KNOCKED_OUT: "KO by 8 g",
        KNOCKED_OUT_EQUAL: "KO by equal",
        WON: "battles won",
    }
)
"""Chances of a slammer in battles by their names in files, with their headings."""

BATTLES_LEGEND = (
    "KO: knocked out by a throw; battles: short ones against 8 g, without types (recorded throws, "
    "of 4, 8 and 20 g)"
)


@fact
class OddsRow(OddsCase):
    """A case with its throws, and the quantile of their intervals."""

    tally: Tally
    z: float = Z_95
    stopped_by: str = ""  # the rule that ended the run; empty if there was none


def odds_experiment(cases: Sequence[OddsCase]) -> Experiment[Study, Tally]:
    """Return the experiment that counts throws of some cases, of stacks or of knock-outs."""
    return KNOCK_OUTS if cases[0].study.scene.is_knock_out else ODDS


def paired_experiment(studies: Sequence[Study]) -> Experiment[Study, PairedCounts]:
    """Return the experiment that throws each trial in some studies, of stacks or of knock-outs."""
    return PAIRED_KNOCK_OUTS if studies[0].scene.is_knock_out else PAIRED_ODDS


def experiment_cases(cases: Sequence[OddsCase]) -> list[Case[Study]]:
    """Return cases as an experiment takes them; a swept number without a column gets one.

    Example:
        >>> from pucklab.physics import puck_stack
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(3))
        >>> study = Study(scene=scene, thrower=ThrowDistribution(aim_sd_mm=8.0))
        >>> (case,) = experiment_cases([OddsCase(name="8 g", study=study)])
        >>> case.labels["pucks"], case.labels["settings"]
        (3, 'aim_sd_mm=8')
    """
    found = list[Case[Study]]()
    known = next((case.battles for case in cases if case.battles), {})
    for case in cases:
        study, scene = case.study, case.study.scene
        pucks = [piece for piece in scene.stack if not isinstance(piece, Slammer)]
        labels: dict[str, Any] = dict(case.values) | {
            "slammer": case.name,
            "slammer_g": scene.slammer.mass_g,
            "speed_m_s": study.thrower.speed_mm_s / 1000,
            "pucks": len(pucks),
            "puck_g": pucks[0].mass_g if pucks else "",
        }
        if scene.is_knock_out:
            labels["knock_out_g"] = scene.stack[0].mass_g
        labels |= dict.fromkeys(flat_cells(known), "") | flat_cells(case.battles)
        labels |= {"engine": study.engine, "settings": _list_settings(study)}
        found.append(Case(subject=study, labels=labels))
    return found


def odds_rows(table: ResultTable[Tally], cases: Sequence[OddsCase]) -> list[OddsRow]:
    """Return the cases of a table that have throws."""
    return [
        OddsRow(
            name=case.name,
            study=case.study,
            values=case.values,
            battles=case.battles,
            tally=entry.tally,
            z=entry.z,
            stopped_by=entry.stopped_by,
        )
        for index, case in enumerate(cases)
        if (entry := table.entry(index)) is not None
    ]


def _list_settings(study: Study) -> str:
    """Return the numbers of a study that differ from the defaults, as ``name=value`` with spaces.

    Example:
        >>> from pucklab.physics import Scene, puck_stack
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(3))
        >>> _list_settings(Study(scene=scene, thrower=ThrowDistribution(aim_sd_mm=8.0)))
        'aim_sd_mm=8'
    """
    scene = study.scene
    slammer, puck = scene.slammer, scene.stack[-1]
    pairs: list[tuple[str, Any, Any]] = [
        ("", scene.arena, Arena()),
        ("", scene.materials, Materials()),
        ("", scene.lift_off, LiftOff()),
        ("", study.thrower, ThrowDistribution()),
        (
            "slammer.",
            slammer,
            puckdex_slammer(slammer.mass_g, slammer.thickness_mm, unofficial=True)
            if has_usual_make(slammer)
            else puckdex_slammer(8.0),
        ),
    ]
    if isinstance(puck, Puck):
        pairs.append(("puck.", puck, Puck()))
    found = []
    for stem, own, default in pairs:
        plain = asdict(default)
        found += [
            f"{stem}{name}={_tell(value)}"
            for name, value in asdict(own).items()
            if value != plain[name] and name != "unofficial"
        ]
    if not scene.is_knock_out and len(set(scene.stack)) > 1:
        kinds = ((sum(1 for _ in same), piece) for piece, same in groupby(scene.stack))
        found.append("stack=" + ";".join(f"{count}x{_tell(asdict(p))}" for count, p in kinds))
    if study.engine == "plane" and scene.preset.name != "recommended":
        found.append(f"preset={scene.preset.name}")
    return " ".join(found)


def _tell(value: Any) -> str:
    """Return a number, or a material or a piece by its numbers, as text."""
    if isinstance(value, dict):
        return ",".join(_tell(part) for name, part in value.items() if name != "source")
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def throw_again(throw: Throw, chance: Throw) -> Throw:
    """Return a repeated throw: the same throw with the scatter and random numbers of a drawn one.

    Args:
        throw: The throw: its speed, direction, descent and tilt stay.
        chance: A drawn throw: its aim is added, its rates and random numbers are taken.
    """
    return replace(
        chance,
        speed_mm_s=throw.speed_mm_s,
        aim_x_mm=throw.aim_x_mm + chance.aim_x_mm,
        aim_y_mm=throw.aim_y_mm + chance.aim_y_mm,
        descent_rad=throw.descent_rad,
        direction_rad=throw.direction_rad,
        tilt_rad=throw.tilt_rad,
        tilt_azimuth_rad=throw.tilt_azimuth_rad,
    )
