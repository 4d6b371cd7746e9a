"""``pucklab play``: the start screen, and what it leads to, one window after another."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import get_args

import click

from physics.errors import InputError
from render import viewer
from render.startscreen import StartScreen, start_study
from sim.cli.options import count, option
from sim.cli.watching import watch_live
from sim.core.user_config import Level, UserConfig, read_config, write_config
from sim.pokepucks.battle.match import battle_match
from sim.pokepucks.battle.player_kinds import PLAYERS
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import LENGTHS, BattleOptions
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import PhysicsThrows

_COMMANDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Watch": ("watch",),
        "Throw": ("watch", "--throw"),
        "Puck Bumpers": ("bumpers", "view", "--players", "person,greedy"),
        "Puzzle of the day": ("puzzle", "--day", "--play"),
    }
)
"""The commands that cards of the start screen stand for; a battle is set up here."""

_SEEDS = 10**6

_AUDIO = "SDL_AUDIODRIVER"
_DRIVER = os.environ.get(_AUDIO)


@click.command("play")
@option(
    "--seed",
    count(0, 10**12),
    "N",
    "Seed of the battles and games.  [default: another one each time]",
)
def command(*, seed: int | None) -> int:
    """Open the start screen: watch slams, throw, battle, play Puck Bumpers, solve a puzzle.

    A card opens a window; closing that leads back. Your choices are remembered.

    \b
    Example:
      pucklab play
    """
    config, message = read_config()
    if message:
        click.echo(message, err=True)
    while True:
        screen = StartScreen(config, start_study(), message)
        _set_sound(on=config.sound)
        viewer.show(screen)
        config, message = screen.config, ""
        write_config(config)
        if not screen.chosen:
            return 0
        _set_sound(on=config.sound)
        number = secrets.randbelow(_SEEDS) if seed is None else seed
        try:
            config = _opened(screen.chosen, config, number)
        except (InputError, click.ClickException) as error:
            message = error.format_message() if isinstance(error, click.UsageError) else str(error)
        write_config(config)


def _opened(name: str, config: UserConfig, seed: int) -> UserConfig:
    """Open the window of a card until it is closed, and return the choices then."""
    if name == "Battle":
        return _battle(config, seed)
    seeded = ("--seed", str(seed)) if name != "Puzzle of the day" else ()
    root = click.get_current_context().find_root().command
    root.main([*_COMMANDS[name], *seeded], prog_name="pucklab", standalone_mode=False)
    return config


def _battle(config: UserConfig, seed: int) -> UserConfig:
    """Play a battle against a rival of the level chosen, which may be changed while it goes on."""
    catalogue, options = shipped_catalogue(), BattleOptions(**LENGTHS[config.length])
    names = (config.slammer, config.rival)
    slammers = [catalogue.find_slammer(name, "slammer") for name in names]
    # A name is given for both players or for neither, and all names differ.
    rival = config.rival if config.rival != config.name else f"{config.rival} 2"
    called = [config.name, rival] if config.name else []
    throws, level, again = PhysicsThrows(), config.level, True
    while again:
        table = house_table(slammers, options, catalogue, called)
        kinds = ("person", level)
        own = [None, PLAYERS.of(level)]
        source = {"throws": "physics", "engine": throws.engine}
        match = battle_match(table, own, throws, seed, kinds=kinds, source=source)
        window, _ = watch_live(match, throws)
        level = next((each for each in get_args(Level) if each == window.kinds[1]), level)
        again, seed = window.is_over, seed + 1
    return replace(config, level=level)


def _set_sound(*, on: bool) -> None:
    """Let windows be heard with the driver that the user has chosen, or not."""
    driver = _DRIVER if on else "dummy"
    if driver is None:
        os.environ.pop(_AUDIO, None)
    else:
        os.environ[_AUDIO] = driver
