"""Orders and substitutions: as text, their legality, and substitutions at work (4.4, 10)."""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias, get_args

from physics import InputError
from physics.errors import shown
from sim.post.catalogue import TYPES, Move, name_key
from sim.post.numbers import Stat
from sim.post.standing import Standing
from sim.post.state import OUT, TOP, Order, Turn
from sim.post.techniques import Z_POWERS, combination_fault

ANY = {"any opponent": -1, "any ally": -2, "any pokemon": -3, "that pokemon": -4}
"""Placeholders."""
_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "/=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "above": operator.gt,
    "below": operator.lt,
    "at least": operator.ge,
    "at most": operator.le,
    "is": operator.eq,
}
_STATS = [stat.replace("_", " ") for stat in get_args(Stat)]
_COUNTS = ("hp", "maximum hp", "energy", "recoveries", "chills", "level")
_VALUES = (*_COUNTS, *_STATS[:5], *(f"{stat} stage" for stat in _STATS))
_KINDS = ("attack", "non attack", "combination", "item", "physical attack", "special attack")
_ALIASES = {"faint attack": "feint attack"}
_TIMING = (
    r"at the (start|end) of (?:(?:the|each) (step)|(?:(your)|(.+)'s) (turn))"
    r"|(when) (.+) (is hit|misses)"
)
_TIMES = r"(?:^|,\s*)(once|non-consecutively|on steps? [1-3](?:, ?[1-3])*)$"
_INSTANCES = (
    r" (on the \d(?:st|nd|rd|th) instance|on other instances|if it is step [1-3]|in other steps"
    r"|otherwise)$"
)
_ACTION = (
    r"(.+?) (is to use|has used|has executed) (.+?)(?: targeting (.+?))?"
    r"(?: (on step [1-3]|on any step|on a later step|this step|this round))?"
)
_MOST = 3
"""State clauses, and results, of a substitution."""

_Plan: TypeAlias = list[tuple[Order, ...]]
"""Orders of a Pokemon, from this step on."""


def _put(plan: _Plan, at: int, new: tuple[Order, ...]) -> _Plan:
    return [*plan[:at], new, *plan[at + 1 :]] if 0 <= at < len(plan) else plan


def _replaced(plan: _Plan, old: Order, new: Order) -> _Plan:
    return [tuple(new if one.action == old.action else one for one in own) for own in plan]


_MINE = "(?:your |the )?(?:actions |orders )?"
_RESULTS: dict[str, Callable[[_Plan, tuple[Order, ...], int], _Plan]] = {
    rf"use (.+) and push {_MINE}down": lambda plan, new, _: [new, *plan],
    r"use (.+) on the next step": lambda plan, new, _: _put(plan, 1, new),
    r"use (.+) on step ([1-3])": lambda plan, new, at: _put(plan, at, new),
    r"use (.+)": lambda plan, new, _: _put(plan, 0, new),
    r"begin (.+)": lambda plan, new, _: [*((one,) for one in new), *plan[len(new) :]],
    r"replace (?:all )?(.+) (?:by|with) (.+)": lambda plan, new, _: _replaced(plan, *new),
    rf"push {_MINE}down": lambda plan, *_: [(Order(),), *plan],
    rf"pull {_MINE}up": lambda plan, *_: [*plan[1:], (Order(),)],
    r"ignore other substitutions": lambda plan, *_: plan,
}
"""New orders by the words of a result; the last argument is a step, 0 for the present one."""


class Clause(NamedTuple):
    """A clause of a trigger: what it watches, of whom, and whether it holds."""

    kind: str  # action, state, true
    holds: "Callable[[Substituting, int, int], bool]"  # of a Pokemon, with "that Pokemon"
    who: int = 0  # a Pokemon, or one of `ANY`


class Result(NamedTuple):
    """A clause of a result."""

    affix: str
    pattern: str
    orders: tuple[Order, ...]
    step: int


class Substitution(NamedTuple):
    """A substitution: timing, trigger and result."""

    text: str
    event: str
    subject: int  # of the event
    affix: str
    clauses: tuple[Clause, ...]
    results: tuple[Result, ...]
    is_free: bool = False  # a KO substitution

    @property
    def ignores(self) -> bool:
        """Whether no other one is looked at once it has triggered."""
        return any(one.pattern[:6] == "ignore" for one in self.results)

    @property
    def remembers(self) -> bool:
        """Whether it matters in later steps that it was triggered."""
        return bool(self.affix or self.ignores or any(one.affix for one in self.results))


class Orders(NamedTuple):
    """Orders of a Pokemon for a round."""

    main: tuple[tuple[Order, ...], ...]
    substitutions: tuple[Substitution, ...] = ()
    dynamax: bool = False


Plan: TypeAlias = Mapping[int, Orders]
"""Orders of some Pokemon."""


class Reader:
    """Reads the orders of one Pokemon.

    Args:
        battle: A `Battle`.
        i: The Pokemon.
    """

    def __init__(self, battle: Any, i: int) -> None:
        self._battle, self._catalogue, self._match = battle, battle.catalogue, battle.match
        self._i, self._own = i, battle.roster[i]
        self._names = {name_key(one.name): n for n, one in enumerate(battle.roster)}
        self._where = f"{self._own.name}: orders"

    def orders(
        self, text: str, substitutions: Sequence[str] = (), *, steps: int | None = None
    ) -> Orders:
        """Return orders such as ``slam - quick on golduck - surf + thunderbolt``.

        Steps are separated by " - " or "|", the actions of one step by commas.

        Raises:
            InputError: They are illegal; the message says by which rule.
        """
        match, most, name = self._match, self._own.species.actions, self._own.name
        plain, dynamax = re.subn(r"^\s*dynamax:", "", text, flags=re.IGNORECASE)
        parts = [part.split(",") for part in re.split(r"\s-\s|\|", plain.strip())]
        needed = steps or match.steps
        if len(parts) != needed:
            self._refuse(f"{len(parts)} steps; give one action for each of {needed} (4.4)")
        if max(map(len, parts)) > most:
            self._refuse(f"{shown(text)}: {name} has {most} action a step (4.1)")
        main = tuple(tuple(self.order(one) for one in part) for part in parts)
        if any(one.form == "max" for step in main for one in step) and not dynamax:
            self._refuse(f"{shown(text)}: begin with dynamax: to use max (13.5)")
        if dynamax and (why := match.bars("dynamax", self._own.level)):
            self._refuse(f"dynamax: {why}")
        self._where = f"{name}: substitutions"
        read = []
        for one in substitutions:
            try:
                read.append(self.substitution(one))
            except InputError:
                if not match.staked:
                    raise
        counted = len(read) - len({sub.clauses[0].who for sub in read if sub.is_free})
        if counted > match.substitutions and not match.staked:
            self._refuse(f"{counted}; give at most {match.substitutions} (10.1)")
        most = match.substitutions if counted > match.substitutions else len(read)
        return Orders(main, tuple(read[:most]), bool(dynamax))

    def _refuse(self, reason: str) -> NoReturn:
        raise InputError(f"{self._where}: {reason}")

    def pokemon(self, text: str) -> int:
        """Return a Pokemon by its name, or the number of a placeholder."""
        key = name_key(text)
        known = self._names | ANY | dict.fromkeys(("self", "you", "your", "the user"), self._i)
        if key not in known:
            self._refuse(f"{shown(text)}: no such Pokemon; give one of {', '.join(self._names)}")
        return known[key]

    def move(self, text: str) -> Move:
        """Return a move that the Pokemon knows."""
        move: Move = self._catalogue.find("moves", text, self._where)
        if not (move.command or name_key(move.name) in self._own.moves):
            self._refuse(f"{self._own.name} does not know {move.name} (8.3a)")
        return move

    def order(self, text: str) -> Order:
        """Return an order such as ``z-force slam on golduck`` or ``item potion``."""
        what, _, whom = text.strip().partition(" on ")
        targets = (self.pokemon(whom),) if whom else ()
        found = re.fullmatch(r"(?i)(?:(item|max|z-(\w+)) )?(.*)", what.strip())
        technique, power, rest = found.groups() if found else ("", "", what)
        form = (power or technique or "").lower()
        if form == "item":
            self._catalogue.find("items", rest, self._where)
            return Order(name_key(rest), "", form, targets)
        if power and form not in Z_POWERS:
            self._refuse(f"z-{form}: no such power; give one of {', '.join(Z_POWERS)} (13.4)")
        moves = [self.move(part) for part in rest.split("+", 1)]
        level = min(self._own.level, self._match.level)
        if power and (why := self._match.bars("z-move", level)):
            self._refuse(f"z-{form}: {why}")
        if len(moves) > 1:
            singles = self._match.positions == 1
            fault = combination_fault(*moves, level=level, singles=singles)
            if fault or form:
                self._refuse(fault or f"a combination is no {technique}-move (13.1)")
        first, second = [*(name_key(move.name) for move in moves), ""][:2]
        order = Order(first, second, form, targets)
        self._battle.move(self._i, order)
        return order

    # Substitutions

    def substitution(self, text: str) -> Substitution:
        """Return a substitution: ``[timing] IF trigger THEN result``.

        Raises:
            InputError: It is illegal; the message says which clause, and by which rule.
        """
        found = re.fullmatch(r"(?is)\s*(.*?),?\s*\bif\b\s*(.+?),?\s*\bthen\b\s*(.+?)\.?\s*", text)
        if not found:
            self._refuse(f"{shown(text)}: give IF, a trigger, THEN and a result (10.1)")
        timing, trigger, result = (part.strip().lower() for part in found.groups())
        clauses = tuple(self._clause(part) for part in re.split(r"\s+and\s+", trigger))
        results = tuple(self._result(p) for p in re.split(r",\s*(?:and\s+)?|\s+then\s+", result))
        states = sum(clause.kind == "state" for clause in clauses)
        watched = [clause.who for clause in clauses if clause.kind == "action"]
        if len(set(watched)) < len(watched):
            self._refuse(f"{shown(text)}: give one action clause for each Pokemon (10.1)")
        if states > _MOST or len(results) > _MOST:
            self._refuse(f"{shown(text)}: give at most 3 state clauses and 3 results (10.1)")
        if len({clause.who for clause in clauses if -4 < clause.who < 0}) > 1:
            self._refuse(f"{shown(text)}: give one kind of placeholder (10.6)")
        affix = re.search(_TIMES, timing)
        event, subject = "start turn" if states else "start step", self._i
        if plain := timing[: affix.start()].strip(" ,") if affix else timing:
            when = re.fullmatch(_TIMING, plain)
            if not when:
                say = "give one such as 'at the start of your turn' (10.2)"
                self._refuse(f"timing {shown(plain)}: {say}")
            start, step, *who, turn, _, struck, hit = when.groups()
            event = hit or f"{start} {step or turn}"
            subject = self.pokemon(next(filter(None, (*who, struck, "you"))))
        free = len(clauses) == 1 and trigger.endswith(" fainted") and not timing
        return Substitution(text, event, subject, affix[1] if affix else "", clauses, results, free)

    def _clause(self, text: str) -> Clause:
        if text in {"possible", "able"}:
            return Clause("true", lambda *_: True)
        if re.search(r" is (?:not|n't) to use | will not use ", text):
            self._refuse(f"{shown(text)}: an action clause is not merely negated (10.1)")
        if not (found := re.fullmatch(_ACTION, text)):
            return self._state(text)
        who, tense, actions, target, when = found.groups()
        subject, aim = self.pokemon(who), None if target is None else self.pokemon(target)
        if subject == self._i:
            self._refuse(f"{shown(text)}: watch another Pokemon, never oneself (10.3)")
        wanted = [w for part in re.split(r",? or |, ", actions) for w in self._words(part)]

        def holds(now: "Substituting", i: int, that: int) -> bool:
            meant = that if aim is not None and aim < 0 else aim
            return any(
                any(words <= now.words(i, order) for words in wanted)
                and (meant is None or meant in now.aims(i, order))
                for order in now.actions(i, when or "", executed=tense != "is to use")
            )

        return Clause("action", holds, subject)

    def _words(self, text: str) -> list[frozenset[str]]:
        """Return the alternatives that the name of an action or of a kind of actions stands for."""
        key = name_key(re.sub(r"^(?:an?|any) ", "", text.strip()))
        kind, _, noun = key.partition(" ")
        if key in self._catalogue.groups:
            return [frozenset({name_key(name)}) for name in self._catalogue.groups[key]]
        if key in _KINDS:
            return [frozenset(key.replace("non ", "non-").split())]
        if noun in {"attack", "move"} and kind.title() in TYPES:
            return [frozenset({kind} | {noun} - {"move"})]
        parts = _ALIASES.get(key, key).split("+", 1)
        found = (self._catalogue.find("moves", part, self._where) for part in parts)
        return [frozenset(name_key(move.name) for move in found)]

    def _state(self, text: str) -> Clause:
        if found := re.fullmatch(rf"(.+?)'s? (.+?) (?:is )?({'|'.join(_OPERATORS)}) (.+)", text):
            who, value, sign, against = found.groups()
            if value not in _VALUES:
                self._refuse(f"{shown(value)}: give one of {', '.join(_VALUES[:8])}, ... (10.4)")
            *whose, other = re.split("'s? ", against, maxsplit=1)
            if not (re.fullmatch(r"\d{1,4}%?", against) or (whose and other in _VALUES)):
                self._refuse(f"{shown(against)}: give a number, 50% or another's value (10.4)")
            k = self.pokemon(whose[0]) if whose else 0

            def compares(now: "Substituting", i: int, that: int) -> bool:
                left = now.value(i, value)
                if whose:
                    return _OPERATORS[sign](left, now.value(that if k < 0 else k, other))
                number, percent, _ = against.partition("%")
                whole = now.value(i, "maximum hp" if "hp" in value else "maximum energy")
                scale = (100, whole) if percent else (1, 1)
                return _OPERATORS[sign](scale[0] * left, scale[1] * int(number))

            return Clause("state", compares, self.pokemon(who))
        if found := re.fullmatch(r"(.+?) (?:is|has) (not |no )?(?:an? )?(.+)", text):
            who, negated, word = found.groups()
            name = self._word(word)
            return Clause(
                "state", lambda now, i, _: now.has(i, name) != bool(negated), self.pokemon(who)
            )
        return self._refuse(f"clause {shown(text)}: not on the lists of 10.3 and 10.4")

    def _word(self, word: str) -> str:
        if word == "fainted" or word in self._catalogue.items:
            return word
        for name, condition in self._catalogue.conditions.items():
            if name_key(word) in {name, *condition.also} and condition.kind != "marker":
                return str(name)
        if word in {"a major status", "major status"}:
            return "major"
        return self._refuse(f"state {shown(word)}: no condition that can be seen (10.4)")

    def _result(self, text: str) -> Result:
        affix = re.search(_INSTANCES, text)
        plain = text[: affix.start()] if affix else text
        for pattern in _RESULTS:
            if found := re.fullmatch(pattern, plain.strip()):
                texts = [t for part in found.groups() for t in re.split(r"\s-\s", part)]
                step = int(texts.pop()) if texts and texts[-1].isdigit() else 0
                orders = tuple(self.order(one) for one in texts)
                return Result(affix[1] if affix else "", pattern, orders, step)
        return self._refuse(f"result {shown(text)}: give one such as 'use slam' (10.5)")


def order_text(order: Order, names: Sequence[str]) -> str:
    """Return an order as `Reader.order` reads it."""
    form = f"z-{order.form} " if order.form in Z_POWERS else order.form + " " * bool(order.form)
    second = f" + {order.second}" if order.second else ""
    on = "".join(f" on {names[k] if k >= 0 else 'that pokemon'}" for k in order.targets)
    return f"{form}{order.action}{second}{on}"


def orders_text(orders: Orders, names: Sequence[str]) -> str:
    """Return main orders as `Reader.orders` reads them."""
    steps = (", ".join(order_text(one, names) for one in step) for step in orders.main)
    return "dynamax: " * orders.dynamax + " - ".join(steps)


class Substituting(Standing):
    """A state in which substitutions change orders (10.6)."""

    def substitute(self, event: str, i: int = -1) -> None:
        """Apply the substitutions that an event calls for, in the order posted; one a Pokemon."""
        if not any(own.substitutions for own in self.orders.values()):
            return
        for who in self._posted(self.active()):
            for n, sub in enumerate(self.subs(who)):
                meant = sub.event == event and (
                    event.endswith("step") or i in self._meant(who, sub.subject)
                )
                if not meant:
                    continue
                if any(
                    k == who and (at == self.state.step or self.subs(k)[m].ignores)
                    for k, m, at in self.state.fired
                ):
                    break
                if self._may(who, n, sub.affix) and self._triggers(who, n, sub):
                    self.put(fired=(*self.state.fired, (who, n, self.state.step)))
                    self.note("substitution", who, sub.text)
                    break

    def subs(self, who: int) -> Sequence[Substitution]:
        """Return the substitutions of a Pokemon."""
        return self.orders[who].substitutions if who in self.orders else ()

    def _posted(self, some: Iterable[int]) -> list[int]:
        """Return Pokemon in the order of their posts."""
        return sorted(some, key=lambda k: (self.state.posts.index(self.roster[k].team), k))

    def _meant(self, who: int, code: int) -> list[int]:
        """Return the Pokemon that a name or placeholder stands for, in the order of their posts."""
        team = self.roster[who].team
        rest = [k for k in self.active(team if code == ANY["any ally"] else None) if k != who]
        meant = self.others(team) if code == ANY["any opponent"] else rest
        return [code] if code >= 0 else self._posted(meant)

    def _may(self, who: int, n: int, affix: str) -> bool:
        """Return whether the affix of the timing allows it."""
        before, step = [at for *own, at in self.state.fired if own == [who, n]], self.state.step
        if affix.startswith("on step"):
            return str(step + 1) in affix
        return not before if affix == "once" else not affix or step - 1 not in before

    def _triggers(self, who: int, n: int, sub: Substitution) -> bool:
        codes = {clause.who for clause in sub.clauses if ANY["that pokemon"] < clause.who < 0}
        for that in self._meant(who, min(codes)) if codes else [who]:
            truths = []
            for c, clause in enumerate(sub.clauses):
                subject = that if clause.who < 0 else clause.who
                truths.append(clause.holds(self, subject, that))
                if clause.kind == "action":
                    self.put(seen=(*self.state.seen, (who, n, c, subject, truths[-1])))
            if all(truths) and self._change(who, n, sub, that):
                return True
        return False

    def _change(self, who: int, n: int, sub: Substitution, that: int) -> bool:
        """Change orders as a result says; return False if it is illegal at this moment."""
        before = self.state
        pending = [turn for turn in before.queue or () if turn.fighter == who]
        steps = range(before.step + 1, before.steps)
        now, later = tuple(turn.order for turn in pending), [self.ordered(who, k) for k in steps]
        plan = [now, *later]
        for affix, pattern, orders, step in sub.results:
            if self._applies(who, n, affix):
                aimed = tuple(
                    one._replace(targets=tuple(that if k < 0 else k for k in one.targets))
                    for one in orders
                )
                plan = _RESULTS[pattern](plan, aimed, step - 1 - before.step)[: 1 + len(later)]
        if plan[0] != now:
            if not pending or any(self._travels(who, order) for order in plan[0]):
                return False
            given = [Turn(who, order, pending[0].priority) for order in plan[0]]
            turns = _swapped(before.turns, pending, given)
            self.put(turns=turns, queue=_swapped(before.queue or (), pending, given))
            if self._was_seen(who):
                self.state = before
                return False
        new = zip(steps, plan[1:], later, strict=True)
        changed = [(who, step, own) for step, own, old in new if own != old]
        kept = (one for one in before.changes if one[:2] not in {one[:2] for one in changed})
        self.put(changes=(*kept, *changed))
        return True

    def _applies(self, who: int, n: int, affix: str) -> bool:
        """Return whether the affix of a result allows it."""
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

    def _travels(self, who: int, order: Order) -> bool:
        """Return whether an action would be of a time that is over (time travel rule)."""
        if order.form == "item":
            return self.state.running < TOP
        return self.battle.move(who, order).priority > self.state.running

    def _was_seen(self, who: int) -> bool:
        """Return whether a change makes false what another substitution has seen."""
        return any(
            subject == who != watcher
            and self.subs(watcher)[n].clauses[c].holds(self, who, who) != truth
            for watcher, n, c, subject, truth in self.state.seen
        )

    # Answers to the clauses of triggers

    def ordered(self, i: int, step: int) -> tuple[Order, ...]:
        """Return the orders of a Pokemon for a step of this round."""
        for who, at, changed in self.state.changes:
            if (who, at) == (i, step):
                return changed
        main = self.orders[i].main if i in self.orders else ()
        return main[step] if step < len(main) else (Order(),)

    def actions(self, i: int, when: str, *, executed: bool) -> list[Order]:
        """Return what a Pokemon is to do, or has executed, in the steps that a text says."""
        step, steps = self.state.step, self.state.steps
        mine = [turn.order for turn in self.state.turns if turn.fighter == i]
        asked = range(0 if executed and when == "this round" else step, step + 1)
        if executed:
            mine = mine[: len(mine) - sum(turn.fighter == i for turn in self.state.queue or ())]
        elif when.startswith("on step"):
            asked = range(int(when[-1]) - 1, int(when[-1]))
        elif when in {"on any step", "on a later step"}:
            asked = range(0 if "any" in when else step + 1, steps)
        return [one for at in asked for one in (mine if at == step else self.ordered(i, at))]

    def words(self, i: int, order: Order) -> frozenset[str]:
        """Return the words of an action that a Pokemon is ordered."""
        if order.form == "item":
            return frozenset({"item", order.action})
        words: frozenset[str] = self.battle.move(i, order).words
        return words | {"combination"} if order.second else words

    def aims(self, i: int, order: Order) -> Sequence[int]:
        """Return the targets of an order."""
        if order.form == "item":
            return order.targets
        return self.targets(i, self.battle.move(i, order), order)

    def has(self, i: int, word: str) -> bool:
        """Return whether a Pokemon has fainted, has an item or condition, or is in a state."""
        f = self.fighters[i]
        return f.place == OUT if word == "fainted" else word in f.items or self.is_so(i, word)

    def value(self, i: int, name: str) -> int:
        """Return a value of a Pokemon that a state clause may compare."""
        f, own, key = self.fighters[i], self.roster[i], name.replace(" ", "_")
        if name.endswith(" stage"):
            return self.stage(i, key.removesuffix("_stage"))
        if name == "speed":
            return self.speed(i)
        plain = {
            "maximum hp": own.stats.hp,
            "maximum energy": own.species.energy,
            "level": own.level,
        }
        if name in plain:
            return plain[name]
        return int(getattr(f, name)) if name in _COUNTS else self.rank(i, key)


def _swapped(turns: Sequence[Turn], old: list[Turn], new: list[Turn]) -> tuple[Turn, ...]:
    place = next(k for k, turn in enumerate(turns) if turn in old)
    rest = [turn for turn in turns if turn not in old]
    return (*rest[:place], *new, *rest[place:])
