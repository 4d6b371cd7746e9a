"""``pucklab deck``: search for winning decks, and estimate what wins battles."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import InputError
from pucklab.base.files import check_writable, write_whole
from pucklab.cli.battle_options import (
    contest_from,
    deck_files,
    decks_from,
    files_read,
    rules_options,
    slammers_from,
)
from pucklab.cli.commands import LazyGroup
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import PATH, complete_from, count, option
from pucklab.cli.output import print_written
from pucklab.render.plots.figures import save_plot
from pucklab.render.plots.tournament import balance_figure
from pucklab.sim.experiments import Progress, ResultTable
from pucklab.sim.experiments.columns import Column, flat_cells, row_texts
from pucklab.sim.experiments.view import print_stacked, table_console
from pucklab.sim.pokepucks.balance import BALANCE, Comparison, balance_cases, comparisons_of
from pucklab.sim.pokepucks.battle.battle_setup import Mode
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.setup_file import (
    deck_table,
    deck_toml,
    read_deck,
    read_legal,
)
from pucklab.sim.pokepucks.deck_search import DeckSearch, deck_space
from pucklab.sim.pokepucks.tournament import (
    BattleTally,
    Contest,
    compiled_chunk,
    pairs_of,
    round_share,
)
from pucklab.sim.scene.fields import slammer_names

_WIDTH = 100
"""Columns of tables where output is no terminal."""


_POLICY = option(
    "--policy",
    str,
    "KIND",
    "The kind of both players, as in 'pucklab battle'.",
    default="skilled",
)


@click.group("deck", cls=LazyGroup)
def command() -> None:
    """Find winning decks, and what wins battles.

    \b
    Example:
      pucklab deck search --slammer lapras --save strong.toml
    """


def _contest(options: dict[str, Any]) -> tuple[Contest, str]:
    """Return the contest that the options describe, and a text on players and throws."""
    contest, throws = contest_from(options, 2, options["policy"])
    mode = contest.options.mode
    if mode is not Mode.BATTLE:
        raise InputError(f"mode: {mode.value!r} is not accepted; decks are for battles")
    contest.options.check_players(2)
    return contest, f"{contest.policy} players, {throws}"


@command.command("search")
@option(
    "--slammer",
    str,
    "NAME",
    "The slammer to find a deck for.",
    required=True,
    shell_complete=complete_from(slammer_names),
)
@option(
    "--against",
    str,
    "DECK,...",
    "The decks to beat, which take turns: house (the same slammer with its house deck), a "
    "slammer with its house deck, all of them ('all'), or deck files (TOML).",
    default="house",
)
@option(
    "--test-battles",
    count(2, 10_000_000),
    "N",
    "Battles of the test that follows, with other seeds.",
    default=4_000,
)
@option("--setup", PATH, "FILE", "Set-up file (TOML): keep to its [legal] table.")
@option(
    "--collection",
    PATH,
    "FILE",
    "Deck file (TOML) with all pucks that the player has; the deck is made of these.",
)
@option("--save", PATH, "FILE.toml", "Write the deck found.")
@experiment_options(
    "battles",
    20_000,
    least=2,
    most=10_000_000,
    about="Battles of the search.",
    doing="play",
    seed="Seed of throws and decisions.",
    plot=None,
)
@_POLICY
@rules_options("table")
def search(
    *,
    run: Run,
    slammer: str,
    against: str,
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
    contest, about = _contest(options)
    inputs = [*files_read(options), setup, collection, *deck_files(against)]
    run.check(inputs)
    check_writable("save", save, (".toml",), inputs)
    catalogue = contest.catalogue
    own = catalogue.find_slammer(slammer, "slammer")
    words = [slammer if word.strip() == "house" else word for word in against.split(",")]
    rivals = decks_from("against", ",".join(words), contest.options, catalogue)
    for number, rival in enumerate(rivals):
        if rival in rivals[:number]:
            raise InputError(f"against: {rival.name!r} appears twice")
        try:
            new_battle(deck_table((rival, rival), replace(contest.options, first="")))
        except InputError as error:
            raise InputError(f"against: {error}") from None
    legal = None if setup is None else read_legal(setup, catalogue)
    owned = None if collection is None else read_deck(collection, catalogue, "collection")
    found = DeckSearch(
        contest=contest,
        space=deck_space(own, contest, rivals, legal=legal, owned=owned),
        rivals=rivals,
        battles=run.trials,
        seed=run.seed,
    )
    run.unit = "pairs of battles"

    def states(_: object, executor: Any, window: int) -> Iterable[Progress]:
        found.executor, found.window = executor, window
        yield from found.run()
        yield from found.test(test_battles)

    result = run.collect_by(states, found.table)
    if save is not None and not run.stopped:
        write_whole(save, deck_toml(found.space.deck(found.best)).encode())
    code = result.finish(
        lambda _: _print_search(found, about),
        json=lambda _: _facts(found),
        is_enough=lambda _: not run.stopped,
    )
    print_written(None if run.stopped else save)
    return code


def _print_search(found: DeckSearch, about: str) -> None:
    """Print the deck, what changed, and the result of the test."""
    console = table_console(_WIDTH)
    house, best = found.space.house, found.space.deck(found.best)
    tested = found.tested
    console.print(
        f"{house.slammers[0].name}: {found.tried} decks tried in {found.battles} battles; {about}; "
        f"{found.played}",
        soft_wrap=True,
    )
    mine, its = best.counts, house.counts
    rows = []
    for name in dict.fromkeys((*mine, *its)):
        own, before, tally = mine.get(name, 0), its.get(name, 0), found.carried.get(name)
        row = {"puck": name, "deck": f"{own}", "house deck": f"{before}"}
        row["change"] = f"{own - before:+d}".replace("+0", "")
        if found.carried:
            unused = ", never used" * (tally is not None and not tally.uses)
            row["worth"] = tally.gain.told("+.1%") + unused if tally else ""
        rows.append(row)
    print_stacked(console, rows)
    won = f"It won {tested.won.told()} of the battles of the test"
    gain = tested.gain.told("+.1%")
    begun = "house deck" if found.start == found.space.counts(house) else "first deck"
    if found.best == found.start:
        verdict = f"No deck tried did better than the one to begin with. {won}."
    elif tested.gain.low > 0:
        verdict = f"{won}: more than the {begun}, by {gain}."
    elif tested.gain.high < 0:
        verdict = f"{won}: less than the {begun}, by {gain}. The search was led astray by luck."
    else:
        verdict = f"{won}. It is not shown to be better than the {begun}: the difference is {gain}."
    console.print(verdict, soft_wrap=True)
    names = ", ".join(rival.name for rival in found.rivals)
    worth = " Worth: that of all its copies over plain pucks." if found.carried else ""
    console.print(
        f"Tested in {2 * tested.trials} battles against {names}, with throws that had no part in "
        f"the search, and the same for both decks; 95 % intervals. Won: a draw is not a win; in a "
        f"difference it counts half.{worth}",
        style="dim",
        soft_wrap=True,
    )


def _facts(found: DeckSearch) -> dict[str, Any]:
    """Return the deck and the result of the test for JSON."""
    best, tested = found.space.deck(found.best), found.tested
    return {
        "slammer": best.slammers[0].name,
        "deck": best.counts,
        "begun_with": found.space.deck(found.start).counts,
        "against": [rival.name for rival in found.rivals],
        "search_battles": found.battles,
        "decks_tried": found.tried,
        "test_battles": 2 * tested.trials,
        **flat_cells({"p_win": round_share(tested.won), "p_draw": tested.p_draw}),
        **flat_cells({"gain": round_share(tested.gain)}),
        "carried_by": {
            name: flat_cells({"worth": round_share(tally.gain), "uses": tally.uses})
            for name, tally in found.carried.items()
        },
        "battles": found.played,
        "seed": found.seed,
    }


_HEADINGS: dict[str, str] = {
    "slammer": "slammers, against an even battle",
    "ability": "abilities, against the same slammer without",
    "puck": "pucks, against a plain puck",
}


@command.command("balance")
@option(
    "--slammers",
    str,
    "NAME,...",
    "The slammers that play; 'all' for every Pokémon slammer.",
    default="all",
    shell_complete=complete_from(slammer_names),
)
@option(
    "--kind",
    str,
    "KIND,...",
    "The kinds of things whose worth is estimated.",
    default="slammer,ability,puck",
    shell_complete=complete_from(lambda: _HEADINGS),
)
@experiment_options(
    "battles",
    400,
    least=2,
    most=10_000_000,
    about="Battles with each thing, and as many without it.",
    doing="play",
    seed="Seed of throws and decisions.",
    plot="Plot the worths (.png, .svg or .pdf).",
)
@_POLICY
@rules_options("table")
def balance(*, run: Run, slammers: str, kind: str, **options: Any) -> int:
    """Estimate what slammers, abilities and pucks are worth.

    Each is left out: a slammer is compared with an even battle, an ability with the same slammer
    without it, a puck with a plain puck in its place. Everybody has a house deck, and the throws
    are the same with and without. The worth is the difference in the share of battles won, and half
    of that drawn.

    \b
    Examples:
      pucklab deck balance --battles 1000 --out balance.csv --plot balance.png
      pucklab deck balance --slammers onix,lapras,pikachu --kind ability --policy random
    """
    contest, about = _contest(options)
    run.check(files_read(options))
    field = slammers_from("slammers", slammers, contest.catalogue)
    pairs_of(field)  # refuses fewer than two, and one that appears twice
    kinds = [word.strip().lower() for word in kind.split(",")]
    for word in kinds:
        check_one_of("kind", word, tuple(_HEADINGS))
    comparisons = comparisons_of(contest, field, kinds)
    if not comparisons:
        raise InputError(f"kind: {kind!r} leaves nothing; give other kinds or options")
    tables = [
        deck_table((variant.with_it, variant.rivals[0]), contest.options, contest.catalogue)
        for comparison in comparisons
        for variant in comparison.variants
    ]
    experiment, played = compiled_chunk(BALANCE, tables, [contest.policy] * 2, contest.throws)
    about = f"{about}; {played}"
    run.trials, run.unit = run.trials // 2, "blocks"
    result = run.collect(experiment, balance_cases(contest, comparisons))

    def plot(path: Path, table: ResultTable[BattleTally]) -> None:
        tallies = table.tallies()
        title = f"Pucks that win battles: {2 * tallies[0].trials} battles each way, {about}"
        save_plot(path, balance_figure, comparisons, tallies, title=title)

    def show(table: ResultTable[BattleTally]) -> None:
        """Print a table for each kind, the most valuable first."""
        console, tallies = table_console(_WIDTH), table.tallies()
        console.print(
            f"{2 * tallies[0].trials} battles with each, and without; {about}", soft_wrap=True
        )
        for kind, heading in _HEADINGS.items():
            found = [own for own in zip(comparisons, tallies, strict=True) if own[0].kind == kind]
            if not found:
                continue
            found.sort(key=lambda one: -one[1].gain.value)
            console.print(f"\n{heading}:", soft_wrap=True)
            columns = _WORTHS if kind == "puck" else _WORTHS[1:]
            rows = [{kind: own[0].name} | row_texts(columns, own) for own in found]
            print_stacked(console, rows, left=("clear",))
        console.print(
            "Worth: difference in the share of battles won, and half of that drawn, with its 95 % "
            "interval; won: a draw is not a win; even pairs: of "
            "slammers that win 40 to 60 % against each other with house decks; clear: the "
            f"interval excludes 0, which chance alone does for {0.05 * len(comparisons):.0f} of "
            f"{len(comparisons)}.",
            style="dim",
            soft_wrap=True,
        )

    return result.finish(show, plot=plot)


_WORTHS = tuple(
    Column(name="", heading=heading, value=value)
    for heading, value in (
        ("copies", lambda own: str(own[0].copies)),
        ("worth", lambda own: own[1].gain.told("+.1%")),
        ("in even pairs", lambda own: own[1].even_gain.told("+.1%") if own[1].even_gain else ""),
        ("won with it", lambda own: f"{own[1].won.value:.0%}"),
        ("clear", lambda own: _clear(*own)),
    )
)
"""Columns of a comparison and its tally, after the name."""


def _clear(comparison: Comparison, tally: BattleTally) -> str:
    if comparison.kind != "slammer" and not tally.uses:
        return "never used"
    return "yes" if tally.gain.low > 0 or tally.gain.high < 0 else ""
