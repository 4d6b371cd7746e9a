"""``pucklab bumpers play``: a whole game, or the replay of one."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.bumpers.seats import PERSON, players_of
from sim.cli.bumpers.tables import (
    TABLE_OPTIONS,
    table_from_options,
    table_options,
)
from sim.cli.given import refuse_options

if TYPE_CHECKING:
    from sim.bumpers.game import Player, Record, Step, Table

_PATH = click.Path(path_type=Path)


@click.command("play")
@click.option(
    "--players",
    default="greedy,greedy",
    show_default=True,
    metavar="KIND,...",
    help="2 to 6 players, each random, greedy or person.",
)
@table_options
@click.option("--verbose", is_flag=True, help="Tell every step.")
@click.option("--save", type=_PATH, metavar="FILE.json", help="Write the game's record.")
@click.option(
    "--replay", type=_PATH, metavar="FILE.json", help="Replay a record instead, and check its end."
)
def command(
    *,
    players: str,
    seed: int,
    verbose: bool,
    save: Path | None,
    replay: Path | None,
    **options: Any,
) -> int:
    """Play a game to its end, and tell what matters of it.

    A random player scores when it can, returns no puck and closes no goal with mats if it can
    help it, and else takes anything; a greedy one brings its pucks nearer to goals. A person types
    moves as the other commands write them (c7N, T:K3+90), and put, play, pick, name or pass.
    Ctrl-C saves what was played.

    A game that nobody has won after --max-actions is a draw; quick plays, and turns without an
    action, count too. All of 36 games of 2, 3 and 4 random players were won, half of them within
    400, 490 and 750 actions, the longest after 3841.

    \b
    Examples:
      pucklab bumpers play
      pucklab bumpers play --players person,greedy --seed 7
      pucklab bumpers play --players random,greedy,greedy --save game.json --verbose
      pucklab bumpers play --replay game.json
    """
    from sim.cli import EXIT_STOPPED
    from sim.files import check_writable

    if replay is not None:
        refuse_options(("players", *TABLE_OPTIONS), "replay; the record has its own")
        _replay(replay, save, verbose=verbose)
        return 0
    kinds = players.split(",")
    seats = players_of(kinds)
    table = table_from_options(len(kinds), options)
    if save is not None:
        check_writable("save", save, (".json",))
    # Whoever plays must hear of every step.
    steps, stopped = _play(table, seats, seed, verbose=verbose or PERSON in kinds)
    if save is not None:
        _save(save, table, kinds, seed, steps)
    return EXIT_STOPPED if stopped else 0


def _play(
    table: "Table", seats: Sequence["Player"], seed: int, *, verbose: bool
) -> tuple[list["Step"], bool]:
    """Play and tell; return the steps, and whether Ctrl-C stopped it."""
    import numpy as np

    from sim.bumpers.game import play_game

    steps: list[Step] = []
    played = play_game(table, seats, np.random.default_rng(seed))
    try:
        _tell(table, _kept(played, steps), verbose=verbose)
    except (KeyboardInterrupt, click.Abort):
        _stand(table, steps)
        click.echo("stopped", err=True)
        return steps, True
    _stand(table, steps)
    return steps, False


def _kept(played: Iterable["Step"], steps: list["Step"]) -> Iterator["Step"]:
    """Pass steps on, and keep them."""
    for taken in played:
        steps.append(taken)
        yield taken


def _tell(table: "Table", steps: Iterable["Step"], *, verbose: bool) -> None:
    from sim.bumpers.game import tell_game

    for line in tell_game(table, steps, verbose=verbose):
        click.echo(line)


def _stand(table: "Table", steps: Sequence["Step"]) -> None:
    from sim.bumpers.game import new_game, tell_standing

    for line in tell_standing(steps[-1].after if steps else new_game(table)):
        click.echo(line)


def _save(
    path: Path, table: "Table", kinds: Sequence[str], seed: int, steps: Sequence["Step"]
) -> None:
    from sim.bumpers.game import record_json, record_of
    from sim.files import write_whole

    write_whole(path, record_json(record_of(table, kinds, seed, steps)).encode())
    click.echo(f"wrote {path}", err=True)


def _replay(path: Path, save: Path | None, *, verbose: bool) -> None:
    """Replay a record; nothing is told before its end is checked."""
    from physics import InputError
    from sim.bumpers.game import read_record, replay

    if save is not None:
        raise InputError(f"save: {str(save)!r} is not accepted beside replay; the record is there")
    record: Record = read_record(path)
    steps = list(replay(record))
    _tell(record.table, steps, verbose=verbose)
    _stand(record.table, steps)
