"""``pucklab battle``: a whole battle of PokéPucks, or the replay of one."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.battle.output import (
    print_json,
    print_standing,
    save_record,
    write_transcript,
)
from sim.cli.battle.tables import battle_options, table_from_options
from sim.cli.battlesetup import throws_from_options
from sim.cli.given import refuse_others
from sim.cli.seed import seed_option

if TYPE_CHECKING:
    from sim.pokepucks.battle import Exchange, Player, Table

_PATH = click.Path(path_type=Path)
_BESIDE_REPLAY = ("replay", "watch", "save", "transcript", "as_json", "verbose")


@click.command("battle")
@battle_options
@click.option(
    "--policy",
    default="greedy",
    show_default=True,
    metavar="KIND,...",
    help="Who decides: random, greedy or person; one for all, or one for each player.",
)
@seed_option("Seed of throws and choices.")
@click.option("--watch", is_flag=True, help="Play it in a window, persons too; H lists the keys.")
@click.option("--verbose", is_flag=True, help="Tell every event, and every turn's stacks.")
@click.option(
    "--transcript", type=_PATH, metavar="FILE.txt", help="Write the verbose transcript to a file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the end, and all events, as JSON.")
@click.option("--save", type=_PATH, metavar="FILE.json", help="Write the battle's record.")
@click.option(
    "--replay", type=_PATH, metavar="FILE.json", help="Replay a record instead, and check its end."
)
def command(
    *,
    policy: str,
    seed: int,
    watch: bool,
    verbose: bool,
    transcript: Path | None,
    as_json: bool,
    save: Path | None,
    replay: Path | None,
    **options: Any,
) -> int:
    """Play a battle of PokéPucks to its end, and tell it turn by turn.

    Every throw is a slam of the physics, unless a table of odds is asked for. A player brings a
    slammer and a house collection; a set-up file (TOML) brings any pucks. Ctrl-C saves what was
    played.

    \b
    Examples:
      pucklab battle --players pikachu,onix --seed 7
      pucklab battle --mode wild --players onix,lapras,pidgeot --verbose
      pucklab battle --policy person,greedy --save battle.json
      pucklab battle --throws table --turns 100 --transcript battle.txt
      pucklab battle --replay battle.json
      pucklab battle --watch --policy person,greedy
    """
    from physics import InputError
    from sim.cli import EXIT_STOPPED
    from sim.cli.watchbattle import watch_live
    from sim.files import check_writable

    for field, path, suffix in (("transcript", transcript, ".txt"), ("save", save, ".json")):
        if path is not None:
            check_writable(field, path, (suffix,))
    if replay is not None:
        if watch:
            raise InputError("watch: not accepted beside replay; give pucklab watch --battle FILE")
        refuse_others(_BESIDE_REPLAY, "replay; the record has its own")
        table, exchanges, kinds, seed_told, source = _replayed(replay, save)
        played: Iterable[Exchange] = exchanges
    else:
        table = table_from_options(options)
        throws, source = throws_from_options(options, table.players)
        kinds, seed_told = _kinds(policy, table.players), seed
        played = _played(table, kinds, throws, seed)
    if watch:
        told, stopped = watch_live(table, kinds, throws, source, seed)
    else:
        told, stopped = _tell(table, played, verbose=verbose or "person" in kinds, quiet=as_json)
    if as_json:
        print_json(table, kinds, seed_told, source, told)
    else:
        print_standing(table, told)
    if transcript is not None:
        write_transcript(transcript, table, told)
    if save is not None:
        save_record(save, table, kinds, seed_told, source, told)
    return EXIT_STOPPED if stopped else 0


def _kinds(policy: str, players: int) -> tuple[str, ...]:
    from physics import InputError

    kinds = tuple(kind.strip() for kind in policy.split(","))
    if len(kinds) not in {1, players}:
        raise InputError(f"policy: {policy!r} is not accepted; give 1 or {players} kinds")
    return kinds * (players if len(kinds) == 1 else 1)


def _played(table: "Table", kinds: Sequence[str], throws: Any, seed: int) -> Iterator["Exchange"]:
    from sim.cli.battle.person import Person
    from sim.pokepucks.battle import PLAYERS, new_battle, play_battle, player_of

    known = {**PLAYERS, "person": Person}
    seats: list[Player] = [player_of(kind, known) for kind in kinds]
    new_battle(table)  # refuses too few pucks before anything is told
    return play_battle(table, seats, throws, seed)


def _replayed(
    path: Path, save: Path | None
) -> "tuple[Table, list[Exchange], tuple[str, ...], int | None, str]":
    """Return a record's battle; nothing is told before its end is checked."""
    from physics import InputError
    from sim.pokepucks.battle import read_record, replay
    from sim.pokepucks.special import SPECIAL_RULES

    if save is not None:
        raise InputError(f"save: {str(save)!r} is not accepted beside replay; the record is there")
    record = read_record(path, SPECIAL_RULES)
    return record.table, list(replay(record)), record.players, record.seed, record.throws


def _tell(
    table: "Table", played: Iterable["Exchange"], *, verbose: bool, quiet: bool
) -> "tuple[list[Exchange], bool]":
    """Tell a battle as it goes on; return its exchanges, and whether Ctrl-C stopped it."""
    from sim.cli.progress import track
    from sim.pokepucks.battle import tell_battle

    kept: list[Exchange] = []
    turns = table.options.max_turns * table.players
    try:
        if quiet:
            played = track(played, lambda e: (e.after.turn.number, turns), "turns, at most")
            kept.extend(played)
        else:
            for line in tell_battle(table, _kept(played, kept), verbose=verbose):
                click.echo(line)
    except (KeyboardInterrupt, click.Abort):
        click.echo("stopped", err=True)
        return kept, True
    return kept, False


def _kept(played: Iterable["Exchange"], kept: "list[Exchange]") -> Iterator["Exchange"]:
    """Pass exchanges on, and keep them."""
    for exchange in played:
        kept.append(exchange)
        yield exchange
