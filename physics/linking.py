# mypy: ignore-errors
# numba has few types, and those of its internals change.
"""Parts of numba's internals for the loader of compiled code, for `compiling` alone.

numba optimises every function by itself, with all that it calls already inlined, and makes machine
code of it. A part that is always inlined into its callers does not need that, and it took most of
the time: here a part is only linked into its callers. If numba's internals are not as expected,
parts are compiled as numba does it by itself.
"""

import hashlib
import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from numba import _dynfunc
from numba.core import event, serialize
from numba.core.compiler import Compiler, CompileResult
from numba.extending import register_jitable

try:
    from numba.core.codegen import JITCodeLibrary
except ImportError:  # another version of numba
    JITCodeLibrary = object

OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}
"""Kernels create no arrays, so numba's counts of references are left out: they would take most of
the time. Division by zero raises no error."""


class _PartLibrary(JITCodeLibrary):
    """The code of a part as it goes into its callers."""

    def finalize(self) -> None:
        """Link in what the part calls; optimise nothing and make no machine code."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if hasattr(library, "_reload_init"):  # from numba 0.62 on
                self._reload_init.update(library._reload_init)  # noqa: SLF001
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)  # noqa: SLF001
        self._finalized = True


class PartCompiler(Compiler):
    """Compiles a part up to the code that is linked into its callers."""

    links = True

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library, *rest)
        if self.links:
            self.state.flags.no_cpython_wrapper = self.state.flags.no_cfunc_wrapper = True
            self.state.targetctx.get_executable = _not_executable

    def compile_extra(self, func: Any) -> Any:
        """Compile a part."""
        if self.links:
            codegen = self.state.targetctx.codegen()
            self.state.library = _PartLibrary(codegen, func.__qualname__)
        return super().compile_extra(func)


def _not_executable(library: Any, fndesc: Any, env: Any) -> Any:
    """Return a stand-in for a part among numba's functions; it cannot be called."""
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))


def register_part(function: Callable[..., Any], compiler: Any = PartCompiler) -> None:
    """Let compiled functions call a function."""
    register_jitable(forceinline=True, pipeline_class=compiler, **OPTIONS)(function)


@lru_cache(maxsize=1)
def try_linking() -> None:
    """Link parts from now on only if that works with this numba."""

    def part(value: int) -> int:
        return 2 * value

    def whole(value: int) -> int:
        return part(value) + 1

    trial = type("_Trial", (PartCompiler,), {})
    try:
        register_part(part, trial)
        PartCompiler.links = numba.njit(**OPTIONS)(whole)(4) == 9
    except Exception:
        PartCompiler.links = False


class Store:
    """The compiled forms of one function, kept in files; numba's protocol of a cache.

    A damaged file could crash the process, so each begins with its checksum, and is written whole.
    Whatever fails here, the function is compiled.
    """

    cache_path = ""

    def __init__(self, stem: Path | None, written: Callable[[], None]) -> None:
        """Keep forms in files that begin with a path and name; None for no files."""
        self._stem = stem
        self._written = written

    def load_overload(self, sig: Any, target: Any) -> Any:
        """Return the form for a signature, or None."""
        target.refresh()
        if self._stem is not None:
            path = self._path(sig, target.codegen())
            with suppress(Exception):
                data = path.read_bytes()
                if hashlib.sha256(data[32:]).digest() == data[:32]:
                    form = CompileResult._rebuild(target, *pickle.loads(data[32:]))  # noqa: SLF001
                    os.utime(path)
                    return form
        try_linking()
        return None

    def save_overload(self, sig: Any, form: Any) -> None:
        """Keep the form for a signature."""
        if self._stem is None:
            return
        with suppress(Exception):  # as on a full disk
            path = self._path(sig, form.codegen)
            data = serialize.dumps(form._reduce())  # noqa: SLF001
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = path.with_suffix(f".{os.getpid()}")
            temporary.write_bytes(hashlib.sha256(data).digest() + data)
            temporary.replace(path)
            self._written()

    def _path(self, sig: Any, codegen: Any) -> Path:
        assert self._stem is not None
        key = repr((sig, codegen.magic_tuple())).encode()  # the latter has the processor
        return self._stem.with_name(
            f"{self._stem.name}-{hashlib.sha256(key).hexdigest()[:16]}.code"
        )


@lru_cache(maxsize=1)
def listen(begun: Callable[[Any], None], ended: Callable[[Any], None]) -> None:
    """Register functions to call, with the function, when numba begins and ends to compile one."""

    class Listener(event.Listener):
        def on_start(self, found: Any) -> None:
            begun(found.data["dispatcher"].py_func)

        def on_end(self, found: Any) -> None:
            ended(found.data["dispatcher"].py_func)

    event.register("numba:compile", Listener())


def dispatcher(function: Callable[..., Any], store: Store) -> Any:
    """Return a function that is compiled for each signature that it is called with."""
    compiled = numba.njit(no_cfunc_wrapper=True, nogil=True, **OPTIONS)(function)
    compiled._cache = store  # noqa: SLF001
    return compiled


# numba would import `scipy.linalg` before it loads the first compiled function, which takes a third
# of the time, only to check that BLAS exists; a function that uses BLAS checks for it all the same.
with suppress(ImportError, AttributeError):  # another version may be organised differently
    linalg: Any = import_module("numba.np.linalg")
    look, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look
