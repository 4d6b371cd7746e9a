"""Packages that only the 3-D reference engines need: asked for when they are used."""

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

from physics.errors import require_extra

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


def load_extra(name: str) -> Any:
    """Return an imported package of the ``reference`` extra.

    Raises:
        MissingExtraError: It is not installed.

    Example:
        >>> load_extra("nothing")
        Traceback (most recent call last):
            ...
        physics.errors.MissingExtraError: nothing is not installed; pip install 'pucklab[reference]'
    """
    require_extra("reference", name)
    return importlib.import_module(name)


def compiled(function: _Kernel) -> _Kernel:
    """Compile a numerical function with numba when it is first called, and cache it on disk.

    Kernels are put into their callers and count no references to arrays: counting them at each
    call took 97 % of the time. So a kernel must not create arrays.

    Raises:
        MissingExtraError: numba is not installed.
    """
    kernel: _Kernel = load_extra("numba").njit(cache=True, forceinline=True, _nrt=False)(function)
    return kernel
