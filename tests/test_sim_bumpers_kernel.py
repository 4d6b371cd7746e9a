"""How the kernel is compiled and kept, and what it is told."""

import os
from pathlib import Path

import numpy as np
import pytest
from numba import config
from numba.core.caching import CacheImpl

from sim.bumpers import Colour, parse_position
from sim.bumpers.kernel import compiling
from sim.bumpers.kernel.codes import GOAL, WALL
from sim.bumpers.kernel.compiling import cache_folder, jitted
from sim.bumpers.kernel.encoding import encode


def twice(value: int) -> int:
    return 2 * value


def test_a_compiled_function_is_kept_where_numba_is_told_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert jitted(twice)(21) == 42
    assert list(tmp_path.glob("numba-*/*/*.nbi"))
    assert str(tmp_path) == config.CACHE_DIR


def test_where_nothing_can_be_written_a_function_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    assert jitted(twice)(21) == 42


def test_a_user_without_a_home_can_compile_from_a_folder_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_home() -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(Path, "home", no_home)
    cache_folder.cache_clear()
    assert jitted(twice)(21) == 42
    assert config.CACHE_DIR == ""
    cache_folder.cache_clear()


def test_a_change_of_any_source_is_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "_HERE", tmp_path)
    folders = set()
    for text in ("a = 1", "a = 2"):
        (tmp_path / "other.py").write_text(text)
        cache_folder.cache_clear()
        folders.add(cache_folder(""))
    cache_folder.cache_clear()
    assert len(folders) == 2
    assert {folder.parent for folder in folders} == {tmp_path / "__pycache__"}


def test_pieces_of_a_kind_and_colour_share_their_zobrist_numbers_and_no_others_do() -> None:
    encoded = encode(parse_position("pb1:classic:RPa1c7.RIb2.BPd4:-:R:-"))
    assert len(encoded.zobrist) == 4
    assert len({row.tobytes() for row in encoded.zobrist}) == 3
    spaces = encoded.zobrist[:, :-2].reshape(-1, 2)
    assert len(np.unique(spaces, axis=0)) == 3 * 256


def test_empty_goals_and_walls_have_their_codes() -> None:
    pieces = encode(parse_position("pb1:classic:RMf8:-:R:-")).pieces
    assert (pieces.vacated == GOAL).sum() == 8
    assert (pieces.occupied == GOAL).sum() == 7
    assert (pieces.occupied == WALL).sum() == 2


def test_the_colours_that_may_move_are_the_side_to_move_unless_told() -> None:
    start = parse_position("pb1:classic:RPa1.BPd4:-:R:-")
    assert len(encode(start).game.movable) == 1
    assert len(encode(start, colours={Colour.RED, Colour.BLUE}).game.movable) == 2
