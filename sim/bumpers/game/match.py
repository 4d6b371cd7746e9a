"""Playing a game from the first shuffle to the end.

Setting up a game: what there is to choose, checked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from physics import InputError
from physics.errors import check_count
from sim.bumpers.board import make_position, start_spaces
from sim.bumpers.game.cards import Deck
from sim.bumpers.game.choices import choices, chooser
from sim.bumpers.game.deck_file import house_deck
from sim.bumpers.game.players import Player, RandomPlayer
from sim.bumpers.game.state import FEW_PLAYERS, MAX_ACTIONS, Choice, Event, GameState, Phase, Table
from sim.bumpers.game.turn import new_game, shuffle, step
from sim.bumpers.mats import Colour
from sim.bumpers.setups import Setup, setup_named


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a game.

    Attributes:
        before: The state in which somebody chose.
        choice: What they chose.
        after: The state after it.
        events: What happened.
    """

    before: GameState
    choice: Choice
    after: GameState
    events: tuple[Event, ...]


def play_game(table: Table, players: Sequence[Player], rng: np.random.Generator) -> Iterator[Step]:
    """Play a game, and yield its steps up to the last.

    Args:
        table: The set-up.
        players: The players, in order.
        rng: Shuffles, and each player, get generators of their own from it.

    Raises:
        InputError: There are more or fewer players than the table has seats.

    Example:
        >>> from sim.bumpers.game import RandomPlayer, make_table
        >>> table = make_table(2, setup="old-school", max_actions=5)
        >>> *_, last = play_game(table, [RandomPlayer()] * 2, np.random.default_rng(1))
        >>> last.after.phase.value, last.after.actions
        ('over', 5)
    """
    if len(players) != table.players:
        raise InputError(f"players: {len(players)} is not accepted; give {table.players}")
    shuffles, *own = rng.spawn(table.players + 1)
    state = new_game(table)
    while state.phase is not Phase.OVER:
        who = chooser(state)
        choice: Choice
        if who is None:
            choice = shuffle(state, shuffles)
        else:
            choice = players[who].choose(state, choices(state), own[who])
        after, events = step(state, choice)
        yield Step(before=state, choice=choice, after=after, events=events)
        state = after


def random_start(table: Table, rng: np.random.Generator) -> GameState:
    """Return the state at the first turn, after pieces were placed at random.

    Args:
        table: The set-up.
        rng: Where chance comes from.
    """
    for taken in play_game(table, [RandomPlayer()] * table.players, rng):
        if taken.after.phase is not Phase.PLACING:
            return taken.after
    raise AssertionError("a game begins with a turn")


MIN_PLAYERS, MAX_PLAYERS = 2, 6


def make_table(
    players: int,
    *,
    setup: Setup | str | None = None,
    deck: Deck | None = None,
    colours_each: int = 1,
    may_pass: bool = False,
    max_actions: int = MAX_ACTIONS,
) -> Table:
    """Return a game's set-up.

    Args:
        players: How many play, 2 to 6.
        setup: The board; by default the rulebook's for so many colours (PB-34).
        deck: The cards; by default the house deck. Old school is played without any, and none may
            be given (PB-17).
        colours_each: Colours of each player; 6 in all at most (PB-35).
        may_pass: Actions are not compulsory (PB-21).
        max_actions: Actions after which the game is a draw, at least 1 (PB-33).

    Raises:
        InputError: A value that is not accepted, a board with too few start spaces, or cards for a
            game without any.

    Example:
        >>> make_table(3).hand_limit, make_table(4).colours_of(1)[0].word
        (7, 'orange')
    """
    check_count("players", players, low=MIN_PLAYERS, high=MAX_PLAYERS)
    check_count("colours", colours_each, low=1, high=len(Colour) // players)
    check_count("max_actions", max_actions, low=1, high=10**9)
    colours = players * colours_each
    if setup is None:
        setup = "small" if colours <= FEW_PLAYERS else "classic"
    if isinstance(setup, str):
        setup = setup_named(setup)
    for kind, each in setup.rules.pieces_each.items():
        there, wanted = len(start_spaces(setup.layout, kind)), colours * each
        if there < wanted:
            raise InputError(
                f"setup: {setup.name!r} has {there} start spaces for {kind.word}s; "
                f"{colours} colours need {wanted}"
            )
    if setup.rules.old_school:
        if deck is not None and deck.cards:
            raise InputError("deck: old school is played without cards (PB-17); give none")
        deck = Deck()
    return Table(
        board=make_position(setup.layout, {}, rules=setup.rules),
        deck=house_deck() if deck is None else deck,
        players=players,
        colours_each=colours_each,
        may_pass=may_pass,
        max_actions=max_actions,
    )
