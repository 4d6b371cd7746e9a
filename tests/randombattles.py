"""Battles with random options, pucks and rule files."""

from pucklab.base.tables import csv_text
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup, Mode, Puck
from pucklab.sim.pokepucks.battle.rule_book import Point
from pucklab.sim.pokepucks.design_file import designs_from_csv, shipped_catalogue, with_designs
from pucklab.sim.pokepucks.special.verbs import BETWEEN_ATTACKS, VERBS
from tests.pokepucksbattles import NAMES, own_rules

RULE_KINDS = {"ability": "pokemon", "support": "pokemon", "item": "item", "trainer": "trainer"}
GENERAL_VERBS = (
    "give status", "remove status", "change attacks", "set attacks", "grant attack",
    "limit pick-up", "move pucks", "discard",
)  # fmt: skip
"""Verbs that go with many points of a turn."""

RULE_POINTS = [point for point in Point if point in VERBS["move pucks"].points]
GENERAL_CONDITIONS = (
    "something flipped", "nothing flipped", "something picked up", "nothing picked up", "missed",
    "an Item in Prize", "previous picked something up", "not Sleep", "Health at most 3 or missed",
)  # fmt: skip
STACKS = ("Health", "Power", "Prize", "Arena")
STATUSES = ("Critical", "Paralyzed", "Sleep", "Poisoned", "Confused")


def one(rng, values):
    """Return one of some values."""
    found = list(values)
    return found[int(rng.integers(len(found)))]


def random_deed(rng, point):
    """Return a verb that goes with a point."""
    verb = one(rng, [verb for verb in GENERAL_VERBS if point in VERBS[verb].points])
    deed = {"verb": verb}
    keys = VERBS[verb].keys
    if "player" in keys:
        deed["player"] = one(rng, ("owner", "next", "previous"))
    if "status" in keys:
        deed["status"] = one(rng, STATUSES)
    if verb == "change attacks":
        deed["by"] = int(rng.integers(-3, 4))
    if verb == "set attacks":
        deed["to"] = int(rng.integers(1, 5))
    if verb == "move pucks":
        stacks = STACKS if point in BETWEEN_ATTACKS else STACKS[:3]
        deed["from"], deed["to"] = (stacks[i] for i in rng.permutation(len(stacks))[:2])
    if "most" in keys:
        deed["most"] = int(rng.integers(1, 4))
    return deed


def random_catalogue(rng):
    """Return the shipped designs, and some with random rules of their own."""
    rules, designs = [], []
    for number in range(int(rng.integers(0, 6))):
        kind, point = one(rng, RULE_KINDS), one(rng, RULE_POINTS)
        conditions = [one(rng, GENERAL_CONDITIONS)] if rng.random() < 0.3 else []
        deeds = [random_deed(rng, point) for _ in range(int(rng.integers(1, 3)))]
        rules.append(
            {
                "name": f"Rule X{number}", "kind": kind, "when": str(point), "if": conditions,
                "does": deeds, "optional": bool(rng.random() < 0.6),
            }
        )  # fmt: skip
        design = {
            "name": f"Own {number}", "kind": RULE_KINDS[kind], "rule": f"Rule X{number}",
        }  # fmt: skip
        if RULE_KINDS[kind] == "pokemon":
            design |= {"type": "fire", "weakness": "water", "mass_g": 8}
        designs.append(design)
    own = own_rules(rules)
    names = ["name", "kind", "rule", "type", "weakness", "mass_g"]
    found = designs_from_csv("own.csv", csv_text(names, designs)) if designs else ()
    return with_designs(shipped_catalogue(), found, own)


def random_options(rng, players):
    """Return options, each of which may differ from the default."""

    def maybe(default, *others):
        return one(rng, others) if rng.random() < 0.3 else default

    return BattleOptions(
        mode=one(rng, Mode),
        buy_in=maybe(None, 8, 12, 16, tuple(rng.integers(8, 17, size=players).tolist())),
        health_cap=maybe(10, 2, 6, 16),
        critical_ends=maybe("paid", "topped-off", "never"),
        critical_clears=maybe(True, False),
        keeps=maybe(None, True, False),
        max_turns=int(rng.integers(1, 13)),
        slammers_picked_to=maybe("power", "prize"),
        puckdex=maybe(True, False),
        puckmart=maybe(True, False),
        balls_catch=maybe("always", "wild"),
        health_face=maybe("up", "down"),
        full_heal_discards=maybe(False, True),
        switch_from=maybe("power", "collection"),
        plain_shields=maybe(True, False),
        focus_any_type=maybe(False, True),
        first_turn_ko=maybe(True, False),
        first=maybe("", "random", "throw", NAMES[int(rng.integers(players))]),
    )


def random_table(rng):
    """Return a set-up of two to five players with any options, pucks and own rules."""
    players = int(rng.integers(2, 6))
    options, catalogue = random_options(rng, players), random_catalogue(rng)
    boxed = options.mode is Mode.TRAINING
    others = [design for design in catalogue.designs if not design.kind.is_slammer]
    own = [design for design in catalogue.designs if design.name.startswith("Own ")]
    pucks = []
    for player in range(players):
        owner = None if boxed else player
        home = int(rng.integers(players)) if boxed and rng.random() < 0.5 else None
        brought = [one(rng, others) for _ in range(int(rng.integers(16, 20)))]
        pucks += [Puck(design=design, owner=owner, home=home) for design in brought]
        for design in (*own, *(one(rng, catalogue.slammers) for _ in range(3))):
            slams = design.kind.is_slammer
            pucks.append(Puck(design=design, owner=player if slams else owner))
    return BattleSetup(
        pucks=tuple(pucks),
        names=NAMES[:players],
        options=options,
        rules=catalogue.rules_of(puck.design for puck in pucks),
    )
