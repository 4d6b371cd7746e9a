"""Results for people: tables on a terminal, and an answer with its table as text and as a page."""

import html
import io
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TextIO

from pucklab.base.facts import fact
from pucklab.sim.experiments.columns import value_text
from pucklab.sim.experiments.table import ResultTable

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 120
"""Columns of an answer where output is no terminal."""


@fact
class View:
    """An answer, its scene, a table, and the lines below the table."""

    answer: str
    scene: str
    rows: Sequence[Mapping[str, str]]  # cells by heading
    legend: str
    notes: tuple[str, ...] = ()

    def print(self, file: TextIO | None = None) -> None:
        """Print it; None for standard output."""
        console = table_console(_WIDTH, file)
        for line in (self.answer, self.scene):
            console.print(line, soft_wrap=True)
        print_stacked(console, self.rows)
        console.print(self.legend, style="dim")
        for line in self.notes:
            console.print(line)

    def __str__(self) -> str:
        text = io.StringIO()
        self.print(text)
        return text.getvalue().rstrip("\n")

    def html(self) -> str:
        """Return it for a page."""
        answer, scene, legend, *notes = (
            html.escape(text).replace("\n", "<br>")
            for text in (self.answer, self.scene, self.legend, *self.notes)
        )
        head, *body = (
            "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
            for tag, cells in (("th", self.rows[0]), *(("td", row.values()) for row in self.rows))
        )
        return (
            f"<p><b>{answer}</b><br>{scene}</p><table><thead>{head}</thead>"
            f"<tbody>{''.join(body)}</tbody></table><p><small>{legend}</small><br>"
            f"{'<br>'.join(notes)}</p>"
        )


def print_table(table: ResultTable[Any], title: str) -> None:
    """Print the rows of any table of results."""
    console = table_console(_WIDTH)
    console.print(title, soft_wrap=True)
    rows = [
        {
            name: value_text(value, ".3g" if isinstance(value, float) else "")
            for name, value in values.items()
            if name not in {"interval_z", "stopped_by"}
        }
        for values in table.values()
    ]
    headings = dict.fromkeys(heading for row in rows for heading in row)
    print_stacked(console, [{each: row.get(each, "") for each in headings} for row in rows])


def table_console(width: int, file: TextIO | None = None) -> "Console":
    """Return a console for tables of plain text, without markup.

    Args:
        width: Columns to use where the output is no terminal.
        file: The output; None for standard output.
    """
    from rich.console import Console

    plain: Any = {"file": file, "highlight": False, "markup": False, "emoji": False}
    console = Console(**plain)
    return console if console.is_terminal else Console(**plain, width=width)


def print_stacked(
    console: "Console",
    rows: Sequence[Mapping[str, str]],
    left: Collection[str] = (),
    together: Sequence[str] = (),
) -> None:
    """Print a table; columns that do not fit follow in further tables below, and none is dropped.

    Args:
        console: A console for tables.
        rows: The cells of each line by heading, the same headings in each. Every table begins with
            the first column, whose cells may be wrapped; the others are never wrapped.
        left: Headings of columns aligned to the left; the others are aligned to the right.
        together: Headings that stand side by side in one table if there is room for them all.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    name, *others = rows[0]
    # A column takes its text, a space and the line between columns, which is blank here.
    widths = {h: max(len(h), *(len(row[h]) for row in rows)) + 2 for h in others}
    needed = max(len(word) for row in rows for word in (name, *row[name].split(" ")))
    tables: list[list[str]] = [[]]
    left_over = room = console.width - 2 - needed  # a blank stands on either side
    for heading in others:
        wanted = widths[heading]
        if heading == next(iter(together), None):
            wanted = min(sum(widths[h] for h in together), room)
        if tables[-1] and wanted > left_over:
            tables.append([])
            left_over = room
        tables[-1].append(heading)
        left_over -= widths[heading]
    for headings in tables:
        table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, padding=(0, 1))
        table.add_column(name, min_width=needed)
        for heading in headings:
            justify: Literal["left", "right"] = "left" if heading in left else "right"
            table.add_column(heading, justify=justify, no_wrap=True)
        for row in rows:
            table.add_row(row[name], *(row[heading] for heading in headings))
        console.print(table)
