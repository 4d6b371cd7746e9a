"""The static site: its links, its pages in a real browser, and how it is written."""

import re
import subprocess
import sys
from collections import Counter
from datetime import date
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from pucklab.render import learn, site
from pucklab.render.site import PAGES, write_site
from tests.browsers import missing_browser, started_browser
from tests.commands import fail, succeed

DAY = date(2026, 11, 23)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("host") / "pucks" / "lab"
    path.parent.mkdir()
    write_site(path, DAY)
    return path


@pytest.fixture(scope="module")
def browser():
    if missing_browser():
        pytest.skip(missing_browser())
    with started_browser("performance") as own:
        yield own


@pytest.fixture(scope="module")
def served(folder):
    """Give the address of the site below a prefix of a plain web server."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, cwd=folder.parents[1], **pipes) as process:
        port = re.search(r"port (\d+)", process.stdout.readline())[1]
        yield f"http://127.0.0.1:{port}/pucks/lab"
        process.kill()


class Page(HTMLParser):
    """The elements of a page, its names of places, and what it leads to."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.ids, self.leads, self.language = Counter(), set(), [], ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags[tag] += 1
        self.ids.add(given.get("id"))
        self.language = given.get("lang", self.language) if tag == "html" else self.language
        self.leads += [given[name] for name in ("href", "src") if given.get(name)]


def test_every_page_has_one_main_a_title_and_a_language(folder):
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    assert len(pages) > 15
    for path, page in pages.items():
        assert (page.tags["main"], page.tags["title"], page.language) == (1, 1, "en"), path
        assert page.tags["nav"] == 1, path


def test_every_link_is_relative_and_leads_to_a_page_and_a_place_that_are_there(folder):
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    wrong = []
    for path, page in pages.items():
        for lead in page.leads:
            link = urlsplit(lead)
            if link.scheme == "data":
                continue
            if link.scheme or link.netloc or not link.path or lead.startswith("/"):
                wrong += [(path.name, lead)] if lead != "#" else []
                continue
            target = (path.parent / unquote(link.path)).resolve()
            is_there = target.is_file() and target.is_relative_to(folder.resolve())
            place = link.fragment
            is_lab = target.name == "index.html" and target.parent == folder.resolve()
            if not is_there or (place and not is_lab and place not in pages[target].ids):
                wrong.append((path.name, lead))
    assert wrong == []


def test_the_pages_are_those_of_the_docs_without_code_of_their_own(folder):
    docs = {
        path.name for path in (learn.learn_sources()["index.html"].parent / "docs").glob("*.md")
    }
    made = {path.with_suffix(".md").name for path in (folder / "learn").glob("*.html")}
    assert made == docs | {"index.md"}
    for path in (folder / "learn").glob("*.html"):
        assert Page(path).tags["script"] == 0


@pytest.mark.parametrize("kind", ["file", "served"])
def test_pages_work_in_a_browser_and_ask_no_other_host(kind, folder, served, browser):
    address = folder.as_uri() if kind == "file" else served
    browser.requests()
    for page in (*PAGES.values(), "learn/your-own-pogs.html"):
        browser.visit(f"{address}/{page}", (1280, 800))
        browser.wait_for("document.readyState === 'complete'")
        if page in ("index.html", "puzzles.html"):
            browser.wait_for("Boolean(window.pucklab?.ready)")
    browser.run("document.querySelector('details.live summary').click()")
    browser.wait_for("document.querySelector('details.live').open")
    other = [url for url in browser.requests() if not url.startswith((address, "data:", "blob:"))]
    assert other == []
    assert [line for line in browser.console() if "favicon" not in line] == []


def test_a_throw_in_a_page_to_learn_is_the_lab_at_that_throw(served, browser):
    browser.visit(f"{served}/learn/how-a-slam-is-computed.html", (1100, 900))
    browser.run("document.querySelector('details.live summary').click()")
    link = browser.run("return document.querySelector('details.live a').href")
    assert link.endswith("index.html#slammer_g=20&seed=2&trial=347")
    browser.visit("about:blank")
    browser.visit(link, (1280, 800))
    browser.wait_for("Boolean(window.pucklab?.arena?.state.clip)")
    browser.run("window.pucklab.arena.seek(1e9)")
    browser.wait_for("/9 flips/.test(document.getElementById('flips')?.textContent)")
    nav = "[...document.querySelectorAll('nav a')]"
    assert browser.run(f"return {nav}.map((a) => a.innerText)") == list(PAGES)
    browser.run(f"{nav}.find((a) => a.innerText === 'Puzzles').click()")
    browser.wait_for("document.querySelector('nav [aria-current]')?.innerText === 'Puzzles'")


def test_a_phone_has_the_words_at_the_thumb_and_nothing_scrolls_sideways(folder, browser):
    for page in (*PAGES.values(), "learn/fidelity.html"):
        browser.visit(f"{folder.as_uri()}/{page}", (400, 860))
        browser.wait_for("document.readyState === 'complete'")
        low, wide = browser.run(
            "const box = document.querySelector('nav').getBoundingClientRect();"
            "return [innerHeight - box.bottom, document.documentElement.scrollWidth - innerWidth]"
        )
        assert abs(low) <= 1, page
        assert wide <= 0, page


def test_a_site_is_written_over_a_former_one_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(site, "lab_page", lambda **_: made.append(1) or f"lab {len(made)}")
    monkeypatch.setattr(site, "WEEK", 1)
    folder = tmp_path / "site"
    write_site(folder, DAY)
    (folder / "old.html").touch()
    write_site(folder, DAY)
    assert (folder / "index.html").read_text() == "lab 2"
    assert not (folder / "old.html").exists()

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(site, "learn_page", stop)
    with pytest.raises(KeyboardInterrupt):
        write_site(folder, DAY)
    assert (folder / "index.html").read_text() == "lab 2"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_folder_that_is_no_site_is_refused_in_one_line(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "thesis.txt").touch()
    said = "error: folder: {!r} has other files; give a new or an empty folder\n"
    fail("site own", said=said.format("own"), cwd=tmp_path)
    fail("site own/thesis.txt", said="error: folder: 'own/thesis.txt' is a file", cwd=tmp_path)
    fail("site none/there", said="error: folder: 'none/there' cannot be written: ", cwd=tmp_path)
    fail("site x --site ftp://lab", said="error: --site: 'ftp://lab' is not", cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


def test_the_command_shares_throws_by_the_address_of_the_site(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(site, "WEEK", 1)
    monkeypatch.setattr(site, "lab_page", lambda **more: asked.append(more["site_url"]) or "lab")
    done = succeed("site x --site https://lab.example.org/pucks/", cwd=tmp_path)
    assert asked == ["https://lab.example.org/pucks/"]
    assert done.stdout.endswith("files; open x/index.html\n")
