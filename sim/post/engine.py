"""The engine: one step of a battle as a random procedure, for exact odds and for simulation.

`Battle.step` returns the distribution of what follows, `Battle.play_step` draws one course of it;
both run `Course.advance`, which begins a step, takes one turn of it, or ends it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from physics.facts import fact
from sim.chance.distribution import Number, courses, distribution
from sim.post.catalogue import Catalogue, Do, Move, When
from sim.post.numbers import (
    ONE,
    SPREAD,
    STAB,
    Blow,
    counted_down,
    damage,
    effectiveness,
    hit_chance,
    mended,
    range_roll,
    successes,
)
from sim.post.orders import Plan, Substituting
from sim.post.pokemon import ADVANCED_LEVEL, Match
from sim.post.standing import Draw, Note, Source
from sim.post.state import OUT, TOP, Entrant, Order, State, Turn
from sim.post.techniques import Z_POWERS, combine, max_move, z_move


@fact(eq=False)
class Battle:
    """Facts and rules of a battle; states are what changes."""

    catalogue: Catalogue
    match: Match
    teams: tuple[str, ...]
    roster: tuple[Entrant, ...]
    blows: dict[Any, Any] = field(default_factory=dict, init=False)
    _moves: dict[Any, Move] = field(default_factory=dict, init=False)

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
            level = min(self.roster[i].level, self.match.level)
            if order.action == "hidden power" and level < ADVANCED_LEVEL:
                move = replace(move, type="Normal")
            if order.form == "max":
                move = max_move(move, self.catalogue)
            elif order.form in Z_POWERS:
                move = z_move(move, order.form, self.roster[i].stats)
            self._moves[key] = move
        return self._moves[key]

    def step(self, state: State, orders: Plan) -> list[tuple[Number, State]]:
        """Return the distribution of the states after a step; equal states are merged."""

        def turns(one: State) -> Iterable[tuple[State, Number]]:
            return courses(lambda draw: self.play_turn(one, orders, lambda part, _: draw(part)))

        return [(p, end) for end, p in spread(state, turns, lambda one: one.queue is None).items()]

    def play_turn(self, state: State, orders: Plan, draw: Draw, note: Note | None = None) -> State:
        """Return the state after the beginning of a step, a turn, or the end of a step."""
        return Course(self, state, orders, draw, note).advance()

    def play_step(self, state: State, orders: Plan, draw: Draw, note: Note | None = None) -> State:
        """Return the state after a step whose chances are drawn."""
        while (state := self.play_turn(state, orders, draw, note)).queue is not None:
            pass
        return state


def spread(
    start: State,
    follow: Callable[[State], Iterable[tuple[State, Number]]],
    is_end: Callable[[State], bool],
) -> dict[State, Number]:
    """Return the distribution of the ends that follow a state; equal states are merged."""
    now: dict[State, Number] = {start: ONE}
    done: dict[State, Number] = {}
    while now:
        after: dict[State, Number] = {}
        for one, p in now.items():
            for reached, q in follow(one):
                table = done if is_end(reached) else after
                table[reached] = table.get(reached, 0) + p * q
        now = after
    return done


class Course(Substituting):
    """A state in which actions and steps are taken."""

    # Actions

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
        self.trigger("execute", i, -1, move)
        if not self._is_prevented(i, move):
            for source in self.ongoing("replace", i, move)[:1]:
                move = self.catalogue.moves[source.effect.action]
                self.note("uses", i, move.name)
            self.execute(i, move, order)
        self._is_pierced = False

    def _pay(self, i: int, move: Move, order: Order) -> bool:
        f, match, team = self.fighters[i], self.match, self.roster[i].team
        late = self.state.posts[:1] != (team,)
        if order.second:
            tech, used = match.combination_second_cost if late else 1, "combination"
            barred = used in f.done
        else:  # one advanced technique of a Pokemon in a round, one Z-Move of a team (13)
            tech, used = int(order.form in Z_POWERS), "z-move"
            mates = (self.fighters[k] for k, own in enumerate(self.roster) if own.team == team)
            barred = f.dynamaxed or any(used in mate.done for mate in mates)
        if tech and (self.state.tech[team] < tech or barred):
            parts = (self.catalogue.find("moves", name) for name in move.parts)
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
        f, energy = self.fighters[i], energy * self.match.energy
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
        self.trigger("after", i, -1, move)

    def strike(
        self, i: int, j: int, move: Move, executed: bool = False, *, spread: bool = False
    ) -> bool:
        """Act on one target; return whether effects on others than targets are executed."""
        if self.effect_on(j, move) == 0 or (i != j and self.ongoing("shield", j, move)):
            self.note("is unaffected by", j, move.name)
            return executed
        self.trigger("targeted", j, i, move)
        effect, chance, blow, dealt = self.prepared(i, j, move, spread=spread)
        if not self.roll(chance, "Hit"):
            self.note("misses", i, j)
            self.substitute("misses", i)
            return executed
        rolled = self._rolled_hits(move, blow) if move.is_attack else (1, False, 0)
        checks = self.own(i, move, "check")
        if checks and not self.roll(Fraction(move.effect_chance or 100, 100), "Effect"):
            checks = []
        now = self.own(i, move, "execute")
        now = [one for one in now if not executed or one.effect.on == "target"]
        self.resolve([(one, j) for one in now])
        waiting = [(one, j) for one in (*self.own(i, move, "hit"), *checks)]
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
            for when, n in times.items():
                waiting += self.waiting(when, j, i, move) * n
        self.resolve(waiting)
        if move.is_attack:
            self.substitute("is hit", j)
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
            return ONE
        f, tera = self.fighters[j], self.roster[j].tera
        rows = [self.catalogue.row(name) for name in self.types(j)]
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
        difference = mended(own, evasion, ignores=bool(self.ongoing("ignore", j)))
        flat = self.modifier("accuracy", i, move)[1] + self.roster[i].stats.accuracy
        flat += self.roster[j].stats.exposed * (i != j)
        signs = [self.amount(source) > 0 for source in self.ongoing("sure", i, move)]
        return hit_chance(move.accuracy, difference, flat=flat, sure=max(signs, default=None))

    def blow(self, i: int, j: int, move: Move, effect: Fraction, *, spread: bool = False) -> Blow:
        """Return the numbers of an attack on a Pokemon."""
        special = "special_" * (move.category == "special")
        attack, defence = f"{special}attack", f"{special}defense"
        times, bap, _ = self.modifier("bap", i, move)
        critical = None
        if move.critical >= 0:
            critical = move.critical + self.stage(i, "critical")
            critical += self.modifier("critical", i, move)[1]
        more, plus, _ = self.modifier("damage", i, move)
        less, minus, _ = self.modifier("guard", j, move)
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
        self.substitute("start step")
        for turn in self.state.turns:
            if turn.order.form == "item":
                self._use_item(turn.fighter, turn.order)
        queue = tuple(self.sequence(self.state.queue or ()))
        self.put(queue=queue, turns=queue)

    def sequence(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return turns in their sequence: priority, Speed, earlier post, as given (4.5)."""
        found = []
        for i, order, _ in turns:
            f, posts, team = self.fighters[i], self.state.posts, self.roster[i].team
            priority = 0 if order.form == "item" else self.battle.move(i, order).priority
            posted = posts.index(team) if team in posts and i in self.orders else len(posts)
            key = (-priority, -self.speed(i), posted, f.entry)
            found.append((key, Turn(i, order, priority)))
        return [turn for _, turn in sorted(found, key=lambda one: one[0])]

    def _dynamax(self) -> None:
        """Let Pokemon grow whose orders say so, if their team ordered first (13.5)."""
        for i in self.active():
            own, team = self.orders.get(i), self.roster[i].team
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
        for effect in self.catalogue.items[order.action].effects:
            for one in effect.all() if effect.when == "used" else ():
                self.do(Source(subject, "item", "", one, 0), subject)
        self.settle()

    def take_turn(self) -> None:
        """Take a turn: substitutions, the action, what is due at the turn's end."""
        i, _, priority = (self.state.queue or ())[0]
        self.put(running=priority)
        self.substitute("start turn", i)
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
        self.substitute("end turn", i)

    def _count_down(self, unit: str, owners: Iterable[int]) -> None:
        for owner in owners:
            left = counted_down(self.held(owner), unit)
            if self.held(owner) != left:
                self.hold(owner, left)
            if owner >= 0 and (stages := self.fighters[owner].stages):
                self.set(owner, stages=counted_down(stages, unit))

    def _end_step(self) -> None:
        step = self.state.step + 1
        if self.state.winner is None:
            self.substitute("end step")
        units: list[tuple[When, str]] = [("end_step", "steps"), ("end_round", "rounds")]
        for when, unit in units[: 1 + (step >= self.state.steps)]:
            if self.state.winner is None:
                self.trigger(when)
                present = (k for k in self._owners() if k < 0 or self.fighters[k].place >= 0)
                self._count_down(unit, present)
        self.put(queue=None, turns=(), running=TOP, seen=(), step=step)
        if step >= self.state.steps or self.state.winner is not None:
            self.put(changes=(), fired=(), step=0)
            for i in range(len(self.fighters)):
                self.set(i, healed=0, done=(), dynamaxed=False)
        else:
            kept = (one for one in self.state.fired if self.subs(one[0])[one[1]].remembers)
            self.put(fired=tuple(kept))


_TALLIED: tuple[tuple[Do, str], ...] = (
    ("weakness", "weak"),
    ("resistance", "resists"),
    ("immunity", "immune"),
)
