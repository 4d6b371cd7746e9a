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


def teach(numba: Any, options: dict[str, Any]) -> None:
    """Tell numba what `bring_near` is compiled to.

    Args:
        numba: The module.
        options: Those of a part of a compiled function.
    """
    ir: Any = importlib.import_module("llvmlite.ir")
    number = ir.IntType(32)
    to_read, to_keep, of_data = number(0), number(3), number(1)

    def written(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        place = builder.bitcast(builder.gep(array.data, [values[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(fetch, [place, to_read, to_keep, of_data])
        return context.get_dummy_value()

    @numba.extending.intrinsic  # type: ignore[untyped-decorator]
    def prefetch(_: Any, array: Any, index: Any) -> Any:
        return numba.types.void(array, index), written

    @numba.extending.overload(bring_near, jit_options=options)  # type: ignore[untyped-decorator]
    def compiled(array: Any, index: Any) -> Any:  # noqa: ARG001
        def asking(array: Any, index: Any) -> Any:
            prefetch(array, index)

        return asking
