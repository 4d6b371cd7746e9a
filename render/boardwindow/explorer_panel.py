"""The panel of the explorer: tools, the buttons of the tool in use, the solver, the moves.

`PanelCommands` are the commands that have a button here; `panel_widgets` makes the buttons, and
`draw_panel_below` and `draw_panel_above` draw the rest of the panel around them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pygame

from render.boardwindow.explorer_state import ExplorerState, History, Tool
from render.boardwindow.layout import Boxes, in_row
from render.boardwindow.picture import draw_piece, write_lines
from render.boardwindow.solving import Solving, answer_lines, goal_text
from render.canvas import text_width, write
from render.palette import Palette
from render.viewer import Command, Widget, command_button, cut
from render.viewer.widgets import draw_panel
from sim.bumpers import Colour, Kind, Piece

_ROW, _GAP = 1.9, 0.45
"""Height of a row and the gap below it, in text heights."""

_CAPTION = 3.6
"""Width of the caption at the left of a row, in text heights."""

_TOOL_ROWS = {Tool.MOVE_PIECES: 1, Tool.MOVE_MATS: 1, Tool.EDIT_PIECES: 6, Tool.EDIT_MATS: 1}
"""Rows of each tool. Editing pieces: one row of brushes a kind, the eraser, the side, the score."""

_ERASER_ROW, _SIDE_ROW, _SCORE_ROW = 3, 4, 5
"""Rows of the tool that edits pieces, below its brushes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelCommands:
    """Commands with a button in the panel.

    Attributes:
        tools: Choosing each tool.
        mats: Turning, and in editing flipping, the selected mat.
        sides: Choosing the side to move.
        brushes: Choosing the piece to place.
        eraser: Choosing to remove pieces.
        scores: Fewer and more pucks scored.
        goals: Fewer and more pucks wanted of the solver.
        solve: Starting and stopping the solver.
        hint: Asking for a hint.
    """

    tools: Mapping[Tool, Command]
    mats: tuple[Command, ...]
    sides: Mapping[Colour, Command]
    brushes: Mapping[Piece, Command]
    eraser: Command
    scores: tuple[Command, Command]
    goals: tuple[Command, Command]
    solve: Command
    hint: Command


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelBoxes:
    """Places of the parts of the panel, in pixels.

    Attributes:
        whole: The panel.
        words_px: Text height.
        tools: The rows of the tools.
        own: The rows of the tool in use.
        goal: The row of the solver's goal.
        solver: The row of the solver's buttons.
        answer: The answer of the solver.
        moves: The list of moves.
    """

    whole: pygame.Rect
    words_px: int
    tools: tuple[pygame.Rect, pygame.Rect]
    own: tuple[pygame.Rect, ...]
    goal: pygame.Rect
    solver: pygame.Rect
    answer: pygame.Rect
    moves: pygame.Rect

    @property
    def gap(self) -> float:
        """Gap between buttons of a row."""
        return _GAP * self.words_px

    @property
    def side_row(self) -> pygame.Rect:
        """The row of the sides to move, if the tool in use is for pieces."""
        return self.own[_SIDE_ROW if len(self.own) > _SIDE_ROW else 0]


def panel_boxes(boxes: Boxes, tool: Tool) -> PanelBoxes:
    """Return the places of the parts of the panel, for the tool in use."""
    words = boxes.words_px
    height, gap = _ROW * words, _GAP * words
    rest = boxes.panel.inflate(-round(1.4 * words), -round(1.2 * words))
    first, rest = cut(rest, "top", height, gap=gap)
    second, rest = cut(rest, "top", height, gap=2.5 * gap)
    own = []
    for _ in range(_TOOL_ROWS[tool]):
        row, rest = cut(rest, "top", height, gap=gap)
        own.append(row)
    _, rest = cut(rest, "top", 1.5 * gap)
    goal, rest = cut(rest, "top", height, gap=gap)
    solver, rest = cut(rest, "top", height, gap=gap)
    answer, rest = cut(rest, "top", min(4.3 * words, rest.height / 2), gap=gap)
    return PanelBoxes(
        whole=boxes.panel,
        words_px=words,
        tools=(first, second),
        own=tuple(own),
        goal=goal,
        solver=solver,
        answer=answer,
        moves=rest,
    )


def panel_widgets(tool: Tool, commands: PanelCommands, boxes: Boxes) -> list[Widget]:
    """Return the buttons of the panel, for the tool in use."""
    panel = panel_boxes(boxes, tool)
    tool_boxes = [
        box for row in panel.tools for box in in_row(_after_caption(row, panel), 2, panel.gap)
    ]
    widgets = _buttons(zip(tool_boxes, commands.tools.values(), strict=True))
    if tool.is_for_mats:
        mat_boxes = in_row(panel.own[0], len(commands.mats), panel.gap)
        widgets += _buttons(zip(mat_boxes, commands.mats, strict=True))
    if tool is Tool.EDIT_PIECES:
        widgets += _buttons((box, commands.brushes[piece]) for box, piece in _brush_boxes(panel))
        widgets.append(command_button(panel.own[_ERASER_ROW], commands.eraser))
    if not tool.is_for_mats:
        widgets += _buttons((box, commands.sides[side]) for box, side in _side_boxes(panel))
    if tool is Tool.EDIT_PIECES:
        score_row = _after_caption(panel.own[_SCORE_ROW], panel)
        widgets += _buttons(zip(in_row(score_row, 2, panel.gap), commands.scores, strict=True))
    more, rest = cut(panel.goal, "right", panel.goal.height, gap=panel.gap)
    fewer, _ = cut(rest, "right", panel.goal.height)
    solver_boxes = [fewer, more, *in_row(panel.solver, 2, panel.gap)]
    solver_commands = (*commands.goals, commands.solve, commands.hint)
    return widgets + _buttons(zip(solver_boxes, solver_commands, strict=True))


def draw_panel_below(
    surface: pygame.Surface,
    state: ExplorerState,
    solving: Solving,
    boxes: Boxes,
    palette: Palette,
) -> None:
    """Draw the part of the panel below the buttons: background, captions, answer, moves."""
    panel, size_px = panel_boxes(boxes, state.tool), boxes.words_px
    draw_panel(surface, panel.whole, palette)
    captions = list(zip(panel.tools, ("Move", "Edit"), strict=True))
    if not state.tool.is_for_mats:
        captions.append((panel.side_row, "To move"))
    if state.tool is Tool.EDIT_PIECES:
        captions.append((panel.own[_SCORE_ROW], "Scored"))
    captions.append((panel.goal, f"Goal: {goal_text(solving.pucks, state.position)}"))
    for row, text in captions:
        place = (row.left, row.centery)
        write(surface, text, place, size_px=size_px, colour=palette.faint, width_px=row.width)
    answer = solving.about(state.position)
    if answer is not None:
        lines = answer_lines(answer, is_running=solving.is_running)
        write_lines(surface, lines, panel.answer, palette, size_px=size_px)
    _draw_moves(surface, state.history, panel.moves, size_px, palette)


def draw_panel_above(surface: pygame.Surface, tool: Tool, boxes: Boxes, palette: Palette) -> None:
    """Draw the part of the panel above the buttons: the pieces on them."""
    if tool.is_for_mats:
        return
    panel = panel_boxes(boxes, tool)
    pieces = [(box, Piece(side, Kind.PUCK)) for box, side in _side_boxes(panel)]
    if tool is Tool.EDIT_PIECES:
        pieces += _brush_boxes(panel)
    for box, piece in pieces:
        draw_piece(surface, piece, box.center, palette, round(0.78 * min(box.size)))


def _draw_moves(
    surface: pygame.Surface, history: History, box: pygame.Rect, size_px: int, palette: Palette
) -> None:
    """Write the moves in columns: the last one shown stands out, later ones are faint."""
    line = round(1.35 * size_px)
    rows = max(box.height // line, 1)
    texts = [entry.text for entry in history.entries]
    width = max([text_width(text, size_px) for text in texts[1:]] or [1]) + size_px
    columns = max(box.width // min(width, box.width), 1)
    room = rows * columns
    # If not all moves fit, keep the current one in the middle.
    first = max(1, min(history.index - room // 2, len(texts) - room))
    for place, number in enumerate(range(first, min(first + room, len(texts)))):
        column, row = divmod(place, rows)
        x = box.left + column * box.width // columns
        colour = palette.text if number < history.index else palette.faint
        if number == history.index:
            colour = palette.accent
        write(
            surface,
            texts[number],
            (x, box.top + (row + 0.5) * line),
            size_px=size_px,
            colour=colour,
            width_px=box.width // columns - size_px / 2,
        )


def _buttons(pairs: Iterable[tuple[pygame.Rect, Command]]) -> list[Widget]:
    return [command_button(box, command) for box, command in pairs]


def _brush_boxes(panel: PanelBoxes) -> list[tuple[pygame.Rect, Piece]]:
    """Return the place of each brush: a row for each kind, a column for each colour."""
    return [
        (box, Piece(colour, kind))
        for row, kind in zip(panel.own, Kind, strict=False)
        for box, colour in zip(in_row(row, len(Colour), panel.gap), Colour, strict=True)
    ]


def _side_boxes(panel: PanelBoxes) -> list[tuple[pygame.Rect, Colour]]:
    """Return the place of the button of each side to move."""
    boxes = in_row(_after_caption(panel.side_row, panel), len(Colour), panel.gap / 2)
    return list(zip(boxes, Colour, strict=True))


def _after_caption(row: pygame.Rect, panel: PanelBoxes) -> pygame.Rect:
    """Return the part of a row after its caption."""
    _, rest = cut(row, "left", _CAPTION * panel.words_px)
    return rest
