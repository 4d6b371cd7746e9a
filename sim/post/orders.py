"""Orders and substitutions as text: aliases in front of a few patterns, and their legality (10)."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NoReturn

from pucklab.base.errors import shown
from pucklab.physics import InputError
from pucklab.sim.post.battle import Battle, Orders, Result, Substitution, Watch, combination_fault
from pucklab.sim.post.catalogue import TYPES, Move
from pucklab.sim.post.state import Held, Order
from pucklab.sim.post.substitutions import ANYWHERE
from pucklab.sim.post.values import (
    ANY,
    Test,
    name_key,
    plain_words,
    read_test,
    read_words,
    refuse_words,
    respell,
)

_VERB = r"(?:use|begin|replace|ignore|push|pull)\b"
_MOST = 3
"""State clauses, and results, of a substitution."""


class Reader:
    """Reads the orders of one Pokemon.

    Args:
        battle: The battle.
        i: The Pokemon.
        held: Its conditions, which may lend it moves.
    """

    def __init__(self, battle: Battle, i: int, held: Iterable[Held] = ()) -> None:
        self._battle, self._catalogue, self._match = battle, battle.catalogue, battle.match
        self._i, self._own = i, battle.roster[i]
        self._names = {name_key(name): n for n, name in enumerate(battle.names)}
        self._where = f"{self._own.name}: orders"
        lent = (h.note for h in held if self._catalogue.conditions[h.name].lends)
        self._ordered: set[str] = set()
        self._known = {*self._own.moves, *(name for note in lent for name in note)}

    def orders(
        self, text: str, substitutions: Sequence[str] = (), *, steps: int | None = None
    ) -> Orders:
        """Return orders such as ``slam - quick on golduck - surf + thunderbolt``.

        Steps are separated by dashes, "|" or commas; where a Pokemon has several actions a step,
        commas separate these.

        Raises:
            InputError: They are illegal; the message says by which rule.
        """
        match, most, name = self._match, self._own.species.actions, self._own.name
        plain, dynamax = re.subn(r"^\s*dynamax\s*[:,-]\s*", "", text, flags=re.IGNORECASE)
        plain = respell(plain.strip(), "orders")
        comma = r",(?![^()]*\))"
        divider = read_words()["divider"] + f"|{comma}" * (most == 1)
        parts = [re.split(comma, part) for part in re.split(divider, plain.strip(" .,|"))]
        if dynamax and (why := match.bars("dynamax", self._own.level)):
            self._refuse(f"dynamax: {why}")
        main = tuple(tuple(self.order(one) for one in part) for part in parts)
        needed = steps or match.steps
        if len(parts) != needed:
            self._refuse(f"give one action for each of {needed} steps, not {len(parts)} (4.4)")
        if max(map(len, parts)) > most:
            self._refuse(f"{shown(text)}: {name} has {most} action a step (4.1)")
        if any(one.form == "max" for step in main for one in step) and not dynamax:
            self._refuse(f"{shown(text)}: begin with dynamax: to use max (13.5)")
        self._ordered = {one.action for step in main for one in step}
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
        known = self._names | ANY | dict.fromkeys(("self", "you", "the user"), self._i)
        if key not in known:
            self._refuse(f"{shown(text)}: no such Pokemon; give one of {', '.join(self._names)}")
        return known[key]

    def move(self, text: str) -> Move:
        """Return a move that the Pokemon knows."""
        key, moves = name_key(text), self._catalogue.moves
        if key not in moves and key.removesuffix("s") in moves:
            text = key.removesuffix("s")
        move: Move = self._catalogue.find("moves", text, self._where)
        if not (move.command or name_key(move.name) in self._known):
            self._refuse(f"{self._own.name} does not know {move.name} (8.3a)")
        return move

    def order(self, text: str) -> Order:
        """Return an order such as ``z-force slam on golduck``, ``Mimic (Slam)`` or ``potion``."""
        text = respell(text, "orders")
        named = [
            one.strip() for part in re.findall(r"\(([^()]*)\)", text) for one in part.split(",")
        ]
        plain = re.sub(r"\s*\([^()]*\)", "", text).strip(" .,")
        names = "|".join(map(re.escape, (*self._battle.names, *ANY)))
        aim = rf"(?i)\s(?:on|at|targeting|against)\s|\s(?:the )?(?=(?:{names})$)"
        what, *whom = re.split(aim, plain, maxsplit=1)
        targets, declared = [], ""
        for one in (*named, *whom):
            if name_key(one) in self._catalogue.moves and name_key(one) not in self._names:
                declared = name_key(one)
                self._known.add(declared)
            else:
                targets.append(self.pokemon(plain_words(one)))
        found = re.fullmatch(r"(?i)(?:(item|max|z-(\w+)) )?(.*)", what.strip())
        technique, power, rest = found.groups() if found else ("", "", what)
        form = (power or technique or "").lower()
        if name_key(rest) in {*self._catalogue.items} - {*self._catalogue.moves}:
            form = form or "item"
        if form == "item":
            self._catalogue.find("items", rest, self._where)
            return Order(name_key(rest), "", form, tuple(targets))
        powers = self._catalogue.techniques
        if power and form not in powers:
            self._refuse(f"z-{form}: no such power; give one of {', '.join(powers)} (13.4)")
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
        order = Order(first, second, form, tuple(targets), declared)
        self._battle.move(self._i, order)
        return order

    # Substitutions

    def substitution(self, text: str) -> Substitution:
        """Return a substitution: ``[timing] IF trigger THEN result``.

        Raises:
            InputError: It is illegal; the message says which clause, and by which rule.
        """
        plain = plain_words(plain_words(text.strip(" .")), "substitutions")
        found = re.fullmatch(
            rf"(.*?)[ ,]*\bif\b[ ,]*((?:(?! then\b).)+?)[ ,]+(?:then[ ,]+)?((?<!to ){_VERB}.+)",
            plain,
        )
        found = found or re.fullmatch(r"(.*?)[ ,]*\bif\b[ ,]*(.+?)[ ,]+then[ ,]+(.+)", plain)
        if not found:
            self._refuse(f"{shown(text)}: give IF, a trigger, THEN and a result (10.1)")
        timing, trigger, result = found.groups()
        if affix := re.search(read_words()["affix"], timing) or re.search(r",? (once)$", result):
            timing = timing.replace(affix[0], "", 1).strip(" ,")
            result = re.sub(r",? once$", "", result)
        clauses = tuple(self._clauses(trigger))
        results = tuple(self._results(result))
        watched = [one.who for one in clauses if isinstance(one, Watch)]
        states = len(clauses) - len(watched) - sum(one == _POSSIBLE for one in clauses)
        if len(set(watched)) < len(watched):
            self._refuse(f"{shown(text)}: give one action clause for each Pokemon (10.1)")
        if states > _MOST or len(results) > _MOST:
            self._refuse(f"{shown(text)}: give at most 3 state clauses and 3 results (10.1)")
        if len({one.who for one in clauses if ANY["that pokemon"] < one.who < 0}) > 1:
            self._refuse(f"{shown(text)}: give one kind of placeholder (10.6)")
        time, subject, words, by = self._event(timing, "start turn" if states else "start step")
        aims = {k for one in results for order in one.orders for k in order.targets}
        said = {subject, *(one.who for one in clauses)}
        if ANY["that pokemon"] in aims and said.isdisjoint(ANY.values()):
            self._refuse(f"{shown(text)}: that Pokemon is not said; name it (10.6)")
        free = len(clauses) == 1 and trigger.endswith(" fainted") and not timing
        mark = affix[1] if affix else ""
        return Substitution(text, time, subject, words, by, mark, clauses, results, free)

    def _event(self, timing: str, default: str) -> tuple[str, int, frozenset[str], int | None]:
        """Return event, subject, words and attacker of a timing."""
        if not timing:
            return default, self._i if default == "start turn" else ANYWHERE, frozenset(), None
        for pattern, event in read_words()["timings"].items():
            if not (found := re.fullmatch(pattern, timing)):
                continue
            named = found.groupdict()
            words = {name_key(w) for key in ("w", "w2") if (w := named.get(key))}
            by, what = None, named.get("what") or ""
            attack, _, attacker = what.rpartition(" from ")
            if name_key(attacker) in self._names | ANY:
                by, what = self.pokemon(attacker), attack
            if what:
                words |= self._actions(what)[0]
            if state := named.get("state"):
                test = read_test(f"you is {state}", self._catalogue.words, self.pokemon)
                words.add(test.word)
            who = named.get("who")
            subject = self.pokemon(who) if who else ANYWHERE
            if named.get("last"):
                return f"priority {int(named['last']) - 1}", subject, frozenset(), None
            parts = [str(int(named["n"]))] if named.get("n") else found.groups()
            return event.format(*parts), subject, frozenset(words), by
        return refuse_words("timing", timing, timing, "timings", "10.2")

    def _clauses(self, trigger: str) -> Iterable[Watch | Test]:
        """Yield the clauses of a trigger."""
        parts: list[str] = []
        for part in re.split(r",? and ", trigger):
            if parts and re.match(r"(?:has )?not |has used", part) and _acts(parts[-1]):
                parts[-1] += f" & {part}"
            elif parts and re.match(r"(?:is|has) ", part):
                parts.append(f"{parts[-1].partition(' ')[0]} {part}")
            else:
                parts.append(part)
        for part in parts:
            if re.fullmatch(r"(?:it is |you is )?(?:possible|able(?: to)?)", part):
                yield _POSSIBLE
            elif re.search(r" is not to use | not to use |has not used", part.partition(" & ")[0]):
                self._refuse(f"{shown(part)}: an action clause is not merely negated (10.1)")
            elif _acts(part):
                yield self._watch(part)
            else:
                yield self._state(part)

    def _state(self, text: str) -> Test:
        """Return a state clause; a state of a team's field is meant where a Pokemon is named."""
        test = read_test(text, self._catalogue.words, self.pokemon)
        scopes = self._catalogue.scopes.get(test.word, {""})
        if not test.word or test.scope in scopes or " knows " in text:
            return test
        if test.scope or scopes != {"team"}:
            places = " or ".join(sorted(f"a {scope or 'Pokemon'}" for scope in scopes))
            where = f"it is a state of {places}" if places else "markers cannot be observed"
            self._refuse(f"{shown(text)}: never so; {where} (10.4)")
        return test._replace(scope="team")

    def _watch(self, text: str) -> Watch:
        first, _, second = text.partition(" & ")
        who, tense, rest = re.split(r" (is to use|has used) ", first, maxsplit=1)
        subject = self.pokemon(who)
        if subject == self._i:
            self._refuse(f"{shown(text)}: watch another Pokemon, never oneself (10.3)")
        watch = self._seen(Watch(subject, (), used=tense == "has used"), rest)
        if watch.used and watch.steps == "now" and "this step" not in rest:
            watch = watch._replace(steps="any")
        if second:
            _, used, other = second.rpartition("has not used ")
            besides = Watch(subject, (), "other" if not used else "before", bool(used))
            watch = watch._replace(besides=self._seen(besides, other.removeprefix("not ")))
        return watch

    def _seen(self, watch: Watch, text: str) -> Watch:
        """Return an action clause with the actions, targets and steps of a text."""
        text = text.strip(" ,")
        more = re.search(
            r",? (not )?(?:as a combination|(?:with|as) an? ?z-?(?:power|move)|with z-?power)$",
            text,
        )
        word = ""
        if more:
            text, word = text[: more.start()], "combination" if "comb" in more[0] else "z move"
        if times := re.search(r",? (?:<=|at most) (once|twice|(\d) times)(?: this round)?$", text):
            number = int(times[2] or 1 + (times[1] == "twice"))
            text, watch = text[: times.start()], watch._replace(most=number, steps="any")
            text = re.sub(r",? on any step(?: this round)?$", "", text)
        for pattern, steps in read_words()["steps"].items():
            if found := re.search(rf",? (?:{pattern})$", text):
                text = text[: found.start()]
                watch = watch._replace(steps=steps or found[1])
        what, *aim = re.split(r" (?:targeting|against|on|at) ", text, maxsplit=1)
        aims = self.pokemon(aim[0]) if aim else None
        wanted = self._actions(what)
        if word and not more[1]:  # type: ignore[index]
            wanted = [words | {word} for words in wanted]
        unwanted = word if more and more[1] else ""
        return watch._replace(wanted=tuple(wanted), aim=aims, unwanted=unwanted)

    def _actions(self, text: str) -> list[frozenset[str]]:
        """Return the alternatives meant by the name of an action or of a kind of actions."""
        found: list[frozenset[str]] = []
        for part in re.split(r",? or |, ", text):
            key = name_key(re.sub(r"^(?:an?|any|the|item) ", "", part.strip()))
            kind, _, noun = key.replace(" type ", " ").partition(" ")
            if key in self._catalogue.groups:
                found += (frozenset({name_key(name)}) for name in self._catalogue.groups[key])
            elif key in read_words()["kinds"]:
                found.append(frozenset(read_words()["kinds"][key]))
            elif noun in {"attack", "move"} and kind.title() in TYPES:
                found.append(frozenset({kind} | {noun} - {"move"}))
            elif key in self._catalogue.items and key not in self._catalogue.moves:
                found.append(frozenset({"item", key}))
            elif noun in {"attack", "move"} and key not in self._catalogue.moves:
                known = "attacks of a type, a group of actions, or an action"
                self._refuse(f"{shown(key)}: not observed; give {known} (10.3)")
            else:
                plain = re.sub(r"^z (?:move |force |harm |pierce |twin |wide )?", "", key)
                powered = plain != key and key not in self._catalogue.moves
                parts = (plain if powered else key).split("+")
                moves = (self._catalogue.find("moves", one, self._where) for one in parts)
                words = {name_key(move.name) for move in moves}
                found.append(frozenset(words | ({"z move"} if powered else set())))
        return found

    def _results(self, text: str) -> Iterable[Result]:
        """Yield the clauses of a result."""
        text = plain_words(text, "results")
        parts: list[str] = []
        for part in re.split(r",? (?:and then|and|then) |, ", text):
            if not parts and name_key(part).startswith(
                (*self._catalogue.moves, *self._catalogue.items)
            ):
                parts.append(f"use {part}")
            elif re.match(_VERB, part) or not parts:
                parts.append(part)
            elif parts[-1].startswith("begin"):
                parts[-1] += f" - {part}"
            elif re.search(f"{read_words()['instances']}|{read_words()['later']}", f" {part}"):
                parts.append(f"use {part}")
            else:
                parts[-1] += f", {part}"
        for part in parts:
            affix = re.search(read_words()["instances"], part)
            plain = (part[: affix.start()] if affix else part).replace("~", " ").strip()
            for pattern, verb in read_words()["verbs"].items():
                if found := re.fullmatch(pattern, plain):
                    texts = [t for own in found.groups() if own for t in re.split(r"\s-\s", own)]
                    step = int(texts.pop()) if texts and texts[-1].isdigit() else 0
                    orders = tuple(self.order(one) for one in texts)
                    swapped = verb == "replace" and re.search(r"^replace .+ for ", plain)
                    if swapped and {one.action for one in orders} & self._ordered == {
                        orders[1].action
                    }:  # "switch NEW for OLD": only the second is there to be replaced
                        orders = orders[::-1]
                    yield Result(affix[1] if affix else "", verb, orders, step)
                    break
            else:
                refuse_words("result", plain, text, "results", "10.5")


_POSSIBLE = Test(sign=">=", factor=Fraction(0))
"""A clause that holds always: 0 is at least 0."""


def _acts(clause: str) -> bool:
    return bool(re.search(r" (?:is to use|has used|has not used) ", clause))


def order_text(order: Order, names: Sequence[str]) -> str:
    """Return an order as text, which `Reader.order` reads back."""
    form = order.form if order.form in {"", "item", "max"} else f"z-{order.form}"
    second = f" + {order.second}" if order.second else ""
    declared = f" ({order.declared})" if order.declared else ""
    on = "".join(f" on {names[k] if k >= 0 else 'that pokemon'}" for k in order.targets)
    return f"{form}{' ' * bool(form)}{order.action}{second}{declared}{on}"


def orders_text(orders: Orders, names: Sequence[str]) -> str:
    """Return main orders as text, which `Reader.orders` reads back."""
    steps = (", ".join(order_text(one, names) for one in step) for step in orders.main)
    return "dynamax: " * orders.dynamax + " - ".join(steps)
