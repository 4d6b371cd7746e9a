"""One slam in plain words: a line on the throw, and a line on its result."""

import math
from collections.abc import Sequence

from pucklab.physics import Face, Scene, Slammer, SlamOutcome, Throw
from pucklab.physics.pieces import has_usual_make
from pucklab.sim.scene.replay import Replay
from pucklab.sim.scene.scenes import size_and_material


def describe_slam(name: str, scene: Scene, throw: Throw, outcome: SlamOutcome) -> str:
    """Return a two-line description of the throw and its result.

    Pieces are numbered from 1 on the floor, which has index 0.

    Args:
        name: Name of the slammer.
        scene: The scene.
        throw: The throw.
        outcome: The outcome.

    Example:
        >>> from pucklab.physics import PieceOutcome, puckdex_slammer, puck_stack
        >>> scene = Scene(slammer=puckdex_slammer(4.0), stack=puck_stack(1))
        >>> flipped = PieceOutcome(place=0, face=Face.UP, x_mm=0.0, y_mm=0.0)
        >>> gone = PieceOutcome(place=None, face=Face.OUT, x_mm=400.0, y_mm=0.0)
        >>> outcome = SlamOutcome(hit=True, pieces=(flipped,), slammer=gone)
        >>> print(describe_slam("Pikachu", scene, Throw(speed_mm_s=5000.0), outcome))
        Pikachu (4 g, 6 mm) hits at 5 m/s, 0 mm off centre, tilted 0°, 0° from the vertical.
        The one puck flips. The slammer leaves the arena.
    """
    slammer = scene.slammer
    offset_mm = math.hypot(throw.aim_x_mm, throw.aim_y_mm)
    mass = f"{slammer.mass_g:g} g"
    usual = has_usual_make(slammer)
    make = f"{slammer.thickness_mm:g} mm" if usual else size_and_material(slammer)
    towards = f", towards {math.degrees(throw.direction_rad):.0f}°" if throw.direction_rad else ""
    first = (
        f"{'A slammer' if name == mass else name} ({mass}, {make}) "
        f"{'hits' if outcome.hit else 'misses'} at {throw.speed_mm_s / 1000:g} m/s, "
        f"{offset_mm:.0f} mm off centre, tilted {math.degrees(throw.tilt_rad):.0f}°, "
        f"{math.degrees(throw.descent_rad):.0f}° from the vertical{towards}."
    )
    last = f"The slammer ends {outcome.slammer.distance_mm:.0f} mm from the centre."
    if outcome.slammer.face is Face.OUT:
        last = "The slammer leaves the arena."
    return f"{first}\n{_pieces(scene, outcome)} {last}"


def replay_lines(name: str, replay: Replay) -> list[str]:
    """Return a line on the throw of a slam, and one on its result."""
    return describe_slam(name, replay.scene, replay.throw, replay.outcome).splitlines()


def _pieces(scene: Scene, outcome: SlamOutcome) -> str:
    if not outcome.hit:
        return "The stack stays as it was."
    faces, flipped = [piece.face for piece in outcome.pieces], outcome.flipped
    if not isinstance(scene.stack[0], Slammer):
        return _counted(faces, "puck", flipped)
    target, *shields = faces
    ends = {
        Face.UP: "flips: knocked out",
        Face.DOWN: "stays face down",
        Face.LEANING: "ends leaning, not flipped",
        Face.OUT: "leaves the arena, not flipped",
    }
    told = f"The target slammer {ends[target]}."
    return f"{told} {_counted(shields, 'shield', flipped)}" if shields else told


def _counted(faces: Sequence[Face], kind: str, flipped: Sequence[int]) -> str:
    total = len(faces)
    flips, out, leaning = (faces.count(face) for face in (Face.UP, Face.OUT, Face.LEANING))
    if total == 1:
        ends = {
            Face.UP: "flips",
            Face.DOWN: "does not flip",
            Face.LEANING: "ends leaning",
            Face.OUT: "leaves the arena",
        }
        return f"The one {kind} {ends[faces[0]]}."
    numbers = ", ".join(str(place + 1) for place in flipped) if kind == "puck" else ""
    text = f"{flips or 'None'} of {total} {kind}s {'flips' if flips == 1 else 'flip'}"
    if numbers:
        text += f" (from the floor: {numbers})"
    if out:
        text += f", {out} {'leaves' if out == 1 else 'leave'} the arena"
    if leaning:
        text += f", {leaning} {'ends' if leaning == 1 else 'end'} leaning"
    return text + "."
