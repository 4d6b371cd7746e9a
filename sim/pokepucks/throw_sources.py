"""Sources of throws: slams of the physics, recorded slams, and tallies of odds.

`PhysicsThrows` slams every throw. `TableThrows` draws whole recorded slams of the same kind: it is
hundreds of times faster, and flips, outs and distances of one slam stay together. `OddsThrows`
draws from tallies such as ``pucklab odds`` makes: whether a throw hits, how many pucks flip, which
ones by the chances of their depth, how many of the others leave the arena or end leaning, and
distances about their mean. Tallies do not tell how flips, outs and distances of one throw depend on
each other: in the recorded slams the lower pucks rest nearer to the centre, and pucks that leave
the arena come from the top.

The table of recorded slams is CSV with a row for each kind of throw: the mass of the slammer
thrown, the mass of the slammer thrown at (empty for a stack of pucks), the number of pieces, and
outcomes with spaces between them, in the form of `pucklab.sim.pokepucks.throws.outcome_text` with
distances in whole mm. ``python -m pucklab.sim.pokepucks.throw_sources FILE`` makes the table that
comes with pucklab (rows stand in ``FILE.part`` as they come, and a run that was stopped goes on
from there): slammers of the PuckDex's masses thrown by the default thrower at stacks of 1 to 17
pucks, and at slammers of those masses with up to 6 shields. House data: no such throws were
measured.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import field, replace
from functools import cache, lru_cache, partial
from hashlib import sha256
from math import log, log1p, pi, sqrt
from pathlib import Path

import numpy as np

from pucklab.base.facts import fact
from pucklab.base.files import read_shipped_text, read_text, write_whole
from pucklab.base.tables import read_rows
from pucklab.base.values import read_number
from pucklab.physics import (
    PRESETS,
    Arena,
    Face,
    ParameterSet,
    Piece,
    Preset,
    Scene,
    SlamOutcome,
    Throw,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    puck_stack,
    slam,
    trial_generator,
)
from pucklab.physics.slam import MAX_PLANE_STACK
from pucklab.physics.tally import total_of
from pucklab.sim.experiments import read_table
from pucklab.sim.experiments.table import COUNTS_CHARS, experiment_in
from pucklab.sim.odds import KNOCK_OUTS, ODDS, Tally
from pucklab.sim.odds.study import throw_again
from pucklab.sim.pokepucks.designs import piece_of, slammer_of
from pucklab.sim.pokepucks.throws import (
    Landing,
    Outcome,
    Shot,
    ThrowKind,
    kind_of,
    missed,
    outcome_of,
    outcome_text,
    parse_outcome,
    with_still,
)
from pucklab.sim.scene.hand_throw import AimedThrow, throw_of
from pucklab.sim.scene.scenes import slammers_by_mass

TABLE_FILE = "throws.csv"
TABLE_COLUMNS = ("slammer_g", "knock_out_g", "pieces", "outcomes")
TABLE_MISS = "miss"
"""A miss in the table; its row gives the stack."""

MASSES_G = (4.0, 8.0, 20.0)
MAX_PUCKS = 17
MAX_SHIELDS = 6
TRIALS = 400
SEED = 1
"""The throws of the table that comes with pucklab."""

_CORNER_MM = 215.5
"""Distance of the arena's corners from its centre; nothing depends on where pucks outside rest."""

_GONE = Landing(Face.OUT, _CORNER_MM)


@fact
class PhysicsThrows:
    """Throws as slams of the physics; each takes 2 to 20 ms, in the solid engine 10 to 50 ms.

    Attributes:
        parameters: Materials, lift-off, and the thrower for players without one of their own.
        throwers: Throwers of the first players, in turn order.
        arena: The arena.
        preset: Time steps and iterations of the plane engine.
        engine: The engine, one of `pucklab.physics.ENGINES`.

    Example:
        >>> from pucklab.physics import trial_generator
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> outcome = PhysicsThrows().throw(shot, trial_generator(1, 0))
        >>> outcome.hit, len(outcome.landings)
        (True, 8)
    """

    parameters: ParameterSet = field(default_factory=ParameterSet)
    throwers: tuple[ThrowDistribution, ...] = ()
    arena: Arena = field(default_factory=Arena)
    preset: Preset = PRESETS["recommended"]
    engine: str = "plane"

    def throw(
        self, shot: Shot, rng: np.random.Generator, aimed: AimedThrow | None = None
    ) -> Outcome:
        """Return the outcome of a slam.

        Special rules may heap up a stack that is too high for the physics (PP-42). Then its lowest
        pucks do not move, except for a slammer thrown at below them.
        """
        scene, throw = self.scene_and_throw(shot, rng, aimed)
        return self.outcome(shot, slam(scene, throw, engine=self.engine).outcome, throw)

    def outcome(self, shot: Shot, slammed: SlamOutcome, throw: Throw) -> Outcome:
        """Return the outcome of a throw whose slam is known."""
        outcome = replace(outcome_of(slammed), throw=throw)
        return with_still(outcome, len(shot.stack) - len(outcome.landings), int(shot.knock_out))

    def scene_and_throw(
        self, shot: Shot, rng: np.random.Generator, aimed: AimedThrow | None = None
    ) -> tuple[Scene, Throw]:
        """Return the scene and the throw that `throw` slams with the same state of ``rng``.

        Args:
            shot: The throw.
            rng: Random numbers for this throw alone.
            aimed: The throw as a person aims it; it gets the scatter of the player's own throws.
        """
        lone, buried = int(shot.knock_out), max(len(shot.stack) - MAX_PLANE_STACK, 0)
        stack = (*shot.stack[:lone], *shot.stack[lone + buried :])
        scene = Scene(
            slammer=slammer_of(shot.slammer),
            stack=tuple(_piece(design) for design in stack),
            arena=self.arena,
            materials=self.parameters.materials,
            lift_off=self.parameters.lift_off,
            preset=self.preset,
        )
        own = shot.player < len(self.throwers)
        thrower = self.throwers[shot.player] if own else self.parameters.thrower
        drawn = draw_throw(thrower, len(stack), rng)
        if aimed is None:
            return scene, drawn
        return scene, throw_again(throw_of(aimed), drawn)


_piece = lru_cache(maxsize=256)(piece_of)


@fact
class TableThrows:
    """Throws drawn from recorded slams.

    A throw of a kind that the table lacks is drawn from the nearest kind. Additional pieces do not
    move; they are at the bottom, above a slammer thrown at.

    Attributes:
        text: The table as CSV, in the form given in the module.
        texts: The outcomes of each kind.

    Example:
        >>> from pucklab.physics import trial_generator
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> outcome = shipped_table().throw(shot, trial_generator(1, 0))
        >>> outcome.hit, len(outcome.landings)
        (True, 8)
    """

    text: str = field(repr=False)
    texts: dict[ThrowKind, str] = field(init=False, repr=False, compare=False)
    _slams: dict[ThrowKind, tuple[Outcome, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Sort the outcomes by kind; they are parsed when they are needed."""
        texts = {}
        rows = read_rows(self.text, "throws", TABLE_COLUMNS, longest=COUNTS_CHARS)
        for row in (own.cells for own in rows):
            target = row["knock_out_g"]
            kind = ThrowKind(
                slammer_g=float(row["slammer_g"]),
                knock_out_g=float(target) if target else None,
                pieces=int(row["pieces"]),
            )
            texts[kind] = row["outcomes"]
        object.__setattr__(self, "texts", texts)

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Pickle the text alone; another process parses it once, however often it is sent."""
        return table_of, (self.text,)

    @property
    def kinds(self) -> tuple[ThrowKind, ...]:
        """The kinds of throws in the table."""
        return tuple(self.texts)

    @property
    def engine(self) -> str:
        """The engine of the recorded slams."""
        return "plane"

    @property
    def digest(self) -> str:
        """SHA-256 digest of the table, in hexadecimal digits."""
        return sha256(self.text.encode()).hexdigest()

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a recorded slam."""
        slams = self.slams(kind_of(shot))
        return slams[int(rng.integers(len(slams)))]

    def slams(self, kind: ThrowKind) -> tuple[Outcome, ...]:
        """Return the outcomes from which throws of a kind are drawn."""
        found = self._slams.get(kind)
        if found is None:
            near = min(self.texts, key=kind.distance_to)
            texts = self.texts[near].split(" ")
            found = self._slams[kind] = tuple(_fit(text, near, kind.pieces) for text in texts)
        return found


@cache
def shipped_table() -> TableThrows:
    """Return the table that comes with pucklab: slams of its own physics by its default thrower."""
    return table_of(read_shipped_text("pucklab.sim.pokepucks", TABLE_FILE))


@lru_cache(maxsize=2)
def table_of(text: str) -> TableThrows:
    """Return a table from CSV text; the same object for the same text."""
    return TableThrows(text=text)


def _fit(text: str, kind: ThrowKind, pieces: int) -> Outcome:
    """Return the outcome of a slam of a kind for another number of pieces, counted from the top."""
    if text == TABLE_MISS:
        return missed(pieces)
    outcome, lone = parse_outcome(text), int(kind.knock_out_g is not None)
    if pieces >= kind.pieces:
        return with_still(outcome, pieces - kind.pieces, lone)
    landings = outcome.landings
    return Outcome(hit=True, landings=(*landings[:lone], *landings[lone + kind.pieces - pieces :]))


@fact
class OddsEntry:
    """Counted throws of one slammer."""

    slammer_g: float
    knock_out_g: float | None = None  # mass of the slammer at the bottom; None for pucks
    tally: Tally
    engine: str = "plane"

    @property
    def kind(self) -> ThrowKind:
        """The kind of the throws."""
        return ThrowKind(
            slammer_g=self.slammer_g, knock_out_g=self.knock_out_g, pieces=self.tally.pieces
        )


@fact
class OddsThrows:
    """Throws drawn from tallies.

    A throw of a kind without a tally is drawn from the nearest kind with one. Without any tally of
    stacks, or of knock-outs, such throws are drawn from the shipped table.

    Attributes:
        entries: The tallies of stacks and of knock-outs.

    Example:
        >>> from pucklab.sim.odds import Tally
        >>> miss = Tally(trials=1, hits=0, flips=(1, 0), flips_by_place=(0,), outs=(1, 0),
        ...              leaning=0, distance_um=0, slammers_out=0)
        >>> throws = OddsThrows(entries=(OddsEntry(slammer_g=8.0, knock_out_g=None, tally=miss),))
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> throws.throw(shot, np.random.default_rng(1)).hit
        False
    """

    entries: tuple[OddsEntry, ...]
    _drawings: dict[ThrowKind, "_Drawing"] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def engine(self) -> str:
        """The engine of the tallies, or several with ``and`` between them."""
        return " and ".join(sorted({entry.engine for entry in self.entries}))

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return an outcome drawn from the tallies."""
        kind = kind_of(shot)
        drawing = self._drawings.get(kind)
        if drawing is None:
            entries = [e for e in self.entries if (e.knock_out_g is not None) == shot.knock_out]
            if not entries:
                return shipped_table().throw(shot, rng)
            entry = min(entries, key=lambda entry: kind.distance_to(entry.kind))
            drawing = self._drawings[kind] = _drawing(entry, kind.pieces)
        return drawing.draw(rng)


def read_odds_throws(path: Path) -> OddsThrows:
    """Return throws drawn from an odds file of ``pucklab odds --out``.

    Raises:
        InputError: The file cannot be read, or is no odds file.
    """
    where = f"throws: {str(path)!r}"
    text = read_text("throws", path)
    experiment = KNOCK_OUTS if experiment_in(text, where) == KNOCK_OUTS.name else ODDS
    table = read_table(text, where, experiment)
    grams = partial(read_number, low=0.1, high=1000.0, unit="g")
    names = ["slammer_g"] + ["knock_out_g"] * (experiment is KNOCK_OUTS)
    return OddsThrows(
        entries=tuple(
            OddsEntry(
                **{name: grams(f"{where}: {name}", row.labels.get(name, "")) for name in names},
                tally=table.entries[row.id].tally,
                engine=str(row.labels.get("engine", "")),
            )
            for row in table.rows
        )
    )


@fact
class _Drawing:
    """The chances from which throws of one kind are drawn.

    Attributes:
        hit: Chance to hit.
        flips: Chances of at most 0, 1, ... flips, given a hit; empty if the pieces flip
            independently, as in a knock-out attempt.
        weights: Chance of each piece to flip, given a hit, from the floor up.
        out: Chance to leave the arena, for a piece that does not flip.
        leaning: Chance to lean, for a piece that neither flips nor leaves the arena.
        distance_mm: Mean distance of the pieces that stay inside.
    """

    hit: float
    flips: tuple[float, ...]
    weights: tuple[float, ...]
    out: float
    leaning: float
    distance_mm: float

    def draw(self, rng: np.random.Generator) -> Outcome:
        """Return an outcome."""
        pieces = len(self.weights)
        first, count, *uniform = rng.random(2 + 4 * pieces).tolist()
        if first >= self.hit:
            return missed(pieces)
        flipped = self._draw_flips(count, uniform[:pieces])
        lots = zip(*(uniform[k * pieces : (k + 1) * pieces] for k in (1, 2, 3)), strict=True)
        landings = []
        for index, (leaves, leans, far) in enumerate(lots):
            face = Face.DOWN
            if index in flipped:
                face = Face.UP
            elif leaves < self.out:
                landings.append(_GONE)
                continue
            elif leans < self.leaning:
                face = Face.LEANING
            # Rayleigh distribution: distance of a point with a normal error on each axis. Its mean
            # is sigma * sqrt(pi / 2), its quantile function sigma * sqrt(-2 * log(1 - u)).
            distance_mm = self.distance_mm * sqrt(-log1p(-far) * 4 / pi)
            landings.append(Landing(face, round(min(distance_mm, _CORNER_MM), 3)))
        return Outcome(hit=True, landings=tuple(landings))

    def _draw_flips(self, count: float, uniform: list[float]) -> set[int]:
        if not self.flips:
            return {index for index, weight in enumerate(self.weights) if uniform[index] < weight}
        number = bisect_right(self.flips, count)
        if not number:
            return set()
        # Efraimidis and Spirakis: the greatest of u ** (1 / w) are a sample without replacement
        # with the weights w; their logarithms have the same order.
        keys = [
            (log(max(u, 1e-300)) / w, index)
            for index, (u, w) in enumerate(zip(uniform, self.weights, strict=True))
            if w > 0
        ]
        keys.sort(reverse=True)
        return {index for _, index in keys[:number]}


def _drawing(entry: OddsEntry, pieces: int) -> _Drawing:
    """Return the chances from which throws at ``pieces`` pieces are drawn.

    From an entry of another size, each puck has the chance of the same depth below the top, and a
    slammer thrown at keeps its own.
    """
    tally = entry.tally
    hits = max(tally.hits, 1)
    chances = [count / hits for count in tally.flips_by_place]
    lone = chances[:1] if entry.knock_out_g is not None else []
    pucks = chances[len(lone) :] or [0.0]
    weights = [
        *lone,
        *(pucks[max(-depth, -len(pucks))] for depth in range(pieces - len(lone), 0, -1)),
    ]
    # Chances of at most 0, 1, ... flips, given a hit.
    counts = [tally.flips[0] - (tally.trials - tally.hits), *tally.flips[1:]]
    most = min(pieces, len(counts) - 1)
    flips = () if lone else tuple(sum(counts[: k + 1]) / hits for k in range(most))
    outs = total_of(tally.outs)
    rest = max(hits * tally.pieces - sum(tally.flips_by_place), 1)
    stay = max(rest - outs, 1)
    inside = max(tally.inside - (tally.trials - tally.hits) * tally.pieces, 1)
    return _Drawing(
        hit=tally.hits / tally.trials,
        flips=flips,
        weights=tuple(weights),
        out=outs / rest,
        leaning=tally.leaning / stay,
        distance_mm=tally.distance_um / 1000 / inside,
    )


def scenes() -> Iterator[tuple[float, float | None, Scene]]:
    """Yield the mass of the slammer, the mass of a slammer thrown at or None, and the scene."""
    slammers = slammers_by_mass(MASSES_G)
    stacks: list[tuple[float | None, tuple[Piece, ...]]] = [
        (None, puck_stack(count)) for count in range(1, MAX_PUCKS + 1)
    ]
    for mass_g, target in zip(MASSES_G, slammers, strict=True):
        stacks += [
            (mass_g, knock_out_stack(target.slammer, count)) for count in range(MAX_SHIELDS + 1)
        ]
    for mass_g, named in zip(MASSES_G, slammers, strict=True):
        for target_g, stack in stacks:
            yield mass_g, target_g, Scene(slammer=named.slammer, stack=stack)


def table_csv(trials: int = TRIALS, part: Path | None = None) -> str:
    """Return the table as CSV.

    Args:
        trials: Slams of each kind.
        part: A file that gets each row as it is made, in any order; its rows are not made again.
    """
    kept = read_text("part", part).splitlines() if part and part.exists() else []
    made = {kind: words for kind, _, words in (line.rpartition(",") for line in kept)}
    kinds = []
    for thrown_g, target_g, scene in scenes():
        target = "" if target_g is None else f"{target_g:g}"
        kind = f"{thrown_g:g},{target},{len(scene.stack)}"
        kinds.append(kind)
        if kind not in made:
            made[kind] = " ".join(_outcome_word(scene, trial) for trial in range(trials))
            if part:
                write_whole(part, "".join(f"{kind},{made[kind]}\n" for kind in made).encode())
    rows = (",".join(TABLE_COLUMNS), *(f"{kind},{made[kind]}" for kind in kinds))
    return "\n".join(rows) + "\n"


def _outcome_word(scene: Scene, trial: int) -> str:
    """Return the outcome of a throw without spaces, with distances in whole mm."""
    throw = draw_throw(ThrowDistribution(), len(scene.stack), trial_generator(SEED, trial))
    outcome = outcome_of(slam(scene, throw).outcome)
    if not outcome.hit:
        return TABLE_MISS
    whole = (Landing(landing.face, round(landing.distance_mm)) for landing in outcome.landings)
    return outcome_text(Outcome(hit=True, landings=tuple(whole))).replace(" ", "")


if __name__ == "__main__":
    table, rows = Path(sys.argv[1]), Path(f"{sys.argv[1]}.part")
    write_whole(table, table_csv(part=rows).encode())
    rows.unlink()
