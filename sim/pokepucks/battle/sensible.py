"""Proposals for a person: a sensible reply to each question, and questions with only one.

`propose` is the reply of the skilled player. `only_sensible` returns a reply where no other makes
sense, so that a person is asked less often. `set_up_of` shows all questions of the set-up at
once, answered by a plan that a person may change; `SetUpPlayer` then plays that plan.
"""

from collections.abc import Mapping
from dataclasses import replace

from pucklab.base.facts import fact
from pucklab.sim.pokepucks.battle.live import LiveBattle, Moment
from pucklab.sim.pokepucks.battle.players import SkilledPlayer
from pucklab.sim.pokepucks.battle.question_kinds import is_worth_asking
from pucklab.sim.pokepucks.battle.questions import Asking, Question, Reply
from pucklab.sim.pokepucks.battle.state import BattleState

Plan = Mapping[Asking, Reply]
"""The replies that a person wants to give in the set-up; those to other questions are proposed."""

_PLAYER = SkilledPlayer()

_ROUTINE = frozenset({Asking.KNOCK_OUT, Asking.RESTACK_OUT})
"""Questions on which the proposal is as good as any: a knock-out attempt costs nothing."""


def propose(state: BattleState, question: Question) -> Reply:
    """Return a sensible reply to a question."""
    return _PLAYER.reply(state, question)


def only_sensible(state: BattleState, question: Question) -> Reply | None:
    """Return the reply to a question that need not be asked; None if a person should decide.

    A first battle asks only what is worth it.
    """
    asks_all = state.table.options.asks == "all"
    is_asked = is_open(state, question) and (asks_all or is_worth_asking(question))
    return None if is_asked else propose(state, question)


def is_open(state: BattleState, question: Question) -> bool:
    """Return whether several replies to a question make sense.

    None does if all options are alike, if the skilled player would use no rule or discard nothing,
    and for the knock-out attempt and the order of pucks that left the arena.
    """
    alike = len({getattr(option, "rule", "") or state.table.pucks[_puck(option)].design
                 for option in question.options if _puck(option) >= 0}) == 1  # fmt: skip
    is_forced = question.least == question.most and alike
    must_use = question.asking is Asking.USE and question.least > 0
    if question.asking in _ROUTINE or is_forced or must_use:
        return False
    return question.asking not in {Asking.USE, Asking.DISCARD} or bool(propose(state, question))


def _puck(option: object) -> int:
    puck = option if isinstance(option, int) else getattr(option, "puck", None)
    return -1 if puck is None else puck


class SetUpPlayer(SkilledPlayer):
    """A player that follows a person's plan of the set-up as far as it is legal; else skilled."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def reply(self, state: BattleState, question: Question) -> Reply:
        """Return the planned reply, completed by that of the skilled player."""
        reply = super().reply(state, question)
        if question.asking not in self._plan:
            return reply
        wanted = [option for option in self._plan[question.asking] if option in question.options]
        count = min(max(len(wanted), question.least), question.most)
        return tuple(dict.fromkeys((*wanted, *reply, *question.options)))[:count]


@fact
class SetUp:
    """A player's set-up as it is planned."""

    questions: tuple[tuple[Question, Reply], ...]
    """Those with a choice, the ones of a kind as one, with their replies."""
    state: BattleState  # at the first turn, or at the first throw


def set_up_of(moment: Moment, player: int, plan: Plan) -> SetUp:
    """Return a player's questions up to the first turn, and the replies of a plan to them.

    The pucks for the Arena are one question, in order. The rivals are skilled players.
    """
    battle = LiveBattle(moment.base, moment.answers, moment.rules)
    own, found = SetUpPlayer(plan), dict[Asking, tuple[Question, Reply]]()
    while isinstance(ask := battle.ask, Question) and not battle.state.turn.number:
        is_own = ask.player == player
        reply = (own if is_own else _PLAYER).reply(battle.state, ask)
        if is_own and only_sensible(battle.state, ask) is None:
            before, given = found.get(ask.asking, (replace(ask, least=0, most=0), ()))
            merged = replace(
                before,
                least=before.least + ask.least,
                most=before.most + ask.most,
                ordered=ask.ordered or ask.asking is Asking.BUILD_ARENA,
            )
            found[ask.asking] = merged, (*given, *reply)
        battle.answer_legal(reply)
    return SetUp(questions=tuple(found.values()), state=battle.state)
