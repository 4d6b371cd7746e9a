"""Compilation of the kernel's functions with numba, when it pays, cached on disk.

Loading numba takes longer than answering most questions about a position. So a `jitted` function is
interpreted at first, and compiled as soon as all such functions together have run as long as
loading numba takes: small questions are answered at once, and large ones lose little. The results
are the same either way.
"""

import atexit
import importlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, wraps
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from physics.compile_cache import (
    cache_folder,
    remove_cache,
    remove_damaged,
    store_checksums,
)

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}

INTERPRETED_S = 0.3
"""Total time for which functions are interpreted before they are compiled: about the time to load
numba."""

_parts: list[Callable[..., Any]] = []
"""Functions not yet registered with numba."""


class _Clock:
    """Total time of interpreted calls."""

    seconds = 0.0


def jitted(function: _Function) -> _Function:
    """Return the function, compiled once that pays and cached on disk for later runs.

    The cache is in numba's own cache folder if one is set, beside the sources if only the user can
    write there, else in the user's cache folder; without any, each run compiles anew. The
    kernel creates no arrays, so numba's runtime, which counts references to them, is left out.
    Division by zero raises no error.

    Long work must be split into calls of `batch_size`, so that the first ones may be interpreted.
    """
    compiled: Callable[..., Any] | None = None

    @wraps(function)
    def run(*args: Any) -> Any:
        nonlocal compiled
        if compiled is None:
            if _Clock.seconds < INTERPRETED_S:
                began_s = time.perf_counter()
                try:
                    return function(*args)
                finally:
                    _Clock.seconds += time.perf_counter() - began_s
            with deferred_interrupts():
                compiled, result = _first_call(function, args)
                return result
        return compiled(*args)

    return cast("_Function", run)


def jitted_part(function: _Function) -> _Function:
    """Return the function, inlined into the compiled functions that call it.

    Inlining matters: passing arrays, seven numbers each, would take half of the time. Called from
    Python it is interpreted, so no wrapper is compiled, which would take a third of the
    compilation time.
    """
    _parts.append(function)
    return function


def batch_size(interpreted: int, compiled: int) -> int:
    """Return the amount of work for one call of a jitted function.

    Args:
        interpreted: An amount that takes about 10 ms interpreted.
        compiled: An amount that is fast enough compiled.
    """
    return interpreted if _Clock.seconds < INTERPRETED_S else compiled


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Defer Ctrl-C to the end of the block.

    Some modules that numba imports treat an interrupt as a failed import and go on, and during
    compilation it may be lost in a callback.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    interrupted = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if interrupted:
        raise KeyboardInterrupt


def _first_call(
    function: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[Callable[..., Any], Any]:
    """Compile a function, or load it from the cache, and call it; return both results.

    A cache that cannot be read is removed, and one that cannot be written, as on a full disk, is
    not used. The function itself raises nothing, and has not begun when the cache fails.
    """
    numba = _numba()
    while _parts:
        numba.extending.register_jitable(forceinline=True, **_OPTIONS)(_parts.pop())
    options = {**_OPTIONS, "no_cfunc_wrapper": True, "nogil": True}
    configured = numba.config.CACHE_DIR
    try:
        folder = cache_folder(configured, Path(__file__).parent)
        remove_damaged(folder)
        for _ in range(2):
            numba.config.CACHE_DIR = str(folder)
            try:
                compiled = numba.njit(cache=True, **options)(function)
                result = compiled(*args)
            except Exception:
                remove_cache(folder)
            else:
                store_checksums(folder)
                _store_at_exit(folder)
                return compiled, result
    except RuntimeError:  # there is no folder
        pass
    finally:
        numba.config.CACHE_DIR = configured
    compiled = numba.njit(**options)(function)
    return compiled, compiled(*args)


@lru_cache(maxsize=1)
def _store_at_exit(folder: Path) -> None:
    """Store checksums again at the end: a later call may have added to a file."""
    atexit.register(store_checksums, folder)


@lru_cache(maxsize=1)
def _numba() -> Any:
    """Import numba at the first call."""
    numba = importlib.import_module("numba")
    importlib.import_module("numba.extending")
    with suppress(
        ImportError, AttributeError
    ):  # another version of numba may be organised differently
        _postpone_blas()
    register_prefetch(numba)
    return numba


def _postpone_blas() -> None:
    """Keep numba from importing `scipy.linalg` before it loads the first compiled function.

    numba only checks that BLAS exists, which takes a third of the time to load a cached function;
    a function that uses BLAS checks for it all the same.
    """
    linalg: Any = importlib.import_module("numba.np.linalg")
    look = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


def prefetch(array: NDArray[Any], index: np.uint64) -> None:
    """Prefetch an item of an array into the processor's cache.

    Compiled, this is one machine instruction that numba does not offer; interpreted, it does
    nothing.

    Args:
        array: A contiguous array.
        index: The flat index of the item.
    """


def register_prefetch(numba: Any) -> None:
    """Register the machine code of `prefetch` with numba."""
    ir: Any = importlib.import_module("llvmlite.ir")
    number = ir.IntType(32)
    to_read, to_keep, of_data = number(0), number(3), number(1)

    @numba.extending.type_callable(prefetch)  # type: ignore[untyped-decorator]
    def returned(_: Any) -> Any:
        return lambda array, index: numba.types.none  # noqa: ARG005

    @numba.extending.lower_builtin(prefetch, numba.types.Array, numba.types.uint64)  # type: ignore[untyped-decorator]
    def written(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        place = builder.bitcast(builder.gep(array.data, [values[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(fetch, [place, to_read, to_keep, of_data])
        return context.get_dummy_value()
