"""Codes of the occupancy array.

``occupied[space]`` is ``EMPTY`` for an empty space, ``GOAL`` for an empty goal space, and else the
piece on it: its index plus ``FIRST``. So a space is open if its code is at most ``GOAL``: one
comparison, for what is asked most. Two spaces more hold what lies beyond: index ``spaces`` is the
wall that every barrier leads to, and ``spaces + 1`` is where scored pucks are; every way from both
leads to the wall.
"""

EMPTY = 0
GOAL = 1
FIRST = 2
WALL = 255
