"""The engine: one step of a battle as a random procedure, for exact odds and for simulation.

`Battle.step` returns the distribution of what follows, `Battle.play_step` draws one course of it;
both run `Course.advance`, which begins a step, takes one turn of it, or ends it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from physics import InputError
from sim.chance.distribution import Distribution, Number, courses, distribution
from sim.post.catalogue import Catalogue, Do, Effect, Move, When
from sim.post.hitting import SPREAD, STAB, Blow, damage, effectiveness, hit_chance
from sim.post.numbers import limited, range_roll, rounded, success, successes
from sim.post.orders import Orders
from sim.post.stages import (
    EVER,
    LEAVING,
    change_stage,
    clipped,
    converted,
    counted_down,
    inverted,
    stage_value,
)
from sim.post.state import BENCH, OUT, RESERVE, Facts, Held, Order, State, Turn
from sim.post.substitutions import applied_substitutions
from sim.post.techniques import Z_POWERS, combine, max_move, z_move

Draw: TypeAlias = Callable[[Distribution[Any], str], Any]
"""Draws from a distribution; the text says what for."""
Note: TypeAlias = Callable[..., None]
"""Takes an event: its kind, a Pokemon, and what more there is to tell."""
BATTLE = -1
"""Owner of conditions of the battle; -2, -3 are those of the first and second team's field."""
_MOST_DEEP = 40
TOP = 100
"""Priority above all, of a step that begins."""


class Source(NamedTuple):
    """An effect in play, or of an action."""

    owner: int
    kind: str  # ability, item, condition, move
    name: str
    effect: Effect
    stamp: int
    held: Held = Held("")


class Battle:
    """Facts and rules of a battle; states are what changes.

    Args:
        catalogue: Data files.
        facts: Match rules, teams and Pokemon.
    """

    def __init__(self, catalogue: Catalogue, facts: Facts) -> None:
        self.catalogue, self.facts = catalogue, facts
        self.match, self.roster, self.teams = facts.match, facts.roster, facts.teams
        self._moves: dict[Any, Move] = {}
        self.blows: dict[Any, Any] = {}

    def move(self, i: int, order: Order) -> Move:
        """Return the action that an order stands for, as a Pokemon has it.

        Raises:
            InputError: There is none such.
        """
        key = (i, order[:3])
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
        ends = spread(state, lambda one: self._turns(one, orders), lambda one: one.queue is None)
        return [(p, one) for one, p in ends.items()]

    def _turns(self, state: State, orders: Sequence[Orders | None]) -> list[tuple[State, Number]]:
        return courses(lambda draw: self.play_turn(state, orders, lambda part, _: draw(part)))

    def play_turn(
        self, state: State, orders: Sequence[Orders | None], draw: Draw, note: Note | None = None
    ) -> State:
        """Return the state after the beginning of a step, a turn, or the end of a step."""
        return Course(self, state, orders, draw, note).advance()

    def play_step(
        self, state: State, orders: Sequence[Orders | None], draw: Draw, note: Note | None = None
    ) -> State:
        """Return the state after a step whose chances are drawn."""
        state = self.play_turn(state, orders, draw, note)
        while state.queue is not None:
            state = self.play_turn(state, orders, draw, note)
        return state


def spread(
    start: State,
    follow: Callable[[State], Iterable[tuple[State, Number]]],
    is_end: Callable[[State], bool],
) -> dict[State, Number]:
    """Return the distribution of the ends that follow a state; equal states are merged."""
    now: dict[State, Number] = {start: Fraction(1)}
    done: dict[State, Number] = {}
    while now:
        after: dict[State, Number] = {}
        for one, p in now.items():
            for reached, q in follow(one):
                table = done if is_end(reached) else after
                table[reached] = table.get(reached, 0) + p * q
        now = after
    return done


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

    # Actions

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
        named = [k for k in order.targets if k in choice]
        for j in (named or choice)[:1]:
            if move.reflectable and self.ongoing("reflect", j, move):
                return [i]
            drawing = [
                s.owner
                for s in self.index.get("redirect", ())
                if s.owner in foes and fits(s.effect, move)
            ]
            return drawing[:1] or [j]
        return []

    def attempt(self, i: int, order: Order) -> None:
        """Attempt an action: legality, costs, what prevents it, execution (9)."""
        move = self.battle.move(i, order)
        self.note("uses", i, move.name)
        noted = [
            one
            for one in self.ongoing("forbid", i, move)
            if not one.held.note or {*one.held.note} & move.words
        ]
        if order.form == "max" and not self.fighters[i].dynamaxed:
            self.note("cannot", i, "it has not grown")
            return
        if noted or not self._pay(i, move, order):
            self.note("cannot", i, noted[0].name if noted else "its costs")
            return
        self._is_pierced = "pierce" in move.tags
        self.trigger("execute", i, move=move)
        if not self._is_prevented(i, move):
            for source in self.ongoing("replace", i, move)[:1]:
                move = self.battle.catalogue.moves[source.effect.action]
                self.note("uses", i, move.name)
            self.execute(i, move, order)
        self._is_pierced = False

    def _pay(self, i: int, move: Move, order: Order) -> bool:
        f, match, team = self.fighters[i], self.battle.match, self.roster[i].team
        late = self.state.posts[:1] != (team,)
        if order.second:
            tech, used = match.combination_second_cost if late else 1, "combination"
            barred = used in f.done
        else:  # one advanced technique of a Pokemon in a round, one Z-Move of a team (13)
            tech, used = int(order.form in Z_POWERS), "z-move"
            mates = (self.fighters[k] for k, own in enumerate(self.roster) if own.team == team)
            barred = f.dynamaxed or any(used in mate.done for mate in mates)
        if tech and (self.state.tech[team] < tech or barred):
            parts = (self.battle.catalogue.find("moves", name) for name in move.parts)
            self._spend(i, sum(part.energy for part in parts))  # BP-3: without the factor
            return False
        if f.hp < move.hp_cost:
            return False
        if tech:
            self._spend_tech(i, tech, used)
        enough = f.energy >= move.energy or (move.is_attack and not order.second)
        self._spend(i, move.energy, move.hp_cost if enough else 0)
        return enough or not match.energy

    def _spend(self, i: int, energy: int, hp: int = 0) -> None:
        f, energy = self.fighters[i], energy * self.battle.match.energy
        self.set(i, energy=f.energy - energy, hp=f.hp - hp)
        self.settle()

    def _spend_tech(self, i: int, tech: int, used: str) -> None:
        team = self.roster[i].team
        left = (own - tech * (n == team) for n, own in enumerate(self.state.tech))
        self.put(tech=tuple(left))
        self.set(i, spent=True, done=(*self.fighters[i].done, used))

    def _is_prevented(self, i: int, move: Move) -> bool:
        """Return whether an action that is paid for fails (BP-24)."""
        why = "" if not move.needs or self.is_so(i, move.needs) else f"not {move.needs}"
        for source in self.ongoing("prevent", i, move):
            why = source.name
        for source in self.ongoing("lapse", i, move):
            left = source.held.counters - self.amount(source)
            if left >= 0:  # BP-32
                new = source.held._replace(counters=left)
                self.hold(i, [new if one == source.held else one for one in self.held(i)])
                why = source.name
        if why:
            self.note("fails by", i, why)
        return bool(why)

    def execute(self, i: int, move: Move, order: Order) -> None:
        """Execute an action against each target."""
        self.dealt = 0
        if move.target in {"user's team", "other team", "battlefield"}:
            self.resolve([(source, -1) for source in self.own(i, move, "execute")])
        else:
            targets, executed = self.targets(i, move, order), False
            for j in targets:
                executed = self.strike(i, j, move, executed, spread=len(targets) >= 2)
        self.resolve([(source, -1) for source in self.own(i, move, "after")])
        self.trigger("after", i, move=move)

    def own(self, i: int, move: Move, when: When) -> list[Source]:
        """Return the effects of an action."""
        return [
            Source(i, "move", move.name, effect, 1 << 30)
            for effect in move.effects
            if effect.when == when
        ]

    def strike(
        self, i: int, j: int, move: Move, executed: bool = False, *, spread: bool = False
    ) -> bool:
        """Act on one target; return whether effects on others than targets are executed."""
        if self.effect_on(j, move) == 0 or (i != j and self.ongoing("shield", j, move)):
            self.note("is unaffected by", j, move.name)
            return executed
        self.trigger("targeted", j, other=i, move=move)
        effect, chance, blow, dealt = self.prepared(i, j, move, spread=spread)
        if not self.roll(chance, "Hit"):
            self.note("misses", i, j)
            applied_substitutions(self, "miss", i)
            return executed
        rolled = self._rolled_hits(move, blow) if move.is_attack else (1, False, 0)
        checks = self.own(i, move, "check")
        if checks and not self.roll(Fraction(move.effect_chance or 100, 100), "Effect"):
            checks = []
        now = [
            (source, j)
            for source in self.own(i, move, "execute")
            if not executed or source.effect.on == "target"
        ]
        self.resolve(now)
        waiting = [(source, j) for source in (*self.own(i, move, "hit"), *checks)]
        if move.is_attack:
            if now:  # stages may have changed
                _, _, blow, dealt = self.prepared(i, j, move, spread=spread)
            if rolled not in dealt:
                dealt[rolled] = damage(blow, *rolled)
            self.set(j, hp=self.fighters[j].hp - dealt[rolled])
            self.dealt += dealt[rolled]
            self.note("damage", j, dealt[rolled])
            self.settle()
            times = {"struck": 1, "contact": rolled[0] * move.contact, "weak": effect > 1}
            waiting += [
                (source, i)
                for when, n in times.items()
                for source in (() if self._is_pierced else self.index.get(when, ()))
                if source.owner == j and fits(source.effect, move)
                for _ in range(n)
            ]
        self.resolve(waiting)
        if move.is_attack:
            applied_substitutions(self, "hit", j)
        return True

    def _rolled_hits(self, move: Move, blow: Blow) -> tuple[int, bool, int]:
        """Return the hits, whether the first is critical, and how many more are."""
        hits = move.hits[1]
        if move.hits[0] < hits:
            odds, total = range_roll(*move.hits), sum(move.weights.values())
            if move.weights:
                pairs = ((int(n), Fraction(w, total)) for n, w in move.weights.items())
                odds = distribution(pairs)
            hits = self._draw(odds, "hits")
        chance = blow.critical_chance
        critical = self.roll(chance, "Crit")
        more = self._draw(successes(chance, hits - 1), "more crits") if hits > 1 and chance else 0
        return hits, critical, more

    def prepared(self, i: int, j: int, move: Move, *, spread: bool = False) -> Any:
        """Return effectiveness, chance to hit, blow, and a table of damage by hits and criticals.

        Where no effects are in play these depend on little, and are looked up.
        """
        f, g = self.fighters[i], self.fighters[j]
        key = (i, j, id(move), f.stages, g.stages, f[-4:], g[-4:], spread)
        table = {} if self.index or move.ongoing else self.battle.blows
        if key not in table:
            effect = self.effect_on(j, move)
            blow = self.blow(i, j, move, effect, spread=spread) if move.is_attack else None
            table[key] = effect, self.chance_to_hit(i, j, move), blow, {}
        return table[key]

    def effect_on(self, j: int, move: Move) -> Fraction:
        """Return the effectiveness of an action on a Pokemon (6.2); 1 of what is no attack."""
        if move.type == "Typeless" or not move.is_attack:
            return Fraction(1)
        f, tera = self.fighters[j], self.roster[j].tera
        rows = [self.battle.catalogue.row(name) for name in self.types(j)]
        counts = [
            sum(move.type in getattr(row, name) for row in rows)
            + self.modifier(do, j, move, move.type)[1]
            for do, name in _TALLIED
        ]
        if move.type == "Stellar":
            counts[0] += f.spent
            counts[2] += f.terastal and tera == "Stellar"
        elif move.type == "Shadow":
            counts["Shadow" in self.types(j)] += 1
        return effectiveness(*counts)

    def chance_to_hit(self, i: int, j: int, move: Move) -> Fraction:
        """Return the chance of an action to hit a Pokemon."""
        own, evasion = self.stage(i, "accuracy", move), self.stage(j, "evasion", move)
        if self.ongoing("ignore", j):
            own, evasion = max(0, own), min(0, evasion)
        flat = self.modifier("accuracy", i, move)[1] + self.roster[i].stats.accuracy
        flat += self.roster[j].stats.exposed * (i != j)
        signs = [self.amount(source) > 0 for source in self.ongoing("sure", i, move)]
        return hit_chance(move.accuracy, own - evasion, flat=flat, sure=max(signs, default=None))

    def blow(self, i: int, j: int, move: Move, effect: Fraction, *, spread: bool = False) -> Blow:
        """Return the numbers of an attack on a Pokemon."""
        special = "special_" * (move.category == "special")
        attack, defence = f"{special}attack", f"{special}defense"
        times, bap, _ = self.modifier("bap", i, move)
        critical = None
        if move.critical >= 0:
            critical = move.critical + self.stage(i, "critical")
            critical += self.modifier("critical", i, move)[1]
        (more, plus, _), (less, minus, _) = (
            self.modifier("damage", i, move),
            self.modifier("guard", j, move),
        )
        return Blow(
            bap=(bap or move.bap or 0) * times,
            stab=self._stab(i, move),
            ranks=self.rank(i, attack, move) - self.rank(j, defence, move),
            bonus=self._bonus(i, move),
            effect=effect,
            attack_stage=self.stage(i, attack),
            defence_stage=self.stage(j, defence),
            critical_stage=critical,
            ignores=bool(self.ongoing("ignore", j)),
            added=plus + minus,
            factor=more * less * (SPREAD if spread else 1),
            screen=self.modifier("screen", j, move)[0],
            most_hits=move.hits[1],
            is_fixed=move.is_fixed,
            is_one=bool(self.ongoing("one", j)),
        )

    def _stab(self, i: int, move: Move) -> int:
        own = self.roster[i]
        if not self.fighters[i].terastal:
            return STAB * (move.type in self.types(i))
        original, tera = move.type in own.species.types, move.type == own.tera
        return 5 if original and tera and own.tera != "Stellar" else STAB * (original or tera)

    def _bonus(self, i: int, move: Move) -> int:
        """Return step f: the largest of abilities and of items, and all others, up and down."""
        by_kind: dict[str, list[int]] = {"ability": [0], "item": [0]}
        for source in self.ongoing("power", i, move):
            by_kind.setdefault(source.kind, []).append(self.amount(source))
        ability, item, *others = by_kind.values()
        return sum(max(own) + min(own) for own in (ability, item)) + sum(map(sum, others))

    # Steps

    def advance(self) -> State:
        """Begin a step, take the next turn, or end the step."""
        if self.state.queue is None:
            self._begin_step()
        elif self.state.queue and self.state.winner is None:
            self.take_turn()
        else:
            self._end_step()
        return self.frozen()

    def _begin_step(self) -> None:
        state = self.state
        if state.step == 0:
            self._dynamax()
        teams = {self.roster[i].team for i in self.active()}
        if len(teams) < 2 or state.winner is not None:
            self.put(queue=(), step=state.steps - 1)
            return
        queue = tuple(Turn(i, one) for i in self.active() for one in self.ordered(i, state.step))
        self.put(queue=queue, turns=queue, running=TOP, seen=())
        applied_substitutions(self, "step")
        for turn in self.state.turns:
            if turn.order.form == "item":
                self._use_item(turn.fighter, turn.order)
        queue = tuple(self.sequence(self.state.queue or ()))
        self.put(queue=queue, turns=queue)

    def ordered(self, i: int, step: int) -> tuple[Order, ...]:
        """Return the orders of a Pokemon for a step of this round."""
        for who, at, changed in self.state.changes:
            if (who, at) == (i, step):
                return changed
        own = self.orders[i]
        return own.main[step] if own is not None and step < len(own.main) else (Order(),)

    def sequence(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return turns in their sequence: priority, Speed, earlier post, as given (4.5)."""
        found = []
        for i, order, _ in turns:
            f, posts, team = self.fighters[i], self.state.posts, self.roster[i].team
            priority = 0 if order.form == "item" else self.battle.move(i, order).priority
            posted = posts.index(team) if team in posts and self.orders[i] else len(posts)
            key = (-priority, -self.speed(i), posted, f.entry)
            found.append((key, Turn(i, order, priority)))
        return [turn for _, turn in sorted(found, key=lambda one: one[0])]

    def _dynamax(self) -> None:
        """Let Pokemon grow whose orders say so, if their team ordered first (13.5)."""
        for i in self.active():
            own, team = self.orders[i], self.roster[i].team
            if own and own.dynamax and self.state.posts[0] == team and self.state.tech[team]:
                self._spend_tech(i, 1, "technique")
                self.set(i, dynamaxed=True)
                self.note("grows", i)

    def _use_item(self, i: int, order: Order) -> None:
        """Use a trainer's item before the turns, on any of the team's Pokemon (7)."""
        packs, team = list(self.state.packs), self.roster[i].team
        pack, subject = list(packs[team]), next(iter(order.targets), i)
        if order.action not in pack or self.fighters[subject].place == OUT:
            self.note("cannot", i, order.action)
            return
        pack.remove(order.action)
        packs[team] = tuple(pack)
        self.put(packs=tuple(packs))
        self.note("takes", subject, order.action)
        for effect in self.battle.catalogue.items[order.action].effects:
            for one in effect.all() if effect.when == "used" else ():
                getattr(self, f"do_{one.do}")(Source(subject, "item", "", one, 0), subject)
        self.settle()

    def take_turn(self) -> None:
        """Take a turn: substitutions, the action, what is due at the turn's end."""
        i, _, priority = (self.state.queue or ())[0]
        self.put(running=priority)
        applied_substitutions(self, "turn", i)
        (_, order, _), *rest = self.state.queue or ()
        self.put(queue=tuple(rest))
        self.acting = i
        if order.form != "item":
            self.attempt(i, order)
        self.acting = -1
        self.settle()
        if self.fighters[i].place >= 0 and self.state.winner is None:
            self.trigger("end_turn", i)
            self._count_down("turns", [i])
        applied_substitutions(self, "end_turn", i)

    def _count_down(self, unit: str, owners: Sequence[int]) -> None:
        for owner in owners:
            held = [
                one._replace(duration=left)
                for one in self.held(owner)
                if (left := counted_down(one.duration, unit))
            ]
            if self.held(owner) != tuple(held):
                self.hold(owner, held)
            if owner >= 0 and (stages := self.fighters[owner].stages):
                kept = (
                    (stat, value, left)
                    for stat, value, until in stages
                    if (left := counted_down(until, unit))
                )
                self.set(owner, stages=tuple(kept))

    def _end_step(self) -> None:
        last = self.state.step + 1 >= self.state.steps
        if self.state.winner is None:
            applied_substitutions(self, "end_step")
        units: list[tuple[When, str]] = [("end_step", "steps"), ("end_round", "rounds")]
        for when, unit in units[: 1 + last]:
            if self.state.winner is None:
                self.trigger(when)
                owners = [k for k in self._owners() if k < 0 or self.fighters[k].place >= 0]
                self._count_down(unit, owners)
        last = last or self.state.winner is not None
        fired = (
            ()
            if last
            else tuple(
                one
                for one in self.state.fired
                if (own := self.orders[one[0]]) and own.substitutions[one[1]].remembers
            )
        )
        self.put(
            queue=None,
            turns=(),
            running=TOP,
            seen=(),
            fired=fired,
            step=0 if last else self.state.step + 1,
        )
        if last:
            self.put(changes=())
            for i in range(len(self.fighters)):
                self.set(i, healed=0, done=(), dynamaxed=False)


def fits(effect: Effect, move: Move | None) -> bool:
    """Return whether an effect is for an action with these words; "!" before a word is not."""
    words = move.words if move is not None else frozenset[str]()
    return all((word[1:] not in words) if word[0] == "!" else word in words for word in effect.only)


_INDEXED = {"conditions", "items", "place", "types", "entry"}
_TALLIED: tuple[tuple[Do, str], ...] = (
    ("weakness", "weak"),
    ("resistance", "resists"),
    ("immunity", "immune"),
)
