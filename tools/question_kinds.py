"""What the kinds of questions in a first battle are worth, by compiled playouts.

Skilled players play first battles of all pairs of Pokémon slammers. Of each kind of question that
has more than one sensible answer, `QUESTIONS` are looked at: every answer is played out
`PLAYOUTS` times, all with the same throws, so that an answer to a kind has 20,000 playouts. The
first half of the playouts names the best and the worst answer, and the other half says by how much
they differ: the greatest of many noisy figures would be too great.

``python -m tools.question_kinds FILE.csv`` measures all; battles read the file from
``sim/pokepucks/data/question_kinds.csv``. ``python -m tools.question_kinds 2000`` plays so many
first battles of Pikachu, who takes every proposal, against the greedy Eevee, and prints what a
person would meet.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import numpy as np

from pucklab.base.files import write_whole
from pucklab.base.tables import csv_text
from pucklab.physics import trial_generator
from pucklab.sim.experiments import wilson
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions
from pucklab.sim.pokepucks.battle.expert import ahead, try_replies
from pucklab.sim.pokepucks.battle.kernel_state import Arrays, Encoded
from pucklab.sim.pokepucks.battle.live import BattleStep
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from pucklab.sim.pokepucks.battle.playouts import arrays_of, drawn_keys, points_of
from pucklab.sim.pokepucks.battle.question_kinds import kind_of
from pucklab.sim.pokepucks.battle.questions import Question, Reply
from pucklab.sim.pokepucks.battle.sensible import is_open, only_sensible
from pucklab.sim.pokepucks.battle.setup_file import FIRST_PAIR, house_setup
from pucklab.sim.pokepucks.design_file import find_slammer, puckdex
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.throw_sources import shipped_table

QUESTIONS, PLAYOUTS = 50, 400
ROUNDS = 4
"""Battles of each pair of slammers."""

CHECKED, CLEAR = 200, 2.5
"""Battles whose proposals are checked, and standard errors by which another answer is better."""

FIRST = BattleOptions(**LENGTHS["first"])

_SEED = 1


def first_battles() -> Iterator[BattleStep]:
    """Yield the steps of first battles between all pairs of slammers."""
    slammers = [design for design in puckdex() if design.kind is DesignKind.POKEMON]
    for seed in range(ROUNDS):
        for pair in permutations(slammers, 2):
            players = [SkilledPlayer(), SkilledPlayer()]
            yield from play_battle(house_setup(pair, FIRST), players, shipped_table(), seed)


def answers_of(step: BattleStep) -> tuple[list[tuple[Reply, Encoded]], Arrays]:
    """Return the answers to a question, the one given first, with the battles after them."""
    assert isinstance(step.answer, tuple)
    covered, _ = try_replies(step.before, step.answer, [SkilledPlayer()] * 2)
    arrays = arrays_of(step.before.state.table, (1, 1), shipped_table(), step.before.rules)
    assert arrays is not None
    return covered, arrays


def measure_step(step: BattleStep, number: int) -> float | None:
    """Return by how much the answers to a question differ in the chance to win; None if none do."""
    question = step.before.ask
    assert isinstance(question, Question)
    covered, arrays = answers_of(step)
    if not covered:
        return None
    keys = drawn_keys(trial_generator(_SEED, number), PLAYOUTS)
    points = [points_of(arrays, battle, keys, question.player) / 2 for _, battle in covered]
    chosen, judged = np.hsplit(np.array(points), 2)  # (answers, playouts / 2)
    best, worst = chosen.mean(axis=1).argmax(), chosen.mean(axis=1).argmin()
    return float((judged[best] - judged[worst]).mean())


def measure_kinds(path: Path) -> None:
    """Measure all kinds, and write them, the one worth most first."""
    found = defaultdict[str, list[float]](list)
    for number, step in enumerate(first_battles()):
        ask = step.before.ask
        if not isinstance(ask, Question) or len(found[kind_of(ask)]) == QUESTIONS:
            continue
        if is_open(step.before.state, ask):
            difference = measure_step(step, number)
            if difference is not None:
                found[kind_of(ask)].append(difference)
    rows = [
        (kind, np.mean(all_), np.std(all_, ddof=1) / len(all_) ** 0.5, len(all_))
        for kind, all_ in found.items()
        if len(all_) > 1
    ]
    lines = [
        {"kind": kind, "points": f"{100 * mean:.1f}", "error": f"{100 * error:.1f}", "questions": n}
        for kind, mean, error, n in sorted(rows, key=lambda row: -row[1])
    ]
    note = (
        "# House-made: by how many points of 100 the answers to a kind of question differ in the "
        "chance to win\n# a first battle, with standard errors; python -m tools.question_kinds\n"
    )
    write_whole(path, (note + csv_text([*lines[0]], lines)).encode())


def play_proposals(battles: int) -> None:
    """Play first battles by proposals, and write share, turns, questions and best proposals."""
    table = house_setup([find_slammer(name) for name in FIRST_PAIR], FIRST)
    wins, turns, questions, best = [], [], [], []
    for seed in range(battles):
        asked = 0
        for step in play_battle(table, [SkilledPlayer(), GreedyPlayer()], shipped_table(), seed):
            ask = step.before.ask
            if isinstance(ask, Question) and ask.player == 0:
                is_asked = only_sensible(step.before.state, ask) is None
                asked += is_asked
                if is_asked and seed < CHECKED:
                    best.append(is_best(step, seed))
        wins.append(step.after.state.winner == 0)
        turns.append(step.after.state.turn.number)
        questions.append(asked)
    share = wilson(sum(wins), battles)
    lines = [f"wins {100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"]
    for word, found in (("turns", turns), ("questions", questions)):
        low, middle, high = np.quantile(found, (0.1, 0.5, 0.9))
        lines.append(f"{word}: median {middle:g}, eight of ten {low:g} to {high:g}")
    lines.append(f"no answer is clearly better: {np.mean(best):.1%} of {len(best)} proposals")
    sys.stdout.write("\n".join((*lines, "")))


def is_best(step: BattleStep, seed: int) -> bool:
    """Return whether no other answer is ahead in as many playouts again as have named it."""
    covered, arrays = answers_of(step)
    keys = drawn_keys(trial_generator(_SEED, seed), 2 * PLAYOUTS)
    points = [points_of(arrays, battle, keys, 0) for _, battle in covered]
    if not points:
        return True
    first = max(points, key=lambda own: own[:PLAYOUTS].sum())
    return first is points[0] or ahead(first[PLAYOUTS:], points[0][PLAYOUTS:]) < CLEAR


if __name__ == "__main__":
    argument = sys.argv[1]
    play_proposals(int(argument)) if argument.isdecimal() else measure_kinds(Path(argument))
