"""A person who plays a battle at the terminal.

A question comes with a proposed answer, which Enter takes. Besides an answer, a person may type
``?`` (or ``help``), which explains the question and every option; ``? NAME``, which explains a
puck, a special rule or a status; ``chances``, the chances of the next throw from recorded slams;
``stacks``, ``options``, and ``quit`` or ``q``, which stops as Ctrl-C does. Questions with one
sensible answer are not asked, unless all are asked for, and the set-up is one question.
"""

import shutil
import textwrap
from typing import TYPE_CHECKING

import click

from physics.errors import InputError
from sim.pokepucks.battle.explanations import (
    chance_lines,
    explained,
    help_lines,
    option_name,
)
from sim.pokepucks.battle.live import Moment
from sim.pokepucks.battle.questions import Asking, Question, Reply
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
from sim.pokepucks.special.own_rules import rules_of

if TYPE_CHECKING:
    import numpy as np

_OPTIONS_SHOWN = 12
"""Options of a question that are listed before the person asks for all."""

_FIRST_HELP = (
    "Answer with names or numbers, commas between them; Enter takes the answer proposed.",
    "? explains the question, ? NAME a puck, rule or status; chances tells those of the throw.",
    "stacks shows who has what, options all that can be chosen; quit stops, Ctrl-C too.",
)


class Person:
    """A player at the terminal, who is asked again after a mistake.

    Args:
        asks_all: True to ask the questions with one sensible answer, and the set-up one by one.
    """

    def __init__(self, *, asks_all: bool = False) -> None:
        self._asks_all = asks_all
        self._plan: Plan | None = None
        self._was_helped = False

    def choose_at(self, moment: Moment, rng: "np.random.Generator") -> Reply:
        """Ask for a reply until a legal one is given, unless only one is sensible."""
        question = moment.ask
        assert isinstance(question, Question)
        if not self._asks_all:
            if not moment.state.turn.number and self._plan is None:
                self._plan = self._planned(moment, question)
            if self._plan is not None and not moment.state.turn.number:
                if self._plan:
                    return SetUpPlayer(self._plan).reply(moment.state, question)
            elif (reply := only_sensible(moment.state, question)) is not None:
                return reply
        return self.choose(moment.state, question, rng)

    def choose(self, state: BattleState, question: Question, rng: "np.random.Generator") -> Reply:
        """Ask for a reply until a legal one is given."""
        del rng
        suggested = proposed(state, question)
        words = ", ".join(option_name(state, option) for option in suggested) or "-"
        while True:
            text = self._typed(f"{_question(state, question)} (Enter: {words})")
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
        state = moment.state
        name = state.table.names[question.player]
        questions = set_up_of(moment, question.player, {}).questions
        click.echo(f"{name}'s set-up:")
        for asked, reply in questions:
            chosen = ", ".join(option_name(state, option) for option in reply) or "none"
            order = ", the last on top" if asked.asking is Asking.BUILD_ARENA else ""
            click.echo(_wrapped(f"  {asked.asking}{order}: {chosen}"))
        while (text := self._typed("Enter starts with it; change asks for each choice"))[:1] == "?":
            for asked, _ in questions:
                click.echo("\n".join(map(_wrapped, help_lines(state, asked))))
        return {} if text else {asked.asking: reply for asked, reply in questions}

    def _typed(self, words: str) -> str:
        """Return what a person types after a prompt; quit is Ctrl-C."""
        if not self._was_helped:
            self._was_helped = True
            click.echo("\n".join(map(_wrapped, _FIRST_HELP)))
        prompt = _wrapped(words)
        text = str(click.prompt(prompt, "", show_default=False, prompt_suffix=" > ")).strip()
        if text.lower() in {"q", "quit"}:
            raise click.Abort
        return text


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
    """Return a question in a line: the player, the kind, the number and the options."""
    name = state.table.names[question.player]
    what = f"{question.asking}, {question.rule}" if question.rule else str(question.asking)
    many = f"{question.least} to {question.most}"
    if question.least == question.most:
        many = str(question.most)
    ordered = ", in order" if question.ordered else ""
    nothing = ", - for none" if not question.least else ""
    there = [option_name(state, option) for option in question.options]
    shown = ", ".join(there[:_OPTIONS_SHOWN]) + (
        f" and {len(there) - _OPTIONS_SHOWN} more" * (len(there) > _OPTIONS_SHOWN)
    )
    return f"{name}: {what}: {many} of {shown}{ordered}{nothing}"
