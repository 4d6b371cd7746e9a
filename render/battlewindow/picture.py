"""The picture of the window without its buttons, and the parts of it under the mouse.

`draw_battle` draws everything: header, Arena, players, the panel of a question. `Seen` is what it
draws; `visible_tiles` are the pucks to click on.
"""

from pygame import Rect, Surface

from physics.facts import fact
from render.battlewindow.arena import (
    ArenaScene,
    arena_tiles,
    chance_notes,
    draw_arena,
    notes_of,
    scene_of_arena,
    standing,
)
from render.battlewindow.panels import Boxes, columns_of, draw_plate, draw_player
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.question_panel import Panel, draw_panel_of
from render.battlewindow.stacks import PuckMarks, PuckTile, draw_stack, draw_tile
from render.battlewindow.throwing import Throwing, draw_throwing
from render.battlewindow.timeline import TimelineEntry
from render.canvas import wrapped, write
from render.palette import Palette
from render.viewer.widgets import draw_box, draw_panel
from sim.pokepucks.battle.explanations import flip_chances, knock_out_chance
from sim.pokepucks.battle.questions import Asking
from sim.pokepucks.battle.state import ARENA, BattleState, Step

_LARGE, _DOT = 1.5, 0.7
"""Heights of the title and of the dots for attacks, in text heights."""


@fact
class Seen:
    """Contents of the window."""

    playback: BattlePlayback
    panel: Panel | None  # the question, set-up or throw that is open
    throwing: Throwing | None  # the throw that is aimed
    with_chances: bool  # show the chance of each puck to flip
    origin: str  # seed and throws of the battle

    @property
    def state(self) -> BattleState:
        """The battle as far as it may be shown, or as the set-up is planned."""
        planned = None if self.panel is None else self.panel.planned
        return planned or self.playback.visible.state

    @property
    def arena(self) -> tuple[int, ...]:
        """The Arena, with the pucks below it that are chosen to top it off."""
        panel = self.panel
        if panel is not None and panel.asking is Asking.TOP_OFF:
            return (*(o for o in panel.chosen[::-1] if isinstance(o, int)), *self.state.arena)
        return self.state.arena

    @property
    def is_choosing(self) -> bool:
        """True while a person decides which puck lies where."""
        panel = self.panel
        return panel is not None and (panel.planned is not None or panel.asking is Asking.TOP_OFF)

    @property
    def chances(self) -> dict[int, float]:
        """The chance of each puck in the Arena to flip by the next throw, if it is shown."""
        state = self.state
        entry = self.playback.visible
        is_stack = entry.last_throw is None or entry.is_restacked
        if not is_stack or not (self.with_chances or self.is_choosing):
            return {}
        if self.throwing is not None:
            call = self.throwing.call
            return flip_chances(state, call.player, call.targets)
        if not self.is_choosing:
            return flip_chances(state, state.player, self.arena)
        # A puck has no chance if neither slammer flips it.
        both = [flip_chances(state, player, self.arena) for player in state.playing]
        return {puck: max(found.get(puck, 0.0) for found in both) for puck in self.arena}

    def scene(self) -> ArenaScene:
        """Return the Arena in space."""
        planned = self.panel is not None and self.panel.planned is not None
        if planned or self.arena != self.playback.visible.state.arena:
            return standing(self.state, self.arena)
        return scene_of_arena(self.playback)


def draw_battle(surface: Surface, seen: Seen, boxes: Boxes, palette: Palette) -> None:
    """Draw header, Arena, players, and the panel of a question, around the log."""
    playback, entry, state = seen.playback, seen.playback.visible, seen.state
    marks = _puck_marks(seen, palette)
    surface.fill(palette.background)
    step = entry.before.step if seen.panel is None else entry.state.step
    draw_header(surface, entry, step, boxes, seen.origin, palette)
    if seen.throwing is not None:
        faces = standing(state, seen.throwing.call.targets).faces
        draw_throwing(surface, boxes, seen.throwing, faces, palette)
    else:
        draw_arena(surface, boxes, seen.scene(), palette)
    for player in range(state.table.players):
        draw_player(surface, state, player, boxes, marks, palette)
    if not playback.slam_runs:
        _draw_ladder(surface, seen, boxes, marks, palette)
    _draw_banner(surface, seen, boxes, palette)
    draw_panel(surface, boxes.transcript, palette)
    if seen.panel is not None:
        draw_panel_of(surface, seen.panel, boxes, palette)
    for tile in _moving_tiles(seen, boxes):
        draw_tile(surface, tile, state.design(tile.puck), PuckMarks(lit=[tile.puck]), palette)


def visible_tiles(seen: Seen, boxes: Boxes) -> list[PuckTile]:
    """Return the tiles of all pucks in stacks."""
    tiles = _tiles_in(seen.state, boxes)
    return tiles if seen.playback.slam_runs else [*tiles, *arena_tiles(seen.arena, boxes)]


def _tiles_in(state: BattleState, boxes: Boxes) -> list[PuckTile]:
    players = range(state.table.players)
    columns = (column for player in players for column in columns_of(state, player, boxes))
    return [tile for column in columns for tile in column.tiles]


def _moving_tiles(seen: Seen, boxes: Boxes) -> list[PuckTile]:
    """Return the tiles of pucks on their way from one stack to another."""
    playback, found = seen.playback, []
    entry, share = playback.visible, seen.playback.moved
    if share >= 1 or not entry.pucks:
        return []
    before, after = (
        {tile.puck: tile for tile in (*_tiles_in(state, boxes), *arena_tiles(state.arena, boxes))}
        for state in (entry.before, entry.state)
    )
    for puck in entry.pucks & before.keys() & after.keys():
        begin, end = before[puck].box, after[puck].box
        way = [round(a + share * (b - a)) for a, b in zip(begin, end, strict=True)]
        found.append(PuckTile(puck=puck, box=Rect(way), words_px=after[puck].words_px))
    return found


def _draw_ladder(
    surface: Surface, seen: Seen, boxes: Boxes, marks: PuckMarks, palette: Palette
) -> None:
    """Draw the pucks of the Arena as a stack, the one that is first to fly on top."""
    state, words, tiles = seen.state, boxes.words_px, arena_tiles(seen.arena, boxes)
    if not tiles and not state.max_size(ARENA):
        return
    top = min((tile.box.top for tile in tiles), default=boxes.ladder.bottom)
    plate = Rect(boxes.ladder.left, 0, boxes.ladder.width, 0)
    plate.top, plate.height = (
        round(top - 2.2 * words),
        round(boxes.ladder.bottom - top + 2.2 * words),
    )
    draw_plate(surface, plate.inflate(words // 2, words // 2), palette)
    count, size = len(seen.arena), state.max_size(ARENA)
    text = f"Arena {count}/{size}" if size else f"Arena {count}"
    write(surface, text, (plate.left, plate.top + words / 2), words, palette.text)
    small = round(0.72 * words)
    hint = "the top is first to fly"
    at, room = (plate.left, plate.top + 1.5 * words), plate.width
    write(surface, hint, at, small, palette.faint, width_px=room)
    draw_stack(surface, tiles, state, marks, palette)


def _draw_banner(surface: Surface, seen: Seen, boxes: Boxes, palette: Palette) -> None:
    """Say that the past is shown, or the chance of the knock-out that is tried."""
    playback, words = seen.playback, boxes.words_px
    state, text, colour = seen.state, "", palette.accent
    throw = None if seen.throwing is None else seen.throwing.call
    asked = None if seen.panel is None else seen.panel.asking
    if playback.is_past:
        text = "This is the past: End, or a click here, comes back to now"
    elif (throw is not None and throw.knock_out) or asked in {Asking.KNOCK_OUT, Asking.SHIELDS}:
        chance, names = knock_out_chance(state, state.player), state.table.names
        if chance is not None:
            text = f"{names[state.player]} is knocked out by {100 * chance.value:.0f} % of throws"
            colour = palette.out
    if text:
        box = banner_box(boxes)
        draw_box(surface, box, colour, radius_px=box.height // 4)
        size_px, room = round(0.9 * words), box.width - words
        ink = palette.on_accent
        write(surface, text, box.center, size_px, ink, align="centre", width_px=room)


def banner_box(boxes: Boxes) -> Rect:
    """Return the place of the banner over the Arena."""
    words = boxes.words_px
    box = Rect(0, boxes.free.top + words // 2, round(0.94 * boxes.free.width), 2 * words)
    box.centerx = boxes.free.centerx
    return box


def draw_header(
    surface: Surface,
    entry: TimelineEntry,
    step: Step,
    boxes: Boxes,
    origin: str,
    palette: Palette,
) -> None:
    """Draw two lines: turn, step, attacks and origin of the battle; and the current event."""
    box, words = boxes.header, boxes.words_px
    first, second = box.top + 0.85 * words, box.bottom - 0.55 * words
    large = round(_LARGE * words)
    x: float = box.left + write(
        surface,
        turn_text(entry.state),
        (box.left, first),
        large,
        palette.text,
        width_px=0.45 * box.width,
    )
    x += words
    is_told = entry.is_turn or entry.is_last or not entry.state.turn.number
    step_text = "" if is_told else str(step)
    x += write(surface, step_text, (x, first), words, palette.faint) + words
    x = _draw_attacks(surface, entry.state, (x, first), words, palette)
    room = box.right - x - words
    write(
        surface,
        origin,
        (box.right, first),
        round(0.8 * words),
        palette.faint,
        align="right",
        width_px=room,
    )
    place = (box.left, second)
    line, *more = wrapped(entry.words, words, 2 * box.width // 3)
    line += " ..." if more else ""
    write(surface, line, place, words, palette.text)


def turn_text(state: BattleState) -> str:
    """Return the title of a state: the turn, or the result of the battle."""
    if state.winner is not None:
        return f"{state.table.names[state.winner]} wins"
    if state.step is Step.OVER:
        return "A draw"
    if not state.turn.number:
        return "Set-up"
    return f"Turn {state.turn.number}: {state.table.names[state.player]}"


def attacks_text(state: BattleState) -> str:
    """Return the numbers of attacks made, of the turn, and granted; empty before they are known."""
    turn = state.turn
    if not turn.attacks:
        return ""
    more = f", {len(turn.grants)} more" if turn.grants else ""
    return f"attacks {turn.made} of {turn.attacks}{more}"


def _draw_attacks(
    surface: Surface,
    state: BattleState,
    place: tuple[float, float],
    words: int,
    palette: Palette,
) -> float:
    """Draw the attacks as dots, filled once made; return the x at which they end."""
    text = "" if state.step is Step.OVER else attacks_text(state)
    if not text:
        return place[0]
    x = place[0] + write(surface, text, place, words, palette.text) + words / 2
    dot_px = max(round(_DOT * words), 6)
    for number in range(state.turn.attacks):
        dot = Rect(round(x), round(place[1] - dot_px / 2), dot_px, dot_px)
        draw_box(surface, dot, palette.accent, radius_px=dot_px // 2)
        if number >= state.turn.made:
            draw_box(surface, dot.inflate(-4, -4), palette.background, radius_px=dot_px // 2 - 2)
        x += 1.3 * dot_px
    return x


def _puck_marks(seen: Seen, palette: Palette) -> PuckMarks:
    entry, panel = seen.playback.visible, seen.panel
    notes = notes_of(entry, palette) | chance_notes(seen.chances, palette)
    is_moving = seen.playback.moved < 1
    return PuckMarks(
        lit=entry.pucks,
        offered=() if panel is None else panel.pucks,
        chosen=() if panel is None else panel.chosen_pucks,
        notes=notes,
        hidden=entry.pucks if is_moving and panel is None else (),
    )
