"""A game in the window: between persons and players that choose by themselves.

`LiveGame` is the game with its steps, `history_of_game` turns steps into the entries that the
window shows, and the texts say whose turn it is and what a person may do.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from render.boardwindow.explorer_state import Entry, History
from render.boardwindow.picture import capitalized
from sim.bumpers import Movement, PieceMove, nudge, play
from sim.bumpers.game import (
    Choice,
    GameMatch,
    GameState,
    MakeMove,
    Pass,
    Phase,
    PlacePiece,
    PlayCard,
    Player,
    Record,
    Step,
    Table,
    choice_text,
    choices,
    chooser,
    event_text,
    new_game,
    record_of,
)


class LiveGame(GameMatch):
    """A game in a window, with its steps; chance is the same as in `sim.bumpers.game.play_game`.

    Attributes:
        kinds: The kind of each player, as in records.
        seed: The seed of shuffles and players.
        steps: The steps so far.
    """

    def __init__(
        self, table: Table, players: Sequence[Player | None], kinds: Sequence[str], seed: int
    ) -> None:
        """Begin a game.

        Args:
            table: The set-up.
            players: The players, in order; None for a person.
            kinds: The kind of each player.
            seed: The seed of shuffles and players.
        """
        super().__init__(table, players, np.random.default_rng(seed))
        self.kinds = tuple(kinds)
        self.seed = seed
        self.steps: list[Step] = []

    @property
    def is_over(self) -> bool:
        """True if the game is over."""
        return self.question is None

    @property
    def persons(self) -> tuple[int, ...]:
        """The numbers of the players that are persons."""
        return tuple(filter(self.is_person, range(self.table.players)))

    @property
    def offered(self) -> tuple[Choice, ...]:
        """The choices of the person who is to choose; empty if it is not a person's turn."""
        return () if self.person is None else choices(self.state)

    @property
    def is_waiting(self) -> bool:
        """True if a person has more to choose from than passing."""
        offered = self.offered
        return bool(offered) and offered != (Pass(),)

    def step(self, choice: Choice) -> Step:
        """Go on with a choice, and keep the step.

        Raises:
            InputError: The choice is not legal; the message says why.
        """
        self.steps.append(super().step(choice))
        return self.steps[-1]

    def take_back(self) -> bool:
        """Return to the last choice of a person, and return whether there was one."""
        for number in range(len(self.steps) - 1, -1, -1):
            state = self.steps[number].before
            player = chooser(state)
            if player is not None and self.is_person(player) and len(choices(state)) > 1:
                self.state = state
                del self.steps[number:]
                return True
        return False

    def record(self) -> Record:
        """Return the record of the game so far."""
        return record_of(self.table, self.kinds, self.seed, self.steps)


def history_of_game(table: Table, steps: Iterable[Step]) -> History:
    """Return the history of a game, at its beginning, without steps that show nothing.

    Example:
        >>> import numpy as np
        >>> from sim.bumpers.game import RandomPlayer, make_table, play_game
        >>> table = make_table(2, max_actions=3)
        >>> steps = list(play_game(table, [RandomPlayer()] * 2, np.random.default_rng(7)))
        >>> history_of_game(table, steps).entries[1].text
        'put RI h14'
    """
    first = Entry(position=new_game(table).position, description="the board before the game")
    return History(entries=(first, *_entries(steps)))


def entry_of(step: Step, description: str = "") -> Entry | None:
    """Return the history entry of a step; None if the step shows nothing.

    Args:
        step: The step.
        description: Events of the step, and of those since the last entry.
    """
    is_seen = isinstance(step.choice, MakeMove | PlacePiece | PlayCard)
    if not is_seen and step.before.position == step.after.position:
        return None
    layout = step.after.position.layout
    return Entry(
        position=step.after.position,
        text=choice_text(step.before, step.choice),
        description=description,
        movements=_movements(step),
        glides=isinstance(step.choice, MakeMove) or step.before.position.layout != layout,
        turn=step.before.turns,
    )


def step_text(step: Step) -> str:
    """Return the events of a step as one line."""
    return ", ".join(event_text(step.before.table, event) for event in step.events)


def joined_text(text: str, step: Step) -> str:
    """Return a text followed by the events of a step."""
    return ", ".join(part for part in (text, step_text(step)) if part)


def _entries(steps: Iterable[Step]) -> Iterator[Entry]:
    text = ""
    for taken in steps:
        text = joined_text(text, taken)
        entry = entry_of(taken, text)
        if entry is not None:
            yield entry
            text = ""


def piece_movements(state: GameState, move: PieceMove) -> tuple[Movement, ...]:
    """Return the movements that a piece move causes in the present state of a game."""
    if state.pending is not None:
        return nudge(state.position, move)[1].movements
    colours, before = state.movable, state.turn.before
    return play(state.position, move, colours=colours, before=before)[1].movements


def _movements(step: Step) -> tuple[Movement, ...]:
    """Return the movements of pieces in a step."""
    if isinstance(step.choice, MakeMove) and isinstance(step.choice.move, PieceMove):
        return piece_movements(step.before, step.choice.move)
    return ()


def turn_text(state: GameState) -> str:
    """Return the title of a state: the player to move, or the result."""
    if state.winner is not None:
        return f"{capitalized(state.table.name(state.winner))} wins"
    if state.phase is Phase.OVER:
        return "A draw"
    who = capitalized(state.table.name(state.player))
    return f"{who} places" if state.phase is Phase.PLACING else f"{who}, turn {state.turns}"


def prompt_lines(game: LiveGame) -> tuple[str, ...]:
    """Return the question to a person, or the player that the game is waiting for."""
    state = game.state
    if game.is_over:
        return ("the game is over", "save it, or explore it")
    if not game.is_waiting or game.person is None:
        return (f"{state.table.name(state.player)} is to move ...",)
    name = state.table.name(game.person)
    if state.phase is Phase.PLACING:
        return (f"{name}: place your pieces", "choose a piece, then click on a ring")
    if state.asked is not None:
        return (f"{name}: play a quick-play card, or pass",)
    if state.phase is Phase.DISCARD:
        return (f"{name}: choose a card to discard",)
    if state.pending is not None:
        card = state.card(state.pending.card)
        return (f"{name}: {card.name}", card.text)
    if state.turn.taken >= state.actions_allowed:
        return (f"{name}: no actions left", "play a card, or pass")
    return (
        f"{name}: action {state.turn.taken + 1} of {state.actions_allowed}",
        "move a piece, or play a card",
    )
