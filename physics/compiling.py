"""The loader of all compiled code: kernels are compiled with numba once a user, and kept.

`compiled` functions are compiled when they are first called. `jitted` ones are interpreted as long
as that takes less time than loading numba: small questions are answered at once, and large ones
lose little. Both call `inlined` parts. Results are the same interpreted and compiled.

What was compiled lies in the user's cache folder, shared by all copies of the sources and all
environments: a file's name has a digest of all that goes into it. Code that others could write
must not be run, so the folder has to belong to the user alone.
"""

import atexit
import gc
import hashlib
import math
import os
import re
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache, partial, wraps
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

if TYPE_CHECKING:
    from subprocess import Popen

_Function = TypeVar("_Function", bound=Callable[..., Any])

INTERPRETED_S = 0.3
"""Total time for which `jitted` functions are interpreted before they are compiled: about the time
to load numba."""

_KEPT_DAYS, _KEPT_MB = 90.0, 100.0
"""Files of compiled code that were not used for so long, or go beyond so much, are removed."""

_OBJECTS_BETWEEN = 200_000
"""New objects between two searches for garbage while functions are compiled, some 20 MB."""

_IMPORTS = re.compile(
    rb"^(?:from|import)[ \t]+([\w.]+)(?:[ \t]+import[ \t]+(\([^)]*\)|.*))?", re.MULTILINE
)
_WORD = re.compile(rb"\w+")

_CHILD = "import sys; from pucklab.physics.compiling import _serve; _serve(*sys.argv[1:])"


class _Clock:
    """Total time of interpreted calls."""

    seconds = 0.0


class _Parts:
    """Functions that are compiled into others; ``new`` are those numba does not know yet."""

    every: ClassVar[set[Callable[..., Any]]] = set()
    new: ClassVar[list[Callable[..., Any]]] = []
    registers: ClassVar[list[Callable[[], None]]] = []


def compiled(function: _Function) -> _Function:
    """Return the function, compiled when it is first called.

    It must not create arrays. Sums are computed in the order they are written, so results do not
    depend on the processor's vector units.
    """
    return _loaded(function, lambda: 0.0)


def jitted(function: _Function) -> _Function:
    """Return the function, compiled once that pays; it must not create arrays.

    Long work must be split into calls of `batch_size`, so that the first ones may be interpreted.
    """
    return _loaded(function, lambda: INTERPRETED_S)


def inlined(function: _Function) -> _Function:
    """Return the function, compiled into the functions that call it.

    Called from Python it is interpreted. It must not print, and what it raises has a fixed message.
    """
    _Parts.every.add(function)
    _Parts.new.append(function)
    return function


def when_loaded(register: Callable[[], None]) -> Callable[[], None]:
    """Register a function to call once numba is loaded, before anything is compiled."""
    _Parts.registers.append(register)
    return register


def batch_size(interpreted: int, compiled: int) -> int:
    """Return the amount of work for one call of a `jitted` function.

    Args:
        interpreted: An amount that takes about 10 ms interpreted.
        compiled: An amount that is fast enough compiled.
    """
    return interpreted if _Clock.seconds < INTERPRETED_S else compiled


def compile_at_once() -> None:
    """Have `jitted` functions compiled from their next call on."""
    _Clock.seconds = math.inf


def is_compiled(kernel: Callable[..., Any]) -> bool:
    """Return whether a kernel is kept from an earlier run."""
    stem = _stem(kernel.__wrapped__)  # type: ignore[attr-defined]
    return stem is not None and any(stem.parent.glob(f"{stem.name}-*.code"))


def _loaded(function: _Function, interpreted_s: Callable[[], float]) -> _Function:
    """Return a function that is compiled once interpreted calls have taken some time in all."""
    kernel: Callable[..., Any] | None = None

    @wraps(function)
    def run(*args: Any) -> Any:
        nonlocal kernel
        if kernel is not None:
            return kernel(*args)
        if _Clock.seconds < interpreted_s():
            began_s = time.perf_counter()
            try:
                return function(*args)
            finally:
                _Clock.seconds += time.perf_counter() - began_s
        wait_for_background(_package(function))
        # Looking for garbage often would take a tenth of the time of compiling.
        before = gc.get_threshold()
        gc.set_threshold(_OBJECTS_BETWEEN, *before[1:])
        try:
            with defer_interrupts():
                made = _dispatcher(function)
                result = made(*args)
        finally:
            gc.set_threshold(*before)
        kernel = made
        return result

    return cast("_Function", run)


def _dispatcher(function: Callable[..., Any]) -> Any:
    """Return a function that is loaded or compiled when it is called."""
    # Imported here: small questions need no numba.
    from pucklab.physics import linking

    while _Parts.registers:
        _Parts.registers.pop()()
    while _Parts.new:
        linking.register_part(_Parts.new.pop())
    stem = _stem(function)
    written = partial(_prune, stem.parent) if stem else lambda: None
    _Count.kernels.add(function)
    linking.listen(_begun, _ended)
    return linking.dispatcher(function, linking.Store(stem, written))


# Progress of compiling.


class _Count:
    """Functions compiled and to be compiled since `report_compiling` began."""

    done = total = 0
    kernels: ClassVar[set[Callable[..., Any]]] = set()
    waiting: ClassVar[set[Callable[..., Any]]] = set()  # parts of kernels begun, not compiled yet
    known: ClassVar[set[Callable[..., Any]]] = set()  # parts that have been counted
    reports: ClassVar[list[Callable[[int, int], None]]] = []


@contextmanager
def report_compiling(report: Callable[[int, int], None]) -> Iterator[None]:
    """Within the block, call ``report(done, total)`` as functions are compiled.

    A kernel counts as half as many functions as it has parts: that is its share of the time. The
    total grows when another kernel is begun.
    """
    if not _Count.reports:
        _Count.done = _Count.total = 0
    _Count.reports.append(report)
    try:
        yield
    finally:
        _Count.reports.remove(report)


def _report(done: int, total: int) -> None:
    for report in _Count.reports:
        report(done, total)


@lru_cache(maxsize=64)
def _parts_of(function: Callable[..., Any]) -> frozenset[Callable[..., Any]]:
    """Return the parts that a function calls, and those that these call."""
    found: set[Callable[..., Any]] = set()
    new = {function}
    while new:
        named = [one.__globals__.get(name) for one in new for name in one.__code__.co_names]
        new = {one for one in named if callable(one) and one in _Parts.every} - found
        found |= new
    return frozenset(found)


def _begun(function: Callable[..., Any]) -> None:
    """Count a function that numba begins to compile."""
    if function in _Count.kernels:
        parts = _parts_of(function)
        new = parts - _Count.known
        _Count.known |= new
        _Count.waiting |= new
        _Count.total += len(new) + len(parts) // 2 + 1
        _report(_Count.done, _Count.total)


def _ended(function: Callable[..., Any]) -> None:
    """Count a function that numba has compiled; raise an interrupt that came meanwhile."""
    ready = _Count.waiting & {function}
    if function in _Count.kernels:
        parts = _parts_of(function)
        ready = _Count.waiting & parts  # those that were not needed after all
        _Count.done += len(parts) // 2 + 1
    _Count.waiting -= ready
    _Count.done += len(ready)
    if ready or function in _Count.kernels:
        _report(_Count.done, _Count.total)
    if threading.current_thread() is threading.main_thread():
        _raise_deferred()


# Interrupts.


class _Deferred:
    """A signal that came while it was deferred: its handler's call."""

    call: Callable[[], Any] | None = None


def _raise_deferred() -> None:
    call, _Deferred.call = _Deferred.call, None
    if call is not None:
        call()


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer Ctrl-C, SIGTERM and SIGHUP to the end of the block, or of a function that is compiled.

    Some modules that numba imports treat an interrupt as a failed import and go on, and during
    compilation it may be lost in a callback.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def defer(handler: Callable[[int, FrameType | None], Any], number: int) -> None:
        def note(_number: int, frame: FrameType | None) -> None:
            _Deferred.call = partial(handler, number, frame)

        signal.signal(number, note)
        before.callback(signal.signal, number, handler)

    with ExitStack() as before:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):  # Windows has no SIGHUP
                number = getattr(signal, name)
                handler = signal.getsignal(number)
                if callable(handler):
                    defer(handler, number)
        yield
    _raise_deferred()


# Compiling in a process of its own.


class _Background:
    """Processes that compile for this one."""

    processes: ClassVar[list[tuple[str, "Popen[str]"]]] = []  # each with its kernels' package
    lock = threading.Lock()
    owner = 0


def compile_in_background(prepare: Callable[[], object], kernel: Callable[..., Any]) -> None:
    """Begin to compile in a process of its own, unless a kernel is kept already.

    Compiling holds Python's lock for most of the time, so a thread would not do. The first call of
    a kernel in this process waits for that one.

    Args:
        prepare: A function of a module, which calls the kernels.
        kernel: The last kernel that it calls.
    """
    begun = [package for package, _ in _Background.processes]
    stem = _stem(kernel.__wrapped__)  # type: ignore[attr-defined]
    if stem is None or not sys.executable or is_compiled(kernel) or _package(kernel) in begun:
        return
    # Imported here: who does not compile does not wait for it.
    from subprocess import DEVNULL, PIPE, Popen

    process = Popen(
        [sys.executable, "-P", "-c", _CHILD, prepare.__module__, prepare.__qualname__],
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    _Background.owner = os.getpid()
    _Background.processes.append((_package(kernel), process))
    atexit.register(_end, process)


def wait_for_background(package: str = "") -> None:
    """Wait for the processes that compile for this one, and report how far they are.

    Args:
        package: Wait only for those that compile kernels of this package.
    """
    if _Background.owner != os.getpid():  # there is none, or it is that of another process
        return
    with _Background.lock:
        for begun in [*_Background.processes]:
            process = begun[1]
            if package not in {"", begun[0]} or process.stdout is None:
                continue
            for line in process.stdout:
                done, total = map(int, line.split())
                _report(done, total)
            process.stdout.close()
            process.wait()
            _Background.processes.remove(begun)


def _package(kernel: Callable[..., Any]) -> str:
    return kernel.__module__.rpartition(".")[0]


def _end(process: "Popen[str]") -> None:
    """End a process that this one no longer waits for."""
    if _Background.owner == os.getpid():
        process.kill()
        process.wait()


def _serve(module: str, function: str) -> None:
    """Compile for another process, and print how far it is."""
    with report_compiling(partial(print, flush=True)):
        getattr(__import__(module, fromlist=[function]), function)()


# Files.


def user_folder() -> Path:
    """Return the folder for files kept between runs, to which nobody else can write.

    Raises:
        RuntimeError: There is none: the user's cache folder and the sources' are not writable, or
            others may write there, too.
    """
    from platformdirs import user_cache_path

    for folder in (
        user_cache_path("pucklab", appauthor=False),
        Path(__file__).parent / "__pycache__",
    ):
        if folder.is_absolute() and _is_private(folder):  # a path without a home is none
            return folder
    raise RuntimeError("no folder for compiled functions is writable for the user alone")


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
    shared = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return found.st_uid == os.getuid() and not shared


def _stem(function: Callable[..., Any]) -> Path | None:
    """Return how the files of a function's compiled code begin; None if there can be none."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    try:
        folder = Path(own) if own else user_folder()
        digest = _digest(function.__module__)
    except (OSError, RuntimeError):
        return None
    return folder / "compiled" / f"{function.__module__}.{function.__qualname__}-{digest}"


@lru_cache(maxsize=64)
def _digest(module: str) -> str:
    """Return a digest of all that a module's compiled code is made from.

    That is the module, those that it has constants and functions from, and so on, and the versions
    of Python and of the compiler. The processor is in the rest of a file's name.
    """
    from importlib.metadata import version

    found = hashlib.sha256(repr((sys.version, version("numba"), version("llvmlite"))).encode())
    for name, source in sorted(_sources(module).items()):
        found.update(name.encode() + source)
    return found.hexdigest()[:16]


def _sources(module: str) -> dict[str, bytes]:
    """Return the sources of a module and of those it imports at its top, ours only."""
    ours = {__name__.split(".")[0], module.split(".", maxsplit=1)[0]}
    # Of the loader itself, only the part that compiles functions counts.
    found = {__name__: Path(__file__).with_name("linking.py").read_bytes()}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in found or file is None or name.split(".")[0] not in ours:
            continue
        found[name] = source = Path(file).read_bytes()
        for package, names in _IMPORTS.findall(source):
            where = package.decode()
            waiting += [where, *(f"{where}.{part.decode()}" for part in _WORD.findall(names))]
    return found


def _prune(folder: Path) -> None:
    """Remove the files that were not used for long, and those used longest ago beyond a size."""
    with suppress(OSError):
        found = [(path.stat().st_mtime, path.stat().st_size, path) for path in folder.iterdir()]
        size = 0
        for used_s, length, path in sorted(found, reverse=True):
            size += length
            if size > _KEPT_MB * 1e6 or used_s < time.time() - _KEPT_DAYS * 86400:
                path.unlink(missing_ok=True)
