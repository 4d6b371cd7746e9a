"""Odds for Python and for the command."""

import base64
import html
import io
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from pucklab.api.common import Shown, processes
from pucklab.api.scenes import SceneOptions, read_options, spec_of, with_named_options
from pucklab.base.errors import InputError, MissingExtraError, check_count, require_extra
from pucklab.base.files import write_whole
from pucklab.physics.tally import Tally
from pucklab.render.plots.odds import odds_figure, odds_points
from pucklab.render.plots.studies import sweep_figure
from pucklab.sim.experiments import ResultTable, StopRule, run_to_end
from pucklab.sim.experiments.columns import legend_of, row_texts
from pucklab.sim.experiments.view import View
from pucklab.sim.odds import (
    Odds,
    OddsRow,
    model_ranges,
    odds_cases,
    odds_experiment,
    odds_of,
    odds_rows,
)
from pucklab.sim.odds.answers import (
    belief,
    group_alike,
    odds_answer,
    scene_line,
    sentence,
    stop_words,
)
from pucklab.sim.scene.scenes import describe, studies_of

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
    rows = tuple(odds_rows(table, cases))
    return FlipOdds(rows=rows, table=table, title=describe(spec), quantity=half_width_of)


def odds_page(masses_g: tuple[float, ...], speed_m_s: float, trials: int) -> str:
    """Return the odds of slammers at a speed as HTML, or why there are none."""
    try:
        return odds(slammer_g=masses_g, speed_m_s=speed_m_s, trials=trials)._repr_html_()
    except InputError as error:
        return str(error)


@dataclass(frozen=True, kw_only=True, repr=False)
class FlipOdds(Shown):
    """The odds of several slammers or scenes; they print as the command does."""

    rows: tuple[OddsRow, ...]  # one for each case: its name, scene and tally
    table: ResultTable[Tally]  # that of the command's CSV file
    title: str  # slammers, stack and arena
    quantity: str = "p_any"  # that of the half-width that ended the throws
    any_thrower: bool = False  # real pucks may be thrown with other speed and aim

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        return sentence(odds_answer(self.rows))

    @property
    def scene(self) -> str:
        """The scene, and the number of throws."""
        trials = [row.tally.trials for row in self.rows]
        stopped = stop_words(self.rows, self.quantity)
        return scene_line(self.title, self._studies, trials, stopped)

    @property
    def belief(self) -> str:
        """The range for real pucks, with the main reason for it."""
        return belief(self._studies, thrower=self.any_thrower)

    @property
    def _studies(self) -> list[Any]:
        return [row.study for row in self.rows]

    @cached_property
    def odds(self) -> dict[str, Odds]:
        """Chances and means with their uncertainty, by the name of the slammer."""
        return {row.name: odds_of(row.tally, row.z) for row in self.rows}

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
        if self.rows[0].values:
            known = model_band and all(map(model_ranges, self._studies))
            return sweep_figure(self.rows, title=self.title, model_band=known)
        points = odds_points(self.rows, model_band=model_band, thrower=self.any_thrower)
        knock_out = self.rows[0].study.scene.is_knock_out
        return odds_figure(points, title=self.title, knock_out=knock_out)

    def view(self, *, wide: bool = False, clause: str = "") -> View:
        """Return the answer, the table and the notes that the command prints.

        Args:
            wide: Show all columns.
            clause: Goes on after the answer.
        """
        experiment: Any = self.table.experiment
        columns = experiment.columns.columns
        fields = self.rows[0].values
        headings = ", ".join([*fields, *([] if "slammer_g" in fields else ["slammer"])])
        cells = []
        for group in group_alike(self.rows):
            first, own = group[0], list(dict.fromkeys(row.name for row in group))
            told = [f"{value:g}" for value in first.values.values()]
            if "slammer_g" not in fields:
                mass, more = f"{first.study.scene.slammer.mass_g:g} g", len(own) - _NAMES_SHOWN
                named = ", ".join(own[:_NAMES_SHOWN]) + (f" +{more}" if more > 0 else "")
                told.append(mass if own == [mass] else f"{mass}: {named}")
            found = odds_of(first.tally, first.z)
            cells.append({headings: ", ".join(told)} | row_texts(columns, found, wide=wide))
        return View(
            answer=sentence(odds_answer(self.rows) + clause),
            scene=self.scene,
            rows=cells,
            legend=legend_of(columns, wide=wide),
            notes=(self.belief,),
        )

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
