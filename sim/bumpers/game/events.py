"""What happens in a game, as named events for a transcript."""

from dataclasses import dataclass
from enum import StrEnum


class Happening(StrEnum):
    """The names of events."""

    SHUFFLED = "shuffled"
    PLACED = "placed"
    TURN = "turn"
    DREW = "drew"
    MOVED = "moved"
    SCORED = "scored"
    PLAYED = "played"
    RESOLVED = "takes effect"
    NAMED = "named"
    RETURNED = "returned"
    TOOK = "took"
    KEPT = "kept"
    STOPPED = "stopped"
    REVERSED = "reversed"
    RULE = "rule"
    MATS_BACK = "mats back"
    DISCARDED = "discarded"
    ENDED = "ended"
    WON = "won"
    DRAWN_GAME = "drawn game"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes:
        name: What.
        player: To whom or by whom; None for nobody.
        what: The card, move or number, as text.
    """

    name: Happening
    player: int | None = None
    what: str = ""


Log = list[Event]
"""Events in the making: functions within a step add to it."""
