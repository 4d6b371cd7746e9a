"""The balance of the game: the worth of each slammer, ability and puck to its player.

A `Comparison` leaves one thing out: a slammer, whose share of battles won against all others is
compared with one half; an ability, whose slammers play with and without it; a puck, which a plain
one replaces. Everybody else has house decks. With and without it, mirrored pairs have the same
slammers and seeds (common random numbers), and the worth is the mean difference in the share of
battles won: in all pairs of slammers, and in those that are even. `BALANCE` is the experiment.

The worth holds for players of the contest's kind: a rule that they never use is worth nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from pucklab.base.facts import fact
from pucklab.sim.experiments import Case, Experiment
from pucklab.sim.experiments.experiment import Value
from pucklab.sim.pokepucks.arena import compare_mirrored, play_mirrored
from pucklab.sim.pokepucks.battle.series import why_by_rules
from pucklab.sim.pokepucks.battle.setup_file import Deck, deck_table, house_deck
from pucklab.sim.pokepucks.designs import Design, DesignKind
from pucklab.sim.pokepucks.tournament import (
    EVEN_GAIN,
    EVEN_TRIALS,
    GAIN,
    TRIALS,
    BattleTally,
    Contest,
    as_rows,
    round_share,
    spawned_seed,
)

KINDS = ("slammer", "ability", "puck")
"""The kinds of things that are compared."""

_PLAIN = "Plain Puck"
_RIVAL_STEP = 7
"""Step between the first rivals of successive slammers; so few blocks have many rivals, too."""


@fact
class Variant:
    """The decks of a comparison for one slammer."""

    with_it: Deck
    without: Deck | None  # None for an even battle, half of which are won
    rivals: tuple[Deck, ...]
    even: frozenset[str] = frozenset()  # names of rivals against whom the slammer wins about half


@fact
class Comparison:
    """A thing whose worth is estimated."""

    kind: str  # one of `KINDS`
    name: str
    copies: int = 1  # pucks that are left out together
    variants: tuple[Variant, ...]  # one for each slammer that has the thing


def comparisons_of(
    contest: Contest, field: Sequence[Design], kinds: Sequence[str] = KINDS
) -> tuple[Comparison, ...]:
    """Return every comparison for a field of slammers with house decks.

    A puck of the house deck is left out with all its copies. Another puck takes the place of the
    last one of the house deck, and is compared with a plain puck there. A puck with a type is that
    of the slammer's type.

    Args:
        contest: Options and pucks.
        field: The slammers; at least two, all different.
        kinds: Kinds of comparisons that are wanted.
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
            variant = replace(alone, without=blank)
            abilities.setdefault(slammer.rule, []).append(variant)
        # Items and Trainers by rule; those with a type only for a slammer of it.
        fitting = {
            design.rule or design.name: design
            for design in catalogue.designs
            if design.kind in (DesignKind.ITEM, DesignKind.TRAINER)
            and design.type in (None, slammer.type)
        }
        for name, puck in fitting.items() if options.puckmart else ():
            copies = deck.pucks.count(puck)
            less = tuple(plain if other == puck else other for other in deck.pucks)
            full = deck
            if not copies:
                less = (*deck.pucks[:-1], plain)
                full = replace(deck, pucks=(*deck.pucks[:-1], puck))
            variant = replace(alone, with_it=full, without=replace(deck, pucks=less))
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
    found = [comparison for comparison in found if comparison.kind in kinds]
    even = _even_pairs(contest, decks) if found else []

    def with_even(own: Variant) -> Variant:
        names = (rival.name for rival in own.rivals if {own.with_it.name, rival.name} in even)
        return replace(own, even=frozenset(names))

    return tuple(replace(own, variants=tuple(map(with_even, own.variants))) for own in found)


def _even_pairs(contest: Contest, decks: Sequence[Deck]) -> list[set[str]]:
    """Return the pairs of slammers that win 40 to 60 % of some battles; none where these are slow.

    The battles have seeds of their own, so that no luck is shared with those of the comparisons.
    """
    found = []
    for mine, rival in combinations(decks, 2):
        table = deck_table((mine, rival), contest.options, contest.catalogue)
        if why_by_rules(table, [contest.policy] * 2, contest.throws):
            return []
        seeds = range(_EVEN_SEED, _EVEN_SEED + _EVEN_PAIRS)
        tally, _ = play_mirrored(contest, mine, rival, seeds, in_blocks=False)
        if abs(tally.score - 0.5) <= _EVEN:
            found.append({mine.name, rival.name})
    return found


_EVEN, _EVEN_PAIRS, _EVEN_SEED = 0.1, 200, 1 << 63
_PAIR = BattleTally(by_wins=(0,) * 3, gains=(0,) * 9, even_gains=(0,) * 9)
"""Tally of no mirrored pair with and without a thing."""


def play_blocks(
    subject: tuple[Contest, Comparison], seed: int, first: int, count: int
) -> BattleTally:
    """Play blocks ``first`` to ``first + count - 1`` of a comparison: pairs with and without it."""
    contest, comparison = subject
    blocks: dict[tuple[int, int], list[int]] = {}
    for block in range(first, first + count):
        turn, place = divmod(block, len(comparison.variants))
        other = turn % len(comparison.variants[place].rivals)
        blocks.setdefault((place, other), []).append(spawned_seed(seed, block))
    total = _PAIR
    for (place, other), seeds in blocks.items():
        variant = comparison.variants[place]
        rival = variant.rivals[other]
        pairs = compare_mirrored(
            contest, variant.with_it, rival, seeds,
            reference=variant.without or rival, rule=comparison.name,
        )  # fmt: skip
        if rival.name in variant.even:
            sums = np.array(pairs.by_block)
            sums[:, [EVEN_TRIALS, EVEN_GAIN]] = sums[:, [TRIALS, GAIN]]
            total += replace(pairs, even_gains=pairs.gains, by_block=as_rows(sums))
        else:
            total += replace(pairs, even_gains=_PAIR.gains)
    return total


def _columns(tally: BattleTally, _: float) -> Mapping[str, Value]:
    even = tally.even_gain
    return {
        "p_win": round_share(tally.won),
        "p_draw": tally.p_draw,
        "worth": round_share(tally.gain),
        **({"worth_even": round_share(even)} if even else {}),
        "uses": tally.uses,
    }


BALANCE: Experiment[tuple[Contest, Comparison], BattleTally] = Experiment(
    name="balance",
    tally=BattleTally,
    run=play_blocks,
    columns=_columns,
    version=5,
    chunk=20,  # so many battles between the same decks begin from the same set-up
)


def balance_cases(
    contest: Contest, comparisons: Sequence[Comparison]
) -> list[Case[tuple[Contest, Comparison]]]:
    """Return a case for each comparison."""
    own = contest.id
    return [
        Case(
            subject=(contest, each),
            labels={
                "kind": each.kind,
                "name": each.name,
                "copies": each.copies,
                "engine": contest.throws.engine,
            },
            facts=[
                own,
                each.kind,
                each.name,
                [variant.with_it.name for variant in each.variants],
                [rival.name for rival in each.variants[0].rivals],
            ],
        )
        for each in comparisons
    ]
