"""Elementary functions against arithmetic of 140 bits, over the ranges that occur."""

import math

import mpmath
import numpy as np
import pytest

from pucklab.base import elementary

mpmath.mp.prec = 140

RANGES = {
    "sin": (elementary.sin, lambda r: (r.uniform(-2000.0, 2000.0),)),
    "sin of less": (elementary.sin, lambda r: (r.uniform(-0.8, 0.8),)),
    "cos": (elementary.cos, lambda r: (r.uniform(-2000.0, 2000.0),)),
    "cos of less": (elementary.cos, lambda r: (r.uniform(-0.8, 0.8),)),
    "atan2": (elementary.atan2, lambda r: r.uniform(-1.0, 1.0, 2)),
    "atan2 of far": (elementary.atan2, lambda r: 10 ** r.uniform(-9.0, 9.0, 2)),
    "cbrt": (elementary.cube_root, lambda r: (10 ** r.uniform(-40.0, 20.0),)),
    "exp": (elementary.exp, lambda r: (r.uniform(-700.0, 700.0),)),
    "exp of less": (elementary.exp, lambda r: (r.uniform(-7.0, 3.0),)),
    "log": (elementary.log, lambda r: (10 ** r.uniform(-250.0, 250.0),)),
    "log near 1": (elementary.log, lambda r: (r.uniform(0.5, 2.0),)),
    "log1p": (elementary.log1p, lambda r: (-r.random(),)),
    "log1p of small": (
        elementary.log1p,
        lambda r: (r.uniform(-1.0, 1.0) * 10 ** r.uniform(-14, 0),),
    ),
}


@pytest.mark.parametrize("name", RANGES)
def test_errors_are_below_a_unit_in_the_last_place(name):
    function, draw = RANGES[name]
    exact, rng = getattr(mpmath, name.split()[0]), np.random.default_rng(1)
    worst = 0.0
    for _ in range(3000):
        numbers = [float(x) for x in draw(rng)]
        right = exact(*numbers)
        off = abs(mpmath.mpf(function(*numbers)) - right)
        worst = max(worst, float(off / mpmath.mpf(math.ulp(float(right)))))
    assert worst < (1.5 if "atan2" in name else 1.0)


def test_a_compiled_function_has_the_bits_of_the_one_as_written():
    assert elementary.known_answer() == elementary.known_answer.interpreted()


@pytest.mark.parametrize("sine", [elementary.sin, elementary.cos])
@pytest.mark.parametrize("angle", [math.nan, math.inf, -math.inf, 1e6])
def test_a_sine_of_what_is_no_angle_is_no_number(sine, angle):
    assert math.isnan(sine(angle))


def test_the_ends_of_the_ranges():
    log, log1p, exp = elementary.log, elementary.log1p, elementary.exp
    assert (log(0.0), log1p(-1.0), exp(-800.0), exp(800.0)) == (-math.inf, -math.inf, 0.0, math.inf)
    assert math.isnan(exp(math.nan))
    assert elementary.atan2(0.0, 0.0) == 0.0
    assert elementary.cube_root(0.0) == 0.0
