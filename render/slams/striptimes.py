"""Which moments of a recording tell a slam in a strip of pictures."""

import numpy as np

from physics import Recording
from render.slams.motion import rest_sample


def strip_times_s(recording: Recording) -> tuple[tuple[float, str], ...]:
    """Return up to six times that tell a slam, in their order, each with what it shows.

    The beginning, the middle of the impact, its end, the flight at its highest, later in the
    flight, and the rest.
    """
    last = len(recording.time_s) - 1
    end = recording.impact_samples - 1
    if not 1 <= end < last:
        rest = rest_sample(recording)
        wanted = [(0, "start"), *[(rest * k // 5, "slammer alone") for k in range(1, 5)]]
    else:
        rest = rest_sample(recording, slice(0, -1))
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
    return tuple((float(recording.time_s[sample]), chosen[sample]) for sample in sorted(chosen))


def _sample_at(recording: Recording, time_s: float) -> int:
    return int(np.searchsorted(recording.time_s, time_s).clip(0, len(recording.time_s) - 1))
