"""Odds of a trail: exact for one player and for races, simulated for tables of players."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pucklab.base.errors import errors_at
from pucklab.base.facts import fact
from pucklab.base.files import read_toml
from pucklab.physics import InputError, trial_generator
from pucklab.physics.tally import Counts, per_trial
from pucklab.sim.chance.distribution import Distribution, Number, courses, draw
from pucklab.sim.chance.process import Process, Step, collect, evaluate, totals, visits
from pucklab.sim.experiments import Case, Experiment, wilson
from pucklab.sim.experiments.experiment import Cell
from pucklab.sim.trail.board import Board, board_from
from pucklab.sim.trail.match import Setup, deal
from pucklab.sim.trail.play import POLICIES, Game, Policy

STATES = 5_000
"""Most states of a board for exact odds: half a minute of work."""


@fact
class Alone:
    """Exact odds of one player on a board: expected values, and distributions (see `totals`)."""

    turns: Number  # to the finish, lost ones included
    units: Number
    turns_odds: Distribution[Number]
    units_odds: Distribution[Number]
    landing: Mapping[int, Number]  # expected turns that begin on each square, from 1 on


def game_process(
    game: Game, cost: Callable[[tuple[int, ...]], Number], *, limit: int = STATES
) -> Process:
    """Return the rest of a game as a process in which every state has one move: the turn.

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

    Moves of caught Pokemon are left out: there is no other player to use them on, and the policies
    neither throw a ball for such a move nor use it.

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


def read_board(path: Path) -> Board:
    """Return the board of a TOML file.

    Raises:
        InputError: It cannot be read, holds something that is not accepted, or cannot be finished.
    """
    where = f"board: {str(path)!r}"
    board = board_from(read_toml("board", path), where)
    with errors_at(f"{where}:"):
        check_finish(board)
    return board


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


@fact
class Seating:
    """Players at a board, by the names of their policies."""

    setup: Setup
    policies: tuple[str, ...]


def new_game(table: Seating, rng: Any) -> Game:
    """Return a game at a table, drawn from ``rng``: starters and the first seat, too."""
    starters, first = deal(table.setup, rng)
    return Game(
        table.setup.board,
        [POLICIES[kind]() for kind in table.policies],
        lambda part: draw(part, rng),
        starters=starters,
        first=first,
        all_finish=table.setup.all_finish,
    )


@fact
class TrailTally(Counts):
    """Counts of simulated games: by seat, and by turns or units as text."""

    wins: tuple[int, ...]
    turns: dict[str, int]  # games by turns of the winner
    units: tuple[dict[str, int], ...] = per_trial(adds_up=True)  # games by units of each seat
    all_units: dict[str, int] = per_trial(adds_up=True)  # games by units of the whole table
    capped: tuple[int, ...]  # games in which a seat passed the cap

    def agrees(self) -> bool:
        """True if each game has at most one winner, whose turns are counted."""
        seats = {len(self.wins), len(self.units), len(self.capped)}
        return len(seats) == 1 and sum(self.wins) == sum(self.turns.values()) <= self.trials

    @property
    def undecided(self) -> int:
        """Games that nobody finished."""
        return self.trials - sum(self.wins)

    def units_of(self, *seats: int) -> Counter[int]:
        """Return the number of players by units drunk, over all games and the given seats."""
        return sum((by_number(self.units[seat]) for seat in seats), Counter())


def by_number(counts: Mapping[str, int]) -> Counter[int]:
    """Return counts by number, in ascending order."""
    return Counter({int(text): counts[text] for text in sorted(counts, key=int)})


def play_games(table: Seating, seed: int, first: int, count: int) -> TrailTally:
    """Play games ``first`` to ``first + count - 1`` of a seed and return their tally."""
    seats = range(len(table.policies))
    cap = table.setup.most_units
    wins, capped = Counter[int](), Counter[int]()
    turns, all_units = Counter[str](), Counter[str]()
    units = [Counter[str]() for _ in seats]
    for number in range(first, first + count):
        game = new_game(table, trial_generator(seed, number))
        game.play()
        drunk = [min(seat.units, cap) for seat in game.seats]
        all_units[str(sum(drunk))] += 1
        for n, seat in enumerate(game.seats):
            units[n][str(drunk[n])] += 1
            capped[n] += seat.units > cap
            if seat.rank == 1:
                wins[n] += 1
                turns[str(seat.turns)] += 1
    return TrailTally(
        trials=count,
        wins=tuple(wins[n] for n in seats),
        turns=dict(turns),
        units=tuple(map(dict, units)),
        all_units=dict(all_units),
        capped=tuple(capped[n] for n in seats),
    )


def mean_of(counter: Counter[int]) -> tuple[float, float | None]:
    """Return the mean of counted values and its standard error; None for a single one."""
    total = counter.total()
    mean = sum(value * seen for value, seen in counter.items()) / total
    squares = sum(seen * (value - mean) ** 2 for value, seen in counter.items())
    return mean, math.sqrt(squares / (total - 1) / total) if total > 1 else None


def _columns(tally: TrailTally, z: float) -> dict[str, Cell]:
    mean, error = mean_of(by_number(tally.all_units))
    won = [wilson(wins, tally.trials, z) for wins in tally.wins]
    units = [mean_of(tally.units_of(seat))[0] for seat in range(len(won))]
    return {
        "p_won_by_seat": " ".join(f"{p.value:.4f}" for p in won),
        "p_won_low": " ".join(f"{p.low:.4f}" for p in won),
        "p_won_high": " ".join(f"{p.high:.4f}" for p in won),
        "units_by_seat": " ".join(f"{own:.4f}" for own in units),
        "table_units_mean": mean,
        "table_units_se": "" if error is None else error,
        "turns_mean": mean_of(by_number(tally.turns))[0] if tally.turns else "",
        "undecided": tally.undecided,
        "capped_players": sum(tally.capped),
    }


TRAIL: Experiment[Seating, TrailTally] = Experiment(
    name="trail", tally=TrailTally, run=play_games, columns=_columns, chunk=100
)


def trail_case(table: Seating) -> Case[Seating]:
    """Return a table as the case of `TRAIL`: everything on its board goes into its id."""
    labels: dict[str, Cell] = {
        "board": table.setup.board.name,
        "players": len(table.policies),
        "policies": " ".join(table.policies),
    }
    return Case(subject=table, labels=labels)
