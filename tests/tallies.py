"""Made-up tallies."""

import numpy as np

from pucklab.physics import Face
from pucklab.physics.tally import Tally, tally_of_faces
from pucklab.sim.pokepucks.tournament import BattleTally

BY_LETTER = {face.letter: face for face in Face}


def tally_of_rows(rows, distance_um):
    """Return the tally of throws given as words of face letters, such as ``DDU DUO``."""
    return Tally.total(
        [
            tally_of_faces(
                [BY_LETTER[letter] for letter in word],
                slammer=Face.DOWN,
                hit=True,
                distance_um=distance_um,
            )
            for word in rows.split()
        ]
    )


def tally_of_flips(*flips):
    """Return the tally of throws of which so many flip none, one and so on: the lowest."""
    pieces, trials = len(flips) - 1, sum(flips)
    return Tally(
        trials=trials,
        hits=trials,
        flips=flips,
        flips_by_place=(sum(k * n for k, n in enumerate(flips)), *(0,) * (pieces - 1)),
        outs=(trials, *(0,) * pieces),
        leaning=0,
        distance_um=0,
        slammers_out=0,
    )


def tally_of_pairs(points, reference=()):
    """Return the tally of mirrored pairs with these points, and with the gains over a reference.

    A pair with two points has a battle won and one lost; one with an odd number a draw.
    """
    gains = np.subtract(points, reference) if reference else ()
    return BattleTally(
        trials=len(points),
        by_wins=tuple(sum(k // 2 == wins for k in points) for wins in range(3)),
        draws=sum(k % 2 for k in points),
        gains=tuple(int(np.sum(gains == k)) for k in range(-4, 5)) if reference else (),
    )
