"""Abilities that change the types that are compared when attacks are counted.

Rules of slammers that change the number of attacks, in the order of ruling PP-13.

Abilities that move pucks of one's own stacks: Surf and Rest.

Abilities that hinder the next or the previous player.

Abilities that give an attack more.

What special rules are made of.
"""

from collections.abc import Callable
from dataclasses import replace

from sim.pokepucks.battle.events import (
    AttackBarred,
    AttackGranted,
    AttackLimited,
    Declared,
    EffectGained,
    EffectLost,
    MatchupSet,
    Moved,
)
from sim.pokepucks.battle.ledger import Ledger, gain, why_not_gain
from sim.pokepucks.battle.questions import Asking, Script, Use, pick
from sim.pokepucks.battle.state import ARENA, Attack, BattleState, Grant, Status, health, prize
from sim.pokepucks.battle.table import Effect, Point, Rule, Source, WhyNot
from sim.pokepucks.battle.turn import add_attacks, attack, give, set_attacks
from sim.pokepucks.designs import Design, DesignKind, EnergyType


def at_once(act: Callable[[Ledger, int, Use], None]) -> Effect:
    """Return the effect of a rule that asks nobody anything."""

    def effect(ledger: Ledger, player: int, use: Use) -> Script[None]:
        act(ledger, player, use)
        yield from ()

    return effect


def one_attack_more(most: int | None = None) -> Effect:
    """Return the effect of a rule that gives its owner an attack more in his turn.

    Args:
        most: Most pucks that may be picked up from it; None for no limit.
    """

    def grant(ledger: Ledger, player: int, use: Use) -> None:
        del player
        ledger.enter(AttackGranted(grant=Grant(rule=use.rule, most=most)))

    return at_once(grant)


def used_up(ledger: Ledger, player: int, use: Use) -> None:
    """End the effect that is pending on a player and now acts."""
    ledger.enter(EffectLost(player=player, effect=use.rule))


def attack_now(state: BattleState) -> Attack:
    """Return the attack under way, at a point where there is one."""
    assert state.attack is not None
    return state.attack


def next_slammer(state: BattleState, player: int) -> Design:
    """Return the design of the next player's slammer."""
    slammer = state.slammer(state.next_player(player))
    assert slammer is not None
    return state.design(slammer)


def design_of(state: BattleState, use: Use) -> Design:
    """Return the design of the puck whose rule is used."""
    assert use.puck is not None
    return state.design(use.puck)


def _next_is(*types: EnergyType) -> WhyNot:
    """Return what bars a rule unless the next player's slammer is of one of some types."""

    def why_not(state: BattleState, player: int, use: Use) -> str:
        del use
        fits = next_slammer(state, player).type in types
        return "" if fits else f"the next slammer is not of type {' or '.join(types)}"

    return why_not


def _wing_attack(ledger: Ledger, player: int, use: Use) -> None:
    """Count as of the type that the next slammer is weak to."""
    del player
    matchup = ledger.state.turn.matchup
    ledger.enter(MatchupSet(matchup=replace(matchup, type=matchup.weakness), why=use.rule))


def _ice_beam(ledger: Ledger, player: int, use: Use) -> None:
    """A water slammer counts as weak to water; a fire slammer as resisting it."""
    matchup = ledger.state.turn.matchup
    if next_slammer(ledger.state, player).type is EnergyType.WATER:
        matchup = replace(matchup, weakness=EnergyType.WATER)
    else:
        matchup = replace(matchup, resistance=EnergyType.WATER)
    ledger.enter(MatchupSet(matchup=matchup, why=use.rule))


def _energies(state: BattleState, player: int) -> tuple[EnergyType | None, ...]:
    designs = (state.design(puck) for puck in state.power(player))
    return tuple(design.type for design in designs if design.rule == "Energy")


def _not_one_energy(state: BattleState, player: int, use: Use) -> str:
    del use
    count = len(_energies(state, player))
    return "" if count == 1 else f"{count} Energy pucks are in Power, and it needs just one"


def _genetically_unstable(ledger: Ledger, player: int, use: Use) -> None:
    """Count as of the type of the only Energy puck in Power."""
    (kind,) = _energies(ledger.state, player)
    matchup = replace(ledger.state.turn.matchup, type=kind)
    ledger.enter(MatchupSet(matchup=matchup, why=use.rule))


MATCHUP_RULES = (
    Rule(
        name="Wing Attack",
        source=Source.ABILITY,
        point=Point.MATCHING,
        effect=at_once(_wing_attack),
        why_not=_next_is(EnergyType.GRASS),
        optional=False,
    ),
    Rule(
        name="Ice Beam",
        source=Source.ABILITY,
        point=Point.MATCHING,
        effect=at_once(_ice_beam),
        why_not=_next_is(EnergyType.WATER, EnergyType.FIRE),
        optional=False,
    ),
    Rule(
        name="Genetically Unstable",
        source=Source.ABILITY,
        point=Point.MATCHING,
        effect=at_once(_genetically_unstable),
        why_not=_not_one_energy,
        optional=False,
    ),
)


DIG_PENDING = "Dig's attack more"
RECOIL_PENDING = "Hyper Beam's recoil"


def _dig(ledger: Ledger, player: int, use: Use) -> None:
    """One attack now, one more the next time."""
    set_attacks(ledger, 1, use.rule)
    ledger.enter(EffectGained(player=player, effect=DIG_PENDING))


def _dig_pays(ledger: Ledger, player: int, use: Use) -> None:
    used_up(ledger, player, use)
    add_attacks(ledger, 1, "Dig")


def _hyper_beam(ledger: Ledger, player: int, use: Use) -> None:
    """Two attacks more now, only one the next time."""
    add_attacks(ledger, 2, use.rule)
    ledger.enter(EffectGained(player=player, effect=RECOIL_PENDING))


def _recoiling(state: BattleState, player: int, use: Use) -> str:
    del use
    pending = RECOIL_PENDING in state.effects[player]
    return "its recoil makes the attacks of this turn one" if pending else ""


def _not_yet(state: BattleState, player: int, use: Use) -> str:
    """The recoil of a Hyper Beam is for the turn after it."""
    del use
    now = any(used.player == player and used.rule == "Hyper Beam" for used in state.turn.used)
    return "Hyper Beam was used in this turn" if now else ""


def _recoil(ledger: Ledger, player: int, use: Use) -> None:
    used_up(ledger, player, use)
    set_attacks(ledger, 1, "Hyper Beam")


def _missing_no(ledger: Ledger, player: int, use: Use) -> None:
    del player
    set_attacks(ledger, 1, use.rule)


COUNT_RULES = (
    Rule(name="Dig", source=Source.ABILITY, point=Point.COUNTED, effect=at_once(_dig)),
    Rule(
        name=DIG_PENDING,
        source=Source.EFFECT,
        point=Point.COUNTING,
        effect=at_once(_dig_pays),
        optional=False,
    ),
    Rule(
        name="Hyper Beam",
        source=Source.ABILITY,
        point=Point.AFTER_COUNTING,
        effect=at_once(_hyper_beam),
        why_not=_recoiling,
    ),
    Rule(
        name=RECOIL_PENDING,
        source=Source.EFFECT,
        point=Point.SETTING_COUNT,
        effect=at_once(_recoil),
        why_not=_not_yet,
        optional=False,
    ),
    Rule(
        name="MissingNo.",
        source=Source.ABILITY,
        point=Point.SETTING_COUNT,
        effect=at_once(_missing_no),
        kinds=frozenset({DesignKind.BALL, DesignKind.SLAMMER}),  # ruling PP-34
        optional=False,
    ),
)


_SURF_MOST = 2
REST = "Rest"


def _no_prize(state: BattleState, player: int, use: Use) -> str:
    del use
    return "" if state.prize(player) else "Prize is empty"


def _surf(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Put up to two pucks of Prize on the Arena, over its max size too (PP-42)."""
    pucks = yield from pick(
        player,
        Asking.RULE,
        ledger.state.prize(player),
        least=1,
        most=_SURF_MOST,
        ordered=True,
        rule=use.rule,
    )
    ledger.enter(Moved(pucks=pucks, source=prize(player), target=ARENA, why=use.rule))


def _no_rest(state: BattleState, player: int, use: Use) -> str:
    """Rest asks for Sleep, which a Critical slammer cannot gain (PP-49)."""
    del use
    if state.has(player, Status.CRITICAL):
        return f"the slammer of {state.table.names[player]} is Critical (PP-49)"
    return why_not_gain(state, player, Status.SLEEP)


def _rest(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Fall asleep, and refill Health from Prize; the owner chooses if not all fit."""
    gain(ledger, player, Status.SLEEP, use.rule)
    there, room = ledger.state.prize(player), ledger.state.health_room(player)
    pucks = yield from pick(player, Asking.RULE, there, least=room, most=room, rule=use.rule)
    give(ledger, pucks, prize(player), health(player), use.rule)


HEALING_RULES = (
    Rule(
        name="Surf",
        source=Source.SUPPORT,
        point=Point.AFTER_TOP_OFF,
        effect=_surf,
        why_not=_no_prize,
    ),
    Rule(
        name=REST,
        source=Source.ABILITY,
        point=Point.BEFORE_TOP_OFF,
        effect=_rest,
        why_not=_no_rest,
    ),
)


CURL_PENDING = "Defense Curl's pick-up less"
SPIN_PENDING = "Fire Spin's hold"


def _declared_already(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "it is declared" if attack_now(state).declared else ""


def _declare(ledger: Ledger, player: int, use: Use) -> None:
    del player
    ledger.enter(Declared(rule=use.rule))


def _status_rules(name: str, status: Status) -> tuple[Rule, Rule]:
    """Return the rules of an ability that is declared, and gives a status in place of pucks."""

    def why_not_strike(state: BattleState, player: int, use: Use) -> str:
        del player, use
        now = attack_now(state)
        if now.declared != name:
            return f"{name} is not declared"
        return f"{name} acts once a throw" if now.barred == name else ""

    def strike(ledger: Ledger, player: int, use: Use) -> None:
        del use
        ledger.enter(AttackBarred(why=name))
        gain(ledger, ledger.state.next_player(player), status, name)

    declaring = Rule(
        name=name,
        source=Source.ABILITY,
        point=Point.BEFORE_ATTACK,
        effect=at_once(_declare),
        why_not=_declared_already,
        often=True,
    )
    striking = Rule(
        name=f"{name}'s flip",
        listing=name,
        source=Source.ABILITY,
        point=Point.COUNTING_PICK_UPS,
        effect=at_once(strike),
        why_not=why_not_strike,
        optional=False,
        often=True,
    )
    return declaring, striking


def _picked_up(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "something was picked up in this turn" if state.turn.picked else ""


def _curl(ledger: Ledger, player: int, use: Use) -> None:
    del use
    previous = ledger.state.previous_player(player)
    ledger.enter(EffectGained(player=previous, effect=CURL_PENDING))


def _no_pick_up(state: BattleState, player: int, use: Use) -> str:
    """Defense Curl waits for the next pick-up of one puck or more (PP-48)."""
    del player, use
    return "" if _pick_ups(state) else "nothing is picked up"


def _pick_ups(state: BattleState) -> int:
    """Return how many pucks may be picked up from the attack under way."""
    now = attack_now(state)
    there = [puck for puck in now.flipped if now.only is None or puck in now.only]
    there = [puck for puck in there if puck in state.arena]
    if now.barred:
        return 0
    return len(there) if now.most is None else min(now.most, len(there))


def _one_fewer(ledger: Ledger, player: int, use: Use) -> None:
    ledger.enter(AttackLimited(most=_pick_ups(ledger.state) - 1, why="Defense Curl"))
    used_up(ledger, player, use)


def _none_flipped(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "" if state.turn.flipped else "nothing was flipped in this turn"


def _spin(ledger: Ledger, player: int, use: Use) -> None:
    del use
    following = ledger.state.next_player(player)
    ledger.enter(EffectGained(player=following, effect=SPIN_PENDING))


HINDERING_RULES = (
    *_status_rules("Thunder Wave", Status.PARALYZED),
    *_status_rules("Sing", Status.SLEEP),
    *_status_rules("Poison Cloud", Status.POISONED),
    Rule(
        name="Defense Curl",
        source=Source.ABILITY,
        point=Point.ATTACKS_OVER,
        effect=at_once(_curl),
        why_not=_picked_up,
        optional=False,
    ),
    Rule(
        name=CURL_PENDING,
        source=Source.EFFECT,
        point=Point.COUNTING_PICK_UPS,
        effect=at_once(_one_fewer),
        why_not=_no_pick_up,
        optional=False,
        often=True,
    ),
    Rule(
        name="Fire Spin",
        source=Source.ABILITY,
        point=Point.ATTACKS_OVER,
        effect=at_once(_spin),
        why_not=_none_flipped,
        optional=False,
    ),
    Rule(
        # Slammers are changed in the own turn only, so it may end with that.
        name=SPIN_PENDING,
        source=Source.EFFECT,
        point=Point.TURN_OVER,
        effect=at_once(used_up),
        optional=False,
    ),
)


_AS_ITEMS = {DesignKind.ITEM, DesignKind.PLAIN}
"""A plain puck counts as an Item."""


def _is_item(state: BattleState, puck: int) -> bool:
    return state.design(puck).kind in _AS_ITEMS


def _no_room(state: BattleState, player: int, use: Use) -> str:
    del use
    return "" if state.health_room(player) else "Health is full (PP-47)"


def _leech_seed(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Attack out of turn; a flip heals instead of being picked up."""
    done = yield from attack(ledger, player, Grant(rule=use.rule, most=0))
    if done.flipped:
        there = ledger.state.prize(player)
        pucks = yield from pick(player, Asking.RULE, there, least=1, most=1, rule=use.rule)
        give(ledger, pucks, prize(player), health(player), use.rule)


def _nothing_was_lost(state: BattleState, player: int, use: Use) -> str:
    del use
    turn = state.turns[state.previous_player(player)]
    lost = turn is not None and turn.picked
    return "" if lost else "the previous player picked nothing up in the last turn"


def _nothing_picked_up(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "" if state.turn.picked else "nothing was picked up in this turn"


def _no_item(state: BattleState, player: int, use: Use) -> str:
    del use
    if not any(_is_item(state, puck) for puck in state.turn.picked):
        return "no Item was picked up in this turn"
    there = any(_is_item(state, puck) for puck in state.prize(player))
    return "" if there else "no Item is in Prize"


def _pay_day(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Put an Item of Prize on the Arena; only Items may be picked up from the attack."""
    state = ledger.state
    items = tuple(puck for puck in state.prize(player) if _is_item(state, puck))
    pucks = yield from pick(player, Asking.RULE, items, least=1, most=1, rule=use.rule)
    # Ruling PP-42: the Arena may be overfilled.
    ledger.enter(Moved(pucks=pucks, source=prize(player), target=ARENA, why=use.rule))
    # Mr. Saia may bring a puck of the next player's Health into the throw.
    there = (*ledger.state.arena, *state.health(state.next_player(player)))
    only = tuple(puck for puck in there if _is_item(state, puck))
    ledger.enter(AttackGranted(grant=Grant(rule=use.rule, only=only)))


def _not_swift(state: BattleState, player: int, use: Use) -> str:
    """Bar Swift after an attack that it gave, and a second one after the same attack."""
    del player
    now = attack_now(state)
    if now.picked:
        return "the attack picked something up"
    if now.grant is not None and now.grant.rule == use.rule:
        return "an attack that Swift gave gives no other"
    waits = any(grant.rule == use.rule for grant in state.turn.grants)
    return "it acts once an attack" if waits else ""


MORE_ATTACK_RULES = (
    Rule(
        name="Leech Seed",
        source=Source.ABILITY,
        point=Point.PREVIOUS_DONE,
        effect=_leech_seed,
        why_not=_no_room,
    ),
    Rule(
        name="Rage",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACKS,
        effect=one_attack_more(1),
        why_not=_nothing_was_lost,
    ),
    Rule(
        name="Cross Chop",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACKS,
        effect=one_attack_more(1),
        why_not=_nothing_picked_up,
    ),
    Rule(name="Cut", source=Source.ABILITY, point=Point.AFTER_ATTACKS, effect=one_attack_more(1)),
    Rule(
        name="Pay Day",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACKS,
        effect=_pay_day,
        why_not=_no_item,
    ),
    Rule(
        name="Swift",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACK,
        effect=one_attack_more(1),
        why_not=_not_swift,
        often=True,
    ),
)
