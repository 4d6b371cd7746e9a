"""A person who plays a battle at the terminal: questions, explanations and chances.

Besides an answer, a person may type ``?`` (or ``help``), which explains the question and every
option; ``? NAME``, which explains a puck, a special rule or a status; ``chances``, the chances of
the next throw from recorded slams; ``stacks`` and ``options``.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import click

from physics.errors import InputError
from sim.experiments import Proportion, wilson
from sim.pokepucks.battle.narration import counted
from sim.pokepucks.battle.questions import Asking, Option, Question, Reply
from sim.pokepucks.battle.record import option_text, parse_answer
from sim.pokepucks.battle.state import BattleState, Status
from sim.pokepucks.battle.timing import check_answer
from sim.pokepucks.battle.transcript import stack_lines
from sim.pokepucks.designs import Design, name_key
from sim.pokepucks.special.own_rules import rules_of
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import Outcome, Shot, kind_of

if TYPE_CHECKING:
    import numpy as np

_OPTIONS_SHOWN = 12
"""Options of a question that are listed before the person asks for all."""

_ANSWER = (
    "Answer with names or numbers and commas between them; - is nothing. "
    "Also: ? NAME explains a puck, a special rule or a status; chances; stacks; options."
)

QUESTIONS: Mapping[Asking, str] = {
    Asking.HEALTH: "Choose the pucks that you play with. They go to Health; you pay with them "
    "whenever you top off the Arena, and you may lose them.",
    Asking.BUILD_ARENA: "Lay a puck on the Arena stack. Pucks near the top flip more often, and "
    "whoever flips a puck takes it.",
    Asking.SLAMMER: "Choose the slammer that you throw. A heavy one flips more; its type decides "
    "whether you get more attacks, and its ability is yours.",
    Asking.TEAM: "Choose more slammers for Power: Switch can bring them in, and support abilities "
    "work from there.",
    Asking.BUILD_PRIZE: "Health is above its limit: choose the pucks that go to Prize. From there "
    "some rules bring them back, but their own rules do not work there.",
    Asking.BUILD_POWER: "Choose pucks for Power. They can be used, and laid over your slammer as "
    "shields.",
    Asking.USE: "You may use a special rule at this point of the turn, one after another; - goes "
    "on.",
    Asking.TOP_OFF: "Fill the Arena from your Health, each puck below the last. The first ones lie "
    "higher and are lost sooner.",
    Asking.KNOCK_OUT: "The player's slammer is Critical: throw your slammer at it. If it flips, "
    "that player is out. Nothing is lost by trying.",
    Asking.SHIELDS: "Lay pucks from Power over your slammer before the throw. They make it harder "
    "to flip; those that flip are lost. The first lies at the bottom.",
    Asking.PICK_UP: "You flipped more than you may pick up: choose.",
    Asking.RESTACK_OUT: "These pucks left the arena and go on top of the stack, the last one "
    "highest: choose their order.",
    Asking.DISCARD: "You may move pucks from Power to Prize. A Trainer works only if no other is "
    "in Power; Health can be refilled from Prize.",
    Asking.RULE: "The special rule asks you to choose.",
}
"""Explanations of the questions."""

STATUSES: Mapping[Status, str] = {
    Status.CRITICAL: "the player before may try to knock the slammer out; the next player's Arena "
    "counts as half its size; no other status can be gained",
    Status.PARALYZED: "one attack fewer, but at least one",
    Status.SLEEP: "one attack, and nothing is picked up; the first flip wakes the slammer",
    Status.POISONED: "its player tops off to one puck more",
    Status.CONFUSED: "after a turn without a pick-up its player pays for the next top-off",
}
"""Explanations of the statuses."""


class Person:
    """A player at the terminal, who is asked again after a mistake."""

    def choose(self, state: BattleState, question: Question, rng: "np.random.Generator") -> Reply:
        """Ask for a reply until a legal one is given."""
        del rng
        while True:
            text = click.prompt(_question(state, question), prompt_suffix=" > ").strip()
            told = _told(state, question, text)
            if told:
                click.echo("\n".join(told))
                continue
            try:
                reply = parse_answer(state, question, text)
                check_answer(rules_of(state.table), state, question, reply)
            except InputError as error:
                click.echo(str(error))
                continue
            assert isinstance(reply, tuple)
            return reply


def _told(state: BattleState, question: Question, text: str) -> list[str]:
    """Return the lines that a command asks for; empty if the text is an answer."""
    word, _, rest = text.replace("?", "? ", 1).partition(" ")
    if text == "stacks":
        return list(stack_lines(state))
    if text == "options":
        return [", ".join(_options(state, question))]
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
    there = _options(state, question)
    shown = ", ".join(there[:_OPTIONS_SHOWN]) + (
        f" and {len(there) - _OPTIONS_SHOWN} more" * (len(there) > _OPTIONS_SHOWN)
    )
    return f"{name}: {what}: {many} of {shown}{ordered}{nothing} (? explains, chances, stacks)"


def _options(state: BattleState, question: Question) -> list[str]:
    return [_option(state, option) for option in question.options]


def _option(state: BattleState, option: Option) -> str:
    return state.table.label(option) if isinstance(option, int) else option_text(option)


def help_lines(state: BattleState, question: Question) -> Iterator[str]:
    """Yield an explanation of a question, and of each option."""
    about = f" ({question.rule})" if question.rule else ""
    yield f"{QUESTIONS[question.asking]}{about}"
    told: dict[str, list[str]] = {}
    for option in question.options:
        told.setdefault(_option_text(state, option), []).append(_option(state, option))
    for text, options in told.items():
        yield f"  {', '.join(options)}: {text}"
    yield _ANSWER


def _option_text(state: BattleState, option: Option) -> str:
    """Return the explanation of an option."""
    if isinstance(option, int):
        return design_text(state.design(option))
    if option.puck is not None:
        return state.design(option.puck).text or design_text(state.design(option.puck))
    return _rule_text(state, option.rule) or "pending from an earlier turn"


def design_text(design: Design) -> str:
    """Return a puck in a sentence: its kind, types and mass if it is a slammer, and its effect.

    Example:
        >>> from sim.pokepucks.design_file import shipped_catalogue
        >>> design_text(shipped_catalogue().find("onix")).split(". ")[0]
        'pokemon, fighting, weak to water, resists fire, 20 g, Dig'
    """
    facts = [design.kind.value]
    if design.type is not None:
        facts.append(design.type.value)
    if design.weakness is not None:
        facts.append(f"weak to {design.weakness}")
    if design.resistance is not None:
        facts.append(f"resists {design.resistance}")
    if design.kind.is_slammer:
        facts.append(f"{design.mass_g:g} g")
    if design.rule and name_key(design.rule) not in name_key(design.name):
        facts.append(design.rule)
    return ", ".join(facts) + (f". {design.text}" if design.text else "")


def explained(state: BattleState, name: str) -> list[str]:
    """Return explanations of a puck of the battle, a special rule or a status.

    Args:
        state: The battle.
        name: The name, or the index of a puck.
    """
    key = name_key(name)
    found = [f"{s}: {text}" for s, text in STATUSES.items() if name_key(s) == key]
    for number, puck in enumerate(state.table.pucks):
        if key in {str(number), name_key(puck.name), name_key(state.table.label(number))}:
            found.append(f"{puck.name}: {design_text(puck.design)}")
    rule = _rule_text(state, name)
    if not found and rule:
        found.append(f"{name}: {rule}")
    return list(dict.fromkeys(found)) or [
        f"?: {name!r} is no puck of this battle, special rule or status"
    ]


def _rule_text(state: BattleState, name: str) -> str:
    """Return the effect of a special rule, as a puck that has it tells it; empty for none."""
    for rule in rules_of(state.table).rules:
        if name_key(rule.name) == name_key(name):
            for puck in state.table.pucks:
                if rule.fits(puck.design) and puck.design.text:
                    return puck.design.text
            return f"acts {rule.point}"
    return ""


def chance_lines(state: BattleState, question: Question) -> Iterator[str]:
    """Yield the chances of the throw that is next, from recorded slams.

    That is the throw of the knock-out if one is asked about, and otherwise a throw of the person's
    slammer at the Arena as it lies there.
    """
    knock_out = question.asking in {Asking.KNOCK_OUT, Asking.SHIELDS}
    thrower = question.player
    targets = state.arena
    if question.asking is Asking.SHIELDS:
        thrower = state.previous_player(question.player)
    elif question.asking is Asking.KNOCK_OUT:
        targets = tuple(option for option in question.options if isinstance(option, int))
    own = state.slammer(thrower)
    if own is None or not targets:
        yield "chances: there is nothing to throw at now"
        return
    shot = Shot(
        player=thrower,
        slammer=state.design(own),
        stack=tuple(state.design(puck) for puck in targets),
        knock_out=knock_out,
    )
    slams = shipped_table().slams(kind_of(shot))
    name = state.table.pucks[own].name
    if knock_out:
        chance = _share(slams, lambda slam: 0 in slam.flipped)
        target = state.table.pucks[targets[0]].name
        yield f"{name} flips {target}: {_percent(chance)} of {len(slams)} recorded slams"
        return
    counts = [sum(len(slam.flipped) == number for slam in slams) for number in range(4)]
    more = len(slams) - sum(counts)
    words = ("nothing", "one", "two", "three", "four or more")
    parts = ", ".join(
        f"{word} {100 * count / len(slams):.0f} %"
        for word, count in zip(words, (*counts, more), strict=True)
    )
    pucks = counted(len(targets))
    yield f"{name} flips, of {pucks}: {parts} (of {len(slams)} recorded slams)"
    places = ", ".join(
        _chance(state.table.pucks[puck].name, slams, place)
        for place, puck in reversed(list(enumerate(targets)))
    )
    yield f"Each puck, from the top: {places}"


def _chance(name: str, slams: tuple[Outcome, ...], place: int) -> str:
    """Return the chance of a puck to flip; its place counts from the floor, from 0."""
    return f"{name} {100 * sum(place in slam.flipped for slam in slams) / len(slams):.0f} %"


def _share(slams: tuple[Outcome, ...], counts: Callable[[Outcome], bool]) -> Proportion:
    return wilson(sum(map(counts, slams)), len(slams))


def _percent(chance: Proportion) -> str:
    return f"{100 * chance.value:.1f} % ({100 * chance.low:.1f} to {100 * chance.high:.1f})"
