"""Optional parts of the installation."""

from importlib.util import find_spec


class MissingExtraError(ImportError):
    """A part of pucklab that was not installed is needed; the message says how to get it."""


def require_extra(extra: str, *modules: str) -> None:
    """Check that the modules of an extra can be imported, without importing them.

    Raises:
        MissingExtraError: One cannot.

    Example:
        >>> require_extra("plot", "nothing")
        Traceback (most recent call last):
            ...
        physics.extras.MissingExtraError: nothing is not installed; pip install 'pucklab[plot]'
    """
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtraError(f"{module} is not installed; pip install 'pucklab[{extra}]'")
