"""The scrub bar and the buttons below the views."""

from typing import TYPE_CHECKING

import pygame

from render.slamwindow.boxes import Boxes
from render.viewer import Button, Slider, Widget, film_suffix, row

if TYPE_CHECKING:
    from collections.abc import Callable

    from render.slamwindow.showing import Showing

_SQUARE, _WIDE, _GAP = 2.0, 6.4, 0.4
"""Of buttons, in heights of text."""


def bar(showing: "Showing", boxes: Boxes) -> list[Widget]:
    """Return the scrub bar, with marks at contact and lift-off, and the buttons."""
    player = showing.player
    marks = (0.0, player.motion.impact_end_s) if player.motion.impact_end_s > 0 else ()
    scrub = Slider(
        box=boxes.scrub,
        label="",
        shown="",
        value=player.share,
        low=0.0,
        high=1.0,
        changed=showing.scrub,
        marks=tuple(player.share_of(time_s) for time_s in marks),
    )
    places = _places(boxes)
    impact = player.pace.impact_slower
    slower = player.pace.settle_slower
    facts: list[tuple[str, str, Callable[[], object], bool, bool]] = [
        ("previous", "previous throw (P)", lambda: showing.go(-1), False, showing.has_previous),
        ("restart", "from the start (R)", showing.restart, False, True),
        ("step_back", "a step back (Left)", lambda: showing.step(-1), False, True),
        (
            "pause" if player.playing else "play",
            "pause (Space)" if player.playing else "play (Space)",
            showing.toggle,
            player.playing,
            True,
        ),
        ("step_on", "a step on (Right)", lambda: showing.step(1), False, True),
        ("next", "next throw (N)", lambda: showing.go(1), False, showing.has_next),
        ("minus", "slower (Down)", lambda: showing.change_speed(1), False, True),
        (
            "",
            "real time" if slower == 1 else f"speed 1/{slower:g}",
            lambda: showing.change_speed(1),
            False,
            True,
        ),
        ("plus", "faster (Up)", lambda: showing.change_speed(-1), False, True),
        (
            "",
            "impact as the rest" if impact == 1 else f"impact 1/{impact:g}",
            showing.next_impact,
            False,
            True,
        ),
        ("ghosts", "other slammers (G)", showing.toggle_ghosts, showing.shows_ghosts, True),
        ("save", "save a film (E)", lambda: showing.save(film_suffix()), False, True),
    ]
    return [
        scrub,
        *(
            Button(box=box, label=label, icon=icon, action=action, on=on, enabled=enabled)
            for box, (icon, label, action, on, enabled) in zip(places, facts, strict=True)
        ),
    ]


def bar_end(boxes: Boxes) -> int:
    """Return where the last button ends, in pixels from the left."""
    return _places(boxes)[-1].right


def _places(boxes: Boxes) -> list[pygame.Rect]:
    words = boxes.words_px
    square, wide = _SQUARE * words, _WIDE * words
    widths = [square] * 6 + [square, wide, square, wide] + [square] * 2
    return row(boxes.buttons, widths, _GAP * words)
