"""Battles of PokéPucks at a table: flicks become throws, everybody sees the same slam."""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from pucklab.base.errors import InputError
from pucklab.physics import Scene, SlamOutcome, Throw
from pucklab.render.battles.scenes import chip_colours, faces_of, thrown_at
from pucklab.render.browser.frame import Action, page_frame, visitor_now
from pucklab.render.browser.game_page import TablePage
from pucklab.render.browser.guard import Visitor
from pucklab.render.browser.slam_frame import (
    SlamFrame,
    compute_slam,
    keep_slam,
    setting_sliders,
)
from pucklab.render.browser.tables import Table, open_table
from pucklab.render.browser.work import compute
from pucklab.render.palette import LIGHT, hex_code
from pucklab.sim.core.game import Call
from pucklab.sim.core.user_config import read_config, write_config
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions
from pucklab.sim.pokepucks.battle.explanations import (
    chance_lines,
    flip_chances,
    option_sentence,
    percent,
    throw_at,
)
from pucklab.sim.pokepucks.battle.live import shot_of, throw_generator
from pucklab.sim.pokepucks.battle.match import battle_match
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS, PLAYS
from pucklab.sim.pokepucks.battle.questions import Question, ThrowCall
from pucklab.sim.pokepucks.battle.review import Review, review_battle, review_lines
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.battle.state import BattleState, StackKind, places
from pucklab.sim.pokepucks.design_file import puckdex, shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from pucklab.sim.pokepucks.throws import Outcome
from pucklab.sim.scene.hand_throw import SETTINGS, AimedThrow, Setting, set_to, throw_of, with_flick

_SEEDS = 10**9
_AIMS = SETTINGS
_SHOWN_KINDS = (StackKind.SLAMMER, StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)


@dataclass
class BattleTable(Table):
    """A battle under way.

    Attributes:
        throws: Source of the throws.
        slams: Address of the slam of each step that was one.
        aimed: The throw that a person has made, until it is computed.
        patience_s: Longest time for which the battle waits for a slam to be watched.
    """

    throws: Any = None
    slams: dict[int, str] = field(default_factory=dict)
    aimed: AimedThrow | None = None
    landed: asyncio.Event = field(default_factory=asyncio.Event)
    patience_s: float = 15.0

    @property
    def waits(self) -> bool:
        """Whether it waits for an answer or a flick of a person, or is over."""
        now = self.match.open
        if not isinstance(now, Call) or self.replays:
            return super().waits
        return self.match.players[now.about.player] is None and self.aimed is None

    def may_throw(self, visitor: Visitor) -> bool:
        """Return whether the throw to be made is a visitor's."""
        now = self.match.open
        return isinstance(now, Call) and self.owners[now.about.player] == visitor.name

    def flick(self, visitor: Visitor, aimed: AimedThrow, number: int) -> None:
        """Throw for a visitor whose throw it is; see `answer` for errors."""
        self.check_now(number)
        if not self.may_throw(visitor):
            raise InputError("it is not your throw")
        self.aimed = aimed
        self.go_on()

    async def choose(self) -> Any:
        """Return the next answer."""
        now = self.match.open
        if not isinstance(now, Call):
            return await super().choose()
        aimed, self.aimed = self.aimed, None
        return await self._throw(now.about, aimed)

    async def _throw(self, call: ThrowCall, aimed: AimedThrow | None) -> Outcome | None:
        """Return the outcome of a throw; a slam is kept to be seen."""
        shot, rng = shot_of(self.match.setup, call), throw_generator(self.match.seed, call.number)
        if not isinstance(self.throws, PhysicsThrows):
            outcome: Outcome = self.throws.throw(shot, rng)
            return outcome
        _, throw = self.throws.scene_and_throw(shot, rng, aimed)
        slammed = await self._slam(len(self.match.steps), self.match.state.state, call, throw)
        return None if slammed is None else self.throws.outcome(shot, slammed, throw)

    def scene_of(self, state: BattleState, call: ThrowCall) -> tuple[Scene, tuple[str, ...]]:
        """Return what a throw meets, and the faces of its pucks."""
        rng = throw_generator(self.match.seed, call.number)
        scene, _ = self.throws.scene_and_throw(shot_of(state.table, call), rng)
        return scene, faces_of(state, thrown_at(call.targets, scene))

    async def _slam(
        self, number: int, state: BattleState, call: ThrowCall, throw: Throw
    ) -> SlamOutcome | None:
        """Compute a slam, and keep it as that of a step; None if it is not computed."""
        name = f"{state.table.names[call.player]} throws {state.design(call.slammer).name}"
        scene, faces = self.scene_of(state, call)
        thrown = await compute(
            self.viewers, compute_slam, scene, throw, self.throws.engine, name, faces
        )
        if thrown is None:
            return None
        self.slams[number] = keep_slam(thrown[1])
        return thrown[0]

    async def recall(self, number: int) -> str | None:
        """Return the address of the slam of a step, computed again if need be; None if none."""
        step = self.match.steps[number]
        call, throw = step.before.ask, getattr(step.answer, "throw", None)
        if number not in self.slams and throw and isinstance(self.throws, PhysicsThrows):
            await self._slam(number, step.before.state, call, throw)
        return self.slams.get(number)

    async def follow(self) -> None:
        """Wait until the slam of the last step is seen."""
        if len(self.match.steps) - 1 in self.slams and self.viewers.pages:
            self.landed.clear()
            try:
                await asyncio.wait_for(self.landed.wait(), self.patience_s)
            except TimeoutError:
                self.landed.set()


class BattlePage(TablePage):
    """The page of one visitor."""

    heading = "PokéPucks"
    legend = "<p>A throw that was seen stays: nothing is taken back in a battle.</p>"
    table: BattleTable

    def own_actions(self) -> Sequence[Action]:
        """Return the actions of a battle: throw, see the last slam again, look back."""
        return (
            Action(
                "t",
                "throw with these numbers",
                lambda: self.throw(self._aimed),
                "sports_handball",
            ),
            Action("v", "see the last throw again", self._again, "replay"),
            Action("b", "look back on the battle", self._review, "query_stats"),
        )

    def stage(self) -> None:
        """Add the arena."""
        self._played = len(self.table.match.steps) - 1  # step of the slam shown last
        self._holds = False  # while a slam runs, its outcome is not told
        self._aimed = AimedThrow()
        self._frame = SlamFrame(
            lambda flick: self.throw(with_flick(self._aimed, flick)), self._show_outcome
        )
        self._picked: list[Any] = []

    def panel(self) -> None:
        """Add the stacks, the chances, and the numbers of a throw."""
        self._stacks = ui.column().classes("w-full gap-1").mark("stacks")
        self._chances = ui.label().classes("whitespace-pre-line text-sm").mark("chances")
        self._review_box = ui.column().classes("w-full").mark("review")
        with ui.expansion("Numbers of your throw").classes("w-full"):
            setting_sliders(_AIMS, self._aimed, self._set)

    def show(self) -> None:
        """Show the table as it is now, or the slam that is new."""
        newest = len(self.table.match.steps) - 1
        if newest > self._played and newest in self.table.slams:
            self._played, self._holds = newest, True
            self._frame.play(self.table.slams[newest])
            self.question.text = "In the air ..."
            self.options.clear()
            # A page that draws nothing does not tell when it is over.
            ui.timer(self.table.patience_s, partial(self._show_outcome, newest), once=True)
        if not self._holds:
            super().show()

    def draw(self) -> None:
        """Show the stacks, and the Arena to throw at, or the slam of an earlier step."""
        match = self.table.match
        state: BattleState = self.state.state
        self._show_stacks(state)
        now = match.open if self.at is None else None
        decision = self.decision
        asked = None if decision is None else decision.about
        lines = chance_lines(state, asked) if isinstance(asked, Question) else ()
        self._chances.text = "\n".join(lines)
        if self.at:
            ui.timer(0, partial(self._recall, self.at - 1), once=True)
        if isinstance(now, Call):
            call: ThrowCall = now.about
            name = state.table.names[call.player]
            is_own = self.table.may_throw(self.visitor) and not self.table.busy
            self.question.text = (
                f"{name}: press on the stack and flick" if is_own else f"{name} throws"
            )
            if is_own:
                ui.timer(0, partial(self._tell_chances, state, call), once=True)
            if isinstance(self.table.throws, PhysicsThrows):
                scene, faces = self.table.scene_of(state, call)
                self._frame.show_stack(
                    scene, throw_of(self._aimed), faces, aims=is_own, step=self.table.number
                )

    async def _recall(self, number: int) -> None:
        """Play the slam of a step."""
        address = await self.table.recall(number)
        if address is not None and self.at == number + 1:
            self._frame.play(address)

    async def _tell_chances(self, state: BattleState, call: ThrowCall) -> None:
        """Tell the chances of a throw that is to be made."""
        self._chances.text = await compute(self.table.viewers, describe_chances, state, call) or ""

    def _show_stacks(self, state: BattleState) -> None:
        self._stacks.clear()
        with self._stacks:
            for place, stack in zip(places(state.table.players), state.stacks, strict=True):
                # Of players some stacks, of the middle all others: the Arena.
                if not stack or (place.player is None) is (place.kind in _SHOWN_KINDS):
                    continue
                owner = "" if place.player is None else f"{state.table.names[place.player]} "
                with ui.row().classes("gap-1 items-center"):
                    ui.label(f"{owner}{place.kind} {len(stack)}").classes("text-sm w-28")
                    for design, alike in groupby(stack, state.design):
                        pucks = list(alike)
                        count = f"{len(pucks)} x " if len(pucks) > 1 else ""
                        # What it does on hover or tap.
                        about = option_sentence(state, pucks[0])
                        fill, ink = map(hex_code, chip_colours(design))
                        chip = ui.label(f"{count}{design.name}").classes("pucklab-chip")
                        chip.style(f"background:{fill};color:{ink}").tooltip(about)
                        chip.on("click", partial(ui.notify, about))

    def option_buttons(self) -> None:
        """Add a box for each option, and a button that takes those chosen."""
        decision, state = self.decision, self.table.match.state
        assert decision is not None
        proposed = self.table.game.propose(state, decision)
        self._picked = list(proposed or ())
        for option in decision.options:
            box = ui.checkbox(
                self.table.game.words(state, option),
                value=option in self._picked,
                on_change=partial(self._pick, option),
            )
            box.tooltip(option_sentence(state.state, option)).mark(f"option-{option}")
        ui.button("Take", on_click=self._take).props("no-caps").mark("take")

    def _pick(self, option: Any, event: ValueChangeEventArguments[bool]) -> None:
        others = [picked for picked in self._picked if picked != option]
        self._picked = [*others, option] if event.value else others

    def throw(self, aimed: AimedThrow) -> None:
        """Throw, if it is the visitor's throw that is shown."""
        self.attempt(self.table.flick, self.visitor, aimed, self.number)

    def _take(self) -> None:
        decision = self.decision
        if decision is not None:
            if decision.least <= len(self._picked) <= decision.most:
                self.choose(tuple(self._picked))
            else:
                ui.notify(f"choose {decision.least} to {decision.most}")

    def _set(self, setting: Setting, event: ValueChangeEventArguments[float]) -> None:
        self._aimed = set_to(self._aimed, setting, event.value)
        self._frame.set_tilt(self._aimed.tilt_deg)

    def _show_outcome(self, step: int | None = None) -> None:
        if self._holds and step in (None, self._played):
            self._holds = False
            self.table.landed.set()
            self.show()

    def _again(self) -> None:
        if self._played in self.table.slams:
            self._frame.play(self.table.slams[self._played])

    async def _review(self) -> None:
        match = self.table.match
        if match.open is not None:
            ui.notify("the battle is not over")
            return
        seat = next(iter(self.table.seats_of(self.visitor)), 0)
        review = await compute(self.table.viewers, look_back, match.steps, seat)
        self._review_box.clear()
        with self._review_box:
            if review is not None:
                # The chance to win over the battle.
                step = 100 / max(len(review.curve) - 1, 1)
                points = " ".join(
                    f"{step * k:.1f},{40 - 40 * chance:.1f}"
                    for k, (_, chance) in enumerate(review.curve)
                )
                ui.html(
                    '<svg viewBox="-1 -1 102 42" role="img" aria-label="chance to win" fill="none" '
                    f'stroke="{hex_code(LIGHT.accent)}"><path d="M0 20h100" stroke-width=".3"/>'
                    f'<polyline points="{points}"/></svg>',
                    sanitize=False,
                ).classes("w-full")
                for line in review_lines(review):
                    ui.label(line).classes("text-sm")


def describe_chances(state: BattleState, call: ThrowCall) -> str:
    """Return the chance of each puck to flip, from recorded slams, the highest first."""
    if call.knock_out:
        throw = throw_at(state, call.player, call.targets, knock_out=True)
        if throw is None:
            return ""
        return f"knocks out in {percent(throw.chance_of(0))} of such throws"
    chances = flip_chances(state, call.player, call.targets)
    told = [f"{state.design(puck).name} {100 * chances[puck]:.0f} %" for puck in reversed(chances)]
    return f"Chance to flip, from the top: {', '.join(told)}" if told else ""


def look_back(steps: Sequence[Any], seat: int) -> Review | None:
    """Return the review of a battle by the player of a seat; None if nothing was decided."""
    found = deque(review_battle(steps, seat), maxlen=1)
    return found[0] if found else None


def open_battle(match: Any, throws: Any, *, replays: bool = False, **options: Any) -> Table:
    """Open a table for a battle, or for a record of one; see `tables.open_table`."""
    return open_table(match, kind=partial(BattleTable, throws=throws), replays=replays, **options)


def table_for(source: Mapping[str, str]) -> Callable[..., Table]:
    """Return the table of a battle that goes on, with throws of the engine of its record."""
    return partial(BattleTable, throws=PhysicsThrows(engine=source.get("engine") or "plane"))


def show_battles() -> None:
    """Show the set-up of a battle, with the choices of the last one."""
    visitor = visitor_now()
    config, message = read_config()
    known = [design.name for design in puckdex() if design.kind.is_slammer]

    def start() -> None:
        chosen = replace(
            config, name=called.value.strip(), slammer=slammer.value, rival=rival.value,
            level=level.value, length=length.value,
        )  # fmt: skip
        if visitor.is_host:
            write_config(chosen)
        catalogue = shipped_catalogue()
        slammers = [catalogue.find_slammer(own.value, "slammer") for own in (slammer, rival)]
        names = [chosen.name, rival.value] if chosen.name not in ("", rival.value) else []
        options = BattleOptions(**LENGTHS[chosen.length])
        throws = PhysicsThrows(engine="solid")
        kinds = ("person", level.value)
        match = battle_match(
            house_setup(slammers, options, catalogue, names),
            [PLAYERS.of(kind, persons=True) for kind in kinds],
            throws,
            secrets.randbelow(_SEEDS),
            kinds=kinds,
            source={"throws": "physics", "engine": throws.engine},
        )
        try:
            ui.navigate.to(f"/tables/{open_battle(match, throws, host=visitor).name}")
        except InputError as error:
            ui.notify(str(error))

    with page_frame("Battle") as (stage, _), stage:
        called = ui.input("Your name", value=config.name).props("maxlength=20")
        slammer = ui.select(known, value=config.slammer, label="Your slammer")
        rival = ui.select(known, value=config.rival, label="Slammer of the rival")
        level = ui.select(
            {"person": "a friend", **{kind: f"plays {how}" for kind, how in PLAYS.items()}},
            value=config.level,
            label="The rival",
        ).mark("level")
        length = ui.select({name: name for name in LENGTHS}, value=config.length, label="Length")
        ui.button("Start", on_click=start).mark("start")
        ui.label(message)
