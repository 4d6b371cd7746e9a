"""Pictures and films of recordings, and plots of odds. Never steps physics, never decides rules."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
