"""Games at tables that visitors share, in pages of the server."""

import asyncio
import re

import pytest
from nicegui import ui

from pucklab.base.errors import InputError
from pucklab.render.browser import tables
from pucklab.render.browser.arena_element import ArenaElement
from pucklab.render.browser.battles import open_battle
from pucklab.render.browser.bumpers_page import BumpersTable
from pucklab.render.browser.frame import Sharing
from pucklab.render.browser.guard import Guard, Visitor
from pucklab.render.browser.tables import open_table, table_named
from pucklab.sim.bumpers.game import BUMPERS, make_config
from pucklab.sim.bumpers.game.player_kinds import PLAYERS as BUMPERS_PLAYERS
from pucklab.sim.core.game import Call, Decision, Match
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS
from pucklab.sim.pokepucks.battle.explanations import describe_chances
from pucklab.sim.pokepucks.battle.match import battle_match
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from tests.browserpages import KEYS, visitors
from tests.pokepucksbattles import house

FLICK = {"speed": 6.0, "direction": 0.3, "x": 3.0, "y": -2.0}


@pytest.fixture(autouse=True)
def games(monkeypatch, tmp_path):
    """Give the folder of the games, and close them at the end, as the end of a process does."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    yield tmp_path / "pucklab" / "games"
    leave_all()


def leave_all():
    """Close and forget all tables."""
    for name in [*tables._TABLES]:
        del tables._TABLES[name]


THROWS = PhysicsThrows()


def new_match(kinds, length="short", **options):
    return battle_match(
        house("pikachu", "onix", **LENGTHS[length]),
        [PLAYERS.of(kind, persons=True) for kind in kinds],
        THROWS,
        7,
        kinds=kinds,
        source={"throws": "physics", "engine": THROWS.engine},
        **options,
    )


def new_battle(kinds, name, **options):
    table = open_battle(new_match(kinds, **options), THROWS, name=name)
    table.patience_s = 0.0
    return table


async def settle(table):
    """Wait until the table waits for a person; its processes may begin with many imports."""
    await asyncio.sleep(0)
    for _ in range(12_000):
        if table.waits and not table.busy:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("the table is busy")


async def answer(user, table):
    """Do what the page of a seat asks for: flick, or take what is proposed."""
    frames = user.find(ArenaElement)
    frames.trigger("landed", {"step": len(table.match.steps) - 1})
    if isinstance(table.match.open, Call):
        frames.trigger("flick", FLICK | {"step": table.number})
    elif isinstance(table.match.open, Decision):
        user.find("take").click()
    await settle(table)


async def test_two_persons_play_a_whole_battle_on_two_pages(monkeypatch):
    async with visitors(monkeypatch, guests=1) as pages:
        table = new_battle(("person", "person"), "two")
        for number, page in enumerate(pages, start=1):
            await page.open("/tables/two")
            await settle(table)
            page.find(f"Sit-down-{number}").click()
        await settle(table)
        for _ in range(400):
            now = table.match.open
            if now is None:
                break
            await answer(pages[now.about.player if isinstance(now, Call) else now.seat], table)
        assert table.match.open is None
        for page in pages:
            page.find(ArenaElement).trigger("landed", {"step": len(table.match.steps) - 1})
            await page.should_see("wins")


async def test_a_battle_waits_for_its_players_but_not_for_those_who_only_watch(monkeypatch):
    async with visitors(monkeypatch, guests=1) as (player, watcher):
        table = new_battle(("person", "skilled"), "watched")
        table.patience_s = 1000.0
        await player.open("/tables/watched")
        await watcher.open("/tables/watched")
        player.find("Sit-down-1").click()
        await settle(table)
        while not isinstance(table.match.open, Call):
            await answer(player, table)
        player.find(ArenaElement).trigger("flick", FLICK | {"step": table.number})
        thrown = len(table.match.steps)
        while len(table.match.steps) == thrown:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.2)
        assert len(table.match.steps) == thrown + 1
        watcher.find(ArenaElement).trigger("landed", {"step": thrown})
        await asyncio.sleep(0.2)
        assert len(table.match.steps) == thrown + 1
        while not table.waits:
            player.find(ArenaElement).trigger("landed", {"step": len(table.match.steps) - 1})
            await asyncio.sleep(0.005)
        assert len(table.match.steps) > thrown + 1


async def test_what_is_answered_as_proposed_is_told_by_names_without_numbers(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        table = new_battle(("person", "skilled"), "told", length="first")
        await host.open("/tables/told")
        host.find("Sit-down-1").click()
        await settle(table)
        await host.should_see("Done as proposed: puck for the Arena: ")
        (told,) = host.find("Done as proposed: ").elements
        assert "Energy" in told.text
        assert not re.search("[0-9]", told.text)


async def test_a_battle_against_the_computer_is_saved_with_own_throws_and_replays(
    monkeypatch,
):
    async with visitors(monkeypatch) as (host,):
        table = new_battle(("person", "skilled"), "one")
        await host.open("/tables/one")
        await settle(table)
        host.find("Sit-down-1").click()
        for _ in range(12):
            if table.match.open is None:
                break
            await answer(host, table)
        leave_all()
        again = table_named("one")
        steps = again.match.steps
        assert steps[-1].after == table.match.state
        thrown = [step.answer.throw for step in steps if hasattr(step.answer, "throw")]
        assert any(throw and throw.speed_mm_s == pytest.approx(6000, rel=0.2) for throw in thrown)


async def test_a_taken_seat_is_not_taken_again_and_answers_only_for_itself(monkeypatch):
    async with visitors(monkeypatch, guests=2) as (host, first, second):
        table = new_battle(("person", "person"), "seats")
        for page in (host, first, second):
            await page.open("/tables/seats")
        first.find("Sit-down-1").click()
        await second.should_not_see("Sit-down-1")
        owner = table.owners[0]
        table.take_seat(0, visitor("another"))
        assert table.owners[0] == owner
        before = len(table.match.steps)
        second.find(ArenaElement).trigger("flick", FLICK | {"step": table.number})
        await settle(table)
        assert len(table.match.steps) == before


def visitor(name):
    return Visitor(name=name, is_host=False)


async def test_a_game_of_puck_bumpers_goes_on_from_its_record_after_a_restart(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        kinds = ("person", "greedy")
        players = [BUMPERS_PLAYERS.of(kind, persons=True) for kind in kinds]
        open_table(
            Match(BUMPERS, make_config(2), players, 7, kinds=kinds), name="kept", kind=BumpersTable
        )
        await host.open("/tables/kept")
        host.find("Sit-down-1").click()
        table = table_named("kept")
        for _ in range(20):
            now = table.match.open
            if not isinstance(now, Decision) or not hasattr(now.options[0], "space"):
                break
            text = BUMPERS.text(table.match.state, now.options[0])
            table.answer(visitor(table.owners[0]), text, table.number)
            await settle(table)
        state, owners = table.match.state, table.owners
        leave_all()
        again = table_named("kept")
        assert (again.match.state, again.owners) == (state, owners)


async def test_the_proposed_answer_is_taken_by_a_key(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        table = new_battle(("person", "greedy"), "keys", asks_all=True)
        await host.open("/tables/keys")
        await settle(table)
        host.find("Sit-down-1").click()
        assert isinstance(table.match.open, Decision)
        before = len(table.match.steps)
        key = {"action": "keydown", "key": "Enter", "code": "Enter", "location": 0}
        key |= dict.fromkeys(("altKey", "ctrlKey", "shiftKey", "metaKey", "repeat"), False)
        host.find(ui.keyboard).trigger("key", key)
        await settle(table)
        assert len(table.match.steps) > before


async def test_undo_asks_the_other_seats(monkeypatch):
    async with visitors(monkeypatch, guests=1) as (host, guest):
        kinds = ("person", "person")
        open_table(
            Match(BUMPERS, make_config(2), [None, None], 7, kinds=kinds),
            name="undo",
            kind=BumpersTable,
        )
        for number, page in enumerate((host, guest), start=1):
            await page.open("/tables/undo")
            page.find(f"Sit-down-{number}").click()
        table = table_named("undo")
        await asyncio.sleep(0.05)
        steps = len(table.match.steps)
        now = table.match.open
        text = BUMPERS.text(table.match.state, now.options[0])
        table.answer(visitor(table.owners[now.seat]), text, table.number)
        await settle(table)
        host.find("take-the-last-decision-back;-the-others-are-asked").click()
        await guest.should_see("A player would like to take the last decision back")
        assert len(table.match.steps) == steps + 1
        guest.find("take-the-last-decision-back;-the-others-are-asked").click()
        await asyncio.sleep(0.05)
        assert len(table.match.steps) == steps


async def test_a_recorded_battle_is_gone_through_step_by_step_and_takes_no_seats(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        match = new_match(("greedy", "greedy"))
        steps = list(match.play())
        table = open_battle(match, THROWS, name="old", replays=True)
        await host.open("/tables/old")
        await host.should_see(f"Step {len(steps)} of {len(steps)}")
        await host.should_not_see("Sit down")
        host.find("a-step-back-in-the-story").click()
        await host.should_see(f"Step {len(steps) - 1} of {len(steps)}")
        number = next(n for n, step in enumerate(steps) if hasattr(step.answer, "throw"))
        await table.recall(number)
        assert "line" in table.slams[number][1] or "clips" in table.slams[number][1]
        assert len(match.steps) == len(steps)


def test_the_chance_of_a_knock_out_is_told_before_the_throw():
    steps = list(new_match(("greedy", "greedy")).play())
    thrown = [
        (step.before.state, step.before.ask) for step in steps if hasattr(step.answer, "throw")
    ]
    told = [describe_chances(state, call) for state, call in thrown if call.knock_out]
    assert told
    assert all(words.startswith("knocks out in ") for words in told)


async def test_the_host_alone_sees_a_link_for_guests(monkeypatch):
    monkeypatch.setattr(Sharing, "address", "http://192.0.2.7:8123")
    monkeypatch.setattr(Sharing, "guard", Guard(None, KEYS, 8123), raising=False)

    async with visitors(monkeypatch, guests=1) as (host, guest):
        new_battle(("person", "person"), "shared")
        await host.open("/tables/shared")
        await guest.open("/tables/shared")
        host.find("share").click()
        await host.should_see(f"http://192.0.2.7:8123/tables/shared?key={KEYS.guest}")
        await guest.should_not_see(KEYS.guest)


async def test_people_have_names_play_again_and_change_places(monkeypatch):
    async with visitors(monkeypatch, guests=1) as (host, guest):
        table = new_battle(("person", "person"), "names")
        for number, (page, name) in enumerate(((host, "Ann"), (guest, "Mia")), start=1):
            await page.open("/tables/names")
            page.find("called").type(name)
            page.find(f"Sit-down-{number}").click()
        await settle(table)
        assert table.match.setup.names == ("Ann", "Mia")
        await host.should_see("Mia")
        with pytest.raises(InputError, match="not over"):
            table.play_again(visitor(table.owners[0]))
        finished, owners = new_match(("greedy", "greedy")), table.owners
        [*finished.play()]
        table.match.steps, table.match.state, table.match.open = (
            finished.steps, finished.state, None)  # fmt: skip
        table.changed.emit()
        guest.find("change-places").click()
        await asyncio.sleep(0.05)
        another = table_named(table.following)
        assert (another.owners, another.called) == (owners[::-1], ["Mia", "Ann"])
        assert another.match.setup.names == ("Mia", "Ann")
        leave_all()
        again = table_named(another.name)
        assert (again.called, again.match.setup.names) == (["Mia", "Ann"], ("Mia", "Ann"))


async def test_the_start_pages_list_the_games_that_a_visitor_can_go_on_with(monkeypatch):
    async with visitors(monkeypatch, guests=1) as (host, guest):
        await host.open("/bumpers")
        await host.should_not_see("Go on")
        host.find("start").click()
        await asyncio.sleep(0.1)
        (table,) = tables._TABLES.values()
        table.called[0] = "Ann"
        await settle(table)
        for path in ("/battles", "/bumpers"):
            await host.open(path)
            await host.should_see("Puck Bumpers, Ann (red) against orange: turn 1")
            await guest.open(path)
            await guest.should_not_see("Go on")
        leave_all()  # as a restart does
        await host.open("/battles")
        (link,) = host.find("go-on").elements
        assert link.props["href"] == f"/tables/{table.name}"


async def test_a_game_of_puck_bumpers_begins_set_up_and_is_told_in_words(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        await host.open("/bumpers")
        host.find("start").click()
        await asyncio.sleep(0.1)
        (table,) = tables._TABLES.values()
        assert len(table.match.state.position.pieces) == 16
        await host.open(f"/tables/{table.name}")
        await host.should_see("Whoever first has all 4 own pucks in goals wins.")
        for _ in range(20):
            now = table.match.open
            moves = [one for one in now.options if hasattr(one, "move")]
            one = next(iter(moves), now.options[-1])
            text = BUMPERS.text(table.match.state, one)
            table.answer(visitor(table.owners[0]), text, table.number)
            if moves:
                break
            await settle(table)
        await host.should_see("Red: ")
        leave_all()
        again = table_named(table.name)
        assert again.match.steps[0].answer == table.match.steps[0].answer


@pytest.mark.parametrize(
    ("event", "facts"),
    [
        ("flick", {}),
        ("flick", None),
        ("flick", FLICK | {"step": 1, "speed": "fast"}),
        ("flick", FLICK | {"step": 1, "x": 1e9}),
        ("flick", FLICK | {"step": float("nan")}),
        ("landed", {"step": None}),
        ("landed", [1]),
    ],
)
async def test_a_message_that_no_page_sends_is_answered_in_words(event, facts, monkeypatch):
    async with visitors(monkeypatch) as (host,):
        table = new_battle(("person", "greedy"), "odd")
        await host.open("/tables/odd")
        host.find("Sit-down-1").click()
        await settle(table)
        before = len(table.match.steps)
        host.find(ArenaElement).trigger(event, facts)
        await host.should_see("told something that the table does not understand")
        assert len(table.match.steps) == before


async def test_a_late_flick_and_one_out_of_turn_are_answered_in_words(monkeypatch):
    async with visitors(monkeypatch, guests=1) as (host, guest):
        table = new_battle(("person", "person"), "late")
        for number, page in enumerate((host, guest), start=1):
            await page.open("/tables/late")
            page.find(f"Sit-down-{number}").click()
        await settle(table)
        for _ in range(20):
            if isinstance(table.match.open, Call):
                break
            await answer((host, guest)[table.match.open.seat], table)
        other = (guest, host)[table.match.open.about.player]
        other.find(ArenaElement).trigger("flick", FLICK | {"step": table.number})
        await other.should_see("it is not your throw")
        own = (host, guest)[table.match.open.about.player]
        own.find(ArenaElement).trigger("flick", FLICK | {"step": table.number - 1})
        await own.should_see("the game has gone on from the step that your page shows")


async def test_throws_from_a_table_are_pressed_and_said_to_be_drawn(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        drawn = shipped_table()
        match = battle_match(
            house("pikachu", "onix", **LENGTHS["short"]),
            [None, PLAYERS.of("greedy")],
            drawn,
            7,
            kinds=("person", "greedy"),
            source={"throws": "table", "engine": drawn.engine},
        )
        open_battle(match, drawn, name="drawn")
        await host.open("/tables/drawn")
        host.find("Sit-down-1").click()
        table = table_named("drawn")
        await settle(table)
        while not isinstance(table.match.open, Call):
            host.find("take").click()
            await settle(table)
        await host.should_see("Your turn: press Throw.")
        before = len(table.match.steps)
        host.find("throw-with-these-numbers").click()
        await settle(table)
        assert len(table.match.steps) > before
        host.find("see-the-last-throw-again").click()
        await host.should_see("this throw was drawn from a table")
        leave_all()
        assert table_named("drawn").throws is drawn
