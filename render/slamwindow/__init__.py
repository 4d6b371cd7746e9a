"""The window of `pucklab watch --window`: a viewer of a list of slams, at any pace.

In comes a `SlamList`; `SlamWindow` is what is seen, and `app.show` opens it.
"""

from pucklab.render.slamwindow.window import SlamWindow

__all__ = ["SlamWindow"]
