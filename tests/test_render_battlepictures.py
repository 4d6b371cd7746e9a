"""Whole battles drawn frame by frame without a window: the picture never fails."""

import numpy as np
import pytest

from physics import preset
from render.battlewindow import BattlePlayback, BattleWindow, Game, recorded_game
from render.battlewindow.playback import PACES, TEMPOS
from render.canvas import new_surface
from render.palette import DARK, LIGHT
from sim.core.players import RandomPlayer
from sim.pokepucks.battle.events import ThrowSkipped
from sim.pokepucks.battle.live import decide_first
from sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import BattleOptions, Mode
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from tests.pokepucksbattles import DiceThrows
from tests.randombattles import one, random_table
from tests.slowness import slow

SLAMMERS = ("pikachu", "onix", "lapras", "jigglypuff")
THROWS = (shipped_table(), DiceThrows(0.4), PhysicsThrows(preset=preset("fast")))
SMALL, LARGE, LONG_FRAME_S = (480, 320), (1280, 800), 0.2


def battle_of(seed):
    """Return a battle: every other one by the defaults, of two to four; a person plays in some."""
    rng = np.random.default_rng(seed)
    if seed % 2:
        table = random_table(rng)
    else:
        players = 2 + seed // 2 % 3
        options = BattleOptions(
            mode=tuple(Mode)[seed // 6 % 3],
            max_turns=40 if seed % 4 else 250,
            puckdex=bool(seed % 10),
            puckmart=bool(seed % 14),
        )
        table = house_table(list(map(shipped_catalogue().find, SLAMMERS[:players])), options)
    throws = THROWS[seed % 5 % 3]
    kinds = (None, GreedyPlayer(), RandomPlayer(), SkilledPlayer())
    seats = [one(rng, kinds[seed % 3 > 0 :]) for _ in range(table.players)]
    table, _ = decide_first(table, throws, seed)
    return Game(table, seats, throws, seed, asks_all=bool(seed % 4), own_throws=True)


def window_of(game, seed):
    """Return a window in which a battle goes fast."""
    playback = BattlePlayback(game)
    playback.tempo, playback.pace = TEMPOS[-1], PACES[seed % 2]
    seats = range(game.setup.players)
    kinds = ["person" if game.is_person(seat) else "greedy" for seat in seats]
    return BattleWindow(playback, kinds=kinds, seed=seed, throws="tests")


def draw_whole(window, size):
    """Draw every frame of a live battle to its end, where a person takes what is proposed."""
    surface, playback, frames = new_surface(*size), window.playback, 0
    while not playback.entry.is_last or playback.slam_runs:
        window.draw(surface, (DARK, LIGHT)[frames // 50 % 2])
        frames += 1
        if window.throwing is not None:
            window.throw_for_me()
        elif window.panel is not None:
            window.answer()
        window.advance(LONG_FRAME_S)
    window.draw(surface, DARK)


TWENTY = [slow(range(k, k + 20)) for k in range(0, 200, 20)]


@pytest.mark.parametrize("seeds", [(0, 1, 5, 6, 12, 29), *TWENTY])
def test_battles_of_all_kinds_are_drawn_frame_by_frame(seeds):
    skipped = 0
    for seed in seeds:
        window = window_of(battle_of(seed), seed)
        game = window.playback.game
        draw_whole(window, LARGE if seed % 33 == 11 else SMALL)
        skipped += sum(isinstance(e, ThrowSkipped) for x in game.steps for e in x.events)
        assert recorded_game(window.record, game.slams).timeline == game.timeline
    assert skipped
