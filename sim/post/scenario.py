"""Battle files: match rules, teams, orders, and the whole state between rounds, to be read back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import check_count, limits, refusal
from pucklab.base.facts import fact
from pucklab.base.files import read_toml
from pucklab.base.parsing import toml_text
from pucklab.physics import InputError
from pucklab.sim.post.battle import Battle, Entrant, Plan
from pucklab.sim.post.catalogue import Catalogue, named
from pucklab.sim.post.numbers import LEAVING, STATS, Stage, Stat, clip_stage, parse_duration
from pucklab.sim.post.orders import Reader
from pucklab.sim.post.pokemon import Match, with_nature
from pucklab.sim.post.state import BENCH, OUT, RESERVE, Fighter, Held, State
from pucklab.sim.post.switching import Asked, begin_round, find_switches, switch_text
from pucklab.sim.post.values import name_key

_NATURE_LEVEL = 3
_PLACES = {"first": 0, "second": 1, "bench": BENCH, "reserve": RESERVE, "fainted": OUT}
_HELD = re.compile(
    r"(.+?)(?: (\d+))?(?: \((.*)\))?(?: as (.+?))?(?: for (.+?))?(?: by (.+?))?(?: at (\d+))?"
)


@fact
class PokemonEntry:
    """A Pokemon of a battle file; the defaults are those of the start of a battle."""

    species: str = limits(1, 40)
    name: str = limits(0, 40, default="")
    level: int = limits(0, 4, default=4)
    nature: str = named("natures", default="")
    items: tuple[str, ...] = named("items", default=())
    hp: int | None = limits(0, 2000, default=None)
    energy: int | None = limits(0, 2000, default=None)
    most_hp: int | None = limits(1, 2000, default=None)
    most_energy: int | None = limits(1, 2000, default=None)
    overheal: bool = False  # HP may be above the maximum
    conditions: tuple[str, ...] = ()  # "burn", "paralysis 2", "sleep for 2 turns", ...
    stages: Mapping[Stat, int | str] = field(default_factory=dict)  # 2, or "2 for 3 turns"
    tera: str = named("types", default="")  # its Tera type
    terastal: bool = False
    types: tuple[str, ...] = named("types", default=())  # instead of the species'
    abilities: tuple[str, ...] | None = named("abilities", default=None)
    place: str = limits(0, 10, default="")
    entry: int | None = limits(0, 1000, default=None)
    recoveries: int | None = limits(0, 100, default=None)
    chills: int | None = limits(0, 100, default=None)
    spent: bool = False  # Tech in this battle
    orders: str = ""
    substitutions: tuple[str, ...] = ()


_KEPT = {*Fighter._fields} & {one.name for one in fields(PokemonEntry)}


@fact
class TeamEntry:
    """A team; its first Pokemon are in play."""

    name: str = limits(1, 40)
    pokemon: tuple[PokemonEntry, ...]
    backpack: tuple[str, ...] = named("items", default=())
    tech: int | None = limits(0, 100, default=None)
    field: tuple[str, ...] = ()  # conditions of its field
    send: tuple[str, ...] = ()  # replacements, in order
    switch: tuple[str, ...] = ()  # "Otter for Golduck"


@fact
class Scenario:
    """A battle file."""

    match: Match = field(default_factory=Match)
    team: tuple[TeamEntry, ...]
    first: str = limits(0, 40, default="")  # team that orders first
    round: int = limits(0, 10_000, default=0)  # that was played
    begun: bool = False  # the Switching phase of that round is over
    vacant: tuple[str, ...] = ()  # "ann first", in the order in which they fell vacant
    battle: tuple[str, ...] = ()  # conditions of the battle


@fact
class Setting:
    """A battle, its state, and the orders that a file gives."""

    battle: Battle
    state: State
    orders: Plan
    table: Mapping[str, Any]  # of the file
    missing: str = ""  # decision that the Switching phase still needs


def read_scenario(path: Path, catalogue: Catalogue, orders: Sequence[str] = ()) -> Setting:
    """Return the battle of a TOML file, with more orders such as ``Golduck: jab; IF ...``.

    Orders may also be a team's, to send or switch.

    Raises:
        InputError: It cannot be read, or holds what is not accepted.
    """
    table, ordered = read_toml("battle", path), list[str]()
    teams = [team for team in table.get("team", ()) if isinstance(team, dict)]
    pokemon = [one for team in teams for one in team.get("pokemon", ()) if isinstance(one, dict)]
    known = {name_key(str(one.get("name") or one.get("species"))): one for one in pokemon}
    known |= {f"team {name_key(str(team.get('name')))}": team for team in teams}
    for text in orders:
        who, _, what = text.partition(":")
        check_one_of("order", name_key(who), [*known])
        entry, (main, *subs) = known[name_key(who)], what.split(";")
        verb, _, names = main.strip().partition(" ")
        if "pokemon" not in entry:
            entry |= {"orders": main.strip(), "substitutions": [sub.strip() for sub in subs]}
        elif verb in {"send", "switch"}:
            entry[verb] = [name.strip() for name in names.split(",") if name.strip()]
        else:
            accepted = "'team ann: send Otter' or 'team ann: switch Otter for Golduck'"
            raise refusal("order", text, accepted)
        ordered.append(name_key(who))
    setting = setting_from(table, catalogue, f"battle: {str(path)!r}")
    for own, f in zip(setting.battle.roster, setting.state.fighters, strict=True):
        if (name := name_key(own.name)) in ordered and f.place < 0 and not setting.missing:
            raise InputError(f"order: {own.name}: not accepted; it is not in play")
        if ordered.count(name) > 1:
            raise InputError(f"order: {own.name}: ordered twice; give its orders once")
    return setting


def setting_from(table: Mapping[str, Any], catalogue: Catalogue, where: str = "battle:") -> Setting:
    """Return the battle of a file's table; ``where`` is its name in errors.

    Raises:
        InputError: A key, value, name or order that is not accepted.
    """
    scenario = decode(Scenario, table, where)
    size = min(12, max([1, *(len(team.pokemon) for team in scenario.team)]))
    match = decode(Match, {"team_size": size, **table.get("match", {})}, f"{where} match")
    try:
        setting = _setting(replace(scenario, match=match), catalogue)
    except InputError as error:
        raise InputError(f"{where} {error}") from None
    return replace(setting, table=table)


def _setting(scenario: Scenario, catalogue: Catalogue) -> Setting:
    match, teams = scenario.match, [team.name for team in scenario.team]
    if len(set(teams)) != 2 or len(teams) != 2:
        raise InputError(f"team: {', '.join(teams) or 'none'}: give two teams of different names")
    check_one_of("first", scenario.first or teams[0], teams)
    first = teams.index(scenario.first or teams[0])
    roster: list[Entrant] = []
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
        roster += [_entrant(catalogue, entry, t, match) for entry in team.pokemon]
    names = [name_key(one.name) for one in roster]
    if len({*names}) < len(names):
        raise InputError(f"name: {', '.join(names)}: give each Pokemon a name of its own")
    fighters: list[Fighter] = []
    taken: set[tuple[int, int]] = set()
    for entry, own in zip(entries, roster, strict=True):
        f, n = _fighter(catalogue, entry, own, match, names), len(fighters)
        place = n - [one.team for one in roster].index(own.team)  # leads, unless the file says
        place = place if place < match.positions else RESERVE
        if entry.place or scenario.round:
            check_one_of(f"{own.name}: place", entry.place or "reserve", [*_PLACES])
            place = _PLACES[entry.place or "reserve"]
        if place >= match.positions or (own.team, place) in taken:
            raise refusal(f"{own.name}: place", entry.place, "each place of the match once a team")
        taken |= {(own.team, place)} if place >= 0 else set()
        fighters.append(f._replace(place=place, entry=n if entry.entry is None else entry.entry))
    battle = Battle(catalogue=catalogue, match=match, teams=tuple(teams), roster=tuple(roster))
    lists, number = (scenario.battle, *(team.field for team in scenario.team)), scenario.round
    places = {
        f"{team} {place}": (t, _PLACES[place])
        for place in [*_PLACES][: match.positions]
        for t, team in enumerate(teams)
    }
    for text in scenario.vacant:
        check_one_of("vacant", text, [*places])
    empty = [places[text] for text in dict.fromkeys((*scenario.vacant, *places))]
    state = State(
        fighters=tuple(fighters),
        fields=tuple(tuple(_held(catalogue, one, "field", names) for one in own) for own in lists),
        tech=tuple(match.tech if t.tech is None else t.tech for t in scenario.team),
        packs=tuple(tuple(sorted(map(name_key, t.backpack))) for t in scenario.team),
        posts=(first, 1 - first),
        round=number,
        begun=scenario.begun,
        steps=match.steps_in(max(1, number)),
        vacant=tuple(v for v in empty if number and v not in taken),
    )
    left = {own.team for own, f in zip(roster, fighters, strict=True) if f.place != OUT}
    state = state._replace(winner=min(left) if len(left) == 1 else None)
    missing = ""
    if not scenario.begun and state.winner is None:
        state, missing = _begin_round(scenario, battle, state)
    orders = {}
    for i, entry in enumerate(entries):
        f = state.fighters[i]
        if entry.orders and f.place >= 0 and state.begun:
            reader = Reader(battle, i, f.conditions)
            orders[i] = reader.orders(entry.orders, entry.substitutions, steps=state.steps)
    return Setting(battle=battle, state=state, orders=orders, table={}, missing=missing)


def _begin_round(scenario: Scenario, battle: Battle, state: State) -> tuple[State, str]:
    """Return the state after the Switching phase by a file, and the decision that it lacks."""
    names = [*map(name_key, battle.names)]
    left, switching = [[*team.send] for team in scenario.team], set[str]()

    def choose(asked: Asked) -> Any:
        team, given = scenario.team[asked.team], asked.options
        if asked.kind == "switch":
            switching.add(team.name)
            found = find_switches(given, team.switch, names)
            if found is None:
                few = "; ".join(switch_text(own, names) for own in given[1:9])
                raise refusal(f"{team.name}: switch", ", ".join(team.switch), few)
            return found
        options, sends = [names[i] for i in given], left[asked.team]
        if not sends and len(options) > 1:
            return None
        chosen = name_key(sends.pop(0)) if sends else options[0]
        check_one_of(f"{team.name}: send", chosen, options)
        return given[options.index(chosen)]

    after = begin_round(battle, state, choose)
    if isinstance(after, Asked):
        options = ", ".join(names[i] for i in after.options)
        where = f"{scenario.team[after.team].name}: send"
        return state, f"{where}: a place is empty; give one of {options}"
    for team, unsent in zip(scenario.team, left, strict=True):
        if unsent:
            raise InputError(f"{team.name}: send: {', '.join(unsent)}: no place is empty (4.3)")
        if team.switch and team.name not in switching:
            say = "the starting player declares none, so nobody else may (4.3)"
            raise InputError(f"{team.name}: switch: {say}")
    return after, ""


def _entrant(catalogue: Catalogue, entry: PokemonEntry, team: int, match: Match) -> Entrant:
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


def _held(catalogue: Catalogue, text: str, where: str, names: Sequence[str]) -> Held:
    """Return a condition such as ``paralysis 2``, ``sleep for 2 turns`` or ``seed by golduck``."""
    found = _HELD.fullmatch(text)
    name, number, note, alias, until, maker, stamp = found.groups() if found else (text, *[""] * 6)
    kind = catalogue.find("conditions", name, f"{where}: conditions")
    held = Held(name_key(name), counters=int(number or 0), stamp=int(stamp or 0), alias=alias or "")
    if maker:
        check_one_of(f"{where}: conditions", name_key(maker), names)
    return held._replace(
        duration=parse_duration(until) if until else kind.duration or held.duration,
        note=tuple(map(name_key, note.split(","))) if note else (),
        maker=names.index(name_key(maker)) if maker else -1,
    )


def _fighter(
    catalogue: Catalogue, entry: PokemonEntry, own: Entrant, match: Match, names: Sequence[str]
) -> Fighter:
    found = {
        "most_hp": own.stats.hp,
        "most_energy": own.species.energy,
        "recoveries": match.recoveries,
        "chills": match.chills,
    }
    given = ((name, getattr(entry, name, None)) for name in Fighter._fields if name != "place")
    found |= {name: value for name, value in given if value is not None}
    for key, most in (("hp", found["most_hp"]), ("energy", found["most_energy"])):
        if key in found:
            high = 2000 if key == "hp" and entry.overheal else most
            check_count(f"{own.name}: {key}", found[key], int(entry.place != "fainted"), high)
    stages = []
    for stat, text in sorted(entry.stages.items()):
        check_one_of(f"{own.name}: stages", stat, STATS)
        number, _, until = str(text).partition(" for ")
        low, high = clip_stage(stat, -99), clip_stage(stat, 99)
        value = int(number) if re.fullmatch(r"[+-]?\d", number) else text
        check_count(f"{own.name}: stages {stat}", value, low, high)
        if value:
            stages.append(Stage(stat, int(value), parse_duration(until) if until else LEAVING))
    plain: dict[str, Any] = {"hp": found["most_hp"], "energy": found["most_energy"]} | found
    held = tuple(_held(catalogue, text, own.name, names) for text in entry.conditions)
    plain |= {"conditions": held, "stages": tuple(stages)}
    for key in {"items", "abilities"} & plain.keys():
        plain[key] = tuple(map(name_key, plain[key]))
    return Fighter(**plain)


def held_text(held: Held, names: Sequence[str]) -> str:
    """Return a condition as text of battle files."""
    parts = [held.name, *([str(held.counters)] if held.counters else [])]
    parts += [f"({', '.join(held.note)})"] if held.note else []
    parts += [f"as {held.alias}"] if held.alias else []
    parts += [f"for {held.duration}", *([f"by {names[held.maker]}"] if held.maker >= 0 else [])]
    return " ".join(parts)


def state_toml(setting: Setting, state: State) -> str:
    """Return the whole state between rounds as a battle file."""
    battle, table = setting.battle, setting.table
    names, places = battle.names, {n: word for word, n in _PLACES.items()}

    def conditions(some: Sequence[Held]) -> list[str]:
        return [f"{held_text(one, names)} at {one.stamp}" for one in some]

    teams = []
    left = iter(state.fighters)
    for t, team in enumerate(table["team"]):
        pokemon = []
        for entry in team["pokemon"]:
            f = next(left)
            found = {k: v for k, v in f._asdict().items() if k in _KEPT and v not in ((), None)}
            found |= {"overheal": f.hp > f.most_hp, "place": places[f.place]}
            found |= {"conditions": conditions(f.conditions)}
            found |= {"stages": {s.stat: f"{s.value} for {s.duration}" for s in f.stages}}
            kept = {k: v for k, v in entry.items() if k not in {"orders", "substitutions", *_KEPT}}
            pokemon.append(kept | found)
        kept = {k: v for k, v in team.items() if k not in {"send", "switch", "pokemon"}}
        own = {
            "tech": state.tech[t],
            "backpack": state.packs[t],
            "field": conditions(state.fields[1 + t]),
        }
        teams.append({**kept, **own, "pokemon": pokemon})
    whole = {
        "round": state.round,
        "begun": state.begun,
        "first": battle.teams[state.posts[0]],
        "vacant": [f"{battle.teams[t]} {places[place]}" for t, place in state.vacant],
        "battle": conditions(state.fields[0]),
        "match": table.get("match", {}),
        "team": teams,
    }
    lines = ["schema = 1"]

    def value(part: Any) -> str:
        if isinstance(part, Mapping):
            return "{ " + ", ".join(f"{key} = {value(v)}" for key, v in part.items()) + " }"
        if isinstance(part, str):
            return toml_text(part)
        if isinstance(part, bool | int):
            return str(part).lower()
        return "[" + ", ".join(map(value, part)) + "]"

    def write(table: Mapping[str, Any], head: str) -> None:
        later = {"match", "team", "pokemon"}
        lines.extend(f"{key} = {value(v)}" for key, v in table.items() if key not in later)
        for key in (key for key in table if key in later):
            for part in [table[key]] if key == "match" else table[key]:
                lines.extend(["", f"[{head}{key}]" if key == "match" else f"[[{head}{key}]]"])
                write(part, f"{head}{key}.")

    write(whole, "")
    return "\n".join(lines) + "\n"
