"""``pucklab post play``: whole battles, by policies or with a person at the terminal."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from physics import InputError, trial_generator
from physics.decoding import check_one_of
from physics.errors import shown
from render.plots.figures import save_plot
from render.plots.trail import distributions_figure
from sim.cli.experiments import Run, experiment_options
from sim.cli.options import PATH, flag, option, refuse_others
from sim.cli.output import print_written
from sim.cli.post.answers import DATA, pair_table, state_text
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.core.files import check_writable, write_whole
from sim.experiments import ResultTable
from sim.experiments.view import print_stacked, table_console
from sim.post.catalogue import read_catalogue
from sim.post.engine import Course
from sim.post.orders import Orders, Reader, orders_text
from sim.post.play import (
    POST,
    BattleTally,
    Contest,
    contest_case,
    decisions,
    play_battle,
    replayed,
    rolling,
)
from sim.post.scenario import Setting, read_record, read_scenario, record_json, setting_from
from sim.post.standing import Note
from sim.post.state import State

_Answer = TypeVar("_Answer")
_TEXTS = {
    "round": "-- round {0}",
    "roll": "  {0}",
    "damage": "{who} loses {0} HP",
    "heals": "{who} heals {0} HP",
    "loses": "{who} loses {0} HP by {1}",
    "stage": "{who}'s {0} stage is {1}",
    "misses": "{who} misses",
    "cannot": "{who} cannot act: {0}",
    "fails by": "{who} fails: {0}",
    "takes": "{who} is given {0}",
    "substitution": "{who} changes orders: {0}",
    "wins": "{who} wins",
}
"""Texts of events by their kind; an event of another kind is told by its own words."""


class _Person:
    """Decides for a team at the terminal; what is not accepted is asked for again."""

    def __init__(self, setting: Setting) -> None:
        self._setting, self._battle = setting, setting.battle
        self._names = [one.name for one in setting.battle.roster]

    def __call__(self, kind: str, course: Course, team: int, given: Any) -> Any:
        """Ask for orders, a replacement, or switches."""
        names = self._names
        if kind == "replacement":
            return self._choice("send", {names[k]: k for k in given})
        if kind == "switches":
            pairs = (
                (f"{names[a]} for {names[b]}", {a: b}) for own in given for a, b in own.items()
            )
            return self._choice("switch", {"no": {}, **dict(pairs)})
        click.echo(state_text(self._setting, course.frozen()))
        for i, seen in given.items():
            more = "".join(f"; {sub.text}" for sub in seen.substitutions)
            click.echo(f"{names[i]} is ordered: {orders_text(seen, names)}{more}")
        return {i: self._orders(i, course.state.steps) for i in course.active(team)}

    def _orders(self, i: int, steps: int) -> Orders:
        known = ", ".join([*self._battle.roster[i].moves, "aim", "chill", "struggle"])
        ask = f"{self._names[i]}: {steps} actions of {known}; then substitutions after semicolons"

        def read(text: str) -> Orders:
            main, *subs = text.split(";")
            return Reader(self._battle, i).orders(main, subs, steps=steps)

        return self._asked(ask, read)

    def _choice(self, question: str, accepted: dict[str, Any]) -> Any:
        def read(text: str) -> Any:
            check_one_of(question, text, [*accepted])
            return accepted[text]

        return self._asked(f"{question} which of {'; '.join(accepted)}?", read)

    def _asked(self, question: str, read: Callable[[str], _Answer]) -> _Answer:
        """Ask until the answer can be read."""
        while True:
            text = str(click.prompt(question, prompt_suffix=" > ")).strip()
            if text.lower() in {"q", "quit"}:
                raise click.Abort
            try:
                return read(text)
            except InputError as error:
                click.echo(str(error))


@click.command("play")
@click.argument("battle", nargs=-1, metavar="[BATTLE.toml|SPECIES SPECIES]")
@option(
    "--policy",
    str,
    "KIND,KIND",
    "greedy, random, search, =MOVE or person, by team.",
    default="greedy,greedy",
)
@flag("--verbose", "Tell one battle roll by roll.")
@option("--save", PATH, "FILE.json", "Write the record of the one battle.")
@option("--replay", PATH, "FILE.json", "Tell the battle of a record instead.")
@DATA
@experiment_options(
    "battles",
    1000,
    most=10_000_000,
    about="Battles to play.",
    doing="play",
    seed="Seed; same seed, same battles.",
    plot="Plot the number of rounds (.png, .svg or .pdf).",
)
def play_command(
    *,
    battle: Sequence[str],
    policy: str,
    verbose: bool,
    save: Path | None,
    replay: Path | None,
    data: Sequence[Path],
    run: Run,
) -> int:
    """Play whole battles by policies and count who wins; or one, as a person at the terminal.

    Greedy deals the most damage, search takes the best orders of the round where it can look
    through them all, =MOVE uses one action for ever. A person types orders, or quit.

    \b
    Examples:
      pucklab post play murkrow golduck --battles 200
      pucklab post play teams.toml --policy greedy,random --verbose --save battle.json
      pucklab post play --replay battle.json
      pucklab post play murkrow golduck --policy person,greedy
    """
    if replay is not None:
        refuse_others(("replay", "verbose"), "replay; the record has its own")
        setting, record = read_record(replay)
        return _tell(setting, lambda note: replayed(setting, record, note))
    paths = [Path(battle[0])] if len(battle) == 1 else []
    run.check([*paths, *data])
    if len(battle) not in {1, 2}:
        raise InputError(f"battle: {len(battle)} are not accepted; give a file, or two species")
    catalogue = read_catalogue(data)
    setting = (
        read_scenario(paths[0], catalogue)
        if paths
        else setting_from(pair_table([{"species": name} for name in battle]), catalogue, "")
    )
    kinds = _policies(policy, setting)
    if verbose or "person" in kinds:
        if run.as_json and "person" in kinds:
            raise InputError("json: not accepted with a policy of person")
        if save is not None:
            check_writable("save", save, (".json",), (*paths, *data))
        return _tell(setting, lambda note: _played(setting, kinds, run.seed, save, note))
    if save is not None:
        raise InputError("save: one battle only is saved; give --verbose, too")
    case = contest_case(Contest(setting=setting, policies=kinds))

    def rounds(table: ResultTable[BattleTally]) -> list[tuple[float, float]]:
        (tally,) = table.tallies()
        return sorted((int(n), seen / tally.trials) for n, seen in tally.rounds.items())

    def show(table: ResultTable[BattleTally]) -> None:
        (tally,), teams = table.tallies(), setting.battle.teams
        rows = [
            {"team": team, "policy": kind, "won": str(wins), "chance": f"{wins / tally.trials:.4f}"}
            for team, kind, wins in zip(teams, kinds, tally.wins, strict=True)
        ]
        average = sum(n * p for n, p in rounds(table))
        click.echo(f"{tally.trials} battles, {average:.2f} rounds on average")
        print_stacked(table_console(100), rows)

    def plot(path: Path, table: ResultTable[BattleTally]) -> None:
        panels = {"rounds": [("battles", rounds(table))]}
        save_plot(path, distributions_figure, panels, title="length of battles")

    return run.collect(POST, [case]).finish(show, plot=plot)


def _policies(text: str, setting: Setting) -> tuple[str, ...]:
    """Return the policies of both teams; one is for both."""
    kinds = tuple(kind.strip() for kind in text.split(","))
    kinds = kinds * 2 if len(kinds) == 1 else kinds
    if len(kinds) != 2:
        raise InputError(f"policy: {shown(text)} is not accepted; give one or two")
    for team, kind in enumerate(kinds):
        if kind != "person":
            decisions(kind, trial_generator(0, 0))
        for i, own in enumerate(setting.battle.roster):
            if kind[:1] == "=" and own.team == team:
                Reader(setting.battle, i).order(kind[1:])
    return kinds


def _played(
    setting: Setting, kinds: Sequence[str], seed: int, save: Path | None, note: Note
) -> State:
    """Play one battle to its end, and save its record."""
    rng = trial_generator(seed, 0)
    choose = [_Person(setting) if kind == "person" else decisions(kind, rng) for kind in kinds]
    end, events = play_battle(setting.battle, setting.state, choose, rolling(rng, note), note)
    if save is not None:
        write_whole(save, record_json(setting, events, end).encode())
        print_written(save)
    return end


def _tell(setting: Setting, play: Callable[[Note], State]) -> int:
    """Tell one battle, event by event."""
    battle = setting.battle
    names = [one.name for one in battle.roster]

    def note(kind: str, i: int, *more: Any) -> None:
        who = f"{battle.teams[i]}" if kind == "wins" else names[i]
        known = _TEXTS.get(kind)
        text = known.format(*more, who=who) if known else f"{who} {kind} {' '.join(map(str, more))}"
        click.echo(text.rstrip())

    try:
        state = play(note)
    except (KeyboardInterrupt, click.Abort):
        report_stop("before the end of the battle")
        return EXIT_STOPPED
    click.echo(state_text(setting, state))
    if state.winner is None:
        click.echo(f"undecided after {battle.match.max_rounds} rounds")
    return 0
