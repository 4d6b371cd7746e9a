"""The flow of a game: a state and a choice give the next state and the events in between.

`step` takes a choice; then `_advance` runs everything that needs no choice, up to the next one:
draws, quick plays that take effect, ends of turns, the end of the game.
"""

from dataclasses import replace

import numpy as np

from pucklab.physics import InputError
from pucklab.sim.bumpers.board import board_of, with_pieces
from pucklab.sim.bumpers.cards import CardKind
from pucklab.sim.bumpers.game.card_effects import HOOKS, take_target
from pucklab.sim.bumpers.game.choices import (
    choice_text,
    choices,
    chooser,
    list_choices,
    quick_plays,
    unplaced,
    why_unplayable,
)
from pucklab.sim.bumpers.game.piles import (
    count_action,
    discard,
    draw_owed_cards,
    finish_card,
    log_scores,
    shuffle_discards,
    snapshot_of,
    with_owed_cards,
    without_card,
)
from pucklab.sim.bumpers.game.state import (
    FEW_PLAYERS,
    Choice,
    Event,
    EventKind,
    GameConfig,
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
    Turn,
    WaitingQuickPlay,
)
from pucklab.sim.bumpers.mats import Kind
from pucklab.sim.bumpers.move_notation import move_text
from pucklab.sim.bumpers.moves import PieceMove
from pucklab.sim.bumpers.rules import play, why_illegal


def new_game(config: GameConfig) -> GameState:
    """Return the first state: the deck is to be shuffled, then pieces are placed.

    Example:
        >>> from pucklab.sim.bumpers.game import make_config
        >>> new_game(make_config(4)).shuffle_due, new_game(make_config(2, setup="old-school")).phase
        (True, <Phase.PLACING: 'placing'>)
    """
    state = GameState(
        config=config,
        position=replace(config.board, to_move=config.colours_of(config.first)[0]),
        phase=Phase.PLACING,
        player=config.first,
        hands=((),) * config.players,
        discards=config.deck.numbers,
        shuffle_due=bool(config.deck.cards),
    )
    if config.deck.cards:
        for player in range(config.players):
            state = with_owed_cards(state, player, 5 if config.players <= FEW_PLAYERS else 3)
    return state


def shuffle(state: GameState, rng: np.random.Generator) -> Shuffled:
    """Return a random order of the draw pile, for a state in which a shuffle is due."""
    cards = state.draw_pile + state.discards
    return Shuffled(tuple(cards[place] for place in rng.permutation(len(cards))))


def step(state: GameState, choice: Choice) -> tuple[GameState, tuple[Event, ...]]:
    """Return the state at the next choice, shuffle or end, and the events up to it.

    Nothing here is random: a game is its list of choices, shuffles included.

    Args:
        state: The state; it does not change.
        choice: One of ``choices(state)``, or a `Shuffled` if a shuffle is due.

    Raises:
        InputError: The choice is not legal; the message says why.
    """
    log: Log = []
    if state.shuffle_due and isinstance(choice, Shuffled):
        return _advance(shuffle_discards(state, choice, log), log), tuple(log)
    if choice not in choices(state):
        raise InputError(f"choice: {choice_text(state, choice)}: {_why_not(state, choice)}")
    return _advance(_apply_choice(state, choice, log), log), tuple(log)


def _apply_choice(state: GameState, choice: Choice, log: Log) -> GameState:
    if isinstance(choice, PlayCard):  # quick plays wait, other cards take effect at once
        player, card = chooser(state), choice.card
        assert player is not None
        hook = HOOKS[state.card(card).hook]
        log.append(Event(EventKind.PLAYED, player, state.card(card).name))
        state = without_card(state, player, card)
        if hook.kind is not CardKind.QUICK_PLAY:
            return hook.effect(state, player, card, log)
        quick = (*state.quick, WaitingQuickPlay(player, card))
        return replace(state, quick=quick, asked=0, actions=state.actions + 1)
    if state.asked is not None:
        return replace(state, asked=state.asked + 1)
    if state.pending is not None:
        take = HOOKS[state.card(state.pending.card).hook].take
        assert take is not None
        return take(state, choice, log)
    if isinstance(choice, PlacePiece):
        name = board_of(state.position.layout).name_of(choice.space)
        log.append(Event(EventKind.PLACED, state.player, f"{choice.piece} on {name}"))
        pieces = {**dict(state.position.pieces), choice.space: choice.piece}
        following = state.neighbour(state.player, -1)  # the player on the right (PB-18)
        to_move = state.config.colours_of(following)[0]
        position = with_pieces(replace(state.position, to_move=to_move), pieces)
        return replace(state, position=position, player=following)
    if isinstance(choice, MakeMove):
        # A piece move, which is an action.
        before, position = snapshot_of(state), state.position
        assert isinstance(choice.move, PieceMove)
        log.append(Event(EventKind.MOVED, state.player, move_text(position, choice.move)))
        after, change = play(position, choice.move, colours=state.movable, before=state.turn.before)
        log_scores(state, change, log)
        turn = replace(state.turn, before=position)
        return count_action(replace(state, position=after, turn=turn, series=None), before)
    if isinstance(choice, PickCard):
        log.append(Event(EventKind.DISCARDED, state.player, state.card(choice.card).name))
        return discard(without_card(state, state.player, choice.card), choice.card)
    log.append(Event(EventKind.ENDED, state.player))
    return _end_turn(state, log)


def _advance(state: GameState, log: Log) -> GameState:
    """Return the state at the next choice, or at the end of the game."""
    while (following := _next(state, log)) is not None:
        state = following
    return state


def _next(state: GameState, log: Log) -> GameState | None:
    """Return the state after the next automatic event; None if a choice comes first."""
    if state.shuffle_due:
        return None if state.draw_pile or state.discards else replace(state, shuffle_due=False)
    if state.owed:
        return draw_owed_cards(state, log)
    if state.resolving is not None:
        return discard(replace(state, resolving=None), state.resolving)
    if state.asked is not None:
        return _ask_quick_plays(state, log)
    if state.phase is Phase.PLACING:
        return None if unplaced(state, state.player) else _begin_turn(state, state.player, log)
    if state.phase is Phase.ACTION:
        if state.pending is not None:  # a card ends before the turn
            return finish_card(state) if state.is_turn_over else None
        ends = state.is_turn_over or choices(state) == (Pass(),)
        return _end_turn(state, log) if ends else None
    if state.phase is Phase.DISCARD:
        player = state.player
        if len(state.hands[player]) > state.config.hand_limit:
            return None
        return _begin_turn(replace(state, finished=player), state.neighbour(player), log)
    return None


def _ask_quick_plays(state: GameState, log: Log) -> GameState | None:
    """Ask the next player for a quick play, in turn order after the current one (PB-25).

    When nobody plays another one, the last of the waiting quick plays takes effect, and everybody
    is asked again.
    """
    assert state.asked is not None
    for place in range(state.asked, state.config.players):
        if quick_plays(state, state.neighbour(state.player, place + 1)):
            return None if place == state.asked else replace(state, asked=place)
    if not state.quick:
        # The play that the quick plays interrupted goes on.
        state = replace(state, asked=None)
        if state.pending is not None:
            return state if state.pending.target is None else take_target(state, log)
        over = _game_over(state, log)
        if over is not None or state.phase is not Phase.DRAW:
            return over or state
        if state.turn.over:
            finished = state.player if state.finished is None else state.finished
            return _begin_turn(state, state.neighbour(finished), log)
        state = replace(state, phase=Phase.ACTION, last=None)
        has_cards = bool(state.config.deck.cards)
        return with_owed_cards(state, state.player, state.to_draw) if has_cards else state
    *others, last = state.quick
    state = replace(state, quick=tuple(others), resolving=last.card, asked=0)
    log.append(Event(EventKind.RESOLVED, last.player, state.card(last.card).name))
    return HOOKS[state.card(last.card).hook].effect(state, last.player, last.card, log)


def _end_turn(state: GameState, log: Log) -> GameState:
    """Return the state after the player's actions: surplus cards are discarded."""
    if state.turn.taken == 0:
        state = replace(state, actions=state.actions + 1)
    if state.series is not None:  # an illegal series of mat moves is taken back (PB-23)
        log.append(Event(EventKind.MATS_BACK, state.player))
        position = replace(state.position, layout=state.series.layout)
        state = replace(state, position=position, series=None)
    return _game_over(state, log) or replace(state, phase=Phase.DISCARD)


def _begin_turn(state: GameState, player: int, log: Log) -> GameState:
    """Return the state at the beginning of a turn, which begins with quick plays."""
    log.append(Event(EventKind.TURN, player, str(state.turns + 1)))
    position = replace(state.position, to_move=state.config.colours_of(player)[0])
    return replace(
        state,
        position=position,
        phase=Phase.DRAW,
        player=player,
        turn=Turn(),
        turns=state.turns + 1,
        asked=0,
    )


def _game_over(state: GameState, log: Log) -> GameState | None:
    """Return the state at the end of the game; None if it goes on (PB-29, PB-33)."""
    config, all_pucks = state.config, state.config.pieces_each[Kind.PUCK]
    for player in range(config.players):
        if all(state.position.scored[c] == all_pucks for c in config.colours_of(player)):
            log.append(Event(EventKind.WON, player))
            return replace(state, phase=Phase.OVER, winner=player)
    if state.actions >= config.max_actions:
        log.append(Event(EventKind.DRAWN_GAME, None, str(state.actions)))
        return replace(state, phase=Phase.OVER)
    return None


def _why_not(state: GameState, choice: Choice) -> str:
    player = chooser(state)
    if player is None:
        return "the game is over" if state.phase is Phase.OVER else "a shuffle is due"
    reason = ""
    if isinstance(choice, PlayCard) and 0 <= choice.card < len(state.config.deck.cards):
        reason = why_unplayable(state, player, choice.card)
    elif isinstance(choice, MakeMove) and state.phase is Phase.ACTION and state.asked is None:
        if not isinstance(choice.move, PieceMove):
            reason = "" if isinstance(state.pending, Pending) else "mats only move by cards"
        elif state.pending is not None:
            reason = ""
        elif state.series is not None:
            reason = "the layout of the mats is not legal; no piece moves until it is (PB-23)"
        elif state.turn.taken >= state.actions_allowed:
            reason = f"all {state.actions_allowed} actions of this turn are taken"
        else:
            before = state.turn.before
            reason = why_illegal(state.position, choice.move, colours=state.movable, before=before)
    elif isinstance(choice, Pass) and state.phase is Phase.ACTION and state.pending is None:
        left = state.actions_allowed - state.turn.taken
        reason = f"an action is compulsory if one is legal, and {left} are left (PB-21)"
    texts = [choice_text(state, other) for other in choices(state)]
    return reason or f"{state.config.name(player)} may choose: {list_choices(texts)}"
