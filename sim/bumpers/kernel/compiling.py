"""Compiling functions with numba where that pays, once for all runs.

Loading numba takes longer than most questions about a position do. So a function runs as it is
written at first, and compiled once all such functions together have taken as long as loading takes:
small questions are answered at once, and no question takes much more than it would anyhow. What a
function does is the same either way.

Asking for what lies far away in memory before it is read.
"""

import hashlib
import importlib
import os
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


def bring_near(array: NDArray[Any], index: np.uint64) -> None:
    """Ask for an item of an array that will be read soon, without waiting for it.

    Compiled it is one instruction of the processor, for which numba has no word; as it is written
    it does nothing.

    Args:
        array: The array, one item after another.
        index: The item's number among all of the array's, whatever its axes.
    """


def teach(numba: Any) -> None:
    """Tell numba what `bring_near` is compiled to."""
    ir: Any = importlib.import_module("llvmlite.ir")
    number = ir.IntType(32)
    to_read, to_keep, of_data = number(0), number(3), number(1)

    @numba.extending.type_callable(bring_near)  # type: ignore[untyped-decorator]
    def returned(_: Any) -> Any:
        return lambda array, index: numba.types.none  # noqa: ARG005

    @numba.extending.lower_builtin(bring_near, numba.types.Array, numba.types.uint64)  # type: ignore[untyped-decorator]
    def written(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        place = builder.bitcast(builder.gep(array.data, [values[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(fetch, [place, to_read, to_keep, of_data])
        return context.get_dummy_value()


_Function = TypeVar("_Function", bound=Callable[..., Any])

_HERE = Path(__file__).parent
_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}

WRITTEN_S = 0.3
"""How long functions run as they are written, together; about what loading numba takes."""

_parts: list[Callable[..., Any]] = []
"""Parts that numba has not been told of."""


class _Clock:
    """How long functions ran as they are written."""

    seconds = 0.0


def jitted(function: _Function) -> _Function:
    """Return the function, which is compiled when it pays, and kept on disk for later runs.

    It is kept in numba's own cache folder if one is set, beside the sources if they can be
    written, else in the user's folder; where nothing can be written, each run compiles anew. A
    kernel creates no arrays: numba's runtime, which counts references to them, is left out.
    Division by zero is no error.

    A call that may take long is asked for a share of its work at a time: see `share_of`.
    """
    compiled: Callable[..., Any] | None = None

    @wraps(function)
    def run(*args: Any) -> Any:
        nonlocal compiled
        if compiled is None:
            if _Clock.seconds < WRITTEN_S:
                began_s = time.perf_counter()
                try:
                    return function(*args)
                finally:
                    _Clock.seconds += time.perf_counter() - began_s
            with interrupts_later():
                compiled = _compiled(function)
                return compiled(*args)
        return compiled(*args)

    return cast("_Function", run)


def jitted_part(function: _Function) -> _Function:
    """Return the function, which is compiled as a part of the compiled functions that call it.

    It is put into them whole: passing arrays, each seven numbers, would take half of the time.
    From Python it is called as it is written; nothing is made to call it compiled from there,
    which would take a third of the time to compile it.
    """
    _parts.append(function)
    return function


def share_of(few: int, many: int) -> int:
    """Return how much to ask of a jitted function at a time.

    Args:
        few: What takes about 10 ms as it is written.
        many: What takes no long time compiled.
    """
    return few if _Clock.seconds < WRITTEN_S else many


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Answer Ctrl-C at the end of the block, for work in which it may be lost.

    Some of the modules that numba imports take it for an import that failed, and go on; while
    numba compiles, it may be lost in a callback.
    """
    told = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(told):
        yield
        return
    heard = False

    def hear(_number: int, _frame: FrameType | None) -> None:
        nonlocal heard
        heard = True

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, told)
    if heard:
        raise KeyboardInterrupt


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


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, to be compiled at its first call."""
    numba = _numba()
    while _parts:
        numba.extending.register_jitable(forceinline=True, **_OPTIONS)(_parts.pop())
    options = {**_OPTIONS, "no_cfunc_wrapper": True}
    folder = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = str(cache_folder(folder))
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        compiled = numba.njit(**options)(function)
    finally:
        numba.config.CACHE_DIR = folder
    return cast("Callable[..., Any]", compiled)


@lru_cache(maxsize=1)
def _numba() -> Any:
    """Return numba, loaded at the first call."""
    numba = importlib.import_module("numba")
    importlib.import_module("numba.extending")
    with suppress(ImportError, AttributeError):  # a numba that is arranged otherwise
        _postpone_blas()
    teach(numba)
    return numba


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
