"""Substitutions at work: their timing, their triggers and their results (10)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from pucklab.sim.post.battle import Substitution, Watch
from pucklab.sim.post.effects import Event, RunningBattle
from pucklab.sim.post.state import TOP, Order, Seen, Turn
from pucklab.sim.post.values import ANY, holds

ANYWHERE = -9
"""Subject of events that are no Pokemon's."""
_Steps: TypeAlias = list[tuple[Order, ...]]
"""Orders of a Pokemon, from this step on."""


def _put(plan: _Steps, at: int, new: Sequence[Order]) -> _Steps:
    return [*plan[:at], tuple(new), *plan[at + 1 :]] if 0 <= at < len(plan) else plan


def _replace(plan: _Steps, old: Order, new: Order) -> _Steps:
    return [tuple(new if one.action == old.action else one for one in own) for own in plan]


_VERBS: Mapping[str, Callable[[_Steps, tuple[Order, ...], int], _Steps]] = {
    "use": lambda plan, new, _: _put(plan, 0, new),
    "use next": lambda plan, new, _: _put(plan, 1, new),
    "use on step": lambda plan, new, at: _put(plan, at, new),
    "use and push": lambda plan, new, _: [new, *plan],
    "begin": lambda plan, new, _: [*((one,) for one in new), *plan[len(new) :]],
    "replace": lambda plan, new, _: _replace(plan, *new),
    "push": lambda plan, *_: [(Order(),), *plan],
    "pull": lambda plan, *_: [*plan[1:], (Order(),)],
    "ignore": lambda plan, *_: plan,
}
"""New orders by the verb of a result; the last argument is a step, 0 for the present one."""


class Substituting(RunningBattle):
    """A state in which substitutions change orders (10.6)."""

    def subs(self, who: int) -> Sequence[Substitution]:
        """Return the substitutions of a Pokemon."""
        return self.orders[who].substitutions if who in self.orders else ()

    @property
    def remembers(self) -> bool:
        """Whether a substitution asks for executed actions."""
        every = (sub for own in self.orders.values() for sub in own.substitutions)
        return bool(self.watched) and any(sub.looks_back for sub in every)

    def substitute(self, time: str, *of: Any, **more: Any) -> None:
        """Apply the substitutions that an event calls for, in the order posted; one a Pokemon."""
        if time not in self.watched:
            return
        event = Event(time, *of, **more)
        found = event.words | (event.move.words if event.move else frozenset())
        for who in sorted(self.active(), key=self._rank):
            for n, sub in enumerate(self.subs(who)):
                subject = sub.subject in {event.subject, ANYWHERE} or (
                    event.subject in self._meant(who, sub.subject)
                )
                by = sub.by is None or event.other in self._meant(who, sub.by)
                if (sub.time, True, True) != (event.time, subject, by) or not sub.words <= found:
                    continue
                if any(k == who and at == self.state.step for k, _, at in self.state.fired):
                    break
                if (who, n) in self.state.ignored:
                    continue
                step, affix = self.state.step, sub.affix
                before = [at for *own, at in self.state.fired if own == [who, n]]
                if affix.startswith("on step"):
                    may = str(step + 1) in affix
                else:
                    may = not (before if affix == "once" else affix and step - 1 in before)
                if may and self._triggers(who, n, event):
                    self.put(fired=(*self.state.fired, (who, n, self.state.step)))
                    self.note("substitution", who, sub.text)
                    break

    def _rank(self, who: int) -> tuple[int, int]:
        """Return the place of a Pokemon in the order of posts."""
        return self.state.posts.index(self.roster[who].team), who

    def _meant(self, who: int, code: int) -> list[int]:
        """Return the Pokemon meant by a name or placeholder, in the order of their posts."""
        team = self.roster[who].team
        rest = [k for k in self.active(team if code == ANY["any ally"] else None) if k != who]
        meant = self.others(team) if code == ANY["any opponent"] else rest
        return [code] if code >= 0 else sorted(meant, key=self._rank)

    def _triggers(self, who: int, n: int, event: Event) -> bool:
        sub = self.subs(who)[n]
        placeholders = {one.who for one in sub.clauses if ANY["that pokemon"] < one.who < 0}
        some = self._meant(who, min(placeholders)) if placeholders else [max(event.subject, -1)]
        for that in some:
            truths = []
            for c, clause in enumerate(sub.clauses):
                subject = that if clause.who < 0 else clause.who
                if isinstance(clause, Watch):
                    truths.append(self.observes(clause, subject, that, self.state.step))
                    seen = Seen(who, n, c, subject, self.state.step, truths[-1])
                    self.put(seen=(*self.state.seen, seen))
                else:
                    seats = dict.fromkeys(ANY.values(), that)
                    truths.append(holds(clause, self, seats))
            if all(truths) and self._carry_out(who, n, that):
                return True
        return False

    def observes(self, watch: Watch, i: int, that: int, step: int) -> bool:
        """Return whether an action clause holds of a Pokemon, as seen in a step."""
        state, aim = self.state, that if watch.aim is not None and watch.aim < 0 else watch.aim
        if watch.used:
            seen = [
                order
                for k, at, order in state.used
                if k == i and (at == step or watch.steps != "now")
            ]
        else:
            steps: Iterable[int] = {
                "now": [step],
                "any": range(state.steps),
                "later": range(step + 1, state.steps),
                "next": [step + 1],
                "other": [k for k in range(state.steps) if k != step],
            }.get(watch.steps) or [k for k in range(step, state.steps) if str(k + 1) in watch.steps]
            seen = [order for at in steps for order in self.orders_at(i, at)]
        found = 0
        for order in seen:
            words = self.words(i, order)
            fits = any(wanted <= words for wanted in watch.wanted) and watch.unwanted not in words
            found += fits and (aim is None or aim in self.aims(i, order))
        besides = watch.besides is not None and self.observes(watch.besides, i, that, step)
        return 1 <= found <= watch.most and not besides

    def _carry_out(self, who: int, n: int, that: int) -> bool:
        """Change orders as a result says; return False if it is illegal at this moment."""
        before, step = self.state, self.state.step
        pending = [turn for turn in before.queue or () if turn.fighter == who]
        now = tuple(turn.order for turn in pending)
        if before.queue is None:
            now = self.orders_at(who, step)
        plan = old = [now, *(self.orders_at(who, k) for k in range(step + 1, before.steps))]
        for affix, verb, orders, number in self.subs(who)[n].results:
            if not self._applies(who, n, affix):
                continue
            aimed = (
                one._replace(targets=tuple(that if k < 0 else k for k in one.targets))
                for one in orders
            )
            plan = _VERBS[verb](plan, tuple(aimed), number - 1 - step)[: len(old)]
            if verb == "ignore":
                others = range(len(self.subs(who)))
                some = [number - 1] if number else [k for k in others if k != n]
                self.put(ignored=(*self.state.ignored, *((who, k) for k in some)))
        if plan[0] != now:
            due = (  # an action that would have had its time is late (time travel rule)
                TOP if order.form == "item" else self.battle.move(who, order).priority
                for order in plan[0]
            )
            late = before.queue is not None and (not pending or max(due) > before.running)
            if late or any(self.hindrance(who, order) for order in plan[0]):
                self.state = before
                return False
            if pending:
                given = [Turn(who, order, pending[0].priority) for order in plan[0]]
                turns = _swap_turns(before.turns, pending, given)
                self.put(turns=turns, queue=_swap_turns(before.queue or (), pending, given))
        for at, (own, was) in enumerate(zip(plan, old, strict=True), step):
            if own != was:
                self.set_orders(who, at, own)
        for seen in before.seen:  # what an earlier post has observed stays so
            watch, that = (
                self.subs(seen.watcher)[seen.substitution].clauses[seen.clause],
                seen.subject,
            )
            if (
                seen.subject == who
                and self._rank(seen.watcher) < self._rank(who)
                and isinstance(watch, Watch)
                and self.observes(watch, who, that, seen.step) != seen.truth
            ):
                self.state = before
                return False
        return True

    def hindrance(self, i: int, order: Order) -> str:
        """Return the reason why an action cannot be attempted now, costs aside; empty if it can."""
        if order.form == "item":
            return ""
        for name in (order.action, order.second) if order.second else (order.action,):
            if name not in self.roster[i].moves and not self.catalogue.moves[name].command:
                lent = (h for h in self.held(i) if self.catalogue.conditions[h.name].lends)
                if not any(name in held.note for held in lent):
                    return "it is not known"
        if order.form == "max" and not self.fighters[i].dynamaxed:
            return "it has not grown"
        if "forbid attempt" not in self.index:
            return ""
        move = self.battle.move(i, order)
        for one in self.ongoing("forbid attempt", i, move):
            if not one.held.note or {*one.held.note} & move.words:
                return one.name
        return ""

    def _applies(self, who: int, n: int, affix: str) -> bool:
        """Return whether the affix of a result allows the result."""
        affixes = [one.affix for one in self.subs(who)[n].results]
        if affix == "otherwise":
            others = (one for one in affixes if one not in {"", affix})
            return not any(self._applies(who, n, one) for one in others)
        noun = "instance" if "instance" in affix else "step"
        times = sum(own == [who, n] for *own, _ in self.state.fired)
        now = str(1 + (times if noun == "instance" else self.state.step))
        if " other " in f" {affix}":
            return not any(noun in one and now in one for one in affixes)
        return not affix or now in affix

    # Observed orders

    def orders_at(self, i: int, step: int) -> tuple[Order, ...]:
        """Return the orders of a Pokemon for a step of this round."""
        for who, at, changed in self.state.changes:
            if (who, at) == (i, step):
                return changed
        main = self.orders[i].main if i in self.orders else ()
        return main[step] if step < len(main) else (Order(),)

    def set_orders(self, i: int, step: int, orders: tuple[Order, ...]) -> None:
        """Change the orders of a Pokemon for a step of this round."""
        kept = (one for one in self.state.changes if one[:2] != (i, step))
        self.put(changes=(*kept, (i, step, orders)))

    def words(self, i: int, order: Order) -> frozenset[str]:
        """Return the words of an action that a Pokemon is ordered."""
        if order.form == "item":
            return frozenset({"item", "medicine", order.action})
        words: frozenset[str] = self.battle.move(i, order).words
        if order.declared:  # calls known in advance
            words |= self.catalogue.moves[order.declared].words
        more = {"combination"} if order.second else {"z move"} if order.form else set()
        return words | ({"max move"} if order.form == "max" else more)

    def aims(self, i: int, order: Order) -> Sequence[int]:
        """Return the targets of an order."""
        if order.form == "item":
            return order.targets or (i,)
        return self.targets(i, self.battle.move(i, order), order)


def _swap_turns(turns: Sequence[Turn], old: list[Turn], new: list[Turn]) -> tuple[Turn, ...]:
    place = next(k for k, turn in enumerate(turns) if turn in old)
    rest = [turn for turn in turns if turn not in old]
    return (*rest[:place], *new, *rest[place:])
