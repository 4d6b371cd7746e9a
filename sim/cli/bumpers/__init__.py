"""``pucklab bumpers``: Puck Bumpers. Each command is a module of its own, as `sim.cli`'s are."""

import click

from sim.cli.lazygroup import LazyGroup

_COMMANDS = {
    "show": "Draw a position.",
    "view": "See a board in a window.",
    "moves": "List the legal moves of a position.",
    "perft": "Count lines of play and distinct positions.",
    "new": "Place all pieces at random.",
    "play": "Play a whole game, or replay one.",
}


@click.group("bumpers", cls=LazyGroup, package=__name__, about=_COMMANDS)
def command() -> None:
    """Puck Bumpers: mats that move, pieces that slide in chains.

    A position is one line, such as pb1:classic:RPc7d9.RMe3.BPg7:-:R:- (set-up, pieces, scored
    pucks, colour to move, checksum), or a file with a board of your own.

    \b
    Examples:
      pucklab bumpers show pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers view pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers moves pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers perft pb1:small:RPb7.RMe7.BPd7:-:R:- --depth 6 --mats
      pucklab bumpers play --players random,greedy
    """
