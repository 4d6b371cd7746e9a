"""Observable values of a battle in one table, and terms that compare them (10.4).

`VALUES` has numbers, `words_of` what is there or not. Data files (``if``, ``needs``, ``per``) and
substitutions read their terms with `read_test`, and ask them with `holds`.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, partial
from importlib.resources import as_file, files
from typing import Any, NamedTuple, NoReturn, TypeAlias

from pucklab.base.errors import shown
from pucklab.base.files import read_toml
from pucklab.physics import InputError
from pucklab.sim.post.numbers import STATS
from pucklab.sim.post.state import BENCH, OUT, Fighter

ANY = {"any opponent": -1, "any ally": -2, "any pokemon": -3, "that pokemon": -4}
"""Placeholders of substitutions."""
SEATS = {"user": -5, "target": -6, "it": -7}
"""The owner of an effect, the other Pokemon of its event, and the one that it is for."""
Seats: TypeAlias = Mapping[int, int]
"""Pokemon by placeholder."""
Now: TypeAlias = Any
"""A battle in progress, as `pucklab.sim.post.effects` has it, which reads its data with terms."""
_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "/=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}


class Test(NamedTuple):
    """A term: a comparison of two values, or the presence or absence of a state."""

    who: int = 0
    value: str = ""  # a row of `VALUES`
    sign: str = "="
    factor: Fraction = Fraction(1)
    other: int = 0
    against: str = ""  # a row too; empty for a number
    word: str = ""
    scope: str = ""  # team, battle, backpack
    negated: bool = False


def name_key(text: str) -> str:
    """Return a name without case and punctuation.

    Example:
        >>> name_key("G-Max Steelsurge"), name_key(" U-turn")
        ('g max steelsurge', 'u turn')
    """
    plain = text.lower().replace("é", "e").replace("-", " ").replace("_", " ").replace("'", "")
    return " ".join(plain.split())


def nearest_names(text: str, entries: Iterable[str]) -> list[str]:
    """Return the names that an error lists: all if they are few, else the nearest."""
    names = list(entries)
    if len(names) <= 12:
        return names
    return get_close_matches(name_key(text), names, n=3, cutoff=0.0)


@cache
def read_words() -> Mapping[str, Any]:
    """Return the tables of wordings that players use."""
    with as_file(files("pucklab.sim.post").joinpath("data", "words.toml")) as path:
        return read_toml("words", path)


def plain_words(text: str, table: str = "clauses") -> str:
    """Return a text in lower case, with aliases replaced."""
    return " ".join(respell(" ".join(text.lower().split()), table).split())


def respell(text: str, table: str) -> str:
    """Return a text with the aliases of a table replaced."""
    for pattern, replacement in read_words()[table]:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    return text


def refuse_words(kind: str, words: str, text: str, forms: str, rule: str) -> NoReturn:
    """Refuse words that are not understood, and name the nearest form.

    Raises:
        InputError: Always.
    """
    nearest, *_ = get_close_matches(text, read_words()["forms"][forms], cutoff=0)
    within = "" if words == text else f" in {shown(text)}"
    raise InputError(
        f"{kind} {shown(words)}{within} is not understood; give one such as {nearest!r} ({rule})"
    )


@dataclass
class _Reader:
    """Reads one clause; the errors name the words that are not understood."""

    text: str
    words: Mapping[str, str]
    pokemon: Callable[[str], int] | None

    def seat(self, name: str) -> int:
        """Return a Pokemon or seat by its name."""
        if self.pokemon is not None:
            return self.pokemon(name)
        if name not in SEATS:
            refuse_words("owner", name, self.text, "terms", "10.4")
        return SEATS[name]

    def number(self, name: str, whole: str = "") -> str:
        """Return the name of a value, such as ``hp`` or ``frost counters``."""
        plain = name.removeprefix("its ").removeprefix("current ").removeprefix("remaining ")
        plain = f"maximum {whole}" if plain == "maximum" else plain
        kind = self.words.get(plain.removesuffix(" counters"), "")
        if plain != kind and kind and plain.endswith(" counters"):
            return f"{kind} counters"
        if plain not in VALUES and plain not in _SPOKEN_STAGES:
            refuse_words("value", name or self.text, self.text, "states", "10.4")
        return plain

    def word(self, name: str) -> str:
        """Return the state that a word stands for."""
        key = name_key(re.sub(r"^(?:an?|any|the) ", "", name))
        for own in (key, re.sub(r" (?:status|condition|marker)$", "", key)):
            plain = str(read_words()["states"].get(own, own))
            if plain in _STATES or plain in self.words:
                return plain if plain in _STATES else self.words[plain]
        return refuse_words("state", name, self.text, "states", "10.4")

    def compare(self, left: str, sign: str, right: str) -> Test:
        """Return the comparison of a value with a number, or with another value."""
        who, _, value = left.rpartition("'s ")
        found = re.fullmatch(r"(?:(-?\d+)(%|/[1-9]\d*)?(?: of)?)? ?(?:(.+?)'s(?: |$))?(.*)", right)
        count, part, owner, against = found.groups() if found else ("", "", "", right)
        if not who:  # the value stands behind: P has 20 Energy
            who, value, against = left, against.removeprefix("its "), ""
            value = value.removeprefix("maximum ") if part else value
        value, subject = self.number(value), self.seat(who)
        if part and not (owner or against):
            against = "maximum energy" if "energy" in value else "maximum hp"
        if owner or against:
            against = self.number(against or value, value)
        factor = Fraction((count or "1") + (part or "").replace("%", "/100"))
        return Test(subject, value, sign, factor, self.seat(owner) if owner else subject, against)


def read_test(
    text: str, words: Mapping[str, str], pokemon: Callable[[str], int] | None = None
) -> Test:
    """Return the term of a clause.

    Args:
        text: The clause, such as ``target is asleep`` or ``user's hp < 50%``.
        words: Words for states, with those that stand for them.
        pokemon: Returns the Pokemon of a name; by default those of `SEATS`.

    Raises:
        InputError: It is not understood; the message names the words and the nearest form.
    """
    read, plain = _Reader(text, words, pokemon), plain_words(text)
    left, *compared = re.split(r" (?:(?:is|has) )?(?:at )?([<>/]?=|[<>]) ", plain, maxsplit=1)
    if compared:
        return read.compare(left, *compared)
    if found := re.fullmatch(r"(.+?) (?:is|has) (?:at )?(-?\d.*)", plain):
        return read.compare(found[1], "=", found[2])
    if found := re.fullmatch(r"(.+?)'s (team|field|side|backpack) (?:is|has) (not )?(.+)", plain):
        scope = "backpack" if found[2] == "backpack" else "team"
        who, word = read.seat(found[1]), read.word(found[4])
        return Test(who, word=word, scope=scope, negated=bool(found[3]))
    arena = "there|the (?:weather|terrain|battle|battlefield|arena)" + "|it" * (pokemon is not None)
    found = re.fullmatch(rf"(?:{arena}) (?:is|has) (?P<no>not )?(?P<what>.+)", plain)
    there = re.fullmatch(r"(?P<what>.+) is (?P<no>not )?(?:active|up|in effect)", plain)
    if there and pokemon is not None:  # a Pokemon may be active, too
        with suppress(InputError):
            return Test(pokemon(there["what"]), word="in play", negated=bool(there["no"]))
    if said := found or (there if there and name_key(there["what"]) in words else None):
        return Test(word=read.word(said["what"]), scope="battle", negated=bool(said["no"]))
    if found := re.fullmatch(r"(.+?) (?:is|has|knows) (not )?(.+)", plain):
        whose, _, value = found[1].rpartition("'s ")
        if whose and (value in VALUES or value in _SPOKEN_STAGES):
            refuse_words("number", found[3], text, "states", "10.4")
        return Test(read.seat(found[1]), word=read.word(found[3]), negated=bool(found[2]))
    return refuse_words("clause", text, text, "states", "10.3, 10.4")


def holds(test: Test, now: Now, seats: Seats) -> bool:
    """Return whether a term holds in a battle."""
    who = seats.get(test.who, test.who)
    if test.word:
        return (test.word in words_of(now, who, test.scope)) != test.negated
    right = test.factor
    if test.against:
        right *= value_of(now, seats.get(test.other, test.other), test.against)
    return _SIGNS[test.sign](value_of(now, who, test.value), right)


def words_of(now: Now, i: int, scope: str = "") -> set[str]:
    """Return the states of a Pokemon, of its team's field or backpack, or of the battle."""
    if i < 0 and scope != "battle":
        return set()
    if scope == "battle":
        held = now.held(-1)
    elif scope == "backpack":
        return set(now.state.packs[now.roster[i].team])
    elif scope:
        held = now.held(-2 - now.roster[i].team)
    else:
        held = now.held(i)
    conditions = now.catalogue.conditions
    found = {
        word
        for one in held
        for word in (one.name, one.alias, conditions[one.name].kind, *conditions[one.name].tags)
    }
    if scope:
        return found
    f, own = now.fighters[i], now.roster[i]
    types = (f"{name.lower()} type" for name in now.types(i))
    found |= {*types, *f.items, *own.moves, name_key(own.species.name)}
    found |= {name_key(ability.name) for ability in now.abilities(i)}
    return found | {word for word, is_so in _STATES.items() if is_so(f)}


_STATES: Mapping[str, Callable[[Fighter], bool]] = {
    "fainted": lambda f: f.place == OUT,
    "in play": lambda f: f.place >= 0,
    "benched": lambda f: f.place == BENCH,
    "inactive": lambda f: f.place < 0,
    "hurt": lambda f: f.hp < f.most_hp,
    "dynamaxed": lambda f: f.dynamaxed,
    "terastallized": lambda f: f.terastal,
}


def value_of(now: Now, i: int, name: str) -> int:
    """Return a value of a Pokemon; 0 for a placeholder or a field."""
    if i < 0 and name != "damage":
        return 0
    if name in VALUES:
        return VALUES[name](now, i)
    if name.endswith(" stage"):
        return int(now.stage(i, name.removesuffix(" stage").replace(" ", "_")))
    return sum(h.counters for h in now.held(i) if h.name == name.removesuffix(" counters"))


def _field(field: str, now: Now, i: int) -> int:
    return int(getattr(now.fighters[i], field))


def _rank(stat: str, now: Now, i: int) -> int:
    return int(now.rank(i, stat))


FIELDS = {"maximum hp": "most_hp", "maximum energy": "most_energy"} | {
    name: name for name in ("hp", "energy", "recoveries", "chills", "healed")
}
"""Fields of a Pokemon by the names of their values; "healed" is the HP of this round."""
VALUES: Mapping[str, Callable[[Now, int], int]] = {
    **{name: partial(_field, own) for name, own in FIELDS.items()},
    **{stat.replace("_", " "): partial(_rank, stat) for stat in STATS[:4]},
    "speed": lambda now, i: now.speed(i),
    "level": lambda now, i: now.roster[i].level,
    "items": lambda now, i: len(now.fighters[i].items),
    "size": lambda now, i: now.roster[i].species.size + 10 * now.fighters[i].dynamaxed,
    "weight": lambda now, i: now.roster[i].species.weight,
    "damage": lambda now, _: now.dealt,  # of the action under way
    "missing quarters": lambda now, i: (  # full ones of Energy
        4 * (now.fighters[i].most_energy - now.fighters[i].energy) // now.fighters[i].most_energy
    ),
    "fainted allies": lambda now, i: sum(
        f.place == OUT and own.team == now.roster[i].team
        for f, own in zip(now.fighters, now.roster, strict=True)
    ),
    "pokemon in play": lambda now, i: len(now.active(now.roster[i].team)),
    "tech": lambda now, i: now.state.tech[now.roster[i].team],
    "round": lambda now, _: now.state.round,
    "step": lambda now, _: now.state.step + 1,
}
"""Numbers of a Pokemon; its stages and counters of its conditions are values, too."""
_SPOKEN_STAGES = {f"{stat.replace('_', ' ')} stage" for stat in STATS}
