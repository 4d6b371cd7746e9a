"""The scrub bar and the buttons below the views."""

from collections.abc import Callable

import pygame

from render.battlewindow.beats import turn_starts
from render.battlewindow.boxes import Boxes
from render.battlewindow.walk import Walk
from render.viewer import Button, Slider, Widget, row

_SQUARE, _WIDE, _GAP = 2.0, 6.4, 0.4
"""Of buttons, in heights of text."""


def bar(walk: Walk, save: Callable[[], None], boxes: Boxes) -> list[Widget]:
    """Return the scrub bar, with marks where turns begin, and the buttons."""
    course, beats = walk.course, walk.game.beats
    last = max(len(beats) - 1, 1)
    scrub = Slider(
        box=boxes.scrub,
        label="",
        shown="",
        value=course.index,
        low=0.0,
        high=last,
        changed=lambda value: walk.go_to(round(value)),
        marks=tuple(map(float, turn_starts(beats)[1:])),
    )
    facts: list[tuple[str, str, Callable[[], object], bool, bool]] = [
        ("previous", "a turn back (P)", walk.turn_back, False, course.index > 0),
        ("step_back", "an event back (Left)", lambda: walk.step(-1), False, course.index > 0),
        (
            "pause" if course.playing else "play",
            "pause (Space)" if course.playing else "play (Space)",
            walk.toggle,
            course.playing,
            True,
        ),
        ("step_on", "an event on (Right)", lambda: walk.step(1), False, walk.has_next),
        ("next", "a turn on (N)", walk.turn_on, False, walk.has_next),
        ("minus", "slower (Down)", lambda: walk.change_tempo(-1), False, True),
        ("", f"tempo {course.tempo:g}", lambda: walk.change_tempo(1), False, True),
        ("plus", "faster (Up)", lambda: walk.change_tempo(1), False, True),
    ]
    if walk.slams.can_be:
        slow = course.pace.impact_slower
        paced = "slams in real time" if slow == 1 else f"impact 1/{slow:g}"
        facts += [
            ("", paced, walk.next_pace, False, True),
            (
                "restart",
                "this slam again (R)",
                walk.slam_again,
                False,
                walk.beat.is_throw and walk.slam is not None,
            ),
        ]
    facts.append(("save", "save the battle (S)", save, False, True))
    return [
        scrub,
        *(
            Button(box=box, label=label, icon=icon, action=action, on=on, enabled=enabled)
            for box, (icon, label, action, on, enabled) in zip(
                _places(boxes, [icon for icon, *_ in facts]), facts, strict=True
            )
        ),
    ]


def _places(boxes: Boxes, icons: list[str]) -> list[pygame.Rect]:
    words = boxes.words_px
    widths = [(_SQUARE if icon else _WIDE) * words for icon in icons]
    return row(boxes.buttons, widths, _GAP * words)
