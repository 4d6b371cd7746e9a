"""A battle, or one of its turns, saved as a picture or a film."""

from functools import partial
from pathlib import Path

from physics.errors import check_count
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.timeline import turn_starts
from render.battlewindow.window import BattleWindow
from render.movie_files import FILM_SUFFIXES, check_saved
from render.palette import LIGHT, Palette
from render.viewer import save_view

SUFFIXES = (".png", ".html", *FILM_SUFFIXES)
"""Suffixes of pictures, web pages and films."""

check_film = partial(check_saved, SUFFIXES)
"""Check, before any work is done, that a battle can be saved as a file."""

SIZE_PX = (1280, 800)
FPS = 20.0


def turn_range(playback: BattlePlayback, turn: int | None) -> tuple[int, int]:
    """Return the indices of the first and the last entry of a turn.

    Args:
        playback: The battle.
        turn: Number of the turn, from 1; None for the whole battle.

    Raises:
        InputError: There is no such turn.
    """
    last = len(playback.game.timeline) - 1
    if turn is None:
        return 0, last
    starts = turn_starts(playback.game.timeline)
    check_count("turn", turn, 1, len(starts) - 1)
    return starts[turn], (*starts, last + 1)[turn + 1] - 1


def save_battle(
    path: Path, window: BattleWindow, *, turn: int | None = None, palette: Palette = LIGHT
) -> None:
    """Save a battle or a turn: all of it as a film, or its end as a picture.

    The file is written whole or not at all.

    Args:
        path: The file; its name ends in ``.png``, ``.gif``, ``.mp4`` or ``.webm``.
        window: The battle.
        turn: Number of the turn, from 1; None for the whole battle.
        palette: The colours.

    Raises:
        InputError: There is no such turn.
    """
    playback = window.playback
    first, last = turn_range(playback, turn)
    if path.suffix.lower() == ".png":
        playback.go_to(last)
        save_view(path, window, seconds=0.0, size=SIZE_PX, palette=palette)
        return
    seconds = film_duration_s(playback, first, last)
    playback.start_at(first)
    save_view(path, window, seconds=seconds, fps=FPS, size=SIZE_PX, palette=palette)


def film_duration_s(playback: BattlePlayback, first: int, last: int) -> float:
    """Return the time it takes to watch some entries of a battle, in seconds.

    Args:
        playback: The battle; its position does not change.
        first: The first entry.
        last: The last one, which is shown to its end.
    """
    other = BattlePlayback(playback.game)
    other.start_at(first)
    frames = 0
    while other.index <= last and other.playing:
        other.advance(1 / FPS)
        frames += 1
    return frames / FPS
