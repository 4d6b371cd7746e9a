"""A slam as a file, of the kind that its name asks for."""

from pathlib import Path

from render.palette import LIGHT, Palette
from render.slams.animation import check_extra, save_animation
from render.slams.filmstrip import save_filmstrip
from render.slams.replay import Replay, save_replay
from sim.core.files import check_writable
from sim.slam_text import tell_slam

SUFFIXES = (".png", ".gif", ".mp4", ".json")
"""A film strip, two kinds of animation, a replay."""


def check_export(field: str, path: Path) -> None:
    """Check, before any work is done, that a slam can be saved as a file.

    Raises:
        InputError: The name ends in something else, or the file cannot be written.
        MissingExtraError: What writes such files is not installed.
    """
    check_writable(field, path, SUFFIXES)
    if path.suffix.lower() in (".gif", ".mp4"):
        check_extra(path)


def export_slam(path: Path, replay: Replay, name: str, *, palette: Palette = LIGHT) -> None:
    """Save a slam as a film strip, an animation or a replay; whole or not at all.

    Args:
        path: Where to; its suffix says as what.
        replay: The slam.
        name: What the slammer is called.
        palette: The colours of a picture.
    """
    scene, throw, outcome = replay.scene, replay.throw, replay.outcome
    caption = tell_slam(name, scene, throw, outcome).splitlines()[0]
    suffix = path.suffix.lower()
    if suffix == ".json":
        save_replay(path, replay)
    elif suffix == ".png":
        save_filmstrip(path, scene, replay.recording, outcome, caption=caption, palette=palette)
    else:
        save_animation(
            path,
            scene,
            replay.recording,
            outcome,
            throw=throw,
            caption=caption,
            palette=palette,
        )
