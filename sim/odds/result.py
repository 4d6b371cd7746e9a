"""The odds of several cases as people read them: the answer, the scene, the belief, the table.

The command, Python and the pages show the same `OddsResult`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pucklab.physics.tally import Mean, Tally
from pucklab.sim.experiments import ResultTable
from pucklab.sim.experiments.columns import legend_of, row_texts, value_text
from pucklab.sim.experiments.view import View
from pucklab.sim.odds.answers import (
    battles_sentence,
    belief,
    group_alike,
    odds_answer,
    odds_curve,
    scene_line,
    sentence,
    stop_words,
)
from pucklab.sim.odds.study import BATTLE_COLUMNS, BATTLES_LEGEND, Odds, OddsRow, Study, odds_of

_NAMES_SHOWN = 2

_CURVE = "curve: of the answer; "


@dataclass(frozen=True, kw_only=True)
class OddsResult:
    """The odds of several slammers or scenes."""

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
        stopped = stop_words(self.rows, self.quantity)
        return scene_line(self.title, self.studies, [row.tally for row in self.rows], stopped)

    @property
    def belief(self) -> str:
        """The range for real pucks, with the main reason for it."""
        return belief(self.studies, thrower=self.any_thrower)

    @property
    def studies(self) -> list[Study]:
        """The studies of the rows."""
        return [row.study for row in self.rows]

    @cached_property
    def odds(self) -> dict[str, Odds]:
        """Chances and means with their uncertainty, by the name of the slammer."""
        return {row.name: odds_of(row.tally, row.z) for row in self.rows}

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
        cells, groups = [], group_alike(self.rows)
        firsts = [group[0] for group in groups]
        curve, known = odds_curve(firsts), any(row.battles for row in firsts)
        for number, group in enumerate(groups):
            first, own = group[0], list(dict.fromkeys(row.name for row in group))
            told = [f"{value:g}" for value in first.values.values()]
            if "slammer_g" not in fields:
                mass, more = f"{first.study.scene.slammer.mass_g:g} g", len(own) - _NAMES_SHOWN
                named = ", ".join(own[:_NAMES_SHOWN]) + (f" +{more}" if more > 0 else "")
                told.append(mass if own == [mass] else f"{mass}: {named}")
            found = odds_of(first.tally, first.z)
            row = {headings: ", ".join(told)}
            if len(groups) > 1:
                mean = Mean(value=curve.values[number], standard_error=curve.errors[number])
                row["curve"] = value_text(mean, "")
            row |= row_texts(columns, found, wide=wide)
            for name, heading in BATTLE_COLUMNS.items() if known else ():
                row[heading] = first.battles[name].text if first.battles else "-"
            cells.append(row)
        return View(
            answer=sentence(odds_answer(self.rows) + clause),
            scene=self.scene,
            rows=cells,
            legend=_CURVE * (len(groups) > 1)
            + legend_of(columns, wide=wide)
            + f"; {BATTLES_LEGEND}" * known,
            notes=(*filter(None, [battles_sentence(firsts)]), self.belief),
        )
