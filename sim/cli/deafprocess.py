"""Processes that never hear Ctrl-C, not even before our own code runs in them."""

import signal
from multiprocessing.context import SpawnContext, SpawnProcess


class DeafProcess(SpawnProcess):
    """A process that begins with SIGINT blocked, where the system can."""

    def start(self) -> None:
        """Start it; a Ctrl-C meanwhile reaches this process when it has started."""
        if not hasattr(signal, "pthread_sigmask"):
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class DeafContext(SpawnContext):
    """Starts such processes."""

    Process = DeafProcess  # type: ignore[assignment, unused-ignore]
