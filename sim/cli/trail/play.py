"""``pucklab trail play``: a whole game, by policies or by persons at the terminal."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import click
import numpy as np

from physics import InputError
from sim.cli.options import flag, option, seed_option
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.cli.trail.odds import COUNTERS, table_from, table_options
from sim.trail.board import BALLS, Effect, GymSquare, Item, Square
from sim.trail.odds import Table, new_game
from sim.trail.play import POLICIES, Event, Game, Policy

_MOST_PLAYERS = 12
_QUIET = frozenset({"turn", "rolled", "moved", "attack", "defence", "stopped"})
"""Kinds of events that are shown only on demand."""
_TEXTS = {
    "turn": "-- {who}'s turn",
    "skipped": "{who} skips this turn",
    "rolled": "{who} rolls {amount}",
    "moved": "{who} moves from {other} to {amount}",
    "stopped": "{who} is stopped by {name}",
    "acted": "{who}: {name} takes effect",
    "drank": "{who} takes {units}",
    "saved": "{who}'s Potion cancels {units}",
    "skips": "{who} will skip {turns}",
    "got": "{who} gets a {name}",
    "used": "{who} uses a {name}",
    "caught": "{who} catches {name}{roll}",
    "missed": "{who} misses {name}{roll}",
    "battle": "{who} battles {rival}: {amount} to {against}",
    "attack": "{who} attacks with {other} dice for {amount}; {against} HP left",
    "defence": "{who} defends with {amount} against {against}",
    "fainted": "{who} faints at {name}",
    "won gym": "{who} wins {name}{flash}",
    "finished": "{who} finishes as number {amount}",
    "undecided": "the game is undecided",
}
"""Texts of events by kind."""


@click.command("play")
@table_options
@option("--players", str, "NAME,...", "The players.", default="ann,bob")
@option("--starters", str, "NAME,...", "Starters, one a player; drawn if not given.")
@seed_option("Seed; same seed, same game.")
@flag("--verbose", "Show every event.")
@flag("--json as_json", "Print the end, and all events, as JSON.")
def command(*, players: str, seed: int, verbose: bool, as_json: bool, **options: Any) -> int:
    """Play a game to its end, event by event; a policy of person is asked at the terminal.

    Units are counters, and may be points or water.

    \b
    Examples:
      pucklab trail play --policy careful,quick --seed 7
      pucklab trail play --players ann,bob,eve --all-finish --verbose
      pucklab trail play --policy person,careful
    """
    names = _names(players)
    table = table_from(names, **options, person=True)
    if as_json and "person" in table.policies:
        raise InputError("json: not accepted with a policy of person; the questions would be in it")
    screen = _Screen(names, frozenset() if verbose else _QUIET)
    seats = [Person(screen) if kind == "person" else POLICIES[kind]() for kind in table.policies]
    game = new_game(table, np.random.default_rng(seed), seats)
    if not as_json:
        made = " (house-made)" if table.board.house_made else ""
        click.echo(f"{table.board.name}{made}, {table.board.last} squares")
        for name, kind, starter in zip(names, table.policies, game.starters, strict=True):
            click.echo(f"{name}: {kind}, {starter}")
    stopped = False
    try:
        while not (game.over or game.undecided):
            game.turn()
            if not as_json:
                screen.show(game)
    except (KeyboardInterrupt, click.Abort):
        stopped = True
    rows = _standing(table, game, names)
    if as_json:
        end = {
            "board": table.board.name,
            "house_made": table.board.house_made,
            "seed": seed,
            "over": game.over,
            "players": rows,
            "events": [asdict(event) for event in game.events],
        }
        click.echo(json.dumps(end, indent=2))
    else:
        screen.show(game)
        click.echo("\n".join(_lines(table, game, rows)))
    if stopped:
        report_stop(f"after {sum(seat.turns for seat in game.seats)} turns")
        return EXIT_STOPPED
    return 0


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(name and name.isprintable() and len(name) <= 20 for name in names):
        raise InputError(
            f"players: {text!r} is not accepted; give names of 1 to 20 printed characters"
        )
    if len(set(names)) < len(names):
        raise InputError(f"players: {text!r} is not accepted; give each a different name")
    if len(names) > _MOST_PLAYERS:
        raise InputError(f"players: {len(names)} is not accepted; give 1 to {_MOST_PLAYERS}")
    return names


def _standing(table: Table, game: Game, names: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for n, (name, seat) in enumerate(zip(names, game.seats, strict=True)):
        units = min(seat.units, table.cap)
        rows.append(
            {
                "policy": table.policies[n],
                "starter": game.starters[n],
                "player": name,
                "rank": seat.rank or None,
                "square": seat.position,
                "turns": seat.turns,
                "units": units,
                "cups": units / table.board.units_per_cup,
                "units_passed": seat.units - units,
                "items": dict(sorted(seat.items.items())),
            }
        )
    return rows


def _lines(table: Table, game: Game, rows: Sequence[dict[str, Any]]) -> Iterable[str]:
    """Yield the standing as lines of text, the winner first."""
    if game.undecided:
        yield "undecided: nobody finished within the most turns"
    for row in sorted(rows, key=lambda row: (row["rank"] or math.inf, -row["square"])):
        place = f"finished as number {row['rank']}" if row["rank"] else f"on square {row['square']}"
        line = f"{row['player']}: {place}, {row['turns']} turns, {row['units']} units"
        line += f" ({row['cups']:.1f} cups)"
        if row["units_passed"]:
            cap = table.cap / table.board.units_per_cup
            line += f", {row['units_passed']} passed beyond {cap:g} cups"
        yield line
    yield COUNTERS


def event_text(event: Event, names: Sequence[str]) -> str:
    """Return an event in a line.

    Example:
        >>> from sim.trail.play import Event, Kind
        >>> event_text(Event(Kind.DRANK, 0, 2), ["ann"])
        'ann takes 2 units'
    """
    amount, plural = event.amount, "" if event.amount == 1 else "s"
    return _TEXTS[event.kind].format(
        **asdict(event),
        who=names[event.seat],
        rival=names[event.other % len(names)],
        units=f"{amount} unit{plural}",
        turns=f"{amount} turn{plural}",
        roll=f" with {amount}" if amount else "",
        flash=", with a Flash" if amount else "",
    )


class _Screen:
    """Prints a game's events as they come, except some kinds."""

    def __init__(self, names: Sequence[str], quiet: frozenset[str]) -> None:
        self.names = names
        self._quiet = quiet
        self._shown = 0

    def show(self, game: Game, *, all_kinds: bool = False) -> None:
        """Print the events since the last time."""
        for event in game.events[self._shown :]:
            if all_kinds or event.kind not in self._quiet:
                click.echo(event_text(event, self.names))
        self._shown = len(game.events)


class Person(Policy):
    """A person at the terminal; an answer that is not accepted is asked for again."""

    def __init__(self, screen: _Screen) -> None:
        self._screen = screen

    def attack_dice(self, game: Game, seat: int, gym: GymSquare, hp: int) -> int:
        """Ask how many dice attack."""
        special = f", {gym.special}" if gym.special else ""
        question = f"{gym.name} {gym}, {hp} HP left{special}: how many of {gym.dice} dice attack?"
        return int(self._ask(game, seat, question, [str(n) for n in range(gym.dice + 1)]))

    def ball(self, game: Game, seat: int, square: Square) -> Item | None:
        """Ask for a ball, if there is one."""
        held = {str(ball): ball for ball in BALLS if game.seats[seat].items.get(ball)}
        if not held:
            return None
        return held.get(self._ask(game, seat, f"{square.name}: throw a ball?", ["no", *held]))

    def repel(self, game: Game, seat: int, square: Square) -> bool:
        """Ask whether to use a Repel."""
        return self._ask(game, seat, f"{square.name}: use a Repel?", ["no", "yes"]) == "yes"

    def potion(self, game: Game, seat: int, units: int) -> bool:
        """Ask whether to use a Potion."""
        return self._ask(game, seat, f"{units} units: use a Potion?", ["no", "yes"]) == "yes"

    def caught(self, game: Game, seat: int) -> int | None:
        """Ask whether to use a caught Pokemon."""
        squares = {game.board.squares[at].name.lower(): at for at in game.seats[seat].caught}
        return squares.get(self._ask(game, seat, "use a caught Pokemon?", ["no", *squares]))

    def target(self, game: Game, seat: int, effect: Effect, others: tuple[int, ...]) -> int:
        """Ask for a player."""
        names = {self._screen.names[other].lower(): other for other in others}
        return names[self._ask(game, seat, f"{effect.action}: for whom?", list(names))]

    def _ask(self, game: Game, seat: int, question: str, answers: Sequence[str]) -> str:
        self._screen.show(game, all_kinds=True)
        prompt = f"{self._screen.names[seat]}: {question} ({', '.join(answers)})"
        while True:
            text: str = click.prompt(prompt, prompt_suffix=" > ").strip().lower()
            if text in answers:
                return text
            click.echo(f"{text!r} is not accepted; give one of {', '.join(answers)}")
