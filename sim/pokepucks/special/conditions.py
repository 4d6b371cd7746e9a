"""Conditions of special rules, in words: of the attack under way, of stacks, statuses and rules.

A condition is one of `CONDITIONS`; a comparison such as ``Health at most 3`` or ``attacks at least
2``; a status, a pending effect or a word that is remembered; a rule with ``unused`` (in this turn)
or ``declared`` behind it; ``option`` with a ruling that is on or off. ``next`` or ``previous``
before a stack or a status means another player than the rule's owner; ``not`` negates a condition,
and of two conditions with ``or`` between them one must hold.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from itertools import chain

from pucklab.base.decoding import check_one_of
from pucklab.sim.pokepucks.battle.questions import Use
from pucklab.sim.pokepucks.battle.state import ARENA, BattleState, Place, StackKind
from pucklab.sim.pokepucks.designs import DesignKind

Condition = Callable[[BattleState, int, Use], object]
"""Takes the state, the owner of the rule and its use; true if it holds."""

SEATS = ("owner", "next", "previous")
STACKS = ("Health", "Power", "Prize", "Arena")


def seat_of(state: BattleState, player: int, seat: str) -> int:
    """Return the player whom an effect or a condition of a player's rule is about."""
    if seat == "next":
        return state.next_player(player)
    return state.previous_player(player) if seat == "previous" else player


def stack_of(name: str, player: int) -> Place:
    """Return the stack of a name, a player's own unless it is the Arena."""
    return ARENA if name == "Arena" else Place(StackKind(name), player)


def is_item(state: BattleState, puck: int) -> bool:
    """Return whether a puck counts as an Item; a plain puck does."""
    return state.design(puck).kind in {DesignKind.ITEM, DesignKind.PLAIN}


CONDITIONS: Mapping[str, Condition] = {
    "something flipped": lambda state, *_: (state.attack or state.turn).flipped,
    "nothing flipped": lambda state, *_: not (state.attack or state.turn).flipped,
    "something picked up": lambda state, *_: (state.attack or state.turn).picked,
    "nothing picked up": lambda state, *_: not (state.attack or state.turn).picked,
    "missed": lambda state, *_: (
        state.attack is not None and state.attack.thrown and not state.attack.hit
    ),
    "an Item picked up": lambda state, *_: any(is_item(state, p) for p in state.turn.picked),
    "an Item in Prize": lambda state, player, _: any(
        is_item(state, puck) for puck in state.prize(player)
    ),
    "previous picked something up": lambda state, player, _: (
        (turn := state.turns[state.previous_player(player)]) is not None and turn.picked
    ),
    "room in Health": lambda state, player, _: state.health_room(player),
    "own type": lambda state, _, use: (
        use.puck is not None
        and state.turn.matchup.type is not None
        and state.turn.matchup.type is state.design(use.puck).type
    ),
    # It neither granted the attack under way nor has granted one that waits.
    "not granted by itself": lambda state, _, use: (
        use.rule
        not in [grant.rule for grant in (state.now.grant, *state.turn.grants) if grant is not None]
    ),
}
"""Conditions of a rule, on the attack under way, or else on the turn."""

_COMPARED = re.compile(r"(Health|Power|Prize|Arena|attacks) at (most|least) (\d{1,2})")
_EXAMPLES = ("Health at most 3", "next Prize at least 1")


@cache
def condition(text: str) -> Condition:
    """Return the condition of a text that `check_conditions` accepts."""
    if text in CONDITIONS:
        return CONDITIONS[text]
    first, _, second = text.partition(" or ")
    if second:
        one, other = condition(first), condition(second)
        return lambda *asked: one(*asked) or other(*asked)
    word, _, rest = text.partition(" ")
    if word == "not":
        turned = condition(rest)
        return lambda *asked: not turned(*asked)
    if word == "option":
        return lambda state, *_: getattr(state.table.options, rest)
    if text.endswith(" declared"):
        return lambda state, *_: state.now.declared == text.removesuffix(" declared")
    if text.endswith(" unused"):
        rule = text.removesuffix(" unused")
        return lambda state, player, _: (
            not any(used.player == player and used.rule == rule for used in state.turn.used)
        )
    seat, asked = (word, rest) if word in SEATS[1:] else ("owner", text)
    compared = _COMPARED.fullmatch(asked)
    if compared is None:

        def has(state: BattleState, player: int, _: Use) -> bool:
            owner = seat_of(state, player, seat)
            return asked in (*state.statuses[owner], *state.effects[owner], *state.turn.flags)

        return has
    what, way, limit = compared.groups()

    def compare(state: BattleState, player: int, _: Use) -> bool:
        have = state.turn.attacks
        if what != "attacks":
            have = len(state.stack(stack_of(what, seat_of(state, player, seat))))
        return have <= int(limit) if way == "most" else have >= int(limit)

    return compare


def check_conditions(
    where: str, texts: Iterable[str], names: Collection[str], told: Collection[str]
) -> None:
    """Check conditions of a rule from a file.

    Args:
        where: Their place in an error.
        texts: The conditions.
        names: The statuses, effects and words that there are.
        told: Other conditions in words: of options, and of rules.

    Raises:
        InputError: One is not accepted.
    """
    for part in chain.from_iterable(text.split(" or ") for text in texts):
        asked = part if part in CONDITIONS else part.removeprefix("not ")
        rest = asked.removeprefix("next ").removeprefix("previous ")
        if not (_COMPARED.fullmatch(rest) or rest in names or asked in told):
            check_one_of(where, asked, (*CONDITIONS, *names, *_EXAMPLES))
