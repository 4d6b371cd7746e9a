"""Compiling functions with numba, once for all runs."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., object])


def jitted(function: _Function) -> _Function:
    """Return the function compiled at its first call, and kept on disk for later runs.

    numba keeps it beside the module or, where that folder cannot be written, in the user's cache
    folder; where neither can be, each run compiles anew. A kernel creates no arrays: numba's
    runtime, which counts references to them, is left out. Division by zero is no error.
    """
    options: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}
    try:
        compiled: _Function = njit(cache=True, **options)(function)
    except RuntimeError:
        compiled = njit(**options)(function)
    return compiled
