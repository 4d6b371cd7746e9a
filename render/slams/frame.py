"""A moment of a slam as a frame of a film: in space and from above, with text around it."""

from pygame import Rect, Surface

from pucklab.physics import Face, Scene, SlamOutcome
from pucklab.render.canvas import text_width, write
from pucklab.render.palette import LIGHT, Palette, Rgb
from pucklab.render.slams.camera3d import FOLLOWING, Direction, following
from pucklab.render.slams.looks import CREAM, STEEL
from pucklab.render.slams.motion import Moment
from pucklab.render.slams.space import draw_space, flips_text
from pucklab.render.slams.top_view import draw_top_view

_INSET = 0.58
"""Side of the top view beside the main view, relative to the height of the main view."""

_MOST_WIDTH = 0.3
"""Largest side of the top view, relative to the width of the picture."""


def draw_frame(
    surface: Surface,
    scene: Scene,
    moment: Moment,
    outcome: SlamOutcome,
    caption: str,
    note: str,
    palette: Palette = LIGHT,
    direction: Direction = FOLLOWING,
    *,
    is_moving: bool = False,
) -> None:
    """Draw a moment: a large view in space, with the time, the state and the top view beside it.

    This needs no display and opens none.

    Args:
        surface: The surface to fill, best about twice as wide as high.
        scene: The scene.
        moment: The poses of the pieces.
        outcome: Result of the slam; written and marked at the end.
        caption: A line above the views.
        note: Text after the time, such as the slow-down.
        palette: The colours.
        direction: The viewing direction in space.
        is_moving: True if another moment follows at once, as in a window that plays a slam.

    Example:
        >>> from pygame import display
        >>> from pucklab.physics import SampleRate, Throw, puck_stack, puckdex_slammer, slam
        >>> from pucklab.render.slams.motion import moment_at, motion_of
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
        >>> result = slam(scene, Throw(speed_mm_s=5000.0), SampleRate())
        >>> surface = Surface((400, 200), depth=32)
        >>> moment = moment_at(motion_of(scene, result.recording), 0.0)
        >>> draw_frame(surface, scene, moment, result.outcome, "a slam", "")
        >>> display.get_init()
        False
    """
    width, height = surface.get_size()
    words_px = min(max(round(height / 19), 13), 30)
    margin = round(0.6 * words_px)
    line = round(1.3 * words_px)
    surface.fill(palette.background)
    top, room = margin + line, width - 2 * margin
    write(surface, caption, (margin, margin + line / 2), words_px, palette.text, width_px=room)
    side_px = height - top - line - margin
    inset_px = round(min(_INSET * side_px, _MOST_WIDTH * width))
    space = Rect(margin, top, width - 3 * margin - inset_px, side_px)
    camera = following(direction, scene.arena, [moment.shot], space.width / space.height)
    draw_space(
        surface.subsurface(space), scene, moment, outcome, palette, camera, is_moving=is_moving
    )
    square = Rect(space.right + margin, space.bottom - inset_px, inset_px, inset_px)
    part = surface.subsurface(square)
    draw_top_view(part, scene, moment, outcome=outcome, palette=palette, is_moving=is_moving)
    words = [(time_text(moment.time_s), round(1.3 * words_px), palette.text)]
    words += [(note, words_px, palette.faint)] if note else []
    words += [(part, words_px, palette.text) for part in state_text(moment, outcome).split(", ")]
    for number, (text, size_px, colour) in enumerate(words):
        place = (square.left, top + (number + 0.5) * line)
        write(surface, text, place, size_px, colour, width_px=inset_px)
    write_legend(surface, scene, (margin, top + side_px + line / 2 + margin / 2), words_px, palette)


def state_text(moment: Moment, outcome: SlamOutcome) -> str:
    """Return the number of pieces face up, or at the end the result of the slam.

    Before the end, a piece that is face up may still be turning.
    """
    if not moment.at_end:
        stack = moment.face_up[:-1]
        return f"face up: {sum(stack)} of {len(stack)}"
    if not outcome.hit:
        return "missed the stack"
    counts = [flips_text(len(outcome.flipped), len(outcome.out))]
    leaning = [piece.face for piece in outcome.pieces].count(Face.LEANING)
    counts += [f"{leaning} leaning"] if leaning else []
    counts += ["slammer out"] if outcome.slammer.face is Face.OUT else []
    return ", ".join(counts)


def time_text(time_s: float) -> str:
    """Return a time as text, in milliseconds.

    Example:
        >>> time_text(0.00234), time_text(0.84851), time_text(-0.0051)
        ('2.3 ms', '849 ms', '-5.1 ms')
    """
    time_ms = 1000 * time_s
    return f"{time_ms:.1f} ms" if time_ms < 99.95 else f"{time_ms:.0f} ms"


def write_legend(
    surface: Surface,
    scene: Scene,
    place: tuple[float, float],
    words_px: int,
    palette: Palette,
) -> None:
    """Write the meaning of the colours, in a line that begins at ``place``."""
    x, y = place
    entries: list[tuple[str, Rgb]] = [
        ("puck, back", LIGHT.puck_back),
        ("puck, face", CREAM),
        (f"slammer, {scene.slammer.mass_g:g} g", STEEL),
    ]
    for name, colour in entries:
        box = Rect(round(x), round(y - 0.3 * words_px), words_px, round(0.6 * words_px))
        surface.fill(colour, box)
        x = box.right + words_px / 3
        write(surface, name, (x, y), words_px, palette.faint)
        x += text_width(name, words_px) + words_px
