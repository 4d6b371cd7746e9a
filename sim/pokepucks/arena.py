"""The arena: battles between kinds of players or decks, with the same throws for all.

In a round every player sits once on every seat: a battle has as many players as there are kinds,
and they move on by one seat from battle to battle, while the seed stays. So luck with decks and
with the first turn cancels out, and a round is the unit that intervals are made of. Begin with
`play_rounds`; `win_rates` sums up, `rounds_csv` and `read_rounds` store the battles.

A round of two decks is a mirrored pair: `play_mirrored` plays many of them with little memory, and
a `MirroredTally` counts their points.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from physics import PHYSICS_VERSION, InputError
from physics.parsing import parse_csv
from sim.core.files import version
from sim.core.ordered_work import in_order
from sim.experiments import Proportion
from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.player_kinds import player_of
from sim.pokepucks.battle.record import table_json
from sim.pokepucks.battle.setup_file import Deck, deck_table, house_table
from sim.pokepucks.battle.table import Table
from sim.pokepucks.designs import Design
from sim.pokepucks.tournament import Contest, settings_hash

if TYPE_CHECKING:
    from concurrent.futures import Executor

ROUND_COLUMNS = (
    "round", "battle", "kinds", "slammers", "winner", "turns", "seed", "version", "physics",
    "engine", "contest_hash",
)  # fmt: skip

Decks = Sequence[Design] | Sequence[Deck] | Table
"""Decks of the players of a round: slammers, of which each round draws one for each seat, with
house decks; a deck for each kind, which it takes along to every seat; or a set-up."""

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
    decks: Decks,
    rounds: int,
    *,
    seed: int,
    begin: int = 0,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[Round]:
    """Play rounds between kinds of players, and yield each as it is done.

    Args:
        contest: Throws, options and pucks; its policy is not used.
        kinds: The kinds of players, as many as sit at the table; one may be there twice.
        decks: The decks.
        rounds: Number of rounds, of as many battles as there are kinds.
        seed: The seed. The same seed gives the same rounds for any number of processes.
        begin: Rounds played already, which are left out.
        executor: Executor that plays the battles; None for this process.
        window: Calls in the executor at a time.

    Raises:
        InputError: A kind is unknown, or so many players cannot play.
    """
    for kind in kinds:
        player_of(kind)
    contest.options.check_players(len(kinds))
    tasks = ((contest, tuple(kinds), decks, seed, number) for number in range(begin, rounds))
    return in_order(play_round, tasks, executor, window)


def play_round(
    contest: Contest,
    kinds: tuple[str, ...],
    decks: Decks,
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
    own = _own_decks(decks)
    if own:
        tables = [_table(contest, [own[p] for p in _seats(len(kinds), k)]) for k in range(len(own))]
    elif isinstance(decks, Table):
        tables = [decks] * len(kinds)
    else:
        drawn = np.random.default_rng(mixed).integers(len(decks), size=len(kinds)).tolist()
        slammers = [deck for index in drawn if isinstance(deck := decks[index], Design)]
        tables = [house_table(slammers, contest.options, contest.catalogue)] * len(kinds)
    return tuple(
        _play(contest, kinds, table, own_seed, shift=shift) for shift, table in enumerate(tables)
    )


def _own_decks(decks: Decks) -> list[Deck]:
    """Return the decks that the players take along from seat to seat; none if they do not."""
    return [] if isinstance(decks, Table) else [deck for deck in decks if isinstance(deck, Deck)]


def _table(contest: Contest, decks: Sequence[Deck]) -> Table:
    return deck_table(decks, contest.options, contest.catalogue)


def _seats(players: int, shift: int) -> tuple[int, ...]:
    """Return the place in the list of kinds of the player on each seat."""
    return tuple((seat + shift) % players for seat in range(players))


def _play(
    contest: Contest, kinds: tuple[str, ...], table: Table, seed: int, *, shift: int
) -> ArenaBattle:
    seats = _seats(len(kinds), shift)
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

    A draw counts as an equal part of a win for each. Rounds are the observations of the bootstrap,
    since the battles of a round have their luck in common.

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
    # Few different rounds occur, so that counts of them are weighted instead of each round.
    seen, counts = np.unique(points, axis=0, return_counts=True)
    values = np.vstack((seen, np.eye(players)))  # one round beforehand, won by each in part
    prior = np.repeat((0.0, 1 / players), (len(seen), players))
    low, high = _bootstrapped(np.concatenate((counts, np.zeros(players))) + prior, values)
    return [
        Proportion(value=value, low=min(below, value), high=max(above, value))
        for value, below, above in zip(
            points.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]


def _bootstrapped(
    weights: npt.NDArray[np.float64], values: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the ends of the 95 % interval of the mean of values that occurred so often.

    The interval is that of the Bayesian bootstrap (D. B. Rubin, Ann. Stat. 9 (1981) 130). The
    weights hold one more observation than was made, spread over what was possible: an interval of
    few observations that were all alike is not a point, as it would be with the plain bootstrap.
    """
    rng = np.random.default_rng(_RESAMPLING_SEED)
    drawn = rng.dirichlet(weights, size=_RESAMPLES) @ values
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    return low, high


def rounds_hash(contest: Contest, kinds: Sequence[str], decks: Decks, seed: int) -> str:
    """Return 12 hexadecimal digits that identify the battles of rounds with all their settings."""
    if isinstance(decks, Table):
        brought: object = table_json(decks)
    else:
        brought = [
            [deck.name, [d.name for d in (*deck.slammers, *deck.pucks)]]
            if isinstance(deck, Deck)
            else deck.name
            for deck in decks
        ]
    return settings_hash(contest, list(kinds), brought, seed)


def rounds_csv(
    kinds: Sequence[str], rounds: Sequence[Round], *, contest_hash: str, engine: str
) -> str:
    """Return battles as CSV: the kinds in order of seats, and the place of the winner from 1."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ROUND_COLUMNS)
    origin = (version(), PHYSICS_VERSION, engine, contest_hash)
    for number, battles in enumerate(rounds):
        for index, battle in enumerate(battles):
            seated = " ".join(kinds[place] for place in battle.seats)
            winner = "" if battle.winner is None else battle.winner + 1
            names = "; ".join(battle.names)
            writer.writerow(
                [number, index, seated, names, winner, battle.turns, battle.seed, *origin]
            )
    return text.getvalue()


def read_rounds(
    text: str, where: str, kinds: Sequence[str], *, contest_hash: str, engine: str
) -> list[Round]:
    """Read the rounds of a CSV of `rounds_csv` back.

    Args:
        text: The file's text.
        where: Name of the file in errors.
        kinds: The kinds of players that it must have.
        contest_hash: Hash of the settings that it must have.
        engine: The engine that it must have.

    Raises:
        InputError: It is no such file, or has battles of other settings or another version.
    """
    origin = {
        "version": version(),
        "physics": str(PHYSICS_VERSION),
        "engine": engine,
        "contest_hash": contest_hash,
    }
    found: list[list[ArenaBattle]] = []
    for line, row in parse_csv(text, where):
        missing = [name for name in ROUND_COLUMNS if name not in row]
        if missing:
            raise InputError(f"{where}: line {line} is no battle: column {missing[0]} is missing")
        if any(row[name] != value for name, value in origin.items()):
            raise InputError(
                f"{where} has battles of other players, decks, options, throws, seed or version, "
                "which would be lost; give another file"
            )
        try:
            battle = _battle_from(row, len(kinds), line - 2)
        except ValueError as error:
            raise InputError(f"{where}: line {line} is no battle: {error}") from None
        if row["battle"] == "0":
            found.append([])
        found[-1].append(battle)
    return [tuple(battles) for battles in found if len(battles) == len(kinds)]


def _battle_from(row: dict[str, str], players: int, number: int) -> ArenaBattle:
    if (int(row["round"]), int(row["battle"])) != divmod(number, players):
        raise ValueError("it is out of order")
    winner = int(row["winner"]) - 1 if row["winner"] else None
    if winner is not None and not 0 <= winner < players:
        raise ValueError(f"there is no player {winner + 1}")
    return ArenaBattle(
        seats=_seats(players, int(row["battle"])),
        names=tuple(row["slammers"].split("; ")),
        winner=winner,
        turns=int(row["turns"]),
        seed=int(row["seed"]),
    )


MOST_POINTS = 4
"""Points of a mirrored pair: two for each battle won, one for each draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MirroredTally:
    """Counts of mirrored pairs of battles by their points, and by their gain over a reference.

    A pair of battles with the same throws has 0 to 4 points: two for a battle won, one for a draw.
    The gain of a pair are its points less those of the reference in the pair with the same throws.

    Attributes:
        points: Shape (5,); pairs with 0 to 4 points.
        gains: Shape (9,); pairs with a gain of -4 to 4; all 0 where there is no reference.

    Example:
        >>> tally = tally_points([4, 4, 2], [2, 4, 2])
        >>> tally.pairs, round(tally.won.value, 3), round(tally.gain.value, 3)
        (3, 0.833, 0.167)
    """

    points: tuple[int, ...] = (0,) * (MOST_POINTS + 1)
    gains: tuple[int, ...] = (0,) * (2 * MOST_POINTS + 1)

    def __add__(self, other: Self) -> "MirroredTally":
        """Return the tally of both sets of pairs."""
        return MirroredTally(
            points=tuple(a + b for a, b in zip(self.points, other.points, strict=True)),
            gains=tuple(a + b for a, b in zip(self.gains, other.gains, strict=True)),
        )

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self.points)

    @property
    def share(self) -> float:
        """Share of the battles won, a draw counting half; there must be a pair."""
        return float(np.dot(self.points, _SHARES)) / self.pairs

    @property
    def won(self) -> Proportion:
        """Share of the battles won, a draw counting half, with its 95 % interval."""
        return _mean(self.points, _SHARES)

    @property
    def gain(self) -> Proportion:
        """Share won less that of the reference, -1 to 1, with its 95 % interval."""
        return _mean(self.gains, _GAINS)


_MOST_COUNTED = 10**12
_SHARES = np.linspace(0.0, 1.0, MOST_POINTS + 1)
_GAINS = np.linspace(-1.0, 1.0, 2 * MOST_POINTS + 1)


def _mean(counts: Sequence[int], values: npt.NDArray[np.float64]) -> Proportion:
    """Return the mean of values that occurred so often, with its 95 % interval."""
    seen = np.asarray(counts, dtype=float)
    value = float(seen @ values / seen.sum())
    low, high = _bootstrapped(seen + 1 / len(values), values)
    return Proportion(value=value, low=min(float(low), value), high=max(float(high), value))


def tally_points(points: Sequence[int], reference: Sequence[int] = ()) -> MirroredTally:
    """Return the tally of pairs from their points, and from those of a reference if given."""
    gains = [mine - its for mine, its in zip(points, reference, strict=True)] if reference else []
    return MirroredTally(
        points=tuple(points.count(k) for k in range(MOST_POINTS + 1)),
        gains=tuple(gains.count(k) for k in range(-MOST_POINTS, MOST_POINTS + 1)),
    )


POINT_COLUMNS = tuple(f"points{k}" for k in range(MOST_POINTS + 1))
GAIN_COLUMNS = tuple(f"gain{k:+d}" for k in range(-MOST_POINTS, MOST_POINTS + 1))
"""Columns of files for the counts of a tally."""


def tally_from(row: Mapping[str, str]) -> MirroredTally:
    """Return the tally of a row of a file.

    Raises:
        ValueError: A count is missing, or is no number from 0 to 10**12.
    """
    missing = [name for name in (*POINT_COLUMNS, *GAIN_COLUMNS) if name not in row]
    if missing:
        raise ValueError(f"column {missing[0]} is missing")
    points, gains = (
        tuple(int(row[name]) for name in names) for names in (POINT_COLUMNS, GAIN_COLUMNS)
    )
    if not 0 <= min(*points, *gains) <= max(*points, *gains) <= _MOST_COUNTED:
        raise ValueError(f"a count is not from 0 to {_MOST_COUNTED}")
    return MirroredTally(points=points, gains=gains)


def play_mirrored(contest: Contest, mine: Deck, rival: Deck, seeds: Sequence[int]) -> list[int]:
    """Return the points of a deck against another in the mirrored pair of each seed.

    Args:
        contest: Throws, options, pucks, and the kind of both players.
        mine: The deck.
        rival: The other deck.
        seeds: The seed of each pair; its battles are played from either seat.

    Example:
        >>> from sim.pokepucks.battle.setup_file import house_deck
        >>> from sim.pokepucks.throw_sources import shipped_table
        >>> contest = Contest(throws=shipped_table())
        >>> onix = house_deck(contest.catalogue.find("onix"), 14, contest.catalogue)
        >>> play_mirrored(contest, onix, onix, [7])
        [2]
    """
    points = [0] * len(seeds)
    for seat, decks in enumerate(((mine, rival), (rival, mine))):
        table = _table(contest, decks)  # one after the other, as rules are sorted for each table
        for index, seed in enumerate(seeds):
            players = [player_of(contest.policy) for _ in decks]
            *_, last = play_battle(table, players, contest.throws, seed)
            winner = last.after.winner
            points[index] += 1 if winner is None else 2 * int(winner == seat)
    return points


def pair_seed(seed: int, *key: int) -> int:
    """Return the seed of a mirrored pair, different for every key."""
    mixed = np.random.SeedSequence(seed, spawn_key=key)
    return int(mixed.generate_state(1, np.uint64)[0])
