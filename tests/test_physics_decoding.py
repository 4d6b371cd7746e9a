"""Plain values into typed dataclasses: strict, with errors that name field, value and range."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

import pytest

from pucklab.base.decoding import check_names, decode, encode, register_tags, register_text
from pucklab.base.errors import limits, parameter
from pucklab.physics import InputError
from tests.refusals import refused
from tests.tables import cases, toml


class Mode(StrEnum):
    BATTLE = "battle"
    WILD = "wild"


@dataclass(frozen=True)
class Square:
    column: int
    row: int


def _square(text):
    if len(text) != 2 or not text.isdecimal():
        raise InputError(f"{text!r} is no square")
    return Square(*map(int, text))


register_text(Square, "a square", lambda square: f"{square.column}{square.row}", _square)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    mass_g: float = parameter(1.5, low=1, high=2, unit="g", source="house data")
    at: Square | None = None

    def __post_init__(self):
        if self.mass_g == 1.25:
            raise InputError("mass_g: 1.25 brings bad luck")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cube:
    side_mm: float


register_tags("kind", {"disc": Disc, "cube": Cube})


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    name: str = limits(1, 8)
    mode: Mode = Mode.BATTLE
    engine: Literal["plane", "solid"] = "plane"
    condition: bool = field(default=True, metadata={"key": "if"})
    seed: int | None = None
    buy_in: tuple[int, int] = (1, 2)
    names: frozenset[str] = frozenset()
    counts: Mapping[str, int] = limits(1, 20, default_factory=dict)
    disc: Disc = field(default_factory=Disc)
    pieces: tuple[Disc | Cube, ...] = ()
    mass: float | Disc = 1.0
    squares: Mapping[str, tuple[Square, ...]] = field(default_factory=dict)


FULL = {
    "name": "mine",
    "mode": "wild",
    "engine": "solid",
    "if": False,
    "seed": 3,
    "buy_in": [3, 4],
    "names": ["a"],
    "counts": {"Potion": 2},
    "disc": {"kind": "disc", "mass_g": 2.0, "at": "12"},
    "pieces": [{"kind": "cube", "side_mm": 2.0}, {"kind": "disc", "mass_g": 1.0, "at": None}],
    "mass": 2.0,
    "squares": {"home": ["11", "22"]},
}


def test_a_value_is_read_with_all_its_parts_and_written_again():
    read = decode(File, json.loads(json.dumps(FULL)), "file")
    assert read.mode is Mode.WILD
    assert read.disc == Disc(mass_g=2.0, at=Square(1, 2))
    assert read.pieces == (Cube(side_mm=2.0), Disc(mass_g=1.0))
    assert read.squares == {"home": (Square(1, 1), Square(2, 2))}
    assert encode(read) == FULL
    assert decode(File, encode(read), "file") == read


def test_what_is_left_out_has_its_default_or_stays_as_in_the_base():
    assert decode(File, {"name": "mine"}, "file") == File(name="mine")
    base = File(name="mine", seed=3, disc=Disc(mass_g=2.0, at=Square(1, 2)))
    changed = decode(File, {"disc": {"mass_g": 1}}, "file", base)
    assert changed == File(name="mine", seed=3, disc=Disc(mass_g=1.0, at=Square(1, 2)))
    assert type(changed.disc.mass_g) is float


@cases("change said", "decoding_mistakes.txt", toml)
def test_what_is_not_accepted_is_named_by_its_place(change, said):
    refused(decode, File, {"name": "mine"} | change, "file", said=f"^file ... {said}")


def test_a_long_name_is_quoted_in_part():
    refused(decode, File, {"x" * 900: 1}, "file", said="^file ... 'xxxx ... give name, mode")


@pytest.mark.parametrize("value", [None, 3, "x", [1], {}])
def test_a_value_of_another_kind_is_refused(value):
    with pytest.raises(InputError, match=r"^file( name)?: "):
        decode(File, value, "file")


def test_a_name_is_checked_alone():
    check_names("file", {"a": 1}, ("a", "b"))
    refused(check_names, "file", {"c": 1}, ("a", "b"), said="file c: no such field; give a, b")
