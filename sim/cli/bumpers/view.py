"""``pucklab bumpers view``: a board in a window, to move on, to edit and to solve."""

import click


@click.command("view")
@click.argument("position", metavar="[POSITION|FILE]", default="classic")
@click.option("--moves", default="", metavar="MOVES", help="Moves to make first: 'c7N e7W*'.")
@click.option("--light/--dark", default=False, help="Dark on white, or light on black.")
def command(*, position: str, moves: str, light: bool) -> None:
    """See a board in a window: move its pieces and mats, edit it, have it solved.

    POSITION is a position's line or a set-up's name for its empty board; FILE is a text file with
    a line, or a board in TOML. In the window, H lists the keys.

    \b
    Examples:
      pucklab bumpers view pb1:small:RPb7f5.RMe7.BPd7:-:R:-
      pucklab bumpers view my_board.toml --moves 'b7E e7N'
    """
    from render.boardwindow import Exploring, desk_of, desk_with_moves
    from render.palette import DARK, LIGHT
    from render.viewer import show
    from sim.cli.bumpers.positions import position_of

    desk = desk_with_moves(desk_of(position_of(position)), moves.split())
    view = Exploring(desk)
    try:
        show(view, palette=LIGHT if light else DARK)
    finally:
        view.close()
