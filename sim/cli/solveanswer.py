"""What ``pucklab solve`` prints: the line with drawings, a hint, or JSON."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sim.bumpers import Move, Position
    from sim.bumpers.game import Card
    from sim.bumpers.solver import Solution
    from sim.bumpers.solver.batch import Task


def print_answer(task: "Task", found: "Solution", play: "Sequence[Card]") -> None:
    """Print the answer, and the line with a drawing of the board after each action.

    Args:
        task: What was asked.
        found: What came of it.
        play: The cards to play for as many actions in a turn.
    """
    click.echo(_answer(found, task.limits.actions))
    if play:
        names = " and ".join(card.name for card in play)
        click.echo(f"play {names} first, for {_actions(len(found.line))} in a turn")
    _print_line(task.position, found)
    if task.every:
        _print_all(task.position, found)


def print_hint(start: "Position", found: "Solution", actions: int) -> None:
    """Print the first actions, or only the piece to look at."""
    from sim.bumpers import PieceMove, Swap
    from sim.bumpers.board import board_of
    from sim.bumpers.solver.solution import line_text

    first = found.line[0]
    if actions:
        click.echo(line_text(start, found.line[:actions]))
    elif isinstance(first, PieceMove):
        board = board_of(start.layout)
        where = board.name(board.squares[first.space])
        click.echo(f"look at the {start.piece_on(first.space)} on {where}")
    else:
        mat = first.first if isinstance(first, Swap) else first.mat
        click.echo(f"look at mat {start.layout.faces[mat].name}")


def answer_json(task: "Task", found: "Solution", play: "Sequence[Card]") -> str:
    """Return the answer as JSON; see `print_answer`."""
    import json

    from sim.bumpers import position_text
    from sim.bumpers.solver.goals import goal_text
    from sim.bumpers.solver.solution import line_texts

    start = task.position
    answer = {
        "position": position_text(start),
        "goal": goal_text(start, task.goal),
        "cards": list(task.hand.names),
        "play": [card.name for card in play],
        "max_actions": task.limits.actions,
        "status": found.status.value,
        "actions": len(found.line) or None,
        "line": line_texts(start, found.line),
        "lines": [line_texts(start, line) for line in found.lines],
        "complete": found.complete,
        "lower_bound": found.lower_bound,
        "limit": found.limit or None,
        "nodes": found.nodes,
        "generated": found.generated,
        "seconds": round(found.seconds, 6),
        "table_hits": found.table_hits,
        "table_used": found.table_used,
        "table_size": found.table_size,
    }
    return json.dumps(answer, indent=2)


def save_line(path: "Path", task: "Task", line: "Sequence[Move]") -> None:
    """Save a picture or a film of a line, or say that there is none.

    Args:
        path: Where to; it was checked.
        task: What was asked.
        line: The moves to show.
    """
    from render.bumpers.export import export_line
    from sim.bumpers.solver.goals import goal_text
    from sim.bumpers.solver.solution import line_steps

    if not line:
        click.echo(f"no action to draw; {path} is not written", err=True)
        return
    start = task.position
    assert start.to_move is not None
    caption = f"{start.to_move.word} to move, goal {goal_text(start, task.goal)}"
    export_line(path, start, line_steps(start, line), caption=caption)
    click.echo(f"wrote {path}", err=True)


def _answer(found: "Solution", most: int) -> str:
    """Return the answer in a line."""
    moves = "1 move" if found.nodes == 1 else f"{found.nodes} moves"
    work = f"{moves} made, {found.seconds:.3g} s"
    if found.line:
        return f"solved: {_actions(len(found.line))}, none has fewer ({work})"
    if found.lower_bound is None:
        return "no solution of any length: proved"
    if not found.limit:
        return f"no solution of at most {_actions(most)}: proved ({work})"
    why = "stopped" if found.limit == "stopped" else f"limit of {found.limit} reached"
    return f"{why}: a solution has at least {_actions(found.lower_bound)}: proved ({work})"


def _actions(number: int) -> str:
    return "1 action" if number == 1 else f"{number} actions"


def _print_line(start: "Position", found: "Solution") -> None:
    """Print each action of the solution, and a drawing of the board after it."""
    from sim.bumpers.drawing import draw_position
    from sim.bumpers.solver.solution import line_steps

    for index, step in enumerate(line_steps(start, found.line), start=1):
        click.echo(f"\n{index}. {step.text}\n{draw_position(step.after)}")


def _print_all(start: "Position", found: "Solution") -> None:
    """Print all solutions, one a line."""
    from sim.bumpers.solver.solution import line_text

    if not found.lines:
        return
    counted = f"{len(found.lines)}" if found.complete else f"{len(found.lines)} or more"
    click.echo(f"\nsolutions of {_actions(len(found.line))}: {counted}")
    for line in found.lines:
        click.echo(line_text(start, line))
