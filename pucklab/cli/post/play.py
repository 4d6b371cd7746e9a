"""``pucklab post new``, ``round`` and ``play``: battles as files, rounds, and whole battles."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pucklab.base.errors import shown
from pucklab.base.files import check_writable, read_toml, write_whole
from pucklab.cli.browsing import Pages, page_options, play_in_browser
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import PATH, count, flag, option, refuse_others, seed_option
from pucklab.cli.output import print_written
from pucklab.cli.post.answers import (
    BATTLE,
    DATA,
    ORDER,
    TABLE,
    cell,
    pair_table,
    post_command,
    read_started_battle,
    show,
)
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.cli.terminal import play_match, replay_match
from pucklab.physics import InputError, trial_generator
from pucklab.sim.chance.distribution import distribution, mean
from pucklab.sim.core.players import PERSON
from pucklab.sim.experiments import ResultTable
from pucklab.sim.experiments.series import SeriesTally, entrants
from pucklab.sim.experiments.view import print_table
from pucklab.sim.post.catalogue import read_catalogue
from pucklab.sim.post.engine import Course
from pucklab.sim.post.orders import Reader
from pucklab.sim.post.play import (
    PLAYERS,
    POST_GAME,
    SERIES,
    Setup,
    Told,
    at_random,
    collect_events,
    draw_by_numbers,
    house_made,
    match_of,
    play_round,
    state_text,
)
from pucklab.sim.post.scenario import Setting, setting_from, state_toml
from pucklab.sim.post.search import round_odds


@post_command(
    "new",
    click.argument("first", metavar="TEAM:SPECIES,..."),
    click.argument("second", metavar="TEAM:SPECIES,..."),
    option("--positions", count(1, 2), "N", "1 for Singles, 2 for Doubles.", default=1),
    option("--save", PATH, "FILE.toml", "The battle file to write.", required=True),
)
def new_command(asked: Any) -> None:
    """Write the file of a new battle; the first Pokemon of each team are its leads.

    \b
    Examples:
      pucklab post new ann:murkrow,deoxys bob:golduck,cresceidon --positions 2 --save battle.toml
    """
    check_writable("save", asked.save, (".toml",), asked.data)
    teams = []
    for text in (asked.first, asked.second):
        name, _, species = text.partition(":")
        if not species:
            raise InputError(f"team: {shown(text)} is not accepted; give TEAM:SPECIES,...")
        teams.append({"name": name, "pokemon": [{"species": one} for one in species.split(",")]})
    table = {"match": {"positions": asked.positions}, "team": teams}
    setting = setting_from(table, read_catalogue(asked.data), "")
    _save(asked.save, setting, setting.state)


def _save(path: Path, setting: Setting, state: Any) -> None:
    write_whole(path, state_toml(setting, state).encode())
    print_written(path)


@post_command(
    "round",
    BATTLE,
    ORDER,
    flag("--roll", "Roll the dice of the round, and tell it."),
    seed_option("Seed of the dice."),
    option("--save", PATH, "NEXT.toml", "With --roll: write the battle after the round."),
    option("--top", count(1, 1000), "N", "Likeliest ends to print.", default=10),
    *TABLE,
)
def round_command(asked: Any) -> None:
    """Print the exact odds of a round by the orders of both teams, or roll the round.

    A battle that was saved begins its next round: whom a team sends or switches, and the orders,
    come from the file or from --order.

    \b
    Examples:
      pucklab post round battle.toml
      pucklab post round battle.toml --roll --save next.toml
    """
    if asked.save is not None:
        check_writable("save", asked.save, (".toml",), (asked.battle, *asked.data))
        if not asked.roll:
            raise InputError("save: give --roll, too; only a round that is rolled can be saved")
    setting = read_started_battle(asked)
    rules, state = setting.battle, setting.state
    if state.winner is not None:
        raise InputError(f"battle: it is over; {rules.teams[state.winner]} has won")
    for i in Course(rules, state).active():
        if i not in setting.orders:
            name = rules.roster[i].name
            raise InputError(f"orders: {name} has none; give orders to each Pokemon in play")
    if asked.roll:
        told: list[Told] = []
        note = collect_events(rules, told)
        draw_next = draw_by_numbers(at_random(trial_generator(asked.seed, state.round)), note)
        end = play_round(rules, state, setting.orders, draw_next, note)
        if asked.save is not None:
            write_whole(asked.save, state_toml(setting, end).encode())
        lines = (
            state_text(rules, state),
            *map(str, told),
            state_text(rules, end),
            house_made(rules),
        )
        for line in filter(None, lines):
            click.echo(line)
        print_written(asked.save)
        return
    ends = round_odds(rules, state, setting.orders)
    seen: Counter[str] = Counter()
    won: dict[str, Any] = dict.fromkeys(rules.teams, 0)
    for after, p in ends.items():
        seen[state_text(rules, after, whole=False)] += p  # type: ignore[assignment]
        if after.winner is not None:
            won[rules.teams[after.winner]] += p
    hp = {
        rules.roster[i].name: distribution((after.fighters[i].hp, p) for after, p in ends.items())
        for i in Course(rules, state).active()
    }
    words = ", ".join(f"{team} {cell(float(p))}" for team, p in won.items())
    means = ", ".join(f"{name} {float(mean(part)):.3f}" for name, part in hp.items())
    show(
        asked,
        f"chance to have won: {words}; mean HP: {means}; {len(seen)} ends, the likeliest:",
        [{"chance": p, "state": text} for text, p in seen.most_common(asked.top)],
        rules,
        won=won,
        hp={name: dict(part.items) for name, part in hp.items()},
        ends=len(seen),
    )


@click.command("play")
@click.argument("battle", nargs=-1, metavar="[BATTLE.toml|SPECIES SPECIES]")
@option(
    "--policy",
    str,
    "KIND,KIND",
    "greedy, random, search, =MOVE, exec:PROGRAM or person, by team.",
    default="greedy,greedy",
)
@page_options(text=True)
@flag("--verbose", "Tell one battle roll by roll.")
@option("--save", PATH, "FILE", "Of the one battle: its record (.json), or its state (.toml).")
@option("--replay", PATH, "FILE.json", "Tell the battle of a record instead.")
@DATA
@experiment_options(
    "battles",
    1000,
    most=10_000_000,
    about="Battles to play.",
    doing="play",
    seed="Seed; same seed, same battles.",
    plot=None,
)
def play_command(
    *,
    battle: Sequence[str],
    policy: str,
    pages: Pages,
    verbose: bool,
    save: Path | None,
    replay: Path | None,
    data: Sequence[Path],
    run: Run,
) -> int:
    """Play whole battles by policies and count who wins; or one, as a person in the browser.

    Greedy deals the most damage, search takes the best orders of the round where it can look
    through them all, =MOVE uses one action for ever. A person types orders, or quit; what was
    saved goes on with post play or post round.

    \b
    Examples:
      pucklab post play murkrow golduck --battles 200
      pucklab post play teams.toml --policy greedy,random --verbose --save battle.json
      pucklab post play --replay battle.json
      pucklab post play murkrow golduck --policy person,greedy --save battle.toml
    """
    if replay is not None:
        refuse_others(("replay", "verbose"), "replay; the record has its own")
        replay_match(POST_GAME, replay, None, verbose=True)
        return 0
    paths = [Path(battle[0])] if len(battle) == 1 else []
    run.check([*paths, *data])
    if len(battle) not in {1, 2}:
        raise InputError(f"battle: {len(battle)} are not accepted; give a file, or two species")
    table = read_toml("battle", paths[0]) if paths else pair_table([{"species": s} for s in battle])
    setup = Setup(battle=table, data=read_catalogue(data))
    setting = setting_from(table, setup.data, f"battle: {str(paths[0])!r}" if paths else "")
    kinds = tuple(kind.strip() for kind in policy.split(","))
    kinds = kinds * 2 if len(kinds) == 1 else kinds
    if len(kinds) != 2:
        raise InputError(f"policy: {shown(policy)} is not accepted; give one or two")
    for team, kind in enumerate(kinds):
        PLAYERS.of(kind, persons=True)
        for i, own in enumerate(setting.battle.roster):
            if kind[:1] == "=" and own.team == team:
                Reader(setting.battle, i).order(kind[1:])
    if verbose or PERSON in kinds:
        if run.as_json:
            raise InputError("json: not accepted with one battle; give --save for its record")
        if save is not None:
            check_writable("save", save, (".json", ".toml"), (*paths, *data))
        match = match_of(setup, kinds, run.seed)
        as_state = save is not None and save.suffix == ".toml"
        if PERSON in kinds and not as_state and pages.serves():
            return play_in_browser(match, pages, save)
        stopped = play_match(match, None if as_state else save, verbose=verbose)
        if save is not None and as_state:
            _save(save, setting, match.state.state)
        return EXIT_STOPPED if stopped else 0
    if save is not None:
        raise InputError("save: one battle only is saved; give --verbose, too")

    def show_table(result: ResultTable[SeriesTally]) -> None:
        tally, *_ = result.tallies()
        rounds = tally.turns / tally.trials
        print_table(result, f"{tally.trials} battles, {rounds:.2f} rounds on average")
        click.echo(house_made(setting.battle))

    cases = entrants(PLAYERS, setup, kinds)
    return run.collect(SERIES, cases).finish(show_table)
