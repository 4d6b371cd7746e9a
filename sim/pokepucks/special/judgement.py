"""Judgement of special rules, for players that do not know them by name.

`JUDGEMENTS` has conditions under which a rule is worth using, by the words of a rule's
``wanted_if``; the choices answer the questions that verbs ask.
"""

from collections.abc import Callable, Mapping

from pucklab.sim.pokepucks.battle.evaluation import (
    MANY_ATTACKS,
    REST_PUCKS,
    by_worth,
    expected_attacks,
    least_valuable,
    most_valuable,
    pucks_of,
    slammer_value,
    worth,
)
from pucklab.sim.pokepucks.battle.handling import new_slammers, why_not_gain
from pucklab.sim.pokepucks.battle.questions import Question, Reply
from pucklab.sim.pokepucks.battle.rule_book import View
from pucklab.sim.pokepucks.battle.state import ARENA, ASLEEP, Status
from pucklab.sim.pokepucks.battle.turn import topped_off_size
from pucklab.sim.pokepucks.designs import Deed

Judgement = Callable[[View, Deed], bool]
"""Takes the view of the rule's owner and the rule's first verb."""


def top_off_would_fail(view: View, more: int = 0) -> bool:
    """Return whether the player's Health is too small for the coming top-off.

    Args:
        view: The player's view, before the top-off.
        more: Pucks that Health is about to gain.
    """
    state = view.state
    held = len(state.arena) + len(state.health(view.player)) + more
    return held < topped_off_size(state)


def top_off_would_fail_healed(view: View) -> bool:
    """Return whether the top-off would fail even after the healing Items that are ready."""
    state, player = view.state, view.player
    used = {use.rule for use in state.turn.used if use.player == player}
    held = (view.rules.main_rule(state.design(puck)) for puck in state.power(player))
    ready = {rule.name: rule.heals for rule in held if rule.name not in used}
    healing = min(sum(ready.values()), len(state.prize(player)), state.health_room(player))
    return top_off_would_fail(view, healing)


def heals_well(view: View, deed: Deed) -> bool:
    """Return whether an Item heals as many pucks as it can, or is needed for the top-off."""
    state, player = view.state, view.player
    healed = min(state.health_room(player), len(state.prize(player)))
    return healed >= (deed.most or 1) or top_off_would_fail(view)


def can_strike(view: View, status: str) -> bool:
    """Return whether the next slammer would gain a status, and its player has no cure in Power."""
    state, following = view.state, view.state.next_player(view.player)
    held = map(state.design, state.power(view.rival.player))
    cures = (view.rules.main_rule(design).cures for design in held)
    return not (why_not_gain(state, following, status) or any(status in own for own in cures))


def _would_hurt(view: View, deed: Deed) -> bool:
    """Strike for nothing, that is in Sleep (PP-14), or for the loss of several attacks."""
    if not can_strike(view, deed.status):
        return False
    many = deed.status == Status.SLEEP and expected_attacks(view.rival) > MANY_ATTACKS
    return many or ASLEEP in view.state.turn.flags


def _saves_none(view: View, _: Deed) -> bool:
    """Put a puck in the Arena only if it saves the next player none."""
    state = view.state
    missing = (state.max_size(ARENA) or 0) - len(state.arena)
    return missing <= 0 or missing > len(state.health(state.next_player(view.player))) + 1


def _better_slammer(view: View, _: Deed) -> bool:
    slammer = view.state.slammer(view.player)
    assert slammer is not None
    now = slammer_value(view, slammer)
    return any(slammer_value(view, p) > now for p in new_slammers(view.state, view.player))


def gains_by_exchange(view: View, value: Callable[[View, int], int] = worth) -> bool:
    """Return whether a flipped puck is worth more than one of Health."""
    flipped = [value(view, puck) for puck in view.state.now.flipped]
    own = [value(view, puck) for puck in view.state.health(view.player)]
    return max(flipped, default=0) > min(own, default=0)


_HARMLESS = frozenset(status for status in Status if not status.hurts)

JUDGEMENTS: Mapping[str, Judgement] = {
    "the status would hurt": _would_hurt,
    "sleep would save the top-off": lambda view, _: (
        len(view.state.prize(view.player)) >= REST_PUCKS and top_off_would_fail_healed(view)
    ),
    "the top-off would fail": lambda view, _: top_off_would_fail_healed(view),
    "it heals well": heals_well,
    "it ails": lambda view, _: any(
        name not in _HARMLESS for name in view.state.statuses[view.player]
    ),
    "another slammer is better": _better_slammer,
    "the next player would not lay it": _saves_none,
    "the exchange gains": lambda view, _: gains_by_exchange(view),
}


def best_exchange(view: View, question: Question) -> Reply:
    """Take the most valuable flipped puck for the least valuable one of Health."""
    giving = set(question.options) <= set(view.state.health(view.player))
    pucks = pucks_of(question)
    return (min(pucks, key=lambda p: worth(view, p)) if giving else by_worth(view, question)[0],)


def least_to_pay(view: View, question: Question) -> Reply:
    """Take everything that left the arena; as the thrower, pay with the least valuable pucks."""
    paying = view.player == view.state.player
    return (least_valuable if paying else most_valuable)(view, question)
