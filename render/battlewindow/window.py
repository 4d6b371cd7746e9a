"""The view of a battle: watching it, going back and forth in it, and playing in it.

`BattleWindow` makes all its commands in `_playback_commands`; `bar` turns those with an icon or a
label into the buttons below the views, beside the scrub bar.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pygame
from pygame.event import Event

from physics import InputError
from render.battlewindow.panels import Boxes, boxes_of
from render.battlewindow.picture import draw_battle, line_at, visible_tiles
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.question_panel import Selection, option_buttons, toggled
from render.battlewindow.stacks import PuckTile, draw_name, tile_at
from render.battlewindow.timeline import LiveGame, turn_starts
from render.canvas import write
from render.palette import Palette
from render.viewer import (
    Command,
    Controls,
    Size,
    Slider,
    Widget,
    command_button,
    free_path,
    row,
)
from sim.core.files import check_writable, write_whole
from sim.pokepucks.battle.player_kinds import PLAYERS, player_of
from sim.pokepucks.battle.questions import Option
from sim.pokepucks.battle.record import record_json, record_of

_MESSAGE_S = 5.0
"""Time for which a message is shown."""

LEVELS = ("greedy", "expert-quick", "expert", "expert-deep")
"""Kinds of players, from the weakest, that a person may choose as a rival during a battle."""

_SQUARE, _WIDE, _GAP = 2.0, 6.4, 0.4
"""Widths of buttons with an icon and with text, and of the gap between two, in text heights."""

_LEFT = 1
"""Left mouse button, as pygame numbers it."""


class BattleWindow:
    """A view of a battle.

    Attributes:
        playback: The battle and the position in it.
        kinds: The kind of each player now, such as ``greedy``.
        message: A message shown for some seconds, such as the name of a saved file.
    """

    def __init__(
        self,
        playback: BattlePlayback,
        *,
        kinds: Sequence[str],
        seed: int | None,
        throws: str,
        engine: str = "plane",
        folder: Path | None = None,
    ) -> None:
        """Show a battle from its beginning.

        Args:
            playback: The battle.
            kinds: The kind of each player, such as ``greedy``. A ``person`` may change the level
                of the other players.
            seed: The battle's seed; None if it has none.
            throws: Source of its throws, in a word.
            engine: The engine that simulates them.
            folder: Folder of saved files; by default the current one.
        """
        self.playback = playback
        self._selection: Selection | None = None
        self.message = ""
        self.kinds = tuple(kinds)
        self._seed = seed
        self._throws, self._engine = throws, engine
        self._folder = folder or Path.cwd()
        self._controls = Controls()
        self._under: PuckTile | None = None
        self._message_s = 0.0

    @property
    def selection(self) -> Selection | None:
        """The options selected for the open question; None if a person is not asked."""
        question = self.playback.question
        if question is None:
            self._selection = None
        elif self._selection is None or self._selection.question is not question:
            self._selection = Selection(question=question)
        return self._selection

    @property
    def title(self) -> str:
        """Title of the window."""
        names = self.playback.entry.state.table.names
        return f"{', '.join(names)} - pucklab"

    @property
    def origin(self) -> str:
        """Seed, throws and engine of the battle."""
        seed = "" if self._seed is None else f"seed {self._seed}, "
        return f"{seed}throws: {self._throws} ({self._engine} engine)"

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""
        playback = self.playback
        previous, back, play, forward, following, slower, _, faster, pace, again, save = (
            self._playback_commands()
        )
        commands = [
            play,
            forward,
            back,
            following,
            previous,
            Command(keys=("home",), name="beginning", action=partial(playback.go_to, 0)),
            Command(keys=("end",), name="end", action=playback.to_end),
            faster,
            slower,
            pace,
            again,
            save,
        ]
        if "person" in self.kinds:
            commands.append(
                Command(keys=("return",), name="answer with the selection", action=self.answer)
            )
            commands += self._level_commands()
        return commands

    def widgets(self, size: Size) -> list[Widget]:
        """Return the scrub bar, the buttons of the bar, and those of a question."""
        boxes = self._boxes(size)
        *commands, pace, again, save = self._playback_commands()
        if self.playback.slams.are_available:
            commands += [pace, again]
        widgets = bar(self.playback, [*commands, *self._level_commands(), save], boxes)
        if self.selection is not None:
            state = self.playback.entry.state
            widgets += option_buttons(
                boxes, state, self.selection, choose=self.choose, done=self.answer
            )
        return widgets

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event."""
        boxes = self._boxes(size)
        if self._controls.handle(event, self.widgets(size)):
            return True
        if event.type == pygame.MOUSEMOTION:
            before = self._under
            self._under = tile_at(visible_tiles(self.playback, boxes), event.pos)
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
        """Draw the whole view."""
        boxes = self._boxes(surface.get_size())
        draw_battle(surface, self.playback, self.selection, boxes, self.origin, palette)
        self._controls.draw(surface, self.widgets(surface.get_size()), palette)
        self._draw_message(surface, boxes, palette)
        if self._under is not None and self._under in visible_tiles(self.playback, boxes):
            state = self.playback.visible.state
            draw_name(surface, self._under, state, boxes.words_px, palette)

    def choose(self, option: Option) -> None:
        """Select or deselect an option; if only one can be chosen, it is the answer."""
        if self.selection is None:
            return
        self._selection = selection = toggled(self.selection, option)
        if selection.is_single and selection.chosen:
            self.answer()

    def answer(self) -> None:
        """Answer with the selection, if it is complete."""
        selection = self.selection
        if selection is None or not selection.is_ready:
            return
        try:
            self.playback.answer(selection.chosen)
        except InputError as error:
            self._selection = None
            self.show_message(str(error))

    def save(self) -> None:
        """Save the record of the battle so far."""
        playback = self.playback
        table, exchanges = playback.entry.state.table, playback.game.exchanges
        record = record_of(table, self.kinds, self._seed, self._throws, exchanges, self._engine)
        path = free_path(self._folder, "battle", ".json")
        try:
            check_writable("save", path, (".json",))
            write_whole(path, record_json(record).encode())
        except (InputError, OSError) as error:
            self.show_message(str(error))
        else:
            self.show_message(f"wrote {path.name}")

    def next_level(self) -> None:
        """Let the players that are no persons play at the next level from now on."""
        game, rivals = self.playback.game, self._rivals()
        if not isinstance(game, LiveGame) or not rivals:
            return
        now = self.kinds[rivals[0]]
        level = LEVELS[(LEVELS.index(now) + 1) % len(LEVELS)] if now in LEVELS else LEVELS[0]
        for seat in rivals:
            game.replace_player(seat, player_of(level))
        self.kinds = tuple(
            level if seat in rivals else kind for seat, kind in enumerate(self.kinds)
        )
        self.show_message(f"from now on the rival is {level}")

    def _rivals(self) -> tuple[int, ...]:
        """Return the seats whose level a person may change; programs keep theirs."""
        if "person" not in self.kinds:
            return ()
        known = (*PLAYERS, "expert")
        return tuple(
            seat for seat, kind in enumerate(self.kinds) if kind.partition(":")[0] in known
        )

    def _level_commands(self) -> list[Command]:
        """Return the command that changes the level of a person's rivals, if there is one."""
        rivals = self._rivals()
        if not rivals or not isinstance(self.playback.game, LiveGame):
            return []
        level = Command(
            keys=("v",),
            name="level of the rival",
            action=self.next_level,
            label=self.kinds[rivals[0]],
        )
        return [level]

    def show_message(self, message: str) -> None:
        """Show a message for some seconds."""
        self.message, self._message_s = message, _MESSAGE_S

    def _playback_commands(self) -> tuple[Command, ...]:
        """Return the commands of the bar, in the order of their buttons."""
        playback, cursor = self.playback, self.playback.cursor
        pace, is_first = cursor.pace.impact_slower, cursor.index == 0
        return (
            Command(
                keys=("p", "page up"),
                name="previous turn",
                action=playback.previous_turn,
                icon="previous",
                enabled=not is_first,
            ),
            Command(
                keys=("left", ","),
                name="previous event",
                action=partial(playback.step, -1),
                icon="step_back",
                enabled=not is_first,
            ),
            Command(
                keys=("space", "k"),
                name="play or pause",
                action=playback.toggle,
                icon="pause" if cursor.playing else "play",
                on=cursor.playing,
            ),
            Command(
                keys=("right", "."),
                name="next event",
                action=partial(playback.step, 1),
                icon="step_on",
                enabled=playback.has_next,
            ),
            Command(
                keys=("n", "page down"),
                name="next turn",
                action=playback.next_turn,
                icon="next",
                enabled=playback.has_next,
            ),
            Command(
                keys=("down",),
                name="slower",
                action=partial(playback.change_tempo, -1),
                icon="minus",
            ),
            Command(
                keys=(),
                name="faster",
                action=partial(playback.change_tempo, 1),
                label=f"tempo {cursor.tempo:g}",
            ),
            Command(
                keys=("up",), name="faster", action=partial(playback.change_tempo, 1), icon="plus"
            ),
            Command(
                keys=("i",),
                name="slams in real time or slow motion",
                action=playback.next_pace,
                label="slams in real time" if pace == 1 else f"impact 1/{pace:g}",
            ),
            Command(
                keys=("r",),
                name="repeat this slam",
                action=playback.repeat_slam,
                icon="restart",
                enabled=playback.entry.is_throw and playback.slam is not None,
            ),
            Command(keys=("s",), name="save the battle", action=self.save, icon="save"),
        )

    def _press(self, at: tuple[int, int], boxes: Boxes) -> bool:
        """Choose the puck, or go to the line of the transcript, at a place."""
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

    def _draw_message(self, surface: pygame.Surface, boxes: Boxes, palette: Palette) -> None:
        """Write the message, or the key of the help."""
        write(
            surface,
            self.message or "H: keys",
            (boxes.buttons.right, boxes.buttons.centery),
            size_px=round(0.9 * boxes.words_px),
            colour=palette.accent if self.message else palette.faint,
            align="right",
            width_px=boxes.transcript.width,
        )


def bar(playback: BattlePlayback, commands: Sequence[Command], boxes: Boxes) -> list[Widget]:
    """Return the scrub bar, with marks at turns, and a button for each command."""
    timeline = playback.game.timeline
    scrub = Slider(
        box=boxes.scrub,
        label="",
        shown="",
        value=playback.cursor.index,
        low=0.0,
        high=max(len(timeline) - 1, 1),
        changed=lambda value: playback.go_to(round(value)),
        marks=tuple(map(float, turn_starts(timeline)[1:])),
    )
    words = boxes.words_px
    widths = [(_SQUARE if command.icon else _WIDE) * words for command in commands]
    places = row(boxes.buttons, widths, _GAP * words)
    pairs = zip(places, commands, strict=True)
    return [scrub, *(command_button(box, command) for box, command in pairs)]
