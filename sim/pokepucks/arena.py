"""The arena: battles between kinds of players, each round with the same slammers, decks and throws.

In a round every kind sits once on every seat: a battle has as many players as there are kinds, and
the kinds move on by one seat from battle to battle, while seed and decks stay. So luck with decks
and with the first turn cancels out, and a round is the unit that intervals are made of. Begin with
`play_rounds`; `win_rates` sums up.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.core.ordered_work import in_order
from sim.odds import Proportion
from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.players import player_of
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import Table
from sim.pokepucks.designs import Design
from sim.pokepucks.tournament import Contest

if TYPE_CHECKING:
    from concurrent.futures import Executor

ROUND_COLUMNS = ("round", "battle", "kinds", "slammers", "winner", "turns", "seed")

_RESAMPLES = 2_000
_RESAMPLING_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaBattle:
    """The result of one battle of a round.

    Attributes:
        seats: The place of each seat's player in the list of kinds.
        names: The name of each seat's player, which is that of the slammer in house decks.
        winner: The place of the winner in the list of kinds; None for a draw.
        turns: Number of turns.
        seed: Seed of throws and decisions, the same in the whole round.
    """

    seats: tuple[int, ...]
    names: tuple[str, ...]
    winner: int | None
    turns: int
    seed: int


Round = tuple[ArenaBattle, ...]


def play_rounds(
    contest: Contest,
    kinds: Sequence[str],
    decks: Sequence[Design] | Table,
    rounds: int,
    *,
    seed: int,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[Round]:
    """Play rounds between kinds of players, and yield each as it is done.

    Args:
        contest: Throws, options and pucks; its policy is not used.
        kinds: The kinds of players, as many as sit at the table; one may be there twice.
        decks: Slammers, of which each round draws one for each seat, with house decks; or a whole
            set-up, the same in every round.
        rounds: Number of rounds, of as many battles as there are kinds.
        seed: The seed. The same seed gives the same rounds for any number of processes.
        executor: Executor that plays the battles; None for this process.
        window: Calls in the executor at a time.

    Raises:
        InputError: A kind is unknown, or so many players cannot play.
    """
    for kind in kinds:
        player_of(kind)
    contest.options.check_players(len(kinds))
    tasks = ((contest, tuple(kinds), decks, seed, number) for number in range(rounds))
    return in_order(play_round, tasks, executor, window)


def play_round(
    contest: Contest,
    kinds: tuple[str, ...],
    decks: Sequence[Design] | Table,
    seed: int,
    number: int,
) -> Round:
    """Play one round; see `play_rounds`.

    Example:
        >>> from sim.pokepucks.design_file import shipped_catalogue
        >>> from sim.pokepucks.throw_sources import shipped_table
        >>> decks = [shipped_catalogue().find("onix")]
        >>> played = play_round(Contest(throws=shipped_table()), ("greedy", "random"), decks, 1, 0)
        >>> [battle.seats for battle in played]
        [(0, 1), (1, 0)]
    """
    mixed = np.random.SeedSequence(seed, spawn_key=(number,))
    own_seed = int(mixed.generate_state(1, np.uint64)[0])
    if isinstance(decks, Table):
        table = decks
    else:
        drawn = np.random.default_rng(mixed).integers(len(decks), size=len(kinds))
        slammers = [decks[index] for index in drawn.tolist()]
        table = house_table(slammers, contest.options, contest.catalogue)
    return tuple(_play(contest, kinds, table, own_seed, shift=shift) for shift in range(len(kinds)))


def _play(
    contest: Contest, kinds: tuple[str, ...], table: Table, seed: int, *, shift: int
) -> ArenaBattle:
    seats = tuple((seat + shift) % len(kinds) for seat in range(len(kinds)))
    players = [player_of(kinds[place]) for place in seats]
    *_, last = play_battle(table, players, contest.throws, seed)
    winner = last.after.winner
    return ArenaBattle(
        seats=seats,
        names=table.names,
        winner=None if winner is None else seats[winner],
        turns=last.after.turn.number,
        seed=seed,
    )


def win_rates(kinds: Sequence[str], rounds: Sequence[Round]) -> list[Proportion]:
    """Return the share of the battles that each kind won, with a 95 % bootstrap interval.

    A draw counts as an equal part of a win for each. The interval is made of rounds drawn anew with
    replacement, since the battles of a round have their luck in common.

    Args:
        kinds: The kinds, in the order of the places in ``rounds``.
        rounds: The rounds, at least one.
    """
    players = len(kinds)
    points = np.zeros((len(rounds), players))
    for row, battles in enumerate(rounds):
        for battle in battles:
            if battle.winner is None:
                points[row] += 1 / players
            else:
                points[row, battle.winner] += 1
    points /= players
    rng = np.random.default_rng(_RESAMPLING_SEED)
    drawn = rng.integers(len(rounds), size=(_RESAMPLES, len(rounds)))
    means = points[drawn].mean(axis=1)  # (resamples, kinds)
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return [
        Proportion(value=float(value), low=float(below), high=float(above))
        for value, below, above in zip(points.mean(axis=0), low, high, strict=True)
    ]


def rounds_csv(kinds: Sequence[str], rounds: Sequence[Round]) -> str:
    """Return battles as CSV: the kinds in order of seats, and the place of the winner from 1."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ROUND_COLUMNS)
    for number, battles in enumerate(rounds):
        for index, battle in enumerate(battles):
            seated = " ".join(kinds[place] for place in battle.seats)
            winner = "" if battle.winner is None else battle.winner + 1
            names = "; ".join(battle.names)
            writer.writerow([number, index, seated, names, winner, battle.turns, battle.seed])
    return text.getvalue()
