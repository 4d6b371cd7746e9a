"""A tournament as a heat map: the share of battles that each slammer wins against each other."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from physics import InputError
from render.palette import LIGHT, SERIES, Palette
from render.plots.figures import figure_bytes, tint, write_header
from sim.core.files import write_whole
from sim.pokepucks.tournament import Pair, PairTally, standings_of

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure


_CELL_IN = 0.42
_MARGIN_IN = (2.1, 2.0)
_SMALLEST_IN = (6.0, 4.0)
"""Side of a cell, width and height around the cells, and smallest size of the figure, in inches."""

_DARK_CELL = 0.32
"""Distance of a share from one half beyond which the text of its cell is light."""


def save_tournament_plot(
    path: Path,
    pairs: Sequence[Pair],
    tallies: Sequence[PairTally],
    *,
    title: str,
    palette: Palette = LIGHT,
) -> None:
    """Write a heat map as a PNG, SVG or PDF file, whole or not at all.

    Every slammer has a row, the most successful one on top, with its wins against each other
    slammer in per cent of their battles. Draws count as battles, not as wins.

    Args:
        path: The file to write.
        pairs: The pairs that met.
        tallies: One per pair.
        title: A line above the map.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There was no battle.
    """
    if not any(tally.battles for tally in tallies):
        raise InputError("battles: none is not accepted; give at least one")
    write_whole(
        path,
        figure_bytes(
            lambda: tournament_figure(pairs, tallies, title=title, palette=palette),
            palette,
            suffix=path.suffix.lower(),
        ),
    )


def tournament_figure(
    pairs: Sequence[Pair],
    tallies: Sequence[PairTally],
    *,
    title: str,
    palette: Palette = LIGHT,
) -> "Figure":
    """Return the figure that `save_tournament_plot` writes."""
    from matplotlib.figure import Figure

    draws = sum(tally.draws for tally in tallies)
    battles = sum(tally.battles for tally in tallies)
    standings = standings_of(pairs, tallies)
    slammers = [standing.slammer for standing in standings]
    met = {pair: tally for pair, tally in zip(pairs, tallies, strict=True) if tally.battles}
    met |= {(second, first): tally.turned for (first, second), tally in met.items()}
    shares = [
        [
            met[row, column].wins / met[row, column].battles if (row, column) in met else math.nan
            for column in slammers
        ]
        for row in slammers
    ]
    size = [
        max(least, margin + _CELL_IN * len(slammers))
        for least, margin in zip(_SMALLEST_IN, _MARGIN_IN, strict=True)
    ]
    figure = Figure(figsize=(size[0], size[1]), layout="constrained")
    axes = figure.subplots()
    axes.set_facecolor(tint(palette.background))
    axes.imshow(shares, cmap=_colours(palette), vmin=0.0, vmax=1.0, aspect="equal")
    for row, line in enumerate(shares):
        for column, share in enumerate(line):
            _write(axes, (column, row), share, palette)
    names = [slammer.name for slammer in slammers]
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(
        range(len(names)),
        [f"{s.slammer.name}  {100 * s.won.value:.0f} %" for s in standings],
    )
    axes.tick_params(length=0, labelsize=9, colors=tint(palette.text))
    for spine in axes.spines.values():
        spine.set_visible(False)
    subtitle = f"battles won by the slammer of the row, in per cent; {draws} of {battles} drawn"
    write_header(figure, title, subtitle, palette)
    return figure


def _write(axes: object, place: tuple[int, int], share: float, palette: Palette) -> None:
    """Write a cell's share."""
    if math.isnan(share):
        return
    ink = palette.background if abs(share - 0.5) > _DARK_CELL else palette.text
    axes.text(  # type: ignore[attr-defined]
        *place, f"{100 * share:.0f}", ha="center", va="center", fontsize=8, color=tint(ink)
    )


def _colours(palette: Palette) -> "LinearSegmentedColormap":
    """Return the colour map from all lost to all won."""
    from matplotlib.colors import LinearSegmentedColormap

    lost, won = SERIES[1], SERIES[0]
    return LinearSegmentedColormap.from_list("won", [tint(lost), tint(palette.arena), tint(won)])
