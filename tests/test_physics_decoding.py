"""Plain values into typed dataclasses: strict, with errors that name field, value and range."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

import pytest

from physics import InputError
from physics.decoding import check_names, decode, encode, register_tags, register_text
from physics.errors import limits, parameter
from tests.refusals import refused


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


@pytest.mark.parametrize(
    ("change", "place", "accepted"),
    [
        ({"name": 3}, "name: 3 is", "a line of 1 to 8 characters"),
        ({"name": "x" * 9}, "name: 'xxxxxxxxx' is", "a line of 1 to 8 characters"),
        ({"name": "x\ny"}, "name: 'x\\ny' is", "a line of 1 to 8 characters"),
        ({"mode": "wold"}, "mode: 'wold' is", "one of battle, wild (did you mean wild?)"),
        ({"mode": ["wild"]}, "mode: ['wild'] is", "one of battle, wild"),
        ({"engine": 1}, "engine: 1 is", "one of plane, solid"),
        ({"if": 1}, "if: 1 is", "true or false"),
        ({"seed": "3"}, "seed: '3' is", "a whole number"),
        ({"seed": True}, "seed: True is", "a whole number"),
        ({"seed": 2.0}, "seed: 2.0 is", "a whole number"),
        ({"buy_in": [1]}, "buy_in: [1] is", "a list of 2"),
        ({"buy_in": "12"}, "buy_in: '12' is", "a list of 2"),
        ({"buy_in": [1, "2"]}, "buy_in 2: '2' is", "a whole number"),
        ({"names": ["a", 1]}, "names 2: 1 is", "a text"),
        ({"counts": {"Potion": 2, "Berry": 21}}, "Berry: 21 is", "a whole number from 1 to 20"),
        ({"counts": [1]}, "counts: [1] is", "a table of a whole number from 1 to 20"),
        ({"disc": {"mass_g": 3}}, "disc mass_g: 3 is", "a number from 1 to 2 g"),
        ({"disc": {"mass_g": True}}, "disc mass_g: True is", "a number from 1 to 2 g"),
        ({"disc": {"mass_g": math.nan}}, "disc mass_g: nan is", "a number from 1 to 2 g"),
        ({"disc": {"mass_g": 1.25}}, "disc mass_g: 1.25 brings", "bad luck"),
        ({"disc": {"mess_g": 1}}, "disc mess_g: no such field", "did you mean mass_g?"),
        ({"disc": {"at": "1x"}}, "disc at: '1x' is", "no square"),
        ({"disc": {"at": 11}}, "disc at: 11 is", "a square"),
        ({"disc": 1}, "disc: 1 is", "a table of mass_g, at"),
        ({"pieces": [{"kind": "ball"}]}, "pieces 1 kind: 'ball' is", "one of disc, cube"),
        ({"pieces": [{}]}, "pieces 1 kind: None is", "one of disc, cube"),
        ({"pieces": [{"kind": "cube"}]}, "pieces 1 side_mm: missing", "a number"),
        ({"pieces": [{"kind": "cube", "side_mm": math.inf}]}, "1 side_mm: inf is", "a number"),
        ({"mass": {"mass_g": 5}}, "mass mass_g: 5 is", "a number from 1 to 2 g"),
        ({"mass": "5"}, "mass: '5' is", "a number or a table of mass_g, at"),
        ({"squares": {"home": ["11", "1"]}}, "squares home 2: '1' is", "no square"),
        ({"nme": 1}, "nme: no such field", "did you mean name?"),
        ({"zzz": 1}, "zzz: no such field", "give name, mode"),
        ({"x" * 900: 1}, "'xxxx", "give name, mode"),
    ],
)
def test_what_is_not_accepted_is_named_by_its_place(change, place, accepted):
    said = f"^file ... {place} ... {accepted}"
    refused(decode, File, {"name": "mine"} | change, "file", said=said)


@pytest.mark.parametrize("value", [None, 3, "x", [1], {}])
def test_a_value_of_another_kind_is_refused(value):
    with pytest.raises(InputError, match=r"^file( name)?: "):
        decode(File, value, "file")


def test_a_name_is_checked_alone():
    check_names("file", {"a": 1}, ("a", "b"))
    refused(check_names, "file", {"c": 1}, ("a", "b"), said="file c: no such field; give a, b")
