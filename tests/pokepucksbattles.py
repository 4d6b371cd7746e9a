"""Battles for tests of PokéPucks: players Ash, Brock, Misty and Gary, in their turns.

Their slammers have types that do not meet each other's, and no abilities.
"""

import json

import numpy as np

from pucklab.base.decoding import decode
from pucklab.physics import Face, InputError
from pucklab.sim.core.game import Match
from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.core.records import game_record_from, record_json, record_of, replay
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup, Mode, Puck
from pucklab.sim.pokepucks.battle.handling import gain
from pucklab.sim.pokepucks.battle.live import LiveBattle
from pucklab.sim.pokepucks.battle.match import BATTLE, play_battle
from pucklab.sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from pucklab.sim.pokepucks.battle.questions import Asking, Question, ThrowCall, Use
from pucklab.sim.pokepucks.battle.record import option_text, parse_answer, parse_place, place_text
from pucklab.sim.pokepucks.battle.rule_book import Point, Rule, RuleBook, Source
from pucklab.sim.pokepucks.battle.sensible import only_sensible
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    BOX,
    BattleState,
    StackKind,
    Status,
    Step,
    Turn,
    health,
    places,
)
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import Design, DesignKind, EnergyType, RuleTable
from pucklab.sim.pokepucks.special import check_rules
from pucklab.sim.pokepucks.throws import Landing, Outcome, missed, parse_outcome

NAMES = ("Ash", "Brock", "Misty", "Gary", "Jessie", "James", "Oak", "Joy", "Erika")
ASH, BROCK, MISTY, GARY = range(4)


def slammer(name, kind, weakness, mass_g=8.0):
    """Return a Pokémon slammer without ability or resistance."""
    return Design(name=name, kind=DesignKind.POKEMON, type=kind, weakness=weakness, mass_g=mass_g)


SLAMMERS = {
    design.name: design
    for design in (
        slammer("Leaf", EnergyType.GRASS, EnergyType.FIRE),
        slammer("Grey", EnergyType.NORMAL, EnergyType.FIGHTING),
        slammer("Bolt", EnergyType.ELECTRIC, EnergyType.WATER),
        slammer("Mind", EnergyType.PSYCHIC, EnergyType.FIRE),
    )
}


def _confuse(ledger, player, use):
    gain(ledger, ledger.state.next_player(player), Status.CONFUSED, use.rule)


CONFUSE_RAY = Rule(
    name="Confuse Ray",
    kind=Source.ABILITY,
    when=Point.AFTER_COUNTING,
    does=(),
    effect=_confuse,
)
"""A rule of these tests: nothing in the lists makes a slammer Confused."""

CONFUSER = Design(
    name="Zubat",
    kind=DesignKind.POKEMON,
    rule=CONFUSE_RAY.name,
    type=EnergyType.GRASS,
    weakness=EnergyType.ELECTRIC,
    mass_g=4.0,
)


def own_rules(entries):
    """Return special rules as a file with these tables has them."""
    rules = decode(tuple[RuleTable, ...], entries, "rules")
    check_rules("rules", rules)
    return rules


def design(name):
    """Return a design: one of the slammers of these tests, or of the shipped lists."""
    own = {**SLAMMERS, CONFUSER.name: CONFUSER}
    return own.get(name) or shipped_catalogue().find(name)


class Battle(LiveBattle):
    """A battle that is answered in text."""

    def do(self, *texts):
        """Answer questions and throws, and return all that happened."""
        happened = ()
        for text in texts:
            happened += self.answer(parse_answer(self.state, self.ask, text))
        return happened

    def asked(self, asking, player):
        """Return what there is to choose, when a player is asked for something, and else fail."""
        assert isinstance(self.ask, Question), self.ask
        assert (self.ask.asking, self.ask.player) == (asking, player)
        return [option_text(option) for option in self.ask.options]

    def thrown(self, player):
        """Return what is thrown at, when a player is to throw, and else fail."""
        assert isinstance(self.ask, ThrowCall), self.ask
        assert self.ask.player == player
        return self.ask.targets


def battle(
    stacks=None,
    *,
    players=2,
    slammers=tuple(SLAMMERS),
    sizes=None,
    statuses=None,
    effects=None,
    options=None,
    rules=(),
    own=(),
    step=Step.BEFORE_TOP_OFF,
    turn=None,
    player=ASH,
    in_turn=None,
    boxed=False,
    **fields,
):
    """Return a battle in which a turn begins.

    Args:
        stacks: Pucks by stack, such as ``{"Arena": 8, "Power 0": ["Potion"]}``, from the floor up;
            a number stands for plain pucks. Each Health has 10 and the Arena 8 if not given. Pucks
            are numbered in this order, those that are not given last.
        players: How many players.
        slammers: Their slammers.
        sizes: Max sizes; those of Arena and Health are what they hold if not given.
        statuses: Statuses by player.
        effects: Pending effects by player.
        options: Options of the battle.
        rules: Special rules that work.
        own: Those from a file, for the table.
        step: Where in the turn.
        turn: The turn's number; by default everybody had one.
        player: Whose turn it is.
        in_turn: Other fields of the turn.
        boxed: The pucks of the Arena are of the shared box.
        fields: Other fields of the state.
    """
    given = dict(stacks or {})
    given.setdefault("Arena", 8)
    for number in range(players):
        given.setdefault(f"Health {number}", 10)
        given.setdefault(f"slammer {number}", [slammers[number]])
    pucks = []
    there = {}
    for text, names in given.items():
        place = parse_place(text)
        named = ["Plain Puck"] * names if isinstance(names, int) else names
        owner = None if place == BOX or (boxed and place == ARENA) else place.player or 0
        there[place.stack_index] = tuple(range(len(pucks), len(pucks) + len(named)))
        pucks += [Puck(design=design(name), owner=owner) for name in named]
    table = BattleSetup(
        pucks=tuple(pucks),
        names=NAMES[:players],
        options=BattleOptions(**(options or {})),
        rules=own,
    )
    every = places(players)
    fixed = {parse_place(text).stack_index: size for text, size in (sizes or {}).items()}
    measured = (ARENA, *(health(number) for number in range(players)))
    for place in measured:
        fixed.setdefault(place.stack_index, len(there.get(place.stack_index, ())))
    for place in every:
        if place.kind is StackKind.SLAMMER:
            fixed[place.stack_index] = 1
    number = players + 1 if turn is None else turn
    state = BattleState(
        table=table,
        stacks=tuple(there.get(place.stack_index, ()) for place in every),
        max_sizes=tuple(fixed.get(place.stack_index) for place in every),
        statuses=tuple(tuple((statuses or {}).get(p, ())) for p in range(players)),
        effects=tuple(tuple((effects or {}).get(p, ())) for p in range(players)),
        turn=Turn(number=number, player=player, **(in_turn or {})),
        turns=tuple(Turn(number=1, player=p) if number > players else None for p in range(players)),
        step=step,
        **({"playing": tuple(range(players))} | fields),
    )
    return Battle(state, rules=RuleBook(rules))


def outcome(fight, wanted):  # noqa: C901 -- a table
    """Return of a battle what is wanted: stacks, sizes, statuses, attacks, and what is asked.

    Keys are ``Health 0`` (the pucks), ``count Health 0``, ``size Arena``, ``statuses 0``,
    ``effects 0``, ``attacks``, ``winner``, ``player``, ``payer``, ``holds 3`` (the stack that has
    puck 3), ``throws`` of the turn, ``turn made`` (of Ash's last turn), ``refuses 4, 5`` (what is
    said of such an answer) and ``next``: who is to throw, such as ``throw 0``, or what is asked of
    whom and the options, such as ``special rule 0: Potion 3, Berry 4.``, or the beginning of that.
    ``offered`` is the number of options, ``ordered`` whether their order matters, ``asks`` whether
    a person is asked, ``counts Health`` the pucks of each player, ``owners of Arena`` the owner of
    each puck and ``owners collection 0`` the owners. ``greedy uses`` and ``greedy takes`` are the
    rules or the names of the pucks that such a player chooses now.
    """
    state, players = fight.state, range(fight.state.table.players)
    found = {}
    for key in wanted:
        word, _, rest = key.partition(" ")
        match word:
            case "attacks" | "throws":
                found[key] = getattr(state.turn, word)
            case "next" if isinstance(fight.ask, ThrowCall):
                found[key] = f"throw {fight.ask.player}"
            case "next":
                options = ", ".join(map(option_text, fight.ask.options))
                asked = f"{fight.ask.asking} {fight.ask.player}: {options}."
                found[key] = asked[: len(wanted[key])]
            case "statuses" | "effects":
                found[key] = getattr(state, word)[int(rest)]
            case "size":
                found[key] = state.max_size(parse_place(rest))
            case "winner" | "playing" | "player" | "payer":
                found[key] = getattr(state, word)
            case "turn":
                found[key] = getattr(state.turns[ASH], rest)
            case "refuses":
                said = refusal(fight, rest)
                found[key] = wanted[key] if wanted[key] in said else said
            case "asks":
                found[key] = only_sensible(state, fight.ask) is None
            case "ordered":
                found[key] = fight.ask.ordered
            case "offered":
                found[key] = len(fight.ask.options)
            case "counts":
                found[key] = tuple(len(state.stack(parse_place(f"{rest} {p}"))) for p in players)
            case "owners":
                stack = state.stack(parse_place(rest.removeprefix("of ")))
                owners = [state.table.pucks[puck].owner for puck in stack]
                each = owners if rest.startswith("of ") else sorted(set(owners))
                found[key] = tuple(each)
            case "greedy" | "skilled":
                found[key] = _chosen(fight, word, rest)
            case "holds":
                found[key] = place_text(state.place_of(int(rest)))
            case "count":
                found[key] = len(state.stack(parse_place(rest)))
            case _:
                found[key] = state.stack(parse_place(key))
    return found


def _chosen(fight, kind, what):
    """Return the rules that a kind of player uses now, or the names of the pucks that it takes."""
    player = SkilledPlayer() if kind == "skilled" else GreedyPlayer()
    if not isinstance(fight.ask, Question) or (fight.ask.asking is Asking.USE) != (what == "uses"):
        return ()
    reply = player.reply(fight.state, fight.ask)
    return tuple(o.rule if isinstance(o, Use) else fight.state.design(o).name for o in reply)


def refusal(fight, text):
    """Return what is said of an answer that is refused; empty if it is accepted."""
    before = fight.moment()
    try:
        fight.do(text)
    except InputError as error:
        assert fight.moment() == before
        return str(error)
    return ""


def table_of(
    players,
    pucks=20,
    slammers=("Leaf",),
    *,
    others=(),
    shared=(),
    boxed=False,
    options=None,
):
    """Return the set-up of a battle: each player brings plain pucks, others, and slammers.

    Args:
        players: How many players.
        pucks: Plain pucks of each.
        slammers: Slammers of each.
        others: Other pucks of each.
        shared: Slammers of a shared box.
        boxed: The pucks that are no slammers are of a shared box, too.
        options: Options of the battle.
    """
    made = [Puck(design=design(name), owner=None) for name in shared]
    for player in range(players):
        names = (*("Plain Puck",) * pucks, *others)
        made += [Puck(design=design(name), owner=None if boxed else player) for name in names]
        made += [Puck(design=design(name), owner=player) for name in slammers]
    return BattleSetup(
        pucks=tuple(made),
        names=NAMES[:players],
        options=BattleOptions(**(options or {})),
    )


def house(*names, **options):
    """Return the set-up of a battle of slammers with house collections."""
    return house_setup([design(name) for name in names], BattleOptions(**options))


class DiceThrows:
    """Throws by dice: outcomes of every kind, whatever the slammer.

    Args:
        flips: Chance that a puck flips; a knock-out has half of it.
    """

    def __init__(self, flips=0.2):
        self.flips = flips

    def throw(self, shot, rng):
        """Return an outcome by dice."""
        if rng.random() < 0.1:
            return missed(len(shot.stack))
        flips = self.flips / 2 if shot.knock_out else self.flips
        landings = []
        for face, distance_mm in rng.random((len(shot.stack), 2)).tolist():
            lies = Face.DOWN
            if face < flips:
                lies = Face.UP
            elif face > 0.93:
                lies = Face.OUT if face > 0.95 else Face.LEANING
            landings.append(Landing(lies, round(distance_mm * 150, 3)))
        return Outcome(hit=True, landings=tuple(landings))


class ScriptThrows:
    """Outcomes from a script, in order, by their texts."""

    def __init__(self, outcomes):
        self.outcomes = iter(outcomes)

    def throw(self, shot, rng):
        """Return the next outcome."""
        del rng
        outcome = parse_outcome(next(self.outcomes))
        assert len(outcome.landings) == len(shot.stack)
        return outcome


def read_back(record):
    """Return a record as it is read from its file."""
    return game_record_from(BATTLE, json.loads(record_json(BATTLE, record)))


def recorded(table, exchanges, seed=1, throws="dice"):
    """Return the record of a battle of random players."""
    table = exchanges[-1].after.state.table if exchanges else table
    match = Match(
        BATTLE,
        table,
        [None] * table.players,
        seed,
        kinds=("random",) * table.players,
        source={"throws": throws, "engine": "plane"},
    )
    for exchange in exchanges:
        match.step(exchange.answer)
    return record_of(match)


def replayed(record):
    """Return the steps of a record."""
    return [*replay(BATTLE, record)]


def mixed_table(players, seed, **options):
    """Return a table whose players bring any pucks of the lists, and three slammers each."""
    rng = np.random.default_rng(seed)
    catalogue = shipped_catalogue()
    others = [design for design in catalogue.designs if not design.kind.is_slammer]
    pucks = []
    boxed = options.get("mode") is Mode.TRAINING
    for player in range(players):
        brought = [others[place] for place in rng.integers(len(others), size=16)]
        pucks += [Puck(design=design, owner=None if boxed else player) for design in brought]
        chosen = rng.choice(len(catalogue.slammers), size=3, replace=False)
        pucks += [Puck(design=catalogue.slammers[place], owner=player) for place in chosen]
    return BattleSetup(pucks=tuple(pucks), names=NAMES[:players], options=BattleOptions(**options))


def random_battle(table, seed, flips=0.2):
    """Return the steps of a battle of random players with throws by dice."""
    players = [RandomPlayer()] * table.players
    return list(play_battle(table, players, DiceThrows(flips), seed))
