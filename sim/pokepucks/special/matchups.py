"""Abilities that change the types that are compared when attacks are counted."""

from dataclasses import replace

from sim.pokepucks.battle.events import MatchupSet
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.question import Use
from sim.pokepucks.battle.rule import Point, Rule, Source, WhyNot
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.design import EnergyType
from sim.pokepucks.special.acting import at_once, next_slammer


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
