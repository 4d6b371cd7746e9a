"""``pucklab solve``: find a shortest solution of a Puck Bumpers position."""

import sys
from typing import TYPE_CHECKING

import click

from sim.cli.numbers import count, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.bumpers import Move, Position
    from sim.bumpers.solver import Goal, MatCard, Solution


@click.command("solve")
@click.argument("position", metavar="POSITION|FILE")
@click.option(
    "--goal",
    "goal_text",
    default="1",
    show_default=True,
    metavar="GOAL",
    help="1 to 4 or all: pucks in, with :B another colour's; puck:c7: that puck in; to:c7: any "
    "piece on that space, with :B one of a colour.",
)
@click.option(
    "--cards",
    "card_names",
    metavar="CARDS",
    help="Mat cards in hand, with commas between them: twist, swap, shift; each is one action.",
)
@click.option(
    "--max-actions",
    callback=count(1, 64),
    default=20,
    show_default=True,
    metavar="N",
    help="Most actions of a solution, 1 to 64.",
)
@click.option(
    "--time", "seconds", callback=number(0.001, 1e7, "s"), metavar="S", help="Stop after S seconds."
)
@click.option("--nodes", callback=count(1, 10**15), metavar="N", help="Stop after N moves made.")
@click.option(
    "--memory-mb",
    callback=number(8, 1e6, "MB"),
    default=1024.0,
    show_default=True,
    metavar="M",
    help="Most memory of what the search remembers.",
)
@click.option("--all", "every", is_flag=True, help="Print all shortest solutions, up to 10,000.")
@click.option(
    "--hint",
    callback=count(0, 64),
    metavar="K",
    help="Print only the first K actions; 0: only the piece to look at.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def command(
    *,
    position: str,
    goal_text: str,
    card_names: str | None,
    max_actions: int,
    seconds: float | None,
    nodes: int | None,
    memory_mb: float,
    every: bool,
    hint: int | None,
    as_json: bool,
) -> int:
    """Find a shortest list of actions of the side to move that reaches a goal.

    Or prove that none has at most N actions. Where a limit or Ctrl-C ends the search, it tells
    how many actions a solution has at least.

    \b
    Examples:
      pucklab solve pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab solve pb1:small:RPb7f5.RMe7.BPd7:-:R:- --goal all --time 10
      pucklab solve my_board.toml --goal puck:c7 --cards twist,swap --hint 1
    """
    from sim.bumpers.solver import Limits, solve
    from sim.bumpers.solver.goaltext import read_goal
    from sim.bumpers.solver.hand import read_cards
    from sim.cli import EXIT_STOPPED
    from sim.cli.bumpers.positions import position_of

    start = position_of(position)
    goal = read_goal(start, goal_text)
    cards = () if card_names is None else read_cards(card_names)
    limits = Limits(actions=max_actions, nodes=nodes, seconds=seconds, memory_mb=memory_mb)
    watch = _tell if sys.stderr.isatty() else None
    found = solve(start, goal, limits, cards=cards, every=every, watch=watch)
    if watch is not None:
        click.echo("\r\033[K", nl=False, err=True)
    if as_json:
        _print_json(start, goal, cards, found)
    elif hint is not None and found.line:
        _print_hint(start, found, hint)
    else:
        click.echo(_answer(found, max_actions))
        _print_line(start, found)
        if every:
            _print_all(start, found)
    return EXIT_STOPPED if found.limit == "stopped" else 0


def _tell(state: "Solution") -> None:
    """Show on a terminal how far the search is."""
    least = f"at least {state.lower_bound} actions, {state.nodes} moves made"
    click.echo(f"\r{least}", nl=False, err=True)


def _answer(found: "Solution", most: int) -> str:
    """Return the answer in a line."""
    work = f"{found.nodes} moves made, {found.seconds:.3g} s"
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
    from sim.bumpers import apply, move_text
    from sim.bumpers.drawing import draw_position

    position = start
    for index, move in enumerate(found.line, start=1):
        text = move_text(position, move)
        position = apply(position, move)
        click.echo(f"\n{index}. {text}\n{draw_position(position)}")


def _print_all(start: "Position", found: "Solution") -> None:
    """Print all solutions, one a line."""
    if not found.lines:
        return
    counted = f"{len(found.lines)}" if found.complete else f"{len(found.lines)} or more"
    click.echo(f"\nsolutions of {_actions(len(found.line))}: {counted}")
    for line in found.lines:
        click.echo(" ".join(_texts(start, line)))


def _print_hint(start: "Position", found: "Solution", actions: int) -> None:
    """Print the first actions, or only the piece to look at."""
    from sim.bumpers import PieceMove, Swap
    from sim.bumpers.board import board_of

    first = found.line[0]
    if actions:
        click.echo(" ".join(_texts(start, found.line[:actions])))
    elif isinstance(first, PieceMove):
        board = board_of(start.layout)
        where = board.name(board.squares[first.space])
        click.echo(f"look at the {start.piece_on(first.space)} on {where}")
    else:
        mat = first.first if isinstance(first, Swap) else first.mat
        click.echo(f"look at mat {start.layout.faces[mat].name}")


def _print_json(
    start: "Position", goal: "Goal", cards: "Sequence[MatCard]", found: "Solution"
) -> None:
    """Print the answer as JSON."""
    import json

    from sim.bumpers import position_text
    from sim.bumpers.solver.goaltext import goal_text

    answer = {
        "position": position_text(start),
        "goal": goal_text(start, goal),
        "cards": [card.value for card in cards],
        "status": found.status.value,
        "actions": len(found.line) or None,
        "line": _texts(start, found.line),
        "lines": [_texts(start, line) for line in found.lines],
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
    click.echo(json.dumps(answer, indent=2))


def _texts(start: "Position", line: "tuple[Move, ...]") -> list[str]:
    """Return the moves of a line as text."""
    from sim.bumpers import apply, move_text

    texts, position = [], start
    for move in line:
        texts.append(move_text(position, move))
        position = apply(position, move)
    return texts
