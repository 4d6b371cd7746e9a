"""Any game as environments of Gymnasium (one agent) and PettingZoo (all players).

`SeatsEnv` is a PettingZoo AEC environment: each player of the game is an agent. `OpponentEnv` is a
Gymnasium environment for one seat; the others are players of some kind. Both take a `GameSeats`,
made by `battle_seats` or `bumpers_seats`, or of any other game. They need
``pip install 'pucklab[envs]'``.

An action is an index from 0: of an option of the question in a battle, of a legal choice in Puck
Bumpers. `DONE` ends a selection of several options. The mask says which actions are legal, in
``observation["action_mask"]``. An action that is not legal loses the move: the first legal one is
made, and ``info["illegal"]`` is true.

Rewards come at the end: 1 for the winner, -1 for the others, and 0 for all after a draw.

Example:
    >>> env = OpponentEnv(bumpers_seats(max_actions=20), seat=0, opponent="random")
    >>> observation, info = env.reset(seed=3)
    >>> int(observation["action_mask"].sum()) == info["actions"]
    True
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from physics import InputError
from physics.decoding import check_one_of
from physics.errors import require_extra
from sim.bumpers.game import Table as BumpersTable
from sim.bumpers.game import make_table
from sim.bumpers.game.player_kinds import PLAYERS as BUMPERS_PLAYERS
from sim.core.game import Compute, Decision, Match
from sim.core.players import Players
from sim.pokepucks.battle.live import decide_first
from sim.pokepucks.battle.match import make_throw
from sim.pokepucks.battle.player_kinds import PLAYERS
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import BattleOptions, Table
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import Throws

require_extra("envs", "gymnasium", "pettingzoo")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # noqa: E402

DONE = 0
"""The action of a battle that ends a selection; option *k* of the question is action *k* + 1."""

_MOST_CHOICES = 2048
"""Actions in Puck Bumpers; in random games on the largest board there are up to 855 choices."""

Picture = Callable[["GameSeats"], NDArray[np.uint8]]


class GameSeats:
    """A match of any game as environments see it: seats that act in some order.

    Args:
        players: The players of the game by name.
        setup: The set-up.
        actions: Number of actions: at least the options of any decision.
        compute: Answers calls, such as throws.

    Attributes:
        names: The name of each seat.
        actions: Number of actions.
        features: Number of features that a seat observes.
        match: The match under way.
    """

    def __init__(
        self, players: Players, setup: Any, actions: int, compute: Compute | None = None
    ) -> None:
        self.names = players.game.seats(players.game.start(setup))
        self.actions = actions
        self._game, self._of, self._setup = players.game, players.of, setup
        self._compute = compute
        self.reset(0)
        self.features = len(self.observe(0))

    def reset(self, seed: int) -> None:
        """Begin a match."""
        seats = len(self.names)
        kinds = ("agent",) * seats
        self.match = Match(
            self._game, self._setup, [None] * seats, seed, kinds=kinds, compute=self._compute
        )
        self._own = self._game.streams(seed, seats)[1:]
        self._players: dict[tuple[str, int], Any] = {}
        self._picked: list[int] = []
        self._go_on()

    @property
    def state(self) -> Any:
        """The state now."""
        return self.match.state

    @property
    def seat(self) -> int | None:
        """The seat that acts now; None at the end."""
        return self.match.open.seat if isinstance(self.match.open, Decision) else None

    @property
    def winner(self) -> int | None:
        """The seat that has won; None for none."""
        returns = self._game.returns(self.state)
        return returns.index(1) if 1 in returns else None

    @property
    def _decision(self) -> Decision:
        assert isinstance(self.match.open, Decision)
        return self.match.open

    def mask(self) -> NDArray[np.int8]:
        """Return 1 for each legal action, shape (actions,)."""
        legal = np.zeros(self.actions, np.int8)
        if self.seat is not None:
            first = int(self._decision.selects)
            legal[first : first + len(self._decision.options)] = 1
            legal[[first + index for index in self._picked]] = 0
            if first:
                legal[DONE] = len(self._picked) >= self._decision.least
        return legal

    def act(self, action: int) -> None:
        """Take a legal action for the seat that acts now."""
        now = self._decision
        is_done = now.selects and action == DONE
        if not is_done:
            self._picked.append(action - now.selects)
        if is_done or len(self._picked) == now.most:
            self.match.step(now.answer(self._picked))
            self._go_on()

    def play(self, kind: str) -> None:
        """Let a player of some kind decide for the seat that acts now."""
        now, key = self._decision, (kind, self._decision.seat)
        if key not in self._players:
            self._players[key] = self._of(kind)
        self.match.step(self._players[key].choose(self.state, now, self._own[now.seat]))
        self._go_on()

    def _go_on(self) -> None:
        """Draw and throw until a seat has to decide, or the game is over."""
        self._picked = []
        while self.match.open is not None and self.seat is None:
            self.match.step(self.match.choose())

    def observe(self, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees; see `Game.observe`."""
        return self._game.observe(self.state, seat)

    def text(self) -> str:
        """Return the game as text."""
        game, seat = self._game, self.seat or 0
        return game.look(self.state, seat, game.looks[0]) if game.looks else str(
            game.view(self.state, seat))  # fmt: skip


def battle_seats(
    slammers: Sequence[str] = ("pikachu", "onix"),
    *,
    table: Table | None = None,
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
        table = house_table(designs, BattleOptions(max_turns=max_turns))
    throws = throws or shipped_table()
    table, _ = decide_first(table, throws, 0)
    return GameSeats(PLAYERS, table, 2 * len(table.pucks) + 1, partial(make_throw, throws))


def bumpers_seats(
    players: int = 2, *, table: BumpersTable | None = None, max_actions: int = 500
) -> GameSeats:
    """Return a game of Puck Bumpers for an environment.

    Args:
        players: Number of players, 2 to 6.
        table: A set-up instead.
        max_actions: Actions before the game is a draw; not used with a ``table``.

    Raises:
        InputError: A number is not accepted.
    """
    table = table or make_table(players, max_actions=max_actions)
    return GameSeats(BUMPERS_PLAYERS, table, _MOST_CHOICES)


def _observation_space(game: GameSeats) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, 1.0, (game.features,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.actions,), np.int8),
        }
    )


def _observation(game: GameSeats, seat: int) -> dict[str, Any]:
    mask = game.mask() if game.seat == seat else np.zeros(game.actions, np.int8)
    return {"observation": game.observe(seat), "action_mask": mask}


def _act(game: GameSeats, action: int) -> bool:
    """Take an action, or the first legal one if it is not legal; return whether it was legal."""
    mask = game.mask()
    is_legal = 0 <= action < len(mask) and bool(mask[action])
    game.act(action if is_legal else int(mask.argmax()))
    return is_legal


def _reward(game: GameSeats, seat: int) -> float:
    if game.seat is not None or game.winner is None:
        return 0.0
    return 1.0 if game.winner == seat else -1.0


def _drawn(game: GameSeats, mode: str | None, picture: Picture | None) -> Any:
    if mode == "ansi":
        return game.text()
    if mode == "rgb_array":
        assert picture is not None
        return picture(game)
    return None


def _check_render(mode: str | None, picture: Picture | None) -> None:
    if mode is not None:
        check_one_of("render_mode", mode, ("ansi", "rgb_array"))
    if mode == "rgb_array" and picture is None:
        raise InputError("picture: none is given; give render.environments.picture_of")


class OpponentEnv(gymnasium.Env[dict[str, Any], Any]):
    """One seat of a game, against players of some kind.

    Args:
        game: The game.
        seat: The agent's seat, from 0.
        opponent: The kind of the other players, such as ``greedy``.
        render_mode: ``ansi`` for text, ``rgb_array`` for a picture; None for neither.
        picture: Draws the picture.

    Raises:
        InputError: A value is not accepted.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by Gymnasium)
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
    }

    def __init__(
        self,
        game: GameSeats,
        *,
        seat: int = 0,
        opponent: str = "greedy",
        render_mode: str | None = None,
        picture: Picture | None = None,
    ) -> None:
        _check_render(render_mode, picture)
        if not 0 <= seat < len(game.names):
            raise InputError(f"seat: {seat} is not accepted; give 0 to {len(game.names) - 1}")
        self.game, self.seat, self.opponent = game, seat, opponent
        self.render_mode, self._picture = render_mode, picture
        self.observation_space = _observation_space(game)
        self.action_space = spaces.Discrete(game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; see `gymnasium.Env.reset`."""
        super().reset(seed=seed, options=options)
        self.game.reset(int(self.np_random.integers(2**32)))
        self._others()
        return _observation(self.game, self.seat), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action, and let the others play; see `gymnasium.Env.step`."""
        is_legal = _act(self.game, int(action))
        self._others()
        info = {**self._info(), "illegal": not is_legal}
        over = self.game.seat is None
        return _observation(self.game, self.seat), _reward(self.game, self.seat), over, False, info

    def render(self) -> Any:
        """Return text or a picture, by ``render_mode``."""
        return _drawn(self.game, self.render_mode, self._picture)

    def _others(self) -> None:
        while self.game.seat not in {None, self.seat}:
            self.game.play(self.opponent)

    def _info(self) -> dict[str, Any]:
        return {"actions": int(self.game.mask().sum())}


class SeatsEnv(AECEnv):  # type: ignore[misc]
    """All players of a game, each an agent named after its seat: ``seat_0``, ``seat_1``, ...

    Args:
        game: The game.
        render_mode: ``ansi`` for text, ``rgb_array`` for a picture; None for neither.
        picture: Draws the picture.

    Raises:
        InputError: A value is not accepted.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "rgb_array"],
        "name": "pucklab_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self, game: GameSeats, *, render_mode: str | None = None, picture: Picture | None = None
    ) -> None:
        super().__init__()
        _check_render(render_mode, picture)
        self.game, self.render_mode, self._picture = game, render_mode, picture
        self.possible_agents = [f"seat_{seat}" for seat in range(len(game.names))]
        self.observation_spaces = {a: _observation_space(game) for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(game.actions) for a in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        del options
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.game.reset(int(self._rng.integers(2**32)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation, with the mask of its legal actions."""
        return _observation(self.game, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Take an action for the selected agent; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"illegal": not _act(self.game, -1 if action is None else int(action))}
        self._clear_rewards()
        if self.game.seat is None:
            for seat, name in enumerate(self.possible_agents):
                self.rewards[name] = _reward(self.game, seat)
                self.terminations[name] = True
        self._select()
        self._accumulate_rewards()

    def render(self) -> Any:
        """Return text or a picture, by ``render_mode``."""
        return _drawn(self.game, self.render_mode, self._picture)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _select(self) -> None:
        seat = self.game.seat
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]
