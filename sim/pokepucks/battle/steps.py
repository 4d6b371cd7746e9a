"""The steps of set-up and turn, each a script that returns the step after it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sim.pokepucks.battle.attacking import make_attacks
from sim.pokepucks.battle.counting import count_attacks
from sim.pokepucks.battle.ending import after_attacks, discards, end_turn
from sim.pokepucks.battle.events import StepBegan
from sim.pokepucks.battle.knockout import knock_out
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.rule import Point
from sim.pokepucks.battle.script import Script
from sim.pokepucks.battle.setup import (
    build_arena,
    choose_slammers,
    fill_health,
    fill_prize,
    fix_sizes,
)
from sim.pokepucks.battle.state import Step
from sim.pokepucks.battle.topoff import top_off
from sim.pokepucks.battle.windows import window


def before_top_off(ledger: Ledger) -> Script[Step]:
    """Rules that act before topping off; there is no top-off in a wild battle (PP-24)."""
    yield from window(ledger, Point.BEFORE_TOP_OFF, ledger.state.player)
    return Step.KNOCK_OUT if ledger.state.table.options.is_wild else Step.TOP_OFF


def after_top_off(ledger: Ledger) -> Script[Step]:
    """Rules that act after topping off."""
    yield from window(ledger, Point.AFTER_TOP_OFF, ledger.state.player)
    return Step.KNOCK_OUT


def before_counting(ledger: Ledger) -> Script[Step]:
    """Rules that act before attacks are counted; there are none in a wild battle (PP-24)."""
    yield from window(ledger, Point.BEFORE_COUNTING, ledger.state.player)
    return Step.DISCARD if ledger.state.table.options.is_wild else Step.COUNT


STEPS: Mapping[Step, Callable[[Ledger], Script[Step]]] = MappingProxyType(
    {
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
)
"""What each step does; nothing follows `Step.OVER`."""

_BEGINNINGS = {step: StepBegan(step=step) for step in Step}
"""Events that are all alike, made once: there are many of them."""


def take_step(ledger: Ledger) -> Script[None]:
    """Do the step that a battle is at, and go on to the next."""
    following = yield from STEPS[ledger.state.step](ledger)
    ledger.enter(_BEGINNINGS[following])
