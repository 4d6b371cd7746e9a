"""Pictures and films saved from the window: next to each other, never one over another."""

from pathlib import Path

from physics import InputError
from physics.extras import MissingExtraError
from render.boardwindow.film import save_film
from render.boardwindow.history import History, gone_to
from render.palette import Palette
from render.viewer import film_suffix, free_path

_STEM = "board"


class Saving:
    """What is to be saved, once the window has told so.

    Attributes:
        folder: Where to.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path.cwd()
        self._suffix = ""
        self._is_told = False

    def ask(self, *, is_film: bool) -> str:
        """Save a picture or a film soon, and return what to tell meanwhile: it may take seconds."""
        self._suffix = film_suffix() if is_film else ".png"
        self._is_told = False
        return f"writing {free_path(self.folder, _STEM, self._suffix).name} ..."

    def told(self) -> None:
        """Take note that the window has told what is to come."""
        self._is_told = True

    def save(self, history: History, palette: Palette) -> str:
        """Save what was asked for, and return what to tell; nothing if it is not time yet.

        Args:
            history: A picture shows its position, a film all of it.
            palette: The colours.
        """
        if not self._suffix or not self._is_told:
            return ""
        suffix, self._suffix = self._suffix, ""
        path = free_path(self.folder, _STEM, suffix)
        is_film = suffix != ".png"
        shown = history_to_here(history) if not is_film else gone_to(history, 0)
        try:
            save_film(path, shown, palette=palette)
        except (InputError, MissingExtraError, OSError) as error:
            return str(error)
        return f"wrote {path.name}"


def history_to_here(history: History) -> History:
    """Return a history without what is still to come."""
    return History(entries=history.entries[: history.at + 1], at=history.at)
