"""A game as steps: a state and a choice give the next state, and what happened."""

from dataclasses import replace

import numpy as np

from physics import InputError
from sim.bumpers.board import board_of
from sim.bumpers.game.actions import counted, snapshot_of
from sim.bumpers.game.asking import choices, chooser, why_not_play
from sim.bumpers.game.choice import Choice, Go, Pass, Pick, Play, Put, Shuffled
from sim.bumpers.game.choicetext import choice_text, listed
from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.flow import advanced, turn_ended
from sim.bumpers.game.hooks import HOOKS
from sim.bumpers.game.piles import discarded, owing, shuffled, without_card
from sim.bumpers.game.state import GameState, Pending, Phase, Quick
from sim.bumpers.game.table import Table
from sim.bumpers.movenotation import move_text
from sim.bumpers.moves import PieceMove
from sim.bumpers.position import in_order
from sim.bumpers.rules import play, why_not


def new_game(table: Table) -> GameState:
    """Return the state before anything is done: the deck is to be shuffled, then pieces placed.

    Example:
        >>> from sim.bumpers.game import make_table
        >>> new_game(make_table(4)).shuffle_due, new_game(make_table(2, setup="old-school")).phase
        (True, <Phase.PLACING: 'placing'>)
    """
    state = GameState(
        table=table,
        position=replace(table.board, to_move=table.colours_of(0)[0]),
        phase=Phase.PLACING,
        hands=((),) * table.players,
        discards=table.deck.numbers,
        shuffle_due=bool(table.deck.cards),
    )
    if table.deck.cards:
        for player in range(table.players):
            state = owing(state, player, table.cards_dealt)
    return state


def shuffle(state: GameState, rng: np.random.Generator) -> Shuffled:
    """Return a random order of the draw pile, for a state in which a shuffle is due."""
    cards = state.draw_pile + state.discards
    return Shuffled(tuple(cards[place] for place in rng.permutation(len(cards))))


def step(state: GameState, choice: Choice) -> tuple[GameState, tuple[Event, ...]]:
    """Return the state after a choice, at the next choice or the end, and what happened.

    Nothing here is random: a game is its list of choices, shuffles among them.

    Args:
        state: The state; it does not change.
        choice: One of ``choices(state)``; a `Shuffled` where a shuffle is due.

    Raises:
        InputError: The choice is not one of those; the message says why.
    """
    log: Log = []
    if state.shuffle_due and isinstance(choice, Shuffled):
        return advanced(shuffled(state, choice, log), log), tuple(log)
    if choice not in choices(state):
        raise InputError(f"choice: {choice_text(state, choice)}: {_why_not(state, choice)}")
    return advanced(_chosen(state, choice, log), log), tuple(log)


def _chosen(state: GameState, choice: Choice, log: Log) -> GameState:
    """Return the state right after a legal choice."""
    if isinstance(choice, Play):
        return _played(state, choice.card, log)
    if state.asked is not None:
        return replace(state, asked=state.asked + 1)
    if state.pending is not None:
        take = HOOKS[state.card(state.pending.card).hook].take
        assert take is not None
        return take(state, choice, log)
    if isinstance(choice, Put):
        return _placed(state, choice, log)
    if isinstance(choice, Go):
        return _moved(state, choice, log)
    if isinstance(choice, Pick):
        log.append(Event(Happening.DISCARDED, state.player, state.card(choice.card).name))
        return discarded(without_card(state, state.player, choice.card), choice.card)
    log.append(Event(Happening.ENDED, state.player))
    return turn_ended(state, log)


def _placed(state: GameState, choice: Put, log: Log) -> GameState:
    """Put a piece on the board; the next to place sits on the right (PB-18)."""
    board = board_of(state.position.layout)
    name = board.name(board.squares[choice.space])
    log.append(Event(Happening.PLACED, state.player, f"{choice.piece} on {name}"))
    pieces = in_order({**dict(state.position.pieces), choice.space: choice.piece})
    following = state.neighbour(state.player, -1)
    to_move = state.table.colours_of(following)[0]
    position = replace(state.position, pieces=pieces, to_move=to_move)
    return replace(state, position=position, player=following)


def _moved(state: GameState, choice: Go, log: Log) -> GameState:
    """Move a piece: an action."""
    before, position = snapshot_of(state), state.position
    assert isinstance(choice.move, PieceMove)
    log.append(Event(Happening.MOVED, state.player, move_text(position, choice.move)))
    after, change = play(position, choice.move, colours=state.movable, before=state.turn.before)
    for movement in change.movements:
        if movement.scored:
            colour = movement.piece.colour
            log.append(Event(Happening.SCORED, state.table.owner(colour), colour.word))
    turn = replace(state.turn, before=position)
    return counted(replace(state, position=after, turn=turn, series=None), before)


def _played(state: GameState, card: int, log: Log) -> GameState:
    """Play a card: a quick play waits until all were asked, others take effect at once."""
    player = chooser(state)
    assert player is not None
    hook = HOOKS[state.card(card).hook]
    log.append(Event(Happening.PLAYED, player, state.card(card).name))
    state = without_card(state, player, card)
    if hook.is_quick:
        quick = (*state.quick, Quick(player, card))
        return replace(state, quick=quick, asked=0, actions=state.actions + 1)
    return hook.effect(state, player, card, log)


def _why_not(state: GameState, choice: Choice) -> str:
    """Return why a choice is not one of those that there are."""
    player = chooser(state)
    if player is None:
        return "the game is over" if state.phase is Phase.OVER else "a shuffle is due"
    reason = ""
    if isinstance(choice, Play) and 0 <= choice.card < len(state.table.deck.cards):
        reason = why_not_play(state, player, choice.card)
    elif isinstance(choice, Go) and state.phase is Phase.ACTION and state.asked is None:
        reason = _why_not_go(state, choice)
    elif isinstance(choice, Pass) and state.phase is Phase.ACTION and state.pending is None:
        left = state.allowed - state.turn.taken
        reason = f"actions are compulsory while one is legal, and {left} are left (PB-21)"
    texts = [choice_text(state, other) for other in choices(state)]
    return reason or f"{state.table.name(player)} may choose: {listed(texts)}"


def _why_not_go(state: GameState, choice: Go) -> str:
    if isinstance(choice.move, PieceMove):
        if state.pending is not None:
            return ""
        if state.series is not None:
            return "the mats do not lie legally; no piece moves before they do (PB-23)"
        if state.turn.taken >= state.allowed:
            return f"all {state.allowed} actions of this turn are taken"
        return why_not(state.position, choice.move, colours=state.movable, before=state.turn.before)
    return "" if isinstance(state.pending, Pending) else "mats move by cards only"
