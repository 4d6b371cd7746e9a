"""Commands below ``pucklab odds``: studies of more than one table.

``merge`` adds the throws of several files.
"""

from pathlib import Path

import click

_PATH = click.Path(path_type=Path)


@click.command("merge")
@click.argument("files", nargs=-1, type=_PATH, metavar="FILE.csv...")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Write the sum; else it is printed.")
def merge(*, files: tuple[Path, ...], out: Path | None) -> int:
    """Add the throws of several files of the same scenes.

    Each file has the same slammers in the same scene, thrown with a seed of its own. Files of
    different scenes are refused with the difference, and so are files with the same throws.

    \b
    Examples:
      pucklab odds merge here.csv there.csv --out both.csv
    """
    from physics import InputError
    from sim.cli.output import print_written
    from sim.core.files import check_writable, read_text, write_whole
    from sim.odds import merge_odds

    if len(files) < 2:
        raise InputError(f"file: {len(files)} is not accepted; give two or more files of odds")
    if out is not None:
        check_writable("out", out, (".csv",), files)
    text = merge_odds([(repr(str(path)), read_text("file", path)) for path in files])
    if out is None:
        click.echo(text, nl=False)
        return 0
    write_whole(out, text.encode())
    print_written(out)
    return 0
