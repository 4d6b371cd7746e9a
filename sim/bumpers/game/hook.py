"""What the behaviour of a card is made of."""

from collections.abc import Callable
from dataclasses import dataclass

from sim.bumpers.game.cards import CardKind
from sim.bumpers.game.choice import Choice
from sim.bumpers.game.events import Log
from sim.bumpers.game.state import GameState

WhyNot = Callable[[GameState, int], str]
Effect = Callable[[GameState, int, int, Log], GameState]
Options = Callable[[GameState], tuple[Choice, ...]]
Take = Callable[[GameState, Choice, Log], GameState]


def never(state: GameState, player: int) -> str:
    """Return no reason: the card may always be played."""
    del state, player
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """The behaviour of a card.

    Attributes:
        kind: The kind of card that it fits.
        numbers: The names of the numbers that such a card has.
        effect: Takes the state, who played the card and the card, which is in no pile then, and
            returns the state after it; of a card that needs choices, the state that is pending.
        why_not: Returns why a player cannot play it now, empty if they can. Turn and kind are
            looked at elsewhere.
        options: The choices of a pending card, with none of them illegal.
        take: Takes one of those choices.
        may_interrupt: Cards that are no actions may be played between those choices.
    """

    kind: CardKind
    numbers: tuple[str, ...] = ()
    effect: Effect
    why_not: WhyNot = never
    options: Options | None = None
    take: Take | None = None
    may_interrupt: bool = False

    @property
    def is_quick(self) -> bool:
        """Whether its card waits until all were asked for another (PB-25)."""
        return self.kind is CardKind.QUICK_PLAY
