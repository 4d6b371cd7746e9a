"""Files saved from the window: next to each other, never one over another."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from physics import Face, InputError
from render.palette import Palette
from render.slams.export import export_slam
from render.slamwindow.hand import is_knock_out
from render.slamwindow.programme import Watched
from render.viewer import free_path
from sim.core.files import write_whole

_LOG_COLUMNS = (
    "slammer_g",
    "thickness_mm",
    "pucks",
    "flipped",
    "out",
    "puck_g",
    "speed_m_s",
    "distance_mm",
    "note",
)
"""Those that `pucklab calibrate throws` reads."""


def save_slam(folder: Path, watched: Watched, suffix: str, palette: Palette) -> Path:
    """Save a slam as a file of its own, and return where."""
    path = free_path(folder, watched.file_stem, suffix)
    export_slam(path, watched.replay, watched.name, palette=palette)
    return path


def save_log(folder: Path, throws: Sequence[Watched]) -> Path:
    """Save throws at stacks as a log that `pucklab calibrate throws` reads, and return where.

    Raises:
        InputError: A throw at a lone slammer: such a log has no place for it.
    """
    if any(is_knock_out(watched.replay.scene) for watched in throws):
        raise InputError("throws at a lone slammer have no place in a log of throws at stacks")
    path = free_path(folder, "throws", ".csv")
    write_whole(path, throws_csv(throws).encode())
    return path


def throws_csv(throws: Sequence[Watched]) -> str:
    """Return throws at stacks of pucks as a CSV table, a row each."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_LOG_COLUMNS)
    for watched in throws:
        scene, outcome = watched.replay.scene, watched.replay.outcome
        inside = [piece.distance_mm for piece in outcome.pieces if piece.face is not Face.OUT]
        table.writerow(
            (
                f"{scene.slammer.mass_g:g}",
                f"{scene.slammer.thickness_mm:g}",
                len(scene.stack),
                len(outcome.flipped),
                len(outcome.out),
                f"{scene.stack[0].mass_g:g}",
                f"{watched.replay.throw.speed_mm_s / 1000:g}",
                f"{np.mean(inside):.1f}" if inside else "",
                watched.origin,
            )
        )
    return text.getvalue()
