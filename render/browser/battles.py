"""Battles of PokéPucks at a table: flicks become throws, everybody sees the same slam."""

import asyncio
import html
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import Any

from nicegui import Client, context, ui
from nicegui.events import ValueChangeEventArguments

from pucklab.base.errors import InputError
from pucklab.physics import Scene, SlamOutcome, Throw
from pucklab.physics.slam_line import SlamSetup
from pucklab.render.battles.scenes import chip_colours, faces_of, thrown_at
from pucklab.render.browser.arena_element import ArenaElement
from pucklab.render.browser.frame import Action, page_frame, visitor_now, word_button
from pucklab.render.browser.game_page import (
    CALLED,
    TablePage,
    add_running_games,
    given_name,
    option_button,
)
from pucklab.render.browser.guard import Visitor
from pucklab.render.browser.tables import Table, open_table
from pucklab.render.browser.work import compute
from pucklab.render.palette import hex_code
from pucklab.render.slams.packing import compute_slam
from pucklab.sim.core.game import Call, Decision
from pucklab.sim.core.user_config import read_config, write_config
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions
from pucklab.sim.pokepucks.battle.explanations import (
    chance_lines,
    count_words,
    describe_chances,
    first_sentence,
    option_sentence,
    throw_at,
)
from pucklab.sim.pokepucks.battle.live import shot_of, throw_generator
from pucklab.sim.pokepucks.battle.match import BATTLE, battle_match
from pucklab.sim.pokepucks.battle.narration import number_word, spell
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS, PLAYS
from pucklab.sim.pokepucks.battle.playouts import why_not_covered
from pucklab.sim.pokepucks.battle.question_kinds import kind_of
from pucklab.sim.pokepucks.battle.questions import Question, ThrowCall
from pucklab.sim.pokepucks.battle.review import Review, review_battle, review_lines
from pucklab.sim.pokepucks.battle.sensible import is_open, only_sensible
from pucklab.sim.pokepucks.battle.setup_file import SIMPLE_PAIR, house_setup
from pucklab.sim.pokepucks.battle.state import BattleState
from pucklab.sim.pokepucks.battle.state import health as health_of
from pucklab.sim.pokepucks.design_file import puckdex, shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from pucklab.sim.pokepucks.throws import Outcome
from pucklab.sim.scene.hand_throw import SETTINGS, AimedThrow, Setting, set_to, throw_of, with_flick

_SEEDS = 10**9
_LOOK_S = 0.05
_DECIDED, _TOLD = 2, 40
"""Throws that decided, and latest turns, which a page shows."""

_LENGTHS = {
    "first": "a first battle: all rules, few questions",
    "short": "only throws",
    "simple": "Sandbags and Pokéballs, as the rulebook begins",
    "full": "the full game",
}


@dataclass
class BattleTable(Table):
    """A battle under way.

    Attributes:
        throws: Source of the throws.
        slams: Title, and what pages compute or play, of each step that was a slam.
        aimed: The throw that a person has made, until it is computed.
        seen: Number of the last step whose slam each page has shown.
        patience_s: Longest time for which the battle waits for a slam to be watched.
    """

    throws: Any = None
    slams: dict[int, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    aimed: AimedThrow | None = None
    seen: dict[str, int] = field(default_factory=dict)
    patience_s: float = 15.0

    @property
    def waits(self) -> bool:
        """Whether it waits for an answer or a flick of a person, or is over."""
        now = self.match.open
        if not isinstance(now, Call) or self.replays:
            return super().waits
        return self.match.players[now.about.player] is None and self.aimed is None

    @property
    def is_simulated(self) -> bool:
        """Whether throws are slams, and not drawn from a table."""
        return isinstance(self.throws, PhysicsThrows)

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
        outcome = await self._throw(now.about, aimed)
        if outcome is None:
            self.aimed = self.aimed or aimed  # it is thrown once it can be computed
        return outcome

    async def _throw(self, call: ThrowCall, aimed: AimedThrow | None) -> Outcome | None:
        """Return the outcome of a throw; a slam is kept to be seen."""
        shot, rng = shot_of(self.match.setup, call), throw_generator(self.match.seed, call.number)
        if not self.is_simulated:
            outcome: Outcome = self.throws.throw(shot, rng)
            return outcome
        _, throw = self.throws.scene_and_throw(shot, rng, aimed)
        slammed = await self._slam(len(self.match.steps), self.match.state.state, call, throw)
        return None if slammed is None else self.throws.outcome(shot, slammed, throw)

    async def _slam(
        self, number: int, state: BattleState, call: ThrowCall, throw: Throw
    ) -> SlamOutcome | None:
        """Compute a slam, and keep it as that of a step; None if it is not computed."""
        title = f"{state.table.names[call.player]} throws {state.design(call.slammer).name}"
        scene, faces = self.scene_of(state, call)
        setup = SlamSetup(scene=scene, throw=throw, engine=self.throws.engine)
        thrown = await compute(self.viewers, compute_slam, setup, faces)
        if thrown is None:
            return None
        self.slams[number] = title, thrown[1]
        return thrown[0]

    def scene_of(self, state: BattleState, call: ThrowCall) -> tuple[Scene, tuple[str, ...]]:
        """Return what a throw meets, and the faces of its pucks."""
        rng = throw_generator(self.match.seed, call.number)
        physics = self.throws if self.is_simulated else PhysicsThrows()
        scene, _ = physics.scene_and_throw(shot_of(state.table, call), rng)
        return scene, faces_of(state, thrown_at(call.targets, scene))

    def open_next(self, match: Any, owners: Sequence[str], called: Sequence[str]) -> Table:
        """Open the table of the next battle."""
        return open_battle(match, self.throws, owners=owners, called=called)

    async def recall(self, number: int) -> None:
        """Keep the slam of a step, computed again if need be.

        Raises:
            InputError: It was none, or comes out differently now.
        """
        step = self.match.steps[number]
        call, throw = step.before.ask, getattr(step.answer, "throw", None)
        if number in self.slams:
            return
        if throw is None or not self.is_simulated:
            raise InputError("this throw was drawn from a table, which has only what came of it")
        state = step.before.state
        slammed = await self._slam(number, state, call, throw)
        shot = shot_of(state.table, call)
        if slammed and self.throws.outcome(shot, slammed, throw) != step.answer:
            del self.slams[number]
            raise InputError("this throw was made in another version, and comes out differently")

    async def follow(self) -> None:
        """Wait until the pages of the players have shown the slam of the last step.

        Those who only watch are waited for where no player is here.
        """
        number, waited_s = len(self.match.steps) - 1, 0.0
        while number in self.slams and waited_s < self.patience_s:
            here = {page: visitor for page, visitor in self.viewers.pages.items()
                    if Client.instances[page].has_socket_connection}  # fmt: skip
            players = [page for page, visitor in here.items() if self.seats_of(visitor)]
            if all(self.seen.get(page, -1) >= number for page in players or here):
                return
            await asyncio.sleep(_LOOK_S)
            waited_s += _LOOK_S


class BattlePage(TablePage):
    """The page of one visitor."""

    heading = "PokéPucks"
    legend = "<p>A throw that was seen stays: nothing is taken back in a battle.</p>"
    plays = PLAYS
    table: BattleTable

    def own_actions(self) -> Sequence[Action]:
        """Return the actions of a battle: throw, and see the last slam again."""
        return (
            Action(
                "t",
                "throw with these numbers",
                lambda: self.throw(self._aimed, self.number),
                word="Throw",
            ),
            Action("v", "see the last throw again", self._again, word="Show that throw again"),
        )

    def stage(self) -> None:
        """Add the arena."""
        self._shown = len(self.table.match.steps) - 1  # step of the slam shown last
        self._holds = False  # while a slam runs, its outcome is not told
        self._aimed = AimedThrow()
        self._page = context.client.id
        self.table.seen[self._page] = self._shown
        self._arena = ArenaElement(
            lambda flick, step: self.throw(with_flick(self._aimed, flick), step), self._land
        )
        self._picked: list[Any] = []
        self._is_reviewed = False

    def panel(self) -> None:
        """Add the review, the chances, the Arena's stack, and the numbers of a throw."""
        self._review_box = ui.element("div").classes("opt").mark("review")
        self._chances = ui.label().classes("soft whitespace-pre-line text-sm").mark("chances")
        with ui.expansion("What lies in the Arena").classes("w-full"):
            self._pile = ui.row().classes("gap-1").mark("arena")
        with ui.expansion("Numbers instead of a flick").classes("w-full"):
            for setting in SETTINGS:
                with ui.column().classes("w-full gap-0"):
                    self._add_slider(setting)

    def _add_slider(self, setting: Setting) -> None:
        """Add a number of the throws that are made without a flick."""

        def describe(value: float | None) -> str:
            return f"{setting.label}: {value or 0:g}{setting.unit}"

        label = ui.label()
        slider = ui.slider(
            min=setting.low, max=setting.high, step=setting.step,
            value=getattr(self._aimed, setting.name), on_change=partial(self._set, setting),
        ).props(f'aria-label="{setting.label}"').mark(setting.name)  # fmt: skip
        label.bind_text_from(slider, "value", describe)

    def show(self) -> None:
        """Show the table as it is now, or the slam that is new."""
        newest = len(self.table.match.steps) - 1
        if newest > self._shown and newest in self.table.slams:
            self._shown, self._holds = newest, True
            self._play(newest)
            self.question.text = "In the air ..."
            self.options.clear()
            # A page that draws nothing does not tell when it is over.
            ui.timer(self.table.patience_s, partial(self._land, newest), once=True)
        if not self._holds:
            super().show()

    def _play(self, number: int) -> None:
        """Play the slam of a step."""
        words = self._count_words(self.table.match.steps[number])
        self._arena.play(number, *self.table.slams[number], words)

    def say(self) -> tuple[str, str]:
        """Return whose turn it is, and what there is to know about it."""
        match, state = self.table.match, self.state.state
        now, own = match.open, self.table.seats_of(self.visitor)
        if self.at is not None:
            return f"Step {self.at} of {len(match.steps)}", ""
        if now is None:
            won, *rest = self.table.game.result(self.state)
            return won, "You win! Another one?" if state.winner in own else " ".join(rest)
        if isinstance(now, Decision):
            if now.seat not in own:
                return f"{self.table.name_of(now.seat)} decides.", ""
            if self.decision is None:  # it is answered as proposed
                return "One moment ...", ""
            return first_sentence(now.about), f"Turn {state.turn.number}. {count_words(now.about)}"
        assert isinstance(now, Call)
        call: ThrowCall = now.about
        names, is_own = state.table.names, call.player in own
        if call.knock_out:
            rival = names[state.player]
            about = f"{rival} has no Health left: if the slammer flips, {rival} is out."
        else:
            left = spell(max(state.turn.attacks - state.turn.made, 1), "throw")
            lie = f"{spell(len(call.targets))} lie in the Arena"
            about = f"{left.capitalize()} in this turn; {lie}."
        if not is_own:
            return f"{names[call.player]} throws.", about
        if not self.table.is_simulated:
            return "Your turn: press Throw.", f"{about} What comes of it is drawn from a table."
        return f"Your turn: flick at {'the slammer' if call.knock_out else 'the stack'}.", about

    def aside(self) -> str:
        """Return what was answered as proposed since the visitor has last answered or thrown."""
        own, found = self.table.seats_of(self.visitor), dict[str, list[str]]()
        for step in reversed(self.steps):
            state, ask = step.before, step.before.ask
            if ask.player not in own:
                continue
            if isinstance(ask, ThrowCall) or only_sensible(state.state, ask) is None:
                break
            if step.answer and is_open(state.state, ask):
                names = [state.state.design(one).name if isinstance(one, int)
                         else BATTLE.words(state, one) for one in step.answer]  # fmt: skip
                found.setdefault(kind_of(ask), []).insert(0, ", ".join(names))
        told = [kind if kind in words else f"{kind}: {', '.join(words)}"
                for kind, words in reversed(found.items())]  # fmt: skip
        return f"Done as proposed: {'; '.join(told)}." if told else ""

    def seat_row(self, seat: int) -> None:
        """Add Health, which one sees shrink, and the stacks of a player."""
        state: BattleState = self.state.state
        if seat not in state.playing:
            return
        health, most = state.health(seat), state.max_size(health_of(seat)) or 0
        own = "yours" if seat in self.table.seats_of(self.visitor) else "accent"
        names = (html.escape(state.design(puck).name) for puck in health)
        discs = "".join(
            f'<i class="full" title="{name}" style="--own:var(--{own})"></i>' for name in names
        )
        empty = "<i></i>" * max(most - len(health), 0)
        words = ", ".join((f"Health {len(health)} of {most}", *state.statuses[seat]))
        ui.html(
            f'<div class="hp" role="img" aria-label="{words}">{discs}{empty}</div>'
            f'<small class="soft">{words}</small>',
            sanitize=False,
        )
        for where, stack in (("Power", state.power(seat)), ("Prize", state.prize(seat))):
            if stack:
                with ui.row().classes("gap-1 items-center"):
                    ui.label(where).classes("soft text-sm")
                    self._add_chips(state, stack)

    def _add_chips(self, state: BattleState, stack: Sequence[int]) -> None:
        """Add the pucks of a stack; each says what it does on hover or tap."""
        for design, alike in groupby(stack, state.design):
            pucks = list(alike)
            count = f"{len(pucks)} x " if len(pucks) > 1 else ""
            about = option_sentence(state, pucks[0])
            fill, ink = map(hex_code, chip_colours(design))
            chip = ui.label(f"{count}{design.name}").classes("pucklab-chip")
            chip.style(f"background:{fill};color:{ink}").tooltip(about)
            chip.on("click", partial(ui.notify, about))

    def draw(self) -> None:
        """Show the Arena to throw at, or the slam of an earlier step."""
        match = self.table.match
        state: BattleState = self.state.state
        self._pile.clear()
        with self._pile:
            self._add_chips(state, state.arena[::-1])
        now = match.open if self.at is None else None
        decision = self.decision
        asked = None if decision is None else decision.about
        lines = chance_lines(state, asked) if isinstance(asked, Question) else ()
        self._chances.text = "\n".join(lines)
        if self.at and isinstance(match.steps[self.at - 1].before.ask, ThrowCall):
            ui.timer(0, partial(self._recall, self.at - 1), once=True)
        if isinstance(now, Call):
            call: ThrowCall = now.about
            is_own = self.table.may_throw(self.visitor) and not self.table.busy
            if is_own:
                ui.timer(0, partial(self._tell_chances, state, call), once=True)
            scene, faces = self.table.scene_of(state, call)
            aims, step = is_own and self.table.is_simulated, self.table.number
            self._arena.show_stack(scene, throw_of(self._aimed), faces, aims=aims, step=step)
        if match.open is None and not self._is_reviewed and not self.table.replays:
            self._is_reviewed = True
            ui.timer(0, self._review, once=True)

    def tell(self) -> None:
        """Tell turn by turn what happened, the last one first."""
        steps = self.steps
        turns: list[list[str]] = [[]]
        if steps:
            for line in self.table.game.tell(steps[0].before, steps, verbose=True):
                if line.startswith("Turn "):
                    turns.append([f"{line}:"])
                elif turns[-1] and not line.startswith("  Health:"):
                    turns[-1].append(line.strip())
        self.story.clear()
        with self.story:
            for lines in reversed(turns[-_TOLD:]):
                ui.label(" ".join(lines))

    async def _recall(self, number: int) -> None:
        """Play the slam of a step."""
        try:
            await self.table.recall(number)
        except InputError as error:
            ui.notify(str(error))
        if number in self.table.slams and not self._holds:
            self._play(number)

    async def _tell_chances(self, state: BattleState, call: ThrowCall) -> None:
        """Tell the chances of a throw that is to be made."""
        self._chances.text = await compute(self.table.viewers, describe_chances, state, call) or ""

    def option_buttons(self) -> None:
        """Add the proposed answer with its reason, and the others."""
        decision, state, game = self.decision, self.table.match.state, self.table.game
        assert decision is not None
        proposed = tuple(game.propose(state, decision) or ())
        self._picked = list(proposed)
        why = f"proposed: {game.words(state, proposed)}. {game.why(state, decision)}"
        option_button("Take", why, self._take).classes("best").mark("take")
        if decision.most > 1:
            for option in decision.options:
                box = ui.checkbox(
                    game.words(state, option),
                    value=option in self._picked,
                    on_change=partial(self._pick, option),
                )
                box.tooltip(option_sentence(state.state, option)).mark(f"option-{option}")
            return
        for option in decision.options:
            if (option,) != proposed:
                about = option_sentence(state.state, option).partition(": ")[2]
                button = option_button(
                    game.words(state, option), about, partial(self.choose, (option,))
                )
                button.mark(f"option-{option}")
        if proposed and not decision.least:
            option_button("Nothing", "Keep it for later.", partial(self.choose, ()))

    def _pick(self, option: Any, event: ValueChangeEventArguments[bool]) -> None:
        others = [picked for picked in self._picked if picked != option]
        self._picked = [*others, option] if event.value else others

    def throw(self, aimed: AimedThrow, step: int) -> None:
        """Throw, if it is the visitor's throw, and the page shows the step that is open."""
        self.attempt(self.table.flick, self.visitor, aimed, step)
        if not self.table.busy:
            self.show()

    def _take(self) -> None:
        decision = self.decision
        if decision is not None:
            if decision.least <= len(self._picked) <= decision.most:
                self.choose(tuple(self._picked))
            else:
                ui.notify(f"choose {decision.least} to {decision.most}")

    def _set(self, setting: Setting, event: ValueChangeEventArguments[float]) -> None:
        self._aimed = set_to(self._aimed, setting, event.value)

    def _land(self, step: int) -> None:
        """Go on from a slam that was shown."""
        self.table.seen[self._page] = max(self.table.seen.get(self._page, -1), step)
        if self._holds and step == self._shown:
            self._holds = False
            self.show()

    def _count_words(self, step: Any) -> tuple[str, str]:
        """Return the count of a throw, and how rare it is."""
        call, outcome, state = step.before.ask, step.answer, step.before.state
        names, flips, about = state.table.names, len(outcome.flipped), ""
        told = f"{spell(flips, 'flip')}" if flips else "no flip"
        if call.knock_out:
            told = f"{names[state.player]} {'is out' if 0 in outcome.flipped else 'stays'}"
        elif flips > 1 and (throw := throw_at(state, call.player, call.targets)) is not None:
            many = int((throw.flips.sum(axis=0) >= flips).sum())
            rare = number_word(round(throw.slams / max(many, 1)))
            about = f"one throw in {rare} does that" if many else ""
        if step.after.state.winner is not None:
            told = f"{names[step.after.state.winner]} wins"
        return told, about

    async def _again(self) -> None:
        steps = self.table.match.steps
        throws = [k for k, step in enumerate(steps) if isinstance(step.before.ask, ThrowCall)]
        if throws:
            await self._recall(throws[-1])
        else:
            ui.notify("no throw was made yet")

    async def _review(self) -> None:
        """Tell how the chance to win went, and offer the throws that decided to be seen again."""
        match = self.table.match
        if why_not_covered(match.setup):
            return
        seat = next(iter(self.table.seats_of(self.visitor)), 0)
        review = await compute(self.table.viewers, look_back, match.steps, seat)
        self._review_box.clear()
        if review is None:
            return
        with self._review_box:
            ui.html("<h3>The throws that decided</h3>", sanitize=False)
            for throw in sorted(review.throws, key=lambda one: -abs(one.change))[:_DECIDED]:
                about = f"Turn {throw.turn}, {100 * throw.change:+.0f} %: play it again"
                option_button(throw.words, about, partial(self._recall, throw.step))
            # The chance to win over the battle.
            step = 100 / max(len(review.curve) - 1, 1)
            points = " ".join(
                f"{step * k:.1f},{40 - 40 * chance:.1f}"
                for k, (_, chance) in enumerate(review.curve)
            )
            ui.html(
                '<svg viewBox="-1 -1 102 42" role="img" aria-label="chance to win" fill="none" '
                'stroke="var(--accent)"><path d="M0 20h100" stroke-width=".3"/>'
                f'<polyline points="{points}"/></svg>',
                sanitize=False,
            ).classes("w-full")
            for line in review_lines(review):
                ui.label(line).classes("text-sm")


def look_back(steps: Sequence[Any], seat: int) -> Review | None:
    """Return the review of a battle by the player of a seat; None if nothing was decided."""
    found = deque(review_battle(steps, seat), maxlen=1)
    return found[0] if found else None


def open_battle(match: Any, throws: Any, *, replays: bool = False, **options: Any) -> Table:
    """Open a table for a battle, or for a record of one; see `tables.open_table`."""
    return open_table(match, kind=partial(BattleTable, throws=throws), replays=replays, **options)


def table_for(source: Mapping[str, str]) -> Callable[..., Table]:
    """Return the table of a battle that goes on, with throws from the source of its record."""
    is_drawn = source.get("throws") == "table"
    engine = source.get("engine") or "plane"
    throws = shipped_table() if is_drawn else PhysicsThrows(engine=engine)
    return partial(BattleTable, throws=throws)


def show_battles() -> None:
    """Show the set-up of a battle, with the choices of the last one."""
    visitor = visitor_now()
    config, message = read_config()
    known = [design.name for design in puckdex() if design.kind.is_slammer]

    def start() -> None:
        chosen = replace(
            config, name=own_name.value.strip(), slammer=slammer.value, rival=rival.value,
            level=level.value, length=length.value,
        )  # fmt: skip
        CALLED[visitor.name] = chosen.name
        if visitor.is_host:
            write_config(chosen)
        find, called = shipped_catalogue().find_slammer, [chosen.name, ""]
        own = SIMPLE_PAIR if chosen.length == "simple" else (slammer.value, rival.value)
        options = BattleOptions(**LENGTHS[chosen.length])
        setup = house_setup([find(name, "slammer") for name in own], options)
        throws = PhysicsThrows(engine="solid")
        kinds = ("person", level.value)
        match = battle_match(
            BATTLE.with_names(setup, called),
            [PLAYERS.of(kind, persons=True) for kind in kinds],
            throws,
            secrets.randbelow(_SEEDS),
            kinds=kinds,
            source={"throws": "physics", "engine": throws.engine},
        )
        try:
            ui.navigate.to(
                f"/tables/{open_battle(match, throws, host=visitor, called=called).name}"
            )
        except InputError as error:
            ui.notify(str(error))

    with page_frame("Battle") as (stage, _), stage:
        add_running_games(visitor)
        ui.label("Throw in turn; what lands face up is yours.").classes("say")
        own_name = ui.input("Your name", value=given_name(visitor)).props("maxlength=20")
        slammer = ui.select(known, value=config.slammer, label="Your slammer")
        rival = ui.select(known, value=config.rival, label="Slammer of the rival")
        level = ui.select(
            {"person": "a friend", **{kind: f"plays {how}" for kind, how in PLAYS.items()}},
            value=config.level,
            label="The rival",
        ).mark("level")
        length = ui.select(_LENGTHS, value=config.length, label="Length")
        word_button("Start", start, is_main=True).mark("start")
        ui.label(message)
