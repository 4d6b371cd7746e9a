"""The special rules of slammers, Items and Trainers: tables of verbs at points of the turn.

A rule has the name of its listing. A new puck with a known rule is a row in a file, and a new rule
is a table: of ``data/special_rules.toml``, which has those of the PuckDex and the PuckMart, or of a
user's own file (see `rule_tables`). `conditions` says when a rule acts, `verbs` has what it does,
and `judgement` when players want it.

Example:
    >>> len(shipped_rules().rules), list(known_rules(DesignKind.TRAINER))
    (44, ['Mr. Merkert', 'Mr. Saia', 'Mr. Smith', 'Ms. Hicks', 'You'])
"""

import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache

from pucklab.base.decoding import decode
from pucklab.base.files import read_shipped_text
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup
from pucklab.sim.pokepucks.battle.rule_book import CARRIERS, RuleBook
from pucklab.sim.pokepucks.designs import DesignKind, RuleTable
from pucklab.sim.pokepucks.special import rule_tables

_FILE = "special_rules.toml"


@cache
def shipped_tables() -> tuple[RuleTable, ...]:
    """Return the tables of the special rules that come with pucklab."""
    text = read_shipped_text("pucklab.sim.pokepucks", _FILE)
    rules: tuple[RuleTable, ...] = decode(
        tuple[RuleTable, ...], tomllib.loads(text)["rules"], f"{_FILE} rules"
    )
    rule_tables.check_rules(_FILE, rules)
    return rules


@cache
def shipped_rules() -> RuleBook:
    """Return the book of all special rules that come with pucklab."""
    return RuleBook(rule_tables.rules_from(shipped_tables()))


def known_rules(kind: DesignKind, own: Sequence[RuleTable] = ()) -> dict[str, bool]:
    """Return the special rules that pucks of a kind may be listed with.

    Args:
        kind: The kind.
        own: Rules from a user's file.

    Returns:
        For the name of each, in alphabetical order, whether its pucks have a type.
    """
    found = {
        rule.listing: rule.of_type
        for rule in (*shipped_tables(), *own)
        if CARRIERS.get(rule.kind) is kind and not rule.pucks
    }
    return dict(sorted(found.items()))


def check_rules(where: str, rules: Sequence[RuleTable]) -> None:
    """Check special rules from a user's file or a record.

    Args:
        where: Name of their list in an error.
        rules: The rules.

    Raises:
        InputError: A value is not accepted; the message names the rule.
    """
    rule_tables.check_rules(where, rules, shipped_rules().rules)


def rules_of(table: BattleSetup) -> RuleBook:
    """Return the book of the special rules in play on a table: the shipped ones, and its own."""
    return _with_own(table.rules) if table.rules else shipped_rules()


@lru_cache(maxsize=8)
def _with_own(rules: tuple[RuleTable, ...]) -> RuleBook:
    return RuleBook((*shipped_rules().rules, *rule_tables.rules_from(rules)))
