"""Layout: the height of text for a window's size, and boxes cut out of boxes."""

from typing import Literal

from pygame import Rect

Size = tuple[int, int]
"""Width and height in pixels."""

_LINES_PER_HEIGHT, _LINES_PER_WIDTH = 36, 58
"""Text heights that fit into the height, and into the width, of a window."""

_SMALLEST_PX, _LARGEST_PX = 11, 64
"""Range of the height of text."""


def words_px(size: Size) -> int:
    """Return the height of text in a window; buttons and margins are multiples of it.

    Example:
        >>> words_px((1280, 800)), words_px((2560, 1600)), words_px((400, 300))
        (22, 44, 11)
    """
    width, height = size
    fitting = round(min(width / _LINES_PER_WIDTH, height / _LINES_PER_HEIGHT))
    return min(max(fitting, _SMALLEST_PX), _LARGEST_PX)


def cut(
    box: Rect, side: Literal["right", "top", "bottom"], length: float, gap: float = 0
) -> tuple[Rect, Rect]:
    """Return a strip cut off one side of a box, and the rest of the box.

    Args:
        box: The box to cut.
        side: The side of the strip.
        length: Width or height of the strip; at most that of the box.
        gap: Space between the strip and the rest.

    Example:
        >>> cut(Rect(0, 0, 100, 50), "top", 20, gap=10)
        (Rect(0, 0, 100, 20), Rect(0, 30, 100, 20))
    """
    whole = box.width if side == "right" else box.height
    strip = min(round(length), whole)
    taken = min(strip + round(gap), whole)
    x, y, width, height = box
    if side == "right":
        return Rect(x + width - strip, y, strip, height), Rect(x, y, width - taken, height)
    if side == "top":
        return Rect(x, y, width, strip), Rect(x, y + taken, width, height - taken)
    return Rect(x, y + height - strip, width, strip), Rect(x, y, width, height - taken)


def inset(box: Rect, margin: float) -> Rect:
    """Return a box without a margin on each side.

    Example:
        >>> inset(Rect(0, 0, 100, 50), 10)
        Rect(10, 10, 80, 30)
    """
    both = 2 * round(margin)
    return box.inflate(-min(both, box.width), -min(both, box.height))
