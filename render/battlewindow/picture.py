"""All of the window's picture but its buttons, and what of it the mouse can be on."""

import pygame

from render.battlewindow.arena import arena_slabs, draw_arena, notes_of
from render.battlewindow.asking import asking_boxes, draw_asking
from render.battlewindow.boxes import Boxes
from render.battlewindow.choice import Choice
from render.battlewindow.header import draw_header
from render.battlewindow.panels import columns_of, draw_player
from render.battlewindow.slabs import Looks, Slab
from render.battlewindow.transcript import Entry, draw_transcript, entries_of
from render.battlewindow.walk import Walk
from render.palette import Palette


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
