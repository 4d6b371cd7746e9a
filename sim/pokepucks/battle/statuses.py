"""Statuses of slammers, by name. What they do is told where it happens in the turn."""

from enum import StrEnum


class Status(StrEnum):
    """A status; it belongs to the place of the slammer, whatever puck lies there (PP-17)."""

    __hash__ = str.__hash__  # quicker than that of enumerations

    CRITICAL = "Critical"
    """No other status; the Arena's max size is halved in the next player's turn (PP-5 to PP-8)."""
    PARALYZED = "Paralyzed"
    """One attack fewer, at least one (PP-13)."""
    SLEEP = "Sleep"
    """One attack, and nothing is picked up; the first flip ends it (PP-14)."""
    POISONED = "Poisoned"
    """Its player tops off to one puck more (PP-16)."""
    CONFUSED = "Confused"
    """After a turn that picked up nothing, its player pays the next top-off (PP-15)."""
