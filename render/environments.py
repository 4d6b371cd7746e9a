"""Pictures for the environments of `sim.environments`: ``picture=picture_of``."""

import numpy as np
import pygame
from numpy.typing import NDArray

from render.bumpers import draw_position
from render.canvas import new_surface, write
from render.palette import LIGHT
from sim.bumpers.game import GameState
from sim.environments import GameSeats

_SIZE_PX = (640, 480)
_LINE_PX, _LETTER_PX, _MARGIN_PX = 24, 16, 16


def picture_of(game: GameSeats) -> NDArray[np.uint8]:
    """Return a picture of a game, shape (height, width, 3): a board, or the stacks of a battle."""
    surface = new_surface(*_SIZE_PX)
    state = game.match.state
    if isinstance(state, GameState):
        draw_position(surface, state.position)
    else:
        surface.fill(LIGHT.background)
        for number, line in enumerate(game.text().splitlines()):
            place = (_MARGIN_PX, _MARGIN_PX + number * _LINE_PX)
            room = _SIZE_PX[0] - 2 * _MARGIN_PX
            write(surface, line, place, _LETTER_PX, LIGHT.text, width_px=room)
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)
