"""``pucklab post``: battles by post: single actions, rounds, replies, whole battles."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from physics import InputError, trial_generator
from physics.decoding import decode
from physics.errors import shown
from physics.parsing import printable
from render.plots.figures import check_plot, save_plot
from render.plots.trail import distributions_figure
from sim.chance.distribution import Distribution, distribution, mean
from sim.cli.experiments import Run, experiment_options
from sim.cli.options import choice, count, number, numbers, refuse_others
from sim.cli.output import print_stacked, print_written, table_console
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.core.files import check_writable, read_toml, write_whole
from sim.experiments import ResultTable, run_to_end, wilson
from sim.post.catalogue import TABLES, Catalogue, name_key, read_catalogue
from sim.post.engine import Course, Note
from sim.post.orders import Reader, orders_text
from sim.post.play import (
    POLICIES,
    POST,
    BattleTally,
    Contest,
    contest_case,
    decisions,
    play_battle,
    rolling,
)
from sim.post.pokemon import SHAPES, size_class, stats_from_base, weight_class, with_nature
from sim.post.record import read_record, record_json, replayed
from sim.post.scenario import Setting, read_scenario, setting_from, with_moves
from sim.post.search import (
    LIMIT,
    Answer,
    Plan,
    Search,
    TooLargeError,
    duel_odds,
    knock_outs,
    round_odds,
    strike_odds,
)
from sim.post.state import State

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PATH = click.Path(path_type=Path)
_STAT_KEYS = ("hp", "attack", "defense", "special_attack", "special_defense", "speed")
_TEXTS = {
    "round": "-- round {0}",
    "roll": "  {0}",
    "damage": "{who} loses {0} HP",
    "heals": "{who} heals {0} HP",
    "loses": "{who} loses {0} HP by {1}",
    "stage": "{who}'s {0} stage is {1}",
    "misses": "{who} misses",
    "cannot": "{who} cannot act: {0}",
    "fails by": "{who} fails: {0}",
    "takes": "{who} is given {0}",
    "substitution": "{who} changes orders: {0}",
    "wins": "{who} wins",
}
"""Texts of events; others are told as they come."""


@click.group("post")
def command() -> None:
    """Battle-By-Post: a turn-based battle of orders, by its odds.

    The second poster sees the orders of the first; nobody sees the dice.

    \b
    Examples:
      pucklab post hit --user murkrow --move slam --on golduck
      pucklab post duel murkrow:slam golduck:jab --hp 30,30
      pucklab post play murkrow golduck --policy greedy,search
    """


def _option(name: str, kind: Any, metavar: str, about: str, **more: Any) -> Callable[[Any], Any]:
    shown_too = "default" in more
    return click.option(
        name, type=kind, metavar=metavar, help=about, show_default=shown_too, **more
    )


def _options(
    *more: Callable[[Any], Any], saved: bool = True, plotted: bool = True
) -> Callable[[_Function], _Function]:
    """Return a decorator that adds options, and those of data files and of exact answers."""
    about = "Data file, besides the house's; later ones replace."
    options = [*more, _option("--data", _PATH, "FILE.toml", about, multiple=True)]
    if saved:
        options += [_option("--out", _PATH, "FILE.csv", "Save the table.")]
        if plotted:
            options += [_option("--plot", _PATH, "FILE", "Plot it (.png, .svg or .pdf).")]
        about = "Print JSON instead of a table."
        options += [click.option("--json", "as_json", is_flag=True, help=about)]

    def add(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


class _Files(NamedTuple):
    """Where an exact answer goes; checked before it is computed."""

    out: Path | None
    as_json: bool
    plot: Path | None = None

    def checked(self, inputs: Iterable[Path]) -> "_Files":
        if self.out is not None:
            check_writable("out", self.out, (".csv",), tuple(inputs))
        if self.plot is not None:
            check_plot("plot", self.plot, tuple(inputs))
        return self

    def show(
        self,
        title: str,
        rows: Sequence[Mapping[str, Any]],
        *,
        plots: Mapping[str, Mapping[str, Distribution[Any]]] | None = None,
        after: str = "",
        **facts: Any,
    ) -> None:
        """Save, plot and print rows; ``facts`` are for JSON."""
        if self.out is not None:
            text = io.StringIO()
            writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows({k: _plain(v) for k, v in row.items()} for row in rows)
            write_whole(self.out, text.getvalue().encode())
        if self.plot is not None:
            head = title.partition(";")[0]
            save_plot(
                self.plot,
                distributions_figure,
                {
                    label: [
                        (name, [(float(x), float(p)) for x, p in part.items])
                        for name, part in series.items()
                    ]
                    for label, series in (plots or {}).items()
                },
                title=head,
            )
        if self.as_json:
            told = {name: _both(value) for name, value in facts.items()}
            told["rows"] = [{k: _both(v) for k, v in row.items()} for row in rows]
            click.echo(json.dumps(told, indent=2))
        else:
            click.echo(title)
            cells = [{k: _cell(v) for k, v in row.items()} for row in rows]
            print_stacked(table_console(100), cells, left=("orders", "reply", "state"))
            click.echo(after) if after else None
        print_written(self.out, self.plot)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _cell(value: Any) -> str:
    return f"{float(value):.6f}" if isinstance(value, Fraction | float) else str(value)


def _both(value: Any) -> Any:
    """Return a number for JSON, and as a fraction if it is one."""
    if isinstance(value, Fraction):
        return {"value": float(value), "fraction": str(value)}
    return value


def _table(fighters: Sequence[Mapping[str, Any]], **match: Any) -> dict[str, Any]:
    """Return the table of a battle of two Pokemon, as a battle file has it."""
    same = len({name_key(own["species"]) for own in fighters}) == 1
    names = [own["species"][:30] + f" {n}" * same for n, own in enumerate(fighters, 1)]
    teams = [
        {"name": name, "pokemon": [{**({"name": name} if same else {}), **own}]}
        for name, own in zip(names, fighters, strict=True)
    ]
    return {"match": match, "team": teams}


def _stages(text: str | None, field: str) -> dict[str, int]:
    """Return stages such as ``attack+1,speed-2``."""
    found = {}
    for part in text.split(",") if text else ():
        if not (given := re.fullmatch(r"(.+)([+-]\d+)", part)):
            raise InputError(f"{field}: {shown(part)} is not accepted; give attack+1,speed-2 or so")
        found[name_key(given[1]).replace(" ", "_")] = int(given[2])
    return found


@command.command("hit")
@_options(
    _option("--user", str, "SPECIES", "Who acts.", required=True),
    _option("--move", str, "MOVE", "Also A + B, or z-force A.", required=True),
    _option("--on", str, "SPECIES", "On whom.", required=True),
    _option("--hp", count(1, 1000), "N", "The target's HP.  [default: all]"),
    _option("--stages", str, "STAT+N,...", "The user's stages, such as attack+1."),
    _option("--on-stages", str, "STAT+N,...", "The target's stages."),
    _option("--times", count(1, 50), "N", "Most uses to count.", default=12),
)
def hit_command(
    *,
    user: str,
    move: str,
    on: str,
    hp: int | None,
    stages: str | None,
    on_stages: str | None,
    times: int,
    data: Sequence[Path],
    **files: Any,
) -> None:
    """Print the chance to hit, the damage and the chance to knock out, of one action.

    \b
    Examples:
      pucklab post hit --user murkrow --move slam --on golduck
      pucklab post hit --user cresceidon --move "splash down" --on deoxys --hp 40 --json
    """
    written = _Files(**files).checked(data)
    catalogue = read_catalogue(data)
    attacker = {"species": user, "stages": _stages(stages, "stages")}
    defender = {"species": on, "stages": _stages(on_stages, "on_stages")}
    setting = setting_from(_table([attacker, defender | ({"hp": hp} if hp else {})]), catalogue, "")
    battle, state = setting.battle, setting.state
    order = Reader(battle, 0).order(move)
    used = battle.move(0, order) if order.form != "item" else None
    if used is None or not used.is_attack or used.target == "user":
        raise InputError(f"move: {shown(move)} is not accepted; give an attack on others")
    course = Course(battle, state)
    dealt = strike_odds(battle, state, 0, 1, order)
    hit = course.chance_to_hit(0, 1, used) if course.effect_on(1, used) else Fraction(0)
    own, foe = battle.roster
    left = state.fighters[1].hp
    uses = knock_outs(dealt, left, times)
    rows = [{"damage": damage, "chance": p} for damage, p in dealt.items]
    words = "   ".join(f"{n}: {float(p):.4f}" for n, p in enumerate(uses, 1) if p >= 1e-4)
    written.show(
        f"{own.name} uses {used.name} on {foe.name} ({left} HP): {float(100 * hit):g} % to hit, "
        f"effectiveness {float(course.effect_on(1, used)):g}, mean damage {float(mean(dealt)):.4f}",
        rows,
        plots={"damage": {used.name: dealt}},
        after=f"knocked out within so many uses   {words or f'{len(uses)}: 0'}",
        hit=hit,
        mean=mean(dealt),
        hp=left,
        knocked_out=[_both(Fraction(p)) for p in uses],
    )


def _given(setting: Setting, team: int) -> Plan:
    """Return the orders that a file gives for a team's Pokemon in play; none if one has none."""
    course = Course(setting.battle, setting.state)
    found = {i: own for i in course.active(team) if (own := setting.orders[i]) is not None}
    return found if len(found) == len(course.active(team)) else {}


def _state_text(setting: Setting, state: Any) -> str:
    names = [one.name for one in setting.battle.roster]
    words = []
    for name, f in zip(names, state.fighters, strict=True):
        if f.place != -2:
            held = "".join(f", {held.name}" for held in f.conditions)
            words.append(f"{name} {f.hp}{held}" if f.place > -3 else f"{name} fainted")
    return "; ".join(words)


@command.command("round")
@click.argument("battle", type=_PATH, metavar="BATTLE.toml")
@_options(_option("--top", count(1, 1000), "N", "Likeliest ends to print.", default=10))
def round_command(*, battle: Path, top: int, data: Sequence[Path], **files: Any) -> None:
    """Print what the orders of both teams can bring in a round, exactly.

    \b
    Examples:
      pucklab post round battle.toml
      pucklab post round battle.toml --plot hp.png
    """
    written = _Files(**files).checked([battle, *data])
    setting = read_scenario(battle, read_catalogue(data))
    for t, team in enumerate(setting.battle.teams):
        if not _given(setting, t):
            raise InputError(f"orders: team {team} has none; give orders for each Pokemon in play")
    ends = round_odds(setting.battle, setting.state, setting.orders)
    seen: Counter[str] = Counter()
    won: Counter[int | None] = Counter()
    for state, p in ends.items():
        seen[_state_text(setting, state)] += p  # type: ignore[assignment]
        won[state.winner] += p  # type: ignore[assignment]
    rows = [{"chance": p, "state": text} for text, p in seen.most_common(top)]
    active = Course(setting.battle, setting.state).active()
    hp = {
        setting.battle.roster[i].name: distribution(
            (state.fighters[i].hp, p) for state, p in ends.items()
        )
        for i in active
    }
    words = ", ".join(
        f"{team} {_cell(Fraction(won[t]))}" for t, team in enumerate(setting.battle.teams)
    )
    means = ", ".join(f"{name} {float(mean(part)):.3f}" for name, part in hp.items())
    written.show(
        f"chance to have won: {words}; mean HP: {means}; {len(seen)} ends, the likeliest:",
        rows,
        plots={"HP": hp},
        won={team: _both(Fraction(won[t])) for t, team in enumerate(setting.battle.teams)},
        hp={name: {str(x): _both(p) for x, p in part.items} for name, part in hp.items()},
        ends=len(seen),
    )


_SEARCH = (
    _option(
        "--score",
        choice("share", "won"),
        "KIND",
        "Where nobody has won: half the difference of HP shares (share), or nothing (won).",
        default="share",
    ),
    _option("--limit", count(1, 10_000_000), "N", "Most order sets, or pairs.", default=LIMIT),
    _option("--top", count(1, 1000), "N", "Order sets to print.", default=10),
)


def _show_answers(
    written: _Files, setting: Setting, answers: Sequence[Answer], top: int, about: str
) -> None:
    names = [one.name for one in setting.battle.roster]

    def text(plan: Plan) -> str:
        return "; ".join(
            " / ".join(
                [f"{names[i]}: {orders_text(own, names)}", *(sub.text for sub in own.substitutions)]
            )
            for i, own in plan.items()
        )

    rows = []
    for n, answer in enumerate(answers[:top], 1):
        row = {"rank": n, "worth": Fraction(answer.worth), "orders": text(answer.plan)}
        rows.append(row | ({"reply": text(answer.reply)} if answer.reply else {}))
    worths = Counter(float(answer.worth) for answer in answers)
    part = distribution((worth, Fraction(n, len(answers))) for worth, n in worths.items())
    written.show(
        f"{about}; {len(answers)} order sets, the best:",
        rows,
        plots={"worth": {"order sets": part}},
        order_sets=len(answers),
    )


def _worth(score: str) -> str:
    rest = ", and half the difference of HP shares where nobody has" if score == "share" else ""
    return f"worth is the chance to have won less that to have lost{rest}"


@command.command("reply")
@click.argument("battle", type=_PATH, metavar="BATTLE.toml")
@_options(*_SEARCH)
def reply_command(
    *, battle: Path, score: Any, limit: int, top: int, data: Sequence[Path], **files: Any
) -> None:
    """Print the best orders against orders seen: those of the one team that has any in the file.

    \b
    Examples:
      pucklab post reply battle.toml
      pucklab post reply battle.toml --score won --top 3
    """
    written = _Files(**files).checked([battle, *data])
    setting = read_scenario(battle, read_catalogue(data))
    given = [_given(setting, team) for team in (0, 1)]
    if all(given) or not any(given):
        raise InputError("orders: give those of one team, and none of the other")
    team = 0 if given[1] else 1
    answers = Search(setting.battle, team, score, limit).best_replies(
        setting.state, given[1 - team]
    )
    _show_answers(
        written, setting, answers, top, f"replies of {setting.battle.teams[team]}: {_worth(score)}"
    )


@command.command("lead")
@click.argument("battle", type=_PATH, metavar="BATTLE.toml")
@_options(
    _option("--team", str, "NAME", "Who orders.  [default: the first in the file]"),
    _option(
        "--substitutions",
        count(0, 1),
        "N",
        "With 1, also each IF the other is to use X THEN use Y.",
        default=0,
    ),
    *_SEARCH,
)
def lead_command(
    *,
    battle: Path,
    team: str | None,
    substitutions: int,
    score: Any,
    limit: int,
    top: int,
    data: Sequence[Path],
    **files: Any,
) -> None:
    """Print the orders that lose least when they are seen, with the reply that hurts most.

    \b
    Examples:
      pucklab post lead battle.toml
      pucklab post lead battle.toml --substitutions 1 --limit 100000
    """
    written = _Files(**files).checked([battle, *data])
    setting = read_scenario(battle, read_catalogue(data))
    teams = setting.battle.teams
    if team is not None and team not in teams:
        raise InputError(f"team: {shown(team)} is not accepted; give one of {', '.join(teams)}")
    search = Search(setting.battle, teams.index(team) if team else 0, score, limit)
    answers = search.best_leads(setting.state, substitutions=substitutions)
    _show_answers(written, setting, answers, top, f"leads of {teams[search.team]}: {_worth(score)}")


@command.command("duel")
@click.argument("first", metavar="SPECIES[:MOVE,...]")
@click.argument("second", metavar="SPECIES[:MOVE,...]")
@_options(
    _option("--hp", numbers(1, 1000, size=2), "N,N", "HP at first.  [default: all]"),
    _option("--steps", count(1, 3), "N", "Steps a round.", default=1),
    click.option("--energy", is_flag=True, help="Count Energy; there are many more states then."),
    _option("--limit", count(10, 10_000_000), "N", "Most states to look at.", default=5000),
    _option(
        "--battles", count(0, 1_000_000), "N", "Battles to play where it has more.", default=1000
    ),
    _option("--policy", choice(*POLICIES), "KIND", "How both play those.", default="greedy"),
    _option("--seed", count(0, 2**63 - 1), "N", "Seed of those.", default=1),
    plotted=False,
)
def duel_command(
    *,
    first: str,
    second: str,
    hp: tuple[float, ...] | None,
    steps: int,
    energy: bool,
    limit: int,
    battles: int,
    policy: str,
    seed: int,
    data: Sequence[Path],
    **files: Any,
) -> None:
    """Print the exact odds of a duel, both playing their best with some moves.

    Who orders first changes with each round. Without moves, all are allowed that a species knows.
    With too many states for that, it is simulated, and both play by a policy; it says so. With
    --battles 0 it is refused then.

    \b
    Examples:
      pucklab post duel murkrow:slam golduck:jab --hp 30,30
      pucklab post duel murkrow:jab,slam golduck:jab --hp 12,20 --json
    """
    written = _Files(**files).checked(data)
    fighters: list[dict[str, Any]] = []
    moves: list[str] = []
    for n, text in enumerate((first, second)):
        species, _, texts = text.partition(":")
        fighters.append({"species": species} | ({"hp": int(hp[n])} if hp else {}))
        moves.append(texts)
    table, catalogue = _table(fighters, steps=steps, energy=energy), read_catalogue(data)
    settings = [
        with_moves(setting_from({**table, "first": team["name"]}, catalogue, ""), moves)
        for team in table["team"]
    ]
    names = [one.name for one in settings[0].battle.roster]
    try:
        found = [duel_odds(one.battle, one.state, limit=limit) for one in settings]
    except TooLargeError:
        if not battles:
            raise
        _show_simulated(written, settings, (policy, policy), battles, seed)
        return
    rows = [
        {
            "orders first": name,
            "first orders": orders_text(next(iter(odds.first.values())), names),
            f"{names[0]} wins": odds.won,
            f"{names[1]} wins": 1 - odds.won,
        }
        for name, odds in zip(names, found, strict=True)
    ]
    title = f"{names[0]} against {names[1]}, best play, {found[0].states} states"
    written.show(title, rows, states=found[0].states, exact=True)


def _show_simulated(
    written: _Files, settings: Sequence[Setting], kinds: tuple[str, ...], battles: int, seed: int
) -> None:
    """Show a duel that is too large for the exact answer, by whole battles of a policy."""
    cases = [contest_case(Contest(setting=one, policies=kinds)) for one in settings]
    a, b = names = [one.name for one in settings[0].battle.roster]
    rows = []
    tallies = run_to_end(POST, cases, trials=battles, seed=seed).tallies()
    for name, tally in zip(names, tallies, strict=True):
        won, lost = (wilson(wins, battles) for wins in tally.wins)
        row = {f"{a} wins": won.value, "low": won.low, "high": won.high, f"{b} wins": lost.value}
        rows.append({"orders first": name, **row, "undecided": battles - sum(tally.wins)})
    title = f"{a} against {b}, too many states for best play, so simulated"
    title += f"; {battles} battles each, both {kinds[0]}, with 95 % interval"
    written.show(title, rows, battles=battles, policy=kinds[0], exact=False)


class _Person:
    """Decides for a team at the terminal; what is not accepted is asked for again."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def __call__(self, kind: str, course: Course, team: int, given: Any) -> Any:
        """Ask for orders, a replacement, or switches."""
        battle = self._setting.battle
        names = [one.name for one in battle.roster]
        if kind == "replacement":
            return names.index(
                self._ask(
                    f"send which of {', '.join(names[k] for k in given)}?",
                    [names[k] for k in given],
                )
            )
        if kind == "switches":
            own, bench = course.active(team), course.sendable(team)
            pairs = {f"{names[a]} for {names[b]}": {a: b} for a in own for b in bench}
            text = self._ask(f"switch? no, or one of {'; '.join(pairs)}", ["no", *pairs])
            return pairs.get(text, {})
        click.echo(_state_text(self._setting, course.frozen()))
        for i, seen in given.items():
            more = "".join(f"; {sub.text}" for sub in seen.substitutions)
            click.echo(f"{names[i]} is ordered: {orders_text(seen, names)}{more}")
        found = {}
        for i in course.active(team):
            known = ", ".join([*battle.roster[i].moves, "aim", "chill", "struggle"])
            while i not in found:
                text = self._typed(
                    f"{names[i]}: {course.state.steps} actions of {known}; then "
                    "substitutions after semicolons"
                )
                try:
                    main, *subs = text.split(";")
                    found[i] = Reader(battle, i).orders(main, subs, steps=course.state.steps)
                except InputError as error:
                    click.echo(str(error))
        return found

    def _ask(self, question: str, accepted: Sequence[str]) -> str:
        while (text := self._typed(question)) not in accepted:
            click.echo(f"{shown(text)} is not accepted; give one of {', '.join(accepted)}")
        return text

    def _typed(self, question: str) -> str:
        text = str(click.prompt(question, prompt_suffix=" > ")).strip()
        if text.lower() in {"q", "quit"}:
            raise click.Abort
        return text


@command.command("play")
@click.argument("battle", nargs=-1, metavar="[BATTLE.toml|SPECIES SPECIES]")
@_options(
    _option(
        "--policy",
        str,
        "KIND,KIND",
        "greedy, random, search, =MOVE or person, by team.",
        default="greedy,greedy",
    ),
    click.option("--verbose", is_flag=True, help="Tell one battle roll by roll."),
    _option("--save", _PATH, "FILE.json", "Write the record of the one battle."),
    _option("--replay", _PATH, "FILE.json", "Tell the battle of a record instead."),
    saved=False,
)
@experiment_options(
    "battles",
    1000,
    most=10_000_000,
    about="Battles to play.",
    doing="play",
    seed="Seed; same seed, same battles.",
    plot="Plot the number of rounds (.png, .svg or .pdf).",
)
def play_command(
    *,
    battle: Sequence[str],
    policy: str,
    verbose: bool,
    save: Path | None,
    replay: Path | None,
    data: Sequence[Path],
    run: Run,
) -> int:
    """Play whole battles by policies and count who wins; or one, as a person at the terminal.

    Greedy deals the most damage, search takes the best orders of the round where it can look
    through them all, =MOVE uses one action for ever. A person types orders, or quit.

    \b
    Examples:
      pucklab post play murkrow golduck --battles 200
      pucklab post play teams.toml --policy greedy,random --verbose --save battle.json
      pucklab post play --replay battle.json
      pucklab post play murkrow golduck --policy person,greedy
    """
    if replay is not None:
        refuse_others(("replay", "verbose"), "replay; the record has its own")
        setting, record = read_record(replay)
        return _tell(setting, lambda note: replayed(setting, record, note))
    paths = [Path(battle[0])] if len(battle) == 1 else []
    run.check([*paths, *data])
    if len(battle) not in {1, 2}:
        raise InputError(f"battle: {len(battle)} are not accepted; give a file, or two species")
    catalogue = read_catalogue(data)
    setting = (
        read_scenario(paths[0], catalogue)
        if paths
        else setting_from(_table([{"species": name} for name in battle]), catalogue, "")
    )
    kinds = _policies(policy, setting)
    if verbose or "person" in kinds:
        if run.as_json and "person" in kinds:
            raise InputError("json: not accepted with a policy of person")
        if save is not None:
            check_writable("save", save, (".json",), (*paths, *data))
        return _tell(setting, lambda note: _played(setting, kinds, run.seed, save, note))
    if save is not None:
        raise InputError("save: one battle only is saved; give --verbose, too")
    contest = Contest(setting=setting, policies=kinds)
    return run.collect(POST, [contest_case(contest)]).finish(
        lambda table: _show_battles(setting, kinds, table),
        plot=lambda path, table: save_plot(
            path,
            distributions_figure,
            {"rounds": [("battles", _rounds(table.tallies()[0]))]},
            title="length of battles",
        ),
    )


def _policies(text: str, setting: Setting) -> tuple[str, ...]:
    """Return the policies of both teams; one is for both."""
    kinds = tuple(kind.strip() for kind in text.split(","))
    kinds = kinds * 2 if len(kinds) == 1 else kinds
    if len(kinds) != 2:
        raise InputError(f"policy: {shown(text)} is not accepted; give one or two")
    for team, kind in enumerate(kinds):
        if kind != "person":
            decisions(kind, trial_generator(0, 0))
        for i, own in enumerate(setting.battle.roster):
            if kind[:1] == "=" and own.team == team:
                Reader(setting.battle, i).order(kind[1:])
    return kinds


def _rounds(tally: BattleTally) -> list[tuple[float, float]]:
    return sorted((int(n), seen / tally.trials) for n, seen in tally.rounds.items())


def _show_battles(setting: Setting, kinds: Sequence[str], table: ResultTable[BattleTally]) -> None:
    tally = table.tallies()[0]
    rows = [
        {"team": team, "policy": kind, "won": wins, "chance": f"{wins / tally.trials:.4f}"}
        for team, kind, wins in zip(setting.battle.teams, kinds, tally.wins, strict=True)
    ]
    rounds = sum(n * p for n, p in _rounds(tally))
    click.echo(f"{tally.trials} battles, {rounds:.2f} rounds on average")
    print_stacked(table_console(100), [{k: str(v) for k, v in row.items()} for row in rows])


def _played(
    setting: Setting, kinds: Sequence[str], seed: int, save: Path | None, note: Note
) -> State:
    """Play one battle to its end, and save its record."""
    rng = trial_generator(seed, 0)
    choose = [_Person(setting) if kind == "person" else decisions(kind, rng) for kind in kinds]
    end, events = play_battle(setting.battle, setting.state, choose, rolling(rng, note), note)
    if save is not None:
        write_whole(save, record_json(setting, events, end).encode())
        print_written(save)
    return end


def _tell(setting: Setting, play: Callable[[Note], State]) -> int:
    """Tell one battle, event by event."""
    battle = setting.battle
    names = [one.name for one in battle.roster]

    def note(kind: str, i: int, *more: Any) -> None:
        who = f"{battle.teams[i]}" if kind == "wins" else names[i]
        text = _TEXTS.get(kind, "{who} {kind} " + " ".join(map(str, more)))
        click.echo(text.format(*more, who=who, kind=kind).rstrip())

    try:
        state = play(note)
    except (KeyboardInterrupt, click.Abort):
        report_stop("before the end of the battle")
        return EXIT_STOPPED
    click.echo(_state_text(setting, state))
    if state.winner is None:
        click.echo(f"undecided after {battle.match.max_rounds} rounds")
    return 0


@command.command("pokemon")
@_options(
    _option("--species", str, "NAME", "A species of the data files."),
    _option("--base", str, "HP/AT/DE/SA/SD/SP", "Base stats, from 1 to 255."),
    _option("--nature", str, "NAME", "A Nature."),
    _option("--kg", number(0, 1_000_000, "kg"), "KG", "Its weight."),
    _option("--metres", number(0, 10_000, "m"), "M", "Its size."),
    _option("--shape", choice(*SHAPES), "SHAPE", f"One of {', '.join(SHAPES)}.", default="any"),
    plotted=False,
)
def pokemon_command(
    *,
    species: str | None,
    base: str | None,
    nature: str | None,
    kg: float | None,
    metres: float | None,
    shape: str,
    data: Sequence[Path],
    **files: Any,
) -> None:
    """Print a stat line: of a species, or of base stats, with a Nature.

    \b
    Examples:
      pucklab post pokemon --base 80/32/111/88/99/124
      pucklab post pokemon --species deoxys --nature quiet
    """
    written = _Files(**files).checked(data)
    catalogue = read_catalogue(data)
    if (species is None) == (base is None):
        raise InputError("species: give either --species or --base")
    if base is not None:
        parts = base.split("/")
        stats = stats_from_base([int(p) if p.isdigit() else 0 for p in parts])
    else:
        stats = catalogue.find("species", str(species), "species").line
    if nature:
        stats = with_nature(stats, catalogue.find("natures", nature, "nature"))
    row: dict[str, Any] = {name: getattr(stats, name) for name in _STAT_KEYS}
    row |= {"accuracy": stats.accuracy, "exposed": stats.exposed} if nature else {}
    row |= {} if kg is None else {"weight class": weight_class(kg)}
    row |= {} if metres is None else {"size class": size_class(metres, shape)}
    title = f"{species or base}{', ' + nature if nature else ''}"
    written.show(title, [row])


@command.command("check")
@click.argument("files", nargs=-1, required=True, type=_PATH, metavar="FILE.toml...")
@_options(saved=False)
def check_command(*, files: Sequence[Path], data: Sequence[Path]) -> None:
    """Check data files and battle files, and say what is in them.

    \b
    Examples:
      pucklab post check moves.toml
      pucklab post check battle.toml --data moves.toml
    """
    for path in files:
        name = printable(path)
        if "team" in read_toml("file", path):
            setting = read_scenario(path, read_catalogue(data))
            number_ = len(setting.battle.roster)
            ordered = sum(own is not None for own in setting.orders)
            click.echo(f"{name}: a battle of {number_} Pokemon, {ordered} with orders")
            continue
        own = decode(Catalogue, read_toml("file", path), f"file: {str(path)!r}")
        read_catalogue([*data, path])
        words = [f"{len(part)} {table}" for table in TABLES if (part := getattr(own, table))]
        click.echo(f"{name}: {', '.join(words) or 'nothing'}")
