"""The engine: one step of a battle as a random procedure, for exact odds and for simulation.

`Battle.step` returns the distribution of what follows, `Battle.play_step` draws one course of it;
both run `Course.advance`, which begins a step, takes one turn of it, or ends it.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from sim.chance.distribution import Distribution, Number, courses, distribution
from sim.post.catalogue import Catalogue, Do, Effect, Move, On, Per, Scope, When
from sim.post.hitting import SPREAD, STAB, Blow, damage, effectiveness, hit_chance
from sim.post.numbers import HALF, limited, range_roll, rounded, success, successes
from sim.post.orders import Orders
from sim.post.stages import (
    EVER,
    LEAVING,
    Duration,
    Stat,
    change_stage,
    clipped,
    converted,
    counted_down,
    inverted,
    stage_value,
)
from sim.post.state import BENCH, OUT, RESERVE, STRUGGLE, Entrant, Facts, Fighter, Held, Order
from sim.post.state import State, Turn
from sim.post.substitutions import applied_substitutions
from sim.post.techniques import Z_POWERS, combine, max_move, z_move

Draw: TypeAlias = Callable[[Distribution[Any], str], Any]
"""Draws from a distribution; the text says what for."""
Note: TypeAlias = Callable[..., None]
"""Takes an event: its kind, a Pokemon, and what more there is to tell."""
BATTLE = -1
"""Owner of conditions of the battle; -2, -3 are those of the first and second team's field."""


class Source(NamedTuple):
    """An effect in play."""

    owner: int
    kind: str  # ability, item, condition, move
    name: str
    effect: Effect
    held: Held | None
    stamp: int


class Battle:
    """Facts and rules of a battle; states are what changes.

    Args:
        catalogue: Data files.
        facts: Match rules, teams and Pokemon.
    """

    def __init__(self, catalogue: Catalogue, facts: Facts) -> None:
        self.catalogue = catalogue
        self.match, self.roster, self.teams = facts.match, facts.roster, facts.teams
        self._moves: dict[tuple[int, Order], Move] = {}

    def move(self, i: int, order: Order) -> Move:
        """Return the action that an order stands for, as a Pokemon has it.

        Raises:
            InputError: There is none such.
        """
        key = (i, order._replace(targets=()))
        if key not in self._moves:
            move: Move = self.catalogue.find("moves", order.action)
            if order.second:
                move = combine(move, self.catalogue.find("moves", order.second))
            if order.form == "max":
                move = max_move(move, self.catalogue)
            elif order.form in Z_POWERS:
                move = z_move(move, order.form, self.roster[i].stats)
            self._moves[key] = move
        return self._moves[key]

    def step(self, state: State, orders: Sequence[Orders | None]) -> list[tuple[Number, State]]:
        """Return the distribution of the states after a step; equal states are merged."""
        now: dict[State, Number] = {state: Fraction(1)}
        done: dict[State, Number] = {}
        while now:
            after: dict[State, Number] = {}
            for one, p in now.items():
                for reached, q in self._next(one, orders):
                    table = done if reached.queue is None else after
                    table[reached] = table.get(reached, 0) + p * q
            now = after
        return [(p, one) for one, p in done.items()]

    def _next(
        self, state: State, orders: Sequence[Orders | None]
    ) -> list[tuple[State, Number]]:
        return courses(
            lambda draw: Course(self, state, orders, lambda part, _: draw(part)).advance()
        )

    def play_step(
        self, state: State, orders: Sequence[Orders | None], draw: Draw, note: Note | None = None
    ) -> State:
        """Return the state after a step whose chances are drawn."""
        state = Course(self, state, orders, draw, note).advance()
        while state.queue is not None:
            state = Course(self, state, orders, draw, note).advance()
        return state


def team_field(team: int) -> int:
    """Return the owner of a team's field conditions."""
    return -2 - team


class Course:
    """A state while it changes.

    Args:
        battle: The rules.
        state: The state at first.
        orders: Orders by Pokemon; None without.
        draw: Draws chances.
        note: Takes events.
    """

    def __init__(
        self,
        battle: Battle,
        state: State,
        orders: Sequence[Orders | None] = (),
        draw: Draw | None = None,
        note: Note | None = None,
    ) -> None:
        self.battle, self.roster, self.state = battle, battle.roster, state
        self.fighters = list(state.fighters)
        self.orders = orders or (None,) * len(self.fighters)
        self._draw: Any = draw
        self._note = note
        self._index: dict[Any, list[Source]] | None = None
        self.acting = -1
        self.dealt = 0
        self._is_pierced = False

    # State

    def put(self, **changes: Any) -> None:
        """Change what is not a Pokemon's."""
        self.state = self.state._replace(**changes)
        if "fields" in changes:
            self._index = None

    def set(self, i: int, **changes: Any) -> None:
        """Change a Pokemon."""
        self.fighters[i] = self.fighters[i]._replace(**changes)
        if not changes.keys().isdisjoint(_INDEXED):
            self._index = None

    def note(self, kind: str, i: int, *more: Any) -> None:
        """Tell an event."""
        if self._note is not None:
            self._note(kind, i, *more)

    def frozen(self) -> State:
        """Return the state; between steps, times are numbered anew so that equal states merge."""
        if self.state.queue is None:
            self._renumber()
        return self.state._replace(fighters=tuple(self.fighters))

    def _renumber(self) -> None:
        stamps = {f.entry for f in self.fighters} | {0}
        stamps |= {held.stamp for f in self.fighters for held in f.conditions}
        stamps |= {held.stamp for field in self.state.fields for held in field}
        if max(stamps) < len(stamps):
            return
        place = {stamp: n for n, stamp in enumerate(sorted(stamps))}

        def renumbered(all_held: tuple[Held, ...]) -> tuple[Held, ...]:
            return tuple(held._replace(stamp=place[held.stamp]) for held in all_held)

        for i, f in enumerate(self.fighters):
            self.set(i, entry=place[f.entry], conditions=renumbered(f.conditions))
        self.put(fields=tuple(map(renumbered, self.state.fields)))

    def now(self) -> int:
        """Return a time after all others."""
        held = [one for f in self.fighters for one in f.conditions]
        held += [one for field in self.state.fields for one in field]
        return 1 + max([f.entry for f in self.fighters] + [one.stamp for one in held])

    def active(self, team: int | None = None) -> list[int]:
        """Return the Pokemon in play, of a team or all, in order of entry."""
        found = [i for i, f in enumerate(self.fighters) if f.place >= 0]
        if team is not None:
            found = [i for i in found if self.roster[i].team == team]
        return sorted(found, key=lambda i: self.fighters[i].entry)

    def others(self, team: int) -> list[int]:
        """Return the opponents in play of a team."""
        return [i for i in self.active() if self.roster[i].team != team]

    def types(self, i: int) -> tuple[str, ...]:
        """Return the present types of a Pokemon."""
        f, own = self.fighters[i], self.roster[i]
        if f.terastal and own.tera != "Stellar":
            return (own.tera,)
        return f.types or own.species.types

    def held(self, i: int, name: str) -> Held | None:
        """Return a condition of a Pokemon."""
        found = (held for held in self.fighters[i].conditions if name in {held.name, held.alias})
        return next(found, None)

    # Effects in play

    @property
    def index(self) -> dict[Any, list[Source]]:
        """Effects in play by verb if they are ongoing, else by time."""
        if self._index is None:
            self._index = {}
            for source in self._all_sources():
                key: Any = source.effect.do if source.effect.when == "while" else (
                    source.effect.when)  # fmt: skip
                self._index.setdefault(key, []).append(source)
        return self._index

    def _all_sources(self) -> Iterator[Source]:
        catalogue = self.battle.catalogue
        for i, f in enumerate(self.fighters):
            if f.place < 0:
                continue
            for ability in self.roster[i].abilities:
                for effect in ability.effects:
                    yield Source(i, "ability", ability.name, effect, None, f.entry)
            for item in f.items:
                for effect in catalogue.items[item].effects:
                    yield Source(i, "item", item, effect, None, f.entry)
            yield from self._of_conditions(i, f.conditions, f.entry)
        for n, field in enumerate(self.state.fields):
            yield from self._of_conditions(BATTLE - n, field, 0)

    def _of_conditions(self, owner: int, all_held: Sequence[Held], entry: int) -> Iterator[Source]:
        for held in all_held:
            for effect in self.battle.catalogue.conditions[held.name].effects:
                yield Source(owner, "condition", held.name, effect, held, max(held.stamp, entry))

    def reach(self, source: Source, other: int = -1) -> Sequence[int]:
        """Return the Pokemon in play that an effect is for."""
        owner, on = source.owner, source.effect.on
        if on == "all" or owner == BATTLE:
            return self.active()
        team = -2 - owner if owner < 0 else self.roster[owner].team
        if on == "opponents":
            return self.others(team)
        if on == "allies" or owner < 0:
            return self.active(team)
        if on == "self":
            return (owner,)
        chosen = source.held.maker if on == "maker" and source.held else other
        return (chosen,) if chosen >= 0 and self.fighters[chosen].is_active else ()

    def meets(self, i: int, effect: Effect, held: Held | None = None) -> bool:
        """Return whether a Pokemon is in the state that an effect needs."""
        del held
        return (not effect.needs or self.is_so(i, effect.needs, effect.at_least)) and not (
            effect.unless and self.is_so(i, effect.unless, 0 if effect.needs else effect.at_least)
        )

    def is_so(self, i: int, word: str, at_least: int = 0) -> bool:
        """Return whether a Pokemon has a condition, or is in another state that has a word."""
        f, conditions = self.fighters[i], self.battle.catalogue.conditions
        if word in {"hurt", "full"}:
            return (f.hp < self.roster[i].stats.hp) == (word == "hurt")
        if word == "recovery":
            return f.recoveries > 0
        found = self.held(i, word)
        if found is None:
            return any(conditions[held.name].kind == word for held in f.conditions)
        return found.counters >= at_least

    def ongoing(self, do: Do, i: int, words: frozenset[str] = frozenset()) -> Iterator[Source]:
        """Yield the ongoing effects with a verb on a Pokemon, for an action with these words."""
        if self._is_pierced:
            return
        for source in self.index.get(do, ()):
            if i in self.reach(source) and fits(source.effect, words) and (
                self.meets(i, source.effect)
            ):  # fmt: skip
                yield source

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
        per, i = source.effect.per, source.owner
        if per == "counters":
            return source.held.counters if source.held else 0
        if per == "damage":
            return self.dealt
        f, own = self.fighters[i], self.roster[i]
        if per == "fainted_allies":
            mates = (k for k, one in enumerate(self.roster) if one.team == own.team)
            return sum(self.fighters[k].place == OUT for k in mates)
        if per == "missing_quarters":
            return 4 * (own.species.energy - f.energy) // own.species.energy
        size = own.species.size + 10 * f.dynamaxed
        return {"user_hp": f.hp, "maximum_hp": own.stats.hp, "healed": f.healed,
                "weight": own.species.weight, "size": size}[per]  # fmt: skip

    # Stats

    def stage(self, i: int, stat: str, words: frozenset[str] = frozenset()) -> int:
        """Return a stage: its durable part and ongoing effects (6.5)."""
        value = stage_value(self.fighters[i].stages, stat)
        for source in self.ongoing("stage", i, words):
            value += source.effect.by if source.effect.stat == stat else 0
        return clipped(stat, value)

    def rank(self, i: int, stat: str, words: frozenset[str] = frozenset()) -> int:
        """Return a rank, rounded once after all modifiers (1.3)."""
        factor, added, up = Fraction(1), 0, False
        for source in self.ongoing("rank", i, words):
            effect = source.effect
            if effect.stat == stat:
                factor *= 1 if effect.times is None else effect.times
                added += 0 if effect.amount is None else self.amount(source)
                up = up or effect.up
        return rounded(getattr(self.roster[i].stats, stat) * factor + added, up=up)

    def speed(self, i: int) -> int:
        """Return Speed with stage and modifiers (6.5, BP-10); 0 of what is no Pokemon."""
        if i < 0:
            return 0
        stage, factor = self.stage(i, "speed"), Fraction(1)
        steps = 1 + Fraction(3, 4) * abs(stage)
        factor = steps if stage > 0 else 1 / steps
        up = stage > 0
        for source in self.ongoing("speed", i):
            factor *= source.effect.times or 1
            up = up or source.effect.up
        return rounded(self.roster[i].stats.speed * factor, up=up, down=stage < 0)

    # Events

    def trigger(
        self,
        when: When,
        i: int | None = None,
        *,
        other: int = -1,
        words: frozenset[str] = frozenset(),
        stat: str = "",
        more: Sequence[Source] = (),
    ) -> None:
        """Resolve the effects that wait for an event, of one Pokemon or all, in order (4.7)."""
        if self._is_pierced and not more:
            return
        waiting = [
            source
            for source in self.index.get(when, ())
            if (i is None or source.owner == i)
            and fits(source.effect, words)
            and (not stat or stat in source.effect.into)
        ]
        self.resolve([(source, other) for source in waiting] + [(one, other) for one in more])

    def resolve(self, waiting: list[tuple[Source, int]]) -> None:
        """Resolve effects by kind, Speed of the owner and time; gone sources do not matter."""
        waiting.sort(key=lambda one: (one[0].effect.kind, -self.speed(one[0].owner), one[0].stamp))
        for source, other in waiting:
            for effect in source.effect.all():
                self._perform(source._replace(effect=effect), other)
            self.settle()

    def _perform(self, source: Source, other: int = -1) -> None:
        effect = source.effect
        if self.state.winner is not None:
            return
        if effect.on in _FIELDS:
            for owner in self._fields(source):
                verb = self._discard_field if effect.do == "discard" else self._inflict_field
                verb(source, owner)
            return
        for i in self.reach(source, other):
            if self.meets(i, effect):
                _VERBS[effect.do](self, source, i)

    def _fields(self, source: Source) -> list[int]:
        own = self.roster[source.owner].team if source.owner >= 0 else -2 - source.owner
        if source.effect.on == "battle":
            return [0]
        teams = range(len(self.battle.teams))
        return [1 + t for t in teams if (t == own) == (source.effect.on == "team")]

    def settle(self) -> None:
        """Check for fainting and the end after an event (4.6)."""
        fallen = self.state.fallen
        for i in self.active():
            f = self.fighters[i]
            if i not in fallen and (f.hp <= 0 or f.energy <= 0):
                fallen = (*fallen, i)
        if self.acting >= 0 or not fallen:
            if fallen is not self.state.fallen:
                self.put(fallen=fallen)
            return
        self.put(fallen=())
        for i in fallen:
            if self.state.winner is None:
                self.leave(i, OUT)

    def leave(self, i: int, place: int) -> None:
        """Take a Pokemon out of play, to the bench or fainted."""
        kinds = self.battle.catalogue.conditions
        kept = () if place == OUT else tuple(
            held for held in self.fighters[i].conditions if kinds[held.name].kind == "major"
        )  # fmt: skip
        self.set(i, place=place, stages=(), conditions=kept, types=(), dynamaxed=False)
        queue = self.state.queue
        if queue:
            self.put(queue=tuple(turn for turn in queue if turn.fighter != i))
        if place == OUT:
            self.set(i, hp=0, energy=0)
            self.note("faints", i)
            left = [t for t in range(len(self.battle.teams)) if self.active(t) or self.sendable(t)]
            if len(left) == 1:
                self.put(winner=left[0])
                self.note("wins", -1, left[0])

    def sendable(self, team: int) -> list[int]:
        """Return the Pokemon of a team that can be sent into play."""
        own = [i for i, one in enumerate(self.roster) if one.team == team]
        sent = sum(self.fighters[i].place != RESERVE for i in own)
        fresh = sent < self.battle.match.team_size
        places = (BENCH, RESERVE) if fresh else (BENCH,)
        return [i for i in own if self.fighters[i].place in places]

    def roll(self, chance: Fraction, label: str) -> bool:
        """Draw a success."""
        if chance in {0, 1}:
            return chance == 1
        result: bool = self._draw(success(chance), label)
        return result

    # Statements

    def heal(self, source: Source, i: int) -> None:
        f, most = self.fighters[i], self.roster[i].stats.hp
        if source.effect.recovery:
            if not f.recoveries:
                return
            self.set(i, recoveries=f.recoveries - 1)
        n = self.amount(source, i)
        hp = f.hp + n if source.effect.overheal else max(f.hp, min(most, f.hp + n))
        if hp > f.hp:
            self.set(i, hp=hp, healed=f.healed + hp - f.hp)
            self.note("heals", i, hp - f.hp)

    def energize(self, source: Source, i: int) -> None:
        f, n = self.fighters[i], self.amount(source, i)
        if source.effect.chill:
            if not f.chills:
                return
            self.set(i, chills=f.chills - 1)
        most = self.roster[i].species.energy
        if self.battle.match.energy:
            self.set(i, energy=f.energy + n if n < 0 else max(f.energy, min(most, f.energy + n)))

    def lose(self, source: Source, i: int) -> None:
        n = self.amount(source, i)
        self.set(i, hp=self.fighters[i].hp - n)
        self.note("loses", i, n, source.name)

    def inflict(self, source: Source, i: int) -> None:
        effect, f = source.effect, self.fighters[i]
        name = effect.condition
        condition = self.battle.catalogue.conditions[name]
        if set(self.types(i)) & set(condition.unaffected) or name in f.done or any(
            source.effect.condition == name for source in self.ongoing("unaffected", i)
        ):  # fmt: skip
            self.note("unaffected", i, name)
            return
        if effect.recovery:
            if not f.recoveries:
                return
            self.set(i, recoveries=f.recoveries - 1)
        n = max(effect.counters, condition.kind == "marker")
        made = self._made(source, i)
        conditions = list(f.conditions)
        place = next((k for k, own in enumerate(conditions)
                      if {own.name, own.alias} == {name, effect.alias}), None)  # fmt: skip
        if place is None:
            conditions.append(made)
        elif condition.kind == "marker":
            old = conditions[place]
            conditions[place] = old._replace(counters=old.counters + n)
        elif made.note:
            old = conditions[place]
            conditions[place] = old._replace(note=tuple(sorted({*old.note, *made.note})))
        elif effect.counters and source.held and source.held.name == name:
            old = conditions[place]  # more counters of the condition's own
            conditions[place] = old._replace(counters=old.counters + n)
        else:
            return
        done = (*f.done, name) if condition.once else f.done
        self.set(i, conditions=tuple(conditions), done=done)
        self.note("gets", i, name)
        own = [one for one in self.index.get("made", ()) if one.owner == i and one.name == name]
        self.resolve([(one, -1) for one in own])

    def _made(self, source: Source, i: int) -> Held:
        effect = source.effect
        condition = self.battle.catalogue.conditions[effect.condition]
        n = max(effect.counters, condition.kind == "marker" and i >= 0)
        until = effect.duration or condition.duration or EVER
        note = (effect.action,) if effect.action else ()
        until = self._began(until, i, following=effect.following)
        return Held(effect.condition, until, n, self.now(), source.owner, effect.alias, note)

    def _began(self, until: Duration, i: int, *, following: bool) -> Duration:
        """Return a duration that begins now; the present unit is not counted if it follows."""
        runs = self.acting == i if until.unit == "turns" else self.state.queue is not None
        return until._replace(left=until.left + 1) if following and runs and until.left else until

    def discard(self, source: Source, i: int) -> None:
        name, kinds = source.effect.condition, self.battle.catalogue.conditions
        kept = tuple(
            held
            for held in self.fighters[i].conditions
            if name not in {held.name, held.alias, kinds[held.name].kind}
            or held.name == source.effect.but
        )
        if len(kept) < len(self.fighters[i].conditions):
            self.set(i, conditions=kept)
            self.note("is rid of", i, name)

    def _discard_field(self, source: Source, field: int) -> None:
        name, kinds = source.effect.condition, self.battle.catalogue.conditions
        fields = list(self.state.fields)
        fields[field] = tuple(held for held in fields[field]
                              if name not in {held.name, str(kinds[held.name].kind)})  # fmt: skip
        self.put(fields=tuple(fields))

    def _inflict_field(self, source: Source, field: int) -> None:
        fields = list(self.state.fields)
        if source.effect.condition not in {held.name for held in fields[field]}:
            fields[field] = (*fields[field], self._made(source, BATTLE))
            self.put(fields=tuple(fields))
            self.note("begins", -1, source.effect.condition)

    def halve(self, source: Source, i: int) -> None:
        kept = (
            held._replace(counters=held.counters - held.counters // 2)
            if held.name == source.effect.condition
            else held
            for held in self.fighters[i].conditions
        )
        self.set(i, conditions=tuple(kept))

    def change(self, source: Source, i: int) -> None:
        effect = source.effect
        until = self._began(effect.duration or LEAVING, i, following=effect.following)
        stats = [str(effect.stat)]
        if effect.by > 0:
            for own in self.ongoing("twice", i):
                if own.effect.stat == effect.stat:
                    stats = [str(stat) for stat in own.effect.into]
        for stat in stats:
            before, steps = self.stage(i, stat), self.battle.match.steps or 3
            stages = change_stage(self.fighters[i].stages, stat, effect.by, until,
                                  effect.extension, steps)  # fmt: skip
            self.set(i, stages=stages)
            after = self.stage(i, stat)
            if after != before:
                self.note("stage", i, stat, after)
            if after > before:
                self.trigger("raised", i, stat=stat)

    def invert(self, source: Source, i: int) -> None:
        del source
        self.set(i, stages=inverted(self.fighters[i].stages))

    def convert(self, source: Source, i: int) -> None:
        effect = source.effect
        stages = converted(self.fighters[i].stages, str(effect.stat), str(effect.into[0]))
        self.set(i, stages=stages)

    def add_type(self, source: Source, i: int) -> None:
        if source.effect.type not in self.types(i):
            self.set(i, types=(*self.types(i), source.effect.type))

    def drop(self, source: Source, i: int) -> None:
        del source
        for item in self.fighters[i].items:
            self.note("drops", i, item)
        self.set(i, items=())

    def consume(self, source: Source, i: int) -> None:
        self.set(i, items=tuple(item for item in self.fighters[i].items if item != source.name))
        self.note("consumes", i, source.name)

    # Actions

    def targets(self, i: int, move: Move, order: Order) -> list[int]:
        """Return the legal targets of an action, the named ones first (8.3c, 8.3d)."""
        team = self.roster[i].team
        allies, foes = self.active(team), self.others(team)
        everybody = {
            "user": [i],
            "all opponents": foes,
            "all others": [k for k in self.active() if k != i],
            "all allies": allies,
        }.get(move.target)
        if everybody is not None:
            return everybody
        choice = [i, *allies] if move.target == "one ally" else foes + [k for k in allies if k != i]
        named = [k for k in order.targets if k in choice]
        chosen = (named or choice)[:1]
        for source in self.ongoing("reflect", chosen[0]) if chosen and move.reflectable else ():
            return [source.owner if source.owner == i else i]
        for source in self.index.get("redirect", ()):
            if source.owner in foes and fits(source.effect, move.words):
                return [source.owner]
        return chosen

    def attempt(self, i: int, order: Order) -> None:
        """Attempt an action: legality, costs, what prevents it, execution (9)."""
        move = self.battle.move(i, order)
        self.note("uses", i, move.name)
        for source in self.ongoing("forbid", i, move.words):
            if source.held is None or not source.held.note or {*source.held.note} & move.words:
                self.note("cannot", i, source.name)
                return
        if not self._pay(i, move, order):
            self.note("cannot", i, "costs")
            return
        self._is_pierced = "pierce" in move.tags
        if not self._is_prevented(i, move):
            for source in self.ongoing("replace", i, move.words):
                move = self.battle.catalogue.moves[source.effect.action]
                self.note("uses", i, move.name)
                break
            self.execute(i, move, order)
        self._is_pierced = False

    def _pay(self, i: int, move: Move, order: Order) -> bool:
        f, match, team = self.fighters[i], self.battle.match, self.roster[i].team
        late = self.state.posts[:1] != (team,)
        tech = (match.combination_second_cost if late else 1) if order.second else 0
        tech = 1 if order.form in Z_POWERS else tech
        cost = move.energy if match.energy else 0
        used = "combination" if order.second else "technique" if tech else ""
        able = self.state.tech[team] >= tech and used not in f.done and f.hp >= move.hp_cost
        if not able:
            if order.second and match.energy:  # BP-3: without the factor
                parts = (self.battle.catalogue.find("moves", name) for name in move.parts)
                self._spend(i, sum(part.energy for part in parts))
            return False
        if tech:
            left = (t - tech * (n == team) for n, t in enumerate(self.state.tech))
            self.put(tech=tuple(left))
            self.set(i, spent=True, done=(*f.done, used))
        enough = f.energy >= cost or (move.is_attack and not order.second)
        self._spend(i, cost, move.hp_cost if enough else 0)
        return enough

    def _spend(self, i: int, energy: int, hp: int = 0) -> None:
        f = self.fighters[i]
        self.set(i, energy=f.energy - energy, hp=f.hp - hp)
        self.settle()

    def _is_prevented(self, i: int, move: Move) -> bool:
        self.trigger("execute", i, words=move.words)
        for source in self.ongoing("prevent", i, move.words):
            self.note("fails", i, source.name)
            return True
        for source in self.ongoing("lapse", i, move.words):
            held, n = source.held, self.amount(source)
            if held is not None and held.counters >= n:  # BP-32
                self._replace_held(i, held, held._replace(counters=held.counters - n))
                self.note("fails", i, source.name)
                return True
        if move.needs and not self.is_so(i, move.needs):
            self.note("fails", i, f"not {move.needs}")
            return True
        return False

    def _replace_held(self, i: int, old: Held, new: Held) -> None:
        own = self.fighters[i].conditions
        self.set(i, conditions=tuple(new if held == old else held for held in own))

    def execute(self, i: int, move: Move, order: Order = Order()) -> None:
        """Execute an action against each target."""
        self.dealt = 0
        own = self._own(i, move, "execute")
        if move.target in {"user's team", "other team", "battlefield"}:
            self.resolve([(source, -1) for source in own])
        else:
            targets, executed = self.targets(i, move, order), False
            for j in targets:
                executed = self.strike(i, j, move, executed, spread=len(targets) >= 2)
        self.trigger("after", i, words=move.words, more=self._own(i, move, "after"))

    def _own(self, i: int, move: Move, when: When) -> list[Source]:
        return [Source(i, "move", move.name, effect, None, 1 << 30)
                for effect in move.effects if effect.when is when]  # fmt: skip

    def strike(self, i: int, j: int, move: Move, executed: bool = False, *,
               spread: bool = False) -> bool:  # fmt: skip
        """Act on one target; return whether effects on others than targets are executed."""
        shields = self.ongoing("shield", j, move.words) if i != j else iter(())
        effect = self.effect_on(i, j, move) if move.is_attack else Fraction(1)
        if not effect or next(shields, None) is not None:
            self.note("unaffected", j, move.name)
            return executed
        self.trigger("targeted", j, other=i, words=move.words)
        if not self.roll(self.chance_to_hit(i, j, move), "Hit"):
            self.note("misses", i, j)
            applied_substitutions(self, "miss", i)
            return executed
        hits, critical, more = 1, False, 0
        if move.is_attack:
            hits = self._hits(move)
            blow = self.blow(i, j, move, effect, spread=spread)
            critical = self.roll(blow.critical_chance, "Crit")
            if hits > 1 and blow.critical_chance:
                more = self._draw(successes(blow.critical_chance, hits - 1), "more crits")
        checks = self._own(i, move, "check")
        checks = checks if checks and self._check(move) else []
        now = [s for s in self._own(i, move, "execute")
               if not executed or s.effect.on == "target"]  # fmt: skip
        self.resolve([(source, j) for source in now])
        if move.is_attack:
            if now:  # stages may have changed
                blow = self.blow(i, j, move, effect, spread=spread)
            self._deal(i, j, move, damage(blow, hits, critical, more))
        self._after_hit(i, j, move, checks, hits, super_effective=effect > 1)
        return True

    def _check(self, move: Move) -> bool:
        return self.roll(Fraction(move.effect_chance or 100, 100), "Effect")

    def _hits(self, move: Move) -> int:
        if move.hits[0] == move.hits[1]:
            return move.hits[1]
        if not move.weights:
            odds = range_roll(*move.hits)
        else:
            total = sum(move.weights.values())
            odds = distribution((int(n), Fraction(w, total)) for n, w in move.weights.items())
        hits: int = self._draw(odds, "hits")
        return hits

    def _deal(self, i: int, j: int, move: Move, n: int) -> None:
        self.set(j, hp=self.fighters[j].hp - n)
        self.dealt += n
        self.note("damage", j, n, i, move.name)
        self.settle()

    def _after_hit(self, i: int, j: int, move: Move, checks: list[Source], hits: int, *,
                   super_effective: bool) -> None:  # fmt: skip
        waiting = [(source, j) for source in (*self._own(i, move, "hit"), *checks)]
        times = {"struck": 1, "contact": hits * move.contact, "weak": super_effective}
        for when, n in times.items() if move.is_attack and not self._is_pierced else ():
            for source in self.index.get(when, ()):
                if source.owner == j and fits(source.effect, move.words):
                    waiting += [(source, i)] * n
        self.resolve(waiting)
        if move.is_attack:
            applied_substitutions(self, "hit", j)

    def effect_on(self, i: int, j: int, move: Move) -> Fraction:
        """Return the effectiveness of an attack on a Pokemon (6.2)."""
        if move.type == "Typeless":
            return Fraction(1)
        rows = tuple(map(self.battle.catalogue.row, self.types(j)))
        weak, resists, immune = 0, 0, 0
        for row in rows:
            weak += move.type in row.weak
            resists += move.type in row.resists
            immune += move.type in row.immune
        f = self.fighters[j]
        if move.type == "Stellar":
            immune += f.terastal and self.roster[j].tera == "Stellar"
            weak += f.spent
        elif move.type == "Shadow":
            shadow = "Shadow" in self.types(j)
            weak, resists = weak + (not shadow), resists + shadow
        extra = [sum(source.effect.by for source in self.ongoing(do, j, move.words)
                     if source.effect.type == move.type) for do in _TALLIED]  # fmt: skip
        del i
        return effectiveness(weak + extra[0], resists + extra[1], immune + extra[2])

    def chance_to_hit(self, i: int, j: int, move: Move) -> Fraction:
        """Return the chance of an action to hit a Pokemon."""
        words, ignores = move.words, next(self.ongoing("ignore", j), None) is not None
        own, evasion = self.stage(i, "accuracy", words), self.stage(j, "evasion", words)
        if ignores:
            own, evasion = max(0, own), min(0, evasion)
        flat = sum(self.amount(source) for source in self.ongoing("accuracy", i, words))
        flat += self.roster[i].stats.accuracy + (self.roster[j].stats.exposed if i != j else 0)
        signs = {source.effect.by for source in self.ongoing("sure", i, words)}
        sure = True if any(sign > 0 for sign in signs) else False if signs else None
        return hit_chance(move.accuracy, own - evasion, flat=flat, sure=sure)

    def blow(self, i: int, j: int, move: Move, effect: Fraction, *, spread: bool = False) -> Blow:
        """Return the numbers of an attack on a Pokemon."""
        words, special = move.words, move.category == "special"
        attack = "special_attack" if special else "attack"
        defence = "special_defense" if special else "defense"
        critical = None
        if move.critical is not None and move.critical >= 0:
            critical = move.critical + self.stage(i, "critical")
            critical += sum(s.effect.by for s in self.ongoing("critical", i, words))
        factor, added, screen = SPREAD if spread else Fraction(1), 0, Fraction(1)
        for k, source in [(k, s) for k in {i, j} for s in self.ongoing("damage", k, words)]:
            # An owner's effect on itself is on its own attacks with "attack", else on those on it.
            if (k == i) == ("own" in source.effect.only or source.kind == "move"):
                factor *= source.effect.times or 1
                added += 0 if source.effect.amount is None else self.amount(source)
        for source in self.ongoing("screen", j, words):
            screen *= source.effect.times or HALF
        return Blow(
            bap=self._bap(i, j, move),
            stab=self._stab(i, move),
            ranks=self.rank(i, attack, words) - self.rank(j, defence, words),
            bonus=self._bonus(i, words),
            effect=effect,
            attack_stage=self.stage(i, attack),
            defence_stage=self.stage(j, defence),
            critical_stage=critical,
            ignores=next(self.ongoing("ignore", j), None) is not None,
            added=added,
            factor=factor,
            screen=screen,
            most_hits=move.hits[1],
            is_fixed=move.is_fixed,
            is_one=next(self.ongoing("one", j), None) is not None,
        )

    def _bap(self, i: int, j: int, move: Move) -> Fraction:
        value, factor = Fraction(move.bap or 0), Fraction(1)
        own = [s for s in self._own(i, move, "while") if s.effect.do == "bap"]
        for source in [s for s in own if self.meets(i, s.effect)] + list(
            self.ongoing("bap", i, move.words)
        ):
            if source.effect.amount is not None:
                value = Fraction(self.amount(source))
            factor *= source.effect.times or 1
        del j
        return value * factor

    def _stab(self, i: int, move: Move) -> int:
        own, f = self.roster[i], self.fighters[i]
        if not f.terastal:
            return STAB * (move.type in self.types(i))
        original = move.type in own.species.types
        both = original and move.type == own.tera != "Stellar"
        return 5 if both else STAB * (original or move.type == own.tera)

    def _bonus(self, i: int, words: frozenset[str]) -> int:
        """Return step f: the largest of abilities and of items, and all others, up and down."""
        by_kind: dict[str, list[int]] = {}
        for source in self.ongoing("power", i, words):
            by_kind.setdefault(source.kind, []).append(self.amount(source))
        total = 0
        for kind, values in by_kind.items():
            if kind in {"ability", "item"}:
                total += max(0, *values) + min(0, *values)
            else:
                total += sum(values)
        return total

    # Steps

    def advance(self) -> State:
        """Begin a step, take the next turn, or end the step."""
        if self.state.queue is None:
            self._begin_step()
        elif self.state.queue and self.state.winner is None:
            turn, *rest = self.state.queue
            self.put(queue=tuple(rest), running=turn.priority)
            self.take_turn(turn)
        else:
            self._end_step()
        return self.frozen()

    def _begin_step(self) -> None:
        state = self.state
        if state.step == 0:
            self._dynamax()
        self.put(queue=(), running=100, seen=())
        teams = {self.roster[i].team for i in self.active()}
        if len(teams) < 2 or state.winner is not None:
            self.put(step=state.steps - 1)
            return
        queue = [
            Turn(i, order) for i in self.active() for order in self.ordered(i, state.step)
        ]
        self.put(queue=tuple(queue), turns=tuple(queue))
        applied_substitutions(self, "step")
        for turn in self.state.queue or ():
            if turn.order.form == "item":
                self._use_item(turn.fighter, turn.order)
        queue = self.sequence(self.state.queue or ())
        self.put(queue=tuple(queue), turns=tuple(queue))

    def ordered(self, i: int, step: int) -> tuple[Order, ...]:
        """Return the orders of a Pokemon for a step of this round."""
        for who, at, changed in self.state.changes:
            if (who, at) == (i, step):
                return changed
        own = self.orders[i]
        return own.main[step] if own is not None and step < len(own.main) else (Order(),)

    def sequence(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return turns in their sequence: priority, Speed, earlier post, as given (4.5)."""
        posts = self.state.posts
        found = []
        for turn in turns:
            own = self.roster[turn.fighter]
            order = turn.order
            priority = 0 if order.form == "item" else self.battle.move(turn.fighter, order).priority
            posted = posts.index(own.team) if own.team in posts else len(posts)
            key = (-priority, -self.speed(turn.fighter), posted, self.fighters[turn.fighter].entry)
            found.append((key, turn._replace(priority=priority)))
        return [turn for _, turn in sorted(found, key=lambda one: one[0])]

    def _dynamax(self) -> None:
        """Let Pokemon grow whose orders say so, if their team ordered first (13.5)."""
        for i in self.active():
            own, team = self.orders[i], self.roster[i].team
            if own is not None and own.dynamax and self.state.posts[:1] == (team,) and (
                self.state.tech[team] > 0 and not self.fighters[i].dynamaxed
            ):  # fmt: skip
                tech = (t - (n == team) for n, t in enumerate(self.state.tech))
                self.put(tech=tuple(tech))
                self.set(i, dynamaxed=True, spent=True)
                self.note("grows", i)

    def _use_item(self, i: int, order: Order) -> None:
        """Use a trainer's item before the turns, on any of the team's Pokemon (7)."""
        team = self.roster[i].team
        pack = list(self.state.packs[team])
        if order.action not in pack:
            self.note("cannot", i, order.action)
            return
        pack.remove(order.action)
        packs = (tuple(pack) if n == team else old for n, old in enumerate(self.state.packs))
        self.put(packs=tuple(packs))
        subject = next(iter(order.targets), i)
        self.note("item", subject, order.action)
        thing = self.battle.catalogue.items[order.action]
        for effect in thing.effects:
            if effect.when == "used" and self.fighters[subject].place != OUT:
                source = Source(subject, "item", order.action, effect, None, self.now())
                for each in effect.all():
                    _VERBS[each.do](self, source._replace(effect=each), subject)
        self.settle()

    def take_turn(self, turn: Turn) -> None:
        """Take a turn: substitutions, the action, what is due at the turn's end."""
        i = turn.fighter
        self.put(queue=(turn, *(self.state.queue or ())))
        applied_substitutions(self, "turn", i)
        turn, *rest = self.state.queue or (turn,)
        self.put(queue=tuple(rest))
        self.acting = i
        if turn.order.form != "item":
            self.attempt(i, turn.order)
        self.acting = -1
        self.settle()
        if self.fighters[i].is_active and self.state.winner is None:
            self.trigger("end_turn", i)
            self._count_down("turns", [i])
        applied_substitutions(self, "end_turn", i)

    def _count_down(self, unit: str, of: Sequence[int]) -> None:
        for i in of:
            f = self.fighters[i]
            stages = tuple((stat, value, left) for stat, value, until in f.stages
                           if (left := counted_down(until, unit)))  # fmt: skip
            self.set(i, stages=stages, conditions=_counted(f.conditions, unit))
        if unit != "turns":
            self.put(fields=tuple(_counted(field, unit) for field in self.state.fields))

    def _end_step(self) -> None:
        state = self.state
        last = state.step + 1 >= state.steps
        if state.winner is None:
            applied_substitutions(self, "end_step")
            self.trigger("end_step")
            self._count_down("steps", self.active())
        if last and self.state.winner is None:
            self.trigger("end_round")
            self._count_down("rounds", self.active())
        fired = tuple(one for one in self.state.fired if (own := self.orders[one[0]]) is not None
                      and own.substitutions[one[1]].remembers)  # fmt: skip
        self.put(queue=None, turns=(), running=100, seen=(), fired=fired,
                 step=0 if last else state.step + 1)  # fmt: skip
        if last or self.state.winner is not None:
            self.put(step=0, changes=(), fired=())
            for i in range(len(self.fighters)):
                self.set(i, healed=0, done=(), dynamaxed=False)


def _counted(conditions: Sequence[Held], unit: str) -> tuple[Held, ...]:
    return tuple(
        held._replace(duration=left)
        for held in conditions
        if (left := counted_down(held.duration, unit))
    )


def fits(effect: Effect, words: frozenset[str]) -> bool:
    """Return whether an effect is for an action with these words; "!" before a word is not."""
    return all((word[1:] not in words) if word[0] == "!" else word in words
               for word in effect.only)  # fmt: skip


_INDEXED = {"conditions", "items", "place", "types"}
_FIELDS = {"team", "other_team", "battle"}
_TALLIED = ("weakness", "resistance", "immunity")
_VERBS = {
    "heal": Course.heal,
    "energy": Course.energize,
    "lose": Course.lose,
    "inflict": Course.inflict,
    "discard": Course.discard,
    "halve": Course.halve,
    "stage": Course.change,
    "invert": Course.invert,
    "convert": Course.convert,
    "type": Course.add_type,
    "drop": Course.drop,
    "consume": Course.consume,
}
