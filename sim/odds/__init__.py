"""Odds of flipping: trials are counted in tallies, and chances estimated from these.

In: studies (a scene and a thrower). Out: a tally per study, its odds with intervals, and the CSV
that stores both. Begin with `sim.odds.study.run_studies`; `stopping` has the rules that end a run,
and `paired` the comparisons.
"""

from physics.tally import Mean, Tally, empty_tally, tally_of
from sim.odds.odds_file import (
    OddsEntry,
    OddsRow,
    merge_odds,
    odds_csv,
    read_odds,
    row_values,
)
from sim.odds.stopping import StopRule
from sim.odds.study import (
    ModelRange,
    Odds,
    Progress,
    Proportion,
    Study,
    model_ranges,
    odds_of,
    run_studies,
    run_study,
    run_trials,
    study_hash,
    wilson,
)

__all__ = [
    "Mean",
    "ModelRange",
    "Odds",
    "OddsEntry",
    "OddsRow",
    "Progress",
    "Proportion",
    "StopRule",
    "Study",
    "Tally",
    "empty_tally",
    "merge_odds",
    "model_ranges",
    "odds_csv",
    "odds_of",
    "read_odds",
    "row_values",
    "run_studies",
    "run_study",
    "run_trials",
    "study_hash",
    "tally_of",
    "wilson",
]
