"""The window of `pucklab watch`: slams in space and from above, at any pace, and by hand.

In come the slams of a `Programme` and a `Study` to throw by hand; out comes a `SlamWindow`, a view
for `render.viewer.show`. Begin at `window.SlamWindow`: it shows slams (`showing.Showing`), with the
same throw of other slammers as ghosts, or a throw being set up by hand (`aiming.Aiming`).
"""

from render.slamwindow.ghosts import Programme, Replays, Trials, Watched
from render.slamwindow.window import SlamWindow

__all__ = ["Programme", "Replays", "SlamWindow", "Trials", "Watched"]
