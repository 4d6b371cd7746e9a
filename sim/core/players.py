"""Players of any game by name, and other programs as players, over their standard input and output.

`Players` has those of a game: its own policies, and ``exec:./bot``, which runs the program
``./bot``. It gets a line of JSON for each question and answers with a line of JSON; `docs/bots.md`
has the format and an example. A bot that does not answer in time, has ended, or answers something
else loses the move: the first legal options are taken for it, and a line on standard error says
so. After `_MOST_LATE` late answers in a row it is stopped, and loses all moves that follow. Threads
read and write, so that neither a program that reads nothing nor one that never stops writing holds
up a game.
"""

import queue
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

import numpy as np

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import shown
from pucklab.base.facts import fact
from pucklab.base.parsing import json_text, parse_json
from pucklab.physics import InputError
from pucklab.sim.core.game import AnyGame, Decision, Player

PERSON = "person"
_KIND = re.compile(r"exec(?:@([0-9]*\.?[0-9]+)s)?:(.*)")

DEFAULT_SECONDS = 5.0
MAX_SECONDS = 600.0
_MOST_LATE = 3
_MOST_CHARS = 65_536
"""Longest line that is read as one answer."""

_WAITING_LINES = 64
_END_SECONDS = 1.0


class Bot:
    """A program that answers questions; it starts at the first one, and ends with this object.

    Args:
        kind: The program, such as ``exec:./bot``, with a limit of time such as ``exec@2s:./bot``.
        say: Takes a message about a lost move; standard error if None.
        field: Name of the option in errors.

    Raises:
        InputError: The kind has another form, or there is no such program.
    """

    def __init__(
        self, kind: str, *, say: Callable[[str], None] | None = None, field: str = "policy"
    ) -> None:
        match = _KIND.fullmatch(kind)
        words: list[str] = []
        with suppress(ValueError):  # a quote that is not closed
            words = shlex.split(match[2]) if match else []
        seconds = float(match[1] or DEFAULT_SECONDS) if match else 0.0
        if not words or not 0 < seconds <= MAX_SECONDS:
            raise InputError(
                f"{field}: {shown(kind)} is not accepted; give exec:PROGRAM, or exec@2s:PROGRAM "
                f"for a limit of 2 seconds (at most {MAX_SECONDS:g})"
            )
        if shutil.which(words[0]) is None:
            raise InputError(f"{field}: {shown(kind)}: there is no program {words[0]!r} to run")
        self.kind, self.seconds = kind, seconds
        self._say = say or (lambda message: print(message, file=sys.stderr, flush=True))  # noqa: T201
        self._words = words
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue(_WAITING_LINES)
        self._questions: queue.Queue[str] = queue.Queue()
        self._asked = 0
        self._late = 0
        self._is_over = False

    def select(self, question: dict[str, Any], options: int, least: int, most: int) -> list[int]:
        """Return the indices of the options that the bot selects, or of the first legal ones.

        Args:
            question: The question, without its number.
            options: Number of options.
            least: Fewest to select.
            most: Most to select.
        """
        lost = list(range(least))
        if self._is_over:
            return lost
        self._asked += 1
        try:
            if self._process is None:
                self._process = process = subprocess.Popen(
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                    errors="replace",
                )
                weakref.finalize(self, _end, process, self._questions)
                for work, stream, passed in (
                    (_read, process.stdout, self._lines),
                    (_write, process.stdin, self._questions),
                ):
                    threading.Thread(target=work, args=(stream, passed), daemon=True).start()
            message = {"id": self._asked, **question}
            self._questions.put(json_text(message, ensure_ascii=False) + "\n")
            answer = self._answer_to(self._asked)
        except (_LostMoveError, OSError) as error:
            self._say(f"{self.kind}: {error}; it loses the move")
            return lost
        chosen: Any = answer.get("choose")
        # Different indices of options, and as many as asked for.
        if not (
            isinstance(chosen, list)
            and all(type(index) is int and 0 <= index < options for index in chosen)
            and least <= len(set(chosen)) == len(chosen) <= most
        ):
            wanted = f"{least} to {most} of the numbers from 0 to {options - 1}"
            self._say(f"{self.kind}: choose: {shown(chosen)}: not {wanted}; it loses the move")
            return lost
        return list(chosen)

    def _answer_to(self, number: int) -> dict[str, Any]:
        """Return the answer to a question; late answers to earlier ones are skipped."""
        deadline = time.monotonic() + self.seconds
        while True:
            left_s = deadline - time.monotonic()
            try:
                line = self._lines.get(timeout=max(left_s, 0.001))
            except queue.Empty:
                line = None
            if line is None or left_s < 0:
                late = f"no answer within {self.seconds:g} s"
                self._late += 1
                if self._late < _MOST_LATE:
                    raise _LostMoveError(late)
                self._is_over = True
                if self._process is not None:
                    _end(self._process, self._questions)
                raise _LostMoveError(
                    f"{late}, {_MOST_LATE} times in a row: it is stopped and loses all moves that "
                    "follow"
                )
            if not line:
                self._is_over = True
                assert self._process is not None
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_END_SECONDS)
                raise _LostMoveError(
                    f"the program has ended with exit code {self._process.poll()} and loses all "
                    "moves that follow"
                )
            try:
                answer = parse_json(line, "answer")
            except InputError:
                raise _LostMoveError(f"{shown(line.strip())} is not JSON") from None
            if not isinstance(answer, dict) or type(answer.get("id")) is not int:
                raise _LostMoveError(f'{shown(line.strip())} has no "id"')
            if answer["id"] == number:
                self._late = 0
                return answer


class _LostMoveError(Exception):
    """The reason why a bot loses a move."""


def _read(stream: IO[str], lines: "queue.Queue[str]") -> None:
    """Put every line of a program into a queue, and an empty one at its end."""
    with stream, suppress(OSError, ValueError):
        while line := stream.readline(_MOST_CHARS):
            lines.put(line)
    lines.put("")


def _write(stream: IO[str], questions: "queue.Queue[str]") -> None:
    """Write every question to a program, and close its input at an empty one."""
    # Closing writes what is left, which may fail as well.
    with suppress(OSError, ValueError), stream:
        while question := questions.get():
            stream.write(question)
            stream.flush()


def _end(process: "subprocess.Popen[str]", questions: "queue.Queue[str]") -> None:
    """Close the input of a program; if it does not end by itself soon, end it."""
    questions.put("")
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class RandomPlayer:
    """A player that draws its answers: first how many options to select, then which ones."""

    def choose(self, state: Any, decision: Decision, rng: np.random.Generator) -> Any:
        """Return a random legal answer."""
        del state
        options, count = len(decision.options), decision.least
        if decision.most > count:
            count = int(rng.integers(count, decision.most + 1))
        if count == 1:
            return decision.answer([int(rng.integers(options))])
        return decision.answer(rng.permutation(options)[:count].tolist() if count else ())


class ProgramPlayer:
    """A program as a player of a game; see `Bot` for its arguments."""

    def __init__(
        self,
        game: AnyGame,
        kind: str,
        say: Callable[[str], None] | None = None,
        field: str = "players",
    ) -> None:
        self._game, self._bot = game, Bot(kind, say=say, field=field)

    def choose(self, state: Any, decision: Decision, rng: np.random.Generator) -> Any:
        """Return the options that the program selects, or else the first ones."""
        del rng
        message = {
            "game": self._game.name,
            "player": self._game.seats(state)[decision.seat],
            "least": decision.least,
            "most": decision.most,
            "options": [self._game.words(state, option) for option in decision.options],
            "turn": self._game.turns(state),
            **self._game.view(state, decision.seat),
        }
        chosen = self._bot.select(message, len(decision.options), decision.least, decision.most)
        return decision.answer(chosen)


def _nothing(kind: str) -> None:  # a function of the module, so that processes can take it
    del kind


@fact
class Players:
    """The players of a game by name; ``person`` and ``exec:PROGRAM`` are players of every game."""

    game: AnyGame
    by_name: Mapping[str, Callable[[], Player]]
    others: Callable[[str], Player | None] = _nothing  # by other names, such as planner-1s
    forms: Sequence[str] = ()  # of those, for errors
    field: str = "players"  # name of the option in errors

    def of(self, kind: str, *, persons: bool = False) -> Player | None:
        """Return a new player of a kind; None for a person, if persons are accepted.

        Raises:
            InputError: There is no such kind.
        """
        if kind == PERSON and persons:
            return None
        if kind.startswith("exec"):
            return ProgramPlayer(self.game, kind, field=self.field)
        if kind not in self.by_name and (other := self.others(kind)) is not None:
            return other
        names = [*self.by_name, *self.forms, *([PERSON] if persons else [])]
        check_one_of(self.field, kind, names)
        return self.by_name[kind]()

    def kinds(self, text: str, seats: int) -> tuple[str, ...]:
        """Return the kinds that a text names: one for all seats, or one for each.

        Raises:
            InputError: There are too few or too many.
        """
        kinds = tuple(kind.strip() for kind in text.split(","))
        if len(kinds) not in {1, seats}:
            raise InputError(f"{self.field}: {text!r} is not accepted; give 1 or {seats} kinds")
        return kinds * (seats if len(kinds) == 1 else 1)


def ask_player(player: Player, state: Any, decision: Decision, rng: np.random.Generator) -> Any:
    """Return a player's answer, and the state of its generator after it, for another process."""
    return player.choose(state, decision, rng), rng.bit_generator.state
