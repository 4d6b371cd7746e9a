"""Numbers of special rules and of players, which the rules and the compiled battles both read.

Only numbers stand here, so that compiled code may have them as constants.
"""

POTION_PUCKS = 2
SURF_PUCKS = 2
HYPER_BEAM_ATTACKS = 2

REST_PUCKS = 3
"""Fewest pucks in Prize for which falling asleep is worth it."""

MANY_ATTACKS = 2
"""If the next player has more attacks, taking some away is worth more than pucks."""

FEW_ATTACKS = 2
"""Most attacks with which a skilled player uses Hyper Beam."""

LOW_HEALTH, SPARE_VALUE = 6, 2
"""Most pucks in Health at which others are discarded to be healed, and the most valuable ones."""

LOWEST_HEALTH = 3
"""Most pucks in Health for which a skilled player uses a Potion."""
