"""Last choices of a person, kept in the user's config folder; it is never needed."""

from pathlib import Path
from typing import Literal

from platformdirs import user_config_path

from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.core.kept import Kept

Level = Literal["person", "greedy", "skilled", "expert-quick", "expert", "expert-deep"]
"""Strength of the rival in a battle."""


@fact
class UserConfig:
    """The choices of a person on the start page."""

    name: str = limits(0, 20, default="")  # in battles; that of the slammer if empty
    slammer: str = limits(1, 40, default="Pikachu")
    rival: str = limits(1, 40, default="Eevee")  # the rival's slammer
    level: Level = "greedy"
    board_level: Literal[
        "random", "greedy", "planner-quick", "planner", "planner-deep", "person"
    ] = "greedy"  # strength of the rival on a board
    length: Literal["first", "short", "simple", "full"] = "first"  # of a battle


CHOICES: Kept[UserConfig] = Kept(
    game="pucklab choices", key="choices", what="config", kind=UserConfig, first=UserConfig()
)


def config_path() -> Path:
    """Return the path of the file."""
    return user_config_path("pucklab") / "config.json"


def read_config() -> tuple[UserConfig, str]:
    """Return the stored choices and an empty text, or the defaults and the reason for them."""
    try:
        return CHOICES.read(config_path()), ""
    except InputError as error:
        return UserConfig(), f"{error}; the first choices are taken"


def write_config(config: UserConfig) -> None:
    """Write the choices, if the folder takes them."""
    try:
        config_path().parent.mkdir(parents=True, exist_ok=True)
        CHOICES.write(config_path(), config)
    except OSError:
        return  # they are a convenience: nothing else fails without them
