"""``pucklab site``: the Lab, puzzles and the pages to learn as a static site."""

from datetime import date
from pathlib import Path

import click

from pucklab.cli.browsing import site_option
from pucklab.cli.options import PATH


@click.command("site")
@click.argument("folder", type=PATH)
@site_option
def command(*, folder: Path, site: str) -> int:
    """Write a static site: the Lab, the puzzles of the week, and the pages to learn.

    Any web host serves the folder, under any path, and it opens from a file. A site that was
    written there before is replaced, as a whole.

    \b
    Examples:
      pucklab site public
      pucklab site public --site https://lab.example.org/pucks/
    """
    from pucklab.render.site import write_site  # the Lab and the docs

    files = write_site(folder, date.today(), site)
    click.echo(f"{files} files; open {folder / 'index.html'}")
    return 0
