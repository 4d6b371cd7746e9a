"""What the other sides do: moves of the greedy player, without cards, one action each."""

from dataclasses import replace

import numpy as np

from render.boardwindow.desk import Desk, told
from render.boardwindow.history import Entry, with_future
from sim.bumpers import Colour, PieceMove, Position, move_text, play
from sim.bumpers.game import Deck, GameState, Go, GreedyPlayer, Phase, Table, choices


def replied(desk: Desk, rng: np.random.Generator) -> Desk:
    """Return the desk with a move of each other side still to come, in the order of colours.

    Args:
        desk: The board; whoever is to move there is not asked.
        rng: Where the greedy player's chance comes from.

    Example:
        >>> from render.boardwindow.desk import desk_of
        >>> from sim.bumpers import parse_position
        >>> desk = desk_of(parse_position("pb1:small:RPb7.BPf7:-:R:-"))
        >>> [entry.text for entry in replied(desk, np.random.default_rng(1)).history.entries]
        ['', 'f7N*']
    """
    position, entries = desk.position, []
    for colour in _others(position):
        move = greedy_move(position, colour, rng)
        if move is not None:
            after, change = play(position, move, colours=(colour,))
            text = move_text(position, move)
            entries.append(
                Entry(position=after, text=text, movements=change.movements, glides=True)
            )
            position = after
    if not entries:
        return told(desk, "no other side can move")
    return replace(desk, history=with_future(desk.history, entries), space=None, told="")


def greedy_move(position: Position, colour: Colour, rng: np.random.Generator) -> PieceMove | None:
    """Return what the greedy player does with a colour's pieces; None if none can move."""
    board = replace(position, pieces=(), to_move=None)
    table = Table(board=board, deck=Deck(), players=len(Colour))
    state = GameState(
        table=table,
        position=position,
        phase=Phase.ACTION,
        player=int(colour),
        hands=((),) * table.players,
        turns=1,
    )
    moves = tuple(choice for choice in choices(state) if isinstance(choice, Go))
    if not moves:
        return None
    choice = GreedyPlayer().choose(state, moves, rng)
    return choice.move if isinstance(choice, Go) and isinstance(choice.move, PieceMove) else None


def _others(position: Position) -> list[Colour]:
    """Return the other colours with a piece on the board, from the next one on."""
    there = {piece.colour for _, piece in position.pieces} - {position.to_move}
    first = -1 if position.to_move is None else position.to_move
    return sorted(there, key=lambda colour: (colour <= first, colour))
