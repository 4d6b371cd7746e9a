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

from pucklab.base.arrays import Floats, Ints
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.physics.tally import Counts, per_trial, total_of
from pucklab.sim.experiments import (
    Case,
    Experiment,
    Proportion,
    block_effect,
    bootstrap_mean,
    wilson,
)
from pucklab.sim.experiments.experiment import Value, digest
from pucklab.sim.pokepucks.battle.battle_setup import MAX_PLAYERS, BattleOptions, BattleSetup
from pucklab.sim.pokepucks.battle.series import Series, play_series, why_by_rules
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import Catalogue, shipped_catalogue
from pucklab.sim.pokepucks.designs import Design
from pucklab.sim.pokepucks.throw_sources import (
    BLOCKS,
    OddsThrows,
    PhysicsThrows,
    TableThrows,
)
from pucklab.sim.pokepucks.throws import Throws

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


def _in_battle(**default: Any) -> Any:
    """Declare a field that counts turns, throws or uses of a rule in the battles of a trial."""
    return per_trial(MAX_PLAYERS * _MOST_IN_BATTLE, **default)


NO_BLOCKS = ((0,) * 10,) * BLOCKS

TRIALS, WINS, LOSSES, GAIN, EVEN_TRIALS, EVEN_GAIN, ATTEMPTS, KNOCK_OUTS = 0, 1, 2, 3, 4, 5, 6, 8
"""Columns of ``by_block``: trials, battles won and lost, points, less those of a reference; trials
and points of even pairs; knock-out attempts and those that succeeded, by the player and others."""


@fact
class BattleTally(Counts):
    """Counts of battles from the view of one player; a trial is a single battle of two, or a round.

    In a round of k players, each sits once on every seat; a mirrored pair is a round of two decks.
    A battle won is k points, a draw 1. The gain of a round is its points less the points of a
    reference with the same throws.

    Example:
        >>> single = BattleTally(trials=5, by_wins=(2, 3), draws=1)
        >>> single.wins, single.losses, single.won.text
        (3, 1, '60% (23-88)')
        >>> pairs = BattleTally(trials=3, by_wins=(0, 1, 2), gains=(0, 0, 0, 0, 2, 0, 1, 0, 0))
        >>> pairs.players, pairs.wins, round(pairs.score, 3), round(pairs.gain.value, 3)
        (2, 5, 0.833, 0.167)
    """

    trials: int = 0
    by_wins: tuple[int, ...] = per_trial(adds_up=True, default=(0, 0))
    """(battles + 1,); trials by battles won in it."""
    draws: int = per_trial(MAX_PLAYERS, default=0)  # battles (ruling PP-23)
    first_wins: int = per_trial(MAX_PLAYERS, default=0)  # battles won by the player who began
    turns: int = _in_battle(default=0)
    throws: int = _in_battle(default=0)  # knock-out attempts included
    attempts: tuple[int, int] = _in_battle(default=(0, 0))  # to knock out: by the player, by others
    knock_outs: tuple[int, int] = _in_battle(default=(0, 0))  # attempts that flipped a slammer
    gains: tuple[int, ...] = ()  # (2 * most + 1,); trials by gain from -most; empty for none
    even_gains: tuple[int, ...] = ()  # the same, of even pairs of slammers alone
    uses: int = _in_battle(default=0)  # of the special rule that they are about, by its player
    by_block: tuple[tuple[int, ...], ...] = per_trial(
        MAX_PLAYERS * _MOST_IN_BATTLE, low=-MAX_PLAYERS, default=NO_BLOCKS
    )
    """(BLOCKS, 10); sums over trials with the same seeds that draw from one block of a table each,
    which tell the table's error; zeros where battles are not compiled."""

    def agrees(self) -> bool:
        """True if no more battles are won and drawn than played, and there are enough throws."""
        battles, most = self.battles, self.players * (len(self.by_wins) - 1)
        gains = [each for each in (self.gains, self.even_gains) if each]
        return (
            len(self.by_wins) > 1
            and self.wins <= battles - self.draws >= self.first_wins
            and all(k <= n for k, n in zip(self.knock_outs, self.attempts, strict=True))
            and sum(self.attempts) <= self.throws
            and all(len(each) == 2 * most + 1 for each in gains)
            and sum(self.even_gains) <= sum(self.gains) == (self.trials if gains else 0)
            and len(self.by_block) == BLOCKS
            and all(len(row) == len(NO_BLOCKS[0]) for row in self.by_block)
            and all(n >= 0 for own in self.by_block for n in (*own[:GAIN], *own[EVEN_GAIN + 1 :]))
            and sum(row[TRIALS] for row in self.by_block) in (0, self.trials)
        )

    @property
    def players(self) -> int:
        """Players in a battle; a round has as many battles."""
        return max(len(self.by_wins) - 1, 2)

    @property
    def battles(self) -> int:
        """Battles in all trials."""
        return self.trials * (len(self.by_wins) - 1)

    @property
    def wins(self) -> int:
        """Battles that the player won."""
        return total_of(self.by_wins)

    @property
    def losses(self) -> int:
        """Battles that another player won."""
        return self.battles - self.wins - self.draws

    @property
    def score(self) -> float:
        """Points of those that can be won: the share won, and 1/k of the share drawn.

        There must be a trial.
        """
        return (self.wins + self.draws / self.players) / self.battles

    @property
    def won(self) -> Proportion:
        """Share of the battles won, a draw being none, with its 95 % interval.

        There must be a trial. The battles of a round are alike, so their interval is that of a
        bootstrap over rounds; the additional round is won by each player in part.
        """
        shares = np.linspace(0, 1, len(self.by_wins))
        counts = self._independent(self.by_wins, shares, TRIALS, WINS, 1 / shares[1])
        if len(counts) == 2:
            return wilson(counts[1], sum(counts))
        prior = [1 - 1 / self.players, *[0.0] * (len(counts) - 2), 1 / self.players]
        return bootstrap_mean(counts, shares.tolist(), prior)

    @property
    def knock_out(self) -> Proportion:
        """Share of the player's knock-out attempts that succeeded, with its 95 % interval."""
        fails = self.attempts[0] - self.knock_outs[0], self.knock_outs[0]
        counts = self._independent(fails, np.array([0, 1]), ATTEMPTS, KNOCK_OUTS)
        return wilson(counts[1], sum(counts))

    def _independent(
        self, counts: Sequence[int], values: Floats, trials: int, sums: int, scale: float = 1.0
    ) -> list[float]:
        """Return counts of values for as many independent trials as tell the same.

        Args:
            counts: Trials with each value.
            values: The values.
            trials: Column of ``by_block`` with the trials of each block.
            sums: Column with the sums of the values, ``scale`` times as large.
            scale: That factor.
        """
        own = np.array(counts, dtype=float)
        if not own.any():
            return list(counts)
        variance = own @ values**2 / own.sum() - (own @ values / own.sum()) ** 2
        rows = self.by_block
        effect = block_effect(
            [row[trials] for row in rows], [row[sums] / scale for row in rows], float(variance)
        )
        return [count / effect for count in counts]

    @property
    def p_draw(self) -> float:
        """Share of the battles drawn, to six digits; there must be a trial."""
        return round(self.draws / self.battles, 6)

    @property
    def gain(self) -> Proportion:
        """Score less that of the reference, -1 to 1, with its 95 % interval."""
        return self._gain(self.gains, TRIALS, GAIN)

    @property
    def even_gain(self) -> Proportion | None:
        """The gain in pairs of slammers of about equal strength; None if there was none."""
        own = self.even_gains
        return self._gain(own, EVEN_TRIALS, EVEN_GAIN) if any(own) else None

    def _gain(self, gains: Sequence[int], trials: int, sums: int) -> Proportion:
        size = len(gains)
        shares = np.linspace(-1, 1, size)
        counts = self._independent(gains, shares, trials, sums, size // 2)
        return bootstrap_mean(counts, shares.tolist(), [1 / size] * size)

    @property
    def turned(self) -> "BattleTally":
        """The tally of the same single battles from the view of the other slammer."""
        order = [TRIALS, LOSSES, WINS, GAIN, EVEN_TRIALS, EVEN_GAIN, 7, 6, 9, 8]
        return replace(
            self,
            by_wins=(self.trials - self.losses, self.losses),
            attempts=self.attempts[::-1],
            knock_outs=self.knock_outs[::-1],
            by_block=tuple(tuple(row[column] for column in order) for row in self.by_block),
        )


def play_battles(
    tables: Sequence[BattleSetup],
    kinds: Sequence[str],
    throws: Throws,
    seeds: Sequence[int],
    rule: str = "",
    *,
    in_blocks: bool = True,
) -> tuple[list[BattleTally], Ints]:
    """Play a battle with each seed on each of some set-ups, and tally them for every player.

    Args:
        tables: The set-ups. On the first one the players sit in order, on each further one they
            have moved on by a seat.
        kinds: The kind of each player.
        throws: Source of the throws.
        seeds: The seeds, one for each trial.
        rule: The special rule whose uses are counted.
        in_blocks: Play compiled battles again with blocks of the throws, for the table's error.

    Returns:
        A tally for each player, and the points, shape (seeds, players).
    """
    players = len(kinds)
    sums = np.zeros((players, len(seeds), len(NO_BLOCKS[0])), int)
    parts: list[list[BattleTally]] = [[] for _ in kinds]
    blocks = np.zeros((players, BLOCKS, len(NO_BLOCKS[0])), int)
    for shift, table in enumerate(tables if seeds else ()):
        seats = [(player - shift) % players for player in range(players)]
        seated = [kinds[(seat + shift) % players] for seat in range(players)]
        series = play_series(table, seated, throws, seeds)
        sums += _sums_of(series, seats)
        for part, seat in zip(parts, seats, strict=True):
            part.append(
                BattleTally(
                    draws=int((series.winner < 0).sum()),
                    first_wins=int((series.winner == series.first).sum()),
                    turns=int(series.turns.sum()),
                    throws=int(series.throws.sum()),
                    uses=series.uses.get((seat, rule), 0),
                )
            )
        if (
            in_blocks
            and isinstance(throws, TableThrows)
            and not why_by_rules(table, seated, throws)
        ):
            again = _sums_of(play_series(table, seated, throws, seeds, in_blocks=True), seats)
            for own, values in zip(blocks, again, strict=True):
                np.add.at(own, [*map(throws.block_of, seeds)], values)
    blocks[:, :, TRIALS] //= max(len(tables), 1)
    tallies = []
    for own, mine, part in zip(sums, blocks, parts, strict=True):
        tried, others_tried, made, others_made = own[:, ATTEMPTS:].sum(axis=0).tolist()
        wins = np.bincount(own[:, WINS], minlength=len(tables) + 1)
        tallies.append(
            replace(
                BattleTally.total([BattleTally(), *part]),
                trials=len(seeds),
                by_wins=tuple(wins.tolist()),
                attempts=(tried, others_tried),
                knock_outs=(made, others_made),
                by_block=as_rows(mine),
            )
        )
    return tallies, sums[:, :, GAIN].T


def _sums_of(series: Series, seats: Sequence[int]) -> Ints:
    """Return the columns of ``by_block`` for each battle of players, (players, battles, 10).

    Args:
        series: The battles.
        seats: The seat of each player.
    """
    players, drawn = len(seats), series.winner < 0
    won = np.array([series.winner == seat for seat in seats])
    found = np.zeros((*won.shape, len(NO_BLOCKS[0])), int)
    found[:, :, TRIALS], found[:, :, WINS] = 1, won
    found[:, :, LOSSES] = ~(won | drawn)
    found[:, :, GAIN] = np.where(drawn, 1, players * won)
    for column, made in ((ATTEMPTS, series.attempts), (KNOCK_OUTS, series.knock_outs)):
        found[:, :, column] = made[:, seats].T
        found[:, :, column + 1] = made.sum(axis=1) - made[:, seats].T
    return found


def as_rows(sums: Ints) -> tuple[tuple[int, ...], ...]:
    """Return an array of two dimensions as `BattleTally.by_block` has it."""
    return tuple(map(tuple, sums.tolist()))


def round_share(share: Proportion) -> Proportion:
    """Return a share to six digits, as files have it."""
    value, low, high = (round(own, 6) for own in (share.value, share.low, share.high))
    return Proportion(value=value, low=low, high=high)


def play_pair(subject: tuple[Contest, Pair], seed: int, first: int, count: int) -> BattleTally:
    """Play battles ``first`` to ``first + count - 1`` of a pair, and return their tally.

    In even battles the first slammer has the first turn, in odd ones the second. A battle depends
    on the seed, the names of the pair and its number alone.

    Example:
        >>> from pucklab.sim.pokepucks.throw_sources import shipped_table
        >>> onix, eevee = map(shipped_catalogue().find, ("onix", "eevee"))
        >>> play_pair((Contest(throws=shipped_table()), (onix, eevee)), 1, 0, 2).trials
        2
    """
    contest, pair = subject
    total = BattleTally()
    for mine in (0, 1):
        table = house_setup(pair[:: 1 - 2 * mine], contest.options, contest.catalogue)
        numbers = [number for number in range(first, first + count) if number % 2 == mine]
        seeds = [battle_seed(pair, seed, number) for number in numbers]
        total += play_battles([table], [contest.policy] * 2, contest.throws, seeds)[0][mine]
    return total


def compiled_chunk(experiment: AnyExperiment, tables: Iterable[BattleSetup], kinds: Sequence[str],
                   throws: Throws) -> tuple[AnyExperiment, str]:  # fmt: skip
    """Return an experiment in chunks that suit its battles, and a text on the way they are played.

    Args:
        experiment: The experiment.
        tables: Set-ups of its battles.
        kinds: The kind of each player.
        throws: Source of the throws.
    """
    reasons = Counter(why_by_rules(table, kinds, throws) for table in tables)
    compiled = reasons.pop("", 0)
    if not reasons:
        return replace(experiment, chunk=_COMPILED_CHUNKS * experiment.chunk), COMPILED
    why = ", ".join(reasons)
    share = f" in {reasons.total()} of {compiled + reasons.total()} set-ups" if compiled else ""
    return experiment, f"battles by the rules{share} ({why})"


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


def _columns(tally: BattleTally, _: float) -> Mapping[str, Value]:
    return {
        "p_win": round_share(tally.won),
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "turns_mean": round(tally.turns / tally.trials, 3),
        "throws_mean": round(tally.throws / tally.trials, 3),
    }


TOURNAMENT: Experiment[tuple[Contest, Pair], BattleTally] = Experiment(
    name="tournament",
    tally=BattleTally,
    run=play_pair,
    columns=_columns,
    version=5,
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
        InputError: There are fewer than two, or one appears twice, or is no slammer.
    """
    keys = [design.key for design in slammers]
    for design in slammers:
        if not design.kind.is_slammer:
            raise InputError(f"slammers: {design.name!r} is no slammer; give slammers")
        if keys.count(design.key) > 1:
            raise InputError(f"slammers: {design.name!r} appears twice")
    if len(slammers) < 2:
        raise InputError(f"slammers: {len(slammers)} is not accepted; give at least 2")
    by_name = sorted(slammers, key=lambda design: design.key)
    return tuple(combinations(by_name, 2))


def standings_of(
    pairs: Sequence[Pair], tallies: Sequence[BattleTally]
) -> list[tuple[Design, BattleTally]]:
    """Return the tally of every slammer over all its battles, the most successful slammer first."""
    total: dict[Design, BattleTally] = {}
    for (first, second), tally in zip(pairs, tallies, strict=True):
        total[first] = total.get(first, BattleTally()) + tally
        total[second] = total.get(second, BattleTally()) + tally.turned
    found = [(slammer, tally) for slammer, tally in total.items() if tally.trials]
    return sorted(found, key=lambda one: -one[1].won.value)


def knock_out_rates(
    standings: Sequence[tuple[Design, BattleTally]],
) -> list[tuple[float, int, Proportion]]:
    """Return the mass of slammers thrown, their attempts, and the share that succeeded."""
    found: dict[float, BattleTally] = {}
    for slammer, tally in standings:
        found[slammer.mass_g] = found.get(slammer.mass_g, BattleTally()) + tally
    return [
        (mass_g, tally.attempts[0], tally.knock_out)
        for mass_g, tally in sorted(found.items())
        if tally.attempts[0]
    ]
