"""The window of `pucklab watch`: slams in space and from above, at any pace.

In come the slams of a `Programme`, and a `Study` to throw by hand; out comes a `SlamWindow`, a view
for `pucklab.render.slamwindow.app.show`, with the same throw of other slammers as ghosts.
"""

from pucklab.render.slamwindow.ghosts import Programme, Replays, Trials, Watched
from pucklab.render.slamwindow.window import SlamWindow

__all__ = ["Programme", "Replays", "SlamWindow", "Trials", "Watched"]
