"""What the other game changers do: to pieces, and to the discard pile."""

from dataclasses import replace

from sim.bumpers.board import board_of, open_spaces, start_spaces
from sim.bumpers.directions import Direction
from sim.bumpers.game.actions import begun, card_done
from sim.bumpers.game.cards import CardKind
from sim.bumpers.game.choice import Choice, Go, Name, Pass, Pick, Put
from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.hook import Hook
from sim.bumpers.game.piles import with_card, without
from sim.bumpers.game.state import GameState
from sim.bumpers.moves import PieceMove
from sim.bumpers.movetext import plain_text
from sim.bumpers.piecemoves import nudge_of
from sim.bumpers.pieces import Colour, Kind, Piece
from sim.bumpers.position import in_order
from sim.bumpers.rules import nudge

RETURN = "return-puck"


def _nobody_to_name(state: GameState, player: int) -> str:
    del player
    return "" if _others(state) else "you may move everybody's pieces already"


def _others(state: GameState) -> tuple[Choice, ...]:
    """Return the players who can be named, each by the first of their colours."""
    firsts = (state.table.colours_of(player)[0] for player in range(state.table.players))
    return tuple(Name(colour) for colour in firsts if colour not in state.movable)


def _borrow(state: GameState, choice: Choice, log: Log) -> GameState:
    assert isinstance(choice, Name)
    colours = state.table.colours_of(state.table.owner(choice.colour))
    log.append(Event(Happening.NAMED, state.player, choice.colour.word))
    turn = replace(state.turn, borrowed=(*state.turn.borrowed, *colours))
    return card_done(replace(state, turn=turn))


def _nothing_scored(state: GameState, player: int) -> str:
    del player
    return "" if any(state.position.scored) else "no puck is scored"


def _scorers(state: GameState) -> tuple[Choice, ...]:
    """Return colours with a scored puck; once one is named, where its puck may go (PB-30)."""
    assert state.pending is not None
    colour, position = state.pending.colour, state.position
    if colour is None:
        return tuple(Name(c) for c in Colour if position.scored[c])
    taken = {space for space, _ in position.pieces}
    for spaces in (start_spaces(position.layout, Kind.PUCK), open_spaces(position.layout)):
        free = [space for space in spaces if space not in taken]
        if free:
            break
    return tuple(Put(Piece(colour, Kind.PUCK), space) for space in free)


def _return(state: GameState, choice: Choice, log: Log) -> GameState:
    assert state.pending is not None
    if isinstance(choice, Name):
        return replace(state, pending=replace(state.pending, colour=choice.colour))
    assert isinstance(choice, Put)
    position, colour = state.position, choice.piece.colour
    scored = list(position.scored)
    scored[colour] -= 1
    pieces = in_order({**dict(position.pieces), choice.space: choice.piece})
    board = board_of(position.layout)
    name = board.name(board.squares[choice.space])
    log.append(Event(Happening.RETURNED, state.table.owner(colour), f"{choice.piece} on {name}"))
    position = replace(position, pieces=pieces, scored=tuple(scored))
    return card_done(replace(state, position=position))


def _no_discards(state: GameState, player: int) -> str:
    del player
    return "" if state.discards else "the discard pile is empty"


def _discards(state: GameState) -> tuple[Choice, ...]:
    assert state.pending is not None
    cards: list[Choice] = [Pick(card) for card in sorted(set(state.discards))]
    if state.pending.lost or not cards:
        cards.append(Pass())
    return tuple(cards)


def _target(state: GameState, choice: Choice, log: Log) -> GameState:
    """Name a card of the discard pile, and ask for quick plays; or keep the card (PB-31)."""
    pending = state.pending
    assert pending is not None
    if isinstance(choice, Pass):
        return kept(state, log)
    assert isinstance(choice, Pick)
    log.append(Event(Happening.NAMED, state.player, state.card(choice.card).name))
    pending = replace(pending, target=choice.card, lost=False)
    return replace(state, pending=pending, asked=0)


def kept(state: GameState, log: Log) -> GameState:
    """Return the state with the pending card in its player's hand again, and no action spent."""
    assert state.pending is not None
    card = state.pending.card
    log.append(Event(Happening.KEPT, state.player, state.card(card).name))
    return with_card(replace(state, pending=None), state.player, card)


def target_taken(state: GameState, log: Log) -> GameState:
    """Return the state after the quick plays that a named discard was open to (PB-31)."""
    pending = state.pending
    assert pending is not None
    assert pending.target is not None
    if state.is_turn_over:
        return kept(state, log)
    if pending.target not in state.discards:
        return replace(state, pending=replace(pending, target=None, lost=True))
    target = pending.target
    log.append(Event(Happening.TOOK, state.player, state.card(target).name))
    discards = without(state.discards, target)
    state = with_card(replace(state, discards=discards), state.player, target)
    taken = replace(pending.snapshot, taken=target)
    return card_done(replace(state, pending=replace(pending, snapshot=taken)))


def _no_puck_to_nudge(state: GameState, player: int) -> str:
    del player
    return "" if _nudges(state) else "no puck has an open space beside it"


def _nudges(state: GameState) -> tuple[Choice, ...]:
    position = state.position
    return tuple(
        Go(move)
        for space, piece in position.pieces
        if piece.kind is Kind.PUCK
        for move in (PieceMove(space, direction) for direction in Direction)
        if nudge_of(position, move)
    )


def _nudge(state: GameState, choice: Choice, log: Log) -> GameState:
    assert isinstance(choice, Go)
    assert isinstance(choice.move, PieceMove)
    log.append(Event(Happening.MOVED, state.player, plain_text(state.position.layout, choice.move)))
    after, change = nudge(state.position, choice.move)
    for movement in change.movements:
        if movement.scored:
            owner = state.table.owner(movement.piece.colour)
            log.append(Event(Happening.SCORED, owner, movement.piece.colour.word))
    return card_done(replace(state, position=after))


_KIND = CardKind.GAME_CHANGER
CHANGER_HOOKS = {
    "borrow-pieces": Hook(
        kind=_KIND, effect=begun, why_not=_nobody_to_name, options=_others, take=_borrow
    ),
    RETURN: Hook(kind=_KIND, effect=begun, why_not=_nothing_scored, options=_scorers, take=_return),
    "take-any-discard": Hook(
        kind=_KIND, effect=begun, why_not=_no_discards, options=_discards, take=_target
    ),
    "nudge": Hook(
        kind=_KIND, effect=begun, why_not=_no_puck_to_nudge, options=_nudges, take=_nudge
    ),
}
