"""The engine: one step of a battle as a random procedure, for exact odds and for simulation.

`step_odds` returns the distribution of what follows, `play_step` draws one course of it. Both run
`Course.advance`, which begins a step, takes one turn of it, or ends it.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from pucklab.sim.chance.distribution import Number, courses, distribution
from pucklab.sim.post.battle import Battle, Plan
from pucklab.sim.post.catalogue import Move, TypeRow
from pucklab.sim.post.effects import Draw, Event, Note, Source
from pucklab.sim.post.numbers import (
    ONE,
    SPREAD,
    STAB,
    Blow,
    count_down,
    damage,
    effectiveness,
    hit_chance,
    range_roll,
    stage_difference,
    successes,
)
from pucklab.sim.post.state import OUT, TOP, Order, State, Turn
from pucklab.sim.post.substitutions import Substituting
from pucklab.sim.post.values import name_key


def play_turn(
    battle: Battle, state: State, orders: Plan, draw: Draw, note: Note | None = None
) -> State:
    """Return the state after the beginning of a step, a turn, or the end of a step."""
    return Course(battle, state, orders, draw, note).advance()


def play_step(
    battle: Battle, state: State, orders: Plan, draw: Draw, note: Note | None = None
) -> State:
    """Return the state after a step; chances are drawn."""
    while (state := play_turn(battle, state, orders, draw, note)).queue is not None:
        pass
    return state


def step_odds(battle: Battle, state: State, orders: Plan) -> dict[State, Number]:
    """Return the distribution of the states after a step; equal states are merged."""

    def turns(one: State) -> Iterable[tuple[State, Number]]:
        return courses(lambda draw: play_turn(battle, one, orders, lambda part, _: draw(part)))

    return spread(state, turns, lambda one: one.queue is None)


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
        """Attempt an action: legality, costs, prevention, execution (9)."""
        for source in self.ongoing("instead order", i)[:1]:
            names = source.held.note or (source.effect.action,)
            order = order._replace(action=names[0], second="", form="")
        move = self.battle.move(i, order)
        self.note("uses", i, move.name)
        why = self.hindrance(i, order)
        if why or not self._pay(i, move, order):
            self.note("cannot", i, why or "its costs")
            self.substitute("fails", i, move=move)
            return
        self.trigger("attempt", i, -1, move)
        self.is_pierced = "pierce" in move.tags
        self.trigger("execute", i, -1, move)
        needs = move.needs  # what is paid for may fail: BP-24
        if "target" not in needs and not self.are_met(needs, i, i, i):
            why = f"not {needs}"
        for source in self.ongoing("forbid execute", i, move):
            lost = 0 if source.effect.amount is None else self.amount(source, i)
            left = source.held.counters - lost
            if left >= 0:  # BP-32
                new = source.held._replace(counters=left)
                self.hold(i, [new if one == source.held else one for one in self.held(i)])
                why = source.name
        if why:
            self.note("fails by", i, why)
            self.substitute("fails", i, move=move)
        else:
            for source in self.ongoing("instead action", i, move)[:1]:
                move = self.catalogue.moves[source.effect.action]
                self.note("uses", i, move.name)
            self.perform(i, move, order)
        self.is_pierced = False

    def give_order(self, source: Source, i: int) -> None:
        """Call an action at once."""
        name, other = source.effect.action, source.event.other
        if name := self.order.declared if name == "declared" else name:
            order = Order(name, targets=(other,) if other >= 0 and other != i else ())
            move = self.battle.move(i, order)
            self.note("calls", i, move.name)
            self.perform(i, move, order)

    def _pay(self, i: int, move: Move, order: Order) -> bool:
        """Pay for an action; return False if the user cannot afford it (8.3b, 13)."""
        f, match, team = self.fighters[i], self.match, self.roster[i].team
        tech, used, barred, energy = 0, "combination", False, move.energy
        if order.second:
            late = self.state.posts[:1] != (team,)
            tech, barred = match.combination_second_cost if late else 1, used in f.done
        elif order.form in self.catalogue.techniques:  # one of a Pokemon, one Z-Move of a team
            mates = (self.fighters[k] for k, own in enumerate(self.roster) if own.team == team)
            tech, used = 1, "z-move"
            barred = f.dynamaxed or any(used in mate.done for mate in mates)
        fails = bool(tech) and (self.state.tech[team] < tech or barred)
        if fails:  # BP-3: without the factor
            energy = sum(self.catalogue.moves[name_key(name)].energy for name in move.parts)
        elif f.hp < move.hp_cost:
            return False
        elif tech:
            self._spend_tech(i, tech, used)
        enough = f.energy >= energy or (move.is_attack and not order.second)
        paid, f = enough and not fails, self.fighters[i]
        self.set(i, energy=f.energy - energy * match.energy, hp=f.hp - move.hp_cost * paid)
        self.settle()
        return not fails and (enough or not match.energy)

    def _spend_tech(self, i: int, tech: int, used: str) -> None:
        team = self.roster[i].team
        left = (own - tech * (n == team) for n, own in enumerate(self.state.tech))
        self.put(tech=tuple(left))
        self.set(i, spent=True, done=(*self.fighters[i].done, used))

    def perform(self, i: int, move: Move, order: Order) -> None:
        """Execute an action against each target."""
        outer, self.order, self.dealt = self.order, order, 0
        if self.remembers:
            self.put(used=(*self.state.used, (i, self.state.step, order)))
        if move.target in {"user's team", "other team", "battlefield"}:
            self.resolve(self.own(i, move, "execute", Event("", i)))
        else:
            targets, executed = self.targets(i, move, order), False
            for j in targets:
                executed = self.strike(i, j, move, executed, spread=len(targets) >= 2)
        self.resolve(self.own(i, move, "after", Event("", i)))
        self.trigger("after", i, -1, move)
        self.order = outer

    def strike(
        self, i: int, j: int, move: Move, executed: bool = False, *, spread: bool = False
    ) -> bool:
        """Act on one target; return whether effects besides those on targets are executed."""
        event = Event("", i, j, move)
        needs = move.needs if "target" in move.needs else ""
        shielded = i != j and "forbid harm" in self.index
        shielded = shielded and bool(self.ongoing("forbid harm", j, move, i, j))
        if shielded or not self.effect_on(i, j, move) or not self.are_met(needs, i, j, j):
            self.note("is unaffected by", j, move.name)
            return executed
        self.trigger("targeted", j, i, move)
        effect, chance, blow, dealt = self.prepare_blow(i, j, move, spread=spread)
        if not self.roll(chance, "Hit"):
            self.note("misses", i, j)
            self.substitute("misses", i, j, move)
            return executed
        rolled = 1, False, 0  # hits, whether the first is critical, and further criticals
        if move.is_attack:
            hits = move.hits[1]
            if move.hits[0] < hits:
                odds, total = range_roll(*move.hits), sum(move.weights.values())
                if move.weights:
                    pairs = ((int(n), Fraction(w, total)) for n, w in move.weights.items())
                    odds = distribution(pairs)
                hits = self.draw(odds, "hits")
            critical, more = self.roll(blow.critical_chance, "Crit"), 0
            if hits > 1 and blow.critical_chance:
                more = self.draw(successes(blow.critical_chance, hits - 1), "more crits")
            rolled = hits, critical, more
        checks = self.own(i, move, "check", event)
        if checks and not self.roll(Fraction(move.effect_chance or 100, 100), "Effect"):
            checks = []
        now = self.own(i, move, "execute", event)
        now = [one for one in now if not executed or one.effect.on == "target"]
        self.resolve(now)
        waiting = [*self.own(i, move, "hit", event), *checks]
        words = frozenset({"critically"} if rolled[1] or rolled[2] else ())
        if effect != 1:
            words |= {"super effectively" if effect > 1 else "not very effectively"}
        if move.is_attack:
            if now:  # stages may have changed
                _, _, blow, dealt = self.prepare_blow(i, j, move, spread=spread)
            if rolled not in dealt:
                dealt[rolled] = damage(blow, *rolled)
            self.set(j, hp=self.fighters[j].hp - dealt[rolled])
            self.dealt += dealt[rolled]
            self.note("damage", j, dealt[rolled])
            self.settle()
            for when, n in (("struck", 1), ("contact", rolled[0] * move.contact)):
                if n and when in self.index:
                    waiting += self.waiting(Event(when, j, i, move, words)) * n
        self.resolve(waiting)
        self.substitute("hit", j, i, move, words)
        return True

    def prepare_blow(self, i: int, j: int, move: Move, *, spread: bool = False) -> Any:
        """Return effectiveness, chance to hit, blow, and a table of damage by hits and criticals.

        Where no effects are in play these depend on little, and are looked up.
        """
        f, g = self.fighters[i], self.fighters[j]
        key = (i, j, id(move), f.stages, g.stages, f[-4:], g[-4:], spread)
        table = {} if self.index or move.ongoing else self.battle.blows
        if key not in table:
            effect = self.effect_on(i, j, move)
            blow = self.blow(i, j, move, effect, spread=spread) if move.is_attack else None
            ignores = bool(self.ongoing("modify stages ignored", j))
            difference = stage_difference(
                self.stage(i, "accuracy", move), self.stage(j, "evasion", move), ignores=ignores
            )
            flat = self.modifier("accuracy", i, move, target=j)[1] + self.roster[i].stats.accuracy
            flat += self.roster[j].stats.exposed * (i != j)
            sure = self.ongoing("modify sure", i, move, target=j)
            most = max((self.amount(source, i) > 0 for source in sure), default=None)
            chance = hit_chance(move.accuracy, difference, flat=flat, sure=most)
            table[key] = effect, chance, blow, {}
        return table[key]

    def effect_on(self, i: int, j: int, move: Move) -> Fraction:
        """Return the effectiveness of an action (6.2); 1 or 0 if it is no attack."""
        plain = move.type == "Typeless" or not move.is_attack
        if plain and "modify immunity" not in self.index and not move.ongoing:
            return ONE
        f, types = self.fighters[j], self.types(j) if move.is_attack else ()
        rows = [self.catalogue.types.get(name.lower(), TypeRow()) for name in types]
        counts = []
        for what, kind in _TALLIED.items():
            extra = 0
            if f"modify {what}" in self.index or move.ongoing:
                of = (move.type, "")[: 1 + (what == "immunity")]
                every = (self.modifier(what, j, move, one, user=i, target=j) for one in of)
                extra = sum(found[1] for found in every)
            counts.append(extra + sum(move.type in getattr(row, kind) for row in rows))
        if not move.is_attack:
            return Fraction(not counts[2])
        if move.type == "Stellar":
            counts[0] += f.spent
            counts[2] += f.terastal and self.roster[j].tera == "Stellar"
        elif move.type == "Shadow":
            counts["Shadow" in types] += 1
        return effectiveness(*counts)

    def blow(self, i: int, j: int, move: Move, effect: Fraction, *, spread: bool = False) -> Blow:
        """Return the numbers of an attack on a Pokemon."""
        special = "special_" * (move.category == "special")
        attack, defence = f"{special}attack", f"{special}defense"
        times, more_bap, _, bap = self.modifier("bap", i, move, target=j)
        critical = None
        if move.critical >= 0:
            critical = move.critical + self.stage(i, "critical")
            critical += self.modifier("critical", i, move, target=j)[1]
        more, plus, *_ = self.modifier("damage", i, move, target=j)
        less, minus, *_ = self.modifier("damage taken", j, move, user=i, target=j)
        # Step f: the largest of abilities and of items, and all others, up and down.
        bonuses: dict[str, list[int]] = {"ability": [0], "item": [0]}
        for source in self.ongoing("modify power", i, move, target=j):
            bonuses.setdefault(source.kind, []).append(self.amount(source, i))
        ability, item, *others = bonuses.values()
        own, tera, stab = self.roster[i], self.roster[i].tera, move.type in self.types(i)
        if self.fighters[i].terastal:  # 13.5
            original = move.type in own.species.types
            stab = original or move.type == tera or tera == "Stellar"
        both = stab and tera == move.type and move.type in own.species.types
        return Blow(
            bap=((move.bap or 0) if bap is None else bap) * times + more_bap,
            stab=5 if both and self.fighters[i].terastal and tera != "Stellar" else STAB * stab,
            ranks=self.rank(i, attack, move) - self.rank(j, defence, move),
            bonus=sum(max(own) + min(own) for own in (ability, item)) + sum(map(sum, others)),
            effect=effect,
            attack_stage=self.stage(i, attack),
            defence_stage=self.stage(j, defence),
            critical_stage=critical,
            ignores=bool(self.ongoing("modify stages ignored", j)),
            added=plus + minus,
            factor=more * less * (SPREAD if spread else 1),
            screen=self.modifier("screen", j, move, user=i)[0],
            most_hits=move.hits[1],
            is_fixed=move.is_fixed,
            is_one=bool(self.ongoing("modify each hit", j)),
        )

    # Steps

    def advance(self) -> State:
        """Begin a step, take the next turn, or end the step."""
        if self.state.queue is None:
            self._begin_step()
        elif self.state.queue and self.state.winner is None:
            self.take_turn()
        else:
            self._end_step()
        return self.freeze()

    def _begin_step(self) -> None:
        state = self.state
        if state.step == 0:
            for i in self.active():  # 13.5: only if their team ordered first
                own, team = self.orders.get(i), self.roster[i].team
                if own and own.dynamax and state.posts[0] == team and self.state.tech[team]:
                    self._spend_tech(i, 1, "technique")
                    self.set(i, dynamaxed=True)
                    self.note("grows", i)
            self.substitute("start round")
        if len({self.roster[i].team for i in self.active()}) < 2 or state.winner is not None:
            self.put(queue=(), step=state.steps - 1)
            return
        queue = []
        for i in self.active():
            given = self.orders_at(i, state.step)
            able = tuple(Order() if self.hindrance(i, order) else order for order in given)
            if able != given:  # who cannot attempt it struggles: 4.5
                self.set_orders(i, state.step, able)
            queue += [Turn(i, order) for order in able]
        self.put(queue=tuple(queue), turns=tuple(queue), running=TOP)
        self.substitute("start step")
        for turn in self.state.turns:
            if turn.order.form == "item":
                self._use_item(turn.fighter, turn.order)
        queue = self.sequence(self.state.queue or ())
        self.put(queue=tuple(queue), turns=tuple(queue))

    def sequence(self, turns: Sequence[Turn]) -> list[Turn]:
        """Return turns in their sequence: priority, Speed, earlier post, as given (4.5)."""
        found = []
        for i, order, _ in turns:
            f, posts, team = self.fighters[i], self.state.posts, self.roster[i].team
            priority = 0 if order.form == "item" else self.battle.move(i, order).priority
            posted = posts.index(team) if i in self.orders else len(posts)
            key = (-priority, -self.speed(i), posted, f.entry)
            found.append((key, Turn(i, order, priority)))
        return [turn for _, turn in sorted(found, key=lambda one: one[0])]

    def _use_item(self, i: int, order: Order) -> None:
        """Use a trainer's item before the turns, on any of the team's Pokemon (7)."""
        packs, team = list(self.state.packs), self.roster[i].team
        pack, subject = list(packs[team]), next(iter(order.targets), i)
        effects = self.catalogue.items[order.action].effects
        revives = any("fainted" in effect.terms for effect in effects)
        may = self.fighters[subject].place != OUT or revives
        if order.action not in pack or self.roster[subject].team != team or not may:
            self.note("cannot", i, order.action)
            return
        pack.remove(order.action)
        packs[team] = tuple(pack)
        self.put(packs=tuple(packs))
        self.note("takes", subject, order.action)
        for effect in effects:
            for one in effect.all() if effect.when == "used" else ():
                source = Source(subject, "item", order.action, one, 0, event=Event("", subject))
                if self.meets(source, subject):
                    self.act(source, subject)
        self.settle()

    def take_turn(self) -> None:
        """Take a turn: substitutions, the action, effects of the turn's end."""
        i, _, priority = (self.state.queue or ())[0]
        running = self.state.running
        for now in range(min(running, 13) - 1, priority - 1, -1):
            if f"priority {now}" in self.watched:
                self.put(running=now)
                self.substitute(f"priority {now}")
        self.put(running=min(priority, running))
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
            left = count_down(self.held(owner), unit)
            if self.held(owner) != left:
                self.hold(owner, left)
            if owner >= 0 and (stages := self.fighters[owner].stages):
                self.set(owner, stages=count_down(stages, unit))

    def _end_step(self) -> None:
        step = self.state.step + 1
        over = step >= self.state.steps
        if self.state.winner is None:
            self.substitute("end step")
        for when, unit in (("end_step", "steps"), ("end_round", "rounds"))[: 1 + over]:
            if self.state.winner is None:
                self.trigger(when)
                present = (k for k in self.owners() if k < 0 or self.fighters[k].place >= 0)
                self._count_down(unit, present)
        if over and self.state.winner is None:
            self.substitute("end round")
        self.put(queue=None, turns=(), running=TOP, step=step)
        if over or self.state.winner is not None:
            none: Any = ()
            lists = dict.fromkeys(("changes", "fired", "ignored", "seen", "used"), none)
            self.put(step=0, begun=False, **lists)
            for i in range(len(self.fighters)):
                self.set(i, healed=0, done=(), dynamaxed=False)
        else:
            kept = (one for one in self.state.fired if self.subs(one[0])[one[1]].remembers)
            self.put(fired=tuple(kept))


_TALLIED = {"weakness": "weak", "resistance": "resists", "immunity": "immune"}
