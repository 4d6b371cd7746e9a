"""The pages to learn: the README and ``docs`` in the frame of all pages.

They are written in Markdown, and link to each other and to pictures beside them. A command line
that throws has the throw itself below it: the Lab, opened at it.
"""

import html
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pucklab.physics.slam_line import LINE
from pucklab.render.pages import article_page, navigation_bar

_IN_LAB = ("slammer_g", "pucks", "pieces", "arena", "speed_m_s", "seed", "trial")
"""Options of a throw that the Lab takes in its address, besides a line of text."""

_LIVE = (
    '<details class="live"><summary>Watch this throw</summary><iframe loading="lazy" '
    'src="{address}" title="The Lab, at this throw"></iframe>'
    '<p><a href="{address}">Open it in the Lab</a></p></details>\n'
)


@lru_cache(maxsize=1)
def learn_sources() -> dict[str, Path]:
    """Return the files of the pages: Markdown by the name of its page, the rest by its own."""
    home = Path(__file__).parents[1]
    # A wheel has them in its package; in a checkout they lie beside it.
    docs = next(top / "docs" for top in (home, home.parent) if (top / "docs").is_dir())
    readme = docs / "README.md" if (docs / "README.md").exists() else docs.parent / "README.md"
    found = {"index.html": readme}
    for path in sorted(docs.rglob("*")):
        if path.is_file() and path.name != readme.name and "__pycache__" not in path.parts:
            name = path.relative_to(docs).as_posix()
            found[name.removesuffix(".md") + ".html" if path.suffix == ".md" else name] = path
    return found


def learn_page(name: str, links: Mapping[str, str], lab: str) -> str:
    """Return a page to learn.

    Args:
        name: Its name among `learn_sources`, such as ``faq.html``.
        links: Addresses of the words of the navigation.
        lab: Address of the Lab.
    """
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(learn_sources()[name].read_text(encoding="utf-8"))
    title = tokens[1].content
    shown = list(_with_throws(tokens, lab))
    for before, token in pairwise(shown):
        if before.type == "heading_open":  # the name by which GitHub links to it
            words = re.sub(r"[^\w\- ]", "", token.content.lower())
            before.attrSet("id", words.replace(" ", "-"))
        for part in token.children or ():
            if part.type == "link_open":
                address = _address(str(part.attrGet("href")))
                # What is in a clone alone is named, not linked.
                part.attrs = {"href": address} if address else {}
            elif part.type == "image":
                part.attrSet("src", _address(str(part.attrGet("src"))))
                part.attrSet("loading", "lazy")
    here = next((word for word, link in links.items() if link.endswith(f"/{name}")), "Learn")
    article = reader.renderer.render(shown, reader.options, {})
    return article_page(title, article, navigation_bar(links, here))


def _address(link: str) -> str:
    """Return where a link of the sources leads among the pages; nowhere to what is not there."""
    path, mark, place = link.partition("#")
    name = path.removeprefix("../").removeprefix("docs/")
    name = "index.html" if name == "README.md" else re.sub(r"\.md$", ".html", name)
    if name in learn_sources() or "://" in link:
        return (name if name in learn_sources() else path) + mark + place
    return ""


def _with_throws(tokens: Sequence[Token], lab: str) -> Iterator[Token]:
    """Yield tokens, and after a block of commands the throws that they make."""
    for token in tokens:
        yield token
        if token.type == "fence" and token.info == "sh":
            for line in token.content.splitlines():
                throw = _throw_of(line)
                if throw:
                    address = html.escape(f"{lab}#{throw}", quote=True)
                    yield Token("html_block", "", 0, content=_LIVE.format(address=address))


def _throw_of(command: str) -> str:
    """Return the throw of a command as the Lab's address has it; empty if it has none.

    Example:
        >>> _throw_of("pucklab watch --slammer-g 20 --seed 2 --trial 7")
        'slammer_g=20&seed=2&trial=7'
        >>> _throw_of("pucklab watch --slammer-g 20 --best flips")
        ''
    """
    program, name, *words = *shlex.split(command, comments=True), "", ""
    words = words[:-2]
    if program != "pucklab" or name not in ("slam", "watch"):
        return ""
    if words and words[0].startswith(f"{LINE}:"):
        return words[0]
    given = {
        option.removeprefix("--").replace("-", "_"): value
        for option, value in zip(words[::2], words[1::2], strict=False)
    }
    return urlencode(given) if "trial" in given and given.keys() <= {*_IN_LAB} else ""
