"""Battles that can be shown: recorded ones, and live ones that go on as they are watched."""

from collections.abc import Sequence
from typing import Protocol

from physics import InputError
from render.battlewindow.beats import Beat, beats_after, opening_beats
from sim.core.files import version
from sim.pokepucks.battle import (
    Answer,
    Exchange,
    LiveBattle,
    Player,
    Question,
    Record,
    Reply,
    Table,
    ThrowCall,
    new_battle,
    player_generator,
    replay,
    shot_of,
    throw_generator,
)
from sim.pokepucks.throws import Throws


class Game(Protocol):
    """A battle, as far as it has come."""

    @property
    def beats(self) -> tuple[Beat, ...]:
        """What can be shown; at least the beginning."""

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """Questions, throws and their answers so far."""

    @property
    def question(self) -> Question | None:
        """What a person is asked; None if there is nothing to wait for."""

    def go_on(self) -> bool:
        """Go on by an exchange, and return whether there was one to be had."""

    def answer(self, reply: Reply) -> None:
        """Answer the question.

        Raises:
            InputError: The reply is not legal; the question stands.
        """


class RecordedGame:
    """A battle that was played.

    Raises:
        InputError: It cannot be played as it was recorded.
    """

    question = None

    def __init__(self, record: Record) -> None:
        try:
            self.exchanges: Sequence[Exchange] = tuple(replay(record))
        except InputError as error:
            if record.version == version():
                raise
            raise InputError(f"{error}; saved by pucklab {record.version}") from None
        events = (event for exchange in self.exchanges for event in exchange.events)
        self.beats = beats_after(opening_beats(record.table), events)

    def go_on(self) -> bool:
        """There is never more of it."""
        return False

    def answer(self, reply: Reply) -> None:
        """Nobody is asked."""
        raise InputError(f"answer: {reply!r} is not accepted; the battle is a record")


class LiveGame:
    """A battle that goes on as it is watched.

    Args:
        table: The set-up.
        players: The players, in turn order; None for a person at the window.
        throws: Where the outcomes of throws come from.
        seed: Seed of all that is random, as in `sim.pokepucks.battle.play_battle`.

    Raises:
        InputError: There are more or fewer players than the table has, or too few pucks.
    """

    def __init__(
        self, table: Table, players: Sequence[Player | None], throws: Throws, seed: int
    ) -> None:
        if len(players) != table.players:
            raise InputError(f"players: {len(players)} is not accepted; give {table.players}")
        self.beats = opening_beats(table)
        self.exchanges: list[Exchange] = []
        self._battle = LiveBattle(new_battle(table))
        self._players = tuple(players)
        self._throws = throws
        self._seed = seed
        self._own = [player_generator(seed, player) for player in range(table.players)]

    @property
    def question(self) -> Question | None:
        """What a person is asked."""
        ask = self._battle.ask
        if isinstance(ask, Question) and self._players[ask.player] is None:
            return ask
        return None

    def go_on(self) -> bool:
        """Make a throw, or let a policy decide; a person's question has to be answered."""
        ask, state = self._battle.ask, self._battle.state
        if ask is None:
            return False
        if isinstance(ask, ThrowCall):
            rng = throw_generator(self._seed, ask.number)
            self._take(self._throws.throw(shot_of(state.table, ask), rng))
            return True
        player = self._players[ask.player]
        if player is None:
            return False
        self._take(player.choose(state, ask, self._own[ask.player]))
        return True

    def answer(self, reply: Reply) -> None:
        """Answer a person's question."""
        if self.question is None:
            raise InputError(f"answer: {reply!r} is not accepted; nobody is asked")
        self._take(reply)

    def _take(self, answer: Answer) -> None:
        before, ask = self._battle.state, self._battle.ask
        assert ask is not None
        events = self._battle.answer(answer)
        after = self._battle.state
        self.exchanges.append(
            Exchange(before=before, ask=ask, answer=answer, after=after, events=events)
        )
        self.beats = beats_after(self.beats, events)
