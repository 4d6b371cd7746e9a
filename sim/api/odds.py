"""Odds for Python."""

import base64
import html
import io
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from physics.errors import MissingExtraError, check_count, require_extra
from physics.tally import Tally
from render.plots.odds import odds_figure
from sim.api.common import Shown, printed, processes
from sim.api.scenes import SceneOptions, read_options, spec_of, with_named_options
from sim.cli.odds import odds_points, odds_table, print_answer
from sim.core.files import write_whole
from sim.experiments import ResultTable, StopRule, run_to_end
from sim.odds import Odds, OddsRow, odds_cases, odds_experiment, odds_of, odds_rows
from sim.odds.answers import belief, odds_answer, scene_line, sentence, stop_words
from sim.scenes import SceneSpec, describe, studies_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_MASSES_G = (4.0, 8.0, 20.0)


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
    spec = spec_of(read_options(scene), _MASSES_G)
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
    stopped = stop_words(rows, half_width_of)
    scene_text = scene_line(describe(spec), studies, [row.tally.trials for row in rows], stopped)
    return FlipOdds(rows=rows, spec=spec, table=table, scene=scene_text)


@dataclass(frozen=True, kw_only=True, repr=False)
class FlipOdds(Shown):
    """The odds of several slammers, which show themselves as the command does."""

    rows: tuple[OddsRow, ...]  # one for each slammer: its name, scene and tally
    spec: SceneSpec
    table: ResultTable[Tally]  # that of the command's CSV file
    scene: str  # what was thrown, and how often

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        return sentence(odds_answer(self.rows))

    @property
    def belief(self) -> str:
        """The range for real pucks, with the main reason for it."""
        return belief([row.study for row in self.rows])

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
        points = odds_points(self.rows, model_band=model_band)
        knock_out = self.spec.knock_out is not None
        return odds_figure(points, title=describe(self.spec), knock_out=knock_out)

    def __str__(self) -> str:
        cells, legend = odds_table(self.rows)
        return printed(
            lambda: print_answer(odds_answer(self.rows), self.scene, cells, legend, self.belief)
        )

    def _repr_html_(self) -> str:
        """Return the page of a notebook: what the command prints, and the plot if there is one."""
        rows, legend = odds_table(self.rows)
        head = "".join(f"<th>{html.escape(heading)}</th>" for heading in rows[0])
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row.values()) + "</tr>"
            for row in rows
        )
        answer, scene, below = (
            html.escape(text).replace("\n", "<br>")
            for text in (self.answer, self.scene, self.belief)
        )
        return (
            f"<p><b>{answer}</b><br>{scene}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p><small>{html.escape(legend)}</small><br>{below}</p>{self._plot_html()}"
        )

    def _plot_html(self) -> str:
        """Return the plot as a picture in a page; nothing without Matplotlib."""
        if find_spec("matplotlib") is None:
            return ""
        picture = io.BytesIO()
        self.plot(model_band=True).savefig(picture, format="svg")
        data = base64.b64encode(picture.getvalue()).decode()
        return f'<img alt="{html.escape(self.answer)}" src="data:image/svg+xml;base64,{data}">'
