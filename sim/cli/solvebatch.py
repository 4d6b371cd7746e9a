"""``pucklab solve --batch``: solve all positions of a file."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sim.bumpers.solver.batch import Defaults, Row, Task


def run_batch(
    batch: Path, defaults: "Defaults", *, workers: int | None, out: Path | None, resume: bool
) -> int:
    """Solve the positions of a CSV file, print or write the answers, and return the exit code.

    Args:
        batch: The file.
        defaults: What is asked of rows that do not say it.
        workers: Processes to work in; None for one per processor.
        out: The file to write; None to print the answers.
        resume: Take what the file has already.

    Raises:
        InputError: A file or a row that is not accepted.
    """
    from physics import InputError
    from sim.bumpers.solver.batch import answers_csv, read_answers, read_tasks
    from sim.cli import EXIT_STOPPED
    from sim.cli.workers import processors
    from sim.files import check_writable, write_whole

    if out is not None:
        check_writable("out", out, (".csv",))
        if out.resolve() == batch.resolve():
            raise InputError(f"out: {str(out)!r} is the file of the batch; give another")
    tasks = read_tasks(batch, defaults)
    known = read_answers(out, tasks) if resume and out is not None and out.exists() else {}
    if out is None:
        click.echo(answers_csv([]), nl=False)
    show = _print if out is None else None
    rows, stopped = _solve(tasks, known, min(workers or processors(), len(tasks)), show)
    if out is not None:
        write_whole(out, answers_csv(rows).encode())
        click.echo(f"wrote {out}", err=True)
    told = ", ".join(f"{n} {status}" for status, n in Counter(r["status"] for r in rows).items())
    if stopped:
        click.echo(f"stopped after {len(rows)} of {len(tasks)} positions", err=True)
    if told:
        click.echo(told, err=True)
    return EXIT_STOPPED if stopped else 0


def _solve(
    tasks: Sequence["Task"],
    known: Mapping[tuple[str, ...], "Row"],
    workers: int,
    show: Callable[["Row"], None] | None,
) -> tuple[list["Row"], bool]:
    """Solve the tasks, show rows as they come, and return them, and whether Ctrl-C stopped it.

    Stopped, the rows that were known and not come to yet are kept, too.
    """
    from sim.bumpers.solver.batch import solve_batch, task_key
    from sim.cli.progress import track
    from sim.cli.workers import worker_processes

    rows: list[Row] = []
    try:
        with worker_processes(workers) as executor:
            answers = solve_batch(tasks, known, executor=executor, window=4 * workers)
            numbered = track(
                enumerate(answers),
                lambda row: (row[0] + 1, len(tasks)),
                "solving",
                printing=show is not None,
            )
            for _, row in numbered:
                rows.append(row)
                if show is not None:
                    show(row)
    except KeyboardInterrupt:
        rest = [known[key] for key in map(task_key, tasks[len(rows) :]) if key in known]
        return [*rows, *rest], True
    return rows, False


def _print(row: "Row") -> None:
    """Print a row below the columns' names."""
    from sim.bumpers.solver.batch import answers_csv

    _, line = answers_csv([row]).splitlines()
    click.echo(line)
