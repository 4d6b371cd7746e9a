"""What stays the same through a game: the board to begin on, the deck, players and options."""

from collections.abc import Mapping
from dataclasses import dataclass

from sim.bumpers.game.cards import Deck
from sim.bumpers.pieces import Colour, Kind
from sim.bumpers.position import Position

MAX_ACTIONS = 10_000
"""Actions after which a game is a draw, unless told otherwise (PB-33)."""

FEW_PLAYERS = 3
"""Up to so many play on the small board, with more cards (PB-16, PB-34)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game's set-up; build it with `sim.bumpers.game.setting.make_table`.

    Players are numbered from 0, each the left neighbour of the one before. Player 0 begins.

    Attributes:
        board: The board with no piece on it, and its rules.
        deck: The cards.
        players: How many play, 2 to 6.
        colours_each: Colours of each player (PB-35).
        may_pass: Actions are not compulsory (PB-21).
        max_actions: Actions after which the game is a draw (PB-33). Quick plays, and turns without
            an action, count too, so that no game is endless.
    """

    board: Position
    deck: Deck
    players: int
    colours_each: int = 1
    may_pass: bool = False
    max_actions: int = MAX_ACTIONS

    def colours_of(self, player: int) -> tuple[Colour, ...]:
        """Return the colours of a player."""
        return tuple(Colour(player + k * self.players) for k in range(self.colours_each))

    def owner(self, colour: Colour) -> int:
        """Return whose a colour is."""
        return colour % self.players

    def name(self, player: int) -> str:
        """Return what a player is called: by colours."""
        return " and ".join(colour.word for colour in self.colours_of(player))

    @property
    def cards_dealt(self) -> int:
        """Cards of each player at the beginning: 3, or 5 with 2 or 3 players."""
        return 5 if self.players <= FEW_PLAYERS else 3

    @property
    def hand_limit(self) -> int:
        """Cards that a player may hold at the end of a turn (PB-16)."""
        return 7 if self.players <= FEW_PLAYERS else 5

    @property
    def actions(self) -> int:
        """Actions of a turn while no action card is in play: 1, old school 2 (PB-17)."""
        return 2 if self.board.rules.old_school else 1

    @property
    def pieces_each(self) -> Mapping[Kind, int]:
        """Pieces of each colour."""
        return self.board.rules.pieces_each
