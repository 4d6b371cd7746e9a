"""``pucklab bumpers moves``: list the legal moves of a position."""

import click


@click.command("moves")
@click.argument("position", metavar="POSITION|FILE")
@click.option("--mats", is_flag=True, help="List the moves of mats, too.")
@click.option("--positions", is_flag=True, help="Print the position after each move beside it.")
def command(*, position: str, mats: bool, positions: bool) -> None:
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
    from sim.cli.bumpers.positions import position_of

    start = position_of(position)
    if start.to_move is None and not mats:
        raise InputError("position: nobody is to move; give a colour as the fifth field, or --mats")
    moves = legal_moves(start, mats=mats)
    if not moves:
        click.echo("no legal move", err=True)
    for move in moves:
        text = move_text(start, move)
        click.echo(f"{text}\t{position_text(apply(start, move))}" if positions else text)
