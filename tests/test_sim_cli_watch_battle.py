"""``pucklab watch --battle`` and ``pucklab battle --watch`` as a person uses them."""

import json
import sys

import pytest

import sim.cli
from render.browser.tables import table_named
from sim.core.records import read_record
from sim.pokepucks.battle.match import BATTLE as GAME
from sim.pokepucks.throw_sources import PhysicsThrows
from tests.commands import fail
from tests.tables import cases

BATTLE = ("--throws", "table", "--mode", "wild", "--players", "onix,lapras", "--seed", "2")


def run(monkeypatch, *arguments):
    """Run ``pucklab`` in this process, and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["pucklab", *arguments])
    return sim.cli.run()


def table_of(path):
    """Return the table that a served page shows."""
    return table_named(path.removeprefix("/tables/"))


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """Keep tables in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def battle(folder, monkeypatch):
    """Return the record of a battle."""
    assert run(monkeypatch, "battle", *BATTLE, "--save", "battle.json") == 0
    return folder / "battle.json"


def test_a_record_is_shown_at_its_end_or_at_a_turn(battle, served, monkeypatch):
    assert run(monkeypatch, "watch", "--battle", "battle.json") == 0
    assert run(monkeypatch, "watch", "--battle", "battle.json", "--turn", "2") == 0
    whole, part = map(table_of, served)
    steps = len(read_record(GAME, battle).answers)
    assert len(whole.match.steps) == len(part.match.steps) == steps
    assert whole.match.open is None
    assert part.match.state.state.turn.number == 2
    assert part.match.state in [step.after for step in part.match.steps]


def test_slams_of_a_battle_by_the_physics_have_the_engine_of_its_record(
    folder, served, monkeypatch
):
    wild = ("--mode", "wild", "--players", "onix,lapras", "--turns", "2", "--save", "b.json")
    assert run(monkeypatch, "battle", *wild, "--engine", "plane") == 0
    (folder / "own.toml").write_text("schema = 1\n[materials]\nrestitution = 0.1\n")
    for more in ((), ("--params", "own.toml")):
        assert run(monkeypatch, "watch", "--battle", "b.json", *more) == 0
    usual, own = (table_of(path).throws for path in served)
    assert isinstance(usual, PhysicsThrows)
    assert usual.engine == own.engine == "plane"
    assert own.parameters.materials.restitution == 0.1


@pytest.mark.parametrize("kind", ["greedy", "person"])
def test_a_battle_ends_with_its_page_and_is_told(kind, folder, served, monkeypatch, capsys):
    given = ("--policy", f"{kind},greedy", "--transcript", "b.txt", "--career", "cards.json")
    assert run(monkeypatch, "battle", *BATTLE, "--watch", *given) == 0
    told = capsys.readouterr()
    assert "not over after 0 turns" in told.out
    assert "cards.json' is as it was; the battle is not over" in told.out
    assert (folder / "b.txt").read_text().startswith("throws: table")
    (path,) = served
    assert table_of(path).match.kinds == (kind, "greedy")


def test_a_battle_that_is_over_when_its_page_closes_is_entered(folder, monkeypatch, capsys):
    def serve(path, _tell, **_options):
        match = table_of(path).match
        while (answer := match.choose()) is not None:
            match.step(answer)
        raise KeyboardInterrupt

    monkeypatch.setattr("render.browser.server.serve", serve)
    given = ("--watch", "--career", "cards.json", "--save", "b.html")
    assert run(monkeypatch, "battle", *BATTLE, *given) == 0
    assert capsys.readouterr().out.count(" wins after ") == 1
    cards = json.loads((folder / "cards.json").read_text())["trainers"]
    assert {card["battles"] for card in cards.values()} == {1}
    assert (folder / "b.html").exists()


@pytest.mark.usefixtures("folder")
def test_without_nicegui_a_line_names_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "nicegui", None)
    assert run(monkeypatch, "battle", *BATTLE, "--watch") == 2
    said = "error: nicegui is not installed; pip install 'pucklab[play]'\n"
    assert capsys.readouterr().err.endswith(said)


def test_the_version_that_saved_a_record_is_named_where_an_answer_does_not_fit(battle):
    record = json.loads(battle.read_text())
    answers = ["Potion 999", *record["answers"][1:]]
    battle.write_text(json.dumps({**record, "version": "0.0.1", "answers": answers}))
    fail(f"watch --battle {battle}", said="saved by pucklab 0.0.1")


@pytest.mark.usefixtures("battle")
@cases(
    "line said",
    """
    watch --battle battle.json --turn 0 => --turn: 0 is not accepted
    watch --battle battle.json --turn 999 => --turn: 999 is not accepted
    watch --battle battle.json --pucks 3 => --pucks: not accepted beside
    watch --battle battle.json --light => --light: not accepted beside
    watch slam.json --battle battle.json => replay: not accepted beside
    watch --battle battle.json --save a.mp4 => 'a.mp4' is not accepted; give a name that ends in .ht
    watch --battle battle.json --save a.html --turn 1 => not accepted beside --save; a web page has
    watch --battle battle.json --save a.html --port 8000 => --port: not accepted beside --save
    watch --turn 2 => --turn: 2 is not accepted without a battle
    battle --watch --replay battle.json => --watch: not accepted beside --replay
    battle --watch --text => --text: not accepted beside --watch
    battle --share => --share: not accepted beside a battle that opens no page
    battle --watch --policy clever => --policy: 'clever' is not accepted
    """,
)
def test_a_mistake_is_one_line_and_exit_code_2(folder, line, said):
    fail(line, said=said, cwd=folder)
    assert [path.name for path in folder.iterdir()] == ["battle.json"]
