"""Replays: a recorded slam in a JSON file, to be drawn again without computing it anew.

A `Replay` is a scene, a throw, the outcome and the recorded motion. `save_replay` writes it and
`load_replay` reads it; `pucklab.base.decoding` reads scene, throw and outcome by their types,
and the arrays of the recording are checked by their shapes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.base.decoding import (
    Form,
    check_one_of,
    decode,
    encode,
    register_form,
    register_tags,
)
from pucklab.base.errors import check_count, refusal, shown
from pucklab.base.facts import fact
from pucklab.base.files import read_text, version, write_whole
from pucklab.base.parsing import MAX_JSON_CHARS, json_text, parse_json
from pucklab.physics import (
    InputError,
    Puck,
    Recording,
    Scene,
    Slammer,
    SlamOutcome,
    SlamResult,
    Throw,
)
from pucklab.physics.poses import Poses
from pucklab.physics.slam import ENGINES
from pucklab.sim.core.records import record_from

_GAME = "slam"

_LARGEST = 1e6
"""Largest number in a recording: a kilometre in mm."""

_UNIT = 1e-3
"""Largest difference between the length of a quaternion in a file and 1."""

_LONGEST_S = 10.0
"""Longest recording; physics computes 1.5 s at most."""

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


@fact
class Replay:
    """A recorded slam."""

    version: str  # of the program that computed it
    engine: str = "plane"  # one of `pucklab.physics.ENGINES`
    scene: Scene
    throw: Throw
    outcome: SlamOutcome
    recording: Recording

    def __post_init__(self) -> None:
        """Check that all is of one slam."""
        check_one_of("engine", self.engine, ENGINES)
        pieces = len(self.scene.stack)
        self.throw.jitter_of(pieces)
        places = [piece.place for piece in self.outcome.pieces]
        if places != list(range(pieces)) or self.outcome.slammer.place is not None:
            raise InputError(
                f"outcome pieces: places {shown(places)} are not accepted; "
                f"give 0 to {pieces - 1} in order, and null for the slammer"
            )
        if self.recording.side_mm.shape[1] != pieces + 1:
            raise InputError(f"recording side_mm: not accepted; give {pieces + 1} pieces")


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
    return replay_from_json(text, f"replay: {str(path)!r}")


def replay_to_json(replay: Replay) -> str:
    """Return a replay as JSON; lengths are rounded to a micrometre, angles to 1e-5 rad."""
    facts = {"schema": 1, "game": _GAME, **encode(replay)}
    return json_text(facts, separators=(",", ":")) + "\n"


def replay_from_json(text: str, where: str = "replay:") -> Replay:
    """Return the replay in a JSON text.

    Raises:
        InputError: The text is not JSON or of another schema, or a field is missing or not
            accepted.

    Example:
        >>> replay_from_json('{"schema": 2, "game": "slam"}')
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: replay: schema: 2 is not accepted; give 1
    """
    return record_from(Replay, parse_json(text, where.removesuffix(":")), where, _GAME)


@fact
class _PosesFile:
    """Poses as files have them; an array is one of numbers, as `_numbers` reads it."""

    time_s: np.ndarray[Any, Any]
    middle_mm: np.ndarray[Any, Any]
    orientation: np.ndarray[Any, Any]


@fact
class _RecordingFile:
    """A recording as files have it."""

    time_s: np.ndarray[Any, Any]
    side_mm: np.ndarray[Any, Any]
    height_mm: np.ndarray[Any, Any]
    angle_rad: np.ndarray[Any, Any]
    top_mm: np.ndarray[Any, Any]
    energy_mj: np.ndarray[Any, Any]
    impact_samples: int
    poses: _PosesFile | None


def _store_recording(recording: Recording) -> dict[str, Any]:
    poses, kept = recording.poses, list[int]()
    # The samples of poses: all of the first 20 ms, then at most one in 5 ms, and the last.
    times_s = [] if poses is None else poses.time_s.tolist()
    for sample, time_s in enumerate(times_s):
        if time_s <= _DENSE_S or time_s > times_s[kept[-1]] + _SPARSE_S:
            kept.append(sample)
    if times_s and kept[-1] != len(times_s) - 1:
        kept.append(len(times_s) - 1)
    return {
        **_round_fields(recording, _DECIMALS, slice(None)),
        "impact_samples": recording.impact_samples,
        "poses": None if poses is None else _round_fields(poses, _POSE_DECIMALS, kept),
    }


def _round_fields(
    owner: object, decimals: Mapping[str, int], kept: slice | list[int]
) -> dict[str, Any]:
    return {
        name: np.round(getattr(owner, name)[kept], digits).tolist()
        for name, digits in decimals.items()
    }


def _read_recording(value: object, where: str) -> Recording:
    stored = decode(_RecordingFile, value, where)
    pieces = stored.side_mm.shape[-1]
    samples = _check_arrays(stored, {"energy_mj": ()}, where)
    in_plane = dict.fromkeys(("side_mm", "height_mm", "angle_rad"), (pieces,))
    _check_arrays(stored, {**in_plane, "top_mm": (pieces, 2)}, where)
    check_count(f"{where} impact_samples", stored.impact_samples, 0, samples)
    poses = stored.poses
    if poses is not None:
        _check_arrays(
            poses, {"middle_mm": (pieces, 3), "orientation": (pieces, 4)}, f"{where} poses"
        )
        length = np.sqrt((poses.orientation**2).sum(axis=2))
        if not (np.abs(length - 1) < _UNIT).all():
            raise InputError(
                f"{where} poses orientation: not accepted; give quaternions of length 1"
            )
    return Recording(
        **{name: getattr(stored, name) for name in _DECIMALS},
        impact_samples=stored.impact_samples,
        poses=None
        if poses is None
        else Poses(**{name: getattr(poses, name) for name in _POSE_DECIMALS}),
    )


def _check_arrays(
    stored: _RecordingFile | _PosesFile, shapes: Mapping[str, tuple[int, ...]], where: str
) -> int:
    """Check times and the shapes of arrays at each time; return the number of times."""
    time_s: NDArray[np.float64] = stored.time_s
    in_order = time_s.ndim == 1 and time_s.size > 0 and not bool(np.any(np.diff(time_s) < 0))
    if not in_order or not 0 <= time_s[0] <= time_s[-1] <= _LONGEST_S:
        raise InputError(
            f"{where} time_s: not accepted; give times in order, from 0 up to {_LONGEST_S:g}"
        )
    for name, shape in shapes.items():
        if getattr(stored, name).shape != (time_s.size, *shape):
            lengths = " x ".join(map(str, (time_s.size, *shape)))
            raise InputError(f"{where} {name}: not accepted; give {lengths} numbers")
    return time_s.size


def _numbers(value: object, where: str) -> NDArray[np.float64]:
    try:
        array = np.array(value)
    except ValueError:  # rows of different lengths
        array = np.array(None)
    if array.ndim == 0 or array.dtype.kind not in "if" or not (np.abs(array) <= _LARGEST).all():
        raise refusal(where, value, f"lists of numbers up to {_LARGEST:g}")
    return array.astype(np.float64)


register_tags("kind", {"puck": Puck, "slammer": Slammer})
register_form(np.ndarray, Form(name="numbers", read=_numbers, store=np.ndarray.tolist))
register_form(Recording, Form(name="a recording", read=_read_recording, store=_store_recording))
