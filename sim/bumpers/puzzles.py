"""Puzzles: random positions of a wanted solution length, solved and rated.

A draft, a random position with a goal, is changed step by step until its shortest solutions are as
wanted. A change is kept if it makes the shortest solutions longer, lets more pieces set out in
them, makes independent pieces depend on each other, or leaves fewer solutions (once the last one
is gone, the next ones are longer). Walks, steps of one piece in a row, do not count as length. If a
draft's solution is too long, its first actions are played. At last, pieces that change no shortest
solution are removed, but for decoys that were asked for. Begin with `make_puzzle`.

Example:
    >>> puzzle = make_puzzle(PuzzleSpec(actions=2, unique=True), seed=1, index=0)
    >>> len(puzzle.line), puzzle.rating.solutions
    (2, 1)
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import check_count, shown
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.bumpers.board import (
    Position,
    board_of,
    make_position,
    open_spaces,
    with_pieces,
)
from pucklab.sim.bumpers.mats import (
    Colour,
    Kind,
    Layout,
    Piece,
    Place,
    Rules,
    Slot,
    make_layout,
    neighbour_slots,
)
from pucklab.sim.bumpers.moves import Line
from pucklab.sim.bumpers.puzzle_rating import (
    Rating,
    Ways,
    decoys_of,
    rate,
    ways_of,
)
from pucklab.sim.bumpers.puzzle_themes import THEMES, TWIST, hand_after, measure_theme
from pucklab.sim.bumpers.setups import Setup, house_faces, setups
from pucklab.sim.bumpers.solver import Goal, Hand, Limits, Question, Solution, Target, solve
from pucklab.sim.bumpers.solver.goals import MOST_PUCKS, goal_after
from pucklab.sim.bumpers.solver.solution import line_steps

MOST_ACTIONS = 20
MOST_MOVERS = 4
MOST_DECOYS = 9

GOALS = (*(str(pucks) for pucks in range(1, MOST_PUCKS + 1)), "all", "puck", "to")

_HOUSE_BOARDS = ("classic", "small")
_HOUSE_CHANCE = 0.4
_MATS = (2, 6)

_LINES = {"long-chain": "P.P.P", "bump": "PM", "ice": "P.IM"}
"""Pieces in a line before a goal, the nearest first, with which drafts of a theme begin.

The first is a puck of another colour, which is to come in: one's own would slide in by itself."""

_MOST_OTHERS = 5
"""Other pieces of such drafts."""

_HITS = 0.35
"""Least share of the actions of a puzzle with a theme that set another piece in motion."""

_CARD_CHANCE = 0.15
"""Chance that a puzzle of any other theme also has a card that turns a mat."""

_CROWD = 0.3
"""Maximum fraction of the open spaces with pieces on them."""

_FRUITLESS = 60
_DRAFTS = 40
_CHANGES = 300
_BEYOND = 2
_NODES = 20_000
_MOST_SOLUTIONS = 500
_MOST_COMPARED = 100  # shortest lines that are compared for what their pieces do to each other
_TEMPTING_CHANGES = 100  # tried to add decoys to a puzzle that meets the other requirements
_FEW_DECOYS = 10  # such puzzles with too few decoys, after which there is no use in more drafts
_ACTIONS_A_STEP = 5  # actions for which a solution may have one step after another of a piece


@fact
class PuzzleSpec:
    """The requirements on a puzzle.

    Attributes:
        actions: Length of a shortest solution, 1 to 20 actions.
        goal: The kind of goal: 1 to 4 or ``all`` for pucks of the side to move in, ``puck`` for a
            named puck in, ``to`` for a piece of the side to move on a named space.
        movers: Minimum number of pieces that set out in a solution, 1 to 4.
        unique: True if there must be exactly one shortest solution; orders of the same actions
            count as one.
        decoys: Minimum number of first actions that tempt and begin no shortest solution, 0 to 9;
            see `Rating`. Only if it is more than 0 do pieces stay that change no solution.
        setup: The board and its rules; None for house boards of all sizes.
        theme: A theme that every shortest solution has, one of
            `pucklab.sim.bumpers.puzzle_themes.THEMES`, or empty. With a theme solutions hit more,
            and some puzzles have a card that turns a mat.
        card: True if there is a card that turns a mat, which every shortest solution needs.

    Raises:
        InputError: A field is not accepted.
    """

    actions: int = 4
    goal: str = "1"
    movers: int = 1
    unique: bool = False
    decoys: int = 0
    setup: Setup | None = None
    theme: str = ""
    card: bool = False

    def __post_init__(self) -> None:
        if self.theme:
            check_one_of("theme", self.theme, (*THEMES,))
        check_count("actions", self.actions, 1, MOST_ACTIONS)
        check_count("movers", self.movers, 1, min(MOST_MOVERS, self.actions))
        check_count("decoys", self.decoys, 0, MOST_DECOYS)
        if self.goal not in GOALS:
            raise InputError(f"goal: {shown(self.goal)} is not accepted; give {', '.join(GOALS)}")
        if self.actions < self.pucks:
            raise InputError(
                f"actions: {self.actions} is not accepted; {self.pucks} pucks need at least "
                f"{self.pucks}"
            )
        if self.setup is not None:
            name, layout = self.setup.name, self.setup.layout
            each = self.setup.rules.pieces_each[Kind.PUCK]
            if self.pucks > each:
                raise InputError(f"goal: {self.pucks} pucks; each colour has {each} on {name!r}")
            if self.goal != "to" and not board_of(layout).goals:
                raise InputError(f"setup: {name!r} has no goal for pucks")
            if len(open_spaces(layout)) <= self.pucks:
                raise InputError(f"setup: {name!r} has too few open spaces for {self.pucks} pucks")

    @property
    def pucks(self) -> int:
        """Minimum number of pucks of the side to move."""
        return int(self.goal) if self.goal.isdigit() else 1


@fact
class Puzzle:
    """A position to solve, with its solution."""

    position: Position
    goal: Goal
    line: Line  # the first shortest solution in the order of the solver
    rating: Rating
    hand: Hand = Hand()  # a card that turns a mat, or none


@fact
class Draft:
    """A puzzle that is not finished."""

    position: Position
    goal: Goal
    hand: Hand = Hand()


@fact
class _Solved:
    draft: Draft
    found: Solution
    ways: Ways
    idle: int
    """Pieces that should set out but do not."""

    walked: int
    """Steps in a row beyond those that the length allows."""

    loose: int
    """Groups of pieces that have nothing to do with the others, if more than one puck comes in."""

    missing: float = 0.0
    """Share of the solutions without the theme, or the card."""

    tame: int = 0
    """Actions that should hit another piece but do not."""

    @property
    def cost(self) -> tuple[float, ...]:
        length = len(self.found.line) - self.walked
        rest = self.idle, self.loose, self.walked, self.ways.solutions
        return self.missing, -length, self.tame, *rest

    def meets(self, spec: PuzzleSpec) -> bool:
        most = 1 if spec.unique else _MOST_SOLUTIONS
        is_long = len(self.found.line) == spec.actions
        is_good = not (self.idle or self.walked or self.loose or self.missing or self.tame)
        return is_long and is_good and self.found.complete and self.ways.solutions <= most

    @property
    def decoys(self) -> int:
        good = {line[0] for line in self.found.lines}
        return decoys_of(self.draft.position, self.draft.goal, good)


def make_puzzle(spec: PuzzleSpec, seed: int, index: int) -> Puzzle | str:
    """Make one puzzle; if many drafts fail, return a sentence that says what would help.

    Args:
        spec: The requirements.
        seed: The seed.
        index: The puzzle's number among those of the seed, from 0.

    Raises:
        KeyboardInterrupt: Ctrl-C; an interrupted search does not count as finished.
    """
    # Other lengths and goals begin on other boards.
    of_spec = [index, spec.actions, GOALS.index(spec.goal)]
    if spec.theme or spec.card:
        of_spec += [1 + [*THEMES, ""].index(spec.theme), spec.card]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=of_spec))
    decoys: list[int] = []  # of puzzles that have too few
    for _ in range(_DRAFTS):
        solved = _climb(spec, rng)
        if solved is not None:
            solved = _without_idle_pieces(spec, solved)
            if spec.decoys:
                solved = _without_idle_pieces(spec, _with_decoys(spec, solved, rng))
            if not solved.meets(spec):
                continue
            if solved.decoys < spec.decoys:
                decoys.append(solved.decoys)
                if len(decoys) == _FEW_DECOYS:
                    break
                continue
            position, goal, hand = solved.draft.position, solved.draft.goal, solved.draft.hand
            return Puzzle(
                position=position,
                goal=goal,
                line=solved.found.line,
                rating=rate(position, goal, solved.found.lines, hand),
                hand=hand,
            )
    if decoys:
        most = max(decoys)
        goals = "" if spec.goal != "puck" else ", or another goal, which more pieces can reach"
        return f"the most decoys of {len(decoys)} such puzzles were {most}; ask for no more{goals}"
    less = ["fewer actions", *(["fewer movers"] if spec.movers > 1 else [])]
    unique = ", or leave out unique" if spec.unique else ""
    return f"{_DRAFTS} drafts did not lead to one; ask for {' or '.join(less)}{unique}"


def _climb(spec: PuzzleSpec, rng: np.random.Generator) -> _Solved | None:
    """Improve a draft step by step; return None if it never meets the requirements."""
    best = _solve_draft(spec, first_draft(spec, rng))
    for number in range(_CHANGES):
        if number > _FRUITLESS and best is not None and best.missing == 1:
            return None  # a theme that no solution has by now is seldom found
        if best is None:
            best = _solve_draft(spec, first_draft(spec, rng))
            continue
        if best.meets(spec):
            return best
        tried = _solve_draft(spec, change_draft(best.draft, rng))
        if tried is not None and tried.cost <= best.cost:
            best = tried
    return None


def _with_decoys(spec: PuzzleSpec, solved: _Solved, rng: np.random.Generator) -> _Solved:
    """Change a finished draft further, for the decoys that are wanted; it stays as wanted."""
    for _ in range(_TEMPTING_CHANGES):
        if solved.decoys >= spec.decoys:
            break
        tried = _solve_draft(spec, change_draft(solved.draft, rng))
        if tried is not None and tried.meets(spec) and tried.decoys > solved.decoys:
            solved = tried
    return solved


def _without_idle_pieces(spec: PuzzleSpec, solved: _Solved) -> _Solved:
    """Remove every piece that changes no shortest solution, but for decoys that are wanted."""
    before = None
    while before is not solved:  # one piece gone may make another idle
        before = solved
        for space, _ in before.draft.position.pieces:
            draft = solved.draft
            if not _is_spare(draft.position, draft.goal.targets[0], space):
                continue
            pieces = {other: piece for other, piece in draft.position.pieces if other != space}
            position = with_pieces(draft.position, pieces)
            tried = _solve_draft(spec, replace(draft, position=position))
            if (
                tried is not None
                and tried.draft.position == position  # else a longer solution, partly played
                and tried.found.complete
                and tried.found.lines == solved.found.lines
                and tried.decoys >= min(spec.decoys, solved.decoys)
            ):
                solved = tried
    return solved


def _solve_draft(spec: PuzzleSpec, draft: Draft) -> _Solved | None:
    """Return a draft with its solutions, not longer than required; None if it has none."""
    limits = Limits(max_actions=spec.actions + _BEYOND, nodes=_NODES)
    question = Question(draft.position, draft.goal, limits, draft.hand, solutions=_MOST_SOLUTIONS)
    found = solve(question)
    if not found.line:
        return None
    beyond = len(found.line) - spec.actions
    if beyond <= 0:
        position, lines = draft.position, found.lines[:_MOST_COMPARED]
        ways = ways_of(position, lines)
        if len(found.lines) > _MOST_COMPARED:
            ways = replace(ways, solutions=len(found.lines), groups=MOST_PUCKS)
        missing, hits = 0.0, spec.actions
        themes = [spec.theme] * bool(spec.theme) + ["mat"] * bool(draft.hand.mats)
        if themes:
            missing, hits = measure_theme(position, lines, themes)
        wanted = round(_HITS * spec.actions) if spec.theme else 0
        return _Solved(
            draft=draft,
            found=found,
            ways=ways,
            idle=max(spec.movers - ways.movers, 0),
            walked=max(ways.walked - spec.actions // _ACTIONS_A_STEP, 0),
            loose=ways.groups - 1 if draft.goal.targets[0].count != 1 else 0,
            missing=missing,
            tame=max(wanted - hits, 0),
        )
    # Play the first actions of a longer solution, unless they reach part of the goal.
    goal, position, hand = draft.goal, draft.position, draft.hand
    for step in line_steps(position, found.line[:beyond]):
        left = goal_after(goal, position, step.after, step.change)
        if left is None or step.after.scored != position.scored:
            return None
        goal, position, hand = left, step.after, hand_after(hand, step.move)
    return _solve_draft(spec, Draft(position=position, goal=goal, hand=hand))


def first_draft(spec: PuzzleSpec, rng: np.random.Generator) -> Draft:
    """Return a random position with a goal of the wanted kind.

    Args:
        spec: The requirements.
        rng: The random number generator.

    Example:
        >>> draft = first_draft(PuzzleSpec(goal="2"), np.random.default_rng(1))
        >>> draft.goal.targets[0].count, draft.position.to_move is None
        (2, False)
    """
    if spec.setup is None:
        is_small = bool(spec.card or spec.theme)
        layout, rules = _random_layout(rng, is_small=is_small), Rules()
    else:
        layout, rules = spec.setup.layout, spec.setup.rules
    colour, *rest = (Colour(int(number)) for number in rng.permutation(len(Colour)))
    others = rest[: int(rng.integers(len(rest) + 1))]
    own, strange = (
        [
            Piece(owner, kind)
            for owner in owners
            for kind, each in rules.pieces_each.items()
            for _ in range(each)
        ]
        for owners in ([colour], others)
    )
    pieces = [own.pop(own.index(Piece(colour, Kind.PUCK))) for _ in range(spec.pucks)]
    spaces = open_spaces(layout)
    most = int(_CROWD * len(spaces))
    pieces += _some(own, most - len(pieces), rng)
    pieces += _some(strange, most - len(pieces), rng)
    chosen = rng.choice(spaces, len(pieces) + 1, replace=False).tolist()
    placed = dict(zip(chosen[1:], pieces, strict=True))
    aim = None
    if spec.theme in _LINES and spec.goal == "1":
        line = _line_up(layout, (rest[0], colour), _LINES[spec.theme], rng)
        # Few other pieces, so that there are few other solutions.
        placed = dict([*placed.items()][:_MOST_OTHERS]) | line if line else placed
        aim = next(iter(line), None)
    position = make_position(layout, placed, to_move=colour, rules=rules)
    # The first space is empty, on the second stands a puck of the colour.
    if aim is not None or spec.goal == "puck":
        target = Target(piece=chosen[1] if aim is None else aim)
    elif spec.goal == "to":
        target = Target(space=chosen[0], colour=colour)
    else:
        target = Target(count=None if spec.goal == "all" else int(spec.goal))
    hand = Hand()
    if spec.card or spec.theme == "mat" or (spec.theme and rng.random() < _CARD_CHANCE):
        hand = TWIST
    return Draft(position=position, goal=Goal(targets=(target,)), hand=hand)


def _line_up(
    layout: Layout, colours: tuple[Colour, Colour], signs: str, rng: np.random.Generator
) -> dict[int, Piece]:
    """Return pieces in a line before a random goal; none if there is no room for it.

    Args:
        layout: The layout.
        colours: The colour of the first piece, and that of the others.
        signs: The pieces, the nearest to the goal first; a full stop leaves a space free.
        rng: The random number generator.
    """
    board = board_of(layout)
    goals = sorted(board.goals)
    here = goals[int(rng.integers(len(goals)))]
    facing, placed = board.goals[here], dict[int, Piece]()
    for sign in signs:
        there = board.ahead(here, facing)
        if there is None or there in board.goals:
            return {}
        here = there
        if sign != ".":
            placed[board.spaces[here]] = Piece(colours[len(placed) > 0], Kind(sign))
    return placed


def change_draft(draft: Draft, rng: np.random.Generator) -> Draft:
    """Return a draft with one piece moved, added or removed, or with another target space."""
    position, (target,) = draft.position, draft.goal.targets
    pieces = dict(position.pieces)
    taken = {*pieces, target.space}
    free = [space for space in open_spaces(position.layout) if space not in taken]
    if not free:
        return draft
    space = int(rng.choice(free))
    chance = rng.random()
    if target.space is not None and chance < 0.1:
        return replace(draft, goal=Goal(targets=(replace(target, space=space),)))
    chosen = position.pieces[int(rng.integers(len(pieces)))][0]
    if chance < 0.7:
        pieces[space] = pieces.pop(chosen)
        if chosen == target.piece:
            target = replace(target, piece=space)
    elif chance < 0.85:
        piece = pieces[chosen]
        there = position.count(piece)
        there += position.scored[piece.colour] if piece.kind is Kind.PUCK else 0
        if there < position.rules.pieces_each[piece.kind]:
            pieces[space] = piece
    elif _is_spare(position, target, chosen):
        del pieces[chosen]
    goal = Goal(targets=(target,))
    return replace(draft, position=with_pieces(position, pieces), goal=goal)


def _some(pieces: Sequence[Piece], most: int, rng: np.random.Generator) -> list[Piece]:
    count = int(rng.integers(max(min(len(pieces), most), 0) + 1))
    return [pieces[int(number)] for number in rng.permutation(len(pieces))[:count]]


def _is_spare(position: Position, target: Target, space: int) -> bool:
    """Return whether a target can be reached without the piece on a space."""
    piece = dict(position.pieces)[space]
    if piece.colour is not position.to_move:
        return space != target.piece
    if target.space is not None:
        return sum(other.colour is piece.colour for _, other in position.pieces) > 1
    if piece.kind is not Kind.PUCK:
        return True
    return space != target.piece and position.count(piece) > (target.count or 1)


def _random_layout(rng: np.random.Generator, *, is_small: bool) -> Layout:
    """Return a house set-up, or a random arrangement of house mats with a goal.

    Where pieces are to meet or mats to turn, the board is small.
    """
    if rng.random() < _HOUSE_CHANCE and not is_small:
        return setups()[str(rng.choice(_HOUSE_BOARDS))].layout
    faces = house_faces()
    goals = sorted(label for label, face in faces.items() if face.goals)
    others = sorted(label for label in faces if label not in goals and not label.endswith("f"))
    while True:
        count = int(rng.integers(_MATS[0], _MATS[1] + 1))
        chosen = [str(rng.choice(goals)), *rng.choice(others, count - 1, replace=False).tolist()]
        slots: list[Slot] = [(0, 0)]
        while len(slots) < count:
            free = sorted({s for slot in slots for s in neighbour_slots(slot)} - set(slots))
            slots.append(free[int(rng.integers(len(free)))])
        layout = make_layout(
            (faces[label], Place(slot, int(rng.integers(4))))
            for label, slot in zip(chosen, slots, strict=True)
        )
        board = board_of(layout)
        if any(board.ahead(square, facing) is not None for square, facing in board.goals.items()):
            return layout
