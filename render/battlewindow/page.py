"""Web pages of battles: the story, the players' stacks, and the throws as slams in space.

`battle_page` makes a `BattlePage`, a `SlamPlayer` with a clip for each throw that can be simulated
again. In the folder ``web``, ``battle.js`` tells the story. A page has no more than 500,000 bytes:
a long battle keeps the slams with the most flips.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from physics import Arena
from physics.slam import MAX_PLANE_STACK
from render.battlewindow.arena import face_of, faces_in, standing, thrown_at, turned_rad
from render.battlewindow.picture import turn_text
from render.battlewindow.stacks import tile_colours
from render.battlewindow.timeline import Game, Timeline, turn_starts
from render.pages import MAX_BYTES, filled, web_text
from render.palette import ENERGIES, LIGHT, hex_code
from render.slams.emblems import face_shapes
from render.slams.export import Progress
from render.slams.looks import PieceLook
from render.slams.player import (
    Clip,
    ReadyClip,
    SlamPlayer,
    box_name,
    cameras_of,
    look_facts,
    still_picture,
)
from sim.core.files import version
from sim.pokepucks.battle.explanations import design_text
from sim.pokepucks.battle.record import place_text
from sim.pokepucks.battle.state import BattleState, places
from sim.pokepucks.designs import Design, piece_of

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

    def __init__(self, game: Game, clips: Mapping[int, Clip], *, origin: str = "") -> None:
        """Make a page of a battle whose throws have slams, by their numbers; some may have none."""
        self._game, self._slams = game, dict(clips)
        self._kept: tuple[int, ...] = tuple(clips)
        self._origin, self._height_px = origin, 760
        self.title = " against ".join(game.timeline[0].state.table.names)

    @property
    def clips(self) -> Sequence[Clip]:  # type: ignore[override]
        """The slams that are drawn."""
        return [self._slams[number] for number in self._kept]

    @property
    def scripts(self) -> tuple[str, ...]:  # type: ignore[override]
        """The script that tells the battle."""
        return (web_text("render.battlewindow", "battle.js"),)

    @property
    def drawn(self) -> str:
        """Number of throws that are drawn, as a text.

        Known once the page has been made.
        """
        throws = sum(entry.is_throw for entry in self._game.timeline)
        kept = len(self._kept)
        if kept == throws:
            return f"all {throws} throws are drawn" if throws else "no throws"
        why = "those with the most flips, as there is room for no more"
        if self._game.slams is None:
            why = "a table has the results of throws, and not how the pucks flew"
        elif kept == len(self._slams):
            why = "the others come out differently when they are simulated again"
        return f"{kept} of {throws} throws are drawn: {why}"

    def _thinned(self, ready: Sequence[ReadyClip]) -> str | None:
        """Return the page with as many slams as fit, those with the most flips."""
        numbers, coarse = self._kept, self.tolerances_mm[-1]
        page = self._page(ready, coarse)
        if len(page) <= self.most_bytes:
            return super()._thinned(ready)
        flips = [len(each.clip.slams[0][1].outcome.flipped) for each in ready]
        best = sorted(range(len(ready)), key=lambda place: -flips[place])
        least, size, kept = len(self._page([], coarse)), len(page), len(best)
        while size > self.most_bytes and kept:
            share = (self.most_bytes - least) / (size - least)
            kept = max(min(int(share * kept), kept - 1), 0)
            places = sorted(best[:kept])
            self._kept = tuple(numbers[place] for place in places)
            page = self._page([ready[place] for place in places], coarse)
            size = len(page)
        return page if size <= self.most_bytes else None

    def _stage(self, ready: Sequence[ReadyClip]) -> str:
        """Return what the page shows, as HTML."""
        emblems = "".join(_emblem(energy) for energy in ENERGIES)
        stage = web_text("render.battlewindow", "stage.html")
        return filled(stage, {"space": super()._stage(ready), "emblems": emblems})

    def _still(self, ready: Sequence[ReadyClip]) -> bytes:  # noqa: ARG002
        """Return a picture for browsers that cannot draw in space: the largest Arena."""
        state = max((entry.state for entry in self._game.timeline), key=lambda s: len(s.arena))
        seen = standing(state, state.arena)
        return still_picture(seen.scene, seen.moment, None, seen.faces)

    def _looks(self) -> Sequence[PieceLook]:
        """Return the looks of all pieces."""
        pucks = self._game.timeline[-1].state.table.pucks
        return [*super()._looks(), *(_look(puck.design) for puck in pucks)]

    def _arenas(self) -> set[Arena]:
        """Return all boxes."""
        return super()._arenas() | {Arena()}

    def _more_facts(self) -> Mapping[str, Any]:
        """Return the story."""
        state = self._game.timeline[-1].state
        designs = list(dict.fromkeys(puck.design for puck in state.table.pucks))
        arena = Arena()
        story = {
            "names": state.table.names,
            "places": [place_text(place) for place in places(state.table.players)],
            "pucks": [designs.index(puck.design) for puck in state.table.pucks],
            "designs": [_design_facts(design) for design in designs],
            "entries": _entries(self._game.timeline, self._kept),
            "about": f"{self._origin}; {self.drawn}; pucklab {version()}",
            "inks": [f"var(--{name})" for name in _INKS],
            "most": MAX_PLANE_STACK,
            "arena": {
                "half": arena.half_side_mm,
                "box": box_name(arena),
                "cameras": cameras_of(arena, _SEAT_RAD),
            },
        }
        return {"story": story}


def battle_page(
    game: Game,
    origin: str = "",
    progress: Progress = lambda throws, _: throws,
) -> BattlePage:
    """Return the page of a battle.

    Args:
        game: The battle.
        origin: Seed and source of its throws, in words.
        progress: Passes on the throws that are simulated, of so many, and reports them.
    """
    thrown = [entry for entry in game.timeline if entry.is_throw]
    clips = {}
    for entry in progress(iter(thrown), len(thrown)):
        last, table = entry.last_throw, entry.state.table
        slam = game.slam_of(last)
        if slam is None or last is None:
            continue
        pucks = thrown_at(last.call.targets, slam.replay.scene)
        clips[last.call.number] = Clip(
            title=entry.before_outcome.words,
            slams=((table.names[last.call.player], slam.replay),),
            faces=faces_in(entry.state, pucks),
            turned_rad=_SEAT_RAD + turned_rad(game, last.call, slam),
            facts={"pucks": tuple(pucks)},
        )
    return BattlePage(game, clips, origin=origin)


def _entries(timeline: Timeline, kept: Sequence[int]) -> list[dict[str, Any]]:
    """Return the entries as JSON, each with what it changes."""
    turns, before = set(turn_starts(timeline)), None
    found = []
    for number, entry in enumerate(timeline):
        last = entry.last_throw
        fact: dict[str, Any] = {
            "lines": entry.lines,
            "isTurn": number in turns,
            "isThrow": entry.is_throw,
            "moved": sorted(entry.pucks),
            "throws": entry.before_outcome.words if entry.is_throw else "",
            "fallen": last is not None,
        }
        fact = {name: part for name, part in fact.items() if part}
        if last is not None and last.call.number in kept:
            fact["clip"] = kept.index(last.call.number)
        found.append(fact | _changes(before, entry.state))
        before = entry.state
    return found


def _changes(before: BattleState | None, state: BattleState) -> dict[str, Any]:
    """Return what is shown of a state and was different before."""
    facts = _headings(state)
    if before is not None:
        own = _headings(before)
        facts = {name: value for name, value in facts.items() if value != own[name]}
    for name, now, old in (
        ("stacks", state.stacks, () if before is None else before.stacks),
        ("statuses", state.statuses, () if before is None else before.statuses),
    ):
        changed = {
            place: list(map(str, part)) if name == "statuses" else part
            for place, part in enumerate(now)
            if (old[place] if old else ()) != part
        }
        facts |= {name: changed} if changed else {}
    return facts


def _headings(state: BattleState) -> dict[str, Any]:
    return {
        "turn": state.turn.number,
        "head": turn_text(state),
        "player": state.player,
        "playing": state.playing,
    }


def _design_facts(design: Design) -> dict[str, Any]:
    fill, ink = tile_colours(design, LIGHT)
    return {
        "name": design.name,
        "about": design_text(design),
        "energy": str(design.type) if design.type and not design.kind.is_slammer else "",
        "fill": hex_code(fill),
        "ink": hex_code(ink),
        **look_facts(_look(design), piece_of(design)),
    }


def _look(design: Design) -> PieceLook:
    if design.kind.is_slammer:
        label = f"{design.mass_g:g} g"
        return PieceLook(face=label, back=label, is_metal=True)
    return PieceLook(face=face_of(design), back="back", is_metal=False)


def _emblem(energy: str) -> str:
    """Return the emblem of an energy type as an SVG shape, without its place for a letter."""
    lines = []
    for shape in face_shapes(energy):
        points = 1.8 * (shape - (0.0, 0.16)) * (1, -1)
        lines.append("M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points.tolist()) + "Z")
    return f'<path id="e-{energy}" d="{"".join(lines)}"/>'
