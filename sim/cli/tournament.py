"""``pucklab tournament``: every slammer against every other.

The command plays the battles (`_run`), saves as it goes (`ResultFile`), and prints tables for
people (`print_results`) or JSON for programs (`results_json`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.battle_options import rules_options
from sim.cli.options import completed, count, seed_option, workers_option
from sim.cli.scene_options import slammer_names

if TYPE_CHECKING:
    from sim.experiments import Proportion
    from sim.pokepucks.arena import Decks, Round
    from sim.pokepucks.battle.table import BattleOptions
    from sim.pokepucks.design_file import Catalogue
    from sim.pokepucks.tournament import Contest, Pair, PairRow, PairTally, Standing

_PATH = click.Path(path_type=Path)

_WIDTH = 100
"""Columns of the table where output is no terminal."""


@click.command("tournament")
@click.option(
    "--slammers",
    default="all",
    show_default=True,
    metavar="NAME,...",
    shell_complete=completed(slammer_names),
    help="Two or more slammers; 'all' for every Pokémon slammer.",
)
@click.option(
    "--battles",
    type=count(1, 1_000_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Battles per pair; each slammer has the first turn in half of them.",
)
@workers_option("play")
@click.option(
    "--policy",
    default="greedy",
    show_default=True,
    metavar="KIND,...",
    help="The kind of all players, as in 'pucklab battle'; or several kinds, which then "
    "play against each other.",
)
@click.option(
    "--setup",
    type=_PATH,
    metavar="FILE",
    help="Set-up file (TOML) for a tournament of several kinds: the decks on the seats.",
)
@click.option(
    "--deck",
    metavar="DECK,...",
    help="The deck of each player of a tournament of kinds or decks: deck files (TOML), or "
    "slammers with house decks.",
)
@rules_options()
@seed_option("Seed of throws and decisions.")
@click.option(
    "--out",
    type=_PATH,
    metavar="FILE.csv",
    help="Write a CSV with a row per pair; with several kinds or decks, a row per battle.",
)
@click.option(
    "--plot",
    type=_PATH,
    metavar="FILE",
    help="Plot a heat map of the wins, or the share of each kind (.png, .svg or .pdf).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--resume", is_flag=True, help="Continue after the battles in the --out file.")
def command(
    *,
    slammers: str,
    battles: int,
    workers: int | None,
    policy: str,
    setup: Path | None,
    deck: str | None,
    seed: int,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
    resume: bool,
    **options: Any,
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
    from physics.errors import InputError
    from sim.cli.battle_options import (
        rulings_from_options,
        slammers_from,
        throws_from_options,
        throws_text,
    )
    from sim.cli.output import print_written
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.core.files import check_writable
    from sim.core.ordered_work import processors
    from sim.pokepucks.battle.player_kinds import player_of
    from sim.pokepucks.battle.table import BattleOptions
    from sim.pokepucks.design_file import read_catalogue
    from sim.pokepucks.tournament import Contest, PairTally, pairs_of

    if "," in policy or deck is not None:
        arena = _Arena(
            policy=policy,
            slammers=slammers,
            setup=setup,
            deck=deck,
            battles=battles,
            seed=seed,
            workers=workers or processors(),
            out=out,
            plot=plot,
            as_json=as_json,
            resume=resume,
        )
        return _compare(arena, options)
    catalogue = read_catalogue(options["puckdex"])
    player_of(policy)
    throws, source = throws_from_options(options, 1)
    rulings = rulings_from_options(BattleOptions(), options)
    if setup is not None:
        raise InputError(f"setup: {str(setup)!r} needs several kinds; give --policy KIND,KIND")
    pairs = pairs_of(slammers_from("slammers", slammers, catalogue))
    rulings.check_players(2)
    contest = Contest(throws=throws, policy=policy, options=rulings, catalogue=catalogue)
    inputs = (options["puckdex"], Path(source), options["params"] and Path(options["params"]))
    if out is not None:
        check_writable("out", out, (".csv",), inputs)
    if plot is not None:
        from render.plots.figures import check_plot

        check_plot("plot", plot, inputs)
    results = ResultFile(contest, pairs, seed, out)
    title = (
        f"{battles} battles a pair ({rulings.mode}), {policy} players, "
        f"{throws_text(source, throws.engine)}"
    )
    tallies = results.saved() if resume else [PairTally()] * len(pairs)
    stopped = _run(contest, pairs, tallies, battles, seed, workers or processors(), results)
    rows = results.rows(tallies)
    played = sum(tally.battles for tally in tallies)
    if plot is not None and played:
        from render.plots.figures import save_plot
        from render.plots.tournament import tournament_figure

        save_plot(plot, tournament_figure, pairs, tallies, title=title)
    if not played:
        click.echo("nothing to show: no battle was finished", err=True)
    elif as_json:
        click.echo(results_json(rows))
    else:
        print_results(rows, title)
    print_written(out, plot if played else None)
    if stopped:
        report_stop(f"after {played} of {battles * len(pairs)} battles", resumes=out is not None)
        return EXIT_STOPPED
    return 0


@dataclass(frozen=True, kw_only=True)
class _Arena:
    """The options of a tournament of kinds or decks, by their names."""

    policy: str
    slammers: str
    setup: Path | None
    deck: str | None
    battles: int
    seed: int
    workers: int
    out: Path | None
    plot: Path | None
    as_json: bool
    resume: bool


def _compare(arena: _Arena, options: dict[str, Any]) -> int:
    """Play rounds between kinds of players or decks, and save, print and plot their shares."""
    from physics.errors import InputError
    from sim.cli.battle_options import (
        deck_files,
        rulings_from_options,
        throws_from_options,
        throws_text,
    )
    from sim.cli.output import print_written
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.core.files import check_writable, read_text
    from sim.pokepucks.arena import read_rounds, rounds_hash
    from sim.pokepucks.battle.player_kinds import player_of
    from sim.pokepucks.battle.table import BattleOptions
    from sim.pokepucks.design_file import read_catalogue
    from sim.pokepucks.tournament import Contest

    kinds = [kind.strip() for kind in arena.policy.split(",")]
    for kind in kinds:
        player_of(kind)
    catalogue = read_catalogue(options["puckdex"])
    rulings = rulings_from_options(BattleOptions(), options)
    kinds, decks = _entrants(kinds, arena, options, rulings, catalogue)
    rulings.check_players(len(kinds))
    throws, source = throws_from_options(options, len(kinds))
    contest = Contest(throws=throws, options=rulings, catalogue=catalogue)
    inputs = (options["puckdex"], arena.setup, Path(source), *deck_files(arena.deck))
    if arena.out is not None:
        check_writable("out", arena.out, (".csv",), inputs)
    elif arena.resume:
        raise InputError("resume: not accepted without --out; give the file to continue")
    if arena.plot is not None:
        from render.plots.figures import check_plot

        check_plot("plot", arena.plot, inputs)
    own_hash = rounds_hash(contest, kinds, decks, arena.seed)
    rounds: list[Round] = []
    if arena.resume and arena.out is not None and arena.out.exists():
        where = f"resume: {str(arena.out)!r}"
        rounds = read_rounds(
            read_text("out", arena.out),
            where,
            kinds,
            contest_hash=own_hash,
            engine=throws.engine,
        )
    stopped = _play_rounds(contest, kinds, decks, rounds, arena, own_hash)
    names = _labels(kinds, decks)
    battles, about = len(rounds) * len(kinds), throws_text(source, throws.engine)
    title = f"{battles} battles ({rulings.mode}), {about}"
    if not rounds:
        click.echo("nothing to show: no round was finished", err=True)
    else:
        if arena.plot is not None:
            from render.plots.figures import save_plot
            from render.plots.tournament import rates_figure
            from sim.pokepucks.arena import win_rates

            rates = win_rates(kinds, rounds)
            save_plot(arena.plot, rates_figure, names, rates, title=title)
        if arena.as_json:
            click.echo(_rates_json(names, kinds, rounds))
        else:
            click.echo(title)
            _print_rates(names, rounds)
    print_written(arena.out, arena.plot if rounds else None)
    if stopped:
        total = -(-arena.battles // len(kinds))
        report_stop(f"after {len(rounds)} of {total} rounds", resumes=arena.out is not None)
    return EXIT_STOPPED if stopped else 0


def _entrants(
    kinds: list[str],
    arena: _Arena,
    options: dict[str, Any],
    rulings: "BattleOptions",
    catalogue: "Catalogue",
) -> "tuple[list[str], Decks]":
    """Return the kind of each player, and their decks.

    Raises:
        InputError: The numbers of kinds and decks do not go together, or a deck is not accepted.
    """
    from physics.errors import InputError
    from sim.cli.battle_options import (
        check_players,
        decks_from,
        rulings_from_options,
        slammers_from,
    )
    from sim.cli.options import refuse_options
    from sim.pokepucks.battle.setup import new_battle
    from sim.pokepucks.battle.setup_file import deck_table, read_setup

    if arena.deck is not None:
        refuse_options({"setup", "slammers"}, "--deck")
        decks = decks_from("deck", arena.deck, rulings, catalogue)
        check_players("deck", arena.deck, len(decks))
        if len(kinds) not in {1, len(decks)}:
            raise InputError(
                f"policy: {arena.policy!r} is not accepted beside {len(decks)} decks; give 1 or "
                f"{len(decks)} kinds"
            )
        new_battle(replace(deck_table(decks, rulings, catalogue), first=0))  # too few pucks
        return kinds * (len(decks) // len(kinds)), decks
    check_players("policy", arena.policy, len(kinds))
    if arena.setup is None:
        return kinds, slammers_from("slammers", arena.slammers, catalogue)
    refuse_options({"slammers"}, "--setup")
    table = read_setup(arena.setup, catalogue)
    if table.players != len(kinds):
        raise InputError(
            f"setup: {str(arena.setup)!r} has {table.players} players; give as many kinds in "
            "--policy"
        )
    table = replace(table, options=rulings_from_options(table.options, options), first=None)
    new_battle(replace(table, first=table.first or 0))  # refuses too few pucks
    return kinds, table


def _play_rounds(
    contest: "Contest",
    kinds: list[str],
    decks: "Decks",
    rounds: "list[Round]",
    arena: _Arena,
    own_hash: str,
) -> bool:
    """Play rounds, keep the list and the file up to date, and return whether it was stopped."""
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.core.files import Autosave
    from sim.pokepucks.arena import play_rounds, rounds_csv

    engine = contest.throws.engine
    file = Autosave(
        arena.out, lambda: rounds_csv(kinds, rounds, contest_hash=own_hash, engine=engine)
    )
    count, begin = -(-arena.battles // len(kinds)), len(rounds)
    stopped = False
    try:
        with worker_processes(max(min(arena.workers, count - begin), 1)) as executor:
            played = play_rounds(
                contest,
                kinds,
                decks,
                count,
                seed=arena.seed,
                begin=begin,
                executor=executor,
                window=4 * arena.workers,
            )
            numbered = enumerate(played, start=begin + 1)
            for _, done in track(numbered, lambda state: (state[0], count), "battling"):
                rounds.append(done)
                file.save_if_due()
    except KeyboardInterrupt:
        stopped = True
    if len(rounds) > begin:
        file.save()
    return stopped


def _labels(kinds: Sequence[str], decks: "Decks") -> list[str]:
    """Return a name for each player: its kind, its deck, or both, with a number if need be."""
    from sim.pokepucks.battle.setup_file import Deck, numbered

    own = [] if not isinstance(decks, Sequence) else [d for d in decks if isinstance(d, Deck)]
    if not own:
        return list(numbered(kinds))
    if len(set(kinds)) == 1:
        return list(numbered([deck.name for deck in own]))
    both = [f"{kind} with {deck.name}" for kind, deck in zip(kinds, own, strict=True)]
    return list(numbered(both))


def _print_rates(names: Sequence[str], rounds: "Sequence[Round]") -> None:
    """Print the share of the battles that each player won, and the draws."""
    from sim.pokepucks.arena import win_rates

    every = [battle for played in rounds for battle in played]
    for name, rate in zip(names, win_rates(names, rounds), strict=True):
        click.echo(
            f"{name} won {rate.value:.1%} of {len(every)} battles "
            f"({rate.low:.1%} to {rate.high:.1%})"
        )
    draws = sum(battle.winner is None for battle in every)
    turns = sum(battle.turns for battle in every) / len(every)
    click.echo(f"{draws} drawn, {turns:.0f} turns a battle.")
    click.echo(
        f"A draw counts as 1/{len(names)} of a win for each; the intervals are 95 % intervals "
        "of the Bayesian bootstrap over rounds with the same throws."
    )


def _rates_json(names: Sequence[str], kinds: Sequence[str], rounds: "Sequence[Round]") -> str:
    """Return the shares of the players as JSON."""
    from sim.pokepucks.arena import win_rates

    every = [battle for played in rounds for battle in played]
    winners = [battle.winner for battle in every]
    players = [
        {
            "player": name,
            "policy": kind,
            "wins": winners.count(place),
            **_proportion("p_win", rate),
        }
        for place, (name, kind, rate) in enumerate(
            zip(names, kinds, win_rates(names, rounds), strict=True)
        )
    ]
    results = {
        "players": players,
        "rounds": len(rounds),
        "battles": len(every),
        "draws": winners.count(None),
        "turns": sum(battle.turns for battle in every),
    }
    return json.dumps(results, indent=2, ensure_ascii=False)


def _run(
    contest: "Contest",
    pairs: Sequence["Pair"],
    tallies: list["PairTally"],
    battles: int,
    seed: int,
    workers: int,
    results: "ResultFile",
) -> bool:
    """Play, keep ``tallies`` and the file up to date, and return whether it was stopped."""
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.core.files import Autosave
    from sim.pokepucks.tournament import results_csv, run_tournament

    file = Autosave(results.path, lambda: results_csv(results.rows(tallies)))
    stopped = False
    try:
        with worker_processes(workers) as executor:
            states = run_tournament(
                contest,
                pairs,
                battles=battles,
                seed=seed,
                begin=tuple(tallies),
                executor=executor,
                window=4 * workers,
            )
            for state in track(states, lambda state: (state.done, state.total), "battling"):
                tallies[:] = state.tallies
                file.save_if_due()
    except KeyboardInterrupt:
        stopped = True
    file.save()
    return stopped


class ResultFile:
    """The rows of a tournament's file, and the results that the file has already.

    Args:
        contest: Everything that the battles of all pairs share.
        pairs: The pairs.
        seed: The tournament's seed.
        path: The file; None for none.
    """

    def __init__(
        self, contest: "Contest", pairs: "Sequence[Pair]", seed: int, path: Path | None
    ) -> None:
        from sim.pokepucks.tournament import contest_hash

        self.path = path
        self._pairs = pairs
        self._hashes = [contest_hash(contest, pair) for pair in pairs]
        self._seed = seed
        self._engine = contest.throws.engine

    def saved(self) -> "list[PairTally]":
        """Return the tally of each pair in the file.

        Raises:
            InputError: No file is named, or it has battles of another tournament, which would be
                lost, as it is written anew, or of another version of the physics.
        """
        from physics import PHYSICS_VERSION
        from physics.errors import InputError
        from sim.core.files import read_text, version
        from sim.pokepucks.tournament import PairTally, ResultKey, read_results

        if self.path is None:
            raise InputError("resume: not accepted without --out; give the file to continue")
        if not self.path.exists():
            return [PairTally()] * len(self._pairs)
        found = read_results(read_text("out", self.path), f"out: {str(self.path)!r}")
        for key in found:
            if key.engine != self._engine:
                raise InputError(
                    f"resume: {str(self.path)!r} has throws of the {key.engine} engine, "
                    f"this is {self._engine}; give another file"
                )
            if key.physics != PHYSICS_VERSION:
                raise InputError(
                    f"resume: {str(self.path)!r} has throws of physics version "
                    f"{key.physics or 'unknown'}, this is {PHYSICS_VERSION}; give another file"
                )
        wanted = [
            ResultKey(
                contest_hash=text,
                seed=self._seed,
                version=version(),
                physics=PHYSICS_VERSION,
                engine=self._engine,
            )
            for text in self._hashes
        ]
        if not found.keys() <= set(wanted):
            raise InputError(
                f"resume: {str(self.path)!r} has battles of other slammers, options, throws, seed "
                "or version, which would be lost; give another file"
            )
        return [found.get(key, PairTally()) for key in wanted]

    def rows(self, tallies: "Sequence[PairTally]") -> "list[PairRow]":
        """Return the rows of the file."""
        from sim.core.files import version
        from sim.pokepucks.tournament import PairRow

        return [
            PairRow(
                pair=pair,
                tally=tally,
                seed=self._seed,
                version=version(),
                contest_hash=text,
                engine=self._engine,
            )
            for pair, tally, text in zip(self._pairs, tallies, self._hashes, strict=True)
        ]


def print_results(rows: "Sequence[PairRow]", title: str) -> None:
    """Print a line per slammer, the share of draws, and how often knock-out attempts succeed."""
    from sim.cli.output import print_stacked, table_console
    from sim.pokepucks.tournament import knock_out_rates, standings_of

    console = table_console(_WIDTH)
    pairs, tallies = [row.pair for row in rows], [row.tally for row in rows]
    console.print(title, soft_wrap=True)
    cells = [_cells(standing) for standing in standings_of(pairs, tallies)]
    print_stacked(console, cells, left=("ability",))
    battles = sum(tally.battles for tally in tallies)
    draws = sum(tally.draws for tally in tallies)
    first = sum(tally.first_wins for tally in tallies)
    decided = battles - draws
    line = f"{draws} of {battles} battles were drawn"
    if decided:
        line += f"; the first player won {first / decided:.0%} of the decided battles"
    console.print(f"{line}.", soft_wrap=True)
    for rate in knock_out_rates(pairs, tallies):
        console.print(
            f"knock-out attempts with {rate.slammer_g:g} g: {_chance(rate.chance)} of "
            f"{rate.attempts} succeeded",
            soft_wrap=True,
        )
    console.print(
        "won: share of all battles, with its 95 % interval (a draw is not a win); turns, throws: "
        "mean per battle.",
        style="dim",
    )


def results_json(rows: "Sequence[PairRow]") -> str:
    """Return pairs, standings and knock-out attempts as JSON; unknown values are null.

    Example:
        >>> results_json([])
        '{"pairs": [], "standings": [], "knock_outs": []}'
    """
    from sim.pokepucks.tournament import knock_out_rates, row_values, standings_of

    pairs, tallies = [row.pair for row in rows], [row.tally for row in rows]
    results = {
        "pairs": [
            {key: None if value == "" else value for key, value in row_values(row).items()}
            for row in rows
        ],
        "standings": [
            {
                "slammer": standing.slammer.name,
                "slammer_g": standing.slammer.mass_g,
                "battles": standing.tally.battles,
                "wins": standing.tally.wins,
                "draws": standing.tally.draws,
                **_proportion("p_win", standing.won),
            }
            for standing in standings_of(pairs, tallies)
        ],
        "knock_outs": [
            {
                "slammer_g": rate.slammer_g,
                "attempts": rate.attempts,
                **_proportion("p_knock_out", rate.chance),
            }
            for rate in knock_out_rates(pairs, tallies)
        ],
    }
    return json.dumps(results, indent=2 if rows else None)


def _cells(standing: "Standing") -> dict[str, str]:
    """Return the cells of a line, by heading."""
    tally, slammer = standing.tally, standing.slammer
    return {
        "slammer": slammer.name,
        "g": f"{slammer.mass_g:g}",
        "ability": slammer.rule or slammer.kind,
        "won": _chance(standing.won),
        "battles": f"{tally.battles}",
        "drawn": f"{tally.draws}",
        "turns": f"{tally.turns / tally.battles:.0f}",
        "throws": f"{tally.throws / tally.battles:.0f}",
    }


def _chance(chance: "Proportion") -> str:
    return f"{chance.value:.0%} ({100 * chance.low:.0f}-{100 * chance.high:.0f})"


def _proportion(name: str, chance: "Proportion") -> dict[str, float]:
    return {name: chance.value, f"{name}_low": chance.low, f"{name}_high": chance.high}
