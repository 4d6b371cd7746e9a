"""Games of any kind at the terminal: persons are asked, steps told, records saved and replayed.

A person answers with the text of an option, the beginning of it, or Enter for the proposed one.
Besides, ``?`` (or ``help``) explains the question and its options, ``? NAME`` the thing of that
name; ``options`` lists all options; each game has words for what a person may look at; ``undo`` and
``redo`` work where the game allows them; and ``quit`` or ``q`` stops as Ctrl-C does.
"""

import shutil
import textwrap
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from pucklab.base.errors import InputError
from pucklab.base.files import Autosave
from pucklab.cli.output import print_written
from pucklab.cli.running import track
from pucklab.sim.core.game import AnyGame, AnyMatch, Decision, Step
from pucklab.sim.core.players import PERSON
from pucklab.sim.core.records import match_of, read_record, record_json, record_of

AnyStep = Step[Any, Any, Any]
Reply = Callable[[AnyMatch], Any]
Progress = Callable[[AnyStep], tuple[int, int]]

_LISTED = 12
"""Options that help explains."""


def play_match(
    match: AnyMatch,
    save: Path | None,
    *,
    verbose: bool,
    quiet: bool = False,
    reply: Reply = lambda _: None,
    progress: Progress | None = None,
) -> bool:
    """Play a match to its end, tell it, save it as it goes, and print its result.

    Persons are asked, and read every event.

    Args:
        match: The match.
        save: The file of its record; None for none.
        verbose: Whether to tell every event.
        quiet: Whether to print nothing.
        reply: Answers for a person in its own way; None leaves the question to the game.
        progress: Returns turns so far and at most, shown while a game without persons is played;
            such a game is printed at its end.

    Returns:
        Whether Ctrl-C or a person stopped it.
    """
    game, start, stopped = match.game, match.state, False
    saved = Autosave(save, lambda: record_json(game, record_of(match)))
    verbose = verbose or PERSON in match.kinds
    at_end = quiet or (progress is not None and not verbose)

    def tell(steps: Iterable[AnyStep]) -> None:
        for line in game.tell(start, steps, verbose=verbose, bold=_bold):
            click.echo(line)  # without bold letters where output is no terminal

    def ask_and_play() -> Iterator[AnyStep]:
        while match.open is not None:
            answer = None if match.person is None else reply(match)
            if answer is None:
                answer = match.choose()
            yield ask(match) if answer is None else match.step(answer)
            saved.save_if_due()

    try:
        steps = ask_and_play()
        if not at_end:
            tell(steps)
        deque(steps if progress is None else track(steps, progress, "turns, at most"), maxlen=0)
    except (KeyboardInterrupt, click.Abort):
        stopped = True
    finally:
        if match.steps:
            saved.save()
    if at_end and not quiet:
        tell(match.steps)
    for line in () if quiet else game.result(match.state, verbose=verbose):
        click.echo(line)
    print_written(save if match.steps else None)
    return stopped


def _bold(text: str) -> str:
    return click.style(text, bold=True)


def replay_match(game: AnyGame, path: Path, save: Path | None, *, verbose: bool) -> None:
    """Replay a record, and tell it; nothing is printed before its end is checked.

    Raises:
        InputError: It is no record of this game, or ends otherwise; or it is to be saved again.
    """
    if save is not None:
        raise InputError(f"save: {str(save)!r} is not accepted with --replay; the record exists")
    tell_match(match_of(game, read_record(game, path)), verbose=verbose)


def tell_match(match: AnyMatch, *, verbose: bool) -> None:
    """Print what happened in a match, and its result."""
    game, start = match.game, match.game.start(match.setup)
    for line in game.tell(start, match.steps, verbose=verbose, bold=_bold):
        click.echo(line)
    for line in game.result(match.state, verbose=verbose):
        click.echo(line)


def ask(match: AnyMatch) -> AnyStep:
    """Ask a person for an answer, until one is legal, and go on with it.

    Raises:
        click.Abort: The person stops.
    """
    game = match.game
    while True:
        state, now = match.state, match.open
        assert isinstance(now, Decision)
        proposed = game.propose(state, now)
        words = (*game.looks, *(("undo",) if game.may_undo else ()))
        question = f"{game.question(state, now)} ({', '.join(('?', *words, 'quit'))})"
        if proposed is not None:
            question += f" Enter takes {game.words(state, proposed)}. {game.why(state, now)}"
        text = type_answer(question)
        word, _, name = text.replace("?", "? ", 1).lower().partition(" ")
        if text in game.looks:
            click.echo(game.look(state, now.seat, text))
        elif text in {"options", "choices", "moves"}:
            click.echo(", ".join(game.words(state, option) for option in now.options))
        elif word in {"?", "help"}:
            lines = [*game.explain(state, now.seat, name.strip())]
            for line in lines or _help_lines(match, now, words):
                click.echo(wrap_text(line))
        elif text in {"undo", "redo"} and game.may_undo:
            is_done = match.undo() if text == "undo" else match.redo()
            done = "taken back" if text == "undo" else "done again"
            click.echo(done if is_done else f"there is nothing to {text}")
        else:
            try:
                return match.step(game.read(state, text) if text or proposed is None else proposed)
            except InputError as error:
                click.echo(str(error))


def _help_lines(match: AnyMatch, now: Decision, words: Sequence[str]) -> Iterator[str]:
    game, state = match.game, match.state
    yield game.question(state, now)
    for option in now.options[:_LISTED]:
        sentence = game.sentence(state, option)
        yield f"  {game.text(state, option)}{sentence and ': '}{sentence}"
    if len(now.options) > _LISTED:
        yield f"  and {len(now.options) - _LISTED} more; options lists all"
    yield f"Or type {', '.join((*words, 'options', 'quit'))}."


def type_answer(words: str) -> str:
    """Return what a person types after a prompt; quit is Ctrl-C.

    Raises:
        click.Abort: The person stops.
    """
    text = click.prompt(wrap_text(words), "", show_default=False, prompt_suffix=" > ").strip()
    if text.lower() in {"q", "quit"}:
        raise click.Abort
    return str(text)


def wrap_text(text: str) -> str:
    """Return a text broken at words to fit the terminal."""
    width = max(shutil.get_terminal_size().columns - 1, 20)
    indent = "  " if text.startswith("  ") else ""
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False)
