"""A person who plays a battle at the terminal.

A question comes with a proposed answer, which Enter takes; it makes throws, too. Besides an answer,
a person may type
``?`` (or ``help``), which explains the question and every option; ``? NAME``, which explains a
puck, a special rule or a status; ``chances``, the chances of the next throw from recorded slams;
``stacks``, ``options``, and ``quit`` or ``q``, which stops as Ctrl-C does. Questions with one
sensible answer are not asked, unless all are asked for, and the set-up is one question.
"""

import shutil
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from physics.errors import InputError
from sim.pokepucks.battle.explanations import (
    chance_lines,
    count_words,
    explained,
    first_sentence,
    first_steps,
    help_lines,
    option_name,
    option_sentence,
)
from sim.pokepucks.battle.live import Moment
from sim.pokepucks.battle.narration import counted
from sim.pokepucks.battle.questions import Question, Reply
from sim.pokepucks.battle.record import parse_answer
from sim.pokepucks.battle.sensible import (
    Plan,
    SetUpPlayer,
    only_sensible,
    proposed,
    set_up_of,
)
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.timing import check_answer
from sim.pokepucks.battle.transcript import stack_lines
from sim.pokepucks.special import rules_of
from sim.pokepucks.throws import Outcome, Shot, Throws

if TYPE_CHECKING:
    import numpy as np

_OPTIONS_SHOWN = 12
"""Options of a question that are listed before the person asks for all."""


class Person:
    """A player at the terminal, who is asked again after a mistake.

    Args:
        asks_all: True to ask the questions with one sensible answer, and the set-up one by one.
    """

    def __init__(self, *, asks_all: bool = False) -> None:
        self._asks_all = asks_all
        self._plan: Plan | None = None

    def choose_at(self, moment: Moment, rng: "np.random.Generator") -> Reply:
        """Ask for a reply until a legal one is given, unless only one is sensible."""
        question = moment.ask
        assert isinstance(question, Question)
        if not (self._asks_all or moment.state.turn.number):
            if self._plan is None:
                self._plan = self._planned(moment, question)
            if self._plan:
                return SetUpPlayer(self._plan).reply(moment.state, question)
        reply = None if self._asks_all else only_sensible(moment.state, question)
        return self.choose(moment.state, question, rng) if reply is None else reply

    def choose(self, state: BattleState, question: Question, rng: "np.random.Generator") -> Reply:
        """Ask for a reply until a legal one is given."""
        del rng
        suggested = proposed(state, question)
        words = ", ".join(option_name(state, option) for option in suggested) or "nothing"
        none = ", and - takes nothing" if suggested and not question.least else ""
        while True:
            text = _typed(f"{_question(state, question)} Enter takes {words}{none}.")
            told = _told(state, question, text)
            if told:
                click.echo("\n".join(map(_wrapped, told)))
                continue
            try:
                reply = parse_answer(state, question, text) if text else suggested
                check_answer(rules_of(state.table), state, question, reply)
            except InputError as error:
                click.echo(str(error))
                continue
            assert isinstance(reply, tuple)
            return reply

    def _planned(self, moment: Moment, question: Question) -> Plan:
        """Show the proposed set-up; return it if it is taken, and nothing to ask one by one."""
        set_up = set_up_of(moment, question.player, {})
        lines = [*first_steps(set_up.state)]
        for asked, reply in set_up.questions:
            lines.append(f"{first_sentence(asked)} {'These are' if reply else 'None is'} proposed.")
            lines += [f"  {option_sentence(moment.state, option)}" for option in reply]
        click.echo("\n".join(map(_wrapped, lines)))
        change = ", change lets you choose, ? explains," if set_up.questions else ""
        while (text := _typed(f"Enter begins{change} and quit stops."))[:1] == "?":
            for asked, _ in set_up.questions:
                click.echo("\n".join(map(_wrapped, help_lines(moment.state, asked))))
        return {} if text else {asked.asking: reply for asked, reply in set_up.questions}


class PersonThrows:
    """Throws that wait until the person who makes them presses Enter.

    Args:
        throws: Source of their outcomes.
        names: The names of the persons by their seats.
    """

    def __init__(self, throws: Throws, names: Mapping[int, str]) -> None:
        self._throws, self._names = throws, names

    def throw(self, shot: Shot, rng: "np.random.Generator") -> Outcome:
        """Return the outcome of a throw."""
        if shot.player in self._names:
            what = "a slammer" if shot.knock_out else f"{counted(len(shot.stack))} of the Arena"
            _typed(f"{self._names[shot.player]}: Enter throws at {what}.")
        return self._throws.throw(shot, rng)


def _typed(words: str) -> str:
    """Return what a person types after a prompt; quit is Ctrl-C."""
    text = click.prompt(_wrapped(words), "", show_default=False, prompt_suffix=" > ").strip()
    if text.lower() in {"q", "quit"}:
        raise click.Abort
    return str(text)


def _wrapped(text: str) -> str:
    """Return a text broken at words to fit the terminal."""
    width = max(shutil.get_terminal_size().columns - 1, 20)
    indent = "  " if text.startswith("  ") else ""
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False)


def _told(state: BattleState, question: Question, text: str) -> list[str]:
    """Return the lines that a command asks for; empty if the text is an answer."""
    word, _, rest = text.replace("?", "? ", 1).partition(" ")
    if text == "stacks":
        return list(stack_lines(state))
    if text == "options":
        return [", ".join(option_name(state, option) for option in question.options)]
    if text == "chances":
        return list(chance_lines(state, question))
    if word in {"?", "help"}:
        rest = rest.strip()
        return explained(state, rest) if rest else list(help_lines(state, question))
    return []


def _question(state: BattleState, question: Question) -> str:
    """Return a question in sentences: the player, the point or rule, the number, the options."""
    name = state.table.names[question.player] + (f", {question.rule}" if question.rule else "")
    there = [option_name(state, option) for option in question.options]
    shown = ", ".join(there[:_OPTIONS_SHOWN]) + (
        f" and {len(there) - _OPTIONS_SHOWN} more" * (len(there) > _OPTIONS_SHOWN)
    )
    return f"{name}: {first_sentence(question)} {count_words(question)[:-1]}: {shown}."
