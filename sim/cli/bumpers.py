"""``pucklab bumpers``: positions, legal moves, perft, random placings and whole games."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.bumpers_play import play_command, table_from_options, table_options, view_command
from sim.cli.options import OrderedGroup, count, number

if TYPE_CHECKING:
    from sim.bumpers import Position
    from sim.bumpers.perft import LeafCount


@click.group("bumpers", cls=OrderedGroup)
def command() -> None:
    """Puck Bumpers: mats that move, pieces that slide in chains.

    A position is one line, such as pb1:classic:RPc7d9.RMe3.BPg7:-:R:- (set-up, pieces, scored
    pucks, colour to move, checksum), or a file with a board of your own.

    \b
    Examples:
      pucklab bumpers show pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers view pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers moves pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers perft pb1:small:RPb7.RMe7.BPd7:-:R:- --depth 6 --mats
      pucklab bumpers play --players random,greedy
    """


@command.command("show", short_help="Draw a position.")
@click.argument("position", metavar="POSITION|FILE")
def _show(*, position: str) -> None:
    """Draw a position, and print its line with a checksum.

    POSITION is a position's line, or a set-up's name for its empty board (classic, small,
    old-school); FILE is a text file with a line, or a board in TOML: a layout, pieces and, if you
    like, mats of your own.

    \b
    Examples:
      pucklab bumpers show classic
      pucklab bumpers show 'pb1:small:RPb7d9.RMe7:R1:R:-'
      pucklab bumpers show my_board.toml
    """
    from sim.bumpers.drawing import draw_position
    from sim.bumpers.position_notation import position_text

    shown = position_of(position)
    click.echo(draw_position(shown))
    click.echo(position_text(shown))


@command.command("moves", short_help="List the legal moves of a position.")
@click.argument("position", metavar="POSITION|FILE")
@click.option("--mats", is_flag=True, help="List the moves of mats, too.")
@click.option("--positions", is_flag=True, help="Print the position after each move beside it.")
def _moves(*, position: str, mats: bool, positions: bool) -> None:
    """List the legal moves of the side to move, one a line.

    c7N is the piece on c7 going north; x after it: another piece is sent off; *: a puck scores.
    T:K3+90 turns a mat, S:G1,K3 swaps two, H:K3,G1.N shifts K3 to the north of G1.

    \b
    Examples:
      pucklab bumpers moves pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers moves my_board.toml --mats --positions
    """
    from physics import InputError
    from sim.bumpers import apply, legal_moves, move_text, position_text

    start = position_of(position)
    if start.to_move is None and not mats:
        raise InputError("position: nobody is to move; give a colour as the fifth field, or --mats")
    moves = legal_moves(start, mats=mats)
    if not moves:
        click.echo("no legal move", err=True)
    for move in moves:
        text = move_text(start, move)
        click.echo(f"{text}\t{position_text(apply(start, move))}" if positions else text)


@command.command("new", short_help="Place all pieces at random.")
@click.option(
    "--players",
    type=count(2, 6),
    default=4,
    show_default=True,
    metavar="N",
    help="Players, 2 to 6.",
)
@table_options
def _new(*, players: int, seed: int, **options: Any) -> None:
    """Place all pieces at random on their start spaces, draw the position and print its line.

    \b
    Examples:
      pucklab bumpers new
      pucklab bumpers new --players 2 --seed 7
      pucklab bumpers new --players 6 --setup old-school
    """
    import numpy as np

    from sim.bumpers import position_text
    from sim.bumpers.drawing import draw_position
    from sim.bumpers.game import random_start

    table = table_from_options(players, options)
    position = random_start(table, np.random.default_rng(seed)).position
    click.echo(draw_position(position))
    click.echo(position_text(position))


_GB = 1e9


@command.command("perft", short_help="Count lines of play and distinct positions.")
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
def _perft(*, position: str, depth: int, divide: bool, mats: bool, memory_gb: float) -> int:
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
    from sim.cli.running import track

    states = count_lines(start, depth, mats=mats)
    *_, last = track(states, lambda state: (state.done, state.total), "counting")
    return last


def position_of(text: str) -> "Position":
    """Return the position of a command's argument.

    Args:
        text: A position's line, the name of a set-up for its empty board, or that of a file.

    Raises:
        InputError: It is no legal position, or the file cannot be read.
    """
    from physics import InputError
    from physics.errors import shown
    from sim.bumpers import parse_position, setups
    from sim.bumpers.position_notation import VERSION

    if text in setups():
        return parse_position(f"{VERSION}:{text}:-:-:-:-")
    if text.strip().startswith(f"{VERSION}:"):
        return parse_position(text)
    if is_file(text):
        return position_in(text, "position")
    if ":" in text:
        return parse_position(text)
    raise InputError(
        f"position: {shown(text)} is no file; give a position's line ({VERSION}:...), a file with "
        f"one, or a set-up ({', '.join(setups())})"
    )


def position_in(name: str, what: str) -> "Position":
    """Return the position of a file.

    Args:
        name: The file's name.
        what: What to call it in an error.

    Raises:
        InputError: It holds no legal position, or a saved game.
    """
    from physics import InputError
    from sim.bumpers.board_file import read_position

    if name.lower().endswith(".json"):
        raise InputError(
            f"{what}: {name!r} is not accepted; give a board in TOML or a position's line in a "
            "text file (saved games are for 'bumpers view' and 'bumpers play --replay')"
        )
    return read_position(Path(name), what)


def is_file(text: str) -> bool:
    """Return whether a text is the name of a file."""
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long
        return False


command.add_command(view_command)
command.add_command(play_command)
