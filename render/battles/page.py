"""Web pages of battles: the story, the players' stacks, and the throws as slams in space.

`battle_page` makes a `BattlePage` with each throw that can be simulated again, shown in the Lab's
arena: computed there from its line, or with the motion that throws of the plane carry. In the
folder ``web``, ``battle.js`` tells the story. A page has no more than 500,000 bytes: a long battle
keeps the throws with the most flips.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pucklab.base.facts import fact
from pucklab.base.files import version, write_whole
from pucklab.physics import Arena
from pucklab.physics.slam import MAX_PLANE_STACK
from pucklab.render.battles.scenes import (
    chip_colours,
    face_of,
    faces_of,
    slam_again,
    thrown_at,
    view_turn_rad,
)
from pucklab.render.battles.timeline import Timeline, timeline_of
from pucklab.render.pages import (
    MAX_BYTES,
    check_page_size,
    fill_page,
    fill_places,
    pack_json,
    web_text,
)
from pucklab.render.palette import ENERGIES, hex_code
from pucklab.render.slams.emblems import face_shapes
from pucklab.render.slams.export import Progress
from pucklab.render.slams.looks import PieceLook
from pucklab.render.slams.packing import PageSlam, look_facts, pack_slams, page_slam
from pucklab.render.web.lab import arena_script
from pucklab.sim.pokepucks.battle.events import TurnBegan
from pucklab.sim.pokepucks.battle.explanations import design_text
from pucklab.sim.pokepucks.battle.match import BattleMatch
from pucklab.sim.pokepucks.battle.record import place_text
from pucklab.sim.pokepucks.battle.state import BattleState, Step, places
from pucklab.sim.pokepucks.designs import Design, piece_of
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows

_SEAT_RAD = np.pi / 2
"""Turn of the cameras with which the throws of the first player go away from the viewer."""

_TOLERANCES_MM = (0.3, 0.6, 1.2, 2.4)
"""Largest distances between the motions and the straight lines between their kept samples."""

_INKS = ("accent", "out", "flipped", "leaning", "slammer", "faint", "text", "control")
"""Colours of the players' curves."""


@fact
class PageThrow:
    """A throw that a page shows.

    Attributes:
        slam: Its slam.
        pucks: The pucks of its stack.
        turned_rad: Turn of the cameras around the box.
        flips: Pucks that flip.
    """

    slam: PageSlam
    pucks: tuple[int, ...]
    turned_rad: float
    flips: int


class BattlePage:
    """A page of a battle: one file that needs no other, and is no larger than such pages may be.

    Attributes:
        title: Its title.
        most_bytes: The largest size.
    """

    most_bytes = MAX_BYTES

    def __init__(
        self,
        timeline: Timeline,
        throws: Mapping[int, PageThrow],
        *,
        simulated: bool,
        origin: str = "",
    ) -> None:
        """Make a page of a battle.

        Args:
            timeline: Its story.
            throws: Throws that are shown, by their numbers.
            simulated: False if no throw was a slam.
            origin: Seed and source of its throws, in words.
        """
        self._timeline, self._throws, self._simulated = timeline, dict(throws), simulated
        self._kept: tuple[int, ...] = tuple(throws)
        self._origin = origin
        self.title = " against ".join(timeline[0].state.table.names)

    def save(self, path: Path) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.html.encode())

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
        elif kept == len(self._throws):
            why = "the others come out differently when they are simulated again"
        return f"{kept} of {throws} throws are drawn: {why}"

    @property
    def html(self) -> str:
        """The page, with as many throws as fit: those with the most flips.

        Motions are carried as finely as they fit.

        Raises:
            InputError: The story alone is too long.
        """
        best = sorted(self._throws, key=lambda number: -self._throws[number].flips)

        def page_of(kept: int, tolerance_mm: float) -> str:
            self._kept = tuple(sorted(best[:kept]))
            return self._page(tolerance_mm)

        for tolerance_mm in _TOLERANCES_MM:
            page = page_of(len(best), tolerance_mm)
            if len(page) <= self.most_bytes:
                return page
        fitting = bisect_right(
            range(len(best)),
            self.most_bytes,
            key=lambda kept: len(page_of(kept, _TOLERANCES_MM[-1])),
        )
        page = page_of(max(fitting - 1, 0), _TOLERANCES_MM[-1])
        check_page_size(page, self.most_bytes, "the turns of a battle")
        return page

    def _page(self, tolerance_mm: float) -> str:
        throws = [self._throws[number] for number in self._kept]
        slams = pack_slams([throw.slam for throw in throws], tolerance_mm)
        emblems = ""
        for energy in ENERGIES:  # as SVG shapes around their own middle
            shapes = [1.8 * (shape - (0.0, 0.16)) * (1, -1) for shape in face_shapes(energy)]
            path = "".join(
                "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in shape.tolist()) + "Z"
                for shape in shapes
            )
            emblems += f'<path id="e-{energy}" d="{path}"/>'
        return fill_page(
            self.title,
            {"packed": pack_json({"story": {**self._story(throws), "slams": slams}})},
            kind="battle",
            stage=fill_places(
                web_text("pucklab.render.battles", "stage.html"), {"emblems": emblems}
            ),
            styles=("arena.css",),
            policy="script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:",
            scripts=[arena_script(), web_text("pucklab.render.battles", "battle.js")],
            hint="Drag to turn the view; use the wheel or two fingers to zoom.",
        )

    def _story(self, throws: Sequence[PageThrow]) -> dict[str, Any]:
        """Return the battle without its slams as JSON."""
        state = self._timeline[-1].state
        designs = list(dict.fromkeys(puck.design for puck in state.table.pucks))
        arena = Arena()
        return {
            "names": state.table.names,
            "places": [place_text(place) for place in places(state.table.players)],
            "pucks": [designs.index(puck.design) for puck in state.table.pucks],
            "designs": [_design_facts(design) for design in designs],
            "entries": _entries(self._timeline, self._kept),
            "throws": [{"pucks": one.pucks, "turned": one.turned_rad} for one in throws],
            "about": f"{self._origin}; {self.drawn}; pucklab {version()}",
            "inks": [f"var(--{name})" for name in _INKS],
            "most": MAX_PLANE_STACK,
            "turned": _SEAT_RAD,
            "arena": {"half": arena.half_side_mm, "wall": arena.shown_wall_mm},
        }


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
    timeline = timeline_of(match)
    thrown = [entry for entry in timeline if entry.is_throw]
    shown = {}
    for entry in progress(iter(thrown), len(thrown)):
        last = entry.last_throw
        if last is None or not isinstance(throws, PhysicsThrows):
            continue
        again = slam_again(match, throws, last)
        if again is None:
            continue
        scene, slam = again
        pucks = thrown_at(last.call.targets, scene)
        faces = faces_of(entry.state, pucks)
        shown[last.call.number] = PageThrow(
            slam=page_slam(entry.before_outcome.words, slam, faces),
            pucks=pucks,
            turned_rad=_SEAT_RAD + view_turn_rad(match, last),
            flips=len(last.outcome.flipped),
        )
    source, engine = (match.source.get(name, "") for name in ("throws", "engine"))
    origin = f"seed {match.seed}, throws: {source} ({engine} engine)"
    simulated = isinstance(throws, PhysicsThrows)
    return BattlePage(timeline, shown, simulated=simulated, origin=origin)


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
