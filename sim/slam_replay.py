"""Replays: a recorded slam in a JSON file, to be drawn again without computing it anew.

A `Replay` is a scene, a throw, the outcome and the recorded motion. `save_replay` writes it and
`load_replay` reads it; scene, throw and outcome are read by the types of their fields
(`sim.core.json_reading`), the arrays of the recording by their shapes.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics import (
    InputError,
    Piece,
    Puck,
    Recording,
    Scene,
    Slammer,
    SlamOutcome,
    SlamResult,
    Throw,
)
from physics.errors import shown
from physics.parsing import MAX_JSON_CHARS, parse_json
from physics.poses import Poses
from physics.slam import ENGINES
from sim.core.files import read_text, version, write_whole
from sim.core.json_reading import from_json, to_json
from sim.core.records import check_schema

SCHEMA = 1
"""Version of the file format."""

_LARGEST = 1e6
"""Largest number in a recording: a kilometre in mm."""

_UNIT = 1e-3
"""Largest difference between the length of a quaternion in a file and 1."""

_LONGEST_S = 10.0
"""Longest recording; physics computes 1.5 s at most."""

_KINDS: Mapping[str, type[Piece]] = {"puck": Puck, "slammer": Slammer}
"""Kinds of pieces by the name in the file."""

_FIELDS = ("schema", "version", "scene", "throw", "outcome", "recording")

_DECIMALS = {
    "time_s": 7,
    "side_mm": 3,
    "height_mm": 3,
    "angle_rad": 5,
    "top_mm": 3,
    "energy_mj": 4,
}
"""Arrays of a recording, and the decimals that their numbers are written with."""


_POSE_DECIMALS = {"time_s": 7, "middle_mm": 2, "orientation": 5}
"""Arrays of poses in space, and the decimals of their numbers."""

_DENSE_S, _SPARSE_S = 0.02, 0.0049
"""Time up to which all poses are written, and smallest time between two poses after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A recorded slam.

    Attributes:
        version: Version of the program that computed it.
        scene: Slammer, stack, box and parameters.
        throw: The throw.
        outcome: Result of the slam.
        recording: Motion of every piece.
        engine: The engine that computed it, one of `physics.ENGINES`.
    """

    version: str
    scene: Scene
    throw: Throw
    outcome: SlamOutcome
    recording: Recording
    engine: str = "plane"


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
        engine=result.engine,
    )


def save_replay(path: Path, replay: Replay) -> None:
    """Write a replay, whole or not at all."""
    write_whole(path, replay_to_json(replay).encode())


def load_replay(path: Path) -> Replay:
    """Read a replay from a file.

    Raises:
        InputError: The file cannot be read, or is not a replay of this schema.
    """
    text = read_text("replay", path, MAX_JSON_CHARS)
    try:
        return replay_from_json(text)
    except InputError as error:
        message = str(error).replace("replay", f"replay: {str(path)!r}", 1)
        raise InputError(message) from None


def replay_to_json(replay: Replay) -> str:
    """Return a replay as JSON; lengths are rounded to a micrometre, angles to 1e-5 rad."""
    scene = to_json(replay.scene)
    scene["slammer"] = _piece_json(replay.scene.slammer)
    scene["stack"] = [_piece_json(piece) for piece in replay.scene.stack]
    arrays = {
        name: np.round(getattr(replay.recording, name), decimals).tolist()
        for name, decimals in _DECIMALS.items()
    }
    facts = {
        "schema": SCHEMA,
        "version": replay.version,
        "engine": replay.engine,
        "scene": scene,
        "throw": to_json(replay.throw),
        "outcome": to_json(replay.outcome),
        "recording": {
            **arrays,
            "impact_samples": replay.recording.impact_samples,
            "poses": _poses_json(replay.recording.poses),
        },
    }
    return json.dumps(facts, separators=(",", ":"), allow_nan=False) + "\n"


def replay_from_json(text: str) -> Replay:
    """Return the replay in a JSON text.

    Raises:
        InputError: The text is not JSON or of another schema, or a field is missing or not
            accepted.

    Example:
        >>> replay_from_json('{"schema": 2}')
        Traceback (most recent call last):
            ...
        physics.errors.InputError: replay: schema: 2 is not accepted; give 1
    """
    facts = parse_json(text, "replay")
    if isinstance(facts, Mapping) and "schema" in facts:
        check_schema("replay", facts, SCHEMA)
    for name in _FIELDS:
        _field(facts, name, "replay")
    scene = _scene(facts["scene"], "replay: scene")
    throw: Throw = from_json(Throw, facts["throw"], "replay: throw")
    if len(throw.chances) != len(scene.stack):
        raise InputError(
            f"replay: throw chances: {len(throw.chances)} values are not accepted; "
            f"give one for each of the {len(scene.stack)} pieces of the stack"
        )
    return Replay(
        version=from_json(str, facts["version"], "replay: version"),
        scene=scene,
        throw=throw,
        outcome=_outcome(facts["outcome"], len(scene.stack)),
        recording=_recording(facts["recording"], len(scene.stack) + 1),
        engine=_engine(facts.get("engine", "plane")),
    )


def _poses_json(poses: Poses | None) -> dict[str, Any] | None:
    """Return poses in JSON types: all of the first 20 ms, then at most one in 5 ms."""
    if poses is None:
        return None
    kept: list[int] = []
    for sample, time_s in enumerate(poses.time_s.tolist()):
        if not kept or time_s <= _DENSE_S or time_s > poses.time_s[kept[-1]] + _SPARSE_S:
            kept.append(sample)
    if kept[-1] != len(poses.time_s) - 1:
        kept.append(len(poses.time_s) - 1)
    return {
        name: np.round(getattr(poses, name)[kept], decimals).tolist()
        for name, decimals in _POSE_DECIMALS.items()
    }


def _piece_json(piece: Piece) -> dict[str, Any]:
    return {"kind": "slammer" if isinstance(piece, Slammer) else "puck", **asdict(piece)}


def _engine(value: Any) -> str:
    if value not in ENGINES:
        raise InputError(
            f"replay: engine: {shown(value)} is not accepted; give {' or '.join(ENGINES)}"
        )
    return str(value)


def _scene(value: Any, where: str) -> Scene:
    slammer = _piece(_field(value, "slammer", where), f"{where} slammer")
    if not isinstance(slammer, Slammer):
        raise InputError(f"{where} slammer kind: 'puck' is not accepted; give 'slammer'")
    stack = _field(value, "stack", where)
    if not isinstance(stack, list) or not stack:
        raise InputError(f"{where} stack: {shown(stack)} is not accepted; give a list of pieces")
    pieces = [_piece(piece, f"{where} stack {place}") for place, piece in enumerate(stack, start=1)]
    scene: Scene = from_json(Scene, {**value, "slammer": slammer, "stack": pieces}, where)
    return scene


def _piece(value: Any, where: str) -> Piece:
    kind = _field(value, "kind", where)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InputError(f"{where} kind: {shown(kind)} is not accepted; give {' or '.join(_KINDS)}")
    fields = {name: part for name, part in value.items() if name != "kind"}
    piece: Piece = from_json(_KINDS[kind], fields, where)
    return piece


def _outcome(value: Any, pieces: int) -> SlamOutcome:
    where = "replay: outcome"
    outcome: SlamOutcome = from_json(SlamOutcome, value, where)
    places = [piece.place for piece in outcome.pieces]
    if places != list(range(pieces)) or outcome.slammer.place is not None:
        raise InputError(
            f"{where} pieces: places {shown(places)} are not accepted; "
            f"give 0 to {pieces - 1} in order, and null for the slammer"
        )
    return outcome


def _recording(value: Any, pieces: int) -> Recording:
    where = "replay: recording"
    time = _times(value, where)
    samples = len(time)
    impact: int = from_json(int, _field(value, "impact_samples", where), f"{where} impact_samples")
    if not 0 <= impact <= samples:
        raise InputError(
            f"{where} impact_samples: {impact!r} is not accepted; "
            f"give a whole number from 0 to {samples}"
        )
    return Recording(
        time_s=time,
        side_mm=_array(value, "side_mm", (samples, pieces), where),
        height_mm=_array(value, "height_mm", (samples, pieces), where),
        angle_rad=_array(value, "angle_rad", (samples, pieces), where),
        top_mm=_array(value, "top_mm", (samples, pieces, 2), where),
        energy_mj=_array(value, "energy_mj", (samples,), where),
        impact_samples=impact,
        poses=_poses(value.get("poses"), pieces),
    )


def _poses(value: Any, pieces: int) -> Poses | None:
    """Return the poses of a recording; None if it has none, as in files of older versions."""
    if value is None:
        return None
    where = "replay: recording poses"
    time = _times(value, where)
    middle = _array(value, "middle_mm", (len(time), pieces, 3), where)
    orientation = _array(value, "orientation", (len(time), pieces, 4), where)
    length = np.sqrt((orientation**2).sum(axis=2, keepdims=True))
    if not (np.abs(length - 1) < _UNIT).all():
        raise InputError(f"{where} orientation: not accepted; give quaternions of length 1")
    return Poses(time_s=time, middle_mm=middle, orientation=orientation)


def _times(value: Any, where: str) -> NDArray[np.float64]:
    time = _array(value, "time_s", (None,), where)
    in_order = len(time) > 0 and not bool(np.any(np.diff(time) < 0))
    if not in_order or not 0 <= time[0] <= time[-1] <= _LONGEST_S:
        raise InputError(
            f"{where} time_s: not accepted; give times in order, from 0 up to {_LONGEST_S:g}"
        )
    return time


def _array(value: Any, name: str, shape: tuple[int | None, ...], where: str) -> NDArray[np.float64]:
    """Return an array of numbers of a shape, in which None stands for any length."""
    rows = _field(value, name, where)
    try:
        array = np.array(rows)
    except ValueError:  # rows of different lengths
        array = np.array(None)
    fits = array.ndim == len(shape) and all(
        want in (None, got) for want, got in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in "if" or not (np.abs(array) <= _LARGEST).all():
        lengths = " x ".join("any number" if size is None else str(size) for size in shape)
        raise InputError(
            f"{where} {name}: not accepted; give {lengths} numbers, up to {_LARGEST:g} each"
        )
    return array.astype(np.float64)


def _field(value: Any, name: str, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: {shown(value)} is not accepted; give an object")
    if name not in value:
        raise InputError(f"{where}: {name} is missing; save the replay again with {version()}")
    return value[name]
