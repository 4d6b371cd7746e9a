"""Pictures for the environments of `pucklab.sim.environments`: ``picture=picture_of``."""

import io

import numpy as np
import pygame
from numpy.typing import NDArray

from pucklab.render.bumpers.film import position_png
from pucklab.render.canvas import new_surface, write
from pucklab.render.palette import LIGHT
from pucklab.sim.bumpers.game import GameState
from pucklab.sim.environments import GameSeats

_SIZE_PX = (640, 480)
_LINE_PX, _LETTER_PX, _MARGIN_PX = 24, 16, 16


def picture_of(game: GameSeats) -> NDArray[np.uint8]:
    """Return a picture of a game, shape (height, width, 3): a board, or the stacks of a battle."""
    surface, (width, height) = new_surface(*_SIZE_PX), _SIZE_PX
    surface.fill(LIGHT.background)
    state = game.match.state
    if isinstance(state, GameState):
        board = pygame.image.load(io.BytesIO(position_png(state.position, height)), "board.png")
        share = min(height / board.get_height(), 1.0)
        size = round(share * board.get_width()), round(share * board.get_height())
        board = pygame.transform.smoothscale(board, size)
        surface.blit(board, ((width - size[0]) // 2, (height - size[1]) // 2))
    else:
        for number, line in enumerate(game.text().splitlines()):
            place = (_MARGIN_PX, _MARGIN_PX + number * _LINE_PX)
            room = _SIZE_PX[0] - 2 * _MARGIN_PX
            write(surface, line, place, _LETTER_PX, LIGHT.text, width_px=room)
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)
