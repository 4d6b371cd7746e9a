"""The door to long work: real processes, their limits, and what pages say about them."""

import asyncio
import os
import time

import pytest

from pucklab.render.browser import work
from pucklab.render.browser.guard import Visitor
from pucklab.render.browser.work import AT_ONCE, OWN, Viewers, Work, compute, forget_unseen
from tests.browserpages import visitors
from tests.commands import wait_until
from tests.longwork import add, count_up, die, fail, refuse, sleep

PATIENCE_S = 60.0
HOST = Visitor(name="host", is_host=True)
HARD = "pb1:classic:RPa1c3p9.BPa4e5.GPh8:-:R:-"
GUESTS = [Visitor(name=f"guest {number}", is_host=False) for number in range(9)]


@pytest.fixture(autouse=True)
def _all_ends():
    yield
    for one in [*Work.all]:
        one.stop()


def pages_of(visitor):
    """Return viewers with a page of a visitor."""
    viewers = Viewers()
    viewers.pages["page"] = visitor
    return viewers


def running():
    return [one for one in Work.all if one.worker is not None]


def last_news(one):
    """Wait for the end of work, and return its last news."""
    latest = None

    def is_over():
        nonlocal latest
        latest = one.news() or latest
        return one.is_over

    wait_until(is_over, PATIENCE_S)
    return latest


def exists(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_an_answer_comes_from_another_process_which_is_used_again():
    first = await compute(Viewers(), sleep, 0)
    assert first != os.getpid()
    assert await compute(Viewers(), sleep, 0) == first


async def test_what_fails_is_said_and_the_next_work_is_done(caplog):
    viewers = Viewers()
    assert await compute(viewers, refuse) is None
    assert viewers.said == "speed: 99 is not accepted; give 0 to 10"
    for function in (fail, die, lambda: None):  # the last cannot be sent
        assert await compute(viewers, function) is None
        assert viewers.said.startswith("This failed;")
    assert "ZeroDivisionError" in caplog.text
    assert "its process has died" in caplog.text
    assert await compute(viewers, add, 1, 2) == 3
    assert viewers.said == ""


def test_a_visitor_has_two_processes_one_of_them_for_short_work():
    own = pages_of(GUESTS[0])
    long = [Work(own, count_up, 60) for _ in range(3)]
    assert running() == long[:1]
    assert own.said == "This waits until other work is done; 1 came before it."
    short = [Work(own, add, 1, n, is_long=False) for n in range(2)]
    assert running() == [long[0], short[0]]
    assert last_news(short[1]) == 2
    other = Work(pages_of(GUESTS[1]), count_up, 60)
    assert other in running()
    long[0].stop()
    assert long[1] in running()


def test_all_together_have_four_and_the_host_comes_first():
    guests = [Work(pages_of(guest), count_up, 60) for guest in GUESTS]
    assert running() == guests[: AT_ONCE - 1]
    short = Work(pages_of(GUESTS[8]), add, 1, 2, is_long=False)
    assert last_news(short) == 3
    host = Work(pages_of(HOST), count_up, 60)
    guests[0].stop()
    assert host in running()
    assert len(running()) == AT_ONCE - 1
    assert OWN < AT_ONCE


def test_more_than_eight_works_of_a_visitor_do_not_wait():
    own = pages_of(GUESTS[0])
    every = [Work(own, count_up, 60) for _ in range(12)]
    assert [one.is_over for one in every] == [False] * 9 + [True] * 3
    assert every[-1].error.startswith("The server is busy")
    other = Work(pages_of(GUESTS[1]), add, 1, 2, is_long=False)
    assert last_news(other) == 3


def test_the_last_news_is_not_lost_if_other_work_looks_first():
    one = Work(pages_of(GUESTS[0]), count_up, 0.1)
    wait_until(lambda: running()[0].worker is not None)
    other = Work(pages_of(GUESTS[1]), count_up, 60)
    wait_until(lambda: other.news() and one.is_over, PATIENCE_S)
    assert one.news() is not None


def test_short_work_is_not_refused_because_long_work_waits():
    own = pages_of(GUESTS[0])
    for _ in range(9):
        Work(own, count_up, 60)
    assert last_news(Work(own, add, 1, 2, is_long=False)) == 3


def test_stopped_work_ends_its_process_at_once():
    one = Work(pages_of(GUESTS[0]), count_up, 60)
    wait_until(lambda: one.news() is not None, PATIENCE_S)
    process = one.worker._process.pid
    one.stop()
    assert not exists(process)
    assert one.news() is None


async def test_work_ends_with_the_last_page_that_wants_it(monkeypatch):
    async with visitors(monkeypatch, guests=1) as (host, guest):
        for user in (host, guest):
            await user.open(f"/boards/ended?position={HARD}")
        guest.find("solve-or-stop").click()
        await asyncio.sleep(0.1)
        (one,) = running()
        process = one.worker._process.pid
        guest.client.delete()
        await asyncio.sleep(0.1)
        assert running() == [one]
        host.client.delete()
        assert running() == []
        assert not exists(process)


async def test_a_page_says_that_its_work_waits(monkeypatch):
    monkeypatch.setattr(work, "OWN", 0)
    async with visitors(monkeypatch) as (host,):
        await host.open(f"/boards/waiting?position={HARD}")
        host.find("solve-or-stop").click()
        await host.should_see("This waits until other work is done; 0 came before it.")


class Thing:
    def __init__(self, things, *, is_unsaved):
        self.viewers, self.is_unsaved = Viewers(things), is_unsaved


def test_things_that_nobody_looks_at_are_forgotten_unless_work_were_lost():
    things = {}
    for name in range(150):
        things[name] = Thing(things, is_unsaved=name != 149)
        things[name].viewers.is_gone = True
    things["seen"] = Thing(things, is_unsaved=False)
    things["seen"].viewers.pages["page"] = HOST
    things["own"] = Thing(None, is_unsaved=False)
    things["own"].viewers.is_gone = True
    forget_unseen(things)
    assert list(things) == [*range(49, 149), "seen", "own"]


async def test_boards_and_puzzles_that_nobody_looks_at_are_forgotten(monkeypatch):
    from pucklab.render.browser import explorer, puzzles

    async with visitors(monkeypatch, host=0, guests=1) as (guest,):
        shelves = (explorer._BOARDS, puzzles._SERIES)
        before = [set(shelf) for shelf in shelves]
        for address in ("/boards/gone", "/puzzles/easy"):
            await guest.open(address)
            guest.client.delete()
        assert [set(shelf) for shelf in shelves] == before


def test_a_long_argument_does_not_hold_up_the_server():
    began = time.monotonic()
    one = Work(Viewers(), add, "a" * 10_000_000, "b", is_long=False)
    assert time.monotonic() - began < 1
    assert len(last_news(one)) == 10_000_001
