"""Kernels: functions compiled ahead into a library, called by ctypes; numba compiles the rest.

A `kernel` is Python that numba can compile; it creates no arrays and raises nothing. It calls
`inlined` parts. ``tools/build_kernels.py`` has the table of all kernels and writes a library for
each system into the folder ``libraries`` beside this file, with a manifest of digests. A library
is used only if it is whole, gives the known answer, and was built from the sources that are here;
otherwise numba compiles the kernel if it is installed. Called as ``kernel.interpreted``, it runs as
it is written, with the same bits.
"""

import ctypes
import hashlib
import json
import logging
import os
import platform
import stat
import struct
import sys
import threading
from collections.abc import Callable
from functools import lru_cache, update_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from pucklab.base.errors import MissingExtraError

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

LIBRARIES = Path(__file__).with_name("libraries")

OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}
"""Kernels create no arrays, so numba's counts of references are left out: they would take most of
the time. Division by zero raises no error."""

FAILED = -(1 << 63)
"""What a kernel of a library returns if it raised something."""

parts: dict[Callable[..., Any], bool] = {}
"""Functions that are compiled into kernels, and whether each is part of its callers."""

_registers: list[Callable[[], None]] = []
_lock = threading.RLock()


def inlined(function: _Function) -> _Function:
    """Mark a function that kernels call; sums are computed in the order they are written."""
    parts[function] = True
    return function


def called(function: _Function) -> _Function:
    """Mark a long function that kernels call; it is compiled by itself, which takes less time."""
    parts[function] = False
    return function


def when_compiling(register: Callable[[], None]) -> Callable[[], None]:
    """Mark a function to call before numba compiles anything."""
    _registers.append(register)
    return register


class _OfThread(threading.local):
    """The stop word of a thread."""

    def __init__(self) -> None:
        self.word = np.zeros(1, np.int64)


_of_thread = _OfThread()


def stop_word() -> NDArray[np.int64]:
    """Return this thread's stop word, shape (1,): kernels that have it end early if it is not 0."""
    return _of_thread.word


def use_stop_word(word: NDArray[np.int64]) -> None:
    """Share a stop word with this thread."""
    _of_thread.word = word


class Kernel(Generic[_Arguments, _Result]):
    """A compiled function; arrays must be C-contiguous and of the declared types."""

    def __init__(self, function: Callable[_Arguments, _Result]) -> None:
        self.interpreted = function
        self.name = f"{function.__module__}.{function.__qualname__}".removeprefix("pucklab.")
        self.compiled: Callable[..., Any] | None = None
        update_wrapper(self, function)

    def __call__(self, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        """Call the compiled function."""
        if self.compiled is None:
            with _lock:
                self.compiled = self.compiled or _load(self)
        return cast("_Result", self.compiled(*args, **kwargs))


def kernel(function: Callable[_Arguments, _Result]) -> Kernel[_Arguments, _Result]:
    """Make a function a kernel."""
    return Kernel(function)


def _load(own: Kernel[..., Any]) -> Callable[..., Any]:
    """Return the compiled form of a kernel.

    Raises:
        MissingExtraError: There is no library that can be used, and no numba.
    """
    digest, library = source_digest(own.interpreted), open_library()
    why = library if isinstance(library, str) else library.why_not(own.name, digest)
    if not isinstance(library, str) and not why:
        return library.caller(own.name)
    try:
        return _compile(own.interpreted, digest)
    except ImportError:
        raise MissingExtraError(
            f"{why}, and numba is not installed to compile it; pip install 'pucklab[jit]'"
        ) from None


class Library:
    """An open library."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        """Open a library; see `open_library`, which checks it first."""
        self.path = path
        self._code, self._kernels = ctypes.CDLL(str(path)), manifest["kernels"]

    def why_not(self, name: str, digest: str) -> str:
        """Return the reason why a kernel is not taken from here; empty if there is none."""
        if self._kernels.get(name, {}).get("sources") == digest:
            return ""
        return f"the library of kernels was not built from these sources of {name}"

    def caller(self, name: str) -> Callable[..., Any]:
        """Return a function that calls a kernel with a block of numbers and addresses."""
        code = getattr(self._code, symbol_of(name))
        code.restype, code.argtypes = ctypes.c_int64, [ctypes.c_char_p]
        leaves = [leaf_of(text) for text in self._kernels[name]["arguments"].split()]
        form = struct.Struct("".join(kind + dims * "q" for kind, _, dims in leaves))

        def call(*args: Any) -> int:
            block: list[Any] = []
            values: list[Any] = []
            flatten(args, values)
            for value, (_, dtype, dims) in zip(values, leaves, strict=True):
                if dtype is None:
                    block.append(value)
                    continue
                if value.dtype != dtype or value.ndim != dims or not value.flags.carray:
                    raise TypeError(f"{name}: an array of {value.dtype} is not accepted")
                block.append(value.__array_interface__["data"][0])
                block += value.shape
            found: int = code(form.pack(*block))
            if found == FAILED:
                raise RuntimeError(f"{name} failed")
            return found

        return call


def flatten(value: Any, into: list[Any]) -> None:
    """Append what a value and the tuples in it are made of."""
    if isinstance(value, tuple):
        for each in value:
            flatten(each, into)
    else:
        into.append(value)


def leaf_of(text: str) -> tuple[str, np.dtype[Any] | None, int]:
    """Read an argument of the manifest: its letter for `struct`, and type and axes of an array.

    Example:
        >>> leaf_of("i8"), leaf_of("f8"), leaf_of("u1:2")
        (('q', None, 0), ('d', None, 0), ('q', dtype('uint8'), 2))
    """
    kind, _, dims = text.partition(":")
    if dims:
        return "q", np.dtype(kind), int(dims)
    return {"f8": "d", "u8": "Q"}.get(kind, "q"), None, 0


def symbol_of(name: str) -> str:
    """Return the name of a kernel in a library."""
    return name.replace(".", "_")


def system() -> str:
    """Return the name of this system in the manifest, such as ``linux-x86_64``."""
    return f"{sys.platform}-{platform.machine().lower()}"


@lru_cache(maxsize=1)
def open_library() -> Library | str:
    """Return the library of this system, or the reason why there is none that can be used."""
    try:
        manifest = json.loads((LIBRARIES / "manifest.json").read_bytes())
        libraries = manifest["libraries"]
        own = [libraries[name] for name in (f"{system()}-v3", system()) if name in libraries]
    except (OSError, ValueError, KeyError, TypeError):
        return "no library of kernels has been built"
    found: Library | str = f"no library of kernels is built for {system()}"
    for entry in own:
        found = _open(entry, manifest)
        if not isinstance(found, str):
            break
    return found


def _open(entry: dict[str, str], manifest: dict[str, Any]) -> Library | str:
    """Return the library of an entry of the manifest, or the reason why it cannot be used."""
    path = LIBRARIES
    try:
        path /= entry["file"]
        if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
            return f"{path.name} is damaged or of another version"
        needs = set(entry["needs"].split())
        if needs and not needs <= set(Path("/proc/cpuinfo").read_text().split()):
            return f"{path.name} needs a processor with {entry['needs']}"
        library = Library(path, manifest)
        answer = library.caller("base.elementary.known_answer")()
    except (OSError, AttributeError, KeyError, TypeError) as error:
        return f"{path.name} cannot be loaded ({type(error).__name__})"
    if answer != manifest["known_answer"]:
        return f"{path.name} computes a wrong answer on this processor"
    return library


def source_digest(function: Callable[..., Any]) -> str:
    """Return a digest of a kernel: the files of its parts, and the constants that they read."""
    found, modules, waiting = hashlib.sha256(), set[str](), [function]
    constants: dict[str, bytes] = {}
    seen = {function}
    while waiting:
        one = waiting.pop()
        modules.add(one.__module__)
        for name in sorted(_names_in(one.__code__)):
            value = one.__globals__.get(name)
            if isinstance(value, np.ndarray):
                constants[f"{one.__module__}.{name}"] = value.tobytes()
            elif isinstance(value, bool | int | float | tuple | np.generic):
                constants[f"{one.__module__}.{name}"] = repr(value).encode()
            elif isinstance(value, type) and issubclass(value, tuple):
                modules.add(value.__module__)
            elif isinstance(value, FunctionType) and value in parts and value not in seen:
                seen.add(value)
                waiting.append(value)
    for module in sorted(modules):
        file = sys.modules[module].__file__
        found.update(module.encode() + Path(str(file)).read_bytes())
    for name, value in sorted(constants.items()):
        found.update(name.encode() + value)
    return found.hexdigest()[:16]


def _names_in(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names


def prepare_numba() -> Any:
    """Import numba, and let it compile the parts of kernels; return it."""
    import numba
    from numba.extending import register_jitable

    while _registers:
        _registers.pop()()
    for part, is_inlined in parts.items():
        if part not in _prepared:
            register_jitable(forceinline=is_inlined, **OPTIONS)(part)
            _prepared.add(part)
    return numba


_prepared: set[Callable[..., Any]] = set()


def _compile(function: Callable[..., Any], digest: str) -> Callable[..., Any]:
    """Return a function that numba compiles; it keeps the code by the digest of the sources.

    Code that others could write must not be run: the user's cache folder has to be private.
    """
    from platformdirs import user_cache_path

    numba = prepare_numba()
    folder = user_cache_path("pucklab", appauthor=False) / "kernels"
    own, before = folder / digest, numba.config.CACHE_DIR
    is_kept = _is_private(folder)
    if not own.is_dir():
        logging.getLogger("pucklab").warning("compiling: this happens once")
    try:
        numba.config.CACHE_DIR = str(own)
        return cast(
            "Callable[..., Any]",
            numba.njit(nogil=True, no_cfunc_wrapper=True, cache=is_kept, **OPTIONS)(function),
        )
    finally:
        numba.config.CACHE_DIR = before


def _is_private(folder: Path) -> bool:
    """Return whether a folder, made if it is missing, can be written to by the user alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError:
        return False
    if not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "getuid"):  # Windows keeps others out of a user's folders by itself
        return True
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
