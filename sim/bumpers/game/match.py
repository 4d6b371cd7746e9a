"""Setting up a game and playing it to the end.

`make_table` checks the options and returns the set-up, `play_game` yields the steps of a whole
game, and `GameMatch` is a game under way, in which persons may take part.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from physics import InputError
from physics.errors import check_count, shown
from physics.facts import fact
from sim.bumpers.board import make_position, start_spaces
from sim.bumpers.cards import Deck
from sim.bumpers.game.choices import choices, chooser
from sim.bumpers.game.deck_file import house_deck
from sim.bumpers.game.players import Player, RandomPlayer
from sim.bumpers.game.state import (
    FEW_PLAYERS,
    MAX_ACTIONS,
    Choice,
    Event,
    GameState,
    Pass,
    Phase,
    Table,
)
from sim.bumpers.game.turn import new_game, shuffle, step
from sim.bumpers.mats import Colour
from sim.bumpers.setups import DRAWN, Setup, setup_named
from sim.core.play import Match, play_on

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MOST_ACTIONS = 10**9


@fact
class Step:
    """One step of a game.

    Attributes:
        before: The state in which the choice was made.
        choice: The choice.
        after: The state at the next choice, or at the end.
        events: The events in between.
    """

    before: GameState
    choice: Choice
    after: GameState
    events: tuple[Event, ...]


def make_table(
    players: int,
    *,
    setup: Setup | str | None = None,
    deck: Deck | None = None,
    colours_each: int = 1,
    may_pass: bool = False,
    max_actions: int = MAX_ACTIONS,
    first: int = 0,
) -> Table:
    """Return a game's set-up.

    Args:
        players: Number of players, 2 to 6.
        setup: The board; by default the rulebook's for this number of colours (PB-34).
        deck: The cards; by default the house deck. The old-school variant has no cards, so none
            may be given (PB-17).
        colours_each: Colours of each player; at most 6 in all (PB-35).
        may_pass: Whether a player may pass although an action is possible (PB-21).
        max_actions: Actions after which the game is a draw, at least 1 (PB-33).
        first: The player who begins, from 0; see `first_player`.

    Raises:
        InputError: A value is not accepted, the board has too few start spaces, or cards are given
            for a game without cards.

    Example:
        >>> make_table(3).hand_limit, make_table(4).colours_of(1)[0].word
        (7, 'orange')
    """
    check_count("players", players, MIN_PLAYERS, MAX_PLAYERS)
    check_count("colours", colours_each, 1, len(Colour) // players)
    check_count("max_actions", max_actions, 1, MOST_ACTIONS)
    check_count("first", first, 0, players - 1)
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
        first=first,
    )


def first_player(text: str, players: int, colours_each: int, rng: np.random.Generator) -> int:
    """Return the player who begins: named by a colour, or drawn.

    Args:
        text: The word of a colour in play, or ``draw``.
        players: Number of players.
        colours_each: Colours of each player.
        rng: Source of chance for a draw; used for nothing else.

    Raises:
        InputError: It is neither.

    Example:
        >>> first_player("orange", 3, 2, np.random.default_rng(1))
        1
    """
    if text == DRAWN:
        return int(rng.integers(players))
    colours = [colour.word for colour in Colour][: players * colours_each]
    if text not in colours:
        accepted = ", ".join((DRAWN, *colours))
        raise InputError(f"first: {shown(text)} is not accepted; give one of {accepted}")
    return colours.index(text) % players


class GameMatch(Match[GameState, Choice, Step]):
    """A game under way; its question is the state that waits for a choice.

    Attributes:
        table: The set-up.
        state: The state now.
    """

    def __init__(
        self, table: Table, players: Sequence[Player | None], rng: np.random.Generator
    ) -> None:
        """Set up a game.

        Args:
            table: The set-up.
            players: The players, in order; None for a person, who chooses by `step`.
            rng: Source of chance; shuffles and each player get a generator of their own from it.

        Raises:
            InputError: There are more or fewer players than the table has seats.
        """
        if len(players) != table.players:
            raise InputError(f"players: {len(players)} is not accepted; give {table.players}")
        self.table = table
        self.state = new_game(table)
        self._players = tuple(players)
        self._shuffles, *self._own = rng.spawn(table.players + 1)

    @property
    def question(self) -> GameState | None:
        """The state that waits for a choice; None when the game is over."""
        return None if self.state.phase is Phase.OVER else self.state

    @property
    def person(self) -> int | None:
        """The number of the person who is to choose; None if it is not a person's turn."""
        player = chooser(self.state)
        return player if player is not None and self.is_person(player) else None

    def is_person(self, player: int) -> bool:
        """Return whether a player is a person."""
        return self._players[player] is None

    def choose(self, question: GameState) -> Choice | None:
        """Return a shuffle, or the choice of a player; None if a person has to choose.

        A person who can only pass is not asked.
        """
        number = chooser(question)
        if number is None:
            return shuffle(question, self._shuffles)
        offered, player = choices(question), self._players[number]
        if player is not None:
            return player.choose(question, offered, self._own[number])
        return Pass() if offered == (Pass(),) else None

    def step(self, choice: Choice) -> Step:
        """Go on with a choice.

        Raises:
            InputError: The choice is not legal; the message says why.
        """
        before = self.state
        self.state, events = step(before, choice)
        return Step(before=before, choice=choice, after=self.state, events=events)


def play_game(table: Table, players: Sequence[Player], rng: np.random.Generator) -> Iterator[Step]:
    """Play a game, and yield its steps up to the last.

    Args:
        table: The set-up.
        players: The players, in order.
        rng: Source of chance; shuffles and each player get a generator of their own from it.

    Raises:
        InputError: There are more or fewer players than the table has seats.

    Example:
        >>> from sim.bumpers.game import RandomPlayer, make_table
        >>> table = make_table(2, setup="old-school", max_actions=5)
        >>> *_, last = play_game(table, [RandomPlayer()] * 2, np.random.default_rng(1))
        >>> last.after.phase.value, last.after.actions
        ('over', 5)
    """
    yield from play_on(GameMatch(table, players, rng))


def random_start(table: Table, rng: np.random.Generator) -> GameState:
    """Return the state at the first turn, after all pieces were placed at random.

    Args:
        table: The set-up.
        rng: Source of chance.
    """
    for taken in play_game(table, [RandomPlayer()] * table.players, rng):
        if taken.after.phase is not Phase.PLACING:
            return taken.after
    raise AssertionError("a game begins with a turn")
