"""Slams in space without OpenGL: flat shapes, far ones first, smoothed unless they are in motion.

`draw` fills a surface with views, as `opengl.OpenGL.draw` does. Every piece is a convex disc, so
the pieces are drawn one after another: `drawing_order` finds an order in which none is drawn over a
piece in front of it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np
import pygame
import pygame.gfxdraw
from numpy.typing import NDArray
from pygame import Surface

from pucklab.render.canvas import clear_surface, new_surface, write
from pucklab.render.palette import ENERGIES, KINDS, LIGHT, Palette, Rgb, blend
from pucklab.render.slams.camera3d import NEAR_MM, Eye
from pucklab.render.slams.emblems import face_shapes
from pucklab.render.slams.looks import (
    BORDER,
    CREAM,
    STEEL,
    SUN,
    box_mesh,
    piece_looks,
)
from pucklab.render.slams.motion import Moment
from pucklab.render.slams.opengl import SpaceView, Views

Floats = NDArray[np.float64]

SMOOTH = 2
"""Samples of a pixel in each direction, for smooth edges."""

_FLOOR, _WALL, _TOP = (176, 132, 88), (142, 102, 64), (206, 164, 116)
_PLANKS, _GROOVE, _SHADE, _GLASS = 8, 0.86, 0.66, 70
_SUN: Floats = np.array(SUN) / np.linalg.norm(SUN)
_AMBIENT = 0.5
"""Brightness of a surface that the sun does not reach."""

_ANGLES = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
_CIRCLE = np.stack((np.cos(_ANGLES), np.sin(_ANGLES)), axis=1)
_EDGE = 0.4
"""Brightness of the line around the rim of a piece."""

_LETTERS_PX = 256
"""Width of the picture that the outlines of letters are taken from."""

_HALO = 1.16
"""Radius of the light around a piece, relative to the piece."""


_Shape = tuple[Rgb, list[list[float]], int]
"""Colour, pixels, and width of the line; 0 fills the shape."""


def draw(surface: Surface, views: Views, palette: Palette, samples: int = SMOOTH) -> None:
    """Fill a surface with views, with a number of samples per pixel in each direction."""
    width, height = surface.get_size()
    large = surface if samples == 1 else new_surface(samples * width, samples * height)
    large.fill(palette.background)
    for box, view in views:
        part = large.subsurface([samples * side for side in box])
        _draw_view(part, view, palette, line_px=samples)
    if large is not surface:
        pygame.transform.smoothscale(large, (width, height), surface)


def _draw_view(surface: Surface, view: SpaceView, palette: Palette, *, line_px: int) -> None:
    arena, moment = view.scene.arena, view.moment
    half, eye = arena.shown_half_mm, Eye(view.camera, surface.get_size())
    surface.fill(palette.floor)
    quads = box_mesh(arena).reshape(-1, 6, 9)[:, [0, 1, 2, 5], :6].astype(np.float64)
    beyond = np.stack([moment.centre_mm[:, k % 2] * (1, 1, -1, -1)[k] > half for k in range(4)])
    # A wall is behind the pieces if the eye is on the inner side of its plane.
    is_back = np.array([eye.place_mm[k % 2] * (1, 1, -1, -1)[k] < half for k in range(4)])
    behind = beyond[is_back].any(axis=0)
    before = beyond[~is_back].any(axis=0) & ~behind
    outside = np.asarray(beyond.any(axis=0))
    _draw_shadows(surface, eye, moment, outside, np.inf, palette.floor)
    _fill(surface, _FLOOR, eye.polygon(quads[0, :, :3]))
    _draw_shadows(surface, eye, moment, ~outside, half, _FLOOR)
    for x in half * np.linspace(-1, 1, _PLANKS + 1)[1:-1]:  # grooves
        ends = np.array([(x, -half, 0), (x, half, 0)])
        _line(surface, _lit(_FLOOR, _GROOVE), eye, ends, line_px)
    if arena.out_radius_mm is not None:  # the circle beyond which a piece is out
        circle = arena.out_radius_mm * np.column_stack((_CIRCLE, np.zeros(len(_CIRCLE))))
        for k in range(len(circle)):
            _line(surface, _lit(_FLOOR, _SHADE), eye, circle[[k - 1, k]], line_px)
    order = drawing_order(moment, eye.place_mm)
    pieces = _pieces(view, eye, line_px)

    def draw_pieces(chosen: NDArray[np.bool_]) -> None:
        for index in order:
            if chosen[index]:
                for colour, points, width_px in pieces[index]:
                    pygame.draw.polygon(surface, colour, points, width_px)

    draw_pieces(behind)
    for side in np.flatnonzero(is_back & arena.box).tolist():
        inner, top = quads[1 + 3 * side : 3 + 3 * side]
        light = 0.35 + 0.65 * float(_brightness(inner[0, 3:]))
        _fill(surface, _lit(_WALL, light), eye.polygon(inner[:, :3]))
        _fill(surface, _TOP, eye.polygon(top[:, :3]))
    draw_pieces(~behind & ~before)
    for side in np.flatnonzero(~is_back & arena.box).tolist():
        _, top, outer = quads[1 + 3 * side : 4 + 3 * side, :, :3]
        glass = eye.polygon(top)
        if len(glass) > 2:
            pygame.gfxdraw.filled_polygon(surface, glass, (*_TOP, _GLASS))
        for pair in (top[:2], top[2:], outer[:2], outer[1:3]):
            _line(surface, _TOP, eye, pair, line_px)
    draw_pieces(before)


def drawing_order(moment: Moment, eye_mm: Floats) -> list[int]:
    """Return the indices of pieces in an order in which none covers a piece in front of it.

    Two discs have a plane between them, and the one on the side of the eye may cover the other.
    Planes tried are the caps of both, and the plane across the line of their centres.
    """
    centre, normal, half_mm = moment.centre_mm, moment.rotation[:, :, 2], moment.half_mm
    radius_mm = moment.radius_mm
    between = centre[np.newaxis] - centre[:, np.newaxis]  # from i to j, (B, B, 3)
    alike = np.abs(normal @ normal.T)
    # Half of the extent of disc j along the axis of disc i, (B, B).
    extent = radius_mm * np.sqrt(np.maximum(1 - alike**2, 0.0)) + half_mm * alike
    along = np.einsum("ijk,ik->ij", between, normal)
    own = half_mm[:, np.newaxis]
    eye = ((eye_mm - centre) * normal).sum(axis=1)[:, np.newaxis]
    # Gap between the slab of i and all of j, above or below; positive if a plane separates them.
    gap = np.abs(along) - extent - own
    # The eye is beyond the cap of i on the side of j: j is in front.
    j_in_front = np.where(along > 0, eye > own, eye < -own)
    # Planes across the line of centres.
    distance = np.sqrt((between**2).sum(axis=2)) + np.eye(len(centre))
    line = between / distance[:, :, np.newaxis]
    on_line = np.abs(np.einsum("ijk,ik->ij", line, normal))
    reach = radius_mm[:, np.newaxis] * np.sqrt(np.maximum(1 - on_line**2, 0.0)) + own * on_line
    line_gap = distance - reach - reach.T
    line_front = ((eye_mm - centre)[:, np.newaxis] * line).sum(axis=2) > (
        reach + distance - reach.T
    ) / 2
    # The widest of the three gaps decides; where there is none, the distance to the eye does.
    gaps = np.stack((gap, gap.T, line_gap))
    fronts = np.stack((j_in_front, ~j_in_front.T, line_front))
    in_front = np.take_along_axis(fronts, gaps.argmax(axis=0)[np.newaxis], axis=0)[0]
    far = ((centre - eye_mm) ** 2).sum(axis=1)
    in_front = np.where(gaps.max(axis=0) < -0.6, far[:, np.newaxis] > far, in_front)
    np.fill_diagonal(in_front, val=False)
    # Far pieces first; of discs that cover each other in a circle, the one with fewest behind it.
    left, order = np.argsort(-far).tolist(), []
    behind, is_before = in_front.sum(axis=0).tolist(), in_front.tolist()
    while left:
        order.append(min(left, key=behind.__getitem__))
        left.remove(order[-1])
        behind = [count - one for count, one in zip(behind, is_before[order[-1]], strict=True)]
    return order


def _pieces(view: SpaceView, eye: Eye, line_px: int) -> list[list[_Shape]]:
    """Return the shapes of each piece, from its halo to its emblem."""
    moment, glow = view.moment, {index: colour for index, colour, _ in view.glow}
    rotation, centre = moment.rotation, moment.centre_mm[:, np.newaxis]
    normal, to_eye = rotation[:, :, 2], eye.place_mm - moment.centre_mm
    sees_face = (to_eye * normal).sum(axis=1) > 0
    side = np.where(sees_face, 1.0, -1.0)[:, np.newaxis]  # (B, 1); -1 for the back
    seen_normal = side * normal
    lift = (moment.half_mm[:, np.newaxis] * seen_normal)[:, np.newaxis]
    radius = moment.radius_mm[:, np.newaxis, np.newaxis]
    flat = radius * (_CIRCLE @ rotation[:, :, :2].transpose(0, 2, 1))
    # Corners of the rim that face the eye belong to the far cap, all others to the near one.
    outward = ((eye.place_mm - centre - flat) * flat).sum(axis=2, keepdims=True) > 0
    outline = centre + flat + np.where(outward, -lift, lift)
    rims = eye.pixels(outline).tolist()
    halos = eye.pixels(centre + _HALO * flat).tolist() if glow else []
    lights = _brightness(seen_normal).tolist()
    depth = (to_eye @ view.camera.axes[2]).tolist()
    looks = piece_looks(view.scene, view.faces)
    seen = zip(looks, sees_face.tolist(), strict=True)
    flat_points, piece, counts = _caps(
        tuple(look.face if is_face else look.back for look, is_face in seen)
    )
    # Points on all caps at once, (N, 3), by the piece that each is on; the back is turned over.
    points = radius[:, 0] * np.hstack((side**2, side))
    across = np.einsum("nij,nj->ni", rotation[piece, :, :2], points[piece] * flat_points)
    on_caps = iter(eye.pixels((centre + lift)[piece, 0] + across).tolist())
    found: list[list[_Shape]] = []
    for index, (look, shapes) in enumerate(zip(looks, counts, strict=True)):
        rim = STEEL if look.is_metal else CREAM
        drawn = [(_lit(rim, light), rims[index], px) for light, px in ((0.62, 0), (_EDGE, line_px))]
        if index in glow:
            drawn.insert(0, (glow[index], halos[index], 0))
        for colour, count in shapes:
            drawn.append((_lit(colour, lights[index]), list(islice(on_caps, count)), 0))
        found.append(drawn if depth[index] >= moment.radius_mm[index] + NEAR_MM else [])
    return found


@lru_cache(maxsize=64)
def _caps(
    names: tuple[str, ...],
) -> tuple[Floats, NDArray[np.intp], list[list[tuple[Rgb, int]]]]:
    """Return the shapes on the caps of pieces, by the names of their pictures.

    Points in radii, (N, 2), the piece that each is on, (N,), and by piece the colours of its shapes
    and their numbers of points.
    """
    shapes = [_cap_shapes(name) for name in names]
    counts = [[(colour, len(points)) for colour, points in each] for each in shapes]
    return (
        np.concatenate([points for each in shapes for _, points in each]),
        np.repeat(np.arange(len(names)), [sum(n for _, n in each) for each in counts]),
        counts,
    )


@lru_cache(maxsize=32)
def _cap_shapes(name: str) -> tuple[tuple[Rgb, Floats], ...]:
    """Return colours and outlines on a cap by the name of its picture, the cap itself first."""
    badge = ENERGIES.get(name) or KINDS.get(name)
    if badge is not None:
        signs = (
            _letters(badge.letter, badge.ink, badge.colour)
            if name in KINDS
            else ((badge.ink, shape) for shape in face_shapes(name))
        )
        return ((CREAM, _CIRCLE), (badge.colour, BORDER * _CIRCLE), *signs)
    base, dark, inner = (
        (LIGHT.puck_back, (0, 40, 80), 0.34) if name == "back" else (STEEL, (84, 91, 102), 0.58)
    )
    paper = blend(base, (255, 255, 255), 0.25)
    letters = _letters(name, dark, paper) if name != "back" else ()
    return (
        (base, _CIRCLE),
        (blend(base, dark, 0.2), 0.8 * _CIRCLE),
        (paper, inner * _CIRCLE),
        *letters,
    )


def _letters(text: str, ink: Rgb, paper: Rgb) -> Iterator[tuple[Rgb, Floats]]:
    """Yield the outlines of the letters of a text, and of their holes."""
    surface = clear_surface((_LETTERS_PX, _LETTERS_PX))
    middle = _LETTERS_PX / 2
    write(
        surface, text, (middle, middle), round(0.6 * middle), ink, align="centre", width_px=middle
    )
    letters = pygame.mask.from_surface(surface)
    holes = letters.copy()
    holes.invert()
    holes.erase(holes.connected_component((0, 0)), (0, 0))
    for colour, mask in ((ink, letters), (paper, holes)):
        for part in mask.connected_components(20):
            yield colour, (np.array(part.outline(3)) / middle - 1) * (1, -1)


def _draw_shadows(
    surface: Surface,
    eye: Eye,
    moment: Moment,
    chosen: NDArray[np.bool_],
    half_mm: float,
    floor: Rgb,
) -> None:
    """Draw shadows of some pieces on a floor, up to a distance from its middle."""
    chosen = chosen & (moment.centre_mm[:, 2] > 0)  # those below the table are not seen
    if not chosen.any():
        return
    across = moment.rotation[chosen][:, :, :2].transpose(0, 2, 1)
    radius = moment.radius_mm[chosen][:, np.newaxis, np.newaxis]
    ground = moment.centre_mm[chosen][:, np.newaxis] + radius * (_CIRCLE @ across)
    # Along the light to the floor.
    ground = ground - ground[:, :, 2:] / _SUN[2] * _SUN
    ground[:, :, :2] = np.clip(ground[:, :, :2], -half_mm, half_mm)
    for outline in eye.pixels(ground).tolist():
        _fill(surface, _lit(floor, _SHADE), outline)


def _brightness(normal: Floats) -> Floats:
    """Return the brightness of surfaces by their normals (..., 3), 0 to 1: Lambert's law."""
    found: Floats = _AMBIENT + (1 - _AMBIENT) * np.maximum(normal @ _SUN, 0.0)
    return found


def _lit(colour: Rgb, light: float) -> Rgb:
    red, green, blue = colour
    return int(red * light), int(green * light), int(blue * light)


def _fill(surface: Surface, colour: Rgb, pixels: Sequence[Sequence[float]]) -> None:
    if len(pixels) > 2:
        pygame.draw.polygon(surface, colour, pixels)


def _line(surface: Surface, colour: Rgb, eye: Eye, ends_mm: Floats, width_px: int) -> None:
    pixels = eye.polygon(ends_mm)
    if len(pixels) > 1:
        pygame.draw.line(surface, colour, pixels[0], pixels[1], width_px)
