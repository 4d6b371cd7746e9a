"""The players of Puck Bumpers by name, and series of games between them."""

import re
from functools import partial

import numpy as np

from pucklab.sim.bumpers.game.choices import choice_text
from pucklab.sim.bumpers.game.match import BUMPERS
from pucklab.sim.bumpers.game.planner import PlannerPlayer, SolverLinePlayer
from pucklab.sim.bumpers.game.players import GreedyPlayer, RandomPlayer
from pucklab.sim.bumpers.game.state import GameState
from pucklab.sim.core.game import Decision, Player
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
)

PLAYS = {
    "random": "anyhow",
    "greedy": "simply",
    "planner-quick": "well",
    "planner": "very well",
    "planner-deep": "like an expert",
}
"""How well each kind of rival plays, in words; the weakest comes first."""

SERIES = series_of(PLAYERS)


def advice_lines(state: GameState, decision: Decision) -> list[str]:
    """Return the best choices of the deep planner, and what each brings, a line each."""
    lines = []
    planner = PlannerPlayer(20_000, 6)
    found = planner.advise(state, decision, np.random.default_rng(0))
    for number, advice in enumerate(found, start=1):
        parts = [f"{advice.pucks} in"] if advice.pucks else []
        if advice.rating is not None and advice.after_reply is not None:
            parts.append(f"rating {advice.rating:+.1f}, after the reply {advice.after_reply:+.1f}")
        parts.append(f"{advice.cards} card{'' if advice.cards == 1 else 's'} left")
        lines.append(f"{number}. {choice_text(state, advice.choice)}: {', '.join(parts)}")
    return lines
