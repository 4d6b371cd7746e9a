"""``pucklab play``: the first page, with a card for each thing to do."""

import click

from pucklab.cli.browsing import Pages, page_options


@click.command("play")
@page_options(text=False)
def command(*, pages: Pages) -> int:
    """Open the start page in the browser: watch, throw, odds, battle, Puck Bumpers, puzzles.

    The server answers on this machine only; --share lets other devices in your network join. Each
    game has a link: whoever opens it takes a free seat, or watches. Ctrl-C ends the server; games
    are saved.

    \b
    Example:
      pucklab play
    """
    pages.serve("/")
    return 0
