"""What holds for every position and every move, and that both engines agree move by move."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Layout,
    Move,
    Piece,
    PieceMove,
    Place,
    Position,
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
    undo,
)
from sim.bumpers.kernel.heuristic import descending_directions, lower_bound_of, tight_distances
from sim.bumpers.kernel.layouts import MatMoves, new_graph
from sim.bumpers.kernel.move_generation import count_piece_moves, move_piece
from sim.bumpers.kernel.position import encode
from sim.bumpers.mats import neighbour_slots
from sim.bumpers.perft import count_lines
from sim.bumpers.solver import Goal
from sim.bumpers.solver.goals import encode_goal
from tests.breadthfirst import positions_by_depth

LABELS = sorted(house_faces())
STILL = MatMoves(turns=False, swaps=False, shifts=False, one_piece=False)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
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
def positions(draw: st.DrawFn) -> Position:
    """Legal positions of two colours, close enough together to meet."""
    layout = draw(layouts())
    board = board_of(layout)
    rules = Rules(
        pass_through=draw(st.booleans()),
        one_piece=draw(st.booleans()),
        slippery_ice=draw(st.booleans()),
    )
    standing: dict[int, Piece] = {}
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
def positions_and_moves(draw: st.DrawFn) -> tuple[Position, Move]:
    """Positions with one of their legal moves."""
    position = draw(positions())
    return position, draw(st.sampled_from(legal_moves(position, mats=True)))


def squares(position: Position) -> dict[Piece, list[tuple[int, int]]]:
    board = board_of(position.layout)
    found: dict[Piece, list[tuple[int, int]]] = {}
    for space, piece in position.pieces:
        found.setdefault(piece, []).append(board.squares[space])
    return found


@given(positions_and_moves())
def test_pieces_are_conserved_except_scored_pucks(drawn: tuple[Position, Move]) -> None:
    position, move = drawn
    after, change = play(position, move)
    scored = Counter(m.piece for m in change.movements if m.scored)
    before = Counter(piece for _, piece in position.pieces)
    assert Counter(piece for _, piece in after.pieces) == before - scored
    assert all(piece.kind is Kind.PUCK for piece in scored)
    for colour in Colour:
        gained = after.scored[colour] - position.scored[colour]
        assert gained == scored[Piece(colour, Kind.PUCK)]


@given(positions_and_moves())
def test_no_piece_ever_stands_in_a_pool_on_another_or_as_a_puck_in_a_goal(
    drawn: tuple[Position, Move],
) -> None:
    after, _ = play(*drawn)
    assert position_problems(after) == ()


@given(positions_and_moves())
def test_legal_moves_keep_the_layout_legal(drawn: tuple[Position, Move]) -> None:
    position, move = drawn
    after, _ = play(position, move)
    assert layout_problems(after.layout, position.rules) == ()


@given(positions_and_moves())
def test_a_chain_never_moves_a_piece_backwards(drawn: tuple[Position, Move]) -> None:
    position, move = drawn
    if not isinstance(move, PieceMove):
        return
    board = board_of(position.layout)
    _, change = play(position, move)
    down, right = move.direction.step
    for movement in change.movements:
        start, end = board.squares[movement.start], board.squares[movement.end]
        ahead = (end[0] - start[0]) * down + (end[1] - start[1]) * right
        sideways = (end[0] - start[0]) * right + (end[1] - start[1]) * down
        assert ahead >= 1
        assert sideways == 0


@given(positions_and_moves())
def test_at_most_one_puck_scores_in_a_move_and_it_is_the_last_of_its_chain(
    drawn: tuple[Position, Move],
) -> None:
    _, change = play(*drawn)
    chain = [m for m in change.movements if m.piece.kind is not Kind.MEEPLE]
    assert not any(movement.scored for movement in chain[:-1])


@given(positions_and_moves())
def test_a_move_then_undo_is_the_position(drawn: tuple[Position, Move]) -> None:
    position, move = drawn
    assert undo(*play(position, move)) == position


@given(positions())
def test_a_positions_line_round_trips(position: Position) -> None:
    assert parse_position(position_text(position)) == position


@given(positions_and_moves())
def test_a_moves_text_round_trips(drawn: tuple[Position, Move]) -> None:
    position, move = drawn
    assert parse_move(position, move_text(position, move)) == move


@given(positions_and_moves())
def test_pieces_that_no_mat_move_touches_keep_their_numbers(drawn: tuple[Position, Move]) -> None:
    position, move = drawn
    after, _ = play(position, move)
    if not isinstance(move, PieceMove):
        assert after.pieces == position.pieces


@given(positions())
def test_both_engines_know_the_same_moves_with_the_same_outcome(position: Position) -> None:
    encoded = encode(position)
    neighbours = new_graph(position.layout, STILL).layouts.neighbours
    who, to = np.zeros(64, np.uint8), np.zeros(64, np.uint16)
    pieces = encoded.pieces
    beyond = len(pieces.occupied) - 1
    legal = set(legal_moves(position))
    for piece in encoded.game.movable.tolist():
        start = int(pieces.where[piece])
        for direction in Direction:
            ahead = neighbours[0, direction]
            count = move_piece(ahead, pieces.occupied, encoded.game, piece, start, who, to)
            move = PieceMove(start, direction)
            assert (count > 0) == (move in legal)
            if count == 0:
                continue
            _, change = play(position, move)
            ends = {
                int(pieces.where[who[i]]): None if to[i] == beyond else int(to[i])
                for i in range(count)
            }
            assert ends == {m.start: None if m.scored else m.end for m in change.movements}


@pytest.mark.parametrize("goal", [Goal(), Goal(space=0)], ids=["a puck in", "to a space"])
@given(position=positions())
def test_pieces_come_nearer_only_on_ways_on_which_distances_fall(
    goal: Goal, position: Position
) -> None:
    encoded, neighbours = encode(position), new_graph(position.layout, STILL).layouts.neighbours
    aim = encode_goal(position, goal, encoded, neighbours)
    who, to = np.zeros(64, np.uint8), np.zeros(64, np.uint16)
    pieces, distances = encoded.pieces, aim.distances[0]
    for piece in encoded.game.movable.tolist():
        start = int(pieces.where[piece])
        for way in Direction:
            ahead = neighbours[0, way]
            count = move_piece(ahead, pieces.occupied, encoded.game, piece, start, who, to)
            rows, moved = aim.row[who[:count]], pieces.where[who[:count]]
            before = distances[rows, moved]
            for distance in before[distances[rows, to[:count]] < before].tolist():
                assert descending_directions(aim.descents[0, start], distance) >> way & 1
                assert descending_directions(aim.descents[0, start], 0) >> way & 1


@given(positions(), st.integers(1, 4))
def test_a_bound_falls_only_with_the_distances_that_it_rests_on(
    position: Position, most: int
) -> None:
    encoded, neighbours = encode(position), new_graph(position.layout, STILL).layouts.neighbours
    own = [piece for _, piece in position.pieces].count(Piece(Colour.RED, Kind.PUCK))
    assume(own > 0)
    aim = encode_goal(position, Goal(pucks=min(most, own)), encoded, neighbours)
    who, to = np.zeros(64, np.uint8), np.zeros(64, np.uint16)
    pieces, distances = encoded.pieces, aim.distances[0]
    bound = lower_bound_of(aim, distances, pieces.where, who, to, 0, False)
    tight = tight_distances(aim, distances, pieces.where, bound)
    for piece in encoded.game.movable.tolist():
        for way in Direction:
            ahead, start = neighbours[0, way], int(pieces.where[piece])
            count = move_piece(ahead, pieces.occupied, encoded.game, piece, start, who, to)
            rows, moved = aim.row[who[:count]], pieces.where[who[:count]]
            before = distances[rows, moved]
            nearer = before[distances[rows, to[:count]] < before].tolist()
            if lower_bound_of(aim, distances, pieces.where, who, to, count, False) < bound:
                assert {*tight} <= {*nearer}


@given(positions())
def test_legal_piece_moves_are_counted_without_making_them(position: Position) -> None:
    encoded, neighbours = encode(position), new_graph(position.layout, STILL).layouts.neighbours
    pieces = encoded.pieces
    count = count_piece_moves(neighbours[0], pieces.occupied, pieces.where, encoded.game)
    assert count == sum(isinstance(move, PieceMove) for move in legal_moves(position))


@settings(max_examples=30)
@given(positions())
def test_both_engines_count_the_same_first_moves_and_positions(position: Position) -> None:
    *_, lines = count_lines(position, 1, mats=True)
    moves = legal_moves(position, mats=True)
    assert [move for move, _ in lines.by_move] == list(moves)
    after = {play(position, move)[0] for move in moves} - {position}
    assert positions_by_depth(position, 1, mats=True) == (1, len(after))
