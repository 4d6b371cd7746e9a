"""Tables of a real server with its real processes, to which visitors and signals do anything.

Whatever they do: after a restart every table waits for a person who can answer, or is over, and
nothing that a page was told is lost.
"""

import json
import random
import secrets
import signal
import time
from contextlib import ExitStack, closing
from functools import partial
from itertools import count

import pytest

from pucklab.sim.bumpers.game import BUMPERS
from pucklab.sim.core.game import Decision, Match
from pucklab.sim.core.records import game_record_from
from pucklab.sim.pokepucks.battle.match import BATTLE
from pucklab.sim.pokepucks.battle.player_kinds import PLAYS
from tests.commands import not_windows
from tests.rawclients import Visitor
from tests.slowness import slow
from tests.test_render_browser_server import free_port, server

PATIENCE_S, PAUSE_S = 120.0, 0.02
HARD = "pb1:classic:RPa1c3p9.BPa4e5.GPh8:-:R:-"
FLICK = {"speed": 6.0, "direction": 0.3, "x": 3.0, "y": -2.0}
KINDS = ("a friend", *(f"plays {how}" for how in PLAYS.values()))


def open_battle(visitor, kind, length=""):
    """Begin a battle on the page for that, and return its path."""
    page = visitor.open("/battles")
    for name, wanted in (("The rival", kind), ("Length", length)):
        box = page.find(name)
        options = page.elements[box]["props"]["options"]
        chosen = [one for one in options if one["label"] == wanted]
        if chosen:
            page.send(box, "update:modelValue", chosen[0])
            page.listen(0.2)
    page.click("Start")
    return path_opened(page)


def open_game(visitor):
    """Begin a game of Puck Bumpers against the computer, and return its path."""
    page = visitor.open("/bumpers")
    page.click("Begin")
    return path_opened(page)


def path_opened(page):
    def paths():
        return [message["path"] for kind, message in page.told if kind == "open"]

    assert page.listen_until(paths, PATIENCE_S), page.words
    page.close()
    return paths()[0]


class Seat:
    """A page of a table, and what it was told.

    Attributes:
        step: Number of the step that it shows.
        aims: Whether it takes flicks.
        notes: What the visitor was told alone.
    """

    def __init__(self, visitor, path, told):
        self.visitor, self.path = visitor, path
        self.page = visitor.open(path)
        self.step, self.aims, self.notes = 0, False, []
        self._told = told

    def listen(self, seconds=0.0):
        """Take what is told, and tell of slams that are over."""
        page = self.page
        page.listen(seconds)
        for kind, message in page.told:
            if kind == "notify":
                self.notes.append(message["message"])
            elif kind == "send":
                self.aims = message[0].get("stack", {}).get("aims", self.aims)
                if "slam" in message[0]:
                    self.aims, number = False, message[0]["slam"]["number"]
                    page.send(page.find(tag="arena_element"), "landed", {"step": number})
        page.told.clear()
        question = self.question
        if question is None:
            return
        self.step = int(question["props"]["data-step"])
        if self.step >= 0:
            if question["text"].startswith("In the air"):  # the slam tells the next step
                self._told.setdefault(self.step + 1, "")
            else:
                self._told[self.step] = question["props"]["title"]

    def stay(self):
        """Listen; on a busy machine a page may be late to answer, and then is loaded again."""
        self.listen()
        if not self.page.is_open:
            self.page = self.visitor.open(self.path)

    @property
    def question(self):
        """The line that says what the game waits for."""
        shown = (self.page.elements[key] for key in self.page.shown())
        return next((one for one in shown if "data-step" in one.get("props", {})), None)

    @property
    def is_asked(self):
        """Whether the visitor can answer."""
        page = self.page
        typed = page.find("or type an answer")
        types = typed is not None and "hidden" not in page.elements[typed].get("class", ())
        return self.aims or types or page.find("Take") is not None

    @property
    def is_over(self):
        return self.question is not None and any(
            word in self.question["text"] for word in (" wins", "You win", "a draw", "draw.")
        )

    def flick(self, step=None):
        frame = self.page.find(tag="arena_element")
        step = self.step if step is None else step
        return self.page.send(frame, "flick", FLICK | {"step": step})

    def answer(self):
        """Take the proposal, flick, or type: first nonsense, then an answer that the page names."""
        page = self.page
        typed = page.find("or type an answer")
        if page.click("Take"):
            return
        if page.find(tag="arena_element") is not None:
            self.flick()
        elif typed is not None:
            told = [note for note in self.notes if "give one of " in note]
            accepted = told[-1].partition("give one of ")[2] if told else "?"
            self.notes.clear()
            page.send(typed, "update:value", accepted.split(", ")[0])
            page.send(typed, "keydown", {})


def play_to_its_end(seats, within_s=PATIENCE_S):
    """Let the seats answer until their games are over."""
    until = time.monotonic() + within_s
    answered = dict.fromkeys(seats, (-1, 0.0))  # step of the last answer, and when
    while not all(seat.is_over for seat in seats):
        assert time.monotonic() < until, [seat.question for seat in seats]
        for seat in seats:
            seat.stay()
            step, at_s = answered[seat]
            if seat.is_asked and (seat.step != step or time.monotonic() > at_s + 1):
                seat.answer()
                answered[seat] = seat.step, time.monotonic()
        time.sleep(PAUSE_S)


def test_battles_against_players_of_every_level_are_played_to_their_end(tmp_path):
    with server(tmp_path, "play", "--port", str(free_port())) as (link, _), ExitStack() as stack:
        seats = []
        for kind in KINDS:
            host, friend = (stack.enter_context(closing(Visitor(link))) for _ in range(2))
            # With special rules the strongest two have ten times as much to think about.
            path = open_battle(host, kind, "only throws" if kind in KINDS[-2:] else "")
            seats.append(Seat(host, path, {}))
            if kind == "a friend":
                seats.append(Seat(friend, path, {}))
                page = seats[-1].page
                assert page.listen_until(lambda page=page: page.click("Sit down"), PATIENCE_S)
        play_to_its_end(seats)
        assert all(seat.step > 10 for seat in seats)
        assert not any("failed" in seat.page.words for seat in seats)


def lines_of(folder, path):
    """Return the lines of a table's journal, as a crash leaves them."""
    text = (folder / "pucklab" / "games" / f"{path.split('/')[-1]}.jsonl").read_text()
    return [json.loads(line) for line in text.split("\n")[:-1]]


def questions_of(lines):
    """Return the game of a journal, played by its lines, and its questions by their numbers."""
    header, *lines = lines
    game = next(game for game in (BATTLE, BUMPERS) if game.name == header["game"])
    record = game_record_from(game, header | {"answers": [], "end": {}})
    persons = [None if kind == "person" else object() for kind in record.players]
    match, asked, numbers = Match(game, record.setup, persons), {}, count(1)
    for line in [{"owners": []}, *lines]:
        if line == {"undo": True}:
            match.undo()
        elif isinstance(line, str):
            match.step(game.read(match.state, line))
        if line == {"undo": True} or isinstance(line, str):
            now, number = match.open, next(numbers)
            if isinstance(now, Decision):
                asked[number] = game.question(match.state, now)
            elif now is None:
                asked[number] = " ".join(game.result(match.state))
            else:
                asked[number] = ""
    return match, asked


class World:
    """A server, visitors and their tables; ``told`` has what pages said at each step of each."""

    def __init__(self, folder, seed):
        self.folder, self.rng, self.port = folder, random.Random(seed), str(free_port())
        self.stack, self.log = ExitStack(), []
        self.start()
        self.visitors = [Visitor(self.link) for _ in range(3)]
        host, friend, other = self.visitors
        self.paths = [open_battle(host, "a friend"), open_game(other)]
        self.paths += [open_battle(friend, KINDS[2]), open_battle(other, KINDS[4])]
        self.told = {path: {} for path in self.paths}
        self.seats, self.others = [], []
        self.sit_down()

    def start(self):
        words = ("play", "--port", self.port)
        self.link, self.process = self.stack.enter_context(server(self.folder, *words))

    def sit_down(self):
        """Open a page of each table, and let a friend sit down."""
        host, friend, other = self.visitors
        for path, visitor in zip(self.paths, (host, other, friend, other), strict=True):
            self.open(path, visitor)
        self.open(self.paths[0], friend)
        self.seats[-1].listen(0.2)
        self.seats[-1].page.click("Sit down")

    def open(self, path=None, visitor=None):
        """Open a page of a table."""
        visitor = visitor or self.rng.choice(self.visitors)
        path = path or self.rng.choice(self.paths)
        self.seats.append(Seat(visitor, path, self.told[path]))
        while len(self.seats) > 8:
            self.seats.pop(0).page.close()

    def act(self):
        """Do something at random."""
        rng, seats = self.rng, self.seats
        if not seats:
            self.open()
            return
        asked = [seat for seat in seats if seat.is_asked]
        seat = rng.choice(asked if asked and rng.random() < 0.7 else seats)
        acts = {
            seat.answer: 40,
            self.open: 2,
            lambda: [seat.flick() for _ in range(rng.randint(2, 5))]: 5,
            lambda: seat.flick(seat.step - rng.randint(-2, 3)): 5,
            lambda: [seat.page.press("t", held=number > 0) for number in range(8)]: 5,
            lambda: seat.page.click("Sit down"): 2,
            lambda: seat.page.click("Leave"): 1,
            lambda: seat.page.press(rng.choice("ubvxj,,.")): 6,
            seat.page.close: 1,
            partial(self.ask_much, seat.visitor): 1,
        }
        (act,) = rng.choices([*acts], [*acts.values()])
        self.log.append((act, seat.path, seat.step))
        act()

    def ask_much(self, visitor):
        """Ask for more than there are processes for."""
        for _ in range(4):
            page = visitor.open(f"/boards/{secrets.token_hex(4)}?position={HARD}")
            page.listen(0.1)
            page.press("s")
            self.others.append(page)
        while len(self.others) > 12:
            self.others.pop(0).close()

    def listen(self):
        time.sleep(PAUSE_S)
        for seat in [*self.seats]:
            seat.listen()
            if not seat.page.is_open:
                self.seats.remove(seat)
        for page in self.others:
            page.listen(0)

    def second_server(self):
        """Start another server on the same folder: it leaves the tables to the first one."""
        path = self.rng.choice(self.paths)
        self.open(path)  # else nobody looks at it, and it is free
        with ExitStack() as stack:
            words = ("play", "--port", str(free_port()))
            link, _ = stack.enter_context(server(self.folder, *words))
            page = stack.enter_context(closing(Visitor(link))).open(path)
            assert "another pucklab on this machine has it open" in page.words

    def end(self, sign):
        """End the server by a signal; check the disk, and start it again."""
        self.process.send_signal(sign)
        self.process.wait(PATIENCE_S)
        for seat in self.seats:
            seat.listen(0.1)
        for page in (*(seat.page for seat in self.seats), *self.others):
            page.close()
        self.seats, self.others = [], []
        self.stack.close()
        self.check_told()
        self.start()
        self.sit_down()

    def check_told(self):
        """Check that the journals have what pages were told."""
        for path, told in self.told.items():
            _, asked = questions_of(lines_of(self.folder, path))
            assert max(told, default=0) <= max(asked, default=0), (path, told, asked)
            for number, text in told.items():
                if text and asked.get(number) and "throw" not in text:
                    assert text == asked[number], (path, number)

    def check_alive(self, path):
        """Check that a table comes to wait for a person who can answer, or to its end."""
        seats = [Seat(visitor, path, self.told[path]) for visitor in self.visitors]
        until = time.monotonic() + PATIENCE_S
        while not any(seat.is_asked or seat.is_over for seat in seats):
            time.sleep(PAUSE_S)
            for seat in seats:
                seat.stay()
                seat.page.click("Try again")
            if self.rng.random() < 0.05 and seats[0].page.find("Sit down") is not None:
                seats[0].page.click("Sit down")
            assert time.monotonic() < until, (path, self.log[-40:], seats[0].page.words)
        for seat in seats:
            seat.page.close()


@not_windows
@pytest.mark.parametrize(("seed", "acts"), [(1, 60), *(slow(seed, 2000) for seed in (2, 3, 4))])
def test_no_table_is_ever_stuck_and_nothing_that_was_told_is_lost(seed, acts, tmp_path):
    world = World(tmp_path, seed)
    done = ends = 0
    with world.stack:
        while done < acts or not ends:
            done += 1
            world.act()
            world.listen()
            drawn = world.rng.random()
            if drawn < 0.01:
                world.end(world.rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
                world.check_alive(world.rng.choice(world.paths))
                ends += 1
            elif drawn < 0.013:
                world.second_server()
        world.end(signal.SIGKILL)
        for path in world.paths:
            world.check_alive(path)
        for visitor in world.visitors:
            visitor.close()
    assert all(world.told.values())
