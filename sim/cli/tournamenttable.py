"""Tournaments as tables for people, and as JSON for programs."""

import json
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from sim.odds import Proportion
from sim.pokepucks.tournament import (
    PairRow,
    Standing,
    knock_out_rates,
    row_values,
    standings_of,
)

_WIDTH = 100


def print_results(rows: Sequence[PairRow]) -> None:
    """Print a line per slammer, how many battles were drawn, and how often knock-outs succeed."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    pairs, tallies = [row.pair for row in rows], [row.tally for row in rows]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, padding=(0, 1))
    table.add_column("slammer")
    for heading in ("g", "ability", "won", "battles", "drawn", "turns", "throws"):
        table.add_column(heading, justify="left" if heading == "ability" else "right")
    for standing in standings_of(pairs, tallies):
        table.add_row(*_cells(standing))
    console.print(table)
    battles = sum(tally.battles for tally in tallies)
    draws = sum(tally.draws for tally in tallies)
    first = sum(tally.first_wins for tally in tallies)
    decided = battles - draws
    told = f"{draws} of {battles} battles were drawn"
    if decided:
        told += f"; whose turn was first won {first / decided:.0%} of the others"
    console.print(f"{told}.", soft_wrap=True)
    for rate in knock_out_rates(pairs, tallies):
        console.print(
            f"knock-out attempts with {rate.slammer_g:g} g: {_chance(rate.chance)} of "
            f"{rate.attempts} succeeded",
            soft_wrap=True,
        )
    console.print(
        "won: share of battles with its 95 % interval, a draw is no win; turns, throws: a battle.",
        style="dim",
    )


def _cells(standing: Standing) -> tuple[str, ...]:
    tally, slammer = standing.tally, standing.slammer
    return (
        slammer.name,
        f"{slammer.mass_g:g}",
        slammer.rule or slammer.kind,
        _chance(standing.won),
        f"{tally.battles}",
        f"{tally.draws}",
        f"{tally.turns / tally.battles:.0f}",
        f"{tally.throws / tally.battles:.0f}",
    )


def _chance(chance: Proportion) -> str:
    return f"{chance.value:.0%} ({100 * chance.low:.0f}-{100 * chance.high:.0f})"


def results_json(rows: Sequence[PairRow]) -> str:
    """Return pairs, standings and knock-out attempts as JSON; what is unknown is null.

    Example:
        >>> results_json([])
        '{"pairs": [], "standings": [], "knock_outs": []}'
    """
    pairs, tallies = [row.pair for row in rows], [row.tally for row in rows]
    told = {
        "pairs": [
            {key: None if value == "" else value for key, value in row_values(row).items()}
            for row in rows
        ],
        "standings": [
            {
                "slammer": standing.slammer.name,
                "slammer_g": standing.slammer.mass_g,
                "battles": standing.tally.battles,
                "wins": standing.tally.wins,
                "draws": standing.tally.draws,
                **_proportion("p_win", standing.won),
            }
            for standing in standings_of(pairs, tallies)
        ],
        "knock_outs": [
            {
                "slammer_g": rate.slammer_g,
                "attempts": rate.attempts,
                **_proportion("p_knock_out", rate.chance),
            }
            for rate in knock_out_rates(pairs, tallies)
        ],
    }
    return json.dumps(told, indent=2 if rows else None)


def _proportion(name: str, chance: Proportion) -> dict[str, float]:
    return {name: chance.value, f"{name}_low": chance.low, f"{name}_high": chance.high}
