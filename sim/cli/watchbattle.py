"""Battles of PokéPucks in a window, or as a picture or film: recorded ones, and live ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from render.battlewindow import BattleWindow
    from render.palette import Palette
    from sim.pokepucks.battle import Exchange, Table
    from sim.pokepucks.throws import Throws


def watch_record(
    path: Path,
    *,
    turn: int | None,
    params: Path | None,
    palette: "Palette | None",
    save: Path | None,
) -> None:
    """Show the battle of a record in a window, or save a picture or film of it.

    Args:
        path: The record.
        turn: The turn that is shown first, from 1; of a file it is the only one. None for all.
        params: Parameter files that it was thrown with, one or one for each player; None for none.
        palette: The colours; None for dark in a window and light in a file.
        save: The file; None for a window.

    Raises:
        InputError: It is no record, or cannot be played as it was recorded; or there is no display.
    """
    from render.battlewindow import check_film, save_battle, turn_beats
    from render.palette import DARK, LIGHT
    from render.viewer import show

    if save is not None:
        check_film("save", save)
    window = _window_of(path, params)
    if save is None:
        first, _ = turn_beats(window.walk, turn)
        window.walk.start_at(first)
        show(window, palette=palette or DARK)
        return
    save_battle(save, window, turn=turn, palette=palette or LIGHT)
    click.echo(f"wrote {save}", err=True)


def watch_live(
    table: "Table",
    kinds: Sequence[str],
    throws: "Throws",
    source: str,
    seed: int,
) -> "tuple[list[Exchange], bool]":
    """Show a battle in a window while it is played, until the window is closed.

    Args:
        table: The set-up.
        kinds: Who decides for each player; a ``person`` does it in the window.
        throws: Where the outcomes of throws come from.
        source: The same in a word.
        seed: Seed of all that is random.

    Returns:
        Its exchanges so far, and whether Ctrl-C stopped it.

    Raises:
        InputError: A kind of player that there is not, too few pucks, or no display.
    """
    from render.battlewindow import BattleWindow, LiveGame, ThrownSlams, Walk
    from render.viewer import show
    from sim.pokepucks.battle import player_of
    from sim.pokepucks.throw_sources import PhysicsThrows

    players = [None if kind == "person" else player_of(kind) for kind in kinds]
    game = LiveGame(table, players, throws, seed)
    slams = ThrownSlams(seed, throws if isinstance(throws, PhysicsThrows) else None)
    window = BattleWindow(Walk(game, slams), kinds=kinds, seed=seed, throws=source)
    try:
        show(window)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        return game.exchanges, True
    return game.exchanges, False


def _window_of(path: Path, params: Path | None) -> "BattleWindow":
    from render.battlewindow import BattleWindow, RecordedGame, ThrownSlams, Walk
    from sim.cli.battlesetup import throws_from_options
    from sim.pokepucks.battle import read_record
    from sim.pokepucks.special import SPECIAL_RULES
    from sim.pokepucks.throw_sources import PhysicsThrows

    record = read_record(path, SPECIAL_RULES)
    game = RecordedGame(record)
    throws = None
    if record.throws == "physics":
        options: dict[str, Any] = {
            "throws": "physics",
            "params": None if params is None else str(params),
        }
        throws, _ = throws_from_options(options, record.table.players)
    slams = ThrownSlams(record.seed, throws if isinstance(throws, PhysicsThrows) else None)
    return BattleWindow(
        Walk(game, slams), kinds=record.players, seed=record.seed, throws=record.throws
    )
