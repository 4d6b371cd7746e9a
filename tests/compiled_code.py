"""Compiled code for the tests: made once a session, before its workers need it."""

from pucklab.physics.compiling import compile_in_background, wait_for_background
from pucklab.physics.solid.engine import compile_solid
from pucklab.physics.solid.overlap import resolve_overlaps
from pucklab.sim.bumpers.kernel.search import search_depth_first
from pucklab.sim.bumpers.solver.search import compile_solver
from pucklab.sim.pokepucks.battle.kernel_rules import play_out
from pucklab.sim.pokepucks.battle.playouts import compile_battles

ROOMS = (
    (compile_solid, resolve_overlaps),
    (compile_solver, search_depth_first),
    (compile_battles, play_out),
)
"""What compiles a room's kernels, and the last of them."""


def compile_all():
    """Compile what is not kept from an earlier run, each room in a process of its own."""
    for prepare, last in ROOMS:
        compile_in_background(prepare, last)
    wait_for_background()
