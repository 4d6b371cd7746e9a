"""Codes of the occupancy array.

``occupied[space]`` is 0 for an empty space, ``GOAL`` for an empty goal space, and else the piece
on it: its index plus 1. Two spaces more hold what lies beyond: index ``spaces`` is the wall that
every barrier leads to, and ``spaces + 1`` is where scored pucks are; every way from both leads to
the wall.
"""

EMPTY = 0
GOAL = 254
WALL = 255
