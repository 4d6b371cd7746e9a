"""The balance of the game: what each slammer, ability and puck is worth to the player who has it.

A `Comparison` is a thing that is left out: a slammer, whose share of battles won against all others
is compared with one half; an ability, whose slammers play with and without it; a puck, in place of
which the deck has a plain one. Everybody else has house decks. With and without it, mirrored pairs
have the same slammers and seeds (common random numbers), and the worth is the mean difference in
the share of battles won. `BALANCE` is the experiment: in each trial every comparison gets one pair
with and one without.

The worth is that for players of the contest's kind: a rule that they never use is worth nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sim.experiments import Case, Experiment
from sim.experiments.experiment import Cell
from sim.pokepucks.arena import (
    MOST_POINTS,
    MirroredTally,
    check_mirrored,
    play_mirrored,
    tally_points,
)
from sim.pokepucks.battle.setup_file import Deck, house_deck
from sim.pokepucks.design_file import Catalogue
from sim.pokepucks.designs import Design, DesignKind
from sim.pokepucks.tournament import Contest, interval, spawned_seed

KINDS = ("slammer", "ability", "puck")
"""The kinds of things that are compared."""

_PLAIN = "Plain Puck"
_RIVAL_STEP = 7
"""Step between the first rivals of successive slammers; so few blocks have many rivals, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The decks of a comparison for one slammer."""

    with_it: Deck
    without: Deck | None  # None for an even battle, half of which are won
    rivals: tuple[Deck, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A thing whose worth is estimated."""

    kind: str  # one of `KINDS`
    name: str
    copies: int = 1  # pucks that are left out together
    variants: tuple[Variant, ...]  # one for each slammer that has the thing


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


def play_blocks(
    subjects: Sequence[tuple[Contest, Comparison]], seed: int, first: int, count: int
) -> list[MirroredTally]:
    """Play blocks ``first`` to ``first + count - 1``, and return the tally of each comparison."""
    totals = [MirroredTally()] * len(subjects)
    for block in range(first, first + count):
        own_seed = spawned_seed(seed, block)
        played: dict[tuple[Deck, Deck], int] = {}
        for number, (contest, comparison) in enumerate(subjects):
            turn, place = divmod(block, len(comparison.variants))
            variant = comparison.variants[place]
            rival = variant.rivals[turn % len(variant.rivals)]
            for deck in (variant.with_it, variant.without):
                if deck is not None and (deck, rival) not in played:
                    (played[deck, rival],) = play_mirrored(contest, deck, rival, [own_seed])
            bare = MOST_POINTS // 2
            if variant.without is not None:
                bare = played[variant.without, rival]
            totals[number] += tally_points([played[variant.with_it, rival]], [bare])
    return totals


def _columns(tally: MirroredTally, z: float) -> Mapping[str, Cell]:
    del z
    return {**interval("p_win", tally.won), **interval("worth", tally.gain)}


BALANCE: Experiment[tuple[Contest, Comparison], MirroredTally] = Experiment(
    name="balance",
    tally=MirroredTally,
    run=play_blocks,
    columns=_columns,
    chunk=1,
    together=True,
    check=check_mirrored,
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
