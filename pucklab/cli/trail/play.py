"""``pucklab trail play``: a whole game, by policies, programs, or persons at the terminal."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pucklab.base.files import check_writable
from pucklab.cli.browsing import Pages, game_options, play_in_browser
from pucklab.cli.options import flag, option, seed_option
from pucklab.cli.output import print_json
from pucklab.cli.signals import EXIT_STOPPED, report_stop
from pucklab.cli.terminal import play_match, replay_match
from pucklab.cli.trail.odds import setup_from, table_options
from pucklab.physics import InputError
from pucklab.sim.core.game import Match
from pucklab.sim.core.players import PERSON
from pucklab.sim.trail.match import PLAYERS, TRAIL_GAME, standing

_MOST_PLAYERS = 12


@click.command("play")
@table_options
@option("--players", str, "NAME,...", "The players.", default="ann,bob")
@option("--starters", str, "NAME,...", "Starters, one a player; drawn if not given.")
@seed_option("Seed; same seed, same game.")
@game_options
@flag("--json as_json", "Print the end, and all events, as JSON.")
def command(
    *,
    players: str,
    policy: str,
    seed: int,
    pages: Pages,
    verbose: bool,
    as_json: bool,
    save: Path | None,
    replay: Path | None,
    **options: Any,
) -> int:
    """Play a game to its end, event by event; a policy of person plays in the browser.

    Besides careful and quick, a policy may be random, person, or a program, exec:./bot. Units are
    counters, and may be points or water.

    \b
    Examples:
      pucklab trail play --policy careful,quick --seed 7
      pucklab trail play --players ann,bob,eve --all-finish --verbose
      pucklab trail play --policy person,careful --save game.json
    """
    if replay is not None:
        replay_match(TRAIL_GAME, replay, save, verbose=verbose)
        return 0
    names = [name.strip() for name in players.split(",")]
    if not all(name and name.isprintable() and len(name) <= 20 for name in names):
        raise InputError(
            f"players: {players!r} is not accepted; give names of 1 to 20 printed characters"
        )
    if len(set(names)) < len(names):
        raise InputError(f"players: {players!r} is not accepted; give each a different name")
    if len(names) > _MOST_PLAYERS:
        raise InputError(f"players: {len(names)} is not accepted; give 1 to {_MOST_PLAYERS}")
    setup = setup_from(names, **options)
    kinds = PLAYERS.kinds(policy, len(names))
    if as_json and PERSON in kinds:
        raise InputError("json: not accepted with a policy of person; the questions would be in it")
    check_writable("save", save, (".json",), (options["board"],))
    own = [PLAYERS.of(kind, persons=True) for kind in kinds]
    match = Match(TRAIL_GAME, setup, own, seed, kinds=kinds)
    if PERSON in kinds and pages.serves():
        return play_in_browser(match, pages, save)
    if not as_json:
        made = " (house-made)" if setup.board.house_made else ""
        click.echo(f"{setup.board.name}{made}, {setup.board.last} squares")
    stopped = play_match(match, save, verbose=verbose, quiet=as_json)
    if as_json:
        end = {
            "board": setup.board.name,
            "house_made": setup.board.house_made,
            "seed": seed,
            "over": match.open is None,
            "players": [
                {"policy": kind, **row}
                for kind, row in zip(kinds, standing(match.state), strict=True)
            ],
            "events": [asdict(event) for step in match.steps for event in step.events],
        }
        print_json(end)
    if stopped:
        report_stop(f"after {TRAIL_GAME.turns(match.state)} turns")
    return EXIT_STOPPED if stopped else 0
