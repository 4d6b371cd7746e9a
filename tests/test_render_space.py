"""Slams in space: cameras, OpenGL beside the web page, the software drawing beside ray casting."""

import base64
import io
import math
from dataclasses import replace
from functools import lru_cache
from unittest.mock import Mock

import numpy as np
import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pucklab.physics import (
    Arena,
    Puck,
    SampleRate,
    Scene,
    Slammer,
    knock_out_stack,
    preset,
    puck_stack,
    puckdex_slammer,
    slam,
)
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.poses import quaternions, rotate_in_plane
from pucklab.render.canvas import new_surface
from pucklab.render.palette import DARK, LIGHT
from pucklab.render.slams import camera3d, software, space
from pucklab.render.slams.camera3d import (
    FOLLOWING,
    PRESETS,
    Camera3D,
    Direction,
    Eye,
    box_corners,
    camera_path,
    closer,
    following,
    frame_points,
    orbit,
)
from pucklab.render.slams.export import film_times_s, slam_page
from pucklab.render.slams.looks import CREAM, face_art, piece_looks
from pucklab.render.slams.motion import moment_at, motion_of, replay_motion, still_moment
from pucklab.render.slams.opengl import OpenGL, OpenGLError, SpaceView
from pucklab.render.slams.pace import FILM_PACE
from pucklab.render.slams.space import Renderer, draw_space, space_view
from tests.recordedslams import SCENE, some_replay
from tests.scenes import stack_scene, trial_throw
from tests.slamwindows import check_picture, pixels_of

SIZE = (320, 200)
ABOVE = PRESETS["above"][1]


@lru_cache(maxsize=1)
def opengl():
    """Return OpenGL, or the reason why there is none."""
    try:
        return OpenGL()
    except OpenGLError as error:
        return str(error)


@pytest.fixture
def drawn_by_opengl():
    found = opengl()
    if isinstance(found, str):
        pytest.skip(f"no OpenGL 3.3: {found}")
    return found


def moment_with(scene, centre_mm, orientation):
    return replace(still_moment(scene), centre_mm=centre_mm, orientation=orientation)


def in_picture(camera, points_mm, size):
    pixels = Eye(camera, size).pixels(points_mm)
    return np.asarray(((pixels > 0) & (pixels < size)).all(axis=-1))


# Cameras


@settings(max_examples=40)
@given(
    azimuth=st.floats(-10, 10),
    elevation=st.floats(-3, 3),
    seed=st.integers(0, 99),
    size=st.sampled_from([(640, 400), (300, 500), (900, 300)]),
)
def test_a_framed_camera_has_all_points_in_its_picture_and_is_no_farther_away_than_it_must(
    azimuth, elevation, seed, size
):
    points = np.random.default_rng(seed).uniform(-400, 400, (12, 3))
    direction = orbit(Direction(), azimuth, elevation)
    camera = frame_points(direction, points, size[0] / size[1])
    assert camera.axes @ camera.axes.T == pytest.approx(np.eye(3), abs=1e-12)
    assert in_picture(camera, points, size).all()
    nearer = replace(camera, distance_mm=0.75 * camera.distance_mm)
    assert not in_picture(nearer, points, size).all()


@lru_cache(maxsize=8)
def motion_in(engine, trial, arena=None, speed_mm_s=7000.0):
    scene = Scene(
        slammer=puckdex_slammer(20.0),
        stack=puck_stack(6),
        arena=arena or Arena(),
        preset=preset("fast"),
    )
    throw = trial_throw(6, 3, trial, speed_mm_s=speed_mm_s)
    return motion_of(scene, slam(scene, throw, SampleRate(), engine).recording, throw)


def outlines(moment):
    """Return the rims of all pieces, shape (B, 12, 3)."""
    angle = np.linspace(0, 2 * np.pi, 12)
    rim = PIECE_RADIUS_MM * np.stack((np.cos(angle), np.sin(angle)))
    return (moment.rotation[:, :, :2] @ rim).transpose(0, 2, 1) + moment.centre_mm[:, np.newaxis]


@pytest.mark.parametrize("engine", ["plane", "solid"])
@pytest.mark.parametrize("size", [(640, 400), (300, 400)])
def test_a_following_camera_moves_smoothly_and_loses_no_piece_that_is_inside(engine, size):
    arena = Arena()
    for trial in range(2):
        motion = motion_in(engine, trial)
        distances = []
        for time_s in film_times_s(motion, 30.0, FILM_PACE).tolist():
            moment = moment_at(motion, time_s)
            camera = following(FOLLOWING, arena, [moment.shot], size[0] / size[1])
            distances.append(camera.distance_mm)
            # A piece may fly higher than twice the half of the box, and leaves the picture.
            is_inside = (np.abs(moment.centre_mm[:, :2]) < arena.half_side_mm).all(axis=1)
            is_inside &= moment.centre_mm[:, 2] < 2 * arena.half_side_mm - PIECE_RADIUS_MM
            assert in_picture(camera, outlines(moment)[is_inside], size).all()
        # Of the distance from one frame to the next, and of that change.
        assert np.abs(np.diff(np.log(distances))).max() < 0.2
        assert np.abs(np.diff(np.log(distances), 2)).max() < 0.06


@pytest.mark.parametrize("engine", ["plane", "solid"])
def test_the_camera_begins_and_ends_with_the_box_however_far_pieces_fly(engine):
    arena = Arena()
    motions = [motion_in(engine, trial) for trial in range(3)]
    assert max(np.abs(motion.poses.middle_mm[-1]).max() for motion in motions) > 300
    for motion in motions:
        first, last = (
            following(FOLLOWING, arena, [moment_at(motion, time_s).shot])
            for time_s in (motion.start_s, motion.end_s)
        )
        assert in_picture(first, box_corners(arena), SIZE).all()
        turned = replace(FOLLOWING, azimuth_rad=last.azimuth_rad)
        box = frame_points(turned, box_corners(arena))
        assert last.distance_mm == pytest.approx(box.distance_mm, rel=0.01)
        assert last.target_mm == pytest.approx(box.target_mm, abs=2.0)


@pytest.mark.parametrize("engine", ["plane", "solid"])
def test_at_the_impact_the_stack_is_a_third_of_the_picture(engine):
    for trial in range(3):
        motion = motion_in(engine, trial)
        moment = moment_at(motion, min(0.001, motion.impact_end_s))
        camera = following(FOLLOWING, Arena(), [moment.shot])
        pixels = Eye(camera, SIZE).pixels(outlines(moment)[:-1]).reshape(-1, 2)
        assert (np.ptp(pixels, axis=0) / SIZE).max() == pytest.approx(1 / 3, abs=0.08)


@given(azimuth=st.floats(-10, 10), elevation=st.floats(-3, 3), factor=st.floats(0.05, 20.0))
def test_orbit_and_zoom_stay_above_the_floor_and_within_their_ranges(azimuth, elevation, factor):
    direction = closer(orbit(FOLLOWING, azimuth, elevation), factor)
    camera = following(direction, Arena(), [still_moment(SCENE).shot])
    assert camera.eye_mm[2] > 0
    assert 0.4 <= direction.zoom <= 8.0
    middle = Eye(camera, SIZE).pixels(np.array(camera.target_mm))
    assert middle == pytest.approx((SIZE[0] / 2, SIZE[1] / 2), abs=1e-6)


def test_a_polygon_that_reaches_behind_the_eye_is_cut_off():
    eye = Eye(following(PRESETS["whole"][1], Arena(), []), SIZE)
    behind = 2 * eye.place_mm
    corners = eye.polygon(np.array([np.zeros(3), behind, behind + 5.0]))
    assert len(corners) == 3
    assert np.isfinite(corners).all()
    assert eye.polygon(np.array([behind, behind + 1.0, behind + 2.0])) == []


# OpenGL, the web page, and the software


def test_a_moment_is_the_same_picture_in_the_page_in_files_and_by_the_page_s_cameras(
    drawn_by_opengl, page, write
):
    """Pixels at edges differ by how each smooths them."""
    own = some_replay()
    motion = replay_motion(own)
    page.open(write("slam.html", slam_page([("Onix", own)])), (640, 480))
    page.wait_for("pucklab.arena.state.clip")
    palette = replace(DARK, background=(0x2C, 0x31, 0x38))
    for name, time_s in (("follow", 0.001), ("follow", 0.05), ("above", 0.2), ("side", 99.0)):
        moment = moment_at(motion, time_s)
        shown, camera = page_picture(page, name, time_s)
        surface = new_surface(*shown.shape[1::-1])
        view = space_view(own.scene, moment, own.outcome, camera)
        drawn_by_opengl.draw(surface, [(surface.get_rect(), view)], palette)
        off = np.abs(pixels_of(surface) - shown).max(axis=2)
        assert off.mean() < 0.5, name
        assert (off > 25).mean() < 0.005, name


def page_picture(page, name, time_s):
    """Return the page's picture of a time, and the camera that it is seen by."""
    view = ("follow", "above", "side").index(name)
    page.run(f"pucklab.arena.state.view = {view}; pucklab.arena.seek({time_s})")
    url, facts = page.run(
        "pucklab.arena.drawNow(); const c = document.getElementById('canvas');"
        "return [c.toDataURL(), cameraNow()];"
    )
    picture = pygame.image.load(io.BytesIO(base64.b64decode(url.split(",")[1])), "a.png")
    x, y, z = facts["target"]
    camera = Camera3D(
        azimuth_rad=facts["azimuth"],
        elevation_rad=facts["elevation"],
        distance_mm=facts["distance"],
        target_mm=(x, y, z),
        field_rad=facts["field"],
    )
    return pixels_of(picture), camera


def path_of_one(arena, reach_mm):
    """Return the path of a camera for a piece that slides away along x on a floor after .5 s."""
    time_s = np.linspace(0.0, 2.0, 120)
    middle = np.zeros((120, 1, 3))
    middle[:, 0, 0] = np.interp(time_s, (0.5, 1.5), (0.0, reach_mm))
    return camera_path(arena, time_s, middle, np.full((120, 1), 1.6), np.array([PIECE_RADIUS_MM]))


@pytest.mark.parametrize(
    ("out_mm", "far_mm", "half_mm"),
    [
        (None, 100.0, 200.0),
        (None, 350.0, 350.0 + PIECE_RADIUS_MM),
        (None, 5000.0, 200.0),
        (150.0, 350.0, 200.0),
        (250.0, 350.0, 275.0),
        (1500.0, 350.0, 350.0 + PIECE_RADIUS_MM),
    ],
)
def test_on_a_table_pieces_are_followed_but_not_for_metres_nor_outside_the_circle(
    out_mm, far_mm, half_mm
):
    path = path_of_one(Arena(box=False, out_radius_mm=out_mm), far_mm)
    assert path[-1, 0] == pytest.approx(half_mm)
    assert path[0, 0] < 50
    assert np.isfinite(path).all()


@pytest.mark.parametrize("renderer", ["gl", "software"])
def test_pieces_are_drawn_as_wide_as_they_are(renderer, request):
    tools = {"gl": lambda: request.getfixturevalue("drawn_by_opengl"), "software": lambda: software}
    puck, slammer = Puck(diameter_mm=30.0), Slammer(mass_g=9.0, diameter_mm=60.0, thickness_mm=2.0)
    scene = Scene(slammer=slammer, stack=(puck,), arena=Arena(box=False))
    there = still_moment(scene).centre_mm + np.array([(-60.0, 0.0, 0.0), (60.0, 0.0, -1.6)])
    camera = frame_points(ABOVE, box_corners(scene.arena))
    (x, row), (right, _) = Eye(camera, (800, 500)).pixels(np.array([[0.0, 0, 0], [1, 0, 0]]))
    drawn = []
    for centres in (there, there + np.array([0.0, 120.0, 0.0])):
        moment = replace(still_moment(scene), centre_mm=centres)
        surface = new_surface(800, 500)
        view = SpaceView(scene=scene, moment=moment, camera=camera)
        tools[renderer]().draw(surface, [(surface.get_rect(), view)], LIGHT)
        drawn.append(pixels_of(surface)[round(row)])
    is_piece = np.abs(drawn[0] - drawn[1]).max(axis=1) > 45
    widths = np.array([is_piece[:400].sum(), is_piece[400:].sum()]) / (right - x)
    assert widths == pytest.approx([30.0, 60.0], rel=0.1)


def test_views_side_by_side_are_those_of_single_pictures(drawn_by_opengl):
    own = some_replay()
    motion = motion_of(own.scene, own.recording)
    boxes = [pygame.Rect(0, 0, 160, 100), pygame.Rect(160, 100, 160, 100)]
    views = []
    for time_s in (0.0, 0.2):
        moment = moment_at(motion, time_s)
        camera = following(FOLLOWING, own.scene.arena, [moment.shot])
        views.append(space_view(own.scene, moment, own.outcome, camera))
    both = new_surface(*SIZE)
    drawn_by_opengl.draw(both, list(zip(boxes, views, strict=True)), DARK)
    assert (pixels_of(both)[:100, 160:] == DARK.background).all()
    for box, view in zip(boxes, views, strict=True):
        alone = new_surface(*box.size)
        drawn_by_opengl.draw(alone, [(alone.get_rect(), view)], DARK)
        off = np.abs(pixels_of(both.subsurface(box)) - pixels_of(alone))
        assert off.mean() < 3.0


def test_a_window_without_opengl_smooths_what_stands_still_and_files_smooth_everything(monkeypatch):
    renderer, window = Renderer(), new_surface(*SIZE)
    renderer.wanted = "software"
    monkeypatch.setattr(space, "RENDERER", renderer)

    def colours(surface, *, is_moving):
        draw_space(surface, SCENE, still_moment(SCENE), None, LIGHT, is_moving=is_moving)
        return len(np.unique(pixels_of(surface).reshape(-1, 3), axis=0))

    in_file = colours(new_surface(*SIZE), is_moving=True)
    renderer.begin_window(window)
    assert colours(window, is_moving=False) == in_file
    assert colours(window, is_moving=True) < in_file / 5


def test_a_context_that_dies_is_followed_by_the_software_and_a_line(drawn_by_opengl, monkeypatch):
    renderer = Renderer()
    renderer.wanted = "gl"
    monkeypatch.setattr(space, "RENDERER", renderer)
    monkeypatch.setattr(space, "OpenGL", lambda: drawn_by_opengl)
    assert renderer.text == f"drawn with OpenGL: {drawn_by_opengl.name}"
    monkeypatch.setattr(OpenGL, "draw", Mock(side_effect=OpenGLError("GL_CONTEXT_LOST")))
    surface = new_surface(*SIZE)
    draw_space(surface, SCENE, still_moment(SCENE), None, LIGHT)
    assert (pixels_of(surface) != LIGHT.background).any()
    assert renderer.text == "drawn in software: OpenGL has stopped (GL_CONTEXT_LOST)"


def test_without_opengl_slams_are_drawn_in_software_and_a_line_says_why(monkeypatch):
    monkeypatch.setattr(space, "OpenGL", Mock(side_effect=OpenGLError("no driver")))
    renderer = Renderer()
    assert renderer.text == "drawn in software"
    renderer.wanted = ""
    assert renderer.text == "drawn in software: no OpenGL 3.3 (no driver)"
    assert not renderer.suits_window(SIZE)


def test_a_slow_rasteriser_is_not_for_windows_unless_it_is_asked_for(drawn_by_opengl, monkeypatch):
    renderer = Renderer()
    renderer.wanted = ""
    monkeypatch.setattr(space, "OpenGL", lambda: drawn_by_opengl)
    monkeypatch.setattr(space, "_SLOWEST_S", 1e-9)
    monkeypatch.setattr(drawn_by_opengl, "is_rasteriser", True)
    assert not renderer.suits_window((40, 30))
    assert "ms a frame" in renderer.text
    renderer = Renderer()
    renderer.wanted = "gl"
    assert renderer.suits_window((40, 30))
    renderer.wanted = ""
    monkeypatch.setattr(drawn_by_opengl, "is_rasteriser", False)
    assert renderer.suits_window((40, 30))


def test_every_face_has_a_picture_of_its_own_and_a_slammer_its_mass():
    art = face_art(["8 g", "20 g"])
    assert len({pixels.tobytes() for pixels in art.rgb}) == len(art.layers) == 10
    scene = stack_scene(8.0, 8)
    looks = piece_looks(scene)
    assert len({look.face for look in looks}) == 8
    assert looks[7].face == looks[0].face
    assert looks[8].face == looks[8].back == "8 g"
    target = Scene(
        slammer=puckdex_slammer(8.0), stack=knock_out_stack(puckdex_slammer(6.0), shields=1)
    )
    assert [look.is_metal for look in piece_looks(target)] == [True, False, True]


# The software


def turned(rng, count):
    quarter, _ = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    quarter[:, :, 0] *= np.sign(np.linalg.det(quarter))[:, np.newaxis]
    return quaternions(quarter[:, :, 0], quarter[:, :, 2])


def scattered(rng, scene):
    """Return discs in the air that do not touch: each in a cell of its own of a coarse grid."""
    cells = rng.permutation([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (0, 1, 2)])
    return moment_with(scene, 46.0 * cells[:21] + (0.0, 0.0, 40.0), turned(rng, 21))


def slanted_pile(rng, scene):
    """Return parallel discs one above another, shifted sideways at random: they nearly touch."""
    moment = moment_with(scene, np.zeros((21, 3)), np.tile(turned(rng, 1), (21, 1)))
    shifts = np.column_stack((rng.uniform(-30, 30, (21, 2)), 2.0 * np.arange(21)))
    shifts[-1, 2] += 3.0  # room for the thick slammer
    shuffled = np.append(rng.permutation(20), 20)
    moment.centre_mm[:] = (0.0, 0.0, 60.0) + shifts[shuffled] @ moment.rotation[0].T
    return moment


def ray_cast(moment, camera, size):
    """Return the index of the disc that each pixel shows, -1 for none.

    Every pixel's ray is met with the caps and the rims of all discs: the nearest point counts.
    """
    width, height = size
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    scale = 2 * math.tan(camera.field_rad / 2) / height
    across = np.stack(((x - width / 2) * scale, (height / 2 - y) * scale, -np.ones_like(x)), -1)
    rays = across @ camera.axes
    nearest, shown = np.full(x.shape, np.inf), np.full(x.shape, -1, dtype=np.intp)
    for index, (centre, rotation) in enumerate(zip(moment.centre_mm, moment.rotation, strict=True)):
        half = moment.half_mm[index]
        eye, ray = (camera.eye_mm - centre) @ rotation, rays @ rotation
        found = np.full(x.shape, np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            for cap in (-half, half):
                t = (cap - eye[2]) / ray[..., 2]
                at = eye[:2] + t[..., np.newaxis] * ray[..., :2]
                inside = (t > 0) & (np.hypot(at[..., 0], at[..., 1]) <= PIECE_RADIUS_MM)
                found = np.where(inside, np.minimum(found, t), found)
            # Rim: the quadratic |eye + t ray|^2 = R^2 across the axis.
            a, b = (ray[..., :2] ** 2).sum(axis=-1), ray[..., :2] @ eye[:2]
            t = (-b - np.sqrt(b * b - a * (eye[:2] @ eye[:2] - PIECE_RADIUS_MM**2))) / a
            on_rim = (t > 0) & (np.abs(eye[2] + t * ray[..., 2]) <= half)
            found = np.where(on_rim, np.minimum(found, t), found)
        shown = np.where(found < nearest, index, shown)
        nearest = np.minimum(found, nearest)
    return shown


@pytest.mark.parametrize("made", [scattered, slanted_pile])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_covers_what_is_as_by_casting_a_ray_through_every_pixel(made, seed):
    rng = np.random.default_rng(seed)
    scene = stack_scene(8.0, 20)
    moment = made(rng, scene)
    whole = closer(PRESETS["whole"][1], 1.2)
    direction = orbit(whole, rng.uniform(-3, 3), rng.uniform(-0.4, 0.8))
    camera = following(direction, scene.arena, [])
    size = (400, 250)
    eye, surface = Eye(camera, size), new_surface(*size)
    pieces = software._pieces(SpaceView(scene=scene, moment=moment, camera=camera), eye, 1)
    for index in software.drawing_order(moment, eye.place_mm):
        for _, points, width_px in pieces[index]:
            pygame.draw.polygon(surface, (index + 1, 0, 0), points, width_px)
    wanted = ray_cast(moment, camera, size)
    assert (wanted >= 0).mean() > 0.03
    # Outlines have corners and whole pixels: only pixels at edges may differ.
    assert (wanted != pixels_of(surface)[..., 0] - 1).mean() < 0.012


@pytest.mark.parametrize(("samples", "pucks"), [(1, 3), (1, 8), (2, 8)])
def test_each_disc_of_a_stack_has_an_edge(samples, pucks):
    scene = stack_scene(8.0, pucks)
    moment = still_moment(scene)
    camera = frame_points(PRESETS["side"][1], camera3d._corners(30.0, 20.0))
    surface = new_surface(*SIZE)
    view = SpaceView(scene=scene, moment=moment, camera=camera)
    software.draw(surface, [(surface.get_rect(), view)], LIGHT, samples)
    ends = np.array([(0.0, -PIECE_RADIUS_MM, 0.5), (0.0, -PIECE_RADIUS_MM, 1.6 * pucks)])
    (x, low), (_, high) = Eye(camera, SIZE).pixels(ends).round().astype(int)
    grey = pixels_of(surface)[high : low + 2, x].sum(axis=1)
    is_edge = grey < 3 * 0.55 * np.mean(CREAM)
    assert np.count_nonzero(np.diff(is_edge.astype(int)) == 1) >= pucks - 1


def test_the_mass_of_a_slammer_is_read_on_both_sides():
    """Turned over about the line of the text, it shows the same picture; another mass does not."""
    pictures = []
    for mass_g, turns in ((8.0, 0.0), (8.0, math.pi), (20.0, 0.0)):
        scene = stack_scene(mass_g, 1)
        half = scene.slammer.thickness_mm / 2
        turn = quaternions(
            np.array([[1.0, 0, 0]] * 2), np.array([[0, math.sin(turns), math.cos(turns)]] * 2)
        )
        moment = moment_with(scene, np.array([(0.0, 90.0, 0.8), (0.0, 0.0, half)]), turn)
        camera = frame_points(ABOVE, camera3d._corners(22.0, 5.0))
        surface = new_surface(*SIZE)
        view = SpaceView(scene=scene, moment=moment, camera=camera)
        software.draw(surface, [(surface.get_rect(), view)], LIGHT)
        pictures.append(pixels_of(surface))
    off = [np.abs(other - pictures[0]).max(axis=2) > 60 for other in pictures[1:]]
    assert off[0].mean() < 0.001
    assert off[1].mean() > 0.002


@settings(max_examples=30)
@given(
    azimuth=st.floats(-4, 4),
    elevation=st.floats(-1, 2),
    factor=st.floats(0.1, 12.0),
    seed=st.integers(0, 99),
)
def test_nothing_fails_however_the_camera_stands(azimuth, elevation, factor, seed):
    rng = np.random.default_rng(seed)
    moment = moment_with(SCENE, rng.uniform(-400, 400, (5, 3)), turned(rng, 5))
    direction = closer(orbit(Direction(), azimuth, elevation), factor)
    camera = following(direction, SCENE.arena, [moment.shot])
    surface = new_surface(80, 50)
    view = SpaceView(scene=SCENE, moment=moment, camera=camera)
    software.draw(surface, [(surface.get_rect(), view)], DARK)


@pytest.mark.parametrize(("name", "palette"), [("space_light", LIGHT), ("space_dark", DARK)])
def test_a_picture_is_as_it_was_looked_at(name, palette):
    check_picture(golden_picture(palette), name)


def golden_picture(palette):
    """Return a made-up moment in space, as the software draws it, by all presets."""
    scene = stack_scene(8.0, 8)
    stacked = [(0.0, 0.0, 0.8 + 1.6 * k) for k in range(3)]
    flying = [(-60.0, 40.0, 30.0), (50.0, -20.0, 60.0), (20.0, 70.0, 90.0), (-30.0, -50.0, 0.8)]
    centres = np.array([*stacked, *flying, (190.0, 60.0, 0.8), (30.0, 10.0, 40.0)])
    angles = np.radians([180.0, 180.0, 180.0, 60.0, 140.0, 20.0, 0.0, 0.0, 25.0])
    orientation = rotate_in_plane(angles, np.radians(40.0 * np.arange(len(angles))))
    moment = moment_with(scene, centres, orientation)
    sheet = new_surface(640, 400)
    views = []
    for place, (_, direction) in enumerate(PRESETS.values()):
        camera = following(direction, scene.arena, [moment.shot])
        view = SpaceView(
            scene=scene, moment=moment, camera=camera, glow=((6, palette.flipped, 1.0),)
        )
        views.append((pygame.Rect(320 * (place % 2), 200 * (place // 2), 320, 200), view))
    software.draw(sheet, views, palette)
    return sheet
