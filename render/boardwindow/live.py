"""A game under way between persons at the window and players that need nobody."""

from collections.abc import Sequence

import numpy as np

from sim.bumpers.game import (
    Choice,
    GameState,
    Pass,
    Phase,
    Player,
    Record,
    Step,
    Table,
    choices,
    chooser,
    new_game,
    record_of,
    shuffle,
    step,
)


class LiveGame:
    """A game under way; its chance is that of `sim.bumpers.game.play_game`.

    Attributes:
        table: The set-up.
        kinds: What each player is, as records name it.
        seed: The seed of shuffles and players.
        steps: What was done so far.
    """

    def __init__(
        self, table: Table, players: Sequence[Player | None], kinds: Sequence[str], seed: int
    ) -> None:
        """Begin a game.

        Args:
            table: The set-up.
            players: The players, in order; None for a person.
            kinds: What each of them is.
            seed: Where chance comes from.
        """
        self.table = table
        self.kinds = tuple(kinds)
        self.seed = seed
        self.steps: list[Step] = []
        self._players = tuple(players)
        self._shuffles, *self._own = np.random.default_rng(seed).spawn(table.players + 1)

    @property
    def state(self) -> GameState:
        """Where the game is."""
        return self.steps[-1].after if self.steps else new_game(self.table)

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.state.phase is Phase.OVER

    @property
    def person(self) -> int | None:
        """The person who is to choose; None if nobody is waited for."""
        who = chooser(self.state)
        return None if who is None or self._players[who] is not None else who

    @property
    def persons(self) -> tuple[int, ...]:
        """The players that are persons."""
        return tuple(who for who, player in enumerate(self._players) if player is None)

    @property
    def offered(self) -> tuple[Choice, ...]:
        """What the person may choose; nothing if nobody is waited for."""
        return () if self.person is None else choices(self.state)

    @property
    def is_waiting(self) -> bool:
        """Whether a person has to choose, and has a choice."""
        offered = self.offered
        return bool(offered) and offered != (Pass(),)

    def choose(self, choice: Choice) -> Step:
        """Take a person's choice.

        Raises:
            InputError: There is no such choice; the message says why.
        """
        return self._taken(choice)

    def go_on(self) -> Step:
        """Let a player that needs nobody choose, or shuffle, or pass where that is all there is."""
        state = self.state
        who = chooser(state)
        if who is None:
            return self._taken(shuffle(state, self._shuffles))
        player = self._players[who]
        if player is None:
            return self._taken(Pass())
        return self._taken(player.choose(state, choices(state), self._own[who]))

    def take_back(self) -> bool:
        """Go back to where a person last chose, and return whether somebody had."""
        for number in range(len(self.steps) - 1, -1, -1):
            state = self.steps[number].before
            who = chooser(state)
            if who is not None and self._players[who] is None and len(choices(state)) > 1:
                del self.steps[number:]
                return True
        return False

    def record(self) -> Record:
        """Return the record of what was played."""
        return record_of(self.table, self.kinds, self.seed, self.steps)

    def _taken(self, choice: Choice) -> Step:
        before = self.state
        after, events = step(before, choice)
        self.steps.append(Step(before=before, choice=choice, after=after, events=events))
        return self.steps[-1]
