"""What happens by itself between choices: draws, quick plays, turns, the end."""

from dataclasses import replace

from sim.bumpers.game.actions import card_done, mats_back
from sim.bumpers.game.asking import choices, quick_plays, unplaced
from sim.bumpers.game.changerhooks import target_taken
from sim.bumpers.game.choice import Pass
from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.hooks import HOOKS
from sim.bumpers.game.piles import dealt, discarded, owing
from sim.bumpers.game.state import GameState, Phase, Turn
from sim.bumpers.pieces import Kind


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
        return dealt(state, log)
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
        return card_done(state) if state.is_turn_over else None
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
    log.append(Event(Happening.RESOLVED, last.player, state.card(last.card).name))
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
    return owing(state, state.player, state.to_draw) if state.table.deck.cards else state


def turn_ended(state: GameState, log: Log) -> GameState:
    """Return the state in which the player's actions are over and cards are discarded."""
    if state.turn.taken == 0:
        state = replace(state, actions=state.actions + 1)
    state = mats_back(state, log)
    return _over(state, log) or replace(state, phase=Phase.DISCARD)


def _next_turn(state: GameState, log: Log) -> GameState:
    player = state.player
    return _turn(replace(state, finished=player), state.neighbour(player), log)


def _turn(state: GameState, player: int, log: Log) -> GameState:
    """Return the state at the beginning of a turn: quick plays, then the draw."""
    log.append(Event(Happening.TURN, player, str(state.turns + 1)))
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
            log.append(Event(Happening.WON, player))
            return replace(state, phase=Phase.OVER, winner=player)
    if state.actions >= table.max_actions:
        log.append(Event(Happening.DRAWN_GAME, None, str(state.actions)))
        return replace(state, phase=Phase.OVER)
    return None
