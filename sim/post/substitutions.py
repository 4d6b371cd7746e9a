"""Substitutions at work: when they are looked at, whether they hold, what they change (10.6)."""

import operator
import re
from typing import TYPE_CHECKING, Any

from sim.post.orders import Clause, Result, Substitution, order_words
from sim.post.state import OUT, Order, Turn

if TYPE_CHECKING:
    from sim.post.engine import Course

_THAT = -4


def applied_substitutions(course: "Course", event: str, i: int = -1) -> None:
    """Apply the substitutions that an event calls for, in the order posted; one a Pokemon."""
    if not any(own is not None and own.substitutions for own in course.orders):
        return
    posts = list(course.state.posts)
    active = sorted(course.active(), key=lambda k: (posts.index(course.roster[k].team), k))
    for who in active:
        own = course.orders[who]
        for n, sub in enumerate(own.substitutions if own else ()):
            if sub.event != event or (sub.subject >= 0 and sub.subject != i):
                continue
            if (
                sub.subject < 0
                and event not in {"step", "end_step"}
                and (i not in candidates(course, who, sub.subject))
            ):
                continue
            if _is_done(course, who):
                break
            if _may(course, who, n, sub) and _triggers(course, who, n, sub):
                fired = (*course.state.fired, (who, n, course.state.step))
                course.put(fired=fired)
                course.note("substitution", who, sub.text)
                break


def _is_done(course: "Course", who: int) -> bool:
    """Return whether one of a Pokemon's has triggered in this step, or stops the others."""
    own = course.orders[who]
    return any(
        k == who
        and (
            at == course.state.step
            or any(result.verb == "ignore" for result in own.substitutions[n].results)
        )
        for k, n, at in course.state.fired
        if own is not None
    )


def _may(course: "Course", who: int, n: int, sub: Substitution) -> bool:
    """Return whether the affixes of the timing allow it."""
    step = course.state.step
    before = [at for k, m, at in course.state.fired if (k, m) == (who, n)]
    for affix in sub.affixes:
        if (affix == "once" and before) or (affix == "non-consecutively" and step - 1 in before):
            return False
        if affix.startswith("on step") and str(step + 1) not in re.findall(r"\d", affix):
            return False
    return True


def candidates(course: "Course", who: int, code: int) -> list[int]:
    """Return the Pokemon that a name or placeholder stands for, in the order of their posts."""
    if code >= 0:
        return [code]
    team, posts = course.roster[who].team, list(course.state.posts)
    found = {-1: course.others(team), -2: [k for k in course.active(team) if k != who]}.get(
        code, [k for k in course.active() if k != who]
    )
    return sorted(found, key=lambda k: (posts.index(course.roster[k].team), k))


def _triggers(course: "Course", who: int, n: int, sub: Substitution) -> bool:
    codes = {clause.who for clause in sub.clauses if _THAT < clause.who < 0}
    for that in candidates(course, who, min(codes)) if codes else [who]:
        truths = []
        for c, clause in enumerate(sub.clauses):
            subject = that if clause.who < 0 else clause.who
            truth = _holds(course, clause, subject, that)
            truths.append(truth)
            if clause.kind == "action":
                course.put(seen=(*course.state.seen, (who, n, c, subject, truth)))
        if all(truths) and _change(course, who, sub, that):
            return True
    return False


def _holds(course: "Course", clause: Clause, i: int, that: int) -> bool:
    if clause.kind == "true":
        return True
    if clause.kind == "state":
        return _is_state(course, clause, i, that)
    state = course.state
    target = that if clause.target is not None and clause.target < 0 else clause.target
    now = state.step
    steps = {"on any step": range(state.steps), "on a later step": range(now + 1, state.steps)}.get(
        clause.when, [int(clause.when[-1]) - 1] if clause.when.startswith("on step") else [now]
    )
    if clause.when.startswith("executed"):
        waiting = [turn.order for turn in state.queue or () if turn.fighter == i]
        ordered = [turn.order for turn in state.turns if turn.fighter == i]
        ordered = ordered[: len(ordered) - len(waiting)]
        if "round" in clause.when:
            ordered += [one for step in range(now) for one in course.ordered(i, step)]
    else:
        ordered = [one for step in steps for one in _at(course, i, step)]
    return any(
        any(words <= order_words(course.battle, i, order) for words in clause.words)
        and (target is None or target in _aims(course, i, order))
        for order in ordered
    )


def _aims(course: "Course", i: int, order: Order) -> Any:
    if order.form == "item":
        return order.targets
    return course.targets(i, course.battle.move(i, order), order)


def _at(course: "Course", i: int, step: int) -> tuple[Order, ...]:
    """Return what a Pokemon is to do on a step."""
    if step == course.state.step:
        return tuple(turn.order for turn in course.state.turns if turn.fighter == i)
    return course.ordered(i, step)


def _is_state(course: "Course", clause: Clause, i: int, that: int) -> bool:
    f = course.fighters[i]
    if not clause.against:
        word = clause.value
        truth = f.place == OUT if word == "fainted" else (word in f.items or course.is_so(i, word))
        return truth == (clause.operator == "eq")
    left = value_of(course, i, clause.value)
    if clause.against.endswith("%"):
        whole = course.roster[i].species.energy
        whole = course.roster[i].stats.hp if "hp" in clause.value else whole
        left, right = 100 * left, int(clause.against[:-1]) * whole
    elif clause.against.isdigit():
        right = int(clause.against)
    else:
        other = that if clause.against_who < 0 else clause.against_who
        right = value_of(course, other, clause.against)
    return bool(getattr(operator, clause.operator)(left, right))


def value_of(course: "Course", i: int, name: str) -> int:
    """Return a value of a Pokemon that a state clause may compare."""
    f, own = course.fighters[i], course.roster[i]
    if name.endswith(" stage"):
        return course.stage(i, name.removesuffix(" stage").replace(" ", "_"))
    if name == "speed":
        return course.speed(i)
    plain = {
        "hp": f.hp,
        "maximum hp": own.stats.hp,
        "energy": f.energy,
        "level": own.level,
        "recoveries": f.recoveries,
        "chills": f.chills,
    }
    return plain[name] if name in plain else course.rank(i, name.replace(" ", "_"))


def _applies(course: "Course", who: int, n: int, result: Result) -> bool:
    """Return whether the affix of a result allows it."""
    affix, step = result.affix, course.state.step
    instance = 1 + sum((k, m) == (who, n) for k, m, _ in course.state.fired)
    subs = course.orders[who].substitutions[n].results  # type: ignore[union-attr]
    numbers = {int(d) for r in subs if "instance" in r.affix for d in re.findall(r"\d", r.affix)}
    steps = {int(r.affix[-1]) for r in subs if r.affix.startswith("if it is step")}
    if affix == "otherwise":
        others = (r for r in subs if r.affix not in {"", "otherwise"})
        return not any(_applies(course, who, n, r) for r in others)
    if "instance" in affix:
        return instance not in numbers if "other" in affix else str(instance) in affix
    if "step" in affix:
        return step + 1 not in steps if "other" in affix else affix.endswith(str(step + 1))
    return True


def _change(course: "Course", who: int, sub: Substitution, that: int) -> bool:
    """Change orders as a result says; return False if it is illegal at this moment."""
    state = course.state
    own = course.orders[who]
    n = own.substitutions.index(sub) if own else 0
    pending = [turn for turn in state.queue or () if turn.fighter == who]
    plan = [tuple(turn.order for turn in pending)]
    plan += [course.ordered(who, step) for step in range(state.step + 1, state.steps)]
    for result in sub.results:
        if _applies(course, who, n, result):
            orders = tuple(
                one._replace(targets=tuple(that if k < 0 else k for k in one.targets))
                for one in result.orders
            )
            plan = _edited(plan, result, orders, state.step)
    if plan[0] != tuple(turn.order for turn in pending):
        if not pending or any(_travels(course, who, order) for order in plan[0]):
            return False
        before = state.turns, state.queue
        new = [Turn(who, order, pending[0].priority) for order in plan[0]]
        course.put(
            turns=_swapped(state.turns, pending, new),
            queue=_swapped(state.queue or (), pending, new),
        )
        if _was_seen(course, who):
            course.put(turns=before[0], queue=before[1])
            return False
    later = {(who, state.step + k): orders for k, orders in enumerate(plan) if k}
    same = all(course.ordered(who, step) == orders for (_, step), orders in later.items())
    if not same:
        kept = tuple(one for one in state.changes if one[:2] not in later)
        course.put(changes=kept + tuple((*key, orders) for key, orders in later.items()))
    return True


def _edited(
    plan: list[tuple[Order, ...]], result: Result, orders: tuple[Order, ...], step: int
) -> list[tuple[Order, ...]]:
    """Return orders from this step on after a result."""
    verb, size = result.verb, len(plan)
    if verb == "use":
        return [orders, *plan[1:]]
    if verb in {"push", "down"}:
        return [orders or (Order(),), *plan][:size]
    if verb == "up":
        return [*plan[1:], (Order(),)]
    if verb == "begin":
        return [*((one,) for one in orders), *plan[len(orders) :]][:size]
    if verb == "replace":
        old, new = orders
        return [tuple(new if one.action == old.action else one for one in own) for own in plan]
    at = 1 if verb == "next" else result.number - 1 - step
    if verb in {"next", "step"} and 0 <= at < size:
        return [*plan[:at], orders, *plan[at + 1 :]]
    return plan


def _travels(course: "Course", who: int, order: Order) -> bool:
    """Return whether an action would be of a time that is over (time travel rule)."""
    running = course.state.running
    if order.form == "item":
        return running < 100
    return course.battle.move(who, order).priority > running


def _was_seen(course: "Course", who: int) -> bool:
    """Return whether a change makes false what another substitution has seen."""
    for watcher, n, c, subject, truth in course.state.seen:
        own = course.orders[watcher]
        if (
            subject == who
            and watcher != who
            and own is not None
            and (_holds(course, own.substitutions[n].clauses[c], who, who) != truth)
        ):
            return True
    return False


def _swapped(turns: tuple[Turn, ...], old: list[Turn], new: list[Turn]) -> tuple[Turn, ...]:
    place = next(k for k, turn in enumerate(turns) if turn in old)
    rest = [turn for turn in turns if turn not in old]
    return (*rest[:place], *new, *rest[place:])
