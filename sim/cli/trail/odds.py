"""``pucklab trail odds``: turns, units and cups that a board costs."""

import csv
import io
import json
import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.options import count, number, seed_option, workers_option
from sim.cli.trail.tables import (
    COUNTERS,
    board_from_option,
    first_from_option,
    kinds_from_option,
    table_options,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.chance import Number
    from sim.trail.odds import Alone, Table, Tally

_PATH = click.Path(path_type=Path)
_LEVELS = (0.5, 0.9, 0.99)
_COLUMNS = ("quantity", "who", "value", "probability", "low", "high", "count", "games")


@click.command("odds")
@table_options
@click.option(
    "--players",
    type=count(1, 12),
    default=4,
    show_default=True,
    metavar="N",
    help="Players at the table; 1 for the exact odds alone.",
)
@click.option(
    "--games",
    type=count(1, 10_000_000),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Games to simulate.",
)
@seed_option("Seed; same seed, same games.")
@click.option(
    "--cap", type=number(0.1, 1000, "cups"), metavar="CUPS", help="Count no more cups a player."
)
@workers_option("play")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Write all distributions.")
@click.option("--plot", type=_PATH, metavar="FILE.png", help="Draw turns and units.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def command(
    *,
    board: Path | None,
    policy: str,
    first: str,
    all_finish: bool,
    players: int,
    games: int,
    seed: int,
    cap: float | None,
    workers: int | None,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
) -> int:
    """Print the turns and units that a board costs: exact for one player, simulated for a table.

    Without a board, on the house-made one that comes with pucklab. Units are counters, and may be
    points or water. Ctrl-C prints and saves the games played so far.

    \b
    Examples:
      pucklab trail odds
      pucklab trail odds --players 6 --policy careful --cap 3 --plot trail.png
      pucklab trail odds --board mine.toml --players 1 --json
    """
    from physics.errors import require_extra
    from sim.cli.output import print_written
    from sim.cli.processes import processors
    from sim.cli.running import EXIT_STOPPED, report_stop
    from sim.core.files import check_writable, write_whole
    from sim.trail.odds import Table

    if out is not None:
        check_writable("out", out, (".csv",))
    if plot is not None:
        check_writable("plot", plot, (".png",))
        require_extra("plot", "matplotlib")
    kinds = kinds_from_option(policy, players)
    seat = first_from_option(first, [f"player {n + 1}" for n in range(players)])
    read = board_from_option(board)
    most = math.inf if cap is None else round(cap * read.units_per_cup)
    table = Table(board=read, policies=kinds, first=seat, all_finish=all_finish, cap=most)
    try:
        exact = _exact(table)
        tally, stopped = _simulated(table, games, seed, workers or processors())
    except KeyboardInterrupt:
        report_stop("before anything was computed")
        return EXIT_STOPPED
    results = _Results(table, exact, tally, seed)
    if out is not None:
        write_whole(out, results.csv().encode())
    if plot is not None:
        from render.plots.trail import save_trail_plot

        save_trail_plot(
            plot,
            results.series("turns"),
            results.series("units"),
            title=results.title,
            units_per_cup=read.units_per_cup,
        )
    print_written(out, plot)
    if as_json:
        click.echo(json.dumps(results.json(), indent=2))
    else:
        results.print()
    if stopped:
        report_stop(f"after {tally.games} of {games} games")
        return EXIT_STOPPED
    return 0


def _exact(table: "Table") -> "dict[str, Alone | None]":
    """Return the exact odds by policy; None where the board has too many states."""
    from physics import InputError
    from sim.trail.odds import alone
    from sim.trail.players import policy_of

    found: dict[str, Alone | None] = {}
    for kind in dict.fromkeys(table.policies):
        try:
            found[kind] = alone(table.board, policy_of(kind))
        except InputError:
            found[kind] = None
    return found


def _simulated(table: "Table", games: int, seed: int, workers: int) -> "tuple[Tally, bool]":
    """Play the games, and return their tally and whether Ctrl-C stopped them."""
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.trail.odds import CHUNK_GAMES, Tally, simulate

    tally = Tally()
    if len(table.policies) == 1:
        return tally, False
    workers = min(workers, math.ceil(games / CHUNK_GAMES))
    try:
        with worker_processes(workers) as executor:
            states = simulate(table, games, seed, executor=executor, window=4 * workers)
            for state in track(states, lambda state: (state.games, games), "playing"):
                tally = state
    except KeyboardInterrupt:
        return tally, True
    return tally, False


class _Results:
    """Odds of a table, in the forms that the command prints and writes."""

    def __init__(
        self,
        table: "Table",
        exact: "Mapping[str, Alone | None]",
        tally: "Tally",
        seed: int,
    ) -> None:
        self.table = table
        self.exact = exact
        self.tally = tally
        self.seed = seed
        self.players = len(table.policies)
        board = table.board
        made = ", house-made" if board.house_made else ""
        self.title = f"{board.name}: {board.last} squares{made}"

    def print(self) -> None:
        """Print the odds as tables."""
        click.echo(self.title)
        for kind, odds in self.exact.items():
            if odds is None:
                click.echo(f"one player, {kind}: the board has too many states for exact odds")
                continue
            click.echo(f"one player, {kind}, exact:")
            click.echo(
                f"  turns to the finish  {float(odds.turns):.4f}   {_levels(odds.turns_odds.items)}"
            )
            click.echo(
                f"  units                {float(odds.units):.4f}   {_levels(odds.units_odds.items)}"
                f"   {float(odds.units) / self._cup:.2f} cups"
            )
        shown = self._race()
        if shown:
            chances = "  ".join(f"{float(chance):.4f}" for chance in shown)
            click.echo(f"first at the finish by turn order, if players do not meet: {chances}")
        if self.tally.games:
            self._print_table()
        click.echo(COUNTERS)

    def _print_table(self) -> None:
        tally = self.tally
        click.echo(f"{self.players} players, {tally.games} games, seed {self.seed}:")
        click.echo(
            f"  {'player':<16}{'won':>20}{'units':>16}{'50 %':>7}{'90 %':>7}{'99 %':>7}{'cups':>7}"
        )
        for row in self._seats():
            units = _with_error(row["units"], row["units_se"])
            won = f"{row['won']:.3f} ({row['won_low']:.3f}-{row['won_high']:.3f})"
            levels = "".join(f"{row[f'units_{100 * level:.0f}']:>7}" for level in _LEVELS)
            click.echo(f"  {row['player']:<16}{won:>20}{units:>16}{levels}{row['cups']:>7.2f}")
        mean, error = _mean(tally.all_units)
        click.echo(
            f"  the table: {_with_error(mean, error)} units, {mean / self._cup:.2f} cups; "
            + _levels(_shares(tally.all_units))
        )
        if tally.turns:
            mean, error = _mean(tally.turns)
            click.echo(
                f"  the winner's turns: {_with_error(mean, error)}; "
                + _levels(_shares(tally.turns))
            )
        if tally.undecided:
            click.echo(f"  {tally.undecided} games were not finished and count as undecided")
        if self.table.cap != math.inf:
            click.echo(
                f"  counting stopped at {self.table.cap / self._cup:g} cups for {tally.capped} of "
                f"{tally.games * self.players} players"
            )
        click.echo("  won: with its 95 % interval; units: mean and standard error, then quantiles")

    @property
    def _cup(self) -> int:
        return self.table.board.units_per_cup

    def _race(self) -> "list[Number]":
        from sim.trail.odds import race

        (odds, *others) = self.exact.values()
        if self.players == 1 or others or odds is None:
            return []
        return race(odds.turns_odds, self.players)

    def _seats(self) -> list[dict[str, Any]]:
        from sim.odds import wilson

        rows = []
        for seat, kind in enumerate(self.table.policies):
            units = self.tally.units[seat]
            mean, error = _mean(units)
            won = wilson(self.tally.wins[seat], self.tally.games)
            quantiles = {
                f"units_{100 * level:.0f}": _quantile(_shares(units), level) for level in _LEVELS
            }
            rows.append(
                {
                    "player": f"{seat + 1} {kind}",
                    "won": won.value,
                    "won_low": won.low,
                    "won_high": won.high,
                    "units": mean,
                    "units_se": None if math.isnan(error) else error,
                    **quantiles,
                    "cups": mean / self._cup,
                }
            )
        return rows

    def json(self) -> dict[str, Any]:
        """Return the odds for JSON."""
        tally = self.tally
        simulated: dict[str, Any] | None = None
        if tally.games:
            table_mean, table_error = _mean(self.tally.all_units)
            simulated = {
                "games": tally.games,
                "seed": self.seed,
                "undecided": tally.undecided,
                "seats": self._seats(),
                "table_units": table_mean,
                "table_units_se": None if math.isnan(table_error) else table_error,
                "table_cups": table_mean / self._cup,
                "cap_units": None if self.table.cap == math.inf else self.table.cap,
                "capped_players": tally.capped,
            }
        return {
            "board": self.table.board.name,
            "house_made": self.table.board.house_made,
            "units_per_cup": self._cup,
            "alone": {
                kind: odds
                and {
                    "turns": float(odds.turns),
                    "units": float(odds.units),
                    "cups": float(odds.units) / self._cup,
                    "turns_odds": {str(n): float(p) for n, p in _finite(odds.turns_odds.items)},
                    "units_odds": {str(n): float(p) for n, p in _finite(odds.units_odds.items)},
                }
                for kind, odds in self.exact.items()
            },
            "race_without_meeting": [float(chance) for chance in self._race()] or None,
            "table": simulated,
        }

    def series(self, quantity: str) -> list[tuple[str, list[tuple[float, float]]]]:
        """Return named distributions for the plot: points of (value, probability)."""
        found = [
            (
                f"one player, {kind}",
                _finite((odds.turns_odds if quantity == "turns" else odds.units_odds).items),
            )
            for kind, odds in self.exact.items()
            if odds is not None
        ]
        if self.tally.games and quantity == "turns" and self.tally.turns:
            found.append((f"winner of {self.players}", _shares(self.tally.turns)))
        if self.tally.games and quantity == "units":
            each: Counter[int] = Counter()
            for seat in range(self.players):
                each.update(self.tally.units[seat])
            found.append((f"each of {self.players}", _shares(each)))
        return found

    def csv(self) -> str:
        """Return every distribution, a row a value."""
        from sim.core.files import version
        from sim.odds import wilson
        from sim.trail.odds import board_hash

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow((*_COLUMNS, "seed", "version", "board_hash"))
        named = (str(self.seed), version(), board_hash(self.table.board))
        for kind, odds in self.exact.items():
            if odds is not None:
                both = (("turns", odds.turns_odds), ("units", odds.units_odds))
                for quantity, part in both:
                    for value, p in _finite(part.items):
                        writer.writerow(
                            (quantity, f"alone {kind}", value, p, "", "", "", "", *named)
                        )
        counted = [("turns", "winner", self.tally.turns), ("units", "table", self.tally.all_units)]
        counted += [
            ("units", str(s + 1), self.tally.units[s]) for s in range(len(self.tally.units))
        ]
        for quantity, who, counter in counted:
            games = counter.total()
            for value, seen in sorted(counter.items()):
                share = wilson(seen, games)
                chances = (share.value, share.low, share.high)
                writer.writerow((quantity, who, value, *chances, seen, games, *named))
        return text.getvalue()


def _mean(counter: Counter[int]) -> tuple[float, float]:
    """Return the mean of counted values and its standard error; NaN for a single one."""
    total = counter.total()
    mean = sum(value * seen for value, seen in counter.items()) / total
    squares = sum(seen * (value - mean) ** 2 for value, seen in counter.items())
    return mean, math.sqrt(squares / (total - 1) / total) if total > 1 else math.nan


def _with_error(mean: float, error: float | None) -> str:
    """Return a mean and its standard error, if that is known.

    Example:
        >>> _with_error(1.5, 0.25), _with_error(1.5, math.nan)
        ('1.50 +- 0.25', '1.50')
    """
    return f"{mean:.2f}" + ("" if error is None or math.isnan(error) else f" +- {error:.2f}")


def _shares(counter: Counter[int]) -> "list[tuple[float, float]]":
    return [(value, seen / counter.total()) for value, seen in sorted(counter.items())]


def _finite(items: "Sequence[tuple[Number, Number]]") -> "list[tuple[float, float]]":
    """Return the finite outcomes as numbers for a file or plot."""
    return [(int(value), float(p)) for value, p in items if value != math.inf]


def _quantile(items: "Sequence[tuple[Number, Number]]", level: float) -> "Number":
    from sim.chance import distribution, quantile

    return quantile(distribution(items), level)


def _levels(items: "Sequence[tuple[Number, Number]]") -> str:
    """Return the quantiles of a distribution in words."""
    words = ("half", "90 %", "99 %")
    return ", ".join(
        f"{word} at most {_quantile(items, level)}"
        for word, level in zip(words, _LEVELS, strict=True)
    )
