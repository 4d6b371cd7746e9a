"""The panel beside a board that is explored: tools, what belongs to them, the solver, the moves.

The buttons of the panel beside a board that is explored.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygame

from render.boardwindow.explorer_state import Tool, with_brush, with_scored, with_side, with_tool
from render.boardwindow.layout import Boxes
from render.boardwindow.mouse import with_mat_flipped, with_mat_turned
from render.boardwindow.picture import draw_piece, write_lines
from render.boardwindow.solving import answer_lines, goal_text
from render.canvas import text_width, write
from render.palette import Palette
from render.viewer import Button, Widget, cut
from render.viewer.widgets import draw_panel
from sim.bumpers import Colour, Kind, Piece

if TYPE_CHECKING:
    from render.boardwindow.explorer import BoardExplorer


_ROW, _GAP = 1.9, 0.45
"""Height of a row and the gap below it, in heights of text."""

TOOL_NAMES = {
    Tool.MOVE_PIECES: "Pieces",
    Tool.MOVE_MATS: "Mats",
    Tool.EDIT_PIECES: "Pieces",
    Tool.EDIT_MATS: "Mats",
}
"""What buttons call the tools."""

TURNS = (("Turn left", 3), ("Half", 2), ("Turn right", 1))
"""What buttons call the turns of a mat, and their quarter turns clockwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Where the parts of the panel are.

    Attributes:
        box: All of it.
        words_px: Height of its words.
        tools: The rows of the tools.
        own: The rows of the tool in use.
        goal: The row of the goal.
        ask: The row of the solver's buttons.
        answer: What the solver says.
        moves: The list of moves.
    """

    box: pygame.Rect
    words_px: int
    tools: tuple[pygame.Rect, ...]
    own: tuple[pygame.Rect, ...]
    goal: pygame.Rect
    ask: pygame.Rect
    answer: pygame.Rect
    moves: pygame.Rect


def panel_of(boxes: Boxes, tool: Tool) -> Panel:
    """Return where the parts of the panel are."""
    words = boxes.words_px
    height, gap = _ROW * words, _GAP * words
    rest = boxes.panel.inflate(-round(1.4 * words), -round(1.2 * words))
    first, rest = cut(rest, "top", height, gap=gap)
    second, rest = cut(rest, "top", height, gap=2.5 * gap)
    own = []
    for _ in range(_OWN_ROWS[tool]):
        row, rest = cut(rest, "top", height, gap=gap)
        own.append(row)
    _, rest = cut(rest, "top", 1.5 * gap)
    goal, rest = cut(rest, "top", height, gap=gap)
    ask, rest = cut(rest, "top", height, gap=gap)
    answer, rest = cut(rest, "top", min(4.3 * words, rest.height / 2), gap=gap)
    return Panel(
        box=boxes.panel,
        words_px=words,
        tools=(first, second),
        own=tuple(own),
        goal=goal,
        ask=ask,
        answer=answer,
        moves=rest,
    )


_OWN_ROWS = {Tool.MOVE_PIECES: 1, Tool.MOVE_MATS: 1, Tool.EDIT_PIECES: 6, Tool.EDIT_MATS: 1}


def draw_panel_below(
    surface: pygame.Surface, view: "BoardExplorer", boxes: Boxes, palette: Palette
) -> None:
    """Draw what lies below the buttons: the ground and the words."""
    panel = panel_of(boxes, view.state.tool)
    draw_panel(surface, panel.box, palette)
    size_px = panel.words_px
    for words, row in zip(("Move", "Edit"), panel.tools, strict=True):
        _write(surface, words, row, size_px, palette)
    if view.state.tool in (Tool.MOVE_PIECES, Tool.EDIT_PIECES):
        _write(
            surface,
            "To move",
            panel.own[-1 if view.state.tool is Tool.MOVE_PIECES else 4],
            size_px,
            palette,
        )
    if view.state.tool is Tool.EDIT_PIECES:
        _write(surface, "Scored", panel.own[5], size_px, palette)
    goal = goal_text(view.solving.pucks, view.state.position)
    _write(surface, f"Goal: {goal}", panel.goal, size_px, palette)
    answer = view.solving.about(view.state.position)
    if answer is not None:
        lines = answer_lines(answer, is_running=view.solving.is_running)
        write_lines(surface, lines, panel.answer, palette, size_px=size_px)
    draw_moves(surface, view, panel.moves, size_px, palette)


def draw_panel_above(
    surface: pygame.Surface, view: "BoardExplorer", boxes: Boxes, palette: Palette
) -> None:
    """Draw the pieces on their buttons."""
    panel = panel_of(boxes, view.state.tool)
    for box, piece in _swatches(panel, view.state.tool):
        draw_piece(surface, piece, box.center, palette, round(0.78 * min(box.size)))


def draw_moves(
    surface: pygame.Surface, view: "BoardExplorer", box: pygame.Rect, size_px: int, palette: Palette
) -> None:
    """Write the moves, in columns; the last one shown stands out, those to come are faint."""
    history = view.state.history
    line = round(1.35 * size_px)
    rows = max(box.height // line, 1)
    texts = [entry.text for entry in history.entries]
    width = max([text_width(text, size_px) for text in texts[1:]] or [1]) + size_px
    columns = max(box.width // min(width, box.width), 1)
    room = rows * columns
    first = max(1, min(history.index - room // 2, len(texts) - room))
    for place, number in enumerate(range(first, min(first + room, len(texts)))):
        column, row = divmod(place, rows)
        x = box.left + column * box.width // columns
        shown = number == history.index
        colour = (
            palette.accent if shown else palette.text if number < history.index else palette.faint
        )
        write(
            surface,
            texts[number],
            (x, box.top + (row + 0.5) * line),
            size_px=size_px,
            colour=colour,
            width_px=box.width // columns - size_px / 2,
        )


def in_row(box: pygame.Rect, count: int, gap: float) -> list[pygame.Rect]:
    """Return boxes of one width beside each other that fill a row."""
    width = (box.width - gap * (count - 1)) / count
    lefts = [round(box.left + number * (width + gap)) for number in range(count)]
    return [pygame.Rect(left, box.top, round(width), box.height) for left in lefts]


def _swatches(panel: Panel, tool: Tool) -> list[tuple[pygame.Rect, Piece]]:
    """Return the buttons that show a piece, and which."""
    if tool.is_for_mats:
        return []
    row = panel.own[0 if tool is Tool.MOVE_PIECES else 4]
    sides = [(box, Piece(colour, Kind.PUCK)) for box, colour in sides_in(panel, row)]
    return sides if tool is Tool.MOVE_PIECES else [*brushes_in(panel), *sides]


def brushes_in(panel: Panel) -> list[tuple[pygame.Rect, Piece]]:
    """Return the buttons of the pieces to place, and which each places."""
    return [
        (box, Piece(colour, kind))
        for row, kind in zip(panel.own, Kind, strict=False)
        for box, colour in zip(in_row(row, len(Colour), row_gap(panel)), Colour, strict=True)
    ]


def sides_in(panel: Panel, row: pygame.Rect) -> list[tuple[pygame.Rect, Colour]]:
    """Return the buttons of the sides to move in a row, and whose each is."""
    boxes = in_row(after_words(row, panel), len(Colour), row_gap(panel) / 2)
    return list(zip(boxes, Colour, strict=True))


def after_words(row: pygame.Rect, panel: Panel) -> pygame.Rect:
    """Return what of a row is left after its words."""
    _, rest = cut(row, "left", 3.6 * panel.words_px)
    return rest


def row_gap(panel: Panel) -> float:
    """Return the gap between things in a row, in pixels."""
    return _GAP * panel.words_px


def _write(
    surface: pygame.Surface, words: str, row: pygame.Rect, size_px: int, palette: Palette
) -> None:
    place = (row.left, row.centery)
    write(surface, words, place, size_px=size_px, colour=palette.faint, width_px=row.width)


def panel_widgets(view: "BoardExplorer", boxes: Boxes) -> list[Widget]:
    """Return the buttons of the panel."""
    panel = panel_of(boxes, view.state.tool)
    return [*_tool_buttons(view, panel), *_own_buttons(view, panel), *_solver_buttons(view, panel)]


def _tool_buttons(view: "BoardExplorer", panel: Panel) -> list[Widget]:
    boxes = [
        box for row in panel.tools for box in in_row(after_words(row, panel), 2, row_gap(panel))
    ]
    return [
        Button(
            box=box,
            label=TOOL_NAMES[tool],
            action=view.doing(with_tool, tool),
            on=view.state.tool is tool,
        )
        for box, tool in zip(boxes, Tool, strict=True)
    ]


def _own_buttons(view: "BoardExplorer", panel: Panel) -> list[Widget]:
    tool = view.state.tool
    if tool.is_for_mats:
        flips = [("Flip", view.doing(with_mat_flipped))] if tool is Tool.EDIT_MATS else []
        facts = [
            *((name, view.doing(with_mat_turned, quarters)) for name, quarters in TURNS),
            *flips,
        ]
        boxes = in_row(panel.own[0], len(facts), row_gap(panel))
        return [
            Button(
                box=box,
                label=label,
                action=action,
                enabled=view.state.mat is not None,
            )
            for box, (label, action) in zip(boxes, facts, strict=True)
        ]
    if tool is Tool.MOVE_PIECES:
        return _side_buttons(view, panel, panel.own[0])
    brushes: list[Widget] = [
        Button(
            box=box, label="", action=view.doing(with_brush, piece), on=view.state.brush == piece
        )
        for box, piece in brushes_in(panel)
    ]
    remove = Button(
        box=panel.own[3],
        label="Remove",
        action=view.doing(with_brush, None),
        on=view.state.brush is None,
    )
    return [
        *brushes,
        remove,
        *_side_buttons(view, panel, panel.own[4]),
        *_score_buttons(view, panel),
    ]


def _side_buttons(view: "BoardExplorer", panel: Panel, row: pygame.Rect) -> list[Widget]:
    return [
        Button(
            box=box,
            label="",
            action=view.doing(with_side, colour),
            on=view.state.position.to_move is colour,
        )
        for box, colour in sides_in(panel, row)
    ]


def _score_buttons(view: "BoardExplorer", panel: Panel) -> list[Widget]:
    left, right = in_row(after_words(panel.own[5], panel), 2, row_gap(panel))
    return [
        Button(box=left, label="fewer", action=view.doing(with_scored, -1)),
        Button(box=right, label="more", action=view.doing(with_scored, 1)),
    ]


def _solver_buttons(view: "BoardExplorer", panel: Panel) -> list[Widget]:
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
