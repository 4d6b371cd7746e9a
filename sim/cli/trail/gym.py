"""``pucklab trail gym``: ways to divide the dice at a gym."""

import json
import math
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from sim.cli.options import count, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.chance import Number
    from sim.trail.gym import Gym, Plan

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SHOWN = 4
"""Most plans that are printed, from the fastest on."""
_LONG = 14
"""Most signs of a fraction that is printed beside its decimals."""


@click.command("gym")
@click.argument("gym", metavar="ATK/HP")
@click.option(
    "--dice", type=count(1, 10), default=3, show_default=True, metavar="N", help="Dice, 1 to 10."
)
@click.option(
    "--split",
    default="round",
    show_default=True,
    metavar="WHEN",
    help="round: dice are divided anew each round; fight: once, for all rounds of a fight.",
)
@click.option(
    "--turn-worth",
    type=number(0, 1_000_000),
    metavar="C",
    help="Turns that a faint is worth; adds the plan with the least turns + C * faints.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def command(*, gym: str, dice: int, split: str, turn_worth: float | None, as_json: bool) -> int:
    """Print how to divide the dice between attack and defence at a gym.

    ATK/HP are the gym's numbers, such as 3/4. A Flash is a win without a faint. All chances are
    exact.

    \b
    Examples:
      pucklab trail gym 3/4
      pucklab trail gym 4/6 --split fight
      pucklab trail gym 5/8 --dice 4 --turn-worth 3 --json
    """
    from physics import InputError
    from sim.trail.gym import (
        Split,
        best_dice,
        cheapest_plan,
        efficient_plans,
        flash_chances,
        flash_plan,
        parse_gym,
    )

    if split not in tuple(Split):
        raise InputError(f"split: {split!r} is not accepted; give one of {', '.join(Split)}")
    when = Split(split)
    fought = parse_gym(gym, dice)
    best = flash_plan(fought, when)
    winnable = bool(best.flash)
    plans = list(islice(efficient_plans(fought, when), None if as_json else _SHOWN + 1))
    worth = None if turn_worth is None else Fraction(turn_worth)
    cheapest = cheapest_plan(fought, worth, when) if worth is not None and winnable else None
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
            "winnable": winnable,
            "by_hp": [{"hp": hp, "attack_dice": list(at), "flash": _both(p)} for hp, at, p in rows],
            "best_flash": _plan_json(best),
            "single_split": _plan_json(flash_plan(fought, Split.FIGHT)),
            "efficient": [
                {**_plan_json(plan), "up_to_faint_cost": _both(upto)} for plan, upto in plans
            ],
        }
        if cheapest is not None:
            shown["cheapest"] = {"turn_worth": turn_worth, **_plan_json(cheapest)}
        click.echo(json.dumps(shown, indent=2))
        return 0
    click.echo(f"Gym {fought}, {_WORDS[dice - 1]} {'die' if dice == 1 else 'dice'}")
    if not winnable:
        some = f"{dice} {'die' if dice == 1 else 'dice'} of {fought.sides} sides"
        click.echo(f"  {fought} cannot be won with {some}: chance 0")
        return 0
    _print_rows(rows, fought)
    _print_plans(fought, when, best, plans)
    if cheapest is not None and worth is not None:
        least = cheapest.turns + worth * cheapest.faints
        click.echo(
            f"  If a faint is worth {turn_worth:g} turns: {_dice_text(cheapest, fought)}, "
            f"{_few(cheapest.turns)} turns, {_few(cheapest.faints, 3)} faints, "
            f"in all worth {_few(least, 3)} turns."
        )
    return 0


def _print_rows(rows: "Sequence[tuple[int, tuple[int, ...], Number]]", gym: "Gym") -> None:
    every = tuple(range(1, gym.dice + 1))
    click.echo("  HP left   attack dice   chance of a Flash from here")
    for hp, dice, chance in rows:
        text = "any" if dice == every and gym.dice > 1 else " or ".join(map(str, dice)) or "any"
        click.echo(f"  {hp:>5}   {text:>10}          {_chance(chance)}")


def _print_plans(
    gym: "Gym", split: str, best: "Plan", plans: "Sequence[tuple[Plan, Number]]"
) -> None:
    from sim.trail.gym import Split, flash_plan

    line = f"  until won: {_few(best.turns)} turns, {_few(best.faints, 3)} faints."
    if split == Split.ROUND:
        single = flash_plan(gym, Split.FIGHT)
        dice = single.attack_dice[gym.hp]
        line += (
            f"   One split for the whole fight: {dice} {'die' if dice == 1 else 'dice'}, "
            f"{_decimals(single.flash)}."
        )
    click.echo(line)
    if len(plans) == 1:
        click.echo("  This is the fastest, too.")
        return
    since: Number = 0
    for place, (plan, upto) in enumerate(plans[:_SHOWN]):
        text = f"{_dice_text(plan, gym)}, {_few(plan.turns)} turns, {_few(plan.faints, 3)} faints"
        if place == 0:
            click.echo(f"  Fastest: {text}; better if a faint costs less than {_few(upto)} turns.")
        elif upto != math.inf:
            click.echo(f"  If a faint costs {_few(since)} to {_few(upto)} turns: {text}.")
        since = upto
    if plans[-1][1] != math.inf:
        click.echo(f"  More plans for faints that cost more than {_few(since)} turns: see --json.")


def _dice_text(plan: "Plan", gym: "Gym") -> str:
    """Return a plan in words, from full HP down.

    Example:
        >>> from sim.trail.gym import Gym, plan
        >>> onix = Gym(attack=3, hp=4)
        >>> _dice_text(plan(onix, 3), onix), _dice_text(plan(onix, {4: 1, 3: 3, 2: 3, 1: 3}), onix)
        ('always 3 dice', '1 die at 4 HP, then 3')
    """
    runs: list[tuple[int, int]] = []
    for hp in range(gym.hp, 0, -1):
        dice = plan.attack_dice[hp]
        if not runs or runs[-1][1] != dice:
            runs.append((hp, dice))
    (_, first), *rest = runs
    word = f"{first} {'die' if first == 1 else 'dice'}"
    if not rest:
        return f"always {word}"
    if len(rest) == 1 and rest[0][0] == gym.hp - 1:
        return f"{word} at {gym.hp} HP, then {rest[0][1]}"
    return f"{word} at first, " + ", ".join(f"{dice} from {hp} HP on" for hp, dice in rest)


def _chance(chance: "Number") -> str:
    exact = str(chance) if isinstance(chance, Fraction) else ""
    if chance == 1:
        return "1"
    return _decimals(chance) + (f"  ({exact})" if exact and len(exact) <= _LONG else "")


def _decimals(chance: "Number") -> str:
    return f"{float(chance):.4f}".removeprefix("0") if chance < 1 else "1"


def _few(number_: "Number", places: int = 2) -> str:
    if number_ == int(number_):
        return str(int(number_))
    return f"{float(number_):.{places}f}".removeprefix("0")


def _both(number_: "Number") -> dict[str, Any]:
    """Return a number for JSON: rounded to a float, and as a fraction; null if infinite."""
    if number_ == math.inf:
        return {"value": None, "fraction": None}
    exact = str(number_) if isinstance(number_, Fraction | int) else None
    return {"value": float(number_), "fraction": exact}


def _plan_json(plan: "Plan") -> dict[str, Any]:
    return {
        "attack_dice": {str(hp): dice for hp, dice in sorted(plan.attack_dice.items())},
        "flash": _both(plan.flash),
        "turns": _both(plan.turns),
        "faints": _both(plan.faints),
    }
