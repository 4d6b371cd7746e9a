"""``pucklab deck``: search for winning decks, and estimate what slammers, abilities and pucks win.

Both commands play mirrored pairs of battles in worker processes (`_Run`), and save as they go.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.battle_options import deck_files, decks_from, rules_options
from sim.cli.commands import LazyGroup
from sim.cli.options import completed, count, seed_option, workers_option
from sim.cli.scene_options import slammer_names

if TYPE_CHECKING:
    from sim.experiments import Proportion
    from sim.pokepucks.arena import MirroredTally
    from sim.pokepucks.balance import Comparison
    from sim.pokepucks.battle.setup_file import Deck
    from sim.pokepucks.deck_search import DeckSearch
    from sim.pokepucks.designs import Design
    from sim.pokepucks.tournament import Contest

_Function = TypeVar("_Function", bound=Callable[..., Any])
_State = TypeVar("_State")

_PATH = click.Path(path_type=Path)
_WIDTH = 100
"""Columns of tables where output is no terminal."""


@click.group("deck", cls=LazyGroup)
def command() -> None:
    """Find winning decks, and what wins battles.

    \b
    Example:
      pucklab deck search --slammer lapras --save strong.toml
    """


def _run_options(about_out: str) -> Callable[[_Function], _Function]:
    """Return the options of long work with battles."""
    options = (
        click.option(
            "--policy",
            default="greedy",
            show_default=True,
            metavar="KIND",
            help="The kind of both players, as in 'pucklab battle'.",
        ),
        rules_options("table"),
        seed_option("Seed of throws and decisions."),
        workers_option("play"),
        click.option("--out", type=_PATH, metavar="FILE.csv", help=about_out),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables."),
        click.option(
            "--resume", is_flag=True, help="Continue after the battles in the --out file."
        ),
    )

    def add(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@dataclass(frozen=True, kw_only=True)
class _Run:
    """The options of long work, checked, and what they stand for."""

    contest: "Contest"
    seed: int
    workers: int
    out: Path | None
    as_json: bool
    resume: bool
    inputs: tuple[Path | None, ...]
    throws: str

    def play(self, states: Callable[[Any, int], Iterable[_State]], save: Callable[[], str]) -> bool:
        """Play, save as it goes, and return whether it was stopped.

        Args:
            states: Returns the states of the work for an executor and a window.
            save: Returns the text of the file.
        """
        from sim.cli.processes import worker_processes
        from sim.cli.running import track
        from sim.core.files import Autosave

        file = Autosave(self.out, save)
        begun = stopped = False
        try:
            with worker_processes(self.workers) as executor:
                played = states(executor, 4 * self.workers)
                for _ in track(played, _progress, "battling"):
                    begun = True
                    file.save_if_due()
        except KeyboardInterrupt:
            stopped = True
        if begun:
            file.save()
        return stopped

    def saved(self) -> str | None:
        """Return the text of the file to go on with; None if there is nothing to go on with."""
        from sim.core.files import read_text

        if self.out is None or not self.resume or not self.out.exists():
            return None
        return read_text("out", self.out)


def _progress(state: Any) -> tuple[int, int]:
    return state.done, state.total


def _run_from(options: dict[str, Any], inputs: Sequence[Path | None] = ()) -> _Run:
    """Take the options of long work out of ``options``, and check them before any work is done."""
    from physics.errors import InputError
    from sim.cli.battle_options import rulings_from_options, throws_from_options, throws_text
    from sim.core.files import check_writable
    from sim.core.ordered_work import processors
    from sim.pokepucks.battle.player_kinds import player_of
    from sim.pokepucks.battle.table import BattleOptions, Mode
    from sim.pokepucks.design_file import read_catalogue
    from sim.pokepucks.tournament import Contest

    policy = options["policy"]
    player_of(policy)
    throws, source = throws_from_options(options, 2)
    rulings = rulings_from_options(BattleOptions(), options)
    if rulings.mode is not Mode.BATTLE:
        raise InputError(f"mode: {rulings.mode.value!r} is not accepted; decks are for battles")
    rulings.check_players(2)
    catalogue = read_catalogue(options["puckdex"])
    contest = Contest(throws=throws, policy=policy, options=rulings, catalogue=catalogue)
    read = (*inputs, options["puckdex"], Path(source))
    if options["params"]:
        read = (*read, *(Path(file) for file in options["params"].split(",")))
    out = options["out"]
    if out is not None:
        check_writable("out", out, (".csv",), read)
    elif options["resume"]:
        raise InputError("resume: not accepted without --out; give the file to continue")
    return _Run(
        contest=contest,
        seed=options["seed"],
        workers=options["workers"] or processors(),
        out=out,
        as_json=options["as_json"],
        resume=options["resume"],
        inputs=read,
        throws=f"{policy} players, {throws_text(source, throws.engine)}",
    )


@command.command("search")
@click.option(
    "--slammer",
    required=True,
    metavar="NAME",
    shell_complete=completed(slammer_names),
    help="The slammer to find a deck for.",
)
@click.option(
    "--against",
    default="house",
    show_default=True,
    metavar="DECK,...",
    help="The decks to beat, which take turns: house (the same slammer with its house deck), a "
    "slammer with its house deck, all of them ('all'), or deck files (TOML).",
)
@click.option(
    "--battles",
    type=count(2, 10_000_000),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Battles of the search.",
)
@click.option(
    "--test-battles",
    type=count(2, 10_000_000),
    default=4_000,
    show_default=True,
    metavar="N",
    help="Battles of the test that follows, with other seeds.",
)
@click.option(
    "--setup", type=_PATH, metavar="FILE", help="Set-up file (TOML): keep to its [legal] table."
)
@click.option(
    "--collection",
    type=_PATH,
    metavar="FILE",
    help="Deck file (TOML) with all pucks that the player has; the deck is made of these.",
)
@click.option("--save", type=_PATH, metavar="FILE.toml", help="Write the deck found.")
@_run_options("Write a CSV with the counts of every deck that was tried.")
def search(
    *,
    slammer: str,
    against: str,
    battles: int,
    test_battles: int,
    setup: Path | None,
    collection: Path | None,
    save: Path | None,
    **options: Any,
) -> int:
    """Find a deck that wins with a slammer, and test it.

    The decks compared play the same throws from both seats. Round by round the better half goes on,
    until one is left, and the search goes on around it. The best of many decks is partly the
    luckiest one: its share is measured anew, with throws that had no part in the choice.

    \b
    Examples:
      pucklab deck search --slammer lapras --save strong.toml
      pucklab deck search --slammer onix --against all --battles 50000 --out search.csv
      pucklab deck search --slammer pikachu --against strong.toml --seed 2
      pucklab battle --deck strong.toml,lapras --throws table
    """
    from sim.cli.output import print_written
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.core.files import check_writable, write_whole
    from sim.pokepucks.battle.setup_file import deck_toml, read_deck, read_legal
    from sim.pokepucks.deck_search import DeckSearch, deck_space, read_search, search_csv

    run = _run_from(options, (setup, collection, *deck_files(against)))
    if save is not None:
        check_writable("save", save, (".toml",), run.inputs)
    catalogue = run.contest.catalogue
    own = catalogue.find_slammer(slammer, "slammer")
    rivals = _rivals(against, slammer, run.contest)
    legal = None if setup is None else read_legal(setup, catalogue)
    owned = None if collection is None else read_deck(collection, catalogue, "collection")
    found = DeckSearch(
        contest=run.contest,
        space=deck_space(own, run.contest, rivals, legal=legal, owned=owned),
        rivals=rivals,
        battles=battles,
        seed=run.seed,
    )
    text = run.saved()
    if text is not None:
        read_search(text, f"resume: {str(run.out)!r}", found)

    def states(executor: Any, window: int) -> Iterable[Any]:
        yield from found.run(executor, window)
        yield from found.test(test_battles, executor, window)

    stopped = run.play(states, lambda: search_csv(found))
    if stopped:
        print_written(run.out)
        report_stop("before the deck was tested", resumes=run.out is not None)
        return EXIT_STOPPED
    if save is not None:
        write_whole(save, deck_toml(found.space.deck(found.best)).encode())
    if run.as_json:
        click.echo(_search_json(found))
    else:
        _print_search(found, run)
    print_written(run.out, save)
    return 0


def _rivals(against: str, slammer: str, contest: "Contest") -> "tuple[Deck, ...]":
    """Return the decks of ``--against``.

    Raises:
        InputError: One of them is not accepted, or is there twice.
    """
    from physics.errors import InputError
    from sim.pokepucks.battle.setup import new_battle
    from sim.pokepucks.battle.setup_file import deck_table

    words = [slammer if word.strip() == "house" else word for word in against.split(",")]
    rivals = decks_from("against", ",".join(words), contest.options, contest.catalogue)
    for number, rival in enumerate(rivals):
        if rival in rivals[:number]:
            raise InputError(f"against: {rival.name!r} is there twice")
        try:
            new_battle(deck_table((rival, rival), replace(contest.options, first="")))
        except InputError as error:
            raise InputError(f"against: {error}") from None
    return rivals


def _per_cent(share: "Proportion", *, signed: bool = False) -> str:
    sign = "+" if signed else ""
    return f"{share.value:{sign}.1%} ({share.low:{sign}.1%} to {share.high:{sign}.1%})"


def _print_search(found: "DeckSearch", run: _Run) -> None:
    """Print the deck, what changed, and the result of the test."""
    from sim.cli.output import print_stacked, table_console

    console = table_console(_WIDTH)
    house, best = found.space.house, found.space.deck(found.best)
    tested = found.tested
    tried = len({deck for _, deck in found.results})
    console.print(
        f"{house.slammers[0].name}: {tried} decks tried in {found.battles} battles; {run.throws}",
        soft_wrap=True,
    )
    mine, its = best.counts, house.counts
    rows = [
        {
            "puck": name,
            "deck": f"{mine.get(name, 0)}",
            "house deck": f"{its.get(name, 0)}",
            "change": f"{mine.get(name, 0) - its.get(name, 0):+d}".replace("+0", ""),
        }
        for name in dict.fromkeys((*mine, *its))
    ]
    print_stacked(console, rows)
    console.print(_verdict(found), soft_wrap=True)
    names = ", ".join(rival.name for rival in found.rivals)
    console.print(
        f"Tested in {2 * tested.pairs} battles against {names}, with throws that had no part in "
        "the search, and the same for both decks; 95 % intervals; a draw counts half.",
        style="dim",
        soft_wrap=True,
    )


def _verdict(found: "DeckSearch") -> str:
    """Return the result of the test in a sentence or two."""
    tested = found.tested
    won = f"It won {_per_cent(tested.won)} of the battles of the test"
    if found.best == found.start:
        return f"No deck tried did better than the one to begin with. {won}."
    gain = f"{_per_cent(tested.gain, signed=True)}"
    begun = "house deck" if found.start == found.space.counts(found.space.house) else "first deck"
    if tested.gain.low > 0:
        return f"{won}: more than the {begun}, by {gain}."
    if tested.gain.high < 0:
        return f"{won}: less than the {begun}, by {gain}. The search was led astray by luck."
    return f"{won}. It is not shown to be better than the {begun}: the difference is {gain}."


def _search_json(found: "DeckSearch") -> str:
    """Return the deck and the result of the test as JSON."""
    best, tested = found.space.deck(found.best), found.tested
    start = found.space.deck(found.start)
    return json.dumps(
        {
            "slammer": best.slammers[0].name,
            "deck": best.counts,
            "begun_with": start.counts,
            "against": [rival.name for rival in found.rivals],
            "search_battles": found.battles,
            "decks_tried": len({deck for _, deck in found.results}),
            "test_battles": 2 * tested.pairs,
            **_proportion("p_win", tested.won),
            **_proportion("gain", tested.gain),
            "seed": found.seed,
        },
        indent=2,
        ensure_ascii=False,
    )


def _proportion(name: str, share: "Proportion") -> dict[str, float]:
    return {
        name: round(share.value, 6),
        f"{name}_low": round(share.low, 6),
        f"{name}_high": round(share.high, 6),
    }


_HEADINGS: dict[str, str] = {
    "slammer": "slammers, against an even battle",
    "ability": "abilities, against the same slammer without",
    "puck": "pucks, against a plain puck",
}


@command.command("balance")
@click.option(
    "--slammers",
    default="all",
    show_default=True,
    metavar="NAME,...",
    shell_complete=completed(slammer_names),
    help="The slammers that play; 'all' for every Pokémon slammer.",
)
@click.option(
    "--kind",
    default="slammer,ability,puck",
    show_default=True,
    metavar="KIND,...",
    shell_complete=completed(lambda: _HEADINGS),
    help="The kinds of things whose worth is estimated.",
)
@click.option(
    "--battles",
    type=count(2, 10_000_000),
    default=400,
    show_default=True,
    metavar="N",
    help="Battles with each thing, and as many without it.",
)
@_run_options("Write a CSV with a row for each slammer, ability and puck.")
@click.option("--plot", type=_PATH, metavar="FILE", help="Plot the worths (.png, .svg or .pdf).")
def balance(*, slammers: str, kind: str, battles: int, plot: Path | None, **options: Any) -> int:
    """Estimate what slammers, abilities and pucks are worth.

    Each is left out: a slammer is compared with an even battle, an ability with the same slammer
    without it, a puck with a plain puck in its place. Everybody has a house deck, and the throws
    are the same with and without. The worth is the difference in the share of battles won.

    \b
    Examples:
      pucklab deck balance --battles 1000 --out balance.csv --plot balance.png
      pucklab deck balance --slammers onix,lapras,pikachu --kind ability --policy random
    """
    from sim.cli.battle_options import slammers_from
    from sim.cli.output import print_written
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.pokepucks.arena import MirroredTally
    from sim.pokepucks.balance import balance_csv, read_balance, run_balance
    from sim.pokepucks.tournament import pairs_of

    run = _run_from(options)
    if plot is not None:
        from render.plots.figures import check_plot

        check_plot("plot", plot, run.inputs)
    field = slammers_from("slammers", slammers, run.contest.catalogue)
    pairs_of(field)  # refuses fewer than two, and one that is there twice
    comparisons = _comparisons(kind, run.contest, field)
    tallies: tuple[MirroredTally, ...] = (MirroredTally(),) * len(comparisons)
    text = run.saved()
    if text is not None:
        where = f"resume: {str(run.out)!r}"
        tallies = read_balance(text, where, run.contest, comparisons, run.seed) or tallies

    def states(executor: Any, window: int) -> Iterable[Any]:
        nonlocal tallies
        for state in run_balance(
            run.contest,
            comparisons,
            blocks=battles // 2,
            seed=run.seed,
            begin=tallies,
            executor=executor,
            window=window,
        ):
            tallies = state.tallies
            yield state

    stopped = run.play(states, lambda: balance_csv(run.contest, comparisons, tallies, run.seed))
    done = tallies[0].pairs
    if not done:
        click.echo("nothing to show: no block of battles was finished", err=True)
    else:
        if plot is not None:
            from render.plots.figures import save_plot
            from render.plots.tournament import balance_figure

            title = f"What wins battles: {2 * done} battles each way, {run.throws}"
            save_plot(plot, balance_figure, comparisons, tallies, title=title)
        if run.as_json:
            click.echo(_balance_json(comparisons, tallies))
        else:
            _print_balance(comparisons, tallies, run)
    print_written(run.out, plot if done else None)
    if stopped:
        report_stop(f"after {done} of {battles // 2} blocks", resumes=run.out is not None)
        return EXIT_STOPPED
    return 0


def _comparisons(
    text: str, contest: "Contest", field: "Sequence[Design]"
) -> "tuple[Comparison, ...]":
    """Return the comparisons of the kinds in a list.

    Raises:
        InputError: There is no such kind, or nothing of it.
    """
    from physics.errors import InputError
    from sim.pokepucks.balance import comparisons_of

    kinds = [word.strip().lower() for word in text.split(",")]
    for word in kinds:
        if word not in _HEADINGS:
            raise InputError(f"kind: {word!r} is not accepted; give {', '.join(_HEADINGS)}")
    found = tuple(c for c in comparisons_of(contest, field) if c.kind in kinds)
    if not found:
        raise InputError(f"kind: {text!r} leaves nothing; give other kinds or options")
    return found


def _print_balance(
    comparisons: "Sequence[Comparison]", tallies: "Sequence[MirroredTally]", run: _Run
) -> None:
    """Print a table for each kind, the most valuable first."""
    from sim.cli.output import print_stacked, table_console

    console = table_console(_WIDTH)
    pairs = tallies[0].pairs
    console.print(f"{2 * pairs} battles with each, and without; {run.throws}", soft_wrap=True)
    for kind, heading in _HEADINGS.items():
        found = [
            (comparison, tally)
            for comparison, tally in zip(comparisons, tallies, strict=True)
            if comparison.kind == kind
        ]
        if not found:
            continue
        found.sort(key=lambda one: -one[1].gain.value)
        console.print(f"\n{heading}:", soft_wrap=True)
        rows = [
            {
                kind: comparison.name,
                "copies": f"{comparison.copies}",
                "worth in % of battles": _points(tally.gain),
                "won with it": f"{tally.won.value:.0%}",
                "clear": "yes" if tally.gain.low > 0 or tally.gain.high < 0 else "",
            }
            for comparison, tally in found
        ]
        if kind != "puck":
            rows = [{k: v for k, v in row.items() if k != "copies"} for row in rows]
        print_stacked(console, rows, left=("clear",))
    console.print(
        f"Worth: difference in the share of battles won, with its 95 % interval; clear: the "
        f"interval excludes 0, which chance alone does for {0.05 * len(comparisons):.0f} of "
        f"{len(comparisons)}.",
        style="dim",
        soft_wrap=True,
    )


def _points(gain: "Proportion") -> str:
    return f"{100 * gain.value:+.1f} ({100 * gain.low:+.1f} to {100 * gain.high:+.1f})"


def _balance_json(comparisons: "Sequence[Comparison]", tallies: "Sequence[MirroredTally]") -> str:
    from sim.pokepucks.balance import balance_values

    rows = [balance_values(c, tally) for c, tally in zip(comparisons, tallies, strict=True)]
    return json.dumps(rows, indent=2, ensure_ascii=False)
