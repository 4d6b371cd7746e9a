"""Games of the drinking trail with dice that are set, and policies that do as asked."""

# ruff: noqa: ARG002 -- policies are asked with more than these need

from physics.decoding import encode
from sim.trail.board import board_from
from sim.trail.match import Setup
from sim.trail.odds import Table
from sim.trail.play import Game, Policy


def board(last=20, **tables):
    lists = {name: encode(value) for name, value in tables.items()}
    return board_from({"last": last, **lists})


def rolls(*outcomes):
    """Give set outcomes in turn; each must be possible."""
    left = list(outcomes)

    def draw(part):
        outcome = left.pop(0)
        assert part[outcome] > 0, f"{outcome} cannot be drawn from {part}"
        return outcome

    return draw


class Does(Policy):
    """Two dice attack; balls and items are used as asked."""

    def __init__(self, *, dice=2, ball=False, items=False):
        self._dice = dice
        self._ball = ball
        self._items = items

    def attack_dice(self, game, seat, gym, hp):
        return self._dice

    def ball(self, game, seat, square):
        return super().ball(game, seat, square) if self._ball else None

    def repel(self, game, seat, square):
        return self._items

    def potion(self, game, seat, units):
        return self._items

    def target(self, game, seat, effect, others):
        return others[0]


def game(on, *outcomes, players=1, policy=None, **options):
    return Game(on, [policy or Does()] * players, rolls(*outcomes), **options)


def turns(played, count=1):
    """Play some turns and return their events."""
    before = len(played.events)
    for _ in range(count):
        played.turn()
    return played.events[before:]


def kinds(events):
    return [event.kind for event in events]


def units(played):
    return [seat.units for seat in played.seats]


def table(on, *kinds, **setup):
    """Return players of some kinds at a board."""
    names = tuple(f"player {number}" for number in range(1, len(kinds) + 1))
    return Table(setup=Setup(board=on, names=names, **setup), policies=kinds)
