"""Boards of Puck Bumpers: pictures, animated moves, lines of moves as strips and films."""

import io
import math
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pucklab.render.bumpers import film
from pucklab.render.bumpers.board import extent_of, labels_of, moment_of
from pucklab.render.bumpers.colours import DARK_BOARD, LIGHT_BOARD, PLAYERS
from pucklab.render.bumpers.film import (
    check_export,
    export_line,
    position_png,
    rasterise,
    save_history,
    strip_svg,
)
from pucklab.render.bumpers.history import Entry, History, at_entry, entry_of_move
from pucklab.render.bumpers.motion import MATS_S, final_moment, line_of, moment_at, motion_of
from pucklab.render.bumpers.svg import XMLNS, board_group, outer_box, rule_svg
from pucklab.render.palette import hex_code
from pucklab.sim.bumpers import (
    Colour,
    Direction,
    apply,
    board_of,
    legal_moves,
    parse_move,
    parse_position,
    play,
)
from pucklab.sim.bumpers.solver.solution import line_steps
from tests.bumpersboards import CLASSIC, GOAL_9, position
from tests.refusals import refused

GOLDEN = Path(__file__).parent / "data" / "bumpers" / "board.png"
ALL_SIGNS = "X1/.2p2.o.p/..3m..i/.w.nn./.w..../...9.../....p."
"""A mat of 6 by 6 spaces with a pool, two goals, walls and start spaces of all kinds."""

COLOUR_BLIND = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    "none": np.eye(3).tolist(),
}
"""Linear RGB as seen by colour-blind eyes (G. Machado and others, 2009, full severity)."""


def pixels_of(png):
    """Return the pixels of a PNG file; shape (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def drawn(start, palette=LIGHT_BOARD):
    """Return the pixels of a position, and a function from its plane to them."""
    moment = moment_of(start)
    west, north, width, height = outer_box(extent_of([moment]))
    board = board_group(moment, (start.layout, (0, 0)), "pb", "pb", palette)
    view = f'viewBox="{west:g} {north:g} {width:g} {height:g}" font-family="sans-serif"'
    size = f'width="800" height="{round(800 * height / width)}"'
    pixels = pixels_of(rasterise(f"<svg {XMLNS} {size} {view}>{board}</svg>", 800))
    scale = 800 / width
    return pixels, lambda x, y: tuple(pixels[int(scale * (y - north)), int(scale * (x - west))])


@pytest.mark.parametrize("palette", [LIGHT_BOARD, DARK_BOARD], ids=["light", "dark"])
def test_every_piece_is_drawn_on_its_square_in_its_players_colour(palette):
    _, seen = drawn(CLASSIC, palette)
    board = board_of(CLASSIC.layout)
    for space, piece in CLASSIC.pieces:
        row, column = board.squares[space]
        # Beside its letter, which is at its middle.
        assert seen(column + 0.32, row + 0.68) == PLAYERS[piece.colour], piece
    assert not pygame.display.get_init()


@pytest.mark.parametrize("turn", ["", "@90", "@180", "@270"])
def test_walls_are_drawn_on_the_edges_that_nothing_crosses(turn):
    start = position("-", mat=ALL_SIGNS, layout=f"X1{turn}")
    _, seen = drawn(start)
    board = board_of(start.layout)
    for row, column in board.spaces:
        for down, right in ((0, 1), (1, 0)):
            there = (row + down, column + right)
            if there in board.spaces:
                middle = (column + 0.5 + right / 2, row + 0.5 + down / 2)
                trail = Direction.S if down else Direction.E
                is_wall = ((row, column), trail) in board.barriers
                assert (seen(*middle) == LIGHT_BOARD.wall) is is_wall, middle


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


def golden_board():
    return position_png(position("RPa1.BMd3.GIf1.YMb4.OPe6.VIa6", mat=ALL_SIGNS), 360)


def test_a_board_looks_as_it_did_when_it_was_last_looked_at():
    differs = np.abs(pixels_of(golden_board()) - pixels_of(GOLDEN.read_bytes())).max(axis=2)
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
    moves = ("a1E", "c1N", "c9W", "a9S", "a1N")
    lines = [line(SLIDES, *moves[:count]) for count in (0, 2, 5)]
    sizes = []
    for each in lines:
        svg, width = strip_svg(each)
        sizes.append((width, float(ET.fromstring(svg).get("height"))))
        assert svg.count("<g transform") >= len(each.texts) + 1
    (one, high), (three, same), (four, higher) = sizes
    assert same == high
    assert three - one == 2 * (four - three) == 2 * (one - 12)
    assert higher - 12 == 2 * (high - 12)


def test_each_board_of_a_strip_shows_the_pieces_after_its_move_and_their_trails():
    own = line(SLIDES, "a1E")
    svg, width = strip_svg(own)
    pixels = pixels_of(rasterise(svg, width))
    west, north, wide, _ = outer_box(own.extent)
    board = (width - 3 * 12) / 2
    scale = board / wide

    def seen(number, x, y):
        left = 12 + number * (board + 12)
        return tuple(pixels[int(12 + 28 + scale * (y - north)), int(left + scale * (x - west))])

    red, blue = PLAYERS[Colour.RED], PLAYERS[Colour.BLUE]
    for number, x, colour in ((0, 0.5, red), (0, 3.5, blue), (1, 2.5, red), (1, 8.5, blue)):
        assert seen(number, x - 0.2, 8.7) == colour
    for x in (0.5, 5.7):
        assert seen(1, x, 8.5) == LIGHT_BOARD.trail


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


def test_a_film_begins_at_the_entry_shown_and_ends_with_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr(film, "FILM_FPS", 4.0)
    moves = steps_of(SLIDES, "a1E", "c1N")
    entries = (Entry(position=SLIDES), *map(entry_of_move, moves))
    counts = []
    for number in (0, 1):
        path = tmp_path / f"{number}.gif"
        save_history(path, at_entry(History(entries=entries), number), dark=True)
        with Image.open(path) as shown:
            counts.append(shown.n_frames)
            assert sum(shown.convert("RGB").getpixel((0, 0))) < 100  # dark
    assert counts[0] > counts[1] > 1


def test_a_film_that_would_be_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(film, "LONGEST_S", 0.1)
    entries = (Entry(position=SLIDES), *map(entry_of_move, steps_of(SLIDES, "a1E")))
    path = tmp_path / "a.gif"
    refused(save_history, path, History(entries=entries), said="is too long")
    assert not path.exists()


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
