"""Orders and substitutions as players write them, each with what it does."""

import tomllib
from pathlib import Path

import pytest

from pucklab.sim.post.orders import Reader, orders_text
from tests.postbattles import fight, played, refused, table

TABLE = tomllib.loads((Path(__file__).parent / "data" / "post_forms.toml").read_text())
DATA = TABLE["data"]
ROWS = [row for row in TABLE["rows"].strip().splitlines() if row[0] != "#"]


def battle_of(own, foe, extra, *texts, **match):
    """Return the battle of a row."""
    steps, more = len(own), {}
    named = {"a": {"name": "Murkrow"}, "b": {"name": "Golduck"}}
    if extra.strip():
        who, _, what = extra.strip().partition(": ")
        team = who.removesuffix("_team")
        target = named[team] if who == team and team in named else more.setdefault(team, {})
        target |= table(what)
    mine = {"species": "murkrow", "orders": " - ".join(own), "substitutions": list(texts)}
    theirs = {"orders": " - ".join(foe)}
    rules = {"steps": steps, "tech": 4, "energy": steps == 1} | match
    return fight(mine | named["a"], theirs | named["b"], DATA, more=more, **rules)


def words_of(orders):
    for joined in ("item potion", "x + y", "z-force slam"):
        orders = orders.replace(joined, joined.replace(" ", "_"))
    return [word.replace("_", " ") for word in orders.split()]


@pytest.mark.parametrize("row", ROWS)
def test_a_form_of_substitution(row):
    own, foe, expected, extra, text = (part.strip() for part in row.split("|"))
    setting = battle_of(words_of(own), words_of(foe), extra, text)
    _, told = played(setting)
    assert [line[7:] for line in told if line.startswith("uses 0")] == expected.split(), told


@pytest.mark.parametrize("row", TABLE["orders"].strip().splitlines())
def test_a_form_of_orders(row):
    expected, text = row.split(" | ")
    setting = battle_of(["jab"] * 3, ["jab"] * 3, "")
    found = Reader(setting.battle, 0).orders(text)
    names = [own.name.lower() for own in setting.battle.roster]
    assert orders_text(found, names) == expected
    assert Reader(setting.battle, 0).orders(expected) == found


def test_a_mimicked_move_is_known_afterwards():
    setting = battle_of(["mimic (surf)", "surf"], ["chill", "chill"], "")
    assert [line for line in played(setting)[1] if line.startswith(("uses 0", "cannot"))] == [
        "uses 0 mimic",
        "uses 0 surf",
    ]


def test_an_ignored_substitution_is_not_looked_at_again():
    subs = (
        "on step 1, IF possible THEN ignore your third substitution for the rest of the round",
        "on step 3, IF possible THEN use slam",
        "IF possible THEN use quick",
    )
    setting = battle_of(["jab"] * 3, ["jab"] * 3, "", *subs)
    used = [line[7:] for line in played(setting)[1] if line.startswith("uses 0")]
    assert used == ["jab", "jab", "slam"]
    others = battle_of(
        ["jab"] * 2,
        ["jab"] * 2,
        "",
        "IF possible THEN use slam, ignore other substitutions",
        subs[2],
    )
    fired = [line for line in played(others)[1] if line.startswith("substitution")]
    assert fired
    assert all("use slam" in line for line in fired)


NOT_READ = {
    "IF Golduck is happy THEN use jab": "'happy'",
    "IF Golduck's luck is 3 THEN use jab": "'luck'",
    "IF possible THEN dance": "result 'dance' is not understood; give one such as",
    "tomorrow, IF possible THEN use jab": "timing 'tomorrow'",
    "IF Golduck is to use biting THEN use jab": "'biting' is not accepted",
    "IF Golduck dances THEN use jab": "clause 'golduck dances'",
    "IF Golduck is not to use jab THEN use jab": "not merely negated (10.1)",
    "IF Murkrow is to use jab THEN use jab": "watch another Pokemon, never oneself (10.3)",
    "IF any ally is asleep and any opponent is asleep THEN use jab": "one kind of placeholder",
    "IF possible THEN use jab, use jab, use jab, use jab": "3 results (10.1)",
    "IF Golduck is to use a Special attack THEN use jab": "'special attack': not observed",
    "IF Golduck is to use a physical move THEN use jab": "'physical move': not observed",
    "IF Golduck used an attack that makes contact THEN use jab": "'contact attack': not observed",
    "when you are hit by a special attack, IF possible THEN use jab": "not observed; give attacks",
    "IF Reflect is up THEN use jab": "'reflect is up': never so; it is a state of a team (10.4)",
    "IF Golduck has Rain THEN use jab": "never so; it is a state of a battle (10.4)",
    "IF the weather is poisoned THEN use jab": "never so; it is a state of a Pokemon (10.4)",
    "IF Golduck's team has slam THEN use jab": "never so; it is a state of a Pokemon (10.4)",
    "IF you are dizzy THEN use jab": "never so; markers cannot be observed (10.4)",
    "IF Golduck is to use jab": "give IF, a trigger, THEN and a result (10.1)",
    "IF Golduck is asleep and you are hurt THEN use jab on that foe": "that Pokemon is not said",
    "IF Golduck's HP is 3 and Golduck is asleep, burned THEN use jab": "'asleep, burned'",
    "IF Golduck's HP < 50 > 20 THEN use jab": "'> 20'",
    "IF its HP is 3 and you are burned THEN use jab": "value 'its hp is 3' is",
    "IF Golduck is to use jab and Golduck is to use slam THEN use jab": "one action clause",
}


@pytest.mark.parametrize("text", NOT_READ, ids=NOT_READ.values())
def test_what_is_not_read_is_named(text):
    with refused(NOT_READ[text]):
        battle_of(["jab"], ["jab"], "", text)
    battle_of(["jab"], ["jab"], "", text, staked=True)
