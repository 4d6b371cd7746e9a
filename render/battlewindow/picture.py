"""All of the window's picture but its buttons, and what of it the mouse can be on.

Above the views: whose turn it is, where in it, its attacks, and what happens.
"""

import pygame

from render.battlewindow.arena import arena_slabs, draw_arena, notes_of
from render.battlewindow.asking import Choice, asking_boxes, draw_asking
from render.battlewindow.beats import Beat
from render.battlewindow.panels import Boxes, Looks, Slab, columns_of, draw_player
from render.battlewindow.transcript import Entry, draw_transcript, entries_of, wrapped
from render.battlewindow.walk import Walk
from render.canvas import write
from render.palette import Palette
from render.viewer.widgets import draw_box
from sim.pokepucks.battle import BattleState, Step

_LARGE, _PIP = 1.5, 0.7
"""In heights of text."""


def draw_header(
    surface: pygame.Surface, beat: Beat, step: Step, boxes: Boxes, origin: str, palette: Palette
) -> None:
    """Draw two lines: turn, step, attacks and where the battle is from; and what happens.

    Args:
        surface: Where to.
        beat: What is shown.
        step: Where in the turn it is.
        boxes: Where things are.
        origin: Where the battle is from.
        palette: The colours.
    """
    box, words = boxes.header, boxes.words_px
    first, second = box.top + 0.85 * words, box.bottom - 0.55 * words
    large = round(_LARGE * words)
    x: float = box.left + write(
        surface,
        turn_text(beat.state),
        (box.left, first),
        size_px=large,
        colour=palette.text,
        width_px=0.45 * box.width,
    )
    x += words
    told = "" if beat.is_turn or beat.is_last else str(step)
    x += write(surface, told, (x, first), size_px=words, colour=palette.faint) + words
    x = _draw_attacks(surface, beat.state, (x, first), words, palette)
    room = box.right - x - words
    write(
        surface,
        origin,
        (box.right, first),
        size_px=round(0.8 * words),
        colour=palette.faint,
        align="right",
        width_px=room,
    )
    place = (box.left, second)
    told, *more = wrapped(beat.words, words, box.width - words)
    told += " ..." if more else ""
    write(surface, told, place, size_px=words, colour=palette.text)


def turn_text(state: BattleState) -> str:
    """Return whose turn it is, or how the battle ended."""
    if state.winner is not None:
        return f"{state.table.names[state.winner]} wins"
    if state.step is Step.OVER:
        return "A draw"
    if not state.turn.number:
        return "Set-up"
    return f"Turn {state.turn.number}: {state.table.names[state.player]}"


def attacks_text(state: BattleState) -> str:
    """Return how many of the turn's attacks are made, and how many there are beyond them.

    Empty before they are counted.
    """
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
    """Draw the attacks as dots, those that are made filled; return where they end."""
    told = "" if state.step is Step.OVER else attacks_text(state)
    if not told:
        return place[0]
    x = place[0] + write(surface, told, place, size_px=words, colour=palette.text) + words / 2
    pip = max(round(_PIP * words), 6)
    for number in range(state.turn.attacks):
        dot = pygame.Rect(round(x), round(place[1] - pip / 2), pip, pip)
        draw_box(surface, dot, palette.accent, radius_px=pip // 2)
        if number >= state.turn.made:
            draw_box(surface, dot.inflate(-4, -4), palette.background, radius_px=pip // 2 - 2)
        x += 1.3 * pip
    return x


def draw_battle(
    surface: pygame.Surface,
    walk: Walk,
    choice: Choice | None,
    boxes: Boxes,
    origin: str,
    palette: Palette,
) -> None:
    """Draw header, Arena, players, transcript, and the question that a person is asked.

    Args:
        surface: Where to.
        walk: The battle, and which beat of it is shown.
        choice: What a person has chosen of what they are asked; None if nobody is asked.
        boxes: Where things are.
        origin: Where the battle is from.
        palette: The colours.
    """
    beat, state = walk.seen, walk.seen.state
    looks = _looks(walk, choice, palette)
    surface.fill(palette.background)
    step = beat.before.step if choice is None else state.step
    draw_header(surface, beat, step, boxes, origin, palette)
    why = walk.slams.why_unseen
    draw_arena(surface, beat, walk.slam, walk.course.slam, why, boxes, looks, palette)
    for player in range(state.table.players):
        draw_player(surface, state, player, boxes, looks, palette)
    beats = (*walk.game.beats[: walk.course.index], beat)
    draw_transcript(surface, beats, _transcript(walk, choice, boxes), boxes.words_px, palette)
    if choice is not None:
        draw_asking(surface, boxes, state, choice, palette)


def slabs_of(walk: Walk, boxes: Boxes) -> list[Slab]:
    """Return all pucks that can be seen in a stack."""
    beat = walk.seen
    players = range(beat.state.table.players)
    columns = (column for player in players for column in columns_of(beat.state, player, boxes))
    slabs = [slab for column in columns for slab in column.slabs]
    return slabs if walk.course.slam_runs else [*slabs, *arena_slabs(beat, boxes)]


def line_at(walk: Walk, choice: Choice | None, boxes: Boxes, at: tuple[int, int]) -> Entry | None:
    """Return the beat in the transcript at a place, if there is one."""
    box = _transcript(walk, choice, boxes)
    if not box.collidepoint(at):
        return None
    entries = entries_of(walk.game.beats[: walk.course.index + 1], box, boxes.words_px)
    return next((entry for entry in entries if entry.box.collidepoint(at)), None)


def _transcript(walk: Walk, choice: Choice | None, boxes: Boxes) -> pygame.Rect:
    if choice is None:
        return boxes.transcript
    return asking_boxes(boxes, walk.beat.state, choice)[0]


def _looks(walk: Walk, choice: Choice | None, palette: Palette) -> Looks:
    return Looks(
        lit=walk.seen.pucks,
        offered=() if choice is None else choice.pucks,
        chosen=() if choice is None else choice.chosen_pucks,
        notes=notes_of(walk.seen, palette),
    )
