"""Pokéball slammers: they catch the Pokémon slammers that they flip."""

from sim.pokepucks.battle.events import Moved
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import ARENA, collection
from sim.pokepucks.battle.question import Asking, Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.battle.script import Script, pick
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.design import DesignKind
from sim.pokepucks.special.acting import attack_now


def _flipped_pokemon(state: BattleState) -> tuple[int, ...]:
    flipped = attack_now(state).flipped
    return tuple(puck for puck in flipped if state.design(puck).kind is DesignKind.POKEMON)


def _nothing_to_catch(state: BattleState, player: int, use: Use) -> str:
    del player, use
    options = state.table.options
    if options.balls_catch == "wild" and not options.is_wild:
        return "balls catch in wild battles only (PP-34)"
    flipped = _flipped_pokemon(state)
    if not flipped:
        return "no Pokémon slammer was flipped"
    caught = any(puck not in state.arena for puck in flipped)
    return "it catches one a throw" if caught else ""


def _catch(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Take one that was flipped straight to the collection (PP-25)."""
    state = ledger.state
    flipped = _flipped_pokemon(state)
    pucks = yield from pick(player, Asking.RULE, flipped, least=1, most=1, rule=use.rule)
    # Who may not keep what is picked up may not keep what is caught (PP-22).
    keeper = player if state.table.options.keeps_pucks else state.table.pucks[pucks[0]].owner
    ledger.enter(Moved(pucks=pucks, source=ARENA, target=collection(keeper), why=use.rule))


BALL_RULES = (
    Rule(
        name="Pokéball",
        source=Source.ABILITY,
        point=Point.SLAMMER_FLIPPED,
        effect=_catch,
        why_not=_nothing_to_catch,
        kinds=frozenset({DesignKind.BALL}),
        often=True,
    ),
)
