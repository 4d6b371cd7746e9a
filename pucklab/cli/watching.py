"""The work of ``pucklab watch``: slams in a window or in files, battles and own throws on pages."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pucklab.api.scenes import MASS_G
from pucklab.base.errors import InputError, check_count, require_extra
from pucklab.base.files import check_not_read, check_writable
from pucklab.cli.battle_options import throws_from_options
from pucklab.cli.browsing import PAGE_OPTIONS, Pages
from pucklab.cli.options import refuse_options, refuse_others
from pucklab.cli.output import print_written
from pucklab.cli.scene_options import spec_from_options
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.cli.slam import best_of, check_best, print_renderer, setup_of, track_frames
from pucklab.physics import SampleRate, ThrowDistribution
from pucklab.physics.slam_line import LINE
from pucklab.render.battles.page import battle_page
from pucklab.render.movie_files import FILM_SUFFIXES
from pucklab.render.palette import DARK, LIGHT, Palette
from pucklab.render.slams.export import ReelSlam, check_export, export_slam, save_reel
from pucklab.render.slams.player import Clip, SlamPlayer
from pucklab.render.slams.space import flips_text
from pucklab.render.slamwindow import Replays, SlamWindow, Trials, app
from pucklab.render.slamwindow.ghosts import MAX_GHOSTS, simulate_slam
from pucklab.sim.core.records import match_of, read_record
from pucklab.sim.odds import Study
from pucklab.sim.pokepucks.battle.match import BATTLE, BattleMatch
from pucklab.sim.scene.replay import Replay, load_replay, replay_of
from pucklab.sim.scene.scenes import NamedSlammer, cases_of, slammers_by_mass
from pucklab.sim.scene.slam_text import replay_lines

Slammers = tuple[NamedSlammer, ...]


_BEST_SHOWN = 10
"""Throws of a search that the window shows, one after another."""

_REEL = 5
"""Throws of a reel."""

_GHOSTS_G = (2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0)
_BESIDE_BATTLE = frozenset({"battle", "turn", "params", "save", *PAGE_OPTIONS})
_BESIDE_REPLAYS = frozenset(
    {"replays", "ghosts_g", "light", "save", "reel", "renderer", "throw", *PAGE_OPTIONS}
)
_NOT_THROWN = frozenset(
    {"trial", "best", "of", "workers", "ghosts_g", "light", "save", "reel", "renderer"}
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
    ghosts_g: tuple[float, ...] | None,
    battle: Path | None,
    turn: int | None,
    light: bool | None,
    save: Path | None,
    reel: bool,
    throw: bool,
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
    if throw:
        refuse_options(_NOT_THROWN, "--throw, which opens the page of throws by hand")
        if replays:
            study = _study_of(named_replay(replays[0])[1])
        else:
            study = cases_of(spec_from_options(options, MASS_G))[0].study
        require_extra("play", "nicegui")
        from pucklab.render.browser.throwing import open_throws  # NiceGUI takes a second

        open_throws("watch", study, seed=seed)
        pages.serve("/throws/watch")
        return 0
    refuse_options(PAGE_OPTIONS, "slams, which open no page (--throw and --battle do)")
    check_best(best)
    _check_options(save, reel, best, replays, ghosts_g)
    if save is not None:
        check_not_read("save", save, (*replays, options["params"], options["scene"]))
    source: Replays | Trials
    beside: Slammers = ()
    if replays:
        loaded = [named_replay(path) for path in replays]
        source, study = Replays(loaded), _study_of(loaded[0][1])
    else:
        spec = spec_from_options(options, MASS_G)
        cases, beside = cases_of(spec), spec.slammers[1:]
        study, found = cases[0].study, ""
        best_trials: tuple[int, ...] = ()
        if best is not None:
            ranked = best_of(study, best, of=of, seed=seed, workers=workers, keep=_BEST_SHOWN)
            if ranked is None:
                return EXIT_STOPPED
            best_trials, found = tuple(throw.trial for throw in ranked), f"best by {best}"
        source = Trials(cases, seed, only=best_trials, found=found)
    if ghosts_g is not None:
        beside = slammers_by_mass(ghosts_g)
    others = beside or _without(slammers_by_mass(_GHOSTS_G), study.scene.slammer.mass_g)
    window = SlamWindow(source, study, seed=seed, index=trial, others=others)
    if save is None:
        try:
            app.show(window, palette=LIGHT if light else DARK)
        finally:
            window.close()
        return 0
    watched = window.watched
    palette = DARK if light is False else LIGHT
    if reel:
        _save_reel(save, window, best or "flips", len(replays) or _REEL, palette)
    elif save.suffix.lower() == ".html":
        _save_page(save, window, len(replays), beside)
    else:
        export_slam(save, watched.replay, watched.name, palette=palette, progress=track_frames)
    print_renderer(save)
    print_written(save)
    return 0


def _check_options(
    save: Path | None,
    reel: bool,
    best: str | None,
    replays: tuple[Path, ...],
    ghosts_g: tuple[float, ...] | None,
) -> None:
    """Check, before any work is done, that a window or the kind of file suits the options."""
    if ghosts_g is not None and len(ghosts_g) > MAX_GHOSTS:
        raise InputError(
            f"ghosts_g: {len(ghosts_g)} masses are not accepted; give at most {MAX_GHOSTS}"
        )
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
    if save.suffix.lower() == ".html":
        return
    if ghosts_g is not None:
        raise InputError("ghosts_g: not accepted beside --save, except for an .html")
    if len(replays) > 1 and not reel:
        raise InputError(
            f"replay: {len(replays)} are not accepted beside --save; give one, or save an .html"
        )


def _save_reel(path: Path, window: SlamWindow, measure: str, most: int, palette: Palette) -> None:
    """Save the first slams of a window as a reel."""
    slams = []
    for index in range(most):
        window.go_to(index)
        replay = window.watched.replay
        flips, outs = len(replay.outcome.flipped), len(replay.outcome.out)
        height_mm = float(replay.recording.height_mm[:, :-1].max())
        title = {
            "flips": flips_text(flips),
            "out": f"{outs or 'no'} puck{'' if outs == 1 else 's'} out of the box",
            "height": f"{height_mm:.0f} mm high",
        }[measure]
        slams.append(ReelSlam(title=title, name=window.watched.name, replay=replay))
        if not window.has_next:
            break
    save_reel(path, slams, palette=palette, progress=track_frames)


def _save_page(path: Path, window: SlamWindow, replays: int, beside: Slammers) -> None:
    """Save a web page: the replays one after another, or the trial; other slammers beside each."""
    clips = []
    for index in range(max(replays, 1)):
        if replays:
            window.go_to(index)
        watched = window.watched
        first = watched.replay
        slams = [(watched.name, first)]
        for other in _without(beside, first.scene.slammer.mass_g):
            scene = replace(first.scene, slammer=other.slammer)
            slams.append((other.name, simulate_slam(scene, first.throw, first.engine)))
        clips.append(Clip(title=replay_lines(watched.name, first)[0], slams=tuple(slams)))
    SlamPlayer(clips).save(path)


def _study_of(replay: Replay) -> Study:
    """Return the scene of a replay, with the usual thrower."""
    return Study(scene=replay.scene, thrower=ThrowDistribution(), engine=replay.engine)


def _without(slammers: Slammers, mass_g: float) -> Slammers:
    return tuple(named for named in slammers if named.slammer.mass_g != mass_g)


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
