"""A battle's state while it changes: effects in play, stats, what effects do (4.6, 4.7, 5, 6)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from physics import InputError
from sim.chance.distribution import Distribution
from sim.post.catalogue import Do, Effect, Move, When
from sim.post.numbers import (
    EVER,
    LEAVING,
    ONE,
    Duration,
    change_stage,
    clipped,
    converted,
    inverted,
    limited,
    rounded,
    stage_value,
    success,
)
from sim.post.state import BENCH, OUT, RESERVE, Held, Order, State

if TYPE_CHECKING:
    from sim.post.engine import Battle
    from sim.post.orders import Plan

Draw: TypeAlias = Callable[[Distribution[Any], str], Any]
"""Draws from a distribution; the text says what for."""
Note: TypeAlias = Callable[..., None]
"""Takes an event: its kind, a Pokemon, and what more there is to tell."""
BATTLE = -1
"""Owner of conditions of the battle; -2, -3 are those of the first and second team's field."""
_INDEXED = {"conditions", "items", "place", "types", "entry"}
_MOST_DEEP = 40


class Source(NamedTuple):
    """An effect in play, or of an action."""

    owner: int
    kind: str  # ability, item, condition, move
    name: str
    effect: Effect
    stamp: int
    held: Held = Held("")


Waiting: TypeAlias = list[tuple[Source, int]]
"""Effects that are to happen, each with the other Pokemon that it may be for."""


class Standing:
    """A state while it changes, and what is in play in it.

    Args:
        battle: The rules.
        state: The state at first.
        orders: Orders by Pokemon.
        draw: Draws chances.
        note: Takes events.
    """

    def __init__(
        self,
        battle: "Battle",
        state: State,
        orders: "Plan | None" = None,
        draw: Draw | None = None,
        note: Note | None = None,
    ) -> None:
        self.battle, self.roster, self.state = battle, battle.roster, state
        self.match, self.catalogue = battle.match, battle.catalogue
        self.fighters = list(state.fighters)
        self.orders = orders or {}
        self._draw: Any = draw
        self.note: Note = note or (lambda *_: None)
        self._index: dict[str, list[Source]] | None = None
        self._active: list[int] | None = None
        self.acting, self.dealt, self._is_pierced, self._depth = -1, 0, False, 0

    # State

    def put(self, **changes: Any) -> None:
        """Change what is not a Pokemon's."""
        self.state = self.state._replace(**changes)

    def set(self, i: int, **changes: Any) -> None:
        """Change a Pokemon."""
        self.fighters[i] = self.fighters[i]._replace(**changes)
        if not changes.keys().isdisjoint(_INDEXED):
            self._index = self._active = None

    def held(self, owner: int) -> tuple[Held, ...]:
        """Return the conditions of a Pokemon or a field."""
        return self.fighters[owner].conditions if owner >= 0 else self.state.fields[-1 - owner]

    def hold(self, owner: int, conditions: Iterable[Held]) -> None:
        """Replace the conditions of a Pokemon or a field."""
        if owner >= 0:
            self.set(owner, conditions=tuple(conditions))
        else:
            fields = list(self.state.fields)
            fields[-1 - owner], self._index = tuple(conditions), None
            self.put(fields=tuple(fields))

    def _owners(self) -> range:
        return range(-len(self.state.fields), len(self.fighters))

    def _stamps(self) -> list[int]:
        held = (one.stamp for owner in self._owners() for one in self.held(owner))
        return sorted({0, *held, *(f.entry for f in self.fighters)})

    def now(self) -> int:
        """Return a time after all others."""
        return 1 + self._stamps()[-1]

    def frozen(self) -> State:
        """Return the state; between steps, times are numbered anew so that equal states merge."""
        if self.state.queue is None:
            place = {stamp: n for n, stamp in enumerate(self._stamps())}
            if max(place) >= len(place):
                for owner in self._owners():
                    new = (one._replace(stamp=place[one.stamp]) for one in self.held(owner))
                    self.hold(owner, new)
                self.fighters = [f._replace(entry=place[f.entry]) for f in self.fighters]
        return self.state._replace(fighters=tuple(self.fighters))

    def active(self, team: int | None = None) -> list[int]:
        """Return the Pokemon in play, of a team or all, in order of entry."""
        if self._active is None:
            found = [(f.entry, i) for i, f in enumerate(self.fighters) if f.place >= 0]
            self._active = [i for _, i in sorted(found)]
        if team is None:
            return self._active
        return [i for i in self._active if self.roster[i].team == team]

    def others(self, team: int) -> list[int]:
        """Return the opponents in play of a team."""
        return [i for i in self.active() if self.roster[i].team != team]

    def sendable(self, team: int) -> list[int]:
        """Return the Pokemon of a team that can be sent into play."""
        own = [i for i, one in enumerate(self.roster) if one.team == team]
        sent = sum(self.fighters[i].place != RESERVE for i in own)
        places = {BENCH, RESERVE} if sent < self.match.team_size else {BENCH}
        return [i for i in own if self.fighters[i].place in places]

    def types(self, i: int) -> tuple[str, ...]:
        """Return the present types of a Pokemon."""
        f, own = self.fighters[i], self.roster[i]
        tera = (own.tera,) if f.terastal and own.tera != "Stellar" else ()
        return tera or f.types or own.species.types

    # Effects in play

    @property
    def index(self) -> dict[str, list[Source]]:
        """Effects in play by verb if they are ongoing, else by time."""
        if self._index is None:
            self._index = {}
            for source in self._sources():
                when, do = source.effect.when, source.effect.do
                self._index.setdefault(do if when == "while" else when, []).append(source)
        return self._index

    def _sources(self) -> Iterator[Source]:
        for owner in self._owners():
            entry = 0
            if owner >= 0:
                f = self.fighters[owner]
                if f.place < 0:
                    continue
                entry, items = f.entry, [self.catalogue.items[item] for item in f.items]
                for kind, things in (("ability", self.roster[owner].abilities), ("item", items)):
                    for thing in things:
                        for effect in thing.effects:
                            yield Source(owner, kind, thing.name, effect, entry)
            for held in self.held(owner):
                stamp = max(held.stamp, entry)
                for effect in self.catalogue.conditions[held.name].effects:
                    yield Source(owner, "condition", held.name, effect, stamp, held)

    def reach(self, source: Source, other: int = -1) -> Sequence[int]:
        """Return the Pokemon in play, or the fields, that an effect is for."""
        owner, on = source.owner, source.effect.on
        team = -2 - owner if owner < 0 else self.roster[owner].team
        if on == "battle":
            return (BATTLE,)
        if on in {"team", "other_team"}:  # seen from the battle, each team's field
            sides = range(len(self.battle.teams))
            return [-2 - t for t in sides if owner == BATTLE or (t == team) == (on == "team")]
        if on == "all" or owner == BATTLE:
            return self.active()
        if on == "opponents":
            return self.others(team)
        if on == "allies" or owner < 0:
            return self.active(team)
        chosen = {"self": owner, "maker": source.held.maker}.get(on, other)
        return (chosen,) if chosen >= 0 and self.fighters[chosen].place >= 0 else ()

    def meets(self, i: int, effect: Effect) -> bool:
        """Return whether a Pokemon is in the state that an effect needs."""
        n, needs = effect.at_least, effect.needs
        if needs and not self.is_so(i, needs, n):
            return False
        return not (effect.unless and self.is_so(i, effect.unless, 0 if needs else n))

    def is_so(self, i: int, word: str, at_least: int = 0) -> bool:
        """Return whether a Pokemon has a condition, or is in another state that has a word."""
        if i < 0:
            return True
        f = self.fighters[i]
        if word == "hurt":
            return f.hp < self.roster[i].stats.hp
        if word == "recovery":
            return f.recoveries > 0
        return any(self._is(one, word) and one.counters >= at_least for one in f.conditions)

    def _is(self, held: Held, word: str) -> bool:
        return word in {held.name, held.alias, self.catalogue.conditions[held.name].kind}

    def ongoing(self, do: Do, i: int, move: Move | None = None) -> Sequence[Source]:
        """Return the ongoing effects with a verb on a Pokemon, for an action; also its own."""
        found = () if self._is_pierced else self.index.get(do, ())
        if move is not None and move.ongoing:
            found = [*found, *(s for s in self.own(i, move, "while") if s.effect.do == do)]
        return [
            one
            for one in found
            if i in self.reach(one) and fits(one.effect, move) and self.meets(i, one.effect)
        ]

    def own(self, i: int, move: Move, when: When) -> list[Source]:
        """Return the effects of an action."""
        return [
            Source(i, "move", move.name, effect, 1 << 30)
            for effect in move.effects
            if effect.when == when
        ]

    def modifier(
        self, do: Do, i: int, move: Move | None = None, of: str | None = None
    ) -> tuple[Fraction, int, bool]:
        """Return factor, addend and rounding up of ongoing effects, on a stat or type."""
        factor, added, up = ONE, 0, False
        for source in self.ongoing(do, i, move):
            effect = source.effect
            if of in {None, effect.stat, effect.type}:
                factor = factor if effect.times is None else factor * effect.times
                added += 0 if effect.amount is None else self.amount(source)
                up = up or effect.up
        return factor, added, up

    def targets(self, i: int, move: Move, order: Order) -> Sequence[int]:
        """Return the legal targets of an action, the named one first (8.3c, 8.3d)."""
        allies, foes = self.active(self.roster[i].team), self.others(self.roster[i].team)
        several = {
            "user": [i],
            "all opponents": foes,
            "all allies": allies,
            "all others": [k for k in self.active() if k != i],
        }
        if move.target in several:
            return several[move.target]
        mates = [k for k in allies if k != i]
        choice = [i, *mates] if move.target == "one ally" else foes + mates
        for j in [k for k in (*order.targets, *choice) if k in choice][:1]:
            if move.reflectable and self.ongoing("reflect", j, move):
                return [i]
            drawing = self.waiting("redirect", None, -1, move)
            return [one.owner for one, _ in drawing if one.owner in foes][:1] or [j]
        return []

    def amount(self, source: Source) -> int:
        """Return the amount of an effect, rounded and within its limits."""
        effect = source.effect
        value = ONE if effect.amount is None else effect.amount
        if effect.per != "one":
            value *= self._measure(source)
        return limited(rounded(value, up=effect.up), effect.least, effect.most)

    def _measure(self, source: Source) -> int:
        found = {"counters": source.held.counters, "damage": self.dealt}
        if source.owner >= 0:  # a field has nothing else to measure
            f, own = self.fighters[source.owner], self.roster[source.owner]
            mates = zip(self.fighters, self.roster, strict=True)
            found |= {
                "user_hp": f.hp,
                "maximum_hp": own.stats.hp,
                "healed": f.healed,
                "missing_quarters": 4 * (own.species.energy - f.energy) // own.species.energy,
                "fainted_allies": sum(f.place == OUT for f, one in mates if one.team == own.team),
                "weight": own.species.weight,
                "size": own.species.size + 10 * f.dynamaxed,
            }
        return found.get(source.effect.per, 0)

    # Stats

    def stage(self, i: int, stat: str, move: Move | None = None) -> int:
        """Return a stage: its durable part and ongoing effects (6.5)."""
        durable = stage_value(self.fighters[i].stages, stat)
        return clipped(stat, durable + self.modifier("stage", i, move, stat)[1])

    def rank(self, i: int, stat: str, move: Move | None = None) -> int:
        """Return a rank, rounded once after all modifiers (1.3)."""
        factor, added, up = self.modifier("rank", i, move, stat)
        return rounded(getattr(self.roster[i].stats, stat) * factor + added, up=up)

    def speed(self, i: int) -> int:
        """Return Speed with stage and modifiers (6.5, BP-10); 0 of what is no Pokemon."""
        if i < 0:
            return 0
        stage, (factor, _, up) = self.stage(i, "speed"), self.modifier("speed", i)
        steps = 1 + Fraction(3, 4) * abs(stage)
        value = self.roster[i].stats.speed * factor * (steps if stage > 0 else 1 / steps)
        return rounded(value, up=up or stage > 0, down=stage < 0)

    # Events

    def waiting(
        self, when: str, i: int | None = None, other: int = -1, move: Move | None = None
    ) -> Waiting:
        """Return the effects in play that wait for an event, of one Pokemon or all."""
        return [
            (source, other)
            for source in (() if self._is_pierced else self.index.get(when, ()))
            if i in {None, source.owner} and fits(source.effect, move)
        ]

    def trigger(self, when: When, *of: Any) -> None:
        """Resolve the effects that wait for an event, as `waiting` has them."""
        self.resolve(self.waiting(when, *of))

    def resolve(self, waiting: Waiting) -> None:
        """Resolve effects by kind, Speed of the owner and time (4.7), though sources be gone."""
        if len(waiting) > 1:
            waiting.sort(
                key=lambda one: (one[0].effect.kind, -self.speed(one[0].owner), one[0].stamp)
            )
        self._depth += 1
        if self._depth > _MOST_DEEP:
            raise InputError(f"effects: {waiting[0][0].name} sets itself off without end")
        for source, other in waiting:
            for effect in source.effect.all():
                one = source._replace(effect=effect)
                for i in self.reach(one, other) if self.state.winner is None else ():
                    if self.meets(i, effect):
                        self.do(one, i)
            self.settle()
        self._depth -= 1

    def settle(self) -> None:
        """Check for fainting and the end after an event (4.6)."""
        known = self.state.fallen
        new = [i for i in self.active() if min(self.fighters[i][:2]) <= 0 and i not in known]
        if new:
            self.put(fallen=(*known, *new))
        if self.acting < 0 and self.state.fallen:
            fallen = self.state.fallen
            self.put(fallen=())
            for i in fallen:
                if self.state.winner is None:
                    self.leave(i, OUT)

    def leave(self, i: int, place: int) -> None:
        """Take a Pokemon out of play, to the bench or fainted."""
        kept = tuple(one for one in self.held(i) if place != OUT and self._is(one, "major"))
        self.set(i, place=place, stages=(), conditions=kept, types=(), dynamaxed=False)
        if self.state.queue:
            self.put(queue=tuple(turn for turn in self.state.queue if turn.fighter != i))
        if place == OUT:
            self.set(i, hp=0, energy=0)
            self.note("faints", i)
            left = [t for t in range(len(self.battle.teams)) if self.active(t) or self.sendable(t)]
            if len(left) == 1:
                self.put(winner=left[0])
                self.note("wins", left[0])

    def roll(self, chance: Fraction, label: str) -> bool:
        """Draw a success."""
        return chance == 1 or (chance > 0 and bool(self._draw(success(chance), label)))

    # Statements

    def do(self, source: Source, i: int) -> None:
        """Do what an effect says, to a Pokemon or a field."""
        effect, do = source.effect, source.effect.do
        if do == "stage":
            self._raise(source, i)
        elif do == "discard":
            left = [
                one
                for one in self.held(i)
                if one.name == effect.but or not self._is(one, effect.condition)
            ]
            if len(left) < len(self.held(i)):
                self.hold(i, left)
                self.note("is rid of", i, effect.condition)
        elif do == "halve":
            name = effect.condition
            lost = [one.counters // 2 * (one.name == name) for one in self.held(i)]
            both = zip(self.held(i), lost, strict=True)
            self.hold(i, (one._replace(counters=one.counters - n) for one, n in both))
        elif do == "inflict":
            self._inflict(source, i)
        elif (self.match.energy or do != "energy") and not self._is_used_up(effect, i):
            self.set(i, **self._changed(source, i))

    def _is_used_up(self, effect: Effect, i: int) -> bool:
        """Count a Recovery or Chill down; return True if there is none left."""
        name = "recoveries" if effect.recovery else "chills"
        if not (effect.recovery or effect.chill):
            return False
        left = getattr(self.fighters[i], name)
        self.set(i, **{name: max(0, left - 1)})
        return not left

    def _changed(self, source: Source, i: int) -> dict[str, Any]:
        """Return what an effect makes of a Pokemon."""
        effect, f, own, n = source.effect, self.fighters[i], self.roster[i], self.amount(source)
        match effect.do:
            case "heal":
                n = n if effect.overheal else min(max(f.hp, own.stats.hp) - f.hp, n)
                self.note("heals", i, n)
                return {"hp": f.hp + n, "healed": f.healed + n}
            case "energy":
                most = max(f.energy, own.species.energy)
                return {"energy": min(most, f.energy + n)}
            case "lose":
                self.note("loses", i, n, source.name)
                return {"hp": f.hp - n}
            case "invert":
                return {"stages": inverted(f.stages)}
            case "convert":
                return {"stages": converted(f.stages, str(effect.stat), effect.into[0])}
            case "type":
                return {"types": tuple(dict.fromkeys((*self.types(i), effect.type)))}
            case "drop":
                self.note("drops all", i)
                return {"items": ()}
        self.note("consumes", i, source.name)
        return {"items": tuple(item for item in f.items if item != source.name.lower())}

    def _inflict(self, source: Source, i: int) -> None:
        effect, name = source.effect, source.effect.condition
        condition = self.catalogue.conditions[name]
        if i >= 0:
            done = self.fighters[i].done
            immune = any(one.effect.condition == name for one in self.ongoing("unaffected", i))
            if immune or name in done or {*self.types(i)} & {*condition.unaffected}:
                self.note("is unaffected by", i, name)
                return
            if self._is_used_up(effect, i):
                return
            self.set(i, done=(*done, name) if condition.once else done)
        marker, note = condition.kind == "marker", (effect.action,) if effect.action else ()
        counters = max(effect.counters, marker)
        until = self._began(effect.duration or condition.duration or EVER, i, effect)
        made = Held(name, until, counters, self.now(), source.owner, effect.alias, note)
        held = list(self.held(i))
        for place, old in enumerate(held):
            if {old.name, old.alias} == {name, effect.alias}:  # the stack limit is 1 (8)
                counters = old.counters + counters * (marker or source.name == name)
                held[place] = old._replace(counters=counters, note=(*old.note, *note))
                break
        else:
            held.append(made)
            self.note("gets", i, name)
        self.hold(i, held)
        self.resolve([one for one in self.waiting("made", i) if one[0].name == name])

    def _began(self, until: Duration, i: int, effect: Effect) -> Duration:
        """Return a duration that begins now; the present unit is not counted if it follows."""
        runs = self.acting == i if until.unit == "turns" else self.state.queue is not None
        return until._replace(left=until.left + (effect.following and runs and until.left > 0))

    def _raise(self, source: Source, i: int) -> None:
        effect, by, steps = source.effect, self.amount(source), self.match.steps or 3
        until = self._began(effect.duration or LEAVING, i, effect)
        twice = [one.effect for one in self.ongoing("twice", i) if by > 0]
        stats = [one.into for one in twice if one.stat == effect.stat]
        for stat in stats[-1] if stats else [str(effect.stat)]:
            before, old = self.stage(i, stat), self.fighters[i].stages
            self.set(i, stages=change_stage(old, stat, by, until, effect.extension, steps))
            after = self.stage(i, stat)
            if after != before:
                self.note("stage", i, stat, after)
            if after > before:
                raised = self.waiting("raised", i)
                self.resolve([one for one in raised if stat in one[0].effect.into])


def fits(effect: Effect, move: Move | None) -> bool:
    """Return whether an effect is for an action with these words; "!" before a word is not."""
    words = move.words if move is not None else frozenset[str]()
    return all((word[1:] not in words) if word[0] == "!" else word in words for word in effect.only)
