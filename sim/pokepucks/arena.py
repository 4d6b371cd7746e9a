"""The arena: battles between kinds of players or decks, with the same throws for all.

In a round every player sits once on every seat: a battle has as many players as there are kinds,
and they move on by one seat from battle to battle, while the seed stays. So luck with decks and
with the first turn cancels out, and a round is the trial that intervals are made of. `ARENA` is the
experiment, whose cases are the players of `entrant_cases`.

A round of two decks is a mirrored pair, which `play_mirrored` plays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pucklab.base.arrays import Ints
from pucklab.base.facts import fact
from pucklab.sim.experiments import Case, Experiment
from pucklab.sim.experiments.experiment import Value
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup
from pucklab.sim.pokepucks.battle.record import table_json
from pucklab.sim.pokepucks.battle.setup_file import Deck, deck_table, house_setup, number_names
from pucklab.sim.pokepucks.designs import Design
from pucklab.sim.pokepucks.tournament import (
    GAIN,
    TRIALS,
    BattleTally,
    Contest,
    as_rows,
    play_battles,
    round_share,
    spawned_seed,
)

Decks = Sequence[Design] | Sequence[Deck] | BattleSetup
"""Decks of the players of a round: slammers, of which each round draws one for each seat, with
house decks; a deck for each kind, which it takes along to every seat; or a set-up."""


@fact
class Entrant:
    """A player of an arena."""

    contest: Contest  # its policy is not used
    kind: str
    decks: Decks  # the same for all entrants


def play_rounds(
    entrants: Sequence[Entrant], seed: int, first: int, count: int
) -> list[BattleTally]:
    """Play rounds ``first`` to ``first + count - 1``, and return a tally for each player.

    Example:
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> from pucklab.sim.pokepucks.throw_sources import shipped_table
        >>> decks, contest = [shipped_catalogue().find("onix")], Contest(throws=shipped_table())
        >>> two = [Entrant(contest=contest, kind=k, decks=decks) for k in ("greedy", "random")]
        >>> sum(tally.wins for tally in play_rounds(two, 1, 0, 1))
        2
    """
    players, contest, decks = len(entrants), entrants[0].contest, entrants[0].decks
    kinds = [entrant.kind for entrant in entrants]
    rounds: dict[tuple[int, ...], list[int]] = {}
    for number in range(first, first + count):
        drawn: tuple[int, ...] = ()  # places of the slammers; none if there are decks
        if not isinstance(decks, BattleSetup) and not own_decks(decks):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
            drawn = tuple(rng.integers(len(decks), size=players).tolist())
        rounds.setdefault(drawn, []).append(spawned_seed(seed, number))
    totals = [BattleTally(by_wins=(0,) * (players + 1)) for _ in entrants]
    for drawn, seeds in rounds.items():
        seats = [[(seat + shift) % players for seat in range(players)] for shift in range(players)]
        tables = [table_of(contest, decks, drawn, each) for each in seats]
        tallies, _ = play_battles(tables, kinds, contest.throws, seeds)
        totals = [total + tally for total, tally in zip(totals, tallies, strict=True)]
    return totals


def table_of(
    contest: Contest, decks: Decks, drawn: Sequence[int], seats: Sequence[int]
) -> BattleSetup:
    """Return the set-up of a battle.

    Args:
        contest: Options and pucks.
        decks: The decks of the players.
        drawn: For slammers with house decks, the index of each seat's slammer.
        seats: For decks that the players take along, the player on each seat.
    """
    if isinstance(decks, BattleSetup):
        return decks
    own = own_decks(decks)
    if own:
        return deck_table([own[place] for place in seats], contest.options, contest.catalogue)
    slammers = [deck for index in drawn if isinstance(deck := decks[index], Design)]
    return house_setup(slammers, contest.options, contest.catalogue)


def first_tables(contest: Contest, decks: Decks, players: int) -> list[BattleSetup]:
    """Return set-ups that have every slammer and deck of an arena."""
    drawn = [(0,) * players]
    if not isinstance(decks, BattleSetup) and not own_decks(decks):
        drawn = [(place,) * players for place in range(len(decks))]
    return [table_of(contest, decks, places, range(players)) for places in drawn]


def own_decks(decks: Decks) -> list[Deck]:
    """Return the decks that players keep when they change seats; empty if decks stay with seats."""
    return (
        [] if isinstance(decks, BattleSetup) else [deck for deck in decks if isinstance(deck, Deck)]
    )


def _columns(tally: BattleTally, _: float) -> Mapping[str, Value]:
    return {
        "p_win": round_share(tally.won),
        "battles": tally.battles,
        "wins": tally.wins,
        "draws": tally.draws,
        "turns_mean": round(tally.turns / tally.battles, 3),
    }


ARENA: Experiment[Entrant, BattleTally] = Experiment(
    name="arena",
    tally=BattleTally,
    run=play_rounds,
    columns=_columns,
    version=5,
    chunk=1,
    together=True,
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
    brought: object = table_json(decks) if isinstance(decks, BattleSetup) else list(decks)
    facts = [contest.id, brought]
    return [
        Case(
            subject=Entrant(contest=contest, kind=kind, decks=decks),
            labels={"player": name, "policy": kind, "engine": contest.throws.engine},
            facts=[kind, facts],
        )
        for name, kind in zip(number_names(names), kinds, strict=True)
    ]


_MOST_POINTS = 4
"""Points of a mirrored pair: two for each battle won, one for each draw."""


def compare_mirrored(
    contest: Contest, mine: Deck, rival: Deck, seeds: Sequence[int], *,
    reference: Deck | None, rule: str,
) -> BattleTally:  # fmt: skip
    """Play mirrored pairs of a deck, and of a reference with the same seeds; tally both.

    Args:
        contest: Options, pucks and throws.
        mine: The deck.
        rival: The deck that they play against.
        seeds: The seed of each pair.
        reference: The deck whose points are subtracted; None for none.
        rule: The special rule whose uses by the deck's player are counted.
    """
    tally, points = play_mirrored(
        contest, mine, rival, seeds, rule, in_blocks=reference is not None
    )
    if reference is None:
        return tally
    sums = np.array(tally.by_block)
    if reference == rival:  # a deck wins half of its mirrored pairs against itself
        its = np.full(len(seeds), _MOST_POINTS // 2)
        sums[:, GAIN] -= _MOST_POINTS // 2 * sums[:, TRIALS]
    elif reference == mine:
        its = points
        sums[:, GAIN] = 0
    else:
        other, its = play_mirrored(contest, reference, rival, seeds)
        sums[:, GAIN] -= np.array(other.by_block)[:, GAIN]
    gains = np.bincount(points - its + _MOST_POINTS, minlength=2 * _MOST_POINTS + 1)
    return replace(tally, gains=tuple(gains.tolist()), by_block=as_rows(sums))


def play_mirrored(
    contest: Contest, mine: Deck, rival: Deck, seeds: Sequence[int], rule: str = "", *,
    in_blocks: bool = True,
) -> tuple[BattleTally, Ints]:  # fmt: skip
    """Play the mirrored pair of two decks with each seed.

    Returns:
        The tally of the first deck, with its player's uses of a special rule, and its points, shape
        (seeds,).

    Example:
        >>> from pucklab.sim.pokepucks.battle.setup_file import house_deck
        >>> from pucklab.sim.pokepucks.throw_sources import shipped_table
        >>> contest = Contest(throws=shipped_table())
        >>> onix = house_deck(contest.catalogue.find("onix"), 14, contest.catalogue)
        >>> play_mirrored(contest, onix, onix, [7])[0].score
        0.5
    """
    tables = [
        deck_table(decks, contest.options, contest.catalogue)
        for decks in ((mine, rival), (rival, mine))
    ]
    kinds = [contest.policy] * 2
    throws = contest.throws
    (tally, _), points = play_battles(tables, kinds, throws, seeds, rule, in_blocks=in_blocks)
    return tally, points[:, 0]
