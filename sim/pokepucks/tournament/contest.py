"""What a tournament's battles are, and playing those of a pair."""

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from sim.pokepucks.battle.housetable import house_table
from sim.pokepucks.battle.match import play_battle
from sim.pokepucks.battle.options import BattleOptions
from sim.pokepucks.battle.players import player_of
from sim.pokepucks.battle.question import ThrowCall
from sim.pokepucks.catalogue import Catalogue, shipped_catalogue
from sim.pokepucks.design import Design
from sim.pokepucks.oddsthrows import OddsThrows
from sim.pokepucks.outcome import Outcome
from sim.pokepucks.physicsthrows import PhysicsThrows
from sim.pokepucks.tablethrows import TableThrows
from sim.pokepucks.tournament.tally import PairTally


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What all battles of a tournament have in common.

    Attributes:
        throws: Where the outcomes of throws come from.
        policy: The kind of all players.
        options: Mode and rulings.
        catalogue: Where the pucks of the house collections come from.
    """

    throws: PhysicsThrows | TableThrows | OddsThrows = field(default_factory=PhysicsThrows)
    policy: str = "greedy"
    options: BattleOptions = field(default_factory=BattleOptions)
    catalogue: Catalogue = field(default_factory=shipped_catalogue)


def contest_hash(contest: Contest, pair: tuple[Design, Design]) -> str:
    """Return 12 hexadecimal digits that name the battles of a pair: all of it goes into them.

    Example:
        >>> onix, eevee = map(shipped_catalogue().find, ("onix", "eevee"))
        >>> len(contest_hash(Contest(), (onix, eevee)))
        12
    """
    facts = [
        type(contest.throws).__name__,
        _throws_facts(contest.throws),
        contest.policy,
        asdict(contest.options),
        asdict(contest.catalogue)["designs"],
        [asdict(design) for design in pair],
    ]
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _throws_facts(throws: PhysicsThrows | TableThrows | OddsThrows) -> Any:
    """Return what tells throws from others."""
    if isinstance(throws, TableThrows):
        return throws.digest
    if isinstance(throws, OddsThrows):
        return [asdict(entry) for entry in throws.entries]
    return asdict(throws)


def play_pair(
    contest: Contest, pair: tuple[Design, Design], seed: int, first: int, count: int
) -> PairTally:
    """Play battles ``first`` to ``first + count - 1`` of a pair, and return their tally.

    In even battles the first slammer has the first turn, in odd ones the second. A battle depends
    on the seed, the names of the pair and its number alone.

    Args:
        contest: What the battles are.
        pair: The slammers; the tally tells of the first.
        seed: The tournament's seed, from 0.
        first: Number of the first battle, from 0.
        count: How many battles.

    Example:
        >>> from sim.pokepucks.tablethrows import shipped_table
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
        first_wins=int(last.winner == 0),
        turns=last.turn.number,
        throws=throws,
        attempts=attempts[mine],
        knock_outs=knock_outs[mine],
        attempts_against=attempts[1 - mine],
        knock_outs_against=knock_outs[1 - mine],
    )
