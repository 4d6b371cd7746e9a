"""Set-up of a game, and Puck Bumpers as a `Game`.

`make_config` checks the options and returns the set-up; `BUMPERS` is the game for matches, records,
series and environments.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.base.decoding import Form, decode, encode, register_form, register_text
from pucklab.base.errors import check_count, errors_at, shown
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position, board_of, make_position, start_spaces
from pucklab.sim.bumpers.cards import Card, Deck
from pucklab.sim.bumpers.drawing import draw_position
from pucklab.sim.bumpers.game.card_effects import is_now_or_never
from pucklab.sim.bumpers.game.choices import choice_text, choices, chooser, parse_choice
from pucklab.sim.bumpers.game.deck_file import deck_of, house_deck
from pucklab.sim.bumpers.game.players import RandomPlayer
from pucklab.sim.bumpers.game.state import (
    FEW_PLAYERS,
    MAX_ACTIONS,
    Choice,
    Event,
    GameConfig,
    GameState,
    Pass,
    Phase,
    PickCard,
    PlayCard,
)
from pucklab.sim.bumpers.game.transcript import game_transcript, result_lines
from pucklab.sim.bumpers.game.turn import new_game, shuffle, step
from pucklab.sim.bumpers.mats import Colour, Kind
from pucklab.sim.bumpers.position_notation import parse_position, position_text
from pucklab.sim.bumpers.setups import DRAWN, Setup, setup_named
from pucklab.sim.core.game import Chance, Decision, Emphasis, Game, Match, Open, Step, play

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MOST_ACTIONS = 10**9


def make_config(
    players: int,
    *,
    setup: Setup | str | None = None,
    deck: Deck | None = None,
    colours_each: int = 1,
    may_pass: bool = False,
    max_actions: int = MAX_ACTIONS,
    first: int = 0,
) -> GameConfig:
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
        >>> make_config(3).hand_limit, make_config(4).colours_of(1)[0].word
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
    return GameConfig(
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
        rng: Random numbers for the draw; used for nothing else.

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


class Bumpers(Game[GameConfig, GameState, Choice, Event]):
    """Puck Bumpers as a `Game`."""

    name = "puck bumpers"
    setup = GameConfig
    may_undo = draws_at_limit = True
    looks = ("board", "hand")

    def seats(self, state: GameState) -> tuple[str, ...]:
        """Return the colours of each player."""
        return tuple(map(state.config.name, range(state.config.players)))

    start = staticmethod(new_game)

    def open(self, state: GameState) -> Open | None:
        """Return the legal choices of the player who chooses next, or the shuffle that is due."""
        seat = chooser(state)
        if seat is None:
            return None if state.phase is Phase.OVER else Chance(partial(shuffle, state))
        return Decision(seat, choices(state))

    apply = staticmethod(step)

    def returns(self, state: GameState) -> tuple[float, ...]:
        """Return 1 for the winner, and -1 for the others."""
        if state.winner is None:
            return (0.0,) * state.config.players
        return tuple(1.0 if p == state.winner else -1.0 for p in range(state.config.players))

    def view(self, state: GameState, seat: int) -> Mapping[str, Any]:
        """Return the position and the own hand."""
        return {
            "game": "bumpers",
            "position": position_text(state.position),
            "hand": [state.card(card).name for card in state.hands[seat]],
        }

    def end(self, state: GameState) -> Mapping[str, Any]:
        """Return the position and the winner."""
        return {"position": position_text(state.position), "winner": state.winner}

    def turns(self, state: GameState) -> int:
        """Return the number of turns begun."""
        return state.turns

    text = staticmethod(choice_text)

    read = staticmethod(parse_choice)

    def sentence(self, state: GameState, option: Choice) -> str:
        """Return the text of a card."""
        return state.card(option.card).text if isinstance(option, PlayCard | PickCard) else ""

    def only(self, state: GameState, decision: Decision) -> Choice | None:
        """Return a pass if nothing else is possible, or all of it later; None otherwise."""
        cards = [option.card for option in decision.options if isinstance(option, PlayCard)]
        is_later = state.asked is not None and not any(
            is_now_or_never(state, decision.seat, card) for card in cards
        )
        return Pass() if is_later or decision.options == (Pass(),) else None

    def question(self, state: GameState, decision: Decision) -> str:
        """Return the player who chooses, and the kind of choice, in words."""
        name = state.config.name(decision.seat)
        if state.phase is Phase.PLACING:
            return f"{name}: place a piece, such as put {name[0].upper()}P b2"
        if state.asked is not None:
            return f"{name}: play a quick play, or pass"
        if state.phase is Phase.DISCARD:
            return f"{name}: pick a card to discard"
        if state.pending is not None:
            return f"{name}: {state.card(state.pending.card).text}"
        if state.turn.taken >= state.actions_allowed:
            return f"{name}: no actions are left; play a card, or pass"
        return f"{name}: action {state.turn.taken + 1} of {state.actions_allowed}"

    def look(self, state: GameState, seat: int, word: str) -> str:
        """Return the board, or the own cards."""
        if word == "board":
            return draw_position(state.position)
        cards = [state.card(card) for card in state.hands[seat]]
        return "\n".join(f"{card.name}: {card.text}" for card in cards) or "no cards"

    def tell(
        self,
        _: GameState,
        steps: Iterable[Step[GameState, Choice, Event]],
        *,
        verbose: bool = False,
        bold: Emphasis = str,
    ) -> Iterator[str]:
        """Yield a line for each turn with an important event, or for every event."""
        del bold
        return game_transcript(steps, verbose=verbose)

    def result(self, state: GameState, *, verbose: bool = False) -> Iterator[str]:
        """Yield winner, scored pucks and position."""
        del verbose
        return result_lines(state)

    def observe(self, state: GameState, seat: int) -> NDArray[np.float32]:
        """Return colour and kind of the piece on each space, the own hand, scores and phase."""
        config = state.config
        on_board = np.zeros((len(board_of(config.board.layout).squares), 2), np.float32)
        for space, piece in state.position.pieces:
            whose = (config.owner(piece.colour) - seat) % config.players + 1
            on_board[space] = whose / config.players, (list(Kind).index(piece.kind) + 1) / len(Kind)
        hand = np.zeros(len(config.deck.cards), np.float32)
        hand[list(state.hands[seat])] = 1.0
        scored = [min(state.position.scored[colour], 10) / 10 for colour in Colour]
        phase = [float(state.phase is phase) for phase in Phase]
        rest = np.array([*scored, *phase, float(chooser(state) == seat)], np.float32)
        return np.concatenate([on_board.ravel(), hand, rest])


BUMPERS = Bumpers()


def random_start(config: GameConfig, seed: int) -> GameState:
    """Return the state at the first turn, after all pieces were placed at random.

    Args:
        config: The set-up.
        seed: Seed of chance.
    """
    for taken in play(BUMPERS, config, [RandomPlayer()] * config.players, seed):
        if taken.after.phase is not Phase.PLACING:
            return taken.after
    raise AssertionError("a game begins with a turn")


def place_at_random(match: Match[GameConfig, GameState, Choice, Event]) -> None:
    """Place all pieces of a match that begins, at random; the placings are its first steps."""
    player, rng = RandomPlayer(), np.random.default_rng(match.seed)
    while match.state.phase is Phase.PLACING:
        match.step(
            player.choose(match.state, match.open, rng)
            if isinstance(match.open, Decision)
            else shuffle(match.state, match.chance)
        )


@fact
class _ConfigFile:
    """A set-up as files have it."""

    board: Position
    players: int
    colours_each: int
    may_pass: bool
    max_actions: int
    first: int = 0
    deck: tuple[Card, ...]


def _config_from(value: object, where: str) -> GameConfig:
    stored = decode(_ConfigFile, value, where)
    own = {each.name: getattr(stored, each.name) for each in fields(stored)}
    board, deck = own.pop("board"), own.pop("deck")
    setup = Setup(name="board", about="", layout=board.layout, rules=board.rules)
    with errors_at(f"{where}:"):
        return make_config(setup=setup, deck=deck_of(f"{where} deck", deck), **own)


register_text(
    Position, "a position", position_text, lambda text: parse_position(text, temporary=True)
)
register_form(
    GameConfig,
    Form(
        name="a set-up",
        read=_config_from,
        store=lambda config: (
            {each.name: encode(getattr(config, each.name)) for each in fields(_ConfigFile)}
            | {"deck": encode(config.deck.cards)}
        ),
    ),
)
