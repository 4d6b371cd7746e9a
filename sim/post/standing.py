"""The standing of a battle: its state while it changes, effects in play, stats (5, 6)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sim.chance.distribution import Distribution
from sim.post.catalogue import Do, Effect, Move, When
from sim.post.numbers import limited, rounded
from sim.post.orders import Orders
from sim.post.stages import (
    clipped,
    stage_value,
)
from sim.post.state import OUT, Held, State

if TYPE_CHECKING:
    from sim.post.engine import Battle

Draw: TypeAlias = Callable[[Distribution[Any], str], Any]
"""Draws from a distribution; the text says what for."""
Note: TypeAlias = Callable[..., None]
"""Takes an event: its kind, a Pokemon, and what more there is to tell."""
BATTLE = -1
"""Owner of conditions of the battle; -2, -3 are those of the first and second team's field."""
_INDEXED = {"conditions", "items", "place", "types", "entry"}


class Source(NamedTuple):
    """An effect in play, or of an action."""

    owner: int
    kind: str  # ability, item, condition, move
    name: str
    effect: Effect
    stamp: int
    held: Held = Held("")


class Standing:
    """A state while it changes, and what is in play in it.

    Args:
        battle: The rules.
        state: The state at first.
        orders: Orders by Pokemon; None without.
        draw: Draws chances.
        note: Takes events.
    """

    def __init__(
        self,
        battle: "Battle",
        state: State,
        orders: Sequence[Orders | None] = (),
        draw: Draw | None = None,
        note: Note | None = None,
    ) -> None:
        self.battle, self.roster, self.state = battle, battle.roster, state
        self.fighters = list(state.fighters)
        self.orders = orders or (None,) * len(self.fighters)
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

    def hold(self, owner: int, conditions: Sequence[Held]) -> None:
        """Replace the conditions of a Pokemon or a field."""
        if owner >= 0:
            self.set(owner, conditions=tuple(conditions))
        else:
            fields = list(self.state.fields)
            fields[-1 - owner], self._index = tuple(conditions), None
            self.put(fields=tuple(fields))

    def _owners(self) -> Iterator[int]:
        yield from range(-len(self.state.fields), len(self.fighters))

    def frozen(self) -> State:
        """Return the state; between steps, times are numbered anew so that equal states merge."""
        if self.state.queue is None:
            stamps = {held.stamp for owner in self._owners() for held in self.held(owner)}
            stamps |= {f.entry for f in self.fighters} | {0}
            place = {stamp: n for n, stamp in enumerate(sorted(stamps))}
            if max(place) >= len(place):
                for owner in self._owners():
                    new = [one._replace(stamp=place[one.stamp]) for one in self.held(owner)]
                    self.hold(owner, new)
                for i, f in enumerate(self.fighters):
                    self.set(i, entry=place[f.entry])
        return self.state._replace(fighters=tuple(self.fighters))

    def now(self) -> int:
        """Return a time after all others."""
        stamps = [held.stamp for owner in self._owners() for held in self.held(owner)]
        return 1 + max(stamps + [f.entry for f in self.fighters])

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
        catalogue = self.battle.catalogue
        for owner in self._owners():
            entry = 0
            if owner >= 0:
                f = self.fighters[owner]
                if f.place < 0:
                    continue
                entry, items = f.entry, [catalogue.items[item] for item in f.items]
                for kind, things in (("ability", self.roster[owner].abilities), ("item", items)):
                    for thing in things:
                        for effect in thing.effects:
                            yield Source(owner, kind, thing.name, effect, entry)
            for held in self.held(owner):
                for effect in catalogue.conditions[held.name].effects:
                    stamp = max(held.stamp, entry)
                    yield Source(owner, "condition", held.name, effect, stamp, held)

    def reach(self, source: Source, other: int = -1) -> Sequence[int]:
        """Return the Pokemon in play, or the fields, that an effect is for."""
        owner, on = source.owner, source.effect.on
        team = -2 - owner if owner < 0 else self.roster[owner].team
        if on in {"battle", "team", "other_team"}:
            return (BATTLE if on == "battle" else -2 - team if on == "team" else team - 3,)
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
        f, conditions = self.fighters[i], self.battle.catalogue.conditions
        if word == "hurt":
            return f.hp < self.roster[i].stats.hp
        if word == "recovery":
            return f.recoveries > 0
        return any(
            word in {held.name, held.alias, conditions[held.name].kind}
            and held.counters >= at_least
            for held in f.conditions
        )

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
        factor, added, up = Fraction(1), 0, False
        for source in self.ongoing(do, i, move):
            effect = source.effect
            if of in {None, effect.stat, effect.type}:
                factor *= 1 if effect.times is None else effect.times
                added += 0 if effect.amount is None else self.amount(source)
                up = up or effect.up
        return factor, added, up

    def amount(self, source: Source, i: int = -1) -> int:
        """Return the amount of an effect, rounded and within its limits."""
        effect = source.effect
        value = Fraction(1 if effect.amount is None else effect.amount)
        if effect.per != "one":
            value *= self._measure(source)
        if effect.doubled and i >= 0 and self.is_so(i, effect.doubled):
            value *= 2
        return limited(rounded(value, up=effect.up), effect.least, effect.most)

    def _measure(self, source: Source) -> int:
        per = source.effect.per
        if source.owner < 0:  # a field has nothing else to measure
            return {"counters": source.held.counters, "damage": self.dealt}.get(per, 0)
        f, own = self.fighters[source.owner], self.roster[source.owner]
        team = [k for k, one in enumerate(self.roster) if one.team == own.team]
        whole = own.species.energy
        return {
            "counters": source.held.counters,
            "damage": self.dealt,
            "user_hp": f.hp,
            "maximum_hp": own.stats.hp,
            "healed": f.healed,
            "missing_quarters": 4 * (whole - f.energy) // whole,
            "fainted_allies": sum(self.fighters[k].place == OUT for k in team),
            "weight": own.species.weight,
            "size": own.species.size + 10 * f.dynamaxed,
        }[per]

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


def fits(effect: Effect, move: Move | None) -> bool:
    """Return whether an effect is for an action with these words; "!" before a word is not."""
    words = move.words if move is not None else frozenset[str]()
    return all((word[1:] not in words) if word[0] == "!" else word in words for word in effect.only)
