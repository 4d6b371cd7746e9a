"""Search for a deck that wins: successive halving over decks that all play the same throws.

A `DeckSpace` has the decks that a player may bring with a slammer: a number of pucks within limits.
`DeckSearch` plays generation after generation. Each begins with the best deck so far and many
others, and halves them: all play mirrored pairs with the same seeds, the better half goes on with
more of them, until one is left (sequential halving, Z. Karnin, T. Koren and O. Somekh, ICML 2013;
pairs of earlier rounds count on, as in successive halving, K. Jamieson and A. Talwalkar, AISTATS
2016). The first generation has random decks beside the house deck. Later ones look around the best
deck: changes of one puck, and of several, which a linear model of all results so far suggests. As
a deck's own pairs are few, its share is shrunk towards what the model says, by as much as the two
are likely to differ (empirical Bayes, B. Efron and C. Morris, J. Am. Stat. Assoc. 70 (1975) 311).

The best of many is partly the luckiest, so its share in the search is too high. `DeckSearch.test`
plays it on seeds that had no part in the search, beside the deck that the search began with.

All results are counts by stage and deck, which `search_csv` and `read_search` store. A search
that goes on takes what it finds there instead of playing again.
"""

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from physics import PHYSICS_VERSION, InputError
from physics.parsing import parse_csv
from sim.core.files import version
from sim.core.ordered_work import in_order
from sim.pokepucks.arena import (
    GAIN_COLUMNS,
    MOST_POINTS,
    POINT_COLUMNS,
    MirroredTally,
    pair_seed,
    play_mirrored,
    tally_from,
    tally_points,
)
from sim.pokepucks.battle.rules import Point
from sim.pokepucks.battle.setup_file import Deck, LegalPucks, house_deck, legal_names
from sim.pokepucks.designs import Design, name_key
from sim.pokepucks.special import shipped_rules
from sim.pokepucks.tournament import Contest, settings_hash

if TYPE_CHECKING:
    from concurrent.futures import Executor

Counts = tuple[int, ...]
"""The number of each puck of the pool in a deck."""

_GENERATIONS = 4
_PAIRS_A_GENERATION = 60
"""Most generations, and fewest pairs for which there is another one."""

_PAIRS_A_DECK = (10, 40)
_MOST_DECKS = 256
"""Pairs for each deck of the first generation, which has many, and of later ones; most decks."""

_RUNNERS_UP = 3
_MOST_CHANGES = 6
_SUGGESTED_SHARE = 0.75
"""Decks that a generation takes over from the last one beside the best, most changes of a suggested
deck, and share of suggestions among the decks with one change."""

_PAIR_SD, _PUCK_SD = 0.29, 0.015
_PRIOR_PAIRS = (_PAIR_SD / _PUCK_SD) ** 2
"""Scatter of the share won in a pair, measured in 6,819 pairs of decks for Lapras; assumed scatter
of what a puck adds, and of what decks differ by from the linear model; and the pairs that tell as
much as that assumption."""

_CHUNK_PAIRS = 25
"""Pairs that a worker plays before it reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Fewest and most pucks of some kinds in a deck.

    Attributes:
        rule: The rule in words, for errors.
        places: Places in the pool of the pucks that count.
        least: Fewest.
        most: Most.
    """

    rule: str
    places: tuple[int, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSpace:
    """The decks that may be brought with a slammer.

    Attributes:
        house: The slammer with its house deck, which may be outside of the limits.
        pool: The pucks that may be in a deck, those of the house deck first.
        size: Number of pucks in a deck, the slammer left out.
        limits: Limits on their numbers.
    """

    house: Deck
    pool: tuple[Design, ...]
    size: int
    limits: tuple[Limit, ...] = ()

    def deck(self, counts: Counts) -> Deck:
        """Return the deck with so many of each puck of the pool."""
        pucks = [puck for puck, n in zip(self.pool, counts, strict=True) for _ in range(n)]
        return Deck(name=self.house.name, slammers=self.house.slammers, pucks=tuple(pucks))

    def counts(self, deck: Deck) -> Counts:
        """Return how many of each puck of the pool a deck has; others are left out."""
        return tuple(deck.pucks.count(puck) for puck in self.pool)

    def broken(self, counts: Counts) -> list[tuple[Limit, int]]:
        """Return the limits that a deck breaks, and by how many pucks."""
        found = []
        for limit in self.limits:
            number = sum(counts[place] for place in limit.places)
            beyond = max(limit.least - number, number - limit.most)
            if beyond > 0:
                found.append((limit, beyond))
        return found

    def is_legal(self, counts: Counts) -> bool:
        """Return whether a deck has the right size and breaks no limit."""
        return sum(counts) == self.size and not self.broken(counts)

    def changes(self, counts: Counts) -> list[Counts]:
        """Return every deck of the same size that differs in one puck, legal or not."""
        found = []
        for out, number in enumerate(counts):
            for put in range(len(self.pool) if number else 0):
                if put != out:
                    changed = list(counts)
                    changed[out] -= 1
                    changed[put] += 1
                    found.append(tuple(changed))
        return found

    def first(self) -> Counts:
        """Return the house deck, or a legal one that differs from it in few pucks.

        Raises:
            InputError: None was found; the message names a limit that could not be kept.
        """
        counts = self.counts(self.house)

        def excess(deck: Counts) -> int:
            return sum(beyond for _, beyond in self.broken(deck))

        while sum(counts) < self.size:
            more = [(*counts[:k], counts[k] + 1, *counts[k + 1 :]) for k in range(len(counts))]
            counts = min(more, key=excess)
        while excess(counts):
            better = min(self.changes(counts), key=excess, default=counts)
            if excess(better) >= excess(counts):
                raise InputError(
                    f"{self.broken(counts)[0][0].rule}: no deck of {self.size} pucks was found "
                    "that keeps to it and to all other limits; give other limits or pucks"
                )
            counts = better
        return counts

    def random(self, counts: Counts, rng: np.random.Generator) -> Counts:
        """Return a legal deck that is many random legal changes away from another."""
        for _ in range(2 * self.size):
            out = int(rng.choice(np.repeat(np.arange(len(counts)), counts)))
            put = int(rng.integers(len(counts)))
            changed = list(counts)
            changed[out] -= 1
            changed[put] += 1
            if self.is_legal(tuple(changed)):
                counts = tuple(changed)
        return counts


def deck_space(
    slammer: Design,
    contest: Contest,
    rivals: Sequence[Deck],
    *,
    legal: LegalPucks | None = None,
    owned: Deck | None = None,
) -> DeckSpace:
    """Return the decks that may be brought with a slammer, as many pucks as a house deck has.

    Args:
        slammer: The slammer.
        contest: Options and pucks.
        rivals: The decks to play against; limits per battle count their pucks, too.
        legal: The pucks that are legal, and their limits; None for all.
        owned: A collection that the pucks must come from; None for any.

    Where no limit needs them all, there is one puck of those that do the same, such as Energies of
    types that no slammer has.

    Raises:
        InputError: The slammer is not legal, or there are too few pucks.
    """
    options, catalogue = contest.options, contest.catalogue
    size = max(options.buy_in_of(seat, 2) for seat in range(2))
    house = house_deck(slammer, size, catalogue)
    legal = legal or LegalPucks()
    if legal_names(slammer) & legal.banned:
        raise InputError(f"setup legal banned: {slammer.name} is")
    if legal.only and not legal_names(slammer) & legal.only:
        raise InputError(f"setup legal only: {slammer.name} is not in the list")
    designs = dict.fromkeys((*house.pucks, *catalogue.designs))
    pool = [
        design
        for design in designs
        if not design.kind.is_slammer
        and not legal_names(design) & legal.banned
        and (not legal.only or legal_names(design) & legal.only)
        and (owned is None or design in owned.pucks)
    ]
    if not pool:
        raise InputError("setup legal: no puck but slammers is legal; give at least one")
    limits = []
    for name, bounds in legal.per_player.items():
        limits.append(_limit(f"setup legal per_player {name}", name, bounds, pool, (slammer,)))
    for name, bounds in legal.per_battle.items():
        for rival in rivals:
            there = (slammer, *rival.slammers, *rival.pucks)
            limits.append(_limit(f"setup legal per_battle {name}", name, bounds, pool, there))
    if owned is not None:
        limits += _limits_of_owned(owned, pool, size)
    elif not limits and not catalogue.rules:
        slammers = (slammer, *(s for rival in rivals for s in rival.slammers))
        pool = _without_likes(pool, house, slammers)
    return DeckSpace(house=house, pool=tuple(pool), size=size, limits=tuple(limits))


def _limits_of_owned(owned: Deck, pool: Sequence[Design], size: int) -> list[Limit]:
    """Return the limits of a collection: no deck has more of a puck than there are."""
    have = [owned.pucks.count(design) for design in pool]
    if sum(have) < size:
        raise InputError(
            f"collection: {sum(have)} of its pucks are legal and no slammers; give at least {size}"
        )
    return [
        Limit(rule=f"collection {design.name}", places=(place,), least=0, most=number)
        for place, (design, number) in enumerate(zip(pool, have, strict=True))
    ]


def _without_likes(pool: Sequence[Design], house: Deck, slammers: Sequence[Design]) -> list[Design]:
    """Return a pool with one puck of those that do the same, because no slammer has their type.

    Nothing is left out where a slammer may count as of another type.
    """
    rules = shipped_rules()
    changing = [r for r in rules.rules if r.point is Point.MATCHING]
    if any(rule.fits(slammer) for rule in changing for slammer in slammers):
        return list(pool)
    types = {slammer.type for slammer in slammers}
    found: dict[object, Design] = {}
    for puck in pool:
        rule = rules.main_rule(puck)
        is_idle = rule is not None and rule.of_type and puck.type not in types
        alike = (puck.rule, puck.mass_g) if is_idle and puck not in house.pucks else puck
        found.setdefault(alike, puck)
    return list(found.values())


def _limit(
    rule: str,
    name: str,
    bounds: tuple[int, int],
    pool: Sequence[Design],
    there: Sequence[Design],
) -> Limit:
    """Return a limit on a puck or kind, less the pucks of that name that are there already."""
    key = name_key(name)
    used = sum(key in legal_names(design) for design in there)
    places = tuple(place for place, d in enumerate(pool) if key in legal_names(d))
    return Limit(rule=rule, places=places, least=bounds[0] - used, most=bounds[1] - used)


def deck_text(deck: Deck) -> str:
    """Return the pucks of a deck as a text.

    Example:
        >>> from sim.pokepucks.design_file import shipped_catalogue
        >>> potion = shipped_catalogue().find("potion")
        >>> deck_text(Deck(name="two", slammers=(), pucks=(potion, potion)))
        'Potion=2'
    """
    return "; ".join(f"{name}={count}" for name, count in deck.counts.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    """Progress of a search or of a test.

    Attributes:
        done: Pairs played.
        total: Pairs to play.
    """

    done: int
    total: int


Stage = tuple[int, int]
"""A generation and a round of it, from 0."""

_TEST: Stage = (-1, 0)
"""Stage of the test."""


@dataclass(slots=True, kw_only=True)
class DeckSearch:
    """A search for a deck.

    Attributes:
        contest: Throws, options, pucks, and the kind of both players.
        space: The decks that may be brought.
        rivals: The decks to play against; pair after pair it is the turn of the next one.
        battles: Battles of the search, the test left out.
        seed: The seed. Same seed, same search, for any number of workers.
        results: Counts of pairs by stage and deck; those from a file are not played again.
        start: The deck that the search begins with: the house deck, or a legal one near it.
        best: The best deck so far.
    """

    contest: Contest
    space: DeckSpace
    rivals: tuple[Deck, ...]
    battles: int
    seed: int
    results: dict[tuple[Stage, Counts], MirroredTally] = field(default_factory=dict)
    start: Counts = field(init=False)
    best: Counts = field(init=False)

    def __post_init__(self) -> None:
        """Find the deck to begin with."""
        self.start = self.best = self.space.first()

    def run(self, executor: "Executor | None" = None, window: int = 8) -> Iterator[SearchProgress]:
        """Search, and yield the progress; at the end `best` is the result.

        Args:
            executor: Executor that plays the battles; None for this process.
            window: Calls in the executor at a time.
        """
        total = max(self.battles // 2, 1)
        generations = min(max(total // _PAIRS_A_GENERATION, 1), _GENERATIONS)
        each = total // generations
        done, near = 0, [self.best]
        for generation in range(generations):
            number = min(max(each // _PAIRS_A_DECK[generation > 0], 2), _MOST_DECKS)
            alive = self._candidates(generation, number, near)
            rounds = math.ceil(math.log2(len(alive)))
            first = 0
            out: list[Counts] = []
            for halving in range(rounds):
                stage = generation, halving
                more = max(each // rounds // len(alive), 1)
                for pairs in self._play(stage, alive, first, more, executor, window):
                    done += pairs
                    yield SearchProgress(done=done, total=max(total, done))
                first += more
                scores = self._scores(alive, (generation, halving + 1))
                # Equals keep their order, in which the best deck so far is first.
                alive = sorted(alive, key=lambda deck: -scores[deck])
                half = (len(alive) + 1) // 2
                alive, out = alive[:half], [*alive[half:], *out]
            self.best = alive[0]
            near = [self.best, *out[:_RUNNERS_UP]]

    def test(
        self, battles: int, executor: "Executor | None" = None, window: int = 8
    ) -> Iterator[SearchProgress]:
        """Play the best deck on fresh seeds, beside the deck that the search began with.

        The pairs are a multiple of the rivals. `tested` has the result.
        """
        rivals = len(self.rivals)
        total = rivals * math.ceil(max(battles // 2, 1) / rivals)
        done = 0
        for pairs in self._play(_TEST, [self.best], 0, total, executor, window):
            done += pairs
            yield SearchProgress(done=done, total=total)

    @property
    def tested(self) -> MirroredTally:
        """Result of the test; its gains are those over the deck that the search began with."""
        return self.results.get((_TEST, self.best), MirroredTally())

    def _play(
        self,
        stage: Stage,
        decks: Sequence[Counts],
        first: int,
        pairs: int,
        executor: "Executor | None",
        window: int,
    ) -> Iterator[int]:
        """Play pairs ``first`` to ``first + pairs - 1`` with each deck, and yield numbers of pairs.

        Pairs that the results of the stage have already count as played.
        """
        tasks, owners = [], []
        for deck in decks:
            have = min(self.results.get((stage, deck), MirroredTally()).pairs, pairs)
            if have:
                yield have
            for number in range(have, pairs, _CHUNK_PAIRS):
                count = min(_CHUNK_PAIRS, pairs - number)
                tasks.append(self._task(stage, deck, first + number, count))
                owners.append(deck)
        results = in_order(_play_pairs, tasks, executor, window)
        for deck, tally in zip(owners, results, strict=True):
            before = self.results.get((stage, deck), MirroredTally())
            self.results[stage, deck] = before + tally
            yield tally.pairs

    def _task(self, stage: Stage, counts: Counts, first: int, count: int) -> tuple[object, ...]:
        reference = self._as_played(self.start) if stage == _TEST else None
        key = (self.seed, stage[0] + 1)
        mine = self._as_played(counts)
        return self.contest, mine, reference, self.rivals, key, first, count

    def _as_played(self, counts: Counts) -> Deck:
        """Return a deck; the house deck with its pucks in their own order."""
        is_house = counts == self.space.counts(self.space.house)
        return self.space.house if is_house else self.space.deck(counts)

    def _candidates(self, generation: int, number: int, near: Sequence[Counts]) -> list[Counts]:
        """Return the decks of a generation, the best one so far first."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(generation,)))
        changes = [deck for deck in self.space.changes(self.best) if self.space.is_legal(deck)]
        rng.shuffle(changes)
        found = dict.fromkeys(near)
        if generation == 0:
            found |= dict.fromkeys(self.space.random(self.best, rng) for _ in range(number))
            return list(found)[:number]
        worths = self._worths((generation, 0))
        found |= dict.fromkeys(self._suggestions(worths))
        suggested = sorted(changes, key=lambda deck: -float(np.dot(deck, worths)))
        left = number - len(found)
        found |= dict.fromkeys(suggested[: max(round(_SUGGESTED_SHARE * left), 0)])
        found |= dict.fromkeys(changes)
        return list(found)[:number]

    def _suggestions(self, worths: npt.NDArray[np.float64]) -> list[Counts]:
        """Return the best decks by the linear model that are two or more changes from the best."""
        found, deck = [], self.best
        for _ in range(_MOST_CHANGES):
            legal = [other for other in self.space.changes(deck) if self.space.is_legal(other)]
            better = max(legal, key=lambda other: float(np.dot(other, worths)), default=deck)
            if np.dot(better, worths) <= np.dot(deck, worths):
                break
            deck = better
            found.append(deck)
        return found[1:]

    def _worths(self, until: Stage) -> npt.NDArray[np.float64]:
        """Return what one more of each puck adds to the share of battles won, by ridge regression.

        It goes by the stages before ``until``. Each deck weighs as much as the pairs that it
        played, and generations have levels of their own, as they have other seeds.
        """
        gram = _PRIOR_PAIRS * np.eye(len(self.space.pool))
        moments = np.zeros(len(self.space.pool))
        for generation in range(until[0] + 1):
            sums = self._sums(generation, until)
            if not sums:
                continue
            weights = np.array([tally.pairs for tally in sums.values()], dtype=float)
            x = np.array(list(sums), dtype=float)  # (decks, pool)
            y = np.array([tally.share for tally in sums.values()])
            x -= weights @ x / weights.sum()
            y -= weights @ y / weights.sum()
            gram += x.T @ (weights[:, None] * x)
            moments += x.T @ (weights * y)
        return np.asarray(np.linalg.solve(gram, moments))

    def _sums(self, generation: int, until: Stage) -> dict[Counts, MirroredTally]:
        """Return the results of a generation by deck, of the stages before ``until``."""
        sums: dict[Counts, MirroredTally] = {}
        for (stage, deck), tally in self.results.items():
            if stage[0] == generation and stage < until:
                sums[deck] = sums.get(deck, MirroredTally()) + tally
        return sums

    def _scores(self, decks: Sequence[Counts], until: Stage) -> dict[Counts, float]:
        """Return the estimated shares of decks, from the stages before ``until``.

        A deck's own share is shrunk towards that which the linear model gives it.
        """
        worths, sums = self._worths(until), self._sums(until[0], until)
        total = sum(tally.pairs for tally in sums.values())
        level = (
            sum(
                tally.pairs * (tally.share - float(np.dot(deck, worths)))
                for deck, tally in sums.items()
            )
            / total
        )
        return {
            deck: (
                sums[deck].pairs * sums[deck].share
                + _PRIOR_PAIRS * (level + float(np.dot(deck, worths)))
            )
            / (sums[deck].pairs + _PRIOR_PAIRS)
            for deck in decks
        }


def _play_pairs(
    contest: Contest,
    deck: Deck,
    reference: Deck | None,
    rivals: tuple[Deck, ...],
    key: tuple[int, ...],
    first: int,
    count: int,
) -> MirroredTally:
    """Play pairs ``first`` to ``first + count - 1`` of a deck, and of a reference if given."""
    tally = MirroredTally()
    for place, rival in enumerate(rivals):
        numbers = [n for n in range(first, first + count) if n % len(rivals) == place]
        if not numbers:
            continue
        seeds = [pair_seed(*key, number) for number in numbers]
        mine = play_mirrored(contest, deck, rival, seeds)
        if reference is None:
            tally += tally_points(mine)
        elif reference == rival:  # a deck wins half of its mirrored pairs against itself
            tally += tally_points(mine, [MOST_POINTS // 2] * len(seeds))
        elif reference == deck:
            tally += tally_points(mine, mine)
        else:
            tally += tally_points(mine, play_mirrored(contest, reference, rival, seeds))
    return tally


def search_hash(search: DeckSearch) -> str:
    """Return 12 hexadecimal digits that identify a search with all its settings but its length."""
    limits = [asdict(limit) for limit in search.space.limits]
    rivals = [[d.name for d in (*rival.slammers, *rival.pucks)] for rival in search.rivals]
    pool = [design.name for design in search.space.pool]
    slammers = [asdict(design) for design in search.space.house.slammers]
    return settings_hash(
        search.contest, slammers, pool, limits, rivals, search.battles, search.seed
    )


def search_csv(search: DeckSearch) -> str:
    """Return the results of a search as CSV, with a row for each deck of each round.

    The generation of the test is ``test``. Shares are derived from the counts for people.
    """
    text = io.StringIO()
    names = ("generation", "round", "deck", "pairs", "p_win", *POINT_COLUMNS, *GAIN_COLUMNS)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*names, "seed", "version", "physics", "engine", "search_hash"))
    engine = search.contest.throws.engine
    origin = (search.seed, version(), PHYSICS_VERSION, engine, search_hash(search))
    for (stage, counts), tally in search.results.items():
        generation = "test" if stage == _TEST else stage[0] + 1
        deck = deck_text(search.space.deck(counts))
        shares = (tally.pairs, round(tally.share, 6), *tally.points, *tally.gains)
        writer.writerow((generation, stage[1] + 1, deck, *shares, *origin))
    return text.getvalue()


def read_search(text: str, where: str, search: DeckSearch) -> None:
    """Read the results of a CSV of `search_csv` back into a search with the same settings.

    Args:
        text: The file's text.
        where: Name of the file in errors.
        search: The search.

    Raises:
        InputError: It is no such file, or has results of other settings or another version.
    """
    origin = {
        "search_hash": search_hash(search),
        "version": version(),
        "physics": str(PHYSICS_VERSION),
    }
    for line, row in parse_csv(text, where):
        for name in (*origin, "generation", "round", "deck"):
            if name not in row:
                raise InputError(f"{where}: line {line} is no row of a search: no column {name}")
        if any(row[name] != value for name, value in origin.items()):
            raise InputError(
                f"{where} has battles of another slammer, rival, policy, option, seed, version or "
                "length of the search, which would be lost; give another file"
            )
        try:
            stage, counts, tally = _result_from(row, search.space)
        except ValueError as error:
            raise InputError(f"{where}: line {line} is no row of a search: {error}") from None
        if tally.pairs:
            search.results[stage, counts] = tally


def _result_from(row: Mapping[str, str], space: DeckSpace) -> tuple[Stage, Counts, MirroredTally]:
    is_test = row["generation"] == "test"
    stage = _TEST if is_test else (int(row["generation"]) - 1, int(row["round"]) - 1)
    tally, counts = tally_from(row), _counts_from(row["deck"], space)
    if sum(tally.gains) != (tally.pairs if is_test else 0):
        raise ValueError("its counts do not fit together")
    return stage, counts, tally


def _counts_from(text: str, space: DeckSpace) -> Counts:
    """Return the counts of a deck from the text of `deck_text`."""
    numbers = dict.fromkeys((puck.name for puck in space.pool), 0)
    for part in text.split("; "):
        name, _, number = part.rpartition("=")
        if name not in numbers:
            raise ValueError(f"there is no puck {name!r}")
        numbers[name] = int(number)
    counts = tuple(numbers.values())
    if not space.is_legal(counts):
        raise ValueError("its deck is not legal")
    return counts
