"""Moves of pieces on the arrays of a position, and the move generation of the search.

`move_piece` works out which pieces a move displaces, `make_move` and `unmake_move` make and undo
it, `key_change` gives the change of the Zobrist key. `generate_piece_moves` and
`generate_mat_moves` fill a ply of the search stack with the moves whose lower bound still fits.
"""

import numpy as np

from physics.compiling import inlined
from sim.bumpers.kernel.arrays import I32, U8, U16, U64
from sim.bumpers.kernel.heuristic import (
    OTHER,
    EncodedGoal,
    descending_directions,
    lower_bound_of,
    order_pucks,
    pattern_bound_of,
    tight_distances,
)
from sim.bumpers.kernel.layouts import CARD_KEYS, KIND_BIT, SHIFT, LayoutArrays
from sim.bumpers.kernel.pattern_database import LANE_BIT, lowering_moves
from sim.bumpers.kernel.position import EMPTY, FIRST, GOAL, Encoded, Game, Pieces
from sim.bumpers.kernel.pruning import (
    LATER,
    NOW,
    moves_asleep,
    recognise_quiet,
    set_reach,
    when_to_try,
)
from sim.bumpers.kernel.search_stack import (
    LEGAL_MOVES,
    MAT_MOVES,
    PIECE_MOVES,
    SearchStack,
)
from sim.bumpers.kernel.transposition_table import prefetch_bucket


@inlined
def move_piece(
    ahead: U16,
    occupied: U8,
    game: Game,
    piece: int,
    start: int,
    who: U8,
    to: U16,
) -> int:
    """Work out which pieces a move displaces, and return how many; 0 if the move is illegal.

    Args:
        ahead: The next space of each space in the move's direction.
        occupied: Code of each space; not changed.
        game: The constants of the position.
        piece: The piece that sets out.
        start: Its space.
        who: Filled in: the pieces that move.
        to: Filled in: the spaces they move to.
    """
    there = ahead[start]
    met = occupied[there]
    sliding, here, count = np.int64(piece), start, 0
    if met > GOAL:
        is_bump = piece >= game.slid and met < game.slid + FIRST
        if not is_bump or occupied[ahead[there]] > GOAL:
            return 0
        sliding, here, count = np.int64(met) - FIRST, there, 1
    is_slide = piece < game.pucks or (game.slippery and piece < game.slid)
    if count > 0 or not is_slide:
        who[0] = piece
        to[0] = there
    if count == 0 and not is_slide:
        return 1
    return _slide(ahead, occupied, game, sliding, here, count, who, to)


@inlined
def make_move(
    pieces: Pieces,
    who: U8,
    to: U16,
    origin: U16,
    changes: int,
) -> None:
    """Make a move worked out by `move_piece`.

    Args:
        pieces: The pieces.
        who: Filled in: the pieces that move.
        to: Filled in: the spaces they move to.
        origin: Filled in: the spaces they leave.
        changes: How many pieces move.
    """
    where, occupied = pieces.where, pieces.occupied
    for change in range(changes):
        space = where[who[change]]
        origin[change] = space
        occupied[space] = pieces.vacated[space]
    for change in range(changes):
        where[who[change]] = to[change]
        if to[change] < len(occupied) - 1:
            occupied[to[change]] = who[change] + FIRST


@inlined
def unmake_move(pieces: Pieces, who: U8, origin: U16, changes: int) -> None:
    """Undo a move made by `make_move`."""
    where, occupied = pieces.where, pieces.occupied
    for change in range(changes):
        space = where[who[change]]
        occupied[space] = pieces.vacated[space]
    for change in range(changes):
        where[who[change]] = origin[change]
        occupied[origin[change]] = who[change] + FIRST


@inlined
def key_change(
    zobrist: U64,
    where: U16,
    who: U8,
    to: U16,
    changes: int,
) -> tuple[np.uint64, np.uint64]:
    """Return the XOR change of the 128-bit Zobrist key by a move worked out by `move_piece`."""
    low, high = np.uint64(0), np.uint64(0)
    for change in range(changes):
        piece, space = who[change], to[change]
        origin = where[piece]
        low ^= zobrist[piece, origin, 0] ^ zobrist[piece, space, 0]
        high ^= zobrist[piece, origin, 1] ^ zobrist[piece, space, 1]
    return low, high


@inlined
def _slide(
    ahead: U16,
    occupied: U8,
    game: Game,
    sliding: np.int64,
    here: np.uint16 | int,
    count: int,
    who: U8,
    to: U16,
) -> int:
    """Slide a piece that has an open space ahead, and all that it sends sliding.

    ``count`` pieces are recorded already; returns how many are recorded in the end.
    """
    while True:
        is_puck = sliding < game.pucks
        there = ahead[here]
        met = occupied[there]
        while met == EMPTY or (met == GOAL and not is_puck):
            here = there
            there = ahead[here]
            met = occupied[there]
        who[count] = sliding
        if met == GOAL:
            to[count] = len(occupied) - 1
            return count + 1
        to[count] = here
        count += 1
        if met >= game.pucks + FIRST or not game.chains:
            return count
        behind = occupied[ahead[there]]
        while game.pass_through and GOAL < behind < game.pucks + FIRST:
            there = ahead[there]
            met = behind
            behind = occupied[ahead[there]]
        if behind > GOAL:
            return count
        sliding, here = np.int64(met) - FIRST, there


@inlined
def count_piece_moves(
    neighbours: U16,
    occupied: U8,
    where: U16,
    game: Game,
) -> int:
    """Return the number of legal piece moves, without making them.

    Args:
        neighbours: ``neighbours[direction, space]`` of the layout.
        occupied: Code of each space.
        where: The space of each piece; from a scored puck every direction leads to the wall.
        game: The constants of the position.
    """
    count = 0
    for index in range(len(game.movable)):
        piece = game.movable[index]
        start = where[piece]
        # Branch-free: whether a space is open cannot be predicted.
        for direction in range(4):
            there = neighbours[direction, start]
            met = occupied[there]
            is_legal = met <= GOAL
            if piece >= game.slid:
                behind = occupied[neighbours[direction, there]]
                is_legal |= (met < game.slid + FIRST) & (behind <= GOAL)
            count += is_legal
    return count


@inlined
def generate_piece_moves(
    encoded: Encoded,
    layouts: LayoutArrays,
    goal: EncodedGoal,
    stack: SearchStack,
    table: U64,
    ply: int,
    left: int,
) -> None:
    """Generate the piece moves of a ply whose lower bound is at most ``left``.

    Args:
        encoded: The position.
        layouts: The arrays of the layouts met.
        goal: The goal.
        stack: The search stack; the moves of the ply are filled in.
        table: The transposition table; the entries that will be probed are prefetched.
        ply: The ply.
        left: Actions left after the move.
    """
    if layouts.is_legal[stack.layout[ply]] == 0:  # within a series of mat moves (PB-23)
        _set_moves(stack, ply, PIECE_MOVES, 0, 0)
    elif goal.database.size > 0:
        _generate_by_patterns(encoded, layouts, goal, stack, table, ply, left)
    else:
        _generate_by_distances(encoded, layouts, goal, stack, table, ply, left)


@inlined
def _generate_by_distances(
    encoded: Encoded,
    layouts: LayoutArrays,
    goal: EncodedGoal,
    stack: SearchStack,
    table: U64,
    ply: int,
    left: int,
) -> None:
    """Generate piece moves as `generate_piece_moves` does, with the bound by distances."""
    game, pieces, zobrist = encoded
    where, occupied = pieces.where, pieces.occupied
    who, to = stack.who[ply], stack.to[ply]
    neighbours = layouts.neighbours[stack.layout[ply]]
    distances = goal.distances[stack.layout[ply]]
    descents = goal.descents[stack.layout[ply]]
    bound_here = stack.bound[ply]
    must_lower = bound_here > left
    has_cards = stack.cards[ply] > 0
    least = most = 0  # any distance: a card may lower the bound in other ways
    if must_lower and not has_cards:
        least, most = tight_distances(goal, distances, where, bound_here)
    slides = game.slid if game.slippery else game.pucks
    count = legal = 0
    for index in range(len(game.movable)):
        piece = game.movable[index]
        start = where[piece]
        # Only descents lead nearer; a step of a piece that is not in the goal never does.
        ways = 15
        if must_lower:
            ways = descending_directions(descents[start], least) & descending_directions(
                descents[start], most
            )
        is_idle = must_lower and goal.row[piece] == OTHER and piece >= slides
        for direction in range(4 if ways else 0):
            ahead = neighbours[direction]
            is_way = ways >> direction & 1
            if not is_way or (is_idle and occupied[ahead[start]] <= GOAL):
                continue
            changes = move_piece(ahead, occupied, game, piece, start, who, to)
            if changes == 0:
                continue
            legal += 1
            bound = bound_here
            if _changes_bound(goal, distances, where, who, to, changes, must_lower, least):
                bound = lower_bound_of(goal, distances, where, who, to, changes, has_cards)
            if bound > left:
                continue
            low, high = key_change(zobrist, where, who, to, changes)
            low ^= stack.keys[ply, 0]
            high ^= stack.keys[ply, 1]
            _append_move(stack, table, ply, count, 4 * index + direction, bound, low, high)
            count += 1
    _set_moves(stack, ply, PIECE_MOVES, count, legal)


@inlined
def _generate_by_patterns(
    encoded: Encoded,
    layouts: LayoutArrays,
    goal: EncodedGoal,
    stack: SearchStack,
    table: U64,
    ply: int,
    left: int,
) -> None:
    """Generate piece moves as `generate_piece_moves` does, with the bound by the pattern database.

    Pucks of the goal come first, then other pieces, and quiet steps last, each in the order of the
    rules. If the bound must fall, only moves are tried that can lower it. Moves that commute with
    others are left out as `sim.bumpers.kernel.pruning` proves.
    """
    game, pieces, _ = encoded
    where, occupied = pieces.where, pieces.occupied
    who, to = stack.who[ply], stack.to[ply]
    neighbours = layouts.neighbours[stack.layout[ply]]
    lanes = goal.database.lanes
    spare = left + 1 - stack.bound[ply]
    allowed = _allowed_moves(goal, where, stack.bound[ply])
    stamp, omitted = recognise_quiet(encoded, goal, neighbours, allowed, spare)
    every, postponed = ~np.uint64(0), np.uint64(0)
    tried = every if spare > 0 else _lowering_moves(encoded, goal, allowed)
    stack.closed[ply] = 0
    tried &= ~moves_asleep(lanes, stack, ply, tried)
    count = legal = 0
    for group in range(3):
        among = postponed if group == 2 else _moves_of(encoded, goal, tried, group == 1)
        for index in range(len(game.movable) if among else 0):
            piece = game.movable[index]
            ways = np.int64(among >> np.uint64(4 * index) & np.uint64(15))
            for direction in range(4 if ways else 0):
                if not ways >> direction & 1:
                    continue
                start, ahead = where[piece], neighbours[direction]
                changes = move_piece(ahead, occupied, game, piece, start, who, to)
                if changes == 0:
                    continue
                legal += group < 2
                move = 4 * index + direction
                wait = NOW
                if group == 1 and changes == 1:
                    wait = when_to_try(encoded, goal, neighbours, piece, to[0], stamp, omitted)
                if wait == NOW:
                    count = _append_piece_move(
                        encoded, goal, stack, table, ply, left, count, move, changes
                    )
                postponed |= np.uint64(wait == LATER) << np.uint64(move)
    if spare <= 0 and count > 0:
        moves_asleep(lanes, stack, ply, every)
    _set_moves(stack, ply, PIECE_MOVES, count, legal)


@inlined
def _moves_of(encoded: Encoded, goal: EncodedGoal, moves: np.uint64, of_others: bool) -> np.uint64:
    """Return the moves, a bit for each, that are of pucks of the goal or of other pieces."""
    chosen = np.uint64(0)
    for index in range(len(encoded.game.movable)):
        if (goal.row[encoded.game.movable[index]] == OTHER) == of_others:
            chosen |= np.uint64(15) << np.uint64(4 * index)
    return moves & chosen


@inlined
def _lowering_moves(encoded: Encoded, goal: EncodedGoal, allowed: np.uint64) -> np.uint64:
    """Return the piece moves that can lower the bound, a bit for each by its number.

    A piece that is not in the goal must have a puck of the goal ahead in its corridor.
    """
    game, where, lanes = encoded.game, encoded.pieces.where, goal.database.lanes
    tried = np.uint64(0)
    for index in range(len(game.movable)):
        piece = game.movable[index]
        ways = np.int64(allowed >> np.uint64(goal.scratch.slots[piece]) & np.uint64(15))
        if ways != 0 and goal.row[piece] == OTHER:
            ways &= _ways_to_pucks(goal, lanes, where, where[piece])
        tried |= np.uint64(ways) << np.uint64(4 * index)
    return tried


@inlined
def _append_piece_move(
    encoded: Encoded,
    goal: EncodedGoal,
    stack: SearchStack,
    table: U64,
    ply: int,
    left: int,
    count: int,
    move: int,
    changes: int,
) -> int:
    """Append a move worked out by `move_piece` if its bound fits; return the number of moves."""
    game, pieces, zobrist = encoded
    where = pieces.where
    who, to = stack.who[ply], stack.to[ply]
    lanes = goal.database.lanes
    start = where[game.movable[move >> 2]]
    stack.home[ply, move] = ply
    set_reach(lanes, where, game, who, to, changes, move & 3, start, stack.reach[ply, move])
    bound = stack.bound[ply]
    if _moves_goal_puck(goal, who, changes):
        bound = pattern_bound_of(goal, where, who, to, changes)
    if bound > left:
        stack.closed[ply] |= np.uint64(1) << np.uint64(move)
        return count
    low, high = key_change(zobrist, where, who, to, changes)
    low ^= stack.keys[ply, 0]
    high ^= stack.keys[ply, 1]
    _append_move(stack, table, ply, count, move, bound, low, high)
    return count + 1


@inlined
def _allowed_moves(goal: EncodedGoal, where: U16, bound: int) -> np.uint64:
    """Return the moves that can lower a bound, and fill in the first bit of each piece in them."""
    pucks, needed = order_pucks(goal, where, goal.pieces, where, 0)
    for piece in range(len(goal.scratch.slots)):
        goal.scratch.slots[piece] = 4 * pucks
    for index in range(len(goal.pieces)):
        for slot in range(pucks):
            if goal.scratch.ordered[slot] == goal.database.number[where[goal.pieces[index]]]:
                goal.scratch.slots[goal.pieces[index]] = 4 * slot
    return lowering_moves(goal.database, goal.scratch.ordered, pucks, needed, bound)


@inlined
def _moves_goal_puck(goal: EncodedGoal, who: U8, changes: int) -> bool:
    """Return whether a move moves a puck of the goal."""
    found = False
    for change in range(changes):
        found |= goal.row[who[change]] != OTHER
    return found


@inlined
def _ways_to_pucks(goal: EncodedGoal, lanes: I32, where: U16, start: np.uint16) -> int:
    """Return the directions in which a puck of the goal is ahead in the same corridor."""
    ways = 0
    for axis in range(2):
        here = lanes[axis, start]
        for index in range(len(goal.pieces)):
            there = lanes[axis, where[goal.pieces[index]]]
            if here >> LANE_BIT == there >> LANE_BIT:
                ways |= 1 << (axis if there > here else axis + 2)
    return ways


@inlined
def _changes_bound(
    goal: EncodedGoal,
    distances: U8,
    where: U16,
    who: U8,
    to: U16,
    changes: int,
    must_lower: bool,
    least: int,
) -> bool:
    """Return whether a move may change the bound.

    Args:
        goal: The goal.
        distances: ``distances[row, space]`` of the layout.
        where: The space of each piece.
        who: Filled in: the pieces that move.
        to: Filled in: the spaces they move to.
        changes: How many pieces move.
        must_lower: Only a lower bound is of use.
        least: The distance from which it must then bring a piece nearer; 0 for any.
    """
    is_nearer = is_other = False
    for change in range(changes):
        row = goal.row[who[change]]
        before = distances[row, where[who[change]]]
        after = distances[row, to[change]]
        is_nearer |= after < before and (least == 0 or before == least)
        is_other |= after != before
    return is_nearer if must_lower else is_other


@inlined
def generate_mat_moves(
    encoded: Encoded,
    layouts: LayoutArrays,
    goal: EncodedGoal,
    stack: SearchStack,
    table: U64,
    ply: int,
    left: int,
) -> bool:
    """Generate the mat moves of a ply; return False if the layouts they lead to are unknown.

    Args:
        encoded: The position.
        layouts: The arrays of the layouts met.
        goal: The goal.
        stack: The search stack; the moves of the ply are filled in.
        table: The transposition table; the entries that will be probed are prefetched.
        ply: The ply.
        left: Actions left after the move.
    """
    number, cards = stack.layout[ply], stack.cards[ply]
    first = layouts.first[number]
    if first < 0:
        return False
    legal = count = 0
    for edge in range(first, first + layouts.total[number]):
        kind = np.int64(layouts.moves[edge]) >> KIND_BIT
        if cards >> 2 * kind & 3 == 0:
            continue
        rest = cards - (1 << 2 * kind)
        # Only a shift makes an illegal layout legal again, and then a piece has to move.
        is_legal = layouts.leads_legal[edge] == 1
        if not is_legal and (rest >> 2 * SHIFT & 3 == 0 or left < 2):
            continue
        after = layouts.after[edge]
        if after < 0:
            return False
        legal += 1
        where, who, to = encoded.pieces.where, stack.who[ply], stack.to[ply]
        bound = lower_bound_of(goal, goal.distances[after], where, who, to, 0, rest > 0)
        if bound > left:
            continue
        low = stack.keys[ply, 0] ^ layouts.keys[number, 0] ^ layouts.keys[after, 0]
        high = stack.keys[ply, 1] ^ layouts.keys[number, 1] ^ layouts.keys[after, 1]
        low ^= CARD_KEYS[cards, 0] ^ CARD_KEYS[rest, 0]
        high ^= CARD_KEYS[cards, 1] ^ CARD_KEYS[rest, 1]
        _append_move(stack, table, ply, count, edge, bound, low, high)
        count += 1
    _set_moves(stack, ply, MAT_MOVES, count, legal)
    return True


@inlined
def _append_move(
    stack: SearchStack,
    table: U64,
    ply: int,
    place: int,
    move: int,
    bound: int,
    low: np.uint64,
    high: np.uint64,
) -> None:
    prefetch_bucket(table, high)
    stack.moves[ply, place] = move
    stack.move_bounds[ply, place] = bound
    stack.move_keys[ply, place, 0] = low
    stack.move_keys[ply, place, 1] = high


@inlined
def _set_moves(stack: SearchStack, ply: int, stage: int, count: int, legal: int) -> None:
    stack.stage[ply] = stage
    stack.next_move[ply] = 0
    stack.move_count[ply] = count
    stack.counts[LEGAL_MOVES] += legal
