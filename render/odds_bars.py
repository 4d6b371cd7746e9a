"""How often how many pieces flip: a panel of bars for each mass of slammer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from render.figures import tint
from render.odds_axes import colour_axes, whiskers
from render.odds_points import OddsPoint, by_mass, distinct
from render.palette import Palette
from sim.odds import Proportion, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

MOST_PANELS = 8
_MOST_COLUMNS = 4
_MOST_BARS_LABELLED = 12


def panel_rows(points: Sequence[OddsPoint]) -> int:
    """Return in how many rows the panels stand."""
    return -(-len(_shown(points)) // _MOST_COLUMNS)


def draw_bars(figure: "SubFigure", points: Sequence[OddsPoint], palette: Palette) -> None:
    """Draw the panels, of at most eight masses, with 95 % Wilson intervals of what was seen."""
    shown = _shown(points)
    rows, columns = panel_rows(points), min(len(shown), _MOST_COLUMNS)
    text = tint(palette.text)
    figure.suptitle(_title(points), x=0.015, ha="left", fontsize=10, color=text)
    figure.supxlabel("pieces flipped in a throw", fontsize=10, color=text)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    flat = list(panels.flat)
    for panel, group in zip(flat, shown, strict=False):
        _draw_panel(panel, group, palette)
    for panel in flat[len(shown) :]:
        panel.set_visible(False)
    for row in panels:
        row[0].set_ylabel("share of throws")
    flat[0].set_ylim(bottom=0.0)


def _shown(points: Sequence[OddsPoint]) -> list[list[OddsPoint]]:
    """Return the groups that have a panel: at most `MOST_PANELS`, evenly over all."""
    groups = by_mass(points)
    if len(groups) <= MOST_PANELS:
        return groups
    last = len(groups) - 1
    return [groups[round(k * last / (MOST_PANELS - 1))] for k in range(MOST_PANELS)]


def _draw_panel(axes: "Axes", group: Sequence[OddsPoint], palette: Palette) -> None:
    colour_axes(axes, palette)
    shares = _shares(group)
    numbers = range(len(shares))
    heights = [share.value for share in shares]
    axes.bar(numbers, heights, width=0.82, color=tint(palette.puck_face))
    seen = [number for number in numbers if heights[number]]
    axes.errorbar(
        seen,
        [heights[number] for number in seen],
        yerr=whiskers([shares[number] for number in seen]),
        color=tint(palette.text),
        linestyle="none",
        elinewidth=0.8,
        capsize=1.5,
        capthick=0.8,
    )
    axes.set_title(_panel_title(group), loc="left", fontsize=9, color=tint(palette.text))
    step = 1 if len(shares) <= _MOST_BARS_LABELLED else 5
    axes.set_xticks(list(numbers)[::step])
    axes.set_xlim(-0.6, len(shares) - 0.4)
    axes.tick_params(labelsize=8)


def _shares(group: Sequence[OddsPoint]) -> list[Proportion]:
    """Return the chances of each number of flips over all throws of a group."""
    counted = [
        (round(chance * point.odds.trials), number)
        for point in distinct(group)
        for number, chance in enumerate(point.odds.flip_chances)
    ]
    trials = sum(count for count, _ in counted)
    totals = [0] * max(len(point.odds.flip_chances) for point in group)
    for count, number in counted:
        totals[number] += count
    return [wilson(total, trials) for total in totals]


def _panel_title(group: Sequence[OddsPoint]) -> str:
    """Return the mass, and whose it is if that says more.

    Example:
        >>> from sim.odds import empty_tally, odds_of, tally_of
        >>> from physics import Face, PieceOutcome, SlamOutcome
        >>> lies = PieceOutcome(place=0, face=Face.UP, x_mm=0.0, y_mm=0.0)
        >>> odds = odds_of(tally_of(SlamOutcome(hit=True, pieces=(lies,), slammer=lies)))
        >>> _panel_title([OddsPoint(label="8 g", slammer_g=8.0, odds=odds)])
        '8 g'
        >>> _panel_title([OddsPoint(label="Lapras", slammer_g=8.0, odds=odds)])
        '8 g: Lapras'
    """
    mass = f"{group[0].slammer_g:g} g"
    names = [
        name for name in dict.fromkeys(point.label for point in group) if name not in ("", mass)
    ]
    if not names:
        return mass
    told = ", ".join(names) if len(names) <= 2 else f"{len(names)} slammers"
    return f"{mass}: {told}"


def _title(points: Sequence[OddsPoint]) -> str:
    trials = sorted({point.odds.trials for point in points})
    told = f"{trials[0]}" if len(trials) == 1 else f"{trials[0]} to {trials[-1]}"
    plural = "" if trials[-1] == 1 else "s"
    return (
        f"How many pieces flip, by the slammer's mass ({told} throw{plural} each; 95 % intervals)"
    )
