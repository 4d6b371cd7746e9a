"""Files: read with clear errors, written whole or not at all.

The version of pucklab.
"""

import os
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from physics import InputError


def read_text(field: str, path: Path) -> str:
    """Return the text of a file.

    Args:
        field: What to call the file in an error.
        path: Where it is.

    Raises:
        InputError: It cannot be read, or is no UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{field}: {str(path)!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{field}: {str(path)!r} is no UTF-8 text") from None


def read_toml(field: str, path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file with ``schema = 1``, without the schema.

    Raises:
        InputError: It cannot be read, is no TOML, or is of another schema.
    """
    try:
        table = tomllib.loads(read_text(field, path))
    except InputError:
        raise
    except ValueError as error:  # tomllib's own, and a number with too many digits
        raise InputError(f"{field}: {str(path)!r} is no TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{field}: {str(path)!r} is nested too deeply") from None
    if "schema" not in table:
        raise InputError(f"{field}: {str(path)!r} has no schema; begin it with schema = 1")
    schema = table.pop("schema")
    if schema != 1 or isinstance(schema, bool):
        raise InputError(f"{field}: schema {schema!r} of {str(path)!r} is not accepted; give 1")
    return table


def check_writable(field: str, path: Path, suffixes: tuple[str, ...]) -> None:
    """Check, before any work is done, that a file can be written.

    Raises:
        InputError: Its name has another suffix, or it cannot be written where it is.
    """
    if path.suffix.lower() not in suffixes:
        raise InputError(
            f"{field}: {str(path)!r} is not accepted; give a name that ends in "
            f"{' or '.join(suffixes)}"
        )
    if path.is_dir() or not _takes_new_files(path):
        raise InputError(
            f"{field}: {str(path)!r} cannot be written; give a file in a folder that exists and "
            "that you may write to"
        )


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in full or leave what was there: a temporary file is renamed at the end."""
    handle, name = _temporary(path)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _temporary(path: Path) -> tuple[int, str]:
    """Make the file that is to be renamed, beside what it will be."""
    import tempfile

    return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")


def _takes_new_files(path: Path) -> bool:
    # Permissions do not tell all: a file system may be read-only or full, a name too long.
    try:
        handle, name = _temporary(path)
    except OSError:
        return False
    os.close(handle)
    Path(name).unlink()
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@lru_cache(maxsize=1)
def version() -> str:
    """Return the version of the installed pucklab, such as ``0.1.0``."""
    from importlib import metadata

    return metadata.version("pucklab")
