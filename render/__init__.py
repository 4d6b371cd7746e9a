"""Pictures, films, plots and windows; nothing here steps physics or decides rules.

In come recordings, battles, board positions and odds; out come surfaces, files and windows. Begin
at `slams` for slams, `bumpers` for boards, `plots` for odds, `slamwindow` for the window and
`browser` for the pages of the server.
"""

if __name__ != "pucklab.render":
    raise ImportError(f"{__name__}: import pucklab.render, and test pucklab/render")

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
