"""The two puck games as environments, and their names for ``gymnasium.make``.

Gymnasium makes them by name once this module is imported: ``pucklab/Battle-v0`` and
``pucklab/Bumpers-v0``, with the arguments of `OpponentEnv` and of the seats.

Example:
    >>> env = OpponentEnv(bumpers_seats(max_actions=20), seat=0, opponent="random")
    >>> observation, info = env.reset(seed=3)
    >>> int(observation["action_mask"].sum()) == info["actions"]
    True
    >>> import gymnasium
    >>> named = gymnasium.make("pucklab/Bumpers-v0", max_actions=20, opponent="random")
    >>> named.reset(seed=3)[1] == info
    True
"""

from collections.abc import Sequence
from functools import partial

from pucklab.sim.bumpers.game import GameConfig, make_config
from pucklab.sim.bumpers.game.player_kinds import PLAYERS as BUMPERS_PLAYERS
from pucklab.sim.core.environments import DONE, GameSeats, OpponentEnv, SeatsEnv, name_environment
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup
from pucklab.sim.pokepucks.battle.live import decide_first
from pucklab.sim.pokepucks.battle.match import make_throw
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import shipped_table
from pucklab.sim.pokepucks.throws import Throws

__all__ = ["DONE", "GameSeats", "OpponentEnv", "SeatsEnv", "battle_seats", "bumpers_seats"]

_MOST_CHOICES = 2048
"""Actions in Puck Bumpers; in random games on the largest board there are up to 855 choices."""


def battle_seats(
    slammers: Sequence[str] = ("pikachu", "onix"),
    *,
    table: BattleSetup | None = None,
    max_turns: int = 100,
    throws: Throws | None = None,
) -> GameSeats:
    """Return a battle of PokéPucks for an environment.

    Args:
        slammers: Names of the slammers, one for each player, with house decks.
        table: A set-up instead.
        max_turns: Turns per player before the battle is a draw; not used with a ``table``.
        throws: Source of the throws; the table that comes with pucklab if None.

    Raises:
        InputError: A name or number is not accepted.
    """
    if table is None:
        catalogue = shipped_catalogue()
        designs = [catalogue.find_slammer(name, "slammers") for name in slammers]
        table = house_setup(designs, BattleOptions(max_turns=max_turns))
    throws = throws or shipped_table()
    table, _ = decide_first(table, throws, 0)
    return GameSeats(PLAYERS, table, 2 * len(table.pucks) + 1, partial(make_throw, throws))


def bumpers_seats(
    players: int = 2, *, table: GameConfig | None = None, max_actions: int = 500
) -> GameSeats:
    """Return a game of Puck Bumpers for an environment.

    Args:
        players: Number of players, 2 to 6.
        table: A set-up instead.
        max_actions: Actions before the game is a draw; not used with a ``table``.

    Raises:
        InputError: A number is not accepted.
    """
    table = table or make_config(players, max_actions=max_actions)
    return GameSeats(BUMPERS_PLAYERS, table, _MOST_CHOICES)


name_environment("pucklab/Battle-v0", battle_seats)
name_environment("pucklab/Bumpers-v0", bumpers_seats)
