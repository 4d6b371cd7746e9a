"""Packages that only the 3-D reference engines need: asked for when they are used."""

import importlib
from importlib import metadata
from typing import Any

from physics.errors import InputError, require_extra


def load_extra(name: str, extra: str = "reference", version: str = "") -> Any:
    """Return an imported package of an extra.

    Args:
        name: Of the package.
        extra: What installs it.
        version: The only one that is accepted; empty for any.

    Raises:
        InputError: It has another version.
        MissingExtraError: It is not installed.

    Example:
        >>> load_extra("nothing")
        Traceback (most recent call last):
            ...
        physics.errors.MissingExtraError: nothing is not installed; pip install 'pucklab[reference]'
    """
    require_extra(extra, name)
    if version and (found := metadata.version(name)) != version:
        raise InputError(
            f"engine: {name} {found} is not accepted, because versions answer differently; "
            f"pip install {name}=={version}"
        )
    return importlib.import_module(name)
