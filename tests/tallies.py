"""Made-up tallies."""

from physics import Face
from physics.tally import empty_tally, tally_of_faces

BY_LETTER = {face.letter: face for face in Face}


def tally_of_rows(rows, distance_um):
    """Return the tally of throws given as words of face letters, such as ``DDU DUO``."""
    words = rows.split()
    return sum(
        (
            tally_of_faces(
                [BY_LETTER[letter] for letter in word],
                slammer=Face.DOWN,
                hit=True,
                distance_um=distance_um,
            )
            for word in words
        ),
        empty_tally(len(words[0])),
    )
