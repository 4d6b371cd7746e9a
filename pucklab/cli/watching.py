"""The work of ``pucklab watch``: slams on a page, in a window or in files, and battles."""

import tempfile
import webbrowser
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from pucklab.api.scenes import MASS_G
from pucklab.base.errors import InputError, check_count, require_extra
from pucklab.base.files import check_not_read, check_writable, write_whole
from pucklab.cli.battle_options import throws_from_options
from pucklab.cli.browsing import PAGE_OPTIONS, Pages
from pucklab.cli.options import refuse_options, refuse_others
from pucklab.cli.output import print_written
from pucklab.cli.scene_options import spec_from_options
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.cli.slam import best_of, check_best, print_renderer, setup_of, track_frames
from pucklab.physics import SampleRate
from pucklab.physics.slam_line import LINE
from pucklab.render.battles.page import battle_page
from pucklab.render.movie_files import FILM_SUFFIXES
from pucklab.render.palette import DARK, LIGHT
from pucklab.render.slams.export import ReelSlam, check_export, export_slam, save_reel, slam_page
from pucklab.render.slams.space import flips_text
from pucklab.render.slamwindow import SlamWindow, app
from pucklab.sim.core.records import match_of, read_record
from pucklab.sim.pokepucks.battle.match import BATTLE, BattleMatch
from pucklab.sim.scene.replay import Replay, load_replay, replay_of
from pucklab.sim.scene.scenes import cases_of
from pucklab.sim.scene.slam_list import ListedSlam, list_replays, list_trials

_BEST_SHOWN = 5
"""Throws of a search that are shown, one after another."""

_BESIDE_BATTLE = frozenset({"battle", "turn", "params", "save", *PAGE_OPTIONS})
_BESIDE_REPLAYS = frozenset(
    {"replays", "light", "save", "reel", "renderer", "window", *PAGE_OPTIONS}
)


def named_replay(path: Path) -> tuple[str, Replay]:
    """Return a saved slam, or that of a line of text, with a name for files."""
    if (line := path.as_posix()).startswith(f"{LINE}:"):
        setup = setup_of(line)
        return "slam", replay_of(setup.scene, setup.throw, setup.slam(SampleRate()))
    return path.stem, load_replay(path)


def watch(
    *,
    replays: tuple[Path, ...],
    seed: int,
    trial: int,
    best: str | None,
    of: int | None,
    workers: int | None,
    battle: Path | None,
    turn: int | None,
    light: bool | None,
    save: Path | None,
    reel: bool,
    window: bool,
    pages: Pages,
    **options: Any,
) -> int:
    """Show slams or a battle, or save them, as `pucklab.cli.watch.command` says."""
    if battle is not None:
        refuse_others(_BESIDE_BATTLE, "a battle, which has its own throws")
        watch_battle(battle, turn=turn, params=options["params"], save=save, pages=pages)
        return 0
    if turn is not None:
        raise InputError(f"turn: {turn} is not accepted without a battle")
    if replays:
        refuse_others(_BESIDE_REPLAYS, "a replay, which has its own scene and throw")
    check_best(best)
    if window or save is not None:
        beside = {"site"} if save is not None else set()
        alone = f"{'--window' if window else '--save'}, which serves no page"
        refuse_options({*PAGE_OPTIONS} - beside, alone)
    _check_options(save, reel, best, replays, window=window)
    if save is not None:
        check_not_read("save", save, (*replays, options["params"], options["scene"]))
    if replays:
        slams, first = list_replays([named_replay(path) for path in replays]), 0
        count = len(replays)
    else:
        cases = cases_of(spec_from_options(options, MASS_G))
        slams, first, count = list_trials(cases, seed), trial * len(cases), len(cases)
        if best is not None:
            ranked = best_of(
                cases[0].study, best, of=of, seed=seed, workers=workers, keep=_BEST_SHOWN
            )
            if ranked is None:
                return EXIT_STOPPED
            only = [throw.trial for throw in ranked]
            slams, first = list_trials(cases[:1], seed, only=only, found=f"best by {best}"), 0
            count = len(only)
    if window:
        app.show(SlamWindow(slams, index=first, palette=LIGHT if light else DARK))
        return 0
    as_page = save is None or save.suffix.lower() == ".html"
    shown = [slams.slam_at(first + k) for k in range(count if as_page or reel else 1)]
    palette = DARK if light is False else LIGHT
    if save is None:
        _open_page(shown, pages)
        return 0
    if reel:
        titled = [_title_slam(listed, best or "flips") for listed in shown]
        save_reel(save, titled, palette=palette, progress=track_frames)
    elif as_page:
        write_whole(save, _page_of(shown, pages.site).encode())
    else:
        (listed,) = shown
        export_slam(save, listed.replay, listed.name, palette=palette, progress=track_frames)
    print_renderer(save)
    print_written(save)
    return 0


def _check_options(
    save: Path | None,
    reel: bool,
    best: str | None,
    replays: tuple[Path, ...],
    *,
    window: bool,
) -> None:
    """Check, before any work is done, that a window or the kind of file suits the options."""
    if window and save is not None:
        raise InputError("window: not accepted beside --save")
    if reel:
        if best is None and not replays:
            raise InputError(
                "reel: not accepted alone; add --best flips, out or height, or replays"
            )
        if save is None or save.suffix.lower() not in (*FILM_SUFFIXES, ".html"):
            raise InputError("reel: needs --save with a film (.gif, .mp4, .webm) or an .html")
    if save is None:
        return
    check_export("save", save)
    if len(replays) > 1 and save.suffix.lower() != ".html" and not reel:
        raise InputError(
            f"replay: {len(replays)} are not accepted beside --save; give one, or save an .html"
        )


def _title_slam(listed: ListedSlam, measure: str) -> ReelSlam:
    """Return a slam of a reel, with what is measured as its title."""
    replay = listed.replay
    outs = len(replay.outcome.out)
    height_mm = float(replay.recording.height_mm[:, :-1].max())
    title = {
        "flips": flips_text(len(replay.outcome.flipped)),
        "out": f"{outs or 'no'} puck{'' if outs == 1 else 's'} out of the box",
        "height": f"{height_mm:.0f} mm high",
    }[measure]
    return ReelSlam(title=title, name=listed.name, replay=replay)


def _page_of(slams: Sequence[ListedSlam], site_url: str) -> str:
    """Return the Lab at slams."""
    named = [(f"{listed.name}, {listed.origin}", listed.replay) for listed in slams]
    return slam_page(named, site_url)


def _open_page(slams: Sequence[ListedSlam], pages: Pages) -> None:
    """Show slams in the browser: served until Ctrl-C, or without NiceGUI as a file."""
    page = _page_of(slams, pages.site)
    if find_spec("nicegui") is not None:
        from pucklab.render.browser.ready_pages import open_page  # NiceGUI takes a second

        pages.serve(open_page(page))
        return
    path = Path(tempfile.mkdtemp(prefix="pucklab-")) / f"{slams[0].file_stem}.html"
    write_whole(path, page.encode())
    print_written(path)
    if not webbrowser.open(path.as_uri()):
        click.echo("no browser was found; open the page yourself", err=True)


def watch_battle(
    path: Path, *, turn: int | None, params: Path | None, save: Path | None, pages: Pages
) -> None:
    """Show the battle of a record in the browser, or save a web page of it.

    Args:
        path: The record.
        turn: Number of the turn that is shown first; None for the end.
        params: Parameter files of the throwers, one for all or one for each; None for none.
        save: The web page to write; None to open one.
        pages: The way a page is served.

    Raises:
        InputError: It is not a record, or does not replay; or there is no such turn.
    """
    if save is not None:
        refuse_options({"turn", *PAGE_OPTIONS}, "--save; a web page has all turns")
        check_writable("save", save, (".html",), (path, params))
    match = match_of(BATTLE, read_record(BATTLE, path))
    throws = throws_of(match, params)
    if save is not None:
        save_battle_page(save, match, throws)
        print_written(save)
        return
    if turn is not None:
        begun = {step.after.state.turn.number: step for step in reversed(match.steps)}
        check_count("turn", turn, 1, max(begun, default=0))
        match.go_to(begun[turn].after)
    require_extra("play", "nicegui")
    from pucklab.render.browser.battles import open_battle  # NiceGUI takes a second

    pages.serve(f"/tables/{open_battle(match, throws, replays=True).name}")


def throws_of(match: BattleMatch, params: Path | None = None) -> object | None:
    """Return the source of a recorded battle's throws if they were slams, or else None."""
    if match.source["throws"] != "physics":
        return None
    options: dict[str, Any] = {
        "throws": "physics",
        "engine": match.source["engine"],
        "params": None if params is None else str(params),
    }
    return throws_from_options(options, match.setup.players)[0]


def save_battle_page(path: Path, match: BattleMatch, throws: object) -> None:
    """Write the web page of a battle, and say on stderr how many of its throws it draws."""
    page = battle_page(match, throws, track_frames)
    page.save(path)
    click.echo(f"{path}: {page.drawn}", err=True)
