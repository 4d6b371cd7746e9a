"""The window of `pucklab watch`: slams from the side and from above, at any pace, and by hand.

Data flows one way. A `Programme` gives slams by their number; a `Player` knows which time of one
is shown and how fast it passes; `Showing` is the view of them, with the same throw of other
slammers as ghosts. `Aiming` is the view in which a person sets up a `Hand`, a throw of their own.
`SlamWindow` is the one or the other.
"""

from render.slamwindow.ghosts import Programme, Replays, Trials, Watched
from render.slamwindow.window import SlamWindow

__all__ = ["Programme", "Replays", "SlamWindow", "Trials", "Watched"]
