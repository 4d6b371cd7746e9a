"""``pucklab battle`` as a person uses it."""

import json
import re
from itertools import count

import pytest

from pucklab.sim.core.game import Match
from pucklab.sim.core.records import read_record
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions
from pucklab.sim.pokepucks.battle.match import BATTLE
from tests.commands import fail, interrupt, pucklab, started, succeed
from tests.pokepucksbattles import replayed
from tests.tables import cases

QUICK = "battle --throws table --turns 20"
FULL = f"{QUICK} --length full --players pikachu,onix"


def at_the_terminal(typed, *arguments):
    """Run ``pucklab battle`` with somebody typing."""
    return pucklab(FULL, *arguments, typed=typed)


@pytest.mark.parametrize("told", [(), ("--verbose",)])
def test_a_battle_is_printed_saved_and_replayed(tmp_path, told):
    done = succeed(QUICK, *told, "--seed", "3", "--save", "battle.json", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[:2] == ["throws: table (solid engine)", "A battle: Pikachu against Eevee."]
    assert lines[4] == ("Turn 1: Pikachu" if told else "The throws that decided:")
    assert " and loses " in lines[-1]
    again = pucklab("battle", *told, "--replay", "battle.json", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert pucklab(QUICK, *told, "--seed", "3").stdout == done.stdout
    assert pucklab(QUICK, *told, "--seed", "4").stdout != done.stdout


@pytest.mark.parametrize("more", ["", "--length full", "--players onix,lapras,eevee,pidgeot,onix"])
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_battle_fits_on_a_screen_of_24_lines(more, seed):
    done = succeed(f"battle --throws table {more} --seed {seed}")
    assert sum(-(-len(line) // 80) for line in done.stdout.splitlines()) <= 24
    assert "is knocked out" in done.stdout


def test_every_throw_is_a_sentence_if_verbose():
    told = pucklab(f"{QUICK} --verbose").stdout
    threw = (" flips ", " misses.", "'s slammer")
    throws = [line for line in told.splitlines() if any(words in line for words in threw)]
    assert told.splitlines()[-3].endswith(f" and {len(throws)} throws.")


@cases(
    "beside length changed",
    """
    --turns 20 => first => {}
    --names Ash,Misty => first => {}
    --length short => short => {}
    --length simple => simple => {}
    --length full => full => {}
    --mode battle => full => {}
    --option first_picks=2 => full => {"first_picks": 2}
    --option length=short --option first_picks=2 => short => {"first_picks": 2}
    --deck onix,lapras => full => {}
    --career cards.json => full => {}
    """,
)
def test_a_battle_is_a_first_one_unless_other_rules_or_pucks_are_asked_for(
    beside, length, changed, tmp_path
):
    succeed(f"{QUICK} {beside} --save battle.json", cwd=tmp_path)
    record = json.loads((tmp_path / "battle.json").read_text(encoding="utf-8"))
    usual = BattleOptions(**LENGTHS[length]).changed
    assert record["setup"]["options"] == {**usual, **json.loads(changed), "max_turns": 20}


def test_a_set_up_file_may_ask_for_a_short_battle_with_an_option_of_its_own(tmp_path, write):
    player = '[[players]]\nname = "{}"\nslammers = ["Onix"]\npucks = {{ "Plain Puck" = 14 }}\n'
    text = 'schema = 1\n[options]\nlength = "short"\nhealth_cap = 6\n'
    write("setup.toml", text + player.format("A") + player.format("B"))
    done = succeed(f"{QUICK} --setup setup.toml", cwd=tmp_path)
    assert "Health: A 6 of 6, B 6 of 6." in done.stdout
    done = succeed(f"{QUICK} --setup setup.toml --length full", cwd=tmp_path)
    assert "Health: A 10 of 10, B 10 of 10." in done.stdout


@pytest.mark.parametrize("length", ["", "medium", "SHORT", "shor"])
def test_another_length_is_refused_with_those_there_are(length, tmp_path, write):
    write("s.toml", f'schema = 1\n[options]\nlength = "{length}"\n')
    for words in (("--length", length), ("--option", f"length={length}"), ("--setup", "s.toml")):
        fail(
            "battle",
            *words,
            said="is not accepted; give one of first, short, simple, full",
            cwd=tmp_path,
        )


def test_by_default_every_throw_is_a_slam_of_the_physics(tmp_path):
    succeed("battle --turns 2 --save battle.json", cwd=tmp_path)
    record = json.loads((tmp_path / "battle.json").read_text(encoding="utf-8"))
    assert record["source"] == {"throws": "physics", "engine": "plane"}
    thrown = [answer for answer in record["answers"] if answer[0] in "UDLO"]
    distances = [part for answer in thrown for part in answer.split() if "." in part]
    assert len(distances) > 10


def test_a_battle_is_played_and_replayed_with_the_solid_engine(tmp_path):
    arguments = "battle --turns 12 --engine solid --save battle.json"
    done = succeed(arguments, cwd=tmp_path)
    assert done.stdout.startswith("throws: physics (solid engine)\n")
    record = json.loads((tmp_path / "battle.json").read_text(encoding="utf-8"))
    assert record["source"]["engine"] == "solid"
    again = pucklab("battle --replay battle.json", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    other = pucklab("battle --turns 12 --save plane.json", cwd=tmp_path)
    assert other.stdout.splitlines()[1:] != done.stdout.splitlines()[1:]


@pytest.mark.parametrize("mode", ["battle", "training", "wild"])
def test_every_mode_is_played_by_three(mode):
    done = succeed(f"{QUICK} --mode {mode} --players onix,lapras,pikachu --policy random")
    assert " turns and " in done.stdout.splitlines()[-4]


def test_the_transcript_has_every_turns_stacks(tmp_path):
    done = pucklab(f"{QUICK} --transcript battle.txt", cwd=tmp_path)
    assert "wrote battle.txt" in done.stderr
    lines = (tmp_path / "battle.txt").read_text(encoding="utf-8").splitlines()
    assert lines.count("  AttacksSet: attacks 1; why turn") > 1
    turns = [line for line in lines if line.startswith("turn ")]
    assert len(turns) == sum(line.startswith("  | Arena ") for line in lines)


def test_json_has_the_end_and_all_events():
    done = pucklab(f"{QUICK} --json --policy greedy,random")
    result = json.loads(done.stdout)
    assert [player["policy"] for player in result["players"]] == ["greedy", "random"]
    assert result["turns"] == sum(event["event"] == "TurnBegan" for event in result["events"])
    assert result["throws_made"] == sum(event["event"] == "Thrown" for event in result["events"])
    assert result["over"]


def test_options_and_own_pucks_and_set_ups_are_played_with(tmp_path, write):
    own = (
        "name,kind,rule,type,resistance,weakness,mass_g\nRocky,pokemon,Dig,fighting,fire,water,24\n"
    )
    write("own.csv", own)
    setup = 'schema = 1\n[options]\nbuy_in = 8\n[[players]]\nname = "A"\nslammers = ["Rocky"]\n'
    setup += 'pucks = { "Plain Puck" = 8 }\n[[players]]\nname = "B"\nslammers = ["Onix"]\n'
    write("setup.toml", setup + "pucks = { Berry = 9 }\n")
    arguments = "--setup setup.toml --puckdex own.csv --option health_cap=3"
    succeed(f"{QUICK} {arguments} --transcript battle.txt", cwd=tmp_path)
    told = (tmp_path / "battle.txt").read_text(encoding="utf-8")
    assert "SizeSet: place the Health of A; size 3" in told
    assert "AttackBegan: player A; slammer Rocky 0" in told


def test_a_person_is_asked_again_after_a_mistake():
    done = at_the_terminal(
        "change\nstacks\noptions\nfoo\n99\npotion\n", "--policy", "person,greedy"
    )
    assert done.returncode == 130
    assert "Choose one: Electric Energy 1, " in " ".join(done.stdout.split())
    assert "Pikachu: slammer: - | Health: Electric Energy 1" in done.stdout
    assert "answer: 'foo' is not accepted; give some of " in done.stdout
    assert done.stdout.count("Pikachu: Lay pucks in the Arena") > 1
    assert "Arena: Potion 3" in done.stdout
    assert "The battle is not over after 0 turns" in done.stdout


@pytest.mark.parametrize("length", ["first", "short", "full"])
def test_whoever_takes_all_that_is_proposed_plays_as_the_skilled_player(length, tmp_path):
    answers = []
    for kind in ("person", "skilled"):
        arguments = f"--turns 8 --policy {kind},greedy --length {length} --save battle.json"
        pucklab(f"{QUICK} {arguments}", typed="\n" * 300, cwd=tmp_path)
        record = json.loads((tmp_path / "battle.json").read_text(encoding="utf-8"))
        answers.append(record["answers"])
    assert answers[0] == answers[1]


TERMS = """
Arena, Health, Power, Prize, slammer, Critical, Paralyzed, Sleep, Poisoned, Confused, Item, Trainer,
Energy, Potion, Berry, top off, tops off, shield, special rule, ability, attack, knock-out, stacks,
chances, status, type
"""


def test_six_terms_are_told_before_the_first_throw_of_a_first_battle_and_how_it_goes():
    done = pucklab("battle --throws table --policy person,greedy", typed="\n")
    told = " ".join(done.stdout.partition("Enter throws")[0].split())
    steps = told[: told.index("Enter begins")]
    terms = " ".join(TERMS.split()).split(", ")
    assert [term for term in terms if term in told] == terms[:6]
    assert all(term in steps for term in terms[:6])


def test_a_person_throws_with_enter_and_may_quit_instead():
    typed = "\n\n\nq\n"
    done = pucklab("battle --length short --throws table --policy person,greedy", typed=typed)
    assert done.returncode == 130
    prompts = re.findall("Pikachu: Enter throws at (.*?)[.] > ", done.stdout)
    assert len(prompts) == typed.count("\n") - 1  # the first one begins the battle
    assert prompts[0] == "eight pucks of the Arena"
    assert all(re.fullmatch("a slammer|[a-z]+ pucks? of the Arena", told) for told in prompts)
    assert re.search(r"The battle is not over after \d turns and \d throws[.]", done.stdout)


def test_a_person_gets_explanations_and_chances_instead_of_an_answer():
    typed = "change\n?\n? onix\nhelp critical\nchances\n? nonsense\n"
    done = at_the_terminal(typed, "--policy", "person,greedy", "--names", "Ash,Misty")
    assert "Pucks near the top flip more" in done.stdout
    assert "  Potion 3, Potion 9: An Item. Before topping off: up to two pucks" in done.stdout
    assert "Onix: A fighting slammer of 20 g, weak to water, resisting fire. It has" in done.stdout
    assert "Critical: The player before may try to knock the slammer out." in done.stdout
    assert "There is nothing to throw at now." in done.stdout
    assert "'nonsense' is no puck of this battle, no special rule and no status" in done.stdout
    assert done.stdout.count("Ash: Lay pucks in the Arena") == len("?????!")


def test_names_are_those_of_the_players_and_are_checked():
    done = pucklab(f"{FULL} --names Ash,Misty --option first=Misty --verbose")
    assert "A battle: Misty with Onix against Ash with Pikachu.\n" in done.stdout
    assert "\nTurn 1: Misty\n" in done.stdout


def test_who_begins_by_a_throw_is_told_beside_the_transcript():
    for seed in count(1):
        *throws, begins = pucklab(f"{FULL} --option first=throw --seed {seed}").stderr.splitlines()
        flips = [re.findall(r"first turn: Pikachu flips (\d), Onix flips (\d)", t) for t in throws]
        *ties, ((mine, its),) = flips
        assert all(own == other for ((own, other),) in ties)
        assert begins == f"first turn: {'Pikachu' if mine > its else 'Onix'} begins"
        if ties:  # they threw again
            break


def test_stopping_at_the_first_question_shows_the_stacks_there():
    done = at_the_terminal("", "--policy", "person,greedy")
    assert done.returncode == 130
    standing = done.stdout.split("The battle is not over after 0 turns and 0 throws.")[1]
    assert "Pikachu: slammer: - | Health: Electric Energy 1, " in standing
    assert "Onix: slammer: - | Health: Fighting Energy 16, " in standing


def test_ctrl_c_saves_what_was_played(tmp_path):
    arguments = "battle --policy random --turns 9999 --option critical_ends=never"
    with started(f"{arguments} --verbose --save battle.json", cwd=tmp_path) as running:
        assert running.stdout.readline() == "throws: physics (plane engine)\n"
        for _ in range(3):
            assert running.stdout.readline()
        interrupt(running)
    again = succeed("battle --replay battle.json", cwd=tmp_path)
    assert "not over after " in again.stdout


def test_an_error_at_the_terminal_loses_nothing_of_a_battle(folder, monkeypatch):
    kept, step = [], Match.step

    def broken(match, answer):
        if len(kept) == 50:
            raise ZeroDivisionError
        kept.append(answer)
        return step(match, answer)

    monkeypatch.setattr(Match, "step", broken)
    with pytest.raises(ZeroDivisionError):
        pucklab(f"{FULL} --save battle.json", cwd=folder)
    monkeypatch.undo()
    again = replayed(read_record(BATTLE, folder / "battle.json"))
    assert [exchange.answer for exchange in again] == kept
