"""``pucklab trail gym`` and ``starter``: ways to divide the dice, and which starter to choose."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, islice
from typing import Any

import click

from pucklab.base.decoding import check_one_of
from pucklab.cli.options import choice, count, flag, number, option
from pucklab.cli.output import print_json
from pucklab.sim.chance.distribution import Number
from pucklab.sim.trail.duels import (
    Gym,
    Plan,
    Split,
    Starter,
    battle_odds,
    best_dice,
    cheapest_plan,
    efficient_plans,
    flash_chances,
    flash_plan,
    parse_gym,
    starter_units,
)

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SHOWN = 4
"""Most plans that are printed, from the fastest on."""
_LONG = 14
"""Most characters of a fraction that is printed beside its decimals."""


@click.command("gym")
@click.argument("gym", metavar="ATK/HP")
@option("--dice", count(1, 10), "N", "Dice, 1 to 10.", default=3)
@option(
    "--split",
    choice(*Split),
    "WHEN",
    "round: dice are divided anew each round; fight: once, for all rounds of a fight.",
    default="round",
)
@option(
    "--turn-worth",
    number(0, 1_000_000),
    "C",
    "Turns that a faint is worth; adds the plan with the least turns + C * faints.",
)
@flag("--json as_json", "Print JSON instead of a table.")
def gym_command(
    *, gym: str, dice: int, split: str, turn_worth: float | None, as_json: bool
) -> None:
    """Print how to divide the dice between attack and defence at a gym.

    ATK/HP are the gym's numbers, such as 3/4. A Flash is a win without a faint. All chances are
    exact.

    \b
    Examples:
      pucklab trail gym 3/4
      pucklab trail gym 4/6 --split fight
      pucklab trail gym 5/8 --dice 4 --turn-worth 3 --json
    """
    when = Split(split)
    fought = parse_gym(gym, dice)
    best, single = flash_plan(fought, when), flash_plan(fought, Split.FIGHT)
    plans = list(islice(efficient_plans(fought, when), None if as_json else _SHOWN + 1))
    cheapest = None
    if turn_worth is not None and best.flash:
        cheapest = cheapest_plan(fought, Fraction(turn_worth), when)
    if when is Split.ROUND:
        dice_at, chances = best_dice(fought), flash_chances(fought)
    else:
        dice_at = {hp: (k,) for hp, k in best.attack_dice.items()}
        chances = flash_chances(fought, best.attack_dice)
    rows = [(hp, dice_at[hp], chances[hp]) for hp in sorted(chances, reverse=True)]
    if as_json:
        shown: dict[str, Any] = {
            "attack": fought.attack,
            "hp": fought.hp,
            "dice": dice,
            "split": split,
            "winnable": bool(best.flash),
            "by_hp": [{"hp": hp, "attack_dice": list(at), "flash": _both(p)} for hp, at, p in rows],
            "best_flash": _plan_json(best),
            "single_split": _plan_json(single),
            "efficient": [
                {**_plan_json(plan), "up_to_faint_cost": _both(upto)} for plan, upto in plans
            ],
        }
        if cheapest is not None:
            shown["cheapest"] = {"turn_worth": turn_worth, **_plan_json(cheapest)}
        print_json(shown)
        return
    some = "die" if dice == 1 else "dice"
    click.echo(f"Gym {fought}, {_WORDS[dice - 1]} {some}")
    if not best.flash:
        click.echo(f"  {fought} cannot be won with {dice} {some} of {fought.sides} sides: chance 0")
        return
    click.echo("  HP left   attack dice   chance of a Flash from here")
    for hp, at, chance in rows:
        text = "any" if len(at) == dice > 1 else " or ".join(map(str, at)) or "any"
        exact = f"  ({chance})" if isinstance(chance, Fraction) and chance < 1 else ""
        exact *= len(exact) <= _LONG + 4
        click.echo(f"  {hp:>5}   {text:>10}          {_decimals(chance)}{exact}")
    line = f"  until won: {_few(best.turns)} turns, {_few(best.faints, 3)} faints."
    if when is Split.ROUND:
        line += f"   One split for the whole fight: {_dice_text(single, fought, short=True)}, "
        line += f"{_decimals(single.flash)}."
    click.echo(line)
    _print_plans(fought, plans)
    if cheapest is not None and turn_worth is not None:
        click.echo(
            f"  If a faint is worth {turn_worth:g} turns: {_plan_text(cheapest, fought)}, "
            f"in all worth {_few(cheapest.cost(Fraction(turn_worth)), 3)} turns."
        )


def _print_plans(gym: Gym, plans: Sequence[tuple[Plan, Number]]) -> None:
    if len(plans) == 1:
        click.echo("  This is the fastest, too.")
        return
    since: Number = 0
    for place, (plan, upto) in enumerate(plans[:_SHOWN]):
        text = _plan_text(plan, gym)
        if place == 0:
            click.echo(f"  Fastest: {text}; better if a faint costs less than {_few(upto)} turns.")
        elif upto != math.inf:
            click.echo(f"  If a faint costs {_few(since)} to {_few(upto)} turns: {text}.")
        since = upto
    if plans[-1][1] != math.inf:
        click.echo(f"  More plans for faints that cost more than {_few(since)} turns: see --json.")


def _plan_text(plan: Plan, gym: Gym) -> str:
    numbers = f"{_few(plan.turns)} turns, {_few(plan.faints, 3)} faints"
    return f"{_dice_text(plan, gym)}, {numbers}"


def _dice_text(plan: Plan, gym: Gym, *, short: bool = False) -> str:
    """Return a plan in words, from full HP down.

    Example:
        >>> from pucklab.sim.trail.duels import Gym, plan
        >>> onix = Gym(attack=3, hp=4)
        >>> _dice_text(plan(onix, 3), onix), _dice_text(plan(onix, {4: 1, 3: 3, 2: 3, 1: 3}), onix)
        ('always 3 dice', '1 die at 4 HP, then 3')
    """
    downwards = range(gym.hp, 0, -1)
    runs = [(k, max(hps)) for k, hps in groupby(downwards, plan.attack_dice.__getitem__)]
    (first, _), *rest = runs
    word = f"{first} {'die' if first == 1 else 'dice'}"
    if not rest:
        return word if short else f"always {word}"
    if len(rest) == 1 and rest[0][1] == gym.hp - 1:
        return f"{word} at {gym.hp} HP, then {rest[0][0]}"
    return f"{word} at first, " + ", ".join(f"{dice} from {hp} HP on" for dice, hp in rest)


def _decimals(chance: Number) -> str:
    return f"{float(chance):.4f}".removeprefix("0") if chance < 1 else "1"


def _few(number_: Number, places: int = 2) -> str:
    if number_ == int(number_):
        return str(int(number_))
    return f"{float(number_):.{places}f}".removeprefix("0")


def _both(number_: Number) -> dict[str, Any]:
    """Return a number for JSON: rounded to a float, and as a fraction; null if infinite."""
    if number_ == math.inf:
        return {"value": None, "fraction": None}
    exact = str(number_) if isinstance(number_, Fraction | int) else None
    return {"value": float(number_), "fraction": exact}


def _plan_json(plan: Plan) -> dict[str, Any]:
    dice = {str(hp): k for hp, k in sorted(plan.attack_dice.items())}
    numbers = {name: _both(getattr(plan, name)) for name in ("flash", "turns", "faints")}
    return {"attack_dice": dice, **numbers}


@click.command("starter")
@option(
    "--others",
    str,
    "NAME,...",
    "Starters of the other players, as far as known; each is met as often.",
)
@flag("--json as_json", "Print JSON instead of a table.")
def starter_command(*, others: str | None, as_json: bool) -> None:
    """Print the odds of a trainer battle, by starter; against known starters, the best one.

    \b
    Examples:
      pucklab trail starter
      pucklab trail starter --others bulbasaur,squirtle
    """
    known = tuple(Starter) if others is None else words_of("others", others, Starter)
    units = starter_units(known)
    best = [starter for starter in Starter if units[starter] == min(units.values())]
    kinds = {
        "even": battle_odds(Starter.BULBASAUR, Starter.BULBASAUR),
        "your starter super effective": battle_odds(Starter.BULBASAUR, Starter.SQUIRTLE),
        "theirs super effective": battle_odds(Starter.SQUIRTLE, Starter.BULBASAUR),
    }
    rows = {
        kind: {name: float(n) for name, n in odds._asdict().items()} for kind, odds in kinds.items()
    }
    if as_json:
        shown = {
            "others": None if others is None else known,
            "battles": rows,
            "units_a_battle": {starter: float(units[starter]) for starter in Starter},
            "best": best,
        }
        print_json(shown)
        return
    click.echo(
        f"{'trainer battle':<30}{'win':>8}{'tie':>8}{'lose':>8}{'units: you':>12}{'other':>8}"
    )
    for kind, row in rows.items():
        win, tie, lose, mine, theirs = row.values()
        click.echo(f"{kind:<30}{win:>8.4f}{tie:>8.4f}{lose:>8.4f}{mine:>12.4f}{theirs:>8.4f}")
    if others is None:
        click.echo("Choose each with chance 1/3: then no choice of the others gains on you.")
        return
    for starter in Starter:
        click.echo(f"{starter:<12}{float(units[starter]):.4f} units a battle")
    click.echo(f"best: {' or '.join(best)}")


def words_of(field: str, text: str, accepted: Any) -> tuple[Any, ...]:
    """Return the members of an enumeration that an option lists, with commas between them.

    Raises:
        InputError: A name that is none of them.
    """
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        check_one_of(field, name, tuple(accepted))
    return tuple(accepted(name) for name in names)
