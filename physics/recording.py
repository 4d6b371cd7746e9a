"""The motion of a slam, sampled at a frame rate."""

from typing import TYPE_CHECKING

from pucklab.base.errors import Checked, limits
from pucklab.base.facts import fact

if TYPE_CHECKING:
    from pucklab.base.arrays import Floats
    from pucklab.physics.poses import Poses


@fact
class SampleRate(Checked):
    """Sample rates of a recording.

    Attributes:
        impact_hz: Samples a second of the impact, which lasts a few milliseconds.
        settle_hz: Samples a second of what follows.
        pose_hz: Samples a second of the poses in space, which are even over the whole slam.
    """

    impact_hz: float = limits(10.0, 100_000.0, "Hz", default=5000.0)
    settle_hz: float = limits(1.0, 2000.0, "Hz", default=120.0)
    pose_hz: float = limits(1.0, 100_000.0, "Hz", default=1000.0)


@fact
class Recording:
    """The motion of every piece; the thrown slammer is the last. F samples, B pieces.

    From the side, each piece moves in a vertical plane of its own; these planes and that of the
    impact are drawn as one. From above, it moves along straight lines from wall to wall.

    Attributes:
        time_s: Shape (F,); the first sample is at 0, the slammer just above the stack.
        side_mm: Shape (F, B); position of each piece's middle along its plane, in the side view.
        height_mm: Shape (F, B); height of each piece's middle above the floor.
        angle_rad: Shape (F, B); angle in its plane, 0 for flat and face up, counter-clockwise.
        top_mm: Shape (F, B, 2); x and y of each piece's middle from above.
        energy_mj: Shape (F,); mechanical energy of the motion in those planes: kinetic, potential,
            and in the springs of the split pieces.
        impact_samples: Number of the F samples that belong to the impact.
        poses: The motion in space, sampled evenly; None if unknown, as in an older replay.
    """

    time_s: "Floats"
    side_mm: "Floats"
    height_mm: "Floats"
    angle_rad: "Floats"
    top_mm: "Floats"
    energy_mj: "Floats"
    impact_samples: int
    poses: "Poses | None" = None
