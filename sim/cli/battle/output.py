"""What ``pucklab battle`` prints and writes at the end."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sim.pokepucks.battle import Exchange, Table


def print_standing(table: "Table", told: Sequence["Exchange"]) -> None:
    """Print how a battle ended, or where it stands."""
    from sim.pokepucks.battle import new_battle, tell_standing

    for line in tell_standing(told[-1].after if told else new_battle(table)):
        click.echo(line)


def print_json(
    table: "Table", kinds: Sequence[str], seed: int | None, throws: str, told: Sequence["Exchange"]
) -> None:
    """Print the end of a battle, and all that happened, as JSON."""
    import json

    from sim.pokepucks.battle import LiveBattle, event_json, homes, new_battle
    from sim.version import version

    opening = LiveBattle(new_battle(table))
    final = told[-1].after if told else opening.state
    events = (*opening.news, *(event for exchange in told for event in exchange.events))
    players = [
        {"name": table.names[home.player], "policy": kinds[home.player]}
        | {
            word: [{"puck": puck, "name": table.pucks[puck].name} for puck in pucks]
            for word, pucks in (("won", home.won), ("lost", home.lost))
        }
        for home in homes(final)
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
    from sim.files import write_whole
    from sim.pokepucks.battle import new_battle, tell_battle, tell_standing

    final = told[-1].after if told else new_battle(table)
    lines = (*tell_battle(table, told, verbose=True), *tell_standing(final))
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
    from sim.files import write_whole
    from sim.pokepucks.battle import record_json, record_of

    record = record_of(table, kinds, seed, throws, told)
    write_whole(path, record_json(record).encode())
    click.echo(f"wrote {path}", err=True)
