"""``pucklab bumpers view``: a board or a game in the browser, or saved as picture, film or page."""

from pathlib import Path
from typing import Any

import click

from pucklab.base.errors import InputError, require_extra
from pucklab.base.files import read_text
from pucklab.cli.browsing import Pages, page_options, play_in_browser
from pucklab.cli.bumpers_play import (
    PLACE,
    TABLE_OPTIONS,
    config_from_options,
    match_from_options,
    table_options,
)
from pucklab.cli.options import PATH, option, position_argument, refuse_options
from pucklab.cli.output import print_written
from pucklab.render.bumpers.film import check_export, save_history
from pucklab.render.bumpers.history import (
    Entry,
    History,
    at_entry,
    entry_of_move,
    history_of_game,
    turns_of_game,
    with_entry,
)
from pucklab.sim.bumpers import parse_move
from pucklab.sim.bumpers.board_file import is_file, position_of
from pucklab.sim.bumpers.board_forms import is_board
from pucklab.sim.bumpers.game import BUMPERS, random_start
from pucklab.sim.bumpers.solver.solution import line_steps
from pucklab.sim.core.records import read_record, replay

_DIGITS = 9
_PLACED = 4
"""Number of players whose pieces are placed at random if no position is given."""


@click.command("view")
@position_argument(is_required=False)
@option("--moves", str, "MOVES", "Moves to show: 'c7N e7W* T:K3+90'.")
@option("--turns", str, "A-B", "Show only these turns of a saved game.")
@option(
    "--players",
    str,
    "KIND,...",
    "Play a game: 2 to 6 players, each person, random, greedy, solver-line, planner-quick, "
    "planner, planner-deep, or planner-1s for a planner with a second a turn.",
)
@table_options
@PLACE
@click.option("--light/--dark", default=True, help="Colours of a saved picture or film.")
@page_options(text=False)
@option(
    "--save",
    PATH,
    "FILE",
    "Open no page: save a picture (.png), or the moves or turns as a film (.gif, .mp4, "
    ".webm) or as a web page to step through (.html).",
)
def view_command(
    *,
    position: str | None,
    moves: str | None,
    turns: str | None,
    players: str | None,
    seed: int,
    place: bool,
    light: bool,
    pages: Pages,
    save: Path | None,
    **options: Any,
) -> int:
    """Show a board in the browser: move pieces and mats, edit, solve, or play a game.

    POSITION is the line of a position, or the name of a set-up for its empty board. FILE is a text
    file with such a line, a board in TOML, or a game saved by 'pucklab bumpers play'. Without
    either, all pieces are placed at random, as by 'pucklab bumpers new'.

    \b
    Examples:
      pucklab bumpers view pb1:small:RPb7f5.RMe7.BPd7:-:R:-
      pucklab bumpers view pb1:small:RPb7.BPe7:-:R:- --moves 'b7E d7N' --save line.gif
      pucklab bumpers view --players person,greedy --seed 7
      pucklab bumpers view game.json
      pucklab bumpers view game.json --turns 5-9 --save game.mp4
    """
    if save is not None:
        check_export("save", save)
    if position is not None:
        refuse_options(TABLE_OPTIONS, "a position, which has its own board")
    if players is not None:
        if position is not None or moves or turns or save is not None:
            raise InputError(
                "players: a new game needs none of POSITION, --moves, --turns and --save"
            )
        return play_in_browser(
            match_from_options(players, seed, options, places=place), pages, None
        )
    history = _history(position, moves, turns, seed, options)
    if save is not None:
        save_history(save, history, dark=not light)
        print_written(save)
        return 0
    require_extra("play", "nicegui")
    from pucklab.render.browser.pages import open_history  # NiceGUI takes a second

    pages.serve(open_history(history))
    return 0


def _history(
    position: str | None, moves: str | None, turns: str | None, seed: int, options: dict[str, Any]
) -> History:
    """Return the position, moves or saved game to show."""
    if (
        position is not None
        and position.lower().endswith(".json")
        # no board of another program
        and not (is_file(position) and is_board(read_text("position", Path(position))))
    ):
        if moves:
            raise InputError("moves: not accepted with a saved game, which has its own")
        record = read_record(BUMPERS, Path(position))
        history = history_of_game(record.setup, list(replay(BUMPERS, record)))
        if turns is None:
            return history
        first, dash, last = turns.partition("-")
        numbers = (first, last if dash else first)
        if not all(number.isdecimal() and len(number) < _DIGITS for number in numbers):
            raise InputError(
                f"turns: {turns!r} is not accepted; give two turns, such as 5-9, or one"
            )
        begin, end = map(int, numbers)
        if not 1 <= begin <= end:
            raise InputError(
                f"turns: {turns!r} is not accepted; count from 1, the first turn first"
            )
        return turns_of_game(history, begin, end)
    if turns is not None:
        raise InputError(f"turns: {turns!r} is not accepted; give a saved game (.json) with it")
    if position is not None:
        start = position_of(position)
    else:  # all pieces placed at random
        start = random_start(config_from_options(_PLACED, seed, options), seed).position
    history = History(entries=(Entry(position=start),))
    for text in (moves or "").split():
        (step,) = line_steps(history.position, [parse_move(history.position, text)])
        history = with_entry(history, entry_of_move(step))
    return at_entry(history, 0)
