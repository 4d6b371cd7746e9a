"""``pucklab trail odds``: turns, units and cups that a board costs; options shared with play."""

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from sim.cli.options import count, number, seed_option, workers_option
from sim.cli.trail.duels import words_of

if TYPE_CHECKING:
    from sim.trail.board import Board
    from sim.trail.odds import Alone, Table, Tally

_Function = TypeVar("_Function", bound=Callable[..., Any])

COUNTERS = "Units are counters: they may be points or water. Whoever drinks alcohol is an adult."

_PATH = click.Path(path_type=Path)
_LEVELS = {"units_50": 0.5, "units_90": 0.9, "units_99": 0.99}
_COLUMNS = ("quantity", "who", "value", "probability", "low", "high", "count", "games")
_OPTIONS = (
    click.option(
        "--board", type=_PATH, metavar="FILE.toml", help="Board; the house-made one if not given."
    ),
    click.option(
        "--policy",
        default="careful",
        show_default=True,
        metavar="KIND,...",
        help="How players decide: careful or quick; one for all, or one for each.",
    ),
    click.option(
        "--first",
        default="random",
        show_default=True,
        metavar="PLAYER",
        help="Who begins: random, or a player's name or number.",
    ),
    click.option("--all-finish", is_flag=True, help="Play until everybody has finished."),
    click.option(
        "--cap", type=number(0.1, 1000, "cups"), metavar="CUPS", help="Count no more cups a player."
    ),
)


def table_options(function: _Function) -> _Function:
    """Give a command the options for board, policies, the end of the game and the cap."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def table_from(
    names: Sequence[str],
    *,
    board: Path | None,
    policy: str,
    first: str,
    all_finish: bool,
    cap: float | None,
    starters: str | None = None,
    person: bool = False,
) -> "Table":
    """Return the table of some players from the options of `table_options`.

    With ``person``, that policy is accepted, too.

    Raises:
        InputError: An option, or the board's file, is not accepted.
    """
    from physics import InputError
    from sim.trail.board import house_board, read_board
    from sim.trail.duels import Starter
    from sim.trail.odds import Table
    from sim.trail.play import POLICIES

    known = (*POLICIES, "person") if person else tuple(POLICIES)
    kinds = tuple(kind.strip() for kind in policy.split(","))
    for kind in kinds:
        if kind not in known:
            raise InputError(f"policy: {kind!r} is not accepted; give one of {', '.join(known)}")
    if len(kinds) not in {1, len(names)}:
        raise InputError(f"policy: {policy!r} is not accepted; give 1 or {len(names)} policies")
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
    return Table(
        board=read,
        starters=chosen,
        policies=kinds if len(kinds) == len(names) else kinds * len(names),
        first=seats[first],
        all_finish=all_finish,
        cap=math.inf if cap is None else round(cap * read.units_per_cup),
    )


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
@workers_option("play")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Write all distributions.")
@click.option(
    "--plot", type=_PATH, metavar="FILE", help="Draw turns and units (.png, .svg or .pdf)."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def command(
    *,
    players: int,
    games: int,
    seed: int,
    workers: int | None,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
    **options: Any,
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
    from sim.cli.output import print_written
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.core.files import check_writable, write_whole
    from sim.core.ordered_work import processors

    if out is not None:
        check_writable("out", out, (".csv",))
    if plot is not None:
        from render.plots.figures import check_plot

        check_plot("plot", plot)
    table = table_from([f"player {n + 1}" for n in range(players)], **options)
    try:
        alone = _alone(table)
        tally, stopped = _simulated(table, games, seed, workers or processors())
    except KeyboardInterrupt:
        report_stop("before anything was computed")
        return EXIT_STOPPED
    results = _Results(table, alone, tally, seed)
    if out is not None:
        write_whole(out, _csv(results).encode())
    if plot is not None:
        from render.plots.figures import save_plot
        from render.plots.trail import trail_figure

        cup = table.board.units_per_cup
        title = _title(table.board)
        save_plot(plot, trail_figure, *_series(results), title=title, units_per_cup=cup)
    print_written(out, plot)
    click.echo(json.dumps(_json(results), indent=2) if as_json else "\n".join(_lines(results)))
    if stopped:
        report_stop(f"after {tally.games} of {games} games")
        return EXIT_STOPPED
    return 0


class _Results(NamedTuple):
    """Odds of a table: exact by policy (None with too many states), and simulated."""

    table: "Table"
    alone: "dict[str, Alone | None]"
    tally: "Tally"
    seed: int


def _alone(table: "Table") -> "dict[str, Alone | None]":
    from physics import InputError
    from sim.trail.odds import alone
    from sim.trail.play import POLICIES

    found: dict[str, Alone | None] = {}
    for kind in dict.fromkeys(table.policies):
        try:
            found[kind] = alone(table.board, POLICIES[kind]())
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


def _title(board: "Board") -> str:
    return f"{board.name}: {board.last} squares" + (", house-made" if board.house_made else "")


def _lines(results: _Results) -> Iterable[str]:
    """Yield the odds as lines of text."""
    table, alone, tally, seed = results
    cup, players = table.board.units_per_cup, len(table.policies)
    yield _title(table.board)
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
    if tally.games:
        yield f"{players} players, {tally.games} games, seed {seed}:"
        heads = "".join(f"{head:>7}" for head in ("50 %", "90 %", "99 %", "cups"))
        yield f"  {'player':<16}{'won':>20}{'units':>16}{heads}"
        for row in _seats(results):
            won = f"{row['won']:.3f} ({row['won_low']:.3f}-{row['won_high']:.3f})"
            units = _with_error(row["units"], row["units_se"])
            levels = "".join(f"{row[level]:>7}" for level in _LEVELS)
            yield f"  {row['player']:<16}{won:>20}{units:>16}{levels}{row['cups']:>7.2f}"
        mean, error = _mean(tally.all_units)
        levels = _levels(_shares(tally.all_units))
        yield f"  the table: {_with_error(mean, error)} units, {mean / cup:.2f} cups; {levels}"
        if tally.turns:
            turns = f"{_with_error(*_mean(tally.turns))}; {_levels(_shares(tally.turns))}"
            yield f"  the winner's turns: {turns}"
        if tally.wins[None]:
            yield f"  {tally.wins[None]} games were not finished and count as undecided"
        if table.cap != math.inf:
            yield (
                f"  counting stopped at {table.cap / cup:g} cups for {tally.capped.total()} of "
                f"{tally.games * players} players"
            )
        yield "  won: with its 95 % interval; units: mean and standard error, then quantiles"
    yield COUNTERS


def _race(results: _Results) -> list[float]:
    """Return the chances to be first by turn order; none if policies differ."""
    from sim.trail.odds import race

    players, (odds, *others) = len(results.table.policies), results.alone.values()
    if players == 1 or others or odds is None:
        return []
    return [float(chance) for chance in race(odds.turns_odds, players)]


def _seats(results: _Results) -> list[dict[str, Any]]:
    """Return the simulated results of each seat."""
    from sim.experiments import wilson

    rows = []
    for seat, kind in enumerate(results.table.policies):
        units = results.tally.units_of(seat)
        mean, error = _mean(units)
        won = wilson(results.tally.wins[seat], results.tally.games)
        row = {"player": f"{seat + 1} {kind}", "won": won.value}
        row |= {"won_low": won.low, "won_high": won.high, "units": mean, "units_se": error}
        row |= {key: _quantile(_shares(units), level) for key, level in _LEVELS.items()}
        rows.append({**row, "cups": mean / results.table.board.units_per_cup})
    return rows


def _json(results: _Results) -> dict[str, Any]:
    table, alone, tally, seed = results
    cup, simulated = table.board.units_per_cup, None
    if tally.games:
        mean, error = _mean(tally.all_units)
        simulated = {
            "games": tally.games,
            "seed": seed,
            "undecided": tally.wins[None],
            "seats": _seats(results),
            "table_units": mean,
            "table_units_se": error,
            "table_cups": mean / cup,
            "cap_units": None if table.cap == math.inf else table.cap,
            "capped_players": tally.capped.total(),
        }
    return {
        "board": table.board.name,
        "house_made": table.board.house_made,
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


def _series(results: _Results) -> Iterable[list[tuple[str, list[tuple[float, float]]]]]:
    """Yield the distributions of turns, then of units, by name, for the plot."""
    tally, players = results.tally, len(results.table.policies)
    known = {f"one player, {kind}": odds for kind, odds in results.alone.items() if odds}
    winner = [(f"winner of {players}", _shares(tally.turns))] if tally.turns else []
    each = tally.units_of(*range(players))
    drunk = [(f"each of {players}", _shares(each))] if each else []
    yield [*((name, _finite(odds.turns_odds.items)) for name, odds in known.items()), *winner]
    yield [*((name, _finite(odds.units_odds.items)) for name, odds in known.items()), *drunk]


def _csv(results: _Results) -> str:
    """Return every distribution, a row a value."""
    from sim.core.files import version
    from sim.experiments import wilson
    from sim.trail.odds import board_hash

    table, alone, tally, seed = results
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*_COLUMNS, "seed", "version", "board_hash"))
    named = (str(seed), version(), board_hash(table.board))
    for kind, odds in alone.items():
        for quantity in ("turns", "units") if odds else ():
            for value, p in _finite(getattr(odds, f"{quantity}_odds").items):
                writer.writerow((quantity, f"alone {kind}", value, p, "", "", "", "", *named))
    counted = [("turns", "winner", tally.turns), ("units", "table", tally.all_units)]
    counted += [("units", str(s + 1), tally.units_of(s)) for s in range(len(table.policies))]
    for quantity, who, counter in counted:
        for value, seen in sorted(counter.items()):
            share = wilson(seen, counter.total())
            chances = (share.value, share.low, share.high)
            writer.writerow((quantity, who, value, *chances, seen, counter.total(), *named))
    return text.getvalue()


def _mean(counter: Counter[int]) -> tuple[float, float | None]:
    """Return the mean of counted values and its standard error; None for a single one."""
    total = counter.total()
    mean = sum(value * seen for value, seen in counter.items()) / total
    squares = sum(seen * (value - mean) ** 2 for value, seen in counter.items())
    return mean, math.sqrt(squares / (total - 1) / total) if total > 1 else None


def _with_error(mean: float, error: float | None) -> str:
    return f"{mean:.2f}" if error is None else f"{mean:.2f} +- {error:.2f}"


def _shares(counter: Counter[int]) -> list[tuple[float, float]]:
    return [(value, seen / counter.total()) for value, seen in sorted(counter.items())]


def _finite(items: Iterable[tuple[Any, Any]]) -> list[tuple[float, float]]:
    return [(int(value), float(p)) for value, p in items if value != math.inf]


def _quantile(items: Iterable[tuple[Any, Any]], level: float) -> Any:
    from sim.chance.distribution import distribution, quantile

    return quantile(distribution(items), level)


def _levels(items: Iterable[tuple[Any, Any]]) -> str:
    """Return the quantiles of a distribution in words."""
    words = zip(("half", "90 %", "99 %"), _LEVELS.values(), strict=True)
    return ", ".join(f"{word} at most {_quantile(items, level)}" for word, level in words)
