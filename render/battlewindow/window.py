"""The view of a battle: watching it, going back and forth in it, and playing in it.

`BattleWindow` makes all its commands in `_playback_commands`; those with an icon or a label have
buttons below the views.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pygame
from pygame.event import Event

from physics import InputError
from render.battlewindow.panels import Boxes, boxes_of
from render.battlewindow.picture import draw_battle, transcript_box, visible_tiles
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.question_panel import Selection, option_buttons, toggled
from render.battlewindow.stacks import PuckTile, puck_text, tile_at
from render.battlewindow.timeline import LiveGame, turn_starts
from render.battlewindow.transcript import transcript_lines
from render.canvas import write
from render.palette import Palette
from render.slamwindow.screen import SlamScreen
from render.viewer import (
    Command,
    Controls,
    Size,
    Widget,
    button_row,
    draw_tooltip,
    save_beside,
    scrub_bar,
)
from sim.pokepucks.battle.player_kinds import PLAYERS, player_of
from sim.pokepucks.battle.questions import Option
from sim.pokepucks.battle.record import record_json, record_of

_MESSAGE_S = 5.0
"""Time for which a message is shown."""

LEVELS = ("greedy", "expert-quick", "expert", "expert-deep")
"""Kinds of players, from the weakest, that a person may choose as a rival during a battle."""

_LEFT = 1
"""Left mouse button, as pygame numbers it."""


class BattleWindow:
    """A view of a battle."""

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
        self.playback, self.screen = playback, SlamScreen()
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
            Command(("home",), "beginning", partial(playback.go_to, 0)),
            Command(("end",), "end", playback.to_end),
            faster,
            slower,
            pace,
            again,
            save,
        ]
        if "person" in self.kinds:
            commands.append(Command(("return",), "answer with the selection", self.answer))
            commands += self._level_commands()
        return commands

    def widgets(self, size: Size) -> list[Widget]:
        """Return the scrub bar, the buttons of the bar, and those of a question."""
        boxes, playback = self._boxes(size), self.playback
        *commands, pace, again, save = self._playback_commands()
        if playback.slams.are_available:
            commands += [pace, again]
        timeline, words = playback.game.timeline, boxes.words_px
        starts = turn_starts(timeline)[1:]
        commands += [*self._level_commands(), save]
        widgets: list[Widget] = [
            scrub_bar(boxes.scrub, playback.index, len(timeline), playback.go_to, starts),
            *button_row(boxes.buttons, commands, words),
            *transcript_lines(playback, transcript_box(playback, self.selection, boxes), words),
        ]
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
        size = surface.get_size()
        boxes = self._boxes(size)
        draw_battle(surface, self.playback, self.selection, boxes, self.origin, palette)
        self._controls.draw(surface, self.widgets(size), palette)
        write(
            surface,
            self.message or "H: keys",
            (boxes.buttons.right, boxes.buttons.centery),
            round(0.9 * boxes.words_px),
            palette.accent if self.message else palette.faint,
            align="right",
            width_px=boxes.transcript.width,
        )
        if self._under is not None and self._under in visible_tiles(self.playback, boxes):
            text = puck_text(self.playback.visible.state, self._under.puck)
            draw_tooltip(surface, text, self._under.box, round(0.85 * boxes.words_px), palette)

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
        data = record_json(record).encode()
        self.show_message(save_beside(self._folder, "battle", ".json", data))

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
        label = self.kinds[rivals[0]]
        return [Command(("v",), "level of the rival", self.next_level, label=label)]

    def show_message(self, message: str) -> None:
        """Show a message for some seconds."""
        self.message, self._message_s = message, _MESSAGE_S

    def _playback_commands(self) -> tuple[Command, ...]:
        """Return the commands of the bar, in the order of their buttons."""
        playback = self.playback
        playing, has_next, is_first = playback.playing, playback.has_next, playback.index == 0
        faster, slower = (partial(playback.change_tempo, change) for change in (1, -1))
        forward, back = (partial(playback.step, change) for change in (1, -1))
        slower_by = playback.pace.impact_slower
        pace = "slams in real time" if slower_by == 1 else f"impact 1/{slower_by:g}"
        has_slam = playback.entry.is_throw and playback.slam is not None
        return (
            Command(
                ("p", "page up"),
                "previous turn",
                playback.previous_turn,
                icon="previous",
                enabled=not is_first,
            ),
            Command(("left", ","), "previous event", back, icon="step_back", enabled=not is_first),
            Command(
                ("space", "k"),
                "play or pause",
                playback.toggle,
                icon="pause" if playing else "play",
                on=playing,
            ),
            Command(("right", "."), "next event", forward, icon="step_on", enabled=has_next),
            Command(
                ("n", "page down"), "next turn", playback.next_turn, icon="next", enabled=has_next
            ),
            Command(("down",), "slower", slower, icon="minus"),
            Command((), "faster", faster, label=f"tempo {playback.tempo:g}"),
            Command(("up",), "faster", faster, icon="plus"),
            Command(("i",), "slams in real time or slow motion", playback.next_pace, label=pace),
            Command(
                ("r",), "repeat this slam", playback.repeat_slam, icon="restart", enabled=has_slam
            ),
            Command(("s",), "save the battle", self.save, icon="save"),
        )

    def _press(self, at: tuple[int, int], boxes: Boxes) -> bool:
        """Choose the puck at a place."""
        tile = tile_at(visible_tiles(self.playback, boxes), at)
        if tile is None or self.selection is None or tile.puck not in self.selection.pucks:
            return False
        self.choose(self.selection.pucks[tile.puck])
        return True

    def _boxes(self, size: Size) -> Boxes:
        return boxes_of(size, self.playback.entry.state.table.players)
