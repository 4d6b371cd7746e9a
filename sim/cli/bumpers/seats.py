"""Who sits at the table: the players that a command's option names."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.bumpers.game import Player

PERSON = "person"


def players_of(kinds: Sequence[str]) -> list["Player"]:
    """Return the players of some kinds; a person is asked at the terminal.

    Raises:
        InputError: There is no such kind, or there are too few or too many.
    """
    from physics import InputError
    from sim.bumpers.game import PLAYERS, player_of
    from sim.bumpers.game.match import MAX_PLAYERS, MIN_PLAYERS
    from sim.cli.bumpers.person import Person

    if not MIN_PLAYERS <= len(kinds) <= MAX_PLAYERS:
        raise InputError(
            f"players: {','.join(kinds)!r} is not accepted; give {MIN_PLAYERS} to {MAX_PLAYERS} "
            "kinds with commas between them"
        )
    return [player_of(kind, {**PLAYERS, PERSON: Person}) for kind in kinds]
