"""A small experiment that needs no physics: coins. For examples, and to see how little it takes."""

from pucklab.base.facts import fact
from pucklab.physics import trial_generator
from pucklab.physics.tally import Counts
from pucklab.sim.experiments.estimates import wilson
from pucklab.sim.experiments.experiment import Case, Experiment


@fact
class CoinTally(Counts):
    """Throws of a coin, and heads among them."""

    heads: int


def toss(chance, seed, first, count):
    """Toss a coin ``count`` times."""
    draws = [trial_generator(seed, trial).random() for trial in range(first, first + count)]
    return CoinTally(trials=count, heads=sum(draw < chance for draw in draws))


def _half_width(tally, z):
    return wilson(tally.heads, tally.trials, z).half_width


COINS = Experiment(
    name="coins",
    tally=CoinTally,
    run=toss,
    columns=lambda tally, z: {"p_heads": wilson(tally.heads, tally.trials, z).value},
    half_widths={"p_any": _half_width},
)


def coin_cases(*chances):
    """Return a case for each chance of heads."""
    return [Case(subject=chance, labels={"coin": f"{chance:g}"}) for chance in chances]
