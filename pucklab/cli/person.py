"""A person at the terminal in a battle, beside the questions that all games have.

The set-up is one question, and throws wait for Enter.
"""

from collections.abc import Mapping

import click
import numpy as np

from pucklab.cli.terminal import type_answer, wrap_text
from pucklab.sim.pokepucks.battle.explanations import (
    first_sentence,
    first_steps,
    help_lines,
    option_sentence,
)
from pucklab.sim.pokepucks.battle.match import BattleMatch
from pucklab.sim.pokepucks.battle.narration import spell
from pucklab.sim.pokepucks.battle.questions import Question, Reply
from pucklab.sim.pokepucks.battle.sensible import Plan, SetUpPlayer, set_up_of
from pucklab.sim.pokepucks.throws import Outcome, Shot, Throws


class SetUps:
    """Replies to the set-up questions of persons, which are shown and answered together."""

    def __init__(self) -> None:
        self._plans: dict[int, Plan] = {}

    def __call__(self, match: BattleMatch) -> Reply | None:
        """Return a reply of the plan that was taken; None if the person has to be asked."""
        moment = match.state
        question = moment.ask
        assert isinstance(question, Question)
        if match.asks_all or moment.state.turn.number:
            return None
        if question.player not in self._plans:
            # The proposed set-up is shown; nothing is kept if it is not taken as it is.
            set_up = set_up_of(moment, question.player, {})
            lines = [*first_steps(set_up.state)]
            for asked, reply in set_up.questions:
                told = "These are" if reply else "None is"
                lines.append(f"{first_sentence(asked)} {told} proposed.")
                lines += [f"  {option_sentence(moment.state, option)}" for option in reply]
            click.echo("\n".join(map(wrap_text, lines)))
            change = ", change lets you choose, ? explains," if set_up.questions else ""
            while (text := type_answer(f"Enter begins{change} and quit stops."))[:1] == "?":
                for asked, _ in set_up.questions:
                    click.echo("\n".join(map(wrap_text, help_lines(moment.state, asked))))
            taken = () if text else set_up.questions
            self._plans[question.player] = {asked.asking: reply for asked, reply in taken}
        plan = self._plans[question.player]
        return SetUpPlayer(plan).reply(moment.state, question) if plan else None


class PersonThrows:
    """Throws that wait until the person who makes them presses Enter.

    Args:
        throws: Source of their outcomes.
        names: The names of the persons by their seats.
    """

    def __init__(self, throws: Throws, names: Mapping[int, str]) -> None:
        self._throws, self._names = throws, names

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a throw."""
        if shot.player in self._names:
            what = "a slammer" if shot.knock_out else f"{spell(len(shot.stack))} of the Arena"
            type_answer(f"{self._names[shot.player]}: Enter throws at {what}.")
        return self._throws.throw(shot, rng)
