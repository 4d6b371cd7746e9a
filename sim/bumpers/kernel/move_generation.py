"""Moves of pieces on the arrays of a position, and the move generation of the search.

`move_piece` works out which pieces a move displaces, `make_move` and `unmake_move` make and undo
it, `key_change` gives the change of the Zobrist key. `generate_piece_moves` and
`generate_mat_moves` fill a ply of the search stack with the moves whose lower bound still fits.
"""

import numpy as np

from pucklab.base.kernels import inlined
from pucklab.sim.bumpers.kernel.arrays import I32, U8, U16, U64
from pucklab.sim.bumpers.kernel.heuristic import (
    EncodedGoal,
    descending_directions,
    lower_bound_of,
    order_pieces,
    tight_distances,
)
from pucklab.sim.bumpers.kernel.layouts import CARD_KEYS, KIND_BIT, SHIFT
from pucklab.sim.bumpers.kernel.pattern_database import LANE_BIT, lowering_moves
from pucklab.sim.bumpers.kernel.position import EMPTY, FIRST, GOAL, Change, Encoded, Game, Pieces
from pucklab.sim.bumpers.kernel.pruning import (
    LATER,
    NOW,
    moves_asleep,
    recognise_quiet,
    set_reach,
    when_to_try,
)
from pucklab.sim.bumpers.kernel.search_stack import (
    LEGAL_MOVES,
    MAT_MOVES,
    PIECE_MOVES,
    Search,
    SearchStack,
)
from pucklab.sim.bumpers.kernel.transposition_table import prefetch_bucket

_EVERY = ~np.uint64(0)
_WAYS = np.uint64(15)


@inlined
def move_piece(encoded: Encoded, ahead: U16, piece: int, who: U8, to: U16) -> Change:
    """Work out which pieces a move displaces; none if the move is illegal.

    Args:
        encoded: The position.
        ahead: The next space of each space in the move's direction.
        piece: The piece that sets out.
        who: Filled in: the pieces that move.
        to: Filled in: the spaces they move to.
    """
    game, occupied = encoded.game, encoded.pieces.occupied
    here = encoded.pieces.where[piece]
    there = ahead[here]
    met = occupied[there]
    sliding, count = np.int64(piece), 0
    if met > GOAL:
        is_bump = piece >= game.slid and met < game.slid + FIRST
        if not is_bump or occupied[ahead[there]] > GOAL:
            return Change(who, to, 0)
        sliding, here, count = np.int64(met) - FIRST, there, 1
    is_slide = piece < game.pucks or (game.slippery and piece < game.slid)
    if count > 0 or not is_slide:
        who[0] = piece
        to[0] = there
    if count == 0 and not is_slide:
        return Change(who, to, 1)
    return _slide(encoded, ahead, sliding, here, Change(who, to, count))


@inlined
def make_move(pieces: Pieces, change: Change, origin: U16) -> None:
    """Make a move worked out by `move_piece`.

    Args:
        pieces: The pieces.
        change: Those that move.
        origin: Filled in: the spaces they leave.
    """
    where, occupied = pieces.where, pieces.occupied
    who, to = change.who, change.to
    for moved in range(change.number):
        space = where[who[moved]]
        origin[moved] = space
        occupied[space] = pieces.vacated[space]
    for moved in range(change.number):
        where[who[moved]] = to[moved]
        if to[moved] < len(occupied) - 1:
            occupied[to[moved]] = who[moved] + FIRST


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
def key_change(zobrist: U64, where: U16, change: Change) -> tuple[np.uint64, np.uint64]:
    """Return the XOR change of the 128-bit Zobrist key by a move worked out by `move_piece`."""
    low, high = np.uint64(0), np.uint64(0)
    for moved in range(change.number):
        piece, space = change.who[moved], change.to[moved]
        origin = where[piece]
        low ^= zobrist[piece, origin, 0] ^ zobrist[piece, space, 0]
        high ^= zobrist[piece, origin, 1] ^ zobrist[piece, space, 1]
    return low, high


@inlined
def _slide(
    encoded: Encoded, ahead: U16, sliding: np.int64, here: np.uint16, change: Change
) -> Change:
    """Slide a piece that has an open space ahead, and all that it sends sliding.

    ``change`` has what moved before.
    """
    game, occupied = encoded.game, encoded.pieces.occupied
    who, to, count = change
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
            return Change(who, to, count + 1)
        to[count] = here
        count += 1
        if met >= game.pucks + FIRST or not game.chains:
            return Change(who, to, count)
        behind = occupied[ahead[there]]
        while game.pass_through and GOAL < behind < game.pucks + FIRST:
            there = ahead[there]
            met = behind
            behind = occupied[ahead[there]]
        if behind > GOAL:
            return Change(who, to, count)
        sliding, here = np.int64(met) - FIRST, there


@inlined
def count_piece_moves(encoded: Encoded, neighbours: U16) -> int:
    """Return the number of legal piece moves, without making them.

    From a scored puck every direction leads to the wall.

    Args:
        encoded: The position.
        neighbours: ``neighbours[direction, space]`` of the layout.
    """
    game, occupied, count = encoded.game, encoded.pieces.occupied, 0
    for index in range(len(game.movable)):
        piece = game.movable[index]
        start = encoded.pieces.where[piece]
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
def generate_piece_moves(search: Search, ply: int, left: int) -> None:
    """Generate the piece moves of a ply whose lower bound is at most ``left``.

    Pucks of the goal come first, then other pieces, and quiet steps last, each in the order of the
    rules. If the bound must fall, only moves that can lower it are tried. With a pattern database,
    moves that commute with others are left out as `pucklab.sim.bumpers.kernel.pruning` proves.

    Args:
        search: The search; the moves of the ply are filled in, and the entries of the transposition
            table that will be probed are prefetched.
        ply: The ply.
        left: Actions left after the move.
    """
    encoded, layouts, goal, stack, table = search
    game, where, number = encoded.game, encoded.pieces.where, stack.layout[ply]
    neighbours, distances = layouts.neighbours[number], goal.distances[number]
    who, to, has_cards = stack.who[ply], stack.to[ply], stack.cards[ply] > 0
    lanes, has_patterns = goal.database.lanes, goal.database.size > 0
    spare = left + 1 - stack.bound[ply]
    stack.closed[ply] = 0
    # Choose the moves to try, a bit for each by its number.
    allowed = tried = _EVERY
    if has_patterns:
        allowed = _allowed_moves(goal, where, stack.bound[ply])
        if spare <= 0:
            tried = _lowering_moves(goal, game, where, allowed)
        tried &= ~moves_asleep(lanes, stack, ply)
    elif spare <= 0:
        is_one = not has_cards and len(goal.needed) == 1
        tried = _descents(goal, number, game, where, stack.bound[ply] if is_one else 0)
    if layouts.is_legal[number] == 0:  # within a series of mat moves (PB-23)
        tried = np.uint64(0)
    of_others = np.uint64(0)
    for index in range(len(game.movable)):
        is_other = goal.is_asked[game.movable[index]] == 0
        of_others |= np.uint64(15 * is_other) << bits_of(index)
    quiet_spare = spare if has_patterns else 0
    stamp, omitted = recognise_quiet(goal, encoded, neighbours, allowed, quiet_spare)
    postponed = np.uint64(0)
    count = legal = 0
    for group in range(3):
        among = postponed if group == 2 else tried & (of_others if group == 1 else ~of_others)
        for index in range(len(game.movable) if among else 0):
            piece = game.movable[index]
            ways = np.int64(among >> bits_of(index) & _WAYS)
            for direction in range(4 if ways else 0):
                if not ways >> direction & 1:
                    continue
                change = move_piece(encoded, neighbours[direction], piece, who, to)
                if change.number == 0:
                    continue
                legal += group < 2
                move, wait = 4 * index + direction, NOW
                if group == 1 and change.number == 1:
                    wait = when_to_try(goal, encoded, neighbours, piece, to[0], stamp, omitted)
                postponed |= np.uint64(wait == LATER) << np.uint64(move & 63)
                if wait != NOW:
                    continue
                if has_patterns:
                    set_reach(game, where, lanes, stack.reach[ply, move], move, change)
                    stack.home[ply, move] = ply
                bound = _bound_after(goal, distances, where, change, has_cards, stack.bound[ply])
                if bound > left:
                    stack.closed[ply] |= np.uint64(1) << np.uint64(move & 63)
                    continue
                low, high = key_change(encoded.zobrist, where, change)
                _append_move(stack, table, ply, count, move, bound, low, high)
                count += 1
    _set_moves(stack, ply, PIECE_MOVES, count, legal)


@inlined
def bits_of(index: int) -> np.uint64:
    """Return the first bit of a movable piece in a set of moves.

    Beyond `MOST_MOVABLE` pieces, sixteen numbers apart share their bits: a set then has too many
    moves. That is harmless where sets only say which moves to try, as without pattern databases.
    """
    return np.uint64(4 * index & 63)


@inlined
def _descents(goal: EncodedGoal, number: int, game: Game, where: U16, bound: int) -> np.uint64:
    """Return the piece moves that can lower a bound by distances, a bit for each by its number.

    With a bound of 0 those that can bring any piece nearer: with a card, or several targets, the
    bound may fall in other ways.
    """
    least = most = 0
    if bound > 0:
        unchanged = Change(goal.pieces, where, 0)
        count, left = order_pieces(goal, 0, goal.distances[number], where, unchanged)
        least, most = tight_distances(goal.scratch.ordered, count, left, bound)
    tried = np.uint64(0)
    for index in range(len(game.movable)):
        descents = goal.descents[number, where[game.movable[index]]]
        ways = descending_directions(descents, least) & descending_directions(descents, most)
        tried |= np.uint64(ways) << bits_of(index)
    return tried


@inlined
def _lowering_moves(goal: EncodedGoal, game: Game, where: U16, allowed: np.uint64) -> np.uint64:
    """Return the piece moves that can lower a bound by patterns, a bit for each by its number.

    A piece that is not in the goal must have a puck of the goal ahead in its corridor.
    """
    tried = np.uint64(0)
    for index in range(len(game.movable)):
        piece = game.movable[index]
        ways = np.int64(allowed >> np.uint64(goal.scratch.slots[piece]) & _WAYS)
        if ways != 0 and not goal.is_asked[piece]:
            ways &= _ways_to_pucks(goal.database.lanes, goal.pieces, where, where[piece])
        tried |= np.uint64(ways) << bits_of(index)
    return tried


@inlined
def _bound_after(
    goal: EncodedGoal, distances: U16, where: U16, change: Change, has_cards: bool, bound: int
) -> int:
    """Return the lower bound after a move; as before, ``bound``, if no piece of the goal moves."""
    for moved in range(change.number):
        if goal.is_asked[change.who[moved]]:
            return lower_bound_of(goal, distances, where, change, has_cards)
    return bound


@inlined
def _allowed_moves(goal: EncodedGoal, where: U16, bound: int) -> np.uint64:
    """Return the moves that can lower a bound, and fill in the first bit of each piece in them."""
    slots, ordered, number = goal.scratch.slots, goal.scratch.ordered, goal.database.number
    pucks, needed = order_pieces(goal, 0, number, where, Change(goal.pieces, where, 0))
    for piece in range(len(slots)):
        slots[piece] = 4 * pucks
    for index in range(len(goal.pieces)):
        for slot in range(pucks):
            if ordered[slot] == number[0, where[goal.pieces[index]]]:
                slots[goal.pieces[index]] = 4 * slot
    return lowering_moves(goal.database, ordered, pucks, needed, bound)


@inlined
def _ways_to_pucks(lanes: I32, pucks: U8, where: U16, start: np.uint16) -> int:
    """Return the directions in which a puck of the goal is ahead in the same corridor."""
    ways = 0
    for axis in range(2):
        here = lanes[axis, start]
        for index in range(len(pucks)):
            there = lanes[axis, where[pucks[index]]]
            if here >> LANE_BIT == there >> LANE_BIT:
                ways |= 1 << (axis if there > here else axis + 2)
    return ways


@inlined
def generate_mat_moves(search: Search, ply: int, left: int) -> bool:
    """Generate the mat moves of a ply; return False if the layouts they lead to are unknown.

    The arguments are those of `generate_piece_moves`.
    """
    encoded, layouts, goal, stack, table = search
    number, cards = stack.layout[ply], stack.cards[ply]
    first = layouts.first[number]
    if first < 0:
        return False
    where, unchanged = encoded.pieces.where, Change(stack.who[ply], stack.to[ply], 0)
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
        bound = lower_bound_of(goal, goal.distances[after], where, unchanged, rest > 0)
        if bound > left:
            continue
        keys = layouts.keys
        low = keys[number, 0] ^ keys[after, 0] ^ CARD_KEYS[cards, 0] ^ CARD_KEYS[rest, 0]
        high = keys[number, 1] ^ keys[after, 1] ^ CARD_KEYS[cards, 1] ^ CARD_KEYS[rest, 1]
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
    """Append a move that changes the key by ``low`` and ``high``."""
    low, high = low ^ stack.keys[ply, 0], high ^ stack.keys[ply, 1]
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
