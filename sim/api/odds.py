"""Odds for Python."""

import html
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from physics.errors import MissingExtraError, check_count, require_extra
from physics.tally import Tally
from render.plots.odds import OddsPoint, odds_figure
from sim.api.common import SceneOptions, Shown, printed, processes, spec_of, with_named_options
from sim.cli.odds import print_table
from sim.core.files import write_whole
from sim.experiments import ResultTable, StopRule, run_to_end
from sim.odds import (
    Odds,
    OddsRow,
    model_ranges,
    odds_cases,
    odds_experiment,
    odds_of,
    odds_rows,
)
from sim.scenes import SceneSpec, describe, studies_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_MASSES_G = (4.0, 8.0, 20.0)

_COLUMNS = ("slammer", "flips", "p_any_flip", "out", "p_any_out", "trials")
"""Columns of a table in a notebook."""


@with_named_options
def odds(
    *,
    trials: int = 1000,
    half_width: float | None = None,
    half_width_of: str = "p_any",
    seed: int = 1,
    workers: int = 1,
    **scene: Unpack[SceneOptions],
) -> "FlipOdds":
    """Estimate how many pucks flip, and how often, from many throws of each slammer.

    Args:
        trials: Throws of each slammer.
        half_width: Instead: throw until every interval is at most this to either side.
        half_width_of: Quantity of the half-width: ``p_any`` (at least one flip) or ``flips``.
        seed: Seed of the throws; trial i is the same throw for every slammer.
        workers: Processes to throw in; the result is the same. A script that asks for more than
            one does its work below ``if __name__ == "__main__":``.
        **scene: The scene; see `SceneOptions`. Slammers of 4, 8 and 20 g if none is named.

    Raises:
        InputError: A value is not accepted.

    Example:
        >>> found = odds(slammer_g=range(4, 13, 4), pucks=3, trials=4, preset="fast")
        >>> [row.name for row in found.rows], found.odds["8 g"].trials
        (['4 g', '8 g', '12 g'], 4)
    """
    check_count("trials", trials, 1, 100_000_000)
    rule = None if half_width is None else StopRule(half_width=half_width, of=half_width_of)
    spec = spec_of(scene, _MASSES_G, "plane")
    studies = studies_of(spec)
    cases = odds_cases([named.name for named in spec.slammers], studies)
    with processes(workers) as executor:
        table = run_to_end(
            odds_experiment(studies),
            cases,
            trials=trials,
            rule=rule,
            seed=seed,
            executor=executor,
            window=4 * workers,
        )
    return FlipOdds(rows=tuple(odds_rows(table, cases)), spec=spec, table=table)


@dataclass(frozen=True, kw_only=True, repr=False)
class FlipOdds(Shown):
    """The odds of several slammers."""

    rows: tuple[OddsRow, ...]  # one for each slammer: its name, scene and tally
    spec: SceneSpec
    table: ResultTable[Tally]  # that of the command's CSV file

    @cached_property
    def odds(self) -> dict[str, Odds]:
        """Chances and means with their uncertainty, by the name of the slammer."""
        return {row.name: odds_of(row.tally, row.z) for row in self.rows}

    def records(self) -> list[dict[str, str | int | float]]:
        """Return a dictionary for each slammer, with the columns of the command's CSV file."""
        return self.table.values()

    def to_pandas(self) -> "pd.DataFrame":
        """Return a table with the columns of the command's CSV file.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("pandas is not installed; pip install pandas") from None
        return pd.DataFrame.from_records(self.records())

    def to_csv(self, path: str | Path) -> None:
        """Write the CSV file of ``pucklab odds --out``, whole or not at all."""
        write_whole(Path(path), self.table.csv().encode())

    def plot(self, *, model_band: bool = False) -> "Figure":
        """Return the plot of ``pucklab odds --plot`` as a figure of Matplotlib.

        Args:
            model_band: Show how far off the figures may be because the model is.

        Raises:
            MissingExtraError: Matplotlib is not installed.
        """
        require_extra("plot", "matplotlib")
        points = [
            OddsPoint(
                label=row.name,
                slammer_g=row.study.scene.slammer.mass_g,
                odds=self.odds[row.name],
                model=model_ranges(row.study) if model_band else {},
            )
            for row in self.rows
        ]
        knock_out = self.spec.knock_out is not None
        return odds_figure(points, title=describe(self.spec), knock_out=knock_out)

    def __str__(self) -> str:
        return printed(lambda: print_table(self.rows, describe(self.spec)))

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        cells = [
            (
                row.name,
                f"{found.flips.value:.2f} &plusmn; {found.flips.standard_error:.2f}",
                found.any_flip.text,
                f"{found.outs.value:.2f}",
                found.any_out.text,
                f"{found.trials}",
            )
            for row, found in ((row, self.odds[row.name]) for row in self.rows)
        ]
        names = (html.escape(name) for name, *_ in cells)
        body = "".join(
            f"<tr><th>{name}</th>{''.join(f'<td>{cell}</td>' for cell in rest)}</tr>"
            for name, (_, *rest) in zip(names, cells, strict=True)
        )
        head = "".join(f"<th>{heading}</th>" for heading in _COLUMNS)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
