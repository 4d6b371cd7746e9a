"""Options and output of the commands of battles by post."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from render.plots.figures import check_plot, save_plot
from render.plots.trail import distributions_figure
from sim.chance.distribution import Distribution
from sim.cli.output import print_stacked, print_written, table_console
from sim.core.files import check_writable, write_whole
from sim.post.catalogue import name_key
from sim.post.scenario import Setting

_Function = TypeVar("_Function", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)


def option(name: str, kind: Any, metavar: str, about: str, **more: Any) -> Callable[[Any], Any]:
    """Return an option; its default is shown."""
    shown_too = "default" in more
    return click.option(
        name, type=kind, metavar=metavar, help=about, show_default=shown_too, **more
    )


def options(
    *more: Callable[[Any], Any], saved: bool = True, plotted: bool = True
) -> Callable[[_Function], _Function]:
    """Return a decorator that adds options, and those of data files and of exact answers."""
    about = "Data file, besides the house's; later ones replace."
    added = [*more, option("--data", PATH, "FILE.toml", about, multiple=True)]
    if saved:
        added += [option("--out", PATH, "FILE.csv", "Save the table.")]
        if plotted:
            added += [option("--plot", PATH, "FILE", "Plot it (.png, .svg or .pdf).")]
        about = "Print JSON instead of a table."
        added += [click.option("--json", "as_json", is_flag=True, help=about)]

    def add(function: _Function) -> _Function:
        for one in reversed(added):
            function = one(function)
        return function

    return add


class ExactFiles(NamedTuple):
    """Where an exact answer goes; checked before it is computed."""

    out: Path | None
    as_json: bool
    plot: Path | None = None

    def checked(self, inputs: Iterable[Path]) -> "ExactFiles":
        """Check that the files can be written."""
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
            click.echo(json.dumps({**facts, "rows": rows}, indent=2, default=_both))
        else:
            click.echo(title)
            cells = [{k: cell(v) for k, v in row.items()} for row in rows]
            print_stacked(table_console(100), cells, left=("orders", "reply", "state"))
            click.echo(after) if after else None
        print_written(self.out, self.plot)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def cell(value: Any) -> str:
    """Return a value as tables have it."""
    return f"{float(value):.6f}" if isinstance(value, Fraction | float) else str(value)


def _both(value: Fraction) -> dict[str, Any]:
    return {"value": float(value), "fraction": str(value)}


def pair_table(fighters: Sequence[Mapping[str, Any]], **match: Any) -> dict[str, Any]:
    """Return the table of a battle of two Pokemon, as a battle file has it."""
    same = len({name_key(own["species"]) for own in fighters}) == 1
    names = [own["species"][:30] + f" {n}" * same for n, own in enumerate(fighters, 1)]
    teams = [
        {"name": name, "pokemon": [{**({"name": name} if same else {}), **own}]}
        for name, own in zip(names, fighters, strict=True)
    ]
    return {"match": match, "team": teams}


def state_text(setting: Setting, state: Any) -> str:
    """Return HP and conditions of the Pokemon that have been in play."""
    names = [one.name for one in setting.battle.roster]
    words = []
    for name, f in zip(names, state.fighters, strict=True):
        if f.place != -2:
            held = "".join(f", {held.name}" for held in f.conditions)
            words.append(f"{name} {f.hp}{held}" if f.place > -3 else f"{name} fainted")
    return "; ".join(words)
