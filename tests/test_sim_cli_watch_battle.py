"""``pucklab watch --battle`` and ``pucklab battle --watch`` as a person uses them."""

import json
import sys

import pytest

from pucklab.render.browser.tables import table_named
from pucklab.sim.core.records import read_record
from pucklab.sim.pokepucks.battle.match import BATTLE as GAME
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from tests.commands import fail, succeed
from tests.tables import cases

BATTLE = "battle --throws table --mode wild --players onix,lapras --seed 2"


def table_of(path):
    """Return the table that a served page shows."""
    return table_named(path.removeprefix("/tables/"))


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """Keep tables in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def battle(folder):
    """Return the record of a battle."""
    succeed(f"{BATTLE} --save battle.json", cwd=folder)
    return folder / "battle.json"


def test_a_record_is_shown_at_its_end_or_at_a_turn(battle, served):
    for turn in ("", "--turn 2"):
        succeed(f"watch --battle {battle} {turn}")
    whole, part = map(table_of, served)
    steps = len(read_record(GAME, battle).answers)
    assert len(whole.match.steps) == len(part.match.steps) == steps
    assert whole.match.open is None
    assert part.match.state.state.turn.number == 2
    assert part.match.state in [step.after for step in part.match.steps]


def test_slams_of_a_battle_by_the_physics_have_the_engine_of_its_record(served, write):
    path = write("own.toml", "schema = 1\n[materials]\nrestitution = 0.1\n")
    wild = "--mode wild --players onix,lapras --turns 2 --engine plane --save b.json"
    succeed(f"battle {wild}", cwd=path.parent)
    for more in ("", "--params own.toml"):
        succeed(f"watch --battle b.json {more}", cwd=path.parent)
    usual, own = (table_of(path).throws for path in served)
    assert isinstance(usual, PhysicsThrows)
    assert usual.engine == own.engine == "plane"
    assert own.parameters.materials.restitution == 0.1


@pytest.mark.parametrize("kind", ["greedy", "person"])
def test_a_battle_ends_with_its_page_and_is_told(kind, folder, served):
    given = f"--policy {kind},greedy --transcript b.txt --career cards.json"
    told = succeed(f"{BATTLE} --watch {given}", cwd=folder).stdout
    assert "not over after 0 turns" in told
    assert "cards.json' is as it was; the battle is not over" in told
    assert (folder / "b.txt").read_text().startswith("throws: table")
    (path,) = served
    assert table_of(path).match.kinds == (kind, "greedy")


def test_a_battle_that_is_over_when_its_page_closes_is_entered(folder, monkeypatch):
    def serve(path, _tell, **_options):
        match = table_of(path).match
        while (answer := match.choose()) is not None:
            match.step(answer)
        raise KeyboardInterrupt

    monkeypatch.setattr("pucklab.render.browser.server.serve", serve)
    done = succeed(f"{BATTLE} --watch --career cards.json --save b.html", cwd=folder)
    assert done.stdout.count(" wins after ") == 1
    cards = json.loads((folder / "cards.json").read_text())["trainers"]
    assert {card["battles"] for card in cards.values()} == {1}
    assert (folder / "b.html").exists()


def test_without_nicegui_a_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "nicegui", None)
    fail(f"{BATTLE} --watch", said="nicegui is not installed; pip install 'pucklab[play]'\n")


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
    watch --battle battle.json --save a.mp4 => 'a.mp4' is not accepted; give a name that ends in
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
