"""Drafts of puzzles: random positions with a goal, and small changes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sim.bumpers.board import board_of, open_spaces
from sim.bumpers.house import house_faces, setups
from sim.bumpers.layout import Layout, Place, Slot, make_layout, neighbour_slots
from sim.bumpers.options import Rules
from sim.bumpers.pieces import Colour, Kind, Piece
from sim.bumpers.position import Position, in_order, make_position
from sim.bumpers.puzzles.puzzle import PuzzleSpec
from sim.bumpers.solver import Goal

_HOUSE_BOARDS = ("classic", "small")
_HOUSE_CHANCE = 0.4
_MATS = (2, 6)
_CROWD = 0.3
"""Pieces stand on at most so many of the open spaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A puzzle in the making.

    Attributes:
        position: The position.
        goal: What must be reached.
    """

    position: Position
    goal: Goal


def first_draft(spec: PuzzleSpec, rng: np.random.Generator) -> Draft:
    """Return a random position with a goal of the wanted kind.

    Args:
        spec: What is wanted.
        rng: Where chance comes from.

    Example:
        >>> draft = first_draft(PuzzleSpec(goal="2"), np.random.default_rng(1))
        >>> draft.goal.pucks, draft.position.to_move is None
        (2, False)
    """
    if spec.setup is None:
        layout, rules = _random_layout(rng), Rules()
    else:
        layout, rules = spec.setup.layout, spec.setup.rules
    colour, *rest = (Colour(int(number)) for number in rng.permutation(len(Colour)))
    others = rest[: int(rng.integers(len(rest) + 1))]
    own, strange = _sets(rules, [colour]), _sets(rules, others)
    pieces = [own.pop(own.index(Piece(colour, Kind.PUCK))) for _ in range(spec.pucks)]
    spaces = open_spaces(layout)
    most = int(_CROWD * len(spaces))
    pieces += _some(own, most - len(pieces), rng)
    pieces += _some(strange, most - len(pieces), rng)
    chosen = rng.choice(spaces, len(pieces) + 1, replace=False).tolist()
    placed = dict(zip(chosen[1:], pieces, strict=True))
    position = make_position(layout, placed, to_move=colour, rules=rules)
    return Draft(position=position, goal=_goal(spec.goal, colour, chosen))


def changed_draft(draft: Draft, rng: np.random.Generator) -> Draft:
    """Return a draft with one piece, or the space to come to, somewhere else, added or left out."""
    position, goal = draft.position, draft.goal
    pieces = dict(position.pieces)
    taken = {*pieces, goal.space}
    free = [space for space in open_spaces(position.layout) if space not in taken]
    if not free:
        return draft
    space = int(rng.choice(free))
    chance = rng.random()
    if goal.space is not None and chance < 0.1:
        return replace(draft, goal=replace(goal, space=space))
    chosen = position.pieces[int(rng.integers(len(pieces)))][0]
    if chance < 0.7:
        pieces[space] = pieces.pop(chosen)
        if chosen == goal.puck:
            goal = replace(goal, puck=space)
    elif chance < 0.85:
        piece = pieces[chosen]
        if not _has_all(position, piece):
            pieces[space] = piece
    elif _is_spare(position, goal, chosen):
        del pieces[chosen]
    return Draft(position=replace(position, pieces=in_order(pieces)), goal=goal)


def _sets(rules: Rules, colours: Sequence[Colour]) -> list[Piece]:
    """Return all pieces of some colours."""
    return [
        Piece(colour, kind)
        for colour in colours
        for kind, each in rules.pieces_each.items()
        for _ in range(each)
    ]


def _some(pieces: Sequence[Piece], most: int, rng: np.random.Generator) -> list[Piece]:
    """Return any number of some pieces, picked at random."""
    count = int(rng.integers(max(min(len(pieces), most), 0) + 1))
    return [pieces[int(number)] for number in rng.permutation(len(pieces))[:count]]


def _goal(kind: str, colour: Colour, spaces: list[int]) -> Goal:
    """Return a goal; the first of the spaces is free, on the second stands a puck of the colour."""
    if kind == "puck":
        return Goal(puck=spaces[1])
    if kind == "to":
        return Goal(space=spaces[0], colour=colour)
    return Goal(pucks=None if kind == "all" else int(kind))


def _has_all(position: Position, piece: Piece) -> bool:
    """Return whether all pieces of a colour and kind are in the game."""
    there = sum(other == piece for _, other in position.pieces)
    there += position.scored[piece.colour] if piece.kind is Kind.PUCK else 0
    return there >= position.rules.pieces_each[piece.kind]


def _is_spare(position: Position, goal: Goal, space: int) -> bool:
    """Return whether the goal can do without the piece on a space."""
    piece = dict(position.pieces)[space]
    if piece.colour is not position.to_move:
        return True
    if goal.space is not None:
        return sum(other.colour is piece.colour for _, other in position.pieces) > 1
    if piece.kind is not Kind.PUCK:
        return True
    pucks = sum(other == piece for _, other in position.pieces)
    return space != goal.puck and pucks > (goal.pucks or 1)


def _random_layout(rng: np.random.Generator) -> Layout:
    """Return a house set-up, or a few house mats anyhow side by side, one of them with a goal."""
    if rng.random() < _HOUSE_CHANCE:
        return setups()[str(rng.choice(_HOUSE_BOARDS))].layout
    while True:
        layout = _few_mats(rng)
        if any(board_of(layout).ahead(s, d) is not None for s, d in board_of(layout).goals.items()):
            return layout


def _few_mats(rng: np.random.Generator) -> Layout:
    faces = house_faces()
    goals = sorted(label for label, face in faces.items() if face.goals)
    others = sorted(label for label in faces if label not in goals and not label.endswith("f"))
    count = int(rng.integers(_MATS[0], _MATS[1] + 1))
    chosen = [str(rng.choice(goals)), *rng.choice(others, count - 1, replace=False).tolist()]
    slots: list[Slot] = [(0, 0)]
    while len(slots) < count:
        free = sorted({s for slot in slots for s in neighbour_slots(slot)} - set(slots))
        slots.append(free[int(rng.integers(len(free)))])
    return make_layout(
        (faces[label], Place(slot, int(rng.integers(4))))
        for label, slot in zip(chosen, slots, strict=True)
    )
