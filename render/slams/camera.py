"""How close a view looks, and at what."""

from dataclasses import dataclass

ZOOMS = (1.0, 40.0)
"""The least and the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """How close a view looks, and at what.

    Attributes:
        zoom: How many times closer than the view that shows all.
        x_mm: How far to the right of the stack's place the middle is.
        y_mm: How far up, or away, it is.

    Example:
        >>> zoomed(WHOLE, 2.0, (10.0, 0.0))
        Camera(zoom=2.0, x_mm=5.0, y_mm=0.0)
    """

    zoom: float = 1.0
    x_mm: float = 0.0
    y_mm: float = 0.0


WHOLE = Camera()
"""All is shown."""


def zoomed(camera: Camera, factor: float, on_mm: tuple[float, float]) -> Camera:
    """Return a camera that is closer by a factor, with a point kept where it is in the picture.

    All the way out it is `WHOLE` again.

    Args:
        camera: The camera.
        factor: Above 1 goes closer, below 1 away.
        on_mm: The point.
    """
    low, high = ZOOMS
    zoom = min(max(camera.zoom * factor, low), high)
    if zoom == low:
        return WHOLE
    kept = camera.zoom / zoom
    return Camera(
        zoom=zoom,
        x_mm=on_mm[0] + (camera.x_mm - on_mm[0]) * kept,
        y_mm=on_mm[1] + (camera.y_mm - on_mm[1]) * kept,
    )


def moved(camera: Camera, x_mm: float, y_mm: float) -> Camera:
    """Return a camera that has moved along; where all is shown there is nowhere to go."""
    if camera.zoom == 1.0:
        return camera
    return Camera(zoom=camera.zoom, x_mm=camera.x_mm + x_mm, y_mm=camera.y_mm + y_mm)
