"""``pucklab post``: single actions, rounds, best orders, duels, stat lines, files; all exact."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import click

from physics import InputError
from physics.decoding import check_one_of, decode
from physics.errors import refusal
from physics.parsing import csv_text, printable
from render.plots.figures import check_plot, save_plot
from render.plots.trail import distributions_figure
from sim.chance.distribution import Distribution, distribution, mean
from sim.cli.options import (
    PATH,
    add_options,
    choice,
    count,
    flag,
    number,
    numbers,
    option,
    seed_option,
)
from sim.cli.output import print_written
from sim.core.files import check_writable, read_toml, write_whole
from sim.experiments import run_to_end, wilson
from sim.experiments.view import print_stacked, table_console
from sim.post.catalogue import TABLES, Catalogue, name_key, read_catalogue
from sim.post.engine import Course
from sim.post.orders import Plan, Reader, orders_text
from sim.post.play import POLICIES, POST, Contest, contest_case
from sim.post.pokemon import SHAPES, size_class, stats_from_base, weight_class, with_nature
from sim.post.scenario import Setting, read_scenario, setting_from, with_moves
from sim.post.search import (
    LIMIT,
    Search,
    TooLargeError,
    duel_odds,
    knock_outs,
    round_odds,
    strike_odds,
)
from sim.post.state import OUT, RESERVE

DATA = option(
    "--data",
    PATH,
    "FILE.toml",
    "Data file, besides the house's; later ones replace.",
    multiple=True,
)
_BATTLE = click.argument("battle", type=PATH, metavar="BATTLE.toml")
_OUT = option("--out", PATH, "FILE.csv", "Save the table.")
_PLOT = option("--plot", PATH, "FILE", "Plot it (.png, .svg or .pdf).")
_JSON = flag("--json as_json", "Print JSON instead of a table.")
_EXACT = (_OUT, _PLOT, _JSON)


class Asked:
    """A question with an exact answer: its options by name, its files, and the files to write."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.__dict__.update({"battle": None, "out": None, "plot": None} | dict(options))
        inputs = (self.battle, *self.data)
        if self.out is not None:
            check_writable("out", self.out, (".csv",), inputs)
        if self.plot is not None:
            check_plot("plot", self.plot, inputs)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The data files."""
        return read_catalogue(self.data)

    @cached_property
    def setting(self) -> Setting:
        """The battle's file."""
        return read_scenario(self.battle, self.catalogue)

    def show(
        self,
        title: str,
        rows: Sequence[Mapping[str, Any]],
        plots: Mapping[str, Mapping[str, Distribution[Any]]] | None = None,
        after: str = "",
        **facts: Any,
    ) -> None:
        """Save, plot and print rows; ``facts`` are for JSON."""
        if self.out is not None:
            plain = ({k: _plain(v) for k, v in row.items()} for row in rows)
            write_whole(self.out, csv_text([*rows[0]], plain).encode())
        if self.plot is not None:
            panels = {
                label: [
                    (name, [(float(x), float(p)) for x, p in part.items])
                    for name, part in series.items()
                ]
                for label, series in (plots or {}).items()
            }
            save_plot(self.plot, distributions_figure, panels, title=title.partition(";")[0])
        if self.as_json:
            click.echo(json.dumps({**facts, "rows": rows}, indent=2, default=_both))
        else:
            cells = [{k: cell(v) for k, v in row.items()} for row in rows]
            click.echo(title)
            print_stacked(table_console(100), cells, left=("orders", "reply", "state"))
            click.echo(after, nl=bool(after))
        print_written(self.out, self.plot)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _both(value: Fraction) -> dict[str, Any]:
    return {"value": float(value), "fraction": str(value)}


def cell(value: Any) -> str:
    """Return a value as tables have it."""
    return f"{float(value):.6f}" if isinstance(value, Fraction | float) else str(value)


def exact(name: str, *options: Any) -> Callable[[Callable[[Asked], None]], click.Command]:
    """Return a decorator that makes a command of a function of what is asked."""

    def add(function: Callable[[Asked], None]) -> click.Command:
        def run(**given: Any) -> None:
            function(Asked(given))

        run.__doc__ = function.__doc__
        return click.command(name)(add_options(run, (*options, DATA)))

    return add


def pair_table(fighters: Sequence[Mapping[str, Any]], **match: Any) -> dict[str, Any]:
    """Return the table of a battle of two Pokemon, as a battle file has it."""
    same = len({name_key(own["species"]) for own in fighters}) == 1
    teams = []
    for n, own in enumerate(fighters, 1):
        name = own["species"][:30] + f" {n}" * same
        teams.append({"name": name, "pokemon": [{"name": name * same, **own}]})
    return {"match": match, "team": teams}


def state_text(setting: Setting, state: Any) -> str:
    """Return HP and conditions of the Pokemon that have been in play."""
    words = []
    for own, f in zip(setting.battle.roster, state.fighters, strict=True):
        held = "".join(f", {held.name}" for held in f.conditions)
        if f.place != RESERVE:
            words.append(f"{own.name} fainted" if f.place == OUT else f"{own.name} {f.hp}{held}")
    return "; ".join(words)


def _stages(text: str | None, field: str) -> dict[str, int]:
    """Return stages such as ``attack+1,speed-2``."""
    found = {}
    for part in text.split(",") if text else ():
        if not (given := re.fullmatch(r"(.+)([+-]\d+)", part)):
            raise refusal(field, part, "attack+1,speed-2 or so")
        found[name_key(given[1]).replace(" ", "_")] = int(given[2])
    return found


@exact(
    "hit",
    option("--user", str, "SPECIES", "Who acts.", required=True),
    option("--move", str, "MOVE", "Also A + B, or z-force A.", required=True),
    option("--on", str, "SPECIES", "On whom.", required=True),
    option("--hp", count(1, 1000), "N", "The target's HP.  [default: all]"),
    option("--stages", str, "STAT+N,...", "The user's stages, such as attack+1."),
    option("--on-stages", str, "STAT+N,...", "The target's stages."),
    option("--times", count(1, 50), "N", "Most uses to count.", default=12),
    *_EXACT,
)
def hit_command(asked: Asked) -> None:
    """Print the chance to hit, the damage and the chance to knock out, of one action.

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
    setting = setting_from(pair_table(pair), asked.catalogue, "")
    battle, state = setting.battle, setting.state
    order = Reader(battle, 0).order(asked.move)
    used = battle.move(0, order) if order.form != "item" else None
    if used is None or not used.is_attack or used.target == "user":
        raise refusal("move", asked.move, "an attack on others")
    effect, hit, *_ = Course(battle, state).prepared(0, 1, used)
    hit, dealt = hit * bool(effect), strike_odds(battle, state, 0, 1, order)
    left = state.fighters[1].hp
    uses = knock_outs(dealt, left, asked.times)
    words = "   ".join(f"{n}: {float(p):.4f}" for n, p in enumerate(uses, 1) if p >= 1e-4)
    own, foe = battle.roster
    asked.show(
        f"{own.name} uses {used.name} on {foe.name} ({left} HP): {float(100 * hit):g} % to hit, "
        f"effectiveness {float(effect):g}, mean damage {float(mean(dealt)):.4f}",
        [{"damage": damage, "chance": p} for damage, p in dealt.items],
        {"damage": {used.name: dealt}},
        f"knocked out within so many uses   {words or f'{len(uses)}: 0'}\n",
        hit=hit,
        mean=mean(dealt),
        hp=left,
        knocked_out=[Fraction(p) for p in uses],
    )


def _given(setting: Setting, team: int) -> Plan:
    """Return the orders that a file gives for a team's Pokemon in play; none if one has none."""
    own = Course(setting.battle, setting.state).active(team)
    return {i: setting.orders[i] for i in own} if setting.orders.keys() >= {*own} else {}


@exact(
    "round",
    _BATTLE,
    option("--top", count(1, 1000), "N", "Likeliest ends to print.", default=10),
    *_EXACT,
)
def round_command(asked: Asked) -> None:
    """Print what the orders of both teams can bring in a round, exactly.

    \b
    Examples:
      pucklab post round battle.toml
      pucklab post round battle.toml --plot hp.png
    """
    setting = asked.setting
    battle, roster = setting.battle, setting.battle.roster
    for t, team in enumerate(battle.teams):
        if not _given(setting, t):
            raise InputError(f"orders: team {team} has none; give orders for each Pokemon in play")
    ends = round_odds(battle, setting.state, setting.orders)
    seen: Counter[str] = Counter()
    won: dict[str, Any] = dict.fromkeys(battle.teams, Fraction(0))
    for state, p in ends.items():
        seen[state_text(setting, state)] += p  # type: ignore[assignment]
        if state.winner is not None:
            won[battle.teams[state.winner]] += p
    hp = {
        roster[i].name: distribution((state.fighters[i].hp, p) for state, p in ends.items())
        for i in Course(battle, setting.state).active()
    }
    words = ", ".join(f"{team} {cell(p)}" for team, p in won.items())
    means = ", ".join(f"{name} {float(mean(part)):.3f}" for name, part in hp.items())
    asked.show(
        f"chance to have won: {words}; mean HP: {means}; {len(seen)} ends, the likeliest:",
        [{"chance": p, "state": text} for text, p in seen.most_common(asked.top)],
        {"HP": hp},
        won=won,
        hp={name: dict(part.items) for name, part in hp.items()},
        ends=len(seen),
    )


_SEARCH = (
    option(
        "--score",
        choice("share", "won"),
        "KIND",
        "Where nobody has won: half the difference of HP shares (share), or nothing (won).",
        default="share",
    ),
    option("--limit", count(1, 10_000_000), "N", "Most order sets, or pairs.", default=LIMIT),
    option("--top", count(1, 1000), "N", "Order sets to print.", default=10),
    *_EXACT,
)


def _show_best(asked: Asked, kind: str, team: int, find: Callable[[Search], Any]) -> None:
    """Show the best order sets that a search finds for a team."""
    battle = asked.setting.battle
    answers = find(Search(battle, team, asked.score, asked.limit))
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
    worths = Counter(float(answer.worth) for answer in answers)
    part = distribution((worth, Fraction(n, len(answers))) for worth, n in worths.items())
    rest = ", and half the difference of HP shares where nobody has"
    asked.show(
        f"{kind} of {battle.teams[team]}: worth is the chance to have won less that to have lost"
        f"{rest * (asked.score == 'share')}; {len(answers)} order sets, the best:",
        rows,
        {"worth": {"order sets": part}},
        order_sets=len(answers),
    )


@exact("reply", _BATTLE, *_SEARCH)
def reply_command(asked: Asked) -> None:
    """Print the best orders against orders seen: those of the one team that has any in the file.

    \b
    Examples:
      pucklab post reply battle.toml
      pucklab post reply battle.toml --score won --top 3
    """
    setting = asked.setting
    first, second = (_given(setting, team) for team in (0, 1))
    if bool(first) == bool(second):
        raise InputError("orders: give those of one team, and none of the other")
    seen = first or second
    _show_best(asked, "replies", int(not second), lambda s: s.best_replies(setting.state, seen))


@exact(
    "lead",
    _BATTLE,
    option("--team", str, "NAME", "Who orders.  [default: the first in the file]"),
    option(
        "--substitutions",
        count(0, 1),
        "N",
        "With 1, also each IF the other is to use X THEN use Y.",
        default=0,
    ),
    *_SEARCH,
)
def lead_command(asked: Asked) -> None:
    """Print the orders that lose least when they are seen, with the reply that hurts most.

    \b
    Examples:
      pucklab post lead battle.toml
      pucklab post lead battle.toml --substitutions 1 --limit 100000
    """
    setting, teams = asked.setting, asked.setting.battle.teams
    team = teams[0] if asked.team is None else asked.team
    check_one_of("team", team, teams)
    subs = asked.substitutions
    _show_best(
        asked,
        "leads",
        teams.index(team),
        lambda search: search.best_leads(setting.state, substitutions=subs),
    )


@exact(
    "duel",
    click.argument("first", metavar="SPECIES[:MOVE,...]"),
    click.argument("second", metavar="SPECIES[:MOVE,...]"),
    option("--hp", numbers(1, 1000, size=2), "N,N", "HP at first.  [default: all]"),
    option("--steps", count(1, 3), "N", "Steps a round.", default=1),
    flag("--energy", "Count Energy; there are many more states then."),
    option("--limit", count(10, 10_000_000), "N", "Most states to look at.", default=5000),
    option(
        "--battles", count(0, 1_000_000), "N", "Battles to play where it has more.", default=1000
    ),
    option("--policy", choice(*POLICIES), "KIND", "How both play those.", default="greedy"),
    seed_option("Seed of those."),
    _OUT,
    _JSON,
)
def duel_command(asked: Asked) -> None:
    """Print the exact odds of a duel, both playing their best with some moves.

    Who orders first changes with each round. Without moves, all are allowed that a species knows.
    With too many states for that, it is simulated, and both play by a policy; it says so. With
    --battles 0 it is refused then.

    \b
    Examples:
      pucklab post duel murkrow:slam golduck:jab --hp 30,30
      pucklab post duel murkrow:jab,slam golduck:jab --hp 12,20 --json
    """
    species, _, moves = zip(
        *(one.partition(":") for one in (asked.first, asked.second)), strict=True
    )
    fighters = [{"species": name} for name in species]
    if asked.hp:
        fighters = [{**own, "hp": int(hp)} for own, hp in zip(fighters, asked.hp, strict=True)]
    table = pair_table(fighters, steps=asked.steps, energy=asked.energy)
    settings = [
        with_moves(setting_from({**table, "first": team["name"]}, asked.catalogue, ""), moves)
        for team in table["team"]
    ]
    a, b = names = [one.name for one in settings[0].battle.roster]
    heads: list[dict[str, Any]] = [{"orders first": name} for name in names]
    battles = asked.battles
    try:
        found = [duel_odds(one.battle, one.state, limit=asked.limit) for one in settings]
    except TooLargeError:
        if not battles:
            raise
    else:
        rows = [
            {"first orders": orders_text(next(iter(odds.first.values())), names)}
            | {f"{a} wins": odds.won, f"{b} wins": 1 - odds.won}
            for odds in found
        ]
        states = found[0].states
        title = f"{a} against {b}, best play, {states} states"
        asked.show(title, list(map(dict.__or__, heads, rows)), states=states, exact=True)
        return
    contests = [Contest(setting=one, policies=(asked.policy,) * 2) for one in settings]
    cases = [contest_case(one) for one in contests]
    for head, tally in zip(
        heads, run_to_end(POST, cases, trials=battles, seed=asked.seed).tallies(), strict=True
    ):
        won, lost = (wilson(wins, battles) for wins in tally.wins)
        head |= {f"{a} wins": won.value, "low": won.low, "high": won.high, f"{b} wins": lost.value}
        head["undecided"] = battles - sum(tally.wins)
    title = f"{a} against {b}, too many states for best play, so simulated; {battles} battles each"
    title += f", both {asked.policy}, with 95 % interval"
    asked.show(title, heads, battles=battles, policy=asked.policy, exact=False)


@exact(
    "pokemon",
    option("--species", str, "NAME", "A species of the data files."),
    option("--base", str, "HP/AT/DE/SA/SD/SP", "Base stats, from 1 to 255."),
    option("--nature", str, "NAME", "A Nature."),
    option("--kg", number(0, 1_000_000, "kg"), "KG", "Its weight."),
    option("--metres", number(0, 10_000, "m"), "M", "Its size."),
    option("--shape", choice(*SHAPES), "SHAPE", f"One of {', '.join(SHAPES)}.", default="any"),
    _OUT,
    _JSON,
)
def pokemon_command(asked: Asked) -> None:
    """Print a stat line: of a species, or of base stats, with a Nature.

    \b
    Examples:
      pucklab post pokemon --base 80/32/111/88/99/124
      pucklab post pokemon --species deoxys --nature quiet
    """
    species, base, nature = asked.species, asked.base, asked.nature
    if (species is None) == (base is None):
        raise InputError("species: give either --species or --base")
    if base is None:
        stats = asked.catalogue.find("species", species, "species").line
    else:
        stats = stats_from_base([int(p) if p.isdigit() else 0 for p in base.split("/")])
    if nature:
        stats = with_nature(stats, asked.catalogue.find("natures", nature, "nature"))
    row = {name: getattr(stats, name) for name in stats.__slots__}
    for name in ("accuracy", "exposed") if not nature else ():
        del row[name]
    if asked.kg is not None:
        row["weight class"] = weight_class(asked.kg)
    if asked.metres is not None:
        row["size class"] = size_class(asked.metres, asked.shape)
    asked.show(f"{species or base}{', ' + nature if nature else ''}", [row])


@exact("check", click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE.toml..."))
def check_command(asked: Asked) -> None:
    """Check data files and battle files, and say what is in them.

    \b
    Examples:
      pucklab post check moves.toml
      pucklab post check battle.toml --data moves.toml
    """
    for path in asked.files:
        table = read_toml("file", path)
        if "team" in table:
            setting = read_scenario(path, asked.catalogue)
            number_ = len(setting.battle.roster)
            text = f"a battle of {number_} Pokemon, {len(setting.orders)} with orders"
        else:
            own = decode(Catalogue, table, f"file: {str(path)!r}")
            read_catalogue([*asked.data, path])
            words = (f"{len(part)} {name}" for name in TABLES if (part := getattr(own, name)))
            text = ", ".join(words) or "nothing"
        click.echo(f"{printable(path)}: {text}")
