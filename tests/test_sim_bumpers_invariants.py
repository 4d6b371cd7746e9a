"""Invariants of every position and every move, and that both engines agree move by move."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pucklab.sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Piece,
    PieceMove,
    Place,
    Rules,
    board_of,
    house_faces,
    layout_problems,
    legal_moves,
    make_layout,
    make_position,
    move_text,
    parse_move,
    parse_position,
    play,
    position_problems,
    position_text,
)
from pucklab.sim.bumpers.kernel.layouts import MatMoves, new_graph
from pucklab.sim.bumpers.kernel.move_generation import count_piece_moves, key_change, move_piece
from pucklab.sim.bumpers.kernel.position import encode, key_of
from pucklab.sim.bumpers.mats import neighbour_slots
from pucklab.sim.bumpers.perft import count_lines

LABELS = sorted(house_faces())
STILL = MatMoves(turns=False, swaps=False, shifts=False, one_piece=False)


@st.composite
def layouts(draw):
    """LayoutArrays of one piece, of 2 to 7 house mats."""
    chosen = draw(
        st.lists(st.sampled_from(LABELS), min_size=2, max_size=7, unique_by=lambda s: s[:2])
    )
    slots = [(0, 0)]
    while len(slots) < len(chosen):
        free = sorted({s for slot in slots for s in neighbour_slots(slot)} - set(slots))
        slots.append(draw(st.sampled_from(free)))
    turns = [draw(st.integers(0, 3)) for _ in chosen]
    return make_layout(
        (house_faces()[label], Place(slot, turn))
        for label, slot, turn in zip(chosen, slots, turns, strict=True)
    )


@st.composite
def positions(draw):
    """Legal positions of two colours, close enough together to meet."""
    layout = draw(layouts())
    board = board_of(layout)
    rules = Rules(
        pass_through=draw(st.booleans()),
        one_piece=draw(st.booleans()),
        slippery_ice=draw(st.booleans()),
    )
    standing = {}
    free = [space for space, square in enumerate(board.squares) if square not in board.pools]
    for colour in (Colour.RED, Colour.BLUE):
        for kind, count in rules.pieces_each.items():
            for _ in range(draw(st.integers(0, count))):
                space = draw(st.sampled_from(free))
                in_goal = board.squares[space] in board.goals
                if space not in standing and not (in_goal and kind is Kind.PUCK):
                    standing[space] = Piece(colour, kind)
    return make_position(layout, standing, to_move=Colour.RED, rules=rules)


@st.composite
def positions_and_moves(draw):
    """Positions with one of their legal moves."""
    position = draw(positions())
    return position, draw(st.sampled_from(legal_moves(position, mats=True)))


@settings(max_examples=40)
@given(positions_and_moves())
def test_every_move_keeps_what_must_be_kept(drawn):
    position, move = drawn
    assert parse_position(position_text(position)) == position
    for each in (*legal_moves(position), move):
        check_move(position, each)


def check_move(position, move):
    after, change = play(position, move)
    scored = Counter(m.piece for m in change.movements if m.scored)
    before = Counter(piece for _, piece in position.pieces)
    assert Counter(piece for _, piece in after.pieces) == before - scored
    assert all(piece.kind is Kind.PUCK for piece in scored)
    for colour in Colour:
        gained = after.scored[colour] - position.scored[colour]
        assert gained == scored[Piece(colour, Kind.PUCK)]
    # No piece stands in a pool, on another, or as a puck in a goal; the mats lie as they may.
    assert position_problems(after) == ()
    assert layout_problems(after.layout, position.rules) == ()
    # At most one puck scores, and it is the last of its chain.
    chain = [m for m in change.movements if m.piece.kind is not Kind.MEEPLE]
    assert not any(movement.scored for movement in chain[:-1])
    assert parse_move(position, move_text(position, move)) == move
    if isinstance(move, PieceMove):
        check_ahead(position, move.direction, change.movements)
    else:
        assert after.pieces == position.pieces


def check_ahead(position, direction, movements):
    """Check that a chain never moves a piece backwards or sideways."""
    board = board_of(position.layout)
    down, right = direction.step
    for movement in movements:
        start, end = board.squares[movement.start], board.squares[movement.end]
        assert (end[0] - start[0]) * down + (end[1] - start[1]) * right >= 1
        assert (end[0] - start[0]) * right + (end[1] - start[1]) * down == 0


def kernel_moves(encoded, neighbours):
    """Yield each way of each piece of the kernel: its space, and the change."""
    who, to = np.zeros(64, np.uint8), np.zeros(64, np.uint16)
    pieces = encoded.pieces
    for piece in encoded.game.movable.tolist():
        start = int(pieces.where[piece])
        for way in Direction:
            yield start, way, move_piece(encoded, neighbours[0, way], piece, who, to)


@given(positions())
def test_both_engines_know_the_same_moves_with_the_same_outcome_and_key(position):
    encoded = encode(position)
    neighbours = new_graph(position.layout, STILL).layouts.neighbours
    where, beyond = encoded.pieces.where, len(encoded.pieces.occupied) - 1
    legal, keys = set(legal_moves(position)), {}
    for start, way, change in kernel_moves(encoded, neighbours):
        move = PieceMove(start, way)
        assert (change.number > 0) == (move in legal)
        if change.number:
            after, played = play(position, move)
            who, to = change.who[: change.number], change.to[: change.number].tolist()
            spaces = (None if space == beyond else space for space in to)
            ends = dict(zip(where[who].tolist(), spaces, strict=True))
            assert ends == {m.start: None if m.scored else m.end for m in played.movements}
            key = key_of(encoded) ^ key_change(encoded.zobrist, where, change)
            keys.setdefault(key.tobytes(), after)
            assert keys[key.tobytes()] == after
            assert (key == key_of(encode(after))).all()
    assert len(keys) == len({*keys.values()})
    # They are counted without being made, too.
    assert count_piece_moves(encoded, neighbours[0]) == len(legal)


@settings(max_examples=30)
@given(positions())
def test_both_engines_count_the_same_first_moves(position):
    *_, lines = count_lines(position, 1, mats=True)
    assert [move for move, _ in lines.by_move] == list(legal_moves(position, mats=True))
