"""Odds of a trail: exact for one player and for races, simulated for tables of players."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from physics import InputError, trial_generator
from sim.chance.distribution import Distribution, Number, courses, draw
from sim.chance.process import Process, Step, collect, evaluate, totals, visits
from sim.core.ordered_work import in_order
from sim.trail.board import Board
from sim.trail.duels import Starter
from sim.trail.play import POLICIES, Game, Policy

STATES = 5_000
"""Most states of a board for exact odds: half a minute of work."""
CHUNK_GAMES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """Exact odds of one player on a board: expected values, and distributions as of `totals`."""

    turns: Number  # to the finish, lost ones included
    units: Number
    turns_odds: Distribution[Number]
    units_odds: Distribution[Number]
    landing: Mapping[int, Number]  # expected turns that begin on each square, from 1 on


def game_process(
    game: Game, cost: Callable[[tuple[int, ...]], Number], *, limit: int = STATES
) -> Process:
    """Return the rest of a game, whose events are dropped, as a process with one move, a turn.

    The cost of a turn is a function of the units that each seat drank in it.

    Raises:
        InputError: There are more states than the limit.
    """

    def play(state: Any, draw_next: Any) -> tuple[Any, tuple[int, ...]]:
        game.load(state)
        game.draw = draw_next
        game.turn()
        return game.state(), tuple(seat.units for seat in game.seats)

    def moves(state: Any) -> dict[str, list[Step]]:
        game.load(state)
        if game.over:
            return {}
        merged: dict[tuple[Any, tuple[int, ...]], Number] = {}
        for result, chance in courses(partial(play, state)):
            merged[result] = merged.get(result, 0) + chance
        return {"turn": [(p, to, cost(units)) for (to, units), p in merged.items()]}

    start = game.state()
    try:
        return collect(start, moves, limit=limit)
    finally:
        game.load(start)


def alone(board: Board, policy: Policy, *, limit: int = STATES) -> Alone:
    """Return the exact odds of one player on a board.

    Moves of caught Pokemon are left out: there is nobody to use them on, and the policies neither
    throw a ball for such a move nor use it.

    Raises:
        InputError: There are more states than the limit.

    Example:
        >>> alone(Board(last=6), POLICIES["quick"]()).turns
        Fraction(16807, 7776)
    """
    bare = replace(board, square=tuple(replace(square, move=()) for square in board.square))
    by_units = game_process(Game(bare, [policy]), lambda units: units[0], limit=limit)
    by_turns: Process = {
        state: {move: tuple((p, to, 1) for p, to, _ in steps) for move, steps in moves.items()}
        for state, moves in by_units.items()
    }
    start = next(iter(by_units))
    landing: Counter[int] = Counter()
    for (_, seats), number in visits(by_turns).items():
        landing[seats[0][0]] += number  # type: ignore[assignment]
    return Alone(
        turns=evaluate(by_turns).value[start],
        units=evaluate(by_units).value[start],
        turns_odds=totals(by_turns),
        units_odds=totals(by_units),
        landing={at: landing[at] for at in sorted(landing) if at},
    )


def check_finish(board: Board) -> None:
    """Check that a player alone, without items, can finish from wherever the dice may lead.

    Raises:
        InputError: There is a square from where the finish is out of reach.
    """
    game = Game(replace(board, starting_items=()), [POLICIES["quick"]()])
    try:
        process = game_process(game, lambda _: 1)
    except InputError:  # too many states to say
        return
    value = evaluate(process, exact=0).value
    stuck = [seats[0][0] for (_, seats), turns in value.items() if turns == math.inf]
    if stuck:
        raise InputError(
            f"square {max(stuck)}: the finish is out of reach from there; give a board on which "
            "every game can end"
        )


def race(turns: Distribution[Number], players: int) -> list[Number]:
    """Return each seat's chance to be first when players do not meet, by their turns to the finish.

    Raises:
        InputError: There are fewer than two players.
    """
    if players < 2:
        raise InputError(f"players: {players!r} is not accepted; a race has 2 or more")
    chances: list[Number] = [0] * players
    after: Number = 1
    for _, here in turns.items:
        # Seats before have not finished within as many turns, those after not within fewer.
        before, after = after, after - here
        for seat in range(players):
            chances[seat] += after**seat * here * before ** (players - 1 - seat)
    return chances


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Players at a board."""

    board: Board
    policies: tuple[str, ...]  # names, in seat order
    starters: tuple[Starter, ...] | None = None  # one per player; None draws them in each game
    first: int | None = None  # the seat that begins; None draws it
    all_finish: bool = False  # go on until all have finished
    cap: float = math.inf  # units of a player that are counted at most; they pass beyond


def new_game(table: Table, rng: Any, policies: Sequence[Policy] | None = None) -> Game:
    """Return a game at a table, drawn from ``rng``: starters and the first seat if not fixed, too.

    Policies are those of the table's names if not given.
    """
    count = len(table.policies)
    drawn = tuple(tuple(Starter)[n] for n in rng.integers(0, 3, count).tolist())
    first = int(rng.integers(0, count))
    return Game(
        table.board,
        policies or [POLICIES[kind]() for kind in table.policies],
        lambda part: draw(part, rng),
        starters=table.starters or drawn,
        first=first if table.first is None else table.first,
        all_finish=table.all_finish,
    )


@dataclass(slots=True)
class Tally:
    """Counts of simulated games; tallies add up."""

    wins: Counter[int | None] = field(default_factory=Counter)  # by seat; None: undecided
    turns: Counter[int] = field(default_factory=Counter)  # by turns of the winner
    units: Counter[tuple[int, int]] = field(default_factory=Counter)  # by (seat, units)
    all_units: Counter[int] = field(default_factory=Counter)  # by units of the whole table
    capped: Counter[int] = field(default_factory=Counter)  # by seats that passed the cap

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins.total()

    def units_of(self, *seats: int) -> Counter[int]:
        """Return how often players drank so many units, over all games and the given seats."""
        found: Counter[int] = Counter()
        for (seat, units), games in self.units.items():
            found[units] += games * (seat in seats)
        return +found

    def add(self, other: "Tally") -> None:
        """Add another tally of the same table."""
        for one in fields(self):
            getattr(self, one.name).update(getattr(other, one.name))


def play_games(table: Table, seed: int, first: int, count: int) -> Tally:
    """Play games ``first`` to ``first + count - 1`` of a seed and return their tally."""
    tally = Tally()
    for number in range(first, first + count):
        game = new_game(table, trial_generator(seed, number))
        game.play()
        units = [int(min(seat.units, table.cap)) for seat in game.seats]
        tally.units.update(enumerate(units))
        tally.all_units[sum(units)] += 1
        tally.capped.update(n for n, seat in enumerate(game.seats) if seat.units > table.cap)
        winner = next((n for n, seat in enumerate(game.seats) if seat.rank == 1), None)
        tally.wins[winner] += 1
        if winner is not None:
            tally.turns[game.seats[winner].turns] += 1
    return tally


def simulate(
    table: Table, games: int, seed: int, *, executor: Executor | None = None, window: int = 8
) -> Iterator[Tally]:
    """Play games and yield the tally so far after each hundred; game i depends on seed and i alone.

    Games are played in the executor if there is one, at most ``window`` hundreds at a time.
    """
    total = Tally()
    starts = range(0, games, CHUNK_GAMES)
    tasks = ((table, seed, first, min(CHUNK_GAMES, games - first)) for first in starts)
    for tally in in_order(play_games, tasks, executor, window):
        total.add(tally)
        yield total


def board_hash(board: Board) -> str:
    """Return 12 hexadecimal digits that name a board: everything on it goes into them."""
    return hashlib.sha256(repr(board).encode()).hexdigest()[:12]
