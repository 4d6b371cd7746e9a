"""Events and the statements of effects: what they do when they happen (4.6, 4.7, 18.4)."""

from fractions import Fraction
from typing import Any

from physics import InputError
from sim.post.catalogue import Effect, Move, When
from sim.post.numbers import success
from sim.post.stages import (
    EVER,
    LEAVING,
    change_stage,
    converted,
    inverted,
)
from sim.post.standing import Source, Standing, fits
from sim.post.state import BENCH, OUT, RESERVE, Held

_MOST_DEEP = 40


class Statements(Standing):
    """A state in which effects happen."""

    # Events

    def trigger(
        self,
        when: When,
        i: int | None = None,
        *,
        other: int = -1,
        move: Move | None = None,
        stat: str | None = None,
    ) -> None:
        """Resolve the effects that wait for an event, of one Pokemon or all, in order (4.7)."""
        self.resolve(
            [
                (source, other)
                for source in (() if self._is_pierced else self.index.get(when, ()))
                if i in {None, source.owner}
                and fits(source.effect, move)
                and (stat is None or stat in source.effect.into)
            ]
        )

    def resolve(self, waiting: list[tuple[Source, int]]) -> None:
        """Resolve effects by kind, Speed of the owner and time; gone sources do not matter."""
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
                        getattr(self, f"do_{effect.do}")(one, i)
            self.settle()
        self._depth -= 1

    def settle(self) -> None:
        """Check for fainting and the end after an event (4.6)."""
        fallen = [i for i in self.active() if min(self.fighters[i][:2]) <= 0]
        if fallen:
            known = self.state.fallen
            self.put(fallen=(*known, *(i for i in fallen if i not in known)))
        if self.acting < 0 and self.state.fallen:
            fallen = list(self.state.fallen)
            self.put(fallen=())
            for i in fallen:
                if self.state.winner is None:
                    self.leave(i, OUT)

    def leave(self, i: int, place: int) -> None:
        """Take a Pokemon out of play, to the bench or fainted."""
        kinds = self.battle.catalogue.conditions
        kept = tuple(
            held for held in self.held(i) if place != OUT and kinds[held.name].kind == "major"
        )
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

    def sendable(self, team: int) -> list[int]:
        """Return the Pokemon of a team that can be sent into play."""
        own = [i for i, one in enumerate(self.roster) if one.team == team]
        sent = sum(self.fighters[i].place != RESERVE for i in own)
        places = {BENCH, RESERVE} if sent < self.battle.match.team_size else {BENCH}
        return [i for i in own if self.fighters[i].place in places]

    def roll(self, chance: Fraction, label: str) -> bool:
        """Draw a success."""
        return chance == 1 or (chance > 0 and bool(self._draw(success(chance), label)))

    # Statements

    def _is_used_up(self, effect: Effect, i: int) -> bool:
        """Count a Recovery or Chill down; return True if there is none left."""
        counts = (("recoveries", effect.recovery), ("chills", effect.chill))
        for name in [name for name, used in counts if used]:
            left = getattr(self.fighters[i], name)
            self.set(i, **{name: max(0, left - 1)})
            return not left
        return False

    def do_heal(self, source: Source, i: int) -> None:  # noqa: D102
        if self._is_used_up(source.effect, i):
            return
        f, n = self.fighters[i], self.amount(source, i)
        most = f.hp + n if source.effect.overheal else max(f.hp, self.roster[i].stats.hp)
        n = min(most - f.hp, n)
        self.set(i, hp=f.hp + n, healed=f.healed + n)
        self.note("heals", i, n)

    def do_energy(self, source: Source, i: int) -> None:  # noqa: D102
        if self.battle.match.energy and not self._is_used_up(source.effect, i):
            f, most = self.fighters[i], self.roster[i].species.energy
            self.set(i, energy=min(max(f.energy, most), f.energy + self.amount(source, i)))

    def do_lose(self, source: Source, i: int) -> None:  # noqa: D102
        n = self.amount(source, i)
        self.set(i, hp=self.fighters[i].hp - n)
        self.note("loses", i, n, source.name)

    def do_inflict(self, source: Source, i: int) -> None:  # noqa: D102
        effect, name = source.effect, source.effect.condition
        condition = self.battle.catalogue.conditions[name]
        if i >= 0:
            f = self.fighters[i]
            immune = [one for one in self.ongoing("unaffected", i) if one.effect.condition == name]
            if immune or name in f.done or {*self.types(i)} & {*condition.unaffected}:
                self.note("is unaffected by", i, name)
                return
            if self._is_used_up(effect, i):
                return
            self.set(i, done=(*f.done, name) if condition.once else f.done)
        until = effect.duration or condition.duration or EVER
        marker = condition.kind == "marker"
        counters, note = max(effect.counters, marker), (effect.action,) if effect.action else ()
        stamp = self.now()
        until = self._began(until, i, following=effect.following)
        made = Held(name, until, counters, stamp, source.owner, effect.alias, note)
        held = list(self.held(i))
        for place, old in enumerate(held):
            if {old.name, old.alias} == {name, effect.alias}:  # the stack limit is 1 (8)
                more = marker or source.name == name
                counters = old.counters + counters * more
                held[place] = old._replace(counters=counters, note=(*old.note, *note))
                break
        else:
            held.append(made)
            self.note("gets", i, name)
        self.hold(i, held)
        self.resolve(
            [(one, -1) for one in self.index.get("made", ()) if (one.owner, one.name) == (i, name)]
        )

    def _began(self, until: Any, i: int, *, following: bool) -> Any:
        """Return a duration that begins now; the present unit is not counted if it follows."""
        runs = self.acting == i if until.unit == "turns" else self.state.queue is not None
        return until._replace(left=until.left + (following and runs and until.left > 0))

    def do_discard(self, source: Source, i: int) -> None:  # noqa: D102
        effect, kinds = source.effect, self.battle.catalogue.conditions
        kept = [
            held
            for held in self.held(i)
            if held.name == effect.but
            or effect.condition not in {held.name, held.alias, kinds[held.name].kind}
        ]
        if len(kept) < len(self.held(i)):
            self.hold(i, kept)
            self.note("is rid of", i, effect.condition)

    def do_halve(self, source: Source, i: int) -> None:  # noqa: D102
        name = source.effect.condition
        self.hold(
            i,
            [
                one._replace(counters=one.counters - one.counters // 2 * (one.name == name))
                for one in self.held(i)
            ],
        )

    def do_stage(self, source: Source, i: int) -> None:  # noqa: D102
        effect, by = source.effect, self.amount(source)
        until = self._began(effect.duration or LEAVING, i, following=effect.following)
        stats: list[Any] = [effect.stat]
        for own in self.ongoing("twice", i) if by > 0 else ():
            stats = list(own.effect.into) if own.effect.stat == effect.stat else stats
        for stat in stats:
            before, steps = self.stage(i, stat), self.battle.match.steps or 3
            old, how = self.fighters[i].stages, effect.extension
            self.set(i, stages=change_stage(old, stat, by, until, how, steps))
            after = self.stage(i, stat)
            if after != before:
                self.note("stage", i, stat, after)
            if after > before:
                self.trigger("raised", i, stat=stat)

    def do_invert(self, _: Source, i: int) -> None:  # noqa: D102
        self.set(i, stages=inverted(self.fighters[i].stages))

    def do_convert(self, source: Source, i: int) -> None:  # noqa: D102
        origin, into = str(source.effect.stat), source.effect.into[0]
        self.set(i, stages=converted(self.fighters[i].stages, origin, into))

    def do_type(self, source: Source, i: int) -> None:  # noqa: D102
        types = self.types(i)
        self.set(i, types=types if source.effect.type in types else (*types, source.effect.type))

    def do_drop(self, _: Source, i: int) -> None:  # noqa: D102
        self.set(i, items=())
        self.note("drops all", i)

    def do_consume(self, source: Source, i: int) -> None:  # noqa: D102
        own = self.fighters[i].items
        self.set(i, items=tuple(item for item in own if item != source.name.lower()))
        self.note("consumes", i, source.name)
