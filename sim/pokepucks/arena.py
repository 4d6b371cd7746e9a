"""The arena: battles between kinds of players or decks, with the same throws for all.

In a round every player sits once on every seat: a battle has as many players as there are kinds,
and they move on by one seat from battle to battle, while the seed stays. So luck with decks and
with the first turn cancels out, and a round is the trial that intervals are made of. `ARENA` is the
experiment, whose cases are the players of `entrant_cases`.

A round of two decks is a mirrored pair: `play_mirrored` plays them, a `MirroredTally` counts their
points.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from physics.tally import Counts
from sim.experiments import Case, Experiment, Proportion, bootstrap_mean
from sim.experiments.experiment import Cell
from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.player_kinds import player_of
from sim.pokepucks.battle.playouts import begin_to_compile_battles
from sim.pokepucks.battle.record import table_json
from sim.pokepucks.battle.setup_file import Deck, deck_table, house_table, numbered
from sim.pokepucks.battle.table import Table
from sim.pokepucks.designs import Design
from sim.pokepucks.tournament import Contest, interval, spawned_seed

Decks = Sequence[Design] | Sequence[Deck] | Table
"""Decks of the players of a round: slammers, of which each round draws one for each seat, with
house decks; a deck for each kind, which it takes along to every seat; or a set-up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantTally(Counts):
    """Rounds of k players from the view of one of them.

    Example:
        >>> tally = EntrantTally(trials=1, points=(0, 0, 0, 1, 0), wins=1, draws=1, turns=30)
        >>> tally.players, tally.won.value
        (2, 0.75)
    """

    points: tuple[int, ...]  # (k * k + 1,); rounds by points: k for a battle won, 1 for a draw
    wins: int  # battles
    draws: int
    turns: int  # of all battles

    @property
    def players(self) -> int:
        """Players in a battle, and battles in a round."""
        return math.isqrt(len(self.points) - 1)

    @property
    def won(self) -> Proportion:
        """Share of the battles won, a draw counting 1/k, with its interval over rounds.

        The additional round of the bootstrap is won by each player in part.
        """
        most = len(self.points) - 1
        prior = np.zeros(most + 1)
        prior[-1] = 1 / self.players
        prior[0] = 1 - prior[-1]
        return bootstrap_mean(self.points, np.linspace(0, 1, most + 1).tolist(), prior.tolist())


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player of an arena."""

    contest: Contest  # its policy is not used
    kind: str
    decks: Decks  # the same for all entrants


def play_rounds(
    entrants: Sequence[Entrant], seed: int, first: int, count: int
) -> list[EntrantTally]:
    """Play rounds ``first`` to ``first + count - 1``, and return a tally for each player.

    Example:
        >>> from sim.pokepucks.design_file import shipped_catalogue
        >>> from sim.pokepucks.throw_sources import shipped_table
        >>> decks, contest = [shipped_catalogue().find("onix")], Contest(throws=shipped_table())
        >>> two = [Entrant(contest=contest, kind=k, decks=decks) for k in ("greedy", "random")]
        >>> sum(tally.wins for tally in play_rounds(two, 1, 0, 1))
        2
    """
    players = len(entrants)
    kinds = [entrant.kind for entrant in entrants]
    points, wins = np.zeros((players, players**2 + 1), int), [0] * players
    draws = turns = 0
    for number in range(first, first + count):
        own = [0] * players
        own_seed = spawned_seed(seed, number)
        for shift, table in enumerate(_tables(entrants[0], players, seed, number)):
            seats = _seats(players, shift)
            *_, last = play_battle(
                table,
                [player_of(kinds[place]) for place in seats],
                entrants[0].contest.throws,
                own_seed,
            )
            winner = last.after.winner
            turns += last.after.turn.number
            if winner is None:
                draws += 1
                own = [number + 1 for number in own]
            else:
                own[seats[winner]] += players
                wins[seats[winner]] += 1
        points[range(players), own] += 1
    return [
        EntrantTally(trials=count, points=tuple(line), wins=won, draws=draws, turns=turns)
        for line, won in zip(points.tolist(), wins, strict=True)
    ]


def _tables(entrant: Entrant, players: int, seed: int, number: int) -> list[Table]:
    """Return the set-up of each battle of a round."""
    contest, decks = entrant.contest, entrant.decks
    if isinstance(decks, Table):
        return [decks] * players
    own = own_decks(decks)
    if own:
        return [
            deck_table(
                [own[place] for place in _seats(players, k)], contest.options, contest.catalogue
            )
            for k in range(players)
        ]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    drawn = rng.integers(len(decks), size=players).tolist()
    slammers = [deck for index in drawn if isinstance(deck := decks[index], Design)]
    return [house_table(slammers, contest.options, contest.catalogue)] * players


def own_decks(decks: Decks) -> list[Deck]:
    """Return the decks that the players take along from seat to seat; none if they do not."""
    return [] if isinstance(decks, Table) else [deck for deck in decks if isinstance(deck, Deck)]


def _seats(players: int, shift: int) -> tuple[int, ...]:
    """Return the place in the list of kinds of the player on each seat."""
    return tuple((seat + shift) % players for seat in range(players))


def _columns(tally: EntrantTally, z: float) -> Mapping[str, Cell]:
    del z
    battles = tally.trials * tally.players
    return {
        **interval("p_win", tally.won),
        "battles": battles,
        "wins": tally.wins,
        "draws": tally.draws,
        "turns_mean": round(tally.turns / battles, 3),
    }


def _check(tally: EntrantTally) -> None:
    if sum(tally.points) != tally.trials or tally.players**2 + 1 != len(tally.points):
        raise ValueError("points do not add up to the rounds")
    points = sum(number * rounds for number, rounds in enumerate(tally.points))
    if points != tally.players * tally.wins + tally.draws or min(tally.points) < 0:
        raise ValueError("points do not add up to the battles won")


def _prepare(entrant: Entrant) -> None:
    if "expert" in entrant.kind:
        begin_to_compile_battles()


ARENA: Experiment[Entrant, EntrantTally] = Experiment(
    name="arena",
    tally=EntrantTally,
    run=play_rounds,
    columns=_columns,
    chunk=1,
    together=True,
    check=_check,
    prepare=_prepare,
)


def entrant_cases(contest: Contest, kinds: Sequence[str], decks: Decks) -> list[Case[Entrant]]:
    """Return a case for each player: its name is its kind, its deck, or both."""
    own = own_decks(decks)
    names = list(kinds)
    if own:
        alike = len(set(kinds)) == 1
        names = [
            deck.name if alike else f"{kind} with {deck.name}"
            for kind, deck in zip(kinds, own, strict=True)
        ]
    brought: object = table_json(decks) if isinstance(decks, Table) else list(decks)
    facts = [contest.id, brought]
    return [
        Case(
            subject=Entrant(contest=contest, kind=kind, decks=decks),
            labels={"player": name, "policy": kind, "engine": contest.throws.engine},
            facts=[kind, facts],
        )
        for name, kind in zip(numbered(names), kinds, strict=True)
    ]


MOST_POINTS = 4
"""Points of a mirrored pair: two for each battle won, one for each draw."""

_SHARES = np.linspace(0.0, 1.0, MOST_POINTS + 1).tolist()
_GAINS = np.linspace(-1.0, 1.0, 2 * MOST_POINTS + 1).tolist()


@dataclass(frozen=True, slots=True, kw_only=True)
class MirroredTally(Counts):
    """Counts of mirrored pairs of battles by their points, and by their gain over a reference.

    The gain of a pair are its points less those of the reference in the pair with the same throws.

    Example:
        >>> tally = tally_points([4, 4, 2], [2, 4, 2])
        >>> tally.trials, round(tally.won.value, 3), round(tally.gain.value, 3)
        (3, 0.833, 0.167)
    """

    trials: int = 0  # pairs
    points: tuple[int, ...] = (0,) * (MOST_POINTS + 1)  # (5,); pairs with 0 to 4 points
    gains: tuple[int, ...] = (0,) * (2 * MOST_POINTS + 1)  # (9,); -4 to 4; 0 without a reference

    @property
    def share(self) -> float:
        """Share of the battles won, a draw counting half; there must be a pair."""
        return float(np.dot(self.points, _SHARES)) / self.trials

    @property
    def won(self) -> Proportion:
        """Share of the battles won, a draw counting half, with its 95 % interval."""
        return bootstrap_mean(self.points, _SHARES, [1 / len(_SHARES)] * len(_SHARES))

    @property
    def gain(self) -> Proportion:
        """Share won less that of the reference, -1 to 1, with its 95 % interval."""
        return bootstrap_mean(self.gains, _GAINS, [1 / len(_GAINS)] * len(_GAINS))


def check_mirrored(tally: MirroredTally) -> None:
    """Check counts that were read from a file.

    Raises:
        ValueError: They contradict each other.
    """
    lengths = len(tally.points), len(tally.gains)
    if lengths != (len(_SHARES), len(_GAINS)) or min(*tally.points, *tally.gains) < 0:
        raise ValueError("points and gains are not 5 and 9 counts from 0")
    if sum(tally.points) != tally.trials or sum(tally.gains) not in (0, tally.trials):
        raise ValueError("points or gains do not add up to the pairs")


def tally_points(points: Sequence[int], reference: Sequence[int] = ()) -> MirroredTally:
    """Return the tally of pairs from their points, and from those of a reference if given."""
    gains = [mine - its for mine, its in zip(points, reference, strict=True)] if reference else []
    return MirroredTally(
        trials=len(points),
        points=tuple(points.count(k) for k in range(MOST_POINTS + 1)),
        gains=tuple(gains.count(k) for k in range(-MOST_POINTS, MOST_POINTS + 1)),
    )


def play_mirrored(contest: Contest, mine: Deck, rival: Deck, seeds: Sequence[int]) -> list[int]:
    """Return the points of a deck against another in the mirrored pair of each seed.

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
        # One table after the other, as rules are sorted for each table.
        table = deck_table(decks, contest.options, contest.catalogue)
        for index, seed in enumerate(seeds):
            players = [player_of(contest.policy) for _ in decks]
            *_, last = play_battle(table, players, contest.throws, seed)
            winner = last.after.winner
            points[index] += 1 if winner is None else 2 * int(winner == seat)
    return points
