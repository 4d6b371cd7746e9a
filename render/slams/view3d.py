"""A moment of a slam in space, drawn in software: discs with two faces, shadows, the wooden box.

`draw_view3d` draws a `Pose` as a `camera3d.View3D` sees it. Every piece is a convex disc, so the
pieces are drawn one after another, far ones first: `drawing_order` finds an order in which nobody
is drawn over a piece in front of it. Shapes of all pieces are projected in a single step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Piece, Scene, Slammer
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import new_surface
from render.palette import ENERGIES, Palette, Rgb
from render.slams.box3d import FLOOR_WOOD, LIGHT_DIRECTION, WoodenBox, brightness, lit
from render.slams.camera3d import NEAR_MM, Camera3D, View3D, fitted, view_of
from render.slams.emblems import ENERGY_ORDER, face_shapes
from render.slams.poses import Pose

Floats = NDArray[np.float64]

_CORNERS = 40
"""Corners of the outline of a disc."""

_SHINE, _SHINE_POWER = 150.0, 24
"""Brightness of the reflection on metal, 0 to 255, and its sharpness."""

_BORDER, _BACK_RING, _BACK_DOT = 0.86, 0.62, 0.3
"""Radii of the border of a face, and of the ring and the dot on a back, relative to the piece."""

_CREAM, _STEEL = (238, 234, 224), (186, 190, 198)
_PENUMBRA, _UMBRA = 0.84, 0.62
"""Brightness of the floor in the outer and in the inner part of a shadow."""

_BLUR = 0.05
"""Growth of a shadow's outer part, and loss of its inner part, relative to the height."""

_SMOOTH = 2
"""Pixels of the large picture per pixel of a smooth one, in each direction."""

_SMALL_PX = 13.0
"""Radius in the picture below which emblems are left out."""

_THIN_PX, _THICK_PX = 3.0, 9.0
"""Thicknesses in the picture below which a rim has few, and above which many shades."""

_FACING = 0.02
"""Cosine of the angle to the eye below which a cap is seen edge-on and has no details."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscLook:
    """The look of a piece in space.

    Attributes:
        face: Colour of the face.
        back: Colour of the back.
        ink: Colour of the emblem.
        energy: Energy type of the emblem; empty for none.
        is_metal: True for a slammer.
    """

    face: Rgb
    back: Rgb
    ink: Rgb
    energy: str
    is_metal: bool


def disc_looks(scene: Scene, palette: Palette) -> tuple[DiscLook, ...]:
    """Return the looks of the pieces of a scene, the thrown slammer last.

    The pucks of a stack have the energy types in turn; their backs are alike.
    """
    pucks = 0
    looks: list[DiscLook] = []
    pieces: tuple[Piece, ...] = (*scene.stack, scene.slammer)
    for piece in pieces:
        if isinstance(piece, Slammer):
            looks.append(
                DiscLook(face=_STEEL, back=_STEEL, ink=(92, 98, 108), energy="", is_metal=True)
            )
            continue
        energy = ENERGY_ORDER[pucks % len(ENERGY_ORDER)]
        pucks += 1
        badge = ENERGIES[energy]
        looks.append(
            DiscLook(
                face=badge.colour,
                back=palette.puck_back,
                ink=badge.ink,
                energy=energy,
                is_metal=False,
            )
        )
    return tuple(looks)


def draw_view3d(
    surface: pygame.Surface,
    scene: Scene,
    pose: Pose,
    view: View3D,
    palette: Palette,
    *,
    glow: Sequence[tuple[int, Rgb]] = (),
) -> None:
    """Draw a moment in space.

    Args:
        surface: The surface to fill, of the size of the view.
        scene: The scene.
        pose: Places and orientations of its pieces.
        view: The camera.
        palette: The colours of the surroundings.
        glow: Pieces with a ring of light around them, by index, and its colour.
    """
    pieces: tuple[Piece, ...] = (*scene.stack, scene.slammer)
    half_mm = np.array([piece.thickness_mm / 2 for piece in pieces])
    half_side_mm = scene.arena.half_side_mm
    surface.fill(palette.background)
    inside: NDArray[np.bool_] = np.abs(pose.centre_mm[:, :2]).max(axis=1) < half_side_mm
    box = WoodenBox(scene.arena, view)
    _draw_shadows(surface, view, pose, ~inside, np.inf, palette.background)
    box.draw_floor(surface)
    _draw_shadows(surface, view, pose, inside, half_side_mm, FLOOR_WOOD)
    box.draw_planks(surface)
    behind, within, before = _by_place(pose.centre_mm, half_side_mm, box.from_inside)
    discs = _Discs(pose, half_mm, disc_looks(scene, palette), view, palette, dict(glow))
    order = drawing_order(pose, half_mm, view.eye_mm)
    discs.draw(surface, [index for index in order if index in behind])
    box.draw_walls_behind(surface)
    discs.draw(surface, [index for index in order if index in within])
    box.draw_walls_before(surface)
    discs.draw(surface, [index for index in order if index in before])


def resting_colours() -> tuple[Rgb, ...]:
    """Return the colours of faces that rest on the floor, for files with few colours."""
    light = float(brightness(np.array([0.0, 0.0, 1.0])))
    colours = (_CREAM, *(badge.colour for badge in ENERGIES.values()))
    return tuple(lit(colour, light) for colour in colours)


def draw_smooth_view3d(
    surface: pygame.Surface,
    scene: Scene,
    pose: Pose,
    camera: Camera3D,
    palette: Palette,
    *,
    glow: Sequence[tuple[int, Rgb]] = (),
) -> None:
    """Draw a moment in space twice as large and scale it down, so that all edges are smooth.

    This is for files; it takes about three times as long as `draw_view3d`, which has the same
    arguments but for the camera, which is fitted to the surface here.
    """
    width, height = surface.get_size()
    large = new_surface(_SMOOTH * width, _SMOOTH * height)
    view = view_of(fitted(camera, large.get_size()), large.get_size())
    draw_view3d(large, scene, pose, view, palette, glow=glow)
    pygame.transform.smoothscale(large, (width, height), surface)


def drawing_order(pose: Pose, half_mm: Floats, eye_mm: Floats) -> list[int]:
    """Return the indices of pieces in an order in which none covers a piece in front of it.

    Two discs have a plane between them, and the one on the side of the eye may cover the other.
    Planes tried are the caps of both, and the plane across the line of their centres.

    Args:
        pose: The pieces; B of them.
        half_mm: Half of their thicknesses; shape (B,).
        eye_mm: Place of the eye; shape (3,).
    """
    centre, normal = pose.centre_mm, pose.normal
    count = len(centre)
    between = centre[np.newaxis] - centre[:, np.newaxis]  # from i to j, (B, B, 3)
    alike = np.abs(normal @ normal.T)
    # Half of the extent of disc j along the axis of disc i, (B, B).
    extent = PIECE_RADIUS_MM * np.sqrt(np.maximum(1 - alike**2, 0.0)) + half_mm * alike
    along = np.einsum("ijk,ik->ij", between, normal)
    own = half_mm[:, np.newaxis]
    eye = ((eye_mm - centre) * normal).sum(axis=1)[:, np.newaxis]
    # Gap between the slab of i and all of j, above or below; positive if a plane separates them.
    gap = np.abs(along) - extent - own
    # The eye is beyond the cap of i on the side of j: j is in front.
    j_in_front = np.where(along > 0, eye > own, eye < -own)
    # Planes across the line of centres.
    distance = np.sqrt((between**2).sum(axis=2)) + np.eye(count)
    line = between / distance[:, :, np.newaxis]
    on_line = np.abs(np.einsum("ijk,ik->ij", line, normal))
    reach = PIECE_RADIUS_MM * np.sqrt(np.maximum(1 - on_line**2, 0.0)) + own * on_line
    line_gap = distance - reach - reach.T
    at = ((eye_mm - centre)[:, np.newaxis] * line).sum(axis=2)
    line_front = at > (reach + distance - reach.T) / 2
    # The widest of the three gaps decides; where there is none, the distance to the eye does.
    gaps = np.stack((gap, gap.T, line_gap))
    fronts = np.stack((j_in_front, ~j_in_front.T, line_front))
    best = gaps.argmax(axis=0)
    in_front = np.take_along_axis(fronts, best[np.newaxis], axis=0)[0]
    far = ((centre - eye_mm) ** 2).sum(axis=1)
    touching = gaps.max(axis=0) < -0.6
    in_front = np.where(touching, far[:, np.newaxis] > far, in_front)
    np.fill_diagonal(in_front, val=False)
    return _topological(in_front, far)


def _topological(in_front: NDArray[np.bool_], far: Floats) -> list[int]:
    """Return an order in which j comes after i if ``in_front[i, j]``, far pieces first.

    Where discs cover each other in a circle, the one that waits for the fewest others comes first.
    """
    waiting = in_front.sum(axis=0).tolist()  # pieces to be drawn before each
    followers = [np.flatnonzero(row).tolist() for row in in_front]
    left = np.argsort(-far).tolist()
    order: list[int] = []
    while left:
        chosen = next((index for index in left if not waiting[index]), None)
        if chosen is None:
            chosen = min(left, key=waiting.__getitem__)
        left.remove(chosen)
        order.append(chosen)
        for follower in followers[chosen]:
            waiting[follower] -= 1
    return order


@lru_cache(maxsize=1)
def _circle() -> Floats:
    """Return points of the unit circle; shape (`_CORNERS`, 2)."""
    angles = np.linspace(0.0, 2 * np.pi, _CORNERS, endpoint=False)
    return np.stack((np.cos(angles), np.sin(angles)), axis=1)


@lru_cache(maxsize=16)
def _details(energy: str, *, is_face: bool, is_metal: bool) -> tuple[Floats, tuple[slice, ...]]:
    """Return the points of all shapes on a cap, shape (N, 2), and the slice of each shape."""
    circle = _circle()[::2]
    if is_metal:
        shapes: tuple[Floats, ...] = (0.8 * circle, 0.72 * circle, 0.34 * circle)
    elif is_face:
        shapes = (_BORDER * circle, *face_shapes(energy))
    else:
        shapes = (_BORDER * circle, _BACK_RING * circle, _BACK_DOT * circle)
    ends = np.cumsum([len(shape) for shape in shapes]).tolist()
    parts = [slice(end - len(shape), end) for shape, end in zip(shapes, ends, strict=True)]
    return np.concatenate(shapes), tuple(parts)


class _Discs:
    """All pieces in a view: projected in one step, drawn one by one."""

    def __init__(
        self,
        pose: Pose,
        half_mm: Floats,
        looks: Sequence[DiscLook],
        view: View3D,
        palette: Palette,
        glow: dict[int, Rgb],
    ) -> None:
        self._looks, self._palette, self._glow = looks, palette, glow
        normal = pose.normal
        to_eye = view.eye_mm - pose.centre_mm
        # Positive if the eye sees the face, negative if it sees the back.
        height = (to_eye * normal).sum(axis=1)
        self._is_face = (height > 0).tolist()
        side = np.where(height > 0, 1.0, -1.0)
        facing = np.abs(height) - half_mm
        self._sees_cap = (facing > 0).tolist()
        distance = np.sqrt((to_eye**2).sum(axis=1))
        depth = (pose.centre_mm - view.eye_mm) @ view.axes[2]
        self._in_picture = (depth > PIECE_RADIUS_MM + 12.0).tolist()
        radius_px = view.scale_px * PIECE_RADIUS_MM / np.maximum(depth, 1.0)
        thick_px = radius_px * 2 * half_mm / PIECE_RADIUS_MM
        self._bands = np.where(
            thick_px > _THICK_PX, 8, np.where(thick_px > _THIN_PX, 4, 2)
        ).tolist()
        self._has_details = ((radius_px > _SMALL_PX) & (facing / distance > _FACING)).tolist()
        # Outlines of the caps near to the eye and far from it, in space: (B, N, 3).
        flat = PIECE_RADIUS_MM * (pose.rotation[:, :, :2] @ _circle().T).transpose(0, 2, 1)
        self._cap_mm = half_mm * side
        lift = normal * self._cap_mm[:, np.newaxis]
        near = (pose.centre_mm + lift)[:, np.newaxis] + flat
        far = (pose.centre_mm - lift)[:, np.newaxis] + flat
        # A part of the rim is seen if it faces the eye.
        outward = ((view.eye_mm - (pose.centre_mm[:, np.newaxis] + flat)) * flat).sum(axis=2) > 0
        # The visible part of a rim is one run of corners: its first corner and its length.
        self._rim_count = outward.sum(axis=1).tolist()
        before = np.concatenate((outward[:, -1:], outward[:, :-1]), axis=1)
        self._rim_begin = (outward & ~before).argmax(axis=1).tolist()
        self._near, self._far = view.project(near).tolist(), view.project(far).tolist()
        self._rim_light = brightness(flat / PIECE_RADIUS_MM).tolist()
        seen_normal = normal * side[:, np.newaxis]
        self._cap_light = brightness(seen_normal).tolist()
        # Blinn: metal shines where the normal is half-way between light and eye.
        half_way = LIGHT_DIRECTION + to_eye / distance[:, np.newaxis]
        half_way /= np.sqrt((half_way**2).sum(axis=1))[:, np.newaxis]
        lit = np.maximum((seen_normal * half_way).sum(axis=1), 0.0)
        self._shine = (_SHINE * lit**_SHINE_POWER).tolist()
        self._details_px = self._project_details(pose, view)

    def _project_details(self, pose: Pose, view: View3D) -> list[list[list[list[float]]]]:
        """Return the pixels of the shapes on each visible cap."""
        parts: list[tuple[slice, ...]] = []
        points: list[Floats] = []
        for index, look in enumerate(self._looks):
            if not (self._has_details[index] and self._in_picture[index]):
                parts.append(())
                continue
            flat, own = _details(look.energy, is_face=self._is_face[index], is_metal=look.is_metal)
            rotation = pose.rotation[index]
            middle = pose.centre_mm[index] + rotation[:, 2] * self._cap_mm[index]
            points.append(middle + PIECE_RADIUS_MM * flat @ rotation[:, :2].T)
            parts.append(own)
        if not points:
            return [[] for _ in parts]
        pixels = view.project(np.concatenate(points)).tolist()
        found: list[list[list[list[float]]]] = []
        begin = 0
        for own in parts:
            found.append([pixels[begin + part.start : begin + part.stop] for part in own])
            begin += own[-1].stop if own else 0
        return found

    def draw(self, surface: pygame.Surface, order: Sequence[int]) -> None:
        """Draw some of the pieces, in this order."""
        for index in order:
            if self._in_picture[index]:
                self._draw_one(surface, index)

    def _draw_one(self, surface: pygame.Surface, index: int) -> None:
        look = self._looks[index]
        near = self._near[index]
        edge = self._palette.edge
        if index in self._glow:
            self._draw_glow(surface, index)
        self._draw_rim(surface, index, look)
        if not self._sees_cap[index]:
            return
        light = self._cap_light[index]
        shapes = self._details_px[index]
        if look.is_metal:
            steel = lit(_STEEL, light, self._shine[index])
            pygame.draw.polygon(surface, steel, near)
            for shape, share in zip(shapes, (0.72, 1.06, 0.8), strict=False):
                pygame.draw.polygon(surface, lit(steel, share), shape)
        elif self._is_face[index]:
            border = lit(_CREAM, light) if shapes else lit(look.face, light)
            pygame.draw.polygon(surface, border, near)
            for number, shape in enumerate(shapes):
                colour = look.ink if number else look.face
                pygame.draw.polygon(surface, lit(colour, light), shape)
        else:
            back = lit(look.back, light)
            pygame.draw.polygon(surface, back, near)
            for shape, share in zip(shapes, (0.9, 0.72, 0.96), strict=False):
                pygame.draw.polygon(surface, lit(back, share), shape)
        pygame.draw.aalines(surface, edge, True, near)

    def _draw_rim(self, surface: pygame.Surface, index: int, look: DiscLook) -> None:
        """Draw the part of the rim that faces the eye, in bands of one brightness."""
        begin, count = self._rim_begin[index], self._rim_count[index]
        if not 0 < count < _CORNERS:
            return
        places = [(begin + step) % _CORNERS for step in range(-1, count + 1)]
        near, far = self._near[index], self._far[index]
        light = self._rim_light[index]
        bands = min(self._bands[index], len(places) - 1)
        base = _STEEL if look.is_metal else _CREAM
        steps = [round(k * (len(places) - 1) / bands) for k in range(bands + 1)]
        for first, last in pairwise(steps):
            own = places[first : last + 1]
            middle = own[len(own) // 2]
            colour = lit(base, light[middle] * (0.9 if look.is_metal else 0.84))
            outline = [near[place] for place in own] + [far[place] for place in reversed(own)]
            pygame.draw.polygon(surface, colour, outline)
        pygame.draw.aalines(surface, self._palette.edge, False, [far[place] for place in places])

    def _draw_glow(self, surface: pygame.Surface, index: int) -> None:
        near = np.array(self._near[index])
        middle = near.mean(axis=0)
        for share in (1.22, 1.14):
            outline = (middle + share * (near - middle)).tolist()
            pygame.draw.polygon(surface, self._glow[index], outline, 3)


def _by_place(
    centre_mm: Floats, half_mm: float, from_inside: Sequence[bool]
) -> tuple[set[int], set[int], set[int]]:
    """Return the pieces beyond the back walls, in or above the box, and before the front walls."""
    beyond = np.stack(
        (
            centre_mm[:, 0] > half_mm,
            centre_mm[:, 1] > half_mm,
            centre_mm[:, 0] < -half_mm,
            centre_mm[:, 1] < -half_mm,
        ),
        axis=1,
    )
    is_back = np.array(from_inside)
    behind: NDArray[np.bool_] = (beyond & is_back).sum(axis=1) > 0
    before: NDArray[np.bool_] = ((beyond & ~is_back).sum(axis=1) > 0) & ~behind
    return (
        set(np.flatnonzero(behind).tolist()),
        set(np.flatnonzero(~behind & ~before).tolist()),
        set(np.flatnonzero(before).tolist()),
    )


def _draw_shadows(
    surface: pygame.Surface,
    view: View3D,
    pose: Pose,
    chosen: NDArray[np.bool_],
    half_mm: float,
    floor: Rgb,
) -> None:
    """Draw shadows of some pieces on the floor: an outer part of each, then the inner parts.

    Args:
        surface: The surface to draw on.
        view: The camera.
        pose: The pieces.
        chosen: True for the pieces whose shadows are drawn; shape (B,).
        half_mm: Half of the side of the floor that shadows stay on.
        floor: Colour of the floor.
    """
    if not chosen.any():
        return
    centre = pose.centre_mm[chosen]
    across = pose.rotation[chosen][:, :, :2]
    flat = PIECE_RADIUS_MM * (across @ _circle()[::2].T).transpose(0, 2, 1)
    # The light spreads with the height: the outer part grows, the inner part shrinks.
    spread = _BLUR * centre[:, 2] / PIECE_RADIUS_MM
    sizes = np.concatenate((1 + spread, np.maximum(1 - spread, 0.25)))[:, np.newaxis, np.newaxis]
    rim = np.concatenate((centre, centre))[:, np.newaxis] + sizes * np.concatenate((flat, flat))
    # Along the light to the floor.
    ground = rim - rim[:, :, 2:] / LIGHT_DIRECTION[2] * LIGHT_DIRECTION
    ground[:, :, :2] = np.clip(ground[:, :, :2], -half_mm, half_mm)
    ground[:, :, 2] = 0.0
    seen = view.seen(ground)
    ahead = (seen[:, :, 2].min(axis=1) > 2 * NEAR_MM).tolist()
    colours = (lit(floor, _PENUMBRA), lit(floor, _UMBRA))
    for number, outline in enumerate(view.pixels(seen).tolist()):
        if ahead[number]:
            pygame.draw.polygon(surface, colours[number >= len(centre)], outline)
