"""``pucklab bumpers perft``: the number of lines of play at each depth."""

import click

from pucklab.cli.bumpers import position_with_side
from pucklab.cli.options import count, flag, option, position_argument
from pucklab.cli.running import track
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.sim.bumpers import Position, move_text
from pucklab.sim.bumpers.perft import LeafCount, count_lines


@click.command("perft")
@position_argument()
@option("--depth", count(1, 64), "D", "Number of moves, 1 to 64.", required=True)
@flag("--divide", "Print the lines of depth D for each first move.")
@flag("--mats", "Include the moves of mats.")
def perft_command(*, position: str, depth: int, divide: bool, mats: bool) -> int:
    """Count the lines of play at each depth.

    The side to move makes all moves. Ctrl-C stops; the lines printed so far stay valid.

    \b
    Examples:
      pucklab bumpers perft pb1:small:RPb7.RMe7.BPd7:-:R:- --depth 6
      pucklab bumpers perft my_board.toml --depth 3 --mats --divide
    """
    start = position_with_side(position, mats=mats)
    try:
        if divide:
            counted = _leaves(start, depth, mats=mats)
            rows = [(move_text(start, move), leaves) for move, leaves in counted.by_move]
            for name, leaves in (*rows, ("all", counted.leaves)):
                click.echo(f"{name:<12} {leaves:>20}")
            return 0
        click.echo(f"{'depth':>5} {'leaves':>20}")
        for ply in range(1, depth + 1):
            click.echo(f"{ply:>5} {_leaves(start, ply, mats=mats).leaves:>20}")
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        return EXIT_STOPPED
    return 0


def _leaves(start: Position, depth: int, *, mats: bool) -> LeafCount:
    """Return the leaves at a depth, with a progress bar while they are counted."""
    states = count_lines(start, depth, mats=mats)
    *_, last = track(states, lambda state: (state.done, state.total), "counting")
    return last
