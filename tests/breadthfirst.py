"""Distinct positions by depth, breadth-first by the kernel's moves."""

import numpy as np

from physics.compiling import compiled
from sim.bumpers.kernel.layouts import (
    MatMoves,
    edges_of,
    expand_layouts,
    layout_keys,
    make_mat_moves,
    new_graph,
)
from sim.bumpers.kernel.move_generation import key_change, move_piece
from sim.bumpers.kernel.position import FIRST, encode, key_of


def positions_by_depth(position, depth, *, mats=False):
    """Return how many positions are first reached at each depth from 0."""
    encoded, one_piece = encode(position), position.rules.one_piece
    allowed = MatMoves(turns=mats, swaps=mats, shifts=mats, one_piece=one_piece)
    graph = new_graph(position.layout, allowed)
    key = key_of(encoded) ^ graph.layouts.keys[0]
    front = encoded.pieces.where[None].copy(), np.zeros(1, np.int64), key[None]
    seen, counts = key[:1], [1]
    for left in reversed(range(depth)):
        after = [_after_pieces(encoded, graph, *front)]
        if mats and len(front[1]):
            after.append(_after_mats(graph, *front, follow=left > 0))
        where, layout, keys = map(np.concatenate, zip(*after, strict=True))
        _, first = np.unique(keys[:, 0], return_index=True)  # half a key tells them apart
        new = first[~np.isin(keys[first, 0], seen)]
        front = where[new], layout[new], keys[new]
        seen = np.concatenate([seen, keys[new, 0]])
        counts.append(len(new))
    return tuple(counts)


def _after_pieces(encoded, graph, where, layout, keys):
    most = 4 * len(where) * len(encoded.game.movable)
    after = np.zeros((most, where.shape[1]), np.uint16), np.zeros(most, np.int64)
    found = (*after, np.zeros((most, 2), np.uint64))
    neighbours = graph.layouts.neighbours
    who, to = np.zeros(where.shape[1] + 1, np.uint8), np.zeros(where.shape[1] + 1, np.uint16)
    count = move_all(encoded, neighbours, where, layout, keys, *found, who, to)
    return found[0][:count], found[1][:count], found[2][:count]


@compiled
def move_all(
    encoded, neighbours, where, layout, keys, where_after, layout_after, keys_after, who, to
):
    """Make every move of every position; return how many positions they lead to."""
    game, pieces, zobrist = encoded
    occupied, count = pieces.occupied, 0
    for i in range(len(where)):
        for space in range(len(occupied)):
            occupied[space] = pieces.vacated[space]
        for piece in range(where.shape[1]):
            pieces.where[piece] = where[i, piece]
            if where[i, piece] < len(occupied) - 1:
                occupied[where[i, piece]] = piece + FIRST
        for move in range(4 * len(game.movable)):
            piece = game.movable[move >> 2]
            ahead = neighbours[layout[i], move & 3]
            change = move_piece(encoded, ahead, piece, who, to)
            if change.number == 0:
                continue
            low, high = key_change(zobrist, where[i], change)
            for other in range(where.shape[1]):
                where_after[count, other] = where[i, other]
            for moved in range(change.number):
                where_after[count, who[moved]] = to[moved]
            layout_after[count] = layout[i]
            keys_after[count, 0] = keys[i, 0] ^ low
            keys_after[count, 1] = keys[i, 1] ^ high
            count += 1
    return count


def _after_mats(graph, where, layout, keys, *, follow):
    """Return the positions after all mat moves; their layouts are numbered only to follow them."""
    once = np.unique(layout).tolist()
    expand_layouts(graph, once) if follow else expand_layouts(graph, once, ())
    found = []
    for number in once:
        edges, here = edges_of(graph, number), layout == number
        moves, after = graph.layouts.moves[edges], graph.layouts.after[edges].astype(np.int64)
        places = make_mat_moves(np.repeat(graph.places[[number]], len(moves), axis=0), moves)
        change = layout_keys(places) ^ graph.layouts.keys[number]
        there = (keys[here, None] ^ change).reshape(-1, 2)
        count = int(here.sum())
        found.append((np.repeat(where[here], len(moves), axis=0), np.tile(after, count), there))
    where, layout, keys = map(np.concatenate, zip(*found, strict=True))
    return where, layout, keys
