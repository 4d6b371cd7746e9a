"""``pucklab bumpers perft``: count lines of play and distinct positions."""

from typing import TYPE_CHECKING

import click

from sim.cli.numbers import count, number

if TYPE_CHECKING:
    from sim.bumpers import Position
    from sim.bumpers.perft import LeafCount

_GB = 1e9


@click.command("perft")
@click.argument("position", metavar="POSITION|FILE")
@click.option(
    "--depth", type=count(1, 64), required=True, metavar="D", help="Moves in a line, 1 to 64."
)
@click.option("--divide", is_flag=True, help="Print the lines of depth D by first move.")
@click.option("--mats", is_flag=True, help="Mats move, too.")
@click.option(
    "--memory-gb",
    type=number(0.1, 1000, "GB"),
    default=2.0,
    show_default=True,
    metavar="M",
    help="Stop counting distinct positions at this much memory.",
)
def command(*, position: str, depth: int, divide: bool, mats: bool, memory_gb: float) -> int:
    """Count lines of play, and the distinct positions that they lead to, at each depth.

    The side to move makes all moves. A position counts at the depth at which it is first reached.
    Ctrl-C keeps what is printed.

    \b
    Examples:
      pucklab bumpers perft pb1:small:RPb7.RMe7.BPd7:-:R:- --depth 6
      pucklab bumpers perft my_board.toml --depth 3 --mats --divide
    """
    from physics import InputError
    from sim.cli import EXIT_STOPPED
    from sim.cli.bumpers.positions import position_of

    start = position_of(position)
    if start.to_move is None and not mats:
        raise InputError("position: nobody is to move; give a colour as the fifth field, or --mats")
    try:
        if divide:
            _print_divided(start, depth, mats=mats)
        else:
            _print_table(start, depth, memory_gb, mats=mats)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        return EXIT_STOPPED
    return 0


def _print_table(start: "Position", depth: int, memory_gb: float, *, mats: bool) -> None:
    """Print leaves and distinct positions as soon as each is known."""
    from sim.bumpers.perft import count_positions

    click.echo(f"{'depth':>5} {'leaves':>20} {'positions':>14}")
    distinct = count_positions(start, depth, mats=mats)
    known: tuple[int, ...] = (1,)
    full = False
    for ply in range(1, depth + 1):
        leaves = _leaves(start, ply, mats=mats).leaves
        while len(known) <= ply and not full:
            state = next(distinct)
            known, full = state.by_depth, state.size_bytes > memory_gb * _GB
        positions = str(known[ply]) if ply < len(known) else "-"
        click.echo(f"{ply:>5} {leaves:>20} {positions:>14}")
    if full:
        click.echo(f"more positions than fit in {memory_gb:g} GB; see --memory-gb", err=True)


def _print_divided(start: "Position", depth: int, *, mats: bool) -> None:
    """Print the leaves by first move, and their sum."""
    from sim.bumpers import move_text

    counted = _leaves(start, depth, mats=mats)
    for move, leaves in counted.by_move:
        click.echo(f"{move_text(start, move):<12} {leaves:>20}")
    click.echo(f"{'all':<12} {counted.leaves:>20}")


def _leaves(start: "Position", depth: int, *, mats: bool) -> "LeafCount":
    from sim.bumpers.perft import count_lines
    from sim.cli.progress import track

    states = count_lines(start, depth, mats=mats)
    *_, last = track(states, lambda state: (state.done, state.total), "counting")
    return last
