"""``pucklab bumpers new``, ``play`` and ``view``: whole games, and boards in a window.

`table_options` are the options that set up a game, shared by the commands that begin one; `Person`
is the player at the terminal.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np

from physics import InputError, trial_generator
from physics.errors import shown
from sim.bumpers import Colour, Setup, position_text, setups
from sim.bumpers.board_file import read_first
from sim.bumpers.drawing import draw_position
from sim.bumpers.game import (
    Choice,
    GameState,
    Phase,
    Player,
    Record,
    Step,
    Table,
    choice_text,
    choices,
    chooser,
    first_player,
    game_transcript,
    make_table,
    new_game,
    parse_choice,
    play_game,
    random_start,
    read_deck,
    read_record,
    record_json,
    record_of,
    replay,
    result_lines,
)
from sim.bumpers.game.match import MAX_PLAYERS, MIN_PLAYERS
from sim.bumpers.game.player_kinds import PERSON, PLAYERS, player_of
from sim.cli.display import plays_in_window, text_option
from sim.cli.options import (
    PATH,
    add_options,
    completed,
    count,
    flag,
    option,
    refuse_options,
    seed_option,
)
from sim.cli.output import print_written
from sim.cli.positions import is_file, position_in, setup_names
from sim.cli.signals import EXIT_STOPPED
from sim.core.files import check_writable, write_whole

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NAMES = ("setup", "deck", "colours", "first", "may_pass", "max_actions")

TABLE_OPTIONS = (*_NAMES, "seed")
"""Names of the options that `table_options` adds to a command."""

_OPTIONS = (
    option(
        "--setup",
        str,
        "NAME|FILE",
        "classic, small, old-school, or a file with a board of your own (only its mats, rules "
        "and who begins are used).  [default: small for up to 3 colours, else classic]",
        shell_complete=completed(setup_names),
    ),
    option(
        "--deck",
        PATH,
        "FILE",
        "File with a deck of your own (TOML); cards = [] is the game without cards.  "
        "[default: the house deck]",
    ),
    option("--colours", count(1, 3), "N", "Number of colours per player.", default=1),
    option(
        "--first",
        str,
        "COLOUR|draw",
        "Player who begins; draw lets chance decide.  [default: as the file of --setup says, "
        "else red]",
    ),
    flag("--may-pass", "Let players pass instead of acting."),
    option(
        "--max-actions",
        count(1, 10**9),
        "N",
        "Number of actions after which the game is a draw.",
        default=10_000,
    ),
    seed_option("Seed of shuffles and of random choices."),
)
_ASIDES = "(board, hand, choices, quit)"


def table_options(function: _Function) -> _Function:
    """Add the options that `table_from_options` reads, and a seed, to a command."""
    return add_options(function, _OPTIONS)


def table_from_options(players: int, seed: int, options: dict[str, Any]) -> Table:
    """Return the set-up of a command's options, and remove them from ``options``.

    Raises:
        InputError: A value is not accepted.
    """
    taken = {name: options.pop(name) for name in _NAMES}
    setup = setup_of(taken["setup"])
    first = taken["first"] or (setup.first if isinstance(setup, Setup) else "") or Colour.RED.word
    return make_table(
        players,
        setup=setup,
        deck=None if taken["deck"] is None else read_deck(taken["deck"]),
        colours_each=taken["colours"],
        may_pass=taken["may_pass"],
        max_actions=taken["max_actions"],
        first=first_player(first, players, taken["colours"], trial_generator(seed, 0)),
    )


def setup_of(text: str | None) -> Setup | str | None:
    """Return the board of a file as a set-up, or the name of a known set-up.

    Raises:
        InputError: It is neither, or the file has no board.
    """
    if text is None or text in setups():
        return text
    if not is_file(text):
        known = ", ".join(setups())
        raise InputError(f"setup: {shown(text)} is no file; give one, or one of {known}")
    board = position_in(text, "setup")
    first = read_first(Path(text))
    return Setup(name=text, about="", layout=board.layout, rules=board.rules, first=first)


@click.command("new")
@option("--players", count(2, 6), "N", "Number of players, 2 to 6.", default=4)
@table_options
def new_command(*, players: int, seed: int, **options: Any) -> None:
    """Place all pieces at random on start spaces, draw the position and print its line.

    \b
    Examples:
      pucklab bumpers new
      pucklab bumpers new --players 2 --seed 7
      pucklab bumpers new --players 6 --setup old-school
    """
    table = table_from_options(players, seed, options)
    position = random_start(table, np.random.default_rng(seed)).position
    click.echo(draw_position(position))
    click.echo(position_text(position))


@click.command("play")
@option(
    "--players",
    str,
    "KIND,...",
    "2 to 6 players, each person, random, greedy, solver-line, planner-quick, planner, "
    "planner-deep, or planner-1s for a planner with a second a turn (0.1 to 60).",
    default="greedy,greedy",
)
@table_options
@text_option
@flag("--verbose", "Print every event.")
@option("--save", PATH, "FILE.json", "Save a record of the game.")
@option("--replay", PATH, "FILE.json", "Replay a record instead, and check its end.")
def play_command(
    *,
    players: str,
    seed: int,
    text: bool,
    verbose: bool,
    save: Path | None,
    replay: Path | None,
    **options: Any,
) -> int:
    """Play a whole game, in a window if a person plays, and print its important events.

    A random player chooses at random, but scores when it can, and avoids returning pucks and
    closing goals with mats. A greedy player moves its pucks towards goals. A planner plans its
    turns with the solver; planner-1s does so for a second, so its moves depend on the machine. A
    person plays in a window if there is a display; at the terminal, a person types moves as the
    other commands print them (c7N, T:K3+90), and put, play, pick, name or pass. Ctrl-C, or quit,
    stops the game and saves it so far.

    A game is a draw after --max-actions actions; quick plays, and turns without an action, count
    as well. All of 36 games of 2, 3 and 4 random players were won, half of them within 400, 490
    and 750 actions, the longest after 3841.

    \b
    Examples:
      pucklab bumpers play
      pucklab bumpers play --players person,greedy --seed 7
      pucklab bumpers play --players random,greedy,greedy --save game.json --verbose
      pucklab bumpers play --replay game.json
    """
    if replay is not None:
        refuse_options(("players", *TABLE_OPTIONS), "replay; the record has its own")
        _replay(replay, save, verbose=verbose)
        return 0
    kinds = players.split(",")
    seats = players_of(kinds)
    table = table_from_options(len(kinds), seed, options)
    if save is not None:
        check_writable("save", save, (".json",))
    if PERSON in kinds and not text and plays_in_window():
        return _play_in_window(table, kinds, seats, seed, save)
    # A person at the terminal has to see every event.
    steps, stopped = _play(table, seats, seed, verbose=verbose or PERSON in kinds)
    if save is not None:
        _save(save, table, kinds, seed, steps)
    return EXIT_STOPPED if stopped else 0


def _play_in_window(
    table: Table, kinds: Sequence[str], seats: Sequence[Player], seed: int, save: Path | None
) -> int:
    """Play a game in a window, and save it as far as it came."""
    from sim.cli.bumpers_window import steps_in_window

    steps = steps_in_window(table, kinds, seats, seed)
    if save is not None:
        _save(save, table, kinds, seed, steps)
    _print_result(table, steps)
    return 0


def _play(
    table: Table, seats: Sequence[Player], seed: int, *, verbose: bool
) -> tuple[list[Step], bool]:
    """Play a game and print it; return the steps, and whether Ctrl-C stopped it."""
    steps: list[Step] = []
    played = play_game(table, seats, np.random.default_rng(seed))
    try:
        _print_transcript(table, _kept(played, steps), verbose=verbose)
    except (KeyboardInterrupt, click.Abort):
        _print_result(table, steps)
        return steps, True
    _print_result(table, steps)
    return steps, False


def _kept(played: Iterable[Step], steps: list[Step]) -> Iterator[Step]:
    """Yield the steps, and append them to a list."""
    for taken in played:
        steps.append(taken)
        yield taken


def _print_transcript(table: Table, steps: Iterable[Step], *, verbose: bool) -> None:
    """Print the lines of a game while it is played."""
    for line in game_transcript(table, steps, verbose=verbose):
        click.echo(line)


def _print_result(table: Table, steps: Sequence[Step]) -> None:
    """Print the result of a game, or how far it came."""
    for line in result_lines(steps[-1].after if steps else new_game(table)):
        click.echo(line)


def _save(path: Path, table: Table, kinds: Sequence[str], seed: int, steps: Sequence[Step]) -> None:
    """Save the record of a game."""
    write_whole(path, record_json(record_of(table, kinds, seed, steps)).encode())
    print_written(path)


def _replay(path: Path, save: Path | None, *, verbose: bool) -> None:
    """Replay a record; nothing is printed before its end is checked."""
    if save is not None:
        raise InputError(f"save: {str(save)!r} is not accepted with --replay; the record exists")
    record: Record = read_record(path)
    steps = list(replay(record))
    _print_transcript(record.table, steps, verbose=verbose)
    _print_result(record.table, steps)


def players_of(kinds: Sequence[str]) -> list[Player]:
    """Return players of the given kinds; a person is asked at the terminal.

    Raises:
        InputError: A kind is unknown, or there are too few or too many players.
    """
    if not MIN_PLAYERS <= len(kinds) <= MAX_PLAYERS:
        raise InputError(
            f"players: {','.join(kinds)!r} is not accepted; give {MIN_PLAYERS} to {MAX_PLAYERS} "
            "kinds separated by commas"
        )
    return [player_of(kind, {**PLAYERS, PERSON: Person}) for kind in kinds]


class Person:
    """Player who is asked at the terminal, again after every invalid answer."""

    def choose(
        self,
        state: GameState,
        choices: tuple[Choice, ...],
        rng: np.random.Generator,
    ) -> Choice:
        """Ask until a legal choice is given."""
        del choices, rng
        who = chooser(state)
        assert who is not None
        while True:
            text = click.prompt(_question(state, who), prompt_suffix=" > ").strip()
            if text.lower() in {"quit", "q"}:
                raise KeyboardInterrupt
            if text in {"board", "hand", "choices"}:
                click.echo(_aside(text, state, who))
                continue
            try:
                return parse_choice(state, text)
            except InputError as error:
                click.echo(str(error))


def _question(state: GameState, who: int) -> str:
    """Return the prompt for a person."""
    name = state.table.name(who)
    if state.phase is Phase.PLACING:
        return f"{name}: place a piece, such as put {name[0].upper()}P b2 {_ASIDES}"
    if state.asked is not None:
        return f"{name}: play a quick play, or pass {_ASIDES}"
    if state.phase is Phase.DISCARD:
        return f"{name}: pick a card to discard {_ASIDES}"
    if state.pending is not None:
        return f"{name}: {state.card(state.pending.card).text} {_ASIDES}"
    if state.turn.taken >= state.actions_allowed:
        return f"{name}: no actions are left; play a card, or pass {_ASIDES}"
    return f"{name}: action {state.turn.taken + 1} of {state.actions_allowed} {_ASIDES}"


def _aside(text: str, state: GameState, who: int) -> str:
    """Return the board, the hand or the choices, as asked for."""
    if text == "board":
        return draw_position(state.position)
    if text == "hand":
        cards = [state.card(card) for card in state.hands[who]]
        return "\n".join(f"{card.name}: {card.text}" for card in cards) or "no cards"
    return ", ".join(choice_text(state, choice) for choice in choices(state))
