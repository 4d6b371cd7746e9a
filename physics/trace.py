"""Samples of the bodies' states that a stage takes on its way."""

from dataclasses import dataclass, field

from physics.world import State


@dataclass(slots=True)
class Trace:
    """Samples of one stage, in the order of time.

    Attributes:
        interval_s: Wanted time between samples.
        time_s: Times of the samples, from the start of the stage.
        states: One state of all pieces a sample, the thrown slammer last.
        energy_nj: Mechanical energy of each sample.
    """

    interval_s: float
    time_s: list[float] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    energy_nj: list[float] = field(default_factory=list)

    def add(self, time_s: float, state: State, energy_nj: float) -> None:
        """Add one sample."""
        self.time_s.append(time_s)
        self.states.append(state)
        self.energy_nj.append(energy_nj)
