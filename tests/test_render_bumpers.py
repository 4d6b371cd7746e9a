"""Boards of Puck Bumpers: pictures, animated moves, lines of moves as strips and films."""

import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.boardwindow.film import check_export, export_line
from render.bumpers import (
    DARK_BOARD,
    LIGHT_BOARD,
    BoardView,
    draw_moment,
    draw_position,
    extent_of,
    fitted,
    moment_of,
)
from render.bumpers.board import labels_of, space_middle
from render.bumpers.lines import line_of
from render.bumpers.motion import MATS_S, final_moment, moment_at, motion_of
from render.bumpers.sprites import PLAYERS, letter_colour
from render.bumpers.strip import (
    board_size,
    draw_strip,
    line_view,
)
from render.bumpers.svg import rule_svg
from render.canvas import new_surface
from render.palette import hex_code
from sim.bumpers import (
    Colour,
    Direction,
    apply,
    board_of,
    legal_moves,
    parse_move,
    parse_position,
    play,
)
from sim.bumpers.solver.solution import line_steps
from tests.bumpersboards import GOAL_9, position
from tests.refusals import refused

GOLDEN = Path(__file__).parent / "data" / "bumpers" / "board.png"
CLASSIC = parse_position(
    "pb1:classic:RPc3e2i5l9.RIb5n14.RMa8h12.OPc5e6.OIi2.YPj13k5.YMl11.GPo4p10.GIm8."
    "BPd12f14.BMg3.VPb14h15.VIk16:-:R:-"
)
ALL_SIGNS = "X1/.2p2.o.p/..3m..i/.w.nn./.w..../...9.../....p."
"""A mat of 6 by 6 spaces with a pool, two goals, walls and start spaces of all kinds."""

COLOUR_BLIND = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    "none": np.eye(3).tolist(),
}
"""Linear RGB as seen by colour-blind eyes (G. Machado and others, 2009, full severity)."""


def drawn(start, size=(420, 420), palette=LIGHT_BOARD):
    surface = new_surface(*size)
    return surface, draw_position(surface, start, palette=palette)


def seen(surface, place):
    red, green, blue, _ = surface.get_at(place)
    return red, green, blue


@pytest.mark.parametrize("palette", [LIGHT_BOARD, DARK_BOARD], ids=["light", "dark"])
def test_every_piece_is_drawn_on_its_square_in_its_players_colour(palette):
    surface, view = drawn(CLASSIC, (800, 800), palette)
    board = board_of(CLASSIC.layout)
    for space, piece in CLASSIC.pieces:
        row, column = board.squares[space]
        # Beside its letter, which is at its middle.
        assert seen(surface, view.pixel(column + 0.32, row + 0.68)) == PLAYERS[piece.colour], piece
    assert not pygame.display.get_init()


def test_a_piece_carries_its_colours_letter():
    start = position("RPa9", mat="X1/" + "/".join(["........."] * 9))
    surface, view = drawn(start, (800, 800))
    x, y = view.pixel(0.5, 0.5)
    reach = view.scale_px // 4
    around = [surface.get_at((x + i, y + j))[:3] for i in range(-reach, reach) for j in (-3, 0, 3)]
    assert letter_colour(PLAYERS[Colour.RED]) in around
    assert PLAYERS[Colour.RED] in around


@pytest.mark.parametrize("turn", ["", "@90", "@180", "@270"])
def test_walls_are_drawn_on_the_edges_that_nothing_crosses(turn):
    start = position("-", mat=ALL_SIGNS, layout=f"X1{turn}")
    surface, view = drawn(start)
    board = board_of(start.layout)
    for row, column in board.spaces:
        for down, right in ((0, 1), (1, 0)):
            there = (row + down, column + right)
            if there in board.spaces:
                middle = (column + 0.5 + right / 2, row + 0.5 + down / 2)
                trail = Direction.S if down else Direction.E
                is_wall = ((row, column), trail) in board.barriers
                assert (seen(surface, view.pixel(*middle)) == LIGHT_BOARD.wall) is is_wall, middle


def test_each_square_is_found_again_from_its_pixels():
    _, view = drawn(CLASSIC, (640, 500))
    for row, column in board_of(CLASSIC.layout).spaces:
        for x, y in ((0.1, 0.1), (0.5, 0.5), (0.9, 0.9)):
            assert view.square_at(view.pixel(column + x, row + y)) == (row, column)


@given(width=st.integers(200, 1400), height=st.integers(200, 1000))
def test_a_board_fits_into_pictures_of_any_size(width, height):
    extent = extent_of([moment_of(CLASSIC)])
    view = fitted(extent, (width, height), margin_px=10)
    west, north = view.pixel(extent[0], extent[1])
    east, south = view.pixel(extent[2], extent[3])
    assert min(west, north) >= 9
    assert max(east - width, south - height) <= -9


def test_pieces_keep_their_square_when_mats_are_turned():
    start = position("RPb1.BIa2.GMb2", mat="X1/.../.../...", layout="X1@90")
    mats = moment_of(start).mats
    board = board_of(start.layout)
    for space, square in enumerate(board.squares):
        assert space_middle(mats, space) == (square[1] + 0.5, square[0] + 0.5)


def test_an_origin_moves_the_whole_board():
    still, moved = moment_of(CLASSIC), moment_of(CLASSIC, (1, -2))
    for before, after in zip(still.pieces, moved.pieces, strict=True):
        assert after.middle == (before.middle[0] - 8, before.middle[1] + 4)


def test_the_surroundings_of_a_board_stay_as_they_are():
    surface = new_surface(300, 300)
    surface.fill((1, 2, 3))
    view = BoardView(scale_px=10, x_px=70, y_px=70)
    draw_moment(surface, view, moment_of(CLASSIC))
    assert surface.get_at((60, 60))[:3] == (1, 2, 3)
    assert surface.get_at((235, 150))[:3] == (1, 2, 3)
    assert surface.get_at((75, 75))[:3] != (1, 2, 3)


@pytest.mark.parametrize("eyes", COLOUR_BLIND)
def test_players_colours_can_be_told_apart_by_all_eyes(eyes):
    sights = {
        colour: lab(np.array(COLOUR_BLIND[eyes]) @ linear(rgb)) for colour, rgb in PLAYERS.items()
    }
    apart = [np.linalg.norm(sights[a] - sights[b]) for a, b in combinations(PLAYERS, 2)]
    assert min(apart) > 18  # of CIE Lab; 2.3 is just noticeable side by side


@pytest.mark.parametrize("palette", [LIGHT_BOARD, DARK_BOARD], ids=["light", "dark"])
def test_pieces_stand_out_from_every_ground(palette):
    for ground in (palette.mat, palette.goal):
        for colour, rgb in PLAYERS.items():
            distance = np.linalg.norm(lab(linear(rgb)) - lab(linear(ground)))
            assert distance > 30, (colour, ground)


def test_a_board_looks_as_it_did_when_it_was_last_looked_at():
    surface, _ = drawn(position("RPa1.BMd3.GIf1.YMb4.OPe6.VIa6", mat=ALL_SIGNS), (360, 360))
    golden = pygame.surfarray.array3d(pygame.image.load(GOLDEN)).astype(int)
    differs = np.abs(pygame.surfarray.array3d(surface).astype(int) - golden).max(axis=2)
    assert (differs > 40).mean() < 0.005  # letters may be drawn a little otherwise elsewhere


def linear(rgb):
    """Return sRGB as linear light, 0 to 1."""
    parts = np.array(rgb) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light):
    """Return linear light as CIE Lab (D65)."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(to_xyz @ np.clip(light, 0, 1) / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


# Lines of moves.

SLIDES = position("RPa1.BPd1", mat=GOAL_9)


def steps_of(start, *texts):
    moves, current = [], start
    for text in texts:
        moves.append(parse_move(current, text))
        current = apply(current, moves[-1])
    return line_steps(start, moves)


def line(start, *texts):
    return line_of(start, steps_of(start, *texts))


def colours_on_row(surface, y):
    """Return the players' colours from left to right, once for each stretch of them."""
    found = []
    last = None
    for x in range(surface.get_width()):
        colour = seen(surface, (x, y))
        if colour in PLAYERS.values() and colour != last:
            found.append(colour)
        last = colour if colour in PLAYERS.values() or colour == LIGHT_BOARD.mat else last
    return found


MATS = parse_position("pb1:B1.G1.K3:RPf1:-:R:-")


@pytest.mark.parametrize(
    ("start", "move", "arrows"),
    [
        (SLIDES, "a1E", ["M0.92 8.5L2.25 8.5", "M3.92 8.5L8.25 8.5"]),
        (MATS, "T:G1+90", ["M6 0.8A1.2 1.2 0 0 1 7.188 1.833"]),
        (MATS, "T:G1+270", ["M6 0.8A1.2 1.2 0 1 1 4.812 2.167"]),
        (MATS, "S:G1,K3", ["M6 2L10 2", "M10 2L6 2"]),
        (MATS, "H:K3,G1.N", ["M10 2L6 -2"]),
    ],
)
def test_a_drawing_of_a_rule_has_an_arrow_for_all_that_moves(start, move, arrows):
    drawn = rule_svg(line(start, move))
    trail = f'stroke="{hex_code(LIGHT_BOARD.trail)}"'
    drawn_arrows = [part.split('"')[0] for part in drawn.split('<path d="') if trail in part]
    assert drawn_arrows == arrows
    boards = drawn.count("<g transform")
    assert boards == 2
    assert drawn.count(f">{move}") == 1
    ET.fromstring(drawn)


def test_a_strip_has_a_board_for_the_start_and_after_each_move_in_rows_of_four():
    moves = line(SLIDES, "a1E", "c1N")
    one, three = draw_strip(line(SLIDES)), draw_strip(moves)
    width, height = board_size(moves, 39)
    assert one.get_size() == (width + 24, height + 28 + 24)
    assert three.get_size() == (one.get_width() + 2 * (width + 12), one.get_height())
    many = draw_strip(line(SLIDES, "a1E", "c1N", "c9W", "a9S", "a1N"))
    assert many.get_height() == 2 * three.get_height() - 12


def test_each_board_of_a_strip_shows_the_pieces_after_its_move_and_their_trails():
    strip = draw_strip(line(SLIDES, "a1E"))
    view = line_view(line(SLIDES), (12, 12 + 28), 39)
    _, y = view.pixel(0.0, 8.5 + 0.22)
    red, blue = PLAYERS[Colour.RED], PLAYERS[Colour.BLUE]
    assert colours_on_row(strip, y) == [red, blue, red, blue]
    second = replace(view, x_px=view.x_px + board_size(line(SLIDES), 39)[0] + 12)
    for x, colour in ((2.5, red), (8.5, blue)):
        assert seen(strip, second.pixel(x - 0.2, 8.7)) == colour
    for x in (0.5, 5.7):
        assert seen(strip, second.pixel(x, 8.5)) == LIGHT_BOARD.trail


def test_all_boards_of_a_line_are_of_one_size_though_mats_shift_away():
    start = parse_position("pb1:B1.B2.B3:RPa1:-:R:-")
    still, grown = line(start, "T:B2+90"), line(start, "T:B2+90", "H:B3,B1.N", "H:B2,B3.N")
    assert still.extent == pytest.approx((0, 0, 12, 4), abs=1)
    assert grown.extent == (0.0, -8.0, 12.0, 4.0)


@pytest.mark.parametrize("name", ["line.png", "line.gif", "line.mp4", "line.html"])
def test_a_line_is_saved_as_its_name_asks(tmp_path, name):
    if name.endswith(".mp4"):
        pytest.importorskip("imageio_ffmpeg")
    export_line(tmp_path / name, SLIDES, steps_of(SLIDES, "a1E"), caption="red to move")
    data = (tmp_path / name).read_bytes()
    magic = {"png": b"\x89PNG", "gif": b"GIF89a", "mp4": b"ftyp", "html": b"<!doctype"}[name[5:]]
    assert magic in data[:12]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_gif_keeps_the_players_colours(tmp_path):
    export_line(tmp_path / "line.gif", SLIDES, steps_of(SLIDES, "a1E"))
    with Image.open(tmp_path / "line.gif") as film:
        assert getattr(film, "n_frames", 1) > 5
        colours = {colour for _, colour in film.convert("RGB").getcolors(1 << 16) or []}
    assert {PLAYERS[Colour.RED], PLAYERS[Colour.BLUE], LIGHT_BOARD.mat} <= colours


def test_a_name_with_another_suffix_is_refused(tmp_path):
    refused(check_export, "save", tmp_path / "line.bmp", said="give a name that ends in")


# Animated moves.


def motion(start, move):
    after, change = play(start, parse_move(start, move))
    return motion_of(start, after, change.movements)


def piece_at(moment, code):
    return next((pose for pose in moment.pieces if pose.piece.code == code), None)


def middle(moment, code):
    pose = piece_at(moment, code)
    return pose.middle


def test_a_puck_slides_until_it_hits_the_next_and_only_then_that_one_sets_out():
    moved = motion(position("RPa1.BPd1"), "a1E")
    first, second = moved.slides
    assert second.begin_s == first.end_s
    early, late = (moment_at(moved, t) for t in (first.end_s / 2, second.end_s - 0.01))
    assert middle(early, "RP") == pytest.approx((1.5, 8.5))
    assert middle(early, "BP") == (3.5, 8.5)
    assert middle(late, "RP") == (2.5, 8.5)
    assert middle(late, "BP")[0] > 8.0


def test_a_meeple_follows_what_it_bumps_at_once():
    moved = motion(position("RMa1.BPb1"), "a1E")
    early = moment_at(moved, 0.1)
    assert middle(early, "RM")[0] > 0.5
    assert middle(early, "BP")[0] > 1.5


def test_a_scored_puck_shrinks_in_the_goal_and_is_gone():
    moved = motion(position("RPe1", mat=GOAL_9), "e1N")
    (slide,) = moved.slides
    shrinking = piece_at(moment_at(moved, slide.end_s + 0.1), "RP")
    assert shrinking.middle == (4.5, 3.5)
    assert 0 < shrinking.size < 1
    assert piece_at(moment_at(moved, moved.duration_s), "RP") is None


def test_a_turning_mat_takes_its_pieces_along():
    start = parse_position("pb1:X1.B1:RPa1.BPf1:-:R:mats=X1/..../..../..../....:-")
    moved = motion(start, "T:X1+90")
    half = moment_at(moved, MATS_S / 2)
    assert [mat.is_lifted for mat in half.mats] == [False, True]
    assert half.mats[1].quarters == pytest.approx(0.5)
    assert middle(half, "RP") == pytest.approx((2 - 1.5 * 2**0.5, 2.0))
    assert middle(half, "BP") == (5.5, 3.5)
    assert middle(moment_at(moved, MATS_S), "RP") == (0.5, 0.5)


def test_a_mat_turns_the_short_way():
    start = parse_position("pb1:X1:RPa1:-:R:mats=X1/..../..../..../....:-")
    assert moment_at(motion(start, "T:X1+270"), MATS_S / 2).mats[0].quarters == -0.5


def test_a_board_that_grows_to_the_north_stays_where_it_is():
    start = parse_position("pb1:B1.B2.B3:RPa1:-:R:-")
    moved = motion(start, "H:B3,B1.N")
    assert moved.origin_after == (-1, 0)
    names = labels_of(moved.after.layout, moved.origin_after)
    assert {("a", 0.5, -4.4), ("a", 0.5, 4.4), ("8", -0.45, -3.5)} <= {*names}
    before, after = moment_of(start), moment_at(moved, moved.duration_s)
    assert after.mats[0].middle == before.mats[0].middle
    assert after.mats[2].middle == (2.0, -2.0)
    assert middle(after, "RP") == (0.5, 3.5)


def test_two_mats_change_places():
    moved = motion(parse_position("pb1:B1.B2.B3:RPa1:-:R:-"), "S:B1,B2")
    half = moment_at(moved, MATS_S / 2)
    assert half.mats[0].middle == half.mats[1].middle == (4.0, 2.0)
    assert not half.mats[2].is_lifted


def test_the_final_moment_shows_what_moved_and_its_trail():
    slid = final_moment(motion(position("RPa1.BPd1"), "a1E"))
    assert slid.trails == (((0.5, 8.5), (2.5, 8.5)), ((3.5, 8.5), (8.5, 8.5)))
    turned = final_moment(motion(parse_position("pb1:B1.B2.B3:RPa1:-:R:-"), "T:B2+90"))
    assert (turned.trails, turned.moved) == ((), frozenset({1}))


@given(move=st.sampled_from(legal_moves(CLASSIC, mats=True)))
def test_every_move_begins_and_ends_at_its_positions_without_jumps(move):
    after, change = play(CLASSIC, move)
    moved = motion_of(CLASSIC, after, change.movements)
    start = moment_of(CLASSIC)
    assert all(_is_near(*pair) for pair in _pairs(moment_at(moved, 0.0), start))
    end = moment_of(after, moved.origin_after)
    assert moment_at(moved, moved.duration_s) == end
    almost = [pose.middle for pose in moment_at(moved, moved.duration_s - 1e-9).pieces]
    for pose in end.pieces:
        assert any(_is_near(pose.middle, place) for place in almost)


def _pairs(first, second):
    return [(a.middle, b.middle) for a, b in zip(first.pieces, second.pieces, strict=True)]


def _is_near(first, second):
    return math.dist(first, second) < 1e-4
