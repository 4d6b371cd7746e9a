"""Any game as environments of Gymnasium (one agent) and PettingZoo (all players).

`SeatsEnv` is a PettingZoo AEC environment: each player of the game is an agent. `OpponentEnv` is a
Gymnasium environment for one seat; the others are players of some kind. Both take a `GameSeats` of
any game; `pucklab.sim.environments` has those of the two puck games. They need
``pip install 'pucklab[envs]'``.

An action is an index from 0: of an option in a battle, of a legal choice in Puck Bumpers. `DONE`
ends a selection of several options. The mask says which actions are legal, in
``observation["action_mask"]``; after the end it is all ones, for there is nothing left to choose.
An action that is not legal loses the move: the first legal one is made, and ``info["illegal"]`` is
true.

Rewards come at the end: 1 for the winner, -1 for the others, and 0 for all after a draw. A game
that stops at its limit of turns or actions is truncated, not terminated.
"""

from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import require_extra
from pucklab.base.parsing import json_text
from pucklab.physics import InputError
from pucklab.sim.core.game import Compute, Decision, Match
from pucklab.sim.core.players import Players

require_extra("envs", "gymnasium", "pettingzoo")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # noqa: E402

DONE = 0
"""The action of a battle that ends a selection; option *k* of the question is action *k* + 1."""

_OF_OPPONENT_ENV = ("seat", "opponent", "render_mode", "picture")
"""Arguments of `OpponentEnv` beside the game."""

_CLOSED = "step: no game is under way; call reset() first"

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
        observation_space: The space of a seat's observations.
        match: The match under way.
    """

    def __init__(
        self, players: Players, setup: Any, actions: int, compute: Compute | None = None
    ) -> None:
        self.players, self.actions = players, actions
        self._setup, self._compute = setup, compute
        self.names = players.game.seats(players.game.start(setup))
        self.reset(0)
        features = len(players.game.observe(self.match.state, 0))
        observed = spaces.Box(-1.0, 1.0, (features,), np.float32)
        mask = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_space = spaces.Dict({"observation": observed, "action_mask": mask})

    def fresh(self) -> "GameSeats":
        """Return the same game with a match and spaces of its own."""
        return GameSeats(self.players, self._setup, self.actions, self._compute)

    def reset(self, seed: int, opponents: Mapping[int, str] = MappingProxyType({})) -> None:
        """Begin a match, in which some seats are players of some kind."""
        kinds = [opponents.get(seat, "agent") for seat in range(len(self.names))]
        own = [self.players.of(k) if n in opponents else None for n, k in enumerate(kinds)]
        self.match = Match(
            self.players.game, self._setup, own, seed,
            kinds=kinds, compute=self._compute, asks_all=True,
        )  # fmt: skip
        self._go_on()

    @property
    def seat(self) -> int | None:
        """The seat that acts now; None at the end."""
        return self.match.open.seat if isinstance(self.match.open, Decision) else None

    @property
    def is_cut_off(self) -> bool:
        """Whether the match stopped at its limit of turns or actions."""
        game = self.players.game
        return self.seat is None and game.draws_at_limit and not any(game.returns(self.match.state))

    def mask(self, seat: int | None) -> NDArray[np.int8]:
        """Return 1 for each legal action of a seat, shape (actions,); all ones after the end."""
        now = self.match.open
        legal = np.full(self.actions, now is None, np.int8)
        if isinstance(now, Decision) and now.seat == seat:
            first = int(now.selects)
            legal[first : first + len(now.options)] = 1
            legal[[first + index for index in self._picked]] = 0
            if first:
                legal[DONE] = len(self._picked) >= now.least
        return legal

    def act(self, action: int) -> bool:
        """Take an action, or the first legal one if it is not legal; return whether it was.

        Raises:
            InputError: The game is over.
        """
        now, mask = self.match.open, self.mask(self.seat)
        if not isinstance(now, Decision):
            raise InputError(_CLOSED)
        is_legal = 0 <= action < len(mask) and bool(mask[action])
        action = action if is_legal else int(mask.argmax())
        is_done = now.selects and action == DONE
        if not is_done:
            self._picked.append(action - now.selects)
        if is_done or len(self._picked) == now.most:
            self.match.step(now.answer(self._picked))
            self._go_on()
        return is_legal

    def _go_on(self) -> None:
        """Play until an agent has to decide, or the game is over."""
        self._picked: list[int] = []
        deque(self.match.play(), maxlen=0)

    def observe(self, seat: int) -> dict[str, Any]:
        """Return a seat's observation, with the mask of its legal actions."""
        seen = self.players.game.observe(self.match.state, seat)
        return {"observation": seen, "action_mask": self.mask(seat)}

    def reward(self, seat: int) -> float:
        """Return a seat's reward: 1 or -1 at the end, 0 in a draw or before."""
        return 0.0 if self.match.open else self.players.game.returns(self.match.state)[seat]

    def text(self) -> str:
        """Return the game as text."""
        game, state, seat = self.players.game, self.match.state, self.seat or 0
        if game.looks:
            return game.look(state, seat, game.looks[0])
        return json_text(game.view(state, seat), indent=1)


class _Rendered:
    """A game that an environment renders as text or as a picture."""

    def __init__(self, game: GameSeats, mode: str | None, picture: Picture | None) -> None:
        if mode is not None:
            check_one_of("render_mode", mode, ("ansi", "rgb_array"))
        if mode == "rgb_array" and picture is None:
            raise InputError("picture: none is given; give pucklab.render.environments.picture_of")
        super().__init__()
        self.game, self.render_mode, self._picture = game.fresh(), mode, picture

    def render(self) -> Any:
        """Return text or a picture, by ``render_mode``."""
        if self.render_mode == "rgb_array" and self._picture is not None:
            return self._picture(self.game)
        return self.game.text() if self.render_mode == "ansi" else None


class OpponentEnv(_Rendered, gymnasium.Env[dict[str, Any], Any]):
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
        super().__init__(game, render_mode, picture)
        if not 0 <= seat < len(game.names):
            raise InputError(f"seat: {seat} is not accepted; give 0 to {len(game.names) - 1}")
        self.seat, self.opponent, self._has_begun = seat, opponent, False
        self.observation_space = self.game.observation_space
        self.action_space = spaces.Discrete(game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; see `gymnasium.Env.reset`."""
        super().reset(seed=seed, options=options)
        others = {n: self.opponent for n in range(len(self.game.names)) if n != self.seat}
        self.game.reset(int(self.np_random.integers(2**32)), others)
        self._has_begun = True
        return self.game.observe(self.seat), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action, and let the others play; see `gymnasium.Env.step`.

        Raises:
            InputError: The game is over, or has not begun.
        """
        if not self._has_begun:
            raise InputError(_CLOSED)
        game, is_legal = self.game, self.game.act(int(action))
        info = {**self._info(), "illegal": not is_legal}
        cut, over = game.is_cut_off, game.seat is None
        return game.observe(self.seat), game.reward(self.seat), over and not cut, cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return whether each action is legal, as MaskablePPO of sb3-contrib asks for it."""
        return self.game.mask(self.seat).astype(bool)

    def _info(self) -> dict[str, Any]:
        return {"actions": 0 if self.game.seat is None else int(self.game.mask(self.seat).sum())}


class SeatsEnv(_Rendered, AECEnv):  # type: ignore[misc]
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
        super().__init__(game, render_mode, picture)
        self.possible_agents = [f"seat_{seat}" for seat in range(len(game.names))]
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.game.observation_space)
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
        return self.game.observe(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Take an action for the selected agent; None for an agent whose game is over.

        Raises:
            InputError: No agent is left, or the game has not begun.
        """
        if not self.agents:
            raise InputError(_CLOSED)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"illegal": not self.game.act(-1 if action is None else int(action))}
        self._clear_rewards()
        if self.game.seat is None:
            self.rewards = {a: self.game.reward(n) for n, a in enumerate(self.agents)}
            ended = self.truncations if self.game.is_cut_off else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
        self._select()
        self._accumulate_rewards()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _select(self) -> None:
        seat = self.game.seat
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]


def name_environment(name: str, seats: Callable[..., GameSeats]) -> None:
    """Let ``gymnasium.make`` make an `OpponentEnv` by a name, with the arguments of its seats."""

    def make(**given: Any) -> OpponentEnv:
        own = {name: given.pop(name) for name in _OF_OPPONENT_ENV if name in given}
        return OpponentEnv(seats(**given), **own)

    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=make)
