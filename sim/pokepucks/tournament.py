"""Tournaments: every slammer against every other, battle after battle, with house collections.

In: a `Contest` (throws, policy, options) and pairs of slammers. Out: a `PairTally` of counts for
each pair, from which standings and knock-out rates are derived, and a CSV with a row for each pair
that can be read back. Begin with `run_tournament`.
"""

import csv
import hashlib
import io
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from physics import PHYSICS_VERSION, InputError
from physics.parsing import parse_csv
from sim.core.ordered_work import in_order
from sim.experiments import Proportion, wilson
from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.player_kinds import player_of
from sim.pokepucks.battle.questions import ThrowCall
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import BattleOptions
from sim.pokepucks.design_file import Catalogue, shipped_catalogue
from sim.pokepucks.designs import Design
from sim.pokepucks.throw_sources import OddsThrows, PhysicsThrows, TableThrows
from sim.pokepucks.throws import Outcome

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTally:
    """Counts from the battles of one slammer against another.

    Attributes:
        battles: Battles played.
        wins: Battles won by the slammer.
        losses: Battles won by the other one; the rest are draws (ruling PP-23).
        first_wins: Battles won by the player who began.
        turns: Turns in all battles together.
        throws: Throws, knock-out attempts included.
        attempts: Knock-out attempts with the slammer.
        knock_outs: Attempts among them that flipped the other slammer.
        attempts_against: Knock-out attempts with the other slammer.
        knock_outs_against: Attempts among them that flipped the slammer.

    Example:
        >>> PairTally(battles=2, wins=1).draws
        1
    """

    battles: int = 0
    wins: int = 0
    losses: int = 0
    first_wins: int = 0
    turns: int = 0
    throws: int = 0
    attempts: int = 0
    knock_outs: int = 0
    attempts_against: int = 0
    knock_outs_against: int = 0

    def __add__(self, other: Self) -> "PairTally":
        """Return the tally of both sets of battles."""
        sums = (a + b for a, b in zip(astuple(self), astuple(other), strict=True))
        return PairTally(**dict(zip(PairTally.__slots__, sums, strict=True)))

    @property
    def draws(self) -> int:
        """Battles that nobody won."""
        return self.battles - self.wins - self.losses

    @property
    def won(self) -> Proportion | None:
        """Share of the battles that the slammer won, with its interval; None without battles."""
        return wilson(self.wins, self.battles) if self.battles else None

    @property
    def turned(self) -> "PairTally":
        """The same battles from the view of the other slammer."""
        return PairTally(
            battles=self.battles,
            wins=self.losses,
            losses=self.wins,
            first_wins=self.first_wins,
            turns=self.turns,
            throws=self.throws,
            attempts=self.attempts_against,
            knock_outs=self.knock_outs_against,
            attempts_against=self.attempts,
            knock_outs_against=self.knock_outs,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """The settings shared by all battles of a tournament.

    Attributes:
        throws: Source of the outcomes of throws.
        policy: The kind of every player.
        options: Mode and rulings.
        catalogue: Source of the pucks of the house collections.
    """

    throws: PhysicsThrows | TableThrows | OddsThrows = field(default_factory=PhysicsThrows)
    policy: str = "greedy"
    options: BattleOptions = field(default_factory=BattleOptions)
    catalogue: Catalogue = field(default_factory=shipped_catalogue)


def contest_hash(contest: Contest, pair: tuple[Design, Design]) -> str:
    """Return 12 hexadecimal digits that identify the battles of a pair with all their settings.

    Example:
        >>> onix, eevee = map(shipped_catalogue().find, ("onix", "eevee"))
        >>> len(contest_hash(Contest(), (onix, eevee)))
        12
    """
    return settings_hash(contest, [asdict(design) for design in pair])


def settings_hash(contest: Contest, *more: object) -> str:
    """Return 12 hexadecimal digits that identify a contest, with more facts that JSON can hold."""
    options = asdict(contest.options)
    if not contest.options.first:  # the first seat began when the first files were written
        del options["first"]
    rules = [asdict(rule) for rule in contest.catalogue.rules]
    facts = [
        type(contest.throws).__name__,
        _throws_facts(contest.throws),
        contest.policy,
        options,
        *([rules] if rules else []),
        asdict(contest.catalogue)["designs"],
        *more,
    ]
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _throws_facts(throws: PhysicsThrows | TableThrows | OddsThrows) -> Any:
    """Return facts that distinguish a source of throws from others."""
    if isinstance(throws, TableThrows):
        return throws.digest
    if isinstance(throws, OddsThrows):
        return [
            {
                "slammer_g": entry.slammer_g,
                "knock_out_g": entry.knock_out_g,
                "tally": asdict(entry.tally),
            }
            for entry in throws.entries
        ]
    facts = asdict(throws)
    if throws.engine == "plane":  # the only engine when the first files were written
        del facts["engine"]
    if throws.parameters.materials.hysteresis == 0.0:  # the only contacts then
        del facts["parameters"]["materials"]["hysteresis"]
    return facts


def play_pair(
    contest: Contest, pair: tuple[Design, Design], seed: int, first: int, count: int
) -> PairTally:
    """Play battles ``first`` to ``first + count - 1`` of a pair, and return their tally.

    In even battles the first slammer has the first turn, in odd ones the second. A battle depends
    on the seed, the names of the pair and its number alone.

    Args:
        contest: The settings.
        pair: The slammers; the tally is from the view of the first.
        seed: The tournament's seed, from 0.
        first: Index of the first battle, from 0.
        count: Number of battles.

    Example:
        >>> from sim.pokepucks.throw_sources import shipped_table
        >>> onix, eevee = map(shipped_catalogue().find, ("onix", "eevee"))
        >>> play_pair(Contest(throws=shipped_table()), (onix, eevee), 1, 0, 2).battles
        2
    """
    total = PairTally()
    for number in range(first, first + count):
        total += _play(contest, pair, battle_seed(pair, seed, number), swapped=number % 2 == 1)
    return total


def battle_seed(pair: tuple[Design, Design], seed: int, number: int) -> int:
    """Return the seed of a battle of a pair."""
    names = (zlib.crc32(design.key.encode()) for design in pair)
    mixed = np.random.SeedSequence(seed, spawn_key=(*names, number))
    return int(mixed.generate_state(1, np.uint64)[0])


def _play(contest: Contest, pair: tuple[Design, Design], seed: int, *, swapped: bool) -> PairTally:
    slammers = pair[::-1] if swapped else pair
    mine = int(swapped)
    table = house_table(slammers, contest.options, contest.catalogue)
    players = [player_of(contest.policy) for _ in slammers]
    throws = 0
    attempts, knock_outs = [0, 0], [0, 0]
    for exchange in play_battle(table, players, contest.throws, seed):
        last = exchange.after
        if isinstance(exchange.ask, ThrowCall) and isinstance(exchange.answer, Outcome):
            throws += 1
            if exchange.ask.knock_out:
                attempts[exchange.ask.player] += 1
                knock_outs[exchange.ask.player] += int(0 in exchange.answer.flipped)
    return PairTally(
        battles=1,
        wins=int(last.winner == mine),
        losses=int(last.winner == 1 - mine),
        first_wins=int(last.winner is not None and last.winner == last.table.first),
        turns=last.turn.number,
        throws=throws,
        attempts=attempts[mine],
        knock_outs=knock_outs[mine],
        attempts_against=attempts[1 - mine],
        knock_outs_against=knock_outs[1 - mine],
    )


CHUNK_BATTLES = 2
"""Battles that a worker plays before it reports; one with each slammer first."""

Pair = tuple[Design, Design]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Progress of a tournament.

    Attributes:
        tallies: One for each pair, of its first battles without a gap.
        done: Battles played.
        total: Battles to play.
    """

    tallies: tuple[PairTally, ...]
    done: int
    total: int


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


def run_tournament(
    contest: Contest,
    pairs: Sequence[Pair],
    *,
    battles: int,
    seed: int,
    begin: Sequence[PairTally] | None = None,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[Progress]:
    """Play ``battles`` battles of every pair, and yield the state after each few of them.

    All pairs get on together, and whatever was yielded last is whole. The result depends neither
    on the executor nor on how often the tournament was stopped.

    Args:
        contest: The settings.
        pairs: The pairs.
        battles: Battles a pair.
        seed: The seed.
        begin: What an earlier run has done, one per pair; battles go on after it.
        executor: Executor that plays the battles; None for this process.
        window: Calls in the executor at a time.
    """
    tallies = list(begin or (PairTally() for _ in pairs))
    done = sum(tally.battles for tally in tallies)
    total = sum(max(battles, tally.battles) for tally in tallies)
    tasks = (
        (index, contest, pairs[index], seed, first, count)
        for index, first, count in _chunks(battles, [tally.battles for tally in tallies])
    )
    for index, tally in in_order(_play_chunk, tasks, executor, window):
        tallies[index] += tally
        done += tally.battles
        yield Progress(tallies=tuple(tallies), done=done, total=total)


def _chunks(battles: int, begin: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield pair, first battle and count of each chunk; pairs that are behind come first."""
    for low in range(min(begin), battles, CHUNK_BATTLES):
        high = min(low + CHUNK_BATTLES, battles)
        for pair, start in enumerate(begin):
            if start < high:
                first = max(low, start)
                yield pair, first, high - first


def _play_chunk(
    index: int, contest: Contest, pair: Pair, seed: int, first: int, count: int
) -> tuple[int, PairTally]:
    return index, play_pair(contest, pair, seed, first, count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Results of a slammer against all others.

    Attributes:
        slammer: The slammer.
        tally: All its battles.
    """

    slammer: Design
    tally: PairTally

    @property
    def won(self) -> Proportion:
        """Share of its battles that it won; a draw is no win."""
        won = self.tally.won
        assert won is not None  # every standing has battles
        return won


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockOutRate:
    """Share of successful knock-out attempts with slammers of one mass.

    Attributes:
        slammer_g: Mass of the thrown slammer.
        attempts: Attempts made.
        chance: Share of them that flipped the slammer thrown at.
    """

    slammer_g: float
    attempts: int
    chance: Proportion


def standings_of(pairs: Sequence[Pair], tallies: Sequence[PairTally]) -> tuple[Standing, ...]:
    """Return every slammer that had a battle, with the greatest share of wins first."""
    total: dict[Design, PairTally] = {}
    for (first, second), tally in zip(pairs, tallies, strict=True):
        total[first] = total.get(first, PairTally()) + tally
        total[second] = total.get(second, PairTally()) + tally.turned
    found = [
        Standing(slammer=slammer, tally=tally) for slammer, tally in total.items() if tally.battles
    ]
    return tuple(sorted(found, key=lambda standing: -standing.won.value))


def knock_out_rates(
    pairs: Sequence[Pair], tallies: Sequence[PairTally]
) -> tuple[KnockOutRate, ...]:
    """Return the shares of successful knock-out attempts, by the mass of the slammer thrown."""
    counts: dict[float, tuple[int, int]] = {}
    for (first, second), tally in zip(pairs, tallies, strict=True):
        for slammer, seen in ((first, tally), (second, tally.turned)):
            attempts, made = counts.get(slammer.mass_g, (0, 0))
            counts[slammer.mass_g] = (attempts + seen.attempts, made + seen.knock_outs)
    return tuple(
        KnockOutRate(slammer_g=mass_g, attempts=attempts, chance=wilson(made, attempts))
        for mass_g, (attempts, made) in sorted(counts.items())
        if attempts
    )


_COUNTS = tuple(PairTally.__slots__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """A row of the results: a pair of slammers, their battles and the tally.

    Attributes:
        pair: The slammers; the tally is from the view of the first.
        tally: The counts.
        seed: The tournament's seed.
        version: Version of the pucklab that played.
        contest_hash: Hash of everything that the battles depend on.
        physics: Version of the physics that threw.
        engine: The engine that simulated the throws.
    """

    pair: Pair
    tally: PairTally
    seed: int
    version: str
    contest_hash: str
    physics: int = PHYSICS_VERSION
    engine: str = "plane"


def row_values(row: PairRow) -> dict[str, str | int | float]:
    """Return a row's values by column; chances of a pair without a battle are empty."""
    first, second = row.pair
    tally = row.tally
    won = tally.won
    counts: dict[str, str | int | float] = {name: getattr(tally, name) for name in _COUNTS}
    return {
        "slammer": first.name,
        "slammer_g": first.mass_g,
        "opponent": second.name,
        "opponent_g": second.mass_g,
        "p_win": won.value if won else "",
        "p_win_low": won.low if won else "",
        "p_win_high": won.high if won else "",
        **counts,
        "draws": tally.draws,
        "seed": row.seed,
        "version": row.version,
        "physics": row.physics,
        "engine": row.engine,
        "contest_hash": row.contest_hash,
    }


def results_csv(rows: Sequence[PairRow]) -> str:
    """Return the text of the CSV file.

    Args:
        rows: At least one.
    """
    text = io.StringIO()
    values = [row_values(row) for row in rows]
    writer = csv.DictWriter(text, fieldnames=list(values[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(values)
    return text.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultKey:
    """Everything that the battles of a pair depend on, as a row of the file names it.

    Attributes:
        contest_hash: Hash of the contest and the pair.
        seed: The tournament's seed.
        version: Version of the pucklab that played.
        physics: Version of the physics that threw; None in files from before it was stored.
        engine: The engine that simulated the throws; the plane in files from before it was stored.
    """

    contest_hash: str
    seed: int
    version: str
    physics: int | None
    engine: str = "plane"


def read_results(text: str, where: str) -> dict[ResultKey, PairTally]:
    """Read a CSV of `results_csv` back into tallies.

    Args:
        text: The file's text.
        where: Name of the file in errors.

    Raises:
        InputError: A row is not one of a tournament; the message names its line.
    """
    tallies = {}
    for number, row in parse_csv(text, where):
        try:
            key = ResultKey(
                contest_hash=row["contest_hash"],
                seed=int(row["seed"]),
                version=row["version"],
                physics=int(row["physics"]) if "physics" in row else None,
                engine=row.get("engine") or "plane",
            )
            tallies[key] = _tally_from(row)
        except KeyError as error:
            raise InputError(
                f"{where}: line {number} is no row of a tournament: column {error.args[0]} is "
                "missing"
            ) from None
        except ValueError as error:
            raise InputError(f"{where}: line {number} is no row of a tournament: {error}") from None
    return tallies


def _tally_from(row: dict[str, str]) -> PairTally:
    tally = PairTally(**{name: int(row[name]) for name in _COUNTS})
    decided = tally.wins + tally.losses
    if min(int(row[name]) for name in _COUNTS) < 0 or decided > tally.battles:
        raise ValueError("its counts do not fit together")
    return tally
