"""Themes of puzzles: what happens in every shortest solution, measured on the moves.

`themes_of` names them; `measure_theme` says how far a draft is from one.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from pucklab.sim.bumpers.board import Position, beside, board_of
from pucklab.sim.bumpers.mats import Kind
from pucklab.sim.bumpers.moves import Change, Line, MatTurn, Move, PieceMove
from pucklab.sim.bumpers.rules import legal_moves, play
from pucklab.sim.bumpers.solver.cards import Hand, MatCard

THEMES: Mapping[str, str] = {
    "chain": "a chain of two",
    "long-chain": "a chain of three",
    "bump": "a bump into the goal",
    "ice": "ice that sets a puck going",
    "blocker": "an own puck as a blocker",
    "mat": "a mat that turns",
}
"""Themes by name, each in words."""

FREE = "free"
"""Stands for no theme."""

NO_CARD, TWIST = Hand(), Hand((MatCard.TWIST,))
"""The hands that puzzles may have."""


def legal_actions(position: Position, hand: Hand) -> tuple[Move, ...]:
    """Return the legal moves of the pieces, and of mats with the card in hand."""
    moves = legal_moves(position, mats=bool(hand.mats))
    return tuple(move for move in moves if isinstance(move, PieceMove | MatTurn))


def hand_after(hand: Hand, move: Move) -> Hand:
    """Return the hand after a move, for which a card may have been played."""
    return hand if isinstance(move, PieceMove) else NO_CARD


def is_hit(move: Move, change: Change) -> bool:
    """Return whether a move sets another piece in motion."""
    own = move.space if isinstance(move, PieceMove) else None
    return any(movement.start != own for movement in change.movements)


def themes_of(position: Position, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the themes that all shortest solutions have.

    Example:
        >>> from pucklab.sim.bumpers import parse_move, parse_position
        >>> start = parse_position("pb1:small:RMf5.RPf6:-:R:-")
        >>> themes_of(start, [(parse_move(start, "f5N"),)])
        ('bump',)
    """
    measured = [_measure(position, line) for line in lines]
    return tuple(theme for theme in THEMES if all(theme in own for own, _ in measured))


def measure_theme(
    position: Position, lines: Sequence[Line], wanted: Sequence[str]
) -> tuple[float, int]:
    """Return the share of the solutions that lack a theme, and the fewest actions that hit."""
    measured = [_measure(position, line) for line in lines]
    missing = sum(not own.issuperset(wanted) for own, _ in measured)
    return missing / len(lines), min(hits for _, hits in measured)


def _measure(position: Position, line: Line) -> tuple[set[str], int]:
    """Return the themes of one solution, and its actions that set another piece in motion."""
    found: set[str] = set()
    placed: set[int] = set()  # spaces of the side's own pucks that have moved
    after, hits = position, 0
    for move in line:
        before, (after, change) = after, _play(after, move)
        movements = change.movements
        hits += is_hit(move, change)
        if not isinstance(move, PieceMove):
            found.add("mat")
            continue
        mover = before.piece_on(move.space)
        is_bump = mover is not None and mover.kind is Kind.MEEPLE
        # The pieces that slide, one after another; a meeple only steps.
        sliding = [own for own in movements if not (is_bump and own.start == move.space)]
        if len(sliding) > 1:
            found.add("chain")
        if len(sliding) > 2:
            found.add("long-chain")
        if is_bump and any(own.scored for own in sliding):
            found.add("bump")
        kinds = [own.piece.kind for own in sliding]
        if (Kind.ICE, Kind.PUCK) in pairwise(kinds):
            found.add("ice")
        if sliding and not sliding[-1].scored and sliding[-1].piece.kind is Kind.PUCK:
            board = board_of(before.layout)
            ahead = board.spaces.get(beside(board.squares[sliding[-1].end], move.direction))
            if ahead in placed and ahead not in {own.start for own in movements}:
                found.add("blocker")
        placed -= {own.start for own in movements}
        placed |= {
            own.end
            for own in movements
            if not own.scored and own.piece.kind is Kind.PUCK and own.piece.colour is before.to_move
        }
    return found, hits


@lru_cache(maxsize=4096)
def _play(position: Position, move: Move) -> tuple[Position, Change]:
    """Play a move; solutions have many positions in common."""
    return play(position, move)
