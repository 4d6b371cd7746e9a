"""The log: the narration of the battle so far, the line of the entry shown highlighted."""

from collections.abc import Callable

from pygame import Rect

from render.battlewindow.playback import BattlePlayback
from render.viewer import Log, padded
from render.viewer.panels import log_lines
from render.viewer.widgets import Line


def transcript_lines(
    playback: BattlePlayback, box: Rect, words_px: int, go_to: Callable[[int], object]
) -> list[Line]:
    """Return the latest lines that fit a box; a click on one goes to the entry that it tells."""
    timeline = (*playback.game.timeline[: playback.index], playback.visible)
    told = [(line, number) for number, entry in enumerate(timeline) for line in entry.lines]
    if not told:
        return []
    log = Log(
        lines=[line for line, _ in told],
        current=len(told) - 1,
        headings={place for place, (line, _) in enumerate(told) if line.startswith("Turn ")},
        choose=lambda place: go_to(told[place][1]),
    )
    return log_lines(log, padded(box, 0.5 * words_px), words_px)
