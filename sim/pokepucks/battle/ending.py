"""The end of a turn: after the attacks, discards, victory, and whose turn is next."""

from sim.pokepucks.battle.events import Drawn, Moved, PayerSet, TurnBegan, Won
from sim.pokepucks.battle.handling import discard
from sim.pokepucks.battle.knockout import leave, move_home
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import ARENA, prize
from sim.pokepucks.battle.question import Asking
from sim.pokepucks.battle.rule import Point
from sim.pokepucks.battle.script import Script, pick
from sim.pokepucks.battle.state import Step
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.battle.windows import window


def after_attacks(ledger: Ledger) -> Script[Step]:
    """Rules that act after all attacks; one that grants an attack sends play back to step 4."""
    player = ledger.state.player
    yield from window(ledger, Point.AFTER_ATTACKS, player)
    if ledger.state.turn.grants:
        return Step.ATTACK
    yield from window(ledger, Point.ATTACKS_OVER, player)
    # Ruling PP-15: nothing was picked up, so the Confused player pays the next top-off.
    if ledger.state.has(player, Status.CONFUSED) and not ledger.state.turn.picked:
        ledger.enter(PayerSet(player=player))
    yield from window(ledger, Point.PREVIOUS_DONE, ledger.state.next_player(player))
    return Step.DISCARD


def discards(ledger: Ledger) -> Script[Step]:
    """Step 5: the current player may discard from Power, slammers too (PP-55)."""
    player = ledger.state.player
    pucks = yield from pick(player, Asking.DISCARD, ledger.state.power(player))
    discard(ledger, player, pucks, "discard")
    return Step.END


def end_turn(ledger: Ledger) -> Script[Step]:
    """Step 6: the last player in the battle wins (PP-31); otherwise the next turn begins."""
    state = ledger.state
    turn, options = state.turn, state.table.options
    if turn.player in state.playing:
        yield from window(ledger, Point.TURN_OVER, turn.player)
    if len(state.playing) == 1:
        _win(ledger, state.playing[0])
        return Step.OVER
    if turn.number >= options.max_turns * state.table.players:
        _draw(ledger)
        return Step.OVER
    following = ledger.state.next_player(turn.player)
    ledger.enter(TurnBegan(player=following, number=turn.number + 1))
    return Step.BEFORE_TOP_OFF


def _win(ledger: Ledger, player: int) -> None:
    """The winner takes the Arena, and then everything to the collection."""
    ledger.enter(Won(player=player))
    if ledger.state.arena:
        arena = ledger.state.arena
        ledger.enter(Moved(pucks=arena, source=ARENA, target=prize(player), why="won"))
    leave(ledger, player, "won")


def _draw(ledger: Ledger) -> None:
    """All take their stacks; the Arena goes back to where it came from (PP-23, PP-52)."""
    ledger.enter(Drawn(turns=ledger.state.turn.number))
    move_home(ledger, ARENA, "draw")
    for player in ledger.state.playing:
        leave(ledger, player, "draw")
