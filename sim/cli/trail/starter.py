"""``pucklab trail starter``: which starter to choose."""

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.trail.duel import Starter


@click.command("starter")
@click.option(
    "--others",
    metavar="NAME,...",
    help="Starters of the other players, as far as known; each is met as often.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def command(*, others: str | None, as_json: bool) -> int:
    """Print the odds of a trainer battle, by starter; against known starters, the best one.

    \b
    Examples:
      pucklab trail starter
      pucklab trail starter --others bulbasaur,squirtle
    """
    from sim.trail.duel import Starter, battle_odds, starter_units

    known = tuple(Starter) if others is None else starters_from("others", others)
    units = starter_units(known)
    least = min(units.values())
    best = [starter for starter in Starter if units[starter] == least]
    kinds = {
        "even": battle_odds(Starter.BULBASAUR, Starter.BULBASAUR),
        "your starter super effective": battle_odds(Starter.BULBASAUR, Starter.SQUIRTLE),
        "theirs super effective": battle_odds(Starter.SQUIRTLE, Starter.BULBASAUR),
    }
    fields = ("win", "tie", "lose", "units", "other_units")
    if as_json:
        shown = {
            "others": None if others is None else list(known),
            "battles": {
                kind: {name: float(getattr(odds, name)) for name in fields}
                for kind, odds in kinds.items()
            },
            "units_a_battle": {starter: float(units[starter]) for starter in Starter},
            "best": best if others is not None else list(Starter),
        }
        click.echo(json.dumps(shown, indent=2))
        return 0
    click.echo(
        f"{'trainer battle':<30}{'win':>8}{'tie':>8}{'lose':>8}{'units: you':>12}{'other':>8}"
    )
    for kind, odds in kinds.items():
        win, tie, lose, mine, theirs = (float(getattr(odds, name)) for name in fields)
        click.echo(f"{kind:<30}{win:>8.4f}{tie:>8.4f}{lose:>8.4f}{mine:>12.4f}{theirs:>8.4f}")
    if others is None:
        click.echo("Choose each with chance 1/3: then no choice of the others gains on you.")
        return 0
    for starter in Starter:
        click.echo(f"{starter:<12}{float(units[starter]):.4f} units a battle")
    click.echo(f"best: {' or '.join(best)}")
    return 0


def starters_from(field: str, text: str) -> "Sequence[Starter]":
    """Return the starters of a list of names.

    Raises:
        InputError: A name that is none.
    """
    from physics import InputError
    from sim.trail.duel import Starter

    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name not in tuple(Starter):
            raise InputError(f"{field}: {name!r} is not accepted; give one of {', '.join(Starter)}")
    return tuple(Starter(name) for name in names)
