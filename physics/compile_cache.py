"""The folder of compiled functions: private, checked for damage, and never in the way.

numba stores compiled functions as pickles and machine code. Code that others could write must not
be run, so the folder has to belong to the user alone; a damaged file could crash the process, so
each has a checksum beside it, and one that does not match is removed and compiled again.
"""

import hashlib
import os
import shutil
import stat
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).parent
_SUFFIXES = (".nbi", ".nbc")
_SUM_SUFFIX = ".sha256"


class CacheWarning(UserWarning):
    """A file kept between runs is of no use, and is made anew."""


@lru_cache(maxsize=8)
def cache_folder(own: str, sources: Path) -> Path:
    """Return the folder of compiled functions, one for each state of their sources.

    numba notices by itself when a function's own file changes, but not when a file changes whose
    functions are inlined into it.

    Args:
        own: The cache folder configured for numba; empty for none.
        sources: The folder of the sources that are compiled together.

    Raises:
        RuntimeError: No folder is writable for the user alone.
    """
    digest = hashlib.sha256()
    for source in sorted(sources.glob("*.py")):
        digest.update(source.read_bytes())
    base = Path(own) if own else user_folder()
    return base / f"numba-{digest.hexdigest()[:16]}"


def is_compiled(sources: Path) -> bool:
    """Return whether functions of these sources are kept from an earlier run.

    Args:
        sources: The folder of the sources.
    """
    try:
        folder = cache_folder(os.environ.get("NUMBA_CACHE_DIR", ""), sources)
    except RuntimeError:
        return False
    return any(path.suffix == ".nbc" for path in folder.rglob("*"))


def user_folder() -> Path:
    """Return the folder for files kept between runs, to which nobody else can write.

    Raises:
        RuntimeError: There is none: the sources' folder and the user's home are not writable, or
            others may write there, too.
    """
    beside = _HERE / "__pycache__"
    if _is_private(beside):
        return beside
    own = Path.home() / ".cache" / "pucklab"
    if _is_private(own):
        return own
    raise RuntimeError("no folder for compiled functions is writable for the user alone")


def remove_damaged(folder: Path) -> None:
    """Remove the files of a cache whose checksums do not match."""
    for path in _cached(folder):
        with suppress(OSError):
            if _sum_file(path).read_text() != _checksum(path):
                path.unlink()


def store_checksums(folder: Path) -> None:
    """Store the checksums of the files of a cache that have changed."""
    for path in _cached(folder):
        with suppress(OSError):
            found = _checksum(path)
            file = _sum_file(path)
            if not file.exists() or file.read_text() != found:
                temporary = file.with_name(f"{file.name}.{os.getpid()}")
                temporary.write_text(found)
                temporary.replace(file)


def remove_cache(folder: Path) -> None:
    """Remove a cache that cannot be read."""
    shutil.rmtree(folder, ignore_errors=True)


def _cached(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in _SUFFIXES]


def _sum_file(path: Path) -> Path:
    return path.with_name(path.name + _SUM_SUFFIX)


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_private(folder: Path) -> bool:
    """Return whether a folder, made if it is missing, can be written to by the user alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError:
        return False
    if not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "getuid"):  # Windows keeps others out of a user's folders by itself
        return True
    shared = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return found.st_uid == os.getuid() and not shared
