"""Asking for what lies far away in memory before it is read."""

import importlib
from typing import Any

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
