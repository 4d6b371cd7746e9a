"""Turns of the drinking trail, as events, and the policies that play them.

`Game` is the one engine. Its turn is a script that yields what has to be drawn or decided, so that
the same turn is played at random in a simulation, in every way that the dice can fall for exact
odds, and answer by answer in a match (`pucklab.sim.trail.match`).
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

from pucklab.base.facts import small_fact
from pucklab.sim.chance.distribution import Distribution, Draw, Number
from pucklab.sim.core.game import Decision
from pucklab.sim.trail.board import (
    BALLS,
    Board,
    Effect,
    GymSquare,
    Item,
    Square,
    SquareKind,
    When,
    Who,
)
from pucklab.sim.trail.duels import (
    LOSS_UNITS,
    Starter,
    battle_dice,
    battle_units,
    cheapest_plan,
    damage_of,
    defence_of,
    flash_plan,
    highest,
)

_T = TypeVar("_T")
Script = Generator[Decision | Distribution[int], Any, _T]
"""A part of a turn: it yields decisions and draws, and is sent the answers."""

MOST_TURNS = 1000
"""Turns of each player after which a game ends undecided."""
_LOWEST_CATCH = 4


class Kind(StrEnum):
    """Kinds of events, with the meaning of an event's numbers."""

    TURN = "turn"
    SKIPPED = "skipped"
    ROLLED = "rolled"  # amount: the die
    MOVED = "moved"  # amount: the square reached; other: the square before
    STOPPED = "stopped"  # name: the gym
    ACTED = "acted"  # name: the square, zone or Pokemon
    DRANK = "drank"  # amount: units
    SAVED = "saved"  # amount: units that a Potion cancelled
    SKIPS = "skips"  # amount: turns that will be skipped
    GOT = "got"  # name: the item
    USED = "used"  # name: the item
    CAUGHT = "caught"  # amount: the die, 0 for a Master Ball; name: the Pokemon
    MISSED = "missed"  # amount: the die; name: the Pokemon
    BATTLE = "battle"  # amount: one's roll; other: the other's seat; against: the other's roll
    ATTACK = "attack"  # amount: damage; other: dice; against: HP left
    DEFENCE = "defence"  # amount: the defence; against: the gym's ATK
    FAINTED = "fainted"
    WON_GYM = "won gym"  # amount: 1 for a Flash; name: the gym
    FINISHED = "finished"  # amount: the rank, from 1
    UNDECIDED = "undecided"


@small_fact
class Event:
    """Something that happened to a player; the comments of `Kind` explain its numbers."""

    kind: Kind
    seat: int
    amount: int = 0
    other: int = 0
    against: int = 0
    name: str = ""


@dataclass(slots=True)
class Seat:
    """A player in a game."""

    position: int = 0  # 0 at the start
    items: dict[Item, int] = field(default_factory=dict)
    caught: tuple[int, ...] = ()  # squares of caught Pokemon whose moves are not used yet
    done: frozenset[int] = frozenset()  # gyms completed
    hp: int = 0  # HP left of the gym that the player is in
    fainted: bool = False  # in that gym
    skips: int = 0  # turns to skip
    rank: int = 0  # place at the finish, from 1; 0 before
    turns: int = 0  # begun or skipped
    units: int = 0  # drunk


class Policy:
    """A player's decisions. This policy, `careful`, wants the Flash at gyms and saves units.

    It is asked in the middle of a turn, sees the whole game, and must not change it.
    """

    faint_cost: Number | None = None
    """Turns that a faint is worth at gyms; None to play for the Flash."""
    potion_units = LOSS_UNITS
    """Fewest units worth a Potion."""
    saves_units = True

    def choose(self, state: Any, decision: Decision, rng: Any) -> Any:
        """Return an answer in a match."""
        del rng
        return self.decide(state.game, decision)

    def decide(self, game: "Game", decision: Decision) -> Any:
        """Return the answer to a decision."""
        player, has_rivals = game.seats[decision.seat], len(game.active()) > 1
        match decision.about:
            case ("attack_dice", gym, hp):
                return _attack_dice(gym, self.faint_cost)[hp]
            case ("ball", square):
                # The plainest one, at a Pokemon that does harm, or whose move can be used later.
                useful = self._harms(square) or (bool(square.move) and has_rivals)
                return useful and next((b for b in BALLS if player.items.get(b)), False)
            case ("repel", square):  # against harm, unless a ball is there for it
                return self._harms(square) and not any(map(player.items.get, BALLS))
            case ("potion", units):
                return units >= self.potion_units
            case ("caught",):  # the first, at once
                return has_rivals and player.caught[0]
            case (_, _, others):  # the one furthest ahead
                return max(others, key=lambda other: game.seats[other].position)
        raise AssertionError(decision.about)

    def _harms(self, square: Square) -> bool:
        """Return whether a square harms whoever lands on it."""
        return any(
            effect.who in {Who.SELF, Who.ALL}
            and (effect.skip or (effect.move or 0) < 0 or (effect.drink and self.saves_units))
            for effect in square.effect
        )


class Quick(Policy):
    """Fewest turns at gyms; items against lost turns, a Potion at the first drink."""

    faint_cost = 0
    potion_units = 1
    saves_units = False


POLICIES: dict[str, type[Policy]] = {"careful": Policy, "quick": Quick}


@lru_cache(maxsize=256)
def _attack_dice(gym: GymSquare, faint_cost: Number | None) -> Mapping[int, int]:
    best = flash_plan(gym) if faint_cost is None else cheapest_plan(gym, faint_cost)
    return best.attack_dice


class Game:
    """A game under way.

    Args:
        board: The board.
        policies: One per player, in seat order.
        draw: Draws from distributions; may be set later.
        starters: One per player; battles are even if not given.
        first: The seat that begins.
        all_finish: Go on until all have finished, not only one.
    """

    def __init__(
        self,
        board: Board,
        policies: Sequence[Policy],
        draw: Draw | None = None,
        *,
        starters: Sequence[Starter] = (),
        first: int = 0,
        all_finish: bool = False,
    ) -> None:
        self.board = board
        self.draw: Any = draw
        self.seats = [Seat() for _ in policies]
        self.events: list[Event] = []
        self.turn_of = first
        self._policies = policies
        self.starters: Sequence[Starter] = starters or [Starter.BULBASAUR] * len(policies)
        self._all_finish = all_finish
        self._acted: set[int] = set()
        self._rolls = 0
        for seat in range(len(policies)):
            for item in board.starting_items:
                self._get(seat, item)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        finished = [seat.rank > 0 for seat in self.seats]
        return all(finished) if self._all_finish else any(finished)

    @property
    def undecided(self) -> bool:
        """Whether the players have had the most turns without an end."""
        return not self.over and sum(seat.turns for seat in self.seats) >= (
            MOST_TURNS * len(self.seats)
        )

    def active(self) -> list[int]:
        """Return the seats that have not finished."""
        return [seat for seat, player in enumerate(self.seats) if not player.rank]

    def in_gym(self, seat: int) -> bool:
        """Return whether a player is in a gym: on a gold square not completed (ruling DG-7)."""
        player = self.seats[seat]
        return player.position in self.board.gyms and player.position not in player.done

    def state(self) -> Any:
        """Return everything that the rest of the game depends on."""
        # Nothing of a player who has finished matters any more but the rank.
        return self.turn_of if not self.over else -1, tuple(
            (s.position, (), (), frozenset(), 0, False, 0, s.rank)
            if s.rank
            else (
                *(s.position, tuple(sorted(s.items.items())), s.caught, s.done),
                *(s.hp, s.fainted, s.skips, 0),
            )
            for s in self.seats
        )

    def load(self, state: Any) -> None:
        """Go to a state; events, turns and units begin anew."""
        self.turn_of, players = state
        self.events = []
        self.seats = [Seat(position, dict(items), *rest) for position, items, *rest in players]

    def is_finished(self) -> bool:
        """Return whether the game ends here, be it undecided."""
        if not self.over and self.undecided:
            self._note(Kind.UNDECIDED, self.turn_of)
        return self.over or self.undecided

    def play(self) -> None:
        """Play the game to its end."""
        while not self.is_finished():
            self.turn()

    def turn(self) -> None:
        """Play the turn of the player whose turn it is, by the policies and draws."""
        script, answer = self.script(), None
        try:
            while True:
                ask = script.send(answer)
                if isinstance(ask, Decision):
                    answer = self._policies[ask.seat].decide(self, ask)
                else:
                    answer = self.draw(ask)
        except StopIteration:
            return

    def kept(self) -> "Kept":
        """Return the game between two turns; `resume` goes on there."""
        seats = tuple(replace(one, items=dict(one.items)) for one in self.seats)
        return tuple(self.starters), self.turn_of, seats

    def resume(self, kept: "Kept") -> None:
        """Go on from a game of `kept`; events begin anew."""
        self.starters, self.turn_of, seats = kept
        self.seats = [replace(one, items=dict(one.items)) for one in seats]
        self.events = []

    def script(self) -> Script[None]:
        """Play the turn of the player whose turn it is, and ask for what it needs."""
        seat = self.turn_of
        player = self.seats[seat]
        player.turns += 1
        if player.skips:
            player.skips -= 1
            self._note(Kind.SKIPPED, seat)
        else:
            self._note(Kind.TURN, seat)
            self._acted.clear()
            self._rolls = 1
            yield from self._begin(seat)
            yield from self._move_on(seat)
        if not self.over:
            order = self._order(seat)
            self.turn_of = next(other for other in (*order[1:], seat) if not self.seats[other].rank)

    def _begin(self, seat: int) -> Script[None]:
        """Let a start-of-turn square act, then a caught Pokemon (rulings DG-16, DG-21)."""
        player = self.seats[seat]
        before = player.position
        square = self.board.squares.get(before)
        if square is not None and square.when is When.START:
            self._acted.add(before)
            yield from self._encounter(seat, square)
        if player.caught and self._free(seat):
            used = yield Decision(seat, [False, *player.caught], about=("caught",))
            if used:
                places = list(player.caught)
                places.remove(used)
                player.caught = tuple(places)
                name, effects = self.board.squares[used].name, self.board.squares[used].move
                self._note(Kind.ACTED, seat, name=name)
                yield from self._apply(effects, seat)
        if player.position != before:
            yield from self._battles(seat)

    def _move_on(self, seat: int) -> Script[None]:
        """Fight a round in a gym, or roll and move until a roll is not followed by another."""
        while self._free(seat):
            if self.in_gym(seat):
                yield from self._fight(seat)
                return
            if not self._rolls:
                return
            self._rolls -= 1
            rolled = yield highest(1)
            self._note(Kind.ROLLED, seat, rolled)
            self._advance(seat, rolled)
            if self._free(seat) and not self.in_gym(seat):
                yield from self._land(seat)
                yield from self._battles(seat)

    def _free(self, seat: int) -> bool:
        """Return whether a turn goes on: neither the player nor the game has finished."""
        return not self.over and not self.seats[seat].rank

    def _advance(self, seat: int, squares: int) -> None:
        """Move a player; gyms not completed stop a move ahead, the start one back."""
        player, last = self.seats[seat], self.board.last
        before = player.position
        target = max(0, min(last, before + squares))
        ahead = (at for at in self.board.gyms if before < at <= target and at not in player.done)
        player.position = min(ahead, default=target)
        if player.position != before:
            self._note(Kind.MOVED, seat, player.position, before)
        if self.in_gym(seat):
            gym = self.board.gyms[player.position]
            player.hp, player.fainted = gym.hp, False
            self._note(Kind.STOPPED, seat, name=gym.name)
        elif player.position == last:
            self._finish(seat)

    def _land(self, seat: int) -> Script[None]:
        """Let the zone, then the square, act on who has landed; each once a turn (DG-13)."""
        place = self.seats[seat].position
        if place in self._acted or not place:
            return
        self._acted.add(place)
        zone, square = self.board.zone_at(place), self.board.squares.get(place)
        if zone is not None and zone.effect:
            self._note(Kind.ACTED, seat, name=zone.name)
            yield from self._apply(zone.effect, seat)
        if self.seats[seat].position == place and square is not None and square.when is When.LAND:
            yield from self._encounter(seat, square)

    def _encounter(self, seat: int, square: Square) -> Script[None]:
        """Let a square act, unless a Repel or a ball is used on its Pokemon first."""
        player = self.seats[seat]
        ball: Item | None = None
        if square.kind is SquareKind.POKEMON:
            if player.items.get(Item.REPEL) and (
                yield Decision(seat, [False, True], about=("repel", square))
            ):
                self._use(seat, Item.REPEL)
                return
            held = [ball for ball in BALLS if player.items.get(ball)]
            if held:
                ball = yield Decision(seat, [False, *held], about=("ball", square))
        if ball:
            self._use(seat, ball)
            roll = 0 if ball is Item.MASTER_BALL else (yield highest(1))
            zone = self.board.zone_at(square.at) if ball is Item.SAFARI_BALL else None
            if ball is Item.MASTER_BALL or roll >= (zone.catch if zone else _LOWEST_CATCH):
                self._note(Kind.CAUGHT, seat, roll, name=square.name)
                player.caught += (square.at,) if square.move else ()
                return
            self._note(Kind.MISSED, seat, roll, name=square.name)
        if square.effect:
            self._note(Kind.ACTED, seat, name=square.name)
            yield from self._apply(square.effect, seat)

    def _apply(self, effects: Iterable[Effect], seat: int) -> Script[None]:
        """Let effects act that a player causes."""
        for effect in effects:
            for target in (yield from self._targets(effect, seat)):
                if effect.drink:
                    yield from self._drink(target, effect.drink)
                elif effect.skip:
                    self.seats[target].skips += effect.skip
                    self._note(Kind.SKIPS, target, effect.skip)
                elif effect.roll_again:
                    self._rolls += 1
                elif effect.item is not None:
                    self._get(target, effect.item)
                elif effect.move is not None and not self.in_gym(target) and not self.over:
                    self._advance(target, effect.move)
                    # Own squares move on to squares that act; others' force nothing (DG-12, 13).
                    if target == seat and self._free(seat) and not self.in_gym(seat):
                        yield from self._land(seat)

    def _targets(self, effect: Effect, seat: int) -> Script[Sequence[int]]:
        order = [other for other in self._order(seat) if not self.seats[other].rank]
        others = tuple(other for other in order if other != seat)

        if effect.who is Who.CHOSEN:
            if not others:
                return []
            return [(yield Decision(seat, others, about=("target", effect, others)))]
        groups = {Who.LEFT: others[:1], Who.RIGHT: others[-1:], Who.OTHERS: others, Who.ALL: order}
        if effect.who is Who.SELF or effect.who in groups:
            return groups.get(effect.who, [seat] if seat in order else [])
        best = min if effect.who is Who.LAST else max
        return [best(order, key=lambda other: self.seats[other].position)] if order else []

    def _order(self, seat: int) -> list[int]:
        """Return all seats, in seat order from one on."""
        count = len(self.seats)
        return [(seat + step) % count for step in range(count)]

    def _battles(self, seat: int) -> Script[None]:
        """Battle everybody on the same square, in seat order (ruling DG-11)."""
        place = self.seats[seat].position
        if not place or self.in_gym(seat) or not self._free(seat):
            return
        for other in self._order(seat)[1:]:
            rival = self.seats[other]
            if rival.position == place and not rival.rank and not self.in_gym(other):
                dice = battle_dice(self.starters[seat], self.starters[other])
                mine = yield highest(dice[0])
                theirs = yield highest(dice[1])
                self._note(Kind.BATTLE, seat, mine, other, theirs)
                for player, units in zip((seat, other), battle_units(mine, theirs), strict=True):
                    yield from self._drink(player, units)

    def _fight(self, seat: int) -> Script[None]:
        """Fight a round (ruling DG-5: one a turn)."""
        player = self.seats[seat]
        gym = self.board.gyms[player.position]
        dice = yield Decision(seat, range(gym.dice + 1), about=("attack_dice", gym, player.hp))
        damage = yield damage_of(gym, dice)
        player.hp = max(0, player.hp - damage)
        self._note(Kind.ATTACK, seat, damage, dice, player.hp)
        if player.hp == 0:
            player.done |= {player.position}
            flash = not player.fainted
            player.fainted = False
            self._note(Kind.WON_GYM, seat, int(flash), name=gym.name)
            if flash:
                yield from self._apply(gym.flash, seat)
            if player.position == self.board.last:
                self._finish(seat)
            return
        defence = yield defence_of(gym, dice)
        self._note(Kind.DEFENCE, seat, defence, 0, gym.attack)
        if gym.attack > defence:
            player.hp, player.fainted = gym.hp, True
            self._note(Kind.FAINTED, seat, name=gym.name)
            yield from self._drink(seat, gym.faint)

    def _drink(self, seat: int, units: int) -> Script[None]:
        """Let a player drink, or cancel the whole effect with a Potion (ruling DG-17)."""
        player = self.seats[seat]
        if not units:
            return
        if player.items.get(Item.POTION) and (
            yield Decision(seat, [False, True], about=("potion", units))
        ):
            self._use(seat, Item.POTION)
            self._note(Kind.SAVED, seat, units)
            return
        player.units += units
        self._note(Kind.DRANK, seat, units)

    def _get(self, seat: int, item: Item) -> None:
        items = self.seats[seat].items
        items[item] = items.get(item, 0) + 1
        self._note(Kind.GOT, seat, name=item)

    def _use(self, seat: int, item: Item) -> None:
        items = self.seats[seat].items
        items[item] -= 1
        if not items[item]:
            del items[item]
        self._note(Kind.USED, seat, name=item)

    def _finish(self, seat: int) -> None:
        player = self.seats[seat]
        if not player.rank:
            player.rank = 1 + max(other.rank for other in self.seats)
            self._note(Kind.FINISHED, seat, player.rank)

    def _note(self, kind: Kind, seat: int, *numbers: int, name: str = "") -> None:
        amount, other, against = (*numbers, 0, 0, 0)[:3]
        self.events.append(Event(kind, seat, amount, other, against, name))


Kept = tuple[tuple[Starter, ...], int, tuple[Seat, ...]]
"""Starters, the seat whose turn is next, and the players."""
