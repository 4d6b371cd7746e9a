"""Set-up: the state before it, and its steps up to the first turn.

Begin with `new_battle`; the steps follow in the order of the rulebook. Like those of a turn, each
returns the step after it.
"""

from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup, Mode, Pucks
from pucklab.sim.pokepucks.battle.events import SizeSet, TurnBegan
from pucklab.sim.pokepucks.battle.handling import gain, move
from pucklab.sim.pokepucks.battle.questions import Asking, Script, pick
from pucklab.sim.pokepucks.battle.rule_book import Ledger
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    BOX,
    BattleState,
    Place,
    StackKind,
    Status,
    Step,
    collection,
    health,
    places,
    power,
    prize,
    slammer,
)
from pucklab.sim.pokepucks.designs import DesignKind

ARENA_PUCKS = 8
"""Fewest pucks in the Arena after set-up (PP-2)."""

TEAM = 2
"""Most slammers that a player may put into Power."""

WILD_POWER = 5
"""Most pucks that a player may put into Power in a wild battle."""


def new_battle(table: BattleSetup) -> BattleState:
    """Return the state before set-up: every puck is in the collection it comes from.

    Raises:
        InputError: A player has too few pucks, or no slammer; who begins is not decided; or the
            pucks of a training battle are not all of one collection.
    """
    assert table.turn_order  # raises if it is not decided
    homes: dict[Place, list[int]] = {}
    for number, puck in enumerate(table.pucks):
        homes.setdefault(collection(puck.owner), []).append(number)
    stacks = tuple(tuple(homes.get(place, ())) for place in places(table.players))
    sizes = tuple(1 if p.kind is StackKind.SLAMMER else None for p in places(table.players))
    state = BattleState(
        table=table,
        stacks=stacks,
        max_sizes=sizes,
        statuses=((),) * table.players,
        effects=((),) * table.players,
        playing=tuple(range(table.players)),
        turns=(None,) * table.players,
        step=Step.CHOOSE_SLAMMERS if table.options.is_wild else Step.FILL_HEALTH,
    )
    if table.options.mode is Mode.TRAINING:
        for number, puck in enumerate(table.pucks):
            if puck.owner is not None and not table.is_slammer(number):
                raise InputError(
                    f"pucks: {puck.name} is of the collection of {table.names[puck.owner]}; in a "
                    "training battle all pucks but slammers come from the box (PP-60)"
                )
    boxed = _in(state, BOX, slammers=False)
    for player, name in enumerate(table.names):
        wanted = 0 if table.options.is_wild else table.options.buy_in_of(player, table.players)
        have = len(boxed) if boxed else len(_pucks_of(state, player))
        asked = wanted * table.players if boxed else wanted
        if have < asked:
            whose = "the collection" if boxed else f"the collection of {name}"
            raise InputError(
                f"pucks: {whose} has {have} that are no slammers; give at least {asked}"
            )
        if not _slammers_of(state, player):
            raise InputError(f"slammer: the collection of {name} has none; give at least one")
    if table.players > sum(table.is_slammer(puck) for puck in range(len(table.pucks))):
        raise InputError("slammer: there are fewer than players; give each at least one")
    return state


def fill_health(ledger: Ledger) -> Script[Step]:
    """Let each player move pucks from the collection to Health (PP-1)."""
    state = ledger.state
    for player in state.table.turn_order:
        count = state.table.options.buy_in_of(player, state.table.players)
        options = _pucks_of(ledger.state, player)
        chosen = yield from pick(player, Asking.HEALTH, options, least=count, most=count)
        _take(ledger, chosen, health(player), "Health")
    return Step.BUILD_ARENA


def build_arena(ledger: Ledger) -> Script[Step]:
    """Fill the Arena in whole rounds of one puck from each player (PP-2)."""
    while len(ledger.state.arena) < ARENA_PUCKS:
        for player in ledger.state.table.turn_order:
            chosen = yield from pick(
                player, Asking.BUILD_ARENA, ledger.state.health(player), least=1, most=1
            )
            move(ledger, chosen, health(player), ARENA, "set-up")
    return Step.CHOOSE_SLAMMERS


def choose_slammers(ledger: Ledger) -> Script[Step]:
    """Let each player choose a slammer, and more for Power; in a wild battle a Pokéball (PP-25)."""
    wild = ledger.state.table.options.is_wild
    for player in ledger.state.table.turn_order:
        options = _slammers_of(ledger.state, player)
        chosen = yield from pick(player, Asking.SLAMMER, options, least=1, most=1)
        _take(ledger, chosen, slammer(player), "slammer")
        # Enough slammers must be left for the others.
        order = ledger.state.table.turn_order
        following = order[order.index(player) + 1 :]
        needed = sum(not _in(ledger.state, collection(other)) for other in following)
        rest = _in(ledger.state, collection(player)) + _in(ledger.state, BOX)[needed:]
        if wild:
            balls = (p for p in rest if ledger.state.design(p).kind is DesignKind.BALL)
            rest = tuple(balls)
        team = yield from pick(player, Asking.TEAM, rest, most=1 if wild else TEAM)
        _take(ledger, team, power(player), "team")
    return Step.FILL_PRIZE


def fill_prize(ledger: Ledger) -> Script[Step]:
    """Move pucks beyond the cap from Health to Prize (PP-3); in a wild battle, some to Power."""
    options = ledger.state.table.options
    for player in ledger.state.table.turn_order:
        if options.is_wild:
            there = _pucks_of(ledger.state, player)
            chosen = yield from pick(player, Asking.BUILD_POWER, there, most=WILD_POWER)
            _take(ledger, chosen, power(player), "Power")
            continue
        there = ledger.state.health(player)
        more = max(len(there) - options.health_cap, 0)
        chosen = yield from pick(player, Asking.BUILD_PRIZE, there, least=more, most=more)
        move(ledger, chosen, health(player), prize(player), "set-up")
    return Step.FIX_SIZES


def fix_sizes(ledger: Ledger) -> Script[Step]:
    """Fix the max sizes of the Arena and of every Health (PP-4), and begin the first turn.

    In a wild battle every slammer becomes Critical (PP-24).
    """
    state = ledger.state
    ledger.enter(SizeSet(place=ARENA, size=len(state.arena)))
    for player in state.playing:
        ledger.enter(SizeSet(place=health(player), size=len(state.health(player))))
    if state.table.options.is_wild:
        for player in state.playing:
            gain(ledger, player, Status.CRITICAL, "wild battle")
    ledger.enter(TurnBegan(player=state.table.turn_order[0], number=1))
    yield from ()  # makes this a script, although nobody is asked
    return Step.BEFORE_TOP_OFF


def _pucks_of(state: BattleState, player: int) -> Pucks:
    """Return the pucks that a player may move to Health: the shared ones, if any."""
    return _in(state, BOX, slammers=False) or _in(state, collection(player), slammers=False)


def _slammers_of(state: BattleState, player: int) -> Pucks:
    """Return the slammers that a player may choose, own and shared."""
    return _in(state, collection(player)) + _in(state, BOX)


def _in(state: BattleState, place: Place, *, slammers: bool = True) -> Pucks:
    """Return the slammers in a stack, or the other pucks."""
    return tuple(p for p in state.stack(place) if state.table.is_slammer(p) is slammers)


def _take(ledger: Ledger, pucks: Pucks, target: Place, why: str) -> None:
    """Move pucks from their collections to a stack."""
    for source in dict.fromkeys(ledger.state.place_of(puck) for puck in pucks):
        here = tuple(puck for puck in pucks if puck in ledger.state.stack(source))
        move(ledger, here, source, target, why)
