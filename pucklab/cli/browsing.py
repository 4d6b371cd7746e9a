"""Pages of a server on this machine, for commands that a person plays or looks at in a browser."""

import os
import re
import stat
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import click

from pucklab.base.errors import refusal, require_extra
from pucklab.base.facts import fact
from pucklab.cli.options import PATH, Decorator, Read, count, flag, gather, option, together
from pucklab.cli.output import print_written
from pucklab.sim.core.game import AnyMatch

_SITE = re.compile(r"https?://[a-zA-Z0-9.:\[\]_-]{1,253}(/[\w.~%/-]{0,200})?", re.ASCII)
_HOST = re.compile(r"\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*")


def _read_host(where: str, value: object) -> str:
    """Return the name of a host as browsers send it."""
    name = str(value).strip().lower()
    with suppress(UnicodeError):
        name = name if name.isascii() else name.encode("idna").decode()
        if _HOST.fullmatch(name):
            return name
    raise refusal(where, value, "a name without http:// and port, such as lab.example.org")


def _read_site(where: str, value: object) -> str:
    """Return the address of a site; an empty one is none."""
    address = str(value).strip()
    if address and not _SITE.fullmatch(address):
        raise refusal(where, value, "an address such as https://lab.example.org/pucks/")
    return address


site_option = option(
    "--site",
    Read(name="address", read=_read_site),
    "URL",
    "Share throws by addresses of this site, one of 'pucklab site'.",
    default="",
)
"""The option for the site that shared throws are opened with."""

_OPTIONS = (
    site_option,
    option("--port", count(1, 65535), "N", "Port of the page.  [default: the last one]"),
    flag("--no-browser", "Print the address, and open no browser."),
    flag("--share", "Let other devices in your network join, by a link that it prints."),
    option(
        "--host hosts",
        Read(name="host", read=_read_host),
        "NAME",
        "Answer to this name too, that of a proxy or of a forwarded port; may be repeated.",
        multiple=True,
    ),
)
PAGE_OPTIONS = ("port", "no_browser", "share", "hosts", "site")
"""Options that are refused where no page is opened."""

_TEXT = flag("--text", "Play at the terminal instead of in the browser.")


@fact
class Pages:
    """Settings by which a command serves pages."""

    port: int | None
    no_browser: bool
    share: bool
    hosts: tuple[str, ...]
    site: str
    text: bool = False

    def serves(self) -> bool:
        """Return True if a page is to be served; say why not if the terminal takes its place."""
        if self.text or _is_fed():
            return False
        if find_spec("nicegui") is None:
            click.echo("To play in the browser: pip install 'pucklab[play]'.", err=True)
            return False
        return True

    def serve(self, path: str) -> None:
        """Serve pages until Ctrl-C, the page of a path first.

        Raises:
            MissingExtraError: NiceGUI is not installed.
            InputError: No port is free.
        """
        require_extra("play", "nicegui")
        from pucklab.render.browser.server import serve  # NiceGUI takes a second

        opens = not self.no_browser
        with suppress(KeyboardInterrupt):  # it ends the server alone
            serve(
                path,
                click.echo,
                site_url=self.site,
                port=self.port,
                share=self.share,
                hosts=self.hosts,
                opens=opens,
            )


def page_options(*, text: bool) -> Decorator:
    """Add the options of pages to a command, which gets them as ``pages``.

    Args:
        text: Whether the command can do without a page.
    """
    return gather("pages", Pages, (*((_TEXT,) if text else ()), *_OPTIONS))


game_options = together(
    page_options(text=True),
    flag("--verbose", "Print every event."),
    option("--save", PATH, "FILE.json", "Save a record of the game."),
    option("--replay", PATH, "FILE.json", "Replay a record instead, and check its end."),
)
"""The options of commands that play a whole game."""


def _is_fed() -> bool:
    """Return True if standard input is a file or a pipe, or there is none."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return True
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode)


def play_in_browser(match: AnyMatch, pages: Pages, save: Path | None) -> int:
    """Serve the page of a match until Ctrl-C, save it as it goes, and print how far it came."""
    from pucklab.render.browser.pages import open_match  # NiceGUI takes a second

    pages.serve(open_match(match, save))
    for line in match.game.result(match.state):
        click.echo(line)
    print_written(save)
    return 0
