"""Web pages in one file: a template in which style, scripts and data are put in.

A page has no links to other files and needs no network. Its template stands in a folder ``web``
with the style and the scripts; ``%%name%%`` is the place of what is put in.
"""

import html
import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from physics import InputError


def filled_page(package: str, template: str, title: str, facts: Any, **parts: str) -> str:
    """Return a template with its title, its data and other parts put in.

    Args:
        package: The package whose folder ``web`` has the template.
        template: Name of its file.
        title: Title of the page, plain text.
        facts: The data, as JSON stores them.
        parts: Further parts; one whose value is the name of a file in the folder is its text.
    """
    fill = {"title": html.escape(title), "data": script_json(facts)}
    for name, part in parts.items():
        fill[name] = web_text(package, part) if _is_file(part) else part
    # One pass over the template: text that is put in is not searched for places again.
    pieces = web_text(package, template).split("%%")
    return "".join(fill[part] if odd % 2 else part for odd, part in enumerate(pieces))


def framed_page(page: str, title: str, height_px: int) -> str:
    """Return a page as a frame for a notebook, apart from the notebook's own page."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" '
        f'allow="fullscreen; autoplay" title="{html.escape(title, quote=True)}" '
        f'style="width:100%;height:{height_px}px;border:0"></iframe>'
    )


def check_page_size(page: str, most: int, what: str) -> None:
    """Check that a page is no larger than its kind may be.

    Raises:
        InputError: It is.
    """
    size = len(page.encode())
    if size > most:
        raise InputError(f"save: {what} need {size:,} bytes of a page's {most:,}; give fewer")


def script_json(facts: Any) -> str:
    """Return JSON that cannot end the script element that it stands in.

    Example:
        >>> script_json({"a": "</script>"})
        '{"a":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(facts, separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@lru_cache(maxsize=16)
def web_text(package: str, name: str) -> str:
    """Return a file of a package's folder ``web``."""
    return files(package).joinpath("web", name).read_text(encoding="utf-8")


def _is_file(part: str) -> bool:
    return part.endswith((".css", ".js")) and len(part) < 40
