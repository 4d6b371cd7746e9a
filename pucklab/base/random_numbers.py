"""numpy's random numbers inside kernels: SeedSequence, PCG64, and the ziggurat of normal numbers.

The same numbers as ``default_rng(SeedSequence(entropy, spawn_key=(trial,)))`` draws, on every
system: M. E. O'Neill, PCG (2014); G. Marsaglia and W. W. Tsang, The Ziggurat Method, J. Stat.
Softw. 5 (2000) 8. ``ziggurat.npy`` has numpy's tables: widths, densities, and the bound within
which a number is accepted at once.
"""

from pathlib import Path

import numpy as np

from pucklab.base.arrays import U64, Ints
from pucklab.base.elementary import exp, log1p
from pucklab.base.kernels import called, inlined

_WIDTH, _DENSITY, _AT_ONCE = np.load(Path(__file__).with_name("ziggurat.npy"))
_TAIL, _PER_TAIL = 3.6541528853610087963519472518, 0.27366123732975827203338247596

_32_BITS = np.uint64(0xFFFFFFFF)
_16, _32 = np.uint64(16), np.uint64(32)
_FIRST_HASH, _HASH_TIMES = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)
_NEXT_HASH, _NEXT_TIMES = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
_MIX_LEFT, _MIX_RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
_TIMES_HIGH, _TIMES_LOW = np.uint64(2549297995355413924), np.uint64(4865540595714422341)
_ZERO, _ONE = np.uint64(0), np.uint64(1)

STATE = 17
"""Words of a generator: state and increment, high and low; the hash's constant, and 12 words."""

_STATE, _STEP, _HASH, _POOL = 0, 2, 4, 5


def words_of(entropy: int) -> list[int]:
    """Return a seed below 2^128 as four words of 32 bits, the lowest first."""
    return [entropy >> 32 * word & 0xFFFFFFFF for word in range(4)]


@called
def seed_generator(g: U64, words: Ints, trial: int) -> None:
    """Seed a generator for a trial of a seed.

    Args:
        g: Shape (STATE,); filled in.
        words: Shape (4,); the seed, see `words_of`.
        trial: The trial, below 2^32.
    """
    pool = g[_POOL:]
    g[_HASH] = _FIRST_HASH
    for k in range(4):
        pool[k] = _hash(g, np.uint64(words[k]), _HASH_TIMES)
    for source in range(4):
        for to in range(4):
            if source != to:
                pool[to] = _mix(pool[to], _hash(g, pool[source], _HASH_TIMES))
    for to in range(4):
        pool[to] = _mix(pool[to], _hash(g, np.uint64(trial), _HASH_TIMES))
    g[_HASH] = _NEXT_HASH
    for k in range(8):
        pool[4 + k] = _hash(g, pool[k % 4], _NEXT_TIMES)
    start_high, start_low = pool[4] | pool[5] << _32, pool[6] | pool[7] << _32
    step_high, step_low = pool[8] | pool[9] << _32, pool[10] | pool[11] << _32
    g[_STEP] = step_high << _ONE | step_low >> np.uint64(63)
    g[_STEP + 1] = step_low << _ONE | _ONE
    g[_STATE] = g[_STATE + 1] = _ZERO
    _turn(g)
    low = g[_STATE + 1] + start_low
    g[_STATE] += start_high + np.uint64(low < start_low)
    g[_STATE + 1] = low
    _turn(g)


@inlined
def _hash(g: U64, value: np.uint64, times: np.uint64) -> np.uint64:
    value = (value ^ g[_HASH]) & _32_BITS
    g[_HASH] = g[_HASH] * times & _32_BITS
    value = value * g[_HASH] & _32_BITS
    return value ^ value >> _16


@inlined
def _mix(x: np.uint64, y: np.uint64) -> np.uint64:
    result = (_MIX_LEFT * x - _MIX_RIGHT * y) & _32_BITS
    return result ^ result >> _16


@inlined
def _high_product(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the upper 64 bits of a product."""
    a0, a1, b0, b1 = a & _32_BITS, a >> _32, b & _32_BITS, b >> _32
    p = a1 * b0 + (a0 * b0 >> _32)
    q = a0 * b1 + (p & _32_BITS)
    return a1 * b1 + (p >> _32) + (q >> _32)


@inlined
def _turn(g: U64) -> None:
    """Multiply the state, and add the increment, modulo 2^128."""
    high = _high_product(g[_STATE + 1], _TIMES_LOW)
    high += g[_STATE] * _TIMES_LOW + g[_STATE + 1] * _TIMES_HIGH
    low = g[_STATE + 1] * _TIMES_LOW + g[_STEP + 1]
    g[_STATE] = high + g[_STEP] + np.uint64(low < g[_STEP + 1])
    g[_STATE + 1] = low


@inlined
def _next(g: U64) -> np.uint64:
    """Return the next 64 bits."""
    _turn(g)
    x, by = g[_STATE] ^ g[_STATE + 1], g[_STATE] >> np.uint64(58)
    bits: np.uint64 = x >> by | x << (np.uint64(64) - by & np.uint64(63))
    return bits


@inlined
def draw_uniform(g: U64) -> float:
    """Draw a number from 0 to 1, as `numpy.random.Generator.random` does."""
    return float(_next(g) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inlined
def draw_normal(g: U64) -> float:
    """Draw a standard normal number, as `numpy.random.Generator.standard_normal` does."""
    while True:
        bits = _next(g)
        layer = np.int64(bits & np.uint64(0xFF))
        size = np.int64(bits >> np.uint64(9) & np.uint64(0xFFFFFFFFFFFFF))
        x: float = float(size) * _WIDTH[layer]
        if bits & np.uint64(0x100):
            x = -x
        if float(size) < _AT_ONCE[layer]:
            return x
        if layer == 0:
            far, y = 0.0, 0.0
            while y + y <= far * far:
                far = -_PER_TAIL * log1p(-draw_uniform(g))
                y = -log1p(-draw_uniform(g))
            return -(_TAIL + far) if size >> 8 & 1 else _TAIL + far
        between = (_DENSITY[layer - 1] - _DENSITY[layer]) * draw_uniform(g)
        if between + _DENSITY[layer] < exp(-0.5 * x * x):
            return x


@inlined
def draw_integer(g: U64, most: int) -> np.int64:
    """Draw a whole number from 1 to ``most``, below 2^63, as numpy's ``integers`` does.

    By D. Lemire, ACM Trans. Model. Comput. Simul. 29 (2019) 3.
    """
    many = np.uint64(most)
    least = (_ZERO - many) % many
    while True:
        bits = _next(g)
        if bits * many >= least:
            return np.int64(1) + np.int64(_high_product(bits, many))
