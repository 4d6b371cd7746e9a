"""The balance of the game: what each slammer, ability and puck is worth to the player who has it.

A `Comparison` is a thing that is left out: a slammer, whose share of battles won against all others
is compared with one half; an ability, whose slammers play with and without it; a puck, in place of
which the deck has a plain one. Everybody else has house decks. With and without it, mirrored pairs
have the same slammers and seeds (common random numbers), and the worth is the mean difference in
the share of battles won. `run_balance` plays block after block, in each of which every comparison
gets one pair with and one without; `balance_csv` and `read_balance` store the counts.

The worth is that for players of the contest's kind: a rule that they never use is worth nothing.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

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
from sim.pokepucks.battle.setup_file import Deck, house_deck
from sim.pokepucks.design_file import Catalogue
from sim.pokepucks.designs import Design, DesignKind
from sim.pokepucks.tournament import Contest, settings_hash

if TYPE_CHECKING:
    from concurrent.futures import Executor

KINDS = ("slammer", "ability", "puck")
"""The kinds of things that are compared."""

_PLAIN = "Plain Puck"
_RIVAL_STEP = 7
"""Step between the first rivals of successive slammers; so few blocks have many rivals, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The decks of a comparison for one slammer.

    Attributes:
        with_it: The deck with the thing that is compared.
        without: The same deck without it; None for an even battle, half of which are won.
        rivals: The decks to play against.
    """

    with_it: Deck
    without: Deck | None
    rivals: tuple[Deck, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A thing whose worth is estimated.

    Attributes:
        kind: One of `KINDS`.
        name: Its name.
        copies: Number of pucks that are left out together.
        variants: The decks, one for each slammer that has the thing.
    """

    kind: str
    name: str
    copies: int = 1
    variants: tuple[Variant, ...]


def comparisons_of(contest: Contest, field: Sequence[Design]) -> tuple[Comparison, ...]:
    """Return every comparison for a field of slammers with house decks.

    A puck of the house deck is left out with all its copies. Another puck takes the place of the
    last one of the house deck, and is compared with a plain puck there. A puck with a type is that
    of the slammer's type.

    Args:
        contest: Options and pucks.
        field: The slammers; at least two, all different.
    """
    options, catalogue = contest.options, contest.catalogue
    size = max(options.buy_in_of(seat, 2) for seat in range(2))
    decks = [house_deck(slammer, size, catalogue) for slammer in field]
    found = []
    abilities: dict[str, list[Variant]] = {}
    pucks: dict[str, list[tuple[Variant, int]]] = {}
    plain = catalogue.find(_PLAIN)
    for number, deck in enumerate(decks):
        slammer = deck.slammers[0]
        # Every slammer begins with another rival.
        others = decks[:number] + decks[number + 1 :]
        turn = _RIVAL_STEP * number % len(others)
        rivals = (*others[turn:], *others[:turn])
        alone = Variant(with_it=deck, without=None, rivals=rivals)
        found.append(Comparison(kind="slammer", name=slammer.name, variants=(alone,)))
        if slammer.rule and options.puckdex:
            blank = replace(deck, slammers=(replace(slammer, rule=""),))
            variant = Variant(with_it=deck, without=blank, rivals=rivals)
            abilities.setdefault(slammer.rule, []).append(variant)
        for name, puck in _fitting(slammer, catalogue).items() if options.puckmart else ():
            copies = deck.pucks.count(puck)
            less = tuple(plain if other == puck else other for other in deck.pucks)
            full = deck
            if not copies:
                less = (*deck.pucks[:-1], plain)
                full = replace(deck, pucks=(*deck.pucks[:-1], puck))
            variant = Variant(with_it=full, without=replace(deck, pucks=less), rivals=rivals)
            pucks.setdefault(name, []).append((variant, max(copies, 1)))
    found += [
        Comparison(kind="ability", name=name, variants=tuple(variants))
        for name, variants in abilities.items()
    ]
    found += [
        Comparison(
            kind="puck",
            name=name,
            copies=max(copies for _, copies in variants),
            variants=tuple(variant for variant, _ in variants),
        )
        for name, variants in pucks.items()
    ]
    return tuple(found)


def _fitting(slammer: Design, catalogue: Catalogue) -> dict[str, Design]:
    """Return the Items and Trainers for a slammer by rule, those with a type in its own."""
    found = {}
    for design in catalogue.designs:
        is_ruled = design.kind in (DesignKind.ITEM, DesignKind.TRAINER)
        if is_ruled and design.type in (None, slammer.type):
            found[design.rule or design.name] = design
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceProgress:
    """Progress of a balance report.

    Attributes:
        tallies: One for each comparison, of the first blocks without a gap; the gains are those
            over the decks without the thing.
        done: Blocks played.
        total: Blocks to play.
    """

    tallies: tuple[MirroredTally, ...]
    done: int
    total: int


def run_balance(
    contest: Contest,
    comparisons: Sequence[Comparison],
    *,
    blocks: int,
    seed: int,
    begin: Sequence[MirroredTally] = (),
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[BalanceProgress]:
    """Play blocks, and yield the state after each.

    Args:
        contest: The settings.
        comparisons: The comparisons.
        blocks: Number of blocks; every comparison gets a pair with and one without in each.
        seed: The seed. The same seed gives the same counts for any number of processes.
        begin: Tallies of an earlier run; blocks go on after it.
        executor: Executor that plays the blocks; None for this process.
        window: Calls in the executor at a time.
    """
    tallies = tuple(begin) or (MirroredTally(),) * len(comparisons)
    done = tallies[0].pairs
    tasks = ((contest, tuple(comparisons), seed, block) for block in range(done, blocks))
    for more in in_order(play_block, tasks, executor, window):
        tallies = tuple(a + b for a, b in zip(tallies, more, strict=True))
        done += 1
        yield BalanceProgress(tallies=tallies, done=done, total=max(blocks, done))


def play_block(
    contest: Contest, comparisons: tuple[Comparison, ...], seed: int, block: int
) -> tuple[MirroredTally, ...]:
    """Play one block, all of it with the same seed; see `run_balance`."""
    own_seed = pair_seed(seed, block)
    played: dict[tuple[Deck, Deck], int] = {}

    def points(deck: Deck, rival: Deck) -> int:
        if (deck, rival) not in played:
            (played[deck, rival],) = play_mirrored(contest, deck, rival, [own_seed])
        return played[deck, rival]

    found = []
    for comparison in comparisons:
        turn, place = divmod(block, len(comparison.variants))
        variant = comparison.variants[place]
        rival = variant.rivals[turn % len(variant.rivals)]
        mine = points(variant.with_it, rival)
        bare = MOST_POINTS // 2 if variant.without is None else points(variant.without, rival)
        found.append(tally_points([mine], [bare]))
    return tuple(found)


def balance_values(comparison: Comparison, tally: MirroredTally) -> dict[str, str | int | float]:
    """Return a comparison's values by column; there must be a pair."""
    won, worth = tally.won, tally.gain
    return {
        "kind": comparison.kind,
        "name": comparison.name,
        "copies": comparison.copies,
        "pairs": tally.pairs,
        "p_win": round(won.value, 6),
        "p_win_low": round(won.low, 6),
        "p_win_high": round(won.high, 6),
        "worth": round(worth.value, 6),
        "worth_low": round(worth.low, 6),
        "worth_high": round(worth.high, 6),
    }


def balance_hash(contest: Contest, comparisons: Sequence[Comparison], seed: int) -> str:
    """Return 12 hexadecimal digits that identify a report with all its settings but its length."""
    facts = [
        [c.kind, c.name, [[*v.with_it.counts, v.with_it.name] for v in c.variants]]
        for c in comparisons
    ]
    return settings_hash(contest, facts, seed)


def balance_csv(
    contest: Contest,
    comparisons: Sequence[Comparison],
    tallies: Sequence[MirroredTally],
    seed: int,
) -> str:
    """Return the counts of a report as CSV, with a row for each comparison; none without a pair."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    engine = contest.throws.engine
    origin = (seed, version(), PHYSICS_VERSION, engine, balance_hash(contest, comparisons, seed))
    for number, (comparison, tally) in enumerate(zip(comparisons, tallies, strict=True)):
        if not tally.pairs:
            break
        values = balance_values(comparison, tally)
        if not number:
            names = (*values, *POINT_COLUMNS, *GAIN_COLUMNS, "seed", "version", "physics", "engine")
            writer.writerow((*names, "balance_hash"))
        writer.writerow((*values.values(), *tally.points, *tally.gains, *origin))
    return text.getvalue()


def read_balance(
    text: str, where: str, contest: Contest, comparisons: Sequence[Comparison], seed: int
) -> tuple[MirroredTally, ...]:
    """Read the tallies of a CSV of `balance_csv` back; none if the file is empty.

    Args:
        text: The file's text.
        where: Name of the file in errors.
        contest: The settings that it must have.
        comparisons: The comparisons that it must have, in their order.
        seed: The seed that it must have.

    Raises:
        InputError: It is no such file, or has counts of other settings or another version.
    """
    origin = {
        "balance_hash": balance_hash(contest, comparisons, seed),
        "version": version(),
        "physics": str(PHYSICS_VERSION),
    }
    found, names = [], []
    for line, row in parse_csv(text, where):
        for name in (*origin, "kind", "name"):
            if name not in row:
                raise InputError(f"{where}: line {line} is no row of a report: no column {name}")
        if any(row[name] != value for name, value in origin.items()):
            raise InputError(
                f"{where} has battles of other slammers, policy, options, seed or version, which "
                "would be lost; give another file"
            )
        try:
            found.append(tally_from(row))
        except ValueError as error:
            raise InputError(f"{where}: line {line} is no row of a report: {error}") from None
        names.append((row["kind"], row["name"]))
    wanted = [(comparison.kind, comparison.name) for comparison in comparisons]
    sizes = {tally.pairs for tally in found} | {sum(tally.gains) for tally in found}
    if found and (names != wanted or len(sizes) > 1):
        raise InputError(f"{where} is no report: its rows do not fit together")
    return tuple(found)
