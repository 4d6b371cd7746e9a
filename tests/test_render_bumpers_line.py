"""Lines of moves as strips of boards and as films."""

from pathlib import Path

import pygame
import pytest
from PIL import Image

from physics import InputError
from render.bumpers.export import (
    Line,
    board_size,
    check_export,
    draw_strip,
    export_line,
    film_frames,
    film_size,
    fitted_scale,
    line_of,
    line_view,
)
from render.bumpers.sprites import LIGHT_BOARD, PLAYERS
from render.palette import Rgb
from sim.bumpers import Colour, Position, apply, parse_move, parse_position
from sim.bumpers.solver.solution import LineStep, line_steps
from tests.bumpersboards import GOAL_9, position

SLIDES = position("RPa1.BPd1", mat=GOAL_9)


def steps_of(start: Position, *texts: str) -> tuple[LineStep, ...]:
    moves, current = [], start
    for text in texts:
        moves.append(parse_move(current, text))
        current = apply(current, moves[-1])
    return line_steps(start, moves)


def line(start: Position, *texts: str) -> Line:
    return line_of(start, steps_of(start, *texts))


def seen(surface: pygame.Surface, place: tuple[int, int]) -> Rgb:
    red, green, blue, _ = surface.get_at(place)
    return red, green, blue


def colours_on_row(surface: pygame.Surface, y: int) -> list[Rgb]:
    """Return the players' colours from left to right, once for each stretch of them."""
    found: list[Rgb] = []
    last = None
    for x in range(surface.get_width()):
        colour = seen(surface, (x, y))
        if colour in PLAYERS.values() and colour != last:
            found.append(colour)
        last = colour if colour in PLAYERS.values() or colour == LIGHT_BOARD.mat else last
    return found


def test_a_strip_has_a_board_for_the_start_and_after_each_move() -> None:
    moves = line(SLIDES, "a1E", "c1N")
    one, three = draw_strip(line(SLIDES)), draw_strip(moves)
    width, height = board_size(moves, 39)
    assert one.get_size() == (width + 24, height + 28 + 24)
    assert three.get_width() == one.get_width() + 2 * (width + 12)
    assert three.get_height() == one.get_height()


def test_a_strip_of_many_moves_has_rows_of_four() -> None:
    few, many = line(SLIDES, "a1E"), line(SLIDES, "a1E", "c1N", "c9W", "a9S", "a1N")
    assert draw_strip(many).get_height() == 2 * draw_strip(few).get_height() - 12


def test_each_board_of_a_strip_shows_the_pieces_after_its_move() -> None:
    strip = draw_strip(line(SLIDES, "a1E"))
    view = line_view(line(SLIDES), (12, 12 + 28), 39)
    _, y = view.pixel(0.0, 8.5 + 0.22)
    red, blue = PLAYERS[Colour.RED], PLAYERS[Colour.BLUE]
    assert colours_on_row(strip, y) == [red, blue, red, blue]
    beside = view.scale_px * 0.2
    panel = board_size(line(SLIDES), 39)[0] + 12
    for x, colour in ((2.5, red), (8.5, blue)):
        place = view.pixel(x, 8.5)
        assert seen(strip, (round(place[0] + panel - beside), place[1] + round(beside))) == colour


def test_a_strip_draws_the_trails_of_pieces_that_moved() -> None:
    strip = draw_strip(line(SLIDES, "a1E"))
    view = line_view(line(SLIDES), (12 + board_size(line(SLIDES), 39)[0] + 12, 12 + 28), 39)
    assert seen(strip, view.pixel(0.5, 8.5)) == LIGHT_BOARD.trail
    assert seen(strip, view.pixel(5.7, 8.5)) == LIGHT_BOARD.trail


def test_all_boards_of_a_line_are_of_one_size_though_mats_shift_away() -> None:
    start = parse_position("pb1:B1.B2.B3:RPa1:-:R:-")
    still, grown = line(start, "T:B2+90"), line(start, "T:B2+90", "H:B3,B1.N", "H:B2,B3.N")
    assert still.extent == pytest.approx((0, 0, 12, 4), abs=1)
    assert grown.extent == (0.0, -8.0, 12.0, 4.0)


def test_a_film_begins_at_the_start_and_ends_after_the_last_move() -> None:
    moves = line(SLIDES, "a1E")
    size = film_size(moves, 300)
    frames = [frame.copy() for frame in film_frames(moves, side_px=300, fps=10)]
    assert {frame.get_size() for frame in frames} == {size}
    assert all(side % 2 == 0 for side in size)
    view = line_view(moves, (8, 68), fitted_scale(moves, 300, (12, 60)))
    red = PLAYERS[Colour.RED]

    def is_red_at(frame: pygame.Surface, x: float) -> bool:
        return seen(frame, view.pixel(x - 0.2, 8.7)) == red

    assert is_red_at(frames[0], 0.5)
    assert is_red_at(frames[-1], 2.5)
    assert not is_red_at(frames[-1], 0.5)
    assert len(frames) > 10


def test_a_film_shows_pieces_between_their_squares() -> None:
    moves = line(position("RPa1", mat=GOAL_9), "a1E")
    middle = [frame.copy() for frame in film_frames(moves, side_px=300, fps=20)][16 + 6]
    view = line_view(moves, (8, 68), fitted_scale(moves, 300, (12, 60)))
    y = view.pixel(0.0, 8.72)[1]
    reds = [x for x in range(middle.get_width()) if seen(middle, (x, y)) == PLAYERS[Colour.RED]]
    assert view.pixel(2.0, 0)[0] < min(reds)
    assert max(reds) < view.pixel(7.0, 0)[0]


@pytest.mark.parametrize("name", ["line.png", "line.gif", "line.mp4"])
def test_a_line_is_saved_as_its_name_asks(tmp_path: Path, name: str) -> None:
    if name.endswith(".mp4"):
        pytest.importorskip("imageio_ffmpeg")
    export_line(tmp_path / name, SLIDES, steps_of(SLIDES, "a1E"), caption="red to move")
    data = (tmp_path / name).read_bytes()
    magic = {"png": b"\x89PNG", "gif": b"GIF89a", "mp4": b"ftyp"}[name[-3:]]
    assert magic in data[:12]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_gif_keeps_the_players_colours(tmp_path: Path) -> None:
    export_line(tmp_path / "line.gif", SLIDES, steps_of(SLIDES, "a1E"))
    with Image.open(tmp_path / "line.gif") as film:
        assert getattr(film, "n_frames", 1) > 5
        colours = {colour for _, colour in film.convert("RGB").getcolors(1 << 16) or []}
    assert {PLAYERS[Colour.RED], PLAYERS[Colour.BLUE], LIGHT_BOARD.mat} <= colours


def test_a_name_with_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give a name that ends in"):
        check_export("save", tmp_path / "line.bmp")
