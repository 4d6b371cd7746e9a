"""The two views of one sample of a recording: from the side, and from above."""

from dataclasses import dataclass

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Face, Piece, Recording, Scene, Slammer, SlamOutcome
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import FINE, draw_stroke, fine_canvas, text_width, write
from render.geometry import View, disc_from_above, headings, side_motion, slab
from render.palette import LIGHT, Palette, Rgb

_WALL_MM = 6.0
_MARGIN_MM = 12.0
_CLOSEST_MM = 55.0
"""The side view shows at least so much to each side of the stack."""

_THINNEST_PX = (2.4, 4.0)
"""A piece is drawn at least so thick, in a stack and alone, for both its colours to be seen."""

_SCALE_BARS_MM = (10, 20, 50, 100, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    body: Rgb
    face: Rgb


def draw_side_view(
    surface: pygame.Surface,
    scene: Scene,
    recording: Recording,
    sample: int,
    *,
    palette: Palette = LIGHT,
) -> None:
    """Draw one sample from the side, each piece in its own vertical plane.

    The view is close at first and gets wider as the pieces fly, up to the arena. A piece outside
    it has an arrow at the edge.

    Args:
        surface: Where to; all of it is used.
        scene: The scene that was recorded.
        recording: The recording.
        sample: Which of its samples.
        palette: The colours.
    """
    width, height = surface.get_size()
    words_px = _words_px(height)
    band_px = round(1.3 * words_px)
    pieces = (*scene.stack, scene.slammer)
    ways, angles = side_motion(recording, scene.arena)
    half_mm = _half_width_mm(scene, recording, ways, sample, (height - band_px) / width)
    scale = width / (2 * half_mm)
    with fine_canvas(surface) as fine:
        view = View(
            scale=FINE * scale, x_px=FINE * width / 2, y_px=float(FINE * (height - band_px))
        )
        fine.fill(palette.arena)
        _draw_walls(fine, view, scene, palette)
        middles = np.stack((ways[sample], recording.height_mm[sample]), axis=1)
        for index, (piece, look) in enumerate(zip(pieces, _looks(scene, palette), strict=True)):
            thickness_mm = max(piece.thickness_mm, _room_mm(middles, index, scale))
            lift_mm = (thickness_mm - piece.thickness_mm) / 2
            angle = float(angles[sample, index])
            foot = middles[index] + np.array([0.0, lift_mm * abs(np.cos(angle))])
            _draw_slab(fine, view, foot, angle, thickness_mm, look)
            _draw_arrow(fine, view.at(middles[index : index + 1])[0], view, look.body, band_px)
        floor = pygame.Rect(0, FINE * (height - band_px), FINE * width, FINE * band_px)
        fine.fill(palette.floor, floor)
        fine.fill(palette.wall, (floor.left, floor.top, floor.width, FINE))
    _label_side(surface, scale, band_px, words_px, palette)


def draw_top_view(
    surface: pygame.Surface,
    scene: Scene,
    recording: Recording,
    sample: int,
    *,
    outcome: SlamOutcome | None = None,
    palette: Palette = LIGHT,
) -> None:
    """Draw one sample from above, with the way of each piece so far.

    At the last sample, and if there is an outcome, pieces that flipped, lean or left the arena
    are marked.

    Args:
        surface: Where to; the largest square at its middle is used.
        scene: The scene that was recorded.
        recording: The recording.
        sample: Which of its samples.
        outcome: What the slam came to.
        palette: The colours.
    """
    width, height = surface.get_size()
    scale = min(width, height) / (2 * (scene.arena.half_side_mm + _WALL_MM + _MARGIN_MM))
    places = recording.top_mm[sample]
    axes = _axes(recording, sample)
    order = np.argsort(recording.height_mm[sample], kind="stable").tolist()
    pieces = (*scene.stack, scene.slammer)
    looks = _looks(scene, palette)
    at_end = outcome is not None and sample in (-1, len(recording.time_s) - 1)
    with fine_canvas(surface) as fine:
        view = View(scale=FINE * scale, x_px=FINE * width / 2, y_px=FINE * height / 2)
        fine.fill(palette.background)
        _draw_box(fine, view, scene, palette)
        _draw_paths(fine, view, recording, sample, palette)
        for index in order:
            angle = float(recording.angle_rad[sample, index])
            _draw_disc(
                fine, view, pieces[index], places[index], axes[index], angle, looks[index], palette
            )
        marks = _marks(outcome, palette) if outcome is not None and at_end else {}
        for index in order:
            face, colour = marks.get(index, (None, looks[index].body))
            if face is not None:
                at = view.at(places[index : index + 1])[0]
                _draw_mark(fine, at, view.scale, face, (colour, palette.edge))
            _draw_arrow(fine, view.at(places[index : index + 1])[0], view, colour, 0)
    for index in order:
        piece = pieces[index]
        flat = abs(float(np.cos(recording.angle_rad[sample, index]))) > 0.5
        if isinstance(piece, Slammer) and flat and index not in marks:
            x, y = view.at(places[index : index + 1])[0]
            _label_slammer(surface, piece, (x / FINE, y / FINE), scale, palette)


def _looks(scene: Scene, palette: Palette) -> list[_Look]:
    puck = _Look(body=palette.puck_back, face=palette.puck_face)
    thrown = _Look(body=palette.slammer, face=palette.slammer_face)
    return [*[puck] * len(scene.stack), thrown]


def _axes(recording: Recording, sample: int) -> NDArray[np.float64]:
    """Return the horizontal axis of the plane each piece is in at a sample; shape (B, 2)."""
    impact, own = headings(recording)
    during = sample % len(recording.time_s) < recording.impact_samples
    return np.broadcast_to(impact, own.shape) if during else own


def _half_width_mm(
    scene: Scene,
    recording: Recording,
    ways_mm: NDArray[np.float64],
    sample: int,
    height_per_width: float,
) -> float:
    """Return how far the side view shows to each side: enough for all up to now."""
    upto = sample % len(recording.time_s) + 1
    sideways = np.abs(ways_mm[:upto]).max() + 1.2 * PIECE_RADIUS_MM
    upwards = recording.height_mm[:upto].max() + 1.2 * PIECE_RADIUS_MM
    widest = scene.arena.half_side_mm + _WALL_MM + _MARGIN_MM
    needed = max(sideways, upwards / (2 * height_per_width), _CLOSEST_MM)
    return float(min(needed, widest))


def _draw_walls(fine: pygame.Surface, view: View, scene: Scene, palette: Palette) -> None:
    half, high = scene.arena.half_side_mm, scene.arena.wall_height_mm
    for low in (-half - _WALL_MM, half):
        corners = np.array([[low, 0.0], [low + _WALL_MM, 0.0], [low + _WALL_MM, high], [low, high]])
        pygame.draw.polygon(fine, palette.wall, view.at(corners))


def _room_mm(middles_mm: NDArray[np.float64], index: int, scale: float) -> float:
    """Return how thick a piece may be drawn beyond its thickness, not to cover its neighbours."""
    least_mm, most_mm = (px / scale for px in _THINNEST_PX)
    apart = np.abs(np.delete(middles_mm, index, axis=0) - middles_mm[index])
    gaps_mm = apart[apart[:, 0] < PIECE_RADIUS_MM, 1]
    return float(np.clip(gaps_mm.min(initial=most_mm), least_mm, most_mm))


def _draw_slab(
    fine: pygame.Surface,
    view: View,
    middle_mm: NDArray[np.float64],
    angle_rad: float,
    thickness_mm: float,
    look: _Look,
) -> None:
    half_mm = thickness_mm / 2
    for low, high, colour in ((-half_mm, 0.0, look.body), (0.0, half_mm, look.face)):
        corners = slab(middle_mm, angle_rad, low, high, PIECE_RADIUS_MM)
        pygame.draw.polygon(fine, colour, view.at(corners))


def _draw_box(fine: pygame.Surface, view: View, scene: Scene, palette: Palette) -> None:
    for half_mm, colour in (
        (scene.arena.half_side_mm + _WALL_MM, palette.wall),
        (scene.arena.half_side_mm, palette.arena),
    ):
        corners = half_mm * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        pygame.draw.polygon(fine, colour, view.at(corners))


def _draw_paths(
    fine: pygame.Surface, view: View, recording: Recording, sample: int, palette: Palette
) -> None:
    upto = sample % len(recording.time_s) + 1
    if upto < 2:
        return
    for index in range(recording.top_mm.shape[1]):
        pygame.draw.lines(
            fine, palette.path, False, view.at(recording.top_mm[:upto, index]), round(1.2 * FINE)
        )


def _draw_disc(
    fine: pygame.Surface,
    view: View,
    piece: Piece,
    middle_mm: NDArray[np.float64],
    heading: NDArray[np.float64],
    angle_rad: float,
    look: _Look,
    palette: Palette,
) -> None:
    face_up = bool(np.cos(angle_rad) > 0)
    outline, cap = disc_from_above(
        middle_mm, heading, angle_rad, piece.thickness_mm, PIECE_RADIUS_MM
    )
    seen, under = (look.face, look.body) if face_up else (look.body, look.face)
    pygame.draw.polygon(fine, under, view.at(outline))
    pygame.draw.polygon(fine, seen, view.at(cap))
    pygame.draw.polygon(fine, palette.edge, view.at(outline), FINE)
    if face_up:
        _, ring = disc_from_above(
            middle_mm, heading, angle_rad, piece.thickness_mm, 0.72 * PIECE_RADIUS_MM
        )
        pygame.draw.polygon(fine, palette.edge, view.at(ring), FINE)


def _marks(outcome: SlamOutcome, palette: Palette) -> dict[int, tuple[Face, Rgb]]:
    """Return the marks of the stack's pieces by index; of the slammer only that it is out."""
    colours = {
        Face.UP: palette.flipped,
        Face.LEANING: palette.leaning,
        Face.OUT: palette.out,
    }
    marks = {
        index: (piece.face, colours[piece.face])
        for index, piece in enumerate(outcome.pieces)
        if piece.face in colours
    }
    if outcome.slammer.face is Face.OUT:
        marks[len(outcome.pieces)] = (Face.OUT, palette.out)
    return marks


def _draw_mark(
    fine: pygame.Surface,
    at: tuple[float, float],
    scale: float,
    face: Face,
    colours: tuple[Rgb, Rgb],
) -> None:
    """Draw a ring with a tick for flipped, a slash for leaning and a cross for out in it.

    Args:
        fine: Where to.
        at: Its middle.
        scale: Pixels per millimetre.
        face: Which mark.
        colours: Of the ring and of what is in it.
    """
    x, y = at
    ring = scale * PIECE_RADIUS_MM * 1.12
    stroke = max(FINE, round(0.16 * ring))
    pygame.draw.circle(fine, colours[0], at, ring, stroke)
    arm = 0.42 * ring
    strokes = {
        Face.UP: [[(-arm, 0.0), (-0.25 * arm, 0.75 * arm), (arm, -0.75 * arm)]],
        Face.LEANING: [[(-arm, arm), (arm, -arm)]],
        Face.OUT: [[(-arm, -arm), (arm, arm)], [(-arm, arm), (arm, -arm)]],
    }
    for line in strokes.get(face, []):
        draw_stroke(fine, colours[1], [(x + dx, y + dy) for dx, dy in line], stroke)


def _draw_arrow(
    fine: pygame.Surface, at: tuple[float, float], view: View, colour: Rgb, below_px: float
) -> None:
    """Draw an arrow at the edge that points to a piece outside the picture."""
    width, height = fine.get_size()
    height -= round(FINE * below_px)
    size = 7.0 * FINE
    hidden = view.scale * PIECE_RADIUS_MM * 0.8
    x, y = at
    if -hidden < x < width + hidden and -hidden < y < height + hidden:
        return
    tip_x, tip_y = min(max(x, FINE), width - FINE), min(max(y, FINE), height - FINE)
    tip_x, tip_y = float(tip_x), float(tip_y)
    dx, dy = x - width / 2, y - height / 2
    if tip_x == x:
        dx = 0.0
    elif tip_y == y:
        dy = 0.0
    length = float(np.hypot(dx, dy))
    ux, uy = dx / length, dy / length
    base_x, base_y = tip_x - 1.4 * size * ux, tip_y - 1.4 * size * uy
    wing = 0.7 * size
    pygame.draw.polygon(
        fine,
        colour,
        [
            (tip_x, tip_y),
            (base_x - wing * uy, base_y + wing * ux),
            (base_x + wing * uy, base_y - wing * ux),
        ],
    )


def _label_side(
    surface: pygame.Surface, scale: float, band_px: int, words_px: int, palette: Palette
) -> None:
    width, height = surface.get_size()
    fitting = [bar for bar in _SCALE_BARS_MM if bar * scale < 0.3 * width]
    bar_mm = fitting[-1] if fitting else _SCALE_BARS_MM[0]
    y = height - band_px / 2
    right = width - words_px / 2
    words = f"{bar_mm} mm"
    write(surface, words, (right, y), size_px=words_px, colour=palette.faint, align="right")
    end = right - text_width(words, words_px) - words_px / 3
    begin = end - bar_mm * scale
    pygame.draw.line(surface, palette.faint, (begin, y), (end, y), 2)
    for x in (begin, end):
        pygame.draw.line(surface, palette.faint, (x, y - 3), (x, y + 3), 2)
    write(
        surface,
        "from the side",
        (words_px / 2, y),
        size_px=words_px,
        colour=palette.faint,
        width_px=begin - words_px,
    )


def _label_slammer(
    surface: pygame.Surface,
    slammer: Slammer,
    at: tuple[float, float],
    scale: float,
    palette: Palette,
) -> None:
    width, height = surface.get_size()
    room = 1.25 * PIECE_RADIUS_MM * scale
    if 0 < at[0] < width and 0 < at[1] < height:
        write(
            surface,
            f"{slammer.mass_g:g} g",
            at,
            size_px=max(11, round(0.55 * room)),
            colour=palette.on_slammer,
            align="centre",
            width_px=room,
        )


def _words_px(height_px: int) -> int:
    return min(max(round(height_px / 16), 14), 24)
