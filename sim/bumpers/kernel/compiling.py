"""Compiling functions with numba, once for all runs."""

import hashlib
import importlib
import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.extending import register_jitable

_Function = TypeVar("_Function", bound=Callable[..., object])

_CONFIG: Any = numba.config
_HERE = Path(__file__).parent
_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}


def jitted(function: _Function) -> _Function:
    """Return the function compiled at its first call, and kept on disk for later runs.

    It is kept in numba's own cache folder if one is set, beside the sources if they can be
    written, else in the user's folder; where nothing can be written, each run compiles anew. A
    kernel creates no arrays: numba's runtime, which counts references to them, is left out.
    Division by zero is no error.
    """
    options: dict[str, Any] = {**_OPTIONS, "no_cfunc_wrapper": True}
    folder = _CONFIG.CACHE_DIR
    try:
        _CONFIG.CACHE_DIR = str(cache_folder(folder))
        compiled: _Function = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        compiled = numba.njit(**options)(function)
    finally:
        _CONFIG.CACHE_DIR = folder
    return compiled


def jitted_part(function: _Function) -> _Function:
    """Return the function, which is compiled as a part of the compiled functions that call it.

    It is put into them whole: passing arrays, each seven numbers, would take half of the time.
    From Python it is called as it is written; nothing is made to call it compiled from there,
    which would take a third of the time to compile it.
    """
    part: _Function = register_jitable(forceinline=True, **_OPTIONS)(function)
    return part


def _postpone_blas() -> None:
    """Keep numba from importing `scipy.linalg` before it loads the first compiled function.

    It only wants to know that BLAS is there, which takes a third of the time in which a kept
    function is loaded; a function that uses BLAS looks for it all the same.
    """
    linalg: Any = importlib.import_module("numba.np.linalg")
    look = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


@lru_cache(maxsize=8)
def cache_folder(own: str) -> Path:
    """Return the folder to keep compiled functions in, one for each state of the sources.

    numba sees by itself when a function's own file changes, but not when another file does whose
    functions it has put into it.

    Args:
        own: The cache folder that numba was told to use; empty for none.

    Raises:
        RuntimeError: The sources' folder cannot be written, and the user has no home folder.
    """
    digest = hashlib.sha256()
    for source in sorted(_HERE.glob("*.py")):
        digest.update(source.read_bytes())
    base = Path(own)
    if not own:
        beside = os.access(_HERE, os.W_OK)
        base = _HERE / "__pycache__" if beside else Path.home() / ".cache" / "pucklab"
    return base / f"numba-{digest.hexdigest()[:16]}"


with suppress(ImportError, AttributeError):  # a numba that is arranged otherwise
    _postpone_blas()
