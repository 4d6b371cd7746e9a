"""Events: everything that changes a battle, each a small named fact.

`sim.pokepucks.battle.ledger.apply` is the only way from a state to another. ``why`` names the
step or the special rule, for transcripts.
"""

from dataclasses import dataclass

from sim.pokepucks.battle.state import Grant, Matchup, Place, Status, Step
from sim.pokepucks.throws import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBegan:
    """A step of set-up or turn begins."""

    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """A turn begins; what the turn before did is kept as its player's last turn."""

    player: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Pucks move from one stack to another, one at a time, in this order.

    Attributes:
        pucks: Their numbers.
        source: From where.
        target: To where.
        under: Each goes to the bottom; otherwise on top.
        why: What for.
    """

    pucks: tuple[int, ...]
    source: Place
    target: Place
    under: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """A stack has a new order.

    Attributes:
        place: The stack.
        order: Its pucks, from the floor up.
        why: What for.
    """

    place: Place
    order: tuple[int, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeSet:
    """A stack's max size is set."""

    place: Place
    size: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusGained:
    """A player's slammer gains a status. Use `sim.pokepucks.battle.ledger.gain`."""

    player: int
    status: Status
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusLost:
    """A player's slammer loses a status."""

    player: int
    status: Status
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectGained:
    """A special rule becomes pending on a player, at most once (PP-48)."""

    player: int
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectLost:
    """A special rule is pending on a player no more."""

    player: int
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleUsed:
    """A special rule acts; what it does are the events that follow."""

    player: int
    rule: str
    puck: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupSet:
    """The types that are compared are set."""

    matchup: Matchup
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttacksSet:
    """The number of attacks is set."""

    attacks: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """The turn remembers a word."""

    flag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackGranted:
    """The current player has an attack more, to be made next."""

    grant: Grant


@dataclass(frozen=True, slots=True, kw_only=True)
class PayerSet:
    """Somebody pays the next top-off for the current player; None for nobody (PP-15)."""

    player: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackBegan:
    """An attack begins.

    Attributes:
        player: Who throws.
        slammer: What is thrown.
        grant: What granted it, if it is none of those that were counted.
        knock_out: It is a knock-out attempt.
    """

    player: int
    slammer: int
    grant: Grant | None = None
    knock_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The thrower of the attack under way declares a special rule before the throw."""

    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown:
    """The throw of the attack under way is made.

    Attributes:
        number: Which throw of the battle, from 1.
        player: Who threw.
        targets: What lay in the Arena, from the floor up.
        outcome: What came of it.
    """

    number: int
    player: int
    targets: tuple[int, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class LandingChanged:
    """A special rule changes how the pucks of the throw under way count as lying.

    Attributes:
        flipped: As of `Attack`.
        inside: As of `Attack`.
        out: As of `Attack`.
        why: The special rule.
    """

    flipped: tuple[int, ...]
    inside: tuple[int, ...]
    out: tuple[int, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLimited:
    """At most so many pucks may be picked up from the attack under way."""

    most: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackBarred:
    """Nothing is picked up from the attack under way."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedUp:
    """A puck of the attack under way is picked up: it moves from the Arena to the stack."""

    player: int
    puck: int
    target: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackEnded:
    """The attack under way is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WentOut:
    """A player is out of the battle; statuses and pending effects are gone (PP-32).

    Attributes:
        player: Who.
        why: ``knocked out``, ``won`` or ``draw``.
    """

    player: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """A player wins."""

    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The battle is a draw: the limit of turns is reached (PP-23)."""

    turns: int


Event = (
    StepBegan
    | TurnBegan
    | Moved
    | Arranged
    | SizeSet
    | StatusGained
    | StatusLost
    | EffectGained
    | EffectLost
    | RuleUsed
    | MatchupSet
    | AttacksSet
    | Flagged
    | AttackGranted
    | PayerSet
    | AttackBegan
    | Declared
    | Thrown
    | LandingChanged
    | AttackLimited
    | AttackBarred
    | PickedUp
    | AttackEnded
    | WentOut
    | Won
    | Drawn
)
