"""``pucklab play``: the Lab, and from there the games."""

import click

from pucklab.cli.browsing import Pages, page_options


@click.command("play")
@page_options(text=False)
def command(*, pages: Pages) -> int:
    """Open the Lab in the browser, with battles, boards, puzzles and the pages to learn.

    A flick in the Lab throws; the browser itself computes slams. The server answers on this machine
    only; --share lets other devices in your network join. Each game has a link: whoever opens it
    takes a free seat, or watches. Ctrl-C ends the server; games are saved.

    \b
    Example:
      pucklab play
    """
    pages.serve("/")
    return 0
