"""Orders and substitutions as text (4.4, 10), and their legality."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, get_args

from physics import InputError
from physics.errors import shown
from sim.post.catalogue import TYPES, Catalogue, Move, name_key
from sim.post.stages import Stat
from sim.post.state import Entrant, Facts, Order
from sim.post.techniques import ADVANCED_LEVEL, Z_POWERS, combination_fault, max_move, z_move

ANY = {"any opponent": -1, "any ally": -2, "any pokemon": -3, "that pokemon": -4}
"""Placeholders."""
_OPERATORS = {
    ">=": "ge",
    "<=": "le",
    "/=": "ne",
    ">": "gt",
    "<": "lt",
    "=": "eq",
    "above": "gt",
    "below": "lt",
    "at least": "ge",
    "at most": "le",
    "is": "eq",
}
"""Operators, and names of functions of `operator`."""
_STATS = [stat.replace("_", " ") for stat in get_args(Stat)]
_COUNTS = ("hp", "maximum hp", "energy", "recoveries", "chills", "level")
_VALUES = (*_COUNTS, *_STATS[:5], *(f"{stat} stage" for stat in _STATS))
_KINDS = ("attack", "non attack", "combination", "item", "physical attack", "special attack")
_TIMINGS = {
    "at the start of the step": "step",
    "at the start of each step": "step",
    "at the end of the step": "end_step",
    "at the end of each step": "end_step",
    "at the start of your turn": "turn",
}
_TIMINGS_OF = (
    "at the start of (.+)'s turn",
    "at the end of (.+)'s turn",
    "when (.+) is hit",
    "when (.+) misses",
)
_EVENTS_OF = ("turn", "end_turn", "hit", "miss")
_RESULTS = {
    r"use (.+) and push (?:your |the )?(?:actions |orders )?down": "push",
    r"use (.+) on the next step": "next",
    r"use (.+) on step ([1-3])": "step",
    r"use (.+)": "use",
    r"begin (.+)": "begin",
    r"replace (?:all )?(.+) (?:by|with) (.+)": "replace",
    r"push (?:your |the )?(?:actions |orders )?down": "down",
    r"pull (?:your |the )?(?:actions |orders )?up": "up",
    r"ignore other substitutions": "ignore",
}
_MOST_STATES = _MOST_RESULTS = 3


class Clause(NamedTuple):
    """A clause of a trigger: an action of somebody, a state, or true."""

    kind: str  # action, state, true
    who: int = 0  # a Pokemon, or one of `ANY`
    words: tuple[frozenset[str], ...] = ()  # of actions: one of them, all words in it
    when: str = ""  # of actions: a step, any, executed
    target: int | None = None
    value: str = ""  # of states
    operator: str = ""
    against: str = ""  # a number, a percentage, another value
    against_who: int = 0


class Result(NamedTuple):
    """A clause of a result."""

    verb: str
    orders: tuple[Order, ...] = ()
    number: int = 0
    affix: str = ""


class Substitution(NamedTuple):
    """A substitution: timing, trigger and result."""

    text: str
    event: str
    subject: int  # of the event; -1 for everybody's
    affixes: tuple[str, ...]
    clauses: tuple[Clause, ...]
    results: tuple[Result, ...]
    is_free: bool = False  # a KO substitution

    @property
    def remembers(self) -> bool:
        """Whether it matters in later steps that it was triggered."""
        return bool(self.affixes or any(r.affix or r.verb == "ignore" for r in self.results))


class Orders(NamedTuple):
    """Orders of a Pokemon for a round."""

    main: tuple[tuple[Order, ...], ...]
    substitutions: tuple[Substitution, ...] = ()
    dynamax: bool = False


class Reader:
    """Reads the orders of one Pokemon.

    Args:
        battle: A `Battle`.
        i: The Pokemon.
    """

    def __init__(self, battle: Any, i: int) -> None:
        self._catalogue: Catalogue = battle.catalogue
        self._facts: Facts = battle.facts
        self._i, facts = i, battle.facts
        self._own: Entrant = facts.roster[i]
        self._names = {name_key(one.name): n for n, one in enumerate(facts.roster)}
        self._where = f"{self._own.name}: orders"

    def orders(
        self, text: str, substitutions: Sequence[str] = (), *, steps: int | None = None
    ) -> Orders:
        """Return orders such as ``slam - quick on golduck - surf + thunderbolt``.

        Steps are separated by " - " or "|", the actions of one step by commas.

        Raises:
            InputError: They are illegal; the message says by which rule.
        """
        match = self._facts.match
        plain, dynamax = re.subn(r"^\s*dynamax:", "", text, flags=re.IGNORECASE)
        parts = [part.split(",") for part in re.split(r"\s-\s|\|", plain.strip())]
        needed = steps or match.steps or 1
        if len(parts) != needed:
            self._refuse(f"{len(parts)} steps; give one action for each of {needed} (4.4)")
        most = self._own.species.actions
        if any(len(part) > most for part in parts):
            self._refuse(f"{shown(text)}: {self._own.name} has {most} action a step (4.1)")
        main = tuple(tuple(self.order(one) for one in part) for part in parts)
        if any(one.form == "max" for step in main for one in step) and not dynamax:
            self._refuse(f"{shown(text)}: begin with dynamax: to use max (13.5)")
        self._where = f"{self._own.name}: substitutions"
        read = []
        for one in substitutions:
            try:
                read.append(self.substitution(one))
            except InputError:
                if not match.staked:
                    raise
        free, counted = set[int](), 0
        for sub in read:
            subject = sub.clauses[0].who
            counted += not sub.is_free or subject in free
            free |= {subject} if sub.is_free else set()
        if counted > (match.substitutions or 0):
            if not match.staked:
                self._refuse(f"{counted}; give at most {match.substitutions} (10.1)")
            read = read[: match.substitutions]
        return Orders(main, tuple(read), bool(dynamax))

    def _refuse(self, reason: str) -> NoReturn:
        raise InputError(f"{self._where}: {reason}")

    def pokemon(self, text: str) -> int:
        """Return a Pokemon by its name, or the number of a placeholder."""
        key = name_key(text)
        if key in {"self", "you", "the user"}:
            return self._i
        if key in ANY:
            return ANY[key]
        if key not in self._names:
            self._refuse(f"{shown(text)}: no such Pokemon; give one of {', '.join(self._names)}")
        return self._names[key]

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
        found = re.fullmatch(r"(?i)(item|max|z-(\w+)) (.+)", what.strip())
        form = (found[2] or found[1]).lower() if found else ""
        rest = found[3] if found else what
        if form == "item":
            self._catalogue.find("items", rest, self._where)
            return Order(name_key(rest), "", form, targets)
        if found and form not in (*Z_POWERS, "max"):
            self._refuse(f"z-{form}: no such power; give one of {', '.join(Z_POWERS)} (13.4)")
        first, plus, second = rest.partition("+")
        move = self.move(first)
        level = min(self._own.level, self._facts.match.level)
        if form and level < ADVANCED_LEVEL:
            self._refuse(f"{form}: advanced techniques need Level {ADVANCED_LEVEL} (6.3)")
        if form == "max":
            max_move(move, self._catalogue)
        elif form:
            z_move(move, form, self._own.stats)
        if not plus:
            return Order(name_key(move.name), "", form, targets)
        other, singles = self.move(second), self._facts.match.positions == 1
        fault = combination_fault(move, other, level=level, singles=singles)
        if fault or form:
            self._refuse(fault or f"a combination is no {found and found[1]}-move (13.1)")
        return Order(name_key(move.name), name_key(other.name), "", targets)

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
        states = [clause for clause in clauses if clause.kind == "state"]
        watched = [clause.who for clause in clauses if clause.kind == "action"]
        if len(set(watched)) < len(watched):
            self._refuse(f"{shown(text)}: give one action clause for each Pokemon (10.1)")
        if len(states) > _MOST_STATES or len(results) > _MOST_RESULTS:
            self._refuse(f"{shown(text)}: give at most 3 state clauses and 3 results (10.1)")
        kinds = {clause.who for clause in clauses if -4 < clause.who < 0}
        if len(kinds) > 1:
            self._refuse(f"{shown(text)}: give one kind of placeholder (10.6)")
        event, subject, affixes = self._timing(timing, has_state=bool(states))
        (first, *more) = clauses
        ko = first.value == "fainted" and not more and not timing
        return Substitution(text, event, subject, affixes, clauses, results, ko)

    def _timing(self, text: str, *, has_state: bool) -> tuple[str, int, tuple[str, ...]]:
        affix = re.search(r"(?:^|,\s*)(once|non-consecutively|on steps? [1-3](?:, ?[1-3])*)$", text)
        affixes = (affix[1],) if affix else ()
        text = text[: affix.start()].strip(" ,") if affix else text
        if not text:
            return ("turn", self._i, affixes) if has_state else ("step", -1, affixes)
        if text in _TIMINGS:
            event = _TIMINGS[text]
            return event, self._i if event == "turn" else -1, affixes
        for pattern, event in zip(_TIMINGS_OF, _EVENTS_OF, strict=True):
            if found := re.fullmatch(pattern, text):
                return event, self.pokemon(found[1]), affixes
        return self._refuse(
            f"timing {shown(text)}: give one such as 'at the start of your turn' (10.2)"
        )

    def _clause(self, text: str) -> Clause:
        if text in {"possible", "able"}:
            return Clause("true")
        if re.search(r" is (?:not|n't) to use | will not use ", text):
            self._refuse(f"{shown(text)}: an action clause is not merely negated (10.1)")
        if found := re.fullmatch(
            r"(.+?) (is to use|has used|has executed) (.+?)(?: targeting (.+?))?"
            r"(?: (on step [1-3]|on any step|on a later step|this step|this round))?",
            text,
        ):
            who, tense, actions, target, when = found.groups()
            subject = self.pokemon(who)
            if subject == self._i:
                self._refuse(f"{shown(text)}: watch another Pokemon, never oneself (10.3)")
            executed = "executed " if tense != "is to use" else ""
            words = tuple(w for part in re.split(r",? or |, ", actions) for w in self._words(part))
            aim = None if target is None else self.pokemon(target)
            return Clause("action", subject, words, executed + (when or ""), aim)
        return self._state(text)

    def _words(self, text: str) -> list[frozenset[str]]:
        """Return the alternatives that the name of an action or of a kind of actions stands for."""
        plain = re.sub(r"^(?:an?|any) ", "", text.strip())
        key = name_key(plain)
        if key in self._catalogue.groups:
            return [frozenset({name_key(name)}) for name in self._catalogue.groups[key]]
        if key in _KINDS:
            return [frozenset(key.replace("non ", "non-").split())]
        kind, _, noun = key.partition(" ")
        if noun in {"attack", "move"} and kind.title() in TYPES:
            return [frozenset({kind, "attack"} if noun == "attack" else {kind})]
        first, plus, second = plain.partition("+")
        move = self._catalogue.find("moves", _ALIASES.get(key, first), self._where)
        other = {name_key(self._catalogue.find("moves", second).name)} if plus else set[str]()
        return [frozenset({name_key(move.name), *other})]

    def _state(self, text: str) -> Clause:
        if found := re.fullmatch(rf"(.+?)'s? (.+?) (?:is )?({'|'.join(_OPERATORS)}) (.+)", text):
            who, value, operator, against = found.groups()
            if value not in _VALUES:
                self._refuse(f"{shown(value)}: give one of {', '.join(_VALUES[:8])}, ... (10.4)")
            *whose, other = re.split("'s? ", against, maxsplit=1)
            if not (re.fullmatch(r"\d{1,4}%?", against) or (whose and other in _VALUES)):
                self._refuse(f"{shown(against)}: give a number, 50% or another's value (10.4)")
            return Clause(
                "state",
                self.pokemon(who),
                value=value,
                operator=_OPERATORS[operator],
                against=other,
                against_who=self.pokemon(whose[0]) if whose else 0,
            )
        if found := re.fullmatch(r"(.+?) (is|has) (not |no )?(?:an? )?(.+)", text):
            who, _, negated, word = found.groups()
            value = self._word(word)
            return Clause(
                "state", self.pokemon(who), value=value, operator="ne" if negated else "eq"
            )
        return self._refuse(f"clause {shown(text)}: not on the lists of 10.3 and 10.4")

    def _word(self, word: str) -> str:
        if word == "fainted" or word in self._catalogue.items:
            return word
        key = name_key(word)
        for name, condition in self._catalogue.conditions.items():
            if key in {name, *condition.also} and condition.kind != "marker":
                return name
        if word in {"a major status", "major status"}:
            return "major"
        return self._refuse(f"state {shown(word)}: no condition that can be seen (10.4)")

    def _result(self, text: str) -> Result:
        affix = re.search(
            r" (on the \d(?:st|nd|rd|th) instance|on other instances|if it is step "
            r"[1-3]|in other steps|otherwise)$",
            text,
        )
        plain = text[: affix.start()] if affix else text
        for pattern, verb in _RESULTS.items():
            if found := re.fullmatch(pattern, plain.strip()):
                parts = found.groups()
                number = int(parts[1]) if verb == "step" else 0
                texts = parts[:1] if verb == "step" else parts
                texts = tuple(one for t in texts for one in re.split(r"\s-\s", t))
                orders = tuple(self.order(one) for one in texts)
                return Result(verb, orders, number, affix[1] if affix else "")
        return self._refuse(f"result {shown(text)}: give one such as 'use slam' (10.5)")


_ALIASES: Mapping[str, str] = {"faint attack": "feint attack"}


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


def order_words(battle: Any, i: int, order: Order) -> frozenset[str]:
    """Return the words of an action that a Pokemon is ordered."""
    if order.form == "item":
        return frozenset({"item", order.action})
    words: frozenset[str] = battle.move(i, order).words
    return words | {"combination"} if order.second else words
