"""Battle files: match rules, teams, and orders if there are any."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from physics import InputError
from physics.decoding import check_one_of, decode
from physics.errors import check_count, limits
from sim.core.files import read_toml
from sim.post.catalogue import Catalogue, Move, Species, check_types, name_key
from sim.post.engine import Battle
from sim.post.orders import Orders, Reader
from sim.post.pokemon import Match, Nature, with_nature
from sim.post.stages import LEAVING, Stat, clipped
from sim.post.state import RESERVE, Entrant, Facts, Fighter, Held, State
from sim.post.techniques import ADVANCED_LEVEL


@dataclass(frozen=True, kw_only=True)
class PokemonEntry:
    """A Pokemon of a battle file; what is not given is as at the start of a battle."""

    species: str = limits(1, 40)
    name: str = limits(0, 40, default="")
    level: int = limits(0, 4, default=4)
    nature: str = ""
    items: tuple[str, ...] = ()
    hp: int | None = limits(1, 2000, default=None)
    energy: int | None = limits(1, 2000, default=None)
    overheal: bool = False  # HP may be above the maximum
    conditions: tuple[str, ...] = ()  # "burn", or with counters, "paralysis 2"
    stages: Mapping[Stat, int] = field(default_factory=dict)  # until it leaves
    tera: str = ""  # its Tera type
    terastal: bool = False
    orders: str = ""
    substitutions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TeamEntry:
    """A team; its first Pokemon are in play."""

    name: str = limits(1, 40)
    pokemon: tuple[PokemonEntry, ...]
    backpack: tuple[str, ...] = ()
    tech: int | None = limits(0, 100, default=None)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A battle file."""

    match: Match = field(default_factory=Match)
    team: tuple[TeamEntry, ...]
    first: str = limits(0, 40, default="")  # team that orders first


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A battle, its state, and the orders that a file gives."""

    battle: Battle
    state: State
    orders: tuple[Orders | None, ...]
    source: Any  # the file's table, and the data


def read_scenario(path: Path, catalogue: Catalogue) -> Setting:
    """Return the battle of a TOML file.

    Raises:
        InputError: It cannot be read, or holds what is not accepted.
    """
    return setting_from(read_toml("battle", path), catalogue, f"battle: {str(path)!r}")


def setting_from(
    table: Mapping[str, Any], catalogue: Catalogue, where: str = "battle:", steps: int | None = None
) -> Setting:
    """Return the battle of a file's table; ``where`` is its name in errors.

    Raises:
        InputError: A key, value, name or order that is not accepted.
    """
    teams = table.get("team")
    sizes = (
        [len(team.get("pokemon", ())) for team in teams if isinstance(team, dict)]
        if (isinstance(teams, list))
        else []
    )
    rules = table.get("match", {})
    if isinstance(rules, dict):
        rules = {"team_size": min(12, max([1, *sizes]))} | rules
    scenario = decode(Scenario, {**table, "match": rules}, where)
    try:
        return _setting(scenario, catalogue, steps, table)
    except InputError as error:
        raise InputError(f"{where} {error}") from None


def _setting(scenario: Scenario, catalogue: Catalogue, steps: int | None, source: Any) -> Setting:
    match, teams = scenario.match, [team.name for team in scenario.team]
    if len(set(teams)) != 2 or len(teams) != 2:
        raise InputError(f"team: {', '.join(teams) or 'none'}: give two teams of different names")
    check_one_of("first", scenario.first or teams[0], teams)
    first = teams.index(scenario.first) if scenario.first else 0
    roster: list[Entrant] = []
    fighters: list[Fighter] = []
    packs: list[tuple[str, ...]] = []
    for t, team in enumerate(scenario.team):
        check_count(f"{team.name}: pokemon", len(team.pokemon), low=1, high=match.selection or 1)
        species = [name_key(entry.species) for entry in team.pokemon]
        if match.species_restriction and len({*species}) < len(species):
            more = "give each species once, or species_restriction = false (2)"
            raise InputError(f"{team.name}: pokemon: {', '.join(species)}: {more}")
        check_count(f"{team.name}: backpack", len(team.backpack), low=0, high=match.backpack or 0)
        for item in team.backpack:
            catalogue.find("items", item, f"{team.name}: backpack")
        packs.append(tuple(sorted(map(name_key, team.backpack))))
        for n, entry in enumerate(team.pokemon):
            own = entrant(catalogue, entry, t, match)
            active = n if n < match.positions else RESERVE
            roster.append(own)
            fighters.append(_fighter(catalogue, entry, own, active, len(fighters), match))
    names = [one.name for one in roster]
    if len({name_key(name) for name in names}) < len(names):
        raise InputError(f"name: {', '.join(names)}: give each Pokemon a name of its own")
    facts = Facts(match=match, teams=tuple(teams), roster=tuple(roster))
    state = State(
        fighters=tuple(fighters),
        fields=((),) * 3,
        tech=tuple(match.tech or 0 if t.tech is None else t.tech for t in scenario.team),
        packs=tuple(packs),
        posts=(first, 1 - first),
        steps=steps or match.steps or 1,
    )
    battle = Battle(catalogue, facts)
    entries = [entry for team in scenario.team for entry in team.pokemon]
    orders = tuple(
        Reader(battle, i).orders(entry.orders, entry.substitutions, steps=steps)
        if entry.orders and fighters[i].is_active
        else None
        for i, entry in enumerate(entries)
    )
    return Setting(battle=battle, state=state, orders=orders, source=[source, catalogue])


def with_moves(setting: Setting, moves: Sequence[str]) -> Setting:
    """Return a battle whose Pokemon have these moves only, such as ``jab,slam``; empty: all.

    Raises:
        InputError: A Pokemon does not know one.
    """
    battle, roster = setting.battle, []
    for i, (own, texts) in enumerate(zip(battle.roster, moves, strict=True)):
        kept = [Reader(battle, i).move(text) for text in texts.split(",")] if texts else None
        known = own.moves if kept is None else {name_key(move.name): move for move in kept}
        roster.append(replace(own, moves=known))
    narrow = Battle(battle.catalogue, replace(battle.facts, roster=tuple(roster)))
    return replace(setting, battle=narrow, source=[*setting.source, list(moves)])


def entrant(catalogue: Catalogue, entry: PokemonEntry, team: int, match: Match) -> Entrant:
    """Return a Pokemon's facts.

    Raises:
        InputError: A name is not in the data files.
    """
    species: Species = catalogue.find("species", entry.species)
    name = entry.name or species.name
    stats = species.line
    if entry.nature:
        nature: Nature = catalogue.find("natures", entry.nature, f"{name}: nature")
        stats = with_nature(stats, nature)
    if entry.tera:
        check_types(f"{name}: tera", (entry.tera,))
    level = min(entry.level, match.level)
    for key, given, own, least in (
        ("nature", entry.nature, entry.level, 3),
        ("terastal", entry.terastal, level, ADVANCED_LEVEL),
    ):
        if given and own < least:
            raise InputError(f"{name}: {key}: not accepted; it needs Level {least} (6.3)")
    known: dict[str, Move] = {}
    for texts, most in ((species.moves, level), (species.signature, match.level)):  # 2, 6.3
        found = {name_key(text): catalogue.find("moves", text) for text in texts}
        known |= {key: move for key, move in found.items() if move.level <= most}
    named = (*species.abilities, *(species.hidden if level >= 2 else ()))[: match.abilities]
    abilities = tuple(catalogue.find("abilities", ability) for ability in named)
    return Entrant(
        name=name,
        team=team,
        species=species,
        stats=stats,
        moves=known,
        abilities=abilities,
        level=level,
        tera=entry.tera,
    )


def _fighter(
    catalogue: Catalogue, entry: PokemonEntry, own: Entrant, place: int, n: int, match: Match
) -> Fighter:
    hp = own.stats.hp if entry.hp is None else entry.hp
    energy = own.species.energy if entry.energy is None else entry.energy
    high = own.stats.hp if not entry.overheal else 2000
    check_count(f"{own.name}: hp", hp, low=1, high=high)
    check_count(f"{own.name}: energy", energy, low=1, high=own.species.energy)
    conditions = []
    for text in entry.conditions:
        name, _, number = text.rpartition(" ")
        name, number = (name, number) if number.isdigit() and name else (text, "0")
        found = catalogue.find("conditions", name, f"{own.name}: conditions")
        conditions.append(Held(name_key(name), found.duration or Held("").duration, int(number)))
    for item in entry.items:
        catalogue.find("items", item, f"{own.name}: items")
    for stat, value in entry.stages.items():
        check_one_of(f"{own.name}: stages", stat, get_args(Stat))
        low, high = clipped(stat, -99), clipped(stat, 99)
        check_count(f"{own.name}: stages {stat}", value, low=low, high=high)
    stages = tuple(sorted((stat, value, LEAVING) for stat, value in entry.stages.items() if value))
    return Fighter(
        hp=hp,
        energy=energy,
        place=place,
        entry=n,
        conditions=tuple(conditions),
        items=tuple(map(name_key, entry.items)),
        stages=stages,
        recoveries=match.recoveries,
        chills=match.chills,
        terastal=entry.terastal,
    )
