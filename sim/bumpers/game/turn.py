"""A game as steps: a state and a choice give the next state, and what happened.

What happens by itself between choices: draws, quick plays, turns, the end.
"""

from dataclasses import replace

import numpy as np

from physics import InputError
from sim.bumpers.board import board_of, sorted_pieces
from sim.bumpers.game.card_effects import HOOKS, target_taken
from sim.bumpers.game.choices import (
    choice_text,
    choices,
    chooser,
    listed,
    quick_plays,
    unplaced,
    why_unplayable,
)
from sim.bumpers.game.piles import (
    action_counted,
    card_finished,
    discarded,
    discards_shuffled,
    owed_cards_drawn,
    series_undone,
    snapshot_of,
    with_owed_cards,
    without_card,
)
from sim.bumpers.game.state import (
    Choice,
    Event,
    EventKind,
    GameState,
    Log,
    MakeMove,
    Pass,
    Pending,
    Phase,
    PickCard,
    PlacePiece,
    PlayCard,
    Shuffled,
    Table,
    Turn,
    WaitingQuickPlay,
)
from sim.bumpers.mats import Kind
from sim.bumpers.move_notation import move_text
from sim.bumpers.moves import PieceMove
from sim.bumpers.rules import play, why_illegal


def advanced(state: GameState, log: Log) -> GameState:
    """Return the state at the next choice, or at the end of the game."""
    while True:
        following = _next(state, log)
        if following is None:
            return state
        state = following


def _next(state: GameState, log: Log) -> GameState | None:
    """Return the state after the next thing that happens by itself; None if nothing does."""
    if state.shuffle_due:
        return None if state.draw_pile or state.discards else replace(state, shuffle_due=False)
    if state.owed:
        return owed_cards_drawn(state, log)
    if state.resolving is not None:
        return discarded(replace(state, resolving=None), state.resolving)
    if state.asked is not None:
        return _quick_plays(state, log)
    if state.phase is Phase.PLACING:
        return None if unplaced(state, state.player) else _turn(state, state.player, log)
    if state.phase is Phase.ACTION:
        return _action(state, log)
    if state.phase is Phase.DISCARD:
        over = len(state.hands[state.player]) > state.table.hand_limit
        return None if over else _next_turn(state, log)
    return None


def _action(state: GameState, log: Log) -> GameState | None:
    """End a turn that is over, or in which there is nothing to do; a card under way ends first."""
    if state.pending is not None:
        return card_finished(state) if state.is_turn_over else None
    ends = state.is_turn_over or choices(state) == (Pass(),)
    return turn_ended(state, log) if ends else None


def _quick_plays(state: GameState, log: Log) -> GameState | None:
    """Go on with asking for quick plays: in turn order after the current player (PB-25).

    Each that is played is asked about in its turn; when nobody plays another, the last one takes
    effect, and all are asked again.
    """
    assert state.asked is not None
    for place in range(state.asked, state.table.players):
        if quick_plays(state, state.neighbour(state.player, place + 1)):
            return None if place == state.asked else replace(state, asked=place)
    if not state.quick:
        return _asked_all(replace(state, asked=None), log)
    *others, last = state.quick
    state = replace(state, quick=tuple(others), resolving=last.card, asked=0)
    log.append(Event(EventKind.RESOLVED, last.player, state.card(last.card).name))
    return HOOKS[state.card(last.card).hook].effect(state, last.player, last.card, log)


def _asked_all(state: GameState, log: Log) -> GameState:
    """Return the state after quick plays: go on with what they were asked before."""
    if state.pending is not None:
        return state if state.pending.target is None else target_taken(state, log)
    return _over(state, log) or (_drawing(state, log) if state.phase is Phase.DRAW else state)


def _drawing(state: GameState, log: Log) -> GameState:
    """Return the state in which cards are drawn, or at a turn that takes this one's place."""
    if state.turn.over:
        finished = state.player if state.finished is None else state.finished
        return _turn(state, state.neighbour(finished), log)
    state = replace(state, phase=Phase.ACTION, last=None)
    return with_owed_cards(state, state.player, state.to_draw) if state.table.deck.cards else state


def turn_ended(state: GameState, log: Log) -> GameState:
    """Return the state in which the player's actions are over and cards are discarded."""
    if state.turn.taken == 0:
        state = replace(state, actions=state.actions + 1)
    state = series_undone(state, log)
    return _over(state, log) or replace(state, phase=Phase.DISCARD)


def _next_turn(state: GameState, log: Log) -> GameState:
    player = state.player
    return _turn(replace(state, finished=player), state.neighbour(player), log)


def _turn(state: GameState, player: int, log: Log) -> GameState:
    """Return the state at the beginning of a turn: quick plays, then the draw."""
    log.append(Event(EventKind.TURN, player, str(state.turns + 1)))
    position = replace(state.position, to_move=state.table.colours_of(player)[0])
    return replace(
        state,
        position=position,
        phase=Phase.DRAW,
        player=player,
        turn=Turn(),
        turns=state.turns + 1,
        asked=0,
    )


def _over(state: GameState, log: Log) -> GameState | None:
    """Return the state at the end of the game; None if it goes on (PB-29, PB-33)."""
    table, all_pucks = state.table, state.table.pieces_each[Kind.PUCK]
    for player in range(table.players):
        if all(state.position.scored[c] == all_pucks for c in table.colours_of(player)):
            log.append(Event(EventKind.WON, player))
            return replace(state, phase=Phase.OVER, winner=player)
    if state.actions >= table.max_actions:
        log.append(Event(EventKind.DRAWN_GAME, None, str(state.actions)))
        return replace(state, phase=Phase.OVER)
    return None


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
            state = with_owed_cards(state, player, table.cards_dealt)
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
        return advanced(discards_shuffled(state, choice, log), log), tuple(log)
    if choice not in choices(state):
        raise InputError(f"choice: {choice_text(state, choice)}: {_why_not(state, choice)}")
    return advanced(_chosen(state, choice, log), log), tuple(log)


def _chosen(state: GameState, choice: Choice, log: Log) -> GameState:
    """Return the state right after a legal choice."""
    if isinstance(choice, PlayCard):
        return _played(state, choice.card, log)
    if state.asked is not None:
        return replace(state, asked=state.asked + 1)
    if state.pending is not None:
        take = HOOKS[state.card(state.pending.card).hook].take
        assert take is not None
        return take(state, choice, log)
    if isinstance(choice, PlacePiece):
        return _placed(state, choice, log)
    if isinstance(choice, MakeMove):
        return _moved(state, choice, log)
    if isinstance(choice, PickCard):
        log.append(Event(EventKind.DISCARDED, state.player, state.card(choice.card).name))
        return discarded(without_card(state, state.player, choice.card), choice.card)
    log.append(Event(EventKind.ENDED, state.player))
    return turn_ended(state, log)


def _placed(state: GameState, choice: PlacePiece, log: Log) -> GameState:
    """Put a piece on the board; the next to place sits on the right (PB-18)."""
    board = board_of(state.position.layout)
    name = board.name(board.squares[choice.space])
    log.append(Event(EventKind.PLACED, state.player, f"{choice.piece} on {name}"))
    pieces = sorted_pieces({**dict(state.position.pieces), choice.space: choice.piece})
    following = state.neighbour(state.player, -1)
    to_move = state.table.colours_of(following)[0]
    position = replace(state.position, pieces=pieces, to_move=to_move)
    return replace(state, position=position, player=following)


def _moved(state: GameState, choice: MakeMove, log: Log) -> GameState:
    """Move a piece: an action."""
    before, position = snapshot_of(state), state.position
    assert isinstance(choice.move, PieceMove)
    log.append(Event(EventKind.MOVED, state.player, move_text(position, choice.move)))
    after, change = play(position, choice.move, colours=state.movable, before=state.turn.before)
    for movement in change.movements:
        if movement.scored:
            colour = movement.piece.colour
            log.append(Event(EventKind.SCORED, state.table.owner(colour), colour.word))
    turn = replace(state.turn, before=position)
    return action_counted(replace(state, position=after, turn=turn, series=None), before)


def _played(state: GameState, card: int, log: Log) -> GameState:
    """Play a card: a quick play waits until all were asked, others take effect at once."""
    player = chooser(state)
    assert player is not None
    hook = HOOKS[state.card(card).hook]
    log.append(Event(EventKind.PLAYED, player, state.card(card).name))
    state = without_card(state, player, card)
    if hook.is_quick:
        quick = (*state.quick, WaitingQuickPlay(player, card))
        return replace(state, quick=quick, asked=0, actions=state.actions + 1)
    return hook.effect(state, player, card, log)


def _why_not(state: GameState, choice: Choice) -> str:
    """Return why a choice is not one of those that there are."""
    player = chooser(state)
    if player is None:
        return "the game is over" if state.phase is Phase.OVER else "a shuffle is due"
    reason = ""
    if isinstance(choice, PlayCard) and 0 <= choice.card < len(state.table.deck.cards):
        reason = why_unplayable(state, player, choice.card)
    elif isinstance(choice, MakeMove) and state.phase is Phase.ACTION and state.asked is None:
        reason = _why_not_go(state, choice)
    elif isinstance(choice, Pass) and state.phase is Phase.ACTION and state.pending is None:
        left = state.actions_allowed - state.turn.taken
        reason = f"actions are compulsory while one is legal, and {left} are left (PB-21)"
    texts = [choice_text(state, other) for other in choices(state)]
    return reason or f"{state.table.name(player)} may choose: {listed(texts)}"


def _why_not_go(state: GameState, choice: MakeMove) -> str:
    if isinstance(choice.move, PieceMove):
        if state.pending is not None:
            return ""
        if state.series is not None:
            return "the mats do not lie legally; no piece moves before they do (PB-23)"
        if state.turn.taken >= state.actions_allowed:
            return f"all {state.actions_allowed} actions of this turn are taken"
        return why_illegal(
            state.position, choice.move, colours=state.movable, before=state.turn.before
        )
    return "" if isinstance(state.pending, Pending) else "mats move by cards only"
