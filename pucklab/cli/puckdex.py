"""``pucklab puckdex``: list the pucks of PokéPucks."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from pucklab.cli.options import PATH, flag, numbers, option, refuse_others
from pucklab.cli.output import print_json
from pucklab.physics import InputError
from pucklab.sim.experiments.view import table_console
from pucklab.sim.pokepucks.design_file import example_text, read_catalogue
from pucklab.sim.pokepucks.designs import DesignKind, EnergyType, name_key

_WIDTH = 120
"""Columns of the table where output is no terminal."""


@click.command("puckdex")
@option("--kind", str, "KIND,...", "pokemon, ball, slammer, item, trainer, plain.")
@option("--type types", str, "TYPE,...", "Energy types.")
@option("--weak-to", str, "TYPE,...", "Types that the slammer is weak to.")
@option("--mass-g", numbers(1, 24, "g"), "G,...", "Masses, 1 to 24 g.")
@option("--rule --ability", str, "NAME,...", "Special rules.")
@option("--name", str, "NAME,...", "Pucks by name.")
@option("--puckdex", PATH, "FILE", "Pucks of your own (CSV or TOML), in addition.")
@flag("--json as_json", "Print JSON instead of a table.")
@flag("--example", "Print an example of such a file, with rules of its own.")
def command(
    *,
    kind: str | None,
    types: str | None,
    weak_to: str | None,
    mass_g: tuple[float, ...] | None,
    rule: str | None,
    name: str | None,
    puckdex: Path | None,
    as_json: bool,
    example: bool,
) -> int:
    """List the pucks of the PuckDex and the PuckMart, or those that match all options.

    \b
    Examples:
      pucklab puckdex --kind pokemon --type water,fire
      pucklab puckdex --mass-g 20
      pucklab puckdex --rule "Focus Energy" --json
      pucklab puckdex --puckdex mine.csv
      pucklab puckdex --example > own.toml
    """
    if example:
        refuse_others(("example",), "example; it prints a file")
        click.echo(example_text(), nl=False)
        return 0
    catalogue = read_catalogue(puckdex)
    rules = sorted({design.rule for design in catalogue.designs if design.rule})
    wanted = {
        "kind": _words("kind", kind, tuple(DesignKind)),
        "type": _words("type", types, tuple(EnergyType)),
        "weakness": _words("weak_to", weak_to, tuple(EnergyType)),
        "mass_g": mass_g,
        "rule": _words("rule", rule, rules),
        "key": None if name is None else {catalogue.find(n, "name").key for n in name.split(",")},
    }
    found = [
        design
        for design in catalogue.designs
        if all(own is None or getattr(design, field) in own for field, own in wanted.items())
    ]
    if as_json:
        rows = [{k: None if v == "" else v for k, v in asdict(design).items()} for design in found]
        print_json(rows)
        return 0
    if not found:
        click.echo("no puck matches", err=True)
        return 0
    console = table_console(_WIDTH)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, padding=(0, 1))
    for heading in ("puck", "kind", "type", "resists", "weak to", "g", "rule"):
        table.add_column(heading, justify="right" if heading == "g" else "left", no_wrap=True)
    table.add_column("")
    for design in found:
        table.add_row(
            design.name,
            design.kind,
            design.type or "",
            design.resistance or "",
            design.weakness or "",
            f"{design.mass_g:g}",
            design.rule,
            " ".join(filter(None, (design.variant and f"({design.variant})", design.text))),
        )
    console.print(table)
    return 0


def _words(field: str, text: str | None, accepted: Sequence[str]) -> set[str] | None:
    """Return the words of an option, None if it is not given; case and punctuation are ignored.

    Raises:
        InputError: A word is not accepted.
    """
    if text is None:
        return None
    by_key = {name_key(word): word for word in accepted}
    for word in text.split(","):
        if name_key(word) not in by_key:
            raise InputError(
                f"{field}: {word.strip()!r} is not accepted; give one of {', '.join(accepted)}"
            )
    return {by_key[name_key(word)] for word in text.split(",")}
