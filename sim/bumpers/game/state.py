"""The state of a game: all that can change."""

from dataclasses import dataclass, field
from enum import StrEnum

from sim.bumpers.game.cards import Card
from sim.bumpers.game.table import Table
from sim.bumpers.pieces import Colour
from sim.bumpers.position import Position


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
class Quick:
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
    quick: tuple[Quick, ...] = ()
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
    def allowed(self) -> int:
        """Actions of this turn, by the rule in play and the cards played (PB-15, PB-27)."""
        rule = self.table.actions
        if self.action_rule is not None:
            rule = self.card(self.action_rule).number("actions")
        return rule * (2 if self.turn.doubled else 1) + self.turn.extra

    @property
    def is_turn_over(self) -> bool:
        """Whether the turn ends, whatever is left to do: already over the number, too (PB-15)."""
        return self.turn.over or self.turn.taken > self.allowed

    @property
    def to_draw(self) -> int:
        """Cards to draw at the beginning of a turn."""
        return 1 if self.draw_rule is None else self.card(self.draw_rule).number("cards")
