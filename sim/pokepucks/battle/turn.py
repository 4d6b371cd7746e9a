"""The steps of a turn, each a script that returns the step after it.

They stand in the order of a turn: top-off, knock-out, counting the attacks, attacks, discards and
end; players who leave the battle come last. `STEPS` is the table of all steps, those of
`pucklab.sim.pokepucks.battle.setup` included, and `take_step` performs one.
"""

from collections.abc import Callable, Mapping

from pucklab.sim.pokepucks.battle.events import (
    Arranged,
    AttackBarred,
    AttackBegan,
    AttackEnded,
    Drawn,
    Flagged,
    MatchupSet,
    PayerSet,
    StepBegan,
    Thrown,
    ThrowSkipped,
    TurnBegan,
    WentOut,
    Won,
)
from pucklab.sim.pokepucks.battle.handling import (
    add_attacks,
    gain,
    lose,
    move,
    pick_up,
    pick_up_count,
    pick_ups,
    set_attacks,
)
from pucklab.sim.pokepucks.battle.questions import Asking, Script, ThrowCall, pick, throw
from pucklab.sim.pokepucks.battle.rule_book import Ledger, Point
from pucklab.sim.pokepucks.battle.setup import (
    build_arena,
    choose_slammers,
    fill_health,
    fill_prize,
    fix_sizes,
)
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    ASIDE,
    ASLEEP,
    BOX,
    UNREDUCED,
    Attack,
    BattleState,
    Grant,
    Matchup,
    Place,
    Status,
    Step,
    collection,
    health,
    power,
    prize,
    slammer,
)
from pucklab.sim.pokepucks.battle.timing import window
from pucklab.sim.pokepucks.designs import DesignKind


def before_top_off(ledger: Ledger) -> Script[Step]:
    """Let rules act before the top-off; a wild battle has no top-off (PP-24)."""
    yield from window(ledger, Point.BEFORE_TOP_OFF, ledger.state.player)
    return Step.KNOCK_OUT if ledger.state.table.options.is_wild else Step.TOP_OFF


def top_off(ledger: Ledger) -> Script[Step]:
    """Step 1: fill the Arena from below; a payer short of pucks becomes Critical (PP-5, PP-9)."""
    state, payer = ledger.state, payer_of(ledger.state)
    missing = max(topped_off_size(state) - len(state.arena), 0)
    available = state.health(payer)
    paid = min(missing, len(available))
    if state.table.options.health_face == "up":
        pucks = yield from pick(
            payer, Asking.TOP_OFF, available, least=paid, most=paid, ordered=True
        )
    else:
        pucks = available[::-1][:paid]
    move(ledger, pucks, health(payer), ARENA, "top-off", under=True)
    if state.payer is not None:
        ledger.enter(PayerSet(player=None))
    ends = state.table.options.critical_ends  # the top-off that ends Critical (PP-6)
    if paid < missing:
        gain(ledger, payer, Status.CRITICAL, "no puck left to top off with")
    elif ends == "topped-off" or (
        ends == "paid" and (paid or len(state.arena) >= (state.max_size(ARENA) or 0))
    ):
        lose(ledger, payer, Status.CRITICAL, "top-off")
    return Step.AFTER_TOP_OFF


def payer_of(state: BattleState) -> int:
    """Return the player who pays for the top-off: a Confused one may have to (PP-15, PP-36)."""
    return state.player if state.payer not in state.playing else state.payer


def topped_off_size(state: BattleState) -> int:
    """Return the number of pucks to which the Arena is topped off in this turn.

    It is the max size; half of it, rounded down, but at least 1, if the previous player is Critical
    (PP-8); and 1 more if the payer is Poisoned (PP-16, PP-35).
    """
    size = state.max_size(ARENA) or 0
    if state.has(state.previous_player(state.player), Status.CRITICAL):
        size = max(size // 2, 1)
    return size + sum(status.top_off for status in state.known_statuses(payer_of(state)))


def after_top_off(ledger: Ledger) -> Script[Step]:
    """Let rules act after the top-off."""
    yield from window(ledger, Point.AFTER_TOP_OFF, ledger.state.player)
    return Step.KNOCK_OUT


def knock_out(ledger: Ledger) -> Script[Step]:
    """Step 2: the previous player may throw at the slammer of a Critical player (PP-11, PP-33).

    If the slammer flips, its player is out and the turn is over (PP-32).
    """
    state, player = ledger.state, ledger.state.player
    target, thrower = state.slammer(player), state.previous_player(player)
    if (
        not state.has(player, Status.CRITICAL)
        or target is None
        or (state.turns[thrower] is None and not state.table.options.first_turn_ko)
    ):
        return Step.BEFORE_COUNTING
    attempted = yield from pick(thrower, Asking.KNOCK_OUT, (target,))
    if not attempted:
        return Step.BEFORE_COUNTING
    flipped = yield from _attempt(ledger, thrower, player, target)
    if not flipped:
        return Step.BEFORE_COUNTING
    leave(ledger, player, "knocked out")
    return Step.END


def _attempt(ledger: Ledger, thrower: int, player: int, target: int) -> Script[bool]:
    """Make the attempt and return whether the slammer flipped; restore the Arena (PP-10)."""
    wild = ledger.state.table.options.is_wild
    _move_all(ledger, ARENA, ASIDE, "set aside")
    _move_all(ledger, slammer(player), ARENA, "knock-out")
    if wild:
        # Let the defender put pucks from Power on the slammer, in any order (PP-51).
        state = ledger.state
        pucks = state.power(player)
        if not state.table.options.plain_shields:
            pucks = tuple(p for p in pucks if state.design(p).kind is not DesignKind.PLAIN)
        shields = yield from pick(player, Asking.SHIELDS, pucks, ordered=True)
        move(ledger, shields, power(player), ARENA, "shields")
    own = ledger.state.slammer(thrower)
    assert own is not None
    ledger.enter(AttackBegan(player=thrower, slammer=own, knock_out=True))
    yield from _throw(ledger)
    flipped = target in ledger.state.now.flipped
    if flipped:
        yield from window(ledger, Point.SLAMMER_FLIPPED, thrower)
    elif wild:
        for puck in ledger.state.now.flipped:
            pick_up(ledger, thrower, puck)
    ledger.enter(AttackEnded())
    if target in ledger.state.arena:
        move(ledger, (target,), ARENA, slammer(player), "knock-out")
    _move_all(ledger, ARENA, power(player), "shields back")
    _move_all(ledger, ASIDE, ARENA, "put back")
    return flipped


def before_counting(ledger: Ledger) -> Script[Step]:
    """Let rules act before the attacks are counted; a wild battle has no attacks (PP-24)."""
    yield from window(ledger, Point.BEFORE_COUNTING, ledger.state.player)
    return Step.DISCARD if ledger.state.table.options.is_wild else Step.COUNT


def count_attacks(ledger: Ledger) -> Script[Step]:
    """Step 3: count the current player's attacks, in the order of ruling PP-13.

    Begin with one. Add special rules that count, then weakness and resistance. After counting come
    the rules for that point and Paralyzed, and last everything that sets the number to one.
    """
    state, player = ledger.state, ledger.state.player
    set_attacks(ledger, 1, "turn")
    own, other = (state.slammer(seat) for seat in (player, state.next_player(player)))
    assert own is not None
    assert other is not None
    facing = state.design(other)
    matchup = Matchup(
        type=state.design(own).type, weakness=facing.weakness, resistance=facing.resistance
    )
    ledger.enter(MatchupSet(matchup=matchup))
    yield from window(ledger, Point.MATCHING, player)
    yield from window(ledger, Point.COUNTING, player)
    types = ledger.state.turn.matchup
    if types.type is not None and types.type is types.weakness:
        add_attacks(ledger, 1, "weakness")
    if types.type is not None and types.type is types.resistance:
        add_attacks(ledger, -1, "resistance")
    yield from window(ledger, Point.COUNTED, player)
    yield from window(ledger, Point.AFTER_COUNTING, player)
    for status in ledger.state.known_statuses(player):
        if status.attacks and UNREDUCED not in ledger.state.turn.flags:
            add_attacks(ledger, status.attacks, str(status))
    yield from window(ledger, Point.SETTING_COUNT, player)
    if ledger.state.has(player, Status.SLEEP):
        set_attacks(ledger, 1, str(Status.SLEEP))
        ledger.enter(Flagged(flag=ASLEEP))
    return Step.ATTACK


def make_attacks(ledger: Ledger) -> Script[Step]:
    """Step 4: make the current player's next attack, a granted one before those counted."""
    turn = ledger.state.turn
    if not turn.grants and turn.made >= turn.attacks:
        return Step.AFTER_ATTACKS
    grant = turn.grants[0] if turn.grants else None
    yield from attack(ledger, turn.player, grant)
    return Step.ATTACK


def attack(ledger: Ledger, player: int, grant: Grant | None = None) -> Script[Attack]:
    """Make an attack, and return it with its result.

    Sleep, and rules that react to a player's own attacks, act only on attacks of the current player
    (PP-47).

    Args:
        ledger: The ledger.
        player: The thrower.
        grant: The grant that allows the attack; None for one that was counted.
    """
    slammer = ledger.state.slammer(player)
    assert slammer is not None
    own = player == ledger.state.player
    ledger.enter(AttackBegan(player=player, slammer=slammer, grant=grant))
    if own:
        yield from window(ledger, Point.BEFORE_ATTACK, player)
    yield from _throw(ledger)
    if ledger.state.now.hit:
        if any(ledger.state.table.is_slammer(puck) for puck in ledger.state.now.flipped):
            yield from window(ledger, Point.SLAMMER_FLIPPED, player)
        if own:
            following = ledger.state.next_player(player)
            yield from window(ledger, Point.PREVIOUS_THREW, following)
            # Bar pick-ups in a turn that began in Sleep; the first flip ends Sleep (PP-14).
            if ASLEEP in ledger.state.turn.flags and ledger.state.now.flipped:
                ledger.enter(AttackBarred(why=str(Status.SLEEP)))
                lose(ledger, player, Status.SLEEP, "flipped a puck")
        yield from _pick_up(ledger, player)
        # Restack face down, nearest to the centre at the bottom (PP-18, PP-19); pucks that left
        # the arena go on top, in an order chosen by the thrower (PP-39).
        now, arena = ledger.state.now, ledger.state.arena
        inside = tuple(puck for puck in now.inside if puck in arena)
        out = tuple(puck for puck in now.out if puck in arena)
        out = yield from pick(player, Asking.RESTACK_OUT, out, least=len(out), ordered=True)
        ledger.enter(Arranged(place=ARENA, order=(*inside, *out), why="restack"))
    if own:
        yield from window(ledger, Point.AFTER_ATTACK, player)
    done = ledger.state.now
    ledger.enter(AttackEnded())
    return done


def _throw(ledger: Ledger) -> Script[None]:
    """Make the throw of the attack under way; at an empty Arena there is none (PP-41)."""
    now, targets, number = ledger.state.now, ledger.state.arena, ledger.state.throws + 1
    if not targets:
        ledger.enter(ThrowSkipped(player=now.player))
        return
    call = ThrowCall(
        number=number,
        player=now.player,
        slammer=now.slammer,
        targets=targets,
        knock_out=now.knock_out,
    )
    outcome = yield from throw(call)
    ledger.enter(Thrown(number=number, player=now.player, targets=targets, outcome=outcome))


def _pick_up(ledger: Ledger, player: int) -> Script[None]:
    """Pick up flipped pucks; the thrower chooses if not all may be picked up (PP-21)."""
    if not ledger.state.now.flipped:
        return
    yield from window(ledger, Point.COUNTING_PICK_UPS, player)
    now = ledger.state.now
    if now.barred:
        return
    allowed, count = pick_ups(ledger.state, now), pick_up_count(ledger.state)
    turn, first_picks = ledger.state.turn, ledger.state.table.options.first_picks
    if turn.number == 1 and first_picks is not None:
        count = min(count, max(first_picks - len(turn.picked), 0))
    pucks = yield from pick(player, Asking.PICK_UP, allowed, least=count, most=count)
    for puck in pucks:
        pick_up(ledger, player, puck)
    if pucks:
        yield from window(ledger, Point.PICKED_UP, player)


def after_attacks(ledger: Ledger) -> Script[Step]:
    """Let rules act after all attacks; a granted attack leads back to step 4."""
    player = ledger.state.player
    yield from window(ledger, Point.AFTER_ATTACKS, player)
    if ledger.state.turn.grants:
        return Step.ATTACK
    yield from window(ledger, Point.ATTACKS_OVER, player)
    # Ruling PP-15: nothing was picked up, so the Confused player pays for the next top-off.
    if ledger.state.has(player, Status.CONFUSED) and not ledger.state.turn.picked:
        ledger.enter(PayerSet(player=player))
    yield from window(ledger, Point.PREVIOUS_DONE, ledger.state.next_player(player))
    return Step.DISCARD


def discards(ledger: Ledger) -> Script[Step]:
    """Step 5: the current player may discard pucks from Power, slammers included (PP-55)."""
    player = ledger.state.player
    pucks = yield from pick(player, Asking.DISCARD, ledger.state.power(player))
    move(ledger, pucks, power(player), prize(player), "discard")
    return Step.END


def end_turn(ledger: Ledger) -> Script[Step]:
    """Step 6: the last player in the battle wins (PP-31); otherwise the next turn begins."""
    state = ledger.state
    turn, options = state.turn, state.table.options
    if turn.player in state.playing:
        yield from window(ledger, Point.TURN_OVER, turn.player)
    if len(state.playing) == 1:
        # Let the winner take the Arena, and then all stacks to the collection.
        player = state.playing[0]
        ledger.enter(Won(player=player))
        move(ledger, ledger.state.arena, ARENA, prize(player), "won")
        leave(ledger, player, "won")
        move_home(ledger, BOX, "won")
        return Step.OVER
    if turn.number >= options.max_turns * state.table.players:
        # Everybody takes their stacks; the Arena goes back to the collections (PP-23, PP-52).
        ledger.enter(Drawn(turns=turn.number))
        move_home(ledger, ARENA, "draw")
        for player in ledger.state.playing:
            leave(ledger, player, "draw")
        move_home(ledger, BOX, "draw")
        return Step.OVER
    following = ledger.state.next_player(turn.player)
    ledger.enter(TurnBegan(player=following, number=turn.number + 1))
    return Step.BEFORE_TOP_OFF


def leave(ledger: Ledger, player: int, why: str) -> None:
    """Let a player leave the battle.

    The player's stacks go to the player's collection, or, with an option, to the collections that
    the pucks came from (PP-22).
    """
    for place in (slammer(player), health(player), power(player), prize(player)):
        if ledger.state.table.options.keeps_pucks:
            _move_all(ledger, place, collection(player), why)
        else:
            move_home(ledger, place, why)
    ledger.enter(WentOut(player=player, why=why))


def move_home(ledger: Ledger, source: Place, why: str) -> None:
    """Move the pucks of a stack back to the collections they came from, or as decided (PP-60)."""
    pucks = ledger.state.stack(source)
    homes = [collection(ledger.state.table.pucks[puck].returns_to) for puck in pucks]
    for home in dict.fromkeys(homes):
        if home != source:
            mine = tuple(p for p, other in zip(pucks, homes, strict=True) if other == home)
            move(ledger, mine, source, home, why)


def _move_all(ledger: Ledger, source: Place, target: Place, why: str) -> None:
    """Move all pucks of a stack, in their order."""
    move(ledger, ledger.state.stack(source), source, target, why)


STEPS: Mapping[Step, Callable[[Ledger], Script[Step]]] = {
    Step.FILL_HEALTH: fill_health,
    Step.BUILD_ARENA: build_arena,
    Step.CHOOSE_SLAMMERS: choose_slammers,
    Step.FILL_PRIZE: fill_prize,
    Step.FIX_SIZES: fix_sizes,
    Step.BEFORE_TOP_OFF: before_top_off,
    Step.TOP_OFF: top_off,
    Step.AFTER_TOP_OFF: after_top_off,
    Step.KNOCK_OUT: knock_out,
    Step.BEFORE_COUNTING: before_counting,
    Step.COUNT: count_attacks,
    Step.ATTACK: make_attacks,
    Step.AFTER_ATTACKS: after_attacks,
    Step.DISCARD: discards,
    Step.END: end_turn,
}
"""The script of each step; there is none for `Step.OVER`."""

_BEGINNINGS = {step: StepBegan(step=step) for step in Step}
"""The event of each step, made once."""


def take_step(ledger: Ledger) -> Script[None]:
    """Perform the current step of a battle, and go on to the next one."""
    following = yield from STEPS[ledger.state.step](ledger)
    ledger.enter(_BEGINNINGS[following])
