"""``pucklab bumpers``: positions, their legal moves, and the lines of play from them.

The other commands of the group are in modules of their own, imported when they are called.
"""

import click

from pucklab.cli.commands import LazyGroup
from pucklab.cli.options import count, flag, option, position_argument
from pucklab.cli.running import track
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.physics import InputError
from pucklab.sim.bumpers import Position, apply, legal_moves, move_text, position_text
from pucklab.sim.bumpers.board_file import position_of, position_with_goals
from pucklab.sim.bumpers.board_forms import draw_board
from pucklab.sim.bumpers.drawing import draw_position
from pucklab.sim.bumpers.perft import LeafCount, count_lines
from pucklab.sim.bumpers.solver.goals import read_goal


@click.group(
    "bumpers",
    cls=LazyGroup,
    lazy={
        "new": ("pucklab.cli.bumpers_play:new_command", "Place all pieces at random."),
        "import": (
            "pucklab.cli.bumpers_boards:import_command",
            "Read boards of other programs and drawings.",
        ),
        "study": (
            "pucklab.cli.bumpers_boards:study_command",
            "Measure how long random positions of a board take.",
        ),
        "view": ("pucklab.cli.bumpers_view:view_command", "Show a board in the browser."),
        "play": ("pucklab.cli.bumpers_play:play_command", "Play a whole game, or replay one."),
        "advise": (
            "pucklab.cli.bumpers_play:advise_command",
            "Say what the planner would do in a saved game.",
        ),
        "arena": (
            "pucklab.cli.bumpers_arena:arena_command",
            "Compare players in a series of games.",
        ),
    },
)
def command() -> None:
    """Puck Bumpers: pucks that slide in chains on mats that move.

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
@position_argument()
@flag("--plain", "Print the plain drawing that 'pucklab bumpers import' reads.")
def _show(*, position: str, plain: bool) -> None:
    """Draw a position, and print its line with a checksum.

    POSITION is the line of a position, or the name of a set-up (classic, small, old-school) for
    its empty board. FILE is a text file with such a line, or a board in TOML with a layout, pieces
    and, optionally, mats of your own.

    \b
    Examples:
      pucklab bumpers show classic
      pucklab bumpers show 'pb1:small:RPb7d9.RMe7:R1:R:-'
      pucklab bumpers show my_board.toml
      pucklab bumpers show my_drawing.txt --plain
    """
    if plain:
        shown, goals = position_with_goals(position)
        click.echo(draw_board(shown, [read_goal(shown, goal) for goal in goals]), nl=False)
        return
    shown = position_of(position)
    click.echo(draw_position(shown))
    click.echo(position_text(shown))


@command.command("moves", short_help="List the legal moves of a position.")
@position_argument()
@flag("--mats", "Include the moves of mats.")
@flag("--positions", "Print the position after each move.")
def _moves(*, position: str, mats: bool, positions: bool) -> None:
    """List the legal moves of the side to move, one per line.

    c7N moves the piece on c7 north; x: it sets another piece in motion; *: a puck scores.
    T:K3+90 turns mat K3, S:G1,K3 swaps two mats, H:K3,G1.N shifts K3 to the north of G1.

    \b
    Examples:
      pucklab bumpers moves pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers moves my_board.toml --mats --positions
    """
    start = _position_with_side(position, mats=mats)
    moves = legal_moves(start, mats=mats)
    if not moves:
        click.echo("no legal move", err=True)
    for move in moves:
        text = move_text(start, move)
        click.echo(f"{text}\t{position_text(apply(start, move))}" if positions else text)


@command.command("perft", short_help="Count lines of play.")
@position_argument()
@option("--depth", count(1, 64), "D", "Number of moves, 1 to 64.", required=True)
@flag("--divide", "Print the lines of depth D for each first move.")
@flag("--mats", "Include the moves of mats.")
def _perft(*, position: str, depth: int, divide: bool, mats: bool) -> int:
    """Count the lines of play at each depth.

    The side to move makes all moves. Ctrl-C stops; the lines printed so far stay valid.

    \b
    Examples:
      pucklab bumpers perft pb1:small:RPb7.RMe7.BPd7:-:R:- --depth 6
      pucklab bumpers perft my_board.toml --depth 3 --mats --divide
    """
    start = _position_with_side(position, mats=mats)
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


def _position_with_side(text: str, *, mats: bool) -> Position:
    """Return a position that has a side to move, unless mats may move."""
    start = position_of(text)
    if start.to_move is None and not mats:
        raise InputError("position: nobody is to move; give a colour as the fifth field, or --mats")
    return start
