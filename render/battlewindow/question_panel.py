"""A person's question below the transcript: its options to click on.

What a person has chosen so far, of what they are asked.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pygame

from render.battlewindow.panels import Boxes
from render.battlewindow.transcript import wrapped
from render.canvas import write
from render.palette import Palette
from render.viewer import Button, cut, padded
from render.viewer.widgets import draw_panel
from sim.pokepucks.battle import BattleState, Option, Question, Reply, Use


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A question, and what of its options is chosen.

    Attributes:
        question: The question.
        chosen: The options, in the order in which they were chosen.
    """

    question: Question
    chosen: Reply = ()

    @property
    def is_ready(self) -> bool:
        """Whether so many may be chosen."""
        return self.question.least <= len(self.chosen) <= self.question.most

    @property
    def is_single(self) -> bool:
        """Whether to choose one is to answer."""
        return self.question.most == 1

    @property
    def needs_confirmation(self) -> bool:
        """Whether it has to be said that it is over: to choose one does not say so."""
        return not self.is_single or self.question.least == 0

    @property
    def pucks(self) -> dict[int, Option]:
        """The option that each puck stands for."""
        found: dict[int, Option] = {}
        for option in self.question.options:
            puck = option.puck if isinstance(option, Use) else option
            if isinstance(puck, int):
                found.setdefault(puck, option)
        return found

    @property
    def chosen_pucks(self) -> frozenset[int]:
        """Pucks that are chosen."""
        return frozenset(puck for puck, option in self.pucks.items() if option in self.chosen)


def toggled(selection: Selection, option: Option) -> Selection:
    """Return a selection with an option chosen, or chosen no more; one too many changes nothing.

    Example:
        >>> from sim.pokepucks.battle import Asking
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
    """Return what an option is called on a button."""
    if isinstance(option, int):
        return state.table.tell(option)
    if option.puck is None:
        return option.rule
    puck = state.table.tell(option.puck)
    return puck if puck.startswith(option.rule) else f"{option.rule}: {puck}"


def question_words(state: BattleState, question: Question) -> tuple[str, str]:
    """Return who is asked what, and how much there is to choose."""
    asked = f"{question.asking}, {question.rule}" if question.rule else str(question.asking)
    many = f"choose {question.least} to {question.most}"
    if question.least == question.most:
        many = f"choose {question.most}"
    elif not question.least:
        many = f"choose up to {question.most}, or none"
    ordered = ", in order" if question.ordered else ""
    return f"{state.table.names[question.player]}: {asked}", many + ordered


_BUTTON, _LEAST_PX = 1.6, 14
_GAP = 0.3
"""In heights of text."""

_MOST_SHARE = 0.72
"""Of the transcript's height."""

_MOST_A_COLUMN = 9


def question_boxes(
    boxes: Boxes, state: BattleState, selection: Selection
) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Return what is left for the transcript, where the question is, and where its options are."""
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
    """Return a button for each option, and one that ends the selection.

    Args:
        boxes: Where things are.
        state: The battle.
        selection: What is chosen so far.
        choose: Takes an option that is clicked on.
        done: Gives what is chosen as the answer.
    """
    *_, box = question_boxes(boxes, state, selection)
    question, gap = selection.question, round(_GAP * boxes.words_px)
    columns, rows = _grid(len(question.options))
    width = (box.width - gap * (columns - 1)) // columns
    lines = rows + selection.needs_confirmation
    height = (box.height - gap * (lines - 1)) // lines
    buttons = []
    for place, option in enumerate(question.options):
        column, row = divmod(place, rows)
        at = (box.left + column * (width + gap), box.top + row * (height + gap))
        on = option in selection.chosen
        label = option_words(state, option)
        if on and question.ordered:
            label = f"{selection.chosen.index(option) + 1}. {label}"
        buttons.append(
            Button(
                box=pygame.Rect(*at, width, height),
                label=label,
                action=partial(choose, option),
                on=on,
            )
        )
    last = pygame.Rect(box.left, box.bottom - height, box.width, height)
    if selection.needs_confirmation:
        some, ready = bool(selection.chosen), selection.is_ready
        label = f"done: {len(selection.chosen)} chosen" if some else "none"
        if not ready:
            label = f"{len(selection.chosen)} chosen"
        buttons.append(Button(box=last, label=label, action=done, enabled=ready, on=ready and some))
    return buttons


def draw_question(
    surface: pygame.Surface,
    boxes: Boxes,
    state: BattleState,
    selection: Selection,
    palette: Palette,
) -> None:
    """Draw the panel of a question; its buttons are the window's."""
    words = boxes.words_px
    _, panel, _ = question_boxes(boxes, state, selection)
    draw_panel(surface, panel, palette)
    inside = padded(panel, 0.6 * words)
    asked, many = question_words(state, selection.question)
    y = inside.top + 0.5 * words
    for line in wrapped(asked, words, inside.width):
        write(surface, line, (inside.left, y), size_px=words, colour=palette.accent)
        y += 1.2 * words
    small = round(0.8 * words)
    write(surface, many, (inside.left, y), size_px=small, colour=palette.faint)


def _heading_px(boxes: Boxes, state: BattleState, selection: Selection) -> int:
    words = boxes.words_px
    asked, _ = question_words(state, selection.question)
    width = round(boxes.transcript.width - 1.2 * words)
    return round((1.2 * len(wrapped(asked, words, width)) + 1.3) * words)


def _grid(count: int) -> tuple[int, int]:
    """Return columns and rows for so many options."""
    columns = max(-(-count // _MOST_A_COLUMN), 1)
    return columns, max(-(-count // columns), 1)
