"""Made-up tallies."""

from physics import Face
from physics.tally import Tally, tally_of_faces

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
