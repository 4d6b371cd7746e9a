"""Elementary functions of our own, so that results have the same bits on every system.

Only + - * / and the square root are the same everywhere by IEEE 754; the sine of two C libraries
differs in its last bit, and a slam is chaotic. The methods and constants are those of fdlibm (Sun
Microsystems, 1993, free for any use). Errors are below 1 unit in the last place, of `atan2` below
1.5. Kernels call these, and so does what prepares a slam.
"""

import math

import numpy as np

from pucklab.base.kernels import inlined, kernel

LARGEST_ANGLE = 5e5
"""Sines and cosines of angles beyond it are NaN, rad."""

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@inlined
def _bits(x: float) -> int:
    """Return the 64 bits of a number."""
    return int(np.float64(x).view(np.int64))


@inlined
def _number(bits: int) -> float:
    """Return the number of 64 bits."""
    return float(np.int64(bits).view(np.float64))


@inlined
def _reduce(x: float) -> tuple[float, float, int]:
    """Return x less the nearest multiple of pi / 2, in two parts, and that multiple modulo 4.

    pi / 2 is subtracted in three parts of 33 bits (Cody and Waite).
    """
    if not -LARGEST_ANGLE <= x <= LARGEST_ANGLE:
        return math.nan, 0.0, 0
    turns = math.floor(x * 6.36619772367581382433e-01 + 0.5)
    n = float(turns)
    r = x - n * 1.57079632673412561417e00
    w = n * 6.07710050630396597660e-11
    t = r
    r = t - w
    w = n * 2.02226624879595063154e-21 - ((t - r) - w)
    head = r - w
    return head, (r - head) - w, int(turns) & 3


@inlined
def _sine(x: float, tail: float) -> float:
    """Return the sine of x + tail, up to pi / 4."""
    z = x * x
    v = z * x
    r = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z
        * (
            2.75573137070700676789e-06
            + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
        )
    )
    return x - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01)


@inlined
def _cosine(x: float, tail: float) -> float:
    """Return the cosine of x + tail, up to pi / 4."""
    z = x * x
    r = z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z
                * (
                    -2.75573143513906633035e-07
                    + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
                )
            )
        )
    )
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * r - x * tail))


@inlined
def sin(x: float) -> float:
    """Return the sine of an angle.

    Example:
        >>> sin(0.5), sin(0.0)
        (0.479425538604203, 0.0)
    """
    head, tail, quarter = _reduce(x)
    sine = _cosine(head, tail) if quarter & 1 else _sine(head, tail)
    return -sine if quarter & 2 else sine


@inlined
def cos(x: float) -> float:
    """Return the cosine of an angle.

    Example:
        >>> cos(0.5), cos(0.0)
        (0.8775825618903728, 1.0)
    """
    head, tail, quarter = _reduce(x)
    cosine = _sine(head, tail) if quarter & 1 else _cosine(head, tail)
    return -cosine if (quarter + 1) & 2 else cosine


@inlined
def _atan(x: float) -> float:
    """Return the angle whose tangent is x, from 0 to 1."""
    high, low = 0.0, 0.0
    if x >= 0.4375:
        if x < 0.6875:
            high, low = 4.63647609000806093515e-01, 2.26987774529616870924e-17
            x = (2.0 * x - 1.0) / (2.0 + x)
        else:
            high, low = 7.85398163397448278999e-01, 3.06161699786838301793e-17
            x = (x - 1.0) / (x + 1.0)
    z = x * x
    w = z * z
    odd = z * (
        3.33333333333329318027e-01
        + w
        * (
            1.42857142725034663711e-01
            + w
            * (
                9.09088713343650656196e-02
                + w
                * (
                    6.66107313738753120669e-02
                    + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)
                )
            )
        )
    )
    even = w * (
        -1.99999999998764832476e-01
        + w
        * (
            -1.11111104054623557880e-01
            + w
            * (
                -7.69187620504482999495e-02
                + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02)
            )
        )
    )
    return high - ((x * (odd + even) - low) - x)


@inlined
def atan2(y: float, x: float) -> float:
    """Return the angle of a point from the x axis, from -pi to pi; 0 for the origin.

    The larger number is from 1e-290 to 1e290.

    Example:
        >>> atan2(1.0, 2.0), atan2(-1.0, -1.0), atan2(0.0, -1.0)
        (0.4636476090008061, -2.356194490192345, 3.141592653589793)
    """
    up, right = abs(y), abs(x)
    low, high = min(up, right), max(up, right)
    if not 1e-290 < high < 1e290:
        return 0.0 if high < 1.0 else math.nan
    quotient = low / high
    # What the division left (Dekker's exact product), to first order.
    head, its_head = _head(quotient), _head(high)
    left = ((low - head * its_head) - (quotient - head) * its_head) - head * (high - its_head)
    left -= (quotient - head) * (high - its_head)
    angle, rest = _atan(quotient), left / (high * (1.0 + quotient * quotient))
    if up <= right:
        angle = math.pi - (angle - (1.22464679914735320717e-16 - rest)) if x < 0.0 else angle + rest
    elif x < 0.0:
        angle = 1.57079632679489655800e00 + (angle + (6.12323399573676603587e-17 + rest))
    else:
        angle = 1.57079632679489655800e00 - (angle - (6.12323399573676603587e-17 - rest))
    return -angle if y < 0.0 else angle


@inlined
def _head(x: float) -> float:
    """Return the first 26 bits of a number."""
    return _number((_bits(x) + 0x4000000) & -0x8000000)


@inlined
def cube_root(x: float) -> float:
    """Return the cube root of a number from 0; 0 below 1e-300.

    Example:
        >>> cube_root(27.0), cube_root(2.0)
        (3.0, 1.2599210498948732)
    """
    if x < 1e-300:
        return 0.0
    t = _number(_bits(x) // 3 + 0x2A9F7893782DA1CE)
    # Two steps of Halley: 5 bits, 16, 47; then one of Newton on a head of 26 bits.
    for _ in range(2):
        c = t * t * t
        t *= (c + 2.0 * x) / (2.0 * c + x)
    t = _head(t)
    r = x / (t * t)
    return t + t * ((r - t) / (t + t + r))


@inlined
def exp(x: float) -> float:
    """Return e^x; 0 below -708, infinity above 709.

    Example:
        >>> exp(1.0), exp(-0.5)
        (2.7182818284590455, 0.6065306597126334)
    """
    if not x <= 709.0:
        return x * math.inf  # infinity, or NaN
    if x < -708.0:
        return 0.0
    power = math.floor(x * 1.44269504088896338700e00 + 0.5)
    high = x - float(power) * _LN2_HIGH
    low = float(power) * _LN2_LOW
    x = high - low
    z = x * x
    # Remez's approximation of x (e^x + 1) / (e^x - 1).
    c = x - z * (
        1.66666666666666019037e-01
        + z
        * (
            -2.77777777770155933842e-03
            + z
            * (
                6.61375632143793436117e-05
                + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08)
            )
        )
    )
    y = 1.0 - ((low - (x * c) / (2.0 - c)) - high)
    # y is from .7 to 1.5: its exponent is raised by the power of 2.
    return _number(_bits(y) + (int(power) << 52))


@inlined
def _log1p_tail(f: float, half_square: float) -> float:
    """Return log(1 + f) less f and more half its square, f from -.3 to .42."""
    s = f / (2.0 + f)
    z = s * s
    # Remez's approximation of log(1 + s) - log(1 - s), in the order of glibc.
    r1 = z * 6.666666666666735130e-01
    z2 = z * z
    r2 = 3.999999999940941908e-01 + z * 2.857142874366239149e-01
    z4 = z2 * z2
    r3 = 2.222219843214978396e-01 + z * 1.818357216161805012e-01
    z6 = z4 * z2
    r4 = 1.531383769920937332e-01 + z * 1.479819860511658591e-01
    r = r1 + z2 * r2 + z4 * r3 + z6 * r4
    return s * (half_square + r)


@inlined
def log(x: float) -> float:
    """Return the natural logarithm of a number above 1e-300; minus infinity below.

    Example:
        >>> log(2.0), log(0.3), log(1.0)
        (0.6931471805599453, -1.2039728043259361, 0.0)
    """
    if not x >= 1e-300:
        return -math.inf
    # x = 2^k (1 + f), 1 + f from sqrt(1/2) to sqrt(2).
    bits = _bits(x)
    k = (bits >> 52) - 1023
    fraction = bits & 0xFFFFFFFFFFFFF
    if fraction > 0x6A09E667F3BCC:
        k += 1
    f = _number(fraction | ((1022 if fraction > 0x6A09E667F3BCC else 1023) << 52)) - 1.0
    half_square = 0.5 * f * f
    n = float(k)
    return n * _LN2_HIGH - ((half_square - (_log1p_tail(f, half_square) + n * _LN2_LOW)) - f)


@inlined
def log1p(x: float) -> float:
    """Return log(1 + x), x above -1, exact for small x, too.

    Example:
        >>> log1p(1e-10), log1p(-0.5), log1p(-1.0)
        (9.999999999500001e-11, -0.6931471805599453, -inf)
    """
    if not x > -1.0:
        return -math.inf
    size = abs(x)
    if size < 1.8626451492309570312e-09:  # 2^-29
        return x - x * x * 0.5 if size >= 5.551115123125783e-17 else x
    k, f, correction = 0, x, 0.0
    if x <= -0.2928931 or x >= 0.41422:
        u = 1.0 + x
        bits = _bits(u)
        k = (bits >> 52) - 1023
        # The rounding error of 1 + x.
        correction = (1.0 - (u - x) if k > 0 else x - (u - 1.0)) / u
        fraction = bits & 0xFFFFFFFFFFFFF
        if fraction < 0x6A09E00000000:
            u = _number(fraction | 1023 << 52)
        else:
            k += 1
            u = _number(fraction | 1022 << 52)
        f = u - 1.0
    half_square = 0.5 * f * f
    tail = _log1p_tail(f, half_square)
    if k == 0:
        return f - (half_square - tail)
    n = float(k)
    return n * _LN2_HIGH - ((half_square - (tail + (n * _LN2_LOW + correction))) - f)


@kernel
def known_answer() -> int:
    """Return a number that depends on every bit of many results of all these functions."""
    found = 0
    for k in range(200):
        x = 0.037 * k + 1e-3
        total = sin(x) + 3.0 * cos(7.0 * x) + 5.0 * atan2(x, 2.0 - x) + 7.0 * cube_root(x)
        total += 11.0 * exp(-x) + 13.0 * log(x) + 17.0 * log1p(x - 0.5 * x) + math.sqrt(x)
        found = (found * 31 + (_bits(total) & 0xFFFFFFFFFFFF)) & 0xFFFFFFFFFFFF
    return found
