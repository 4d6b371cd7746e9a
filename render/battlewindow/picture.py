"""The picture of the window without its buttons, and the parts of it under the mouse.

`draw_battle` draws everything: header, Arena, players, question. `visible_tiles` are the pucks to
click on.
"""

import pygame

from render.battlewindow.arena import arena_tiles, draw_arena, notes_of
from render.battlewindow.panels import Boxes, columns_of, draw_player
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.question_panel import Selection, draw_question, question_boxes
from render.battlewindow.stacks import PuckMarks, PuckTile
from render.battlewindow.timeline import TimelineEntry
from render.canvas import wrapped, write
from render.palette import Palette
from render.viewer.widgets import draw_box, draw_panel
from sim.pokepucks.battle.state import BattleState, Step

_LARGE, _DOT = 1.5, 0.7
"""Heights of the title and of the dots for attacks, in text heights."""


def draw_battle(
    surface: pygame.Surface,
    playback: BattlePlayback,
    selection: Selection | None,
    boxes: Boxes,
    origin: str,
    palette: Palette,
) -> None:
    """Draw header, Arena, players, and the question to a person, around the transcript.

    ``origin`` tells seed and throws of the battle.
    """
    entry, state = playback.visible, playback.visible.state
    marks = _puck_marks(playback, selection, palette)
    surface.fill(palette.background)
    step = entry.before.step if selection is None else state.step
    draw_header(surface, entry, step, boxes, origin, palette)
    draw_arena(surface, playback, boxes, marks, palette)
    for player in range(state.table.players):
        draw_player(surface, state, player, boxes, marks, palette)
    draw_panel(surface, transcript_box(playback, selection, boxes), palette)
    if selection is not None:
        draw_question(surface, boxes, state, selection, palette)


def visible_tiles(playback: BattlePlayback, boxes: Boxes) -> list[PuckTile]:
    """Return the tiles of all pucks in stacks."""
    entry = playback.visible
    players = range(entry.state.table.players)
    columns = (column for player in players for column in columns_of(entry.state, player, boxes))
    tiles = [tile for column in columns for tile in column.tiles]
    return tiles if playback.slam_runs else [*tiles, *arena_tiles(entry, boxes)]


def draw_header(
    surface: pygame.Surface,
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
    step_text = "" if entry.is_turn or entry.is_last else str(step)
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
    line, *more = wrapped(entry.words, words, box.width - words)
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
    surface: pygame.Surface,
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
        dot = pygame.Rect(round(x), round(place[1] - dot_px / 2), dot_px, dot_px)
        draw_box(surface, dot, palette.accent, radius_px=dot_px // 2)
        if number >= state.turn.made:
            draw_box(surface, dot.inflate(-4, -4), palette.background, radius_px=dot_px // 2 - 2)
        x += 1.3 * dot_px
    return x


def transcript_box(
    playback: BattlePlayback, selection: Selection | None, boxes: Boxes
) -> pygame.Rect:
    """Return the place of the transcript, above the question if there is one."""
    if selection is None:
        return boxes.transcript
    return question_boxes(boxes, playback.entry.state, selection)[0]


def _puck_marks(
    playback: BattlePlayback, selection: Selection | None, palette: Palette
) -> PuckMarks:
    return PuckMarks(
        lit=playback.visible.pucks,
        offered=() if selection is None else selection.pucks,
        chosen=() if selection is None else selection.chosen_pucks,
        notes=notes_of(playback.visible, palette),
    )
