"""A figure that a notebook shows by itself; needs Matplotlib."""

from matplotlib.figure import Figure

from render.plots.figures import figure_bytes


class ShownFigure(Figure):
    """A figure that is its picture in a notebook, with or without pyplot."""

    def _repr_png_(self) -> bytes:
        return figure_bytes(".png", lambda: self)
