"""Whole battles: rounds with their Switching phase, policies, records, and simulated odds."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from physics import InputError, trial_generator
from physics.decoding import encode
from physics.errors import refusal
from physics.facts import fact
from physics.tally import Counts, per_trial
from sim.chance.distribution import Distribution, draw
from sim.experiments import Case, Experiment, wilson
from sim.experiments.experiment import Cell
from sim.post.engine import Battle, Course
from sim.post.numbers import Roll, damage
from sim.post.orders import Orders, Plan, Reader, orders_text
from sim.post.pokemon import next_posts, to_front
from sim.post.scenario import Record, Setting
from sim.post.search import LIMIT, Search, TooLargeError, aimed
from sim.post.standing import Draw, Note
from sim.post.state import BENCH, Order, State

if TYPE_CHECKING:
    import numpy as np

Choose: TypeAlias = Callable[[str, Course, int, Any], Any]
"""Decides for a team: "orders" against those seen; or one of some, as "replacement", "switches"."""
_SWITCHED = ("phazing", "switching")


def choices(course: Course, i: int) -> list[Order]:
    """Return what a Pokemon can be ordered: its moves at each opponent, or else a command."""
    left, free = course.fighters[i].energy, not course.match.energy
    orders = aimed(course, i)
    found = [one for one in orders if free or course.battle.move(i, one).energy < left]
    return found or [Order("chill" if course.fighters[i].chills else "struggle")]


def expected_damage(course: Course, i: int, order: Order) -> float:
    """Return the damage that an action deals on average, without critical hits."""
    move, worth = course.battle.move(i, order), 0.0
    for j in course.targets(i, move, order) if move.is_attack else ():
        if course.effect_on(j, move):
            _, chance, blow, _ = course.prepared(i, j, move)
            dealt = damage(blow, move.hits[0], False)
            worth += float(chance) * min(dealt, course.fighters[j].hp)
    return worth


def decisions(text: str, rng: "np.random.Generator") -> Choose:
    """Return the decisions of a policy: greedy, random, search, or ``=slam`` for one action.

    Greedy deals the most damage, and chills when too tired; search takes the best reply or lead of
    the round, and is greedy where that is too large.

    Raises:
        InputError: There is none such.
    """
    if not text.startswith("=") and text not in POLICIES:
        raise refusal("policy", text, f"one of {', '.join(POLICIES)}, or =MOVE for one action")

    def turn(course: Course, i: int) -> tuple[Order, ...]:
        if text.startswith("="):
            return (Reader(course.battle, i).order(text[1:]),)
        options = choices(course, i)
        if text == "random":
            return (options[rng.integers(len(options))],)
        return (max(options, key=lambda order: expected_damage(course, i, order)),)

    def choose(kind: str, course: Course, team: int, given: Any) -> Any:
        if kind != "orders":
            moves = text == "random" and (kind == "replacement" or not rng.integers(8))
            return given[rng.integers(len(given)) if moves else 0]
        if text == "search" and (best := _searched(course, team, given)):
            return best
        steps = range(course.state.steps)
        return {i: Orders(tuple(turn(course, i) for _ in steps)) for i in course.active(team)}

    return choose


def _searched(course: Course, team: int, seen: Plan) -> Plan:
    """Return the best reply or lead; empty if the search is too large."""
    search, now = Search(course.battle, team, limit=LIMIT // 10), course.state
    with suppress(TooLargeError):
        return (search.best_replies(now, seen) if seen else search.best_leads(now))[0].plan
    return {}


POLICIES = ("greedy", "random", "search")


def begin_round(
    battle: Battle, state: State, number: int, choose: Sequence[Choose], note: Note | None = None
) -> State:
    """Return the state after a round's Switching phase (4.3); the first round is number 1."""
    course = Course(battle, state, note=note)
    posts = state.posts if number == 1 else next_posts(state.posts)
    course.put(posts=posts, steps=course.match.steps_in(number))
    barred = _forced(course) if battle.match.switching else []
    for team in course.state.posts:
        taken = {course.fighters[i].place for i in course.active(team)}
        for place in set(range(battle.match.positions)) - taken:
            options = course.sendable(team)
            if options := [i for i in options if i not in barred] or options:
                send(course, choose[team]("replacement", course, team, options), place)
    if number > 1 and battle.match.switching and course.state.winner is None:
        _manual(course, choose)
    course.trigger("start_round")
    return course.frozen()


def _forced(course: Course) -> list[int]:
    """Bench those with Phazing, then Switching markers; their makers order first."""
    marked = sorted(
        (_SWITCHED.index(held.name), held.stamp, i, held.maker)
        for i in course.active()
        for held in course.fighters[i].conditions
        if held.name in _SWITCHED
    )
    gone: list[int] = []
    for _, _, i, maker in marked:
        if i not in gone and course.sendable(course.roster[i].team):
            course.leave(i, BENCH)
            gone.append(i)
            course.put(posts=to_front(course.state.posts, course.roster[maker].team))
    for i in course.active():
        course.hold(i, [held for held in course.held(i) if held.name not in _SWITCHED])
    return gone


def send(course: Course, i: int, place: int) -> None:
    """Send a Pokemon into play."""
    course.set(i, place=place, entry=course.now())
    course.note("enters", i)
    course.trigger("enter", i)


def _manual(course: Course, choose: Sequence[Choose]) -> None:
    """Let the first declare switches; if they do, the others may counter-switch."""
    declared: dict[int, int] = {}
    for team in course.state.posts:
        pairs = product(course.active(team), course.sendable(team))
        options = [{}, *({i: k} for i, k in pairs)]
        own = choose[team]("switches", course, team, options) if options[1:] else {}
        if own:
            declared |= own
            course.put(posts=to_front(course.state.posts, team))
        if not declared:
            return
    places = [course.fighters[i].place for i in declared]
    for i in declared:
        course.leave(i, BENCH)
    for k, place in zip(declared.values(), places, strict=True):
        send(course, k, place)


def rolling(rng: "np.random.Generator", note: Note | None = None) -> Draw:
    """Return a function that draws at random; successes are rolled with a die, and told."""

    def drawn(part: Distribution[Any], label: str) -> Any:
        if note is None:
            return draw(part, rng)
        *_, (last, chance) = part.items
        if last is True and not isinstance(chance, float):
            sides = chance.denominator
            roll = Roll(label, chance.numerator, sides, int(rng.integers(1, sides + 1)))
            note("roll", -1, roll)
            return roll.succeeds
        result = draw(part, rng)
        note("roll", -1, f"{label}: {result}")
        return result

    return drawn


def play_battle(
    battle: Battle,
    state: State,
    choose: Sequence[Choose],
    draw_next: Draw,
    note: Note | None = None,
) -> tuple[State, list[Any]]:
    """Play a battle to its end or to the most rounds; return its record, too: see `replay`."""
    record: list[Any] = []
    names = [one.name for one in battle.roster]

    def text(own: Orders) -> list[str]:
        return [orders_text(own, names), *(sub.text for sub in own.substitutions)]

    def decide(kind: str, course: Course, team: int, given: Any) -> Any:
        answer = choose[team](kind, course, team, given)
        if kind == "orders":
            record.append({str(i): text(own) for i, own in answer.items()})
        else:
            record.append(given.index(answer))
        return answer

    def drawn(part: Distribution[Any], label: str) -> Any:
        result = draw_next(part, label)
        record.append([outcome for outcome, _ in part.items].index(result))
        return result

    for number in range(1, battle.match.max_rounds + 1):
        if note is not None:
            note("round", -1, number)
        state = begin_round(battle, state, number, [decide] * len(battle.teams), note)
        orders: Plan = {}
        for team in state.posts if state.winner is None else ():
            orders = {**orders, **decide("orders", Course(battle, state), team, orders)}
        begins = True
        while state.winner is None and (begins or state.step):
            state, begins = battle.play_step(state, orders, drawn, note), False
        if state.winner is not None:
            break
    return state, record


def replay(battle: Battle, state: State, record: Sequence[Any], note: Note | None = None) -> State:
    """Return the end of a recorded battle, played again from its decisions and draws.

    Raises:
        InputError: The record is none of this battle.
    """
    left = iter(record)

    def choose(kind: str, course: Course, _: int, given: Any) -> Any:
        answer = next(left)
        if kind != "orders":
            return given[answer]
        read = ((int(i), texts) for i, texts in answer.items())
        steps = course.state.steps
        return {i: Reader(battle, i).orders(text, subs, steps=steps) for i, (text, *subs) in read}

    def drawn(part: Distribution[Any], label: str) -> Any:
        result = part.items[next(left)][0]
        if note is not None:
            note("roll", -1, f"{label}: {result}")
        return result

    try:
        return play_battle(battle, state, [choose] * len(battle.teams), drawn, note)[0]
    except (StopIteration, RuntimeError, LookupError, TypeError, ValueError, AttributeError):
        raise InputError("record: not accepted; give one of this battle") from None


def replayed(setting: Setting, record: Record, note: Note | None = None) -> State:
    """Return the end of a battle, played again.

    Raises:
        InputError: The record is none of this battle, or ends otherwise.
    """
    end = replay(setting.battle, setting.state, record.events, note)
    if record.hp != tuple(f.hp for f in end.fighters):
        raise InputError("record: the battle ends otherwise; give one as it was saved")
    return end


@fact
class BattleTally(Counts):
    """Counts of simulated battles."""

    wins: tuple[int, ...]  # by team
    rounds: dict[str, int] = per_trial(adds_up=True)  # battles by number of rounds

    def agrees(self) -> bool:
        """True if at most one team won each battle."""
        return sum(self.wins) <= self.trials


@fact
class Contest:
    """A battle to be repeated."""

    setting: Setting
    policies: tuple[str, ...]


def play_battles(contest: Contest, seed: int, first: int, count: int) -> BattleTally:
    """Play battles ``first`` to ``first + count - 1`` of a seed and return their tally."""
    battle, state = contest.setting.battle, contest.setting.state
    wins, rounds = Counter[int](), Counter[str]()
    for number in range(first, first + count):
        rng = trial_generator(seed, number)
        choose = [decisions(text, rng) for text in contest.policies]
        end, record = play_battle(battle, state, choose, rolling(rng))
        rounds[str(sum(isinstance(one, dict) for one in record) // 2)] += 1
        if end.winner is not None:
            wins[end.winner] += 1
    teams = range(len(battle.teams))
    return BattleTally(trials=count, wins=tuple(wins[t] for t in teams), rounds=dict(rounds))


def _columns(tally: BattleTally, z: float) -> Mapping[str, Cell]:
    first, second = (wilson(wins, tally.trials, z) for wins in tally.wins)
    return {
        "p_won_first": first.value,
        "p_won_first_low": first.low,
        "p_won_first_high": first.high,
        "p_won_second": second.value,
        "undecided": tally.trials - sum(tally.wins),
    }


POST: Experiment[Contest, BattleTally] = Experiment(
    name="post", tally=BattleTally, run=play_battles, columns=_columns
)


def contest_case(contest: Contest) -> Case[Contest]:
    """Return a contest as the case of `POST`; all of its files go into its id."""
    battle = contest.setting.battle
    labels: dict[str, Cell] = {
        "teams": " ".join(battle.teams),
        "policies": " ".join(contest.policies),
    }
    return Case(
        subject=contest, labels=labels, facts=encode([contest.setting.source, contest.policies])
    )
