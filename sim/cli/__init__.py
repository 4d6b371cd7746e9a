"""The ``pucklab`` command. `commands` lists the subcommands; each is a module of its own."""

from sim.cli.signals import EXIT_STOPPED, catch_signals, end, exit_code, report_stop


def main() -> None:
    """Run the command line, and end the process."""
    end(run())


def run() -> int:
    """Run the command line, and return its exit code: 2 for a user's mistake, told in one line."""
    catch_signals()
    try:
        from sim.cli.commands import run_command

        return run_command()
    except KeyboardInterrupt:  # before there is a command
        report_stop()
        return exit_code(EXIT_STOPPED)
