"""SVG drawings of this program as pages of a PDF file, by matplotlib: imported to write one.

Of SVG it knows what the program's own drawings have: groups, shapes that are used again,
rectangles, circles, paths of the commands ``MLHVZq`` and their relative forms, and texts, each with
fill, stroke and transforms. Lengths of a drawing are in mm.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

_MM_PER_INCH, _POINTS_PER_INCH = 25.4, 72
_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?"
_STYLES = ("fill", "stroke", "stroke-width", "font-size", "font-weight", "text-anchor")
_CORNERS = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "Z": 0}
"""Numbers of each command of a path."""


def pdf_of_svg(drawings: Sequence[str]) -> bytes:
    """Return a PDF file with a page for each SVG drawing."""
    data = io.BytesIO()
    # Without a date the same drawings give the same file.
    with PdfPages(data, metadata={"CreationDate": None}) as pages:
        for drawing in drawings:
            pages.savefig(figure_of_svg(drawing))
    return data.getvalue()


def figure_of_svg(drawing: str) -> Figure:
    """Return an SVG drawing as a figure of its size."""
    root = fromstring(drawing)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    figure = Figure(figsize=(width / _MM_PER_INCH, height / _MM_PER_INCH))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    _Page(axes, root).draw(root, Affine2D(), {})
    return figure


class _Page:
    """A page that a drawing is drawn on."""

    def __init__(self, axes: Axes, root: Element) -> None:
        self.axes = axes
        self.shapes = {e.get("id"): e for e in root.iter() if e.get("id")}

    def draw(self, element: Element, outer: Affine2D, outer_style: Mapping[str, str]) -> None:
        """Draw an element inside a map and a style."""
        own = {name: element.get(name, "") for name in _STYLES if element.get(name)}
        style = {**outer_style, **own}
        place = _transform(element.get("transform", ""), outer)
        tag = element.tag.rpartition("}")[2]
        if tag == "use":
            x, y = (float(element.get(name, 0)) for name in "xy")
            shape = self.shapes[element.get("href", "").removeprefix("#")]
            self.draw(shape, _transform(f"translate({x} {y})", place), style)
        elif tag in ("svg", "g"):
            for part in element:
                self.draw(part, place, style)
        elif tag == "text":
            self._write(element, place, style)
        elif tag != "defs":
            self._add(_outline(tag, element), place, style)

    def _add(self, outline: Path, place: Affine2D, style: Mapping[str, str]) -> None:

        width_mm = float(style.get("stroke-width", 0)) * _scale(place)
        patch = PathPatch(
            place.transform_path(outline),
            facecolor=style.get("fill", "none"),
            edgecolor=style.get("stroke", "none"),
            linewidth=width_mm * _POINTS_PER_INCH / _MM_PER_INCH,
            capstyle="round",
            joinstyle="round",
        )
        self.axes.add_patch(patch)

    def _write(self, element: Element, place: Affine2D, style: Mapping[str, str]) -> None:
        size, is_centred = float(style["font-size"]), style.get("text-anchor") == "middle"
        # Centred texts stand on a line half the height of a capital letter below.
        x, y = (float(element.get(name, 0)) for name in "xy")
        left, bottom = place.transform((x, y + (0.36 * size if is_centred else 0.0)))
        self.axes.text(
            left,
            bottom,
            element.text or "",
            fontsize=size * _scale(place) * _POINTS_PER_INCH / _MM_PER_INCH,
            color=style.get("fill", "#000000"),
            fontweight=style.get("font-weight", "normal"),
            horizontalalignment="center" if is_centred else "left",
            verticalalignment="baseline",
        )


def _outline(tag: str, element: Element) -> Path:
    """Return the outline of a rectangle, a circle or a path."""
    number = {name: float(value) for name, value in element.items() if _is_number(value)}
    if tag == "circle":
        return Path.circle((number.get("cx", 0.0), number.get("cy", 0.0)), number["r"])
    if tag == "rect":
        x, y = number.get("x", 0.0), number.get("y", 0.0)
        wide, high = number["width"], number["height"]
        corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)]
        return Path(corners, closed=True)
    vertices, codes = zip(*_corners(element.get("d", "")), strict=True)
    return Path(vertices, codes)


def _corners(text: str) -> Iterator[tuple[tuple[float, float], int]]:
    """Yield the points of a path with matplotlib's codes."""
    x = y = 0.0
    first = (x, y)
    for letter, rest in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", text):
        numbers = [float(number) for number in re.findall(_NUMBER, rest)]
        count = _CORNERS[letter.upper()]
        for begin in range(0, max(len(numbers), 1), count or 1):
            base = (x, y) if letter.islower() else (0.0, 0.0)
            part = numbers[begin : begin + count]
            kind = letter.upper()
            if kind == "Z":
                yield first, 79
                x, y = first
                continue
            if kind == "Q":
                yield (base[0] + part[0], base[1] + part[1]), 3
                part = part[2:]
            if kind in "HV":
                x, y = (base[0] + part[0], y) if kind == "H" else (x, base[1] + part[0])
            else:
                x, y = base[0] + part[0], base[1] + part[1]
            if kind == "M":
                first = (x, y)
            yield (x, y), {"M": 1, "Q": 3}.get(kind, 2)


def _transform(text: str, outer: Affine2D) -> Affine2D:
    """Return the map of a transform inside another: of its steps, the last one comes first."""
    own = Affine2D()
    for name, inside in reversed(re.findall(r"(\w+)\(([^)]*)\)", text)):
        numbers = [float(number) for number in re.findall(_NUMBER, inside)]
        if name == "translate":
            own.translate(*numbers)
        elif name == "rotate":
            own.rotate_deg(*numbers)
        else:
            own.scale(*numbers)
    return Affine2D(outer.get_matrix() @ own.get_matrix())


def _scale(place: Affine2D) -> float:
    """Return by how much a map enlarges lengths."""
    return float(abs(place.get_matrix()[:2, 0] @ place.get_matrix()[:2, 0]) ** 0.5)


def _is_number(value: Any) -> bool:
    return re.fullmatch(_NUMBER, value) is not None
