"""``pucklab bumpers view``: a board in a window, to move on, to edit and to solve; and games."""

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
    from render.boardwindow import Desk, Exploring, GameWindow

_PATH = click.Path(path_type=Path)
_SUFFIXES = (".png", ".gif", ".mp4")
_PLACED = 4
"""Players whose pieces are placed at random where no position is given."""

_DIGITS = 9


@click.command("view")
@click.argument("position", metavar="[POSITION|FILE]", required=False)
@click.option("--moves", metavar="MOVES", help="Moves to come: 'c7N e7W* T:K3+90'.")
@click.option("--turns", metavar="A-B", help="Of a saved game, just these turns.")
@click.option(
    "--players",
    metavar="KIND,...",
    help="Play a game: 2 to 6 players, each person, greedy or random.",
)
@table_options
@click.option(
    "--light/--dark",
    default=None,
    help="Dark on white, or light on black.  [default: dark in a window, light in a file]",
)
@click.option(
    "--save",
    type=_PATH,
    metavar="FILE",
    help="Open no window: save a picture (.png), or a film of the moves or turns (.gif, .mp4).",
)
def command(
    *,
    position: str | None,
    moves: str | None,
    turns: str | None,
    players: str | None,
    seed: int,
    light: bool | None,
    save: Path | None,
    **options: Any,
) -> int:
    """See a board in a window: move its pieces and mats, edit it, have it solved; or play a game.

    POSITION is a position's line, or a set-up's name for its empty board; FILE is a text file with
    a line, a board in TOML, or a game saved by 'pucklab bumpers play'. Without either, all pieces
    are placed at random, as 'pucklab bumpers new' does. In the window, H lists the keys.

    \b
    Examples:
      pucklab bumpers view pb1:small:RPb7f5.RMe7.BPd7:-:R:-
      pucklab bumpers view pb1:small:RPb7.BPe7:-:R:- --moves 'b7E d7N' --save line.gif
      pucklab bumpers view --players person,greedy --seed 7
      pucklab bumpers view game.json
      pucklab bumpers view game.json --turns 5-9 --save game.mp4
    """
    from physics import InputError
    from render.palette import DARK, LIGHT
    from render.viewer import show
    from sim.files import check_writable

    if save is not None:
        check_writable("save", save, _SUFFIXES)
    if position is not None:
        refuse_options(TABLE_OPTIONS, "a position, which has its own board")
    if players is not None:
        if position is not None or moves or turns or save is not None:
            raise InputError("players: a game begins at its beginning; give no position or file")
        window: GameWindow | Exploring = _game(players, seed, options)
    else:
        desk = _desk(position, moves, turns, seed, options)
        if save is not None:
            _save(save, desk, light=light is not False)
            return 0
        window = _exploring(desk)
    try:
        show(window, palette=LIGHT if light else DARK)
    finally:
        window.close()
    return 0


def _desk(
    position: str | None, moves: str | None, turns: str | None, seed: int, options: dict[str, Any]
) -> "Desk":
    """Return what there is to explore."""
    from physics import InputError
    from render.boardwindow import Desk, desk_of, desk_with_moves, history_of_game, part_of
    from sim.bumpers.game import read_record, replay
    from sim.cli.bumpers.positions import position_of

    if position is not None and position.lower().endswith(".json"):
        if moves:
            raise InputError("moves: not accepted beside a saved game, which has its own")
        record = read_record(Path(position))
        history = history_of_game(record.table, list(replay(record)))
        return Desk(history=history if turns is None else part_of(history, *_turns(turns)))
    if turns is not None:
        raise InputError(f"turns: {turns!r} is not accepted; give a saved game (.json) with it")
    start = _placed(seed, options) if position is None else position_of(position)
    return desk_with_moves(desk_of(start), (moves or "").split())


def _placed(seed: int, options: dict[str, Any]) -> Any:
    """Return the position after all pieces were placed at random."""
    import numpy as np

    from sim.bumpers.game import random_start

    return random_start(table_from_options(_PLACED, options), np.random.default_rng(seed)).position


def _game(players: str, seed: int, options: dict[str, Any]) -> "GameWindow":
    """Return a game that has not begun."""
    from render.boardwindow import GameWindow, LiveGame

    kinds = players.split(",")
    seats = [
        None if kind == PERSON else player
        for kind, player in zip(kinds, players_of(kinds), strict=True)
    ]
    table = table_from_options(len(kinds), options)
    return GameWindow(LiveGame(table, seats, kinds, seed))


def _exploring(desk: "Desk") -> "Exploring":
    from render.boardwindow import Exploring

    return Exploring(desk)


def _save(path: Path, desk: "Desk", *, light: bool) -> None:
    from render.boardwindow import save_film
    from render.palette import DARK, LIGHT

    save_film(path, desk.history, palette=LIGHT if light else DARK)
    click.echo(f"wrote {path}", err=True)


def _turns(text: str) -> tuple[int, int]:
    """Return the first and the last turn of a text: ``5-9``, or ``5`` for one turn."""
    from physics import InputError

    first, dash, last = text.partition("-")
    numbers = (first, last if dash else first)
    if not all(number.isdecimal() and len(number) < _DIGITS for number in numbers):
        raise InputError(f"turns: {text!r} is not accepted; give two turns, such as 5-9, or one")
    begin, end = map(int, numbers)
    if not 1 <= begin <= end:
        raise InputError(f"turns: {text!r} is not accepted; count from 1, the first turn first")
    return begin, end
