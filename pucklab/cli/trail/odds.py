"""``pucklab trail odds``: turns, units and cups that a board costs; options shared with play."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click

from pucklab.base.decoding import check_one_of
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import PATH, count, flag, number, option, together
from pucklab.cli.output import print_json, print_written
from pucklab.cli.signals import EXIT_STOPPED, report_stop
from pucklab.cli.trail.duels import words_of
from pucklab.physics import InputError
from pucklab.render.plots.figures import save_plot
from pucklab.render.plots.trail import trail_figure
from pucklab.sim.chance.distribution import distribution, quantile
from pucklab.sim.experiments import wilson
from pucklab.sim.trail.board import house_board
from pucklab.sim.trail.duels import Starter
from pucklab.sim.trail.match import COUNTERS, PLAYERS, Setup
from pucklab.sim.trail.odds import (
    TRAIL,
    Alone,
    Seating,
    TrailTally,
    alone,
    by_number,
    mean_of,
    race,
    read_board,
    trail_case,
)
from pucklab.sim.trail.play import POLICIES

_LEVELS = {"units_50": 0.5, "units_90": 0.9, "units_99": 0.99}
table_options = together(
    option("--board", PATH, "FILE.toml", "Board; the house-made one if not given."),
    option(
        "--policy",
        str,
        "KIND,...",
        "Ways in which players decide: careful or quick; one for all, or one for each.",
        default="careful",
    ),
    option(
        "--first",
        str,
        "PLAYER",
        "Player who begins: random, or a player's name or number.",
        default="random",
    ),
    flag("--all-finish", "Play until everybody has finished."),
    option("--cap", number(0.1, 1000, "cups"), "CUPS", "Count no more cups a player."),
)
"""The options for board, policies, the end of the game and the cap."""


def setup_from(
    names: Sequence[str],
    *,
    board: Path | None,
    first: str,
    all_finish: bool,
    cap: float | None,
    starters: str | None = None,
) -> Setup:
    """Return the set-up of some players from the options of `table_options`, without policies.

    Raises:
        InputError: An option, or the board's file, is not accepted.
    """
    chosen = None if starters is None else words_of("starters", starters, Starter)
    if chosen is not None and len(chosen) != len(names):
        raise InputError(f"starters: {starters!r} is not accepted; give {len(names)}, one a player")
    seats = {"random": None} | {str(n): n - 1 for n in range(1, len(names) + 1)}
    seats |= {name: seat for seat, name in enumerate(names) if name != "random"}
    if first not in seats:
        raise InputError(
            f"first: {first!r} is not accepted; give random, a player's name or 1 to {len(names)}"
        )
    read = house_board() if board is None else read_board(board)
    return Setup(
        board=read,
        names=tuple(names),
        starters=chosen,
        first=seats[first],
        all_finish=all_finish,
        cap=None if cap is None else round(cap * read.units_per_cup),
    )


@click.command("odds")
@table_options
@option(
    "--players", count(1, 12), "N", "Players at the table; 1 for the exact odds alone.", default=4
)
@experiment_options(
    "games",
    10_000,
    most=10_000_000,
    about="Games to simulate.",
    doing="play",
    seed="Seed; same seed, same games.",
    plot="Draw turns and units (.png, .svg or .pdf).",
)
def command(*, players: int, policy: str, run: Run, **options: Any) -> int:
    """Print the turns and units that a board costs: exact for one player, simulated for a table.

    Without --board, it is the house-made one of pucklab. Units are counters, and may be
    points or water. Ctrl-C prints and saves the games played so far.

    \b
    Examples:
      pucklab trail odds
      pucklab trail odds --players 6 --policy careful --cap 3 --plot trail.png
      pucklab trail odds --board mine.toml --players 1 --json
    """
    run.check([options["board"]])
    if players == 1 and run.out is not None:
        raise InputError("out: not accepted for one player, whose odds are exact: see --json")
    kinds = PLAYERS.kinds(policy, players)
    for kind in kinds:
        check_one_of("policy", kind, tuple(POLICIES))
    names = [f"player {n + 1}" for n in range(players)]
    table = Seating(setup=setup_from(names, **options), policies=kinds)
    exact: dict[str, Alone | None] = {}
    try:
        for kind in dict.fromkeys(kinds):
            with suppress(InputError):  # too many states
                exact[kind] = None
                exact[kind] = alone(table.setup.board, POLICIES[kind]())
    except KeyboardInterrupt:
        report_stop("before anything was computed")
        return EXIT_STOPPED
    tally = None
    if players > 1 and run.collect(TRAIL, [trail_case(table)]).table.entries:
        (tally,) = run.table.tallies()
    results = _Results(table, exact, tally, run.seed)

    def show(_: object = None) -> None:
        click.echo("\n".join(_lines(results)))

    if players > 1:
        return run.finish(
            show, json=lambda _: _json(results), plot=lambda path, _: _plot(path, results)
        )
    if run.plot is not None:
        _plot(run.plot, results)
    print_written(run.plot)
    if run.as_json:
        print_json(_json(results))
    else:
        show()
    return 0


class _Results(NamedTuple):
    """Odds of a table: exact by policy (None with too many states), and simulated."""

    table: Seating
    alone: dict[str, Alone | None]
    tally: TrailTally | None
    seed: int


def _title(table: Seating) -> str:
    board = table.setup.board
    return f"{board.name}: {board.last} squares" + (", house-made" if board.house_made else "")


def _lines(results: _Results) -> Iterable[str]:
    table, alone, tally, seed = results
    cup, players = table.setup.board.units_per_cup, len(table.policies)
    yield _title(table)
    for kind, odds in alone.items():
        if odds is None:
            yield f"one player, {kind}: the board has too many states for exact odds"
            continue
        turns, units = _levels(odds.turns_odds.items), _levels(odds.units_odds.items)
        yield f"one player, {kind}, exact:"
        yield f"  turns to the finish  {float(odds.turns):.4f}   {turns}"
        mean = float(odds.units)
        yield f"  units                {mean:.4f}   {units}   {mean / cup:.2f} cups"
    if chances := _race(results):
        shown = "  ".join(f"{chance:.4f}" for chance in chances)
        yield f"first at the finish by turn order, if players do not meet: {shown}"
    if tally is not None:
        yield f"{players} players, {tally.trials} games, seed {seed}:"
        heads = "".join(f"{head:>7}" for head in ("50 %", "90 %", "99 %", "cups"))
        yield f"  {'player':<16}{'won':>20}{'units':>16}{heads}"
        for row in _seats(results):
            won = f"{row['won']:.3f} ({row['won_low']:.3f}-{row['won_high']:.3f})"
            units = _with_error(row["units"], row["units_se"])
            levels = "".join(f"{row[level]:>7}" for level in _LEVELS)
            yield f"  {row['player']:<16}{won:>20}{units:>16}{levels}{row['cups']:>7.2f}"
        drunk, turns_taken = by_number(tally.all_units), by_number(tally.turns)
        mean, error = mean_of(drunk)
        levels = _levels(_shares(drunk))
        yield f"  the table: {_with_error(mean, error)} units, {mean / cup:.2f} cups; {levels}"
        if turns_taken:
            turns = f"{_with_error(*mean_of(turns_taken))}; {_levels(_shares(turns_taken))}"
            yield f"  the winner's turns: {turns}"
        if tally.undecided:
            yield f"  {tally.undecided} games were not finished and count as undecided"
        if table.setup.cap is not None:
            yield (
                f"  counting stopped at {table.setup.cap / cup:g} cups for {sum(tally.capped)} of "
                f"{tally.trials * players} players"
            )
        yield "  won: with its 95 % interval; units: mean and standard error, then quantiles"
    yield COUNTERS


def _race(results: _Results) -> list[float]:
    """Return the chances to be first by turn order; none if policies differ."""
    players, (odds, *others) = len(results.table.policies), results.alone.values()
    if players == 1 or others or odds is None:
        return []
    return [float(chance) for chance in race(odds.turns_odds, players)]


def _seats(results: _Results) -> list[dict[str, Any]]:
    """Return the simulated results of each seat."""
    rows, tally = [], results.tally
    assert tally is not None
    for seat, kind in enumerate(results.table.policies):
        units = tally.units_of(seat)
        mean, error = mean_of(units)
        won = wilson(tally.wins[seat], tally.trials)
        row = {"player": f"{seat + 1} {kind}", "won": won.value}
        row |= {"won_low": won.low, "won_high": won.high, "units": mean, "units_se": error}
        row |= {
            key: quantile(distribution(_shares(units)), level) for key, level in _LEVELS.items()
        }
        rows.append({**row, "cups": mean / results.table.setup.board.units_per_cup})
    return rows


def _json(results: _Results) -> dict[str, Any]:
    table, alone, tally, seed = results
    cup, simulated = table.setup.board.units_per_cup, None
    if tally is not None:
        mean, error = mean_of(by_number(tally.all_units))
        simulated = {
            "games": tally.trials,
            "seed": seed,
            "undecided": tally.undecided,
            "seats": _seats(results),
            "table_units": mean,
            "table_units_se": error,
            "table_cups": mean / cup,
            "cap_units": table.setup.cap,
            "capped_players": sum(tally.capped),
        }
    return {
        "board": table.setup.board.name,
        "house_made": table.setup.board.house_made,
        "units_per_cup": cup,
        "alone": {
            kind: odds
            and {
                "turns": float(odds.turns),
                "units": float(odds.units),
                "cups": float(odds.units) / cup,
                "turns_odds": {str(n): p for n, p in _finite(odds.turns_odds.items)},
                "units_odds": {str(n): p for n, p in _finite(odds.units_odds.items)},
            }
            for kind, odds in alone.items()
        },
        "race_without_meeting": _race(results) or None,
        "table": simulated,
    }


def _plot(path: Path, results: _Results) -> None:
    """Draw the distributions of turns and of units."""
    tally, players = results.tally, len(results.table.policies)
    known = {f"one player, {kind}": odds for kind, odds in results.alone.items() if odds}
    turns = [(name, _finite(odds.turns_odds.items)) for name, odds in known.items()]
    units = [(name, _finite(odds.units_odds.items)) for name, odds in known.items()]
    if tally is not None:
        if tally.turns:
            turns.append((f"winner of {players}", _shares(by_number(tally.turns))))
        units.append((f"each of {players}", _shares(tally.units_of(*range(players)))))
    cup = results.table.setup.board.units_per_cup
    save_plot(path, trail_figure, turns, units, title=_title(results.table), units_per_cup=cup)


def _with_error(mean: float, error: float | None) -> str:
    return f"{mean:.2f}" if error is None else f"{mean:.2f} +- {error:.2f}"


def _shares(counter: Counter[int]) -> list[tuple[float, float]]:
    return [(value, seen / counter.total()) for value, seen in sorted(counter.items())]


def _finite(items: Iterable[tuple[Any, Any]]) -> list[tuple[float, float]]:
    return [(int(value), float(p)) for value, p in items if value != math.inf]


def _levels(items: Iterable[tuple[Any, Any]]) -> str:
    """Return the quantiles of a distribution in words."""
    words = zip(("half", "90 %", "99 %"), _LEVELS.values(), strict=True)
    return ", ".join(
        f"{word} at most {quantile(distribution(items), level)}" for word, level in words
    )
