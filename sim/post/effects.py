"""A battle's state while it changes: effects in play, stats, events, the verbs (4.6, 4.7, 5, 6)."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from pucklab.physics import InputError
from pucklab.sim.chance.distribution import Distribution
from pucklab.sim.post.battle import Battle, Entrant, Plan
from pucklab.sim.post.catalogue import Effect, Move, Thing
from pucklab.sim.post.numbers import (
    EVER,
    LEAVING,
    ONE,
    STATS,
    Duration,
    Extension,
    Rational,
    change_stage,
    clip_stage,
    limit,
    round_to_int,
    stage_value,
    success,
)
from pucklab.sim.post.state import BENCH, OUT, RESERVE, Fighter, Held, Order, State
from pucklab.sim.post.values import FIELDS, SEATS, holds, name_key, value_of

Draw: TypeAlias = Callable[[Distribution[Any], str], Any]
"""Draws from a distribution; the text says what for."""
Note: TypeAlias = Callable[..., None]
"""Takes an event: its kind, a Pokemon, and what more there is to tell."""
BATTLE = -1
"""Owner of conditions of the battle; -2, -3 are those of the first and second team's field."""
_INDEXED = {"conditions", "items", "place", "types", "entry", "abilities"}
_MOST_DEEP = 40
_STAGES = {stat: f"{stat.replace('_', ' ')} stage" for stat in STATS}
_PLAIN: tuple[Rational, int, bool, int | None] = 1, 0, False, None


class Event(NamedTuple):
    """An event that effects and substitutions wait for."""

    time: str
    subject: int = -1  # a Pokemon or a field; -1: all
    other: int = -1
    move: Move | None = None
    words: frozenset[str] = frozenset()


_NO_EVENT = Event("")


class Source(NamedTuple):
    """An effect in play, or of an action, and the event that set it off."""

    owner: int
    kind: str  # ability, item, condition, move
    name: str
    effect: Effect
    stamp: int
    held: Held = Held("")
    event: Event = _NO_EVENT


class RunningBattle:
    """A state while it changes, with the effects in play.

    Args:
        battle: The rules.
        state: The state at first.
        orders: Orders by Pokemon.
        draw: Draws chances.
        note: Takes events.
    """

    fighters: list[Fighter]
    state: State
    roster: Sequence[Entrant]
    dealt: int

    def __init__(
        self,
        battle: Battle,
        state: State,
        orders: Plan | None = None,
        draw: Draw | None = None,
        note: Note | None = None,
    ) -> None:
        self.battle, self.roster, self.state = battle, battle.roster, state
        self.match, self.catalogue = battle.match, battle.catalogue
        self.fighters = list(state.fighters)
        self.orders = orders or {}
        self.draw: Any = draw
        self.note: Note = note or (lambda *_: None)
        self._index: dict[str, list[Source]] | None = None
        self._active: list[int] | None = None
        self.acting, self.dealt, self.is_pierced, self._depth = -1, 0, False, 0
        self.order = Order()  # the one under way
        self.watched = {sub.time for own in self.orders.values() for sub in own.substitutions}

    # State

    def put(self, **changes: Any) -> None:
        """Change fields of the state that belong to no Pokemon."""
        self.state = self.state._replace(**changes)

    def set(self, i: int, **changes: Any) -> None:
        """Change fields of a Pokemon."""
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

    def owners(self) -> range:
        """Return the holders of conditions: fields, then Pokemon."""
        return range(-len(self.state.fields), len(self.fighters))

    def _stamps(self) -> list[int]:
        held = (one.stamp for owner in self.owners() for one in self.held(owner))
        return sorted({0, *held, *(f.entry for f in self.fighters)})

    def next_stamp(self) -> int:
        """Return a time later than any other."""
        return 1 + self._stamps()[-1]

    def freeze(self) -> State:
        """Return the state; between steps, times are numbered anew so that equal states merge."""
        if self.state.queue is None:
            place = {stamp: n for n, stamp in enumerate(self._stamps())}
            if max(place) >= len(place):
                for owner in self.owners():
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

    def abilities(self, i: int) -> Sequence[Thing]:
        """Return the present abilities of a Pokemon."""
        names = self.fighters[i].abilities
        if names is None:
            return self.roster[i].abilities
        return [self.catalogue.abilities[name] for name in names]

    # Effects in play

    @property
    def index(self) -> dict[str, list[Source]]:
        """Effects in play by verb and object if they are ongoing, else by time."""
        if self._index is not None:
            return self._index
        found: list[Source] = []
        for owner in self.owners():
            entry = 0
            if owner >= 0:
                f = self.fighters[owner]
                if f.place < 0:
                    continue
                entry, items = f.entry, [self.catalogue.items[item] for item in f.items]
                found += [
                    Source(owner, kind, thing.name, effect, entry)
                    for kind, things in (("ability", self.abilities(owner)), ("item", items))
                    for thing in things
                    for effect in thing.effects
                ]
            for held in self.held(owner):
                stamp = max(held.stamp, entry)
                for effect in self.catalogue.conditions[held.name].effects:
                    found.append(Source(owner, "condition", held.name, effect, stamp, held))
        self._index = {}
        for source in found:
            self._index.setdefault(source.effect.key, []).append(source)
        return self._index

    def own(self, i: int, move: Move, when: str, event: Event = _NO_EVENT) -> list[Source]:
        """Return the effects of an action at a time."""
        effects = (effect for effect in move.effects if effect.when == when)
        return [Source(i, "move", move.name, own, 1 << 30, event=event) for own in effects]

    def reach(self, source: Source) -> Sequence[int]:
        """Return the Pokemon in play, or the fields, that an effect acts on."""
        owner, on, event = source.owner, source.effect.on, source.event
        team = -2 - owner if owner < 0 else self.roster[owner].team
        if on == "battle":
            return (BATTLE,)
        if on in {"team", "other_team"}:  # seen from the battle, each team's field
            sides = range(len(self.battle.teams))
            return [-2 - t for t in sides if owner == BATTLE or (t == team) == (on == "team")]
        if on == "named":
            return self.order.targets or (owner,)
        if owner < 0 and on == "self" and event.subject >= 0:
            return (event.subject,)
        if on == "all" or (owner == BATTLE and on != "target"):
            return self.active()
        if on == "opponents":
            return self.others(team)
        if on == "allies" or (owner < 0 and on == "self"):
            return self.active(team)
        chosen = {"self": owner, "maker": source.held.maker}.get(on, event.other)
        return (chosen,) if chosen >= 0 and self.fighters[chosen].place >= 0 else ()

    def meets(self, source: Source, i: int) -> bool:
        """Return whether the terms of an effect hold for one of its subjects."""
        return self.are_met(source.effect.terms, *self._seats(source, i))

    def are_met(self, terms: str, *seats: int) -> bool:
        """Return whether terms hold for a user, a target and a subject."""
        if not terms:
            return True
        by_code = dict(zip(SEATS.values(), seats, strict=True))
        return all(holds(test, self, by_code) for test in self.catalogue.test(terms))

    def _seats(self, source: Source, i: int) -> tuple[int, int, int]:
        user = source.owner if source.owner >= 0 else source.event.subject
        return user, source.event.other if source.event.other >= 0 else i, i

    def ongoing(
        self, key: str, i: int, move: Move | None = None, user: int = -1, target: int = -1
    ) -> Sequence[Source]:
        """Return the ongoing effects on a Pokemon that an action meets, its own among them.

        Args:
            key: Verb and object, such as ``modify speed``.
            i: The Pokemon.
            move: The action.
            user: Its user; by default the Pokemon.
            target: Its target.
        """
        found: list[Source] = [] if self.is_pierced else self.index.get(key, [])
        user = i if user < 0 else user
        if move is not None and move.ongoing:
            found = [*found, *(s for s in self.own(user, move, "while") if s.effect.key == key)]
        kept = []
        for one in found:
            effect = one.effect
            if effect.on == "self" and 0 <= one.owner != i:
                continue
            event = Event("", i, target if one.owner == user else user, move)
            source = one._replace(event=event)
            if fits(effect, move) and i in self.reach(source) and self.meets(source, i):
                kept.append(source)
        return kept

    def modifier(
        self, what: str, i: int, move: Move | None = None, of: str | None = None, **seats: int
    ) -> tuple[Rational, int, bool, int | None]:
        """Return factor, addend, rounding up and set value of ongoing effects, for a type or all.

        Args:
            what: The value, such as ``attack stage``.
            i: The Pokemon.
            move: The action.
            of: A type.
            seats: ``user`` and ``target``.
        """
        key = f"modify {what}"
        if key not in self.index and (move is None or not move.ongoing):
            return _PLAIN
        found = self.ongoing(key, i, move, **seats)
        factor, added, up, to = _PLAIN
        for source in found:
            effect = source.effect
            if of in {None, effect.type}:
                factor = factor if effect.times is None else factor * effect.times
                bare = effect.times is None and effect.to is None
                if effect.amount is not None or bare:
                    added += self.amount(source, i)
                to = to if effect.to is None else round_to_int(effect.to)
                up = up or effect.up
        return factor, added, up, to

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
            return sorted(several[move.target], key=lambda k: k not in order.targets)
        mates = [k for k in allies if k != i]
        choice = [i, *mates] if move.target == "one ally" else foes + mates
        for j in [k for k in (*order.targets, *choice) if k in choice][:1]:
            if move.reflectable and self.ongoing("retarget reflect", j, move, i, j):
                return [i]
            drawing = (
                one.owner for one in self.index.get("retarget draw", ()) if fits(one.effect, move)
            )
            return [k for k in drawing if k in foes][:1] or [j]
        return []

    def amount(self, source: Source, i: int) -> int:
        """Return the amount of an effect, 1 by default, rounded and within its limits."""
        effect = source.effect
        value = ONE if effect.amount is None else effect.amount
        if effect.per:
            (test,) = self.catalogue.test(f"{effect.per} is 0")
            seats = dict(zip(SEATS.values(), self._seats(source, i), strict=True))
            value *= value_of(self, seats[test.who], test.value)
        return limit(round_to_int(value, up=effect.up), effect.least, effect.most)

    # Stats

    def stage(self, i: int, stat: str, move: Move | None = None) -> int:
        """Return a stage: its durable part and ongoing effects (6.5)."""
        durable = stage_value(self.fighters[i].stages, stat)
        more = self.modifier(_STAGES[stat], i, move)[1] if self.index else 0
        return clip_stage(stat, durable + more) if more else durable

    def rank(self, i: int, stat: str, move: Move | None = None) -> int:
        """Return a rank, rounded once after all modifiers (1.3)."""
        factor, added, up, to = self.modifier(stat.replace("_", " "), i, move)
        base = getattr(self.roster[i].stats, stat) if to is None else to
        return round_to_int(base * factor + added, up=up)

    def speed(self, i: int) -> int:
        """Return Speed with stage and modifiers (6.5, BP-10); 0 for a field."""
        if i < 0:
            return 0
        stage, (factor, added, up, to) = self.stage(i, "speed"), self.modifier("speed", i)
        value = factor * (self.roster[i].stats.speed if to is None else to)
        if stage:
            steps = 1 + Fraction(3, 4) * abs(stage)
            value *= steps if stage > 0 else 1 / steps
        return round_to_int(value + added, up=up or stage > 0, down=stage < 0)

    # Events

    def waiting(self, event: Event) -> list[Source]:
        """Return the effects in play that wait for an event."""
        return [
            source._replace(event=event)
            for source in (() if self.is_pierced else self.index.get(event.time, ()))
            if self._waits(source, event.subject) and fits(source.effect, event.move, event.words)
        ]

    def _waits(self, source: Source, subject: int) -> bool:
        owner, of = source.owner, source.effect.of
        if subject == -1 or owner == BATTLE or (owner == subject and of != "opponents"):
            return True
        if subject < 0:
            return False
        team = self.roster[subject].team
        if owner < 0:
            return team == -2 - owner
        return of in {"all", "allies" if self.roster[owner].team == team else "opponents"}

    def trigger(self, time: str, *event: Any) -> None:
        """Resolve the effects that wait for an event."""
        if time in self.index:
            self.resolve(self.waiting(Event(time, *event)))

    def resolve(self, waiting: list[Source]) -> None:
        """Resolve effects by kind, Speed of the owner and time (4.7), even if a source has gone."""
        if not waiting:
            return
        if len(waiting) > 1:
            waiting.sort(key=lambda one: (one.effect.kind, -self.speed(one.owner), one.stamp))
        self._depth += 1
        if self._depth > _MOST_DEEP:
            raise InputError(f"effects: {waiting[0].name} sets itself off without end")
        for source in waiting:
            for effect in source.effect.all():
                one = source._replace(effect=effect)
                for i in self.reach(one) if self.state.winner is None else ():
                    if self.meets(one, i):
                        self.act(one, i)
            self.settle()
        self._depth -= 1

    def settle(self) -> None:
        """Let Pokemon faint after an event, and end the battle if a team has none left (4.6)."""
        known = self.state.fallen
        new = [i for i in self.active() if min(self.fighters[i][:2]) <= 0 and i not in known]
        if new:
            self.put(fallen=(*known, *new))
            for i in new:
                self.trigger("faint", i, self.acting)
        if self.acting < 0 and self.state.fallen:
            fallen = self.state.fallen
            self.put(fallen=())
            for i in fallen:
                if self.state.winner is None:
                    self.leave(i, OUT)

    def leave(self, i: int, place: int) -> None:
        """Take a Pokemon out of play, to the bench or fainted."""
        if place == BENCH:
            self.trigger("leave", i)
        vacant = self.roster[i].team, self.fighters[i].place
        majors = {"major"} if place == BENCH else set()
        kept = (h for h in self.held(i) if self.catalogue.conditions[h.name].kind in majors)
        gone = {"stages": (), "types": (), "abilities": None, "dynamaxed": False}
        self.set(i, place=place, conditions=tuple(kept), **gone)
        self.put(vacant=(*self.state.vacant, vacant))
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
        return chance == 1 or (chance > 0 and bool(self.draw(success(chance), label)))

    # Verbs

    def act(self, source: Source, i: int) -> None:
        """Carry out an effect on a Pokemon or a field."""
        effect, what = source.effect, source.effect.what
        if i >= 0 and self.fighters[i].place == OUT and "fainted" not in effect.terms:
            return
        if effect.use and effect.do == "change" and self._is_used_up(effect, i):
            return
        match effect.do:
            case "make":
                self._make(source, i)
            case "remove":
                left = [h for h in self.held(i) if h.name == effect.but or not self._is(h, what)]
                if len(left) < len(self.held(i)):
                    self.hold(i, left)
                    self.note("is rid of", i, what)
            case "copy":
                self._copy(source, i)
            case "item":
                self._handle_item(source, i)
            case "order":
                self.give_order(source, i)
            case "change" if what.endswith(" stage"):
                self._raise(source, i)
            case "change" if what == "stages":
                for stat, value, until in self.fighters[i].stages:
                    by = self._change_number(source, i, value) - value
                    self._set_stage(i, stat, by, until, "without extension")
            case "change" if what == "types":
                types = effect.into or tuple(dict.fromkeys((*self.types(i), effect.type)))
                self.set(i, types=types)
            case "change" if what.removesuffix(" duration") in self.catalogue.conditions:
                self._change_counters(source, i)
            case "change":
                self._change(source, i)

    def give_order(self, source: Source, i: int) -> None:
        """Give an order; `Course` does."""

    def _is(self, held: Held, word: str) -> bool:
        return word in {held.name, held.alias, self.catalogue.conditions[held.name].kind}

    def _change_number(self, source: Source, i: int, old: int) -> int:
        """Return a number as an effect changes it."""
        effect = source.effect
        if effect.to is not None:
            return round_to_int(effect.to, up=effect.up)
        new = old if effect.times is None else round_to_int(old * effect.times, up=effect.up)
        return new + (self.amount(source, i) if effect.amount is not None else 0)

    def _is_used_up(self, effect: Effect, i: int) -> bool:
        """Use a Recovery or Chill up; return True if none was left."""
        name = {"recovery": "recoveries", "chill": "chills"}[effect.use]
        left = getattr(self.fighters[i], name)
        self.set(i, **{name: max(0, left - 1)})
        return not left

    def _change(self, source: Source, i: int) -> None:
        effect, what, f = source.effect, source.effect.what, self.fighters[i]
        field = FIELDS[what]
        old = getattr(f, field)
        new = self._change_number(source, i, old)
        if what == "hp":
            n = new - old
            if n >= 0:
                n = n if effect.overheal else min(max(f.hp, f.most_hp) - f.hp, n)
                self.note("heals", i, n)
                self.set(i, healed=f.healed + n)
            else:
                self.note("loses", i, -n, source.name)
            new = f.hp + n
            if f.place == OUT and new > 0:
                self.set(i, place=BENCH)
        elif what == "energy":
            new = min(max(f.energy, f.most_energy), new) if self.match.energy else f.energy
        elif what == "maximum hp":  # 6.1
            self.set(i, hp=min(f.hp, new) if new < old else f.hp + new - old)
        elif what == "maximum energy":
            raised = round_to_int(Fraction(f.energy * new, old))
            self.set(i, energy=min(f.energy, new) if new < old else raised)
        else:
            new = max(0, new)
        self.set(i, **{field: new})

    def _change_counters(self, source: Source, i: int) -> None:
        name = source.effect.what.removesuffix(" duration")

        def change(one: Held) -> Held:
            if one.name != name:
                return one
            if name == source.effect.what:
                return one._replace(counters=max(0, self._change_number(source, i, one.counters)))
            left, unit = one.duration
            left = max(1, self._change_number(source, i, left)) if left else 0
            return one._replace(duration=Duration(left, unit))

        self.hold(i, map(change, self.held(i)))

    def _make(self, source: Source, i: int) -> None:
        effect, name = source.effect, source.effect.what
        condition = self.catalogue.conditions[name]
        if i >= 0:
            done = self.fighters[i].done
            spared = self.ongoing(f"forbid {name}", i) or self.ongoing(
                f"forbid {condition.kind}", i
            )
            if spared or name in done or {*self.types(i)} & {*condition.unaffected}:
                self.note("is unaffected by", i, name)
                return
            if effect.use and self._is_used_up(effect, i):
                return
            self.set(i, done=(*done, name) if condition.once else done)
        declared = self.order.declared if effect.action == "declared" else effect.action
        marker, note = condition.kind == "marker", (declared,) if declared else ()
        counters = max(self.amount(source, i) if effect.amount is not None else 0, marker)
        until = self.start_duration(effect.duration or condition.duration or EVER, i, effect)
        made = Held(name, until, counters, self.next_stamp(), source.owner, effect.alias, note)
        held, more = list(self.held(i)), True
        for place, old in enumerate(held):
            if {old.name, old.alias} == {name, effect.alias}:  # the stack limit is 1 (8)
                more = marker or source.name.lower() == name
                held[place] = old._replace(
                    counters=old.counters + counters * more, note=(*old.note, *note)
                )
                break
        else:
            if condition.replaces:
                held = [h for h in held if not self._is(h, condition.kind)]
            held.append(made)
            self.note("gets", i, name)
        self.hold(i, held)
        if more:
            event = Event("made", i, source.owner)
            self.resolve([one for one in self.waiting(event) if one.name.lower() == name])
            self.substitute("gets", i, words=frozenset({name, condition.kind}))

    def substitute(self, time: str, *of: Any, **more: Any) -> None:
        """Apply the substitutions that an event calls for."""

    def start_duration(self, until: Duration, i: int, effect: Effect) -> Duration:
        """Return a duration that begins now; the present unit is not counted if it follows."""
        runs = self.acting == i if until.unit == "turns" else self.state.queue is not None
        return until._replace(left=until.left + (effect.following and runs and until.left > 0))

    def _raise(self, source: Source, i: int) -> None:
        effect, stat = source.effect, source.effect.what.removesuffix(" stage").replace(" ", "_")
        durable = stage_value(self.fighters[i].stages, stat)
        by = self._change_number(source, i, durable) - durable
        until = self.start_duration(effect.duration or LEAVING, i, effect)
        twice = self.ongoing(f"instead {effect.what}", i) if by > 0 else ()
        for one in twice[-1].effect.into if twice else [stat]:
            self._set_stage(i, one.replace(" ", "_"), by, until, effect.extension)

    def _set_stage(self, i: int, stat: str, by: int, until: Duration, extension: Extension) -> None:
        before, old = self.stage(i, stat), self.fighters[i].stages
        steps = self.match.steps
        self.set(i, stages=change_stage(old, stat, by, until, extension, steps))
        after = self.stage(i, stat)
        if after != before:
            self.note("stage", i, stat, after)
        if after > before:
            raised = self.waiting(Event("raised", i))
            self.resolve([one for one in raised if stat.replace("_", " ") in one.effect.into])

    def _copy(self, source: Source, i: int) -> None:
        """Copy from the other Pokemon of the event, or swap."""
        what = source.effect.what
        j = source.event.other if i == source.owner else source.owner
        if j < 0 or j == i:
            return

        def part(own: int, other: int) -> Any:
            if what == "types":
                return self.types(other)
            if what == "abilities":
                return tuple(name_key(one.name) for one in self.abilities(other))
            both = ((k == other, s) for k in (own, other) for s in self.fighters[k].stages)
            return tuple(
                sorted(s for new, s in both if new == (what in {"stages", _STAGES[s.stat]}))
            )

        field = "stages" if what.endswith(" stage") else what
        taken, given = part(i, j), part(j, i)
        self.set(i, **{field: taken})
        if source.effect.swap:
            self.set(j, **{field: given})
        self.note("copies", i, what)

    def _handle_item(self, source: Source, i: int) -> None:
        what, f = source.effect.what, self.fighters[i]
        if what == "consume":
            self.note("consumes", i, source.name)
            self.set(i, items=tuple(item for item in f.items if item != source.name.lower()))
        elif what == "drop":
            self.note("drops all", i)
            self.set(i, items=())
        elif (j := source.event.other) >= 0 and not f.items and self.fighters[j].items:
            self.set(i, items=self.fighters[j].items)  # take
            self.set(j, items=())
            self.note("takes", i, *self.fighters[i].items)


def fits(effect: Effect, move: Move | None, more: frozenset[str] = frozenset()) -> bool:
    """Return whether an effect applies to an action with these words; "!" excludes a word."""
    if not effect.only:
        return True
    words = more | (move.words if move is not None else frozenset())
    return all((word[1:] not in words) if word[0] == "!" else word in words for word in effect.only)
