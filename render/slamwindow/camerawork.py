"""The mouse on the two views: the wheel goes closer, and dragging moves."""

import pygame
from pygame.event import Event

from physics import Scene
from render.slams.camera import WHOLE, Camera, moved, zoomed
from render.slams.geometry import Projection
from render.slams.motion import Moment
from render.slams.sideview import followed, side_height_px, side_projection
from render.slams.topview import top_projection
from render.slamwindow.boxes import Boxes
from render.slamwindow.picture import Cameras

_NOTCH = 1.25
"""Of one notch of the wheel."""

_LEFT = 1


class CameraWork:
    """How both views are looked at, and the mouse that changes it.

    Attributes:
        cameras: How they are looked at.
    """

    def __init__(self) -> None:
        self.cameras = Cameras()
        self._at = (0, 0)
        self._held = ""

    def reset(self) -> None:
        """Show all in both views."""
        self.cameras = Cameras()

    def handle(self, event: Event, boxes: Boxes, scene: Scene, moment: Moment) -> bool:
        """Take a mouse event on one of the views, and return whether the picture changed."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT:
            self._held = self._view_at(event.pos, boxes)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT:
            self._held = ""
        elif event.type == pygame.MOUSEMOTION:
            self._at = event.pos
            return self._drag(event.rel, boxes, scene, moment)
        elif event.type == pygame.MOUSEWHEEL:
            return self._zoom(_NOTCH**event.y, boxes, scene, moment)
        return False

    def _drag(self, way: tuple[int, int], boxes: Boxes, scene: Scene, moment: Moment) -> bool:
        if not self._held:
            return False
        to = self._projection(self._held, boxes, scene, moment)
        camera = getattr(self.cameras, self._held)
        self._set(self._held, moved(camera, -way[0] / to.scale, way[1] / to.scale))
        return True

    def _zoom(self, factor: float, boxes: Boxes, scene: Scene, moment: Moment) -> bool:
        view = self._view_at(self._at, boxes)
        if not view:
            return False
        box = getattr(boxes, view)
        to = self._projection(view, boxes, scene, moment)
        x_mm, y_mm = to.place((self._at[0] - box.left, self._at[1] - box.top))
        camera = getattr(self.cameras, view)
        if view == "side" and camera == WHOLE:
            camera = followed(_air(boxes), scene, moment)
        self._set(view, zoomed(camera, factor, (x_mm, y_mm)))
        return True

    def _projection(self, view: str, boxes: Boxes, scene: Scene, moment: Moment) -> Projection:
        if view == "side":
            return side_projection(_air(boxes), scene, moment, self.cameras.side)
        return top_projection(boxes.top.size, scene, self.cameras.top)

    def _set(self, view: str, camera: Camera) -> None:
        side, top = self.cameras.side, self.cameras.top
        if view == "side":
            self.cameras = Cameras(side=camera, top=top)
        else:
            self.cameras = Cameras(side=side, top=camera)

    def _view_at(self, at: tuple[int, int], boxes: Boxes) -> str:
        for view in ("side", "top"):
            if getattr(boxes, view).collidepoint(at):
                return view
        return ""


def _air(boxes: Boxes) -> tuple[int, int]:
    """Return the size of the view from the side above its floor."""
    return boxes.side.width, side_height_px(boxes.side.height)
