"""``pucklab bumpers show``: draw a position."""

import click


@click.command("show")
@click.argument("position", metavar="POSITION|FILE")
def command(*, position: str) -> None:
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
    from sim.cli.bumpers.positions import position_of

    shown = position_of(position)
    click.echo(draw_position(shown))
    click.echo(position_text(shown))
