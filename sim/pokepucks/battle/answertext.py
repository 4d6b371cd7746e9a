"""Answers as text, for records, scripts and people.

An answer of a player is what is chosen, with commas between: pucks by their numbers, uses of
special rules as ``Potion 17``; ``-`` for nothing. A throw is its outcome's text.
"""

from physics import InputError
from physics.checks import shown
from sim.pokepucks.battle.question import Answer, Ask, Option, Question, Reply, ThrowCall, Use
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.design import name_key
from sim.pokepucks.outcome import Outcome, outcome_text, parse_outcome

_NOTHING = "-"


def answer_text(answer: Answer) -> str:
    """Return an answer's text; `parse_answer` reads it back.

    Example:
        >>> answer_text((3, 14)), answer_text((Use("Potion", 17),)), answer_text(())
        ('3, 14', 'Potion 17', '-')
    """
    if isinstance(answer, Outcome):
        return outcome_text(answer)
    return ", ".join(map(option_text, answer)) or _NOTHING


def option_text(option: Option) -> str:
    """Return an option's text."""
    if isinstance(option, Use):
        return option.rule if option.puck is None else f"{option.rule} {option.puck}"
    return str(option)


def parse_answer(state: BattleState, ask: Ask | None, text: str) -> Answer:
    """Return the answer that a text tells.

    Beside what `answer_text` writes, a name does for a puck or a use: it stands for the first of
    that name that is not yet chosen. Whether the answer is legal is seen when it is given.

    Args:
        state: The battle.
        ask: What is asked.
        text: The text.

    Raises:
        InputError: It tells nothing that could be meant.
    """
    if ask is None:
        raise InputError("answer: the battle is over")
    if isinstance(ask, ThrowCall):
        return parse_outcome(text, "answer")
    if text.strip() in {"", _NOTHING}:
        return ()
    chosen: Reply = ()
    for part in text.split(","):
        chosen = (*chosen, _option(state, ask, part.strip(), chosen))
    return chosen


def _option(state: BattleState, question: Question, text: str, chosen: Reply) -> Option:
    by_text = {name_key(option_text(option)): option for option in question.options}
    if name_key(text) in by_text:
        return by_text[name_key(text)]
    for option in question.options:
        if option not in chosen and name_key(_name(state, option)) == name_key(text):
            return option
    if text.isdecimal() and len(text) <= len(str(len(state.table.pucks))):
        return int(text)
    rule, _, puck = text.rpartition(" ")
    if puck.isdecimal() and len(puck) <= len(str(len(state.table.pucks))):
        return Use(rule, int(puck))
    there = ", ".join(f"{_name(state, o)} ({option_text(o)})" for o in question.options)
    raise InputError(f"answer: {shown(text)} is not accepted; give some of {there}, or -")


def _name(state: BattleState, option: Option) -> str:
    """Return what an option is called, whichever of its like it is."""
    if isinstance(option, Use):
        return option.rule
    return state.table.pucks[option].name
