"""Noughts and crosses: a game that has nothing but the protocol, and a player of its own."""

from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.core.game import Decision, Game
from pucklab.sim.core.players import Players, RandomPlayer
from pucklab.sim.experiments.series import series_of

SQUARES = "123456789"
LINES = ("123", "456", "789", "147", "258", "369", "159", "357")


@fact
class Setup:
    """The seat that begins."""

    first: int = 0


@fact
class State:
    """The squares taken so far, in turn."""

    setup: Setup
    taken: str = ""

    def of(self, seat):
        return set(self.taken[(seat + self.setup.first) % 2 :: 2])

    @property
    def won(self):
        return [any(self.of(seat) >= set(line) for line in LINES) for seat in (0, 1)]


class Noughts(Game):
    """Three in a row win."""

    name, setup, may_undo = "noughts and crosses", Setup, True

    def seats(self, state):
        del state
        return "Ann", "Ben"

    def start(self, setup):
        return State(setup=setup)

    def open(self, state):
        free = [square for square in SQUARES if square not in state.taken]
        seat = (state.setup.first + len(state.taken)) % 2
        return Decision(seat, free) if free and not any(state.won) else None

    def apply(self, state, answer):
        now = self.open(state)
        if now is None or answer not in now.options:
            raise InputError(f"square {answer} is not free")
        told = f"{self.seats(state)[now.seat]} takes {answer}"
        return State(setup=state.setup, taken=state.taken + answer), (told,)

    def returns(self, state):
        return tuple(float(state.won[seat] - state.won[1 - seat]) for seat in (0, 1))

    def view(self, state, seat):
        mine, others = state.of(seat), state.of(1 - seat)
        return {"board": [(square in mine) - (square in others) for square in SQUARES]}


class Greedy(RandomPlayer):
    """Completes a line if it can."""

    def choose(self, state, decision, rng):
        wins = [one for one in decision.options if any(NOUGHTS.apply(state, one)[0].won)]
        return wins[0] if wins else super().choose(state, decision, rng)


NOUGHTS = Noughts()
PLAYERS = Players(game=NOUGHTS, by_name={"random": RandomPlayer, "greedy": Greedy})
SERIES = series_of(PLAYERS)
