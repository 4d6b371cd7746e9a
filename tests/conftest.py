"""Settings of the whole suite: it must be repeatable and leave no files behind."""

import os
import signal

import pytest
from hypothesis import settings

# Windows in tests are not heard, with or without a sound card.
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

settings.register_profile("pucklab", deadline=None, database=None, derandomize=True)
settings.load_profile("pucklab")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Compile all kernels before the workers of a parallel session begin: each would by itself."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        # Imported here: sessions without workers compile what they call.
        from tests.compiled_code import compile_all

        compile_all()
