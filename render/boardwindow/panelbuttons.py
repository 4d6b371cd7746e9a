"""The buttons of the panel beside a board that is explored."""

from typing import TYPE_CHECKING

import pygame

from render.boardwindow.boxes import Boxes
from render.boardwindow.clicking import flipped, turned
from render.boardwindow.desk import Tool, with_brush, with_tool
from render.boardwindow.editing import with_scored, with_side
from render.boardwindow.panel import (
    TOOL_NAMES,
    TURNS,
    Panel,
    after_words,
    brushes_in,
    in_row,
    panel_of,
    row_gap,
    sides_in,
)
from render.viewer import Button, Widget, cut

if TYPE_CHECKING:
    from render.boardwindow.exploring import Exploring


def panel_widgets(view: "Exploring", boxes: Boxes) -> list[Widget]:
    """Return the buttons of the panel."""
    panel = panel_of(boxes, view.desk.tool)
    return [*_tool_buttons(view, panel), *_own_buttons(view, panel), *_solver_buttons(view, panel)]


def _tool_buttons(view: "Exploring", panel: Panel) -> list[Widget]:
    boxes = [
        box for row in panel.tools for box in in_row(after_words(row, panel), 2, row_gap(panel))
    ]
    return [
        Button(
            box=box,
            label=TOOL_NAMES[tool],
            action=view.doing(with_tool, tool),
            on=view.desk.tool is tool,
        )
        for box, tool in zip(boxes, Tool, strict=True)
    ]


def _own_buttons(view: "Exploring", panel: Panel) -> list[Widget]:
    tool = view.desk.tool
    if tool.is_for_mats:
        flips = [("Flip", view.doing(flipped))] if tool is Tool.EDIT_MATS else []
        facts = [*((name, view.doing(turned, quarters)) for name, quarters in TURNS), *flips]
        boxes = in_row(panel.own[0], len(facts), row_gap(panel))
        return [
            Button(
                box=box,
                label=label,
                action=action,
                enabled=view.desk.mat is not None,
            )
            for box, (label, action) in zip(boxes, facts, strict=True)
        ]
    if tool is Tool.MOVE_PIECES:
        return _side_buttons(view, panel, panel.own[0])
    brushes: list[Widget] = [
        Button(box=box, label="", action=view.doing(with_brush, piece), on=view.desk.brush == piece)
        for box, piece in brushes_in(panel)
    ]
    remove = Button(
        box=panel.own[3],
        label="Remove",
        action=view.doing(with_brush, None),
        on=view.desk.brush is None,
    )
    return [
        *brushes,
        remove,
        *_side_buttons(view, panel, panel.own[4]),
        *_score_buttons(view, panel),
    ]


def _side_buttons(view: "Exploring", panel: Panel, row: pygame.Rect) -> list[Widget]:
    return [
        Button(
            box=box,
            label="",
            action=view.doing(with_side, colour),
            on=view.desk.position.to_move is colour,
        )
        for box, colour in sides_in(panel, row)
    ]


def _score_buttons(view: "Exploring", panel: Panel) -> list[Widget]:
    left, right = in_row(after_words(panel.own[5], panel), 2, row_gap(panel))
    return [
        Button(box=left, label="fewer", action=view.doing(with_scored, -1)),
        Button(box=right, label="more", action=view.doing(with_scored, 1)),
    ]


def _solver_buttons(view: "Exploring", panel: Panel) -> list[Widget]:
    more, rest = cut(panel.goal, "right", panel.goal.height, gap=row_gap(panel))
    fewer, _ = cut(rest, "right", panel.goal.height)
    solve, hint = in_row(panel.ask, 2, row_gap(panel))
    running = view.solving.is_running
    return [
        Button(
            box=fewer,
            label="fewer pucks",
            icon="minus",
            action=lambda: view.solving.change_pucks(-1),
        ),
        Button(
            box=more, label="more pucks", icon="plus", action=lambda: view.solving.change_pucks(1)
        ),
        Button(
            box=solve,
            label="Stop" if running else "Solve",
            action=view.solve,
            on=running,
        ),
        Button(box=hint, label="Hint", action=view.hint),
    ]
