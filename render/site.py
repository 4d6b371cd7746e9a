"""A static site: the Lab, the puzzles of the week, and the pages to learn; any web host serves it.

All links are relative, so that it works below any path, and from a file.
"""

import shutil
import tempfile
from contextlib import suppress
from datetime import date
from pathlib import Path

from pucklab.base.errors import InputError
from pucklab.base.files import version
from pucklab.render.bumpers.page import board_page, puzzle_item
from pucklab.render.learn import learn_page, learn_sources
from pucklab.render.pages import navigation_bar
from pucklab.render.web.lab import lab_page
from pucklab.sim.bumpers.puzzle_series import WEEK, PuzzleSource
from pucklab.sim.bumpers.puzzle_solving import Study

PAGES = {
    "Lab": "index.html",
    "Puzzles": "puzzles.html",
    "Learn": "learn/index.html",
    "Gallery": "learn/gallery.html",
}
"""The words of its navigation, and their pages."""

_MARK = ".pucklab-site"
"""A file by which a site that may be written over is known."""


def write_site(folder: Path, day: date, site_url: str = "") -> int:
    """Write the site into a folder, whole or not at all, and return the number of its files.

    Args:
        folder: A folder that is new, empty, or a site of an earlier time, which it replaces.
        day: The day of its first puzzle.
        site_url: Address at which it will stand, for shared throws; by default that of the page.

    Raises:
        InputError: The folder has other files, or cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"folder: {str(folder)!r} is a file; give a new or an empty folder")
    there = list(folder.iterdir()) if folder.is_dir() else []
    if there and not (folder / _MARK).is_file():
        raise InputError(f"folder: {str(folder)!r} has other files; give a new or an empty folder")
    try:
        made = Path(tempfile.mkdtemp(prefix=".pucklab-site-", dir=folder.absolute().parent))
    except OSError as error:
        raise InputError(f"folder: {str(folder)!r} cannot be written: {error.strerror}") from None
    try:
        made.chmod(0o755)
        _fill(made, day, site_url)
        if folder.exists():
            old = made.with_name(made.name + "-old")
            folder.rename(old)
            made.rename(folder)
            shutil.rmtree(old)
        else:
            made.rename(folder)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(made)
        raise
    return sum(path.is_file() for path in folder.rglob("*"))


def _fill(folder: Path, day: date, site_url: str) -> None:
    bar = navigation_bar(PAGES, "Lab")
    _write(folder / "index.html", lab_page(navigation=bar, site_url=site_url))
    source = PuzzleSource(day=day)
    studies = [study for number in range(WEEK) if isinstance(study := source.study(number), Study)]
    puzzles = board_page(
        [puzzle_item(study) for study in studies],
        "Puzzles of the week",
        navigation=navigation_bar(PAGES, "Puzzles"),
    )
    _write(folder / "puzzles.html", puzzles)
    above = {word: f"../{page}" for word, page in PAGES.items()}
    for name, path in learn_sources().items():
        target = folder / "learn" / name
        if path.suffix == ".md":
            _write(target, learn_page(name, above, above["Lab"]))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    _write(folder / ".nojekyll", "")  # GitHub's pages are to be served as they are
    _write(folder / _MARK, f"{version()}\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
