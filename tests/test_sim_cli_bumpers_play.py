"""``pucklab bumpers new`` and ``play`` as a person uses them."""

import pytest

from pucklab.render.browser.tables import table_named
from pucklab.sim.bumpers import parse_position
from tests.commands import interrupt, not_windows, pucklab, started, succeed
from tests.make_bumpers_games import FOLDER

GAME = FOLDER / "two-greedy.json"


def at_the_terminal(typed, *arguments, cwd):
    """Run ``pucklab bumpers play`` with somebody typing."""
    return pucklab("bumpers play", *arguments, cwd=cwd, typed=typed)


@pytest.mark.parametrize("players", ["2", "6"])
def test_new_prints_a_drawing_and_a_line_with_all_pieces_placed(players):
    done = succeed(f"bumpers new --players {players} --seed 3")
    *drawing, line = done.stdout.splitlines()
    assert "to move: red" in drawing
    assert len(parse_position(line).pieces) == 8 * int(players)
    assert pucklab(f"bumpers new --players {players} --seed 3").stdout == done.stdout
    assert pucklab(f"bumpers new --players {players} --seed 4").stdout != done.stdout


def test_a_new_position_can_be_shown():
    made = pucklab("bumpers new --setup old-school").stdout
    assert pucklab("bumpers show", made.splitlines()[-1]).stdout == made


def test_play_prints_the_game_and_saves_a_record_that_replays(tmp_path):
    done = succeed("bumpers play --seed 3 --save game.json", cwd=tmp_path)
    assert "wrote game.json" in done.stderr
    assert any(" wins after " in line for line in done.stdout.splitlines())
    again = succeed("bumpers play --replay game.json", cwd=tmp_path)
    assert again.stdout == done.stdout


def test_verbose_prints_every_event():
    short = pucklab(f"bumpers play --replay {GAME}").stdout.splitlines()
    long = pucklab(f"bumpers play --replay {GAME} --verbose").stdout.splitlines()
    assert len(long) > 3 * len(short)
    assert short[-1] == long[-1]
    assert "  red draws 5" in long


def test_games_are_played_on_every_kind_of_set_up():
    done = succeed(
        *("bumpers", "play", "--players", "random,greedy,random", "--max-actions", "30"),
        *("--setup", "classic", "--may-pass"),
    )
    assert "a draw after" in done.stdout


def test_a_game_uses_a_board_file_and_a_deck_file(tmp_path, write):
    board = 'schema = 1\nlayout = "classic"\nrules = ["one-piece", "pass-through"]\n'
    write("board.toml", board)
    card = 'name = "Spin"\nkind = "game-changer"\ncount = 20\ntext = "Turn two mats."\n'
    hook = 'hook = "turn-mats"\nnumbers = { moves = 2 }\n'
    write("deck.toml", f"schema = 1\n[[cards]]\n{card}{hook}")
    done = succeed(
        *("bumpers", "play", "--players", "random,random", "--max-actions", "20", "--verbose"),
        *("--setup", "board.toml", "--deck", "deck.toml", "--save", "game.json"),
        cwd=tmp_path,
    )
    assert "20 cards are shuffled" in done.stdout
    assert "plays Spin" in done.stdout
    assert ":rules=pass-through,one-piece:" in done.stdout
    succeed("bumpers play --replay game.json", cwd=tmp_path)


def test_the_file_of_a_board_or_an_option_says_who_begins(tmp_path, write):
    write("b.toml", 'schema = 1\nlayout = "small"\nfirst = "orange"\n')
    game = "bumpers play --players random,random --max-actions 1 --verbose"
    named = pucklab(f"{game} --setup b.toml", cwd=tmp_path).stdout
    overruled = pucklab(f"{game} --setup b.toml --first red", cwd=tmp_path).stdout
    assert "\nturn 1: orange" in named
    assert "\nturn 1: red" in overruled
    drawn = {
        pucklab(f"{game} --first draw --seed {seed}").stdout.split("turn 1: ")[1].split()[0]
        for seed in ("1", "2", "3", "4", "5", "6")
    }
    assert drawn == {"red", "orange"}


def test_a_person_is_asked_again_after_an_invalid_choice(tmp_path):
    typed = "put RP zz\nhand\nboard\nchoices\nput RP b9\n"
    done = at_the_terminal(
        typed, "--place", "--players", "person,greedy", "--save", "game.json", cwd=tmp_path
    )
    assert "'>>put RP zz<<': not a choice now; give one of put RP" in done.stdout
    assert "red puts red puck on b9" in done.stdout
    assert "mats: " in done.stdout
    assert "Traceback" not in done.stderr


def test_an_unfinished_game_is_saved(tmp_path):
    done = at_the_terminal(
        "put RP b9\n", "--place", "--players", "person,greedy", "--save", "game.json", cwd=tmp_path
    )
    assert done.returncode == 130
    assert "stopped" in done.stderr
    again = succeed("bumpers play --replay game.json", cwd=tmp_path)
    assert "not over after 0 turns" in again.stdout


@not_windows
def test_ctrl_c_keeps_the_game_so_far(tmp_path):
    players = "--players random,random,random --verbose"
    with started(f"bumpers play {players} --save game.json", cwd=tmp_path) as running:
        while not running.stdout.readline().startswith("turn 3"):
            pass
        _, said = interrupt(running)
    assert said.splitlines() == ["wrote game.json", "stopped"]
    again = succeed("bumpers play --replay game.json", cwd=tmp_path)
    assert "not over after" in again.stdout


@pytest.mark.parametrize(("options", "pages"), [((), 1), (("--text",), 0)])
def test_a_person_plays_in_the_browser_unless_told_otherwise(
    options, pages, served, monkeypatch, tmp_path
):
    monkeypatch.setattr("pucklab.cli.browsing._is_fed", lambda: False)
    words = ("bumpers", "play", "--players", "person,greedy", "--save", "game.json", *options)
    done = pucklab(*words, cwd=tmp_path)
    assert len(served) == pages
    assert done.returncode == (0 if pages else 130)
    if pages:
        table = table_named(served[0].removeprefix("/tables/"))
        assert table.match.kinds == ("person", "greedy")
        assert "not over after 1 turns" in done.stdout
