"""Drawings of rules as SVG: boards before and after a move, and stacks of pucks from the side."""

from pathlib import Path

from pucklab.render.bumpers.motion import line_of
from pucklab.render.bumpers.svg import rule_svg
from pucklab.render.palette import LIGHT, hex_code
from pucklab.sim.bumpers import parse_move, parse_position
from pucklab.sim.bumpers.solver.solution import line_steps

_MATS = "pb1:G1.K3:RPb1.BMc2.GPf1:-:R:-"

BOARDS = {
    "chain": ("pb1:K4.B1:RPb2.BPe2g2:-:R:-", "b2E"),
    "bump": ("pb1:B1.B2:RMc2.BPd2:-:R:-", "c2E"),
    "turn": (_MATS, "T:G1+90"),
    "swap": ("pb1:B1.G1.K3:BMb2.RPf1.GPj1:-:R:-", "S:G1,K3"),
    "shift": (_MATS, "H:K3,G1.N"),
}
"""Positions and moves of Puck Bumpers, by name of the drawing."""

_HEIGHT, _FLOOR = 190, 140
"""Height of a drawing of stacks, and of its floor from above, in pixels."""

_WIDE, _THICK, _PITCH = 64, 7, 9
"""Width and thickness of a puck, and the distance of two in a stack, in pixels."""

_INK, _FAINT = hex_code(LIGHT.text), hex_code(LIGHT.faint)
_BACK, _FACE, _STEEL = (
    hex_code(colour) for colour in (LIGHT.puck_back, LIGHT.puck_face, LIGHT.slammer)
)


def make_rule_drawings(folder: Path) -> None:
    """Write the drawings of rules into a folder."""
    for name, (text, move) in BOARDS.items():
        start = parse_position(text)
        steps = line_steps(start, [parse_move(start, move)])
        (folder / f"rule-{name}.svg").write_text(rule_svg(line_of(start, steps)))
    (folder / "rule-top-off.svg").write_text(_top_off())
    (folder / "rule-knock-out.svg").write_text(_knock_out())


def _top_off() -> str:
    parts = []
    for x, arena, health in ((0, 5, 6), (400, 8, 3)):
        parts += [_floor(x + 20, 340), _stack(x + 100, arena), _stack(x + 280, health)]
        parts += [_words(x + 100, 158, f"Arena: {arena} of 8"), _words(x + 280, 158, "your Health")]
    missing = _FLOOR - 8 * _PITCH
    dashed = f'fill="none" stroke="{_FAINT}" stroke-dasharray="4 3"'
    parts.append(f'<rect x="68" y="{missing}" width="{_WIDE}" height="{3 * _PITCH}" {dashed}/>')
    parts.append(_words(100, missing - 10, "3 are missing"))
    # Out of the Health, and in under the Arena.
    parts.append(_arrow(f"M244 {_FLOOR - 20}C200 {_FLOOR - 50} 190 {_FLOOR - 8} 142 {_FLOOR - 8}"))
    parts.append(_arrow("M372 100h38"))
    parts.append(_stack(500, 3, colour=_FACE))
    return _drawing(800, parts)


def _knock_out() -> str:
    parts = [_floor(20, 220), _floor(330, 200), _floor(580, 200)]
    box = f'x="{-_WIDE // 2}" y="-8" width="{_WIDE}" height="16" rx="2"'
    place = 'transform="translate(130 50) rotate(-24)"'
    parts += [
        f'<rect {box} fill="{_STEEL}" stroke="{_INK}" {place}/>',
        _arrow("M130 66v40"),
        _words(130, 20, "the player before you throws once"),
    ]
    for middle, is_up, words in (
        (130, False, "your slammer, Critical, face down"),
        (430, True, "face up: you are out"),
        (680, False, "you play on"),
    ):
        parts.append(_stack(middle, 1, colour=_STEEL, thick=16))
        rim = _FLOOR - 16 if is_up else _FLOOR - 4
        face = f'x="{middle - 24}" y="{rim}" width="48" height="4" fill="{_FACE}"'
        parts += [f"<rect {face}/>", _words(middle, 158, words)]
    parts += [_arrow("M252 100h60"), _words(555, 105, "or")]
    return _drawing(800, parts)


def _drawing(width: int, parts: list[str]) -> str:
    size = f'width="{width}" height="{_HEIGHT}" viewBox="0 0 {width} {_HEIGHT}"'
    head = (
        '<marker id="head" viewBox="0 0 4 4" refX="2.6" refY="2" markerWidth="4" markerHeight="4" '
        f'orient="auto"><path d="M0 0L4 2L0 4z" fill="{_INK}"/></marker>'
    )
    page = f'<rect width="{width}" height="{_HEIGHT}" fill="{hex_code(LIGHT.background)}"/>'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    return f"{opening}{head}{page}{''.join(parts)}</svg>\n"


def _stack(middle: int, count: int, *, colour: str = _BACK, thick: int = _THICK) -> str:
    """Return pucks one on another, on the floor."""
    left, look = middle - _WIDE // 2, f'rx="2" fill="{colour}" stroke="{_INK}"'
    return "".join(
        f'<rect x="{left}" y="{_FLOOR - thick - n * _PITCH}" width="{_WIDE}" height="{thick}" '
        f"{look}/>"
        for n in range(count)
    )


def _floor(x: int, width: int) -> str:
    return f'<path d="M{x} {_FLOOR}h{width}" stroke="{_INK}" stroke-width="2"/>'


def _arrow(path: str) -> str:
    look = f'stroke="{_INK}" stroke-width="3" marker-end="url(#head)"'
    return f'<path d="{path}" fill="none" {look}/>'


def _words(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="14" fill="{_INK}">{text}</text>'


if __name__ == "__main__":
    make_rule_drawings(Path("docs"))
