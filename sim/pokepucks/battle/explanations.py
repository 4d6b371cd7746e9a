"""Help for a person in a battle: questions, pucks, statuses and chances, in sentences.

`first_steps` says how a battle goes. `help_lines` explains a question and its options, `explain`
a puck, a special rule or a status. Chances come from the recorded slams: `chance_lines` has those
of the next throw, `throw_at` those of any, `flip_chances` that of each puck, and
`describe_chances` says these in a line.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pucklab.base.arrays import Bools
from pucklab.base.facts import fact
from pucklab.physics import Face
from pucklab.sim.experiments import Proportion, wilson
from pucklab.sim.pokepucks.battle.battle_setup import Pucks
from pucklab.sim.pokepucks.battle.narration import number_word, spell
from pucklab.sim.pokepucks.battle.questions import (
    Asking,
    Option,
    Question,
    ThrowCall,
    option_name,
)
from pucklab.sim.pokepucks.battle.state import ARENA, BattleState, StackKind, Status
from pucklab.sim.pokepucks.designs import Design, DesignKind, name_key
from pucklab.sim.pokepucks.special import rules_of
from pucklab.sim.pokepucks.throw_sources import FACES, shipped_table
from pucklab.sim.pokepucks.throws import Shot, kind_of

ANSWER = (
    "Answer with names or numbers, with commas between them. Enter takes what is proposed, and - "
    "takes nothing. ? with a name explains a puck, a special rule or a status; chances tells what "
    "your next throw may flip; stacks shows all pucks, and options all that you can choose; "
    "quit stops."
)

QUESTIONS = {
    Asking.HEALTH: "Choose the pucks for your Health. You pay with them whenever you fill up the "
    "Arena, and you may lose them.",
    Asking.BUILD_ARENA: "Lay pucks in the Arena, each on top of the last. Pucks near the top flip "
    "more often, and whoever flips a puck takes it.",
    Asking.SLAMMER: "Choose the slammer that you throw. A heavy one flips more; its type decides "
    "whether you get more attacks, and its ability is yours.",
    Asking.TEAM: "Choose more slammers for Power. Switch can bring them in, and support abilities "
    "work from there.",
    Asking.BUILD_PRIZE: "Choose the pucks that go from Health to Prize. Health holds no more; some "
    "rules bring pucks back from Prize, but their own rules do not work there.",
    Asking.BUILD_POWER: "Choose pucks for Power. They can be used, and laid over your slammer as "
    "shields.",
    Asking.USE: "You may use a special rule now. Then you are asked for another one.",
    Asking.TOP_OFF: "Fill up the Arena from your Health, each puck below the last. The first ones "
    "lie higher and are lost sooner.",
    Asking.KNOCK_OUT: "Throw your slammer at one that is Critical. If it flips, its player is out; "
    "nothing is lost by trying.",
    Asking.SHIELDS: "Lay pucks from Power over your slammer, each on top of the last. They make it "
    "harder to flip; those that flip are lost.",
    Asking.PICK_UP: "Choose the pucks that you pick up. You flipped more than you may take.",
    Asking.RESTACK_OUT: "Put the pucks that left the arena back, each on top of the last. Pucks "
    "near the top flip more often.",
    Asking.DISCARD: "You may move pucks from Power to Prize. A Trainer works only if no other is "
    "in Power; Health can be refilled from Prize.",
    Asking.RULE: "Choose for the special rule that acts. The text of its puck tells what it does.",
}
"""Explanations of the questions; the first sentence is the question."""


def first_sentence(question: Question) -> str:
    """Return a question in a sentence."""
    return QUESTIONS[question.asking].partition(". ")[0].rstrip(".") + "."


def count_words(question: Question) -> str:
    """Return how many options may be chosen, in a sentence."""
    least, most = question.least, question.most
    order = ", in order" if question.ordered and most > 1 else ""
    if least == most:
        return f"Choose {number_word(most)}{order}."
    if least:
        return f"Choose {number_word(least)} to {number_word(most)}{order}."
    return f"Choose {'up to ' * (most > 1)}{number_word(most)}{order}, or none."


def first_steps(state: BattleState) -> tuple[str, ...]:
    """Course of a battle, in sentences for a person who has never played."""
    if state.table.options.is_wild:
        return (
            "You throw your slammer, a heavy puck, at your rival's slammer.",
            "If that lands face up, your rival is out.",
            "Pucks in Power can be laid over your slammer, where they protect it.",
        )
    return (
        "You throw your slammer, a heavy puck, at the Arena, a stack of pucks that lie face down.",
        "What lands face up is yours. It goes to Prize, or to Power if it can help you.",
        f"When your turn begins, fill up the Arena to {state.max_size(ARENA)} from your Health.",
        "With too few pucks there you are Critical: your rival throws at your slammer.",
        "If that lands face up, you are out.",
    )


def status_text(state: BattleState, status: str) -> str:
    """Effect of a status in sentences; for a status from a file, the texts of its rules."""
    texts = [rule.text for rule in state.table.rules if rule.listing == status and rule.text]
    return " ".join([each.text for each in Status if each == status] or texts)


STACKS = {
    StackKind.HEALTH: "Health: You fill up the Arena from here; with too few you are Critical.",
    StackKind.POWER: "Power: You picked these pucks up, and may use their rules.",
    StackKind.PRIZE: "Prize: These pucks are safe. Some rules bring them back to Health.",
}
"""Explanations of a player's stacks."""


def help_lines(state: BattleState, question: Question) -> Iterator[str]:
    """Yield an explanation of a question, and of each option."""
    about = f" ({question.rule})" if question.rule else ""
    yield f"{QUESTIONS[question.asking]}{about}"
    told: dict[str, list[str]] = {}
    for option in question.options:
        told.setdefault(_option_text(state, option), []).append(option_name(state.table, option))
    for text, options in told.items():
        yield f"  {', '.join(options)}: {text}"
    yield ANSWER


def option_sentence(state: BattleState, option: Option) -> str:
    """Return a sentence on an option and its effect."""
    return f"{option_name(state.table, option)}: {_option_text(state, option)}"


def _option_text(state: BattleState, option: Option) -> str:
    if isinstance(option, int):
        return design_text(state.design(option))
    if option.puck is not None:
        return state.design(option.puck).text or design_text(state.design(option.puck))
    return _rule_text(state, option.rule) or "It comes from an earlier turn."


def design_text(design: Design) -> str:
    """Return a puck in a sentence: its kind, types and mass if it is a slammer, and its effect.

    Example:
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> design_text(shipped_catalogue().find("onix")).split(" Counting")[0]
        'A fighting slammer of 20 g, weak to water, resisting fire. It has Dig.'
    """
    what = _KINDS.get(design.kind, "slammer")
    told = f"{design.type} {what}" if design.type is not None else what
    told = f"An {told}" if told[0] in "eI" else f"A {told}"
    if design.kind.is_slammer:
        told += f" of {design.mass_g:g} g"
    if design.weakness is not None:
        told += f", weak to {design.weakness}"
    if design.resistance is not None:
        told += f", resisting {design.resistance}"
    has_other = design.rule and name_key(design.rule) not in name_key(design.name)
    return " ".join(
        filter(None, (f"{told}.", f"It has {design.rule}." if has_other else "", design.text))
    )


_KINDS = {
    DesignKind.ITEM: "Item",
    DesignKind.TRAINER: "Trainer",
    DesignKind.PLAIN: "plain puck",
    DesignKind.BALL: "Pokéball slammer",
}


def explain(state: BattleState, name: str) -> list[str]:
    """Return explanations of a puck of the battle, a special rule or a status.

    Args:
        state: The battle.
        name: The name, or the index of a puck.
    """
    key = name_key(name)
    own = (rule.listing for rule in state.table.rules if rule.kind == "status")
    statuses = [status for status in (*Status, *own) if name_key(status) == key]
    found = [f"{status}: {status_text(state, status)}" for status in statuses]
    for number, puck in enumerate(state.table.pucks):
        if key in {str(number), name_key(puck.name), name_key(state.table.label(number))}:
            found.append(f"{puck.name}: {design_text(puck.design)}")
    rule = _rule_text(state, name)
    if not found and rule:
        found.append(f"{name}: {rule}")
    return list(dict.fromkeys(found)) or [
        f"?: {name!r} is no puck of this battle, no special rule and no status."
    ]


def _rule_text(state: BattleState, name: str) -> str:
    """Return the effect of a special rule, as a puck that has it tells it; empty for none."""
    for rule in rules_of(state.table).rules:
        if name_key(rule.name) == name_key(name):
            for puck in state.table.pucks:
                if rule.fits(puck.design) and puck.design.text:
                    return puck.design.text
            return f"It acts {rule.when}."
    return ""


@fact
class NextThrow:
    """A throw that may come next, and recorded slams of its kind."""

    slammer: int
    targets: Pucks  # from the floor up
    knock_out: bool
    flips: Bools  # (pucks, slams)

    @property
    def slams(self) -> int:
        """Number of the recorded slams."""
        return len(self.flips[0])

    def chance_of(self, place: int) -> Proportion:
        """Return the chance that the puck at a place flips; 0 is the floor."""
        return wilson(int(self.flips[place].sum()), self.slams)


def throw_at(
    state: BattleState, thrower: int, targets: Sequence[int], *, knock_out: bool = False
) -> NextThrow | None:
    """Return a throw of a player at some pucks, from the floor up; None if there is none."""
    own = state.slammer(thrower)
    if own is None or not targets:
        return None
    stack = tuple(state.design(puck) for puck in targets)
    shot = Shot(player=thrower, slammer=state.design(own), stack=stack, knock_out=knock_out)
    flips = shipped_table().slams(kind_of(shot))[0] == FACES.index(Face.UP)
    return NextThrow(slammer=own, targets=tuple(targets), knock_out=knock_out, flips=flips)


def flip_chances(state: BattleState, thrower: int, targets: Sequence[int]) -> dict[int, float]:
    """Return the chance of each puck of a stack to flip, from recorded slams."""
    throw = throw_at(state, thrower, targets)
    if throw is None:
        return {}
    return {puck: throw.chance_of(place).value for place, puck in enumerate(throw.targets)}


def chance_lines(state: BattleState, question: Question) -> Iterator[str]:
    """Yield the chances of the throw that is next, from recorded slams.

    That is the knock-out throw if the question is about one, and otherwise a throw of the person's
    slammer at the present Arena.
    """
    knock_out = question.asking in {Asking.KNOCK_OUT, Asking.SHIELDS}
    thrower, targets = question.player, state.arena
    if question.asking is Asking.SHIELDS:
        thrower = state.previous_player(question.player)
    elif question.asking is Asking.KNOCK_OUT:
        targets = tuple(option for option in question.options if isinstance(option, int))
    throw = throw_at(state, thrower, targets, knock_out=knock_out)
    if throw is None:
        yield "There is nothing to throw at now."
        return
    slams, name = throw.slams, state.table.pucks[throw.slammer].name
    if knock_out:
        target = state.table.pucks[targets[0]].name
        chance = percent(throw.chance_of(0))
        yield f"{name} flips {target} in {chance} of {slams} recorded slams."
        return
    flipped = np.minimum(throw.flips.sum(axis=0), 4)
    words = ("nothing", "one", "two", "three", "four or more")
    parts = ", ".join(
        f"{word} in {100 * (flipped == number).mean():.0f} %" for number, word in enumerate(words)
    )
    yield f"Of {spell(len(targets))}, {name} flips {parts} of {slams} recorded slams."
    places = ", ".join(
        f"{state.table.pucks[puck].name} in {100 * throw.chance_of(place).value:.0f} %"
        for place, puck in reversed(list(enumerate(targets)))
    )
    yield f"From the top, it flips {places}."


def percent(chance: Proportion) -> str:
    """Return a chance with its 95 % interval."""
    return f"{100 * chance.value:.1f} % ({100 * chance.low:.1f} to {100 * chance.high:.1f})"


def describe_chances(state: BattleState, call: ThrowCall) -> str:
    """Return the chance of each puck to flip, from recorded slams, the highest first."""
    if call.knock_out:
        throw = throw_at(state, call.player, call.targets, knock_out=True)
        if throw is None:
            return ""
        return f"knocks out in {percent(throw.chance_of(0))} of such throws"
    chances = flip_chances(state, call.player, call.targets)
    names = [state.design(puck).name for puck in chances]
    told = [f"{'' if len({*names}) == 1 else name} {100 * chances[puck]:.0f} %".strip()
            for puck, name in zip(chances, names, strict=True)]  # fmt: skip
    return f"Chance to flip, from the top: {', '.join(reversed(told))}" if told else ""
