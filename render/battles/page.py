"""Web pages of battles: the story, the players' stacks, and the throws as slams in space.

`battle_page` makes a `BattlePage`, a `SlamPlayer` with a clip for each throw that can be simulated
again. In the folder ``web``, ``battle.js`` tells the story. A page has no more than 500,000 bytes:
a long battle keeps the slams with the most flips.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pucklab.base.files import version
from pucklab.physics import Arena
from pucklab.physics.slam import MAX_PLANE_STACK
from pucklab.render.battles.scenes import (
    chip_colours,
    face_of,
    faces_of,
    slam_again,
    standing,
    thrown_at,
    view_turn_rad,
)
from pucklab.render.battles.timeline import Timeline, timeline_of
from pucklab.render.pages import MAX_BYTES, fill_places, web_text
from pucklab.render.palette import ENERGIES, hex_code
from pucklab.render.slams.emblems import face_shapes
from pucklab.render.slams.export import Progress
from pucklab.render.slams.looks import PieceLook
from pucklab.render.slams.player import (
    Clip,
    ReadyClip,
    SlamPlayer,
    cameras_of,
    look_facts,
    still_picture,
)
from pucklab.sim.pokepucks.battle.events import TurnBegan
from pucklab.sim.pokepucks.battle.explanations import design_text
from pucklab.sim.pokepucks.battle.match import BattleMatch
from pucklab.sim.pokepucks.battle.record import place_text
from pucklab.sim.pokepucks.battle.state import BattleState, Step, places
from pucklab.sim.pokepucks.designs import Design, piece_of
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows

_SEAT_RAD = np.pi / 2
"""Turn of the cameras with which the throws of the first player go away from the viewer."""

_INKS = ("accent", "out", "flipped", "leaning", "slammer", "faint", "text", "control")
"""Colours of the players' curves."""


class BattlePage(SlamPlayer):
    """A page of a battle.

    Attributes:
        clips: The slams of the throws that are drawn, in order.
    """

    kind = "battle"
    most_bytes = MAX_BYTES
    tolerances_mm = (0.3, 0.6, 1.2, 2.4)
    height_px = 760

    def __init__(
        self, timeline: Timeline, clips: Mapping[int, Clip], *, simulated: bool, origin: str = ""
    ) -> None:
        """Make a page of a battle.

        Args:
            timeline: Its story.
            clips: Slams by the numbers of their throws; some throws may have none.
            simulated: False if no throw was a slam.
            origin: Seed and source of its throws, in words.
        """
        self._timeline, self._slams, self._simulated = timeline, dict(clips), simulated
        self._kept: tuple[int, ...] = tuple(clips)
        self._origin = origin
        self.title = " against ".join(timeline[0].state.table.names)

    @property
    def clips(self) -> Sequence[Clip]:  # type: ignore[override]
        """The slams that are drawn."""
        return [self._slams[number] for number in self._kept]

    @property
    def scripts(self) -> tuple[str, ...]:  # type: ignore[override]
        """The script that tells the battle."""
        return (web_text("pucklab.render.battles", "battle.js"),)

    @property
    def drawn(self) -> str:
        """Number of throws that are drawn, as a text.

        Known once the page has been made.
        """
        throws = sum(entry.is_throw for entry in self._timeline)
        kept = len(self._kept)
        if kept == throws:
            return f"all {throws} throws are drawn" if throws else "no throws"
        why = "those with the most flips, as there is room for no more"
        if not self._simulated:
            why = "a table has the results of throws, and not how the pucks flew"
        elif kept == len(self._slams):
            why = "the others come out differently when they are simulated again"
        return f"{kept} of {throws} throws are drawn: {why}"

    def _fit_page(self, ready: Sequence[ReadyClip]) -> str | None:
        """Return the page with as many slams as fit, those with the most flips."""
        numbers, coarse = self._kept, self.tolerances_mm[-1]
        flips = [len(each.clip.slams[0][1].outcome.flipped) for each in ready]
        best = sorted(range(len(ready)), key=lambda place: -flips[place])

        def page_of(kept: int) -> str:
            places = sorted(best[:kept])
            self._kept = tuple(numbers[place] for place in places)
            return self._page([ready[place] for place in places], coarse)

        if len(page_of(len(best))) <= self.most_bytes:
            return super()._fit_page(ready)
        fitting = bisect_right(
            range(len(best)), self.most_bytes, key=lambda kept: len(page_of(kept))
        )
        return page_of(fitting - 1) if fitting else None

    def _stage(self, ready: Sequence[ReadyClip]) -> str:
        emblems = ""
        for energy in ENERGIES:  # as SVG shapes around their own middle
            shapes = [1.8 * (shape - (0.0, 0.16)) * (1, -1) for shape in face_shapes(energy)]
            path = "".join(
                "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in shape.tolist()) + "Z"
                for shape in shapes
            )
            emblems += f'<path id="e-{energy}" d="{path}"/>'
        stage = web_text("pucklab.render.battles", "stage.html")
        return fill_places(stage, {"space": super()._stage(ready), "emblems": emblems})

    def _still(self, ready: Sequence[ReadyClip]) -> bytes:  # noqa: ARG002
        """Return a picture for browsers that cannot draw in space: the largest Arena."""
        state = max((entry.state for entry in self._timeline), key=lambda s: len(s.arena))
        scene, moment = standing(state)
        return still_picture(scene, moment, None, faces_of(state, state.arena[-MAX_PLANE_STACK:]))

    def _art(self) -> set[str]:
        looks = [_look(puck.design) for puck in self._timeline[-1].state.table.pucks]
        return super()._art() | {name for look in looks for name in (look.face, look.back)}

    def _more_facts(self) -> Mapping[str, Any]:
        state = self._timeline[-1].state
        designs = list(dict.fromkeys(puck.design for puck in state.table.pucks))
        arena = Arena()
        story = {
            "names": state.table.names,
            "places": [place_text(place) for place in places(state.table.players)],
            "pucks": [designs.index(puck.design) for puck in state.table.pucks],
            "designs": [_design_facts(design) for design in designs],
            "entries": _entries(self._timeline, self._kept),
            "about": f"{self._origin}; {self.drawn}; pucklab {version()}",
            "inks": [f"var(--{name})" for name in _INKS],
            "most": MAX_PLANE_STACK,
            "arena": {
                "half": arena.half_side_mm,
                "wall": arena.shown_wall_mm,
                "cameras": cameras_of(arena, _SEAT_RAD),
            },
        }
        return {"story": story}


def battle_page(
    match: BattleMatch,
    throws: object,
    progress: Progress = lambda throws, _: throws,
) -> BattlePage:
    """Return the page of a battle.

    Args:
        match: The battle, as far as it was played.
        throws: Source of its throws, which are drawn if they were slams.
        progress: Passes on the throws to simulate, of a given number, and reports them.
    """
    timeline, table = timeline_of(match), match.setup
    thrown = [entry for entry in timeline if entry.is_throw]
    clips = {}
    for entry in progress(iter(thrown), len(thrown)):
        last = entry.last_throw
        if last is None or not isinstance(throws, PhysicsThrows):
            continue
        slam = slam_again(match, throws, last)
        if slam is None:
            continue
        pucks = thrown_at(last.call.targets, slam.scene)
        clips[last.call.number] = Clip(
            title=entry.before_outcome.words,
            slams=((table.names[last.call.player], slam),),
            faces=faces_of(entry.state, pucks),
            turned_rad=_SEAT_RAD + view_turn_rad(match, last.call.player, slam),
            facts={"pucks": pucks},
        )
    source, engine = (match.source.get(name, "") for name in ("throws", "engine"))
    origin = f"seed {match.seed}, throws: {source} ({engine} engine)"
    simulated = isinstance(throws, PhysicsThrows)
    return BattlePage(timeline, clips, simulated=simulated, origin=origin)


def _entries(timeline: Timeline, kept: Sequence[int]) -> list[dict[str, Any]]:
    """Return the entries as JSON, each with its changes."""
    before: dict[str, Any] = {}
    found = []
    for entry in timeline:
        last = entry.last_throw
        fact: dict[str, Any] = {
            "lines": entry.lines,
            "isTurn": isinstance(entry.event, TurnBegan),
            "isThrow": entry.is_throw,
            "moved": sorted(entry.pucks),
            "throws": entry.before_outcome.words if entry.is_throw else "",
            "fallen": last is not None,
        }
        fact = {name: part for name, part in fact.items() if part}
        if last is not None and last.call.number in kept:
            fact["clip"] = kept.index(last.call.number)
        state = entry.state
        shown = {
            "turn": state.turn.number,
            "head": _turn_text(state),
            "player": state.player,
            "playing": state.playing,
            **{f"stack{place}": stack for place, stack in enumerate(state.stacks)},
            **{f"status{seat}": list(map(str, own)) for seat, own in enumerate(state.statuses)},
        }
        now = {name: part for name, part in shown.items() if part != before.get(name)}
        found.append(fact | {"now": now})
        before = shown
    return found


def _turn_text(state: BattleState) -> str:
    """Return the title of a state: the turn, or the result of the battle."""
    if state.winner is not None:
        return f"{state.table.names[state.winner]} wins"
    if state.step is Step.OVER:
        return "A draw"
    if not state.turn.number:
        return "Set-up"
    return f"Turn {state.turn.number}: {state.table.names[state.player]}"


def _design_facts(design: Design) -> dict[str, Any]:
    fill, ink = map(hex_code, chip_colours(design))
    return {
        "name": design.name,
        "about": design_text(design),
        "energy": str(design.type) if design.type and not design.kind.is_slammer else "",
        "fill": fill,
        "ink": ink,
        **look_facts(_look(design), piece_of(design)),
    }


def _look(design: Design) -> PieceLook:
    if design.kind.is_slammer:
        label = f"{design.mass_g:g} g"
        return PieceLook(face=label, back=label, is_metal=True)
    return PieceLook(face=face_of(design), back="back", is_metal=False)
