"""Odds of flipping: throws of studies as an experiment, and chances estimated from their tallies.

In: studies (a scene and a thrower). Out: the odds of each with intervals. Begin with
`pucklab.sim.odds.study.ODDS`; `model_ranges` has their ranges due to the model's uncertainty, and
`best_throws` finds the wildest of many throws.
"""

from pucklab.physics.tally import Tally, empty_tally, tally_of
from pucklab.sim.odds.model_ranges import ModelRange, model_parts, model_ranges
from pucklab.sim.odds.study import (
    KNOCK_OUTS,
    ODDS,
    PAIRED_ODDS,
    Odds,
    OddsCase,
    OddsRow,
    Study,
    experiment_cases,
    odds_experiment,
    odds_of,
    odds_rows,
    paired_experiment,
    run_trials,
)

__all__ = [
    "KNOCK_OUTS",
    "ODDS",
    "PAIRED_ODDS",
    "ModelRange",
    "Odds",
    "OddsCase",
    "OddsRow",
    "Study",
    "Tally",
    "empty_tally",
    "experiment_cases",
    "model_parts",
    "model_ranges",
    "odds_experiment",
    "odds_of",
    "odds_rows",
    "paired_experiment",
    "run_trials",
    "tally_of",
]
