"""Step 2: knock-out attempts at a Critical player's slammer, and who goes out of the battle."""

from sim.pokepucks.battle.events import (
    AttackBegan,
    AttackEnded,
    Moved,
    PickedUp,
    Thrown,
    WentOut,
)
from sim.pokepucks.battle.handling import picked_up_to
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import (
    ARENA,
    ASIDE,
    Place,
    collection,
    health,
    power,
    prize,
    slammer,
)
from sim.pokepucks.battle.question import Asking, ThrowCall
from sim.pokepucks.battle.rule import Point
from sim.pokepucks.battle.script import Script, pick, throw
from sim.pokepucks.battle.state import BattleState, Step
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.battle.windows import window
from sim.pokepucks.design import DesignKind


def knock_out(ledger: Ledger) -> Script[Step]:
    """The previous player may throw at the slammer of a Critical current player (PP-11, PP-33).

    Flipped, its player is out, and the turn is over (PP-32).
    """
    state, player = ledger.state, ledger.state.player
    target, thrower = state.slammer(player), state.previous_player(player)
    if not state.has(player, Status.CRITICAL) or target is None or _too_early(state, thrower):
        return Step.BEFORE_COUNTING
    attempted = yield from pick(thrower, Asking.KNOCK_OUT, (target,))
    if not attempted:
        return Step.BEFORE_COUNTING
    flipped = yield from _attempt(ledger, thrower, player, target)
    if not flipped:
        return Step.BEFORE_COUNTING
    leave(ledger, player, "knocked out")
    return Step.END


def _too_early(state: BattleState, thrower: int) -> bool:
    """Return whether the thrower had no turn yet, and so may not throw (PP-56)."""
    return state.turns[thrower] is None and not state.table.options.first_turn_ko


def _attempt(ledger: Ledger, thrower: int, player: int, target: int) -> Script[bool]:
    """Make the attempt, and return whether the slammer flipped; the Arena is as it was (PP-10)."""
    wild = ledger.state.table.options.is_wild
    _move_all(ledger, ARENA, ASIDE, "set aside")
    _move_all(ledger, slammer(player), ARENA, "knock-out")
    if wild:
        yield from _shield(ledger, player)
    own = ledger.state.slammer(thrower)
    assert own is not None
    ledger.enter(AttackBegan(player=thrower, slammer=own, knock_out=True))
    targets, number = ledger.state.arena, ledger.state.throws + 1
    call = ThrowCall(number=number, player=thrower, slammer=own, targets=targets, knock_out=True)
    outcome = yield from throw(call)
    ledger.enter(Thrown(number=number, player=thrower, targets=targets, outcome=outcome))
    attack = ledger.state.attack
    assert attack is not None
    flipped = target in attack.flipped
    if flipped:
        yield from window(ledger, Point.SLAMMER_FLIPPED, thrower)
    elif wild:
        for puck in attack.flipped:
            taken_to = picked_up_to(ledger.state, thrower, puck)
            ledger.enter(PickedUp(player=thrower, puck=puck, target=taken_to))
    ledger.enter(AttackEnded())
    if target in ledger.state.arena:
        back = Moved(pucks=(target,), source=ARENA, target=slammer(player), why="knock-out")
        ledger.enter(back)
    _move_all(ledger, ARENA, power(player), "shields back")
    _move_all(ledger, ASIDE, ARENA, "put back")
    return flipped


def _shield(ledger: Ledger, player: int) -> Script[None]:
    """The defender may put pucks from Power on the slammer, in any order (PP-51)."""
    state = ledger.state
    there = state.power(player)
    if not state.table.options.plain_shields:
        there = tuple(p for p in there if state.design(p).kind is not DesignKind.PLAIN)
    shields = yield from pick(player, Asking.SHIELDS, there, ordered=True)
    if shields:
        ledger.enter(Moved(pucks=shields, source=power(player), target=ARENA, why="shields"))


def leave(ledger: Ledger, player: int, why: str) -> None:
    """Let a player go out of the battle, with all that is in their stacks.

    They keep what they picked up, unless an option says that all goes back to where it came from
    (PP-22).
    """
    for place in (slammer(player), health(player), power(player), prize(player)):
        if ledger.state.table.options.keeps_pucks:
            _move_all(ledger, place, collection(player), why)
        else:
            move_home(ledger, place, why)
    ledger.enter(WentOut(player=player, why=why))


def move_home(ledger: Ledger, source: Place, why: str) -> None:
    """Move the pucks of a stack back to the collections that they came from."""
    pucks = ledger.state.stack(source)
    owners = [ledger.state.table.pucks[puck].owner for puck in pucks]
    for owner in dict.fromkeys(owners):
        mine = tuple(p for p, other in zip(pucks, owners, strict=True) if other == owner)
        ledger.enter(Moved(pucks=mine, source=source, target=collection(owner), why=why))


def _move_all(ledger: Ledger, source: Place, target: Place, why: str) -> None:
    """Move all pucks of a stack, in the order that they have."""
    pucks = ledger.state.stack(source)
    if pucks:
        ledger.enter(Moved(pucks=pucks, source=source, target=target, why=why))
