"""A person at the terminal, as a player of a battle."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import numpy as np

    from sim.pokepucks.battle import BattleState, Question, Reply

_MANY = 12


class Person:
    """Asks at the terminal; what is wrong is told, and asked for again."""

    def choose(
        self, state: "BattleState", question: "Question", rng: "np.random.Generator"
    ) -> "Reply":
        """Ask for a reply until a legal one is given."""
        from physics import InputError
        from sim.pokepucks.battle import check_answer, parse_answer, tell_stacks

        del rng
        while True:
            text = click.prompt(_question(state, question), prompt_suffix=" > ").strip()
            if text == "stacks":
                click.echo("\n".join(tell_stacks(state)))
                continue
            if text == "options":
                click.echo(", ".join(_options(state, question)))
                continue
            try:
                reply = parse_answer(state, question, text)
                check_answer(state, question, reply)
            except InputError as error:
                click.echo(str(error))
                continue
            assert isinstance(reply, tuple)
            return reply


def _question(state: "BattleState", question: "Question") -> str:
    """Return a question in a line: who, what, how many of which."""
    name = state.table.names[question.player]
    what = f"{question.asking}, {question.rule}" if question.rule else str(question.asking)
    many = f"{question.least} to {question.most}"
    if question.least == question.most:
        many = str(question.most)
    ordered = ", in order" if question.ordered else ""
    nothing = ", - for none" if not question.least else ""
    there = _options(state, question)
    shown = ", ".join(there[:_MANY]) + (f" and {len(there) - _MANY} more" * (len(there) > _MANY))
    return f"{name}: {what}: {many} of {shown}{ordered}{nothing} (stacks, options)"


def _options(state: "BattleState", question: "Question") -> list[str]:
    from sim.pokepucks.battle import option_text

    return [
        state.table.tell(option) if isinstance(option, int) else option_text(option)
        for option in question.options
    ]
