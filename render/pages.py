"""Web pages in one file: the frame that all share, in which stage, scripts and data are put in.

A page has no links to other files and needs no network. The folder ``web`` has its frame
``page.html`` with ``page.css``, and ``frame.js``: colours, commands, steps to go through. The rooms
of slams, boards and battles have a folder ``web`` each, with their stages and scripts. ``%%name%%``
is a placeholder.
"""

import base64
import html
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.base.files import version
from pucklab.base.parsing import json_text
from pucklab.physics import InputError
from pucklab.render.palette import DARK, LIGHT, Palette, hex_code

MAX_BYTES = 500_000
"""Largest page of boards or of a battle."""

_COLOURS = ("background", "panel", "control", "text", "faint", "accent", "on_accent", "flipped",
            "leaning", "out", "floor", "slammer")  # fmt: skip


def fill_page(
    title: str,
    facts: dict[str, Any],
    *,
    kind: str,
    stage: str,
    scripts: Sequence[str],
    styles: Sequence[str] = (),
    policy: str = "script-src 'unsafe-inline'",
    scrub: str = "Time",
    hint: str,
    printed: str = "",
    navigation: str = "",
) -> str:
    """Return a page.

    Args:
        title: Its title, plain text.
        facts: Its data, as JSON stores them; the version and the colours are added.
        kind: Its CSS class.
        stage: Its main part, in HTML.
        scripts: The scripts after that of the frame.
        styles: Further style sheets beside those of all pages, by name.
        policy: What its scripts may do.
        scrub: The purpose of its slider, for screen readers.
        hint: A sentence below the keys, in HTML.
        printed: The HTML to print instead; by default the page itself.
        navigation: The name and the words at its head, as of `navigation_bar`; none if empty.
    """
    palettes = {"light": LIGHT, "dark": DARK}
    themes = {name: page_colours(palettes[name]) | look for name, look in look_colours().items()}
    fill = {
        "title": html.escape(title),
        "data": script_json({"version": version(), "themes": themes, **facts}),
        "script": "\n".join((web_text("pucklab.render", "frame.js"), *scripts)),
        "stage": stage,
        "scrub": scrub,
        "hint": hint,
        "printed": f'<div class="printed">{printed}</div>' if printed else "",
    }
    return document_of(
        title,
        fill_places(web_text("pucklab.render", "page.html"), fill),
        style="".join(
            web_text("pucklab.render", name) for name in ("look.css", *styles, "page.css")
        ),
        policy=f"{policy}; img-src data:",
        kind=kind,
        navigation=navigation,
    )


def document_of(
    title: str,
    body: str,
    *,
    style: str,
    policy: str,
    kind: str = "",
    navigation: str = "",
    about: str = "",
) -> str:
    """Return a page as a file of its own.

    Args:
        title: Its title, plain text.
        body: What follows its head, in HTML.
        style: Its style sheets, one after another.
        policy: What it may load, besides its own styles.
        kind: Its CSS class.
        navigation: What stands at its head, in HTML; none if empty.
        about: A sentence about it for search engines.
    """
    fill = {
        "policy": policy,
        "about": html.escape(about),
        "title": html.escape(title),
        "style": style,
        "kind": kind,
        "header": f'<header class="top">{navigation}</header>' if navigation else "",
        "body": body,
    }
    return fill_places(web_text("pucklab.render", "document.html"), fill)


def page_colours(palette: Palette) -> dict[str, str]:
    """Return the colours of a palette that pages use, by their meaning."""
    return {name: hex_code(getattr(palette, name)) for name in _COLOURS}


def look_colours() -> dict[str, dict[str, str]]:
    """Return the colours of the common look by theme and name, as ``look.css`` has them."""
    roots = re.findall(r":root \{(.*?)\}", web_text("pucklab.render", "look.css"), re.DOTALL)
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w+)", root)) for root in roots)
    return {"light": light, "dark": light | dark}


def navigation_bar(links: Mapping[str, str], here: str = "") -> str:
    """Return the name and the words at the head of a page, in HTML.

    Args:
        links: The address of each word; the first one is that of the name, too.
        here: The word of the page that it stands on.

    Example:
        >>> navigation_bar({"Lab": "./"}, "Lab")[-46:]
        '<a href="./" aria-current="page">Lab</a></nav>'
    """
    own = {word: html.escape(link, quote=True) for word, link in links.items()}
    mark, first = ' aria-current="page"', next(iter(own.values()))
    words = "".join(
        f'<a href="{link}"{mark if word == here else ""}>{word}</a>' for word, link in own.items()
    )
    return f'<a class="name" href="{first}">pucklab</a><nav aria-label="Pages">{words}</nav>'


def article_page(title: str, article: str, navigation: str) -> str:
    """Return a page to read.

    Args:
        title: Its title, plain text.
        article: What it says, in HTML.
        navigation: The name and the words at its head, in HTML.
    """
    return document_of(
        f"{title} - pucklab",
        f'<main class="article">\n{article}\n</main>',
        style=web_text("pucklab.render", "look.css"),
        policy="img-src 'self' file: data:; frame-src 'self' file:",
        navigation=navigation,
    )


def message_page(
    title: str, text: str, navigation: str = '<span class="name">pucklab</span>'
) -> str:
    """Return a page that says why there is no other one, plain text."""
    article = f"<h1>{html.escape(title)}</h1>\n<p>{html.escape(text)}</p>"
    return article_page(title, article, navigation)


def fill_places(template: str, fill: dict[str, str]) -> str:
    """Return a template with its placeholders replaced; inserted text is not searched again.

    Example:
        >>> fill_places("a %%b%%", {"b": "%%c%%"})
        'a %%c%%'
    """
    pieces = template.split("%%")
    return "".join(fill[part] if odd % 2 else part for odd, part in enumerate(pieces))


def frame_page(page: str, title: str, height_px: int) -> str:
    """Return a page as a frame for a notebook, apart from the notebook's own page."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" '
        f'allow="fullscreen; autoplay" title="{html.escape(title, quote=True)}" '
        f'style="width:100%;height:{height_px}px;border:0"></iframe>'
    )


def check_page_size(page: str, most: int, what: str) -> None:
    """Check that a page is not larger than allowed.

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
    text = _json(facts)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def pack_json(facts: Any) -> str:
    """Return JSON as text that a page inflates: deflated, in base 64."""
    return pack(np.frombuffer(_json(facts).encode(), np.uint8))


def pack(numbers: NDArray[Any]) -> str:
    """Return the bytes of numbers as text: deflated, in base 64."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(numbers).tobytes(), 9)).decode()


@lru_cache(maxsize=16)
def web_text(package: str, name: str) -> str:
    """Return a file of a package's folder ``web``."""
    return files(package).joinpath("web", name).read_text(encoding="utf-8")


def _json(facts: Any) -> str:
    return json_text(facts, separators=(",", ":"), ensure_ascii=True)
