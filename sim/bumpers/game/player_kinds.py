"""The players of Puck Bumpers by name, and series of games between them."""

import re
from functools import partial

from pucklab.sim.bumpers.game.match import BUMPERS
from pucklab.sim.bumpers.game.planner import PlannerPlayer, SolverLinePlayer
from pucklab.sim.bumpers.game.players import GreedyPlayer, RandomPlayer
from pucklab.sim.bumpers.solver.search import begin_to_compile_solver
from pucklab.sim.core.game import Player
from pucklab.sim.core.players import Players
from pucklab.sim.experiments.series import series_of

_TIMED = re.compile(r"planner-([0-9]{1,3}(?:\.[0-9]{1,3})?)s")
_LEAST_S, _MOST_S = 0.1, 60.0
_ALL_REPLIES = 100


def _make_timed(kind: str) -> Player | None:
    """Return a planner with a time a turn."""
    timed = _TIMED.fullmatch(kind)
    if timed is None or not _LEAST_S <= float(timed[1]) <= _MOST_S:
        return None
    return PlannerPlayer(20_000, _ALL_REPLIES, seconds=float(timed[1]))


def _prepare(kind: str) -> None:
    if "planner" in kind or "solver" in kind:
        begin_to_compile_solver()


PLAYERS = Players(
    game=BUMPERS,
    by_name={
        "random": RandomPlayer,
        "greedy": GreedyPlayer,
        "solver-line": SolverLinePlayer,
        "planner-quick": partial(PlannerPlayer, 2_000),
        "planner": partial(PlannerPlayer, 20_000),
        "planner-deep": partial(PlannerPlayer, 20_000, 6),
    },
    others=_make_timed,
    forms=(f"planner-1s for a planner with a second a turn ({_LEAST_S:g} to {_MOST_S:g})",),
    prepare=_prepare,
)

SERIES = series_of(PLAYERS)
