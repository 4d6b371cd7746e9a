"""Names of files that a window saves: next to each other, never one over another."""

from importlib.util import find_spec
from pathlib import Path


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """Return a path in a folder where there is no file yet: numbered from 2 if it must be."""
    path, number = folder / f"{stem}{suffix}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{suffix}"
    return path


def film_suffix() -> str:
    """Return the suffix of films: ``.mp4`` if they can be written, or else ``.gif``."""
    return ".mp4" if find_spec("imageio_ffmpeg") is not None else ".gif"
