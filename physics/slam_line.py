"""A slam as a line of text: everything that it is computed from, to be copied and sent.

A line has fields between colons: ``th1`` (the version), then in this order, each left out if it is
the default:

- ``s=`` the slammer, ``k=`` the stack from the floor up, ``a=`` the arena, ``p=`` the materials,
  ``l=`` constants of lift-off and ``q=`` the preset, both of the plane alone;
- ``t=`` the throw, and ``j=`` its jitter, ``x/y`` of each piece of the stack;
- ``e=`` the engine and the version of its physics;
- a checksum of everything before its colon; a line written by hand has ``-`` or none.

Within a field, numbers follow letters: ``m8,i4`` is a slammer of 8 g with an insert of 4 g.
`LETTERS` has them all. A stack is groups of alike pieces: ``3*m1.8/2`` is three pucks of 1.8 g
under two ordinary ones; ``S`` begins a slammer. A material is named, ``Msteel``, or has numbers,
``Md1.1;e0.4``. Numbers have the shortest form that reads back to the same bits.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import InputError, errors_at, refusal, shown
from pucklab.base.facts import fact
from pucklab.base.parsing import check_length, checksum
from pucklab.physics.material import MATERIALS, Material
from pucklab.physics.materials import PRESETS, LiftOff, Materials
from pucklab.physics.pieces import Piece, Puck, Slammer
from pucklab.physics.recording import SampleRate
from pucklab.physics.scene import MAX_STACK, Arena, Scene
from pucklab.physics.slam import PHYSICS_VERSION, SlamResult, check_engine, computing_engine, slam
from pucklab.physics.thrower import Throw

LINE = "th1"

MAX_LINE = 20_000
"""Longest line in characters: that of sixty unlike pieces is half as long."""

_PIECE = {
    "m": "mass_g",
    "t": "thickness_mm",
    "i": "insert_g",
    "r": "ring_width_mm",
    "f": "fill_fraction",
    "d": "diameter_mm",
    "M": "material",
    "u": "unofficial",
}

LETTERS: Mapping[type, Mapping[str, str]] = MappingProxyType(
    {
        Slammer: _PIECE,
        Puck: {letter: name for letter, name in _PIECE.items() if name != "insert_g"},
        Arena: {
            "s": "side_mm",
            "w": "wall_height_mm",
            "o": "box",  # alone: there are no walls
            "r": "out_radius_mm",
            "f": "film_gap_um",
            "a": "air_kg_m3",
            "M": "material",
        },
        Material: {
            "d": "density_g_cm3",
            "E": "modulus_gpa",
            "n": "poisson",
            "e": "restitution",
            "u": "friction",
        },
        Materials: {"e": "restitution", "h": "hysteresis", "u": "friction"},
        LiftOff: dict(zip("abcdefghijk", (each.name for each in fields(LiftOff)), strict=True)),
        Throw: {
            "v": "speed_mm_s",
            "x": "aim_x_mm",
            "y": "aim_y_mm",
            "d": "descent_rad",
            "b": "direction_rad",
            "t": "tilt_rad",
            "z": "tilt_azimuth_rad",
            "p": "rate_x_rad_s",
            "q": "rate_y_rad_s",
            "r": "rate_z_rad_s",
            "l": "luck",
        },
    }
)
"""The letter of each number that a line can have, by the class that it belongs to."""

_FIELDS = "skaplqtje"
_ENGINE = re.compile(r"([a-z]+)(\d{1,6})")


@fact
class SlamSetup:
    """What a slam is computed from: a scene, a throw and an engine.

    Attributes:
        scene: The scene.
        throw: A throw at its stack.
        engine: The engine, one of `pucklab.physics.ENGINES`.
        version: Version of the physics that it was thrown in; another one may give another outcome.

    Example:
        >>> from pucklab.physics import puck_stack
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(10))
        >>> setup = SlamSetup(scene=scene, throw=Throw(speed_mm_s=5000.0, aim_x_mm=2.5))
        >>> setup.line.rpartition(":e=")[0]
        'th1:s=m8:k=10:t=v5000,x2.5'
        >>> read_slam_line(setup.line) == setup
        True
    """

    scene: Scene
    throw: Throw
    engine: str = "solid"
    version: int = PHYSICS_VERSION

    def __post_init__(self) -> None:
        """Check that the throw is at this stack, and name the engine that computes the scene."""
        check_engine(self.engine)
        self.throw.jitter_of(len(self.scene.stack))
        object.__setattr__(self, "engine", computing_engine(self.scene, self.engine))

    @property
    def line(self) -> str:
        """The line of text.

        Raises:
            InputError: The preset is none of those that come with pucklab, and has no name.
        """
        scene, throw = self.scene, self.throw
        groups = []
        for piece, own in groupby(scene.stack):
            if isinstance(piece, Puck):
                make = _text(piece, Puck())
            else:
                make = "S" + _text(piece, Slammer(mass_g=2.0), always="mass_g")
            groups.append(f"{len([*own])}*{make}".removesuffix("*"))
        parts = {
            "s": _text(scene.slammer, Slammer(mass_g=2.0), always="mass_g"),
            "k": "/".join(groups),
            "a": _text(scene.arena, Arena()),
            "p": _text(scene.materials, Materials()),
            "t": _text(throw, Throw(speed_mm_s=500.0), always="speed_mm_s"),
            "j": ",".join(f"{_number(x)}/{_number(y)}" for x, y in throw.jitter_mm),
            "e": f"{self.engine}{self.version}",
        }
        if self.engine == "plane":
            parts["l"] = _text(scene.lift_off, LiftOff())
            name = scene.preset.name
            if PRESETS.get(name) != scene.preset:
                raise refusal("preset", name, f"one of {', '.join(PRESETS)}")
            parts["q"] = "" if name == "recommended" else name
        text = ":".join([LINE, *(f"{key}={parts[key]}" for key in _FIELDS if parts.get(key))])
        return f"{text}:{checksum(text)}"

    def slam(self, record: SampleRate | None = None) -> SlamResult:
        """Simulate it; see `pucklab.physics.slam`."""
        return slam(self.scene, self.throw, record, self.engine)


def read_slam_line(text: str, where: str = "slam") -> SlamSetup:
    """Return the slam of a line.

    Args:
        text: The line; blanks round its fields do not count.
        where: Name of the line in errors.

    Raises:
        InputError: The text is no such line, its checksum is another one, or a value is not
            accepted. The message names the field.

    Example:
        >>> read_slam_line("th1:s=m20:t=v5000,x9").scene.slammer.mass_g
        20.0
        >>> read_slam_line("th1:s=m20:t=v9e9")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: slam t speed_mm_s: 9000000000.0 is not accepted; ...
    """
    check_length(text, where, MAX_LINE)
    line = "".join(text.strip().strip("\"'").split())
    form = "th1:s=...:t=...:e=...:checksum"
    begin, *parts = line.split(":")
    if begin != LINE or not parts:
        raise refusal(where, text, f"a line such as {form}")
    if "=" not in parts[-1]:
        given = parts.pop()
        own = checksum(":".join([begin, *parts]))
        if given not in ("-", own):
            raise InputError(
                f"{where}: the checksum {shown(given)} is not that of the line, {own}; a character "
                "was changed or lost, or give - for a line written by hand"
            )
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or len(key) != 1 or key not in _FIELDS:
            raise refusal(f"{where}: field", part, f"one of {', '.join(f'{k}=' for k in _FIELDS)}")
        if found and _FIELDS.index(key) <= _FIELDS.index([*found][-1]):
            raise InputError(f"{where}: field {key}= stands twice or too late; the order is {form}")
        found[key] = value
    for key, about in (("s", "slammer"), ("t", "throw")):
        if key not in found:
            raise InputError(f"{where}: field {key}=, the {about}, is missing")
    engine = _ENGINE.fullmatch(found.get("e", f"solid{PHYSICS_VERSION}"))
    if engine is None:
        raise refusal(
            f"{where} e", found["e"], f"engine and version, such as solid{PHYSICS_VERSION}"
        )
    stack: list[Piece] = []
    for group in found["k"].split("/") if "k" in found else ["10"]:
        count, _, piece = group.partition("*")
        kind: Piece = Puck()
        if piece.startswith("S"):
            kind, piece = Slammer(mass_g=2.0), piece[1:]
        if not (count.isascii() and count.isdigit() and 0 < int(count[:4]) <= MAX_STACK):
            raise refusal(f"{where} k", group, f"a count from 1 to {MAX_STACK} and a piece")
        stack += [_read(kind, piece, f"{where} k")] * int(count)
    pairs = [pair.split("/") for pair in found["j"].split(",")] if found.get("j") else []
    if not all(len(pair) == 2 for pair in pairs):
        raise refusal(f"{where} j", found["j"], "x/y of each piece, with commas")
    preset = found.get("q", "recommended")
    check_one_of(f"{where} q", preset, tuple(PRESETS))
    with errors_at(where):
        throw = replace(
            _read(Throw(speed_mm_s=500.0), found["t"], "t"),
            jitter_mm=tuple((_float("j", x), _float("j", y)) for x, y in pairs),
        )
        scene = Scene(
            slammer=_read(Slammer(mass_g=2.0), found["s"], "s"),
            stack=tuple(stack),
            arena=_read(Arena(), found.get("a", ""), "a"),
            materials=_read(Materials(), found.get("p", ""), "p"),
            lift_off=_read(LiftOff(), found.get("l", ""), "l"),
            preset=PRESETS[preset],
        )
        return SlamSetup(scene=scene, throw=throw, engine=engine[1], version=int(engine[2]))


def _text(owner: Any, usual: Any, always: str = "", comma: str = ",") -> str:
    """Return what an object has that the usual one has not, and one number in any case."""
    parts = []
    for letter, name in LETTERS[type(owner)].items():
        value = getattr(owner, name)
        if name != always and value == getattr(usual, name):
            continue
        if isinstance(value, Material):
            named = next((own for own in MATERIALS if MATERIALS[own] == value), "")
            parts.append(letter + (named or _text(value, Material(), "density_g_cm3", ";")))
        else:
            parts.append(letter if isinstance(value, bool) else letter + _number(value))
    return comma.join(parts)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else repr(float(value)).removesuffix(".0")


def _float(where: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise refusal(where, text, "a number") from None


def _read(usual: Any, text: str, where: str, comma: str = ",") -> Any:
    """Return an object like the usual one, with the numbers of a text."""
    letters, changes = LETTERS[type(usual)], dict[str, Any]()
    for part in text.split(comma) if text else []:
        name = letters.get(part[:1])
        if name is None:
            raise refusal(where, part, f"numbers behind the letters {', '.join(letters)}")
        if name in changes:
            raise InputError(f"{where} {name}: given twice; give it once")
        own, value = getattr(usual, name), part[1:]
        if name == "material":
            changes[name] = MATERIALS.get(value) or replace(
                _read(Material(), value, f"{where} material", ";"), source="the user's"
            )
        elif isinstance(own, bool) and not value:
            changes[name] = not own
        elif isinstance(own, int) and not isinstance(own, bool):
            if not re.fullmatch("[0-9]{1,20}", value):
                raise refusal(f"{where} {name}", value, "a whole number")
            changes[name] = int(value)
        else:
            changes[name] = _float(f"{where} {name}", value)
    with errors_at(where):
        return replace(usual, **changes)
