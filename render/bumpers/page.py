"""Web pages of boards: lines of moves and games to step through, puzzles to solve.

`line_item` and `puzzle_item` turn a line or a puzzle into the data of a page, `board_page` puts
items into one; the page shows them one after another. It draws with the shapes of `svg`. No rules
are decided in the page: a line has what each move changes, a puzzle all legal moves of each
position on its shortest solutions.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pucklab.physics import InputError
from pucklab.render.bumpers.board import Extent, Moment, extent_of, labels_of, moment_of
from pucklab.render.bumpers.colours import LIGHT_BOARD
from pucklab.render.bumpers.motion import Line, Motion, motion_of
from pucklab.render.bumpers.svg import legend_html, outer_box, shapes_svg
from pucklab.render.pages import (
    MAX_BYTES,
    check_page_size,
    fill_page,
    fill_places,
    frame_page,
    web_text,
)
from pucklab.render.palette import hex_code
from pucklab.sim.bumpers import Colour, PieceMove, board_of, legal_moves, move_text, play
from pucklab.sim.bumpers.puzzle_solving import (
    GRADES,
    Study,
    actions_needed,
    command_text,
    piece_hint,
    task_text,
)
from pucklab.sim.bumpers.solver.goals import goal_after

_FRAME_PX = 620
"""Height of a page in a notebook."""

Item = tuple[dict[str, Any], list[Moment]]
"""The data of a line or puzzle, and moments with all its mats and pieces."""


def board_page(items: Sequence[Item], title: str, printed: str = "", navigation: str = "") -> str:
    """Return a page of lines or puzzles.

    Args:
        items: The lines and puzzles.
        title: Title of the page.
        printed: The HTML that it prints instead.
        navigation: The name and the words at its head, in HTML.

    Raises:
        InputError: It would have more than 500,000 bytes.
    """
    shapes = shapes_svg([moment for _, moments in items for moment in moments], "pb")
    page = fill_page(
        title,
        {"items": [item for item, _ in items], "grades": GRADES - 1, "inks": board_inks()},
        kind="boards",
        stage=fill_places(web_text("pucklab.render.bumpers", "stage.html"), {"shapes": shapes}),
        scripts=[web_text("pucklab.render.bumpers", name) for name in ("board.js", "puzzles.js")],
        scrub="Move",
        hint="<p>A click on the right or left of a board steps on or back.</p>" + legend_html(),
        printed=printed,
        navigation=navigation,
    )
    check_page_size(page, MAX_BYTES, "these boards")
    return page


def board_inks() -> dict[str, str]:
    """Return the colours that the script draws with, by name."""
    inks = {name: getattr(LIGHT_BOARD, name) for name in ("trail", "moved", "start")}
    page = {name: getattr(LIGHT_BOARD.page, name) for name in ("accent", "flipped", "faint")}
    return {name: hex_code(colour) for name, colour in (inks | page).items()}


def board_frame(items: Sequence[Item], title: str) -> str:
    """Return a page of lines or puzzles as a frame for a notebook."""
    return frame_page(board_page(items, title), title, _FRAME_PX)


def line_item(line: Line, title: str, notes: Sequence[str] = ()) -> Item:
    """Return the data of a line of moves.

    Args:
        line: The line.
        title: A line above the board.
        notes: A sentence for each move; none if it is empty.
    """
    start = moment_of(line.start)
    names = labels_of(line.start.layout)
    item = still_item(line.extent, title, "", start, names)
    steps = []
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True)):
        after = labels_of(motion.after.layout, motion.origin_after)
        changed = {} if after == names else {"names": after}
        note = {"note": notes[number]} if notes and notes[number] else {}
        steps.append({"text": text, **note, **change_item(motion), **changed})
        names = after
    moments = [moment_of(motion.after, motion.origin_after) for motion in line.motions]
    return item | {"steps": steps}, [start, *moments]


def puzzle_item(study: Study) -> Item:
    """Return the data of a puzzle."""
    position, task = study.puzzle.position, task_text(study.puzzle)
    if study.puzzle.hand.mats:
        raise InputError(
            "save: a puzzle with a card is not solved in a saved page; give --play, or save as .svg"
        )
    start, names = moment_of(position), labels_of(position.layout)
    item = still_item(extent_of([start]), study.title, task, start, names)
    numbers: dict[str, int] = {}  # of moves, which positions share
    moves: list[list[Any]] = []
    nodes: list[list[Any]] = []
    squares = board_of(position.layout).squares
    for node in study.nodes:
        right, own = dict(node.right), []
        # The moves of the shortest solution that hints follow come first.
        others = legal_moves(node.position) if node.left else ()
        for move in (*right, *(m for m in others if m not in right)):
            assert isinstance(move, PieceMove)
            after, change = play(node.position, move)
            text = move_text(node.position, move)
            slides = change_item(motion_of(node.position, after, change.movements))["moves"]
            row, column = squares[move.space]
            fact = [column + 0.5, row + 0.5, int(move.direction), text, slides]
            number = numbers.setdefault(repr(fact), len(moves))
            if number == len(moves):
                moves.append(fact)
            code = right.get(move)
            if code is None:  # wrong: -1 unknown, -2 out of reach, else -2 - actions needed
                assert node.goal is not None
                rest = goal_after(node.goal, node.position, after, change)
                needed = actions_needed(after, rest)
                code = -1 if needed is None else -2 - max(needed, 0)
            own += [number, code]
        hint = f"L{piece_hint(node.position, node.right[0][0])[1:]}." if node.right else ""
        nodes.append([node.left, hint, own])
    side, targets = position.to_move, study.puzzle.goal.targets
    to_reach = [squares[target.space] for target in targets if target.space is not None]
    more = {
        "side": "" if side is None else side.letter,
        "sides": {colour.letter: colour.word for colour in Colour},
        "targets": [[column + 0.5, row + 0.5] for row, column in to_reach],
        "actions": study.actions,
        "command": command_text(study),
    }
    return item | more | {"moves": moves, "nodes": nodes}, [start]


def still_item(
    extent: Extent,
    title: str,
    task: str,
    start: Moment,
    names: Iterable[tuple[str, float, float]],
) -> dict[str, Any]:
    """Return the data of a board at rest."""
    mats = [[mat.face.label, mat.face.size, *mat.middle, mat.quarters] for mat in start.mats]
    return {
        "title": title,
        "task": task,
        "view": outer_box(extent),
        "mats": mats,
        "names": list(names),
        "pieces": [[pose.piece.code, *pose.middle] for pose in start.pieces],
    }


def change_item(motion: Motion) -> dict[str, Any]:
    """Return the changes of a move: pieces that move, come and go, and mats.

    A piece is named by its place before the move. It moves from and to a place, scores or not, and
    begins and ends at a time.
    """
    before = moment_of(motion.before, motion.origin)
    after = moment_of(motion.after, motion.origin_after)
    slides = {slide.space: slide for slide in motion.slides}
    moves: list[list[float]] = []
    taken = {slide.end for slide in slides.values() if not slide.scored}
    left = {
        space: pose
        for (space, _), pose in zip(motion.after.pieces, after.pieces, strict=True)
        if pose.middle not in taken
    }
    gone = []
    for (space, piece), pose in zip(motion.before.pieces, before.pieces, strict=True):
        slide = slides.get(space)
        if slide is not None:
            times = (round(slide.begin_s, 3), round(slide.end_s, 3))
            moves.append([*slide.start, *slide.end, int(slide.scored), *times])
        elif space in left and left[space].piece == piece:
            to = left.pop(space).middle
            if to != pose.middle:  # on a mat that moves
                moves.append([*pose.middle, *to, 0, 0, motion.duration_s])
        else:
            gone.append(pose.middle)
    come = [[pose.piece.code, *pose.middle] for pose in left.values()]
    mats = [
        [number, new.face.label, *new.middle, new.quarters]
        for number, (old, new) in enumerate(zip(before.mats, after.mats, strict=True))
        if old != new
    ]
    found = {"moves": moves, "gone": gone, "come": come, "mats": mats}
    return {name: part for name, part in found.items() if part or name == "moves"}
