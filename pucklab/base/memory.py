"""Arrays laid into memory that a kernel is given: kernels create none of their own."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.base.arrays import Bytes
from pucklab.base.kernels import when_compiling

_ALIGNED = 16


def carve(memory: Bytes, at: int, shape: tuple[int, ...], dtype: Any) -> tuple[NDArray[Any], int]:
    """Return an array that begins at a byte of a memory, and the first free byte after it.

    Compiled, nothing is checked: compare the last free byte with the size of the memory before
    anything is written.

    Example:
        >>> memory = np.zeros(64, np.uint8)
        >>> pair, free = carve(memory, 0, (2,), np.float64)
        >>> pair[1] = 1.0
        >>> pair.tolist(), free, memory[8:16].tolist()
        ([0.0, 1.0], 16, [0, 0, 0, 0, 0, 0, 240, 63])
    """
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    found: NDArray[Any] = memory[at : at + size].view(dtype).reshape(shape)
    return found, (at + size + _ALIGNED - 1) // _ALIGNED * _ALIGNED


@when_compiling
def _register() -> None:
    """Let numba compile `carve`, as an array without an owner."""
    types: Any = import_module("numba.types")
    extending: Any = import_module("numba.extending")
    arrays: Any = import_module("numba.np.arrayobj")
    typing: Any = import_module("numba.core.typing")
    numpy_support: Any = import_module("numba.np.numpy_support")

    @extending.intrinsic  # type: ignore[untyped-decorator]
    def lay(_context: Any, memory: Any, at: Any, shape: Any, dtype: Any) -> Any:
        made = types.Array(dtype.dtype, len(shape), "C")
        inner = typing.signature(made, types.CPointer(dtype.dtype), shape, dtype)

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, values[0]).data
            place = builder.gep(data, [values[1]])
            pointer = builder.bitcast(place, context.get_value_type(inner.args[0]))
            return arrays.np_cfarray(context, builder, inner, [pointer, values[2], values[3]])

        return made(memory, at, shape, dtype), code

    @extending.overload(carve, inline="always")  # type: ignore[untyped-decorator]
    def laid(memory: Any, at: Any, shape: Any, dtype: Any) -> Any:  # noqa: ARG001
        itemsize, axes = numpy_support.as_dtype(dtype.dtype).itemsize, len(shape)

        def one(memory: Any, at: Any, shape: Any, dtype: Any) -> Any:
            n = np.int64(shape[0])
            return lay(memory, at, (n,), dtype), (at + n * itemsize + 15) & ~15

        def two(memory: Any, at: Any, shape: Any, dtype: Any) -> Any:
            n, m = np.int64(shape[0]), np.int64(shape[1])
            return lay(memory, at, (n, m), dtype), (at + n * m * itemsize + 15) & ~15

        def three(memory: Any, at: Any, shape: Any, dtype: Any) -> Any:
            n, m, o = np.int64(shape[0]), np.int64(shape[1]), np.int64(shape[2])
            return lay(memory, at, (n, m, o), dtype), (at + n * m * o * itemsize + 15) & ~15

        return (one, two, three)[axes - 1]
