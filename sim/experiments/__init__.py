"""Experiments: repeated seeded trials, their tables of results, stop rules and comparisons.

In: cases, each with all that its results depend on, and a function that counts trials. Out: a
`ResultTable` of counts, which grows while trials come in, is saved and continued, and adds up with
others of the same experiment. Begin with `pucklab.sim.experiments.experiment.Experiment`;
`run.collect` runs it, `stopping` has the rules that end a run early, `paired` the comparisons under
common random numbers.
"""

from pucklab.sim.experiments.estimates import Proportion, block_effect, bootstrap_mean, wilson
from pucklab.sim.experiments.experiment import Answer, Case, Experiment
from pucklab.sim.experiments.run import Progress, collect, run_to_end
from pucklab.sim.experiments.stopping import StopRule
from pucklab.sim.experiments.table import ResultTable, merge_tables, read_table

__all__ = [
    "Answer",
    "Case",
    "Experiment",
    "Progress",
    "Proportion",
    "ResultTable",
    "StopRule",
    "block_effect",
    "bootstrap_mean",
    "collect",
    "merge_tables",
    "read_table",
    "run_to_end",
    "wilson",
]
