"""The special rules of slammers, and the small functions that special rules are made of.

The groups follow the turn: abilities that change the types compared, those that change the number
of attacks, those that heal, those that hinder another player, and those that grant attacks. Each
group ends with its table of rules.
"""

from dataclasses import replace
from functools import partial

from sim.pokepucks.battle.evaluation import expected_attacks, has_cure, many_of_least_value
from sim.pokepucks.battle.events import (
    AttackBarred,
    AttackGranted,
    AttackLimited,
    Declared,
    EffectGained,
    EffectLost,
    Flagged,
    MatchupSet,
    Moved,
)
from sim.pokepucks.battle.handling import (
    add_attacks,
    gain,
    give,
    pick_up_count,
    set_attacks,
    why_not_gain,
)
from sim.pokepucks.battle.questions import Asking, Script, Use, pick
from sim.pokepucks.battle.rules import (
    Hints,
    Ledger,
    Point,
    Rule,
    Source,
    View,
    special_rule,
    unless,
    wanted_never,
)
from sim.pokepucks.battle.state import (
    ARENA,
    ASLEEP,
    Attack,
    BattleState,
    Grant,
    Status,
    health,
    prize,
)
from sim.pokepucks.battle.turn import attack, topped_off_size
from sim.pokepucks.designs import Design, DesignKind, EnergyType
from sim.pokepucks.special.amounts import AMOUNTS, MANY_ATTACKS, REST_PUCKS

_ability = partial(special_rule, Source.ABILITY)
_pending = partial(special_rule, Source.EFFECT, optional=False)

REST = "Rest"
DIG_PENDING = "Dig's attack more"
RECOIL_PENDING = "Hyper Beam's recoil"
CURL_PENDING = "Defense Curl's pick-up less"
SPIN_PENDING = "Fire Spin's hold"

_AS_ITEMS = {DesignKind.ITEM, DesignKind.PLAIN}
"""Kinds of pucks that count as Items; a plain puck does."""


def one_attack_more(ledger: Ledger, _: int, use: Use) -> None:
    """Grant the owner an additional attack."""
    ledger.enter(AttackGranted(grant=Grant(rule=use.rule, most=AMOUNTS[use.rule].picks)))


def used_up(ledger: Ledger, player: int, use: Use) -> None:
    """End a pending effect that now acts."""
    ledger.enter(EffectLost(player=player, effect=use.rule))


def attack_now(state: BattleState) -> Attack:
    """Return the attack under way, at a point that has one."""
    assert state.attack is not None
    return state.attack


def next_slammer(state: BattleState, player: int) -> Design:
    """Return the design of the next player's slammer."""
    slammer = state.slammer(state.next_player(player))
    assert slammer is not None
    return state.design(slammer)


def puck_of(use: Use) -> int:
    """Return the puck whose rule is used."""
    assert use.puck is not None
    return use.puck


def reacted_flag(state: BattleState, rule: str) -> str:
    """Return the flag of a turn by which a rule remembers that it reacted to the last throw."""
    return f"{rule} after throw {state.throws}"


def why_not_react(state: BattleState, rule: str) -> str:
    """Return why a rule that acts once a throw cannot react; empty if it can."""
    return "it acts once a throw" if reacted_flag(state, rule) in state.turn.flags else ""


why_picked_up = unless(
    "something was picked up in this turn", lambda state, _: not state.turn.picked
)
"""Returns why a rule for turns without a pick-up cannot act; empty if it can."""


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
    return top_off_would_fail(view, _healing(view))


def _healing(view: View) -> int:
    """Return how many pucks the healing Items in Power can still bring to Health in this turn."""
    state, player = view.state, view.player
    used = {use.rule for use in state.turn.used if use.player == player}
    ready = {}
    for puck in state.power(player):
        rule = view.rules.main_rule(state.design(puck))
        if rule is not None and rule.name not in used:
            ready[rule.name] = rule.hints.heals
    return min(sum(ready.values()), len(state.prize(player)), state.health_room(player))


def _next_unfit(state: BattleState, player: int, use: Use) -> str:
    """Return why the next slammer's type does not matter to a rule; empty if it does."""
    types = [kind for kind in (AMOUNTS[use.rule].weak, AMOUNTS[use.rule].resists) if kind]
    fits = next_slammer(state, player).type in types
    return "" if fits else f"the next slammer is not of type {' or '.join(types)}"


def _wing_attack(ledger: Ledger, _: int, use: Use) -> None:
    """Count as the type to which the next slammer is weak."""
    matchup = ledger.state.turn.matchup
    ledger.enter(MatchupSet(matchup=replace(matchup, type=matchup.weakness), why=use.rule))


def _ice_beam(ledger: Ledger, player: int, use: Use) -> None:
    """Count a water slammer as weak to water, and a fire slammer as resistant to it."""
    matchup, water = ledger.state.turn.matchup, AMOUNTS[use.rule].weak
    if next_slammer(ledger.state, player).type is water:
        matchup = replace(matchup, weakness=water)
    else:
        matchup = replace(matchup, resistance=water)
    ledger.enter(MatchupSet(matchup=matchup, why=use.rule))


def _energies(state: BattleState, player: int) -> tuple[EnergyType | None, ...]:
    designs = (state.design(puck) for puck in state.power(player))
    return tuple(design.type for design in designs if design.rule == "Energy")


def _not_one_energy(state: BattleState, player: int, _: Use) -> str:
    count = len(_energies(state, player))
    return "" if count == 1 else f"{count} Energy pucks are in Power, and it needs just one"


def _genetically_unstable(ledger: Ledger, player: int, use: Use) -> None:
    """Count as the type of the only Energy puck in Power."""
    (kind,) = _energies(ledger.state, player)
    matchup = replace(ledger.state.turn.matchup, type=kind)
    ledger.enter(MatchupSet(matchup=matchup, why=use.rule))


MATCHUP_RULES = (
    _ability("Wing Attack", Point.MATCHING, _wing_attack, why_not=_next_unfit, optional=False),
    _ability("Ice Beam", Point.MATCHING, _ice_beam, why_not=_next_unfit, optional=False),
    _ability(
        "Genetically Unstable",
        Point.MATCHING,
        _genetically_unstable,
        why_not=_not_one_energy,
        optional=False,
        hints=Hints(needs_one="Energy"),
    ),
)


def _dig(ledger: Ledger, player: int, use: Use) -> None:
    """Make one attack now, and one more in the next turn."""
    set_attacks(ledger, 1, use.rule)
    ledger.enter(EffectGained(player=player, effect=DIG_PENDING))


def _has_one_attack(view: View) -> bool:
    return view.state.turn.attacks == 1


def _dig_pays(ledger: Ledger, player: int, use: Use) -> None:
    used_up(ledger, player, use)
    add_attacks(ledger, AMOUNTS["Dig"].attacks, "Dig")


_RECOILS_TWICE = "Hyper Beam in its own recoil"
"""Flag of a turn in which Hyper Beam was used while its recoil was pending (PP-59)."""


def _hyper_beam(ledger: Ledger, player: int, use: Use) -> None:
    """Make two more attacks now, but only one in the next turn.

    Recoil forbids the additional attacks only: Hyper Beam may be used, and recoils again (PP-59).
    """
    if RECOIL_PENDING in ledger.state.effects[player]:
        ledger.enter(Flagged(flag=_RECOILS_TWICE))
        return
    add_attacks(ledger, AMOUNTS[use.rule].attacks, use.rule)
    ledger.enter(EffectGained(player=player, effect=RECOIL_PENDING))


def _is_not_recoiling(view: View) -> bool:
    return RECOIL_PENDING not in view.state.effects[view.player]


def _not_yet(state: BattleState, player: int, _: Use) -> str:
    """Hold the recoil back in the turn of the Hyper Beam itself."""
    now = any(used.player == player and used.rule == "Hyper Beam" for used in state.turn.used)
    held = now and _RECOILS_TWICE not in state.turn.flags
    return "Hyper Beam was used in this turn" if held else ""


def _recoil(ledger: Ledger, player: int, use: Use) -> None:
    if _RECOILS_TWICE not in ledger.state.turn.flags:
        used_up(ledger, player, use)
    set_attacks(ledger, 1, "Hyper Beam")


def _missing_no(ledger: Ledger, _: int, use: Use) -> None:
    set_attacks(ledger, 1, use.rule)


COUNT_RULES = (
    _ability("Dig", Point.COUNTED, _dig, hints=Hints(wanted=_has_one_attack)),
    _pending(
        DIG_PENDING,
        Point.COUNTING,
        _dig_pays,
    ),
    _ability(
        "Hyper Beam",
        Point.AFTER_COUNTING,
        _hyper_beam,
        hints=Hints(wanted=_is_not_recoiling),
    ),
    _pending(
        RECOIL_PENDING,
        Point.SETTING_COUNT,
        _recoil,
        why_not=_not_yet,
    ),
    _ability(
        "MissingNo.",
        Point.SETTING_COUNT,
        _missing_no,
        kinds=frozenset({DesignKind.BALL, DesignKind.SLAMMER}),  # ruling PP-34
        optional=False,
    ),
)


def _surf(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Put up to two pucks from Prize on the Arena, even beyond its max size (PP-42)."""
    pucks = yield from pick(
        player,
        Asking.RULE,
        ledger.state.prize(player),
        least=1,
        most=AMOUNTS[use.rule].pucks,
        ordered=True,
        rule=use.rule,
    )
    ledger.enter(Moved(pucks=pucks, source=prize(player), target=ARENA, why=use.rule))


def _no_rest(state: BattleState, player: int, _: Use) -> str:
    """Rest needs Sleep, which a Critical slammer cannot gain (PP-49)."""
    if state.has(player, Status.CRITICAL):
        return f"the slammer of {state.table.names[player]} is Critical (PP-49)"
    return why_not_gain(state, player, Status.SLEEP)


def _rest(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Fall asleep, and refill Health from Prize; the owner chooses if not all pucks fit."""
    gain(ledger, player, Status.SLEEP, use.rule)
    healing, room = ledger.state.prize(player), ledger.state.health_room(player)
    pucks = yield from pick(player, Asking.RULE, healing, least=room, most=room, rule=use.rule)
    give(ledger, pucks, prize(player), health(player), use.rule)


def _needs_rest(view: View) -> bool:
    enough = len(view.state.prize(view.player)) >= REST_PUCKS
    return enough and top_off_would_fail_healed(view)


HEALING_RULES = (
    special_rule(
        Source.SUPPORT,
        "Surf",
        Point.AFTER_TOP_OFF,
        _surf,
        why_not=unless("Prize is empty", BattleState.prize),
        hints=Hints(wanted=wanted_never, choice=many_of_least_value),  # it helps the others
    ),
    _ability(
        REST,
        Point.BEFORE_TOP_OFF,
        _rest,
        why_not=_no_rest,
        hints=Hints(wanted=_needs_rest, choice=many_of_least_value),
    ),
)


def _declare(ledger: Ledger, _: int, use: Use) -> None:
    ledger.enter(Declared(rule=use.rule))


def can_strike(view: View, status: Status) -> bool:
    """Return whether the next slammer would gain a status, and its player has no cure."""
    following = view.state.next_player(view.player)
    if why_not_gain(view.state, following, status):
        return False
    return not has_cure(view.rival, status)


def _status_rules(name: str) -> tuple[Rule, Rule]:
    """Return the rules of an ability that is declared, and gives a status instead of pucks."""
    status = AMOUNTS[name].gives
    assert status is not None

    def wanted(view: View) -> bool:
        """Strike for nothing, that is in Sleep (PP-14), or for the loss of several attacks."""
        if not can_strike(view, status):
            return False
        many = status is Status.SLEEP and expected_attacks(view.rival) > MANY_ATTACKS
        return many or ASLEEP in view.state.turn.flags

    def why_not_strike(state: BattleState, *_: object) -> str:
        if attack_now(state).declared != name:
            return f"{name} is not declared"
        return why_not_react(state, name)

    def strike(ledger: Ledger, player: int, _: Use) -> None:
        ledger.enter(Flagged(flag=reacted_flag(ledger.state, name)))
        ledger.enter(AttackBarred(why=name))
        gain(ledger, ledger.state.next_player(player), status, name)

    declaring = _ability(
        name,
        Point.BEFORE_ATTACK,
        _declare,
        why_not=unless(
            "it is declared, or no throw is made at an empty Arena (PP-41)",
            lambda state, _: state.arena and not attack_now(state).declared,
        ),
        often=True,
        hints=Hints(wanted=wanted),
    )
    striking = _ability(
        f"{name}'s flip",
        Point.COUNTING_PICK_UPS,
        strike,
        listing=name,
        why_not=why_not_strike,
        optional=False,
        often=True,
    )
    return declaring, striking


def _curl(ledger: Ledger, player: int, _: Use) -> None:
    previous = ledger.state.previous_player(player)
    ledger.enter(EffectGained(player=previous, effect=CURL_PENDING))


def _one_fewer(ledger: Ledger, player: int, use: Use) -> None:
    ledger.enter(AttackLimited(most=pick_up_count(ledger.state) - 1, why="Defense Curl"))
    used_up(ledger, player, use)


def _spin(ledger: Ledger, player: int, _: Use) -> None:
    following = ledger.state.next_player(player)
    ledger.enter(EffectGained(player=following, effect=SPIN_PENDING))


HINDERING_RULES = (
    *_status_rules("Thunder Wave"),
    *_status_rules("Sing"),
    *_status_rules("Poison Cloud"),
    _ability("Defense Curl", Point.ATTACKS_OVER, _curl, why_not=why_picked_up, optional=False),
    special_rule(
        Source.EFFECT,
        CURL_PENDING,
        Point.COUNTING_PICK_UPS,
        _one_fewer,
        why_not=unless("nothing is picked up", lambda state, _: pick_up_count(state)),  # PP-48
        optional=False,
        often=True,
    ),
    _ability(
        "Fire Spin",
        Point.ATTACKS_OVER,
        _spin,
        why_not=unless("nothing was flipped in this turn", lambda state, _: state.turn.flipped),
        optional=False,
    ),
    # Slammers are switched in the own turn only, so the hold may end with that turn.
    _pending(
        SPIN_PENDING,
        Point.TURN_OVER,
        used_up,
    ),
)


def _is_item(state: BattleState, puck: int) -> bool:
    return state.design(puck).kind in _AS_ITEMS


def _leech_seed(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Attack out of turn; a flip heals a puck instead of a pick-up."""
    done = yield from attack(ledger, player, Grant(rule=use.rule, most=AMOUNTS[use.rule].picks))
    if done.flipped:
        healing = ledger.state.prize(player)
        most = AMOUNTS[use.rule].pucks
        pucks = yield from pick(player, Asking.RULE, healing, least=1, most=most, rule=use.rule)
        give(ledger, pucks, prize(player), health(player), use.rule)


def _has_prize(view: View) -> bool:
    return bool(view.state.prize(view.player))


def _lost_pucks(state: BattleState, player: int) -> bool:
    turn = state.turns[state.previous_player(player)]
    return turn is not None and bool(turn.picked)


def _no_item(state: BattleState, player: int, _: Use) -> str:
    if not any(_is_item(state, puck) for puck in state.turn.picked):
        return "no Item was picked up in this turn"
    available = any(_is_item(state, puck) for puck in state.prize(player))
    return "" if available else "no Item is in Prize"


def _pay_day(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Put an Item from Prize on the Arena; only Items may be picked up from the attack."""
    state = ledger.state
    items = tuple(puck for puck in state.prize(player) if _is_item(state, puck))
    pucks = yield from pick(player, Asking.RULE, items, least=1, most=1, rule=use.rule)
    # Ruling PP-42: the Arena may be overfilled.
    ledger.enter(Moved(pucks=pucks, source=prize(player), target=ARENA, why=use.rule))
    # Mr. Saia may bring a puck of the next player's Health into the throw.
    possible = (*ledger.state.arena, *state.health(state.next_player(player)))
    only = tuple(puck for puck in possible if _is_item(state, puck))
    ledger.enter(AttackGranted(grant=Grant(rule=use.rule, only=only)))


def _wants_pay_day(view: View) -> bool:
    """Put a puck in the Arena only if it saves the next player none."""
    state = view.state
    missing = (state.max_size(ARENA) or 0) - len(state.arena)
    return missing <= 0 or missing > len(state.health(state.next_player(view.player))) + 1


def _not_swift(state: BattleState, _: int, use: Use) -> str:
    """Bar Swift after an attack that it granted, and a second use after the same attack."""
    now = attack_now(state)
    if now.picked:
        return "the attack picked something up"
    if now.grant is not None and now.grant.rule == use.rule:
        return "an attack granted by Swift grants no other"
    waits = any(grant.rule == use.rule for grant in state.turn.grants)
    return "it acts once an attack" if waits else ""


MORE_ATTACK_RULES = (
    _ability(
        "Leech Seed",
        Point.PREVIOUS_DONE,
        _leech_seed,
        why_not=unless("Health is full (PP-47)", BattleState.health_room),
        hints=Hints(wanted=_has_prize, choice=many_of_least_value),
    ),
    _ability(
        "Rage",
        Point.AFTER_ATTACKS,
        one_attack_more,
        why_not=unless("the previous player picked nothing up in the last turn", _lost_pucks),
    ),
    _ability(
        "Cross Chop",
        Point.AFTER_ATTACKS,
        one_attack_more,
        why_not=unless("nothing was picked up in this turn", lambda state, _: state.turn.picked),
    ),
    _ability("Cut", Point.AFTER_ATTACKS, one_attack_more),
    _ability(
        "Pay Day",
        Point.AFTER_ATTACKS,
        _pay_day,
        why_not=_no_item,
        hints=Hints(wanted=_wants_pay_day, choice=many_of_least_value),
    ),
    _ability("Swift", Point.AFTER_ATTACK, one_attack_more, why_not=_not_swift, often=True),
)
