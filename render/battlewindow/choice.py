"""What a person has chosen so far, of what they are asked."""

from dataclasses import dataclass, replace

from sim.pokepucks.battle import BattleState, Option, Question, Reply, Use


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question, and what of its options is chosen.

    Attributes:
        question: The question.
        chosen: The options, in the order in which they were chosen.
    """

    question: Question
    chosen: Reply = ()

    @property
    def is_ready(self) -> bool:
        """Whether so many may be chosen."""
        return self.question.least <= len(self.chosen) <= self.question.most

    @property
    def is_single(self) -> bool:
        """Whether to choose one is to answer."""
        return self.question.most == 1

    @property
    def is_ended(self) -> bool:
        """Whether it has to be said that it is over: to choose one does not say so."""
        return not self.is_single or self.question.least == 0

    @property
    def pucks(self) -> dict[int, Option]:
        """The option that each puck stands for."""
        found: dict[int, Option] = {}
        for option in self.question.options:
            puck = option.puck if isinstance(option, Use) else option
            if isinstance(puck, int):
                found.setdefault(puck, option)
        return found

    @property
    def chosen_pucks(self) -> frozenset[int]:
        """Pucks that are chosen."""
        return frozenset(puck for puck, option in self.pucks.items() if option in self.chosen)


def toggled(choice: Choice, option: Option) -> Choice:
    """Return a choice with an option chosen, or chosen no more; one too many changes nothing.

    Example:
        >>> from sim.pokepucks.battle import Asking
        >>> question = Question(
        ...     player=0, asking=Asking.DISCARD, options=(3, 5, 8), least=0, most=2
        ... )
        >>> choice = toggled(toggled(Choice(question=question), 8), 3)
        >>> choice.chosen, toggled(choice, 5).chosen, toggled(choice, 8).chosen
        ((8, 3), (8, 3), (3,))
    """
    if option in choice.chosen:
        left = tuple(other for other in choice.chosen if other != option)
        return replace(choice, chosen=left)
    if len(choice.chosen) >= choice.question.most:
        return choice
    return replace(choice, chosen=(*choice.chosen, option))


def option_words(state: BattleState, option: Option) -> str:
    """Return what an option is called on a button."""
    if isinstance(option, int):
        return state.table.tell(option)
    if option.puck is None:
        return option.rule
    puck = state.table.tell(option.puck)
    return puck if puck.startswith(option.rule) else f"{option.rule}: {puck}"


def question_words(state: BattleState, question: Question) -> tuple[str, str]:
    """Return who is asked what, and how much there is to choose."""
    asked = f"{question.asking}, {question.rule}" if question.rule else str(question.asking)
    many = f"choose {question.least} to {question.most}"
    if question.least == question.most:
        many = f"choose {question.most}"
    elif not question.least:
        many = f"choose up to {question.most}, or none"
    ordered = ", in order" if question.ordered else ""
    return f"{state.table.names[question.player]}: {asked}", many + ordered
