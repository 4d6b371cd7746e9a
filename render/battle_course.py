"""The course of a battle as HTML, for notebooks: Health over the turns, and each turn to unfold."""

import html
from collections.abc import Iterable, Sequence

from pucklab.render.palette import LIGHT, SERIES, hex_code
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup
from pucklab.sim.pokepucks.battle.live import BattleStep
from pucklab.sim.pokepucks.battle.state import BattleState, Step

_SIZE_PX = (640, 200)
_MARGIN_PX, _NAMES_PX = 24, 110
"""Margin around the curves, and room for the names of players beside them."""


def course_html(
    table: BattleSetup, steps: Sequence[BattleStep], lines: Iterable[str], heading: str
) -> str:
    """Return the course of a battle.

    Args:
        table: The set-up.
        steps: All steps, in order.
        lines: Its transcript; a turn begins with ``Turn``.
        heading: The result.
    """
    # At the very end the stacks have been cleared away.
    states = [s.after.state for s in steps if s.after.state.step is not Step.OVER]
    ends = {state.turn.number: state for state in states}
    turns: list[list[str]] = [["Set-up"]]
    for line in lines:
        if line.startswith("Turn "):
            turns.append([])
        turns[-1].append(html.escape(line))
    told = "".join(
        f"<details><summary>{title}</summary><p>{'<br>'.join(rest)}</p></details>"
        for title, *rest in turns
    )
    curves = _curves_svg(table.names, list(ends.values()))
    return f"<div><p><b>{html.escape(heading)}</b></p>{curves}{told}</div>"


def _curves_svg(names: Sequence[str], ends: Sequence[BattleState]) -> str:
    """Return the pucks in each player's Health at the end of each turn, as curves."""
    healths = [[len(state.health(player)) for state in ends] for player in range(len(names))]
    most = max(1, *(count for own in healths for count in own))
    width, height = _SIZE_PX
    step = (width - 2 * _MARGIN_PX - _NAMES_PX) / max(len(ends) - 1, 1)
    scale = (height - 2 * _MARGIN_PX) / most
    floor = height - _MARGIN_PX
    faint = f'fill="{hex_code(LIGHT.faint)}"'
    parts = [
        f'<text x="{_MARGIN_PX}" y="14" {faint}>pucks in Health, by turn (0 to {most})</text>',
        f'<path d="M{_MARGIN_PX} {floor}H{width - _NAMES_PX}" stroke="{hex_code(LIGHT.wall)}"/>',
    ]
    for player, own in enumerate(healths):
        colour = hex_code(SERIES[player % len(SERIES)])
        places = [(_MARGIN_PX + n * step, floor - count * scale) for n, count in enumerate(own)]
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = places[-1][0] + 8, places[-1][1] + 4 + 12 * (player / max(len(names) - 1, 1) - 0.5)
        label = f"{html.escape(names[player])} {own[-1]}"
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}">{label}</text>')
    style = f"width:100%;max-width:{width}px;background:#fff;font:12px sans-serif"
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
    return f'{opening} style="{style}">{"".join(parts)}</svg>'
