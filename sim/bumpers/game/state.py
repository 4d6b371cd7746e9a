"""Types of the game: set-up, state, events and choices; cards are in `pucklab.sim.bumpers.cards`.

`GameConfig` is the part that stays the same through a game, `GameState` the part that changes. A
`Choice` is made by a player (or is a shuffle), an `Event` is reported to transcripts. The functions
that use them are in `choices` (legal choices), `turn` (the next state) and `card_effects`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum

from pucklab.base.facts import fact, small_fact
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.cards import Card, Deck, actions_of_turn
from pucklab.sim.bumpers.mats import Colour, Kind, Piece
from pucklab.sim.bumpers.moves import Move

MAX_ACTIONS = 10_000
"""Default number of actions after which a game is a draw (PB-33)."""

FEW_PLAYERS = 3
"""Most players on the small board, who hold more cards (PB-16, PB-34)."""


@fact
class GameConfig:
    """Everything that stays the same through a game; build it with `make_config`.

    Players are numbered from 0 to the left around the table.

    Attributes:
        board: The empty board and its optional rules.
        deck: The cards.
        players: Number of players, 2 to 6.
        colours_each: Number of colours of each player (PB-35).
        may_pass: Whether a player may pass although an action is possible (PB-21).
        max_actions: Actions after which the game is a draw (PB-33). Quick plays, and turns without
            an action, count as well, so every game ends.
        first: The player who places the first piece and takes the first turn (PB-20).
    """

    board: Position
    deck: Deck
    players: int
    colours_each: int = 1
    may_pass: bool = False
    max_actions: int = MAX_ACTIONS
    first: int = 0

    def colours_of(self, player: int) -> tuple[Colour, ...]:
        """Return the colours of a player."""
        return tuple(Colour(player + k * self.players) for k in range(self.colours_each))

    def owner(self, colour: Colour) -> int:
        """Return the player who owns a colour."""
        return colour % self.players

    def name(self, player: int) -> str:
        """Return a player's name: the colours."""
        return " and ".join(colour.word for colour in self.colours_of(player))

    @property
    def hand_limit(self) -> int:
        """Most cards that a player may keep at the end of a turn (PB-16)."""
        return 7 if self.players <= FEW_PLAYERS else 5

    @property
    def pieces_each(self) -> Mapping[Kind, int]:
        """Pieces of each colour."""
        return self.board.rules.pieces_each


class Phase(StrEnum):
    """Phase of the game, or of a turn."""

    PLACING = "placing"
    DRAW = "draw"
    ACTION = "action"
    DISCARD = "discard"
    OVER = "over"


@fact
class Turn:
    """The current turn so far.

    Attributes:
        taken: Actions taken.
        doubled: Whether a card doubled the actions (PB-27).
        extra: Actions added by cards.
        borrowed: Colours of others that the player may move.
        before: The position before the player's last piece move of this turn (PB-10).
        over: Whether the turn ends at once (PB-18).
    """

    taken: int = 0
    doubled: bool = False
    extra: int = 0
    borrowed: tuple[Colour, ...] = ()
    before: Position | None = None
    over: bool = False


@fact
class Snapshot:
    """The part of the state before the last action that a stop restores (PB-26).

    Attributes:
        player: The player who took the action.
        position: The position.
        before: As in `Turn`.
        borrowed: As in `Turn`.
        draw_rule: The draw card in play.
        ongoing: The ongoing card in play.
        series: As in `GameState`.
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


@fact
class Pending:
    """A card that was played and needs more choices; it is in no pile meanwhile.

    Attributes:
        card: The card.
        snapshot: The state before the card was played.
        moves: Mat moves made with it.
        colour: The colour named.
        target: The discarded card named; quick plays may follow (PB-31).
        lost: Whether a target is gone: choose again, or take the card back (PB-31).
    """

    card: int
    snapshot: Snapshot
    moves: int = 0
    colour: Colour | None = None
    target: int | None = None
    lost: bool = False


@small_fact
class WaitingQuickPlay:
    """A quick play that waits to take effect (PB-25)."""

    player: int
    card: int


@fact
class GameState:
    """A game at a choice, at a shuffle or at its end.

    Cards are numbers in the deck. The top of a pile is its last card.

    Attributes:
        config: The set-up.
        position: The board with its pieces.
        phase: The phase.
        player: The player whose turn it is, or who places a piece.
        hands: Each player's cards, sorted by number.
        draw_pile: The draw pile.
        discards: The discard pile.
        draw_rule: The draw card in play.
        action_rule: The action card in play.
        ongoing: The ongoing card in play (PB-31).
        direction: 1 if turns go to the left, -1 to the right (PB-18).
        finished: The player who finished the previous turn.
        turn: The current turn.
        pending: A card that needs more choices.
        series: The position before a series of mat moves that is not yet legal (PB-23).
        asked: Players after the current one who were asked for quick plays; None if nobody is
            being asked (PB-25).
        quick: Waiting quick plays; when nobody plays another, the last one takes effect first.
        resolving: The quick play that is taking effect.
        last: The state before the last action, while the action can still be stopped.
        owed: Players and the number of cards that they have still to draw.
        shuffle_due: Whether the discards are to be shuffled into the draw pile.
        turns: Number of turns begun.
        actions: Actions, quick plays and turns without either so far (PB-33).
        winner: The winner.
    """

    config: GameConfig
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
        return self.config.deck.cards[number]

    def neighbour(self, player: int, steps: int = 1) -> int:
        """Return the player some seats further on in the direction of play."""
        return (player + steps * self.direction) % self.config.players

    @property
    def begun(self) -> Pending:
        """The pending card, where there is one."""
        assert self.pending is not None
        return self.pending

    @property
    def movable(self) -> tuple[Colour, ...]:
        """Colours whose pieces the player may move."""
        return (*self.config.colours_of(self.player), *self.turn.borrowed)

    @property
    def actions_allowed(self) -> int:
        """Actions of this turn, due to the action card in play and cards played (PB-15, PB-27)."""
        return self.actions_with(())

    @property
    def rule_actions(self) -> int:
        """Actions of a turn by the action card in play; else 1, or old school 2 (PB-17)."""
        if self.action_rule is None:
            return 2 if self.config.board.rules.old_school else 1
        return self.card(self.action_rule).number("actions")

    def actions_with(self, cards: Iterable[int]) -> int:
        """Return the most actions of this turn if some cards may be played (PB-15, PB-27)."""
        turn, played = self.turn, map(self.card, cards)
        return actions_of_turn(played, self.rule_actions, doubled=turn.doubled, extra=turn.extra)

    @property
    def is_turn_over(self) -> bool:
        """Whether the turn ends at once: by a card, or because its actions are exceeded (PB-15)."""
        return self.turn.over or self.turn.taken > self.actions_allowed

    @property
    def to_draw(self) -> int:
        """Number of cards to draw at the beginning of a turn."""
        return 1 if self.draw_rule is None else self.card(self.draw_rule).number("cards")


class EventKind(StrEnum):
    """Kind of an event."""

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


@small_fact
class Event:
    """An event of a game, for transcripts.

    Attributes:
        kind: Its kind.
        player: The player concerned, or None.
        detail: The card, move or number, as text.
    """

    kind: EventKind
    player: int | None = None
    detail: str = ""


Log = list[Event]
"""The events of a step; the functions of a step append to it."""


@small_fact
class Shuffled:
    """The order of the draw pile after a shuffle; random, but recorded like a choice.

    Attributes:
        cards: Card numbers, the top of the pile last.
    """

    cards: tuple[int, ...]


@small_fact
class PlacePiece:
    """Place a piece on a space: before the first turn, or when a scored puck returns."""

    piece: Piece
    space: int


@small_fact
class MakeMove:
    """Move a piece, or a mat if a card says so."""

    move: Move


@small_fact
class PlayCard:
    """Play a card from the hand."""

    card: int


@small_fact
class PickCard:
    """Pick a card to discard, or one to take from the discard pile."""

    card: int


@small_fact
class NameColour:
    """Name a colour, as a card asks."""

    colour: Colour


@small_fact
class Pass:
    """Pass: play no quick play, move no more mats, end the turn, or take a card back."""


Choice = Shuffled | PlacePiece | MakeMove | PlayCard | PickCard | NameColour | Pass

Choices = tuple[Choice, ...]
