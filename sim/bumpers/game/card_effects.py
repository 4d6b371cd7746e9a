"""Effects of the cards, by the names that deck files use ("hooks").

- Quick plays: ``double-actions``, ``extra-actions`` (number: actions), ``reverse``, ``stop``,
  ``draw-cards`` (cards), ``shuffle-discards``, ``take-top-discard``. They take effect in
  `pucklab.sim.bumpers.game.turn`, the last played first.
- Draw cards: ``draw-rule`` (cards). Action cards: ``action-rule`` (actions).
- Game changers that move mats, in a series that must end legally (PB-22, PB-23): ``shift-mats``,
  ``swap-mats``, ``turn-mats``, ``mix-mats`` (moves).
- Other game changers: ``borrow-pieces``, ``return-puck``, ``take-any-discard``, ``nudge``, and the
  ongoing ``slippery-ice`` and ``frozen-mats``.

`HOOKS` holds them all. A new card effect is a function and a row of a table here.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from pucklab.sim.bumpers.board import board_of, open_spaces, start_spaces, with_pieces
from pucklab.sim.bumpers.cards import ACTION_RULE, DOUBLE, EXTRA, CardKind
from pucklab.sim.bumpers.game.piles import (
    actions_in_words,
    begin_card,
    count_action,
    discard,
    finish_card,
    log_scores,
    snapshot_of,
    undo_action,
    with_card,
    with_ongoing_rules,
    with_owed_cards,
    without,
)
from pucklab.sim.bumpers.game.state import (
    Choice,
    Choices,
    Event,
    EventKind,
    GameState,
    Log,
    MakeMove,
    NameColour,
    Pass,
    Phase,
    PickCard,
    PlacePiece,
)
from pucklab.sim.bumpers.mats import Colour, Direction, Kind, Layout, Piece, Rules
from pucklab.sim.bumpers.moves import (
    MatMove,
    MatShift,
    MatSwap,
    MatTurn,
    PieceMove,
    bare_move_text,
    legal_mat_moves,
    nudge_movements,
)
from pucklab.sim.bumpers.rules import nudge, play

WhyNot = Callable[[GameState, int], str]
Effect = Callable[[GameState, int, int, Log], GameState]
Options = Callable[[GameState], Choices]
Take = Callable[[GameState, Choice, Log], GameState]
RETURN_PUCK = "return-puck"
_QUICK, _CHANGER = CardKind.QUICK_PLAY, CardKind.GAME_CHANGER
_MatMoveKind = type[MatShift] | type[MatSwap] | type[MatTurn]
_STOP, _REVERSE = "stop", "reverse"
_TAKE_TOP = "take-top-discard"
_TAKE_ANY = "take-any-discard"


class Hook(NamedTuple):
    """The effect of a card.

    Attributes:
        kind: The kind of card that may have it.
        effect: Takes the state, the player and the card, which is in no pile at that time, and
            returns the state after the card; for a card that needs choices, the pending state.
        why_unplayable: Returns why a player cannot play the card now; empty if they can. Turn and
            kind are checked in `pucklab.sim.bumpers.game.choices`.
        options: Returns the legal choices of a pending card.
        take: Returns the state after one of those choices.
        numbers: Names of the numbers that such a card has.
        may_interrupt: Whether cards that cost no action may be played between those choices.
    """

    kind: CardKind
    effect: Effect
    why_unplayable: WhyNot = lambda *_: ""
    options: Options | None = None
    take: Take | None = None
    numbers: tuple[str, ...] = ()
    may_interrupt: bool = False


# Quick plays.


def _not_own_turn(state: GameState, player: int) -> str:
    """Return why actions cannot be added in another player's turn."""
    return "" if player == state.player else "it adds actions to your own turn only"


def _why_not_double(state: GameState, player: int) -> str:
    """Return why the actions of the turn cannot be doubled."""
    waiting = any(state.card(quick.card).hook == DOUBLE for quick in state.quick)
    if state.turn.doubled or waiting:
        return "the actions of this turn are already doubled (PB-27)"
    return _not_own_turn(state, player)


def _why_not_stop(state: GameState, player: int) -> str:
    """Return why neither the last waiting stop nor the last action can be stopped."""
    done_by = [] if state.last is None else [state.last.player]
    done_by += [quick.player for quick in state.quick if state.card(quick.card).hook == _STOP]
    if not done_by:
        return "there is no last action, and no other stop (PB-26)"
    return "it stops what another player has done (PB-26)" if done_by[-1] == player else ""


def _no_discards(state: GameState, _: int) -> str:
    """Return why nothing can be done with the discard pile."""
    return "" if state.discards else "the discard pile is empty"


def _add_actions(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Add actions to the turn, or double them, even if the rule changes later (PB-27)."""
    turn, played = state.turn, state.card(card)
    if played.hook == DOUBLE:
        turn = replace(turn, doubled=True)
    else:
        turn = replace(turn, extra=turn.extra + played.number("actions"))
    state = replace(state, turn=turn)
    log.append(Event(EventKind.RULE, player, f"{actions_in_words(state)} this turn"))
    return state


def _reverse(state: GameState, player: int, _: int, log: Log) -> GameState:
    """Reverse the direction of play and end the turn; before the draw it passes on (PB-18)."""
    state = replace(state, direction=-state.direction)
    log.append(Event(EventKind.REVERSED, player))
    return replace(state, turn=replace(state.turn, over=True))


def _stop(state: GameState, _player: int, _card: int, log: Log) -> GameState:
    """Stop the last waiting stop, else the last action (PB-26)."""
    for place in reversed(range(len(state.quick))):
        waiting = state.quick[place]
        if state.card(waiting.card).hook == _STOP:
            log.append(Event(EventKind.STOPPED, waiting.player, state.card(waiting.card).name))
            quick = state.quick[:place] + state.quick[place + 1 :]
            return discard(replace(state, quick=quick), waiting.card)
    return undo_action(state, log)


def is_now_or_never(state: GameState, player: int, card: int) -> bool:
    """Return whether a quick play that can be played now cannot wait for the player's own turn."""
    hook = state.card(card).hook
    if state.phase is Phase.DRAW:  # stops of the last action were asked for after it
        return bool(state.quick) if hook == _STOP else hook == _REVERSE and state.player != player
    return hook == _STOP


def _take_top(state: GameState, player: int, _: int, log: Log) -> GameState:
    """Take the top card of the discard pile."""
    if not state.discards:
        return state
    top = state.discards[-1]
    log.append(Event(EventKind.TOOK, player, state.card(top).name))
    return with_card(replace(state, discards=state.discards[:-1]), player, top)


_QUICK_HOOKS = {
    DOUBLE: Hook(_QUICK, _add_actions, _why_not_double),
    EXTRA: Hook(_QUICK, _add_actions, _not_own_turn, numbers=("actions",)),
    _REVERSE: Hook(_QUICK, _reverse),
    _STOP: Hook(_QUICK, _stop, _why_not_stop),
    "draw-cards": Hook(
        _QUICK,
        lambda state, player, card, _: with_owed_cards(
            state, player, state.card(card).number("cards")
        ),
        numbers=("cards",),
    ),
    "shuffle-discards": Hook(
        _QUICK, lambda state, *_: replace(state, shuffle_due=True), _no_discards
    ),
    _TAKE_TOP: Hook(_QUICK, _take_top, _no_discards),
}


# Cards that stay in play.


_IN_PLAY = {
    CardKind.DRAW: "draw_rule",
    CardKind.ACTION: "action_rule",
    CardKind.GAME_CHANGER: "ongoing",
}


def _put_into_play(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Put a card into play and discard the previous one of its kind (PB-15, PB-31)."""
    before, played = snapshot_of(state), state.card(card)
    field = _IN_PLAY[played.kind]
    old = getattr(state, field)
    changes: dict[str, Any] = {field: card}
    state = replace(state, **changes)
    words = {
        CardKind.DRAW: f"draw {state.to_draw}",
        CardKind.ACTION: actions_in_words(state),
        CardKind.GAME_CHANGER: played.name,
    }
    log.append(Event(EventKind.RULE, player, words[played.kind]))
    if old is not None:
        state = discard(state, old)
    if played.kind is CardKind.ACTION:  # it is no action, and holds at once
        return state
    return count_action(with_ongoing_rules(state), before)


_RULE_HOOKS = {
    "draw-rule": Hook(CardKind.DRAW, _put_into_play, numbers=("cards",)),
    ACTION_RULE: Hook(CardKind.ACTION, _put_into_play, numbers=("actions",)),
    "slippery-ice": Hook(_CHANGER, _put_into_play),
    "frozen-mats": Hook(_CHANGER, _put_into_play),
}


# Cards that move mats.

_MAT_CARDS: dict[str, tuple[_MatMoveKind, ...]] = {
    "shift-mats": (MatShift,),
    "swap-mats": (MatSwap,),
    "turn-mats": (MatTurn,),
    "mix-mats": (MatShift, MatSwap, MatTurn),
}


@lru_cache(maxsize=64)
def _legal_mat_moves(layout: Layout, rules: Rules, *, temporary: bool) -> tuple[MatMove, ...]:
    """Return the legal mat moves; cached, because several functions ask in a row."""
    return legal_mat_moves(layout, rules, temporary=temporary)


def may_continue_series(state: GameState) -> bool:
    """Return whether another mat move may follow the next one of the pending card (PB-23).

    It may if the card allows more moves, or if the player's hand has another card that moves mats
    and an action for it. As cards may be played in between (FAQ), those that add actions count, and
    those that fetch a discard: the pending card is the first one there.
    """
    pending = state.begun
    if pending.moves + 1 < dict(state.card(pending.card).numbers).get("moves", 0):
        return True
    hand = state.hands[state.player]
    hooks = {state.card(card).hook for card in hand}
    left = state.actions_with(hand) - (state.turn.taken + 1)
    if hooks.isdisjoint((*_MAT_CARDS, _TAKE_TOP)):
        left -= 1  # taking any discard is an action itself
        return _TAKE_ANY in hooks and left > 0
    return left > 0


def _why_no_mat_move(kinds: tuple[_MatMoveKind, ...]) -> Callable[[GameState, int], str]:
    """Return a function that says why no mat move of some kinds is possible."""

    def why_unplayable(state: GameState, _: int) -> str:
        if state.ongoing is not None and state.card(state.ongoing).hook == "frozen-mats":
            return f"{state.card(state.ongoing).name} is in play: no mat moves"
        if MatTurn in kinds:
            return ""
        position = state.position
        # Within a series, moves that leave the layout illegal for now are possible as well.
        temporary = state.series is not None
        moves = _legal_mat_moves(position.layout, position.rules, temporary=temporary)
        return "" if any(isinstance(move, kinds) for move in moves) else "no mat can move that way"

    return why_unplayable


def _mat_move_choices(state: GameState) -> Choices:
    """Return the mat moves of the pending card; passing ends it after the first."""
    pending, position = state.begun, state.position
    kinds = _MAT_CARDS[state.card(pending.card).hook]
    moves = _legal_mat_moves(position.layout, position.rules, temporary=may_continue_series(state))
    found: list[Choice] = [MakeMove(move) for move in moves if isinstance(move, kinds)]
    if pending.moves or not found:
        found.append(Pass())
    return tuple(found)


def _take_mat_move(state: GameState, choice: Choice, log: Log) -> GameState:
    """Move a mat, or end the card."""
    pending, position = state.begun, state.position
    if isinstance(choice, Pass):
        return finish_card(state)
    assert isinstance(choice, MakeMove)
    log.append(Event(EventKind.MOVED, state.player, bare_move_text(position.layout, choice.move)))
    after, _ = play(position, choice.move, temporary=may_continue_series(state))
    moves = pending.moves + 1
    series = state.series or pending.snapshot.position
    state = replace(state, position=after, series=series, pending=replace(pending, moves=moves))
    return finish_card(state) if moves == state.card(pending.card).number("moves") else state


_MAT_HOOKS = {
    name: Hook(
        _CHANGER,
        begin_card,
        _why_no_mat_move(kinds),
        _mat_move_choices,
        _take_mat_move,
        numbers=("moves",),
        may_interrupt=True,
    )
    for name, kinds in _MAT_CARDS.items()
}


# Other game changers: for pieces, and for the discard pile.


def _players_to_name(state: GameState) -> Choices:
    """Return the other players, each by their first colour."""
    firsts = (state.config.colours_of(player)[0] for player in range(state.config.players))
    return tuple(NameColour(colour) for colour in firsts if colour not in state.movable)


def _take_name(state: GameState, choice: Choice, log: Log) -> GameState:
    """Let the player move the pieces of the named player too."""
    assert isinstance(choice, NameColour)
    colours = state.config.colours_of(state.config.owner(choice.colour))
    log.append(Event(EventKind.NAMED, state.player, choice.colour.word))
    turn = replace(state.turn, borrowed=(*state.turn.borrowed, *colours))
    return finish_card(replace(state, turn=turn))


def _puck_returns(state: GameState) -> Choices:
    """Return the colours with a scored puck, or the spaces for the puck of a named one (PB-30)."""
    colour, position = state.begun.colour, state.position
    if colour is None:
        return tuple(NameColour(c) for c in Colour if position.scored[c])
    taken = {space for space, _ in position.pieces}
    for spaces in (start_spaces(position.layout, Kind.PUCK), open_spaces(position.layout)):
        free = [space for space in spaces if space not in taken]
        if free:
            break
    return tuple(PlacePiece(Piece(colour, Kind.PUCK), space) for space in free)


def _take_puck_return(state: GameState, choice: Choice, log: Log) -> GameState:
    """Name the colour of the puck to return, or put that puck on the board."""
    if isinstance(choice, NameColour):
        return replace(state, pending=replace(state.begun, colour=choice.colour))
    assert isinstance(choice, PlacePiece)
    position, colour = state.position, choice.piece.colour
    scored = list(position.scored)
    scored[colour] -= 1
    pieces = {**dict(position.pieces), choice.space: choice.piece}
    name = board_of(position.layout).name_of(choice.space)
    log.append(Event(EventKind.RETURNED, state.config.owner(colour), f"{choice.piece} on {name}"))
    return finish_card(replace(state, position=with_pieces(position, pieces, scored)))


def _discard_choices(state: GameState) -> Choices:
    """Return the discards to choose from; passing takes the card back once a target was lost."""
    cards: list[Choice] = [PickCard(card) for card in sorted(set(state.discards))]
    if state.begun.lost or not cards:
        cards.append(Pass())
    return tuple(cards)


def _take_target(state: GameState, choice: Choice, log: Log) -> GameState:
    """Name a discarded card and ask for quick plays, or take the played card back (PB-31)."""
    pending = state.begun
    if isinstance(choice, Pass):
        return keep_card(state, log)
    assert isinstance(choice, PickCard)
    log.append(Event(EventKind.NAMED, state.player, state.card(choice.card).name))
    pending = replace(pending, target=choice.card, lost=False)
    return replace(state, pending=pending, asked=0)


def keep_card(state: GameState, log: Log) -> GameState:
    """Return the state with the pending card back in the hand, and no action spent."""
    card = state.begun.card
    log.append(Event(EventKind.KEPT, state.player, state.card(card).name))
    return with_card(replace(state, pending=None), state.player, card)


def take_target(state: GameState, log: Log) -> GameState:
    """Return the state after the quick plays that followed the naming of a discard (PB-31)."""
    pending = state.begun
    assert pending.target is not None
    if state.is_turn_over:
        return keep_card(state, log)
    if pending.target not in state.discards:
        return replace(state, pending=replace(pending, target=None, lost=True))
    target = pending.target
    log.append(Event(EventKind.TOOK, state.player, state.card(target).name))
    discards = without(state.discards, target)
    state = with_card(replace(state, discards=discards), state.player, target)
    taken = replace(pending.snapshot, taken=target)
    return finish_card(replace(state, pending=replace(pending, snapshot=taken)))


def _nudge_choices(state: GameState) -> Choices:
    """Return the moves of pucks by one open space."""
    position = state.position
    return tuple(
        MakeMove(move)
        for space, piece in position.pieces
        if piece.kind is Kind.PUCK
        for move in (PieceMove(space, direction) for direction in Direction)
        if nudge_movements(position, move)
    )


def _take_nudge(state: GameState, choice: Choice, log: Log) -> GameState:
    assert isinstance(choice, MakeMove)
    assert isinstance(choice.move, PieceMove)
    log.append(
        Event(EventKind.MOVED, state.player, bare_move_text(state.position.layout, choice.move))
    )
    after, change = nudge(state.position, choice.move)
    log_scores(state, change, log)
    return finish_card(replace(state, position=after))


_CHANGER_HOOKS = {
    "borrow-pieces": Hook(
        _CHANGER,
        begin_card,
        lambda state, _: (
            "" if _players_to_name(state) else "you may already move everybody's pieces"
        ),
        _players_to_name,
        _take_name,
    ),
    RETURN_PUCK: Hook(
        _CHANGER,
        begin_card,
        lambda state, _: "" if any(state.position.scored) else "no puck is scored",
        _puck_returns,
        _take_puck_return,
    ),
    _TAKE_ANY: Hook(_CHANGER, begin_card, _no_discards, _discard_choices, _take_target),
    "nudge": Hook(
        _CHANGER,
        begin_card,
        lambda state, _: "" if _nudge_choices(state) else "no puck has an open space beside it",
        _nudge_choices,
        _take_nudge,
    ),
}


HOOKS = _QUICK_HOOKS | _RULE_HOOKS | _MAT_HOOKS | _CHANGER_HOOKS
