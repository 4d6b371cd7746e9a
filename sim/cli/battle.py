"""``pucklab battle``: a whole battle of PokéPucks, or the replay of one.

What ``pucklab battle`` prints and writes at the end.

A person at the terminal, as a player of a battle.

Options that set up a battle: who plays with what.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.battle_options import rules_options, rulings_from_options, throws_from_options
from sim.cli.options import refuse_others, seed_option

if TYPE_CHECKING:
    import numpy as np

    from sim.pokepucks.battle import BattleState, Exchange, Player, Question, Reply, Table


def print_standing(table: "Table", told: Sequence["Exchange"]) -> None:
    """Print how a battle ended, or where it stands."""
    from sim.pokepucks.battle import standing_lines

    for line in standing_lines(_final_state(table, told)):
        click.echo(line)


def _final_state(table: "Table", told: Sequence["Exchange"]) -> "BattleState":
    """Return the state after the last exchange, or at the first question if there was none."""
    from sim.pokepucks.battle import LiveBattle, new_battle

    return told[-1].after if told else LiveBattle(new_battle(table)).state


def print_json(
    table: "Table", kinds: Sequence[str], seed: int | None, throws: str, told: Sequence["Exchange"]
) -> None:
    """Print the end of a battle, and all that happened, as JSON."""
    import json

    from sim.core.files import version
    from sim.pokepucks.battle import LiveBattle, event_json, new_battle, winnings_of

    opening = LiveBattle(new_battle(table))
    final = told[-1].after if told else opening.state
    events = (*opening.news, *(event for exchange in told for event in exchange.events))
    players = [
        {"name": table.names[taken.player], "policy": kinds[taken.player]}
        | {
            word: [{"puck": puck, "name": table.pucks[puck].name} for puck in pucks]
            for word, pucks in (("won", taken.won), ("lost", taken.lost))
        }
        for taken in winnings_of(final)
    ]
    click.echo(
        json.dumps(
            {
                "version": version(),
                "mode": table.options.mode.value,
                "seed": seed,
                "throws": throws,
                "over": final.step == "over",
                "winner": None if final.winner is None else table.names[final.winner],
                "turns": final.turn.number,
                "throws_made": final.throws,
                "players": players,
                "events": [event_json(event) for event in events],
            },
            indent=1,
            ensure_ascii=False,
        )
    )


def write_transcript(path: Path, table: "Table", told: Sequence["Exchange"]) -> None:
    """Write the verbose transcript of a battle."""
    from sim.core.files import write_whole
    from sim.pokepucks.battle import battle_transcript, standing_lines

    final = _final_state(table, told)
    lines = (*battle_transcript(table, told, verbose=True), *standing_lines(final))
    write_whole(path, "".join(f"{line}\n" for line in lines).encode())
    click.echo(f"wrote {path}", err=True)


def save_record(
    path: Path,
    table: "Table",
    kinds: Sequence[str],
    seed: int | None,
    throws: str,
    told: Sequence["Exchange"],
) -> None:
    """Write the record of a battle."""
    from sim.core.files import write_whole
    from sim.pokepucks.battle import record_json, record_of

    record = record_of(table, kinds, seed, throws, told)
    write_whole(path, record_json(record).encode())
    click.echo(f"wrote {path}", err=True)


_Function = TypeVar("_Function", bound=Callable[..., Any])
_PATH = click.Path(path_type=Path)
_PLAYERS = "pikachu,onix"

_OPTIONS = (
    click.option(
        "--players",
        metavar="NAME,...",
        help=f"The slammers of 2 to 8 players, in turn order.  [default: {_PLAYERS}]",
    ),
    click.option("--setup", type=_PATH, metavar="FILE", help="Set-up file (TOML) with any pucks."),
)


def battle_options(function: _Function) -> _Function:
    """Give a command the options that set a battle up."""
    function = rules_options(function)
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def table_from_options(options: dict[str, Any]) -> "Table":
    """Return the set-up that a command's options ask for.

    Later ones win: the defaults, the set-up file, the options.

    Raises:
        InputError: A value that is not accepted.
    """
    from physics import InputError
    from sim.pokepucks.battle import BattleOptions, house_table, read_setup
    from sim.pokepucks.design_file import read_catalogue

    catalogue = read_catalogue(options["puckdex"])
    if options["setup"] is not None:
        if options["players"] is not None:
            raise InputError(
                f"players: {options['players']!r} is not accepted beside setup; it has players"
            )
        table = read_setup(options["setup"], catalogue)
        return replace(table, options=rulings_from_options(table.options, options))
    names = (options["players"] or _PLAYERS).split(",")
    slammers = [catalogue.find_slammer(name, "players") for name in names]
    return house_table(slammers, rulings_from_options(BattleOptions(), options), catalogue)


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
    from sim.cli.watch import watch_live
    from sim.core.files import check_writable

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

    if save is not None:
        raise InputError(f"save: {str(save)!r} is not accepted beside replay; the record is there")
    record = read_record(path)
    return record.table, list(replay(record)), record.players, record.seed, record.throws


def _tell(
    table: "Table", played: Iterable["Exchange"], *, verbose: bool, quiet: bool
) -> "tuple[list[Exchange], bool]":
    """Tell a battle as it goes on; return its exchanges, and whether Ctrl-C stopped it."""
    from sim.cli.running import track
    from sim.pokepucks.battle import battle_transcript

    kept: list[Exchange] = []
    turns = table.options.max_turns * table.players
    try:
        if quiet:
            played = track(played, lambda e: (e.after.turn.number, turns), "turns, at most")
            kept.extend(played)
        else:
            for line in battle_transcript(table, _kept(played, kept), verbose=verbose):
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


_MANY = 12


class Person:
    """Asks at the terminal; what is wrong is told, and asked for again."""

    def choose(
        self, state: "BattleState", question: "Question", rng: "np.random.Generator"
    ) -> "Reply":
        """Ask for a reply until a legal one is given."""
        from physics import InputError
        from sim.pokepucks.battle import check_answer, parse_answer, stack_lines

        del rng
        while True:
            text = click.prompt(_question(state, question), prompt_suffix=" > ").strip()
            if text == "stacks":
                click.echo("\n".join(stack_lines(state)))
                continue
            if text == "options":
                click.echo(", ".join(_options(state, question)))
                continue
            try:
                reply = parse_answer(state, question, text)
                check_answer(state, question, reply)
            except InputError as error:
                click.echo(str(error))
                continue
            assert isinstance(reply, tuple)
            return reply


def _question(state: "BattleState", question: "Question") -> str:
    """Return a question in a line: who, what, how many of which."""
    name = state.table.names[question.player]
    what = f"{question.asking}, {question.rule}" if question.rule else str(question.asking)
    many = f"{question.least} to {question.most}"
    if question.least == question.most:
        many = str(question.most)
    ordered = ", in order" if question.ordered else ""
    nothing = ", - for none" if not question.least else ""
    there = _options(state, question)
    shown = ", ".join(there[:_MANY]) + (f" and {len(there) - _MANY} more" * (len(there) > _MANY))
    return f"{name}: {what}: {many} of {shown}{ordered}{nothing} (stacks, options)"


def _options(state: "BattleState", question: "Question") -> list[str]:
    from sim.pokepucks.battle import option_text

    return [
        state.table.label(option) if isinstance(option, int) else option_text(option)
        for option in question.options
    ]
