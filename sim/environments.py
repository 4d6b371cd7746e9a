"""Both games as environments of Gymnasium (one agent) and PettingZoo (all players).

`SeatsEnv` is a PettingZoo AEC environment: each player of the game is an agent. `OpponentEnv` is a
Gymnasium environment for one seat; the others are players of some kind. Both take a `GameSeats`,
made by `battle_seats` or `bumpers_seats`. They need ``pip install 'pucklab[envs]'``.

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
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from physics import InputError
from physics.decoding import check_one_of
from physics.errors import require_extra
from sim.bumpers.drawing import draw_position
from sim.bumpers.game import Table as BumpersTable
from sim.bumpers.game import make_table
from sim.bumpers.game.player_kinds import PLAYERS as BUMPERS_PLAYERS
from sim.core.game import Decision, Match
from sim.core.players import Players
from sim.pokepucks.battle.live import (
    Exchange,
    LiveBattle,
    LookaheadPlayer,
    Player,
    player_generator,
    shot_of,
    throw_generator,
)
from sim.pokepucks.battle.player_kinds import player_of
from sim.pokepucks.battle.questions import Answer, Asking, Option, Question, ThrowCall
from sim.pokepucks.battle.record import Record, option_text, record_of
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.state import BattleState, StackKind, Status, places
from sim.pokepucks.battle.table import BattleOptions, Table
from sim.pokepucks.battle.transcript import stack_lines
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


class GameSeats(Protocol):
    """A game as its environments see it: seats that act in some order.

    Attributes:
        names: The name of each seat.
        actions: Number of actions.
        features: Number of features that a seat observes.
    """

    names: tuple[str, ...]
    actions: int
    features: int

    @property
    def seat(self) -> int | None:
        """The seat that acts now; None at the end."""

    @property
    def winner(self) -> int | None:
        """The seat that has won; None for none."""

    def reset(self, seed: int) -> None:
        """Begin a game."""

    def mask(self) -> NDArray[np.int8]:
        """Return 1 for each legal action, shape (actions,)."""

    def act(self, action: int) -> None:
        """Take a legal action for the seat that acts now."""

    def observe(self, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees, shape (features,), each from -1 to 1."""

    def play(self, kind: str) -> None:
        """Let a player of some kind decide for the seat that acts now."""

    def text(self) -> str:
        """Return the game as text."""


class _BattleSeats:
    """A battle of PokéPucks as seats; see `battle_seats`."""

    def __init__(self, table: Table, throws: Throws) -> None:
        self.names = table.names
        self.actions = 2 * len(table.pucks) + 1
        self.exchanges: list[Exchange] = []
        self.seed = 0
        self._table, self._throws = table, throws
        self.reset(0)
        self.features = len(self.observe(0))

    def reset(self, seed: int) -> None:
        self.seed, self.exchanges = seed, []
        self._picked: list[Option] = []
        self._players: dict[tuple[str, int], Player] = {}
        self._live = LiveBattle(new_battle(self._table))
        self._own = [player_generator(seed, player) for player in range(len(self.names))]
        self._throw()

    @property
    def state(self) -> BattleState:
        """The battle now."""
        return self._live.state

    @property
    def seat(self) -> int | None:
        ask = self._live.ask
        return ask.player if isinstance(ask, Question) else None

    @property
    def winner(self) -> int | None:
        return self.state.winner

    @property
    def _question(self) -> Question:
        assert isinstance(self._live.ask, Question)
        return self._live.ask

    def mask(self) -> NDArray[np.int8]:
        legal = np.zeros(self.actions, np.int8)
        if self.seat is None:
            return legal
        question = self._question
        legal[DONE] = len(self._picked) >= question.least
        for index, option in enumerate(question.options[: self.actions - 1], start=1):
            legal[index] = option not in self._picked
        return legal

    def act(self, action: int) -> None:
        question = self._question
        if action != DONE:
            self._picked.append(question.options[action - 1])
        if action == DONE or len(self._picked) == question.most:
            self._answer(tuple(self._picked))

    def play(self, kind: str) -> None:
        question = self._question
        key = kind, question.player
        if key not in self._players:
            self._players[key] = player_of(kind)
        player, rng = self._players[key], self._own[question.player]
        if isinstance(player, LookaheadPlayer):
            self._answer(player.choose_at(self._live.moment(), rng))
        else:
            self._answer(player.choose(self.state, question, rng))

    def _answer(self, answer: Answer) -> None:
        self._picked = []
        self._go_on(answer)
        self._throw()

    def _throw(self) -> None:
        """Make throws until a player is asked, or the battle is over."""
        while isinstance(call := self._live.ask, ThrowCall):
            shot = shot_of(self.state.table, call)
            self._go_on(self._throws.throw(shot, throw_generator(self.seed, call.number)))

    def _go_on(self, answer: Answer) -> None:
        before, ask = self.state, self._live.ask
        assert ask is not None
        events = self._live.answer(answer)
        self.exchanges.append(
            Exchange(before=before, ask=ask, answer=answer, after=self.state, events=events)
        )

    def observe(self, seat: int) -> NDArray[np.float32]:
        """Return stack, owner, depth, and option and selection marks of each puck, and statuses."""
        state, players = self.state, len(self.names)
        pucks = np.zeros((len(state.table.pucks), 5), np.float32)
        kinds = list(StackKind)
        for place, stack in zip(places(players), state.stacks, strict=True):
            owner = 0.0 if place.player is None else ((place.player - seat) % players + 1) / players
            for depth, puck in enumerate(stack):
                pucks[puck, :3] = kinds.index(place.kind) / len(kinds), owner, depth / len(pucks)
        if self.seat == seat:
            for option in self._question.options:
                selectable = option if isinstance(option, int) else option.puck
                if selectable is not None:
                    pucks[selectable, 3] = 1.0
            for option in self._picked:
                if isinstance(option, int):
                    pucks[option, 4] = 1.0
        statuses = [
            float(state.has((seat + player) % players, status))
            for player in range(players)
            for status in Status
        ]
        asked = [float(self.seat == seat and self._question.asking is a) for a in Asking]
        counts = [min(state.turn.attacks, 10) / 10, min(state.turn.made, 10) / 10]
        return np.concatenate([pucks.ravel(), np.array([*statuses, *asked, *counts], np.float32)])

    def text(self) -> str:
        lines = list(stack_lines(self.state))
        if self.seat is not None:
            question = self._question
            texts = ", ".join(option_text(option) for option in question.options)
            lines.append(f"{self.names[question.player]}: {question.asking}: {texts}")
        return "\n".join(lines)

    def record(self) -> Record:
        """Return the record of the battle so far, which `battle.replay` plays again."""
        kinds = ("agent",) * len(self.names)
        return record_of(self._table, kinds, self.seed, "table", self.exchanges)


class MatchSeats:
    """Any game as seats.

    Args:
        players: The players of the game by name.
        setup: The set-up.
        actions: Number of actions: at least the options of any decision.
        draw: Draws a state as text.
    """

    def __init__(
        self, players: Players, setup: Any, actions: int, draw: Callable[[Any], str] = str
    ) -> None:
        self.names = players.game.seats(players.game.start(setup))
        self.actions = actions
        self._game, self._of, self._setup, self._draw = players.game, players.of, setup, draw
        self.reset(0)
        self.features = len(self.observe(0))

    def reset(self, seed: int) -> None:
        """Begin a match."""
        seats = len(self.names)
        self.match = Match(self._game, self._setup, [None] * seats, seed, kinds=("agent",) * seats)
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
        """Let chance draw until a seat has to decide, or the game is over."""
        self._picked = []
        while self.match.open is not None and self.seat is None:
            self.match.step(self.match.choose())

    def observe(self, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees; see `Game.observe`."""
        return self._game.observe(self.state, seat)

    def text(self) -> str:
        """Return the game as text."""
        return self._draw(self.state)


def battle_seats(
    slammers: Sequence[str] = ("pikachu", "onix"),
    *,
    table: Table | None = None,
    max_turns: int = 100,
    throws: Throws | None = None,
) -> _BattleSeats:
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
    return _BattleSeats(table, shipped_table() if throws is None else throws)


def bumpers_seats(
    players: int = 2, *, table: BumpersTable | None = None, max_actions: int = 500
) -> MatchSeats:
    """Return a game of Puck Bumpers for an environment.

    Args:
        players: Number of players, 2 to 6.
        table: A set-up instead.
        max_actions: Actions before the game is a draw; not used with a ``table``.

    Raises:
        InputError: A number is not accepted.
    """
    table = table or make_table(players, max_actions=max_actions)
    return MatchSeats(
        BUMPERS_PLAYERS, table, _MOST_CHOICES, lambda state: draw_position(state.position)
    )


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
