"""The arena: battles between kinds of players or decks, with the same throws for all.

In a round every player sits once on every seat: a battle has as many players as there are kinds,
and they move on by one seat from battle to battle, while the seed stays. So luck with decks and
with the first turn cancels out, and a round is the trial that intervals are made of. `ARENA` is the
experiment, whose cases are the players of `entrant_cases`.

A round of two decks is a mirrored pair: `play_mirrored` plays them, a `MirroredTally` counts their
points.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from physics.facts import fact
from physics.tally import Counts, per_trial, total_of
from sim.experiments import Case, Experiment, Proportion, bootstrap_mean
from sim.experiments.experiment import Cell
from sim.pokepucks.battle.playouts import begin_to_compile_battles
from sim.pokepucks.battle.record import table_json
from sim.pokepucks.battle.series import play_series
from sim.pokepucks.battle.setup_file import Deck, deck_table, house_table, numbered
from sim.pokepucks.battle.table import MAX_PLAYERS, Table
from sim.pokepucks.designs import Design
from sim.pokepucks.tournament import Contest, in_battle, interval, spawned_seed

Decks = Sequence[Design] | Sequence[Deck] | Table
"""Decks of the players of a round: slammers, of which each round draws one for each seat, with
house decks; a deck for each kind, which it takes along to every seat; or a set-up."""


@fact
class EntrantTally(Counts):
    """Rounds of k players from the view of one of them.

    Example:
        >>> tally = EntrantTally(trials=1, points=(0, 0, 0, 1, 0), wins=1, draws=1, turns=30)
        >>> tally.players, tally.won.value
        (2, 0.75)
    """

    points: tuple[int, ...] = per_trial(adds_up=True)
    """(k * k + 1,); rounds by points: k for a battle won, 1 for a draw."""
    wins: int = per_trial(MAX_PLAYERS)  # battles
    draws: int = per_trial(MAX_PLAYERS)
    turns: int = in_battle(MAX_PLAYERS)  # of all battles

    def agrees(self) -> bool:
        """True if the points are those of the battles won and drawn."""
        return (
            len(self.points) == self.players**2 + 1
            and total_of(self.points) == self.players * self.wins + self.draws
            and self.wins + self.draws <= self.players * self.trials
        )

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


@fact
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
    players, contest = len(entrants), entrants[0].contest
    kinds = [entrant.kind for entrant in entrants]
    points = np.zeros((count, players), int)
    wins, draws, turns = np.zeros(players, int), 0, 0
    rounds: dict[tuple[int, ...], list[int]] = {}
    for number in range(first, first + count):
        rounds.setdefault(_drawn(entrants[0].decks, players, seed, number), []).append(number)
    for drawn, numbers in rounds.items():
        seeds = [spawned_seed(seed, number) for number in numbers]
        rows = np.array(numbers) - first
        for shift in range(players):
            seats = _seats(players, shift)
            table = table_of(contest, entrants[0].decks, drawn, seats)
            series = play_series(table, [kinds[place] for place in seats], contest.throws, seeds)
            won = series.winner[:, None] == np.argsort(seats)
            points[rows] += np.where(series.winner[:, None] < 0, 1, players * won)
            wins += won.sum(axis=0)
            draws += int((series.winner < 0).sum())
            turns += int(series.turns.sum())
    return [
        EntrantTally(
            trials=count,
            points=tuple(np.bincount(points[:, place], minlength=players**2 + 1).tolist()),
            wins=int(wins[place]),
            draws=draws,
            turns=turns,
        )
        for place in range(players)
    ]


def _drawn(decks: Decks, players: int, seed: int, number: int) -> tuple[int, ...]:
    """Return the slammers that a round draws, by their places; none if there are decks."""
    if isinstance(decks, Table) or own_decks(decks):
        return ()
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    return tuple(rng.integers(len(decks), size=players).tolist())


def table_of(contest: Contest, decks: Decks, drawn: Sequence[int], seats: Sequence[int]) -> Table:
    """Return the set-up of a battle.

    Args:
        contest: Options and pucks.
        decks: The decks of the players.
        drawn: For slammers with house decks, those of the seats by their places.
        seats: For decks that the players take along, the player on each seat.
    """
    if isinstance(decks, Table):
        return decks
    own = own_decks(decks)
    if own:
        return deck_table([own[place] for place in seats], contest.options, contest.catalogue)
    slammers = [deck for index in drawn if isinstance(deck := decks[index], Design)]
    return house_table(slammers, contest.options, contest.catalogue)


def first_tables(contest: Contest, decks: Decks, players: int) -> list[Table]:
    """Return set-ups that have every slammer and deck of an arena."""
    drawn = [(0,) * players]
    if not isinstance(decks, Table) and not own_decks(decks):
        drawn = [(place,) * players for place in range(len(decks))]
    return [table_of(contest, decks, places, range(players)) for places in drawn]


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


def _prepare(entrant: Entrant) -> None:
    if "expert" in entrant.kind:
        begin_to_compile_battles()


ARENA: Experiment[Entrant, EntrantTally] = Experiment(
    name="arena",
    tally=EntrantTally,
    run=play_rounds,
    columns=_columns,
    version=2,
    chunk=1,
    together=True,
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


@fact
class MirroredTally(Counts):
    """Counts of mirrored pairs of battles by their points, and by their gain over a reference.

    The gain of a pair are its points less those of the reference in the pair with the same throws.

    Example:
        >>> tally = tally_points([4, 4, 2], [2, 4, 2])
        >>> tally.trials, round(tally.won.value, 3), round(tally.gain.value, 3)
        (3, 0.833, 0.167)
    """

    trials: int = 0  # pairs
    points: tuple[int, ...] = per_trial(adds_up=True, default=(0,) * len(_SHARES))
    """(5,); pairs with 0 to 4 points."""
    gains: tuple[int, ...] = (0,) * len(_GAINS)  # (9,); -4 to 4; 0 without a reference
    uses: int = in_battle(2)  # of the special rule that they are about, by its player

    def agrees(self) -> bool:
        """True if each pair has its points, and all or none a gain."""
        lengths = len(self.points), len(self.gains)
        return lengths == (len(_SHARES), len(_GAINS)) and sum(self.gains) in (0, self.trials)

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


def tally_points(
    points: Sequence[int], reference: Sequence[int] = (), uses: int = 0
) -> MirroredTally:
    """Return the tally of pairs from their points, and from those of a reference if given."""
    gains = [mine - its for mine, its in zip(points, reference, strict=True)] if reference else []
    return MirroredTally(
        trials=len(points),
        points=tuple(points.count(k) for k in range(MOST_POINTS + 1)),
        gains=tuple(gains.count(k) for k in range(-MOST_POINTS, MOST_POINTS + 1)),
        uses=uses,
    )


def compare_mirrored(
    contest: Contest, mine: Deck, rival: Deck, seeds: Sequence[int], *,
    reference: Deck | None, rule: str,
) -> MirroredTally:  # fmt: skip
    """Play mirrored pairs of a deck, and of a reference with the same seeds; tally both.

    Args:
        contest: Options, pucks and throws.
        mine: The deck.
        rival: The deck that they play against.
        seeds: The seed of each pair.
        reference: The deck whose points are subtracted; None for none.
        rule: The special rule whose uses by the deck's player are counted.
    """
    points, uses = play_mirrored(contest, mine, rival, seeds)
    its: list[int] = []
    if reference == rival:  # a deck wins half of its mirrored pairs against itself
        its = [MOST_POINTS // 2] * len(seeds)
    elif reference == mine:
        its = points
    elif reference is not None:
        its, _ = play_mirrored(contest, reference, rival, seeds)
    return tally_points(points, its, uses.get(rule, 0))


def play_mirrored(
    contest: Contest, mine: Deck, rival: Deck, seeds: Sequence[int]
) -> tuple[list[int], dict[str, int]]:
    """Return the points of a deck against another in the mirrored pair of each seed.

    Returns:
        The points, and how often the deck's player used each special rule.

    Example:
        >>> from sim.pokepucks.battle.setup_file import house_deck
        >>> from sim.pokepucks.throw_sources import shipped_table
        >>> contest = Contest(throws=shipped_table())
        >>> onix = house_deck(contest.catalogue.find("onix"), 14, contest.catalogue)
        >>> play_mirrored(contest, onix, onix, [7])[0]
        [2]
    """
    points, uses = np.zeros(len(seeds), int), Counter[str]()
    for seat, decks in enumerate(((mine, rival), (rival, mine))):
        table = deck_table(decks, contest.options, contest.catalogue)
        series = play_series(table, [contest.policy] * 2, contest.throws, seeds)
        points += np.where(series.winner < 0, 1, 2 * (series.winner == seat))
        uses.update({rule: n for (player, rule), n in series.uses.items() if player == seat})
    return points.tolist(), uses
