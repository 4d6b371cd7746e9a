"""The Switching phase of a round: leads, forced switches, replacements, switches (4.3)."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple, TypeAlias

from pucklab.sim.post.battle import Battle
from pucklab.sim.post.effects import Event, Note
from pucklab.sim.post.engine import Course
from pucklab.sim.post.pokemon import to_front
from pucklab.sim.post.state import BENCH, State
from pucklab.sim.post.values import name_key

_MARKERS = ("phazing", "switching")


class Asked(NamedTuple):
    """A decision of a team: a Pokemon to send, or pairs of those that switch."""

    kind: str  # send, switch
    team: int
    options: Any


_Phase: TypeAlias = Generator[Asked, Any, Any]
"""A part of the phase: it yields decisions, and is sent the answers."""


def switch_text(option: Mapping[int, int], names: Sequence[str]) -> str:
    """Return switches as text, such as ``Otter for Golduck``; "no" for none."""
    return ", ".join(f"{names[k]} for {names[i]}" for i, k in option.items()) or "no"


def find_switches(options: Sequence[Any], texts: Iterable[str], names: Sequence[str]) -> Any:
    """Return the switches of texts such as ``Otter for Golduck``, either way round, or None.

    Only one of the two is in play, so that it is clear who comes and who goes.
    """
    keys = [*map(name_key, names)]
    wanted = {frozenset(name_key(text).split(" for ")) for text in texts}
    for option in options:
        if {frozenset((keys[i], keys[k])) for i, k in option.items()} == wanted:
            return option
    return None


def begin_round(
    battle: Battle, state: State, choose: Callable[[Asked], Any], note: Note | None = None
) -> State | Asked:
    """Return the state after a round's Switching phase; in the first round the leads enter.

    Args:
        battle: The battle.
        state: The state between rounds.
        choose: Answers a decision; with None, the decision is returned instead of the state.
        note: Takes events.
    """
    phase, answer = _play_phase(Course(battle, state, {}, None, note)), None
    try:
        while True:
            asked = phase.send(answer)
            if (answer := choose(asked)) is None:
                return asked
    except StopIteration as end:
        after: State = end.value
        return after


def _play_phase(course: Course) -> _Phase:
    state, switching = course.state, course.match.switching
    number = state.round + 1
    first, *rest = state.posts
    posts = state.posts if number == 1 else (*rest, first)  # 4.2
    course.put(posts=posts, round=number, begun=True, steps=course.match.steps_in(number))
    entered = course.active() if number == 1 else []
    gone = _force(course) if number > 1 and switching else []
    for team, place in course.state.vacant:
        options = course.sendable(team)
        if options := [i for i in options if i not in gone] or options:
            i = yield Asked("send", team, options)
            course.put(vacant=tuple(v for v in course.state.vacant if v != (team, place)))
            entered = [*entered, _place(course, i, place)]
    if number > 1 and switching and course.state.winner is None:
        entered = [*entered, *(yield from _switch(course))]
    for i in entered:  # after all have entered, in the order in which places fell vacant
        waiting = course.waiting(Event("enter", i)) if course.fighters[i].place >= 0 else []
        # What a lead has at the start of a battle, it did not bring into play.
        course.resolve(
            [one for one in waiting if number > 1 or one.held.name == "" or one.owner != i]
        )
    course.trigger("start_round")
    return course.freeze()


def _force(course: Course) -> list[int]:
    """Bench those with Phazing, then Switching markers; their makers order first."""
    marked = sorted(
        (_MARKERS.index(held.name), held.stamp, i, held.maker)
        for i in course.active()
        for held in course.fighters[i].conditions
        if held.name in _MARKERS
    )
    gone: list[int] = []
    for _, _, i, maker in marked:
        if i not in gone and course.sendable(course.roster[i].team):
            course.leave(i, BENCH)
            gone.append(i)
            course.put(posts=to_front(course.state.posts, course.roster[maker].team))
    for i in course.active():
        course.hold(i, [held for held in course.held(i) if held.name not in _MARKERS])
    return gone


def _place(course: Course, i: int, place: int) -> int:
    course.set(i, place=place, entry=course.next_stamp())
    course.note("enters", i)
    return i


def _switch(course: Course) -> _Phase:
    """Let the first declare switches, of each place; if they do, the others may counter-switch."""
    declared: dict[int, int] = {}
    for team in course.state.posts:
        may = [i for i in course.active(team) if not course.ongoing("forbid switch", i)]
        sends = course.sendable(team)
        options = [
            dict(zip(out, some, strict=True))
            for n in range(min(len(may), len(sends)) + 1)
            for out in combinations(may, n)
            for some in permutations(sends, n)
        ]
        own = (yield Asked("switch", team, options)) if options[1:] else {}
        if own:
            declared |= own
            course.put(posts=to_front(course.state.posts, team))
        if not declared:
            return []
    places = [course.fighters[i].place for i in declared]
    kept = course.state.vacant
    for i in declared:
        course.leave(i, BENCH)
    course.put(vacant=kept)
    pairs = zip(declared.values(), places, strict=True)
    return [_place(course, k, place) for k, place in pairs]
