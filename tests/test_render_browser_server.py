"""The server in a process of its own, and in a real browser."""

import os
import re
import signal
import socket
import subprocess
import time
from contextlib import contextmanager

import httpx
import pytest

from tests.commands import COMMAND, wait_until
from tests.slowness import slow

PATIENCE_S = 120.0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(folder, *arguments):
    """Give the link of a server whose files are in a folder, and its process."""
    folders = "XDG_DATA_HOME", "XDG_CONFIG_HOME", "NICEGUI_STORAGE_PATH"
    process = subprocess.Popen(
        [*COMMAND, *arguments, "--no-browser"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | dict.fromkeys(folders, str(folder)),
    )
    try:
        link = ""
        for line in process.stdout:
            link = next(iter(re.findall(r"http://127\S+", line)), "")
            if link:
                break
        assert link, "no link was printed"
        wait_until(lambda: _answers(link), PATIENCE_S)
        yield link, process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _answers(link):
    try:
        return httpx.get(link).status_code == 303
    except httpx.HTTPError:
        return False


def test_the_server_answers_here_alone_and_ends_with_ctrl_c(tmp_path):
    port = free_port()
    with server(tmp_path, "play", "--port", str(port)) as (link, process):
        assert link.startswith(f"http://127.0.0.1:{port}/?key=")
        assert httpx.get(link.partition("?")[0]).status_code == 403
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) in {0, 130}


def test_a_port_in_use_is_left_for_the_next_one(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with server(tmp_path, "play", "--port", str(port)) as (link, _):
            assert not link.startswith(f"http://127.0.0.1:{port}/")


def show(browser, address, size):
    """Open an address in the browser, in a window of a size."""
    browser._call("POST", "/window/rect", dict(zip(("width", "height"), size, strict=True)))
    browser._call("POST", "/url", {"url": address})
    browser.wait_for("document.querySelector('main') !== null")


def sit_down(browser):
    """Click until the seat is taken: a click before the page is connected is lost."""
    find = "[...document.querySelectorAll('button')].find(b => b.innerText.trim() === 'Sit down')"
    wait_until(
        lambda: (
            browser.run(f"const b = {find}; b && b.click(); return !b;")
            and browser.run("return document.body.innerText.includes('Leave')")
        ),
        PATIENCE_S,
    )


def rings(browser):
    """Return the pixels of the marks on the board."""
    found = browser.run(
        "const svg = document.querySelector('.pucklab-board'), map = svg.getScreenCTM();"
        "return [...svg.querySelectorAll('.marks circle')].map((c) => {"
        " const at = ['cx', 'cy'].map((name) => +c.getAttribute(name));"
        " const p = new DOMPoint(...at).matrixTransform(map);"
        " return [Math.round(p.x), Math.round(p.y)]; });"
    )
    return [(x, y) for x, y in found]


@pytest.mark.parametrize(("kind", "size"), [("mouse", (1280, 800)), ("touch", (416, 800))])
def test_a_game_in_a_browser_goes_on_after_the_server_was_killed(chromium, tmp_path, kind, size):
    browser, port = chromium, str(free_port())
    players = ("--place", "--players", "person,greedy")
    with server(tmp_path, "bumpers", "play", *players, "--port", port) as (link, process):
        browser.leave()
        browser.console()  # that of earlier pages
        show(browser, link, size)
        sit_down(browser)
        browser.wait_for("document.querySelectorAll('.marks circle').length > 0")
        for _ in range(2):
            before = browser.run("return document.querySelectorAll('.pieces use').length")
            place = rings(browser)[0]
            browser.drag(place, place, kind)
            browser.wait_for(
                f"document.querySelectorAll('.pieces use').length >= {before + 2}"
                " && document.querySelectorAll('.marks circle').length > 0"
            )
        pieces = browser.run("return document.querySelectorAll('.pieces use').length")
        address = browser.run("return location.href")
        assert "key=" not in address
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert [line for line in browser.console() if "favicon" not in line] == []
        process.send_signal(signal.SIGKILL)
        process.wait()
    with server(tmp_path, "play", "--port", port):
        show(browser, address, size)
        browser.wait_for("document.querySelectorAll('.marks circle').length > 0")
        assert browser.run("return document.querySelectorAll('.pieces use').length") == pieces
        hosts = browser.run(
            "const all = performance.getEntriesByType('resource');"
            "return [...new Set(all.map((one) => new URL(one.name).host))];"
        )
        assert hosts in ([f"127.0.0.1:{port}"], [])
    browser.leave()


CLICK = (
    "const all = [...document.querySelectorAll('button, .q-item')];"
    "const one = all.find((it) => it.textContent.trim() === '{}');"
    "if (one) one.click(); return Boolean(one);"
)


TAKE = "const one = document.querySelector('.opt .best'); one?.click(); return Boolean(one);"


def click(browser, words):
    """Click what has these words, once it is there."""
    wait_until(lambda: browser.run(CLICK.format(words)), PATIENCE_S)


TO_THE_END = "window.pucklab?.arena?.seek(1e9)"


def throw(browser, number):
    """Flick over the stack, or every second time press T, at which nothing is aimed."""
    if number % 2:
        browser.keys("t")
        return
    left, top, width, height = browser.run(
        "const box = document.getElementById('arena').getBoundingClientRect();"
        "return [box.left, box.top, box.width, box.height];"
    )
    middle = round(left + width / 2), round(top + height / 2)
    browser.drag(middle, (middle[0], middle[1] - round(height / 4)))


@pytest.mark.parametrize(
    "level",
    [
        "very well",
        *map(slow, ("simply", "well", "like an expert", "like a master")),
    ],
)
def test_a_battle_in_a_browser_is_played_to_its_end(chromium, tmp_path, level):
    browser = chromium
    with server(tmp_path, "play", "--port", str(free_port())) as (link, _):
        browser.leave()
        browser.console()
        show(browser, link.replace("/?", "/battles?"), (640, 480))
        # A click before the page is connected is lost.
        browser.wait_for("window.did_handshake && document.querySelectorAll('.q-select')[3]")
        for place, words in ((2, f"plays {level}"), (3, "only throws")):
            browser.run(f"document.querySelectorAll('.q-select')[{place}].click()")
            click(browser, words)
        click(browser, "Start")
        browser.wait_for("window.pucklab?.arena")
        question = "return document.querySelector('[data-step]').innerText"
        until, number = time.monotonic() + 4 * PATIENCE_S, 0
        while " wins after " not in (asked := browser.run(question)):
            assert time.monotonic() < until, asked
            if browser.run(TAKE):
                continue
            if asked.startswith("Your turn: flick at "):
                throw(browser, number)
                number += 1
            elif number > 1 and asked.startswith("In the air"):  # one slam was seen as a film
                browser.run(TO_THE_END)
            time.sleep(0.2)
        assert number > 3
        # On a busy machine the page may be late to answer, and then loads itself again.
        usual = ("favicon", "reloading because implicit handshake failed")
        assert not [line for line in browser.console() if not any(own in line for own in usual)]
    browser.leave()


DRAWING = "+-+-+-+-+\n|. .|R .|\n+ +-+ + +\n|B . . #|\n+-+-+-+-+\ngoal: to:d2:R\n"
ENTER = "\ue007"


def drop(browser, path):
    """Drop a file on the middle of the board."""
    left, top, width, height = browser.run(
        "const box = document.querySelector('.pucklab-board').getBoundingClientRect();"
        "return [box.left, box.top, box.width, box.height];"
    )
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": left + width / 2, "y": top + height / 2}
        browser._cdp("Input.dispatchDragEvent", type=kind, data=data, **place)


def solve_on_page(browser, goal, answer):
    """Type a goal, press Enter, and wait for the answer of the solver."""
    browser.run(
        "const box = document.querySelector('input[aria-label^=\"Goal\"]');"
        "box.focus(); box.select();"
    )
    browser.keys(goal + ENTER)
    browser.wait_for(f"document.body.innerText.includes('Goal: {goal}')")
    click(browser, "Solve")
    browser.wait_for(f"document.body.innerText.includes({answer!r})")


def test_a_board_file_is_dropped_on_a_board_and_its_goal_is_changed(chromium, tmp_path):
    browser = chromium
    board, wrong = tmp_path / "board.txt", tmp_path / "wrong.txt"
    board.write_text(DRAWING)
    wrong.write_text(DRAWING.replace("B", "?"))
    line = "pb1:small:RPb7f5.RMe7.BPd7:-:R:-"
    with server(tmp_path, "bumpers", "view", line, "--port", str(free_port())) as (link, _):
        browser.leave()
        browser.console()
        show(browser, link, (1280, 800))
        browser.wait_for("window.did_handshake && document.querySelector('.pieces use')")
        drop(browser, wrong)
        browser.wait_for(
            "document.querySelector('[role=status]').innerText.includes('row 2, column 1: ')"
        )
        drop(browser, board)
        browser.wait_for("document.body.innerText.includes('Goal: to:d2:R')")
        assert browser.run("return document.querySelectorAll('.pieces use').length") == 2
        solve_on_page(browser, "to:a2:B", "solved in 1 action, the fewest possible\na1N")
        solve_on_page(browser, "to:a2:c1", "no piece stands on c1")
        assert [line for line in browser.console() if "favicon" not in line] == []
