"""Battles as text and JSON, for records: answers, set-ups and events.

An answer as text is a selection of options with commas between: pucks by their index, uses of
special rules such as ``Potion 17``, and ``-`` for nothing. The answer to a throw is the text of its
outcome, followed by the throw itself as JSON if a slam was simulated. Special rules are code and
are never written: they are found again by the names in the designs of the pucks. Pucks and players
count from 0.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from platformdirs import user_data_path

from pucklab.base.decoding import (
    Form,
    decode,
    encode,
    register_form,
    register_tags,
    register_text,
)
from pucklab.base.errors import errors_at, refusal, shown
from pucklab.base.facts import fact
from pucklab.base.parsing import json_text, parse_json
from pucklab.physics import InputError, Throw
from pucklab.sim.core.players import PERSON
from pucklab.sim.pokepucks.battle.battle_setup import (
    MAX_PLAYERS,
    UNDECIDED,
    BattleOptions,
    BattleSetup,
    Puck,
)
from pucklab.sim.pokepucks.battle.events import Event
from pucklab.sim.pokepucks.battle.questions import (
    Answer,
    Ask,
    Option,
    Question,
    Reply,
    ThrowCall,
    Use,
    option_text,
)
from pucklab.sim.pokepucks.battle.state import BattleState, Place, places
from pucklab.sim.pokepucks.designs import Design, RuleTable, name_key
from pucklab.sim.pokepucks.special import check_rules
from pucklab.sim.pokepucks.throws import Outcome, outcome_text, parse_outcome

_NOTHING = "-"


@fact
class _TableFile:
    """A set-up as files have it."""

    names: tuple[str, ...]
    options: BattleOptions
    designs: tuple[Design, ...]
    pucks: tuple[tuple[int | None, ...], ...]  # design, owner, and home if there is one
    rules: tuple[RuleTable, ...] = ()
    first: int | None = None  # left out for the first player


def table_json(table: BattleSetup) -> dict[str, Any]:
    """Return a set-up as a JSON object.

    Each puck is the index of its design, its owner and, if it has one, its home; only options that
    differ from the default are written, and special rules only if there are any.
    """
    designs = tuple(dict.fromkeys(puck.design for puck in table.pucks))
    numbers = {design: number for number, design in enumerate(designs)}
    pucks = [
        [numbers[puck.design], puck.owner, *(() if puck.home is None else (puck.home,))]
        for puck in table.pucks
    ]
    return {
        "names": list(table.names),
        "options": encode(table.options.changed),
        "designs": encode(designs),
        "pucks": pucks,
        **({"rules": encode(table.rules)} if table.rules else {}),
        **({"first": table.first} if table.first else {}),
    }


def table_from(value: object, where: str) -> BattleSetup:
    """Return a set-up from a JSON object, as `table_json` returned it.

    Raises:
        InputError: A key or value is not accepted.
    """
    stored = decode(_TableFile, value, where)
    check_rules(f"{where} rules", stored.rules)
    pucks = []
    for number, entry in enumerate(stored.pucks, start=1):
        if len(entry) not in {2, 3} or entry[0] not in range(len(stored.designs)):
            last = len(stored.designs) - 1
            accepted = f"a design from 0 to {last}, an owner and perhaps a home"
            raise refusal(f"{where} pucks {number}", list(entry), accepted)
        design, owner, home = (*entry, None)[:3]
        pucks.append(Puck(design=stored.designs[design or 0], owner=owner, home=home))
    first = stored.first
    if first is None and stored.options.first in UNDECIDED:
        first = 0
    with errors_at(where):
        return BattleSetup(
            pucks=tuple(pucks),
            names=stored.names,
            options=stored.options,
            rules=stored.rules,
            first=first,
        )


def place_text(place: Place) -> str:
    """Return a stack as text: its kind and the index of its player.

    Example:
        >>> place_text(places(2)[4]), place_text(places(2)[0])
        ('Health 0', 'Arena')
    """
    return place.kind.value if place.player is None else f"{place.kind} {place.player}"


def parse_place(text: str) -> Place:
    """Return the stack that a text names.

    Raises:
        InputError: There is no such stack.
    """
    by_text = {place_text(place): place for place in places(MAX_PLAYERS)}
    if text not in by_text:
        raise InputError(f"{shown(text)} is not accepted; give a stack, such as 'Health 0'")
    return by_text[text]


register_text(Place, "a stack", place_text, parse_place)
register_text(Outcome, "an outcome", outcome_text, parse_outcome)
register_form(BattleSetup, Form(name="a table", read=table_from, store=table_json))
register_tags("event", {kind.__name__: kind for kind in get_args(Event)})


def answer_text(answer: Answer) -> str:
    """Return an answer as text; `parse_answer` reads it back.

    Example:
        >>> answer_text((3, 14)), answer_text((Use("Potion", 17),)), answer_text(())
        ('3, 14', 'Potion 17', '-')
    """
    if isinstance(answer, Outcome):
        thrown = "" if answer.throw is None else f" {json_text(encode(answer.throw))}"
        return outcome_text(answer) + thrown
    return ", ".join(map(option_text, answer)) or _NOTHING


def parse_answer(state: BattleState, ask: Ask | None, text: str) -> Answer:
    """Return an answer from text.

    Besides the output of `answer_text`, the name of a puck or rule is accepted: it stands for the
    first option of that name not yet selected. Whether the answer is legal is not checked here.

    Args:
        state: The battle.
        ask: The question or throw.
        text: The text.

    Raises:
        InputError: The text cannot be an answer.
    """
    if ask is None:
        raise InputError("answer: the battle is over")
    if isinstance(ask, ThrowCall):
        text, brace, thrown = text.partition("{")
        outcome = parse_outcome(text, "answer")
        if not brace:
            return outcome
        throw = decode(Throw, parse_json(brace + thrown, "answer throw"), "answer throw")
        return replace(outcome, throw=throw)
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
    options = ", ".join(f"{_name(state, o)} ({option_text(o)})" for o in question.options)
    raise InputError(f"answer: {shown(text)} is not accepted; give some of {options}, or -")


def _name(state: BattleState, option: Option) -> str:
    """Return the name of an option, without the index of its puck."""
    if isinstance(option, Use):
        return option.rule
    return state.table.pucks[option].name


def kept_path(path: Path | None, kinds: Sequence[str]) -> Path | None:
    """Return the file in which a battle is saved while it goes on.

    Args:
        path: The file; if None, the last battle with a person is kept among the user's data.
        kinds: The kinds of its players.
    """
    if path is None and PERSON in kinds:
        with suppress(OSError):
            path = user_data_path("pucklab", appauthor=False, ensure_exists=True) / "battle.json"
    return path
