"""Replays: a slam in a JSON file, to be drawn again without computing it anew."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from physics import (
    Arena,
    Face,
    InputError,
    LiftOff,
    Materials,
    Piece,
    PieceChance,
    PieceOutcome,
    Preset,
    Puck,
    Recording,
    Scene,
    Slammer,
    SlamOutcome,
    SlamResult,
    Throw,
)
from physics.errors import shown
from sim.core.files import read_text, version, write_whole
from sim.core.records import check_schema

SCHEMA = 1

_MOST_DIGITS = 18
_FARTHEST = 1e6
"""No number of a recording is larger: a kilometre, in mm."""

_LONGEST_S = 10.0
"""A slam is computed for 1.5 s at most."""

_Fact = TypeVar("_Fact")
_PIECES: Mapping[str, Callable[..., Piece]] = {"puck": Puck, "slammer": Slammer}
_DIGITS = {
    "time_s": 7,
    "side_mm": 3,
    "height_mm": 3,
    "angle_rad": 5,
    "top_mm": 3,
    "energy_mj": 4,
}
"""Decimals that a recording's numbers are written with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A slam that was recorded, and what made it.

    Attributes:
        version: Version of the program that computed it.
        scene: What was thrown at what.
        throw: How.
        outcome: What it came to.
        recording: How it moved.
    """

    version: str
    scene: Scene
    throw: Throw
    outcome: SlamOutcome
    recording: Recording


def replay_of(scene: Scene, throw: Throw, result: SlamResult) -> Replay:
    """Return a recorded slam as a replay of this version.

    Raises:
        InputError: The slam was not recorded.
    """
    if result.recording is None:
        raise InputError("recording: None is not accepted; give a slam that was recorded")
    return Replay(
        version=version(),
        scene=scene,
        throw=throw,
        outcome=result.outcome,
        recording=result.recording,
    )


def save_replay(path: Path, replay: Replay) -> None:
    """Write a replay, whole or not at all."""
    write_whole(path, replay_to_json(replay).encode())


def load_replay(path: Path) -> Replay:
    """Read a replay.

    Raises:
        InputError: The file cannot be read, or is no replay that this version reads.
    """
    text = read_text("replay", path)
    try:
        return replay_from_json(text)
    except InputError as error:
        message = str(error).replace("replay:", f"replay: {str(path)!r}:", 1)
        raise InputError(message) from None


def replay_to_json(replay: Replay) -> str:
    """Return a replay as JSON; lengths are rounded to a micrometre, angles to 1e-5 rad."""
    scene = asdict(replay.scene)
    scene["slammer"] = _piece_facts(replay.scene.slammer)
    scene["stack"] = [_piece_facts(piece) for piece in replay.scene.stack]
    recording = {
        name: np.round(getattr(replay.recording, name), digits).tolist()
        for name, digits in _DIGITS.items()
    }
    facts = {
        "schema": SCHEMA,
        "version": replay.version,
        "scene": scene,
        "throw": asdict(replay.throw),
        "outcome": asdict(replay.outcome),
        "recording": {**recording, "impact_samples": replay.recording.impact_samples},
    }
    return json.dumps(facts, separators=(",", ":"), allow_nan=False) + "\n"


def replay_from_json(text: str) -> Replay:
    """Return the replay that a JSON text holds.

    Raises:
        InputError: It is no JSON, of another schema, or a field is missing or not accepted.

    Example:
        >>> replay_from_json('{"schema": 2}')
        Traceback (most recent call last):
            ...
        physics.errors.InputError: replay: schema: 2 is not accepted; give 1
    """
    try:
        facts = json.loads(text, parse_constant=_no_constant, parse_int=_whole)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"replay: no JSON: {error}") from None
    facts = _table(facts, "replay")
    _get(facts, "schema", "replay")
    check_schema("replay", facts, SCHEMA)
    made_by = _get(facts, "version", "replay")
    if not isinstance(made_by, str):
        raise InputError(f"replay: version: {made_by!r} is not accepted; give text")
    scene = _scene(_get(facts, "scene", "replay"))
    throw = _throw(_get(facts, "throw", "replay"), len(scene.stack))
    outcome = _outcome(_get(facts, "outcome", "replay"), len(scene.stack))
    recording = _recording(_get(facts, "recording", "replay"), len(scene.stack) + 1)
    return Replay(version=made_by, scene=scene, throw=throw, outcome=outcome, recording=recording)


def _piece_facts(piece: Piece) -> dict[str, Any]:
    return {"kind": "slammer" if isinstance(piece, Slammer) else "puck", **asdict(piece)}


def _scene(value: Any) -> Scene:
    where = "replay: scene"
    facts = _table(value, where)
    slammer = _piece(_get(facts, "slammer", where), f"{where}: slammer")
    if not isinstance(slammer, Slammer):
        raise InputError(f"{where}: slammer: kind 'puck' is not accepted; give 'slammer'")
    stack = _list(_get(facts, "stack", where), f"{where}: stack")
    if not stack:
        raise InputError(f"{where}: stack: [] is not accepted; give at least one piece")
    return _built(
        Scene,
        {
            **facts,
            "slammer": slammer,
            "stack": tuple(
                _piece(piece, f"{where}: stack: piece {place}") for place, piece in enumerate(stack)
            ),
            "arena": _part(Arena, facts, "arena", where),
            "materials": _part(Materials, facts, "materials", where),
            "lift_off": _part(LiftOff, facts, "lift_off", where),
            "preset": _part(Preset, facts, "preset", where),
        },
        where,
    )


def _piece(value: Any, where: str) -> Piece:
    facts = dict(_table(value, where))
    kind = _get(facts, "kind", where)
    if not isinstance(kind, str) or kind not in _PIECES:
        raise InputError(f"{where}: kind: {kind!r} is not accepted; give {' or '.join(_PIECES)}")
    del facts["kind"]
    piece: Piece = _built(_PIECES[kind], facts, where)
    return piece


def _throw(value: Any, pieces: int) -> Throw:
    where = "replay: throw"
    facts = _table(value, where)
    chances = _list(_get(facts, "chances", where), f"{where}: chances", pieces)
    built = []
    for place, chance in enumerate(chances):
        here = f"{where}: chances: piece {place}"
        numbers = {
            name: _number(number, f"{here}: {name}") for name, number in _items(chance, here)
        }
        built.append(_built(PieceChance, numbers, here))
    return _built(Throw, {**facts, "chances": tuple(built)}, where)


def _outcome(value: Any, pieces: int) -> SlamOutcome:
    where = "replay: outcome"
    facts = _table(value, where)
    hit = _get(facts, "hit", where)
    if not isinstance(hit, bool):
        raise InputError(f"{where}: hit: {hit!r} is not accepted; give true or false")
    rows = _list(_get(facts, "pieces", where), f"{where}: pieces", pieces)
    return SlamOutcome(
        hit=hit,
        pieces=tuple(
            _piece_outcome(row, place, f"{where}: pieces: piece {place}")
            for place, row in enumerate(rows)
        ),
        slammer=_piece_outcome(_get(facts, "slammer", where), None, f"{where}: slammer"),
    )


def _piece_outcome(value: Any, place: int | None, where: str) -> PieceOutcome:
    facts = _table(value, where)
    face = _get(facts, "face", where)
    if face not in list(Face):
        raise InputError(f"{where}: face: {face!r} is not accepted; give {', '.join(Face)}")
    if _get(facts, "place", where) != place:
        raise InputError(f"{where}: place: {facts['place']!r} is not accepted; give {place}")
    return PieceOutcome(
        place=place,
        face=Face(face),
        x_mm=_number(_get(facts, "x_mm", where), f"{where}: x_mm"),
        y_mm=_number(_get(facts, "y_mm", where), f"{where}: y_mm"),
    )


def _recording(value: Any, pieces: int) -> Recording:
    where = "replay: recording"
    facts = _table(value, where)
    time = _array(facts, "time_s", (None,), where)
    samples = len(time)
    in_order = samples > 0 and not bool(np.any(np.diff(time) < 0))
    if not in_order or not 0 <= time[0] <= time[-1] <= _LONGEST_S:
        raise InputError(
            f"{where}: time_s: not accepted; give times in order, from 0 up to {_LONGEST_S:g}"
        )
    impact = _get(facts, "impact_samples", where)
    if not isinstance(impact, int) or isinstance(impact, bool) or not 0 <= impact <= samples:
        raise InputError(
            f"{where}: impact_samples: {impact!r} is not accepted; "
            f"give a whole number from 0 to {samples}"
        )
    return Recording(
        time_s=time,
        side_mm=_array(facts, "side_mm", (samples, pieces), where),
        height_mm=_array(facts, "height_mm", (samples, pieces), where),
        angle_rad=_array(facts, "angle_rad", (samples, pieces), where),
        top_mm=_array(facts, "top_mm", (samples, pieces, 2), where),
        energy_mj=_array(facts, "energy_mj", (samples,), where),
        impact_samples=impact,
    )


def _array(
    facts: Mapping[str, Any], name: str, shape: tuple[int | None, ...], where: str
) -> NDArray[np.float64]:
    value = _get(facts, name, where)
    try:
        array = np.array(value)
    except ValueError:
        array = np.array(None)
    fits = array.ndim == len(shape) and all(
        want in (None, got) for want, got in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in "if" or not (np.abs(array) <= _FARTHEST).all():
        told = " x ".join("any number" if size is None else str(size) for size in shape)
        raise InputError(
            f"{where}: {name}: not accepted; give numbers up to {_FARTHEST:g}, {told} of them"
        )
    return array.astype(np.float64)


def _part(kind: Callable[..., _Fact], facts: Mapping[str, Any], name: str, where: str) -> _Fact:
    here = f"{where}: {name}"
    return _built(kind, _table(_get(facts, name, where), here), here)


def _built(kind: Callable[..., _Fact], facts: Mapping[str, Any], where: str) -> _Fact:
    """Build a dataclass from all its fields, by name."""
    types = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]
    names = list(types)
    for name, wanted in types.items():
        value = _get(facts, name, where)
        if wanted in (bool, str) and type(value) is not wanted:
            told = "text" if wanted is str else "true or false"
            raise InputError(f"{where}: {name}: {shown(value)} is not accepted; give {told}")
    for name in facts:
        if name not in names:
            raise InputError(f"{where}: {name}: no such field; give {', '.join(names)}")
    try:
        return kind(**facts)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _items(value: Any, where: str) -> list[tuple[str, Any]]:
    return list(_table(value, where).items())


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: {shown(value)} is not accepted; give an object")
    return value


def _list(value: Any, where: str, size: int | None = None) -> list[Any]:
    if not isinstance(value, list) or (size is not None and len(value) != size):
        told = "a list" if size is None else f"a list of {size}"
        raise InputError(f"{where}: {shown(value)} is not accepted; give {told}")
    return value


def _get(facts: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in facts:
        raise InputError(f"{where}: {name} is missing; save it anew with this version, {version()}")
    return facts[name]


def _number(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise InputError(f"{where}: {value!r} is not accepted; give a number")
    return float(value)


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise InputError(f"replay: {shown(digits)} is not accepted; give a smaller number")
    return int(digits)


def _no_constant(name: str) -> float:
    raise InputError(f"replay: {name} is not accepted; give a number")
