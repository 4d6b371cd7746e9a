"""Search for a deck that wins: successive halving, in which all decks meet the same throws.

A `DeckSpace` has the decks that a player may bring with a slammer: a number of pucks within limits.
`DeckSearch` plays generation after generation. Each begins with the best deck so far and many
others, and halves them: all play mirrored pairs with the same seeds, the better half goes on with
more of them, until one is left (sequential halving, Z. Karnin, T. Koren and O. Somekh, ICML 2013;
pairs of earlier rounds count on, as in successive halving, K. Jamieson and A. Talwalkar, AISTATS
2016). The first generation has random decks beside the house deck. Later ones look around the best
deck: changes of one puck, and of several, which a linear model of all results so far suggests. As a
deck's own pairs are few, its share is shrunk towards the model's, by as much as the two are likely
to differ (empirical Bayes, B. Efron and C. Morris, J. Am. Stat. Assoc. 70 (1975) 311).

The best of many is partly the luckiest, so its share in the search is too high. `DeckSearch.test`
plays it on seeds that had no part in the search, beside the deck that the search began with.

`SEARCH` is the experiment: a case is a deck in a round of a generation. A search that goes on takes
the pairs that it finds in its table instead of playing them again.
"""

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.experiments import Case, Experiment, Progress, ResultTable, collect
from pucklab.sim.experiments.experiment import Value, digest
from pucklab.sim.pokepucks.arena import compare_mirrored
from pucklab.sim.pokepucks.battle.rule_book import Point
from pucklab.sim.pokepucks.battle.setup_file import (
    CountLimit,
    Deck,
    LegalPucks,
    deck_table,
    house_deck,
    legal_names,
)
from pucklab.sim.pokepucks.designs import Design, DesignKind, name_key
from pucklab.sim.pokepucks.special import shipped_rules
from pucklab.sim.pokepucks.tournament import (
    COMPILED,
    BattleTally,
    Contest,
    compiled_chunk,
    round_share,
    spawned_seed,
)

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


@fact
class Limit:
    """Fewest and most pucks of some kinds in a deck."""

    rule: str  # in words, for errors
    places: tuple[int, ...]  # in the pool, of the pucks that count
    least: int
    most: int


@fact
class DeckSpace:
    """The decks that may be brought with a slammer."""

    house: Deck  # the slammer with its house deck, which may be outside of the limits
    pool: tuple[Design, ...]  # pucks that may be in a deck, those of the house deck first
    size: int  # pucks in a deck, the slammer left out
    limits: tuple[Limit, ...] = ()

    def deck(self, counts: Counts) -> Deck:
        """Return the deck with these counts of the pool's pucks."""
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

    Of pucks that do the same, one is enough where no limit counts them, such as Energies of
    types that no slammer has.

    Raises:
        InputError: The slammer is not legal, or there are too few pucks.
    """
    options, catalogue = contest.options, contest.catalogue
    size = max(options.buy_in_of(seat, 2) for seat in range(2))
    house = house_deck(slammer, size, catalogue)
    legal = legal or LegalPucks()
    legal.check_design("setup legal", slammer, slammer.name)
    designs = dict.fromkeys((*house.pucks, *catalogue.designs))
    pool = [
        design
        for design in designs
        if not design.kind.is_slammer
        and not legal.forbids(design)
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
        # No deck has more of a puck than there are.
        have = [owned.pucks.count(design) for design in pool]
        if sum(have) < size:
            raise InputError(
                f"collection: {sum(have)} of its pucks are legal and no slammers; "
                f"give at least {size}"
            )
        limits += [
            Limit(rule=f"collection {design.name}", places=(place,), least=0, most=number)
            for place, (design, number) in enumerate(zip(pool, have, strict=True))
        ]
    elif not limits and not catalogue.rules:
        slammers = (slammer, *(s for rival in rivals for s in rival.slammers))
        # Keep one puck of those that do the same, because no slammer has their type.
        found: dict[object, Design] = {}
        for puck in pool:
            is_alike = puck not in house.pucks and _is_idle(puck, slammers)
            found.setdefault((puck.rule, puck.mass_g) if is_alike else puck, puck)
        pool = list(found.values())
    return DeckSpace(house=house, pool=tuple(pool), size=size, limits=tuple(limits))


def _is_idle(puck: Design, slammers: Sequence[Design]) -> bool:
    """True if a puck is for a type that none of some slammers has, or may count as."""
    rules = shipped_rules()
    changing = [rule for rule in rules.rules if rule.when == Point.MATCHING]
    if any(rule.fits(slammer) for rule in changing for slammer in slammers):
        return False
    rule = rules.main_rule(puck)
    types = {slammer.type for slammer in slammers}
    return rule.of_type and puck.type not in types


def _limit(
    rule: str,
    name: str,
    bounds: CountLimit,
    pool: Sequence[Design],
    there: Sequence[Design],
) -> Limit:
    """Return a limit on a puck or kind, less the pucks of that name that are there already."""
    key = name_key(name)
    used = sum(key in legal_names(design) for design in there)
    places = tuple(place for place, d in enumerate(pool) if key in legal_names(d))
    return Limit(rule=rule, places=places, least=bounds.least - used, most=bounds.most - used)


def deck_text(deck: Deck) -> str:
    """Return the pucks of a deck as a text.

    Example:
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> potion = shipped_catalogue().find("potion")
        >>> deck_text(Deck(name="two", slammers=(), pucks=(potion, potion)))
        'Potion=2'
    """
    return "; ".join(f"{name}={count}" for name, count in deck.counts.items())


Stage = tuple[int, int]
"""A generation and a round of it, from 0."""

_TEST: Stage = (-1, 0)
_WITHOUT: Stage = (-1, 1)
"""Stages of the test, and of the deck that was found against itself without one of its pucks."""


@fact
class Trial:
    """A deck in a round, with the settings of its pairs of battles."""

    contest: Contest
    deck: Deck
    reference: Deck | None  # whose points in the same pairs are subtracted
    rivals: tuple[Deck, ...]
    generation: int
    first: int  # pairs of the generation before the round
    rule: str = ""  # whose uses are counted


def play_pairs(trial: Trial, seed: int, first: int, count: int) -> BattleTally:
    """Play pairs ``first`` to ``first + count - 1`` of a round."""
    rivals, first = trial.rivals, first + trial.first
    tally = BattleTally(by_wins=(0,) * 3, gains=() if trial.reference is None else (0,) * 9)
    for place, rival in enumerate(rivals):
        numbers = [n for n in range(first, first + count) if n % len(rivals) == place]
        if not numbers:
            continue
        seeds = [spawned_seed(seed, trial.generation + 1, number) for number in numbers]
        tally += compare_mirrored(
            trial.contest, trial.deck, rival, seeds, reference=trial.reference, rule=trial.rule
        )
    return tally


def _columns(tally: BattleTally, _: float) -> Mapping[str, Value]:
    gain = {"gain": round_share(tally.gain)} if any(tally.gains) else {}
    return {"p_win": round_share(tally.won), "p_draw": tally.p_draw, **gain}


SEARCH: Experiment[Trial, BattleTally] = Experiment(
    name="deck search",
    tally=BattleTally,
    run=play_pairs,
    columns=_columns,
    version=5,
)


@dataclass(slots=True, kw_only=True)
class DeckSearch:
    """A search for a deck: same seed, same search, for any number of workers."""

    contest: Contest  # its policy is the kind of both players
    space: DeckSpace
    rivals: tuple[Deck, ...]  # pair after pair it is the turn of the next one
    battles: int  # of the search, the test left out
    seed: int
    executor: Executor | None = None  # runs the battles; None for this process
    window: int = 8  # tasks that are given out ahead
    table: ResultTable[BattleTally] = field(init=False)
    start: Counts = field(init=False)  # the house deck, or a legal one near it
    best: Counts = field(init=False)  # so far; at the end the result
    tested: BattleTally = field(init=False)  # the gains are those over the first deck
    carried: dict[str, BattleTally] = field(init=False)  # the gains are those over plain pucks
    played: str = field(init=False)  # how battles are played
    _results: dict[tuple[Stage, Counts], BattleTally] = field(init=False)
    _facts: str = field(init=False)

    def __post_init__(self) -> None:
        """Find the deck to begin with."""
        self.start = self.best = self.space.first()
        self.carried, self._results = {}, {}
        contest, house = self.contest, self.space.house
        decks = [replace(house, pucks=(puck,)) for puck in self.space.pool]  # each may be in a deck
        tables = [deck_table((deck, rival), contest.options, contest.catalogue)
                  for deck in (house, *decks) for rival in self.rivals]  # fmt: skip
        kinds = [contest.policy] * 2
        experiment, self.played = compiled_chunk(SEARCH, tables, kinds, contest.throws)
        self._facts = digest(self.contest.id, self.space, self.rivals, self.battles)
        self.table = ResultTable(experiment=experiment, rows=[], seed=self.seed, is_open=True)
        # The first row tells the file of another search apart.
        self.table.add([self._case((0, 0), self.start, 0)])

    @property
    def tried(self) -> int:
        """Number of different decks that were played."""
        return len({deck for _, deck in self._results})

    def run(self) -> Iterator[Progress]:
        """Search, and yield the progress in pairs."""
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
                for state in self._play(stage, alive, first, more):
                    yield Progress(done=done + state.done, total=max(total, done + state.total))
                done += more * len(alive)
                first += more
                scores = self._scores(alive, (generation, halving + 1))
                # Equals keep their order, in which the best deck so far is first.
                alive = sorted(alive, key=lambda deck: -scores[deck])
                half = (len(alive) + 1) // 2
                alive, out = alive[:half], [*alive[half:], *out]
            self.best = alive[0]
            near = [self.best, *out[:_RUNNERS_UP]]

    def test(self, battles: int) -> Iterator[Progress]:
        """Play the best deck on fresh seeds, beside the deck that the search began with.

        The pairs are a multiple of the rivals. If battles are compiled, each puck of the deck is
        then replaced by plain pucks, which gives its worth.
        """
        rivals = len(self.rivals)
        total = rivals * math.ceil(max(battles // 2, 1) / rivals)
        yield from self._play(_TEST, [self.best], 0, total)
        self.tested = self._results[_TEST, self.best]
        if self.played != COMPILED:  # too slow
            return
        pucks = [p for p in dict.fromkeys(self.space.deck(self.best).pucks) if p.rule]
        cases = [self._case(_WITHOUT, self.best, 0, puck) for puck in pucks]
        tallies = yield from self._collect(cases, total)
        self.carried = {puck.name: each for puck, each in zip(pucks, tallies, strict=True)}

    def _play(
        self,
        stage: Stage,
        decks: Sequence[Counts],
        first: int,
        pairs: int,
    ) -> Iterator[Progress]:
        """Play ``pairs`` pairs of a round with each deck."""
        cases = [self._case(stage, deck, first) for deck in decks]
        tallies = yield from self._collect(cases, pairs)
        self._results |= {(stage, deck): t for deck, t in zip(decks, tallies, strict=True)}

    def _collect(
        self, cases: Sequence[Case[Trial]], pairs: int
    ) -> Generator[Progress, None, list[BattleTally]]:
        """Play pairs of cases, yield the progress, and return their tallies."""
        ids = self.table.add(cases)
        yield from collect(
            self.table, cases, trials=pairs, executor=self.executor, window=self.window
        )
        return [self.table.entries[id_].tally for id_ in ids]

    def _case(
        self, stage: Stage, counts: Counts, first: int, without: Design | None = None
    ) -> Case[Trial]:
        generation, number = stage
        test = stage == _TEST
        deck = self._as_played(counts)
        name = "test" if test else generation + 1
        reference = self._as_played(self.start) if test else None
        if without is not None:
            name = f"without {without.name}"
            plain = Design(name="Plain Puck", kind=DesignKind.PLAIN)
            less = tuple(plain if puck == without else puck for puck in deck.pucks)
            reference = replace(deck, pucks=less)
        return Case(
            subject=Trial(
                contest=self.contest,
                deck=deck,
                reference=reference,
                rivals=self.rivals,
                generation=generation,
                first=first,
                # Another puck's uses of the rule, of the slammer's type, are not those of this one.
                rule="" if without is None or _is_idle(without, deck.slammers) else without.rule,
            ),
            labels={
                "slammer": deck.name,
                "generation": name,
                "round": number + 1,
                "deck": deck_text(deck),
                "engine": self.contest.throws.engine,
            },
            facts=[self._facts, stage, first, counts, without],
        )

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
        # The best decks by the linear model that are two or more changes from the best.
        deck, steps = self.best, list[Counts]()
        for _ in range(_MOST_CHANGES):
            legal = [other for other in self.space.changes(deck) if self.space.is_legal(other)]
            better = max(legal, key=lambda other: float(np.dot(other, worths)), default=deck)
            if np.dot(better, worths) <= np.dot(deck, worths):
                break
            deck = better
            steps.append(deck)
        found |= dict.fromkeys(steps[1:])
        suggested = sorted(changes, key=lambda deck: -float(np.dot(deck, worths)))
        left = number - len(found)
        found |= dict.fromkeys(suggested[: max(round(_SUGGESTED_SHARE * left), 0)])
        found |= dict.fromkeys(changes)
        return list(found)[:number]

    def _worths(self, until: Stage) -> Floats:
        """Score that one more of each puck adds, by ridge regression.

        It goes by the stages before ``until``. Each deck weighs as much as the pairs that it
        played, and generations have levels of their own, as they have other seeds.
        """
        gram = _PRIOR_PAIRS * np.eye(len(self.space.pool))
        moments = np.zeros(len(self.space.pool))
        for generation in range(until[0] + 1):
            sums = self._sums(generation, until)
            if not sums:
                continue
            weights = np.array([tally.trials for tally in sums.values()], dtype=float)
            x = np.array(list(sums), dtype=float)  # (decks, pool)
            y = np.array([tally.score for tally in sums.values()])
            x -= weights @ x / weights.sum()
            y -= weights @ y / weights.sum()
            gram += x.T @ (weights[:, None] * x)
            moments += x.T @ (weights * y)
        return np.asarray(np.linalg.solve(gram, moments))

    def _sums(self, generation: int, until: Stage) -> dict[Counts, BattleTally]:
        """Return the results of a generation by deck, of the stages before ``until``."""
        sums: dict[Counts, BattleTally] = {}
        for (stage, deck), tally in self._results.items():
            if stage[0] == generation and stage < until:
                sums[deck] = sums[deck] + tally if deck in sums else tally
        return sums

    def _scores(self, decks: Sequence[Counts], until: Stage) -> dict[Counts, float]:
        """Return the estimated scores of decks, from the stages before ``until``.

        A deck's own score is shrunk towards that which the linear model gives it.
        """
        worths, sums = self._worths(until), self._sums(until[0], until)
        total = sum(tally.trials for tally in sums.values())
        level = (
            sum(
                tally.trials * (tally.score - float(np.dot(deck, worths)))
                for deck, tally in sums.items()
            )
            / total
        )
        return {
            deck: (
                sums[deck].trials * sums[deck].score
                + _PRIOR_PAIRS * (level + float(np.dot(deck, worths)))
            )
            / (sums[deck].trials + _PRIOR_PAIRS)
            for deck in decks
        }
