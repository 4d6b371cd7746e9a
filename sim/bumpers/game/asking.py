"""Who chooses next, and what there is to choose."""

from functools import lru_cache

from sim.bumpers.board import start_spaces
from sim.bumpers.game.actions import is_mended
from sim.bumpers.game.cards import CardKind
from sim.bumpers.game.choice import Choice, Go, Pass, Pick, Play, Put
from sim.bumpers.game.hooks import HOOKS
from sim.bumpers.game.state import GameState, Phase
from sim.bumpers.pieces import Kind, Piece
from sim.bumpers.rules import legal_moves


def chooser(state: GameState) -> int | None:
    """Return who chooses next; None where a shuffle is due, and when the game is over."""
    if state.shuffle_due or state.phase is Phase.OVER:
        return None
    if state.asked is not None:
        return state.neighbour(state.player, state.asked + 1)
    if state.pending is not None and state.pending.colour is not None:
        return state.table.owner(state.pending.colour)
    return state.player


@lru_cache(maxsize=8)
def choices(state: GameState) -> tuple[Choice, ...]:
    """Return what whoever chooses next may choose; nothing where a shuffle is due, or at the end.

    Example:
        >>> import numpy as np
        >>> from sim.bumpers.game import make_table, new_game, shuffle, step
        >>> state = new_game(make_table(2))
        >>> state, _ = step(state, shuffle(state, np.random.default_rng(1)))
        >>> len(choices(state)), choices(state)[0].piece.code
        (44, 'RP')
    """
    if state.shuffle_due or state.phase is Phase.OVER:
        return ()
    if state.phase is Phase.PLACING:
        return _placings(state)
    if state.asked is not None:
        who = state.neighbour(state.player, state.asked + 1)
        return (*quick_plays(state, who), Pass())
    if state.phase is Phase.DISCARD:
        return tuple(Pick(card) for card in sorted(set(state.hands[state.player])))
    if state.pending is not None:
        hook = HOOKS[state.card(state.pending.card).hook]
        assert hook.options is not None
        return (*hook.options(state), *(_free_plays(state) if hook.may_interrupt else ()))
    return _actions(state)


def quick_plays(state: GameState, player: int) -> tuple[Play, ...]:
    """Return the quick plays that a player may play now (PB-25)."""
    return _plays(state, player, CardKind.QUICK_PLAY)


def unplaced(state: GameState, player: int) -> tuple[Piece, ...]:
    """Return the pieces that a player has still to place, each kind once."""
    on_board = [piece for _, piece in state.position.pieces]
    mine = (Piece(colour, kind) for colour in state.table.colours_of(player) for kind in Kind)
    each = state.table.pieces_each
    return tuple(piece for piece in mine if on_board.count(piece) < each[piece.kind])


def why_not_play(state: GameState, player: int, card: int) -> str:
    """Return why a player may not play a card now; empty if they may."""
    kind, name = state.card(card).kind, state.card(card).name
    if card not in state.hands[player]:
        return f"{state.table.name(player)} does not hold {name}"
    if state.phase not in {Phase.DRAW, Phase.ACTION}:
        return "no card is played now"
    if state.actions >= state.table.max_actions:
        return f"all {state.table.max_actions} actions of the game are taken (PB-33)"
    if kind is not CardKind.QUICK_PLAY:
        if player != state.player or state.phase is not Phase.ACTION:
            return f"{name} is played in your own turn, after the draw"
        if state.asked is not None:
            return f"only quick plays are asked for now; {name} is none"
        if kind.is_action and state.turn.taken >= state.allowed:
            return f"it is an action, and all {state.allowed} of this turn are taken"
    return HOOKS[state.card(card).hook].why_not(state, player)


def _placings(state: GameState) -> tuple[Choice, ...]:
    """Return every own kind left on every free start space of that kind (PB-20)."""
    taken = {space for space, _ in state.position.pieces}
    return tuple(
        Put(piece, space)
        for piece in unplaced(state, state.player)
        for space in start_spaces(state.position.layout, piece.kind)
        if space not in taken
    )


def _plays(state: GameState, player: int, *kinds: CardKind) -> tuple[Play, ...]:
    return tuple(
        Play(card)
        for card in sorted(set(state.hands[player]))
        if state.card(card).kind in kinds and not why_not_play(state, player, card)
    )


def _actions(state: GameState) -> tuple[Choice, ...]:
    """Return the choices of the action phase: actions are compulsory while one is legal (PB-21)."""
    actions: list[Choice] = []
    if state.turn.taken < state.allowed:
        if is_mended(state):
            moves = legal_moves(state.position, colours=state.movable, before=state.turn.before)
            actions += [Go(move) for move in moves]
        actions += _plays(state, state.player, CardKind.DRAW, CardKind.GAME_CHANGER)
    end = () if actions and not state.table.may_pass else (Pass(),)
    return (*actions, *_free_plays(state), *end)


def _free_plays(state: GameState) -> tuple[Play, ...]:
    """Return the cards that the player may play without an action."""
    return _plays(state, state.player, CardKind.ACTION, CardKind.QUICK_PLAY)
