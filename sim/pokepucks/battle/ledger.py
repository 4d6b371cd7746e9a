"""A ledger: the state of a battle now, and every event that led to it."""

from sim.pokepucks.battle.applying import apply
from sim.pokepucks.battle.events import Event
from sim.pokepucks.battle.state import BattleState


class Ledger:
    """What scripts write events into. It is the only thing in a battle that changes in place.

    Args:
        state: The state to begin with.

    Attributes:
        state: The state now.
        events: Every event since.
    """

    __slots__ = ("events", "state")

    def __init__(self, state: BattleState) -> None:
        self.state = state
        self.events: list[Event] = []

    def enter(self, event: Event) -> None:
        """Apply an event, and note it.

        Raises:
            InputError: It does not fit the state; nothing changes.
        """
        self.state = apply(self.state, event)
        self.events.append(event)
