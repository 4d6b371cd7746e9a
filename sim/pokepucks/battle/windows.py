"""Windows: the points of the turn at which a player's special rules act."""

from sim.pokepucks.battle.events import RuleUsed
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import StackKind, stack_index
from sim.pokepucks.battle.question import Asking, Question, Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.battle.script import Script, choose
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.table import RuleUse
from sim.pokepucks.design import Design

_OF_SLAMMERS = (Source.ABILITY, Source.SUPPORT)


def window(ledger: Ledger, point: Point, player: int) -> Script[None]:
    """Let a player's special rules act at a point.

    Those that must act do so as soon as they can; of the others, the player uses one after another
    as they like, and ends by using none. After all attacks, an attack that a rule grants is made
    before another rule acts, so that each sees what came of it; which is first, the player decides
    (PP-45).
    """
    while there := _usable(ledger.state, point, player):
        forced = [pair for pair in there if not pair[0].optional]
        if forced and (point is not Point.AFTER_ATTACKS or len(forced) == len(there)):
            yield from _act(ledger, player, *forced[0])
            continue
        question = Question(
            player=player,
            asking=Asking.USE,
            options=tuple(use for _, use in sorted(there, key=lambda pair: pair[0].optional)),
            least=int(bool(forced)),
            most=1,
            rule=point,
        )
        reply = yield from choose(question)
        if not reply:
            return
        (chosen,) = reply
        yield from _act(ledger, player, *next(pair for pair in there if pair[1] == chosen))


def _act(ledger: Ledger, player: int, rule: Rule, use: Use) -> Script[None]:
    ledger.enter(RuleUsed(player=player, rule=rule.name, puck=use.puck))
    yield from rule.effect(ledger, player, use)


def _usable(state: BattleState, point: Point, player: int) -> list[RuleUse]:
    """Return the rules of a player that can act at a point, with their uses."""
    uses_at, effects = state.table.uses_at(point), state.effects[player]
    if not uses_at and not effects:
        return []
    if point is Point.AFTER_ATTACKS and state.turn.grants:
        return []
    pucks = _candidates(state, point, player)
    there = [pair for puck in pucks if puck in uses_at for pair in uses_at[puck]]
    for name in effects:
        effect = state.table.rule(name)
        if effect is not None and effect.point is point and effect.source is Source.EFFECT:
            there.append((effect, Use(name)))
    return [pair for pair in there if not why_not_use(state, player, *pair)]


def _candidates(state: BattleState, point: Point, player: int) -> tuple[int, ...]:
    """Return the pucks whose rules could act for a player: the slammer's first."""
    if point is Point.PICKED_UP:
        return state.attack.picked if state.attack is not None else ()
    return state.stacks[stack_index(StackKind.SLAMMER, player)] + state.power(player)


def why_not_use(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a player cannot use a special rule, now that its point has come."""
    return (
        _why_not_there(state, player, rule, use)
        or _why_not_again(state, player, rule, use)
        or rule.why_not(state, player, use)
    )


def why_not_ever(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a player could not use a special rule even if its point had come."""
    return (
        state.table.why_not_on(rule)
        or _why_not_there(state, player, rule, use)
        or _why_not_again(state, player, rule, use)
    )


def _why_not_there(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a puck does not lie where its special rule acts for a player; empty if it does."""
    puck = use.puck
    if puck is None:
        pending = rule.source is Source.EFFECT and rule.name in state.effects[player]
        return "" if pending else f"{rule.name} is not pending on {state.table.names[player]}"
    if rule.point is Point.PICKED_UP:
        picked = state.attack is not None and puck in state.attack.picked
        return "" if picked else f"{state.table.tell(puck)} was not just picked up"
    if rule.source in _OF_SLAMMERS and puck == state.slammer(player):
        return ""
    if rule.source is Source.ABILITY:
        return f"{state.table.tell(puck)} is not the slammer of {state.table.names[player]}"
    if puck not in state.power(player):
        return f"{state.table.tell(puck)} is not in the Power of {state.table.names[player]}"
    return _why_not_alone(state, player) if rule.source is Source.TRAINER else ""


def _why_not_alone(state: BattleState, player: int) -> str:
    """Return why no Trainer works for a player who has several in Power."""
    trainers = sum(map(state.table.is_trainer, state.power(player)))
    name = state.table.names[player]
    return f"{trainers} Trainers are in the Power of {name}; one works alone" * (trainers > 1)


def _why_not_again(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a rule that acted already in this turn does not act again."""
    limited = _is_limited(rule)
    for used in state.turn.used:
        if used.player != player:
            continue
        if used.rule == rule.name and used.puck == use.puck and not rule.often:
            return f"{rule.name} acts once a turn (PP-45)"
        if limited and _is_limited(state.table.rule(used.rule)):
            assert used.puck is not None
            assert use.puck is not None
            if _same_item(state.design(used.puck), state.design(use.puck)):
                return f"one {rule.name} was used this turn already (Battle Rules 5, PP-43)"
    return ""


def _same_item(one: Design, other: Design) -> bool:
    """Return whether two designs are the same Item Puck: listing and icon agree (PP-43)."""
    return one.rule == other.rule and one.type is other.type


def _is_limited(rule: Rule | None) -> bool:
    """Return whether a rule is an Item's that its owner chooses to use."""
    return rule is not None and rule.source is Source.ITEM and rule.limited
