"""Step 4: attacks. A throw, what is picked up, and the Arena restacked."""

from sim.pokepucks.battle.condition import lose
from sim.pokepucks.battle.events import (
    Arranged,
    AttackBarred,
    AttackBegan,
    AttackEnded,
    PickedUp,
    Thrown,
)
from sim.pokepucks.battle.handling import picked_up_to
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import ARENA
from sim.pokepucks.battle.question import Asking, ThrowCall
from sim.pokepucks.battle.rule import Point
from sim.pokepucks.battle.script import Script, pick, throw
from sim.pokepucks.battle.state import ASLEEP, Attack, Grant, Step
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.battle.windows import window
from sim.pokepucks.outcome import missed


def make_attacks(ledger: Ledger) -> Script[Step]:
    """Make the next attack of the current player: one that was granted, or one of those counted."""
    turn = ledger.state.turn
    if not turn.grants and turn.made >= turn.attacks:
        return Step.AFTER_ATTACKS
    grant = turn.grants[0] if turn.grants else None
    yield from attack(ledger, turn.player, grant)
    return Step.ATTACK


def attack(ledger: Ledger, player: int, grant: Grant | None = None) -> Script[Attack]:
    """Make an attack, and return what came of it.

    Sleep, and rules that react to a player's own attacks, act in the current player's only (PP-47).

    Args:
        ledger: The ledger.
        player: Who throws.
        grant: What granted the attack, if it is none of those that were counted.
    """
    slammer = ledger.state.slammer(player)
    assert slammer is not None
    own = player == ledger.state.player
    ledger.enter(AttackBegan(player=player, slammer=slammer, grant=grant))
    if own:
        yield from window(ledger, Point.BEFORE_ATTACK, player)
    yield from _throw(ledger, player, slammer)
    if _now(ledger).hit:
        if any(ledger.state.table.is_slammer(puck) for puck in _now(ledger).flipped):
            yield from window(ledger, Point.SLAMMER_FLIPPED, player)
        if own:
            following = ledger.state.next_player(player)
            yield from window(ledger, Point.PREVIOUS_THREW, following)
            _wake(ledger, player)
        yield from _pick_up(ledger, player)
        yield from _restack(ledger, player)
    if own:
        yield from window(ledger, Point.AFTER_ATTACK, player)
    done = _now(ledger)
    ledger.enter(AttackEnded())
    return done


def _now(ledger: Ledger) -> Attack:
    """Return the attack under way."""
    assert ledger.state.attack is not None
    return ledger.state.attack


def _throw(ledger: Ledger, player: int, slammer: int) -> Script[None]:
    """Throw at the Arena; at an empty one, it is a miss (PP-41)."""
    targets, number = ledger.state.arena, ledger.state.throws + 1
    outcome = missed(0)
    if targets:
        call = ThrowCall(number=number, player=player, slammer=slammer, targets=targets)
        outcome = yield from throw(call)
    ledger.enter(Thrown(number=number, player=player, targets=targets, outcome=outcome))


def _wake(ledger: Ledger, player: int) -> None:
    """In a turn that began in Sleep nothing is picked up; the first flip ends Sleep (PP-14)."""
    if ASLEEP in ledger.state.turn.flags and _now(ledger).flipped:
        ledger.enter(AttackBarred(why=str(Status.SLEEP)))
        lose(ledger, player, Status.SLEEP, "flipped a puck")


def _pick_up(ledger: Ledger, player: int) -> Script[None]:
    """Pick up the flipped pucks; the thrower chooses if it cannot be all of them (PP-21)."""
    if not _now(ledger).flipped:
        return
    yield from window(ledger, Point.COUNTING_PICK_UPS, player)
    now = _now(ledger)
    if now.barred:
        return
    there = tuple(
        puck
        for puck in now.flipped
        if puck in ledger.state.arena and (now.only is None or puck in now.only)
    )
    count = len(there) if now.most is None else min(now.most, len(there))
    pucks = yield from pick(player, Asking.PICK_UP, there, least=count, most=count)
    for puck in pucks:
        target = picked_up_to(ledger.state, player, puck)
        ledger.enter(PickedUp(player=player, puck=puck, target=target))
    if pucks:
        yield from window(ledger, Point.PICKED_UP, player)


def _restack(ledger: Ledger, player: int) -> Script[None]:
    """Restack the Arena face down: nearest to the centre at the bottom (PP-18, PP-19).

    Pucks that left the arena go on top, in an order that the thrower chooses (PP-39).
    """
    now, arena = _now(ledger), ledger.state.arena
    inside = tuple(puck for puck in now.inside if puck in arena)
    out = tuple(puck for puck in now.out if puck in arena)
    out = yield from pick(player, Asking.RESTACK_OUT, out, least=len(out), ordered=True)
    ledger.enter(Arranged(place=ARENA, order=(*inside, *out), why="restack"))
