"""Slams in space: projection, shadows and the order of drawing, compared with ray casting."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from physics import Scene, knock_out_stack, puck_stack, puckdex_slammer
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import new_surface
from render.palette import DARK, LIGHT, Palette, Rgb
from render.slams import view3d
from render.slams.box3d import FLOOR_WOOD, LIGHT_DIRECTION, WoodenBox, lit
from render.slams.camera3d import (
    FROM_ABOVE,
    FROM_SIDE,
    OVERVIEW,
    Camera3D,
    View3D,
    closer,
    following,
    orbited,
    view_of,
)
from render.slams.poses import Pose, turned_in_planes
from render.slams.view3d import (
    DiscLook,
    disc_looks,
    draw_smooth_view3d,
    draw_view3d,
    drawing_order,
)

Floats = NDArray[np.float64]

SIZE = (640, 400)


def flat_pose(*centres_mm: tuple[float, float, float], face_up: bool = True) -> Pose:
    angle = np.full(len(centres_mm), 0.0 if face_up else np.pi)
    headings = np.tile([1.0, 0.0], (len(centres_mm), 1))
    return Pose(centre_mm=np.array(centres_mm), rotation=turned_in_planes(headings, angle))


def scattered(rng: np.random.Generator, count: int) -> Pose:
    """Return discs in the air that do not touch: each in a cell of its own of a coarse grid."""
    cells = rng.permutation([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (0, 1, 2)])
    centres = 46.0 * cells[:count] + (0.0, 0.0, 40.0)
    return Pose(centre_mm=centres, rotation=turned(rng, count))


def slanted_pile(rng: np.random.Generator, count: int) -> Pose:
    """Return parallel discs one above another, shifted sideways at random: they nearly touch."""
    rotation = turned(rng, 1)[0]
    shifts = np.column_stack((rng.uniform(-30, 30, (count, 2)), 2.0 * np.arange(count)))
    shifts[-1, 2] += 3.0  # room for the thick slammer
    shuffled = np.append(rng.permutation(count - 1), count - 1)
    centres = (0.0, 0.0, 60.0) + shifts[shuffled] @ rotation.T
    return Pose(centre_mm=centres, rotation=np.broadcast_to(rotation, (count, 3, 3)))


def turned(rng: np.random.Generator, count: int) -> Floats:
    quarter, _ = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    quarter[:, :, 0] *= np.sign(np.linalg.det(quarter))[:, np.newaxis]
    return np.asarray(quarter, dtype=np.float64)


def pixels_of(surface: pygame.Surface, colour: Rgb) -> Floats:
    """Return the pixels of a colour, shape (N, 2)."""
    found = (pygame.surfarray.array3d(surface) == colour).all(axis=2)
    return np.argwhere(found).astype(np.float64)


def test_a_disc_from_above_is_a_circle_of_its_radius() -> None:
    view = view_of(FROM_ABOVE, SIZE)
    top = view.project(np.array([[PIECE_RADIUS_MM, 0.0, 0.0], [0.0, PIECE_RADIUS_MM, 0.0]]))
    # Straight below the eye the scale is the focal length over the distance.
    radius_px = view.scale_px * PIECE_RADIUS_MM / FROM_ABOVE.distance_mm
    assert top[0] == pytest.approx((320 + radius_px, 200))
    assert top[1] == pytest.approx((320, 200 - radius_px))


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 60.0, 80.0])
def test_a_tilted_disc_far_away_is_an_ellipse_flattened_by_the_cosine(tilt_deg: float) -> None:
    far = Camera3D(
        elevation_rad=math.radians(90.0),
        azimuth_rad=math.radians(-90.0),
        distance_mm=200_000.0,
        target_mm=(0.0, 0.0, 0.0),
        field_rad=math.radians(0.05),
    )
    view = view_of(far, SIZE)
    rotation = turned_in_planes(np.array([[1.0, 0.0]]), np.radians([tilt_deg]))[0]
    angle = np.linspace(0, 2 * np.pi, 360)
    rim = PIECE_RADIUS_MM * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    points = view.project(rim @ rotation[:, :2].T)
    wide, high = np.ptp(points, axis=0)
    assert high == pytest.approx(2 * PIECE_RADIUS_MM * view.scale_px / far.distance_mm, rel=1e-3)
    assert wide / high == pytest.approx(math.cos(math.radians(tilt_deg)), abs=2e-3)


def test_both_presets_show_x_to_the_right_and_the_side_shows_up() -> None:
    for camera in (FROM_ABOVE, FROM_SIDE):
        left, right = view_of(camera, SIZE).project(np.array([[-50.0, 0, 0], [50.0, 0, 0]]))
        assert left[0] < 320 < right[0]
    low, high = view_of(FROM_SIDE, SIZE).project(np.array([[0.0, 0, 0], [0.0, 0, 80.0]]))
    assert high[1] < low[1] - 30


@given(
    azimuth=st.floats(-10, 10),
    elevation=st.floats(-3, 3),
    factor=st.floats(0.05, 20.0),
    place=st.tuples(*[st.floats(-150, 150)] * 3),
)
def test_the_axes_of_any_camera_are_right_angled_and_the_target_is_in_the_middle(
    azimuth: float, elevation: float, factor: float, place: tuple[float, float, float]
) -> None:
    camera = closer(orbited(OVERVIEW, azimuth, elevation), factor)
    view = view_of(camera, SIZE)
    assert view.axes @ view.axes.T == pytest.approx(np.eye(3), abs=1e-12)
    assert view.project(np.array(camera.target_mm)) == pytest.approx((320, 200), abs=1e-6)
    assert view.eye_mm[2] > 0
    depth = view.seen(np.array(place))[2]
    back = view.eye_mm + view.axes.T @ view.seen(np.array(place))
    assert back == pytest.approx(place, abs=1e-6)
    assert depth <= camera.distance_mm + 300


def test_a_polygon_that_reaches_behind_the_eye_is_cut_off() -> None:
    view = view_of(OVERVIEW, SIZE)
    ahead, behind = np.zeros(3), 2 * view.eye_mm
    corners = view.polygon(np.array([ahead, behind, behind + 5.0]))
    assert len(corners) == 3
    assert np.isfinite(corners).all()
    assert len(view.polygon(np.array([behind, behind + 1.0, behind + 2.0]))) == 0


def test_the_camera_that_follows_is_close_at_first_and_never_jumps() -> None:
    reach = np.linspace(20, 400, 200)
    cameras = [following(OVERVIEW, np.array([mm, mm / 2]), 0.001 * mm) for mm in reach]
    distances = np.array([camera.distance_mm for camera in cameras])
    assert distances[0] < 0.45 * OVERVIEW.distance_mm
    assert (np.diff(distances) >= 0).all()
    assert np.diff(distances).max() < 0.03 * OVERVIEW.distance_mm


def ray_cast(pose: Pose, half_mm: Floats, view: View3D, step: int) -> NDArray[np.intp]:
    """Return the index of the disc that each pixel of a coarse grid shows, -1 for none.

    Every pixel's ray is met with the caps and the rims of all discs: the nearest point counts.
    """
    width, height = view.size
    x, y = np.meshgrid(np.arange(0, width, step) + 0.5, np.arange(0, height, step) + 0.5)
    right = (x - width / 2) / view.scale_px
    up = (height / 2 - y) / view.scale_px
    rays = np.stack((right, up, np.ones_like(right)), axis=-1) @ view.axes
    nearest, shown = np.full(right.shape, np.inf), np.full(right.shape, -1, dtype=np.intp)
    for index, (centre, rotation) in enumerate(zip(pose.centre_mm, pose.rotation, strict=True)):
        eye = (view.eye_mm - centre) @ rotation
        ray = rays @ rotation
        found = np.full(right.shape, np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            for cap in (-half_mm[index], half_mm[index]):
                t = (cap - eye[2]) / ray[..., 2]
                at = eye[:2] + t[..., np.newaxis] * ray[..., :2]
                inside = (t > 0) & (np.hypot(at[..., 0], at[..., 1]) <= PIECE_RADIUS_MM)
                found = np.where(inside, np.minimum(found, t), found)
            # Rim: the quadratic |eye + t ray|^2 = R^2 across the axis.
            a = (ray[..., :2] ** 2).sum(axis=-1)
            b = ray[..., :2] @ eye[:2]
            c = eye[:2] @ eye[:2] - PIECE_RADIUS_MM**2
            t = (-b - np.sqrt(b * b - a * c)) / a
            on_rim = (t > 0) & (np.abs(eye[2] + t * ray[..., 2]) <= half_mm[index])
            found = np.where(on_rim, np.minimum(found, t), found)
        closer_here = found < nearest
        nearest, shown = np.where(closer_here, found, nearest), np.where(closer_here, index, shown)
    return shown


def drawn_indices(
    pose: Pose, scene: Scene, view: View3D, step: int, monkeypatch: pytest.MonkeyPatch
) -> NDArray[np.intp]:
    """Draw each disc in a plain colour of its own; return the index that each pixel shows."""
    pieces = len(pose.centre_mm)
    looks = [
        DiscLook(face=(index + 1, 0, 0), back=(index + 1, 0, 0), ink=(0, 0, 0), energy="",
                 is_metal=False)
        for index in range(pieces)
    ]  # fmt: skip
    with monkeypatch.context() as patch:
        patch.setattr(view3d, "disc_looks", lambda *_: looks)
        patch.setattr(view3d, "lit", lambda colour, *_: colour)
        patch.setattr(view3d._Discs, "_draw_rim", _rim_in_plain_colour)
        patch.setattr(view3d, "_SMALL_PX", np.inf)
        patch.setattr(view3d, "_draw_shadows", lambda *_: None)
        for name in ("draw_floor", "draw_planks", "draw_walls_behind", "draw_walls_before"):
            patch.setattr(WoodenBox, name, lambda *_: None)
        patch.setattr(pygame.draw, "aalines", lambda *_: None)
        surface = new_surface(*view.size)
        draw_view3d(surface, scene, pose, view, DARK)
    pixels = pygame.surfarray.array3d(surface).transpose(1, 0, 2)[::step, ::step]
    plain = (pixels[..., 1] == 0) & (pixels[..., 2] == 0)
    return np.where(plain, pixels[..., 0].astype(np.intp) - 1, -1)


def _rim_in_plain_colour(
    discs: "view3d._Discs", surface: pygame.Surface, index: int, look: DiscLook
) -> None:
    begin, count = discs._rim_begin[index], discs._rim_count[index]
    if 0 < count < view3d._CORNERS:
        places = [(begin + step) % view3d._CORNERS for step in range(-1, count + 1)]
        near, far = discs._near[index], discs._far[index]
        outline = [near[place] for place in places] + [far[place] for place in reversed(places)]
        pygame.draw.polygon(surface, look.face, outline)


@pytest.mark.parametrize("made", [scattered, slanted_pile])
@pytest.mark.parametrize("seed", range(6))
def test_what_covers_what_is_as_by_casting_a_ray_through_every_pixel(
    made: Callable[[np.random.Generator, int], Pose], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(20))
    pose = made(rng, 21)
    half = np.array([p.thickness_mm / 2 for p in (*scene.stack, scene.slammer)])
    view = view_of(orbited(closer(OVERVIEW, 1.4), rng.uniform(-3, 3), rng.uniform(-0.4, 0.8)), SIZE)
    wanted = ray_cast(pose, half, view, step=2)
    drawn = drawn_indices(pose, scene, view, 2, monkeypatch)
    assert (wanted >= 0).mean() > 0.03
    # Outlines have corners and whole pixels: only pixels at edges may differ.
    assert (wanted != drawn).mean() < 0.01


@pytest.mark.parametrize("seed", range(4))
def test_a_stack_is_drawn_from_the_floor_up_from_wherever_above(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heights = 0.8 + 1.6 * np.arange(20)
    places = rng.uniform(-3, 3, size=(20, 2))
    pose = flat_pose(*[(x, y, z) for (x, y), z in zip(places, heights, strict=True)])
    shuffled = rng.permutation(20)
    mixed = Pose(centre_mm=pose.centre_mm[shuffled], rotation=pose.rotation[shuffled])
    view = view_of(orbited(OVERVIEW, rng.uniform(-3, 3), rng.uniform(-0.2, 0.9)), SIZE)
    order = drawing_order(mixed, np.full(20, 0.8), view.eye_mm)
    assert shuffled[order].tolist() == list(range(20))


def test_the_shadow_of_a_resting_puck_is_under_it_and_that_of_a_flying_one_beside() -> None:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
    view = view_of(FROM_ABOVE, SIZE)
    umbra = lit(FLOOR_WOOD, view3d._UMBRA)
    resting = new_surface(*SIZE)
    pose = flat_pose((0.0, 0.0, 0.8), (100.0, 100.0, 3.0))
    draw_view3d(resting, scene, pose, view, LIGHT)
    centre = view.project(np.zeros(3))
    found = pixels_of(resting, umbra)
    own = found[np.hypot(*(found - centre).T) < 60]
    radius_px = view.scale_px * PIECE_RADIUS_MM / FROM_ABOVE.distance_mm
    assert len(own) < 0.15 * math.pi * radius_px**2  # nearly all of it is hidden by the puck
    flying = new_surface(*SIZE)
    high_mm = 60.0
    draw_view3d(flying, scene, flat_pose((0.0, 0.0, high_mm), (100.0, 100.0, 3.0)), view, LIGHT)
    light = LIGHT_DIRECTION
    wanted = view.project(-high_mm / light[2] * np.array([light[0], light[1], 0.0]))
    found = pixels_of(flying, umbra)
    own = found[np.hypot(*(found - wanted).T) < 60]
    assert len(own) > 300
    # Half of the shadow may be hidden by the puck above, so only its far side is exact.
    assert np.hypot(*(own - wanted).T).max() < radius_px * 1.15


def test_a_face_and_a_back_look_different_and_so_do_all_energy_types() -> None:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(7))
    view = view_of(closer(FROM_ABOVE, 5.0), (200, 200))
    looks = disc_looks(scene, LIGHT)
    assert len({look.energy for look in looks[:7]}) == 7
    assert looks[7].is_metal
    places = [(400.0 + 50 * k, 900.0, 0.8) for k in range(8)]
    seen = set()
    for index in range(7):
        own = [(0.0, 0.0, 0.8) if k == index else place for k, place in enumerate(places)]
        for face_up in (True, False):
            surface = new_surface(200, 200)
            draw_view3d(surface, scene, flat_pose(*own, face_up=face_up), view, LIGHT)
            seen.add(pygame.image.tobytes(surface, "RGB"))
    assert len(seen) == 7 + 1


@pytest.mark.parametrize("off_deg", [0.0, 1.0, 3.0, 6.0, 10.0, 90.0])
def test_a_disc_seen_along_its_axis_or_edge_on_is_drawn(off_deg: float) -> None:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
    rotation = turned_in_planes(np.array([[1.0, 0.0], [0.0, 1.0]]), np.radians([off_deg] * 2))
    pose = Pose(centre_mm=np.array([[0.0, 0, 90.0], [60.0, 0, 90.0]]), rotation=rotation)
    surface = new_surface(*SIZE)
    empty = Pose(centre_mm=pose.centre_mm + 9000.0, rotation=rotation)
    view = view_of(FROM_ABOVE, SIZE)
    draw_view3d(surface, scene, empty, view, DARK)
    before = pygame.surfarray.array3d(surface)
    draw_view3d(surface, scene, pose, view, DARK)
    assert (pygame.surfarray.array3d(surface) != before).any(axis=2).sum() > 50


def test_a_knock_out_has_a_metal_target() -> None:
    scene = Scene(
        slammer=puckdex_slammer(8.0), stack=knock_out_stack(puckdex_slammer(6.0), shields=1)
    )
    assert [look.is_metal for look in disc_looks(scene, LIGHT)] == [True, False, True]


@given(
    azimuth=st.floats(-4, 4),
    elevation=st.floats(-1, 2),
    factor=st.floats(0.1, 12.0),
    seed=st.integers(0, 99),
)
def test_nothing_fails_however_the_camera_stands(
    azimuth: float, elevation: float, factor: float, seed: int
) -> None:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(4))
    rng = np.random.default_rng(seed)
    pose = Pose(centre_mm=rng.uniform(-400, 400, (5, 3)), rotation=turned(rng, 5))
    camera = closer(orbited(OVERVIEW, azimuth, elevation), factor)
    draw_view3d(new_surface(160, 100), scene, pose, view_of(camera, (160, 100)), DARK)


GOLDEN = Path(__file__).parent / "data" / "render"
CAMERAS = (
    following(OVERVIEW, np.array([20.0, 20.0]), 0.0),
    OVERVIEW,
    FROM_ABOVE,
    FROM_SIDE,
)


@pytest.mark.parametrize(("name", "palette"), [("space_light", LIGHT), ("space_dark", DARK)])
def test_every_camera_shows_what_was_looked_at(name: str, palette: Palette) -> None:
    """Compare with pictures that were looked at; edges may differ a little."""
    picture = golden_picture(palette)
    golden = pygame.image.load(GOLDEN / f"{name}.png")
    assert golden.get_size() == picture.get_size()
    off = np.abs(
        pygame.surfarray.array3d(picture).astype(int) - pygame.surfarray.array3d(golden)
    ).max(axis=2)
    assert (off > 60).mean() < 0.005
    assert off.mean() < 1.0


def golden_picture(palette: Palette) -> pygame.Surface:
    """Return a stack, pucks in the air and one beyond a wall, as four cameras see them."""
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(8))
    stacked = [(0.0, 0.0, 0.8 + 1.6 * k) for k in range(3)]
    flying = [(-60.0, 40.0, 30.0), (50.0, -20.0, 60.0), (20.0, 70.0, 90.0), (-30.0, -50.0, 0.8)]
    centres = np.array([*stacked, *flying, (190.0, 60.0, 0.8), (30.0, 10.0, 40.0)])
    angles = np.radians([180.0, 180.0, 180.0, 60.0, 140.0, 20.0, 0.0, 0.0, 25.0])
    azimuths = np.radians(40.0 * np.arange(len(angles)))
    headings = np.column_stack((np.cos(azimuths), np.sin(azimuths)))
    pose = Pose(centre_mm=centres, rotation=turned_in_planes(headings, angles))
    sheet = new_surface(640, 400)
    for place, camera in enumerate(CAMERAS):
        cell = sheet.subsurface(pygame.Rect(320 * (place % 2), 200 * (place // 2), 320, 200))
        draw_smooth_view3d(cell, scene, pose, camera, palette, glow=[(6, palette.flipped)])
    return sheet
