"""Gain that the best answers would bring: ``python -m tests.benchmarks.battle_skill FILE.csv``.

Battles of the expert's rules against the greedy player, with random slammers, house decks and
recorded slams, both seats in turn. Some decisions of the expert's rules are drawn. Every legal
answer to them is tried in the same playouts to the end of the battle, in which both sides go on by
their rules. By the performance difference lemma (Kakade and Langford, ICML 2002) the share of
battles that a better player wins is greater by the sum of such gains over the decisions of a
battle, as long as the player goes on by the same rules afterwards.

Three estimates are made of each gain. *found*: the answer that is best in half of the playouts,
valued in the other half, which is what a player with so many playouts would gain. *sure*: the same,
but the rule's answer is left only for one that is ahead by two standard errors. *most*: the best
answer valued in the playouts that it was chosen by, which is too high on average, and so a bound.

A row of the file is one decision. Battles already in the file are left out, and the sums are those
of the whole file.
"""

import argparse
import csv
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from sim.bumpers.kernel import compiling
from sim.pokepucks.battle.expert import SeasonedPlayer, answers
from sim.pokepucks.battle.live import LiveBattle, shot_of, throw_generator
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.playout_kernel import LENGTH, Arrays, Encoded, play_out
from sim.pokepucks.battle.playouts import after, arrays_of, drawn_lots
from sim.pokepucks.battle.questions import Asking, Question, ThrowCall, Use
from sim.pokepucks.battle.rules import shipped_rules
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.throw_sources import shipped_table

COLUMNS = ("battle", "kind", "weight", "answers", "chance", "found", "sure", "most", "left")

_DRAWN = 0.15

Floats = npt.NDArray[np.float64]


def chances(
    arrays: Arrays, after_each: Sequence[Encoded], lots: npt.NDArray[np.int16], player: int
) -> Floats:
    """Return what the player won, of shape (playouts, answers)."""
    won = np.zeros((len(lots), len(after_each)))
    winners, scratch = np.zeros(len(lots), np.int8), np.zeros(LENGTH, np.int16)
    for column, battle in enumerate(after_each):
        play_out(arrays, battle, lots, scratch, winners)
        won[:, column] = np.where(winners == 2, 0.5, winners == player)
    return won


def gains(won: Floats) -> tuple[float, float, float, float]:
    """Return the gains found, sure and at most, and how often the rule's answer was left for sure.

    Args:
        won: Shape (playouts, answers); the rule's answer is the first.
    """
    found, sure, left = [], [], []
    for chosen, judged in ((won[::2], won[1::2]), (won[1::2], won[::2])):
        best = int(chosen.mean(axis=0).argmax())
        lead = chosen[:, best] - chosen[:, 0]
        gain = float(judged[:, best].mean() - judged[:, 0].mean())
        clear = best and lead.mean() > 2 * lead.std() / np.sqrt(len(lead))
        found.append(gain)
        sure.append(gain if clear else 0.0)
        left.append(float(clear))
    means = won.mean(axis=0)
    most = float(means.max() - means[0])
    return float(np.mean(found)), float(np.mean(sure)), most, float(np.mean(left))


def kind(question: Question) -> str:
    """Return the kind of a decision."""
    if question.asking is Asking.USE:
        return "use " + "/".join(sorted({o.rule for o in question.options if isinstance(o, Use)}))
    return question.asking + (f" ({question.rule})" if question.rule else "")


def decisions(number: int, playouts: int, drawn: float = _DRAWN) -> Iterator[tuple[object, ...]]:
    """Play a battle, and yield a row for each decision that was drawn."""
    rng = np.random.default_rng([25, number])
    slammers = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
    table = house_table([slammers[k] for k in rng.integers(len(slammers), size=2).tolist()])
    me, throws, rules = number % 2, shipped_table(), shipped_rules()
    players = [SeasonedPlayer(rules=rules), GreedyPlayer(rules=rules)][:: 1 - 2 * me]
    arrays = arrays_of(table, (1 - me, me), throws)
    assert arrays is not None
    battle = LiveBattle(new_battle(table), rules=rules)
    while (ask := battle.ask) is not None:
        if isinstance(ask, ThrowCall):
            battle.answer_legal(
                throws.throw(shot_of(table, ask), throw_generator(number, ask.number))
            )
            continue
        first = players[ask.player].reply(battle.state, ask)
        if ask.player == me and rng.random() < drawn:
            moment = battle.moment()
            tried, _ = answers(moment, first)
            if len(tried) > 1:
                ready = [after(moment, reply, players) for reply in tried]
                if ready[0] is not None:
                    lots = drawn_lots(rng, playouts)
                    won = chances(arrays, [b for b in ready if b is not None], lots, me)
                    yield (
                        number,
                        kind(ask),
                        1 / drawn,
                        won.shape[1],
                        round(float(won[:, 0].mean()), 4),
                        *(round(x, 5) for x in gains(won)),
                    )
                else:
                    yield (number, kind(ask), 1 / drawn, 0, 0, 0, 0, 0, 0)
        battle.answer_legal(first)


def report(rows: Sequence[dict[str, str]], battles: int) -> Iterator[str]:
    """Yield a table of the gains by kind, in per cent of a battle."""
    sums: dict[str, Floats] = defaultdict(lambda: np.zeros((battles, 6)))
    place: dict[str, int] = {}
    for row in rows:
        at = place.setdefault(row["battle"], len(place))
        weight = float(row["weight"])
        for name in (row["kind"], "all"):
            sums[name][at] += weight * np.array(
                [
                    1,
                    *(100 * float(row[c]) for c in ("found", "sure", "most")),
                    float(row["left"]),
                    row["answers"] == "0",
                ]
            )
    yield f"{'kind':44}{'a battle':>9}{'not tried':>10}{'left':>7}" + "".join(
        f"{name:>14}" for name in ("found", "sure", "most")
    )
    for name, found in sorted(sums.items(), key=lambda item: -item[1][:, 3].sum()):
        mean, error = found.mean(axis=0), found.std(axis=0) / np.sqrt(battles)
        yield f"{name:44}{mean[0]:9.2f}{mean[5]:10.2f}{mean[4]:7.2f}" + "".join(
            f"{mean[k]:8.2f} ±{error[k]:5.2f}" for k in (1, 2, 3)
        )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--playouts", type=int, default=4_000)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    compiling.INTERPRETED_S = 0.0
    begun = time.process_time()
    number = given.first
    if not given.file.exists():
        given.file.write_text(",".join(COLUMNS) + "\n")
    with given.file.open() as there:
        rows = list(csv.DictReader(there))
    battles = {int(row["battle"]) for row in rows}
    number = max(battles, default=number - 1) + 1
    with given.file.open("a", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        while time.process_time() - begun < 60 * given.minutes:
            for row in decisions(number, given.playouts):
                writer.writerow(row)
                rows.append(dict(zip(COLUMNS, map(str, row), strict=True)))
            out.flush()
            number += 1
    for line in report(rows, number - given.first):
        click.echo(line)


if __name__ == "__main__":
    main()
