"""Odds for Python and for the command."""

import base64
import html
import io
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pucklab.api.common import Shown, processes
from pucklab.api.scenes import SceneOptions, read_options, spec_of, with_named_options
from pucklab.base.errors import MissingExtraError, check_count, require_extra
from pucklab.base.files import write_whole
from pucklab.base.values import read_seed
from pucklab.render.plots.odds import odds_figure, odds_points
from pucklab.render.plots.studies import sweep_figure
from pucklab.sim.experiments import StopRule, run_to_end
from pucklab.sim.odds import (
    experiment_cases,
    model_ranges,
    odds_experiment,
    odds_rows,
)
from pucklab.sim.odds.result import OddsResult
from pucklab.sim.pokepucks.weights import with_battles
from pucklab.sim.scene.scenes import cases_of, describe

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MASSES_G = (4.0, 8.0, 20.0)
"""Slammers if none are named: the masses in the PuckDex."""

_NAMES_SHOWN = 2


@with_named_options
def odds(
    *,
    trials: int = 400,
    half_width: float | None = None,
    half_width_of: str = "p_any",
    seed: int = 1,
    workers: int = 1,
    **scene: Unpack[SceneOptions],
) -> "FlipOdds":
    """Estimate how many pucks flip, and how often, from many throws of each slammer.

    Args:
        trials: Throws of each slammer.
        half_width: Throw until every interval is at most this wide to either side, instead of
            ``trials`` throws.
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
    spec = spec_of(read_options(scene), MASSES_G)
    cases = with_battles(cases_of(spec))
    experiment, own = odds_experiment(cases), experiment_cases(cases)
    in_threads = all(experiment.in_threads(case.subject) for case in own)
    with processes(workers, in_threads=in_threads) as executor:
        table = run_to_end(
            experiment,
            own,
            trials=trials,
            rule=rule,
            seed=read_seed(seed),
            executor=executor,
            window=4 * workers,
        )
    rows = tuple(odds_rows(table, cases))
    return FlipOdds(rows=rows, table=table, title=describe(spec), quantity=half_width_of)


@dataclass(frozen=True, kw_only=True, repr=False)
class FlipOdds(OddsResult, Shown):
    """The odds of several slammers or scenes; they print as the command does."""

    def records(self) -> list[dict[str, str | int | float]]:
        """Return a dictionary for each slammer, with the columns of the command's CSV file."""
        return self.table.records()

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
            model_band: Show the ranges of the figures due to the uncertainty of the model.

        Raises:
            MissingExtraError: Matplotlib is not installed.
        """
        require_extra("plot", "matplotlib")
        heading = {"title": self.answer, "about": self.scene}
        if self.rows[0].values:
            known = model_band and all(map(model_ranges, self.studies))
            return sweep_figure(self.rows, **heading, model_band=known)
        points = odds_points(self.rows, model_band=model_band, thrower=self.any_thrower)
        knock_out = self.rows[0].study.scene.is_knock_out
        return odds_figure(points, **heading, knock_out=knock_out)

    def __str__(self) -> str:
        return str(self.view())

    def _repr_html_(self) -> str:
        """Return the page of a notebook: the command's output, and the plot if there is one."""
        if find_spec("matplotlib") is None:
            return self.view().html()
        picture = io.BytesIO()
        self.plot(model_band=True).savefig(picture, format="svg")
        data = base64.b64encode(picture.getvalue()).decode()
        alt = html.escape(self.answer)
        return f'{self.view().html()}<img alt="{alt}" src="data:image/svg+xml;base64,{data}">'
