"""A battle as text: its transcript, its standing and its stacks.

`battle_transcript` yields the battle as `pucklab.sim.pokepucks.battle.narration` tells it, or a
line for every event with the stacks at the beginning of each turn. `summary_lines` has the decisive
throws, `standing_lines` the end. Turns and throws are numbered from 1; the number behind a puck's
name is its index in the table, from 0.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import chain
from math import inf
from typing import Any, Literal

from pucklab.base.facts import fact
from pucklab.sim.pokepucks.battle import events as ev
from pucklab.sim.pokepucks.battle.battle_setup import Pucks
from pucklab.sim.pokepucks.battle.live import BattleStep, Moment
from pucklab.sim.pokepucks.battle.narration import Emphasis, Narrator, names_of, spell
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    BattleState,
    Grant,
    Matchup,
    Place,
    StackKind,
    Status,
    Step,
    place_name,
)
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.throws import Outcome, outcome_text

_STACKS_SHOWN = (StackKind.SLAMMER, StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
"""A player's stacks in a transcript, in this order."""


def battle_transcript(
    opening: Moment,
    steps: Iterable[BattleStep],
    *,
    every_event: bool = False,
    bold: Emphasis = str,
) -> Iterator[str]:
    """Yield the lines of a battle's transcript as the battle goes on.

    Args:
        opening: The battle at its first question.
        steps: Its steps.
        every_event: A line for every event, and the stacks at the beginning of every turn, instead
            of a sentence for every throw.
        bold: Returns a text in bold; for knock-outs and Critical, in sentences.
    """
    narrator = Narrator(bold)
    for state, event in _events(opening, steps):
        if not every_event:
            yield from narrator.lines(state, event)
            continue
        if isinstance(event, ev.TurnBegan):
            yield f"turn {event.number}: {state.table.names[event.player]}"
            yield from ("  | " + line for line in stack_lines(state))
        yield f"  {type(event).__name__}: {_fields_text(state, event)}".removesuffix(": ")


_MOST_TOLD, _CRITICAL = 6, 99.0
"""Throws of a summary, unless there are more knock-outs; the weight of what made them possible."""


def summary_lines(
    opening: Moment, steps: Iterable[BattleStep], bold: Emphasis = str
) -> Iterator[str]:
    """Yield the set-up of a battle, and the throws that decided it, in less than a screenful.

    These are the knock-outs; how each player who is out became Critical before; and the throws that
    flipped most, the first ones of equals.
    """
    narrator, weights, texts = Narrator(bold), list[float](), list[str]()
    critical: dict[int, int] = {}  # place of the line in which a player became Critical last
    for state, event in _events(opening, steps):
        lines = list(narrator.lines(state, event))
        if isinstance(event, ev.TurnBegan) and event.number == 1:
            yield from lines[:-1]
        weight = 0.0
        if isinstance(event, ev.StatusGained) and event.status == Status.CRITICAL and lines:
            critical[event.player] = len(texts)
        elif isinstance(event, ev.Thrown) and state.attack is not None:
            weight = float(len(event.outcome.flipped))
            if state.attack.knock_out:
                weight = inf if 0 in event.outcome.flipped else 0.0
                if weight and state.player in critical:
                    weights[critical[state.player]] = _CRITICAL
        if lines:
            weights.append(weight)
            texts.append(f"  Turn {state.turn.number}: {lines[-1].strip()}")
    ranked = sorted(range(len(texts)), key=lambda place: -weights[place])
    most = max(_MOST_TOLD, weights.count(inf))
    decided = [texts[place] for place in sorted(ranked[:most]) if weights[place] > 1]
    if decided:
        yield "The throws that decided:"
        yield from decided


def _events(opening: Moment, steps: Iterable[BattleStep]) -> Iterator[tuple[BattleState, ev.Event]]:
    """Yield every event with the state before it."""
    state = new_battle(opening.state.table)
    for events in chain((opening.news,), (step.events for step in steps)):
        for event in events:
            yield state, event
            state = ev.apply(state, event)


@fact
class Winnings:
    """The pucks that a player has won and lost in a battle."""

    player: int
    won: Pucks  # in the player's collection, that would have gone to another or the box
    lost: Pucks  # the player's own pucks in the collections of others


def winnings_of(state: BattleState) -> tuple[Winnings, ...]:
    """Return the winnings of each player, by the collections as they are now."""
    pucks = state.table.pucks
    holders = {
        puck: player for player in range(state.table.players) for puck in state.collection(player)
    }
    return tuple(
        Winnings(
            player=player,
            won=tuple(p for p in state.collection(player) if pucks[p].returns_to != player),
            lost=tuple(
                index
                for index, puck in enumerate(pucks)
                if puck.owner == player and holders.get(index, player) != player
            ),
        )
        for player in range(state.table.players)
    )


def standing_lines(
    state: BattleState, pucks: Literal["numbers", "names", "counts"] = "numbers"
) -> Iterator[str]:
    """Yield the lines of the standing: the result and everybody's winnings, or else the stacks.

    Args:
        state: The battle.
        pucks: Form of the pucks won and lost: name and index of each, names, or their number.
    """
    table = state.table
    so_far = f"{_counted(state.turn.number, 'turn')} and {_counted(state.throws, 'throw')}"
    if state.winner is not None:
        yield f"{table.names[state.winner]} wins after {so_far}."
    elif state.step is Step.OVER:
        yield f"The battle is a draw after {so_far}."
    else:
        yield f"The battle is not over after {so_far}."
        yield from ("  " + line for line in stack_lines(state))
        return
    for winnings in winnings_of(state):
        told = []
        for each in (winnings.won, winnings.lost):
            special = [puck for puck in each if state.design(puck).kind is not DesignKind.PLAIN]
            count, names = spell(len(each)), names_of(table, special)
            if pucks == "numbers":
                count, names = _counted(len(each), "puck"), pucks_text(state, special)
            told += [count, f" ({names})" if special and pucks != "counts" else ""]
        name, (won, of_won, lost, of_lost) = table.names[winnings.player], told
        if pucks == "numbers":
            yield f"  {name} takes home {won} won{of_won}, {lost} lost{of_lost}"
        else:
            yield f"  {name} wins {won}{of_won} and loses {lost}{of_lost}."


def stack_lines(state: BattleState) -> Iterator[str]:
    """Yield a line for the Arena and one for each player's stacks; the top puck is on the right."""
    yield f"Arena{_size(state, ARENA)}: {pucks_text(state, state.arena)}"
    for player in state.playing:
        stacks = " | ".join(
            f"{kind}{_size(state, Place(kind, player))}: "
            f"{pucks_text(state, state.stack(Place(kind, player)))}"
            for kind in _STACKS_SHOWN
        )
        notes = ", ".join((*state.statuses[player], *state.effects[player]))
        yield f"{state.table.names[player]}{f' ({notes})' if notes else ''}: {stacks}"


def _size(state: BattleState, place: Place) -> str:
    size = state.max_size(place)
    if size is None or place.kind is StackKind.SLAMMER:
        return ""
    return f" {len(state.stack(place))}/{size}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def pucks_text(state: BattleState, pucks: Sequence[int]) -> str:
    """Return pucks as text: names with indices, and plain pucks by their index alone."""
    return ", ".join(_puck(state, puck) for puck in pucks) or "-"


def _puck(state: BattleState, puck: int) -> str:
    plain = state.design(puck).kind is DesignKind.PLAIN
    return f"#{puck}" if plain else state.table.label(puck)


def _fields_text(state: BattleState, value: Any) -> str:
    """Return the fields of an event that are not empty, with the state before it."""
    found = {each.name: getattr(value, each.name) for each in fields(value)}
    return "; ".join(
        f"{name} {_word(state, name, each)}"
        for name, each in found.items()
        if each is not None and each is not False and each not in ("", ())
    )


def _word(state: BattleState, name: str, value: Any) -> str:
    """Return the value of an event's field as text."""
    match value:
        case Place():
            return place_name(state, value)
        case Outcome():
            return outcome_text(value)
        case int() if name == "player":
            return state.table.names[value]
        case int() if name in {"puck", "slammer"}:
            return _puck(state, value)
        case tuple():
            return pucks_text(state, value)
        case Grant() | Matchup():
            return f"({_fields_text(state, value)})"
    return str(value)
