"""The view of a battle: watching it, going back and forth in it, and playing in it.

A person sets up on one screen, answers questions in a panel below the log, and throws in the Arena.
`BattleWindow` makes all its commands in `_playback_commands` and `_throw_commands`; those with an
icon or a label have buttons.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame
from pygame import Event, Rect, Surface

from physics import InputError
from physics.compiling import is_compiled
from render.battlewindow.arena import NO_CHANCE
from render.battlewindow.panels import Boxes, boxes_of, hints_of
from render.battlewindow.picture import Seen, banner_box, draw_battle, visible_tiles
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.question_panel import (
    Panel,
    Selection,
    option_hints,
    panel_boxes,
    panel_widgets,
    question_words,
    toggled,
)
from render.battlewindow.stacks import PuckTile, tile_at
from render.battlewindow.throwing import Throwing, straightened, throw_text
from render.battlewindow.timeline import turn_starts
from render.battlewindow.transcript import transcript_lines
from render.canvas import write
from render.palette import Palette
from render.slamwindow.aiming import setting_of, setting_slider
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
from sim.core.records import Record, record_json, record_of
from sim.hand_throw import AimedThrow
from sim.pokepucks.battle.explanations import first_sentence, flip_chances, puck_text
from sim.pokepucks.battle.kernel_rules import play_out
from sim.pokepucks.battle.match import BATTLE
from sim.pokepucks.battle.player_kinds import PLAYERS, PLAYS
from sim.pokepucks.battle.questions import Asking, Option, Reply
from sim.pokepucks.battle.review import Review, review_battle, review_lines
from sim.pokepucks.battle.sensible import propose
from sim.pokepucks.battle.state import BattleState

_MESSAGE_S = 5.0
"""Time for which a message is shown."""

_NUDGE_MM = 2.0
_KEYS = (
    ("speed_m_s", "+", "-", 0.2, "faster throw", "slower throw"),
    ("direction_deg", "a", "d", 5.0, "throw further to the left", "throw further to the right"),
    ("tilt_deg", "w", "x", 2.0, "more tilt", "less tilt"),
)
"""Settings of a throw: the keys that raise and lower it, by how much, and what they do."""

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
        self.message = ""
        self.is_over = False  # it closes, and another battle follows
        self.kinds = tuple(kinds)
        self.with_chances = False
        self._selection: Selection | None = None
        self._set_ups: dict[int, dict[Asking, Reply]] = {}
        self._panel: tuple[object, Panel] | None = None
        self._review: Review | None = None
        self._reviews: Iterator[Review] | None = None
        self._throwing: Throwing | None = None
        self._aimed = straightened(AimedThrow())
        self._seed = seed
        self._throws, self._engine = throws, engine
        self._folder = folder or Path.cwd()
        self._controls = Controls()
        self._under: PuckTile | None = None
        self._mouse = (-1, -1)
        self._message_s = 0.0

    @property
    def selection(self) -> Selection | None:
        """The options selected for the open question, at first those proposed; None for none.

        The questions of the set-up are open all at once, see `panel`.
        """
        question = self.playback.question
        if question is None or self._set_up_player is not None:
            self._selection = None
        elif self._selection is None or self._selection.question is not question:
            state = self.playback.entry.state
            self._selection = Selection(question=question, chosen=propose(state, question))
        return self._selection

    @property
    def throwing(self) -> Throwing | None:
        """The throw that a person aims; None if there is none."""
        call, game = self.playback.throw_call, self.playback.game
        if call is None:
            self._throwing = None
        elif self._throwing is None or self._throwing.call is not call:
            scene = game.scene(call)
            assert scene is not None
            self._throwing = Throwing(call, scene, self._aimed)
        return self._throwing

    @property
    def panel(self) -> Panel | None:
        """Question that a person is asked now: the set-up, a choice or a throw."""
        throwing, selection, seat = self.throwing, self.selection, self._set_up_player
        if self._review is not None and self.playback.entry.is_last:
            return self._review_panel(self._review)
        if throwing is not None:
            return self._throw_panel(throwing)
        if seat is not None:
            return self._set_up_panel(seat)
        if selection is None:
            return None
        key = (selection, self.playback.index)
        if self._panel is None or self._panel[0] != key:
            self._panel = key, self._question_panel(selection)
        return self._panel[1]

    @property
    def _set_up_player(self) -> int | None:
        return None if self.playback.question is None else self.playback.game.set_up_player

    @property
    def seen(self) -> Seen:
        """Contents of the window."""
        return Seen(
            playback=self.playback,
            panel=self.panel,
            throwing=self.throwing,
            with_chances=self.with_chances,
            origin=self.origin,
        )

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
    def record(self) -> Record:
        """The battle so far."""
        game = self.playback.game
        game.kinds = self.kinds
        game.source = {"throws": self._throws, "engine": self._engine}
        return replace(record_of(game), seed=self._seed)

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""
        playback = self.playback
        end = playback.back_to_now if playback.is_past else playback.to_end
        commands = [
            *self._playback_commands(),
            Command(("home",), "beginning", partial(playback.go_to, 0)),
            Command(("end",), "end, or back to now", end),
            *self._level_commands(),
        ]
        if "person" in self.kinds:
            commands.append(Command(("return",), "answer with the selection", self.answer))
        return (*self._throw_commands(), *commands)

    def widgets(self, size: Size) -> list[Widget]:
        """Return the scrub bar, the buttons of the bar, the log, and what is in the panel."""
        boxes, playback, panel = self._boxes(size), self.playback, self.panel
        *commands, pace, again, chances, save = self._playback_commands()
        if playback.game.slams is not None:
            commands += [pace, again]
        timeline, words = playback.game.timeline, boxes.words_px
        starts = turn_starts(timeline)[1:]
        commands += [*self._level_commands(), chances, save]
        log, _ = panel_boxes(panel, boxes)
        return [
            scrub_bar(boxes.scrub, playback.index, len(timeline), playback.go_to, starts),
            *button_row(boxes.buttons, commands, words),
            *transcript_lines(playback, log, words, self._pause_at),
            *(panel_widgets(panel, boxes) if panel is not None else ()),
        ]

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event."""
        boxes = self._boxes(size)
        before = self._hint(boxes)
        if event.type == pygame.MOUSEMOTION:
            self._mouse = event.pos
            self._under = tile_at(visible_tiles(self.seen, boxes), event.pos)
        if self._controls.handle(event, self.widgets(size)):
            return True
        if self.throwing is not None:
            changed, made = self.throwing.handle(event, boxes)
            if made:
                self.throw()
            if changed:
                return True
        if event.type == pygame.MOUSEMOTION:
            return before != self._hint(boxes)
        if event.type == pygame.MOUSEWHEEL and event.y:
            self.playback.step(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT:
            if self.playback.is_past and banner_box(boxes).collidepoint(event.pos):
                self.playback.back_to_now()
                return True
            return self._press(event.pos, boxes)
        return False

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        message, panel = self.message, (self.playback.question, self.playback.throw_call)
        moved = self.playback.advance(elapsed_s)
        if self._throwing is not None:
            self._throwing.advance(elapsed_s)
        self._message_s -= elapsed_s
        if self._message_s <= 0:
            self.message = ""
        is_new = self._look_back()
        is_new = is_new or panel != (self.playback.question, self.playback.throw_call)
        return moved or self.message != message or is_new

    def _look_back(self) -> bool:
        """Go on with the review of a battle of a person that is over; return True if it changed."""
        is_over = self.playback.entry.is_last and not self.playback.slam_runs
        if not is_over or "person" not in self.kinds or not is_compiled(play_out):
            return False
        if self._reviews is None:
            player = self.kinds.index("person")
            self._reviews = review_battle(self.playback.game.steps, player)
        before = self._review
        self._review = next(self._reviews, before)
        return self._review != before

    def draw(self, surface: Surface, palette: Palette) -> None:
        """Draw the whole view."""
        size = surface.get_size()
        boxes = self._boxes(size)
        draw_battle(surface, self.seen, boxes, palette)
        widgets = self.widgets(size)
        self._controls.draw(surface, widgets, palette)
        write(
            surface,
            self.message or "H: keys",
            (boxes.header.right, boxes.header.bottom - 0.55 * boxes.words_px),
            round(0.9 * boxes.words_px),
            palette.accent if self.message else palette.faint,
            align="right",
            width_px=boxes.header.width / 3,
        )
        box, text = self._hint(boxes)
        draw_tooltip(surface, text, box, round(0.85 * boxes.words_px), palette, widgets)

    def choose(self, selection: Selection, option: Option) -> None:
        """Select or deselect an option; one that can be chosen alone is the answer."""
        question = selection.question
        seat = self._set_up_player
        if seat is not None:
            chosen = toggled(selection, option).chosen
            # One that must be there goes on top instead.
            chosen = (*chosen, option) if len(chosen) < question.least else chosen
            self._set_ups.setdefault(seat, {})[question.asking] = chosen
            return
        if question.most == 1:
            self._selection = replace(selection, chosen=(option,))
            self.answer()
        else:
            self._selection = toggled(selection, option)

    def answer(self) -> None:
        """Answer with the selection, if it is complete; start a battle whose set-up is open."""
        seat, selection = self._set_up_player, self.selection
        if seat is not None:
            self.playback.game.take_set_up(seat, self._set_ups.get(seat, {}))
            self.playback.go_on()
        elif selection is not None and selection.is_ready:
            try:
                self.playback.answer(selection.chosen)
            except InputError as error:
                self._selection = None
                self.show_message(str(error))

    def answer_nothing(self) -> None:
        """Choose nothing where that is an answer."""
        if self.selection is not None:
            self._selection = replace(self.selection, chosen=())
            self.answer()

    def throw(self) -> None:
        """Make the throw as it is aimed."""
        if self.throwing is not None:
            self._aimed = self.throwing.aimed
            self.playback.throw(self._aimed)

    def throw_for_me(self) -> None:
        """Let the computer make the throw."""
        self.playback.throw(None)

    def save(self) -> None:
        """Save the record of the battle so far."""
        data = record_json(BATTLE, self.record).encode()
        self.show_message(save_beside(self._folder, "battle", ".json", data))

    def _pause_at(self, index: int) -> None:
        self.playback.go_to(index)
        self.show_message("Paused here. Space plays on.")

    def next_level(self) -> None:
        """Let the players that are no persons play at the next level from now on."""
        game, rivals = self.playback.game, self._rivals()
        now = self.kinds[rivals[0]]
        levels = tuple(PLAYS)
        level = levels[(levels.index(now) + 1) % len(levels)] if now in levels else levels[0]
        for seat in rivals:
            game.players[seat] = PLAYERS.of(level)
        self.kinds = tuple(
            level if seat in rivals else kind for seat, kind in enumerate(self.kinds)
        )
        self.show_message(f"Your rival plays {PLAYS[level]} from now on.")

    def switch_chances(self) -> None:
        """Show the chance of each puck to flip, or hide it."""
        self.with_chances = not self.with_chances

    def _switch_asking(self) -> None:
        game = self.playback.game
        game.asks_all = not game.asks_all
        what = "every question" if game.asks_all else "questions with a choice"
        self.show_message(f"You are asked {what} from now on.")

    def _rivals(self) -> tuple[int, ...]:
        """Return the seats whose level a person may change; programs keep theirs."""
        if "person" not in self.kinds or not self.playback.game.is_live:
            return ()
        known = (*PLAYERS.by_name, "expert")
        return tuple(
            seat for seat, kind in enumerate(self.kinds) if kind.partition(":")[0] in known
        )

    def _level_commands(self) -> list[Command]:
        """Return the commands that change rivals and questions, and at the end one more battle."""
        rivals, game = self._rivals(), self.playback.game
        if game.is_live and self.playback.entry.is_last:
            again = partial(setattr, self, "is_over", True)
            return [Command(("a",), "play another battle", again, label="again", on=True)]
        if not rivals:
            return []
        kind, asked = self.kinds[rivals[0]], "all questions" if game.asks_all else "few questions"
        label = f"rival plays {PLAYS.get(kind, f'as {kind}')}"
        return [
            Command(("v",), "level of the rival", self.next_level, label=label),
            Command(
                ("o",), "ask every question, or only choices", self._switch_asking, label=asked
            ),
        ]

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
        turn, on = ("p", "page up"), ("n", "page down")
        before, after = (not is_first), has_next
        return (
            Command(turn, "previous turn", playback.previous_turn, icon="previous", enabled=before),
            Command(("left", ","), "previous event", back, icon="step_back", enabled=before),
            Command(
                ("space", "k"),
                "play or pause",
                playback.toggle,
                icon="pause" if playing else "play",
                on=playing,
            ),
            Command(("right", "."), "next event", forward, icon="step_on", enabled=after),
            Command(on, "next turn", playback.next_turn, icon="next", enabled=after),
            Command(("down",), "slower", slower, icon="minus"),
            Command((), "faster", faster, label=f"tempo {playback.tempo:g}"),
            Command(("up",), "faster", faster, icon="plus"),
            Command(("i",), "slams in real time or slow motion", playback.next_pace, label=pace),
            Command(
                ("r",), "repeat this slam", playback.repeat_slam, icon="restart", enabled=has_slam
            ),
            Command(
                ("c",),
                "chances of each puck to flip",
                self.switch_chances,
                label="chances",
                on=self.with_chances,
            ),
            Command(("s",), "save the battle", self.save, icon="save"),
        )

    def _throw_commands(self) -> list[Command]:
        """Return the commands of a throw that is aimed, the buttons of the panel first."""
        throwing = self.throwing
        if throwing is None:
            return []
        keys = [
            Command(("space", "return"), "throw", self.throw, label="Throw (Space)", on=True),
            Command(("t",), "throw for me", self.throw_for_me, label="Throw for me (T)"),
        ]
        for key, across, on in (("right", 1, 0), ("left", -1, 0), ("up", 0, 1), ("down", 0, -1)):
            act = partial(throwing.nudge, _NUDGE_MM * across, _NUDGE_MM * on)
            keys.append(Command((key,), "aim aside, nearer or farther", act))
        for name, more, less, by, raises, lowers in _KEYS:
            keys.append(Command((more,), raises, partial(throwing.change, name, by)))
            keys.append(Command((less,), lowers, partial(throwing.change, name, -by)))
        return keys

    def _throw_panel(self, throwing: Throwing) -> Panel:
        """Return the panel of a throw: its numbers, and the buttons that throw."""
        state = self.playback.entry.state
        names, call = state.table.names, throwing.call
        at = f"{names[state.player]}'s slammer" if call.knock_out else "the Arena"
        no_place = Rect(0, 0, 0, 0)
        sliders = [
            setting_slider(
                setting_of(name), throwing.aimed, no_place, partial(self._set_throw, name)
            )
            for name in ("speed_m_s", "tilt_deg", "descent_deg")
        ]
        return Panel(
            state=state,
            heading=f"{names[call.player]}: throw at {at}",
            hint=throw_text(throwing.aimed),
            sliders=tuple(sliders),
            commands=tuple(self._throw_commands()[:2]),
        )

    def _set_throw(self, name: str, value: float) -> None:
        if self.throwing is not None:
            self.throwing.change(name, value - getattr(self.throwing.aimed, name))

    def _set_up_panel(self, seat: int) -> Panel:
        """Return the panel of a person's set-up, all questions at once."""
        game, plan = self.playback.game, self._set_ups.setdefault(seat, {})
        key = (seat, tuple(sorted(plan.items())))
        if self._panel is None or self._panel[0] != key:
            set_up = game.set_up(seat, plan)
            chosen = [option for _, reply in set_up.questions for option in reply]
            warned = _warning(set_up.state, set_up.state.arena, chosen)
            start = Command(("return",), "start the battle", self.answer, label="Start", on=True)
            panel = Panel(
                state=set_up.state,
                heading=f"{game.setup.names[seat]}: your set-up",
                hint="A sensible choice is made. Click on what you want instead." + warned,
                choices=tuple(Selection(question=q, chosen=r) for q, r in set_up.questions),
                choose=self.choose,
                commands=(start,),
                planned=set_up.state,
            )
            self._panel = key, panel
        return self._panel[1]

    def _review_panel(self, review: Review) -> Panel:
        """Return the panel of what decided the battle."""
        lines = list(review_lines(review))[bool(review.curve) :]
        name = self.playback.entry.state.table.names[review.player]
        more = () if review.is_complete else ("...",)
        return Panel(
            state=self.playback.entry.state,
            heading=f"Turning points: {name}'s chance to win",
            hint="\n".join((*lines, *more)),
            curve=tuple(chance for _, chance in review.curve),
        )

    def _question_panel(self, selection: Selection) -> Panel:
        """Return the panel of a question, with what is proposed selected."""
        question, state = selection.question, self.playback.entry.state
        heading, many = question_words(state, question)
        words = "Start" if not state.turn.number else "Take it"
        count = f"{words}: {len(selection.chosen)} chosen" if selection.chosen else "None"
        done = Command(
            ("return",), "take the selection", self.answer, label=count, enabled=selection.is_ready,
            on=selection.is_ready,
        )  # fmt: skip
        none = Command((), "choose nothing", self.answer_nothing, label="None")
        has_none = not question.least and bool(selection.chosen)
        own = [option for option in selection.chosen if isinstance(option, int)]
        is_top_off = question.asking is Asking.TOP_OFF
        warned = _warning(state, (*own[::-1], *state.arena), own) if is_top_off else ""
        return Panel(
            state=state,
            heading=heading,
            hint=f"{many}\n{first_sentence(question)}{warned}",
            choices=(selection,),
            choose=self.choose,
            commands=(done, none) if has_none else (done,),
        )

    def _hint(self, boxes: Boxes) -> tuple[Rect, str]:
        """Return the sentence on what is under the mouse, and its place."""
        seen = self.seen
        if self._under is not None and self._under in visible_tiles(seen, boxes):
            return self._under.box, puck_text(seen.state, self._under.puck)
        options = [] if seen.panel is None else option_hints(seen.panel, boxes)
        for box, text in (*hints_of(seen.state, boxes), *options):
            if box.collidepoint(self._mouse):
                return box, text
        return Rect(0, 0, 0, 0), ""

    def _press(self, at: tuple[int, int], boxes: Boxes) -> bool:
        """Choose the puck at a place."""
        tile, panel = tile_at(visible_tiles(self.seen, boxes), at), self.panel
        if tile is None or panel is None or tile.puck not in panel.pucks:
            return False
        self.choose(*panel.pucks[tile.puck])
        return True

    def _boxes(self, size: Size) -> Boxes:
        return boxes_of(size, self.playback.entry.state.table.players)


def _warning(state: BattleState, arena: Sequence[int], chosen: Sequence[Option]) -> str:
    """Return a line on the chosen pucks of a stack that next to no throw flips; empty for none."""
    found = [flip_chances(state, player, arena) for player in state.playing]
    lost = [
        state.table.label(puck)
        for puck in arena
        if puck in chosen and all(chances.get(puck, 1.0) < NO_CHANCE for chances in found)
    ]
    return f"\nSo low in the stack, hardly a throw flips these: {', '.join(lost)}." if lost else ""
