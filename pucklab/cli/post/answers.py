"""``pucklab post``: single actions, best orders, duels, stat lines, files; all exact."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import refusal
from pucklab.base.files import STANDARD, read_toml, write_whole
from pucklab.base.parsing import printable
from pucklab.base.tables import csv_text
from pucklab.cli.options import (
    PATH,
    add_options,
    check_out,
    choice,
    count,
    flag,
    number,
    numbers,
    option,
)
from pucklab.cli.output import print_json, print_written
from pucklab.cli.running import track
from pucklab.physics import InputError
from pucklab.sim.chance.distribution import mean
from pucklab.sim.experiments.view import print_stacked, table_console
from pucklab.sim.post.catalogue import TABLES, Catalogue, read_catalogue
from pucklab.sim.post.engine import Battle, Course
from pucklab.sim.post.orders import Reader, orders_text
from pucklab.sim.post.play import house_made
from pucklab.sim.post.pokemon import (
    SHAPES,
    level_after,
    size_class,
    stats_from_base,
    weight_class,
    with_nature,
)
from pucklab.sim.post.scenario import Setting, read_scenario, setting_from, with_moves
from pucklab.sim.post.search import LIMIT, Search, duel_odds, knock_outs, strike_odds
from pucklab.sim.post.substitutions import Plan
from pucklab.sim.post.values import name_key

BATTLE = click.argument("battle", type=PATH, metavar="BATTLE.toml")
ORDER = option(
    "--order",
    str,
    "TEXT",
    "Orders besides the file's: 'Golduck: jab - slam; IF ...', 'team ann: send Otter' or "
    "'team ann: switch Otter for Golduck'.",
    multiple=True,
)
DATA = option(
    "--data",
    PATH,
    "FILE.toml",
    "Data file, besides the house's; later ones replace.",
    multiple=True,
)
TABLE = (
    option("--out", PATH, "FILE.csv", "Save the table."),
    flag("--json as_json", "Print JSON instead of a table."),
)


def post_command(name: str, *options: Any) -> Callable[[Callable[[Any], Any]], click.Command]:
    """Return a decorator that makes a command; its function takes the options as attributes."""

    def add(function: Callable[[Any], Any]) -> click.Command:
        def run(**given: Any) -> Any:
            asked = SimpleNamespace(**{"out": None, "battle": None} | given)
            if asked.out is not None:
                inputs = [asked.battle] if isinstance(asked.battle, Path) else []
                check_out(asked.out, ".csv", (*inputs, *asked.data))
            return function(asked)

        run.__doc__ = function.__doc__
        return click.command(name)(add_options(run, (*options, DATA)))

    return add


def show(
    asked: Any, title: str, rows: Any, battle: Battle | None = None, after: str = "", **facts: Any
) -> None:
    """Save and print rows; ``facts`` are for JSON."""
    if asked.out is not None:
        cells = (
            {k: float(v) if isinstance(v, Fraction) else v for k, v in r.items()} for r in rows
        )
        write_whole(asked.out, csv_text([*rows[0]], cells).encode())
    house = house_made(battle) if battle else ""
    if asked.as_json:
        told = {**facts, **({"note": house} if house else {}), "rows": rows}
        exact = {Fraction: lambda v: {"value": float(v), "fraction": str(v)}}
        print_json(told, default=lambda v: exact[type(v)](v))
    elif asked.out != STANDARD:
        texts = [{k: cell(v) for k, v in row.items()} for row in rows]
        click.echo(title)
        print_stacked(table_console(100), texts, left=("orders", "reply", "state"))
        for line in filter(None, (after, house)):
            click.echo(line)
    print_written(asked.out)


def cell(value: Any) -> str:
    """Return a value as the cell of a table."""
    return f"{float(value):.6f}" if isinstance(value, Fraction | float) else str(value)


def pair_table(fighters: Sequence[Mapping[str, Any]], **match: Any) -> dict[str, Any]:
    """Return the table of a battle of two Pokemon, as a battle file has it."""
    same = len({name_key(own["species"]) for own in fighters}) == 1
    teams = []
    for n, own in enumerate(fighters, 1):
        name = own["species"][:30] + f" {n}" * same
        teams.append({"name": name, "pokemon": [{"name": name * same, **own}]})
    return {"match": match, "team": teams}


def read_started_battle(asked: Any) -> Setting:
    """Return the battle of a command's file, whose Switching phase is over.

    Raises:
        InputError: A decision of that phase is missing.
    """
    setting = read_scenario(asked.battle, read_catalogue(asked.data), asked.order)
    if setting.missing:
        raise InputError(setting.missing)
    return setting


def given(setting: Setting, team: int) -> Plan:
    """Return a file's orders for a team's Pokemon in play; empty if one of them has none."""
    own = Course(setting.battle, setting.state).active(team)
    return {i: setting.orders[i] for i in own} if setting.orders.keys() >= {*own} else {}


def _stages(text: str | None, field: str) -> dict[str, int]:
    """Return stages such as ``attack+1,speed-2``."""
    found = {}
    for part in text.split(",") if text else ():
        if not (stage := re.fullmatch(r"(.+)([+-]\d+)", part)):
            raise refusal(field, part, "attack+1,speed-2 or so")
        found[name_key(stage[1]).replace(" ", "_")] = int(stage[2])
    return found


@post_command(
    "hit",
    option("--user", str, "SPECIES", "The user of the move.", required=True),
    option("--move", str, "MOVE", "Also A + B, or z-force A.", required=True),
    option("--on", str, "SPECIES", "The target.", required=True),
    option("--hp", count(1, 1000), "N", "The target's HP.  [default: all]"),
    option("--stages", str, "STAT+N,...", "The user's stages, such as attack+1."),
    option("--on-stages", str, "STAT+N,...", "The target's stages."),
    option("--times", count(1, 50), "N", "Most uses to count.", default=12),
    *TABLE,
)
def hit_command(asked: Any) -> None:
    """Print the chances of one action to hit and to knock out, and its damage.

    \b
    Examples:
      pucklab post hit --user murkrow --move slam --on golduck
      pucklab post hit --user cresceidon --move "splash down" --on deoxys --hp 40 --json
    """
    pair = [
        {"species": asked.user, "stages": _stages(asked.stages, "stages")},
        {"species": asked.on, "stages": _stages(asked.on_stages, "on_stages")},
    ]
    pair[1] |= {"hp": asked.hp} if asked.hp else {}
    setting = setting_from(pair_table(pair), read_catalogue(asked.data), "")
    battle, state = setting.battle, setting.state
    order = Reader(battle, 0).order(asked.move)
    used = battle.move(0, order) if order.form != "item" else None
    if used is None or not used.is_attack or used.target == "user":
        raise refusal("move", asked.move, "an attack on others")
    effect, hit, *_ = Course(battle, state).prepare_blow(0, 1, used)
    hit, dealt = hit * bool(effect), strike_odds(battle, state, 0, 1, order)
    left = state.fighters[1].hp
    uses = knock_outs(dealt, left, asked.times)
    words = "   ".join(f"{n}: {float(p):.4f}" for n, p in enumerate(uses, 1) if p >= 1e-4)
    own, foe = battle.roster
    show(
        asked,
        f"{own.name} uses {used.name} on {foe.name} ({left} HP): {float(100 * hit):g} % to hit, "
        f"effectiveness {float(effect):g}, mean damage {float(mean(dealt)):.4f}",
        [{"damage": damage, "chance": p} for damage, p in dealt.items],
        battle,
        f"knocked out within so many uses   {words or f'{len(uses)}: 0'}",
        hit=hit,
        mean=mean(dealt),
        hp=left,
        knocked_out=[Fraction(p) for p in uses],
    )


_SCORE = "Worth while nobody has won: half the difference of HP shares (share), or 0 (won)."
_SEARCH = (
    BATTLE,
    ORDER,
    option("--score", choice("share", "won"), "KIND", _SCORE, default="share"),
    option("--limit", count(1, 10_000_000), "N", "Most order sets, or pairs.", default=LIMIT),
    option("--top", count(1, 1000), "N", "Order sets to print.", default=10),
    *TABLE,
)


def _show_best(
    asked: Any, kind: str, setting: Setting, team: int, find: Callable[[Search], Any]
) -> None:
    """Show the best order sets that a search finds for a team."""
    battle = setting.battle

    def track_plans(plans: Sequence[Plan]) -> Iterator[Plan]:
        states = track(enumerate(plans, 1), lambda state: (state[0], len(plans)), "searching")
        return (plan for _, plan in states)

    answers = find(Search(battle, team, asked.score, asked.limit, track_plans))
    names = [one.name for one in battle.roster]

    def text(plan: Plan) -> str:
        return "; ".join(
            " / ".join(
                [f"{names[i]}: {orders_text(own, names)}", *(s.text for s in own.substitutions)]
            )
            for i, own in plan.items()
        )

    rows = []
    for n, (worth, plan, reply) in enumerate(answers[: asked.top], 1):
        row = {"rank": n, "worth": Fraction(worth), "orders": text(plan)}
        rows.append(row | ({"reply": text(reply)} if reply else {}))
    rest = ", and half the difference of HP shares where nobody has"
    show(
        asked,
        f"{kind} of {battle.teams[team]}: worth is the chance to have won less that to have lost"
        f"{rest * (asked.score == 'share')}; {len(answers)} order sets, the best:",
        rows,
        battle,
        order_sets=len(answers),
    )


@post_command("reply", *_SEARCH)
def reply_command(asked: Any) -> None:
    """Print the best orders against the orders of the one team that has posted some.

    \b
    Examples:
      pucklab post reply battle.toml
      pucklab post reply battle.toml --score won --top 3
    """
    setting = read_started_battle(asked)
    first, second = (given(setting, team) for team in (0, 1))
    if bool(first) == bool(second):
        raise InputError("orders: give those of one team, and none of the other")
    seen, team = first or second, int(not second)
    _show_best(asked, "replies", setting, team, lambda s: s.best_replies(setting.state, seen))


@post_command(
    "lead",
    option("--team", str, "NAME", "The team that orders.  [default: the first in the file]"),
    option(
        "--substitutions",
        count(0, 1),
        "N",
        "With 1, also each IF the other is to use X THEN use Y.",
        default=0,
    ),
    *_SEARCH,
)
def lead_command(asked: Any) -> None:
    """Print the orders that lose least when they are seen, with the reply that hurts most.

    \b
    Examples:
      pucklab post lead battle.toml
      pucklab post lead battle.toml --substitutions 1 --limit 100000
    """
    setting = read_started_battle(asked)
    teams = setting.battle.teams
    team, subs = asked.team or teams[0], asked.substitutions
    check_one_of("team", team, teams)
    own = teams.index(team)
    _show_best(
        asked, "leads", setting, own, lambda s: s.best_leads(setting.state, substitutions=subs)
    )


@post_command(
    "duel",
    click.argument("first", metavar="SPECIES[:MOVE,MOVE]"),
    click.argument("second", metavar="SPECIES[:MOVE,MOVE]"),
    option("--hp", numbers(1, 1000, size=2), "N,N", "HP at first.  [default: all]"),
    option("--steps", count(1, 3), "N", "Steps a round.", default=1),
    flag("--energy", "Count Energy; there are many more states then."),
    option("--limit", count(10, 10_000_000), "N", "Most states to look at.", default=5000),
    *TABLE,
)
def duel_command(asked: Any) -> None:
    """Print the exact odds of a duel, both playing their best with some moves.

    The teams take turns in ordering first. Without moves, a species may use all that it knows.
    A duel with too many states is refused, with what would make it small enough.

    \b
    Examples:
      pucklab post duel murkrow:slam golduck:jab --hp 30,30
      pucklab post duel murkrow:jab,slam golduck:jab --hp 12,20 --json
    """
    species, _, moves = zip(
        *(one.partition(":") for one in (asked.first, asked.second)), strict=True
    )
    fighters: list[dict[str, Any]] = [{"species": name} for name in species]
    for own, left in zip(fighters, asked.hp or (), strict=False):
        own["hp"] = int(left)
    table, rows = pair_table(fighters, steps=asked.steps, energy=asked.energy), []
    for team in table["team"]:
        began = setting_from({**table, "first": team["name"]}, read_catalogue(asked.data), "")
        setting = with_moves(began, moves)
        a, b = names = [one.name for one in setting.battle.roster]
        odds = duel_odds(setting.battle, setting.state, limit=asked.limit)
        lead = orders_text(next(iter(odds.first.values())), names)
        row = {"orders first": names[setting.state.posts[0]], "first orders": lead}
        rows.append({**row, f"{a} wins": Fraction(odds.won), f"{b} wins": 1 - Fraction(odds.won)})
    title = f"{a} against {b}, best play, {odds.states} states"
    show(asked, title, rows, setting.battle, states=odds.states)


@post_command(
    "pokemon",
    option("--species", str, "NAME", "A species of the data files."),
    option("--base", str, "HP/AT/DE/SA/SD/SP", "Base stats, from 1 to 255."),
    option("--nature", str, "NAME", "A Nature."),
    option("--kg", number(0, 1_000_000, "kg"), "KG", "Its weight."),
    option("--metres", number(0, 10_000, "m"), "M", "Its size."),
    option("--shape", choice(*SHAPES), "SHAPE", f"One of {', '.join(SHAPES)}.", default="any"),
    option("--exp", str, "LEVEL+EXP+EXP", "Level, EXP, and EXP of a battle, such as 2+5+7."),
    *TABLE,
)
def pokemon_command(asked: Any) -> None:
    """Print a stat line: of a species, or of base stats, with a Nature.

    \b
    Examples:
      pucklab post pokemon --base 80/32/111/88/99/124
      pucklab post pokemon --species deoxys --nature quiet
    """
    catalogue = read_catalogue(asked.data)
    species, base, nature = asked.species, asked.base, asked.nature
    if (species is None) == (base is None):
        raise InputError("species: give either --species or --base")
    if base is None:
        stats = catalogue.find("species", species, "species").line
    else:
        stats = stats_from_base([int(p) if p.isdigit() else 0 for p in base.split("/")])
    if nature:
        stats = with_nature(stats, catalogue.find("natures", nature, "nature"))
    row = {name: getattr(stats, name) for name in stats.__slots__}
    for name in ("accuracy", "exposed") if not nature else ():
        del row[name]
    if asked.kg is not None:
        row["weight class"] = weight_class(asked.kg)
    if asked.metres is not None:
        row["size class"] = size_class(asked.metres, asked.shape)
    if asked.exp is not None:
        if not re.fullmatch(r"[0-4]\+\d{1,3}\+\d{1,3}", asked.exp):
            raise refusal("exp", asked.exp, "Level, EXP and more EXP, such as 2+5+7")
        row["Level"], row["EXP"] = level_after(*map(int, asked.exp.split("+")))
    show(asked, f"{species or base}{', ' + nature if nature else ''}", [row])


@post_command(
    "check",
    click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE.toml..."),
)
def check_command(asked: Any) -> None:
    """Check data files and battle files, and tell their contents.

    \b
    Examples:
      pucklab post check moves.toml
      pucklab post check battle.toml --data moves.toml
    """
    for path in asked.files:
        table = read_toml("file", path)
        if "team" in table:
            setting = read_scenario(path, read_catalogue(asked.data))
            number_ = len(setting.battle.roster)
            text = f"a battle of {number_} Pokemon, {len(setting.orders)} with orders"
            text += setting.missing and f"; {setting.missing}"
        else:
            own = decode(Catalogue, table, f"file: {str(path)!r}")
            read_catalogue([*asked.data, path])
            words = (f"{len(part)} {name}" for name in TABLES if (part := getattr(own, name)))
            text = ", ".join(words) or "nothing"
        click.echo(f"{printable(path)}: {text}")
