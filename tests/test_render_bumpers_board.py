"""Pictures of boards: everything is drawn at its place."""

from dataclasses import fields
from itertools import combinations
from pathlib import Path

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from render.bumpers import (
    DARK_BOARD,
    LIGHT_BOARD,
    BoardPalette,
    BoardView,
    draw_moment,
    draw_position,
    extent_of,
    fitted,
    moment_of,
)
from render.bumpers.board import space_middle
from render.bumpers.sprites import PLAYERS, letter_colour
from render.canvas import new_surface
from render.palette import Palette, Rgb
from sim.bumpers import Colour, Direction, Position, board_of, parse_position
from tests.bumpersboards import position

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
"""What colour-blind eyes see of linear RGB (G. Machado and others, 2009, full severity)."""


def drawn(
    start: Position, size: tuple[int, int] = (420, 420), palette: BoardPalette = LIGHT_BOARD
) -> tuple[pygame.Surface, BoardView]:
    surface = new_surface(*size)
    return surface, draw_position(surface, start, palette=palette)


def seen(surface: pygame.Surface, view: BoardView, x: float, y: float) -> Rgb:
    red, green, blue, _ = surface.get_at(view.pixel(x, y))
    return red, green, blue


def on_square(start: Position, name: str) -> tuple[float, float]:
    """Return the middle of a square, in spaces."""
    board = board_of(start.layout)
    space = board.space_named(name)
    assert space is not None
    row, column = board.squares[space]
    return column + 0.5, row + 0.5


@pytest.mark.parametrize("palette", [LIGHT_BOARD, DARK_BOARD], ids=["light", "dark"])
def test_every_piece_is_drawn_on_its_square_in_its_players_colour(palette: BoardPalette) -> None:
    surface, view = drawn(CLASSIC, (800, 800), palette)
    board = board_of(CLASSIC.layout)
    for space, piece in CLASSIC.pieces:
        row, column = board.squares[space]
        # Beside its letter, which is at its middle.
        assert seen(surface, view, column + 0.32, row + 0.68) == PLAYERS[piece.colour], piece


def test_a_piece_carries_its_colours_letter() -> None:
    start = position("RPa9", mat="X1/" + "/".join(["........."] * 9))
    surface, view = drawn(start, (800, 800))
    x, y = view.pixel(0.5, 0.5)
    reach = view.scale_px // 4
    around = [surface.get_at((x + i, y + j))[:3] for i in range(-reach, reach) for j in (-3, 0, 3)]
    assert letter_colour(PLAYERS[Colour.RED]) in around
    assert PLAYERS[Colour.RED] in around


def test_pools_goals_and_open_spaces_have_their_colours() -> None:
    start = position("RPa1", mat=ALL_SIGNS)
    surface, view = drawn(start)
    board = board_of(start.layout)
    for row, column in board.spaces:
        found = seen(surface, view, column + 0.88, row + 0.88)
        wanted = LIGHT_BOARD.mat
        if (row, column) in board.pools:
            wanted = LIGHT_BOARD.pool
        elif (row, column) in board.goals:
            wanted = LIGHT_BOARD.goal
        assert found == wanted, (row, column)


@pytest.mark.parametrize("turn", ["", "@90", "@180", "@270"])
def test_walls_are_drawn_on_the_edges_that_nothing_crosses(turn: str) -> None:
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
                assert (seen(surface, view, *middle) == LIGHT_BOARD.wall) is is_wall, middle


def test_a_slot_without_a_mat_is_left_free() -> None:
    start = position("RPa1", mat="", layout="B1.-/B2.B3")
    surface, view = drawn(start)
    assert seen(surface, view, 6.0, 2.0) == LIGHT_BOARD.page.background
    assert seen(surface, view, 6.3, 6.3) == LIGHT_BOARD.mat


def test_each_square_is_found_again_from_its_pixels() -> None:
    _, view = drawn(CLASSIC, (640, 500))
    for row, column in board_of(CLASSIC.layout).spaces:
        for x, y in ((0.1, 0.1), (0.5, 0.5), (0.9, 0.9)):
            assert view.square_at(view.pixel(column + x, row + y)) == (row, column)


@given(width=st.integers(200, 1400), height=st.integers(200, 1000))
def test_a_board_fits_into_pictures_of_any_size(width: int, height: int) -> None:
    extent = extent_of([moment_of(CLASSIC)])
    view = fitted(extent, (width, height), margin_px=10)
    west, north = view.pixel(extent[0], extent[1])
    east, south = view.pixel(extent[2], extent[3])
    assert min(west, north) >= 9
    assert max(east - width, south - height) <= -9


def test_pieces_keep_their_square_when_mats_are_turned() -> None:
    start = position("RPb1.BIa2.GMb2", mat="X1/.../.../...", layout="X1@90")
    mats = moment_of(start).mats
    board = board_of(start.layout)
    for space, square in enumerate(board.squares):
        assert space_middle(mats, space) == (square[1] + 0.5, square[0] + 0.5)


def test_an_origin_moves_the_whole_board() -> None:
    still, moved = moment_of(CLASSIC), moment_of(CLASSIC, (1, -2))
    for before, after in zip(still.pieces, moved.pieces, strict=True):
        assert after.middle == (before.middle[0] - 8, before.middle[1] + 4)


def test_the_surroundings_of_a_board_stay_as_they_are() -> None:
    surface = new_surface(300, 300)
    surface.fill((1, 2, 3))
    view = BoardView(scale_px=10, x_px=70, y_px=70)
    draw_moment(surface, view, moment_of(CLASSIC))
    assert surface.get_at((60, 60))[:3] == (1, 2, 3)
    assert surface.get_at((235, 150))[:3] == (1, 2, 3)
    assert surface.get_at((75, 75))[:3] != (1, 2, 3)


def test_no_display_is_opened() -> None:
    drawn(CLASSIC)
    assert not pygame.display.get_init()


@pytest.mark.parametrize("eyes", COLOUR_BLIND)
def test_players_colours_can_be_told_apart_by_all_eyes(eyes: str) -> None:
    sights = {
        colour: lab(np.array(COLOUR_BLIND[eyes]) @ linear(rgb)) for colour, rgb in PLAYERS.items()
    }
    apart = [np.linalg.norm(sights[a] - sights[b]) for a, b in combinations(PLAYERS, 2)]
    assert min(apart) > 18  # of CIE Lab; 2.3 is just noticeable side by side


@pytest.mark.parametrize("palette", [LIGHT_BOARD, DARK_BOARD], ids=["light", "dark"])
def test_pieces_stand_out_from_every_ground(palette: BoardPalette) -> None:
    for ground in (palette.mat, palette.goal):
        for colour, rgb in PLAYERS.items():
            distance = np.linalg.norm(lab(linear(rgb)) - lab(linear(ground)))
            assert distance > 30, (colour, ground)


def test_palettes_have_a_colour_for_everything() -> None:
    for palette in (LIGHT_BOARD, DARK_BOARD):
        for field in fields(palette):
            value = getattr(palette, field.name)
            assert isinstance(value, Palette) or all(0 <= part <= 255 for part in value)


def test_a_board_looks_as_it_did_when_it_was_last_looked_at() -> None:
    surface, _ = drawn(position("RPa1.BMd3.GIf1.YMb4.OPe6.VIa6", mat=ALL_SIGNS), (360, 360))
    golden = pygame.surfarray.array3d(pygame.image.load(GOLDEN)).astype(int)
    differs = np.abs(pygame.surfarray.array3d(surface).astype(int) - golden).max(axis=2)
    assert (differs > 40).mean() < 0.005  # letters may be drawn a little otherwise elsewhere


def linear(rgb: Rgb) -> NDArray[np.float64]:
    """Return sRGB as linear light, 0 to 1."""
    parts = np.array(rgb) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return linear light as CIE Lab (D65)."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(to_xyz @ np.clip(light, 0, 1) / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
