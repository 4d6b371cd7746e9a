"""Makes tests/data/bumpers/solver.csv: ``python -m tests.make_bumpers_solver``.

Random positions with the length of their shortest solutions, by breadth-first search with the
plain rules. The solver and its kernel take no part in it.
"""

import csv
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from pucklab.base.files import write_whole
from pucklab.sim.bumpers import (
    Colour,
    Kind,
    MatShift,
    MatSwap,
    MatTurn,
    Piece,
    PieceMove,
    Place,
    Rules,
    board_of,
    house_faces,
    legal_moves,
    make_layout,
    make_position,
    open_spaces,
    parse_position,
    play,
    position_text,
    setup_named,
)
from pucklab.sim.bumpers.mats import neighbour_slots
from pucklab.sim.bumpers.solver.cards import MatCard, read_hand
from pucklab.sim.bumpers.solver.goals import goal_text, read_goal

TABLE = Path(__file__).parent / "data" / "bumpers" / "solver.csv"
FIELDS = ("position", "goal", "cards", "actions", "shortest")
KINDS = ("1", "2", "4", "all", "puck", "to", "to:R")
SEVERAL = ("to:piece", "to,to", "to,to:R", "to,puck", "2,to", "puck,to:piece")

CARD_OF = {MatTurn: MatCard.TWIST, MatSwap: MatCard.SWAP, MatShift: MatCard.SHIFT}
HANDS = (
    *((card,) for card in MatCard),
    *((card,) for card in MatCard),
    (MatCard.TWIST, MatCard.SHIFT),
    (MatCard.TWIST, MatCard.TWIST),
)
"""Hands to try."""

_EACH = 50
_POSITIONS = 2_000
_EACH_WITH_CARDS = 12
_POSITIONS_WITH_CARDS = 1_000
_SEED = 11


def read_cases():
    """Return the positions of the table.

    Each has a goal, the mat cards in hand and the actions of a shortest solution: None if none has
    at most the case's actions, within which all was tried.
    """
    cases = []
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            position = parse_position(row["position"])
            cases.append(
                SimpleNamespace(
                    position=position,
                    goal=read_goal(position, row["goal"]),
                    cards=read_hand(row["cards"]).mats if row["cards"] else (),
                    actions=int(row["actions"]),
                    shortest=int(row["shortest"]) if row["shortest"] else None,
                )
            )
    return cases


def plain_search(start, goal, positions, cards=(), *, one_turn=False):
    """Search breadth-first by the plain rules until some positions are met.

    Returns:
        The actions within which all lines were tried, the length of a shortest solution, or None,
        and how many lines of that length are solutions.
    """
    if is_reached(start, start, goal, named_pieces(goal)):
        return 0, 0, 1
    lines = {(start, named_pieces(goal), cards): 1}
    seen = set(lines)
    depth = 0
    while lines and len(seen) < positions:
        following = {}
        solutions = 0
        for state, ways in lines.items():
            for _, after in moved(state, one_turn=one_turn):
                if is_reached(start, after[0], goal, after[1]):
                    solutions += ways
                elif after not in seen:
                    following[after] = following.get(after, 0) + ways
        depth += 1
        if solutions:
            return depth, depth, solutions
        seen |= following.keys()
        lines = following
    return depth, None, 0


def moved(state, *, one_turn=False):
    """Yield each move, and what comes of it.

    In one turn a mat may lie anywhere for a while if there is another card (PB-23).
    """
    position, named, hand = state
    temporary = one_turn and len(hand) > 1
    for move in legal_moves(position, mats=bool(hand), temporary=temporary):
        rest = list(hand)
        if not isinstance(move, PieceMove):
            card = CARD_OF[type(move)]
            if card not in rest:
                continue
            rest.remove(card)
        after, change = play(position, move, temporary=temporary)
        yield move, (after, follow(named, change.movements), tuple(rest))


def named_pieces(goal):
    """Return the space of the piece that each target names, or None."""
    return tuple(target.piece for target in goal.targets)


def follow(named, movements):
    """Return where named pieces are after a move: "in" for one that has scored."""
    to = {movement.start: "in" if movement.scored else movement.end for movement in movements}
    return tuple(to.get(space, space) for space in named)


def is_reached(start, position, goal, named):
    """Return whether all targets of a goal hold; ``named`` are the places of named pieces."""
    for target, place in zip(goal.targets, named, strict=True):
        if target.piece is not None:
            if place != ("in" if target.space is None else target.space):
                return False
        elif target.space is not None:
            piece = position.piece_on(target.space)
            if piece is None or target.colour not in (None, piece.colour):
                return False
        else:
            colour = position.to_move if target.colour is None else target.colour
            before = sum(piece == Piece(colour, Kind.PUCK) for _, piece in start.pieces)
            left = sum(piece == Piece(colour, Kind.PUCK) for _, piece in position.pieces)
            if before - left < (before if target.count is None else target.count):
                return False
    return True


def random_cases(rng, kind):
    """Yield random positions with a goal of a kind."""
    while True:
        position = random_position(rng, pucks=int(kind[0]) if kind[0].isdigit() else 1)
        spaces = open_spaces(position.layout)
        board = board_of(position.layout)
        squares = [board.name(board.squares[space]) for space in spaces]
        pucks = [s for s, piece in position.pieces if piece.kind is Kind.PUCK]
        free = [n for s, n in zip(spaces, squares, strict=True) if position.piece_on(s) is None]
        texts = []
        for part in kind.split(","):
            text = part
            if part == "puck":
                text = f"puck:{squares[spaces.index(int(rng.choice(pucks)))]}"
            elif part.startswith("to"):
                square = str(rng.choice(free))
                free.remove(square)
                text = f"to:{square}{part[2:]}"
            if part == "to:piece":
                named = int(rng.choice([space for space, _ in position.pieces]))
                text = f"to:{square}:{squares[spaces.index(named)]}"
            texts.append(text)
        goal = read_goal(position, ",".join(texts))
        named = [target.piece for target in goal.targets if target.piece is not None]
        if len(set(named)) == len(named):
            yield position, goal


def random_position(rng, pucks):
    """Return a random position with ``pucks`` red pucks at least, and a blue one.

    If more than one is wanted, they stand before goals, so that some solutions are short.
    """
    layout = random_layout(rng)
    counts = {
        Piece(Colour.RED, Kind.PUCK): int(rng.integers(pucks, min(4, pucks + 1) + 1)),
        Piece(Colour.RED, Kind.ICE): int(rng.integers(3)),
        Piece(Colour.RED, Kind.MEEPLE): int(rng.integers(3)),
        Piece(Colour.BLUE, Kind.PUCK): int(rng.integers(1, 3)),
        Piece(Colour.BLUE, Kind.ICE): int(rng.integers(2)),
        Piece(Colour.BLUE, Kind.MEEPLE): int(rng.integers(2)),
    }
    pieces = [piece for piece, count in counts.items() for _ in range(count)]
    spaces = rng.choice(open_spaces(layout), len(pieces), replace=False)
    near = [space for space in spaces_before_goals(layout) if space not in spaces]
    if pucks > 1 and len(near) >= pucks:
        spaces[:pucks] = rng.choice(near, pucks, replace=False)
    rules = Rules(
        pass_through=bool(rng.random() < 0.2),
        slippery_ice=bool(rng.random() < 0.2),
    )
    placed = dict(zip(spaces.tolist(), pieces, strict=True))
    return make_position(layout, placed, to_move=Colour.RED, rules=rules)


def spaces_before_goals(layout):
    """Return the spaces from which a lone puck comes in with one action."""
    puck = Piece(Colour.RED, Kind.PUCK)
    found = []
    for space in open_spaces(layout):
        position = make_position(layout, {space: puck}, to_move=Colour.RED)
        if any(not play(position, move)[0].pieces for move in legal_moves(position)):
            found.append(space)
    return found


def random_layout(rng):
    """Return a house set-up, or a few house mats with a goal among them anyhow side by side."""
    if rng.random() < 0.3:
        return setup_named(str(rng.choice(["classic", "small"]))).layout
    goals = sorted(label for label in house_faces() if label[0] == "G")
    others = sorted(label for label in house_faces() if label[0] != "G" and label[-1] != "f")
    chosen = [str(rng.choice(goals)), *rng.choice(others, int(rng.integers(1, 5)), replace=False)]
    slots = [(0, 0)]
    while len(slots) < len(chosen):
        free = sorted({s for slot in slots for s in neighbour_slots(slot)} - set(slots))
        slots.append(free[int(rng.integers(len(free)))])
    return make_layout(
        (house_faces()[str(label)], Place(slot, int(rng.integers(4))))
        for label, slot in zip(chosen, slots, strict=True)
    )


def main():
    """Write the table."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    rng = np.random.default_rng(_SEED)
    for kind in KINDS:
        cases = random_cases(rng, kind)
        for index in range(_EACH + _EACH_WITH_CARDS):
            has_cards = index >= _EACH
            most = _POSITIONS_WITH_CARDS if has_cards else _POSITIONS
            cards = HANDS[index % len(HANDS)] if has_cards else ()
            position, goal = next(cases)
            actions, shortest, _ = plain_search(position, goal, most, cards)
            words = ",".join(card.value for card in cards)
            said = "" if shortest is None else shortest
            row = (position_text(position), goal_text(position, goal), words, actions, said)
            writer.writerow(row)
        sys.stderr.write(f"{kind}\n")
    write_whole(TABLE, text.getvalue().encode())


if __name__ == "__main__":
    main()
