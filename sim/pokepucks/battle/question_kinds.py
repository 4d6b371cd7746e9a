"""Kinds of questions in a battle: what each is worth, and why an answer is proposed.

`kind_of` names the kind of a question. ``question_kinds.csv`` says how much the answers to each
differ in the chance to win a first battle, measured by compiled playouts
(``python -m tools.question_kinds``). A first battle asks a person only what `is_worth_asking`;
`reason` says in a sentence why an answer is proposed.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pucklab.base.tables import read_rows
from pucklab.sim.pokepucks.battle.questions import Asking, Question, Reply, Use

WORTH_POINTS = 2.0
"""Least difference in the chance to win, in points of 100, between the answers to a question."""

_FILE = "question_kinds.csv"


def kind_of(question: Question) -> str:
    """Return the kind of a question: its subject, or the special rule that it is about.

    Example:
        >>> heal = Question(
        ...     player=0, asking=Asking.RULE, options=(3, 4), least=1, most=2, rule="Potion"
        ... )
        >>> kind_of(heal)
        'choice of Potion'
    """
    first = question.options[0]
    if isinstance(first, Use):
        return first.rule
    return f"choice of {question.rule}" if question.asking is Asking.RULE else str(question.asking)


@cache
def points_of_kinds() -> Mapping[str, float]:
    """Return by how many points of 100 the answers to each kind of question differ (house data)."""
    text = (files("pucklab.sim.pokepucks") / "data" / _FILE).read_text(encoding="utf-8")
    rows = (row.cells for row in read_rows(text, _FILE, ["kind", "points"]))
    return {row["kind"]: float(row["points"]) for row in rows}


REASONS: Mapping[str, str] = {
    "Potion": "Potion is kept for low Health, and that is now.",
    "choice of Potion": "Your rival wants these least, so you lose least when you pay with them.",
    "Rest": "Your Health is full again; asleep you pick up nothing until you have flipped a puck.",
    "Full Heal": "It stays in Power, so healing costs nothing.",
    "pucks to discard": "They do nothing in Power; in Prize they can come back to Health.",
    "pucks to pick up": "They help you most in the turns to come.",
    "Berry": "Health pays for the Arena, and a Berry is spent on nothing else.",
    "Focus Energy": "Kept, it gives an attack more in each of your turns.",
    "Focus Energy for two": "Two attacks now are worth more than one in turns that may not come.",
    "Sing": "Your rival has two attacks or more; asleep it is one, and nothing is picked up.",
    "Thunder Wave": "Your rival has two attacks or more, and loses one.",
    "Cross Chop": "One more attack, and it costs nothing.",
    "Rage": "One more attack, and it costs nothing.",
    "Cut": "One more attack, and it costs nothing.",
    "Hyper Beam": "Two attacks more now; your next turn has one, as most turns do.",
}
"""Why a proposal is made, by the rule that it uses or by the kind of question."""


def reason(question: Question, reply: Reply) -> str:
    """Return in a sentence why a reply is proposed."""
    used = next((option.rule for option in reply if isinstance(option, Use)), "")
    usual = "A skilled player answers so."
    return REASONS.get(used) or REASONS.get(kind_of(question), usual)


def is_worth_asking(question: Question) -> bool:
    """Return whether the answers to a question differ enough; True if nobody has measured it."""
    return points_of_kinds().get(kind_of(question), WORTH_POINTS) >= WORTH_POINTS
