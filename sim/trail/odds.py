"""Odds of a trail: exact for one player and for races, simulated for tables of players."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from physics import InputError, trial_generator
from sim.chance import (
    Distribution,
    Number,
    Process,
    collect,
    courses,
    draw,
    evaluate,
    totals,
)
from sim.chance.process import EXACT
from sim.core.ordered_work import in_order
from sim.trail.board import Board
from sim.trail.duel import Starter
from sim.trail.play import Game
from sim.trail.players import Policy, policy_of

STATES = 5_000
"""Most states of a board for exact odds: half a minute of work."""
CHUNK_GAMES = 100
_Outcome = tuple[Number, Any, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """Exact odds of one player on a board.

    Attributes:
        turns: Expected turns to the finish, lost ones included.
        units: Expected units.
        turns_odds: Distribution of the turns; infinite stands for what is left below 1e-12.
        units_odds: Distribution of the units, likewise.
        landing: Expected number of turns that begin on each square, from 1 on.
    """

    turns: Number
    units: Number
    turns_odds: Distribution[Number]
    units_odds: Distribution[Number]
    landing: Mapping[int, Number]


def game_outcomes(game: Game) -> Callable[[Any], list[_Outcome]]:
    """Return a function from a state to all results of its turn: chance, next state, units drunk.

    Args:
        game: A game, used to play the turns in; its policies must not draw.
    """

    def outcomes(state: Any) -> list[_Outcome]:
        merged: dict[tuple[Any, tuple[int, ...]], Number] = {}
        game.load(state)
        if game.over:
            return []
        for result, chance in courses(partial(_turn, game, state)):
            merged[result] = merged.get(result, 0) + chance
        return [(chance, *result) for result, chance in merged.items()]

    return outcomes


def _turn(game: Game, state: Any, draw_one: Any) -> tuple[Any, tuple[int, ...]]:
    game.load(state)
    game.draw = draw_one
    game.turn()
    return game.state(), tuple(seat.units for seat in game.seats)


def game_process(
    game: Game, cost: Callable[[tuple[int, ...]], Number], *, limit: int = STATES
) -> Process[Any, str]:
    """Return the rest of a game as a process with one move, a turn.

    Args:
        game: The game; it is left in the state that it is in, without its events.
        cost: Returns the cost of a turn from the units that each seat drank in it.
        limit: Most states.

    Raises:
        InputError: There are more states than the limit.
    """
    outcomes = game_outcomes(game)

    def moves(state: Any) -> dict[str, list[tuple[Number, Any, Number]]]:
        found = outcomes(state)
        return {"turn": [(p, to, cost(units)) for p, to, units in found]} if found else {}

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
        >>> from sim.trail.board import plain_board
        >>> alone(plain_board(6), policy_of("quick")).turns
        Fraction(16807, 7776)
    """
    squares = {at: replace(square, move=()) for at, square in board.squares.items()}
    game = Game(replace(board, squares=squares), [policy], _no_draw)
    both = game_process(game, lambda units: units[0], limit=limit)
    small = len(both.moves) <= EXACT

    def with_cost(cost: Callable[[Number], Number]) -> Process[Any, str]:
        return Process(
            {
                state: {
                    move: tuple((p if small else float(p), to, cost(n)) for p, to, n in steps)
                    for move, steps in moves.items()
                }
                for state, moves in both.moves.items()
            }
        )

    by_turns, by_units = with_cost(lambda _: 1), with_cost(lambda units: units)
    turns, units = evaluate(by_turns), evaluate(by_units)
    landing: dict[int, Number] = {}
    for state, visits in turns.visits.items():
        position = state[1][0][0]
        landing[position] = landing.get(position, 0) + visits
    return Alone(
        turns=turns.value[both.start],
        units=units.value[both.start],
        turns_odds=totals(by_turns),
        units_odds=totals(by_units),
        landing={at: landing[at] for at in sorted(landing) if at},
    )


def check_finish(board: Board) -> None:
    """Check that a player alone, without items, can finish from wherever the dice may lead.

    Raises:
        InputError: There is a square from where the finish is out of reach.
    """
    bare = replace(board, starting_items=())
    try:
        process = game_process(
            Game(bare, [policy_of("quick")], _no_draw), lambda _: 1, limit=STATES
        )
    except InputError:  # too many states to say
        return
    value = evaluate(process, exact=0).value
    stuck = sorted(state[1][0][0] for state, turns in value.items() if turns == math.inf)
    if stuck:
        raise InputError(
            f"square {stuck[-1]}: the finish is out of reach from there; give a board on which "
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


def _no_draw(part: Distribution[Any]) -> Any:
    raise RuntimeError(f"no draw from {part!r} before a turn is played")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Players at a board.

    Attributes:
        board: The board.
        policies: Names of the policies, in seat order.
        starters: One per player; None draws them in each game.
        first: The seat that begins; None draws it.
        all_finish: Go on until all have finished.
        cap: Units of a player that are counted at most; they pass beyond.
    """

    board: Board
    policies: tuple[str, ...]
    starters: tuple[Starter, ...] | None = None
    first: int | None = None
    all_finish: bool = False
    cap: float = math.inf


def new_game(
    table: Table, rng: Any, policies: Sequence[Policy] | None = None
) -> tuple[Game, tuple[Starter, ...]]:
    """Return a game at a table, and its starters; what is not fixed is drawn.

    Args:
        table: The table.
        rng: Generator of the whole game.
        policies: The players; those of the table's names if not given.
    """
    count = len(table.policies)
    drawn = tuple(tuple(Starter)[n] for n in rng.integers(0, 3, count).tolist())
    first = int(rng.integers(0, count))
    starters = table.starters or drawn
    game = Game(
        table.board,
        policies or [policy_of(kind) for kind in table.policies],
        lambda part: draw(part, rng),
        starters=starters,
        first=first if table.first is None else table.first,
        all_finish=table.all_finish,
    )
    return game, starters


@dataclass(slots=True)
class Tally:
    """Counts of simulated games; tallies add up.

    Attributes:
        games: Games.
        undecided: Games that nobody finished.
        wins: Games won, by seat.
        turns: Turns of the winner.
        units: Units, by seat.
        all_units: Units of the whole table.
        capped: Players, over all games, whose units passed the cap.
    """

    games: int = 0
    undecided: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    units: tuple[Counter[int], ...] = ()
    all_units: Counter[int] = field(default_factory=Counter)
    capped: int = 0

    def add(self, other: "Tally") -> None:
        """Add another tally of the same table."""
        self.games += other.games
        self.undecided += other.undecided
        self.capped += other.capped
        self.wins.update(other.wins)
        self.turns.update(other.turns)
        self.all_units.update(other.all_units)
        self.units = self.units or tuple(Counter() for _ in other.units)
        for mine, theirs in zip(self.units, other.units, strict=True):
            mine.update(theirs)


def play_games(table: Table, seed: int, first: int, count: int) -> Tally:
    """Play games ``first`` to ``first + count - 1`` of a seed and return their tally."""
    tally = Tally(games=count, units=tuple(Counter() for _ in table.policies))
    for number in range(first, first + count):
        game, _ = new_game(table, trial_generator(seed, number))
        game.play()
        tally.capped += sum(seat.units > table.cap for seat in game.seats)
        units = [int(min(seat.units, table.cap)) for seat in game.seats]
        for counter, drunk in zip(tally.units, units, strict=True):
            counter[drunk] += 1
        tally.all_units[sum(units)] += 1
        winner = next((s for s, seat in enumerate(game.seats) if seat.rank == 1), None)
        if winner is None:
            tally.undecided += 1
        else:
            tally.wins[winner] += 1
            tally.turns[game.seats[winner].turns] += 1
    return tally


def simulate(
    table: Table, games: int, seed: int, *, executor: Executor | None = None, window: int = 8
) -> Iterator[Tally]:
    """Play games and yield the tally so far after each hundred; same seed, same games.

    Args:
        table: The table.
        games: How many.
        seed: The seed; game i is drawn from it and i alone.
        executor: Where chunks of games are played; None for here.
        window: Chunks in the executor at a time.
    """
    total = Tally()
    tasks = (
        (table, seed, first, min(CHUNK_GAMES, games - first))
        for first in range(0, games, CHUNK_GAMES)
    )
    for tally in in_order(play_games, tasks, executor, window):
        total.add(tally)
        yield total


def board_hash(board: Board) -> str:
    """Return 12 hexadecimal digits that name a board: everything on it goes into them."""
    return hashlib.sha256(repr(board).encode()).hexdigest()[:12]
