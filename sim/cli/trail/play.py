"""``pucklab trail play``: a whole game, by policies or by persons at the terminal."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.options import number, seed_option
from sim.cli.trail.starter import starters_from
from sim.cli.trail.tables import (
    COUNTERS,
    board_from_option,
    first_from_option,
    kinds_from_option,
    table_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.trail.board import Board, Effect, GymSquare, Item, Square
    from sim.trail.play import Event, Game

_MOST_PLAYERS = 12
_QUIET = frozenset({"turn", "rolled", "moved", "attack", "defence", "stopped"})
"""Kinds of events that are shown only on demand."""


@click.command("play")
@table_options
@click.option(
    "--players", default="ann,bob", show_default=True, metavar="NAME,...", help="The players."
)
@click.option("--starters", metavar="NAME,...", help="Starters, one a player; drawn if not given.")
@seed_option("Seed; same seed, same game.")
@click.option(
    "--cap", type=number(0.1, 1000, "cups"), metavar="CUPS", help="Count no more cups a player."
)
@click.option("--verbose", is_flag=True, help="Show every event.")
@click.option("--json", "as_json", is_flag=True, help="Print the end, and all events, as JSON.")
def command(
    *,
    board: Path | None,
    policy: str,
    first: str,
    all_finish: bool,
    players: str,
    starters: str | None,
    seed: int,
    cap: float | None,
    verbose: bool,
    as_json: bool,
) -> int:
    """Play a game to its end, event by event; a policy of person is asked at the terminal.

    Units are counters, and may be points or water.

    \b
    Examples:
      pucklab trail play --policy careful,quick --seed 7
      pucklab trail play --players ann,bob,eve --all-finish --verbose
      pucklab trail play --policy person,careful
    """
    import numpy as np

    from physics import InputError
    from sim.cli.running import EXIT_STOPPED
    from sim.trail.odds import Table, new_game
    from sim.trail.players import POLICIES, Policy, policy_of

    names = _names(players)
    kinds = kinds_from_option(policy, len(names), person=True)
    if as_json and "person" in kinds:
        raise InputError("json: not accepted with a policy of person; the questions would be in it")
    chosen = None if starters is None else tuple(starters_from("starters", starters))
    if chosen is not None and len(chosen) != len(names):
        raise InputError(f"starters: {starters!r} is not accepted; give {len(names)}, one a player")
    table = Table(
        board=board_from_option(board),
        policies=kinds,
        starters=chosen,
        first=first_from_option(first, names),
        all_finish=all_finish,
    )
    screen = _Screen(table.board, names, verbose=verbose, quiet=as_json)
    seats: Sequence[Policy] = [
        Person(screen) if kind == "person" else policy_of(kind, POLICIES) for kind in kinds
    ]
    game, drawn = new_game(table, np.random.default_rng(seed), seats)
    if not as_json:
        made = " (house-made)" if table.board.house_made else ""
        click.echo(f"{table.board.name}{made}, {table.board.last} squares")
        for name, kind, starter in zip(names, kinds, drawn, strict=True):
            click.echo(f"{name}: {kind}, {starter}")
    stopped = False
    try:
        while not (game.over or game.undecided):
            game.turn()
            screen.show(game)
    except (KeyboardInterrupt, click.Abort):
        screen.show(game)
        click.echo("stopped", err=True)
        stopped = True
    standing = _standing(game, names, cap)
    if as_json:
        end = {
            "board": table.board.name,
            "house_made": table.board.house_made,
            "seed": seed,
            "over": game.over,
            "players": [
                {"policy": kind, "starter": starter, **row}
                for kind, starter, row in zip(kinds, drawn, standing, strict=True)
            ],
            "events": [asdict(event) for event in game.events],
        }
        click.echo(json.dumps(end, indent=2))
    else:
        _print_standing(standing, game, cap)
    return EXIT_STOPPED if stopped else 0


def _names(text: str) -> list[str]:
    from physics import InputError

    names = [name.strip() for name in text.split(",")]
    if not all(name and name.isprintable() and len(name) <= 20 for name in names):
        raise InputError(f"players: {text!r} is not accepted; give names of 1 to 20 printed signs")
    if len(set(names)) < len(names):
        raise InputError(f"players: {text!r} is not accepted; give each another name")
    if len(names) > _MOST_PLAYERS:
        raise InputError(f"players: {len(names)} is not accepted; give 1 to {_MOST_PLAYERS}")
    return names


def _standing(game: "Game", names: "Sequence[str]", cap: float | None) -> list[dict[str, Any]]:
    cup = game.board.units_per_cup
    rows = []
    for name, seat in zip(names, game.seats, strict=True):
        units = seat.units if cap is None else min(seat.units, round(cap * cup))
        rows.append(
            {
                "player": name,
                "rank": seat.rank or None,
                "square": seat.position,
                "turns": seat.turns,
                "units": units,
                "cups": units / cup,
                "units_passed": seat.units - units,
                "items": {item.value: held for item, held in sorted(seat.items.items())},
            }
        )
    return rows


def _print_standing(rows: "Sequence[dict[str, Any]]", game: "Game", cap: float | None) -> None:
    if game.undecided:
        click.echo("undecided: nobody finished within the most turns")
    for row in sorted(rows, key=lambda row: (row["rank"] or len(rows) + 1, -row["square"])):
        place = f"finished as number {row['rank']}" if row["rank"] else f"on square {row['square']}"
        line = f"{row['player']}: {place}, {row['turns']} turns, {row['units']} units"
        line += f" ({row['cups']:.1f} cups)"
        if row["units_passed"]:
            line += f", {row['units_passed']} passed beyond {cap:g} cups"
        click.echo(line)
    click.echo(COUNTERS)


class _Screen:
    """Prints a game's events as they come."""

    def __init__(
        self, board: "Board", names: "Sequence[str]", *, verbose: bool, quiet: bool
    ) -> None:
        self.board = board
        self.names = names
        self._verbose = verbose
        self._quiet = quiet
        self._shown = 0

    def show(self, game: "Game", *, all_kinds: bool = False) -> None:
        """Print the events since the last time."""
        for event in game.events[self._shown :]:
            if not self._quiet and (self._verbose or all_kinds or event.kind not in _QUIET):
                click.echo(event_text(event, self.names))
        self._shown = len(game.events)


def event_text(event: "Event", names: "Sequence[str]") -> str:
    """Return an event in a line.

    Example:
        >>> from sim.trail.play import Event, Kind
        >>> event_text(Event(Kind.DRANK, 0, 2), ["ann"])
        'ann takes 2 units'
    """
    who, amount, name = names[event.seat], event.amount, event.name
    units = f"{amount} unit{'' if amount == 1 else 's'}"
    against = event.against
    texts = {
        "turn": f"-- {who}'s turn",
        "skipped": f"{who} skips this turn",
        "rolled": f"{who} rolls {amount}",
        "moved": f"{who} moves from {event.other} to {amount}",
        "stopped": f"{who} is stopped by {name}",
        "acted": f"{who}: {name} takes effect",
        "drank": f"{who} takes {units}",
        "saved": f"{who}'s Potion cancels {units}",
        "skips": f"{who} will skip {amount} turn{'' if amount == 1 else 's'}",
        "got": f"{who} gets a {name}",
        "used": f"{who} uses a {name}",
        "caught": f"{who} catches {name}" + (f" with {amount}" if amount else ""),
        "missed": f"{who} misses {name} with {amount}",
        "battle": f"{who} battles {names[event.other % len(names)]}: {amount} to {against}",
        "attack": f"{who} attacks with {event.other} dice for {amount}; {against} HP left",
        "defence": f"{who} defends with {amount} against {against}",
        "fainted": f"{who} faints at {name}",
        "won gym": f"{who} wins {name}" + (", with a Flash" if amount else ""),
        "finished": f"{who} finishes as number {amount}",
        "undecided": "the game is undecided",
    }
    return texts[event.kind]


class Person:
    """A person at the terminal; what is not accepted is asked again."""

    def __init__(self, screen: _Screen) -> None:
        self._screen = screen

    def attack_dice(self, game: "Game", seat: int, gym: "GymSquare", hp: int) -> int:
        """Ask how many dice attack."""
        dice = gym.gym.dice
        special = f", {gym.special}" if gym.special else ""
        question = f"{gym.name} {gym.gym}, {hp} HP left{special}: how many of {dice} dice attack?"
        return int(self._ask(game, seat, question, [str(n) for n in range(dice + 1)]))

    def ball(self, game: "Game", seat: int, square: "Square") -> "Item | None":
        """Ask for a ball, if there is one."""
        from sim.trail.board import BALLS

        held = [ball for ball in BALLS if game.seats[seat].items.get(ball)]
        if not held:
            return None
        answer = self._ask(game, seat, f"{square.name}: throw a ball?", ["no", *held])
        return next((ball for ball in held if ball == answer), None)

    def repel(self, game: "Game", seat: int, square: "Square") -> bool:
        """Ask whether to use a Repel."""
        return self._ask(game, seat, f"{square.name}: use a Repel?", ["no", "yes"]) == "yes"

    def potion(self, game: "Game", seat: int, units: int) -> bool:
        """Ask whether to use a Potion."""
        return self._ask(game, seat, f"{units} units: use a Potion?", ["no", "yes"]) == "yes"

    def caught(self, game: "Game", seat: int) -> int | None:
        """Ask whether to use a caught Pokemon."""
        squares = {game.board.squares[at].name.lower(): at for at in game.seats[seat].caught}
        answer = self._ask(game, seat, "use a caught Pokemon?", ["no", *squares])
        return squares.get(answer)

    def target(self, game: "Game", seat: int, effect: "Effect", others: tuple[int, ...]) -> int:
        """Ask for a player."""
        names = {self._screen.names[other].lower(): other for other in others}
        return names[self._ask(game, seat, f"{effect.action}: for whom?", list(names))]

    def _ask(self, game: "Game", seat: int, question: str, answers: "list[str]") -> str:
        self._screen.show(game, all_kinds=True)
        prompt = f"{self._screen.names[seat]}: {question} ({', '.join(answers)})"
        while True:
            text: str = click.prompt(prompt, prompt_suffix=" > ").strip().lower()
            if text in answers:
                return text
            click.echo(f"{text!r} is not accepted; give one of {', '.join(answers)}")
