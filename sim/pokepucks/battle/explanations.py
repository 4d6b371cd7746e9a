"""Help for a person in a battle: questions, pucks, statuses and chances, in sentences.

`help_lines` explains a question and its options, `explained` a puck, a special rule or a status,
and `puck_text` a puck in one sentence. Chances come from the recorded slams: `chance_lines` has
those of the next throw, `flip_chances` that of each puck, `knock_out_chance` that of a knock-out.
"""

from collections.abc import Iterator, Mapping, Sequence

from physics.facts import fact
from sim.experiments import Proportion, wilson
from sim.pokepucks.battle.narration import counted
from sim.pokepucks.battle.questions import Asking, Option, Question
from sim.pokepucks.battle.record import option_text
from sim.pokepucks.battle.state import BattleState, StackKind, Status
from sim.pokepucks.designs import Design, name_key
from sim.pokepucks.special.own_rules import rules_of
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import Outcome, Shot, kind_of

ANSWER = (
    "Answer with names or numbers and commas between them; Enter takes what is proposed, - is "
    "nothing. Also: ? NAME explains a puck, a special rule or a status; chances; stacks; options; "
    "quit."
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

STATUSES: Mapping[str, str] = {
    Status.CRITICAL: "the player before may try to knock the slammer out; the next player's Arena "
    "counts as half its size; no other status can be gained",
    Status.PARALYZED: "one attack fewer, but at least one",
    Status.SLEEP: "one attack, and nothing is picked up; the first flip wakes the slammer",
    Status.POISONED: "its player tops off to one puck more",
    Status.CONFUSED: "after a turn without a pick-up its player pays for the next top-off",
}
"""Explanations of the statuses."""


def status_text(state: BattleState, status: str) -> str:
    """Return what a status does; one from a file is told by its rules."""
    texts = [rule.text for rule in state.table.rules if rule.listing == status and rule.text]
    return STATUSES.get(status, " ".join(texts))


STACKS: Mapping[StackKind, str] = {
    StackKind.HEALTH: "Health: the pucks that pay for top-offs; without one you become Critical.",
    StackKind.POWER: "Power: pucks picked up, whose rules you may use.",
    StackKind.PRIZE: "Prize: pucks that are safe but idle; some rules bring them back to Health.",
}
"""Explanations of a player's stacks."""


def help_lines(state: BattleState, question: Question) -> Iterator[str]:
    """Yield an explanation of a question, and of each option."""
    about = f" ({question.rule})" if question.rule else ""
    yield f"{QUESTIONS[question.asking]}{about}"
    told: dict[str, list[str]] = {}
    for option in question.options:
        told.setdefault(_option_text(state, option), []).append(option_name(state, option))
    for text, options in told.items():
        yield f"  {', '.join(options)}: {text}"
    yield ANSWER


def option_sentence(state: BattleState, option: Option) -> str:
    """Return what an option is and does."""
    return f"{option_name(state, option)}: {_option_text(state, option)}"


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
    own = (rule.listing for rule in state.table.rules if rule.kind == "status")
    statuses = [status for status in (*STATUSES, *own) if name_key(status) == key]
    found = [f"{status}: {status_text(state, status)}" for status in statuses]
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


def option_name(state: BattleState, option: Option) -> str:
    """Return the name of an option, with the index of its puck."""
    return state.table.label(option) if isinstance(option, int) else option_text(option)


def puck_text(state: BattleState, puck: int) -> str:
    """Return the name of a puck, and what it is and does."""
    return f"{state.table.label(puck)}: {design_text(state.design(puck))}"


@fact
class NextThrow:
    """A throw that may come next, and recorded slams of its kind."""

    slammer: int
    targets: tuple[int, ...]  # from the floor up
    knock_out: bool
    slams: tuple[Outcome, ...]

    def chance_of(self, place: int) -> Proportion:
        """Return the chance that the puck at a place flips; 0 is the floor."""
        return wilson(sum(place in slam.flipped for slam in self.slams), len(self.slams))


def throw_at(
    state: BattleState, thrower: int, targets: Sequence[int], *, knock_out: bool = False
) -> NextThrow | None:
    """Return a throw of a player at some pucks, from the floor up; None if there is none."""
    own = state.slammer(thrower)
    if own is None or not targets:
        return None
    stack = tuple(state.design(puck) for puck in targets)
    shot = Shot(player=thrower, slammer=state.design(own), stack=stack, knock_out=knock_out)
    slams = shipped_table().slams(kind_of(shot))
    return NextThrow(slammer=own, targets=tuple(targets), knock_out=knock_out, slams=slams)


def flip_chances(state: BattleState, thrower: int, targets: Sequence[int]) -> dict[int, float]:
    """Return the chance of each puck of a stack to flip, from recorded slams."""
    throw = throw_at(state, thrower, targets)
    if throw is None:
        return {}
    return {puck: throw.chance_of(place).value for place, puck in enumerate(throw.targets)}


def knock_out_chance(state: BattleState, player: int) -> Proportion | None:
    """Return the chance that a Critical player is knocked out; None if there is no such throw."""
    target = state.slammer(player)
    if target is None or not state.has(player, Status.CRITICAL):
        return None
    throw = throw_at(state, state.previous_player(player), (target,), knock_out=True)
    return None if throw is None else throw.chance_of(0)


def chance_lines(state: BattleState, question: Question) -> Iterator[str]:
    """Yield the chances of the throw that is next, from recorded slams.

    That is the throw of the knock-out if one is asked about, and otherwise a throw of the person's
    slammer at the Arena as it lies there.
    """
    knock_out = question.asking in {Asking.KNOCK_OUT, Asking.SHIELDS}
    thrower, targets = question.player, state.arena
    if question.asking is Asking.SHIELDS:
        thrower = state.previous_player(question.player)
    elif question.asking is Asking.KNOCK_OUT:
        targets = tuple(option for option in question.options if isinstance(option, int))
    throw = throw_at(state, thrower, targets, knock_out=knock_out)
    if throw is None:
        yield "chances: there is nothing to throw at now"
        return
    slams, name = throw.slams, state.table.pucks[throw.slammer].name
    if knock_out:
        target = state.table.pucks[targets[0]].name
        chance = percent(throw.chance_of(0))
        yield f"{name} flips {target}: {chance} of {len(slams)} recorded slams"
        return
    counts = [sum(len(slam.flipped) == number for slam in slams) for number in range(4)]
    words = ("nothing", "one", "two", "three", "four or more")
    parts = ", ".join(
        f"{word} {100 * count / len(slams):.0f} %"
        for word, count in zip(words, (*counts, len(slams) - sum(counts)), strict=True)
    )
    yield f"{name} flips, of {counted(len(targets))}: {parts} (of {len(slams)} recorded slams)"
    places = ", ".join(
        f"{state.table.pucks[puck].name} {100 * throw.chance_of(place).value:.0f} %"
        for place, puck in reversed(list(enumerate(targets)))
    )
    yield f"Each puck, from the top: {places}"


def percent(chance: Proportion) -> str:
    """Return a chance with its 95 % interval."""
    return f"{100 * chance.value:.1f} % ({100 * chance.low:.1f} to {100 * chance.high:.1f})"
