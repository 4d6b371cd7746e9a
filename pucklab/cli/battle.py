"""``pucklab battle``: play a battle of PokéPucks, or replay the record of one.

The command sets the battle up (`table_from_options`), plays it (`_play`) while it prints the
transcript, writes the files, and prints the end. `pucklab.cli.person` is a player at the
terminal.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pucklab.base.decoding import encode
from pucklab.base.errors import InputError, require_extra
from pucklab.base.files import check_writable, version, write_whole
from pucklab.cli.battle_options import (
    check_players,
    deck_files,
    decks_from,
    rules_options,
    rulings_from_options,
    throws_from_options,
    throws_text,
)
from pucklab.cli.browsing import PAGE_OPTIONS, Pages, page_options
from pucklab.cli.options import (
    PATH,
    complete_from,
    flag,
    option,
    refuse_options,
    refuse_others,
    seed_option,
    together,
)
from pucklab.cli.output import print_json, print_written
from pucklab.cli.person import PersonThrows, SetUps
from pucklab.cli.signals import EXIT_STOPPED, report_stop
from pucklab.cli.terminal import play_match, tell_match
from pucklab.sim.core.players import PERSON
from pucklab.sim.core.records import match_of, read_record
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup
from pucklab.sim.pokepucks.battle.live import begin, decide_first
from pucklab.sim.pokepucks.battle.match import BATTLE, BattleMatch, battle_match
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.battle.record import kept_path
from pucklab.sim.pokepucks.battle.review import review_battle, review_lines
from pucklab.sim.pokepucks.battle.setup_file import (
    FIRST_PAIR,
    SIMPLE_PAIR,
    deck_table,
    house_setup,
    read_legal,
    read_setup,
)
from pucklab.sim.pokepucks.battle.transcript import battle_transcript, standing_lines, winnings_of
from pucklab.sim.pokepucks.career import CAREER, card_line, enter_battle, with_kept
from pucklab.sim.pokepucks.design_file import read_catalogue
from pucklab.sim.scene.fields import slammer_names

_FULL_BESIDE = ("mode", "rulings", "puckdex", "setup", "deck")
"""Options beside which a battle is not a first one."""

_BESIDE_REPLAY = ("replay", "watch", "save", "transcript", "as_json", "verbose")


battle_options = together(
    option(
        "--players",
        str,
        "NAME,...",
        "The slammers of 2 to 8 players, in turn order.  "
        f"[default: {','.join(FIRST_PAIR).lower()}]",
        shell_complete=complete_from(slammer_names),
    ),
    option("--names", str, "NAME,...", "Names of the players.  [default: those of their slammers]"),
    option("--setup", PATH, "FILE", "Set-up file (TOML) with the players' pucks."),
    option(
        "--deck",
        str,
        "DECK,...",
        "The decks of the players instead: deck files (TOML), or slammers with house decks.",
    ),
    rules_options(
        length="first; full beside --mode, --option, --puckdex, --setup, --deck and --career"
    ),
)
"""The options that set up a battle."""


@click.command("battle")
@battle_options
@option(
    "--policy",
    str,
    "KIND,...",
    "Player of each seat: random, greedy, skilled, expert-quick, expert, expert-deep or "
    "person; or an expert with playouts or seconds for a decision, expert:400 or expert:0.5s; or "
    "a program, exec:./bot. One kind, or one for each.",
    default="greedy",
    shell_complete=complete_from(lambda: [*PLAYERS.by_name, PERSON]),
)
@seed_option("Seed of throws and decisions.")
@flag("--watch", "Play in the browser.  [default: if a person plays]")
@page_options(text=True)
@click.option(
    "--ask",
    type=click.Choice(["choices", "all"]),
    default="choices",
    show_default=True,
    help="Questions for a person: only those with more than one sensible answer, or all.",
)
@flag("--verbose", "Tell each throw in a sentence, not only those that decided.")
@option(
    "--transcript",
    PATH,
    "FILE.txt",
    "Write every event to a file, and the stacks at the beginning of each turn.",
)
@flag("--json as_json", "Print the result and all events as JSON.")
@option(
    "--save",
    PATH,
    "FILE",
    "Write the record of the battle (.json), or a web page that shows it (.html).",
)
@option(
    "--career",
    PATH,
    "FILE.json",
    "Trainer cards: bring the pucks kept there, and enter the outcome. Made if missing.",
)
@option(
    "--replay", PATH, "FILE.json", "Replay a record instead, and check that it ends the same way."
)
def command(
    *,
    policy: str,
    seed: int,
    watch: bool,
    pages: Pages,
    ask: str,
    verbose: bool,
    transcript: Path | None,
    as_json: bool,
    save: Path | None,
    career: Path | None,
    replay: Path | None,
    **options: Any,
) -> int:
    """Play a battle of PokéPucks to its end, and print the result and the throws that decided.

    Every throw is a simulated slam, unless --throws names a table of odds. The battle is a first
    one: all rules, little Health, and a person decides only what matters; --length names others,
    such as short, which is only throws. Each player has a slammer and
    house-made pucks; a set-up file (TOML) gives them any pucks. The record is saved while the
    battle goes on, so that Ctrl-C loses nothing.

    \b
    Examples:
      pucklab battle --players pikachu,onix --seed 7
      pucklab battle --length full --verbose
      pucklab battle --mode wild --players onix,lapras,pidgeot --verbose
      pucklab battle --policy person,expert --save battle.json
      pucklab battle --throws table --turns 100 --transcript battle.txt
      pucklab battle --engine solid --turns 20
      pucklab battle --names Ash,Misty --career cards.json --throws table
      pucklab battle --deck strong.toml,lapras --throws table
      pucklab battle --replay battle.json --save battle.html
      pucklab battle --policy person,greedy --text
    """
    page = save if save is not None and save.suffix.lower() == ".html" else None
    file = save if page is None else None
    throws, stopped = None, False
    inputs = (
        options["puckdex"],
        options["setup"],
        replay,
        Path(options["throws"]),
        *deck_files(options["deck"]),
    )
    _check_files(transcript, save, career, inputs, replays=replay is not None, watch=watch)
    if replay is not None:
        record = read_record(BATTLE, replay)
        match, brought = match_of(BATTLE, record), 0
    else:
        table = table_from_options(options, with_career=career is not None)
        brought, table = len(table.pucks), _bring_career(career, table, options)
        kinds = PLAYERS.kinds(policy, table.players)
        if watch and pages.text:
            raise InputError("text: not accepted beside --watch")
        is_told = verbose or as_json  # at the terminal
        watch = watch or (PERSON in kinds and not is_told and pages.serves())
        if watch:
            require_extra("play", "nicegui")
        else:
            refuse_options(PAGE_OPTIONS, "a battle that opens no page")
        throws, source = throws_from_options(options, table.players)
        match = _new_match(table, kinds, throws, source, seed, asks_all=ask == "all")
    origin = throws_text(match.source.get("throws", ""), match.source.get("engine", ""))
    if watch:
        from pucklab.render.browser.battles import open_battle  # NiceGUI takes a second

        saved = kept_path(file, match.kinds)
        pages.serve(f"/tables/{open_battle(match, throws, save=saved).name}")
        for line in () if as_json else BATTLE.result(match.state, verbose=verbose):
            click.echo(line)
        print_written(saved if match.steps else None)
    elif replay is None:
        if not as_json:
            click.echo(origin)
        stopped = play_match(
            match,
            kept_path(file, match.kinds),
            verbose=verbose,
            quiet=as_json,
            reply=SetUps(),
            progress=lambda step: (
                step.after.state.turn.number,
                match.setup.options.max_turns * match.setup.players,
            ),
        )
        if stopped:
            report_stop(f"after {len(match.steps)} decisions")
    elif not as_json:
        click.echo(origin)
        tell_match(match, verbose=verbose)
    if transcript is not None:
        events = battle_transcript(begin(match.setup), match.steps, every_event=True)
        lines = (origin, *events, *standing_lines(match.state.state), "")
        write_whole(transcript, "\n".join(lines).encode())
    if page is not None:
        from pucklab.cli.watching import save_battle_page, throws_of

        save_battle_page(page, match, throws or throws_of(match))
    if as_json:
        print_battle(match)
    elif not watch and replay is None:
        click.echo("".join(f"{line}\n" for line in _review_lines(match)), nl=False)
    print_written(transcript, page)
    # After all else: the battle may not be accepted there.
    entered = [] if career is None else _enter_career(career, match, brought)
    if not as_json:
        click.echo("".join(f"{line}\n" for line in entered), nl=False)
    return EXIT_STOPPED if stopped else 0


def _new_match(
    table: BattleSetup, kinds: Sequence[str], throws: Any, source: str, seed: int, *, asks_all: bool
) -> BattleMatch:
    """Return a match in which it is decided who begins, with throws that wait for persons."""
    table, decided = decide_first(table, throws, seed)
    for line in decided:
        click.echo(f"first turn: {line}", err=True)
    persons = {seat: table.names[seat] for seat, kind in enumerate(kinds) if kind == PERSON}
    return battle_match(
        table,
        [PLAYERS.of(kind, persons=True) for kind in kinds],
        PersonThrows(throws, persons),
        seed,
        kinds=kinds,
        source={"throws": source, "engine": throws.engine},
        asks_all=asks_all,
    )


def _check_files(
    transcript: Path | None,
    save: Path | None,
    career: Path | None,
    inputs: tuple[Path | None, ...],
    *,
    replays: bool,
    watch: bool,
) -> None:
    """Check, before anything is played, that files can be written and a replay's options fit."""
    check_writable("transcript", transcript, (".txt",), inputs)
    check_writable("save", save, (".json", ".html"), inputs)
    check_writable("career", career, (".json",), inputs)
    if save is not None and career is not None and save.resolve() == career.resolve():
        raise InputError(f"save: {str(save)!r} is the career; give another file")
    if not replays:
        return
    if watch:
        raise InputError("watch: not accepted beside --replay; use pucklab watch --battle")
    refuse_others(_BESIDE_REPLAY, "replay; the record has its own")
    if save is not None and save.suffix.lower() != ".html":
        raise InputError(f"save: {str(save)!r} is not accepted beside --replay; it is there")


def table_from_options(options: dict[str, Any], *, with_career: bool = False) -> BattleSetup:
    """Return the set-up that a command's options describe.

    Options override the set-up file, which overrides the defaults. A battle is a first one unless
    an option says otherwise.

    Raises:
        InputError: A value is not accepted.
    """
    catalogue = read_catalogue(options["puckdex"])
    names = [] if options["names"] is None else options["names"].split(",")
    is_first = not (with_career or any(options[name] for name in _FULL_BESIDE))
    if options["length"] is None and is_first:
        options = options | {"length": "first"}
    if options["deck"] is not None:
        refuse_options({"players", "setup"}, "--deck; it has the players' pucks")
        rulings = rulings_from_options(BattleOptions(), options)
        decks = decks_from("deck", options["deck"], rulings, catalogue)
        check_players("deck", options["deck"], len(decks))
        return deck_table(decks, rulings, catalogue, names)
    if options["setup"] is not None:
        for name in ("players", "names"):
            if options[name] is not None:
                raise InputError(
                    f"{name}: {options[name]!r} is not accepted beside --setup; it has {name}"
                )
        table = read_setup(options["setup"], catalogue)
        return replace(table, options=rulings_from_options(table.options, options), first=None)
    usual = SIMPLE_PAIR if options["length"] == "simple" else FIRST_PAIR
    players = options["players"] or ",".join(usual)
    slammers = [catalogue.find_slammer(name, "players") for name in players.split(",")]
    check_players("players", players, len(slammers))
    rulings = rulings_from_options(BattleOptions(), options)
    return house_setup(slammers, rulings, catalogue, names)


def _bring_career(path: Path | None, table: BattleSetup, options: dict[str, Any]) -> BattleSetup:
    """Return a set-up with the pucks that its players keep in a career; None for none."""
    if path is None:
        return table
    cards = CAREER.read(path)
    catalogue, setup = read_catalogue(options["puckdex"]), options["setup"]
    legal = None if setup is None else read_legal(setup, catalogue)
    return with_kept(f"career: {str(path)!r}", table, cards, catalogue, legal)


def _enter_career(path: Path, match: BattleMatch, brought: int) -> list[str]:
    """Enter a battle that is over into the cards of its players; return these as lines.

    Args:
        path: The file of the career.
        match: The battle.
        brought: Pucks of the set-up that do not come from the cards.

    Raises:
        InputError: The battle cannot be entered.
    """
    if not match.steps or match.state.state.step != "over":
        return [f"career: {str(path)!r} is as it was; the battle is not over"]
    try:
        cards = enter_battle(path, match.steps, brought)
    except (InputError, OSError) as error:
        raise InputError(f"{error}; this battle is not entered") from None
    return [f"  {card_line(name, cards[name])}" for name in match.setup.names]


def _review_lines(match: BattleMatch) -> list[str]:
    """Return the review of a person's battle that is over, in lines."""
    if PERSON not in match.kinds or not match.steps or match.state.state.step != "over":
        return []
    reviews = [*review_battle(match.steps, match.kinds.index(PERSON))]
    return [f"  {line}" for review in reviews[-1:] for line in review_lines(review)]


def print_battle(match: BattleMatch) -> None:
    """Print the result of a battle, and all its events, as JSON."""
    table, final = match.setup, match.state.state
    events = (*begin(table).news, *(event for step in match.steps for event in step.events))
    players = [
        {"name": table.names[taken.player], "policy": match.kinds[taken.player]}
        | {
            word: [{"puck": puck, "name": table.pucks[puck].name} for puck in pucks]
            for word, pucks in (("won", taken.won), ("lost", taken.lost))
        }
        for taken in winnings_of(final)
    ]
    print_json(
        {
            "version": version(),
            "mode": table.options.mode.value,
            "seed": match.seed,
            **{name: match.source.get(name, "") for name in ("throws", "engine")},
            "over": final.step == "over",
            "winner": None if final.winner is None else table.names[final.winner],
            "turns": final.turn.number,
            "throws_made": final.throws,
            "players": players,
            "events": [encode(event) for event in events],
        }
    )
