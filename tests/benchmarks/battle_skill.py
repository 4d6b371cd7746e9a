"""Gain that the best answers bring: ``python -m tests.benchmarks.battle_skill --battles 71``.

Battles against the greedy player, with random slammers, house decks and recorded slams, on both
seats in turn. At each decision every answer (of too many, those close to that of the expert's
rules) is tried in the same playouts to the end of the battle, in which both sides go on by their
rules. The best one is played, if it is ahead of the rules' answer by a standard error.

By the performance difference lemma (Kakade and Langford, ICML 2002) such a player wins as many more
battles than the rules alone as the gains of its decisions over those of the rules add up to,
decision by decision of its own battles. Two estimates are made of each gain. *found*: the answer
that is best in half of the playouts, valued in the other half. *at most*: the best answer valued in
the playouts that it was chosen by, which is too high on average.
"""

import argparse
from collections import defaultdict

import click
import numpy as np

from pucklab.sim.pokepucks.battle.expert import ahead, try_replies
from pucklab.sim.pokepucks.battle.live import LiveBattle, shot_of, throw_generator
from pucklab.sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from pucklab.sim.pokepucks.battle.playouts import arrays_of, drawn_keys, points_of
from pucklab.sim.pokepucks.battle.questions import Asking, ThrowCall, Use
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.throw_sources import shipped_table

POKEMON = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]


def gains(won):
    """Return the gain found, and at most.

    Args:
        won: Shape (playouts, answers); the rule's answer is the first.
    """
    found = []
    for chosen, judged in ((won[::2], won[1::2]), (won[1::2], won[::2])):
        best = int(chosen.mean(axis=0).argmax())
        found.append(float(judged[:, best].mean() - judged[:, 0].mean()))
    means = won.mean(axis=0)
    return float(np.mean(found)), float(means.max() - means[0])


def kind(question):
    """Return the kind of a decision."""
    if question.asking is Asking.USE:
        return "use " + "/".join(sorted({o.rule for o in question.options if isinstance(o, Use)}))
    return question.asking + (f" ({question.rule})" if question.rule else "")


def decisions(number, playouts):
    """Play a battle, and yield a row for each decision with several answers."""
    rng = np.random.default_rng([25, number])
    table = house_setup([POKEMON[k] for k in rng.integers(len(POKEMON), size=2).tolist()])
    me, throws = number % 2, shipped_table()
    players = [SkilledPlayer(), GreedyPlayer()][:: 1 - 2 * me]
    arrays = arrays_of(table, (1 - me, me), throws)
    assert arrays is not None
    battle = LiveBattle(new_battle(table))
    rows = []
    while (ask := battle.ask) is not None:
        if isinstance(ask, ThrowCall):
            rng_of_throw = throw_generator(number, ask.number)
            battle.answer_legal(throws.throw(shot_of(table, ask), rng_of_throw))
            continue
        reply = players[ask.player].reply(battle.state, ask)
        covered, _ = (
            try_replies(battle.moment(), reply, players) if ask.player == me else ([], True)
        )
        if covered:
            keys = drawn_keys(rng, playouts)
            won = np.transpose([points_of(arrays, each, keys, me) for _, each in covered]) / 2
            best = int(won.mean(axis=0).argmax())
            rows.append((kind(ask), *gains(won)))
            if (won[:, best] != won[:, 0]).any() and ahead(won[:, best], won[:, 0]) > 1:
                reply = covered[best][0]
        battle.answer_legal(reply)
    result = 0.5 if battle.state.winner is None else float(battle.state.winner == me)
    yield from ((number, *row, result) for row in rows)


def report(rows):
    """Yield a table of the gains by kind, in per cent of a battle."""
    results = {number: won for number, *_, won in rows}
    place = {number: index for index, number in enumerate(results)}
    sums = defaultdict(lambda: np.zeros((len(results), 3)))
    for number, decision, found, most, _ in rows:
        for name in (decision, "all"):
            sums[name][place[number]] += [1, 100 * found, 100 * most]
    won = 100 * np.array(list(results.values()))
    root = np.sqrt(len(results))
    yield f"{len(won)} battles, {won.mean():.1f} ± {won.std() / root:.1f} % of them won"
    for name, each in sorted(sums.items(), key=lambda item: -item[1][:, 2].sum()):
        (often, found, most), (_, error, _) = each.mean(axis=0), each.std(axis=0) / root
        yield f"{name:44.44}{often:9.2f} a battle, found {found:.2f} ± {error:.2f}, most {most:.2f}"


def main():
    """Play battles, and print the gains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--playouts", type=int, default=1_000)
    parser.add_argument("--battles", type=int, default=71)
    given = parser.parse_args()
    rows = [row for number in range(given.battles) for row in decisions(number, given.playouts)]
    for line in report(rows):
        click.echo(line)


if __name__ == "__main__":
    main()
