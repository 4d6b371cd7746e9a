"""A board in a page of the server: positions with motions between them, marks, presses.

The script draws and moves it as in pages without a server; no rules are decided there.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from inspect import isawaitable
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from pucklab.render.browser.picking import Marks, Press
from pucklab.render.bumpers.board import (
    MatPose,
    Point,
    extent_of,
    labels_of,
    mat_poses,
    moment_of,
    space_middle,
)
from pucklab.render.bumpers.history import Entry, History
from pucklab.render.bumpers.motion import motion_of
from pucklab.render.bumpers.page import board_inks, change_item, still_item
from pucklab.render.bumpers.spoken import board_words, move_words, square_words
from pucklab.render.bumpers.svg import outer_box, shapes_svg
from pucklab.render.pages import web_text
from pucklab.sim.bumpers import Direction, Position, board_of
from pucklab.sim.bumpers.board import Square
from pucklab.sim.bumpers.mats import Slot  # noqa: TC001

_RING = 1.0
"""Room around a board for free slots while mats are moved, in spaces."""


class BoardElement(Element, component="web/board_element.js"):
    """A board; ``on_press`` takes clicks and drags."""

    def __init__(self, on_press: Callable[[Press], object]) -> None:
        super().__init__()
        ui.add_head_html(f"<script>{web_text('pucklab.render.bumpers', 'board.js')}</script>")
        self._props["inks"] = board_inks()
        self._history: History | None = None
        self._origin: Slot = (0, 0)  # slot of the picture that is slot (0, 0) of the position
        self._has_ring = False
        self._on_press = on_press
        self.on("press", self._press)

    @property
    def position(self) -> Position:
        """The position shown."""
        assert self._history is not None
        return self._history.position

    def show(self, history: History, *, has_ring: bool = False) -> None:
        """Show the position of a history, with a motion if it is one step on."""
        old, self._history = self._history, history
        is_same = old is not None and old.entry is history.entry and has_ring == self._has_ring
        is_step = (
            old is not None
            and history.index > 0
            and history.entries[: history.index] == old.entries[: old.index + 1]
        )
        self._has_ring = has_ring
        if is_step and history.entry.glides:
            self._move(history)
        elif not is_same:
            self._draw(history.entry)

    def _draw(self, entry: Entry) -> None:
        self._origin = (0, 0)
        start = moment_of(entry.position)
        names = [] if self._has_ring else labels_of(entry.position.layout)
        item = still_item(extent_of([start]), "", "", start, names)
        item["view"] = self._view(entry.position)
        self.run_method("draw", item, shapes_svg([start], "pb"), board_words(entry.position))

    def _move(self, history: History) -> None:
        before, entry = history.entries[history.index - 1], history.entry
        motion = motion_of(before.position, entry.position, entry.movements, self._origin)
        self._origin = motion.origin_after
        moments = [moment_of(motion.before, motion.origin), moment_of(motion.after, self._origin)]
        change = change_item(motion)
        if motion.before.layout != motion.after.layout:
            change["names"] = [] if self._has_ring else labels_of(motion.after.layout, self._origin)
        view = self._view(entry.position)
        self.run_method(
            "change", change, shapes_svg(moments, "pb"), view, board_words(entry.position)
        )

    def _view(self, position: Position) -> tuple[float, ...]:
        west, north, east, south = extent_of([moment_of(position, self._origin)])
        more = _RING if self._has_ring else 0.0
        return outer_box((west - more, north - more, east + more, south + more))

    def show_marks(self, marks: Marks) -> None:
        """Show marks instead of those before."""
        layout = self.position.layout
        poses = mat_poses(layout, self._origin)
        dots, arrows = [], []
        down, right = (part * layout.size for part in self._origin)

        middle = partial(space_middle, poses)
        rings = [
            [*middle(space), radius, ink]
            for spaces, radius, ink in (
                (marks.spaces, 0.3, "accent"),
                (marks.hinted, 0.5, "flipped"),
                (marks.selected, 0.47, "accent"),
            )
            for space in spaces
        ]
        selected = () if marks.mat is None else (layout.places[marks.mat].slot,)
        hinted = [layout.places[mat].slot for mat in marks.hinted_mats]
        size = layout.size
        frames = [
            [right + slot[1] * size + 0.1, down + slot[0] * size + 0.1, size - 0.2, size - 0.2, ink]
            for slots, ink in (((*marks.slots, *selected), "accent"), (hinted, "flipped"))
            for slot in slots
        ]
        for preview in marks.previews:
            for movement in preview.movements:
                # A move is shown before it is made: the own way in blue, what it sends in green.
                start, end = middle(movement.start), middle(movement.end)
                ink = "accent" if movement is preview.own else "flipped"
                dots.append([*end, 0.16, "flipped" if movement.scored else ink])
                share = 0.4 / max(math.dist(start, end), 0.4)  # from the edge of the piece on
                edge = [a + share * (b - a) for a, b in zip(start, end, strict=True)]
                arrows.append([*edge, *end, ink])
            if preview.own is None:  # a meeple that stays where it bumps
                dots.append([*middle(preview.movements[0].start), 0.16, "accent"])
        stops = [[*place, *words] for place, words in self._stops(marks, poses).items()]
        self.run_method("mark", {
            "rings": rings, "dots": dots, "arrows": arrows, "frames": frames, "stops": stops,
        })  # fmt: skip

    def _stops(self, marks: Marks, poses: Sequence[MatPose]) -> dict[Point, tuple[str, str]]:
        """Return the places that keys reach, each with its words and what it is.

        It is ``piece``, ``target`` of a choice, ``chosen``, or nothing.
        """
        position, middle = self.position, partial(space_middle, poses)
        board, layout = board_of(position.layout), position.layout
        stops: dict[Point, tuple[str, str]] = {}
        for preview in marks.previews:
            # A click at the end of the move makes it, or one at what a meeple bumps.
            first = preview.own.end if preview.own else preview.movements[0].start
            words = move_words(position, preview.move, preview.movements)
            stops[middle(first)] = f"{board.name_of(first)}: move {words}", "target"
        for space in marks.spaces:
            stops[middle(space)] = f"{square_words(position, space)}, to choose", "target"
        if marks.reach == "mats":
            for mat, pose in enumerate(poses):
                kind = "chosen" if mat == marks.mat else ""
                stops[pose.middle] = f"mat {layout.faces[mat].name}", kind
            for row, column in marks.slots:
                place = ((self._origin[1] + column + 0.5) * layout.size,
                         (self._origin[0] + row + 0.5) * layout.size)  # fmt: skip
                there = layout.mat_at((row, column))
                to = "the free place" if there is None else f"mat {layout.faces[there].name}"
                words = f"to {to}, row {row + 1}, column {column + 1}"
                stops[place] = words, "target"
            return stops
        every = [space for space, _ in position.pieces]
        for space in range(len(board.squares)) if marks.reach == "spaces" else every:
            kind = "chosen" if space in marks.selected else "piece" if space in every else ""
            stops.setdefault(middle(space), (square_words(position, space), kind))
        return stops

    def celebrate(self) -> None:
        """Let confetti rain on the board."""
        self.run_method("celebrate")

    async def _press(self, event: GenericEventArguments) -> None:
        facts: dict[str, Any] = event.args
        try:
            begin = self._square(facts["x"], facts["y"])
            end = self._square(facts["endX"], facts["endY"])
            way = facts["direction"]
            direction = None if way is None else Direction(way)
        except (KeyError, TypeError, ValueError, OverflowError):  # no page of ours sends such
            return
        answer = self._on_press(Press(square=begin, end=end, direction=direction))
        if isawaitable(answer):
            await answer

    def _square(self, x: float, y: float) -> Square:
        size = self.position.layout.size
        return int(y // 1) - self._origin[0] * size, int(x // 1) - self._origin[1] * size
