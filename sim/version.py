"""The version of pucklab."""

from functools import lru_cache
from importlib import metadata


@lru_cache(maxsize=1)
def version() -> str:
    """Return the version of the installed pucklab, such as ``0.1.0``."""
    return metadata.version("pucklab")
