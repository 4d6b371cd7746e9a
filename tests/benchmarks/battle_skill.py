"""Gain that the best answers bring: ``python -m tests.benchmarks.battle_skill FILE.csv``.

Battles against the greedy player, with random slammers, house decks and recorded slams, on both
seats in turn. At each decision every answer (of too many, those close to that of the expert's
rules) is tried in the same playouts to the end of the battle, in which both sides go on by their
rules. The best one is played, if it is ahead of the rules' answer by a standard error.

By the performance difference lemma (Kakade and Langford, ICML 2002) such a player wins as many more
battles than the rules alone as the gains of its decisions over those of the rules add up to,
decision by decision of its own battles. Three estimates are made of each gain. *found*: the answer
that is best in half of the playouts, valued in the other half. *sure*: the same, but the rules'
answer is left only for one that is ahead by two standard errors. *most*: the best answer valued in
the playouts that it was chosen by, which is too high on average. So the sum of *most* is above what
perfect choices would gain if the rules went on afterwards, and that of *found* below it.

A row of the file is one decision. Battles already in the file are left out, and the sums are those
of the whole file. ``--rules`` plays the rules alone: every pair of slammers on both seats.
``--first`` tells what the first player wins, and ``--ceilings`` what one wins who knows the throws.
"""

import argparse
import csv
import time
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from physics import compiling
from sim.pokepucks.battle.expert import ahead, answers, tried
from sim.pokepucks.battle.kernel_rules import lot, play
from sim.pokepucks.battle.kernel_state import NUMBER, THROWN
from sim.pokepucks.battle.live import LiveBattle, shot_of, throw_generator
from sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from sim.pokepucks.battle.playouts import after, arrays_of, drawn_keys, points_of
from sim.pokepucks.battle.questions import Asking, ThrowCall, Use
from sim.pokepucks.battle.series import play_series
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import BattleOptions
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import kind_of

POKEMON = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
COLUMNS = ("battle", "kind", "answers", "chance", "found", "sure", "most", "left", "won")

Floats = npt.NDArray[np.float64]


def chances(arrays, after_each, keys, player):
    """Return what the player won, of shape (playouts, answers)."""
    return np.transpose([points_of(arrays, battle, keys, player) for battle in after_each]) / 2


def gains(won):
    """Return the gains found, sure and at most, and how often the rule's answer was left for sure.

    Args:
        won: Shape (playouts, answers); the rule's answer is the first.
    """
    found, sure, left = [], [], []
    for chosen, judged in ((won[::2], won[1::2]), (won[1::2], won[::2])):
        best = int(chosen.mean(axis=0).argmax())
        gain = float(judged[:, best].mean() - judged[:, 0].mean())
        clear = _lead(chosen, best) > 2
        found.append(gain)
        sure.append(gain if clear else 0.0)
        left.append(float(clear))
    means = won.mean(axis=0)
    most = float(means.max() - means[0])
    return float(np.mean(found)), float(np.mean(sure)), most, float(np.mean(left))


def kind(question):
    """Return the kind of a decision."""
    if question.asking is Asking.USE:
        return "use " + "/".join(sorted({o.rule for o in question.options if isinstance(o, Use)}))
    return question.asking + (f" ({question.rule})" if question.rule else "")


def decisions(number, playouts):
    """Play a battle, and yield a row for each decision with several answers."""
    rng = np.random.default_rng([25, number])
    table = house_table([POKEMON[k] for k in rng.integers(len(POKEMON), size=2).tolist()])
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
        covered, _ = tried(battle.moment(), reply, players) if ask.player == me else ([], True)
        if covered:
            keys = drawn_keys(rng, playouts)
            won = chances(arrays, [there for _, there in covered], keys, me)
            best = int(won.mean(axis=0).argmax())
            rows.append((kind(ask), len(covered), float(won[:, 0].mean()), *gains(won)))
            if _lead(won, best) > 1:
                reply = covered[best][0]
        battle.answer_legal(reply)
    result = 0.5 if battle.state.winner is None else float(battle.state.winner == me)
    yield from ((number, *row, result) for row in rows)


def rules_alone(playouts, seed=1):
    """Return what the expert's rules win against the greedy player without any search.

    Returns:
        Shape (slammers, slammers, seats, playouts); the first slammer is that of the first seat.
    """
    rng = np.random.default_rng(seed)
    won = np.zeros((len(POKEMON), len(POKEMON), 2, playouts))
    for first, second, me in np.ndindex(won.shape[:-1]):
        kinds = ("skilled", "greedy")[:: 1 - 2 * me]
        table, seeds = house_table([POKEMON[first], POKEMON[second]]), drawn_keys(rng, playouts)
        winner = play_series(table, kinds, shipped_table(), seeds.tolist()).winner
        won[first, second, me] = np.where(winner < 0, 0.5, winner == me)
    return won


def first_wins(kind: str, battles: int, **options: object) -> str:
    """Return what the first player wins between players of a kind, with standard errors."""
    size = len(POKEMON)
    won = np.zeros((size, size))
    for first, second in np.ndindex(won.shape):
        table = house_table([POKEMON[first], POKEMON[second]], BattleOptions(**options))
        winner = play_series(table, [kind] * 2, shipped_table(), range(battles)).winner
        won[first, second] = np.where(winner < 0, 0.5, winner == 0).mean()
    other, equal = ~np.eye(size, dtype=bool), np.eye(size, dtype=bool)
    even = other & (abs(won - won.T) < 0.2)  # as a mean of both seats, 40 to 60 %
    found = [
        f"{name} {100 * won[which].mean():.1f} ± {50 / np.sqrt(which.sum() * battles):.1f}"
        for name, which in (("all pairs", other), ("even pairs", even), ("equal slammers", equal))
    ]
    return f"{kind} {options or ''}: " + ", ".join(found)


def slam_of(table, ask, key, turn, thrown):
    """Return what a throw of a turn comes to in the compiled battle of a key."""
    slams = _ranked(kind_of(shot_of(table, ask)))
    return slams[lot(key, turn, thrown, len(slams))]


@lru_cache(maxsize=256)
def _ranked(kind):
    """Return the recorded slams in the order of compiled battles."""
    return sorted(shipped_table().slams(kind), key=lambda s: sum(s.flipped, len(s.flipped)))


def foreseen(number, playouts):
    """Return what a player who knows the throws ahead wins of a battle against the greedy player.

    It tries its answers in the throws that will come. Both sides go on by their rules; one who
    knows all throws may go on by those of the greedy player, too, if that wins.

    Args:
        number: Number of the battle.
        playouts: Playouts from the end of the turn on, whose throws alone are known; 0 if those of
            the whole battle are.
    """
    rng = np.random.default_rng([38, number])
    table = house_table([POKEMON[k] for k in rng.integers(len(POKEMON), size=2).tolist()])
    me, key = number % 2, int(drawn_keys(rng, 1)[0])
    lines = [[mine, GreedyPlayer()][:: 1 - 2 * me] for mine in (SkilledPlayer(), GreedyPlayer())]
    facts = [arrays_of(table, skill, shipped_table()) for skill in ((1 - me, me), (0, 0))]
    battle = LiveBattle(new_battle(table))
    turn, thrown, by, is_won = 0, 0, 0, False
    while (ask := battle.ask) is not None:
        if battle.state.turn.number != turn:
            turn, thrown = battle.state.turn.number, 0
        if isinstance(ask, ThrowCall):
            battle.answer_legal(slam_of(table, ask, key, turn, thrown))
            thrown += 1
            continue
        reply = lines[by][ask.player].reply(battle.state, ask)
        for line in range(1 if playouts else 2):
            if ask.player != me or is_won:
                break
            moment, usual = battle.moment(), lines[line][me].reply(battle.state, ask)
            ready = [(each, after(moment, each, lines[line])) for each in answers(moment, usual)[0]]
            if ready[0][1] is None:
                continue
            covered = [(each, there) for each, there in ready if there is not None]
            keys = drawn_keys(rng, playouts) if playouts else np.array([key])
            won = np.empty((len(keys), len(covered)))
            for column, (_, there) in enumerate(covered):
                there[THROWN] = thrown if there[NUMBER] == turn else 0
                winner = play(facts[line], there, key, 1) if playouts else -1
                certain = 0.5 if winner == 2 else float(winner == me)
                here = chances(facts[line], [there], keys, me)[:, 0] if winner < 0 else certain
                won[:, column] = here
            best = int(won.mean(axis=0).argmax())
            is_won = not playouts and won[0, best] == 1
            if is_won or (not line and _lead(won, best) > 1):
                reply, by = covered[best][0], line
        battle.answer_legal(reply)
    assert not is_won or battle.state.winner == me
    return 0.5 if battle.state.winner is None else float(battle.state.winner == me)


def _lead(won, answer):
    """Return by how many standard errors an answer is ahead of the rules' one."""
    return ahead(won[:, answer], won[:, 0]) if (won[:, answer] != won[:, 0]).any() else 0.0


def report(rows):
    """Yield a table of the gains by kind, in per cent of a battle."""
    results = {row["battle"]: float(row["won"]) for row in rows}
    battles = len(results)
    place = {number: index for index, number in enumerate(results)}
    sums = defaultdict(lambda: np.zeros((battles, 5)))
    for row in rows:
        found = [100 * float(row[name]) for name in ("found", "sure", "most")]
        for name in (row["kind"], "all"):
            sums[name][place[row["battle"]]] += np.array([1, float(row["left"]), *found])
    won = np.array(list(results.values()))
    error = float(won.std()) / np.sqrt(battles)
    yield f"{battles} battles, of which {100 * won.mean():.1f} ± {100 * error:.1f} % were won"
    yield f"{'kind':44}{'a battle':>9}{'left':>7}{'found':>15}{'sure':>15}{'most':>15}"
    for name, each in sorted(sums.items(), key=lambda item: -item[1][:, 4].sum()):
        mean, errors = each.mean(axis=0), each.std(axis=0) / np.sqrt(battles)
        yield f"{name:44.44}{mean[0]:9.2f}{mean[1]:7.2f}" + "".join(
            f"{mean[k]:8.2f} ± {errors[k]:4.2f}" for k in (2, 3, 4)
        )


def measure(file, playouts, minutes, battles):
    """Add battles to a file until the time is up, and yield the report."""
    begun_s = time.process_time()
    if not file.exists():
        file.write_text(",".join(COLUMNS) + "\n")
    with file.open() as there:
        rows = list(csv.DictReader(there))
    number = max((int(row["battle"]) for row in rows), default=-1) + 1
    with file.open("a", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        while number < battles and time.process_time() - begun_s < 60 * minutes:
            for row in decisions(number, playouts):
                shown = [f"{x:.5f}" if isinstance(x, float) else str(x) for x in row]
                writer.writerow(shown)
                rows.append(dict(zip(COLUMNS, shown, strict=True)))
            out.flush()
            number += 1
    yield from report(rows)


def main():
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=Path("battle_skill.csv"))
    parser.add_argument("--rules", action="store_true", help="play the rules alone")
    parser.add_argument("--first", action="store_true", help="what the first player wins")
    parser.add_argument("--ceilings", action="store_true", help="what knowing all throws wins")
    parser.add_argument("--turn", action="store_true", help="with --ceilings: those of the turn")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--playouts", type=int, default=4_000)
    parser.add_argument("--battles", type=int, default=1_000, help="most battles in the file")
    given = parser.parse_args()
    compiling.INTERPRETED_S = 0.0
    if given.first:
        for kind in ("greedy", "skilled"):
            for options in ({}, {"first_picks": 1}):
                click.echo(first_wins(kind, 500, **options))
        return
    if given.ceilings:
        playouts = given.playouts if given.turn else 0
        won = np.array([foreseen(number, playouts) for number in range(given.battles)])
        error = won.std() / np.sqrt(won.size)
        click.echo(f"{100 * won.mean():.1f} ± {100 * error:.1f} % of {won.size} battles won")
        return
    if given.rules:
        won = rules_alone(100)
        error = won.std() / np.sqrt(won.size)
        click.echo(f"{won.size} battles, of which {100 * won.mean():.2f} ± {100 * error:.2f} % won")
        return
    for line in measure(given.file, given.playouts, given.minutes, given.battles):
        click.echo(line)


if __name__ == "__main__":
    main()
