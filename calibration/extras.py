"""Packages that only the 3-D reference engines need: asked for when they are used."""

import importlib
from typing import Any

from physics.errors import require_extra


def load_extra(name: str, extra: str = "reference") -> Any:
    """Return an imported package of an extra.

    Raises:
        MissingExtraError: It is not installed.

    Example:
        >>> load_extra("nothing")
        Traceback (most recent call last):
            ...
        physics.errors.MissingExtraError: nothing is not installed; pip install 'pucklab[reference]'
    """
    require_extra(extra, name)
    return importlib.import_module(name)
