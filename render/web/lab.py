"""The Lab: one page to watch slams, to throw, and to ask how often pucks flip.

`lab_page` returns it as one text that needs no other file and no server. Its scripts stand beside
this module, each with one topic: ``pieces.js`` and ``lines.js`` (scenes, and throws as lines of
text), ``kernels.js`` (the engine), ``workers.js``, ``question.js``, ``words.js``, ``charts.js``,
``arena.js``, and ``lab.js``, which puts them together. What these need of the physics, `lab_facts`
writes into the page: no constant stands twice. Pages of battles have the arena alone, as a script
that `arena_script` returns; ``stage.js`` is its end.
"""

import base64
import json
import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from pucklab.base.errors import Limits
from pucklab.base.files import version
from pucklab.base.kernels import LIBRARIES
from pucklab.base.parsing import json_text
from pucklab.physics import (
    MATERIALS,
    Arena,
    LiftOff,
    Material,
    Materials,
    Piece,
    Puck,
    Scene,
    Slammer,
    Throw,
    ThrowDistribution,
    materials,
    pieces,
    slam_line,
)
from pucklab.physics.material import material_name
from pucklab.physics.scene import MAX_STACK, MAX_STACK_MM, START_GAP_MM
from pucklab.physics.slam import PHYSICS_VERSION
from pucklab.physics.solid import bodies, engine, kernel, stages, state
from pucklab.physics.solid.settings import FAST
from pucklab.physics.thrower import CAREFUL_THROWER
from pucklab.render.pages import (
    document_of,
    fill_places,
    pack_json,
    page_colours,
    script_json,
    web_text,
)
from pucklab.render.palette import DARK, KINDS
from pucklab.render.slams.camera3d import WALL_MM, preset_camera
from pucklab.render.slams.emblems import ENERGY_ORDER
from pucklab.render.slams.packing import graphics, pack_slams, page_slam
from pucklab.render.slams.sound import page_sounds
from pucklab.sim.experiments.curve import curve_constants
from pucklab.sim.experiments.estimates import Z_95
from pucklab.sim.experiments.experiment import plain_facts
from pucklab.sim.odds.answers import belief
from pucklab.sim.odds.model_ranges import model_ranges
from pucklab.sim.odds.study import ODDS, Study
from pucklab.sim.scene.fields import FIELDS
from pucklab.sim.scene.replay import Replay
from pucklab.sim.scene.scenes import PIECE_SETS

MAX_BYTES = 250_000
"""Largest page without slams that it carries."""

SEED = 1
"""Seed of the throws that are counted."""

USUAL_THROWS = Path(__file__).with_name("usual_throws.json")
"""Throws of the usual scene, made by ``tools/lab_throws.py``; those of another physics are left."""

_ENGINE = ("kernels.js", "worker.js")
_ARENA = ("pieces.js", "lines.js", "workers.js", "arena.js", "stage.js")
_DRAWING = ("scene.js", "motion.js", "sound.js", "flick.js")
_SCRIPTS = (
    "pieces.js", "lines.js", "workers.js", "words.js", "csv.js", "charts.js", "question.js",
    "arena.js", "lab.js",
)  # fmt: skip

_BUTTONS = """<button id="again" type="button" class="main">Throw</button>
<button id="best" type="button">Best flip</button>
<select id="slams" aria-label="Slams" hidden></select>"""
_SHARE = '<div class="right"><button id="share" type="button">Share this throw</button></div>'

HASTY_THROWER = ThrowDistribution(aim_sd_mm=18.0, tilt_sd_deg=25.0)
"""A thrower in a hurry: the widest spreads in which the engines were compared."""

_LETTERS = slam_line.LETTERS


def lab_page(
    opening: str = "",
    *,
    slams: Sequence[tuple[str, Replay | str]] = (),
    navigation: str = "",
    site_url: str = "",
) -> str:
    """Return the Lab as one page.

    Args:
        opening: What it opens at if its own address names nothing: a ``th1:`` line, or numbers by
            the names of ``pucklab odds`` such as ``slammer_g=20&pucks=10&seed=1&trial=7``.
        slams: Slams that it opens at instead, each with its name: a line, or a replay, whose
            motion is carried and played, not computed (of the plane, and of other versions).
        navigation: The name and the links at the head of the page, in HTML.
        site_url: Address of a Lab that shared throws are opened with; by default the page's own.
    """
    facts: dict[str, Any] = {"opening": opening, "site": site_url, "version": version()}
    if slams:
        facts["carried"] = pack_slams(page_slam(*own) for own in slams)
    fill = {
        "arena": arena_html(_BUTTONS),
        "dialogs": web_text("pucklab.render", "dialogs.html"),
        "facts": script_json(facts | {"packed": _pack_facts(), "wasm": _pack_kernels()}),
        "engine": _shorten(_join(_ENGINE)),
        "script": _shorten(f'"use strict";\n{_drawing()}\n{_join(_SCRIPTS)}'),
    }
    name = navigation or '<a class="name" href="#">pucklab</a>'
    return document_of(
        slams[0][0] if slams else "pucklab: the Lab",
        fill_places(web_text("pucklab.render", "lab.html"), fill),
        style=re.sub(" ?([{:;,]) ", r"\1", _shorten(_join(("look.css", "arena.css", "lab.css")))),
        policy="script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; "
        "img-src data: blob:",
        kind="lab",
        navigation=f"{name}{_SHARE}",
        about="Throw a slammer at a stack of pucks, and ask how often they flip. Everything is "
        "computed in this page.",
    )


def arena_html(buttons: str = "") -> str:
    """Return the elements of an arena, with further buttons before its clock."""
    return fill_places(web_text("pucklab.render", "arena.html"), {"buttons": buttons})


@lru_cache(maxsize=1)
def arena_script() -> str:
    """Return a script that defines ``openArena``, for a page that has the elements of an arena.

    See `openStage` in ``stage.js`` for what it takes and returns. It has no other names.
    """
    engine = _shorten(_join(_ENGINE))
    given = {"packed": _pack_facts(*KINDS), "wasm": _pack_kernels(), "engine": engine}
    opened = f"return openStage({script_json(given)}, use);"
    parts = ("const openArena = (use) => {", _drawing(), engine, _join(_ARENA), opened, "};")
    return _shorten("\n".join(parts))


def _join(names: Sequence[str]) -> str:
    """Return files that stand beside this module, one after another."""
    return "\n".join(web_text("pucklab.render", name) for name in names)


def _drawing() -> str:
    return "\n".join(web_text("pucklab.render.slams", name) for name in _DRAWING)


def _shorten(script: str) -> str:
    """Return a script without indents, comments on lines of their own, and blanks round "="."""
    lines = re.sub(r"^\s*/\*.*?\*/$", "", script, flags=re.DOTALL | re.MULTILINE).splitlines()
    kept = [own for line in lines if (own := line.strip()) and not own.startswith("//")]
    return re.sub(" (=|=>|===) ", r"\1", "\n".join(kept))


@lru_cache(maxsize=2)
def _pack_facts(*faces: str) -> str:
    """Return `lab_facts` with all that draws slams, and pictures of further faces."""
    drawing = graphics(("", *faces))
    drawing["shaders"] = {name: _shorten(text) for name, text in drawing["shaders"].items()}
    return pack_json(lab_facts() | {"gl": drawing})


@lru_cache(maxsize=1)
def _pack_kernels() -> str:
    module = (LIBRARIES / "pucklab-wasm32.wasm").read_bytes()
    return base64.b64encode(zlib.compress(module, 9)).decode()


def lab_facts() -> dict[str, Any]:
    """Return what the page's scripts need of the physics, as JSON."""
    usual = Scene(slammer=pieces.puckdex_slammer(8.0), stack=(Puck(),) * 10)
    law = bodies.law_of(usual, FAST)._asdict()
    return {
        "physics": PHYSICS_VERSION,
        "line": {
            "begin": slam_line.LINE,
            "longest": slam_line.MAX_LINE,
            "letters": {kind.__name__: dict(own) for kind, own in _LETTERS.items()},
        },
        "usual": {
            "Slammer": _numbers(Slammer(mass_g=2.0)),
            "Puck": _numbers(Puck()),
            **{
                kind.__name__: _numbers(kind())
                for kind in (Arena, Material, Materials, LiftOff, ThrowDistribution)
            },
            "Throw": _numbers(Throw(speed_mm_s=500.0)) | {"jitter_mm": []},
        },
        "ranges": {
            kind.__name__: _ranges(kind)
            for kind in (Arena, Material, Materials, LiftOff, ThrowDistribution, Throw)
        },
        "materials": {name: _numbers(own) for name, own in MATERIALS.items()},
        "sets": {name: [_piece(one) for one in own] for name, own in PIECE_SETS.items()},
        "throwers": {
            "careful people": _numbers(CAREFUL_THROWER),
            "most people": _numbers(ThrowDistribution()),
            "people in a hurry": _numbers(HASTY_THROWER),
        },
        "fields": {
            name: [field.low, field.high, field.unit, *(field.own or ())]
            for name, field in FIELDS.items()
            if field.high > field.low
        },
        "make": {
            "diameterMm": pieces.PIECE_DIAMETER_MM,
            "upperHalfMm": pieces.UPPER_HALF_MM,
            "puckMm": pieces.PUCK_THICKNESS_MM,
            "slammerMm": pieces.PUCKDEX_THICKNESS_MM,
            "bodyG": pieces.PUCKDEX_BODY_G,
            "insertInnerMm": pieces.RING_INSERT_INNER_MM,
            "insertOuterMm": pieces.RING_INSERT_OUTER_MM,
            "insertMaxG": pieces.INSERT_MAX_G,
            "insertFromMm": pieces.INSERT_MIN_THICKNESS_MM,
            "steelGMm3": pieces.STEEL_G_MM3,
            "diametersMm": pieces.DIAMETERS_MM,
            "thicknessesMm": pieces.THICKNESSES_MM,
            "mostPieces": MAX_STACK,
            "highestMm": MAX_STACK_MM,
            "gapMm": START_GAP_MM,
            "insertAreaMm2": pieces.INSERT_AREA_MM2,
            "realDensity": pieces.REAL_DENSITY_G_CM3,
            "anyDensity": pieces.ANY_DENSITY_G_CM3,
            "massesG": {kind.__name__: own for kind, own in pieces.MASSES_G.items()},
        },
        "contact": {
            "edgeMm": materials.EDGE_DEPTH_MM,
            "slope": materials.EDGE_SLOPE,
            "log96": materials.LOG_96,
            "face": materials.FACE_OVER_RIM,
        },
        "blocks": {
            "law": law,
            "settings": asdict(FAST),
            "bodies": bodies.BLOCK_BODIES,
            "unit": bodies.BLOCK_UNIT,
            "half": bodies.BLOCK_HALF_SIDE,
            "wall": bodies.BLOCK_WALL_HEIGHT,
            "out": bodies.BLOCK_OUT_RADIUS,
            "begin": bodies.BLOCK_LAW,
            "table": bodies.BLOCK_TABLE,
            "columns": state.COLUMNS,
            "at": {
                name: getattr(state, name)
                for name in (
                    "INVERSE_MASS",
                    "INVERSE_DIAMETER",
                    "INVERSE_AXIS",
                    "HALF",
                    "OFFSET",
                    "RADIUS",
                    "COMPLIANCE",
                    "DAMPING",
                    "FRICTION",
                )
            },
            "longestS": [bodies.LONGEST_S, bodies.LONGEST_ROLL_S],
            "throw": bodies.THROW_FIELDS,
            "thrower": [each.name for each in fields(ThrowDistribution)],
            "tolerance": engine.ENERGY_TOLERANCE,
            "impactS": stages.IMPACT_S,
            "mostBodies": kernel.MAX_BODIES,
        },
        "seed": SEED,
        "energies": ENERGY_ORDER,
        "cameras": {name: preset_camera(name) for name in ("follow", "above", "side")},
        "wallThickness": WALL_MM,
        "colours": page_colours(DARK),
        "themes": {"dark": page_colours(DARK)},
        "sounds": page_sounds(),
        "curve": curve_constants(),
        "odds": {"tag": ODDS.tag, "study": _study_text(usual), "z": Z_95},
        "belief": _beliefs(),
        "thrown": _usual_throws(),
    }


def _usual_throws() -> dict[str, Any]:
    """Return the tally and the flips of each trial of the usual scene, by the slammer's mass."""
    stored = json.loads(USUAL_THROWS.read_bytes())
    is_new = (stored["physics"], stored["seed"]) == (PHYSICS_VERSION, SEED)
    throws: dict[str, Any] = stored["throws"] if is_new else {}
    return throws


def _study_text(usual: Scene) -> str:
    """Return what the hash of a case is made of, with places for what a question changes."""
    thrower = ThrowDistribution()

    def text(facts: Any) -> str:
        return json_text(facts, sort_keys=True, default=plain_facts)

    found = text((ODDS.tag, Study(scene=usual, thrower=thrower)))
    parts = {"arena": usual.arena, "materials": usual.materials, "thrower": thrower}
    for name, part in {"slammer": usual.slammer, **parts}.items():
        found = found.replace(text(part), f"%{name}%")
    return found.replace(text(usual.stack), "[%stack%]")


def _beliefs() -> dict[str, Any]:
    """Return how far real pucks may differ: by the slammer's mass, and of another make."""
    own = {}
    for half in range(4, 49):
        scene = Scene(slammer=pieces.puckdex_slammer(half / 2), stack=(Puck(),) * 10)
        study = Study(scene=scene, thrower=ThrowDistribution())
        flips = model_ranges(study)["flips"]
        own[f"{half / 2:g}"] = [
            round(flips.low, 4),
            round(flips.high, 4),
            *belief([study]).splitlines(),
        ]
    odd = Scene(slammer=pieces.puckdex_slammer(8.0), stack=(Puck(diameter_mm=40.0),))
    return {
        "own": own,
        "other": belief([Study(scene=odd, thrower=ThrowDistribution())]).partition(":")[0],
    }


def _numbers(owner: Any) -> dict[str, Any]:
    """Return the numbers of a fact by their names; infinity as null."""
    found = asdict(owner)
    return {
        name: None if isinstance(value, float) and math.isinf(value) else value
        for name, value in found.items()
    }


def _piece(piece: Piece) -> dict[str, Any]:
    """Return a piece by its numbers, and its material by its name."""
    name = None if piece.material is None else material_name(piece.material)
    return _numbers(piece) | {"material_name": name}


def _ranges(kind: Any) -> dict[str, list[Any]]:
    notes = {each.name: each.metadata.get("limits") for each in fields(kind)}
    return {
        name: [note.low, note.high, note.unit]
        for name, note in notes.items()
        if isinstance(note, Limits)
    }
