"""Tournaments: every slammer against every other, battle after battle, with house collections."""

from sim.pokepucks.tournament.contest import Contest, battle_seed, contest_hash, play_pair
from sim.pokepucks.tournament.resultfile import PairRow, read_results, results_csv, row_values
from sim.pokepucks.tournament.running import Pair, Progress, pairs_of, run_tournament
from sim.pokepucks.tournament.standings import (
    KnockOutRate,
    Standing,
    knock_out_rates,
    standings_of,
)
from sim.pokepucks.tournament.tally import PairTally

__all__ = [
    "Contest",
    "KnockOutRate",
    "Pair",
    "PairRow",
    "PairTally",
    "Progress",
    "Standing",
    "battle_seed",
    "contest_hash",
    "knock_out_rates",
    "pairs_of",
    "play_pair",
    "read_results",
    "results_csv",
    "row_values",
    "run_tournament",
    "standings_of",
]
