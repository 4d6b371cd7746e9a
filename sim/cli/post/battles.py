"""``pucklab post duel`` and ``play``: whole battles."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from physics import InputError, trial_generator
from physics.errors import shown
from render.plots.figures import save_plot
from render.plots.trail import distributions_figure
from sim.cli.experiments import Run, experiment_options
from sim.cli.options import choice, count, numbers, refuse_others
from sim.cli.output import print_stacked, print_written, table_console
from sim.cli.post.output import PATH, ExactFiles, option, options, pair_table, state_text
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.core.files import check_writable, write_whole
from sim.experiments import ResultTable, run_to_end, wilson
from sim.post.catalogue import read_catalogue
from sim.post.engine import Course
from sim.post.orders import Reader, orders_text
from sim.post.play import (
    POLICIES,
    POST,
    BattleTally,
    Contest,
    contest_case,
    decisions,
    play_battle,
    replayed,
    rolling,
)
from sim.post.scenario import (
    Setting,
    read_record,
    read_scenario,
    record_json,
    setting_from,
    with_moves,
)
from sim.post.search import TooLargeError, duel_odds
from sim.post.standing import Note
from sim.post.state import State

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
"""Texts of events; others are told as they come."""


@click.command("duel")
@click.argument("first", metavar="SPECIES[:MOVE,...]")
@click.argument("second", metavar="SPECIES[:MOVE,...]")
@options(
    option("--hp", numbers(1, 1000, size=2), "N,N", "HP at first.  [default: all]"),
    option("--steps", count(1, 3), "N", "Steps a round.", default=1),
    click.option("--energy", is_flag=True, help="Count Energy; there are many more states then."),
    option("--limit", count(10, 10_000_000), "N", "Most states to look at.", default=5000),
    option(
        "--battles", count(0, 1_000_000), "N", "Battles to play where it has more.", default=1000
    ),
    option("--policy", choice(*POLICIES), "KIND", "How both play those.", default="greedy"),
    option("--seed", count(0, 2**63 - 1), "N", "Seed of those.", default=1),
    plotted=False,
)
def duel_command(
    *,
    first: str,
    second: str,
    hp: tuple[float, ...] | None,
    steps: int,
    energy: bool,
    limit: int,
    battles: int,
    policy: str,
    seed: int,
    data: Sequence[Path],
    **files: Any,
) -> None:
    """Print the exact odds of a duel, both playing their best with some moves.

    Who orders first changes with each round. Without moves, all are allowed that a species knows.
    With too many states for that, it is simulated, and both play by a policy; it says so. With
    --battles 0 it is refused then.

    \b
    Examples:
      pucklab post duel murkrow:slam golduck:jab --hp 30,30
      pucklab post duel murkrow:jab,slam golduck:jab --hp 12,20 --json
    """
    written = ExactFiles(**files).checked(data)
    fighters: list[dict[str, Any]] = []
    moves: list[str] = []
    for n, text in enumerate((first, second)):
        species, _, texts = text.partition(":")
        fighters.append({"species": species} | ({"hp": int(hp[n])} if hp else {}))
        moves.append(texts)
    table, catalogue = pair_table(fighters, steps=steps, energy=energy), read_catalogue(data)
    settings = [
        with_moves(setting_from({**table, "first": team["name"]}, catalogue, ""), moves)
        for team in table["team"]
    ]
    names = [one.name for one in settings[0].battle.roster]
    try:
        found = [duel_odds(one.battle, one.state, limit=limit) for one in settings]
    except TooLargeError:
        if not battles:
            raise
        _show_simulated(written, settings, (policy, policy), battles, seed)
        return
    rows = [
        {
            "orders first": name,
            "first orders": orders_text(next(iter(odds.first.values())), names),
            f"{names[0]} wins": odds.won,
            f"{names[1]} wins": 1 - odds.won,
        }
        for name, odds in zip(names, found, strict=True)
    ]
    title = f"{names[0]} against {names[1]}, best play, {found[0].states} states"
    written.show(title, rows, states=found[0].states, exact=True)


def _show_simulated(
    written: ExactFiles,
    settings: Sequence[Setting],
    kinds: tuple[str, ...],
    battles: int,
    seed: int,
) -> None:
    """Show a duel that is too large for the exact answer, by whole battles of a policy."""
    cases = [contest_case(Contest(setting=one, policies=kinds)) for one in settings]
    a, b = names = [one.name for one in settings[0].battle.roster]
    rows = []
    tallies = run_to_end(POST, cases, trials=battles, seed=seed).tallies()
    for name, tally in zip(names, tallies, strict=True):
        won, lost = (wilson(wins, battles) for wins in tally.wins)
        row = {f"{a} wins": won.value, "low": won.low, "high": won.high, f"{b} wins": lost.value}
        rows.append({"orders first": name, **row, "undecided": battles - sum(tally.wins)})
    title = f"{a} against {b}, too many states for best play, so simulated"
    title += f"; {battles} battles each, both {kinds[0]}, with 95 % interval"
    written.show(title, rows, battles=battles, policy=kinds[0], exact=False)


class _Person:
    """Decides for a team at the terminal; what is not accepted is asked for again."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def __call__(self, kind: str, course: Course, team: int, given: Any) -> Any:
        """Ask for orders, a replacement, or switches."""
        battle = self._setting.battle
        names = [one.name for one in battle.roster]
        if kind == "replacement":
            return names.index(
                self._ask(
                    f"send which of {', '.join(names[k] for k in given)}?",
                    [names[k] for k in given],
                )
            )
        if kind == "switches":
            own, bench = course.active(team), course.sendable(team)
            pairs = {f"{names[a]} for {names[b]}": {a: b} for a in own for b in bench}
            text = self._ask(f"switch? no, or one of {'; '.join(pairs)}", ["no", *pairs])
            return pairs.get(text, {})
        click.echo(state_text(self._setting, course.frozen()))
        for i, seen in given.items():
            more = "".join(f"; {sub.text}" for sub in seen.substitutions)
            click.echo(f"{names[i]} is ordered: {orders_text(seen, names)}{more}")
        found = {}
        for i in course.active(team):
            known = ", ".join([*battle.roster[i].moves, "aim", "chill", "struggle"])
            while i not in found:
                text = self._typed(
                    f"{names[i]}: {course.state.steps} actions of {known}; then "
                    "substitutions after semicolons"
                )
                try:
                    main, *subs = text.split(";")
                    found[i] = Reader(battle, i).orders(main, subs, steps=course.state.steps)
                except InputError as error:
                    click.echo(str(error))
        return found

    def _ask(self, question: str, accepted: Sequence[str]) -> str:
        while (text := self._typed(question)) not in accepted:
            click.echo(f"{shown(text)} is not accepted; give one of {', '.join(accepted)}")
        return text

    def _typed(self, question: str) -> str:
        text = str(click.prompt(question, prompt_suffix=" > ")).strip()
        if text.lower() in {"q", "quit"}:
            raise click.Abort
        return text


@click.command("play")
@click.argument("battle", nargs=-1, metavar="[BATTLE.toml|SPECIES SPECIES]")
@options(
    option(
        "--policy",
        str,
        "KIND,KIND",
        "greedy, random, search, =MOVE or person, by team.",
        default="greedy,greedy",
    ),
    click.option("--verbose", is_flag=True, help="Tell one battle roll by roll."),
    option("--save", PATH, "FILE.json", "Write the record of the one battle."),
    option("--replay", PATH, "FILE.json", "Tell the battle of a record instead."),
    saved=False,
)
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
    contest = Contest(setting=setting, policies=kinds)
    return run.collect(POST, [contest_case(contest)]).finish(
        lambda table: _show_battles(setting, kinds, table),
        plot=lambda path, table: save_plot(
            path,
            distributions_figure,
            {"rounds": [("battles", _rounds(table.tallies()[0]))]},
            title="length of battles",
        ),
    )


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


def _rounds(tally: BattleTally) -> list[tuple[float, float]]:
    return sorted((int(n), seen / tally.trials) for n, seen in tally.rounds.items())


def _show_battles(setting: Setting, kinds: Sequence[str], table: ResultTable[BattleTally]) -> None:
    tally = table.tallies()[0]
    rows = [
        {"team": team, "policy": kind, "won": wins, "chance": f"{wins / tally.trials:.4f}"}
        for team, kind, wins in zip(setting.battle.teams, kinds, tally.wins, strict=True)
    ]
    rounds = sum(n * p for n, p in _rounds(tally))
    click.echo(f"{tally.trials} battles, {rounds:.2f} rounds on average")
    print_stacked(table_console(100), [{k: str(v) for k, v in row.items()} for row in rows])


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
        text = _TEXTS.get(kind, "{who} {kind} " + " ".join(map(str, more)))
        click.echo(text.format(*more, who=who, kind=kind).rstrip())

    try:
        state = play(note)
    except (KeyboardInterrupt, click.Abort):
        report_stop("before the end of the battle")
        return EXIT_STOPPED
    click.echo(state_text(setting, state))
    if state.winner is None:
        click.echo(f"undecided after {battle.match.max_rounds} rounds")
    return 0
