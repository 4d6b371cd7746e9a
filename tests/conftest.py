"""Settings of the whole suite: it must be repeatable and leave no files behind."""

import os
import signal

from hypothesis import settings

# Windows in tests are not heard, with or without a sound card.
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

settings.register_profile("pucklab", deadline=None, database=None, derandomize=True)
settings.load_profile("pucklab")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job
    signal.signal(signal.SIGINT, signal.default_int_handler)
