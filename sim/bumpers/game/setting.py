"""Setting up a game: what there is to choose, checked."""

from physics import InputError
from physics.checks import check_count
from sim.bumpers.board import start_spaces
from sim.bumpers.game.cards import Deck
from sim.bumpers.game.deckfile import house_deck
from sim.bumpers.game.table import FEW_PLAYERS, MAX_ACTIONS, Table
from sim.bumpers.house import Setup, setup_named
from sim.bumpers.pieces import Colour
from sim.bumpers.position import make_position

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
