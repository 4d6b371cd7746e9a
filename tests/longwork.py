"""Work for processes of their own, as pages give it."""

import os
import time

from pucklab.base.errors import InputError


def count_up(seconds):
    """Yield the process and a number again and again."""
    until = time.monotonic() + seconds
    number = 0
    while time.monotonic() < until:
        yield os.getpid(), number
        number += 1
        time.sleep(0.01)


def add(first, second):
    return first + second


def sleep(seconds):
    time.sleep(seconds)
    return os.getpid()


def refuse():
    raise InputError("speed: 99 is not accepted; give 0 to 10")


def fail():
    raise ZeroDivisionError("\x1b]0;gotcha\x07")


def die():
    os._exit(3)
