"""``pucklab post`` at the command line, and the files of its page."""

import csv
import json
import re
import shlex
from pathlib import Path

import pytest

from tests.commands import pucklab

PAGE = (Path(__file__).parents[1] / "docs" / "battle-by-post.md").read_text()
BATTLE, DATA = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
ORDERED = BATTLE + 'orders = "jab - jab - quick"\n'


@pytest.fixture
def folder(tmp_path):
    files = {"battle": BATTLE.replace("stages = { speed = 1 }", ""), "both": ORDERED, "mine": DATA}
    files["bench"] = f"{ORDERED}\n[[team.pokemon]]\nspecies = 'deoxys'\n"
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text)
    return tmp_path


def post(*words, cwd=None, typed=""):
    return pucklab("post", *words, cwd=cwd, typed=typed)


def answered(*words, cwd=None):
    done = post(*words, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


HIT = ("hit", "--user", "murkrow", "--move", "slam", "--on", "golduck")


def test_a_hit_is_printed():
    printed = post(*HIT).stdout
    assert "Murkrow uses Slam on Golduck (90 HP): 70 % to hit" in printed
    assert "mean damage 8.4875" in printed
    assert "8: 0.0639   9: 0.2045   10: 0.3912   11: 0.5765   12: 0.7287" in printed


def test_a_copy_of_a_house_move_in_a_file_of_ones_own_is_not_called_house_made(folder):
    assert post(*HIT).stdout.endswith("\nhouse-made moves: Slam\n")
    own = "[moves.Slam]\ncategory = 'physical'\nbap = 3\nenergy = 1\nhouse_made = true\n"
    (folder / "own.toml").write_text(f"schema = 1\n{own}")
    assert "house-made" not in post(*HIT, "--data", "own.toml", cwd=folder).stdout
    text = 'schema = 1\n[[team]]\nname = "a"\n[[team.pokemon]]\nspecies = "murkrow"\n'
    text += '[[team]]\nname = "b"\n[[team.pokemon]]\nspecies = "golduck"\n'
    (folder / "battle.toml").write_text(text)
    words = ("battle.toml", "--data", "own.toml", "--policy", "random,random", "--text")
    assert post("play", *words, cwd=folder).stdout.endswith("\nhouse-made moves: Jab, Quick\n")


def test_a_hit_is_exact_in_json():
    shown = answered(*HIT, "--hp", "12", "--times", "2")
    assert [row["chance"]["fraction"] for row in shown["rows"]] == ["3/10", "161/240", "7/240"]
    assert [p["fraction"] for p in shown["knocked_out"]] == ["7/10", "91/100"]


def test_one_hits_another_of_its_species():
    words = ("hit", "--user", "golduck", "--move", "slam", "--on", "golduck")
    assert "Golduck uses Slam on golduck 2 (90 HP)" in post(*words).stdout


def test_stages_change_a_hit():
    shown = answered(*HIT, "--stages", "accuracy+1,attack+1", "--on-stages", "defense-1")
    assert shown["hit"]["fraction"] == "19/20"
    assert [row["damage"] for row in shown["rows"]] == [0, 20, 23]


def test_a_round_is_told_and_saved(folder):
    done = post("round", "both.toml", "--out", "a.csv", "--top", "2", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "chance to have won: ann 0.0" in done.stdout
    rows = list(csv.DictReader((folder / "a.csv").read_text().splitlines()))
    assert [set(row) for row in rows] == [{"chance", "state"}] * 2
    assert "house-made moves: Jab, Quick, Slam" in done.stdout


def test_a_round_is_rolled_told_and_goes_on_from_its_file(folder):
    first = (
        "round",
        "both.toml",
        "--order",
        "Golduck: chill - chill - quick",
        "--roll",
        "--seed",
        "3",
    )
    done = post(*first, "--save", "next.toml", cwd=folder)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Murkrow 30 HP, 2 Recoveries, 5 Chills; Golduck 30 HP, speed +1, 2 ")
    assert lines[0].endswith("ann: 1 Tech, potion; bob: 1 Tech; round 1")
    assert "-- round 1" in lines
    assert any(line.startswith("  Hit <= 7: ") for line in lines)
    asked = post("round", "next.toml", cwd=folder)
    assert "orders: Murkrow has none" in asked.stderr
    orders = (
        "--order",
        "Murkrow: jab - jab - jab",
        "--order",
        "golduck: jab - jab - jab; IF Murkrow has fainted THEN use slam",
    )
    more = post("round", "next.toml", *orders, "--roll", "--save", "third.toml", cwd=folder)
    assert "-- round 2" in more.stdout, more.stderr
    assert (folder / "third.toml").read_text().startswith("schema = 1\nround = 2\n")
    assert post(*first, cwd=folder).stdout.splitlines() == [x for x in lines if x[:5] != "wrote"]
    post("round", "both.toml", "--roll", "--save", "over.toml", cwd=folder)
    assert "battle: it is over; bob has won" in post("round", "over.toml", cwd=folder).stderr


def test_a_new_battle_is_written(folder):
    words = ("new", "ann:murkrow,deoxys", "bob:golduck,cresceidon", "--positions", "2")
    done = post(*words, "--save", "new.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert post("check", "new.toml", cwd=folder).stdout == (
        "new.toml: a battle of 4 Pokemon, 0 with orders\n"
    )


def test_the_best_reply_is_that_of_the_reference(folder):
    shown = answered("reply", "battle.toml", "--score", "won", "--top", "1", cwd=folder)
    best = shown["rows"][0]
    # The substitution of the file's orders makes it Murkrow's best lead.
    assert (best["orders"], best["worth"]["fraction"]) == (
        "Golduck: jab - jab - quick",
        "610007/691200",
    )


def test_files_are_checked(folder):
    done = post("check", "mine.toml", "both.toml", cwd=folder)
    assert done.stdout.splitlines() == [
        "mine.toml: 1 types, 1 species, 1 moves, 2 conditions, 1 abilities",
        "both.toml: a battle of 2 Pokemon, 2 with orders",
    ]


def test_the_data_file_of_the_page_plays(folder):
    shown = answered(
        "hit",
        "--user",
        "otter",
        "--move",
        "whirl",
        "--on",
        "golduck",
        "--data",
        "mine.toml",
        cwd=folder,
    )
    assert shown["hit"]["fraction"] == "9/10"


def test_a_name_with_braces_is_told_as_it_is(folder):
    (folder / "own.toml").write_text(DATA.replace("Whirl", '"Whirl {x} %s"').replace('""', '"'))
    words = ("new", "ann:otter", "bob:golduck", "--save", "otter.toml", "--data", "own.toml")
    assert post(*words, cwd=folder).returncode == 0
    orders = ("--order", "Otter: whirl {x} %s x3", "--order", "Golduck: jab x3", "--roll")
    told = post("round", "otter.toml", *orders, "--data", "own.toml", cwd=folder)
    assert "Otter uses Whirl {x} %s\n" in told.stdout, told.stderr


def test_the_record_of_a_battle_is_told_again(folder):
    words = ("play", "battle.toml", "--policy", "random", "--seed", "4", "--save", "a.json")
    told = post(*words, cwd=folder).stdout.splitlines()
    assert "-- round 1" in told
    assert any(line.startswith("  Hit <= 7: ") for line in told)
    assert told[-2] in {"ann wins", "bob wins"}
    assert told[-1] == "house-made moves: Jab, Quick, Slam"
    again = post("play", "--replay", "a.json", cwd=folder).stdout.splitlines()
    assert again == [line for line in told if not line.startswith("wrote")]
    record = json.loads((folder / "a.json").read_text())
    changes = {"end": {"round": 99}}, {"answers": record["answers"][:-1]}, {"setup": {}}
    for changed in changes:
        (folder / "b.json").write_text(json.dumps({**record, **changed}))
        assert "record" in post("play", "--replay", "b.json", cwd=folder).stderr


def test_a_person_is_asked_again_sees_who_posted_first_and_may_quit(folder):
    typed = "jump - jab - jab\njab\njab - jab - jab; IF Golduck has fainted THEN use jab\n"
    typed += "chill - chill - chill\nq\n"
    done = post("play", "battle.toml", cwd=folder, typed=typed)
    assert done.returncode == 130
    assert "'jump' is not accepted" in done.stdout
    assert "Enter takes" not in done.stdout
    assert "give one action for each of 3 steps, not 1 (4.4)" in done.stdout
    asked = done.stdout.index("Golduck: 3 actions of ")
    assert done.stdout.index("Murkrow is ordered: jab - jab - jab") < asked
    assert "Murkrow uses Jab" in done.stdout


MISTAKES = """\
hit --user murkow --move slam --on golduck => 'murkow' is not accepted; give
hit --user murkrow --move slamm --on golduck => did you mean slam?
hit --user murkrow --move mend --on golduck => Murkrow does not know Mend (8.3a)
hit --user deoxys --move mend --on golduck => move: 'mend' is not accepted; give an attack
hit --user murkrow --move jab+slam --on golduck => Jab has no Combo Level (13.1)
hit --user murkrow --move slam --on golduck --stages atack+1 => did you mean attack?
hit --user murkrow --move slam --on golduck --stages attack+9 => 9 is not accepted; give
hit --user murkrow --move slam --on golduck --hp 91 => Golduck: hp: 91 is not accepted
hit --user murkrow --move slam --on golduck --out a.bmp => --out: 'a.bmp' is not accepted
round both.toml --save a.toml => save: give --roll, too
round both.toml --roll --save both.toml => 'both.toml' is read by this command
round both.toml --order "golduck:jab|jab|jab" --order "Golduck:jab|jab|jab" => ordered twice
round both.toml --order "team ann:send murkrow" => ann: send: murkrow: no place is empty
round bench.toml --order "Deoxys:jab|jab|jab" => Deoxys: not accepted; it is not in play
round both.toml --order eve:jab => order: 'eve' is not accepted; give one of murkrow, golduck
round both.toml --order "team ann:jab" => give 'team ann: send Otter' or
new ann:murkrow bob --save a.toml => team: 'bob' is not accepted; give TEAM:SPECIES,...
round none.toml => 'none.toml' cannot be read
round battle.toml => orders: Golduck has none
reply both.toml => orders: give those of one team, and none of the other
reply battle.toml --limit 20 => limit: 27 order sets are more than 20; give fewer moves, steps
play => battle: missing; give a battle file
play none.toml => 'none.toml' cannot be read
play battle.toml --save a.txt => 'a.txt' is not accepted
play battle.toml --policy brave => policy: 'brave' is not accepted; give one of
play battle.toml --policy random,random,random => policy: 'random,random,random'
play --replay none.json => 'none.json' cannot be read
check none.toml => 'none.toml' cannot be read"""


@pytest.mark.parametrize("row", MISTAKES.splitlines())
def test_mistakes_at_the_command_line(row, folder):
    words, _, message = row.partition(" => ")
    done = post(*shlex.split(words), cwd=folder)
    check_refusal(done, message)


def check_refusal(done, message):
    assert (done.returncode, done.stdout) == (2, ""), done.stdout
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) <= 308


MOVE = "schema = 1\n[moves.bite]\ncategory = 'physical'\n"
EFFECT = MOVE + "bap = 5\nenergy = 4\neffects = [{ "
FAULTS = {
    "[moves.bite]\n": "no schema",
    MOVE + "energy = 4\n": "bap: missing; give it, or category = 'other'",
    MOVE + "bap = 5\n": "moves bite energy: missing; give a whole number from 0 to 1000",
    MOVE + "bap = -1\nenergy = 4\n": "bap: -1 is not accepted",
    MOVE + "bap = 5\nenergy = 4\naccuracy = 101\n": "accuracy: 101 is not accepted",
    MOVE + "bap = 5\nenergy = 4\nhits = [3, 2]\n": "[least, most]",
    MOVE + "bap = 5\nenergy = 4\ntype = 'Fier'\n": "did you mean Fire?",
    MOVE + "bap = 5\nenergy = 4\nhits = [1, 2]\nweights = { 3 = 1 }\n": "0 or more for each",
    MOVE
    + "bap = 5\nenergy = 4\nhits = [1, 2]\nweights = { 1 = 0, 2 = 0 }\n": "0 or more for each of",
    MOVE
    + "bap = 5\nenergy = 4\nhits = [1, 2]\nweights = { 1 = -1, 2 = 2 }\n": "for each of the hits",
    EFFECT + "do = 'chang' }]\n": "did you mean change?",
    EFFECT + "do = 'change', what = 'attack stage', amount = 1, for = 'a while' }]\n": "a while",
    EFFECT + "do = 'change', what = 'hp', amount = '1/0' }]\n": "a fraction such as '1/3'",
    EFFECT + "do = 'change', what = 'hp', amount = 1, per = \"user's luck\" }]\n": "'luck'",
    MOVE + "bap = 5\nenergy = 4\nneeds = 'user is glad'\n": "'glad'",
    "schema = 1\n[species.a]\ntypes = ['Fire', 'Fire']\nbase = [1,1,1,1,1,1]\n": "different types",
    "schema = 1\n[species.a]\ntypes = ['Fire']\nbase = [1,1]\n": "give six numbers",
    "schema = 1\n[species.a]\ntypes = ['Fire']\n": "give either stats or base",
    "schema = 1\n[species.a]\ntypes = ['Fire']\nbase = [1,1,1,1,1,1]\nsignature = ['z']\n": "'z'",
}


@pytest.mark.parametrize("text", FAULTS, ids=FAULTS.values())
def test_faults_of_data_files(text, tmp_path, write):
    write("a.toml", text)
    check_refusal(post("check", "a.toml", cwd=tmp_path), FAULTS[text])


WRONG = {
    'orders = "jab"': "give one action for each of 3 steps, not 1 (4.4)",
    'orders = "jab - jab, jab - jab"': "give one action for each of 3 steps, not 4 (4.4)",
    'orders = "jab - jab - mend"': "does not know Mend (8.3a)",
    'orders = "jab - jab - jab on oddish"': "'oddish': no such Pokemon",
    'orders = "z-farce jab - jab - jab"': "no such power; give one of force",
    'orders = "max jab - jab - jab"': "no data file has a Max Move of type Typeless",
    'orders = "item bomb - jab - jab"': "'bomb' is not accepted",
    "stages = { speed = 7 }": "stages speed: 7 is not accepted",
    "stages = { sped = 1 }": "did you mean speed?",
    'conditions = ["burned"]': "conditions: 'burned' is not accepted",
    "hp = 91": "hp: 91 is not accepted",
    "energy = 101": "energy: 101 is not accepted",
    'tera = "Fier"': "did you mean Fire?",
}


def test_a_backpack_holds_no_more_than_the_match_allows_and_a_team_of_the_battle_is_first(
    tmp_path, write
):
    text = BATTLE.replace('["potion"]', '["potion", "potion", "potion", "potion", "potion"]')
    write("a.toml", text)
    check_refusal(post("check", "a.toml", cwd=tmp_path), "ann: backpack: 5 is not accepted")
    write("a.toml", BATTLE.replace('first = "ann"', 'first = "eve"'))
    said = "first: 'eve' is not accepted; give one of ann, bob"
    check_refusal(post("check", "a.toml", cwd=tmp_path), said)
    write("a.toml", text.replace("[match]", "[match]\nbackpack = 5"))
    assert post("check", "a.toml", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("line", WRONG, ids=WRONG.values())
def test_faults_of_battle_files(line, tmp_path, write):
    text = BATTLE.replace("hp = 30\nstages = { speed = 1 }\n", line + "\n")
    write("a.toml", text)
    check_refusal(post("check", "a.toml", cwd=tmp_path), WRONG[line])
