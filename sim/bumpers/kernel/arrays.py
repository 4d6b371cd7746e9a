"""Arrays by the type of their numbers: `U8` has unsigned numbers of 8 bits, `I64` signed ones."""

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
