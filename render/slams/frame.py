"""A moment of a slam as a picture: in space, from the side and from above, with text around it.

`draw_space` draws the main view of films and film strips, `draw_frame` a whole frame.
"""

import pygame

from physics import Face, Scene, SlamOutcome
from render.canvas import text_width, write
from render.palette import LIGHT, Palette, Rgb
from render.slams.camera3d import OVERVIEW, Camera3D, fitted, following, view_of
from render.slams.motion import Moment
from render.slams.outcome_marks import outcome_marks
from render.slams.poses import pose_of
from render.slams.side_view import draw_side_view
from render.slams.top_view import draw_top_view
from render.slams.view3d import draw_smooth_view3d, draw_view3d

_INSET = 0.5
"""Side of the top view beside the main view, relative to the height of the main view."""


def draw_frame(
    surface: pygame.Surface,
    scene: Scene,
    moment: Moment,
    *,
    outcome: SlamOutcome | None = None,
    caption: str = "",
    note: str = "",
    palette: Palette = LIGHT,
) -> None:
    """Draw a moment: a large view in space, with the side view and the top view beside it.

    This needs no display and opens none.

    Args:
        surface: The surface to fill, best about twice as wide as high.
        scene: The scene.
        moment: The places of the pieces.
        outcome: Result of the slam; written and marked at the end.
        caption: A line above the views.
        note: Text after the time, such as the slow-down.
        palette: The colours.

    Example:
        >>> from physics import SampleRate, Throw, PieceChance, puck_stack, puckdex_slammer, slam
        >>> from render.slams.motion import moment_at, motion_of
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
        >>> result = slam(scene, Throw(speed_mm_s=5000.0, chances=(PieceChance(),)), SampleRate())
        >>> surface = pygame.Surface((400, 200), depth=32)
        >>> draw_frame(surface, scene, moment_at(motion_of(scene, result.recording), 0.0))
        >>> pygame.display.get_init()
        False
    """
    width, height = surface.get_size()
    words_px = min(max(round(height / 19), 13), 30)
    margin = round(0.6 * words_px)
    line = round(1.3 * words_px)
    surface.fill(palette.background)
    top = margin
    if caption:
        write(
            surface,
            caption,
            (margin, top + line / 2),
            size_px=words_px,
            colour=palette.text,
            width_px=width - 2 * margin,
        )
        top += line
    state_y = top + line / 2
    time = time_text(moment.time_s)
    write(surface, time, (margin, state_y), size_px=words_px, colour=palette.text)
    place = (margin + text_width("000.0 ms", words_px) + words_px / 2, state_y)
    write(surface, note, place, size_px=words_px, colour=palette.faint)
    write(
        surface,
        state_text(moment, outcome),
        (width - margin, state_y),
        size_px=words_px,
        colour=palette.text,
        align="right",
    )
    top += line
    side_px = height - top - line - margin
    inset_px = round(_INSET * side_px)
    space = pygame.Rect(margin, top, width - 3 * margin - inset_px, side_px)
    draw_space(surface.subsurface(space), scene, moment, outcome, palette)
    side = pygame.Rect(space.right + margin, top, inset_px, side_px - inset_px - margin)
    draw_side_view(surface.subsurface(side), scene, moment, palette=palette)
    square = pygame.Rect(side.left, side.bottom + margin, inset_px, inset_px)
    draw_top_view(surface.subsurface(square), scene, moment, outcome=outcome, palette=palette)
    write_legend(surface, scene, (margin, top + side_px + line / 2 + margin / 2), words_px, palette)


def draw_space(
    surface: pygame.Surface,
    scene: Scene,
    moment: Moment,
    outcome: SlamOutcome | None,
    palette: Palette,
    camera: Camera3D | None = None,
    *,
    marked: int | None = None,
    is_smooth: bool = True,
) -> None:
    """Draw a moment in space, with the number of flips so far.

    Args:
        surface: The surface to fill.
        scene: The scene.
        moment: The places of the pieces.
        outcome: Result of the slam: pieces that flipped, lean or left the arena glow as soon as
            they have come to rest.
        palette: The colours.
        camera: The camera; by default one that follows the pieces.
        marked: Index of a piece with a ring in the accent colour around it.
        is_smooth: True for smooth edges, which take about three times as long.
    """
    marks = {} if outcome is None else outcome_marks(outcome, palette)
    glow = [
        (index, colour)
        for index, (_, colour) in marks.items()
        if moment.at_end or index in moment.resting
    ]
    if marked is not None:
        glow.append((marked, palette.accent))
    if camera is None:
        camera = following(OVERVIEW, moment.reach_mm, moment.time_s)
    pose = pose_of(scene, moment)
    if is_smooth:
        draw_smooth_view3d(surface, scene, pose, camera, palette, glow=glow)
    else:
        size = surface.get_size()
        draw_view3d(surface, scene, pose, view_of(fitted(camera, size), size), palette, glow=glow)
    if outcome is not None:
        _write_flips(surface, flips_so_far(moment, outcome), moment, palette)


def flips_so_far(moment: Moment, outcome: SlamOutcome) -> int:
    """Return the number of flipped pieces that have come to rest."""
    return sum(place in moment.resting or moment.at_end for place in outcome.flipped)


def _write_flips(surface: pygame.Surface, flips: int, moment: Moment, palette: Palette) -> None:
    """Write the number of flips large at the top; none only at the end."""
    if not flips and not moment.at_end:
        return
    width, height = surface.get_size()
    size_px = max(round(height / 9), 12)
    text = f"{flips or 'NO'} FLIP{'' if flips == 1 else 'S'}"
    place = (width / 2, 0.7 * size_px)
    shift = max(size_px // 22, 1)
    colour = palette.flipped if flips else palette.faint
    for (x, y), ink in (((shift, shift), palette.background), ((0, 0), colour)):
        write(
            surface, text, (place[0] + x, place[1] + y), size_px=size_px, colour=ink, align="centre"
        )


def state_text(moment: Moment, outcome: SlamOutcome | None) -> str:
    """Return the number of pieces face up, or at the end the result of the slam.

    Before the end, a piece that is face up may still be turning.
    """
    if outcome is None or not moment.at_end:
        stack = moment.face_up[:-1]
        return f"face up: {sum(stack)} of {len(stack)}"
    if not outcome.hit:
        return "missed the stack"
    faces = [piece.face for piece in outcome.pieces]
    counts = [f"flipped: {len(outcome.flipped)} of {len(faces)}"]
    counts += [
        f"{name}: {faces.count(face)}"
        for face, name in ((Face.OUT, "out"), (Face.LEANING, "leaning"))
        if face in faces
    ]
    if outcome.slammer.face is Face.OUT:
        counts.append("slammer out")
    return "    ".join(counts)


def time_text(time_s: float) -> str:
    """Return a time as text, in milliseconds.

    Example:
        >>> time_text(0.00234), time_text(0.84851), time_text(-0.0051)
        ('2.3 ms', '849 ms', '-5.1 ms')
    """
    time_ms = 1000 * time_s
    return f"{time_ms:.1f} ms" if time_ms < 99.95 else f"{time_ms:.0f} ms"


def write_legend(
    surface: pygame.Surface,
    scene: Scene,
    place: tuple[float, float],
    words_px: int,
    palette: Palette = LIGHT,
) -> None:
    """Write the meaning of the colours, in a line that begins at ``place``."""
    x, y = place
    entries: list[tuple[str, Rgb]] = [
        ("puck, back", palette.puck_back),
        ("puck, face", palette.puck_face),
        (f"slammer, {scene.slammer.mass_g:g} g", palette.slammer),
    ]
    for name, colour in entries:
        box = pygame.Rect(round(x), round(y - 0.3 * words_px), words_px, round(0.6 * words_px))
        surface.fill(colour, box)
        x = box.right + words_px / 3
        write(surface, name, (x, y), size_px=words_px, colour=palette.faint)
        x += text_width(name, words_px) + words_px
