"""Games of the drinking trail with dice that are set, and policies that do as asked."""

# ruff: noqa: ARG002 -- policies are asked with more than these need

from collections.abc import Iterable, Sequence
from typing import Any

from physics.decoding import encode
from sim.chance.distribution import Distribution
from sim.trail.board import Board, Effect, GymSquare, Item, Square, board_from
from sim.trail.play import Event, Game, Kind, Policy


def board(last: int = 20, **tables: Any) -> Board:
    lists = {name: encode(value) for name, value in tables.items()}
    return board_from({"last": last, **lists})


def rolls(*outcomes: int) -> Any:
    """Give set outcomes in turn; each must be possible."""
    left = list(outcomes)

    def draw(part: Distribution[Any]) -> Any:
        outcome = left.pop(0)
        assert part[outcome] > 0, f"{outcome} cannot be drawn from {part}"
        return outcome

    return draw


class Does(Policy):
    """Two dice attack; balls and items are used as asked."""

    def __init__(self, *, dice: int = 2, ball: bool = False, items: bool = False) -> None:
        self._dice = dice
        self._ball = ball
        self._items = items

    def attack_dice(self, game: Game, seat: int, gym: GymSquare, hp: int) -> int:
        return self._dice

    def ball(self, game: Game, seat: int, square: Square) -> Item | None:
        return super().ball(game, seat, square) if self._ball else None

    def repel(self, game: Game, seat: int, square: Square) -> bool:
        return self._items

    def potion(self, game: Game, seat: int, units: int) -> bool:
        return self._items

    def target(self, game: Game, seat: int, effect: Effect, others: tuple[int, ...]) -> int:
        return others[0]


def game(
    on: Board, *outcomes: int, players: int = 1, policy: Policy | None = None, **options: Any
) -> Game:
    return Game(on, [policy or Does()] * players, rolls(*outcomes), **options)


def turns(played: Game, count: int = 1) -> list[Event]:
    """Play some turns and return their events."""
    before = len(played.events)
    for _ in range(count):
        played.turn()
    return played.events[before:]


def kinds(events: Iterable[Event]) -> list[Kind]:
    return [event.kind for event in events]


def units(played: Game) -> Sequence[int]:
    return [seat.units for seat in played.seats]
