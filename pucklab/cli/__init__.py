"""The ``pucklab`` command. `commands` lists the subcommands; each is a module of its own.

Nothing that takes time is imported at the top: a Ctrl-C meanwhile would end with a traceback.
"""

import atexit
import os
import sys


def main() -> None:
    """Run the command line, and end the process."""
    try:
        code = run()
    except KeyboardInterrupt:  # before signals are caught
        os.write(2, b"stopped\n")
        code = 130
    # Not by the interpreter's own end, in which a signal has its usual effect.
    atexit._run_exitfuncs()  # noqa: SLF001
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run() -> int:
    """Run the command line, and return its exit code: 2 for a user's mistake, told in one line."""
    from pucklab.cli.signals import catch_signals

    catch_signals()
    from pucklab.cli.commands import run_command

    return run_command()
