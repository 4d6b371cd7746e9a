"""What the abilities of slammers do, and the kinds of slammers: tables of stacks and answers."""

import pytest

from physics import InputError
from sim.pokepucks.battle.events import StatusGained
from sim.pokepucks.battle.questions import Asking
from sim.pokepucks.battle.state import Status, Step
from sim.pokepucks.battle.table import Mode
from sim.pokepucks.special import SPECIAL_RULES
from sim.pokepucks.special.abilities import CURL_PENDING, DIG_PENDING, RECOIL_PENDING, SPIN_PENDING
from tests.pokepucksbattles import ASH, BROCK, MISTY, Battle, battle, outcome

CRITICAL, PARALYZED, POISONED, SLEEP = (
    Status.CRITICAL,
    Status.PARALYZED,
    Status.POISONED,
    Status.SLEEP,
)
NONE, TOP, TWO = "D D D D D D D D", "D D D D D D D U", "D D D D D D U U"
MISS = "miss 8"
OTHERS = {"statuses", "sizes", "options", "step", "effects", "player", "in_turn"}


def fight(slammers, setup):
    """Return a battle in which all special rules work."""
    names = slammers.split(", ")
    stacks = {key: value for key, value in setup.items() if key not in OTHERS}
    others = {key: value for key, value in setup.items() if key in OTHERS}
    return battle(stacks, slammers=names, players=len(names), rules=SPECIAL_RULES, **others)


def power(*names, **more):
    """Return a set-up with pucks in Ash's Power."""
    return {"Power 0": list(names), **more}


SEED = {"Prize 1": ["Berry"], "sizes": {"Health 1": 12}}
SWITCH = {"Power 1": ["Switch", "Mind"]}
ASLEEP, ILL = {"statuses": {ASH: [SLEEP]}}, {"statuses": {ASH: [CRITICAL]}}
CURLED = {"effects": {ASH: [CURL_PENDING]}}
TIRED = {"Health 0": 6, "Prize 0": 5, "sizes": {"Health 0": 10}}
KNOCK_OUT = {**ILL, "step": Step.KNOCK_OUT}
WILD = {
    "Arena": 0, "Health 0": 0, "Health 1": 0, "options": {"mode": Mode.WILD},
    "statuses": {player: [CRITICAL] for player in (ASH, BROCK)},
}  # fmt: skip
DISCARD, BROCKS_TURN = {"next": "pucks to discard 0"}, {"player": BROCK}

RULINGS = {
    "Leech Seed attacks after the previous player and heals instead of picking up": (
        "Grey, Bulbasaur", SEED,
        (TOP,), {"next": "special rule 1: Leech Seed"},
        ("Leech Seed",), {"next": "throw 1", "count Arena": 7},
        ("D D D D D U U",),
        {"Prize 1": (), "Health 1": (*range(20, 30), 0), "count Arena": 7},
    ),
    "Leech Seed heals nothing without a flip": (
        "Grey, Bulbasaur", SEED, (NONE, "Leech Seed", NONE), {"Prize 1": (0,)},
    ),
    "PP-47 Leech Seed waits for the very last attack": (
        "Scyther, Bulbasaur", SEED, (NONE,), {"next": "special rule 0: Cut"},
        ("Cut", NONE), {"next": "special rule 1: Leech Seed"},
    ),
    "PP-47 Leech Seed does nothing while Health is full": (
        "Grey, Bulbasaur", {"Prize 1": ["Berry"]}, (NONE,), BROCKS_TURN,
    ),
    "PP-47 Sleep is untouched by Leech Seed's attack": (
        "Grey, Bulbasaur", {**SEED, "statuses": {BROCK: [SLEEP]}}, (NONE, "Leech Seed", TOP),
        {"statuses 1": (SLEEP,), "Prize 1": ()},
    ),
    "PP-47 no Trainer reacts to Leech Seed's attack": (
        "Grey, Bulbasaur", power("Mr. Saia", **SEED), (NONE, "Leech Seed", TWO), DISCARD,
    ),
    "Rage attacks once more after a pick-up of the previous player and picks up one": (
        "Charmander, Grey", {"player": BROCK}, (TOP, "8", NONE, "Rage", TWO),
        {"next": "pucks to pick up 0: 5, 6."}, ("6",), {"Prize 0": (6,), **BROCKS_TURN},
    ),
    "Rage needs a pick-up of the previous player": ("Charmander, Grey", {}, (NONE,), BROCKS_TURN),
    "Defense Curl takes one off the previous player's next pick-up": (
        "Squirtle, Grey", {}, (NONE,), {"effects 1": (CURL_PENDING,)},
        (NONE, NONE), {"effects 1": (CURL_PENDING,)},  # PP-48: it waits
        (TWO,), {"next": "pucks to pick up 1: 6, 7.", "effects 1": ()}, ("6",), {"Prize 1": (6,)},
    ),
    "Defense Curl does nothing in a turn with a pick-up": (
        "Squirtle, Grey", {}, (TOP,), {"effects 1": ()},
    ),
    "PP-48 Defense Curl may take the only puck": (
        "Grey, Leaf", CURLED, (TOP,), {"Prize 0": (), "effects 0": ()},
    ),
    "PP-48 Defense Curl waits while nothing may be picked up": (
        "Grey, Leaf", {**CURLED, **ASLEEP}, (TOP,), {"effects 0": (CURL_PENDING,)},
    ),
    "of three players the previous one is curled at": (
        "Squirtle, Grey, Mind", {}, (NONE,), {"effects 1": (), "effects 2": (CURL_PENDING,)},
    ),
    "of three players the next one is spun at": (
        "Flareon, Bolt, Mind", {}, (TOP,), {"effects 1": (SPIN_PENDING,), "effects 2": ()},
    ),
    "of three players the next one is sung at": (
        "Jigglypuff, Mind, Grey", {}, ("Sing", TOP), {"statuses 1": (SLEEP,), "statuses 2": ()},
    ),
    "Wing Attack counts as what a grass slammer is weak to": (
        "Pidgeot, Leaf", {}, (), {"attacks": 2, "next": "throw 0"},
    ),
    "Wing Attack is nothing against others": ("Pidgeot, Bolt", {}, (), {"attacks": 1}),
    **{
        f"{ability} {about}": (
            f"{slammer}, Mind", {}, answers, {"Prize 0": prize, "statuses 1": (status,)[:given]},
        )
        for slammer, ability, status in (
            ("Pikachu", "Thunder Wave", PARALYZED),
            ("Jigglypuff", "Sing", SLEEP),
            ("Gastly", "Poison Cloud", POISONED),
        )
        for about, answers, prize, given in (
            ("gives a status instead of pucks", (ability, TOP), (), 1),
            ("gives nothing without a flip", (ability, NONE), (), 0),
            ("gives nothing undeclared", ("-", TOP), (7,), 0),
        )
    },
    "each attack is declared by itself": (
        "Pikachu, Bolt", {"step": Step.ATTACK, "in_turn": {"attacks": 2}}, ("Thunder Wave", TOP),
        {"next": "special rule 0: Thunder Wave"},
        ("-", TOP), {"count Prize 0": 1, "statuses 1": (PARALYZED,)},
    ),
    "Pay Day puts an Item on the Arena and picks up Items only": (
        "Meowth, Leaf", {"Arena": ["Mr. Smith"] * 7 + ["Potion"], "Prize 0": ["Berry"]},
        (TOP, "Pay Day"), {"Arena": (0, 1, 2, 3, 4, 5, 6, 8)}, (TWO,), {"Power 0": (7, 8)},
    ),
    "Pay Day needs an Item that was picked up": (
        "Meowth, Leaf", {"Arena": ["Mr. Smith"] * 8, "Prize 0": ["Berry"]}, (TOP,), DISCARD,
    ),
    "for Pay Day a plain puck is an Item": (
        "Meowth, Leaf", {"Prize 0": 1}, (TOP,), {"next": "special rule 0: Pay Day"},
    ),
    # He gives the Potion, puck 10, for the plain one.
    "Pay Day picks up an Item that Mr. Saia brought into the throw": (
        "Meowth, Leaf",
        {"Arena": ["Berry"] * 8, "Prize 0": 1, "Power 1": ["Mr. Saia"], "Health 1": ["Potion"]},
        (TOP, "-", "Pay Day", TOP, "Mr. Saia"), {"Power 0": (7, 10)},
    ),
    "PP-42 Pay Day may overfill the Arena": (
        "Meowth, Leaf", {"Arena": 8, "Prize 0": 3, "sizes": {"Arena": 7}}, (TOP, "Pay Day", "8"),
        {"next": "throw 0", "count Arena": 8, "size Arena": 7},
    ),
    "Cross Chop attacks once more after a pick-up": (
        "Machop, Leaf", {}, (TOP, "Cross Chop"), {"next": "throw 0", "count Arena": 7},
        ("D D D D D U U", "6"), {"count Prize 0": 2},
    ),
    "Cross Chop needs a pick-up": ("Machop, Leaf", {}, (NONE,), BROCKS_TURN),
    "Cut attacks once more, once only, and picks up one": (
        "Scyther, Bolt", {}, (NONE, "Cut", TWO, "7"), {"Prize 0": (7,), **BROCKS_TURN},
    ),
    "PP-45 an attack more does not grant itself again": (
        "Scyther, Bolt", {}, (NONE, "Cut", NONE), BROCKS_TURN,
    ),
    "PP-45 attacks more are allowed in Sleep": (
        "Scyther, Bolt", ASLEEP, (NONE, "Cut", TOP), {"statuses 0": (), "Prize 0": ()},
    ),
    "PP-14 after the flip that ends Sleep nothing is picked up in that turn": (
        "Scyther, Bolt", ASLEEP, (TOP,), {"statuses 0": ()},
        ("Cut", TOP), {"Prize 0": (), **BROCKS_TURN},
    ),
    "Dig makes it one attack now and one more the next time": (
        "Onix, Grey", {}, ("Dig",), {"attacks": 1, "effects 0": (DIG_PENDING,)},
        (NONE, NONE, "-"), {"attacks": 3, "effects 0": ()},
    ),
    "PP-13 Dig's one comes before what acts after counting": (
        "Onix, Leaf", power("Fighting Focus Energy"), ("Dig", "Focus Energy for two"),
        {"attacks": 3},
    ),
    "Surf puts two pucks of Prize on the Arena, which may be overfilled (PP-42)": (
        "Lapras, Leaf", {"Prize 0": ["Potion", "Berry", "Berry"]}, ("Surf", "2, 0"),
        {"Arena": (*range(3, 11), 2, 0), "next": "throw 0"},
    ),
    "PP-46 Surf works from Power, once per slammer, and after a failed top-off": (
        "Lapras, Leaf",
        power("Lapras", **{"Arena": 2, "Health 0": 0, "Prize 0": 3,
                           "sizes": {"Arena": 8, "Health 0": 5}}),
        (), {"statuses 0": (CRITICAL,), "next": "special rule 0: Surf 6, Surf 0."},
        ("Surf 0", "3"), {"next": "special rule 0: Surf 6."},
        ("Surf", "4, 5"), {"count Arena": 5, "statuses 0": (CRITICAL,)},
    ),
    "Genetically Unstable takes the type of the only Energy": (
        "Eevee, Leaf", power("Fire Energy", "Water Focus Energy"), (), {"attacks": 3},
    ),
    "Genetically Unstable takes no type of two": (
        "Eevee, Leaf", power("Fire Energy", "Water Energy"), (), {"attacks": 1},
    ),
    "Genetically Unstable takes no type of none": ("Eevee, Leaf", {}, (), {"attacks": 1}),
    "Ice Beam makes water weak to water": ("Vaporeon, Squirtle", {}, (), {"attacks": 2}),
    "Ice Beam is nothing against others": ("Vaporeon, Leaf", {}, (), {"attacks": 1}),
    # Charmander Alpha is weak to water and resists nothing; Ice Beam takes one of three.
    "Ice Beam makes fire resist water": (
        "Vaporeon, Charmander Alpha", power("Water Energy"), (), {"attacks": 2},
    ),
    "Swift attacks again after an attack without a pick-up, a miss (PP-40), too": (
        "Jolteon, Leaf", {"step": Step.ATTACK, "in_turn": {"attacks": 2}},
        (NONE, "Swift", NONE, MISS, "Swift", TWO, "7"), {"Prize 0": (7,), **BROCKS_TURN},
    ),
    "Swift gives nothing after a pick-up": ("Jolteon, Leaf", {}, (TOP,), BROCKS_TURN),
    "Fire Spin holds the next player's slammer until the owner's next turn": (
        "Flareon, Bolt", SWITCH, (TOP, "21"), {"effects 1": (SPIN_PENDING,), "next": "throw 1"},
        (NONE, "-"), {"effects 1": ()}, (NONE,), {"next": "special rule 1: Switch 0."},
    ),
    "Fire Spin needs a flip": (
        "Flareon, Bolt", SWITCH, (NONE,), {"next": "special rule 1: Switch 0."},
    ),
    "Hyper Beam adds two attacks and the next count is one": (
        "Aerodactyl, Grey", {}, ("Hyper Beam",), {"attacks": 4, "effects 0": (RECOIL_PENDING,)},
        (NONE, NONE, NONE, NONE, NONE, "-"), {"attacks": 1, "effects 0": ()},
    ),
    "PP-59 Hyper Beam in its recoil adds nothing and recoils again": (
        "Aerodactyl, Grey", {"effects": {ASH: [RECOIL_PENDING]}}, ("Hyper Beam",),
        {"attacks": 1, "effects 0": (RECOIL_PENDING,)},
        (NONE, NONE, "-"), {"attacks": 1, "effects 0": ()},
    ),
    "PP-13 recoil comes last": (
        "Aerodactyl, Grey", power("Fighting Focus Energy", effects={ASH: [RECOIL_PENDING]}),
        ("Focus Energy for two", "-"), {"attacks": 1},
    ),
    "PP-48 pending effects belong to the player when slammers switch": (
        "Onix, Grey", power("Switch", "Bolt", effects={ASH: [DIG_PENDING]}), ("Switch",),
        {"attacks": 2},
    ),
    "Rest falls asleep and refills Health": (
        "Snorlax, Leaf", TIRED, ("Rest",), {"next": "choice of a special rule 0: 6, 7, 8, 9, 10."},
        ("6, 7, 8, 9",), {"statuses 0": (SLEEP,), "count Health 0": 10, "attacks": 1},
    ),
    "PP-49 Rest is impossible while Critical": (
        "Snorlax, Leaf", {**TIRED, **ILL}, (), {"next": "throw 0"},
    ),
    "PP-49 Rest is impossible while asleep": (
        "Snorlax, Leaf", {**TIRED, **ASLEEP}, (), {"next": "throw 0"},
    ),
    "PP-49 Poké Flute acts before Rest and not after it": (
        "Snorlax, Leaf", power("Poké Flute", **ASLEEP), (),
        {"next": "special rule 0: Poké Flute 0."},
        ("Poké Flute",), {"next": "special rule 0: Rest"},
        ("Rest",), {"next": "throw 0", "statuses 0": (SLEEP,)},
    ),
    "PP-49 a Poké Flute that was not played before Rest is not played after it": (
        "Snorlax, Leaf", power("Poké Flute"), ("Rest",),
        {"next": "throw 0", "statuses 0": (SLEEP,)},
    ),
    "PP-49 Rest is impossible in a wild battle, where everyone is Critical": (
        "Snorlax, Leaf", {**WILD, "Prize 0": 2}, (), {"next": "knock-out 1"},
    ),
    "MissingNo. attacks once whatever was counted": (
        "MissingNo., Grey", {"effects": {ASH: [DIG_PENDING]}}, (), {"attacks": 1},
    ),
    "PP-34 a ball is a MissingNo., too": (
        "Heavy Ball, Grey", {"effects": {ASH: [DIG_PENDING]}}, (), {"attacks": 1},
    ),
    "PP-34 a ball catches on an ordinary knock-out": (
        "Grey, Poké Ball", KNOCK_OUT, ("18", "U"), {"next": "special rule 1: Pokéball"},
        ("Pokéball",), {"slammer 0": (), "winner": BROCK, "holds 18": "collection 1"},
    ),
    "PP-34 balls may be made to catch in wild battles only": (
        "Grey, Poké Ball", {**KNOCK_OUT, "options": {"balls_catch": "wild"}}, ("18", "U"),
        {"winner": BROCK, "holds 18": "collection 0"},
    ),
    "PP-25 a slammer caught in a wild battle goes straight to the collection": (
        "Grey, Leaf, Ultra Ball",
        {**WILD, **power("Potion"), "Health 2": 0, "step": Step.KNOCK_OUT,
         "statuses": {player: [CRITICAL] for player in (ASH, BROCK, MISTY)}},
        ("1", "-", "U", "Pokéball"),
        {"collection 2": (1,), "collection 0": (0,), "playing": (BROCK, MISTY)},
    ),
    "a ball catches a slammer that it flips in the Arena": (
        "Great Ball, Leaf", {"Arena": ["Potion"] * 6 + ["Bolt", "Mind"]}, (TWO, "Pokéball"),
        {"next": "choice of a special rule 0: 6, 7."},
        ("6",), {"collection 0": (6,), "Power 0": (7,)},
    ),
    "PP-22 in a training battle a caught slammer is not kept": (
        "Leaf, Great Ball",
        {"Arena": ["Potion"] * 7 + ["Bolt"], "player": BROCK, "options": {"mode": Mode.TRAINING}},
        (TOP, "Pokéball"), {"collection 0": (7,)},
    ),
    "a ball catches Pokémon slammers only": (
        "Great Ball, Leaf", {"Arena": ["Potion"] * 6 + ["Poké Ball", "MissingNo."]}, (TWO,),
        {"Power 0": (6, 7)},
    ),
    "PP-26 special rules of slammers may be left out": (
        "Pidgeot, Leaf", {"options": {"puckdex": False}}, (), {"attacks": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=list(RULINGS))
def test_rulings_on_abilities(ruling):
    slammers, setup, *steps = ruling
    ash = fight(slammers, setup)
    for answers, wanted in zip(steps[::2], steps[1::2], strict=True):
        ash.do(*answers)
        assert outcome(ash, wanted) == wanted


def test_pp_7_a_critical_slammer_gains_no_declared_status_and_still_nothing_is_picked_up():
    turn = {"step": Step.ATTACK, "in_turn": {"attacks": 1}}
    ash = fight("Jigglypuff, Mind", {"statuses": {BROCK: [CRITICAL]}, **turn})
    happened = ash.do("Sing", TOP)
    assert not any(isinstance(event, StatusGained) for event in happened)
    assert ash.state.prize(ASH) == ()


def test_pp_34_a_ball_has_no_types():
    assert fight("Heavy Ball, Grey", {}).state.turn.matchup.type is None


def test_pp_45_the_owner_decides_which_attack_more_comes_first():
    ash = fight("Scyther, Bolt", power("Mr. Merkert"))
    ash.do(NONE)
    assert ash.asked(Asking.USE, ASH) == ["Mr. Merkert 0", f"Cut {ash.state.slammer(ASH)}"]
    with pytest.raises(InputError, match="0 chosen; choose 1"):
        ash.do("-")  # Mr. Merkert must act, sooner or later
    first = ash.moment()
    ash.do("Cut", TOP)
    ash.asked(Asking.DISCARD, ASH)  # something was picked up: nothing for Mr. Merkert
    other = Battle(first.base, first.answers)
    other.do("Mr. Merkert", TOP)
    assert other.asked(Asking.USE, ASH)[0].startswith("Cut")
