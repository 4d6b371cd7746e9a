"""The view of a battle: to watch it, to go back and forth in it, and to play in it.

The scrub bar and the buttons below the views.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pygame
from pygame.event import Event

from physics import InputError
from render.battlewindow.panels import Boxes, PuckTile, boxes_of, draw_name, tile_at
from render.battlewindow.picture import draw_battle, line_at, visible_tiles
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.question_panel import Selection, option_buttons, toggled
from render.battlewindow.timeline import turn_starts
from render.canvas import write
from render.palette import Palette
from render.viewer import Button, Command, Controls, Size, Slider, Widget, free_path, row
from sim.core.files import check_writable, write_whole
from sim.pokepucks.battle import Option, record_json, record_of

_SQUARE, _WIDE, _GAP = 2.0, 6.4, 0.4
"""Of buttons, in heights of text."""


def bar(playback: BattlePlayback, save: Callable[[], None], boxes: Boxes) -> list[Widget]:
    """Return the scrub bar, with marks where turns begin, and the buttons."""
    cursor, timeline = playback.cursor, playback.game.timeline
    last = max(len(timeline) - 1, 1)
    scrub = Slider(
        box=boxes.scrub,
        label="",
        shown="",
        value=cursor.index,
        low=0.0,
        high=last,
        changed=lambda value: playback.go_to(round(value)),
        marks=tuple(map(float, turn_starts(timeline)[1:])),
    )
    facts: list[tuple[str, str, Callable[[], object], bool, bool]] = [
        ("previous", "a turn back (P)", playback.turn_back, False, cursor.index > 0),
        ("step_back", "an event back (Left)", lambda: playback.step(-1), False, cursor.index > 0),
        (
            "pause" if cursor.playing else "play",
            "pause (Space)" if cursor.playing else "play (Space)",
            playback.toggle,
            cursor.playing,
            True,
        ),
        ("step_on", "an event on (Right)", lambda: playback.step(1), False, playback.has_next),
        ("next", "a turn on (N)", playback.turn_on, False, playback.has_next),
        ("minus", "slower (Down)", lambda: playback.change_tempo(-1), False, True),
        ("", f"tempo {cursor.tempo:g}", lambda: playback.change_tempo(1), False, True),
        ("plus", "faster (Up)", lambda: playback.change_tempo(1), False, True),
    ]
    if playback.slams.are_available:
        slow = cursor.pace.impact_slower
        paced = "slams in real time" if slow == 1 else f"impact 1/{slow:g}"
        facts += [
            ("", paced, playback.next_pace, False, True),
            (
                "restart",
                "this slam again (R)",
                playback.slam_again,
                False,
                playback.entry.is_throw and playback.slam is not None,
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


_MESSAGE_S = 5.0
_LEFT = 1


class BattleWindow:
    """A view of a battle.

    Attributes:
        playback: The battle, and which entry of it is shown.
        message: What is told for a few seconds, such as where a file was saved.
    """

    def __init__(
        self,
        playback: BattlePlayback,
        *,
        kinds: Sequence[str],
        seed: int | None,
        throws: str,
        folder: Path | None = None,
    ) -> None:
        """Show a battle from its beginning.

        Args:
            playback: The battle.
            kinds: What the players are, such as ``greedy``.
            seed: The battle's seed.
            throws: Where its throws come from, in a word.
            folder: Where files are saved; the current one if none is given.
        """
        self.playback = playback
        self._choice: Selection | None = None
        self.message = ""
        self._kinds = tuple(kinds)
        self._seed = seed
        self._throws = throws
        self._folder = folder or Path.cwd()
        self._controls = Controls()
        self._under: PuckTile | None = None
        self._message_s = 0.0

    @property
    def selection(self) -> Selection | None:
        """What a person has chosen of what they are asked; None if nobody is asked now."""
        question = self.playback.question
        if question is None:
            self._choice = None
        elif self._choice is None or self._choice.question is not question:
            self._choice = Selection(question=question)
        return self._choice

    @property
    def title(self) -> str:
        """What stands above the window."""
        names = self.playback.entry.state.table.names
        return f"{', '.join(names)} - pucklab"

    @property
    def origin(self) -> str:
        """Where the battle comes from."""
        seed = "" if self._seed is None else f"seed {self._seed}, "
        return f"{seed}throws: {self._throws}"

    @property
    def commands(self) -> Sequence[Command]:
        """Its keys."""
        playback = self.playback
        own = [
            Command(keys=("space", "k"), name="play or pause", action=playback.toggle),
            Command(keys=("right", "."), name="an event on", action=lambda: playback.step(1)),
            Command(keys=("left", ","), name="an event back", action=lambda: playback.step(-1)),
            Command(keys=("n", "page down"), name="next turn", action=playback.turn_on),
            Command(keys=("p", "page up"), name="turn back", action=playback.turn_back),
            Command(keys=("home",), name="to the beginning", action=lambda: playback.go_to(0)),
            Command(keys=("end",), name="to the end", action=playback.to_end),
            Command(keys=("up",), name="faster", action=lambda: playback.change_tempo(1)),
            Command(keys=("down",), name="slower", action=lambda: playback.change_tempo(-1)),
            Command(keys=("i",), name="slams in real time or slowly", action=playback.next_pace),
            Command(keys=("r",), name="this slam again", action=playback.slam_again),
            Command(keys=("s",), name="save the battle", action=self.save),
        ]
        if "person" in self._kinds:
            own.append(
                Command(keys=("return",), name="answer with what is chosen", action=self.answer)
            )
        return own

    def handle(self, event: Event, size: Size) -> bool:
        """Take a mouse event."""
        boxes = self._boxes(size)
        if self._controls.handle(event, self._widgets(boxes)):
            return True
        if event.type == pygame.MOUSEMOTION:
            before, self._under = (
                self._under,
                tile_at(visible_tiles(self.playback, boxes), event.pos),
            )
            return before != self._under
        if event.type == pygame.MOUSEWHEEL and event.y:
            self.playback.step(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT:
            return self._press(event.pos, boxes)
        return False

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        message, selection = self.message, self.selection
        moved = self.playback.advance(elapsed_s)
        self._message_s -= elapsed_s
        if self._message_s <= 0:
            self.message = ""
        return moved or self.message != message or self.selection is not selection

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        boxes = self._boxes(surface.get_size())
        draw_battle(surface, self.playback, self.selection, boxes, self.origin, palette)
        self._controls.draw(surface, self._widgets(boxes), palette)
        self._draw_words(surface, boxes, palette)
        if self._under is not None and self._under in visible_tiles(self.playback, boxes):
            draw_name(surface, self._under, self.playback.visible.state, boxes.words_px, palette)

    def choose(self, option: Option) -> None:
        """Choose an option, or choose it no more; where just one is chosen, that is the answer."""
        if self.selection is None:
            return
        self._choice = selection = toggled(self.selection, option)
        if selection.is_single and selection.chosen:
            self.answer()

    def answer(self) -> None:
        """Answer with what is chosen, if that is enough."""
        selection = self.selection
        if selection is None or not selection.is_ready:
            return
        try:
            self.playback.answer(selection.chosen)
        except InputError as error:
            self._choice = None
            self.tell(str(error))

    def save(self) -> None:
        """Save the record of the battle, as far as it has come, in the folder."""
        playback = self.playback
        table = playback.entry.state.table
        record = record_of(table, self._kinds, self._seed, self._throws, playback.game.exchanges)
        path = free_path(self._folder, "battle", ".json")
        try:
            check_writable("save", path, (".json",))
            write_whole(path, record_json(record).encode())
        except (InputError, OSError) as error:
            self.tell(str(error))
        else:
            self.tell(f"wrote {path.name}")

    def tell(self, message: str) -> None:
        """Tell something for a few seconds."""
        self.message, self._message_s = message, _MESSAGE_S

    def _press(self, at: tuple[int, int], boxes: Boxes) -> bool:
        """Choose the puck, or go to the line of the transcript, that is clicked on."""
        tile = tile_at(visible_tiles(self.playback, boxes), at)
        if tile is not None and self.selection is not None and tile.puck in self.selection.pucks:
            self.choose(self.selection.pucks[tile.puck])
            return True
        line = line_at(self.playback, self.selection, boxes, at)
        if line is None:
            return False
        self.playback.go_to(line.index)
        return True

    def _boxes(self, size: Size) -> Boxes:
        return boxes_of(size, self.playback.entry.state.table.players)

    def _widgets(self, boxes: Boxes) -> list[Widget]:
        widgets = bar(self.playback, self.save, boxes)
        if self.selection is not None:
            state = self.playback.entry.state
            widgets += option_buttons(
                boxes, state, self.selection, choose=self.choose, done=self.answer
            )
        return widgets

    def _draw_words(self, surface: pygame.Surface, boxes: Boxes, palette: Palette) -> None:
        """Write the message, or where the help is."""
        words = self.message or "H: keys"
        write(
            surface,
            words,
            (boxes.buttons.right, boxes.buttons.centery),
            size_px=round(0.9 * boxes.words_px),
            colour=palette.accent if self.message else palette.faint,
            align="right",
            width_px=boxes.transcript.width,
        )
