"""Battle files, and records: match rules, teams, orders; and what was decided and drawn."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, get_args

from physics import InputError
from physics.decoding import check_one_of, decode, encode
from physics.errors import check_count, limits
from physics.facts import fact
from sim.core.files import read_toml, version
from sim.core.records import read_record_file
from sim.post.catalogue import Catalogue, name_key, named
from sim.post.engine import Battle
from sim.post.numbers import LEAVING, Stage, Stat, clipped
from sim.post.orders import Plan, Reader
from sim.post.pokemon import Match, with_nature
from sim.post.state import RESERVE, Entrant, Fighter, Held, State

_NATURE_LEVEL = 3
_GAME = "battle by post"


@fact
class PokemonEntry:
    """A Pokemon of a battle file; what is not given is as at the start of a battle."""

    species: str = limits(1, 40)
    name: str = limits(0, 40, default="")
    level: int = limits(0, 4, default=4)
    nature: str = named("natures", default="")
    items: tuple[str, ...] = named("items", default=())
    hp: int | None = limits(1, 2000, default=None)
    energy: int | None = limits(1, 2000, default=None)
    overheal: bool = False  # HP may be above the maximum
    conditions: tuple[str, ...] = ()  # "burn", or with counters, "paralysis 2"
    stages: Mapping[Stat, int] = field(default_factory=dict)  # until it leaves
    tera: str = named("types", default="")  # its Tera type
    terastal: bool = False
    orders: str = ""
    substitutions: tuple[str, ...] = ()


@fact
class TeamEntry:
    """A team; its first Pokemon are in play."""

    name: str = limits(1, 40)
    pokemon: tuple[PokemonEntry, ...]
    backpack: tuple[str, ...] = named("items", default=())
    tech: int | None = limits(0, 100, default=None)


@fact
class Scenario:
    """A battle file."""

    match: Match = field(default_factory=Match)
    team: tuple[TeamEntry, ...]
    first: str = limits(0, 40, default="")  # team that orders first


@fact
class Setting:
    """A battle, its state, and the orders that a file gives."""

    battle: Battle
    state: State
    orders: Plan
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
    scenario = decode(Scenario, table, where)
    size = min(12, max([1, *(len(team.pokemon) for team in scenario.team)]))
    match = decode(Match, {"team_size": size, **table.get("match", {})}, f"{where} match")
    try:
        setting = _setting(replace(scenario, match=match), catalogue, steps)
    except InputError as error:
        raise InputError(f"{where} {error}") from None
    return replace(setting, source=[table, catalogue])


def _setting(scenario: Scenario, catalogue: Catalogue, steps: int | None) -> Setting:
    match, teams = scenario.match, [team.name for team in scenario.team]
    if len(set(teams)) != 2 or len(teams) != 2:
        raise InputError(f"team: {', '.join(teams) or 'none'}: give two teams of different names")
    check_one_of("first", scenario.first or teams[0], teams)
    first = teams.index(scenario.first or teams[0])
    roster: list[Entrant] = []
    fighters: list[Fighter] = []
    entries = [entry for team in scenario.team for entry in team.pokemon]
    for t, team in enumerate(scenario.team):
        where = f"{team.name}: pokemon"
        check_count(where, len(team.pokemon), low=1, high=match.selection)
        species = [name_key(entry.species) for entry in team.pokemon]
        if match.species_restriction and len({*species}) < len(species):
            more = "give each species once, or species_restriction = false (2)"
            raise InputError(f"{where}: {', '.join(species)}: {more}")
        check_count(f"{team.name}: backpack", len(team.backpack), low=0, high=match.backpack)
        catalogue.check(team, f"{team.name}:")
        for n, entry in enumerate(team.pokemon):
            roster.append(entrant(catalogue, entry, t, match))
            place = n if n < match.positions else RESERVE
            f = _fighter(catalogue, entry, roster[-1], match)
            fighters.append(f._replace(place=place, entry=len(fighters)))
    names = [one.name for one in roster]
    if len({*map(name_key, names)}) < len(names):
        raise InputError(f"name: {', '.join(names)}: give each Pokemon a name of its own")
    battle = Battle(catalogue=catalogue, match=match, teams=tuple(teams), roster=tuple(roster))
    state = State(
        fighters=tuple(fighters),
        fields=((),) * 3,
        tech=tuple(match.tech if t.tech is None else t.tech for t in scenario.team),
        packs=tuple(tuple(sorted(map(name_key, t.backpack))) for t in scenario.team),
        posts=(first, 1 - first),
        steps=steps or match.steps,
    )
    orders = {
        i: Reader(battle, i).orders(entry.orders, entry.substitutions, steps=steps)
        for i, entry in enumerate(entries)
        if entry.orders and fighters[i].place >= 0
    }
    return Setting(battle=battle, state=state, orders=orders, source=None)


def with_moves(setting: Setting, moves: Sequence[str]) -> Setting:
    """Return a battle whose Pokemon have these moves only, such as ``jab,slam``; empty: all.

    Raises:
        InputError: A Pokemon does not know one.
    """
    battle, roster = setting.battle, list(setting.battle.roster)
    for i, texts in enumerate(moves):
        kept = [Reader(battle, i).move(text) for text in texts.split(",") if texts]
        known = {name_key(move.name): move for move in kept} or roster[i].moves
        roster[i] = replace(roster[i], moves=known)
    narrow = replace(battle, roster=tuple(roster))
    return replace(setting, battle=narrow, source=[*setting.source, list(moves)])


def entrant(catalogue: Catalogue, entry: PokemonEntry, team: int, match: Match) -> Entrant:
    """Return a Pokemon's facts.

    Raises:
        InputError: A name is not in the data files.
    """
    species = catalogue.find("species", entry.species)
    name, stats, level = entry.name or species.name, species.line, min(entry.level, match.level)
    catalogue.check(entry, f"{name}:")
    if entry.nature:
        stats = with_nature(stats, catalogue.find("natures", entry.nature))
    if entry.nature and entry.level < _NATURE_LEVEL:
        raise InputError(f"{name}: nature: not accepted; it needs Level {_NATURE_LEVEL} (6.3)")
    if entry.terastal and (why := match.bars("terastal", level)):
        raise InputError(f"{name}: terastal: not accepted; {why}")
    known = {
        name_key(text): move
        for texts, most in ((species.moves, level), (species.signature, match.level))  # 2, 6.3
        for text in texts
        if (move := catalogue.find("moves", text)).level <= most
    }
    abilities = (*species.abilities, *(species.hidden if level >= 2 else ()))[: match.abilities]
    return Entrant(
        name=name,
        team=team,
        species=species,
        stats=stats,
        moves=known,
        abilities=tuple(catalogue.find("abilities", ability) for ability in abilities),
        level=level,
        tera=entry.tera,
    )


def _fighter(catalogue: Catalogue, entry: PokemonEntry, own: Entrant, match: Match) -> Fighter:
    hp, energy = own.stats.hp, own.species.energy
    for key, most in (("hp", 2000 if entry.overheal else hp), ("energy", energy)):
        if (given := getattr(entry, key)) is not None:
            check_count(f"{own.name}: {key}", given, low=1, high=most)
    conditions = []
    for text in entry.conditions:
        found = re.fullmatch(r"(.+?)(?: (\d+))?", text)
        name, number = found.groups() if found else (text, None)
        kind = catalogue.find("conditions", name, f"{own.name}: conditions")
        held = Held(name_key(name), counters=int(number or 0))
        conditions.append(held._replace(duration=kind.duration or held.duration))
    for stat, value in entry.stages.items():
        check_one_of(f"{own.name}: stages", stat, get_args(Stat))
        low, high = clipped(stat, -99), clipped(stat, 99)
        check_count(f"{own.name}: stages {stat}", value, low=low, high=high)
    return Fighter(
        hp=entry.hp or hp,
        energy=entry.energy or energy,
        conditions=tuple(conditions),
        items=tuple(map(name_key, entry.items)),
        stages=tuple(Stage(*own, LEAVING) for own in sorted(entry.stages.items()) if own[1]),
        recoveries=match.recoveries,
        chills=match.chills,
        terastal=entry.terastal,
    )


@fact
class Record:
    """A battle that was played."""

    version: str = limits(0, 100, default="")
    battle: Mapping[str, Any]  # as in its file
    data: Catalogue
    events: tuple[Any, ...]  # decisions and draws
    hp: tuple[int, ...]  # at the end


def record_json(setting: Setting, events: Sequence[Any], end: State) -> str:
    """Return the record of a battle as JSON."""
    battle, data = encode(setting.source)
    hp = [f.hp for f in end.fighters]
    head = {"game": _GAME, "schema": 1, "version": version()}
    return json.dumps({**head, "battle": battle, "data": data, "events": events, "hp": hp}) + "\n"


def read_record(path: Path) -> tuple[Setting, Record]:
    """Return the battle of a record, and the record.

    Raises:
        InputError: The file cannot be read, or is none.
    """
    record, where = read_record_file(Record, path, _GAME), f"record: {str(path)!r}"
    record.data.check_all(where)
    return setting_from(record.battle, record.data, where), record
