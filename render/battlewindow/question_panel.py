"""The panel below the log: a question to a person, the set-up, or the throw that is aimed.

A `Panel` lists `Choice`s, each a question with what is selected of its options; `toggled` and
`swapped` change a selection. `panel_widgets` makes the buttons, `draw_panel_of` draws the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import pygame
from pygame import Rect, Surface

from physics.facts import fact
from render.battlewindow.panels import Boxes
from render.canvas import draw_lines, wrapped, write
from render.palette import Palette
from render.viewer import (
    Button,
    Command,
    Slider,
    Widget,
    command_button,
    cut,
    draw_panel,
    grid,
    padded,
)
from render.viewer.panels import write_lines
from sim.pokepucks.battle.explanations import (
    count_words,
    first_sentence,
    first_steps,
    option_sentence,
)
from sim.pokepucks.battle.questions import Asking, Option, Question, Reply, Use
from sim.pokepucks.battle.state import BattleState

_BUTTON, _GAP, _SLIDER, _NAME, _CURVE = 1.45, 0.25, 2.2, 1.2, 6.0
"""Heights of a button, of the gap between two, of a slider, a name, a curve, in text heights."""

_MOST_SHARE = 0.86
"""Greatest height of the panel, relative to the log."""

_MOST_IN_A_COLUMN = 7
"""Options below each other."""


@fact
class Selection:
    """A question, and the options selected so far, in the order of selection."""

    question: Question
    chosen: Reply = ()

    @property
    def is_ready(self) -> bool:
        """True if the number of options selected is a valid answer."""
        return self.question.least <= len(self.chosen) <= self.question.most

    @property
    def pucks(self) -> dict[int, Option]:
        """The option of each puck that stands for one."""
        found: dict[int, Option] = {}
        for option in self.question.options:
            puck = option.puck if isinstance(option, Use) else option
            if isinstance(puck, int):
                found.setdefault(puck, option)
        return found


def toggled(selection: Selection, option: Option) -> Selection:
    """Return the selection with an option added, or removed.

    One too many takes the place of the first one.

    Example:
        >>> question = Question(
        ...     player=0, asking=Asking.DISCARD, options=(3, 5, 8), least=0, most=2
        ... )
        >>> selection = toggled(toggled(Selection(question=question), 8), 3)
        >>> selection.chosen, toggled(selection, 5).chosen, toggled(selection, 8).chosen
        ((8, 3), (3, 5), (3,))
    """
    left = tuple(other for other in selection.chosen if other != option)
    if len(left) < len(selection.chosen):
        return replace(selection, chosen=left)
    return replace(selection, chosen=(*left, option)[-selection.question.most :])


def option_words(state: BattleState, option: Option) -> str:
    """Return the label of an option."""
    if isinstance(option, int):
        return state.table.label(option)
    if option.puck is None:
        return option.rule
    puck = state.table.label(option.puck)
    return puck if puck.startswith(option.rule) else f"{option.rule}: {puck}"


def question_words(state: BattleState, question: Question) -> tuple[str, str]:
    """Return who is to choose, for which rule or when, and the number of options to choose."""
    at = f" ({question.rule})" if question.rule else ""
    return f"{state.table.names[question.player]}, it is your choice{at}", count_words(question)


@fact
class Panel:
    """Question to a person: a choice, all of the set-up, or a throw."""

    state: BattleState
    heading: str
    hint: str
    choices: tuple[Selection, ...] = ()
    choose: Callable[[Selection, Option], object] = print
    commands: tuple[Command, ...] = ()  # buttons below
    sliders: tuple[Slider, ...] = ()  # above the buttons; they are placed here
    planned: BattleState | None = None  # the battle after the set-up as it is planned
    curve: tuple[float, ...] = ()  # chance to win when turns begin, drawn below the hint

    @property
    def asking(self) -> Asking | None:
        """The subject of the only question; None for the set-up and for a throw."""
        is_one = len(self.choices) == 1 and self.planned is None
        return self.choices[0].question.asking if is_one else None

    @property
    def chosen(self) -> Reply:
        """The options selected, of all questions."""
        return tuple(option for choice in self.choices for option in choice.chosen)

    @property
    def pucks(self) -> dict[int, tuple[Selection, Option]]:
        """The choice and the option of each puck that can be chosen."""
        return {
            puck: (choice, option)
            for choice in reversed(self.choices)
            for puck, option in choice.pucks.items()
        }

    @property
    def chosen_pucks(self) -> frozenset[int]:
        """Pucks of the options selected."""
        chosen = self.chosen
        return frozenset(puck for puck, (_, option) in self.pucks.items() if option in chosen)


def panel_boxes(panel: Panel | None, boxes: Boxes) -> tuple[Rect, Rect]:
    """Return the places of the rest of the log, and of the panel."""
    if panel is None:
        return boxes.transcript, Rect(boxes.transcript.bottomleft, (0, 0))
    words, wanted = boxes.words_px, _heading_px(panel, boxes)
    for choice in panel.choices:
        wanted += round(_choice_px(choice, panel, words))
    wanted += round(_CURVE * bool(panel.curve) * words)
    wanted += round((_SLIDER * len(panel.sliders) + (_BUTTON + _GAP) * len(panel.commands)) * words)
    height = min(wanted + 1.2 * words, _MOST_SHARE * boxes.transcript.height)
    own, log = cut(boxes.transcript, "bottom", height, gap=0.5 * words)
    return log, own


def panel_widgets(panel: Panel, boxes: Boxes) -> list[Widget]:
    """Return the buttons of the options, sliders, and the buttons below them."""
    widgets, rest = _lower_widgets(panel, boxes)
    for choice, option, box in _option_boxes(panel, rest, boxes.words_px):
        question, chosen = choice.question, choice.chosen
        label, on = option_words(panel.state, option), option in chosen
        if on and question.ordered:
            label = f"{chosen.index(option) + 1}. {label}"
        action = partial(panel.choose, choice, option)
        widgets.append(Button(box=box, label=label, action=action, on=on))
    return widgets


def option_hints(panel: Panel, boxes: Boxes) -> list[tuple[Rect, str]]:
    """Return the places of the options, and a sentence on each."""
    found = _option_boxes(panel, _lower_widgets(panel, boxes)[1], boxes.words_px)
    return [(box, option_sentence(panel.state, option)) for _, option, box in found]


def _lower_widgets(panel: Panel, boxes: Boxes) -> tuple[list[Widget], Rect]:
    """Return the sliders and the buttons of a panel, and the room above them."""
    words, rest = boxes.words_px, _below_heading(panel, boxes)
    widgets: list[Widget] = []
    for command in reversed(panel.commands):
        box, rest = cut(rest, "bottom", _BUTTON * words, gap=_GAP * words)
        widgets.append(command_button(box, command))
    for slider in reversed(panel.sliders):
        box, rest = cut(rest, "bottom", (_SLIDER - 0.2) * words, gap=0.2 * words)
        widgets.append(replace(slider, box=box))
    return widgets, rest


def _below_heading(panel: Panel, boxes: Boxes) -> Rect:
    _, own = panel_boxes(panel, boxes)
    return cut(padded(own, 0.6 * boxes.words_px), "top", _heading_px(panel, boxes))[1]


def _choice_boxes(panel: Panel, room: Rect, words: int) -> list[tuple[Selection, Rect, Rect]]:
    """Return the choices with the places of their names and options, which get lower to fit."""
    heights = [_choice_px(choice, panel, words) for choice in panel.choices]
    share, found = min(1.0, room.height / max(sum(heights), 1)), []
    for choice, height in zip(panel.choices, heights, strict=True):
        box, room = cut(room, "top", share * height)
        name, options = cut(box, "top", (panel.planned is not None) * _NAME * words)
        found.append((choice, name, cut(options, "bottom", _GAP * words)[1]))
    return found


def _option_boxes(panel: Panel, room: Rect, words: int) -> Iterator[tuple[Selection, Option, Rect]]:
    """Yield all options with their choices and places."""
    for choice, _, box in _choice_boxes(panel, room, words):
        columns, rows = _grid(len(choice.question.options))
        cells = grid(box, columns, rows, _GAP * words)
        for place, option in enumerate(choice.question.options):
            column, row = divmod(place, rows)
            yield choice, option, cells[row * columns + column]


def draw_panel_of(surface: Surface, panel: Panel, boxes: Boxes, palette: Palette) -> None:
    """Draw a panel without its buttons."""
    words = boxes.words_px
    _, own = panel_boxes(panel, boxes)
    draw_panel(surface, own, palette)
    inside = padded(own, 0.6 * words)
    y = inside.top + 0.5 * words
    for line in wrapped(panel.heading, words, inside.width):
        write(surface, line, (inside.left, y), words, palette.accent)
        y += 1.2 * words
    hint = Rect(inside.left, round(y - 0.6 * words), inside.width, inside.bottom - round(y))
    write_lines(surface, ["", *_hint_lines(panel)], hint, palette, size_px=_small(words))
    if panel.curve:
        room, _ = cut(_below_heading(panel, boxes), "top", _CURVE * words)
        _draw_curve(surface, panel.curve, padded(room, 0.5 * words), _small(words), palette)
    for choice, name, _ in _choice_boxes(panel, _below_heading(panel, boxes), words):
        asked, place = first_sentence(choice.question), (name.left, name.centery)
        if name.height:
            write(surface, asked, place, _small(words), palette.text, width_px=name.width)


def _draw_curve(
    surface: Surface,
    curve: Sequence[float],
    box: Rect,
    size_px: int,
    palette: Palette,
) -> None:
    """Draw the chance to win over the turns, from 0 to 100 %."""
    for share in (0.0, 0.5, 1.0):
        y = box.bottom - share * box.height
        pygame.draw.line(surface, palette.wall, (box.left, y), (box.right, y))
    write(surface, "100 %", (box.left, box.top + size_px / 2), size_px, palette.faint)
    last = max(len(curve) - 1, 1)
    points = [
        (round(box.left + box.width * n / last), round(box.bottom - chance * box.height))
        for n, chance in enumerate(curve)
    ]
    draw_lines(surface, palette.accent, [(points, max(size_px / 6, 2.0))])


def _hint_lines(panel: Panel) -> Sequence[str]:
    """Return the hint; of a set-up without a choice, how a battle goes."""
    is_plain = panel.planned is not None and not panel.choices
    return first_steps(panel.state) if is_plain else panel.hint.splitlines()


def _small(words: int) -> int:
    return round(0.8 * words)


def _heading_px(panel: Panel, boxes: Boxes) -> int:
    words = boxes.words_px
    width = round(boxes.transcript.width - 1.2 * words)
    hints = sum(len(wrapped(line, _small(words), width)) for line in _hint_lines(panel))
    return round((1.2 * len(wrapped(panel.heading, words, width)) + 1.05 * hints + 0.3) * words)


def _choice_px(choice: Selection, panel: Panel, words: int) -> float:
    _, rows = _grid(len(choice.question.options))
    return (rows * (_BUTTON + _GAP) + _NAME * (panel.planned is not None)) * words


def _grid(count: int) -> tuple[int, int]:
    """Return the numbers of columns and rows for a number of options."""
    columns = max(-(-count // _MOST_IN_A_COLUMN), 1)
    return columns, max(-(-count // columns), 1)
