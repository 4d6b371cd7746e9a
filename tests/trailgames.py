"""Games of the drinking trail with dice that are set, and policies that do as asked."""

from pucklab.base.decoding import encode
from pucklab.sim.trail.board import board_from
from pucklab.sim.trail.match import Setup
from pucklab.sim.trail.odds import Seating
from pucklab.sim.trail.play import Game, Policy


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

    def decide(self, game, decision):
        match decision.about:
            case ("attack_dice", *_):
                return self._dice
            case ("ball", _) if not self._ball:
                return False
            case ("repel" | "potion", _):
                return self._items
            case ("target", _, others):
                return others[0]
        return super().decide(game, decision)


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
    return Seating(setup=Setup(board=on, names=names, **setup), policies=kinds)
