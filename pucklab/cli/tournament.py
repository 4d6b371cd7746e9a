"""``pucklab tournament``: every slammer against every other, or kinds of players and decks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pucklab.base.errors import InputError
from pucklab.cli.battle_options import (
    check_players,
    contest_from,
    deck_files,
    decks_from,
    files_read,
    rules_options,
    rulings_from_options,
    slammers_from,
)
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import PATH, complete_from, option, refuse_options
from pucklab.render.plots.figures import save_plot
from pucklab.render.plots.tournament import rates_figure, tournament_figure
from pucklab.sim.experiments import ResultTable
from pucklab.sim.experiments.columns import Column, flat_cells, row_texts, row_values
from pucklab.sim.experiments.view import print_stacked, table_console
from pucklab.sim.pokepucks.arena import ARENA, Decks, entrant_cases, first_tables
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.setup_file import deck_table, house_setup, read_setup
from pucklab.sim.pokepucks.design_file import read_catalogue
from pucklab.sim.pokepucks.tournament import (
    TOURNAMENT,
    BattleTally,
    compiled_chunk,
    knock_out_rates,
    pair_cases,
    round_share,
    standings_of,
)
from pucklab.sim.scene.fields import slammer_names

_WIDTH = 100
"""Columns of the table where output is no terminal."""


@click.command("tournament")
@option(
    "--slammers",
    str,
    "NAME,...",
    "Two or more slammers; 'all' for every Pokémon slammer.",
    default="all",
    shell_complete=complete_from(slammer_names),
)
@experiment_options(
    "battles",
    20,
    most=1_000_000,
    about="Battles per pair, half of them begun by each; of kinds or decks, all battles together.",
    doing="play",
    seed="Seed of throws and decisions.",
    plot="Plot a heat map of the wins, or the share of each kind (.png, .svg or .pdf).",
)
@option(
    "--policy",
    str,
    "KIND,...",
    "The kind of all players, as in 'pucklab battle'; or several kinds, which then "
    "play against each other.",
    default="greedy",
)
@option(
    "--setup",
    PATH,
    "FILE",
    "Set-up file (TOML) for a tournament of several kinds: the decks on the seats.",
)
@option(
    "--deck",
    str,
    "DECK,...",
    "The deck of each player of a tournament of kinds or decks: deck files (TOML), or "
    "slammers with house decks.",
)
@rules_options()
def command(
    *, run: Run, slammers: str, policy: str, setup: Path | None, deck: str | None, **options: Any
) -> int:
    """Play every slammer against every other, and rank them by their wins.

    Each player has one slammer and a house-made collection that suits its type. The --out file is
    written every few seconds: a tournament that was stopped, or killed, continues with --resume.

    With several kinds in --policy, the kinds are compared: each battle has a player of each, and
    the same slammers and throws are played once from each seat. --deck gives each its own deck;
    with one kind, the decks are compared. --battles is then the number of battles together.

    \b
    Examples:
      pucklab tournament --slammers all --battles 20 --out all.csv --plot all.png
      pucklab tournament --slammers onix,pikachu,eevee --battles 100 --throws table
      pucklab tournament --policy greedy,random --battles 100 --throws table
      pucklab tournament --policy expert-quick,greedy,random --battles 30 --throws table
      pucklab tournament --deck strong.toml,lapras,onix --battles 300 --throws table
    """
    kinds = [kind.strip() for kind in policy.split(",")]
    if len(kinds) > 1 or deck is not None:
        return _compare(run, kinds, slammers, setup, deck, options)
    if setup is not None:
        raise InputError(f"setup: {str(setup)!r} needs several kinds; give --policy KIND,KIND")
    contest, throws = contest_from(options, 1, policy)
    contest.options.check_players(2)
    cases = pair_cases(contest, slammers_from("slammers", slammers, contest.catalogue))
    pairs = [case.subject[1] for case in cases]
    run.check(files_read(options))
    tables = [house_setup(pair, contest.options, contest.catalogue) for pair in pairs]
    experiment, played = compiled_chunk(TOURNAMENT, tables, [policy] * 2, contest.throws)
    result = run.collect(experiment, cases)
    about = f"{policy} players, {throws}; {played}"
    title = f"{run.trials} battles a pair ({contest.options.mode}), {about}"
    entries = [result.table.entry(index) for index in range(len(pairs))]
    tallies = [entry.tally if entry else BattleTally() for entry in entries]
    standings = standings_of(pairs, tallies)

    def show(_: object) -> None:
        """Print a line per slammer, the share of draws, and how often knock-outs succeed."""
        console = table_console(_WIDTH)
        console.print(title, soft_wrap=True)
        rows = [row_texts(_STANDING, standing) for standing in standings]
        print_stacked(console, rows, left=("ability",))
        battles = sum(tally.trials for tally in tallies)
        draws = sum(tally.draws for tally in tallies)
        line = f"{draws} of {battles} battles were drawn"
        if battles > draws:
            first = sum(tally.first_wins for tally in tallies)
            line += f"; the first player won {first / (battles - draws):.0%} of the decided battles"
        console.print(f"{line}.", soft_wrap=True)
        for mass_g, attempts, rate in knock_out_rates(standings):
            console.print(
                f"knock-out attempts with {mass_g:g} g: {rate.text} of {attempts} succeeded",
                soft_wrap=True,
            )
        console.print(
            "won: share of all battles, with its 95 % interval (a draw is not a win); turns, "
            "throws: mean per battle.",
            style="dim",
        )

    def facts(table: ResultTable[BattleTally]) -> dict[str, Any]:
        return {
            "pairs": table.facts(),
            "standings": [flat_cells(row_values(_STANDING, standing)) for standing in standings],
            "knock_outs": [
                flat_cells(
                    {"slammer_g": mass_g, "attempts": attempts, "p_knock_out": round_share(rate)}
                )
                for mass_g, attempts, rate in knock_out_rates(standings)
            ],
        }

    return result.finish(
        show,
        json=facts,
        plot=lambda path, _: save_plot(path, tournament_figure, pairs, tallies, title=title),
        is_enough=ResultTable.done,
    )


_STANDING = tuple(
    Column(name=name, heading=heading, form=form, value=value)
    for name, heading, form, value in (
        ("slammer", "slammer", "", lambda own: own[0].name),
        ("slammer_g", "g", "g", lambda own: own[0].mass_g),
        ("", "ability", "", lambda own: str(own[0].rule or own[0].kind)),
        ("p_win", "won", "", lambda own: own[1].won),
        ("battles", "battles", "d", lambda own: own[1].trials),
        ("wins", "", "d", lambda own: own[1].wins),
        ("draws", "drawn", "d", lambda own: own[1].draws),
        ("", "turns", ".0f", lambda own: own[1].turns / own[1].trials),
        ("", "throws", ".0f", lambda own: own[1].throws / own[1].trials),
    )
)
"""Columns of a slammer's standing: of the slammer and its tally."""


def _compare(
    run: Run,
    kinds: list[str],
    slammers: str,
    setup: Path | None,
    deck: str | None,
    options: dict[str, Any],
) -> int:
    """Play rounds between kinds of players or decks, and save, print and plot their shares."""
    for kind in kinds:
        PLAYERS.of(kind)
    rulings = rulings_from_options(BattleOptions(), options)
    catalogue = read_catalogue(options["puckdex"])
    policy = ",".join(kinds)
    decks: Decks
    if deck is None:
        check_players("policy", policy, len(kinds))
    if deck is not None:
        refuse_options({"setup", "slammers"}, "--deck")
        decks = own_decks = decks_from("deck", deck, rulings, catalogue)
        check_players("deck", deck, len(decks))
        if len(kinds) not in {1, len(decks)}:
            raise InputError(
                f"policy: {policy!r} is not accepted beside {len(decks)} decks; give 1 or "
                f"{len(decks)} kinds"
            )
        new_battle(replace(deck_table(own_decks, rulings, catalogue), first=0))  # too few pucks
        kinds = kinds * (len(decks) // len(kinds))
    elif setup is None:
        decks = slammers_from("slammers", slammers, catalogue)
    else:
        refuse_options({"slammers"}, "--setup")
        table = read_setup(setup, catalogue)
        if table.players != len(kinds):
            raise InputError(
                f"setup: {str(setup)!r} has {table.players} players; give as many kinds in --policy"
            )
        own = rulings_from_options(table.options, options)
        decks = replace(table, options=own, first=None)
        new_battle(replace(table, options=own, first=0))  # refuses too few pucks
    contest, throws = contest_from(options, len(kinds))
    contest.options.check_players(len(kinds))
    run.check((*files_read(options), setup, *deck_files(deck)))
    run.trials, run.unit = -(-run.trials // len(kinds)), "rounds"
    tables = first_tables(contest, decks, len(kinds))
    experiment, played = compiled_chunk(ARENA, tables, kinds, contest.throws)
    result = run.collect(experiment, entrant_cases(contest, kinds, decks))
    names = [str(row.labels["player"]) for row in result.table.rows]
    title = f"{result.table.trials} battles ({contest.options.mode}), {throws}; {played}"

    def show(table: ResultTable[BattleTally]) -> None:
        tallies, battles = table.tallies(), table.tallies()[0].battles
        click.echo(title)
        for name, tally in zip(names, tallies, strict=True):
            click.echo(f"{name} won {tally.won.told()} of {battles} battles")
        click.echo(f"{tallies[0].draws} drawn, {tallies[0].turns / battles:.0f} turns a battle.")
        click.echo(
            "A draw is not a win. The intervals are 95 % intervals of the Bayesian bootstrap over "
            "rounds with the same throws."
        )

    return result.finish(
        show,
        plot=lambda path, table: save_plot(
            path, rates_figure, names, [tally.won for tally in table.tallies()], title=title
        ),
    )
