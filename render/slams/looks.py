"""The colours of pieces."""

from dataclasses import dataclass

from physics import Piece, Scene
from render.palette import Palette, Rgb


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The colours of a piece.

    Attributes:
        body: Its lower half, the back.
        face: Its upper half, the face.
    """

    body: Rgb
    face: Rgb


def looks_of(scene: Scene, palette: Palette) -> tuple[tuple[Piece, Look], ...]:
    """Return the pieces of a scene with their colours, the thrown slammer last."""
    puck = Look(body=palette.puck_back, face=palette.puck_face)
    thrown = Look(body=palette.slammer, face=palette.slammer_face)
    return (*((piece, puck) for piece in scene.stack), (scene.slammer, thrown))
