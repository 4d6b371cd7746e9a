"""What special rules are made of."""

from collections.abc import Callable

from sim.pokepucks.battle.events import AttackGranted, EffectLost
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.question import Use
from sim.pokepucks.battle.rule import Effect
from sim.pokepucks.battle.script import Script
from sim.pokepucks.battle.state import Attack, BattleState, Grant
from sim.pokepucks.design import Design


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
