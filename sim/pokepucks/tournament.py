"""Tournaments: every slammer against every other, battle after battle, with house collections.

`TOURNAMENT` is the experiment, whose cases are `pair_cases`; standings and knock-out rates are
derived from its tallies. A `Contest` has what all battles share, here and in arenas and searches.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from physics import InputError
from physics.facts import fact
from physics.tally import Counts, per_trial
from sim.experiments import Case, Experiment, Proportion, wilson
from sim.experiments.experiment import Cell, digest
from sim.pokepucks.battle.playouts import begin_to_compile_battles
from sim.pokepucks.battle.series import Series, play_series, why_by_rules
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import BattleOptions, Table
from sim.pokepucks.design_file import Catalogue, shipped_catalogue
from sim.pokepucks.designs import Design
from sim.pokepucks.throw_sources import OddsThrows, PhysicsThrows, TableThrows
from sim.pokepucks.throws import Throws

Pair = tuple[Design, Design]

AnyExperiment = TypeVar("AnyExperiment", bound=Experiment[Any, Any])

COMPILED = "compiled battles"
_COMPILED_CHUNKS = 250
"""Ways to play battles, in words, and how many times as many are one task then."""

_MOST_IN_BATTLE = 10_000_000
"""Throws of a battle: it has at most 80,000 turns."""


@fact
class Contest:
    """The settings that many battles share."""

    throws: PhysicsThrows | TableThrows | OddsThrows = field(default_factory=PhysicsThrows)
    policy: str = "greedy"  # the kind of every player
    options: BattleOptions = field(default_factory=BattleOptions)
    catalogue: Catalogue = field(default_factory=shipped_catalogue)  # pucks of house decks

    @property
    def id(self) -> str:
        """Hash of all settings."""
        source = self.throws
        throws: object = source
        if isinstance(source, TableThrows):
            throws = source.digest
        elif isinstance(source, OddsThrows):
            throws = source.entries
        catalogue = self.catalogue.designs, self.catalogue.rules
        return digest(type(source).__name__, throws, self.policy, self.options, catalogue)


def in_battle(battles: int = 1) -> Any:
    """Declare a field that counts turns, throws or uses of a rule in battles."""
    return per_trial(battles * _MOST_IN_BATTLE, default=0)


@fact
class PairTally(Counts):
    """Counts from the battles of one slammer against another.

    Example:
        >>> PairTally(trials=2, wins=1).draws
        1
    """

    trials: int = 0  # battles
    wins: int = 0  # of the slammer
    losses: int = 0  # the rest are draws (ruling PP-23)
    first_wins: int = 0  # of the player who began
    turns: int = in_battle()
    throws: int = in_battle()  # knock-out attempts included
    attempts: int = in_battle()  # to knock out, with the slammer
    knock_outs: int = in_battle()  # attempts that flipped the other slammer
    attempts_against: int = in_battle()  # with the other slammer
    knock_outs_against: int = in_battle()  # that flipped the slammer

    def agrees(self) -> bool:
        """True if a battle is won at most once, and an attempt is a throw that succeeds at most."""
        return (
            self.first_wins <= self.wins + self.losses <= self.trials
            and self.knock_outs <= self.attempts
            and self.knock_outs_against <= self.attempts_against
            and self.attempts + self.attempts_against <= self.throws
        )

    @property
    def draws(self) -> int:
        """Battles that nobody won."""
        return self.trials - self.wins - self.losses

    @property
    def won(self) -> Proportion:
        """Share of the battles that the slammer won, a draw being no win; there must be one."""
        return wilson(self.wins, self.trials)

    @property
    def turned(self) -> "PairTally":
        """The same battles from the view of the other slammer."""
        return replace(
            self,
            wins=self.losses,
            losses=self.wins,
            attempts=self.attempts_against,
            knock_outs=self.knock_outs_against,
            attempts_against=self.attempts,
            knock_outs_against=self.knock_outs,
        )


def interval(name: str, share: Proportion) -> dict[str, Cell]:
    """Return the columns of a share."""
    return {name: round(share.value, 6), f"{name}_low": round(share.low, 6),
            f"{name}_high": round(share.high, 6)}  # fmt: skip


def play_pair(subject: tuple[Contest, Pair], seed: int, first: int, count: int) -> PairTally:
    """Play battles ``first`` to ``first + count - 1`` of a pair, and return their tally.

    In even battles the first slammer has the first turn, in odd ones the second. A battle depends
    on the seed, the names of the pair and its number alone.

    Example:
        >>> from sim.pokepucks.throw_sources import shipped_table
        >>> onix, eevee = map(shipped_catalogue().find, ("onix", "eevee"))
        >>> play_pair((Contest(throws=shipped_table()), (onix, eevee)), 1, 0, 2).trials
        2
    """
    contest, pair = subject
    total = PairTally()
    for mine in (0, 1):
        numbers = [number for number in range(first, first + count) if number % 2 == mine]
        if numbers:
            table = house_table(pair[:: 1 - 2 * mine], contest.options, contest.catalogue)
            seeds = [battle_seed(pair, seed, number) for number in numbers]
            total += _tally(play_series(table, [contest.policy] * 2, contest.throws, seeds), mine)
    return total


def _tally(series: Series, mine: int) -> PairTally:
    """Return the tally of battles in which the slammer sat on a seat."""
    other = 1 - mine
    counts = {
        "wins": series.winner == mine,
        "losses": series.winner == other,
        "first_wins": series.winner == series.first,
        "turns": series.turns,
        "throws": series.throws,
        "attempts": series.attempts[:, mine],
        "knock_outs": series.knock_outs[:, mine],
        "attempts_against": series.attempts[:, other],
        "knock_outs_against": series.knock_outs[:, other],
    }
    return PairTally(
        trials=len(series.winner), **{name: int(each.sum()) for name, each in counts.items()}
    )


def compiled_chunk(experiment: AnyExperiment, tables: Iterable[Table], kinds: Sequence[str],
                   throws: Throws) -> tuple[AnyExperiment, str]:  # fmt: skip
    """Return an experiment in chunks that suit its battles, and how they are played as a text.

    Args:
        experiment: The experiment.
        tables: Set-ups of its battles.
        kinds: The kind of each player.
        throws: Source of the throws.
    """
    reasons = Counter(why_by_rules(table, kinds, throws) for table in tables)
    compiled = reasons.pop("", 0)
    if not reasons:
        return replace(
            experiment, chunk=_COMPILED_CHUNKS * experiment.chunk, prepare=_prepare
        ), COMPILED
    why = ", ".join(reasons)
    share = f" in {reasons.total()} of {compiled + reasons.total()} set-ups" if compiled else ""
    return experiment, f"battles by the rules{share} ({why})"


def _prepare(_: object) -> None:
    begin_to_compile_battles()


def battle_seed(pair: Pair, seed: int, number: int) -> int:
    """Return the seed of a battle of a pair."""
    return (_pair_seed(seed, pair[0].key, pair[1].key) + number) % (1 << 64)


@lru_cache(maxsize=1024)
def _pair_seed(seed: int, *names: str) -> int:
    return spawned_seed(seed, *(zlib.crc32(name.encode()) for name in names))


def spawned_seed(seed: int, *key: int) -> int:
    """Return the seed of a battle or a round, different for every key."""
    mixed = np.random.SeedSequence(seed, spawn_key=key)
    return int(mixed.generate_state(1, np.uint64)[0])


def _columns(tally: PairTally, z: float) -> Mapping[str, Cell]:
    return {
        **interval("p_win", wilson(tally.wins, tally.trials, z)),
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "turns_mean": round(tally.turns / tally.trials, 3),
        "throws_mean": round(tally.throws / tally.trials, 3),
    }


TOURNAMENT: Experiment[tuple[Contest, Pair], PairTally] = Experiment(
    name="tournament",
    tally=PairTally,
    run=play_pair,
    columns=_columns,
    version=2,
    chunk=2,  # one battle with each slammer first
)


def pair_cases(contest: Contest, slammers: Sequence[Design]) -> list[Case[tuple[Contest, Pair]]]:
    """Return a case for every pair of slammers."""
    own = contest.id
    return [
        Case(
            subject=(contest, (first, second)),
            labels={
                "slammer": first.name,
                "slammer_g": first.mass_g,
                "opponent": second.name,
                "opponent_g": second.mass_g,
                "engine": contest.throws.engine,
            },
            facts=[own, first, second],
        )
        for first, second in pairs_of(slammers)
    ]


def pairs_of(slammers: Sequence[Design]) -> tuple[Pair, ...]:
    """Return every pair of slammers, once; which is first does not depend on their order here.

    Raises:
        InputError: There are fewer than two, or one is there twice, or is no slammer.
    """
    keys = [design.key for design in slammers]
    for design in slammers:
        if not design.kind.is_slammer:
            raise InputError(f"slammers: {design.name!r} is no slammer; give slammers")
        if keys.count(design.key) > 1:
            raise InputError(f"slammers: {design.name!r} is there twice")
    if len(slammers) < 2:
        raise InputError(f"slammers: {len(slammers)} is not accepted; give at least 2")
    by_name = sorted(slammers, key=lambda design: design.key)
    return tuple(combinations(by_name, 2))


def standings_of(
    pairs: Sequence[Pair], tallies: Sequence[PairTally]
) -> list[tuple[Design, PairTally]]:
    """Return every slammer that had a battle with all its battles, the most successful first."""
    total: dict[Design, PairTally] = {}
    for (first, second), tally in zip(pairs, tallies, strict=True):
        total[first] = total.get(first, PairTally()) + tally
        total[second] = total.get(second, PairTally()) + tally.turned
    found = [(slammer, tally) for slammer, tally in total.items() if tally.trials]
    return sorted(found, key=lambda one: -one[1].won.value)


def knock_out_rates(
    standings: Sequence[tuple[Design, PairTally]],
) -> list[tuple[float, int, Proportion]]:
    """Return the mass of slammers thrown, their attempts, and the share that succeeded."""
    counts: dict[float, tuple[int, int]] = {}
    for slammer, tally in standings:
        attempts, made = counts.get(slammer.mass_g, (0, 0))
        counts[slammer.mass_g] = (attempts + tally.attempts, made + tally.knock_outs)
    return [
        (mass_g, attempts, wilson(made, attempts))
        for mass_g, (attempts, made) in sorted(counts.items())
        if attempts
    ]
