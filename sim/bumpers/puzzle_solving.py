"""Puzzles as a person solves them: the right moves of each position, attempts, hints, packs.

`study_of` finds all shortest solutions of a puzzle; their positions are the nodes of a `Study`, and
a move is right if one of them makes it. An `Attempt` is a person's way through it: `try_move`
judges a move, `explore` makes any move, `undo` takes one back, `ask_hint` asks for more help.
`PUZZLE` is a puzzle as a `Game` of one seat.
"""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from pucklab.base.decoding import Form, decode, register_form
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position, board_of
from pucklab.sim.bumpers.drawing import draw_position
from pucklab.sim.bumpers.mats import Kind
from pucklab.sim.bumpers.move_notation import move_text, parse_move
from pucklab.sim.bumpers.moves import (
    Line,
    MatTurn,
    Move,
    PieceMove,
    bare_move_text,
    moved_mats,
)
from pucklab.sim.bumpers.position_notation import position_text
from pucklab.sim.bumpers.puzzle_rating import rate
from pucklab.sim.bumpers.puzzle_themes import (
    NO_CARD,
    THEMES,
    TWIST,
    hand_after,
    legal_actions,
    themes_of,
)
from pucklab.sim.bumpers.puzzles import Puzzle
from pucklab.sim.bumpers.rules import play
from pucklab.sim.bumpers.solver import Goal, Hand, Limits, Question, solve
from pucklab.sim.bumpers.solver.goals import goal_after, goal_text, read_goal
from pucklab.sim.bumpers.solver.solution import line_text
from pucklab.sim.core.game import Decision, Game

_MOST_SOLUTIONS = 2000
_NODES = 30_000_000
"""Most shortest solutions of a puzzle, and most nodes of the search for them."""

_NODES_TO_TELL = 200_000
"""Nodes of the search that tells what a position still needs, some hundredths of a second."""

GRADES = 4
"""Grades of hints: the number of actions, the piece, its move, the whole solution."""

HOW_TO_MOVE = {
    Kind.PUCK: "puck: slides until something stops it; it scores in a goal",
    Kind.ICE: "ice block: steps one space; bumped, it slides",
    Kind.MEEPLE: "meeple: steps one space, or bumps a puck or ice block next to it",
}
"""Moves of each kind of piece, in words."""


Place = tuple[Position, Goal | None, Hand]
"""A position, the rest of the goal, None if it is reached, and the hand."""


@fact
class Node:
    """A position on a shortest solution."""

    position: Position
    goal: Goal | None  # the rest of it; None if it is reached
    right: tuple[tuple[Move, int], ...]  # moves of shortest solutions, each with the node reached
    left: int  # actions to go
    hand: Hand = NO_CARD


@fact
class Study:
    """A puzzle with all positions of its shortest solutions, its own position first.

    The title ends with the difficulty in a word and in points.
    """

    puzzle: Puzzle
    nodes: tuple[Node, ...]
    title: str
    day: date | None = None  # whose puzzle it is

    @property
    def actions(self) -> int:
        """Length of a shortest solution."""
        return self.nodes[0].left

    def line_from(self, number: int) -> Line:
        """Return the moves of a shortest solution from a node on."""
        line = []
        while self.nodes[number].right:
            move, number = self.nodes[number].right[0]
            line.append(move)
        return tuple(line)


def study_of(puzzle: Puzzle, title: str = "puzzle", day: date | None = None) -> Study:
    """Return the study of a puzzle, which may be that of a day: all its shortest solutions.

    Raises:
        InputError: It is no puzzle, see `puzzle_at`.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> start = parse_position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
        >>> study = study_of(puzzle_at(start, Goal()))
        >>> study.actions, line_text(start, study.line_from(0))
        (4, 'b7N b12W a12S a11E*')
    """
    lines = _shortest(puzzle.position, puzzle.goal, puzzle.hand)
    places: list[Place] = [(puzzle.position, puzzle.goal, puzzle.hand)]
    numbers, left = {places[0]: 0}, [len(lines[0])]
    right: list[dict[Move, int]] = [{}]
    for line in lines:
        number = 0
        for move in line:
            if move not in right[number]:
                place = place_after(places[number], move)
                if place not in numbers:
                    numbers[place] = len(places)
                    places.append(place)
                    left.append(left[number] - 1)
                    right.append({})
                right[number][move] = numbers[place]
            number = right[number][move]
    nodes = (
        Node(position=position, goal=rest, right=tuple(moves.items()), left=actions, hand=hand)
        for (position, rest, hand), moves, actions in zip(places, right, left, strict=True)
    )
    title = f"{title}, {puzzle.rating.difficulty} ({puzzle.rating.points})"
    return Study(puzzle=puzzle, nodes=tuple(nodes), title=title, day=day)


def place_after(place: Place, move: Move) -> Place:
    """Return the place after a legal move."""
    position, goal, hand = place
    after, change = play(position, move)
    return after, goal and goal_after(goal, position, after, change), hand_after(hand, move)


def puzzle_at(position: Position, goal: Goal, hand: Hand = NO_CARD) -> Puzzle:
    """Return a position as a puzzle, with its solution and rating.

    Raises:
        InputError: It has no solution of up to 20 actions, more than 2000 shortest ones, or is too
            hard to tell.
    """
    lines = _shortest(position, goal, hand)
    rating = rate(position, goal, lines, hand)
    return Puzzle(position=position, goal=goal, line=lines[0], rating=rating, hand=hand)


def _shortest(position: Position, goal: Goal, hand: Hand) -> tuple[Line, ...]:
    limits = Limits(nodes=_NODES)
    found = solve(Question(position, goal, limits, hand, solutions=_MOST_SOLUTIONS))
    if found.line and found.complete:
        return found.lines
    why = "it has no solution of up to 20 actions"
    if found.line:
        why = f"it has more than {_MOST_SOLUTIONS} shortest solutions"
    elif found.lines:
        why = "the goal is reached already"
    elif found.limit:
        why = f"it is not solved within {_NODES:,} nodes"
    raise InputError(f"{why}: {puzzle_key(position, goal, hand)}")


def puzzle_key(position: Position, goal: Goal, hand: Hand = NO_CARD) -> str:
    """Return a position, its goal and the card in hand in a line."""
    return " ".join((position_text(position), goal_text(position, goal), *hand.names))


@fact
class Attempt:
    """A person's way through a puzzle."""

    study: Study
    number: int = 0  # of the node
    past: tuple[int, ...] = ()  # the nodes before it
    explored: tuple[Place, ...] = ()  # reached freely from it
    explores: bool = False  # moves are not judged
    wrong: int = 0  # moves that led away
    hints: int = 0  # asked for
    grade: int = 0  # of the hint for this position, up to `GRADES`
    told: bool = False  # the whole solution was asked for

    @property
    def node(self) -> Node:
        """The position reached."""
        return self.study.nodes[self.number]

    @property
    def place(self) -> Place:
        """The position on the board, what is left of the goal, and the hand."""
        node = self.node
        return self.explored[-1] if self.explored else (node.position, node.goal, node.hand)

    @property
    def is_solved(self) -> bool:
        """True if the goal is reached by a shortest solution."""
        return self.node.left == 0

    @property
    def score(self) -> float:
        """1 if it is solved without help, 0 if the solution was told, one half in between."""
        return 0.0 if self.told else 0.5 if self.wrong or self.hints else 1.0


def check_action(attempt: Attempt, move: Move) -> None:
    """Check that a legal move is one of a piece, or that the card in hand allows it.

    Raises:
        InputError: It is not.
    """
    if not isinstance(move, PieceMove) and not (
        attempt.place[2].mats and isinstance(move, MatTurn)
    ):
        card = "the card turns a mat only" if attempt.place[2].mats else "there is no card for it"
        raise InputError(f"move: {bare_move_text(attempt.place[0].layout, move)}: {card}")


def try_move(attempt: Attempt, move: Move) -> tuple[Attempt, bool]:
    """Return the attempt after a legal move, and whether it is right; a wrong one is not made."""
    reached = dict(attempt.node.right).get(move)
    if reached is None:
        return replace(attempt, wrong=attempt.wrong + 1), False
    past = (*attempt.past, attempt.number)
    return replace(attempt, number=reached, past=past, grade=0), True


def explore(attempt: Attempt, move: Move) -> Attempt:
    """Return the attempt after a legal move that is not judged."""
    return replace(attempt, explored=(*attempt.explored, place_after(attempt.place, move)))


def undo(attempt: Attempt) -> Attempt:
    """Return the attempt without its last move; unchanged if there is none."""
    if attempt.explored:
        return replace(attempt, explored=attempt.explored[:-1])
    if not attempt.past:
        return attempt
    return replace(attempt, number=attempt.past[-1], past=attempt.past[:-1], grade=0)


def ask_hint(attempt: Attempt) -> Attempt:
    """Return the attempt with a hint, or with more of it."""
    if attempt.is_solved or attempt.grade == GRADES:
        return attempt
    grade = attempt.grade + 1
    told = attempt.told or grade == GRADES
    return replace(attempt, grade=grade, hints=attempt.hints + 1, told=told)


def hint_text(attempt: Attempt) -> str:
    """Return the hint for the position as text; empty if none was asked for."""
    start, line = attempt.node.position, attempt.study.line_from(attempt.number)
    if attempt.grade == 0 or not line:
        return ""
    if attempt.grade == 1:
        return f"It takes {count_text(attempt.node.left, 'action')}."
    if attempt.grade == 2:
        return f"L{piece_hint(start, line[0])[1:]}."
    words = line_text(start, line[:1] if attempt.grade == 3 else line)
    return f"Begin with {words}." if attempt.grade == 3 else f"The solution is {words}."


def piece_hint(position: Position, move: Move) -> str:
    """Return the hint that names only the piece or mat to move."""
    if isinstance(move, PieceMove):
        where = board_of(position.layout).name_of(move.space)
        return f"look at the {position.piece_on(move.space)} on {where}"
    return f"look at mat {position.layout.faces[moved_mats(move)[0]].name}"


def verdict_text(attempt: Attempt, text: str, *, right: bool) -> str:
    """Return the answer to a person's move.

    Args:
        attempt: The attempt after it.
        text: The move in notation.
        right: Whether it was right.
    """
    if not right:
        away = explore(attempt, parse_move(attempt.node.position, text)).place
        return f"{text} leads away: from there {describe_need(*away)}. Try another."
    if not attempt.is_solved:
        return f"{text} is right: {count_text(attempt.node.left, 'action')} to go."
    theme = theme_text(attempt.study)
    return f"{text} solves it {help_text(attempt)}!" + (f" Theme: {theme}." if theme else "")


def theme_text(study: Study) -> str:
    """Return the themes that all shortest solutions have, for those who have solved it."""
    lines: list[tuple[Line, int]] = [((), 0)]
    for _ in range(study.actions):
        lines = [
            ((*line, move), after)
            for line, number in lines
            for move, after in study.nodes[number].right
        ]
    found = themes_of(study.puzzle.position, (line for line, _ in lines))
    # A chain of three is one of two.
    left = [theme for theme in found if theme != "chain" or "long-chain" not in found]
    return " and ".join(THEMES[theme] for theme in left)


def describe_exploring(attempt: Attempt) -> str:
    """Return a sentence on the actions that an explored position needs, and the shortest total."""
    made, shortest = len(attempt.past) + len(attempt.explored), attempt.study.actions
    if attempt.place[1] is None:
        return f"The goal is reached in {count_text(made, 'action')}; the shortest is {shortest}."
    needed, left = describe_need(*attempt.place), max(shortest - made, 0)
    return f"After {count_text(made, 'action')} {needed}; the shortest was {left}."


def describe_need(position: Position, goal: Goal | None, hand: Hand = NO_CARD) -> str:
    """Return how many actions a position still needs, in words."""
    needed = actions_needed(position, goal, hand)
    if needed is None:
        return "it takes more actions than can be told quickly"
    return f"it still takes {needed}" if needed >= 0 else "the goal is out of reach"


def actions_needed(position: Position, goal: Goal | None, hand: Hand = NO_CARD) -> int | None:
    """Return the fewest actions to a goal: -1 if it is out of reach, None if that is not known.

    Goals of more than 20 actions count as out of reach; the search ends after 200,000 nodes.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> actions_needed(parse_position("pb1:small:RPb7.RMe7.BPd7:-:R:-"), Goal())
        4
    """
    if goal is None:
        return 0
    found = solve(Question(position, goal, Limits(nodes=_NODES_TO_TELL), hand))
    if found.lines:
        return len(found.line)
    return None if found.limit else -1


def help_text(attempt: Attempt) -> str:
    """Return the help that a person had, such as "with 1 hint"."""
    helps = ((attempt.wrong, "wrong move"), (attempt.hints, "hint"))
    how = " and ".join(count_text(number, noun) for number, noun in helps if number)
    return f"with {how}" if how else "without help"


def share_text(attempt: Attempt, days: int) -> str:
    """Return the result of a solved puzzle in a line, with the command that opens it.

    Args:
        attempt: The attempt.
        days: Days in a row with the puzzle of the day solved.
    """
    study = attempt.study
    row = f", {count_text(days, 'day')} in a row" if days and study.day else ""
    theme = theme_text(study)
    title = f"{study.title}: {theme}" if theme else study.title
    return (
        f"Puck Bumpers, {title}: solved in {count_text(study.actions, 'action')} "
        f"{help_text(attempt)}{row}. {command_text(study)}"
    )


def command_text(study: Study) -> str:
    """Return the command that opens a puzzle."""
    if study.day is not None:
        return f"pucklab puzzle --day {study.day.isoformat()} --play"
    position, goal = study.puzzle.position, study.puzzle.goal
    line = shlex.quote(position_text(position))
    cards = "".join(f" --cards {name}" for name in study.puzzle.hand.names)
    return f"pucklab puzzle {line} --goal {goal_text(position, goal)}{cards} --play"


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun.

    Example:
        >>> count_text(1, "action"), count_text(2, "action")
        ('1 action', '2 actions')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def task_text(puzzle: Puzzle, *, has_length: bool = True) -> str:
    """Return the task of a puzzle in a sentence, with the length of a shortest solution or not.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> start = parse_position("pb1:small:RPf7:-:R:-")
        >>> task_text(puzzle_at(start, Goal()))
        'Red to move: bring a red puck into a goal in 1 action.'
    """
    position, goal = puzzle.position, puzzle.goal
    board = board_of(position.layout)
    wanted = []
    for target in goal.targets:
        if target.piece is not None:
            which = f"the {position.piece_on(target.piece)} on {board.name_of(target.piece)}"
        elif target.space is not None:
            which = f"{'any' if target.colour is None else an(target.colour.word)} piece"
        else:
            word = target.colour_in(position).word
            few = {None: f"all {word} pucks", 1: f"{an(word)} puck"}
            which = few.get(target.count, f"{target.count} {word} pucks")
        where = "into a goal" if target.count == 1 else "into goals"
        if target.space is not None:
            where = f"to {board.name_of(target.space)}"
        wanted.append(f"{which} {where}")
    mover = "nobody" if position.to_move is None else position.to_move.word
    what, actions = " and ".join(wanted), count_text(len(puzzle.line), "action")
    more = f" in {actions}" if has_length else ", in as few actions as possible"
    card = "; one action may turn a mat" if puzzle.hand.mats else ""
    return f"{mover.capitalize()} to move: bring {what}{more}{card}."


def an(words: str) -> str:
    """Return words with the indefinite article."""
    return f"{'an' if words[:1] in set('aeiou') else 'a'} {words}"


@fact
class _StudyFile:
    """A puzzle as files have it."""

    position: Position
    goal: str
    title: str
    day: str | None = None
    card: bool = False  # one that turns a mat


def _study_from(value: object, where: str) -> Study:
    stored = decode(_StudyFile, value, where)
    try:
        goal = read_goal(stored.position, stored.goal)
        if not isinstance(goal, Goal):
            raise InputError(f"goal: {stored.goal!r} is not accepted; give one of a puzzle")
        day = None if stored.day is None else date.fromisoformat(stored.day)
        hand = TWIST if stored.card else NO_CARD
        return study_of(puzzle_at(stored.position, goal, hand), stored.title, day)
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None


register_form(
    Study,
    Form(
        name="a puzzle",
        read=_study_from,
        store=lambda study: {
            "position": position_text(study.puzzle.position),
            "goal": goal_text(study.puzzle.position, study.puzzle.goal),
            "title": study.title.rpartition(",")[0],
            "day": study.day and study.day.isoformat(),
            **({"card": True} if study.puzzle.hand.mats else {}),
        },
    ),
)

_WORDS = {
    "hint": "the number of actions; again: the piece to move, its move, the whole solution",
    "explore": "move freely, without being judged; once more: back to the puzzle",
    "undo": "take the last move back",
}


class PuzzleGame(Game[Study, Attempt, str, str]):
    """A puzzle as a game of one seat: moves in notation, and words for help."""

    name, setup, looks = "puzzle", Study, ("board",)

    def seats(self, _: Attempt) -> tuple[str, ...]:
        """Return the only seat."""
        return ("you",)

    def start(self, setup: Study) -> Attempt:
        """Return a new attempt."""
        return Attempt(study=setup)

    def open(self, state: Attempt) -> Decision | None:
        """Return the words and the legal moves; None once the puzzle is solved."""
        position, _, hand = state.place
        moves = (move_text(position, move) for move in legal_actions(position, hand))
        return None if state.is_solved else Decision(0, (*_WORDS, *moves))

    def apply(self, state: Attempt, answer: str) -> tuple[Attempt, tuple[str, ...]]:
        """Return the attempt after a move or a word, and the answer to the person."""
        after, told = state, ""
        if state.is_solved:
            raise InputError(f"{answer}: the puzzle is solved")
        if answer == "hint" and state.explores:
            told = "Hints are for the puzzle; 'explore' leads back to it."
        elif answer == "hint":
            after = ask_hint(state)
            told = hint_text(after)
        elif answer == "explore":
            after = replace(state, explored=(), explores=not state.explores)
            words = "Move freely; 'undo' takes a move back, 'explore' leads back to the puzzle."
            told = words if after.explores else "Back to the puzzle."
        elif answer == "undo":
            after = undo(state)
            told = "There is no move to take back." if after == state else ""
        else:
            move = parse_move(state.place[0], answer)
            check_action(state, move)
            if state.explores:
                after = explore(state, move)
                told = describe_exploring(after)
            else:
                after, right = try_move(state, move)
                told = verdict_text(after, move_text(state.place[0], move), right=right)
        is_drawn = after.place != state.place and not after.is_solved
        return after, tuple(filter(None, (told, draw_position(after.place[0]) if is_drawn else "")))

    def returns(self, state: Attempt) -> tuple[float, ...]:
        """Return the score, once the puzzle is solved."""
        return (state.score if state.is_solved else 0.0,)

    def view(self, state: Attempt, _: int) -> Mapping[str, Any]:
        """Return the position, the task and the hint."""
        return {
            "position": position_text(state.place[0]),
            "task": task_text(state.study.puzzle, has_length=False),
            "hint": hint_text(state),
        }

    def read(self, state: Attempt, text: str) -> str:
        """Return the move or word that a text means; a word may be its first letter."""
        position, own = state.place[0], text.strip().lower()
        word = next((word for word in _WORDS if own in {word, word[:1]}), "")
        return word or move_text(position, parse_move(position, text))

    def sentence(self, _: Attempt, option: str) -> str:
        """Return the effect of a word in a sentence."""
        return _WORDS.get(option, "")

    def question(self, state: Attempt, _: Decision) -> str:
        """Return whether a move is judged."""
        return "explore" if state.explores else "move"

    def look(self, state: Attempt, _seat: int, _word: str) -> str:
        """Return the board."""
        return draw_position(state.place[0])

    def result(self, _: Attempt, *, verbose: bool = False) -> Iterator[str]:
        """Yield nothing: the answer to the last move says that the puzzle is solved."""
        del verbose
        return iter(())


PUZZLE = PuzzleGame()
