"""What ``pucklab watch`` does: slams and battles in a window, or saved as pictures and films.

`watch` opens a window of slams; `watch_record` and `watch_live` show recorded and live battles.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from physics import ThrowDistribution
from physics.errors import InputError
from physics.facts import fact
from physics.slam import compile_engine
from render import viewer
from render.battlewindow import (
    BattlePlayback,
    BattleWindow,
    Game,
    battle_page,
    check_film,
    recorded_game,
    save_battle,
    turn_range,
)
from render.movie_files import FILM_SUFFIXES
from render.palette import DARK, LIGHT, Palette
from render.slams.export import ReelSlam, check_export, export_slam, save_reel
from render.slams.player import Clip, SlamPlayer
from render.slams.space import flips_text
from render.slamwindow import Replays, SlamWindow, Trials
from render.slamwindow.ghosts import MAX_GHOSTS, thrown
from sim.cli.battle_options import throws_from_options
from sim.cli.options import refuse_others
from sim.cli.output import print_written
from sim.cli.scene_options import spec_from_options
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.cli.slam import best_of, check_best, print_renderer, track_frames
from sim.core.files import Autosave, check_not_read
from sim.core.players import PERSON
from sim.core.records import Record, read_record, record_json
from sim.odds import Study
from sim.pokepucks.battle.match import BATTLE, BattleMatch
from sim.pokepucks.battle.playouts import begin_to_compile_battles
from sim.pokepucks.battle.record import kept_path
from sim.pokepucks.battle.table import MIN_PLAYERS
from sim.pokepucks.throw_sources import OddsThrows, PhysicsThrows, TableThrows
from sim.scenes import NamedSlammer, SceneSpec, slammers_by_mass, studies_of
from sim.slam_replay import load_replay
from sim.slam_text import replay_lines

Slammers = tuple[NamedSlammer, ...]


_MASS_G = 8.0
"""Slammer if none is named."""

_BEST_SHOWN = 10
"""Throws of a search that the window shows, one after another."""

_REEL = 5
"""Throws of a reel."""

_GHOSTS_G = (2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0)
_BESIDE_BATTLE = frozenset({"battle", "turn", "params", "light", "save", "renderer"})
_BESIDE_REPLAYS = frozenset({"replays", "ghosts_g", "light", "save", "reel", "renderer"})


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
    **options: Any,
) -> int:
    """Show slams or a battle in a window, or save them, as `sim.cli.watch.command` says."""
    if battle is not None:
        refuse_others(_BESIDE_BATTLE, "a battle, which has its own throws")
        palette = None if light is None else LIGHT if light else DARK
        watch_record(battle, turn=turn, params=options["params"], palette=palette, save=save)
        return 0
    if turn is not None:
        raise InputError(f"turn: {turn} is not accepted without a battle")
    if replays:
        refuse_others(_BESIDE_REPLAYS, "a replay, which has its own scene and throw")
    check_best(best)
    _check_reel(reel, save, best, replays)
    if save is not None:
        _check_save(save, () if reel else replays, ghosts_g)
        check_not_read("save", save, (*replays, options["params"], options["scene"]))
    others = None if ghosts_g is None else _ghosts(ghosts_g)
    if replays:
        window = _window_of_replays(replays, others)
    else:
        spec = spec_from_options(options, (_MASS_G,))
        order = _trials_of(spec, best, of=of, seed=seed, first=trial, workers=workers)
        if order is None:
            return EXIT_STOPPED
        window = _window_of_trials(spec, seed, order, others)
    if save is None:
        return _shown(window, throw=throw, palette=LIGHT if light else DARK)
    watched = window.showing.watched
    palette = DARK if light is False else LIGHT
    if reel:
        _save_reel(save, window, best or "flips", len(replays) or _REEL, palette)
    elif save.suffix.lower() == ".html":
        beside = others or (() if replays else spec.slammers[1:])
        _save_page(save, window, len(replays), beside)
    else:
        export_slam(save, watched.replay, watched.name, palette=palette, progress=track_frames)
    print_renderer(save)
    print_written(save)
    return 0


def _shown(window: SlamWindow, *, throw: bool, palette: Palette) -> int:
    """Show a window until it is closed, at first with a throw that is aimed if asked for."""
    if throw:
        window.aim()
    viewer.show(window, palette=palette)
    return 0


@fact
class _Order:
    """The trials that a window shows: all from ``first`` on, or the best of a search."""

    first: int = 0
    only: tuple[int, ...] = ()
    found: str = ""


def _trials_of(
    spec: SceneSpec,
    best: str | None,
    *,
    of: int | None,
    seed: int,
    first: int,
    workers: int | None,
) -> _Order | None:
    """Return the trials to show; None if the search for the best ones was stopped."""
    study = studies_of(spec)[0]
    compile_engine(study.scene, study.engine)
    if best is None:
        return _Order(first=first)
    ranked = best_of(study, best, of=of, seed=seed, workers=workers, keep=_BEST_SHOWN)
    if ranked is None:
        return None
    return _Order(only=tuple(throw.trial for throw in ranked), found=f"best by {best}")


def _check_save(path: Path, replays: tuple[Path, ...], ghosts_g: tuple[float, ...] | None) -> None:
    """Check, before any work is done, that a file can show what is asked for."""
    check_export("save", path)
    if path.suffix.lower() == ".html":
        return
    if ghosts_g is not None:
        raise InputError("ghosts_g: not accepted beside --save, except for an .html")
    if len(replays) > 1:
        raise InputError(
            f"replay: {len(replays)} are not accepted beside --save; give one, or save an .html"
        )


def _check_reel(reel: bool, path: Path | None, best: str | None, replays: tuple[Path, ...]) -> None:
    """Check, before any work is done, that there is a reel to save."""
    if not reel:
        return
    if best is None and not replays:
        raise InputError("reel: not accepted alone; add --best flips, out or height, or replays")
    if path is None or path.suffix.lower() not in (*FILM_SUFFIXES, ".html"):
        raise InputError("reel: needs --save with a film (.gif, .mp4, .webm) or an .html")


def _save_reel(path: Path, window: SlamWindow, measure: str, most: int, palette: Palette) -> None:
    """Save the first slams of a window as a reel."""
    showing, slams = window.showing, []
    for index in range(most):
        showing.go_to(index)
        replay = showing.watched.replay
        flips, outs = len(replay.outcome.flipped), len(replay.outcome.out)
        height_mm = float(replay.recording.height_mm[:, :-1].max())
        title = {
            "flips": flips_text(flips),
            "out": f"{outs or 'no'} puck{'' if outs == 1 else 's'} out of the box",
            "height": f"{height_mm:.0f} mm high",
        }[measure]
        slams.append(ReelSlam(title=title, name=showing.watched.name, replay=replay))
        if not showing.has_next:
            break
    save_reel(path, slams, palette=palette, progress=track_frames)


def _save_page(path: Path, window: SlamWindow, replays: int, beside: Slammers) -> None:
    """Save a web page: the replays one after another, or the trial; other slammers beside each."""
    clips = []
    for index in range(max(replays, 1)):
        if replays:
            window.showing.go_to(index)
        watched = window.showing.watched
        first = watched.replay
        slams = [(watched.name, first)]
        for other in _without(beside, first.scene.slammer.mass_g):
            scene = replace(first.scene, slammer=other.slammer)
            slams.append((other.name, thrown(scene, first.throw, first.engine)))
        clips.append(Clip(title=replay_lines(watched.name, first)[0], slams=tuple(slams)))
    SlamPlayer(clips).save(path)


def _window_of_trials(
    spec: SceneSpec, seed: int, order: _Order, others: Slammers | None
) -> SlamWindow:

    studies = studies_of(spec)
    first, *rest = spec.slammers
    if others is None:
        others = tuple(rest) or _without(_ghosts(_GHOSTS_G), first.slammer.mass_g)
    names = [named.name for named in spec.slammers]
    trials = Trials(studies, names, seed, only=order.only, found=order.found)
    return SlamWindow(trials, studies[0], seed=seed, index=order.first, others=others)


def _window_of_replays(paths: tuple[Path, ...], others: Slammers | None) -> SlamWindow:

    replays = [(path.stem, load_replay(path)) for path in paths]
    scene = replays[0][1].scene
    if others is None:
        others = _without(_ghosts(_GHOSTS_G), scene.slammer.mass_g)
    study = Study(scene=scene, thrower=ThrowDistribution(), engine=replays[0][1].engine)
    return SlamWindow(Replays(replays), study, others=others)


def _ghosts(masses_g: tuple[float, ...]) -> Slammers:

    if len(masses_g) > MAX_GHOSTS:
        raise InputError(
            f"ghosts_g: {len(masses_g)} masses are not accepted; give at most {MAX_GHOSTS}"
        )
    return slammers_by_mass(masses_g)


def _without(slammers: Slammers, mass_g: float) -> Slammers:
    return tuple(named for named in slammers if named.slammer.mass_g != mass_g)


def watch_record(
    path: Path,
    *,
    turn: int | None,
    params: Path | None,
    palette: Palette | None,
    save: Path | None,
) -> None:
    """Show the battle of a record in a window, or save a picture, film or web page of it.

    Args:
        path: The record.
        turn: Number of the turn that is shown first, or saved alone; None for all.
        params: Parameter files of the throwers, one for all or one for each; None for none.
        palette: The colours; None for dark in a window and light in a file.
        save: The file to write; None for a window.

    Raises:
        InputError: It is not a record, or does not replay; or there is no display.
    """
    if save is not None:
        check_film("save", save)
        check_not_read("save", save, (path, params))
        if save.suffix.lower() == ".html":
            if turn is not None:
                raise InputError(
                    f"turn: {turn} is not accepted beside a web page; it has all turns"
                )
            save_battle_page(save, read_record(BATTLE, path), params=params)
            print_written(save)
            return
    window = _window_of(read_record(BATTLE, path), params)
    if save is None:
        first, _ = turn_range(window.playback, turn)
        window.playback.start_at(first)
        viewer.show(window, palette=palette or DARK)
        return
    save_battle(save, window, turn=turn, palette=palette or LIGHT)
    print_renderer(save)
    print_written(save)


def watch_live(
    match: BattleMatch,
    throws: PhysicsThrows | TableThrows | OddsThrows,
    *,
    save: Path | None = None,
) -> tuple[BattleWindow, bool]:
    """Show a battle in a window while it is played, until the window is closed.

    Args:
        match: A match that has not begun; its persons decide in the window.
        throws: Source of the outcomes of throws.
        save: The file of its record, see `sim.pokepucks.battle.record.kept_path`.

    Returns:
        The window, and whether it was stopped.

    Raises:
        InputError: There is no display.
    """
    if PERSON in match.kinds and match.setup.players == MIN_PLAYERS:
        begin_to_compile_battles()  # the battle is looked back on by playouts
    seed = match.seed if isinstance(match.seed, int) else 0
    game = Game(match.setup, match.players, throws, seed, asks_all=match.asks_all, own_throws=True)
    window = BattleWindow(
        BattlePlayback(game),
        kinds=match.kinds,
        seed=seed,
        throws=match.source["throws"],
        engine=throws.engine,
    )
    file = Autosave(kept_path(save, match.kinds), lambda: record_json(BATTLE, window.record))
    game.on_step = file.save_if_due
    stopped = False
    try:
        viewer.show(window)
    except KeyboardInterrupt:
        stopped = True
        report_stop(f"after {len(game.steps)} decisions")
    finally:
        if game.steps:
            file.save()
            print_written(file.path)
    game.kinds = window.kinds
    return window, stopped


def save_battle_page(
    path: Path, record: Record, throws: object | None = None, params: Path | None = None
) -> None:
    """Write the web page of a battle, and say on stderr how many of its throws it draws.

    Args:
        path: The file to write.
        record: The battle.
        throws: The source of its throws; None for that which the record names.
        params: Parameter files of the throwers, one for all or one for each; None for none.
    """
    window = _window_of(record, params, throws)
    playback, origin = window.playback, window.origin
    page = battle_page(playback.game, origin, track_frames)
    page.save(path)
    click.echo(f"{path}: {page.drawn}", err=True)


def _window_of(record: Record, params: Path | None, throws: object | None = None) -> BattleWindow:

    if throws is None and record.source["throws"] == "physics":
        options: dict[str, Any] = {
            "throws": "physics",
            "engine": record.source["engine"],
            "params": None if params is None else str(params),
        }
        throws, _ = throws_from_options(options, record.setup.players)
    simulated = throws if isinstance(throws, PhysicsThrows) else None
    return BattleWindow(
        BattlePlayback(recorded_game(record, simulated)),
        kinds=record.players,
        seed=record.seed,
        throws=record.source["throws"],
        engine=record.source["engine"],
    )
