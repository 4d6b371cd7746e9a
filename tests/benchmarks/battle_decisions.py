"""Decisions of a person per own turn: ``python -m tests.benchmarks.battle_decisions``.

Greedy players play 20 battles; counted are the questions that a person in the first seat would be
asked, and the throws.
"""

import sys
from statistics import median

import numpy as np

from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.questions import Question
from sim.pokepucks.battle.sensible import only_sensible
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.design_file import puckdex
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.throw_sources import shipped_table

BATTLES = 20


def main():
    """Print the median and the mean of questions and of throws per turn."""
    slammers = [d for d in puckdex() if d.kind is DesignKind.POKEMON]
    questions, every, throws = [], [], []
    for seed in range(BATTLES):
        rng = np.random.default_rng(seed)
        table = house_table([slammers[i] for i in rng.choice(len(slammers), 2, replace=False)])
        turns = {}
        for exchange in play_battle(table, [GreedyPlayer(), GreedyPlayer()], shipped_table(), seed):
            state, ask = exchange.before, exchange.ask
            if not state.turn.number:
                continue
            turn = turns.setdefault(state.turn.number, [0, 0, 0, state.player])
            if ask.player != 0:
                continue
            if isinstance(ask, Question):
                turn[1] += 1
                turn[0] += only_sensible(state, ask) is None
            else:
                turn[2] += 1
        own = [turn for turn in turns.values() if turn[3] == 0]
        questions += [turn[0] for turn in own]
        every += [turn[1] for turn in own]
        throws += [turn[2] for turn in own]
    for name, counts in (("asked", questions), ("all questions", every), ("throws", throws)):
        sys.stdout.write(f"{name}: median {median(counts):g}, mean {np.mean(counts):.2f} a turn\n")
    both = [q + t for q, t in zip(questions, throws, strict=True)]
    sys.stdout.write(f"asked and throws: median {median(both):g} in {len(both)} turns\n")


if __name__ == "__main__":
    main()
