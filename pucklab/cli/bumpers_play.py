"""``pucklab bumpers new``, ``play`` and ``view``: whole games, and boards in the browser.

`table_options` are the options that set up a game, shared by the commands that begin one.
"""

from pathlib import Path
from typing import Any

import click

from pucklab.base.errors import refusal, shown
from pucklab.base.files import check_writable
from pucklab.cli.browsing import Pages, game_options, play_in_browser
from pucklab.cli.options import (
    PATH,
    complete_from,
    count,
    flag,
    option,
    refuse_options,
    seed_option,
    together,
)
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.cli.terminal import play_match, replay_match
from pucklab.physics import InputError, trial_generator
from pucklab.sim.bumpers import Colour, Setup, position_text, setups
from pucklab.sim.bumpers.board_file import is_file, read_first, read_position
from pucklab.sim.bumpers.drawing import draw_position
from pucklab.sim.bumpers.game import (
    BUMPERS,
    Choice,
    Event,
    GameConfig,
    GameState,
    first_player,
    make_config,
    place_at_random,
    random_start,
    read_deck,
)
from pucklab.sim.bumpers.game.match import MAX_PLAYERS, MIN_PLAYERS
from pucklab.sim.bumpers.game.planner import is_free_action
from pucklab.sim.bumpers.game.player_kinds import PLAYERS, advice_lines
from pucklab.sim.core.game import Decision, Match
from pucklab.sim.core.players import PERSON
from pucklab.sim.core.records import read_record, replay

_NAMES = ("setup", "deck", "colours", "first", "may_pass", "max_actions")

TABLE_OPTIONS = (*_NAMES, "seed")
"""Names of the options that `table_options` adds to a command."""

table_options = together(
    option(
        "--setup",
        str,
        "NAME|FILE",
        "classic, small, old-school, or a file with a board of your own (only its mats, rules "
        "and who begins are used).  [default: small for up to 3 colours, else classic]",
        shell_complete=complete_from(setups),
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
"""The options that `config_from_options` reads, and a seed."""


def config_from_options(players: int, seed: int, options: dict[str, Any]) -> GameConfig:
    """Return the set-up of a command's options, and remove them from ``options``.

    Raises:
        InputError: A value is not accepted.
    """
    taken = {name: options.pop(name) for name in _NAMES}
    setup = setup_of(taken["setup"])
    first = taken["first"] or (setup.first if isinstance(setup, Setup) else "") or Colour.RED.word
    return make_config(
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
    board, _ = read_position(Path(text), "setup")
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
    config = config_from_options(players, seed, options)
    position = random_start(config, seed).position
    click.echo(draw_position(position))
    click.echo(position_text(position))


PLACE = flag("--place", "Place the pieces yourself.  [default: with a person they stand already]")


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
@game_options
@PLACE
def play_command(
    *,
    players: str,
    seed: int,
    place: bool,
    pages: Pages,
    verbose: bool,
    save: Path | None,
    replay: Path | None,
    **options: Any,
) -> int:
    """Play a whole game, in the browser if a person plays, and print its important events.

    A random player chooses at random, but scores when it can, and avoids returning pucks and
    closing goals with mats. A greedy player moves its pucks towards goals. A planner plans its
    turns with the solver; planner-1s does so for a second, so its moves depend on the machine. A
    person plays in the browser; with --text, at the terminal, a person types moves as the
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
        replay_match(BUMPERS, replay, save, verbose=verbose)
        return 0
    match = match_from_options(players, seed, options, places=place)
    check_writable("save", save, (".json",))
    if PERSON in match.kinds and pages.serves():
        return play_in_browser(match, pages, save)
    return EXIT_STOPPED if play_match(match, save, verbose=verbose) else 0


def match_from_options(
    players: str, seed: int, options: dict[str, Any], *, places: bool
) -> Match[GameConfig, GameState, Choice, Event]:
    """Return the match of a command's options, and remove them from ``options``.

    With a person it begins set up, unless the person places the pieces.

    Raises:
        InputError: A value is not accepted.
    """
    kinds = tuple(kind.strip() for kind in players.split(","))
    if not MIN_PLAYERS <= len(kinds) <= MAX_PLAYERS:
        accepted = f"{MIN_PLAYERS} to {MAX_PLAYERS} kinds separated by commas"
        raise refusal("players", players, accepted)
    own = [PLAYERS.of(kind, persons=True) for kind in kinds]
    config = config_from_options(len(kinds), seed, options)
    match = Match(BUMPERS, config, own, seed, kinds=kinds)
    if PERSON in kinds and not places:
        place_at_random(match)
    return match


@click.command("advise")
@click.argument("game", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@option("--turn", count(1, 10**9), "N", "The turn, counted from 1.", required=True)
def advise_command(*, game: Path, turn: int) -> None:
    """Say what the planner would do at the first action of a turn of a saved game.

    Its best five choices are printed with what each brings: pucks that come in at once, the
    planner's rating of the position after it (12 is a puck) and after the next player's best
    reply, and the cards that are left in hand.

    \b
    Example:
      pucklab bumpers advise game.json --turn 3
    """
    record = read_record(BUMPERS, game)
    turns = 0
    for step in replay(BUMPERS, record):
        state, now = step.before, BUMPERS.open(step.before)
        turns = state.turns
        if turns == turn and isinstance(now, Decision) and is_free_action(state):
            click.echo(f"turn {turn}, {BUMPERS.seats(state)[now.seat]}:")
            for line in advice_lines(state, now):
                click.echo(line)
            return
    raise InputError(f"turn: {turn} is not accepted; the game has {turns} turns with an action")
