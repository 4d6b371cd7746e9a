"""Topping off, and the statuses that meet there, ruling by ruling.

Plain pucks are numbered from the Arena's floor up, then those of Ash's Health.
"""

import pytest

from sim.pokepucks.battle.events import PayerSet
from sim.pokepucks.battle.state import ARENA, Status, health, power, prize
from sim.pokepucks.battle.turn import topped_off_size
from tests.pokepucksbattles import ASH, BROCK, MISTY, battle, check_ruling

CRITICAL, SLEEP, POISONED, CONFUSED = (
    Status.CRITICAL,
    Status.SLEEP,
    Status.POISONED,
    Status.CONFUSED,
)
ILL, BOTH = {ASH: [CRITICAL]}, {ASH: [CRITICAL], BROCK: [CRITICAL]}
MANY = {ASH: [SLEEP, POISONED]}


def fight(arena, ash=10, brock=10, *, size=8, **others):
    """Return a battle before Ash's top-off, with so many pucks in the Arena and in Health."""
    stacks = {"Arena": arena, "Health 0": ash, "Health 1": brock, **others.pop("stacks", {})}
    return battle(stacks, sizes={"Arena": size}, **others)


def setup(*counts, **others):
    return counts, others


RULINGS = {
    "PP-5 who cannot top off becomes Critical at once": (
        setup(5, 2), ("5, 6",),
        {"count Arena": 7, "Health 0": (), "statuses 0": (CRITICAL,), "next": "knock-out 1"},
    ),
    "PP-5 the last puck of Health alone is no failure": (
        setup(6, 2), ("6, 7",), {"count Arena": 8, "Health 0": (), "statuses 0": ()},
    ),
    "PP-6 a top-off in which a puck was moved ends Critical": (
        setup(7, statuses=ILL), ("7",), {"statuses 0": ()},
    ),
    "PP-6 an Arena at its normal size ends Critical": (
        setup(8, 0, statuses=ILL), (), {"statuses 0": ()},
    ),
    "PP-6 a halved Arena that needs nothing does not end Critical": (
        setup(4, statuses=BOTH), (), {"statuses 0": (CRITICAL,)},
    ),
    "PP-6 a top-off that fails does not end Critical": (
        setup(3, 1, statuses=ILL), (), {"statuses 0": (CRITICAL,)},
    ),
    "PP-6 by an option any top-off ends Critical": (
        setup(4, statuses=BOTH, options={"critical_ends": "topped-off"}), (), {"statuses 0": ()},
    ),
    "PP-6 by an option nothing ends Critical": (
        setup(7, statuses=ILL, options={"critical_ends": "never"}), ("7",),
        {"statuses 0": (CRITICAL,)},
    ),
    "PP-7 becoming Critical takes the other statuses away": (
        setup(7, 0, statuses=MANY), (), {"statuses 0": (CRITICAL,)},
    ),
    "PP-7 other statuses may stay by an option": (
        setup(7, 0, statuses=MANY, options={"critical_clears": False}), (),
        {"statuses 0": (SLEEP, POISONED, CRITICAL)},
    ),
    "PP-8 an Arena that holds more than half keeps what it holds": (
        setup(6, statuses={BROCK: [CRITICAL]}), (), {"count Arena": 6, "next": "throw 0"},
    ),
    "PP-9 a top-off that needs nothing succeeds": (
        setup(8, 0), (), {"Arena": tuple(range(8)), "statuses 0": (), "next": "throw 0"},
    ),
    # Brock's Critical halves the Arena in the turn of Ash, so that Brock's top-off needs two.
    "PP-15 who was Confused and picked up nothing pays the next top-off": (
        setup(6, statuses={ASH: [CONFUSED], BROCK: [CRITICAL]}), ("miss 6",),
        {"player": BROCK, "next": "puck to top off with 0: 6, 7, 8"},
        ("6, 7",), {"count Health 0": 8, "count Health 1": 10, "Arena": (7, 6, 0, 1, 2, 3, 4, 5)},
    ),
    "PP-15 a Confused payer who fails becomes Critical, not the current player": (
        setup(6, 1, players=3, payer=ASH, player=BROCK), (),
        {"Health 0": (), "count Health 1": 10, "statuses 0": (CRITICAL,), "statuses 1": (),
         "next": "throw 1"},
    ),
    "PP-15 who picks something up does not pay": (
        setup(7, 5, statuses={ASH: [CONFUSED]}), ("8", "U" + " D" * 7),
        {"player": BROCK, "payer": None},
    ),
    "PP-15 who is not Confused does not pay": (
        setup(7, 5), ("8", "D" + " D" * 7), {"player": BROCK, "payer": None},
    ),
    "PP-15 Confused stays, and a miss is no pick-up": (
        setup(7, 5, statuses={ASH: [CONFUSED]}), ("8", "miss 8"),
        {"player": BROCK, "statuses 0": (CONFUSED,)},
    ),
    "PP-16 a Poisoned player tops off to one more": (
        setup(8, statuses={ASH: [POISONED]}), ("8",),
        {"count Arena": 9, "statuses 0": (POISONED,)},
    ),
    "PP-35 only the payer's own poison counts": (
        setup(8, players=3, payer=BROCK, statuses={ASH: [POISONED]}), (),
        {"count Arena": 8, "next": "throw 0"},
    ),
    "PP-35 the payer's poison counts in another's turn": (
        setup(8, players=3, payer=MISTY, statuses={MISTY: [POISONED]}), (),
        {"next": "puck to top off with 2: 30, 31"},
        ("30",), {"count Arena": 9},
    ),
    # Ash topped nothing off, and stays Critical.
    "PP-36 the real current player takes the turn whoever pays": (
        setup(6, payer=BROCK, statuses={ASH: [CRITICAL], BROCK: [CONFUSED]}), ("16, 17",),
        {"count Health 1": 8, "statuses 0": (CRITICAL,), "next": "knock-out 1: 26."},
    ),
    "PP-36 a payer turned Critical is Confused no more": (
        setup(6, 10, 1, payer=BROCK, statuses={BROCK: [CONFUSED]}), (),
        {"statuses 1": (CRITICAL,), "payer": None},
    ),
    "PP-36 who is out pays nothing": (
        setup(7, players=3, payer=MISTY, playing=(ASH, BROCK),
              stacks={"Health 2": 0, "slammer 2": 0}),
        (), {"next": "puck to top off with 0: 7, 8"},
    ),
    "PP-37 the owner picks what goes under, one below the last": (
        setup(6, 4), (), {"next": "puck to top off with 0: 6, 7, 8, 9."},
        ("9, 7",), {"Arena": (7, 9, 0, 1, 2, 3, 4, 5), "Health 0": (6, 8)},
    ),
    "PP-37 of a face-down Health the top puck goes": (
        setup(6, 4, options={"health_face": "down"}), (), {"Arena": (8, 9, 0, 1, 2, 3, 4, 5)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=list(RULINGS))
def test_rulings_on_topping_off(ruling):
    (counts, others), *steps = ruling
    check_ruling(fight(*counts, **others), *steps)


@pytest.mark.parametrize(("size", "half"), [(8, 4), (9, 4), (2, 1), (1, 1)])
def test_pp_8_after_a_critical_player_the_arena_is_filled_to_half_rounded_down(size, half):
    # PP-35: half for Critical comes before one more for Poisoned.
    for own, filled in ([], half), ([POISONED], half + 1):
        ash = fight(0, size=size, statuses={ASH: own, BROCK: [CRITICAL]})
        assert topped_off_size(ash.state) == filled
        ash.do(", ".join(map(str, range(filled))))
        assert len(ash.state.arena) == filled


def test_pp_15_who_flips_and_may_pick_nothing_up_pays():
    ash = fight(7, 5, statuses={ASH: [CONFUSED, SLEEP]})
    assert PayerSet(player=ASH) in ash.do("8", "U D D D D D D D")


def test_pp_38_arena_pucks_are_face_down_and_what_a_player_owns_is_face_up():
    state = battle().state
    assert not state.is_face_up(ARENA)
    assert all(state.is_face_up(place(ASH)) for place in (health, power, prize))
    down = fight(6, 4, options={"health_face": "down"})
    assert not down.state.is_face_up(health(ASH))
