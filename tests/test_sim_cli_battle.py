"""``pucklab battle`` as a person uses it."""

import json
import signal

import pytest

from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.record import read_record, replay
from tests.commands import pucklab, started, succeed

QUICK = ("battle", "--throws", "table", "--turns", "20")


def at_the_terminal(typed, *arguments):
    """Run ``pucklab battle`` with somebody typing."""
    return pucklab(*QUICK, *arguments, typed=typed)


def test_a_battle_is_printed_turn_by_turn_saved_and_replayed(tmp_path):
    done = succeed(*QUICK, "--seed", "3", "--save", "battle.json", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[:2] == ["throws: table (plane engine)", "A battle: Pikachu against Onix."]
    assert lines[4] == "Turn 1: Pikachu"
    assert " and loses " in lines[-1]
    again = pucklab("battle", "--replay", "battle.json", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert pucklab(*QUICK, "--seed", "3").stdout == done.stdout
    assert pucklab(*QUICK, "--seed", "4").stdout != done.stdout


def test_by_default_every_throw_is_a_slam_of_the_physics(tmp_path):
    succeed("battle", "--turns", "2", "--save", "battle.json", cwd=tmp_path)
    record = json.loads((tmp_path / "battle.json").read_text(encoding="utf-8"))
    assert (record["throws"], record["engine"]) == ("physics", "plane")
    thrown = [answer for answer in record["answers"] if answer[0] in "UDLO"]
    distances = [part for answer in thrown for part in answer.split() if "." in part]
    assert len(distances) > 10


def test_a_battle_is_played_and_replayed_with_the_solid_engine(tmp_path):
    arguments = ("battle", "--turns", "1", "--engine", "solid", "--save", "battle.json")
    done = succeed(*arguments, cwd=tmp_path)
    assert done.stdout.startswith("throws: physics (solid engine)\n")
    record = json.loads((tmp_path / "battle.json").read_text(encoding="utf-8"))
    assert record["engine"] == "solid"
    again = pucklab("battle", "--replay", "battle.json", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    other = pucklab("battle", "--turns", "1", "--save", "plane.json", cwd=tmp_path)
    assert other.stdout.splitlines()[1:] != done.stdout.splitlines()[1:]


@pytest.mark.parametrize("mode", ["battle", "training", "wild"])
def test_every_mode_is_played_by_three(mode):
    done = succeed(*QUICK, "--mode", mode, "--players", "onix,lapras,pikachu", "--policy", "random")
    assert " turns, " in done.stdout.splitlines()[-4]


def test_the_transcript_has_every_turns_stacks(tmp_path):
    done = pucklab(*QUICK, "--transcript", "battle.txt", cwd=tmp_path)
    assert "wrote battle.txt" in done.stderr
    lines = (tmp_path / "battle.txt").read_text(encoding="utf-8").splitlines()
    assert lines.count("  attacks: 1 (turn)") > 1
    turns = [line for line in lines if line.startswith("turn ")]
    assert len(turns) == sum(line.startswith("  | Arena ") for line in lines)
    assert pucklab(*QUICK, "--verbose").stdout.splitlines() == lines


def test_json_has_the_end_and_all_events():
    done = pucklab(*QUICK, "--json", "--policy", "greedy,random")
    result = json.loads(done.stdout)
    assert [player["policy"] for player in result["players"]] == ["greedy", "random"]
    assert result["turns"] == sum(event["event"] == "TurnBegan" for event in result["events"])
    assert result["throws_made"] == sum(event["event"] == "Thrown" for event in result["events"])
    assert result["over"]


def test_options_and_own_pucks_and_set_ups_are_played_with(tmp_path):
    own = (
        "name,kind,rule,type,resistance,weakness,mass_g\nRocky,pokemon,Dig,fighting,fire,water,24\n"
    )
    (tmp_path / "own.csv").write_text(own, encoding="utf-8")
    setup = 'schema = 1\n[options]\nbuy_in = 8\n[[players]]\nname = "A"\nslammers = ["Rocky"]\n'
    setup += 'pucks = { "Plain Puck" = 8 }\n[[players]]\nname = "B"\nslammers = ["Onix"]\n'
    (tmp_path / "setup.toml").write_text(setup + "pucks = { Berry = 9 }\n", encoding="utf-8")
    arguments = ("--setup", "setup.toml", "--puckdex", "own.csv", "--option", "health_cap=3")
    done = succeed(*QUICK, *arguments, "--verbose", cwd=tmp_path)
    assert "max size of the Health of A: 3" in done.stdout
    assert "A attacks with Rocky 0" in done.stdout


def test_a_person_is_asked_again_after_a_mistake():
    done = at_the_terminal(
        "change\nstacks\noptions\nfoo\n99\npotion\n", "--policy", "person,greedy"
    )
    assert done.returncode == 130
    assert "Pikachu: puck for the Arena: 1 of Electric Energy 1, " in done.stdout
    assert "Pikachu: slammer: - | Health: Electric Energy 1" in done.stdout
    assert "answer: 'foo' is not accepted; give some of " in done.stdout
    assert done.stdout.count("Pikachu: puck for the Arena: 1 of ") > 1
    assert "Arena: Potion 3" in done.stdout
    assert "not over after 0 turns" in done.stdout


def test_a_person_gets_explanations_and_chances_instead_of_an_answer():
    typed = "change\n?\n? onix\nhelp critical\nchances\n? nonsense\n"
    done = at_the_terminal(typed, "--policy", "person,greedy", "--names", "Ash,Misty")
    assert "Lay a puck on the Arena stack." in done.stdout
    assert "  Potion 3, Potion 9: item. Before topping off: up to two pucks" in done.stdout
    assert "Onix: pokemon, fighting, weak to water, resists fire, 20 g, Dig. " in done.stdout
    assert "Critical: the player before may try to knock the slammer out" in done.stdout
    assert "chances: there is nothing to throw at now" in done.stdout
    assert "'nonsense' is no puck of this battle, special rule or status" in done.stdout
    assert done.stdout.count("Ash: puck for the Arena") == len("?????!")


def test_names_are_those_of_the_players_and_are_checked():
    done = pucklab(*QUICK, "--names", "Ash,Misty", "--option", "first=Misty")
    assert "A battle: Misty with Onix against Ash with Pikachu.\n" in done.stdout
    assert "\nTurn 1: Misty\n" in done.stdout


def test_who_begins_by_a_throw_is_told_beside_the_transcript():
    done = pucklab(*QUICK, "--option", "first=throw", "--seed", "9")
    flips = ["Pikachu flips 1, Onix flips 1", "Pikachu flips 1, Onix flips 2", "Onix begins"]
    assert done.stderr == "".join(f"first turn: {line}\n" for line in flips)


def test_stopping_at_the_first_question_shows_the_stacks_there():
    done = at_the_terminal("", "--policy", "person,greedy")
    assert done.returncode == 130
    assert "not over after 0 turns" in done.stdout
    standing = done.stdout.split("not over after 0 turns")[1]
    assert "Pikachu: slammer: - | Health: Electric Energy 1, " in standing
    assert "Onix: slammer: - | Health: Fighting Energy 16, " in standing


def test_ctrl_c_saves_what_was_played(tmp_path):
    arguments = (
        "battle",
        "--policy",
        "random",
        "--turns",
        "9999",
        "--option",
        "critical_ends=never",
    )
    with started(*arguments, "--save", "battle.json", cwd=tmp_path) as running:
        assert running.stdout.readline() == "throws: physics (plane engine)\n"
        for _ in range(3):
            assert running.stdout.readline()
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert running.returncode == 130
    again = succeed("battle", "--replay", "battle.json", cwd=tmp_path)
    assert "not over after " in again.stdout


def test_an_error_at_the_terminal_loses_nothing_of_a_battle(folder, monkeypatch):
    kept = []

    def broken(*arguments):
        for exchange in play_battle(*arguments):
            kept.append(exchange)
            yield exchange
            if len(kept) == 50:
                raise ZeroDivisionError

    monkeypatch.setattr("sim.cli.battle.play_battle", broken)
    with pytest.raises(ZeroDivisionError):
        pucklab(*QUICK, "--save", "battle.json", cwd=folder)
    again = replay(read_record(folder / "battle.json"))
    assert [exchange.answer for exchange in again] == [exchange.answer for exchange in kept]


def test_the_help_has_examples():
    assert "pucklab battle --players pikachu,onix" in pucklab("battle", "--help").stdout
