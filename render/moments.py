"""Which moments of a recording to show, and for how long."""

import numpy as np
from numpy.typing import NDArray

from physics import InputError, Recording
from physics.checks import check_number
from physics.pieces import PIECE_RADIUS_MM

SETTLE_SLOWER = 2.0
"""How many times slower than real the settling is shown."""

_SPEED_UP = 1.25
"""From frame to frame, between the pace of the impact and that of the settling."""

_STILL_MM = 1.0
_ALL = slice(None)


def strip_samples(recording: Recording) -> tuple[tuple[int, str], ...]:
    """Return up to six samples that tell a slam, in the order of time, each with what it shows.

    The beginning, the middle of the impact, its end, the flight at its highest, later in the
    flight, and the rest.
    """
    last = len(recording.time_s) - 1
    end = recording.impact_samples - 1
    if end < 1:
        rest = _rest_sample(recording)
        wanted = [(0, "start"), *[(rest * k // 5, "slammer alone") for k in range(1, 5)]]
    else:
        rest = _rest_sample(recording, slice(0, -1))
        mean_height = recording.height_mm[end + 1 :, :-1].mean(axis=1)
        top = end + 1 + int(np.argmax(mean_height))
        later = _sample_at(recording, (recording.time_s[top] + recording.time_s[rest]) / 2)
        wanted = [
            (0, "start"),
            (end // 2, "impact"),
            (end, "lift-off"),
            (top, "flight"),
            (later, "coming down"),
        ]
    chosen: dict[int, str] = {}
    for sample, name in [*wanted, (last, "rest")]:
        if sample < last or name == "rest":
            chosen.setdefault(sample, name)
    return tuple(sorted(chosen.items()))


def film_times_s(recording: Recording, fps: float, slow_motion: float) -> NDArray[np.float64]:
    """Return the times that the frames of a film show.

    The impact is ``slow_motion`` times slower than real; after it the film gets faster from frame
    to frame until the settling is half as fast as real.

    Args:
        recording: The recording.
        fps: Frames a second, 1 to 50.
        slow_motion: At least 2.

    Raises:
        InputError: A number outside its range.
    """
    check_number("fps", fps, low=1.0, high=50.0)
    check_number("slow_motion", slow_motion, low=SETTLE_SLOWER, high=100_000.0)
    impact_s = recording.time_s[max(recording.impact_samples - 1, 0)]
    end_s = float(recording.time_s[_rest_sample(recording)])
    slow_s, full_s = 1 / (fps * slow_motion), 1 / (fps * SETTLE_SLOWER)
    if recording.impact_samples == 0:
        slow_s = full_s
    times, step_s = [float(recording.time_s[0])], slow_s
    while times[-1] + step_s < end_s:
        times.append(times[-1] + step_s)
        if times[-1] >= impact_s:
            step_s = min(step_s * _SPEED_UP, full_s)
    return np.array([*times, float(recording.time_s[-1])])


def at_times(recording: Recording, times_s: NDArray[np.float64]) -> Recording:
    """Return a recording at other times, between its first and its last: straight between samples.

    Raises:
        InputError: A time outside the recording.
    """
    first, last = float(recording.time_s[0]), float(recording.time_s[-1])
    if times_s.min() < first or times_s.max() > last:
        raise InputError(
            f"times_s: {float(times_s.min())!r} to {float(times_s.max())!r} is not accepted; "
            f"give times from {first:g} to {last:g} s"
        )
    after = np.searchsorted(recording.time_s, times_s).clip(1, max(len(recording.time_s) - 1, 1))
    after = np.minimum(after, len(recording.time_s) - 1)
    before = np.maximum(after - 1, 0)
    span = recording.time_s[after] - recording.time_s[before]
    share = (times_s - recording.time_s[before]) / np.where(span > 0, span, 1.0)

    def between(values: NDArray[np.float64]) -> NDArray[np.float64]:
        weight = share.reshape(-1, *[1] * (values.ndim - 1))
        mixed: NDArray[np.float64] = (1 - weight) * values[before] + weight * values[after]
        return mixed

    impact_end_s = recording.time_s[max(recording.impact_samples - 1, 0)]
    during = int(np.count_nonzero(times_s <= impact_end_s)) if recording.impact_samples else 0
    return Recording(
        time_s=times_s,
        side_mm=between(recording.side_mm),
        height_mm=between(recording.height_mm),
        angle_rad=between(recording.angle_rad),
        top_mm=between(recording.top_mm),
        energy_mj=between(recording.energy_mj),
        impact_samples=during,
    )


def _rest_sample(recording: Recording, pieces: slice = _ALL) -> int:
    """Return the first sample after which no piece moves any more, as far as can be seen."""
    states = (
        recording.side_mm[:, pieces],
        recording.height_mm[:, pieces],
        PIECE_RADIUS_MM * recording.angle_rad[:, pieces],
    )
    moved = np.max([np.abs(state - state[-1]).max(axis=1) for state in states], axis=0)
    moving = np.flatnonzero(moved > _STILL_MM)
    return min(int(moving[-1]) + 1, len(moved) - 1) if len(moving) else 0


def _sample_at(recording: Recording, time_s: float) -> int:
    return int(np.searchsorted(recording.time_s, time_s).clip(0, len(recording.time_s) - 1))
