"""``pucklab trail``: gyms, starters, odds and games at the command line."""

import json
import math
import sys

import pytest

from tests.commands import json_of, pucklab, rows_of, succeed
from tests.test_sim_core_players import EXAMPLE

SHORT = "schema = 1\nname = 'short'\nlast = 6\n"
SIPS = SHORT + "[[square]]\nat = 2\neffect = [{ drink = 5 }]\n"


def trail(line, *more, cwd=None):
    return succeed(f"trail {line}", *more, cwd=cwd)


def test_a_single_split_is_printed():
    assert "1          .9358  (36839/39366)" in trail("gym 3/4 --split fight").stdout


def test_what_a_faint_is_worth_gives_the_cheapest_plan():
    shown = json_of("trail gym 3/4 --turn-worth 4")
    cheapest = shown["cheapest"]
    assert cheapest["attack_dice"] == {"1": 3, "2": 3, "3": 3, "4": 2}
    cost = cheapest["turns"]["value"] + 4 * cheapest["faints"]["value"]
    assert math.isclose(cost, 17540 / 10681)
    assert [plan["up_to_faint_cost"]["fraction"] for plan in shown["efficient"]] == [
        "1226/475",
        "23941/2367",
        None,
    ]


@pytest.mark.parametrize("arguments", [(), ("--split", "fight"), ("--turn-worth", "2")])
def test_a_gym_that_cannot_be_won_is_said_with_its_chance(arguments):
    done = trail("gym 7/8", *arguments)
    assert "7/8 cannot be won with 3 dice of 6 sides: chance 0" in done.stdout
    shown = json_of("trail gym 7/8", *arguments)
    assert (shown["winnable"], shown["best_flash"]["flash"]["value"]) == (False, 0)


def test_of_many_plans_the_fastest_are_printed_soon():
    printed = trail("gym 3/12 --dice 8").stdout
    assert printed.count("If a faint costs") == 3
    assert "see --json" in printed.splitlines()[-1]


def test_starters_are_compared():
    shown = json_of("trail starter --others squirtle,squirtle")
    assert shown["best"] == ["bulbasaur"]
    assert math.isclose(shown["units_a_battle"]["bulbasaur"], 73 / 108)


def test_without_others_any_starter_is_as_good():
    assert "Choose each with chance 1/3" in trail("starter").stdout
    assert len(json_of("trail starter")["best"]) == 3


def test_odds_are_printed_saved_and_drawn(tmp_path):
    options = "--games 120 --players 2 --policy careful,quick"
    done = trail(f"odds {options} --out t.csv --plot t.png", cwd=tmp_path)
    assert done.stdout.startswith("House trail: 40 squares, house-made\n")
    assert done.stdout.count("may be points or water") == 1
    assert "cups" in done.stdout
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    (row,) = rows_of(tmp_path / "t.csv")
    assert (row["board"], row["players"], row["trials"]) == ("House trail", "2", "120")
    assert len(row) <= 30
    counts = json.loads(row["counts"])
    assert [sum(own.values()) for own in (counts["all_units"], *counts["units"])] == [120] * 3
    won = [float(share) for share in row["p_won_by_seat"].split()]
    assert won == pytest.approx([wins / 120 for wins in counts["wins"]], abs=1e-4)


def test_one_players_odds_are_exact_and_need_no_games(tmp_path, write):
    write("short.toml", SHORT)
    options = "--board short.toml --players 1"
    shown = json_of(f"trail odds {options}", cwd=tmp_path)
    assert math.isclose(shown["alone"]["careful"]["turns"], 16807 / 7776)
    assert (shown["table"], shown["race_without_meeting"]) == (None, None)


def test_the_race_of_two_is_beside_the_table(tmp_path, write):
    write("short.toml", SHORT)
    options = "--board short.toml --players 2 --games 100"
    shown = json_of(f"trail odds {options}", cwd=tmp_path)
    assert math.isclose(shown["race_without_meeting"][0], 42078967 / 60466176)
    assert shown["table"]["games"] == 100


def test_the_cap_is_kept_and_its_players_counted(tmp_path, write):
    write("short.toml", SIPS)
    options = "--board short.toml --games 200 --cap .3"
    shown = json_of(f"trail odds {options}", cwd=tmp_path)["table"]
    assert shown["cap_units"] == 3
    assert shown["capped_players"] > 0
    assert all(seat["units_99"] <= 3 for seat in shown["seats"])
    said = f"counting stopped at 0.3 cups for {shown['capped_players']} of 800 players"
    assert said in trail(f"odds {options}", cwd=tmp_path).stdout


def test_the_same_seed_is_the_same_game():
    first, again, other = (trail(f"play --seed {seed} --verbose") for seed in "778")
    assert first.stdout == again.stdout != other.stdout
    assert first.stdout.startswith("House trail (house-made), 40 squares\n")
    assert "finished as number 1" in first.stdout


def test_a_game_as_json_has_its_events_and_end():
    options = "--players ann,bob,eve --starters squirtle,squirtle,bulbasaur"
    shown = json_of(f"trail play {options} --all-finish")
    assert sorted(player["rank"] for player in shown["players"]) == [1, 2, 3]
    assert [player["starter"] for player in shown["players"]][2] == "bulbasaur"
    drunk = [0, 0, 0]
    for event in shown["events"]:
        drunk[event["seat"]] += event["amount"] * (event["kind"] == "drank")
    assert drunk == [player["units"] for player in shown["players"]]


def test_who_is_named_first_begins():
    for first in ("bob", "2"):
        events = json_of(f"trail play --first {first}")["events"]
        assert next(event["seat"] for event in events if event["kind"] == "turn") == 1


def person(answers, *arguments):
    return pucklab("trail play --policy person,careful", *arguments, typed=answers)


def test_a_person_is_asked_until_the_answer_is_accepted(tmp_path):
    board = tmp_path / "gym.toml"
    gym = "[[gym]]\nsquare = 1\nname = 'Onix'\nattack = 0\nhp = 1\nspecial = 'no talking'\n"
    board.write_text("schema = 1\nlast = 1\n" + gym)
    done = person("four\n3\n", "--board", str(board), "--first", "ann")
    assert done.returncode == 0, done.stderr
    assert "Onix 0/1, 1 HP left, no talking: how many of 3 dice attack? (0, 1, 2, 3)" in done.stdout
    assert "'four' is not accepted; give one of 0, 1, 2, 3" in done.stdout
    assert "ann: finished as number 1, 1 turns" in done.stdout


def test_a_person_who_says_no_more_stops_the_game():
    done = person("", "--first", "ann")
    assert done.returncode == 130
    assert "stopped" in done.stderr
    assert "Traceback" not in done.stderr
    assert "ann: on square" in done.stdout


def test_a_saved_game_of_any_players_replays_to_the_same_end(tmp_path, write):
    write("bot.py", EXAMPLE)
    kinds = f"exec:{sys.executable} bot.py,random"
    played = trail("play --save game.json --policy", kinds, cwd=tmp_path)
    trail("play --save as.json --json --policy", kinds, cwd=tmp_path)
    assert (tmp_path / "as.json").read_text() == (tmp_path / "game.json").read_text()
    again = trail("play --replay game.json", cwd=tmp_path)
    assert again.stdout == played.stdout.partition("\n")[2]
