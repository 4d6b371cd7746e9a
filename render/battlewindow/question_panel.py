"""The panel of a question to a person: its options as buttons, and the selection so far.

A `Selection` is what a person has selected of a question's options; `toggled` changes it.
`question_boxes` places the panel below the transcript; `option_buttons` and `draw_question` fill
it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pygame

from render.battlewindow.panels import Boxes
from render.canvas import wrapped, write
from render.palette import Palette
from render.viewer import Button, cut, draw_panel, grid, padded
from sim.pokepucks.battle.questions import Option, Question, Reply, Use
from sim.pokepucks.battle.state import BattleState

_BUTTON, _GAP = 1.6, 0.3
"""Height of a button and the gap between two, in text heights."""

_MOST_SHARE = 0.72
"""Greatest height of the panel, relative to the transcript."""

_MOST_IN_A_COLUMN = 9
"""Options below each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A question, and the options selected so far, in the order of selection."""

    question: Question
    chosen: Reply = ()

    @property
    def is_ready(self) -> bool:
        """True if the number of options selected is a valid answer."""
        return self.question.least <= len(self.chosen) <= self.question.most

    @property
    def is_single(self) -> bool:
        """True if a single option is the answer."""
        return self.question.most == 1

    @property
    def needs_confirmation(self) -> bool:
        """True if the answer has to be confirmed by a button."""
        return not self.is_single or self.question.least == 0

    @property
    def pucks(self) -> dict[int, Option]:
        """The option of each puck that stands for one."""
        found: dict[int, Option] = {}
        for option in self.question.options:
            puck = option.puck if isinstance(option, Use) else option
            if isinstance(puck, int):
                found.setdefault(puck, option)
        return found

    @property
    def chosen_pucks(self) -> frozenset[int]:
        """Pucks of the options selected."""
        return frozenset(puck for puck, option in self.pucks.items() if option in self.chosen)


def toggled(selection: Selection, option: Option) -> Selection:
    """Return the selection with an option added, or removed; one too many changes nothing.

    Example:
        >>> from sim.pokepucks.battle.questions import Asking
        >>> question = Question(
        ...     player=0, asking=Asking.DISCARD, options=(3, 5, 8), least=0, most=2
        ... )
        >>> selection = toggled(toggled(Selection(question=question), 8), 3)
        >>> selection.chosen, toggled(selection, 5).chosen, toggled(selection, 8).chosen
        ((8, 3), (8, 3), (3,))
    """
    if option in selection.chosen:
        left = tuple(other for other in selection.chosen if other != option)
        return replace(selection, chosen=left)
    if len(selection.chosen) >= selection.question.most:
        return selection
    return replace(selection, chosen=(*selection.chosen, option))


def option_words(state: BattleState, option: Option) -> str:
    """Return the label of an option."""
    if isinstance(option, int):
        return state.table.label(option)
    if option.puck is None:
        return option.rule
    puck = state.table.label(option.puck)
    return puck if puck.startswith(option.rule) else f"{option.rule}: {puck}"


def question_words(state: BattleState, question: Question) -> tuple[str, str]:
    """Return the question with the name of the player, and the number of options to choose."""
    asked = f"{question.asking}, {question.rule}" if question.rule else str(question.asking)
    many = f"choose {question.least} to {question.most}"
    if question.least == question.most:
        many = f"choose {question.most}"
    elif not question.least:
        many = f"choose up to {question.most}, or none"
    ordered = ", in order" if question.ordered else ""
    return f"{state.table.names[question.player]}: {asked}", many + ordered


def question_boxes(
    boxes: Boxes, state: BattleState, selection: Selection
) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Return the places of the rest of the transcript, of the question, and of its options."""
    words = boxes.words_px
    _, rows = _grid(len(selection.question.options))
    heading = _heading_px(boxes, state, selection)
    rows += selection.needs_confirmation
    wanted = heading + rows * (_BUTTON + _GAP) * words + 1.2 * words
    height = min(wanted, _MOST_SHARE * boxes.transcript.height)
    panel, transcript = cut(boxes.transcript, "bottom", height, gap=0.5 * words)
    _, options = cut(padded(panel, 0.6 * words), "top", heading)
    return transcript, panel, options


def option_buttons(
    boxes: Boxes,
    state: BattleState,
    selection: Selection,
    *,
    choose: Callable[[Option], None],
    done: Callable[[], None],
) -> list[Button]:
    """Return a button for each option, and one that confirms the selection."""
    *_, box = question_boxes(boxes, state, selection)
    question, chosen, gap = selection.question, selection.chosen, _GAP * boxes.words_px
    columns, rows = _grid(len(question.options))
    buttons = []
    if selection.needs_confirmation:
        height = (box.height - gap * rows) / (rows + 1)
        last, box = cut(box, "bottom", height, gap=gap)
        some, ready = bool(chosen), selection.is_ready
        label = f"done: {len(chosen)} chosen" if some else "none"
        if not ready:
            label = f"{len(chosen)} chosen"
        buttons.append(Button(box=last, label=label, action=done, enabled=ready, on=ready and some))
    cells = grid(box, columns, rows, gap)
    for place, option in enumerate(question.options):
        column, row = divmod(place, rows)
        label, on = option_words(state, option), option in chosen
        if on and question.ordered:
            label = f"{chosen.index(option) + 1}. {label}"
        own = cells[row * columns + column]
        buttons.append(Button(box=own, label=label, action=partial(choose, option), on=on))
    return buttons


def draw_question(
    surface: pygame.Surface,
    boxes: Boxes,
    state: BattleState,
    selection: Selection,
    palette: Palette,
) -> None:
    """Draw the panel of a question without its buttons."""
    words = boxes.words_px
    _, panel, _ = question_boxes(boxes, state, selection)
    draw_panel(surface, panel, palette)
    inside = padded(panel, 0.6 * words)
    asked, many = question_words(state, selection.question)
    y = inside.top + 0.5 * words
    for line in wrapped(asked, words, inside.width):
        write(surface, line, (inside.left, y), words, palette.accent)
        y += 1.2 * words
    small = round(0.8 * words)
    write(surface, many, (inside.left, y), small, palette.faint)


def _heading_px(boxes: Boxes, state: BattleState, selection: Selection) -> int:
    words = boxes.words_px
    asked, _ = question_words(state, selection.question)
    width = round(boxes.transcript.width - 1.2 * words)
    return round((1.2 * len(wrapped(asked, words, width)) + 1.3) * words)


def _grid(count: int) -> tuple[int, int]:
    """Return the numbers of columns and rows for a number of options."""
    columns = max(-(-count // _MOST_IN_A_COLUMN), 1)
    return columns, max(-(-count // columns), 1)
