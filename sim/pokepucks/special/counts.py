"""Rules of slammers that change the number of attacks, in the order of ruling PP-13."""

from sim.pokepucks.battle.counting import add_attacks, set_attacks
from sim.pokepucks.battle.events import EffectGained
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.question import Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.design import DesignKind
from sim.pokepucks.special.acting import at_once, used_up

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
