"""``pucklab post``: single actions, rounds, best orders, stat lines, files; exact answers."""

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from physics import InputError
from physics.decoding import decode
from physics.errors import shown
from physics.parsing import printable
from sim.chance.distribution import distribution, mean
from sim.cli.options import choice, count, number
from sim.cli.post.output import (
    PATH,
    ExactFiles,
    cell,
    option,
    options,
    pair_table,
    state_text,
)
from sim.core.files import read_toml
from sim.post.catalogue import TABLES, Catalogue, name_key, read_catalogue
from sim.post.engine import Course
from sim.post.orders import Reader, orders_text
from sim.post.pokemon import SHAPES, size_class, stats_from_base, weight_class, with_nature
from sim.post.scenario import Setting, read_scenario, setting_from
from sim.post.search import (
    LIMIT,
    Answer,
    Plan,
    Search,
    knock_outs,
    round_odds,
    strike_odds,
)

_STAT_KEYS = ("hp", "attack", "defense", "special_attack", "special_defense", "speed")


def _stages(text: str | None, field: str) -> dict[str, int]:
    """Return stages such as ``attack+1,speed-2``."""
    found = {}
    for part in text.split(",") if text else ():
        if not (given := re.fullmatch(r"(.+)([+-]\d+)", part)):
            raise InputError(f"{field}: {shown(part)} is not accepted; give attack+1,speed-2 or so")
        found[name_key(given[1]).replace(" ", "_")] = int(given[2])
    return found


@click.command("hit")
@options(
    option("--user", str, "SPECIES", "Who acts.", required=True),
    option("--move", str, "MOVE", "Also A + B, or z-force A.", required=True),
    option("--on", str, "SPECIES", "On whom.", required=True),
    option("--hp", count(1, 1000), "N", "The target's HP.  [default: all]"),
    option("--stages", str, "STAT+N,...", "The user's stages, such as attack+1."),
    option("--on-stages", str, "STAT+N,...", "The target's stages."),
    option("--times", count(1, 50), "N", "Most uses to count.", default=12),
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
    written = ExactFiles(**files).checked(data)
    catalogue = read_catalogue(data)
    attacker = {"species": user, "stages": _stages(stages, "stages")}
    defender = {"species": on, "stages": _stages(on_stages, "on_stages")}
    setting = setting_from(
        pair_table([attacker, defender | ({"hp": hp} if hp else {})]), catalogue, ""
    )
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
        knocked_out=[Fraction(p) for p in uses],
    )


def _given(setting: Setting, team: int) -> Plan:
    """Return the orders that a file gives for a team's Pokemon in play; none if one has none."""
    course = Course(setting.battle, setting.state)
    found = {i: own for i in course.active(team) if (own := setting.orders[i]) is not None}
    return found if len(found) == len(course.active(team)) else {}


@click.command("round")
@click.argument("battle", type=PATH, metavar="BATTLE.toml")
@options(option("--top", count(1, 1000), "N", "Likeliest ends to print.", default=10))
def round_command(*, battle: Path, top: int, data: Sequence[Path], **files: Any) -> None:
    """Print what the orders of both teams can bring in a round, exactly.

    \b
    Examples:
      pucklab post round battle.toml
      pucklab post round battle.toml --plot hp.png
    """
    written = ExactFiles(**files).checked([battle, *data])
    setting = read_scenario(battle, read_catalogue(data))
    for t, team in enumerate(setting.battle.teams):
        if not _given(setting, t):
            raise InputError(f"orders: team {team} has none; give orders for each Pokemon in play")
    ends = round_odds(setting.battle, setting.state, setting.orders)
    seen: Counter[str] = Counter()
    won: Counter[int | None] = Counter()
    for state, p in ends.items():
        seen[state_text(setting, state)] += p  # type: ignore[assignment]
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
        f"{team} {cell(Fraction(won[t]))}" for t, team in enumerate(setting.battle.teams)
    )
    means = ", ".join(f"{name} {float(mean(part)):.3f}" for name, part in hp.items())
    written.show(
        f"chance to have won: {words}; mean HP: {means}; {len(seen)} ends, the likeliest:",
        rows,
        plots={"HP": hp},
        won={team: Fraction(won[t]) for t, team in enumerate(setting.battle.teams)},
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
)


def _show_answers(
    written: ExactFiles, setting: Setting, answers: Sequence[Answer], top: int, about: str
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


@click.command("reply")
@click.argument("battle", type=PATH, metavar="BATTLE.toml")
@options(*_SEARCH)
def reply_command(
    *, battle: Path, score: Any, limit: int, top: int, data: Sequence[Path], **files: Any
) -> None:
    """Print the best orders against orders seen: those of the one team that has any in the file.

    \b
    Examples:
      pucklab post reply battle.toml
      pucklab post reply battle.toml --score won --top 3
    """
    written = ExactFiles(**files).checked([battle, *data])
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


@click.command("lead")
@click.argument("battle", type=PATH, metavar="BATTLE.toml")
@options(
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
    written = ExactFiles(**files).checked([battle, *data])
    setting = read_scenario(battle, read_catalogue(data))
    teams = setting.battle.teams
    if team is not None and team not in teams:
        raise InputError(f"team: {shown(team)} is not accepted; give one of {', '.join(teams)}")
    search = Search(setting.battle, teams.index(team) if team else 0, score, limit)
    answers = search.best_leads(setting.state, substitutions=substitutions)
    _show_answers(written, setting, answers, top, f"leads of {teams[search.team]}: {_worth(score)}")


@click.command("pokemon")
@options(
    option("--species", str, "NAME", "A species of the data files."),
    option("--base", str, "HP/AT/DE/SA/SD/SP", "Base stats, from 1 to 255."),
    option("--nature", str, "NAME", "A Nature."),
    option("--kg", number(0, 1_000_000, "kg"), "KG", "Its weight."),
    option("--metres", number(0, 10_000, "m"), "M", "Its size."),
    option("--shape", choice(*SHAPES), "SHAPE", f"One of {', '.join(SHAPES)}.", default="any"),
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
    written = ExactFiles(**files).checked(data)
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


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE.toml...")
@options(saved=False)
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
