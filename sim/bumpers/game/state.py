"""The state of a game: all that can change.

What stays the same through a game: the board to begin on, the deck, players and options.

What happens in a game, as named events for a transcript.

What players, and whoever shuffles, may choose.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sim.bumpers.board import Position
from sim.bumpers.game.cards import Card, Deck
from sim.bumpers.mats import Colour, Kind, Piece
from sim.bumpers.moves import Move

MAX_ACTIONS = 10_000
"""Actions after which a game is a draw, unless told otherwise (PB-33)."""

FEW_PLAYERS = 3
"""Up to so many play on the small board, with more cards (PB-16, PB-34)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game's set-up; build it with `sim.bumpers.game.match.make_table`.

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


class Phase(StrEnum):
    """Where in the game, or in a turn, play is."""

    PLACING = "placing"
    DRAW = "draw"
    ACTION = "action"
    DISCARD = "discard"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What happened in the turn under way.

    Attributes:
        taken: Actions taken.
        doubled: A card doubled the actions (PB-27).
        extra: Actions that cards added.
        borrowed: Colours that the player may move beside their own.
        before: The position before the player's last piece move of this turn (PB-10).
        over: It ends, whatever is left to do (PB-18).
    """

    taken: int = 0
    doubled: bool = False
    extra: int = 0
    borrowed: tuple[Colour, ...] = ()
    before: Position | None = None
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What the last action changed, as it was before: what a stop brings back (PB-26).

    Attributes:
        player: Who took the action.
        position: The position.
        before: As of `Turn`.
        borrowed: As of `Turn`.
        draw_rule: The draw card in play.
        ongoing: The ongoing card in play.
        series: As of `GameState`.
        taken: The card that the action took from the discard pile.
    """

    player: int
    position: Position
    before: Position | None
    borrowed: tuple[Colour, ...]
    draw_rule: int | None
    ongoing: int | None
    series: Position | None
    taken: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A card that was played and needs more choices; it lies in no pile meanwhile.

    Attributes:
        card: The card.
        snapshot: What it may change, as it was before.
        moves: Mat moves made with it.
        colour: The colour that was named.
        target: The card of the discard pile that was named; quick plays are asked for (PB-31).
        lost: A target is gone: choose again, or keep the card (PB-31).
    """

    card: int
    snapshot: Snapshot
    moves: int = 0
    colour: Colour | None = None
    target: int | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class WaitingQuickPlay:
    """A quick play that waits for its turn to take effect (PB-25)."""

    player: int
    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """A game at a moment at which somebody must choose, or at its end.

    Cards are numbers into the deck. A pile's top is its last card.

    Attributes:
        table: What stays the same.
        position: The board.
        phase: Where play is.
        player: Whose turn it is, or who places.
        hands: Each player's cards, in order of number.
        draw_pile: The draw pile.
        discards: The discard pile.
        draw_rule: The draw card in play.
        action_rule: The action card in play.
        ongoing: The ongoing card in play (PB-31).
        direction: 1 if turns go to the left, -1 to the right (PB-18).
        finished: Who finished the turn before this one.
        turn: The turn under way.
        pending: The card that needs more choices.
        series: The position before a series of mat moves that is not yet legal (PB-23).
        asked: While quick plays are asked for, how far round the table; None otherwise (PB-25).
        quick: Quick plays that take effect when nobody plays another, the last one first.
        resolving: The quick play that takes effect just now.
        last: The action just done, as long as it can be stopped.
        owed: Players and how many cards they are still to draw.
        shuffle_due: The discards are to be shuffled into the draw pile.
        turns: Turns begun.
        actions: Actions and quick plays so far, and turns without any (PB-33).
        winner: Who won.
    """

    table: Table
    position: Position
    phase: Phase
    player: int = 0
    hands: tuple[tuple[int, ...], ...] = ()
    draw_pile: tuple[int, ...] = ()
    discards: tuple[int, ...] = ()
    draw_rule: int | None = None
    action_rule: int | None = None
    ongoing: int | None = None
    direction: int = 1
    finished: int | None = None
    turn: Turn = field(default=Turn())
    pending: Pending | None = None
    series: Position | None = None
    asked: int | None = None
    quick: tuple[WaitingQuickPlay, ...] = ()
    resolving: int | None = None
    last: Snapshot | None = None
    owed: tuple[tuple[int, int], ...] = ()
    shuffle_due: bool = False
    turns: int = 0
    actions: int = 0
    winner: int | None = None

    def __hash__(self) -> int:
        return hash((self.position.pieces, self.hands, self.asked, self.phase, self.turns))

    def card(self, number: int) -> Card:
        """Return a card by number."""
        return self.table.deck.cards[number]

    def neighbour(self, player: int, steps: int = 1) -> int:
        """Return the player some steps on in the direction of play."""
        return (player + steps * self.direction) % self.table.players

    @property
    def movable(self) -> tuple[Colour, ...]:
        """The colours whose pieces the player may move."""
        return (*self.table.colours_of(self.player), *self.turn.borrowed)

    @property
    def actions_allowed(self) -> int:
        """Actions of this turn, by the rule in play and the cards played (PB-15, PB-27)."""
        rule = self.table.actions
        if self.action_rule is not None:
            rule = self.card(self.action_rule).number("actions")
        return rule * (2 if self.turn.doubled else 1) + self.turn.extra

    @property
    def is_turn_over(self) -> bool:
        """Whether the turn ends, whatever is left to do: already over the number, too (PB-15)."""
        return self.turn.over or self.turn.taken > self.actions_allowed

    @property
    def to_draw(self) -> int:
        """Cards to draw at the beginning of a turn."""
        return 1 if self.draw_rule is None else self.card(self.draw_rule).number("cards")


class EventKind(StrEnum):
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

    name: EventKind
    player: int | None = None
    what: str = ""


Log = list[Event]
"""Events in the making: functions within a step add to it."""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The order of the draw pile after a shuffle; nobody's choice, but recorded as one.

    Attributes:
        cards: Numbers of the cards, the top one last.
    """

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlacePiece:
    """Put a piece on a space: when placing, or when a scored puck comes back."""

    piece: Piece
    space: int


@dataclass(frozen=True, slots=True)
class MakeMove:
    """Move a piece, or a mat if a card says so."""

    move: Move


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card from the hand."""

    card: int


@dataclass(frozen=True, slots=True)
class PickCard:
    """Pick a card: to discard it, or to take it from the discard pile."""

    card: int


@dataclass(frozen=True, slots=True)
class NameColour:
    """Name a colour, as a card asks."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing more: play no quick play, move no more mats, end the turn, or keep a card."""


Choice = Shuffled | PlacePiece | MakeMove | PlayCard | PickCard | NameColour | Pass
