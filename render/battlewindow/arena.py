"""The Arena: its stack as a pile, and the arena from above; a slam in both while it runs."""

import pygame

from physics import Face
from render.battlewindow.beats import Beat
from render.battlewindow.boxes import Boxes
from render.battlewindow.lying import draw_lying, draw_standing, lying_pucks
from render.battlewindow.slabs import Looks, Slab
from render.battlewindow.stacks import draw_pile, pile
from render.battlewindow.thrownslams import ThrownSlam
from render.canvas import write
from render.palette import Palette, Rgb
from render.slams.motion import moment_at
from render.slams.player import Player
from render.slams.sideview import draw_side_view
from render.slams.topview import draw_top_view
from render.viewer import cut, padded
from render.viewer.drawing import draw_panel
from sim.pokepucks.battle.state import ARENA, ASIDE, BOX

_SLAB = 1.55
"""Height of a slab, in heights of text."""

_WIDEST = 15.0
"""Width of the pile, in heights of text."""

_WORDS: dict[Face, str] = {Face.UP: "up", Face.OUT: "out", Face.LEANING: "leaning"}


def arena_slabs(beat: Beat, boxes: Boxes) -> tuple[Slab, ...]:
    """Return the Arena's stack as a pile; pucks that fell are in it until they are taken."""
    words = boxes.words_px
    inside = padded(boxes.pile, 0.6 * words)
    _, inside = cut(inside, "top", 1.4 * words)
    width = min(inside.width, round(_WIDEST * words))
    box = pygame.Rect(0, inside.top, width, inside.height)
    box.centerx = inside.centerx
    return pile(beat.state.arena, box, _SLAB * words)


def draw_arena(
    surface: pygame.Surface,
    beat: Beat,
    slam: ThrownSlam | None,
    player: Player | None,
    why_unseen: str,
    boxes: Boxes,
    looks: Looks,
    palette: Palette,
) -> None:
    """Draw both views of the Arena.

    Args:
        surface: Where to.
        beat: What is shown.
        slam: The slam of the throw that lies there, if it is known.
        player: Which time of it is shown; None for after it.
        why_unseen: Why a slam that is not known is not.
        boxes: Where things are.
        looks: What is to be told of pucks.
        palette: The colours.
    """
    top = surface.subsurface(boxes.top)
    if slam is not None and player is not None:
        moment, scene = moment_at(player.motion, player.time_s), slam.replay.scene
        draw_top_view(top, scene, moment, outcome=slam.replay.outcome, palette=palette)
        if not player.at_end:
            draw_side_view(surface.subsurface(boxes.pile), scene, moment, palette=palette)
            return
    elif beat.fall is not None:
        draw_lying(top, lying_pucks(beat, slam), palette)
        if slam is None and beat.fall.outcome.hit:
            _write_below(top, why_unseen, boxes.words_px, palette)
    else:
        draw_standing(top, beat.state, palette)
    _draw_pile(surface, beat, boxes, looks, palette)


def notes_of(beat: Beat, palette: Palette) -> dict[int, tuple[str, Rgb]]:
    """Return a word on each puck in the Arena that fell other than face down, and its colour."""
    fall = beat.fall
    if fall is None:
        return {}
    colours = {Face.UP: palette.flipped, Face.OUT: palette.out, Face.LEANING: palette.leaning}
    faces = (landing.face for landing in fall.outcome.landings)
    return {
        puck: (_WORDS[face], colours[face])
        for puck, face in zip(fall.call.targets, faces, strict=True)
        if face in _WORDS and puck in beat.state.arena
    }


def _draw_pile(
    surface: pygame.Surface, beat: Beat, boxes: Boxes, looks: Looks, palette: Palette
) -> None:
    state, words, box = beat.state, boxes.words_px, boxes.pile
    draw_panel(surface, box, palette)
    inside = padded(box, 0.6 * words)
    line, _ = cut(inside, "top", 1.1 * words)
    count, size = len(state.arena), state.max_size(ARENA)
    told = f"Arena {count}/{size}" if size else f"Arena {count}"
    write(surface, told, (line.left, line.centery), size_px=words, colour=palette.text)
    beside = [
        f"{place.kind}: {len(state.stack(place))}" for place in (ASIDE, BOX) if state.stack(place)
    ]
    write(
        surface,
        ", ".join(beside),
        (line.right, line.centery),
        size_px=round(0.78 * words),
        colour=palette.faint,
        align="right",
    )
    draw_pile(surface, arena_slabs(beat, boxes), state, looks, palette)


def _write_below(surface: pygame.Surface, words: str, words_px: int, palette: Palette) -> None:
    width, height = surface.get_size()
    size_px = round(0.7 * words_px)
    place = (width / 2, height - 2 * size_px)
    write(
        surface,
        words,
        place,
        size_px=size_px,
        colour=palette.faint,
        align="centre",
        width_px=0.85 * width,
    )
