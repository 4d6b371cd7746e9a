"""Odds: trials -> addable tallies -> chances with intervals."""

from sim.odds.estimate import Mean, Odds, Proportion, odds_of, wilson
from sim.odds.odds_file import (
    OddsEntry,
    OddsRow,
    odds_csv,
    read_entries,
    read_tallies,
    row_values,
)
from sim.odds.study import Progress, Study, run_studies, run_trials, study_hash
from sim.odds.tally import Tally, empty_tally, tally_of

__all__ = [
    "Mean",
    "Odds",
    "OddsEntry",
    "OddsRow",
    "Progress",
    "Proportion",
    "Study",
    "Tally",
    "empty_tally",
    "odds_csv",
    "odds_of",
    "read_entries",
    "read_tallies",
    "row_values",
    "run_studies",
    "run_trials",
    "study_hash",
    "tally_of",
    "wilson",
]
