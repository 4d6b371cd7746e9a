"""The transcript: one line or more for each timeline entry so far, the current one highlighted."""

import pygame

from render.battlewindow.playback import BattlePlayback
from render.viewer import Log, padded
from render.viewer.panels import log_lines
from render.viewer.widgets import Line


def transcript_lines(playback: BattlePlayback, box: pygame.Rect, words_px: int) -> list[Line]:
    """Return the latest lines that fit a box; a click on one goes there."""
    timeline = (*playback.game.timeline[: playback.index], playback.visible)
    headings = {place for place, entry in enumerate(timeline) if entry.is_turn}
    log = Log(
        lines=[entry.words for entry in timeline],
        current=playback.index,
        headings=headings,
        choose=playback.go_to,
    )
    return log_lines(log, padded(box, 0.5 * words_px), words_px)
