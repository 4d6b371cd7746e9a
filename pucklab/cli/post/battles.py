"""``pucklab post``: battles as files, exact answers, rounds with dice, tables to play at."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from pucklab.base.decoding import decode
from pucklab.base.errors import refusal, shown
from pucklab.base.files import STANDARD, check_writable, read_toml, write_whole
from pucklab.base.parsing import printable
from pucklab.base.tables import csv_text
from pucklab.cli.browsing import Pages, game_options, play_in_browser
from pucklab.cli.options import PATH, check_out, choice, count, flag, option, seed_option, together
from pucklab.cli.output import print_json, print_written
from pucklab.cli.running import track
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.cli.terminal import play_match, replay_match
from pucklab.physics import InputError, trial_generator
from pucklab.sim.chance.distribution import distribution, mean
from pucklab.sim.core.game import Match
from pucklab.sim.core.players import PERSON
from pucklab.sim.experiments.view import print_stacked, table_console
from pucklab.sim.post.battle import Plan
from pucklab.sim.post.catalogue import TABLES, Catalogue, Move, read_catalogue
from pucklab.sim.post.engine import Course
from pucklab.sim.post.orders import Reader, orders_text
from pucklab.sim.post.play import (
    PLAYERS,
    POST_GAME,
    Setup,
    at_random,
    collect_events,
    draw_by_numbers,
    house_made,
    play_round,
    state_text,
)
from pucklab.sim.post.scenario import Setting, read_scenario, setting_from, state_toml
from pucklab.sim.post.search import LIMIT, Search, knock_outs, round_odds, strike_odds
from pucklab.sim.post.state import State
from pucklab.sim.post.values import name_key

DATA = option(
    "--data",
    PATH,
    "FILE.toml",
    "Data file, besides the house's; later ones replace.",
    multiple=True,
)
BATTLE = together(
    click.argument("battle", type=PATH, metavar="BATTLE.toml"),
    option(
        "--order",
        str,
        "TEXT",
        "Orders besides the file's: 'Golduck: jab - slam; IF ...', 'team ann: send Otter' or "
        "'team ann: switch Otter for Golduck'.",
        multiple=True,
    ),
    DATA,
)
TABLE = together(
    option("--out", PATH, "FILE.csv", "Save the table."),
    flag("--json as_json", "Print JSON instead of a table."),
)
TOP = option("--top", count(1, 1000), "N", "Rows to print.", default=10)


def show(
    moves: Iterable[Move],
    title: str,
    rows: Sequence[dict[str, Any]],
    out: Path | None,
    as_json: bool,
    **facts: Any,
) -> None:
    """Save and print rows, and which moves are house-made; ``facts`` are for JSON."""
    if out is not None:
        cells = (
            {k: float(v) if isinstance(v, Fraction) else v for k, v in row.items()} for row in rows
        )
        write_whole(out, csv_text([*rows[0]], cells).encode())
    house = house_made(moves)
    if as_json:
        note = {"note": house} if house else {}
        exact = {Fraction: lambda v: {"value": float(v), "fraction": str(v)}}
        told = {**facts, **note, "rows": rows}
        print_json(told, default=lambda v: exact[type(v)](v))
    elif out != STANDARD:
        click.echo(title)
        texts = [{k: cell(v) for k, v in row.items()} for row in rows]
        print_stacked(table_console(100), texts, left=("orders", "state"))
        if house:
            click.echo(house)
    print_written(out)


def cell(value: Any) -> str:
    """Return a value as the cell of a table."""
    return f"{float(value):.6f}" if isinstance(value, Fraction | float) else str(value)


def read_started(
    path: Path, data: Sequence[Path], order: Sequence[str], out: Path | None
) -> Setting:
    """Return the battle of a file, whose Switching phase is over.

    Raises:
        InputError: A decision of that phase is missing.
    """
    check_out(out, ".csv", (path, *data))
    setting = read_scenario(path, read_catalogue(data), order)
    if setting.missing:
        raise InputError(setting.missing)
    return setting


def write_state(path: Path, setting: Setting, state: State) -> None:
    """Write the state between rounds as a battle file."""
    write_whole(path, state_toml(setting, state).encode())
    print_written(path)


@click.command("new")
@click.argument("first", metavar="TEAM:SPECIES,...")
@click.argument("second", metavar="TEAM:SPECIES,...")
@option("--positions", count(1, 2), "N", "1 for Singles, 2 for Doubles.", default=1)
@option("--save", PATH, "FILE.toml", "The battle file to write.", required=True)
@DATA
def new_command(
    *, first: str, second: str, positions: int, save: Path, data: Sequence[Path]
) -> None:
    """Write the file of a new battle; the first Pokemon of each team are its leads.

    \b
    Examples:
      pucklab post new ann:murkrow,deoxys bob:golduck,cresceidon --positions 2 --save battle.toml
    """
    check_writable("save", save, (".toml",), data)
    teams = []
    for text in (first, second):
        name, _, species = text.partition(":")
        if not species:
            raise InputError(f"team: {shown(text)} is not accepted; give TEAM:SPECIES,...")
        teams.append({"name": name, "pokemon": [{"species": one} for one in species.split(",")]})
    setting = setting_from(
        {"match": {"positions": positions}, "team": teams}, read_catalogue(data), ""
    )
    write_state(save, setting, setting.state)


@click.command("hit")
@option("--user", str, "SPECIES", "The user of the move.", required=True)
@option("--move", str, "MOVE", "Also A + B, or z-force A.", required=True)
@option("--on", str, "SPECIES", "The target.", required=True)
@option("--hp", count(1, 1000), "N", "The target's HP.  [default: all]")
@option("--stages", str, "STAT+N,...", "The user's stages, such as attack+1.")
@option("--on-stages", str, "STAT+N,...", "The target's stages.")
@option("--times", count(1, 50), "N", "Most uses to count.", default=12)
@TABLE
@DATA
def hit_command(
    *,
    user: str,
    move: str,
    on: str,
    hp: int | None,
    stages: str | None,
    on_stages: str | None,
    times: int,
    out: Path | None,
    as_json: bool,
    data: Sequence[Path],
) -> None:
    """Print the chances of one action to hit and to knock out, and its damage.

    \b
    Examples:
      pucklab post hit --user murkrow --move slam --on golduck
      pucklab post hit --user cresceidon --move "splash down" --on deoxys --hp 40 --json
    """
    check_out(out, ".csv", data)
    pair: list[dict[str, Any]] = [{"species": user}, {"species": on, "hp": hp}]
    if name_key(user) == name_key(on):
        pair[1]["name"] = f"{on[:30]} 2"
    for own, text, field in zip(pair, (stages, on_stages), ("stages", "on_stages"), strict=True):
        own["stages"] = {}
        for part in text.split(",") if text else ():
            if not (stage := re.fullmatch(r"(.+)([+-]\d+)", part)):
                raise refusal(field, part, "attack+1,speed-2 or so")
            own["stages"][name_key(stage[1]).replace(" ", "_")] = int(stage[2])
    teams = [
        {"name": name, "pokemon": [own]} for name, own in zip(("user", "on"), pair, strict=True)
    ]
    setting = setting_from({"team": teams}, read_catalogue(data), "")
    battle, state = setting.battle, setting.state
    order = Reader(battle, 0).order(move)
    used = battle.move(0, order) if order.form != "item" else None
    if used is None or not used.is_attack or used.target == "user":
        raise refusal("move", move, "an attack on others")
    effect, hit, *_ = Course(battle, state).prepare_blow(0, 1, used)
    hit, dealt = hit * bool(effect), strike_odds(battle, state, 0, 1, order)
    left = state.fighters[1].hp
    uses = knock_outs(dealt, left, times)
    words = "   ".join(f"{n}: {float(p):.4f}" for n, p in enumerate(uses, 1) if p >= 1e-4)
    attacker, foe = battle.roster
    show(
        [attacker.moves[name] for name in (order.action, order.second) if name in attacker.moves],
        f"{attacker.name} uses {used.name} on {foe.name} ({left} HP): {float(100 * hit):g} % to "
        f"hit, effectiveness {float(effect):g}, mean damage {float(mean(dealt)):.4f}\n"
        f"knocked out within so many uses   {words or f'{len(uses)}: 0'}",
        [{"damage": damage, "chance": p} for damage, p in dealt.items],
        out,
        as_json,
        hit=hit,
        mean=mean(dealt),
        hp=left,
        knocked_out=[Fraction(p) for p in uses],
    )


@click.command("round")
@BATTLE
@flag("--roll", "Roll the dice of the round, and tell it.")
@seed_option("Seed of the dice.")
@option("--save", PATH, "NEXT.toml", "With --roll: write the battle after the round.")
@TOP
@TABLE
def round_command(
    *,
    battle: Path,
    order: Sequence[str],
    data: Sequence[Path],
    roll: bool,
    seed: int,
    save: Path | None,
    top: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Print the exact odds of a round by the orders of both teams, or roll the round.

    A battle that was saved begins its next round: whom a team sends or switches, and the orders,
    come from the file or from --order.

    \b
    Examples:
      pucklab post round battle.toml
      pucklab post round battle.toml --roll --save next.toml
    """
    check_writable("save", save, (".toml",), (battle, *data))
    if save is not None and not roll:
        raise InputError("save: give --roll, too; only a round that is rolled can be saved")
    setting = read_started(battle, data, order, out)
    rules, state = setting.battle, setting.state
    if state.winner is not None:
        raise InputError(f"battle: it is over; {rules.teams[state.winner]} has won")
    active = Course(rules, state).active()
    if unordered := [rules.roster[i].name for i in active if i not in setting.orders]:
        raise InputError(f"orders: {unordered[0]} has none; give orders to each Pokemon in play")
    if roll:
        told: list[str] = []
        note = collect_events(rules, told)
        draw_next = draw_by_numbers(at_random(trial_generator(seed, state.round)), note)
        end = play_round(rules, state, setting.orders, draw_next, note)
        for line in (
            state_text(rules, state),
            *told,
            state_text(rules, end),
            house_made(rules.moves),
        ):
            click.echo(line)
        if save is not None:
            write_state(save, setting, end)
        return
    ends = round_odds(rules, state, setting.orders)
    likeliest: Counter[str] = Counter()
    won: dict[str, Any] = dict.fromkeys(rules.teams, 0)
    for after, p in ends.items():
        likeliest[state_text(rules, after, whole=False)] += p  # type: ignore[assignment]
        if after.winner is not None:
            won[rules.teams[after.winner]] += p
    hp = {
        rules.roster[i].name: distribution((after.fighters[i].hp, p) for after, p in ends.items())
        for i in active
    }
    words = ", ".join(f"{team} {cell(float(p))}" for team, p in won.items())
    means = ", ".join(f"{name} {float(mean(part)):.3f}" for name, part in hp.items())
    show(
        rules.moves,
        f"chance to have won: {words}; mean HP: {means}; {len(likeliest)} ends, the likeliest:",
        [{"chance": p, "state": text} for text, p in likeliest.most_common(top)],
        out,
        as_json,
        won=won,
        hp={name: dict(part.items) for name, part in hp.items()},
        ends=len(likeliest),
    )


_SCORE = "Worth while nobody has won: half the difference of HP shares (share), or 0 (won)."


@click.command("reply")
@BATTLE
@option("--score", choice("share", "won"), "KIND", _SCORE, default="share")
@option("--limit", count(1, 10_000_000), "N", "Most order sets.", default=LIMIT)
@TOP
@TABLE
def reply_command(
    *,
    battle: Path,
    order: Sequence[str],
    data: Sequence[Path],
    score: Any,
    limit: int,
    top: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Print the best orders against the orders of the one team that has posted some.

    \b
    Examples:
      pucklab post reply battle.toml
      pucklab post reply battle.toml --score won --top 3
    """
    setting = read_started(battle, data, order, out)
    rules, state = setting.battle, setting.state
    active = [Course(rules, state).active(team) for team in (0, 1)]
    ordered = [setting.orders.keys() >= {*own} for own in active]
    if ordered[0] == ordered[1]:
        raise InputError("orders: give those of one team, and none of the other")
    team = int(ordered[0])
    seen = {i: setting.orders[i] for i in active[1 - team]}

    def track_plans(plans: Sequence[Plan]) -> Iterator[Plan]:
        counted: Iterable[tuple[int, Plan]] = enumerate(plans, 1)
        for _, plan in track(counted, lambda one: (one[0], len(plans)), "searching"):
            yield plan

    search = Search(rules, team, score)
    answers = search.best_replies(state, seen, limit=limit, track=track_plans)
    names, rows = rules.names, []
    for n, (worth, plan) in enumerate(answers[:top], 1):
        texts = (f"{names[i]}: {orders_text(own, names)}" for i, own in plan.items())
        rows.append({"rank": n, "worth": Fraction(worth), "orders": "; ".join(texts)})
    rest = ", and half the difference of HP shares where nobody has" * (score == "share")
    show(
        rules.moves,
        f"replies of {rules.teams[team]}: worth is the chance to have won less that to have lost"
        f"{rest}; {len(answers)} order sets, the best:",
        rows,
        out,
        as_json,
        order_sets=len(answers),
    )


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE.toml...")
@DATA
def check_command(*, files: Sequence[Path], data: Sequence[Path]) -> None:
    """Check data files and battle files, and tell their contents.

    \b
    Examples:
      pucklab post check moves.toml
      pucklab post check battle.toml --data moves.toml
    """
    for path in files:
        table = read_toml("file", path)
        if "team" in table:
            setting = read_scenario(path, read_catalogue(data))
            size = len(setting.battle.roster)
            text = f"a battle of {size} Pokemon, {len(setting.orders)} with orders"
            text += setting.missing and f"; {setting.missing}"
        else:
            own = decode(Catalogue, table, f"file: {str(path)!r}")
            read_catalogue([*data, path])
            words = (f"{len(part)} {name}" for name in TABLES if (part := getattr(own, name)))
            text = ", ".join(words) or "nothing"
        click.echo(f"{printable(path)}: {text}")


@click.command("play")
@click.argument("battle", type=PATH, required=False, metavar="BATTLE.toml")
@option("--policy", str, "KIND,KIND", "person, random or exec:PROGRAM, by team.", default=PERSON)
@seed_option("Seed of the dice.")
@DATA
@game_options
def play_command(
    *,
    battle: Path | None,
    policy: str,
    seed: int,
    data: Sequence[Path],
    pages: Pages,
    verbose: bool,
    save: Path | None,
    replay: Path | None,
) -> int:
    """Play a battle at a table: in the browser, or at the terminal.

    A person types orders, with substitutions behind semicolons, or quit.

    \b
    Examples:
      pucklab post play battle.toml
      pucklab post play battle.toml --policy person,random --save battle.json
      pucklab post play --replay battle.json
    """
    if replay is not None:
        replay_match(POST_GAME, replay, save, verbose=True)
        return 0
    if battle is None:
        raise InputError("battle: missing; give a battle file, such as post new writes")
    check_writable("save", save, (".json",), (battle, *data))
    setup = Setup(battle=read_toml("battle", battle), data=read_catalogue(data))
    setting_from(setup.battle, setup.data, f"battle: {str(battle)!r}")  # names the file in errors
    kinds = PLAYERS.kinds(policy, 2)
    players = [PLAYERS.of(kind, persons=True) for kind in kinds]
    match = Match(POST_GAME, setup, players, seed, kinds=kinds)
    if PERSON in kinds and pages.serves():
        return play_in_browser(match, pages, save)
    return EXIT_STOPPED if play_match(match, save, verbose=verbose) else 0
