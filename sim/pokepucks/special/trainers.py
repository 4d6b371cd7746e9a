"""The special rules of Trainers: each works only as the only Trainer in its owner's Power."""

from collections.abc import Callable, Sequence
from functools import partial

from sim.pokepucks.battle.evaluation import (
    by_value,
    by_worth,
    least_valuable,
    most_valuable,
    pucks_of,
    worth,
)
from sim.pokepucks.battle.events import (
    Arranged,
    Flagged,
    LandingChanged,
    Moved,
    PickedUp,
    RuleUsed,
)
from sim.pokepucks.battle.handling import gain, picked_up_to
from sim.pokepucks.battle.questions import Asking, Question, Reply, Script, Use, pick
from sim.pokepucks.battle.rules import Hints, Ledger, Point, Source, View, special_rule, unless
from sim.pokepucks.battle.state import ARENA, BattleState, Status, health
from sim.pokepucks.special.abilities import (
    attack_now,
    one_attack_more,
    reacted_flag,
    why_not_react,
    why_picked_up,
)

_trainer = partial(special_rule, Source.TRAINER)


def _mr_smith(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Rearrange the Arena."""
    arena = ledger.state.arena
    order = yield from pick(
        player, Asking.RULE, arena, least=len(arena), ordered=True, rule=use.rule
    )
    ledger.enter(Arranged(place=ARENA, order=order, why=use.rule))


def _most_valuable_on_top(view: View, question: Question) -> Reply:
    """Put the most valuable pucks on top, where they are the likeliest to flip."""
    return tuple(by_value(view, pucks_of(question)))


def _flipped(state: BattleState) -> tuple[int, ...]:
    return tuple(puck for puck in attack_now(state).flipped if puck in state.arena)


def _no_exchange(state: BattleState, player: int, use: Use) -> str:
    if not _flipped(state):
        return "no puck was flipped"
    if not state.health(player):
        return "Health is empty"
    return why_not_react(state, use.rule)


def _mr_saia(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Exchange a flipped puck for one from Health, which then counts as flipped (PP-38)."""
    ledger.enter(Flagged(flag=reacted_flag(ledger.state, use.rule)))
    flipped, own = _flipped(ledger.state), ledger.state.health(player)
    (taken,) = yield from pick(player, Asking.RULE, flipped, least=1, most=1, rule=use.rule)
    (put,) = yield from pick(player, Asking.RULE, own, least=1, most=1, rule=use.rule)
    ledger.enter(Moved(pucks=(put,), source=health(player), target=ARENA, why=use.rule))
    ledger.enter(Moved(pucks=(taken,), source=ARENA, target=health(player), why=use.rule))
    now = attack_now(ledger.state)
    ledger.enter(
        LandingChanged(
            flipped=_with(now.flipped, taken, put),
            inside=_with(now.inside, taken, put),
            out=now.out,
            why=use.rule,
        )
    )


def _with(pucks: Sequence[int], old: int, new: int) -> tuple[int, ...]:
    return tuple(new if puck == old else puck for puck in pucks)


def gains_by_exchange(view: View, value: Callable[[View, int], int] = worth) -> bool:
    """Return whether a flipped puck is worth more than one of Health."""
    flipped = [value(view, puck) for puck in attack_now(view.state).flipped]
    own = [value(view, puck) for puck in view.state.health(view.player)]
    return max(flipped, default=0) > min(own, default=0)


def _best_exchange(view: View, question: Question) -> Reply:
    """Take the flipped puck that is worth most, for the one of Health that is worth least."""
    giving = set(question.options) <= set(view.state.health(view.player))
    pucks = pucks_of(question)
    return (min(pucks, key=lambda p: worth(view, p)) if giving else by_worth(view, question)[0],)


def _none_out(state: BattleState, _: int, use: Use) -> str:
    return why_not_react(state, use.rule) if attack_now(state).out else "no puck left the arena"


def _ms_hicks(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Pick up pucks that left the arena; the thrower pays as many, or becomes Critical."""
    ledger.enter(Flagged(flag=reacted_flag(ledger.state, use.rule)))
    out = attack_now(ledger.state).out
    pucks = yield from pick(player, Asking.RULE, out, least=1, rule=use.rule)
    for puck in pucks:
        target = picked_up_to(ledger.state, player, puck)
        ledger.enter(PickedUp(player=player, puck=puck, target=target))
        yield from _picked_up_out_of_turn(ledger, player, puck)
    paid = yield from _pay(ledger, ledger.state.player, len(pucks), use.rule)
    now = attack_now(ledger.state)
    # The pucks paid take the place of those picked up: among the pucks to be put back on top.
    left = tuple(puck for puck in now.out if puck not in pucks)
    ledger.enter(
        LandingChanged(flipped=now.flipped, inside=now.inside, out=(*left, *paid), why=use.rule)
    )


def _picked_up_out_of_turn(ledger: Ledger, player: int, puck: int) -> Script[None]:
    """Let the rules of a puck act that react to a pick-up; their point is for the own turn only.

    A rule that its owner decides about, such as that of Berry, acts once a turn (PP-43).
    """
    for rule, use in ledger.uses[Point.PICKED_UP].get(puck, ()):
        if rule.why_not(ledger.state, player, use):
            continue
        if rule.optional:
            used = (use.rule for use in ledger.state.turn.used if use.player == player)
            if rule.name in used:
                continue
            accepted = yield from pick(player, Asking.RULE, (puck,), rule=rule.name)
            if not accepted:
                continue
            ledger.enter(RuleUsed(player=player, rule=rule.name, puck=puck))
        yield from rule.effect(ledger, player, use) or ()


def _pay(ledger: Ledger, thrower: int, count: int, rule: str) -> Script[tuple[int, ...]]:
    """Let the thrower move pucks from Health to the Arena, and return them."""
    available = ledger.state.health(thrower)
    due = min(count, len(available))
    paid = yield from pick(thrower, Asking.RULE, available, least=due, most=due, rule=rule)
    if paid:
        ledger.enter(Moved(pucks=paid, source=health(thrower), target=ARENA, why=rule))
    if due < count:
        gain(ledger, thrower, Status.CRITICAL, rule)
    return paid


def _least_to_pay(view: View, question: Question) -> Reply:
    """Take everything that left the arena; as the thrower, pay with the least valuable pucks."""
    paying = view.player == view.state.player
    return (least_valuable if paying else most_valuable)(view, question)


TRAINER_RULES = (
    _trainer(
        "Mr. Smith",
        Point.AFTER_TOP_OFF,
        _mr_smith,
        why_not=unless("the Arena has no order to change", lambda state, _: len(state.arena) > 1),
        hints=Hints(choice=_most_valuable_on_top),
    ),
    _trainer(
        "Mr. Saia",
        Point.PREVIOUS_THREW,
        _mr_saia,
        why_not=_no_exchange,
        hints=Hints(wanted=gains_by_exchange, choice=_best_exchange),
        often=True,
    ),
    _trainer(
        "Mr. Merkert", Point.AFTER_ATTACKS, one_attack_more, why_not=why_picked_up, optional=False
    ),
    _trainer(
        "Ms. Hicks",
        Point.PREVIOUS_THREW,
        _ms_hicks,
        why_not=_none_out,
        hints=Hints(choice=_least_to_pay),
        often=True,
    ),
    # Ruling PP-45 holds for it, too: with an empty Arena its attacks would never end.
    _trainer(
        "You",
        Point.AFTER_ATTACK,
        one_attack_more,
        why_not=unless("the throw hit", lambda state, _: not attack_now(state).hit),
        optional=False,
    ),
)
